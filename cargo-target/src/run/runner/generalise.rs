//! Finds the parts of a counterexample that don't seem to matter: all other values that were tried there fail alike.
//!
//! For each part, outermost first, it substitutes other values of the type and runs the inputs that the spec still
//! admits. If all fail like the counterexample, the part is *any*; a further part joins only if all can vary together.
//! This is evidence, not a proof, so reports show the number of inputs.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use target_bridge::generate::{Batch, Case};
use target_strategies::cancel::Charged;
use target_strategies::child::protocol::{Failure, FailureKind, Status};
use target_strategies::logic::collection::ordered;
use target_strategies::logic::eval;
use target_strategies::logic::part::replaced;
use target_strategies::logic::value::Value;
use target_strategies::shrink::{Replaceable, replaceable};

use super::laboratory::Laboratory;
use super::shrink::alike;
use crate::events::outcome::General;
use crate::run::worker::{BatchLimits, ShouldStop, Worker};

/// Maximum number of other values for a part.
const VALUES: usize = 400;

/// Maximum number of inputs run to free a part.
const INPUTS: usize = 60;

/// Maximum number of combinations of values for several parts.
const TURNS: u64 = 800;

/// Minimum number of inputs for a conclusion, unless there are no more.
const ENOUGH: u64 = 3;

/// Maximum number of parts.
const PARTS: usize = 64;

/// Time limit of everything together; a slow subject's counterexample isn't generalized.
const PATIENCE: Duration = Duration::from_secs(2);

/// The parts whose other values failed alike; `None` if there are none.
pub(super) fn generalise(
    laboratory: &Laboratory<'_>,
    args: &[Value],
    failure: &Failure,
) -> Result<Option<General>> {
    // Each input may take as long as the time limit of a case.
    if failure.kind == FailureKind::Timeout {
        return Ok(None);
    }
    let deadline = Instant::now() + PATIENCE;
    let wanted = laboratory.should_stop.clone();
    let should_stop: ShouldStop = Arc::new(move || wanted() || Instant::now() >= deadline);
    let worker = Worker::new(laboratory.launch, laboratory.watchdog, should_stop.clone());
    let mut trial = Trial { laboratory, args, failure, worker, should_stop: should_stop.clone() };
    let mut free: Vec<Replaceable> = Vec::new();
    let mut tried = 0;
    let parts = replaceable(&laboratory.launch.space, args, VALUES).take(PARTS);
    for part in parts.take_while(|_| !(should_stop)()) {
        let is_inside = free.iter().any(|outer| part.path.starts_with(&outer.path));
        if is_inside || part.others.is_empty() {
            continue;
        }
        free.push(part);
        match trial.all_fail_alike(&free)? {
            Some(n) => tried = n,
            None => _ = free.pop(),
        }
    }
    if free.is_empty() || should_stop() {
        return Ok(None);
    }
    let mut general = args.to_vec();
    for (number, part) in (1..).zip(&free) {
        general = replaced(&general, &part.path, Value::any(number));
    }
    Ok(Some(General { args: general, tried }))
}

/// A counterexample, and a child that runs similar inputs.
struct Trial<'t> {
    laboratory: &'t Laboratory<'t>,
    args: &'t [Value],
    failure: &'t Failure,
    worker: Worker<'t>,
    should_stop: ShouldStop,
}

impl Trial<'_> {
    /// Runs inputs with other values in these parts. Returns their number, if all fail alike and there are enough.
    fn all_fail_alike(&mut self, parts: &[Replaceable]) -> Result<Option<u64>> {
        let (inputs, are_all) = self.inputs(parts);
        let cases: Vec<Case> = inputs.into_iter().map(|args| Case { args, beyond: None }).collect();
        if cases.is_empty() || (self.should_stop)() {
            return Ok(None);
        }
        let limits = BatchLimits { fail_fast: false, max_valid: u64::MAX };
        let n_cases = cases.len();
        let outcome = self.worker.run_batch(&Charged::new(Batch::Cases(cases)), limits)?;
        let n_valid = outcome.statuses.iter().filter(|status| **status == Status::Valid).count();
        // One whose functions have more results than it asks for ran, too, but is not another input.
        let has_run = |status: &&Status| matches!(status, Status::Valid | Status::Repeated);
        let n_run = outcome.statuses.iter().filter(has_run).count();
        let is_over = outcome.statuses.len() == n_cases && outcome.spec_error.is_none();
        let all_fail = outcome.failures.len() == n_run
            && outcome.failures.iter().all(|failed| alike(&failed.failure, self.failure));
        let n_valid = n_valid as u64;
        let is_enough = n_valid >= ENOUGH || are_all && n_valid > 0;
        Ok((is_over && all_fail && is_enough).then_some(n_valid))
    }

    /// Inputs that the spec admits with other values in these parts, and whether there are no more. The last part is
    /// new.
    fn inputs(&self, parts: &[Replaceable]) -> (Vec<Vec<Value>>, bool) {
        let spec = self.laboratory.launch.space.spec();
        let Some(last) = parts.last() else { return (Vec::new(), true) };
        let in_form = |args: Vec<Value>| -> Vec<Value> {
            args.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec)).collect()
        };
        let alone = last.others.iter().map(|value| replaced(self.args, &last.path, value.clone()));
        // Each part keeps its value or takes another: all combinations, or some of them.
        let n_ways = parts.iter().fold(1_u64, |n, part| n.saturating_mul(1 + part.others.len() as u64));
        let together = (0..n_ways.min(TURNS)).map(|turn| {
            let mut choice = if n_ways <= TURNS { turn } else { scattered(turn) };
            parts.iter().fold(self.args.to_vec(), |args, part| {
                let n = 1 + part.others.len() as u64;
                let index = (choice % n) as usize;
                choice /= n;
                match index.checked_sub(1) {
                    Some(index) => replaced(&args, &part.path, part.others[index].clone()),
                    None => args,
                }
            })
        });
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut n_left = 0;
        for (limit, args) in alone.map(|args| (INPUTS / 2, args)).chain(together.map(|args| (INPUTS, args))) {
            let args = in_form(args);
            if found.len() >= limit {
                n_left += 1;
            } else if args != self.args && eval::admits(spec, &args) && seen.insert(args.clone()) {
                found.push(args);
            }
        }
        (found, n_left == 0 && n_ways <= TURNS && parts.iter().all(|part| part.are_all))
    }
}

/// A pseudorandom number for a turn (SplitMix64), so that numbers of neighboring turns are unrelated.
fn scattered(turn: u64) -> u64 {
    let mixed = turn.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 29)
}
