//! Counterexamples from run to run: saved by each, and tried first by the next.

use std::path::Path;

use anyhow::{Context, Result, bail};
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
    let path = store::own_file(package, &spec.name);
    let own = store::read(&path, spec).unwrap_or_else(|error| {
        errln!("note: what has been kept for `{}` is not tried: {error:#}", spec.name);
        None
    });
    let saved = read(project, package, subject);
    let own = own.map(|own| (own, path, true));
    let saved = saved.map(|saved| (saved, store::saved_file(project, package, &spec.name), false));
    for (corpus, path, is_own) in own.into_iter().chain(saved) {
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
    errln!("note: {what} of {path} can't be tried, since {}{all}", first.reason);
}

/// Saves what a run found. Only what failed again, alone, will fail when it is tried first. What the package's own file
/// has is not saved once more, so that it is gone when somebody deletes it there.
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

/// Renames a file that can't be read, so that what is in it is not written over.
fn set_aside(path: &Path, why: &anyhow::Error) -> Result<()> {
    let old = path.with_extension(format!("{}.old", store::EXTENSION));
    if old.try_exists().with_context(|| format!("look for {}", old.display()))? {
        bail!("{why:#}; neither was {} taken care of: delete one of them", old.display());
    }
    std::fs::rename(path, &old).with_context(|| format!("rename {}", path.display()))?;
    errln!("note: saved counterexamples are now in {}, since {why:#}", old.display());
    Ok(())
}

/// What runs saved of a function; nothing, with a note, where that can't be read.
pub fn read(project: &Project, package: &Package, subject: &Subject) -> Option<Corpus> {
    let path = store::saved_file(project, package, &subject.spec.name);
    store::read(&path, &subject.spec).unwrap_or_else(|error| {
        errln!("note: what runs saved for `{}` is passed over: {error:#}", subject.spec.name);
        None
    })
}

/// Takes what runs saved into a package's own corpus; gives what that has now, and the saved file can `forget`.
pub fn adopt(
    project: &Project,
    package: &Package,
    subject: &Subject,
    corpus: &mut Corpus,
) -> Vec<Vec<Value>> {
    let mut adopted = Vec::new();
    for entry in read(project, package, subject).into_iter().flat_map(|saved| saved.entries) {
        // What is there already is told as it was written.
        let is_there = has(corpus, &entry.args)
            || failure::add(corpus, &entry.args, &entry.comments, &subject.spec).is_ok();
        if is_there {
            adopted.push(entry.args);
        }
    }
    adopted
}

/// Takes entries out of what runs saved: they stand in the package's own file, and are tried from there.
pub fn forget(project: &Project, package: &Package, subject: &Subject, adopted: &[Vec<Value>]) -> Result<()> {
    if adopted.is_empty() {
        return Ok(());
    }
    let spec = &subject.spec;
    let path = store::saved_file(project, package, &spec.name);
    let Some(mut saved) = store::read(&path, spec)? else { return Ok(()) };
    saved.entries.retain(|entry| !adopted.contains(&entry.args));
    if saved.entries.is_empty() && saved.refused.is_empty() {
        return std::fs::remove_file(&path).with_context(|| format!("delete {}", path.display()));
    }
    store::write(&path, &saved.text(spec)).map(|_| ())
}

/// Whether a corpus has a counterexample already.
fn has(corpus: &Corpus, args: &[Value]) -> bool {
    corpus.entries.iter().any(|known| known.kind == Kind::Counterexample && known.args == args)
}
