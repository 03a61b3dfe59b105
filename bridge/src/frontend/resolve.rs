//! Turns the texts of the manifest and a catalog of the user's source into subjects.
//!
//! `rescale = "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)"` is parsed, `rescale` is looked up in the catalog, each
//! type is compared with the declared type ([`types`]), aliases are expanded, and conditions become clauses
//! ([`mod@crate::frontend::elaborate`]). All mistakes of all entries are reported at once, including those of unused
//! aliases.

mod callee;
mod check;
mod clauses;
mod closure;
mod find;
mod mentioned;
mod decrease;
mod describe;
mod different;
mod entry;
mod inhabited;
mod measure;
mod members;
mod named;
mod names;
mod termination;
mod types;
mod unguarded;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeSet;

pub use self::closure::type_of_text;
pub use self::describe::{describe, describe_parsed};
pub use self::entry::unknown_parameter;
pub use self::named::{NamedType, named_types};
use crate::frontend::catalog::Catalog;
use crate::frontend::declarations::Declarations;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::manifest::{Manifest, PartialSettings};
use crate::frontend::subject::Subject;

/// The subjects of a manifest in the order of their entries, and its mistakes. Entries with a mistake give no subject.
/// `overrides` take precedence over the manifest.
pub fn resolve(
    manifest: &Manifest,
    catalog: &Catalog,
    overrides: &PartialSettings,
) -> (Vec<Subject>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut declarations = Declarations::read(manifest, &mut diagnostics);
    manifest.members.iter().for_each(|member| members::adopt(&mut declarations, member));
    check::declarations(&mut declarations, catalog, &mut diagnostics);
    let common = entry::Common {
        catalog,
        declarations: &declarations,
        settings: &manifest.settings,
        overrides,
        different: &manifest.different,
    };
    let subjects = manifest
        .functions
        .iter()
        .filter_map(|entry| entry::subject(entry, &common, &mut diagnostics))
        .collect();
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
    // A mistake in a generic alias is found again at each use.
    diagnostics.retain(|diagnostic| !diagnostic.follows);
    let mut seen = BTreeSet::new();
    diagnostics.retain(|diagnostic| seen.insert((diagnostic.span, diagnostic.message.clone())));
    (subjects, diagnostics)
}
