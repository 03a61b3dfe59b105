//! `cargo target check` and `cargo target list`: show the specs, without running anything. Only `--build` builds.

use std::sync::atomic::Ordering;

use anyhow::Result;
use serde::Serialize;
use target_bridge::frontend::manifest::PartialSettings;

use crate::commands::prologue::{self, LeftOut, Wanted, wanted};
use crate::events::Event;
use crate::options::args::{self};
use crate::report::{MessageFormat, Report};
use crate::run::asked::Asked;
use crate::run::checked::{self, Checked, Filter};
use crate::run::embedded;
use crate::run::harness::{Build, BuildError};
use crate::run::launch;
use crate::run::planning::Interrupted;
use crate::system::console;
use crate::system::console::{Verbosity, colored_stderr};
use crate::system::exit_code;
use crate::system::printable::plain;

/// `cargo target check`: returns the exit code.
pub fn check(args: &args::BuildCheck, interrupted: &Interrupted) -> Result<u8> {
    let args::BuildCheck { build, check: args } = args;
    let (config, project, mut report) = prologue::load(&args.selection, args.message_format)?;
    let mut checked = checked::check(&project, &PartialSettings::default(), None)?;
    let filter = filter(args);
    prologue::keep_to(&mut checked, &filter);
    let how =
        Build { config: &config, profile: None, project: &project, counts: false, lines: false, interrupted };
    // Without `--build` no code of the crate runs, build scripts included.
    if !*build {
        prologue::readable(&checked, &mut report)?;
    } else if !prologue::is_readable(how, &checked)? {
        return Ok(exit_code::BUILD);
    }
    let has_mistakes = prologue::diagnose(&checked, &mut report);
    // The Rust code of the other specs may have mistakes, too.
    if has_mistakes && (!*build || matches!(prologue::leave_out(&mut checked, &filter), LeftOut::All)) {
        return Ok(exit_code::USAGE);
    }
    let functions = wanted(&checked, &filter)?;
    let code = if *build { compiled(how, &functions, &mut report)? } else { exit_code::PASSED };
    if has_mistakes || code != exit_code::PASSED {
        return Ok(if code == exit_code::PASSED { exit_code::USAGE } else { code });
    }
    let n = functions.len();
    if config.verbosity > Verbosity::Quiet && args.message_format == MessageFormat::Human {
        outln!("{n} {} in order", if n == 1 { "spec" } else { "specs" });
    }
    Ok(exit_code::PASSED)
}

/// Compiles the harnesses of some functions, and reports mistakes in the Rust code of their specs; returns the exit code.
fn compiled(how: Build, functions: &[Wanted], report: &mut Report) -> Result<u8> {
    let mut code = exit_code::PASSED;
    let packages = functions.chunk_by(|one, next| std::ptr::eq(one.0, next.0));
    for functions in packages {
        let package = functions[0].0;
        let asked = Asked::Only(functions.iter().map(|(_, number, _)| *number).collect());
        match launch::build(how, package, asked) {
            Err(BuildError::Tool(error)) => return Err(error),
            Err(BuildError::Failed(_)) if how.interrupted.load(Ordering::Relaxed) => {
                return Ok(exit_code::INTERRUPTED);
            }
            Err(BuildError::Failed(failure)) => {
                errln!("{}error: {}", plain(&failure.output), failure.message);
                return Ok(exit_code::BUILD);
            }
            Ok(built) => {
                let numbers = functions.iter().map(|(_, number, _)| *number);
                for mistake in embedded::mistakes(&built.broken, numbers) {
                    report.event(&Event::Diagnostic(package.diagnostic_event(mistake, colored_stderr())));
                    code = exit_code::USAGE;
                }
            }
        }
    }
    Ok(code)
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
    with_specs(args, |checked| {
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
fn with_specs(args: &args::Check, go_on: impl FnOnce(&[Checked]) -> Result<()>) -> Result<u8> {
    let (_, project, mut report) = prologue::load(&args.selection, args.message_format)?;
    let Some(checked) = prologue::check(&project, &PartialSettings::default(), &filter(args), &mut report)?
    else {
        return Ok(exit_code::USAGE);
    };
    go_on(&checked)?;
    Ok(exit_code::PASSED)
}
