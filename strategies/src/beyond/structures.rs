//! Structures with small numbers, which get other numbers ([`relabel`](super::relabel)).
//!
//! The engine plans and samples them ([`planned`](super::planned)). Where their numbers follow an order, or planning takes long, most are put
//! together from parts of others instead ([`grown`](super::grown)), which is cheaper.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use super::boundary::Boundary;
use super::changes::{Change, Changes};
use super::compared::Compared;
use super::duplicate;
use super::edited::Edits;
use super::extended::Extended;
use super::grown::Grown;
use super::kinds::Kinds;
use super::mixed::Mixed;
use super::names::reads_names;
use super::numbering::{self, Repair};
use super::planned::{CHEAP, Planned};
use super::relabel::Relabel;
use super::replace::n_scalars;
use super::resized::Resized;
use super::runs;
use super::samples::SharedSamples;
use super::source::Source;
use super::stored::{Stored, has_dependent_integers};
use crate::cancel;
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::ir::Spec;
use crate::logic::value::Value;
use crate::space::Space;

/// Number of steps that an input counts for, and more for each scalar and node of the spec's terms: to replace the
/// scalars, and to judge the input.
const STEPS: u64 = 50;

/// Number of steps that each scalar counts for in a structure that is put together from others: to give it a number,
/// and to judge.
const STEPS_PER_SCALAR: u64 = 10;

/// One of this many structures is planned by the engine, where others can be put together.
const PLANNED: usize = 4;

/// The same, where planning takes many steps.
const PLANNED_IF_EXPENSIVE: usize = 16;

/// The same, where those others stay small.
const PLANNED_IF_SMALL: usize = 2;

/// Percentage of structures that are planned, where the only others come from small changes and stay small.
const PLANNED_IF_NONE_GROWS: u64 = 90;

/// Percentage of structures that are planned, where others can be put together but planning of all usual sizes is cheap.
const PLANNED_IF_CHEAP: u64 = 75;

/// Percentage of large structures that keep their small numbers: usually, and where scalars only matter as names.
const UNCHANGED: u64 = 33;
const UNCHANGED_NAMES: u64 = 60;

/// Percentage of inputs with texts that are words of the regular expressions of the spec.
const WORDED: u64 = 30;

/// Maximum size of the first structure that is put together from others, in scalars and constructors.
const FIRST: u64 = 64;

/// Percentage of inputs with a part twice that are small.
const SMALL: u64 = 60;

/// Maximum number of steps to learn from them.
const MOST_STEPS: u64 = 100_000;

/// Maximum number of samples that are looked at.
const SAMPLES: usize = 8;

/// Number of consecutive structures without a new input after which no more are tried.
const MOST_FRUITLESS: u32 = 32;

/// Inputs made of structures, on request.
pub(super) struct Structures {
    space: Space,
    source: Source,
    boundary: Arc<Boundary>,
    state: State,
    planned: Planned,
    samples: SharedSamples,
    /// The seed of the samples.
    seed: u64,
    mixed: Mixed,
    resized: Resized,
    kinds: Kinds,
    compared: Compared,
    /// The first structures.
    small: Vec<Vec<Value>>,
    /// Structures that are put together from others, if that gives valid ones.
    grown: Option<Grown>,
    /// Structures that come from others by small changes, once planning is expected to take long.
    extended: Option<Extended>,
    /// Whether that was not tried yet, and nothing better is known.
    may_extend: bool,
    dice: Dice,
    /// Whether all arguments are structures, and two are of one type.
    has_twins: bool,
    changes: Changes,
    edits: Edits,
    /// Whether scalars only matter as names.
    has_names: bool,
    /// Number of consecutive attempts without a new input.
    n_fruitless: u32,
    /// Number of nodes of the spec's terms.
    n_nodes: u64,
    /// Whether the first large input is still to come.
    is_first: bool,
    /// Work besides planning.
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
    /// Nothing is planned yet. `costs` are the steps that planning counts for, and the number of nodes of the spec's
    /// terms.
    pub fn new(
        space: &Space,
        source: Source,
        (seed, samples): (u64, &SharedSamples),
        boundary: &Arc<Boundary>,
        costs: (u64, u64),
    ) -> Structures {
        let own = seed ^ source.salt();
        Structures {
            space: space.clone(),
            source,
            boundary: Arc::clone(boundary),
            state: State::Untried,
            planned: Planned::new(space, source, own, boundary.constants(), costs.0),
            samples: samples.clone(),
            seed,
            mixed: Mixed::new(space.spec()),
            resized: Resized::new(space.spec()),
            kinds: Kinds::new(space.spec()),
            compared: Compared::new(space.spec()),
            small: Vec::new(),
            grown: None,
            extended: None,
            may_extend: false,
            dice: Dice::new(own, u64::MAX),
            has_twins: duplicate::has_twins(space.spec()),
            changes: Changes::of(space.spec()),
            edits: Edits::new(space.spec(), boundary.constants()),
            has_names: false,
            n_fruitless: 0,
            n_nodes: costs.1,
            is_first: source == Source::Large,
            work: 0,
        }
    }

