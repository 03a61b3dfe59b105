//! Known numbers of structures by the native engine, far beyond what can be listed; where it can, the lists are complete,
//! and no member comes twice.
//!
//! By depth, keys are in `-depth..=depth` and not all used; by number, they are `1..=n`, all of them.

use target_strategies::native::Native;
use target_strategies::native::random::RandomMembers;
use target_strategies::space::Bounds;
use workspace_tests::Fixture;

use crate::native_engine::{check, space, space_of, trees};
use crate::table::Entry;

/// Checks the numbers for depths from 0 on.
#[track_caller]
fn by_depth(fixture: &Fixture, spec: &str, bound: fn(u32) -> u32, counts: &[u128]) {
    for (depth, &count) in (0..).zip(counts) {
        let spec = spec.replace("DEPTH", &depth.to_string());
        check(&spec, &space_of(fixture, 1, &spec, Bounds { depth, bound: bound(depth) }), count);
    }
}

/// Checks the numbers of trees with the keys `1..=n`, from a first `n` on, of which none is higher than that depth.
#[track_caller]
fn by_number(spec: &str, depth: fn(u32) -> u32, first: u32, counts: &[u128]) {
    let fixture = trees();
    for (n, &count) in (first..).zip(counts) {
        let key = format!("{{k: i64 | 1 <= k && k <= {n}}}");
        let spec = spec.replace("KEY", &key).replace("NUMBER", &n.to_string());
        check(&spec, &space_of(&fixture, 1, &spec, Bounds { depth: depth(n), bound: n }), count);
    }
}

/// Lists of keys and maps with the same keys: `n` of `k` keys have `n!` orders. With values of two kinds, there are `2^n` maps.
#[test]
fn lists_and_maps_with_the_same_keys() {
    let same = "elems(order) == values.keys()";
    let distinct =
        format!("fn(order: Vec<u8>, values: BTreeMap<u8, bool>) requires order.distinct() && {same}");
    // Of four keys: 1 + 4 * 2 + 12 * 4 + 24 * 8, and of three 1 + 3 * 2 + 6 * 4 + 6 * 8.
    check("in an order", &space(&distinct, 3, 3), 249);
    check("in an order", &space(&distinct, 3, 2), 79);
    let repeated = format!("fn(order: Vec<u8>, values: BTreeMap<u8, bool>) requires {same}");
    // Two names are equal or not.
    check("repeated", &space(&repeated, 2, 2), 1 + 3 * 2 + 3 * 2 + 6 * 4);
    // Any list has one set. The set is chosen first.
    check("a set", &space("fn(s: BTreeSet<u8>, xs: Vec<u8>) requires s == elems(xs)", 3, 2), 1 + 3 + 9 + 27);
    let places = format!(
        "fn(order: Vec<u8>, values: BTreeMap<u8, usize>)
         requires order.distinct() && {same} && (0..order.len()).all(|i| values[order[i]] == i)"
    );
    check("places", &space(&places, 3, 3), 1 + 4 + 12 + 24);
}

/// A red-black tree is no higher than twice the logarithm of its keys and one.
fn red_black_height(n: u32) -> u32 {
    n.min(2 * (n + 1).ilog2() + 1)
}

/// An AVL tree is no higher than 1.45 times the logarithm of its keys and two.
fn avl_height(n: u32) -> u32 {
    n.min(3 * (n + 2).ilog2() / 2 + 1)
}

/// Lists of length `n` over `0..k` with a condition on `v`.
fn lists(n: u32, k: u32, condition: &str) -> String {
    let elements = format!("v.len() == {n} && v.iter().all(|x| 0 <= x && x < {k})");
    format!("fn(v: {{v: Vec<i64> | {elements} && {condition}}})")
}

#[track_caller]
fn check_lists(n: u32, k: u32, condition: &str, count: u128) {
    check(&format!("{n} of {k}, {condition}"), &space(&lists(n, k, condition), 4, 4), count);
}

fn choose(n: u32, k: u32) -> u128 {
    (1..=n).fold(1, |product, i| product * u128::from(k - n + i) / u128::from(i))
}

const CATALAN: [u128; 9] = [1, 1, 2, 5, 14, 42, 132, 429, 1430];

#[test]
fn search_trees_by_depth() {
    let counts = [1, 4, 36, 590, 12_682, 298_235, 7_178_220, 173_107_479, 4_157_401_070, 99_326_137_349];
    by_depth(&trees(), "fn(t: Search<i64>)", |depth| depth, &counts);
}

#[test]
fn red_black_trees_by_depth() {
    let counts = [1, 7, 61, 827, 6753, 51_242, 428_381];
    by_depth(&trees(), "fn(t: OkTree)", |depth| depth, &counts);
}

#[test]
fn avl_trees_by_depth() {
    let counts = [1, 4, 36, 380, 2706, 20_267];
    by_depth(&trees(), "fn(t: OkAvl<i64>)", |depth| depth, &counts);
}

