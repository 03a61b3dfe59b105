//! Known numbers of trees and heaps, in the terms of the fixtures: what smt finds is complete, each tree once.
//!
//! By depth, keys are in `-depth..=depth` and not all used; by number, they are `1..=n`, all of them. Where enumerating
//! all values is quick, the sets are equal.

use std::time::Instant;

use target_bridge::generate::End;
use target_strategies::space::{Bounds, Space};
use workspace_tests::space_in;

use crate::table::{as_set, enumerated, smt};

/// Asserts that a space has so many members, no member twice, and the same as by enumeration, if that is asked for.
#[track_caller]
fn check(what: &str, space: &Space, count: usize, enumerate: bool) {
    let start = Instant::now();
    let dealt = smt(space);
    // With `--nocapture`: where the solver's time goes as trees grow.
    println!("{what}, {:?}: {} in {:.2?}", space.bounds(), dealt.members.len(), start.elapsed());
    assert_eq!(dealt.end, End::Exhausted, "{what}");
    let (found, twice) = as_set(&dealt.members);
    assert!(twice.is_empty(), "{what}: {:?}", twice[0]);
    assert_eq!(found.len(), count, "{what}, {:?}", space.bounds());
    if enumerate {
        let members = enumerated(space);
        assert!(as_set(&members).0 == found, "smt and enumerative differ: {what}");
    }
}

/// Checks the numbers for depths from 0 on; the first `n_enumerated` of them by enumeration too.
#[track_caller]
fn by_depth(fixture: [&str; 2], spec: &str, n_enumerated: u32, counts: &[usize]) {
    for (depth, &count) in (0..).zip(counts) {
        // The sizes in maps grow beyond the depth; their keys are refined.
        let bound = if fixture[0] == "maps" { 2_u32.pow(depth) - 1 } else { depth };
        let spec = spec.replace("DEPTH", &depth.to_string());
        let space = space_in(fixture[0], fixture[1], &spec, Bounds { depth, bound });
        check(&spec, &space, count, depth < n_enumerated);
    }
}

/// Checks the numbers of trees with the keys `1..=n`, from a first `n` on. None of them is higher than 4: of depth 5
/// there are 458,330 shapes to ask the solver about.
#[track_caller]
fn by_number(tree: &str, condition: &str, first: u32, n_enumerated: u32, counts: &[usize]) {
    for (n, &count) in (first..).zip(counts) {
        let tree = tree.replace("KEY", &format!("{{k: i64 | 1 <= k && k <= {n}}}"));
        let spec = format!("fn(t: {{t: {tree} | {condition} == {n}}})");
        let space = space_in("trees", "ordered_trees", &spec, Bounds { depth: n.min(4), bound: n });
        check(&spec, &space, count, n < n_enumerated);
    }
}

const TREES: [&str; 2] = ["trees", "ordered_trees"];

#[test]
fn search_trees_by_depth() {
    by_depth(TREES, "fn(t: Search<i64>)", 3, &[1, 4, 36, 590, 12_682]);
}

#[test]
fn red_black_trees_by_depth() {
    by_depth(TREES, "fn(t: OkTree)", 3, &[1, 7, 61, 827, 6753]);
}

#[test]
fn avl_trees_by_depth() {
    by_depth(TREES, "fn(t: OkAvl<i64>)", 3, &[1, 4, 36, 380, 2706]);
}

#[test]
fn weight_balanced_trees_by_depth() {
    let spec = "fn(m: OkMap<{k: i64 | -DEPTH <= k && k <= DEPTH}, One>)";
    by_depth(["maps", "balanced_map"], spec, 3, &[1, 4, 36, 380, 2706]);
}

#[test]
fn search_trees_by_number() {
    by_number("Search<KEY>", "bst_keys(t).len()", 0, 4, &[1, 1, 2, 5, 14]);
}

#[test]
fn red_black_trees_by_number() {
    let ok = "no_red_red(t) && balanced(t)";
    let any = format!("{ok} && keys(t).len()");
    by_number("Ordered<KEY>", &any, 1, 4, &[2, 2, 3, 8, 14, 20]);
    let black = format!("{ok} && !is_red(t) && keys(t).len()");
    by_number("Ordered<KEY>", &black, 1, 4, &[1, 2, 2, 4, 8]);
}

#[test]
fn avl_trees_by_number() {
    by_number("OkAvl<KEY>", "avl_keys(t).len()", 0, 3, &[1, 1, 2, 1, 4, 6, 4]);
}

#[test]
fn heap_arrays_by_length() {
    for (n, count) in (1..).zip([4, 15, 66, 320, 1919, 13_139]) {
        let spec = "fn(h: OkHeap)";
        let space = space_in("arrays", "arrays", spec, Bounds { depth: n, bound: n });
        check(spec, &space, count, n <= 4);
    }
}
