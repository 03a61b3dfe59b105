//! Structures with small numbers, planned once, that get other numbers ([`relabel`](super::relabel)).

use std::sync::Arc;

use super::block::Block;
use super::boundary::Boundary;
use super::duplicate;
use super::large::Ranks;
use super::relabel::Relabel;
use super::source::{LARGEST, Source, bounds_of};
use crate::cancel;
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::value::Value;
use crate::space::Space;

/// Maximum number of steps for a structure, some tens of milliseconds. What the engine has found helps to find the next.
const MOST_STEPS: u64 = 400_000;

/// Number of steps that an input counts for, and more for each scalar and node of the spec's terms: to replace the scalars, and to
/// judge the input.
const STEPS: u64 = 50;

/// Number of elements that the largest structure of each block has beyond the usual ones.
const SIZES: [u64; 4] = [0, 9, 24, LARGEST];

/// One of this many large structures keeps its small numbers, and one of this many inputs has a part twice.
const UNCHANGED: usize = 3;
const DUPLICATED: usize = 5;

/// How often structures with these numbers of elements are tried.
const SHARES: [usize; SIZES.len()] = [1, 2, 4, 2];

/// The largest of these that is tried first.
const FIRST_SIZE: usize = 2;

/// Number of inputs after which larger or smaller structures are tried.
const WINDOW: u32 = 8;

/// Number of structures after which a block is planned again. It limits memory.
const LIFE: u32 = 1000;

/// Number of structures from which it is found out whether they can be relabelled.
const SAMPLES: usize = 4;

/// Number of consecutive structures without a new input after which no more are tried.
const MOST_FRUITLESS: u32 = 32;

/// Number of integers more than elements, with which structures are planned.
const MORE_RANKS: u64 = 3;

/// Number of integers of structures in which most scalars are equal to others, as names in a program are.
const FEW_RANKS: u64 = 4;

/// One of this many structures has so few integers, unless the engine finds none of the first of them.
const FEW: usize = 3;
const MOST_FEW_IN_VAIN: u32 = 4;

/// Inputs made of structures, on request.
pub(super) struct Structures {
    space: Space,
    source: Source,
    seed: u64,
    boundary: Arc<Boundary>,
    state: State,
    /// By index into [`SIZES`], each with the number of its structures.
    blocks: [Option<(Block, u32)>; SIZES.len()],
    /// The blocks with few integers.
    few: [Option<(Block, u32)>; SIZES.len()],
    /// Number of consecutive structures with few integers for which the engine gave up the size.
    n_few_in_vain: u32,
    /// By index into [`SIZES`], the steps taken and the number of attempts.
    spent: [(u64, u64); SIZES.len()],
    dice: Dice,
    /// Number of consecutive attempts without a new input.
    n_fruitless: u32,
    /// Number of attempts since the last change of the reach, and number of those for which the engine gave up a size.
    window: (u32, u32),
    /// Index into [`SIZES`] that structures may reach.
    reach: usize,
    /// Steps that planning a block counts for, and nodes of the spec's terms.
    costs: (u64, u64),
    work: u64,
}

/// Whether structures can be relabelled.
enum State {
    Untried,
    Possible(Box<Relabel>),
    /// Structures are inputs as they are.
    Unchanged,
    Over,
}

impl Structures {
    /// Nothing is planned yet. `costs` are the steps that planning counts for, and the number of nodes of the spec's terms.
    pub fn new(
        space: &Space,
        source: Source,
        seed: u64,
        boundary: &Arc<Boundary>,
        costs: (u64, u64),
    ) -> Structures {
        Structures {
            space: space.clone(),
            source,
            seed,
            boundary: Arc::clone(boundary),
            state: State::Untried,
            blocks: Default::default(),
            few: Default::default(),
            n_few_in_vain: 0,
            spent: Default::default(),
            dice: Dice::new(seed, u64::MAX),
            n_fruitless: 0,
            window: (0, 0),
            reach: FIRST_SIZE,
            costs,
            work: 0,
        }
    }

    /// Whether structures can't be relabelled, or give nothing new.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// Work so far, in steps ([`cancel::steps`]).
    pub fn work(&self) -> u64 {
        self.work
    }

    /// An input that satisfies the spec, if this attempt makes one. The first attempt finds out whether structures can be
    /// relabelled. Of the sizes, only those are tried that take no more than `affordable` steps on average, or the smallest.
    pub fn next(&mut self, affordable: u64) -> Option<Vec<Value>> {
        let before = cancel::steps();
        let structure = self.structure(affordable);
        self.work += cancel::steps() - before;
        let structure = structure?;
        // A large structure is worth a try with its small numbers, which are close to each other.
        let may_stay = self.source == Source::Large;
        let (input, n_scalars) = match &mut self.state {
            State::Possible(_) if may_stay && self.dice.index(UNCHANGED) == 0 => (None, 0),
            State::Possible(relabel) => relabel.relabelled(&structure, &mut self.dice),
            State::Untried | State::Unchanged | State::Over => (None, 0),
        };
        self.work += STEPS + n_scalars * (4 + self.costs.1 / 4);
        let unchanged = || Some(structure).filter(|args| may_stay && admits(self.space.spec(), args));
        let input = input.or_else(unchanged)?;
        let copied = if self.dice.index(DUPLICATED) == 0 { self.duplicated(&input) } else { None };
        Some(copied.unwrap_or(input))
    }

