//! Functions as values of a strategy, without a spec.
//!
//! A function is a table that is filled while a test calls it, with results of another strategy. It shrinks to few entries, whose
//! results shrink as those of that strategy.
//!
//! Source: K. Claessen, *Shrinking and showing functions*, Haskell Symposium 2012, which tables all arguments beforehand.

use std::fmt::{self, Debug};
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// Functions from `A` to the values of a strategy. Those of several arguments take a tuple. They are neither `Send` nor `Sync`.
///
/// Shrinking tries constant functions. A test that calls one again and again until it gets another result panics after 100,000 calls.
///
/// ```
/// use proptest::prelude::*;
/// use proptest::test_runner::{Config, TestError, TestRunner};
/// use target_strategies::strategy::functions;
///
/// let strategy = functions::<u8, _>(0..200_i32);
/// let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
/// let result = runner.run(&strategy, |f| {
///     prop_assert!(f(3) < 100);
///     Ok(())
/// });
/// let Err(TestError::Fail(_, f)) = result else { panic!("{result:?}") };
/// assert_eq!(format!("{f:?}"), "|_| 100");
/// ```
pub fn functions<A, S: Strategy>(results: S) -> FunctionStrategy<A, S> {
    FunctionStrategy { results: Arc::new(results), of: std::marker::PhantomData }
}

/// The strategy of [`functions`].
pub struct FunctionStrategy<A, S> {
    results: Arc<S>,
    of: std::marker::PhantomData<fn(A)>,
}

impl<A, S> Clone for FunctionStrategy<A, S> {
    fn clone(&self) -> FunctionStrategy<A, S> {
        FunctionStrategy { results: Arc::clone(&self.results), of: self.of }
    }
}

impl<A, S: Debug> Debug for FunctionStrategy<A, S> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_tuple("FunctionStrategy").field(&self.results).finish()
    }
}

impl<A, S> Strategy for FunctionStrategy<A, S>
where
    A: Clone + Debug + PartialEq + 'static,
    S: Strategy + 'static,
    S::Value: Debug,
{
    type Tree = MappingTree<A, S>;
    type Value = Mapping<A, S::Value>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let default = self.results.new_tree(runner)?;
        let table = Table {
            results: Arc::clone(&self.results),
            // Its random numbers don't depend on how many the test uses for other values.
            runner: TestRunner::new_with_rng(runner.config().clone(), runner.new_rng()),
            entries: Vec::new(),
            default,
            is_closed: false,
            n_defaults: 0,
        };
        Ok(MappingTree { table: Arc::new(Mutex::new(table)), stage: Stage::New })
    }
}

/// A function that [`functions`] made. It is called like a closure; `&*f` is a `&dyn Fn`. `Debug` shows it as a closure, with the
/// results of the calls so far, or before any call, with all that are known.
pub struct Mapping<A, B> {
    call: Box<dyn Fn(A) -> B>,
    entries: Box<dyn Fn() -> Entries<A, B>>,
}

/// Entries, and the result for all other arguments.
type Entries<A, B> = (Vec<(A, B)>, B);

impl<A, B> Deref for Mapping<A, B> {
    type Target = dyn Fn(A) -> B;

    fn deref(&self) -> &Self::Target {
        &*self.call
    }
}

impl<A: Debug, B: Debug> Debug for Mapping<A, B> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let (entries, default) = (self.entries)();
        if entries.is_empty() {
            return write!(out, "|_| {default:?}");
        }
        out.write_str("|x| match x { ")?;
        entries.iter().try_for_each(|(arg, result)| write!(out, "{arg:?} => {result:?}, "))?;
        write!(out, "_ => {default:?} }}")
    }
}

/// The results so far.
struct Table<A, S: Strategy> {
    results: Arc<S>,
    runner: TestRunner,
    /// In the order of the calls.
    entries: Vec<Entry<A, S::Tree>>,
    /// The result of the entries that have none of their own.
    default: S::Tree,
    /// Whether new arguments have the default, so that shrinking ends.
    is_closed: bool,
    /// Number of calls of this run with the default.
    n_defaults: u32,
}

