//! The page of a run, in one file that asks nothing of any network: the overview as HTML that reads without a script, and
//! what there is to say of each function as compact JSON, of which the script makes elements when somebody opens it.
//!
//! It is made while events are read. What lies in memory is one function at a time and a line of each; the JSON waits in
//! a file without a name, since the overview stands above it.
//!
//! Names, messages and paths are the user's, and may be anything. In the overview the template escapes them, in the JSON
//! no `<` is left, and the script makes text of them. Should one slip through, the page's policy lets no script run
//! and no style apply but its own, which it knows by their hashes, and nothing be loaded.

mod covered;
mod curve;
mod detail;
mod overview;
mod spread;

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

use anyhow::{Context, Result};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use minijinja::value::Serde;
use minijinja::{Environment, context};
use sha2::{Digest, Sha256};

use self::covered::PackageLine;
use self::overview::{Facts, Line};
use super::{verdict, words};
use crate::event::{
    DiagnosticEvent, Event, FunctionCovered, FunctionFinished, PackageCovered, RunFinished, RunStarted,
};

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &[&str] = &[
    include_str!("html/element.js"),
    include_str!("html/chart.js"),
    include_str!("html/plots.js"),
    include_str!("html/coverage.js"),
    include_str!("html/detail.js"),
    include_str!("html/overview.js"),
];

/// Where the JSON goes in the template.
const DETAILS: &str = "<!-- details -->";

/// Writes the page of the events. `spool` is an empty file for what stands in the page's second half.
pub fn write(events: impl Iterator<Item = Result<Event>>, spool: File, out: &mut dyn Write) -> Result<()> {
    let mut page = Page::new(spool);
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
    /// What they reached.
    covered: Vec<FunctionCovered>,
    packages: Vec<PackageLine>,
    n_texts: usize,
    details: BufWriter<File>,
}

impl Page {
    fn new(spool: File) -> Page {
        Page {
            started: None,
            finished: None,
            diagnostics: Vec::new(),
            lines: Vec::new(),
            rows: Vec::new(),
            covered: Vec::new(),
            packages: Vec::new(),
            n_texts: 0,
            details: BufWriter::new(spool),
        }
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
            Event::FunctionCovered(covered) => self.covered.push(*covered),
            Event::PackageCovered(covered) => {
                self.close()?;
                self.package(&covered)?;
            }
            Event::RunFinished(finished) => self.finished = Some(finished),
        }
        Ok(())
    }

    /// Adds the function that was told of.
    fn close(&mut self) -> Result<()> {
        let (rows, covered) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.covered));
        let Some(verdict) = verdict(&rows) else { return Ok(()) };
        self.data("data", self.lines.len(), &detail::Detail::new(&rows, &covered, verdict))?;
        self.lines.push(Line::new(&rows, verdict));
        Ok(())
    }

    /// Adds what was reached of a package.
    fn package(&mut self, covered: &PackageCovered) -> Result<()> {
        let (line, texts) = covered::package(covered, self.n_texts);
        self.packages.push(line);
        for text in texts {
            self.data("text", self.n_texts, &text)?;
            self.n_texts += 1;
        }
        Ok(())
    }

    /// Leaves data for the script.
    fn data(&mut self, kind: &str, number: usize, data: &impl serde::Serialize) -> Result<()> {
        let json = without_markup(&serde_json::to_string(data).context("write as JSON")?);
        writeln!(self.details, r#"<script type="application/json" id="{kind}-{number}">{json}</script>"#)?;
        Ok(())
    }

    fn write(mut self, out: &mut dyn Write) -> Result<()> {
        self.close()?;
        let mut details = self.details.into_inner().context("write the temporary file")?;
        details.rewind().context("read the temporary file")?;
        let facts = Facts::new(self.started.as_ref(), self.finished.as_ref(), &self.lines);
        // A browser hashes what it reads, in which lines end in one way.
        let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPT.concat()).replace("\r\n", "\n");
        let style = STYLE.replace("\r\n", "\n");
        let (above, below) = PAGE.split_once(DETAILS).expect("the template has a place for the details");
        let context = context! {
            facts => Serde(&facts),
            style_hash => hash(&style),
            script_hash => hash(&script),
            lines => Serde(&self.lines),
            packages => Serde(&self.packages),
            diagnostics => Serde(&self.diagnostics),
            style,
            script,
        };
        let mut templates = Environment::new();
        templates.add_filter("plain", words::plain);
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

/// What a policy calls an inline script or style by.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The same JSON without a character that means anything in HTML; all of them can only be in strings.
fn without_markup(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            // JSON lets these stand as they are. The script shows them as it does others.
            c if words::is_invisible(c) => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
            }
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests;
