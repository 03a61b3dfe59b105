//! The folders of fuzzers: a package's fuzz targets, the seeds of a target, and the files that a fuzzer keeps.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use target_bridge::codegen::fuzz::target::Fuzzer;
use target_strategies::corpus::Kind;
use target_strategies::fuzzing::arbitrary::Mode;
use toml_edit::{DocumentMut, Item, TableLike};

use super::Context;
use super::pairs::Pair;
use crate::run::project::{Package, Project};
use crate::system::exit_code::usage;
use crate::system::files::{from_here, read_if_there};

/// The folder of a package's fuzz targets: next to its manifest, or else at the workspace's root, if the fuzz package
/// there depends on the package.
pub fn of_package(project: &Project, package: &Package) -> Result<PathBuf> {
    let beside = package.root().join("fuzz");
    if beside.join("Cargo.toml").exists() {
        return Ok(beside);
    }
    let root = root(project);
    let shared = root.join("fuzz");
    let Some(text) = read_if_there(&shared.join("Cargo.toml"))? else { return Ok(beside) };
    let manifest = parse(&text, &shared.join("Cargo.toml"))?;
    let outer = read_if_there(&project.workspace_manifest)?.unwrap_or_default();
    let outer = parse(&outer, &project.workspace_manifest)?;
    let depends = depends_on(&manifest, &shared, (&outer, root), package.root());
    Ok(if depends { shared } else { beside })
}

/// The root folder of the workspace.
pub fn root(project: &Project) -> &Path {
    project.workspace_manifest.parent().expect("a manifest is a file in a folder")
}

/// Parses a manifest.
pub fn parse(text: &str, path: &Path) -> Result<DocumentMut> {
    text.parse().map_err(|error| usage(format!("{} is no TOML: {error}", path.display())))
}

/// Whether the manifest in a folder depends on a package in another folder, directly or through its workspace.
fn depends_on(manifest: &DocumentMut, folder: &Path, outer: (&DocumentMut, &Path), package: &Path) -> bool {
    let (workspace, workspace_root) =
        if manifest.contains_key("workspace") { (manifest, folder) } else { outer };
    let inherited = workspace.get("workspace").and_then(|table| table.get("dependencies"));
    let package = package.canonicalize().ok();
    let is_it = |folder: &Path, item: &Item| {
        let path = item.get("path").and_then(Item::as_str).map(|path| folder.join(path));
        path.and_then(|path| path.canonicalize().ok()).is_some_and(|path| Some(path) == package)
    };
    dependencies(manifest.as_table()).into_iter().any(|(name, item)| {
        match item.get("workspace").and_then(Item::as_bool) {
            Some(true) => {
                inherited.and_then(|all| all.get(name)).is_some_and(|item| is_it(workspace_root, item))
            }
            _ => is_it(folder, item),
        }
    })
}

/// The dependencies in a manifest's table, including those for some platforms.
fn dependencies(table: &dyn TableLike) -> Vec<(&str, &Item)> {
    let own = table.get("dependencies").and_then(Item::as_table_like).into_iter().flat_map(TableLike::iter);
    let platforms = table.get("target").and_then(Item::as_table_like).into_iter().flat_map(TableLike::iter);
    let of_platforms = platforms.filter_map(|(_, item)| item.as_table_like()).flat_map(dependencies);
    own.chain(of_platforms).collect()
}

/// The folder for a target's seeds.
pub fn seeds(context: &Context, pair: &Pair) -> PathBuf {
    let (name, work) = (&pair.target.name, &pair.target.work);
    match (&context.args.out, pair.target.target.fuzzer) {
        // Packages and fuzzers may have targets of the same name, and fuzzers decode differently.
        (Some(out), _) if context.is_several => {
            let fuzzer = folder_name(pair.target.target.fuzzer);
            out.join(pair.package.package.folder_name()).join(fuzzer).join(pair.target.file_name())
        }
        (Some(out), _) => out.clone(),
        (None, Fuzzer::LibFuzzer) if pair.mode(context) == Mode::Plain => work.join("seeds-plain").join(name),
        (None, Fuzzer::LibFuzzer | Fuzzer::Afl) => work.join("seeds").join(name),
        (None, Fuzzer::Honggfuzz) => work.join("hfuzz_workspace").join(name).join("input"),
        (None, Fuzzer::Bolero) => work.join("corpus"),
    }
}

