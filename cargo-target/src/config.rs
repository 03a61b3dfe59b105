//! The command line as resolved: what every stage is told, with the defaults filled in.

use std::path::PathBuf;

use anyhow::Result;
use target_bridge::manifest::PartialSettings;

use crate::args::{self, Color, GeneratorName, Limits, Selection, Size};
use crate::exit_code::usage;

/// The stack of a thread that judges or solves, which measures may take much of; only what is used costs memory.
pub const STACK: usize = 64 << 20;

/// How to call cargo, and on what.
#[derive(Clone, Debug)]
pub struct CargoConfig {
    /// `--manifest-path`
    pub manifest_path: Option<PathBuf>,
    /// `-p`
    pub packages: Vec<String>,
    /// `--workspace`
    pub workspace: bool,
    /// `--exclude`
    pub exclude: Vec<String>,
    /// The flags that choose features, as cargo takes them.
    pub feature_flags: Vec<String>,
    /// `--offline`, `--locked`, `--frozen`, as given.
    pub lock_flags: Vec<String>,
    /// `--include-outside`
    pub include_outside: bool,
    /// `--target-dir`
    pub target_dir: Option<PathBuf>,
    /// The number of threads.
    pub jobs: usize,
    /// How much to print.
    pub verbosity: Verbosity,
    /// When to colour.
    pub color: Color,
}

/// How much to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Failures and mistakes.
    Quiet,
    /// A table for each function.
    Normal,
    /// Cargo's progress too.
    Verbose,
}

impl CargoConfig {
    /// What the options amount to.
    pub fn new(selection: &Selection) -> CargoConfig {
        let features = &selection.features;
        let mut feature_flags = Vec::new();
        if features.all_features {
            feature_flags.push("--all-features".to_owned());
        }
        if features.no_default_features {
            feature_flags.push("--no-default-features".to_owned());
        }
        if !features.features.is_empty() {
            feature_flags.push("--features".to_owned());
            feature_flags.push(features.features.join(","));
        }
        let locks = [
            ("--offline", selection.offline),
            ("--locked", selection.locked),
            ("--frozen", selection.frozen),
        ];
        CargoConfig {
            manifest_path: selection.manifest.manifest_path.clone(),
            packages: selection.workspace.package.clone(),
            workspace: selection.workspace.workspace || selection.workspace.all,
            exclude: selection.workspace.exclude.clone(),
            feature_flags,
            lock_flags: locks.into_iter().filter(|lock| lock.1).map(|lock| lock.0.to_owned()).collect(),
            include_outside: selection.include_outside,
            target_dir: selection.target_dir.clone(),
            jobs: match selection.jobs {
                Some(jobs) => jobs.into(),
                None => std::thread::available_parallelism().map_or(1, |n| n.get()),
            },
            verbosity: match (selection.quiet, selection.verbose) {
                (true, _) => Verbosity::Quiet,
                (_, true) => Verbosity::Verbose,
                _ => Verbosity::Normal,
            },
            color: selection.color,
        }
    }
}

/// The manifest's options as the command line overrides them.
pub fn overrides(limits: &Limits) -> PartialSettings {
    PartialSettings {
        depth: limits.depth,
        bound: limits.bound,
        cases: limits.cases,
        budget: limits.budget,
        boundary: limits.no_boundary.then_some(false),
        timeout: limits.timeout,
        memory: limits.memory,
        plan_memory: limits.plan_memory,
    }
}

/// What a function is run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// The generators, the main one first, each once.
    pub generators: Vec<GeneratorName>,
    /// How many inputs to draw.
    pub sample: Option<u64>,
    /// The only size that is wanted.
    pub size: Option<Size>,
}

/// The generators by name. To draw inputs, or list those of a size, is for one of them alone.
pub fn selected(args: &args::Run) -> Result<Selected> {
    let (sample, size) = (args.sample, args.size);
    let mut generators: Vec<GeneratorName> = Vec::new();
    for name in &args.generator {
        if !generators.contains(name) {
            generators.push(*name);
        }
    }
    if sample.is_some() || size.is_some() {
        let can = |name: &GeneratorName| matches!(name, GeneratorName::Auto | GeneratorName::Native);
        let is_default =
            generators == [GeneratorName::Auto, GeneratorName::Random, GeneratorName::Enumerative];
        if !is_default && !generators.iter().all(can) {
            let option = if sample.is_some() { "--sample" } else { "--size" };
            let what = "needs a generator that counts inputs, which is `native` alone";
            return Err(usage(format!("{option} {what}: say `-g native`, or leave `-g` out")));
        }
        generators = vec![GeneratorName::Native];
    }
    Ok(Selected { generators, sample, size })
}

/// Whether to judge what the native engine is sure of: in builds for developing the tool, and where one asks for it.
pub fn judge_all() -> bool {
    cfg!(debug_assertions) || std::env::var_os("TARGET_JUDGE_ALL").is_some()
}
