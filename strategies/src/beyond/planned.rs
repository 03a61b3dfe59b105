//! Structures with small numbers, planned and sampled by the engine, a block for each range of sizes.

use std::sync::Arc;

use super::block::Block;
use super::constants::Constants;
use super::large::Ranks;
use super::samples::Samples;
use super::source::{LARGEST, Source, bounds_of};
use crate::cancel;
use crate::dice::Dice;
use crate::logic::value::Value;
use crate::native::Reuse;
use crate::space::Space;

/// Maximum number of steps for a structure, some tens of milliseconds. What the engine has found helps to find the
/// next.
pub(super) const MOST_STEPS: u64 = 400_000;

/// Number of steps that a structure may take even if fewer are affordable.
const LEAST_STEPS: u64 = 40_000;

/// Number of elements that the largest structure of each block has beyond the usual ones.
const SIZES: [u64; 4] = [0, 9, 24, LARGEST];

/// How often structures with these numbers of elements are tried.
const SHARES: [usize; SIZES.len()] = [1, 2, 4, 2];

/// The largest of these that is tried first, unless structures are cheap.
const FIRST_SIZE: usize = 2;

/// How many times as much a structure of each size takes as one of the first, until it is known. The time for a sum of sizes is quadratic.
const GROWTH: [u64; SIZES.len()] = [1, 4, 16, 400];

/// How many times as much the first structure of a block takes as a later one, about.
const FIRST_OF_LATER: u64 = 4;

/// Number of steps for a structure that are worth taking, even if there are cheaper ways.
pub(super) const CHEAP: u64 = 6_000;

/// Maximum number of steps of a structure of a size that is not affordable yet for which twice as many are saved, and the percentage of such
/// structures.
const MOST_SAVED: u64 = 150_000;
const SAVED: u64 = 50;

/// Maximum number of attempts that give nothing, while steps are saved for a structure.
const MOST_WAITS: u32 = 16;

/// Number of structures after which larger or smaller ones are tried.
const WINDOW: u32 = 8;

/// Number of structures after which a block is planned again. It limits memory.
const LIFE: u32 = 1000;

/// Number of integers more than elements, with which structures are planned.
const MORE_RANKS: u64 = 3;

/// Number of integers of structures in which most scalars are equal to others, as names in a program are.
const FEW_RANKS: u64 = 4;

/// Number of steps for a structure that are many.
const EXPENSIVE: u64 = 4 * CHEAP;

/// Percentage of structures with so few integers, unless the engine finds none of the first of them: usually, and where
/// scalars only matter as names.
const FEW: u64 = 33;
const FEW_NAMES: u64 = 60;
const MOST_FEW_IN_VAIN: u32 = 2;

/// The largest size of the first structures with few integers, by index into [`SIZES`]. If many integers must differ, there are none.
const FIRST_FEW: usize = 1;

/// Structures of all sizes, on request.
pub(super) struct Planned {
    space: Space,
    source: Source,
    seed: u64,
    constants: Arc<Constants>,
    /// By index into [`SIZES`], each with the number of its structures.
    blocks: [Option<(Block, u32)>; SIZES.len()],
    /// The blocks with few integers.
    few: [Option<(Block, u32)>; SIZES.len()],
    /// Percentage of structures with few integers.
    few_percentage: u64,
    /// Index into [`SIZES`] that those may reach; `None` if the engine gave up the smallest.
    few_reach: Option<usize>,
    /// Whether some of them were smaller than asked for.
    few_are_small: bool,
    /// Number of consecutive ones of that size that it gave up.
    n_few_in_vain: u32,
    /// Whether all scalars of a structure seem to differ, so that they can't be few.
    is_strict: bool,
    /// By index into [`SIZES`], the steps that the next attempt may take, judged by those before.
    expected: [u64; SIZES.len()],
    /// Whether that is a guess: there was no attempt yet.
    is_guess: [bool; SIZES.len()],
    /// Number of attempts since the last change of the reach, and number of those for which the engine gave up a size.
    window: (u32, u32),
    /// Index into [`SIZES`] that structures may reach, and the greatest one that it may become.
    reach: usize,
    most: usize,
    /// Index into [`SIZES`] of the structures that steps are saved for.
    saving_for: Option<usize>,
    /// Number of attempts that gave nothing for it, and whether the last attempt is one.
    n_waits: u32,
    has_waited: bool,
    /// Steps that planning a block counts for.
    cost: u64,
    work: u64,
}

