//! The cases of another generator, and in turn with them variants of those that ran new code.
//!
//! A variant differs from such a case, its *base*, in one part. At first each part has few variants. If none of them runs
//! other code than the base, the function is taken not to look at the part there, and it is hardly varied again. A part that
//! matters gets all its values, its own parts are varied, and it is varied together with the others that matter. A variant
//! that runs new code is a base, too. So a function that decides on one argument after the other needs the sum of their
//! values and not the product.
//!
//! Texts and lists that matter are also edited ([`edits`]), again and again: a text that is right up to a place is a base, and an edit
//! of it may be right up to the next place.
//!
//! Nothing is left out of the other generator, so what it says of the space holds.
//!
//! Source: *Irulan*, section 3.2 (needed narrowing), where laziness tells which parts are read.

mod edits;
mod feedback;
mod pool;
#[cfg(test)]
mod tests;

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use target_strategies::beyond::Source;
use target_strategies::dice::Dice;
use target_strategies::logic::collection::ordered;
use target_strategies::logic::part::{Path, parts, replaced};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use self::edits::{edited, is_editable};
pub use self::feedback::{Ending, Feedback, Told};
use self::pool::Pool;
use super::{Batch, Case, End, Generator, Step};

/// Number of values of a part, besides literals and the values next to its own, that are tried to find out whether it matters.
const PROBES: usize = 4;

/// Number of parts of a base that are tried at once, the outermost. The others are tried once what they are part of matters.
const FEW_PARTS: usize = 16;

/// Number of variants of several parts for each part that matters.
const COMBINED: usize = 48;

/// Number of edits of a part at a time.
const EDITS: usize = 16;

/// Percentage of turns without other tasks in which a part is edited, and number of edits in a row without new code after which there
/// are no more until other cases run some.
const EDITED: u64 = 75;
const VAIN_EDITS: u64 = 10_000;

/// Number of variants in a batch.
const BATCH: usize = 32;

/// Maximum number of tasks for a batch: some have no new variants.
const TASKS: usize = 16;

/// Number of variants that may come before as many cases of the other generator.
const AHEAD: u64 = 64;

/// Maximum number of bases, and of variants after the other generator's end: bounds on memory and time.
const MOST_BASES: usize = 2_000;
const MOST_AFTER: u64 = 50_000;

/// Maximum number of parts of a base.
const MOST_PARTS: usize = 48;

/// A case that was the first to run its pieces of code.
struct Base {
    args: Vec<Value>,
    trace: u64,
    /// The parts that are varied.
    parts: Vec<Narrowed>,
}

/// A part of a base.
struct Narrowed {
    path: Path,
    /// Whether some variant of it ran other code.
    matters: bool,
    /// Number of its values that were tried, besides the first ones.
    n_tried: usize,
}

/// Variants to be made.
enum Task {
    /// The first values of a part.
    Probe { base: usize, part: usize },
    /// Its other values.
    Sweep { base: usize, part: usize },
    /// Values of several parts that matter.
    Combine { base: usize },
    /// Edits of a text or a list that matters.
    Edit { base: usize, part: usize },
}

/// A case that was sent, in the order in which its trace is told.
enum Sent {
    /// One of the other generator.
    Other(Vec<Value>),
    /// Cases of the other generator that the child makes.
    Listed(u64),
    /// A variant; of one part, if it is to tell whether that matters.
    Variant { args: Vec<Value>, base: usize, part: Option<usize> },
}

/// The generator.
pub struct Narrowing {
    space: Space,
    other: Box<dyn Generator>,
    feedback: Feedback,
    dice: Dice,
    pool: Pool,
    bases: Vec<Base>,
    tasks: VecDeque<Task>,
    /// The texts and lists that matter, by their bases and indexes.
    editable: Vec<(usize, usize)>,
    /// Number of edits since the last case that ran new code.
    n_vain_edits: u64,
    /// Variants that wait to be sent.
    variants: VecDeque<Sent>,
    sent: VecDeque<Sent>,
    /// Number of cases of the last step, whose traces are not awaited yet.
    n_last: u64,
    /// Number of cases before the last step whose traces are not told yet.
    n_awaited: u64,
    n_other: u64,
    n_variants: u64,
    traces: HashSet<u64>,
    /// The hashes of all cases but those that the child makes.
    known: HashSet<u64>,
    end: Option<End>,
    /// Number of variants before it.
    n_before_end: u64,
    /// Number of looks at parts that don't seem to matter.
    n_doubts: usize,
}

