//! The meaning of the tables' keys: options, aliases, views, measures, rules of grammars and functions.
//!
//! A wrong key or value becomes a diagnostic, and reading continues.

use std::collections::HashMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::content::{FunctionEntry, Manifest, head_name};
use super::document::{Document, Entry, entries, shown};
use super::settings::{OPTIONS, PartialSettings};
use super::spanned::SpannedText;
use crate::frontend::diagnostic::{Diagnostic, Sources, Span, did_you_mean};

/// The keys of the first table, in addition to the options.
const TABLES: [&str; 7] = ["include", "types", "data", "traits", "measures", "grammars", "functions"];

/// The keys of a function's long form, in addition to the options.
const PARTS: [&str; 5] = ["spec", "call", "examples", "explore", "different"];

/// The location of the tables.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TableLocation {
    /// Under `[package.metadata.target]`.
    Package,
    /// Under `[workspace.metadata.target]`.
    Workspace,
    /// At the top of an included file.
    Included,
}

/// The tables read so far.
#[derive(Default)]
pub(super) struct Tables {
    /// All entries.
    pub manifest: Manifest,
    /// The files to include.
    pub includes: Vec<SpannedText>,
    /// All mistakes.
    pub diagnostics: Vec<Diagnostic>,
    /// The span of each name, by table and name.
    defined: HashMap<(&'static str, String), Span>,
}

impl Tables {
    /// Reads the tables of one file.
    pub fn read(
        &mut self,
        document: &Document<'_>,
        table: &DeTable<'_>,
        location: TableLocation,
        sources: &Sources,
    ) {
        for (key, value) in entries(table) {
            match key.get_ref().as_ref() {
                "types" => self.pairs(document, value, "types", sources),
                "data" => self.pairs(document, value, "data", sources),
                "traits" => self.pairs(document, value, "traits", sources),
                "measures" => self.pairs(document, value, "measures", sources),
                "grammars" => self.pairs(document, value, "grammars", sources),
                "functions" if location != TableLocation::Workspace => {
                    self.functions(document, value, sources)
                }
                "functions" => {
                    let message = "functions can't be listed for a whole workspace";
                    let help = "list them under `[package.metadata.target.functions]` of their own package";
                    self.diagnostics.push(Diagnostic::error(document.key(key).whole(), message).help(help));
                }
                "include" if location != TableLocation::Included => self.include(document, value),
                option if location != TableLocation::Included && OPTIONS.contains(&option) => {
                    let read = self.manifest.settings.read(document, option, value);
                    self.diagnostics.extend(read.err());
                }
                _ => self.unknown(document, key, value, location),
            }
        }
    }

    fn unknown(
        &mut self,
        document: &Document<'_>,
        key: &Spanned<toml::de::DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
        location: TableLocation,
    ) {
        let word = key.get_ref().as_ref();
        let span = document.key(key).whole();
        let diagnostic = if location == TableLocation::Included {
            let misplaced =
                word == "include" || OPTIONS.contains(&word) || ["package", "workspace"].contains(&word);
            let message = if misplaced {
                format!("`{word}` can't be in an included file")
            } else {
                format!("unknown table `{}`", shown(word))
            };
            let guess = did_you_mean(word, TABLES.into_iter().filter(|table| *table != "include"));
            Diagnostic::error(span, message).help(match guess {
                Some(guess) => format!("did you mean `{guess}`?"),
                None => {
                    "an included file has the tables `types`, `data`, `measures`, `grammars` and `functions`"
                        .to_owned()
                }
            })
        } else {
            let message = format!("unknown key `{}`", shown(word));
            let known: Vec<&str> = OPTIONS.into_iter().chain(TABLES).collect();
            let is_function = is_signature(value);
            let help = if is_function && location == TableLocation::Package {
                "specs of functions have a table of their own: write `[package.metadata.target.functions]` above them".to_owned()
            } else {
                guess_or_list(word, &known)
            };
            Diagnostic::error(span, message).help(help)
        };
        self.diagnostics.push(diagnostic);
    }

    fn include(&mut self, document: &Document<'_>, value: &Spanned<DeValue<'_>>) {
        let wanted = "`include` must be an array of paths";
        match value.get_ref() {
            DeValue::Array(paths) => {
                for path in paths.iter() {
                    match document.string(path) {
                        Some(path) => self.includes.push(path),
                        None => self.diagnostics.push(document.wrong_kind(path, "a path must be a string")),
                    }
                }
            }
            DeValue::String(path) => self.diagnostics.push(
                document.wrong_kind(value, wanted).help(format!("write `include = [\"{}\"]`", shown(path))),
            ),
            _ => self.diagnostics.push(document.wrong_kind(value, wanted)),
        }
    }

