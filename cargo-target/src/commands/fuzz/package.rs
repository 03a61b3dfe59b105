//! A package's fuzz targets in cargo-fuzz's layout: `fuzz/Cargo.toml` with a `[[bin]]` for each target. Targets of afl
//! and honggfuzz are programs of such a package, too.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use target_bridge::codegen::fuzz::by_hand::hand_written;
use target_bridge::codegen::fuzz::decoder::TargetLocation;
use target_bridge::codegen::fuzz::target::FuzzTarget;
use toml_edit::DocumentMut;

use super::package_folder;
use crate::run::project::Package;

/// Fuzz targets that are built in the same way.
#[derive(Debug)]
pub struct FuzzPackage {
    /// The folder of the manifest.
    pub folder: PathBuf,
    /// The manifest.
    pub manifest: DocumentMut,
    /// The readable targets, in the manifest's order.
    pub targets: Vec<NamedTarget>,
}

/// A fuzz target and its source.
#[derive(Debug)]
pub struct NamedTarget {
    /// The name of its program, or the path of its test.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The file's text.
    pub text: String,
    /// The path of its module in the file.
    pub modules: Vec<String>,
    /// Whether the file is the crate root of a program.
    pub is_root: bool,
    /// The folder where its fuzzer works.
    pub work: PathBuf,
    /// The parsed target.
    pub target: FuzzTarget,
}

impl NamedTarget {
    /// Its name, made fit for a folder.
    pub fn file_name(&self) -> String {
        self.name.replace("::", "__")
    }

    /// The location of its code.
    pub fn location(&self) -> TargetLocation<'_> {
        let folder = self.path.parent().unwrap_or(&self.work);
        TargetLocation { text: &self.text, folder, modules: &self.modules, is_root: self.is_root }
    }
}

/// Reads the fuzz targets of a folder, if it has a manifest. Unreadable targets are skipped with a warning.
pub fn read(folder: &Path) -> Result<Option<FuzzPackage>> {
    let path = folder.join("Cargo.toml");
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let manifest = package_folder::parse(&text, &path)?;
    let mut targets = Vec::new();
    for Program { name, path, is_listed } in programs(&manifest, folder) {
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        match text.and_then(|text| Ok((FuzzTarget::read(&text)?, text))) {
            Ok((target, text)) => {
                let (modules, work) = (Vec::new(), folder.to_owned());
                targets.push(NamedTarget { name, path, text, modules, is_root: true, work, target });
            }
            Err(_) if !is_listed => {}
            Err(reason) => errln!("warning: {} is left out: {reason}", path.display()),
        }
    }
    Ok(Some(FuzzPackage { folder: folder.to_owned(), manifest, targets }))
}

/// A program of a package.
#[derive(Debug, PartialEq)]
struct Program {
    name: String,
    path: PathBuf,
    /// Whether the manifest lists it; cargo finds other programs itself.
    is_listed: bool,
}

/// The programs listed in a manifest, and those that cargo finds.
fn programs(manifest: &DocumentMut, folder: &Path) -> Vec<Program> {
    let package = manifest.get("package");
    let own = package.and_then(|package| package.get("name")?.as_str()).unwrap_or_default();
    let bins = manifest.get("bin").and_then(|item| item.as_array_of_tables());
    let program = |bin: &toml_edit::Table| {
        let name = bin.get("name")?.as_str()?.to_owned();
        let path = bin.get("path").and_then(|path| path.as_str());
        let main = (name == own).then(|| folder.join("src").join("main.rs"));
        let usual = [folder.join("fuzz_targets").join(format!("{name}.rs"))].into_iter().chain(main);
        let usual = usual.chain(files_of(&folder.join("src").join("bin"), &name));
        let path =
            path.map(|path| folder.join(path)).or_else(|| usual.into_iter().find(|path| path.exists()));
        let path = path.unwrap_or_else(|| folder.join("fuzz_targets").join(format!("{name}.rs")));
        Some(Program { name, path, is_listed: true })
    };
    let mut programs: Vec<Program> = bins.into_iter().flatten().filter_map(program).collect();
    if package.and_then(|package| package.get("autobins")?.as_bool()) != Some(false) {
        for (name, path) in unlisted(own, folder) {
            let is_known = programs.iter().any(|program| program.name == name || program.path == path);
            programs.extend((!is_known).then_some(Program { name, path, is_listed: false }));
        }
    }
    programs
}

