//! `cargo target check` and `cargo target list`: show the specs, without building or running anything.

use anyhow::Result;
use serde::Serialize;
use target_bridge::frontend::manifest::PartialSettings;

use crate::commands::prologue::{self, wanted};
use crate::options::args::{self};
use crate::options::config::CargoConfig;
use crate::report::MessageFormat;
use crate::run::checked::{Checked, Filter};
use crate::system::console;
use crate::system::console::Verbosity;
use crate::system::exit_code;
use crate::system::printable::plain;

/// `cargo target check`: returns the exit code.
pub fn check(args: &args::Check) -> Result<u8> {
    with_specs(args, |checked, config| {
        let functions = wanted(checked, &filter(args))?.len();
        if config.verbosity > Verbosity::Quiet && args.message_format == MessageFormat::Human {
            outln!("{functions} {} in order", if functions == 1 { "spec" } else { "specs" });
        }
        Ok(())
    })
}

/// A line of `cargo target list`.
#[derive(Serialize)]
#[serde(tag = "reason", rename = "function")]
struct Listed<'a> {
    package: &'a str,
    function: &'a str,
    spec: String,
    location: String,
}

/// `cargo target list`: returns the exit code.
pub fn list(args: &args::Check) -> Result<u8> {
    with_specs(args, |checked, _| {
        for (package, _, subject) in wanted(checked, &filter(args))? {
            let listed = Listed {
                package: &package.package.name,
                function: &subject.spec.name,
                spec: package.spec_text(subject),
                location: package.location(subject),
            };
            match args.message_format {
                MessageFormat::Json => {
                    let line = serde_json::to_string(&listed).expect("four strings are JSON");
                    console::exact(line + "\n");
                }
                MessageFormat::Human => outln!("{} = {}", plain(listed.function), plain(&listed.spec)),
            }
        }
        Ok(())
    })
}

fn filter(args: &args::Check) -> Filter {
    Filter { words: args.filters.clone(), exact: false }
}

/// Checks the specs and reports mistakes; continues if there are none.
fn with_specs(args: &args::Check, go_on: impl FnOnce(&[Checked], &CargoConfig) -> Result<()>) -> Result<u8> {
    let (config, project, mut report) = prologue::load(&args.selection, args.message_format)?;
    let Some(checked) = prologue::check(&project, &PartialSettings::default(), &mut report)? else {
        return Ok(exit_code::USAGE);
    };
    go_on(&checked, &config)?;
    Ok(exit_code::PASSED)
}