impl Narrowing {
    /// Adds variants to the cases of a generator, as the traces that `feedback` tells show their use.
    pub fn new(space: Space, other: Box<dyn Generator>, feedback: Feedback, seed: u64) -> Narrowing {
        Narrowing {
            pool: Pool::of(&space),
            space,
            other,
            feedback,
            dice: Dice::new(seed, 0),
            bases: Vec::new(),
            tasks: VecDeque::new(),
            editable: Vec::new(),
            n_vain_edits: 0,
            variants: VecDeque::new(),
            sent: VecDeque::new(),
            n_last: 0,
            n_awaited: 0,
            n_other: 0,
            n_variants: 0,
            traces: HashSet::new(),
            known: HashSet::new(),
            end: None,
            n_before_end: 0,
            n_doubts: 0,
        }
    }

    /// Reads what became of all cases before those of the last step. To wait for these would keep the child idle; to read
    /// what is there by chance would make the order depend on the clock.
    fn listen(&mut self) {
        while self.n_awaited > 0 {
            let told = self.feedback.next();
            self.n_awaited -= 1;
            self.hear(told);
        }
        self.n_awaited = std::mem::take(&mut self.n_last);
    }

    fn hear(&mut self, told: Told) {
        let sent = match self.sent.front_mut() {
            Some(Sent::Listed(n)) if *n > 1 => {
                *n -= 1;
                Some(Sent::Listed(1))
            }
            _ => self.sent.pop_front(),
        };
        let args = match sent {
            Some(Sent::Other(args)) => Some(args),
            Some(Sent::Variant { args, base, part }) => {
                let of_base = self.bases[base].trace;
                let differs = match told.ending {
                    Ending::NotRun => false,
                    Ending::Passed => told.trace.is_some_and(|trace| trace != of_base),
                    // The base passed.
                    Ending::Failed => true,
                };
                if let Some(part) = part.filter(|_| differs) {
                    self.note_matters(base, part);
                }
                Some(args)
            }
            Some(Sent::Listed(_)) | None => told.args,
        };
        // What fails is not extended: its variants are likely to fail alike.
        if let (Some(args), Some(trace), Ending::Passed) = (args, told.trace, told.ending)
            && self.traces.insert(trace)
        {
            self.n_vain_edits = 0;
            self.add_base(args, trace);
        }
    }

    fn add_base(&mut self, args: Vec<Value>, trace: u64) {
        if self.bases.len() >= MOST_BASES {
            return;
        }
        let all = parts(self.space.spec(), &args, true);
        self.pool.add(&all);
        let n_first = FEW_PARTS.max(args.len());
        let narrowed: Vec<Narrowed> = all
            .into_iter()
            .take(n_first)
            .map(|part| Narrowed { path: part.path, matters: false, n_tried: 0 })
            .collect();
        let base = self.bases.len();
        self.bases.push(Base { parts: narrowed, args, trace });
        let probes = (0..self.bases[base].parts.len()).map(|part| Task::Probe { base, part });
        self.tasks.extend(probes);
    }

    /// A part matters: its values and its own parts are worth trying, also with those of the others.
    fn note_matters(&mut self, base: usize, part: usize) {
        let Base { args, parts: narrowed, .. } = &mut self.bases[base];
        if std::mem::replace(&mut narrowed[part].matters, true) {
            return;
        }
        let path = narrowed[part].path.clone();
        self.tasks.push_back(Task::Sweep { base, part });
        let all = parts(self.space.spec(), args, true);
        if all.iter().any(|own| own.path == path && is_editable(own.refined)) {
            self.editable.push((base, part));
            self.tasks.push_back(Task::Edit { base, part });
        }
        let known: HashSet<Path> = narrowed.iter().map(|part| part.path.clone()).collect();
        let inner: Vec<Path> = all
            .into_iter()
            .map(|part| part.path)
            .filter(|inner| inner.len() > path.len() && inner.starts_with(&path))
            .collect();
        let is_outermost =
            |path: &Path| !inner.iter().any(|other| other.len() < path.len() && path.starts_with(other));
        for path in inner.iter().filter(|path| is_outermost(path) && !known.contains(*path)) {
            if narrowed.len() >= MOST_PARTS {
                break;
            }
            self.tasks.push_back(Task::Probe { base, part: narrowed.len() });
            narrowed.push(Narrowed { path: path.clone(), matters: false, n_tried: 0 });
        }
        if narrowed.iter().filter(|part| part.matters).count() > 1 {
            self.tasks.push_back(Task::Combine { base });
        }
    }

