//! The report for people: a table for each function, the counterexample under it, one line at the end.
//!
//! It fits 80 columns, unless the user's own text is wider. Mistakes in specs go to standard error, everything else to
//! standard output.

mod style;
mod screen;
mod rounds;
mod coverage;
mod findings;

use std::fmt::Write;

use anstyle::Style;
use anyhow::Result;

use crate::events::describe::shell_word;
use crate::events::outcome::{Stopped, Verdict};
use crate::events::words;
use crate::events::{
    CounterexampleEvent, DiagnosticEvent, Event, FunctionCovered, FunctionFinished, NoteEvent, ProblemEvent,
    RunFinished,
};
use crate::report::functions::shown;
use crate::report::verdict::{disagreement, verdict};
use crate::system::console;
use crate::system::console::Verbosity;
use crate::system::exit_code::INTERRUPTED;
use findings::Findings;
use rounds::Comparison;
pub use screen::Lengths;
use screen::Screen;
use style::{BAD, BOLD, DIM, GOOD, ODD, verdict_style};

/// The state of the report.
pub struct Terminal {
    verbosity: Verbosity,
    lengths: Lengths,
    /// The rows of the function whose table is open.
    rows: Vec<FunctionFinished>,
    /// The coverage of its generators.
    covered: Vec<FunctionCovered>,
    comparison: Comparison,
    findings: Findings,
}

impl Terminal {
    /// An empty report.
    pub fn new(verbosity: Verbosity, lengths: Lengths) -> Terminal {
        let (rows, covered) = (Vec::new(), Vec::new());
        let (comparison, findings) = (Comparison::default(), Findings::default());
        Terminal { verbosity, lengths, rows, covered, comparison, findings }
    }

    /// Sets how long texts are cut from now on.
    pub fn cut_as_in(&mut self, lengths: Lengths) {
        self.lengths = lengths;
    }

    /// Shows an event; a function's rows are shown at its end, or when the next function or the end comes.
    pub fn print(&mut self, event: &Event) {
        match event {
            Event::Diagnostic(diagnostic) => errln!("{}\n", diagnostic.rendered.trim_end()),
            event => console::out(&self.text(event)),
        }
    }

    /// Shows the open table: the function has no more rows.
    pub fn end_of_function(&mut self) {
        let text = self.flush();
        console::out(&text);
    }

    /// The text to show now, in whole lines.
    fn text(&mut self, event: &Event) -> String {
        let mut text = String::new();
        match event {
            Event::RunStarted(started) => {
                self.comparison.begin(started);
                self.findings.begin(started);
            }
            Event::FunctionFinished(_) if self.findings.are_all => {}
            Event::Finding(finding) => text = self.findings.add(finding),
            Event::Unreached(unreached) => self.findings.unreached.push(unreached.clone()),
            Event::Diagnostic(diagnostic) => text = diagnostic_text(diagnostic),
            Event::FunctionFinished(row) => {
                let same = |open: &FunctionFinished| {
                    (&open.package, &open.function) == (&row.package, &row.function)
                };
                if !self.rows.first().is_some_and(same) {
                    text = self.flush();
                }
                self.rows.push((**row).clone());
            }
            Event::FunctionCovered(covered) => self.covered.push((**covered).clone()),
            Event::PackageCovered(covered) => {
                text = self.flush();
                if self.verbosity > Verbosity::Quiet {
                    let _ = writeln!(text, "{}", coverage::package(covered));
                }
            }
            Event::RunFinished(counts) => {
                text = self.flush() + &self.comparison.end();
                if self.findings.are_all {
                    return text + &self.findings.end(counts, self.verbosity);
                }
                if counts.functions > 0 {
                    let _ = writeln!(text, "{}", summary(counts));
                }
            }
        }
        text
    }

    /// Closes the open table, and returns its text.
    fn flush(&mut self) -> String {
        let (rows, covered) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.covered));
        let wanted =
            self.verbosity > Verbosity::Quiet || rows.iter().any(|row| row.verdict != Verdict::Passed);
        match self.comparison.add(&rows) {
            _ if !wanted || rows.is_empty() => String::new(),
            Some(ranks) => title(&rows[0]) + &ranks + "\n",
            None => function(&rows, &covered, &self.lengths) + "\n",
        }
    }
}

/// Writes the report of recorded events.
pub fn write(
    mut terminal: Terminal,
    events: impl Iterator<Item = Result<Event>>,
    out: &mut dyn std::io::Write,
) -> Result<()> {
    let mut finished = None;
    for event in events {
        let event = event?;
        out.write_all(terminal.text(&event).as_bytes())?;
        if let Event::RunFinished(counts) = event {
            finished = Some(counts);
        }
    }
    out.write_all(terminal.flush().as_bytes())?;
    // The line with the counts has already reported an interruption.
    let counts = finished.as_ref();
    let is_told = counts.is_some_and(|counts| counts.functions > 0 && counts.exit_code == INTERRUPTED);
    if let Some(why) = words::broken_off(counts).filter(|_| !is_told) {
        writeln!(out, "{ODD}{why}{ODD:#}")?;
    }
    Ok(out.flush()?)
}