#[test]
fn weight_balanced_trees_by_depth() {
    let counts = [1, 4, 36, 380, 2706, 20_255, 147_478];
    let fixture = Fixture::open("maps", "balanced_map");
    let spec = "fn(m: OkMap<{k: i64 | -DEPTH <= k && k <= DEPTH}, One>)";
    // The stored sizes grow beyond the depth; of 2 * depth + 1 keys, there are no more.
    by_depth(&fixture, spec, |depth| 2 * depth + 1, &counts);
}

#[test]
fn search_trees_by_number() {
    by_number("fn(t: {t: Search<KEY> | bst_size(t) == NUMBER})", |n| n, 0, &CATALAN);
}

#[test]
fn search_trees_by_their_set_of_keys() {
    by_number("fn(t: {t: Search<KEY> | bst_keys(t).len() == NUMBER})", |n| n, 0, &CATALAN[..5]);
    by_number("fn(t: {t: Search<KEY> | bst_in_order(t).len() == NUMBER})", |n| n, 0, &CATALAN[..5]);
}

#[test]
fn search_trees_of_some_keys() {
    let fixture = trees();
    for (n, k) in [(0, 4), (1, 7), (3, 7), (4, 9), (5, 12)] {
        let key = format!("{{k: i64 | 1 <= k && k <= {k}}}");
        let spec = format!("fn(t: {{t: Search<{key}> | bst_size(t) == {n}}})");
        let space = space_of(&fixture, 1, &spec, Bounds { depth: n, bound: k });
        check(&spec, &space, choose(n, k) * CATALAN[n as usize]);
    }
}

#[test]
fn red_black_trees_by_number() {
    let ok = "no_red_red(t) && balanced(t)";
    let any = format!("fn(t: {{t: Ordered<KEY> | {ok} && size(t) == NUMBER}})");
    by_number(&any, red_black_height, 1, &[2, 2, 3, 8, 14, 20, 35]);
    let black = format!("fn(t: {{t: Ordered<KEY> | {ok} && !is_red(t) && size(t) == NUMBER}})");
    by_number(&black, red_black_height, 1, &[1, 2, 2, 4, 8, 16, 33]);
}

#[test]
fn red_black_trees_by_their_set_of_keys() {
    let spec = "fn(t: {t: Ordered<KEY> | no_red_red(t) && balanced(t) && keys(t).len() == NUMBER})";
    by_number(spec, red_black_height, 1, &[2, 2, 3, 8]);
}

#[test]
fn avl_trees_by_number() {
    by_number("fn(t: {t: OkAvl<KEY> | avl_keys(t).len() == NUMBER})", avl_height, 0, &[1, 1, 2, 1, 4]);
}

#[test]
fn binary_trees_by_height() {
    let tree =
        Entry::new("", "fn(t: Tree)", 0, 4).with_rust("pub enum Tree { Leaf, Node(Box<Tree>, Box<Tree>) }");
    let counts = [1, 2, 5, 26, 677, 458_330, 458_330_u128.pow(2) + 1, (458_330_u128.pow(2) + 1).pow(2) + 1];
    for (depth, count) in (0..).zip(counts) {
        check("trees", &Entry { depth, ..tree.clone() }.space().unwrap(), count);
    }
}

#[test]
fn heap_arrays_by_length() {
    let fixture = Fixture::open("arrays", "arrays");
    let counts = [4, 15, 66, 320, 1919, 13_139, 117_562, 1_005_075, 10_391_382];
    for (n, &count) in (1..).zip(&counts) {
        let space = space_of(&fixture, 1, "fn(h: OkHeap)", Bounds { depth: n, bound: n });
        check("heaps", &space, count);
    }
}

#[test]
fn heap_ordered_permutations() {
    for (n, count) in (1..).zip([1, 1, 2, 3, 8, 20, 80, 210, 896, 3360, 19_200]) {
        check_lists(n, n, "v.distinct() && (1..v.len()).all(|i| v[(i - 1) / 2] > v[i])", count);
    }
}

#[test]
fn queens() {
    for (n, count) in (1..).zip([1, 0, 0, 2, 10, 4, 40, 92, 352]) {
        let apart = "v.distinct() && (0..v.len()).all(|i| (0..i).all(|j| v[i] - v[j] != i - j && v[j] - v[i] != i - j))";
        check_lists(n, n, apart, count);
    }
}

#[test]
fn derangements() {
    for (n, count) in (0..).zip([1, 0, 1, 2, 9, 44, 265, 1854, 14_833]) {
        check_lists(n, n, "v.distinct() && v.iter().enumerate().all(|(i, x)| i != x)", count);
    }
}

