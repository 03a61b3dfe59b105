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
        "#]],
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
        expect![[r#"
            best calls scores::best
              0 k: usize
                0 <= v  ⇒  0 <= v
              1 xs: &[u32]
                each: u32
                  0 <= v  ⇒  0 <= v
                  v <= 100  ⇒  v <= 100
                  w % 2 == 0  ⇒  (v % 2) == 0
                  w < (k + 1)  ⇒  v < (k + 1)
                k <= v.len()  ⇒  k <= v.len()
              2 result: Vec<u32>
                each: u32
                  0 <= v  ⇒  0 <= v
                  v <= 100  ⇒  v <= 100
                v.len() == k  ⇒  v.len() == k
        "#]],
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
        expect![[r#"
            largest calls scores::largest, which is generic
              0 xs: Vec<u8>
                each: u8
                  v < 9  ⇒  v < 9
                v.windows(2).all(|w| w[0] <= w[1])  ⇒  v.windows(2).all(|x3| x3[0] <= x3[1])
              1 result: Option<u8>
                r.is_some() == (xs.len() > 0)  ⇒  (v is #1) == (0 < xs.len())
              data 0: Option<u8>
                None()
                Some(0: u8)
            both calls scores::both, which is generic
              0 a: &Vec<i32>
              1 b: Box<Vec<i32>>
              2 result: bool
            shown calls scores::shown, which is generic
              0 x: &str
              1 result: String
        "#]],
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
        expect![[r#"
            tree::insert calls scores::tree::insert, which is generic
              0 t: scores::tree::Tree<i64>
                see data 2
              1 x: i64
              2 result: scores::tree::Tree<i64>
              data 0: scores::tree::Tree<i64>
                scores::tree::Tree::Leaf()
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<i64>>, 2: i64, 3: Box<scores::tree::Tree<i64>>) (recursive)
              data 1: scores::tree::Color
                scores::tree::Color::Red()
                scores::tree::Color::Black()
              data 2: scores::tree::Tree<i64>
                scores::tree::Tree::Leaf()
                scores::tree::Tree::Node(0: scores::tree::Color, 1: Box<scores::tree::Tree<i64>>, 2: i64, 3: Box<scores::tree::Tree<i64>>) (recursive)
                  2: i64
                    0 < v  ⇒  0 < v
            swap calls scores::swap
              0 p: (u8, u8)
                p.0 <= p.1  ⇒  v.0 <= v.1
              1 result: (u8, u8)
            square calls scores::square
              0 m: [[u8; 3]; 3]
                each: [u8; 3]
                  each: u8
                    v < 3  ⇒  v < 3
              1 result: (u8, char)
        "#]],
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
        expect![[r#"
            Heap::push calls scores::Heap::push
              0 self: &mut scores::Heap
                h.items.len() < h.limit  ⇒  v.0#0.len() < v.0#1
              1 x: i64
              2 result: ()
              ensures
                self.items.len() == old(self).items.len() + 1  ⇒  self'.0#0.len() == (self.0#0.len() + 1)
              data 0: scores::Heap
                scores::Heap(items: Vec<i64>, limit: usize)
            Heap::len calls scores::Heap::len
              0 self: &scores::Heap
              1 result: usize
              ensures
                result == self.items.len()  ⇒  v == self.0#0.len()
                where result == &old(self).len()  ⇒  where0(self, v, self)
              data 0: scores::Heap
                scores::Heap(items: Vec<i64>, limit: usize)
              where#0 |self_: &scores::Heap, result: &usize, old_self: &scores::Heap| result == &old_self.len()
            Heap::new calls scores::Heap::new
              0 limit: usize
              panics if
                limit == 0 && limit < 7  ⇒  (limit == 0) && (limit < 7)
              1 result: scores::Heap
              data 0: scores::Heap
                scores::Heap(items: Vec<i64>, limit: usize)
            sort calls scores::sort
              0 xs: &mut [i32]
              requires
                xs.len() <= 3  ⇒  xs.len() <= 3
              1 result: ()
              ensures
                xs.is_sorted()  ⇒  xs'.is_sorted()
                where xs.len() == old(xs).len()  ⇒  where0(xs', xs)
              where#0 |xs: &[i32], old_xs: &[i32]| xs.len() == old_xs.len()
            nothing calls scores::nothing
              0 result: ()
        "#]],
    );
}

#[test]
fn results_that_cannot_be_looked_into() {
    check(
        r#"
[functions]
decode = "fn(text: {s: String | s.len() == 2 where s.is_ascii()}) -> Result<Vec<u8>, ParseIntError>"
"Sealed::new" = "fn(x: u8)"
boxed = "fn(text: &str) -> {r: Result<u8, Box<dyn Error + Send + 'static>> | r.is_ok()}"
"#,
        expect![[r#"
            decode calls scores::decode
              0 text: &str
                s.len() == 2  ⇒  v.len() == 2
                where s.is_ascii()  ⇒  where0(v)
              1 result: Result<Vec<u8>, std::num::ParseIntError>
              data 0: Result<Vec<u8>, std::num::ParseIntError>
                Ok(0: Vec<u8>)
                Err(0: std::num::ParseIntError)
              where#0 |s: &str| s.is_ascii()
            Sealed::new calls scores::Sealed::new
              0 x: u8
              1 result: Option<Sealed>
              data 0: Option<Sealed>
                None()
                Some(0: Sealed)
            boxed calls scores::boxed
              0 text: &str
              1 result: Result<u8, Box<dyn std::error::Error + Send>>
                r.is_ok()  ⇒  v is #0
              data 1: Result<u8, Box<dyn std::error::Error + Send>>
                Ok(0: u8)
                Err(0: Box<dyn std::error::Error + Send>)
        "#]],
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
        expect![[r#"
            drains calls |v: &mut Vec<i64>, a: usize, b: usize| v.drain(a..b).collect::<Vec<_>>()
              0 v: &mut Vec<i64>
              1 a: usize
              2 b: usize
              requires
                a <= b  ⇒  a <= b
                b <= v.len()  ⇒  b <= v.len()
              explore
                v.len() <= 3  ⇒  v.len() <= 3
              3 result: Vec<i64>
                r.len() == b - a  ⇒  value.len() == (b - a)
              example ([1, 2, 3], 1, 2)
            untyped calls |a, _| -> bool { a }
              0 a: Vec<bool>
              1 b: &str
              2 result: bool
        "#]],
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
        expect![[r#"
            rescale calls scores::rescale
              0 r1: i64
              1 r2: i64
                v < r1  ⇒  v < r1
                where fits(*v, *r1)  ⇒  where0(r1, v)
              2 s: i64
                v < 8  ⇒  v < 8
                where fits(*v, *8)  ⇒  where1(v)
              3 result: i64
              where#0 |n: &i64, v: &i64| fits(*v, *n)
              where#1 |v: &i64| fits(*v, *(&8))
        "#]],
    );
}

#[test]
fn what_is_private_is_opened_and_a_result_only_where_the_spec_looks_into_it() {
    check(
        r#"
[functions]
hidden = "fn(x: i64)"
"Sealed::get" = "fn(self: Sealed) -> u8"
"Sealed::new" = "fn(x: u8) -> {v: Option<{s: Sealed | s.inside == x}> | v.is_some()}"
"#,
        expect![[r#"
            hidden calls scores::hidden
              1 place made public in a copy of the source
              0 x: i64
              1 result: ()
            Sealed::get calls scores::Sealed::get
              1 place made public in a copy of the source
              0 self: &scores::Sealed
              1 result: u8
              data 0: scores::Sealed
                scores::Sealed(inside: u8)
            Sealed::new calls scores::Sealed::new
              1 place made public in a copy of the source
              0 x: u8
              1 result: Option<scores::Sealed>
                see data 2
                v.is_some()  ⇒  v is #1
              data 0: scores::Sealed
                scores::Sealed(inside: u8)
              data 2: Option<scores::Sealed>
                None()
                Some(0: scores::Sealed)
                  0: scores::Sealed
                    s.inside == x  ⇒  v.0#0 == x
        "#]],
    );
}

#[test]
fn options_nearer_to_the_function_win() {
    let toml = "[package.metadata.target]\ndepth = 2\ncases = 5\n[package.metadata.target.functions.nothing]\nspec = 'fn()'\ndepth = 3\nbound = 9\n";
    let mut sources = crate::frontend::diagnostic::Sources::default();
    let path = std::path::Path::new("Cargo.toml");
    let (manifest, _) = crate::frontend::manifest::read(&mut sources, path, &|_| Ok(toml.to_owned()));
    let (catalog, _) = crate::frontend::catalog::scan_text(
        super::CRATE,
        "scores",
        &crate::frontend::catalog::Cfg::default(),
    );
    let overrides = crate::frontend::manifest::PartialSettings { bound: Some(1), ..Default::default() };
    let (subjects, diagnostics) = crate::frontend::resolve::resolve(&manifest, &catalog, &overrides);
    assert_eq!(diagnostics, []);
    let settings = subjects[0].settings;
    assert_eq!((settings.depth, settings.bound, settings.cases), (3, 1, 5));
}

#[test]
fn recursion_is_found_through_containers() {
    let source = "pub struct Rose { pub kids: Vec<Rose>, pub tag: Option<u8> }
        pub struct List { pub head: u8, pub tail: Option<Box<List>> }
        pub struct Even { pub odd: Option<Odd> } pub struct Odd { pub even: Box<Even> }
        pub fn f(r: Rose, l: List, e: Even) {}";
    let (catalog, _) =
        crate::frontend::catalog::scan_text(source, "scores", &crate::frontend::catalog::Cfg::default());
    let declarations = crate::frontend::declarations::Declarations::default();
    let mut data = crate::frontend::data::DataTable::new(&catalog, &declarations, 0);
    for id in 0..catalog.types.len() {
        data.instance(crate::frontend::catalog::TypeId(id as u32), Vec::new()).expect("all is public");
    }
    let recursive: Vec<&str> = (data.data.iter().flat_map(|data| &data.ctors))
        .filter(|ctor| ctor.recursive)
        .map(|ctor| ctor.rust_path.as_str())
        .collect();
    expect!["scores::Rose scores::List scores::Even scores::Odd"].assert_eq(&recursive.join(" "));
}

#[test]
fn collections() {
    check(
        r#"
[types]
"Sub<T>(s: Set<T>)" = "{v: Set<T> | v.is_subset(s)}"
[functions]
index = "fn(m: Map<u8, {v: u8 | 0 < v}>) requires m.keys().all(|k| m[k] < k)"
count = "fn(s: {s: Set<{v: u8 | v != 3}> | !s.is_empty()}, x: u8)"
sub = { call = "|x: u8, y: HashSet<u8>| ()", spec = "fn(x: u8, y: Sub<u8>(set![x]))" }
threads = "fn() -> (HashSet<ThreadId>, u8)"
quick = "fn(x: u8) -> HashMap<u8, u8, Custom>"
"#,
        expect![[r#"
            index calls scores::index
              0 m: std::collections::BTreeMap<u8, u8>
                each value: u8
                  0 < v  ⇒  0 < v
              requires
                m.keys().all(|k| m[k] < k)  ⇒  m.keys().iter().all(|x3| m.get(x3).1#0 < x3)
              1 result: ()
            count calls scores::count
              0 s: std::collections::HashSet<u8>
                each: u8
                  v != 3  ⇒  !(v == 3)
                !s.is_empty()  ⇒  !(v.len() == 0)
              1 x: u8
              2 result: ()
            sub calls |x: u8, y: HashSet<u8>| ()
              0 x: u8
              1 y: std::collections::HashSet<u8>
                v.is_subset((set![x]))  ⇒  v.is_subset(elems([x]))
              2 result: _
            threads calls scores::threads
              0 result: (HashSet<std::thread::ThreadId>, u8)
            quick calls scores::quick
              0 x: u8
              1 result: std::collections::HashMap<u8, u8, Custom>
        "#]],
    );
}

#[test]
fn constant_parameters_have_kinds() {
    let text = "pub struct Off<const N: i8 = -2>(pub u8); pub struct Cell<const B: bool, const C: char> { pub off: Off }
        pub fn cell<const B: bool>(c: Cell<B, ','>, o: Off<{ -3 }>) {}";
    let tables = r#"
[functions]
cell = "fn(c: Cell<true, ','>, o: Off)"
off = { call = "cell", spec = "fn(c: Cell<true, ';'>, o: Off<3>)" }
all = { call = "|c, o| ()", spec = "fn(c: Cell<3, u8>, o: Off<'a'>)" }
ty = { call = "|v| ()", spec = "fn(v: Vec<true>)" }
"#;
    expect![[r#"
        cell calls scores::cell, which is generic
          0 c: scores::Cell<true, ','>
          1 o: scores::Off<-3>
          2 result: ()
          data 0: scores::Cell<true, ','>
            scores::Cell(off: scores::Off<-2>)
          data 1: scores::Off<-2>
            scores::Off(0: u8)
          data 2: scores::Off<-3>
            scores::Off(0: u8)
        4:49 <';'> the function takes `','` here, the spec says `';'`
        4:62 <3> the function takes `-3` here, the spec says `3`
        5:43 <Cell<3, u8>> the parameter `B` of `Cell` is a boolean
        5:59 <Off<'a'>> the parameter `N` of `Off` is a number
        6:43 <true> `true` is a boolean, not a type
    "#]]
    .assert_eq(&super::resolved_in(text, tables));
}

#[test]
fn constants_of_all_types_are_arguments_by_name() {
    let text = "pub const FLAG: bool = true; pub const LOW: i8 = -3; pub const COMMA: char = ','; pub const BYTE: u8 = b'a';
        pub const WIDE: u64 = u64::MAX; pub const N: usize = 2;
        pub struct Of<const B: bool, const L: i8, const C: char, const Y: u8, const W: u64>(pub u8);
        pub fn all(o: Of<FLAG, LOW, COMMA, { BYTE }, WIDE>, a: [u8; 2 * N + 1]) {}";
    let tables = r#"
[functions]
all = "fn(o: Of<FLAG, LOW, COMMA, b'a', WIDE>, a: [u8; 5])"
off = { call = "all", spec = "fn(o: Of<FLAG, LOW, COMMA, 98, 18446744073709551615>, a: [u8; 5])" }
"#;
    let resolved = super::resolved_in(text, tables);
    for part in [
        "0 o: scores::Of<true, -3, ',', 97, 18446744073709551615>",
        "1 a: [u8; 5]",
        "the function takes `97` here, the spec says `98`",
    ] {
        assert!(resolved.contains(part), "{part} in {resolved}");
    }
}

#[test]
fn constant_parameters_are_numbers() {
    check(
        r#"
[data]
Full = "struct Ring<2> { items: [{b: u8 | b < 9}; 2] }"
[functions]
"Ring::turn" = "fn(self: &mut Full, n: usize)"
swap = { call = "|g: Grid<i8, 2, 3>| ()", spec = "fn(g: Grid<i8, 2, 3>)" }
joined = "fn(a: [u8; 4], b: Ring<4>) -> Ring"
sort = { call = "|r| ()", spec = "fn(r: Ring<u8>)" }
count = { call = "|r, xs| ()", spec = "fn(r: tree::Tree<3>, xs: Vec<3>)" }
both = { call = "joined", spec = "fn(a: [u8; 4], b: Ring<5>) -> Ring<2>" }
"#,
        expect![[r#"
            Ring::turn calls scores::Ring::turn, which is generic
              0 self: &mut scores::Ring<2>
                see data 1
              1 n: usize
              2 result: ()
              data 1: scores::Ring<2>
                scores::Ring(items: [u8; 2])
                  items: [u8; 2]
                    each: u8
                      b < 9  ⇒  v < 9
            swap calls |g: Grid<i8, 2, 3>| ()
              0 g: scores::Grid<i8, 2, 3>
              1 result: _
              data 0: scores::Grid<i8, 2, 3>
                scores::Grid(cells: [[i8; 2]; 3], next: Option<Box<scores::Grid<i8, 2, 3>>>) (recursive)
              data 2: Option<Box<scores::Grid<i8, 2, 3>>>
                None()
                Some(0: Box<scores::Grid<i8, 2, 3>>)
            joined calls scores::joined, which is generic
              0 a: [u8; 4]
              1 b: scores::Ring<4>
              2 result: scores::Ring<3>
              data 0: scores::Ring<4>
                scores::Ring(items: [u8; 4])
              data 1: scores::Ring<3>
                scores::Ring(items: [u8; 3])
            8:41 <Ring<u8>> the parameter `N` of `Ring` is a number
            9:46 <tree::Tree<3>> the parameter `T` of `tree::Tree` is a type
            9:69 <3> `3` is a number, not a type
            10:58 <5> the function takes `4` here, the spec says `5`
            10:70 <2> the function takes `3` here, the spec says `2`
        "#]],
    );
}

#[test]
fn constants_are_numbers_and_values_of_all_types() {
    check(
        r#"
[functions]
side = { call = "|r, a| ()", spec = "fn(r: Ring<SIDE>, a: [u8; SIDE])" }
words = { call = "|x| ()", spec = "fn(x: u8) requires WORDS.iter().any(|w| w.1 == x) && DIGITS.contains(x)" }
paint = { call = "|c| ()", spec = "fn(c: Option<tree::Color>) requires c == PAINT" }
seed = { call = "|x| ()", spec = "fn(x: u64) requires x < SEED" }
far = { call = "|a| ()", spec = "fn(a: [u8; SEED])" }
"#,
        expect![[r#"
            side calls |r, a| ()
              0 r: scores::Ring<3>
              1 a: [u8; 3]
              2 result: _
              data 0: scores::Ring<3>
                scores::Ring(items: [u8; 3])
            words calls |x| ()
              0 x: u8
              requires
                WORDS.iter().any(|w| w.1 == x)  ⇒  [("a", 1), ("b", 2)].any(|x3| x3.1 == x)
                DIGITS.contains(x)  ⇒  (1 .. 10).contains(x)
              1 result: _
            paint calls |c| ()
              0 c: Option<scores::tree::Color>
              requires
                c == PAINT  ⇒  c == Some(Color::Black)
              1 result: _
              data 0: scores::tree::Color
                scores::tree::Color::Red()
                scores::tree::Color::Black()
              data 1: Option<scores::tree::Color>
                None()
                Some(0: scores::tree::Color)
            6:59 <SEED> the value of the constant `SEED` is not known here; known values are made of literals, operators and other constants; write the value itself, or the condition after `where`, as Rust code: `where x < &SEED`
            7:45 <SEED> the length of an array must be a literal, or a constant of the crate whose value is known; for a list of any length write `Vec<..>`
        "#]],
    );
}

#[test]
fn a_function_of_another_crate_has_the_types_of_the_spec() {
    check(
        r#"
[functions]
encode = { call = "hex::encode", spec = "fn(d: Vec<u8>) -> {s: String | s.len() == 2 * d.len()}" }
larger = { call = "std::cmp::max", spec = "fn(a: i8, b: i8) -> {m: i8 | a <= m}" }
parse = { call = "hex::parse", spec = "fn(s: &str) -> {r: Result<u8, hex::Error> | r.is_ok() || r.unwrap_err().to_string() != s}" }
absent = { call = "hax::encode", spec = "fn(d: Vec<u8>) -> String" }
"hex::encode" = "fn(d: Vec<u8>) -> String"
"#,
        expect![[r#"
            encode calls hex::encode
              0 d: Vec<u8>
              1 result: String
                s.len() == 2 * d.len()  ⇒  v.len() == (2 * d.len())
            larger calls std::cmp::max
              0 a: i8
              1 b: i8
              2 result: i8
                a <= m  ⇒  a <= v
            parse calls hex::parse
              0 s: &str
              1 result: Result<u8, hex::Error>
                r.is_ok() || r.unwrap_err().to_string() != s  ⇒  (v is #0) || (!((if v is #1 { v.1#0 } else { undefined }).to_string() == s))
              data 0: Result<u8, hex::Error>
                Ok(0: u8)
                Err(0: hex::Error)
            6:20 <hax::encode> no function `hax::encode`; did you mean `decode`?
            7:2 <hex::encode> no function `hex::encode`; did you mean `decode`?
        "#]],
    );
}

#[test]
fn numbers_with_a_default_may_be_left_out() {
    let cells = |ty: &str| {
        super::resolved(&format!(
            "\n[functions.cells]\ncall = \"|g: Grid<u8, 2, 2>| g\"\nspec = \"fn(g: {ty}) -> {ty}\"\n"
        ))
    };
    assert!(cells("Grid<u8, 2>").contains("scores::Grid<u8, 2, 2>"), "{}", cells("Grid<u8, 2>"));
    assert!(cells("Grid<u8>").contains("`Grid` has 3 type parameters, not 1"), "{}", cells("Grid<u8>"));
    assert!(cells("Grid<u8, 3>").contains("`3`"), "{}", cells("Grid<u8, 3>"));
}