/// The possible files of a program in a folder of programs: `name.rs` or `name/main.rs`.
fn files_of(folder: &Path, name: &str) -> [PathBuf; 2] {
    [folder.join(format!("{name}.rs")), folder.join(name).join("main.rs")]
}

/// The programs that cargo finds without an entry in the manifest.
fn unlisted(own: &str, folder: &Path) -> Vec<(String, PathBuf)> {
    let main = folder.join("src").join("main.rs");
    let mut found: Vec<(String, PathBuf)> =
        if main.exists() { vec![(own.to_owned(), main)] } else { Vec::new() };
    let folder = folder.join("src").join("bin");
    for path in package_folder::entries(&folder).unwrap_or_default() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let [file, main] = files_of(&folder, &name);
        let file =
            if path == file { Some(file) } else { Some(main).filter(|main| path.is_dir() && main.exists()) };
        found.extend(file.map(|file| (name, file)));
    }
    found
}

/// The types with a handwritten `Arbitrary`, in the package's source and in a target's file: by name, with the code
/// that shows it.
pub fn by_hand(package: &Package, target: &NamedTarget) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = hand_written(&target.text).into_iter().collect();
    let root =
        package.library.as_ref().ok().and_then(|library| library.src_path.parent().map(Path::to_owned));
    let mut waiting: Vec<PathBuf> = root.into_iter().collect();
    while let Some(folder) = waiting.pop() {
        for path in package_folder::entries(&folder).unwrap_or_default() {
            if path.is_dir() {
                waiting.extend(has_source(&path).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.extend(hand_written(&fs::read_to_string(&path).unwrap_or_default()));
            }
        }
    }
    found
}

/// Whether a folder may contain source of its parent package. The library may be at the package's root, next to build
/// products and other packages.
fn has_source(folder: &Path) -> bool {
    let is_hidden = folder.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
    let is_other = ["Cargo.toml", "CACHEDIR.TAG"].iter().any(|name| folder.join(name).exists());
    !is_hidden && !is_other && !folder.is_symlink()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a file stands in a folder"))
                .expect("a folder can be made in the test's folder");
            fs::write(path, "").expect("the test's folder can be written to");
        }
        folder
    }

    #[test]
    fn programs_are_those_that_cargo_finds() {
        let files =
            ["fuzz_targets/a.rs", "src/main.rs", "src/bin/b.rs", "src/bin/c/main.rs", "src/bin/c/x.rs"];
        let folder = folder(&files);
        let check = |text: &str, expected: &[&str]| {
            let all = programs(&text.parse().expect("the test's own text parses"), folder.path());
            let shown = |program: &Program| {
                let path = program
                    .path
                    .strip_prefix(folder.path())
                    .expect("what is found lies in the test's folder")
                    .to_str()
                    .expect("the test's names are UTF-8");
                format!("{} {path}", program.name)
            };
            assert_eq!(all.iter().map(shown).collect::<Vec<_>>(), expected);
        };
        let package = "[package]\nname = \"own\"\n";
        check(package, &["own src/main.rs", "b src/bin/b.rs", "c src/bin/c/main.rs"]);
        let listed = "autobins = false\n[[bin]]\nname = \"a\"\n[[bin]]\nname = \"b\"\n[[bin]]\nname = \"d\"\n\
                      path = \"x/d.rs\"\n[[bin]]\nname = \"own\"\n";
        let expected = ["a fuzz_targets/a.rs", "b src/bin/b.rs", "d x/d.rs", "own src/main.rs"];
        check(&format!("{package}{listed}"), &expected);
    }

    #[test]
    fn build_products_and_other_packages_are_no_source() {
        let folder = folder(&["a/x.rs", "target/CACHEDIR.TAG", "other/Cargo.toml", ".git/x.rs"]);
        let has_source = |name: &str| has_source(&folder.path().join(name));
        assert!(has_source("a") && !has_source("target") && !has_source("other") && !has_source(".git"));
    }
}
