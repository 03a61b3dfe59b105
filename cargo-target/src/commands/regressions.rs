//! `cargo target tests`: a test for each counterexample of the corpus, in the same format as in reports.
//!
//! The corpus notes each counterexample's failure above it. So no function is run here, and the tests don't change when the
//! function is fixed. A harness is built only if rustc has to tell whether a function that builds values may fail.

use std::collections::{BTreeMap, HashMap};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use target_bridge::frontend::manifest::PartialSettings;
use target_bridge::frontend::subject::Subject;

use crate::commands::prologue::{self, wanted};
use crate::events::describe::{Describer, Home, numbered};
use crate::events::outcome::Counterexample;
use crate::options::args::{self};
use crate::options::config::CargoConfig;
use crate::report::MessageFormat;
use crate::run::asked::Asked;
use crate::run::checked::{Checked, Filter};
use crate::run::corpus::saved::counterexamples;
use crate::run::harness::{Build, BuildError};
use crate::run::launch::{self, needs_builders, with_builders};
use crate::run::planning::Interrupted;
use crate::run::project::Project;
use crate::system::console;
use crate::system::console::Verbosity;
use crate::system::exit_code::{self, usage};
use crate::system::files::{read_own, write_whole};

const HEADER: &str = "// The counterexamples of the corpus, as `cargo target tests` writes them: write them anew, don't edit them.\n";

/// The first line of generated files, by which they are recognized.
const MARK: &str = "// The counterexamples of the corpus, as `cargo target tests` writes them";

/// Tests by the place where they compile.
type Groups = BTreeMap<Home, Vec<String>>;

/// `cargo target tests`: returns the exit code.
pub fn tests(args: &args::Tests, interrupted: &Interrupted) -> Result<u8> {
    let (config, project, mut report) = prologue::load(&args.selection, MessageFormat::Human)?;
    let filter = Filter { words: args.names.clone(), exact: true };
    let Some(checked) = prologue::check(&project, &PartialSettings::default(), &filter, &mut report)? else {
        return Ok(exit_code::USAGE);
    };
    if args.output.is_some() && checked.len() > 1 {
        return Err(usage("a file is for one package: choose one with -p"));
    }
    let mut groups = Groups::new();
    let mut names = HashMap::new();
    let mut harnesses = Harnesses { config: &config, project: &project, interrupted, built: HashMap::new() };
    for (package, number, subject) in wanted(&checked, &filter)? {
        let found = counterexamples(&project, package.package, subject)?;
        let is_told = found.is_empty() || !needs_builders(subject);
        let program = if is_told { None } else { harnesses.program(package)? };
        if interrupted.load(Ordering::Relaxed) {
            return Ok(exit_code::INTERRUPTED);
        }
        let subject = &with_builders(program, number, subject);
        for (home, test) in of_function(package, subject, &found, &mut names) {
            groups.entry(home).or_default().push(test);
        }
    }
    if groups.is_empty() && config.verbosity > Verbosity::Quiet {
        errln!("note: the corpus has no counterexample; `cargo target run` looks for some");
    }
    match &args.output {
        None if std::io::stdout().is_terminal() => console::out(&all(&groups)),
        // The output is code to be compiled.
        None => console::exact(all(&groups)),
        Some(path) => {
            // A file is compiled in one place.
            let first = groups.first_entry().filter(|entry| !matches!(entry.key(), Home::Nowhere(_)));
            let (home, tests) = match first {
                Some(entry) => entry.remove_entry(),
                None => (Home::Anywhere, Vec::new()),
            };
            write(path, &listed(&tests))?;
            if config.verbosity > Verbosity::Quiet {
                tell_of_places(&home, &groups);
            }
        }
    }
    Ok(exit_code::PASSED)
}

