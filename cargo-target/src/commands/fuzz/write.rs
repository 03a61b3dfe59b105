//! Writes seeds for a fuzz target: encodes inputs, decodes them again, and writes those that come back equal.
//!
//! For cargo-fuzz they go to `fuzz/seeds`, which is under version control; `fuzz/corpus` isn't, and cargo-fuzz writes
//! to it. For other fuzzers they go to the folders that those read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use sha1::{Digest, Sha1};
use target_bridge::codegen::fuzz::target::{Fuzzer, Input};
use target_strategies::fuzzing::arbitrary::{Unsupported, encode};
use target_strategies::fuzzing::input::{decode_args, encode_args};
use target_strategies::logic::ir::Sort;
use target_strategies::logic::notation::print;
use target_strategies::logic::value::Value;

use super::context::Context;
use super::decoder::{self, Decoder};
use super::pairs::Pair;
use super::{folders, package_folder, seeds};
use crate::run::launch::space;
use crate::system::console::Verbosity;
use crate::system::exit_code;
use crate::system::files::{from_here, write_if_changed};

/// Maximum number of wrongly decoded seeds that are shown.
const SHOWN: usize = 3;

/// A seed: its bytes, and the input that they should decode to.
#[derive(Debug)]
pub struct Seed {
    bytes: Vec<u8>,
    input: Value,
}

/// Writes the seeds of a fuzz target; returns the exit code.
pub fn seeds(context: &Context, pair: &Pair) -> Result<u8> {
    let name = &pair.target.name;
    let program = match pair.decoder(context)? {
        Decoder::Program(program) => Some(program),
        Decoder::BuiltIn => None,
        Decoder::Unavailable(reason) => return Ok(reject(context, name, &reason)),
    };
    let all = match all(context, pair) {
        Ok(seeds) => seeds,
        Err(Unsupported(reason)) => return Ok(reject(context, name, &reason)),
    };
    let files: Vec<(String, Vec<u8>)> =
        all.iter().map(|(name, seed)| (name.clone(), seed.bytes.clone())).collect();
    let decoded = inputs(pair, program.as_deref(), &files)?;
    let (kept, dropped): (Vec<_>, Vec<_>) =
        all.iter().zip(decoded).partition(|((_, seed), decoded)| decoded.as_ref() == Some(&seed.input));
    let folder = folders::seeds(context, pair);
    let n_older = older(pair, &folder, &all)?;
    for ((sha1, seed), _) in &kept {
        write_if_changed(&folder.join(sha1), &seed.bytes)?;
    }
    for ((_, seed), decoded) in dropped.iter().take(SHOWN) {
        let shown = decoded.as_ref().map_or_else(|| "nothing".to_owned(), |value| text(pair, value));
        errln!("warning: {} is left out: its bytes decode to {shown}", text(pair, &seed.input));
    }
    let code = if kept.is_empty() { exit_code::USAGE } else { exit_code::PASSED };
    tell(context, pair, &folder, [kept.len(), dropped.len(), n_older])?;
    Ok(code)
}

/// The seeds of a fuzz target, by file name. Inputs that differ only in parts that the target doesn't use are one seed.
pub fn all(context: &Context, pair: &Pair) -> Result<BTreeMap<String, Seed>, Unsupported> {
    let space = space(pair.subject);
    let boundary = pair.subject.settings.boundary;
    let chosen = seeds::choose(&space, context.args.samples, context.args.seed, boundary);
    let named = |args: &Vec<Value>| {
        let seed = seed(context, pair, args)?;
        Ok::<_, Unsupported>((sha1(&seed.bytes), seed))
    };
    chosen.iter().map(named).collect()
}

/// The number of earlier seeds in a folder that is for seeds alone.
fn older(pair: &Pair, folder: &Path, seeds: &BTreeMap<String, Seed>) -> Result<usize> {
    if folders::is_shared(pair.target.target.fuzzer) {
        return Ok(0);
    }
    let is_older =
        |path: &Path| path.file_name().is_some_and(|name| !seeds.contains_key(&*name.to_string_lossy()));
    Ok(package_folder::entries(folder)?.iter().filter(|path| is_older(path)).count())
}

