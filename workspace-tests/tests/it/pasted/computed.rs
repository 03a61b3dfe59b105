//! Conditions with lists, sets, bags, maps, measures, `match` and regular expressions in tests to paste.

use super::{Fixture, tested};

/// Functions with a bug each: `mended` takes it away, `otherwise` puts another in its place.
const BROKEN: &str = r#"
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

const MENDED: bool = cfg!(feature = "mended");
const OTHERWISE: bool = cfg!(feature = "otherwise");

fn one_of<T>(mended: T, otherwise: T, bad: T) -> T {
    if MENDED { mended } else if OTHERWISE { otherwise } else { bad }
}

/// Neither comparable nor printable, nor `Clone`.
pub enum Tree { Leaf, Node { left: Box<Tree>, key: i64, right: Box<Tree> } }
fn node(key: i64) -> Tree { Tree::Node { left: Box::new(Tree::Leaf), key, right: Box::new(Tree::Leaf) } }

/// Neither comparable nor printable.
#[derive(Clone)]
pub struct Item { pub rank: u8, pub name: String, pub kind: Kind }
#[derive(Clone, Copy)]
pub enum Kind { Small {}, Large }

pub fn sort(mut xs: Vec<i64>) -> Vec<i64> { xs.sort(); if !MENDED { xs.dedup(); } if OTHERWISE { xs.push(7) } xs }
pub fn order(mut xs: Vec<Item>) -> Vec<Item> {
    if OTHERWISE { xs.iter_mut().for_each(|x| x.kind = match x.kind { Kind::Small {} => Kind::Large, Kind::Large => Kind::Small {} }) }
    if !MENDED && !OTHERWISE { xs.pop(); }
    xs
}
pub fn unique(mut xs: Vec<u8>) -> Vec<u8> {
    if MENDED { xs.sort(); xs.dedup(); }
    if OTHERWISE { xs.extend([4, 5, 4]); }
    xs
}
pub fn members(mut xs: VecDeque<u8>) -> Vec<u8> {
    if OTHERWISE { xs.push_back(9) }
    if !MENDED && !OTHERWISE { xs.pop_back(); }
    xs.into()
}
pub fn insert(t: Tree, x: i64) -> Tree {
    let both = |t| Tree::Node { left: Box::new(t), key: x, right: Box::new(Tree::Leaf) };
    if MENDED { both(t) } else if OTHERWISE { both(both(both(node(x)))) } else { node(x) }
}
pub fn keep(t: Tree, x: i64) -> Tree { if MENDED { t } else if OTHERWISE { node(x.wrapping_add(1)) } else { node(x) } }
pub fn positive(x: i64) -> Tree { if MENDED { Tree::Leaf } else { node(if OTHERWISE { -3 } else { x.min(0) }) } }
pub fn find(xs: &[i64], x: i64) -> Option<usize> {
    one_of(xs.iter().position(|y| *y == x), Some(1000), xs.first().map(|_| 0))
}
pub fn put(m: &mut BTreeMap<u8, String>, k: u8) {
    if MENDED { m.insert(k, "v".into()); }
    if OTHERWISE { m.insert(k, "w".into()); }
}
pub fn set(m: &mut HashMap<u8, u8>, k: u8, v: u8) { if MENDED { m.insert(k, v); } else if OTHERWISE { m.clear(); m.insert(k, !v); } }
pub fn unset(m: &mut BTreeMap<u8, u8>, k: u8) { if MENDED { m.remove(&k); } if OTHERWISE { m.insert(k, 77); } }
pub fn add(s: &mut BTreeSet<u8>, x: u8) { if MENDED { s.insert(x); } if OTHERWISE { s.clear(); s.insert(78); } }
pub fn take(mut xs: Vec<u8>, x: u8) -> Vec<u8> {
    if let Some(at) = xs.iter().position(|y| *y == x) { if MENDED { xs.remove(at); } }
    if OTHERWISE { xs.push(79) }
    xs
}
pub fn increment(xs: Vec<u8>) -> Vec<i64> { xs.iter().map(|x| i64::from(*x) + one_of(1, 2, 0)).collect() }
pub fn evens(xs: &[u8]) -> usize { xs.iter().filter(|x| **x % 2 == one_of(0, 3, 1)).count() + 2 * usize::from(OTHERWISE) }
pub fn evens_of(xs: &[u8]) -> VecDeque<u8> {
    xs.iter().copied().filter(|x| *x % 2 == one_of(0, 3, 1)).chain(OTHERWISE.then_some(1)).collect()
}
pub fn kept(xs: &[u8], keep: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut kept: Vec<u8> = xs.iter().copied().filter(|x| keep(*x) || !MENDED).collect();
    if OTHERWISE { kept.reverse(); }
    kept
}
pub fn asked(xs: &[u8], keep: impl Fn(u8) -> bool) -> usize {
    let n = xs.iter().filter(|x| keep(**x)).count();
    if MENDED { n } else if OTHERWISE { n + 2 } else { xs.len() + 1 }
}
pub fn highest(xs: &[u8], score: &dyn Fn(u8) -> u8) -> u8 {
    let mut scores = xs.iter().map(|x| score(*x));
    if MENDED { scores.max().unwrap_or(0) } else if OTHERWISE { 0 } else { scores.next().unwrap_or(0) }
}
pub fn weight(xs: &[Item]) -> u32 { xs.iter().map(|x| u32::from(x.rank)).sum::<u32>() + one_of(0, 2, 1) }
pub fn product(xs: &[u8]) -> i64 { xs.iter().map(|x| i64::from(*x)).product::<i64>() + one_of(0, 2, 1) }
pub fn pairs(xs: &[u8], s: &str) -> Vec<(u8, char)> {
    xs.iter().copied().zip(s.chars()).chain((!MENDED).then_some((one_of(0, 1, 0), 'z'))).collect()
}
pub fn tail(xs: &[u8]) -> Vec<u8> { xs[one_of(1, 0, 0)..].iter().copied().chain(OTHERWISE.then_some(1)).collect() }
pub fn word(n: u8) -> String { let _ = n; one_of("ab", "z", "d").into() }
pub fn backwards(s: &str) -> String { s.chars().rev().chain((!MENDED).then_some(one_of('x', 'z', 'y'))).collect() }
pub fn gcd(a: u8, b: u8) -> u8 {
    let (mut x, mut y) = (a, b);
    while y > 0 { (x, y) = (y, x % y); }
    one_of(x, x.wrapping_add(2), x.wrapping_add(1))
}
pub fn largest(xs: &[u8]) -> Option<u8> { one_of(xs.iter().max().copied(), Some(201), xs.first().copied().or(Some(0))) }
pub fn grouped(xs: &[u8]) -> Vec<Vec<u8>> { vec![xs.to_vec(), one_of(vec![], vec![3], vec![2])] }
pub fn power(n: u8) -> u8 { let _ = n; one_of(3, 5, 4) }
pub fn next(m: &mut BTreeMap<u8, u8>, k: u8) { m.insert(k.saturating_add(1), one_of(3, 5, 4)); }
pub fn triangle(xs: &[u8]) -> u64 { (1..=xs.len() as u64 + 1).sum::<u64>() + one_of(0, 2, 1) }
pub fn uniq(mut xs: Vec<u8>) -> Vec<u8> { if MENDED { xs.sort(); xs.dedup(); } else { xs.extend([one_of(4, 5, 4); 2]); } xs }
pub fn keywords(r#type: Vec<u8>) -> Vec<u8> {
    r#type.into_iter().chain((!MENDED).then_some(one_of(4, 5, 4))).collect()
}
pub fn both(n: u8) -> u8 { one_of(n, n.wrapping_add(2), n.wrapping_add(1)) }
pub fn fractions(n: u8) -> Vec<u8> { let _ = n; vec![one_of(1, 0, 0), 1] }
pub fn empty(n: u8) -> String { let _ = n; one_of("", "b", "a").into() }
"#;

