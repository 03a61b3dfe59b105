//! `cargo target fuzz --import`: adds the inputs that a fuzzer kept or crashed on to the function's corpus file.
//!
//! They are decoded like the target does, and judged by the spec: rejected inputs are only counted. The next run tries
//! the others first, and shows which are counterexamples.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use target_strategies::corpus::{Corpus, Kind};
use target_strategies::logic::eval::admits;
use target_strategies::logic::value::Value;

use super::context::Context;
use super::decoder::Decoder;
use super::pairs::Pair;
use super::write::{self, left_out};
use super::{folders, package_folder};
use crate::run::corpus::{failure, store};
use crate::system::console::Verbosity;
use crate::system::exit_code;
use crate::system::files::from_here;

/// Imports the inputs of a fuzz target; returns the exit code.
pub fn import(context: &Context, pair: &Pair) -> Result<u8> {
    let (name, spec) = (&pair.target.name, &pair.subject.spec);
    if pair.binding.params.len() < spec.params.len() {
        let key = &spec.name;
        let what = format!("the fuzz target `{name}` has only some of the arguments of `{key}`");
        return Ok(left_out(context, &what));
    }
    let program = match pair.decoder(context)? {
        Decoder::Program(program) => Some(program),
        Decoder::BuiltIn => None,
        Decoder::Unavailable(reason) => {
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
    let mut n_rejected = 0;
    let mut counts = [0, 0];
    let files = files(context, pair)?;
    let named: Vec<(String, Vec<u8>)> =
        files.iter().map(|(_, name, bytes)| (name.clone(), bytes.clone())).collect();
    let decoded = write::inputs(pair, program.as_deref(), &named)?;
    let mut known: HashSet<Vec<Value>> = corpus.cases().map(<[Value]>::to_vec).collect();
    for ((kind, ..), input) in files.iter().zip(decoded) {
        let args = input.and_then(|input| pair.binding.args(&input, spec));
        match args.filter(|args| admits(spec, args)) {
            None => n_rejected += 1,
            Some(args) if known.insert(args.clone()) || *kind == Kind::Counterexample => {
                match add(&mut corpus, *kind, args, pair) {
                    Ok(()) => counts[usize::from(*kind == Kind::Kept)] += 1,
                    Err(_) => n_rejected += 1,
                }
            }
            Some(_) => {}
        }
    }
    if counts != [0, 0] {
        store::write(&path, &corpus.text(spec))?;
    }
    if context.config.verbosity > Verbosity::Quiet {
        let [crashes, kept] = counts;
        let path = from_here(&path);
        outln!(
            "{name}: {crashes} crashes and {kept} inputs for `{}` into {path}; {n_rejected} that its spec rejects",
            spec.name
        );
        if !pair.subject.opaques.is_empty() {
            outln!("    its `where` conditions were not judged: they may reject some of these inputs");
        }
    }
    Ok(exit_code::PASSED)
}

/// Whether libFuzzer kept a file only because the input was slow, which is no failure.
fn is_slow(name: &str) -> bool {
    name.starts_with("slow-unit-")
}

fn add(corpus: &mut Corpus, kind: Kind, args: Vec<Value>, pair: &Pair) -> Result<(), String> {
    match kind {
        Kind::Counterexample => failure::add(corpus, &args, &[], &pair.subject.spec),
        kind => corpus.add(kind, args, &pair.subject.spec),
    }
}

/// The files on which a target's fuzzer failed or that it kept, with their names; without the given seeds.
fn files(context: &Context, pair: &Pair) -> Result<Vec<(Kind, String, Vec<u8>)>> {
    let seeds = seeds(context, pair)?;
    let mut files = Vec::new();
    for (kind, path) in folders::found(pair)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(&path).with_context(|| format!("read {}", path.display()))?;
        if kind == Kind::Kept && is_seed(&seeds, &name, &bytes) {
            continue;
        }
        let kind = if is_slow(&name) { Kind::Kept } else { kind };
        files.push((kind, from_here(&path), bytes));
    }
    Ok(files)
}

/// The SHA-1 of the seeds given to a target's fuzzer: from the folder for seeds alone, or else the seeds that the same
/// options would write.
fn seeds(context: &Context, pair: &Pair) -> Result<HashSet<String>> {
    if folders::is_shared(pair.target.target.fuzzer) {
        return Ok(write::all(context, pair).unwrap_or_default().into_keys().collect());
    }
    let folder = folders::seeds(context, pair);
    let files = package_folder::entries(&folder)?.into_iter().filter(|path| path.is_file());
    let name = |path: PathBuf| {
        let bytes = fs::read(&path).with_context(|| format!("read {}", path.display()))?;
        Ok(write::sha1(&bytes))
    };
    files.map(name).collect()
}

/// Whether a file is a seed, whatever its name. afl copies seeds into its queue, maybe shortened, under names that end
/// with the seed's name.
fn is_seed(seeds: &HashSet<String>, name: &str, bytes: &[u8]) -> bool {
    let origin = name.rsplit_once(",orig:").map(|(_, origin)| origin);
    origin.is_some_and(|origin| seeds.contains(origin)) || seeds.contains(&write::sha1(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_none_of_what_a_fuzzer_found_whatever_its_name() {
        let sha1 = write::sha1(b"ab");
        let seeds = HashSet::from([sha1.clone()]);
        assert!(is_seed(&seeds, "id:000003,time:0,execs:0,orig:x", b"ab") && is_seed(&seeds, &sha1, b"ab"));
        assert!(is_seed(&seeds, &format!("id:000000,time:0,execs:0,orig:{sha1}"), b"a"));
        assert!(!is_seed(&seeds, "id:000000,src:000003,op:havoc", b"b"));
        // A name alone is no content.
        assert!(!is_seed(&seeds, &sha1, b"b"));
    }

    #[test]
    fn what_was_only_slow_is_no_failure() {
        assert!(is_slow("slow-unit-0123"));
        for failure in ["crash-0123", "timeout-0123", "oom-0123", "leak-0123", "id:000000,sig:06"] {
            assert!(!is_slow(failure));
        }
    }
}
