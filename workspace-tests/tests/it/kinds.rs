//! Every kind of subject, type and condition.

use crate::support::Fixture;

#[test]
fn every_kind_of_subject_is_called_rightly() {
    let events = Fixture::new("kinds::all", "shapes").run(&["-g", "smt,enumerative"]);
    assert_eq!(events.with_reason("diagnostic"), Vec::<&serde_json::Value>::new());
    let outcomes = events.with_reason("function-finished");
    assert_eq!(outcomes.len(), 2 * 23);
    for outcome in &outcomes {
        assert_eq!(outcome["verdict"], "passed", "{outcome:#}\n{}", events.stderr);
        assert!(outcome["valid"].as_u64() > Some(0), "{outcome:#}");
    }
    assert_eq!(events.code, 0);
}

#[test]
fn both_generators_find_the_same_inputs_of_every_kind() {
    let events = Fixture::new("kinds::same", "shapes").run(&[
        "-g",
        "smt,enumerative",
        "--no-boundary",
        "--cases",
        "1000000",
    ]);
    for outcome in events.with_reason("function-finished").chunks(2) {
        assert_eq!(outcome[0]["function"], outcome[1]["function"]);
        assert_eq!(outcome[0]["exhausted"], true, "{:#}", outcome[0]);
        assert_eq!(outcome[1]["exhausted"], true, "{:#}", outcome[1]);
        assert_eq!(outcome[0]["valid"], outcome[1]["valid"], "{}", outcome[0]["function"]);
    }
}

#[test]
fn a_planted_bug_shows_with_its_feature_alone() {
    let fixture = Fixture::new("kinds::feature", "shapes");
    let words = ["--exact", "Heap::push", "-g", "smt"];
    assert_eq!(fixture.run(&words).code, 0);
    let events = fixture.run(&[&words[..], &["--features", "bug"]].concat());
    assert_eq!(events.code, 1);
    let (args, failure) = events.counterexample("Heap::push", "smt");
    assert_eq!(failure, "ensures");
    assert_eq!(args, ["&mut shape_kinds::Heap { items: vec![1] }", "0"]);
}

#[test]
fn an_example_is_the_first_case() {
    let library = "pub fn half(x: u32) -> u32 { assert!(x != 77); x / 2 }";
    let tables = "[package.metadata.target.functions.half]\nspec = 'fn(x: u32) -> {v: u32 | 2 * v <= x}'\nexamples = ['(77,)']\n";
    let events = Fixture::of("kinds::example", tables, library).run(&["-g", "smt", "--no-boundary"]);
    let outcome = events.of("half", "smt");
    assert_eq!(outcome["cases_to_failure"], 1, "{outcome:#}");
    assert_eq!(events.counterexample("half", "smt").0, ["77"]);
}

#[test]
fn shrinking_stays_inside_the_spec() {
    let library = "pub fn f(xs: &[i64], k: i64) -> bool { assert!(xs.iter().fold(0, |a: i64, x| a.saturating_add(*x)) < 1000); k > 0 }";
    let tables = "[package.metadata.target.functions]\n\
        f = '''fn(xs: {v: Vec<i64> | v.is_sorted() && v.len() >= 2 && v.iter().all(|x| x % 10 == 0)}, k: {k: i64 | k > xs.len()}) -> bool'''\n";
    let events = Fixture::of("kinds::shrink", tables, library).run(&["-g", "random", "--cases", "100000"]);
    let (args, failure) = events.counterexample("f", "random");
    assert_eq!(failure, "panic");
    let numbers: Vec<i64> =
        args[0].trim_matches(['&', '[', ']']).split(", ").map(|number| number.parse().unwrap()).collect();
    assert!(numbers.len() >= 2 && numbers.is_sorted() && numbers.iter().all(|n| n % 10 == 0), "{numbers:?}");
    assert_eq!(args[1].parse::<usize>().unwrap(), numbers.len() + 1, "{args:?}");
    assert_eq!(numbers.len(), 2, "{numbers:?}");
    assert!(numbers.iter().sum::<i64>() == 1000, "{numbers:?}");
}