/// The name of a fuzzer's folder next to those of other fuzzers.
fn folder_name(fuzzer: Fuzzer) -> &'static str {
    match fuzzer {
        Fuzzer::LibFuzzer => "libfuzzer",
        Fuzzer::Afl => "afl",
        Fuzzer::Honggfuzz => "honggfuzz",
        Fuzzer::Bolero => "bolero",
    }
}

/// Checks that each target's seeds have their own folder: different targets decode the same bytes differently.
pub fn check_apart(context: &Context, pairs: &[Pair]) -> Result<()> {
    let mut known = HashMap::new();
    for pair in pairs {
        let folder = seeds(context, pair);
        let place = || format!("`{}` of {}", pair.target.name, from_here(&pair.target.path));
        if let Some(other) = known.insert(folder.clone(), place()) {
            let (folder, place) = (from_here(&folder), place());
            return Err(usage(format!(
                "{folder} would have the seeds of both {other} and {place}: leave --out out"
            )));
        }
    }
    Ok(())
}

/// Whether the fuzzer also writes to the folder of its seeds.
pub fn is_shared(fuzzer: Fuzzer) -> bool {
    matches!(fuzzer, Fuzzer::Honggfuzz | Fuzzer::Bolero)
}

/// The files on which a target's fuzzer failed, and those that it kept.
pub fn found(pair: &Pair) -> Result<Vec<(Kind, PathBuf)>> {
    let (name, work) = (&pair.target.name, &pair.target.work);
    let (failed, kept) = (Kind::Counterexample, Kind::Kept);
    let folders = match pair.target.target.fuzzer {
        Fuzzer::LibFuzzer => {
            vec![(failed, work.join("artifacts").join(name)), (kept, work.join("corpus").join(name))]
        }
        Fuzzer::Honggfuzz => {
            let own = work.join("hfuzz_workspace").join(name);
            vec![(failed, own.clone()), (kept, own.join("input"))]
        }
        Fuzzer::Afl => {
            let runs = entries(&work.join("out").join(name))?;
            let of = |kind, folder: &'static str| runs.iter().map(move |run| (kind, run.join(folder)));
            of(failed, "crashes").chain(of(failed, "hangs")).chain(of(kept, "queue")).collect()
        }
        Fuzzer::Bolero => {
            let afl = work.join("afl_state");
            vec![
                (failed, work.join("crashes")),
                (failed, afl.join("crashes")),
                (failed, afl.join("hangs")),
                (kept, work.join("corpus")),
                (kept, afl.join("queue")),
            ]
        }
    };
    let mut all = Vec::new();
    for (kind, folder) in folders {
        let paths = entries(&folder)?.into_iter().filter(|path| path.is_file());
        let is_input = |path: &PathBuf| is_input(pair.target.target.fuzzer, kind, path);
        all.extend(paths.filter(is_input).map(|path| (kind, path)));
    }
    Ok(all)
}

/// Whether a file is an input, not a report or state of the fuzzer.
fn is_input(fuzzer: Fuzzer, kind: Kind, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match fuzzer {
        Fuzzer::LibFuzzer => true,
        Fuzzer::Afl => name.starts_with("id:"),
        Fuzzer::Honggfuzz => kind != Kind::Counterexample || name.ends_with(".fuzz"),
        Fuzzer::Bolero => !name.starts_with('.') && name != "README.txt",
    }
}