    /// Whether structures can't be relabelled, or give nothing new.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// Whether the last attempt gave nothing because steps are saved for a larger structure. Told once.
    pub fn take_has_waited(&mut self) -> bool {
        self.planned.take_has_waited()
    }

    /// Work so far, in steps ([`cancel::steps`]).
    pub fn work(&self) -> u64 {
        self.work + self.planned.work()
    }

    /// Plans the smallest structures, and finds out from some of them whether they can be relabelled, and put together
    /// to larger ones. The first input does so if nobody did before.
    pub fn prepare(&mut self) {
        if !matches!(self.state, State::Untried) {
            return;
        }
        let shared = self.samples.clone();
        let samples = shared.get(&self.space, self.seed, self.boundary.constants());
        self.planned.begin(samples);
        let Some(drawn) = &samples.drawn else {
            self.state = State::Over;
            return;
        };
        let before = cancel::steps();
        let learned =
            cancel::within_steps(MOST_STEPS, || self.learned(&drawn.space, drawn.structures.clone()));
        self.work += cancel::steps() - before;
        let (relabel, grown) = learned.unwrap_or_default();
        self.grown = grown.filter(|grown| !grown.is_over());
        self.may_extend = self.grown.as_ref().is_none_or(|grown| !grown.is_ordered() || grown.is_of_lists());
        if let Some(is_strict) = self.grown.as_ref().filter(|grown| grown.is_ordered()).map(Grown::is_strict)
        {
            self.planned.note_strict(is_strict);
            self.plans_all_sizes();
        }
        self.has_names = reads_names(self.space.spec());
        if self.has_names {
            self.planned.prefer_few();
        }
        self.state = match relabel {
            Some(relabel) => State::Possible(Box::new(relabel)),
            None if self.source == Source::Large => State::Unchanged,
            None => State::Over,
        };
    }

    /// How the scalars of samples can be replaced, and structures that are put together from them.
    fn learned(&mut self, space: &Space, mut samples: Vec<Vec<Value>>) -> (Option<Relabel>, Option<Grown>) {
        // The largest ones show most.
        samples.sort_by_cached_key(|sample| Reverse(n_scalars(space, sample)));
        let mut seen = HashSet::new();
        samples.retain(|sample| seen.insert(sample.clone()));
        let largest = &samples[..samples.len().min(SAMPLES)];
        let dice = &mut self.dice;
        let relabel = Relabel::learn(space, self.source, &self.boundary, largest, dice);
        let nodes = relabel.as_ref().map(Relabel::nodes);
        let spec = space.spec();
        let stored = has_dependent_integers(spec).then(|| Stored::of(spec, &samples));
        let repair = |old: &[Value], new: &[Value]| match &stored {
            Some(stored) => stored.repaired(spec, old, new),
            None => new.to_vec(),
        };
        let repair: Option<&Repair<'_>> = if stored.is_some() { Some(&repair) } else { None };
        let numberings = numbering::learned(space, nodes, &samples, repair, dice);
        // Without an order to keep, the engine does as well if that takes it few steps.
        let may_grow = !numberings.is_empty() || !self.planned.is_cheap();
        let grown = may_grow.then(|| Grown::new(space, self.source, numberings, &samples, dice)).flatten();
        samples.iter().for_each(|sample| self.mixed.note(space.spec(), sample, dice));
        self.small = samples;
        (relabel, grown)
    }

