//! One function of a run: runs each generator in each round.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Result;
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::feedback::Feedback;
use target_bridge::generate::members::{Members, Next};
use target_bridge::generate::{Generator, GeneratorKind};
use target_strategies::child::protocol::FailureKind;
use target_strategies::logic::ir::Spec;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::Run;
use super::step::show;
use crate::events::describe::{self, Describer, Round};
use crate::events::outcome::{Counterexample, Outcome, Problem, Returned, Stopped, Verdict};
use crate::events::{FunctionCovered, FunctionFinished};
use crate::options::config::Selected;
use crate::report::progress::Running;
use crate::run::checked::Checked;
use crate::run::corpus::saved;
use crate::run::generators;
use crate::run::launch::{launch, space, with_builders};
use crate::run::observations::Observer;
use crate::run::planning::Planning;
use crate::run::runner::{self, Caps, Job, Seen, Shrinks, Step};
use crate::run::worker::Launch;
use crate::system::console::Verbosity;

/// Minimum time of a baseline: enough for thousands of cases. An unoptimized build of the tool, which only its own tests
/// run, is slower.
const LEAST_BASELINE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2000 } else { 100 });

/// Maximum number of inputs that are shown of a function that passed.
const MOST_EXAMPLES: usize = 5;

/// The result of a function.
#[derive(Default)]
pub(super) struct Ran {
    /// The function's name.
    pub(super) name: String,
    pub(super) rows: Vec<FunctionFinished>,
    found: Vec<Counterexample>,
    /// The attempts to repeat for coverage, with their numbers of cases.
    attempts: Vec<Done>,
    pub(super) covered: Vec<FunctionCovered>,
    /// The lines for the file of observations, if there is one.
    pub(super) observed: String,
}

/// One run of a generator on a function.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    pub(super) kind: GeneratorKind,
    /// Number of the spec's examples that come from the corpus.
    pub(super) n_saved: usize,
    budget: Duration,
    seed: u64,
    /// Whether another generator has found that the function hangs.
    is_hanging: bool,
}

/// Who is told of cases and of their number.
type Told<'t, 'o> = (Option<&'t mut Observer<'o>>, &'t (dyn Fn(Step<'_>) + Sync));

/// A finished attempt, its subject, and its number of cases.
pub(super) type Done = (Attempt, Subject, u64);

