//! Valid inputs outside the space: extreme values ([`boundary`]), and larger structures and magnitudes ([`large`]).
//!
//! Such inputs come in blocks. A block is a space of the same spec with other values for the scalars, and for large
//! inputs with a greater depth. The native engine walks it with random choices, so the members satisfy the spec, and
//! relations between scalars are propagated as in any space. A block has few values, so that equal and related
//! scalars are likely.
//!
//! The cost is bounded by counted work, so the sequence of inputs depends on the spec and the seed only.

pub mod boundary;
mod constants;
mod large;

use std::collections::HashSet;
use std::sync::Arc;

use crate::cancel;
use crate::dice::Dice;
use crate::logic::eval::{Admission, Judge};
use crate::logic::ir::{Spec, visit};
use crate::logic::value::Value;
use crate::native::{Class, Native};
use crate::space::{Bounds, Candidates, Space};
use boundary::{Boundary, Extremes};
use large::Magnitudes;

/// The kinds of inputs outside the space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Extreme values in small structures.
    Boundary,
    /// Larger structures, and values of all magnitudes.
    Large,
}

/// Minimum and maximum number of inputs sampled from a block. Where planning takes long, there are more.
const BLOCK: (u64, u64) = (8, 32);

/// Work for planning for each input of a block.
const PLAN_PER_INPUT: u64 = 500;

/// Number of consecutive blocks without a new input after which there are no more.
const MOST_DRY: u32 = 48;

/// Maximum size of a large input.
const LARGEST: u64 = 100;

/// Number of sizes of boundary cases, from the smallest.
const BOUNDARY_SIZES: u64 = 8;

/// Maximum number of choices for an input of size 0, and more for each unit of size.
const EFFORT: (u64, u64) = (200, 20);

/// Maximum number of steps ([`cancel::steps`]) for an input, some milliseconds. A block that takes more is dropped.
const MOST_STEPS: u64 = 40_000;

/// Number of steps that planning a block counts for, and more for each node of the spec's terms. Steps show only a part of it.
const PLAN_STEPS: (u64, u64) = (1_000, 20);

/// Maximum bound for the usual values of a block.
const MOST_USUAL: u32 = 64;

/// Greatest sizes of large inputs, block by block: where the engine finds most of a block, the next block is larger.
const SIZES: [u64; 9] = [0, 5, 9, 12, 17, 24, 33, 48, LARGEST];

/// The first of these that is tried.
const FIRST_SIZE: usize = 5;

/// Inputs outside a space, so that several sources have no input in common.
pub type Seen = HashSet<Vec<Value>>;

/// The inputs of a source, made on request.
pub struct Beyond {
    space: Space,
    source: Source,
    seed: u64,
    boundary: Arc<Boundary>,
    /// Number of blocks begun.
    n_blocks: u64,
    block: Option<Block>,
    /// Whether the current block had no new input so far.
    is_dry: bool,
    /// Number of consecutive blocks without a new input.
    n_dry: u32,
    /// Index into [`SIZES`] that blocks may reach.
    reach: usize,
    /// Steps ([`cancel::steps`]) spent so far.
    work: u64,
    /// Steps that planning a block counts for.
    plan_work: u64,
}

/// A space to sample from.
struct Block {
    native: Native,
    dice: Dice,
    n_inputs: u32,
    n_left: u32,
    /// The sizes of its inputs.
    sizes: (u64, u64),
    /// The index of the next sample.
    next: u64,
    /// Number of inputs for which the engine found none of the size that was tried first.
    n_given_up: u32,
}

impl Beyond {
    /// The inputs of a source outside a space.
    pub fn new(space: &Space, source: Source, seed: u64) -> Beyond {
        Beyond {
            space: space.clone(),
            source,
            seed,
            boundary: Arc::new(Boundary::new(space.clone())),
            n_blocks: 0,
            block: None,
            is_dry: true,
            n_dry: 0,
            reach: FIRST_SIZE,
            work: 0,
            plan_work: PLAN_STEPS.0 + PLAN_STEPS.1 * n_nodes(space.spec()),
        }
    }

    /// Whether the last blocks had no new input.
    pub fn is_over(&self) -> bool {
        self.n_dry >= MOST_DRY
    }

