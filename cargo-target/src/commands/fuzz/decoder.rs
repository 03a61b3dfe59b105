//! Builds a program that decodes like a fuzz target, with the dependencies and features of the fuzz package.
//!
//! Each target has its own package below `target/cargo-target/fuzz`: the fuzz package's manifest with absolute paths,
//! its lock file, and the runtime next to it. No fuzzer is built: libfuzzer-sys omits libFuzzer, and stand-ins replace
//! the crates of afl and honggfuzz, which need their fuzzers installed.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result};
use cargo_metadata::Message;
use target_bridge::codegen::fuzz::decoder::RUNTIME;
use target_bridge::codegen::fuzz::target::Fuzzer;
use target_strategies::child::wire::{read_frame, write_frame};
use target_strategies::logic::codec::Codec;
use target_strategies::logic::value::Value as Input;
use toml_edit::DocumentMut;

use super::manifest::{Given, REPLACED, manifest, stand_in};
use super::package::{FuzzPackage, NamedTarget};
use crate::options::config::CargoConfig;
use crate::run::project::{Package, Project};
use crate::system::files::{temporary, write_if_changed};

/// Replaces the crates of afl and honggfuzz. Their harnesses are in `main`, which the program doesn't have; other uses
/// of their macro are not called.
const STAND_IN_SOURCE: &str = "//! In the place of a fuzzer.

pub use arbitrary;

#[macro_export]
macro_rules! fuzz {
    ($($harness:tt)*) => {
        ()
    };
}

#[macro_export]
macro_rules! fuzz_nohook {
    ($($harness:tt)*) => {
        ()
    };
}

#[macro_export]
macro_rules! fuzz_with_reset {
    ($($harness:tt)*) => {
        ()
    };
}

#[macro_export]
macro_rules! fuzz_with_reset_nohook {
    ($($harness:tt)*) => {
        ()
    };
}
";

/// How a target's bytes are decoded.
pub enum Decoder {
    /// By a program that decodes like the target.
    Program(PathBuf),
    /// By the tool itself: the target decodes without `Arbitrary`.
    BuiltIn,
    /// Not at all, for this reason.
    Unavailable(String),
}

/// Builds the program from that source. The user has seen the compiler's errors already.
pub fn build(
    config: &CargoConfig,
    project: &Project,
    package: &Package,
    fuzz: &FuzzPackage,
    target: &NamedTarget,
    source: &str,
) -> Result<Decoder> {
    let output = project.output.join("fuzz");
    let runtime = output.join("runtime");
    write_runtime(&runtime)?;
    let replaced = output.join("stand-in");
    for fuzzer in REPLACED {
        write_stand_in(&replaced, &stand_in(fuzzer))?;
    }
    let folder = output.join(package.folder_name()).join(target.file_name());
    let workspace =
        fs::read_to_string(&project.workspace_manifest).context("read the workspace's manifest")?;
    let workspace: DocumentMut = workspace.parse().context("read the workspace's manifest")?;
    let root = project.workspace_manifest.parent().context("find the workspace's folder")?;
    let given = Given {
        name: &target.file_name(),
        runtime: &runtime,
        stand_in: &replaced,
        outer: (&workspace, root),
    };
    let manifest = manifest(fuzz, &given);
    write_if_changed(&folder.join("Cargo.toml"), manifest.as_bytes())?;
    write_if_changed(&folder.join("src").join("main.rs"), source.as_bytes())?;
    let locks = [fuzz.folder.join("Cargo.lock"), root.join("Cargo.lock")];
    if let Some(lock) = locks.iter().find(|lock| lock.exists()) {
        let text = fs::read(lock).with_context(|| format!("read {}", lock.display()))?;
        write_if_changed(&folder.join("Cargo.lock"), &text)?;
    }
    let fuzzer = target.target.fuzzer;
    let built = run_cargo(config, fuzzer, &fuzz.folder, &folder, &output.join("build"))?;
    Ok(built.map_or_else(
        || {
            let main = folder.join("src").join("main.rs").display().to_string();
            let name = &target.name;
            Decoder::Unavailable(format!("what decodes as the fuzz target `{name}` does not build: {main}"))
        },
        Decoder::Program,
    ))
}

/// The values that a program decodes from files, given with names. `None` for a file on which the program dies.
pub fn decode(program: &Path, all: &[(String, Vec<u8>)]) -> Result<Vec<Option<Input>>> {
    let mut values = Vec::with_capacity(all.len());
    while values.len() < all.len() {
        let status = decode_some(program, &all[values.len()..], &mut values)?;
        if let Some((name, _)) = all.get(values.len()) {
            errln!("warning: {name} is left out: decoding it ends the decoder ({status})");
            values.push(None);
        }
    }
    Ok(values)
}

