//! Counterexamples from run to run: saved by each, and tried first by the next.

use std::path::Path;

use anyhow::Result;
use target_bridge::subject::Subject;
use target_strategies::corpus::{Corpus, Kind};
use target_strategies::value::Value;

use super::{failure, store};
use crate::outcome::Counterexample;
use crate::project::{Package, Project};

/// The argument tuples that a run of a function tries first: the counterexamples of earlier runs, and what the package's
/// own corpus file has of them and of lines that somebody wrote.
pub fn replayed(project: &Project, package: &Package, subject: &Subject) -> Vec<Vec<Value>> {
    let spec = &subject.spec;
    let mut found: Vec<Vec<Value>> = Vec::new();
    let own = store::own_file(package, &spec.name);
    let saved = store::saved_file(project, package, &spec.name);
    for (path, is_own) in [(own, true), (saved, false)] {
        let corpus = match store::read(&path, spec) {
            Ok(corpus) => corpus.unwrap_or_default(),
            // What the tool wrote for itself can be made again.
            Err(_) if !is_own => continue,
            Err(error) => {
                anstream::eprintln!("note: what has been kept for `{}` is not tried: {error:#}", spec.name);
                continue;
            }
        };
        tell_of_refused(&corpus, &path, is_own);
        for entry in corpus.entries {
            if matches!(entry.kind, Kind::Counterexample | Kind::Kept) && !found.contains(&entry.args) {
                found.push(entry.args);
            }
        }
    }
    found
}

fn tell_of_refused(corpus: &Corpus, path: &Path, is_own: bool) {
    let path = path.display();
    let Some(first) = corpus.refused.first() else { return };
    let n = corpus.refused.len();
    let what = if n == 1 { "1 line".to_owned() } else { format!("{n} lines") };
    let all = if is_own { "; `cargo target corpus --check` shows all" } else { "" };
    anstream::eprintln!("note: {what} of {path} can't be tried, since {}{all}", first.reason);
}

/// Saves what a run found. Only what failed again, alone, will fail when it is tried first.
pub fn save(project: &Project, package: &Package, subject: &Subject, found: &[Counterexample]) -> Result<()> {
    let spec = &subject.spec;
    let confirmed: Vec<&Counterexample> = found.iter().filter(|found| found.confirmed).collect();
    if confirmed.is_empty() {
        return Ok(());
    }
    let path = store::saved_file(project, package, &spec.name);
    let mut corpus = store::read(&path, spec).ok().flatten().unwrap_or_default();
    corpus.function = spec.name.clone();
    for found in confirmed {
        let comments = failure::comments(&found.failure, spec);
        if let Err(why) = failure::add(&mut corpus, &found.args, &comments, spec) {
            anstream::eprintln!("note: a counterexample of `{}` is not saved: {why}", spec.name);
        }
    }
    store::write(&path, &corpus.text(spec)).map(|_| ())
}
