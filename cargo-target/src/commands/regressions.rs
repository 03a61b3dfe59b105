//! `cargo target tests`: a test for each counterexample of the corpus, in the same format as in reports.
//!
//! The corpus notes each counterexample's failure above it. So nothing is built or run here, and the tests don't change
//! when the function is fixed.

use std::collections::HashMap;
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
    let (mut text, mut n_tests, mut is_private) = (HEADER.to_owned(), 0, false);
    let mut names = HashMap::new();
    for (package, _, subject) in wanted(&checked, &filter)? {
        for test in of_function(&project, package, subject, &mut names)? {
            text += &format!("\n{test}\n");
            n_tests += 1;
            is_private |= !subject.openings.is_empty();
        }
    }
    match &args.output {
        None if std::io::stdout().is_terminal() => console::out(&text),
        // The output is code to be compiled.
        None => console::exact(&text),
        Some(path) => write(path, &text)?,
    }
    if config.verbosity > Verbosity::Quiet {
        if n_tests == 0 {
            errln!("note: the corpus has no counterexample; `cargo target run` looks for some");
        }
        if is_private {
            errln!("note: tests that say `crate::` can only stand inside of the crate");
        }
    }
    Ok(exit_code::PASSED)
}

/// The tests of a function. Names are unique; `names` counts how often each was requested.
fn of_function(
    project: &Project,
    package: &Checked,
    subject: &Subject,
    names: &mut HashMap<String, usize>,
) -> Result<Vec<String>> {
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
        describer.test(&found, &name)
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
