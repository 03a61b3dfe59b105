//! A worker's requests and results: limits, the status of each case, failures.

use std::collections::HashSet;
use std::ops::Range;
use std::time::Instant;

use anyhow::{Result, bail};
use target_bridge::generate::Batch;
use target_strategies::baseline::enumerative::{Members, slice};
use target_strategies::beyond::Source;
use target_strategies::cancel::Charged;
use target_strategies::child::protocol::{Failure, Limits, Request, Status, Trace};
use target_strategies::logic::eval::{Admission, Judge};
use target_strategies::logic::notation;
use target_strategies::logic::value::Value;
use target_strategies::native::listing::{self, Lister, Member};

use super::child::Launch;
use super::patience::Patience;

/// When to end a batch before its last case.
#[derive(Clone, Copy, Debug)]
pub struct BatchLimits {
    /// Whether to stop after the first failure that is inside the space.
    pub fail_fast: bool,
    /// Number of valid cases after which to stop.
    pub max_valid: u64,
}

/// The results of a batch.
#[derive(Clone, Debug, Default)]
pub struct BatchOutcome {
    /// The status of each case in order; shorter than the batch if it ended early.
    pub statuses: Vec<Status>,
    /// The valid cases that failed, in order.
    pub failures: Vec<Failed>,
    /// Some of the valid cases made by the child, with their index in the batch.
    pub shown: Vec<(u64, Vec<Value>)>,
    /// The goals that a child met for the first time, each with the index of the case. See
    /// [`target_strategies::child::goals`].
    pub met: Vec<(u64, u32)>,
    /// Whether a child ended before it reported the goals that its cases met.
    pub has_gap: bool,
    /// Whether an argument was not made because that takes too long: then inputs with it are missing.
    pub has_late: bool,
    /// The error in the spec that ended the batch, if there was one.
    pub spec_error: Option<SpecError>,
    /// The cases that reached new code of an instrumented crate, in order.
    pub reaching: Vec<Reaching>,
    /// The increases of its counters.
    pub counters: Vec<(u32, u64)>,
    /// The traces of cases, with their indices in the batch; that of a case that ends its child is missing.
    pub traces: Vec<(u64, Trace)>,
    /// How often the cases ran pieces of an instrumented crate, added up; without those that ended their child.
    pub steps: u64,
    /// The functions of each member that were asked for more results than it has, as in [`target_strategies::child::protocol::Reply::Asked`], with its index
    /// in the batch; that of a case that ends its child is missing.
    pub asked: Vec<(u64, Vec<u32>)>,
}

/// A case that reached new code of an instrumented crate.
#[derive(Clone, Debug)]
pub struct Reaching {
    /// Its index in the batch.
    pub offset: u64,
    /// Its arguments.
    pub args: Vec<Value>,
    /// Everything that it reached, as positions among the sums of [`super::Watch::Sums`]; empty if traces are told.
    pub sums: Vec<u32>,
    /// When the child reported it.
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
    /// The cases that its child ran before; only for the first failure of a batch, unless they are too many.
    pub past: Option<Past>,
}

/// What a child was told before a case.
#[derive(Clone, Debug)]
pub struct Past {
    /// The cases that it ran.
    pub stretches: Vec<Stretch>,
    /// What it didn't run beside the subject itself, as in [`Request::Unmade`].
    pub unmade: Vec<u64>,
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
    pub batch: Charged<Batch>,
    /// The first case.
    pub start: u64,
    /// The end, exclusive.
    pub end: u64,
}

impl Stretch {
    /// The cases, as a separate batch.
    pub fn cases(&self) -> Batch {
        match &*self.batch {
            Batch::Cases(cases) => Batch::Cases(cases[self.start as usize..self.end as usize].to_vec()),
            Batch::Ranges(ranges) => Batch::Ranges(slice(ranges, self.start, self.end)),
            Batch::Listed(pieces) => Batch::Listed(listing::slice(pieces, self.start, self.end)),
        }
    }

    /// The memory that it keeps alive, roughly, in cases.
    pub(super) fn weight(&self) -> u64 {
        match &*self.batch {
            Batch::Cases(_) => 1 + self.end - self.start,
            Batch::Ranges(ranges) => ranges.len() as u64,
            Batch::Listed(pieces) => pieces.len() as u64,
        }
    }
}

impl BatchLimits {
    /// The limits that remain after some results.
    pub(super) fn after(self, outcome: &BatchOutcome) -> BatchLimits {
        BatchLimits { max_valid: self.max_valid.saturating_sub(outcome.valid()), ..self }
    }
}

impl BatchOutcome {
    /// Number of finished cases.
    pub fn done(&self) -> u64 {
        self.statuses.len() as u64
    }