/// Runs the program once; returns a value for each file until one kills it.
fn decode_some(
    program: &Path,
    all: &[(String, Vec<u8>)],
    values: &mut Vec<Option<Input>>,
) -> Result<ExitStatus> {
    let mut frames = temporary()?;
    let mut writer = BufWriter::new(&mut frames);
    for (_, bytes) in all {
        write_frame(&mut writer, bytes).context("write the seeds")?;
    }
    writer.flush().context("write the seeds")?;
    drop(writer);
    std::io::Seek::rewind(&mut frames).context("write the seeds")?;
    let answers = temporary()?;
    let answer_to = answers.try_clone().context("make a file for the values")?;
    let status = Command::new(program).stdin(frames).stdout(answer_to).status().context("run the decoder")?;
    let mut reader = BufReader::new(rewound(answers)?);
    while let Some(frame) = read_frame(&mut reader).context("read what the decoder says")? {
        values.push(Option::<Input>::from_bytes(&frame).context("read what the decoder says")?);
    }
    Ok(status)
}

fn rewound(mut file: File) -> Result<File> {
    std::io::Seek::rewind(&mut file).context("read what the decoder says")?;
    Ok(file)
}

/// Writes the runtime as a package, with a unique name.
fn write_runtime(folder: &Path) -> Result<()> {
    let manifest = format!(
        "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[features]\nfuzz = \
         []\nproptest = []\n\n[workspace]\n",
        RUNTIME.replace('_', "-")
    );
    write_if_changed(&folder.join("Cargo.toml"), manifest.as_bytes())?;
    for (path, text) in target_strategies::SOURCES {
        write_if_changed(&folder.join("src").join(path), text.as_bytes())?;
    }
    Ok(())
}

/// Writes a package that replaces a fuzzer's crate, in a folder of that name.
fn write_stand_in(folder: &Path, name: &str) -> Result<()> {
    let folder = folder.join(name);
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\npublish = \
         false\n\n[dependencies]\narbitrary = \"1\"\n\n[workspace]\n"
    );
    write_if_changed(&folder.join("Cargo.toml"), manifest.as_bytes())?;
    write_if_changed(&folder.join("src").join("lib.rs"), STAND_IN_SOURCE.as_bytes())
}

/// Builds the program, offline if the downloaded packages are enough.
fn run_cargo(
    config: &CargoConfig,
    fuzzer: Fuzzer,
    fuzz: &Path,
    folder: &Path,
    build: &Path,
) -> Result<Option<PathBuf>> {
    let cargo = || {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // Cargo finds the user's settings from this folder.
        command.current_dir(fuzz).stdin(Stdio::null());
        command
    };
    let manifest = folder.join("Cargo.toml");
    let mut metadata = cargo();
    metadata.args(["metadata", "--offline", "--format-version=1", "--manifest-path"]).arg(&manifest);
    let has_all = metadata.output().context("run `cargo metadata`")?.status.success();
    let mut command = cargo();
    command.args(["build", "--quiet", "--message-format=json-render-diagnostics", "--manifest-path"]);
    command.arg(&manifest).arg("--target-dir").arg(build).arg("--jobs").arg(config.jobs.to_string());
    if has_all || config.lock_flags.iter().any(|flag| flag != "--locked") {
        command.arg("--offline");
    }
    // Like fuzzers: types may derive `Arbitrary` only under `cfg(fuzzing)`. Under `cargo test`, bolero sets no such
    // flag.
    if fuzzer != Fuzzer::Bolero {
        match std::env::var("CARGO_ENCODED_RUSTFLAGS") {
            Ok(flags) => command.env("CARGO_ENCODED_RUSTFLAGS", format!("{flags}\u{1f}--cfg\u{1f}fuzzing")),
            Err(_) => {
                let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
                command.env("RUSTFLAGS", format!("{flags} --cfg fuzzing"))
            }
        };
    }
    let output = command.stderr(Stdio::inherit()).output().context("run `cargo build`")?;
    if !output.status.success() {
        return Ok(None);
    }
    let mut program = None;
    for message in Message::parse_stream(output.stdout.as_slice()) {
        if let Message::CompilerArtifact(artifact) = message.context("read what `cargo build` says")? {
            program = artifact.executable.map(PathBuf::from).or(program);
        }
    }
    program.context("cargo built the decoder, but named no program").map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_that_ends_the_decoder_costs_itself_only() {
        // `head` says what it is told, and ends after ten lines: here at the end of the second file.
        let texts = [4, 6, 1, 2].map(|n| Input::str(&"\n".repeat(n)));
        let file = |text: &Input| ("file".to_owned(), Some(text.clone()).to_bytes());
        let all: Vec<(String, Vec<u8>)> = texts.iter().map(file).collect();
        let [first, second, _, last] = texts;
        assert_eq!(
            decode(Path::new("head"), &all).expect("the program runs"),
            [Some(first), Some(second), None, Some(last)]
        );
    }
}
