//! A counterexample's failure, written as comments above it in a corpus file, and read back.
//!
//! People read them in diffs; `cargo target tests` reads them to know the outcome that a test must exclude.

use target_strategies::child::protocol::{Failure, FailureKind};
use target_strategies::corpus::{Corpus, Entry, Kind};
use target_strategies::logic::ir::Spec;
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
            entry.comments.retain(|comment| kind(comment).is_none() && !comment.starts_with(RETURNED));
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
    if let Some(result) = &failure.result {
        let text = notation::print(result, &spec.result, spec);
        // A text that can't be read back, or is too long to read, is left out.
        let is_read = notation::parse(&text, &spec.result, spec).is_ok_and(|read| read == *result);
        if is_read && text.len() <= 10_000 {
            comments.push(format!("{RETURNED}{text}"));
        }
    }
    comments
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
    let returned = entry.comments.iter().find_map(|comment| comment.strip_prefix(RETURNED));
    let text = what.strip_prefix('`').and_then(|what| what.strip_suffix("` does not hold"));
    let clause = text.and_then(|text| {
        spec.clauses().into_iter().find(|clause| clause.text.replace(['\n', '\r'], " ") == text)
    });
    Failure {
        kind,
        message: what.to_owned(),
        within: None,
        location: None,
        clause: clause.map(|clause| clause.id),
        result: returned.and_then(|text| notation::parse(text, &spec.result, spec).ok()),
        after: None,
        tables: None,
    }
}

/// The kind of failure in a comment, and its message.
fn kind(comment: &str) -> Option<(FailureKind, &str)> {
    let (name, what) = comment.split_once(':')?;
    let kind = KINDS.into_iter().find(|kind| kind.name() == name)?;
    Some((kind, what.trim()))
}
