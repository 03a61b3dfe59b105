//! Functions that a function returns, alone and inside of tuples, lists and maps: they are called, and the results are judged.

use crate::function_types::{counts, paste};
use crate::support::Fixture;

const RETURNED: &str = r#"[package.metadata.target.functions]
adder = "fn(n: i8) -> fn(x: i8) -> {r: i8 | r == x + n} requires -9 < n && n < 9 && -9 < x && x < 9"
boxed = "fn(n: u8) -> Box<dyn Fn(x: u8) -> {r: bool | r == (x > n)}>"
compose = "fn(f: fn(x: u8) -> u8, g: fn(x: u8) -> u8) -> fn(x: u8) -> {r: u8 | r == f(g(x))} ensures calls(g).len() == 1"
three = "fn(a: u8) -> fn(b: u8) -> fn(c: u8) -> {r: u32 | r == a + b + c}"
once = { call = "|s: String| move || s.len()", spec = "fn(s: String) -> FnOnce() -> {n: usize | n == s.len()}" }
halting = "fn(n: u8) -> fn(x: u8) -> u8 panics if x == 0"
told = "fn(f: fn(x: u8) -> u8, n: u8) -> {r: u8 | calls(f).len() == 1 && r == returns(f)[0]}"
"#;

const RETURNED_SOURCE: &str =
    "pub fn adder(n: i8) -> impl Fn(i8) -> i8 { move |x| if n == 3 && x == 2 { 0 } else { x + n } }
pub fn boxed(n: u8) -> Box<dyn Fn(u8) -> bool> { Box::new(move |x| x >= n) }
pub fn compose(f: impl Fn(u8) -> u8, g: impl Fn(u8) -> u8) -> impl Fn(u8) -> u8 { move |x| g(f(x)) }
pub fn three(a: u8) -> impl Fn(u8) -> Box<dyn Fn(u8) -> u32> {
    move |b| Box::new(move |c| u32::from(a) + u32::from(b) + if a == 2 && b == 1 { 7 } else { u32::from(c) })
}
pub fn told(f: impl Fn(u8) -> u8, n: u8) -> u8 { f(n).max(1) }
pub fn halting(n: u8) -> fn(u8) -> u8 { if n > 2 { |x| x } else { |x| 1 / x } }
";

#[test]
fn functions_that_are_returned_are_called_and_judged() {
    let fixture = Fixture::of("function_types::returned", RETURNED, RETURNED_SOURCE);
    let events = fixture.run_as_is(&["-g", "auto"]);
    let failed: [(&str, &[&str], &str); 6] = [
        ("adder", &["3", "2"], "adder(n)(x)"),
        ("boxed", &["0", "0"], "boxed(n)(x)"),
        ("compose", &["|_| 0", "|_| 1", "0"], "compose(f, g)(x)"),
        ("three", &["2", "1", "0"], "three(a)(b)(c)"),
        ("halting", &["3", "0"], "halting(3)(0)"),
        ("told", &["|_| 0", "0"], "told(|x| {"),
    ];
    for (function, args, call) in failed {
        assert_eq!(events.counterexample(function, "auto").0, args, "{function}");
        let test = events.of(function, "auto")["counterexample"]["test"].as_str().unwrap().to_owned();
        assert!(test.contains(call), "{test}");
    }
    assert_eq!(events.of("three", "auto")["call"], "three({})({})({})");
    let printed = fixture.target(&["run", "-g", "auto", "--exact", "adder"]).stdout;
    assert!(printed.contains(", by auto: adder(3)(2)\n"), "{printed}");
    assert_eq!(events.verdict("once", "auto"), "passed");
    paste(&fixture, &events, &["adder", "boxed", "compose", "three", "told"]);
    let again = fixture.run_as_is(&["--exact", "adder", "--case", "(3, 2)"]);
    assert_eq!(again.counterexample("adder", "auto").0, ["3", "2"]);
}

