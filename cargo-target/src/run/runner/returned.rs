//! What the subject returns and prints on one input. A child reports results of failures only, so here the spec promises
//! what can't be, and demands no panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use target_bridge::generate::{Batch, Case};
use target_strategies::cancel::Charged;
use target_strategies::child::protocol::FailureKind;
use target_strategies::logic::ir::{Clause, Spec, Term};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use crate::events::outcome::Returned;
use crate::run::worker::{BatchLimits, Launch, Watchdog, Worker};

/// What the subject does with one input.
pub struct Seen {
    /// What it returns, or its panic; `None` if it does neither, or if the input is not valid.
    pub returned: Option<Returned>,
    /// The end of what it writes to standard output and error.
    pub printed: String,
}

/// Runs the subject once more on these arguments.
pub fn see(launch: &Launch, args: &[Value], interrupted: &Arc<AtomicBool>) -> Result<Seen> {
    let watchdog = Watchdog::start(launch.timeout).context("starting the watchdog")?;
    let never = Clause { id: 0, text: "false".to_owned(), term: Term::Lit(Value::Bool(false)) };
    let spec = Spec { ensures: vec![never], panics_if: None, ..(**launch.space.spec()).clone() };
    let space = Space::new(Arc::new(spec), launch.space.bounds());
    let launch = Launch { space, ..launch.clone() };
    let interrupted = interrupted.clone();
    let should_stop = Arc::new(move || interrupted.load(Ordering::Relaxed));
    let mut worker = Worker::new(&launch, &watchdog, should_stop);
    let batch = Batch::Cases(vec![Case { args: args.to_vec(), beyond: None }]);
    let limits = BatchLimits { fail_fast: true, max_valid: u64::MAX };
    let outcome = worker.run_batch(&Charged::new(batch), limits)?;
    let failure = outcome.failures.into_iter().next().map(|failed| failed.failure);
    let returned = failure.and_then(|failure| {
        let result = match failure.kind {
            FailureKind::Panic => Err(failure.message),
            _ => Ok(failure.result?),
        };
        Some(Returned { args: args.to_vec(), result, after: failure.after })
    });
    Ok(Seen { returned, printed: worker.close() })
}