/// Says where the tests of a file belong if they name private items, and which tests it doesn't have.
fn tell_of_places(home: &Home, left_out: &Groups) {
    if let Home::Inside(module) = home {
        errln!(
            "note: the tests name private items: the file belongs inside `{module}`, as a module under `#[cfg(test)]`"
        );
    }
    for (home, tests) in left_out {
        let n = tests.len();
        match home {
            Home::Anywhere => {}
            Home::Inside(module) => errln!(
                "note: {n} more name private items of `{module}`: without -o, they are printed as a module for it"
            ),
            Home::Nowhere(member) => errln!(
                "note: {n} more name private items of `{member}`, so they compile nowhere: without -o, they are printed as comments"
            ),
        }
    }
}

/// Tests without a module of their own.
fn listed(tests: &[String]) -> String {
    HEADER.to_owned() + &tests.iter().map(|test| format!("\n{test}\n")).collect::<String>()
}

/// The tests of all places: those for any place first, then a module for each place that sees private items, and as
/// comments those that compile nowhere.
fn all(groups: &Groups) -> String {
    let anywhere = groups.get(&Home::Anywhere).map_or(&[][..], Vec::as_slice);
    let mut text = listed(anywhere);
    if groups.len() > 1 && !anywhere.is_empty() {
        text.insert_str(HEADER.len(), "\n// In a file of the folder `tests`:\n");
    }
    for (home, tests) in groups {
        match home {
            Home::Anywhere => {}
            Home::Inside(module) => {
                let tests: Vec<String> = tests.iter().map(|test| indented(test)).collect();
                let tests = tests.join("\n");
                text += &format!(
                    "\n// Inside `{module}`, whose private items they name:\n#[cfg(test)]\nmod counterexamples {{\n{tests}}}\n"
                );
            }
            Home::Nowhere(member) => {
                text += &format!("\n// These name private items of `{member}`, so they compile nowhere:\n");
                for test in tests {
                    text += "//\n";
                    text += &test.lines().map(|line| format!("// {line}\n")).collect::<String>();
                }
            }
        }
    }
    text
}

fn indented(test: &str) -> String {
    test.lines().map(|line| format!("    {line}\n")).collect()
}

/// The tests of a function, each with its place. Names are unique; `names` counts how often each was requested.
fn of_function(
    package: &Checked,
    subject: &Subject,
    found: &[Counterexample],
    names: &mut HashMap<String, usize>,
) -> Vec<(Home, String)> {
    let describer = Describer {
        package: &package.package.name,
        crate_name: &package.catalog.crate_name,
        options: &[],
        subject,
        sources: &package.sources,
        functions: &package.manifest.functions,
    };
    let test = |found| {
        let base = describer.test_name();
        let n = names.entry(base.clone()).and_modify(|n| *n += 1).or_insert(1);
        (describer.home(), describer.test(found, &numbered(&base, *n)))
    };
    found.iter().map(test).collect()
}

/// The harnesses that were built, by package; `None` for one that doesn't build.
struct Harnesses<'a> {
    config: &'a CargoConfig,
    project: &'a Project,
    interrupted: &'a Interrupted,
    built: HashMap<String, Option<PathBuf>>,
}

impl Harnesses<'_> {
    /// The harness of a package. Without it, a test may lack an `.unwrap()`, so that is no error.
    fn program(&mut self, package: &Checked) -> Result<Option<&Path>> {
        let name = &package.package.name;
        if !self.built.contains_key(name) {
            let Harnesses { config, project, interrupted, .. } = *self;
            let how = Build { config, profile: None, project, counts: false, lines: false, interrupted };
            let built = match launch::build(how, package, Asked::All) {
                Ok(built) => Some(built.program.path),
                Err(BuildError::Tool(error)) => return Err(error),
                Err(BuildError::Failed(failure)) => {
                    errln!("note: `.unwrap()` may be missing in tests of `{name}`: {}", failure.message);
                    None
                }
            };
            self.built.insert(name.clone(), built);
        }
        Ok(self.built.get(name).and_then(Option::as_deref))
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    read_own(path, MARK)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    }
    write_whole(path, text)
}
