//! Maps spans in the manifest to their words, with TOML's escapes resolved.

use std::collections::BTreeMap;

use super::{library, shipped};
use crate::frontend::diagnostic::{FileId, Span};
use crate::frontend::manifest::{Manifest, SpannedText};

/// The texts of a manifest, by their start offsets.
#[derive(Clone, Debug, Default)]
pub struct Texts<'m> {
    by_start: BTreeMap<(FileId, u32), &'m SpannedText>,
}

impl<'m> Texts<'m> {
    /// All texts that may contain types and conditions.
    pub fn of(manifest: &'m Manifest) -> Texts<'m> {
        let of_one = |of: &'m Manifest| of.types.iter().chain(&of.data).chain(&of.measures);
        let of_members = manifest.members.iter().flat_map(|member| of_one(&member.manifest));
        let tables = of_one(manifest).chain(of_members).chain(&manifest.grammars);
        let tables = tables.chain(&*shipped::ENTRIES).chain(&*library::ENTRIES);
        let aliases = tables.flat_map(|(head, body)| [head, body]);
        let functions = manifest.functions.iter();
        let functions = functions.flat_map(|entry| [&entry.spec].into_iter().chain(&entry.explore));
        let by_start = aliases.chain(functions).map(|text| ((text.file, text.whole().start), text)).collect();
        Texts { by_start }
    }

    /// The words at a span; empty if no text contains it.
    pub fn at(&self, span: Span) -> &'m str {
        let before = self.by_start.range(..=(span.file, span.start)).next_back();
        let Some((_, text)) = before.filter(|((file, _), _)| *file == span.file) else { return "" };
        let start = text.offsets.partition_point(|offset| *offset < span.start);
        let end = text.offsets.partition_point(|offset| *offset < span.end);
        text.text.get(start..end).unwrap_or_default()
    }

    /// The whole text that contains a span.
    pub fn around(&self, span: Span) -> &'m str {
        let before = self.by_start.range(..=(span.file, span.start)).next_back();
        before.filter(|((file, _), _)| *file == span.file).map_or("", |(_, text)| &text.text)
    }
}