#[test]
fn functions_inside_of_results_are_called_with_the_same_arguments() {
    let tables = r#"[package.metadata.target.functions]
divider = "fn(n: u8) -> {f: Option<fn(x: u8) -> {r: u8 | r <= x}> | f.is_some() == (n > 0)}"
halves = "fn(n: u8) -> Option<fn(x: u8) -> {r: u8 | r <= x}>"
none = "fn(n: u8) -> {f: Option<fn(x: u8) -> u8> | f.is_some()}"
lengths = "fn(n: {n: u8 | n < 5}) -> {fs: Vec<fn(s: String) -> {r: usize | r >= s.len()}> | fs.len() == n}"
parsed = "fn(n: u8) -> Result<fn(x: u8) -> {r: u8 | r == x}, String>"
counted = "fn(n: u8) -> Option<fn(x: u8) -> {r: u8 | r != 2}>"
"#;
    let source = "pub fn divider(n: u8) -> Option<Box<dyn Fn(u8) -> u8>> {
        if n == 0 { None } else { Some(Box::new(move |x| if x == 3 { 4 } else { x / n })) }
    }
    pub fn halves(n: u8) -> Option<impl Fn(u8) -> u8> { (n > 2).then_some(|x| x / 2) }
    pub fn none(n: u8) -> Option<fn(u8) -> u8> { if n == 2 { None } else { Some(|x| x) } }
    pub fn lengths(n: u8) -> Vec<Box<dyn Fn(String) -> usize>> {
        (0..n).map(|i| Box::new(move |s: String| if i == 2 { 0 } else { s.len() }) as Box<_>).collect()
    }
    pub fn parsed(n: u8) -> Result<fn(u8) -> u8, String> {
        match n { 0 => Ok(|x| x), 1 => Ok(|x| x | 1), _ => Err(n.to_string()) }
    }
    pub fn counted(n: u8) -> Option<Box<dyn FnMut(u8) -> u8>> {
        let mut sum = n;
        Some(Box::new(move |x| { sum = sum.wrapping_add(x); sum }))
    }";
    let fixture = Fixture::of("function_types::inside_of_results", tables, source);
    counts(&fixture.run(&["-g", "native,smt,enumerative", "--exact", "halves"]), &[("halves", 25)]);
    let events = fixture.run_as_is(&["-g", "auto"]);
    let failed: [(&str, &[&str], &str); 5] = [
        ("counted", &["0", "2"], "counted({}).map(|f| f({}))"),
        ("divider", &["1", "3"], "divider({}).map(|f| f({}))"),
        ("none", &["2", "0"], "none({}).map(|f| f({}))"),
        (
            "lengths",
            &["3", "String::from(\"a\")"],
            "lengths({}).into_iter().map(|f| f({})).collect::<Vec<_>>()",
        ),
        ("parsed", &["1", "0"], "parsed({}).map(|f| f({}))"),
    ];
    for (function, args, call) in failed {
        assert_eq!(events.counterexample(function, "auto").0, args, "{function}");
        assert_eq!(events.of(function, "auto")["call"], call);
    }
    paste(&fixture, &events, &failed.map(|(function, ..)| function));
}

