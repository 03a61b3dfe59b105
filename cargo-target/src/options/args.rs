//! The command line as typed. [`crate::options::config`] resolves it.

mod compare;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::events::GeneratorName;
use crate::report::{MessageFormat, ReportFormat};
use crate::system::console::Color;
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use compare::CompareGenerators;

/// `cargo target ..`, as cargo calls it.
#[derive(Debug, Parser)]
#[command(name = "cargo", bin_name = "cargo", styles = clap_cargo::style::CLAP_STYLING)]
pub enum Cargo {
    /// Test functions on every input that their refinement types admit.
    #[command(name = "target", version, arg_required_else_help = true)]
    Target(Target),
}

/// The subcommands and what they share.
#[derive(Debug, Args)]
pub struct Target {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Generate inputs, run the functions, report counterexamples.
    Run(Run),
    /// Run each generator several times on each function, and rank them.
    CompareGenerators(CompareGenerators),
    /// Look for mistakes in the specs; build and run nothing.
    Check(BuildCheck),
    /// List the functions that have a spec.
    List(Check),
    /// Tell how many inputs a function's spec admits; run none.
    Count(Count),
    /// Print some inputs of a function, or values of a named type; run nothing.
    Sample(Sample),
    /// Show a run again: on the terminal, as a page, as a file for other tools.
    Report(Report),
    /// Show what each stage makes of a function's spec.
    Explain(Explain),
    /// Write proptest strategies for functions' arguments and named types into a file for the crate's tests.
    Strategies(Strategies),
    /// Write seeds for fuzz targets, and fuzz targets.
    Fuzz(Fuzz),
    /// Write the inputs worth keeping into corpus files, or check the files.
    Corpus(Corpus),
    /// Print a test for each counterexample of the corpus.
    Tests(Tests),
    /// Write first specs for one function or all functions of the crate into Cargo.toml.
    #[command(mut_arg("all", all_functions))]
    Init(Init),
    /// Suggest specs from what functions do: conditions that keep them from panicking, and what holds of results.
    Suggest(Suggest),
    /// Print the types of strings that specs can use by name, such as `Email`, with their texts.
    Types(Types),
    /// Show the language of specs on one screen.
    #[command(override_help = SPEC_LANGUAGE)]
    Spec,
}

/// The language of specs on one screen.
pub const SPEC_LANGUAGE: &str = include_str!("spec.txt");

/// The generators if none are named.
const DEFAULT_GENERATORS: &str = "auto,random,enumerative";

/// `cargo target run`
#[derive(Debug, Args)]
pub struct Run {
    /// Only functions whose key contains one of these words.
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
    /// Functions whose key is exactly the FILTER.
    #[arg(long)]
    pub exact: bool,
    /// Test the public functions without specs, also where there are specs.
    #[arg(long, conflicts_with_all = ["case", "generator", "sample", "size", "repeat", "coverage", "observations"])]
    pub api: bool,
    /// Run only this argument tuple, such as '(1, vec![2])', and show what the function returns; needs a FILTER that matches one function.
    #[arg(long, value_name = "TUPLE", allow_hyphen_values = true)]
    pub case: Option<String>,
    /// Shrink the argument tuple of `--case` if it fails.
    #[arg(long, requires = "case")]
    pub shrink: bool,
    /// The generators: the first one is the main one, the others are baselines.
    #[arg(
        long,
        short = 'g',
        value_name = "LIST",
        value_delimiter = ',',
        default_value = DEFAULT_GENERATORS
    )]
    pub generator: Vec<GeneratorName>,
    /// Run all cases even after a failure.
    #[arg(long)]
    pub no_fail_fast: bool,
    /// Run this many inputs sampled at random, each as likely as any other; by the native generator alone.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "case")]
    pub sample: Option<u64>,
    /// Only inputs of this size, or `max` for the greatest that there is; by the native generator alone.
    #[arg(long, value_name = "S", conflicts_with = "case")]
    pub size: Option<Size>,
    /// The seed of the random baseline, of `--sample`, and of boundary cases and larger inputs.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Run each generator this many times on each function, the seed growing by one each time, to compare the generators.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "case")]
    pub repeat: u32,
    /// Tell what the inputs of each generator reach of the crate's code, in a build of its own.
    #[arg(long, conflicts_with = "case")]
    pub coverage: bool,
    /// Write what is reached into this file, in the format of lcov.
    #[arg(long, value_name = "FILE", requires = "coverage")]
    pub lcov: Option<PathBuf>,
    /// Keep in the corpus files the fewest passing inputs that together reach all that any of them reaches.
    #[arg(long, requires = "coverage")]
    pub keep: bool,
    /// Neither try the counterexamples of earlier runs first, nor save those of this one.
    #[arg(long)]
    pub no_saved: bool,
    /// Write what became of inputs into this file, one JSON object a line, as "PBT observations".
    #[arg(long, value_name = "FILE", conflicts_with = "case")]
    pub observations: Option<PathBuf>,
    /// The most inputs of a function that a generator has observed in a round.
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "observations")]
    pub observed: u64,
    /// Whether to compare generators is all that the run is for.
    #[arg(skip)]
    pub comparison: bool,
    /// The cargo profile to build the crate with [default: release with overflow checks and debug assertions]
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// What to print on standard output.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// The options of the manifest.
    #[command(flatten)]
    pub limits: Limits,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target check`
#[derive(Debug, Args)]
pub struct BuildCheck {
    /// Compile the crate and the Rust code of the specs (`where`, `call`, `via`), too. None of the specs' code is run.
    #[arg(long)]
    pub build: bool,
    /// The other options.
    #[command(flatten)]
    pub check: Check,
}

/// `cargo target check` and `cargo target list`
#[derive(Debug, Args)]
pub struct Check {
    /// Only functions whose key contains one of these words.
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
    /// What to print on standard output.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target count`
