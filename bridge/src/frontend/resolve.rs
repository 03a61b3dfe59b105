//! Turns the texts of the manifest and a catalog of the user's source into subjects.
//!
//! `rescale = "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)"` is parsed, `rescale` is looked up in the catalog, each
//! type is compared with the declared type ([`types`]), aliases are expanded, and conditions become clauses
//! ([`mod@crate::frontend::elaborate`]). All mistakes of all entries are reported at once, including those of unused
//! aliases.

mod absorb;
mod asked;
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
mod reach;
mod termination;
mod types;
mod returned;
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
use crate::frontend::manifest::{FunctionEntry, Manifest, PartialSettings, SpannedText};
use crate::frontend::subject::Subject;

/// The subjects of a manifest in the order of their entries, and its mistakes. Entries with a mistake give no subject.
/// `overrides` take precedence over the manifest.
pub fn resolve(
    manifest: &Manifest,
    catalog: &Catalog,
    overrides: &PartialSettings,
) -> (Vec<Subject>, Vec<Diagnostic>) {
    CheckedTables::read(manifest, catalog).subjects(&manifest.functions, catalog, overrides)
}

/// The tables of a manifest without its functions, read and checked once, for functions that are resolved one at a time.
#[derive(Clone, Debug)]
pub struct CheckedTables {
    declarations: Declarations,
    different: Vec<(SpannedText, SpannedText)>,
    settings: PartialSettings,
    mistakes: Vec<Diagnostic>,
}

impl CheckedTables {
    /// Reads and checks the tables.
    pub fn read(manifest: &Manifest, catalog: &Catalog) -> CheckedTables {
        let mut mistakes = Vec::new();
        let mut declarations = Declarations::read(manifest, &mut mistakes);
        manifest.members.iter().for_each(|member| members::adopt(&mut declarations, member));
        check::declarations(&mut declarations, catalog, &mut mistakes);
        let (different, settings) = (manifest.different.clone(), manifest.settings.clone());
        CheckedTables { declarations, different, settings, mistakes }
    }

    /// The subjects of these entries, and the mistakes in them and in the tables. `catalog` must be the one that the tables
    /// were read with.
    pub fn subjects(
        self,
        entries: &[FunctionEntry],
        catalog: &Catalog,
        overrides: &PartialSettings,
    ) -> (Vec<Subject>, Vec<Diagnostic>) {
        let CheckedTables { mut declarations, different, settings, mistakes: mut diagnostics } = self;
        entries.iter().for_each(|entry| declarations.texts.add_function(entry));
        let (declarations, different, settings) = (&declarations, &different, &settings);
        let common = entry::Common { catalog, declarations, different, settings, overrides };
        let subjects =
            entries.iter().filter_map(|entry| entry::subject(entry, &common, &mut diagnostics)).collect();
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
        // A mistake in a generic alias is found again at each use.
        diagnostics.retain(|diagnostic| !diagnostic.follows);
        let mut seen = BTreeSet::new();
        diagnostics.retain(|diagnostic| seen.insert((diagnostic.span, diagnostic.message.clone())));
        (subjects, diagnostics)
    }
}