/// A mistake as recorded in events: without the excerpt, which is only shown during the run.
fn diagnostic_text(diagnostic: &DiagnosticEvent) -> String {
    let DiagnosticEvent { level, message, file, line, column, help, .. } = diagnostic;
    let style = if level == "error" { BAD } else { ODD };
    let (message, file) = (crate::system::printable::plain(message), crate::system::printable::plain(file));
    let level = crate::system::printable::plain(level);
    let mut text = format!("{style}{level}{style:#}: {message}\n  at {file}:{line}:{column}\n");
    if let Some(help) = help {
        let _ = writeln!(text, "  {BOLD}help{BOLD:#}: {}", crate::system::printable::plain(help));
    }
    text + "\n"
}

/// A function's block: its name, the table, the failures.
fn function(rows: &[FunctionFinished], covered: &[FunctionCovered], lengths: &Lengths) -> String {
    let main = &rows[0];
    let mut text = title(main);
    let has_rounds = rows.iter().any(|row| row.round > 0);
    text.push_str(&if has_rounds { rounds::table(rows) } else { table(rows) });
    if let (Some(verdict), Some(why)) = (verdict(rows), disagreement(rows)) {
        let (style, why) = (verdict_style(verdict), crate::system::printable::plain(&why));
        let _ = writeln!(text, "  {style}{}{style:#}: {why}", verdict.name());
    }
    text.push_str(&coverage::function(covered));
    if let Some(reach) = words::reach(main) {
        let why = words::unproved(main).map(|why| format!(": {why}")).unwrap_or_default();
        let _ = writeln!(text, "  {DIM}{reach}{why}{DIM:#}");
    }
    if let Some(left_open) = words::beyond_left_open(main) {
        let mut screen = Screen::new(lengths);
        let _ = writeln!(text, "  {DIM}{}{DIM:#}", screen.show(&left_open));
        screen.end(&mut text);
    }
    if verdict(rows) == Some(Verdict::Passed) {
        notes(&mut text, main, Screen::new(lengths));
        examples(&mut text, main, Screen::new(lengths));
    }
    if let Some(passed) = &main.returned {
        let mut screen = Screen::new(lengths);
        let _ = writeln!(text, "  {}", screen.show(&words::passed(main, passed)));
        screen.end(&mut text);
    }
    if let Some(printed) = &main.printed {
        let lines = printed.lines().map(crate::system::printable::plain);
        let _ = writeln!(text, "  printed:");
        lines.for_each(|line| _ = writeln!(text, "    {line}"));
    }
    for unknown in &main.unknowns {
        let _ = writeln!(text, "  {ODD}not exhausted{ODD:#}: {}", crate::system::printable::plain(unknown));
    }
    if let Some((problem, verdict)) =
        rows.iter().find_map(|row| row.problem.as_ref().map(|problem| (problem, row.verdict)))
    {
        problem_text(&mut text, problem, verdict, Screen::new(lengths));
    }
    for (generator, found) in shown(rows) {
        counterexample(&mut text, main, (generator, found), Screen::new(lengths));
    }
    text
}

/// Some inputs of a function that passed, and what all of them covered, if inputs are wanted.
fn examples(text: &mut String, main: &FunctionFinished, mut screen: Screen<'_>) {
    if main.examples.is_empty() {
        return;
    }
    for covered in words::sizes(main).into_iter().chain(words::ends_of_ranges(main)) {
        let _ = writeln!(text, "  {DIM}{}{DIM:#}", screen.show(&covered));
    }
    for passed in &main.examples {
        let _ = writeln!(text, "  {}", screen.show(&words::passed(main, passed)));
    }
    screen.end(text);
}

/// What the inputs of a function that passed did not show.
fn notes(text: &mut String, main: &FunctionFinished, mut screen: Screen<'_>) {
    for note in main.notes.iter().flatten() {
        let place = match note {
            NoteEvent::OneSided { clause, .. } => crate::system::printable::plain(&clause.location),
            NoteEvent::SameResult { .. }
            | NoteEvent::FewValues { .. }
            | NoteEvent::MissingVariants { .. }
            | NoteEvent::ShortOnly { .. } => String::new(),
        };
        let line = screen.show(&words::note(note));
        let place = if place.is_empty() { place } else { format!("  {DIM}{place}{DIM:#}") };
        let _ = writeln!(text, "  {ODD}note{ODD:#}: {line}{place}");
    }
    screen.end(text);
}

fn title(main: &FunctionFinished) -> String {
    let FunctionFinished { function, depth, bound, .. } = main;
    let function = crate::system::printable::plain(function);
    format!("{BOLD}{function}{BOLD:#} {DIM}(depth {depth}, bound {bound}){DIM:#}\n")
}

/// A time in at most five characters, up to some hours.
fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 9.995 => format!("{s:.2}s"),
        s if s < 99.95 => format!("{s:.1}s"),
        s => format!("{s:.0}s"),
    }
}