#[derive(Debug, Args)]
pub struct Count {
    /// The key of the function's spec.
    pub function: String,
    /// The numbers of each size, too.
    #[arg(long)]
    pub by_size: bool,
    /// What to print on standard output.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// The options of the manifest.
    #[command(flatten)]
    pub limits: Limits,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target sample`
#[derive(Debug, Args)]
pub struct Sample {
    /// The key of a function's spec, or a named type.
    pub name: String,
    /// Only inputs that differ pairwise, as `different` says in the manifest.
    #[arg(long)]
    pub different: bool,
    /// How to print the inputs [default: as Rust, one a line]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<EntryFormat>,
    /// The options of the manifest.
    #[command(flatten)]
    pub limits: Limits,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target report`
#[derive(Debug, Args)]
pub struct Report {
    /// A run by its id or the beginning of it, or a file of events, or `-` for standard input [default: the newest run]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// List the runs that are kept.
    #[arg(long, conflicts_with_all = ["run", "open", "format", "output"])]
    pub list: bool,
    /// Show the page in the browser.
    #[arg(long)]
    pub open: bool,
    /// What to make of it [default: terminal; with --open: html]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// The file to write, or `-` for standard output [default for html: report.html in the folder of the run]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// The key of the function's spec.
    pub function: String,
    /// Show only this stage.
    #[arg(long)]
    pub stage: Option<Stage>,
    /// The options of the manifest.
    #[command(flatten)]
    pub limits: Limits,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target types`
#[derive(Debug, Args)]
pub struct Types {
    /// Only these types [default: all]
    #[arg(value_name = "TYPE")]
    pub names: Vec<String>,
}

/// `cargo target strategies`
#[derive(Debug, Args)]
pub struct Strategies {
    /// Only for these: keys of functions, names of types [default: all]
    #[arg(value_name = "FUNCTION|TYPE")]
    pub names: Vec<String>,
    /// The file to write [default: tests/strategies/mod.rs of the package]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// For a module of this source file of the crate, whose private items it may name; needs --output.
    #[arg(long, value_name = "FILE", requires = "output")]
    pub inside: Option<PathBuf>,
    /// Write nothing; fail if the file isn't what would be written.
    #[arg(long)]
    pub check: bool,
    /// The length of lists and the nesting of constructors in fresh values.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=200))]
    pub depth: Option<u32>,
    /// The magnitude of integers in fresh values.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub bound: Option<u32>,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target fuzz`
#[derive(Debug, Args)]
pub struct Fuzz {
    /// The key of the function's spec [default: those whose arguments the fuzz targets take]
    #[arg(conflicts_with = "init")]
    pub function: Option<String>,
    /// Only this fuzz target; with --init, its name.
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Write a fuzz target for this function, which decodes and judges by its spec.
    #[arg(long, value_name = "FUNCTION", conflicts_with = "import")]
    pub init: Option<String>,
    /// Take what the fuzzer kept and what it crashed on into the function's corpus file.
    #[arg(long)]
    pub import: bool,
    /// How bytes are decoded [default: as the target's fuzzer does]
    #[arg(long, value_name = "MODE")]
    pub mode: Option<DecodeMode>,
    /// How many seeds to write, at most.
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub samples: u64,
    /// The seed of what is sampled at random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The folder to write seeds to [default: fuzz/seeds/TARGET, or where the target's fuzzer looks]
    #[arg(long, short, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// The length of lists and the nesting of constructors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=200))]
    pub depth: Option<u32>,
    /// The magnitude of integers [default: the depth]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub bound: Option<u32>,
    /// Leave out boundary cases and larger inputs.
    #[arg(long)]
    pub no_boundary: bool,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target corpus`
#[derive(Debug, Args)]
pub struct Corpus {
    /// Functions by their keys, or types by their names [default: all functions, and the types that have a file]
    #[arg(value_name = "FUNCTION|TYPE")]
    pub names: Vec<String>,
    /// All inputs up to this size [default: what the file says, or else as many sizes as have 200 together]
    #[arg(long, value_name = "SIZE")]
    pub all_up_to: Option<u64>,
    /// So many inputs of larger sizes, sampled at random [default: what the file says, or else 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=100_000))]
    pub sample: Option<u64>,
    /// The seed of the samples [default: what the file says, or else 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write nothing; the exit code is 1 if a file is stale, or has a line that the spec rejects.
    #[arg(long, conflicts_with = "format")]
    pub check: bool,
    /// Print the entries instead of writing them.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<EntryFormat>,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// How entries are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EntryFormat {
    /// One JSON object a line.
    Jsonl,
}

/// `cargo target tests`
#[derive(Debug, Args)]
pub struct Tests {
    /// Functions by their keys [default: all]
    #[arg(value_name = "FUNCTION")]
    pub names: Vec<String>,
    /// Write into this file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target suggest`
#[derive(Debug, Args)]
pub struct Suggest {
    /// Only functions whose path contains one of these words.
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
    /// Functions whose path is exactly the FILTER.
    #[arg(long)]
    pub exact: bool,
    /// Write the specs into Cargo.toml instead of printing them.
    #[arg(long)]
    pub write: bool,
    /// The time of one exploration of a function; a function has a few.
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_duration)]
    pub each: Duration,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

/// `cargo target init`
#[derive(Debug, Args)]
pub struct Init {
    /// The function to write a spec for [default: one that the tool picks]
    pub function: Option<String>,
    /// The options of cargo. Its old `--all` for `--workspace` selects all functions here.
    #[command(flatten)]
    pub selection: Selection,
}

/// `--all` of `cargo target init`. As an option of cargo it means `--workspace` and is hidden.
fn all_functions(all: clap::Arg) -> clap::Arg {
    all.hide(false)
        .conflicts_with("function")
        .help("Write a spec for each public function that can have one, and a comment for each other one")
}

/// Options that the manifest has too; these win.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// The length of lists and the nesting of constructors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=5000))]
    pub depth: Option<u32>,
    /// The magnitude of integers [default: the depth]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub bound: Option<u32>,
    /// The cap on valid inputs, per function and generator.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub cases: Option<u64>,
    /// The cap on time, per function and generator: 10s, 500ms, 2min.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub budget: Option<Duration>,
    /// The time limit of one case.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// The memory limit of one case: 512MiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// The memory limit of planning and counting, per function [default: 1GiB, or its share of half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub plan_memory: Option<u64>,
    /// Leave out boundary cases and larger inputs.
    #[arg(long)]
    pub no_boundary: bool,
}

/// Which packages, built how: cargo's own options.
#[derive(Debug, Default, Args)]
pub struct Selection {
    /// `--manifest-path`
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// `-p`, `--workspace`, `--exclude`
    #[command(flatten)]
    pub workspace: clap_cargo::Workspace,
    /// `--features` and its kin
    #[command(flatten)]
    pub features: clap_cargo::Features,
    /// Run without accessing the network.
    #[arg(long, help_heading = "Manifest Options")]
    pub offline: bool,
    /// Assert that Cargo.lock will remain unchanged.
    #[arg(long, help_heading = "Manifest Options")]
    pub locked: bool,
    /// Both --locked and --offline.
    #[arg(long, help_heading = "Manifest Options")]
    pub frozen: bool,
    /// Read what `include` names outside of the workspace, too.
    #[arg(long, help_heading = "Manifest Options")]
    pub include_outside: bool,
    /// Directory for all generated artifacts.
    #[arg(long, value_name = "DIRECTORY")]
    pub target_dir: Option<PathBuf>,
    /// Number of threads [default: one for each processor]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Print only failures and mistakes.
    #[arg(long, short)]
    pub quiet: bool,
    /// Print cargo's own progress, too, and a few inputs with their results for each function that passed.
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Colour the output.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// What `--size` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The greatest with an input.
    Max,
    /// This one.
    Exactly(u64),
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        match text {
            "max" => Ok(Size::Max),
            _ => text.parse().map(Size::Exactly).map_err(|_| "a size is a number, or `max`".to_owned()),
        }
    }
}

/// How a fuzzer makes its input of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DecodeMode {
    /// By `arbitrary_take_rest`, as cargo-fuzz does.
    TakeRest,
    /// By `arbitrary`, as afl, honggfuzz and bolero do.
    Plain,
}

/// A stage of `explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The spec as parsed.
    Ast,
    /// The spec as resolved.
    Ir,
    /// The leaves and shapes of the input space.
    Space,
    /// The choices by which the native engine lists the inputs.
    Plan,
    /// What Z3 is asked, in SMT-LIB.
    Smt,
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    target_bridge::frontend::manifest::parse_duration(text)
}

fn parse_size(text: &str) -> Result<u64, String> {
    target_bridge::frontend::manifest::parse_size(text)
}