    /// Leaves out the cases outside the space after some that cost much. Which these are doesn't depend on what a worker
    /// has run before.
    pub fn leave_out_beyond(&mut self, batch: &Batch, patience: &mut Patience) {
        let is_known = |status: &Status| *status != Status::Undecided;
        if !patience.is_over() && self.failures.is_empty() && self.statuses.iter().all(is_known) {
            return;
        }
        let mut failures = self.failures.iter().peekable();
        let mut left_out = HashSet::new();
        for (offset, status) in (0..).zip(&mut self.statuses) {
            let is_beyond = is_beyond(batch, offset);
            let is_left_out = is_beyond && patience.is_over();
            if is_left_out {
                *status = Status::Skipped;
                left_out.insert(offset);
            } else if is_beyond && *status == Status::Undecided {
                patience.give_up_judging();
            }
            while let Some(failed) = failures.next_if(|failed| failed.offset <= offset) {
                if is_beyond && !is_left_out {
                    patience.fail(failed.failure.kind);
                }
            }
        }
        self.failures.retain(|failed| !left_out.contains(&failed.offset));
        self.shown.retain(|(shown, _)| !left_out.contains(shown));
        // A child reports a goal only once, so later cases may have met these, too: a run that leaves out some has no
        // notes.
        self.met.retain(|(met, _)| !left_out.contains(met));
        self.reaching.retain(|reaching| !left_out.contains(&reaching.offset));
        self.traces.retain(|(traced, _)| !left_out.contains(traced));
    }

    /// Drops the results of a case and those after it, so that they can be run again.
    pub(super) fn forget_from(&mut self, offset: u64) {
        self.statuses.truncate(offset as usize);
        self.failures.retain(|failed| failed.offset < offset);
        self.shown.retain(|(shown, _)| *shown < offset);
        self.met.retain(|(met, _)| *met < offset);
        self.reaching.retain(|reaching| reaching.offset < offset);
        self.traces.retain(|(traced, _)| *traced < offset);
        self.asked.retain(|(asked, _)| *asked < offset);
        self.spec_error = self.spec_error.take().filter(|error| error.offset < offset);
    }

    fn valid(&self) -> u64 {
        let valid = |status: &&Status| matches!(status, Status::Valid | Status::Repeated);
        self.statuses.iter().filter(valid).count() as u64
    }

    /// Whether to end the batch.
    pub(super) fn reached(&self, limits: BatchLimits, batch: &Batch) -> bool {
        self.spec_error.is_some()
            || self.valid() >= limits.max_valid
            || limits.fail_fast && self.failures.iter().any(|failed| !is_beyond(batch, failed.offset))
    }
}

/// Number of cases in a batch.
pub fn len(batch: &Batch) -> u64 {
    match batch {
        Batch::Cases(cases) => cases.len() as u64,
        Batch::Ranges(ranges) => ranges.iter().map(|range| range.len).sum(),
        Batch::Listed(pieces) => pieces.iter().map(|piece| piece.len).sum(),
    }
}

/// Whether a case is outside the space on purpose.
pub fn is_beyond(batch: &Batch, offset: u64) -> bool {
    match batch {
        Batch::Cases(cases) => cases.get(offset as usize).is_some_and(|case| case.beyond.is_some()),
        Batch::Ranges(_) | Batch::Listed(_) => false,
    }
}

/// Whether some cases are outside the space on purpose.
pub fn has_beyond(batch: &Batch) -> bool {
    match batch {
        Batch::Cases(cases) => cases.iter().any(|case| case.beyond.is_some()),
        Batch::Ranges(_) | Batch::Listed(_) => false,
    }
}

/// Why a case is outside the space, if it is.
pub fn beyond(batch: &Batch, offset: u64) -> Option<Source> {
    match batch {
        Batch::Cases(cases) => cases.get(offset as usize)?.beyond,
        Batch::Ranges(_) | Batch::Listed(_) => None,
    }
}

/// How the cases of a batch are sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    /// Whether to judge each member that the engine lists.
    pub judge_all: bool,
    /// Whether cases that aren't outside of the space are members that a generator made.
    pub has_members: bool,
    /// Whether the child tells which of their functions were asked for more results.
    pub asks: bool,
}

