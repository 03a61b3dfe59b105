//! Inputs of specs with Rust code, judged where that can run: in the harness, which runs the function on them, too.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use target_bridge::generate::{Batch, Case};
use target_bridge::subject::Subject;
use target_strategies::native::Native;
use target_strategies::native::deal::unsolved;
use target_strategies::protocol::Status;
use target_strategies::space::Space;
use target_strategies::value::Value;

use crate::pipeline::launch;
use crate::project::Package;
use crate::worker::{BatchLimits, ShouldStop, Watchdog, Worker};

/// Whether only Rust code can say which inputs are valid: a `where`, or a function that builds values.
pub fn is_needed(subject: &Subject, space: &Space) -> bool {
    let spec = &subject.spec;
    spec.data.iter().any(|data| data.via.is_some()) || !unsolved(&Native::new(space), spec).is_empty()
}

/// Those of the inputs that the harness accepts, whatever the function does then; and what kept some from being judged.
pub fn accepted(
    program: &Path,
    (package, number, subject): (&Package, u32, &Subject),
    cases: Vec<Vec<Value>>,
    interrupted: &Arc<AtomicBool>,
) -> Result<(Vec<Vec<Value>>, Option<String>)> {
    let launch = launch(program, package, number, subject);
    let watchdog = Watchdog::start(launch.timeout).context("starting the watchdog")?;
    let flag = Arc::clone(interrupted);
    let should_stop: ShouldStop = Arc::new(move || flag.load(Ordering::Relaxed));
    let mut worker = Worker::new(&launch, &watchdog, should_stop);
    let batch: Vec<Case> = cases.iter().map(|args| Case { args: args.clone(), boundary: false }).collect();
    let limits = BatchLimits { fail_fast: false, max_valid: u64::MAX };
    let outcome = worker.run_batch(&Arc::new(Batch::Cases(batch)), limits)?;
    let is_valid = |status: &Status| matches!(status, Status::Valid | Status::Repeated);
    let judged = cases.into_iter().zip(&outcome.statuses);
    let accepted = judged.filter(|(_, status)| is_valid(status)).map(|(args, _)| args).collect();
    Ok((accepted, outcome.spec_error.map(|error| error.message)))
}
