//! The events of a run: each report is a fold of these. The JSON report is their serialization, one object a line; a
//! run's record is a file of the same lines ([`crate::report::record`]), from which every report can be made again.
//!
//! The names and meanings of the fields are a contract with other tools, documented in `docs/events.schema.json`:
//! [`VERSION`] increases when one of them changes.

mod coverage;
mod finding;
mod notes;
pub mod outcome;
pub mod describe;
pub mod words;
pub mod json;

use std::borrow::Cow;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use target_bridge::generate::SetReached;

use crate::events::outcome::{Stopped, Verdict};
pub use coverage::{
    AddingInput, CoveredPoint, FileCovered, FunctionCount, FunctionCovered, LineCount, PackageCovered, Place,
    RegionEvent, Share,
};
pub use finding::{Finding, FindingKind, Rank, Unreached};
pub use notes::{ClauseEvent, NoteEvent};

/// Version of the JSON stream, an integer; see above.
pub const VERSION: u32 = 3;

/// A word from a fixed list.
pub type Word = Cow<'static, str>;

/// A name under `--generator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GeneratorName {
    /// All inputs of the space, boundary cases and larger inputs, interleaved.
    Auto,
    /// The inputs of the space, by the engine that counts and lists them.
    Native,
    /// The inputs of the space, by Z3.
    Smt,
    /// Extreme values, outside the space.
    Boundary,
    /// Larger structures and values, outside the space.
    Large,
    /// proptest's own strategies, filtered.
    Random,
    /// All values by size, filtered.
    Enumerative,
}

/// Something that a report may show.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Event {
    /// The first: what will be run.
    RunStarted(RunStarted),
    /// A mistake in a spec.
    Diagnostic(DiagnosticEvent),
    /// One generator is through with one function.
    FunctionFinished(Box<FunctionFinished>),
    /// What one generator's inputs reached of the user's code, with `--coverage`: after all that the generators found.
    FunctionCovered(Box<FunctionCovered>),
    /// What was reached of a package, with `--coverage`: after all its functions.
    PackageCovered(Box<PackageCovered>),
    /// A failure of public functions that have no spec, after all functions.
    Finding(Box<Finding>),
    /// A public function that was not tested.
    Unreached(Unreached),
    /// The last: the verdicts, counted.
    RunFinished(RunFinished),
}

/// A set of inputs that differ pairwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DifferentEvent {
    /// Number of inputs asked for.
    pub asked: u64,
    /// Number of inputs found.
    pub found: u64,
    /// Whether no other input differs from all of them.
    pub maximal: bool,
    /// Whether there is no larger set.
    pub proved: bool,
    /// The combinations of kinds, if these are what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combinations: Option<CombinationsEvent>,
}

/// The combinations of kinds that the inputs of a set have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CombinationsEvent {
    /// Number of combinations that some input has.
    pub covered: u64,
    /// Number of all combinations, among them those that no input can have.
    pub all: u64,
}

impl DifferentEvent {
    /// The event of a set.
    pub fn of(set: SetReached) -> DifferentEvent {
        let SetReached { n_asked, n_found, is_maximal, is_proved, covered } = set;
        let combinations =
            covered.map(|found| CombinationsEvent { covered: found.n_covered, all: found.n_all });
        DifferentEvent {
            asked: n_asked,
            found: n_found,
            maximal: is_maximal,
            proved: is_proved,
            combinations,
        }
    }
}

/// What will be run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunStarted {
    /// The version of the stream.
    pub version: u32,
    /// The version of the tool.
    pub tool: String,
    /// How many functions.
    pub functions: usize,
    /// The generators, the main one first.
    pub generators: Vec<Word>,
    /// The seed of the random baseline, in the first round.
    pub seed: u64,
    /// Whether generators are compared: then each has the same limits, failures are left as they are found, and
    /// don't count in the exit code.
    #[serde(default)]
    pub comparison: bool,
    /// How many rounds each generator has on each function: the seed grows by one from each to the next.
    pub rounds: u32,
    /// When it began, in seconds since 1970, UTC.
    pub started: u64,
    /// The cargo profile that the crate is built with, and what is switched on in it.
    pub profile: String,
}

/// A mistake in a spec, with its location.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiagnosticEvent {
    /// `error` or `warning`.
    pub level: Word,
    /// What is wrong.
    pub message: String,
    /// The file, relative to the current directory where possible.
    pub file: String,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// What to do.
    pub help: Option<String>,
    /// The whole as text with an excerpt, for people.
    #[serde(skip)]
    pub rendered: String,
}

