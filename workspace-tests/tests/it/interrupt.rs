//! Ctrl-C: what was found so far is reported, and nothing is left running.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{CACHE_VARIABLE, Fixture};

#[test]
fn an_interrupted_run_reports_what_it_has() {
    let tables = "[package.metadata.target.functions]\nf = \"fn(a: i64, b: i64, c: i64, d: i64) -> bool\"\n";
    let library = "pub fn f(a: i64, b: i64, c: i64, d: i64) -> bool { a + b > c + d || true }";
    let fixture = Fixture::of("interrupt::report", tables, library);
    // Built before, so that the signal meets the run.
    assert_eq!(fixture.run(&["-g", "enumerative", "--cases", "10"]).code, 0);
    let words = [
        "run",
        "--message-format",
        "json",
        "-g",
        "enumerative",
        "--bound",
        "1000",
        "--cases",
        "1000000000000",
        "--budget",
        "1h",
    ];
    let mut child = fixture.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["reason"], "run-started");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let rest: Vec<Value> = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:#?}");
    let [outcome, finished] = rest.as_slice() else { panic!("{rest:#?}") };
    assert_eq!((&outcome["stopped"], &outcome["exhausted"]), (&"interrupted".into(), &false.into()));
    assert_eq!(finished["exit_code"], 130);
}

#[test]
fn a_run_that_waits_for_another_one_says_so_and_can_be_interrupted() {
    let tables = "[package.metadata.target.functions]\nf = \"fn(x: u8) -> u8\"\n";
    let fixture = Fixture::of("interrupt::waiting", tables, "pub fn f(x: u8) -> u8 { x }");
    // As another run does that compiles the runtime, and takes for ever.
    fixture.write("cache/runtime/lock", "");
    let lock = fixture.root.join("cache/runtime/lock");
    let mut held = Command::new("flock");
    held.arg(lock).args(["sh", "-c", "echo held; exec cat"]);
    let mut other = held.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(other.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    assert_eq!(said, "held");
    let mut command = fixture.command(&["run", "-g", "native"]);
    command.env(CACHE_VARIABLE, fixture.root.join("cache"));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines: Vec<String> = BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .inspect(|line| {
            if line.contains("waiting for another run that compiles the runtime: it holds") {
                let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
                assert!(signal.unwrap().success());
            }
        })
        .collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{lines:#?}");
    drop(other.stdin.take());
    assert!(other.wait().unwrap().success());
}
