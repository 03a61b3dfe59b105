//! The result of one generator on one function: the data that every report shows.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use target_bridge::generate::{GeneratorKind, Reached};
use target_strategies::beyond::Source;
use target_strategies::cancel::Stop;
use target_strategies::child::protocol::Failure;
use target_strategies::logic::eval::Boundary;
use target_strategies::logic::ir::{DataId, Term};
use target_strategies::logic::value::Value;

/// The counts and the verdict of one generator on one function.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The generator.
    pub generator: GeneratorKind,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it stopped; `None` if it ran out of members: see `exhausted`.
    pub stopped: Option<Stopped>,
    /// Whether every member of the space was run.
    pub exhausted: bool,
    /// Whether a cap on work or the budget ended it, also after every member of the space was run.
    pub is_cut_off: bool,
    /// Number of valid and discarded cases.
    pub cases: u64,
    /// Cases that satisfied the precondition and ran.
    pub valid: u64,
    /// Cases that the precondition rejected.
    pub discarded: u64,
    /// Number of different argument tuples among the valid cases.
    pub distinct: u64,
    /// Number of valid cases from the generator within depth and bound: no other cases, no examples.
    pub valid_inside: u64,
    /// Number of boundary cases among `cases`.
    pub boundary_cases: u64,
    /// Number of inputs outside the space that ran longer than the time limit.
    pub beyond_timeouts: u64,
    /// Number of inputs outside the space that took too long to judge.
    pub beyond_undecided: u64,
    /// The first of them; `None` if there is none.
    pub first_undecided: Option<Vec<Value>>,
    /// Number of inputs outside the space that were left out after several that took too long.
    pub left_out: u64,
    /// How far they reach in the space, if they don't exhaust it.
    pub reached: Reached,
    /// Number of the first failing case, inside the space or not: from 1, among all cases in order.
    pub cases_to_failure: Option<u64>,
    /// When that failure was counted, in seconds from the start.
    pub seconds_to_failure: Option<f64>,
    /// Seconds for generating and running, without building, confirming and shrinking.
    pub seconds: f64,
    /// The generator's part of it, which overlaps with running.
    pub generating: Duration,
    /// Time in the solver, added up over threads.
    pub solving: Duration,
    /// The growth of the counts.
    pub curve: Vec<Point>,
    /// A summary of some of the valid inputs.
    pub sketch: Sketch,
    /// What the run did not show; `None` if it didn't pass, or if not all of its valid cases could be looked at.
    pub notes: Option<Vec<Note>>,
    /// The first failure inside the space, confirmed and shrunk.
    pub counterexample: Option<Counterexample>,
    /// The first failure of a boundary case, confirmed and shrunk.
    pub boundary_counterexample: Option<Counterexample>,
    /// One of each failure, with the number of cases that fail so, if all were asked for.
    pub failures: Vec<(Counterexample, u64)>,
    /// What the subject returned, if one input was asked for and passed.
    pub returned: Option<Returned>,
    /// Some inputs on which the subject passed, if `--verbose` asked for them.
    pub examples: Vec<Returned>,
    /// The end of what the subject wrote to standard output and error, if one input was asked for.
    pub printed: Option<String>,
    /// The reasons why the generator did not find all inputs.
    pub unknowns: Vec<String>,
    /// The mistake in the spec, and its clauses: for [`Verdict::Error`] and [`Verdict::Vacuous`], and if all valid
    /// inputs are beyond depth and bound.
    pub problem: Option<Problem>,
}

/// The counts at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Seconds since the run began.
    pub seconds: f64,
    /// Number of valid and discarded cases.
    pub cases: u64,
    /// Cases that satisfied the precondition and ran.
    pub valid: u64,
    /// Number of different argument tuples among the valid cases.
    pub distinct: u64,
}

/// A summary of some of the valid inputs: the first ones, then fewer and fewer.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// Number of inputs in the summary.
    pub inputs: u64,
    /// Each size, and its number of inputs.
    pub sizes: Vec<(u64, u64)>,
    /// The boundaries in the spec, each with the number of inputs that touch it.
    pub boundaries: Vec<(Boundary, u64)>,
}

/// Something that a passing run did not show, though all of its valid cases were looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// The result was always this variant; for a `bool`, 0 or 1. The spec allows others.
    SameResult(u32),
    /// A condition of a postcondition never had one truth where it was judged.
    OneSided {
        /// The clause around it.
        clause: u32,
        /// The condition.
        condition: Term,
        /// The truth that it never had.
        never: bool,
    },
    /// A part that has few values had only some of them.
    FewValues {
        /// Its name.
        part: String,
        /// Number of its values that occurred.
        n_tried: u64,
        /// Number of values that the conditions on it alone allow.
        n_allowed: u64,
        /// Whether no other condition excludes one of them.
        is_exact: bool,
    },
    /// Variants of a part never occurred.
    MissingVariants {
        /// Its name.
        part: String,
        /// The enum; `None` for a `bool`.
        data: Option<DataId>,
        /// The variants that occurred.
        tried: Vec<u32>,
        /// The variants that the conditions on it alone allow, and that did not occur.
        missing: Vec<u32>,
    },
    /// A list or string was always short.
    ShortOnly {
        /// Its name.
        part: String,
        /// Its greatest length: of elements, or of characters.
        longest: u64,
        /// Whether it is a string.
        is_text: bool,
    },
}

