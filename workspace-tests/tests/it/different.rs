//! Sets of different inputs, and `sample`, through the real binary.

use serde_json::json;

use crate::support::Fixture;

const TABLES: &str = r#"[package.metadata.target.grammars]
Sum = '"1" | "(" left:Sum "+" right:Sum ")"'

[package.metadata.target.types]
Far = { type = "{v: i64 | 0 <= v && v <= 30}", different = "distance(10)" }
Word = { type = "{s: String | s.matches(\"[ab]*\")}", different = "different_lengths" }
Sides = { type = "{v: u8 | v < 8}", different = "|a, b| (a + b) % 2 == 1" }
Code = { type = "{s: String | s.matches(\"[ab]{3}\")}", different = "edit_distance(2)" }
Digit = "{v: u8 | v < 10}"
Isbn = { type = "{s: String | s.matches(\"(97(8|9))?[0-9]{9}([0-9]|X)\")}", different = "cover" }

[package.metadata.target.functions]
sum = { call = "word", spec = "fn(w: &Sum) -> usize", different = "cover(2)" }
isbn = { call = "word", spec = "fn(w: &Isbn) -> usize", depth = 14 }
wide = { call = "pair", spec = "fn(x: Digit, y: Digit) -> u8", different = "cover(y) || distance(x, 4)", cases = 5 }
pair = { spec = "fn(x: Digit, y: Digit) -> u8", different = "|a, b| a.x != b.x && a.y != b.y", cases = 40 }
either = { call = "pair", spec = "fn(x: {x: u8 | x < 3}, y: {y: u8 | y < 3}) -> u8", different = "not_equal", cases = 40 }
word = "fn(w: &Word) -> usize"
shapes = { spec = "fn(t: Tree) -> u8", different = "different_shape", cases = 3 }
variants = { call = "shapes", spec = "fn(t: Tree) -> u8", different = "different_variant", cases = 9 }
keys = { spec = "fn(m: BTreeMap<Digit, bool>) -> usize", different = "different_keys", cases = 4, depth = 2, bound = 2 }
many = { spec = "fn(x: i64) -> i64", different = "distance(10)", cases = 5000, bound = 30000 }
far = { call = "word", spec = "fn(w: &{s: str | s.matches(\"[a-z]{10}\")}) -> usize", different = "edit_distance(10)", cases = 12, bound = 30, budget = "60s" }
outlines = { spec = "fn(xs: Vec<Option<u8>>) -> usize", different = "different_shape", cases = 40, bound = 200, budget = "60s" }
late = { call = "many", spec = "fn(x: {x: i64 | 0 <= x}) -> i64", different = "|a, b| a != b && a > 29994 && b > 29994", cases = 20, bound = 30000, budget = "60s" }
long = { call = "word", spec = "fn(w: &{s: str | s.is_ascii()}) -> usize", different = "different_lengths", cases = 60, depth = 80 }
"#;

const SOURCE: &str = "pub fn pair(x: u8, y: u8) -> u8 { x + y }
pub fn word(w: &str) -> usize { w.len() }
pub enum Tree { Leaf, Node(Box<Tree>, u8, Box<Tree>) }
pub fn shapes(t: Tree) -> u8 { match t { Tree::Leaf => 0, Tree::Node(_, k, _) => k } }
pub fn keys(m: std::collections::BTreeMap<u8, bool>) -> usize { m.len() }
pub fn many(x: i64) -> i64 { x }
pub fn outlines(xs: Vec<Option<u8>>) -> usize { xs.len() }
";

#[test]
fn a_run_has_the_inputs_that_differ_and_says_whether_there_are_more() {
    let events = Fixture::of("different::runs", TABLES, SOURCE).run(&["-g", "auto"]);
    let known = [
        // A matching of ten rows and ten columns.
        ("pair", 40, 10, true),
        ("either", 40, 9, true),
        // Without `cases`, there is room for a hundred.
        ("word", 10_000, 100, true),
        ("isbn", 10_000, 6, true),
        // A digit, and four pairs of digits and sums.
        ("sum", 10_000, 5, true),
        ("wide", 5, 5, false),
        ("shapes", 3, 3, false),
        ("variants", 9, 2, true),
        // No key, three times one, three times two: four were asked for.
        ("keys", 4, 4, false),
        ("many", 5000, 5000, false),
        ("long", 60, 60, false),
        // Solved for: so many strings are hardly among the first ones.
        ("far", 12, 12, false),
        // Lists of up to four elements, of two variants each.
        ("outlines", 40, 31, true),
        // The first input differs from no other one.
        ("late", 20, 6, true),
    ];
    for (function, asked, found, is_greatest) in known {
        let row = events.of(function, "auto");
        let different =
            json!({"asked": asked, "found": found, "maximal": is_greatest, "proved": is_greatest});
        assert_eq!(
            (&row["verdict"], &row["different"], &row["valid"], &row["discarded"]),
            (&"passed".into(), &different, &found.into(), &0.into()),
            "{function}: {row:#}"
        );
    }
}

