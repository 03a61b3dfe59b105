//! The sentences shared by all reports.

use crate::events::{
    BoundaryEvent, CombinationsEvent, CounterexampleEvent, DifferentEvent, FunctionFinished, GeneralEvent,
    NoteEvent, ReturnedEvent, RunFinished, RunStarted, Verdict,
};
use crate::system::exit_code;

/// A return, with the result and what is left of `&mut` parameters.
fn returned(result: Option<&str>, after: Option<&[String]>) -> String {
    let mut returned = match result {
        None | Some("()") => "returned".to_owned(),
        Some(value) => format!("returned {value}"),
    };
    if let Some(after) = after {
        returned.push_str(&format!(", leaving ({})", after.join(", ")));
    }
    returned
}

/// A call with arguments, and of the functions that it returns: `adder(3)(2)`.
pub fn applied(row: &FunctionFinished, args: &[String]) -> String {
    let Some(form) = &row.call else { return format!("{}({})", row.function, args.join(", ")) };
    let mut parts = form.split("{}");
    let first = parts.next().unwrap_or_default().to_owned();
    args.iter().zip(parts).fold(first, |text, (arg, part)| text + arg + part)
}

/// The call of an input that passed, and what it returned.
pub fn passed(row: &FunctionFinished, passed: &ReturnedEvent) -> String {
    let what = match &passed.panicked {
        Some(message) => format!("panicked: {}", message.trim_end()),
        None => returned(passed.result.as_deref(), passed.after.as_deref()),
    };
    format!("{} {what}", applied(row, &passed.args))
}

/// The failure of a counterexample, in one line (or more, if the message has more).
pub fn what_happened(found: &CounterexampleEvent) -> String {
    let message = found.message.trim_end();
    let with_message =
        |what: &str| if message.is_empty() { what.to_owned() } else { format!("{what}: {message}") };
    let returned = returned(found.result.as_deref(), found.after.as_deref());
    match &*found.failure {
        "panic" => with_message("panicked"),
        "no-panic" => format!("{returned}, where the spec requires a panic"),
        "abort" => with_message("aborted the process"),
        "exit" => with_message("ended the process"),
        "fork" => found.message.clone(),
        "stack-overflow" => "overflowed the stack".to_owned(),
        "argument" => format!("called {message}, which the type of that function excludes"),
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
            "it fails only after earlier cases of its process, so it depends on state that outlives a call",
        ),
        (false, false) => Some("it failed again neither alone nor after the earlier cases of its process"),
    }
}

/// A counterexample with `_` for the parts that don't seem to matter.
pub fn general(row: &FunctionFinished, form: &GeneralEvent) -> String {
    let tried = match form.tried {
        1 => "the one other value tried fails too".to_owned(),
        n => format!("all {n} other values tried fail too"),
    };
    format!("generalizes to {}: {tried}", blanks(&applied(row, &form.args)))
}

/// A text with `_` for `any_1`, `any_2` and so on.
fn blanks(text: &str) -> String {
    let mut parts = text.split("any_");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_part = rest.len() < part.len() && !shown.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        shown.push_str(if is_part { "_" } else { "any_" });
        shown.push_str(if is_part { rest } else { part });
    }
    shown
}

/// The failing call.
pub fn call(row: &FunctionFinished, found: &CounterexampleEvent) -> String {
    applied(row, &found.args)
}

