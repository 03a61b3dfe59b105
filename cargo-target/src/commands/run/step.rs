//! Shows what the run of a function does at the moment.

use crate::report::progress::{Cases, Running};
use crate::run::runner::Step;

/// Shows what a job does.
pub(super) fn show(shown: &Running, step: Step<'_>) {
    match step {
        Step::Running(counts, n_inputs) => shown.cases(Cases {
            all: counts.cases,
            inside: counts.valid_inside,
            n_inputs,
            has_failed: counts.cases_to_failure.is_some(),
        }),
        Step::Shrinking => shown.shrinking(),
    }
}
