//! Questions to a solver, and its answers. The solver is Z3. Without the feature `z3` there is no solver, and every
//! answer is [`Answer::Unknown`].

use std::collections::HashMap;

use target_strategies::logic::value::Value;

#[cfg(not(feature = "z3"))]
pub use super::absent::{Solver, in_context, in_timed_context};
#[cfg(feature = "z3")]
pub use super::z3::{Solver, in_context, in_timed_context};

/// Whether there is a solver.
pub const IS_BUILT_IN: bool = cfg!(feature = "z3");

/// The message if a solver is needed and there is none.
pub const ABSENT: &str =
    "built without Z3: install libz3, then `cargo install cargo-target` with its default features";

/// A solver's answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The question is satisfiable, for example with these values of the leaves.
    Sat(Model),
    /// The question is unsatisfiable.
    Unsat,
    /// The solver gave up, for this reason.
    Unknown(String),
}

/// Values of leaves: a bool, an integer (a char's code point), or a float.
pub type Model = HashMap<u32, Value>;

/// Limits of a solver, and how it breaks ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Z3's resource units for one check.
    pub per_check: u32,
    /// Z3's random seed.
    pub seed: u32,
    /// Whether to search for sophisticated proofs about products. It costs more than it gains if values are fixed
    /// early.
    pub thorough: bool,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { per_check: 100_000, seed: 0, thorough: false }
    }
}
