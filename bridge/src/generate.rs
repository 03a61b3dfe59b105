//! Generators with one interface: each produces [`Batch`]es of cases in a fixed order, until it ends.
//!
//! The runner asks for batches. Nothing here runs the subject or looks at a clock. The order of cases depends only on
//! spec, bounds and seed, not on the number of threads.

pub mod enumerative;
pub mod random;
pub mod native;
pub mod smt;
pub mod beyond;
pub mod different;
mod filtered;
mod spread;
mod one_other;
mod other_strings;
pub mod auto;
pub mod feedback;
pub mod narrowed;
pub mod unfolded;
pub mod keep;
pub mod members;
pub mod smaller;

use std::time::Duration;

use target_strategies::baseline::enumerative::Range;
use target_strategies::beyond::Source;
use target_strategies::logic::value::Value;
use target_strategies::native::listing::Listed;

/// How inputs are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeneratorKind {
    /// The schedule over the members of the space, boundary cases and larger inputs.
    Auto,
    /// The engine that counts and lists members.
    Native,
    /// Z3, asked for models skeleton by skeleton.
    Smt,
    /// Extreme values, outside the space.
    Boundary,
    /// Larger structures and values, outside the space.
    Large,
    /// proptest's own strategies, filtered by the precondition.
    Random,
    /// All values by size, filtered by the precondition.
    Enumerative,
}

/// The next step of a generator.
#[derive(Clone, Debug)]
pub enum Step {
    /// Run these cases.
    Batch(Batch),
    /// What is known of the space once the cases so far are run.
    Reached(Reached),
    /// The space is finished, as [`End`] says; cases outside it follow.
    Beyond(End),
    /// There are no more cases.
    End(End),
}

/// How far a generator got in the space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// All members up to this size are among the cases so far; `None` if not even all of the least size.
    pub complete_size: Option<u64>,
    /// Number of valid inputs in the space, if it is known.
    pub n_members: Option<u64>,
    /// The set of different inputs, if such a set was asked for.
    pub different: Option<SetReached>,
}

/// A set of inputs that differ pairwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetReached {
    /// Number of inputs asked for.
    pub n_asked: u64,
    /// Number of inputs found.
    pub n_found: u64,
    /// Whether no other input differs from all of them.
    pub is_maximal: bool,
    /// Whether there is no larger set.
    pub is_proved: bool,
    /// The combinations of kinds, if these are what was asked for.
    pub covered: Option<Covered>,
}

/// The combinations of kinds that the inputs of a set have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covered {
    /// Number of combinations that some input has.
    pub n_covered: u64,
    /// Number of all combinations, among them those that no input can have.
    pub n_all: u64,
}

/// Cases to run, in order.
#[derive(Clone, Debug)]
pub enum Batch {
    /// Argument tuples, which are sent to the child.
    Cases(Vec<Case>),
    /// Members of skeletons, which the child makes itself.
    Ranges(Vec<Range>),
    /// Members that the engine lists, also in the child.
    Listed(Vec<Listed>),
}

/// One argument tuple.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The arguments.
    pub args: Vec<Value>,
    /// Why it is outside the space on purpose; `None` for a member of the space.
    pub beyond: Option<Source>,
}

/// Why a generator has no more cases.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// All members of the space were produced.
    Exhausted,
    /// All requested cases were produced; the text describes the request.
    Asked(String),
    /// Some members may be missing, for these reasons.
    Unknown(Vec<String>),
    /// No more cases are needed now: the run goes on later.
    Closed,
}

/// A source of cases.
pub trait Generator: Send {
    /// The next step. It is not called again after [`Step::End`].
    fn step(&mut self) -> Step;

    /// Time spent waiting for a solver so far, summed over threads. Only reports may depend on it.
    fn solving(&self) -> Duration {
        Duration::ZERO
    }
}
