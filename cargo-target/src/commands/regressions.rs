//! `cargo target tests`: a test for each counterexample of the corpus, in the same format as in reports.
//!
//! The corpus notes each counterexample's failure above it. So nothing is built or run here, and the tests don't change
//! when the function is fixed.

use std::collections::{BTreeMap, HashMap};
use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Context, Result};
use target_bridge::frontend::manifest::PartialSettings;
use target_bridge::frontend::subject::Subject;

use crate::commands::prologue::{self, wanted};
use crate::events::describe::{Describer, test_name};
use crate::options::args::{self};
use crate::report::MessageFormat;
use crate::run::checked::{Checked, Filter};
use crate::run::corpus::saved::counterexamples;
use crate::run::project::Project;
use crate::system::console;
use crate::system::console::Verbosity;
use crate::system::exit_code::{self, usage};
use crate::system::files::{read_own, write_whole};

const HEADER: &str = "// The counterexamples of the corpus, as `cargo target tests` writes them: write them anew, don't edit them.\n";

/// The first line of generated files, by which they are recognized.
const MARK: &str = "// The counterexamples of the corpus, as `cargo target tests` writes them";

/// Tests by the module whose private items they name; `None` for tests that compile anywhere.
type Groups = BTreeMap<Option<String>, Vec<String>>;

/// `cargo target tests`: returns the exit code.
pub fn tests(args: &args::Tests) -> Result<u8> {
    let (config, project, mut report) = prologue::load(&args.selection, MessageFormat::Human)?;
    let Some(checked) = prologue::check(&project, &PartialSettings::default(), &mut report)? else {
        return Ok(exit_code::USAGE);
    };
    if args.output.is_some() && checked.len() > 1 {
        return Err(usage("a file is for one package: choose one with -p"));
    }
    let filter = Filter { words: args.names.clone(), exact: true };
    let mut groups = Groups::new();
    let mut names = HashMap::new();
    for (package, _, subject) in wanted(&checked, &filter)? {
        for (module, test) in of_function(&project, package, subject, &mut names)? {
            groups.entry(module).or_default().push(test);
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
            let (module, tests) = groups.pop_first().unwrap_or_default();
            write(path, &listed(&tests))?;
            if config.verbosity > Verbosity::Quiet {
                tell_of_places(module.as_deref(), &groups);
            }
        }
    }
    Ok(exit_code::PASSED)
}

/// Says where the tests of a file belong if they name private items, and which tests it doesn't have.
fn tell_of_places(module: Option<&str>, left_out: &Groups) {
    if let Some(module) = module {
        errln!(
            "note: the tests name private items: the file belongs inside `{module}`, as a module under `#[cfg(test)]`"
        );
    }
    for (module, tests) in left_out {
        let (n, module) = (tests.len(), module.as_deref().unwrap_or("crate"));
        errln!(
            "note: {n} more name private items of `{module}`: without -o, they are printed as a module for it"
        );
    }
}

/// Tests without a module of their own.
fn listed(tests: &[String]) -> String {
    HEADER.to_owned() + &tests.iter().map(|test| format!("\n{test}\n")).collect::<String>()
}

/// The tests of all places: those for any place first, then a module for each place that sees private items.
fn all(groups: &Groups) -> String {
    let mut text = listed(groups.get(&None).map_or(&[][..], Vec::as_slice));
    for (module, tests) in groups {
        let Some(module) = module else { continue };
        let tests: Vec<String> = tests.iter().map(|test| indented(test)).collect();
        let tests = tests.join("\n");
        text += &format!(
            "\n// Inside `{module}`, whose private items they name:\n#[cfg(test)]\nmod counterexamples {{\n{tests}}}\n"
        );
    }
    text
}

fn indented(test: &str) -> String {
    test.lines().map(|line| format!("    {line}\n")).collect()
}

/// The tests of a function, each with its module. Names are unique; `names` counts how often each was requested.
fn of_function(
    project: &Project,
    package: &Checked,
    subject: &Subject,
    names: &mut HashMap<String, usize>,
) -> Result<Vec<(Option<String>, String)>> {
    let describer = Describer {
        package: &package.package.name,
        crate_name: &package.catalog.crate_name,
        options: &[],
        subject,
        sources: &package.sources,
    };
    let found = counterexamples(project, package.package, subject)?;
    let test = |found| {
        let base = test_name(&subject.spec.name);
        let n = names.entry(base.clone()).and_modify(|n| *n += 1).or_insert(1);
        let name = if *n == 1 { base } else { format!("{base}_{n}") };
        (describer.module(), describer.test(&found, &name))
    };
    Ok(found.into_iter().map(test).collect())
}

fn write(path: &Path, text: &str) -> Result<()> {
    read_own(path, MARK)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    }
    write_whole(path, text)
}
