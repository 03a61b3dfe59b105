//! `cargo target fuzz`: seeds for the fuzz targets that a package has, each verified by decoding it; a new target for a
//! function (`--init`); what a fuzzer found, as values (`--import`).

mod decoder;
mod import;
mod package;
mod pairs;
mod seeds;
mod stub;
mod write;

use anyhow::Result;
use target_strategies::arbitrary::Mode;

use crate::args::{self, DecodeMode, MessageFormat};
use crate::checked::{self, Checked};
use crate::config::{self, CargoConfig};
use crate::exit_code::{self, usage};
use crate::pipeline::diagnose;
use crate::project::{self, Project};
use crate::report::Report;

/// What the stages share.
struct Context<'a> {
    args: &'a args::Fuzz,
    config: &'a CargoConfig,
    project: &'a Project,
    mode: Mode,
}

/// `cargo target fuzz`: gives the exit code.
pub fn fuzz(args: &args::Fuzz) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(MessageFormat::Human, config.color, config.verbosity);
    let project = project::load(&config)?;
    let checked = checked::check(&project, &config::overrides(&args.limits), None)?;
    if diagnose(&checked, &mut report) {
        return Ok(exit_code::USAGE);
    }
    let mode = match args.mode {
        DecodeMode::TakeRest => Mode::TakeRest,
        DecodeMode::Plain => Mode::Plain,
    };
    let context = Context { args, config: &config, project: &project, mode };
    if let Some(function) = &args.init {
        return stub::init(&context, &checked, function);
    }
    let mut code = exit_code::PASSED;
    let mut n_pairs = 0;
    for package in &checked {
        let Some(fuzz) = package::read(package.package)? else { continue };
        for (target, subject, binding) in pairs::find(args, &fuzz, package)? {
            n_pairs += 1;
            let pair = pairs::Pair { package, fuzz: &fuzz, target, subject, binding };
            code = code.max(match args.import {
                true => import::import(&context, &pair)?,
                false => write::seeds(&context, &pair)?,
            });
        }
    }
    if n_pairs == 0 {
        return Err(none(args, &checked));
    }
    Ok(code)
}

/// What to do where no target fits.
fn none(args: &args::Fuzz, checked: &[Checked]) -> anyhow::Error {
    let has_targets =
        checked.iter().any(|package| package::folder(package.package).join("Cargo.toml").exists());
    let function = args.function.as_deref().unwrap_or("FUNCTION");
    let init = format!("`cargo target fuzz --init {function}` writes one");
    match has_targets {
        false => usage(format!(
            "no fuzz/Cargo.toml beside the package's manifest, so there is no fuzz target; {init}"
        )),
        true => usage(format!("no fuzz target takes the arguments of a function with a spec; {init}")),
    }
}
