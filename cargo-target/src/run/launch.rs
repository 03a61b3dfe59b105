//! From a checked package to a process: builds its harness and launches one of its functions.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Result;
use target_bridge::codegen;
use target_bridge::frontend::diagnostic::Diagnostic;
use target_bridge::frontend::subject::Subject;
use target_strategies::space::{Bounds, Space};

use crate::options::config;
use crate::run::asked::Asked;
use crate::run::checked::{Checked, Further};
use crate::run::embedded::{self, Broken};
use crate::run::harness::{self, Build, BuildError, RustcError};
use crate::run::mirror::{self, Mirror};
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
    /// Those of them that were left out together, since some of them don't compile.
    pub together: BTreeSet<u32>,
}

/// Maximum number of further instances of functions that are found one by one to be what rustc rejects: each takes several
/// builds.
const MOST_CULPRITS: usize = 3;

/// Builds the harness for the functions of a package, which are numbered in the order of the manifest; it may have more
/// than those that are asked for. A function whose Rust code in the manifest doesn't compile costs itself only.
pub fn build(how: Build, package: &Checked, asked: Asked) -> Result<Built, BuildError> {
    let subjects: Vec<&Subject> = package.functions().collect();
    let openings: BTreeSet<_> = subjects.iter().flat_map(|subject| &subject.openings).collect();
    let mirror = if openings.is_empty() {
        None
    } else {
        Some(mirror::update(how.project, package.package, &openings)?)
    };
    let mut harness = Harness { how, package, mirror, subjects, asked };
    harness.choose();
    let (mut broken, mut together) = (Broken::new(), BTreeSet::new());
    let mut n_culprits = 0;
    loop {
        let (source, program) = harness.build(&broken);
        let failure = match program {
            Ok(program) => {
                let root = package.package.root();
                let program = Program::new(program, root)
                    .with_variable("CARGO_MANIFEST_DIR", root.display().to_string());
                return Ok(Built { program, broken, together });
            }
            Err(BuildError::Failed(failure)) => failure,
            Err(error) => return Err(error),
        };
        // rustc checks in steps: without these errors it may find others.
        if embedded::add(&mut broken, &failure.errors, &source, &harness.subjects, package) {
            continue;
        }
        // The user's library does not build, and cargo has said why.
        if failure.errors.is_empty() || how.interrupted.load(Ordering::Relaxed) {
            return Err(BuildError::Failed(failure));
        }
        let Further { all, together: sets } = &package.further;
        let all = Some(all).filter(|_| n_culprits >= MOST_CULPRITS);
        if let Some(all) = harness.without(sets.iter().chain(all), &broken, &failure.errors)? {
            together.extend(all.keys().filter(|_| all.len() > 1));
            broken.extend(all);
            continue;
        }
        let culprit =
            embedded::culprit((&harness.subjects, &harness.asked), &broken, |broken| harness.errors(broken))?;
        let Some((number, mistake)) = culprit else { return Err(BuildError::Failed(failure)) };
        n_culprits += usize::from(package.further.all.contains(&number));
        broken.insert(number, vec![mistake]);
    }
}

/// A package's harness before it is built.
struct Harness<'h> {
    how: Build<'h>,
    package: &'h Checked<'h>,
    mirror: Option<Mirror>,
    subjects: Vec<&'h Subject>,
    asked: Asked,
}

impl Harness<'_> {
    /// Its source without the code of the broken functions, and its program.
    fn build(&self, broken: &Broken) -> (String, Result<PathBuf, BuildError>) {
        let Harness { how, package, mirror, asked, .. } = self;
        let (all, own) = self.sources(broken);
        let program = harness::build(*how, package.package, asked.source(&all, &own), mirror.as_ref());
        (if *asked == Asked::All { all } else { own }, program)
    }

    /// Asks for all functions if a harness of a few is not worth its build.
    fn choose(&mut self) {
        let (all, own) = self.sources(&Broken::new());
        self.asked = std::mem::replace(&mut self.asked, Asked::All).or_all(&all, &own);
    }

    /// The sources of all functions and of those that are asked for, without the code of the broken functions.
    fn sources(&self, broken: &Broken) -> (String, String) {
        let compiled = embedded::subjects(&self.subjects, broken);
        let all: Vec<(u32, &Subject)> =
            compiled.iter().map(|(number, subject)| (*number, subject.as_ref())).collect();
        let own: Vec<_> = all.iter().copied().filter(|(number, _)| self.asked.has(*number)).collect();
        let source = |subjects: &[_]| {
            codegen::harness::source(&self.package.catalog.crate_name, subjects, self.how.counts)
        };
        let text = source(&all);
        let own = if own.len() == all.len() { text.clone() } else { source(&own) };
        (text, own)
    }

    /// The first of some sets of functions without which the harness builds, with rustc's message.
    fn without<'s>(
        &self,
        sets: impl Iterator<Item = &'s Vec<u32>>,
        broken: &Broken,
        errors: &[RustcError],
    ) -> Result<Option<Broken>, BuildError> {
        let message = errors.first().map(|error| error.message.clone()).unwrap_or_default();
        let mistake =
            |number: &u32| Diagnostic::error(self.subjects[*number as usize].key_span, message.clone());
        for together in sets {
            let intact = together.iter().filter(|number| !broken.contains_key(number));
            let all: Broken = intact.map(|number| (*number, vec![mistake(number)])).collect();
            let without = broken.clone().into_iter().chain(all.clone()).collect();
            if !all.is_empty() && self.errors(&without)?.is_empty() {
                return Ok(Some(all));
            }
        }
        Ok(None)
    }

    /// rustc's errors without the code of the broken functions.
    fn errors(&self, broken: &Broken) -> Result<Vec<RustcError>, BuildError> {
        match self.build(broken).1 {
            Ok(_) => Ok(Vec::new()),
            Err(BuildError::Failed(failure))
                if failure.errors.is_empty() || self.how.interrupted.load(Ordering::Relaxed) =>
            {
                Err(BuildError::Failed(failure))
            }
            Err(BuildError::Failed(failure)) => Ok(failure.errors),
            Err(error) => Err(error),
        }
    }
}

/// Whether only rustc knows if a function that builds values may fail.
pub fn needs_builders(subject: &Subject) -> bool {
    let mut builders = subject.spec.data.iter().flat_map(|data| &data.via).flat_map(|via| &via.builders);
    builders.any(|builder| builder.may_fail.is_none())
}

/// A subject with these facts, from the harness in which it has the number.
pub fn with_builders<'s>(program: Option<&Path>, number: u32, subject: &'s Subject) -> Cow<'s, Subject> {
    let Some(program) = program.filter(|_| needs_builders(subject)) else { return Cow::Borrowed(subject) };
    let mut subject = subject.clone();
    let told = harness::builders(program);
    for (_, data, may_fail) in told.into_iter().filter(|(function, ..)| *function == number) {
        if let Some(via) = subject.spec.data.get_mut(data as usize).and_then(|data| data.via.as_mut()) {
            // Of a type with several, each is the crate's own, and its declaration says it.
            via.builders.iter_mut().for_each(|builder| _ = builder.may_fail.get_or_insert(may_fail));
        }
    }
    Cow::Owned(subject)
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
        tested: Arc::default(),
    }
}
