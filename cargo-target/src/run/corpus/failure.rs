//! A counterexample's failure, written as comments above it in a corpus file, and read back.
//!
//! People read them in diffs; `cargo target tests` reads them to know the outcome that a test must exclude.

use target_strategies::child::protocol::{Failure, FailureKind};
use target_strategies::corpus::{Corpus, Entry, Kind};
use target_strategies::logic::eval::{Finding, Judge};
use target_strategies::logic::ir::{Refined, Sort, Spec};
use target_strategies::logic::notation;
use target_strategies::logic::value::Value;

use crate::events::outcome::Counterexample;

/// All kinds of failure; their names begin the comment.
const KINDS: [FailureKind; 11] = [
    FailureKind::Panic,
    FailureKind::NoPanic,
    FailureKind::Abort,
    FailureKind::Exit,
    FailureKind::Fork,
    FailureKind::StackOverflow,
    FailureKind::Timeout,
    FailureKind::Memory,
    FailureKind::Argument,
    FailureKind::Result,
    FailureKind::Ensures,
];

/// The first word of the comment with the result.
const RETURNED: &str = "returned ";

/// The first word of the comment with the `&mut` parameters on return, as a tuple.
const LEFT: &str = "left ";

/// Maximum length of a value in a comment, in bytes: nobody reads longer ones.
const LONGEST: usize = 10_000;

/// Adds a counterexample, with its latest failure; an error says why it can't be kept.
pub fn add(corpus: &mut Corpus, args: &[Value], comments: &[String], spec: &Spec) -> Result<(), String> {
    let known = corpus.entries.iter_mut().find(|entry| entry.args == args);
    let entry = match known {
        Some(entry) => entry,
        None => {
            corpus.add(Kind::Counterexample, args.to_vec(), spec)?;
            corpus.entries.last_mut().expect("one was just added")
        }
    };
    if !comments.is_empty() {
        // Above other entries, similar comments are the user's own words.
        if entry.kind == Kind::Counterexample {
            let is_of_failure = |comment: &String| {
                kind(comment).is_some() || comment.starts_with(RETURNED) || comment.starts_with(LEFT)
            };
            entry.comments.retain(|comment| !is_of_failure(comment));
        }
        // A test is made from the first failure in the comments.
        entry.comments.splice(0..0, comments.iter().cloned());
    }
    entry.kind = Kind::Counterexample;
    Ok(())
}

/// The comments for a failure.
pub fn comments(failure: &Failure, spec: &Spec) -> Vec<String> {
    let clause = failure.clause.and_then(|id| spec.clauses().into_iter().find(|clause| clause.id == id));
    let what = match clause {
        Some(clause) => format!("`{}` does not hold", clause.text.replace(['\n', '\r'], " ")),
        None => failure.message.lines().next().unwrap_or_default().trim().to_owned(),
    };
    let mut comments = vec![format!("{}: {what}", failure.kind.name()).trim_end().to_owned()];
    let mut add = |word: &str, value: &Value, refined: &Refined| {
        let text = notation::print(value, refined, spec);
        // A text that can't be read back is left out.
        let is_read = notation::parse_outcome(&text, refined, spec).is_ok_and(|read| read == *value);
        if is_read && text.len() <= LONGEST {
            comments.push(format!("{word}{text}"));
        }
    };
    if let Some(result) = &failure.result {
        add(RETURNED, result, &spec.result);
    }
    if let Some(after) = &failure.after {
        let mutable = spec.params.iter().zip(after).filter(|(param, _)| param.mutable);
        add(LEFT, &Value::Tuple(mutable.map(|(_, value)| value.clone()).collect()), &mutable_params(spec));
    }
    comments
}

/// The tuple of the `&mut` parameters.
fn mutable_params(spec: &Spec) -> Refined {
    let mutable = spec.params.iter().filter(|param| param.mutable);
    Refined::plain(Sort::Tuple(mutable.map(|param| param.refined.clone()).collect()))
}

/// The parameters on return, given the tuple of those that are `&mut`.
fn after(text: &str, entry: &Entry, spec: &Spec) -> Option<Vec<Value>> {
    let Value::Tuple(left) = notation::parse_outcome(text, &mutable_params(spec), spec).ok()? else {
        return None;
    };
    let mut left = left.iter().cloned();
    let on_return = |(index, value): (usize, &Value)| {
        if spec.params[index].mutable { left.next() } else { Some(value.clone()) }
    };
    entry.args.iter().enumerate().map(on_return).collect()
}

/// A counterexample, as far as the comments of its entry describe it. Of a handwritten one it is only known that a call
/// must not panic.
pub fn counterexample(entry: &Entry, spec: &Spec) -> Counterexample {
    Counterexample {
        args: entry.args.clone(),
        failure: failure(entry, spec),
        is_inside: true,
        source: None,
        saved: true,
        confirmed: true,
        replayed: false,
        shrinks: 0,
        tries: 0,
        general: None,
    }
}

fn failure(entry: &Entry, spec: &Spec) -> Failure {
    let told = entry.comments.iter().find_map(|comment| kind(comment));
    let (kind, what) = told.unwrap_or((FailureKind::Panic, ""));
    let after_word =
        |word: &'static str| entry.comments.iter().find_map(|comment| comment.strip_prefix(word));
    let text = what.strip_prefix('`').and_then(|what| what.strip_suffix("` does not hold"));
    let clause = text.and_then(|text| {
        spec.clauses().into_iter().find(|clause| clause.text.replace(['\n', '\r'], " ") == text)
    });
    let failure = Failure {
        kind,
        message: what.to_owned(),
        within: None,
        location: None,
        clause: clause.map(|clause| clause.id),
        result: after_word(RETURNED).and_then(|text| notation::parse_outcome(text, &spec.result, spec).ok()),
        after: after_word(LEFT).and_then(|text| after(text, entry, spec)),
        tables: None,
        step: None,
    };
    if text.is_some() && clause.is_none() { by_present_spec(failure, entry, spec) } else { failure }
}

/// The failure if the spec has lost the clause that didn't hold: what the present spec says of the outcome. If it says
/// nothing against it, the call has only to return.
fn by_present_spec(failure: Failure, entry: &Entry, spec: &Spec) -> Failure {
    let judge =
        |result: &Value| Judge::new(None).postcondition(spec, &entry.args, failure.after.as_deref(), result);
    match failure.result.as_ref().map(judge) {
        Some(Finding::Broken { promise, clause }) => Failure { kind: promise.into(), clause, ..failure },
        Some(Finding::Kept | Finding::SpecError { .. }) | None => {
            Failure { kind: FailureKind::Panic, result: None, after: None, ..failure }
        }
    }
}

/// The kind of failure in a comment, and its message.
fn kind(comment: &str) -> Option<(FailureKind, &str)> {
    let (name, what) = comment.split_once(':')?;
    let kind = KINDS.into_iter().find(|kind| kind.name() == name)?;
    Some((kind, what.trim()))
}
