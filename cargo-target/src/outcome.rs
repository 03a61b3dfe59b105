//! What came of running one generator on one function: the data that every report is a reading of.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use target_bridge::generate::GeneratorKind;
use target_strategies::cancel::Stop;
use target_strategies::eval::End;
use target_strategies::protocol::Failure;
use target_strategies::value::Value;

/// The counts and the verdict of one generator on one function.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Which generator.
    pub generator: GeneratorKind,
    /// What to conclude.
    pub verdict: Verdict,
    /// Why it stopped; `None` if it ran out of members: see `exhausted`.
    pub stopped: Option<Stopped>,
    /// Whether every member of the space was run.
    pub exhausted: bool,
    /// Valid and discarded together.
    pub cases: u64,
    /// Cases that satisfied the precondition and ran.
    pub valid: u64,
    /// Cases that the precondition refused.
    pub discarded: u64,
    /// Different argument tuples among the valid ones.
    pub distinct: u64,
    /// How many of `cases` were boundary cases.
    pub boundary_cases: u64,
    /// 1-based, among all cases in order; of the first failure, inside the space or not.
    pub cases_to_failure: Option<u64>,
    /// When that failure was counted.
    pub seconds_to_failure: Option<f64>,
    /// Generating and running, without building, confirming and shrinking.
    pub seconds: f64,
    /// How much of it the generator took, beside what runs.
    pub generating: Duration,
    /// Time in the solver, added up over threads.
    pub solving: Duration,
    /// How the counts grew.
    pub curve: Vec<Point>,
    /// What some of the valid inputs looked like.
    pub sketch: Sketch,
    /// The first failure inside the space, confirmed and shrunk.
    pub counterexample: Option<Counterexample>,
    /// The first failure of a boundary case, confirmed and shrunk.
    pub boundary_counterexample: Option<Counterexample>,
    /// What kept the generator from finding all, one reason each.
    pub unknowns: Vec<String>,
    /// What is wrong with the spec, and the clauses concerned: set for [`Verdict::Error`] and [`Verdict::Vacuous`], and
    /// where all valid inputs are beyond depth and bound.
    pub problem: Option<Problem>,
}

/// The counts at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Since the run began.
    pub seconds: f64,
    /// Valid and discarded together.
    pub cases: u64,
    /// Cases that satisfied the precondition and ran.
    pub valid: u64,
    /// Different argument tuples among the valid ones.
    pub distinct: u64,
}

/// What some of the valid inputs looked like: the first ones, and then ever fewer.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// How many were looked at.
    pub inputs: u64,
    /// How many there were of each size.
    pub sizes: Vec<(u64, u64)>,
    /// The lines that the spec draws, each with how many of the inputs touch it.
    pub ends: Vec<(End, u64)>,
}

/// What to conclude from a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All valid cases that were run passed.
    Passed,
    /// Some valid case failed.
    Failed,
    /// Nothing valid was found, and the space was not exhausted.
    GaveUp,
    /// The space has no valid member, and no valid input was found beyond it.
    Vacuous,
    /// The spec itself broke: a `where` that panicked, say.
    Error,
}

/// Why a generator stopped before it ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// The cap on valid inputs.
    Cases,
    /// The cap on time.
    Budget,
    /// A failure inside the space.
    Counterexample,
    /// All that was asked for was run, which isn't the whole space.
    Asked,
    /// The generator could not find the rest.
    Unknown,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The tool itself failed, or the system refused it something.
    ToolFailed,
}

/// An argument tuple on which the subject fails.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The arguments, as small as shrinking got them.
    pub args: Vec<Value>,
    /// How the subject fails on them.
    pub failure: Failure,
    /// Whether they come from a boundary case.
    pub boundary: bool,
    /// Whether it was tried because an earlier run, or somebody, put it into the corpus.
    pub saved: bool,
    /// Whether it failed again, alone in a fresh process.
    pub confirmed: bool,
    /// If it did not: whether it failed again behind the cases that its process had run before. Then it depends on
    /// state that outlives a call; otherwise it comes and goes.
    pub replayed: bool,
    /// How many steps of shrinking succeeded.
    pub shrinks: u32,
    /// How many smaller candidates were tried.
    pub tries: u32,
    /// The same, the parts replaced for which whatever was tried fails alike, if there are some.
    pub general: Option<General>,
}

/// A counterexample without the parts that don't seem to matter.
#[derive(Clone, Debug, PartialEq)]
pub struct General {
    /// The arguments, with [`Value::any`] for those parts.
    pub args: Vec<Value>,
    /// How many inputs were run with other values there, all of which failed alike.
    pub tried: u64,
}

/// What is wrong with a spec, found by running it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// In words.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
    /// The clauses concerned.
    pub clauses: Vec<u32>,
    /// The arguments on which it showed.
    pub args: Option<Vec<Value>>,
}

impl Verdict {
    /// The word of the reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::GaveUp => "gave-up",
            Verdict::Vacuous => "vacuous",
            Verdict::Error => "error",
        }
    }
}

impl Stopped {
    /// The word of the reports.
    pub fn name(self) -> &'static str {
        match self {
            Stopped::Cases => "cases",
            Stopped::Budget => "budget",
            Stopped::Counterexample => "counterexample",
            Stopped::Asked => "asked",
            Stopped::Unknown => "unknown",
            Stopped::Interrupted => "interrupted",
            Stopped::ToolFailed => "tool-failed",
        }
    }
}

impl Outcome {
    /// What the tool's own mistake makes of a generator's run.
    pub fn broken(generator: GeneratorKind, message: String) -> Outcome {
        let problem = Problem { message, help: None, clauses: Vec::new(), args: None };
        let outcome = Outcome::without_cases(generator, Verdict::Error);
        Outcome { stopped: Some(Stopped::ToolFailed), problem: Some(problem), ..outcome }
    }

    /// A run of which planning was stopped before the first case: why, in words.
    pub fn unplanned(generator: GeneratorKind, stop: Stop, reason: String) -> Outcome {
        let stopped = match stop {
            Stop::Interrupted | Stop::Unwanted => Stopped::Interrupted,
            Stop::Time => Stopped::Budget,
            Stop::Memory => Stopped::Unknown,
        };
        let outcome = Outcome::without_cases(generator, Verdict::GaveUp);
        Outcome { stopped: Some(stopped), unknowns: vec![reason], ..outcome }
    }

    fn without_cases(generator: GeneratorKind, verdict: Verdict) -> Outcome {
        Outcome {
            generator,
            verdict,
            stopped: None,
            exhausted: false,
            cases: 0,
            valid: 0,
            discarded: 0,
            distinct: 0,
            boundary_cases: 0,
            cases_to_failure: None,
            seconds_to_failure: None,
            seconds: 0.0,
            generating: Duration::ZERO,
            solving: Duration::ZERO,
            curve: Vec::new(),
            sketch: Sketch::default(),
            counterexample: None,
            boundary_counterexample: None,
            unknowns: Vec::new(),
            problem: None,
        }
    }
}
