//! Reads and checks a package's specs: from its manifest and its source to subjects.
//!
//! Files are read only here; `target_bridge` interprets them.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use target_bridge::frontend::catalog::{self, Catalog, Cfg, MemberCatalog, ScanProblem};
use target_bridge::frontend::declarations::library;
use target_bridge::frontend::diagnostic::{Diagnostic, FileId, Level, Sources, Span, in_order, render};
use target_bridge::frontend::manifest::{
    self, FunctionEntry, Manifest, MemberTables, Outside, PartialSettings, SpannedText,
};
use target_bridge::frontend::resolve::resolve;
use target_bridge::frontend::subject::Subject;

use crate::events::DiagnosticEvent;
use crate::events::describe;
use crate::run::project::{NoLibrary, Package, Project, linked, rustc_cfg};
use crate::run::uses;
use crate::system::exit_code::usage;
use crate::system::files::read_text;

/// The specs of one package.
pub struct Checked<'p> {
    /// The package.
    pub package: &'p Package,
    /// The files of all source positions.
    pub sources: Sources,
    /// The tables of the manifest.
    pub manifest: Manifest,
    /// The types and functions of the crate.
    pub catalog: Catalog,
    /// The functions whose specs have no mistake, in the manifest's order.
    pub subjects: Vec<Subject>,
    /// Which of them are further instances of generic functions, of public functions.
    pub further: Further,
    /// All mistakes.
    pub diagnostics: Vec<Diagnostic>,
    /// What the user's source has that could not be read.
    pub unread: Vec<ScanProblem>,
}

/// The further instances of generic functions among the functions of a package.
#[derive(Clone, Debug, Default)]
pub struct Further {
    /// The numbers of all.
    pub all: Vec<u32>,
    /// The numbers of those that are given up together if rustc rejects what some function calls, and doesn't say which
    /// function: the first of these sets that helps.
    pub together: Vec<Vec<u32>>,
}

/// Selects functions.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Words; a key must contain at least one of them. Without words, all keys match.
    pub words: Vec<String>,
    /// Whether a key must equal the word.
    pub exact: bool,
}

/// An argument tuple to run instead of all others.
#[derive(Clone, Debug)]
pub struct OneCase {
    /// The tuple as Rust code.
    pub tuple: String,
    /// Selects its function.
    pub filter: Filter,
}

impl Filter {
    /// Whether a function with that key is selected.
    pub fn admits(&self, key: &str) -> bool {
        let matches = |word: &String| if self.exact { key == word } else { key.contains(word.as_str()) };
        self.words.is_empty() || self.words.iter().any(matches)
    }
}

/// Checks every selected package that has specs.
pub fn check<'p>(
    project: &'p Project,
    overrides: &PartialSettings,
    case: Option<&OneCase>,
) -> Result<Vec<Checked<'p>>> {
    let with_table: Vec<&Package> = project.packages.iter().filter(|package| package.has_table).collect();
    if with_table.is_empty() {
        let what = "no specs: no selected package has a [package.metadata.target] table";
        return Err(usage(format!("{what}; `cargo target init` writes a first one")));
    }
    with_table.into_iter().map(|package| check_package(project, package, overrides, case)).collect()
}

/// The name of the option's text among the files.
const CASE: &str = "--case";

