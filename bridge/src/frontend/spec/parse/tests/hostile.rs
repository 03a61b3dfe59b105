//! Texts that nobody writes: the parser must neither panic, nor hang, nor descend without bound.

use proptest::prelude::*;

use super::*;

/// Runs with a stack as small as a thread of rayon or of the tests may have.
fn with_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1024 << 10).spawn(run).expect("a thread");
    thread.join().expect("no overflow and no panic");
}

#[test]
fn depth_is_bounded_whatever_the_text() {
    with_small_stack(|| {
        let n = 10_000;
        let hostile = [
            "(".repeat(n),
            "[".repeat(n),
            "!".repeat(n) + "a",
            "&".repeat(n) + "a",
            "a+".repeat(n) + "a",
            "a && ".repeat(n) + "a",
            "a ==> ".repeat(n) + "a",
            "a".to_owned() + &".b".repeat(n),
            "a".to_owned() + &"(1)".repeat(n),
            "a".to_owned() + &" as u8".repeat(n),
            "|x| ".repeat(n) + "a",
            "if a { b } else ".repeat(n) + "{ c }",
            "if ".repeat(n),
            "match ".repeat(n),
            "{".repeat(n),
            "f(a || b && c == d | e ^ f & g << 1 + 2 * -".repeat(500),
            "|| if let x = match a { (b | c) if vec![d ==> 1 + P { x: e[".repeat(500),
            "(".repeat(n) + &")".repeat(n),
            "matches!(x, ".repeat(n),
            "matches!(x, ".to_owned() + &"(".repeat(n),
            "matches!(x, ".to_owned() + &"Some(".repeat(n),
            "matches!(x, ".to_owned() + &"a @ ".repeat(n),
            "a::<".to_owned() + &"<".repeat(n),
            "a where ".to_owned() + &"(".repeat(n),
        ];
        for text in hostile {
            let diagnostics = condition(&spanned(&text)).expect_err("too deep");
            let known = ["nested too deeply", "is never closed", "too long", "expected"];
            assert!(known.iter().any(|known| diagnostics[0].message.contains(known)), "{:?}", diagnostics[0]);
        }
        for text in ["{v: ", "Vec<", "&", "(", "[", "fn(x: ", "fn() -> "] {
            assert!(ty(&spanned(&text.repeat(n))).is_err());
        }
        assert!(signature(&spanned(&("fn(".to_owned() + &"x: u8, ".repeat(8000) + ")"))).is_ok());
    });
}

#[test]
fn deep_trees_within_the_bounds_are_printed_and_dropped() {
    with_small_stack(|| {
        for (unit, end) in
            [("(1 + ", ")"), ("!(", ")"), ("f(x.g(", "))"), ("[a == if b { ", " } else { c }]")]
        {
            let levels = 30;
            let text = unit.repeat(levels) + "a" + &end.repeat(levels);
            let parsed = expr(&spanned(&text))
                .unwrap_or_else(|diagnostics| panic!("{}", rendered(&text, &diagnostics)));
            assert!(!print::expr(&parsed).is_empty());
        }
        let wide = "f(a).b.c == 1 + d * 2 && ".repeat(200) + "a";
        assert_eq!(print::expr(&expr(&spanned(&wide)).expect("a conjunction")), wide);
        let chain = "a + ".repeat(200) + "a";
        assert_eq!(print::expr(&expr(&spanned(&chain)).expect("a sum")), chain);
    });
}

#[test]
fn rust_code_as_deep_as_is_allowed_does_not_exhaust_the_stack() {
    for unit in [
        "!",
        "&",
        "||",
        "|x|",
        "-",
        "return ",
        "*",
        "a=",
        "..",
        "&raw const ",
        "if a {} else ",
        "x as &",
        "a?",
        "unsafe{",
        "<",
        "for<'a> || ",
    ] {
        let text = format!("where {}a", unit.repeat(4090 / unit.len()));
        let _ = condition(&spanned(&text));
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in hostile_text()) {
        let text = spanned(&text);
        for result in [
            signature(&text).err(), ty(&text).err(), declaration_head(&text).err(), condition(&text).err(), expr(&text).err(), path(&text).err(),
        ] {
            for diagnostic in result.iter().flatten() {
                prop_assert!(diagnostic.span.start <= diagnostic.span.end);
                prop_assert!(diagnostic.span.end as usize <= text.text.len());
                rendered(&text.text, std::slice::from_ref(diagnostic));
            }
        }
    }

    #[test]
    fn what_parses_prints_and_parses_to_the_same_text(text in hostile_text()) {
        if let Ok(parsed) = condition(&spanned(&text)) {
            let printed = print::condition(&parsed);
            let again = condition(&spanned(&printed)).map(|again| print::condition(&again));
            prop_assert_eq!(again, Ok(printed));
        }
    }
}

/// Words of the language in any order.
#[expect(clippy::too_many_lines, reason = "one list of fragments")]
fn hostile_text() -> impl Strategy<Value = String> {
    let words = proptest::sample::select(vec![
        "fn",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "|",
        "||",
        "&&",
        "&",
        "==>",
        "==",
        "=",
        "=>",
        "->",
        "..",
        "..=",
        ":",
        "::",
        ",",
        ";",
        ".",
        "!",
        "-",
        "+",
        "*",
        "a",
        "x",
        "v",
        "Some",
        "P",
        "1",
        "2.5",
        "'c'",
        "\"s\"",
        "if",
        "else",
        "match",
        "let",
        "where",
        "requires",
        "ensures",
        "panics",
        "as",
        "u8",
        "vec!",
        "matches!",
        "_",
        "@",
        "self",
        "mut",
        "ref",
        "move",
        "'a",
        "é",
        "≤",
        "\"",
        "r#\"",
        "/*",
        "//",
        "\\",
        "\n",
        "#",
        "?",
        "i64",
        "Vec<",
        ">>",
        "{v: i64 | ",
        "|x| ",
        "xs.len()",
    ]);
    let damaged = (proptest::sample::select(SIGNATURES.to_vec()), any::<[proptest::sample::Index; 3]>());
    prop_oneof![
        damaged.prop_map(|(text, [from, to, at])| {
            // A part of a good signature stands where another was.
            let chars: Vec<char> = text.chars().collect();
            let (from, to, at) = (from.index(chars.len()), to.index(chars.len()), at.index(chars.len()));
            let (from, to) = (from.min(to), from.max(to));
            chars[..at].iter().chain(&chars[from..to]).chain(&chars[to..]).collect()
        }),
        proptest::collection::vec(words, 0..24).prop_map(|words| words.join(" ")),
        proptest::collection::vec(any::<char>(), 0..24).prop_map(|chars| chars.into_iter().collect()),
        ".{0,40}",
    ]
}