struct Entry<A, T> {
    arg: A,
    /// Its result; `None` for the default.
    own: Option<T>,
    /// Whether the last run asked for it.
    is_used: bool,
}

impl<A: Clone + PartialEq, S: Strategy> Table<A, S> {
    fn result(&mut self, arg: A) -> S::Value {
        let mut at = self.entries.iter().position(|entry| entry.arg == arg);
        if at.is_none() && !self.is_closed {
            // Where the strategy gives up, the default is as good as any.
            let own = self.results.new_tree(&mut self.runner).ok();
            self.entries.push(Entry { arg, own, is_used: false });
            at = Some(self.entries.len() - 1);
        }
        let own = at.map(|at| &mut self.entries[at]).and_then(|entry| {
            entry.is_used = true;
            entry.own.as_ref()
        });
        if let Some(own) = own {
            return own.current();
        }
        self.n_defaults += u32::from(self.is_closed);
        assert!(
            !self.is_endless(),
            "{MOST_DEFAULTS} calls have the same result: the test may wait for another one"
        );
        self.default.current()
    }

    /// Whether the run was ended because a test may wait in vain for another result.
    fn is_endless(&self) -> bool {
        self.n_defaults > MOST_DEFAULTS
    }

    fn shown(&self) -> Entries<A, S::Value> {
        let is_new = self.entries.iter().all(|entry| !entry.is_used);
        let shown = self.entries.iter().filter(|entry| is_new || entry.is_used);
        let shown = shown.filter_map(|entry| Some((entry.arg.clone(), entry.own.as_ref()?.current())));
        (shown.collect(), self.default.current())
    }
}

impl<A, S: Strategy> Table<A, S> {
    /// The tree of a result, unless it is the default's.
    fn result_of(&mut self, part: Part) -> Option<&mut S::Tree> {
        match part {
            Part::Entry(at) => self.entries.get_mut(at)?.own.as_mut(),
            Part::Default => Some(&mut self.default),
        }
    }
}

/// The tree of a [`FunctionStrategy`]. First it tries constant functions, then it drops entries, so that their arguments have the
/// default, then it shrinks results.
pub struct MappingTree<A, S: Strategy> {
    table: Arc<Mutex<Table<A, S>>>,
    stage: Stage<S::Tree>,
}

/// What shrinking tries.
enum Stage<T> {
    New,
    /// All entries have the result of the one with this index, which has changed places with the default. The others are kept here.
    Constant(usize, Vec<Option<T>>),
    /// Entries from index `first` on are dropped, up to `size`; their results are kept here.
    Dropped {
        first: usize,
        size: usize,
        own: Vec<Option<T>>,
    },
    /// A result shrinks.
    Shrinking(Part),
    /// What failed last runs once more, so that the last run is one that fails.
    Again,
    Over,
}

/// Whose result it is.
#[derive(Clone, Copy)]
enum Part {
    /// That of the entry with this index.
    Entry(usize),
    Default,
}

/// Maximum number of calls of a run with the default, while a function shrinks.
const MOST_DEFAULTS: u32 = 100_000;

/// Number of entries whose results are tried as constants.
const CONSTANTS: usize = 16;

impl<A, S: Strategy> MappingTree<A, S> {
    fn table(&self) -> MutexGuard<'_, Table<A, S>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the last result before an index the only one, or begins to drop entries.
    fn make_constant(&mut self, end: usize, mut own: Vec<Option<S::Tree>>) -> bool {
        let mut table = self.table();
        let least = own.len().saturating_sub(CONSTANTS);
        let found = (least..end).rev().find(|at| own[*at].is_some());
        if let Some(at) = found
            && let Some(result) = &mut own[at]
        {
            std::mem::swap(&mut table.default, result);
            drop(table);
            self.stage = Stage::Constant(at, own);
            return true;
        }
        table.entries.iter_mut().zip(own).for_each(|(entry, own)| entry.own = own);
        let n = table.entries.len();
        drop(table);
        self.drop_before(n, n)
    }

