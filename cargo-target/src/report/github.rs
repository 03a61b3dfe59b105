//! Annotations for GitHub Actions: workflow commands on standard output, which GitHub shows at the lines of a change.
//!
//! A counterexample is shown at the clause that it breaks, and where it panicked; without either, it has no position.

use anyhow::Result;

use super::functions::{Function, Part, parts};
use crate::events::outcome::Verdict;
use crate::events::words;
use crate::events::{CounterexampleEvent, DiagnosticEvent, Event};

/// The events as workflow commands, one a line.
pub fn render(events: impl Iterator<Item = Result<Event>>) -> Result<String> {
    let mut lines = Vec::new();
    let (mut finished, mut is_comparison) = (None, false);
    for part in parts(events) {
        match part? {
            // In a comparison, failures say something about the generators.
            Part::Function(function) if is_comparison && !is_mistake(&function) => {}
            Part::Function(function) => of_function(&function, &mut lines),
            Part::Event(Event::RunStarted(event)) => is_comparison = event.comparison,
            Part::Event(Event::Diagnostic(event)) => lines.push(diagnostic(&event)),
            Part::Event(Event::RunFinished(event)) => finished = Some(event),
            Part::Event(_) => {}
        }
    }
    let broken_off = words::broken_off(finished.as_ref());
    lines.extend(broken_off.map(|why| command("error", None, "cargo target", why)));
    Ok(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// Whether something is wrong with the spec.
fn is_mistake(function: &Function) -> bool {
    matches!(function.verdict(), Verdict::Error | Verdict::Vacuous)
}

fn of_function(function: &Function, lines: &mut Vec<String>) {
    let main = function.main();
    let name = &main.function;
    for (generator, found) in function.counterexamples() {
        let text = words::counterexample(main, generator, found);
        let title = format!("{name}: {}", word(found));
        let locations = [found.clause_location.as_deref(), found.location.as_deref()];
        let locations: Vec<Location> = locations.into_iter().flatten().filter_map(Location::parse).collect();
        if locations.is_empty() {
            lines.push(command("error", None, &title, &text))
        } else {
            lines.extend(locations.iter().map(|location| command("error", Some(location), &title, &text)));
        }
    }
    let verdict = function.verdict();
    let level = if verdict == Verdict::Error { "error" } else { "warning" };
    match function.problem() {
        Some(problem) => {
            let mut text = problem.message.clone();
            if let Some(args) = &problem.args {
                text.push_str(&format!("\nfor ({})", args.join(", ")));
            }
            text.extend(
                problem.clauses.iter().map(|clause| format!("\n`{}`  {}", clause.text, clause.location)),
            );
            text.extend(problem.help.iter().map(|help| format!("\nhelp: {help}")));
            let location = problem.clauses.iter().find_map(|clause| Location::parse(&clause.location));
            let title = format!("{name}: {}", verdict.name());
            lines.push(command(level, location.as_ref(), &title, &text));
        }
        None if verdict == Verdict::GaveUp => {
            let title = format!("{name}: {}", verdict.name());
            let text = [&["no valid input was found".to_owned()], &main.unknowns[..]].concat().join("\n");
            lines.push(command(level, None, &title, &text));
        }
        None if !main.unknowns.is_empty() => {
            let title = format!("{name}: not exhausted");
            lines.push(command("warning", None, &title, &main.unknowns.join("\n")));
        }
        None => {}
    }
}

/// The kind of a failure in a word or two.
fn word(found: &CounterexampleEvent) -> &str {
    match &*found.failure {
        "result" | "ensures" => "counterexample",
        other => other,
    }
}

fn diagnostic(event: &DiagnosticEvent) -> String {
    let level = if event.level == "warning" { "warning" } else { "error" };
    let location = Location { file: &event.file, line: event.line, column: event.column };
    let mut text = event.message.clone();
    text.extend(event.help.iter().map(|help| format!("\nhelp: {help}")));
    command(level, Some(&location), "cargo target", &text)
}

/// A position in a file.
#[derive(Debug, PartialEq)]
struct Location<'p> {
    file: &'p str,
    line: usize,
    column: usize,
}

impl Location<'_> {
    /// Parses `file:line:column`; `None` for other text, and for the standard library.
    fn parse(text: &str) -> Option<Location<'_>> {
        let mut parts = text.rsplitn(3, ':');
        let column = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        let file = parts.next()?;
        let is_of_user = !file.is_empty() && !file.starts_with("/rustc/");
        is_of_user.then_some(Location { file, line, column })
    }
}

fn command(level: &str, location: Option<&Location<'_>>, title: &str, message: &str) -> String {
    let location = location.map_or_else(String::new, |location| {
        format!("file={},line={},col={},", escape_property(location.file), location.line, location.column)
    });
    format!("::{level} {location}title={}::{}", escape_property(title), escape(message))
}

/// A message, escaped for workflow commands. `%` comes first, since it starts an escape.
fn escape(text: &str) -> String {
    crate::system::printable::plain(text).replace('%', "%25").replace('\n', "%0A")
}

/// A property: commas and colons also need escapes, since they end it.
fn escape_property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests;
