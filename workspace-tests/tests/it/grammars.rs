//! Types of strings by the rules of a grammar, through the real binary.

use crate::support::{Events, Fixture, Printed};

const SUMS: &str = r#"[package.metadata.target]
depth = 3
boundary = false

[package.metadata.target.types]
Word = '{s: String | s.matches("[ab]{1,2}") && s != "aa"}'

[package.metadata.target.grammars]
Sum = '"1" | "2" | "(" left:Sum "+" right:Sum ")"'
Left = 'Left "+" Num | Num'
Num = '/[0-2]/'
Assign = 'left:Word "=" right:Word'
List = '"[" (item:Num ("," item:Num)*)? "]"'
Xml = '"<" open:/[xy]/ ">" inner:Xml* "</" close:/[xy]/ ">"'
Signed = 'sign:("+" | "-")? digits:Num+'

[package.metadata.target.functions]
sum = "fn(s: &Sum) -> usize"
left = { call = "sum", spec = "fn(s: &Left) -> usize" }
assign = "fn(s: {s: Assign | s.left != s.right}) -> bool"
list = "fn(l: &List) -> {n: usize | n == l.item.len() && l.item.all(|i| i.len() == 1)}"
xml = { call = "list", spec = "fn(x: {x: Xml | x.open == x.close}) -> usize", depth = 2 }
short = { call = "sum", spec = "fn(e: {e: Sum | e.left.is_some_and(|l| l.len() <= 1) && e.len() <= 13}) -> usize" }
signed = "fn(s: {s: Signed | s.sign == Some(\"-\") && s.digits.contains(\"1\") && s.digits.concat() != \"1\"}) -> bool"
"#;

const SUMS_SOURCE: &str = r#"pub fn sum(s: &str) -> usize { s.len() }
pub fn assign(s: String) -> bool {
    let (a, b) = s.split_once('=').unwrap();
    let is_word = |s: &str| !s.is_empty() && s.len() <= 2 && s != "aa" && s.chars().all(|c| "ab".contains(c));
    assert!(a != b && is_word(a) && is_word(b));
    true
}
pub fn list(l: &str) -> usize { l.chars().filter(char::is_ascii_digit).count() }
pub fn signed(s: String) -> bool { assert!(s.starts_with('-') && s.contains('1') && s.len() > 2); true }
"#;

/// The number of inputs that a run of the native engine gave, all of them.
fn exhausted(events: &Events, function: &str, generator: &str) -> u64 {
    let row = events.of(function, generator);
    assert_eq!((&row["verdict"], &row["exhausted"]), (&"passed".into(), &true.into()), "{row:#}");
    row["distinct"].as_u64().unwrap()
}

#[test]
fn derivations_are_counted() {
    let events = Fixture::of("grammars::counts", SUMS, SUMS_SOURCE).run(&["-g", "native,enumerative"]);
    // A derivation is a leaf, or has two smaller ones.
    let sums = |depth: u32, leaves: u64| (0..depth).fold(leaves, |n, _| leaves + n * n);
    // A list has up to three elements more than none, of three digits; or it is without a first one.
    let lists = 1 + (0..=3).map(|n| 3 * 3_u64.pow(n)).sum::<u64>();
    // The innermost element has no other one inside; only at the outermost must the names agree.
    let elements = |names: u64, inner: u64| names * (0..=2).map(|n| inner.pow(n)).sum::<u64>();
    let words = 5;
    for generator in ["native", "enumerative"] {
        let count = |function| exhausted(&events, function, generator);
        assert_eq!(count("sum"), sums(3, 2));
        assert_eq!(count("left"), 3 + 9 + 27 + 81);
        assert_eq!(count("assign"), words * (words - 1));
        assert_eq!(count("list"), lists);
        assert_eq!(count("xml"), elements(2, elements(4, 0)));
    }
    let by_hand = {
        // All texts by depth, and those with one of `1`, `2` on the left and at most 13 bytes.
        let mut texts = vec!["1".to_owned(), "2".to_owned()];
        for _ in 0..3 {
            let pairs = texts.iter().flat_map(|a| texts.iter().map(move |b| format!("({a}+{b})")));
            texts = ["1".to_owned(), "2".to_owned()].into_iter().chain(pairs).collect();
        }
        texts
            .iter()
            .filter(|text| text.starts_with(['(']) && text[1..].starts_with(['1', '2']) && text.len() <= 13)
            .count()
    };
    assert_eq!(exhausted(&events, "short", "native"), by_hand as u64);
    assert!(exhausted(&events, "signed", "native") > 0);
}

