//! Joins what is written in the manifest with what stands in the user's source: from texts and a catalog to subjects.
//!
//! `rescale = "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)"` is parsed, `rescale` found in the catalog, each type walked
//! beside the declared one ([`types`]), aliases expanded, conditions elaborated to clauses ([`mod@crate::elaborate`]).
//! All mistakes of all entries are reported at once, those of aliases that no function uses included.

mod alias;
mod callee;
mod check;
mod clauses;
mod closure;
mod mentioned;
pub mod data;
mod describe;
mod declared_type;
mod entry;
mod names;
mod texts;
mod types;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeSet;

pub use self::describe::{describe, describe_parsed};
use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Level};
use crate::manifest::{Manifest, PartialSettings};
use crate::subject::Subject;

/// The subjects of a manifest in the order of their entries, and what is wrong with it. Entries with a mistake give no
/// subject. `overrides` holds whatever the manifest says.
pub fn resolve(
    manifest: &Manifest,
    catalog: &Catalog,
    overrides: &PartialSettings,
) -> (Vec<Subject>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let not_yet = [(&manifest.data, "views of data types"), (&manifest.measures, "measures")];
    for (entries, what) in not_yet {
        for (head, _) in entries {
            diagnostics.push(Diagnostic::error(head.whole(), format!("{what} are not supported yet")));
        }
    }
    let texts = texts::Texts::of(manifest);
    let name = |head: &str| head.split(['(', '<']).next().unwrap_or_default().trim().to_owned();
    let measures: Vec<String> = manifest.measures.iter().map(|(head, _)| name(&head.text)).collect();
    let mut aliases = alias::Aliases::read(&manifest.types, &mut diagnostics);
    let views = manifest.data.iter().map(|(head, _)| name(&head.text));
    aliases.broken.extend(views.filter(|view| !aliases.sound.contains_key(view)).collect::<Vec<_>>());
    let mut mistaken = Vec::new();
    for (name, alias) in &aliases.sound {
        let found = check::alias(alias, &aliases, catalog, &texts, &measures);
        if found.iter().any(|diagnostic| diagnostic.level == Level::Error) {
            mistaken.push(name.clone());
        }
        diagnostics.extend(found);
    }
    for name in mistaken {
        aliases.sound.remove(&name);
        aliases.broken.insert(name);
    }
    let common = entry::Common {
        catalog,
        aliases: &aliases,
        texts: &texts,
        measures,
        settings: &manifest.settings,
        overrides,
    };
    let subjects = manifest
        .functions
        .iter()
        .filter_map(|entry| entry::subject(entry, &common, &mut diagnostics))
        .collect();
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
    // A generic alias's mistake is found anew at every use.
    let mut seen = BTreeSet::new();
    diagnostics.retain(|diagnostic| seen.insert((diagnostic.span, diagnostic.message.clone())));
    (subjects, diagnostics)
}

/// What was parsed, if it was; otherwise the mistakes are passed on.
fn noted<T>(parsed: Result<T, Vec<Diagnostic>>, diagnostics: &mut Vec<Diagnostic>) -> Option<T> {
    parsed.map_err(|mistakes| diagnostics.extend(mistakes)).ok()
}
