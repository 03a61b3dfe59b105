mod hostile;

use expect_test::{Expect, expect};

use super::*;
use crate::frontend::diagnostic::{FileId, Sources, render};
use crate::frontend::spec::print;

/// Signatures in the words in which they are printed.
const SIGNATURES: [&str; 12] = [
    "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)",
    "fn(k: Nat, xs: {v: Vec<Score> | k <= v.len()}) -> {v: Vec<Score> | v.len() == k}",
    "fn(k: i64, t: OkTree) -> {v: OkTree | keys(v) == keys(t).with(k)}",
    "fn(self: &mut OkHeap, x: i64) ensures self.items.len() == old(self).items.len() + 1",
    "fn(self: &Grid, x: usize) -> i64 panics if self.width <= x",
    "fn(d: Vec<u8>) -> {s: String | s.len() == 2 * d.len() where hex::decode(&s).as_ref() == Ok(&d)}",
    "fn(f: fn(s: Score) -> {v: Score | s <= v}, xs: Vec<(Pos, Score)>) -> Score",
    "fn(v: &mut Vec<i64>, a: usize, b: usize) -> {r: Vec<i64> | r.len() == b - a} requires a <= b && b <= v.len()",
    "fn(x: [[u8; 2 + 1]; 3], y: &[i64], z: ()) -> Option<{v: u8 | v % 2 == 0}> ensures result.is_some()",
    "fn(t: Table<K>(n, 2), r: std::ops::Range<usize>) -> Result<(i64,), Box<str>> requires where f(t) requires n < 3",
    "fn() -> (fn(i64) -> i64) requires true",
    "fn(f: (fn(x: i64) requires x > 0), y: Vec<Vec<Vec<u8>>>)",
];

fn spanned(text: &str) -> SpannedText {
    SpannedText::verbatim(text, FileId(0), 0)
}

fn rendered(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut sources = Sources::default();
    sources.add("spec".as_ref(), text.to_owned());
    render(diagnostics, &sources, false)
}

/// The diagnostic for a condition that is wrong.
fn check_mistake(text: &str, expected: Expect) {
    expected.assert_eq(&rendered(text, &condition(&spanned(text)).expect_err(text)));
}