impl Planned {
    /// Nothing is planned yet. Planning a block counts for `cost` steps.
    pub(super) fn new(
        space: &Space,
        source: Source,
        seed: u64,
        constants: &Arc<Constants>,
        cost: u64,
    ) -> Planned {
        Planned {
            space: space.clone(),
            source,
            seed,
            constants: Arc::clone(constants),
            blocks: Default::default(),
            few: Default::default(),
            few_percentage: FEW,
            few_reach: Some(FIRST_FEW),
            few_are_small: false,
            n_few_in_vain: 0,
            is_strict: false,
            expected: Default::default(),
            is_guess: [true; SIZES.len()],
            window: (0, 0),
            reach: FIRST_SIZE,
            most: SIZES.len() - 1,
            saving_for: None,
            n_waits: 0,
            has_waited: false,
            cost,
            work: 0,
        }
    }

    /// Work so far, in steps ([`cancel::steps`]).
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Takes note of the samples, and begins with their block. They count as work of two sources.
    pub(super) fn begin(&mut self, samples: &Samples) {
        self.work += (self.cost + samples.steps) / 2;
        let Some(drawn) = &samples.drawn else { return };
        let each = samples.steps / (drawn.structures.len() as u64).max(1);
        // Larger ones take longer. How much so is an estimate, until they are planned.
        self.expected = std::array::from_fn(|at| each * GROWTH[at]);
        if self.is_cheap() {
            self.reach = self.most;
        }
        if self.source == Source::Large {
            self.blocks[0] = drawn.take_block().map(|block| (block, 0));
        }
    }

    /// Whether structures of the usual sizes are expected to take few steps.
    pub(super) fn is_cheap(&self) -> bool {
        self.expected[FIRST_SIZE] <= CHEAP
    }

    /// Whether even the smallest structures are expected to take many steps.
    pub(super) fn is_expensive(&self) -> bool {
        self.expected[0] >= EXPENSIVE
    }

    /// From now on, structures of all sizes are planned.
    pub(super) fn grow(&mut self) {
        (self.reach, self.most, self.saving_for) = (FIRST_SIZE, SIZES.len() - 1, None);
    }

    /// Takes note of whether all scalars of a structure differ.
    pub(super) fn note_strict(&mut self, is_strict: bool) {
        self.is_strict = is_strict;
    }

    /// From now on, only the smallest structures are planned, because larger ones come from elsewhere.
    pub(super) fn stay_small(&mut self) {
        (self.reach, self.most, self.saving_for) = (0, 0, None);
    }

    /// From now on, most structures have few integers, because it only matters which are equal.
    pub(super) fn prefer_few(&mut self) {
        self.few_percentage = FEW_NAMES;
    }

    /// A structure, if this attempt finds one. Of the sizes, only those are tried that take no more than `affordable`
    /// steps, or the smallest. If it `may_wait`, some attempts give nothing, to save steps for a larger one.
    pub(super) fn next(&mut self, affordable: u64, may_wait: bool, dice: &mut Dice) -> Option<Vec<Value>> {
        let picked = match self.source {
            Source::Large => self.picked_size(affordable, may_wait, dice),
            Source::Boundary => Some(0),
        };
        self.has_waited = picked.is_none();
        let at = picked?;
        let is_few = !self.is_strict && dice.percent(self.few_percentage);
        // Where many must differ, there are none with few.
        match self.few_reach.filter(|reach| is_few && (at <= *reach || !self.few_are_small)) {
            Some(reach) => self.sampled(at.min(reach), true, affordable),
            None => self.sampled(at, false, affordable),
        }
    }

    /// A structure of the largest usual size that takes no more than `affordable` steps, if this attempt finds one.
    pub(super) fn largest(&mut self, affordable: u64) -> Option<Vec<Value>> {
        let at = (0..=self.reach.min(FIRST_SIZE)).rfind(|at| self.expected[*at] <= affordable).unwrap_or(0);
        self.sampled(at, false, affordable)
    }

