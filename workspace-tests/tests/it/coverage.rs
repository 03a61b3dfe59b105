//! What inputs reach of a crate: regions, lines and functions counted by hand, per generator and for the package.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::page;
use crate::support::{Events, Fixture};

const MANIFEST: &str = r#"[package]
name = "covered"
version = "0.1.0"
edition = "2021"

[dependencies]
helper = { path = "helper" }
macros = { path = "macros" }

[workspace]
members = ["helper", "macros"]

[package.metadata.target]
bound = 60
timeout = "500ms"

[package.metadata.target.types]
Points = "{v: i64 | 0 <= v && v < 60}"

[package.metadata.target.functions]
grade = "fn(n: Points) -> char"
hidden = "fn(n: Points) -> i64"
generic = { call = "|n| generic(n)", spec = "fn(n: Points) -> i64" }
dies = "fn(n: Points) -> i64"
"#;

/// The line numbers are those of the tests.
const LIBRARY: &str = "pub fn grade(n: i64) -> char {
    if n < 0 {
        return '?';
    }
    if n < 50 { 'f' } else { 'p' }
}

fn hidden(n: i64) -> i64 {
    macros::same!(helper::half(n))
}

pub fn generic<T: Into<i64>>(n: T) -> i64 {
    let n = n.into();
    if n == 59 {
        panic!(\"the last one\");
    }
    n
}

pub fn dies(n: i64) -> i64 {
    match n {
        7 => std::process::abort(),
        8 => loop {},
        9 => 90,
        _ => n,
    }
}

pub fn never_called() {}
";

const HELPER: &str = "pub fn half(n: i64) -> i64 {
    if n > 1000 { 0 } else { n / 2 }
}
";

const MACROS: &str = "use proc_macro::TokenStream;

#[proc_macro]
pub fn same(tokens: TokenStream) -> TokenStream {
    tokens
}
";

fn fixture(test: &str) -> Fixture {
    let member =
        |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    Fixture::with_files(
        test,
        &[
            ("Cargo.toml", MANIFEST),
            ("src/lib.rs", LIBRARY),
            ("helper/Cargo.toml", &member("helper")),
            ("helper/src/lib.rs", HELPER),
            ("macros/Cargo.toml", &format!("{}\n[lib]\nproc-macro = true\n", member("macros"))),
            ("macros/src/lib.rs", MACROS),
        ],
    )
}

fn covered<'e>(events: &'e Events, function: &str, generator: &str) -> &'e Value {
    let is_it = |event: &&Value| {
        event["reason"] == "function-covered"
            && event["function"] == function
            && event["generator"] == generator
    };
    events.all.iter().find(is_it).unwrap_or_else(|| panic!("{function} {generator}: {events:#?}"))
}

fn share(value: &Value) -> (u64, u64) {
    (value["covered"].as_u64().unwrap(), value["total"].as_u64().unwrap())
}

/// The programs of the package's harness: whether rustc's counters are in each.
fn programs(root: &Path) -> Vec<bool> {
    let folder = root.parent().unwrap().join("target/cargo-target/harness");
    let is_ours = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("covered-");
    let folder = fs::read_dir(folder).unwrap().flatten().find(is_ours).unwrap().path();
    let programs = fs::read_dir(folder).unwrap().flatten().map(|entry| fs::read(entry.path()).unwrap());
    let name = b"__llvm_prf_cnts";
    programs.map(|program| program.windows(name.len()).any(|part| part == name)).collect()
}

