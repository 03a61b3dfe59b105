//! The tool on one screen: load the project, check the specs, build the harnesses, run, report.

mod covered;
mod function;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use rayon::prelude::*;
use target_bridge::emit;
use target_bridge::subject::Subject;
use target_strategies::space::{Bounds, Space};

use crate::args;
use crate::checked::{self, Checked, Filter, OneCase};
use crate::config::{self, CargoConfig, STACK, Selected, Verbosity};
use crate::console;
use crate::coverage::{self, Counting};
use crate::describe;
use crate::event::{self, Event, RunFinished, RunStarted};
use crate::exit_code::{self, usage};
use crate::files;
use crate::harness::{self, Build, BuildFailure};
use crate::mirror;
use crate::observations::{self, Observations};
use crate::progress::Progress;
use crate::project::{self, Package, Project};
use crate::record::Record;
use crate::release::InOrder;
use crate::report::words::plain;
use crate::report::{Report, Tally, colored_stderr};
use crate::worker::Launch;
use function::Ran;

/// `cargo target run`: gives the exit code.
pub fn run(args: &args::Run, interrupted: &Arc<AtomicBool>) -> Result<u8> {
    let began = Instant::now();
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(args.message_format, config.color, config.verbosity);
    let project = project::load(&config)?;
    let filter = Filter { words: args.filters.clone(), exact: args.exact };
    let case = args.case.clone().map(|tuple| OneCase { tuple, filter: filter.clone() });
    let checked = checked::check(&project, &config::overrides(&args.limits), case.as_ref())?;
    let selected = config::selected(args)?;
    let observations = args.observations.as_deref().map(Observations::create).transpose()?;
    if let Some(path) = &args.lcov {
        let refused = |error| usage(format!("--lcov can't write {}: {error}", path.display()));
        files::output::check(path).map_err(refused)?;
    }
    let admitted = checked.iter().flat_map(|package| &package.subjects);
    report.record(Record::begin(&project));
    report.event(&Event::RunStarted(RunStarted {
        version: event::VERSION,
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        functions: admitted.filter(|subject| filter.admits(&subject.spec.name)).count(),
        generators: selected.generators.iter().map(|&name| describe::asked_name(name).into()).collect(),
        seed: args.seed,
        comparison: args.comparison,
        rounds: args.repeat,
        started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        profile: harness::profile_text(args.profile.as_deref()),
    }));
    let ended = match diagnose(&checked, &mut report) {
        true => Ok(Tally::failed_with(exit_code::USAGE)),
        false => {
            let broken = AtomicBool::new(false);
            let (programs, counting, children) = (Vec::new(), Vec::new(), 1);
            let options = rerun_options(args, &config);
            let run = Run {
                project: &project,
                args,
                config: &config,
                selected: &selected,
                programs,
                counting,
                interrupted,
                options,
                broken,
                children,
                run_start: observations::run_start(),
            };
            wanted(&checked, &filter).and_then(|wanted| run.go(&checked, &wanted, &mut report, observations))
        }
    };
    // Whoever reads the stream learns that it is over, whatever the reason.
    let mut counts =
        ended.as_ref().map_or_else(|error| Tally::failed_with(exit_code::of(error)), Clone::clone);
    counts.seconds = began.elapsed().as_secs_f64();
    if console::has_failed() {
        counts.exit_code = counts.exit_code.max(exit_code::INTERNAL);
    }
    report.event(&Event::RunFinished(counts));
    report.end();
    ended.map(|counts| counts.exit_code)
}

/// What else a command must say to build the same crate.
fn rerun_options(args: &args::Run, config: &CargoConfig) -> Vec<String> {
    let mut options = config.feature_flags.clone();
    if let Some(profile) = &args.profile {
        options.extend(["--profile".to_owned(), profile.clone()]);
    }
    options.extend(config.include_outside.then(|| "--include-outside".to_owned()));
    options
}

/// A wanted function: its package, its number in the package's harness, itself.
type Wanted<'a> = (&'a Checked<'a>, u32, &'a Subject);

/// Shows all mistakes; tells whether any of them is an error.
pub fn diagnose(checked: &[Checked], report: &mut Report) -> bool {
    for package in checked {
        for diagnostic in package.diagnostic_events(colored_stderr()) {
            report.event(&Event::Diagnostic(diagnostic));
        }
    }
    checked.iter().any(Checked::has_errors)
}