fn check_package<'p>(
    project: &Project,
    package: &'p Package,
    overrides: &PartialSettings,
    case: Option<&OneCase>,
) -> Result<Checked<'p>> {
    let mut sources = Sources::default();
    let read_file = |path: &Path| read_text(inside(path, project, package)?);
    let (mut manifest, mut diagnostics) = manifest::read(&mut sources, &package.manifest_path, &read_file);
    let (defaults, mistakes) =
        manifest::read_workspace(&mut sources, &project.workspace_manifest, &read_file);
    manifest = manifest.over(&defaults);
    diagnostics.extend(mistakes);
    if let Some(OneCase { tuple, filter }) = case {
        let file = sources.add(Path::new(CASE), tuple.clone());
        for entry in manifest.functions.iter_mut().filter(|entry| filter.admits(&entry.key.text)) {
            entry.examples = vec![SpannedText::verbatim(tuple.as_str(), file, 0)];
        }
    }
    let library = match &package.library {
        Ok(library) => library,
        Err(why) => {
            diagnostics.push(without_library(why, package, &manifest));
            shorten_paths(&mut sources);
            let catalog = Catalog::default();
            return Ok(Checked {
                package,
                sources,
                manifest,
                catalog,
                subjects: Vec::new(),
                further: Further::default(),
                diagnostics,
                unread: Vec::new(),
            });
        }
    };
    let cfg = Cfg::parse(&rustc_cfg(package)?);
    let own_cfg = cfg.clone().with_features(&package.features);
    let (catalog, problems) = catalog::scan(&library.src_path, &library.crate_name, &own_cfg);
    // The mistakes of members are told when they are checked themselves.
    let mut read = |path: &Path| manifest::read(&mut sources, path, &read_file).0.over(&defaults);
    let (members, tables) = members(project, package, &cfg, &mut read);
    manifest.members = tables;
    let mut catalog = catalog.with_members(members);
    catalog.dependencies.extend(linked(&package.dependencies).map(|used| used.name.clone()));
    let (subjects, mistakes) = resolve(&manifest, &catalog, overrides);
    diagnostics.extend(mistakes);
    // Whether the input of `--case` is valid is the run's answer.
    diagnostics.retain(|found| {
        let is_case = || sources.file(found.span.file).is_some_and(|file| file.path == Path::new(CASE));
        found.level == Level::Error || !is_case()
    });
    shorten_paths(&mut sources);
    let (further, unread) = (Further::default(), problems);
    Ok(Checked { package, sources, manifest, catalog, subjects, further, diagnostics, unread })
}

/// Specs in a package without a library.
fn without_library(why: &NoLibrary, package: &Package, manifest: &Manifest) -> Diagnostic {
    let (what, help) = why.explained();
    let place = manifest
        .places
        .iter()
        .flat_map(|(_, places)| places)
        .next()
        .map_or(Span { file: FileId(0), start: 0, end: 0 }, |place| *place);
    Diagnostic::error(place, format!("package `{}` {what}, so it can't have specs", package.name)).help(help)
}

/// The catalogs and the tables of the workspace's members that a package depends on, by the names that it has for them.
fn members(
    project: &Project,
    package: &Package,
    cfg: &Cfg,
    read: &mut dyn FnMut(&Path) -> Manifest,
) -> (Vec<MemberCatalog>, Vec<MemberTables>) {
    let name_of =
        |id: &str| linked(&package.dependencies).find(|own| own.id == id).map(|own| own.name.clone());
    let (mut catalogs, mut tables) = (Vec::new(), Vec::new());
    for used in linked(&package.dependencies) {
        let Some(member) = project.members.iter().find(|member| member.id == used.id) else { continue };
        let cfg = cfg.clone().with_features(&member.features);
        let catalog = catalog::scan(&member.src_path, &member.crate_name, &cfg).0;
        let manifest = read(&member.root.join("Cargo.toml"));
        let name = used.name.clone();
        if !(manifest.types.is_empty() && manifest.data.is_empty() && manifest.measures.is_empty()) {
            tables.push(MemberTables { name: name.clone(), manifest, catalog: Arc::new(catalog.clone()) });
        }
        let crates =
            linked(&member.dependencies).map(|used| (used.name.clone(), name_of(&used.id))).collect();
        catalogs.push(MemberCatalog { name, catalog, crates });
    }
    (catalogs, tables)
}

/// The option that allows reading files that `include` names outside of the workspace.
const ALLOWED: &str = "--include-outside";

