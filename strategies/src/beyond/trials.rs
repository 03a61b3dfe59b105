//! Attempts at changes of inputs, which may give valid inputs too seldom to go on.

/// Of more attempts than the first ones, one of so many must be valid so far.
const VALID: u32 = 4;

/// Number of attempts, and of valid ones.
#[derive(Default)]
pub(super) struct Trials {
    n_tried: u32,
    n_valid: u32,
}

impl Trials {
    /// Takes note of an attempt.
    pub(super) fn note(&mut self, is_valid: bool) {
        self.n_tried += 1;
        self.n_valid += u32::from(is_valid);
    }

    /// Whether there are fewer than the first attempts, which are made in any case, or enough valid ones.
    pub(super) fn are_worth_more(&self, n_first: u32) -> bool {
        self.n_tried < n_first || self.n_valid * VALID >= self.n_tried
    }
}