/// The functions that the filter admits; none is a mistake.
pub fn wanted<'a>(checked: &'a [Checked<'a>], filter: &Filter) -> Result<Vec<Wanted<'a>>> {
    let all = || {
        checked.iter().flat_map(|package| {
            package
                .subjects
                .iter()
                .enumerate()
                .map(move |(number, subject)| (package, number as u32, subject))
        })
    };
    let wanted: Vec<Wanted> = all().filter(|(_, _, subject)| filter.admits(&subject.spec.name)).collect();
    if wanted.is_empty() && filter.words.is_empty() {
        let what = "no specs: [package.metadata.target.functions] is empty";
        return Err(usage(format!("{what}; `cargo target init` writes a first one")));
    }
    if wanted.is_empty() {
        let keys: Vec<&str> = all().map(|(_, _, subject)| subject.spec.name.as_str()).collect();
        let words = filter.words.join("`, `");
        return Err(usage(format!("no function matches `{words}`; there are specs for {}", keys.join(", "))));
    }
    Ok(wanted)
}

/// The space of a function's spec.
pub fn space(subject: &Subject) -> Space {
    let bounds = Bounds { depth: subject.settings.depth, bound: subject.settings.bound };
    Space::new(Arc::new(subject.spec.clone()), bounds)
}

/// Builds the harness for the functions of a package, in the order of the manifest.
pub fn build(how: Build, package: &Checked) -> Result<Result<PathBuf, BuildFailure>> {
    let subjects: Vec<&Subject> = package.functions().collect();
    let source = emit::harness::source(&package.catalog.crate_name, &subjects, how.counts);
    let openings: BTreeSet<_> = subjects.iter().flat_map(|subject| &subject.openings).collect();
    let mirror = match openings.is_empty() {
        true => None,
        false => Some(mirror::update(how.project, package.package, &openings)?),
    };
    harness::build(how, package.package, &source, mirror.as_ref())
}

/// How to start the harness for a function, by its number in it.
pub fn launch(program: &Path, package: &Package, number: u32, subject: &Subject) -> Launch {
    let root = package.root();
    Launch {
        program: program.to_owned(),
        folder: root.to_owned(),
        environment: vec![("CARGO_MANIFEST_DIR".to_owned(), root.display().to_string())],
        function: number,
        space: space(subject),
        memory: subject.settings.memory,
        timeout: subject.settings.timeout,
        judge_all: config::judge_all(),
        watch: None,
    }
}

struct Run<'a> {
    project: &'a Project,
    args: &'a args::Run,
    config: &'a CargoConfig,
    selected: &'a Selected,
    /// The harnesses, by package.
    programs: Vec<(String, PathBuf)>,
    /// Those that count what they reach, for `--coverage`.
    counting: Vec<Counting<'a>>,
    interrupted: &'a Arc<AtomicBool>,
    /// What a command must repeat to run the same crate.
    options: Vec<String>,
    /// Whether the tool itself failed somewhere.
    broken: AtomicBool,
    /// How many children a function may have at once, while others run beside it.
    children: usize,
    /// By which observations tell runs apart.
    run_start: f64,
}

impl<'a> Run<'a> {
    /// Builds the harnesses, runs the functions, and gives the counts.
    fn go(
        mut self,
        checked: &'a [Checked<'a>],
        wanted: &[Wanted],
        report: &mut Report,
        mut observations: Option<Observations>,
    ) -> Result<RunFinished> {
        if self.args.case.is_some() && wanted.len() != 1 {
            let what = "--case needs a FILTER that matches one function";
            return Err(usage(format!("{what}, and this one matches {}", wanted.len())));
        }
        let is_wanted = |package: &&Checked| wanted.iter().any(|(owner, ..)| std::ptr::eq(*owner, *package));
        for package in checked.iter().filter(is_wanted) {
            let built = self.build(package)?;
            match built {
                Ok(()) => {}
                // Ctrl-C ends the compilers, too.
                Err(_) if self.is_interrupted() => return Ok(Tally::failed_with(exit_code::INTERRUPTED)),
                Err(failure) => {
                    errln!("{}error: {}", plain(&failure.output), failure.message);
                    return Ok(Tally::failed_with(exit_code::BUILD));
                }
            }
        }
        self.children = (self.config.jobs / wanted.len()).max(1);
        let mut counts = self.all(wanted, report, observations.as_mut())?;
        if let Err(error) = observations.map_or(Ok(()), Observations::finish) {
            errln!("error: {error:#}");
            counts.exit_code = counts.exit_code.max(exit_code::INTERNAL);
        }
        Ok(counts)
    }

    /// Builds the programs of a package.
    fn build(&mut self, package: &'a Checked<'a>) -> Result<Result<(), BuildFailure>> {
        let (config, profile) = (self.config, self.args.profile.as_deref());
        let how = Build { config, profile, project: self.project, counts: false };
        if self.args.coverage {
            coverage::check(&self.project.output, package.package)?;
        }
        let program = match build(how, package)? {
            Ok(program) => program,
            Err(failure) => return Ok(Err(failure)),
        };
        self.programs.push((package.package.name.clone(), program));
        Ok(match self.args.coverage {
            true => coverage::build(how, package)?.map(|counting| self.counting.push(counting)),
            false => Ok(()),
        })
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Runs the functions in parallel and reports them in order.
    ///
    /// They have threads of their own, since a function waits for its children, and rayon's common threads must stay free
    /// for the solver.
    fn all(
        &self,
        wanted: &[Wanted],
        report: &mut Report,
        mut observations: Option<&mut Observations>,
    ) -> Result<RunFinished> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.config.jobs).stack_size(STACK);
        let threads = threads.build();
        let threads = threads.context("start the threads")?;
        let progress = Progress::new(wanted.len(), self.config.verbosity > Verbosity::Quiet);
        let tally = Tally::new(self.args.comparison);
        let release = InOrder::new((report, tally), |(report, tally), ran: Ran| {
            tally.add(&ran.rows);
            if let Some(observations) = &mut observations {
                observations.write(&ran.observed);
            }
            progress.suspend(|| {
                for row in ran.rows {
                    report.event(&Event::FunctionFinished(Box::new(row)));
                }
                for covered in ran.covered {
                    report.event(&Event::FunctionCovered(Box::new(covered)));
                }
            });
        });
        threads.install(|| {
            wanted.par_iter().enumerate().for_each(|(position, &(package, number, subject))| {
                let shown = progress.start(&subject.spec.name);
                let ran = self.function(package, number, subject);
                drop(shown);
                release.put(position, ran);
            });
        });
        let (report, mut tally) = release.finish();
        progress.finish();
        self.packages_covered(report);
        if self.broken.load(Ordering::Relaxed) {
            tally.at_least(exit_code::INTERNAL);
        }
        if self.is_interrupted() {
            tally.at_least(exit_code::INTERRUPTED);
        }
        Ok(tally.finish())
    }

    fn program(&self, package: &str) -> Result<&Path> {
        let found = self.programs.iter().find(|(name, _)| name == package);
        found.map(|(_, program)| program.as_path()).context("find the harness of the package")
    }
}
