//! Types that a function builds, through the real binary: what is refused, normalised, or can't be read back.

use crate::support::Fixture;

const TABLES: &str = r#"[package.metadata.target]
depth = 2
boundary = false

[package.metadata.target.data]
Q = "via Ratio::new(n: i32 = self.num, d: i32 = self.den)"
Half = "via Ratio::new(n: i32, d: {d: i32 | 0 < d} = self.den)"
Never = "via Ratio::never(n: i32)"

[package.metadata.target.measures]
"top(q: Half) -> int" = "q.n"

[package.metadata.target.functions]
same = "fn(q: Q) -> {r: Q | r == q}"
kept = "fn(q: &mut Q) ensures q == old(q)"
lost = { call = "same", spec = "fn(q: Half) -> {r: Half | top(r) == q.n}" }
refused = { call = "same", spec = "fn(q: Never) -> Ratio" }
folded = "fn(s: &BTreeSet<Fold>) -> {n: usize | n == s.len()}"
"#;

const SOURCE: &str = "pub struct Ratio { num: i32, den: i32 }
impl Ratio {
    pub fn new(num: i32, den: i32) -> Option<Ratio> {
        if den == 0 { return None; }
        Some(if den < 0 { Ratio { num: -num, den: -den } } else { Ratio { num, den } })
    }
    pub fn never(_: i32) -> Option<Ratio> { None }
}
pub fn same(q: Ratio) -> Ratio { q }
pub fn kept(_: &mut Ratio) {}
#[derive(Clone)]
pub struct Fold(pub i64);
impl PartialEq for Fold { fn eq(&self, other: &Fold) -> bool { self.0.abs() == other.0.abs() } }
impl Eq for Fold {}
impl PartialOrd for Fold { fn partial_cmp(&self, other: &Fold) -> Option<std::cmp::Ordering> { Some(self.cmp(other)) } }
impl Ord for Fold { fn cmp(&self, other: &Fold) -> std::cmp::Ordering { self.0.abs().cmp(&other.0.abs()) } }
pub fn folded(s: &std::collections::BTreeSet<Fold>) -> usize { s.len() }
";

#[test]
fn what_a_function_builds_is_tested_as_it_reads_back() {
    let events = Fixture::of("via", TABLES, SOURCE).run(&["--generator", "smt"]);
    // Of 25 pairs, 5 have a zero below, and 10 a negative number, which is turned around.
    for function in ["same", "kept"] {
        let row = events.of(function, "smt");
        assert_eq!(
            (&row["verdict"], &row["valid"], &row["discarded"]),
            (&"passed".into(), &10.into(), &15.into())
        );
    }
    let lost = events.of("lost", "smt");
    assert_eq!(lost["verdict"], "error");
    assert!(lost["problem"].to_string().contains("can't be read back"), "{lost:#}");
    let refused = events.of("refused", "smt");
    assert_eq!(refused["verdict"], "vacuous");
    assert!(refused["problem"].to_string().contains("refuses"), "{refused:#}");
    // A set of 1 and -1 is one of one element, which another input is already.
    assert_eq!(events.verdict("folded", "smt"), "passed");
}

