//! Runs one function under a spec, and tells which inputs passed and which failed.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::GeneratorKind;
use target_strategies::child::protocol::FailureKind;
use target_strategies::logic::eval::admits;
use target_strategies::logic::ir::{Clause, Spec, Term};
use target_strategies::logic::value::Value;

use super::mutation::Observed;
use crate::events::outcome::Outcome;
use crate::run::generators;
use crate::run::launch::launch;
use crate::run::planning::Planning;
use crate::run::runner::{self, Caps, Fate, Job, Seen, Shrinks};
use crate::run::worker::Program;

/// Number of inputs of one exploration.
const CASES: u64 = 3_000;

/// Maximum number of inputs of each sort that are kept.
const KEPT: usize = 4_000;

/// Number of inputs of which the results are looked at, and maximum number of results that are kept.
const OBSERVED: (u64, usize) = (600, 300);

/// The program that runs a function, and the limits.
pub(super) struct Session<'s> {
    pub(super) program: &'s Arc<Program>,
    pub(super) number: u32,
    pub(super) interrupted: &'s Arc<AtomicBool>,
    /// The time of one exploration.
    pub(super) budget: Duration,
}

/// Inputs that were run.
#[derive(Debug, Default)]
pub(super) struct Explored {
    pub(super) passed: Vec<Vec<Value>>,
    pub(super) failed: Vec<Vec<Value>>,
    /// Number of inputs that failed otherwise than by a panic.
    pub(super) n_not_panics: usize,
    /// Number of inputs that ran too long, or took too much memory.
    pub(super) n_undecided: usize,
}

impl Explored {
    /// Adds other inputs.
    pub(super) fn add(&mut self, other: Explored) {
        self.n_not_panics += other.n_not_panics;
        self.n_undecided += other.n_undecided;
        for (own, new) in [(&mut self.passed, other.passed), (&mut self.failed, other.failed)] {
            own.extend(new);
            distinct(own);
        }
    }

    /// For each passing input, whether a spec admits it.
    pub(super) fn passed(&self, subject: &Subject) -> Vec<bool> {
        self.passed.iter().map(|args| admits(&subject.spec, args)).collect()
    }

    /// For each failing input, whether a spec admits it.
    pub(super) fn failed(&self, subject: &Subject) -> Vec<bool> {
        self.failed.iter().map(|args| admits(&subject.spec, args)).collect()
    }
}

/// Leaves one of each.
fn distinct(inputs: &mut Vec<Vec<Value>>) {
    let mut seen = HashSet::new();
    inputs.retain(|args| seen.insert(args.clone()));
}

impl Session<'_> {
    /// Runs the function on inputs of a spec. Of an input that ran too long it isn't known whether it fails.
    pub(super) fn explore(&self, subject: &Subject, seed: u64) -> Result<Explored> {
        let mut explored = Explored::default();
        let mut see = |seen: Seen<'_>| match seen.fate {
            Fate::Passed if explored.passed.len() < KEPT => explored.passed.push(seen.args.to_vec()),
            Fate::Failed(failure) if matches!(failure.kind, FailureKind::Timeout | FailureKind::Memory) => {
                explored.n_undecided += 1;
            }
            Fate::Failed(failure) => {
                explored.n_not_panics += usize::from(failure.kind != FailureKind::Panic);
                if explored.failed.len() < KEPT {
                    explored.failed.push(seen.args.to_vec());
                }
            }
            Fate::Passed | Fate::Discarded => {}
        };
        self.run(subject, seed, (CASES, false), Some(&mut see))?;
        distinct(&mut explored.passed);
        distinct(&mut explored.failed);
        Ok(explored)
    }

    /// What the function returned for inputs of a spec, and left in its parameters.
    pub(super) fn outcomes(&self, subject: &Subject, seed: u64) -> Result<Vec<Observed>> {
        // A child reports the results of failures only, so the spec promises what can't be.
        let never = Clause { id: 0, text: "false".to_owned(), term: Term::Lit(Value::Bool(false)) };
        let spec = Spec { ensures: vec![never], panics_if: None, ..subject.spec.clone() };
        let subject = Subject { spec, ..subject.clone() };
        let mut observed = Vec::new();
        let mut see = |seen: Seen<'_>| {
            if let Fate::Failed(failure) = seen.fate
                && let (FailureKind::Ensures, Some(result)) = (failure.kind, &failure.result)
                && observed.len() < OBSERVED.1
            {
                let (args, after) = (seen.args.to_vec(), failure.after.clone());
                observed.push(Observed { args, result: result.clone(), after });
            }
        };
        self.run(&subject, seed, (OBSERVED.0, false), Some(&mut see))?;
        Ok(observed)
    }

    /// The number of inputs on which the function satisfies a spec; `None` if it fails on one, or there are none.
    pub(super) fn holds(&self, subject: &Subject, seed: u64, cases: u64) -> Result<Option<usize>> {
        let outcome = self.run(subject, seed, (cases, true), None)?;
        let fails = outcome.counterexample.is_some()
            || outcome.boundary_counterexample.is_some()
            || outcome.problem.is_some();
        Ok((!fails && outcome.valid > 0).then_some(outcome.valid as usize))
    }

    fn run(
        &self,
        subject: &Subject,
        seed: u64,
        (cases, fail_fast): (u64, bool),
        observe: Option<&mut runner::Observe<'_>>,
    ) -> Result<Outcome> {
        let launch = launch(self.program, self.number, subject);
        let settings = generators::Wanted { seed, sample: None, size: None };
        let new = || generators::new(GeneratorKind::Auto, &launch.space, &subject.settings, settings);
        runner::run(Job {
            launch: &launch,
            kind: GeneratorKind::Auto,
            n_saved: 0,
            generator: Box::new(new),
            planning: Planning::new(&subject.settings, self.interrupted).with_budget(self.budget),
            caps: Caps {
                cases,
                work: None,
                budget: self.budget,
                fail_fast,
                shrinks: Shrinks::Nothing,
                keeps_all: false,
                jobs: 1,
            },
            interrupted: Arc::clone(self.interrupted),
            progress: &|_| {},
            observe: observe.map(|observe| observe as _),
            feedback: None,
        })
    }
}
