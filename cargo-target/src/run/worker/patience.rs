//! Counts the cases outside the space that cost much, and tells when later ones are left out.
//!
//! A worker counts those that it runs; the run counts all, in the order of the cases. The run's count is over no later than
//! a worker's, so what is left out doesn't depend on the number of workers.

use target_strategies::child::protocol::FailureKind;

use crate::events::outcome::MOST_TIMEOUTS;

/// Number of stack overflows after which such cases are left out. One takes some milliseconds.
const MOST_OVERFLOWS: u64 = 16;

/// Number of cases that may take too long to judge.
const MOST_UNDECIDED: u64 = 16;

/// How many more cases of each sort may run.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Cases that run longer than the time limit, or take too much memory: each costs a process, and time.
    timeouts: u64,
    overflows: u64,
    undecided: u64,
}

impl Patience {
    /// That of a run.
    pub fn of_run() -> Patience {
        Patience { timeouts: MOST_TIMEOUTS, overflows: MOST_OVERFLOWS, undecided: MOST_UNDECIDED }
    }

    /// That of a worker which repeats cases: failures are wanted.
    pub(super) fn with_failures() -> Patience {
        Patience { timeouts: u64::MAX, overflows: u64::MAX, undecided: MOST_UNDECIDED }
    }

    /// Whether later cases outside the space are left out.
    pub(super) fn is_over(&self) -> bool {
        self.timeouts == 0 || self.overflows == 0 || self.undecided == 0
    }

    /// Counts a failure outside the space.
    pub(super) fn fail(&mut self, kind: FailureKind) {
        let left = match kind {
            FailureKind::Timeout | FailureKind::Memory => Some(&mut self.timeouts),
            FailureKind::StackOverflow => Some(&mut self.overflows),
            FailureKind::Panic
            | FailureKind::NoPanic
            | FailureKind::Abort
            | FailureKind::Exit
            | FailureKind::Fork
            | FailureKind::Result
            | FailureKind::Argument
            | FailureKind::Ensures => None,
        };
        left.into_iter().for_each(|left| *left = left.saturating_sub(1));
    }

    /// Counts a case outside the space that took too long to judge.
    pub(super) fn give_up_judging(&mut self) {
        self.undecided = self.undecided.saturating_sub(1);
    }
}
