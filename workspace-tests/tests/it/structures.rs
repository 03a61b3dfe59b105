//! Data structures with invariants: each fixture passes as it is, on as many inputs as there are known to be, and each
//! mistake that a feature plants is found by a counterexample of known size.
//!
//! Where the numbers come from: `n keys out of k` are binomials; those of trees are from dynamic programming over the
//! number of keys, done elsewhere; the others are written out beside them.

use crate::support::{Events, Fixture};

/// No cap is reached where `exhausted` is asserted.
const UNCAPPED: [&str; 4] = ["--cases", "100000", "--budget", "60s"];

/// Runs smt alone, within the bounds.
fn run(fixture: &Fixture, words: &[&str]) -> Events {
    fixture.run(&[&["-g", "smt", "--no-boundary"], words].concat())
}

/// Asserts that all functions pass on some of their inputs.
#[track_caller]
fn everything_passes(fixture: &Fixture, n_functions: usize) {
    let events = run(fixture, &["--cases", "1000", "--budget", "60s"]);
    let outcomes = events.with_reason("function-finished");
    assert_eq!(outcomes.len(), n_functions);
    for outcome in outcomes {
        assert_eq!(outcome["verdict"], "passed", "{outcome:#}\n{}", events.stderr);
        assert!(outcome["valid"].as_u64() > Some(0), "{outcome:#}");
    }
    assert_eq!(events.code, 0, "{}", events.stderr);
}

/// Asserts that functions pass on all their inputs, which are so many.
#[track_caller]
fn all_are_dealt(fixture: &Fixture, words: &[&str], counts: &[(&str, u64)]) {
    let functions: Vec<&str> = counts.iter().map(|count| count.0).collect();
    let events = run(fixture, &[&UNCAPPED[..], words, &["--exact"], &functions].concat());
    for (function, count) in counts {
        let outcome = events.of(function, "smt");
        let found = (&outcome["verdict"], &outcome["exhausted"], &outcome["valid"], &outcome["distinct"]);
        let count = &(*count).into();
        assert_eq!(found, (&"passed".into(), &true.into(), count, count), "{function}: {outcome:#}");
    }
}

/// A feature, the function that it breaks, and the least counterexample.
type Bug<'t> = (&'t str, &'t str, Least<'t>);

/// What is known of a counterexample.
enum Least<'t> {
    /// So many of these words in the arguments, which tells the size of data without saying which of that size.
    Of(usize, &'t str),
    /// At most so many: a slow machine ends the shrinking before its last step.
    Within(usize, &'t str),
    /// These are the arguments, without the names of modules.
    Args(&'t [&'t str]),
}

use Least::{Args, Of, Within};

