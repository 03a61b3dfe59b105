//! The first run on a crate of an ordinary kind, by somebody who doesn't know the tool yet.

use crate::support::Fixture;

/// Its functions. Each has a bug.
const BUGGY: [&str; 11] = [
    "parse::pair",
    "parse::percent",
    "dates::is_leap",
    "dates::next",
    "lru::Lru::put",
    "interval::Interval::overlaps",
    "door::Door::enter",
    "merge",
    "shorten",
    "total",
    "change",
];

#[test]
fn one_run_by_default_options_finds_the_bugs_of_all_members() {
    let events = Fixture::new("kiosk::all", "kiosk").run_as_is(&["--workspace"]);
    let passed: Vec<&str> =
        BUGGY.into_iter().filter(|function| events.verdict(function, "auto") != "failed").collect();
    assert!(passed.is_empty(), "no bug found in {passed:?}; {}", events.stderr);
    assert_eq!(events.finished()["functions"], BUGGY.len());
}

#[test]
fn types_of_another_member_have_their_fields() {
    let tables = "[dependencies]\ntill = { path = \"till\" }\n
[package.metadata.target.data]
Cheap = \"struct till::Line { price: {p: u32 | p < 10}, count: {c: u32 | c < 100} }\"\n
[package.metadata.target.functions]
costs = \"fn(l: Cheap, p: till::Pair<u8>) -> {c: u32 | c == l.price * l.count || l.count == till::MOST}\"
most = \"fn(b: Basket) -> {n: u32 | n <= 3} requires b.lines.iter().all(|l| l.count <= 3)\"
";
    let library = "pub struct Basket { lines: Vec<till::Line> }
pub fn costs(l: &till::Line, _p: till::Pair<u8>) -> u32 { l.cost() }
pub fn most(b: &Basket) -> u32 { b.lines.iter().map(till::Line::count).max().unwrap_or(0) }
";
    let till = "mod line { pub struct Line { price: u32, count: u32 }
    impl Line { pub fn cost(&self) -> u32 { if self.count == 7 { 1 } else { self.price * self.count } } pub fn count(&self) -> u32 { self.count } } }
pub use line::Line;
pub struct Pair<T>(T, pub T);
pub const MOST: u32 = 7;
pub fn both<T: PartialEq>(p: &Pair<T>) -> bool { p.0 == p.1 }
";
    let fixture = Fixture::of("kiosk::member", tables, library);
    fixture.write("till/Cargo.toml", "[package]\nname = \"till\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    fixture.write("till/src/lib.rs", till);
    let manifest = fixture.read("Cargo.toml").replace("[workspace]", "[workspace]\nmembers = [\"till\"]");
    fixture.write("Cargo.toml", &manifest);
    let events = fixture.run_as_is(&["--depth", "2", "--bound", "2"]);
    assert_eq!(events.code, 0, "{events:#?}");
    for function in ["costs", "most"] {
        assert_eq!(events.of(function, "auto")["exhausted"], true);
    }
}

