//! Specs with mistakes, each of which is reported once, at its place.

use expect_test::{Expect, expect};

fn check(tables: &str, expected: Expect) {
    expected.assert_eq(&super::resolved(tables));
}

#[test]
fn an_example_that_the_precondition_rejects_is_a_warning() {
    check(
        r#"
[types]
Pos = "{v: i64 | 0 < v}"
"Rng(n: int)" = "{v: i64 | 0 <= v && v < n}"
[functions.rescale]
spec = "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)"
examples = ["(2, 1, 1)", "(2, 1, 2)"]
"#,
        expect![[r#"
            rescale calls scores::rescale
              0 r1: i64
                0 < v  ⇒  0 < v
              1 r2: i64
                0 < v  ⇒  0 < v
              2 s: i64
                0 <= v  ⇒  0 <= v
                v < r1  ⇒  v < r1
              3 result: i64
                0 <= v  ⇒  0 <= v
                v < r2  ⇒  v < r2
              example (2, 1, 1)
              example (2, 1, 2)
            7:27 <(2, 1, 2)> warning: the precondition rejects this example, so it is not run (`v < r1` does not hold); correct the example, or the condition
        "#]],
    );
}

#[test]
fn slips_in_data_and_types_of_the_standard_library() {
    check(
        r#"
[data]
Heap = "via Heap::push(self: &mut Heap, x: i64)"
Kind = "via std::io::ErrorKind::NotFound -> std::io::ErrorKind | std::io::ErrorKind::TimedOut"
"tree::Color" = "enum tree::Color { Red }"
Part = "struct Grid<u8, 2, 2> { cells: [[u8; 2]; 2] }"
Local = "via Heap::new(limit: usize) -> Heap"
[functions]
"Heap.push" = "fn(self: &mut Heap, x: i64)"
"Heap::len" = "fn(self: &Heap) -> usize"
part = { call = "|p| ()", spec = "fn(p: Part)" }
kind = { call = "|k| ()", spec = "fn(k: Kind)" }
local = { call = "Heap::len", spec = "fn(self: &Local) -> usize" }
later = { call = "|t| ()", spec = "fn(t: Instant)" }
cell = { call = "|c| ()", spec = "fn(c: std::cell::RefCell<u8>)" }
net = { call = "|a, n| ()", spec = "fn(a: SocketAddrV4, n: Saturating<u8>) requires a.prot == 80" }
nothing = "fn() ensures result == 1"
"Of::size" = "fn(self: &Of<u8>) -> u8"
step = "fn(s: &Step)"
"#,
        expect![[r#"
            kind calls |k| ()
              0 k: std::io::ErrorKind
              1 result: _
              data 1: std::io::ErrorKind
                std::io::ErrorKind::NotFound()
                std::io::ErrorKind::TimedOut()
            local calls scores::Heap::len
              0 self: &scores::Heap
              1 result: usize
              data 1: scores::Heap
                scores::Heap::new(limit: usize)
            3:13 <Heap> no function makes a first `Heap`; put a function that returns one before it: `via Heap::new() | ..`
            5:6 <::> expected the end, `<` or `(`, found `::`; a name without a path: `Color`; the path is in the entry's text
            6:16 <Grid> `Grid` has 2 fields, the view gives 1; a view names all of them; `next` is missing
            9:6 <.> expected `::` or the end, found `.`; write `Heap::push`
            14:42 <Instant> `Instant` is not supported; it depends on the clock; take a duration in a `call`: `call = "|d: Duration| f(std::time::Instant::now() + d)"`
            15:41 <std::cell::RefCell<u8>> `std::cell::RefCell` has no view; take its content in a `call`: `call = "|x: u8| f(&std::cell::RefCell::new(x))"`
            16:87 <prot> no field `prot` in `std::net::SocketAddrV4`; did you mean `port`?
            17:35 <1> expected `()`, found `int`; `()` is what a function without a result returns; what it does to a `&mut` parameter is said by its name
            18:2 <Of::size> there are several functions `Of::size`; they differ in their types, the first is `fn(self: &Of<u8>) -> u8`; the types of a closure's parameters in a `call` choose one
            19:16 <Step> in the field `0` of `Step::Custom`: `unsafe fn(&str) -> usize` is not supported yet
        "#]],
    );
}

#[test]
fn what_changes_a_value_changes_one_of_the_entry() {
    check(
        r#"
[data]
Plain = "via Heap::new(limit: usize) | Heap::push(self: &mut Heap, x: i64)"
[functions]
"Heap::len" = "fn(self: &Plain) -> usize"
"#,
        expect![[r#"
            3:62 <Heap> `Heap::push` must change a `Plain`, which the entry makes; write `self: &mut Plain`
        "#]],
    );
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
        expect![[r#"
            4:15 <Pso> no type `Pso`; did you mean `Pos`?
            5:21 <Poss> no type `Poss`; did you mean `Pos`?
            7:1 <resclae> no function `resclae`; did you mean `rescale`?
            8:2 <tre::insert> no function `tre::insert`; did you mean `tree::insert`?
            9:2 <tree> `tree` is a module, not a function
            10:15 <usizee> no type `usizee`; did you mean `usize`?
            10:43 <Tre<u32>> no type `Tre`; did you mean `tree::Tree`?
            11:28 <Nowhere> no type `Nowhere` (neither an alias, nor a type of Rust's or of the crate's); a type of the standard library or of another crate goes by its path, such as `std::string::FromUtf8Error`
            11:64 <r3> no value `r3` in scope; in scope: `r1`, `v`
        "#]],
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
        expect![[r#"
            3:1 <A> the alias `A` contains itself (`A` → `B` → `C` → `A`); a type that contains itself is an enum or a struct of the crate
            8:14 <n> the alias `Two` has two parameters named `n`
            9:11 <{v: i64 | v < 3}> a refined type for a value parameter is not supported yet; write `int` or another plain type
            11:19 <Rng> `Rng` takes 1 value argument, not 0; it is declared as `Rng(n: int)`
            11:28 <Rng> `Rng` takes 1 value argument, not 2; it is declared as `Rng(n: int)`
            11:46 <true> expected `int`, found `bool`
            11:56 <Rng> `Rng` takes 0 type arguments, not 1; it is declared as `Rng(n: int)`
            12:30 <3> `u32` takes no values; only aliases do; declare it in the types table, as `"u32(n: int)" = ".."`
        "#]],
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
        expect![[r#"
            5:15 <Pos> the function takes `usize`, the spec says `i64` (`Pos` stands for that); in an alias, `int` takes whichever integer type the function has
            5:28 <Pos> the function takes `u32`, the spec says `i64` (`Pos` stands for that); in an alias, `int` takes whichever integer type the function has
            5:37 <Option<u32>> the function returns `Vec<u32>`, the spec says `Option<u32>`
            6:19 <Box<i64>> the function takes `i64`, the spec says `Box<i64>`
            6:33 <&mut i64> the function takes `i64`, the spec says `&mut i64`
            6:46 <(i64, i64)> the function takes `i64`, the spec says `(i64, i64)`
            6:61 <bool> the function returns `i64`, the spec says `bool`
            7:18 <[u8; 2]> the function takes `[u8; 3]`, the spec says `[u8; 2]`
            7:34 <(u8, char, u8)> the function returns `(u8, char)`, the spec says `(u8, char, u8)`
            8:25 <Sealed> the function takes `Heap`, the spec says `Sealed`
            8:36 <u64> the function returns `usize`, the spec says `u64`
            9:23 <u64> the function takes `i64`, the spec says `u64`
            10:16 <int> nothing says which of Rust's integers `int` is here; write a machine type, such as `i64`
        "#]],
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
        expect![[r#"
            rescale calls scores::rescale
              0 r2: i64
              1 r1: i64
              2 s: i64
              3 result: i64
            3:9 <fn(xs: Vec<u32>) -> Vec<u32>> the function has 2 parameters, the spec has 1; it is declared as fn(k: usize, xs: &[u32]) -> Vec<u32>
            4:15 <r2> warning: the function has these parameters in another order; it declares (r1, r2, s); arguments go by position
            5:12 <self> the function has no receiver `self`; it is declared as fn(xs: &mut [i32])
            6:20 <h> the function's first parameter is its receiver, `self`; it is declared as fn(self: &mut Heap, x: i64)
            7:35 <x> two parameters are named `x`
            8:9 <fn() -> bool> the spec doesn't say what the function's `T` is; a `call` with type arguments, such as `"f::<u8>"`, calls the function at one instance
        "#]],
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
        expect![[r#"
            3:33 <r2> `r2` comes later; put the condition into `requires`
            3:52 <r2> `r2` has no value yet inside of its own type
            3:85 <result> `result` can only be used in `ensures`
            3:100 <old(r1)> `old` can only be used in `ensures`; write the condition after the result's type: `-> i64 ensures result == old(x)`
            4:40 <xs> `xs` has no value yet inside of its own type
        "#]],
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
half = "fn(x: f32) -> f32 requires x.sqrt() < 2.0"
heap = "fn(m: BinaryHeap<u8>)"
raw = "fn(x: i64)"
later = "fn(x: i64)"
first_mut = "fn(xs: Vec<i32>) -> &mut i32"
view = "fn(v: View)"
"tree::nest" = "fn(n: Nest<u8>)"
sort = "fn(xs: Vec<Span>) requires size(xs) == 3"
count = { call = "|m| ()", spec = "fn(m: std::collections::BinaryHeap<u8>)" }
"#,
        expect![[r#"
            7:38 <sqrt> `sqrt` is not supported yet; any Rust expression can follow `where`, which filters
            8:15 <BinaryHeap<u8>> `BinaryHeap` is not supported; take a list in a `call`, which turns it into one: `call = "|xs: Vec<u8>| f(xs.into_iter().collect())"`
            9:1 <raw> `raw` is an unsafe function; these are not supported yet; a `call` with a closure can wrap it
            10:1 <later> `later` is an async function; these are not supported yet; a `call` with a closure can wait for it
            11:34 <&mut i32> `&mut` results are not supported yet
            12:15 <View> in the field `text` of `View`: fields that hold references are not supported yet
            13:23 <Nest<u8>> in the field `more` of `tree::Nest`: `tree::Nest` contains too many different instances of types
            14:20 <Span> the function takes `i32`, the spec says `Span`
            15:42 <std::collections::BinaryHeap<u8>> `std::collections::BinaryHeap` has no view; take a list in a `call`, which turns it into one: `call = "|xs: Vec<u8>| f(xs.into_iter().collect())"`
        "#]],
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
        expect![[r#"
            4:27 <lenn> no method `lenn` on `i64` in the logic; any method can be called after `where`, as a filter
            4:66 <c> no value `c` in scope; in scope: `a`, `b`, `v`
            4:78 <a + 1> expected `bool`, found `i64`; write a comparison, as in `x != 0`
            4:92 <d> no value `d` in scope; in scope: `a`, `b`, `result`
            5:12 <e> no value `e` in scope; in scope: `a`, `b`
            5:20 <f> `explore` can't have a `where`; put it into `requires`
            6:14 <(1, 2, 3)> an example must be a tuple of 2 arguments
            6:31 <true> expected `i64`, found `bool`
            9:9 <1 + 2> `call` is not a closure: expected `|`; write one such as `|x: i64| x + 1`; it is compiled in the scope of the crate's root
        "#]],
    );
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 200, ..Default::default() })]

    #[test]
    fn no_soup_of_words_panics(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "fn(", "(", ")", "{v: ", "|", "}", "<", ">", ",", "xs: ", "Vec<i32>", "i64", "A", "B(", "Tree", "-> ",
                "&", "&mut ", "[", "; 3]", "requires ", "ensures ", " where ", "old(xs)", "result", "v", "< 3", " == ",
                "Option<", "int", "x: ", "1", "panics if ",
            ]),
            0..14,
        ),
        head in proptest::sample::select(vec!["A", "B(n: int)", "C<T>", "T<T>(n: T)"]),
    ) {
        let text = words.concat();
        super::resolved(&format!(
            "\n[types]\nA = '{text}'\nB0 = 'Vec<{text}>'\n'X{head}' = '{text}'\n[functions]\nsort = '{text}'\n\
             rescale = 'fn(r1: {text}, r2: i64, s: i64) -> {text}'\n[functions.f]\ncall = '|x: {text}| 1'\n\
             spec = 'fn(x: A) requires {text}'\nexamples = ['{text}']\n",
        ));
    }
}

#[test]
fn sets_and_maps() {
    check(
        r#"
[types]
"Within(s: Set<int>)" = "{v: u8 | s.contains(v)}"
Floats = "BTreeSet<f64>"
[functions]
index = "fn(m: HashMap<u8, u8>)"
count = "fn(s: BTreeSet<u8>, x: Within(vec![1]))"
hashed = "fn(m: HashMap<u8, u8>)"
half = "fn(x: BTreeSet)"
nothing = { call = "|x, y, z| ()", spec = "fn(x: Set<u8>, y: Bag<u8>, z: BTreeMap<(u8, f64), u8>)" }
made = { call = "|x: Vec<u8>, y: VecDeque<u8>| ()", spec = "fn(x: BTreeSet<u8>, y: Vec<u8>)" }
sort = { call = "|x| ()", spec = "fn(x: Floats)" }
"#,
        expect![[r#"
            4:20 <f64> floats can be neither ordered nor hashed, so no set or map has them for keys
            6:16 <HashMap<u8, u8>> the function takes `BTreeMap<u8, u8>`, the spec says `HashMap<u8, u8>`
            7:16 <BTreeSet<u8>> the function takes `HashSet<u8>`, the spec says `BTreeSet<u8>`
            7:40 <vec![1]> expected `Set<i128>`, found `Vec<int>`; `elems(xs)` is the set of a list's elements
            8:17 <HashMap<u8, u8>> `std::collections::HashMap<u8, u8, Custom>` is not supported yet (the function takes that here)
            9:15 <BTreeSet> `BTreeSet` has 1 type parameter, not 0
            10:50 <Set<u8>> nothing says which of Rust's sets `Set` is here; write a type of Rust's, such as `BTreeSet<..>`
            10:62 <Bag<u8>> `Bag` is a type of the logic: Rust has no such values; take a list, and speak of `bag(xs)`
            10:83 <(u8, f64)> floats can be neither ordered nor hashed, so no set or map has them for keys
            11:67 <BTreeSet<u8>> the function takes `Vec<u8>`, the spec says `BTreeSet<u8>`
        "#]],
    );
}

#[test]
fn types_without_values() {
    check(
        r#"
[data]
"Endless<T>" = "enum tree::Tree<T> { Node(c: tree::Color, l: Endless<T>, k: T, r: Endless<T>) }"
"Colorful<T>" = "enum tree::Tree<T> { Node(c: tree::Color, l: tree::Tree<T>, k: T, r: tree::Tree<T>) }"
[functions]
"tree::insert" = "fn(t: Endless<i64>, x: i64) -> tree::Tree<i64>"
best = { call = "|t: tree::Tree<u8>| true", spec = "fn(t: Colorful<u8>) -> bool" }
swap = { call = "|n: Chain| ()", spec = "fn(n: Chain)" }
half = { call = "|n: Option<Chain>, xs: Vec<Chain>| ()", spec = "fn(n: Option<Chain>, xs: {v: Vec<Chain> | v.is_empty()})" }
heap = { call = "|n: Option<Chain>, xs: Vec<Chain>| ()", spec = "fn(n: {v: Option<Chain> | v.is_some()}, xs: {v: Vec<Chain> | v.len() == 2})" }
sort = { call = "|n: [Chain; 2], m: (u8, Never)| ()", spec = "fn(n: [Chain; 2], m: (u8, Never))" }
"#,
        expect![[r#"
            best calls |t: tree::Tree<u8>| true
              0 t: scores::tree::Tree<u8>
              1 result: bool
              data 0: scores::tree::Tree<u8>
                scores::tree::Tree::Leaf()
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<u8>>, 2: u8, 3: Box<scores::tree::Tree<u8>>) (recursive)
              data 1: scores::tree::Color
                scores::tree::Color::Red()
                scores::tree::Color::Black()
              data 2: scores::tree::Tree<u8>
                scores::tree::Tree::Leaf() (left out)
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<u8>>, 2: u8, 3: Box<scores::tree::Tree<u8>>)
            half calls |n: Option<Chain>, xs: Vec<Chain>| ()
              0 n: Option<scores::Chain>
              1 xs: Vec<scores::Chain>
                v.is_empty()  ⇒  v.len() == 0
              2 result: _
              data 0: scores::Chain
                scores::Chain(next: Box<scores::Chain>) (recursive)
              data 1: Option<scores::Chain>
                None()
                Some(0: scores::Chain)
            3:2 <Endless> the view `Endless` has no finite values: each constructor contains another such value; keep `scores::tree::Tree::Leaf` in the view
            8:48 <Chain> `scores::Chain` has no finite values: each constructor contains another such value; give the type, or its view, a constructor that contains none
            10:72 <{v: Option<Chain> | v.is_some()}> `scores::Chain` has no finite values: each constructor contains another such value; give the type, or its view, a constructor that contains none
            10:110 <{v: Vec<Chain> | v.len() == 2}> `scores::Chain` has no finite values: each constructor contains another such value; give the type, or its view, a constructor that contains none
            11:69 <[Chain; 2]> `scores::Chain` has no finite values: each constructor contains another such value; give the type, or its view, a constructor that contains none
            11:84 <(u8, Never)> `scores::Never` has no constructors, and so no values
        "#]],
    );
}

#[test]
fn views_without_an_end() {
    check(
        r#"
[data]
Endless = "enum tree::Tree<u8> { Node(c: tree::Color, l: Endless, k: u8, r: Endless) }"
"Left<T>" = "enum tree::Tree<T> { Node(c: tree::Color, l: Right<T>, k: T, r: tree::Tree<T>) }"
"Right<T>" = "enum tree::Tree<T> { Node(c: tree::Color, l: Left<T>, k: T, r: tree::Tree<T>) }"
Outer = "enum tree::Tree<u8> { Node(c: tree::Color, l: Endless, k: u8, r: tree::Tree<u8>) }"
Many = "struct Rose { kids: {v: Vec<Many> | v.len() >= 1} }"
Few = "struct Rose { kids: {v: Vec<Few> | v.len() <= 1} }"
Again = "via Rose::around(inner: Again)"
[functions]
best = { call = "|t: tree::Tree<u8>| true", spec = "fn(t: Endless) -> bool" }
half = { call = "|r: Rose| ()", spec = "fn(r: Many)" }
sort = { call = "|r: Rose| ()", spec = "fn(r: Few)" }
"#,
        expect![[r#"
            sort calls |r: Rose| ()
              0 r: scores::Rose
                see data 1
              1 result: _
              data 1: scores::Rose
                scores::Rose(kids: Vec<scores::Rose>) (recursive)
                  kids: Vec<scores::Rose>
                    v.len() <= 1  ⇒  v.len() <= 1
            3:1 <Endless> the view `Endless` has no finite values: each constructor contains another such value; keep `scores::tree::Tree::Leaf` in the view
            4:2 <Left> the view `Left` has no finite values: each constructor contains another such value; keep `scores::tree::Tree::Leaf` in the view
            5:2 <Right> the view `Right` has no finite values: each constructor contains another such value; keep `scores::tree::Tree::Leaf` in the view
            7:1 <Many> the view `Many` has no finite values: each constructor contains another such value; give it a constructor that contains none, or let a list or an `Option` in it be empty
            9:1 <Again> the view `Again` has no finite values: each constructor contains another such value; give it a constructor that contains none, or let a list or an `Option` in it be empty
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn comparisons_that_rust_makes_in_another_way() {
    let source = "
        pub struct Task { pub name: String, pub urgency: u8 }
        impl PartialOrd for Task { fn partial_cmp(&self, other: &Task) -> Option<Ordering> { None } }
        pub struct Key(pub u8);
        impl PartialEq for Key { fn eq(&self, other: &Self) -> bool { true } }
        impl PartialEq<u8> for Key { fn eq(&self, other: &u8) -> bool { true } }
        pub struct Byte(pub u8);
        impl PartialEq<u8> for Byte { fn eq(&self, other: &u8) -> bool { true } }
        #[derive(PartialEq, PartialOrd)] pub enum Level { High = 3, Low = 1, Middle }
        pub fn first(a: Task, b: Task) -> bool { true }
        pub fn all(v: Vec<Task>) -> Vec<Task> { v }
        pub fn same(a: Key, b: Key) -> bool { true }
        pub fn none(b: Option<Key>) -> bool { true }
        pub fn keys(a: u8) -> Option<Key> { None }
        pub fn bytes(a: Byte, b: Byte) -> bool { true }
        pub fn lower(a: Level, b: Level) -> bool { true }
        pub fn set(s: std::collections::BTreeSet<std::cmp::Reverse<u8>>, t: std::time::SystemTime) -> bool { true }
        pub const LIMIT: u8 = 7;
        pub fn limited(x: u8) {}
    ";
    let tables = r#"
[functions]
first = "fn(a: Task, b: Task) -> {r: bool | r == (a < b) && a == b && a.urgency < b.urgency}"
all = "fn(v: Vec<Task>) -> {r: Vec<Task> | r.len() == v.len() && r.is_sorted() && r == v}"
same = "fn(a: Key, b: Key) -> {r: bool | r == (a == b) && a.0 == b.0}"
none = "fn(b: Option<Key>) -> {r: bool | b == None}"
keys = "fn(a: u8) -> Option<Key> ensures result == Some(Key(a))"
bytes = "fn(a: Byte, b: Byte) -> {r: bool | r == (a == b)}"
lower = "fn(a: Level, b: Level) -> {r: bool | r == (a < b) && Level::Low < Level::High}"
limited = "fn(x: {v: u8 | v < LIMT})"
set = "fn(s: std::collections::BTreeSet<std::cmp::Reverse<u8>>, t: std::time::SystemTime) -> {r: bool | s.first() == None && t <= t && s.len() > 0}"
"#;
    expect![[r#"
        none calls scores::none
          0 b: Option<scores::Key>
          1 result: bool
            b == None  ⇒  b == None
          data 0: scores::Key
            scores::Key(0: u8)
          data 1: Option<scores::Key>
            None()
            Some(0: scores::Key)
        bytes calls scores::bytes
          0 a: scores::Byte
          1 b: scores::Byte
          2 result: bool
            r == (a == b)  ⇒  v == (a == b)
          data 0: scores::Byte
            scores::Byte(0: u8)
        lower calls scores::lower
          0 a: scores::Level
          1 b: scores::Level
          2 result: bool
            r == (a < b)  ⇒  v == (a < b)
            Level::Low < Level::High  ⇒  Level::Low < Level::High
          data 0: scores::Level
            scores::Level::Low()
            scores::Level::Middle()
            scores::Level::High()
        3:51 <a> `scores::Task` has `PartialOrd` of its own, which conditions can't call; compare its fields, or say it after `where`, as Rust code
        4:66 <r> `scores::Task` has `PartialOrd` of its own, which conditions can't call; compare its fields, or say it after `where`, as Rust code
        5:48 <a> `scores::Key` has `PartialEq` of its own, which conditions can't call; compare its fields, or say it after `where`, as Rust code
        7:42 <result> `scores::Key` has `PartialEq` of its own, which conditions can't call; compare its fields, or say it after `where`, as Rust code
        10:31 <LIMT> no value `LIMT` in scope; did you mean `LIMIT`?
        11:105 <s> `std::cmp::Reverse<u8>` has `Ord` of its own, which conditions can't call; compare its fields, or say it after `where`, as Rust code
        11:126 <t> `std::time::SystemTime` has `Ord` of its own, which conditions can't call; compare its fields, or say it after `where`, as Rust code
    "#]].assert_eq(&super::resolved_in(source, tables));
}
