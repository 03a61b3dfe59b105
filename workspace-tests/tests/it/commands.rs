//! The other commands, and what a person sees.

use crate::support::{Events, Fixture};

#[test]
fn list_shows_what_has_a_spec() {
    let printed = Fixture::new("commands::list", "scores").target(&["list"]);
    assert_eq!(printed.code, 0);
    let lines: Vec<&str> = printed.stdout.lines().collect();
    assert_eq!(lines.len(), 8);
    assert!(lines.contains(&"rescale = fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)"), "{lines:?}");
}

#[test]
fn check_builds_nothing() {
    let fixture = Fixture::of(
        "commands::check-types",
        "[package.metadata.target.functions]\nf = \"fn(x: i64) -> i64\"\n",
        "pub fn f(x: i64) -> i64 { y }",
    );
    assert_eq!(fixture.target(&["check"]).code, 0);
}

#[test]
fn explain_shows_every_stage() {
    let fixture = Fixture::new("commands::explain", "scores");
    let all = fixture.target(&["explain", "rescale", "--color", "never"]);
    assert_eq!(all.code, 0, "{all:?}");
    for word in
        ["# As parsed", "# As resolved", "# The input space", "# What Z3 is asked", "(assert", "{1, 2, 3, 4}"]
    {
        assert!(all.stdout.contains(word), "no {word:?} in\n{}", all.stdout);
    }
    let smt = fixture.target(&["explain", "best", "--stage", "smt", "--depth", "2"]);
    assert_eq!(smt.stdout.matches("(check-sat)").count(), 3, "{}", smt.stdout);
}

#[test]
fn a_person_sees_a_table_a_counterexample_and_how_to_run_it_again() {
    let fixture = Fixture::new("commands::person", "scores");
    let printed = fixture.target(&["run", "--exact", "rescale_nat", "--color", "never"]);
    assert_eq!(printed.code, 1);
    for words in [
        "generator    verdict",
        "counterexample inside the bound, by auto: rescale_nat(1, 0, 0)",
        "returned 0",
        "which breaks `v < r2`  Cargo.toml:16:38",
        "#[test]",
        "assert!(0 <= result && result < r2, \"result = {result:?}\");",
        "again: cargo target run -p scores --exact rescale_nat --case '(1, 0, 0)'",
        "1 function: 1 failed",
    ] {
        assert!(printed.stdout.contains(words), "no {words:?} in\n{}", printed.stdout);
    }
    assert!(printed.stdout.lines().all(|line| line.chars().count() <= 80), "{}", printed.stdout);
    // Another test may compile the runtime just now.
    let told = printed.stderr.lines().filter(|line| !line.starts_with("waiting for another run"));
    let told: Vec<&str> = told.collect();
    assert!(matches!(told[..], [line] if line.starts_with("report: ")), "{printed:?}");
    let again = fixture.run(&["-p", "scores", "--exact", "rescale_nat", "--case", "(1, 0, 0)"]);
    assert_eq!(again.code, 1);
    assert_eq!(again.of("rescale_nat", "auto")["cases"], 1);
    let other = fixture.run(&["-p", "scores", "--exact", "rescale_nat", "--case", "(1, 1, 0)"]);
    assert_eq!((other.code, other.verdict("rescale_nat", "auto")), (0, "passed"));
    assert_eq!(other.of("rescale_nat", "auto")["returned"]["result"], "0");
    // A case stays as it is, unless it is to be shrunk.
    let large = ["-p", "scores", "--exact", "rescale_nat", "--case", "(7, 0, 0)"];
    let shown = |row: &Events| {
        let found = row.of("rescale_nat", "auto")["counterexample"].clone();
        (found["args"].clone(), found["boundary"].clone(), found["source"].clone())
    };
    let null = serde_json::Value::Null;
    let outside = (serde_json::json!(["7", "0", "0"]), true.into(), null.clone());
    assert_eq!(shown(&fixture.run(&large)), outside);
    let inside = (serde_json::json!(["1", "0", "0"]), false.into(), null);
    assert_eq!(shown(&fixture.run(&[&large[..], &["--shrink"]].concat())), inside);
    let printed = fixture.target(&[&["run"], &large[..], &["--color", "never"]].concat());
    assert!(
        printed.stdout.contains("counterexample beyond the bound, by auto: rescale_nat(7, 0, 0)"),
        "{printed:?}"
    );
}

