//! Cases per second through a real harness, and what the tool costs beside building, generating and running.
//!
//! Both are read off the events of the real binary: a harness can't be had without it, and what a run costs is the run's
//! own `seconds`, not its wall time. So this prints its own table, the median of a few runs a line.

#[allow(dead_code, reason = "it has more than a bench needs")]
#[path = "../tests/it/support.rs"]
mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{Events, Fixture};

/// How many runs a median is of.
const RUNS: usize = 7;

const LIBRARY: &str = "
    pub fn less(a: i64, b: i64) -> bool { a < b }
    pub enum Tree { Leaf, Node(Box<Tree>, i64, Box<Tree>) }
    pub fn has(t: &Tree, x: i64) -> bool {
        match t {
            Tree::Leaf => false,
            Tree::Node(l, y, r) => x == *y || has(l, x) || has(r, x),
        }
    }
";

const TABLES: &str = r#"
[package.metadata.target]
boundary = false
cases = 3_000_000
budget = "60s"
[package.metadata.target.functions]
less = { spec = "fn(a: i64, b: i64) -> bool", bound = 1000 }
has = { spec = "fn(t: &Tree, x: i64) -> bool", depth = 3, bound = 1 }
"#;

/// What is run, by which generator, and how that is called here.
const THROUGH: [(&str, &str, &str); 5] = [
    ("less", "enumerative", "fn(i64, i64) -> bool, generated in the child"),
    ("less", "random", "fn(i64, i64) -> bool, drawn in the parent and fed"),
    ("less", "smt", "fn(i64, i64) -> bool, solved in the parent and fed"),
    ("has", "enumerative", "fn(&Tree, i64) -> bool, generated in the child"),
    ("has", "smt", "fn(&Tree, i64) -> bool, solved in the parent and fed"),
];

fn main() {
    // `cargo test --benches` only wants to know whether it builds.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let fixture = Fixture::of("bench-harness", TABLES, LIBRARY);
    println!("cases per second through the harness");
    for (function, generator, what) in THROUGH {
        let cases = if generator == "enumerative" { "3000000" } else { "300000" };
        let words = [function, "--exact", "--generator", generator, "--cases", cases];
        // One child, and then as many as the machine has processors.
        for jobs in [&["-j", "1"][..], &[]] {
            let per_second = median((0..RUNS).map(|_| rate(&fixture.run(&[&words, jobs].concat()))));
            println!("{per_second:>12.0}  {what}{}", if jobs.is_empty() { "" } else { ", -j 1" });
        }
    }
    println!("milliseconds of the tool's own on an unchanged second run");
    for (name, fixture, arguments) in [
        ("one function by smt", &fixture, &["less", "--exact", "-g", "smt", "--cases", "1000"][..]),
        ("one function by all generators", &fixture, &["less", "--exact", "--cases", "1000"][..]),
        ("the fixture `irulan`", &Fixture::new("bench-irulan", "irulan"), &["-j", "1"][..]),
    ] {
        let _warm = fixture.run(arguments);
        let own = median((0..RUNS).map(|_| overhead(fixture, arguments)));
        println!("{:>12.0}  {name}", own * 1000.0);
    }
}

/// Cases per second of the only function and generator.
fn rate(events: &Events) -> f64 {
    let outcome = events.with_reason("function-finished");
    let number = |field: &str| outcome[0][field].as_f64().expect("the field is a number");
    assert_eq!(events.code, 0, "{events:?}");
    number("cases") / number("seconds")
}

/// The wall time of a run less a build by cargo that has nothing to do, and less generating and running.
fn overhead(fixture: &Fixture, arguments: &[&str]) -> f64 {
    let started = Instant::now();
    let events = fixture.run(arguments);
    let wall = started.elapsed();
    let outcomes = events.with_reason("function-finished");
    let running: f64 = outcomes.iter().filter_map(|outcome| outcome["seconds"].as_f64()).sum();
    wall.as_secs_f64() - running - no_op_build(fixture).as_secs_f64()
}

/// The build that the tool asks cargo for, once more.
fn no_op_build(fixture: &Fixture) -> Duration {
    // What `Fixture::command` sets up for the tool, cargo is to have as well.
    let tool = fixture.command(&[]);
    let variables = tool.get_envs();
    let mut command = Command::new("cargo");
    for (name, value) in variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let target = tool.get_envs().find(|(name, _)| *name == "CARGO_TARGET_DIR").and_then(|(_, value)| value);
    let target = std::path::Path::new(target.expect("the support sets it")).join("cargo-target/build");
    command.current_dir(&fixture.root).args(["build", "--quiet", "--lib", "--profile", "tested"]);
    command.args(["--message-format=json-render-diagnostics", "--target-dir"]).arg(target);
    for setting in [
        "lto=\"off\"",
        "panic=\"unwind\"",
        "inherits=\"release\"",
        "overflow-checks=true",
        "debug-assertions=true",
    ] {
        command.arg("--config").arg(format!("profile.tested.{setting}"));
    }
    let started = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("cargo starts");
    assert!(status.success());
    started.elapsed()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
