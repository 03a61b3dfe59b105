//! Functions as arguments, through the real binary: how many there are, what is found with them, and how it is shown.

use crate::support::Fixture;

/// Calls of functions from three values to three, whose numbers are known.
const COUNTED: &str = r#"[package.metadata.target.types]
Three = "{v: u8 | v < 3}"

[package.metadata.target.functions]
all = "fn(f: fn(x: Three) -> Three) -> [u8; 3]"
first = "fn(f: fn(x: Three) -> Three) -> u8"
never = "fn(f: fn(x: Three) -> Three, n: Three) -> u8"
chain = "fn(f: fn(x: Three) -> Three) -> u8"
orders = "fn(cmp: fn(a: Three, b: Three) -> Ordering) -> usize requires total_order(cmp)"
classes = "fn(same: fn(a: Three, b: Three) -> bool) -> usize requires equivalence(same)"
twice = "fn(f: FnMut() -> bool) -> u8"
made = "fn(make: fn(x: bool) -> fn(y: bool) -> bool) -> bool"
monotone = { call = "|f| all(f)", spec = "fn(f: fn(x: Three) -> Three) -> [u8; 3] requires monotone(f)" }
antitone = { call = "|f| all(f)", spec = "fn(f: fn(x: Three) -> Three) -> [u8; 3] requires antitone(f)" }
injective = { call = "|f| all(f)", spec = "fn(f: fn(x: Three) -> Three) -> [u8; 3] requires injective(f)" }
swapped = "fn(op: fn(a: bool, b: bool) -> Three) -> u8 requires commutative(op)"
pure = { call = "|mut f: Box<dyn FnMut(bool) -> u8>| f(false) + f(true) + f(false)", spec = "fn(f: Box<dyn FnMut(x: bool) -> Three>) -> u8 requires pure(f)" }
above = { call = "|f| all(f)", spec = "fn(f: fn(x: Three) -> {v: Three | v >= x}) -> [u8; 3]" }
asked = { call = "|f| all(f)", spec = "fn(f: fn(x: Three) -> Three) -> [u8; 3] requires f(0) < f(1)" }
three = "fn(f: fn(x: bool) -> bool, g: FnMut() -> bool, h: fn(x: bool) -> bool) -> bool"
unused = "fn(fs: Vec<fn(x: Three) -> Three>) -> usize"
each = "fn(fs: Vec<fn(x: Three) -> Three>, n: Three) -> u8"
each_twice = "fn(fs: Vec<fn(x: Three) -> Three>, n: Three) -> u8"
each_above = "fn(fs: Vec<fn(x: Three) -> {v: Three | v >= x}>, n: Three) -> u8"
ordered = "fn(fs: Vec<FnMut() -> bool>, cmp: fn(a: Three, b: Three) -> Ordering) -> bool requires total_order(cmp)"
below = "fn(f: fn(x: Three) -> Three, g: fn(x: Three) -> Three, h: fn(x: Three) -> Three) -> u8 requires f(0) < g(0)"
spelled = "fn(f: fn(x: bool) -> char, g: fn(x: bool) -> char, h: fn(x: bool) -> char) -> bool requires f(false) == 'q'"
"#;

/// Those that would have far too many members with results that nobody asks for.
const UNFOLDED: [&str; 8] =
    ["three", "unused", "each", "each_twice", "each_above", "ordered", "below", "spelled"];