    /// Work so far, in steps ([`cancel::steps`]).
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The next input that is not among those seen; it is added to them. It may be `None` though more follow: each call
    /// does limited work.
    pub fn next_case(&mut self, seen: &mut Seen) -> Option<Vec<Value>> {
        if self.is_over() {
            return None;
        }
        let before = cancel::steps();
        let block = self.block.take();
        // A stop leaves the engine of the block unusable, and nothing else.
        let sampled = cancel::within_steps(MOST_STEPS, || {
            let mut block = block.unwrap_or_else(|| self.begin());
            let args = self.sample(&mut block).filter(|args| self.is_judged(args));
            (block, args)
        });
        self.work += cancel::steps() - before;
        let Some((mut block, sampled)) = sampled else {
            self.reach = self.reach.saturating_sub(2);
            self.n_dry = if std::mem::replace(&mut self.is_dry, true) { self.n_dry + 1 } else { 0 };
            return None;
        };
        let args = sampled.filter(|args| !self.space.contains(args) && seen.insert(args.clone()));
        self.is_dry &= args.is_none();
        block.n_left -= 1;
        if block.n_left > 0 {
            self.block = Some(block);
        } else {
            self.n_dry = if std::mem::replace(&mut self.is_dry, true) { self.n_dry + 1 } else { 0 };
            let is_hard = 2 * block.n_given_up > block.n_inputs;
            self.reach =
                if is_hard { self.reach.saturating_sub(1) } else { (self.reach + 1).min(SIZES.len() - 1) };
        }
        args
    }

    /// Whether the judge decides on the arguments. A large input can take it too much work.
    fn is_judged(&self, args: &[Value]) -> bool {
        let admission = Judge::new(None).precondition(self.space.spec(), args);
        !matches!(admission, Admission::SpecError { .. })
    }

    fn begin(&mut self) -> Block {
        let number = self.n_blocks;
        self.n_blocks += 1;
        let mut dice = Dice::new(self.seed ^ self.source.salt(), number);
        // Of the usual values, a block takes a few small ones.
        let bounds = self.space.bounds();
        let bounds = Bounds { bound: bounds.bound.min(MOST_USUAL), ..bounds };
        let (candidates, depth, greatest): (Arc<dyn Candidates>, u32, u64) = match self.source {
            Source::Boundary => {
                let boundary = Arc::clone(&self.boundary);
                let extremes = Extremes { boundary, block: number, dice: dice.clone() };
                (Arc::new(extremes), bounds.depth.min(BOUNDARY_SIZES as u32), BOUNDARY_SIZES)
            }
            Source::Large => {
                let small = (1 + u64::from(bounds.depth)).min(LARGEST);
                let greatest = small + SIZES[dice.index(self.reach + 1)];
                let constants = Arc::clone(self.boundary.constants());
                let candidates = Magnitudes { constants, n_elements: greatest, dice: dice.clone() };
                (Arc::new(candidates), bounds.depth.max(greatest as u32), greatest)
            }
        };
        let space = Space::with_candidates(self.space.spec().clone(), Bounds { depth, ..bounds }, candidates);
        let sizes = space.sizes();
        let least = *sizes.start();
        let sizes = (least, (*sizes.end()).min(least.saturating_add(greatest)));
        let salt = dice.next();
        self.work += self.plan_work;
        let n_inputs = (self.plan_work / PLAN_PER_INPUT).clamp(BLOCK.0, BLOCK.1) as u32;
        Block {
            native: Native::new(&space),
            dice: Dice::new(self.seed ^ salt, number),
            n_inputs,
            n_left: n_inputs,
            sizes,
            next: 0,
            n_given_up: 0,
        }
    }

    /// An input from a block. Where the engine finds none of a size, it tries a smaller one.
    fn sample(&mut self, block: &mut Block) -> Option<Vec<Value>> {
        let (least, greatest) = block.sizes;
        let room = greatest.saturating_sub(least);
        let mut more = block.dice.below(u128::from(room) + 1)? as u64;
        if self.source == Source::Boundary {
            more = more.min(block.dice.below(u128::from(room) + 1)? as u64);
        }
        let first = more;
        loop {
            let dice = Dice::new(block.dice.next(), block.next);
            block.next += 1;
            let class = Class::Size(least + more);
            let found = block.native.walk(class, dice, EFFORT.0 + more * EFFORT.1);
            block.n_given_up += u32::from(found.is_err() && more == first);
            match found {
                Ok(Some(args)) => return Some(args),
                Ok(None) | Err(_) if more > 0 => more = if more < 4 { more - 1 } else { more / 2 },
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

/// Number of nodes of a spec's terms.
fn n_nodes(spec: &Spec) -> u64 {
    let mut n = 0;
    let bodies = spec.functions.iter().map(|function| &function.body);
    for term in spec.clauses().into_iter().map(|clause| &clause.term).chain(bodies) {
        visit(term, &mut |_| n += 1);
    }
    n
}

impl Source {
    /// Tells the random numbers of the sources apart.
    fn salt(self) -> u64 {
        match self {
            Source::Boundary => 0xB0,
            Source::Large => 0x1A,
        }
    }
}