/// Reports why a target has no seeds; returns the exit code.
fn reject(context: &Context, name: &str, reason: &str) -> u8 {
    left_out(context, &format!("no seeds for the fuzz target `{name}`: {reason}"))
}

/// Reports a skipped target; returns the exit code. If all targets are requested, skipping one is no error.
pub fn left_out(context: &Context, what: &str) -> u8 {
    let is_asked_for = context.args.target.is_some() || context.args.function.is_some();
    let level = if is_asked_for { "error" } else { "warning" };
    errln!("{level}: {what}");
    if is_asked_for { exit_code::USAGE } else { exit_code::PASSED }
}

fn seed(context: &Context, pair: &Pair, args: &[Value]) -> Result<Seed, Unsupported> {
    let spec = &pair.subject.spec;
    let input = pair.binding.input(args);
    let bytes = match &pair.target.target.input {
        Input::Own(_) => encode_args(args, spec)?,
        _ if pair.is_raw() => raw(&input),
        _ => encode(&input, &pair.binding.refined(), spec, pair.mode(context))?,
    };
    Ok(Seed { bytes, input })
}

/// The bytes of a text or of a list of bytes.
fn raw(input: &Value) -> Vec<u8> {
    let byte = |value: &Value| {
        let Value::Int(n) = value else { unreachable!("the sort of an element is u8") };
        n.to_u64().and_then(|n| u8::try_from(n).ok()).expect("the sort of an element is u8")
    };
    match input {
        Value::Str(text) => text.as_bytes().to_vec(),
        Value::Seq(bytes) => bytes.iter().map(byte).collect(),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Char(_)
        | Value::Float(_)
        | Value::Tuple(_)
        | Value::Data(..) => Vec::new(),
    }
}

/// The inputs that a target decodes from files, given with names.
pub fn inputs(pair: &Pair, program: Option<&Path>, all: &[(String, Vec<u8>)]) -> Result<Vec<Option<Value>>> {
    let spec = &pair.subject.spec;
    if let Some(program) = program {
        return decoder::decode(program, all);
    }
    let is_str = matches!(pair.binding.types.first().map(|refined| &refined.sort), Some(Sort::Str(_)));
    let input = |(_, bytes): &(String, Vec<u8>)| {
        if !pair.is_raw() {
            decode_args(bytes, spec).map(|args| Value::Tuple(args.into()))
        } else if is_str {
            std::str::from_utf8(bytes).ok().map(Value::str)
        } else {
            Some(Value::Seq(bytes.iter().map(|byte| Value::int(*byte)).collect()))
        }
    };
    Ok(all.iter().map(input).collect())
}

/// The name that libFuzzer gives a file of its corpus, so that an input found again is the same file.
pub fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text(pair: &Pair, input: &Value) -> String {
    print(input, &pair.binding.refined(), &pair.subject.spec)
}

/// Reports the seeds and how to use them: the numbers of written, dropped and older seeds.
fn tell(context: &Context, pair: &Pair, folder: &Path, [kept, dropped, older]: [usize; 3]) -> Result<()> {
    let name = &pair.target.name;
    let is_loud = context.config.verbosity > Verbosity::Quiet;
    if is_loud {
        let key = &pair.subject.spec.name;
        let left_out = if dropped > 0 { format!(", {dropped} left out") } else { String::new() };
        let older = if older > 0 { format!("; {older} older files stay there") } else { String::new() };
        outln!("{name}: {kept} seeds for `{key}` in {}{left_out}{older}", from_here(folder));
    }
    let fuzzer = pair.target.target.fuzzer;
    if context.args.out.is_none() && pair.mode(context) == fuzzer.mode() && kept > 0 {
        if fuzzer == Fuzzer::LibFuzzer {
            // libFuzzer needs an existing folder to write to.
            let corpus = pair.target.work.join("corpus").join(name);
            fs::create_dir_all(&corpus).with_context(|| format!("create {}", corpus.display()))?;
        }
        if is_loud {
            outln!("    {}", folders::command(context, pair, folder));
        }
    }
    Ok(())
}
