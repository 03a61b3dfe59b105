//! Generators behind one interface: each deals out [`Batch`]es of cases in a fixed order, until it ends.
//!
//! The runner pulls; nothing here runs the subject or looks at a clock. The order of cases depends on spec, bounds and
//! seed alone, whatever the number of threads.

pub mod enumerative;
mod interleave;
pub mod keep;
pub mod native;
pub mod random;
pub mod smt;

use std::time::Duration;

use target_strategies::enumerative::Range;
use target_strategies::native::deal::Listed;
use target_strategies::value::Value;

/// The ways to find inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeneratorKind {
    /// Z3, asked for models shape by shape.
    Smt,
    /// The engine that counts and lists.
    Native,
    /// proptest's own strategies, filtered.
    Random,
    /// All values by size, filtered.
    Enumerative,
}

/// The next piece of a generator's work.
#[derive(Clone, Debug)]
pub enum Step {
    /// Run these.
    Batch(Batch),
    /// The space itself is dealt, as far as it goes; what follows are boundary cases.
    Beyond(End),
    /// There is no more.
    End(End),
}

/// Cases to run, in order.
#[derive(Clone, Debug)]
pub enum Batch {
    /// Argument tuples, to be sent to the child.
    Cases(Vec<Case>),
    /// Members of skeletons, that the child makes itself.
    Ranges(Vec<Range>),
    /// Members that the engine lists, in the child, too.
    Listed(Vec<Listed>),
}

/// One argument tuple.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The arguments.
    pub args: Vec<Value>,
    /// Whether it lies outside the space on purpose.
    pub boundary: bool,
}

/// Why a generator has no more.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Every member of the space was dealt out.
    Exhausted,
    /// All that was asked for of the space was dealt out: what that is.
    Asked(String),
    /// Something kept it from finding all: the reasons.
    Unknown(Vec<String>),
}

/// A source of cases.
pub trait Generator: Send {
    /// The next piece. After [`Step::End`] it is not called again.
    fn step(&mut self) -> Step;

    /// How long it has waited for a solver so far, added up over threads. Nothing but reports may depend on it.
    fn solving(&self) -> Duration {
        Duration::ZERO
    }
}
