//! Turns a `Cargo.toml` and the files it includes into one [`Manifest`], and collects all mistakes.

use std::path::Path;
use std::{fmt, io};

use toml::de::{DeTable, DeValue};

use super::content::Manifest;
use super::document::{Document, entries, shown};
use super::spanned::SpannedText;
use super::tables::{TableLocation, Tables};
use crate::frontend::diagnostic::{Diagnostic, FileId, Sources, Span, did_you_mean};

/// Reads a file; tests provide texts from memory. An error that wraps [`Outside`] means that the file is outside the
/// workspace, and reading it was not allowed.
type ReadFile<'r> = &'r dyn Fn(&Path) -> io::Result<String>;

/// Why a file is not read: it is outside of the workspace.
#[derive(Clone, Copy, Debug)]
pub struct Outside {
    /// The option that allows it.
    pub option: &'static str,
}

impl fmt::Display for Outside {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "it is outside of the workspace, and `{}` is not given", self.option)
    }
}

impl std::error::Error for Outside {}

/// Reads `[package.metadata.target]` of the manifest at `path`, and the files it includes.
pub fn read(sources: &mut Sources, path: &Path, read_file: ReadFile<'_>) -> (Manifest, Vec<Diagnostic>) {
    read_under("package", TableLocation::Package, sources, path, read_file)
}

/// Reads `[workspace.metadata.target]` of the manifest at `path`, and the files it includes: defaults for all members,
/// applied to each member with [`Manifest::over`].
pub fn read_workspace(
    sources: &mut Sources,
    path: &Path,
    read_file: ReadFile<'_>,
) -> (Manifest, Vec<Diagnostic>) {
    read_under("workspace", TableLocation::Workspace, sources, path, read_file)
}

fn read_under(
    owner: &str,
    location: TableLocation,
    sources: &mut Sources,
    path: &Path,
    read_file: ReadFile<'_>,
) -> (Manifest, Vec<Diagnostic>) {
    let mut tables = Tables::default();
    let text = match read_file(path) {
        Ok(text) => text,
        Err(error) => {
            let file = sources.add(path, String::new());
            let span = Span { file, start: 0, end: 0 };
            let message = format!("can't read {}: {error}", path.display());
            return (tables.manifest, vec![Diagnostic::error(span, message)]);
        }
    };
    let document = Document { file: sources.add(path, text.clone()), text: &text };
    match document.parse() {
        Ok(root) => {
            if let Some(table) = descend(&document, &root, owner, &mut tables.diagnostics) {
                tables.read(&document, table, location, sources);
            }
        }
        Err(diagnostic) => tables.diagnostics.push(diagnostic),
    }
    let mut seen = vec![document.file];
    for include in std::mem::take(&mut tables.includes) {
        read_include(&mut tables, &include, &mut seen, sources, path, read_file);
    }
    (tables.manifest, tables.diagnostics)
}

/// Whether a manifest has no `[package.metadata.target]`, but a table that is probably meant to be it.
pub fn has_misnamed_table(text: &str) -> bool {
    let document = Document { file: FileId(0), text };
    let mut diagnostics = Vec::new();
    document.parse().is_ok_and(|root| {
        descend(&document, &root, "package", &mut diagnostics).is_none() && !diagnostics.is_empty()
    })
}

/// The table `[OWNER.metadata.target]`, if there is one.
fn descend<'d, 't>(
    document: &Document<'t>,
    root: &'d DeTable<'t>,
    owner: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<&'d DeTable<'t>> {
    let table = |name: &str| root.get(name)?.get_ref().as_table();
    if let Some(metadata) = table("metadata")
        && let Some((key, _)) = entries(metadata).into_iter().find(|(key, _)| key.get_ref() == "target")
        && owner == "package"
    {
        let message = "the table `metadata.target` is not looked at";
        let help = "write `package.metadata.target`";
        diagnostics.push(Diagnostic::warning(document.key(key).whole(), message).help(help));
    }
    let metadata = table(owner)?.get("metadata")?.get_ref().as_table()?;
    let Some(value) = metadata.get("target") else {
        for (key, _) in entries(metadata) {
            if did_you_mean(key.get_ref(), ["target"]).is_some() {
                let name = shown(key.get_ref());
                let message = format!("the table `{owner}.metadata.{name}` is not looked at");
                let help = format!("did you mean `{owner}.metadata.target`?");
                diagnostics.push(Diagnostic::warning(document.key(key).whole(), message).help(help));
            }
        }
        return None;
    };
    let DeValue::Table(table) = value.get_ref() else {
        diagnostics.push(document.wrong_kind(value, "`target` must be a table"));
        return None;
    };
    Some(table)
}

fn read_include(
    tables: &mut Tables,
    include: &SpannedText,
    seen: &mut Vec<FileId>,
    sources: &mut Sources,
    manifest: &Path,
    read_file: ReadFile<'_>,
) {
    let path = manifest.parent().unwrap_or(Path::new("")).join(&include.text);
    let text = match read_file(&path) {
        Ok(text) => text,
        Err(error) => {
            let outside = error.get_ref().and_then(|reason| reason.downcast_ref::<Outside>());
            if let Some(Outside { option }) = outside {
                let message = format!("`{}` is outside of the workspace", shown(&include.text));
                let help = format!("`{option}` allows files from there");
                tables.diagnostics.push(Diagnostic::error(include.whole(), message).help(help));
                return;
            }
            let message = format!("can't read `{}`: {error}", shown(&include.text));
            let help = "paths in `include` are relative to the manifest's folder";
            tables.diagnostics.push(Diagnostic::error(include.whole(), message).help(help));
            return;
        }
    };
    let document = Document { file: sources.add(&path, text.clone()), text: &text };
    if seen.contains(&document.file) {
        let message = format!("`{}` is included twice", shown(&include.text));
        tables.diagnostics.push(Diagnostic::error(include.whole(), message));
        return;
    }
    seen.push(document.file);
    match document.parse() {
        Ok(root) => tables.read(&document, &root, TableLocation::Included, sources),
        // A file that isn't TOML may be secret: nothing of it is quoted.
        Err(mistake) => {
            let (line, column) = sources.line_column(mistake.span);
            let name = shown(&include.text);
            let message = format!("`{name}` is not TOML: line {line}, column {column}: {}", mistake.message);
            tables.diagnostics.push(Diagnostic { message, span: include.whole(), ..mistake });
        }
    }
}
