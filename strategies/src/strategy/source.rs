//! The sources of argument tuples: the corpus, and the native engine.
//!
//! All sizes are equally likely, and all members of one size are equally likely. A uniform choice among all members
//! would nearly always give large ones. Sizes are counted, small ones first, within a limited effort. The effort is a
//! number of choices, not a time, so that a seed gives the same values on any machine. If not even the smallest size
//! can be counted, members are sampled from the first ones that the engine lists. If it finds none, proptest's own
//! strategies are used, and values that the spec doesn't admit are rejected.
//!
//! A manifest's bounds are meant for listing everything within them. If the bounds are defaults and counting is easy,
//! members are sampled from wider bounds.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use proptest::prelude::Rng;
use proptest::strategy::{SBoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Reason, TestRunner};

use super::host::{self, Condition};
use crate::baseline::random::{Reach, args_strategy};
use crate::child::serve::functions::Results;
use crate::corpus::Corpus;
use crate::logic::eval::Admission;
use crate::logic::ir::{Spec, Term, visit};
use crate::logic::value::Value;
use crate::native::describe::Membership;
use crate::native::{Class, Count, Native};
use crate::shrink;
use crate::space::{Bounds, Space};

/// Maximum number of choices to count sizes.
const COUNTING: u64 = 60_000;

/// Maximum number of choices for which counting all members within the bounds is easy. Then wider bounds are tried.
const EASY: u64 = 1_500;

/// Maximum number of choices to count all members within wider bounds.
const WIDENING: u64 = 12_000;

/// Wider bounds to try, largest first: the depth is at least this, and integers go up to a hundred.
const WIDER: [Bounds; 2] = [Bounds { depth: 6, bound: 100 }, Bounds { depth: 0, bound: 100 }];

/// Maximum number of sizes that are sampled.
const MAX_SIZES: usize = 256;

/// Maximum number of choices to find a first member, if no size can be counted.
const FINDING: u64 = 50_000;

/// Maximum number of members listed, if no size can be counted.
const LISTED: usize = 4096;

/// Maximum number of choices to list members.
const LISTING: u64 = 100_000;

/// Maximum number of small members tried at the end of shrinking.
const SMALLEST: usize = 160;

/// Of each size: the number of first members, and the number of members sampled from all. Neighbours are alike.
const OF_A_SIZE: (usize, u64) = (8, 16);

/// The members of one spec, to sample from.
pub struct Source {
    space: Space,
    conditions: &'static [Condition],
    has_conditions: bool,
    may_reject: bool,
    may_widen: bool,
    given: Vec<Vec<Value>>,
    /// The corpus file, read at the first sample.
    file: Option<&'static str>,
    corpus: OnceLock<CorpusCases>,
    /// Engines that are not in use. There are as many as threads that sampled at once, so no thread waits.
    #[expect(clippy::vec_box, reason = "each sample takes one out and puts it back")]
    idle: Mutex<Vec<Box<Native>>>,
    found: OnceLock<Found>,
    smallest: OnceLock<Vec<Vec<Value>>>,
    /// Results of functions, for calls for which a member has none.
    results: Arc<Results>,
}

/// The cases of the corpus.
#[derive(Default)]
struct CorpusCases {
    /// Cases that somebody chose: counterexamples, examples, kept cases.
    chosen: Vec<Vec<Value>>,
    /// Generated cases, of which there may be many more.
    generated: Vec<Vec<Value>>,
}

/// The results of counting a spec.
struct Found {
    /// The space of fresh members, which may be wider than the one asked for.
    space: Space,
    fresh: Fresh,
}

/// The method to sample fresh members.
enum Fresh {
    /// Sample from these sizes, which were counted.
    Sizes(Vec<u64>),
    /// Sample from these members, which were listed.
    Listed(Vec<Vec<Value>>),
    /// Sample values blindly, and reject those that are no members.
    Blind(SBoxedStrategy<Vec<Value>>),
    /// There is no member.
    None,
}

