//! The enumerative baseline: every member of the space, produced as ranges that the child makes itself.
//!
//! It works in rounds, so that big skeletons come before the end of huge small ones: round `r` produces at most `64 *
//! 16^r` more members of each skeleton. Only a window of unfinished skeletons is kept; it is finished before the next
//! opens.

use std::collections::VecDeque;

use target_strategies::baseline::enumerative::{Members, Range};
use target_strategies::space::{Skeleton, Skeletons, Space};

use super::{Batch, End, Generator, Step};

/// Number of members of a skeleton produced in the first round.
const FIRST_ROUND: u64 = 64;

/// Factor by which each round produces more members than the round before.
const GROWTH: u64 = 16;

/// Number of skeletons that take turns until all of them are finished.
const WINDOW: usize = 4096;

/// Maximum number of members of a batch, so that work can be shared.
const LONGEST_BATCH: u64 = 8192;

/// Maximum number of ranges of a batch.
const MOST_RANGES: usize = 128;

/// Produces the whole space.
pub struct Enumerative {
    space: Space,
    skeletons: Skeletons,
    round: u32,
    n_opened: usize,
    current: Option<Open>,
    /// Skeletons with members left to produce in this round.
    open: VecDeque<Open>,
    /// Skeletons to continue in the next round.
    later: VecDeque<Open>,
    /// A skeleton has more members than can be numbered.
    is_beyond_numbers: bool,
}

/// A skeleton that produces members.
struct Open {
    skeleton: Skeleton,
    /// Number of members produced.
    start: u64,
    /// Number of members.
    len: u64,
    /// Number of members that this round may still produce.
    quota: u64,
}

impl Enumerative {
    /// All members of a space.
    pub fn new(space: Space) -> Enumerative {
        Enumerative {
            skeletons: space.skeletons(),
            space,
            round: 0,
            n_opened: 0,
            current: None,
            open: VecDeque::new(),
            later: VecDeque::new(),
            is_beyond_numbers: false,
        }
    }

    /// The next skeleton of this round.
    fn next_open(&mut self) -> Option<Open> {
        if self.round > 0 {
            let quota = GROWTH.saturating_pow(self.round).saturating_mul(FIRST_ROUND);
            return self.open.pop_front().map(|open| Open { quota, ..open });
        }
        if self.n_opened == WINDOW {
            return None;
        }
        let skeleton = self.skeletons.next()?;
        self.n_opened += 1;
        let len = Members::new(&self.space, &skeleton).len();
        self.is_beyond_numbers |= len.is_none();
        Some(Open { skeleton, start: 0, len: len.unwrap_or(u64::MAX), quota: FIRST_ROUND })
    }

    /// Starts the next round; `None` if this was the last.
    fn next_round(&mut self) -> Option<()> {
        if !self.later.is_empty() {
            self.round = self.round.saturating_add(1);
            self.open = std::mem::take(&mut self.later);
            return Some(());
        }
        // Only after a full window can more skeletons follow.
        if self.n_opened < WINDOW {
            return None;
        }
        self.round = 0;
        self.n_opened = 0;
        Some(())
    }

    /// The next range, of at most this many members; `None` after the last.
    fn next_range(&mut self, longest: u64) -> Option<Range> {
        loop {
            if let Some(open) = &mut self.current {
                let len = longest.min(open.quota).min(open.len - open.start);
                if len > 0 {
                    let start = open.start;
                    open.start += len;
                    open.quota -= len;
                    return Some(Range { skeleton: open.skeleton.clone(), start, len });
                }
                self.later.extend(self.current.take().filter(|open| open.start < open.len));
            }
            self.current = self.next_open();
            if self.current.is_none() {
                self.next_round()?;
            }
        }
    }
}

impl Generator for Enumerative {
    fn step(&mut self) -> Step {
        let mut ranges = Vec::new();
        let mut room = LONGEST_BATCH;
        while room > 0
            && ranges.len() < MOST_RANGES
            && let Some(range) = self.next_range(room)
        {
            room -= range.len;
            ranges.push(range);
        }
        if !ranges.is_empty() {
            return Step::Batch(Batch::Ranges(ranges));
        }
        Step::End(if self.is_beyond_numbers {
            End::Unknown(vec!["a shape has more members than can be numbered".to_owned()])
        } else {
            End::Exhausted
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use target_strategies::logic::ir::{IntKind, Param, Refined, SeqKind, Sort, Spec};
    use target_strategies::space::Bounds;

    use super::*;

    /// The space of parameters of these sorts.
    pub fn space(sorts: Vec<Sort>, depth: u32, bound: u32) -> Space {
        let param = |sort| Param { name: String::new(), refined: Refined::plain(sort), mutable: false };
        let spec = Spec {
            name: String::new(),
            params: sorts.into_iter().map(param).collect(),
            data: Vec::new(),
            callbacks: Vec::new(),
            functions: Vec::new(),
            regexes: Vec::new(),
            requires: Vec::new(),
            explore: Vec::new(),
            result: Refined::plain(Sort::Bool),
            ensures: Vec::new(),
            panics_if: None,
            displayed: Vec::new(),
            literals: Vec::new(),
            examples: Vec::new(),
        };
        Space::new(Arc::new(spec), Bounds { depth, bound })
    }

    fn seq(sort: Sort) -> Sort {
        Sort::Seq(Box::new(Refined::plain(sort)), SeqKind::Vec)
    }

    #[test]
    fn every_member_is_dealt_once_in_growing_rounds() {
        let space = space(vec![seq(Sort::Int(IntKind::I64)), Sort::Bool], 4, 4);
        let mut generator = Enumerative::new(space.clone());
        let (mut seen, mut dealt, mut first) = (HashSet::new(), 0, Vec::new());
        while let Step::Batch(Batch::Ranges(ranges)) = generator.step() {
            assert!(ranges.iter().map(|range| range.len).sum::<u64>() <= LONGEST_BATCH);
            for Range { skeleton, start, len } in ranges {
                first.push(len);
                dealt += len;
                let members = Members::new(&space, &skeleton).len().expect("few");
                assert!(start + len <= members);
                assert!(seen.insert((skeleton, start)));
            }
        }
        assert_eq!(first[..5], [2, 18, 64, 64, 64]);
        assert_eq!(dealt, 2 * (1 + 9 + 81 + 729 + 6561));
    }

    #[test]
    fn more_shapes_than_a_window_are_all_dealt() {
        let units = || seq(seq(Sort::Tuple(Vec::new())));
        let space = space(vec![units(), units()], 3, 0);
        let n = space.n_skeletons().expect("countable");
        assert!(n > WINDOW as u128);
        let mut generator = Enumerative::new(space);
        let mut dealt = 0;
        let end = loop {
            match generator.step() {
                Step::Batch(Batch::Ranges(ranges)) => {
                    dealt += ranges.iter().map(|range| u128::from(range.len)).sum::<u128>();
                }
                Step::Batch(Batch::Cases(_) | Batch::Listed(_)) => panic!("only ranges"),
                Step::Reached(_) | Step::Beyond(_) => panic!("cases of the space alone"),
                Step::End(end) => break end,
            }
        };
        assert_eq!((dealt, end), (n, End::Exhausted));
    }
}
