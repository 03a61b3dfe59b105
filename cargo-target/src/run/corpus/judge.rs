//! Judges inputs of specs with Rust code. That code runs only in the harness, which also runs the function.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::{Batch, Case};
use target_strategies::cancel::Charged;
use target_strategies::child::protocol::Status;
use target_strategies::logic::value::Value;
use target_strategies::native::Native;
use target_strategies::native::listing::unsolved;
use target_strategies::space::Space;

use crate::run::launch::launch;
use crate::run::worker::{BatchLimits, Program, ShouldStop, Watchdog, Worker};

/// Whether only Rust code can decide which inputs are valid: a `where`, or a function that builds values.
pub fn is_needed(subject: &Subject, space: &Space) -> bool {
    let spec = &subject.spec;
    spec.data.iter().any(|data| data.via.is_some()) || !unsolved(&Native::new(space), spec).is_empty()
}

/// The inputs that the harness accepts, whatever the function's result; and why some could not be judged.
pub fn accepted(
    program: &Arc<Program>,
    (number, subject): (u32, &Subject),
    cases: Vec<Vec<Value>>,
    interrupted: &Arc<AtomicBool>,
) -> Result<(Vec<Vec<Value>>, Option<String>)> {
    let launch = launch(program, number, subject);
    let watchdog = Watchdog::start(launch.timeout).context("starting the watchdog")?;
    let flag = Arc::clone(interrupted);
    let should_stop: ShouldStop = Arc::new(move || flag.load(Ordering::Relaxed));
    let mut worker = Worker::new(&launch, &watchdog, should_stop);
    let batch: Vec<Case> = cases.iter().map(|args| Case { args: args.clone(), beyond: None }).collect();
    let limits = BatchLimits { fail_fast: false, max_valid: u64::MAX };
    let outcome = worker.run_batch(&Charged::new(Batch::Cases(batch)), limits)?;
    let is_valid = |status: &Status| matches!(status, Status::Valid | Status::Repeated);
    let judged = cases.into_iter().zip(&outcome.statuses);
    let accepted = judged.filter(|(_, status)| is_valid(status)).map(|(args, _)| args).collect();
    Ok((accepted, outcome.spec_error.map(|error| error.message)))
}
