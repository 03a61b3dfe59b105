//! Counts the cases of a run, one by one in order, and decides when it is over.

use std::collections::HashSet;

use target_bridge::generate::{Batch, End, GeneratorKind};
use target_strategies::beyond::Source;
use target_strategies::child::protocol::{FailureKind, Status};
use target_strategies::logic::value::Value;

use super::shrink::alike;
use crate::events::outcome::{MOST_TIMEOUTS, Stopped};
use crate::run::worker::{BatchOutcome, Failed, SpecError, batch};

/// The counts so far.
#[derive(Debug, Default)]
pub struct Counts {
    /// Number of valid and discarded cases.
    pub cases: u64,
    /// Cases that ran.
    pub valid: u64,
    /// Cases that the precondition rejected.
    pub discarded: u64,
    /// Number of different argument tuples among the valid cases.
    pub distinct: u64,
    /// Number of cases outside the space among `cases`.
    pub boundary_cases: u64,
    /// Number of `valid` cases from the generator within depth and bound: no other cases, no examples.
    pub valid_inside: u64,
    /// Number of the first failing case of any sort, from 1.
    pub cases_to_failure: Option<u64>,
    /// Number of cases inside the space that ran longer than the time limit.
    pub timeouts: u64,
    /// Number of such cases outside it.
    pub beyond_timeouts: u64,
    /// Number of inputs outside the space that took too long to judge. They are not among `cases`.
    pub beyond_undecided: u64,
    /// The first of them.
    pub first_undecided: Option<Vec<Value>>,
    /// Number of inputs outside the space that were left out after several that took too long.
    pub left_out: u64,
    /// Number of inputs left out because they extend a sequence of calls that leads to the state of a shorter one, whose
    /// extension ran.
    pub unextended: u64,
    /// Whether inputs are missing because an argument takes too long to make.
    pub has_late: bool,
    /// The first failure inside the space.
    pub failed: Option<Failed>,
    /// The first failure outside the space.
    pub beyond_failed: Option<(Source, Failed)>,
    /// If all are kept: the first of each failure, in order.
    pub unlike: Vec<Unlike>,
    /// The work so far: a number that takes about as long as so many cases of little code, and that no clock decides.
    pub work: u64,
    /// The mistake in the spec, if there is one.
    pub spec_error: Option<SpecError>,
    seen: HashSet<Vec<Value>>,
}

/// The first of the cases that fail alike.
#[derive(Clone, Debug)]
pub struct Unlike {
    /// Where it comes from, if it is outside the space.
    pub beyond: Option<Source>,
    /// The case.
    pub failed: Failed,
    /// Number of cases that fail so.
    pub n_cases: u64,
}

/// Maximum number of failures of one function that are kept.
pub const MOST_UNLIKE: usize = 16;

/// Number of steps that are as much work as a case of no steps.
const STEPS: u64 = 10_000;

/// The work of a case that takes too long or too much memory, of one that ends its process, and of another that fails, whose place
/// is looked up.
const SLOW: u64 = 2_000;
const DEADLY: u64 = 300;
const FAILED: u64 = 50;

/// How a run continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// With more cases.
    Continue,
    /// The cap is reached: the run is over, if there are more cases.
    CapReached,
    /// The cap on work is reached: as above.
    WorkDone,
    /// It is over.
    Over(Over),
}

impl Next {
    /// Whether a cap is reached.
    pub fn is_at_cap(self) -> bool {
        match self {
            Next::CapReached | Next::WorkDone | Next::Over(Over::Stopped(Stopped::Cases)) => true,
            Next::Continue | Next::Over(Over::Done | Over::Cut | Over::Stopped(_)) => false,
        }
    }
}

/// Why a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// All cases ran, or the spec has a mistake.
    Done,
    /// For this reason.
    Stopped(Stopped),
    /// It was cut short from outside: by the budget or the user.
    Cut,
}

impl Over {
    /// Why a run is over whose generator ended.
    pub fn at_end(end: &End) -> Over {
        match end {
            End::Exhausted => Over::Done,
            End::Asked(_) => Over::Stopped(Stopped::Asked),
            End::Unknown(_) => Over::Stopped(Stopped::Unknown),
            End::Closed => Over::Cut,
        }
    }
}