#[test]
fn details_of_a_function_that_passed_are_inputs_with_their_results() {
    let tables = "[package.metadata.target.functions]
half = \"fn(x: {x: u8 | x < 3}) -> {r: u8 | r <= x}\"
add = \"fn(v: &mut Vec<u8>) -> bool ensures v.len() <= 1 requires v.is_empty()\"
count = { spec = \"fn(v: {v: Vec<bool> | v.len() <= 2}) -> u8\", bound = 2 }
";
    let library = "pub fn half(x: u8) -> u8 { println!(\"asked\"); x / 2 }
pub fn count(v: Vec<bool>) -> u8 { v.len() as u8 }
pub fn add(v: &mut Vec<u8>) -> bool { v.push(7); true }
";
    let fixture = Fixture::of("commands::details", tables, library);
    let verbose = fixture.target(&["run", "-v", "--color", "never"]);
    for line in [
        "  half(0) returned 0\n",
        "  half(2) returned 1\n",
        "  add(&mut vec![]) returned true, leaving",
        "  at ends of ranges: x `v == 2` once, x `v == 0` once\n",
        "  sizes of the inputs: smallest 0, median 2, largest 2\n",
    ] {
        assert!(verbose.stdout.contains(line), "{verbose:?}");
    }
    assert!(!fixture.target(&["run", "--color", "never"]).stdout.contains("returned"));
}

#[test]
fn one_case_shows_a_panic_that_the_spec_demands_and_the_last_words_of_a_process() {
    let tables = "[package.metadata.target.functions]\n\
                  divide = \"fn(a: i32, b: i32) -> i32 panics if b == 0\"\nleave = \"fn(n: u8) -> u8\"\n";
    let library = "pub fn divide(a: i32, b: i32) -> i32 { a.wrapping_div(b) }\n\
                   pub fn leave(n: u8) -> u8 { println!(\"bye {n}\"); std::process::exit(3) }\n";
    let fixture = Fixture::of("commands::ends", tables, library);
    let printed = |function: &str, case: &str| {
        fixture.target(&["run", "--exact", function, "--case", case, "--color", "never"]).stdout
    };
    let divided = printed("divide", "(3, 0)");
    assert!(divided.contains("  divide(3, 0) panicked: attempt to divide by zero\n"), "{divided}");
    let left = printed("leave", "(3,)");
    assert!(left.contains("  printed:\n    bye 3\n"), "{left}");
    let anywhere = fixture.target(&["run", "--case", "(3, 0)"]);
    let message = "error: --case needs a FILTER that matches one function, and this one matches 2\n";
    assert_eq!((anywhere.code, anywhere.stderr.as_str()), (2, message));
}

#[test]
fn one_case_shows_what_the_function_prints() {
    let member = "[package]\nname = \"talk\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
                  [package.metadata.target.functions]\nhalf = \"fn(n: u32) -> {r: u32 | r < n}\"\n";
    let source = "pub fn half(n: u32) -> u32 { println!(\"half of {n}\"); eprintln!(\"rounded\"); n / 2 }";
    let fixture = Fixture::with_files("commands::prints", &[("Cargo.toml", member), ("src/lib.rs", source)]);
    for (case, code, rest) in [("(7,)", 0, "half(7) returned 3"), ("(0,)", 1, "returned 0")] {
        let words = ["run", "--exact", "half", "--case", case, "--color", "never"];
        let shown = fixture.target(&words);
        let printed = format!("  printed:\n    half of {}\n    rounded\n", &case[1..2]);
        assert_eq!(shown.code, code, "{shown:?}");
        assert!(shown.stdout.contains(&printed) && shown.stdout.contains(rest), "{}", shown.stdout);
    }
    let all = fixture.run(&["--exact", "half", "-g", "auto"]);
    assert!(all.of("half", "auto")["printed"].is_null());
}

#[test]
fn inputs_that_take_too_long_use_up_little_of_the_budget() {
    let member = "[package]\nname = \"slow\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
                  [package.metadata.target]\ntimeout = \"100ms\"\nbudget = \"60s\"\n\
                  [package.metadata.target.functions]\nup = \"fn(n: u64)\"\ndown = \"fn(n: {n: u64 | n < 10000})\"\n";
    let source = "pub fn up(n: u64) { while n > 1_000_000 { std::thread::yield_now() } }\n\
                  pub fn down(n: u64) { while n > 1 { std::thread::yield_now() } }";
    let fixture = Fixture::with_files("commands::slow", &[("Cargo.toml", member), ("src/lib.rs", source)]);
    let events = fixture.run(&["-g", "auto", "-j", "1", "--no-fail-fast"]);
    let up = events.of("up", "auto");
    assert_eq!((&up["exhausted"], &up["beyond_timeouts"]), (&true.into(), &3.into()), "{up}");
    let down = events.of("down", "auto");
    assert_eq!((&down["stopped"], &down["beyond_timeouts"]), (&"timeouts".into(), &3.into()), "{down}");
}

#[test]
fn inputs_beyond_the_bound_that_take_too_long_to_judge_are_counted_and_no_error() {
    let spec = "fn(xs: Vec<u8>) -> {n: usize | n == xs.len() && xs.iter().all(|a| xs.iter().all(|b| \
                xs.iter().all(|c| xs.iter().all(|d| 0 <= a + b + c + d))))}";
    let member = format!(
        "[package]\nname = \"costly\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
         [package.metadata.target]\ndepth = 3\nbound = 1\n[package.metadata.target.functions]\nlen = \"{spec}\"\n"
    );
    let source = "pub fn len(xs: Vec<u8>) -> usize { xs.len() }";
    let fixture = Fixture::with_files("commands::costly", &[("Cargo.toml", &member), ("src/lib.rs", source)]);
    let events = fixture.run(&["-g", "auto", "-j", "1"]);
    let row = events.of("len", "auto");
    assert_eq!((&row["verdict"], &row["exhausted"]), (&"passed".into(), &true.into()), "{row}");
    // Once they are many, no more are tried.
    let n = |what: &str| row[what].as_u64().unwrap_or_else(|| panic!("{row}"));
    assert!(n("beyond_undecided") >= 16 && n("left_out") > 0, "{row}");
    assert_eq!(n("valid") + n("discarded"), n("cases"), "{row}");
    let human = fixture.target(&["run", "-g", "auto"]);
    assert!(human.stdout.contains("of the inputs beyond the bound, "), "{}", human.stdout);
    assert!(human.stdout.contains(" took too long to judge, "), "{}", human.stdout);
}

#[test]
fn a_where_that_takes_too_long_beyond_the_bound_costs_its_input() {
    let tables = "[package.metadata.target]\ntimeout = \"200 ms\"\n[package.metadata.target.functions]
before = \"fn(xs: {xs: Vec<u8> | where is_soon(xs)}) -> usize\"
after = \"fn(xs: Vec<u8>) -> {n: usize | where is_soon(xs)}\"
";
    let library = "pub fn before(xs: Vec<u8>) -> usize { xs.len() }
pub fn after(xs: Vec<u8>) -> usize { xs.len() }
pub fn is_soon(xs: &[u8]) -> bool { while xs.len() > 40 { std::thread::yield_now() } true }";
    let fixture = Fixture::of("commands::late_where", tables, library);
    let events = fixture.run(&["-g", "auto", "--budget", "60s"]);
    for function in ["before", "after"] {
        let row = events.of(function, "auto");
        assert_eq!((&row["verdict"], &row["exhausted"]), (&"passed".into(), &true.into()), "{row}");
        assert_eq!(row["beyond_undecided"], 16, "{row}");
        assert!(row["first_undecided"][0].as_str().is_some_and(|xs| xs.starts_with("vec![")), "{row}");
    }
    let human = fixture.target(&["report"]);
    let named = "; the first that took too long to judge is `before(vec![";
    assert!(human.stdout.contains(named), "{}", human.stdout);
}

#[test]
fn what_is_left_out_beyond_the_bound_is_the_same_with_any_number_of_processes() {
    let tables = "[package.metadata.target]\ntimeout = \"200 ms\"\n[package.metadata.target.functions]
slow = \"fn(xs: Vec<u8>) -> usize\"\ndeep = \"fn(xs: Vec<u8>) -> usize\"
";
    let library = "pub fn slow(xs: Vec<u8>) -> usize { while xs.len() > 20 { std::thread::yield_now() } 0 }
pub fn deep(xs: Vec<u8>) -> usize { fn down(n: u64) -> u64 { if n == 0 { 0 } else { 1 + std::hint::black_box(down(n + 1)) } }
    down(u64::from(xs.len() > 20)) as usize }";
    let fixture = Fixture::of("commands::left_out", tables, library);
    let run = |jobs| {
        let events = fixture.run(&["-g", "auto", "--budget", "60s", "-j", jobs]);
        ["slow", "deep"].map(|function| {
            let row = events.of(function, "auto");
            assert!(row["left_out"].as_u64() > Some(0), "{row}");
            ["cases", "valid", "boundary_cases", "beyond_timeouts", "left_out"]
                .map(|count| row[count].clone())
        })
    };
    let alone = run("1");
    assert_eq!(alone, run("2"));
    assert_eq!(alone, run("5"));
}

#[test]
fn a_workspace_is_run_member_by_member_with_its_defaults() {
    let member = |name: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[package.metadata.target.functions]\nf = \"fn(x: Few) -> u8\"\n"
        )
    };
    let fixture = Fixture::with_files(
        "commands::workspace",
        &[
            (
                "Cargo.toml",
                "[workspace]\nresolver = \"2\"\nmembers = [\"one\", \"two\"]\n[workspace.metadata.target]\nbound = 7\nboundary = false\n\
                 [workspace.metadata.target.types]\nFew = \"u8\"\n",
            ),
            ("one/Cargo.toml", &member("one")),
            ("one/src/lib.rs", "pub fn f(x: u8) -> u8 { x }"),
            ("two/Cargo.toml", &member("two")),
            ("two/src/lib.rs", "pub fn f(x: u8) -> u8 { assert!(x != 7); x }"),
        ],
    );
    let events = fixture.run(&["--workspace", "-g", "smt"]);
    assert_eq!(events.code, 1, "{events:?}");
    let outcomes = events.with_reason("function-finished");
    assert_eq!((&outcomes[0]["package"], &outcomes[0]["valid"]), (&"one".into(), &8.into()));
    assert_eq!(
        (&outcomes[1]["package"], &outcomes[1]["counterexample"]["args"][0]),
        (&"two".into(), &"7".into())
    );
    assert_eq!(fixture.run(&["-p", "one", "-g", "smt"]).code, 0);
}

