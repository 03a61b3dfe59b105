//! The user's Rust in specs that doesn't compile: from rustc's errors in a harness to the functions that they belong to.
//!
//! Each subject has a module of its own in the harness. An error inside that module is the function's, and costs only
//! this function: the module is replaced by one that compiles.

use std::collections::BTreeMap;
use std::ops::Range;

use target_bridge::frontend::diagnostic::{Diagnostic, Sources, Span};
use target_bridge::frontend::subject::{Call, Subject};
use target_strategies::logic::ir::{Refined, Sort, Spec};

use crate::run::checked::Checked;
use crate::run::harness::RustcError;

/// The mistakes in functions whose Rust code doesn't compile, by the functions' numbers in the harness.
pub type Broken = BTreeMap<u32, Vec<Diagnostic>>;

/// The subjects to generate a harness from: a broken one is replaced by one without any code of the user.
pub fn subjects<'s>(all: &[&'s Subject], broken: &Broken) -> Vec<std::borrow::Cow<'s, Subject>> {
    let chosen = |(number, subject): (usize, &&'s Subject)| {
        if broken.contains_key(&(number as u32)) {
            std::borrow::Cow::Owned(without_code(subject))
        } else {
            std::borrow::Cow::Borrowed(*subject)
        }
    };
    all.iter().enumerate().map(chosen).collect()
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
        let Some(number) = (0..subjects.len()).find(|number| module(harness, *number).contains(&at.start))
        else {
            return false;
        };
        // The replaced modules compile; another error there is a mistake of the tool.
        if broken.contains_key(&(number as u32)) {
            return false;
        }
        let span = users_span(at, harness, &module(harness, number), subjects[number], package);
        let mut mistake = Diagnostic::error(span, error.message.clone()).label(error.label.clone());
        let is_inside =
            |whole: Span| whole.file == span.file && (whole.start..whole.end).contains(&span.start);
        if error.is_reference && subjects[number].opaques.iter().any(|opaque| is_inside(opaque.span)) {
            let source = package.sources.file(span.file);
            let written = source.and_then(|file| file.text.get(span.start as usize..span.end as usize));
            let is_name = |word: &&str| word.chars().all(|c| c == '_' || c.is_alphanumeric());
            let name =
                written.filter(is_name).filter(|word| !word.starts_with(char::is_numeric)).unwrap_or("x");
            let help =
                format!("after `where`, the parameters and the result are references: write `*{name}`");
            mistake = mistake.help(help);
        }
        let mistake = (number as u32, mistake);
        if !found.contains(&mistake) {
            found.push(mistake);
        }
    }
    let any = !found.is_empty();
    for (number, mistake) in found {
        broken.entry(number).or_default().push(mistake);
    }
    any
}

/// A function whose code makes rustc report errors elsewhere, such as a failing constant of the generic code that it calls,
/// and its mistake; `None` if no function's code does. `errors` are those without the broken functions.
pub fn culprit<E>(
    subjects: &[&Subject],
    broken: &Broken,
    errors: impl Fn(&Broken) -> Result<Vec<RustcError>, E>,
) -> Result<Option<(u32, Diagnostic)>, E> {
    let suspects: Vec<u32> =
        (0..subjects.len() as u32).filter(|number| !broken.contains_key(number)).collect();
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

/// The bytes of a subject's module in a harness.
fn module(harness: &str, number: usize) -> Range<usize> {
    let start = harness.find(&format!("\nmod subject_{number} {{\n")).unwrap_or(harness.len());
    let end = harness.find(&format!("\nmod subject_{} {{\n", number + 1));
    start..end.or_else(|| harness.find("\nstatic SUBJECTS:")).unwrap_or(harness.len())
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
    in_view(at, harness, module, subject, package).unwrap_or(subject.key_span)
}

/// The position in the declaration of a view of a position in the functions that make and show its values.
fn in_view(
    at: &Range<usize>,
    harness: &str,
    module: &Range<usize>,
    subject: &Subject,
    package: &Checked,
) -> Option<Span> {
    let before = harness.get(module.start..at.start)?;
    let number = ["\nfn make_", "\nfn show_"].into_iter().filter_map(|start| {
        let digits = before.rfind(start)? + start.len();
        Some((digits, before[digits..].split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()?))
    });
    let (_, number) = number.max()?;
    let path = subject.spec.data.get(number)?.rust_type.split('<').next()?;
    let mut views = package.manifest.data.iter().filter(|(head, _)| {
        let head = head.text.split(['<', '(']).next().unwrap_or_default().trim();
        path == head || path.ends_with(&format!("::{}", head.trim_start_matches("crate::")))
    });
    let (Some((_, view)), None) = (views.next(), views.next()) else { return None };
    // Only the name that rustc underlines is the same in the harness.
    let word = harness.get(at.clone())?;
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = view.text.match_indices(word).map(|(start, _)| start).filter(|start| {
        !view.text[..*start].ends_with(is_part) && !view.text[start + word.len()..].starts_with(is_part)
    });
    match (places.next(), places.next()) {
        (Some(start), None) => Some(view.span(start, start + word.len())),
        _ => Some(view.whole()),
    }
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
