//! What a mistake gets: a diagnostic at its place, and nothing built or run.

use crate::support::Fixture;
use expect_test::expect;

const LIBRARY: &str = "
pub fn clamp(x: i64, lo: i64, hi: i64) -> i64 { x.max(lo).min(hi) }
pub mod tree { pub fn insert(x: i64) -> i64 { x } fn hidden(x: i64) -> i64 { x } }
pub struct Closed { x: i64 }
pub fn open(c: Closed) -> i64 { c.x }
";

#[test]
fn ten_mistakes_give_ten_diagnostics_each_at_its_place() {
    let tables = r#"[package.metadata.target]
dept = 3
budget = "soon"

[package.metadata.target.types]
Pos = "{v: i64 | 0 < w}"
Small = "{v: i64 | v < 10 | v > 3}"

[package.metadata.target.functions]
"tre::insert" = "fn(x: i64) -> i64"
clamp = "fn(x: i64, lo: i64, hi: {v: i64 | lo <= v}) -> {v: i64 | lo <= v <= hi}"
"tree::hidden" = "fn(x: i64) -> u8"
"tree::insert" = "fn(x: u32) -> i64"
open = "fn(c: {c: Closed | c.y == 0}) -> i64"
a = { call = "|x: i64| x", spec = "fn(x: {v: i64 | v.lenn() == 0}) -> i64" }
b = { call = "|x: i64| x", spec = "fn(x: Poss) -> i64" }
"#;
    let fixture = Fixture::of("mistakes::ten", tables, LIBRARY);
    let events = fixture.run(&[]);
    assert_eq!(events.code, 2);
    let shown: Vec<String> = events
        .with_reason("diagnostic")
        .into_iter()
        .map(|event| {
            let word = |key: &str| event[key].as_str().unwrap_or("-").to_owned();
            let number = |key: &str| event[key].as_u64().unwrap();
            format!("{}:{} {} [{}]", number("line"), number("column"), word("message"), word("help"))
        })
        .collect();
    expect![[r#"
        9:1 unknown key `dept` [did you mean `depth`?]
        10:11 `soon` is not a duration [expected a number and a unit (`ms`, `s`, `min`, `h`), such as `10s` or `500 ms`]
        13:22 no value `w` in scope [in scope: `v`]
        14:31 comparisons can't be chained [write `v < 10 | v && 10 | v > 3`]
        17:2 no function `tre::insert` [did you mean `tree::insert`?]
        18:75 comparisons can't be chained [write `lo <= v && v <= hi`]
        19:33 the function returns `i64`, the spec says `u8` [-]
        20:25 the function takes `i64`, the spec says `u32` [-]
        21:30 no field `y` in `sample::Closed` [it has `x`]
        22:54 no method `lenn` on `i64` in the logic [any method can be called after `where`, as a filter]
        23:42 no type `Poss` [a type of the standard library or of another crate goes by its path, such as `std::string::FromUtf8Error`]"#]].assert_eq(&shown.join("\n"));
    assert!(events.with_reason("function-finished").is_empty());
    let check = fixture.target(&["check", "--color", "never"]);
    assert_eq!((check.code, check.stdout.as_str()), (2, ""));
    assert!(check.stderr.contains("did you mean `tree::insert`?"), "{}", check.stderr);
}

#[test]
fn what_comes_later_is_said_to_be_not_supported_yet() {
    let tables = r#"[package.metadata.target.functions]
a = { call = "|x: Vec<u8>| x", spec = "fn(x: {v: Vec<u8> | v.sort() == v}) -> Vec<u8>" }
b = { call = "|x: String| x.len()", spec = "fn(x: {s: String | s.rmatches('a').count() == 1}) -> usize" }
c = { call = "|x: f64| x", spec = "fn(x: {v: f64 | v.sqrt() < 2.0}) -> f64" }
d = { call = "|x: String| x.len()", spec = "fn(x: {s: String | s.parse::<f64>().is_ok()}) -> usize" }
e = { call = "|x: Vec<u8>| x.len()", spec = "fn(x: {s: Vec<u8> | elems(s).range(1) == s}) -> usize" }
"#;
    let events = Fixture::of("mistakes::later", tables, LIBRARY).run(&[]);
    assert_eq!(events.code, 2);
    let diagnostics = events.with_reason("diagnostic");
    let lines: std::collections::BTreeSet<u64> =
        diagnostics.iter().map(|diagnostic| diagnostic["line"].as_u64().unwrap()).collect();
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), [9, 10, 11, 12, 13], "{diagnostics:#?}");
    for diagnostic in diagnostics {
        assert!(diagnostic["message"].as_str().unwrap().contains("not supported yet"), "{diagnostic:#}");
    }
}

