//! The cases of another generator, and in turn with them variants of those that ran new code.
//!
//! A variant differs from such a case, its *base*, in one part. At first each part has few variants. If none of them runs
//! other code than the base, the function is taken not to look at the part there, and it is hardly varied again. A part that
//! matters gets all its values, its own parts are varied, and it is varied together with the others that matter. A variant
//! that runs new code is a base, too. So a function that decides on one argument after the other needs the sum of their
//! values and not the product. Texts and lists are also changed a little, again and again, so that what a parser reads grows
//! from the part of it that it could read before.
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
use target_strategies::logic::collection::ordered;
use target_strategies::logic::part::{Part, Path, parts, replaced};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use self::edits::{is_editable, mixed};
pub use self::feedback::{Ending, Feedback, Told};
use self::pool::Pool;
use super::{Batch, Case, End, Generator, Step};

/// Number of values of a part, besides literals and the values next to its own, that are tried to find out whether it matters.
const PROBES: usize = 4;

/// Number of them of a text or a list that matters.
const SWEPT: usize = 32;

/// Maximum number of parts of a base that are all tried at once. Of others, the parts of an argument are tried once that
/// argument matters.
const FEW_PARTS: usize = 16;

/// Number of variants of several parts for each part that matters.
const COMBINED: u64 = 48;

/// Number of variants in a batch.
const BATCH: usize = 32;

/// Maximum number of tasks for a batch: some have no new variants.
const TASKS: usize = 16;

/// Number of variants that may come before as many cases of the other generator.
const AHEAD: u64 = 64;

/// Maximum number of bases, and of variants after the other generator's end: bounds on memory and time.
const MOST_BASES: usize = 2_000;
const MOST_AFTER: u64 = 50_000;

/// Number of looks at parts, after the other generator's end, that may find no new code.
const PATIENCE: usize = 1_024;

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
    /// Whether it has small changes: it is a text or a list.
    is_editable: bool,
    /// Number of its values that were tried, besides the first ones.
    n_tried: usize,
}

impl Narrowed {
    fn new(part: &Part) -> Narrowed {
        Narrowed { path: part.path.clone(), matters: false, is_editable: is_editable(part), n_tried: 0 }
    }
}

/// Variants to be made.
enum Task {
    /// The first values of a part.
    Probe { base: usize, part: usize },
    /// Its other values.
    Sweep { base: usize, part: usize },
    /// Values of several parts that matter.
    Combine { base: usize },
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
    seed: u64,
    pool: Pool,
    bases: Vec<Base>,
    tasks: VecDeque<Task>,
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
    n_turns: u64,
    /// Number of looks at parts that don't seem to matter, or that have small changes.
    n_doubts: usize,
    /// Their number when the last base was added.
    n_doubts_at_base: usize,
}

impl Narrowing {
    /// Adds variants to the cases of a generator, as the traces that `feedback` tells show their use.
    pub fn new(space: Space, other: Box<dyn Generator>, feedback: Feedback, seed: u64) -> Narrowing {
        Narrowing {
            pool: Pool::of(&space),
            space,
            other,
            feedback,
            seed,
            bases: Vec::new(),
            tasks: VecDeque::new(),
            variants: VecDeque::new(),
            sent: VecDeque::new(),
            n_last: 0,
            n_awaited: 0,
            n_other: 0,
            n_variants: 0,
            traces: HashSet::new(),
            known: HashSet::new(),
            end: None,
            n_turns: 0,
            n_doubts: 0,
            n_doubts_at_base: 0,
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
            self.add_base(args, trace);
        }
    }

    fn add_base(&mut self, args: Vec<Value>, trace: u64) {
        if self.bases.len() >= MOST_BASES {
            return;
        }
        let all = parts(self.space.spec(), &args, true);
        self.pool.add_base(&all);
        let n_first = if all.len() <= FEW_PARTS { all.len() } else { args.len() };
        let narrowed: Vec<Narrowed> =
            all.into_iter().take(n_first).map(|part| Narrowed::new(&part)).collect();
        let base = self.bases.len();
        self.n_doubts_at_base = self.n_doubts;
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
        let known: HashSet<Path> = narrowed.iter().map(|part| part.path.clone()).collect();
        let inner: Vec<Part> = parts(self.space.spec(), args, true)
            .into_iter()
            .filter(|inner| inner.path.len() > path.len() && inner.path.starts_with(&path))
            .collect();
        let is_outermost = |path: &Path| {
            !inner.iter().any(|other| other.path.len() < path.len() && path.starts_with(&other.path))
        };
        for part in inner.iter().filter(|part| is_outermost(&part.path) && !known.contains(&part.path)) {
            if narrowed.len() >= MOST_PARTS {
                break;
            }
            self.tasks.push_back(Task::Probe { base, part: narrowed.len() });
            narrowed.push(Narrowed::new(part));
        }
        if narrowed.iter().filter(|part| part.matters).count() > 1 {
            self.tasks.push_back(Task::Combine { base });
        }
    }

