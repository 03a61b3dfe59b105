//! Reports are folds of events. Here: which one a run has while it goes on, which there are of a record, and the verdict
//! that all of them share.

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
pub mod words;

pub use terminal::{Lengths, Terminal, summary};

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::args::{Color, MessageFormat, ReportFormat};
use crate::config::Verbosity;
use crate::event::{Event, FunctionFinished, RunFinished};
use crate::exit_code;
use crate::files::{self, from_here, write_whole_by};
use crate::outcome::{Stopped, Verdict};
use crate::record::{Events, Record, Source, page_of};

/// Where the events of a run go.
pub struct Report {
    shown: Shown,
    record: Option<Record>,
    /// Whether to tell where the page is.
    tells_page: bool,
}

/// How they are shown at once.
enum Shown {
    /// One JSON object a line.
    Json,
    /// Tables and text.
    Terminal(Terminal),
}

impl Report {
    /// The report that the options ask for.
    pub fn new(format: MessageFormat, color: Color, verbosity: Verbosity) -> Report {
        choose_color(color);
        let shown = match format {
            MessageFormat::Json => Shown::Json,
            MessageFormat::Human => Shown::Terminal(Terminal::new(verbosity, Lengths::ScreenOnly)),
        };
        let tells_page = format == MessageFormat::Human && verbosity > Verbosity::Quiet;
        Report { shown, record: None, tells_page }
    }

    /// From here on events are written down, too. A run goes on without.
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

    /// Makes the page of what was written down.
    pub fn end(self) {
        // Nobody removes the record while the page is made of it.
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

/// Writes the page of a record, and tells where.
fn make_page(events: &Path) -> Result<PathBuf> {
    let page = page_of(events);
    let source = Source::File(events.to_owned());
    let spool = files::temporary_in(events.parent().context("find the folder of the run")?)?;
    write_whole_by(&page, |out| html::write(Events::open(&source)?, spool, out))?;
    Ok(page)
}

/// Writes what a format makes of the events of a run, while it reads them; `terminal` is for the report for people.
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

/// What to say of a function by what its generators say, in all rounds: a spec is broken, and a function fails, if any
/// generator found it so; else the main generator decides.
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

/// The verdicts of a run, counted.
#[derive(Debug, Default)]
pub struct Tally {
    counts: RunFinished,
    /// Whether generators are compared.
    comparison: bool,
}

impl Tally {
    /// The counts of no function yet. Where generators are compared, what they find or don't find is no failure.
    pub fn new(comparison: bool) -> Tally {
        Tally { comparison, ..Tally::default() }
    }

    /// Counts one function by what its generators say; the main one comes first.
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

    /// Notes something outside the functions that decides the exit code.
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
