//! The manifest of a program that decodes like a fuzz target: the fuzz package's manifest for another folder, without
//! fuzzers and with the tool's runtime.

use std::path::Path;

use target_bridge::codegen::fuzz::decoder::RUNTIME;
use target_bridge::codegen::fuzz::target::Fuzzer;
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

use super::package::FuzzPackage;

/// The fuzzers whose crates are replaced.
pub const REPLACED: [Fuzzer; 2] = [Fuzzer::Afl, Fuzzer::Honggfuzz];

/// The name of the package that replaces a fuzzer's crate. Cargo needs a different name for each.
pub fn stand_in(fuzzer: Fuzzer) -> String {
    format!("cargo-target-{}", fuzzer.crate_name())
}

/// Tables and keys that a decoder's manifest omits.
const LEFT_OUT: [&str; 10] = [
    "bin",
    "lib",
    "test",
    "bench",
    "example",
    "profile",
    "features",
    "dev-dependencies",
    "build-dependencies",
    "lints",
];

/// The parts of a decoder's manifest, besides the fuzz package's manifest.
pub struct Given<'a> {
    /// The target's name.
    pub name: &'a str,
    /// The folder of the runtime.
    pub runtime: &'a Path,
    /// The folder of the packages that replace the crates of fuzzers.
    pub stand_in: &'a Path,
    /// The manifest of the user's workspace, and its folder.
    pub outer: (&'a DocumentMut, &'a Path),
}

/// The manifest of a decoder. It includes the values inherited from a workspace, and the workspace's patches.
pub fn manifest(fuzz: &FuzzPackage, given: &Given) -> String {
    let mut manifest = fuzz.manifest.clone();
    for key in LEFT_OUT {
        manifest.remove(key);
    }
    manifest["package"]["name"] = value(format!("{}-decoder", given.name));
    if let Some(package) = manifest["package"].as_table_like_mut() {
        for key in ["build", "metadata", "default-run", "workspace", "autobins"] {
            package.remove(key);
        }
    }
    place_dependencies(manifest.as_table_mut(), &fuzz.folder);
    if manifest.contains_key("workspace") {
        own_workspace(&mut manifest, &fuzz.folder)
    } else {
        outer_workspace(&mut manifest, given.outer)
    }
    without_fuzzers(manifest.as_table_mut(), given.stand_in);
    if let Some(inherited) = manifest["workspace"].as_table_like_mut() {
        without_libfuzzer(inherited);
    }
    let mut dependency = InlineTable::new();
    dependency.insert("package", RUNTIME.replace('_', "-").into());
    dependency.insert("path", given.runtime.to_string_lossy().as_ref().into());
    manifest["dependencies"][RUNTIME] = value(dependency);
    manifest.to_string()
}

/// Reduces the fuzz package's own workspace to the parts that the package inherits.
fn own_workspace(manifest: &mut DocumentMut, folder: &Path) {
    place_patches(manifest, folder);
    if let Some(table) = manifest["workspace"].as_table_like_mut() {
        for key in ["members", "default-members", "exclude", "metadata", "lints"] {
            table.remove(key);
        }
        place_dependencies(table, folder);
    }
}

/// Copies the values that the fuzz package inherits from its workspace.
fn outer_workspace(manifest: &mut DocumentMut, (outer, root): (&DocumentMut, &Path)) {
    manifest["workspace"] = Item::Table(Table::new());
    for key in ["dependencies", "package"] {
        if let Some(item) = outer.get("workspace").and_then(|workspace| workspace.get(key)) {
            manifest["workspace"][key] = item.clone();
        }
    }
    if let Some(patch) = outer.get("patch") {
        manifest["patch"] = patch.clone();
        place_patches(manifest, root);
    }
    if let Some(table) = manifest["workspace"].as_table_like_mut() {
        place_dependencies(table, root);
    }
}

/// Replaces the crates of afl and honggfuzz, and leaves out libFuzzer.
fn without_fuzzers(table: &mut dyn TableLike, folder: &Path) {
    without_libfuzzer(table);
    if let Some(dependencies) = table.get_mut("dependencies").and_then(Item::as_table_like_mut) {
        for fuzzer in REPLACED {
            if dependencies.contains_key(fuzzer.crate_name()) {
                let package = stand_in(fuzzer);
                let mut dependency = InlineTable::new();
                dependency.insert("path", folder.join(&package).to_string_lossy().as_ref().into());
                dependency.insert("package", package.into());
                dependencies.insert(fuzzer.crate_name(), value(dependency));
            }
        }
    }
    if let Some(platforms) = table.get_mut("target").and_then(Item::as_table_like_mut) {
        let platforms = platforms.iter_mut().filter_map(|(_, item)| item.as_table_like_mut());
        platforms.for_each(|platform| without_fuzzers(platform, folder));
    }
}

