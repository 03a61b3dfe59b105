//! The same output whatever the number of threads.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Fixture, untimed};

#[test]
fn one_thread_and_four_give_the_same_events() {
    let fixture = Fixture::new("order::threads", "scores");
    // Each generator as the main one: only a baseline's time budget may cut a run differently.
    for generator in ["smt", "random", "enumerative"] {
        let without_time = |jobs: &str| -> Vec<Value> {
            let words =
                ["-j", jobs, "-g", generator, "--cases", "700", "--no-fail-fast", "--budget", "10min"];
            fixture.run(&words).all.iter().map(untimed).collect()
        };
        let one = without_time("1");
        assert_eq!(one.len(), 10, "{one:#?}");
        assert_eq!(one, without_time("4"));
    }
}

#[test]
fn the_seed_decides_what_random_draws() {
    let fixture = Fixture::new("order::seed", "scores");
    let distinct = |seed: &str| {
        let events = fixture.run(&["--exact", "insert", "-g", "random", "--cases", "300", "--seed", seed]);
        let outcome = events.of("insert", "random").clone();
        (outcome["cases"].clone(), outcome["distinct"].clone())
    };
    assert_eq!(distinct("1"), distinct("1"));
    assert_ne!(distinct("1"), distinct("2"));
}

#[test]
fn a_counterexample_is_shown_while_the_next_function_runs() {
    let tables = "[package.metadata.target]\ntimeout = \"10min\"\nbudget = \"10min\"\n\
                  [package.metadata.target.functions]\n\
                  fails = \"fn(x: u8) -> u8\"\nwaits = \"fn() -> ()\"\n";
    let library = "pub fn fails(x: u8) -> u8 { assert!(x != 1); x }\n\
                   pub fn waits() { while !std::fs::exists(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/go\")).unwrap() {} }\n";
    for format in ["human", "json"] {
        let fixture = Fixture::of(&format!("order::at_once_{format}"), tables, library);
        let words = ["run", "-g", "native", "-j", "1", "--message-format", format];
        let mut child = fixture.command(&words).stdout(Stdio::piped()).spawn().unwrap();
        for line in BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap) {
            if line.contains("fails(1)") {
                fixture.write("go", "");
            }
        }
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn strings_of_the_source_are_tried_as_a_whole() {
    let tables = "[package.metadata.target.functions]\n\
                  direct = \"fn(s: &str)\"\n\
                  method = \"fn(req: (String, u8))\"\n\
                  refined = \"fn(s: {s: String | s.matches(\\\"[a-z]+-[0-9]+\\\")})\"\n";
    let source = r#"
pub fn direct(s: &str) { assert!(s != "even:odd"); }
pub fn method(req: (String, u8)) { if let ("DELETE", 7) = (req.0.as_str(), req.1) { panic!("no") } }
pub fn refined(s: String) { assert!(s != "beta-22" && s != "other"); }
"#;
    let events = Fixture::of("order::texts", tables, source).run_as_is(&["-g", "auto"]);
    for (function, args) in [
        ("direct", "\"even:odd\""),
        ("method", "(String::from(\"DELETE\"), 7)"),
        ("refined", "String::from(\"beta-22\")"),
    ] {
        assert_eq!(events.counterexample(function, "auto"), (vec![args], "panic"));
    }
}
