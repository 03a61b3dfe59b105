//! Tries a spec on the tool's own resolver before it is written.

use std::path::Path;

use anyhow::Result;
use target_bridge::frontend::catalog::{Catalog, FnItem, FnLookup};
use target_bridge::frontend::diagnostic::{Diagnostic, Level, Sources, Span};
use target_bridge::frontend::manifest::{self, FunctionEntry, Manifest, PartialSettings, SpannedText};
use target_bridge::frontend::resolve::resolve;
use target_bridge::frontend::subject::Subject;

use crate::run::checked::inside;
use crate::run::project::{Package, Project};
use crate::system::exit_code::usage;
use crate::system::files::read_text;

/// The tables of a manifest, to which one spec at a time is added.
pub struct Trial<'c> {
    /// The crate's items.
    pub catalog: &'c Catalog,
    /// The functions that have specs.
    specified: Vec<&'c FnItem>,
    keys: Vec<String>,
    /// The tables without the functions.
    tables: Manifest,
    sources: Sources,
}

impl<'c> Trial<'c> {
    /// Reads the tables, which must have no mistake.
    pub fn new(project: &Project, package: &Package, catalog: &'c Catalog) -> Result<Trial<'c>> {
        let mut sources = Sources::default();
        let read_file = |path: &Path| read_text(inside(path, project, package)?);
        let (tables, mut diagnostics) = manifest::read(&mut sources, &package.manifest_path, &read_file);
        let (defaults, mistakes) =
            manifest::read_workspace(&mut sources, &project.workspace_manifest, &read_file);
        let mut tables = tables.over(&defaults);
        diagnostics.extend(mistakes);
        diagnostics.extend(resolve(&tables, catalog, &PartialSettings::default()).1);
        if diagnostics.iter().any(is_error) {
            return Err(usage("the specs so far have mistakes: `cargo target check` shows them"));
        }
        let entries = std::mem::take(&mut tables.functions);
        let keys: Vec<String> = entries.iter().map(|entry| entry.key.text.clone()).collect();
        let calls = entries.iter().filter_map(|entry| entry.call.as_ref()).map(|call| &call.text);
        let specified = keys.iter().chain(calls).filter_map(|path| item(catalog, path)).collect();
        Ok(Trial { catalog, specified, keys, tables, sources })
    }

    /// Whether a function, or another one with that key, has a spec.
    pub fn has_spec(&self, function: &FnItem, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
            || self.specified.iter().any(|known| std::ptr::eq(*known, function))
    }

    /// The tables with these functions, by their keys and specs, and the files of their texts.
    pub fn manifest<'s>(&self, specs: impl Iterator<Item = (&'s str, &'s str)>) -> (Manifest, Sources) {
        let mut sources = self.sources.clone();
        let functions = specs.map(|(key, spec)| entry(key, spec, &mut sources)).collect();
        (Manifest { functions, ..self.tables.clone() }, sources)
    }

    /// The subject of a spec; `None` if it has a mistake.
    pub fn subject(&self, key: &str, spec: &str) -> Option<Subject> {
        let (manifest, _) = self.manifest(std::iter::once((key, spec)));
        resolve(&manifest, self.catalog, &PartialSettings::default()).0.pop()
    }

    /// The first mistake of a spec, with its position in the text; `None` if there is none.
    pub fn mistake(&self, key: &str, spec: &str) -> Option<Diagnostic> {
        let mut sources = self.sources.clone();
        let start = key.len() as u32 + 1;
        let entry = entry(key, spec, &mut sources);
        let file = entry.spec.whole().file;
        let manifest = Manifest { functions: vec![entry], ..self.tables.clone() };
        let (_, diagnostics) = resolve(&manifest, self.catalog, &PartialSettings::default());
        let own = diagnostics.into_iter().find(|found| is_error(found) && found.span.file == file)?;
        let Span { start: from, end, .. } = own.span;
        let span = Span { start: from.saturating_sub(start), end: end.saturating_sub(start), ..own.span };
        Some(Diagnostic { span, ..own })
    }
}

/// An entry whose texts are a file of their own.
fn entry(key: &str, spec: &str, sources: &mut Sources) -> FunctionEntry {
    let file = sources.add(Path::new("<init>"), format!("{key}\n{spec}"));
    FunctionEntry {
        key: SpannedText::verbatim(key, file, 0),
        spec: SpannedText::verbatim(spec, file, key.len() as u32 + 1),
        call: None,
        examples: Vec::new(),
        explore: None,
        different: None,
        settings: PartialSettings::default(),
    }
}

/// The function at a path.
pub fn item<'c>(catalog: &'c Catalog, path: &str) -> Option<&'c FnItem> {
    match catalog.function(&path.split("::").collect::<Vec<_>>()) {
        FnLookup::Found(item) | FnLookup::Private(item) => Some(item),
        FnLookup::Ambiguous(_) | FnLookup::NotAFunction(_) | FnLookup::Missing { .. } => None,
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.level == Level::Error
}