#[test]
fn types_of_the_standard_library_are_built_and_read_back() {
    let tables = r#"[package.metadata.target]
cases = 300

[package.metadata.target.functions]
nonzero = "fn(n: NonZero<u32>, m: NonZeroI128) -> {r: u32 | r == n.value}"
port = "fn(a: SocketAddr) -> {r: u16 | r == a.port}"
is_v4 = "fn(a: IpAddr) -> {r: bool | r == matches!(a, IpAddr::V4(_))}"
after = "fn(t: {t: SystemTime | t.start.before.secs == 0 && t.start.before.nanos == 0}) -> {r: SystemTime | r.since.secs == t.since.secs + 60} requires t.since.secs < 1000"
hour_before = "fn(t: SystemTime) -> {r: SystemTime | r.start.before.secs == t.start.before.secs + 3600} requires 1 <= t.start.before.secs && t.start.before.secs < 9"
age = "fn(t: SystemTime) -> u64"
waits = "fn(job: &Job) -> {r: u64 | r == job.wait.secs}"
ends = "fn(r: RangeToInclusive<u8>, b: Bound<u8>, o: Reverse<i8>) -> {e: u8 | e == r.end}"
letters = "fn(r: RangeInclusive<char>) -> {c: char | c == r.start}"
slashes = "fn(p: &Path, name: &OsStr) -> {r: bool | r == p.text.starts_with('/')}"
late = "fn(job: &Job) -> {r: u64 | r < 7}"
"#;
    let library =
        "use std::{cmp::Reverse, ffi::OsStr, net::{IpAddr, SocketAddr}, num::{NonZero, NonZeroI128}};
use std::{ops::{Bound, RangeInclusive, RangeToInclusive}, path::Path, time::{Duration, SystemTime}};
pub struct Job { pub wait: Duration, pub at: (Option<SystemTime>, u8) }
pub fn nonzero(n: NonZero<u32>, _: NonZeroI128) -> u32 { n.get() }
pub fn port(a: SocketAddr) -> u16 { a.port() }
pub fn is_v4(a: IpAddr) -> bool { a.is_ipv4() }
pub fn after(t: SystemTime) -> SystemTime { t + Duration::from_secs(60) }
pub fn hour_before(t: SystemTime) -> SystemTime { t - Duration::from_secs(3600) }
pub fn age(t: SystemTime) -> u64 { t.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() }
pub fn waits(job: &Job) -> u64 { job.wait.as_secs() }
pub fn ends(r: RangeToInclusive<u8>, _: Bound<u8>, _: Reverse<i8>) -> u8 { r.end }
pub fn letters(r: RangeInclusive<char>) -> char { *r.start() }
pub fn slashes(p: &Path, _: &OsStr) -> bool { p.has_root() }
pub fn late(job: &Job) -> u64 { job.wait.as_secs() }
";
    let events = Fixture::of("via::std", tables, library).run(&["-g", "auto"]);
    for function in
        ["nonzero", "port", "is_v4", "after", "hour_before", "waits", "ends", "letters", "slashes"]
    {
        assert_eq!(events.verdict(function, "auto"), "passed", "{function}: {events:#?}");
    }
    assert_eq!(events.counterexample("late", "auto").1, "result");
    let age = events.of("age", "auto")["counterexample"].to_string();
    assert!(age.contains("SystemTimeError") && age.contains("::sub("), "{age}");
}

#[test]
fn types_of_the_standard_library_are_fields() {
    let tables = r#"[package.metadata.target]
cases = 100

[package.metadata.target.data]
Up = "struct Span { ends: {r: std::ops::Range<u8> | r.start <= r.end} }"

[package.metadata.target.functions]
width = "fn(s: Up) -> {w: u8 | w == s.ends.end - s.ends.start}"
first = "fn(all: Vec<Step>) -> {s: Step | all.len() == 0 || s == all[0]}"
same = "fn(t: Tree<{n: i8 | 0 <= n}>) -> {u: Tree<i8> | u == t}"
far = "fn(t: Tree<u8>) -> bool requires t.ends.len() == 1 && t.ends[0].start == 7"
waits = "fn(w: Bound<Duration>) -> {v: Bound<Duration> | v == w}"
"#;
    let library = "use std::{cmp::Reverse, num::{NonZero, Wrapping}, ops::{Bound, Range, RangeInclusive}, time::Duration};
pub struct Span { pub ends: Range<u8> }
pub fn width(s: Span) -> u8 { s.ends.len() as u8 }
#[derive(Clone)]
pub enum Step { In(RangeInclusive<i8>, Option<NonZero<u16>>), To { bound: Bound<NonZero<u8>>, all: Vec<Wrapping<u8>> } }
pub fn first(all: Vec<Step>) -> Step { all.first().cloned().unwrap_or(Step::In(0..=1, None)) }
pub struct Tree<T> { ends: Vec<Range<T>>, order: Reverse<T>, next: Option<Box<Tree<T>>> }
pub fn same<T>(t: Tree<T>) -> Tree<T> { t }
pub fn far(t: Tree<u8>) -> bool { t.order.0 == 255 && t.next.is_none() }
pub fn waits(w: Bound<Duration>) -> Bound<Duration> { w }
";
    let events = Fixture::of("via::fields", tables, library).run(&["-g", "auto"]);
    for function in ["width", "first", "same", "far", "waits"] {
        assert_eq!(events.verdict(function, "auto"), "passed", "{function}: {events:#?}");
    }
}

