//! A package's fuzz targets, in cargo-fuzz's layout: `fuzz/Cargo.toml` beside the package's own manifest, a `[[bin]]`
//! for each target.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use target_bridge::fuzz::target::{FuzzTarget, hand_written};
use toml_edit::DocumentMut;

use crate::exit_code::usage;
use crate::project::Package;

/// The fuzz targets of a package.
#[derive(Debug)]
pub struct FuzzPackage {
    /// The folder `fuzz`.
    pub folder: PathBuf,
    /// Its manifest.
    pub manifest: DocumentMut,
    /// The targets that could be read, in the manifest's order.
    pub targets: Vec<NamedTarget>,
}

/// A fuzz target, and where it is from.
#[derive(Debug)]
pub struct NamedTarget {
    /// The name of its program.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The file's text.
    pub text: String,
    /// What it says.
    pub target: FuzzTarget,
}

/// The folder of a package's fuzz targets.
pub fn folder(package: &Package) -> PathBuf {
    package.root().join("fuzz")
}

/// Reads a package's fuzz targets, if it has any. Those that can't be read are left out with a warning.
pub fn read(package: &Package) -> Result<Option<FuzzPackage>> {
    let folder = folder(package);
    let path = folder.join("Cargo.toml");
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let manifest: DocumentMut =
        text.parse().map_err(|error| usage(format!("{} is no TOML: {error}", path.display())))?;
    let mut targets = Vec::new();
    for (name, path) in programs(&manifest, &folder) {
        let read = fs::read_to_string(&path).map_err(|error| error.to_string());
        match read.and_then(|text| Ok((FuzzTarget::read(&text)?, text))) {
            Ok((target, text)) => targets.push(NamedTarget { name, path, text, target }),
            Err(reason) => anstream::eprintln!("warning: {} is left out: {reason}", path.display()),
        }
    }
    Ok(Some(FuzzPackage { folder, manifest, targets }))
}

/// The programs of a manifest: name and file.
fn programs(manifest: &DocumentMut, folder: &Path) -> Vec<(String, PathBuf)> {
    let bins = manifest.get("bin").and_then(|item| item.as_array_of_tables());
    let program = |bin: &toml_edit::Table| {
        let name = bin.get("name")?.as_str()?.to_owned();
        let path = bin.get("path").and_then(|path| path.as_str());
        let path = path.map_or_else(|| format!("fuzz_targets/{name}.rs"), str::to_owned);
        Some((name, folder.join(path)))
    };
    bins.into_iter().flatten().filter_map(program).collect()
}

/// The types of which `Arbitrary` is hand-written, in the package's source and in a target's file: by name, with what
/// gives them away.
pub fn by_hand(package: &Package, target: &NamedTarget) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = hand_written(&target.text).into_iter().collect();
    let root = package.library.as_ref().and_then(|library| library.src_path.parent().map(Path::to_owned));
    let mut waiting: Vec<PathBuf> = root.into_iter().collect();
    while let Some(folder) = waiting.pop() {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                waiting.extend(has_source(&path).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.extend(hand_written(&fs::read_to_string(&path).unwrap_or_default()));
            }
        }
    }
    found
}

/// Whether a folder may hold source of the package that is around it. The library may be at the package's root, where
/// build products are, and other packages.
fn has_source(folder: &Path) -> bool {
    let is_hidden = folder.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
    let is_other = ["Cargo.toml", "CACHEDIR.TAG"].iter().any(|name| folder.join(name).exists());
    !is_hidden && !is_other && !folder.is_symlink()
}
