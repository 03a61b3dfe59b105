//! Specs that are right.

use expect_test::{Expect, expect};

fn check(tables: &str, expected: Expect) {
    expected.assert_eq(&super::resolved(tables));
}

#[test]
fn the_running_example() {
    check(
        r#"
[types]
Pos = "{v: i64 | 0 < v}"
"Rng(n: int)" = "{v: i64 | 0 <= v && v < n}"
[functions]
rescale = "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)"
"#,
        expect![[""]],
    );
}

#[test]
fn refinements_nest_and_merge() {
    check(
        r#"
[types]
Nat = "{v: int | 0 <= v}"
Score = "{v: Nat | v <= 100}"
"Even(n: int)" = "{w: Score | w % 2 == 0 && w < n}"
[functions]
best = "fn(k: Nat, xs: {v: Vec<Even(k + 1)> | k <= v.len()}) -> {v: Vec<Score> | v.len() == k}"
"#,
        expect![[""]],
    );
}

#[test]
fn generics_are_bound_by_the_spec() {
    check(
        r#"
[types]
"Sorted<T>" = "{v: Vec<T> | v.windows(2).all(|w| w[0] <= w[1])}"
[functions]
largest = "fn(xs: Sorted<{v: u8 | v < 9}>) -> {r: Option<u8> | r.is_some() == (xs.len() > 0)}"
both = "fn(a: Vec<i32>, b: Vec<int>) -> bool"
shown = "fn(x: &str) -> String"
"#,
        expect![[""]],
    );
}

#[test]
fn the_crates_types() {
    check(
        r#"
[types]
Pos = "{v: i64 | 0 < v}"
Pixel = "{p: Pair<u8> | p.0 <= p.1}"
[functions]
"tree::insert" = "fn(t: Tree<Pos>, x: i64) -> Tree"
swap = "fn(p: Pixel) -> Pair<u8>"
square = "fn(m: [[{v: u8 | v < 3}; 3]; 3]) -> (u8, char)"
"#,
        expect![[""]],
    );
}

#[test]
fn methods_and_conditions() {
    check(
        r#"
[functions]
"Heap::push" = "fn(self: {h: Heap | h.items.len() < h.limit}, x: i64) ensures self.items.len() == old(self).items.len() + 1"
"Heap::len" = "fn(self: &Heap) -> usize ensures result == self.items.len() where result == &old(self).len()"
"Heap::new" = "fn(limit: usize) -> Heap panics if limit == 0 && limit < 7"
sort = "fn(xs: Vec<i32>) requires xs.len() <= 3 ensures xs.is_sorted() where xs.len() == old(xs).len()"
nothing = "fn()"
"#,
        expect![[""]],
    );
}

#[test]
fn results_that_cannot_be_looked_into() {
    check(
        r#"
[functions]
decode = "fn(text: {s: String | s.len() == 2 where s.is_ascii()}) -> Result<Vec<u8>, ParseIntError>"
"Sealed::new" = "fn(x: u8)"
"#,
        expect![[""]],
    );
}

#[test]
fn closures() {
    check(
        r#"
[functions.drains]
call = "|v: &mut Vec<i64>, a: usize, b: usize| v.drain(a..b).collect::<Vec<_>>()"
spec = "fn(v: Vec<i64>, a: usize, b: usize) -> {r: Vec<i64> | r.len() == b - a} requires a <= b && b <= v.len()"
explore = "v.len() <= 3"
examples = ["(vec![1, 2, 3], 1, 2)"]

[functions.untyped]
call = "|a, _| -> bool { a }"
spec = "fn(a: [bool], b: &str)"
"#,
        expect![[""]],
    );
}

#[test]
fn where_in_an_alias_sees_its_arguments() {
    check(
        r#"
[types]
"Fit(n: int)" = "{v: i64 | v < n where fits(*v, *n)}"
[functions]
rescale = "fn(r1: i64, r2: Fit(r1), s: Fit(8)) -> i64"
"#,
        expect![[""]],
    );
}
