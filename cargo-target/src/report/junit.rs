//! JUnit XML in the style of cargo-nextest: a suite for each package, a test case for each function.
//!
//! A result with exit code 1 is a failure; one with another nonzero code is an error.

use std::time::Duration;

use anyhow::Result;
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::functions::{Function, Part, parts};
use crate::events::outcome::Verdict;
use crate::events::words;
use crate::events::{ClauseEvent, DiagnosticEvent, Event, FunctionFinished, RunFinished, RunStarted};

/// The suite for results that belong to no function.
const RUN: &str = "cargo-target";

/// The events as a JUnit report.
pub fn render(events: impl Iterator<Item = Result<Event>>) -> Result<String> {
    let mut report = Report::new(RUN);
    let mut started: Option<RunStarted> = None;
    let mut finished = None;
    for part in parts(events) {
        match part? {
            Part::Function(function) => {
                let is_comparison = started.as_ref().is_some_and(|started| started.comparison);
                let case = function_case(&function, is_comparison);
                suite(&mut report, &function.main().package, started.as_ref()).add_test_case(case);
            }
            Part::Event(Event::RunStarted(event)) => started = Some(event),
            Part::Event(Event::RunFinished(event)) => finished = Some(event),
            Part::Event(Event::Diagnostic(event)) if event.level == "error" => {
                suite(&mut report, RUN, started.as_ref()).add_test_case(mistake(&event));
            }
            Part::Event(_) => {}
        }
    }
    if let Some(case) = end(finished.as_ref()) {
        suite(&mut report, RUN, started.as_ref()).add_test_case(case);
    }
    Ok(finish(report, started.as_ref()))
}

/// Adds up times and counts, and returns the XML.
fn finish(mut report: Report, started: Option<&RunStarted>) -> String {
    let timestamp =
        started.and_then(|started| chrono::DateTime::from_timestamp(i64::try_from(started.started).ok()?, 0));
    if let Some(timestamp) = timestamp {
        report.set_timestamp(timestamp);
    }
    let mut total = Duration::ZERO;
    for mut suite in std::mem::take(&mut report.test_suites) {
        let time = suite.test_cases.iter().filter_map(|case| case.time).sum();
        suite.set_time(time);
        total += time;
        report.add_test_suite(suite);
    }
    report.set_time(total);
    report.to_string().expect("writing to memory does not fail")
}

/// The suite with that name.
fn suite<'r>(report: &'r mut Report, name: &str, started: Option<&RunStarted>) -> &'r mut TestSuite {
    let suites = &mut report.test_suites;
    let position = suites.iter().position(|suite| suite.name.as_str() == name).unwrap_or_else(|| {
        let mut suite = TestSuite::new(name);
        let settings = started.map(words::settings).unwrap_or_default();
        suite.add_properties(settings.into_iter().map(|(name, value)| Property::new(name, value)));
        suites.push(suite);
        suites.len() - 1
    });
    &mut suites[position]
}

fn function_case(function: &Function, is_comparison: bool) -> TestCase {
    let main = function.main();
    let mut case =
        TestCase::new(crate::system::printable::plain(&main.function), status(function, is_comparison));
    case.set_classname(main.package.as_str());
    let seconds: f64 = function.rows().iter().map(|row| row.seconds).sum();
    case.set_time(Duration::try_from_secs_f64(seconds).unwrap_or_default());
    case.add_properties(function.rows().iter().map(property));
    case
}

/// A generator's result, in a line.
fn property(row: &FunctionFinished) -> Property {
    let name = match row.round {
        0 => row.generator.to_string(),
        round => format!("{}, round {round}", row.generator),
    };
    let FunctionFinished { valid, discarded, distinct, .. } = row;
    let verdict = row.verdict.name();
    let stopped = words::stopped(row);
    Property::new(
        name,
        format!("{verdict}: {valid} valid, {discarded} discarded, {distinct} distinct, {stopped}"),
    )
}

fn status(function: &Function, is_comparison: bool) -> TestCaseStatus {
    let verdict = function.verdict();
    match verdict {
        Verdict::Passed => TestCaseStatus::success(),
        // In a comparison, a failure says something about the generators.
        Verdict::Failed | Verdict::GaveUp if is_comparison => TestCaseStatus::success(),
        Verdict::Failed => failed(function),
        Verdict::GaveUp | Verdict::Vacuous | Verdict::Error => {
            let main = function.main();
            let mut lines: Vec<String> = main.unknowns.clone();
            let message = match function.problem() {
                Some(problem) => {
                    let shown = |clause: &ClauseEvent| format!("`{}`  {}", clause.text, clause.location);
                    lines.extend(problem.args.iter().map(|args| format!("for ({})", args.join(", "))));
                    lines.extend(problem.clauses.iter().map(shown));
                    lines.extend(problem.help.iter().map(|help| format!("help: {help}")));
                    problem.message.as_str()
                }
                None => "no valid input was found",
            };
            error(verdict.name(), message, &lines)
        }
    }
}

fn failed(function: &Function) -> TestCaseStatus {
    let row = function.main();
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    let found = function.counterexamples();
    if let Some((_, first)) = found.first() {
        status.set_type(&*first.failure);
        let message = format!("{} {}", words::call(row, first), words::what_happened(first));
        status.set_message(crate::system::printable::plain(&message).replace('\n', " "));
    }
    let texts: Vec<String> =
        found.iter().map(|(generator, found)| words::counterexample(row, generator, found)).collect();
    status.set_description(crate::system::printable::plain(&texts.join("\n\n")));
    status
}

fn error(kind: &str, message: &str, lines: &[String]) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(kind).set_message(crate::system::printable::plain(message).replace('\n', " "));
    let all: Vec<&str> = std::iter::once(message).chain(lines.iter().map(String::as_str)).collect();
    status.set_description(crate::system::printable::plain(&all.join("\n")));
    status
}

/// A mistake in a spec, so nothing ran.
fn mistake(event: &DiagnosticEvent) -> TestCase {
    let location = format!("{}:{}:{}", event.file, event.line, event.column);
    let help: Vec<String> = event.help.iter().map(|help| format!("help: {help}")).collect();
    let mut case =
        TestCase::new(crate::system::printable::plain(&location), error("diagnostic", &event.message, &help));
    case.set_classname(RUN);
    case
}

/// A test case for a run that ended without results, so that it isn't green.
fn end(finished: Option<&RunFinished>) -> Option<TestCase> {
    let why = words::broken_off(finished)?;
    let mut case = TestCase::new("run", error("run", why, &[]));
    case.set_classname(RUN);
    Some(case)
}

#[cfg(test)]
mod tests;
