//! The native engine from outside: it finds what is planted, deals the same whatever the threads, counts, draws, and is
//! chosen where it finds its way.

use serde_json::Value;

use crate::support::Fixture;

/// A function that fails on all inputs, for what is dealt first; and one that passes.
const TABLES: &str = r#"
[package.metadata.target]
depth = 4
bound = 4

[package.metadata.target.functions]
sorted = "fn(x: i64, xs: {v: Vec<i64> | v.is_sorted()}) -> bool"
even = "fn(x: i64, xs: {v: Vec<i64> | v.is_sorted() where v.len() % 2 == 0}) -> bool"
never = "fn(x: {v: i64 | v * v == 3}) -> bool"
"#;

const LIBRARY: &str = "
pub fn sorted(_: i64, xs: Vec<i64>) -> bool { xs.len() < 9 }
pub fn even(_: i64, xs: Vec<i64>) -> bool { assert!(xs.len() % 2 == 0); true }
pub fn never(_: i64) -> bool { true }
";

fn number(outcome: &Value, key: &str) -> u64 {
    outcome[key].as_u64().unwrap()
}

/// Asserts that the engine finds what features plant, inside the space.
#[track_caller]
fn each_is_found(test: &str, fixture: &str, bugs: &[(&str, &str)]) {
    let fixture = Fixture::new(test, fixture);
    for (feature, function) in bugs {
        let words = ["-g", "native", "--no-boundary", "--budget", "60s", "--features", feature];
        let events = fixture.run(&[&words[..], &["--exact", function]].concat());
        let (args, failure) = events.counterexample(function, "native");
        assert!(["result", "ensures"].contains(&failure), "{feature}: {failure} on {args:?}");
        assert_eq!((events.code, number(events.of(function, "native"), "discarded")), (1, 0), "{feature}");
    }
}

#[test]
fn what_is_planted_in_trees_is_found() {
    let bugs = [
        ("rbtree-delete-keeps-the-nephew-black", "rbtree::delete"),
        ("avl-rotation-keeps-the-height", "avl::delete"),
        ("bst-join-loses-a-branch", "bst::join"),
    ];
    each_is_found("native::trees", "trees", &bugs);
}

#[test]
fn what_is_planted_elsewhere_is_found() {
    each_is_found("native::maps", "maps", &[("link-forgets-to-rebalance", "link")]);
    each_is_found("native::arrays", "arrays", &[("heap-sinks-to-the-left", "HeapArray::extract_max")]);
    each_is_found("native::lambda", "lambda", &[("substitute-captures", "substitute")]);
}

#[test]
fn all_inputs_are_dealt_and_threads_do_not_show() {
    let fixture = Fixture::of("native::all", TABLES, LIBRARY);
    let run = |jobs| {
        let events = fixture.run(&["-g", "native", "-j", jobs, "--exact", "sorted"]);
        events.untimed("sorted", "native")
    };
    let outcome = run("1");
    // Nine values, and lists of up to four of nine.
    let inside = number(&outcome, "valid") - number(&outcome, "boundary_cases");
    assert_eq!((inside, &outcome["exhausted"]), (9 * 715, &true.into()), "{outcome:#}");
    assert_eq!(outcome["distinct"], outcome["valid"]);
    assert_eq!(outcome, run("2"));
}

#[test]
fn counts_are_exact_and_say_what_they_leave_out() {
    let fixture = Fixture::of("native::count", TABLES, LIBRARY);
    let table = fixture.target(&["count", "sorted", "--by-size", "--depth", "2", "--bound", "1"]);
    assert_eq!(table.code, 0, "{}", table.stderr);
    let rows: Vec<Vec<&str>> = table.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["sorted", "(depth", "2,", "bound", "1)"]);
    assert_eq!(rows.last().unwrap()[..], ["all", "30"], "{}", table.stdout);
    let of_sizes = &rows[2..rows.len() - 1];
    assert_eq!(of_sizes.iter().map(|row| row[1].parse::<u32>().unwrap()).sum::<u32>(), 30);
    let json = fixture.target(&["count", "even", "--message-format", "json"]);
    let counted: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&counted["inputs"], &counted["at_most"]), (&"6435".into(), &true.into()), "{counted}");
    assert!(counted["uncounted"][0].as_str().unwrap().contains("v.len() % 2"), "{counted}");
    assert_eq!(fixture.target(&["count", "unheard-of"]).code, 2);
}

#[test]
fn samples_are_decided_by_the_seed() {
    let tables =
        TABLES.replace("-> bool\"\neven", "-> {r: bool | r == (x == 4 && xs == vec![1, 2, 3, 4])}\"\neven");
    let fixture = Fixture::of("native::sample", &tables, LIBRARY);
    let run = |words: &[&str]| {
        let events = fixture.run_as_is(&[&["--exact", "sorted"], words].concat());
        events.untimed("sorted", "native")
    };
    let all = ["--no-fail-fast", "--sample", "500"];
    let outcome = run(&[&all[..], &["--seed", "7"]].concat());
    assert_eq!((number(&outcome, "valid"), number(&outcome, "distinct")), (500, 500), "{outcome:#}");
    assert_eq!(outcome["stopped"], "cases");
    assert_eq!(outcome, run(&[&all[..], &["--seed", "7"]].concat()));
    // Lists of four of nine, beside nine values; of size 1 or less there are none of these.
    let of_size = run(&["--no-fail-fast", "--size", "max", "--cases", "100000"]);
    assert_eq!((number(&of_size, "valid"), &of_size["stopped"]), (9 * 495, &"asked".into()), "{of_size:#}");
    let wrong = fixture.target(&["run", "-g", "smt", "--sample", "5"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("-g native"), "{}", wrong.stderr);
}

#[test]
fn auto_exhausts_the_space_where_the_engine_finds_its_way() {
    let fixture = Fixture::of("native::auto", TABLES, LIBRARY);
    let events = fixture.run_as_is(&["-g", "auto", "--no-boundary"]);
    assert_eq!(events.all[0]["generators"], serde_json::json!(["auto"]));
    assert_eq!(events.verdict("sorted", "auto"), "passed");
    assert_eq!(events.verdict("never", "auto"), "vacuous");
    // What `where` refuses is discarded.
    let even = events.of("even", "auto");
    assert_eq!((number(even, "valid"), &even["exhausted"]), (9 * (1 + 45 + 495), &true.into()), "{even:#}");
    assert_eq!(number(even, "discarded"), 9 * (9 + 165));
}

#[test]
fn the_plan_is_explained() {
    let fixture = Fixture::new("native::plan", "trees");
    let plan = fixture.target(&["explain", "rbtree::delete", "--stage", "plan", "--color", "never"]).stdout;
    for words in ["`balanced(t)`", "unfolding", "how t begins", "5789 inputs"] {
        assert!(plan.contains(words), "no {words} in\n{plan}");
    }
}
