//! `cargo target run` without specs: what it calls, what it finds, and what it says of it.

use serde_json::Value;

use crate::support::{Events, Fixture};

/// Functions that fail each in its own way.
const FAILING: &str = r##"
use std::collections::HashMap;

pub fn add(a: i32, b: i32) -> i32 { a + b }
pub fn power(b: u32, e: u32) -> u32 { b.pow(e) }
pub fn mean(xs: &[u16]) -> u16 { xs.iter().fold(0u16, |a, b| a.wrapping_add(*b)) / xs.len() as u16 }
pub fn third(xs: &[u8]) -> u8 { xs[2] }
pub fn head(s: &str) -> &str { &s[..1] }
pub fn lookup(m: &HashMap<u8, u8>, k: u8) -> u8 { m[&k] }
pub fn year(s: &str) -> u32 { s.parse().expect("a year") }
fn positive(n: i8) -> i8 { assert!(n >= 0); n }
pub fn root(n: i8) -> i8 { positive(n) }
fn inner(n: i64) -> i64 { if n == 7 { unreachable!("never seven") } else { n } }
pub fn deep(n: i64) -> i64 { inner(n) }
pub fn deeper(n: i64, m: bool) -> i64 { if m { inner(n) } else { 0 } }
pub fn spin(n: u8) -> u8 { if n == 3 { loop { std::hint::spin_loop() } } n }
pub fn down(n: i16) -> i64 { if n == 0 { 0 } else { 1 + down(if n > 0 { n - 1 } else { n }) } }
pub fn quit(now: bool) { if now { std::process::abort() } }
pub fn fill(n: u8) -> Vec<u64> { if n == 2 { vec![1; 1 << 30] } else { Vec::new() } }
"##;

fn api(fixture: &Fixture, words: &[&str]) -> Events {
    fixture.run_as_is(&[&["--api", "--cases", "2000"], words].concat())
}

/// The findings that name a function first.
fn of<'e>(events: &'e Events, function: &str) -> Vec<&'e Value> {
    let findings = events.with_reason("finding").into_iter();
    findings.filter(|finding| finding["functions"][0] == function).collect()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

#[test]
fn each_kind_of_failure_is_told_with_its_place_and_a_small_input() {
    let fixture = Fixture::of("api::kinds", "", FAILING);
    let events = api(&fixture, &["--budget", "60s"]);
    assert_eq!(events.code, 1, "{}", events.stderr);
    for (function, kind, call) in [
        ("power", "overflow", None),
        ("mean", "division", Some("::mean(&[])")),
        ("third", "bounds", Some("::third(&[])")),
        ("head", "bounds", Some("::head(\"\")")),
        ("lookup", "bounds", Some("::lookup(&std::collections::HashMap::from([]), 0)")),
        ("year", "unwrap", Some("::year(\"\")")),
        ("root", "assertion", Some("::root(-1)")),
        ("deep", "panic", Some("::deep(7)")),
        ("spin", "hang", Some("::spin(3)")),
        ("down", "stack-overflow", Some("::down(-1)")),
        ("quit", "abort", Some("::quit(true)")),
        ("fill", "memory", Some("::fill(2)")),
        ("add", "overflow", None),
    ] {
        let found = of(&events, function);
        let found = found.iter().find(|finding| finding["kind"] == kind);
        let Some(found) = found else { panic!("{function}: no {kind} in {:#?}", events.all) };
        assert_eq!(found["rank"], "likely", "{found:#?}");
        let last = found["calls"].as_array().unwrap().last().unwrap().as_str().unwrap();
        assert!(call.is_none_or(|call| last.ends_with(call)), "{last}");
        let has_place = !["hang", "stack-overflow", "abort", "memory"].contains(&kind);
        assert_eq!(text(found, "location").starts_with("src/lib.rs:"), has_place, "{found:#?}");
    }
    let power = of(&events, "power")[0];
    assert!(text(power, "location").starts_with("src/lib.rs:5:"), "{power:#?}");
    assert!(text(power, "origin").contains("library/core/"), "{power:#?}");
    let deep = of(&events, "deep")[0];
    assert_eq!(deep["functions"], serde_json::json!(["deep", "deeper"]), "{deep:#?}");
    assert_eq!(deep["origin"], Value::Null);
    for row in events.with_reason("function-finished") {
        assert_eq!(row["generator"], "api");
    }
}

