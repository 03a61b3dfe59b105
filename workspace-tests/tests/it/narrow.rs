//! `f32`, and what is behind `Rc`, `Arc` and `Cow`, all the way: specs, harness, values back.

use crate::support::Fixture;

const LIBRARY: &str = r#"
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

pub struct Point { pub x: f32, pub y: f32 }
pub struct Node { pub name: Rc<str>, pub kids: Vec<Arc<Node>> }

pub fn halve(x: f32) -> f32 { x / 2.0 }
pub fn tenth(x: f32) -> f32 { x / 10.0 }
pub fn widen(x: f32, y: f64) -> (f64, f32) { (x.into(), y as f32) }
pub fn flip(p: Point) -> Point { Point { x: p.y, y: p.x } }
pub fn sum(xs: &[f32]) -> f32 { xs.iter().sum() }
pub fn scale(xs: &mut Vec<f32>, by: f32) { for x in xs { *x *= by; } }
pub fn limits(x: Option<f32>) -> [f32; 2] { [x.unwrap_or(f32::MAX), f32::NAN] }
pub fn share(s: Rc<str>) -> Arc<str> { Arc::from(&*s) }
pub fn halves(xs: Rc<[f32]>) -> Arc<[f32]> { xs.iter().map(|x| x / 2.0).collect() }
pub fn names(xs: Vec<Rc<str>>, of: &Arc<[String]>) -> Vec<Arc<String>> {
    xs.iter().map(|x| Arc::new(x.to_string())).chain(of.iter().cloned().map(Arc::new)).collect()
}
pub fn first(xs: Arc<Vec<i64>>, s: Box<str>) -> Rc<(Option<i64>, Box<[u8]>)> {
    Rc::new((xs.first().copied(), s.as_bytes().into()))
}
pub fn size(node: &Rc<Node>) -> usize { 1 + node.kids.iter().map(|kid| size_of_kid(kid)).sum::<usize>() }
fn size_of_kid(node: &Node) -> usize { 1 + node.kids.iter().map(|kid| size_of_kid(kid)).sum::<usize>() }
pub fn tree(name: &str) -> Arc<Node> { Arc::new(Node { name: name.into(), kids: Vec::new() }) }
pub fn shout(s: Cow<'_, str>) -> Cow<'_, str> {
    if s.contains('b') { Cow::Owned(s.replace('b', "B")) } else { s }
}
pub fn joined<'a>(xs: &Cow<'static, [u8]>, ys: Cow<'a, Vec<u8>>) -> Cow<'a, [u8]> {
    xs.iter().chain(ys.iter()).copied().collect()
}
pub fn host(url: &str) -> &str { url[8..].split('/').next().unwrap() }
pub fn wrong(x: f32) -> f32 { assert!(x != 0.1); x }
"#;

const TABLES: &str = r#"
[package.metadata.target]
depth = 2
cases = 300

[package.metadata.target.types]
Small = "{x: f32 | x.abs() < 1000.0}"

[package.metadata.target.functions]
halve = "fn(x: {x: f32 | 1e-30 < x.abs() || x == 0.0}) -> {r: f32 | r * 2.0 == x}"
tenth = "fn(x: {x: f32 | 0.1 <= x && x <= 0.3}) -> {r: f32 | r == x / 10.0 && f64::from(r) * 10.0 < 0.31}"
widen = "fn(x: f32, y: f64) -> {r: (f64, f32) | r.0 as f32 == x && r.1 == y as f32}"
flip = "fn(p: Point) -> {r: Point | r.x == p.y && r.y == p.x}"
sum = "fn(xs: Vec<Small>) -> {r: f32 | r == xs.iter().sum()}"
scale = "fn(xs: &mut Vec<Small>, by: {b: f32 | 0.0 <= b && b <= 1.0}) ensures (0..xs.len()).all(|i| xs[i] == old(xs)[i] * by)"
limits = "fn(x: Option<f32>) -> {r: [f32; 2] | (x.is_some() || r[0] == f32::MAX) && r[1].is_nan()}"
share = "fn(s: Rc<str>) -> {r: Arc<str> | r == s}"
halves = "fn(xs: Rc<[Small]>) -> {r: Arc<[f32]> | r.len() == xs.len() && (0..r.len()).all(|i| r[i] == xs[i] / 2.0)}"
names = "fn(xs: Vec<{s: str | s.ends_with('a')}>, of: Vec<String>) -> {r: Vec<String> | r == vec![xs, of].concat()}"
first = "fn(xs: Vec<i64>, s: str) -> {r: (Option<i64>, Vec<u8>) | r.0 == xs.first() && r.1 == s.bytes()}"
size = "fn(node: Node) -> {n: usize | 1 <= n && node.name.len() == node.name.bytes().count()}"
tree = "fn(name: {s: &str | s.contains('b')}) -> {r: Node | r.name == name && r.kids.is_empty()}"
shout = "fn(s: Cow<'_, str>) -> {r: Cow<str> | !r.contains('b') && r.len() == s.len()}"
joined = "fn(xs: Cow<[u8]>, ys: Vec<u8>) -> {r: Cow<[u8]> | r == vec![xs, ys].concat()}"
host = "fn(url: {s: &str | s.starts_with(\"https://\")}) -> {r: str | url.contains(&r) && !r.contains('/')}"
"#;

#[test]
fn narrow_floats_and_shared_values_are_passed_and_read_back() {
    let fixture = Fixture::of("narrow::all", TABLES, LIBRARY);
    let events = fixture.run(&["-g", "smt,enumerative,random"]);
    assert_eq!(events.with_reason("diagnostic"), Vec::<&serde_json::Value>::new());
    let outcomes = events.with_reason("function-finished");
    assert_eq!(outcomes.len(), 3 * 16);
    for outcome in &outcomes {
        // Blind draws find no URL.
        if outcome["function"] == "host" && outcome["generator"] == "random" {
            continue;
        }
        assert_eq!(outcome["verdict"], "passed", "{outcome:#}\n{}", events.stderr);
        assert!(outcome["valid"].as_u64() > Some(0), "{outcome:#}");
    }
}

#[test]
fn a_narrow_counterexample_is_written_with_its_own_digits() {
    let tables =
        "[package.metadata.target.functions]\nwrong = \"fn(x: {x: f32 | 0.1 <= x && x < 0.4}) -> f32\"\n";
    let events = Fixture::of("narrow::wrong", tables, LIBRARY).run(&["-g", "smt"]);
    let (args, failure) = events.counterexample("wrong", "smt");
    assert_eq!((args.as_slice(), failure), (&["0.1"][..], "panic"));
}
