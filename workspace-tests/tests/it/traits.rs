//! Values of the crate's traits as arguments, through the real binary.

use crate::support::Fixture;

const COUNTED: &str = r#"[package.metadata.target.types]
Three = "{v: u8 | v < 3}"

[package.metadata.target.traits]
Small = "trait Map { fn at(&self, x: Three) -> Three; }"
Toggle = "trait Next { fn next(&mut self) -> {v: u8 | v < 2}; }"
Either = "trait Color { fn of(&self, x: bool) -> bool; }"

[package.metadata.target.functions]
by_ref = { call = "all", spec = "fn(m: &dyn Small) -> [u8; 3]" }
owned = { call = "boxed", spec = "fn(m: Box<dyn Small>) -> [u8; 3]" }
generic = { call = "any", spec = "fn(m: impl Small) -> [u8; 3]" }
grows = { call = "all", spec = "fn(m: &dyn Small) -> [u8; 3] requires monotone(m.at)" }
asked = { call = "all", spec = "fn(m: &dyn Small) -> [u8; 3] requires m.at(0) < m.at(1)" }
history = { call = "twice", spec = "fn(n: &mut dyn Toggle) -> [u8; 2]" }
implementors = { call = "colored", spec = "fn(c: &dyn Color) -> u8" }
"#;

const COUNTED_SOURCE: &str = "pub trait Map { fn at(&self, x: u8) -> u8; }
pub trait Next { fn next(&mut self) -> u8; }
pub trait Color: std::fmt::Debug { fn of(&self, x: bool) -> bool; fn both(&self) -> u8 { u8::from(self.of(false)) + u8::from(self.of(true)) } }
#[derive(Debug)] pub struct Plain { pub x: bool }
impl Color for Plain { fn of(&self, _: bool) -> bool { self.x } }
#[derive(Debug)] pub enum Kind { A, B, C }
impl Color for Kind { fn of(&self, _: bool) -> bool { true } fn both(&self) -> u8 { 7 } }
#[derive(Debug)] pub struct Hidden(u8);
impl Color for Hidden { fn of(&self, _: bool) -> bool { self.0 == 0 } }
pub fn all(m: &dyn Map) -> [u8; 3] { [m.at(0), m.at(1), m.at(2)] }
pub fn boxed(m: Box<dyn Map>) -> [u8; 3] { all(&*m) }
pub fn any<M>(m: M) -> [u8; 3] where M: Map { all(&m) }
pub fn twice(n: &mut dyn Next) -> [u8; 2] { [n.next(), n.next()] }
pub fn colored(c: &dyn Color) -> u8 { c.both() }
";

#[test]
fn each_table_of_methods_that_calls_can_tell_apart_is_tried_once() {
    let fixture = Fixture::of("traits::counts", COUNTED, COUNTED_SOURCE);
    // Each generator as the main one: a baseline has little time.
    let runs = ["native", "smt", "enumerative"]
        .map(|generator| (generator, fixture.run(&["-g", generator, "--depth", "3", "--budget", "60s"])));
    let known = [
        // 3^3 tables, C(5, 3) of them monotone, 3 * 3 with a smaller first result.
        ("by_ref", 27),
        ("owned", 27),
        ("generic", 27),
        ("grows", 10),
        ("asked", 9),
        ("history", 4),
        // 2^2 tables, the two values of `Plain`, and the three of `Kind`; `Hidden` may have an invariant.
        ("implementors", 9),
    ];
    for (function, n) in known {
        for (generator, events) in &runs {
            let row = events.of(function, generator);
            assert_eq!(
                (&row["verdict"], &row["exhausted"], &row["valid"], &row["distinct"]),
                (&"passed".into(), &true.into(), &n.into(), &n.into()),
                "{function} by {generator}: {row:#}"
            );
        }
    }
}

const FOUND: &str = r#"[package.metadata.target.traits]
Capped = "trait Pricing { fn price(&self, qty: {q: u32 | 0 < q}) -> {v: u64 | v <= 1000 * qty}; }"
Honest = "trait Pricing { fn price(&self, qty: u32) -> {v: u64 | v == 2 * qty}; }"

