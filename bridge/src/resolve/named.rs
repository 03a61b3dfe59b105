//! Named types without parameters as subjects: functions that take a value and do nothing.
//!
//! `Score = "Rng(100)"` stands for `fn(value: Score)`, called as `|_| ()`. What can't stand alone, such as a type
//! of the logic, is told in the words of its diagnostic.

use std::path::Path;

use crate::catalog::Catalog;
use crate::diagnostic::{Level, Sources};
use crate::manifest::{FunctionEntry, Manifest, PartialSettings, SpannedText};
use crate::resolve::resolve;
use crate::subject::Subject;

/// A type of the tables.
#[derive(Debug)]
pub struct NamedType {
    /// Its name.
    pub name: String,
    /// What it is, as written.
    pub text: String,
    /// A subject of one parameter of this type, or why there is none.
    pub subject: Result<Subject, String>,
}

/// The types and views without parameters, in the order of the tables.
pub fn named_types(
    manifest: &Manifest,
    catalog: &Catalog,
    overrides: &PartialSettings,
    sources: &Sources,
) -> Vec<NamedType> {
    let mut sources = sources.clone();
    let heads = manifest.types.iter().chain(&manifest.data);
    let plain = heads.filter(|(head, _)| !head.text.contains(['<', '(']));
    plain
        .map(|(head, text)| {
            let name = head.text.trim().to_owned();
            let subject = alone(&name, manifest, catalog, overrides, &mut sources);
            NamedType { subject, text: text.text.clone(), name }
        })
        .collect()
}

/// By itself: the mistakes of one must not be taken for another's.
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
        settings: PartialSettings::default(),
    };
    let manifest = Manifest { functions: vec![entry], ..manifest.clone() };
    let (mut subjects, diagnostics) = resolve(&manifest, catalog, overrides);
    let mistake = diagnostics.into_iter().find(|diagnostic| diagnostic.level == Level::Error);
    let message = mistake.map_or("it can't be made".to_owned(), |mistake| mistake.message);
    subjects.pop().ok_or(message)
}
