//! `cargo target report`: shows a finished run again, from its record.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::events::words::broken_off;
use crate::options::args::{self};
use crate::options::config::CargoConfig;
use crate::report::ReportFormat;
use crate::report::record::{self, Events, Source, page_of};
use crate::report::{self, Lengths, Terminal};
use crate::run::project::{self, Project};
use crate::system::console;
use crate::system::console::Verbosity;
use crate::system::console::choose_color;
use crate::system::exit_code::{self, usage};
use crate::system::files::{from_here, write_whole_by};

/// `cargo target report`: returns the exit code, which doesn't depend on the run's verdicts.
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
        None => to_stdout(format, config.verbosity, &source, events)?,
        Some(path) => {
            write_whole_by(path, |out| to_file(format, config.verbosity, events, out))?;
            if config.verbosity > Verbosity::Quiet {
                outln!("{}", from_here(path));
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
        (Some(path), _) if path == Path::new("-") => {
            if args.open {
                Err(usage("--open needs a file to show: leave `-o -` out"))
            } else {
                Ok(None)
            }
        }
        (Some(path), _) => Ok(Some(path.clone())),
        (None, _) if format != ReportFormat::Html => Ok(None),
        (None, Source::File(events)) => Ok(Some(page_of(events))),
        (None, Source::Stdin) => Err(usage("a page of standard input needs a place: say `-o FILE`")),
    }
}

fn to_file(format: ReportFormat, verbosity: Verbosity, events: Events, out: &mut dyn Write) -> Result<()> {
    let terminal = Terminal::new(verbosity, Lengths::Whole);
    if format != ReportFormat::Terminal {
        return report::write(format, terminal, events, out);
    }
    // Escape sequences are useless in a file.
    let mut text = Vec::new();
    report::write(format, terminal, events, &mut text)?;
    let text = String::from_utf8_lossy(&text);
    write!(out, "{}", anstream::adapter::strip_str(&text)).context("write the report")
}

/// Prints a report. Errors of standard output are reported when the program ends.
fn to_stdout(format: ReportFormat, verbosity: Verbosity, source: &Source, events: Events) -> Result<()> {
    let lengths = match source {
        Source::File(path) => Lengths::Screen(from_here(path)),
        Source::Stdin => Lengths::ScreenOnly,
    };
    let is_text = format == ReportFormat::Terminal;
    match report::write(format, Terminal::new(verbosity, lengths), events, &mut console::Out { is_text }) {
        Err(_) if console::is_over() => Ok(()),
        written => written,
    }
}

/// One line for each run, newest first.
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
        outln!("{id}  {how}");
    }
    Ok(())
}
