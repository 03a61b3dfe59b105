//! Views of data types, types built by functions, and measures: what becomes of them, and the mistakes in them.

use expect_test::{Expect, expect};

use super::resolved;

fn check(tables: &str, expected: Expect) {
    expected.assert_eq(&resolved(tables));
}

#[test]
fn a_view_refines_fields_and_hands_refinements_down() {
    check(
        r#"
[data]
"Ordered<T>" = "enum Tree<T> { Leaf, Node(c: Color, l: Ordered<{v: T | v < k}>, k: T, r: Ordered<{v: T | k < v}>) }"
Growing = "struct Heap { limit: {n: usize | items.len() <= n}, items: Vec<i64> }"
Span = "struct std::ops::Range<usize> { start: usize, end: {e: usize | start <= e} }"
[measures]
"size<T>(t: Tree<T>) -> int" = "match t { Tree::Leaf => 0, Tree::Node(_, l, _, r) => 1 + size(l) + size(r) }"
[functions]
"tree::insert" = "fn(t: Ordered<i32>, x: i32) -> {v: Ordered<i32> | size(v) <= size(t) + 1}"
"Heap::len" = "fn(self: &Growing) -> usize"
[functions.spans]
call = "|s: std::ops::Range<usize>| s"
spec = "fn(s: Span) -> {v: Span | v.end == s.end}"
"#,
        expect![[r#"
            tree::insert calls scores::tree::insert, which is generic
              0 t: scores::tree::Tree<i32>
                see data 2
              1 x: i32
              2 result: scores::tree::Tree<i32>
                see data 2
                size(v) <= size(t) + 1  ⇒  size(v) <= (size(t) + 1)
              data 1: scores::tree::Color
                scores::tree::Color::Red()
                scores::tree::Color::Black()
              data 2: scores::tree::Tree<i32>
                scores::tree::Tree::Leaf()
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<i32>>, x11 = 2: i32, 3: Box<scores::tree::Tree<i32>>) (recursive)
                  1: Box<scores::tree::Tree<i32>>
                    see data 2
                    v < k  ⇒  elements_2(v).all(|x13| x13 < x11)
                  3: Box<scores::tree::Tree<i32>>
                    see data 2
                    k < v  ⇒  elements_2(v).all(|x15| x11 < x15)
              fn elements_2(x14)
                if x14 is #0 { concat() } else { if x14 is #1 { concat(elements_2(x14.1#1), [x14.1#2], elements_2(x14.1#3)) } else { [] } }
              fn size(x16)
                if x16 is #0 { 0 } else { if x16 is #1 { (1 + size(x16.1#1)) + size(x16.1#3) } else { undefined } }
            Heap::len calls scores::Heap::len
              0 self: &scores::Heap
                see data 1
              1 result: usize
              data 1: scores::Heap
                scores::Heap(x3 = items: Vec<i64>, limit: usize)
                  limit: usize
                    items.len() <= n  ⇒  x3.len() <= v
            spans calls |s: std::ops::Range<usize>| s
              0 s: std::ops::Range<usize>
                see data 1
              1 result: std::ops::Range<usize>
                see data 1
                v.end == s.end  ⇒  v.0#1 == s.0#1
              data 1: std::ops::Range<usize>
                std::ops::Range(x5 = start: usize, end: usize)
                  end: usize
                    start <= e  ⇒  x5 <= v
        "#]],
    );
}

#[test]
fn constructors_may_be_left_out_and_functions_may_build() {
    check(
        r#"
[data]
Leaves = "enum Tree<u8> { Leaf }"
Seal = "via Sealed::new(x: {x: u8 | x < 9} = self.get())"
Version = "via semver::Version::new(major: u64 = self.major, minor: u64, patch: u64)"
[functions]
"tree::insert" = "fn(t: Leaves, x: u8) -> Tree<u8>"
"Sealed::get" = "fn(self: &Seal) -> {v: u8 | v == self.x}"
"#,
        expect![[r#"
            tree::insert calls scores::tree::insert, which is generic
              0 t: scores::tree::Tree<u8>
              1 x: u8
              2 result: scores::tree::Tree<u8>
              data 0: scores::tree::Tree<u8>
                scores::tree::Tree::Leaf()
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<u8>>, 2: u8, 3: Box<scores::tree::Tree<u8>>) (recursive)
              data 1: scores::tree::Color
                scores::tree::Color::Red()
                scores::tree::Color::Black()
              data 2: scores::tree::Tree<u8>
                scores::tree::Tree::Leaf()
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<u8>>, 2: u8, 3: Box<scores::tree::Tree<u8>>) (left out)
            Sealed::get calls scores::Sealed::get
              0 self: &scores::Sealed
                see data 1
              1 result: u8
                v == self.x  ⇒  v == self.0#0
              data 1: scores::Sealed
                scores::Sealed::new(x: u8)
                  x: u8
                    x < 9  ⇒  v < 9
        "#]],
    );
}

#[test]
fn mistakes_in_views() {
    check(
        r#"
[data]
A = "union Tree { Leaf }"
B = "enum Tre<i64> { Leaf }"
C = "enum Tree<i64> { Lef }"
D = "enum Tree<i64> { Node(c: Color, l: Tree<i64>, k: i64) }"
E = "enum Tree<i64> { Node(c: Color, l: Tree<i64>, k: i64, r: Tree<i64>), Leaf }"
F = "struct Heap { items: Vec<i64>, limits: usize }"
G = "struct Heap { items: {v: Vec<i64> | v.len() < limit}, limit: {n: usize | items.len() < n} }"
H = "struct Heap { items: Vec<u8>, limit: usize }"
I = "struct Heap { items: {v: Vec<i64> | items.len() < 3}, limit: usize }"
J = "enum Heap { Heap }"
K = "enum Tree<i64> { Node(Color, Tree<i64>, i64, Tree<i64>) }"
"L(n: int)" = "enum Tree<i64> { Leaf }"
M = "struct Heap { items: Vec<{v: i64 | v < limt}>, limit: usize }"
[functions]
nothing = "fn(t: C)"
"tree::nest" = "fn(n: F) -> ()"
"#,
        expect![[r#"
            3:6 <union> expected `enum`, `struct`, `trait` or `via`, found `union`
            4:11 <Tre<i64>> no type `Tre`; did you mean `tree::Tree`?
            5:23 <Lef> `scores::tree::Tree<i64>` has no constructor `Lef`; did you mean `Leaf`?
            6:23 <Node> `Node` has 4 fields, the view gives 3; a view names all of them
            8:37 <limits> the view lacks the field `limit` of `Heap`; did you mean `limit`?
            9:20 <items> the fields `items`, `limit` mention each other in a circle; move the condition to the type of one of them
            10:31 <u8> the field is declared as `i64`, not `u8`
            11:42 <items> `items` has no value yet inside of its own type
            12:11 <Heap> `Heap` is a struct, the view says `enum`
            13:28 <Color> expected a field, `name: Type`, found `Color`; every field has a name here, so that others can mention it: `left: Tree`
            14:4 <n> the view `L` can't have value parameters; only aliases have them
            15:45 <limt> no value `limt` in scope; did you mean `limit`?
            17:12 <fn(t: C)> the function has 0 parameters, the spec has 1; it is declared as fn()
        "#]],
    );
}

#[test]
fn mistakes_in_functions_that_build() {
    check(
        r#"
[data]
A = "via"
B = "via Sealed::nw(x: u8)"
C = "via Sealed::new(x: u8, y: u8)"
D = "via Sealed::new(x: u16)"
E = "via Sealed::new(x: u8 = )"
F = "via Sealed::new(x: u8)"
[functions]
"Sealed::get" = "fn(self: &F) -> {v: u8 | v == self.y}"
"Sealed::new" = "fn(x: u8) -> Option<{s: F | s.x == x}>"
"#,
        expect![[r#"
            3:9 <> expected the path of a function, such as `Date::from_ymd`, found the end
            4:10 <Sealed::nw> no function `Sealed::nw`; did you mean `Sealed::new`?
            5:10 <Sealed::new> `Sealed::new` has 1 parameter, the entry gives 2; it is declared as `fn(x: u8) -> Option<Sealed>`
            6:25 <u16> the field is declared as `u8`, not `u16`
            7:30 <)> expected a Rust expression of `self`, such as `self.year()`, found `)`; is there a bracket too many, or one missing before?
            10:53 <y> no field `y` in `scores::Sealed`; it has `x`
            11:48 <x> `x` can't be read back from what the function returns; say how, in its entry in the table `data`: `x: .. = self.x()`
        "#]],
    );
}

#[test]
fn mistakes_in_measures() {
    check(
        r#"
[measures]
"a(t: Tree<i64>)" = "0"
"b() -> int" = "0"
"c(n: int) -> int" = "if n == 0 { 0 } else { c(n - 1) }"
"d(n: int) -> int decreases n" = "if n == 0 { 0 } else { d(n - 1) }"
"e(n: int) -> int decreases n" = "e(n + 1)"
"f(n: int) -> bool" = "n + 1"
"g(n: in) -> int" = "n"
"h(n: int, n: int) -> int" = "n"
"old(n: int) -> int" = "n"
"gcd(a: int, b: int) -> int decreases b" = "if b == 0 { a } else { gcd(b, a % b) }"
"even(xs: Vec<u8>) -> bool" = "match xs { [] => true, [_, rest @ ..] => odd(rest) }"
"odd(xs: Vec<u8>) -> bool" = "match xs { [] => false, [_, rest @ ..] => even(rest) }"
"stuck(xs: Vec<u8>) -> bool" = "stuck(xs)"
"size<T>(t: Tree<T>) -> int" = "match t { Tree::Leaf => 0, Tree::Node(_, l, _, r) => 1 + size(l) + size(r) }"
[functions]
rescale = "fn(r1: i64, r2: i64, s: i64) -> i64 requires gcd(r1) == 1 && gdc(r1, r2) == 1 && size(r1) == 2 && gcd(r1, r2) == 1"
"tree::insert" = "fn(t: {t: Tree<i64> | size(t) < 3 && size(size(t)) == 1}, x: i64) -> Tree<i64>"
"#,
        expect![[r#"
            3:17 <> expected `->` and the type of the result, found the end
            4:6 <->> expected `(` and the parameters, found `->`; a measure has parameters: `height(t: Tree) -> int`
            5:44 <{ c(n - 1) }> can't show that `c` ends (no argument is a part of the one before); put `decreases n` after the result's type: `n` gets smaller, and must not be negative
            7:35 <e(n + 1)> can't show that `e` ends (the number after `decreases` may not get smaller here); let the conditions around the call imply that it gets smaller, or add a parameter that is one less in each call, and name it after `decreases`
            8:24 <n + 1> expected `bool`, found `int`; write a comparison, as in `x != 0`
            9:7 <in> expected a type, found `in`; `in` is a keyword
            10:12 <n> the measure `h` has two parameters named `n`
            11:2 <old> `old` has a meaning of its own in the logic; give the measure another name
            15:33 <stuck(xs)> can't show that `stuck` ends (no argument is a part of the one before); pass on a part of an argument, or put `decreases` and a natural number that gets smaller after the result's type; that can be a parameter which counts the calls that are left
            18:57 <gcd(r1)> `gcd` takes 2 arguments, not 1; it is declared as `gcd(a: int, b: int) -> int decreases b`
            18:73 <gdc> no function `gdc` in the logic; did you mean `gcd`?
            18:98 <r1> expected `scores::tree::Tree<T>`, found `i64`
            19:61 <size(t)> expected `scores::tree::Tree<T>`, found `int`
        "#]],
    );
}

#[test]
fn laws_of_functions_are_suggested_like_measures() {
    check(
        r#"
[functions]
rescale = "fn(r1: i64, r2: i64, s: i64) -> i64 requires equivalance(r1) && call(r2) == 1"
"#,
        expect![[r#"
            3:57 <equivalance> no function `equivalance` in the logic; did you mean `equivalence`?
            3:76 <call> no function `call` in the logic; did you mean `calls`?
        "#]],
    );
}

#[test]
fn what_grows_without_end_is_stopped() {
    check(
        r#"
[data]
"N<T>" = "struct a::B<T> { x: T, y: N<(T, T)> }"
D = "via foo::bar(y: Option<D>, n: i64)"
"O<T>" = "enum Tree<T> { Leaf, Node(c: Color, l: O<{v: T | v < k && v != 0}>, k: T, r: O<T>) }"
[measures]
"f<T>(x: T, n: int) -> int decreases n" = "if n <= 0 { 0 } else { f((x, x), n - 1) }"
"size<T>(t: O<T>) -> int" = "match t { Tree::Leaf => 0, Tree::Node(_, l, _, r) => 1 + size(l) + size(r) }"
"refined(xs: Vec<{v: int | 0 < v}>) -> int" = "0"
[functions]
nothing = "fn() requires f(1, 3) == 0"
"tree::insert" = "fn(t: {t: O<i32> | size(t) < 3}, x: i32) -> Tree<i32>"
"#,
        expect![[r#"
            tree::insert calls scores::tree::insert, which is generic
              0 t: scores::tree::Tree<i32>
                see data 2
                size(t) < 3  ⇒  size(v) < 3
              1 x: i32
              2 result: scores::tree::Tree<i32>
              data 0: scores::tree::Tree<i32>
                scores::tree::Tree::Leaf()
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<i32>>, 2: i32, 3: Box<scores::tree::Tree<i32>>) (recursive)
              data 1: scores::tree::Color
                scores::tree::Color::Red()
                scores::tree::Color::Black()
              data 2: scores::tree::Tree<i32>
                scores::tree::Tree::Leaf()
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<i32>>, x11 = 2: i32, 3: Box<scores::tree::Tree<i32>>) (recursive)
                  1: Box<scores::tree::Tree<i32>>
                    see data 4
                    v < k  ⇒  elements_4(v).all(|x13| x13 < x11)
              data 4: scores::tree::Tree<i32>
                scores::tree::Tree::Leaf()
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<i32>>, x20 = 2: i32, 3: Box<scores::tree::Tree<i32>>) (recursive)
                  1: Box<scores::tree::Tree<i32>>
                    see data 4
                    v < k  ⇒  elements_4(v).all(|x22| x22 < x20)
                  2: i32
                    v != 0  ⇒  !(v == 0)
              fn elements_4(x23)
                if x23 is #0 { concat() } else { if x23 is #1 { concat(elements_4(x23.1#1), [x23.1#2], elements_4(x23.1#3)) } else { [] } }
              fn size(x28)
                if x28 is #0 { 0 } else { if x28 is #1 { (1 + size(x28.1#1)) + size(x28.1#3) } else { undefined } }
            3:2 <N> `N` contains too many different instances of types
            4:10 <foo> a type that only rustc knows can't contain itself, or too many of its kind; wrap the function in one of the crate's own, whose result type is named
            7:2 <f> `f` is used at too many different types
            9:18 <{v: int | 0 < v}> the types of a measure have no refinements; the body may return something else where the condition does not hold
        "#]],
    );
}

#[test]
fn proofs_of_an_end_are_sound_and_quick() {
    check(
        r#"
[measures]
"a(xs: Vec<int>, ys: Vec<int>) -> int" = "if ys.len() == xs.len() + 1 { a(xs[0..ys.len() - 1], ys) } else { 0 }"
"b(a: f64, n: int) -> int decreases n" = "if a == a { 0 } else { b(a, n) }"
"c(n: int) -> int decreases c(n)" = "0"
"d(p: int, q: int, r: int, s: int, t: int, u: int, n: int) -> int decreases n" = """
if n <= 0 { 0 } else { d(q, p, r, s, t, u, n - 1) + d(q, r, s, t, u, p, n - 1) + d(p, p, r, s, t, u, n - 1) }"""
"e(xs: Vec<int>) -> int" = "match xs { [] => 0, [.., last] => last + e(xs[0..xs.len() - 1]) }"
"g(m: Map<int, Vec<int>>) -> int" = "m.values().map(|xs| e(xs)).sum()"
"there(n: int) -> int" = "back(n + 1)"
"back(n: int) -> int" = "there(n)"
"#,
        expect![[r#"
            3:71 <{ a(xs[0..ys.len() - 1], ys) }> can't show that `a` ends (no argument is a part of the one before); pass on a part of an argument, or put `decreases` and a natural number that gets smaller after the result's type; that can be a parameter which counts the calls that are left
            4:64 <{ b(a, n) }> can't show that `b` ends (the number after `decreases` may not get smaller here); let the conditions around the call imply that it gets smaller, or add a parameter that is one less in each call, and name it after `decreases`
            5:29 <c(n)> can't show that `c` ends (the number after `decreases` may not get smaller here); let the conditions around the call imply that it gets smaller, or add a parameter that is one less in each call, and name it after `decreases`
            10:27 <back(n + 1)> can't show that `there` ends (no argument is a part of the one before); pass on a part of an argument, or put `decreases` and a natural number that gets smaller after the result's type; that can be a parameter which counts the calls that are left
            11:26 <there(n)> can't show that `back` ends (no argument is a part of the one before); pass on a part of an argument, or put `decreases` and a natural number that gets smaller after the result's type; that can be a parameter which counts the calls that are left
        "#]],
    );
}

#[test]
fn types_of_rusts_keep_their_names() {
    check(
        r#"
[data]
Set = "struct Heap { items: Vec<i64>, limit: usize }"
[types]
usize = "{n: usize | n < 9}"
[functions]
rescale = "fn(r1: i64, r2: i64, s: i64) -> i64"
"#,
        expect![[r#"
            rescale calls scores::rescale
              0 r1: i64
              1 r2: i64
              2 s: i64
              3 result: i64
            3:1 <Set> `Set` is a type of Rust's or of the logic; give this another name
            5:1 <usize> the alias `usize` contains itself (`usize` → `usize`); a type that contains itself is an enum or a struct of the crate
        "#]],
    );
}

#[test]
fn types_of_the_standard_library_may_be_fields() {
    check(
        r#"
[functions]
slot = "fn(s: Slot<{n: u8 | n < 3}>) -> bool requires s.span.start <= s.span.end"
"#,
        expect![[r#"
            slot calls scores::slot
              0 s: scores::Slot<u8>
              requires
                s.span.start <= s.span.end  ⇒  s.0#0.0#0 <= s.0#0.0#1
              1 result: bool
              data 4: std::num::NonZero<u8>
                std::num::NonZero::new(value: u8)
                  value: u8
                    n != 0  ⇒  !(v == 0)
              data 6: Option<std::num::NonZero<u8>>
                None()
                Some(0: std::num::NonZero<u8>)
              data 7: scores::Slot<u8>
                scores::Slot(span: std::ops::Range<u8>, next: Vec<Option<std::num::NonZero<u8>>>)
              data 8: std::ops::Range<u8>
                std::ops::Range(start: u8, end: u8)
                  start: u8
                    n < 3  ⇒  v < 3
                  end: u8
                    n < 3  ⇒  v < 3
        "#]],
    );
}