const COUNTED_SOURCE: &str = "use std::cmp::Ordering;
pub fn all(f: impl Fn(u8) -> u8) -> [u8; 3] { [f(0), f(1), f(2)] }
pub fn first(f: impl Fn(u8) -> u8) -> u8 { f(0) + f(0) }
pub fn never(_: impl Fn(u8) -> u8, n: u8) -> u8 { n }
pub fn chain(f: impl Fn(u8) -> u8) -> u8 { f(f(f(0))) }
pub fn orders(cmp: impl Fn(u8, u8) -> Ordering) -> usize {
    (0..9).filter(|n| cmp(n / 3, n % 3) == Ordering::Less).count()
}
pub fn classes(same: impl Fn(u8, u8) -> bool) -> usize { (0..9).filter(|n| same(n / 3, n % 3)).count() }
pub fn twice(mut f: impl FnMut() -> bool) -> u8 { u8::from(f()) + u8::from(f()) }
pub fn swapped(op: impl Fn(bool, bool) -> u8) -> u8 { op(false, false) + op(false, true) + op(true, false) }
pub fn three(f: impl Fn(bool) -> bool, mut g: impl FnMut() -> bool, h: impl Fn(bool) -> bool) -> bool {
    if f(false) && g() { g() } else { h(f(true)) }
}
pub fn unused(fs: Vec<Box<dyn Fn(u8) -> u8>>) -> usize { fs.len() }
pub fn each(fs: Vec<Box<dyn Fn(u8) -> u8>>, n: u8) -> u8 { fs.iter().map(|f| f(n)).sum() }
pub fn each_above(fs: Vec<Box<dyn Fn(u8) -> u8>>, n: u8) -> u8 { each(fs, n) }
pub fn below(f: impl Fn(u8) -> u8, g: impl Fn(u8) -> u8, h: impl Fn(u8) -> u8) -> u8 { f(0) + g(0) + h(0) }
pub fn spelled(f: impl Fn(bool) -> char, _: impl Fn(bool) -> char, _: impl Fn(bool) -> char) -> bool { f(false) == 'q' }
pub fn each_twice(fs: Vec<Box<dyn Fn(u8) -> u8>>, n: u8) -> u8 { fs.iter().map(|f| f(f(n))).sum() }
pub fn ordered(fs: Vec<Box<dyn FnMut() -> bool>>, cmp: impl Fn(u8, u8) -> Ordering) -> bool {
    cmp(0, 1) == Ordering::Less && fs.into_iter().any(|mut f| f() && f())
}
pub fn made(make: impl Fn(bool) -> Box<dyn Fn(bool) -> bool>) -> bool { make(false)(false) ^ make(true)(false) }
";

#[test]
fn each_function_that_calls_can_tell_apart_is_tried_once() {
    let fixture = Fixture::of("callbacks::counts", COUNTED, COUNTED_SOURCE);
    let known = [
        // 3^3 functions; of one call, 3 results; of none, one function for each `n`.
        ("all", 27),
        ("first", 3),
        ("never", 3),
        // f(0) = 0; or f(0) = n, and f(n) is 0 or n, or the third value, of which f has three.
        ("chain", 11),
        // Total preorders and partitions of three values: OEIS A000670 and A000110.
        ("orders", 13),
        ("classes", 5),
        ("twice", 4),
        ("made", 4),
        ("monotone", 10),
        ("antitone", 10),
        ("injective", 6),
        // 3^2 of the two pairs that differ but for their order, and of two arguments.
        ("swapped", 9),
        ("pure", 9),
        ("above", 6),
        ("asked", 9),
        // f(false) is false, then f(true) and h; or it and g are true, then g again; or g is false, then f(true) and h.
        ("three", 4 + 2 + 4),
        // The lengths of the list.
        ("unused", 4),
        // For each `n`: three results of each function; three for each of two other first results, or the first again.
        ("each", 3 * (1 + 3 + 9 + 27)),
        ("each_twice", 3 * (1 + 7 + 49 + 343)),
        ("each_above", (1 + 3 + 9 + 27) + (1 + 2 + 4 + 8) + (1 + 1 + 1 + 1)),
        // Of two orders, nothing is asked of the list. Otherwise, its first function that gives two `true` ends the calls: those
        // before it have two other tables.
        ("ordered", 2 * 4 + 1 + (1 + 2) + (1 + 2 + 4) + (1 + 2 + 4 + 8)),
        ("below", 3 * 3),
        ("spelled", 1),
    ];
    let is_unfolded = |name: &str| UNFOLDED.contains(&name);
    // Each generator as the main one: a baseline has little time.
    let runs = ["native", "smt", "enumerative"].map(|generator| {
        let names = known.iter().map(|(name, _)| *name);
        let names = names.filter(|name| generator == "native" || !is_unfolded(name));
        let options = ["--exact", "--depth", "3", "--budget", "60s", "-g", generator];
        (generator, fixture.run(&names.chain(options).collect::<Vec<_>>()))
    });
    for (function, n) in known {
        let is_unfolded = is_unfolded(function);
        for (generator, events) in &runs[..if is_unfolded { 1 } else { 3 }] {
            let row = events.of(function, generator);
            assert_eq!(
                (&row["verdict"], &row["exhausted"], &row["valid"], &row["distinct"]),
                (&"passed".into(), &true.into(), &n.into(), &n.into()),
                "{function} by {generator}: {row:#}"
            );
            if is_unfolded {
                // `f(0) >= g(0)`, and other characters than the one that is asked for. A member that lacks a result is no input.
                let discarded = match function {
                    "below" => 6,
                    "spelled" => 4,
                    _ => 0,
                };
                assert_eq!(row["discarded"], discarded, "{function}");
            }
        }
    }
}