#[test]
fn solver_and_baselines_agree_with_the_engine() {
    let events =
        Fixture::of("grammars::solver", SUMS, SUMS_SOURCE).run(&["-g", "native,smt,random", "--depth", "2"]);
    for function in ["sum", "left", "assign", "list", "short", "signed"] {
        assert_eq!(exhausted(&events, function, "native"), exhausted(&events, function, "smt"), "{function}");
        // Few random strings have three conditions at once.
        let is_random = events.of(function, "random")["verdict"] == "passed";
        assert!(is_random || function == "signed", "{function}");
    }
}

const JSON: &str = r#"[package.metadata.target.grammars]
Json = 'Object | Array | Text | Number | "true" | "false" | "null"'
Object = '"{" (Member ("," Member)*)? "}"'
Member = 'key:Text ":" value:Json'
Array = '"[" (Json ("," Json)*)? "]"'
Text = '/"([^"\\]|\\["\\n])*"/'
Number = '/-?(0|[1-9][0-9]*)/'

[package.metadata.target.functions]
depth = "fn(s: &Json) -> {n: usize | n <= s.len()}"
copy = "fn(s: Json) -> {r: Json | r == s}"
lose = "fn(s: Json) -> Json"
tidy = "fn(s: &mut Json, o: Option<Json>, xs: Vec<Json>, b: Box<Json>) -> Option<Json> requires s.len() < 7"
"#;

const JSON_SOURCE: &str = r#"
/// How deeply a text nests. Brackets in strings are no brackets, but a quote may be escaped.
pub fn depth(s: &str) -> usize {
    let (mut depth, mut most, mut in_text) = (0usize, 0usize, false);
    for c in s.chars() {
        match c {
            '"' => in_text = !in_text,
            '[' | '{' if !in_text => { depth += 1; most = most.max(depth); }
            ']' | '}' if !in_text => depth = depth.checked_sub(1).expect("brackets are balanced"),
            _ => {}
        }
    }
    assert!(!in_text, "a text ends");
    most
}
pub fn copy(s: String) -> String { s }
pub fn lose(s: String) -> String { s.replace("[[", "[") }
pub fn tidy(s: &mut String, o: Option<&str>, xs: Vec<String>, b: Box<str>) -> Option<String> {
    if s == "null" { *s = "nul".into(); }
    o.map(str::to_owned).or(xs.into_iter().next()).or(Some(b.into()))
}
"#;

