//! The tests that counterexamples come with: they fail on the function as it is, and pass on the function mended.

use std::process::Output;

use crate::support::Fixture;

/// Functions with a bug each, which the feature `mended` takes away. The types' own `==`, where there is one, doesn't see it.
const LIBRARY: &str = r#"
use std::collections::HashMap;

pub const MENDED: bool = cfg!(feature = "mended");

/// Equal by its name alone.
#[derive(Clone, Debug)]
pub struct Version { pub major: u8, pub build: u8 }
impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool { self.major == other.major }
}

/// Neither comparable nor printable.
pub enum Tree { Leaf, Node(Box<Tree>, i64, Box<Tree>) }

pub fn magnitude(x: f64) -> f64 { if MENDED { x.abs() } else { -x.abs() } }
pub fn root(x: f64) -> f64 { if MENDED { x.abs().sqrt() } else { x.sqrt() } }
pub fn ratios(xs: Vec<f64>) -> Vec<f64> { xs.iter().map(|x| if MENDED && *x == 0.0 { 1.0 } else { x / x }).collect() }
pub fn first(xs: &[f64]) -> &f64 { if MENDED && xs[0] == 0.0 { &0.0 } else { &xs[0] } }
pub fn next(v: Version) -> Version { Version { build: v.build + MENDED as u8, ..v } }
pub fn single(k: i64) -> Tree {
    if k == 2 && !MENDED { return Tree::Leaf; }
    Tree::Node(Box::new(Tree::Leaf), if MENDED { k } else { k.abs() }, Box::new(Tree::Leaf))
}
pub fn push(v: &mut Vec<i64>, x: i64) -> Version {
    v.push(x);
    if MENDED { v.sort(); }
    Version { major: 0, build: 0 }
}
pub fn scale(xs: &mut [f32], by: f32) { xs.iter_mut().for_each(|x| *x *= if MENDED { by.abs() } else { by }); }
pub fn weights(keys: &[u8]) -> HashMap<u8, (f64, String)> {
    keys.iter().map(|k| (*k, (if MENDED { 0.0 } else { -0.0 }, "w".repeat(2)))).collect()
}
pub fn halves(n: u8) -> u8 { if MENDED { n / 2 } else { n } }

/// Neither comparable nor printable, and built by a function.
pub struct Date { pub year: i16, pub month: u8 }
impl Date {
    pub fn new(year: i16, month: u8) -> Option<Date> { (1..=12).contains(&month).then_some(Date { year, month }) }
    pub fn year(&self) -> i16 { self.year }
}
pub fn month(d: &Date) -> u8 { d.month }
pub fn later(d: Date) -> Date {
    Date { year: d.year + i16::from(MENDED && d.month == 12), month: d.month % 12 + 1 }
}
"#;

const TABLES: &str = r#"
[features]
mended = []

[package.metadata.target]
depth = 2
bound = 2

[package.metadata.target.data]
Date = "via Date::new(y: i16 = self.year(), m: {m: u8 | 1 <= m && m <= 12} = month(self))"

[package.metadata.target.functions]
later = "fn(d: {d: Date | d.y < 99}) -> {r: Date | r.y > d.y || r.y == d.y && r.m > d.m}"
magnitude = "fn(x: f64) -> {r: f64 | !r.is_sign_negative()}"
root = "fn(x: f64) -> {r: f64 | !r.is_nan()}"
ratios = "fn(xs: Vec<f64>) -> {r: Vec<f64> | r.iter().all(|x| !x.is_nan())} requires xs.iter().all(|x| x.is_finite())"
first = "fn(xs: {xs: Vec<f64> | !xs.is_empty() && xs[0] >= 0.0}) -> {r: f64 | !r.is_sign_negative()}"
next = "fn(v: {v: Version | v.build < 9}) -> {r: Version | r.build == v.build + 1}"
single = "fn(k: i64) -> {t: Tree | matches!(t, Tree::Node(_, x, _) if x == k)}"
push = "fn(v: &mut {v: Vec<i64> | v.is_sorted()}, x: i64) -> Version ensures v.len() == old(v).len() + 1"
scale = "fn(xs: &mut [f32], by: f32) ensures xs.iter().all(|x| !x.is_sign_negative()) || old(xs).iter().any(|x| x.is_sign_negative())"
weights = "fn(keys: Vec<u8>) -> {m: Map<u8, (f64, String)> | m.values().all(|w| !w.0.is_sign_negative())}"
halves = "fn(n: u8) -> {r: u8 | 2 * r <= n}"
"#;

#[test]
fn a_pasted_test_fails_on_the_bug_and_passes_without_it() {
    let fixture = Fixture::of("pasted::judged", TABLES, LIBRARY);
    let events = fixture.run_as_is(&["-g", "smt"]);
    let mut tests = String::new();
    let finished = events.with_reason("function-finished");
    assert_eq!(finished.len(), 11, "{}", events.stderr);
    for function in &finished {
        assert_eq!(function["verdict"], "failed", "{function:#}");
        for found in ["counterexample", "boundary_counterexample"] {
            if let Some(test) = function[found]["test"].as_str() {
                assert!(!test.contains("assert here what is wanted"), "{test}");
                tests += &format!("mod {}_{found} {{\n{test}\n}}\n", function["function"].as_str().unwrap());
            }
        }
    }
    let n_tests = tests.matches("#[test]").count();
    fixture.write("tests/pasted.rs", &tests);
    let (as_it_is, mended) = (tested(&fixture, &[]), tested(&fixture, &["--features", "mended"]));
    assert!(as_it_is.contains(&format!("FAILED. 0 passed; {n_tests} failed")), "{as_it_is}\n{tests}");
    assert!(mended.contains(&format!("ok. {n_tests} passed")), "{mended}\n{tests}");
}