/// Functions with bugs that show only with some function arguments.
const FOUND: &str = r#"[package.metadata.target.functions]
quotient = "fn(g: fn(x: i32) -> i32, n: i32) -> i32"
narrow = "fn(f: fn(x: {v: u32 | v < 10}) -> u32, n: u32) -> u32"
find_first = "fn(xs: &[u8], p: fn(x: &u8) -> bool) -> Option<u8> ensures result.is_some() == xs.iter().any(|x| p(x))"
cached = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 ensures calls(f).len() <= 1"
retry = "fn(op: FnMut() -> Result<u8, u8>) -> Result<u8, u8> ensures result == *returns(op).last().unwrap()"
fold = "fn(xs: Vec<u8>, f: fn(acc: u8, x: u8) -> u8) -> u8 ensures calls(f).iter().map(|call| call.1).collect::<Vec<_>>() == xs"
sorted = "fn(xs: Vec<i8>, cmp: fn(a: &i8, b: &i8) -> Ordering) -> Vec<i8> requires total_order(cmp) ensures result.windows(2).all(|w| cmp(w[0], w[1]) != Ordering::Greater)"
boxed = "fn(f: Box<dyn Fn(x: u8) -> u8>, g: &dyn Fn(x: u8) -> u8) -> u8"
pointer = "fn(f: fn(x: u8) -> u8) -> u8"
hooks = "fn(hooks: Vec<fn(x: u8) -> bool>, x: u8) -> usize"
changed = "fn(f: FnMut(x: u8) -> bool) -> bool"
once = "fn(f: FnOnce(s: &str) -> usize) -> usize"
looked_at = "fn(f: fn(g: fn(x: u8) -> u8) -> u8) -> u8"
shared = "fn(f: fn(g: fn(x: {v: u8 | v < 3}) -> {v: u8 | v < 10}) -> u8, n: {n: u8 | n < 20}) -> u8"
named = "fn(f: fn(p: Pair, s: String) -> Pair) -> u8"
differ = "fn(f: fn(x: {x: u8 | x < 4}) -> {r: u8 | r < 4}) -> bool ensures result"
generic = "fn(xs: &[u8], key: fn(x: &u8) -> i32) -> Option<u8> ensures xs.len() == 2 ==> key(xs[0]) <= key(xs[1])"
"#;

const FOUND_SOURCE: &str = r#"use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair { pub x: u8, pub y: bool }

pub fn quotient(g: impl Fn(i32) -> i32, n: i32) -> i32 { 1 / 100i32.wrapping_sub(g(n)) }
pub fn narrow(f: impl Fn(u32) -> u32, n: u32) -> u32 { if n == 12 { f(n) } else { f(n % 10) } }
pub fn find_first(xs: &[u8], p: impl Fn(&u8) -> bool) -> Option<u8> { xs.iter().copied().skip(1).find(p) }
pub fn cached<F>(f: F, x: u8) -> u8 where F: Fn(u8) -> u8 { if f(x) == 0 { f(x) } else { 1 } }
pub fn retry(mut op: impl FnMut() -> Result<u8, u8>) -> Result<u8, u8> {
    let first = op();
    if first.is_err() { let second = op(); if second.is_ok() { return second; } }
    first
}
pub fn fold(xs: Vec<u8>, f: impl Fn(u8, u8) -> u8) -> u8 { xs.into_iter().rev().fold(0, f) }
pub fn sorted(mut xs: Vec<i8>, cmp: impl Fn(&i8, &i8) -> Ordering) -> Vec<i8> {
    for i in 1..xs.len() {
        if cmp(&xs[i - 1], &xs[i]) == Ordering::Greater { xs.swap(i - 1, i); }
    }
    xs
}
pub fn boxed(f: Box<dyn Fn(u8) -> u8>, g: &dyn Fn(u8) -> u8) -> u8 {
    assert!(!(f(1) == 2 && g(f(1)) == 3 && g(3) == 1));
    0
}
pub fn pointer(f: fn(u8) -> u8) -> u8 { assert!(f(f(0)) != 4); 0 }
pub fn hooks(hooks: Vec<Box<dyn Fn(u8) -> bool>>, x: u8) -> usize {
    let n = hooks.iter().filter(|hook| hook(x)).count();
    assert!(!(n == 2 && hooks.len() == 3));
    n
}
pub fn changed(f: &mut dyn FnMut(u8) -> bool) -> bool { assert!(!f(0) || f(0)); true }
pub fn once(f: impl FnOnce(&str) -> usize) -> usize { let n = f("ab"); assert!(n != 2); n }
pub fn looked_at(f: impl Fn(&dyn Fn(u8) -> u8) -> u8) -> u8 {
    assert!(!(f(&|x| x.wrapping_add(1)) == 1 && f(&|x| x.wrapping_mul(2)) == 0));
    0
}
pub fn differ(f: impl Fn(u8) -> u8) -> bool { f(0) != f(3) }
pub fn shared(f: impl Fn(&dyn Fn(u8) -> u8) -> u8, n: u8) -> u8 { f(&|x| x + n) }
pub fn named(f: impl Fn(Pair, String) -> Pair) -> u8 {
    let p = f(Pair { x: 1, y: true }, "a".to_string());
    assert!(f(p, String::new()).x != 3 || p.y);
    p.x
}
pub fn generic<T: Copy, K: Ord>(xs: &[T], key: impl Fn(&T) -> K) -> Option<T> {
    xs.iter().copied().min_by_key(key)
}
"#;

