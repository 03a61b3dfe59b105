//! The page of a run, in one file that asks nothing of any network: the overview as HTML that reads without a script, and
//! what there is to say of each function as compact JSON, of which the script makes elements when somebody opens it.
//!
//! It is made while events are read. What lies in memory is one function at a time and a line of each; the JSON waits in
//! a file without a name, since the overview stands above it.
//!
//! Names, messages and paths are the user's, and may be anything. In the overview the template escapes them, in the JSON
//! no `<` is left, and the script makes text of them. Should one slip through, the page's policy lets no script run
//! but its own, and nothing be loaded.

mod curve;
mod detail;
mod overview;
mod spread;

use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufWriter, Seek, Write};

use anyhow::{Context, Result};
use minijinja::value::Serde;
use minijinja::{Environment, context};

use self::overview::{Facts, Line};
use super::verdict;
use crate::event::{DiagnosticEvent, Event, FunctionFinished, RunFinished, RunStarted};

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &[&str] = &[
    include_str!("html/element.js"),
    include_str!("html/chart.js"),
    include_str!("html/plots.js"),
    include_str!("html/detail.js"),
    include_str!("html/overview.js"),
];

/// Where the JSON goes in the template.
const DETAILS: &str = "<!-- details -->";

/// Writes the page of the events.
pub fn write(events: impl Iterator<Item = Result<Event>>, out: &mut dyn Write) -> Result<()> {
    let mut page = Page::new()?;
    for event in events {
        page.event(event?)?;
    }
    page.write(out)
}

/// What is known of the page so far.
struct Page {
    started: Option<RunStarted>,
    finished: Option<RunFinished>,
    diagnostics: Vec<DiagnosticEvent>,
    lines: Vec<Line>,
    /// What generators said of the function that is being told of.
    rows: Vec<FunctionFinished>,
    details: BufWriter<File>,
    /// Of all the JSON.
    hasher: DefaultHasher,
}

impl Page {
    fn new() -> Result<Page> {
        let details = tempfile::tempfile().context("make a temporary file")?;
        Ok(Page {
            started: None,
            finished: None,
            diagnostics: Vec::new(),
            lines: Vec::new(),
            rows: Vec::new(),
            details: BufWriter::new(details),
            hasher: DefaultHasher::new(),
        })
    }

    fn event(&mut self, event: Event) -> Result<()> {
        match event {
            Event::RunStarted(started) => self.started = Some(started),
            Event::Diagnostic(diagnostic) => self.diagnostics.push(diagnostic),
            Event::FunctionFinished(row) => {
                let is_other = |open: &FunctionFinished| {
                    (&open.package, &open.function) != (&row.package, &row.function)
                };
                if self.rows.first().is_some_and(is_other) {
                    self.close()?;
                }
                self.rows.push(*row);
            }
            Event::RunFinished(finished) => self.finished = Some(finished),
        }
        Ok(())
    }

    /// Adds the function that was told of.
    fn close(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let Some(verdict) = verdict(&rows) else { return Ok(()) };
        let number = self.lines.len();
        let detail = serde_json::to_string(&detail::Detail::new(&rows, verdict)).context("write as JSON")?;
        let detail = without_markup(&detail);
        self.hasher.write(detail.as_bytes());
        writeln!(self.details, r#"<script type="application/json" id="data-{number}">{detail}</script>"#)?;
        self.lines.push(Line::new(&rows, verdict));
        Ok(())
    }

    fn write(mut self, out: &mut dyn Write) -> Result<()> {
        self.close()?;
        let mut details = self.details.into_inner().context("write the temporary file")?;
        details.rewind().context("read the temporary file")?;
        let facts = Facts::new(self.started.as_ref(), self.finished.as_ref(), &self.lines);
        // Nobody can write the hash of a text into the text.
        let nonce = format!("{:016x}", self.hasher.finish());
        let (above, below) = PAGE.split_once(DETAILS).expect("the template has a place for the details");
        let context = context! {
            facts => Serde(&facts),
            nonce,
            lines => Serde(&self.lines),
            diagnostics => Serde(&self.diagnostics),
            style => STYLE,
            script => SCRIPT.concat(),
        };
        let mut templates = Environment::new();
        templates.add_template("above.html", above).context("read the template")?;
        templates.add_template("below.html", below).context("read the template")?;
        let above = templates.get_template("above.html").context("find the template")?;
        out.write_all(above.render(&context).context("fill in the template")?.as_bytes())?;
        io::copy(&mut details, out)?;
        let below = templates.get_template("below.html").context("find the template")?;
        out.write_all(below.render(&context).context("fill in the template")?.as_bytes())?;
        Ok(out.flush()?)
    }
}

/// The same JSON without a character that means anything in HTML; all of them can only be in strings.
fn without_markup(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests;