/// The settings that the counts depend on.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The generator: some repeat cases.
    pub generator: GeneratorKind,
    /// The cap on valid cases.
    pub max_valid: u64,
    /// The cap on work. The batch that reaches it is the last one.
    pub max_work: Option<u64>,
    /// Whether the first failure inside the space ends the run.
    pub fail_fast: bool,
    /// Whether one of each failure is kept.
    pub keeps_all: bool,
}

impl Counts {
    /// Adds the results of the next batch in order.
    pub fn add(&mut self, batch: &Batch, outcome: BatchOutcome, is_example: bool, rules: &Rules) -> Next {
        let mut failures = outcome.failures.into_iter().peekable();
        let n_cases = batch::len(batch);
        let n_done = outcome.statuses.len() as u64;
        self.has_late |= outcome.has_late;
        let work_before = self.work;
        for (offset, status) in (0..).zip(outcome.statuses) {
            let beyond = batch::beyond(batch, offset);
            self.add_case(batch, offset, status, is_example, rules);
            let mut over = false;
            while let Some(failed) = failures.next_if(|failed| failed.offset <= offset) {
                over |= self.add_failure(failed, beyond, rules) && rules.fail_fast;
            }
            if over {
                return Next::Over(Over::Stopped(Stopped::Counterexample));
            }
            if self.timeouts >= MOST_TIMEOUTS {
                return Next::Over(Over::Stopped(Stopped::Timeouts));
            }
            if self.valid >= rules.max_valid {
                let more = offset + 1 < n_cases;
                return if more { Next::Over(Over::Stopped(Stopped::Cases)) } else { Next::CapReached };
            }
        }
        if let Some(error) = outcome.spec_error {
            self.spec_error = Some(error);
            return Next::Over(Over::Done);
        }
        // Examples are those of earlier rounds.
        self.work = if is_example { work_before } else { self.work.saturating_add(outcome.steps / STEPS) };
        if n_done < n_cases {
            Next::Over(Over::Cut)
        } else if rules.max_work.is_some_and(|max| self.work >= max) {
            Next::WorkDone
        } else {
            Next::Continue
        }
    }

    fn add_case(&mut self, batch: &Batch, offset: u64, status: Status, is_example: bool, rules: &Rules) {
        let beyond = u64::from(batch::is_beyond(batch, offset));
        self.work += u64::from(status != Status::None);
        match status {
            Status::None => return,
            Status::Undecided => {
                self.beyond_undecided += beyond;
                // One inside the space is a mistake in the spec, which ends the run.
                if let (Batch::Cases(cases), 1) = (batch, beyond) {
                    self.first_undecided.get_or_insert_with(|| cases[offset as usize].args.clone());
                }
                return;
            }
            Status::Unextended => {
                self.unextended += 1;
                return;
            }
            Status::Skipped => {
                self.left_out += beyond;
                return;
            }
            Status::Discarded => self.discarded += 1,
            Status::Repeated => {
                self.valid += 1;
                self.valid_inside += 1 - beyond;
            }
            Status::Valid => {
                self.valid += 1;
                self.valid_inside += u64::from(beyond == 0 && !is_example);
                self.distinct += u64::from(self.is_new(batch, offset, is_example, rules));
            }
        }
        self.cases += 1;
        self.boundary_cases += beyond;
    }

    /// Whether no earlier valid case had these arguments. Only the random baseline repeats itself. Other generators can
    /// only repeat an example; the child detects that for the cases that it makes.
    fn is_new(&mut self, batch: &Batch, offset: u64, is_example: bool, rules: &Rules) -> bool {
        let Batch::Cases(cases) = batch else { return true };
        let args = &cases[offset as usize].args;
        if is_example || rules.generator == GeneratorKind::Random {
            self.seen.insert(args.clone())
        } else {
            !self.seen.contains(args)
        }
    }