/// Each function, how it fails, and the arguments that are shown.
const EXPECTED: [(&str, &str, &[&str]); 17] = [
    ("quotient", "panic", &["|_| 100", "0"]),
    ("narrow", "argument", &["|_| unreachable!()", "12"]),
    ("find_first", "ensures", &["&[0]", "|_| true"]),
    ("cached", "ensures", &["|_| 0", "0"]),
    (
        "retry",
        "ensures",
        &["{ let mut results = vec![Err(0)].into_iter(); move || results.next().unwrap_or(Err(1)) }"],
    ),
    ("fold", "ensures", &["vec![0, 1]", "|_, _| 0"]),
    (
        "sorted",
        "ensures",
        &[
            "vec![0, 0, 1]",
            "|a, b| match (*a, *b) { (0, 0) => std::cmp::Ordering::Equal, (0, 1) => std::cmp::Ordering::Greater, _ => unreachable!() }",
        ],
    ),
    ("boxed", "panic", &["Box::new(|_| 2)", "&|x| match x { 2 => 3, _ => 1 }"]),
    ("pointer", "panic", &["|_| 4"]),
    ("hooks", "panic", &["vec![Box::new(|_| false), Box::new(|_| true), Box::new(|_| true)]", "0"]),
    (
        "changed",
        "panic",
        &["&mut { let mut results = vec![true].into_iter(); move |_| results.next().unwrap_or(false) }"],
    ),
    ("once", "panic", &["|_| 2"]),
    ("looked_at", "panic", &["|g| g(0)"]),
    ("shared", "argument", &["|g| match g(0) { _ => unreachable!() }", "10"]),
    ("differ", "ensures", &["|_| 0"]),
    ("named", "panic", &["|_, _| sample::Pair { x: 3, y: false }"]),
    ("generic", "ensures", &["&[0, 1]", "|x| match *x { 0 => 1, _ => 0 }"]),
];

#[test]
fn bugs_that_depend_on_a_function_are_found_and_shown_as_rust() {
    let fixture = Fixture::of("callbacks::found", FOUND, FOUND_SOURCE);
    let events = fixture.run_as_is(&[]);
    let mut tests = String::new();
    for (function, failure, args) in EXPECTED {
        let (found, kind) = events.counterexample(function, "auto");
        assert_eq!((found.as_slice(), kind), (args, failure), "{function}");
        let found = &events.of(function, "auto")["counterexample"];
        assert_eq!(found["confirmed"], true, "{found:#}");
        if function == "narrow" {
            assert_eq!(
                (&found["clause"], &found["message"]),
                (&"v < 10".into(), &"f(12)".into()),
                "{found:#}"
            );
        }
        // With other results for 0 and 3, it passes.
        assert!(function != "differ" || found["general"].is_null(), "{found:#}");
        // The functions as shown fail alike.
        let again = match args {
            [one] => format!("({one},)"),
            more => format!("({})", more.join(", ")),
        };
        let again = fixture.run_as_is(&["--exact", function, "--case", &again]);
        assert_eq!(again.counterexample(function, "auto"), (args.to_vec(), failure), "{again:#?}");
        let test = found["test"].as_str().unwrap();
        // The outcome doesn't show the calls: the test records them.
        assert!(!test.contains("assert here what is wanted"), "{test}");
        tests += &format!("mod {function} {{\n{test}\n}}\n");
    }
    let n_tests = tests.matches("#[test]").count();
    fixture.write("tests/pasted.rs", &tests);
    let output =
        fixture.cargo(&["test", "--quiet", "--target-dir", "own", "--test", "pasted"]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains(&format!("FAILED. 0 passed; {n_tests} failed")), "{printed}\n{tests}");
}

