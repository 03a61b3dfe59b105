//! Diagnostics as text, in rustc's style: the message, the location, the line with the words underlined, the advice.
//!
//! It prints nothing itself, and knows nothing about terminals except whether to use colours.

use annotate_snippets::{AnnotationKind, Level as Heading, Renderer, Snippet};

use super::{Diagnostic, Level, Sources, floor_boundary};

/// The diagnostics in the order of their spans, without repetition.
pub fn in_order(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|diagnostic| diagnostic.span);
    let mut distinct: Vec<&Diagnostic> = Vec::with_capacity(sorted.len());
    for diagnostic in sorted {
        let same_place = distinct.iter().rev().take_while(|earlier| earlier.span == diagnostic.span);
        if !same_place.into_iter().any(|earlier| earlier.message == diagnostic.message) {
            distinct.push(diagnostic);
        }
    }
    distinct
}

/// All diagnostics as one text, sorted by span; it ends with a newline unless it is empty.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in in_order(diagnostics) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&render_one(diagnostic, sources, &renderer));
        out.push('\n');
    }
    out
}

fn render_one(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let heading = match diagnostic.level {
        Level::Error => Heading::ERROR,
        Level::Warning => Heading::WARNING,
    };
    let group = heading.primary_title(diagnostic.message.as_str());
    let excerpt = sources.file(diagnostic.span.file).map(|file| {
        let Excerpt { text, line, start, end } = excerpt(&file.text, diagnostic);
        let label = (!diagnostic.label.is_empty()).then_some(diagnostic.label.as_str());
        Snippet::source(text)
            .path(file.path.to_string_lossy().into_owned())
            .line_start(line)
            .annotation(AnnotationKind::Primary.span(start..end).label(label))
    });
    let group = match excerpt {
        Some(snippet) => group.element(snippet),
        None => group.elements(Vec::<Snippet<'_, annotate_snippets::Annotation<'_>>>::new()),
    };
    match &diagnostic.help {
        Some(help) => renderer.render(&[group.element(Heading::HELP.message(help.as_str()))]),
        None => renderer.render(&[group]),
    }
}

/// Some whole lines of a file, and a range in them.
struct Excerpt<'a> {
    text: &'a str,
    line: usize,
    start: usize,
    end: usize,
}

/// Only the lines of the span are passed to the renderer, so that large files cost nothing.
fn excerpt<'a>(text: &'a str, diagnostic: &Diagnostic) -> Excerpt<'a> {
    let start = floor_boundary(text, diagnostic.span.start as usize);
    let end = floor_boundary(text, (diagnostic.span.end as usize).max(start));
    let first = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let last = text[end..].find('\n').map_or(text.len(), |newline| end + newline);
    Excerpt {
        text: &text[first..last],
        line: text[..first].matches('\n').count() + 1,
        start: start - first,
        end: end - first,
    }
}