/// What the pasted tests print.
fn tested(fixture: &Fixture, words: &[&str]) -> String {
    let words = [&["test", "--quiet", "--test", "pasted"], words].concat();
    String::from_utf8(fixture.cargo(&words).output().map(both).unwrap()).unwrap()
}

/// Functions with a bug each: `mended` takes it away, `otherwise` puts another in its place.
const BROKEN_TWICE: &str = r#"
const MENDED: bool = cfg!(feature = "mended");
const OTHERWISE: bool = cfg!(feature = "otherwise");

fn one_of<T>(mended: T, otherwise: T, bad: T) -> T {
    if MENDED { mended } else if OTHERWISE { otherwise } else { bad }
}

/// Neither comparable nor printable, nor `Clone`.
pub struct Version { pub major: u8, pub build: u8 }

pub fn clamp(v: i32, lo: i32, hi: i32) -> i32 { one_of(v.clamp(lo, hi), lo - 2, lo - 1) }
pub fn halves(n: u8) -> u8 { one_of(n / 2, n.saturating_add(1), n) }
pub fn sorted(mut xs: Vec<i64>) -> Vec<i64> {
    if MENDED { xs.sort(); }
    if OTHERWISE { xs.clear(); }
    xs
}
pub fn push(v: &mut Vec<i64>, x: i64) {
    let n = one_of(1, 2, 0);
    (0..n).for_each(|_| v.push(x));
}
pub fn add(v: &mut Vec<i64>, x: i64) {
    v.push(x);
    if MENDED { v.sort(); }
    if OTHERWISE { v.insert(0, i64::MAX); }
}
pub fn encoded(d: Vec<u8>) -> String { d.iter().map(|b| format!("{:02x}", one_of(*b, b ^ 2, b ^ 1))).collect() }
pub fn decoded(s: &str) -> Vec<u8> {
    (0..s.len() / 2).map(|i| u8::from_str_radix(&s[2 * i..2 * i + 2], 16).expect("two digits")).collect()
}
pub fn positive(xs: &[i64]) -> Vec<i64> { xs.iter().map(|x| one_of(x.abs(), -x.abs() - 1, *x)).collect() }
pub fn at(xs: &[i64]) -> usize { one_of(0, xs.len() + 1, xs.len()) }
pub fn either(_a: u8) -> u8 { one_of(2, 21, 20) }
pub fn next(v: Version) -> Version { Version { build: one_of(v.build + 1, v.build + 2, v.build), ..v } }
"#;

const CLAUSES: &str = r#"
[features]
mended = []
otherwise = []

[package.metadata.target]
depth = 2
bound = 2

[package.metadata.target.functions]
clamp = "fn(v: i32, lo: i32, hi: {h: i32 | lo <= h}) -> {r: i32 | lo <= r && r <= hi}"
halves = "fn(n: u8) -> {r: u8 | 2 * r <= n}"
sorted = "fn(xs: Vec<i64>) -> {r: Vec<i64> | r.is_sorted() && r.len() == xs.len()}"
push = "fn(v: &mut Vec<i64>, x: i64) ensures v.len() == old(v).len() + 1 && v.contains(x)"
add = "fn(v: &mut {v: Vec<i64> | v.windows(2).all(|w| w[0] <= w[1])}, x: i64)"
encoded = "fn(d: Vec<u8>) -> {s: String | s.len() == 2 * d.len() where decoded(s) == *d}"
positive = "fn(xs: &[i64]) -> Vec<{v: i64 | 0 <= v}>"
at = "fn(xs: {xs: &[i64] | !xs.is_empty()}) -> {r: usize | r < xs.len()}"
either = "fn(a: u8) -> {r: u8 | (a == 0 || r > 1) && r < 10}"
next = "fn(v: {v: Version | v.build < 9}) -> {r: Version | r.build == v.build + 1}"
"#;

#[test]
fn a_pasted_test_judges_the_outcome_by_the_clause() {
    let fixture = Fixture::of("pasted::clauses", CLAUSES, BROKEN_TWICE);
    let events = fixture.run_as_is(&["-g", "smt", "--no-boundary"]);
    let mut tests = String::new();
    let finished = events.with_reason("function-finished");
    assert_eq!(finished.len(), 10, "{}", events.stderr);
    for function in &finished {
        let test = function["counterexample"]["test"].as_str().unwrap_or_else(|| panic!("{function:#}"));
        tests += &format!("{test}\n\n");
    }
    assert!(!tests.contains("assert_ne!") && !tests.contains("is_wrong"), "{tests}");
    for line in [
        "    assert!(lo <= result && result <= hi, \"result = {result:?}\");",
        "    assert!(2 * i128::from(result) <= i128::from(n), \"result = {result:?}\");",
        "    assert!(result < xs.len(), \"result = {result:?}\");",
        "    assert!(result.iter().all(|x| 0 <= *x), \"result = {result:?}\");",
    ] {
        assert!(tests.contains(line), "{line}\n{tests}");
    }
    fixture.write("tests/pasted.rs", &tests);
    for (words, said) in [
        (&[][..], "FAILED. 0 passed; 10 failed"),
        (&["--features", "otherwise"], "FAILED. 0 passed; 10 failed"),
        (&["--features", "mended"], "ok. 10 passed"),
    ] {
        let printed = tested(&fixture, words);
        assert!(printed.contains(said) && !printed.contains("warning"), "{words:?}: {printed}\n{tests}");
    }
}

/// What a command printed, standard error last.
fn both(output: Output) -> Vec<u8> {
    [output.stdout, output.stderr].concat()
}