#[test]
fn non_decreasing_lists_are_multisets() {
    for (n, k) in [(0, 3), (1, 5), (2, 7), (3, 5), (4, 5), (5, 4), (6, 9), (8, 6), (20, 30)] {
        check_lists(n, k, "v.is_sorted()", choose(n, n + k - 1));
        check_lists(n, k, "v.windows(2).all(|w| w[0] <= w[1])", choose(n, n + k - 1));
    }
}

#[test]
fn strictly_increasing_lists_are_subsets() {
    for (n, k) in [(0, 3), (1, 5), (2, 7), (3, 5), (4, 6), (5, 6), (6, 12), (7, 14), (20, 30)] {
        check_lists(n, k, "v.windows(2).all(|w| w[0] < w[1])", choose(n, k));
        check_lists(n, k, "(1..v.len()).all(|i| v[i - 1] < v[i])", choose(n, k));
    }
}

#[test]
fn intervals() {
    for k in [1, 2, 9, 32, 200] {
        let end = format!("{{v: i64 | 0 <= v && v < {k}}}");
        for spec in [
            format!("fn(lo: {end}, hi: {end}) requires lo <= hi"),
            format!("fn(lo: {end}, hi: {{v: {end} | lo <= v}})"),
        ] {
            check(&spec, &space(&spec, 4, k), u128::from(k * (k + 1) / 2));
        }
    }
    check("intervals", &space("fn(lo: i64, hi: i64) requires lo <= hi", 4, 50), 101 * 102 / 2);
}

/// Nodes of a B-tree: keys between leaves of two to four keys, or a single leaf.
const NODES: &str = "fn(keys: Vec<i64>, leaves: Vec<Vec<i64>>) requires leaves.len() == keys.len() + 1
    && leaves.iter().all(|l| l.len() <= 4) && (keys.is_empty() || leaves.iter().all(|l| 2 <= l.len()))
    && [leaves[0], (0..keys.len()).flat_map(|i| [vec![keys[i]], leaves[i + 1]].concat()).collect()].concat()
        .windows(2).all(|w| w[0] < w[1])";

#[test]
fn nodes_with_leaves() {
    // By the lengths of the leaves, in any order; all keys of a node are distinct and in order.
    let one: u128 = (0..=4).map(|n| choose(n, 9)).sum();
    let two = choose(5, 9) + 2 * choose(6, 9) + 3 * choose(7, 9) + 2 * choose(8, 9) + choose(9, 9);
    let three = choose(8, 9) + 3 * choose(9, 9);
    check("nodes", &space(NODES, 4, 4), one + two + three);
}

/// A walk that chose keys before the lengths of leaves would hardly ever leave room for the keys of leaves.
#[test]
fn nodes_with_several_leaves_are_found_by_walks() {
    let space = space(NODES, 9, 9);
    let (native, mut members) = (Native::new(&space), RandomMembers::new(&space, 0));
    // With a key and two leaves, or more.
    let n_found = (0..60).filter(|at| members.next(9 + at % 6, &native).is_some()).count();
    assert!(n_found > 20, "{n_found}");
}

#[test]
fn magic_squares() {
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let sums: Vec<String> = lines.iter().map(|[a, b, c]| format!("v[{a}] + v[{b}] + v[{c}] == 15")).collect();
    let square = "[{x: i64 | 1 <= x && x <= 9}; 9]";
    let spec = format!("fn(v: {{v: {square} | v.distinct() && {}}})", sums.join(" && "));
    check("magic squares", &space(&spec, 4, 4), 8);
}

#[test]
fn magic_squares_as_rows_of_any_sum() {
    let row = "[{x: i64 | 1 <= x && x <= 9}; 3]";
    let spec = format!(
        "fn(m: {{m: [{row}; 3] | m.concat().distinct() && {{ let sum = m[0].iter().sum();
             m.iter().all(|r| r.iter().sum() == sum) && (0..3).all(|c| m.iter().map(|r| r[c]).sum() == sum)
             && (0..3).map(|i| m[i][i]).sum() == sum && (0..3).map(|i| m[i][2 - i]).sum() == sum }}}})"
    );
    check("magic squares as rows", &space(&spec, 4, 4), 8);
}

#[test]
fn pythagorean_triples() {
    let side = "{v: i64 | 1 <= v}";
    let spec =
        format!("fn(a: {side}, b: {side}, c: {side}) requires a <= b && b <= c && a * a + b * b == c * c");
    for (bound, count) in [(20, 6), (50, 20), (100, 52)] {
        check(&spec, &space(&spec, 4, bound), count);
    }
}

#[test]
fn boxes() {
    let side = "{v: i64 | 1 <= v && v <= 15}";
    for spec in [
        format!("fn(a: {side}, b: {side}, c: {side})"),
        format!("fn(v: ({side}, {side}, {side}))"),
        format!("fn(v: [{side}; 3])"),
    ] {
        check(&spec, &space(&spec, 4, 4), 3375);
    }
}
