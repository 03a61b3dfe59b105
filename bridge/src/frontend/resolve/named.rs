//! Turns named types without parameters into subjects: functions that take a value and do nothing.
//!
//! `Score = "Rng(100)"` means `fn(value: Score)`, called as `|_| ()`. If a type can't be a parameter, such as a type of
//! the logic, its diagnostic says why.

use std::path::Path;

use crate::frontend::catalog::Catalog;
use crate::frontend::diagnostic::{Level, Sources};
use crate::frontend::manifest::{FunctionEntry, Manifest, PartialSettings, SpannedText};
use crate::frontend::resolve::resolve;
use crate::frontend::subject::Subject;

/// A type of the tables.
#[derive(Debug)]
pub struct NamedType {
    /// Its name.
    pub name: String,
    /// The type, as written.
    pub text: String,
    /// A subject of one parameter of this type, or why there is none.
    pub subject: Result<Subject, String>,
}

/// The types, views and rules without parameters, in the order of the tables.
pub fn named_types(
    manifest: &Manifest,
    catalog: &Catalog,
    overrides: &PartialSettings,
    sources: &Sources,
) -> Vec<NamedType> {
    let mut sources = sources.clone();
    let heads = manifest.types.iter().chain(&manifest.data).chain(&manifest.grammars);
    let plain = heads.filter(|(head, _)| !head.text.contains(['<', '(']));
    plain
        .map(|(head, text)| {
            let name = head.text.trim().to_owned();
            let subject = alone(&name, manifest, catalog, overrides, &mut sources);
            NamedType { subject, text: text.text.clone(), name }
        })
        .collect()
}

/// Resolves one type alone, so that its mistakes aren't reported for another type.
fn alone(
    name: &str,
    manifest: &Manifest,
    catalog: &Catalog,
    overrides: &PartialSettings,
    sources: &mut Sources,
) -> Result<Subject, String> {
    let mut text = |text: String| {
        let file = sources.add(Path::new("types"), text.clone());
        SpannedText::verbatim(text, file, 0)
    };
    let entry = FunctionEntry {
        key: text(name.to_owned()),
        spec: text(format!("fn(value: {name})")),
        call: Some(text("|_| ()".to_owned())),
        examples: Vec::new(),
        explore: None,
        different: None,
        settings: PartialSettings::default(),
    };
    let manifest = Manifest { functions: vec![entry], ..manifest.clone() };
    let (mut subjects, diagnostics) = resolve(&manifest, catalog, overrides);
    let mistake = diagnostics.into_iter().find(|diagnostic| diagnostic.level == Level::Error);
    let message = mistake.map_or("it can't be made".to_owned(), |mistake| mistake.message);
    subjects.pop().ok_or(message)
}
