//! `cargo target compare-generators`, and the `run` options that it stands for.

use std::time::Duration;

use clap::Args;

use super::{Limits, Run, Selection};
use crate::events::GeneratorName;
use crate::report::MessageFormat;

/// `cargo target compare-generators`
#[derive(Debug, Args)]
pub struct CompareGenerators {
    /// Only functions whose key contains one of these words.
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
    /// Functions whose key is exactly the FILTER.
    #[arg(long)]
    pub exact: bool,
    /// The generators to compare.
    #[arg(
        long,
        short = 'g',
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "auto,native,smt,random,enumerative"
    )]
    pub generator: Vec<GeneratorName>,
    /// How many times each generator runs on each function, the seed growing by one each time.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// The seed of the first round.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The cargo profile to build the crate with [default: release with overflow checks and debug assertions]
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// What to print on standard output.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// The options of the manifest; the budget is 1s unless it is given here.
    #[command(flatten)]
    pub limits: Limits,
    /// The options of cargo.
    #[command(flatten)]
    pub selection: Selection,
}

impl CompareGenerators {
    /// The equivalent `run`.
    pub fn into_run(self) -> Run {
        let CompareGenerators { filters, exact, generator, repeat, seed, .. } = self;
        let CompareGenerators { profile, message_format, mut limits, selection, .. } = self;
        limits.budget.get_or_insert(Duration::from_secs(1));
        Run {
            filters,
            exact,
            api: false,
            case: None,
            shrink: false,
            generator,
            no_fail_fast: false,
            sample: None,
            size: None,
            seed,
            repeat,
            no_saved: true,
            observations: None,
            observed: 0,
            comparison: true,
            coverage: false,
            lcov: None,
            keep: false,
            profile,
            message_format,
            limits,
            selection,
        }
    }
}