#[test]
fn a_function_whose_arguments_do_not_determine_its_result_builds_values() {
    let tables = r#"[package.metadata.target]
cases = 100

[package.metadata.target.data]
Empty = "via Grid::with_capacity(n: {n: usize | n < 9}) -> Grid<u8, bool>"

[package.metadata.target.functions]
"Grid::count" = "fn(self: &Empty) -> {n: usize | n == 0}"
"#;
    let library = "pub struct Grid<T, U> { cells: std::sync::Mutex<Vec<(T, U)>> }
impl<T, U> Grid<T, U> {
    pub fn with_capacity(n: usize) -> Grid<T, U> { Grid { cells: std::sync::Mutex::new(Vec::with_capacity(n)) } }
    pub fn count(&self) -> usize { self.cells.lock().unwrap().len() }
}
";
    let events = Fixture::of("via::undetermined", tables, library).run(&["-g", "auto"]);
    assert_eq!(events.verdict("Grid::count", "auto"), "passed", "{events:#?}");
}

#[test]
fn types_of_the_standard_library_have_the_names_of_the_source() {
    let tables = r#"[package.metadata.target]
cases = 100

[package.metadata.target.functions]
globs = "fn(m: HashMap<u8, Duration>) -> usize"
even = "fn(n: u8) -> {r: std::io::Result<u8> | r.is_ok() == (n % 2 == 0)}"
half = "fn(n: u8) -> {r: io::Result<{h: u8 | h <= n}> | r.is_ok() == (n % 2 == 0)}"
write = "fn(n: u8) -> {r: fmt::Result | r.is_err() == (n == 0)}"
boxed = "fn(n: u8) -> {r: Res<u8> | r.is_ok() == (n % 2 == 0)}"
own = "fn(n: u8) -> {r: deep::Result<u8> | r.is_ok()}"
times = "fn(all: Vec<Dur>, one: Option<Dur>, at: At) -> Dur"
renamed = "fn(d: D, m: Map<u8, D>) -> core::time::Duration"
closure = { call = "|n: u8| -> std::io::Result<u8> { Ok(n) }", spec = "fn(n: u8) -> {r: std::io::Result<u8> | r.is_ok()}" }
"#;
    let library = "use core::time::Duration as D; use std::collections::BTreeMap as Map; use std::{fmt, io};
use std::collections::*; use std::time::*;
pub type Res<T> = Result<T, Box<dyn std::error::Error>>; pub type Dur = std::time::Duration;
pub mod deep { #[derive(Debug)] pub struct Error; pub type Result<T> = std::result::Result<T, Error>; }
pub struct At { pub at: Dur, pub all: Vec<Dur> }
pub fn globs(m: HashMap<u8, Duration>) -> usize { m.len() }
pub fn even(n: u8) -> std::io::Result<u8> { if n % 2 == 0 { Ok(n) } else { Err(io::Error::other(\"odd\")) } }
pub fn half(n: u8) -> io::Result<u8> { Ok(even(n)? / 2) }
pub fn write(n: u8) -> fmt::Result { if n == 0 { Err(fmt::Error) } else { Ok(()) } }
pub fn boxed(n: u8) -> Res<u8> { Ok(even(n)?) }
pub fn own(n: u8) -> deep::Result<u8> { if n == 9 { Err(deep::Error) } else { Ok(n) } }
pub fn times(all: Vec<Dur>, one: Option<Dur>, at: At) -> Dur { all.first().copied().or(one).unwrap_or(at.at) }
pub fn renamed(d: D, m: Map<u8, D>) -> core::time::Duration { m.get(&1).copied().unwrap_or(d) }
";
    let events = Fixture::of("via::names", tables, library).run(&["-g", "auto"]);
    for function in ["globs", "even", "half", "write", "boxed", "times", "renamed", "closure"] {
        assert_eq!(events.verdict(function, "auto"), "passed", "{function}: {events:#?}");
    }
    assert_eq!(events.counterexample("own", "auto").1, "result");
}