/// Types with private fields, whose values only calls make.
const SEALED: &str = r##"
#[derive(Debug, Clone, Default)]
pub struct Stack { items: Vec<u8>, top: usize }
impl Stack {
    pub fn push(&mut self, x: u8) { self.items.push(x); self.top += 1; }
    pub fn pop(&mut self) -> Option<u8> {
        let x = self.items.pop()?;
        self.top -= if self.top == 2 { 2 } else { 1 };
        Some(x)
    }
    pub fn peek(&self) -> Option<u8> { if self.items.is_empty() { None } else { Some(self.items[self.top - 1]) } }
}
pub struct Even { n: u32 }
impl Even {
    pub fn new(n: u32) -> Option<Even> { if n % 2 == 0 { Some(Even { n }) } else { None } }
    pub fn half(&self) -> u32 { assert!(self.n % 2 == 0); self.n / 2 }
}
pub struct Ring<T> { items: Vec<T>, cap: usize }
impl<T: Clone> Ring<T> {
    pub fn with_capacity(cap: u8) -> Result<Ring<T>, String> {
        if cap > 3 { Err("large".into()) } else { Ok(Ring { items: vec![], cap: cap.into() }) }
    }
    pub fn add(&mut self, x: T) { self.items.push(x) }
    pub fn free(&self) -> usize { self.cap - self.items.len() }
}
pub struct Outer { pub even: Even, pub on: bool }
pub fn outer(o: Outer) -> u32 { if o.on && o.even.n == 4 { panic!("four") } else { 0 } }
pub struct Money { cents: i64 }
impl Money { pub const CENT: Money = Money { cents: 1 }; }
pub const GREATEST: Money = Money { cents: i64::MAX };
pub fn more(m: &Money) -> i64 { m.cents + 1 }
pub struct Words<'a> { rest: &'a [u8] }
impl Money { pub fn words(&self) -> Words<'_> { Words { rest: if self.cents > 1 { &[1, 2] } else { &[] } } } }
impl Words<'_> { pub fn second(&mut self) -> u8 { if self.rest.is_empty() { 0 } else { self.rest[2] } } }
pub struct Pair { left: u8, right: u8 }
impl std::str::FromStr for Pair {
    type Err = String;
    fn from_str(s: &str) -> Result<Pair, String> {
        let (left, right) = s.split_once(':').ok_or("no colon")?;
        let byte = |s: &str| s.parse().map_err(|_| "no number");
        Ok(Pair { left: byte(left)?, right: byte(right)? })
    }
}
impl Pair { pub fn gap(&self) -> u8 { if self.left > 0 { self.right - self.left } else { 0 } } }
pub struct Never { _n: u8 }
pub fn never(_: &Never) {}
pub fn twice(f: impl Fn(u8) -> bool, n: u8) -> u8 { if f(n) { n + 200 } else { 0 } }
pub unsafe fn danger() {}
pub async fn later() {}
"##;

#[test]
fn values_of_sealed_types_are_made_by_sequences_of_calls() {
    let fixture = Fixture::of("api::sealed", "", SEALED);
    let events = api(&fixture, &["--budget", "60s"]);
    let peek = of(&events, "Stack::peek");
    assert_eq!(peek.len(), 1, "{:#?}", events.all);
    let calls: Vec<&str> =
        peek[0]["calls"].as_array().unwrap().iter().map(|call| call.as_str().unwrap()).collect();
    let steps: Vec<&str> =
        calls.iter().map(|call| call.split("::").last().unwrap().split('(').next().unwrap()).collect();
    assert_eq!(steps, ["default", "push", "push", "pop", "peek"], "{calls:?}");
    assert_eq!(of(&events, "Ring::free")[0]["kind"], "overflow");
    assert!(of(&events, "Even::half").is_empty(), "an odd number can't be had");
    assert_eq!(of(&events, "outer")[0]["kind"], "panic");
    assert_eq!(of(&events, "more")[0]["calls"], serde_json::json!(["sample::more(&sample::GREATEST)"]));
    let gap = of(&events, "Pair::gap");
    assert!(!gap.is_empty(), "texts of numbers and literals of `from_str`");
    let second = of(&events, "Words::second")[0];
    assert_eq!(second["calls"][0], "let value_1 = sample::GREATEST", "{second:#?}");
    assert_eq!(second["calls"][1], "let mut value = sample::Money::words(&value_1)", "{second:#?}");
    let twice = of(&events, "twice")[0];
    assert!(twice["calls"][0].as_str().unwrap().contains("::twice(|"), "{twice:#?}");
    let unreached = events.with_reason("unreached");
    let why: Vec<(&str, &str)> =
        unreached.iter().map(|event| (text(event, "function"), text(event, "why"))).collect();
    assert_eq!(
        why,
        [
            ("danger", "it is unsafe"),
            ("later", "it is async"),
            ("never", "no public function makes a `Never`")
        ]
    );
}

/// Implementations of traits that break their laws, and one that doesn't.
const UNLAWFUL: &str = r##"
use std::cmp::Ordering;
#[derive(Debug, Clone, Copy)]
pub struct Span { pub start: u8, pub end: u8 }
impl PartialEq for Span { fn eq(&self, o: &Span) -> bool { self.start <= o.start } }
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score(pub i8);
impl PartialOrd for Score { fn partial_cmp(&self, o: &Score) -> Option<Ordering> { Some(self.cmp(o)) } }
impl Ord for Score { fn cmp(&self, o: &Score) -> Ordering { if self.0 > o.0 { Ordering::Greater } else { Ordering::Less } } }
#[derive(Debug, PartialEq, Eq)]
pub struct Rank(pub u8);
impl PartialOrd for Rank { fn partial_cmp(&self, o: &Rank) -> Option<Ordering> { Some(self.0.max(1).cmp(&o.0)) } }
impl Ord for Rank { fn cmp(&self, o: &Rank) -> Ordering { self.0.cmp(&o.0) } }
#[derive(Debug, PartialEq, Eq)]
pub struct Name(pub String);
impl std::hash::Hash for Name { fn hash<H: std::hash::Hasher>(&self, h: &mut H) { (self as *const Name as usize).hash(h) } }
#[derive(Debug, PartialEq)]
pub struct Rgb(pub u8, pub u8);
impl std::fmt::Display for Rgb { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, "{:x}{:x}", self.0, self.1) } }
impl std::str::FromStr for Rgb {
    type Err = String;
    fn from_str(s: &str) -> Result<Rgb, String> {
        let byte = |at: usize| u8::from_str_radix(s.get(at..at + 2).ok_or("short")?, 16).map_err(|e| e.to_string());
        Ok(Rgb(byte(0)?, byte(2)?))
    }
}
pub struct Count { n: u8 }
impl Count { pub fn to(n: u8) -> Count { Count { n } } }
impl Iterator for Count {
    type Item = u8;
    fn next(&mut self) -> Option<u8> { self.n = self.n.checked_sub(1)?; Some(self.n) }
    fn size_hint(&self) -> (usize, Option<usize>) { (self.n as usize + 1, None) }
}
impl ExactSizeIterator for Late {}
/// Wrong after the first item only.
#[derive(Clone)]
pub struct Late { left: usize, all: usize }
pub struct Lates(pub u8);
impl Lates { pub fn all(&self) -> Late { Late { left: self.0.into(), all: self.0.into() } } }
impl Iterator for Late {
    type Item = u8;
    fn next(&mut self) -> Option<u8> { self.left = self.left.checked_sub(1)?; Some(0) }
    fn size_hint(&self) -> (usize, Option<usize>) { (self.all, Some(self.all)) }
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lawful(pub u8);
impl PartialOrd for Lawful { fn partial_cmp(&self, o: &Lawful) -> Option<Ordering> { Some(self.cmp(o)) } }
impl Ord for Lawful { fn cmp(&self, o: &Lawful) -> Ordering { o.0.cmp(&self.0) } }
"##;

/// Compiles the tests of all findings, and runs them.
fn assert_printed_tests_fail(fixture: &Fixture, events: &Events) {
    let findings = events.with_reason("finding");
    let tests: Vec<&str> = findings.iter().map(|finding| text(finding, "test")).collect();
    fixture.write("tests/found.rs", &tests.join("\n"));
    let tested = fixture.cargo(&["test", "--target-dir", "own", "--test", "found"]).output().unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    let all_fail = format!("0 passed; {} failed", tests.len());
    assert!(said.contains(&all_fail), "{said}{}", String::from_utf8_lossy(&tested.stderr));
}

#[test]
fn laws_of_traits_are_checked_and_broken_ones_named() {
    let fixture = Fixture::of("api::laws", "", UNLAWFUL);
    let events = api(&fixture, &["--budget", "60s"]);
    let mut broken = Vec::new();
    for finding in events.with_reason("finding") {
        assert_eq!(finding["kind"], "law", "{finding:#?}");
        let functions = finding["functions"].as_array().unwrap();
        // Both orders of `Score` break the same law, and those of `Rank` different ones.
        let is_of_both = functions.iter().any(|name| name == "Score as Ord");
        assert_eq!(functions.len(), if is_of_both { 2 } else { 1 }, "{finding:#?}");
        broken.extend(functions.iter().map(|name| name.as_str().unwrap()));
    }
    for law in [
        "Span as PartialEq",
        "Score as Ord",
        "Score as PartialOrd",
        "Rank as Ord",
        "Rank as PartialOrd",
        "Name as Hash",
        "Rgb as FromStr",
        "Count as Iterator",
    ] {
        assert!(broken.contains(&law), "{law} in {broken:?}");
    }
    assert!(!broken.iter().any(|law| law.starts_with("Lawful")), "{broken:?}");
    let count = |law: &str| broken.iter().filter(|known| **known == law).count();
    assert_eq!((count("Count as Iterator"), count("Late as Iterator")), (1, 1), "{broken:?}");
    assert_printed_tests_fail(&fixture, &events);
}

/// Functions whose parameters are bounded by traits of the standard library.
const BOUNDED: &str = r##"
use std::io::{BufRead, Read, Write};
pub fn read(mut r: impl Read) -> u8 { let mut b = Vec::new(); r.read_to_end(&mut b).ok(); b[2] }
pub fn read_dyn(r: &mut dyn Read) -> u8 { let mut b = [0; 2]; r.read_exact(&mut b).unwrap(); b[0] }
pub fn lines<B: BufRead>(r: B) -> usize { r.lines().map_while(Result::ok).map(|l| 10 / l.len()).sum() }
pub fn write<W: Write>(w: &mut W, n: u8) { w.write_all(&[n]).unwrap(); if n == 7 { panic!("seven") } }
pub fn text(w: &mut impl std::fmt::Write, n: u8) { w.write_str("a").unwrap(); if n == 7 { panic!("seven") } }
pub fn path(p: &std::path::Path) -> usize { 10 / p.as_os_str().len() }
pub fn any_path(p: impl AsRef<std::path::Path>) -> usize { 10 / p.as_ref().as_os_str().len() }
pub fn sum(xs: impl Iterator<Item = u32>) -> u32 { xs.sum() }
pub fn back(mut xs: impl DoubleEndedIterator<Item = u8>) -> u8 { xs.next_back().unwrap() }
pub fn rest(xs: &mut dyn Iterator<Item = u8>) -> u8 { xs.last().unwrap() }
pub fn words(xs: impl IntoIterator<Item = impl AsRef<str>>) -> usize { xs.into_iter().map(|x| 10 / x.as_ref().len()).sum() }
pub fn string(s: impl Into<String>) -> usize { 10 / s.into().len() }
pub fn maybe(s: impl Into<Option<u8>>) -> u8 { s.into().unwrap() }
pub fn shown(s: impl ToString) -> u8 { s.to_string().parse().unwrap() }
pub fn array<const N: usize>(xs: [u8; N]) -> u8 { xs[N - 1] - xs[0] }
pub fn equal<'a, 'b, I, J, T, U>(xs: &'a I, ys: &'b J)
where &'a I: IntoIterator<Item = T>, &'b J: IntoIterator<Item = U>, T: PartialEq<U> {
    if xs.into_iter().zip(ys).any(|(x, y)| x == y) { panic!("equal") }
}
pub fn first<'a, I, T>(xs: &'a I) -> Option<T> where &'a I: IntoIterator<Item = T> {
    let mut xs = xs.into_iter();
    let found = xs.next();
    if xs.next().is_some() { panic!("two items") }
    found
}
pub struct Parsed<T>(pub T);
impl<T: std::str::FromStr> std::str::FromStr for Parsed<T> {
    type Err = T::Err;
    fn from_str(text: &str) -> Result<Self, Self::Err> { text.parse().map(Parsed) }
}
"##;