/// The verdict of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All valid cases passed.
    Passed,
    /// Some valid case failed.
    Failed,
    /// No valid input was found, and the space was not exhausted.
    GaveUp,
    /// The space has no valid member, and no valid input was found beyond it.
    Vacuous,
    /// The spec itself failed: a `where` panicked, for example.
    Error,
}

/// Number of timeouts inside the space that end a run, and of those, or cases that took too much memory, outside it after which a
/// child runs no more cases from there: further ones would use up the budget.
pub const MOST_TIMEOUTS: u64 = 3;

/// Why a generator stopped before it was exhausted.
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
    /// Three inputs inside the space that ran longer than the time limit.
    Timeouts,
    /// Everything requested was run, which isn't the whole space.
    Asked,
    /// The generator could not find more inputs.
    Unknown,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The tool itself failed, or the system denied it a resource.
    ToolFailed,
}

/// What the subject returned.
#[derive(Clone, Debug)]
pub struct Returned {
    /// The arguments.
    pub args: Vec<Value>,
    /// The result, or the message of the panic that the spec demands.
    pub result: Result<Value, String>,
    /// The parameters on return, if some are `&mut`.
    pub after: Option<Vec<Value>>,
}

/// An argument tuple on which the subject fails.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The arguments, shrunk.
    pub args: Vec<Value>,
    /// How the subject fails on them.
    pub failure: Failure,
    /// Whether they are a member of the space.
    pub is_inside: bool,
    /// The source of the failing input before it was shrunk, if that makes inputs outside the space.
    pub source: Option<Source>,
    /// Whether it comes from the corpus.
    pub saved: bool,
    /// Whether it failed again, alone in a fresh process.
    pub confirmed: bool,
    /// If not confirmed: whether it failed again after the cases that its process had run before. Then it depends on
    /// state that outlives a call; otherwise it is flaky.
    pub replayed: bool,
    /// Number of successful shrinking steps.
    pub shrinks: u32,
    /// Number of smaller candidates that were tried.
    pub tries: u32,
    /// The generalized counterexample, if there is one: without the parts whose other tried values all fail alike.
    pub general: Option<General>,
}

/// A counterexample without the parts that don't seem to matter.
#[derive(Clone, Debug, PartialEq)]
pub struct General {
    /// The arguments, with [`Value::any`] for those parts.
    pub args: Vec<Value>,
    /// Number of inputs that were run with other values for those parts. All failed alike.
    pub tried: u64,
}

/// A mistake in a spec, found by running it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The message.
    pub message: String,
    /// How to fix it, if known.
    pub help: Option<String>,
    /// The clauses concerned.
    pub clauses: Vec<u32>,
    /// The arguments that revealed it.
    pub args: Option<Vec<Value>>,
}

impl Verdict {
    /// The name in reports.
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
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stopped::Cases => "cases",
            Stopped::Timeouts => "timeouts",
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
    /// The outcome of a run in which the tool itself failed.
    pub fn broken(generator: GeneratorKind, message: String) -> Outcome {
        let problem = Problem { message, help: None, clauses: Vec::new(), args: None };
        let outcome = Outcome::without_cases(generator, Verdict::Error);
        Outcome { stopped: Some(Stopped::ToolFailed), problem: Some(problem), ..outcome }
    }

    /// The outcome of a function that was not run because Rust code in its spec doesn't compile.
    pub fn uncompiled(generator: GeneratorKind) -> Outcome {
        let message = "the Rust code of its spec does not compile: see the error above".to_owned();
        let problem = Problem { message, help: None, clauses: Vec::new(), args: None };
        Outcome { problem: Some(problem), ..Outcome::without_cases(generator, Verdict::Error) }
    }

    /// The outcome if planning was stopped before the first case, with the reason.
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
            is_cut_off: false,
            cases: 0,
            valid: 0,
            discarded: 0,
            distinct: 0,
            valid_inside: 0,
            boundary_cases: 0,
            beyond_timeouts: 0,
            beyond_undecided: 0,
            first_undecided: None,
            left_out: 0,
            reached: Reached::default(),
            cases_to_failure: None,
            seconds_to_failure: None,
            seconds: 0.0,
            generating: Duration::ZERO,
            solving: Duration::ZERO,
            curve: Vec::new(),
            sketch: Sketch::default(),
            notes: None,
            counterexample: None,
            boundary_counterexample: None,
            failures: Vec::new(),
            returned: None,
            examples: Vec::new(),
            printed: None,
            unknowns: Vec::new(),
            problem: None,
        }
    }
}
