//! `cargo target run --api` on types whose values sequences of calls make: which sequences are extended, and how results are
//! taken apart.

use serde_json::Value;

use crate::support::{Events, Fixture};

/// Sets of two numbers: one shows its whole state, of the other one accessors hide how it came about.
const SETS: &str = r##"
#[derive(Debug, Default)]
pub struct Shown { bits: u8 }
impl Shown {
    pub fn put(&mut self, n: bool) { self.bits |= if n { 2 } else { 1 }; }
    pub fn drop_all(&mut self) { self.bits = 0; }
    pub fn both(&self) -> u8 { if self.bits == 3 { panic!("both") } self.bits }
}
#[derive(Default)]
pub struct Hidden { bits: u8, n_puts: u8 }
impl Hidden {
    pub fn put(&mut self, n: bool) { self.bits |= if n { 2 } else { 1 }; self.n_puts += 1; }
    pub fn bits(&self) -> u8 { self.bits }
    pub fn third(&self) { let n = self.n_puts; if n == 3 { panic!("the third") } }
}
"##;

fn api(fixture: &Fixture, words: &[&str]) -> Events {
    fixture.run_as_is(&[&["--api", "--cases", "1000", "--budget", "40s"], words].concat())
}

fn row<'e>(events: &'e Events, function: &str) -> &'e Value {
    let mut rows = events.with_reason("function-finished").into_iter();
    rows.find(|row| row["function"] == function).unwrap_or_else(|| panic!("{function} in {:#?}", events.all))
}

fn finding<'e>(events: &'e Events, function: &str) -> &'e Value {
    let mut findings = events.with_reason("finding").into_iter();
    let found = findings.find(|finding| finding["functions"][0] == function);
    found.unwrap_or_else(|| panic!("{function} in {:#?}", events.with_reason("finding")))
}

fn calls(finding: &Value) -> Vec<&str> {
    finding["calls"].as_array().unwrap().iter().map(|call| call.as_str().unwrap()).collect()
}

#[test]
fn of_sequences_that_lead_to_one_state_the_shortest_is_extended() {
    let fixture = Fixture::of("api_sequences::states", "", SETS);
    let events = fixture.run_as_is(&[
        "--api",
        "--depth",
        "6",
        "--cases",
        "3000",
        "--budget",
        "60s",
        "Shown::both",
        "Hidden",
    ]);
    assert_eq!(calls(finding(&events, "Shown::both")).len(), 4);
    // A few sequences with one state are extended, where it may hide something.
    assert_eq!(calls(finding(&events, "Hidden::third")).len(), 5);
    // There are four states, and 1093 sequences of up to six calls.
    let shown = row(&events, "Shown::both");
    assert!(shown["valid_inside"].as_u64() < Some(200), "{shown:#?}");
    assert_eq!(shown["exhausted"], false);
    assert!(
        shown["unknowns"].to_string().contains("only the shorter one was extended"),
        "{}",
        shown["unknowns"]
    );
}

/// A gate whose process ends, or hangs, when it is used in the wrong order.
const DEADLY: &str = r##"
#[derive(Debug, Default)]
pub struct Gate { n_opened: u8 }
impl Gate {
    pub fn open(&mut self) { if self.n_opened == 1 { std::process::abort() } self.n_opened += 1; }
    pub fn wait(&mut self) { while self.n_opened > 0 { std::hint::spin_loop() } }
    pub fn is_open(&self) -> bool { self.n_opened > 0 }
}
pub fn both(a: &Gate, b: &Gate, n: u8) -> bool { a.is_open() && b.is_open() && n > 7 }
#[derive(Clone, Debug)]
pub struct Slow { n: u8 }
impl Slow {
    pub fn start(soon: bool) -> Slow {
        let now = std::time::Instant::now();
        while !soon && now.elapsed().as_millis() < 300 {}
        Slow { n: soon as u8 }
    }
    pub fn tick(&mut self) { self.n = 3 - self.n; }
}
pub fn slow(s: Slow) -> u8 { s.n }
"##;

