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
mod decrease;
pub mod declarations;
mod describe;
mod declared_type;
mod entry;
pub mod measure;
mod named;
mod names;
mod termination;
mod texts;
mod types;
#[cfg(test)]
mod tests;
mod view;
mod words;

use std::collections::BTreeSet;

pub use self::describe::{describe, describe_parsed};
pub use self::named::{NamedType, named_types};
use crate::catalog::Catalog;
use crate::diagnostic::Diagnostic;
use crate::manifest::{Manifest, PartialSettings};
use crate::resolve::declarations::Declarations;
use crate::subject::Subject;

/// A use of something whose own mistake has been reported; diagnostics with this message are dropped.
pub(crate) const REPORTED: &str = "its declaration has a mistake";

/// The subjects of a manifest in the order of their entries, and what is wrong with it. Entries with a mistake give no
/// subject. `overrides` holds whatever the manifest says.
pub fn resolve(
    manifest: &Manifest,
    catalog: &Catalog,
    overrides: &PartialSettings,
) -> (Vec<Subject>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut declarations = Declarations::read(manifest, &mut diagnostics);
    check::declarations(&mut declarations, catalog, &mut diagnostics);
    let common =
        entry::Common { catalog, declarations: &declarations, settings: &manifest.settings, overrides };
    let subjects = manifest
        .functions
        .iter()
        .filter_map(|entry| entry::subject(entry, &common, &mut diagnostics))
        .collect();
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
    // A generic alias's mistake is found anew at every use.
    diagnostics.retain(|diagnostic| diagnostic.message != REPORTED);
    let mut seen = BTreeSet::new();
    diagnostics.retain(|diagnostic| seen.insert((diagnostic.span, diagnostic.message.clone())));
    (subjects, diagnostics)
}

/// What was parsed, if it was; otherwise the mistakes are passed on.
fn noted<T>(parsed: Result<T, Vec<Diagnostic>>, diagnostics: &mut Vec<Diagnostic>) -> Option<T> {
    parsed.map_err(|mistakes| diagnostics.extend(mistakes)).ok()
}
