//! Types of functions: Rust code in their conditions, pointers inside of values, results that borrow; iterators and
//! types that stand for other crates' traits; and conditions on the results of calls, which are solved for.

use crate::support::{Events, Fixture};

/// The counterexamples' tests in a file of the crate, which all fail.
pub fn paste(fixture: &Fixture, events: &Events, functions: &[&str]) {
    let mut tests = String::new();
    for function in functions {
        let found = &events.of(function, "auto")["counterexample"];
        let test = found["test"].as_str().unwrap();
        assert!(!test.contains("assert here what is wanted"), "{test}");
        tests += &format!("mod {function} {{\n{test}\n}}\n");
    }
    fixture.write("tests/pasted.rs", &tests);
    let output =
        fixture.cargo(&["test", "--quiet", "--target-dir", "own", "--test", "pasted"]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains(&format!("FAILED. 0 passed; {} failed", functions.len())), "{printed}\n{tests}");
}

/// The number of inputs that each generator ran, if it exhausted the space.
pub fn counts(events: &Events, known: &[(&str, u64)]) {
    for (function, n) in known {
        for generator in ["native", "smt", "enumerative"] {
            let row = events.of(function, generator);
            assert_eq!(
                (&row["verdict"], &row["exhausted"], &row["valid"], &row["distinct"]),
                (&"passed".into(), &true.into(), &(*n).into(), &(*n).into()),
                "{function} by {generator}: {row:#}"
            );
        }
    }
}

#[test]
fn rust_code_in_the_type_of_a_function_is_judged_call_by_call() {
    let tables = r#"[package.metadata.target.functions]
powers = "fn(f: fn(x: {x: u8 | where x.is_power_of_two()}) -> {r: u8 | where *r >= *x}) -> u8"
outside = "fn(f: fn(x: {x: u8 | where x.is_power_of_two()}) -> u8, n: u8) -> u8"
broken = "fn(f: fn(x: u8) -> {r: u8 | where [true][*r as usize + *x as usize]}) -> u8"
"#;
    let source = "pub fn powers(f: impl Fn(u8) -> u8) -> u8 {
        let (a, b) = (f(1), f(2));
        assert!(a >= 1 && b >= 2);
        a.wrapping_add(b)
    }
    pub fn outside(f: impl Fn(u8) -> u8, n: u8) -> u8 { if n == 3 { f(n) } else { 0 } }
    pub fn broken(f: impl Fn(u8) -> u8) -> u8 { f(1) }";
    let fixture = Fixture::of("function_types::rust", tables, source);
    // From 1 to 4, and from 2 to 4.
    counts(&fixture.run(&["-g", "native,smt,enumerative", "--exact", "powers"]), &[("powers", 12)]);
    let events = fixture.run_as_is(&["-g", "auto"]);
    let (args, kind) = events.counterexample("outside", "auto");
    assert_eq!((args, kind), (vec!["|_| unreachable!()", "3"], "argument"));
    let found = &events.of("outside", "auto")["counterexample"];
    assert_eq!(found["clause"], "where x.is_power_of_two()", "{found:#}");
    assert_eq!(events.verdict("broken", "auto"), "error");
}

const POINTERS: &str = r#"[package.metadata.target.functions]
optional = "fn(f: Option<fn(x: bool) -> bool>) -> bool"
held = "fn(h: &Held) -> bool"
listed = "fn(all: [fn(x: &u8) -> bool; 2]) -> bool"
borrowed = "fn(f: &fn(x: &u8) -> u8) -> {r: u8 | r < 4}"
either = "fn(f: Option<fn(x: u8) -> u8>, all: [fn(x: &u8) -> u8; 1]) -> {r: u8 | r != 3}"
"#;

