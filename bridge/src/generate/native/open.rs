//! The remaining members of a class: by number, spread over the class, or along a walk. Both have the same order, so
//! numbers can continue where a walk stopped.

use target_strategies::logic::int::Int;
use target_strategies::native::{Cursor, Native};

use crate::generate::Case;

/// Logarithm of the number of blocks of a class with more members than may run.
const BLOCK_BITS: u32 = 6;

/// Number of members of each block in the first pass.
const FIRST_PASS: u64 = 16;

/// Factor by which each pass produces more members than the pass before.
const GROWTH: u64 = 4;

/// The members of a counted class, block by block.
///
/// If all may run, there is one block. Otherwise a few members of each block come first, with the blocks in the order
/// of their reversed bits (0, 32, 16, 48, 8, ..), then more of each: neighbours are alike, so cases are spread.
pub struct Numbered {
    /// Number of members produced by the walk; the numbers here start after them.
    pub first: u64,
    total: u128,
    is_cut: bool,
    bits: u32,
    pass: u32,
    /// The current block, in the order of production.
    turn: u64,
    /// Number of members of the block produced in this pass.
    taken: u64,
}

impl Numbered {
    /// All members of a class after the first `first`. They are spread if there are more than `cases`.
    pub fn new(total: &Int, first: u64, cases: u64) -> Numbered {
        let numbers = total.to_u128();
        let total = numbers.unwrap_or(u128::MAX).saturating_sub(first.into());
        let bits = if total > u128::from(cases) && total >= 1 << (BLOCK_BITS + 4) { BLOCK_BITS } else { 0 };
        Numbered { first, total, is_cut: numbers.is_none(), bits, pass: 0, turn: 0, taken: 0 }
    }

    /// Whether there are more members than numbers.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether all members were produced.
    pub fn is_over(&self) -> bool {
        self.bits == 0 && u128::from(self.taken) >= self.total
            || self.bits > 0 && u128::from(self.before(self.pass)) >= self.block(0).1
    }

    /// At most this many members: the first number of their block, their offset in the block, and how many they are.
    pub fn next(&mut self, most: u64) -> Option<(u128, u64, u64)> {
        if self.bits == 0 {
            let left = u64::try_from(self.total - u128::from(self.taken)).unwrap_or(u64::MAX);
            let len = left.min(most);
            let start = self.taken;
            self.taken += len;
            return (len > 0).then_some((self.first.into(), start, len));
        }
        loop {
            if self.is_over() {
                return None;
            }
            let (first, block_len) = self.block(self.turn.reverse_bits() >> (64 - self.bits));
            let start = self.before(self.pass).saturating_add(self.taken);
            let share = self.before(self.pass + 1).saturating_sub(start);
            let left = u64::try_from(block_len.saturating_sub(start.into())).unwrap_or(u64::MAX);
            let len = share.min(left).min(most);
            if len > 0 {
                self.taken += len;
                return Some((u128::from(self.first) + first, start, len));
            }
            self.taken = 0;
            self.turn += 1;
            if self.turn == 1 << self.bits {
                self.turn = 0;
                self.pass += 1;
            }
        }
    }

    /// The first number of a block, and its number of members; no block is longer than the first.
    fn block(&self, block: u64) -> (u128, u128) {
        let (each, more) = (self.total >> self.bits, self.total % (1 << self.bits));
        let block = u128::from(block);
        (block * each + block.min(more), each + u128::from(block < more))
    }

    /// Number of members of a block produced before a pass.
    fn before(&self, pass: u32) -> u64 {
        (0..pass)
            .map(|pass| FIRST_PASS.saturating_mul(GROWTH.saturating_pow(pass)))
            .fold(0, u64::saturating_add)
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
const LONGEST: u64 = 1024;

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

    /// Whether the search for the next member took too many choices.
    pub fn is_lost(&self) -> bool {
        self.in_vain >= if self.n_dealt == 0 { super::SEARCH_EFFORT } else { super::MORE_EFFORT }
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
            self.advance(native);
        }
        if !self.is_ahead {
            return None;
        }
        let path = self.cursor.path();
        let (mut len, mut made, before) = (0, Vec::new(), native.work().1);
        while self.is_ahead && len < most.min(LONGEST) && native.work().1 - before <= effort {
            if are_wanted {
                made.push(Case { args: self.cursor.values().to_vec(), boundary: false });
            }
            len += 1;
            self.is_ahead = false;
            self.advance(native);
        }
        self.n_dealt += len;
        Some((path, len, made))
    }

    fn advance(&mut self, native: &mut Native) {
        if self.is_over || self.is_lost() {
            return;
        }
        match native.advance_within(&mut self.cursor, STEP_EFFORT) {
            Ok(found) => {
                self.in_vain = 0;
                (self.is_ahead, self.is_over) = (found, !found);
            }
            Err(_) => self.in_vain += STEP_EFFORT,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn all(total: u64, cases: u64, most: u64) -> (Vec<u64>, usize) {
        let mut numbered = Numbered::new(&Int::from(total), 0, cases);
        let mut numbers = Vec::new();
        let mut pieces = 0;
        while let Some((first, start, len)) = numbered.next(most) {
            assert!(len <= most);
            pieces += 1;
            numbers.extend((0..len).map(|at| first as u64 + start + at));
        }
        assert!(numbered.is_over());
        (numbers, pieces)
    }

    #[test]
    fn every_number_comes_once_however_it_is_cut() {
        for (total, cases, most) in
            [(1, 10, 5), (10, 10, 3), (10_001, 10_000, 64), (123_457, 1000, 999), (1024, 5, 4)]
        {
            let (numbers, _) = all(total, cases, most);
            let distinct: BTreeSet<u64> = numbers.iter().copied().collect();
            assert_eq!(
                (numbers.len() as u64, distinct.len() as u64),
                (total, total),
                "{total} {cases} {most}"
            );
            assert_eq!((distinct.first(), distinct.last()), (Some(&0), Some(&(total - 1))));
        }
    }

    #[test]
    fn what_can_not_all_be_run_is_spread_and_begins_with_the_first() {
        let (numbers, _) = all(1 << 20, 1000, 64);
        let block = (1 << 20) / 64;
        let starts: Vec<u64> = numbers.iter().step_by(16).take(4).map(|number| number / block).collect();
        assert_eq!(numbers[..3], [0, 1, 2]);
        assert_eq!(starts, [0, 32, 16, 48]);
        assert_eq!(all(1000, 1000, 64).0, (0..1000).collect::<Vec<u64>>());
    }
}
