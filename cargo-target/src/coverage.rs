//! Coverage: which parts of the user's code the inputs of each generator reach.
//!
//! The library is built once more, with rustc's counters in it, and so is the harness; nothing of that is timed. Each
//! generator's cases run once more there, in one child, and the child tells of each case that reaches something new.
//! What the counters are about is read from the program itself ([`map`]), and no tool but rustc is needed.

mod choose;
mod course;
mod map;
mod tell;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use target_bridge::generate::{Case, Generator, GeneratorKind};
use target_bridge::subject::Subject;
use target_strategies::value::Value;

use crate::checked::Checked;
use crate::describe::generator_name;
use crate::event::{FunctionCovered, PackageCovered};
use crate::exit_code::usage;
use crate::harness::{self, Build, BuildFailure};
use crate::pipeline;
use crate::project::{Package, Project};
use crate::worker::{Launch, ShouldStop};
use choose::choose;
use course::{Again, Course};
use map::Map;
use tell::Whose;

/// How many valid cases of a generator run once more at most.
const MOST_VALID: u64 = 10_000;

/// A package whose harness counts.
pub struct Counting<'p> {
    package: &'p Package,
    program: PathBuf,
    map: Map,
    /// The workspace's folder.
    base: PathBuf,
    /// What all functions' courses together reached: by counter how often it counted, and sums by number.
    all: Mutex<(Vec<u64>, BTreeSet<usize>)>,
}

/// One generator's run, to be repeated.
pub struct Repeat {
    /// The generator's kind.
    pub kind: GeneratorKind,
    /// The same generator, at its beginning.
    pub generator: Box<dyn Generator>,
    /// The subject with the examples that it had.
    pub examples: Vec<Case>,
    /// How many cases it had.
    pub cases: u64,
    /// How much time it had.
    pub budget: Duration,
}

/// What is worth keeping of a function's inputs: arguments, and how many regions each reaches.
pub type Keep = Vec<(Vec<Value>, usize)>;

/// Makes sure that the toolchain of a package can build what counts.
pub fn check(output: &Path, package: &Package) -> Result<()> {
    harness::can_count(output, package)?.map_err(|why| {
        let what = format!("this toolchain can't count coverage, `rustc -C instrument-coverage` says: {why}");
        usage(format!("{what}; take one that rustup offers, or leave `--coverage` out"))
    })
}

/// Builds a package's harness with counters. `Err` inside: it does not build.
pub fn build<'p>(how: Build, package: &Checked<'p>) -> Result<Result<Counting<'p>, BuildFailure>> {
    let how = Build { counts: true, ..how };
    let program = match pipeline::build(how, package)? {
        Ok(program) => program,
        Err(failure) => return Ok(Err(failure)),
    };
    let output = &how.project.output;
    let map = map::read(&program, &harness::counters(&program)?, &|file| !file.starts_with(output))
        .context("read the coverage of the harness")?;
    if map.regions.is_empty() {
        bail!("the harness of `{}` counts nothing of the package", package.package.name);
    }
    Ok(Ok(Counting {
        package: package.package,
        program,
        map,
        base: base(how.project).to_owned(),
        all: Mutex::default(),
    }))
}

/// The workspace's folder.
fn base(project: &Project) -> &Path {
    project.workspace_manifest.parent().expect("a manifest is a file in a folder")
}

impl Counting<'_> {
    /// Whether it is of that package.
    pub fn is_of(&self, package: &Package) -> bool {
        std::ptr::eq(self.package, package)
    }

    /// How to start the harness for a function, by its number in it.
    pub fn launch(&self, number: u32, subject: &Subject) -> Launch {
        let mut launch = pipeline::launch(&self.program, self.package, number, subject);
        let (name, value) = crate::wrapper::NO_PROFILE;
        launch.environment.push((name.to_owned(), value.to_owned()));
        launch.watch = Some(Arc::clone(&self.map.sums));
        launch
    }

    /// Runs a function's generators once more; gives what each reached, and which inputs are worth keeping.
    pub fn function(
        &self,
        launch: &Launch,
        repeats: Vec<Repeat>,
        interrupted: &ShouldStop,
    ) -> Result<(Vec<FunctionCovered>, Keep)> {
        let mut courses = Vec::new();
        for Repeat { kind, generator, examples, cases, budget } in repeats {
            let again = Again { examples, generator, cases, valid: MOST_VALID, budget };
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

    /// The fewest inputs, nearly, that together reach what all that pass reach.
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

    /// What all functions together reached.
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

/// What kept a course from telling all of the run that it repeats.
fn notes(course: &Course, of: u64) -> Vec<String> {
    let mut notes = Vec::new();
    if course.cut {
        notes.push(format!("time was up after {} of {of} cases", course.cases));
    } else if course.cases < of {
        notes.push(format!("of the run's {of} cases the first {} were run again", course.cases));
    }
    match course.deaths {
        0 => {}
        1 => notes.push("1 case ended its process: what it reached is not known".to_owned()),
        n => notes.push(format!("{n} cases ended their processes: what these reached is not known")),
    }
    notes
}