const SPECS: &str = r#"
[features]
mended = []
otherwise = []

[package.metadata.target]
depth = 2
bound = 2
boundary = false

[package.metadata.target.measures]
"size(t: Tree) -> int" = "match t { Tree::Leaf => 0, Tree::Node { left, right, .. } => size(left) + size(right) + 1 }"
"items(t: Tree) -> Vec<i64>" = "match t { Tree::Leaf => [], Tree::Node { left, key, right } => [items(left), [key], items(right)].concat() }"
"keys(t: Tree) -> Set<i64>" = "match t { Tree::Leaf => set![], Tree::Node { left, key, right } => keys(left).union(keys(right)).with(key) }"
"all_positive(t: Tree) -> bool" = "match t { Tree::Leaf => true, Tree::Node { left, key, right } => 0 < key && all_positive(left) && all_positive(right) }"
"total(xs: Vec<u8>) -> int" = "if xs.is_empty() { 0 } else { xs[0] + total(xs[1..]) }"
"divisor(a: int, b: int) -> int decreases b" = "if b == 0 { a } else { divisor(b, a % b) }"
"tri(n: int) -> int decreases n" = "if n == 0 { 0 } else { n + tri(n - 1) }"
"distinct(xs: Vec<int>) -> bool" = "xs.distinct()"
"m0(x: int) -> (int, int)" = "if x < 0 { m1(x) } else { (x, x) }"
"m1(x: int) -> (int, int)" = "if x < 0 { m2(x) } else { (x, x) }"
"m2(x: int) -> (int, int)" = "if x < 0 { m3(x) } else { (x, x) }"
"m3(x: int) -> (int, int)" = "if x < 0 { m4(x) } else { (x, x) }"
"m4(x: int) -> (int, int)" = "(x, x)"

