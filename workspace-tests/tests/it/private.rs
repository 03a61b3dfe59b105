//! Specs of what other crates can't reach: run in a copy of the source, shown as if in the source itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::support::Fixture;

/// All files below a folder with their texts and times.
fn files(folder: &Path) -> Vec<(PathBuf, String, SystemTime)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let time = fs::metadata(&path).unwrap().modified().unwrap();
            found.push((path.clone(), fs::read_to_string(&path).unwrap(), time));
        }
    }
    found.sort();
    found
}

/// What cargo says of the package: `Fresh`, `Compiling`, or nothing.
fn built(fixture: &Fixture, words: &[&str]) -> &'static str {
    let printed = fixture.target(&[&["run", "-v", "-g", "smt"], words].concat());
    let says = |word: &str| printed.stderr.lines().any(|line| line.contains(word));
    match (says("Compiling sample"), says("Fresh sample") || says("Finished")) {
        (true, _) => "compiled",
        (false, true) => "fresh",
        (false, false) => panic!("{printed:?}"),
    }
}

#[test]
fn what_is_private_passes_its_spec_and_the_users_files_stay_as_they_are() {
    let fixture = Fixture::new("private::passes", "vault");
    let before = files(&fixture.root.join("src"));
    let events = fixture.run(&[]);
    assert_eq!(events.code, 0, "{events:#?}");
    assert_eq!(events.finished()["passed"], 10, "{:#}", events.finished());
    for (function, n_valid) in [("Vault::slot", 1155), ("deep::inner::secret", 35), ("reopen", 5)] {
        assert_eq!(events.of(function, "smt")["valid"], n_valid);
    }
    assert_eq!(events.stderr, "");
    assert_eq!(files(&fixture.root.join("src")), before);
}

#[test]
fn failures_name_the_users_files_and_are_pasted_inside_the_crate() {
    let fixture = Fixture::new("private::fails", "vault");
    let events = fixture.run(&["--features", "planted", "-g", "smt"]);
    assert_eq!(events.code, 1, "{events:#?}");
    let half = &events.of("deep::inner::half", "smt")["counterexample"];
    let text = fixture.read("src/deep/inner.rs");
    let line = 1 + text.lines().position(|line| line.contains("panic!")).unwrap();
    assert_eq!(half["location"], format!("src/deep/inner.rs:{line}:9"));
    let secret = &events.of("deep::inner::secret", "smt")["counterexample"];
    let test = secret["test"].as_str().unwrap();
    for line in [
        "    // inside `crate::deep::inner`, whose private items it names",
        "    let result = crate::deep::inner::secret(x, crate::deep::Level::High { by: 2 });",
    ] {
        assert!(test.lines().any(|written| written == line), "{test}");
    }
    // It compiles where it says that it belongs, and fails there.
    fixture.write(
        "src/deep/inner.rs",
        &format!("{text}\n#[cfg(test)]\nmod tests {{\n{test}\n{}\n}}\n", half["test"].as_str().unwrap()),
    );
    let mut command = std::process::Command::new("cargo");
    command.args(["test", "--quiet", "--offline", "--lib", "--features", "planted"]);
    command.current_dir(&fixture.root).env("CARGO_TARGET_DIR", fixture.root.join("target"));
    let printed = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(printed.contains("2 failed"), "{printed}");
    // What the report says can be given back.
    let rerun = secret["rerun"].as_str().unwrap();
    let case = rerun.split_once("--case '").unwrap().1.trim_end_matches('\'');
    let again = fixture.run(&["--features", "planted", "--exact", "deep::inner::secret", "--case", case]);
    assert_eq!(again.code, 1, "{again:#?}");
}

const SAMPLE: &str = "mod m;\npub fn open(x: u8) -> u8 { m::a(x) + m::b(x) }\npub use m::*;\n";
const MODULE: &str = "fn inner(x: u8) -> u8 { x }\npub(crate) fn a(x: u8) -> u8 { inner(x) }\npub(super) fn b(x: u8) -> u8 { x / 2 }\n";

fn manifest(functions: &[&str]) -> String {
    let specs: String =
        functions.iter().map(|f| format!("{f:?} = \"fn(x: u8) -> {{r: u8 | r <= x}}\"\n")).collect();
    format!(
        "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
         [package.metadata.target.functions]\n{specs}"
    )
}

