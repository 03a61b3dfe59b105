//! What happens in a run, in the words of the reports: each report is a fold of these, and the JSON report is nothing
//! but their serialisation, one object a line.
//!
//! The names and the meaning of the fields are a contract with other tools: [`VERSION`] changes when one of them does.

use serde::Serialize;

/// The version of the JSON stream.
pub const VERSION: u32 = 1;

/// Something that a report may show.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Event {
    /// The first: what will be run.
    RunStarted(RunStarted),
    /// A mistake in a spec.
    Diagnostic(DiagnosticEvent),
    /// One generator is through with one function.
    FunctionFinished(Box<FunctionFinished>),
    /// The last: the verdicts, counted.
    RunFinished(RunFinished),
}

/// What will be run.
#[derive(Clone, Debug, Serialize)]
pub struct RunStarted {
    /// [`VERSION`].
    pub version: u32,
    /// The version of the tool.
    pub tool: String,
    /// How many functions.
    pub functions: usize,
    /// The generators, the main one first.
    pub generators: Vec<&'static str>,
    /// The seed of the random baseline.
    pub seed: u64,
    /// The cargo profile that the crate is built with, and what is switched on in it.
    pub profile: String,
}

/// A mistake in a spec, with its place.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticEvent {
    /// `error` or `warning`.
    pub level: &'static str,
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
#[derive(Clone, Debug, Serialize)]
pub struct FunctionFinished {
    /// The package's name.
    pub package: String,
    /// The key of the spec.
    pub function: String,
    /// `smt`, `native`, `random` or `enumerative`.
    pub generator: &'static str,
    /// Whether it is the one whose verdict counts; the others are baselines.
    pub main: bool,
    /// `passed`, `failed`, `gave-up`, `vacuous` or `error`.
    pub verdict: &'static str,
    /// Valid and discarded together.
    pub cases: u64,
    /// Cases that satisfied the precondition and ran.
    pub valid: u64,
    /// Cases that the precondition refused.
    pub discarded: u64,
    /// Different argument tuples among the valid ones.
    pub distinct: u64,
    /// How many of the cases were boundary cases.
    pub boundary_cases: u64,
    /// Whether every member of the space was run.
    pub exhausted: bool,
    /// Why it stopped before.
    pub stopped: Option<&'static str>,
    /// 1-based, among all cases in order.
    pub cases_to_failure: Option<u64>,
    /// Generating and running.
    pub seconds: f64,
    /// The first failure inside the space, or else the first boundary failure.
    pub counterexample: Option<CounterexampleEvent>,
    /// The first boundary failure, where `counterexample` is one inside the space.
    pub boundary_counterexample: Option<CounterexampleEvent>,
    /// What kept the generator from finding all.
    pub unknowns: Vec<String>,
    /// What is wrong with the spec, for `vacuous` and `error`.
    pub problem: Option<ProblemEvent>,
    /// The reach of the space.
    pub depth: u32,
    /// The reach of the space.
    pub bound: u32,
}

/// A counterexample in the words of Rust.
#[derive(Clone, Debug, Serialize)]
pub struct CounterexampleEvent {
    /// The arguments as Rust expressions.
    pub args: Vec<String>,
    /// The result as a Rust expression.
    pub result: Option<String>,
    /// The parameters on return as Rust expressions, where some are `&mut`.
    pub after: Option<Vec<String>>,
    /// The kind of failure.
    pub failure: &'static str,
    /// The panic message or the like.
    pub message: String,
    /// `file:line:column` of a panic.
    pub location: Option<String>,
    /// The clause that broke, in the user's words.
    pub clause: Option<String>,
    /// Where that clause stands: `file:line:column`.
    pub clause_location: Option<String>,
    /// Whether it lies outside the space on purpose.
    pub boundary: bool,
    /// Whether it was tried first, because it stands in the corpus.
    pub saved: bool,
    /// Whether it failed again, alone in a fresh process.
    pub confirmed: bool,
    /// If it did not: whether it failed again behind the cases that its process had run before.
    pub replayed: bool,
    /// How many steps of shrinking succeeded.
    pub shrinks: u32,
    /// How many smaller candidates were tried.
    pub tries: u32,
    /// A test function that shows the failure.
    pub test: String,
    /// The command that runs just this case again.
    pub rerun: String,
}

/// What is wrong with a spec.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemEvent {
    /// In words.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The clauses concerned, in the user's words, with their places.
    pub clauses: Vec<ClauseEvent>,
    /// The arguments on which it showed, as Rust expressions.
    pub args: Option<Vec<String>>,
}

/// A clause and its place.
#[derive(Clone, Debug, Serialize)]
pub struct ClauseEvent {
    /// In the user's words.
    pub text: String,
    /// `file:line:column`
    pub location: String,
}

/// The verdicts of the main generators, counted by function.
#[derive(Clone, Debug, Default, Serialize)]
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
    /// The exit code of the process.
    pub exit_code: u8,
}