[package.metadata.target.functions]
total = "fn(p: &dyn Pricing, qty: u32) -> u64"
capped = { call = "priced", spec = "fn(p: &dyn Capped, qty: {q: u32 | q < 5}) -> u64" }
flat = { call = "flat_price", spec = "fn(p: &dyn Honest) -> u64" }
walk = "fn(tree: &Tree, v: &mut dyn Visitor) ensures calls(v.visit).windows(2).all(|w| w[0] <= w[1])"
listed = "fn(ps: Vec<Box<dyn Pricing>>) -> {r: u64 | r != 7}"
sort = "fn(xs: Vec<u8>, c: &dyn Compare) -> Vec<u8> requires total_order(c.compare) ensures result.windows(2).all(|w| c.compare(w[0], w[1]) != Ordering::Greater)"
twice = "fn(p: impl Pricing) -> u64"
held = "fn(shop: Shop) -> u64"
failing = "fn(s: &mut dyn Store) -> bool"
"#;

const FOUND_SOURCE: &str = r#"use std::cmp::Ordering;

pub trait Pricing { fn price(&self, qty: u32) -> u64; fn twice(&self, qty: u32) -> u64 { 2 * self.price(qty) } }
pub struct Flat { pub rate: u64 }
impl Pricing for Flat {
    fn price(&self, qty: u32) -> u64 { self.rate.wrapping_mul(qty.into()) }
    fn twice(&self, qty: u32) -> u64 { self.price(qty).wrapping_mul(2) + u64::from(self.rate == 3) }
}
pub fn total(p: &dyn Pricing, qty: u32) -> u64 { assert!(qty != 2 || p.price(2) != 3); 0 }
pub fn priced(p: &dyn Pricing, qty: u32) -> u64 { p.price(qty + 1).min(p.price(qty)) }
pub fn flat_price(p: &dyn Pricing) -> u64 { assert!(p.price(4) != 8 || p.twice(1) != 4); 0 }
pub fn listed(ps: Vec<Box<dyn Pricing>>) -> u64 { ps.iter().fold(0, |sum, p| p.price(1).wrapping_add(sum)) }
pub fn twice<P: Pricing>(p: P) -> u64 { assert_eq!(p.twice(1), p.price(1).wrapping_mul(2)); 0 }
pub struct Shop { pub pricing: Box<dyn Pricing>, pub open: bool }
pub fn held(shop: Shop) -> u64 { assert!(!shop.open || shop.pricing.price(0) != 1); 0 }

pub enum Tree { Leaf, Node(Box<Tree>, u8, Box<Tree>) }
pub trait Visitor { fn visit(&mut self, key: u8) -> bool; fn leave(&mut self) {} }
pub fn walk(tree: &Tree, v: &mut dyn Visitor) {
    if let Tree::Node(l, k, r) = tree {
        walk(l, v);
        if v.visit(*k) { walk(r, v) }
        v.leave();
    }
}

pub trait Compare { fn compare(&self, a: u8, b: u8) -> Ordering; }
pub fn sort(mut xs: Vec<u8>, c: &dyn Compare) -> Vec<u8> {
    for i in 1..xs.len() {
        if c.compare(xs[i - 1], xs[i]) == Ordering::Greater { xs.swap(i - 1, i); }
    }
    xs
}

pub trait Store: std::fmt::Debug + Send { fn put(&mut self, key: &str, value: Vec<u8>) -> Result<usize, String>; }
pub fn failing(s: &mut dyn Store) -> bool {
    let first = s.put("a", vec![1, 2]);
    first.is_ok() || s.put("a", vec![1]).map(|n| assert!(n != 3)).is_ok()
}
"#;

