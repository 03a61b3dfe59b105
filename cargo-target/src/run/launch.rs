//! From a checked package to a process: builds its harness and launches one of its functions.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;
use target_bridge::codegen;
use target_bridge::frontend::subject::Subject;
use target_strategies::space::{Bounds, Space};

use crate::options::config;
use crate::run::checked::Checked;
use crate::run::embedded::{self, Broken};
use crate::run::harness::{self, Build, BuildError};
use crate::run::mirror;
use crate::run::worker::{Launch, Program};

/// The space of a function's spec.
pub fn space(subject: &Subject) -> Space {
    let bounds = Bounds { depth: subject.settings.depth, bound: subject.settings.bound };
    Space::new(Arc::new(subject.spec.clone()), bounds).with_literals(subject.literals.clone().into())
}

/// A harness that is built.
pub struct Built {
    /// The program.
    pub program: Program,
    /// The functions that it can't run.
    pub broken: Broken,
}

/// Builds the harness for the functions of a package, in the order of the manifest. A function whose Rust code in the
/// manifest doesn't compile costs itself only.
pub fn build(how: Build, package: &Checked) -> Result<Built, BuildError> {
    let subjects: Vec<&Subject> = package.functions().collect();
    let openings: BTreeSet<_> = subjects.iter().flat_map(|subject| &subject.openings).collect();
    let mirror = if openings.is_empty() {
        None
    } else {
        Some(mirror::update(how.project, package.package, &openings)?)
    };
    let mut broken = Broken::new();
    loop {
        let compiled = embedded::subjects(&subjects, &broken);
        let compiled: Vec<&Subject> = compiled.iter().map(AsRef::as_ref).collect();
        let source = codegen::harness::source(&package.catalog.crate_name, &compiled, how.counts);
        match harness::build(how, package.package, &source, mirror.as_ref()) {
            Ok(program) => {
                let root = package.package.root();
                let program = Program::new(program, root)
                    .with_variable("CARGO_MANIFEST_DIR", root.display().to_string());
                return Ok(Built { program, broken });
            }
            // rustc checks in steps: without these errors it may find others.
            Err(BuildError::Failed(failure))
                if embedded::add(&mut broken, &failure.errors, &source, &subjects, &package.sources) => {}
            Err(error) => return Err(error),
        }
    }
}

/// The data to start the harness for a function, given its number there.
pub fn launch(program: &Arc<Program>, number: u32, subject: &Subject) -> Launch {
    Launch {
        program: Arc::clone(program),
        function: number,
        space: space(subject),
        memory: subject.settings.memory,
        timeout: subject.settings.timeout,
        judge_all: config::judge_all(),
        watch: None,
    }
}
