//! Makes a counterexample smaller, step by step, for as long as it fails in the same way.
//!
//! Each step takes the first of the smaller candidates that fails alike. The child judges the precondition of every
//! candidate, `where` conditions included, and so never runs one that the spec refuses.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use target_bridge::generate::{Batch, Case};
use target_strategies::protocol::{Failure, FailureKind, MAX_FED};
use target_strategies::shrink::candidates;
use target_strategies::value::Value;

use super::confirm::Laboratory;
use crate::worker::{BatchLimits, BatchOutcome, Worker};

/// How many candidates are tried at most.
const TRIES: usize = 30_000;

/// For how long.
const PATIENCE: Duration = Duration::from_secs(5);

/// A counterexample on its way down.
#[derive(Clone, Debug)]
pub(super) struct Smaller {
    pub(super) args: Vec<Value>,
    pub(super) failure: Failure,
    /// How many steps led here.
    pub(super) shrinks: u32,
}

/// The least counterexample that greedy descent finds in reasonable time.
pub(super) fn shrink(laboratory: &Laboratory<'_>, mut best: Smaller) -> Result<Smaller> {
    let deadline = Instant::now() + PATIENCE;
    let mut worker = laboratory.worker();
    let mut tried: HashSet<Vec<Value>> = HashSet::from([best.args.clone()]);
    let over =
        |tried: &HashSet<_>| tried.len() >= TRIES || Instant::now() >= deadline || (laboratory.should_stop)();
    'steps: while !over(&tried) {
        let args = best.args.clone();
        let mut candidates = candidates(laboratory.launch.space.spec(), &args);
        // Most steps succeed with one of the first candidates; where none does, all have to be tried.
        for len in (4..).map(|power| 1 << power) {
            let fresh = candidates.by_ref().filter(|args| tried.insert(args.clone()));
            let batch: Vec<_> = fresh.take(MAX_FED.min(len)).collect();
            if batch.is_empty() || over(&tried) {
                break 'steps;
            }
            if let Some((args, failure)) = first_alike(&mut worker, batch, &best.failure, deadline)? {
                best = Smaller { args, failure, shrinks: best.shrinks + 1 };
                continue 'steps;
            }
        }
    }
    Ok(best)
}

/// Whether two failures count as the same one.
pub(super) fn alike(a: &Failure, b: &Failure) -> bool {
    a.kind == b.kind
        && match a.kind {
            FailureKind::Panic => a.location == b.location,
            FailureKind::Result | FailureKind::Ensures => a.clause == b.clause,
            _ => true,
        }
}

/// The first candidate that fails like the given failure.
fn first_alike(
    worker: &mut Worker<'_>,
    mut candidates: Vec<Vec<Value>>,
    failure: &Failure,
    deadline: Instant,
) -> Result<Option<(Vec<Value>, Failure)>> {
    while !candidates.is_empty() && Instant::now() < deadline {
        let cases = candidates.iter().map(|args| Case { args: args.clone(), boundary: false }).collect();
        let limits = BatchLimits { fail_fast: true, max_valid: u64::MAX };
        let BatchOutcome { failures, spec_error, .. } =
            worker.run_batch(&Arc::new(Batch::Cases(cases)), limits)?;
        let failed = failures.into_iter().next();
        let done = match (failed, spec_error) {
            (Some(failed), _) if alike(&failed.failure, failure) => {
                return Ok(Some((failed.args, failed.failure)));
            }
            (Some(failed), _) => failed.offset,
            (None, Some(error)) => error.offset,
            (None, None) => return Ok(None),
        };
        candidates.drain(..=(done as usize));
    }
    Ok(None)
}