#[test]
fn regions_lines_and_functions_are_as_counted_by_hand() {
    let fixture = fixture("coverage::by_hand");
    // Of an earlier run of this test.
    if let Ok(entries) = fs::read_dir(fixture.root.parent().unwrap().join("target/cargo-target/harness")) {
        for entry in entries.flatten().filter(|e| e.file_name().to_string_lossy().starts_with("covered-")) {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    let words = ["-g", "native,enumerative", "--no-fail-fast", "--coverage", "--lcov", "out.lcov", "--keep"];
    let events = fixture.run_as_is(&words);
    assert_eq!(events.code, 1, "{events:#?}");
    by_function(&events);
    of_the_package(&events);

    let uncovered = [
        ["3", "'?'"],
        ["22", "std::process::abort"],
        ["23", "loop {}"],
        ["29", "pub fn never_called()"],
        ["29", "}"],
    ];
    page::runs::coverage(&fixture, &json!(uncovered));

    // The same in the words of lcov.
    let lcov = fixture.read("out.lcov");
    let lines: Vec<&str> = lcov.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("SF:")).collect::<Vec<_>>(), [&"SF:src/lib.rs"]);
    for line in
        ["DA:2,120", "DA:3,0", "DA:5,120", "FN:1,covered::grade", "FNDA:120,covered::grade", "FNH:4", "FNF:5"]
    {
        assert!(lines.contains(&line), "{line} in {lcov}");
    }
    let n_da = lines.iter().filter(|line| line.starts_with("DA:")).count();
    assert!(lines.contains(&&*format!("LF:{n_da}")), "{lcov}");

    // What reaches a region is kept, once, and tried first from then on.
    let kept = fixture.read("target-corpus/grade.corpus");
    assert_eq!(kept.matches("\nkept (").count(), 2, "{kept}");
    assert!(kept.contains("kept (50)"), "{kept}");
    assert!(
        !fixture.read("target-corpus/generic.corpus").contains("(59)"),
        "what fails is no line of its own"
    );
    fixture.run_as_is(&[&["grade"][..], &words[..4]].concat());
    assert_eq!(fixture.read("target-corpus/grade.corpus"), kept);

    // What is timed has no counters in it, and nothing is left lying about.
    let mut programs = programs(&fixture.root);
    programs.sort_unstable();
    // Each has a second link, from which it is brought back if its subject deletes it.
    programs.dedup();
    assert_eq!(programs, [false, true]);
    let litter = fs::read_dir(&fixture.root).unwrap().flatten().map(|entry| entry.file_name());
    let litter: Vec<_> = litter.filter(|name| name.to_string_lossy().ends_with(".profraw")).collect();
    assert_eq!(litter, Vec::<std::ffi::OsString>::new());
}

fn by_function(events: &Events) {
    // The head, a condition, `'?'`, what is behind the `if` without an `else`, the other condition, its two arms, the end.
    let grade = covered(events, "grade", "native");
    assert_eq!(share(&grade["regions"]), (7, 8), "{grade:#}");
    assert_eq!(share(&grade["lines"]), (5, 6), "{grade:#}");
    assert_eq!(share(&grade["functions"]), (1, 1));
    assert_eq!(grade["cases"], 60);
    let adding: Vec<(&str, u64)> = grade["adding"]
        .as_array()
        .unwrap()
        .iter()
        .map(|input| (input["args"][0].as_str().unwrap(), input["regions"].as_u64().unwrap()))
        .collect();
    assert_eq!(adding.len(), 2, "{grade:#}");
    assert_eq!((adding[0].0, adding[1]), ("0", ("50", 1)));
    assert_eq!(grade["adding"][1]["case"], 51);
    assert_eq!(grade["missed"], Value::Array(Vec::new()));
    for generator in ["native", "enumerative"] {
        for function in ["grade", "hidden", "generic", "dies"] {
            let curve = covered(events, function, generator)["curve"].as_array().unwrap();
            let number = |point: &Value, name: &str| point[name].as_f64().unwrap();
            for (a, b) in curve.iter().zip(&curve[1..]) {
                let grows = ["cases", "seconds", "regions", "lines"]
                    .iter()
                    .all(|name| number(a, name) <= number(b, name));
                assert!(grows, "{function} {generator}: {curve:#?}");
            }
        }
    }
    // What is generic is compiled with the harness, and counts all the same; a panic takes nothing with it.
    let generic = covered(events, "generic", "native");
    assert_eq!(share(&generic["regions"]).0, share(&generic["regions"]).1, "{generic:#}");
    assert_eq!(generic["n_adding"], 2);
    // Of an abort and a time-out nothing is known; the cases behind them are run all the same.
    let dies = covered(events, "dies", "native");
    assert_eq!(dies["cases"], 60);
    assert_eq!(dies["notes"][0], "2 cases ended their processes: what these reached is not known");
    assert_eq!(dies["n_adding"], 2, "{dies:#}");
}