    /// The entries of a table, or a diagnostic.
    fn table<'d, 't>(
        &mut self,
        document: &Document<'_>,
        value: &'d Spanned<DeValue<'t>>,
        name: &str,
    ) -> Vec<Entry<'d, 't>> {
        match value.get_ref() {
            DeValue::Table(table) => entries(table),
            _ => {
                self.diagnostics.push(document.wrong_kind(value, &format!("`{name}` must be a table")));
                Vec::new()
            }
        }
    }

    /// Reads `types`, `data`, `measures` or `grammars`: heads and texts.
    fn pairs(
        &mut self,
        document: &Document<'_>,
        value: &Spanned<DeValue<'_>>,
        table: &'static str,
        sources: &Sources,
    ) {
        for (key, value) in self.table(document, value, table) {
            let head = document.key(key);
            let text = match (table, value.get_ref()) {
                ("types", DeValue::Table(parts)) => self.different_type(document, &head, parts),
                _ => document.string(value),
            };
            let Some(text) = text else {
                if matches!((table, value.get_ref()), ("types", DeValue::Table(_))) {
                    continue;
                }
                let wanted = format!("`{}` must be a string", shown(&head.text));
                let mistake = document.wrong_kind(value, &wanted);
                self.diagnostics.push(mistake.help(format!("as in `{}`", example(table))));
                continue;
            };
            if !self.define(table, head_name(&head.text), head.whole(), sources) {
                continue;
            }
            match table {
                "types" => self.manifest.types.push((head, text)),
                "data" | "traits" => self.manifest.data.push((head, text)),
                "measures" => self.manifest.measures.push((head, text)),
                _ => self.manifest.grammars.push((head, text)),
            }
        }
    }

    /// The type in `{ type = "..", different = ".." }`. The relation is for all values of the type.
    fn different_type(
        &mut self,
        document: &Document<'_>,
        head: &SpannedText,
        parts: &DeTable<'_>,
    ) -> Option<SpannedText> {
        let mut ty = None;
        for (part, value) in entries(parts) {
            match part.get_ref().as_ref() {
                "type" => ty = self.text(document, "type", value),
                "different" => {
                    let relation = self.text(document, "different", value);
                    self.manifest.different.extend(relation.map(|relation| (head.clone(), relation)));
                }
                word => {
                    let message = format!("unknown key `{}` of a type", shown(word));
                    let diagnostic = Diagnostic::error(document.key(part).whole(), message);
                    self.diagnostics.push(diagnostic.help(guess_or_list(word, &["type", "different"])));
                }
            }
        }
        if !parts.contains_key("type") {
            let message = format!("the type `{}` has no `type`", shown(&head.text));
            let help = "write `type = \"{v: T | p}\"` in its table";
            self.diagnostics.push(Diagnostic::error(head.whole(), message).help(help));
        }
        ty
    }

    /// Records that `name` is defined at `span`; if it was defined before, returns false and reports a diagnostic.
    fn define(&mut self, table: &'static str, name: &str, span: Span, sources: &Sources) -> bool {
        let key = (table, name.split_whitespace().collect::<String>());
        let Some(first) = self.defined.get(&key) else {
            self.defined.insert(key, span);
            return true;
        };
        let what = match table {
            "types" => "alias",
            "data" | "traits" => "view",
            "measures" => "measure",
            "grammars" => "rule",
            _ => "function",
        };
        let (line, column) = sources.line_column(*first);
        let path = sources.file(first.file).map(|file| file.path.display().to_string()).unwrap_or_default();
        self.diagnostics.push(
            Diagnostic::error(span, format!("the {what} `{}` is defined twice", shown(name)))
                .label("defined again here")
                .help(format!("the first definition is at {path}:{line}:{column}")),
        );
        false
    }

    fn functions(&mut self, document: &Document<'_>, value: &Spanned<DeValue<'_>>, sources: &Sources) {
        for (key, value) in self.table(document, value, "functions") {
            let key = document.key(key);
            self.manifest.places.push((key.text.clone(), places(document, &key, value)));
            let entry = match value.get_ref() {
                DeValue::String(_) => document.string(value).map(|spec| FunctionEntry {
                    key: key.clone(),
                    spec,
                    call: None,
                    examples: Vec::new(),
                    explore: None,
                    different: None,
                    settings: PartialSettings::default(),
                }),
                DeValue::Table(parts) => self.long_form(document, &key, parts),
                _ => {
                    let wanted = "a function must be a signature in a string, or a table with `spec`";
                    self.diagnostics.push(document.wrong_kind(value, wanted));
                    None
                }
            };
            let new = self.define("functions", &key.text, key.whole(), sources);
            self.manifest.functions.extend(entry.filter(|_| new));
        }
    }

