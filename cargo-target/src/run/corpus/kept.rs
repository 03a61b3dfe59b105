//! Inputs that add coverage, kept in a package's own corpus file: later runs try them first.

use anyhow::Result;
use target_bridge::frontend::subject::Subject;
use target_strategies::corpus::{Corpus, Entry, Kind};

use super::store;
use crate::run::checked::Checked;
use crate::run::coverage::Keep;
use crate::system::files::from_here;

/// Adds inputs to a function's file, except those that are on its permanent lines.
pub fn keep(package: &Checked, subject: &Subject, inputs: Keep) -> Result<()> {
    let spec = &subject.spec;
    let path = store::own_file(package.package, &spec.name);
    let mut corpus = store::read(&path, spec)?.unwrap_or_else(|| Corpus {
        function: spec.name.clone(),
        spec: package.spec_text(subject).lines().map(|line| line.trim().to_owned()).collect(),
        ..Corpus::default()
    });
    let mut n_new = 0;
    for (args, n_regions) in inputs {
        let stays = |entry: &&Entry| !entry.kind.is_generated() && entry.args == args;
        if corpus.entries.iter().any(|entry| stays(&entry)) {
            continue;
        }
        if let Err(why) = corpus.add(Kind::Kept, args, spec) {
            errln!("note: an input of `{}` is not kept: {why}", spec.name);
            continue;
        }
        let entry = corpus.entries.last_mut().expect("an entry was just added");
        entry.comments = vec![match n_regions {
            1 => "reaches 1 region".to_owned(),
            n => format!("reaches {n} regions"),
        }];
        n_new += 1;
    }
    if n_new > 0 {
        store::write(&path, &corpus.text(spec))?;
        let inputs = if n_new == 1 { "1 input".to_owned() } else { format!("{n_new} inputs") };
        errln!("note: {}: {inputs} kept for coverage", from_here(&path));
    }
    Ok(())
}
