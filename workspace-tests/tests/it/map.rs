//! ARCHITECTURE.md's map of the code is neither stale nor incomplete.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const CRATES: [&str; 3] = ["strategies/src", "bridge/src", "cargo-target/src"];

#[test]
fn the_map_names_every_source_file_and_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut there = BTreeSet::new();
    for folder in CRATES {
        rust_files(root, folder, &mut there);
    }
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let mut named = BTreeSet::new();
    let mut folders = Vec::new();
    for line in text.lines() {
        if line.starts_with("##") {
            folders = CRATES.into_iter().filter(|folder| line.contains(folder)).collect();
        }
        for path in
            line.split('`').skip(1).step_by(2).filter(|word| word.ends_with(".rs") && !word.starts_with("x"))
        {
            for path in alternatives(path) {
                let full = folders.iter().map(|folder| format!("{folder}/{path}")).chain([path.clone()]);
                let found: Vec<String> = full.filter(|full| root.join(full).is_file()).collect();
                assert!(!found.is_empty(), "ARCHITECTURE.md names `{path}`, which does not exist: {line}");
                named.extend(found);
            }
        }
    }
    let unnamed: Vec<&String> = there.difference(&named).collect();
    assert!(unnamed.is_empty(), "ARCHITECTURE.md doesn't name {unnamed:#?}");
    assert!(text.lines().count() <= 220, "ARCHITECTURE.md is longer than 220 lines");
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn alternatives(path: &str) -> Vec<String> {
    match path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?))) {
        Some((before, (names, after))) => {
            names.split(',').map(|name| format!("{before}{name}{after}")).collect()
        }
        None => vec![path.to_owned()],
    }
}

/// The files of a folder, tests left out.
fn rust_files(root: &Path, folder: &str, files: &mut BTreeSet<String>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        let is_test = path.ends_with("/tests") || path.ends_with("/tests.rs");
        if entry.file_type().unwrap().is_dir() && !is_test {
            rust_files(root, &path, files);
        } else if path.ends_with(".rs") && !is_test {
            files.insert(path);
        }
    }
}
