//! Valid inputs outside the space: extreme values ([`boundary`]), and larger structures and magnitudes ([`large`]).
//!
//! Such inputs come in blocks. A block is a space of the same spec with other values for the scalars, and for large
//! inputs with a greater depth. The native engine walks it with random choices, so the members satisfy the spec, and
//! relations between scalars are propagated as in any space. A block has few values, so that equal and related
//! scalars are likely.
//!
//! To plan a block of large structures takes long. So where the spec reads scalars only to compare them, most inputs are structures
//! with small numbers, planned once, that get new numbers in the same order ([`structures`]). The lists in large ones may get more elements
//! of one kind than of another ([`kinds`]), and texts change a little ([`edited`]).
//!
//! The cost is bounded by counted work, so the sequence of inputs depends on the spec and the seed only.

pub mod boundary;
mod block;
mod changes;
mod compared;
mod constants;
mod duplicate;
mod edited;
mod extended;
mod grown;
mod kinds;
mod large;
mod lists;
mod mixed;
mod names;
mod numbering;
mod palette;
mod planned;
mod replace;
mod relabel;
mod resized;
mod runs;
mod samples;
mod scalars;
mod source;
mod stored;
mod structures;
mod texts;
mod trials;
mod turns;
mod words;

use std::collections::HashSet;
use std::sync::Arc;

use crate::cancel;
use crate::dice::Dice;
use crate::logic::eval::{Admission, Judge};
use crate::logic::ir::{Spec, visit};
use crate::logic::value::Value;
use crate::native::Reuse;
use crate::space::{Candidates, Space};
use block::Block;
use boundary::{Boundary, Extremes};
use large::Magnitudes;
pub use samples::SharedSamples;
pub use source::Source;
use source::{LARGEST, bounds_of};
use structures::Structures;
use texts::Texts;

/// Minimum and maximum number of inputs sampled from a block. Where planning takes long, there are more.
const BLOCK: (u64, u64) = (8, 32);

/// Work for planning for each input of a block.
const PLAN_PER_INPUT: u64 = 500;

/// Number of consecutive blocks without a new input after which there are no more.
const MOST_DRY: u32 = 48;

/// Maximum number of steps ([`cancel::steps`]) for an input, some milliseconds. A block that takes more is dropped.
const MOST_STEPS: u64 = 40_000;

/// Number of steps that planning a block counts for, and more for each node of the spec's terms. Steps show only a part of it.
const PLAN_STEPS: (u64, u64) = (1_000, 20);

/// Greatest sizes of large inputs, block by block: where the engine finds most of a block, the next block is larger.
const SIZES: [u64; 9] = [0, 5, 9, 12, 17, 24, 33, 48, LARGEST];

/// The first of these that is tried.
const FIRST_SIZE: usize = 5;

/// Where structures can be relabelled, one of this many inputs still comes from a block.
const BLOCKS: u64 = 8;

/// The inputs so far, so that several sources have none in common.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    inputs: HashSet<Vec<Value>>,
    /// Whether members of the space count as new inputs, too.
    pub with_members: bool,
}

impl Seen {
    /// No inputs yet. Members of the space don't count as new.
    pub fn new() -> Seen {
        Seen::default()
    }

    /// Number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Whether an input was added.
    pub fn contains(&self, args: &[Value]) -> bool {
        self.inputs.contains(args)
    }

    /// Adds an input, and returns whether it is new.
    pub fn insert(&mut self, args: Vec<Value>) -> bool {
        self.inputs.insert(args)
    }

    /// Forgets an input.
    pub fn remove(&mut self, args: &[Value]) {
        self.inputs.remove(args);
    }

    /// Adds an input of a source, and returns it if it counts as new.
    fn added(&mut self, space: &Space, args: Vec<Value>) -> Option<Vec<Value>> {
        let counts = self.with_members || !space.contains(&args);
        (counts && self.inputs.insert(args.clone())).then_some(args)
    }
}

/// The inputs of a source, made on request.
pub struct Beyond {
    space: Space,
    source: Source,
    seed: u64,
    boundary: Arc<Boundary>,
    /// Number of blocks begun.
    n_blocks: u64,
    current: Option<Current>,
    /// Whether the current block had no new input so far.
    is_dry: bool,
    /// Number of consecutive blocks without a new input.
    n_dry: u32,
    /// Index into [`SIZES`] that blocks may reach.
    reach: usize,
    /// Steps ([`cancel::steps`]) spent on blocks so far.
    work: u64,
    /// Steps that planning a block counts for.
    plan_work: u64,
    structures: Structures,
    /// Set for boundary cases.
    texts: Texts,
    n_calls: u64,
    has_waited: bool,
    /// Number of attempts to sample from blocks.
    n_sampled: u64,
}

/// A block, and its inputs.
struct Current {
    block: Block,
    n_inputs: u32,
    n_left: u32,
}

impl Beyond {
    /// The inputs of a source outside a space. The samples are those of other sources of this space and seed.
    pub fn new(space: &Space, source: Source, seed: u64, samples: &SharedSamples) -> Beyond {
        let boundary = Arc::new(Boundary::new(space.clone()));
        let n_nodes = n_nodes(space.spec());
        let plan_work = PLAN_STEPS.0 + PLAN_STEPS.1 * n_nodes;
        let costs = (plan_work, n_nodes);
        Beyond {
            structures: Structures::new(space, source, (seed, samples), &boundary, costs),
            texts: match source {
                Source::Boundary => {
                    Texts::new(&boundary.constants().whole_texts(), &boundary.constants().lists)
                }
                Source::Large => Texts::default(),
            },
            space: space.clone(),
            source,
            seed,
            boundary,
            n_blocks: 0,
            current: None,
            is_dry: true,
            n_dry: 0,
            reach: FIRST_SIZE,
            work: 0,
            plan_work,
            n_calls: 0,
            has_waited: false,
            n_sampled: 0,
        }
    }