#[test]
fn readers_writers_and_iterators_are_made() {
    let fixture = Fixture::of("api::bounded", "", BOUNDED);
    let events = api(&fixture, &["--budget", "60s"]);
    let unreached = events.with_reason("unreached");
    assert!(unreached.is_empty(), "{unreached:#?}");
    let names = BOUNDED.lines().filter_map(|line| line.strip_prefix("pub fn ")?.split(['(', '<']).next());
    for name in names {
        assert!(!of(&events, name).is_empty(), "{name}: {:#?}", events.with_reason("finding"));
    }
}

/// Functions that fail only with closures which depend on their arguments.
const CALLING: &str = r##"
use std::cmp::Ordering;
pub fn same(f: impl Fn(u8) -> u8) { if f(1) == 1 && f(2) == 2 { panic!("the argument") } }
pub fn some(xs: &[i32], mut f: impl FnMut(&i32) -> bool) {
    let n = xs.iter().filter(|x| f(x)).count();
    if n > 0 && n < xs.len() { panic!("some") }
}
pub fn second(f: &dyn Fn(&str, u16) -> u16) { if f("a", 3) == 3 && f("b", 4) == 4 { panic!("the number") } }
pub fn sorted(xs: &mut Vec<u8>, f: impl Fn(&u8, &u8) -> Ordering) {
    let before = xs.clone();
    xs.sort_by(f);
    if *xs != before { panic!("sorted") }
}
"##;