#[test]
fn sequences_that_end_the_process_are_told_once_and_not_made_again() {
    let fixture = Fixture::of("api_sequences::deadly", "", DEADLY);
    let events = api(&fixture, &["--timeout", "900ms"]);
    let findings = events.with_reason("finding");
    let found: Vec<_> = findings.iter().map(|found| (&found["kind"], &found["functions"])).collect();
    let expected = [
        (&Value::from("abort"), &serde_json::json!(["Gate::open"])),
        (&Value::from("hang"), &serde_json::json!(["Gate::wait"])),
    ];
    assert_eq!(found, expected);
    let both = row(&events, "both");
    assert!(both["valid"].as_u64() >= Some(1000), "{both:#?}");
    // What takes an eighth of the time limit is no finding, and no argument.
    let slow = row(&events, "slow");
    assert_eq!(slow["exhausted"], false, "{slow:#?}");
    assert!(slow["unknowns"].to_string().contains("one part in 8 of `timeout`"), "{slow:#?}");
    assert_eq!(row(&events, "Slow::start")["exhausted"], true);
}

/// A counter whose state is shown by an accessor that ends the process.
const SHY: &str = r##"
#[derive(Default)]
pub struct Shy { n: u8 }
impl Shy {
    pub fn add(&mut self) { self.n += 1; }
    pub fn get(&self) -> u8 { if self.n == 2 { std::process::abort() } self.n }
    pub fn third(&self) { if self.n == 3 { panic!("three") } }
}
"##;

#[test]
fn an_accessor_that_ends_the_process_is_a_finding_and_hides_no_state() {
    let fixture = Fixture::of("api_sequences::shy", "", SHY);
    let events = api(&fixture, &[]);
    let findings = events.with_reason("finding");
    let mut found: Vec<_> =
        findings.iter().map(|found| (found["kind"].as_str(), &found["functions"])).collect();
    found.sort_by_key(|(kind, _)| *kind);
    let (get, third) = (serde_json::json!(["Shy::get"]), serde_json::json!(["Shy::third"]));
    assert_eq!(found, [(Some("abort"), &get), (Some("panic"), &third)], "{findings:#?}");
}

/// Functions whose results fail only when they are looked at.
const RESULTS: &str = r##"
pub struct Date { month: u8 }
impl Date {
    pub fn name(&self) -> &'static str { ["Jan", "Feb", "Mar"][self.month as usize] }
    pub fn stop(&self) { if self.month == 2 { std::process::abort() } }
}
pub fn parse(month: u8) -> Option<Date> { if month < 4 { Some(Date { month }) } else { None } }
#[derive(Clone)]
pub struct Odd(u8);
impl std::fmt::Debug for Odd {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { assert!(self.0 != 5, "five"); f.write_str("odd") }
}
pub fn odd(n: u8) -> Result<Odd, String> { if n < 9 { Ok(Odd(n)) } else { Err("even".into()) } }
pub fn both(n: u8) -> (u8, Vec<Date>) { (n, vec![Date { month: 0 }, Date { month: if n == 9 { 200 } else { 1 } }]) }
pub struct Down(u8);
impl Iterator for Down {
    type Item = u8;
    fn next(&mut self) -> Option<u8> { self.0 = self.0.checked_sub(1)?; Some(self.0) }
    fn size_hint(&self) -> (usize, Option<usize>) { let n = if self.0 == 1 { 2 } else { self.0 as usize }; (n, Some(n)) }
}
pub struct Exact(Down);
impl Iterator for Exact {
    type Item = u8;
    fn next(&mut self) -> Option<u8> { self.0.next() }
    fn size_hint(&self) -> (usize, Option<usize>) { self.0.size_hint() }
}
impl ExactSizeIterator for Exact {}
pub fn down(n: u8) -> impl Iterator<Item = u8> { Down(if n < 9 { 3 } else { 0 }) }
pub fn exact(n: u8) -> Exact { Exact(Down(if n < 9 { 3 } else { 0 })) }
pub fn turn(odd: &mut Odd) { odd.0 = 5; }
"##;