#[test]
fn functions_of_other_crates_are_called_by_their_path() {
    let tables = "[package.metadata.target.functions]
greater = { call = \"std::cmp::max\", spec = \"fn(a: u8, b: u8) -> {r: u8 | a <= r && b <= r}\" }
doubled = { call = \"twice::of\", spec = \"fn(n: u8) -> {r: u8 | r == 2 * n} requires n < 128\" }
parsed = { call = \"twice::parse\", spec = \"fn(s: &str) -> Result<twice::Word, twice::Error>\" }

[dependencies]
twice = { path = \"twice\" }
";
    let fixture = Fixture::of("kiosk::elsewhere", tables, "");
    fixture
        .write("twice/Cargo.toml", "[package]\nname = \"twice\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let twice = "pub struct Word(String); #[derive(Debug)] pub struct Error;
pub fn of(n: u8) -> u8 { if n == 3 { 7 } else { 2 * n } }
pub fn parse(s: &str) -> Result<Word, Error> { if s.is_empty() { Err(Error) } else { Ok(Word(s.into())) } }
";
    fixture.write("twice/src/lib.rs", twice);
    let events = fixture.run_as_is(&["--bound", "3"]);
    assert_eq!(events.verdict("greater", "auto"), "passed", "{events:#?}");
    assert_eq!(events.counterexample("doubled", "auto"), (vec!["3"], "result"));
    assert_eq!(events.verdict("parsed", "auto"), "passed", "{events:#?}");
}

#[test]
fn errors_that_only_rustc_knows_have_their_text() {
    let tables = "[package.metadata.target.functions]
number = \"fn(s: &str) -> {r: Result<u8, std::num::ParseIntError> | r.is_err() ==> r.unwrap_err().to_string().contains(\\\"digit\\\")}\"
boxed = \"fn(n: u8) -> {r: Result<u8, Box<dyn std::error::Error>> | match r { Ok(x) => x == n, Err(e) => e.to_string() == format!(\\\"{} is odd\\\", n) }}\"
own = \"fn(n: u8) -> Result<u8, Refused> ensures result.is_ok() || format!(\\\"{}!\\\", result.err().unwrap()) == \\\"no!\\\"\"
silent = \"fn(n: u8) -> {r: Result<u8, Silent> | r.is_ok() || r.unwrap_err().to_string().is_empty()}\"
";
    let library = "use std::fmt;
pub fn number(s: &str) -> Result<u8, std::num::ParseIntError> { s.parse() }
pub fn boxed(n: u8) -> Result<u8, Box<dyn std::error::Error>> { if n % 2 == 0 { Ok(n) } else { Err(format!(\"{n} is odd\").into()) } }
pub struct Refused { reason: &'static str }
impl fmt::Display for Refused { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.write_str(self.reason) } }
pub fn own(n: u8) -> Result<u8, Refused> { if n < 2 { Ok(n) } else { Err(Refused { reason: \"no\" }) } }
pub struct Silent { _code: Box<dyn Fn()> }
pub fn silent(n: u8) -> Result<u8, Silent> { Ok(n) }
";
    let fixture = Fixture::of("kiosk::texts", tables, library);
    let events = fixture.run_as_is(&["-g", "auto", "--bound", "3"]);
    assert_eq!(events.verdict("boxed", "auto"), "passed", "{events:#?}");
    assert_eq!(events.verdict("own", "auto"), "passed", "{events:#?}");
    // The text of an empty string's error names no digit.
    let found = &events.of("number", "auto")["counterexample"];
    assert_eq!(found["args"], serde_json::json!(["\"\""]), "{found}");
    assert_eq!(found["result"], "Err(_ /* cannot parse integer from empty string */)");
    // A type without a text costs its own function alone, and rustc says why.
    let checked = fixture.target(&["check", "--build"]);
    assert!(
        checked.stderr.contains("the trait `std::fmt::Display` is not implemented for `Silent`"),
        "{checked:?}"
    );
}

#[test]
fn errors_of_the_crate_have_their_text_where_the_spec_reads_nothing_else() {
    let tables = "[package.metadata.target.functions]
text = \"fn(n: u8) -> {r: Result<u8, Odd> | r.is_err() ==> r.unwrap_err().to_string() == \\\"large\\\"}\"
whole = \"fn(n: u8) -> {r: Odd | r.to_string() == \\\"large\\\"}\"
ensured = \"fn(o: Odd) -> Result<u8, Odd> requires o == Odd::Large ensures format!(\\\"{}!\\\", result.unwrap_err()) == \\\"large!\\\"\"
variants = \"fn(n: u8) -> {r: Result<u8, Odd> | r.is_err() ==> r.unwrap_err() == Odd::Large}\"
both = \"fn(n: u8) -> {r: Odd | r == Odd::Large && r.to_string() == \\\"large\\\"}\"
input = \"fn(o: Odd) -> bool requires o.to_string() == \\\"large\\\"\"
";
    let library = "use std::fmt;
#[derive(Debug, PartialEq)] pub enum Odd { Large, Other(u8) }
impl fmt::Display for Odd { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.write_str(if *self == Odd::Large { \"large\" } else { \"other\" }) } }
pub fn text(n: u8) -> Result<u8, Odd> { if n == 2 { Err(Odd::Other(n)) } else if n > 2 { Err(Odd::Large) } else { Ok(n) } }
pub fn whole(_: u8) -> Odd { Odd::Large }
pub fn ensured(o: Odd) -> Result<u8, Odd> { Err(o) }
pub fn variants(n: u8) -> Result<u8, Odd> { text(n) }
pub fn both(_: u8) -> Odd { Odd::Large }
pub fn input(_: Odd) -> bool { true }
";
    let fixture = Fixture::of("kiosk::own_texts", tables, library);
    let checked = fixture.target(&["check"]);
    let message = "the text of `Odd` can't be read, because the spec reads its variants or fields";
    assert_eq!(checked.stderr.matches(message).count(), 2, "{checked:?}");
    let events = fixture.run_as_is(&["-g", "auto", "--bound", "3", "text", "whole", "ensured", "variants"]);
    let found = &events.of("text", "auto")["counterexample"];
    assert_eq!((&found["args"][0], &found["result"]), (&"2".into(), &"Err(_ /* other */)".into()));
    assert_eq!(events.of("variants", "auto")["counterexample"]["result"], "Err(sample::Odd::Other(2))");
    for function in ["whole", "ensured"] {
        assert_eq!(events.verdict(function, "auto"), "passed", "{events:#?}");
    }
}

#[test]
fn errors_that_the_tool_cannot_look_into_are_shown_by_their_debug() {
    let tables = "[package.metadata.target.functions]
number = \"fn(s: &str) -> {r: Result<u8, std::num::ParseIntError> | r.is_ok()}\"
own = \"fn(n: u8) -> {r: Result<u8, Refused> | r.is_ok()}\"
silent = \"fn(n: u8) -> {r: Result<u8, Silent> | r.is_ok()}\"
";
    let library = "pub fn number(s: &str) -> Result<u8, std::num::ParseIntError> { s.parse() }
#[derive(Debug)]
pub struct Refused { reason: &'static str }
pub fn own(n: u8) -> Result<u8, Refused> { if n < 1 { Ok(n) } else { Err(Refused { reason: \"no\" }) } }
impl Refused { pub fn text(&self) -> &str { self.reason } }
pub struct Silent { _code: Box<dyn Fn()> }
pub fn silent(n: u8) -> Result<u8, Silent> { if n < 1 { Ok(n) } else { Err(Silent { _code: Box::new(|| ()) }) } }
";
    let fixture = Fixture::of("kiosk::debug", tables, library);
    let events = fixture.run_as_is(&["-g", "auto", "--bound", "3"]);
    let result = |function: &str| events.of(function, "auto")["counterexample"]["result"].clone();
    assert_eq!(result("number"), "Err(ParseIntError { kind: Empty })");
    assert_eq!(result("own"), "Err(Refused { reason: \"no\" })");
    assert_eq!(result("silent"), "Err(_)");
    let again = fixture.target(&["run", "--exact", "number", "--case", "(\"x\",)"]);
    assert!(again.stdout.contains("Err(ParseIntError { kind: InvalidDigit })"), "{again:?}");
}

#[test]
fn crates_that_only_tests_use_are_not_the_crate_s() {
    let tables = "[dev-dependencies]\ntill = { path = \"till\" }\n
[package.metadata.target.functions]
f = \"fn(l: Line) -> bool\"
";
    let fixture = Fixture::of("kiosk::tests", tables, "pub fn f(_: u8) -> bool { true }");
    fixture.write("till/Cargo.toml", "[package]\nname = \"till\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    fixture.write("till/src/lib.rs", "pub struct Line;");
    let manifest = fixture.read("Cargo.toml").replace("[workspace]", "[workspace]\nmembers = [\"till\"]");
    fixture.write("Cargo.toml", &manifest);
    let checked = fixture.target(&["check"]);
    assert!(checked.stderr.contains("no type `Line`"), "{checked:?}");
}

#[test]
fn code_names_private_items_of_another_member() {
    let tables = "[dependencies]\ntill = { path = \"till\" }\n
[package.metadata.target.functions]
constant = \"fn(n: {n: u8 | where *n < till::LIMIT}) -> {r: u8 | r < 8}\"
function = \"fn(n: {n: u8 | where till::is_small(*n)}) -> {r: u8 | r < 8}\"
module = { spec = \"fn(n: {n: u8 | where till::inner::half(*n) < till::inner::DEEP}) -> u8\", call = \"|n| till::inner::half(n)\" }
";
    let library = "pub fn constant(n: u8) -> u8 { n }\npub fn function(n: u8) -> u8 { n }";
    let fixture = Fixture::of("kiosk::private", tables, library);
    fixture.write("till/Cargo.toml", "[package]\nname = \"till\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let till = "const LIMIT: u8 = 9;\nfn is_small(n: u8) -> bool { n < LIMIT }
mod inner { pub fn half(n: u8) -> u8 { n / 2 } pub(crate) const DEEP: u8 = 5; }
pub fn all() -> u8 { inner::half(inner::DEEP) + u8::from(is_small(3)) }
";
    fixture.write("till/src/lib.rs", till);
    let manifest = fixture.read("Cargo.toml").replace("[workspace]", "[workspace]\nmembers = [\"till\"]");
    fixture.write("Cargo.toml", &manifest);
    let events = fixture.run_as_is(&["-g", "auto"]);
    for function in ["constant", "function"] {
        assert_eq!(events.counterexample(function, "auto"), (vec!["8"], "result"), "{events:#?}");
    }
    assert_eq!(events.of("module", "auto")["valid"], 10, "{events:#?}");
    let test = events.of("constant", "auto")["counterexample"]["test"].as_str().unwrap();
    assert!(test.contains("it names private items of `till`"), "{test}");
    assert_eq!(fixture.read("till/src/lib.rs"), till);
}

#[test]
fn tables_of_another_member_have_its_name_in_front() {
    let tables = "[dependencies]\ntill = { path = \"till\" }\n
[package.metadata.target.functions]
costs = \"fn(l: till::Cheap) -> {c: u32 | c == till::worth(l.price, l.count)}\"
later = \"fn(d: till::Date) -> {r: till::Date | r.y == d.y + 1 && r.m == d.m} requires d.y < 100\"
few = \"fn(n: till::Small) -> {r: u32 | r < 9}\"
";
    let library = "pub fn costs(l: &till::Line) -> u32 { assert!(l.price < 10 && l.count <= 7 && l.cost() < 50); l.cost() }
pub fn later(d: till::Date) -> till::Date { till::Date::new(d.y() + 1, till::month(&d)) }
pub fn few(n: u32) -> u32 { n }
";
    let till = "pub struct Line { pub price: u32, pub count: u32 }
impl Line { pub fn cost(&self) -> u32 { self.price * self.count } }
pub const MOST: u32 = 7;
mod date { pub struct Date(i32, u8); impl Date { pub fn new(y: i32, m: u8) -> Date { assert!(1 <= m && m <= 12); Date(y, m) }
    pub fn y(&self) -> i32 { self.0 } pub fn m(&self) -> u8 { self.1 } } }
pub use date::Date;
pub fn month(d: &Date) -> u8 { d.m() }
";
    let fixture = Fixture::of("kiosk::tables", tables, library);
    let of_till = r#"[package]
name = "till"
version = "0.1.0"
edition = "2021"
[package.metadata.target.types]
Small = "{n: u32 | n < 10}"
[package.metadata.target.data]
Cheap = "struct Line { price: Small, count: {c: u32 | c <= MOST && worth(price, c) < 50} }"
Date = "via Date::new(y: i32 = self.y(), m: {m: u8 | 1 <= m && m <= 12} = month(&self))"
[package.metadata.target.measures]
"worth(p: int, c: int) -> int" = "p * c"
"#;
    fixture.write("till/Cargo.toml", of_till);
    fixture.write("till/src/lib.rs", till);
    let manifest = fixture.read("Cargo.toml").replace("[workspace]", "[workspace]\nmembers = [\"till\"]");
    fixture.write("Cargo.toml", &manifest);
    let events = fixture.run_as_is(&["-g", "auto", "--depth", "2", "--bound", "2"]);
    for function in ["costs", "later"] {
        assert_eq!(events.verdict(function, "auto"), "passed", "{events:#?}");
    }
    assert_eq!(events.counterexample("few", "auto"), (vec!["9"], "result"));
}
