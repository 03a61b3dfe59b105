//! The verdict on a function, from the results of its generators, and the counts of a run's verdicts. All reports share
//! it.

use std::cmp::Reverse;

use crate::events::outcome::{Stopped, Verdict};
use crate::events::{FunctionFinished, RunFinished};
use crate::system::exit_code;

/// The verdict on a function from its generators' verdicts in all rounds. If any generator finds the spec broken or a
/// failure, that decides; otherwise the main generator does.
pub fn verdict(outcomes: &[FunctionFinished]) -> Option<Verdict> {
    let any = |verdict| outcomes.iter().any(|outcome| outcome.verdict == verdict);
    let main = |verdict| outcomes.iter().any(|outcome| outcome.main && outcome.verdict == verdict);
    Some(match outcomes.first()?.verdict {
        _ if any(Verdict::Error) => Verdict::Error,
        _ if main(Verdict::Vacuous) => Verdict::Vacuous,
        _ if any(Verdict::Failed) => Verdict::Failed,
        _ if main(Verdict::Passed) => Verdict::Passed,
        other => other,
    })
}

/// The row that gives the function its verdict: the main generator's if it has that verdict.
pub fn deciding(rows: &[FunctionFinished]) -> Option<&FunctionFinished> {
    let verdict = verdict(rows)?;
    rows.iter().filter(|row| row.verdict == verdict).max_by_key(|row| (row.main, Reverse(row.round)))
}

/// A sentence for reports if the main generator, which is listed first, has another verdict than the function.
pub fn disagreement(rows: &[FunctionFinished]) -> Option<String> {
    let row = deciding(rows).filter(|row| !row.main)?;
    let main = rows.iter().find(|row| row.main)?;
    Some(format!("{} found it, {} did not", row.generator, main.generator))
}

/// Whether the tool itself failed on a function.
fn is_tools(outcomes: &[FunctionFinished]) -> bool {
    outcomes.iter().any(|outcome| outcome.stopped == Some(Stopped::ToolFailed))
}

/// Counts the verdicts of a run.
#[derive(Debug, Default)]
pub struct Tally {
    counts: RunFinished,
    /// Whether generators are compared.
    comparison: bool,
}

impl Tally {
    /// Starts with no functions. In a comparison of generators, failures don't count as failures of the run.
    pub fn new(comparison: bool) -> Tally {
        Tally { comparison, ..Tally::default() }
    }

    /// Counts one function, by its generators' results; the main generator comes first.
    pub fn add(&mut self, outcomes: &[FunctionFinished]) {
        let Some(verdict) = verdict(outcomes) else { return };
        let counts = &mut self.counts;
        counts.functions += 1;
        let (count, code) = match verdict {
            Verdict::Passed => (&mut counts.passed, exit_code::PASSED),
            Verdict::Failed => (&mut counts.failed, exit_code::COUNTEREXAMPLE),
            Verdict::GaveUp => (&mut counts.gave_up, exit_code::USAGE),
            Verdict::Vacuous => (&mut counts.vacuous, exit_code::USAGE),
            Verdict::Error if is_tools(outcomes) => (&mut counts.not_run, exit_code::INTERNAL),
            Verdict::Error => (&mut counts.errors, exit_code::USAGE),
        };
        *count += 1;
        let code = match verdict {
            Verdict::Failed | Verdict::GaveUp if self.comparison => exit_code::PASSED,
            _ => code,
        };
        counts.exit_code = counts.exit_code.max(code);
    }

    /// The counts of a run that ended before any function ran.
    pub fn failed_with(exit_code: u8) -> RunFinished {
        RunFinished { exit_code, ..RunFinished::default() }
    }

    /// Raises the exit code at least to `code`, for an error outside the functions.
    pub fn at_least(&mut self, code: u8) {
        self.counts.exit_code = self.counts.exit_code.max(code);
    }

    /// The counts.
    pub fn finish(self) -> RunFinished {
        self.counts
    }
}