#[test]
fn a_set_that_may_not_be_the_greatest_is_printed_with_the_reason() {
    let tables = "[package.metadata.target.functions]\n\
                  f = { spec = 'fn(x: {x: u32 | x < 2800})', different = '|a, b| a != b && (a * b) % 7 < 5', cases = 2800 }\n";
    let fixture = Fixture::of("different::ended", tables, "pub fn f(_: u32) {}");
    let printed = fixture.target(&["sample", "f", "--different", "--bound", "2800", "--budget", "1s"]);
    assert!(printed.code == 0 && printed.stdout.lines().count() > 1, "{printed:?}");
    // The second one where the machine is slow.
    let reasons = ["a larger set is only searched among", "whether there are more was not found out"];
    assert!(reasons.iter().any(|reason| printed.stderr.contains(reason)), "{}", printed.stderr);
}

/// Nothing says how large inputs may be, but for the relation.
#[test]
fn a_space_has_room_for_the_set_that_is_asked_for() {
    let tables = r#"[package.metadata.target.types]
Price = { type = "{v: u64 | v <= 1000}", different = "distance(100)" }

[package.metadata.target.functions]
pay = { spec = "fn(p: Price)", cases = 8 }
all = { call = "pay", spec = "fn(p: Price)" }
apart = { spec = "fn(n: i64, x: f64)", different = "distance(n, 10)", cases = 20 }
halves = { call = "apart", spec = "fn(n: i64, x: f64)", different = "|a, b| (a.x - b.x).abs() >= 0.5 && a.n == b.n", cases = 20 }
lengths = { spec = "fn(xs: Vec<u8>, s: &str)", different = "different_lengths(xs)", cases = 20 }
words = { call = "lengths", spec = "fn(xs: Vec<u8>, s: &str)", different = "edit_distance(s, 6)", cases = 9 }
kinds = { call = "lengths", spec = "fn(xs: Vec<u8>, s: &str)", different = "cover(xs)", cases = 9 }
given = { call = "apart", spec = "fn(n: i64, x: f64)", different = "distance(n, 10)", cases = 20, bound = 12 }
short = { call = "lengths", spec = "fn(xs: Vec<u8>, s: &str)", different = "different_lengths(xs)", cases = 20, depth = 5 }
"#;
    let source =
        "pub fn pay(_: u64) {}\npub fn apart(_: i64, _: f64) {}\npub fn lengths(_: Vec<u8>, _: &str) {}\n";
    let events = Fixture::of("different::room", tables, source).run(&["-g", "auto"]);
    let known = [
        ("pay", 8),
        ("all", 11),
        ("apart", 20),
        ("halves", 20),
        ("lengths", 20),
        ("words", 9),
        ("kinds", 4),
        ("given", 3),
        ("short", 6),
    ];
    for (function, found) in known {
        assert_eq!(events.of(function, "auto")["different"]["found"], found, "{function}");
    }
}

#[test]
fn sets_of_different_lengths_may_be_long() {
    let tables = r#"[package.metadata.target.functions]
word = { spec = "fn(w: {s: &str | s.matches(\"[a-z]*\")}) -> usize", different = "different_lengths", depth = 900, cases = 600 }
list = { spec = "fn(n: {n: u8 | n > 0}, xs: Vec<u8>)", different = "different_lengths(xs)", depth = 300, bound = 2 }
"#;
    let source = "pub fn word(w: &str) -> usize { w.len() }\npub fn list(_: u8, _: Vec<u8>) {}\n";
    let fixture = Fixture::of("different::long", tables, source);
    let events = fixture.run(&["-g", "auto", "--budget", "60s"]);
    for (function, asked, found, is_greatest) in [("word", 600, 600, false), ("list", 10_000, 301, true)] {
        let set = json!({"asked": asked, "found": found, "maximal": is_greatest, "proved": is_greatest});
        assert_eq!(events.of(function, "auto")["different"], set, "{function}");
    }
    let printed = fixture.target(&["sample", "word", "--different", "--cases", "3"]);
    assert_eq!(printed.stdout, "\"\"\n\"a\"\n\"aa\"\n");
    let deep = "[package.metadata.target.functions]\nplain = { call = 'list', spec = 'fn(n: u8, xs: Vec<u8>)', depth = 201 }\n\
        tree = { spec = 'fn(t: Tree)', different = 'not_equal', depth = 201 }\n";
    let source = "pub fn list(_: u8, _: Vec<u8>) {}\npub enum Tree { Leaf, Node(Box<Tree>, Box<Tree>) }\npub fn tree(_: Tree) {}\n";
    let printed = Fixture::of("different::deep", deep, source).target(&["check"]);
    let mistake = "`depth` is 201, and at most 200 here";
    assert!(printed.code == 2 && printed.stderr.matches(mistake).count() == 2, "{printed:?}");
}

