//! A program that decodes as a fuzz target does, built with the dependencies and features of the fuzz package.
//!
//! Each target has a package of its own below `target/cargo-target/fuzz`: the fuzz package's manifest with its paths made
//! absolute, its lock file, and the runtime beside it. libFuzzer itself is not built.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result};
use cargo_metadata::Message;
use target_bridge::fuzz::decoder::RUNTIME;
use target_strategies::value::Value as Input;
use target_strategies::wire::{Wire, read_frame, write_frame};
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

use super::package::{FuzzPackage, NamedTarget};
use crate::config::CargoConfig;
use crate::files::write_if_changed;
use crate::project::{Package, Project};

/// Builds the program of that source. The inner error is the compiler's, of which it has told the user.
pub fn build(
    config: &CargoConfig,
    project: &Project,
    package: &Package,
    fuzz: &FuzzPackage,
    target: &NamedTarget,
    source: &str,
) -> Result<Result<PathBuf, String>> {
    let output = project.output.join("fuzz");
    let runtime = output.join("runtime");
    write_runtime(&runtime)?;
    let folder = output.join(package.folder_name()).join(&target.name);
    let workspace =
        fs::read_to_string(&project.workspace_manifest).context("read the workspace's manifest")?;
    let workspace: DocumentMut = workspace.parse().context("read the workspace's manifest")?;
    let root = project.workspace_manifest.parent().context("find the workspace's folder")?;
    let manifest = manifest(fuzz, &target.name, &runtime, (&workspace, root));
    write_if_changed(&folder.join("Cargo.toml"), manifest.as_bytes())?;
    write_if_changed(&folder.join("src").join("main.rs"), source.as_bytes())?;
    let locks = [fuzz.folder.join("Cargo.lock"), root.join("Cargo.lock")];
    if let Some(lock) = locks.iter().find(|lock| lock.exists()) {
        let text = fs::read(lock).with_context(|| format!("read {}", lock.display()))?;
        write_if_changed(&folder.join("Cargo.lock"), &text)?;
    }
    let built = run_cargo(config, &fuzz.folder, &folder, &output.join("build"))?;
    let what = || {
        let main = folder.join("src").join("main.rs");
        format!("what decodes as the fuzz target `{}` does not build: {}", target.name, main.display())
    };
    Ok(built.ok_or_else(what))
}

/// The values that a program makes of files, each with its name. One that the program dies of stands for no value.
pub fn decode(program: &Path, all: &[(String, Vec<u8>)]) -> Result<Vec<Option<Input>>> {
    let mut values = Vec::with_capacity(all.len());
    while values.len() < all.len() {
        let status = decode_some(program, &all[values.len()..], &mut values)?;
        if let Some((name, _)) = all.get(values.len()) {
            anstream::eprintln!("warning: {name} is left out: decoding it ends the decoder ({status})");
            values.push(None);
        }
    }
    Ok(values)
}

