//! The user's Rust in specs that doesn't compile: from rustc's errors in a harness to the functions that they belong to.
//!
//! Each subject has a module of its own in the harness. An error inside that module is the function's, and costs only
//! this function: the module is replaced by one that compiles.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use target_bridge::codegen::shared;
use target_bridge::frontend::diagnostic::{Diagnostic, Sources, Span};
use target_bridge::frontend::subject::{Call, Subject};
use target_strategies::logic::ir::{Refined, Sort, Spec};

use crate::run::asked::Asked;
use crate::run::checked::Checked;
use crate::run::harness::RustcError;
use crate::run::views;

/// The mistakes in functions whose Rust code doesn't compile, by the functions' numbers in the harness.
pub type Broken = BTreeMap<u32, Vec<Diagnostic>>;

/// The subjects to generate a harness from, with their numbers: a broken one is replaced by one without any code of the
/// user.
pub fn subjects<'s>(all: &[&'s Subject], broken: &Broken) -> Vec<(u32, Cow<'s, Subject>)> {
    let chosen = |(number, subject): (u32, &&'s Subject)| {
        if broken.contains_key(&number) {
            (number, Cow::Owned(without_code(subject)))
        } else {
            (number, Cow::Borrowed(*subject))
        }
    };
    (0..).zip(all).map(chosen).collect()
}

fn without_code(subject: &Subject) -> Subject {
    let spec = Spec {
        params: Vec::new(),
        result: Refined::plain(Sort::Tuple(Vec::new())),
        examples: Vec::new(),
        ..subject.spec.clone()
    };
    let call = Call::Closure { text: "|| ()".to_owned(), span: subject.key_span };
    Subject { spec, call, returned: Vec::new(), opaques: Vec::new(), ..subject.clone() }
}

/// The mistakes in these functions, each once: several may use the same declaration.
pub fn mistakes(broken: &Broken, functions: impl Iterator<Item = u32>) -> Vec<&Diagnostic> {
    let mut mistakes = Vec::new();
    for mistake in functions.filter_map(|number| broken.get(&number)).flatten() {
        if !mistakes.contains(&mistake) {
            mistakes.push(mistake);
        }
    }
    mistakes
}

/// Adds rustc's errors to the functions that they belong to; `false` if one belongs to none.
pub fn add(
    broken: &mut Broken,
    errors: &[RustcError],
    harness: &str,
    subjects: &[&Subject],
    package: &Checked,
) -> bool {
    let mut found: Vec<(u32, Diagnostic)> = Vec::new();
    for error in errors {
        let Some(at) = &error.at else { return false };
        let places = places(at, harness, subjects, package);
        // The replaced modules compile; another error there is a mistake of the tool.
        if places.is_empty() || places.iter().any(|(number, _)| broken.contains_key(number)) {
            return false;
        }
        for (number, span) in places {
            let mistake = (number, mistake(error, span, subjects[number as usize], package));
            if !found.contains(&mistake) {
                found.push(mistake);
            }
        }
    }
    let any = !found.is_empty();
    for (number, mistake) in found {
        broken.entry(number).or_default().push(mistake);
    }
    any
}

/// The functions that a position in a harness belongs to, with the position in the user's text.
fn places(at: &Range<usize>, harness: &str, subjects: &[&Subject], package: &Checked) -> Vec<(u32, Span)> {
    let all = (0..subjects.len()).map(|number| (number, module(harness, number)));
    if shared::is_shared(harness, at.start) {
        let Some(imported) = shared::imported(harness, at.start) else { return Vec::new() };
        let place = |(number, module): (usize, Range<usize>)| {
            let own = shared::own_number(&harness[module], &imported)?;
            let span = in_view(at, harness, own, subjects[number], package);
            Some((number as u32, span.unwrap_or(subjects[number].key_span)))
        };
        return all.filter_map(place).collect();
    }
    let mut own = all.filter(|(_, module)| module.contains(&at.start));
    own.next()
        .map(|(number, module)| (number as u32, users_span(at, harness, &module, subjects[number], package)))
        .into_iter()
        .collect()
}

/// The mistake that an error is.
fn mistake(error: &RustcError, span: Span, subject: &Subject, package: &Checked) -> Diagnostic {
    let mistake = Diagnostic::error(span, error.message.clone()).label(error.label.clone());
    let is_inside = |whole: Span| whole.file == span.file && (whole.start..whole.end).contains(&span.start);
    if !error.is_reference || !subject.opaques.iter().any(|opaque| is_inside(opaque.span)) {
        return mistake;
    }
    let source = package.sources.file(span.file);
    let written = source.and_then(|file| file.text.get(span.start as usize..span.end as usize));
    let is_name = |word: &&str| word.chars().all(|c| c == '_' || c.is_alphanumeric());
    let name = written.filter(is_name).filter(|word| !word.starts_with(char::is_numeric)).unwrap_or("x");
    mistake.help(format!("after `where`, the parameters and the result are references: write `*{name}`"))
}

