//! A package's tests with bolero as fuzz targets, in its library and its integration tests. bolero names tests by
//! module, so modules are followed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use target_bridge::codegen::fuzz::bolero::{BoleroTest, FileLocation, read as read_file};
use target_bridge::codegen::fuzz::target::Input;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, value};

use super::package::{FuzzPackage, NamedTarget};
use super::package_folder;
use crate::run::project::Package;

/// Reads a package's tests with bolero, if it depends on bolero.
pub fn read(package: &Package) -> Result<Option<FuzzPackage>> {
    if !package.dependencies.iter().any(|used| used.name == "bolero") {
        return Ok(None);
    }
    let library = package.library()?;
    let mut targets = Vec::new();
    find(&library.src_path, &library.crate_name, false, &mut targets);
    for (name, path) in &package.tests {
        find(path, name, true, &mut targets);
    }
    reject_shared(&mut targets);
    let text = fs::read_to_string(&package.manifest_path)
        .with_context(|| format!("read {}", package.manifest_path.display()))?;
    let manifest =
        as_program(package_folder::parse(&text, &package.manifest_path)?, package, &library.edition);
    Ok((!targets.is_empty()).then(|| FuzzPackage { folder: package.root().to_owned(), manifest, targets }))
}

/// A file to read, and its module path.
struct Waiting {
    file: PathBuf,
    /// The folder of its submodules.
    folder: PathBuf,
    module: Vec<String>,
}

/// Finds the tests of a crate.
fn find(root: &Path, crate_name: &str, is_program: bool, targets: &mut Vec<NamedTarget>) {
    let beside = |file: &Path| file.parent().unwrap_or(Path::new("")).to_owned();
    let mut waiting = vec![Waiting { file: root.to_owned(), folder: beside(root), module: Vec::new() }];
    let mut known = HashSet::new();
    while let Some(Waiting { file, folder, module }) = waiting.pop() {
        // `#[path]` may lead in a circle.
        if !known.insert(file.clone()) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let is_root = is_program && module.is_empty();
        let location = FileLocation { file: &file, folder: &folder, crate_name, module: &module, is_root };
        let read = read_file(&text, location);
        for BoleroTest { name, folder, modules, target } in read.tests {
            let beside = beside(&file);
            let work = if folder.as_os_str().is_empty() { beside } else { beside.join(folder) };
            // Two crates may have the same module, so its tests share a folder.
            if targets.iter().any(|other| other.name == name && other.path == file) {
                continue;
            }
            let (path, text) = (file.clone(), text.clone());
            targets.push(NamedTarget { name, path, text, modules, is_root, work, target });
        }
        for (module, files) in read.modules.into_iter().rev() {
            let Some(file) = files.iter().find(|file| file.exists()) else { continue };
            let is_named = files.first() == Some(file) && files.len() > 1;
            let folder = if is_named { file.with_extension("") } else { beside(file) };
            waiting.push(Waiting { file: file.clone(), folder, module });
        }
    }
}

/// Marks tests with the same folder as unable to have seeds: bolero would mix them up.
fn reject_shared(targets: &mut [NamedTarget]) {
    let mut uses: HashMap<PathBuf, usize> = HashMap::new();
    for target in targets.iter() {
        *uses.entry(target.work.clone()).or_default() += 1;
    }
    for target in targets.iter_mut().filter(|target| uses[&target.work] > 1) {
        let reason = "another test has the same folder: name it with `check!(name = ..)`";
        target.target.input = Input::Other(reason.to_owned());
    }
}

/// A package's manifest as that of a program with the dependencies of its tests.
fn as_program(mut manifest: DocumentMut, package: &Package, edition: &str) -> DocumentMut {
    with_dev(manifest.as_table_mut(), package);
    if let Some(platforms) = manifest.get_mut("target").and_then(Item::as_table_like_mut) {
        platforms
            .iter_mut()
            .filter_map(|(_, item)| item.as_table_like_mut())
            .for_each(|table| with_dev(table, package));
    }
    let mut described = Table::new();
    described.insert("name", value(&package.name));
    described.insert("version", value("0.0.0"));
    described.insert("edition", value(edition));
    described.insert("publish", value(false));
    manifest.insert("package", Item::Table(described));
    let mut own = InlineTable::new();
    own.insert("path", ".".into());
    own.insert("default-features", false.into());
    own.insert("features", toml_edit::Value::Array(package.features.iter().collect::<Array>()));
    manifest["dependencies"][&package.name] = value(own);
    manifest
}

/// Adds the dependencies of tests to those of the library. An optional one is added if the active features enable it.
fn with_dev(table: &mut dyn TableLike, package: &Package) {
    let dev = table.remove("dev-dependencies");
    let all = table.entry("dependencies").or_insert(Item::Table(Table::new()));
    let Some(all) = all.as_table_like_mut() else { return };
    let is_absent = |(name, item): (&str, &Item)| {
        let is_optional = item.get("optional").and_then(Item::as_bool) == Some(true);
        (is_optional && !is_resolved(name, item, package)).then(|| name.to_owned())
    };
    let absent: Vec<String> = all.iter().filter_map(is_absent).collect();
    for name in absent {
        all.remove(&name);
    }
    for (_, item) in all.iter_mut() {
        if let Some(dependency) = item.as_table_like_mut() {
            dependency.remove("optional");
        }
    }
    let dev = dev.as_ref().and_then(Item::as_table_like).into_iter().flat_map(|dev| dev.iter());
    for (name, item) in dev {
        all.insert(name, item.clone());
    }
}