#[test]
fn a_mistake_in_a_regular_expression_is_shown_inside_of_it() {
    let tables = r#"[package.metadata.target.functions]
a = { call = "|x: String| x.len()", spec = "fn(x: {s: String | s.matches(\"\\\\d\u00e9(\")}) -> usize" }
b = { call = "|x: String| x.len()", spec = 'fn(x: {s: String | s.matches(r"\d\q")}) -> usize' }
c = { call = "|x: String| x.len()", spec = 'fn(x: {s: String | s.matches("x{1000}{1000}")}) -> usize' }
d = { call = "|x: String| x.len()", spec = 'fn(x: {s: String | s.matches(s)}) -> usize' }
e = { call = "|x: String| x.len()", spec = 'fn(x: {s: String | s.matches(r"a\bc")}) -> usize' }
"#;
    let fixture = Fixture::of("mistakes::regex", tables, LIBRARY);
    let check = fixture.target(&["check", "--color", "never"]);
    assert_eq!((check.code, check.stdout.as_str()), (2, ""));
    expect![[r#"
        error: this is no regular expression: unclosed group
         --> Cargo.toml:9:87
          |
        9 | a = { call = "|x: String| x.len()", spec = "fn(x: {s: String | s.matches(\"\\\\d\u00e9(\")}) -> usize" }
          |                                                                                       ^

        error: this is no regular expression: unrecognized escape sequence
          --> Cargo.toml:10:78
           |
        10 | b = { call = "|x: String| x.len()", spec = 'fn(x: {s: String | s.matches(r"\d\q")}) -> usize' }
           |                                                                              ^^

        error: this regular expression is too big
          --> Cargo.toml:11:74
           |
        11 | c = { call = "|x: String| x.len()", spec = 'fn(x: {s: String | s.matches("x{1000}{1000}")}) -> usize' }
           |                                                                          ^^^^^^^^^^^^^^^
           |
           = help: its automaton would have more than 10000 states, or take too long to build

        error: `matches` takes a regular expression, as a string literal
          --> Cargo.toml:12:74
           |
        12 | d = { call = "|x: String| x.len()", spec = 'fn(x: {s: String | s.matches(s)}) -> usize' }
           |                                                                          ^
           |
           = help: write it out, in double quotes; `contains` looks for other strings

        error: word boundaries and the anchors of lines are not supported in `matches`
          --> Cargo.toml:13:77
           |
        13 | e = { call = "|x: String| x.len()", spec = 'fn(x: {s: String | s.matches(r"a\bc")}) -> usize' }
           |                                                                             ^^
           |
           = help: the whole string has to match, without `^` and `$`

    "#]].assert_eq(&check.stderr);
}

#[test]
fn a_spec_that_no_input_satisfies_names_what_contradicts() {
    let tables = r#"[package.metadata.target.functions]
a = { call = "|x: i64, y: i64| x + y", spec = "fn(x: {v: i64 | 0 < v}, y: i64) -> i64 requires y < 9 && x < y && y < 1" }
b = { call = "|x: i64| x", spec = "fn(x: {v: i64 | v % 100 == 99}) -> i64", boundary = false }
c = { call = "|x: Vec<u8>| x.len()", spec = "fn(x: {v: Vec<u8> | v.iter().all(|n| n % 2 == 0) && v.contains(7)}) -> usize" }
d = { call = "|x: String| x.len()", spec = 'fn(x: {s: String | s.matches("[a-z]+") && s.matches("[0-9]+")}) -> usize' }
"#;
    let events = Fixture::of("mistakes::vacuous", tables, LIBRARY).run(&[]);
    assert_eq!(events.code, 2);
    let clauses = |function: &str| -> Vec<String> {
        let problem = &events.of(function, "smt")["problem"];
        let texts = problem["clauses"].as_array().unwrap_or_else(|| panic!("{problem:#}"));
        texts.iter().map(|clause| clause["text"].as_str().unwrap().to_owned()).collect()
    };
    for function in ["a", "b", "c", "d"] {
        assert_eq!(events.verdict(function, "smt"), "vacuous");
    }
    assert_eq!(clauses("a"), ["0 < v", "x < y", "y < 1"]);
    assert!(events.of("a", "smt")["problem"]["message"].as_str().unwrap().contains("whatever the bounds"));
    let help = events.of("b", "smt")["problem"]["help"].as_str().unwrap();
    assert!(help.contains("x = 99") || help.contains("x = -1"), "{help}");
    assert_eq!(clauses("c").len(), 2);
    assert_eq!(clauses("d").len(), 2);
    assert_eq!(events.finished()["vacuous"], 4);
}

#[test]
fn valid_inputs_beyond_the_bound_are_no_vacuity() {
    let tables = r#"[package.metadata.target.functions]
odd = { call = "|x: f64| x", spec = "fn(x: f64) -> f64 requires x.is_nan() || x.is_infinite()" }
worse = { call = "|x: f64| x", spec = "fn(x: f64) -> {r: f64 | !r.is_nan()} requires x.is_nan() || x.is_infinite()" }
told = { call = "|x: i64| x", spec = "fn(x: i64) -> i64 requires x % 77 == 33", examples = ["(110,)"], boundary = false }
"#;
    let fixture = Fixture::of("mistakes::beyond", tables, LIBRARY);
    let generator = "auto";
    let events = fixture.run_as_is(&["-g", generator]);
    assert_eq!(events.code, 1);
    let verdicts = ["odd", "worse", "told"].map(|function| events.verdict(function, generator));
    assert_eq!(verdicts, ["passed", "failed", "passed"]);
    for (function, inputs) in [("odd", "the 3 valid inputs are"), ("told", "the 1 valid input is")] {
        let said = events.of(function, generator)["problem"]["message"].as_str().unwrap();
        let wanted = format!("no input within depth and bound satisfies the spec: {inputs} beyond them");
        assert_eq!(said, wanted, "{function}");
    }
    let (passed, vacuous) = (&events.finished()["passed"], &events.finished()["vacuous"]);
    assert_eq!((passed, vacuous), (&2.into(), &0.into()));
    let printed = fixture.target(&["run", "odd", "--color", "never"]);
    assert!(printed.stdout.contains("  help: raise `depth` or `bound`"), "{}", printed.stdout);
}

#[test]
fn of_floats_and_texts_no_more_is_said_than_was_looked_at() {
    let tables = r#"[package.metadata.target.functions]
f = { call = "|x: f64| x", spec = "fn(x: {x: f64 | x + 0.1 == 0.3}) -> f64" }
"#;
    let fixture = Fixture::of("mistakes::sampled", tables, LIBRARY);
    let events = fixture.run(&["-g", "smt"]);
    let message = events.of("f", "smt")["problem"]["message"].as_str().unwrap().to_owned();
    assert!(!message.contains("whatever the bounds"), "{message}");
    assert_eq!(fixture.run(&["--exact", "f", "--case", "(0.19999999999999998,)"]).code, 0);
}

#[test]
fn a_where_that_panics_is_the_specs_mistake() {
    let tables = "[package.metadata.target.functions]\n\
        clamp = \"fn(x: i64, lo: {v: i64 | where 10 / *v > 0}, hi: i64) -> i64\"\n";
    let events = Fixture::of("mistakes::where", tables, LIBRARY).run(&[]);
    assert_eq!(events.code, 2);
    let outcome = events.of("clamp", "smt");
    assert_eq!(outcome["verdict"], "error");
    assert!(outcome["problem"]["message"].as_str().unwrap().contains("divide by zero"), "{outcome:#}");
}

#[test]
fn a_crate_that_does_not_build_shows_rustcs_words() {
    let tables = "[package.metadata.target.functions]\nf = \"fn(x: i64) -> i64\"\n";
    let printed = Fixture::of("mistakes::build", tables, "pub fn f(x: i64) -> i64 { y }").target(&["run"]);
    assert_eq!(printed.code, 3, "{printed:?}");
    assert!(printed.stderr.contains("cannot find value `y`"), "{}", printed.stderr);
}

#[test]
fn hostile_manifests_get_diagnostics_not_panics() {
    let deep = format!("fn(x: {{v: i64 | {}v{} == 0}}) -> i64", "(".repeat(100_000), ")".repeat(100_000));
    let long = format!("fn(x: {{v: i64 | {}0 == v}}) -> i64", "1 + ".repeat(50_000));
    let types = format!("fn(x: {}u8{}) -> i64", "Vec<".repeat(5_000), ">".repeat(5_000));
    for (name, spec) in [("deep", &deep), ("long", &long), ("types", &types)] {
        let tables =
            format!("[package.metadata.target.functions]\nf = {{ call = '|x: i64| x', spec = '{spec}' }}\n");
        let printed = Fixture::of(&format!("mistakes::{name}"), &tables, LIBRARY).target(&["check"]);
        assert_eq!(printed.code, 2, "{name}: {}", &printed.stderr[..printed.stderr.len().min(2000)]);
    }
}

#[test]
fn usage_mistakes_exit_with_2() {
    let fixture = Fixture::new("mistakes::usage", "scores");
    for words in [
        &["run", "nothing-like-it"][..],
        &["run", "-p", "other"],
        &["explain", "rescal"],
        &["run", "--depth", "x"],
    ] {
        let printed = fixture.target(words);
        assert_eq!(printed.code, 2, "{words:?}: {printed:?}");
    }
    let bare = Fixture::of("mistakes::bare", "", LIBRARY).target(&["compare-generators"]);
    assert_eq!(bare.code, 2);
    assert!(bare.stderr.contains("cargo target init"), "{}", bare.stderr);
}

#[test]
fn a_mistake_in_another_spec_stops_no_command_that_names_a_function() {
    let tables = "[package.metadata.target.functions]\nf = \"fn(x: u8) -> u8\"\ng = \"fn(x: u9) -> u8\"\n";
    let library = "pub fn f(x: u8) -> u8 { x }\npub fn g(x: u8) -> u8 { x }";
    let fixture = Fixture::of("mistakes::others", tables, library);
    for words in [
        &["count", "f"][..],
        &["sample", "f"],
        &["explain", "f"],
        &["list", "f"],
        &["check", "f"],
        &["tests", "f"],
        &["corpus", "f"],
        &["strategies", "f", "-o", "strategies.rs"],
    ] {
        let printed = fixture.target(words);
        assert_eq!(printed.code, 0, "{words:?}: {printed:?}");
        assert!(printed.stderr.contains("note: another spec has a mistake"), "{words:?}: {printed:?}");
        let all = fixture.target(&[&words[..1], &["g"], &words[2..]].concat());
        assert!(all.code == 2 && all.stderr.contains("no type `u9`"), "{words:?}: {all:?}");
    }
}

#[test]
fn a_package_without_a_library_is_told_to_who_names_a_function() {
    for (kind, help) in
        [("crate-type = [\"cdylib\"]", "add \"lib\""), ("proc-macro = true", "a library that it depends on")]
    {
        let tables = format!(
            "[lib]\n{kind}\n\n[package.metadata.target.functions]\none = {{ spec = \"fn(x: u8)\", depth = \"deep\" }}\ntwo = \"fn(x: u8)\"\n"
        );
        let fixture = Fixture::of("mistakes::without_library", &tables, "fn one(_: u8) {} fn two(_: u8) {}");
        let printed = fixture.target(&["run", "--exact", "two"]);
        assert_eq!(printed.code, 2, "{printed:?}");
        assert!(printed.stderr.contains("so it can't have specs"), "{printed:?}");
        assert!(printed.stderr.contains(help), "{printed:?}");
        // The mistake of the entry that is left out.
        assert!(!printed.stderr.contains("`depth`"), "{printed:?}");
        let all = fixture.target(&["run"]);
        assert!(all.stderr.contains("`depth`"), "{all:?}");
    }
}

#[test]
fn a_where_that_rejects_each_input_is_named_with_their_number() {
    let tables = "[package.metadata.target.functions]
small = \"fn(x: {x: u8 | x < 9 where *x > 20}) -> u8 requires x > 1\"
large = \"fn(xs: Vec<u8>) -> u8 requires where xs.len() == 1 << 20\"
again = { call = \"small\", spec = \"fn(x: {x: u8 | x < 5 where *x > 20}) -> u8\", examples = [\"200\"] }
";
    let library = "pub fn small(x: u8) -> u8 { x } pub fn large(_: Vec<u8>) -> u8 { 0 }";
    let fixture = Fixture::of("mistakes::rejecting", tables, library);
    let printed = fixture.target(&["run", "-g", "auto", "--cases", "300", "--color", "never"]);
    assert_eq!(printed.code, 2, "{printed:?}");
    assert!(
        printed.stdout.contains("the `where` condition rejects all 7 inputs that the other conditions admit\n    where *x > 20  Cargo.toml:9:37"),
        "{}",
        printed.stdout
    );
    assert_eq!(
        printed.stdout.matches("inputs that the other conditions admit").count(),
        3,
        "{}",
        printed.stdout
    );
    // The other condition rejects the example.
    assert!(printed.stdout.contains("all 5 inputs that the other conditions admit"), "{}", printed.stdout);
    let why =
        |case: &str| fixture.target(&["run", "--exact", "small", "--case", case, "--color", "never"]).stdout;
    let (other, code) = (why("(200,)"), why("(7,)"));
    assert!(other.contains("the spec refuses this case") && other.contains("x < 9"), "{other}");
    assert!(!other.contains("`where` condition"), "{other}");
    assert!(
        code.contains("the `where` condition rejects this case") && code.contains("where *x > 20"),
        "{code}"
    );
}

#[test]
fn what_stands_in_the_wrong_table_is_sent_to_the_right_one() {
    let tables = "[package.metadata.target.types]
Color = \"enum Color { Red }\"\nHeap = \"via Heap::new(n: u8)\"
Priced = \"trait Pricing { fn price(&self) -> u8; }\"\nSum = '\"1\" | \"2\"'\nvia = \"u8\"\nOther = \"via\"
[package.metadata.target.data]\nPos = \"{v: u8 | v > 0}\"
";
    let checked = Fixture::of("mistakes::tables", tables, LIBRARY).target(&["check"]);
    let helps: Vec<&str> =
        checked.stderr.lines().filter_map(|line| line.split_once("= help: ")).map(|(_, help)| help).collect();
    assert_eq!(
        helps,
        [
            "the fields of a struct or an enum are described in the table `[package.metadata.target.data]`",
            "how values of a type are made is said in the table `[package.metadata.target.data]`",
            "the methods of a trait are described in the table `[package.metadata.target.traits]`",
            "the rules of a grammar are written in the table `[package.metadata.target.grammars]`",
            "a refined type is named in the table `[package.metadata.target.types]`",
        ],
        "{}",
        checked.stderr
    );
}
