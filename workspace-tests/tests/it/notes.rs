//! What a pass doesn't show is noted: the same result always, conditions that were never true, few values, short lists.

use serde_json::{Value, json};

use crate::support::{Events, Fixture};

/// The notes on a function.
fn notes(events: &Events, function: &str) -> Value {
    events.of(function, "auto")["notes"].clone()
}

fn clause(text: &str, location: &str) -> Value {
    json!({ "text": text, "location": location })
}

#[test]
fn a_pass_says_what_its_inputs_did_not_show() {
    let fixture = Fixture::new("notes::pass", "notes");
    let events = fixture.run(&["-g", "auto", "--bound", "30"]);
    assert_eq!(events.code, 0);
    assert_eq!(notes(&events, "half"), json!([{ "kind": "same-result", "variant": "None" }]));
    let clamp = clause("(100 < x ==> r == 100)", "Cargo.toml:20:46");
    let clamp = json!([{ "kind": "one-sided", "condition": "100 < x", "never": true, "clause": clamp }]);
    assert_eq!(notes(&events, "clamp"), clamp);
    let larger = clause("if x == 0 { r == 0 } else { r <= x }", "Cargo.toml:22:48");
    let larger = json!([{ "kind": "one-sided", "condition": "x == 0", "never": true, "clause": larger }]);
    assert_eq!(notes(&events, "larger"), larger);
    let first = notes(&events, "first");
    assert_eq!(first[0], json!({ "kind": "same-result", "variant": "Some(_)" }));
    assert_eq!((&first[1]["condition"], &first[1]["never"]), (&json!("result.is_some()"), &json!(false)));
    assert_eq!(first[2], json!({ "kind": "short-only", "part": "xs", "longest": 5, "unit": "elements" }));
    let month = json!({ "kind": "few-values", "part": "month", "tried": 31, "allowed": 256, "exact": true });
    assert_eq!(notes(&events, "is_leap_day"), json!([month]));
    // Nothing is known of four inputs. Where all is shown, or the spec leaves no choice, there is nothing to note.
    assert_eq!((notes(&events, "sign"), notes(&events, "always")), (Value::Null, json!([])));
}

#[test]
fn notes_are_the_same_with_any_number_of_processes() {
    let fixture = Fixture::new("notes::jobs", "notes");
    for cases in ["25", "100", "3000"] {
        let run = |jobs| {
            let events = fixture.run(&["-g", "auto", "--cases", cases, "-j", jobs]);
            ["half", "clamp", "first", "is_leap_day", "always"].map(|function| notes(&events, function))
        };
        assert_eq!(run("1"), run("4"), "{cases} cases");
    }
}

#[test]
fn larger_inputs_leave_less_to_note() {
    let fixture = Fixture::new("notes::larger", "notes");
    fixture.write("Cargo.toml", &fixture.read("Cargo.toml").replace("boundary = false", "boundary = true"));
    let events = fixture.run(&["-g", "auto"]);
    assert_eq!(notes(&events, "clamp"), json!([]));
    let first = notes(&events, "first");
    assert!(first.as_array().unwrap().iter().all(|note| note["kind"] != "short-only"), "{first}");
}

