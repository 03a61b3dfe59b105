//! One generator's cases once more, in one child of the instrumented harness: which of them reach something new, and
//! how often everything ran.
//!
//! The cases come in the order of the run that was timed, which depends on spec, options and seed alone; of that run's
//! cases the first are taken. Failures are no news here, and end nothing; what a case reached of which the child died is
//! lost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use target_bridge::generate::{Batch, Case, Generator, Step};
use target_strategies::protocol::{FailureKind, MAX_FED, Status};
use target_strategies::value::Value;

use crate::worker::batch::{self, BatchLimits, BatchOutcome, Stretch};
use crate::worker::{Launch, ShouldStop, Watchdog, Worker};

/// What is run again, and how far.
pub struct Again {
    /// What comes first: examples.
    pub examples: Vec<Case>,
    /// What comes then.
    pub generator: Box<dyn Generator>,
    /// How many cases, valid and discarded together.
    pub cases: u64,
    /// How many of them may be valid.
    pub valid: u64,
    /// How long it may take.
    pub budget: Duration,
}

/// An input that reached what none before it had reached.
#[derive(Clone, Debug)]
pub struct Reaching {
    /// Its number among the cases, from 1.
    pub case: u64,
    /// When it was told, since the beginning.
    pub seconds: f64,
    /// Its arguments.
    pub args: Vec<Value>,
    /// All that it reached: sums by number.
    pub sums: Vec<usize>,
    /// Whether it is valid, and passed.
    pub passed: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// How many cases ran, valid and discarded together.
    pub cases: u64,
    /// How many of them were valid.
    pub valid: u64,
    /// How long it took.
    pub seconds: f64,
    /// The inputs that reached something new, in order.
    pub reaching: Vec<Reaching>,
    /// By counter: how often it counted.
    pub counters: Vec<u64>,
    /// How many cases ended their process.
    pub deaths: u64,
    /// Whether it had to stop before the last case.
    pub cut: bool,
}

/// Runs cases in a child of its own.
pub fn run(launch: &Launch, again: Again, interrupted: ShouldStop) -> Result<Course> {
    let Again { examples, mut generator, cases, valid, budget } = again;
    let started = Instant::now();
    let deadline = started.checked_add(budget);
    let should_stop: ShouldStop =
        Arc::new(move || interrupted() || deadline.is_some_and(|deadline| Instant::now() >= deadline));
    let watchdog = Watchdog::start(launch.timeout).context("starting the watchdog")?;
    let mut worker = Worker::new(launch, &watchdog, should_stop.clone());
    let mut course = Course::default();
    let mut next = Some(Batch::Cases(examples));
    while let Some(batch) = next {
        let batch = Arc::new(batch);
        let mut start = 0;
        while start < batch::len(&batch) && course.wants(cases, valid) && !should_stop() {
            let end = batch::len(&batch).min(start + (cases - course.cases).min(MAX_FED as u64));
            let part = Arc::new(Stretch { batch: batch.clone(), start, end }.cases());
            let limits = BatchLimits { fail_fast: false, max_valid: valid - course.valid };
            let outcome = worker.run_batch(&part, limits)?;
            let is_broken = outcome.spec_error.is_some();
            course.add(outcome, started);
            if is_broken {
                return Ok(course.finish(started));
            }
            start = end;
        }
        next = None;
        while next.is_none() && course.wants(cases, valid) && !should_stop() {
            match generator.step() {
                Step::Batch(batch) => next = Some(batch),
                Step::Beyond(_) => {}
                Step::End(_) => return Ok(course.finish(started)),
            }
        }
    }
    course.cut = course.wants(cases, valid);
    Ok(course.finish(started))
}

impl Course {
    fn wants(&self, cases: u64, valid: u64) -> bool {
        self.cases < cases && self.valid < valid
    }

    fn finish(mut self, started: Instant) -> Course {
        self.seconds = started.elapsed().as_secs_f64();
        self
    }

    /// Adds what became of a batch.
    fn add(&mut self, outcome: BatchOutcome, started: Instant) {
        let is_case = |status: &Status| !matches!(status, Status::None | Status::Skipped);
        let mut n_before = self.cases;
        let mut offset = 0;
        for found in outcome.reaching {
            let statuses = &outcome.statuses[offset..outcome.statuses.len().min(found.offset as usize)];
            n_before += statuses.iter().filter(|status| is_case(status)).count() as u64;
            offset = found.offset as usize;
            self.reaching.push(Reaching {
                case: n_before + 1,
                seconds: found.at.duration_since(started).as_secs_f64(),
                args: found.args,
                sums: found.sums.into_iter().map(|sum| sum as usize).collect(),
                passed: matches!(
                    outcome.statuses.get(found.offset as usize),
                    Some(Status::Valid | Status::Repeated)
                ) && !outcome.failures.iter().any(|failed| failed.offset == found.offset),
            });
        }
        self.cases += outcome.statuses.iter().filter(|status| is_case(status)).count() as u64;
        let is_valid = |status: &&Status| matches!(status, Status::Valid | Status::Repeated);
        self.valid += outcome.statuses.iter().filter(is_valid).count() as u64;
        self.deaths +=
            outcome.failures.iter().filter(|failed| ends_process(failed.failure.kind)).count() as u64;
        for (counter, count) in outcome.counters {
            let counter = counter as usize;
            if self.counters.len() <= counter {
                self.counters.resize(counter + 1, 0);
            }
            self.counters[counter] = self.counters[counter].saturating_add(count);
        }
    }
}

/// Whether nobody is left to tell of the counters after such a failure.
fn ends_process(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Abort
        | FailureKind::Exit
        | FailureKind::Fork
        | FailureKind::StackOverflow
        | FailureKind::Timeout
        | FailureKind::Memory => true,
        FailureKind::Panic | FailureKind::NoPanic | FailureKind::Result | FailureKind::Ensures => false,
    }
}