#[test]
fn a_set_is_shrunk_shown_and_read_back() {
    let library = "use std::collections::{BTreeMap, HashSet};
        pub fn f(s: &HashSet<i64>, m: BTreeMap<char, bool>) -> HashSet<i64> { if s.len() > 1 && m.len() == 1 { HashSet::new() } else { s.clone() } }";
    let tables = "[package.metadata.target.functions.f]\n\
        spec = \"fn(s: Set<i64>, m: Map<char, bool>) -> {r: Set<i64> | r == s where r.len() == s.len()}\"\n\
        examples = [\"(HashSet::from([7, 7]), map!['z' => true, 'y' => false])\"]\n";
    let fixture = Fixture::of("kinds::set", tables, library);
    let shown =
        ["&std::collections::HashSet::from([0, 1])", "std::collections::BTreeMap::from([('a', false)])"];
    for generator in ["smt", "random", "enumerative"] {
        let events = fixture.run(&["-g", generator, "--cases", "100000"]);
        let (args, failure) = events.counterexample("f", generator);
        assert_eq!((args.as_slice(), failure), (&shown[..], "result"), "{generator}");
    }
    let again = fixture.run(&["-g", "smt", "--case", &format!("({}, {})", shown[0], shown[1])]);
    assert_eq!(again.code, 1, "{}", again.stderr);
}

#[test]
fn a_where_sees_what_the_crate_depends_on_in_the_crates_edition() {
    let manifest = "[package]\nname = \"old-crate\"\nversion = \"0.1.0\"\nedition = \"2018\"\n[workspace]\n\
        [dependencies]\nrenamed = { package = \"even\", path = \"even\" }\n\
        [package.metadata.target.functions]\n\
        gen = \"fn(n: {n: u8 | where renamed::is_even(*n)}) -> {r: u8 | where { let gen = *r; renamed::is_even(gen) }}\"\n";
    let fixture = Fixture::with_files(
        "kinds::dependency",
        &[
            ("Cargo.toml", manifest),
            ("src/lib.rs", "pub fn gen(n: u8) -> u8 { renamed::half(n) * 2 }"),
            ("even/Cargo.toml", "[package]\nname = \"even\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
            (
                "even/src/lib.rs",
                "pub fn is_even(n: u8) -> bool { n % 2 == 0 }\npub fn half(n: u8) -> u8 { n / 2 }",
            ),
        ],
    );
    let events = fixture.run(&["-g", "smt", "--no-boundary"]);
    let outcome = events.of("gen", "smt");
    assert_eq!((&outcome["valid"], &outcome["discarded"]), (&3.into(), &2.into()), "{outcome:#}");
    assert_eq!(events.code, 0);
}

#[test]
fn types_with_constant_parameters_are_tested_at_numbers() {
    let tables = "[package.metadata.target]
depth = 2
bound = 2

[package.metadata.target.functions]
\"Ring::push\" = \"fn(self: &mut {r: Ring<3> | r.len <= 3}, x: u8) ensures self.len == old(self).len + 1 requires self.len < 3\"
filled = \"fn(xs: [u8; 2]) -> {r: Ring<2> | r.items == xs}\"
cells = \"fn(g: &Grid<bool, 1, 2>) -> {n: usize | n == 2}\"
";
    let library = "pub struct Ring<const N: usize> { pub items: [u8; N], pub len: usize }
impl<const N: usize> Ring<N> {
    pub fn push(&mut self, x: u8) { if self.len + 1 < N { self.items[self.len] = x; self.len += 1; } }
}
pub fn filled<const N: usize>(items: [u8; N]) -> Ring<N> { Ring { items, len: N } }
pub struct Grid<T, const W: usize, const H: usize> { pub cells: [[T; W]; H] }
pub fn cells<T, const W: usize, const H: usize>(g: &Grid<T, W, H>) -> usize { g.cells.iter().map(|row| row.len()).sum() }
";
    let events = Fixture::of("kinds::constant", tables, library).run(&["-g", "native", "--no-boundary"]);
    let (args, failure) = events.counterexample("Ring::push", "native");
    assert_eq!((args[0], failure), ("&mut sample::Ring { items: [0, 0, 0], len: 2 }", "ensures"));
    for (function, n) in [("filled", 9), ("cells", 4)] {
        let row = events.of(function, "native");
        assert_eq!((&row["verdict"], &row["valid"]), (&"passed".into(), &n.into()), "{row:#}");
    }
}
