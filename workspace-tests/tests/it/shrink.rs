//! Counterexamples get as small as the spec allows, however tight its invariants and however they were found.

use serde_json::Value;

use crate::support::{Events, Fixture};

/// Red-black trees with a planted mistake in deletion, and balanced maps with one in linking, said without sets.
const TREES: &str = r#"
"rbtree::delete" = "fn(k: i64, t: OkTree) -> {v: OkRoot | in_order(v) == in_order(t).iter().filter(|x| x != k).collect()}"
"#;

/// What a counterexample is made of: constructors of that name, and how far its numbers are from 0, counted in steps
/// of the order 0, 1 and -1, 2 and -2, ..
fn size(events: &Events, function: &str, generator: &str, constructor: &str) -> (usize, u128) {
    let (args, _) = events.counterexample(function, generator);
    let text = args.join(", ");
    let numbers =
        text.split(|c: char| !c.is_ascii_digit() && c != '-').filter_map(|n| n.parse::<i128>().ok());
    let far = numbers.map(|n| 2 * n.unsigned_abs() + u128::from(n < 0)).sum();
    (text.matches(constructor).count(), far)
}

/// A fixture with its tables of aliases, views and measures, but for those about sets, and with other functions.
fn with_functions(test: &str, fixture: &str, change: impl Fn(&str) -> String, functions: &str) -> Fixture {
    let fixture = Fixture::new(test, fixture);
    let manifest = fixture.read("Cargo.toml");
    let (tables, _) = manifest.split_once("[package.metadata.target.functions]").unwrap();
    let mut lines = Vec::new();
    let mut is_about_sets = false;
    for line in tables.lines() {
        is_about_sets |= line.contains("-> Set<");
        if !is_about_sets {
            lines.push(line);
        }
        is_about_sets &= line != r#"}""""#;
    }
    let tables = change(&lines.join("\n"));
    fixture.write("Cargo.toml", &format!("{tables}\n{functions}"));
    fixture
}

fn tries(events: &Events, function: &str, generator: &str) -> (u64, u64) {
    let found: &Value = &events.of(function, generator)["counterexample"];
    assert_eq!(found["confirmed"], true, "{found:#}");
    (found["shrinks"].as_u64().unwrap(), found["tries"].as_u64().unwrap())
}

#[test]
fn a_red_black_tree_is_as_small_from_chance_as_from_the_solver() {
    let functions = format!("[package.metadata.target.functions]{TREES}");
    let fixture = with_functions("shrink::rbtree", "trees", str::to_owned, &functions);
    let words = ["--features", "rbtree-delete-forgets-to-rebalance", "--generator", "smt,random,enumerative"];
    let events = fixture.run(&words);
    for generator in ["smt", "random", "enumerative"] {
        // Three nodes around 0, and the key to delete.
        assert_eq!(size(&events, "rbtree::delete", generator, "Node("), (3, 7), "{generator}");
        let (shrinks, tries) = tries(&events, "rbtree::delete", generator);
        assert!(shrinks <= 10 && tries <= 2_000, "{shrinks} steps, {tries} tries");
    }
}

/// An AVL tree of twelve keys whose left sides are the higher ones, and the key at its top.
const AVL: &str = r#"
[package.metadata.target.functions."avl::delete"]
spec = """fn(k: i64, t: OkAvl<i64>)
    -> {v: OkAvl<i64> | avl_in_order(v) == avl_in_order(t).iter().filter(|x| x != k).collect()}"""
examples = ["""(62, Avl::Node(
    Avl::Node(
        Avl::Node(
            Avl::Node(Avl::Node(Avl::Leaf, 13, Avl::Leaf, 1), 20, Avl::Leaf, 2),
            27,
            Avl::Node(Avl::Leaf, 34, Avl::Leaf, 1),
            3,
        ),
        41,
        Avl::Node(Avl::Node(Avl::Leaf, 48, Avl::Leaf, 1), 55, Avl::Leaf, 2),
        4,
    ),
    62,
    Avl::Node(
        Avl::Node(Avl::Node(Avl::Leaf, 69, Avl::Leaf, 1), 76, Avl::Leaf, 2),
        83,
        Avl::Node(Avl::Leaf, 90, Avl::Leaf, 1),
        3,
    ),
    5,
))"""]

[package.metadata.target.measures]
"avl_in_order<T>(t: Avl<T>) -> Vec<T>" = """
match t {
    Avl::Leaf => vec![],
    Avl::Node(l, k, r, _) => [avl_in_order(l), vec![k], avl_in_order(r)].concat(),
}"""
"#;

#[test]
fn stored_heights_follow_down_from_an_example_deeper_than_the_space() {
    // The functions' table first: that of the measures is already there.
    let (functions, measure) = AVL.split_once("[package.metadata.target.measures]").unwrap();
    let measures = "[package.metadata.target.measures]";
    let with_measure = |tables: &str| tables.replace(measures, &format!("{measures}{measure}"));
    let fixture = with_functions("shrink::avl", "trees", with_measure, functions);
    let words = ["--features", "avl-delete-forgets-to-rebalance", "--generator", "random"];
    for depth in ["1", "3"] {
        let events = fixture.run(&[&words[..], &["--depth", depth]].concat());
        // Four keys around 0, and their heights.
        assert_eq!(size(&events, "avl::delete", "random", "Node("), (4, 10 + 14), "at depth {depth}");
    }
}

/// Thirteen entries and two, that stepwise shrinking cannot make fewer: each step balances them, or unbalances them so
/// that the spec refuses them.
const LINK: &str = r#"
"keys<K, V>(m: Map<K, V>) -> Vec<K>" = """
match m {
    Map::Tip => vec![],
    Map::Bin(_, k, _, l, r) => [keys(l), vec![k], keys(r)].concat(),
}"""