/// Leaves out libFuzzer, which is slow to build and not called. An inherited dependency has its features elsewhere.
fn without_libfuzzer(table: &mut dyn TableLike) {
    let Some(item) = table.get_mut("dependencies").and_then(|all| all.get_mut("libfuzzer-sys")) else {
        return;
    };
    if let Some(version) = item.as_str().map(str::to_owned) {
        let mut table = InlineTable::new();
        table.insert("version", version.into());
        *item = value(table);
    }
    let is_inherited = item.get("workspace").is_some();
    if let Some(table) = item.as_table_like_mut().filter(|_| !is_inherited) {
        table.insert("default-features", value(false));
        table.remove("optional");
    }
}

/// Makes the paths of a table's dependencies absolute.
fn place_dependencies(table: &mut dyn TableLike, folder: &Path) {
    if let Some(dependencies) = table.get_mut("dependencies").and_then(Item::as_table_like_mut) {
        dependencies.iter_mut().for_each(|(_, item)| make_absolute(item, folder));
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
                packages.iter_mut().for_each(|(_, item)| make_absolute(item, folder));
            }
        }
    }
}

/// Makes the path of a dependency absolute, given the folder of its manifest.
fn make_absolute(item: &mut Item, folder: &Path) {
    let Some(table) = item.as_table_like_mut() else { return };
    if let Some(path) = table.get("path").and_then(Item::as_str) {
        let path = folder.join(path).to_string_lossy().into_owned();
        table.insert("path", Item::Value(Value::from(path)));
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn of(text: &str, outer: &str) -> String {
        let fuzz = FuzzPackage {
            folder: PathBuf::from("/own/fuzz"),
            manifest: text.parse().expect("the test's own text parses"),
            targets: Vec::new(),
        };
        let outer: DocumentMut = outer.parse().expect("the test's own text parses");
        let (runtime, replaced) = (Path::new("/runtime"), Path::new("/stand-in"));
        manifest(&fuzz, &Given { name: "t", runtime, stand_in: replaced, outer: (&outer, Path::new("/own")) })
    }

    #[test]
    fn no_fuzzer_is_built() {
        let text = "[package]\nname = \"own-fuzz\"\n\n[dependencies]\nlibfuzzer-sys.workspace = true\nafl = \"0.18\"\n\n\
                    [target.'cfg(unix)'.dependencies]\nhonggfuzz = \"0.5\"\n";
        let outer = "[workspace.dependencies]\nlibfuzzer-sys = \"0.4\"\n";
        let written: DocumentMut = of(text, outer).parse().expect("the test's own text parses");
        let is_replaced = |item: &Item, fuzzer| {
            item["package"].as_str() == Some(&*stand_in(fuzzer)) && item.get("version").is_none()
        };
        assert!(is_replaced(&written["dependencies"]["afl"], Fuzzer::Afl), "{written}");
        let of_platform = &written["target"]["cfg(unix)"]["dependencies"]["honggfuzz"];
        assert!(is_replaced(of_platform, Fuzzer::Honggfuzz), "{written}");
        let inherited = &written["workspace"]["dependencies"]["libfuzzer-sys"];
        assert_eq!(inherited["default-features"].as_bool(), Some(false), "{written}");
        assert!(written["dependencies"]["libfuzzer-sys"].get("default-features").is_none(), "{written}");
        let own =
            of("[package]\nname = \"own-fuzz\"\n[dependencies]\nlibfuzzer-sys = \"0.4\"\n[workspace]\n", "");
        assert!(own.contains("libfuzzer-sys = { version = \"0.4\", default-features = false }"), "{own}");
    }

    #[test]
    fn paths_are_those_of_where_they_are_from() {
        let text = "[package]\nname = \"own-fuzz\"\nworkspace = \"..\"\n\n[dependencies]\nown = { path = \"..\" }\n\
                    other.workspace = true\n";
        let outer = "[workspace]\nmembers = [\"fuzz\"]\n\n[workspace.dependencies]\nother = { path = \"other\" }\n\n\
                     [patch.crates-io]\nx = { path = \"x\" }\n";
        let written: DocumentMut = of(text, outer).parse().expect("the test's own text parses");
        assert_eq!(written["dependencies"]["own"]["path"].as_str(), Some("/own/fuzz/.."));
        assert_eq!(written["workspace"]["dependencies"]["other"]["path"].as_str(), Some("/own/other"));
        assert_eq!(written["patch"]["crates-io"]["x"]["path"].as_str(), Some("/own/x"));
        assert!(
            written["package"].get("workspace").is_none() && written["workspace"].get("members").is_none()
        );
    }
}
