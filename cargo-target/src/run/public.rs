//! The public functions of a package, checked like specs: the tables that the tool writes for them are resolved as a
//! user's are.

use anyhow::Result;
use target_bridge::frontend::api::{self, Call, Unreached};
use target_bridge::frontend::catalog::{self, Cfg};
use target_bridge::frontend::diagnostic::{Diagnostic, Level, Sources};
use target_bridge::frontend::manifest::PartialSettings;
use target_bridge::frontend::resolve::resolve;
use target_bridge::frontend::subject::Subject;
use target_strategies::logic::ir::States;
use target_strategies::logic::value::Value;

use crate::run::checked::{Checked, Further};
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
    /// Number of further instances of functions that are left out.
    pub n_left_out: usize,
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
    let api::Api { mut manifest, calls, mut unreached, states, n_public, n_left_out } =
        api::discover(&catalog, &dependencies, &mut sources);
    let (subjects, diagnostics) = resolve(&manifest, &catalog, overrides);
    // A client can't open what is private.
    let mut subjects: Vec<Subject> = subjects
        .into_iter()
        .map(|subject| Subject { openings: Vec::new(), ..with_states(subject, &states) })
        .collect();
    let is_there = |key: &str| subjects.iter().any(|subject| subject.spec.name == key);
    for entry in manifest.functions.iter().filter(|entry| !is_there(&entry.key.text)) {
        let own =
            |found: &&Diagnostic| found.level == Level::Error && found.span.file == entry.spec.whole().file;
        let why = diagnostics
            .iter()
            .find(own)
            .or_else(|| diagnostics.iter().find(|found| found.level == Level::Error));
        let why = why.map_or_else(|| "its types can't be made".to_owned(), |found| found.message.clone());
        let function = entry.key.text.clone();
        let further_of =
            calls.iter().find(|call| call.key == function).and_then(|call| call.further_of.clone());
        unreached.push(Unreached { function, further_of, why });
    }
    manifest.functions.retain(|entry| is_there(&entry.key.text));
    let call = |subject: &Subject| calls.iter().find(|call| call.key == subject.spec.name).cloned();
    let calls: Vec<Call> = subjects.iter().filter_map(call).collect();
    for (subject, _) in subjects.iter_mut().zip(&calls).filter(|(_, call)| call.is_at_float()) {
        subject.literals.insert(0, Value::Float(f64::NAN));
    }
    let (diagnostics, unread) = (Vec::new(), problems);
    let further = further(&calls);
    let checked = Checked { package, sources, manifest, catalog, subjects, further, diagnostics, unread };
    Ok(Public { checked, calls, unreached, n_public, n_left_out })
}

/// The further instances of functions. Those that cost least are given up first: what a crate asserts at compile time is
/// mostly that a number is not 0, or that a type has a size.
fn further(calls: &[Call]) -> Further {
    let numbers = |is_in: &dyn Fn(&Call) -> bool| -> Vec<u32> {
        (0..).zip(calls).filter(|(_, call)| is_in(call)).map(|(number, _)| number).collect()
    };
    let mut together = vec![
        numbers(&Call::is_at_zero),
        numbers(&Call::is_at_unit),
        numbers(&|call| call.is_at_zero() || call.is_at_unit()),
    ];
    together.retain(|set| !set.is_empty());
    together.dedup();
    Further { all: numbers(&|call| call.further_of.is_some()), together }
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