#[test]
fn results_are_taken_apart_and_the_printed_tests_fail() {
    let fixture = Fixture::of("api_sequences::results", "", RESULTS);
    let events = api(&fixture, &[]);
    let findings = events.with_reason("finding");
    let name = finding(&events, "Date::name");
    assert_eq!(calls(name).last(), Some(&"sample::Date::name(&sample::parse(3).unwrap())"), "{findings:#?}");
    // A process that ends while a result is read is a failure of the accessor only.
    let aborted: Vec<_> = findings.iter().filter(|finding| finding["kind"] == "abort").collect();
    assert!(aborted.len() == 1 && aborted[0]["functions"][0] == "Date::stop", "{aborted:#?}");
    let five = findings.iter().find(|finding| finding["message"] == "five").unwrap();
    assert_eq!(calls(five)[0], "let result = sample::odd(5)", "{five:#?}");
    assert_eq!(calls(five)[1], "format!(\"{:?}\", result.as_ref().ok().unwrap())", "{five:#?}");
    let alone = api(&fixture, &["--exact", "parse"]);
    let findings = alone.with_reason("finding");
    let stop = findings.iter().find(|finding| finding["kind"] == "abort");
    let stop = stop.unwrap_or_else(|| panic!("nothing else tests it: {findings:#?}"));
    assert!(calls(stop)[1].starts_with("sample::Date::stop(&result"), "{stop:#?}");
    let only = api(&fixture, &["--exact", "both"]);
    let both = finding(&only, "both");
    assert_eq!(calls(both)[1], "sample::Date::name(&result.1.last().unwrap())", "{both:#?}");
    // The same mistake of `exact` is a finding of the law of its type.
    finding(&events, "Exact as Iterator");
    let tests = [five, both, finding(&events, "down")].map(|finding| finding["test"].as_str().unwrap());
    fixture.write("tests/found.rs", &tests.join("\n"));
    let tested = fixture.cargo(&["test", "--target-dir", "own", "--test", "found"]).output().unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    assert!(said.contains("0 passed; 3 failed"), "{said}{}", String::from_utf8_lossy(&tested.stderr));
}

/// Function pointers, hashers, and constant parameters.
const PASSED: &str = r##"
use std::hash::{BuildHasher, Hasher};
use std::io::{Read, Seek, SeekFrom};
pub fn apply(f: fn(u8) -> u8, n: u8) -> u8 { 10 / f(n) }
pub fn some(xs: &[i32], f: fn(&i32) -> bool) { let n = xs.iter().filter(|x| f(x)).count(); if n > 0 && n < xs.len() { panic!("some") } }
pub fn threads<F: Fn(u8) -> bool + Sync>(f: F, n: u8) { if std::thread::scope(|s| s.spawn(|| f(n)).join().unwrap()) && n == 7 { panic!("seven") } }
pub fn pointer(f: fn(u8) -> bool, n: u8) { if std::thread::scope(|s| s.spawn(|| f(n)).join().unwrap()) && n == 7 { panic!("seven") } }
pub fn feed<H: Hasher>(h: &mut H, n: u8) { h.write_u8(n); if n == 7 { panic!("seven") } }
pub fn own(mut h: impl Hasher, n: u8) -> u64 { h.write_u8(n); if n == 7 { panic!("seven") } h.finish() }
pub fn of_dyn(h: &mut dyn Hasher, n: u8) { h.write_u8(n); if n == 7 { panic!("seven") } }
pub fn build<S: BuildHasher>(s: &S, n: u8) -> u64 { if n == 7 { panic!("seven") } s.hash_one(n) }
pub fn seek(mut s: impl Read + Seek) -> u8 { let mut b = [0]; s.seek(SeekFrom::Start(2)).unwrap(); s.read_exact(&mut b).unwrap(); b[0] }
pub fn flag<const B: bool>(n: u8) -> u8 { if B && n == 7 { panic!("seven") } n }
pub fn letter<const C: char>(n: u8) -> u8 { if C == 'a' && n == 7 { panic!("seven") } n }
pub fn width<const N: usize>(n: u8) -> u8 { if n as usize == N { panic!("three") } n }
"##;

