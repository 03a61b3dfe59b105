//! Where argument tuples come from: the corpus, and the native engine.
//!
//! Of the engine's members those of a size are as likely as those of another, and of one size each is as likely as any
//! other: of all members together nearly all would be large. Sizes are counted, small ones first, until that took
//! a certain effort. It is counted in choices, not in time, so that a seed gives the same values on any machine. Where not
//! even the smallest can be counted, draws are from the first members that the engine lists; where it doesn't find one
//! either, from proptest's own strategies, rejecting what the spec doesn't admit.
//!
//! The bounds of a manifest are for listing all there is within them. Where nobody asked for certain bounds and counting
//! is easy, draws are from wider ones.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use proptest::prelude::Rng;
use proptest::strategy::{SBoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Reason, TestRunner};

use super::{Condition, host};
use crate::corpus::Corpus;
use crate::eval::{Admission, Judge};
use crate::ir::{Spec, Term, visit};
use crate::native::{Class, Count, Native};
use crate::random::{Reach, args_strategy};
use crate::shrink;
use crate::space::{Bounds, Space};
use crate::value::Value;

/// The engine may make so many choices to count sizes.
const COUNTING: u64 = 60_000;

/// Where all within the bounds took no more choices than this, counting is easy.
const EASY: u64 = 1_500;

/// The engine may make so many to count all within wider bounds.
const WIDENING: u64 = 12_000;

/// The wider bounds: lists of so many elements, or as many as there were; integers up to a hundred.
const WIDE: [Bounds; 2] = [Bounds { depth: 6, bound: 100 }, Bounds { depth: 0, bound: 100 }];

/// More sizes than this are not drawn from.
const MAX_SIZES: usize = 256;

/// So many choices may be made to find a first member where none can be counted.
const FINDING: u64 = 50_000;

/// So many members are listed where none can be counted.
const LISTED: usize = 4096;

/// Listing ends after so many choices in any case.
const LISTING: u64 = 100_000;

/// So many small members are tried in place of a failing one.
const SMALLEST: usize = 160;

/// Of each size so many, the first ones; and so many from anywhere, since neighbours are alike.
const OF_A_SIZE: (usize, u64) = (8, 16);

/// What the members of one spec are drawn from.
pub struct Source {
    space: Space,
    conditions: &'static [Condition],
    has_conditions: bool,
    may_refuse: bool,
    may_widen: bool,
    given: Vec<Vec<Value>>,
    /// The corpus file that is read at the first draw.
    file: Option<&'static str>,
    corpus: OnceLock<Drawn>,
    /// Engines that are not in use: as many as threads ever drew at once, so that none waits for another.
    #[expect(clippy::vec_box, reason = "each draw takes one out and puts it back")]
    idle: Mutex<Vec<Box<Native>>>,
    found: OnceLock<Found>,
    smallest: OnceLock<Vec<Vec<Value>>>,
}

/// The corpus, as it is drawn from.
#[derive(Default)]
struct Drawn {
    /// What somebody chose: counterexamples, examples, what was kept.
    chosen: Vec<Vec<Value>>,
    /// What was generated, of which there may be a lot more.
    generated: Vec<Vec<Value>>,
}

/// What was found out about a spec.
struct Found {
    /// The space that fresh members are drawn from, which may be wider than the one asked for.
    space: Space,
    fresh: Fresh,
}

/// How fresh members are drawn.
enum Fresh {
    /// From these sizes, which were counted.
    Sizes(Vec<u64>),
    /// From these, which were listed.
    Listed(Vec<Vec<Value>>),
    /// Blindly.
    Blind(SBoxedStrategy<Vec<Value>>),
    /// There is none.
    None,
}

impl Source {
    pub fn new(spec: Arc<Spec>, bounds: Bounds, conditions: &'static [Condition]) -> Source {
        let mut has_conditions = false;
        for clause in spec.clauses() {
            visit(&clause.term, &mut |term| has_conditions |= matches!(term, Term::Opaque(..)));
        }
        let may_refuse = spec.has_collections() || spec.data.iter().any(|data| data.via.is_some());
        Source {
            space: Space::new(spec, bounds),
            conditions,
            has_conditions,
            may_refuse,
            may_widen: false,
            given: Vec::new(),
            file: None,
            corpus: OnceLock::new(),
            idle: Mutex::default(),
            found: OnceLock::new(),
            smallest: OnceLock::new(),
        }
    }