impl Source {
    pub fn new(spec: Arc<Spec>, bounds: Bounds, conditions: &'static [Condition]) -> Source {
        let mut has_conditions = false;
        for clause in spec.clauses() {
            visit(&clause.term, &mut |term| has_conditions |= matches!(term, Term::Opaque(..)));
        }
        let may_reject = spec.has_collections() || spec.data.iter().any(|data| data.via.is_some());
        let space = Space::new(spec, bounds);
        Source {
            conditions,
            has_conditions,
            may_reject,
            may_widen: false,
            given: Vec::new(),
            file: None,
            corpus: OnceLock::new(),
            idle: Mutex::default(),
            found: OnceLock::new(),
            smallest: OnceLock::new(),
            results: Arc::new(Results::new(space.clone())),
            space,
        }
    }

    /// The same source, with wider bounds if counting is easy.
    pub fn widened(self) -> Source {
        Source { may_widen: true, ..self }
    }

    pub fn within(&self, bounds: Bounds) -> Source {
        let source = Source::new(self.space.spec().clone(), bounds, self.conditions);
        Source { given: self.given.clone(), file: self.file, ..source }
    }

    pub fn with_corpus(&self, entries: &[Vec<Value>], file: Option<&'static str>) -> Source {
        let source = Source::new(self.space.spec().clone(), self.space.bounds(), self.conditions);
        let given = [self.given.as_slice(), entries].concat();
        Source { may_widen: self.may_widen, given, file: file.or(self.file), ..source }
    }

    pub fn space(&self) -> &Space {
        &self.space
    }

    pub fn spec(&self) -> &Spec {
        self.space.spec()
    }

    /// Whether a value may be rejected by the function that builds it, or by an equality of its type.
    pub fn may_reject(&self) -> bool {
        self.may_reject
    }

    /// Whether the whole precondition holds.
    pub fn admits(&self, args: &[Value]) -> bool {
        host::judged(self.spec(), args, self.conditions) == Admission::Admitted
    }

    /// Whether an input that the engine made satisfies the `where` conditions. It satisfies all other conditions.
    pub fn satisfies_conditions(&self, args: &[Value]) -> bool {
        !self.has_conditions || self.admits(args)
    }

    /// Whether an input that the engine listed is a member; an error if the judge can't decide. Called for undecided
    /// inputs and for `where` conditions.
    pub fn is_member(&self, args: &[Value], is_undecided: bool) -> Result<bool, String> {
        if !is_undecided && !self.has_conditions {
            return Ok(true);
        }
        match host::judged(self.spec(), args, self.conditions) {
            Admission::Admitted => Ok(true),
            Admission::Rejected(_) => Ok(false),
            Admission::SpecError { obstacle, .. } => Err(obstacle.to_string()),
        }
    }

    /// Samples from the corpus, if there is one, every second time; and of the corpus, every second time, a case that
    /// somebody chose. The random number for this is used up in any case, so fresh members are the same with and
    /// without a corpus.
    pub fn sample(&self, runner: &mut TestRunner) -> Result<Vec<Value>, Reason> {
        let CorpusCases { chosen, generated } = self.corpus.get_or_init(|| self.read_corpus());
        let coins = runner.rng().next_u64();
        let entries = match (chosen.is_empty(), generated.is_empty()) {
            (true, true) => return self.fresh(runner),
            (false, false) if coins & 2 == 0 => chosen,
            (false, true) => chosen,
            _ => generated,
        };
        if coins & 1 == 0 {
            return Ok(entries[below(entries.len(), runner)].clone());
        }
        self.fresh(runner)
    }

