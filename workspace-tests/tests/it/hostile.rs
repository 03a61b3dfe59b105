//! Subjects that attack the process they run in: each costs its own case, and nothing of it is left running.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::page;
use crate::support::Fixture;
use Expected::{Fails, FailsAfterOthers, FailsOnce, Passes};

/// What a run has to say of a subject.
#[derive(Clone, Copy, Debug)]
enum Expected {
    /// All five cases pass.
    Passes,
    /// The case of 3 fails: the kind of failure, and a part of its message.
    Fails(&'static str, &'static str),
    /// So does the case of that number, counted from 1, but only after the cases before it.
    FailsAfterOthers(u64, &'static str, &'static str),
    /// So does the case of 3, and never again.
    FailsOnce(&'static str, &'static str),
}

#[rustfmt::skip]
const TABLE: &[(&str, Expected)] = &[
    ("panics", Fails("panic", "three is right out")),
    ("aborts", Fails("abort", "killed by SIGABRT")),
    ("overflows_the_stack", Fails("stack-overflow", "the stack overflowed")),
    ("loops", Fails("timeout", "no result after 300ms")),
    ("allocates", Fails("memory", "memory allocation of")),
    ("exits", Fails("exit", "exit code 7")),
    ("exits_quietly", Fails("exit", "exit code 0")),
    ("prints", Passes),
    ("reads", Passes),
    ("spawns", Passes),
    ("counts", FailsAfterOthers(3, "panic", "called too often")),
    ("panics_as_told", Passes),
    ("forgets_to_panic", Fails("no-panic", "")),
    ("panics::in_drop", Fails("panic", "boom")),
    ("panics::while_unwinding", Fails("abort", "boom")),
    ("panics::with_an_odd_payload", Fails("panic", "a panic without a message")),
    ("panics::with_a_payload_that_panics", Fails("panic", "a panic without a message")),
    ("panics::at_length", Fails("panic", "long long long")),
    ("panics::with_escapes", Fails("panic", "{\"reason\":\"run-finished\"}")),
    ("panics::after_replacing_the_hook", Fails("panic", "three")),
    ("panics::caught", Passes),
    ("panics::in_a_thread", Fails("panic", "called `Result::unwrap()` on an `Err` value")),
    ("panics::in_a_thread_that_nobody_joins", Passes),
    ("panics::of_a_poisoned_mutex", FailsAfterOthers(4, "panic", "PoisonError")),
    ("panics::in_a_thread_local", Fails("abort", "boom")),
    ("panics::across_c", Fails("abort", "out of C")),
    ("panics::of_what_it_returns", Fails("result", "")),
    ("panics::never_drops", Fails("timeout", "no result after 300ms")),
    ("ends::at_once", Fails("exit", "exit code 4")),
    ("ends::with_success_at_once", Fails("exit", "exit code 0")),
    ("ends::as_another_program", Fails("exit", "exit code 0")),
    ("ends::from_a_thread", Fails("exit", "exit code 5")),
    ("ends::reads_nowhere", Fails("abort", "killed by SIGSEGV")),
    ("ends::illegal_instruction", Fails("abort", "killed by SIGILL")),
    ("ends::floating_point_exception", Fails("abort", "killed by SIGFPE")),
    ("ends::bus_error", Fails("abort", "killed by SIGBUS")),
    ("ends::kills_itself", Fails("abort", "killed by SIGKILL")),
    ("ends::terminates_itself", Fails("abort", "killed by SIGTERM")),
    ("ends::stops_itself", Fails("timeout", "no result after 300ms")),
    ("ends::ignores_a_signal", Passes),
    ("ends::kills_its_group", Fails("abort", "killed by SIGKILL")),
    ("ends::handles_its_faults", Fails("timeout", "no result after 300ms")),
    ("ends::may_signal_itself_only", Passes),
    ("ends::blocks_signals_and_waits", Fails("timeout", "no result after 300ms")),
    ("ends::sets_a_timer", FailsAfterOthers(5, "abort", "killed by SIGALRM")),
    ("ends::sets_an_alarm", Passes),
    ("ends::overflows_without_a_stack_for_signals", Fails("abort", "killed by SIGSEGV")),
    ("ends::its_thread", Fails("abort", "killed by SIGABRT")),
    ("ends::ends_with_ignored_abort", Fails("abort", "killed by SIGABRT")),
    ("stuck::sleeps", Fails("timeout", "no result after 300ms")),
    ("stuck::deadlocks", Fails("timeout", "no result after 300ms")),
    ("stuck::waits_for_a_message", Fails("timeout", "no result after 300ms")),
    ("stuck::overflows_the_stack_of_a_thread", Fails("stack-overflow", "the stack overflowed")),
    ("stuck::asks_for_a_terabyte", Fails("memory", "memory allocation of 1099511627776 bytes failed")),
    ("stuck::asks_for_more_than_there_are_addresses", Fails("panic", "capacity overflow")),
    ("stuck::leaks", Passes),
    ("stuck::leaves_threads_running", Passes),
    ("stuck::returns_much", Passes),
    ("copies::come_back", Fails("fork", "the process came back twice")),
    ("copies::come_back_to_a_panic", Fails("fork", "the process came back twice")),
    ("copies::panic", Fails("fork", "the process came back twice")),
    ("copies::do_their_work", Passes),
    ("copies::become_daemons", Passes),
    ("copies::become_other_programs", Passes),
    ("copies::hold_the_output", Passes),
    ("copies::multiply", Passes),
    ("copies::outlive_it", Fails("exit", "exit code 6")),
    ("copies::outlive_its_time", Fails("timeout", "no result after 300ms")),
    ("output::writes_megabytes", Passes),
    ("output::forges_replies", Passes),
    ("output::closes_descriptors", Passes),
    ("output::closes_all_descriptors", Fails("exit", "")),
    ("output::writes_to_all_descriptors", Fails("abort", "the subject wrote into a pipe")),
    ("output::reads_all_descriptors", Passes),
    ("state::changes_directory", Passes),
    ("state::changes_the_environment", Passes),
    ("state::lowers_its_limits", Passes),
    ("state::changes_mask_and_priority", Passes),
    ("state::can_not_be_looked_into", Passes),
    ("state::is_traced", Passes),
    ("state::is_traced_and_aborts", Fails("abort", "killed by SIGABRT")),
    ("state::gives_up_its_memory", Passes),
    ("state::rounds_otherwise", Passes),
    ("state::remembers", FailsAfterOthers(4, "panic", "I remember")),
    ("state::fails_once", FailsOnce("panic", "only once")),
    ("state::deletes_its_page", Passes),
    ("state::deletes_its_program", Fails("exit", "exit code 8")),
    ("state::disables_its_program", Fails("exit", "exit code 8")),
    ("state::reads_the_clock", Passes),
];

