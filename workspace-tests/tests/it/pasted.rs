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
"#;

const TABLES: &str = r#"
[features]
mended = []

[package.metadata.target]
depth = 2
bound = 2

[package.metadata.target.functions]
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
    assert_eq!(finished.len(), 10, "{}", events.stderr);
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
    let run = |words: &[&str]| {
        let words = [&["test", "--quiet", "--test", "pasted"], words].concat();
        String::from_utf8(fixture.cargo(&words).output().map(both).unwrap()).unwrap()
    };
    let (as_it_is, mended) = (run(&[]), run(&["--features", "mended"]));
    assert!(as_it_is.contains(&format!("FAILED. 0 passed; {n_tests} failed")), "{as_it_is}\n{tests}");
    assert!(mended.contains(&format!("ok. {n_tests} passed")), "{mended}\n{tests}");
}

/// What a command printed, standard error last.
fn both(output: Output) -> Vec<u8> {
    [output.stdout, output.stderr].concat()
}
