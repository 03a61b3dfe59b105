//! Fresh children of a run's harness, to examine a failure with.

use crate::run::worker::{Launch, ShouldStop, Watchdog, Worker};

/// Runs single cases in fresh children of the same harness.
pub(super) struct Laboratory<'l> {
    pub(super) launch: &'l Launch,
    pub(super) watchdog: &'l Watchdog,
    pub(super) should_stop: ShouldStop,
    pub(super) shrinks: bool,
}

impl Laboratory<'_> {
    /// A worker with a fresh child.
    pub(super) fn worker(&self) -> Worker<'_> {
        Worker::new(self.launch, self.watchdog, self.should_stop.clone())
    }
}
