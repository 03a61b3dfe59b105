//! A space with chosen values for the scalars, to sample from.

use std::sync::Arc;

use super::source::Source;
use crate::dice::Dice;
use crate::logic::value::Value;
use crate::native::{Class, Native};
use crate::space::{Bounds, Candidates, Space};

/// Maximum number of choices for an input of size 0, and more for each unit of size.
const EFFORT: (u64, u64) = (200, 20);

/// Maximum bound for the usual values of a block.
const MOST_USUAL: u32 = 64;

/// A space to sample from.
pub(super) struct Block {
    /// The space, in which the scalars have the chosen values.
    pub space: Space,
    native: Native,
    source: Source,
    dice: Dice,
    /// The sizes of its inputs.
    sizes: (u64, u64),
    /// The index of the next sample.
    next: u64,
    /// Number of inputs for which the engine found none of the size that was tried first.
    pub n_given_up: u32,
    /// Whether walks keep branches for later ones ([`Native::walk`]).
    keeps: bool,
}

impl Block {
    /// The block with these values for the scalars, and inputs of up to `greatest` elements more than the least.
    pub fn new(
        space: &Space,
        source: Source,
        candidates: Arc<dyn Candidates>,
        (depth, greatest): (u32, u64),
        dice: Dice,
        keeps: bool,
    ) -> Block {
        // Of the usual values, a block takes a few small ones.
        let bounds = Bounds { bound: space.bounds().bound.min(MOST_USUAL), depth };
        let space = Space::with_candidates(space.spec().clone(), bounds, candidates);
        let sizes = space.sizes();
        let least = *sizes.start();
        let sizes = (least, (*sizes.end()).min(least.saturating_add(greatest)));
        Block { native: Native::new(&space), space, source, dice, sizes, next: 0, n_given_up: 0, keeps }
    }

    /// An input. Where the engine finds none of a size, it tries a smaller one.
    pub fn sample(&mut self) -> Option<Vec<Value>> {
        let (least, greatest) = self.sizes;
        let room = greatest.saturating_sub(least);
        let mut more = self.dice.below(u128::from(room) + 1)? as u64;
        if self.source == Source::Boundary {
            more = more.min(self.dice.below(u128::from(room) + 1)? as u64);
        }
        let first = more;
        loop {
            let dice = Dice::new(self.dice.next(), self.next);
            self.next += 1;
            let class = Class::Size(least + more);
            let found = self.native.walk(class, dice, self.keeps, EFFORT.0 + more * EFFORT.1);
            self.n_given_up += u32::from(found.is_err() && more == first);
            match found {
                Ok(Some(args)) => return Some(args),
                Ok(None) | Err(_) if more > 0 => more = if more < 4 { more - 1 } else { more / 2 },
                Ok(None) | Err(_) => return None,
            }
        }
    }
}