/// Functions of the fixture that don't fit the table's form.
const OTHERS: [&str; 2] = ["overflows", "copies::come_back_each_time"];

#[test]
fn whatever_a_subject_does_costs_its_own_case_alone() {
    let fixture = Fixture::new("hostile::all", "hostile");
    let events = fixture.run(&["-g", "enumerative", "--no-fail-fast"]);
    let functions: BTreeSet<&str> = TABLE.iter().map(|(function, _)| *function).chain(OTHERS).collect();
    assert_eq!(events.with_reason("function-finished").len(), functions.len(), "{}", events.stderr);
    let wrong: Vec<String> = TABLE
        .iter()
        .filter_map(|&(function, expected)| {
            let outcome = events.of(function, "enumerative");
            let mistakes = mistakes(outcome, expected);
            (!mistakes.is_empty()).then(|| format!("{function}: {mistakes:?}\n{outcome:#}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let overflow = &events.of("overflows", "enumerative")["counterexample"];
    assert_eq!((&overflow["args"][0], &overflow["failure"]), (&"255".into(), &"panic".into()));
    let each = events.of("copies::come_back_each_time", "enumerative");
    assert_eq!((&each["cases_to_failure"], &each["valid"]), (&1.into(), &5.into()), "{each:#}");
    assert_eq!(events.with_reason("run-finished").len(), 1, "nothing forges an event");
    assert_eq!(left_running(&fixture), [""; 0]);
    let some = TABLE.iter().map(|(function, _)| *function).filter(|function| !function.contains(':'));
    let words = ["-g", "enumerative", "--no-fail-fast", "--exact"].into_iter().chain(some);
    fixture.run(&words.collect::<Vec<_>>());
    page::runs::deaths(&fixture);
}

/// Starts a daemon, tells of it through a named pipe that both hold open, and waits.
const DAEMON: &str = r#"
use std::io::Write;

unsafe extern "C" {
    fn fork() -> i32;
    fn setsid() -> i32;
}

pub fn waits(x: u8) -> bool {
    let mut pipe = std::fs::File::options().write(true).open("pipe").unwrap();
    if unsafe { fork() == 0 && setsid() > 0 } && unsafe { fork() } != 0 {
        std::process::exit(0);
    }
    pipe.write_all(b"started\n").unwrap();
    std::thread::sleep(std::time::Duration::from_secs(30));
    pipe.write_all(b"went on\n").is_ok() && x < 200
}
"#;

#[test]
fn a_killed_tool_takes_its_children_and_their_daemons_along() {
    let tables = "[package.metadata.target]\ntimeout = \"60s\"\n[package.metadata.target.functions]\n\
                  waits = \"fn(x: u8) -> bool\"\n";
    let fixture = Fixture::of("hostile::killed", tables, DAEMON);
    let pipe = fixture.root.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut tool = fixture.command(&["run", "-g", "enumerative", "--jobs", "1"]);
    let mut tool = tool.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut said = BufReader::new(File::open(&pipe).unwrap());
    let mut lines = String::new();
    for _ in 0..2 {
        said.read_line(&mut lines).unwrap();
    }
    tool.kill().unwrap();
    tool.wait().unwrap();
    // The pipe ends with the last process that holds it.
    said.read_to_string(&mut lines).unwrap();
    assert_eq!(lines, "started\nstarted\n");
}

/// What an outcome says that it shouldn't.
fn mistakes(outcome: &Value, expected: Expected) -> Vec<String> {
    let found = &outcome["counterexample"];
    let (verdict, number, failure, confirmed, replayed) = match expected {
        Passes => ("passed", None, None, false, false),
        Fails(kind, message) => ("failed", Some(4), Some((kind, message)), true, false),
        FailsAfterOthers(number, kind, message) => {
            ("failed", Some(number), Some((kind, message)), false, true)
        }
        FailsOnce(kind, message) => ("failed", Some(4), Some((kind, message)), false, false),
    };
    let mut mistakes = Vec::new();
    let mut check = |what: &str, found: &Value, wanted: Value| {
        if *found != wanted {
            mistakes.push(format!("{what} is {found}, not {wanted}"));
        }
    };
    check("verdict", &outcome["verdict"], verdict.into());
    check("cases_to_failure", &outcome["cases_to_failure"], number.into());
    check("valid", &outcome["valid"], 5.into());
    check("exhausted", &outcome["exhausted"], true.into());
    let Some((kind, message)) = failure else { return mistakes };
    check("failure", &found["failure"], kind.into());
    check("confirmed", &found["confirmed"], confirmed.into());
    check("replayed", &found["replayed"], replayed.into());
    if !found["message"].as_str().unwrap_or_default().contains(message) {
        mistakes.push(format!("no {message:?} in the message"));
    }
    mistakes
}

/// The processes that work in the fixture's folder, as all do that its subjects start.
fn left_running(fixture: &Fixture) -> Vec<String> {
    let works_here = |folder: &std::path::Path| {
        std::fs::read_link(folder.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&fixture.root))
    };
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let text = |folder: std::path::PathBuf| std::fs::read_to_string(folder.join("stat")).unwrap_or_default();
    processes.filter(|folder| works_here(folder)).map(text).collect()
}
