//! The tool on one screen: load the project, check the specs, build the harnesses, run, report.

mod api;
mod covered;
mod function;
mod step;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use rayon::prelude::*;

use crate::commands::prologue::{self, LeftOut, Wanted, diagnose, wanted};
use crate::events::describe;
use crate::events::{self, Event, RunFinished, RunStarted};
use crate::options::args;
use crate::options::config::{self, CargoConfig, STACK, Selected};
use crate::report::progress::Progress;
use crate::report::record::Record;
use crate::report::release::Release;
use crate::report::{API, Report, Tally};
use crate::run::asked::Asked;
use crate::run::checked::{self, Checked, Filter, OneCase};
use crate::run::coverage::{self, Counting};
use crate::run::embedded::{self, Broken};
use crate::run::generators;
use crate::run::harness::{self, Build, BuildError};
use crate::run::launch::{Built, build};
use crate::run::observations::{self, Observations};
use crate::run::project::{self, Project};
use crate::run::public as run_public;
use crate::run::worker::Program;
use crate::system::console;
use crate::system::console::{Verbosity, colored_stderr};
use crate::system::exit_code::{self, usage};
use crate::system::files;
use crate::system::printable::plain;
use function::Ran;

/// How long a finished function waits for those before it. An unoptimized build of the tool, which only its own tests run,
/// is slower.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 30 } else { 1 });

/// `cargo target run`: returns the exit code.
pub fn run(args: &args::Run, interrupted: &Arc<AtomicBool>) -> Result<u8> {
    let began = Instant::now();
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(args.message_format, config.color, config.verbosity);
    let project = project::load(&config)?;
    let filter = Filter { words: args.filters.clone(), exact: args.exact };
    let is_bare = project.packages.iter().all(|package| !package.has_table);
    if args.api || (is_bare && !asks_for_specs(args)) {
        return public(args, &config, &project, (interrupted, began), report);
    }
    let case = args.case.clone().map(|tuple| OneCase { tuple, filter: filter.clone() });
    let mut checked = checked::check(&project, &config::overrides(&args.limits), case.as_ref())?;
    let keys = checked.iter().flat_map(|package| &package.manifest.places);
    let n_functions = keys.filter(|(key, _)| filter.admits(key)).count();
    if args.case.is_some() && n_functions != 1 {
        let what = "--case needs a FILTER that matches one function";
        return Err(usage(format!("{what}, and this one matches {n_functions}")));
    }
    prologue::keep_to(&mut checked, &filter);
    let has_specs =
        checked.iter().any(|package| !package.manifest.functions.is_empty() || package.has_errors());
    if !has_specs && !asks_for_specs(args) {
        // A table with another name is perhaps why there are none.
        let warnings = checked.iter().flat_map(|package| package.diagnostic_events(colored_stderr()));
        warnings.for_each(|warning| errln!("{}", warning.rendered));
        return public(args, &config, &project, (interrupted, began), report);
    }
    let selected = config::selected(args)?;
    let observations = args.observations.as_deref().map(Observations::create).transpose()?;
    if let Some(path) = &args.lcov {
        let unwritable = |error| usage(format!("--lcov can't write {}: {error}", path.display()));
        files::output::check(path).map_err(unwritable)?;
    }
    let has_mistakes = checked.iter().any(Checked::has_errors);
    let left_out = if has_mistakes { prologue::leave_out(&mut checked, &filter) } else { LeftOut::Nothing };
    let admitted = checked.iter().flat_map(|package| &package.subjects);
    let functions = admitted.filter(|subject| filter.admits(&subject.spec.name)).count();
    let names = selected.generators.iter();
    let generators = names.map(|&name| describe::generator_name(generators::kind(name)).into()).collect();
    begin(&mut report, &project, args, functions, generators);
    let ended = {
        let broken = AtomicBool::new(false);
        let (programs, counting, at_once, children) = (Vec::new(), Vec::new(), 1, 1);
        let options = rerun_options(args, &config);
        let run = Run {
            project: &project,
            args,
            config: &config,
            selected: &selected,
            programs,
            broken_functions: Vec::new(),
            counting,
            interrupted,
            options,
            broken,
            at_once,
            children,
            run_start: observations::run_start(),
        };
        match prologue::is_readable(run.how(), &checked) {
            Err(error) => Err(error),
            // rustc's own message says more than what follows from it.
            Ok(false) => Ok(Tally::failed_with(exit_code::BUILD)),
            Ok(true) => {
                diagnose(&checked, &mut report);
                match left_out {
                    LeftOut::All => Ok(Tally::failed_with(exit_code::USAGE)),
                    LeftOut::Nothing | LeftOut::Functions(_) => wanted(&checked, &filter)
                        .and_then(|wanted| run.go(&checked, &wanted, &mut report, observations))
                        .map(|counts| not_all(counts, &left_out)),
                }
            }
        }
    };
    finish(report, ended, began)
}

