//! Runs one generator's cases again, in one child of the instrumented harness: finds the cases that reach new code, and
//! counts how often all code runs.
//!
//! The cases come in the same order as in the timed run, which depends only on spec, options and seed; the first of
//! them are run again. Failures are ignored. If a case kills the child, its coverage is lost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::run::planning::Planning;
use crate::run::worker::batch::{self, BatchLimits, BatchOutcome, Stretch};
use crate::run::worker::{Launch, ShouldStop, Watchdog, Worker};
use anyhow::{Context, Result};
use target_bridge::generate::{Batch, Case, Generator, Step};
use target_strategies::cancel::{self, Charged, Stop};
use target_strategies::child::protocol::{FailureKind, MAX_FED, Status};
use target_strategies::logic::value::Value;

/// The cases to run again, and the limits.
pub struct Again<'a> {
    /// The examples, which run first.
    pub examples: Vec<Case>,
    /// Makes the generator of the later cases, within the limits of planning.
    pub generator: Box<dyn FnOnce() -> Box<dyn Generator> + 'a>,
    /// The limits of planning.
    pub planning: Planning,
    /// Maximum number of cases, valid and discarded.
    pub cases: u64,
    /// Maximum number of valid cases.
    pub valid: u64,
    /// Time limit.
    pub budget: Duration,
}

/// An input that reached code that no earlier input reached.
#[derive(Clone, Debug)]
pub struct Reaching {
    /// Its number among the cases, from 1.
    pub case: u64,
    /// Seconds from the start until it was reported.
    pub seconds: f64,
    /// Its arguments.
    pub args: Vec<Value>,
    /// Everything that it reached: numbers of sums.
    pub sums: Vec<usize>,
    /// Whether it is valid, and passed.
    pub passed: bool,
}

/// The results of running the cases again.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Number of cases that ran, valid and discarded.
    pub cases: u64,
    /// Number of valid cases among them.
    pub valid: u64,
    /// Time in seconds.
    pub seconds: f64,
    /// The inputs that reached something new, in order.
    pub reaching: Vec<Reaching>,
    /// The value of each counter.
    pub counters: Vec<u64>,
    /// Number of cases that killed their process.
    pub deaths: u64,
    /// Whether the time limit ended it before the last case.
    pub cut: bool,
    /// Why there are no further cases, if planning takes too much memory.
    pub unplanned: Option<String>,
}

/// Runs cases in a separate child.
pub fn run(launch: &Launch, again: Again<'_>, interrupted: ShouldStop) -> Result<Course> {
    let Again { examples, generator, planning, cases, valid, budget } = again;
    let started = Instant::now();
    let deadline = started.checked_add(budget);
    let should_stop: ShouldStop =
        Arc::new(move || interrupted() || deadline.is_some_and(|deadline| Instant::now() >= deadline));
    let watchdog = Watchdog::start(launch.timeout).context("starting the watchdog")?;
    let mut worker = Worker::new(launch, &watchdog, should_stop.clone());
    let mut course = Course::default();
    let planning = planning.with_budget(budget);
    let limits = planning.limits(|| false);
    let mut generator = match cancel::run(&limits, generator) {
        Ok(generator) => generator,
        Err(stop) => return Ok(course.stopped(stop, &planning).finish(started)),
    };
    let mut next = Charged::new(Batch::Cases(examples));
    loop {
        let batch = next;
        let mut start = 0;
        while start < batch::len(&batch) && course.needs_more(cases, valid) && !should_stop() {
            let end = batch::len(&batch).min(start + (cases - course.cases).min(MAX_FED as u64));
            let part = Charged::new(Stretch { batch: batch.clone(), start, end }.cases());
            let limits = BatchLimits { fail_fast: false, max_valid: valid - course.valid };
            let outcome = worker.run_batch(&part, limits)?;
            let is_broken = outcome.spec_error.is_some();
            course.add(outcome, started);
            if is_broken {
                return Ok(course.finish(started));
            }
            start = end;
        }
        if !course.needs_more(cases, valid) || should_stop() {
            course.cut = course.needs_more(cases, valid);
            return Ok(course.finish(started));
        }
        next = match cancel::run(&limits, || next_batch(&mut *generator)) {
            Ok(Some(batch)) => batch,
            Ok(None) => return Ok(course.finish(started)),
            Err(stop) => return Ok(course.stopped(stop, &planning).finish(started)),
        };
    }
}

/// The generator's next batch; `None` at its end.
fn next_batch(generator: &mut dyn Generator) -> Option<Charged<Batch>> {
    loop {
        match generator.step() {
            Step::Batch(batch) => return Some(Charged::new(batch)),
            Step::Reached(_) | Step::Beyond(_) => {}
            Step::End(_) => return None,
        }
    }
}

impl Course {
    fn needs_more(&self, cases: u64, valid: u64) -> bool {
        self.cases < cases && self.valid < valid
    }

    /// The same course, with the note that planning further cases was stopped.
    fn stopped(mut self, stop: Stop, planning: &Planning) -> Course {
        match stop {
            Stop::Time | Stop::Interrupted | Stop::Unwanted => self.cut = true,
            Stop::Memory => self.unplanned = Some(planning.reason(stop)),
        }
        self
    }

    fn finish(mut self, started: Instant) -> Course {
        self.seconds = started.elapsed().as_secs_f64();
        self
    }

    /// Adds the results of a batch.
    fn add(&mut self, outcome: BatchOutcome, started: Instant) {
        let mut n_before = self.cases;
        let mut offset = 0;
        for found in outcome.reaching {
            let statuses = &outcome.statuses[offset..outcome.statuses.len().min(found.offset as usize)];
            n_before += statuses.iter().filter(|status| status.is_case()).count() as u64;
            offset = found.offset as usize;
            // It is no case.
            if outcome.statuses.get(offset) == Some(&Status::Undecided) {
                continue;
            }
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
        self.cases += outcome.statuses.iter().filter(|status| status.is_case()).count() as u64;
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

/// Whether such a failure ends the process, so that its counters are lost.
fn ends_process(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Abort
        | FailureKind::Exit
        | FailureKind::Fork
        | FailureKind::StackOverflow
        | FailureKind::Timeout
        | FailureKind::Memory => true,
        FailureKind::Panic
        | FailureKind::NoPanic
        | FailureKind::Argument
        | FailureKind::Result
        | FailureKind::Ensures => false,
    }
}
