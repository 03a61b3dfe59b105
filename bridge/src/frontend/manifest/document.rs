//! Parses one TOML file, with spans as in [`crate::frontend::diagnostic`].
//!
//! It knows TOML, but not the meaning of tables.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::spanned::SpannedText;
use crate::frontend::diagnostic::{Diagnostic, FileId, Span};

/// Maximum length of a manifest, in bytes. No real manifest is longer.
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
            match likely_slip(text, range.start) {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            }
        })
    }

    /// The span of some bytes of the file.
    pub fn span(&self, range: Range<usize>) -> Span {
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    /// The span of a value; for a string, without its quotes.
    pub fn value_span(&self, value: &Spanned<DeValue<'_>>) -> Span {
        self.string(value).map_or_else(|| self.span(value.span()), |text| text.whole())
    }

    /// A key with its spans.
    pub fn key(&self, key: &Spanned<DeString<'_>>) -> SpannedText {
        self.spanned(key.get_ref(), key.span())
    }

    /// A string with its spans, if the value is a string.
    pub fn string(&self, value: &Spanned<DeValue<'_>>) -> Option<SpannedText> {
        value.get_ref().as_str().map(|decoded| self.spanned(decoded, value.span()))
    }

    fn spanned(&self, decoded: &str, range: Range<usize>) -> SpannedText {
        let raw = self.text.get(range.clone()).unwrap_or_default();
        SpannedText::decode(raw, decoded, self.file, range.start)
    }

    /// The diagnostic for a value of the wrong kind.
    pub fn wrong_kind(&self, value: &Spanned<DeValue<'_>>, wanted: &str) -> Diagnostic {
        // The span of a table with a heading is the heading; of a long inline table, the first line is enough.
        let span = value.span();
        let text = self.text.get(span.clone()).unwrap_or_default();
        let line = text.find('\n').unwrap_or(text.len());
        Diagnostic::error(self.span(span.start..span.start + line), wanted)
            .label(format!("this is {}", article(value.get_ref().type_str())))
    }
}

/// How to mend a text that isn't TOML; `None` if it is TOML, or the mistake is none of the usual ones.
pub fn syntax_help(text: &str) -> Option<&'static str> {
    if text.len() > LONGEST {
        return None;
    }
    likely_slip(text, DeTable::parse(text).err()?.span()?.start)
}

/// The usual mistake that a parser stops at this byte for.
fn likely_slip(text: &str, at: usize) -> Option<&'static str> {
    let (before, after) = text.split_at_checked(at)?;
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = after.lines().next().unwrap_or_default();
    if !before.contains('=') && after.trim_start().starts_with([':', '<', '(']) {
        return Some("a key with `::`, `<` or `(` in it needs quotes: \"tree::insert\" = ..");
    }
    // A string ended at a quote that was meant to be part of it.
    let is_ended = |quote: char| {
        let value = before.split_once('=').map_or("", |(_, value)| value.trim_start());
        value.len() > 1
            && value.starts_with(quote)
            && value.trim_end().ends_with(quote)
            && after.contains(quote)
    };
    if is_ended('"') {
        return Some(
            "the string ends at its second `\"`: write it in single quotes, '..', or each inner quote as `\\\"`",
        );
    }
    if is_ended('\'') {
        return Some("the string ends at its second `'`: write it in three quotes, '''..'''");
    }
    None
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

/// A text from the manifest, as quoted in messages: on one line, and not too long.
pub(super) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(60).is_some() {
        shown.push('…');
    }
    shown
}
