//! A property on all processors: one proptest runner for each few cases, on the threads of rayon.
//!
//! The cases are divided the same way whatever the number of threads, and each part has a seed of its own, drawn from the
//! runner's. Of several failures the one in the first part is reported, shrunk by a single thread. So the same seed gives the
//! same report on any machine.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::Rng;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestError, TestRng, TestRunner};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// So many cases are one part.
const PART: u32 = 16;

/// Runs a property on as many cases as the configuration says. Seeds of earlier failures are replayed first, and
/// that of a new one is saved, as proptest itself does. The limit of global rejects holds for each part of 16 cases. A failure
/// runs twice before it is shrunk.
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
    // Without cases of its own, a runner replays what was saved.
    TestRunner::new(Config { cases: 0, ..config.clone() }).run(strategy, &test)?;
    let mut rng = TestRunner::new(config.clone()).new_rng();
    let parts: Vec<(u32, [u8; 32])> = (0..config.cases)
        .step_by(PART as usize)
        .map(|first| {
            let mut seed = [0; 32];
            seed.chunks_mut(8).for_each(|bytes| bytes.copy_from_slice(&rng.next_u64().to_le_bytes()));
            (PART.min(config.cases - first), seed)
        })
        .collect();
    let first = AtomicUsize::new(usize::MAX);
    let once = Config { max_shrink_iters: 0, failure_persistence: None, ..config.clone() };
    (0..parts.len()).into_par_iter().for_each(|index| {
        // Parts before the first failure known so far run in any case, so that it is the first of all in the end.
        let is_before = index < first.load(Ordering::Relaxed);
        if is_before && runner(&once, parts[index]).run(strategy, &test).is_err() {
            first.fetch_min(index, Ordering::Relaxed);
        }
    });
    match parts.get(first.into_inner()) {
        None => Ok(()),
        Some(part) => {
            // Once more, the failure shrunk and saved. Left to itself, the runner would take the limit from its few cases.
            let again = Config { max_shrink_iters: config.max_shrink_iters(), ..config.clone() };
            runner(&again, *part).run(strategy, test)
        }
    }
}

fn runner(config: &Config, (cases, seed): (u32, [u8; 32])) -> TestRunner {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    TestRunner::new_with_rng(Config { cases, ..config.clone() }, rng)
}
