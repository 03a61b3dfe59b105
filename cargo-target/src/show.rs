//! `cargo target report`: a run that is over, shown again from its record.

use std::io::{ErrorKind, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::args::{self, ReportFormat};
use crate::config::{CargoConfig, Verbosity};
use crate::exit_code::{self, usage};
use crate::files::{from_here, write_whole_by};
use crate::project::{self, Project};
use crate::record::{self, Events, Source, page_of};
use crate::report::words::broken_off;
use crate::report::{self, choose_color};

/// `cargo target report`: gives the exit code, which tells nothing of the run's verdicts.
pub fn report(args: &args::Report) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    choose_color(config.color);
    let format = format(args)?;
    if args.list {
        list(&project::load(&config)?)?;
        return Ok(exit_code::PASSED);
    }
    let by_path = args.run.as_deref().and_then(Source::of_path);
    let source = match by_path {
        Some(source) => source,
        None => record::find(&project::load(&config)?.runs, args.run.as_deref())?,
    };
    let file = file(args, format, &source)?;
    let events = Events::open(&source)?;
    match &file {
        None => to_stdout(format, config.verbosity, events)?,
        Some(path) => {
            write_whole_by(path, |out| to_file(format, config.verbosity, events, out))?;
            if config.verbosity > Verbosity::Quiet {
                anstream::println!("{}", from_here(path));
            }
        }
    }
    if args.open {
        let path = file.context("find the page that was written")?;
        let path = std::path::absolute(&path).with_context(|| format!("find {}", path.display()))?;
        opener::open_browser(&path).with_context(|| format!("open {} in a browser", path.display()))?;
    }
    Ok(exit_code::PASSED)
}

fn format(args: &args::Report) -> Result<ReportFormat> {
    match (args.open, args.format) {
        (true, Some(other)) if other != ReportFormat::Html => {
            Err(usage("--open shows the page: leave --format out, or say `--format html`"))
        }
        (true, _) => Ok(ReportFormat::Html),
        (false, format) => Ok(format.unwrap_or(ReportFormat::Terminal)),
    }
}

/// The file to write; `None` for standard output.
fn file(args: &args::Report, format: ReportFormat, source: &Source) -> Result<Option<PathBuf>> {
    match (&args.output, source) {
        (Some(path), _) if path == Path::new("-") => match args.open {
            true => Err(usage("--open needs a file to show: leave `-o -` out")),
            false => Ok(None),
        },
        (Some(path), _) => Ok(Some(path.clone())),
        (None, _) if format != ReportFormat::Html => Ok(None),
        (None, Source::File(events)) => Ok(Some(page_of(events))),
        (None, Source::Stdin) => Err(usage("a page of standard input needs a place: say `-o FILE`")),
    }
}

fn to_file(format: ReportFormat, verbosity: Verbosity, events: Events, out: &mut dyn Write) -> Result<()> {
    if format != ReportFormat::Terminal {
        return report::write(format, verbosity, events, out);
    }
    // Nobody reads escape sequences in a file.
    let mut text = Vec::new();
    report::write(format, verbosity, events, &mut text)?;
    let text = String::from_utf8_lossy(&text);
    write!(out, "{}", anstream::adapter::strip_str(&text)).context("write the report")
}

/// A reader that has gone away is no reason to fail.
fn to_stdout(format: ReportFormat, verbosity: Verbosity, events: Events) -> Result<()> {
    let written = match format {
        ReportFormat::Terminal => report::write(format, verbosity, events, &mut anstream::stdout()),
        _ => report::write(format, verbosity, events, &mut stdout().lock()),
    };
    let is_gone = |error: &anyhow::Error| {
        let causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
        causes.into_iter().any(|cause| cause.kind() == ErrorKind::BrokenPipe)
    };
    match written {
        Err(error) if is_gone(&error) => Ok(()),
        written => written,
    }
}

/// One line a run, the newest first.
fn list(project: &Project) -> Result<()> {
    let ids = record::all(&project.runs)?;
    if ids.is_empty() {
        return Err(usage("no run is recorded yet: `cargo target run` records one"));
    }
    for id in ids {
        let (started, finished) = record::summary(&project.runs, &id).unwrap_or_default();
        let how = match (finished, started) {
            (Some(counts), _) => match broken_off(Some(&counts)).filter(|_| counts.functions == 0) {
                Some(why) => why.to_owned(),
                None => report::summary(&counts),
            },
            (None, Some(started)) => format!("{} functions, did not finish", started.functions),
            (None, None) => "not readable by this version".to_owned(),
        };
        anstream::println!("{id}  {how}");
    }
    Ok(())
}
