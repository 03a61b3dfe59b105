//! Fresh children of a run's harness, to examine a failure with.

use std::time::Duration;

use target_strategies::child::protocol::{Failure, FailureKind};

use crate::run::worker::{Launch, ShouldStop, Watchdog, Worker};

/// The hasty time limits are these parts of the user's. Each is tried if what hung under the one before it ends.
const HASTE: [u32; 2] = [50, 10];

/// The least hasty time limit: some calls that end take longer than less.
const LEAST_HASTY: Duration = Duration::from_millis(20);

/// Which counterexamples to shrink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shrinks {
    /// None.
    Nothing,
    /// Those that don't run into the time limit: for failures that another generator has found and shrunk already.
    ButTimeouts,
    /// All.
    All,
}

/// Runs single cases in fresh children of the same harness.
#[derive(Clone)]
pub(super) struct Laboratory<'l> {
    pub(super) launch: &'l Launch,
    pub(super) watchdog: &'l Watchdog,
    pub(super) should_stop: ShouldStop,
    pub(super) shrinks: Shrinks,
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

    /// Whether to shrink such a failure.
    pub(super) fn shrinks_like(&self, failure: &Failure) -> bool {
        match self.shrinks {
            Shrinks::Nothing => false,
            Shrinks::ButTimeouts => failure.kind != FailureKind::Timeout,
            Shrinks::All => true,
        }
    }

    /// Copies for a call that ran into the time limit, with limits so much shorter that shrinking can take many steps.
    pub(super) fn hasty(&self, failure: &Failure) -> Vec<Hasty<'_>> {
        let timeouts = HASTE.map(|part| (self.launch.timeout / part).max(LEAST_HASTY));
        let is_wanted =
            |timeout: &Duration| failure.kind == FailureKind::Timeout && *timeout < self.launch.timeout;
        let hasty = |timeout| Hasty { launch: Launch { timeout, ..self.launch.clone() }, of: self };
        timeouts.into_iter().filter(is_wanted).map(hasty).collect()
    }
}

/// A laboratory with a shorter time limit. What hangs there may end in the user's.
pub(super) struct Hasty<'l> {
    launch: Launch,
    of: &'l Laboratory<'l>,
}

impl Hasty<'_> {
    /// The laboratory.
    pub(super) fn laboratory(&self) -> Laboratory<'_> {
        let patience = self.of.patience / 2;
        Laboratory { launch: &self.launch, patience, ..self.of.clone() }
    }
}
