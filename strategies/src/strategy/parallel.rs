//! Runs a property on all processors: a proptest runner for every few cases, on the threads of rayon.
//!
//! The cases are divided into the same parts for any number of threads, and each part has a seed of its own, taken
//! from the runner's. The failure in the first failing part is reported, shrunk by a single thread. So the same seed
//! gives the same report on any machine. A failure that doesn't happen again is reported unshrunk.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use proptest::prelude::Rng;
use proptest::strategy::Strategy;
use proptest::test_runner::{
    Config, RngAlgorithm, TestCaseError, TestCaseResult, TestError, TestRng, TestRunner,
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Number of cases in a part.
const PART: u32 = 16;

/// The panic message if the configuration asks for a process of its own for the cases.
const NO_FORK: &str =
    "a parallel run has no process of its own: leave out `fork` and `timeout`, or use `TestRunner::run`";

/// The number of cases of a part, and its seed.
type Part = (u32, [u8; 32]);

/// A failure in a part. The value stays in the part, because it may not be `Send`.
struct Failure {
    index: usize,
    /// Number of earlier runs of the property.
    n_before: u32,
    reason: String,
    is_abort: bool,
}

/// Runs a property on as many cases as the configuration says. Like proptest, it replays the seeds of earlier
/// failures first, and saves the seed of a new one. The limit of global rejects holds for each part of 16 cases. A
/// failure runs twice before it is shrunk. If it passes the second time, it is reported all the same, unshrunk and
/// not saved. With `fork` or `timeout` it aborts.
///
/// ```
/// use proptest::prelude::*;
/// use proptest::test_runner::{Config, TestError};
/// use target_strategies::strategy::parallel;
///
/// let config = Config { failure_persistence: None, ..Config::default() };
/// let small = |n: u32| { prop_assert!(n < 500); Ok(()) };
/// assert!(parallel::run(&config, &(0..500_u32), small).is_ok());
/// assert!(matches!(parallel::run(&config, &(0..5000_u32), small), Err(TestError::Fail(_, 500))));
/// ```
///
/// # Errors
///
/// The first failure, with the smallest value found, as [`TestRunner::run`] gives it.
pub fn run<S: Strategy + Sync>(
    config: &Config,
    strategy: &S,
    test: impl Fn(S::Value) -> TestCaseResult + Sync,
) -> Result<(), TestError<S::Value>> {
    if config.fork() {
        return Err(TestError::Abort(NO_FORK.into()));
    }
    // The default limit of shrinking depends on the number of cases, which is small here.
    let config = Config { max_shrink_iters: config.max_shrink_iters(), ..config.clone() };
    // A runner without cases only replays saved seeds.
    TestRunner::new(Config { cases: 0, ..config.clone() }).run(strategy, &test)?;
    let parts = parts(&config);
    let Some(failure) = first_failure(&config, &parts, strategy, &test) else { return Ok(()) };
    let part = parts[failure.index];
    // Runs it again, to shrink and save it.
    runner(&config, part).run(strategy, test)?;
    Err(unrepeated(&config, part, strategy, failure))
}

fn parts(config: &Config) -> Vec<Part> {
    let mut rng = TestRunner::new(config.clone()).new_rng();
    (0..config.cases)
        .step_by(PART as usize)
        .map(|first| {
            let mut seed = [0; 32];
            seed.chunks_mut(8).for_each(|bytes| bytes.copy_from_slice(&rng.next_u64().to_le_bytes()));
            (PART.min(config.cases - first), seed)
        })
        .collect()
}

/// The failure in the first failing part.
fn first_failure<S: Strategy + Sync>(
    config: &Config,
    parts: &[Part],
    strategy: &S,
    test: &(impl Fn(S::Value) -> TestCaseResult + Sync),
) -> Option<Failure> {
    let first = AtomicUsize::new(usize::MAX);
    let failure: Mutex<Option<Failure>> = Mutex::default();
    let once = unshrunk(config);
    (0..parts.len()).into_par_iter().for_each(|index| {
        // Parts before the first known failure are always run, so that it is the first of all in the end.
        if index > first.load(Ordering::Relaxed) {
            return;
        }
        let n_runs = Cell::new(0);
        let counted = |value| {
            n_runs.set(n_runs.get() + 1);
            test(value)
        };
        let (reason, is_abort) = match runner(&once, parts[index]).run(strategy, counted) {
            Ok(()) => return,
            Err(TestError::Fail(reason, _)) => (reason, false),
            Err(TestError::Abort(reason)) => (reason, true),
        };
        first.fetch_min(index, Ordering::Relaxed);
        let mut known = failure.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref().is_none_or(|known| index < known.index) {
            let n_before = u32::saturating_sub(n_runs.get(), 1);
            *known = Some(Failure { index, n_before, reason: reason.message().to_owned(), is_abort });
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// A failure that didn't happen again, with its value: the part is sampled again up to it.
fn unrepeated<S: Strategy>(
    config: &Config,
    (_, seed): Part,
    strategy: &S,
    failure: Failure,
) -> TestError<S::Value> {
    let reason = format!("{} (once: when the same values ran again, all passed)", failure.reason);
    if !failure.is_abort {
        let left = Cell::new(failure.n_before);
        let fails_there = |_| match left.get() {
            0 => Err(TestCaseError::fail(reason.clone())),
            n => {
                left.set(n - 1);
                Ok(())
            }
        };
        let up_to_it = (failure.n_before.saturating_add(1), seed);
        if let Err(error) = runner(&unshrunk(config), up_to_it).run(strategy, fails_there) {
            return error;
        }
    }
    TestError::Abort(reason.into())
}

fn unshrunk(config: &Config) -> Config {
    Config { max_shrink_iters: 0, failure_persistence: None, ..config.clone() }
}

fn runner(config: &Config, (cases, seed): Part) -> TestRunner {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    TestRunner::new_with_rng(Config { cases, ..config.clone() }, rng)
}
