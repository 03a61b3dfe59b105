//! Seeds for a fuzz target: inputs encoded, decoded again, and written if that gives the same.
//!
//! They go to `fuzz/seeds`, which is for version control: cargo-fuzz leaves `fuzz/corpus` out of it, and writes there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha1::{Digest, Sha1};
use target_strategies::arbitrary::{Mode, Unsupported, encode};
use target_strategies::fuzz::{decode_args, encode_args};
use target_strategies::ir::Sort;
use target_strategies::notation::print;
use target_strategies::value::Value;

use super::pairs::Pair;
use super::{Context, decoder, seeds};
use crate::config::Verbosity;
use crate::exit_code;
use crate::files::{from_here, write_if_changed};
use crate::pipeline::space;

/// How many of the seeds that decode to something else are shown.
const SHOWN: usize = 3;

/// A seed: its bytes, and the input that they are to be decoded to.
struct Seed {
    bytes: Vec<u8>,
    input: Value,
}

/// Writes the seeds of a fuzz target: gives the exit code.
pub fn seeds(context: &Context, pair: &Pair) -> Result<u8> {
    let name = &pair.target.name;
    let program = match pair.decoder(context)? {
        Ok(program) => program,
        Err(reason) => return Ok(refuse(context, name, &reason)),
    };
    let space = space(pair.subject);
    let boundary = pair.subject.settings.boundary;
    let chosen = seeds::choose(&space, context.args.samples, context.args.seed, boundary);
    let all = match chosen.iter().map(|args| seed(context, pair, args)).collect::<Result<Vec<Seed>, _>>() {
        Ok(seeds) => seeds,
        Err(Unsupported(reason)) => return Ok(refuse(context, name, &reason)),
    };
    // Inputs that differ only in what the target doesn't take are one seed.
    let all: BTreeMap<String, Seed> = all.into_iter().map(|seed| (sha1(&seed.bytes), seed)).collect();
    let files: Vec<(String, Vec<u8>)> =
        all.iter().map(|(name, seed)| (name.clone(), seed.bytes.clone())).collect();
    let decoded = inputs(pair, program.as_deref(), &files)?;
    let (kept, dropped): (Vec<_>, Vec<_>) =
        all.iter().zip(decoded).partition(|((_, seed), decoded)| decoded.as_ref() == Some(&seed.input));
    let folder = folder(context, pair);
    for ((sha1, seed), _) in &kept {
        write_if_changed(&folder.join(sha1), &seed.bytes)?;
    }
    for ((_, seed), decoded) in dropped.iter().take(SHOWN) {
        let shown = decoded.as_ref().map_or_else(|| "nothing".to_owned(), |value| text(pair, value));
        anstream::eprintln!("warning: {} is left out: its bytes decode to {shown}", text(pair, &seed.input));
    }
    let code = if kept.is_empty() { exit_code::USAGE } else { exit_code::PASSED };
    tell(context, pair, &folder, kept.len(), dropped.len())?;
    Ok(code)
}

/// Says why a target has no seeds: gives the exit code.
fn refuse(context: &Context, name: &str, reason: &str) -> u8 {
    left_out(context, &format!("no seeds for the fuzz target `{name}`: {reason}"))
}

/// Says what is not done for a target: gives the exit code. Where all targets are asked for, it may be for others.
pub fn left_out(context: &Context, what: &str) -> u8 {
    let is_asked_for = context.args.target.is_some() || context.args.function.is_some();
    let level = if is_asked_for { "error" } else { "warning" };
    anstream::eprintln!("{level}: {what}");
    if is_asked_for { exit_code::USAGE } else { exit_code::PASSED }
}

fn seed(context: &Context, pair: &Pair, args: &[Value]) -> Result<Seed, Unsupported> {
    let spec = &pair.subject.spec;
    let input = pair.binding.input(args);
    let bytes = match &pair.target.target.input {
        target_bridge::fuzz::target::Input::Own(_) => encode_args(args, spec)?,
        _ if pair.is_raw() => raw(&input),
        _ => encode(&input, &pair.binding.refined(), spec, context.mode)?,
    };
    Ok(Seed { bytes, input })
}

/// The bytes that a text or a list of bytes is.
fn raw(input: &Value) -> Vec<u8> {
    let byte = |value: &Value| match value {
        Value::Int(n) => n.to_u64().and_then(|n| u8::try_from(n).ok()).expect("the sort of an element is u8"),
        _ => unreachable!("the sort of an element is u8"),
    };
    match input {
        Value::Str(text) => text.as_bytes().to_vec(),
        Value::Seq(bytes) => bytes.iter().map(byte).collect(),
        _ => Vec::new(),
    }
}

/// What a target makes of files, each with its name.
pub fn inputs(pair: &Pair, program: Option<&Path>, all: &[(String, Vec<u8>)]) -> Result<Vec<Option<Value>>> {
    let spec = &pair.subject.spec;
    if let Some(program) = program {
        return decoder::decode(program, all);
    }
    let is_str = matches!(pair.binding.types.first().map(|refined| &refined.sort), Some(Sort::Str(_)));
    let input = |(_, bytes): &(String, Vec<u8>)| match pair.is_raw() {
        true if is_str => std::str::from_utf8(bytes).ok().map(Value::str),
        true => Some(Value::Seq(bytes.iter().map(|byte| Value::int(*byte)).collect())),
        false => decode_args(bytes, spec).map(|args| Value::Tuple(args.into())),
    };
    Ok(all.iter().map(input).collect())
}

/// The name that libFuzzer gives a file of its corpus, so that what it finds again is no second file.
fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn folder(context: &Context, pair: &Pair) -> PathBuf {
    let name = &pair.target.name;
    match (&context.args.out, context.mode) {
        // Packages may have targets of the same name.
        (Some(out), _) if context.is_several => out.join(pair.package.package.folder_name()).join(name),
        (Some(out), _) => out.clone(),
        (None, Mode::TakeRest) => pair.fuzz.folder.join("seeds").join(name),
        (None, Mode::Plain) => pair.fuzz.folder.join("seeds-plain").join(name),
    }
}

fn text(pair: &Pair, input: &Value) -> String {
    print(input, &pair.binding.refined(), &pair.subject.spec)
}

/// Says what was written, and how it is used.
fn tell(context: &Context, pair: &Pair, folder: &Path, kept: usize, dropped: usize) -> Result<()> {
    let name = &pair.target.name;
    if context.config.verbosity > Verbosity::Quiet {
        let key = &pair.subject.spec.name;
        let left_out = if dropped > 0 { format!(", {dropped} left out") } else { String::new() };
        anstream::println!("{name}: {kept} seeds for `{key}` in {}{left_out}", from_here(folder));
    }
    if context.args.out.is_none() && context.mode == Mode::TakeRest && kept > 0 {
        // libFuzzer wants the folder that it writes to be there.
        let corpus = pair.fuzz.folder.join("corpus").join(name);
        fs::create_dir_all(&corpus).with_context(|| format!("create {}", corpus.display()))?;
        if context.config.verbosity > Verbosity::Quiet {
            anstream::println!("    cargo fuzz run {name} {} {}", from_here(&corpus), from_here(folder));
        }
    }
    Ok(())
}
