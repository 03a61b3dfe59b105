//! The answers of a solver, and the effort that it may spend on a question.

use std::collections::HashMap;
use std::time::Duration;

use target_strategies::logic::value::Value;

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
    /// Maximum time of one check, as some of the work on products is not counted in resource units. Only explanations have it:
    /// no sequence of cases may depend on a clock.
    pub time: Option<Duration>,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { per_check: 100_000, seed: 0, thorough: false, time: None }
    }
}