    fn long_form(
        &mut self,
        document: &Document<'_>,
        key: &SpannedText,
        parts: &DeTable<'_>,
    ) -> Option<FunctionEntry> {
        let mut spec = None;
        let mut entry = FunctionEntry {
            key: key.clone(),
            spec: key.clone(),
            call: None,
            examples: Vec::new(),
            explore: None,
            different: None,
            settings: PartialSettings::default(),
        };
        let mut is_dotted = false;
        for (part, value) in entries(parts) {
            match part.get_ref().as_ref() {
                "spec" => spec = self.text(document, "spec", value),
                "call" => entry.call = self.text(document, "call", value),
                "explore" => entry.explore = self.text(document, "explore", value),
                "different" => entry.different = self.text(document, "different", value),
                "examples" => entry.examples = self.examples(document, value),
                option if OPTIONS.contains(&option) => {
                    self.diagnostics.extend(entry.settings.read(document, option, value).err());
                }
                word if is_signature(value) => {
                    is_dotted = true;
                    let (of, method) = (shown(&key.text), shown(word));
                    let message = format!("`{method}` is no key of the function `{of}`");
                    let help =
                        format!("write the path of a method with `::`, in quotes: \"{of}::{method}\" = ..");
                    self.diagnostics.push(Diagnostic::error(document.key(part).whole(), message).help(help));
                }
                word => {
                    let known: Vec<&str> = PARTS.into_iter().chain(OPTIONS).collect();
                    let message = format!("unknown key `{}` of a function", shown(word));
                    let diagnostic = Diagnostic::error(document.key(part).whole(), message);
                    self.diagnostics.push(diagnostic.help(guess_or_list(word, &known)));
                }
            }
        }
        if !parts.contains_key("spec") && !is_dotted {
            let message = format!("the function `{}` has no `spec`", shown(&key.text));
            let help = "write `spec = \"fn(x: T, ..) -> T\"` in its table";
            self.diagnostics.push(Diagnostic::error(key.whole(), message).help(help));
        }
        spec.map(|spec| FunctionEntry { spec, ..entry })
    }

    /// The string under a key of a function's table, or a diagnostic.
    fn text(
        &mut self,
        document: &Document<'_>,
        name: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<SpannedText> {
        let text = document.string(value);
        if text.is_none() {
            self.diagnostics.push(document.wrong_kind(value, &format!("`{name}` must be a string")));
        }
        text
    }

    fn examples(&mut self, document: &Document<'_>, value: &Spanned<DeValue<'_>>) -> Vec<SpannedText> {
        let DeValue::Array(examples) = value.get_ref() else {
            let diagnostic = document.wrong_kind(value, "`examples` must be an array of strings");
            self.diagnostics
                .push(diagnostic.help("each string is a tuple of arguments: examples = [\"(1, 2)\"]"));
            return Vec::new();
        };
        examples.iter().filter_map(|example| self.text(document, "an example", example)).collect()
    }
}

/// Whether a value is a function's signature.
fn is_signature(value: &Spanned<DeValue<'_>>) -> bool {
    matches!(value.get_ref(), DeValue::String(text) if text.trim_start().starts_with("fn"))
}

/// A suggestion for a misspelt word, or else all known words.
fn guess_or_list(word: &str, known: &[&str]) -> String {
    match did_you_mean(word, known.iter().copied()) {
        Some(guess) => format!("did you mean `{guess}`?"),
        None => format!("known keys are `{}`", known.join("`, `")),
    }
}

/// The texts of an entry: of its key, and of each part with its key, which need not follow each other.
fn places(document: &Document<'_>, key: &SpannedText, value: &Spanned<DeValue<'_>>) -> Vec<Span> {
    let parts = match value.get_ref() {
        DeValue::Table(parts) => entries(parts),
        _ => Vec::new(),
    };
    let part = |(key, value): &Entry<'_, '_>| document.key(key).whole().to(document.span(value.span()));
    let own = [key.whole(), document.span(value.span())];
    own.into_iter().chain(parts.iter().map(part)).collect()
}

/// An entry of a table of definitions.
fn example(table: &str) -> &'static str {
    match table {
        "data" => r#"Range = "struct Range { low: u8, high: {v: u8 | low <= v} }""#,
        "traits" => r#"Capped = "trait Pricing { fn price(&self, qty: u32) -> {v: u64 | v <= 1000}; }""#,
        "measures" => r#""half(n: int) -> int" = "n / 2""#,
        "grammars" => r#"Sum = '"1" | "(" left:Sum "+" right:Sum ")"'"#,
        // The table `types`.
        _ => r#"Pos = "{v: i64 | 0 < v}""#,
    }
}
