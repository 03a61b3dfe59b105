//! Makes a counterexample smaller, for as long as it fails in the same way.
//!
//! In four ways, each begun where the one before has come to its end:
//!
//! * step by step, greedily: the first of the smaller candidates that fails alike;
//! * by looking through the members of the space that are smaller, small ones first, which finds the way where each
//!   single step breaks an invariant, and may tell that there is nothing smaller;
//! * outside the space, by looking through the boundary cases that are smaller;
//! * where all that does not tell that there is nothing smaller: by steps that the spec refuses, with what depends on them
//!   adapted by Z3.
//!
//! The child judges the precondition of every candidate, `where` conditions included, and so never runs one that the
//! spec refuses. How far each way is followed is counted in candidates and in questions to Z3; the clock only ends it
//! where the subject is slow.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use target_bridge::generate::{Batch, Case};
use target_bridge::smt::boundary::BoundaryCases;
use target_bridge::smt::repair::Repairs;
use target_bridge::smt::smaller::{self, SmallerMembers};
use target_bridge::smt::z3::Effort;
use target_strategies::eval;
use target_strategies::protocol::{Failure, FailureKind, MAX_FED};
use target_strategies::shrink::{candidates, size};
use target_strategies::value::Value;

use super::confirm::Laboratory;
use crate::worker::{BatchLimits, BatchOutcome, Worker};

/// How many candidates the greedy descents try at most.
const TRIES: usize = 30_000;

/// For how long everything may go on.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many boundary cases are looked at, of which only the smaller ones are run.
const BOUNDARY_CASES: u64 = 300;

/// How many refused candidates are repaired before any of them is run.
const REPAIRED: usize = 16;

/// A counterexample on its way down.
#[derive(Clone, Debug)]
pub(super) struct Smaller {
    pub(super) args: Vec<Value>,
    pub(super) failure: Failure,
    /// How many steps led here.
    pub(super) shrinks: u32,
    /// How many candidates were judged, and run if they were valid.
    pub(super) tries: u32,
}

/// The least counterexample that is found in reasonable time. One outside the space on purpose (`boundary`) isn't
/// compared with those inside, which are looked for anyway.
pub(super) fn shrink(laboratory: &Laboratory<'_>, start: Smaller, boundary: bool) -> Result<Smaller> {
    let mut descent = Descent {
        laboratory,
        deadline: Instant::now() + PATIENCE,
        worker: laboratory.worker(),
        tried: HashSet::from([start.args.clone()]),
        greedy_tries: 0,
        refused: HashSet::new(),
        best: start,
    };
    descent.go_down()?;
    if !boundary {
        let space = smaller::around(&laboratory.launch.space, &descent.best.args);
        let is_least = descent.look_through(SmallerMembers::new(&space))?;
        descent.go_down()?;
        if is_least && space.contains(&descent.best.args) {
            return Ok(descent.best);
        }
    }
    if !laboratory.launch.space.contains(&descent.best.args) {
        descent.look_beyond()?;
        descent.go_down()?;
    }
    let mut repairs = Repairs::new(&laboratory.launch.space);
    while descent.step_and_repair(&mut repairs)? {
        descent.go_down()?;
    }
    Ok(descent.best)
}

/// The way down so far.
struct Descent<'d> {
    laboratory: &'d Laboratory<'d>,
    deadline: Instant,
    worker: Worker<'d>,
    /// All candidates so far.
    tried: HashSet<Vec<Value>>,
    greedy_tries: usize,
    /// The candidates that were refused and repaired.
    refused: HashSet<Vec<Value>>,
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
            // Most steps succeed with one of the first candidates; where none does, all have to be tried.
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

    /// Looks through the smaller members of the space; whether there are none left.
    fn look_through(&mut self, mut smaller: SmallerMembers) -> Result<bool> {
        while !self.is_over() {
            let Some(members) = smaller.next(&self.best.args) else { return Ok(smaller.is_complete()) };
            self.take_least_alike(members)?;
        }
        Ok(false)
    }

    /// Looks through the smaller ones among the first boundary cases: what lies outside the space is often of their sort.
    fn look_beyond(&mut self) -> Result<bool> {
        let space = smaller::around(&self.laboratory.launch.space, &self.best.args);
        let mut boundary = BoundaryCases::new(space, BOUNDARY_CASES, Effort::default());
        let own = size(&self.best.args);
        let mut cases = Vec::new();
        while !boundary.is_over() && !self.is_over() {
            cases.extend(boundary.deal().map(|case| case.args).filter(|args| size(args) < own));
        }
        self.take_least_alike(cases)
    }

    /// Takes a step of those that the spec refuses, repaired; whether there was one.
    fn step_and_repair(&mut self, repairs: &mut Repairs) -> Result<bool> {
        let spec = self.laboratory.launch.space.spec().clone();
        let args = self.best.args.clone();
        let mut candidates = candidates(&spec, &args);
        while !repairs.is_over() && !self.is_over() {
            let refused = candidates.by_ref().filter(|args| !eval::admits(&spec, args));
            let fresh = refused.filter(|args| self.refused.insert(args.clone()));
            let refused: Vec<_> = fresh.take(REPAIRED).collect();
            if refused.is_empty() {
                break;
            }
            let own = size(&args);
            let mut repaired = repairs.repair(&args, &refused);
            repaired.retain(|args| size(args) < own);
            if self.take_least_alike(repaired)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes on with the least of these candidates that fails alike; whether one does.
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

    /// Goes on with the first of these candidates that fails alike; whether one does.
    fn take_first_alike(&mut self, mut candidates: Vec<Vec<Value>>) -> Result<bool> {
        while !candidates.is_empty() && !self.is_over() {
            let cases = candidates.iter().map(|args| Case { args: args.clone(), boundary: false }).collect();
            let limits = BatchLimits { fail_fast: true, max_valid: u64::MAX };
            let outcome = self.worker.run_batch(&Arc::new(Batch::Cases(cases)), limits)?;
            self.best.tries += outcome.done() as u32;
            let BatchOutcome { failures, spec_error, .. } = outcome;
            let done = match (failures.into_iter().next(), spec_error) {
                (Some(failed), _) if alike(&failed.failure, &self.best.failure) => {
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

/// Whether two failures count as the same one.
pub(super) fn alike(a: &Failure, b: &Failure) -> bool {
    a.kind == b.kind
        && match a.kind {
            FailureKind::Panic => a.location == b.location,
            FailureKind::Result | FailureKind::Ensures => a.clause == b.clause,
            _ => true,
        }
}
