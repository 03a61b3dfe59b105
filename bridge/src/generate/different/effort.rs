//! A limit on solving for the inputs of a set, so that those found so far are told and run.

use std::time::{Duration, Instant};

use target_strategies::cancel;
use target_strategies::space::Space;

use crate::generate::members::{Next, first};

/// Steps of the engine for the inputs of a set that are solved for: some seconds. Z3 has limits of its own.
const MOST_STEPS: u64 = 1_000_000_000;

/// The reason that is given when the limit of steps ended the search.
const TOO_LONG: &str = "solving for further inputs would take too long";

/// The reason that is given when the time ended it.
const NO_TIME: &str = "no time is left to solve for further inputs: a greater `budget` may help";

/// The limit.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// The count of steps after which it is met.
    last: u64,
    /// The time after which it is met.
    until: Option<Instant>,
}

impl Effort {
    /// All steps, and so much time, are left.
    pub fn new(time: Duration) -> Effort {
        Effort { last: cancel::steps().saturating_add(MOST_STEPS), until: Instant::now().checked_add(time) }
    }

    /// The limit, after at most so many steps.
    pub fn at_most(self, n_steps: u64) -> Effort {
        Effort { last: self.last.min(cancel::steps().saturating_add(n_steps)), ..self }
    }

    /// Whether the limit is met.
    pub fn is_met(self) -> bool {
        cancel::steps() >= self.last || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Why no further inputs are solved for once the limit is met.
    pub fn reason(self) -> String {
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        (if is_late { NO_TIME } else { TOO_LONG }).to_owned()
    }

    /// The first member of a space, if it is found within the limit.
    pub fn first(self, space: &Space) -> Next {
        self.next(|| first(space))
    }

    /// What a search finds, if it finds something within the limit.
    pub fn next(self, search: impl FnOnce() -> Next) -> Next {
        let found = if self.is_met() { None } else { cancel::within(move || self.is_met(), search) };
        match found {
            Some(Next::Member(member)) => Next::Member(member),
            // Once the limit is met, "no more" may only mean that a part of the search was stopped.
            Some(Next::End(reasons)) if !reasons.is_empty() || !self.is_met() => Next::End(reasons),
            Some(Next::End(_)) | None => Next::End(vec![self.reason()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_after_the_limit_is_no_end() {
        let search = |n_steps| {
            move || {
                (0..n_steps).for_each(|_| cancel::step());
                Next::End(Vec::new())
            }
        };
        let effort = Effort::new(Duration::MAX);
        // The limit is not looked at after each step.
        let late = effort.at_most(100).next(search(200));
        assert!(matches!(late, Next::End(reasons) if reasons == [TOO_LONG]));
        let in_time = effort.at_most(100).next(search(50));
        assert!(matches!(in_time, Next::End(reasons) if reasons.is_empty()));
    }
}