/// One generator on one function.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FunctionFinished {
    /// The package's name.
    pub package: String,
    /// The key of the spec.
    pub function: String,
    /// The call as Rust, with `{}` for each argument, if functions that the function returns are called: `adder({})({})`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// `auto`, `native`, `smt`, `boundary`, `large`, `random` or `enumerative`.
    pub generator: Word,
    /// Whether it is the one whose verdict counts; the others are baselines.
    pub main: bool,
    /// The round, from 0.
    pub round: u32,
    /// The seed of the round.
    pub seed: u64,
    /// `passed`, `failed`, `gave-up`, `vacuous` or `error`.
    pub verdict: Verdict,
    /// Valid and discarded together.
    pub cases: u64,
    /// Cases that satisfied the precondition and ran.
    pub valid: u64,
    /// Cases that the precondition rejected.
    pub discarded: u64,
    /// Different argument tuples among the valid ones.
    pub distinct: u64,
    /// How many of the valid cases the generator listed within depth and bound; examples don't count.
    pub valid_inside: u64,
    /// How many of the cases were boundary cases.
    pub boundary_cases: u64,
    /// Number of those that ran longer than the time limit. No more are run after three of them, or of those that took
    /// too much memory.
    pub beyond_timeouts: u64,
    /// Number of inputs outside the space that took too long to judge, so that nothing is known of them. They are not
    /// cases.
    pub beyond_undecided: u64,
    /// The arguments of the first input outside the space that took too long to judge; `null` if none did.
    pub first_undecided: Option<Vec<String>>,
    /// Number of inputs outside the space that were left out after several that took too long to run or to judge or
    /// too much memory, or overflowed the stack.
    pub left_out: u64,
    /// Whether every member of the space was run.
    pub exhausted: bool,
    /// Why it stopped before.
    pub stopped: Option<Stopped>,
    /// If it stopped before: all inputs of the space up to this size were run.
    pub complete_size: Option<u64>,
    /// The number of valid inputs in the space, if known.
    pub space: Option<u64>,
    /// The set of inputs that differ pairwise, if such a set was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub different: Option<DifferentEvent>,
    /// 1-based, among all cases in order.
    pub cases_to_failure: Option<u64>,
    /// When that failure was counted.
    pub seconds_to_failure: Option<f64>,
    /// Generating and running.
    pub seconds: f64,
    /// How much of it the generator took in the tool itself, next to what runs.
    pub generating_seconds: f64,
    /// Time in the solver, added up over threads.
    pub solver_seconds: f64,
    /// How the counts grew, at numbers of cases about a tenth apart; the last point is the end.
    pub curve: Vec<PointEvent>,
    /// What valid inputs looked like.
    pub sketch: SketchEvent,
    /// What the inputs did not show, if the verdict is `passed`. All valid inputs were looked at for this, so an empty list
    /// says that there is nothing to note. `null` if that isn't known: after another verdict, with fewer than 20 valid
    /// inputs, if a process ended before it could report, or if inputs outside the space were left out.
    #[serde(default)]
    pub notes: Option<Vec<NoteEvent>>,
    /// The first failure inside the space, or else the first boundary failure.
    pub counterexample: Option<CounterexampleEvent>,
    /// The first boundary failure, where `counterexample` is one inside the space.
    pub boundary_counterexample: Option<CounterexampleEvent>,
    /// What the function returned, if one input was asked for and passed.
    pub returned: Option<ReturnedEvent>,
    /// Some inputs on which the function passed, if `--verbose` asked for them.
    pub examples: Vec<ReturnedEvent>,
    /// The end of what the function wrote to standard output and error, if one input was asked for and it wrote something.
    pub printed: Option<String>,
    /// What kept the generator from finding all.
    pub unknowns: Vec<String>,
    /// What is wrong with the spec: for `vacuous` and `error`, and where all valid inputs are beyond depth and bound.
    pub problem: Option<ProblemEvent>,
    /// The reach of the space.
    pub depth: u32,
    /// The reach of the space.
    pub bound: u32,
}

/// The counts at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PointEvent {
    /// Since the run of the generator began.
    pub seconds: f64,
    /// Valid and discarded together.
    pub cases: u64,
    /// Cases that satisfied the precondition and ran.
    pub valid: u64,
    /// Different argument tuples among the valid ones.
    pub distinct: u64,
}

