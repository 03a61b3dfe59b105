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

/// A function among the arguments that a term asks about: a parameter, or a method of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    /// The slot of the parameter.
    pub slot: u32,
    /// If that has the values of a trait, the position of the method among those without a body.
    pub method: Option<u32>,
}

impl Asked {
    /// The function, in the value of the parameter. An implementor of a trait has none.
    pub fn function(self, value: &Value) -> Option<&Value> {
        match (self.method, value) {
            (None, value) => Some(value),
            (Some(method), Value::Data(0, fields)) => fields.get(method as usize),
            (Some(_), _) => None,
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
