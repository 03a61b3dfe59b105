//! A harness of the functions that a filter selects, where the package has many more.

use std::fs;

use crate::support::{Events, Fixture, scratch};

/// A crate of many functions with large harnesses: each has a type of its own. The last one's spec has Rust code that doesn't
/// compile.
fn crowd() -> Fixture {
    let fields: String = (0..12).map(|n| format!("pub a{n}: Option<(bool, u8)>, ")).collect();
    let mut library = String::new();
    let mut manifest = String::from(
        "[package]\nname = \"crowd\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
         [package.metadata.target.functions]\n",
    );
    for n in 10..30 {
        library += &format!("pub struct Row{n} {{ {fields}}}\n");
        library += &format!("pub fn f{n}(row: &Row{n}) -> bool {{ row.a4.is_some() }}\n");
        manifest += &format!("f{n} = \"fn(row: &Row{n}) -> bool\"\n");
    }
    library += "pub fn last(x: u8) -> u8 { x }\n";
    manifest += "last = \"fn(x: {v: u8 | where missing(v)}) -> u8\"\n";
    let fixture = Fixture::with_files("asked::crowd", &[("Cargo.toml", &manifest), ("src/lib.rs", &library)]);
    for folder in folders() {
        fs::remove_dir_all(folder).unwrap();
    }
    fixture
}

/// The folders with harnesses of the crate.
fn folders() -> Vec<std::path::PathBuf> {
    let all = fs::read_dir(scratch().join("target/cargo-target/harness")).into_iter().flatten().flatten();
    all.filter(|entry| entry.file_name().to_string_lossy().starts_with("crowd-"))
        .map(|entry| entry.path())
        .collect()
}

/// Number of harnesses that were built so far.
fn built() -> usize {
    let files = folders().into_iter().flat_map(|folder| fs::read_dir(folder).unwrap().flatten());
    files.filter(|file| file.path().extension().is_some_and(|extension| extension == "kept")).count()
}

#[test]
fn few_of_many_functions_are_built_alone_until_all_are_there() {
    let fixture = crowd();
    let run = |words: &[&str]| -> (Events, usize) {
        let events = fixture.run(&[&["-g", "native", "--cases", "20"], words].concat());
        (events, built())
    };
    let passes = |words: &[&str], function: &str| {
        let (events, built) = run(words);
        assert_eq!((events.code, events.verdict(function, "native")), (0, "passed"), "{events:?}");
        built
    };
    // Each filter has a harness of its own, which stays.
    assert_eq!(passes(&["f13"], "f13"), 1);
    assert_eq!(passes(&["f17", "f20"], "f20"), 2);
    assert_eq!(passes(&["f13"], "f13"), 2);
    // Code that doesn't compile is the other harnesses' business.
    let (events, n) = run(&["last"]);
    assert_eq!((events.code, events.verdict("last", "native"), n), (2, "error", 3), "{events:?}");
    let repaired = fixture.read("Cargo.toml").replace("missing(v)", "*v < 9");
    fixture.write("Cargo.toml", &repaired);
    let (events, n) = run(&[]);
    assert_eq!((events.code, n), (0, 4), "{events:?}");
    // The harness of all serves any filter while it is current.
    assert_eq!(passes(&["f14"], "f14"), 4);
    let touched = fixture.read("src/lib.rs").replace("row.a4.is_some()", "row.a4.is_none()");
    fixture.write("src/lib.rs", &touched);
    assert_eq!(passes(&["f14"], "f14"), 5);
}
