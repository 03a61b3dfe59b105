//! `cargo target fuzz --import`: what a fuzzer has kept and what it crashed on, as entries of the function's corpus file.
//!
//! Decoded as the target decodes, and judged by the spec: what the spec refuses was no input of the function, and is
//! counted only. What is a counterexample, the next run says, which tries them first.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use target_strategies::corpus::{Corpus, Kind};
use target_strategies::eval::admits;
use target_strategies::value::Value;

use super::Context;
use super::pairs::Pair;
use super::write::{self, left_out};
use crate::config::Verbosity;
use crate::corpus::{failure, store};
use crate::exit_code;
use crate::files::from_here;

/// Imports what there is for a fuzz target: gives the exit code.
pub fn import(context: &Context, pair: &Pair) -> Result<u8> {
    let (name, spec) = (&pair.target.name, &pair.subject.spec);
    if pair.binding.params.len() < spec.params.len() {
        let key = &spec.name;
        let what = format!("the fuzz target `{name}` has only some of the arguments of `{key}`");
        return Ok(left_out(context, &what));
    }
    let program = match pair.decoder(context)? {
        Ok(program) => program,
        Err(reason) => {
            let what = format!("nothing is imported from the fuzz target `{name}`: {reason}");
            return Ok(left_out(context, &what));
        }
    };
    let path = store::own_file(pair.package.package, &spec.name);
    let old = store::read(&path, spec)?;
    let mut corpus = old.unwrap_or_else(|| Corpus {
        function: spec.name.clone(),
        spec: pair.package.spec_text(pair.subject).lines().map(|line| line.trim().to_owned()).collect(),
        ..Corpus::default()
    });
    let mut refused = 0;
    let mut counts = [0, 0];
    let sources = [(Kind::Counterexample, "artifacts"), (Kind::Kept, "corpus")];
    for (folder_kind, folder) in sources {
        let files = files(&pair.fuzz.folder.join(folder).join(name))?;
        let decoded = write::inputs(pair, program.as_deref(), &files)?;
        let mut known: HashSet<Vec<Value>> = corpus.cases().map(<[Value]>::to_vec).collect();
        for ((path, _), input) in files.iter().zip(decoded) {
            let kind = if is_slow(path) { Kind::Kept } else { folder_kind };
            let count = &mut counts[usize::from(kind == Kind::Kept)];
            let args = input.and_then(|input| pair.binding.args(&input, spec));
            match args.filter(|args| admits(spec, args)) {
                None => refused += 1,
                Some(args) if known.insert(args.clone()) || kind == Kind::Counterexample => {
                    match add(&mut corpus, kind, args, pair) {
                        Ok(()) => *count += 1,
                        Err(_) => refused += 1,
                    }
                }
                Some(_) => {}
            }
        }
    }
    if counts != [0, 0] {
        store::write(&path, &corpus.text(spec))?;
    }
    if context.config.verbosity > Verbosity::Quiet {
        let [crashes, kept] = counts;
        let path = from_here(&path);
        anstream::println!(
            "{name}: {crashes} crashes and {kept} inputs for `{}` into {path}; {refused} that its spec refuses",
            spec.name
        );
        if !pair.subject.opaques.is_empty() {
            anstream::println!(
                "    its `where` conditions were not judged: they may refuse some of these inputs"
            );
        }
    }
    Ok(exit_code::PASSED)
}

/// Whether a file of `fuzz/artifacts` is of an input that libFuzzer found slow only, which is no failure.
fn is_slow(path: &str) -> bool {
    Path::new(path).file_name().is_some_and(|name| name.to_string_lossy().starts_with("slow-unit-"))
}

fn add(corpus: &mut Corpus, kind: Kind, args: Vec<Value>, pair: &Pair) -> Result<(), String> {
    match kind {
        Kind::Counterexample => failure::add(corpus, &args, &[], &pair.subject.spec),
        kind => corpus.add(kind, args, &pair.subject.spec),
    }
}

/// The files of a folder, in the order of their names; none if there is no such folder.
fn files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).with_context(|| format!("read {}", path.display()))?;
        Ok((from_here(&path), bytes))
    };
    paths.into_iter().map(read).collect()
}
