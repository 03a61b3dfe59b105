//! The tables of a manifest as read: texts with their spans, which are not parsed yet.

use std::sync::Arc;

use super::settings::PartialSettings;
use super::spanned::SpannedText;
use crate::frontend::catalog::Catalog;
use crate::frontend::diagnostic::Span;

/// The content of the tables.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The options of the first table, without defaults.
    pub settings: PartialSettings,
    /// `[..types]`: heads and types.
    pub types: Vec<(SpannedText, SpannedText)>,
    /// The names of the types whose values must differ, and the relations.
    pub different: Vec<(SpannedText, SpannedText)>,
    /// `[..data]`, as written.
    pub data: Vec<(SpannedText, SpannedText)>,
    /// `[..measures]`, as written.
    pub measures: Vec<(SpannedText, SpannedText)>,
    /// `[..grammars]`: names of rules, and what they derive.
    pub grammars: Vec<(SpannedText, SpannedText)>,
    /// `[..functions]`.
    pub functions: Vec<FunctionEntry>,
    /// The texts of these entries, those with mistakes included, by key.
    pub places: Vec<(String, Vec<Span>)>,
    /// The tables of the workspace's members that the package depends on.
    pub members: Vec<MemberTables>,
}

/// The tables of a member, in its own names.
#[derive(Clone, Debug)]
pub struct MemberTables {
    /// The package's name for the member.
    pub name: String,
    /// Its tables.
    pub manifest: Manifest,
    /// Its source, for the names in the tables.
    pub catalog: Arc<Catalog>,
}

/// An entry of `[..functions]`, short or long.
#[derive(Clone, Debug)]
pub struct FunctionEntry {
    /// The key: a path, or a name if there is a `call`.
    pub key: SpannedText,
    /// The signature.
    pub spec: SpannedText,
    /// The closure to call instead of a function of the crate.
    pub call: Option<SpannedText>,
    /// Argument tuples to try first.
    pub examples: Vec<SpannedText>,
    /// A condition that narrows the enumerated space.
    pub explore: Option<SpannedText>,
    /// The relation that holds between every two inputs.
    pub different: Option<SpannedText>,
    /// Its own options.
    pub settings: PartialSettings,
}

impl Manifest {
    /// Lays this package's tables over the workspace's: options and aliases of the package take precedence.
    pub fn over(mut self, base: &Manifest) -> Manifest {
        self.settings = self.settings.over(&base.settings);
        for (own, inherited) in [
            (&mut self.types, &base.types),
            (&mut self.different, &base.different),
            (&mut self.data, &base.data),
            (&mut self.measures, &base.measures),
            (&mut self.grammars, &base.grammars),
        ] {
            let hidden: Vec<String> = own.iter().map(|(head, _)| head_name(&head.text).to_owned()).collect();
            let visible =
                inherited.iter().filter(|(head, _)| !hidden.iter().any(|name| name == head_name(&head.text)));
            own.extend(visible.cloned());
        }
        self
    }
}

/// The name in the head of an alias, a view, a measure or a rule: `Rng` for `Rng(n: int)`.
pub(super) fn head_name(head: &str) -> &str {
    head.split(['(', '<']).next().unwrap_or_default().trim()
}