/// The files in a folder, sorted by name; none if the folder doesn't exist.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// The command that starts a target's fuzzer with its seeds.
pub fn command(context: &Context, pair: &Pair, seeds: &Path) -> String {
    let (name, work) = (&pair.target.name, &pair.target.work);
    let folder = from_here(work);
    match pair.target.target.fuzzer {
        Fuzzer::LibFuzzer => {
            let (dir, corpus) = (fuzz_dir(work), from_here(&work.join("corpus").join(name)));
            format!("cargo fuzz run{dir} {name} {corpus} {}", from_here(seeds))
        }
        Fuzzer::Afl => {
            let own = pair.fuzz.manifest.contains_key("workspace");
            let built = if own { work.as_path() } else { root(context.project) }
                .join("target")
                .join("debug")
                .join(name);
            let (out, built) = (from_here(&work.join("out").join(name)), from_here(&built));
            format!("cargo afl fuzz -i {} -o {out} {built}", from_here(seeds))
        }
        Fuzzer::Honggfuzz => format!("(cd {folder}; cargo hfuzz run {name})"),
        Fuzzer::Bolero => format!("cargo test -p {} {name}", pair.package.package.name),
    }
}

/// The option that tells cargo-fuzz the folder of the targets, if it doesn't find it from the current folder.
fn fuzz_dir(work: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let package = here.ancestors().find(|folder| *folder != work && folder.join("Cargo.toml").exists());
    if package.is_some_and(|package| package.join("fuzz") == work) {
        String::new()
    } else {
        format!(" --fuzz-dir {}", from_here(work))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fuzz_package_is_one_for_the_packages_that_it_names_by_path() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let root = folder.path().canonicalize().expect("the folder was just made");
        for name in ["a", "b", "fuzz"] {
            fs::create_dir_all(root.join(name)).expect("a folder can be made in the test's folder");
        }
        let outer: DocumentMut =
            "[workspace.dependencies]\nb = { path = \"b\" }\n".parse().expect("the test's own text parses");
        let depends = |text: &str, package: &str| {
            let manifest: DocumentMut = text.parse().expect("the test's own text parses");
            depends_on(&manifest, &root.join("fuzz"), (&outer, &root), &root.join(package))
        };
        let direct = "[dependencies.a]\npath = \"../a\"\n";
        assert!(depends(direct, "a") && !depends(direct, "b"));
        assert!(depends("[dependencies]\nother = { path = \"../a\", package = \"a\" }\n", "a"));
        assert!(depends("[dependencies]\nb.workspace = true\n", "b"));
        assert!(depends("[target.'cfg(unix)'.dependencies]\na = { path = \"../a/\" }\n", "a"));
        // It is no member of the workspace then.
        assert!(!depends("[workspace]\n[dependencies]\nb.workspace = true\n", "b"));
        assert!(!depends("[dependencies]\na = \"1\"\n[dev-dependencies]\na = { path = \"../a\" }\n", "a"));
    }

    #[test]
    fn what_fuzzers_write_beside_inputs_is_none() {
        let check = |fuzzer, kind, name: &str| is_input(fuzzer, kind, Path::new(name));
        let (failed, kept) = (Kind::Counterexample, Kind::Kept);
        assert!(check(Fuzzer::LibFuzzer, failed, "a/crash-0123"));
        assert!(
            check(Fuzzer::Afl, failed, "a/id:000000,sig:06") && !check(Fuzzer::Afl, failed, "a/README.txt")
        );
        assert!(check(Fuzzer::Honggfuzz, failed, "a/SIGABRT.PC.7f.fuzz"));
        assert!(!check(Fuzzer::Honggfuzz, failed, "a/HONGGFUZZ.REPORT.TXT"));
        assert!(check(Fuzzer::Honggfuzz, kept, "a/0123.cov"));
        assert!(check(Fuzzer::Bolero, kept, "a/0123") && !check(Fuzzer::Bolero, kept, "a/.gitkeep"));
    }
}