    /// Makes the variants of the next task.
    fn work(&mut self) {
        let Some(task) = self.tasks.pop_front().or_else(|| self.idle()) else { return };
        match task {
            Task::Probe { base, part } => self.vary(base, part, false),
            Task::Sweep { base, part } => self.vary(base, part, true),
            Task::Combine { base } => self.combine(base),
            Task::Edit { base, part } => self.edit(base, part),
        }
    }

    /// What there is to do without tasks.
    fn idle(&mut self) -> Option<Task> {
        let may_edit = self.is_worth_editing() && (self.end.is_some() || self.dice.percent(EDITED));
        let edit = if may_edit { self.edit_again() } else { None };
        edit.or_else(|| self.doubt())
    }

    /// Whether further edits are likely to run new code.
    fn is_worth_editing(&self) -> bool {
        !self.editable.is_empty() && self.n_vain_edits < VAIN_EDITS
    }

    /// A part to edit once more, often one of the newest.
    fn edit_again(&mut self) -> Option<Task> {
        let n = self.editable.len();
        let newest = 1 + self.dice.index(n.max(1));
        let at = n.checked_sub(1 + self.dice.index(newest))?;
        let (base, part) = self.editable[at];
        Some(Task::Edit { base, part })
    }

    /// Another look at a part that doesn't seem to matter: few of its values were tried.
    fn doubt(&mut self) -> Option<Task> {
        if self.bases.is_empty() || self.end.is_some() {
            return None;
        }
        let (base, part) = (self.n_doubts % self.bases.len(), self.n_doubts / self.bases.len());
        self.n_doubts += 1;
        let narrowed = &self.bases[base].parts;
        let part = part % narrowed.len().max(1);
        narrowed.get(part).filter(|part| !part.matters).map(|_| Task::Probe { base, part })
    }

    /// Variants of one part: with all its values, or with few.
    fn vary(&mut self, base: usize, part: usize, all: bool) {
        let Base { args, parts: narrowed, .. } = &mut self.bases[base];
        let Narrowed { path, n_tried, .. } = &mut narrowed[part];
        let of_base = parts(self.space.spec(), args, true);
        let Some(own) = of_base.iter().find(|part| part.path == *path) else { return };
        let values = self.pool.values(own);
        let most = if all { usize::MAX } else { values.n_first() + PROBES };
        let from = std::mem::replace(n_tried, *n_tried + PROBES);
        let values = values.all(from).take(most).filter(|value| *value != own.value);
        let mut variants: Vec<Vec<Value>> = values.map(|value| replaced(args, path, value.clone())).collect();
        if is_editable(own.refined) {
            // All known values of a lone argument have run already, so only edits are new.
            let edited = (0..PROBES).filter_map(|_| edited(own, &self.pool, &mut self.dice));
            variants.extend(edited.map(|value| replaced(args, path, value)));
        }
        variants.into_iter().for_each(|variant| self.send(variant, base, Some(part)));
    }

    /// Variants of several parts that matter.
    fn combine(&mut self, base: usize) {
        let Base { args, parts: narrowed, .. } = &self.bases[base];
        let of_base = parts(self.space.spec(), args, true);
        let matter = narrowed.iter().filter(|part| part.matters);
        let matter: Vec<_> =
            matter.filter_map(|part| of_base.iter().find(|own| own.path == part.path)).collect();
        let mut variants: Vec<Vec<Value>> = Vec::new();
        for _ in 0..COMBINED {
            let mut variant = args.clone();
            let mut changed: Vec<&Path> = Vec::new();
            for own in &matter {
                // Of a part with another value, the own parts may be of other types.
                if self.dice.percent(50) || changed.iter().any(|outer| own.path.starts_with(outer)) {
                    continue;
                }
                let values = self.pool.values(own);
                if let Some(value) = values.one(self.dice.next_u64()) {
                    variant = replaced(&variant, &own.path, value.clone());
                    changed.push(&own.path);
                }
            }
            variants.push(variant);
        }
        variants.into_iter().for_each(|variant| self.send(variant, base, None));
    }