#[test]
fn functions_in_tuples_maps_and_nested_containers_of_results_are_called() {
    let tables = r#"[package.metadata.target.functions]
pair = "fn(n: u8) -> (fn(x: {x: u8 | x < 9}) -> {r: u8 | r == x + n % 9}, fn(y: {y: u8 | y > n}) -> {r: u8 | r == y - n})"
tagged = "fn(n: u8) -> {t: (u8, Box<dyn Fn(x: u8) -> bool>) | t.0 == n && t.1 == (x > n)}"
nested = "fn(n: {n: u8 | n < 9}) -> {o: Option<Vec<fn(s: String) -> {r: usize | r >= s.len()}>> | o.is_some() == (n > 0)}"
table = "fn(n: u8) -> HashMap<String, fn(x: {x: u8 | x < 99}) -> {r: u8 | r <= x}>"
tried = "fn(n: u8) -> Result<(u8, fn(x: u8) -> fn(y: u8) -> {r: u8 | r <= y}), String>"
array = "fn() -> ([fn(s: String) -> {r: usize | r <= s.len()}; 2], bool)"
few = "fn(n: u8) -> (fn(x: bool) -> bool, fn(y: bool) -> bool)"
"#;
    let source = "use std::collections::HashMap;
    type Same = Box<dyn Fn(u8) -> u8>;
    pub fn pair(n: u8) -> (Same, Same) { (Box::new(move |x| x + n % 9), Box::new(move |y| if n == 3 { y } else { y - n })) }
    pub fn tagged(n: u8) -> (u8, Box<dyn Fn(u8) -> bool>) { (n, Box::new(move |x| x >= n)) }
    pub fn nested(n: u8) -> Option<Vec<Box<dyn Fn(String) -> usize>>> {
        (n > 0).then(|| (0..n).map(|i| Box::new(move |s: String| s.len() - usize::from(i == 2).min(s.len())) as Box<_>).collect())
    }
    pub fn table(n: u8) -> HashMap<String, fn(u8) -> u8> {
        let mut all: HashMap<String, fn(u8) -> u8> = HashMap::from([(\"id\".to_owned(), (|x| x) as fn(u8) -> u8)]);
        if n > 1 { all.insert(\"next\".to_owned(), |x| x + 1); }
        all
    }
    pub fn tried(n: u8) -> Result<(u8, Box<dyn Fn(u8) -> Same>), String> {
        if n > 3 { return Err(n.to_string()) }
        Ok((n, Box::new(move |x| Box::new(move |y| if (n, x) == (2, 1) { y | 1 } else { y }))))
    }
    pub fn array() -> ([fn(String) -> usize; 2], bool) { ([|s| s.len(), |s| 2 - s.len().min(2)], true) }
    pub fn few(_: u8) -> (fn(bool) -> bool, fn(bool) -> bool) { (|x| x, |y| !y) }
    ";
    let fixture = Fixture::of("function_types::nested_results", tables, source);
    counts(&fixture.run(&["-g", "native,smt,enumerative", "--exact", "few"]), &[("few", 20)]);
    let events = fixture.run_as_is(&["-g", "auto"]);
    let failed: [(&str, &[&str], &str); 6] = [
        ("pair", &["3", "0", "4"], "match pair({}) { (f, g) => (f({}), g({})) }"),
        ("tagged", &["0", "0"], "match tagged({}) { (f, g) => (f, g({})) }"),
        (
            "nested",
            &["3", "String::from(\"a\")"],
            "nested({}).map(|f| f.into_iter().map(|f| f({})).collect::<Vec<_>>())",
        ),
        (
            "table",
            &["2", "0"],
            "table({}).into_iter().map(|(key, f)| (key, f({}))).collect::<std::collections::HashMap<_, _>>()",
        ),
        (
            "tried",
            &["2", "1", "0"],
            "tried({}).map(|f| match f { (f, g) => (f, g({})) }).map(|f| match f { (f, g) => (f, g({})) })",
        ),
        ("array", &["String::from(\"\")"], "match array() { (f, g) => (f.map(|f| f({})), g) }"),
    ];
    for (function, args, call) in failed {
        assert_eq!(events.counterexample(function, "auto").0, args, "{function}");
        assert_eq!(events.of(function, "auto")["call"], call);
    }
    paste(&fixture, &events, &failed.map(|(function, ..)| function));
    let again = fixture.run_as_is(&["--exact", "pair", "--case", "(3, 0, 4)"]);
    assert_eq!(again.verdict("pair", "auto"), "failed");
}

#[test]
fn names_in_the_code_that_takes_results_apart_are_free() {
    let tables = r#"[package.metadata.target.functions]
kept = "fn(n: u8) -> Option<fn(f: &mut Vec<u8>) -> u8> ensures f.len() == old(f).len()"
keyed = "fn(key: &[u8]) -> BTreeMap<u8, fn(f: &[u8]) -> {r: &[u8] | r.len() < 1}>"
nameless = "fn(n: u8) -> Option<fn(&String) -> {r: &String | r.len() < 2}>"
apart = "fn(n: u8) -> (Option<fn(x: u8) -> u8>, fn(y: {y: u8 | y <= n}) -> {r: u8 | r <= n})"
taking = "fn(n: u8) -> (Vec<fn(g: fn(x: u8) -> u8) -> {r: u8 | r < 3}>, fn(h: fn(x: &u8) -> &String) -> usize)"
"#;
    let source = "use std::collections::BTreeMap;
    pub fn kept(n: u8) -> Option<fn(&mut Vec<u8>) -> u8> { (n > 1).then_some(|f| { f.push(1); 0 }) }
    pub fn keyed(key: &[u8]) -> BTreeMap<u8, Box<dyn for<'a> Fn(&'a [u8]) -> &'a [u8]>> {
        key.iter().map(|k| (*k, Box::new(same) as Box<dyn for<'a> Fn(&'a [u8]) -> &'a [u8]>)).collect()
    }
    fn same(f: &[u8]) -> &[u8] { f }
    pub fn nameless(_: u8) -> Option<Box<dyn for<'a> Fn(&'a String) -> &'a String>> { Some(Box::new(|s| s)) }
    pub fn apart(n: u8) -> (Option<fn(u8) -> u8>, Box<dyn Fn(u8) -> u8>) {
        (None, Box::new(move |y| { assert!(y <= n); if n == 3 { 4 } else { y } }))
    }
    type Taking = Box<dyn Fn(&dyn Fn(u8) -> u8) -> u8>;
    pub fn taking(n: u8) -> (Vec<Taking>, Box<dyn Fn(&dyn Fn(&u8) -> &'static String) -> usize>) {
        ((0..n % 3).map(|n| Box::new(move |g: &dyn Fn(u8) -> u8| g(n)) as Taking).collect(), Box::new(|h| h(&1).len()))
    }
    ";
    let fixture = Fixture::of("function_types::names", tables, source);
    let events = fixture.run_as_is(&["-g", "auto"]);
    assert_eq!(events.of("kept", "auto")["call"], "kept({}).map(|f_| f_({}))");
    assert_eq!(events.counterexample("apart", "auto").0, ["3", "0", "0"]);
    paste(&fixture, &events, &["kept", "keyed", "nameless", "apart"]);
    let test = events.of("taking", "auto")["counterexample"]["test"].as_str().unwrap().to_owned();
    assert!(test.contains("{ g_ }(&|_| &*Box::leak(Box::new(String::from(\"\"))))"), "{test}");
}

const MISTAKEN_RETURNED: &str = r#"[package.metadata.target.functions]
counter = "fn() -> FnMut() -> u8"
number = "fn(x: u8) -> fn(y: u8) -> u8"
adder = "fn(n: u8) -> fn(x: u8, y: u8) -> u8"
twice = { call = "adder", spec = "fn(n: u8) -> fn(n: u8) -> u8" }
refined = { call = "adder", spec = "fn(n: u8) -> {f: fn(x: u8) -> u8 | f(0) == n}" }
inside = "fn() -> &[fn(x: u8) -> u8]"
same = "fn() -> (fn(x: u8) -> u8, fn(x: u8) -> u8)"
listed = "fn() -> (u8, Vec<fn(x: u8) -> u8>)"
afterwards = "fn() -> Result<fn(x: u8) -> u8 ensures result == x, String>"
"#;

const MISTAKEN_RETURNING: &str = "pub fn counter() -> impl FnMut() -> u8 { || 0 }
pub fn number(x: u8) -> u8 { x }
pub fn adder(n: u8) -> impl Fn(u8) -> u8 { move |x| x.wrapping_add(n) }
pub fn inside() -> &'static [fn(u8) -> u8] { &[] }
pub fn same() -> (fn(u8) -> u8, fn(u8) -> u8) { (|x| x, |x| x) }
pub fn listed() -> (u8, Option<fn(u8) -> u8>) { (0, None) }
pub fn afterwards() -> Result<fn(u8) -> u8, String> { Ok(|x| x) }
";

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn arguments_of_functions_inside_of_results_stand_alone() {
    let tables = r#"[package.metadata.target.functions]
dependent = "fn(n: u8) -> Option<fn(x: {x: u8 | x < n}) -> u8>"
required = "fn(n: u8) -> Option<fn(x: u8) -> u8> requires x < n"
shared = "fn() -> Vec<fn(x: &mut u8) -> u8>"
array = "fn() -> [fn(x: &mut u8) -> u8; 1]"
map = "fn() -> Option<BTreeMap<u8, fn(x: &mut u8) -> u8>>"
after = "fn(n: u8) -> (Option<fn(x: u8) -> u8>, fn(y: {y: u8 | y <= x}) -> u8)"
field = "fn(n: u8) -> Vec<Handler>"
hidden = "fn(n: u8) -> Hidden"
error = "fn(n: u8) -> Result<u8, Handler>"
nameless = { call = "required", spec = "fn(n: u8) -> Option<fn(u8) -> {r: u8 | r == x}>" }
"#;
    let source = "pub fn dependent(n: u8) -> Option<fn(u8) -> u8> { (n > 0).then_some(|x| x) }
pub fn required(n: u8) -> Option<fn(u8) -> u8> { (n > 0).then_some(|x| x) }
pub fn shared() -> Vec<fn(&mut u8) -> u8> { vec![|x| *x] }
pub fn array() -> [fn(&mut u8) -> u8; 1] { [|x| *x] }
pub fn map() -> Option<std::collections::BTreeMap<u8, fn(&mut u8) -> u8>> { None }
pub fn after(_: u8) -> (Option<fn(u8) -> u8>, fn(u8) -> u8) { (None, |y| y) }
pub struct Handler { pub name: u8, pub run: fn(u8) -> u8 }
pub struct Hidden { run: fn(u8) -> u8 }
pub fn field(name: u8) -> Vec<Handler> { vec![Handler { name, run: |x| x }] }
pub fn hidden(_: u8) -> Hidden { Hidden { run: |x| x } }
pub fn error(name: u8) -> Result<u8, Handler> { Err(Handler { name, run: |x| x }) }
";
    let printed = Fixture::of("function_types::contained", tables, source).target(&["check"]);
    expect_test::expect![[r#"
        error: the arguments of a function inside of a result can't depend on those of other calls
         --> Cargo.toml:9:49
          |
        9 | dependent = "fn(n: u8) -> Option<fn(x: {x: u8 | x < n}) -> u8>"
          |                                                 ^^^^^
          |
          = help: there may be no such function; let a `call` call it: `call = "|n, x| make(n).map(|f| f(x % n))"`

        error: the arguments of a function inside of a result can't depend on those of other calls
          --> Cargo.toml:10:59
           |
        10 | required = "fn(n: u8) -> Option<fn(x: u8) -> u8> requires x < n"
           |                                                           ^^^^^
           |
           = help: there may be no such function; let a `call` call it: `call = "|n, x| make(n).map(|f| f(x % n))"`

        error: the functions in a `Vec` of the result would share this `&mut` argument
          --> Cargo.toml:11:29
           |
        11 | shared = "fn() -> Vec<fn(x: &mut u8) -> u8>"
           |                             ^^^^^^^
           |
           = help: let a `call` call them: `call = "|n, x| make(n).into_iter().map(|f| f(&mut x.clone())).collect::<Vec<_>>()"`

        error: the functions in an array of the result would share this `&mut` argument
          --> Cargo.toml:12:25
           |
        12 | array = "fn() -> [fn(x: &mut u8) -> u8; 1]"
           |                         ^^^^^^^
           |
           = help: let a `call` call them: `call = "|n, x| make(n).map(|f| f(&mut x.clone()))"`

        error: the functions in a `BTreeMap` of the result would share this `&mut` argument
          --> Cargo.toml:13:42
           |
        13 | map = "fn() -> Option<BTreeMap<u8, fn(x: &mut u8) -> u8>>"
           |                                          ^^^^^^^
           |
           = help: let a `call` call them: `call = "|n, x| make(n).into_iter().map(|(key, f)| (key, f(&mut x.clone()))).collect::<BTreeMap<_, _>>()"`

        error: the arguments of a function inside of a result can't depend on those of other calls
          --> Cargo.toml:14:64
           |
        14 | after = "fn(n: u8) -> (Option<fn(x: u8) -> u8>, fn(y: {y: u8 | y <= x}) -> u8)"
           |                                                                ^^^^^^
           |
           = help: there may be no such function; let a `call` call it: `call = "|n, x| make(n).map(|f| f(x % n))"`

        warning: the function in the field `run` of `Handler` of the result isn't called, so nothing is said of what it gives
          --> Cargo.toml:15:23
           |
        15 | field = "fn(n: u8) -> Vec<Handler>"
           |                       ^^^^^^^^^^^^
           |
           = help: a `call` can call it, so that its result is the result: `call = "|n, x| (make(n).run)(x)"`

        warning: the function in the private field `run` of `Hidden` of the result isn't called, so nothing is said of what it gives
          --> Cargo.toml:16:24
           |
        16 | hidden = "fn(n: u8) -> Hidden"
           |                        ^^^^^^
           |
           = help: a `call` can call a method that calls it, so that its result is the result: `call = "|n, x| make(n).run(x)"`

        warning: the function in the field `run` of `Handler` of the result isn't called, so nothing is said of what it gives
          --> Cargo.toml:17:23
           |
        17 | error = "fn(n: u8) -> Result<u8, Handler>"
           |                       ^^^^^^^^^^^^^^^^^^^
           |
           = help: a `call` can call it, so that its result is the result: `call = "|n, x| (make(n).run)(x)"`

        error: no value `x` in scope
          --> Cargo.toml:18:85
           |
        18 | nameless = { call = "required", spec = "fn(n: u8) -> Option<fn(u8) -> {r: u8 | r == x}>" }
           |                                                                                     ^
           |
           = help: in scope: `n`, `r`; a parameter of a function type can be mentioned if it has a name: `fn(x: T)`

    "#]].assert_eq(&printed.stderr);
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn mistakes_in_returned_functions_are_explained() {
    let printed = Fixture::of("function_types::mistakes_in_results", MISTAKEN_RETURNED, MISTAKEN_RETURNING)
        .target(&["check"]);
    expect_test::expect![[r#"
        error: the results of a returned `FnMut` depend on the calls before
         --> Cargo.toml:9:20
          |
        9 | counter = "fn() -> FnMut() -> u8"
          |                    ^^^^^^^^^^^^^
          |
          = help: let a `call` make these calls, so that the result is a list: `call = "|n: u8, xs: Vec<u8>| { let mut f = make(n); xs.into_iter().map(|x| f(x)).collect::<Vec<_>>() }"`

        error: the function returns `u8`, and no function
          --> Cargo.toml:10:24
           |
        10 | number = "fn(x: u8) -> fn(y: u8) -> u8"
           |                        ^^^^^^^^^^^^^^^

        error: the returned function has 1 parameter, the spec has 2
          --> Cargo.toml:11:23
           |
        11 | adder = "fn(n: u8) -> fn(x: u8, y: u8) -> u8"
           |                       ^^^^^^^^^^^^^^^^^^^^^^

        error: two parameters are named `n`
          --> Cargo.toml:12:51
           |
        12 | twice = { call = "adder", spec = "fn(n: u8) -> fn(n: u8) -> u8" }
           |                                                   ^
           |
           = help: the function and those that it returns are called together: give each argument a name of its own

        error: a function inside of a result isn't called, so nothing can be said of it
          --> Cargo.toml:13:54
           |
        13 | refined = { call = "adder", spec = "fn(n: u8) -> {f: fn(x: u8) -> u8 | f(0) == n}" }
           |                                                      ^^^^^^^^^^^^^^^
           |
           = help: a result that is a function is written so: `fn(n: u8) -> fn(x: u8) -> {r: u8 | r == x + n}`; let a `call` call other ones: `call = "|n, x| (make(n).run)(x)"`

        error: a function inside of a result isn't called, so nothing can be said of it
          --> Cargo.toml:14:21
           |
        14 | inside = "fn() -> &[fn(x: u8) -> u8]"
           |                     ^^^^^^^^^^^^^^^
           |
           = help: a result that is a function is written so: `fn(n: u8) -> fn(x: u8) -> {r: u8 | r == x + n}`; let a `call` call other ones: `call = "|n, x| (make(n).run)(x)"`

        error: two parameters are named `x`
          --> Cargo.toml:15:38
           |
        15 | same = "fn() -> (fn(x: u8) -> u8, fn(x: u8) -> u8)"
           |                                      ^
           |
           = help: the function and those that it returns are called together: give each argument a name of its own

        error: the function returns `Option<fn(u8) -> u8>`
          --> Cargo.toml:16:24
           |
        16 | listed = "fn() -> (u8, Vec<fn(x: u8) -> u8>)"
           |                        ^^^^^^^^^^^^^^^^^^^^

        error: `ensures` and `panics if` can't be about a function inside of a result
          --> Cargo.toml:17:30
           |
        17 | afterwards = "fn() -> Result<fn(x: u8) -> u8 ensures result == x, String>"
           |                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: write a condition on its result as a refinement: `Option<fn(x: u8) -> {r: u8 | r >= x}>`

    "#]].assert_eq(&printed.stderr);
}