#[test]
fn function_pointers_inside_of_values_are_tables() {
    let source = "pub struct Held { pub run: fn(bool) -> bool }
    pub fn optional(f: Option<fn(bool) -> bool>) -> bool { f.is_none_or(|f| f(true)) }
    pub fn held(h: &Held) -> bool { (h.run)(false) ^ (h.run)(true) }
    pub fn listed(all: [fn(&u8) -> bool; 2]) -> bool { all[0](&1) ^ all[1](&1) }
    pub fn borrowed(f: &fn(&u8) -> u8) -> u8 { f(&2) }
    pub fn either(f: Option<fn(u8) -> u8>, all: [fn(&u8) -> u8; 1]) -> u8 {
        match f { Some(f) if f(1) == 2 => all[0](&f(1)), _ => 0 }
    }";
    let fixture = Fixture::of("function_types::pointers", POINTERS, source);
    let events = fixture.run(&["-g", "native,smt,enumerative", "optional", "held", "listed"]);
    counts(&events, &[("optional", 3), ("held", 4), ("listed", 4)]);
    let events = fixture.run_as_is(&["-g", "auto"]);
    assert_eq!(events.counterexample("borrowed", "auto").0, ["&|_| 4"]);
    assert_eq!(events.counterexample("either", "auto").0, ["Some(|_| 2)", "[|_| 3]"]);
    paste(&fixture, &events, &["borrowed", "either"]);
    let again = fixture.run_as_is(&["--exact", "either", "--case", "(Some(|_| 2), [|_| 3])"]);
    assert_eq!(again.verdict("either", "auto"), "failed");
}

#[test]
fn a_returned_function_may_have_conditions_on_the_arguments_before() {
    let tables = r#"[package.metadata.target.functions]
outside = "fn(make: fn(i: u8) -> fn(j: {j: u8 | j <= i}) -> bool, x: {x: u8 | x < 255}) -> bool"
wrong = "fn(make: fn(i: u8) -> fn(j: u8) -> {r: u8 | r <= i}, x: u8) -> {r: u8 | r <= x}"
right = "fn(make: fn(i: u8) -> fn(j: u8) -> {r: u8 | r <= i}, x: u8) -> {r: u8 | r <= x}"
solved = "fn(make: fn(i: i64) -> fn(j: i64) -> {r: i64 | r == 3 * i + j + 1000}, x: {x: i64 | x.abs() < 1000}) -> {r: i64 | r == 4 * x + 1001}"
three = "fn(make: fn(i: u8) -> fn(j: u8) -> fn(k: u8) -> {r: u8 | i <= r && j <= r && r <= k}, x: {x: u8 | x < 9}) -> {r: u8 | r < 6}"
"#;
    let source = "type Made<B> = Box<dyn Fn(u8) -> B>;
    pub fn outside(make: &dyn Fn(u8) -> Made<bool>, x: u8) -> bool { make(x)(x) && !make(x)(x + 1) }
    pub fn wrong(make: &dyn Fn(u8) -> Made<u8>, x: u8) -> u8 {
        let f = make(x);
        if (f(0), f(1)) == (2, 1) { x + 1 } else { f(0) }
    }
    pub fn right(make: &dyn Fn(u8) -> Made<u8>, x: u8) -> u8 { let f = make(x); f(0).max(f(x)) }
    pub fn solved(make: impl Fn(i64) -> Box<dyn Fn(i64) -> i64>, x: i64) -> i64 { make(x)(x + 1) }
    pub fn three(make: &dyn Fn(u8) -> Made<Made<u8>>, x: u8) -> u8 { make(x)(1)(8) }";
    let fixture = Fixture::of("function_types::outer", tables, source);
    let events = fixture.run_as_is(&["-g", "auto", "--budget", "20s", "--cases", "3000"]);
    assert_eq!(events.counterexample("outside", "auto").1, "argument");
    let message = &events.of("outside", "auto")["counterexample"]["message"];
    assert_eq!(message, "make(0)(1)");
    let (args, _) = events.counterexample("wrong", "auto");
    assert!(args[0].contains("2 => Box::new(|j| match j { 0 => 2, 1 => 1,") && args[1] == "2", "{args:?}");
    for function in ["right", "solved"] {
        let row = events.of(function, "auto");
        assert!(row["verdict"] == "passed" && row["valid"].as_u64() > Some(0), "{row:#}");
    }
    assert_eq!(events.counterexample("three", "auto").1, "result");
    paste(&fixture, &events, &["outside", "wrong", "three"]);
}