#[test]
fn function_pointers_hashers_and_constants_are_passed_and_the_printed_tests_fail() {
    let fixture = Fixture::of("api_sequences::passed", "", PASSED);
    let events = api(&fixture, &[]);
    let unreached = events.with_reason("unreached");
    assert!(unreached.is_empty(), "{unreached:#?}");
    let names: Vec<&str> =
        PASSED.lines().filter_map(|line| line.strip_prefix("pub fn ")?.split(['(', '<']).next()).collect();
    let tests: Vec<&str> =
        names.iter().map(|name| finding(&events, name)["test"].as_str().unwrap()).collect();
    fixture.write("tests/found.rs", &tests.join("\n"));
    let tested = fixture.cargo(&["test", "--target-dir", "own", "--test", "found"]).output().unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    let expected = format!("0 passed; {} failed", names.len());
    assert!(said.contains(&expected), "{said}{}", String::from_utf8_lossy(&tested.stderr));
}

/// A function that hangs on long lists only, one whose type parameter is only in its result, and a type whose constructor
/// stores what it gets.
const STRANGE: &str = r##"
pub fn spin(xs: &[i64]) { while xs.len() > 9 { std::hint::spin_loop() } }
pub struct Cache<V> { slots: Vec<V> }
impl<V> Cache<V> {
    pub fn with_room(n: u8) -> Self { if n == 9 { panic!("nine") } Cache { slots: Vec::new() } }
    pub fn len(&self) -> usize { self.slots.len() }
}
#[derive(Clone, Copy, Debug, Default)]
pub struct Money { raw: i64 }
impl Money {
    pub const ZERO: Money = Money { raw: 0 };
    pub fn whole(n: i32) -> Money { Money { raw: n as i64 * 100 } }
    pub const fn from_raw(cents: i64) -> Self { Self { raw: cents } }
    pub fn abs(self) -> Money { Money { raw: self.raw.saturating_abs() } }
    pub fn least(self, other: Money) -> Money { if self.raw < other.raw { self } else { other } }
    pub fn rest(self, other: Money) -> Money { if other.raw == 0 { self } else { Money { raw: self.raw % other.raw } } }
}
"##;

#[test]
fn hangs_are_shrunk_and_constructors_that_store_their_arguments_make_all_values() {
    let fixture = Fixture::of("api_sequences::strange", "", STRANGE);
    let events = api(&fixture, &[]);
    let spin = finding(&events, "spin");
    assert_eq!((&spin["rank"], &spin["kind"]), (&"likely".into(), &"hang".into()), "{spin:#?}");
    assert_eq!(calls(spin), ["sample::spin(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0])"]);
    let rest = finding(&events, "Money::rest");
    let [call] = calls(rest)[..] else { panic!("{rest:#?}") };
    assert!(call.contains("Money::from_raw(-9223372036854775808), sample::Money::from_raw(-1)"), "{call}");
    let tests = [rest, finding(&events, "Cache::with_room")].map(|found| found["test"].as_str().unwrap());
    fixture.write("tests/found.rs", &tests.join("\n"));
    let tested = fixture.cargo(&["test", "--target-dir", "own", "--test", "found"]).output().unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    assert!(said.contains("0 passed; 2 failed"), "{said}{}", String::from_utf8_lossy(&tested.stderr));
}

