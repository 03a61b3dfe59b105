//! Mistakes: the words underlined, what is wrong, what to do.

use expect_test::{Expect, expect};

use super::fixture::{catalog, constant_of, elaborated};

fn check(texts: &[&str], expected: Expect) {
    let names = [
        ("value", "i64"),
        ("b", "bool"),
        ("x", "f64"),
        ("v", "Vec<i64>"),
        ("s", "String"),
        ("o", "Option<i64>"),
        ("p", "Point"),
        ("t", "Tree<u8>"),
        ("secret", "Secret"),
        ("c", "char"),
    ];
    let catalog = catalog();
    let mut out = String::new();
    for text in texts {
        let (result, _) = elaborated(&catalog, &names, text);
        let line = match result {
            Ok((term, _)) => format!("fine: {term:?}"),
            Err(mistake) => {
                let place = &text[mistake.span.start as usize..mistake.span.end as usize];
                let help = mistake.help.map_or(String::new(), |help| format!(" ({help})"));
                format!("{place}: {}{help}", mistake.message)
            }
        };
        out.push_str(&line);
        out.push('\n');
    }
    expected.assert_eq(&out);
}

#[test]
fn names_and_methods_are_guessed() {
    check(
        &[
            "valu < 3",
            "q < 3",
            "v.lenght()",
            "v.frobnicate()",
            "p.z",
            "p.area()",
            "Tree::Leef == t",
            "matches!(t, Leaf)",
            "foo(v)",
            "value.0",
            "Point { x: 1, z: 2 }",
            "matches!(p, Point { x })",
        ],
        expect![[r#""#]],
    );
}

#[test]
fn types_that_differ_are_both_named() {
    check(
        &[
            "value + x",
            "x < 1",
            "value == \"a\"",
            "b && value",
            "o == 3",
            "o < Some('a')",
            "v == [true]",
            "if b { 1 } else { 'a' }",
            "if b { 1 }",
            "!x",
            "-b",
            "v[b]",
            "s[0]",
            "c == \"a\"",
            "x as i64",
            "None",
            "vec![]",
            "Ok(1)",
            "(1..).len()",
            "1 << 2",
            "match o { None => 1, Some(n) => 'a' }",
            "match o { Ok(n) => n, _ => 0 }",
            "{ let Some(n) = o; n }",
        ],
        expect![[r#""#]],
    );
}

#[test]
fn calls_are_counted_and_what_is_to_come_is_told() {
    check(
        &[
            "v.len(1)",
            "value.max()",
            "v.iter().all(|a, b| true)",
            "v.iter().all(3)",
            "v.iter().fold(0)",
            "Some(1, 2) == o",
            "s.starts_with(\"a\")",
            "set![1]",
            "elems(v)",
            "v.union(v)",
            "x.sqrt()",
            "secret == secret",
            "secret.len()",
            "secret.x",
            "v.windows(0)",
            "v.windows(value)",
            "x % x",
            "matches!((value, value), (a, a))",
            "matches!(o, Some(1 | n))",
            "|x| x",
        ],
        expect![[r#""#]],
    );
}

#[test]
fn constants_are_evaluated_and_fit() {
    let text = |ty: &str, text: &str| match constant_of(ty, text) {
        Ok(value) => target_strategies::rust_code::scalar(&value),
        Err(mistake) => format!("error: {}", mistake.message),
    };
    let lines = [
        text("(Vec<i64>, usize, String)", "(vec![1, -2, 3], 1, \"ab\".to_string())"),
        text("Vec<Option<u8>>", "[None, Some(b'a')]"),
        text("Tree<i64>", "Tree::Node(Box::new(Tree::Leaf), i64::MIN, Box::new(Tree::Leaf))"),
        text("Result<Point, String>", "Ok(Point { x: 1, y: 1 + 1 })"),
        text("Result<Point, String>", "Err(String::from(\"no\"))"),
        text("Vec<Vec<u8>>", "vec![Vec::new(); 2]"),
        text("u8", "256"),
        text("u8", "x"),
        text("i64", "1 / 0"),
        text("&[f64]", "&[1.5, f64::NAN, -0.0]"),
    ];
    expect![[r#""#]].assert_eq(&lines.join("\n"));
}