    /// A structure of a size, by index into [`SIZES`], if this attempt finds one. It takes at most half of the `affordable` steps, unless
    /// these are few.
    fn sampled(&mut self, at: usize, is_few: bool, affordable: u64) -> Option<Vec<Value>> {
        let kept = if is_few { self.few[at].take() } else { self.blocks[at].take() };
        let kept = kept.filter(|(_, n_made)| *n_made < LIFE);
        let is_first = kept.is_none();
        let before = cancel::steps();
        if is_first {
            self.work += self.cost;
        }
        let reuse = if self.expected[at] <= 2 * CHEAP { Reuse::Rare } else { Reuse::Often };
        let most = MOST_STEPS.min((affordable / 2).max(LEAST_STEPS));
        let made = cancel::within_steps(most, || {
            let (mut block, n_made) = kept.unwrap_or_else(|| (self.planned(at, is_few), 0));
            let before = (block.n_given_up, block.n_too_small);
            let structure = block.sample(reuse);
            let found = (block.n_given_up > before.0, block.n_too_small > before.1);
            ((block, n_made + 1), structure, found)
        });
        let steps = cancel::steps() - before;
        self.work += steps;
        // The first structure of a block takes longest, since the engine remembers parts.
        let like_later = if is_first { steps / FIRST_OF_LATER } else { steps };
        let is_guess = std::mem::take(&mut self.is_guess[at]);
        self.expected[at] = if is_guess { like_later } else { (self.expected[at] + like_later) / 2 };
        let Some((block, structure, (has_given_up, is_too_small))) = made else {
            if most < MOST_STEPS {
                self.expected[at] = self.expected[at].max(2 * most);
            } else {
                self.reach = self.reach.min(at.saturating_sub(1));
            }
            return None;
        };
        if is_few {
            self.few[at] = Some(block);
            self.few_are_small |= is_too_small;
            self.note_few(at, has_given_up || is_too_small);
        } else {
            self.blocks[at] = Some(block);
            self.look_at_window(has_given_up);
        }
        structure
    }

    /// An index into [`SIZES`], within reach.
    fn picked_size(&mut self, affordable: u64, may_wait: bool, dice: &mut Dice) -> Option<usize> {
        let saved_for = if may_wait { self.saving_for.take() } else { None };
        let saved_for = saved_for.filter(|at| *at <= self.reach);
        match saved_for {
            // An attempt takes at most half of them.
            Some(at) if 2 * self.expected[at] <= affordable => return Some(at),
            Some(at) if self.n_waits < MOST_WAITS => {
                self.n_waits += 1;
                self.saving_for = Some(at);
                return None;
            }
            Some(_) | None => {}
        }
        let shares = &SHARES[..=self.reach];
        let mut left = dice.index(shares.iter().sum());
        let is_in = |share: &usize| {
            let found = left < *share;
            left = left.saturating_sub(*share);
            found
        };
        let picked = shares.iter().position(is_in).unwrap_or(0);
        let at = (0..=picked).rfind(|at| self.expected[*at] <= affordable).unwrap_or(0);
        let wanted = (at + 1..=picked).rfind(|at| self.expected[*at] <= MOST_SAVED);
        match wanted {
            Some(wanted) if may_wait && saved_for.is_none() && dice.percent(SAVED) => {
                (self.saving_for, self.n_waits) = (Some(wanted), 0);
                None
            }
            _ => Some(at),
        }
    }

    /// Whether the last attempt gave nothing because steps are saved for a larger structure. Told once.
    pub(super) fn take_has_waited(&mut self) -> bool {
        std::mem::take(&mut self.has_waited)
    }

    fn planned(&self, at: usize, is_few: bool) -> Block {
        planned(&self.space, (self.source, at, is_few), self.seed, &self.constants)
    }