    /// Records a failure; returns whether it may end the run.
    fn add_failure(&mut self, failed: Failed, beyond: Option<Source>, rules: &Rules) -> bool {
        self.cases_to_failure.get_or_insert(self.cases);
        let is_timeout = u64::from(failed.failure.kind == FailureKind::Timeout);
        self.work = self.work.saturating_add(work(failed.failure.kind));
        match beyond {
            Some(_) => self.beyond_timeouts += is_timeout,
            None => self.timeouts += is_timeout,
        }
        if rules.keeps_all {
            let known = self.unlike.iter().position(|known| alike(&known.failed.failure, &failed.failure));
            match known {
                Some(known) => self.unlike[known].n_cases += 1,
                None if self.unlike.len() < MOST_UNLIKE => {
                    self.unlike.push(Unlike { beyond, failed: failed.clone(), n_cases: 1 });
                }
                None => {}
            }
        }
        match beyond {
            Some(source) => _ = self.beyond_failed.get_or_insert((source, failed)),
            None => _ = self.failed.get_or_insert(failed),
        }
        beyond.is_none()
    }
}

/// The work of a failure.
fn work(kind: FailureKind) -> u64 {
    match kind {
        FailureKind::Timeout | FailureKind::Memory => SLOW,
        FailureKind::StackOverflow | FailureKind::Abort | FailureKind::Exit | FailureKind::Fork => DEADLY,
        FailureKind::Panic
        | FailureKind::NoPanic
        | FailureKind::Result
        | FailureKind::Argument
        | FailureKind::Ensures => FAILED,
    }
}

#[cfg(test)]
mod tests {
    use target_bridge::generate::Case;

    use super::*;

    #[test]
    fn only_inputs_beyond_the_bound_are_undecided() {
        let case = |n: i64, beyond| Case { args: vec![Value::int(n)], beyond };
        let first = |cases: Vec<Case>| {
            let statuses = vec![Status::Undecided; cases.len()];
            let outcome = BatchOutcome { statuses, ..BatchOutcome::default() };
            let rules = Rules {
                generator: GeneratorKind::Auto,
                max_valid: 10,
                max_work: None,
                fail_fast: true,
                keeps_all: false,
            };
            let mut counts = Counts::default();
            counts.add(&Batch::Cases(cases), outcome, false, &rules);
            (counts.beyond_undecided, counts.first_undecided)
        };
        let beyond = |n| case(n, Some(Source::Large));
        assert_eq!(first(vec![case(1, None)]), (0, None));
        assert_eq!(first(vec![case(1, None), beyond(2), beyond(3)]), (2, Some(vec![Value::int(2)])));
    }

    #[test]
    fn work_counts_cases_and_steps_and_ends_a_run_after_a_batch() {
        let batch = |n: u64| {
            let cases = (0..n).map(|n| Case { args: vec![Value::int(n as i64)], beyond: None });
            let statuses = vec![Status::Valid; n as usize];
            (
                Batch::Cases(cases.collect()),
                BatchOutcome { statuses, steps: 5 * STEPS, ..BatchOutcome::default() },
            )
        };
        let rules = |max_work| Rules {
            generator: GeneratorKind::Auto,
            max_valid: 100,
            max_work,
            fail_fast: false,
            keeps_all: true,
        };
        let add = |counts: &mut Counts, n, is_example, max_work| {
            let (batch, outcome) = batch(n);
            counts.add(&batch, outcome, is_example, &rules(max_work))
        };
        let mut counts = Counts::default();
        // What earlier rounds found is no work of this one.
        assert_eq!(add(&mut counts, 3, true, Some(1)), Next::Continue);
        assert_eq!((add(&mut counts, 10, false, Some(16)), counts.work), (Next::Continue, 15));
        assert_eq!((add(&mut counts, 10, false, Some(16)), counts.work), (Next::WorkDone, 30));
        assert_eq!(add(&mut counts, 10, false, None), Next::Continue);
        assert_eq!(
            [FailureKind::Timeout, FailureKind::Abort, FailureKind::Panic].map(work),
            [2_000, 300, 50]
        );
    }
}
