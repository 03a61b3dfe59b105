//! The command line, resolved: settings for every stage, with defaults filled in.

use std::path::PathBuf;

use anyhow::Result;
use target_bridge::frontend::manifest::PartialSettings;

use crate::events::GeneratorName;
use crate::options::args::{self, Limits, Selection, Size};
use crate::system::console::Color;
use crate::system::console::Verbosity;
use crate::system::exit_code::usage;

/// Stack size in bytes of a thread that judges or solves: measures may recurse deeply, and unused stack costs no
/// memory.
pub const STACK: usize = 64 << 20;

/// How to call cargo, and for which packages.
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
    /// The flags that choose features, in cargo's format.
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

impl CargoConfig {
    /// The settings from the options.
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

/// The command-line options that override those of the manifest.
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

/// The inputs of a function's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// The generators without duplicates, the main one first.
    pub generators: Vec<GeneratorName>,
    /// Number of inputs to sample.
    pub sample: Option<u64>,
    /// The only size to generate.
    pub size: Option<Size>,
}

/// The generators by name. Sampling, and listing a size, only work for a single generator, the native one.
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

/// Whether to judge inputs that the native engine knows to be valid: in development builds, and on request.
pub fn judge_all() -> bool {
    cfg!(debug_assertions) || std::env::var_os("TARGET_JUDGE_ALL").is_some()
}