fn of_the_package(events: &Events) {
    let package = events.all.iter().find(|event| event["reason"] == "package-covered").unwrap();
    assert_eq!(package["files"].as_array().unwrap().len(), 1, "of this package alone: {package:#}");
    let file = &package["files"][0];
    assert_eq!(file["file"], "src/lib.rs");
    assert_eq!(file["source"], LIBRARY);
    assert_eq!(share(&package["functions"]), (4, 5));
    let functions: Vec<&str> =
        file["functions_in_it"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert!(
        functions.contains(&"covered::hidden") && functions.contains(&"covered::never_called"),
        "{functions:?}"
    );
    let uncovered: Vec<u64> =
        file["uncovered"].as_array().unwrap().iter().map(|region| region["line"].as_u64().unwrap()).collect();
    assert_eq!(uncovered, [3, 22, 23, 29, 29], "{file:#}");
    let counts = |line: u64| {
        file["counts"].as_array().unwrap().iter().find(|c| c["line"] == line).unwrap()["count"].clone()
    };
    assert_eq!([2, 3, 5, 9].map(counts), [120, 0, 120, 120]);
}

#[test]
fn features_and_profiles_are_those_of_the_run() {
    let tables = "[features]\ndefault = [\"usual\"]\nusual = []\nextra = []\n\n\
                  [profile.release]\nlto = \"fat\"\nincremental = true\nstrip = true\n\n\
                  [package.metadata.target.functions]\npick = \"fn(n: u8) -> u8\"\n";
    let library = "pub fn pick(n: u8) -> u8 {
    if cfg!(feature = \"extra\") && n == 3 { return 30; }
    #[cfg(feature = \"usual\")]
    if n == 2 { return 20; }
    #[cfg(debug_assertions)]
    if n == 1 { return 10; }
    n
}
pub fn idle() {}
";
    let fixture = Fixture::of("coverage::features", tables, library);
    let words = [
        "-g",
        "native",
        "--coverage",
        "--no-default-features",
        "--features",
        "extra",
        "--profile",
        "release",
    ];
    let events = fixture.run_as_is(&words);
    assert_eq!(events.code, 0, "{events:#?}");
    let package = events.with_reason("package-covered")[0];
    let file = &package["files"][0];
    let lines: Vec<u64> =
        file["counts"].as_array().unwrap().iter().map(|c| c["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 2, 7, 8, 9], "what is compiled, and no more: {file:#}");
    let uncovered: Vec<u64> =
        file["uncovered"].as_array().unwrap().iter().map(|r| r["line"].as_u64().unwrap()).collect();
    assert_eq!(uncovered, [9, 9], "{file:#}");
}

#[cfg(unix)]
#[test]
fn a_toolchain_without_the_profilers_runtime_is_told_of_plainly() {
    use std::os::unix::fs::PermissionsExt;

    let fixture = fixture("coverage::no_runtime");
    let script = "#!/bin/sh\nfor word in \"$@\"; do case \"$word\" in *instrument-coverage*)\n\
                  echo \"error[E0463]: can't find crate for \\`profiler_builtins\\`\" >&2; exit 1;; esac; done\n\
                  exec rustc \"$@\"\n";
    fixture.write("rustc.sh", script);
    let path = fixture.root.join("rustc.sh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let output = fixture.command(&["run", "--coverage"]).env("RUSTC", &path).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("can't count coverage") && said.contains("profiler_builtins"), "{said}");
}