    /// Takes note of an attempt at a structure with few integers.
    fn note_few(&mut self, at: usize, has_given_up: bool) {
        if self.few_reach != Some(at) {
            return;
        }
        if !has_given_up {
            self.n_few_in_vain = 0;
            self.few_reach = Some((at + 1).min(SIZES.len() - 1));
            return;
        }
        self.n_few_in_vain += 1;
        if self.n_few_in_vain >= MOST_FEW_IN_VAIN {
            self.n_few_in_vain = 0;
            self.few_reach = at.checked_sub(1);
        }
    }

    fn look_at_window(&mut self, has_given_up: bool) {
        let (n_attempts, n_given_up) = &mut self.window;
        *n_attempts += 1;
        *n_given_up += u32::from(has_given_up);
        if *n_attempts >= WINDOW {
            let is_hard = 2 * *n_given_up > *n_attempts;
            self.reach = if is_hard { self.reach.saturating_sub(1) } else { (self.reach + 1).min(self.most) };
            self.window = (0, 0);
        }
    }
}

/// The block of structures of a size, by index into [`SIZES`]: with more elements than those of the size before, and with few
/// integers if asked for. Another seed makes other choices.
pub(super) fn planned(
    space: &Space,
    (source, at, is_few): (Source, usize, bool),
    seed: u64,
    constants: &Arc<Constants>,
) -> Block {
    let more = SIZES[at];
    let bounds = bounds_of(space, source, more);
    let from = at.checked_sub(1).map_or(0, |smaller| bounds_of(space, source, SIZES[smaller]).1 + 1);
    let n_sizes = bounds.1 + MORE_RANKS;
    let n = if is_few { FEW_RANKS } else { n_sizes };
    let candidates = Arc::new(Ranks { n, n_sizes, constants: Arc::clone(constants) });
    let dice = Dice::new(seed, u64::MAX - 1 - 2 * more - u64::from(is_few));
    Block::new(space, source, candidates, (bounds.0, from..=bounds.1), dice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beyond::boundary::Boundary;
    use crate::logic::ir::{IntKind, Param, Refined, SeqKind, Sort, Spec};
    use crate::space::Bounds;

    #[test]
    fn steps_are_saved_for_a_larger_structure_and_then_spent() {
        let list = Sort::Seq(Box::new(Refined::plain(Sort::Int(IntKind::U8))), SeqKind::Vec);
        let param = Param { name: String::new(), refined: Refined::plain(list), mutable: false };
        let spec = Spec { params: vec![param], ..Spec::unrefined("f") };
        let space = Space::new(Arc::new(spec), Bounds { depth: 2, bound: 2 });
        let constants = Arc::clone(Boundary::new(space.clone()).constants());
        let mut planned = Planned::new(&space, Source::Large, 0, &constants, 1);
        planned.expected = [10, 10, 60_000, 1_000_000];
        let mut dice = Dice::new(0, 0);
        let len = |args: &Vec<Value>| if let Value::Seq(list) = &args[0] { list.len() } else { 0 };
        let mut made = 0;
        // Where it may not, nothing waits.
        assert!((0..100).all(|_| planned.next(50_000, false, &mut dice).is_some()));
        while !planned.take_has_waited() {
            made += usize::from(planned.next(50_000, true, &mut dice).is_some_and(|args| len(&args) < 12));
            assert!(made < 100);
        }
        // Nothing is made until there are enough steps.
        assert_eq!(planned.next(119_999, true, &mut dice), None);
        assert!(planned.take_has_waited() && !planned.take_has_waited());
        assert!(planned.next(120_000, true, &mut dice).is_some_and(|args| len(&args) > 11));
        assert!(!planned.take_has_waited());
        // It doesn't wait for ever.
        planned.expected = [10, 10, 60_000, 1_000_000];
        let waits = (0..1000).map(|_| planned.next(50_000, true, &mut dice).is_none()).collect::<Vec<_>>();
        let longest = waits.chunk_by(|a, b| a == b).filter(|run| run[0]).map(<[bool]>::len).max();
        assert_eq!(longest.map(|n| n as u32), Some(MOST_WAITS + 1));
        // For what takes very long, nothing is saved.
        planned.reach = SIZES.len() - 1;
        planned.expected = [10, 10, 10, MOST_SAVED + 1];
        assert!((0..100).all(|_| planned.next(50_000, true, &mut dice).is_some()));
    }
}