#[test]
fn it_is_built_again_when_it_has_to_be_and_not_otherwise() {
    let files = [("Cargo.toml", &*manifest(&["m::a"])), ("src/lib.rs", SAMPLE), ("src/m.rs", MODULE)];
    let fixture = Fixture::with_files("private::fresh", &files);
    assert_eq!(built(&fixture, &[]), "compiled");
    assert_eq!(built(&fixture, &[]), "fresh");
    // In a file that is copied, and in one that is linked.
    fixture.write("src/m.rs", &MODULE.replace("inner(x) }", "inner(x).min(9) }"));
    assert_eq!(built(&fixture, &[]), "compiled");
    assert_eq!(built(&fixture, &[]), "fresh");
    fixture.write("src/lib.rs", &format!("{SAMPLE}\n"));
    assert_eq!(built(&fixture, &[]), "compiled");
    // Another function is opened.
    fixture.write("Cargo.toml", &manifest(&["m::a", "m::b", "m::inner"]));
    assert_eq!(built(&fixture, &[]), "compiled");
    assert_eq!(fixture.run(&[]).code, 0);
    // None is: that is another build, which the first doesn't disturb.
    fixture.write("Cargo.toml", &manifest(&["open"]));
    assert_eq!(fixture.run(&["-g", "smt"]).code, 1);
    fixture.write("Cargo.toml", &manifest(&["m::inner"]));
    assert_eq!(fixture.run(&[]).code, 0);
    fixture.write("src/m.rs", &MODULE.replace("{ x }", "{ x + 1 }"));
    assert_eq!(fixture.run(&["-g", "smt"]).code, 1);
}

#[test]
fn errors_of_the_copy_are_shown_at_the_users_lines() {
    let fixture = Fixture::with_files(
        "private::errors",
        &[
            ("Cargo.toml", &*manifest(&["m::a"])),
            ("src/lib.rs", SAMPLE),
            ("src/m.rs", "\npub(crate) fn a(x: u8) -> u8 { y }"),
        ],
    );
    let printed = fixture.target(&["run"]);
    assert_eq!(printed.code, 3, "{printed:?}");
    assert!(printed.stderr.contains("src/m.rs:2:"), "{}", printed.stderr);
    assert!(!printed.stderr.contains("cargo-target/open"), "{}", printed.stderr);
}

#[test]
#[cfg(unix)]
fn a_member_of_a_workspace_finds_what_is_beside_it_and_wrappers_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let member = manifest(&["m::n"]).replace("\n[workspace]\n", "");
    let library = "#[path = \"../../shared/m.rs\"] mod m;
