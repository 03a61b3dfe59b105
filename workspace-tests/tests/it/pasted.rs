//! The tests that counterexamples come with: they fail on the function as it is, and pass on the function mended.

mod computed;

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

/// No field says what its constants are.
pub struct Mod<const N: u32, const UP: bool>(pub u32);
impl<const N: u32, const UP: bool> Mod<N, UP> {
    pub fn next(self) -> u32 { if MENDED && UP { (self.0 + 1) % N } else { self.0 + 1 } }
}

/// Its functions don't say what its elements are.
pub struct Grid<T, U> { pub n: usize, pub cells: Vec<(T, U)> }
impl<T, U> Grid<T, U> {
    pub fn with_capacity(n: usize) -> Grid<T, U> { Grid { n, cells: Vec::new() } }
}
pub fn rows<T, U>(g: &Grid<T, U>) -> usize { if MENDED { g.n } else { g.n + 99 } }

/// Each variant leaves something open.
pub enum Found<T, U> { Nothing, Left(T), Both(Option<U>, Box<Found<T, U>>) }
pub fn depth<T, U>(f: Found<T, U>) -> u8 {
    match f { Found::Nothing => 9 * u8::from(!MENDED), Found::Left(_) => 1, Found::Both(..) => 2 }
}
pub fn left<T, U>(f: Found<T, U>) -> u8 {
    match f { Found::Nothing => 0, Found::Left(_) => if MENDED { 1 } else { 9 }, Found::Both(..) => 2 }
}
pub fn both<T, U>(f: &Found<T, U>) -> u8 {
    match f { Found::Nothing => 0, Found::Left(_) => 1, Found::Both(..) => if MENDED { 2 } else { 9 } }
}

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
Empty = "via Grid::with_capacity(n: {n: usize | n < 9}) -> Grid<u8, bool>"

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
rows = "fn(g: &Empty) -> {r: usize | r < 9}"
depth = "fn(f: Found<u8, Vec<(u8, bool)>>) -> {r: u8 | r < 9}"
left = "fn(f: Found<u8, u8>) -> {r: u8 | r < 9}"
both = "fn(f: &Found<Found<bool, char>, i8>) -> {r: u8 | r < 9}"
"Mod::next" = "fn(self: {m: Mod<2, true> | m.0 < 2}) -> {r: u32 | r < 2}"
"#;

