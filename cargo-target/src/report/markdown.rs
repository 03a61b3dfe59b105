//! Markdown for a comment on a pull request or the summary of a CI job: a table of all functions, and folded details of
//! failures.
//!
//! Runs of several rounds have a table of functions by generators instead, and the ranking.

mod comparison;
mod escape;

use std::fmt::Write;

use anyhow::Result;

use super::functions::{Function, Part, parts};
use crate::events::outcome::Verdict;
use crate::events::words;
use crate::events::{DiagnosticEvent, Event, Finding, FunctionFinished, Rank, RunFinished, RunStarted};
use comparison::Comparison;
use escape::{block, code};

/// Maximum number of functions in the table: forges cut long texts at any point.
const LISTED: usize = 500;

/// Maximum number of functions shown in detail, for the same reason.
const DETAILED: usize = 50;

/// The events as Markdown.
pub fn render(events: impl Iterator<Item = Result<Event>>) -> Result<String> {
    let mut page = Page::default();
    for part in parts(events) {
        match part? {
            Part::Function(function) => page.function(&function),
            Part::Event(Event::RunStarted(event)) => page.started = Some(event),
            Part::Event(Event::RunFinished(event)) => page.finished = Some(event),
            Part::Event(Event::Diagnostic(event)) => page.diagnostic(&event),
            Part::Event(Event::Finding(finding)) => page.finding(&finding),
            Part::Event(_) => {}
        }
    }
    Ok(page.finish())
}

/// The parts of the page so far.
#[derive(Debug, Default)]
struct Page {
    started: Option<RunStarted>,
    finished: Option<RunFinished>,
    diagnostics: String,
    /// The rows of the table, and their number of functions.
    rows: String,
    n_functions: usize,
    details: String,
    n_detailed: usize,
    n_not_detailed: usize,
    comparison: Comparison,
}

impl Page {
    fn function(&mut self, function: &Function) {
        let n_rounds = self.started.as_ref().map_or(1, |started| started.rounds);
        self.n_functions += 1;
        let is_listed = self.n_functions <= LISTED;
        if n_rounds > 1 {
            self.comparison.add(function, is_listed);
        } else if is_listed {
            self.rows.push_str(&row(function));
        }
        let is_comparison = self.started.as_ref().is_some_and(|started| started.comparison);
        if function.verdict() == Verdict::Passed || is_comparison {
            return;
        }
        if self.n_detailed < DETAILED {
            self.n_detailed += 1;
            self.details.push_str(&details(function));
        } else {
            self.n_not_detailed += 1
        }
    }

    fn diagnostic(&mut self, event: &DiagnosticEvent) {
        let DiagnosticEvent { level, message, file, line, column, help, .. } = event;
        let level = if level == "warning" { "warning" } else { "error" };
        let location = code(&format!("{file}:{line}:{column}"));
        let _ = writeln!(self.diagnostics, "- **{level}** at {location}: {}", code(message));
        if let Some(help) = help {
            let _ = writeln!(self.diagnostics, "  help: {}", code(help));
        }
    }

    fn finding(&mut self, finding: &Finding) {
        let Finding { kind, rank, message, location, test, .. } = finding;
        if *rank == Rank::Likely {
            let place = location.as_ref().map(|at| format!(" at {}", code(at))).unwrap_or_default();
            let _ = write!(
                self.details,
                "\n### {}{place}: {}\n\n{}\n",
                kind.name(),
                code(message),
                block("rust", test)
            );
        }
    }

    fn finish(self) -> String {
        let counts = self.finished.as_ref().map(words::counts);
        let mut text = format!("## cargo target: {}\n", counts.as_deref().unwrap_or("not finished"));
        if let Some(why) = words::broken_off(self.finished.as_ref()) {
            let _ = write!(text, "\n**{why}**\n");
        }
        if !self.diagnostics.is_empty() {
            let _ = write!(text, "\n{}", self.diagnostics);
        }
        if !self.rows.is_empty() {
            text.push_str("\n| function | verdict | valid | distinct | failed at | time | stopped |\n");
            text.push_str("|---|---|--:|--:|--:|--:|---|\n");
            text.push_str(&self.rows);
        }
        text.push_str(&self.comparison.table());
        if self.n_functions > LISTED {
            let _ = write!(text, "\n.. and {} more\n", words::functions(self.n_functions - LISTED));
        }
        text.push_str(&self.comparison.ranking());
        text.push_str(&self.details);
        if self.n_not_detailed > 0 {
            let _ = write!(text, "\n.. and {} more\n", words::functions(self.n_not_detailed));
        }
        if let Some(started) = &self.started {
            let settings = words::settings(started);
            let settings: Vec<String> =
                settings.iter().map(|(name, value)| format!("{name} {}", code(value))).collect();
            let _ = write!(text, "\n<sub>{}</sub>\n", settings.join(", "));
        }
        text
    }
}