    /// Plans what the first inputs are made of. They depend on nothing else, so this may happen on another thread.
    pub fn prepare(&mut self) {
        self.structures.prepare();
    }

    /// Whether the last blocks had no new input.
    pub fn is_over(&self) -> bool {
        self.n_dry >= MOST_DRY
    }

    /// Whether the last call gave nothing because steps are saved for a larger input.
    pub fn has_waited(&self) -> bool {
        self.has_waited
    }

    /// Work so far, in steps ([`cancel::steps`]).
    pub fn work(&self) -> u64 {
        self.work + self.structures.work()
    }

    /// The next input that is not among those seen; it is added to them. It may be `None` though more follow: each call
    /// does limited work. What would probably take more than `affordable` steps is left for a later call, if there is a cheaper
    /// input.
    pub fn next_case(&mut self, affordable: u64, seen: &mut Seen) -> Option<Vec<Value>> {
        self.has_waited = false;
        if self.is_over() {
            return None;
        }
        self.n_calls += 1;
        if self.texts.is_due(self.n_calls)
            && let Some(args) = self.next_with_text(seen)
        {
            return Some(args);
        }
        let is_affordable = self.work / self.n_sampled.max(1) <= affordable;
        if self.structures.is_over() || self.n_calls.is_multiple_of(BLOCKS) && is_affordable {
            self.n_sampled += 1;
            return self.next_of_block(seen);
        }
        let args = self.structures.next(affordable);
        if let Some(args) = &args {
            self.texts.keep(args, self.space.spec());
        }
        let new = args.and_then(|args| seen.added(&self.space, args));
        self.has_waited = self.structures.take_has_waited();
        // What waits isn't in vain.
        if !self.has_waited {
            self.structures.note(new.is_some());
        }
        if new.is_some() {
            (self.n_dry, self.is_dry) = (0, false);
        }
        new
    }

    /// The next input with a whole text of the spec or the source, if it is new.
    fn next_with_text(&mut self, seen: &mut Seen) -> Option<Vec<Value>> {
        let before = cancel::steps();
        let (texts, spec) = (&mut self.texts, self.space.spec());
        let args = cancel::within_steps(MOST_STEPS, || texts.next(spec)).flatten();
        self.work += cancel::steps() - before;
        args.and_then(|args| seen.added(&self.space, args))
    }

    /// The next input of the current block, or of a new one.
    fn next_of_block(&mut self, seen: &mut Seen) -> Option<Vec<Value>> {
        let before = cancel::steps();
        let current = self.current.take();
        // A stop leaves the engine of the block unusable, and nothing else.
        let sampled = cancel::within_steps(MOST_STEPS, || {
            let mut current = current.unwrap_or_else(|| self.begin());
            let args = current.block.sample(Reuse::Never).filter(|args| self.is_judged(args));
            (current, args)
        });
        self.work += cancel::steps() - before;
        let Some((mut current, sampled)) = sampled else {
            self.reach = self.reach.saturating_sub(2);
            self.n_dry = if std::mem::replace(&mut self.is_dry, true) { self.n_dry + 1 } else { 0 };
            return None;
        };
        if let Some(args) = &sampled {
            self.texts.keep(args, self.space.spec());
        }
        let args = sampled.and_then(|args| seen.added(&self.space, args));
        self.is_dry &= args.is_none();
        current.n_left -= 1;
        if current.n_left > 0 {
            self.current = Some(current);
        } else {
            self.n_dry = if std::mem::replace(&mut self.is_dry, true) { self.n_dry + 1 } else { 0 };
            let is_hard = 2 * current.block.n_given_up > current.n_inputs;
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

    fn begin(&mut self) -> Current {
        let number = self.n_blocks;
        self.n_blocks += 1;
        let mut dice = Dice::new(self.seed ^ self.source.salt(), number);
        let more = match self.source {
            Source::Boundary => 0,
            Source::Large => SIZES[dice.index(self.reach + 1)],
        };
        let bounds = bounds_of(&self.space, self.source, more);
        let candidates: Arc<dyn Candidates> = match self.source {
            Source::Boundary => {
                let boundary = Arc::clone(&self.boundary);
                Arc::new(Extremes { boundary, block: number, dice: dice.clone() })
            }
            Source::Large => {
                let constants = Arc::clone(self.boundary.constants());
                Arc::new(Magnitudes { constants, n_elements: bounds.1, dice: dice.clone() })
            }
        };
        let salt = dice.next_u64();
        self.work += self.plan_work;
        let dice = Dice::new(self.seed ^ salt, number);
        let block = Block::new(&self.space, self.source, candidates, (bounds.0, 0..=bounds.1), dice);
        let n_inputs = (self.plan_work / PLAN_PER_INPUT).clamp(BLOCK.0, BLOCK.1) as u32;
        Current { block, n_inputs, n_left: n_inputs }
    }
}

/// Number of nodes of the terms that inputs are judged by.
fn n_nodes(spec: &Spec) -> u64 {
    let mut n = 0;
    for term in spec.input_terms() {
        visit(term, &mut |_| n += 1);
    }
    n
}