#[test]
fn results_that_depend_on_the_arguments_are_solved_for() {
    let tables = r#"[package.metadata.target.functions]
affine = "fn(f: fn(x: i64) -> {v: i64 | v == 3 * x + 1000}, x: i64) -> i64"
between = "fn(f: fn(lo: i64, hi: {h: i64 | lo <= h}) -> {v: i64 | lo <= v && v <= hi}, lo: i64) -> i64"
halves = "fn(f: fn(xs: &[u8]) -> {v: (Vec<u8>, Vec<u8>) | [v.0, v.1].concat() == xs}, xs: Vec<u8>) -> usize"
grows = "fn(f: fn(x: i64) -> {v: i64 | v >= 100000 - 2 * x}, x: i64) -> i64 requires monotone(f)"
digits = "fn(f: fn(n: u8) -> {s: String | s.len() == n && s.matches(\"[0-9]*\")}, n: {n: u8 | n <= 30}) -> usize"
"#;
    let source = "pub fn affine(f: impl Fn(i64) -> i64, x: i64) -> i64 {
        if !(0..1000).contains(&x) { return 0 }
        let y = f(f(x));
        assert!(y < 4100);
        y
    }
    pub fn between(f: impl Fn(i64, i64) -> i64, lo: i64) -> i64 {
        if !(1000..1_000_000).contains(&lo) { return lo }
        let v = f(lo, lo + 50);
        assert!(v != lo + 3);
        v
    }
    pub fn halves(f: impl Fn(&[u8]) -> (Vec<u8>, Vec<u8>), xs: Vec<u8>) -> usize {
        let (a, b) = f(&xs);
        assert!(xs.len() < 7 || a.is_empty() || b.is_empty());
        a.len()
    }
    pub fn grows(f: impl Fn(i64) -> i64, x: i64) -> i64 {
        if !(100..1000).contains(&x) { return 0 }
        let (a, b) = (f(x), f(x + 1));
        assert!(b != a);
        b
    }
    pub fn digits(f: impl Fn(u8) -> String, n: u8) -> usize {
        let s = f(n);
        assert!(!(n == 17 && s.starts_with('0')));
        s.len()
    }";
    let events = Fixture::of("callbacks::solved", tables, source).run_as_is(&["-g", "auto"]);
    let digits = "|n| match n { 17 => String::from(\"00000000000000000\"), _ => unreachable!() }";
    let grows = "|x| match x { 100 => 99800, 101 => 99800, _ => unreachable!() }";
    let expected: [(&str, &[&str]); 4] = [
        ("grows", &[grows, "100"]),
        ("affine", &["|x| match x { 12 => 1036, 1036 => 4108, _ => unreachable!() }", "12"]),
        ("digits", &[digits, "17"]),
        ("between", &["|lo, hi| match (lo, hi) { (1000, 1050) => 1003, _ => unreachable!() }", "1000"]),
    ];
    for (function, args) in expected {
        assert_eq!(events.counterexample(function, "auto"), (args.to_vec(), "panic"), "{function}");
    }
    // The least result for 101 would break the law, so the law is a part of what is solved.
    assert_eq!(events.of("grows", "auto")["discarded"], 0);
    assert_eq!(events.verdict("halves", "auto"), "failed");
}

