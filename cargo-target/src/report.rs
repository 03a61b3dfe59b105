//! Reports are folds of events. This file chooses the report of a running or recorded run, and computes the verdict
//! that all reports share.

pub mod record;
pub mod progress;
pub mod release;
mod functions;
mod github;
mod html;
mod json;
mod junit;
pub mod lcov;
mod markdown;
mod ranking;
mod rounds;
#[cfg(test)]
mod sample;
mod terminal;

pub use terminal::{Lengths, Terminal, summary};

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::events::outcome::{Stopped, Verdict};
use crate::events::{Event, FunctionFinished, RunFinished};
use crate::report::record::{Events, Record, Source, page_of};
use crate::system::console::{Color, Verbosity, choose_color};
use crate::system::exit_code;
use crate::system::files::{self, from_here, write_whole_by};

/// What goes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Tables and text.
    Human,
    /// One JSON object a line.
    Json,
}

/// What `cargo target report` makes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Tables and text.
    Terminal,
    /// A page for a browser, in one file.
    Html,
    /// The events, one JSON object a line.
    Json,
    /// JUnit XML, for CI servers.
    Junit,
    /// Annotations, for GitHub Actions.
    Github,
    /// Markdown, for a comment on a pull request or the summary of a job.
    Markdown,
    /// A tracefile of lcov, of a run with `--coverage`.
    Lcov,
}

/// Receives the events of a run.
pub struct Report {
    shown: Shown,
    record: Option<Record>,
    /// Whether to print the path of the page.
    tells_page: bool,
}

/// How events are shown immediately.
enum Shown {
    /// One JSON object a line.
    Json,
    /// Tables and text.
    Terminal(Terminal),
}

impl Report {
    /// The report that the options request.
    pub fn new(format: MessageFormat, color: Color, verbosity: Verbosity) -> Report {
        choose_color(color);
        let shown = match format {
            MessageFormat::Json => Shown::Json,
            MessageFormat::Human => Shown::Terminal(Terminal::new(verbosity, Lengths::ScreenOnly)),
        };
        let tells_page = format == MessageFormat::Human && verbosity > Verbosity::Quiet;
        Report { shown, record: None, tells_page }
    }

    /// From now on, events are also recorded. After an error, the run continues without a record.
    pub fn record(&mut self, record: Result<Record>) {
        self.record = record.map_err(|error| not_recorded(&error)).ok();
        if let (Some(record), Shown::Terminal(terminal)) = (&self.record, &mut self.shown) {
            terminal.cut_as_in(Lengths::Screen(from_here(&record.events())));
        }
    }

    /// Shows an event.
    pub fn event(&mut self, event: &Event) {
        match &mut self.shown {
            Shown::Json => json::print(event),
            Shown::Terminal(terminal) => terminal.print(event),
        }
        if let Some(record) = &mut self.record
            && let Err(error) = record.event(event)
        {
            not_recorded(&error);
            self.record = None;
            if let Shown::Terminal(terminal) = &mut self.shown {
                terminal.cut_as_in(Lengths::ScreenOnly);
            }
        }
    }

    /// Makes the page from the record.
    pub fn end(self) {
        // The lock keeps the record until the page is made.
        let Some(record) = self.record else { return };
        let page = record.end().and_then(|events| events.map(|events| make_page(&events)).transpose());
        match page {
            Ok(Some(page)) if self.tells_page => {
                errln!("{DIM}report: {}{DIM:#}", from_here(&page));
            }
            Ok(_) => {}
            Err(error) => errln!("note: there is no page of this run: {error:#}"),
        }
    }
}

const DIM: anstyle::Style = anstyle::Style::new().dimmed();

fn not_recorded(error: &anyhow::Error) {
    errln!("note: this run is not recorded: {error:#}");
}

/// Writes the page of a record, and returns its path.
fn make_page(events: &Path) -> Result<PathBuf> {
    let page = page_of(events);
    let source = Source::File(events.to_owned());
    let spool = files::temporary_in(events.parent().context("find the folder of the run")?)?;
    write_whole_by(&page, |out| html::write(Events::open(&source)?, spool, out))?;
    Ok(page)
}

/// Writes a run's events in a format, while reading them; `terminal` is for the report for people.
pub fn write(
    format: ReportFormat,
    terminal: Terminal,
    events: impl Iterator<Item = Result<Event>>,
    out: &mut dyn Write,
) -> Result<()> {
    match format {
        ReportFormat::Terminal => terminal::write(terminal, events, out),
        ReportFormat::Html => html::write(events, files::temporary()?, out),
        ReportFormat::Json => json::write(events, out),
        ReportFormat::Junit => text(junit::render(events), out),
        ReportFormat::Github => text(github::render(events), out),
        ReportFormat::Markdown => text(markdown::render(events), out),
        ReportFormat::Lcov => text(lcov::render(events), out),
    }
    .context("write the report")
}

fn text(text: Result<String>, out: &mut dyn Write) -> Result<()> {
    out.write_all(text?.as_bytes())?;
    Ok(out.flush()?)
}

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

#[cfg(test)]
mod tests;
