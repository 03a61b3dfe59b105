//! The stand-in for a solver without the feature `z3`: its answer is always [`Answer::Unknown`].

use std::time::Duration;

use super::answer::{ABSENT, Answer, Effort};
use super::formula::{F, Formulas};

/// Runs a closure.
pub fn in_context<R: Send + Sync>(run: impl FnOnce() -> R + Send + Sync) -> R {
    run()
}

/// Runs a closure. Answers take no time.
pub fn in_timed_context<R: Send + Sync>(run: impl FnOnce() -> R + Send + Sync) -> (R, Duration) {
    (run(), Duration::ZERO)
}

/// A solver that gives up on every question.
#[derive(Debug)]
pub struct Solver;

impl Solver {
    /// The solver.
    pub fn new(_effort: Effort, _linear: bool) -> Solver {
        Solver
    }

    /// Opens a level of assertions.
    pub fn push(&mut self) {}

    /// Drops the assertions of the last level.
    pub fn pop(&mut self) {}

    /// Adds a formula.
    pub fn assert(&mut self, _formulas: &Formulas, _f: F) {}

    /// Asserts that leaves are in their ranges.
    pub fn assert_ranges(&mut self, _formulas: &Formulas, _leaves: &[u32]) {}

    /// Gives up.
    pub fn check(&mut self, _formulas: &Formulas, _leaves: &[u32]) -> Answer {
        Answer::Unknown(ABSENT.to_owned())
    }

    /// Gives up.
    pub fn check_assuming(
        &mut self,
        _formulas: &Formulas,
        _assumptions: &[F],
        _leaves: &[u32],
    ) -> Result<Answer, Vec<usize>> {
        Ok(Answer::Unknown(ABSENT.to_owned()))
    }
}