#[test]
fn conditions_on_the_result_ask_functions_inside_of_arguments() {
    let tables = r#"[package.metadata.target.functions]
each = "fn(fs: Vec<fn(x: u8) -> u8>, n: u8) -> usize ensures fs.iter().all(|f| calls(f) == vec![n])"
each_wrong = "fn(fs: Vec<fn(x: u8) -> u8>, n: u8) -> usize ensures fs.iter().all(|f| calls(f) == vec![n])"
at = "fn(fs: &[FnMut(x: u8) -> u8], i: {i: usize | i < fs.len()}) -> u8 ensures returns(fs[i]) == vec![result]"
pair = "fn(fs: (fn(x: u8) -> u8, fn(x: u8) -> bool), n: u8) -> u8 ensures calls(fs.0).len() <= 1 && result == fs.0(n)"
field = "fn(h: Hook, n: u8) -> bool ensures calls(h.test).len() == 1"
maybe = "fn(f: Option<FnOnce(x: u8) -> u8>, n: u8) -> u8 ensures match f { Some(g) => returns(g) == vec![result], None => true }"
taken = "fn(fs: &mut Vec<fn(x: u8) -> u8>) -> bool ensures old(fs).len() > 1 && fs.len() > 0 ==> calls(old(fs)[1]).is_empty()"
"#;
    let source = "pub struct Hook { pub test: Box<dyn Fn(u8) -> bool> }
pub fn each(fs: Vec<Box<dyn Fn(u8) -> u8>>, n: u8) -> usize { fs.iter().filter(|f| f(n) == 0).count() }
pub fn each_wrong(fs: Vec<Box<dyn Fn(u8) -> u8>>, n: u8) -> usize { fs.iter().take_while(|f| f(n) < 3).count() }
pub fn at(fs: &[Box<dyn Fn(u8) -> u8>], i: usize) -> u8 { if i == 2 { fs[1](0) } else { fs[i](0) } }
pub fn pair(fs: (Box<dyn Fn(u8) -> u8>, Box<dyn Fn(u8) -> bool>), n: u8) -> u8 {
    if fs.1(n) { fs.0(n) } else { 0 }
}
pub fn field(h: Hook, n: u8) -> bool { (h.test)(n) && (h.test)(0) }
pub fn maybe(f: Option<Box<dyn FnOnce(u8) -> u8>>, n: u8) -> u8 { f.map_or(0, |f| f(n) & 3) }
pub fn taken(fs: &mut Vec<Box<dyn Fn(u8) -> u8>>) -> bool { fs.pop().is_some_and(|f| f(0) > 1) }
";
    let events =
        Fixture::of("callbacks::inside", tables, source).run_as_is(&["-g", "auto", "--cases", "500"]);
    assert_eq!(events.verdict("each", "auto"), "passed");
    let failed: [(&str, &[&str]); 6] = [
        ("each_wrong", &["vec![Box::new(|_| 3), Box::new(|_| unreachable!())]", "0"]),
        ("at", &["&[Box::new(|_| unreachable!()), Box::new(|_| 0), Box::new(|_| unreachable!())]", "2"]),
        ("pair", &["(Box::new(|_| 1), Box::new(|_| false))", "0"]),
        ("field", &["sample::Hook { test: Box::new(|_| true) }", "0"]),
        ("maybe", &["Some(Box::new(|_| 4))", "0"]),
        ("taken", &["&mut vec![Box::new(|_| unreachable!()), Box::new(|_| 0)]"]),
    ];
    for (function, args) in failed {
        assert_eq!(events.counterexample(function, "auto"), (args.to_vec(), "ensures"), "{function}");
    }
}

#[test]
fn saved_counterexamples_keep_their_functions() {
    let manifest = format!(
        "[package]\nname = \"callbacks-saved\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n\n{FOUND}"
    );
    let files = [("Cargo.toml", &*manifest), ("src/lib.rs", FOUND_SOURCE)];
    let fixture = Fixture::with_files("callbacks::saved", &files).with_saved("callbacks-saved");
    for function in ["boxed", "retry", "looked_at", "sorted"] {
        let first = fixture.run_as_is(&["--exact", function]);
        let again = fixture.run_as_is(&["--exact", function]);
        let found = &again.of(function, "auto")["counterexample"];
        assert_eq!(
            (&found["saved"], &found["args"]),
            (&true.into(), &first.of(function, "auto")["counterexample"]["args"])
        );
    }
}

