//! Known numbers of structures: what smt and enumerative find is complete.
//!
//! Where enumerating all values would take too long, only smt is asked. Where it is asked too, the sets are equal.

use target_bridge::generate::End;

use crate::table::{Entry, as_set, enumerated, smt};

const BOTH: bool = true;
const SMT_ALONE: bool = false;

/// Asserts that an entry has so many members, and no member twice.
#[track_caller]
fn check(entry: &Entry, count: usize, enumerate: bool) {
    let space = entry.space().unwrap_or_else(|mistakes| panic!("{}: {mistakes}", entry.spec));
    let dealt = smt(&space);
    assert_eq!(dealt.end, End::Exhausted, "{}", entry.spec);
    let (found, twice) = as_set(&dealt.members);
    assert!(twice.is_empty(), "{}\n{:?}", entry.spec, twice[0]);
    assert_eq!(found.len(), count, "{}", entry.spec);
    if enumerate {
        let members = enumerated(&space);
        assert_eq!(members.len(), count, "{}", entry.spec);
        let (enumerated, _) = as_set(&members);
        assert!(enumerated == found, "smt and enumerative differ: {}", entry.spec);
    }
}

fn spec(text: &str, bound: u32) -> Entry {
    Entry::new("", text, 4, bound)
}

/// Lists of length `n` over `0..k` with a condition on `v`.
fn lists(n: u32, k: u32, condition: &str) -> Entry {
    let elements = format!("v.len() == {n} && v.iter().all(|x| 0 <= x && x < {k})");
    spec(&format!("fn(v: {{v: Vec<i64> | {elements} && {condition}}})"), 4)
}

fn choose(n: u32, k: u32) -> usize {
    (1..=k).fold(1, |product, i| product * (n - k + i) as usize / i as usize)
}

#[test]
fn non_decreasing_lists_are_multisets() {
    for (n, k) in [(0, 3), (1, 5), (2, 7), (3, 5), (4, 5), (5, 4)] {
        check(&lists(n, k, "v.windows(2).all(|w| w[0] <= w[1])"), choose(n + k - 1, n), BOTH);
    }
    for (n, k) in [(6, 9), (8, 6)] {
        check(&lists(n, k, "v.is_sorted()"), choose(n + k - 1, n), SMT_ALONE);
    }
}

#[test]
fn strictly_increasing_lists_are_subsets() {
    for (n, k) in [(0, 3), (1, 5), (2, 7), (3, 5), (4, 6), (5, 6)] {
        check(&lists(n, k, "v.windows(2).all(|w| w[0] < w[1])"), choose(k, n), BOTH);
    }
    for (n, k) in [(6, 12), (7, 14)] {
        check(&lists(n, k, "(1..v.len()).all(|i| v[i - 1] < v[i])"), choose(k, n), SMT_ALONE);
    }
}

#[test]
fn intervals() {
    for k in [1, 2, 9, 32] {
        let end = format!("{{v: i64 | 0 <= v && v < {k}}}");
        let count = (k * (k + 1) / 2) as usize;
        check(&spec(&format!("fn(lo: {end}, hi: {end}) requires lo <= hi"), 4), count, BOTH);
        check(&spec(&format!("fn(lo: {end}, hi: {{v: {end} | lo <= v}})"), 4), count, BOTH);
    }
    check(&spec("fn(lo: i64, hi: i64) requires lo <= hi", 50), 101 * 102 / 2, BOTH);
}

#[test]
fn magic_squares() {
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let sums: Vec<String> = lines.iter().map(|[a, b, c]| format!("v[{a}] + v[{b}] + v[{c}] == 15")).collect();
    let square = "[{x: i64 | 1 <= x && x <= 9}; 9]";
    let text = format!("fn(v: {{v: {square} | v.distinct() && {}}})", sums.join(" && "));
    check(&spec(&text, 4), 8, SMT_ALONE);
}