/// What valid inputs looked like. Of many inputs only some are looked at: the first ones, and then ever fewer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SketchEvent {
    /// How many inputs were looked at.
    pub inputs: u64,
    /// How many there were of each size: elements, characters, constructors with fields.
    pub sizes: Vec<SizeEvent>,
    /// How often each boundary of the spec was touched.
    pub boundaries: Vec<BoundaryEvent>,
}

/// A size, and how many inputs had it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SizeEvent {
    /// The size.
    pub size: u64,
    /// How many.
    pub inputs: u64,
}

/// A boundary of a range: a comparison of the spec where it is just satisfied, or an extreme of a machine type.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BoundaryEvent {
    /// The part of the input: a parameter's name, followed by the path inside it.
    pub part: String,
    /// What holds there: `v == n - 1`.
    pub condition: String,
    /// How many of the inputs had it somewhere.
    pub inputs: u64,
}

/// What a function returned, in the words of Rust.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReturnedEvent {
    /// The arguments as Rust expressions.
    pub args: Vec<String>,
    /// The result as a Rust expression, if the tool can read it.
    pub result: Option<String>,
    /// The message of the panic, if it panicked as the spec demands.
    pub panicked: Option<String>,
    /// The parameters on return as Rust expressions, where some are `&mut`.
    pub after: Option<Vec<String>>,
}

/// A counterexample in the words of Rust.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CounterexampleEvent {
    /// The arguments as Rust expressions.
    pub args: Vec<String>,
    /// The result as a Rust expression.
    pub result: Option<String>,
    /// The parameters on return as Rust expressions, where some are `&mut`.
    pub after: Option<Vec<String>>,
    /// The kind of failure.
    pub failure: Word,
    /// The panic message or the like.
    pub message: String,
    /// `file:line:column` of a panic.
    pub location: Option<String>,
    /// The clause that broke, in the user's words.
    pub clause: Option<String>,
    /// The location of that clause: `file:line:column`.
    pub clause_location: Option<String>,
    /// Whether it lies outside the space. `false` for those of earlier runs that were not run again.
    pub boundary: bool,
    /// The source of an input outside the space: `boundary` or `large`. `None` for others, and for those that were saved or
    /// given.
    pub source: Option<Word>,
    /// Whether it was tried first, because it is in the corpus.
    pub saved: bool,
    /// Whether it failed again, alone in a fresh process.
    pub confirmed: bool,
    /// If it did not: whether it failed again after the cases that its process had run before.
    pub replayed: bool,
    /// How many steps of shrinking succeeded.
    pub shrinks: u32,
    /// How many smaller candidates were tried.
    pub tries: u32,
    /// The same, with the parts replaced for which all tried values fail; `None` if there are none.
    pub general: Option<GeneralEvent>,
    /// The types in the arguments whose private fields were set to any values of their types.
    #[serde(default)]
    pub unguarded: Vec<String>,
    /// A test function that shows the failure.
    pub test: String,
    /// The command that runs just this case again.
    pub rerun: String,
}

/// A counterexample without the parts that don't seem to matter: the subject fails for all values tried there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GeneralEvent {
    /// The arguments as Rust expressions, with `any_1`, `any_2` .. for those parts.
    pub args: Vec<String>,
    /// How many inputs that the spec admits were run with other values there; all of them failed alike.
    pub tried: u64,
}

/// What is wrong with a spec.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProblemEvent {
    /// In words.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The clauses concerned, in the user's words, with their locations.
    pub clauses: Vec<ClauseEvent>,
    /// The arguments on which it showed, as Rust expressions.
    pub args: Option<Vec<String>>,
}

/// The verdicts of the main generators, counted by function.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunFinished {
    /// All of them.
    pub functions: usize,
    /// No failure.
    pub passed: usize,
    /// Some generator found a counterexample.
    pub failed: usize,
    /// Nothing valid was found.
    pub gave_up: usize,
    /// No input satisfies the spec.
    pub vacuous: usize,
    /// The spec broke.
    pub errors: usize,
    /// The tool itself failed, or the system denied it something.
    #[serde(default)]
    pub not_run: usize,
    /// The exit code of the process.
    pub exit_code: u8,
    /// The whole run, building included.
    pub seconds: f64,
}

#[cfg(test)]
mod tests;
