//! A space with chosen values for the scalars, to sample from.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::source::Source;
use crate::dice::Dice;
use crate::logic::value::Value;
use crate::native::{Class, Native, Reuse};
use crate::space::{Bounds, Candidates, Space};

/// Maximum number of choices for an input of size 0, and more for each unit of size.
const EFFORT: (u64, u64) = (200, 20);

/// Maximum bound for the usual values of a block.
const MOST_USUAL: u32 = 64;

/// Number of sizes without an input after which the next one that is tried is half as large.
const MOST_EMPTY: u32 = 4;

/// Number of sizes to which walks that take long are limited.
const N_SOME: usize = 4;

/// A space to sample from.
pub(super) struct Block {
    /// The space, in which the scalars have the chosen values.
    pub space: Space,
    native: Native,
    source: Source,
    dice: Dice,
    /// The least size of an input.
    least: u64,
    /// Numbers of elements more than the least: sizes that are tried first.
    more: RangeInclusive<u64>,
    /// Some of them, for walks that take long: those of one size have most choices in common.
    some: [u64; N_SOME],
    /// Sizes that no input has.
    empty: HashSet<u64>,
    /// The index of the next sample.
    next: u64,
    /// Number of inputs for which the engine found none of the size that was tried first.
    pub n_given_up: u32,
    /// Number of inputs that are smaller than asked for.
    pub n_too_small: u32,
}

impl Block {
    /// The block with these values for the scalars, and inputs with so many elements more than the least, if there are any.
    pub fn new(
        space: &Space,
        source: Source,
        candidates: Arc<dyn Candidates>,
        (depth, more): (u32, RangeInclusive<u64>),
        mut dice: Dice,
    ) -> Block {
        // Of the usual values, a block takes a few small ones.
        let bounds = Bounds { bound: space.bounds().bound.min(MOST_USUAL), depth };
        let space = Space::with_candidates(space.spec().clone(), bounds, candidates);
        let sizes = space.sizes();
        let least = *sizes.start();
        let room = sizes.end().saturating_sub(least);
        let more = *more.start().min(&room)..=*more.end().min(&room);
        let room = u128::from(more.end().saturating_sub(*more.start())) + 1;
        let some = [(); N_SOME].map(|()| more.start() + dice.below(room).unwrap_or(0) as u64);
        Block {
            native: Native::new(&space),
            space,
            source,
            dice,
            least,
            more,
            some,
            empty: HashSet::new(),
            next: 0,
            n_given_up: 0,
            n_too_small: 0,
        }
    }

    /// Whether inputs may differ in size.
    pub fn has_sizes(&self) -> bool {
        self.more.end() > &0
    }

    /// An input. Where the engine finds none of a size, it tries a smaller one.
    pub fn sample(&mut self, reuse: Reuse) -> Option<Vec<Value>> {
        let (from, to) = (*self.more.start(), *self.more.end());
        let room = u128::from(to.saturating_sub(from)) + 1;
        let mut more = match reuse {
            Reuse::Often => self.some[self.dice.index(N_SOME)],
            Reuse::Rare | Reuse::Never => from + self.dice.below(room)? as u64,
        };
        if self.source == Source::Boundary {
            more = more.min(from + self.dice.below(room)? as u64);
        }
        let first = more;
        let mut n_empty = 0;
        loop {
            if self.empty.contains(&more) && more > 0 {
                more -= 1;
                continue;
            }
            let dice = Dice::new(self.dice.next_u64(), self.next);
            self.next += 1;
            let class = Class::Size(self.least + more);
            let found = self.native.walk(class, dice, reuse, EFFORT.0 + more * EFFORT.1);
            self.n_given_up += u32::from(found.is_err() && more == first);
            let is_empty = matches!(found, Ok(None));
            if is_empty {
                self.empty.insert(more);
                n_empty += 1;
            }
            match found {
                Ok(Some(args)) => {
                    self.n_too_small += u32::from(more < from);
                    return Some(args);
                }
                Ok(None) | Err(_) if more == 0 => return None,
                // The next size may have inputs: two lists of the same length have an even number of elements.
                Ok(None) | Err(_) => {
                    more = if more < 4 || is_empty && n_empty < MOST_EMPTY { more - 1 } else { more / 2 };
                }
            }
        }
    }
}
