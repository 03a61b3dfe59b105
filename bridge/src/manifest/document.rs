//! One TOML file, parsed, with places in the terms of [`crate::diagnostic`].
//!
//! It knows TOML, and not what the tables mean.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::SpannedText;
use crate::diagnostic::{Diagnostic, FileId, Span};

/// Longer manifests are no manifests.
const LONGEST: usize = 16 << 20;

/// A file's text and its number.
#[derive(Clone, Copy)]
pub(super) struct Document<'t> {
    /// The file.
    pub file: FileId,
    /// Its content.
    pub text: &'t str,
}

/// A key of a table and its value.
pub(super) type Entry<'d, 't> = (&'d Spanned<DeString<'t>>, &'d Spanned<DeValue<'t>>);

impl<'t> Document<'t> {
    /// The table of the whole file.
    pub fn parse(&self) -> Result<DeTable<'t>, Diagnostic> {
        if self.text.len() > LONGEST {
            return Err(Diagnostic::error(self.span(0..0), "the file is longer than 16 MiB"));
        }
        let text = self.text;
        DeTable::parse(text).map(Spanned::into_inner).map_err(|error| {
            let range = error.span().unwrap_or(0..0);
            let diagnostic =
                Diagnostic::error(self.span(range.clone()), format!("invalid TOML: {}", error.message()));
            let unquoted = text.get(range.start..).is_some_and(|rest| rest.trim_start().starts_with(':'));
            if unquoted {
                diagnostic.help("a key with `::` or `<` in it wants quotes: \"tree::insert\" = ..")
            } else {
                diagnostic
            }
        })
    }

    /// The place of some bytes of the file.
    pub fn span(&self, range: Range<usize>) -> Span {
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    /// The place of a value: of a string, without its quotes.
    pub fn value_span(&self, value: &Spanned<DeValue<'_>>) -> Span {
        self.string(value).map_or_else(|| self.span(value.span()), |text| text.whole())
    }

    /// A key with its places.
    pub fn key(&self, key: &Spanned<DeString<'_>>) -> SpannedText {
        self.spanned(key.get_ref(), key.span())
    }

    /// A string with its places, if the value is one.
    pub fn string(&self, value: &Spanned<DeValue<'_>>) -> Option<SpannedText> {
        value.get_ref().as_str().map(|decoded| self.spanned(decoded, value.span()))
    }

    fn spanned(&self, decoded: &str, range: Range<usize>) -> SpannedText {
        let raw = self.text.get(range.clone()).unwrap_or_default();
        SpannedText::decode(raw, decoded, self.file, range.start)
    }

    /// That a value is of the wrong kind.
    pub fn wrong_kind(&self, value: &Spanned<DeValue<'_>>, wanted: &str) -> Diagnostic {
        // Of a table under a heading, the place is the heading; of a long inline one, its first line says enough.
        let span = value.span();
        let text = self.text.get(span.clone()).unwrap_or_default();
        let line = text.find('\n').unwrap_or(text.len());
        Diagnostic::error(self.span(span.start..span.start + line), wanted)
            .label(format!("this is {}", article(value.get_ref().type_str())))
    }
}

/// The entries of a table in the order of the file.
pub(super) fn entries<'d, 't>(table: &'d DeTable<'t>) -> Vec<Entry<'d, 't>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// A word with `a` or `an` before it.
pub(super) fn article(word: &str) -> String {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { format!("an {word}") } else { format!("a {word}") }
}

/// A text from the manifest as messages quote it: on one line, and not too long.
pub(super) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(60).is_some() {
        shown.push('…');
    }
    shown
}
