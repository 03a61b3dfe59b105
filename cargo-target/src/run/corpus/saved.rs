//! Counterexamples from run to run: each run saves them, and the next tries them first.

use std::path::Path;

use anyhow::{Context, Result, bail};
use target_bridge::frontend::subject::Subject;
use target_strategies::corpus::{Corpus, Kind};
use target_strategies::logic::value::Value;

use super::{failure, store};
use crate::events::outcome::Counterexample;
use crate::run::project::{Package, Project};

/// The argument tuples that a run of a function tries first: counterexamples of earlier runs, and the counterexamples
/// and handwritten lines in the package's own corpus file.
pub fn replayed(project: &Project, package: &Package, subject: &Subject) -> Vec<Vec<Value>> {
    let spec = &subject.spec;
    let mut found: Vec<Vec<Value>> = Vec::new();
    let path = store::own_file(package, &spec.name);
    let own = store::read(&path, spec).unwrap_or_else(|error| {
        errln!("note: what has been kept for `{}` is not tried: {error:#}", spec.name);
        None
    });
    let saved = read(project, package, subject);
    let own = own.map(|own| (own, path, true));
    let saved = saved.map(|saved| (saved, store::saved_file(project, package, &spec.name), false));
    for (corpus, path, is_own) in own.into_iter().chain(saved) {
        tell_of_rejected(&corpus, &path, is_own);
        for entry in corpus.entries {
            if matches!(entry.kind, Kind::Counterexample | Kind::Kept) && !found.contains(&entry.args) {
                found.push(entry.args);
            }
        }
    }
    found
}

fn tell_of_rejected(corpus: &Corpus, path: &Path, is_own: bool) {
    let path = path.display();
    let Some(first) = corpus.rejected.first() else { return };
    let n = corpus.rejected.len();
    let what = if n == 1 { "1 line".to_owned() } else { format!("{n} lines") };
    let all = if is_own { "; `cargo target corpus --check` shows all" } else { "" };
    errln!("note: {what} of {path} can't be tried: {}{all}", first.reason);
}

/// Saves the counterexamples of a run: only confirmed ones, as others may not fail again. Those in the package's own
/// file are not saved again, so that deleting them there is enough.
pub fn save(project: &Project, package: &Package, subject: &Subject, found: &[Counterexample]) -> Result<()> {
    let spec = &subject.spec;
    let own = store::read(&store::own_file(package, &spec.name), spec).ok().flatten().unwrap_or_default();
    let is_new = |found: &&Counterexample| found.confirmed && !has(&own, &found.args);
    let confirmed: Vec<&Counterexample> = found.iter().filter(is_new).collect();
    if confirmed.is_empty() {
        return Ok(());
    }
    let path = store::saved_file(project, package, &spec.name);
    let mut corpus = match store::read(&path, spec) {
        Ok(corpus) => corpus.unwrap_or_default(),
        Err(error) => {
            set_aside(&path, &error)?;
            Corpus::default()
        }
    };
    corpus.function = spec.name.clone();
    for found in confirmed {
        let comments = failure::comments(&found.failure, spec);
        if let Err(why) = failure::add(&mut corpus, &found.args, &comments, spec) {
            errln!("note: a counterexample of `{}` is not saved: {why}", spec.name);
        }
    }
    store::write(&path, &corpus.text(spec)).map(|_| ())
}

/// Renames an unreadable file, so that its contents are not overwritten.
fn set_aside(path: &Path, why: &anyhow::Error) -> Result<()> {
    let old = path.with_extension(format!("{}.old", store::EXTENSION));
    if old.try_exists().with_context(|| format!("look for {}", old.display()))? {
        bail!("{why:#}; neither was {} taken care of: delete one of them", old.display());
    }
    std::fs::rename(path, &old).with_context(|| format!("rename {}", path.display()))?;
    errln!("note: saved counterexamples are now in {}, since {why:#}", old.display());
    Ok(())
}

/// Reads the counterexamples that runs saved for a function; nothing, with a note, if that fails.
pub fn read(project: &Project, package: &Package, subject: &Subject) -> Option<Corpus> {
    let path = store::saved_file(project, package, &subject.spec.name);
    store::read(&path, &subject.spec).unwrap_or_else(|error| {
        errln!("note: what runs saved for `{}` is passed over: {error:#}", subject.spec.name);
        None
    })
}

/// Adds saved counterexamples to a package's own corpus; returns those that it now has, which the saved file can
/// `forget`.
pub fn adopt(
    project: &Project,
    package: &Package,
    subject: &Subject,
    corpus: &mut Corpus,
) -> Vec<Vec<Value>> {
    let mut adopted = Vec::new();
    for entry in read(project, package, subject).into_iter().flat_map(|saved| saved.entries) {
        // An existing entry keeps its comments.
        let is_there = has(corpus, &entry.args)
            || failure::add(corpus, &entry.args, &entry.comments, &subject.spec).is_ok();
        if is_there {
            adopted.push(entry.args);
        }
    }
    adopted
}

/// Removes adopted entries from the saved file: they are in the package's own file now.
pub fn forget(project: &Project, package: &Package, subject: &Subject, adopted: &[Vec<Value>]) -> Result<()> {
    if adopted.is_empty() {
        return Ok(());
    }
    let spec = &subject.spec;
    let path = store::saved_file(project, package, &spec.name);
    let Some(mut saved) = store::read(&path, spec)? else { return Ok(()) };
    saved.entries.retain(|entry| !adopted.contains(&entry.args));
    if saved.entries.is_empty() && saved.rejected.is_empty() {
        return std::fs::remove_file(&path).with_context(|| format!("delete {}", path.display()));
    }
    store::write(&path, &saved.text(spec)).map(|_| ())
}

/// Whether a corpus already has a counterexample.
fn has(corpus: &Corpus, args: &[Value]) -> bool {
    corpus.entries.iter().any(|known| known.kind == Kind::Counterexample && known.args == args)
}

/// The counterexamples of a function: those in its package's file, then those saved by runs.
pub fn counterexamples(
    project: &Project,
    package: &Package,
    subject: &Subject,
) -> Result<Vec<Counterexample>> {
    let spec = &subject.spec;
    let mut found: Vec<Counterexample> = Vec::new();
    let own = store::read(&store::own_file(package, &spec.name), spec)?;
    let saved = read(project, package, subject);
    for corpus in own.into_iter().chain(saved) {
        for entry in corpus.in_order(spec) {
            if entry.kind == Kind::Counterexample && !found.iter().any(|known| known.args == entry.args) {
                found.push(failure::counterexample(&entry, spec));
            }
        }
    }
    Ok(found)
}