/// The counts of a run in which functions were left out because of mistakes in their specs; says so.
fn not_all(counts: RunFinished, left_out: &LeftOut) -> RunFinished {
    let LeftOut::Functions(n) = left_out else { return counts };
    match n {
        0 => errln!("error: no function uses what has mistakes, which are shown above"),
        1 => errln!("error: 1 function was not run: its spec has mistakes, which are shown above"),
        n => errln!("error: {n} functions were not run: their specs have mistakes, which are shown above"),
    }
    RunFinished { exit_code: counts.exit_code.max(exit_code::USAGE), ..counts }
}

/// Begins the record, and tells of the run.
fn begin(
    report: &mut Report,
    project: &Project,
    args: &args::Run,
    functions: usize,
    generators: Vec<events::Word>,
) {
    report.record(Record::begin(&project.runs));
    report.event(&Event::RunStarted(RunStarted {
        version: events::VERSION,
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        functions,
        generators,
        seed: args.seed,
        comparison: args.comparison,
        rounds: args.repeat,
        started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        profile: harness::profile_text(args.profile.as_deref()),
    }));
}

/// Ends the stream with a closing event, even after an error; returns the exit code.
fn finish(mut report: Report, ended: Result<RunFinished>, began: Instant) -> Result<u8> {
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

/// Whether an option asks for what only a run of specs has.
fn asks_for_specs(args: &args::Run) -> bool {
    args.case.is_some()
        || args.sample.is_some()
        || args.size.is_some()
        || args.coverage
        || args.comparison
        || args.repeat > 1
        || args.observations.is_some()
}

/// Tests the public functions of the packages; returns the exit code.
fn public(
    args: &args::Run,
    config: &CargoConfig,
    project: &Project,
    (interrupted, began): (&Arc<AtomicBool>, Instant),
    mut report: Report,
) -> Result<u8> {
    let overrides = api::overrides(config::overrides(&args.limits));
    let packages = run_public::public(project, &overrides)?;
    if !args.api && config.verbosity > Verbosity::Quiet {
        errln!("no specs: testing what is public (`cargo target init` writes a first spec)");
    }
    let calls = packages.iter().flat_map(|public| &public.calls);
    // All instances of a function are one.
    let functions = calls.filter(|call| call.further_of.is_none()).count();
    begin(&mut report, project, args, functions, vec![API.into()]);
    let filter = Filter { words: args.filters.clone(), exact: args.exact };
    let run = api::Api { project, args, config, interrupted, broken: AtomicBool::new(false) };
    let ended = run.go(&packages, &filter, &mut report);
    finish(report, ended, began)
}

/// The Cargo options that another command needs to build the same crate.
fn rerun_options(args: &args::Run, config: &CargoConfig) -> Vec<String> {
    let mut options = config.feature_flags.clone();
    if let Some(profile) = &args.profile {
        options.extend(["--profile".to_owned(), profile.clone()]);
    }
    options.extend(config.include_outside.then(|| "--include-outside".to_owned()));
    options
}

struct Run<'a> {
    project: &'a Project,
    args: &'a args::Run,
    config: &'a CargoConfig,
    selected: &'a Selected,
    /// The harnesses, by package.
    programs: Vec<(String, Arc<Program>)>,
    /// The functions that they can't run, by package.
    broken_functions: Vec<(String, Broken)>,
    /// The harnesses instrumented for `--coverage`.
    counting: Vec<Counting<'a>>,
    interrupted: &'a Arc<AtomicBool>,
    /// Options that a command must repeat to run the same crate.
    options: Vec<String>,
    /// Whether the tool itself failed for some function.
    broken: AtomicBool,
    /// Number of functions that run at once.
    at_once: usize,
    /// Number of children that a function may have at once, while other functions run.
    children: usize,
    /// Tells this run from others in the file of observations.
    run_start: f64,
}

