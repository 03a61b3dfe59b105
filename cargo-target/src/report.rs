//! Reports are folds of events. This file chooses the report of a running or recorded run.

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
pub mod sample;
mod terminal;
mod verdict;

pub use functions::API;
pub use terminal::{Lengths, Terminal, summary};
pub use verdict::Tally;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::events::Event;
use crate::report::record::{Events, Record, Source, page_of};
use crate::system::console::{Color, Verbosity, choose_color};
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

    /// Shows what is known of the last function: no more events of it follow.
    pub fn end_of_function(&mut self) {
        if let Shown::Terminal(terminal) = &mut self.shown {
            terminal.end_of_function();
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

#[cfg(test)]
mod tests;