/// Runs the program once, which gives a value for each file until one ends it.
fn decode_some(
    program: &Path,
    all: &[(String, Vec<u8>)],
    values: &mut Vec<Option<Input>>,
) -> Result<ExitStatus> {
    let mut frames = tempfile::tempfile().context("make a file for the seeds")?;
    let mut writer = BufWriter::new(&mut frames);
    for (_, bytes) in all {
        write_frame(&mut writer, bytes).context("write the seeds")?;
    }
    writer.flush().context("write the seeds")?;
    drop(writer);
    std::io::Seek::rewind(&mut frames).context("write the seeds")?;
    let answers = tempfile::tempfile().context("make a file for the values")?;
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

/// The runtime as a package, by a name that nothing else has.
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

/// The manifest of a decoder: what it inherits from a workspace, and what that patches, comes with it.
fn manifest(fuzz: &FuzzPackage, name: &str, runtime: &Path, (outer, root): (&DocumentMut, &Path)) -> String {
    let mut manifest = fuzz.manifest.clone();
    let own_workspace = manifest.contains_key("workspace");
    for key in ["bin", "lib", "profile", "features", "dev-dependencies", "build-dependencies", "lints"] {
        manifest.remove(key);
    }
    manifest["package"]["name"] = value(format!("{name}-decoder"));
    if let Some(package) = manifest["package"].as_table_like_mut() {
        package.remove("build");
        package.remove("metadata");
        package.remove("default-run");
    }
    place_dependencies(manifest.as_table_mut(), &fuzz.folder);
    without_libfuzzer(&mut manifest);
    if !own_workspace {
        manifest["workspace"] = Item::Table(Table::new());
        let inherited = ["dependencies", "package"];
        for key in inherited {
            if let Some(item) = outer.get("workspace").and_then(|workspace| workspace.get(key)) {
                manifest["workspace"][key] = item.clone();
            }
        }
        if let Some(patch) = outer.get("patch") {
            manifest["patch"] = patch.clone();
            place_patches(&mut manifest, root);
        }
        if let Some(table) = manifest["workspace"].as_table_like_mut() {
            place_dependencies(table, root);
        }
    } else {
        place_patches(&mut manifest, &fuzz.folder);
        if let Some(table) = manifest["workspace"].as_table_like_mut() {
            table.remove("members");
            place_dependencies(table, &fuzz.folder);
        }
    }
    let mut dependency = InlineTable::new();
    dependency.insert("package", RUNTIME.replace('_', "-").into());
    dependency.insert("path", runtime.to_string_lossy().as_ref().into());
    manifest["dependencies"][RUNTIME] = value(dependency);
    manifest.to_string()
}

/// libFuzzer takes long to build, and is not called.
fn without_libfuzzer(manifest: &mut DocumentMut) {
    let Some(item) = manifest.get_mut("dependencies").and_then(|all| all.get_mut("libfuzzer-sys")) else {
        return;
    };
    if let Some(version) = item.as_str().map(str::to_owned) {
        let mut table = InlineTable::new();
        table.insert("version", version.into());
        *item = value(table);
    }
    if let Some(table) = item.as_table_like_mut() {
        table.insert("default-features", value(false));
    }
}

/// Makes the paths of a table's dependencies absolute.
fn place_dependencies(table: &mut dyn TableLike, folder: &Path) {
    if let Some(dependencies) = table.get_mut("dependencies").and_then(Item::as_table_like_mut) {
        dependencies.iter_mut().for_each(|(_, item)| place(item, folder));
    }
    if let Some(targets) = table.get_mut("target").and_then(Item::as_table_like_mut) {
        for (_, target) in targets.iter_mut() {
            if let Some(target) = target.as_table_like_mut() {
                place_dependencies(target, folder);
            }
        }
    }
}

fn place_patches(manifest: &mut DocumentMut, folder: &Path) {
    if let Some(sources) = manifest.get_mut("patch").and_then(Item::as_table_like_mut) {
        for (_, source) in sources.iter_mut() {
            if let Some(packages) = source.as_table_like_mut() {
                packages.iter_mut().for_each(|(_, item)| place(item, folder));
            }
        }
    }
}

fn place(item: &mut Item, folder: &Path) {
    let Some(table) = item.as_table_like_mut() else { return };
    if let Some(path) = table.get("path").and_then(Item::as_str) {
        let path = folder.join(path).to_string_lossy().into_owned();
        table.insert("path", Item::Value(Value::from(path)));
    }
}

/// Builds the program, with what has been downloaded already if that is enough.
fn run_cargo(config: &CargoConfig, fuzz: &Path, folder: &Path, build: &Path) -> Result<Option<PathBuf>> {
    let cargo = || {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // Where the user's settings for cargo are found.
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
    // As cargo-fuzz does: types may derive `Arbitrary` for fuzzing alone.
    match std::env::var("CARGO_ENCODED_RUSTFLAGS") {
        Ok(flags) => command.env("CARGO_ENCODED_RUSTFLAGS", format!("{flags}\u{1f}--cfg\u{1f}fuzzing")),
        Err(_) => {
            let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
            command.env("RUSTFLAGS", format!("{flags} --cfg fuzzing"))
        }
    };
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