    /// Makes the variants of the next task.
    fn work(&mut self) {
        let Some(task) = self.tasks.pop_front().or_else(|| self.doubt()) else { return };
        self.n_turns += 1;
        match task {
            Task::Probe { base, part } => self.vary(base, part, false),
            Task::Sweep { base, part } => self.vary(base, part, true),
            Task::Combine { base } => self.combine(base),
        }
    }

    /// Whether there may be another look at parts. After the other generator's end that depends on what the last ones found.
    fn may_doubt(&self) -> bool {
        !self.bases.is_empty() && (self.end.is_none() || self.n_doubts < self.n_doubts_at_base + PATIENCE)
    }

    /// Another look at a part that doesn't seem to matter, as few of its values were tried, or at one that has more small changes.
    fn doubt(&mut self) -> Option<Task> {
        if !self.may_doubt() {
            return None;
        }
        let (base, part) = (self.n_doubts % self.bases.len(), self.n_doubts / self.bases.len());
        self.n_doubts += 1;
        let narrowed = &self.bases[base].parts;
        let part = part % narrowed.len().max(1);
        let is_open = |part: &&Narrowed| part.is_editable || (!part.matters && self.end.is_none());
        narrowed.get(part).filter(is_open).map(|_| Task::Probe { base, part })
    }

    /// Variants of one part: with all its values, or with few.
    fn vary(&mut self, base: usize, part: usize, all: bool) {
        let Base { args, parts: narrowed, .. } = &mut self.bases[base];
        let Narrowed { path, n_tried, .. } = &mut narrowed[part];
        let of_base = parts(self.space.spec(), args, true);
        let Some(own) = of_base.iter().find(|part| part.path == *path) else { return };
        let values = self.pool.values(own, mixed([self.seed, base as u64, part as u64, *n_tried as u64]));
        let n_others = if !all {
            PROBES
        } else if is_editable(own) {
            // Small changes are worth more, and are made again and again.
            SWEPT
        } else {
            usize::MAX
        };
        let most = values.n_first().saturating_add(n_others);
        let from = std::mem::replace(n_tried, *n_tried + PROBES);
        let values = values.all(from).take(most).filter(|value| *value != own.value);
        let variants: Vec<Vec<Value>> = values.map(|value| replaced(args, path, value.clone())).collect();
        variants.into_iter().for_each(|variant| self.send(variant, base, Some(part)));
    }

    /// Variants of several parts that matter.
    fn combine(&mut self, base: usize) {
        let Base { args, parts: narrowed, .. } = &self.bases[base];
        let of_base = parts(self.space.spec(), args, true);
        let matter = narrowed.iter().filter(|part| part.matters);
        let matter: Vec<_> =
            matter.filter_map(|part| of_base.iter().find(|own| own.path == part.path)).collect();
        let variant = |turn: u64| {
            let mut variant = args.clone();
            let mut changed: Vec<&Path> = Vec::new();
            for (own, index) in matter.iter().zip(0..) {
                let choice = mixed([self.seed, self.n_turns, turn, index]);
                // Of a part with another value, the own parts may be of other types.
                if choice % 2 == 1 || changed.iter().any(|outer| own.path.starts_with(outer)) {
                    continue;
                }
                let values = self.pool.values(own, choice);
                if let Some(value) = values.one(choice / 2) {
                    variant = replaced(&variant, &own.path, value.clone());
                    changed.push(&own.path);
                }
            }
            variant
        };
        let variants: Vec<Vec<Value>> = (0..COMBINED).map(variant).collect();
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
            Some(_) => self.n_variants <= self.n_other + MOST_AFTER,
            None => self.n_variants <= self.n_other + AHEAD,
        };
        if is_turn && let Some(batch) = self.batch() {
            return Step::Batch(batch);
        }
        if let Some(end) = &self.end {
            let is_idle = self.tasks.is_empty() && self.n_last + self.n_awaited == 0;
            let is_over = !is_turn || (is_idle && !self.may_doubt());
            return if is_over { Step::End(end.clone()) } else { Step::Batch(Batch::Cases(Vec::new())) };
        }
        match self.other.step() {
            Step::Batch(batch) => {
                self.note(&batch);
                Step::Batch(batch)
            }
            Step::End(end) => {
                self.end = Some(end.clone());
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