#[test]
fn a_pasted_test_fails_on_the_bug_and_passes_without_it() {
    let fixture = Fixture::of("pasted::judged", TABLES, LIBRARY);
    let events = fixture.run_as_is(&["-g", "smt"]);
    let mut tests = String::new();
    let finished = events.with_reason("function-finished");
    assert_eq!(finished.len(), 16, "{}", events.stderr);
    for function in &finished {
        assert_eq!(function["verdict"], "failed", "{function:#}");
        for found in ["counterexample", "boundary_counterexample"] {
            if let Some(test) = function[found]["test"].as_str() {
                assert!(!test.contains("assert here what is wanted"), "{test}");
                let name = function["function"].as_str().unwrap().replace("::", "_");
                tests += &format!("mod {name}_{found} {{\n{test}\n}}\n");
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
pub fn large(x: i64) -> bool {
    let is_large = i128::from(x).pow(3) > 10_000_000_000;
    one_of(is_large, !is_large, !is_large)
}
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
large = "fn(x: i64) -> {r: bool | r == (x.pow(3) > 10000000000)}"
next = "fn(v: {v: Version | v.build < 9}) -> {r: Version | r.build == v.build + 1}"
"#;

#[test]
fn a_pasted_test_judges_the_outcome_by_the_clause() {
    let fixture = Fixture::of("pasted::clauses", CLAUSES, BROKEN_TWICE);
    let events = fixture.run_as_is(&["-g", "smt", "--no-boundary"]);
    let mut tests = String::new();
    let finished = events.with_reason("function-finished");
    assert_eq!(finished.len(), 11, "{}", events.stderr);
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
        (&[][..], "FAILED. 0 passed; 11 failed"),
        (&["--features", "otherwise"], "FAILED. 0 passed; 11 failed"),
        (&["--features", "mended"], "ok. 11 passed"),
    ] {
        let printed = tested(&fixture, words);
        assert!(printed.contains(said) && !printed.contains("warning"), "{words:?}: {printed}\n{tests}");
    }
}

/// Functions with a bug each, as above, of types that can't be compared or printed, or that a function builds.
const BROKEN_TYPES: &str = r#"
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::error::Error;
use std::num::NonZeroU8;
use std::time::{Duration, SystemTime};

const MENDED: bool = cfg!(feature = "mended");
const OTHERWISE: bool = cfg!(feature = "otherwise");

fn one_of<T>(mended: T, otherwise: T, bad: T) -> T {
    if MENDED { mended } else if OTHERWISE { otherwise } else { bad }
}

/// Neither comparable nor printable, and its fields are private.
pub struct Stack { items: Vec<u8> }
impl Stack {
    pub fn of(items: Vec<u8>) -> Stack { Stack { items } }
    pub fn items(&self) -> Vec<u8> { self.items.clone() }
    pub fn push(&mut self, x: u8) {
        (0..one_of(1, 0, 2)).for_each(|_| self.items.push(x));
    }
    pub fn tick(&mut self) { self.items.push(one_of(1, 8, 7)); }
}

pub enum Shape { Dot, Line { length: u8, from: u8 } }

pub fn small(x: u8) -> Result<u8, std::io::Error> {
    if x < one_of(3, 1, 2) { Ok(x) } else { Err(std::io::ErrorKind::Other)? }
}
pub fn named(x: u8) -> Result<String, std::io::Error> {
    let _ = x;
    Ok(one_of("a", "y", "x").to_owned())
}
pub fn bt(m: &mut BTreeMap<u8, Vec<u8>>, k: u8) {
    if MENDED || k == 0 && !OTHERWISE { m.entry(k).or_default().push(k); }
}
pub fn words(v: &mut Vec<String>) { v.push(one_of("a", "y", "x").to_owned()); }
pub fn digit(s: &str) -> Result<u8, Box<dyn Error>> {
    s.parse().map_err(|_| format!("{} digit", one_of("not a", "no", "bad")).replace(one_of("", "digit", "digit"), "").into())
}
pub fn code(s: &str) -> Result<u8, Box<dyn Error>> { Err(format!("{}{s}", one_of("E", "G", "F")).into()) }
pub fn nz(n: NonZeroU8) -> NonZeroU8 { NonZeroU8::new(one_of(n.get(), 78, 77)).unwrap() }
pub fn dur(d: Duration) -> Duration { one_of(d, d * 3 + Duration::new(1, 0), d * 2 + Duration::new(1, 0)) }
pub fn later(d: Duration) -> Duration { one_of(d + Duration::new(1, 0), d / 2, d) }
pub fn sign(a: i8, b: i8) -> Ordering { one_of(a.cmp(&b), Ordering::Less, Ordering::Greater) }
pub fn text(n: u8) -> String { format!("{}\n", one_of("x", " y", " x")).repeat(n.into()) }
pub fn first(xs: &[i8]) -> Option<i8> { one_of(xs.first().copied(), Some(101), Some(100)) }
pub fn split(n: u8) -> (u8, Option<u8>) { (n / 2, Some(one_of(1, 9, 8))) }
pub fn tally(xs: &[u8]) -> BTreeMap<u8, u8> { xs.iter().map(|x| (*x, one_of(1, 0, 0))).collect() }
pub fn swap(p: (u8, Stack)) -> (Stack, u8) { (Stack::of(one_of(p.1.items.clone(), vec![9; 2], vec![9; 3])), p.0) }
pub fn line(n: u8) -> Shape { if n == 0 { Shape::Dot } else { Shape::Line { length: n, from: one_of(n - 1, n + 1, n) } } }
pub fn total(xs: &[u8]) -> Vec<u8> { one_of(xs.to_vec(), vec![1; xs.len() + 2], vec![1; xs.len() + 1]) }
pub fn def<A, B: From<bool>>(a: A) -> B { drop(a); B::from(one_of(false, true, true)) }
pub fn after(t: SystemTime, d: &SystemTime) -> SystemTime {
    let _ = d;
    t + Duration::new(one_of(60, 61, 59), 0)
}
pub fn span(n: u8) -> std::ops::Range<u8> { one_of(0..n, n + 2..n, n + 1..n) }
"#;

const SPECS_OF_TYPES: &str = r#"
[features]
mended = []
otherwise = []

[package.metadata.target]
depth = 2
bound = 2
boundary = false

[package.metadata.target.data]
Stack = "via Stack::of(items: Vec<u8> = self.items())"
Span = "struct std::ops::Range<u8> { start: u8, end: {e: u8 | start <= e} }"

[package.metadata.target.functions]
small = 'fn(x: u8) -> {r: Result<u8, std::io::Error> | r.is_ok() == x.to_string().matches("[0-2]")}'
named = 'fn(x: u8) -> {r: Result<String, std::io::Error> | r.unwrap().matches("[a-c]|w{20}")}'
bt = "fn(m: &mut BTreeMap<u8, Vec<u8>>, k: u8) ensures m.contains_key(k)"
words = 'fn(v: &mut Vec<String>) ensures v.last().unwrap().matches("[a-c]|w{20}")'
digit = 'fn(s: &str) -> {r: Result<u8, Box<dyn std::error::Error>> | r.is_err() ==> r.unwrap_err().to_string().contains("digit")}'
code = 'fn(s: &str) -> {r: Result<u8, Box<dyn std::error::Error>> | r.unwrap_err().to_string().matches("E.*|w{20}")}'
nz = "fn(n: NonZeroU8) -> {r: NonZeroU8 | r.value == n.value}"
dur = "fn(d: Duration) -> {r: Duration | r == d}"
later = "fn(d: {d: Duration | d.secs < 9}) -> {r: Duration | d.secs < r.secs && d < r}"
sign = "fn(a: i8, b: i8) -> {r: Ordering | (r == Ordering::Equal) == (a == b) && (r == Ordering::Less) == (a < b)}"
text = 'fn(n: {n: u8 | n < 9}) -> {s: String | s.lines().all(|l| l.trim() == l && l != "y")}'
first = "fn(xs: &[i8]) -> {r: Option<i8> | r == xs.first()}"
split = "fn(n: u8) -> (u8, Option<{v: u8 | v <= n + 1}>)"
tally = "fn(xs: &[u8]) -> {m: Map<u8, {n: u8 | n > 0}> | m.values().all(|n| n < 9) && (xs.contains(0) ==> m[0] > 0)}"
swap = "fn(p: (u8, Stack)) -> {r: (Stack, u8) | r.0 == p.1}"
"Stack::push" = "fn(self: &mut {s: Stack | s.items.len() < 9}, x: u8) ensures self.items.len() == old(self).items.len() + 1"
"Stack::tick" = "fn(self: &mut {s: Stack | s.items.iter().all(|i| i < 3)})"
line = "fn(n: {n: u8 | n < 9}) -> {s: Shape | matches!(s, Shape::Line { from, .. } if from < n) || n == 0}"
total = "fn(xs: &[u8]) -> {r: Vec<u8> | r.iter().sum() == xs.iter().sum()}"
def = "fn(a: u16) -> {r: i8 | r == 0}"
after = "fn(t: {t: SystemTime | t.start.before.secs == 0}, d: &SystemTime) -> {r: SystemTime | r.since.secs == t.since.secs + 60} requires t.start.before.nanos == 0 && d.since.secs == 0"
span = "fn(n: {n: u8 | n < 9}) -> Span"
"#;

/// The functions of which Rust can't say the condition, so that their tests only rule out one outcome.
const UNSAID: [&str; 3] = ["named", "words", "code"];

#[test]
fn a_saved_counterexample_gives_the_test_of_the_report() {
    let manifest = format!(
        "[package]\nname = \"pasted\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n{SPECS_OF_TYPES}"
    );
    let files = [("Cargo.toml", &*manifest), ("src/lib.rs", BROKEN_TYPES)];
    let fixture = Fixture::with_files("pasted::saved", &files).with_saved("pasted");
    let events = fixture.run_as_is(&["-g", "native"]);
    let finished = events.with_reason("function-finished");
    assert_eq!(finished.len(), 22, "{}", events.stderr);
    let written = fixture.target(&["tests", "-o", "tests/pasted.rs"]);
    assert_eq!((written.code, &*written.stderr), (0, ""));
    let tests = fixture.read("tests/pasted.rs");
    for function in &finished {
        let test = function["counterexample"]["test"].as_str().unwrap_or_else(|| panic!("{function:#}"));
        assert!(tests.contains(test), "{test}\n{tests}");
        let is_unsaid = UNSAID.contains(&function["function"].as_str().unwrap());
        let says = test.contains("    // only rules out the wrong outcome; the spec requires: ");
        assert_eq!(says, is_unsaid, "{test}");
    }
    for line in [
        "    let result = pasted::nz(std::num::NonZeroU8::new(1).unwrap());",
        "    assert!(result == d, \"result = {result:?}\");",
        "    let result: i8 = pasted::def(0_u16);",
        "    let result = pasted::after(std::time::UNIX_EPOCH, &std::time::UNIX_EPOCH);",
    ] {
        assert!(tests.contains(line), "{line}\n{tests}");
    }
    for (words, passed, failed) in
        [(&[][..], 0, 22), (&["--features", "otherwise"], 3, 19), (&["--features", "mended"], 22, 0)]
    {
        let printed = tested(&fixture, words);
        let said = format!("{passed} passed; {failed} failed");
        assert!(printed.contains(&said) && !printed.contains("warning"), "{words:?}: {printed}\n{tests}");
    }
}

/// A package and a member of its workspace, with functions that don't end, take all memory, end the process, or are about private fields.
const ENDLESS: &str = r#"
const MENDED: bool = cfg!(feature = "mended");

pub fn loops(x: u8, f: impl Fn(u8) -> bool) -> u8 {
    while !MENDED && x == 2 { std::hint::black_box(f(x)); }
    x
}
pub fn eats(x: u8) -> u8 {
    let mut all = Vec::new();
    while !MENDED && x == 2 { all.push(vec![1_u8; 1 << 20]); }
    x
}
pub fn ends(x: u8) -> u8 {
    if !MENDED && x == 2 { std::process::exit(0) }
    x
}
pub fn aborts(x: u8) -> u8 {
    if !MENDED && x == 2 { std::process::abort() }
    x
}
pub fn dives(x: u8) -> u8 {
    if !MENDED && x == 2 { return dives(std::hint::black_box(x)) - std::hint::black_box(1); }
    x
}
pub fn wide(x: u64) -> u64 { if (x == 3 || x > 1_000_000) && !MENDED { x / 2 } else { x } }
pub fn paid(m: money::Money) -> u64 { money::cents(&m) + u64::from(!MENDED) }
pub fn fee(x: u8) -> u8 { if MENDED { x } else { x / 2 } }
"#;

const OF_MEMBER: &str = r#"
[features]
mended = []

[dependencies]
money = { path = "money" }

[package.metadata.target]
depth = 3

[package.metadata.target.functions]
loops = "fn(x: u8, f: impl Fn(u8) -> bool) -> u8"
eats = "fn(x: u8) -> u8"
ends = "fn(x: u8) -> u8"
aborts = "fn(x: u8) -> u8"
dives = "fn(x: u8) -> u8"
wide = "fn(x: u64) -> {r: u64 | r == x}"
paid = "fn(m: money::Money) -> {r: u64 | r == m.cents}"
fee = "fn(x: u8) -> {r: u8 | r == x && r < 200}"
"#;

#[test]
fn a_pasted_test_ends_and_says_where_it_compiles() {
    let manifest = |tables: &str| {
        format!(
            "[package]\nname = \"endless\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\nmembers = [\"money\"]\n{tables}"
        )
    };
    let member = "[package]\nname = \"money\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let money = "pub struct Money { cents: u64 }\npub fn cents(m: &Money) -> u64 { m.cents }\n";
    let files = [
        ("Cargo.toml", &*manifest(OF_MEMBER)),
        ("src/lib.rs", ENDLESS),
        ("money/Cargo.toml", member),
        ("money/src/lib.rs", money),
    ];
    let fixture = Fixture::with_files("pasted::endless", &files).with_saved("endless");
    let events = fixture.run_as_is(&["-p", "endless"]);
    let finished = events.with_reason("function-finished");
    let wide = finished.iter().find(|function| function["function"] == "wide").unwrap();
    let names: Vec<&str> = ["counterexample", "boundary_counterexample"]
        .into_iter()
        .map(|found| {
            wide[found]["test"].as_str().unwrap_or_else(|| panic!("{wide:#}")).lines().nth(1).unwrap()
        })
        .collect();
    assert_eq!(names, ["fn wide_counterexample() {", "fn wide_counterexample_2() {"]);

    let written = fixture.target(&["tests", "-p", "endless", "-o", "tests/pasted.rs"]);
    let note = "note: 1 more name private items of `money`, so they compile nowhere";
    assert!(written.code == 0 && written.stderr.starts_with(note), "{written:?}");
    let tests = fixture.read("tests/pasted.rs");
    // A call that doesn't end may be saved with more than one closure.
    let n = tests.matches("#[test]").count();
    assert!(!tests.contains("cents") && (8..=9).contains(&n), "{tests}");
    let printed = fixture.target(&["tests", "-p", "endless", "paid"]);
    assert!(printed.stdout.contains("// fn paid_counterexample() {\n"), "{printed:?}");
    let as_it_is = tested(&fixture, &[]);
    let said = format!("FAILED. 0 passed; {n} failed; 0 ignored");
    assert!(as_it_is.contains(&said), "{as_it_is}\n{tests}");
    let mended = tested(&fixture, &["--features", "mended"]);
    assert!(mended.contains(&format!("ok. {n} passed")), "{mended}\n{tests}");

    // It doesn't break the postcondition that it has now.
    fixture.write("Cargo.toml", &manifest(&OF_MEMBER.replace("r == x && r < 200", "r <= x")));
    let freed = fixture.target(&["tests", "-p", "endless", "fee"]);
    assert!(freed.stdout.contains("    assert!(result <= x, \"result = {result:?}\");\n"), "{freed:?}");
    // With another one, it is judged by that.
    fixture.write("Cargo.toml", &manifest(&OF_MEMBER.replace("r == x && r < 200", "x <= r")));
    let changed = fixture.target(&["tests", "-p", "endless", "fee"]);
    assert!(changed.stdout.contains("    assert!(x <= result, \"result = {result:?}\");\n"), "{changed:?}");
}

/// What a command printed, standard error last.
fn both(output: Output) -> Vec<u8> {
    [output.stdout, output.stderr].concat()
}
