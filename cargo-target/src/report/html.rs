//! The page of a run, in one file that needs no network: the overview as HTML that works without a script, and the
//! details of each function as compact JSON, which the script renders on demand.
//!
//! It is written while events are read. Memory holds one function at a time and a line for each; the JSON waits in a
//! file without a name, since the overview comes first.
//!
//! Names, messages and paths are the user's, and may contain anything. The template escapes them in the overview, the
//! JSON contains no `<`, and the script only makes text of them. As a second defense, the page's policy allows only its
//! own script and style, which it identifies by their hashes, and loads nothing.

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
use super::verdict::verdict;
use crate::events::{
    DiagnosticEvent, Event, Finding, FunctionCovered, FunctionFinished, PackageCovered, RunFinished,
    RunStarted, Unreached,
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

/// The position of the JSON in the template.
const DETAILS: &str = "<!-- details -->";

/// Writes the page of the events. `spool` is an empty file for the second half of the page.
pub fn write(events: impl Iterator<Item = Result<Event>>, spool: File, out: &mut dyn Write) -> Result<()> {
    let mut page = Page::new(spool);
    for event in events {
        page.event(event?)?;
    }
    page.write(out)
}

/// The page so far.
struct Page {
    started: Option<RunStarted>,
    finished: Option<RunFinished>,
    diagnostics: Vec<DiagnosticEvent>,
    findings: Vec<Finding>,
    unreached: Vec<Unreached>,
    lines: Vec<Line>,
    /// The results of the current function.
    rows: Vec<FunctionFinished>,
    /// Its coverage.
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
            findings: Vec::new(),
            unreached: Vec::new(),
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
            Event::Finding(finding) => self.findings.push(*finding),
            Event::Unreached(unreached) => self.unreached.push(unreached),
            Event::RunFinished(finished) => self.finished = Some(finished),
        }
        Ok(())
    }

    /// Adds the current function.
    fn close(&mut self) -> Result<()> {
        let (rows, covered) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.covered));
        let Some(verdict) = verdict(&rows) else { return Ok(()) };
        self.data("data", self.lines.len(), &detail::Detail::new(&rows, &covered, verdict))?;
        self.lines.push(Line::new(&rows, verdict));
        Ok(())
    }

    /// Adds a package's coverage.
    fn package(&mut self, covered: &PackageCovered) -> Result<()> {
        let (line, texts) = covered::package(covered, self.n_texts);
        self.packages.push(line);
        for text in texts {
            self.data("text", self.n_texts, &text)?;
            self.n_texts += 1;
        }
        Ok(())
    }

    /// Adds data for the script.
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
        // A browser normalizes line ends before it hashes.
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
            findings => Serde(&self.findings),
            unreached => Serde(&self.unreached),
            style,
            script,
        };
        let mut templates = Environment::new();
        templates.add_filter("plain", crate::system::printable::plain);
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

/// The hash by which a policy allows an inline script or style.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The same JSON without characters that HTML interprets; they only occur in strings.
fn without_markup(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            // JSON allows these unescaped. The script escapes them like other invisible characters.
            c if crate::system::printable::is_invisible(c) => {
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
