//! The command line as resolved: what every stage is told, with the defaults filled in.

use std::path::PathBuf;

use target_bridge::generate::GeneratorKind;
use target_bridge::manifest::PartialSettings;

use crate::args::{Color, GeneratorName, Limits, Selection};

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
    }
}

/// The generators by name, the main one first, each once.
pub fn generators(names: &[GeneratorName]) -> Vec<GeneratorKind> {
    let mut kinds = Vec::new();
    for name in names {
        let kind = match name {
            GeneratorName::Auto | GeneratorName::Smt => GeneratorKind::Smt,
            GeneratorName::Random => GeneratorKind::Random,
            GeneratorName::Enumerative => GeneratorKind::Enumerative,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}
