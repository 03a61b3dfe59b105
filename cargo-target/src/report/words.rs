//! What reports say in words, whatever their form.

use crate::event::{CounterexampleEvent, FunctionFinished, GeneralEvent, RunFinished, RunStarted};
use crate::exit_code;

/// The user's words as they can be shown anywhere. What terminals obey, what can't be seen, and what turns other
/// characters around is shown as an escape, so that a name or message reads as what it is.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // Whatever system a line end is of.
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            c if is_invisible(c) => escape(c, &mut shown),
            c => shown.push(c),
        }
    }
    shown
}

/// Adds a character as Rust escapes it: `\r`, `\u{1b}`.
pub fn escape(c: char, shown: &mut String) {
    if c.is_control() {
        shown.extend(c.escape_default());
    } else {
        shown.extend(c.escape_unicode());
    }
}

/// Characters that are not there, or turn others around. The page's script has the same ones.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
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
        "fork" => found.message.clone(),
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

/// What a generalised counterexample is led in by: it claims no more than was tried.
pub const TRIED: &str = "whatever was tried fails alike";

/// A counterexample without the parts for which whatever was tried fails alike.
pub fn general(function: &str, form: &GeneralEvent) -> String {
    format!("{TRIED}: {function}({})  ({} tried)", form.args.join(", "), form.tried)
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
    lines.extend(found.general.as_ref().map(|form| general(function, form)));
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
        (counts.not_run, "not run"),
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

/// What kept a run from its end, if anything did beside what it says of functions.
pub fn broken_off(finished: Option<&RunFinished>) -> Option<&'static str> {
    match finished.map(|counts| (counts.exit_code, counts.functions)) {
        None => Some("the run did not come to its end"),
        Some((exit_code::BUILD, _)) => Some("the crate does not build"),
        Some((exit_code::INTERNAL, _)) => Some("the tool itself failed"),
        Some((exit_code::INTERRUPTED, _)) => Some("the run was interrupted"),
        // A mistake in a spec, or on the command line.
        Some((code, 0)) if code != exit_code::PASSED => Some("the run ended before any function ran"),
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
