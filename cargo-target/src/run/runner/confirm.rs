//! Examines a failure: does it happen again, alone in a fresh process? If not, after the cases before it?

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use target_bridge::generate::{Batch, Case};
use target_strategies::beyond::Source;
use target_strategies::cancel::Charged;
use target_strategies::child::protocol::Failure;
use target_strategies::logic::eval::{Judge, Judgement};
use target_strategies::logic::table;
use target_strategies::logic::value::Value;

use super::generalise::generalise;
use super::laboratory::{Hasty, Laboratory};
use super::large::{are_large, tame};
use super::shrink;
use crate::events::outcome::Counterexample;
use crate::run::worker::{BatchLimits, Failed, Past, ShouldStop, Worker};

/// Time limit for replaying the cases before a failure.
const PATIENCE: Duration = Duration::from_secs(10);

impl Laboratory<'_> {
    /// Turns a failure into a counterexample: confirmed, shrunk and generalized, if possible.
    pub(super) fn examine(&self, failed: Failed, beyond: Option<Source>) -> Result<Counterexample> {
        let found = self.confirm(failed, beyond)?;
        let general = if found.confirmed && self.shrinks_like(&found.failure) && self.generalises {
            generalise(self, &found.args, &found.failure)?
        } else {
            None
        };
        Ok(Counterexample { general, ..found })
    }

    /// The failure with small numbers for its large ones, if it happens with these, too.
    pub(super) fn tamed(&self, failed: Failed) -> Result<Failed> {
        if !are_large(&failed.args) {
            return Ok(failed);
        }
        let hasty = self.hasty(&failed.failure);
        for args in tame(&failed.args) {
            let fails = |laboratory: &Laboratory| {
                let again = laboratory.alone(&args)?;
                anyhow::Ok(again.is_some_and(|again| shrink::alike(&again, &failed.failure)))
            };
            let is_promising = match hasty.first() {
                Some(hasty) => fails(&hasty.laboratory())?,
                None => true,
            };
            if is_promising && fails(self)? {
                return Ok(Failed { args, ..failed });
            }
        }
        Ok(failed)
    }

    fn confirm(&self, failed: Failed, beyond: Option<Source>) -> Result<Counterexample> {
        let Failed { args, failure, past, .. } = failed;
        let unshrunk = |failure: Failure, confirmed, replayed| {
            let args = failure.tables.clone().unwrap_or_else(|| args.clone());
            Counterexample {
                is_inside: self.is_inside(&args),
                args,
                failure,
                source: beyond,
                saved: false,
                confirmed,
                replayed,
                shrinks: 0,
                tries: 0,
                general: None,
            }
        };
        let Some(alone) = self.alone(&args)? else {
            let again = past.map(|past| self.replay(&past, &args)).transpose()?.flatten();
            let replayed = again.is_some();
            return Ok(unshrunk(again.unwrap_or(failure), false, replayed));
        };
        if !self.shrinks_like(&alone) {
            return Ok(unshrunk(alone, true, false));
        }
        let start = shrink::Smaller {
            args: self.as_answers(&args, &alone)?,
            failure: alone.clone(),
            shrinks: 0,
            tries: 0,
        };
        let mut tries = 0;
        let hasty = self.hasty(&alone);
        for laboratory in hasty.iter().map(Hasty::laboratory).chain([self.clone()]) {
            let smaller = shrink::shrink(&laboratory, start.clone(), beyond.is_some())?;
            tries += smaller.tries;
            if smaller.shrinks == 0 {
                break;
            }
            // Shrinking runs many cases in one process: the last one must be confirmed alone, like the first.
            if let Some(last) = self.alone(&smaller.args)?
                && shrink::alike(&last, &alone)
            {
                let args = last.tables.clone().unwrap_or(smaller.args);
                let found = unshrunk(last, true, false);
                let is_inside = self.is_inside(&args);
                return Ok(Counterexample { is_inside, args, shrinks: smaller.shrinks, tries, ..found });
            }
        }
        Ok(Counterexample { tries, ..unshrunk(alone, true, false) })
    }

    /// Whether arguments that the spec admits are a member of the space. A given input may be outside; a shrunk one may be
    /// inside, wherever it comes from.
    fn is_inside(&self, args: &[Value]) -> bool {
        let space = &self.launch.space;
        space.contains(args) && Judge::new(None).explored(space.spec(), args) == Judgement::Holds
    }

    /// The arguments with functions as results in order, which can be shrunk, if these fail alike.
    fn as_answers(&self, args: &[Value], failure: &Failure) -> Result<Vec<Value>> {
        let answers = table::as_answers(args, self.launch.space.spec());
        if answers == args {
            return Ok(answers);
        }
        let again = self.alone(&answers)?.filter(|again| shrink::alike(again, failure));
        Ok(if again.is_some() { answers } else { args.to_vec() })
    }

    /// The failure of a case run alone, if it fails.
    fn alone(&self, args: &[Value]) -> Result<Option<Failure>> {
        run_one(&mut self.worker(), args)
    }

    /// The failure of a case run after the cases that its child ran before, if it fails.
    fn replay(&self, past: &Past, args: &[Value]) -> Result<Option<Failure>> {
        let deadline = Instant::now() + PATIENCE;
        let wanted = self.should_stop.clone();
        let should_stop: ShouldStop = Arc::new(move || wanted() || Instant::now() >= deadline);
        let worker = Worker::new(self.launch, self.watchdog, should_stop);
        let mut worker = worker.with_unmade(past.unmade.clone());
        for stretch in &past.stretches {
            worker.run_batch(
                &Charged::new(stretch.cases()),
                BatchLimits { fail_fast: false, max_valid: u64::MAX },
            )?;
        }
        run_one(&mut worker, args)
    }
}

fn run_one(worker: &mut Worker<'_>, args: &[Value]) -> Result<Option<Failure>> {
    let batch = Batch::Cases(vec![Case { args: args.to_vec(), beyond: None }]);
    let outcome =
        worker.run_batch(&Charged::new(batch), BatchLimits { fail_fast: true, max_valid: u64::MAX })?;
    Ok(outcome.failures.into_iter().next().map(|failed| failed.failure))
}
