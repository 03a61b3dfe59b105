//! One function of a run: each generator on it, in each round.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Result;
use target_bridge::generate::{Generator, GeneratorKind};
use target_bridge::subject::Subject;
use target_strategies::ir::{Data, Spec};
use target_strategies::space::Space;

use super::{Run, launch, space};
use crate::args::GeneratorName;
use crate::checked::Checked;
use crate::config::Selected;
use crate::corpus::saved;
use crate::describe::{self, Describer, Round};
use crate::event::{FunctionCovered, FunctionFinished};
use crate::observations::Observer;
use crate::outcome::{Counterexample, Outcome, Problem, Stopped, Verdict};
use crate::planning::Planning;
use crate::runner::{self, Caps, Job, Seen};
use crate::{generators, harness};

/// The least time that a baseline gets.
const LEAST_BASELINE: Duration = Duration::from_secs(1);

/// What came of a function.
#[derive(Default)]
pub(super) struct Ran {
    pub(super) rows: Vec<FunctionFinished>,
    found: Vec<Counterexample>,
    /// What is to be done once more, counted.
    attempts: Vec<Done>,
    pub(super) covered: Vec<FunctionCovered>,
    /// The lines of the file of observations, if one is written.
    pub(super) observed: String,
}

/// One generator, once on a function.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    pub(super) kind: GeneratorKind,
    /// How many of the spec's examples come from the corpus.
    pub(super) n_saved: usize,
    budget: Duration,
    seed: u64,
}

/// What an attempt was about, and how many cases it had.
pub(super) type Done = (Attempt, Subject, u64);

impl Run<'_> {
    /// One function by all generators, in all rounds.
    pub(super) fn function(&self, package: &Checked, number: u32, subject: &Subject) -> Ran {
        let subject: &Subject = &self.with_builders(package, number, subject);
        let mut ran = Ran::default();
        for round in 0..self.args.repeat {
            let round = Round { number: round, seed: self.args.seed.wrapping_add(round.into()) };
            let is_over = self.round(package, number, subject, round, &mut ran);
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

    /// One function by each generator once, the main one first; the baselines are timed by it. Whether that is all that
    /// there is to be said of the function.
    fn round(&self, package: &Checked, number: u32, subject: &Subject, round: Round, ran: &mut Ran) -> bool {
        let describer = Describer {
            package: &package.package.name,
            crate_name: &package.catalog.crate_name,
            options: &self.options,
            subject,
            sources: &package.sources,
        };
        let mut budget = subject.settings.budget;
        let replaying = self.replaying(package, subject);
        let planning = Planning::new(&subject.settings, self.interrupted);
        let kinds = match planning.within(|| self.kinds(&space(subject))) {
            Ok(kinds) => kinds,
            Err(stop) => {
                let main = generators::kind_by_name(self.selected.generators[0]);
                let outcome = Outcome::unplanned(main, stop, planning.reason(stop));
                ran.rows.push(describer.finished(&outcome, true, round));
                return true;
            }
        };
        for (position, kind) in kinds.into_iter().enumerate() {
            let is_main = position == 0;
            // The baselines show what a generator finds by itself.
            let (subject, n_saved) = match &replaying {
                Some((subject, n_saved)) if is_main => (subject, *n_saved),
                _ => (subject, 0),
            };
            let mut observer = self.args.observations.as_ref().map(|_| {
                let name = describe::generator_name(kind);
                Observer::new(&describer, self.run_start, name, round, self.args.observed)
            });
            let attempt = Attempt { n_saved, kind, budget, seed: round.seed };
            let outcome = match self.generator(package, number, subject, attempt, observer.as_mut()) {
                Ok(outcome) => outcome,
                Err(error) => {
                    self.broken.store(true, Ordering::Relaxed);
                    Outcome::broken(kind, format!("{error:#}"))
                }
            };
            let over =
                matches!(outcome.verdict, Verdict::Vacuous | Verdict::Error) || self.args.case.is_some();
            // A comparison is one between equals.
            if is_main && !self.args.comparison {
                let main = Duration::from_secs_f64(outcome.seconds).max(LEAST_BASELINE);
                budget = budget.min(main);
            }
            if round.number == 0 && self.args.coverage {
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
        observer: Option<&mut Observer<'_>>,
    ) -> Result<Outcome> {
        let Attempt { n_saved, kind, budget, .. } = attempt;
        let settings = &subject.settings;
        let planning = Planning::new(settings, self.interrupted).with_budget(budget);
        let program = self.program(&package.package.name)?;
        // The space was made once, so it can be made again.
        let launch = launch(program, package.package, number, subject);
        let space = &launch.space;
        let mut see = observer.map(|observer| |seen: Seen<'_>| observer.see(seen));
        let job = Job {
            launch: &launch,
            kind,
            n_saved,
            generator: Box::new(|| self.source(attempt, space, subject)),
            planning: planning.clone(),
            caps: Caps {
                cases: self.selected.sample.unwrap_or(settings.cases),
                budget,
                fail_fast: !self.args.no_fail_fast,
                shrinks: !self.args.comparison,
                jobs: self.children,
            },
            interrupted: Arc::clone(self.interrupted),
            progress: &|_| {},
            observe: see.as_mut().map(|see| see as _),
        };
        let mut outcome = runner::run(job)?;
        if outcome.verdict == Verdict::Vacuous {
            outcome.problem = Some(planning.within(|| generators::vacuous(space)).unwrap_or_else(|stop| {
                let message = "no input within depth and bound satisfies the spec".to_owned();
                let help = Some(format!("why could not be found out: {}", planning.reason(stop)));
                Problem { message, help, clauses: Vec::new(), args: None }
            }));
        }
        if self.args.case.is_some() {
            outcome.stopped =
                outcome.stopped.filter(|reason| *reason != Stopped::Unknown).or(Some(Stopped::Cases));
            outcome.problem = outcome.problem.or_else(|| generators::refusal(subject));
        }
        Ok(outcome)
    }

    /// An attempt's generator, at its beginning.
    pub(super) fn source(&self, attempt: Attempt, space: &Space, subject: &Subject) -> Box<dyn Generator> {
        let Selected { sample, size, .. } = *self.selected;
        let wanted = generators::Wanted { seed: attempt.seed, sample, size };
        match self.args.case {
            Some(_) => generators::nothing(),
            None => generators::new(attempt.kind, space, &subject.settings, wanted),
        }
    }
}
