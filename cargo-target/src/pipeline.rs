//! The tool on one screen: load the project, check the specs, build the harnesses, run, report.

mod covered;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use rayon::prelude::*;
use target_bridge::emit;
use target_bridge::generate::{Generator, GeneratorKind};
use target_bridge::subject::Subject;
use target_strategies::ir::{Data, Spec};
use target_strategies::space::{Bounds, Space};

use crate::args::{self, GeneratorName};
use crate::checked::{self, Checked, Filter, OneCase};
use crate::config::{self, CargoConfig, STACK, Selected, Verbosity};
use crate::corpus::saved;
use crate::coverage::{self, Counting};
use crate::describe::{self, Describer, Round};
use crate::event::{self, Event, FunctionCovered, FunctionFinished, RunFinished, RunStarted};
use crate::exit_code::{self, usage};
use crate::generators;
use crate::harness::{self, Build, BuildFailure};
use crate::mirror;
use crate::outcome::{Counterexample, Outcome, Stopped, Verdict};
use crate::progress::Progress;
use crate::project::{self, Package, Project};
use crate::release::InOrder;
use crate::report::{Report, Tally, colored_stderr};
use crate::runner::{self, Caps, Job};
use crate::worker::Launch;

/// The least time that a baseline gets.
const LEAST_BASELINE: Duration = Duration::from_secs(1);

/// `cargo target run`: gives the exit code.
pub fn run(args: &args::Run, interrupted: &Arc<AtomicBool>) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(args.message_format, config.color, config.verbosity);
    let project = project::load(&config)?;
    let filter = Filter { words: args.filters.clone(), exact: args.exact };
    let case = args.case.clone().map(|tuple| OneCase { tuple, filter: filter.clone() });
    let checked = checked::check(&project, &config::overrides(&args.limits), case.as_ref())?;
    let selected = config::selected(args)?;
    let admitted = checked.iter().flat_map(|package| &package.subjects);
    report.event(&Event::RunStarted(RunStarted {
        version: event::VERSION,
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        functions: admitted.filter(|subject| filter.admits(&subject.spec.name)).count(),
        generators: selected.generators.iter().map(|&name| describe::asked_name(name).into()).collect(),
        seed: args.seed,
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
            };
            wanted(&checked, &filter).and_then(|wanted| run.go(&checked, &wanted, &mut report))
        }
    };
    // Whoever reads the stream learns that it is over, whatever the reason.
    let counts = ended.as_ref().map_or_else(|error| Tally::failed_with(exit_code::of(error)), Clone::clone);
    report.event(&Event::RunFinished(counts));
    ended.map(|counts| counts.exit_code)
}

/// What else a command must say to build the same crate.
fn rerun_options(args: &args::Run, config: &CargoConfig) -> Vec<String> {
    let mut options = config.feature_flags.clone();
    if let Some(profile) = &args.profile {
        options.extend(["--profile".to_owned(), profile.clone()]);
    }
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
}

/// What came of a function: by each generator, and what they reached.
type Rows = (Vec<FunctionFinished>, Vec<FunctionCovered>);

/// One generator, once on a function.
#[derive(Clone, Copy)]
struct Attempt {
    kind: GeneratorKind,
    /// How many of the spec's examples come from the corpus.
    n_saved: usize,
    budget: Duration,
    seed: u64,
}

/// What an attempt was about, and how many cases it had.
type Done = (Attempt, Subject, u64);