#[test]
fn bugs_that_depend_on_a_method_are_found_and_shown_as_rust() {
    let fixture = Fixture::of("traits::found", FOUND, FOUND_SOURCE);
    let events = fixture.run_as_is(&[]);
    let expected: [(&str, &str, &[&str]); 9] = [
        ("total", "panic", &["&sample::Pricing { price: |_| 3 }", "2"]),
        (
            "capped",
            "argument",
            &["&sample::Pricing { price: |qty| match qty { 1 => 0, _ => unreachable!() } }", "0"],
        ),
        (
            "flat",
            "panic",
            &["&sample::Pricing { price: |qty| match qty { 4 => 8, 1 => 2, _ => unreachable!() } }"],
        ),
        ("walk", "ensures", &[]),
        ("listed", "result", &["vec![Box::new(sample::Pricing { price: |_| 7 })]"]),
        ("sort", "ensures", &[]),
        ("twice", "panic", &["sample::Flat { rate: 3 }"]),
        (
            "held",
            "panic",
            &["sample::Shop { pricing: Box::new(sample::Pricing { price: |_| 1 }), open: true }"],
        ),
        ("failing", "panic", &[]),
    ];
    let mut tests = String::new();
    for (function, failure, args) in expected {
        let (found, kind) = events.counterexample(function, "auto");
        assert_eq!(kind, failure, "{function}");
        if !args.is_empty() {
            assert_eq!(found, args, "{function}");
        }
        let row = &events.of(function, "auto")["counterexample"];
        assert_eq!(row["confirmed"], true, "{row:#}");
        // The values as shown fail alike.
        let again = format!("({},)", found.join(", "));
        let again = fixture.run_as_is(&["--exact", function, "--case", &again]);
        assert_eq!(again.counterexample(function, "auto"), (found, failure), "{again:#?}");
        let test = row["test"].as_str().unwrap();
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
fn an_implementor_that_breaks_the_contract_is_none_of_the_values() {
    let tables = r#"[package.metadata.target.traits]
Even = "trait Number { fn number(&self) -> {v: u8 | v % 2 == 0}; }"

[package.metadata.target.functions]
half = "fn(n: &dyn Even) -> u8"
"#;
    let source = "pub trait Number { fn number(&self) -> u8; }
pub struct Own { pub n: u8 }
impl Number for Own { fn number(&self) -> u8 { self.n } }
pub fn half(n: &dyn Number) -> u8 { assert!(n.number() % 2 == 0); n.number() / 2 }
";
    let events = Fixture::of("traits::contract", tables, source).run(&["-g", "native"]);
    let row = events.of("half", "native");
    // 0, 2 and 4, from a table and from `Own`.
    assert_eq!(
        (&row["verdict"], &row["exhausted"], &row["valid"]),
        (&"passed".into(), &true.into(), &6.into()),
        "{row:#}"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn mistakes_in_traits_are_explained() {
    let tables = r#"[package.metadata.target.traits]
Priced = "trait Pricing { fn prise(&self, qty: u32) -> u64; }"
Changed = "trait Pricing { fn price(&mut self, qty: u32) -> u64; }"
Struct = "struct Pricing { price: fn(qty: u32) -> u64 }"
Semicolon = "trait Pricing { fn price(&self, qty: u32) -> u64 }"
Receiver = "trait Pricing { fn price(qty: u32) -> u64; }"

[package.metadata.target.functions]
wrong = { call = "f", spec = "fn(p: &dyn Pricng) -> u64" }
priced = { call = "f", spec = "fn(p: &dyn Priced) -> u64" }
changed = { call = "f", spec = "fn(p: &dyn Changed) -> u64" }
named = { call = "f", spec = "fn(p: &dyn Struct) -> u64" }
associated = { call = "g", spec = "fn(p: &dyn Items<Item = u8>) -> u64" }
items = { call = "h", spec = "fn(p: impl Items) -> u64" }
inherited = { call = "i", spec = "fn(p: impl Shelf<Item = u8>) -> u64" }
method = { call = "f", spec = "fn(p: &dyn Pricing) -> u64 requires p.prise(1) == 2" }
provided = { call = "f", spec = "fn(p: &dyn Pricing) -> u64 ensures calls(p.twice).is_empty()" }
standard = { call = "d", spec = "fn(p: impl Display) -> u64" }
"#;
    let source =
        "pub trait Pricing { fn price(&self, qty: u32) -> u64; fn twice(&self) -> u64 { 2 * self.price(1) } }
pub trait Items { type Item; fn item(&self) -> Self::Item; }
pub trait Shelf: Items { fn is_full(&self) -> bool; }
pub fn i(p: impl Shelf<Item = u8>) -> u64 { p.item().into() }
pub fn f(p: &dyn Pricing) -> u64 { p.price(1) }
pub fn g(p: &dyn Items<Item = u8>) -> u64 { p.item().into() }
pub fn h(_: impl Items) -> u64 { 0 }
pub fn d(_: impl std::fmt::Display) -> u64 { 0 }
";
    let printed = Fixture::of("traits::mistakes", tables, source).target(&["check"]);
    expect_test::expect![[r#"
        error: `dyn sample::Pricing` has no method `prise` without a body
         --> Cargo.toml:9:30
          |
        9 | Priced = "trait Pricing { fn prise(&self, qty: u32) -> u64; }"
          |                              ^^^^^
          |
          = help: did you mean `price`?

        error: the source gives `price` another receiver
          --> Cargo.toml:10:31
           |
        10 | Changed = "trait Pricing { fn price(&mut self, qty: u32) -> u64; }"
           |                               ^^^^^
           |
           = help: write `&self`, `&mut self` or `self` as there

        error: `Pricing` is a trait, the view says `struct`
          --> Cargo.toml:11:18
           |
        11 | Struct = "struct Pricing { price: fn(qty: u32) -> u64 }"
           |                  ^^^^^^^

        error: expected `;` after the method, found `}`
          --> Cargo.toml:12:63
           |
        12 | Semicolon = "trait Pricing { fn price(&self, qty: u32) -> u64 }"
           |                                                               ^

        error: expected `&self`, `&mut self` or `self`, found `qty`
          --> Cargo.toml:13:38
           |
        13 | Receiver = "trait Pricing { fn price(qty: u32) -> u64; }"
           |                                      ^^^

        error: the crate has no trait `Pricng`
          --> Cargo.toml:16:38
           |
        16 | wrong = { call = "f", spec = "fn(p: &dyn Pricng) -> u64" }
           |                                      ^^^^^^^^^^
           |
           = help: did you mean `Pricing`?

        error: `Items` has 1 type parameter, not 0
          --> Cargo.toml:21:37
           |
        21 | items = { call = "h", spec = "fn(p: impl Items) -> u64" }
           |                                     ^^^^^^^^^^

        error: values of the trait `Shelf` can't be tables: its supertrait `Items` has an associated type, `Item`; name a type that has the trait instead
          --> Cargo.toml:22:41
           |
        22 | inherited = { call = "i", spec = "fn(p: impl Shelf<Item = u8>) -> u64" }
           |                                         ^^^^^^^^^^^^^^^^^^^^^

        error: no method `prise` to ask
          --> Cargo.toml:23:70
           |
        23 | method = { call = "f", spec = "fn(p: &dyn Pricing) -> u64 requires p.prise(1) == 2" }
           |                                                                      ^^^^^
           |
           = help: did you mean `price`?

        error: no method `twice` to ask
          --> Cargo.toml:24:77
           |
        24 | provided = { call = "f", spec = "fn(p: &dyn Pricing) -> u64 ensures calls(p.twice).is_empty()" }
           |                                                                             ^^^^^
           |
           = help: only methods without a body can be asked

        error: the crate has no trait `Display`
          --> Cargo.toml:25:40
           |
        25 | standard = { call = "d", spec = "fn(p: impl Display) -> u64" }
           |                                        ^^^^^^^^^^^^
           |
           = help: values are made of the crate's own traits; for others, name a type that has the trait, such as `String`

    "#]]
    .assert_eq(&printed.stderr);
}
