//! The public functions of a package, checked like specs: the tables that the tool writes for them are resolved as a
//! user's are.

use anyhow::Result;
use target_bridge::frontend::api::{self, Call};
use target_bridge::frontend::catalog::{self, Cfg};
use target_bridge::frontend::diagnostic::{Diagnostic, Level, Sources};
use target_bridge::frontend::manifest::PartialSettings;
use target_bridge::frontend::resolve::resolve;
use target_bridge::frontend::subject::Subject;
use target_strategies::logic::ir::States;

use crate::events::Unreached;
use crate::run::checked::Checked;
use crate::run::project::{Package, Project, linked, rustc_cfg};

/// The public functions of one package.
pub struct Public<'p> {
    /// The package with the functions that can be run.
    pub checked: Checked<'p>,
    /// What each of its subjects calls.
    pub calls: Vec<Call>,
    /// The functions that can't be run.
    pub unreached: Vec<Unreached>,
    /// Number of public functions.
    pub n_public: usize,
}

/// The public functions of the packages.
pub fn public<'p>(project: &'p Project, overrides: &PartialSettings) -> Result<Vec<Public<'p>>> {
    // Among several packages, some may be programs.
    let with_library: Vec<&Package> =
        project.packages.iter().filter(|package| package.library.is_ok()).collect();
    if let ([], Some(first)) = (with_library.as_slice(), project.packages.first()) {
        first.library()?;
    }
    with_library.into_iter().map(|package| of_package(package, overrides)).collect()
}

fn of_package<'p>(package: &'p Package, overrides: &PartialSettings) -> Result<Public<'p>> {
    let library = package.library()?;
    let cfg = Cfg::parse(&rustc_cfg(package)?).with_features(&package.features);
    let (catalog, problems) = catalog::scan(&library.src_path, &library.crate_name, &cfg);
    let mut sources = Sources::default();
    let dependencies: Vec<String> =
        linked(&package.dependencies).map(|dependency| dependency.name.clone()).collect();
    let api::Api { mut manifest, calls, unreached, states, n_public } =
        api::discover(&catalog, &dependencies, &mut sources);
    let (subjects, diagnostics) = resolve(&manifest, &catalog, overrides);
    // A client can't open what is private.
    let subjects: Vec<Subject> = subjects
        .into_iter()
        .map(|subject| Subject { openings: Vec::new(), ..with_states(subject, &states) })
        .collect();
    let mut unreached: Vec<Unreached> =
        unreached.into_iter().map(|api::Unreached { function, why }| Unreached { function, why }).collect();
    let is_there = |key: &str| subjects.iter().any(|subject| subject.spec.name == key);
    for entry in manifest.functions.iter().filter(|entry| !is_there(&entry.key.text)) {
        let own =
            |found: &&Diagnostic| found.level == Level::Error && found.span.file == entry.spec.whole().file;
        let why = diagnostics
            .iter()
            .find(own)
            .or_else(|| diagnostics.iter().find(|found| found.level == Level::Error));
        let why = why.map_or_else(|| "its types can't be made".to_owned(), |found| found.message.clone());
        unreached.push(Unreached { function: entry.key.text.clone(), why });
    }
    manifest.functions.retain(|entry| is_there(&entry.key.text));
    let call = |subject: &Subject| calls.iter().find(|call| call.key == subject.spec.name).cloned();
    let calls = subjects.iter().filter_map(call).collect();
    let (diagnostics, unread) = (Vec::new(), problems);
    let checked = Checked { package, sources, manifest, catalog, subjects, diagnostics, unread };
    Ok(Public { checked, calls, unreached, n_public })
}

/// A subject that knows how the states of values of these types are told apart.
fn with_states(mut subject: Subject, states: &[(String, States)]) -> Subject {
    for data in &mut subject.spec.data {
        let of_type = states.iter().find(|(ty, _)| *ty == data.rust_type);
        if let (Some(via), Some((_, states))) = (&mut data.via, of_type) {
            via.states = Some(states.clone());
        }
    }
    subject
}
