//! Shows what the run of a function does at the moment.

use crate::report::progress::Running;
use crate::run::runner::Step;

/// Shows what a job does.
pub(super) fn show(shown: &Running, step: Step<'_>) {
    match step {
        Step::Running(counts) => shown.cases(counts.cases),
        Step::Shrinking => shown.shrinking(),
    }
}
