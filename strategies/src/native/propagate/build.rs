//! How the value at a hole is built, and the head constructors that a hole may get.

use crate::logic::ir::Term;
use crate::logic::value::Value;
use crate::native::plan::problem::Hole;

/// How the value at a hole is built.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Build {
    /// This value.
    Const(Value),
    /// This scalar, plus the offset of the state.
    Key(Value),
    /// The value at another hole.
    At(u32),
    /// A constructor and its fields.
    Data(u32, Vec<Build>),
    /// A sequence.
    Seq(Vec<Build>),
    /// A tuple.
    Tuple(Vec<Build>),
    /// A string of these characters.
    Str(Vec<Build>),
}

/// A head constructor of the value at a hole: how the value is built, and its term.
pub struct Constructor {
    pub(super) build: Build,
    pub(super) term: Term,
    /// Additional constraints.
    pub(super) clauses: Vec<Term>,
    /// The holes in its fields.
    pub(super) opened: Vec<(u32, Hole)>,
}

impl Constructor {
    /// The holes in its fields.
    pub fn opened(&self) -> &[(u32, Hole)] {
        &self.opened
    }

    /// Its term.
    pub fn term(&self) -> &Term {
        &self.term
    }
}