/// A function whose code makes rustc report errors elsewhere, such as a failing constant of the generic code that it calls,
/// and its mistake; `None` if no function's code does. Only the `asked` are in the harness. `errors` are those without the
/// broken functions.
pub fn culprit<E>(
    (subjects, asked): (&[&Subject], &Asked),
    broken: &Broken,
    errors: impl Fn(&Broken) -> Result<Vec<RustcError>, E>,
) -> Result<Option<(u32, Diagnostic)>, E> {
    let suspects: Vec<u32> = (0..subjects.len() as u32)
        .filter(|number| asked.has(*number) && !broken.contains_key(number))
        .collect();
    let only = |intact: &[u32]| {
        let left_out = suspects.iter().filter(|number| !intact.contains(number));
        errors(&broken.clone().into_iter().chain(left_out.map(|number| (*number, Vec::new()))).collect())
    };
    if suspects.is_empty() || !only(&[])?.is_empty() {
        return Ok(None);
    }
    // With the first `works` of them it builds, with the first `fails` it doesn't.
    let (mut works, mut fails) = (0, suspects.len());
    while works + 1 < fails {
        let middle = works.midpoint(fails);
        *(if only(&suspects[..middle])?.is_empty() { &mut works } else { &mut fails }) = middle;
    }
    let number = suspects[fails - 1];
    Ok(Some((number, elsewhere(subjects[number as usize], &only(&[number])?))))
}

/// The mistake of a function whose code makes rustc report errors elsewhere.
fn elsewhere(subject: &Subject, errors: &[RustcError]) -> Diagnostic {
    let closure = match &subject.call {
        Call::Closure { span, .. } => Some(*span),
        Call::Path { .. } => None,
    };
    let mut places = subject.opaques.iter().map(|opaque| opaque.span).chain(closure);
    // With several texts, nobody knows which.
    let place = places.next().filter(|_| places.next().is_none());
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    let message =
        if messages.is_empty() { "rustc does not accept this code".to_owned() } else { messages.join("; ") };
    Diagnostic::error(place.unwrap_or(subject.key_span), message).label("in what this calls")
}

/// The bytes of a subject's module in a harness; none if it isn't there.
fn module(harness: &str, number: usize) -> Range<usize> {
    let Some(start) = harness.find(&format!("\nmod subject_{number} {{\n")) else { return 0..0 };
    let end =
        ["\nmod subject", "\nstatic SUBJECTS:"].into_iter().find_map(|next| harness[start + 1..].find(next));
    start..end.map_or(harness.len(), |length| start + 1 + length)
}

/// The position in the user's text of a position in a harness; the function's key if that code isn't the user's words.
fn users_span(
    at: &Range<usize>,
    harness: &str,
    module: &Range<usize>,
    subject: &Subject,
    package: &Checked,
) -> Span {
    let closure = match &subject.call {
        Call::Closure { text, span } => Some((text, *span)),
        Call::Path { .. } => None,
    };
    let texts = subject.opaques.iter().map(|opaque| (&opaque.text, opaque.span)).chain(closure);
    for (text, span) in texts {
        for (offset, _) in harness[module.clone()].match_indices(text.as_str()) {
            let copy = module.start + offset..module.start + offset + text.len();
            if copy.contains(&at.start) {
                let part = at.start - copy.start..at.end.min(copy.end) - copy.start;
                return inner(span, part, text, &package.sources);
            }
        }
    }
    let number = own_type(at, harness, module);
    let span = number.and_then(|number| in_view(at, harness, number, subject, package));
    span.unwrap_or(subject.key_span)
}

/// The number of the type whose functions are around a position in a subject's module.
fn own_type(at: &Range<usize>, harness: &str, module: &Range<usize>) -> Option<usize> {
    let before = harness.get(module.start..at.start)?;
    let digits =
        ["\nfn make_", "\nfn show_"].into_iter().filter_map(|start| Some(before.rfind(start)? + start.len()));
    before[digits.max()?..].split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The position in the entry of a subject's type of a position in the functions that make and show its values.
fn in_view(
    at: &Range<usize>,
    harness: &str,
    number: usize,
    subject: &Subject,
    package: &Checked,
) -> Option<Span> {
    let before = harness.get(..at.start)?;
    let line = before.rfind("\n    ").map_or(before, |start| &before[start..]);
    // Only the name that rustc underlines is the same in the harness.
    views::place(&package.manifest.data, subject.spec.data.get(number)?, arm(line), harness.get(at.clone())?)
}

/// The number of the arm, in the code that makes values of a type, at whose end this line is cut. Arms of the types inside are
/// deeper in brackets.
fn arm(line: &str) -> Option<usize> {
    let start = ", fields) => ";
    let depth = |at: usize| line[..at].matches('{').count() as i64 - line[..at].matches('}').count() as i64;
    let (first, _) = line.match_indices(start).next()?;
    let mut own = line.rmatch_indices(start).filter(|(at, _)| depth(*at) == depth(first));
    let (at, _) = own.next()?;
    line[..at].rsplit('(').next()?.parse().ok()
}

/// A part of a text in a manifest; all of it if it is written with escapes.
fn inner(span: Span, part: Range<usize>, text: &str, sources: &Sources) -> Span {
    let written = sources.file(span.file).and_then(|file| file.text.get(span.start as usize..));
    if written.is_some_and(|written| written.starts_with(text)) {
        Span { start: span.start + part.start as u32, end: span.start + part.end as u32, ..span }
    } else {
        span
    }
}