/// Message, words and help for each of the conditions.
fn check_mistakes(texts: &[&str], expected: Expect) {
    let lines = texts.iter().map(|text| {
        let diagnostics = condition(&spanned(text)).expect_err(text);
        let Diagnostic { message, help, span, .. } = &diagnostics[0];
        let words = &text[span.start as usize..span.end as usize];
        format!("{text}: {message} [{words}] {}\n", help.as_deref().unwrap_or("-"))
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn signatures_of_the_contract_are_understood() {
    for text in SIGNATURES {
        match signature(&spanned(text)) {
            Ok(signature) => assert_eq!(print::signature(&signature), text),
            Err(diagnostics) => panic!("{}", rendered(text, &diagnostics)),
        }
    }
}

#[test]
fn clauses_come_in_any_order() {
    let text =
        "fn(x: u8) panics if x == 0 where p(x) ensures a where q.requires(x) requires b ensures where {1}";
    let signature = signature(&spanned(text)).expect("a signature");
    let expected =
        "fn(x: u8) requires b ensures a where q.requires(x) ensures where {1} panics if x == 0 where p(x)";
    assert_eq!(print::signature(&signature), expected);
}

#[test]
fn expressions_come_back_as_written() {
    for text in [
        "a ==> b ==> c",
        "(a ==> b) ==> c || !d",
        "x as u8 < y && -x.pow(2) >= (-x).abs()",
        "a + b * c - (d - e) % 2 == 1 << 3",
        "(a < b) == (c < d)",
        "xs.windows(2).all(|w| w[0] <= w[1])",
        "xs.iter().fold(0, |acc, x| acc + x) == 0xs",
        "if let Some(x) = f(y) { x > 0 } else if a { b } else { c }",
        "match t { Tree::Leaf => 0, Tree::Node(c, l, _, ..) if c => { let (a, b) = l; a + b }, [x, rest @ .., y] => 1 }",
        "matches!(x, 1..=5 | -3 | 'a' if y)",
        "P { x, y: 1 } == (P { x: 2 }) && f(P { x })",
        "if (P { x }).ok() { 1 } else { 2 }",
        "t.0.1.max(1u8) + (1).max(2)",
        "[1, 2][..] == vec![0; n][1..=k] && set![a, b].len() < [x; 3].len()",
        "(|a, (b, c)| a)(1) || \"q\\\"\\n\" == b\"\\xff\" || b'a' == 'é'",
        "i64::MAX == Vec::new().len() && () == (1,)",
        "(0..n).all(|i| xs[i] == 1.5)",
    ] {
        let text = text.replace("0xs", "10");
        let parsed =
            expr(&spanned(&text)).unwrap_or_else(|diagnostics| panic!("{}", rendered(&text, &diagnostics)));
        assert_eq!(print::expr(&parsed), text.replace("P { x, y: 1 } ==", "(P { x, y: 1 }) =="));
    }
}

#[test]
fn what_the_logic_has_no_use_for_is_passed_over() {
    for (text, expected) in [
        ("xs.iter().map::<Vec<Vec<u8>>>(|&x: &i64| -> i64 { x }).sum::<i64>()", "xs.iter().map(|x| x).sum()"),
        ("s.chars().collect::< String >()", "s.chars().collect::<String>()"),
        ("{ let t: String = s.chars().collect(); t }", "{ let t = s.chars().collect::<String>(); t }"),
        ("{ let mut x = f(1); g(&mut x, 2); g(&mut x, 3); x }", "g(g(f(1), 2), 3)"),
        ("{ let a = 1; let mut x = f(); g(&mut x, a); x }", "{ let a = 1; g(f(), a) }"),
        ("Vec::<i64>::new() == { let mut v: Vec<u8> = x; v }", "Vec::new() == ({ let v = x; v })"),
        (
            "&&x == **y && matches!(z, &Some(ref a) | Some(mut a))",
            "&&x == **y && matches!(z, Some(a) | Some(a))",
        ),
        (
            "match x { 0 => { a } -1 => if b { c } else { d } _ => e }",
            "match x { 0 => a, -1 => if b { c } else { d }, _ => e }",
        ),
    ] {
        let parsed =
            expr(&spanned(text)).unwrap_or_else(|diagnostics| panic!("{}", rendered(text, &diagnostics)));
        assert_eq!(print::expr(&parsed), expected);
    }
}

#[test]
fn places_are_those_of_the_words() {
    let text = "f(Vec<Vec<u8>>, (a + b) * c)";
    let parsed = expr(&spanned("g( (a + b) * c )")).expect("an expression");
    let crate::frontend::spec::ast::ExprKind::Call(_, args) = parsed.kind else { panic!("a call") };
    assert_eq!((args[0].span.start, args[0].span.end), (3, 14));
    let parsed = ty(&spanned(&text[2..14])).expect("a type");
    let crate::frontend::spec::ast::TypeKind::Path { generics, .. } = parsed.kind else { panic!("a path") };
    assert_eq!((generics[0].span.start, generics[0].span.end), (4, 11));
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn slips_get_advice() {
    check_mistake(
        "0 <= x && a < b <= c",
        expect![[r#"
        error: comparisons can't be chained
         --> spec:1:17
          |
        1 | 0 <= x && a < b <= c
          |                 ^^ a second comparison
          |
          = help: write `a < b && b <= c`
    "#]],
    );
    check_mistakes(
        &[
            "a = b",
            "a => b",
            "a and b",
            "not a",
            "a <=> b",
            "a in b",
            "a matches b",
            "a ≤ b",
            "(a",
            "a]",
            "f(a",
            "a +",
            "a ==> where b",
            "xs[1",
            "x ? y",
            "let x = 1",
            "for x in y {}",
            "assert!(a)",
            "mathces!(a, b)",
            "\"abc",
            "s.matches(\"[^\"]+\")",
            "s.matches(r\"[^\"']+\")",
            "a where",
            "a where b +",
            "a where (b",
            "a where f(1) 2",
            "a where b where c",
            "{ a; b }",
            "x.await",
            "if a && let b = c { d }",
            "a b",
            "1 == 2 == 3 where x",
            "xs.iter().map(|x x)",
            "a &&",
            "",
            "P { ..q }",
            "x += 1",
            "match a { b }",
            "a[1; 2]",
            "9999999999u99",
            "a.b.",
        ],
        expect![[r##"
            a = b: expected an operator, `where` or the end, found `=` [=] equality is written `==`
            a => b: expected an operator, `where` or the end, found `=>` [=>] implication is written `==>`
            a and b: expected an operator, `where` or the end, found `and` [and] conjunction is written `&&`
            not a: expected an operator, `where` or the end, found `a` [a] negation is written `!`
            a <=> b: expected an operator, `where` or the end, found `<=>` [<=>] equivalence is written `==`
            a in b: expected an operator, `where` or the end, found `in` [in] write `xs.contains(&x)`, or `lo <= x && x < hi`
            a matches b: expected an operator, `where` or the end, found `matches` [matches] `matches` is a method: `s.matches("[a-z]+")`
            a ≤ b: `≤` has no meaning here [≤] write `<=`
            (a: this `(` is never closed [(] -
            a]: expected an operator, `where` or the end, found `]` []] is there a bracket too many, or one missing before?
            f(a: this `(` is never closed [(] -
            a +: expected an expression, found the end [] -
            a ==> where b: expected an expression, found `where` [where] `where` is no part of an expression, and Rust follows it: `where !p || q` for `p ==> q`
            xs[1: this `[` is never closed [[] -
            x ? y: expected an operator, `where` or the end, found `?` [?] a refinement can't return early; any Rust expression may follow `where`
            let x = 1: expected an expression, found `let` [let] `let` can only start a block, `{ let x = e; .. }`, or follow `if`
            for x in y {}: expected an expression, found `for` [for] say it with `all`, `any` or `fold`; any Rust expression may follow `where`
            assert!(a): this macro is not part of a refinement [assert] any Rust expression may follow `where`
            mathces!(a, b): this macro is not part of a refinement [mathces] did you mean `matches!`?
            "abc: this string is never closed ["] -
            s.matches("[^"]+"): this string is never closed ["] a string that contains a quote is written r#".."#, or the quote as \"
            s.matches(r"[^"']+"): this character is never closed [']] the string before this ends at its second quote; one that contains a quote is written r#".."#
            a where: expected a Rust expression after `where`, found the end [] -
            a where b +: this is no Rust expression: unexpected end of input, expected an expression [] -
            a where (b: this `(` is never closed [(] -
            a where f(1) 2: this is no Rust expression: unexpected token [2] -
            a where b where c: expected an operator or the end, found `where` [where] join the two with `&&`
            { a; b }: expected an operator or `}`, found `;` [;] only `let` may come before the value of a block
            x.await: expected the name of a field or a method, found `await` [await] `await` is a keyword
            if a && let b = c { d }: expected an expression, found `let` [let] `let` can only start a block, `{ let x = e; .. }`, or follow `if`
            a b: expected an operator, `where` or the end, found `b` [b] -
            1 == 2 == 3 where x: comparisons can't be chained [==] write `1 == 2 && 2 == 3`
            xs.iter().map(|x x): expected `,` or `|`, found `x` [x] -
            a &&: expected an expression, found the end [] -
            : expected a condition, found the end [] -
            P { ..q }: expected the name of a field, found `..` [..] list all fields
            x += 1: expected an operator, `where` or the end, found `+=` [+=] a refinement changes nothing; write the new value
            match a { b }: expected `=>` after the pattern, found `}` [}] -
            a[1; 2]: expected an operator or `]`, found `;` [;] -
            9999999999u99: `u99` is not the suffix of a number [9999999999u99] -
            a.b.: expected the name of a field or a method, found the end [] -
        "##]],
    );
}

#[test]
fn names_and_quotes_that_are_missing_get_advice() {
    let texts = [
        "fn(x: {i64 | v > 0})",
        "fn(x: {Vec<u8> | v > 0})",
        "fn(x: u8);",
        "fn(s: {s: &str | s.matches('[a-z]')})",
        "fn(s: {s: &str | s.matches(r\"\"[a-z]*\"\")})",
        "fn(s: {s: &str | s == r\"a\"b\"c\"})",
    ];
    let lines = texts.iter().map(|text| {
        let diagnostics = signature(&spanned(text)).expect_err(text);
        format!("{text}: {} [{}]", diagnostics[0].message, diagnostics[0].help.as_deref().unwrap_or("-"))
    });
    expect![[r##"
        fn(x: {i64 | v > 0}): expected `:` and a type, as in `{v: T | p}`, found `|` [the value needs a name before its type: `{v: i64 | ..}`]
        fn(x: {Vec<u8> | v > 0}): expected `:` and a type, as in `{v: T | p}`, found `<` [the value needs a name before its type: `{v: Vec | ..}`]
        fn(x: u8);: expected `->`, `requires`, `ensures`, `panics if` or the end, found `;` [a spec has no `;` at its end]
        fn(s: {s: &str | s.matches('[a-z]')}): this character is never closed [write a string between double quotes]
        fn(s: {s: &str | s.matches(r""[a-z]*"")}): this string ends at its second quote [a string that contains a quote is written r#".."#]
        fn(s: {s: &str | s == r"a"b"c"}): this string ends at its second quote [a string that contains a quote is written r#".."#]"##]].assert_eq(&lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn slips_in_signatures_get_advice() {
    let texts = [
        "(x: u8)",
        "fn f(x: u8)",
        "fn(x)",
        "fn(&self)",
        "fn(self)",
        "fn(x: u8) u8",
        "fn(x: u8) -> u8 require x",
        "fn(x: u8) requires x -> u8",
        "fn(x: u8) where x",
        "fn(x: {v: u8})",
        "fn(x: {v: u8 where p})",
        "fn(x: {v | v > 0})",
        "fn(x: {v: u8 | v > 0)",
        "fn(x: Vec<u8)",
        "fn(x: impl std::ops::Fn(u8))",
        "fn(x: _)",
        "fn(x: u8) panics when x",
        "fn(x: u8) panics if a panics if b",
        "fn(x: u8) -> {v: u8, v > 0}",
        "fn(x: u8",
        "|x| x",
        "fn(x: u8) requires",
        "fn(x: u8) requires ensures x",
        "fn(x: enum Tree { Leaf })",
        "fn(type: u8)",
    ];
    let lines = texts.iter().map(|text| {
        let diagnostics = signature(&spanned(text)).expect_err(text);
        let Diagnostic { message, help, span, .. } = &diagnostics[0];
        let words = &text[span.start as usize..span.end as usize];
        format!("{text}: {message} [{words}] {}\n", help.as_deref().unwrap_or("-"))
    });
    expect![[r#"
        (x: u8): expected a signature, `fn(x: T, ..) -> T`, found `(` [(] write `fn` before it
        fn f(x: u8): expected `(`, found `f` [f] the function's name is the key; leave `f` out
        fn(x): expected `:` and a type, found `)` [)] every parameter has a name and a type: `x: T`
        fn(&self): expected a parameter, `name: Type`, found `&` [&] a receiver is written `self: &Type` or `self: &mut Type`
        fn(self): expected `:` and a type, found `)` [)] a receiver needs its type: `self: Type`, `self: &Type` or `self: &mut Type`
        fn(x: u8) u8: expected `->`, `requires`, `ensures`, `panics if` or the end, found `u8` [u8] -
        fn(x: u8) -> u8 require x: expected `requires`, `ensures`, `panics if` or the end, found `require` [require] did you mean `requires`?
        fn(x: u8) requires x -> u8: expected an operator, `requires`, `ensures`, `panics if` or the end, found `->` [->] the result comes before the clauses: `fn(x: T) -> R requires ..`
        fn(x: u8) where x: expected `requires`, `ensures` or `panics if`, found `where` [where] conditions on parameters follow `requires`, those on the result follow `ensures`
        fn(x: {v: u8}): expected `|` and a refinement, found `}` [}] without one, write the type alone, with no braces
        fn(x: {v: u8 where p}): expected `|`, found `where` [where] `|` comes before `where` too: `{v: T | where ..}`
        fn(x: {v | v > 0}): expected `:` and a type, as in `{v: T | p}`, found `|` [|] the value needs a type: `{v: T | ..}`
        fn(x: {v: u8 | v > 0): expected an operator, `where` or `}`, found `)` [)] is there a bracket too many, or one missing before?
        fn(x: Vec<u8): expected `,` or `>`, found `)` [)] is there a bracket too many, or one missing before?
        fn(x: impl std::ops::Fn(u8)): expected a type, found `impl` [impl] a function is written `fn(x: A) -> B`
        fn(x: _): expected a type, found `_` [_] a spec names every type
        fn(x: u8) panics when x: expected `if`, found `when` [when] -
        fn(x: u8) panics if a panics if b: there is more than one `panics if` [panics if] join the conditions with `||`
        fn(x: u8) -> {v: u8, v > 0}: expected `|`, found `,` [,] `|` separates the type from the refinement: `{v: T | p}`
        fn(x: u8: this `(` is never closed [(] -
        |x| x: expected a signature, `fn(x: T, ..) -> T`, found `|` [|] put a closure under the key `call`, beside `spec`
        fn(x: u8) requires: expected a condition, found the end [] -
        fn(x: u8) requires ensures x: expected a condition, found `ensures` [ensures] -
        fn(x: enum Tree { Leaf }): expected a type, found `enum` [enum] the fields of a struct or an enum are described in the table `[package.metadata.target.data]`
        fn(type: u8): expected a parameter, `name: Type`, found `type` [type] `type` is a keyword
    "#]].assert_eq(&lines.collect::<String>());
}

#[test]
fn heads_and_paths_are_understood() {
    for text in ["Pos", "Rng(n: int)", "Sorted<T>", "Table<K, V>(n: int, m: {v: int | v < n})"] {
        let head = declaration_head(&spanned(text))
            .unwrap_or_else(|diagnostics| panic!("{}", rendered(text, &diagnostics)));
        assert_eq!(print::declaration_head(&head), text);
    }
    assert!(declaration_head(&spanned("Sorted<T: Ord>")).is_err());
    let segments = path(&spanned("tree::insert")).expect("a path");
    assert_eq!(print::path(&segments), "tree::insert");
    for wrong in ["", "a::", "a b", "f(x)", "1a", "a.b"] {
        assert!(path(&spanned(wrong)).is_err(), "{wrong}");
    }
    for generic in ["Heap<T>::push", "Ring::<3>::push"] {
        let diagnostics = path(&spanned(generic)).expect_err("a path without arguments");
        assert!(rendered(generic, &diagnostics).contains("`self: &Ring<3>`"), "{generic}");
    }
}

#[test]
fn a_condition_after_a_view_has_a_hint() {
    let text = "struct Gap { start: usize, end: usize } where start <= end";
    let diagnostics = data_body(&spanned(text)).expect_err("views end with their fields");
    assert!(rendered(text, &diagnostics).contains("a refined type under `types`"));
}
