//! Coverage: the parts of the user's code that the inputs of each generator reach.
//!
//! Library and harness are built again with rustc's counters, apart from the timed run. Each generator's cases run
//! again there, in one child, which reports each case that reaches new code. The source positions of the counters are
//! read from the program itself ([`map`]), so no tool but rustc is needed.

mod choose;
mod course;
mod map;
mod tell;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::{Case, Generator, GeneratorKind};
use target_strategies::child::protocol::Sum;
use target_strategies::logic::value::Value;

use crate::events::describe::generator_name;
use crate::events::{FunctionCovered, PackageCovered};
use crate::run::asked::Asked;
use crate::run::checked::Checked;
use crate::run::harness::{self, Build, BuildError};
use crate::run::launch::{self, Built};
use crate::run::planning::Planning;
use crate::run::project::{Package, Project};
use crate::run::worker::{Launch, Program, ShouldStop, Watch};
use crate::system::exit_code::usage;
use choose::choose;
use course::{Again, Course};
use map::Map;
use tell::Whose;

/// Maximum number of valid cases that run again for a generator: enough for a curve, and quick.
const MOST_VALID: u64 = 10_000;

/// A package with an instrumented harness.
pub struct Counting<'p> {
    package: &'p Package,
    program: Arc<Program>,
    map: Map,
    /// The workspace's folder.
    base: PathBuf,
    /// The coverage of all functions together: values of counters, and numbers of sums.
    all: Mutex<(Vec<u64>, BTreeSet<usize>)>,
}

/// One generator's run, to be repeated.
pub struct Repeat<'r> {
    /// The generator's kind.
    pub kind: GeneratorKind,
    /// Makes the same generator, at its start.
    pub generator: Box<dyn FnOnce() -> Box<dyn Generator> + 'r>,
    /// The limits of planning.
    pub planning: Planning,
    /// The examples of the run.
    pub examples: Vec<Case>,
    /// Number of cases in the run.
    pub cases: u64,
    /// The budget of the run.
    pub budget: Duration,
}

/// Inputs worth keeping for a function: arguments, and the number of regions that each reaches.
pub type Keep = Vec<(Vec<Value>, usize)>;

/// Checks that the toolchain of a package can build with counters.
pub fn check(output: &Path, package: &Package) -> Result<()> {
    let Some(why) = harness::why_uncountable(output, package)? else { return Ok(()) };
    let what = format!("this toolchain can't count coverage, `rustc -C instrument-coverage` says: {why}");
    Err(usage(format!("{what}; take one that rustup offers, or leave `--coverage` out")))
}

/// Builds a package's harness with counters.
pub fn build<'p>(how: Build, package: &Checked<'p>) -> Result<Counting<'p>, BuildError> {
    let Built { program, .. } = counted(how, package)?;
    let map = read(how, &program).context("read the coverage of the harness")?;
    if map.regions.is_empty() {
        let name = &package.package.name;
        return Err(anyhow!("the harness of `{name}` counts nothing of the package").into());
    }
    Ok(Counting {
        package: package.package,
        program: Arc::new(program),
        map,
        base: base(how.project).to_owned(),
        all: Mutex::default(),
    })
}

/// A harness with counters, and the sums of them that tell which pieces of the user's code ran; there are none if the toolchain
/// can't count, or the crate doesn't compile so.
pub fn traced(how: Build, package: &Checked) -> Result<(Built, Vec<Sum>), BuildError> {
    if harness::why_uncountable(&how.project.output, package.package)?.is_some() {
        return Ok((launch::build(how, package, Asked::All)?, Vec::new()));
    }
    let built = match counted(how, package) {
        Ok(built) => built,
        // It may be that `cfg(coverage)` needs a nightly compiler.
        Err(BuildError::Failed(_)) => return Ok((launch::build(how, package, Asked::All)?, Vec::new())),
        Err(error @ BuildError::Tool(_)) => return Err(error),
    };
    // Without them, only the order of the cases is worse.
    let map = read(how, &built.program).unwrap_or_default();
    let sums: BTreeSet<Sum> = map.sums.iter().cloned().collect();
    Ok((built, sums.into_iter().collect()))
}