/// Functions that fail at some instances only.
const GENERIC: &str = r##"
#[derive(Debug, Clone, Default)]
pub struct Stack<T> { items: Vec<T> }
impl<T> Stack<T> {
    pub fn new() -> Self { Stack { items: Vec::new() } }
    pub fn push(&mut self, x: T) { self.items.push(x) }
    pub fn free(&self) -> usize { if self.items.is_empty() { 0 } else { 100 / std::mem::size_of::<T>() } }
    pub fn second(&self) -> &T { &self.items[1] }
}
impl<T: Ord> Stack<T> { pub fn sort(&mut self) { self.items.sort() } }
pub fn largest<T: PartialOrd + Copy>(xs: &[T]) -> Option<T> {
    let mut most = *xs.first()?;
    for x in xs { if *x > most { most = *x } }
    assert!(xs.iter().all(|x| *x <= most), "not the largest");
    Some(most)
}
pub fn longest<T: PartialEq + ToString>(xs: Vec<T>) -> usize {
    if xs.iter().any(|x| x.to_string() == "") { panic!("an empty text") }
    xs.len()
}
pub trait Shape { fn area(&self) -> u32; }
pub struct Square(pub u8);
pub struct Circle(pub u8);
impl Shape for Square { fn area(&self) -> u32 { 1 + u32::from(self.0) } }
impl Shape for Circle { fn area(&self) -> u32 { u32::from(self.0) } }
pub fn per_area<S: Shape>(shape: S) -> u32 { 10 / shape.area() }
pub struct Ring<const N: usize> { items: [u8; N] }
impl<const N: usize> Ring<N> {
    pub fn new() -> Self { Ring { items: [0; N] } }
    pub fn last(&self) -> u8 { self.items[N - 1] }
    pub fn inner(&self) -> u8 { if N == 1 { panic!("no inner item") } else { 0 } }
}
pub struct Mode<const FAST: bool> { n: u8 }
impl<const FAST: bool> Mode<FAST> {
    pub fn new(n: u8) -> Self { Mode { n } }
    pub fn go(&self) -> u8 { if FAST { 0 } else { 10 / self.n } }
}
pub fn after(range: impl std::ops::RangeBounds<usize>) -> usize {
    if let std::ops::Bound::Included(n) = range.end_bound() { n + 1 } else { 0 }
}
"##;

#[test]
fn generic_functions_are_tested_at_several_types_and_each_place_is_told_once() {
    let fixture = Fixture::of("api::generic", "", GENERIC);
    let events = fixture.run_as_is(&["--api", "--cases", "4000", "--budget", "60s"]);
    let unreached = events.with_reason("unreached");
    assert!(unreached.is_empty(), "{unreached:#?}");
    let findings = events.with_reason("finding");
    let names: Vec<&str> = findings.iter().map(|one| one["functions"][0].as_str().unwrap()).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    let expected = [
        "Mode::go [FAST = false]",
        "Ring::inner [N = 1]",
        "Ring::last [N = 0]",
        "Stack::free [T = ()]",
        "Stack::second",
        "after [range = (Bound<usize>, Bound<usize>)]",
        "largest [T = f64]",
        "longest [T = String]",
        "per_area [S = Circle]",
    ];
    assert_eq!(sorted, expected, "{findings:#?}");
    assert_eq!(
        finding(&events, "Stack::second")["functions"],
        serde_json::json!(["Stack::second", "Stack::new"])
    );
    assert_eq!(events.all.last().unwrap()["functions"], 16, "{:#?}", events.all.last());
    let tests: Vec<&str> = findings.iter().map(|one| one["test"].as_str().unwrap()).collect();
    fixture.write("tests/found.rs", &tests.join("\n"));
    let tested = fixture.cargo(&["test", "--target-dir", "own", "--test", "found"]).output().unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    assert!(said.contains("0 passed; 9 failed"), "{said}{}", String::from_utf8_lossy(&tested.stderr));
    // The name of a function is also that of all its instances.
    let one = api(&fixture, &["--exact", "largest"]);
    assert_eq!(one.with_reason("function-finished").len(), 3);
    let one = api(&fixture, &["--exact", "largest [T = f64]"]);
    assert_eq!(one.with_reason("function-finished").len(), 1);
}

/// Laws that hold at the first instance.
const LAWFUL_AT_FIRST: &str = r##"
#[derive(Debug)]
pub struct Bag<T> { items: Vec<T> }
impl<T> Bag<T> {
    pub fn new() -> Bag<T> { Bag { items: Vec::new() } }
    pub fn add(&mut self, item: T) { self.items.push(item) }
}
impl<T: PartialEq> PartialEq for Bag<T> {
    fn eq(&self, other: &Bag<T>) -> bool { size_of::<T>() <= 8 || self.items.len() <= other.items.len() }
}
#[derive(Debug, PartialEq, Eq)]
pub struct Ranked<T> { pub rank: T }
impl<T: Ord> Ord for Ranked<T> {
    fn cmp(&self, other: &Ranked<T>) -> std::cmp::Ordering { self.rank.cmp(&other.rank) }
}
impl<T: Ord> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Ranked<T>) -> Option<std::cmp::Ordering> {
        if size_of::<T>() > 8 { None } else { Some(self.cmp(other)) }
    }
}
"##;