#[test]
fn pairwise_inputs_have_all_pairs_of_kinds() {
    let tables = "[package.metadata.target.functions]\n\
                  f = { spec = 'fn(x: bool, o: Option<bool>, n: u8) requires x ==> o.is_some()', different = 'pairwise', cases = 90 }\n";
    let fixture = Fixture::of("different::pairwise", tables, "pub fn f(_: bool, _: Option<bool>, _: u8) {}");
    let events = fixture.run(&["-g", "auto"]);
    let set = &events.of("f", "auto")["different"];
    // Two kinds of `x`, two of `o`, three of what it contains (or nothing), and three of `n`, in pairs. `true` has neither `None`
    // nor nothing, `None` has no contents, of which there are two, and `Some` has not nothing.
    let found = fixture.command(&["sample", "f", "--different"]).output().unwrap();
    let text = String::from_utf8(found.stderr).unwrap();
    assert!(text.contains("9 inputs with 32 of 37 combinations: no input has any of the others"), "{text}");
    assert_eq!((&set["proved"], &set["combinations"]), (&true.into(), &json!({"covered": 32, "all": 37})));
}

#[test]
fn samples_are_printed_as_rust_and_as_json() {
    let fixture = Fixture::of("different::samples", TABLES, SOURCE);
    let sample = |args: &[&str]| {
        let printed = fixture.target(&[&["sample"], args].concat());
        (printed.stdout.lines().map(str::to_owned).collect::<Vec<_>>(), printed.stderr)
    };
    let (far, told) = sample(&["Far", "--different", "--bound", "30"]);
    assert_eq!(
        (far.join(" ").as_str(), told.trim()),
        (
            "0 10 20 30",
            "4 of 10000 inputs that differ pairwise: there is no larger set within depth and bound"
        )
    );
    let (words, _) = sample(&["Word", "--different", "--cases", "3", "--format", "jsonl"]);
    let line = |word: &str| json!({"package": "sample", "function": "Word", "args": [word]}).to_string();
    assert_eq!(words, ["", "a", "aa"].map(line));
    // Two numbers of different parity; the codes of three letters that are two apart, of which there are four.
    assert_eq!(sample(&["Sides", "--different"]).0.len(), 2);
    assert_eq!(sample(&["Code", "--different"]).0.len(), 4);
    let (values, told) = sample(&["pair", "--cases", "7"]);
    assert_eq!((values.len(), told.as_str()), (7, ""));
    assert!(values.iter().all(|value| value.starts_with('(') && value.contains(", ")), "{values:?}");
    let (none, told) = sample(&["Digit", "--different"]);
    assert_eq!(none.len(), 0);
    assert!(told.contains("`Digit` has no `different` in the manifest"), "{told}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn mistakes_in_relations_are_explained() {
    let tables = r#"[package.metadata.target.types]
Half = { different = "not_equal" }
Odd = { type = "u8", differnt = "not_equal" }

[package.metadata.target.functions]
name = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "different_length" }
one = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "|a| a != 1" }
field = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "|a, b| a.z != b.x" }
whole = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "|a, b| a != b" }
least = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "distance" }
sort = { call = "g", spec = "fn(x: u8) -> u8", different = "edit_distance(2)" }
apart = { call = "h", spec = "fn(kind: u8, name: String) -> u8", different = "distance(name, 2)" }
outside = { call = "g", spec = "fn(x: u8) -> u8 requires not_equal(x, 3)" }
number = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = 'cover(x, "[a-z]")' }
open = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = 'cover(s, "[a")' }
levels = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "cover(9)" }
alone = { call = "g", spec = "fn(x: u8) -> u8", different = "pairwise" }
many = { call = "g", spec = "fn(x: u8) -> u8", different = "n_wise(0)" }
part = { call = "h", spec = "fn(kind: u8, name: String) -> u8", different = "cover(kimd)" }
pair = { call = "h", spec = "fn(kind: u8, name: String) -> u8", different = "pairwize" }
named = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "distance(a.x, b.x, 3) && not_equal(s)" }
keys = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "different_keys(s)" }
zero = { call = "g", spec = "fn(x: u8) -> u8", different = "distance(0)" }
method = { call = "g", spec = "fn(x: u8) -> u8", different = "|a, b| a.frobnicate() != b" }
empty = { call = "g", spec = "fn(x: u8) -> u8", different = " " }
body = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "|a, b| {}" }
rust = { call = "g", spec = "fn(x: u8) -> u8", different = "|a, b| where a != b" }
more = { call = "g", spec = "fn(x: u8) -> u8", different = "|a, b| a != b where a > b" }
clause = { call = "g", spec = "fn(x: u8) -> u8", different = "|a, b| requires a != b" }
"#;
    let source = "pub fn f(_: u8, _: String) -> u8 { 0 }\npub fn g(_: u8) -> u8 { 0 }\n\
                  pub fn h(_: u8, _: String) -> u8 { 0 }\n";
    let printed = Fixture::of("different::mistakes", tables, source).target(&["check"]);
    expect_test::expect![[r#"
        error: the type `Half` has no `type`
         --> Cargo.toml:9:1
          |
        9 | Half = { different = "not_equal" }
          | ^^^^
          |
          = help: write `type = "{v: T | p}"` in its table

        error: unknown key `differnt` of a type
          --> Cargo.toml:10:22
           |
        10 | Odd = { type = "u8", differnt = "not_equal" }
           |                      ^^^^^^^^
           |
           = help: did you mean `different`?

        error: no relation `different_length`
          --> Cargo.toml:13:72
           |
        13 | name = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "different_length" }
           |                                                                        ^^^^^^^^^^^^^^^^
           |
           = help: did you mean `different_lengths`?

        error: a relation is a closure with two names, `|a, b| a != b`
          --> Cargo.toml:14:71
           |
        14 | one = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "|a| a != 1" }
           |                                                                       ^^^^^^^^^^

        error: no parameter `z`
          --> Cargo.toml:15:82
           |
        15 | field = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "|a, b| a.z != b.x" }
           |                                                                                  ^
           |
           = help: the parameters are `x`, `s`

        error: no value `a` in scope
          --> Cargo.toml:16:80
           |
        16 | whole = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "|a, b| a != b" }
           |                                                                                ^
           |
           = help: in scope: `a.s`, `a.x`, `b.s`, `b.x`

        error: `distance` takes two values, and a number
          --> Cargo.toml:17:73
           |
        17 | least = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "distance" }
           |                                                                         ^^^^^^^^
           |
           = help: write `distance(10)`, `distance(x, 10)` of a parameter `x`, or `distance(a, b, 10)`

        error: `edit_distance` is about strings and lists, not `u8`
          --> Cargo.toml:18:61
           |
        18 | sort = { call = "g", spec = "fn(x: u8) -> u8", different = "edit_distance(2)" }
           |                                                             ^^^^^^^^^^^^^^^^

        error: `distance` is about numbers, not `String`
          --> Cargo.toml:19:79
           |
        19 | apart = { call = "h", spec = "fn(kind: u8, name: String) -> u8", different = "distance(name, 2)" }
           |                                                                               ^^^^^^^^^^^^^^^^^
           |
           = help: `edit_distance` is about strings and lists

        error: no function `not_equal` in the logic
          --> Cargo.toml:20:58
           |
        20 | outside = { call = "g", spec = "fn(x: u8) -> u8 requires not_equal(x, 3)" }
           |                                                          ^^^^^^^^^
           |
           = help: functions of the crate can be called after `where`, as a filter; those of the logic are in the table `measures`

        error: a regular expression covers strings, not `u8`
          --> Cargo.toml:21:74
           |
        21 | number = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = 'cover(x, "[a-z]")' }
           |                                                                          ^^^^^^^^^^^^^^^^^

        error: this is no regular expression: unclosed character class
          --> Cargo.toml:22:82
           |
        22 | open = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = 'cover(s, "[a")' }
           |                                                                                  ^

        error: `cover` takes a regular expression, or a number of levels from 1 to 6
          --> Cargo.toml:23:80
           |
        23 | levels = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "cover(9)" }
           |                                                                                ^
           |
           = help: write `cover(a, b)`, `cover(a, b, 2)` or `cover(a, b, "[a-z]+|[0-9]+")`

        error: combinations of 2 parts need at least 2 parts of different kinds; the input has 1
          --> Cargo.toml:24:62
           |
        24 | alone = { call = "g", spec = "fn(x: u8) -> u8", different = "pairwise" }
           |                                                              ^^^^^^^^
           |
           = help: numbers, truth values, enums, strings and lists have kinds, also in tuples and structs

        error: write `pairwise`, or `n_wise(n)` with a number from 1 to 6
          --> Cargo.toml:25:61
           |
        25 | many = { call = "g", spec = "fn(x: u8) -> u8", different = "n_wise(0)" }
           |                                                             ^^^^^^^^^

        error: no parameter `kimd`
          --> Cargo.toml:26:84
           |
        26 | part = { call = "h", spec = "fn(kind: u8, name: String) -> u8", different = "cover(kimd)" }
           |                                                                                    ^^^^
           |
           = help: did you mean `kind`?

        error: no relation `pairwize`
          --> Cargo.toml:27:78
           |
        27 | pair = { call = "h", spec = "fn(kind: u8, name: String) -> u8", different = "pairwize" }
           |                                                                              ^^^^^^^^
           |
           = help: did you mean `pairwise`?

        error: no parameters `a` and `b`
          --> Cargo.toml:28:73
           |
        28 | named = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "distance(a.x, b.x, 3) && not_equal(s)" }
           |                                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: if they are the two inputs, write `|a, b| distance(a.x, b.x, 3) && not_equal(s)`

        error: `different_keys` is about maps, not `String`
          --> Cargo.toml:29:72
           |
        29 | keys = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "different_keys(s)" }
           |                                                                        ^^^^^^^^^^^^^^^^^

        error: `distance` takes a distance greater than 0: any two values are 0 apart
          --> Cargo.toml:30:70
           |
        30 | zero = { call = "g", spec = "fn(x: u8) -> u8", different = "distance(0)" }
           |                                                                      ^

        error: no method `frobnicate` on `u8` in the logic
          --> Cargo.toml:31:72
           |
        31 | method = { call = "g", spec = "fn(x: u8) -> u8", different = "|a, b| a.frobnicate() != b" }
           |                                                                        ^^^^^^^^^^

        error: expected an expression, found the end
          --> Cargo.toml:32:63
           |
        32 | empty = { call = "g", spec = "fn(x: u8) -> u8", different = " " }
           |                                                               ^
           |
           = help: say when two inputs differ: with a closure, `|a, b| a != b`, or a built-in relation, `not_equal`

        error: expected an expression, found `}`
          --> Cargo.toml:33:80
           |
        33 | body = { call = "f", spec = "fn(x: u8, s: String) -> u8", different = "|a, b| {}" }
           |                                                                                ^
           |
           = help: say when two inputs differ: with a closure, `|a, b| a.x != b.x`, or a built-in relation, `not_equal`

        error: expected an expression, found `where`
          --> Cargo.toml:34:68
           |
        34 | rust = { call = "g", spec = "fn(x: u8) -> u8", different = "|a, b| where a != b" }
           |                                                                    ^^^^^
           |
           = help: a relation is solved for, so it can't have Rust code after `where`: say it in the spec language

        error: expected an operator or the end, found `where`
          --> Cargo.toml:35:75
           |
        35 | more = { call = "g", spec = "fn(x: u8) -> u8", different = "|a, b| a != b where a > b" }
           |                                                                           ^^^^^
           |
           = help: a relation is solved for, so it can't have Rust code after `where`: say it in the spec language

        error: expected an expression, found `requires`
          --> Cargo.toml:36:70
           |
        36 | clause = { call = "g", spec = "fn(x: u8) -> u8", different = "|a, b| requires a != b" }
           |                                                                      ^^^^^^^^
           |
           = help: a relation is a single condition, without `requires`: `|a, b| a != b`

    "#]].assert_eq(&printed.stderr);
}

#[test]
fn strings_cover_the_ways_of_the_programs_that_read_them() {
    let fixture = Fixture::new("different::strings", "strings");
    // All specs are sound: six for each program.
    let checked = fixture.target(&["check"]);
    assert!(checked.code == 0 && checked.stdout.contains("108 specs in order"), "{checked:?}");
    let known = [("book_cover", 6), ("substance_cover", 3), ("time_cover", 2), ("year_cover", 2)];
    let names = known.map(|(name, _)| name);
    let events = fixture.run(&[&["-g", "auto", "--cases", "50", "--exact"], &names[..]].concat());
    for (name, n) in known {
        let set = &events.of(name, "auto")["different"];
        assert_eq!(set, &json!({"asked": 50, "found": n, "maximal": true, "proved": true}), "{name}");
    }
}