pub fn a(x: u8) -> u8 { two::f(include_str!(\"../../README.md\"), m::n(x)) }
";
    let fixture = Fixture::with_files(
        "private::member",
        &[
            ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"2\"\n"),
            ("README.md", "words"),
            ("wrap.sh", "#!/bin/sh\necho \"$@\" >> \"$LOG\"\nexec \"$@\"\n"),
            ("one/Cargo.toml", &format!("{member}\n[dependencies]\ntwo = {{ path = \"../two\" }}\n")),
            ("one/src/lib.rs", library),
            ("shared/m.rs", "pub(super) fn n(x: u8) -> u8 { assert!(x != 2, \"two\"); x }"),
            ("two/Cargo.toml", "[package]\nname = \"two\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
            ("two/src/lib.rs", "pub fn f(s: &str, x: u8) -> u8 { assert_eq!(s, \"words\"); x }"),
        ],
    );
    let (wrapper, log) = (fixture.root.join("wrap.sh"), fixture.root.join("log"));
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = fixture.command(&["run", "-p", "sample", "-g", "smt"]);
    let output = command.env("RUSTC_WRAPPER", &wrapper).env("LOG", &log).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("at one/src/../../shared/m.rs:1:"), "{output:?}");
    // The user's wrapper sees what is compiled.
    let logged = fs::read_to_string(log).unwrap();
    let of_library = logged.lines().filter(|line| line.contains("--crate-name sample"));
    assert!(of_library.clone().all(|line| line.contains("--remap-path-prefix=")), "{logged}");
    assert_eq!(of_library.count(), 1, "{logged}");
}

#[test]
fn what_cannot_be_opened_is_explained() {
    let library = "macro_rules! make { ($name:ident) => { fn $name(x: u8) -> u8 { x } } }
make!(made);
fn outer(x: u8) -> u8 {
    struct Local;
    fn nested(x: u8) -> u8 { x }
    nested(x)
}
use std::mem::swap;
";
    let tables = "[package.metadata.target.functions]
made = \"fn(x: u8) -> u8\"
nested = \"fn(x: u8) -> u8\"
outer = \"fn(x: Local) -> u8\"
swap = \"fn(x: u8) -> u8\"
";
    let fixture = Fixture::of("private::mistakes", tables, library);
    let printed = fixture.target(&["check", "--color", "never"]);
    assert_eq!(printed.code, 2);
    for words in [
        "a macro gets `made` at [ROOT]/src/lib.rs:2",
        "`nested` at [ROOT]/src/lib.rs:5 is inside of a function",
        "`Local` at [ROOT]/src/lib.rs:4 is inside of a function",
        "`swap` is an import from another crate",
    ] {
        assert!(printed.stderr.contains(words), "no {words:?} in\n{}", printed.stderr);
    }
}

#[test]
fn a_counterexample_says_that_nothing_limits_private_fields() {
    let tables = "[package.metadata.target.data]
Checked = \"struct Checked { items: {v: Vec<u8> | v.len() <= limit}, limit: usize }\"
[package.metadata.target.functions]
\"Vault::room\" = \"fn(self: &Vault) -> usize\"
refined = { call = \"Vault::room\", spec = \"fn(self: &{v: Vault | v.items.len() <= v.limit}) -> {r: usize | r < 3}\" }
required = { call = \"Vault::room\", spec = \"fn(self: &Vault) -> {r: usize | r < 3} requires self.items.len() <= self.limit\" }
both = \"fn(a: Vault, b: {v: Vault | v.items.len() <= v.limit}) -> {r: usize | r < 3}\"
first = { call = \"both\", spec = \"fn(a: Vault, b: Vault) -> {r: usize | r < 3} requires a.items.len() <= a.limit\" }
each = \"fn(vs: Vec<Vault>) -> {r: usize | r < 1} requires vs.iter().all(|v| v.items.len() <= v.limit)\"
some = { call = \"each\", spec = \"fn(vs: Vec<Vault>) -> {r: usize | r < 1} requires vs.len() < 3\" }
view = \"fn(c: Checked) -> {r: usize | r < 3}\"
public = \"fn(o: Vec<Open>) -> {r: usize | r < 3}\"
";
    let library = "pub struct Vault { items: Vec<u8>, limit: usize }
impl Vault { pub fn room(&self) -> usize { self.limit - self.items.len() } }
pub fn both(a: Vault, b: Vault) -> usize { a.limit.max(b.limit) }
pub fn each(vs: Vec<Vault>) -> usize { vs.len() }
pub struct Checked { items: Vec<u8>, limit: usize }
pub fn view(c: Checked) -> usize { c.limit - c.items.len() }
pub struct Open { pub n: u8 }
pub fn public(o: Vec<Open>) -> usize { o.len() }
";
    let fixture = Fixture::of("private::unguarded", tables, library);
    let events = fixture.run_as_is(&["-g", "auto"]);
    let unguarded = |function: &str| events.of(function, "auto")["counterexample"]["unguarded"].clone();
    assert_eq!(unguarded("Vault::room"), serde_json::json!(["Vault"]));
    for function in ["both", "first", "some"] {
        assert_eq!(unguarded(function), serde_json::json!(["Vault"]), "{function}");
    }
    for function in ["refined", "required", "each", "view", "public"] {
        assert_eq!(unguarded(function), serde_json::json!([]), "{function}");
    }
    let note =
        "    note: the private fields of `Vault` have any values of their types: say in the table `data`";
    let human = fixture.target(&["run", "-g", "auto", "--color", "never"]);
    assert_eq!(human.stdout.matches(note).count(), 4, "{}", human.stdout);
}