/// The request for some cases of a batch.
pub(super) fn request(batch: &Batch, wanted: Range<u64>, limits: BatchLimits, sent: Sent) -> Request {
    let (from, to) = (wanted.start, wanted.end);
    let has_beyond = match batch {
        Batch::Cases(cases) => cases[from as usize..to as usize].iter().any(|case| case.beyond.is_some()),
        Batch::Ranges(_) | Batch::Listed(_) => false,
    };
    let limits = Limits { stop_at_failure: limits.fail_fast && !has_beyond, max_valid: limits.max_valid };
    match batch {
        Batch::Cases(cases) => {
            let cases = &cases[from as usize..to as usize];
            let members = if sent.has_members { cases } else { &[] };
            let members = members.iter().map(|case| case.beyond.is_none()).collect();
            let cases = cases.iter().map(|case| case.args.clone()).collect();
            Request::Cases { cases, members, asks: sent.asks, limits }
        }
        Batch::Ranges(ranges) => Request::Enumerate { ranges: slice(ranges, from, to), limits },
        Batch::Listed(pieces) => {
            Request::List { ranges: listing::slice(pieces, from, to), judge_all: sent.judge_all, limits }
        }
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
            let mut listing = lister.list(&listing::slice(pieces, offset, offset + 1));
            let Some(Member { args, is_undecided, .. }) = listing.advance() else {
                bail!("the harness went beyond the end of a class");
            };
            // The child judges the cases that it shows, but it died of this one. An undecided judge doesn't contradict
            // the engine.
            let spec = launch.space.spec();
            let judged = || Judge::new(None).precondition(spec, args);
            if covers && !is_undecided && matches!(judged(), Admission::Rejected(_)) {
                let args = notation::print_args(args, spec);
                bail!("the native engine lists {args}, and the judge rejects it");
            }
            Ok(args.to_vec())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use target_bridge::generate::Case;
    use target_strategies::child::protocol::FailureKind;

    use super::*;

    /// Five cases, of which only the third is inside the space.
    fn batch() -> Batch {
        let case = |is_beyond: bool| Case { args: Vec::new(), beyond: is_beyond.then_some(Source::Large) };
        Batch::Cases([true, true, false, true, true].map(case).to_vec())
    }

    #[test]
    fn what_follows_too_many_undecided_inputs_is_left_out() {
        let batch = batch();
        let reaching = |offset| Reaching { offset, args: Vec::new(), sums: Vec::new(), at: Instant::now() };
        let trace = Trace { pieces: NonZeroU32::MIN, counts: 7, is_first: false };
        use Status::{Skipped, Undecided, Valid};
        let outcome = || BatchOutcome {
            statuses: vec![Valid, Undecided, Valid, Undecided, Valid],
            shown: (0..5).map(|offset| (offset, Vec::new())).collect(),
            met: (0..5).map(|offset| (offset, 7)).collect(),
            traces: (0..5).map(|offset| (offset, trace)).collect(),
            reaching: (0..5).map(reaching).collect(),
            ..BatchOutcome::default()
        };
        let after = |n_earlier: u64| {
            let (mut outcome, mut patience) = (outcome(), Patience::of_run());
            (0..n_earlier).for_each(|_| patience.give_up_judging());
            outcome.leave_out_beyond(&batch, &mut patience);
            let shown: Vec<u64> = outcome.shown.iter().map(|(offset, _)| *offset).collect();
            assert_eq!(outcome.met.iter().map(|(offset, _)| *offset).collect::<Vec<_>>(), shown);
            assert_eq!(outcome.traces.iter().map(|(offset, _)| *offset).collect::<Vec<_>>(), shown);
            assert_eq!(outcome.reaching.iter().map(|reaching| reaching.offset).collect::<Vec<_>>(), shown);
            (outcome.statuses, shown)
        };
        assert_eq!(after(13), (outcome().statuses, vec![0, 1, 2, 3, 4]));
        assert_eq!(after(15), (vec![Valid, Undecided, Valid, Skipped, Skipped], vec![0, 1, 2]));
        assert_eq!(after(16), (vec![Skipped, Skipped, Valid, Skipped, Skipped], vec![2]));
    }

    #[test]
    fn what_follows_too_many_slow_failures_is_left_out() {
        let batch = batch();
        let failed = |offset| {
            let kind = if offset == 0 { FailureKind::Panic } else { FailureKind::Timeout };
            let failure = Failure { kind, ..super::super::death::fork() };
            Failed { offset, args: Vec::new(), failure, past: None }
        };
        let mut outcome = BatchOutcome {
            statuses: vec![Valid; 5],
            failures: (0..5).map(failed).collect(),
            ..BatchOutcome::default()
        };
        let mut patience = Patience::of_run();
        (0..2).for_each(|_| patience.fail(FailureKind::Memory));
        outcome.leave_out_beyond(&batch, &mut patience);
        use Status::{Skipped, Valid};
        assert_eq!(outcome.statuses, [Valid, Valid, Valid, Skipped, Skipped]);
        assert_eq!(outcome.failures.iter().map(|failed| failed.offset).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
