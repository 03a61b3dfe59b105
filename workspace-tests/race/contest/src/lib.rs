//! Runs the four generators that were written by hand for one bug, ten times each, and prints one line of JSON a contestant.
//!
//! A round ends with the first failure, after 10,000 valid cases, or after the time limit. A panic of the function under test is a
//! failure. Invalid cases are not counted, but take time. Nothing is shrunk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub use bolero_generator::{self as bolero, ValueGenerator};
pub use hegel::{self, TestCase, generators as gs};
pub use proptest;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rand_core::SeedableRng;

/// The seeds of the rounds.
const SEEDS: std::ops::Range<u64> = 0..10;
/// The most valid cases of a round.
const CASES: u64 = 10_000;

/// One bug: what is valid, what must hold, and how inputs are made.
pub struct Subject<T, E, Q, B, H> {
    pub bug: &'static str,
    /// The precondition, which only simple generators break.
    pub valid: fn(&T) -> bool,
    /// The postcondition.
    pub holds: fn(T) -> bool,
    /// A proptest strategy as an expert writes it.
    pub expert: E,
    /// A proptest strategy as one writes it in five minutes.
    pub quick: Q,
    /// The expert's idea with bolero.
    pub bolero: B,
    /// The expert's idea with hegel.
    pub hegel: H,
}

/// The state of a round.
struct Round {
    start: Instant,
    budget: Duration,
    valid: u64,
    discarded: u64,
    found: Option<(u64, f64)>,
}

impl Round {
    fn new(budget: Duration) -> Self {
        Round { start: Instant::now(), budget, valid: 0, discarded: 0, found: None }
    }

    fn is_over(&self) -> bool {
        self.found.is_some() || self.valid >= CASES || self.start.elapsed() >= self.budget
    }

    /// Judges a case; `true` if it failed.
    fn judge<T>(&mut self, valid: fn(&T) -> bool, holds: fn(T) -> bool, case: T) -> bool {
        if !valid(&case) {
            self.discarded += 1;
            return false;
        }
        self.valid += 1;
        let failed = !catch_unwind(AssertUnwindSafe(|| holds(case))).unwrap_or(false);
        if failed {
            self.found = Some((self.valid, self.start.elapsed().as_secs_f64()));
        }
        failed
    }
}

/// The generator of numbers of a round.
fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng)
}

fn by_proptest<T>(
    strategy: &impl Strategy<Value = T>,
    seed: u64,
    round: &mut Round,
    valid: fn(&T) -> bool,
    holds: fn(T) -> bool,
) {
    let mut runner = runner(seed);
    while !round.is_over() {
        match strategy.new_tree(&mut runner) {
            Ok(tree) => _ = round.judge(valid, holds, tree.current()),
            Err(_) => round.discarded += 1,
        }
    }
}

fn by_bolero<T>(
    generator: &impl ValueGenerator<Output = T>,
    seed: u64,
    round: &mut Round,
    valid: fn(&T) -> bool,
    holds: fn(T) -> bool,
) {
    let options = bolero::driver::Options::default();
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
    while !round.is_over() {
        // As bolero's engine without a fuzzer: each case has a driver of its own.
        let next = rand_xoshiro::Xoshiro256PlusPlus::from_rng(&mut rng);
        match generator.generate(&mut bolero::driver::Rng::new(next, &options)) {
            Some(case) => _ = round.judge(valid, holds, case),
            None => round.discarded += 1,
        }
    }
}

/// Settings with which hegel only makes so many cases: it shrinks, keeps and prints nothing.
pub fn hegel_settings(n_cases: u64, seed: u64) -> hegel::Settings {
    hegel::Settings::new()
        .test_cases(n_cases)
        .seed(Some(seed))
        .database(None::<String>)
        .verbosity(hegel::Verbosity::Quiet)
        .phases([hegel::Phase::Generate])
        .print_blob(false)
        .suppress_health_check(hegel::HealthCheck::all())
}

fn by_hegel<T: 'static>(
    generate: Arc<dyn Fn(&TestCase) -> T + Send + Sync>,
    seed: u64,
    budget: Duration,
    valid: fn(&T) -> bool,
    holds: fn(T) -> bool,
) -> Round {
    let settings = hegel_settings(CASES, seed);
    let round = Arc::new(Mutex::new(Round::new(budget)));
    let inner = round.clone();
    let test = move |case: TestCase| {
        if inner.lock().expect("no case panics while it holds the lock").is_over() {
            return;
        }
        let value = generate(&case);
        let is_valid = valid(&value);
        let failed = inner.lock().expect("no case panics while it holds the lock").judge(valid, holds, value);
        assert!(!failed, "found");
        case.assume(is_valid);
    };
    // What hegel makes of a failure is known already.
    _ = catch_unwind(AssertUnwindSafe(|| hegel::Hegel::new(test).settings(settings).run()));
    let mut round = round.lock().expect("no case panics while it holds the lock");
    std::mem::replace(&mut *round, Round::new(budget))
}