    /// Drops entries before an index, up to `size`, or fewer at a time; or begins to shrink results.
    fn drop_before(&mut self, mut end: usize, mut size: usize) -> bool {
        let mut table = self.table();
        while size > 0 {
            let first = end.saturating_sub(size);
            let own: Vec<_> = table.entries[first..end].iter_mut().map(|entry| entry.own.take()).collect();
            if own.iter().any(Option::is_some) {
                drop(table);
                self.stage = Stage::Dropped { first, size, own };
                return true;
            }
            (end, size) = if first > 0 { (first, size) } else { (table.entries.len(), size / 2) };
        }
        drop(table);
        self.shrink_from(Part::Entry(0))
    }

    /// Shrinks the first result that can be, from one on.
    fn shrink_from(&mut self, first: Part) -> bool {
        let mut table = self.table();
        let n = table.entries.len();
        let first = if let Part::Entry(at) = first { at } else { n };
        let parts = (first..n).map(Part::Entry).chain([Part::Default]);
        let found = { parts }.find(|part| table.result_of(*part).is_some_and(ValueTree::simplify));
        drop(table);
        self.stage = found.map_or(Stage::Over, Stage::Shrinking);
        found.is_some()
    }

    /// Goes on after a run that did not fail. What failed last is the function again.
    fn go_back(&mut self) -> bool {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::New | Stage::Again | Stage::Over => return false,
            Stage::Constant(at, mut own) => {
                if let Some(result) = &mut own[at] {
                    std::mem::swap(&mut self.table().default, result);
                }
                self.make_constant(at, own);
            }
            Stage::Dropped { first, size, own } => {
                self.table().entries[first..].iter_mut().zip(own).for_each(|(entry, own)| entry.own = own);
                self.drop_before(first, size);
            }
            Stage::Shrinking(part) => {
                if self.table().result_of(part).is_some_and(ValueTree::complicate) {
                    self.stage = Stage::Shrinking(part);
                } else if let Part::Entry(at) = part {
                    self.shrink_from(Part::Entry(at + 1));
                }
            }
        }
        if matches!(self.stage, Stage::Over) {
            self.stage = Stage::Again;
        }
        true
    }
}

