//! A limit on the work of solving for a set, so that what was found in it can be told.

use target_strategies::cancel;
use target_strategies::space::Space;

use crate::generate::members::{Next, first};

/// Steps of the engine for the inputs of a set that are solved for: some seconds. Z3 has limits of its own.
const MOST_STEPS: u64 = 1_000_000_000;

/// What is left of the limit.
pub(super) struct Effort {
    /// The count of steps at the start.
    start: u64,
}

impl Effort {
    /// The whole limit is left.
    pub fn new() -> Effort {
        Effort { start: cancel::steps() }
    }

    /// The first member of a space, if it is found within the limit.
    pub fn first(&self, space: &Space) -> Next {
        let left = MOST_STEPS.saturating_sub(cancel::steps().wrapping_sub(self.start));
        let found = (left > 0).then(|| cancel::within_steps(left, || first(space))).flatten();
        found.unwrap_or_else(|| Next::End(vec!["solving for further inputs would take too long".to_owned()]))
    }
}