#[test]
fn a_parser_of_json_is_tested() {
    let fixture = Fixture::of("grammars::json", JSON, JSON_SOURCE);
    let events = fixture.run(&["-g", "auto", "--cases", "2000"]);
    // An escaped quote.
    assert_eq!(events.counterexample("depth", "auto"), (vec![r#""\"\\\"\"""#], "panic"));
    assert_eq!(events.verdict("copy", "auto"), "passed");
    // What is no text of the grammar is no result.
    assert_eq!(events.counterexample("lose", "auto").0, [r#"String::from("[[]]")"#]);
    assert_eq!(events.of("lose", "auto")["counterexample"]["result"], r#"String::from("[]]")"#);
    assert_eq!(events.counterexample("tidy", "auto").0[0], r#"&mut String::from("null")"#);
}

#[test]
fn texts_are_read_back() {
    let fixture = Fixture::of("grammars::cases", JSON, JSON_SOURCE);
    let case = |text: &str| {
        let printed = fixture.target(&["run", "--exact", "lose", "--case", &format!("{text:?}")]);
        (printed.code, printed.stdout + &printed.stderr)
    };
    let (code, out) = case(r#"{"a":[1,-20]}"#);
    assert!(code == 0 && out.contains(r#"lose(String::from("{\"a\":[1,-20]}")) returned"#), "{out}");
    for wrong in ["[1", "01", "", r#"{"a":}"#, "\"\u{e9}"] {
        let (code, out) = case(wrong);
        assert!(code != 0 && out.contains("the spec refuses this case"), "{wrong}: {out}");
    }
    let (_, out) = case(&format!("{}{}", "[".repeat(2_000), "]".repeat(2_000)));
    assert!(out.contains("this text is too large for its grammar"), "{out}");
    let (_, out) = case("[[]]");
    assert!(out.contains("1 failed"), "{out}");
}

#[test]
fn examples_and_corpora_are_texts() {
    let tables = JSON.replace(
        "lose = \"fn(s: Json) -> Json\"",
        "lose = { spec = \"fn(s: Json) -> Json\", examples = ['\"[1\"', '\"[1,[[]]]\"'] }",
    );
    // To count the sizes of deeper texts takes a debug build minutes.
    let copy = "copy = \"fn(s: Json) -> {r: Json | r == s}\"";
    let tables = tables.replace(copy, "copy = { spec = \"fn(s: Json) -> {r: Json | r == s}\", depth = 2 }");
    let fixture = Fixture::of("grammars::saved", &tables, JSON_SOURCE);
    let events = fixture.run(&["-g", "auto", "--exact", "lose"]);
    assert_eq!(events.of("lose", "auto")["discarded"], 1);
    let written = fixture.target(&["corpus", "copy", "--all-up-to", "4", "--sample", "5"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    let checked = fixture.target(&["corpus", "copy", "--check"]);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    let lines = fixture.target(&["corpus", "copy", "--format", "jsonl"]);
    assert!(lines.stdout.contains(r#""args":["[]"]"#), "{}", lines.stdout);
}

fn mistakes(test: &str, tables: &str) -> Printed {
    Fixture::of(test, tables, "pub fn f(s: String) {}\npub fn g(s: &String) {}\n").target(&["check"])
}

#[test]
fn mistakes_point_into_the_rules() {
    let printed = mistakes(
        "grammars::mistakes",
        r#"[package.metadata.target.types]
Pos = "{n: i64 | 0 < n}"

[package.metadata.target.grammars]
Sum = '"1" | Smu "+" Sum'
Endless = '"(" Other ")"'
Other = 'Endless | Other "x"'
Number = 'Pos'
Class = '/[a-/ "x"'
Open = '("a" | "b"'
Single = "'a'"
String = '"a"'
"List<T>" = '"a"'

[package.metadata.target.functions]
f = "fn(s: Sums) -> ()"
"#,
    );
    assert_ne!(printed.code, 0);
    let wanted = [
        ("no rule `Smu`", "did you mean `Sum`?"),
        ("the rule `Endless` derives no finite text", "each alternative contains another one"),
        ("the rule `Other` derives no finite text", "each alternative contains another one"),
        ("`Pos` is no alias of strings", "^^^"),
        ("unclosed character class", "^"),
        ("this `(` is never closed", "^"),
        ("`'` has no meaning here", "write texts in double quotes"),
        ("`String` is a type of Rust's or of the logic", "^^^^^^"),
        ("the rule `List` can't have parameters", "the key of a rule is its name"),
        ("no type `Sums`", "did you mean `Sum`?"),
    ];
    for (message, more) in wanted {
        let block = printed.stderr.split("\n\n").find(|block| block.contains(message));
        assert!(block.is_some_and(|block| block.contains(more)), "{message}: {}", printed.stderr);
    }
}

#[test]
fn mistakes_in_specs_with_rules_are_told() {
    let printed = mistakes(
        "grammars::uses",
        r#"[package.metadata.target.grammars]
Sum = '"1" | "(" left:Sum "+" right:Sum ")"'

[package.metadata.target.functions]
f = "fn(s: {s: Sum | s.lef.is_none()}) -> ()"
g = "fn(s: &Sum) -> ()"
"#,
    );
    assert!(
        printed.stderr.contains("no part `lef` in `Sum`") && printed.stderr.contains("did you mean `left`?"),
        "{}",
        printed.stderr
    );
    assert!(printed.stderr.contains("a rule of a grammar can't be a `&String`"), "{}", printed.stderr);
}

#[test]
fn rules_are_inherited_and_included() {
    let manifest = "[workspace]\nmembers = [\"a\"]\nresolver = \"2\"\n\n[workspace.metadata.target.grammars]\nBit = '\"0\" | \"1\"'\n";
    let package = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[package.metadata.target]\ninclude = [\"rules.toml\"]\n\n[package.metadata.target.functions]\nf = \"fn(s: &Bits) -> usize\"\n";
    let files = [
        ("Cargo.toml", manifest),
        ("a/Cargo.toml", package),
        ("a/rules.toml", "[grammars]\nBits = 'Bit+'\n"),
        ("a/src/lib.rs", "pub fn f(s: &str) -> usize { s.len() }\n"),
    ];
    let fixture = Fixture::with_files("grammars::included", &files);
    let printed = fixture.target(&["count", "f", "--depth", "2"]);
    // One to three bits: two more than the least number.
    assert!(printed.stdout.contains(&(2 + 4 + 8).to_string()), "{} {}", printed.stdout, printed.stderr);
}

#[test]
fn strategies_make_texts_and_fuzz_targets_refuse_rules() {
    let fixture = Fixture::of("grammars::derived", JSON, JSON_SOURCE);
    let strategies = fixture.target(&["strategies", "-o", "tests/strategies.rs"]);
    assert_eq!(strategies.code, 0, "{}", strategies.stderr);
    assert!(fixture.read("tests/strategies.rs").contains("Members<String>"));
    let fuzz = fixture.target(&["fuzz", "--init", "copy"]);
    assert!(fuzz.code != 0 && fuzz.stderr.contains("a rule of a grammar"), "{}", fuzz.stderr);
}
