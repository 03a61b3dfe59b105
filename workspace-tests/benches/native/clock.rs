//! Time for each value, by whoever lists them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use target_strategies::space::Space;
use workspace_tests::cases::block;
use workspace_tests::structures::Structure;

use crate::dependent::Dependent;
use crate::engine::Engine;

/// No run is longer, where it can be stopped.
const LIMIT: Duration = Duration::from_secs(3);

/// How many runs a median is of, and when there are enough even so.
const RUNS: usize = 5;
const ENOUGH: Duration = Duration::from_secs(4);

/// Values counted against the clock.
pub struct Meter {
    n: u64,
    start: Instant,
}

impl Meter {
    /// Counts a value; whether it is late, which is not looked at each time.
    pub fn is_late<T>(&mut self, value: T) -> bool {
        black_box(value);
        self.n += 1;
        (self.n.is_power_of_two() || self.n.is_multiple_of(1024)) && self.start.elapsed() > LIMIT
    }
}

/// The values of one run, and the seconds for each of them, which are the median of some runs.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// How many the last run listed.
    pub n: u64,
    /// For each.
    pub seconds: f64,
}

/// Measures a run that shows its values to a meter; none if there was no value.
pub fn rate(mut run: impl FnMut(&mut Meter)) -> Option<Rate> {
    let first = Instant::now();
    let (mut times, mut n) = (Vec::new(), 0);
    while times.len() < RUNS && (times.is_empty() || first.elapsed() < ENOUGH) {
        let mut meter = Meter { n: 0, start: Instant::now() };
        run(&mut meter);
        n = meter.n;
        times.push(meter.start.elapsed().as_secs_f64() / n as f64);
    }
    times.sort_by(f64::total_cmp);
    (n > 0).then(|| Rate { n, seconds: times[times.len() / 2] })
}

/// By the enumerator written by hand, which always goes through all values.
pub fn by_hand<S: Structure>(n: u32) -> Option<Rate> {
    rate(|meter| {
        S::each(n, &mut |value| {
            meter.is_late(value);
        });
    })
}

/// By a generator written by hand, under bolero's driver that goes through all choices.
pub fn by_bolero<S: Dependent>(n: u32) -> Option<Rate> {
    rate(|meter| S::each_by_bolero(n, &mut |value| meter.is_late(value)))
}

/// By one model of Z3 at a time. It is slow, so that one run is enough.
pub fn by_blocking(space: &Space) -> Option<Rate> {
    let mut n = 0;
    let start = Instant::now();
    block(
        space,
        || start.elapsed() > LIMIT,
        |_| {
            n += 1;
            false
        },
    );
    (n > 0).then(|| Rate { n, seconds: start.elapsed().as_secs_f64() / n as f64 })
}

/// By the native engine, as the values that all generators share. Planning counts.
pub fn by_engine(space: &Space) -> Option<Rate> {
    rate(|meter| Engine::new(space).list(&mut |args| meter.is_late(args)))
}

/// By the native engine, each value made into the owned one of the Rust type.
pub fn by_engine_owned<S: Structure>(space: &Space) -> Option<Rate> {
    rate(|meter| Engine::new(space).list(&mut |args| meter.is_late(S::owned(args))))
}