    /// The given cases and those of the file that the spec admits. A missing file is empty.
    fn read_corpus(&self) -> CorpusCases {
        let mut cases = CorpusCases { chosen: self.given.clone(), generated: Vec::new() };
        if let Some(path) = self.file
            && let Ok(text) = std::fs::read_to_string(path)
        {
            let corpus =
                Corpus::read(&text, self.spec()).unwrap_or_else(|mistake| panic!("{path}: {mistake}"));
            if let Some(rejected) = corpus.rejected.first() {
                let (n, first) = (corpus.rejected.len(), &rejected.line);
                eprintln!(
                    "{path}: {n} entries are not what the spec admits, the first is `{first}`: {}",
                    rejected.reason
                );
            }
            for entry in corpus.entries {
                let list = if entry.kind.is_generated() { &mut cases.generated } else { &mut cases.chosen };
                list.push(entry.args);
            }
        }
        cases.chosen.retain(|args| self.admits(args));
        cases.generated.retain(|args| self.admits(args));
        cases
    }

    /// A fresh member.
    pub fn fresh(&self, runner: &mut TestRunner) -> Result<Vec<Value>, Reason> {
        let Found { space, fresh } = self.found();
        loop {
            let args = match fresh {
                Fresh::Sizes(sizes) => {
                    let size = sizes[below(sizes.len(), runner)];
                    self.sample_size(space, size, runner.rng().next_u64())
                }
                Fresh::Listed(listed) => listed[below(listed.len(), runner)].clone(),
                Fresh::Blind(strategy) => strategy.new_tree(runner)?.current(),
                Fresh::None => return Err(self.nothing()),
            };
            let name = &self.spec().name;
            match fresh {
                Fresh::Blind(_) if !self.admits(&args) => runner.reject_local(format!(
                    "`{name}` is beyond the engine that samples members only; narrow it, or lower `depth` or `bound`"
                ))?,
                Fresh::Sizes(_) | Fresh::Listed(_) if !self.satisfies_conditions(&args) => {
                    runner.reject_local(format!("a `where` condition of `{name}`"))?;
                }
                Fresh::Sizes(_) | Fresh::Listed(_) | Fresh::Blind(_) | Fresh::None => return Ok(args),
            }
        }
    }

    /// Whether it is known that no member is within the bounds.
    pub fn is_empty(&self) -> bool {
        matches!(self.found().fresh, Fresh::None)
    }

    fn nothing(&self) -> Reason {
        let Bounds { depth, bound } = self.space.bounds();
        format!("nothing satisfies the spec of `{}` within depth {depth} and bound {bound}", self.spec().name)
            .into()
    }