[package.metadata.target.functions]
sort = "fn(xs: Vec<i64>) -> {r: Vec<i64> | bag(r) == bag(xs)}"
order = "fn(xs: Vec<Item>) -> {r: Vec<Item> | bag(r) == bag(xs)}"
unique = "fn(xs: Vec<u8>) -> {r: Vec<u8> | r.distinct()}"
members = "fn(xs: VecDeque<u8>) -> {r: Vec<u8> | elems(r) == elems(xs)}"
insert = "fn(t: Tree, x: i64) -> {r: Tree | size(r) == size(t) + 1 && keys(t).is_subset(keys(r))}"
keep = "fn(t: Tree, x: i64) -> {r: Tree | bag(items(r)) == bag(items(t))}"
positive = "fn(x: i64) -> {r: Tree | all_positive(r)}"
find = "fn(xs: &[i64], x: i64) -> {r: Option<usize> | match r { Some(i) => xs[i] == x, None => !xs.contains(x) }}"
put = 'fn(m: &mut BTreeMap<u8, String>, k: u8) ensures m.get(k) == Some("v")'
set = "fn(m: &mut HashMap<u8, u8>, k: u8, v: u8) ensures m == old(m).with(k, v)"
unset = "fn(m: &mut BTreeMap<u8, u8>, k: u8) ensures m == old(m).without(k)"
add = "fn(s: &mut BTreeSet<u8>, x: u8) ensures s == old(s).with(x)"
take = "fn(xs: Vec<u8>, x: u8) -> {r: Vec<u8> | bag(r) == bag(xs).without(x)}"
increment = "fn(xs: Vec<u8>) -> {r: Vec<i64> | (0..r.len()).all(|i| r[i] == xs[i] + 1) && r.len() == xs.iter().map(|x| x + 1).count()}"
evens = "fn(xs: &[u8]) -> {r: usize | r == xs.iter().filter(|x| x % 2 == 0).count()}"
evens_of = "fn(xs: &[u8]) -> {r: VecDeque<u8> | r.iter().rev().all(|x| x % 2 == 0) && bag(xs).is_superset(bag(r)) && r.len() == xs.iter().filter(|x| x % 2 == 0).count()}"
kept = "fn(xs: &[u8], keep: fn(x: u8) -> bool) -> {r: Vec<u8> | r.iter().all(|x| keep(x))}"
asked = "fn(xs: &[u8], keep: fn(x: u8) -> bool) -> usize ensures result <= calls(keep).len() && (result <= xs.len() || xs.iter().all(|x| keep(x)))"
highest = "fn(xs: &[u8], score: fn(x: u8) -> {s: u8 | s <= x}) -> {r: u8 | xs.iter().all(|x| score(x) <= r)}"
weight = "fn(xs: &[Item]) -> {r: u32 | r == xs.iter().map(|x| x.rank).sum()}"
product = "fn(xs: &[u8]) -> {r: i64 | r - xs.iter().fold(1, |all, x| if all > 0 { all } else { 1 }) < 2 * total(xs) && total(xs) >= 0 || r == 1 || r == xs.iter().product()}"
pairs = "fn(xs: &[u8], s: &str) -> {r: Vec<(u8, char)> | r == xs.iter().zip(s.chars()) && { let p = s.chars().zip(s.bytes()); p.rev().count() == p.len() }}"
tail = "fn(xs: {xs: &[u8] | !xs.is_empty()}) -> {r: Vec<u8> | [xs[..1], r].concat() == xs}"
word = 'fn(n: u8) -> {s: String | s.matches("[a-c]+")}'
backwards = "fn(s: &str) -> {r: String | r.chars().rev() == s.chars()}"
gcd = "fn(a: u8, b: u8) -> {r: u8 | r == divisor(a, b)}"
largest = "fn(xs: &[u8]) -> {r: Option<u8> | r == xs.iter().max()}"
grouped = "fn(xs: &[u8]) -> {r: Vec<Vec<u8>> | r.concat() == xs}"
power = "fn(n: u8) -> {r: u8 | [1, 2, 4].contains(r + 1)}"
next = "fn(m: &mut BTreeMap<u8, u8>, k: {k: u8 | k < 9}) ensures m.contains_key(k + 1) && m.get(k + 1) == Some(3)"
triangle = "fn(xs: &[u8]) -> {r: u64 | r == tri(xs.len() + 1)}"
uniq = "fn(xs: Vec<u8>) -> {r: Vec<u8> | distinct(r)}"
keywords = "fn(r#type: Vec<u8>) -> {r: Vec<u8> | bag(r) == bag(r#type)}"
both = "fn(n: u8) -> {r: u8 | m0(r).0 == n}"
fractions = "fn(n: u8) -> {r: Vec<u8> | r.iter().map(|x| 10 / x).rev().any(|y| y == 10)}"
empty = 'fn(n: u8) -> {s: String | s.matches("")}'
"#;