#[test]
fn a_subject_that_ends_the_process_does_not_hide_its_functions() {
    let tables = "[package.metadata.target.functions]\nends = \"fn(f: fn(x: u8) -> u8, n: u8) -> u8\"\n";
    let source = "pub fn ends(f: impl Fn(u8) -> u8, n: u8) -> u8 {
        if f(n) == 2 && f(f(n)) == 1 { std::process::abort() }
        0
    }";
    let events = Fixture::of("callbacks::ends", tables, source).run_as_is(&[]);
    let (args, failure) = events.counterexample("ends", "auto");
    assert_eq!((args.as_slice(), failure), (&["|x| match x { 0 => 2, _ => 1 }", "0"][..], "abort"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn mistakes_in_function_types_are_explained() {
    let tables = r#"[package.metadata.target.functions]
few = { call = "map", spec = "fn(f: fn() -> u8, x: u8) -> u8" }
other = { call = "map", spec = "fn(f: fn(x: u8) -> bool, x: u8) -> u8" }
early = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires calls(f).is_empty()" }
compared = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 ensures f == f" }
law = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires total_order(f)" }
either = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires monotone(f) || x == 0" }
state = { call = "map", spec = "fn(f: FnMut(x: u8) -> u8, x: u8) -> u8 ensures result == f(x)" }
rust = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires where f(*x) > 1" }
listed = "fn(fs: Vec<fn(x: u8) -> u8>) -> usize ensures returns(fs.len()).len() < 2"
each = { call = "listed", spec = "fn(fs: Vec<fn(x: u8) -> u8>) -> usize requires fs.iter().all(|f| f(0) == 1)" }
on_return = "fn(fs: &mut Vec<fn(x: u8) -> u8>) ensures fs.iter().all(|f| calls(f).len() == 1)"
result = "fn(x: u8) -> fn(y: u8) -> u8"
no = { call = "result", spec = "fn(x: fn(y: u8) -> u8)" }
typo = { call = "map", spec = "fn(func: fn(x: u8) -> u8, x: u8) -> u8 ensures calls(fun).len() == 1" }
two = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires monotone(f, x)" }
"#;
    let source = "pub fn map(f: impl Fn(u8) -> u8, x: u8) -> u8 { f(x) }
        pub fn listed(fs: Vec<Box<dyn Fn(u8) -> u8>>) -> usize { fs.len() }
        pub fn on_return(fs: &mut Vec<Box<dyn Fn(u8) -> u8>>) { fs.pop(); }
        pub fn result(x: u8) -> impl Fn(u8) -> u8 { move |y| x + y }";
    let printed = Fixture::of("callbacks::mistakes", tables, source).target(&["check"]);
    expect_test::expect![[r#"
        error: this function has 1 parameter, the spec has 0
         --> Cargo.toml:9:37
          |
        9 | few = { call = "map", spec = "fn(f: fn() -> u8, x: u8) -> u8" }
          |                                     ^^^^^^^^^^

        error: the function takes `u8`, the spec says `bool`
          --> Cargo.toml:10:52
           |
        10 | other = { call = "map", spec = "fn(f: fn(x: u8) -> bool, x: u8) -> u8" }
           |                                                    ^^^^

        error: `calls` can only be used in conditions on the result: before, there were no calls
          --> Cargo.toml:11:78
           |
        11 | early = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires calls(f).is_empty()" }
           |                                                                              ^^^^^^^^

        error: functions can't be compared; ask for their results, `f(x)`
          --> Cargo.toml:12:80
           |
        12 | compared = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 ensures f == f" }
           |                                                                                ^

        error: `total_order` is about functions of the form `fn(a: T, b: T) -> Ordering`
          --> Cargo.toml:13:76
           |
        13 | law = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires total_order(f)" }
           |                                                                            ^^^^^^^^^^^^^^

        error: a law of a function must be a condition of its own
          --> Cargo.toml:14:79
           |
        14 | either = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires monotone(f) || x == 0" }
           |                                                                               ^^^^^^^^^^^^^^^^^^^^^

        error: `f` may give another result each time; only the result of an `fn` can be asked
          --> Cargo.toml:15:90
           |
        15 | state = { call = "map", spec = "fn(f: FnMut(x: u8) -> u8, x: u8) -> u8 ensures result == f(x)" }
           |                                                                                          ^^^^
           |
           = help: `returns(..)` has the results of all calls, in `ensures`

        error: the function `f` can't be used in `where`
          --> Cargo.toml:16:83
           |
        16 | rust = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires where f(*x) > 1" }
           |                                                                                   ^^^^^^^^^
           |
           = help: ask for its results before `where`: `f(..)`

        error: `returns` is about functions among the arguments
          --> Cargo.toml:17:57
           |
        17 | listed = "fn(fs: Vec<fn(x: u8) -> u8>) -> usize ensures returns(fs.len()).len() < 2"
           |                                                         ^^^^^^^
           |
           = help: write one, as in `returns(f)` or `returns(fs[0])`

        error: before the call, only functions that are parameters can be asked
          --> Cargo.toml:18:100
           |
        18 | each = { call = "listed", spec = "fn(fs: Vec<fn(x: u8) -> u8>) -> usize requires fs.iter().all(|f| f(0) == 1)" }
           |                                                                                                    ^
           |
           = help: take each function as a parameter, and let a `call` put them together: `call = "|f: Box<dyn Fn(u8) -> u8>, g: Box<dyn Fn(u8) -> u8>, x: u8| both((f, g), x)"`

        error: the functions in `fs` can't be told apart on return
          --> Cargo.toml:19:56
           |
        19 | on_return = "fn(fs: &mut Vec<fn(x: u8) -> u8>) ensures fs.iter().all(|f| calls(f).len() == 1)"
           |                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: ask about those on entry: `old(fs)`

        error: the function takes `u8`, the spec says `fn(y: u8) -> u8`
          --> Cargo.toml:21:39
           |
        21 | no = { call = "result", spec = "fn(x: fn(y: u8) -> u8)" }
           |                                       ^^^^^^^^^^^^^^^

        error: `calls` is about functions among the arguments
          --> Cargo.toml:22:79
           |
        22 | typo = { call = "map", spec = "fn(func: fn(x: u8) -> u8, x: u8) -> u8 ensures calls(fun).len() == 1" }
           |                                                                               ^^^^^
           |
           = help: did you mean `calls(func)`?

        error: `monotone` takes 1 argument, not 2
          --> Cargo.toml:23:76
           |
        23 | two = { call = "map", spec = "fn(f: fn(x: u8) -> u8, x: u8) -> u8 requires monotone(f, x)" }
           |                                                                            ^^^^^^^^^^^^^^

    "#]].assert_eq(&printed.stderr);
}

#[test]
fn wrong_programs_of_the_paper_are_refuted_and_right_ones_pass() {
    let events =
        Fixture::new("callbacks::programs", "callbacks").run_as_is(&["-g", "auto", "--cases", "1000"]);
    let finished = events.with_reason("function-finished");
    let (mut n, mut n_wrong) = (0, 0);
    for row in finished {
        let is_wrong =
            ["_wrong", "_lossy"].iter().any(|end| row["function"].as_str().unwrap().ends_with(end));
        assert_eq!(row["verdict"], if is_wrong { "failed" } else { "passed" }, "{row:#}");
        n += 1;
        n_wrong += u32::from(is_wrong);
    }
    assert_eq!((n, n_wrong), (101, 51));
}

#[test]
fn cases_that_are_none_leave_no_trace_and_hide_no_failure() {
    let tables = r#"[package.metadata.target.types]
Three = "{v: u8 | v < 3}"

[package.metadata.target.functions]
guard = "fn(g: fn(x: Three) -> Three, f: fn(x: Three) -> Three) -> u8"
locked = "fn(f: fn(x: Three) -> Three) -> u8"
purity = "fn(f: FnMut(x: Three) -> bool) -> bool requires pure(f) ensures result"
root = "fn(f: fn(x: Three) -> bool, y: u8) -> u8 ensures !f(result)"
curry = "fn(make: fn(i: Three) -> fn(j: Three) -> bool) -> bool"
"#;
    let source = r#"
use std::sync::Mutex;
struct Guard<'f>(&'f dyn Fn(u8) -> u8);
impl Drop for Guard<'_> { fn drop(&mut self) { (self.0)(0); } }
pub fn guard(g: impl Fn(u8) -> u8, f: impl Fn(u8) -> u8) -> u8 { let _g = Guard(&g); f(1) }
static LOCK: Mutex<u8> = Mutex::new(0);
pub fn locked(f: impl Fn(u8) -> u8) -> u8 { let mut n = LOCK.lock().unwrap(); *n = f(0); *n }
pub fn purity(mut f: impl FnMut(u8) -> bool) -> bool { f(1) == f(1) }
pub fn root(f: impl Fn(u8) -> bool, y: u8) -> u8 { if y == 2 { return 3; } (0..3).find(|x| !f(*x)).unwrap_or(3) }
pub fn curry(make: impl Fn(u8) -> Box<dyn Fn(u8) -> bool>) -> bool {
    assert!(!(make(0)(0) && !make(0)(1) && make(1)(1) && !make(1)(0)));
    true
}
"#;
    let fixture = Fixture::of("callbacks::rejected", tables, source);
    let events = fixture.run_as_is(&[]);
    for function in ["guard", "locked", "purity"] {
        assert_eq!(events.verdict(function, "auto"), "passed", "{function}");
        assert_eq!(events.verdict(function, "enumerative"), "passed", "{function}");
    }
    // A question outside of the domain is no answer.
    assert_eq!(events.counterexample("root", "auto").1, "ensures");
    // Equal results of two functions are two functions: what is shown fails alone.
    let (args, _) = events.counterexample("curry", "auto");
    let again = fixture.run_as_is(&["--exact", "curry", "--case", &format!("({},)", args[0])]);
    assert_eq!(again.counterexample("curry", "auto"), (args, "panic"));
}

#[test]
fn what_generalises_together_with_a_function_was_tried() {
    let tables = r#"[package.metadata.target.functions]
blamed = "fn(f: fn(x: {x: u8 | x > 0}) -> u8, n: u8) -> u8"
"#;
    let source = "pub fn blamed(f: impl Fn(u8) -> u8, n: u8) -> u8 { if n == 3 { f(0) } else { 0 } }";
    let events = Fixture::of("callbacks::general", tables, source).run_as_is(&["-g", "auto"]);
    let found = &events.of("blamed", "auto")["counterexample"];
    assert_eq!(found["args"], serde_json::json!(["|_| unreachable!()", "3"]), "{found:#}");
    assert_eq!(found["general"]["args"], serde_json::json!(["any_1", "3"]), "{found:#}");
}
