//! Reports are folds of events. Here: which one a run has, and the verdict that all of them share.

mod json;
pub mod lcov;
mod terminal;

use crate::args::{Color, MessageFormat};
use crate::config::Verbosity;
use crate::event::{Event, FunctionFinished, RunFinished};
use crate::exit_code;
use crate::outcome::Verdict;

/// Where events go.
pub enum Report {
    /// One JSON object a line.
    Json,
    /// Tables and text.
    Terminal(terminal::Terminal),
}

impl Report {
    /// The report that the options ask for.
    pub fn new(format: MessageFormat, color: Color, verbosity: Verbosity) -> Report {
        choose_color(color);
        match format {
            MessageFormat::Json => Report::Json,
            MessageFormat::Human => Report::Terminal(terminal::Terminal::new(verbosity)),
        }
    }

    /// Shows an event.
    pub fn event(&mut self, event: &Event) {
        match self {
            Report::Json => json::print(event),
            Report::Terminal(terminal) => terminal.print(event),
        }
    }
}

/// Applies `--color` to both streams; `auto` leaves it to the terminal and to `NO_COLOR`.
pub fn choose_color(color: Color) {
    match color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
}

/// Whether standard error gets colour.
pub fn colored_stderr() -> bool {
    anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
}

/// The verdicts of a run, counted: a spec is broken, and a function fails, if any generator found it so; else the main
/// generator decides.
#[derive(Debug, Default)]
pub struct Tally {
    counts: RunFinished,
}

impl Tally {
    /// Counts one function by what its generators say; the main one comes first.
    pub fn add(&mut self, outcomes: &[FunctionFinished]) {
        let Some(main) = outcomes.first() else { return };
        let counts = &mut self.counts;
        counts.functions += 1;
        let any = |verdict| outcomes.iter().any(|outcome| outcome.verdict == verdict);
        let verdict = match main.verdict {
            _ if any(Verdict::Error) => Verdict::Error,
            Verdict::Vacuous => Verdict::Vacuous,
            _ if any(Verdict::Failed) => Verdict::Failed,
            other => other,
        };
        let (count, code) = match verdict {
            Verdict::Passed => (&mut counts.passed, exit_code::PASSED),
            Verdict::Failed => (&mut counts.failed, exit_code::COUNTEREXAMPLE),
            Verdict::GaveUp => (&mut counts.gave_up, exit_code::USAGE),
            Verdict::Vacuous => (&mut counts.vacuous, exit_code::USAGE),
            Verdict::Error => (&mut counts.errors, exit_code::USAGE),
        };
        *count += 1;
        counts.exit_code = counts.exit_code.max(code);
    }

    /// The counts of a run that ended before any function ran.
    pub fn failed_with(exit_code: u8) -> RunFinished {
        RunFinished { exit_code, ..RunFinished::default() }
    }

    /// Notes something outside the functions that decides the exit code.
    pub fn at_least(&mut self, code: u8) {
        self.counts.exit_code = self.counts.exit_code.max(code);
    }

    /// The counts.
    pub fn finish(self) -> RunFinished {
        self.counts
    }
}
