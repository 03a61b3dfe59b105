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