[package.metadata.target.functions.link]
spec = """
fn(k: Key, x: One, l: OkMap<{x: Key | x < k}, One>, r: OkMap<{x: Key | k < x}, One>)
    -> {v: OkMap<Key, One> | keys(v) == [keys(l), vec![k], keys(r)].concat()}"""
examples = ["""(50, 1,
    Map::Bin(12, -50, 1,
        Map::Bin(3, -80, 1, Map::Bin(1, -90, 1, Map::Tip, Map::Tip), Map::Bin(1, -70, 1, Map::Tip, Map::Tip)),
        Map::Bin(8, -20, 1,
            Map::Bin(4, -30, 1,
                Map::Bin(2, -35, 1, Map::Bin(1, -40, 1, Map::Tip, Map::Tip), Map::Tip),
                Map::Bin(1, -25, 1, Map::Tip, Map::Tip)),
            Map::Bin(3, -10, 1, Map::Bin(1, -15, 1, Map::Tip, Map::Tip), Map::Bin(1, -5, 1, Map::Tip, Map::Tip)))),
    Map::Bin(2, 66, 1, Map::Bin(1, 55, 1, Map::Tip, Map::Tip), Map::Tip))"""]
"#;

#[test]
fn stored_sizes_follow_where_each_single_step_is_refused() {
    let wider = |tables: &str| tables.replace("-3 <= k && k <= 3", "-99 <= k && k <= 99");
    let fixture = with_functions("shrink::link", "maps", wider, LINK);
    let words = ["--features", "link-forgets-to-rebalance", "--generator", "smt", "--depth", "3"];
    let events = fixture.run(&words);
    let (nodes, _) = size(&events, "link", "smt", "Bin(");
    assert_eq!(nodes, 5, "{:#}", events.of("link", "smt"));
}

/// A list with its length, its sum, and twice that beside it, and a mistake that takes an extreme element: no step
/// by which fewer than four values change is valid.
const LEDGER: (&str, &str) = (
    r#"
[package.metadata.target.functions.audit]
spec = """fn(l: {l: Ledger | l.len == l.items.len() && l.sum == l.items.iter().sum()
    && l.double == 2 * l.sum && l.items.is_sorted()}) -> bool"""
examples = ["(Ledger { len: 5, items: vec![-70, -7, 3, 5000000000, 9000000000], sum: 13999999926, double: 27999999852 },)"]
"#,
    "pub struct Ledger { pub len: usize, pub items: Vec<i64>, pub sum: i64, pub double: i64 }
pub fn audit(l: Ledger) -> bool {
    assert!(l.items.iter().all(|item| *item < 1 << 31), \"too much for the old format\");
    l.len == l.items.len() && l.double == 2 * l.sum
}",
);

#[test]
fn beyond_the_bound_what_depends_on_a_step_follows_it() {
    let events = Fixture::of("shrink::ledger", LEDGER.0, LEDGER.1).run(&["--generator", "random"]);
    let (args, failure) = events.counterexample("audit", "random");
    assert_eq!(failure, "panic");
    // How small the item gets depends on how fast the machine is; that it is alone does not.
    assert!(args[0].contains("Ledger { len: 1, items: vec!["), "{args:?}");
}

/// Maps without bounds on their keys, and an overflow that takes two keys far apart.
const FAR: (&str, &str) = (
    r#"
[package.metadata.target.functions.reach]
spec = "fn(m: OkMap<i64, bool>) -> i64"
examples = ["""(Map::Bin(5, 0, true,
    Map::Bin(2, -3, false, Map::Bin(1, -9223372036854775808, true, Map::Tip, Map::Tip), Map::Tip),
    Map::Bin(2, 1000, true, Map::Bin(1, 17, false, Map::Tip, Map::Tip), Map::Tip)),)"""]
"#,
    "
/// How far the greatest key is from the least.
pub fn reach(m: Map<i64, bool>) -> i64 {
    fn least(m: &Map<i64, bool>) -> Option<i64> {
        let Map::Bin(_, k, _, l, _) = m else { return None };
        least(l).or(Some(*k))
    }
    fn greatest(m: &Map<i64, bool>) -> Option<i64> {
        let Map::Bin(_, k, _, _, r) = m else { return None };
        greatest(r).or(Some(*k))
    }
    match (least(&m), greatest(&m)) {
        (Some(a), Some(b)) => b.checked_sub(a).expect(\"keys are near to each other\"),
        _ => 0,
    }
}
",
);

#[test]
fn an_extreme_key_stays_while_the_map_around_it_gets_small() {
    let fixture = with_functions("shrink::reach", "maps", str::to_owned, FAR.0);
    fixture.write("src/lib.rs", &format!("{}{}", fixture.read("src/lib.rs"), FAR.1));
    let events = fixture.run(&["--generator", "random"]);
    let (nodes, _) = size(&events, "reach", "random", "Bin(");
    assert_eq!(nodes, 2, "{:#}", events.of("reach", "random"));
    tries(&events, "reach", "random");
}

#[test]
fn a_candidate_that_did_not_run_is_tried_from_the_next_step() {
    let library = "pub fn root(n: i8) -> i8 { assert!(n >= 0); n }";
    let tables = "[package.metadata.target.functions]\nroot = \"fn(n: i8) -> i8\"\n";
    let events = Fixture::of("shrink::not_run", tables, library).run(&["-g", "auto"]);
    assert_eq!(events.counterexample("root", "auto").0, ["-1"]);
}