    /// An input with a part of another one twice, if the spec admits it.
    fn duplicated(&mut self, input: &[Value]) -> Option<Vec<Value>> {
        self.work += STEPS + self.costs.1;
        duplicate::duplicated(self.space.spec(), input, &mut self.dice)
    }

    /// Told whether the last attempt gave an input that is new.
    pub fn note(&mut self, is_new: bool) {
        self.n_fruitless = if is_new { 0 } else { self.n_fruitless + 1 };
        if self.n_fruitless == MOST_FRUITLESS {
            self.state = State::Over;
        }
    }

    /// A structure, if this attempt finds one.
    fn structure(&mut self, affordable: u64) -> Option<Vec<Value>> {
        let at = match (&self.state, self.source) {
            (State::Possible(_) | State::Unchanged, Source::Large) => self.picked_size(affordable),
            (_, Source::Boundary) | (State::Untried | State::Over, _) => 0,
        };
        let is_free = matches!(self.state, State::Possible(_) | State::Unchanged);
        let is_few = is_free && self.n_few_in_vain < MOST_FEW_IN_VAIN && self.dice.index(FEW) == 0;
        let kept = if is_few { self.few[at].take() } else { self.blocks[at].take() };
        let kept = kept.filter(|(_, n_made)| *n_made < LIFE);
        if kept.is_none() {
            self.work += self.costs.0;
        }
        let is_untried = matches!(self.state, State::Untried);
        let before = cancel::steps();
        let made = cancel::within_steps(MOST_STEPS, || {
            let (mut block, n_made) = kept.unwrap_or_else(|| (self.planned(at, is_few), 0));
            if is_untried {
                self.state = self.learned(&mut block);
            }
            let before = block.n_given_up;
            let structure = block.sample();
            let has_given_up = block.n_given_up > before;
            ((block, n_made + 1), structure, has_given_up)
        });
        let (steps, n_attempts) = &mut self.spent[at];
        (*steps, *n_attempts) = (*steps + cancel::steps() - before, *n_attempts + 1);
        let Some((block, structure, has_given_up)) = made else {
            self.reach = self.reach.min(at.saturating_sub(1));
            if is_untried {
                // Even the smallest take too long.
                self.state = State::Over;
            }
            return None;
        };
        if is_few {
            self.few[at] = Some(block);
            self.n_few_in_vain = if has_given_up { self.n_few_in_vain + 1 } else { 0 };
        } else {
            self.blocks[at] = Some(block);
            self.look_at_window(has_given_up);
        }
        structure
    }

    /// An index into [`SIZES`], within reach.
    fn picked_size(&mut self, affordable: u64) -> usize {
        let shares = &SHARES[..=self.reach];
        let mut left = self.dice.index(shares.iter().sum());
        let is_in = |share: &usize| {
            let found = left < *share;
            left = left.saturating_sub(*share);
            found
        };
        let picked = shares.iter().position(is_in).unwrap_or(0);
        let is_affordable = |at: &usize| self.spent[*at].0 / self.spent[*at].1.max(1) <= affordable;
        (0..=picked).rfind(is_affordable).unwrap_or(0)
    }

    fn look_at_window(&mut self, has_given_up: bool) {
        let (n_attempts, n_given_up) = &mut self.window;
        *n_attempts += 1;
        *n_given_up += u32::from(has_given_up);
        if *n_attempts >= WINDOW {
            let is_hard = 2 * *n_given_up > *n_attempts;
            self.reach =
                if is_hard { self.reach.saturating_sub(1) } else { (self.reach + 1).min(SIZES.len() - 1) };
            self.window = (0, 0);
        }
    }

    /// Whether the structures of a block can be relabelled.
    fn learned(&self, block: &mut Block) -> State {
        let samples: Vec<Vec<Value>> =
            (0..4 * SAMPLES).filter_map(|_| block.sample()).take(2 * SAMPLES).collect();
        let mut dice = self.dice.clone();
        match Relabel::learn(&block.space, self.source, &self.boundary, &samples, &mut dice) {
            Some(relabel) => State::Possible(Box::new(relabel)),
            None if self.source == Source::Large => State::Unchanged,
            None => State::Over,
        }
    }

    /// The block of structures of a size, by index into [`SIZES`]: with more elements than those of the size before.
    fn planned(&self, at: usize, is_few: bool) -> Block {
        let more = SIZES[at];
        let bounds = bounds_of(&self.space, self.source, more);
        let from =
            at.checked_sub(1).map_or(0, |smaller| bounds_of(&self.space, self.source, SIZES[smaller]).1 + 1);
        let constants = Arc::clone(self.boundary.constants());
        let n = if is_few { FEW_RANKS } else { bounds.1 + MORE_RANKS };
        let candidates = Arc::new(Ranks { n, constants });
        let dice = Dice::new(self.seed, u64::MAX - 1 - 2 * more - u64::from(is_few));
        Block::new(&self.space, self.source, candidates, (bounds.0, from..=bounds.1), dice, true)
    }
}
