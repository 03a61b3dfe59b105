//! Specs with mistakes, each of which is reported once, at its place.

use expect_test::{Expect, expect};

fn check(tables: &str, expected: Expect) {
    expected.assert_eq(&super::resolved(tables));
}

#[test]
fn unknown_names() {
    check(
        r#"
[types]
Pos = "{v: i64 | 0 < v}"
Unused = "Vec<Pso>"
"Generic<T>" = "(T, Poss)"
[functions]
resclae = "fn(r1: Pos, r2: Pos, s: Pos) -> Pos"
"tre::insert" = "fn(t: Tree<i64>, x: i64) -> Tree<i64>"
"tree" = "fn()"
best = "fn(k: usizee, xs: Vec<Unused>) -> Tre<u32>"
rescale = "fn(r1: Pos, r2: Nowhere, s: {v: Pos | v < r2 && v < r3}) -> i64"
"#,
        expect![[""]],
    );
}

#[test]
fn aliases() {
    check(
        r#"
[types]
A = "Vec<B>"
B = "(C, i64)"
C = "{v: A | v.len() < 3}"
D = "Vec<A>"
"Rng(n: int)" = "{v: i64 | v < n}"
"Two(n: int, n: int)" = "i64"
"Wrong(n: {v: i64 | v < 3})" = "i64"
[functions]
rescale = "fn(r1: Rng, r2: Rng(1, 2), s: Rng(true)) -> Rng<i64>(3)"
best = "fn(k: D, xs: Vec<u32(3)>)"
"#,
        expect![[""]],
    );
}

#[test]
fn types_that_differ_from_the_functions() {
    check(
        r#"
[types]
Pos = "{v: i64 | 0 < v}"
[functions]
best = "fn(k: Pos, xs: Vec<Pos>) -> Option<u32>"
rescale = "fn(r1: Box<i64>, r2: &mut i64, s: (i64, i64)) -> bool"
square = "fn(m: [[u8; 2]; 3]) -> (u8, char, u8)"
"Heap::len" = "fn(self: Sealed) -> u64"
both = "fn(a: i64, b: u64) -> bool"
shown = "fn(x: int) -> String"
"#,
        expect![[""]],
    );
}

#[test]
fn parameters() {
    check(
        r#"
[functions]
best = "fn(xs: Vec<u32>) -> Vec<u32>"
rescale = "fn(r2: i64, r1: i64, s: i64) -> i64"
sort = "fn(self: Vec<i32>)"
"Heap::push" = "fn(h: Heap, x: i64)"
"tree::insert" = "fn(x: Tree<u8>, x: u8) -> Tree<u8>"
made = "fn() -> bool"
"#,
        expect![[""]],
    );
}

#[test]
fn what_is_not_in_scope() {
    check(
        r#"
[functions]
rescale = "fn(r1: {v: i64 | v < r2}, r2: {v: i64 | r2 < v}, s: i64) -> i64 requires result < r1 && old(r1) == r1"
best = "fn(k: usize, xs: Vec<{v: u32 | xs.len() < 3}>) -> Vec<u32>"
"#,
        expect![[""]],
    );
}

#[test]
fn not_supported_yet() {
    check(
        r#"
[data]
Span = "struct std::ops::Range<usize> { start: usize, end: usize }"
[measures]
"size(t: Tree<i64>) -> int" = "0"
[functions]
half = "fn(x: f32) -> f32"
index = "fn(m: BTreeMap<u8, u8>)"
apply = "fn(f: fn(x: i64) -> i64, x: i64) -> i64"
raw = "fn(x: i64)"
later = "fn(x: i64)"
hidden = "fn(x: i64)"
first_mut = "fn(xs: Vec<i32>)"
view = "fn(v: View)"
"Sealed::get" = "fn(self: Sealed) -> u8"
"Sealed::new" = "fn(x: u8) -> {v: Option<{s: Sealed | true}> | v.is_some()}"
"tree::nest" = "fn(n: Nest<u8>)"
sort = "fn(xs: Vec<Span>) requires size(xs) == 3"
"#,
        expect![[""]],
    );
}

#[test]
fn hostile_aliases_end() {
    let mut tables = "\n[types]\nA0 = \"(i64, i64)\"\n\"N0(n: int)\" = \"{v: i64 | v < n}\"\n".to_owned();
    for n in 1..200 {
        tables += &format!("A{n} = \"(A{m}, A{m})\"\n\"N{n}(n: int)\" = \"N{m}(n + n)\"\n", m = n - 1);
    }
    tables += "[functions]\nrescale = \"fn(r1: A199, r2: N30(3), s: N199(3)) -> i64\"\n";
    let text = super::resolved(&tables);
    assert!(text.contains("nests too deeply") && text.contains("is too large"), "{text}");
}

#[test]
fn conditions_of_one_entry_are_all_looked_at() {
    check(
        r#"
[functions.adds]
call = "|a: i64, b| a + b"
spec = "fn(a: {v: i64 | v.lenn() < 3}, b: i64) -> {v: i64 | v == c} requires a + 1 ensures d"
explore = "e where f"
examples = ["(1, 2, 3)", "(1, true)"]

[functions.broken]
call = "1 + 2"
spec = "fn()"
"#,
        expect![[""]],
    );
}
