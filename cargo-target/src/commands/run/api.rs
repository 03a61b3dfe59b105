//! `cargo target run --api`, and `run` without any spec: tests every public function that can be reached.
//!
//! All functions share one budget, in rounds: see [`rounds`]. Each failure of a function is kept and shrunk for a short time;
//! in the end, those of all functions are grouped by their place.

mod counted;
mod rounds;
mod wanted;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rayon::prelude::*;
use target_bridge::frontend::api::Callee;
use target_bridge::frontend::manifest::PartialSettings;
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::feedback::Feedback;
use target_bridge::generate::narrowed::{Memory, Narrowing};
use target_bridge::generate::{Generator, GeneratorKind};
use target_strategies::child::serve::FRAMES;
use target_strategies::logic::ir::Spec;
use target_strategies::logic::value::Value;

use self::counted::{Counted, Ran, Told, left_out, plan};
use self::rounds::{Share, Shares, Unfinished, Weight, first_work};
use self::wanted::{Ready, Wanted, saved_as, unreachable, wanted, with_builders};
use super::step::show;
use crate::events::describe::{Describer, Round, shell_word};
use crate::events::outcome::{Counterexample, Outcome};
use crate::events::{Event, FunctionFinished, Rank, RunFinished, Unreached};
use crate::options::args;
use crate::options::config::{CargoConfig, STACK};
use crate::report::progress::{Progress, Running};
use crate::report::release::Release;
use crate::report::{API as GENERATOR, Report, Tally};
use crate::run::checked::Filter;
use crate::run::corpus::saved;
use crate::run::coverage;
use crate::run::findings::{Failing, Source, findings};
use crate::run::generators;
use crate::run::harness::{Build, BuildError};
use crate::run::launch::{Built, launch, space};
use crate::run::planning::Planning;
use crate::run::project::{Package, Project};
use crate::run::public::Public;
use crate::run::runner::{self, Caps, Job, Shrinks};
use crate::run::syntax;
use crate::run::worker::{Launch, Watch};
use crate::system::console::Verbosity;
use crate::system::exit_code::{self, usage};
use crate::system::printable::plain;

/// The budget of all functions together, if none is given.
const BUDGET: Duration = Duration::from_secs(60);

/// A run of public functions.
pub struct Api<'a> {
    pub project: &'a Project,
    pub args: &'a args::Run,
    pub config: &'a CargoConfig,
    pub interrupted: &'a Arc<AtomicBool>,
    /// Set if the tool itself failed for some function.
    pub broken: AtomicBool,
}

/// What came of a round of a function.
struct Explored {
    /// The inputs that earlier runs saved.
    saved: Vec<Vec<Value>>,
    outcome: Outcome,
    /// Whether its last cases ran new code.
    has_news: bool,
}

impl Explored {
    fn broken(message: String) -> Explored {
        let outcome = Outcome::broken(GeneratorKind::Auto, message);
        Explored { saved: Vec::new(), outcome, has_news: false }
    }
}

/// The options of functions: the budget is that of all functions.
pub fn overrides(overrides: PartialSettings) -> PartialSettings {
    PartialSettings { budget: None, ..overrides }
}

