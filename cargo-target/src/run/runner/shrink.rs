//! Shrinks a counterexample while it fails in the same way.
//!
//! There are four stages, each starting where the previous one ended:
//!
//! * greedy steps: take the first smaller candidate that fails alike;
//! * search the smaller members of the space, smallest first. This helps if each single step breaks an invariant, and
//!   it may prove that there is nothing smaller;
//! * search the smaller boundary cases, outside the space;
//! * unless it is proved that there is nothing smaller: take steps that the spec rejects, and repair the values that
//!   depend on them.
//!
//! The child judges the precondition of every candidate, `where` conditions included, so it never runs a candidate that
//! the spec rejects. Each stage is limited by numbers of candidates and questions; the clock only matters if the
//! subject is slow.

use std::collections::HashSet;
use std::time::Instant;

use anyhow::Result;
use target_bridge::generate::smaller::SmallerInputs;
use target_bridge::generate::{Batch, Case};
use target_strategies::cancel::Charged;
use target_strategies::child::protocol::{Failure, FailureKind, MAX_FED};
use target_strategies::logic::eval;
use target_strategies::logic::value::Value;
use target_strategies::shrink::{candidates, size};

use super::laboratory::Laboratory;
use crate::run::worker::{BatchLimits, BatchOutcome, Worker};

/// Maximum number of candidates in the greedy descents.
const TRIES: usize = 30_000;

/// Number of rejected candidates that are repaired before any of them is run.
const REPAIRED: usize = 16;

/// The smallest counterexample so far.
#[derive(Clone, Debug)]
pub(super) struct Smaller {
    pub(super) args: Vec<Value>,
    pub(super) failure: Failure,
    /// Number of successful steps.
    pub(super) shrinks: u32,
    /// Number of candidates that were judged, and run if valid.
    pub(super) tries: u32,
}

/// The smallest counterexample found within the limits. A boundary case isn't compared with members of the space; they
/// are searched in any case.
pub(super) fn shrink(laboratory: &Laboratory<'_>, start: Smaller, boundary: bool) -> Result<Smaller> {
    let mut descent = Descent {
        laboratory,
        deadline: Instant::now() + laboratory.patience,
        worker: laboratory.worker(),
        tried: HashSet::from([start.args.clone()]),
        greedy_tries: 0,
        refused: HashSet::new(),
        smaller: SmallerInputs::new(&laboratory.launch.space),
        best: start,
    };
    descent.go_down()?;
    if !boundary {
        let space = descent.smaller.around(&descent.best.args);
        let is_least = descent.look_through()?;
        descent.go_down()?;
        if is_least && space.contains(&descent.best.args) {
            return Ok(descent.best);
        }
    }
    if !laboratory.launch.space.contains(&descent.best.args) {
        descent.look_beyond()?;
        descent.go_down()?;
    }
    while descent.step_and_repair()? {
        descent.go_down()?;
    }
    Ok(descent.best)
}

/// The state of the descent.
struct Descent<'d> {
    laboratory: &'d Laboratory<'d>,
    deadline: Instant,
    worker: Worker<'d>,
    /// All candidates that were tried.
    tried: HashSet<Vec<Value>>,
    greedy_tries: usize,
    /// The candidates that were rejected and repaired.
    refused: HashSet<Vec<Value>>,
    smaller: SmallerInputs,
    best: Smaller,
}

