//! Compiles specs before they are written: only rustc knows whether the bounds of generic code hold. The harness serves
//! the next run, too.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use anyhow::Result;

use super::trial::Trial;
use crate::options::config::CargoConfig;
use crate::run::asked::Asked;
use crate::run::harness::{Build, BuildError};
use crate::run::launch::build;
use crate::run::planning::Interrupted;
use crate::run::project::{Package, Project};
use crate::system::console::Verbosity;
use crate::system::exit_code;
use crate::system::printable::plain;

/// What a build needs.
#[derive(Clone, Copy)]
pub struct Compiler<'c> {
    /// The user's options.
    pub config: &'c CargoConfig,
    /// The project, which names the folders.
    pub project: &'c Project,
    /// The package.
    pub package: &'c Package,
    /// Set by Ctrl-C.
    pub interrupted: &'c Interrupted,
}

impl Compiler<'_> {
    /// The functions whose specs rustc rejects, and its message for each. None if the crate itself doesn't build; then a
    /// note says so.
    pub fn rejected(&self, trial: &Trial, specs: &[(&str, &str)]) -> Result<BTreeMap<String, String>> {
        let Compiler { config, project, package, interrupted } = *self;
        if specs.is_empty() {
            return Ok(BTreeMap::new());
        }
        let checked = trial.package(package, specs.iter().copied());
        let how = Build { config, profile: None, project, counts: false, lines: false, interrupted };
        match build(how, &checked, Asked::All) {
            Ok(built) => {
                let reason = |(number, mistakes): (&u32, &Vec<_>)| {
                    let key = checked.functions().nth(*number as usize)?.spec.name.clone();
                    Some((key, mistakes.first().map(reason).unwrap_or_default()))
                };
                Ok(built.broken.iter().filter_map(reason).collect())
            }
            Err(BuildError::Tool(error)) => Err(error),
            // Ctrl-C also ends the compilers.
            Err(BuildError::Failed(_)) if interrupted.load(Ordering::Relaxed) => {
                Err(exit_code::interrupted("interrupted, so nothing was written"))
            }
            Err(BuildError::Failed(failure)) => {
                if config.verbosity > Verbosity::Quiet {
                    let output = plain(&failure.output);
                    errln!("{output}note: {}, so the specs were not compiled", failure.message);
                }
                Ok(BTreeMap::new())
            }
        }
    }
}

/// Why a function has no spec, from rustc's message about it.
fn reason(mistake: &target_bridge::frontend::diagnostic::Diagnostic) -> String {
    let message = plain(&mistake.message).trim().to_owned();
    format!("rustc says: {message}; a `call` with a closure can choose other types")
}