impl<'a> Api<'a> {
    /// Builds the harnesses, runs the functions and reports the findings; returns the counts.
    pub fn go(
        &self,
        packages: &'a [Public<'a>],
        filter: &Filter,
        report: &mut Report,
    ) -> Result<RunFinished> {
        let mut ready = Vec::new();
        for public in packages.iter().filter(|public| !public.calls.is_empty()) {
            let how = Build {
                config: self.config,
                profile: self.args.profile.as_deref(),
                project: self.project,
                counts: false,
                lines: true,
                interrupted: self.interrupted,
            };
            match coverage::traced(how, &public.checked) {
                Ok((Built { program, broken, together }, sums)) => {
                    let traces = (!sums.is_empty()).then(|| Watch::Traces(Arc::new(sums)));
                    let subjects = with_builders(&program.path, &public.checked.subjects);
                    let folder = self.folder(public.checked.package);
                    let program = Arc::new(program.with_variable(FRAMES, folder));
                    program.warm_up();
                    ready.push(Ready { public, subjects, program, broken, together, traces });
                }
                Err(BuildError::Tool(error)) => return Err(error),
                Err(BuildError::Failed(_)) if self.is_interrupted() => {
                    return Ok(Tally::failed_with(exit_code::INTERRUPTED));
                }
                Err(BuildError::Failed(failure)) => {
                    errln!("{}error: {}", plain(&failure.output), failure.message);
                    return Ok(Tally::failed_with(exit_code::BUILD));
                }
            }
        }
        let (wanted, mut unreached) = wanted(&ready, filter);
        unreached.extend(unreachable(packages, filter));
        if wanted.is_empty() && unreached.is_empty() {
            let unread =
                packages.iter().map(|public| &public.checked).find(|checked| !checked.unread.is_empty());
            if let Some(checked) = unread {
                return Err(syntax::unreadable(checked.package, &checked.unread));
            }
            return Err(usage(match filter.words.as_slice() {
                [] => "no public function to test".to_owned(),
                words => format!("no public function matches `{}`", words.join("`, `")),
            }));
        }
        self.tell(packages, &wanted);
        let (counts, failing) = self.all(&wanted, report, &mut unreached)?;
        Ok(self.conclude(packages, counts, failing, &unreached, report))
    }

    fn tell(&self, packages: &[Public], wanted: &[Wanted]) {
        if self.config.verbosity == Verbosity::Quiet {
            return;
        }
        let n_public: usize = packages.iter().map(|public| public.n_public).sum();
        let n_further = wanted.iter().filter(|wanted| wanted.call.further_of.is_some()).count();
        errln!("{}", plan(wanted.len() - n_further, n_further, n_public, self.budget()));
        if let Some(note) = left_out(packages.iter().map(|public| public.n_left_out).sum()) {
            errln!("{note}");
        }
    }

    fn budget(&self) -> Duration {
        self.args.limits.budget.unwrap_or(BUDGET)
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Runs the functions in parallel; reports each as soon as those before it are reported.
    fn all(
        &self,
        wanted: &[Wanted<'a>],
        report: &mut Report,
        unreached: &mut Vec<Unreached>,
    ) -> Result<(RunFinished, Vec<Ran<'a>>)> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.config.jobs).stack_size(STACK).build();
        let threads = threads.context("start the threads")?;
        let progress = Progress::new(wanted.len(), self.config.verbosity > Verbosity::Quiet);
        let deadline = Instant::now() + self.budget();
        let work = first_work(self.budget(), wanted.iter().map(Wanted::weight));
        let at_once = self.config.jobs.clamp(1, wanted.len().max(1)) as u32;
        let shares = Shares::new(deadline, wanted.iter().map(Wanted::weight), at_once);
        let state = Told { report, unreached, counted: Counted::default(), ran: Vec::new() };
        let release =
            Release::new(Duration::MAX, state, |told: &mut Told<'_, 'a>, ran| told.add(ran, &progress));
        let open = Mutex::new(Vec::new());
        let function = |unfinished: Unfinished, share: Share| {
            let wanted = &wanted[unfinished.position];
            let shown = progress.start(&wanted.subject.spec.name);
            shown.generator(GENERATOR);
            let unfinished = self.explored(wanted, unfinished, share, &shown);
            if self.may_go_on(&unfinished) {
                shown.put_off();
                open.lock().unwrap_or_else(PoisonError::into_inner).push(unfinished);
            } else {
                drop(shown);
                release.put(unfinished.position, Ok(self.ran(wanted, unfinished.outcome)));
            }
        };
        threads.install(|| {
            let first = |(position, wanted): (usize, &Wanted)| {
                let weight = wanted.weight();
                if weight == Weight::Further && Instant::now() >= deadline {
                    return release.put(position, Err(wanted.call.key.clone()));
                }
                let share = Share { work: Some(weight.of(work)), budget: shares.next(weight) };
                function(Unfinished::new(position, weight), share);
            };
            wanted.iter().enumerate().par_bridge().for_each(first);
            rounds::go(&open, deadline, at_once, &function);
        });
        for unfinished in open.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let wanted = &wanted[unfinished.position];
            drop(progress.start(&wanted.subject.spec.name));
            release.put(unfinished.position, Ok(self.ran(wanted, unfinished.outcome)));
        }
        let Told { counted, ran, .. } = release.finish();
        progress.finish();
        counted.tell(self.config.verbosity);
        Ok((counted.all, ran))
    }

    /// Runs a function for a round.
    fn explored(&self, wanted: &Wanted<'a>, before: Unfinished, share: Share, shown: &Running) -> Unfinished {
        let explored = if self.is_interrupted() {
            Explored::broken("interrupted".to_owned())
        } else {
            self.outcome(wanted, &before, share, shown).unwrap_or_else(|error| {
                self.broken.store(true, Ordering::Relaxed);
                if before.saved.is_some() {
                    // The outcome of the round before stays.
                    errln!("error: {}: {error:#}", wanted.subject.spec.name);
                }
                Explored::broken(format!("{error:#}"))
            })
        };
        let Explored { saved, outcome, has_news } = explored;
        before.after(share.work, saved, outcome, has_news)
    }

    /// Whether the time is all that limits the cases: if the user gave it, and not the number of cases.
    fn uses_all_time(&self) -> bool {
        self.args.limits.budget.is_some() && self.args.limits.cases.is_none()
    }

    /// Whether another round may have more of a function.
    fn may_go_on(&self, unfinished: &Unfinished) -> bool {
        let limits = &self.args.limits;
        let may_raise = self.uses_all_time() && limits.depth.is_none() && limits.bound.is_none();
        unfinished.may_go_on(may_raise) && !self.is_interrupted()
    }

    /// The cap on the cases of a function without variants.
    fn cases(&self, wanted: &Wanted) -> u64 {
        if self.uses_all_time() { u64::MAX } else { wanted.weight().of(wanted.subject.settings.cases) }
    }

    /// What came of a function.
    fn ran(&self, wanted: &Wanted<'a>, outcome: Outcome) -> Ran<'a> {
        let Wanted { ready, subject, call, .. } = *wanted;
        let checked = &ready.public.checked;
        let describer = Describer {
            package: &checked.package.name,
            crate_name: &checked.catalog.crate_name,
            options: &[],
            subject,
            sources: &checked.sources,
            functions: &checked.manifest.functions,
        };
        let round = Round { number: 0, seed: self.args.seed };
        let mut row =
            FunctionFinished { generator: GENERATOR.into(), ..describer.finished(&outcome, true, round) };
        // The calls are in the findings.
        for found in [&mut row.counterexample, &mut row.boundary_counterexample].into_iter().flatten() {
            found.test = String::new();
            found.rerun =
                format!("cargo target run -p {} --api --exact {}", row.package, shell_word(&call.key));
        }
        let failing =
            outcome.failures.into_iter().map(|(found, n_cases)| Failing { call, subject, found, n_cases });
        Ran {
            name: subject.spec.name.clone(),
            function: call.function().to_owned(),
            is_law: matches!(call.what, Callee::Law { .. }),
            row,
            failing: failing.collect(),
            package: &checked.package.name,
        }
    }

    fn outcome(
        &self,
        wanted: &Wanted,
        before: &Unfinished,
        share: Share,
        shown: &Running,
    ) -> Result<Explored> {
        let Wanted { ready, number, subject, ref tested, .. } = *wanted;
        let Share { work, budget } = share;
        let package = ready.public.checked.package;
        let named = saved_as(subject);
        let saved = match &before.saved {
            Some(saved) => saved.clone(),
            None if self.args.no_saved => Vec::new(),
            None => saved::replayed(self.project, package, &named),
        };
        let mut examples = saved.clone();
        examples.truncate(runner::MOST_FAILURES);
        examples.extend(before.outcome.failures.iter().map(|(found, _)| found.args.clone()));
        let n_saved = examples.len();
        let spec = Spec { examples, ..subject.spec.clone() };
        let subject = &Subject { spec, ..subject.clone() };
        let raised = &before.raised(subject);
        let planning =
            Planning::one_of(self.config.jobs, &subject.settings, self.interrupted).with_budget(budget);
        let spaces = planning.within(|| (space(subject), space(raised)));
        let (first, subject) = match spaces {
            Ok((first, _)) => (first, raised),
            Err(stop) => {
                let outcome = Outcome::unplanned(GeneratorKind::Auto, stop, planning.reason(stop));
                return Ok(Explored { saved, outcome, has_news: false });
            }
        };
        let (watch, tested) = (ready.traces.clone(), Arc::clone(tested));
        let launch = Launch { watch, tested, ..launch(&ready.program, number, subject) };
        let feedback = launch.watch.as_ref().map(|_| Feedback::after(before.memory.known()));
        let cases = self.cases(wanted);
        let mut outcome = runner::run(Job {
            launch: &launch,
            kind: GeneratorKind::Auto,
            n_saved,
            generator: Box::new(|| {
                self.generator(&launch, subject, feedback.as_ref(), &before.memory, cases)
            }),
            planning,
            caps: Caps {
                // As many variants may come as other cases.
                cases: cases.saturating_mul(if feedback.is_some() { 2 } else { 1 }),
                work,
                budget,
                fail_fast: false,
                shrinks: Shrinks::All,
                keeps_all: true,
                jobs: 1,
            },
            interrupted: Arc::clone(self.interrupted),
            progress: &|step| show(shown, step),
            observe: None,
            feedback: feedback.clone(),
        })?;
        for (found, _) in &mut outcome.failures {
            // Those of earlier rounds are not from an earlier run, and each is shown with the first bounds.
            found.saved &= saved.contains(&found.args);
            found.is_inside &= first.contains(&found.args);
        }
        self.save(package, &named, &outcome, &subject.spec.name);
        let has_news = feedback.is_none_or(|feedback| feedback.has_news());
        Ok(Explored { saved, outcome, has_news })
    }

    /// Keeps the failing inputs of a function for the next run.
    fn save(&self, package: &Package, named: &Subject, outcome: &Outcome, name: &str) {
        let found: Vec<Counterexample> = outcome.failures.iter().map(|(found, _)| found.clone()).collect();
        if !self.args.no_saved
            && let Err(error) = saved::save(self.project, package, named, &found)
        {
            errln!("note: the failing inputs of `{name}` are not saved: {error:#}");
        }
    }

    /// The generator of a function's cases, with variants if there are traces.
    fn generator(
        &self,
        launch: &Launch,
        subject: &Subject,
        feedback: Option<&Feedback>,
        memory: &Memory,
        most_variants: u64,
    ) -> Box<dyn Generator> {
        let seed = self.args.seed;
        let wanted = generators::Wanted { seed, sample: None, size: None };
        let auto = generators::new(GeneratorKind::Auto, &launch.space, &subject.settings, wanted);
        match feedback {
            Some(traces) => {
                let kept = (traces.clone(), memory.clone());
                let narrowing = Narrowing::new(launch.space.clone(), auto, kept, seed);
                Box::new(narrowing.with_at_most(most_variants))
            }
            None => auto,
        }
    }

    /// The folder of a package below that of the workspace, with a slash.
    fn folder(&self, package: &Package) -> String {
        let workspace = self.project.workspace_manifest.parent();
        let below = workspace.and_then(|workspace| package.root().strip_prefix(workspace).ok());
        let below = below.map(|below| below.display().to_string()).unwrap_or_default();
        if below.is_empty() { below } else { format!("{below}/") }
    }

    /// Reports the findings, and what was not reached; returns the counts.
    fn conclude(
        &self,
        packages: &[Public],
        mut counts: RunFinished,
        ran: Vec<Ran>,
        unreached: &[Unreached],
        report: &mut Report,
    ) -> RunFinished {
        let mut by_package: Vec<Vec<Failing>> = packages.iter().map(|_| Vec::new()).collect();
        for ran in ran {
            let of = packages.iter().position(|public| public.checked.package.name == ran.package);
            by_package[of.unwrap_or_default()].extend(ran.failing);
        }
        let workspace = self.project.workspace_manifest.parent().unwrap_or(Path::new("/"));
        for (public, failing) in packages.iter().zip(by_package) {
            let source =
                Source { catalog: &public.checked.catalog, root: public.checked.package.root(), workspace };
            for finding in findings(&source, failing) {
                if finding.rank == Rank::Likely {
                    counts.exit_code = counts.exit_code.max(exit_code::COUNTEREXAMPLE);
                }
                report.event(&Event::Finding(Box::new(finding)));
            }
        }
        for unreached in unreached {
            report.event(&Event::Unreached(unreached.clone()));
        }
        if self.broken.load(Ordering::Relaxed) {
            counts.exit_code = counts.exit_code.max(exit_code::INTERNAL);
        }
        if self.is_interrupted() {
            counts.exit_code = counts.exit_code.max(exit_code::INTERRUPTED);
        }
        counts
    }
}
