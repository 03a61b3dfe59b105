//! Maps spans in the manifest to their words, with TOML's escapes resolved.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{library, shipped};
use crate::frontend::diagnostic::{FileId, Span};
use crate::frontend::manifest::{FunctionEntry, Manifest, SpannedText};

/// The texts of a manifest, by their start offsets.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    by_start: BTreeMap<(FileId, u32), Arc<SpannedText>>,
}

impl Texts {
    /// All texts of tables that may contain types and conditions.
    pub fn of(manifest: &Manifest) -> Texts {
        let mut texts = Texts::default();
        let of_one = |of: &Manifest| [of.types.clone(), of.data.clone(), of.measures.clone()].concat();
        let of_members = manifest.members.iter().flat_map(|member| of_one(&member.manifest));
        let tables = of_one(manifest).into_iter().chain(of_members).chain(manifest.grammars.clone());
        let tables = tables.chain(shipped::ENTRIES.clone()).chain(library::ENTRIES.clone());
        tables.flat_map(|(head, body)| [head, body]).for_each(|text| texts.add(text));
        texts
    }

    /// Adds the texts of a function's entry.
    pub fn add_function(&mut self, entry: &FunctionEntry) {
        [&entry.spec].into_iter().chain(&entry.explore).for_each(|text| self.add(text.clone()));
    }

    fn add(&mut self, text: SpannedText) {
        self.by_start.insert((text.file, text.whole().start), Arc::new(text));
    }

    /// The words at a span; empty if no text contains it.
    pub fn at(&self, span: Span) -> &str {
        let before = self.by_start.range(..=(span.file, span.start)).next_back();
        let Some((_, text)) = before.filter(|((file, _), _)| *file == span.file) else { return "" };
        let start = text.offsets.partition_point(|offset| *offset < span.start);
        let end = text.offsets.partition_point(|offset| *offset < span.end);
        text.text.get(start..end).unwrap_or_default()
    }

    /// The whole text that contains a span.
    pub fn around(&self, span: Span) -> &str {
        let before = self.by_start.range(..=(span.file, span.start)).next_back();
        before.filter(|((file, _), _)| *file == span.file).map_or("", |(_, text)| &text.text)
    }
}