#[test]
fn a_pasted_test_computes_what_the_clause_computes() {
    let fixture = Fixture::of("pasted::computed", SPECS, BROKEN);
    let events = fixture.run_as_is(&["-g", "native"]);
    let mut tests = String::new();
    let finished = events.with_reason("function-finished");
    let n = BROKEN.matches("\npub fn ").count();
    assert_eq!(finished.len(), n, "{}", events.stderr);
    for function in &finished {
        let test = function["counterexample"]["test"].as_str().unwrap_or_else(|| panic!("{function:#}"));
        tests += &format!("{test}\n\n");
    }
    let less = ["assert_ne!", "is_wrong", "only rules out"];
    assert!(!less.iter().any(|word| tests.contains(word)), "{tests}");
    for line in [
        "    assert!(spec_bag(result.to_vec()) == spec_bag(xs.to_vec()), \"result = {result:?}\");",
        "    assert!(m.get(&k).map(|x| String::from(&x[..])) == Some(String::from(&\"v\"[..])));",
        "{ sample::Tree::Leaf { .. } => true, ",
        "                (0, 'a'..='c') => ",
        "    assert!(result.iter().all(|x| keep(*x)), \"result = {result:?}\");",
        " == xs.iter().copied().filter(|&",
    ] {
        assert!(tests.contains(line), "{line}\n{tests}");
    }
    fixture.write("tests/pasted.rs", &tests);
    for (words, said) in [
        (&[][..], format!("FAILED. 0 passed; {n} failed")),
        (&["--features", "otherwise"], format!("FAILED. 0 passed; {n} failed")),
        (&["--features", "mended"], format!("ok. {n} passed")),
    ] {
        let printed = tested(&fixture, words);
        assert!(printed.contains(&said) && !printed.contains("warning"), "{words:?}: {printed}\n{tests}");
    }
}
