//! What a worker is asked for and what it answers: limits, the fate of each case, failures.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use target_bridge::generate::Batch;
use target_strategies::enumerative::{Members, slice};
use target_strategies::eval;
use target_strategies::native::deal::{self, Lister, Member};
use target_strategies::notation;
use target_strategies::protocol::{Failure, Limits, Request, Status};
use target_strategies::value::Value;

use super::child::Launch;

/// When to end a batch before its last case.
#[derive(Clone, Copy, Debug)]
pub struct BatchLimits {
    /// Whether to stop behind the first failure that is no boundary case's.
    pub fail_fast: bool,
    /// Behind how many valid cases to stop.
    pub max_valid: u64,
}

/// What became of a batch.
#[derive(Clone, Debug, Default)]
pub struct BatchOutcome {
    /// The fate of each case in order; fewer than the batch has, if it was ended early.
    pub statuses: Vec<Status>,
    /// Those among the valid cases that failed, in order.
    pub failures: Vec<Failed>,
    /// Some of the valid cases that the child made itself, by their index in the batch.
    pub shown: Vec<(u64, Vec<Value>)>,
    /// What ended the batch, if the spec broke.
    pub spec_error: Option<SpecError>,
    /// The cases that reached something new of an instrumented crate, in order.
    pub reaching: Vec<Reaching>,
    /// How much its counters have grown.
    pub counters: Vec<(u32, u64)>,
}

/// A case that reached something new of an instrumented crate.
#[derive(Clone, Debug)]
pub struct Reaching {
    /// Its index in the batch.
    pub offset: u64,
    /// Its arguments.
    pub args: Vec<Value>,
    /// All that it reached, as positions in [`Launch::watch`].
    pub sums: Vec<u32>,
    /// When it was told.
    pub at: Instant,
}

/// A case that failed.
#[derive(Clone, Debug)]
pub struct Failed {
    /// Its index in the batch.
    pub offset: u64,
    /// Its arguments.
    pub args: Vec<Value>,
    /// How it failed.
    pub failure: Failure,
    /// What its child had run before; known for the first failure of a batch, unless that is too much.
    pub past: Option<Vec<Stretch>>,
}

/// A case on which a condition of the spec could not be evaluated.
#[derive(Clone, Debug)]
pub struct SpecError {
    /// Its index in the batch.
    pub offset: u64,
    /// Its arguments.
    pub args: Vec<Value>,
    /// The clause, if known.
    pub clause: Option<u32>,
    /// What happened.
    pub message: String,
}

/// Consecutive cases of a batch.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The batch.
    pub batch: Arc<Batch>,
    /// The first case.
    pub start: u64,
    /// The one behind the last.
    pub end: u64,
}

impl Stretch {
    /// The cases, as a batch of their own.
    pub fn cases(&self) -> Batch {
        match &*self.batch {
            Batch::Cases(cases) => Batch::Cases(cases[self.start as usize..self.end as usize].to_vec()),
            Batch::Ranges(ranges) => Batch::Ranges(slice(ranges, self.start, self.end)),
            Batch::Listed(pieces) => Batch::Listed(deal::slice(pieces, self.start, self.end)),
        }
    }

    /// How much memory it holds on to, roughly, in cases.
    pub(super) fn weight(&self) -> u64 {
        match &*self.batch {
            Batch::Cases(_) => 1 + self.end - self.start,
            Batch::Ranges(ranges) => ranges.len() as u64,
            Batch::Listed(pieces) => pieces.len() as u64,
        }
    }
}

impl BatchLimits {
    /// What is left of the limits behind some cases.
    pub(super) fn after(self, outcome: &BatchOutcome) -> BatchLimits {
        BatchLimits { max_valid: self.max_valid.saturating_sub(outcome.valid()), ..self }
    }
}

impl BatchOutcome {
    /// How many cases are done.
    pub fn done(&self) -> u64 {
        self.statuses.len() as u64
    }

