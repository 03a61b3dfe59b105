//! Reports counted cases to an observer, one by one. A case made by the child is reported only if its arguments are
//! known.

use std::collections::BTreeMap;

use target_bridge::generate::Batch;
use target_bridge::generate::feedback::{Ending, Told};
use target_strategies::child::protocol::{Failure, Status};
use target_strategies::logic::value::Value;

use crate::run::worker::{BatchOutcome, Failed, batch};

/// A case that was counted.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'c> {
    /// Its arguments.
    pub args: &'c [Value],
    /// Whether it is outside the space on purpose.
    pub beyond: bool,
    /// Its result.
    pub fate: Fate<'c>,
}

/// The result of a case.
#[derive(Clone, Copy, Debug)]
pub enum Fate<'c> {
    /// It passed.
    Passed,
    /// The precondition rejected it.
    Discarded,
    /// It failed.
    Failed(&'c Failure),
}

/// A callback that gets the cases in order.
pub type Observe<'o> = dyn FnMut(Seen<'_>) + 'o;

/// Reports the first cases of a batch, as many as were counted.
pub(super) fn tell(batch: &Batch, outcome: &BatchOutcome, n_counted: u64, observe: &mut Observe<'_>) {
    tell_counted(batch, outcome, n_counted, &mut |_, seen| observe(seen));
}

/// The same, with their indices in the batch.
pub(super) fn tell_counted(
    batch: &Batch,
    outcome: &BatchOutcome,
    n_counted: u64,
    observe: &mut dyn FnMut(u64, Seen<'_>),
) {
    let failures: BTreeMap<u64, &Failed> =
        outcome.failures.iter().map(|failed| (failed.offset, failed)).collect();
    let shown: BTreeMap<u64, &[Value]> =
        outcome.shown.iter().map(|(offset, args)| (*offset, args.as_slice())).collect();
    let counted = (0..).zip(&outcome.statuses).filter(|(_, status)| status.is_case());
    for (offset, status) in counted.take(usize::try_from(n_counted).unwrap_or(usize::MAX)) {
        let failed = failures.get(&offset);
        let args = match (batch, failed) {
            (_, Some(Failed { failure: Failure { tables: Some(tables), .. }, .. })) => {
                Some(tables.as_slice())
            }
            (Batch::Cases(_), None) if shown.contains_key(&offset) => shown.get(&offset).copied(),
            (Batch::Cases(cases), _) => cases.get(offset as usize).map(|case| case.args.as_slice()),
            (_, Some(failed)) => Some(failed.args.as_slice()),
            (_, None) => shown.get(&offset).copied(),
        };
        let Some(args) = args else { continue };
        let fate = match (failed, status) {
            (Some(failed), _) => Fate::Failed(&failed.failure),
            (None, Status::Discarded) => Fate::Discarded,
            (None, _) => Fate::Passed,
        };
        observe(offset, Seen { args, beyond: batch::is_beyond(batch, offset), fate });
    }
}

/// What became of each case of a batch up to the last of those that were counted, with its trace. What ran after a cap is chance.
pub(super) fn traced(outcome: &BatchOutcome, n_counted: u64) -> Vec<Told> {
    let ending = |status: &Status| match status {
        Status::Valid | Status::Repeated => Ending::Passed,
        Status::None | Status::Discarded | Status::Skipped | Status::Undecided | Status::Unextended => {
            Ending::NotRun
        }
    };
    let told = outcome.statuses.iter().map(|status| Told { ending: ending(status), ..Told::default() });
    let mut told: Vec<Told> = told.collect();
    for (offset, trace) in &outcome.traces {
        if let Some(told) = told.get_mut(*offset as usize) {
            told.trace = Some(*trace);
        }
    }
    for (offset, asked) in &outcome.asked {
        if let Some(told) = told.get_mut(*offset as usize) {
            told.asked = Some(asked.clone());
        }
    }
    for failed in &outcome.failures {
        if let Some(told) = told.get_mut(failed.offset as usize) {
            told.ending = Ending::Failed;
        }
    }
    for reaching in &outcome.reaching {
        if let Some(told) = told.get_mut(reaching.offset as usize) {
            told.args = Some(reaching.args.clone());
        }
    }
    let cases = (1..).zip(&outcome.statuses).filter(|(_, status)| status.is_case());
    let all = cases.clone().count() as u64;
    let last = (n_counted < all).then(|| cases.map(|(n, _)| n).take(n_counted as usize).last());
    told.truncate(last.map_or(told.len(), Option::unwrap_or_default));
    told
}