    /// An input that satisfies the spec, if this attempt makes one. Nothing is planned that probably takes more than
    /// `affordable` steps, unless there is nothing cheaper.
    pub fn next(&mut self, affordable: u64) -> Option<Vec<Value>> {
        self.prepare();
        if std::mem::take(&mut self.is_first)
            && let Some(input) = self.first(affordable)
        {
            return Some(input);
        }
        if self.may_extend && !self.planned.is_cheap() {
            self.may_extend = false;
            self.extend();
        }
        let change = self.changes.next();
        let input = self.unchanged(change, affordable)?;
        let input = self.with_change(change, &input).unwrap_or(input);
        Some(self.found(&input).unwrap_or(input))
    }

    /// An input before it gets such a change, if this attempt makes one.
    fn unchanged(&mut self, change: Change, affordable: u64) -> Option<Vec<Value>> {
        let is_planned = self.picks_planned();
        let has_extended = self.extended.is_some() && !self.planned.is_cheap();
        // A difference between copies shows where there is little else.
        let is_small = change == Change::Copy && !self.small.is_empty() && self.dice.percent(SMALL);
        let worded = if self.dice.percent(WORDED) { self.worded() } else { None };
        let is_worded = worded.is_some();
        let structure = if is_worded {
            worded
        } else if is_small {
            Some(self.small[self.dice.index(self.small.len())].clone())
        } else if is_planned {
            self.planned(affordable)
        } else if self.grown.is_some() && (!has_extended || self.dice.percent(50)) {
            self.grown()
        } else if has_extended {
            self.extended()
        } else {
            self.planned(affordable)
        }?;
        let structure = if is_small { structure } else { self.mixed(structure) };
        let structure = self.resized(&structure).unwrap_or(structure);
        let structure = self.varied(&structure).unwrap_or(structure);
        // A large structure is worth a try with its small numbers, which are close to each other.
        let may_stay = self.source == Source::Large;
        let unchanged = if self.has_names { UNCHANGED_NAMES } else { UNCHANGED };
        let (input, n_scalars) = match &mut self.state {
            State::Possible(_) if is_worded || may_stay && self.dice.percent(unchanged) => (None, 0),
            State::Possible(relabel) => relabel.relabelled(&structure, &mut self.dice),
            State::Untried | State::Unchanged | State::Over => (None, 0),
        };
        self.work += STEPS + n_scalars * (4 + self.n_nodes / 4);
        let unchanged =
            || Some(structure).filter(|args| (may_stay || is_worded) && admits(self.space.spec(), args));
        input.or_else(unchanged)
    }

    /// An input with a change, if the spec admits it.
    fn with_change(&mut self, change: Change, input: &[Value]) -> Option<Vec<Value>> {
        match change {
            Change::Copy => {
                let copied = self.changed(input, duplicate::duplicated);
                copied.or_else(|| self.changed(input, duplicate::borrowed))
            }
            Change::CopyOrBorrow if self.has_twins => self.changed(input, duplicate::duplicated),
            Change::CopyOrBorrow | Change::Borrow => {
                let met = if self.dice.percent(50) { self.met(input) } else { None };
                met.or_else(|| self.changed(input, duplicate::borrowed))
            }
            Change::Run if self.source == Source::Large => {
                let boundary = Arc::clone(&self.boundary);
                let lengths = &boundary.constants().lengths;
                self.changed(input, |spec, args, dice| runs::with_run(spec, args, lengths, dice))
            }
            Change::Edit => {
                let edits = self.edits.clone();
                self.changed(input, |spec, args, dice| edits.edited(spec, args, dice))
            }
            Change::Run | Change::None => None,
        }
    }