    /// The `where` conditions of the spec.
    pub fn conditions(&self) -> &'static [Condition] {
        self.conditions
    }

    /// Results of functions, for calls for which a member has none.
    pub fn results(&self) -> &Arc<Results> {
        &self.results
    }

    /// Small members of all sizes, up to a maximum number, in the order of [`shrink::size`].
    pub fn smallest(&self) -> &[Vec<Value>] {
        self.smallest.get_or_init(|| {
            let Found { space, fresh } = self.found();
            let mut found = match fresh {
                Fresh::Sizes(sizes) => {
                    let mut found = Vec::new();
                    for size in sizes {
                        if found.len() < SMALLEST {
                            self.of_size(space, *size, &mut found);
                        }
                    }
                    found
                }
                Fresh::Listed(listed) => listed.iter().take(SMALLEST).cloned().collect(),
                Fresh::Blind(_) | Fresh::None => Vec::new(),
            };
            found.retain(|args| self.satisfies_conditions(args));
            found.sort_by_key(|args| shrink::size(args));
            found.dedup();
            found
        })
    }

    /// Some members of a size.
    fn of_size(&self, space: &Space, size: u64, found: &mut Vec<Vec<Value>>) {
        let (first, anywhere) = OF_A_SIZE;
        let before = found.len();
        self.with_engine(space, |native| list(native, Class::Size(size), before + first, found));
        if found.len() == before + first {
            found.extend((0..anywhere).map(|seed| self.sample_size(space, size, seed)));
        }
    }

    /// Samples a member of a counted size.
    fn sample_size(&self, space: &Space, size: u64, seed: u64) -> Vec<Value> {
        self.with_engine(space, |native| {
            let class = Class::Size(size);
            let sampled = native.sample(class, seed, 0).or_else(|| {
                // A new engine counts for itself. Another engine could count this size, so this one can too.
                let _ = native.count(class, COUNTING);
                native.sample(class, seed, 0)
            });
            sampled.expect("a size is sampled only where it was counted, and has members")
        })
    }

    fn with_engine<R>(&self, space: &Space, work: impl FnOnce(&mut Native) -> R) -> R {
        let lock = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = lock().pop();
        let mut native = idle.unwrap_or_else(|| Box::new(Native::new(space)));
        let result = work(&mut native);
        lock().push(native);
        result
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(|| {
            let (found, native) = self.find_out();
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(native));
            found
        })
    }

    /// Chooses the method to sample, and returns the engine used for that.
    fn find_out(&self) -> (Found, Native) {
        let space = self.space.clone();
        let mut native = Native::new(&space);
        let (sizes, is_whole) = counted(&mut native, COUNTING);
        if self.may_widen && is_whole && !sizes.is_empty() && native.work().1 <= EASY {
            for bounds in WIDER {
                if let Some(wider) = self.wider(bounds) {
                    return wider;
                }
            }
        }
        let fresh = if !sizes.is_empty() {
            Fresh::Sizes(sizes)
        } else if is_whole {
            Fresh::None
        } else {
            self.list_or_sample(&mut native)
        };
        (Found { space, fresh }, native)
    }

    /// The method for wider bounds, if all members within them can be counted.
    fn wider(&self, least: Bounds) -> Option<(Found, Native)> {
        let own = self.space.bounds();
        let bounds = Bounds { depth: own.depth.max(least.depth), bound: own.bound.max(least.bound) };
        let space = Space::new(self.space.spec().clone(), bounds);
        let mut native = Native::new(&space);
        let (sizes, is_whole) = counted(&mut native, WIDENING);
        (is_whole && !sizes.is_empty()).then_some((Found { space, fresh: Fresh::Sizes(sizes) }, native))
    }

    /// The method if no size can be counted.
    fn list_or_sample(&self, native: &mut Native) -> Fresh {
        let mut listed = Vec::new();
        if native.has_member(Class::All, FINDING).is_ok_and(|found| found != Membership::None) {
            list(native, Class::All, LISTED, &mut listed);
            listed.retain(|args| self.admits(args));
        }
        if !listed.is_empty() {
            return Fresh::Listed(listed);
        }
        args_strategy(&self.space, Reach::Bounded).map_or(Fresh::None, Fresh::Blind)
    }
}

/// The sizes that have members, as far as counting them takes at most `effort` choices; and whether these are all
/// sizes.
fn counted(native: &mut Native, effort: u64) -> (Vec<u64>, bool) {
    let mut sizes = Vec::new();
    let mut left = effort;
    for size in native.sizes() {
        let before = native.work().1;
        match native.count(Class::Size(size), left) {
            Ok(Count::Exactly(n)) if n.is_zero() => {}
            Ok(Count::Exactly(_)) => sizes.push(size),
            // Undecided inputs can't be sampled.
            Ok(Count::AtMost(_)) => return (sizes, false),
            // Later sizes are rarely easier to count.
            Err(_) => return (sizes, false),
        }
        left = left.saturating_sub(1 + native.work().1 - before);
        if left == 0 || sizes.len() == MAX_SIZES {
            return (sizes, false);
        }
    }
    (sizes, true)
}

/// Lists the first members of a class, up to `most` members or the limit of choices.
fn list(native: &mut Native, class: Class, most: usize, found: &mut Vec<Vec<Value>>) {
    let last = native.work().1.saturating_add(LISTING);
    let Some(mut cursor) = native.cursor(class) else { return };
    while found.len() < most && native.work().1 < last && native.advance(&mut cursor) {
        found.push(cursor.values().to_vec());
    }
}

/// A random index below `n`. It uses exactly one random number: a generator that returns only zeros, such as
/// proptest's pass-through generator, must not be asked again and again.
fn below(n: usize, runner: &mut TestRunner) -> usize {
    let random = u128::from(runner.rng().next_u64());
    ((random * n as u128) >> 64) as usize
}