#[test]
fn the_language_is_shown_on_one_screen_and_its_examples_are_specs() {
    const LIBRARY: &str = "pub fn rescale(_: i64, _: i64, _: i64) -> i64 { 0 }
        pub fn middle(xs: Vec<u8>) -> u8 { xs[xs.len() / 2] }
        pub fn take(v: &mut Vec<u8>, n: usize) { v.drain(..n); }
        pub mod list {
            pub enum List<T> { Nil, Cons(T, Box<List<T>>) }
            pub fn add(_: i64, l: List<i64>) -> List<i64> { l }
        }";
    let fixture = Fixture::of("commands::language", "", LIBRARY);
    let shown = fixture.target(&["help", "spec"]);
    assert_eq!((shown.code, shown.stdout.lines().count() <= 48), (0, true), "{}", shown.stdout);
    assert!(shown.stdout.lines().all(|line| line.chars().count() <= 80), "{}", shown.stdout);
    assert_eq!(fixture.target(&["spec"]).stdout.trim(), shown.stdout.trim());
    let tables = shown.stdout.lines().skip(1).take_while(|line| !line.starts_with("  types "));
    let tables = tables.map(|line| format!("{}\n", line.trim()));
    fixture.write("Cargo.toml", &(fixture.read("Cargo.toml") + &tables.collect::<String>()));
    let checked = fixture.target(&["check"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert!(checked.stdout.contains("4 specs in order"), "{checked:?}");
}

#[test]
fn calls_beyond_the_bound_that_take_all_memory_or_stack_do_not_use_up_the_budget() {
    let tables = "[package.metadata.target]
memory = \"64 MiB\"
[package.metadata.target.functions]
eats = \"fn(x: u64) -> u64\"
dives = \"fn(x: u64) -> u64\"
";
    let library = "pub fn eats(x: u64) -> u64 {
    let mut all = Vec::new();
    while x > 1000 { all.push(vec![1_u8; 1 << 20]); }
    x
}
pub fn dives(x: u64) -> u64 {
    if x > 1000 { return dives(std::hint::black_box(x)) - std::hint::black_box(1); }
    x
}
";
    let fixture = Fixture::of("commands::deaths", tables, library);
    let events = fixture.run_as_is(&["-g", "auto", "-j", "1"]);
    for (function, failure) in [("eats", "memory"), ("dives", "stack-overflow")] {
        let row = events.of(function, "auto");
        assert_eq!(row["counterexample"]["failure"], failure, "{row:#}");
        assert!(row["left_out"].as_u64().is_some_and(|n| n > 100), "{row:#}");
    }
}
