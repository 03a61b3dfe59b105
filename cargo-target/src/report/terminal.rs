//! The report for people: a table for each function, the counterexample under it, one line at the end.
//!
//! It fits 80 columns where the user's own words do. Mistakes in specs go to standard error, all else to standard
//! output.

mod coverage;

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::config::Verbosity;
use crate::event::{
    CounterexampleEvent, Event, FunctionCovered, FunctionFinished, ProblemEvent, RunFinished,
};
use crate::outcome::Verdict;

const BOLD: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const ODD: Style = AnsiColor::Yellow.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// What the report has shown so far.
pub struct Terminal {
    verbosity: Verbosity,
    /// The function whose table is open, and its rows.
    rows: Vec<FunctionFinished>,
    /// What its generators reached.
    covered: Vec<FunctionCovered>,
}

impl Terminal {
    /// A report that has shown nothing.
    pub fn new(verbosity: Verbosity) -> Terminal {
        Terminal { verbosity, rows: Vec::new(), covered: Vec::new() }
    }

    /// Shows an event; a function's rows are shown when the next function or the end comes.
    pub fn print(&mut self, event: &Event) {
        match event {
            Event::RunStarted(_) => {}
            Event::Diagnostic(diagnostic) => anstream::eprintln!("{}\n", diagnostic.rendered.trim_end()),
            Event::FunctionFinished(row) => {
                let same = |open: &FunctionFinished| {
                    (&open.package, &open.function) == (&row.package, &row.function)
                };
                if !self.rows.first().is_some_and(same) {
                    self.flush();
                }
                self.rows.push((**row).clone());
            }
            Event::FunctionCovered(covered) => self.covered.push((**covered).clone()),
            Event::PackageCovered(covered) => {
                self.flush();
                if self.verbosity > Verbosity::Quiet {
                    anstream::println!("{}", coverage::package(covered));
                }
            }
            Event::RunFinished(counts) => {
                self.flush();
                if counts.functions > 0 {
                    anstream::println!("{}", summary(counts));
                }
            }
        }
    }

    fn flush(&mut self) {
        let (rows, covered) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.covered));
        let wanted =
            self.verbosity > Verbosity::Quiet || rows.iter().any(|row| row.verdict != Verdict::Passed);
        if wanted && !rows.is_empty() {
            anstream::println!("{}", function(&rows, &covered));
        }
    }
}

/// A function's block: its name, the table, what is wrong.
fn function(rows: &[FunctionFinished], covered: &[FunctionCovered]) -> String {
    let mut text = String::new();
    let main = &rows[0];
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#} {DIM}(depth {}, bound {}){DIM:#}",
        main.function, main.depth, main.bound
    );
    text.push_str(&table(rows));
    text.push_str(&coverage::function(covered));
    for unknown in &main.unknowns {
        let _ = writeln!(text, "  {ODD}not exhausted{ODD:#}: {unknown}");
    }
    if let Some(problem) = rows.iter().find_map(|row| row.problem.as_ref()) {
        problem_text(&mut text, problem);
    }
    for (generator, found) in shown(rows) {
        counterexample(&mut text, main, generator, found);
    }
    text
}

/// The counterexamples worth showing: the first inside the space and the first beyond it, each from the first
/// generator that has one.
fn shown(rows: &[FunctionFinished]) -> Vec<(&str, &CounterexampleEvent)> {
    let all = rows.iter().flat_map(|row| {
        let both = [&row.counterexample, &row.boundary_counterexample];
        both.into_iter().flatten().map(move |found| (&*row.generator, found))
    });
    let (beyond, inside): (Vec<_>, Vec<_>) = all.partition(|(_, found)| found.boundary);
    let inside = inside.into_iter().next();
    // Shrinking may have brought a boundary case to where the other one is.
    let is_new = |found: &&CounterexampleEvent| inside.is_none_or(|(_, shown)| shown.args != found.args);
    let beyond = beyond.into_iter().next().filter(|(_, found)| is_new(found));
    inside.into_iter().chain(beyond).collect()
}

