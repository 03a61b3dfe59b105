//! What reports say in words, whatever their form.

use crate::event::{CounterexampleEvent, FunctionFinished, RunFinished, RunStarted};
use crate::exit_code;

/// The user's words without what only terminals obey.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || "\n\t".contains(*c)).collect()
}

/// What happened on a counterexample, in one line (or as many as the message has).
pub fn what_happened(found: &CounterexampleEvent) -> String {
    let message = found.message.trim_end();
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

/// Why a counterexample is not confirmed, if it isn't.
pub fn not_confirmed(found: &CounterexampleEvent) -> Option<&'static str> {
    match (found.confirmed, found.replayed) {
        (true, _) => None,
        (false, true) => Some(
            "it fails only behind earlier cases of its process, so it depends on state that outlives a call",
        ),
        (false, false) => Some("neither alone nor behind the earlier cases of its process did it fail again"),
    }
}

/// The call on which a function fails.
pub fn call(function: &str, found: &CounterexampleEvent) -> String {
    format!("{function}({})", found.args.join(", "))
}

/// The counterexample as a text of several lines: the call, what happened, the clause, the test, the command.
pub fn counterexample(function: &str, generator: &str, found: &CounterexampleEvent) -> String {
    let mut lines = vec![format!("{} {}", call(function, found), what_happened(found))];
    let place = if found.boundary { "beyond the bound" } else { "inside the bound" };
    lines.push(match found.saved {
        true => format!("{place}, saved by an earlier run"),
        false => format!("{place}, found by {generator}"),
    });
    lines.extend(found.location.iter().map(|location| format!("at {location}")));
    if let Some(clause) = &found.clause {
        let place = found.clause_location.as_deref().unwrap_or_default();
        lines.push(format!("breaks `{clause}`  {place}").trim_end().to_owned());
    }
    if let Some(general) = &found.general {
        let (args, tried) = (general.args.join(", "), general.tried);
        lines.push(format!("whatever stands for any_1 ..: {function}({args})  ({tried} tried)"));
    }
    lines.extend(not_confirmed(found).map(|why| format!("not confirmed: {why}")));
    lines.extend([String::new(), found.test.clone(), String::new(), format!("again: {}", found.rerun)]);
    lines.join("\n")
}

/// Why a generator stopped.
pub fn stopped(row: &FunctionFinished) -> &'static str {
    match (row.exhausted, row.stopped) {
        (true, _) => "exhausted",
        (false, Some(reason)) => reason.name(),
        (false, None) => "-",
    }
}

/// The verdicts of a run, counted: `8 functions: 4 passed, 4 failed`.
pub fn counts(counts: &RunFinished) -> String {
    let parts = [
        (counts.passed, "passed"),
        (counts.failed, "failed"),
        (counts.gave_up, "gave up"),
        (counts.vacuous, "vacuous"),
        (counts.errors, "with a broken spec"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let functions = functions(counts.functions);
    if parts.is_empty() { functions } else { format!("{functions}: {}", parts.join(", ")) }
}

/// `1 function`, `2 functions`.
pub fn functions(n: usize) -> String {
    if n == 1 { "1 function".to_owned() } else { format!("{n} functions") }
}

/// What kept a run from its end, if anything did beside what it says of functions and specs.
pub fn broken_off(finished: Option<&RunFinished>) -> Option<&'static str> {
    match finished.map(|counts| counts.exit_code) {
        None => Some("the run did not come to its end"),
        Some(exit_code::BUILD) => Some("the crate does not build"),
        Some(exit_code::INTERNAL) => Some("the tool itself failed"),
        Some(exit_code::INTERRUPTED) => Some("the run was interrupted"),
        Some(_) => None,
    }
}

/// What a run was asked for, as names and values.
pub fn settings(started: &RunStarted) -> Vec<(&'static str, String)> {
    vec![
        ("version", started.tool.clone()),
        ("generators", started.generators.join(",")),
        ("rounds", started.rounds.to_string()),
        ("seed", started.seed.to_string()),
        ("profile", started.profile.clone()),
    ]
}
