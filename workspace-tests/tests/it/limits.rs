//! Specs that ask for more planning than anybody has time for: it stops at its limits and at Ctrl-C, and says what stopped it.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::support::Fixture;

const LIBRARY: &str = "pub enum Tree { Leaf, Node(Box<Tree>, Box<Tree>) }";

/// Each would plan for hours, or take all memory.
const TABLES: &str = r#"[package.metadata.target]
boundary = false

[package.metadata.target.measures]
"cnt(t: Tree) -> int" = "match t { Tree::Leaf => 1, Tree::Node(a, b) => cnt(a) * cnt(b) + cnt(a) }"

[package.metadata.target.functions]
long = { call = "|_x: String| {}", spec = "fn(_x: {v: String | v.repeat(10000000000).len() > 5})" }
tree = { call = "|_x: Tree| {}", spec = "fn(_x: {v: Tree | cnt(v) > 5})", depth = 30 }

[package.metadata.target.functions.nested]
call = "|_x: Vec<u8>| {}"
spec = "fn(_x: {v: Vec<u8> | (0..v.len()).all(|i| (0..v.len()).all(|j| (0..v.len()).all(|k| v[i] + v[j] != v[k] + 300)))})"
depth = 200
bound = 200

[package.metadata.target.functions.regex]
call = "|_x: String| {}"
spec = '''fn(_x: {v: String | v.matches("(a|b)*a(a|b){8}") && !v.matches("(b|c)*b(a|c){8}.*")})'''
depth = 200
"#;

#[test]
fn counting_stops_at_the_budget_and_names_it() {
    let fixture = Fixture::of("limits::budget", TABLES, LIBRARY);
    for function in ["long", "tree", "nested", "regex"] {
        let counted = fixture.target(&["count", function, "--budget", "300ms"]);
        assert_eq!(counted.code, 0, "{function}: {counted:?}");
        assert!(
            counted.stdout.contains("planning is not done within the budget of 300ms"),
            "{function}: {counted:?}"
        );
    }
}

#[test]
fn counting_stops_at_its_memory_and_names_it() {
    let fixture = Fixture::of("limits::memory", TABLES, LIBRARY);
    let counted = fixture.target(&["count", "nested", "--budget", "1h", "--plan-memory", "10MiB"]);
    assert!(counted.stdout.contains("more than 10 MiB of memory (`plan-memory`)"), "{counted:?}");
}

#[test]
fn why_nothing_satisfies_a_spec_is_asked_within_the_budget() {
    let tables = "[package.metadata.target.functions]\nsquare = { call = \"|_a: u32, _b: u32| {}\", \
                  spec = \"fn(_a: u32, _b: u32) requires _a * _a + 7 == _b * _b * _b && _a > 1000000\" }\n";
    let fixture = Fixture::of("limits::vacuous", tables, LIBRARY);
    let ran = fixture.target(&["run", "-g", "auto", "--budget", "3s"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stdout.contains("no input within depth and bound satisfies the spec"), "{ran:?}");
}

#[test]
fn an_explanation_that_is_cut_off_is_an_error_and_shows_what_it_has() {
    let fixture = Fixture::of("limits::explain", TABLES, LIBRARY);
    let told = fixture.target(&["explain", "nested", "--budget", "300ms"]);
    assert_eq!(told.code, 2, "{told:?}");
    assert!(told.stdout.contains("# As resolved"), "{told:?}");
    assert!(told.stderr.contains("planning is not done within the budget of 300ms"), "{told:?}");
}

#[test]
fn planning_ends_at_the_first_ctrl_c() {
    let fixture = Fixture::of("limits::interrupt", TABLES, LIBRARY);
    for function in ["tree", "nested"] {
        let words = ["explain", function, "--budget", "1h"];
        let mut child = fixture.command(&words).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let is_planning = |line: std::io::Result<String>| line.unwrap().contains("# How the native engine");
        assert!(lines.any(is_planning), "{function}");
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{function}");
    }
}