const ITERATORS: &str = r#"[package.metadata.target.functions]
summed = "fn(it: impl Iterator<Item = {v: u32 | v < 9}>) -> {r: u32 | r == it.iter().sum()}"
dynamic = "fn(it: &mut dyn Iterator<Item = u8>) -> Option<u8> ensures it.len() + 1 >= old(it).len()"
boxed = "fn(it: Box<dyn Iterator<Item = u8>>) -> usize"
generic = "fn(a: impl IntoIterator<Item = bool>, b: {b: impl DoubleEndedIterator<Item = bool> | b.len() <= 1}) -> bool"
written = "fn(out: &mut Vec<u8>, n: u8) ensures out.len() == old(out).len() + 1"
shown = "fn(d: &u8) -> {s: String | s.len() == 3}"
priced = "fn(p: &Flat) -> {v: u8 | v < 4}"
"#;

#[test]
fn iterators_are_lists_and_types_stand_for_the_traits_of_other_crates() {
    let source = "use std::{fmt::Display, io::Write};
    pub trait Pricing { fn price(&self) -> u8; }
    #[derive(Debug)] pub struct Flat { pub price: u8 }
    impl Pricing for Flat { fn price(&self) -> u8 { self.price } }
    pub fn summed(it: impl Iterator<Item = u32>) -> u32 { it.take(3).sum() }
    pub fn dynamic(it: &mut dyn Iterator<Item = u8>) -> Option<u8> { it.next().filter(|n| *n < 3).or_else(|| it.next()) }
    pub fn boxed(it: Box<dyn Iterator<Item = u8>>) -> usize { it.count() }
    pub fn generic<I: IntoIterator<Item = bool>>(a: I, mut b: impl DoubleEndedIterator<Item = bool>) -> bool {
        a.into_iter().any(|x| x) ^ b.next_back().is_some()
    }
    pub fn written(out: &mut dyn Write, n: u8) { out.write_all(&[n]).unwrap(); if n == 3 { out.write_all(&[n]).unwrap(); } }
    pub fn shown(d: &dyn Display) -> String { format!(\"<{d}>\") }
    pub fn priced(p: &dyn Pricing) -> u8 { p.price() }
    ";
    let fixture = Fixture::of("function_types::iterators", ITERATORS, source);
    let events = fixture.run(&["-g", "native,smt,enumerative", "--depth", "2", "generic"]);
    // 1 + 2 + 4 lists, and 1 + 2.
    counts(&events, &[("generic", 21)]);
    let events = fixture.run_as_is(&["-g", "auto"]);
    let failed: [(&str, &[&str]); 5] = [
        ("summed", &["vec![0, 0, 0, 1]"]),
        ("dynamic", &["&mut vec![3, 0]"]),
        ("written", &["&mut vec![]", "3"]),
        ("shown", &["&10"]),
        ("priced", &["&sample::Flat { price: 4 }"]),
    ];
    for (function, args) in failed {
        assert_eq!(events.counterexample(function, "auto").0, args, "{function}");
    }
    assert_eq!(events.verdict("boxed", "auto"), "passed");
    paste(&fixture, &events, &["summed", "written", "shown", "priced"]);
}

#[test]
fn traits_have_associated_types_and_supertraits_of_the_crate() {
    let tables = r#"[package.metadata.target.functions]
derived = "fn(d: &dyn Derived) -> bool"
pulled = "fn(s: &mut dyn Source<Item = bool>) -> usize"
generic = "fn(s: impl Source<Item = {v: u8 | v < 2}>) -> usize"
keyed = "fn(k: &dyn Keyed<u8, Value = bool>) -> bool"
wrong = "fn(d: &dyn Derived, s: &mut dyn Source<Item = u8>) -> {r: u8 | r < 7}"
first = "fn(s: impl Source<Item = u8>, other: u8) -> {r: Result<u8, u8> | r != Ok(2)}"
both = "fn(s: Two, x: String) -> {r: Option<u8> | r.is_none()}"
held = "fn(h: Held<Two>) -> {r: u8 | r < 3}"
"#;
    let source = "pub trait Named { fn name(&self) -> bool; fn twice(&self) -> u8 { u8::from(self.name()) * 2 } }
    pub trait Base: Named {}
    pub trait Derived: Base { fn more(&self) -> bool; }
    pub struct Unit;
    impl Named for Unit { fn name(&self) -> bool { true } }
    impl Base for Unit {}
    impl Derived for Unit { fn more(&self) -> bool { true } }
    pub trait Source { type Item; fn pull(&mut self) -> Option<Self::Item>; }
    pub trait Keyed<K> { type Value; fn at(&self, key: K) -> Self::Value; }
    pub fn derived(d: &dyn Derived) -> bool { d.twice() == 2 && d.more() || d.more() }
    pub fn pulled(s: &mut dyn Source<Item = bool>) -> usize { s.pull().map_or(0, usize::from) + s.pull().map_or(0, usize::from) }
    pub fn generic<S: Source<Item = u8>>(mut s: S) -> usize { s.pull().map_or(0, usize::from) }
    pub fn keyed(k: &dyn Keyed<u8, Value = bool>) -> bool { k.at(1) ^ k.at(2) }
    pub fn first<S: Source>(mut s: S, other: S::Item) -> Result<<S as Source>::Item, S::Item> { s.pull().ok_or(other) }
    pub trait Other { type Item; fn other(&self) -> Self::Item; }
    #[derive(Debug)] pub struct Two { pub n: u8 }
    impl Source for Two { type Item = u8; fn pull(&mut self) -> Option<u8> { Some(self.n) } }
    impl Other for Two { type Item = String; fn other(&self) -> String { String::new() } }
    pub fn both<S: Source + Other>(mut s: S, _: <S as Other>::Item) -> Option<<S as Source>::Item> { s.pull() }
    pub struct Held<S: Source> { pub s: S, pub item: S::Item }
    pub fn held(h: Held<Two>) -> u8 { h.item }
    pub fn wrong(d: &dyn Derived, s: &mut dyn Source<Item = u8>) -> u8 {
        if d.name() && !d.more() && s.pull() == Some(3) { 7 } else { 0 }
    }
    ";
    let fixture = Fixture::of("function_types::traits", tables, source);
    let events = fixture.run(&["-g", "native,smt,enumerative", "derived", "pulled", "generic", "keyed"]);
    // Four tables and `Unit`; `None` or one of two values, twice and once; two of two keys.
    counts(&events, &[("derived", 5), ("pulled", 9), ("generic", 3), ("keyed", 4)]);
    let events = fixture.run_as_is(&["-g", "auto", "wrong", "first", "both", "held"]);
    assert_eq!(events.counterexample("both", "auto").0, ["sample::Two { n: 0 }", "String::from(\"\")"]);
    assert_eq!(
        events.counterexample("held", "auto").0,
        ["sample::Held { s: sample::Two { n: 0 }, item: 3 }"]
    );
    assert_eq!(events.counterexample("first", "auto").0, ["sample::Source { pull: || Some(2) }", "0"]);
    assert_eq!(
        events.counterexample("wrong", "auto").0,
        ["&sample::Derived { name: || true, more: || false }", "&mut sample::Source { pull: || Some(3) }",]
    );
    paste(&fixture, &events, &["wrong", "first", "both", "held"]);
}

#[test]
fn preconditions_on_the_results_of_calls_are_solved_for() {
    let tables = r#"[package.metadata.target.functions]
squares = "fn(f: fn(x: u8) -> u8) -> u8 requires (0..5).all(|i| f(i) == i * i + 100)"
ascending = "fn(f: fn(x: u8) -> u8, n: u8) -> u8 requires 1000 < 100 * f(n) && f(n) < f(n + 1) && n < 200"
nested = "fn(op: fn(a: u8, b: u8) -> u8) -> u8 requires op(op(1, 2), 3) == 40 && op(1, op(2, 3)) == 41"
never = "fn(f: fn(x: u8) -> u8) -> u8 requires f(1) < f(1)"
priced = "fn(p: &dyn Pricing, n: u8) -> u8 requires p.price(n) == 77"
"#;
    let source = "pub trait Pricing { fn price(&self, n: u8) -> u8; }
    pub fn squares(f: impl Fn(u8) -> u8) -> u8 { assert!(f(3) != 109); 0 }
    pub fn ascending(f: impl Fn(u8) -> u8, n: u8) -> u8 { assert!(f(n) > 10 && f(n) < f(n + 1)); assert!(n != 7); 0 }
    pub fn nested(op: impl Fn(u8, u8) -> u8) -> u8 { let x = op(1, 2); assert!(op(x, 3) != 40 || x != 1); 0 }
    pub fn never(f: impl Fn(u8) -> u8) -> u8 { f(1) }
    pub fn priced(p: &dyn Pricing, n: u8) -> u8 { assert!(p.price(n) == 77); assert!(n != 9); 0 }
    ";
    let events = Fixture::of("function_types::required", tables, source).run_as_is(&["-g", "auto"]);
    let found = |function: &str| events.counterexample(function, "auto");
    assert_eq!(found("squares").1, "panic");
    assert!(found("squares").0[0].contains("3 => 109"), "{:?}", found("squares"));
    assert_eq!(found("ascending").0[1], "7");
    assert_eq!(found("nested").1, "panic");
    assert_eq!(found("priced").0[1], "9");
    assert_eq!(events.verdict("never", "auto"), "vacuous");
}

const BORROWED: &str = r#"[package.metadata.target.traits]
Honest = "trait Sink { fn write(&mut self, b: &[u8]) -> {r: Result<usize, u8> | r.is_ok() ==> r.unwrap() <= b.len()}; }"

[package.metadata.target.functions]
oldest = "fn(p: &Person, parent: fn(p: &Person) -> &Person) -> {r: u8 | r < 3}"
slices = "fn(f: fn(x: &[u8]) -> &[String], x: &[u8]) -> {n: usize | n < 2}"
port = "fn(c: &dyn Config) -> u16"
first = "fn(c: &dyn Config) -> {n: u8 | n < 1}"
copy = "fn(data: &[u8], out: &mut dyn Honest) -> Result<usize, u8>"
text = "fn(f: fn(x: &u8) -> Option<&String>) -> {r: usize | r < 2}"
asked = "fn(f: fn(g: fn(x: u8) -> &String) -> &String) -> {r: usize | r < 1}"
made = "fn(f: fn(i: u8) -> fn(g: fn(x: u8) -> u8) -> u8) -> {r: u8 | r < 2}"
all = "fn(fs: Vec<fn(g: fn(x: u8) -> u8) -> &String>) -> {r: usize | r < 1}"
cow = "fn(f: fn(x: Cow<str>, y: Box<str>) -> Cow<str>) -> {r: usize | r < 2}"
listed = "fn(xs: Vec<&String>, n: u8) -> {r: Option<&String> | r.is_none()}"
boxed = "fn(xs: &mut Vec<&String>, n: Box<&u8>) -> bool ensures xs.len() < 1"
"#;

#[test]
fn results_that_borrow_outlive_the_closures_of_a_pasted_test() {
    let source = "use std::borrow::Cow;
    #[derive(Debug, PartialEq)] pub struct Person { pub name: String, pub age: u8 }
    pub trait Config { fn get(&self, key: &str) -> Option<&str>; fn owner(&self) -> &Person; }
    pub trait Sink { fn write(&mut self, b: &[u8]) -> Result<usize, u8>; }
    pub fn oldest<'a>(p: &'a Person, parent: impl Fn(&'a Person) -> &'a Person) -> u8 { parent(p).age }
    pub fn slices<'a>(f: impl Fn(&'a [u8]) -> &'a [String], x: &'a [u8]) -> usize { f(x).len() }
    pub fn port(c: &dyn Config) -> u16 { c.get(\"port\").unwrap_or(\"80\").parse().unwrap() }
    pub fn first(c: &dyn Config) -> u8 { c.owner().age }
    pub fn text<'a>(f: impl Fn(&u8) -> Option<&'a String>) -> usize { f(&1).map_or(0, |s| s.len()) }
    pub fn asked(f: impl Fn(&dyn Fn(u8) -> &'static String) -> &'static String) -> usize {
        f(&|_| Box::leak(Box::new(String::new()))).len()
    }
    pub fn made(f: impl Fn(u8) -> Box<dyn Fn(&dyn Fn(u8) -> u8) -> u8>) -> u8 { f(1)(&|_| 3) }
    pub fn all(fs: Vec<Box<dyn Fn(&dyn Fn(u8) -> u8) -> &'static String>>) -> usize { fs.iter().map(|f| f(&|x| x).len()).sum() }
    pub fn cow<'a>(f: impl Fn(Cow<'a, str>, Box<str>) -> Cow<'a, str>) -> usize {
        if f(\"a\".into(), \"b\".into()).is_empty() { f(\"\".into(), \"\".into()).len() } else { 0 }
    }
    pub fn listed<'a>(xs: Vec<&'a String>, _: u8) -> Option<&'a String> { xs.last().copied() }
    pub fn boxed(xs: &mut Vec<&String>, _: Box<&u8>) -> bool { xs.is_empty() }
    pub fn copy(data: &[u8], out: &mut dyn Sink) -> Result<usize, u8> {
        let mut n = 0;
        while n < data.len() { n += out.write(&data[n..])?; }
        Ok(n)
    }";
    let fixture = Fixture::of("function_types::borrowed", BORROWED, source);
    let events = fixture.run_as_is(&["-g", "auto"]);
    let failed: [(&str, &[&str]); 4] = [
        (
            "oldest",
            &[
                "&sample::Person { name: String::from(\"\"), age: 0 }",
                "|_| &sample::Person { name: String::from(\"\"), age: 3 }",
            ],
        ),
        ("slices", &["|_| &[String::from(\"\"), String::from(\"\")]", "&[]"]),
        ("port", &["&sample::Config { get: |_| Some(\"\"), owner: || unreachable!() }"]),
        // The subject calls for ever: the calls that are known all have this result.
        ("copy", &["&[0]", "&mut sample::Sink { write: |_| Ok(0) }"]),
    ];
    for (function, args) in failed {
        assert_eq!(events.counterexample(function, "auto").0, args, "{function}");
    }
    let others =
        ["oldest", "slices", "port", "first", "text", "asked", "made", "all", "cow", "listed", "boxed"];
    paste(&fixture, &events, &others);
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn mistakes_in_iterators_and_traits_are_explained() {
    let tables = r#"[package.metadata.target.traits]
Hashing = "trait std::hash::Hasher { fn finish(&self) -> {h: u64 | h < 9}; }"

[package.metadata.target.functions]
items = "fn(it: impl Iterator) -> usize"
other = { call = "items", spec = "fn(it: Iterator<Item = u8>) -> usize" }
written = "fn(out: &mut dyn Write)"
pulled = "fn(s: &dyn Source<Value = u8>)"
made = "fn(s: &dyn Made)"
sides = "fn(s: &impl Sides)"
lazy = "fn(l: Lazy<fn(x: u8) -> u8>)"
both = "fn(fs: (fn(x: u8) -> u8, u8)) -> u8 requires fs.0(1) == 2"
rules = "fn(all: &[Box<dyn Rule>]) -> {r: bool | r == all[0].holds()}"
"#;
    let source = "pub fn items(it: impl Iterator<Item = u8>) -> usize { it.count() }
pub fn written(_: &mut dyn std::io::Write) {}
pub trait Source { type Item; fn get(&self) -> Self::Item; }
pub trait Made { fn made() -> Self where Self: Sized; fn get(&self); }
pub fn pulled(_: &dyn Source<Item = u8>) {}
pub fn made(_: &dyn Made) {}
pub trait Sides { const N: u8; }
pub struct Square;
impl Sides for Square { const N: u8 = 4; }
pub fn sides<S: Sides>(_: &S) {}
pub struct Lazy<F> { pub f: F }
pub fn lazy<F: Fn(u8) -> u8>(_: Lazy<F>) {}
pub fn both<F: Fn(u8) -> u8>(fs: (F, u8)) -> u8 { fs.1 }
pub trait Rule { fn holds(&self) -> bool; }
pub fn rules(all: &[Box<dyn Rule>]) -> bool { all[0].holds() }
";
    let printed = Fixture::of("function_types::mistakes_in_traits", tables, source).target(&["check"]);
    expect_test::expect![[r#"
        error: the crate has no trait `std::hash::Hasher`
         --> Cargo.toml:9:18
          |
        9 | Hashing = "trait std::hash::Hasher { fn finish(&self) -> {h: u64 | h < 9}; }"
          |                  ^^^^^^^^^^^^^^^^^
          |
          = help: values are made of the crate's own traits; for others, name a type that has the trait, such as one of the crate that keeps the bytes

        error: what the iterator yields is missing: `Iterator<Item = T>`
          --> Cargo.toml:12:17
           |
        12 | items = "fn(it: impl Iterator) -> usize"
           |                 ^^^^^^^^^^^^^

        error: expected `,` or `>`, found `=`
          --> Cargo.toml:13:56
           |
        13 | other = { call = "items", spec = "fn(it: Iterator<Item = u8>) -> usize" }
           |                                                        ^

        error: the crate has no trait `Write`
          --> Cargo.toml:14:25
           |
        14 | written = "fn(out: &mut dyn Write)"
           |                         ^^^^^^^^^
           |
           = help: values are made of the crate's own traits; for others, name a type that has the trait, such as `Vec<u8>` or, of `std::fmt`, `String`: it then holds what was written

        error: these are not the arguments of `Source`
          --> Cargo.toml:15:18
           |
        15 | pulled = "fn(s: &dyn Source<Value = u8>)"
           |                  ^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: write `Source<Item = ..>`

        error: values of the trait `Made` can't be tables: its method `made` has no receiver; name a type that has the trait instead
          --> Cargo.toml:16:16
           |
        16 | made = "fn(s: &dyn Made)"
           |                ^^^^^^^^

        error: values of the trait `Sides` can't be tables: it has an associated constant, `N`; name a type that has the trait instead, such as `Square`
          --> Cargo.toml:17:17
           |
        17 | sides = "fn(s: &impl Sides)"
           |                 ^^^^^^^^^^

        error: a type argument of `Lazy` can't be a function
          --> Cargo.toml:18:15
           |
        18 | lazy = "fn(l: Lazy<fn(x: u8) -> u8>)"
           |               ^^^^^^^^^^^^^^^^^^^^^
           |
           = help: let a `call` make the value of a function: `call = "|f: Box<dyn Fn(u8) -> u8>, n: u8| force(Lazy { f, n })"`, with `spec = "fn(f: fn(x: u8) -> u8, n: u8) -> u8"`

        error: before the call, only functions that are parameters can be asked
          --> Cargo.toml:19:54
           |
        19 | both = "fn(fs: (fn(x: u8) -> u8, u8)) -> u8 requires fs.0(1) == 2"
           |                                                      ^^^^
           |
           = help: take each function as a parameter, and let a `call` put them together: `call = "|f: Box<dyn Fn(u8) -> u8>, g: Box<dyn Fn(u8) -> u8>, x: u8| both((f, g), x)"`

        error: only the methods of a parameter can be asked
          --> Cargo.toml:20:55
           |
        20 | rules = "fn(all: &[Box<dyn Rule>]) -> {r: bool | r == all[0].holds()}"
           |                                                       ^^^^^^
           |
           = help: take each value as a parameter, and let a `call` put them together: `call = "|a: Box<dyn Rule>, b: Box<dyn Rule>, x: u8| first(vec![a, b], x)"`

    "#]].assert_eq(&printed.stderr);
}
