//! The start of most commands: the project is loaded, its specs are checked, mistakes are reported, functions are selected.

use anyhow::Result;
use target_bridge::frontend::diagnostic::Diagnostic;
use target_bridge::frontend::manifest::PartialSettings;
use target_bridge::frontend::subject::Subject;

use crate::events::Event;
use crate::options::args::Selection;
use crate::options::config::CargoConfig;
use crate::report::{MessageFormat, Report};
use crate::run::checked::{self, Checked, Filter};
use crate::run::harness::{self, Build};
use crate::run::project::{self, Project};
use crate::run::syntax::{self, unreadable};
use crate::system::console::colored_stderr;
use crate::system::exit_code::usage;

/// A selected function: its package, its number in the package's harness, and the subject.
pub type Wanted<'a> = (&'a Checked<'a>, u32, &'a Subject);

/// Reads the options and the project, and opens the report for mistakes.
pub fn load(selection: &Selection, format: MessageFormat) -> Result<(CargoConfig, Project, Report)> {
    let config = CargoConfig::new(selection);
    let report = Report::new(format, config.color, config.verbosity);
    let project = project::load(&config)?;
    Ok((config, project, report))
}

/// The packages with their specs. All mistakes are reported, but those of functions that the filter leaves out only counted;
/// `None` if any is an error.
pub fn check<'p>(
    project: &'p Project,
    overrides: &PartialSettings,
    filter: &Filter,
    report: &mut Report,
) -> Result<Option<Vec<Checked<'p>>>> {
    let mut checked = checked::check(project, overrides, None)?;
    keep_to(&mut checked, filter);
    readable(&checked, report)?;
    Ok(if diagnose(&checked, report) { None } else { Some(checked) })
}

/// An error if items are missing and some source could not be read, which may be why. The other mistakes are reported. For
/// commands that don't build: otherwise see [`is_readable`].
pub fn readable(checked: &[Checked], report: &mut Report) -> Result<()> {
    let is_missing = |mistake: &Diagnostic| {
        ["no function `", "no type `"].iter().any(|start| mistake.message.starts_with(start))
    };
    let is_unread =
        |package: &&Checked| !package.unread.is_empty() && package.diagnostics.iter().any(is_missing);
    let Some(unread) = checked.iter().find(is_unread) else { return Ok(()) };
    for package in checked {
        for mistake in package.diagnostics.iter().filter(|mistake| !is_missing(mistake) && !mistake.follows) {
            report.event(&Event::Diagnostic(package.diagnostic_event(mistake, colored_stderr())));
        }
    }
    Err(unreadable(unread.package, &unread.unread))
}

/// Whether cargo builds the packages whose source could not be read completely; it has printed the reason if not.
pub fn is_readable(how: Build, checked: &[Checked]) -> Result<bool> {
    for package in checked.iter().filter(|package| package.has_errors() && !package.unread.is_empty()) {
        if !harness::builds(how, package.package)? {
            errln!("error: `{}` does not build", package.package.name);
            return Ok(false);
        }
    }
    Ok(true)
}

/// Drops the mistakes in the entries of functions that the filter leaves out, and says so.
pub fn keep_to(checked: &mut [Checked], filter: &Filter) {
    let mut left_out = |package: &mut Checked| {
        let n = package.keep_to(filter);
        // Where source could not be read, what seems to be missing may be there.
        if package.unread.is_empty() { n } else { 0 }
    };
    match checked.iter_mut().map(&mut left_out).sum::<usize>() {
        0 => {}
        1 => errln!("note: another spec has a mistake: `cargo target check` shows it"),
        n => errln!("note: other specs have {n} mistakes: `cargo target check` shows them"),
    }
}

/// What mistakes in specs leave out.
pub enum LeftOut {
    /// Nothing: there are none.
    Nothing,
    /// So many functions, of which others are left. None if a mistake is in a type that no function uses.
    Functions(usize),
    /// All functions: a mistake may concern any, or no function without one is left.
    All,
}

/// Drops the functions whose specs have mistakes.
pub fn leave_out(checked: &mut [Checked], filter: &Filter) -> LeftOut {
    let mut n = 0;
    for package in &mut *checked {
        match package.without_mistaken() {
            Some(keys) => n += keys.iter().filter(|key| filter.admits(key)).count(),
            None => return LeftOut::All,
        }
    }
    let mut left = checked.iter().flat_map(|package| &package.subjects);
    let is_any_left = left.any(|subject| filter.admits(&subject.spec.name));
    if is_any_left { LeftOut::Functions(n) } else { LeftOut::All }
}

/// Reports all mistakes; returns whether any is an error.
pub fn diagnose(checked: &[Checked], report: &mut Report) -> bool {
    for package in checked {
        for problem in &package.unread {
            errln!("note: {}; `cargo build` may say more", syntax::place(problem));
        }
        for diagnostic in package.diagnostic_events(colored_stderr()) {
            report.event(&Event::Diagnostic(diagnostic));
        }
    }
    checked.iter().any(Checked::has_errors)
}

/// The functions that the filter admits; an error if there are none.
pub fn wanted<'a>(checked: &'a [Checked<'a>], filter: &Filter) -> Result<Vec<Wanted<'a>>> {
    let all = || {
        checked.iter().flat_map(|package| {
            package
                .subjects
                .iter()
                .enumerate()
                .map(move |(number, subject)| (package, number as u32, subject))
        })
    };
    let wanted: Vec<Wanted> = all().filter(|(_, _, subject)| filter.admits(&subject.spec.name)).collect();
    if wanted.is_empty() && filter.words.is_empty() {
        let what = "no specs: [package.metadata.target.functions] is empty";
        return Err(usage(format!("{what}; `cargo target init` writes a first one")));
    }
    if wanted.is_empty() {
        let keys: Vec<&str> = all().map(|(_, _, subject)| subject.spec.name.as_str()).collect();
        let words = filter.words.join("`, `");
        return Err(usage(format!("no function matches `{words}`; there are specs for {}", keys.join(", "))));
    }
    Ok(wanted)
}