impl<'a> Run<'a> {
    /// Builds the harnesses, runs the functions, and gives the counts.
    fn go(
        mut self,
        checked: &'a [Checked<'a>],
        wanted: &[Wanted],
        report: &mut Report,
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
                    anstream::eprintln!("{}error: {}", failure.output, failure.message);
                    return Ok(Tally::failed_with(exit_code::BUILD));
                }
            }
        }
        self.children = (self.config.jobs / wanted.len()).max(1);
        self.all(wanted, report)
    }

    /// Builds the programs of a package.
    fn build(&mut self, package: &'a Checked<'a>) -> Result<Result<(), BuildFailure>> {
        let (config, profile) = (self.config, self.args.profile.as_deref());
        let how = Build { config, profile, project: self.project, counts: false };
        if self.args.coverage {
            coverage::check(package.package)?;
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
    fn all(&self, wanted: &[Wanted], report: &mut Report) -> Result<RunFinished> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.config.jobs).stack_size(STACK);
        let threads = threads.build();
        let threads = threads.context("start the threads")?;
        let progress = Progress::new(wanted.len(), self.config.verbosity > Verbosity::Quiet);
        let release = InOrder::new((report, Tally::default()), |(report, tally), (rows, covered): Rows| {
            tally.add(&rows);
            progress.suspend(|| {
                for row in rows {
                    report.event(&Event::FunctionFinished(Box::new(row)));
                }
                for covered in covered {
                    report.event(&Event::FunctionCovered(Box::new(covered)));
                }
            });
        });
        threads.install(|| {
            wanted.par_iter().enumerate().for_each(|(position, &(package, number, subject))| {
                let shown = progress.start(&subject.spec.name);
                let rows = self.function(package, number, subject);
                drop(shown);
                release.put(position, rows);
            });
        });
        let (report, mut tally) = release.finish();
        progress.finish();
        self.packages_covered(report)?;
        if self.broken.load(Ordering::Relaxed) {
            tally.at_least(exit_code::INTERNAL);
        }
        if self.is_interrupted() {
            tally.at_least(exit_code::INTERRUPTED);
        }
        Ok(tally.finish())
    }

    /// One function by all generators, in all rounds.
    fn function(&self, package: &Checked, number: u32, subject: &Subject) -> Rows {
        let subject: &Subject = &self.with_builders(package, number, subject);
        let mut rows = Vec::new();
        let (mut found, mut attempts) = (Vec::new(), Vec::new());
        for round in 0..self.args.repeat {
            let round = Round { number: round, seed: self.args.seed.wrapping_add(round.into()) };
            let is_over = self.round(package, number, subject, round, &mut rows, (&mut found, &mut attempts));
            if is_over || self.is_interrupted() {
                break;
            }
        }
        if self.keeps_saved()
            && let Err(error) = saved::save(self.project, package.package, subject, &found)
        {
            anstream::eprintln!(
                "note: the counterexamples of `{}` are not saved: {error:#}",
                subject.spec.name
            );
        }
        let covered = self.covered(package, number, subject, attempts);
        (rows, covered)
    }

    /// One function by each generator once, the main one first; the baselines are timed by it. Whether that is all that
    /// there is to be said of the function.
    fn round(
        &self,
        package: &Checked,
        number: u32,
        subject: &Subject,
        round: Round,
        rows: &mut Vec<FunctionFinished>,
        (found, attempts): (&mut Vec<Counterexample>, &mut Vec<Done>),
    ) -> bool {
        let describer = Describer {
            package: &package.package.name,
            crate_name: &package.catalog.crate_name,
            options: &self.options,
            subject,
            sources: &package.sources,
        };
        let mut budget = subject.settings.budget;
        let replaying = self.replaying(package, subject);
        let space = space(subject);
        for (position, kind) in self.kinds(&space).into_iter().enumerate() {
            let is_main = position == 0;
            // The baselines show what a generator finds by itself.
            let (subject, n_saved) = match &replaying {
                Some((subject, n_saved)) if is_main => (subject, *n_saved),
                _ => (subject, 0),
            };
            let attempt = Attempt { n_saved, kind, budget, seed: round.seed };
            let outcome = match self.generator(package, number, subject, attempt) {
                Ok(outcome) => outcome,
                Err(error) => {
                    self.broken.store(true, Ordering::Relaxed);
                    Outcome::broken(kind, format!("{error:#}"))
                }
            };
            let over =
                matches!(outcome.verdict, Verdict::Vacuous | Verdict::Error) || self.args.case.is_some();
            if is_main {
                let main = Duration::from_secs_f64(outcome.seconds).max(LEAST_BASELINE);
                budget = budget.min(main);
            }
            rows.push(describer.finished(&outcome, is_main, round));
            if round.number == 0 && self.args.coverage {
                attempts.push((attempt, subject.clone(), outcome.cases));
            }
            found.extend(outcome.counterexample.into_iter().chain(outcome.boundary_counterexample));
            if is_main && over {
                return true;
            }
        }
        false
    }

    /// Whether counterexamples are saved, and those of earlier runs tried. A comparison of generators has to do without.
    fn keeps_saved(&self) -> bool {
        !self.args.no_saved && self.args.case.is_none() && self.args.repeat == 1
    }

    /// The subject with what stands in the corpus as its first examples, and how many these are; `None` without any.
    fn replaying(&self, package: &Checked, subject: &Subject) -> Option<(Subject, usize)> {
        if !self.keeps_saved() {
            return None;
        }
        let mut saved = saved::replayed(self.project, package.package, subject);
        // An example of the manifest stays one: it never is a mere boundary case.
        saved.retain(|args| !subject.spec.examples.contains(args));
        let n_saved = saved.len();
        saved.extend_from_slice(&subject.spec.examples);
        let spec = Spec { examples: saved, ..subject.spec.clone() };
        (n_saved > 0).then(|| (Subject { spec, ..subject.clone() }, n_saved))
    }

    /// The generators for a space, each once.
    fn kinds(&self, space: &Space) -> Vec<GeneratorKind> {
        let mut kinds = Vec::new();
        for &name in &self.selected.generators {
            // One case needs no generator, and is made smaller by Z3.
            let name = match name {
                GeneratorName::Auto if self.args.case.is_some() => GeneratorName::Smt,
                name => name,
            };
            let kind = generators::kind(name, space);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// The subject, with what only rustc knows of the functions that build its values: whether they may refuse.
    fn with_builders<'s>(&self, package: &Checked, number: u32, subject: &'s Subject) -> Cow<'s, Subject> {
        let unknown = |data: &Data| data.via.as_ref().is_some_and(|via| via.may_fail.is_none());
        if !subject.spec.data.iter().any(unknown) {
            return Cow::Borrowed(subject);
        }
        let told = self.program(&package.package.name).map(harness::builders).unwrap_or_default();
        let mut subject = subject.clone();
        for (_, data, may_fail) in told.into_iter().filter(|(function, ..)| *function == number) {
            if let Some(via) = subject.spec.data.get_mut(data as usize).and_then(|data| data.via.as_mut()) {
                via.may_fail = Some(may_fail);
            }
        }
        Cow::Owned(subject)
    }

    fn generator(
        &self,
        package: &Checked,
        number: u32,
        subject: &Subject,
        attempt: Attempt,
    ) -> Result<Outcome> {
        let Attempt { n_saved, kind, budget, .. } = attempt;
        let settings = &subject.settings;
        let launch = launch(self.program(&package.package.name)?, package.package, number, subject);
        let space = &launch.space;
        let job = Job {
            launch: &launch,
            kind,
            n_saved,
            generator: self.source(attempt, space, subject),
            caps: Caps {
                cases: self.selected.sample.unwrap_or(settings.cases),
                budget,
                fail_fast: !self.args.no_fail_fast,
                jobs: self.children,
            },
            interrupted: Arc::clone(self.interrupted),
            progress: &|_| {},
        };
        let mut outcome = runner::run(job)?;
        if outcome.verdict == Verdict::Vacuous {
            outcome.problem = Some(generators::vacuous(space));
        }
        if self.args.case.is_some() {
            outcome.stopped =
                outcome.stopped.filter(|reason| *reason != Stopped::Unknown).or(Some(Stopped::Cases));
            outcome.problem = outcome.problem.or_else(|| generators::refusal(subject));
        }
        Ok(outcome)
    }

    /// An attempt's generator, at its beginning.
    fn source(&self, attempt: Attempt, space: &Space, subject: &Subject) -> Box<dyn Generator> {
        let Selected { sample, size, .. } = *self.selected;
        let wanted = generators::Wanted { seed: attempt.seed, sample, size };
        match self.args.case {
            Some(_) => generators::nothing(),
            None => generators::new(attempt.kind, space, &subject.settings, wanted),
        }
    }

    fn program(&self, package: &str) -> Result<&Path> {
        let found = self.programs.iter().find(|(name, _)| name == package);
        found.map(|(_, program)| program.as_path()).context("find the harness of the package")
    }
}
