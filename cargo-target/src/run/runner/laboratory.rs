//! Fresh children of a run's harness, to examine a failure with.

use std::time::Duration;

use crate::run::worker::{Launch, ShouldStop, Watchdog, Worker};

/// Runs single cases in fresh children of the same harness.
pub(super) struct Laboratory<'l> {
    pub(super) launch: &'l Launch,
    pub(super) watchdog: &'l Watchdog,
    pub(super) should_stop: ShouldStop,
    pub(super) shrinks: bool,
    /// Time limit for shrinking one failure.
    pub(super) patience: Duration,
    /// Whether to find the parts of a counterexample that don't matter.
    pub(super) generalises: bool,
}

impl Laboratory<'_> {
    /// A worker with a fresh child.
    pub(super) fn worker(&self) -> Worker<'_> {
        Worker::new(self.launch, self.watchdog, self.should_stop.clone())
    }
}
