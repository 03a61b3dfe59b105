//! `cargo target fuzz`: writes seeds for a package's fuzz targets and verifies each by decoding it. `--init` writes a
//! target for a function; `--import` adds a fuzzer's findings to the corpus.

mod context;
mod package_folder;
mod package;
mod bolero;
mod search;
mod manifest;
mod decoder;
mod pairs;
mod folders;
mod seeds;
mod write;
mod import;
mod stub;

use anyhow::Result;
use target_bridge::frontend::manifest::PartialSettings;

use crate::commands::prologue;
use crate::options::args::{self};
use crate::report::MessageFormat;
use crate::run::checked::Filter;
use crate::system::exit_code::{self, usage};
use context::Context;

/// `cargo target fuzz`: returns the exit code.
pub fn fuzz(args: &args::Fuzz) -> Result<u8> {
    let (config, project, mut report) = prologue::load(&args.selection, MessageFormat::Human)?;
    let Some(checked) = prologue::check(&project, &overrides(args), &Filter::default(), &mut report)? else {
        return Ok(exit_code::USAGE);
    };
    let mut context = Context { args, config: &config, project: &project, is_several: false };
    if let Some(function) = &args.init {
        return stub::init(&context, &checked, function);
    }
    let found = search::read_all(&project, &checked)?;
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
        code = code.max(if args.import {
            import::import(&context, pair)?
        } else {
            write::seeds(&context, pair)?
        });
    }
    Ok(code)
}

/// The command-line options that the manifest can set too.
fn overrides(args: &args::Fuzz) -> PartialSettings {
    PartialSettings {
        depth: args.depth,
        bound: args.bound,
        boundary: args.no_boundary.then_some(false),
        ..PartialSettings::default()
    }
}

/// The error if no target fits: it says how to get one.
fn none(args: &args::Fuzz, has_no_package: bool) -> anyhow::Error {
    let function = args.function.as_deref().unwrap_or("FUNCTION");
    let init = format!("`cargo target fuzz --init {function}` writes one");
    if has_no_package {
        usage(format!(
            "no fuzz/Cargo.toml beside the package's manifest, none at the workspace's root that depends on the package \
         by path, and no test with bolero; {init}"
        ))
    } else {
        usage(format!("no fuzz target takes the arguments of a function with a spec; {init}"))
    }
}