/// Whether cargo builds a dependency. If the crate's name differs from its package's, the id contains the package's.
fn is_resolved(name: &str, item: &Item, package: &Package) -> bool {
    let renamed = item.get("package").and_then(Item::as_str).unwrap_or(name);
    let crate_name = name.replace('-', "_");
    package.dependencies.iter().any(|used| used.name == crate_name || used.id.contains(renamed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::project::Dependency;

    /// The tests of a crate: name, the folder from the root's, and whether the file can be a program.
    fn found(root: &str, is_program: bool, files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a file stands in a folder"))
                .expect("a folder can be made in the test's folder");
            fs::write(path, text).expect("the test's folder can be written to");
        }
        let mut targets = Vec::new();
        find(&folder.path().join(root), "own", is_program, &mut targets);
        let shown = |target: &NamedTarget| {
            let work = target
                .work
                .strip_prefix(folder.path())
                .expect("what is found lies in the test's folder")
                .to_str()
                .expect("the test's names are UTF-8");
            format!("{} {work} {}", target.name, target.is_root)
        };
        targets.iter().map(shown).collect()
    }

    #[test]
    fn tests_are_found_where_bolero_looks_for_their_files() {
        let check = "bolero::check!().for_each(|bytes: &[u8]| drop(bytes));";
        let test = |name: &str| format!("#[test] fn {name}() {{ {check} }}\n");
        let library = format!("mod a; #[cfg(test)] mod tests {{ {} mod deep; }}", test("fuzz_it"));
        let a = format!("{} #[path = \"odd.rs\"] mod other;", test("plain"));
        let (b, odd) = (test("it_fuzz"), test("test_odd_test"));
        let files = [
            ("src/lib.rs", library.as_str()),
            ("src/a/mod.rs", &a),
            ("src/a/odd.rs", &odd),
            ("src/tests/deep.rs", &b),
        ];
        let expected = [
            "tests::fuzz_it src/__fuzz__/tests__it false",
            "a::plain src/a/__fuzz__/a__plain false",
            "a::other::test_odd_test src/a/__fuzz__/a__other__odd false",
            "tests::deep::it_fuzz src/tests/__fuzz__/tests__deep__it false",
        ];
        assert_eq!(found("src/lib.rs", false, &files), expected);
        let program = format!("mod b; fn main() {{ {check} }}");
        let files = [("tests/own/main.rs", program.as_str()), ("tests/own/b.rs", &b)];
        assert_eq!(
            found("tests/own/main.rs", true, &files),
            ["own tests/own true", "b::it_fuzz tests/own/__fuzz__/b__it false"]
        );
    }

    #[test]
    fn tests_of_one_folder_have_no_seeds() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let test = |name: &str| {
            format!("#[test] fn {name}() {{ bolero::check!().for_each(|bytes: &[u8]| drop(bytes)); }}\n")
        };
        let mut targets = Vec::new();
        for (file, names) in [("a", ["fuzz_it", "other"]), ("b", ["it_fuzz", "another"])] {
            let path = folder.path().join(format!("{file}.rs"));
            fs::write(&path, names.map(test).concat()).expect("the test's folder can be written to");
            find(&path, file, true, &mut targets);
        }
        reject_shared(&mut targets);
        let rejected = targets.iter().filter(|target| matches!(target.target.input, Input::Other(_)));
        assert_eq!(rejected.map(|target| target.name.as_str()).collect::<Vec<_>>(), ["fuzz_it", "it_fuzz"]);
    }

    #[test]
    fn what_tests_depend_on_is_there_for_the_program() {
        let text = "[package]\nname = \"own\"\nversion.workspace = true\n\n[dependencies]\na = { version = \"1\", \
                    optional = true }\nmd-5 = { version = \"2\", optional = true }\nunused = { version = \"3\", optional = true \
                    }\n\n[dev-dependencies]\nbolero = \"0.13\"\n\n\
                    [target.'cfg(unix)'.dev-dependencies]\nb = \"2\"\n";
        let package = Package {
            name: "own".to_owned(),
            id: "own".to_owned(),
            manifest_path: PathBuf::from("/own/Cargo.toml"),
            library: Err(crate::run::project::NoLibrary::None),
            tests: Vec::new(),
            has_table: true,
            features: vec!["more".to_owned()],
            dependencies: [("a", "registry#a@1.0.0"), ("md5", "registry#md-5@2.0.0")]
                .map(|(name, id)| Dependency { name: name.to_owned(), id: id.to_owned(), is_linked: true })
                .into(),
        };
        let manifest =
            as_program(text.parse().expect("the test's own text parses"), &package, "2021").to_string();
        assert!(manifest.contains("bolero = \"0.13\"") && !manifest.contains("optional"), "{manifest}");
        assert!(manifest.contains("a = {") && manifest.contains("md-5 = {"), "{manifest}");
        assert!(!manifest.contains("unused"), "{manifest}");
        assert!(manifest.contains("[target.'cfg(unix)'.dependencies]\nb = \"2\""), "{manifest}");
        let own = "own = { path = \".\", default-features = false, features = [\"more\"] }";
        assert!(manifest.contains(own) && !manifest.contains("dev-dependencies"), "{manifest}");
    }
}