#[test]
fn a_person_reads_a_line_for_each_note() {
    let fixture = Fixture::new("notes::person", "notes");
    let printed = fixture.target(&["run", "--bound", "30", "--color", "never"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    for line in [
        "  note: it always returned `None`",
        "  note: `100 < x` was never found true in `(100 < x ==> r == 100)`  Cargo.toml:20:46",
        "  note: `x == 0` was never found true in `if x == 0 { r == 0 } else { r <= x }`  Cargo.toml:22:48",
        "  note: `month`: 31 of 256 values were tried",
        "  note: `xs`: nothing longer than 5 elements was tried",
    ] {
        assert!(printed.stdout.lines().any(|other| other == line), "no {line:?} in\n{}", printed.stdout);
    }
    assert_eq!(printed.stdout.matches("  note: ").count(), 7, "{}", printed.stdout);
}

/// Functions whose inputs lack variants or lengths, and two that lack nothing.
const PARTS: &str = r##"
[package.metadata.target]
boundary = false
[package.metadata.target.functions]
option = "fn(x: Option<u8>, n: u32, m: [bool; 3]) requires x.is_some() == (1000 < n)"
flag = "fn(b: bool, n: u32, m: [bool; 3]) requires b == (n < 1000)"
paint = "fn(c: Color, n: u32, m: [bool; 3]) requires (c == Color::Blue) ==> 1000 < n"
words = "fn(ts: Vec<Token>, n: u32, m: [bool; 3]) requires ts.iter().any(|t| matches!(t, Token::End)) ==> 1000 < n"
owner = "fn(o: Owner) requires o.colors.is_some_and(|cs| cs.len() == 4) ==> 1000 < o.n"
sets = "fn(xs: BTreeSet<u8>, ys: BTreeSet<bool>, zs: BTreeMap<u8, bool>)"
texts = '''fn(a: {s: &str | s.starts_with("a")}, b: {s: &str | s.matches("[a-z]{1,3}")}, c: {s: &str | s.matches("x+")})'''
all = "fn(x: Option<bool>, c: Color, t: Token, r: Result<bool, bool>)"
only = "fn(x: {v: Option<bool> | v.is_some()}, c: {c: Color | c != Color::Red && c != Color::Green}, n: {n: u8 | n < 9})"
"##;

const PARTS_LIBRARY: &str = "use std::collections::*;
    #[derive(Clone, Debug, PartialEq)] pub enum Color { Red, Green, Blue }
    #[derive(Clone, Debug)] pub enum Token { Word(u8), Sign { c: bool }, End }
    #[derive(Clone, Debug)] pub struct Owner { pub n: u32, pub colors: Option<Vec<Color>> }
    pub fn option(_: Option<u8>, _: u32, _: [bool; 3]) {}
    pub fn flag(_: bool, _: u32, _: [bool; 3]) {}
    pub fn paint(_: Color, _: u32, _: [bool; 3]) {}
    pub fn words(_: Vec<Token>, _: u32, _: [bool; 3]) {}
    pub fn owner(_: Owner) {}
    pub fn sets(_: BTreeSet<u8>, _: BTreeSet<bool>, _: BTreeMap<u8, bool>) {}
    pub fn texts(_: &str, _: &str, _: &str) {}
    pub fn all(_: Option<bool>, _: Color, _: Token, _: Result<bool, bool>) {}
    pub fn only(_: Option<bool>, _: Color, _: u8) {}";

#[test]
fn variants_and_lengths_that_never_came_are_noted() {
    let fixture = Fixture::of("notes::parts", PARTS, PARTS_LIBRARY);
    let printed = fixture.target(&["run", "-g", "auto", "--color", "never"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    let mut notes = Vec::new();
    let mut function = "";
    for line in printed.stdout.lines() {
        if let Some(note) = line.strip_prefix("  note: ") {
            notes.push(format!("{function}: {note}"));
        } else if let Some((name, _)) = line.split_once(" (depth ") {
            function = name;
        }
    }
    let expected = [
        "option: `x` was always `None`",
        "flag: `b` was always `true`",
        "paint: `c` was never `Color::Blue`",
        "words: `ts`: nothing longer than 4 elements was tried",
        "words: `ts[_]` was never `Token::End`",
        "owner: `o.colors.unwrap()`: nothing longer than 3 elements was tried",
        "sets: `xs`: nothing longer than 4 elements was tried",
        "sets: `zs`: nothing longer than 4 elements was tried",
        "texts: `a`: nothing longer than 5 characters was tried",
        "texts: `c`: nothing longer than 5 characters was tried",
    ];
    assert_eq!(notes, expected);
}
