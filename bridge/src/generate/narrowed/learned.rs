//! What is known of a function from the traces of its cases, and the variants that follow from it.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU32;

use target_strategies::child::protocol::Trace;
use target_strategies::dice::Dice;
use target_strategies::logic::collection::ordered;
use target_strategies::logic::ir::Spec;
use target_strategies::logic::part::{Path, parts, replaced};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::edits::{edited, is_editable};
use super::pool::Pool;

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

/// Percentage of those edits that are of a base that was the first to run a piece of code, or so often.
const FIRST: u64 = 70;

/// Maximum number of parts of a base.
const MOST_PARTS: usize = 48;

/// Maximum number of bases, and of those that only were the first with their set of pieces: a bound on memory and time.
const MOST_BASES: usize = 4_000;
const MOST_SETS: usize = 1_000;

/// Number of hashes of cases from which on they are forgotten between rounds: a bound on memory. Then variants may come twice.
const MOST_KNOWN: usize = 200_000;

/// A case that was the first to run its pieces of code, or one of them so often.
pub(super) struct Base {
    args: Vec<Value>,
    pieces: NonZeroU32,
    /// Whether it was the first to run one of them, or so often.
    is_first: bool,
    /// The parts that are varied.
    pub parts: Vec<Narrowed>,
}

/// A part of a base.
pub(super) struct Narrowed {
    pub path: Path,
    /// Whether some variant of it ran other code.
    pub matters: bool,
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

/// A variant of a base; of one part, if it is to tell whether that matters.
pub(super) struct Variant {
    pub args: Vec<Value>,
    pub base: usize,
    pub part: Option<usize>,
}

/// What is known of a function.
pub(super) struct Learned {
    dice: Dice,
    pool: Pool,
    pub bases: Vec<Base>,
    tasks: VecDeque<Task>,
    /// The texts and lists that matter, by their bases and indexes: all, and those of bases that were the first to run a piece,
    /// or so often.
    editable: Vec<(usize, usize)>,
    first_editable: Vec<(usize, usize)>,
    /// Number of edits since the last case that ran new code.
    n_vain_edits: u64,
    /// Variants that wait to be sent.
    pub variants: VecDeque<Variant>,
    /// The sets of pieces of code that ran together.
    pub pieces: HashSet<NonZeroU32>,
    /// The same, with how often they ran.
    pub counts: HashSet<u32>,
    /// Number of bases that were the first with their set of pieces only.
    n_sets: usize,
    /// The hashes of all cases but those that the child makes.
    known: HashSet<u64>,
    /// Number of looks at parts that don't seem to matter.
    n_doubts: usize,
}

impl Learned {
    /// Nothing is known.
    pub fn new(space: &Space, seed: u64) -> Learned {
        Learned {
            pool: Pool::of(space),
            dice: Dice::new(seed, 0),
            bases: Vec::new(),
            tasks: VecDeque::new(),
            editable: Vec::new(),
            first_editable: Vec::new(),
            n_vain_edits: 0,
            variants: VecDeque::new(),
            pieces: HashSet::new(),
            counts: HashSet::new(),
            n_sets: 0,
            known: HashSet::new(),
            n_doubts: 0,
        }
    }

    /// The same, for another generator.
    pub fn resumed(mut self) -> Learned {
        if self.known.len() > MOST_KNOWN {
            self.known = HashSet::new();
        }
        self
    }

    /// Takes note of a case of the other generator.
    pub fn note_case(&mut self, spec: &Spec, args: &[Value]) {
        self.pool.add(&parts(spec, args, true));
        self.known.insert(hash(args));
    }

    /// The pieces of code that a base ran.
    pub fn pieces_of(&self, base: usize) -> NonZeroU32 {
        self.bases[base].pieces
    }

    /// Takes note of a case that passed, and returns whether it ran new code.
    pub fn note_trace(&mut self, spec: &Spec, args: Vec<Value>, trace: Trace) -> bool {
        let is_new_set = self.pieces.insert(trace.pieces);
        // A child doesn't know what ran in those before it.
        let is_new_count = self.counts.len() < MOST_KNOWN && self.counts.insert(trace.counts);
        let is_first = trace.is_first && is_new_count;
        let is_new = is_new_set || is_first;
        if is_new {
            self.n_vain_edits = 0;
            self.add_base(spec, args, trace.pieces, is_first);
        }
        is_new
    }

    /// Whether there are more variants to make without further cases.
    pub fn has_work(&self) -> bool {
        !self.tasks.is_empty() || self.is_worth_editing()
    }

    fn add_base(&mut self, spec: &Spec, args: Vec<Value>, pieces: NonZeroU32, is_first: bool) {
        self.n_sets += usize::from(!is_first);
        if self.bases.len() >= MOST_BASES || !is_first && self.n_sets > MOST_SETS {
            return;
        }
        let all = parts(spec, &args, true);
        self.pool.add(&all);
        let n_first = FEW_PARTS.max(args.len());
        let narrowed: Vec<Narrowed> = all
            .into_iter()
            .take(n_first)
            .map(|part| Narrowed { path: part.path, matters: false, n_tried: 0 })
            .collect();
        let base = self.bases.len();
        self.bases.push(Base { parts: narrowed, args, pieces, is_first });
        let probes = (0..self.bases[base].parts.len()).map(|part| Task::Probe { base, part });
        self.tasks.extend(probes);
    }

