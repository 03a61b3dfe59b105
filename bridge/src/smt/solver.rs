//! Chooses the solver at compile time. The solver is Z3. Without the feature `z3` there is no solver, and every answer
//! is [`Answer::Unknown`].

#[cfg(not(feature = "z3"))]
pub use super::absent::{Solver, in_context, in_timed_context};
pub use super::answer::{ABSENT, Answer, Effort, Model};
#[cfg(feature = "z3")]
pub use super::z3::{Solver, in_context, in_timed_context};

/// Whether there is a solver.
pub const IS_BUILT_IN: bool = cfg!(feature = "z3");
