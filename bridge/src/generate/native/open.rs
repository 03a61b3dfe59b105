//! The remaining members of a class: by number, or along a walk. Both have the same order, so numbers can continue
//! where a walk stopped.

use target_strategies::logic::int::Int;
use target_strategies::native::listing::Pick;
use target_strategies::native::{Cursor, Native, Position};

use crate::generate::Case;

/// Maximum number of choices tried to find the first member of an uncounted class.
pub(super) const SEARCH_EFFORT: u64 = 50_000;

/// Maximum number of choices tried to find one more member.
const MORE_EFFORT: u64 = 1_000_000;

/// Number of members from which on they are spread over the class: in a short time not all would be seen.
const SPREAD: u128 = 4096;

/// The members of a counted class: in order if they are few, otherwise in an order in which neighbours in time are far apart.
pub struct Numbered {
    /// Number of members produced by the walk; the numbers here start after them.
    first: u64,
    total: u128,
    is_cut: bool,
    /// Number of members produced.
    taken: u64,
    /// Whether many members are spread over the class.
    is_spread: bool,
}

impl Numbered {
    /// All members of a class after the first `first`.
    pub fn new(total: &Int, first: u64, is_spread: bool) -> Numbered {
        let numbers = total.to_u128();
        let total = numbers.unwrap_or(u128::MAX).saturating_sub(first.into());
        Numbered { first, total, is_cut: numbers.is_none(), taken: 0, is_spread }
    }

    /// Spreads the members that are left, which came in order so far.
    pub fn spread(&mut self) {
        if !self.is_spread {
            self.first += self.taken;
            self.total -= u128::from(self.taken);
            (self.taken, self.is_spread) = (0, true);
        }
    }

    /// Number of members produced by the walk before.
    #[cfg(test)]
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Whether there are more members than numbers.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether all members were produced.
    pub fn is_over(&self) -> bool {
        u128::from(self.taken) >= self.total
    }

    /// At most this many members: how they are picked, the offset of the first, and how many they are.
    pub fn next(&mut self, most: u64) -> Option<(Pick, u64, u64)> {
        let left = u64::try_from(self.total - u128::from(self.taken)).unwrap_or(u64::MAX);
        let (len, start) = (left.min(most), self.taken);
        self.taken += len;
        let pick = if self.total < SPREAD || !self.is_spread {
            Pick::From(Position::Rank(self.first.into()))
        } else {
            Pick::Spread(self.first)
        };
        (len > 0).then_some((pick, start, len))
    }
}

/// The members of an uncounted class, in order. The walk runs here as in the child, to find where each piece starts and
/// whether more follow.
pub struct Walked {
    cursor: Cursor,
    /// Whether the cursor is at a member that is not produced yet.
    is_ahead: bool,
    is_over: bool,
    n_dealt: u64,
    /// Number of choices tried since the last member.
    in_vain: u64,
    /// Number of branches made to count the class.
    pub spent: u64,
}

/// Maximum number of members of a piece. To start in its middle, the child may have to skip this many.
const LONGEST_PIECE: u64 = 1024;

/// Maximum number of choices for the next member in one step. Between steps the caller may look at its clock.
const STEP_EFFORT: u64 = 10_000;

impl Walked {
    /// Starts at the first member. `spent` is the number of branches made to count the class.
    pub fn new(cursor: Cursor, spent: u64) -> Walked {
        Walked { cursor, is_ahead: false, is_over: false, n_dealt: 0, in_vain: 0, spent }
    }

    /// Number of members produced.
    pub fn n_dealt(&self) -> u64 {
        self.n_dealt
    }

    /// Ends the search for the next member.
    #[cfg(test)]
    pub fn give_up(&mut self) {
        self.in_vain = MORE_EFFORT;
    }

    /// Whether the search for the next member took too many choices.
    pub fn is_lost(&self) -> bool {
        self.in_vain >= if self.n_dealt == 0 { SEARCH_EFFORT } else { MORE_EFFORT }
    }

    /// Whether all members were produced.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// At most this many members, fewer if they take too many choices: the path to the first, their number, and on
    /// request their values. There are none if all were produced, or if the search for the next continues in another
    /// step.
    pub fn next(
        &mut self,
        most: u64,
        effort: u64,
        native: &mut Native,
        are_wanted: bool,
    ) -> Option<(Vec<u32>, u64, Vec<Case>)> {
        if !self.is_ahead {
            self.advance(native, effort);
        }
        if !self.is_ahead {
            return None;
        }
        let path = self.cursor.path();
        let (mut len, mut made, before) = (0, Vec::new(), native.work().1);
        while self.is_ahead && len < most.min(LONGEST_PIECE) && native.work().1 - before <= effort {
            if are_wanted {
                made.push(Case { args: self.cursor.values().to_vec(), beyond: None });
            }
            len += 1;
            self.is_ahead = false;
            self.advance(native, effort);
        }
        self.n_dealt += len;
        Some((path, len, made))
    }

    fn advance(&mut self, native: &mut Native, effort: u64) {
        if self.is_over || self.is_lost() {
            return;
        }
        let effort = effort.min(STEP_EFFORT);
        match native.advance_within(&mut self.cursor, effort) {
            Ok(found) => {
                self.in_vain = 0;
                (self.is_ahead, self.is_over) = (found, !found);
            }
            Err(_) => self.in_vain += effort,
        }
    }
}