/// Prints the rounds of a contestant.
fn tell(bug: &str, contestant: &str, rounds: &[Round]) {
    let list = |of: &dyn Fn(&Round) -> String| rounds.iter().map(of).collect::<Vec<_>>().join(",");
    println!(
        "{{\"bug\":\"{bug}\",\"contestant\":\"{contestant}\",\"cases\":[{}],\"seconds\":[{}],\"valid\":[{}],\"discarded\":[{}]}}",
        list(&|r| r.found.map_or("null".into(), |found| found.0.to_string())),
        list(&|r| r.found.map_or("null".into(), |found| format!("{:.9}", found.1))),
        list(&|r| r.valid.to_string()),
        list(&|r| r.discarded.to_string()),
    );
}

/// Runs all contestants on a bug. The first argument of the program is the time limit of a round in milliseconds.
pub fn race<T, E, Q, B, H>(subject: Subject<T, E, Q, B, H>)
where
    T: 'static,
    E: Strategy<Value = T>,
    Q: Strategy<Value = T>,
    B: ValueGenerator<Output = T>,
    H: Fn(&TestCase) -> T + Send + Sync + 'static,
{
    let budget = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    let budget = Duration::from_millis(budget);
    std::panic::set_hook(Box::new(|_| ()));
    let Subject { bug, valid, holds, expert, quick, bolero, hegel } = subject;
    let rounds = |run: &dyn Fn(u64, &mut Round)| -> Vec<Round> {
        SEEDS
            .map(|seed| {
                let mut round = Round::new(budget);
                run(seed, &mut round);
                round
            })
            .collect()
    };
    tell(bug, "expert", &rounds(&|seed, round| by_proptest(&expert, seed, round, valid, holds)));
    tell(bug, "quick", &rounds(&|seed, round| by_proptest(&quick, seed, round, valid, holds)));
    tell(bug, "bolero", &rounds(&|seed, round| by_bolero(&bolero, seed, round, valid, holds)));
    let hegel: Arc<dyn Fn(&TestCase) -> T + Send + Sync> = Arc::new(hegel);
    tell(bug, "hegel", &rounds(&|seed, round| *round = by_hegel(hegel.clone(), seed, budget, valid, holds)));
}

/// Lists of some lengths, for bolero.
pub fn list<G>(
    values: G,
    len: std::ops::RangeInclusive<usize>,
) -> impl ValueGenerator<Output = Vec<G::Output>>
where
    G: ValueGenerator<Output: bolero::TypeGenerator>,
{
    bolero::produce_with::<Vec<G::Output>>().len(len).values(values)
}

/// A number of a range, for hegel.
pub fn number(case: &TestCase, range: std::ops::RangeInclusive<i64>) -> i64 {
    case.draw_silent(gs::integers::<i64>().min_value(*range.start()).max_value(*range.end()))
}

/// A list of numbers of a range, for hegel.
pub fn numbers(case: &TestCase, range: std::ops::RangeInclusive<i64>, most: usize) -> Vec<i64> {
    case.draw_silent(
        gs::vecs(gs::integers::<i64>().min_value(*range.start()).max_value(*range.end())).max_size(most),
    )
}

/// What an input is built from: two lists and three numbers, each within a range. A list has at most `most` elements.
#[derive(Clone)]
pub struct Parts {
    pub xs: std::ops::RangeInclusive<i64>,
    pub ys: std::ops::RangeInclusive<i64>,
    pub most: usize,
    pub a: std::ops::RangeInclusive<i64>,
    pub b: std::ops::RangeInclusive<i64>,
    pub c: std::ops::RangeInclusive<i64>,
}

impl Default for Parts {
    fn default() -> Self {
        Parts { xs: 0..=0, ys: 0..=0, most: 30, a: 0..=0, b: 0..=0, c: 0..=0 }
    }
}

/// The parts of an input.
pub type Built = (Vec<i64>, Vec<i64>, i64, i64, i64);

/// Races on inputs that are valid by construction from lists and numbers; only the simple strategy is different.
pub fn race_built<T: std::fmt::Debug + 'static>(
    bug: &'static str,
    (valid, holds): (fn(&T) -> bool, fn(T) -> bool),
    parts: Parts,
    build: fn(Built) -> T,
    quick: impl Strategy<Value = T>,
) {
    use proptest::collection::vec;
    // A part that is not in use is an empty list.
    let most = |range: &std::ops::RangeInclusive<i64>| if *range == (0..=0) { 0 } else { parts.most };
    let (n_xs, n_ys) = (most(&parts.xs), most(&parts.ys));
    let Parts { xs, ys, a, b, c, .. } = parts.clone();
    let expert = (vec(xs, 0..=n_xs), vec(ys, 0..=n_ys), a, b, c).prop_map(build);
    let Parts { xs, ys, a, b, c, .. } = parts.clone();
    let bolero = (list(xs, 0..=n_xs), list(ys, 0..=n_ys), a, b, c).map_gen(build);
    let hegel = move |case: &TestCase| {
        let Parts { xs, ys, a, b, c, .. } = parts.clone();
        let (xs, ys) = (numbers(case, xs, n_xs), numbers(case, ys, n_ys));
        build((xs, ys, number(case, a), number(case, b), number(case, c)))
    };
    race(Subject { bug, valid, holds, expert, quick, bolero, hegel });
}
