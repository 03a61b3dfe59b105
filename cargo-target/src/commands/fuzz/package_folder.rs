//! Finds the folder of a package's fuzz targets, next to the package or at the workspace's root.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use toml_edit::{DocumentMut, Item, TableLike};

use crate::run::project::{Package, Project};
use crate::system::exit_code::usage;
use crate::system::files::read_if_there;

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
}
