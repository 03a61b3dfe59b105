//! Looks into a failure: does it happen again, alone in a fresh process? If not, with the cases before it?

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use target_bridge::generate::{Batch, Case};
use target_strategies::protocol::Failure;
use target_strategies::value::Value;

use super::generalise::generalise;
use super::shrink;
use crate::outcome::Counterexample;
use crate::worker::{BatchLimits, Failed, Launch, ShouldStop, Stretch, Watchdog, Worker};

/// How long re-enacting the cases before a failure may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where failures are looked into: fresh children of the same harness.
pub(super) struct Laboratory<'l> {
    pub(super) launch: &'l Launch,
    pub(super) watchdog: &'l Watchdog,
    pub(super) should_stop: ShouldStop,
    pub(super) shrinks: bool,
}

impl Laboratory<'_> {
    /// A failure becomes a counterexample: confirmed, shrunk and generalised, where possible.
    pub(super) fn examine(&self, failed: Failed, boundary: bool) -> Result<Counterexample> {
        let found = self.confirm(failed, boundary)?;
        let general = match found.confirmed && self.shrinks {
            true => generalise(self, &found.args, &found.failure)?,
            false => None,
        };
        Ok(Counterexample { general, ..found })
    }

    fn confirm(&self, failed: Failed, boundary: bool) -> Result<Counterexample> {
        let Failed { args, failure, past, .. } = failed;
        let unshrunk = |failure, confirmed, replayed| Counterexample {
            args: args.clone(),
            failure,
            boundary,
            saved: false,
            confirmed,
            replayed,
            shrinks: 0,
            tries: 0,
            general: None,
        };
        let Some(alone) = self.alone(&args)? else {
            let again = past.map(|past| self.replay(&past, &args)).transpose()?.flatten();
            let replayed = again.is_some();
            return Ok(unshrunk(again.unwrap_or(failure), false, replayed));
        };
        if !self.shrinks {
            return Ok(unshrunk(alone, true, false));
        }
        let start = shrink::Smaller { args: args.clone(), failure: alone.clone(), shrinks: 0, tries: 0 };
        let smaller = shrink::shrink(self, start, boundary)?;
        if smaller.shrinks == 0 {
            return Ok(Counterexample { tries: smaller.tries, ..unshrunk(alone, true, false) });
        }
        // While shrinking, many cases ran in one process: the last one has to stand alone like the first.
        Ok(match self.alone(&smaller.args)? {
            Some(last) if shrink::alike(&last, &alone) => {
                let shrink::Smaller { args, shrinks, tries, .. } = smaller;
                Counterexample {
                    args,
                    failure: last,
                    boundary,
                    saved: false,
                    confirmed: true,
                    replayed: false,
                    shrinks,
                    tries,
                    general: None,
                }
            }
            _ => unshrunk(alone, true, false),
        })
    }

    /// A worker with a fresh child.
    pub(super) fn worker(&self) -> Worker<'_> {
        Worker::new(self.launch, self.watchdog, self.should_stop.clone())
    }

    /// How a case fails on its own, if it does.
    fn alone(&self, args: &[Value]) -> Result<Option<Failure>> {
        run_one(&mut self.worker(), args)
    }

    /// How a case fails behind those that its child ran before it, if it does.
    fn replay(&self, past: &[Stretch], args: &[Value]) -> Result<Option<Failure>> {
        let deadline = Instant::now() + PATIENCE;
        let wanted = self.should_stop.clone();
        let should_stop: ShouldStop = Arc::new(move || wanted() || Instant::now() >= deadline);
        let mut worker = Worker::new(self.launch, self.watchdog, should_stop);
        for stretch in past {
            worker.run_batch(
                &Arc::new(stretch.cases()),
                BatchLimits { fail_fast: false, max_valid: u64::MAX },
            )?;
        }
        run_one(&mut worker, args)
    }
}

fn run_one(worker: &mut Worker<'_>, args: &[Value]) -> Result<Option<Failure>> {
    let batch = Batch::Cases(vec![Case { args: args.to_vec(), boundary: false }]);
    let outcome = worker.run_batch(&Arc::new(batch), BatchLimits { fail_fast: true, max_valid: u64::MAX })?;
    Ok(outcome.failures.into_iter().next().map(|failed| failed.failure))
}