fn table(rows: &[FunctionFinished]) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header([
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
        table.add_row([
            crate::system::printable::plain(&row.generator),
            row.verdict.name().to_owned(),
            row.valid.to_string(),
            row.discarded.to_string(),
            row.distinct.to_string(),
            row.cases_to_failure.map_or_else(|| "-".to_owned(), |n| n.to_string()),
            seconds(row.seconds),
            // Few letters, since the line is long.
            match (row.exhausted, row.stopped) {
                (false, Some(Stopped::Counterexample)) => "failure".to_owned(),
                (false, Some(Stopped::Interrupted)) => "ctrl-c".to_owned(),
                (false, Some(Stopped::ToolFailed)) => "tool".to_owned(),
                (false, Some(Stopped::Budget)) if is_timed(&rows[0], row) => {
                    format!("{}'s time", rows[0].generator)
                }
                _ => words::stopped(row).to_owned(),
            },
        ]);
    }
    for column in [2, 3, 4, 5, 6] {
        let column = table.column_mut(column).expect("the table has eight columns");
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    let mut text = String::new();
    for (line, row) in table.lines().zip(std::iter::once(None).chain(rows.iter().map(Some))) {
        let line = line.trim_end();
        match row {
            None => _ = writeln!(text, "  {DIM}{line}{DIM:#}"),
            Some(row) => {
                let style = verdict_style(row.verdict);
                let colored = format!("{style}{}{style:#}", row.verdict.name());
                _ = writeln!(text, "  {}", line.replacen(row.verdict.name(), &colored, 1));
            }
        }
    }
    text
}

/// Whether a row of a baseline ended after the time that the main generator took.
fn is_timed(main: &FunctionFinished, row: &FunctionFinished) -> bool {
    row.generator != main.generator && main.stopped != Some(Stopped::Budget)
}

fn problem_text(text: &mut String, problem: &ProblemEvent, verdict: Verdict, mut screen: Screen<'_>) {
    let style = if matches!(verdict, Verdict::Vacuous | Verdict::Error) { BAD } else { ODD };
    let _ = writeln!(text, "  {style}{}{style:#}", screen.show(&problem.message));
    if let Some(args) = &problem.args {
        let _ = writeln!(text, "    for ({})", screen.show(&args.join(", ")));
    }
    for clause in &problem.clauses {
        let (clause, location) =
            (screen.show(&clause.text), crate::system::printable::plain(&clause.location));
        let _ = writeln!(text, "    {clause}  {DIM}{location}{DIM:#}");
    }
    if let Some(help) = &problem.help {
        let _ = writeln!(text, "  {BOLD}help{BOLD:#}: {}", crate::system::printable::plain(help));
    }
    screen.end(text);
}

fn counterexample(
    text: &mut String,
    main: &FunctionFinished,
    (generator, found): (&str, &CounterexampleEvent),
    mut screen: Screen<'_>,
) {
    let origin = if found.saved {
        "saved".to_owned()
    } else {
        format!("by {}", crate::system::printable::plain(generator))
    };
    let side = if found.boundary { "beyond the bound" } else { "inside the bound" };
    let call = screen.show(&words::call(main, found));
    let _ = writeln!(text, "\n  {BAD}counterexample{BAD:#} {side}, {origin}: {BOLD}{call}{BOLD:#}");
    let happened = screen.show(&words::what_happened(found));
    let _ = writeln!(text, "    {}", happened.replace('\n', "\n      "));
    if let Some(location) = &found.location {
        let _ = writeln!(text, "    at {}", crate::system::printable::plain(&words::place(location)));
    }
    if let Some(clause) = &found.clause {
        let location = found.clause_location.as_deref().unwrap_or_default();
        let (clause, location) = (screen.show(clause), crate::system::printable::plain(location));
        let _ = writeln!(text, "    which breaks `{clause}`  {DIM}{location}{DIM:#}");
    }
    if let Some(general) = &found.general {
        let _ = writeln!(text, "    {}", screen.show(&words::general(main, general)));
    }
    if let Some(why) = words::not_confirmed(found) {
        let _ = writeln!(text, "    {ODD}not confirmed{ODD:#}: {why}");
    }
    if let Some(advice) = words::unguarded(found) {
        let _ = writeln!(text, "    {ODD}note{ODD:#}: {}", screen.show(&advice));
    }
    if screen.has_room_for(&found.test) {
        for line in crate::system::printable::plain(&found.test).lines() {
            let _ = writeln!(text, "      {line}");
        }
    } else {
        let function = crate::system::printable::plain(&shell_word(&main.function));
        let _ = writeln!(text, "    the test is long: `cargo target tests {function}` prints it");
    }
    if let Some(rerun) = screen.show_whole(&found.rerun) {
        let _ = writeln!(text, "    again: {rerun}");
    }
    screen.end(text);
}

pub fn summary(counts: &RunFinished) -> String {
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
    part(counts.not_run, BAD, "not run");
    if counts.exit_code == INTERRUPTED {
        parts.push(format!("{ODD}interrupted{ODD:#}"));
    }
    let functions = words::functions(counts.functions);
    if parts.is_empty() { functions } else { format!("{functions}: {}", parts.join(", ")) }
}