#[test]
fn laws_of_generic_types_are_checked_at_several_types() {
    let fixture = Fixture::of("api::generic_laws", "", LAWFUL_AT_FIRST);
    let events = api(&fixture, &[]);
    assert!(events.with_reason("unreached").is_empty(), "{:#?}", events.all);
    let findings = events.with_reason("finding");
    let mut names: Vec<&str> = findings.iter().map(|one| one["functions"][0].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["Bag<String> as PartialEq", "Ranked<String> as Ord", "Ranked<String> as PartialOrd"],
        "{findings:#?}"
    );
    assert!(findings.iter().all(|one| one["kind"] == "law"), "{findings:#?}");
    let rows = events.with_reason("function-finished");
    let has = |name: &str| rows.iter().any(|row| row["function"] == name);
    // What has no order is not ordered.
    assert!(
        has("Bag<f64> as PartialEq") && has("Ranked<()> as Ord") && !has("Ranked<f64> as Ord"),
        "{rows:#?}"
    );
}

#[test]
fn instances_that_a_crate_rejects_at_compile_time_are_told_and_cost_no_others() {
    let library = "
        pub struct Few<const N: usize> { n: u8 }
        impl<const N: usize> Few<N> {
            const OK: () = assert!(N > 0, \"at least one\");
            pub fn new(n: u8) -> Self { let () = Self::OK; Few { n } }
            pub fn get(&self) -> u8 { if N == 1 { 1 + self.n } else { 0 } }
        }
        pub fn sized<T: Clone>(x: T) -> T { const { assert!(size_of::<T>() > 0, \"a size\") }; x.clone() }
        pub fn other<T: Clone>(x: T) -> usize { if size_of::<T>() > 8 { panic!(\"too large\") } else { 0 } }
        pub struct Only<T>(T);
        impl Only<i64> { pub fn new(x: i64) -> Self { Only(x) } }
        pub fn some<T>(x: Only<T>) -> usize { size_of::<T>() }";
    let fixture = Fixture::of("api::rejected", "", library);
    let events = api(&fixture, &[]);
    let unreached = events.with_reason("unreached");
    let names: Vec<&str> = unreached.iter().map(|one| one["function"].as_str().unwrap()).collect();
    let together = ["Few::new [N = 0]", "Few::get [N = 0]", "sized [T = ()]", "other [T = ()]"];
    let unmade = ["some [T = String]", "some [T = ()]"];
    let mut expected = [&together[..], &unmade].concat();
    expected.sort_unstable();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected, "{unreached:#?}");
    let why = |key: &str| {
        let one = unreached.iter().find(|one| one["function"] == key).unwrap();
        one["why"].as_str().unwrap().to_owned()
    };
    for key in together {
        assert!(why(key).starts_with("left out together with others, of which some do not compile: "));
    }
    assert_eq!(why(unmade[0]), "no public function makes a `Only<String>`");
    assert_eq!(finding(&events, "Few::get [N = 1]")["kind"], "overflow");
    // An innocent instance at another type is not given up.
    assert_eq!(finding(&events, "other [T = String]")["kind"], "panic");
    assert_eq!(events.with_reason("run-started")[0]["functions"], 6);
    assert_eq!(events.all.last().unwrap()["functions"], 6);
    // The name of a function is also that of its instances that are not reached.
    let some = api(&fixture, &["--exact", "some"]);
    let listed = some.with_reason("unreached");
    assert_eq!(listed.iter().map(|one| one["function"].as_str().unwrap()).collect::<Vec<_>>(), unmade);
}