/// The path itself, unless it leads outside of the workspace without permission.
pub fn inside<'f>(path: &'f Path, project: &Project, package: &Package) -> io::Result<&'f Path> {
    // Cargo found the manifests, so they are allowed.
    let is_manifest = path == package.manifest_path || path == project.workspace_manifest;
    if project.include_outside || is_manifest {
        return Ok(path);
    }
    let workspace = project.workspace_manifest.parent().unwrap_or(Path::new("/"));
    let roots = [workspace, package.root()];
    let outside = || io::Error::other(Outside { option: ALLOWED });
    // Checked before the file is looked up, so that errors don't reveal whether a file outside exists.
    let plain = without_dots(path).ok_or_else(outside)?;
    if !roots.iter().any(|root| plain.starts_with(root)) {
        return Err(outside());
    }
    let real = path.canonicalize()?;
    let is_inside = |root: &&Path| root.canonicalize().is_ok_and(|root| real.starts_with(root));
    if roots.iter().any(is_inside) { Ok(path) } else { Err(outside()) }
}

/// A path without `.` and `..`, as if it had no links. `None` if it leads above the root.
fn without_dots(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => plain.pop().then_some(())?,
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// Makes file names in reports relative to the current folder, if they are inside it.
fn shorten_paths(sources: &mut Sources) {
    let Ok(here) = std::env::current_dir() else { return };
    for file in &mut sources.files {
        if let Ok(short) = file.path.strip_prefix(&here) {
            file.path = short.to_owned();
        }
    }
}

fn is_inside(at: Span, place: &Span) -> bool {
    place.file == at.file && place.start <= at.start && at.end <= place.end
}

impl Checked<'_> {
    /// Whether an error prevents running the package.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.level == Level::Error)
    }

    /// The mistakes as events.
    pub fn diagnostic_events(&self, color: bool) -> Vec<DiagnosticEvent> {
        let event = |diagnostic: &Diagnostic| self.diagnostic_event(diagnostic, color);
        in_order(&self.diagnostics).into_iter().map(event).collect()
    }

    /// Drops the mistakes in the entries of functions that the filter leaves out; returns their number.
    pub fn keep_to(&mut self, filter: &Filter) -> usize {
        let left_out = self.manifest.places.iter().filter(|(key, _)| !filter.admits(key));
        let left_out: Vec<Span> = left_out.flat_map(|(_, places)| places).copied().collect();
        let n_all = self.diagnostics.len();
        // That there is no library concerns them all, whichever entry it is told at.
        let no_library = self.package.library.as_ref().err();
        let no_library = no_library.map(|why| without_library(why, self.package, &self.manifest));
        self.diagnostics.retain(|mistake| {
            no_library.as_ref() == Some(mistake)
                || !left_out.iter().any(|place| is_inside(mistake.span, place))
        });
        n_all - self.diagnostics.len()
    }

    /// Drops the functions in whose entries mistakes are; returns their keys, and those of the functions that use a named
    /// type or measure with a mistake: they have no subject. `None` if a mistake is elsewhere, or a view uses one with a
    /// mistake, so that it may concern any function.
    pub fn without_mistaken(&mut self) -> Option<Vec<String>> {
        let (mut mistaken, mut names) = (BTreeSet::new(), BTreeSet::new());
        for mistake in self.diagnostics.iter().filter(|mistake| mistake.level == Level::Error) {
            let mut entries = self.manifest.places.iter();
            let is_here = |place: &Span| is_inside(mistake.span, place);
            if let Some((key, _)) = entries.find(|(_, places)| places.iter().any(is_here)) {
                mistaken.insert(key.clone());
                continue;
            }
            let mut named = uses::named(&self.manifest);
            let (head, _) = named.find(|(head, body)| is_here(&head.whole()) || is_here(&body.whole()))?;
            names.insert(uses::name(head).to_owned());
        }
        if uses::has_view(&self.manifest, names) {
            return None;
        }
        self.subjects.retain(|subject| !mistaken.contains(&subject.spec.name));
        if !self.has_errors() {
            return Some(Vec::new());
        }
        let keys = self.manifest.functions.iter().map(|entry| &entry.key.text);
        let is_left = |key: &&String| self.subjects.iter().any(|subject| subject.spec.name == **key);
        mistaken.extend(keys.filter(|key| !is_left(key)).cloned());
        Some(mistaken.into_iter().collect())
    }

    /// A mistake as an event.
    pub fn diagnostic_event(&self, diagnostic: &Diagnostic, color: bool) -> DiagnosticEvent {
        let (line, column) = self.sources.line_column(diagnostic.span);
        let file = self.sources.file(diagnostic.span.file);
        DiagnosticEvent {
            level: match diagnostic.level {
                Level::Error => "error",
                Level::Warning => "warning",
            }
            .into(),
            message: diagnostic.message.clone(),
            file: file.map_or_else(String::new, |file| file.path.display().to_string()),
            line,
            column,
            help: diagnostic.help.clone(),
            rendered: render(std::slice::from_ref(diagnostic), &self.sources, color),
        }
    }

    /// The manifest's entry for a subject.
    pub fn entry(&self, subject: &Subject) -> Option<&FunctionEntry> {
        self.manifest.functions.iter().find(|entry| entry.key.text == subject.spec.name)
    }

    /// The types in the manifest without parameters, including views of data, by name.
    pub fn type_names(&self) -> impl Iterator<Item = &str> {
        let all = self.manifest.types.iter().chain(&self.manifest.data).chain(&self.manifest.grammars);
        let names = all.map(|(declared, _)| declared.text.trim());
        names.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
    }

    /// Adds types as functions of one parameter that do nothing; their keys are the types' names.
    pub fn add_types(&mut self, is_wanted: &dyn Fn(&str) -> bool) {
        let is_function = |name: &str| self.manifest.functions.iter().any(|entry| entry.key.text == name);
        let names: BTreeSet<&str> = self.type_names().chain(library::names()).collect();
        let wanted = names.into_iter().filter(|name| is_wanted(name) && !is_function(name));
        let wanted: Vec<String> = wanted.map(str::to_owned).collect();
        let entries = wanted.iter().map(|name| {
            let text = format!("fn(v: {name})");
            let file = self.sources.add(Path::new("the type"), text.clone());
            FunctionEntry {
                key: SpannedText::verbatim(name.as_str(), file, "fn(v: ".len() as u32),
                spec: SpannedText::verbatim(text, file, 0),
                call: Some(SpannedText::verbatim("|_v| ()", file, 0)),
                examples: Vec::new(),
                explore: None,
                different: None,
                settings: PartialSettings::default(),
            }
        });
        let manifest = Manifest { functions: entries.collect(), ..self.manifest.clone() };
        let (subjects, mistakes) = resolve(&manifest, &self.catalog, &PartialSettings::default());
        self.subjects.extend(subjects);
        self.diagnostics.extend(
            mistakes
                .into_iter()
                .filter(|mistake| {
                    !self
                        .diagnostics
                        .iter()
                        .any(|known| (known.span, &known.message) == (mistake.span, &mistake.message))
                })
                .collect::<Vec<_>>(),
        );
    }

    /// The subjects from the table of functions, without added types.
    pub fn functions(&self) -> impl Iterator<Item = &Subject> {
        self.subjects.iter().filter(|subject| self.entry(subject).is_some())
    }

    /// A subject's spec as the user wrote it.
    pub fn spec_text(&self, subject: &Subject) -> String {
        if let Some(entry) = self.entry(subject) {
            return entry.spec.text.trim().to_owned();
        }
        let name = &subject.spec.name;
        let mut types = self.manifest.types.iter().chain(&self.manifest.data);
        let found = types.find(|(declared, _)| declared.text.trim() == name);
        found.map(|(_, body)| format!("{name} = {}", body.text.trim())).unwrap_or_default()
    }

    /// The position of a subject's key.
    pub fn location(&self, subject: &Subject) -> String {
        describe::location(&self.sources, subject.key_span)
    }
}