/// The counterexample as text of several lines: the call, the failure, the clause, the test, the command.
pub fn counterexample(row: &FunctionFinished, generator: &str, found: &CounterexampleEvent) -> String {
    let mut lines = vec![format!("{} {}", call(row, found), what_happened(found))];
    let side = if found.boundary { "beyond the bound" } else { "inside the bound" };
    lines.push(if found.saved {
        format!("{side}, saved by an earlier run")
    } else {
        format!("{side}, found by {generator}")
    });
    lines.extend(found.location.iter().map(|location| format!("at {}", place(location))));
    if let Some(clause) = &found.clause {
        let location = found.clause_location.as_deref().unwrap_or_default();
        lines.push(format!("breaks `{clause}`  {location}").trim_end().to_owned());
    }
    lines.extend(found.general.as_ref().map(|form| general(row, form)));
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

/// How much of the space was run: `10,000 of 2,396,745 inputs within depth and bound were run, among them all up to size 4`.
pub fn reach(row: &FunctionFinished) -> Option<String> {
    if let Some(set) = &row.different {
        return Some(different(set));
    }
    if row.valid == 0 || row.cases_to_failure.is_some() {
        return None;
    }
    let (inside, space) = (row.valid_inside, row.space);
    // No input of size 0 has elements, so that it says little that all of them were run.
    let complete_size = row.complete_size.filter(|size| *size > 0);
    let mut text = match (row.exhausted, space, complete_size) {
        // The verdict says that there is none.
        (true, ..) if inside == 0 || row.verdict != Verdict::Passed => return None,
        (true, space, _) => match space.unwrap_or(inside) {
            1 => "the only input within depth and bound was run".to_owned(),
            all => format!("all {} inputs within depth and bound were run", thousands(all)),
        },
        (false, Some(space), _) => {
            let (inside, space) = (thousands(inside), thousands(space));
            format!("{inside} of {space} inputs within depth and bound were run")
        }
        (false, None, Some(size)) => format!("all inputs up to size {size} were run"),
        (false, None, None) => return None,
    };
    if let (false, Some(_), Some(size)) = (row.exhausted, space, complete_size) {
        text += &format!(", among them all up to size {size}");
    }
    let others = row.valid.saturating_sub(inside);
    if others > 0 {
        text += &format!(", and {} others", thousands(others));
    }
    Some(text)
}

/// The sizes of the inputs: `sizes of the inputs: smallest 0, median 4, largest 12`. `None` if no input has more than
/// scalars.
pub fn sizes(row: &FunctionFinished) -> Option<String> {
    let sizes = &row.sketch.sizes;
    let (smallest, largest) = (sizes.iter().map(|of| of.size).min()?, sizes.iter().map(|of| of.size).max()?);
    if largest == 0 {
        return None;
    }
    let mut before = 0;
    let median = sizes.iter().find(|of| {
        before += of.inputs;
        2 * before >= row.sketch.inputs
    })?;
    let of = match row.sketch.inputs {
        1 => return Some(format!("size of the input: {smallest}")),
        all if all == row.valid => "the inputs".to_owned(),
        some => format!("{} of the inputs", thousands(some)),
    };
    Some(format!("sizes of {of}: smallest {smallest}, median {}, largest {largest}", median.size))
}

/// At which ends of ranges there were inputs, and at which there were none: ``at ends of ranges: x `0 < v` 3 times``.
pub fn ends_of_ranges(row: &FunctionFinished) -> Vec<String> {
    let (met, missed): (Vec<_>, Vec<_>) =
        row.sketch.boundaries.iter().partition(|boundary| boundary.inputs > 0);
    let named = |boundary: &BoundaryEvent| format!("{} `{}`", boundary.part, boundary.condition);
    let counted = |boundary: &&BoundaryEvent| match boundary.inputs {
        1 => format!("{} once", named(boundary)),
        n => format!("{} {} times", named(boundary), thousands(n)),
    };
    let line = |start: &str, all: Vec<String>| {
        (!all.is_empty()).then(|| format!("{start} ends of ranges: {}", all.join(", ")))
    };
    let met = line("at", met.iter().map(counted).collect());
    let missed = line("never at", missed.into_iter().map(named).collect());
    met.into_iter().chain(missed).collect()
}

/// A number with commas between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// Why it isn't known whether there is a larger set of different inputs, or all combinations that inputs have.
pub fn unproved(row: &FunctionFinished) -> Option<String> {
    let is_open = row.different.is_some_and(|set| set.found < set.asked && !set.proved);
    (is_open && !row.unknowns.is_empty()).then(|| row.unknowns.join("; "))
}

/// How large a set of different inputs is: `12 of 40 inputs that differ pairwise: there is no larger set within ..`.
pub fn different(set: &DifferentEvent) -> String {
    let DifferentEvent { asked, found, maximal, proved, combinations } = *set;
    if let Some(CombinationsEvent { covered, all }) = combinations {
        if covered == all {
            return format!("{found} inputs with all {all} combinations");
        }
        let why = match (found < asked, proved) {
            (true, true) => "no input has any of the others",
            (true, false) => "whether inputs have the others was not found out",
            (false, _) => "more inputs would be needed for others",
        };
        return format!("{found} inputs with {covered} of {all} combinations: {why}");
    }
    let why = match (found < asked, proved, maximal) {
        (false, ..) => return format!("{found} inputs that differ pairwise"),
        (true, true, _) => "there is no larger set within depth and bound",
        (true, false, true) => "no other input differs from all of them",
        (true, false, false) => "whether there are more was not found out",
    };
    format!("{found} of {asked} inputs that differ pairwise: {why}")
}

/// That inputs beyond the bound took too long to run or to judge, if they did.
pub fn beyond_left_open(row: &FunctionFinished) -> Option<String> {
    let after = match row.beyond_timeouts + row.beyond_undecided {
        0 => "were left out after some that took too much memory, or overflowed the stack",
        _ => "were left out after some that took too long or too much memory, or overflowed the stack",
    };
    let parts = [
        (row.beyond_timeouts, "ran longer than the time limit"),
        (row.beyond_undecided, "took too long to judge"),
        (row.left_out, after),
    ];
    let has_gaps = row.beyond_undecided > 0 || row.left_out > 0;
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let first = row.first_undecided.as_ref().map(|args| {
        let call = applied(row, args);
        format!("; the first that took too long to judge is `{call}`")
    });
    has_gaps
        .then(|| format!("of the inputs beyond the bound, {}{}", parts.join(", "), first.unwrap_or_default()))
}

/// What the inputs of a function that passed did not show, without the place of a clause: `d: 4 of 31 values were tried`.
pub fn note(note: &NoteEvent) -> String {
    match note {
        NoteEvent::SameResult { variant } => format!("it always returned `{variant}`"),
        NoteEvent::OneSided { condition, never, clause } => match condition {
            Some(condition) => format!("`{condition}` was never found {never} in `{}`", clause.text),
            None => format!("one condition was never found {never} in `{}`", clause.text),
        },
        NoteEvent::FewValues { part, tried, allowed, exact } => {
            let at_most = if *exact { "" } else { "at most " };
            format!("`{part}`: {tried} of {at_most}{allowed} values were tried")
        }
        NoteEvent::MissingVariants { part, always: Some(variant), .. } => {
            format!("`{part}` was always `{variant}`")
        }
        NoteEvent::MissingVariants { part, always: None, never } => {
            format!("`{part}` was never {}", alternatives(never))
        }
        NoteEvent::ShortOnly { part, longest: 0, .. } => format!("`{part}` was always empty"),
        NoteEvent::ShortOnly { part, longest, unit } => {
            let unit = if *longest == 1 { unit.trim_end_matches('s') } else { unit };
            format!("`{part}`: nothing longer than {longest} {unit} was tried")
        }
    }
}

/// The first names of a list: "`A`, `B` or 3 others".
fn alternatives(names: &[String]) -> String {
    let n_shown = if names.len() <= 4 { names.len() } else { 3 };
    let mut words: Vec<String> = names[..n_shown].iter().map(|name| format!("`{name}`")).collect();
    if n_shown < names.len() {
        words.push(format!("{} others", names.len() - n_shown));
    }
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

/// That private fields of arguments were set as no function of the crate may set them, if some were.
pub fn unguarded(found: &CounterexampleEvent) -> Option<String> {
    let types: Vec<String> = found.unguarded.iter().map(|path| format!("`{path}`")).collect();
    let fields = format!("the private fields of {} have any values of their types", types.join(", "));
    (!types.is_empty()).then(|| format!("{fields}: say in the table `data` what always holds of them"))
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

/// Why a run broke off, if it did, apart from its functions' results.
pub fn broken_off(finished: Option<&RunFinished>) -> Option<&'static str> {
    match finished.map(|counts| (counts.exit_code, counts.functions)) {
        None => Some("the run did not come to its end"),
        Some((exit_code::BUILD, _)) => Some("the crate does not build"),
        Some((exit_code::INTERNAL, _)) => Some("the tool itself failed"),
        Some((exit_code::INTERRUPTED, _)) => Some("the run was interrupted"),
        // A mistake in a spec or on the command line.
        Some((code, 0)) if code != exit_code::PASSED => Some("the run ended before any function ran"),
        Some(_) => None,
    }
}

/// A run's settings, as names and values.
pub fn settings(started: &RunStarted) -> Vec<(&'static str, String)> {
    vec![
        ("version", started.tool.clone()),
        ("generators", started.generators.join(",")),
        ("rounds", started.rounds.to_string()),
        ("seed", started.seed.to_string()),
        ("profile", started.profile.clone()),
    ]
}
/// The location of a panic: one in the standard library without the folder that its binaries were built in.
pub fn place(location: &str) -> String {
    let inner = location.strip_prefix("/rustc/").and_then(|path| path.split_once('/'));
    inner.map_or_else(|| location.to_owned(), |(_, inner)| format!("{inner} in the standard library"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_standard_library_is_said_to_be_there() {
        assert_eq!(
            place("/rustc/59807616/library/core/a.rs:2:1"),
            "library/core/a.rs:2:1 in the standard library"
        );
        assert_eq!(place("src/lib.rs:2:1"), "src/lib.rs:2:1");
    }
}
