//! `cargo target tests`: a test for each counterexample of the corpus, in the words that reports paste.
//!
//! What a counterexample did stands above it in the corpus, so that nothing is built or run here, and the tests stay the
//! same when the function is mended.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Context, Result};
use target_bridge::manifest::PartialSettings;
use target_bridge::subject::Subject;

use crate::args::{self, MessageFormat};
use crate::checked::{self, Checked, Filter};
use crate::config::{CargoConfig, Verbosity};
use crate::console;
use crate::corpus::counterexamples;
use crate::describe::{Describer, test_name};
use crate::exit_code::{self, usage};
use crate::files::{read_own, write_whole};
use crate::pipeline::{diagnose, wanted};
use crate::project::{self, Project};
use crate::report::Report;

const HEAD: &str = "// The counterexamples of the corpus, as `cargo target tests` writes them: write them anew, don't edit them.\n";

/// What tells a file that was written before.
const MARK: &str = "// The counterexamples of the corpus, as `cargo target tests` writes them";

/// `cargo target tests`: gives the exit code.
pub fn tests(args: &args::Tests) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(MessageFormat::Human, config.color, config.verbosity);
    let project = project::load(&config)?;
    let checked = checked::check(&project, &PartialSettings::default(), None)?;
    if diagnose(&checked, &mut report) {
        return Ok(exit_code::USAGE);
    }
    if args.output.is_some() && checked.len() > 1 {
        return Err(usage("a file is for one package: choose one with -p"));
    }
    let filter = Filter { words: args.names.clone(), exact: true };
    let (mut text, mut n_tests, mut is_private) = (HEAD.to_owned(), 0, false);
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
        // Code to be compiled.
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

/// The tests of a function. Each name is given once; `names` has how often it was wanted.
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