/// A function's row in the table, by the generator that gives the verdict.
fn row(function: &Function) -> String {
    let deciding = function.deciding();
    let verdict = match function.verdict() {
        Verdict::Passed => "passed".to_owned(),
        other if deciding.main => format!("**{}**", other.name()),
        other => format!("**{}** by {}", other.name(), code(&deciding.generator)),
    };
    format!("| {} | {verdict} | {} |\n", code(&deciding.function), cells(deciding))
}

/// The cells for a generator's row that both tables have.
fn cells(row: &FunctionFinished) -> String {
    let failed_at = row.cases_to_failure.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let FunctionFinished { valid, distinct, seconds, .. } = row;
    format!("{valid} | {distinct} | {failed_at} | {seconds:.2} s | {}", words::stopped(row))
}

/// A function's failures, folded.
fn details(function: &Function) -> String {
    let main = function.main();
    let mut text = String::new();
    let title = code(&main.function);
    let _ = write!(text, "\n<details><summary>{title}: {}</summary>\n", function.verdict().name());
    text.push_str("\n| generator | verdict | discarded | valid | distinct | failed at | time | stopped |\n");
    text.push_str("|---|---|--:|--:|--:|--:|--:|---|\n");
    let first_round = function.rows().iter().filter(|row| row.round == 0);
    for row in first_round {
        let generator = code(&row.generator);
        let _ =
            writeln!(text, "| {generator} | {} | {} | {} |", row.verdict.name(), row.discarded, cells(row));
    }
    if let Some(why) = function.disagreement() {
        let _ = write!(text, "\n{}: {}\n", function.verdict().name(), code(&why));
    }
    if let Some(problem) = function.problem() {
        let mut lines = vec![problem.message.clone()];
        lines.extend(problem.args.iter().map(|args| format!("for ({})", args.join(", "))));
        lines.extend(problem.clauses.iter().map(|clause| format!("{}  {}", clause.text, clause.location)));
        lines.extend(problem.help.iter().map(|help| format!("help: {help}")));
        let _ = write!(text, "\n{}", block("text", &lines.join("\n")));
    }
    if let Some(reach) = words::reach(main) {
        let label = if main.exhausted { "Exhausted" } else { "Not exhausted" };
        let _ = write!(text, "\n{label}: {reach}.\n");
    }
    if !main.unknowns.is_empty() {
        let _ = write!(text, "\nNot exhausted:\n\n{}", block("text", &main.unknowns.join("\n")));
    }
    for (generator, found) in function.counterexamples() {
        let side = if found.boundary { "beyond the bound" } else { "inside the bound" };
        let origin = if found.saved { "saved".to_owned() } else { format!("by {}", code(generator)) };
        let mut lines = vec![words::call(main, found), words::what_happened(found)];
        lines.extend(found.location.iter().map(|location| format!("at {location}")));
        if let Some(clause) = &found.clause {
            let location = found.clause_location.as_deref().unwrap_or_default();
            lines.push(format!("which breaks `{clause}`  {location}"));
        }
        lines.extend(found.general.as_ref().map(|form| words::general(main, form)));
        lines.extend(words::not_confirmed(found).map(|why| format!("not confirmed: {why}")));
        let _ = write!(text, "\nCounterexample {side}, {origin}:\n\n{}", block("text", &lines.join("\n")));
        let _ = write!(text, "\n{}\n{}", block("rust", &found.test), block("sh", &found.rerun));
    }
    text.push_str("\n</details>\n");
    text
}

#[cfg(test)]
mod tests;