/// Builds a package's harness with counters.
fn counted(how: Build, package: &Checked) -> Result<Built, BuildError> {
    let built = launch::build(Build { counts: true, ..how }, package, Asked::All)?;
    let (name, value) = crate::run::wrapper::NO_PROFILE;
    Ok(Built { program: built.program.with_variable(name, value.to_owned()), ..built })
}

/// The map of an instrumented harness.
fn read(how: Build, program: &Program) -> Result<Map> {
    let output = &how.project.output;
    map::read(&program.path, &harness::counters(&program.path)?, &|file| !file.starts_with(output))
}

/// The workspace's folder.
fn base(project: &Project) -> &Path {
    project.workspace_manifest.parent().expect("a manifest is a file in a folder")
}

impl Counting<'_> {
    /// Whether it belongs to that package.
    pub fn is_of(&self, package: &Package) -> bool {
        std::ptr::eq(self.package, package)
    }

    /// The data to start the harness for a function, given its number there.
    pub fn launch(&self, number: u32, subject: &Subject) -> Launch {
        let mut launch = launch::launch(&self.program, number, subject);
        launch.watch = Some(Watch::Sums(Arc::clone(&self.map.sums)));
        launch
    }

    /// Runs a function's generators again; returns the coverage of each, and the inputs worth keeping.
    pub fn function(
        &self,
        launch: &Launch,
        repeats: Vec<Repeat<'_>>,
        interrupted: &ShouldStop,
    ) -> Result<(Vec<FunctionCovered>, Keep)> {
        let mut courses = Vec::new();
        for Repeat { kind, generator, planning, examples, cases, budget } in repeats {
            let again = Again { examples, generator, planning, cases, valid: MOST_VALID, budget };
            let course = course::run(launch, again, interrupted.clone())?;
            let notes = notes(&course, cases);
            courses.push((generator_name(kind), course, notes));
        }
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        courses.iter().for_each(|(_, course, _)| add(&mut all, course));
        drop(all);
        let keep = self.keep(courses.iter().map(|(_, course, _)| course));
        let whose = Whose { package: &self.package.name, spec: launch.space.spec(), base: &self.base };
        Ok((tell::function(whose, &self.map, courses), keep))
    }

    /// A small set of passing inputs that together reach everything that all passing inputs reach.
    fn keep<'c>(&self, courses: impl Iterator<Item = &'c Course>) -> Keep {
        let passing: Vec<_> =
            courses.flat_map(|course| &course.reaching).filter(|input| input.passed).collect();
        let regions = |sums: &[usize]| -> Vec<usize> {
            let regions: BTreeSet<usize> =
                sums.iter().flat_map(|sum| &self.map.regions_of[*sum]).copied().collect();
            regions.into_iter().collect()
        };
        let inputs: Vec<Vec<usize>> = passing.iter().map(|input| regions(&input.sums)).collect();
        let chosen = choose(&inputs).into_iter();
        chosen.map(|position| (passing[position].args.clone(), inputs[position].len())).collect()
    }

    /// The coverage of all functions together.
    pub fn package(&self) -> PackageCovered {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        tell::package(&self.package.name, &self.map, &self.base, &all.0, &all.1)
    }
}

/// Adds a course's counts to those of a package.
fn add((counters, sums): &mut (Vec<u64>, BTreeSet<usize>), course: &Course) {
    counters.resize(counters.len().max(course.counters.len()), 0);
    for (all, count) in counters.iter_mut().zip(&course.counters) {
        *all = all.saturating_add(*count);
    }
    sums.extend(course.reaching.iter().flat_map(|input| &input.sums));
}

/// The reasons why a course covers less than the run that it repeats.
fn notes(course: &Course, of: u64) -> Vec<String> {
    let mut notes = Vec::new();
    if course.cut {
        notes.push(format!("time was up after {} of {of} cases", course.cases));
    } else if course.cases < of {
        notes.push(format!("of the run's {of} cases the first {} were run again", course.cases));
    }
    notes.extend(course.unplanned.clone());
    match course.deaths {
        0 => {}
        1 => notes.push("1 case ended its process: what it reached is not known".to_owned()),
        n => notes.push(format!("{n} cases ended their processes: what these reached is not known")),
    }
    notes
}
