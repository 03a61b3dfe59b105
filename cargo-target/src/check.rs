//! `cargo target check` and `cargo target list`: what the specs say, without building or running anything.

use anyhow::Result;
use serde::Serialize;
use target_bridge::manifest::PartialSettings;

use crate::args::{self, MessageFormat};
use crate::checked::{self, Checked, Filter};
use crate::config::{CargoConfig, Verbosity};
use crate::console;
use crate::exit_code;
use crate::pipeline::{diagnose, wanted};
use crate::project;
use crate::report::Report;
use crate::report::words::plain;

/// `cargo target check`: gives the exit code.
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

/// `cargo target list`: gives the exit code.
pub fn list(args: &args::Check) -> Result<u8> {
    with_specs(args, |checked, _| {
        for (package, _, subject) in wanted(checked, &filter(args))? {
            let listed = Listed {
                package: &package.package.name,
                function: &subject.spec.name,
                spec: package.spec_text(subject),
                location: package.place(subject),
            };
            match args.message_format {
                MessageFormat::Json => {
                    let line = serde_json::to_string(&listed).expect("four strings are JSON");
                    console::exact(&(line + "\n"));
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

/// Checks the specs, shows the mistakes, and goes on if there are none.
fn with_specs(args: &args::Check, go_on: impl FnOnce(&[Checked], &CargoConfig) -> Result<()>) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(args.message_format, config.color, config.verbosity);
    let project = project::load(&config)?;
    let checked = checked::check(&project, &PartialSettings::default(), None)?;
    if diagnose(&checked, &mut report) {
        return Ok(exit_code::USAGE);
    }
    go_on(&checked, &config)?;
    Ok(exit_code::PASSED)
}