impl<'a> Run<'a> {
    /// Builds the harnesses and runs the functions; returns the counts.
    fn go(
        mut self,
        checked: &'a [Checked<'a>],
        wanted: &[Wanted],
        report: &mut Report,
        mut observations: Option<Observations>,
    ) -> Result<RunFinished> {
        let is_wanted = |package: &&Checked| wanted.iter().any(|(owner, ..)| std::ptr::eq(*owner, *package));
        for package in checked.iter().filter(is_wanted) {
            let of_package = wanted.iter().filter(|(owner, ..)| std::ptr::eq(*owner, package));
            let numbers: BTreeSet<u32> = of_package.map(|(_, number, _)| *number).collect();
            match self.build(package, Asked::Only(numbers.clone())) {
                Ok(broken) => {
                    for mistake in embedded::mistakes(&broken, numbers.into_iter()) {
                        let event = package.diagnostic_event(mistake, colored_stderr());
                        report.event(&Event::Diagnostic(event));
                    }
                    self.broken_functions.push((package.package.name.clone(), broken));
                }
                Err(BuildError::Tool(error)) => return Err(error),
                // Ctrl-C also ends the compilers.
                Err(BuildError::Failed(_)) if self.is_interrupted() => {
                    return Ok(Tally::failed_with(exit_code::INTERRUPTED));
                }
                Err(BuildError::Failed(failure)) => {
                    errln!("{}error: {}", plain(&failure.output), failure.message);
                    return Ok(Tally::failed_with(exit_code::BUILD));
                }
            }
        }
        self.at_once = self.config.jobs.min(wanted.len());
        self.children = (self.config.jobs / wanted.len()).max(1);
        let mut counts = self.all(wanted, report, observations.as_mut())?;
        if let Err(error) = observations.map_or(Ok(()), Observations::finish) {
            errln!("error: {error:#}");
            counts.exit_code = counts.exit_code.max(exit_code::INTERNAL);
        }
        Ok(counts)
    }

    /// Builds the programs of a package; returns the functions that they can't run.
    fn build(&mut self, package: &'a Checked<'a>, asked: Asked) -> Result<Broken, BuildError> {
        let how = self.how();
        if self.args.coverage {
            coverage::check(&self.project.output, package.package)?;
        }
        let Built { program, broken, .. } = build(how, package, asked)?;
        let program = Arc::new(program);
        program.warm_up();
        self.programs.push((package.package.name.clone(), program));
        if self.args.coverage {
            self.counting.push(coverage::build(how, package)?);
        }
        Ok(broken)
    }

    /// Whether the harness can't run a function, because Rust code in its spec doesn't compile.
    fn is_broken(&self, package: &Checked, number: u32) -> bool {
        let mut packages = self.broken_functions.iter();
        packages.any(|(name, broken)| *name == package.package.name && broken.contains_key(&number))
    }

    /// How harnesses are built.
    fn how(&self) -> Build<'a> {
        let (config, profile) = (self.config, self.args.profile.as_deref());
        Build {
            config,
            profile,
            project: self.project,
            counts: false,
            lines: false,
            interrupted: self.interrupted,
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Runs the functions in parallel and reports each as soon as those before it are reported, or after the patience.
    ///
    /// Each has its own thread: a function waits for its children, and rayon's shared threads must stay free for the
    /// solver.
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
        let release = Release::new(PATIENCE, (report, tally), |(report, tally), ran: Ran| {
            tally.add(&ran.rows);
            if let Some(observations) = &mut observations {
                observations.write(&ran.observed);
            }
            progress.reported(&ran.name);
            progress.suspend(|| {
                for row in ran.rows {
                    report.event(&Event::FunctionFinished(Box::new(row)));
                }
                for covered in ran.covered {
                    report.event(&Event::FunctionCovered(Box::new(covered)));
                }
                report.end_of_function();
            });
        });
        let function = |(position, &(package, number, subject)): (usize, &Wanted<'_>)| {
            let shown = progress.start(&subject.spec.name);
            let ran = self.function(package, number, subject, &shown);
            drop(shown);
            release.put(position, ran);
        };
        // They start in order, so that few finished ones wait for those before them.
        let work = || wanted.iter().enumerate().par_bridge().for_each(function);
        release.during(|| threads.install(work));
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

    fn program(&self, package: &str) -> Result<&Arc<Program>> {
        let found = self.programs.iter().find(|(name, _)| name == package);
        found.map(|(_, program)| program).context("find the harness of the package")
    }
}