impl Descent<'_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || (self.laboratory.should_stop)()
    }

    /// Greedy descent.
    fn go_down(&mut self) -> Result<()> {
        let spec = self.laboratory.launch.space.spec().clone();
        'steps: while !self.is_over() {
            let args = self.best.args.clone();
            let mut candidates = candidates(&spec, &args);
            // Most steps succeed with one of the first candidates; a failing step must try all.
            for len in (4..).map(|power| 1 << power) {
                let fresh = candidates.by_ref().filter(|args| self.tried.insert(args.clone()));
                let batch: Vec<_> = fresh.take(MAX_FED.min(len)).collect();
                self.greedy_tries += batch.len();
                if batch.is_empty() || self.greedy_tries >= TRIES || self.is_over() {
                    break 'steps;
                }
                if self.take_first_alike(batch)? {
                    continue 'steps;
                }
            }
        }
        Ok(())
    }

    /// Searches the smaller members of the space; returns whether there are none left.
    fn look_through(&mut self) -> Result<bool> {
        let mut smaller = self.smaller.members(&self.best.args);
        while !self.is_over() {
            let Some(members) = smaller.next(&self.best.args) else { return Ok(smaller.is_complete()) };
            self.take_least_alike(members)?;
        }
        Ok(false)
    }

    /// Searches the smaller ones among the first boundary cases: a failing input outside the space often resembles
    /// them.
    fn look_beyond(&mut self) -> Result<bool> {
        let own = size(&self.best.args);
        let mut cases = Vec::new();
        for case in self.smaller.outside(&self.best.args) {
            if self.is_over() {
                break;
            }
            cases.extend(case.filter(|args| size(args) < own));
        }
        self.take_least_alike(cases)
    }

    /// Takes a step that the spec rejects, repaired; returns whether there was one.
    fn step_and_repair(&mut self) -> Result<bool> {
        let spec = self.laboratory.launch.space.spec().clone();
        let args = self.best.args.clone();
        let mut candidates = candidates(&spec, &args);
        while !self.smaller.is_repairing_over() && !self.is_over() {
            let refused = candidates.by_ref().filter(|args| !eval::admits(&spec, args));
            let fresh = refused.filter(|args| self.refused.insert(args.clone()));
            let refused: Vec<_> = fresh.take(REPAIRED).collect();
            if refused.is_empty() {
                break;
            }
            let own = size(&args);
            let mut repaired = self.smaller.repair(&args, &refused);
            repaired.retain(|args| size(args) < own);
            if self.take_least_alike(repaired)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Continues with the smallest of these candidates that fails alike; returns whether there is one.
    fn take_least_alike(&mut self, mut candidates: Vec<Vec<Value>>) -> Result<bool> {
        candidates.retain(|args| self.tried.insert(args.clone()));
        candidates.sort_by_cached_key(|args| size(args));
        while !candidates.is_empty() {
            let behind = candidates.split_off(MAX_FED.min(candidates.len()));
            if self.take_first_alike(std::mem::replace(&mut candidates, behind))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Continues with the first of these candidates that fails alike; returns whether there is one.
    fn take_first_alike(&mut self, mut candidates: Vec<Vec<Value>>) -> Result<bool> {
        while !candidates.is_empty() && !self.is_over() {
            let cases = candidates.iter().map(|args| Case { args: args.clone(), beyond: None }).collect();
            let limits = BatchLimits { fail_fast: true, max_valid: u64::MAX };
            let outcome = self.worker.run_batch(&Charged::new(Batch::Cases(cases)), limits)?;
            self.best.tries += outcome.done() as u32;
            let BatchOutcome { failures, spec_error, .. } = outcome;
            let done = match (failures.into_iter().next(), spec_error) {
                (Some(failed), _) if alike(&failed.failure, &self.best.failure) => {
                    // Those after it did not run: later steps may come to them.
                    let behind = candidates.iter().skip(failed.offset as usize + 1);
                    behind.for_each(|args| _ = self.tried.remove(args));
                    self.best.args = failed.args;
                    self.best.failure = failed.failure;
                    self.best.shrinks += 1;
                    return Ok(true);
                }
                (Some(failed), _) => failed.offset,
                (None, Some(error)) => error.offset,
                (None, None) => return Ok(false),
            };
            candidates.drain(..=(done as usize));
        }
        Ok(false)
    }
}

/// Whether two failures count as the same failure.
pub fn alike(a: &Failure, b: &Failure) -> bool {
    a.kind == b.kind
        && match a.kind {
            FailureKind::Panic => (&a.location, &a.within) == (&b.location, &b.within),
            FailureKind::Result | FailureKind::Ensures | FailureKind::Argument => a.clause == b.clause,
            _ => true,
        }
}