/// Asserts that smt finds what each feature plants, and shrinks it to the size stated.
#[track_caller]
fn each_is_found(fixture: &Fixture, bugs: &[Bug<'_>]) {
    for (feature, function, least) in bugs {
        let events = run(fixture, &["--budget", "30s", "--features", feature, "--exact", function]);
        let (args, failure) = events.counterexample(function, "smt");
        assert!(["result", "ensures"].contains(&failure), "{feature}: {failure} on {args:?}");
        assert_eq!(events.code, 1, "{feature}");
        assert_eq!(events.of(function, "smt")["counterexample"]["confirmed"], true, "{feature}");
        match least {
            Within(size, word) => {
                assert!(args.concat().matches(word).count() <= *size, "{feature}: {args:#?}");
            }
            Of(size, word) => assert_eq!(args.concat().matches(word).count(), *size, "{feature}: {args:#?}"),
            Args(least) => {
                let args: Vec<String> = args.iter().map(|arg| without_modules(arg)).collect();
                assert_eq!(args, *least, "{feature}");
            }
        }
    }
}

/// A Rust value without the modules of its types: `Heap { size: 1 }` of `arrays::heap::Heap { size: 1 }`.
fn without_modules(text: &str) -> String {
    let without = |part| match str::strip_suffix(part, "::") {
        Some(before) => {
            let at = before.rfind(|c: char| c != '_' && !c.is_alphanumeric()).map_or(0, |at| at + 1);
            if before[at..].starts_with(char::is_lowercase) { &before[..at] } else { part }
        }
        None => part,
    };
    text.split_inclusive("::").map(without).collect()
}

#[test]
fn ordered_trees_and_lists_pass() {
    let fixture = Fixture::new("structures::trees", "trees");
    everything_passes(&fixture, 15);
    // Beside a key in -3..=3.
    let counts = [
        ("list::insert", 7 * (1 + 7 + 28 + 84)),
        ("list::insert_unique", 7 * (1 + 7 + 21 + 35)),
        ("list::merge", 120 * 120),
        ("list::to_vec", 1 + 7 + 49 + 343),
        ("rbtree::insert", 7 * 827),
        ("rbtree::delete", 7 * 827),
        ("rbtree::min", 10_895),
        ("avl::insert", 7 * 380),
        ("avl::delete", 7 * 380),
        ("bst::insert", 7 * 590),
        ("bst::join", 3021),
    ];
    all_are_dealt(&fixture, &[], &counts);
    all_are_dealt(&fixture, &["--depth", "2", "--bound", "2"], &[("rbtree::insert", 5 * 61)]);
}

#[test]
fn what_breaks_trees_and_lists_is_found() {
    let bugs = [
        ("list-insert-unique-repeats-last", "list::insert_unique", Of(1, "Cons(")),
        ("list-merge-drops-equal", "list::merge", Of(2, "Cons(")),
        ("rbtree-insert-misses-a-rotation", "rbtree::insert", Of(2, "Node(")),
        ("rbtree-insert-leaves-the-root-red", "rbtree::insert", Args(&["0", "Tree::Leaf"])),
        ("rbtree-delete-forgets-to-rebalance", "rbtree::delete", Of(3, "Node(")),
        ("rbtree-delete-keeps-the-nephew-black", "rbtree::delete", Of(5, "Node(")),
        ("avl-insert-rotates-once", "avl::insert", Of(2, "Node(")),
        ("avl-delete-forgets-to-rebalance", "avl::delete", Of(4, "Node(")),
        ("avl-rotation-keeps-the-height", "avl::delete", Of(5, "Node(")),
        ("bst-delete-repeats-the-successor", "bst::delete", Of(3, "Node(")),
        ("bst-join-loses-a-branch", "bst::join", Of(3, "Node(")),
    ];
    each_is_found(&Fixture::new("structures::trees-broken", "trees"), &bugs);
}

#[test]
fn balanced_maps_pass() {
    let fixture = Fixture::new("structures::maps", "maps");
    everything_passes(&fixture, 11);
    // Of seven keys; the values of `size` are of two kinds, those of the other maps of one.
    let counts = [("size", 8655), ("insert", 7 * 380), ("link", 933), ("from_list", 1 + 14 + 196 + 2744)];
    all_are_dealt(&fixture, &[], &counts);
}

#[test]
fn what_breaks_maps_is_found() {
    let bugs = [
        ("balance-rotates-once", "insert", Of(2, "Bin(")),
        ("delete-keeps-the-size", "delete", Of(2, "Bin(")),
        ("glue-takes-from-the-left", "delete", Of(4, "Bin(")),
        ("link-forgets-to-rebalance", "link", Of(5, "Bin(")),
        ("split-loses-the-middle", "split", Of(2, "Bin(")),
        ("union-prefers-the-right", "union", Of(2, "Bin(")),
        ("difference-keeps-a-root", "difference", Of(2, "Bin(")),
    ];
    each_is_found(&Fixture::new("structures::maps-broken", "maps"), &bugs);
}

#[test]
fn sets_of_stacks_pass() {
    let fixture = Fixture::new("structures::stackset", "stackset");
    everything_passes(&fixture, 27);
    // n of four letters in order, and a focus with at most three on either side.
    let counts = [
        ("Stack::of", 4),
        ("Stack::focus_up", 4 + 2 * 12 + 3 * 24 + 4 * 24),
        ("Stack::integrate", 4 * (1 + 4 + 16 + 64) * (1 + 4 + 16 + 64)),
    ];
    all_are_dealt(&fixture, &[], &counts);
    // One to three workspaces, each of 1, 1, 2, 1 stacks of 0 to 3 windows; times the tags, times the screens.
    let one = (1 + 3 + 2 * 6 + 6) * 3 * 3;
    let two = (1 + 2 * 3 + 5 * 6 + 6 * 6) * (6 * 6 + 6 * 3);
    let three = (1 + 3 * 3 + 9 * 6 + 16 * 6) * 6 * 6;
    let words = ["--depth", "1", "--bound", "2"];
    all_are_dealt(&fixture, &words, &[("laws::focus_all_round", one + two + three)]);
}

#[test]
fn what_breaks_sets_of_stacks_is_found() {
    let up = "Stack { focus: 'a', up: vec![], down: vec!['b', '0'] }";
    let down = "Stack { focus: 'a', up: vec!['b', '0'], down: vec![] }";
    let bugs = [
        ("focus-up-wraps-unreversed", "Stack::focus_up", Args(&[up])),
        ("focus-down-wraps-unreversed", "Stack::focus_down", Args(&[down])),
        ("swap-up-wraps-unreversed", "laws::swap_keeps_the_others", Of(6, "'")),
        ("swap-master-loses-the-order", "StackSet::swap_master", Of(6, "'")),
        ("insert-up-looks-here-only", "StackSet::insert_up", Of(2, "Workspace {")),
        ("delete-loses-the-last-focus", "StackSet::delete", Of(1, "Workspace {")),
        ("view-drops-an-empty-workspace", "StackSet::view", Of(2, "stack: None")),
        ("greedy-view-forgets-a-screen", "StackSet::greedy_view", Of(2, "stack: None")),
        ("shift-leaves-the-window", "StackSet::shift", Of(2, "Screen {")),
    ];
    each_is_found(&Fixture::new("structures::stackset-broken", "stackset"), &bugs);
}

#[test]
fn functions_with_thresholds_pass() {
    everything_passes(&Fixture::new("structures::thresholds", "thresholds"), 22);
}

#[test]
fn arrays_with_invariants_pass() {
    let fixture = Fixture::new("structures::arrays", "arrays");
    everything_passes(&fixture, 16);
    let counts = [
        ("HeapArray::peek", 320),
        ("HeapArray::insert", 320 * 5),
        ("HeapArray::extract_max", 320),
        ("IntervalSet::contains", 511 * 9),
        ("IntervalSet::add", 511 * 45),
        ("RingBuffer::with_capacity", 9),
        // A head in c cells, of which up to c are in use, with nine values each.
        ("RingBuffer::to_vec", 1 + 10 + 2 * 91 + 3 * 820 + 4 * 7381),
        ("Graph::reverse", 1 + 2 + 16 + 512),
        ("Graph::topological_sort", 531),
        ("Graph::reachable", 2 + 2 * 16 + 3 * 512),
        ("Graph::shortest_path", 2 + 4 * 16 + 9 * 512),
    ];
    all_are_dealt(&fixture, &[], &counts);
}

#[test]
fn what_breaks_arrays_is_found() {
    let longer = "&mut IntervalSet { intervals: vec![Interval { lo: 0, hi: 1 }] }";
    let cycle = "&Graph { edges: vec![vec![1], vec![2], vec![0]] }";
    let bugs = [
        ("heap-sinks-to-the-left", "HeapArray::extract_max", Of(1, "size: 4")),
        ("heap-leaves-the-freed-cell", "HeapArray::extract_max", Of(1, "size: 3, array: vec![0, 0, 0]")),
        ("heap-grows-by-zeros", "HeapArray::insert", Of(1, "size: 2, array: vec![0, 0]")),
        ("intervals-stay-adjacent", "IntervalSet::add", Of(1, "Interval {")),
        ("intervals-remove-one-too-few", "IntervalSet::remove", Of(1, "Interval {")),
        ("intervals-forget-the-longer", "IntervalSet::add", Args(&[longer, "0", "0"])),
        ("ring-pop-runs-over-the-end", "RingBuffer::pop", Of(1, "Some(")),
        ("ring-resize-keeps-the-wrap", "RingBuffer::resize", Of(2, "Some(")),
        ("graph-sort-sees-short-cycles-only", "Graph::topological_sort", Args(&[cycle])),
        ("graph-path-marks-late", "Graph::shortest_path", Of(4, "vec![")),
        ("graph-reachable-in-one-sweep", "Graph::reachable", Of(4, "vec![")),
    ];
    each_is_found(&Fixture::new("structures::arrays-broken", "arrays"), &bugs);
}

#[test]
fn terms_pass() {
    let fixture = Fixture::new("structures::lambda", "lambda");
    everything_passes(&fixture, 16);
    // Of three names: 3 terms without an inner one, then 3 + 3 * 3 + 3 * 3 = 21, then 3 + 3 * 21 + 21 * 21.
    let counts = [("rename", 3 * 507 * 3), ("normalize", 1149 * 9)];
    all_are_dealt(&fixture, &[], &counts);
}

#[test]
fn what_breaks_terms_is_found() {
    let bugs = [
        ("substitute-captures", "substitute", Of(1, "Lam(")),
        ("substitute-ignores-shadowing", "substitute", Of(2, "Var(")),
        ("substitute-ignores-shadowing", "substitute_in_closed", Of(2, "Lam(")),
        ("rename-captures", "rename", Of(1, "Lam(")),
        ("alpha-looks-one-way", "alpha_equal", Of(2, "Lam(")),
        ("step-stops-at-variables", "step", Of(2, "App(")),
        ("typed-substitute-keeps-the-index", "typed_substitute_keeps_the_type", Within(2, "Lam(")),
        ("typed-shift-keeps-the-cutoff", "typed::shift", Of(1, "Lam(")),
        ("infer-forgets-the-argument", "typed::infer", Of(1, "App(")),
    ];
    each_is_found(&Fixture::new("structures::lambda-broken", "lambda"), &bugs);
}

#[test]
fn values_that_functions_build_pass_and_those_that_they_refuse_are_counted() {
    let fixture = Fixture::new("structures::dates", "dates");
    everything_passes(&fixture, 7);
    let counts = [
        ("Date::from_ymd", 6 * 14 * 32),
        ("next_day", 6 * 365 + 1),
        ("days_left", 11 * 3),
        ("bump", 64 * 3),
        ("compatible", 64 * 64),
        ("largest", 1 + 14 + 196 + 2744),
        ("days_between", 55 * 55),
    ];
    all_are_dealt(&fixture, &[], &counts);
    let events = run(&fixture, &UNCAPPED);
    let discarded = |function| events.of(function, "smt")["discarded"].as_u64().unwrap();
    assert_eq!(discarded("next_day"), 6 * 12 * 31 - (6 * 365 + 1));
    assert_eq!(discarded("days_between"), 72 * 72 - 55 * 55);
    assert_eq!(["Date::from_ymd", "days_left", "bump"].map(discarded), [0, 0, 0]);
    let printed = fixture.target(&["run", "-g", "smt", "--no-boundary", "--exact", "next_day"]).stdout;
    let words: Vec<&str> = printed.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "discarded").unwrap();
    assert_eq!(words[at - 1], "valid", "{printed}");
    assert!(printed.contains("passed    2191         41"), "{printed}");
}

#[test]
fn what_breaks_dates_is_found() {
    let bugs = [
        ("leap-years-ignore-centuries", "next_day", Args(&["Date::from_ymd(1900, 2, 28).unwrap()"])),
        ("next-day-keeps-the-year", "next_day", Of(1, ", 12, 31)")),
        ("days-between-counts-the-leap-day-early", "days_between", Of(1, "(2000, ")),
        ("days-left-forgets-leap-years", "days_left", Args(&["Date::from_ordinal_date(1996, 1).unwrap()"])),
        ("bump-keeps-the-patch", "bump", Of(1, "Version::new(0, 0, 1)")),
        (
            "compatible-forgets-zero",
            "compatible",
            Args(&["&Version::new(0, 0, 0)", "&Version::new(0, 0, 1)"]),
        ),
        ("largest-starts-at-zero", "largest", Args(&["&[NotNan::new(-1.0).unwrap()]"])),
    ];
    each_is_found(&Fixture::new("structures::dates-broken", "dates"), &bugs);
}