    /// The same, to be drawn from within wider bounds where that is easy.
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

    /// Whether a value may be refused by the function that builds it, or by an equality of its type's own.
    pub fn may_refuse(&self) -> bool {
        self.may_refuse
    }

    /// Whether the whole precondition holds.
    pub fn admits(&self, args: &[Value]) -> bool {
        host::admits(self.spec(), args, self.conditions)
    }

    /// Whether what the engine made satisfies the `where` conditions; it satisfies everything else.
    pub fn satisfies_conditions(&self, args: &[Value]) -> bool {
        !self.has_conditions || self.admits(args)
    }

    /// Whether what the engine listed is a member: the judge is asked where the engine gave up.
    pub fn is_member(&self, args: &[Value], is_undecided: bool) -> bool {
        if is_undecided { self.admits(args) } else { self.satisfies_conditions(args) }
    }

    /// Whether the judge can tell whether the spec admits the arguments.
    pub fn can_judge(&self, args: &[Value]) -> bool {
        !matches!(Judge::new(None).precondition(self.spec(), args), Admission::SpecError { .. })
    }

    /// Every second time from the corpus, if there is one; of that, every second time from what somebody chose. The random
    /// number that decides is taken in any case: what is fresh with a corpus is the same without.
    pub fn draw(&self, runner: &mut TestRunner) -> Result<Vec<Value>, Reason> {
        let Drawn { chosen, generated } = self.corpus.get_or_init(|| self.read_corpus());
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

    /// What was given and what the file holds, as far as the spec admits it. A file that is not there is empty.
    fn read_corpus(&self) -> Drawn {
        let mut drawn = Drawn { chosen: self.given.clone(), generated: Vec::new() };
        if let Some(path) = self.file
            && let Ok(text) = std::fs::read_to_string(path)
        {
            let corpus =
                Corpus::read(&text, self.spec()).unwrap_or_else(|mistake| panic!("{path}: {mistake}"));
            if let Some(refused) = corpus.refused.first() {
                let (n, first) = (corpus.refused.len(), &refused.line);
                eprintln!(
                    "{path}: {n} entries are not what the spec admits, the first is `{first}`: {}",
                    refused.reason
                );
            }
            for entry in corpus.entries {
                let list = if entry.kind.is_generated() { &mut drawn.generated } else { &mut drawn.chosen };
                list.push(entry.args);
            }
        }
        drawn.chosen.retain(|args| self.admits(args));
        drawn.generated.retain(|args| self.admits(args));
        drawn
    }

    /// A fresh member.
    pub fn fresh(&self, runner: &mut TestRunner) -> Result<Vec<Value>, Reason> {
        let Found { space, fresh } = self.found();
        loop {
            let args = match fresh {
                Fresh::Sizes(sizes) => {
                    let size = sizes[below(sizes.len(), runner)];
                    self.sample(space, size, runner.rng().next_u64())
                }
                Fresh::Listed(listed) => listed[below(listed.len(), runner)].clone(),
                Fresh::Blind(strategy) => strategy.new_tree(runner)?.current(),
                Fresh::None => return Err(self.nothing()),
            };
            let name = &self.spec().name;
            match fresh {
                Fresh::Blind(_) if !self.admits(&args) => runner.reject_local(format!(
                    "`{name}` is beyond the engine that draws members only; narrow it, or lower `depth` or `bound`"
                ))?,
                Fresh::Sizes(_) | Fresh::Listed(_) if !self.satisfies_conditions(&args) => {
                    runner.reject_local(format!("a `where` condition of `{name}`"))?;
                }
                _ => return Ok(args),
            }
        }
    }

    /// Whether it is known that there is no member within the bounds.
    pub fn is_empty(&self) -> bool {
        matches!(self.found().fresh, Fresh::None)
    }

    fn nothing(&self) -> Reason {
        let Bounds { depth, bound } = self.space.bounds();
        format!("nothing satisfies the spec of `{}` within depth {depth} and bound {bound}", self.spec().name)
            .into()
    }

    /// Small members of all sizes, until there are enough, in the order of [`shrink::size`].
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
            found.extend((0..anywhere).map(|seed| self.sample(space, size, seed)));
        }
    }

    /// A member of a size that was counted.
    fn sample(&self, space: &Space, size: u64, seed: u64) -> Vec<Value> {
        self.with_engine(space, |native| {
            let class = Class::Size(size);
            let drawn = native.sample(class, seed, 0).or_else(|| {
                // An engine that is new counts for itself; another one could, so it can.
                let _ = native.count(class, COUNTING);
                native.sample(class, seed, 0)
            });
            drawn.expect("a size is drawn from where it was counted, and has members")
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

    /// How to draw, and the engine that found it out.
    fn find_out(&self) -> (Found, Native) {
        let space = self.space.clone();
        let mut native = Native::new(&space);
        let (sizes, is_whole) = counted(&mut native, COUNTING);
        if self.may_widen && is_whole && !sizes.is_empty() && native.work().1 <= EASY {
            for wide in WIDE {
                if let Some(wider) = self.wider(wide) {
                    return wider;
                }
            }
        }
        let fresh = match sizes.is_empty() {
            true if is_whole => Fresh::None,
            true => self.list_or_draw(&mut native),
            false => Fresh::Sizes(sizes),
        };
        (Found { space, fresh }, native)
    }

    /// The same for wider bounds, if all within them can be counted.
    fn wider(&self, wide: Bounds) -> Option<(Found, Native)> {
        let own = self.space.bounds();
        let bounds = Bounds { depth: own.depth.max(wide.depth), bound: own.bound.max(wide.bound) };
        let space = Space::new(self.space.spec().clone(), bounds);
        let mut native = Native::new(&space);
        let (sizes, is_whole) = counted(&mut native, WIDENING);
        (is_whole && !sizes.is_empty()).then_some((Found { space, fresh: Fresh::Sizes(sizes) }, native))
    }

    /// Where no size can be counted.
    fn list_or_draw(&self, native: &mut Native) -> Fresh {
        let mut listed = Vec::new();
        if native.has_member(Class::All, FINDING) == Ok(true) {
            list(native, Class::All, LISTED, &mut listed);
            listed.retain(|args| self.admits(args));
        }
        if !listed.is_empty() {
            return Fresh::Listed(listed);
        }
        args_strategy(self.spec(), self.space.bounds(), Reach::Bounded).map_or(Fresh::None, Fresh::Blind)
    }
}

/// The sizes that have members, as far as they can be counted with so many choices; whether these are all.
fn counted(native: &mut Native, effort: u64) -> (Vec<u64>, bool) {
    let mut sizes = Vec::new();
    let mut left = effort;
    for size in native.sizes() {
        let before = native.work().1;
        match native.count(Class::Size(size), left) {
            Ok(Count::Exactly(n)) if n.is_zero() => {}
            Ok(Count::Exactly(_)) => sizes.push(size),
            // What the judge gave up on can't be drawn.
            Ok(Count::AtMost(_)) => return (sizes, false),
            // Those after one that is too much are rarely easier.
            Err(_) => return (sizes, false),
        }
        left = left.saturating_sub(1 + native.work().1 - before);
        if left == 0 || sizes.len() == MAX_SIZES {
            return (sizes, false);
        }
    }
    (sizes, true)
}

/// Lists the first members of a class until there are so many, or it was too much work.
fn list(native: &mut Native, class: Class, most: usize, found: &mut Vec<Vec<Value>>) {
    let last = native.work().1.saturating_add(LISTING);
    let Some(mut cursor) = native.cursor(class) else { return };
    while found.len() < most && native.work().1 < last && native.advance(&mut cursor) {
        found.push(cursor.values().to_vec());
    }
}

/// An index below a number. It takes one random number whatever that is: a generator that gives nothing but zeros, as
/// proptest has one, must not be asked again and again.
fn below(n: usize, runner: &mut TestRunner) -> usize {
    let random = u128::from(runner.rng().next_u64());
    ((random * n as u128) >> 64) as usize
}