impl Run<'_> {
    /// Runs all generators in all rounds on one function.
    pub(super) fn function(&self, package: &Checked, number: u32, subject: &Subject, shown: &Running) -> Ran {
        let program = self.program(&package.package.name).ok();
        let program = program.map(|program| program.path.as_path());
        let subject: &Subject = &with_builders(program, number, subject);
        let mut ran = Ran { name: subject.spec.name.clone(), ..Ran::default() };
        for round in 0..self.args.repeat {
            let round = Round { number: round, seed: self.args.seed.wrapping_add(round.into()) };
            let is_over = self.round(package, (number, subject), round, shown, &mut ran);
            if is_over || self.is_interrupted() {
                break;
            }
        }
        if self.keeps_saved()
            && let Err(error) = saved::save(self.project, package.package, subject, &ran.found)
        {
            errln!("note: the counterexamples of `{}` are not saved: {error:#}", subject.spec.name);
        }
        ran.covered = self.covered(package, number, subject, std::mem::take(&mut ran.attempts));
        ran
    }

    /// Runs each generator once on one function, the main one first; its time limits the baselines. Returns whether the
    /// function is finished.
    fn round(
        &self,
        package: &Checked,
        (number, subject): (u32, &Subject),
        round: Round,
        shown: &Running,
        ran: &mut Ran,
    ) -> bool {
        let describer = Describer {
            package: &package.package.name,
            crate_name: &package.catalog.crate_name,
            options: &self.options,
            subject,
            sources: &package.sources,
            functions: &package.manifest.functions,
        };
        let mut budget = subject.settings.budget;
        let replaying = self.replaying(package, subject);
        let planning = self.planning(subject);
        let kinds: Vec<GeneratorKind> =
            self.selected.generators.iter().map(|name| generators::kind(*name)).collect();
        if self.is_broken(package, number) {
            ran.rows.push(describer.finished(&Outcome::uncompiled(kinds[0]), true, round));
            return true;
        }
        if let Err(stop) = planning.within(|| space(subject)) {
            let outcome = Outcome::unplanned(kinds[0], stop, planning.reason(stop));
            ran.rows.push(describer.finished(&outcome, true, round));
            return true;
        }
        for (position, kind) in kinds.into_iter().enumerate() {
            let is_main = position == 0;
            // The baselines show what a generator finds without the corpus.
            let (subject, n_saved) = match &replaying {
                Some((subject, n_saved)) if is_main => (subject, *n_saved),
                _ => (subject, 0),
            };
            let mut observer = self.args.observations.as_ref().map(|_| {
                let name = describe::generator_name(kind);
                Observer::new(&describer, self.run_start, name, round, self.args.observed)
            });
            let is_hanging = ran.found.iter().any(|found| found.failure.kind == FailureKind::Timeout);
            let attempt = Attempt { n_saved, kind, budget, seed: round.seed, is_hanging };
            shown.generator(describe::generator_name(kind));
            let progress = |step: Step<'_>| show(shown, step);
            let outcome =
                match self.generator(package, number, subject, attempt, (observer.as_mut(), &progress)) {
                    Ok(outcome) => outcome,
                    Err(error) => {
                        self.broken.store(true, Ordering::Relaxed);
                        Outcome::broken(kind, format!("{error:#}"))
                    }
                };
            let over =
                matches!(outcome.verdict, Verdict::Vacuous | Verdict::Error) || self.args.case.is_some();
            // In a comparison, all generators get the same time.
            if is_main && !self.args.comparison {
                let main = Duration::from_secs_f64(outcome.seconds).max(LEAST_BASELINE);
                budget = budget.min(main);
            }
            if round.number == 0 && self.args.coverage && outcome.cases > 0 {
                ran.attempts.push((attempt, subject.clone(), outcome.cases));
            }
            let row = describer.finished(&outcome, is_main, round);
            ran.observed.extend(observer.map(|observer| observer.finish(&row)));
            ran.rows.push(row);
            ran.found.extend(outcome.counterexample.into_iter().chain(outcome.boundary_counterexample));
            if is_main && over {
                return true;
            }
        }
        false
    }

    /// The limits of planning for a function, while other functions run.
    pub(super) fn planning(&self, subject: &Subject) -> Planning {
        Planning::one_of(self.at_once, &subject.settings, self.interrupted)
    }

    /// Whether counterexamples are saved and replayed. Not in a comparison of generators.
    fn keeps_saved(&self) -> bool {
        !self.args.no_saved && self.args.case.is_none() && self.args.repeat == 1
    }

    /// The subject with the corpus entries as its first examples, and their number; `None` if there are no entries.
    fn replaying(&self, package: &Checked, subject: &Subject) -> Option<(Subject, usize)> {
        if !self.keeps_saved() {
            return None;
        }
        let mut saved = saved::replayed(self.project, package.package, subject);
        // An example in the manifest stays an example, even if the corpus lists it as a boundary case.
        saved.retain(|args| !subject.spec.examples.contains(args));
        let n_saved = saved.len();
        saved.extend_from_slice(&subject.spec.examples);
        let spec = Spec { examples: saved, ..subject.spec.clone() };
        (n_saved > 0).then(|| (Subject { spec, ..subject.clone() }, n_saved))
    }

    fn generator(
        &self,
        package: &Checked,
        number: u32,
        subject: &Subject,
        attempt: Attempt,
        (observer, progress): Told<'_, '_>,
    ) -> Result<Outcome> {
        let Attempt { n_saved, kind, budget, is_hanging, .. } = attempt;
        let settings = &subject.settings;
        let shrinks = if self.args.comparison || (self.args.case.is_some() && !self.args.shrink) {
            Shrinks::Nothing
        } else if is_hanging {
            Shrinks::ButTimeouts
        } else {
            Shrinks::All
        };
        let planning = self.planning(subject).with_budget(budget);
        let program = self.program(&package.package.name)?;
        // Making the space succeeded before, so it succeeds again.
        let launch = launch(program, number, subject);
        let space = &launch.space;
        let mut see = observer.map(|observer| |seen: Seen<'_>| observer.see(seen));
        let wanted = self.wanted(attempt);
        let unfolds = self.args.case.is_none() && generators::may_unfold(kind, space, subject, wanted);
        let feedback = unfolds.then(Feedback::default);
        let job = Job {
            launch: &launch,
            kind,
            n_saved,
            generator: Box::new(|| match feedback.clone() {
                Some(feedback) => generators::unfolding(kind, space, settings, wanted, feedback),
                None => self.source(attempt, space, subject),
            }),
            planning: planning.clone(),
            caps: Caps {
                cases: self.selected.sample.unwrap_or(settings.cases),
                work: None,
                budget,
                fail_fast: !self.args.no_fail_fast,
                keeps_all: false,
                shrinks,
                jobs: self.children,
            },
            interrupted: Arc::clone(self.interrupted),
            progress,
            observe: see.as_mut().map(|see| see as _),
            feedback: feedback.clone(),
        };
        let mut outcome = runner::run(job)?;
        let has_no_valid = matches!(outcome.verdict, Verdict::Vacuous | Verdict::GaveUp);
        // Why a requested case is rejected is found below.
        let rejected = (has_no_valid && self.args.case.is_none())
            .then(|| generators::rejected_by_code(kind, space.spec(), outcome.discarded))
            .flatten();
        if rejected.is_some() {
            outcome.problem = rejected;
        } else if outcome.verdict == Verdict::Vacuous {
            outcome.problem = Some(planning.within(|| generators::vacuous(space)).unwrap_or_else(|stop| {
                let message = "no input within depth and bound satisfies the spec".to_owned();
                let help = Some(format!("why could not be found out: {}", planning.reason(stop)));
                Problem { message, help, clauses: Vec::new(), args: None }
            }));
        }
        if self.args.case.is_some() {
            outcome.stopped =
                outcome.stopped.filter(|reason| *reason != Stopped::Unknown).or(Some(Stopped::Cases));
            outcome.problem = outcome.problem.or_else(|| generators::refusal(subject, outcome.discarded > 0));
            if matches!(outcome.verdict, Verdict::Passed | Verdict::Failed)
                && let Some(args) = subject.spec.examples.first()
            {
                let seen = runner::see(&launch, args, self.interrupted)?;
                outcome.returned = seen.returned.filter(|_| outcome.verdict == Verdict::Passed);
                outcome.printed = Some(seen.printed).filter(|printed| !printed.is_empty());
            }
        }
        let is_main = self.selected.generators.first().is_some_and(|name| generators::kind(*name) == kind);
        let is_shown = is_main && self.config.verbosity == Verbosity::Verbose && self.args.case.is_none();
        if is_shown && outcome.verdict == Verdict::Passed {
            let examples = planning.within(|| self.examples(&launch, attempt, subject));
            outcome.examples = examples.unwrap_or_default();
        }
        Ok(outcome)
    }

    /// The first inputs of an attempt, with what the subject returns.
    fn examples(&self, launch: &Launch, attempt: Attempt, subject: &Subject) -> Vec<Returned> {
        let mut members = Members::of(&launch.space, self.source(attempt, &launch.space, subject));
        let mut inputs: Vec<Vec<Value>> = Vec::new();
        while inputs.len() < MOST_EXAMPLES
            && let Next::Member(input) = members.advance()
        {
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
        // An input that can't be run again is not shown.
        let seen = inputs.iter().filter_map(|args| runner::see(launch, args, self.interrupted).ok());
        seen.filter_map(|seen| seen.returned).collect()
    }

    fn wanted(&self, attempt: Attempt) -> generators::Wanted {
        let Selected { sample, size, .. } = *self.selected;
        generators::Wanted { seed: attempt.seed, sample, size }
    }

    /// The generator of an attempt, at its start.
    pub(super) fn source(&self, attempt: Attempt, space: &Space, subject: &Subject) -> Box<dyn Generator> {
        let wanted = self.wanted(attempt);
        match self.args.case {
            Some(_) => generators::nothing(),
            None => generators::different(attempt.kind, space, subject)
                .unwrap_or_else(|| generators::new(attempt.kind, space, &subject.settings, wanted)),
        }
    }
}
