//! Conditions on strings in pieces, and the types of strings that come with the tool, through the real binary.

use crate::support::Fixture;

const PIECES: &str = r##"[package.metadata.target.functions]
month = '''fn(s: {s: String | s.captures(r"(?<m>[0-9]{2})-(?<d>[0-9]{2})").is_some_and(|c| c["m"].parse::<u8>().unwrap() <= 12)})'''
trimmed = "fn(s: {s: &str | s.trim() == s})"
three = "fn(s: {s: &str | s.split('-').count() == 3})"
pair = "fn(s: {s: &str | s.split('-').count() == 2 && s.split('-').all(|p| p.len() == 1)})"
number = "fn(s: {s: &str | s.parse::<u8>().is_ok()})"
label = '''fn(a: u8, b: i8) -> {r: String | r == format!("{a}-{b:03}")}'''
never = "fn(s: {s: &str | s.trim().len() > s.len()})"
fields = "fn(s: &str) -> {r: Vec<String> | r == s.split(',').map(|f| f.trim()).collect::<Vec<_>>()}"
"##;

const PIECES_SOURCE: &str = r#"
pub fn month(s: &str) { assert!(s[..2].parse::<u8>().unwrap() <= 12); }
pub fn trimmed(s: &str) { assert_eq!(s.trim(), s); }
pub fn three(s: &str) { assert_eq!(s.bytes().filter(|b| *b == b'-').count(), 2); }
pub fn pair(s: &str) { assert!(s.len() == 3 && &s[1..2] == "-"); }
pub fn number(s: &str) { s.parse::<u8>().unwrap(); }
pub fn label(a: u8, b: i8) -> String { format!("{a}-{b:03}") }
pub fn never(_: &str) {}
pub fn fields(s: &str) -> Vec<String> { s.split(',').map(|f| f.trim_start().to_owned()).collect() }
"#;

#[test]
fn strings_in_pieces_are_generated_and_judged() {
    let fixture = Fixture::of("texts::pieces", PIECES, PIECES_SOURCE);
    let events = fixture.run(&["-g", "native,enumerative", "--cases", "2000"]);
    for (function, n) in [("month", 1300), ("trimmed", 626), ("three", 166), ("pair", 25), ("label", 45)] {
        for generator in ["native", "enumerative"] {
            let row = events.of(function, generator);
            assert_eq!(
                (&row["verdict"], &row["exhausted"], &row["valid"]),
                (&"passed".into(), &true.into(), &n.into()),
                "{function} by {generator}"
            );
        }
        assert_eq!(events.of(function, "native")["discarded"], 0, "{function}");
    }
    assert_eq!(events.of("number", "native")["verdict"], "passed");
    assert_eq!(events.of("never", "native")["verdict"], "vacuous");
    let (arguments, failure) = events.counterexample("fields", "native");
    assert_eq!((arguments.len(), failure), (1, "result"), "{arguments:?}");
}

/// All types of the library, with checks written by hand.
#[test]
fn members_of_named_types_are_valid_and_come_quickly() {
    let fixture = Fixture::new("texts::named", "named");
    let events = fixture.run(&["-g", "auto", "--cases", "200", "--budget", "60s"]);
    let source = fixture.read("Cargo.toml");
    let functions = source.lines().filter_map(|line| line.split_once(" = \"fn(s: ")).map(|(name, _)| name);
    let functions: Vec<&str> = functions.collect();
    assert_eq!(functions.len(), 22);
    for function in functions {
        let row = events.of(function, "auto");
        assert_eq!(
            (&row["verdict"], &row["valid"], &row["discarded"]),
            (&"passed".into(), &200.into(), &0.into()),
            "{function}"
        );
    }
}

#[test]
fn the_texts_of_named_types_are_printed() {
    let fixture = Fixture::with_files("texts::printed", &[]);
    let printed = fixture.target(&["types", "Hex", "Slug"]);
    assert_eq!(printed.code, 0);
    assert!(
        printed.stdout.contains("Hex = '''{s: String | s.matches(r\"([0-9A-Fa-f]{2})*\")}'''"),
        "{printed:?}"
    );
    assert!(printed.stdout.contains("Slug = ") && !printed.stdout.contains("Email"), "{printed:?}");
    let unknown = fixture.target(&["types", "Emial"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("did you mean `Email`?"), "{unknown:?}");
}
