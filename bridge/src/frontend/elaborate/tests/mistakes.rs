//! Mistakes: the words underlined, what is wrong, what to do.

use expect_test::{Expect, expect};

use super::fixture::{catalog, constant_of, elaborated};

fn check(texts: &[&str], expected: Expect) {
    let names = [
        ("value", "i64"),
        ("b", "bool"),
        ("x", "f64"),
        ("narrow", "f32"),
        ("v", "Vec<i64>"),
        ("s", "String"),
        ("o", "Option<i64>"),
        ("p", "Point"),
        ("t", "Tree<u8>"),
        ("secret", "Secret"),
        ("c", "char"),
    ];
    check_with(&names, texts, expected);
}

fn check_with(names: &[(&str, &str)], texts: &[&str], expected: Expect) {
    let catalog = catalog();
    let mut out = String::new();
    for text in texts {
        let (result, _) = elaborated(&catalog, names, text);
        let line = match result {
            Ok((term, _)) => format!("fine: {term:?}"),
            Err(mistake) => {
                let words = &text[mistake.span.start as usize..mistake.span.end as usize];
                let help = mistake.help.map_or(String::new(), |help| format!(" ({help})"));
                format!("{words}: {}{help}", mistake.message)
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
            "v.length()",
            "v.lenght()",
            "v.len < 3",
            "t != Leaf",
            "o == null",
            "(v, value) == ()",
            "v.is_emty()",
            "v.frobnicate()",
            "p.z",
            "p.area()",
            "Tree::Leef == t",
            "matches!(t, Leaf)",
            "foo(v)",
            "len(v) > 1",
            "contains(v, 1)",
            "value.0",
            "Point { x: 1, z: 2 }",
            "matches!(p, Point { x })",
        ],
        expect![[r#"
            valu: no value `valu` in scope (did you mean `value`?)
            q: no value `q` in scope (in scope: `b`, `c`, `narrow`, `o`, `p`, `s`, `secret`, `t`, `v`, `value`, `x`)
            length: no method `length` on `Vec<i64>` in the logic (did you mean `len()`?)
            lenght: no method `lenght` on `Vec<i64>` in the logic (did you mean `len()`?)
            len: no field `len`: `Vec<i64>` has none (a method needs brackets: `len()`)
            Leaf: no value `Leaf` in scope (write `tree::Tree::Leaf`)
            null: no value `null` in scope (a value that is missing is `None`; other types have no such value)
            (): expected `(Vec<i64>, i64)`, found `()` (`()` is what a function without a result returns; what it does to a `&mut` parameter is said by its name)
            is_emty: no method `is_emty` on `Vec<i64>` in the logic (did you mean `is_empty()`?)
            frobnicate: no method `frobnicate` on `Vec<i64>` in the logic (any method can be called after `where`, as a filter)
            z: no field `z` in `demo::Point` (it has `x`, `y`)
            area: no method `area` on `demo::Point` in the logic (any method can be called after `where`, as a filter)
            Tree::Leef: no constant or constructor `Tree::Leef` (did you mean `Tree::Leaf`?)
            Leaf: `Leaf` is no constructor of `demo::tree::Tree<u8>` (did you mean `Tree::Leaf`?)
            foo: no function `foo` in the logic (functions of the crate can be called after `where`, as a filter; those of the logic are in the table `measures`)
            len: no function `len` in the logic (it is a method: write `v.len()`)
            contains: no function `contains` in the logic (it is a method: write `v.contains(..)`)
            0: no field `0`: `i64` has none
            z: no field `z` in `Point`
            Point { x }: the pattern leaves out the field `y` of `Point` (add it, or `..`)
        "#]],
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
        expect![[r#"
            x: expected `i64`, found `f64` (integers and floats don't mix; write `x as f64`)
            1: expected `f64`, found `int` (write the literal with a point, as in `1.0`)
            "a": expected `i64`, found `String` (write a number without quotes; `s.parse::<u8>()` reads one from a string)
            value: expected `bool`, found `i64` (write a comparison, as in `x != 0`)
            3: expected `Option<i64>`, found `int` (write `Some(..)` around it)
            'a': expected `i64`, found `char` (write `c as u32`, or `b'a'` for a byte)
            true: expected `i64`, found `bool`
            { 1 }: expected `char`, found `int` (compare characters with characters, or use `c as u32`)
            if b { 1 }: an `if` without `else` has no value (add an `else`, or write `p ==> q`)
            x: expected `bool`, found `f64`
            -b: `-` doesn't apply to `bool`
            b: expected `usize`, found `bool`
            0: a string has no elements that are found by number (`s[a..b]` is a part of it, by bytes; `s.chars().nth(i)` a character)
            "a": expected `char`, found `String` (write a character in single quotes: `'a'`)
            x: converting floats to integers is not supported yet (any Rust expression can follow `where`, which filters)
            None: can't tell the type of this `None` here (compare it with something that has a type)
            vec![]: can't tell the type of an empty list's elements here (compare it with something that has a type)
            Ok(1): can't tell the type of this `Ok` here (compare it with something that has a type)
            (1..): an open range has no end here (give it two ends, or use `enumerate()` to number elements)
            1: `<<` needs a machine type, and its operands agree on none (say which one: `x as u64`, or `1u64` for a literal)
            1: expected `char`, found `int` (compare characters with characters, or use `c as u32`)
            Ok(n): `Ok` is no constructor of `Option<i64>` (`Option<i64>` is None or Some)
            Some(n): this pattern doesn't match every value (use `match` or `if let`)
        "#]],
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
            "s.rmatches('a') == s",
            "s.find()",
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
        expect![[r#"
            len: `len` takes 0 arguments, not 1
            max: `max` takes 1 argument, not 0
            |a, b| true: the closure here takes 1 argument, not 2
            3: expected a closure, as in `|x| 0 < x`
            fold: `fold` takes 2 arguments, not 1
            Some(1, 2): `Some` takes 1 field, not 2
            rmatches: `rmatches` is not supported yet (any Rust expression can follow `where`, which filters)
            find: `find` takes 1 argument, not 0
            sqrt: `sqrt` is not supported yet (any Rust expression can follow `where`, which filters)
            secret: a refinement can't look into its type (use `where`)
            secret: a refinement can't look into its type (use `where`)
            secret: a refinement can't look into its type (use `where`)
            0: windows have at least one element, and a size that fits 32 bits
            value: a size of windows that is no number is not supported yet (any Rust expression can follow `where`, which filters)
            x % x: the remainder of floats is not supported yet (any Rust expression can follow `where`, which filters)
            (a, a): the pattern binds `a` twice
            1 | n: not every alternative of the pattern binds `n`
            |x| x: a closure can only be the argument of a method
        "#]],
    );
}

#[test]
fn strings_are_searched_for_what_can_be_in_them() {
    check(
        &[
            "s.contains(1)",
            "s.starts_with(true)",
            "s.ends_with(v)",
            "s.find(s.len())",
            "s.strip_prefix(None)",
            "s.contains(|c| c)",
            "s.contains(char::is_digit)",
            "s.repeat(s)",
            "s + 'a' == s",
            "s - s == s",
            "s.chars().rev() == s",
            "s == s.chars()",
            "v.iter().collect::<String>() == s",
            "value.contains(\"a\")",
            "value.starts_with(\"a\")",
            "v.starts_with(\"a\")",
            "s.containz(\"a\")",
            "s.trim().is_alphanumeric()",
            "s.chars().next().to_digit(10) == Some(1)",
            "s.to_digit(10) == Some(1)",
            "s.rev() == s",
            "s.substring(0, 1) == s",
            "s.chars().to_lowercase() == s",
            "s.captures(\"(?<y>a)\").unwrap().y == s",
            "s.chars().all(|c| c.is_digit(37))",
            "char::from_digit(1, 37) == None",
            "String::from_utf8_lossy(v) == s",
        ],
        expect![[r#"
            1: `contains` looks for a string or a character, not `int` (write a character in single quotes: `'1'`)
            true: `starts_with` looks for a string or a character, not `bool` (it may also be a closure that tests a character: `|c| c.is_numeric()`)
            v: `ends_with` looks for a string or a character, not `Vec<i64>` (it may also be a closure that tests a character: `|c| c.is_numeric()`)
            s.len(): `find` looks for a string or a character, not `usize` (it may also be a closure that tests a character: `|c| c.is_numeric()`)
            None: can't tell the type of this `None` here (compare it with something that has a type)
            c: expected `bool`, found `char`
            is_digit: `is_digit` takes 1 argument, not 0
            s: expected `usize`, found `String` (write a number without quotes; `s.parse::<u8>()` reads one from a string)
            'a': expected `String`, found `char` (a string stands in double quotes: `"a"`)
            s - s: `-` doesn't apply to `String`
            s: expected `Vec<char>`, found `String` (characters become a string by `.collect::<String>()`, and a string those by `.chars()`)
            s.chars(): expected `String`, found `Vec<char>` (characters become a string by `.collect::<String>()`, and a string those by `.chars()`)
            collect: a `String` is made of characters or strings, not of `i64`
            contains: no method `contains` on `i64` in the logic (any method can be called after `where`, as a filter)
            starts_with: no method `starts_with` on `i64` in the logic (any method can be called after `where`, as a filter)
            "a": expected `Vec<i64>`, found `String`
            containz: no method `containz` on `String` in the logic (did you mean `contains()`?)
            is_alphanumeric: no method `is_alphanumeric` on `String` in the logic (its characters have it: `s.chars().all(|c| c.is_alphanumeric())`)
            to_digit: no method `to_digit` on `Option<char>` in the logic (what is in it has `to_digit`: `unwrap()` it first, or ask within `is_some_and(|x| ..)`)
            to_digit: no method `to_digit` on `String` in the logic (its characters have it: `s.chars().map(|c| c.to_digit(10))`)
            rev: no method `rev` on `String` in the logic (its characters have it: `s.chars().rev()`)
            substring: no method `substring` on `String` in the logic (`s[a..b]` is a part of it, by bytes)
            to_lowercase: no method `to_lowercase` on `Vec<char>` in the logic (its characters have it: `chars.map(|c| c.to_lowercase())`)
            y: no field `y`: a match has groups (write `c["y"]` for the text of a group)
            37: `is_digit` panics for this radix (a radix is a number from 2 to 36)
            37: `from_digit` panics for this radix (a radix is a number from 0 to 36)
            String::from_utf8_lossy: no function `String::from_utf8_lossy` in the logic (functions of the crate can be called after `where`, as a filter; those of the logic are in the table `measures`)
        "#]],
    );
}

#[test]
fn floats_of_different_widths_do_not_mix() {
    check(
        &[
            "x == narrow",
            "narrow + x < 1.0",
            "narrow == 1",
            "narrow == 1.5f64",
            "narrow < 1e39",
            "narrow == value as f64",
            "narrow.max(x)",
            "f32::from(x) == narrow",
            "f32::from(value) == narrow",
            "narrow as i64 == value",
            "narrow.sqrt() == narrow",
            "narrow.starts_with(1.0)",
            "value == narrow",
        ],
        expect![[r#"
            narrow: expected `f64`, found `f32` (floats of different widths don't mix; write `x as f64`)
            x: expected `f32`, found `f64` (floats of different widths don't mix; write `x as f32`)
            1: expected `f32`, found `int` (write the literal with a point, as in `1.0`)
            1.5f64: expected `f32`, found `f64` (floats of different widths don't mix; write `x as f32`)
            1e39: this number is out of the range of `f32`
            value as f64: expected `f32`, found `f64` (floats of different widths don't mix; write `x as f32`)
            x: expected `f32`, found `f64` (floats of different widths don't mix; write `x as f32`)
            x: `f64` can't become `f32` without loss (write `.. as f32`)
            value: `i64` can't become `f32` without loss (write `.. as f32`)
            narrow: converting floats to integers is not supported yet (any Rust expression can follow `where`, which filters)
            sqrt: `sqrt` is not supported yet (any Rust expression can follow `where`, which filters)
            starts_with: no method `starts_with` on `f32` in the logic (any method can be called after `where`, as a filter)
            narrow: expected `i64`, found `f32` (integers and floats don't mix; write `x as f32`)
        "#]],
    );
}

#[test]
fn constants_are_evaluated_and_fit() {
    let text = |ty: &str, text: &str| match constant_of(ty, text) {
        Ok(value) => target_strategies::logic::rust_code::scalar(&value),
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
    expect![[r#"
        ([1, -2, 3], 1, "ab")
        [#0, #1(97)]
        #1(#0, -9223372036854775808, #0)
        #0(#0(1, 2))
        #1("no")
        [[], []]
        error: `256` does not fit `u8`
        error: no value `x` in scope
        error: the value of this panics, or is too big to compute
        [1.5, f64::NAN, -0.0]"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn sets_and_maps_are_told_from_lists() {
    let names = [
        ("v", "Vec<i64>"),
        ("h", "Set<i64>"),
        ("m", "Map<u8, char>"),
        ("g", "Bag<i64>"),
        ("s", "String"),
        ("f", "Vec<f64>"),
        ("secret", "Secret"),
        ("n", "u8"),
    ];
    let texts = [
        "h == v",
        "v == h",
        "bag(v) == v",
        "elems(s)",
        "elems(n)",
        "elems(m)",
        "elems(f)",
        "elems(vec![secret])",
        "elems()",
        "elems(v, v)",
        "set![]",
        "set![1, true]",
        "HashMap::new()",
        "v.union(v)",
        "h.union(v)",
        "h.insert(3)",
        "m.insert(3, 'a')",
        "h.contains('a')",
        "h.contain(3)",
        "h[0]",
        "m.contains(3)",
        "m['a']",
        "m.with(3)",
        "m == vec![(1, 'a')]",
        "BTreeMap::from(v)",
        "h + h",
        "h.entry(3)",
        "(g, h).0 < (h, g).0",
    ];
    check_with(
        &names,
        &texts,
        expect![[r#"
            v: expected `Set<i64>`, found `Vec<i64>` (`elems(xs)` is the set of a list's elements)
            h: expected `Vec<i64>`, found `Set<i64>` (write `elems(..)` around the list, to compare what they hold)
            v: expected `Bag<i64>`, found `Vec<i64>` (`bag(xs)` is a list's elements with their counts)
            s: expected a sequence, found `String` (write `.chars()` or `.bytes()` after it)
            n: expected a sequence, found `u8`
            m: expected a sequence, found `Map<u8, char>` (write `.keys()` or `.values()` after it)
            f: floats can be neither ordered nor hashed, so there is no set of them
            vec![secret]: a refinement can't look into its type (use `where`)
            elems(): `elems` takes 1 argument, not 0
            elems(v, v): `elems` takes 1 argument, not 2
            set![]: can't tell the type of an empty set's elements here (compare it with something that has a type)
            1: expected `bool`, found `int` (write a comparison, as in `x != 0`)
            HashMap::new(): can't tell the type of an empty map's keys and values here (compare it with something that has a type)
            union: no method `union` on `Vec<i64>` in the logic (`elems(xs)` is the set of a list's elements)
            v: expected `Set<i64>`, found `Vec<i64>` (`elems(xs)` is the set of a list's elements)
            insert: no method `insert` on `Set<i64>` in the logic (a refinement changes nothing; `with(..)` gives what comes of it)
            insert: no method `insert` on `Map<u8, char>` in the logic (a refinement changes nothing; `with(..)` gives what comes of it)
            'a': expected `i64`, found `char` (write `c as u32`, or `b'a'` for a byte)
            contain: no method `contain` on `Set<i64>` in the logic (did you mean `contains()`?)
            h: `Set<i64>` can't be indexed
            contains: no method `contains` on `Map<u8, char>` in the logic (did you mean `contains_key()`?)
            'a': expected `u8`, found `char` (write `c as u32`, or `b'a'` for a byte)
            with: `with` takes 2 arguments, not 1
            vec![(1, 'a')]: expected `Map<u8, char>`, found `Vec<(int, char)>` (write `map![key => value, ..]`)
            v: a map is made of pairs, not of `i64` (write `map![key => value, ..]`)
            h + h: `+` doesn't apply to `Set<i64>`
            entry: `entry` is not supported yet (any Rust expression can follow `where`, which filters)
            (h, g).0: expected `Bag<i64>`, found `Set<i64>` (`bag(xs)` is a list's elements with their counts)
        "#]],
    );
}

#[test]
fn regular_expressions_are_literals_with_mistakes_inside() {
    check(
        &[
            "s.matches(\"a+\") == s",
            "s.matches(s)",
            "s.matches('a')",
            "s.matches(\"a\", \"b\")",
            "s.matches(\"a(b\")",
            "s.matches(\"\\\\d[é\")",
            "s.matches(\"\\u{e9}\\x41*?**+{2,1}\")",
            "s.matches(r\"\\d(?=a)\")",
            "s.matches(r#\"\"(\"#)",
            "s.matches(\"a\\\n     \\\\bc\")",
            "s.matches(\"*\")",
            "s.matches(\"x{1000}{1000}\")",
            "v.matches(\"a\")",
        ],
        expect![[r#"
            s: expected `bool`, found `String`
            s: `matches` takes a regular expression, as a string literal (write it out, in double quotes; `contains` looks for other strings)
            'a': `matches` takes a regular expression, as a string literal (write it out, in double quotes; `contains` looks for other strings)
            matches: `matches` takes 1 argument, not 2
            (: this is no regular expression: unclosed group
            [: this is no regular expression: unclosed character class
            {2,1}: this is no regular expression: invalid repetition count range, the start must be <= the end
            (?=: this is no regular expression: look-around, including look-ahead and look-behind, is not supported
            (: this is no regular expression: unclosed group
            \\b: word boundaries and the anchors of lines are not supported in `matches` (the whole string has to match, without `^` and `$`)
            "*": this is no regular expression: repetition operator missing expression
            "x{1000}{1000}": this regular expression is too big (its automaton would have more than 10000 states, or take too long to build)
            matches: no method `matches` on `Vec<i64>` in the logic (any method can be called after `where`, as a filter)
        "#]],
    );
}