#[test]
fn closures_depend_on_their_arguments_and_the_printed_tests_fail() {
    let fixture = Fixture::of("api::calling", "", CALLING);
    let events = api(&fixture, &["--budget", "60s"]);
    let mut tests = String::new();
    for (name, closure) in
        [("same", "|p0| p0"), ("some", "p0 > "), ("second", "&|_, p1| p1"), ("sorted", "p0.cmp(p1)")]
    {
        let found = of(&events, name);
        let call =
            found.first().and_then(|found| found["calls"].as_array()?.last()?.as_str()).unwrap_or_default();
        let is_it = call.contains(closure) || call.contains(&closure.replace("p0.cmp(p1)", "p1.cmp(p0)"));
        assert!(is_it, "{name}: {call} {:#?}", events.with_reason("finding"));
        tests.push_str(text(found[0], "test"));
        tests.push('\n');
    }
    fixture.write("tests/found.rs", &tests);
    let tested = fixture.cargo(&["test", "--target-dir", "own", "--test", "found"]).output().unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    assert!(said.contains("0 passed; 4 failed"), "{said}{}", String::from_utf8_lossy(&tested.stderr));
}

#[test]
fn an_announced_panic_is_likely_no_bug() {
    let library = "
        /// # Panics\n/// If `n` is odd.\npub fn half(n: u32) -> u32 { if n % 2 == 1 { panic!(\"odd\") } n / 2 }
        pub fn small(n: u32) -> u32 { assert!(n < 3, \"too large\"); n }
        pub fn soon(n: u8) -> u8 { if n == 1 { todo!() } n }
        pub fn fine(n: u8) -> u8 { n / 2 }";
    let fixture = Fixture::of("api::announced", "", library);
    let events = api(&fixture, &["--budget", "20s"]);
    assert_eq!(events.code, 0, "{:#?}", events.all);
    let ranks: Vec<(&str, &str)> = events
        .with_reason("finding")
        .iter()
        .map(|finding| (finding["functions"][0].as_str().unwrap(), text(finding, "rank")))
        .collect();
    assert_eq!(ranks, [("half", "unlikely"), ("small", "unlikely"), ("soon", "unlikely")]);
    let only = api(&fixture, &["--budget", "20s", "fine"]);
    assert_eq!((only.code, only.finished()["functions"].as_u64()), (0, Some(1)));
}

#[test]
fn without_a_table_run_tests_what_is_public_and_the_printed_tests_fail() {
    let library = "pub fn third(xs: &[u8]) -> u8 { xs[2] } pub struct Pair { a: u8 }
        impl Pair { pub fn new(a: u8) -> Pair { Pair { a } } pub fn grow(&mut self) { self.a += 200; } }";
    let manifest = "[package]\nname = \"plain\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let fixture = Fixture::with_files("api::plain", &[("Cargo.toml", manifest), ("src/lib.rs", library)]);
    let fixture = fixture.with_saved("plain");
    let printed = fixture.target(&["run", "--cases", "2000"]);
    assert_eq!(printed.code, 1, "{printed:?}");
    assert!(printed.stderr.contains("no specs: testing what is public"), "{printed:?}");
    let tests: String = printed
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(tests.matches("#[test]").count(), 2, "{printed:?}");
    fixture.write("tests/found.rs", &tests);
    let tested = fixture.cargo(&["test", "--target-dir", "own", "--test", "found"]).output().unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    assert!(said.contains("0 passed; 2 failed"), "{said}{}", String::from_utf8_lossy(&tested.stderr));
    let json = fixture.target(&["run", "--cases", "2000", "--message-format", "json"]);
    let findings: Vec<&str> =
        json.stdout.lines().filter(|line| line.contains("\"reason\":\"finding\"")).collect();
    assert!(findings.len() == 2 && findings.iter().all(|line| line.contains("\"saved\":true")), "{json:?}");
    let again = fixture.target(&["run", "--cases", "2000"]);
    let told =
        [&printed, &again].map(|printed| printed.stdout.matches("; an earlier run saved this input").count());
    assert_eq!(told, [0, 2], "{again:?}");
}

#[test]
fn a_budget_that_is_given_goes_to_more_cases_and_greater_spaces() {
    // It fails for 20.
    let library = "pub fn root(n: u64) -> bool { if n.pow(2) + n == 420 { unreachable!() } n == 0 }";
    let fixture = Fixture::of("api::rounds", "", library);
    let run = |words: &[&str]| fixture.run_as_is(&[&["--api", "--no-boundary"], words].concat());
    let usual = run(&[]);
    assert_eq!((usual.code, usual.of("root", "api")["exhausted"].as_bool()), (0, Some(true)));
    let rounds = run(&["--budget", "60s"]);
    assert_eq!(rounds.code, 1, "{}", rounds.stderr);
    let row = rounds.of("root", "api");
    assert_eq!((row["exhausted"].as_bool(), row["valid_inside"].as_u64()), (Some(true), Some(5)), "{row:#}");
    assert!(row["valid"].as_u64() >= Some(20), "{row:#}");
    assert_eq!(row["counterexample"]["boundary"].as_bool(), Some(true), "{row:#}");
    assert_eq!(of(&rounds, "root").len(), 1);
    for limit in [["--cases", "9000"], ["--depth", "4"]] {
        assert_eq!(run(&[&["--budget", "60s"], &limit[..]].concat()).code, 0, "{limit:?}");
    }
}

#[test]
fn work_is_shared_without_the_clock() {
    let few: String = (0..60).map(|n| format!("pub fn few_{n}(x: bool) -> bool {{ x }}\n")).collect();
    // The first round ends before these three have their cases: their calls take many steps, or time out.
    let many = r##"
        pub fn version(s: &str) -> Option<u8> { s.split('.').map(|part| part.parse::<u8>().ok()).sum::<Option<u8>>() }
        pub fn steps(n: u8) -> u64 { (0..200_000).fold(0, |sum, i| if i % 3 == 0 { sum ^ i } else { sum + u64::from(n) }) }
        pub fn spin(n: u8) -> u8 { if n == 3 { loop { std::hint::spin_loop() } } n }"##;
    let fixture = Fixture::of("api::work", "", &(few + many));
    let run = |jobs: &str| {
        let limits = ["--cases", "1500", "--budget", "30s", "--timeout", "300ms"];
        let events = fixture.run_as_is(&[&["--api", "--jobs", jobs], &limits[..]].concat());
        let keys =
            ["function", "cases", "valid", "distinct", "valid_inside", "cases_to_failure", "exhausted"];
        let rows = events.with_reason("function-finished").into_iter();
        rows.map(|row| keys.map(|key| row[key].clone())).collect::<Vec<_>>()
    };
    let (one, two) = (run("1"), run("2"));
    assert_eq!(one.len(), 63, "{one:#?}");
    assert_eq!(one[60][1], 3000, "{:#?}", one[60]);
    assert_eq!(one, two);
}