impl<A, S> ValueTree for MappingTree<A, S>
where
    A: Clone + Debug + PartialEq + 'static,
    S: Strategy + 'static,
    S::Value: Debug,
{
    type Value = Mapping<A, S::Value>;

    fn current(&self) -> Self::Value {
        let mut table = self.table();
        table.entries.iter_mut().for_each(|entry| entry.is_used = false);
        table.n_defaults = 0;
        drop(table);
        let (called, shown) = (Arc::clone(&self.table), Arc::clone(&self.table));
        Mapping {
            call: Box::new(move |arg| called.lock().unwrap_or_else(PoisonError::into_inner).result(arg)),
            entries: Box::new(move || shown.lock().unwrap_or_else(PoisonError::into_inner).shown()),
        }
    }

    fn simplify(&mut self) -> bool {
        if self.table().is_endless() && !matches!(self.stage, Stage::New) {
            return self.go_back();
        }
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::New => {
                let mut table = self.table();
                table.is_closed = true;
                let own: Vec<_> = table.entries.iter_mut().map(|entry| entry.own.take()).collect();
                drop(table);
                self.make_constant(own.len(), own)
            }
            Stage::Constant(..) => self.shrink_from(Part::Default),
            Stage::Dropped { first, size, .. } => self.drop_before(first, size),
            Stage::Shrinking(part) => self.shrink_from(part),
            Stage::Again | Stage::Over => false,
        }
    }

    fn complicate(&mut self) -> bool {
        self.go_back()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::any;
    use proptest::test_runner::{Config, TestError};

    use super::*;

    /// How the least failing function is shown.
    fn least<A, S>(
        strategy: &FunctionStrategy<A, S>,
        fails: impl Fn(&dyn Fn(A) -> S::Value) -> bool,
    ) -> String
    where
        A: Clone + Debug + PartialEq + 'static,
        S: Strategy + 'static,
        S::Value: Debug,
    {
        let mut runner = TestRunner::deterministic();
        let mut tree = (0..1000)
            .map(|_| strategy.new_tree(&mut runner).expect("no result is rejected"))
            .find(|tree| fails(&*tree.current()))
            .expect("some function fails");
        let mut goes_on = tree.simplify();
        while goes_on {
            goes_on = if fails(&*tree.current()) { tree.simplify() } else { tree.complicate() };
        }
        let least = tree.current();
        let shown = format!("{least:?}");
        assert!(fails(&*least), "{shown}");
        assert_eq!(format!("{:?}", tree.current()), format!("{least:?}"));
        shown
    }

    #[test]
    fn functions_shrink_to_few_entries() {
        assert_eq!(least(&functions::<u8, _>(0..200_i32), |f| f(3) >= 100), "|_| 100");
        let shown =
            least(&functions::<u8, _>(0..200_i32), |f| (0..50).map(f).filter(|n| *n > 150).count() > 2);
        assert_eq!(shown, "|_| 151");
        let shown = least(&functions::<u8, _>(any::<bool>()), |f| (0..50).any(f) && !(0..50).all(f));
        assert!(shown.contains(" => true, _ => false }") && shown.matches("=>").count() == 2, "{shown}");
        let shown = least(&functions::<(u8, u8), _>(0..9_u8), |f| f((1, 2)) > f((2, 1)));
        let both = ["|x| match x { (1, 2) => 1, _ => 0 }", "|x| match x { (2, 1) => 0, _ => 1 }"];
        assert!(both.contains(&shown.as_str()), "{shown}");
    }

    #[test]
    fn what_is_asked_only_by_runs_that_pass_changes_nothing() {
        let fails = |f: &dyn Fn(u8) -> i32| f(0) >= 100 || f(1) < 0;
        assert_eq!(least(&functions::<u8, _>(0..200_i32), fails), "|_| 100");
    }

    #[test]
    fn no_entry_stays_that_is_not_needed() {
        let fails = |f: &dyn Fn(u8) -> bool| (0..5).map(f).filter(|is| *is).count() > 0 && f(1) && !f(0);
        assert_eq!(least(&functions::<u8, _>(any::<bool>()), fails), "|x| match x { 1 => true, _ => false }");
    }

    #[test]
    fn a_search_that_ends_with_random_results_ends() {
        let fails = |f: &dyn Fn(u64) -> bool| {
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (0..).find(|n| f(*n))));
            found.is_err() || found.is_ok_and(|n| n > Some(2))
        };
        let shown = least(&functions::<u64, _>(any::<bool>()), fails);
        assert_eq!(shown.matches("=> false").count(), 3, "{shown}");
    }

    #[test]
    fn filters_and_functions_go_together() {
        let config = Config { failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRunner::deterministic().new_rng());
        let unlike = functions::<u8, _>((0..200_i32).no_shrink()).prop_filter("unlike", |f| f(0) != f(1));
        let result = runner.run(&(unlike, 0..9_u8), |_| Err(proptest::test_runner::TestCaseError::fail("")));
        let Err(TestError::Fail(_, (f, n))) = result else { panic!("{result:?}") };
        assert!(f(0) != f(1) && n == 0, "{f:?} {n}");
    }

    #[test]
    fn the_same_arguments_have_the_same_result() {
        let mut runner = TestRunner::deterministic();
        let tree = functions::<String, _>(any::<u32>()).new_tree(&mut runner).expect("no result is rejected");
        let f = tree.current();
        let results: Vec<u32> = ["a", "b", "c"].map(|x| f(x.to_owned())).into();
        assert_eq!(["a", "b", "c"].map(|x| f(x.to_owned())).to_vec(), results);
        assert!(results[0] != results[1] && results[1] != results[2]);
        assert_eq!(tree.current()("b".to_owned()), results[1]);
    }

    #[test]
    fn functions_next_to_other_values_keep_what_fails() {
        let config = Config { failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRunner::deterministic().new_rng());
        let strategy = (0..100_u8, functions::<u8, _>(0..100_u8));
        let result = runner.run(&strategy, |(n, f)| {
            proptest::prop_assert!(n < 10 || f(n) < 50);
            Ok(())
        });
        let Err(TestError::Fail(_, (n, f))) = result else { panic!("{result:?}") };
        assert!(n >= 10 && f(n) == 50, "{n}, {f:?}");
        assert_eq!(format!("{f:?}"), "|_| 50");
    }
}