    /// Edits of one part.
    fn edit(&mut self, base: usize, part: usize) {
        let Base { args, parts: narrowed, .. } = &self.bases[base];
        let of_base = parts(self.space.spec(), args, true);
        let Some(own) = of_base.iter().find(|own| own.path == narrowed[part].path) else { return };
        let edited = (0..EDITS).filter_map(|_| edited(own, &self.pool, &mut self.dice));
        let variants: Vec<Vec<Value>> = edited.map(|value| replaced(args, &own.path, value)).collect();
        self.n_vain_edits += variants.len() as u64;
        variants.into_iter().for_each(|variant| self.send(variant, base, None));
    }

    fn send(&mut self, args: Vec<Value>, base: usize, part: Option<usize>) {
        let spec = self.space.spec();
        let in_form = args.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
        let args: Vec<Value> = in_form.collect();
        if self.known.insert(hash(&args)) {
            self.variants.push_back(Sent::Variant { args, base, part });
        }
    }

    /// The next batch of variants.
    fn batch(&mut self) -> Option<Batch> {
        for _ in 0..TASKS {
            if self.variants.len() >= BATCH {
                break;
            }
            self.work();
        }
        let n = self.variants.len().min(BATCH);
        let mut cases = Vec::new();
        for sent in self.variants.drain(..n) {
            if let Sent::Variant { args, .. } = &sent {
                // The other generator lists what is inside the space, and counts it there.
                cases.push(Case { args: args.clone(), beyond: Some(Source::Large) });
            }
            self.sent.push_back(sent);
        }
        self.n_variants += n as u64;
        self.n_last += n as u64;
        (n > 0).then_some(Batch::Cases(cases))
    }

    /// Notes cases of the other generator.
    fn note(&mut self, batch: &Batch) {
        let n = match batch {
            Batch::Cases(cases) => {
                for Case { args, .. } in cases {
                    self.pool.add(&parts(self.space.spec(), args, true));
                    self.known.insert(hash(args));
                    self.sent.push_back(Sent::Other(args.clone()));
                }
                cases.len() as u64
            }
            Batch::Ranges(ranges) => self.note_listed(ranges.iter().map(|range| range.len).sum()),
            Batch::Listed(pieces) => self.note_listed(pieces.iter().map(|piece| piece.len).sum()),
        };
        self.n_other += n;
        self.n_last += n;
    }

    fn note_listed(&mut self, n: u64) -> u64 {
        if n > 0 {
            self.sent.push_back(Sent::Listed(n));
        }
        n
    }
}

impl Generator for Narrowing {
    fn step(&mut self) -> Step {
        self.listen();
        let is_turn = match self.end {
            Some(_) => self.n_variants <= self.n_before_end + MOST_AFTER,
            None => self.n_variants <= self.n_other + AHEAD,
        };
        if is_turn && let Some(batch) = self.batch() {
            return Step::Batch(batch);
        }
        if let Some(end) = &self.end {
            let has_work = !self.tasks.is_empty() || self.is_worth_editing();
            let is_over = !is_turn || !has_work && self.n_last + self.n_awaited == 0;
            return if is_over { Step::End(end.clone()) } else { Step::Batch(Batch::Cases(Vec::new())) };
        }
        match self.other.step() {
            Step::Batch(batch) => {
                self.note(&batch);
                Step::Batch(batch)
            }
            Step::End(end) => {
                (self.end, self.n_before_end) = (Some(end.clone()), self.n_variants);
                Step::Beyond(end)
            }
            step @ (Step::Reached(_) | Step::Beyond(_)) => step,
        }
    }

    fn solving(&self) -> Duration {
        self.other.solving()
    }
}

fn hash(args: &[Value]) -> u64 {
    let mut hasher = DefaultHasher::new();
    args.hash(&mut hasher);
    hasher.finish()
}