    /// Whether the engine is asked for structures of all sizes, though others can be put together in order. Once that takes long, it is
    /// only asked for small ones.
    fn plans_all_sizes(&mut self) -> bool {
        let is_cheap = self.source == Source::Large && self.planned.is_cheap();
        if !is_cheap {
            self.planned.stay_small();
        }
        is_cheap
    }

    /// Whether the next structure is planned, where others can be put together.
    fn picks_planned(&mut self) -> bool {
        if self.grown.as_ref().is_some_and(Grown::is_ordered) && self.plans_all_sizes() {
            return self.dice.percent(PLANNED_IF_CHEAP);
        }
        let grows = self.extended.as_ref().is_none_or(Extended::grows);
        if !grows && self.grown.is_none() {
            return self.dice.percent(PLANNED_IF_NONE_GROWS);
        }
        let one_of = match (grows, self.grown.is_some() && self.planned.is_expensive()) {
            (true, true) => PLANNED_IF_EXPENSIVE,
            (true, false) => PLANNED,
            (false, _) => PLANNED_IF_SMALL,
        };
        self.dice.index(one_of) == 0
    }

    /// The first large input: a large structure with new numbers and no other change. A random generator would begin like this, and it shows
    /// most mistakes that one input can.
    fn first(&mut self, affordable: u64) -> Option<Vec<Value>> {
        let grown = self.grown.as_ref().and_then(|grown| grown.largest(FIRST));
        let structure = match grown {
            Some(grown) => grown,
            None => self.planned.largest(affordable)?,
        };
        let State::Possible(relabel) = &mut self.state else {
            return Some(structure).filter(|args| admits(self.space.spec(), args));
        };
        let (input, n_scalars) = relabel.relabelled(&structure, &mut self.dice);
        self.work += STEPS + n_scalars * (4 + self.n_nodes / 4);
        input
    }

    /// From now on, structures also come from others by small changes, if that gives valid ones.
    fn extend(&mut self) {
        let (before, mut dice) = ((cancel::steps(), (0, 0)), self.dice.clone());
        let work = || Extended::new(&self.space, self.source, &self.small, &mut dice);
        let extended = cancel::within_steps(MOST_STEPS, work).flatten();
        self.work += work_since(before, extended.as_ref().map_or((0, 0), |extended| extended.effort));
        self.extended = extended.filter(|extended| !extended.is_over());
    }

    /// A structure from the engine, if this attempt finds one.
    fn planned(&mut self, affordable: u64) -> Option<Vec<Value>> {
        // Now and then it is found out whether planning has become cheap.
        let is_limited = self.extended.as_ref().is_some_and(Extended::grows) && self.dice.index(PLANNED) > 0;
        let affordable = if is_limited { affordable.min(CHEAP) } else { affordable };
        let structure = self.planned.next(affordable, !is_limited, &mut self.dice)?;
        if let Some(grown) = &mut self.grown {
            grown.add(&structure, &mut self.dice);
        }
        if let Some(extended) = &mut self.extended {
            extended.add(&structure, &mut self.dice);
        }
        Some(structure)
    }

    /// A structure that comes from another one by small changes, if this attempt makes one.
    fn extended(&mut self) -> Option<Vec<Value>> {
        let extended = self.extended.as_mut()?;
        let before = (cancel::steps(), extended.effort);
        let structure = extended.next(&mut self.dice);
        self.work += work_since(before, extended.effort);
        if extended.is_over() {
            self.extended = None;
        }
        structure
    }

