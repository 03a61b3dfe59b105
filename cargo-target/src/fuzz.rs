//! `cargo target fuzz`: seeds for the fuzz targets that a package has, each verified by decoding it; a new target for a
//! function (`--init`); what a fuzzer found, as values (`--import`).

mod bolero;
mod decoder;
mod folders;
mod import;
mod manifest;
mod package;
mod pairs;
mod seeds;
mod stub;
mod write;

use anyhow::Result;
use target_bridge::manifest::PartialSettings;

use crate::args::{self, MessageFormat};
use crate::checked;
use crate::config::CargoConfig;
use crate::exit_code::{self, usage};
use crate::pipeline::diagnose;
use crate::project::{self, Project};
use crate::report::Report;

/// What the stages share.
struct Context<'a> {
    args: &'a args::Fuzz,
    config: &'a CargoConfig,
    project: &'a Project,
    /// Whether there are several targets, whose files must not be mixed.
    is_several: bool,
}

/// `cargo target fuzz`: gives the exit code.
pub fn fuzz(args: &args::Fuzz) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(MessageFormat::Human, config.color, config.verbosity);
    let project = project::load(&config)?;
    let checked = checked::check(&project, &overrides(args), None)?;
    if diagnose(&checked, &mut report) {
        return Ok(exit_code::USAGE);
    }
    let mut context = Context { args, config: &config, project: &project, is_several: false };
    if let Some(function) = &args.init {
        return stub::init(&context, &checked, function);
    }
    let found = package::read_all(&project, &checked)?;
    pairs::check(args, &found, &checked)?;
    let pairs: Vec<pairs::Pair> = found.iter().flat_map(|found| pairs::find(args, found)).collect();
    if pairs.is_empty() {
        return Err(none(args, found.is_empty()));
    }
    context.is_several = pairs.len() > 1;
    if !args.import {
        folders::check_apart(&context, &pairs)?;
    }
    let mut code = exit_code::PASSED;
    for pair in &pairs {
        code = code.max(match args.import {
            true => import::import(&context, pair)?,
            false => write::seeds(&context, pair)?,
        });
    }
    Ok(code)
}

/// The options that the manifest has too.
fn overrides(args: &args::Fuzz) -> PartialSettings {
    PartialSettings {
        depth: args.depth,
        bound: args.bound,
        boundary: args.no_boundary.then_some(false),
        ..PartialSettings::default()
    }
}

/// What to do where no target fits.
fn none(args: &args::Fuzz, has_no_package: bool) -> anyhow::Error {
    let function = args.function.as_deref().unwrap_or("FUNCTION");
    let init = format!("`cargo target fuzz --init {function}` writes one");
    match has_no_package {
        true => usage(format!(
            "no fuzz/Cargo.toml beside the package's manifest, none at the workspace's root that depends on the package \
             by path, and no test with bolero; {init}"
        )),
        false => usage(format!("no fuzz target takes the arguments of a function with a spec; {init}")),
    }
}