    /// A part matters: its values and its own parts are worth trying, also with those of the others.
    pub fn note_matters(&mut self, spec: &Spec, base: usize, part: usize) {
        let Base { args, parts: narrowed, is_first, .. } = &mut self.bases[base];
        if std::mem::replace(&mut narrowed[part].matters, true) {
            return;
        }
        let path = narrowed[part].path.clone();
        self.tasks.push_back(Task::Sweep { base, part });
        let all = parts(spec, args, true);
        if all.iter().any(|own| own.path == path && is_editable(own.refined)) {
            self.editable.push((base, part));
            if *is_first {
                self.first_editable.push((base, part));
            }
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
    ///
    /// `is_alone` says whether the other generator has ended.
    pub fn work(&mut self, spec: &Spec, is_alone: bool) {
        let Some(task) = self.tasks.pop_front().or_else(|| self.idle(is_alone)) else { return };
        match task {
            Task::Probe { base, part } => self.vary(spec, base, part, false),
            Task::Sweep { base, part } => self.vary(spec, base, part, true),
            Task::Combine { base } => self.combine(spec, base),
            Task::Edit { base, part } => self.edit(spec, base, part),
        }
    }

    /// What there is to do without tasks.
    fn idle(&mut self, is_alone: bool) -> Option<Task> {
        let may_edit = self.is_worth_editing() && (is_alone || self.dice.percent(EDITED));
        let edit = if may_edit { self.edit_again() } else { None };
        edit.or_else(|| if is_alone { None } else { self.doubt() })
    }

    /// Whether further edits are likely to run new code.
    fn is_worth_editing(&self) -> bool {
        !self.editable.is_empty() && self.n_vain_edits < VAIN_EDITS
    }

    /// A part to edit once more, often one of the newest.
    fn edit_again(&mut self) -> Option<Task> {
        let is_first = !self.first_editable.is_empty() && self.dice.percent(FIRST);
        let editable = if is_first { &self.first_editable } else { &self.editable };
        let n = editable.len();
        let newest = 1 + self.dice.index(n.max(1));
        let at = n.checked_sub(1 + self.dice.index(newest))?;
        let (base, part) = editable[at];
        Some(Task::Edit { base, part })
    }

    /// Another look at a part that doesn't seem to matter: few of its values were tried.
    fn doubt(&mut self) -> Option<Task> {
        if self.bases.is_empty() {
            return None;
        }
        let (base, part) = (self.n_doubts % self.bases.len(), self.n_doubts / self.bases.len());
        self.n_doubts += 1;
        let narrowed = &self.bases[base].parts;
        let part = part % narrowed.len().max(1);
        narrowed.get(part).filter(|part| !part.matters).map(|_| Task::Probe { base, part })
    }

    /// Variants of one part: with all its values, or with few.
    fn vary(&mut self, spec: &Spec, base: usize, part: usize, all: bool) {
        let Base { args, parts: narrowed, .. } = &mut self.bases[base];
        let Narrowed { path, n_tried, .. } = &mut narrowed[part];
        let of_base = parts(spec, args, true);
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
        variants.into_iter().for_each(|variant| self.send(spec, variant, base, Some(part)));
    }

    /// Variants of several parts that matter.
    fn combine(&mut self, spec: &Spec, base: usize) {
        let Base { args, parts: narrowed, .. } = &self.bases[base];
        let of_base = parts(spec, args, true);
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
        variants.into_iter().for_each(|variant| self.send(spec, variant, base, None));
    }

    /// Edits of one part.
    fn edit(&mut self, spec: &Spec, base: usize, part: usize) {
        let Base { args, parts: narrowed, .. } = &self.bases[base];
        let of_base = parts(spec, args, true);
        let Some(own) = of_base.iter().find(|own| own.path == narrowed[part].path) else { return };
        let edited = (0..EDITS).filter_map(|_| edited(own, &self.pool, &mut self.dice));
        let variants: Vec<Vec<Value>> = edited.map(|value| replaced(args, &own.path, value)).collect();
        self.n_vain_edits += variants.len() as u64;
        variants.into_iter().for_each(|variant| self.send(spec, variant, base, None));
    }

    fn send(&mut self, spec: &Spec, args: Vec<Value>, base: usize, part: Option<usize>) {
        let in_form = args.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
        let args: Vec<Value> = in_form.collect();
        if self.known.insert(hash(&args)) {
            self.variants.push_back(Variant { args, base, part });
        }
    }
}

fn hash(args: &[Value]) -> u64 {
    let mut hasher = DefaultHasher::new();
    args.hash(&mut hasher);
    hasher.finish()
}