fn table(rows: &[FunctionFinished]) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header([
        "",
        "generator",
        "verdict",
        "valid",
        "discarded",
        "distinct",
        "failed at",
        "time",
        "stopped",
    ]);
    for row in rows {
        let stopped = match (row.exhausted, row.stopped) {
            (true, _) => "exhausted",
            (false, Some(reason)) => reason.name(),
            (false, None) => "-",
        };
        table.add_row([
            String::new(),
            row.generator.to_string(),
            row.verdict.name().to_owned(),
            row.valid.to_string(),
            row.discarded.to_string(),
            row.distinct.to_string(),
            row.cases_to_failure.map_or_else(|| "-".to_owned(), |n| n.to_string()),
            format!("{:.2}s", row.seconds),
            stopped.to_owned(),
        ]);
    }
    for column in [3, 4, 5, 6, 7] {
        let column = table.column_mut(column).expect("the table has nine columns");
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    let mut text = String::new();
    for (line, row) in table.lines().zip(std::iter::once(None).chain(rows.iter().map(Some))) {
        let line = line.trim_end();
        match row {
            None => _ = writeln!(text, "{DIM}{line}{DIM:#}"),
            Some(row) => {
                let style = verdict_style(row.verdict);
                let colored = format!("{style}{}{style:#}", row.verdict.name());
                _ = writeln!(text, "{}", line.replacen(row.verdict.name(), &colored, 1));
            }
        }
    }
    text
}

fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Passed => GOOD,
        Verdict::GaveUp => ODD,
        Verdict::Failed | Verdict::Vacuous | Verdict::Error => BAD,
    }
}

fn problem_text(text: &mut String, problem: &ProblemEvent) {
    let _ = writeln!(text, "  {BAD}{}{BAD:#}", problem.message);
    if let Some(args) = &problem.args {
        let _ = writeln!(text, "    for ({})", args.join(", "));
    }
    for clause in &problem.clauses {
        let _ = writeln!(text, "    {}  {DIM}{}{DIM:#}", clause.text, clause.location);
    }
    if let Some(help) = &problem.help {
        let _ = writeln!(text, "  {BOLD}help{BOLD:#}: {help}");
    }
}

fn counterexample(text: &mut String, main: &FunctionFinished, generator: &str, found: &CounterexampleEvent) {
    let origin = if found.saved { "saved".to_owned() } else { format!("by {generator}") };
    let place = if found.boundary { "beyond the bound" } else { "inside the bound" };
    let _ = writeln!(
        text,
        "\n  {BAD}counterexample{BAD:#} {place}, {origin}: {BOLD}{}({}){BOLD:#}",
        main.function,
        found.args.join(", ")
    );
    let _ = writeln!(text, "    {}", what_happened(found));
    if let Some(location) = &found.location {
        let _ = writeln!(text, "    at {location}");
    }
    if let Some(clause) = &found.clause {
        let place = found.clause_location.as_deref().unwrap_or_default();
        let _ = writeln!(text, "    which breaks `{clause}`  {DIM}{place}{DIM:#}");
    }
    if !found.confirmed {
        let why = match found.replayed {
            true => {
                "it fails only behind earlier cases of its process, so it depends on state that outlives a call"
            }
            false => "neither alone nor behind the earlier cases of its process did it fail again",
        };
        let _ = writeln!(text, "    {ODD}not confirmed{ODD:#}: {why}");
    }
    for line in found.test.lines() {
        let _ = writeln!(text, "      {line}");
    }
    let _ = writeln!(text, "    again: {}", found.rerun);
}

/// What happened, in one line (or as many as the message has).
fn what_happened(found: &CounterexampleEvent) -> String {
    let message = found.message.trim_end().replace('\n', "\n      ");
    let with_message =
        |what: &str| if message.is_empty() { what.to_owned() } else { format!("{what}: {message}") };
    let mut returned = match found.result.as_deref() {
        None | Some("()") => "returned".to_owned(),
        Some(value) => format!("returned {value}"),
    };
    if let Some(after) = &found.after {
        returned.push_str(&format!(", leaving ({})", after.join(", ")));
    }
    match &*found.failure {
        "panic" => with_message("panicked"),
        "no-panic" => format!("{returned}, where the spec requires a panic"),
        "abort" => with_message("aborted the process"),
        "exit" => with_message("ended the process"),
        "stack-overflow" => "overflowed the stack".to_owned(),
        "timeout" => with_message("ran longer than its time limit"),
        "memory" => with_message("asked for more than its memory limit"),
        _ => returned,
    }
}

fn summary(counts: &RunFinished) -> String {
    let mut parts = Vec::new();
    let mut part = |count: usize, style: Style, word: &str| {
        if count > 0 {
            parts.push(format!("{style}{count} {word}{style:#}"));
        }
    };
    part(counts.passed, GOOD, "passed");
    part(counts.failed, BAD, "failed");
    part(counts.gave_up, ODD, "gave up");
    part(counts.vacuous, BAD, "vacuous");
    part(counts.errors, BAD, "with a broken spec");
    if counts.exit_code == crate::exit_code::INTERRUPTED {
        parts.push(format!("{ODD}interrupted{ODD:#}"));
    }
    let functions = if counts.functions == 1 {
        "1 function".to_owned()
    } else {
        format!("{} functions", counts.functions)
    };
    if parts.is_empty() { functions } else { format!("{functions}: {}", parts.join(", ")) }
}