    /// Forgets a case and those after it, so that they can be run again.
    pub(super) fn forget_from(&mut self, offset: u64) {
        self.statuses.truncate(offset as usize);
        self.failures.retain(|failed| failed.offset < offset);
        self.shown.retain(|(shown, _)| *shown < offset);
        self.reaching.retain(|reaching| reaching.offset < offset);
        self.spec_error = self.spec_error.take().filter(|error| error.offset < offset);
    }

    fn valid(&self) -> u64 {
        let valid = |status: &&Status| matches!(status, Status::Valid | Status::Repeated);
        self.statuses.iter().filter(valid).count() as u64
    }

    /// Whether the batch shall not go on.
    pub(super) fn reached(&self, limits: BatchLimits, batch: &Batch) -> bool {
        self.spec_error.is_some()
            || self.valid() >= limits.max_valid
            || limits.fail_fast && self.failures.iter().any(|failed| !is_boundary(batch, failed.offset))
    }
}

/// How many cases a batch has.
pub fn len(batch: &Batch) -> u64 {
    match batch {
        Batch::Cases(cases) => cases.len() as u64,
        Batch::Ranges(ranges) => ranges.iter().map(|range| range.len).sum(),
        Batch::Listed(pieces) => pieces.iter().map(|piece| piece.len).sum(),
    }
}

/// Whether a case lies outside the space on purpose.
pub fn is_boundary(batch: &Batch, offset: u64) -> bool {
    match batch {
        Batch::Cases(cases) => cases.get(offset as usize).is_some_and(|case| case.boundary),
        Batch::Ranges(_) | Batch::Listed(_) => false,
    }
}

/// The request for some cases of a batch.
pub(super) fn request(batch: &Batch, wanted: Range<u64>, limits: BatchLimits, judge_all: bool) -> Request {
    let (from, to) = (wanted.start, wanted.end);
    let has_boundary = match batch {
        Batch::Cases(cases) => cases[from as usize..to as usize].iter().any(|case| case.boundary),
        Batch::Ranges(_) | Batch::Listed(_) => false,
    };
    let limits = Limits { stop_at_failure: limits.fail_fast && !has_boundary, max_valid: limits.max_valid };
    match batch {
        Batch::Cases(cases) => {
            let cases = cases[from as usize..to as usize].iter().map(|case| case.args.clone()).collect();
            Request::Cases { cases, limits }
        }
        Batch::Ranges(ranges) => Request::Enumerate { ranges: slice(ranges, from, to), limits },
        Batch::Listed(pieces) => Request::List { ranges: deal::slice(pieces, from, to), judge_all, limits },
    }
}

/// The arguments of a case.
pub(super) fn args(batch: &Batch, offset: u64, launch: &Launch) -> Result<Vec<Value>> {
    match batch {
        Batch::Cases(cases) => Ok(cases[offset as usize].args.clone()),
        Batch::Ranges(ranges) => {
            let Some(range) = slice(ranges, offset, offset + 1).pop() else {
                bail!("the harness went beyond the end of a batch");
            };
            let mut members = Members::new(&launch.space, &range.skeleton);
            members.seek(range.start);
            let mut args = Vec::new();
            if !members.next_into(&mut args) {
                bail!("the harness went beyond the end of a skeleton");
            }
            Ok(args)
        }
        Batch::Listed(pieces) => {
            let mut lister = Lister::new(&launch.space);
            let covers = lister.covers();
            let mut listing = lister.list(&deal::slice(pieces, offset, offset + 1));
            let Some(Member { args, is_undecided, .. }) = listing.advance() else {
                bail!("the harness went beyond the end of a class");
            };
            // The child, which judges what it shows, died of this one.
            let spec = launch.space.spec();
            if covers && !is_undecided && !eval::admits(spec, args) {
                let args = notation::print_args(args, spec);
                bail!("the native engine lists {args}, and the judge refuses it");
            }
            Ok(args.to_vec())
        }
    }
}
