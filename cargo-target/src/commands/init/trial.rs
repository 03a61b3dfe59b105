//! Tries a spec on the tool's own resolver before it is written.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use target_bridge::frontend::api::{Made, Makers, instances, named};
use target_bridge::frontend::catalog::{Catalog, FnItem, FnLookup, RustType, substitute};
use target_bridge::frontend::diagnostic::{Diagnostic, Level, Sources, Span};
use target_bridge::frontend::manifest::{self, FunctionEntry, Manifest, PartialSettings, SpannedText};
use target_bridge::frontend::resolve::{CheckedTables, resolve};
use target_bridge::frontend::subject::Subject;

use crate::run::checked::{Checked, Further, inside};
use crate::run::project::{Package, Project};
use crate::system::exit_code::usage;
use crate::system::files::read_text;

/// The tables of a manifest, to which one spec at a time is added.
#[derive(Clone)]
pub struct Trial<'c> {
    /// The crate's items.
    pub catalog: &'c Catalog,
    /// The entries that were added to the table `data`.
    pub made: Vec<Made>,
    /// The types that have an entry in it and could not be named otherwise, and the names of the entries.
    pub named: Vec<(RustType, String)>,
    /// The functions that have specs.
    specified: Vec<&'c FnItem>,
    keys: Vec<String>,
    /// The specs so far.
    functions: Vec<FunctionEntry>,
    /// The tables without the functions.
    tables: Manifest,
    /// What the check of these tables has found, which takes longer than that of one spec.
    checked: CheckedTables,
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
        let checked = CheckedTables::read(&tables, catalog);
        let (_, mistakes) = checked.clone().subjects(&tables.functions, catalog, &PartialSettings::default());
        diagnostics.extend(mistakes);
        if diagnostics.iter().any(is_error) {
            return Err(usage("the specs so far have mistakes: `cargo target check` shows them"));
        }
        let entries = std::mem::take(&mut tables.functions);
        let keys: Vec<String> = entries.iter().map(|entry| entry.key.text.clone()).collect();
        let calls = entries.iter().filter_map(|entry| entry.call.as_ref()).map(|call| &call.text);
        let specified = keys.iter().chain(calls).filter_map(|path| item(catalog, path)).collect();
        let named = named(catalog, &tables);
        let functions = entries;
        Ok(Trial { catalog, made: Vec::new(), named, specified, keys, functions, tables, checked, sources })
    }

    /// The tables with entries for the types that the parameters of some functions have, as far as functions make values of
    /// these types.
    pub fn with_entries(&self, functions: &[&FnItem]) -> Trial<'c> {
        let mut makers = Makers::new(self.catalog, &self.tables);
        for function in functions {
            let known = instances(function, self.catalog);
            let types = function.params.iter().filter_map(|param| substitute(&param.ty, &known));
            types.for_each(|ty| makers.add(&ty));
        }
        let mut made = makers.entries();
        loop {
            let (next, faults, is_else) = self.with(&made);
            if faults.is_empty() && !is_else {
                return next;
            }
            if faults.is_empty() {
                // An entry with the name of a type changes what the specs so far mean by it.
                let n_made = made.len();
                made.retain(|entry| !self.mentions(&entry.name));
                if made.len() == n_made {
                    return self.clone();
                }
                continue;
            }
            let kept = made.iter().enumerate().filter_map(|(index, entry)| match faults.get(&index) {
                Some(Some(position)) => entry.without(*position),
                Some(None) => None,
                None => Some(entry.clone()),
            });
            made = kept.collect();
        }
    }

    /// Whether the specs and tables so far have this word.
    fn mentions(&self, name: &str) -> bool {
        let specs = self.functions.iter().map(|entry| &entry.spec.text);
        let data = self.tables.data.iter().map(|(_, body)| &body.text);
        let is_word =
            |text: &String| text.split(|c: char| c != '_' && !c.is_alphanumeric()).any(|word| word == name);
        specs.chain(data).any(is_word)
    }

    /// The tables with these entries; the position of a mistake in each that has one, by their numbers: in its body, or
    /// `None` if the mistake is about the entry as a whole; and whether there is a mistake elsewhere.
    fn with(&self, made: &[Made]) -> (Trial<'c>, BTreeMap<usize, Option<usize>>, bool) {
        let (mut sources, mut tables) = (self.sources.clone(), self.tables.clone());
        let mut files = Vec::new();
        for entry in made {
            let (name, body) = (&entry.name, entry.body());
            let file = sources.add(Path::new("<init>"), format!("{name}\n{body}"));
            let head = SpannedText::verbatim(name.as_str(), file, 0);
            tables.data.push((head, SpannedText::verbatim(body, file, name.len() as u32 + 1)));
            files.push((file, name.len() + 1));
        }
        let added = made.iter().map(|entry| (entry.ty.clone(), entry.name.clone()));
        let trial = Trial {
            catalog: self.catalog,
            made: made.to_vec(),
            named: self.named.iter().cloned().chain(added).collect(),
            specified: self.specified.clone(),
            keys: self.keys.clone(),
            functions: self.functions.clone(),
            checked: CheckedTables::read(&tables, self.catalog),
            tables,
            sources,
        };
        let (_, mut diagnostics) = trial.resolve(&self.functions);
        diagnostics.retain(is_error);
        let fault = |diagnostic: &Diagnostic| {
            let entry = files.iter().position(|(file, _)| *file == diagnostic.span.file)?;
            Some((entry, (diagnostic.span.start as usize).checked_sub(files[entry].1)))
        };
        let is_else = diagnostics.iter().any(|diagnostic| fault(diagnostic).is_none());
        let faults = diagnostics.iter().filter_map(fault).collect();
        (trial, faults, is_else)
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

    /// A package of these functions.
    pub fn package<'p, 's>(
        &self,
        package: &'p Package,
        specs: impl Iterator<Item = (&'s str, &'s str)>,
    ) -> Checked<'p> {
        let (manifest, sources) = self.manifest(specs);
        let (subjects, diagnostics) = resolve(&manifest, self.catalog, &PartialSettings::default());
        let (catalog, further, unread) = (self.catalog.clone(), Further::default(), Vec::new());
        Checked { package, sources, manifest, catalog, subjects, further, diagnostics, unread }
    }

    /// The subject of a spec; `None` if it has a mistake.
    pub fn subject(&self, key: &str, spec: &str) -> Option<Subject> {
        self.resolve(&[entry(key, spec, &mut self.sources.clone())]).0.pop()
    }

    /// The first mistake of a spec, with its position in the text; `None` if there is none.
    pub fn mistake(&self, key: &str, spec: &str) -> Option<Diagnostic> {
        let mut sources = self.sources.clone();
        let start = key.len() as u32 + 1;
        let entry = entry(key, spec, &mut sources);
        let file = entry.spec.whole().file;
        let (_, diagnostics) = self.resolve(&[entry]);
        let own = diagnostics.into_iter().find(|found| is_error(found) && found.span.file == file)?;
        let Span { start: from, end, .. } = own.span;
        let span = Span { start: from.saturating_sub(start), end: end.saturating_sub(start), ..own.span };
        Some(Diagnostic { span, ..own })
    }

    /// The subjects of these entries, and the mistakes in them and in the tables.
    fn resolve(&self, entries: &[FunctionEntry]) -> (Vec<Subject>, Vec<Diagnostic>) {
        self.checked.clone().subjects(entries, self.catalog, &PartialSettings::default())
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
        FnLookup::Ambiguous(_) | FnLookup::NotAFunction(_) | FnLookup::Missing => None,
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.level == Level::Error
}
