//! What conditions say of functions among the arguments.

use crate::logic::value::Value;

/// A law that a function must obey on all arguments that it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Law {
    /// `total_order(f)`: a comparison by `Ordering`, as `Ord` demands.
    TotalOrder,
    /// `equivalence(f)`: reflexive, symmetric and transitive.
    Equivalence,
    /// `monotone(f)`: a greater argument has no smaller result.
    Monotone,
    /// `antitone(f)`: a greater argument has no greater result.
    Antitone,
    /// `injective(f)`: different arguments have different results.
    Injective,
    /// `commutative(f)`: two arguments may be swapped.
    Commutative,
    /// `pure(f)`: the same arguments have the same result.
    Pure,
}

/// A function among the arguments that a term asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// A parameter, by its slot.
    Param(u32),
    /// A method of a parameter that has the values of a trait: the slot, and the position among the methods without a body.
    Method(u32, u32),
    /// A function inside of a parameter, `fs[0]`: the value of the term's first part. Arguments follow it.
    Inside,
}

impl Asked {
    /// The slot of the parameter, if it is known.
    pub fn slot(self) -> Option<u32> {
        match self {
            Asked::Param(slot) | Asked::Method(slot, _) => Some(slot),
            Asked::Inside => None,
        }
    }

    /// The function, in the value of the parameter. An implementor of a trait has none.
    pub fn function(self, value: &Value) -> Option<&Value> {
        match (self, value) {
            (Asked::Param(_), value) => Some(value),
            (Asked::Method(_, method), Value::Data(0, fields)) => fields.get(method as usize),
            (Asked::Method(..) | Asked::Inside, _) => None,
        }
    }
}

/// What a term asks about a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// `f(a, b)`: its result. On inputs, asking is a call like the subject's, but not among the calls.
    Result,
    /// `calls(f)`: the arguments of the subject's calls, in order; a tuple each, if there are several.
    Calls,
    /// `returns(f)`: the results of the subject's calls, in order.
    Returns,
    /// Whether it obeys a law.
    Obeys(Law),
}

impl Law {
    /// All laws, with the names that conditions give them.
    pub const ALL: [(Law, &str); 7] = [
        (Law::TotalOrder, "total_order"),
        (Law::Equivalence, "equivalence"),
        (Law::Monotone, "monotone"),
        (Law::Antitone, "antitone"),
        (Law::Injective, "injective"),
        (Law::Commutative, "commutative"),
        (Law::Pure, "pure"),
    ];

    /// The name in conditions.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(law, _)| *law == self).map_or("", |(_, name)| name)
    }
}
