//! Keys: what makes two instances of a type the same.

use target_strategies::logic::ir::Refined;

use crate::frontend::catalog::TypeId;

/// The key of an instance: its type constructor and the arguments.
#[derive(Clone, Debug)]
pub(in crate::frontend) struct Key {
    pub(in crate::frontend) constructor: TypeConstructor,
    pub(in crate::frontend) args: Vec<Refined>,
}

/// A type without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::frontend) enum TypeConstructor {
    Option,
    Result,
    User(TypeId),
    /// A view, by its index in its table.
    View(usize),
    /// A view of a type that the catalog doesn't know, without its refinements.
    Bare(usize),
    /// A rule of the grammar, by its index.
    Rule(usize),
    /// A group inside of a rule, by the number of its instance.
    Group(u32),
    /// The steps of a function that takes a function, by the number of its type.
    Steps(u32),
    /// The groups of a match, by the regular expression.
    Captures(u32),
}