    /// A structure that is put together from others, if this attempt makes one.
    fn grown(&mut self) -> Option<Vec<Value>> {
        let grown = self.grown.as_mut()?;
        let before = (cancel::steps(), grown.effort);
        let structure = grown.next(&mut self.dice);
        self.work += work_since(before, grown.effort);
        if grown.is_over() {
            self.grown = None;
            self.planned.grow();
        }
        structure
    }

    /// A structure, maybe with parts of earlier ones.
    fn mixed(&mut self, structure: Vec<Value>) -> Vec<Value> {
        if !self.mixed.may_mix() {
            return structure;
        }
        self.work += STEPS + self.n_nodes + STEPS_PER_SCALAR * n_scalars(&self.space, &structure) as u64;
        let spec = self.space.spec();
        self.mixed.note(spec, &structure, &mut self.dice);
        self.mixed.mixed(spec, &structure, &mut self.dice).unwrap_or(structure)
    }

    /// A large structure in which a list has another length, now and then.
    fn resized(&mut self, structure: &[Value]) -> Option<Vec<Value>> {
        if self.source != Source::Large || !self.dice.percent(self.resized.percentage()) {
            return None;
        }
        self.work += STEPS + self.n_nodes + STEPS_PER_SCALAR * n_scalars(&self.space, structure) as u64;
        self.resized.resized(self.space.spec(), structure, &mut self.dice)
    }

    /// In half of the large structures, a list gets elements of other kinds ([`Kinds`]); `None` if this one doesn't.
    fn varied(&mut self, structure: &[Value]) -> Option<Vec<Value>> {
        let percentage = self.kinds.percentage();
        if self.source != Source::Large || percentage == 0 || !self.dice.percent(percentage) {
            return None;
        }
        self.work += STEPS + self.n_nodes + STEPS_PER_SCALAR * n_scalars(&self.space, structure) as u64;
        self.kinds.varied(self.space.spec(), structure, &mut self.dice)
    }

    /// An input with a change, if the spec admits it.
    fn changed(
        &mut self,
        input: &[Value],
        change: impl FnOnce(&Spec, &[Value], &mut Dice) -> Option<Vec<Value>>,
    ) -> Option<Vec<Value>> {
        self.work += STEPS + self.n_nodes + STEPS_PER_SCALAR * n_scalars(&self.space, input) as u64;
        change(self.space.spec(), input, &mut self.dice)
    }

    /// An early input with words of the spec's regular expressions, if it has any and admits the input.
    fn worded(&mut self) -> Option<Vec<Value>> {
        if !self.edits.has_words() || self.small.is_empty() {
            return None;
        }
        let small = self.small[self.dice.index(self.small.len())].clone();
        let edits = self.edits.clone();
        self.changed(&small, |spec, args, dice| edits.worded(spec, args, dice))
    }

    /// The input at an edge of what the spec says.
    fn met(&mut self, input: &[Value]) -> Option<Vec<Value>> {
        let before = cancel::steps();
        let met = self.compared.met(self.space.spec(), input, &mut self.dice);
        self.work += cancel::steps() - before + STEPS;
        met
    }

    /// The input with an argument that is where the spec looks it up.
    fn found(&mut self, input: &[Value]) -> Option<Vec<Value>> {
        let before = cancel::steps();
        let found = self.compared.found(self.space.spec(), input, &mut self.dice);
        self.work += cancel::steps() - before;
        found
    }

    /// Told whether the last attempt gave an input that is new.
    pub fn note(&mut self, is_new: bool) {
        self.n_fruitless = if is_new { 0 } else { self.n_fruitless + 1 };
        if self.n_fruitless == MOST_FRUITLESS {
            self.state = State::Over;
        }
    }
}

/// What was done since a number of steps and an effort, in steps. An effort is a number of attempts, and one of scalars in
/// them.
fn work_since((steps, before): (u64, (u64, u64)), effort: (u64, u64)) -> u64 {
    cancel::steps() - steps + (effort.0 - before.0) * STEPS + (effort.1 - before.1) * STEPS_PER_SCALAR
}
