//! What conditions say of functions among the arguments.

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