#[test]
fn magic_squares_as_rows_of_any_sum() {
    let row = "[{x: i64 | 1 <= x && x <= 9}; 3]";
    let text = format!(
        "fn(m: {{m: [{row}; 3] | m.concat().distinct() && {{ let sum = m[0].iter().sum();
             m.iter().all(|r| r.iter().sum() == sum) && (0..3).all(|c| m.iter().map(|r| r[c]).sum() == sum)
             && (0..3).map(|i| m[i][i]).sum() == sum && (0..3).map(|i| m[i][2 - i]).sum() == sum }}}})"
    );
    check(&spec(&text, 4), 8, SMT_ALONE);
}

#[test]
fn pythagorean_triples() {
    let triples = |bound| {
        let side = "{v: i64 | 1 <= v}";
        let text = "requires a <= b && b <= c && a * a + b * b == c * c";
        spec(&format!("fn(a: {side}, b: {side}, c: {side}) {text}"), bound)
    };
    check(&triples(20), 6, BOTH);
    check(&triples(50), 20, BOTH);
}

#[test]
fn boxes() {
    let side = "{v: i64 | 1 <= v && v <= 15}";
    check(&spec(&format!("fn(a: {side}, b: {side}, c: {side})"), 4), 3375, BOTH);
    check(&spec(&format!("fn(v: ({side}, {side}, {side}))"), 4), 3375, BOTH);
    check(&spec(&format!("fn(v: [{side}; 3])"), 4), 3375, BOTH);
}

#[test]
fn queens() {
    for (n, count) in (1..).zip([1, 0, 0, 2, 10, 4]) {
        let apart = "v.distinct() && (0..v.len()).all(|i| (0..i).all(|j| v[i] - v[j] != i - j && v[j] - v[i] != i - j))";
        check(&lists(n, n, apart), count, BOTH);
    }
}

#[test]
fn derangements() {
    for (n, count) in (0..).zip([1, 0, 1, 2, 9, 44]) {
        check(&lists(n, n, "v.distinct() && v.iter().enumerate().all(|(i, x)| i != x)"), count, BOTH);
    }
}

#[test]
fn binary_trees_by_height() {
    let tree =
        Entry::new("", "fn(t: Tree)", 0, 4).with_rust("pub enum Tree { Leaf, Node(Box<Tree>, Box<Tree>) }");
    for (depth, count) in (0..).zip([1, 2, 5, 26, 677]) {
        check(&Entry { depth, ..tree.clone() }, count, BOTH);
    }
    let space = Entry { depth: 5, ..tree }.space().unwrap();
    assert_eq!(space.n_skeletons(), Some(458_330));
}

#[test]
fn strings_as_long_as_their_parts_ask_for() {
    let strings = |condition: &str, depth, bound| {
        let text = format!("fn(s: {{s: String | {condition}}})");
        Entry::new("", &text, depth, bound)
    };
    // a, b, and the six letters of the scheme.
    check(&strings(r#"s.starts_with("https://")"#, 2, 1), 1 + 8 + 64, BOTH);
    check(&strings(r#"s.starts_with("https://") && s.ends_with(".rs")"#, 1, 0), 1 + 9, BOTH);
    check(&strings(r#"s.contains("abc") && s.contains("xyz")"#, 0, 0), 2, BOTH);
    check(&strings(r#"s.contains("é") && s.ends_with("€")"#, 1, 0), 1 + 3 + 2, SMT_ALONE);
}

#[test]
fn heap_ordered_permutations() {
    for (n, count) in (1..).zip([1, 1, 2, 3, 8, 20]) {
        let enumerate = n <= 6;
        check(&lists(n, n, "v.distinct() && (1..v.len()).all(|i| v[(i - 1) / 2] > v[i])"), count, enumerate);
    }
}

#[test]
fn korats_heap_arrays() {
    let rust = "pub struct HeapArray { pub size: usize, pub array: Vec<i64> }";
    for (n, count) in (1..).zip([4, 15, 66, 320]) {
        let text = format!(
            "fn(h: {{h: HeapArray | h.size <= h.array.len() && h.array.len() <= {n}
                 && h.array.iter().all(|x| -1 <= x && x <= {n})
                 && (0..h.array.len()).all(|i| if h.size <= i {{ h.array[i] == -1 }} else {{
                     0 <= h.array[i] && (i == 0 || h.array[i] <= h.array[(i - 1) / 2])
                 }})}})"
        );
        check(&spec(&text, n).with_rust(rust), count, BOTH);
    }
}
