//! The compiled runtime is shared by all projects of a user.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{CACHE_VARIABLE, Fixture, shared_cache};

const TABLES: &str = "[package.metadata.target.functions]\nf = \"fn(x: u8) -> u8\"\n";
const LIBRARY: &str = "pub fn f(x: u8) -> u8 { x }";

/// What a run says on standard error, with its own target directory and cache.
fn run(fixture: &Fixture, target: &str, cache: &str) -> String {
    let mut command = fixture.command(&["run", "-g", "native", "-v", "--color", "never"]);
    command.env("CARGO_TARGET_DIR", fixture.root.join(target)).env(CACHE_VARIABLE, cache);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

/// The libraries in a cache.
fn libraries(cache: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(cache.join("runtime")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path().join("libtarget_strategies.rlib")).filter(|file| file.exists()).collect()
}

const COMPILES: &str = "   Compiling the runtime of cargo-target (once for each compiler)\n";

/// Copies the shared cache's runtimes to a cache of the fixture.
fn copy_of_the_cache(fixture: &Fixture, folder: &str) -> PathBuf {
    let cache = fixture.root.join(folder);
    for library in libraries(shared_cache()) {
        let entry = library.parent().unwrap();
        let copy = cache.join("runtime").join(entry.file_name().unwrap());
        fs::create_dir_all(&copy).unwrap();
        for file in fs::read_dir(entry).unwrap().flatten() {
            fs::copy(file.path(), copy.join(file.file_name())).unwrap();
        }
    }
    cache
}

#[test]
fn a_new_target_directory_uses_the_cached_runtime() {
    let fixture = Fixture::of("cache::shared", TABLES, LIBRARY);
    copy_of_the_cache(&fixture, "cache");
    let said = run(&fixture, "first", "cache");
    assert!(!said.contains(COMPILES), "{said}");
    assert!(libraries(&fixture.root.join("first/cargo-target")).is_empty());
}

#[test]
fn without_a_cache_the_target_directory_has_the_runtime_which_is_compiled_again_if_damaged() {
    let fixture = Fixture::of("cache::unwritable", TABLES, LIBRARY);
    let damaged = libraries(&copy_of_the_cache(&fixture, "target/cargo-target"));
    let whole: Vec<Vec<u8>> = damaged.iter().map(|file| fs::read(file).unwrap()).collect();
    for (file, bytes) in damaged.iter().zip(&whole) {
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    }
    let said = run(&fixture, "target", "Cargo.toml");
    let note = format!("note: the cache {}/Cargo.toml can't be used", fixture.root.display());
    assert!(said.contains(&note) && said.contains(COMPILES), "{said}");
    let is_rebuilt = |(file, bytes): &(_, &Vec<u8>)| fs::read(file).unwrap().len() != bytes.len() / 2;
    assert_eq!(damaged.iter().zip(&whole).filter(is_rebuilt).count(), 1);
    assert_eq!(libraries(&fixture.root.join("target/cargo-target")).len(), damaged.len());
    fs::remove_dir_all(fixture.root.join("target/cargo-target/harness")).unwrap();
    let said = run(&fixture, "target", "Cargo.toml");
    assert!(!said.contains(COMPILES), "{said}");
}
