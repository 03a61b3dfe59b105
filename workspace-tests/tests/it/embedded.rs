//! Rust code in specs that doesn't compile costs its own function only.

use crate::support::{Events, Fixture};

const TABLES: &str = r#"[package.metadata.target.functions]
good = "fn(x: u8) -> u8"
condition = "fn(x: u8) -> {v: u8 | where missing(v)}"
typed = { spec = "fn(x: u8) -> u8", call = "|x| good(x, 1)" }
"#;
const LIBRARY: &str = "pub fn good(x: u8) -> u8 { x }\npub fn condition(x: u8) -> u8 { x }\n";

/// Each diagnostic's position and message.
fn mistakes(events: &Events) -> Vec<String> {
    let shown = |event: &&serde_json::Value| {
        let text = |field: &str| event[field].as_str().unwrap().to_owned();
        format!("{}:{}:{}: {}", text("file"), event["line"], event["column"], text("message"))
    };
    events.with_reason("diagnostic").iter().map(shown).collect()
}

#[test]
fn code_that_does_not_compile_costs_its_own_function_and_is_underlined_in_the_manifest() {
    let fixture = Fixture::of("embedded::broken", TABLES, LIBRARY);
    let events = fixture.run(&["-g", "native"]);
    assert_eq!(events.code, 2, "{events:?}");
    assert_eq!(events.verdict("good", "native"), "passed");
    assert_eq!(events.verdict("condition", "native"), "error");
    assert_eq!(events.verdict("typed", "native"), "error");
    assert_eq!(
        mistakes(&events),
        [
            "Cargo.toml:10:42: cannot find function `missing` in this scope",
            "Cargo.toml:11:49: this function takes 1 argument but 2 arguments were supplied",
        ]
    );
    let other = fixture.run(&["-g", "native", "--exact", "good"]);
    assert_eq!((other.code, mistakes(&other)), (0, Vec::new()), "{other:?}");
}

#[test]
fn a_literal_that_its_type_does_not_have_is_a_mistake() {
    let tables = r#"[package.metadata.target.functions]
good = "fn(x: {v: u8 | where *v < 200}) -> u8"
wide = "fn(x: {v: u8 | where *v < 300}) -> u8"
"#;
    let library = "pub fn good(x: u8) -> u8 { x }\npub fn wide(x: u8) -> u8 { x }\n";
    let fixture = Fixture::of("embedded::literal", tables, library);
    let events = fixture.run(&["-g", "native"]);
    assert_eq!(mistakes(&events), ["Cargo.toml:10:35: literal out of range for `u8`"], "{events:?}");
    assert_eq!((events.code, events.verdict("good", "native")), (2, "passed"));
    assert_eq!(events.verdict("wide", "native"), "error");
}

#[test]
fn check_compiles_the_code_of_specs_where_asked_to() {
    let fixture = Fixture::of("embedded::check", TABLES, LIBRARY);
    assert_eq!(fixture.target(&["check"]).code, 0);
    let printed = fixture.target(&["check", "--build", "--color", "never"]);
    assert_eq!(printed.code, 2, "{printed:?}");
    assert!(printed.stderr.contains(" --> Cargo.toml:10:42"), "{printed:?}");
    let printed = fixture.target(&["check", "--build", "good"]);
    assert_eq!((printed.code, printed.stdout.as_str()), (0, "1 spec in order\n"), "{printed:?}");
}

#[test]
fn a_syntax_error_in_the_source_is_the_compilers_message_alone() {
    let fixture = Fixture::of("embedded::syntax", TABLES, "pub fn good(x: u8) -> u8 { x\n");
    let own = ["check", "list", "tests", "corpus", "suggest", "init"].map(|command| vec![command]);
    let of_one = ["count", "sample", "explain"].map(|command| vec![command, "good"]);
    let built = [vec!["run", "-g", "native"], vec!["run", "--api"], vec!["check", "--build", "good"]];
    for command in own.into_iter().chain(of_one).chain(built) {
        let printed = fixture.target(&command);
        assert_eq!(printed.code, 3, "{printed:?}");
        assert!(printed.stderr.contains("this file contains an unclosed delimiter"), "{printed:?}");
        assert!(!printed.stderr.contains("no function"), "{printed:?}");
        assert!(!printed.stderr.contains("not understood as Rust"), "{printed:?}");
    }
}

#[test]
fn a_mistake_in_a_spec_costs_its_own_function() {
    let tables = r#"[package.metadata.target.functions]
good = "fn(x: u8) -> u8"
name = "fn(x: {v: u8 | v < limit}) -> u8"
bracket = "fn(x: {v: u8 | where (*v < 9}) -> u8"
called = { spec = "fn(x: u8) -> u8", call = "sample::nowhere" }
condition = "fn(x: {v: u8 | where *v < nothing}) -> u8"
"#;
    let library = "pub fn good(x: u8) -> u8 { x }\npub fn name(x: u8) -> u8 { x }\n\
                   pub fn bracket(x: u8) -> u8 { x }\npub fn condition(x: u8) -> u8 { x }\n";
    let fixture = Fixture::of("embedded::mistakes", tables, library);
    let events = fixture.run(&["-g", "native"]);
    assert_eq!((events.code, events.verdict("good", "native")), (2, "passed"), "{events:?}");
    assert!(events.stderr.contains("error: 3 functions were not run"), "{events:?}");
    assert_eq!(mistakes(&events).len(), 4, "{events:?}");
    let printed = fixture.target(&["check", "--build", "--color", "never"]);
    let places = ["Cargo.toml:10:", "Cargo.toml:11:", "Cargo.toml:12:", "Cargo.toml:13:"];
    assert!(printed.code == 2 && places.iter().all(|at| printed.stderr.contains(at)), "{printed:?}");
}

#[test]
fn a_mistake_in_a_named_type_costs_the_functions_that_use_it() {
    let tables = r#"[package.metadata.target.types]
Pos = "{v: u8 | 0 < w}"
Pair = "(Pos, u8)"
"Near(n: int)" = "{v: u8 | v < n + w}"
Apart = { type = "{v: u8 | v < 9}", different = "|a, b| far(a, b) || far(b, a)" }

[package.metadata.target.measures]
"far(a: int, b: int) -> bool" = "a + w < b"

[package.metadata.target.functions]
good = "fn(x: u8) -> {r: u8 | r < 9}"
named = "fn(far: u8) -> u8"
"#;
    let users = "own = \"fn(x: Pos) -> u8\"\nthrough = \"fn(x: Pair) -> u8\"\nnear = \"fn(x: Near(3)) -> u8\"\n\
                 apart = \"fn(x: Apart) -> u8\"\n";
    let library = "pub fn good(x: u8) -> u8 { x }\npub fn own(x: u8) -> u8 { x }\n\
                   pub fn through(x: (u8, u8)) -> u8 { x.0 }\npub fn near(x: u8) -> u8 { x }\n\
                   pub fn apart(x: u8) -> u8 { x }\npub fn named(far: u8) -> u8 { far }\n";
    let fixture = Fixture::of("embedded::types", &format!("{tables}{users}"), library);
    let events = fixture.run(&["-g", "native", "--bound", "9"]);
    assert_eq!((events.code, events.with_reason("function-finished").len()), (2, 2), "{events:?}");
    assert!(events.stderr.contains("error: 4 functions were not run"), "{events:?}");
    assert_eq!(mistakes(&events).len(), 3, "{events:?}");
    // The exit code is that of the mistake, and the counterexample is counted.
    assert_eq!(events.verdict("good", "native"), "failed");
    assert_eq!(events.with_reason("run-finished")[0]["failed"], 1);
    // Nobody uses them.
    let fixture = Fixture::of("embedded::unused", tables, library);
    let events = fixture.run(&["-g", "native"]);
    assert_eq!((events.code, events.with_reason("function-finished").len()), (2, 2), "{events:?}");
    assert!(events.stderr.contains("error: no function uses what has mistakes"), "{events:?}");
    // A view may concern any function.
    let view = "[package.metadata.target.data]\nView = \"struct S { x: Pos }\"\n\n";
    let fixture = Fixture::of(
        "embedded::view",
        &format!("{view}{tables}"),
        &format!("{library}pub struct S {{ pub x: u8 }}"),
    );
    let events = fixture.run(&["-g", "native"]);
    assert_eq!((events.code, events.with_reason("function-finished").len()), (2, 0), "{events:?}");
}

#[test]
fn a_constant_that_fails_in_what_a_condition_calls_costs_its_own_function() {
    let tables = r#"[package.metadata.target.functions]
good = "fn(x: {v: u8 | where *v < 9}) -> u8"
condition = "fn(x: {v: u8 | where sample::most::<2>() > *v}) -> u8"
typed = { spec = "fn(x: u8) -> u8", call = "|x| sample::good(x)" }
called = "fn(a: [u8; 2]) -> u8"
"#;
    let library = "pub fn called<const N: usize>(a: [u8; N]) -> u8 { const { assert!(N > 4) }; a[0] }\n\
                   pub fn most<const N: usize>() -> u8 { const { assert!(N > 3) }; 3 }\n\
                   pub fn good(x: u8) -> u8 { x }\npub fn condition(x: u8) -> u8 { x }\n";
    let fixture = Fixture::of("embedded::constant", tables, library);
    let events = fixture.run(&["-g", "native"]);
    let functions = ["good", "condition", "typed", "called"];
    let verdicts = functions.map(|function| events.verdict(function, "native"));
    assert_eq!(verdicts, ["passed", "error", "passed", "error"], "{events:?}");
    assert_eq!(
        mistakes(&events),
        [
            "Cargo.toml:10:35: evaluation panicked: assertion failed: N > 3",
            "Cargo.toml:12:1: evaluation panicked: assertion failed: N > 4",
        ]
    );
}

#[test]
fn a_mistake_in_another_spec_does_not_stop_those_that_are_selected() {
    let tables = r#"[package.metadata.target.functions]
good = "fn(x: u8) -> u8"
unknown = "fn(x: u8) -> u8"
open = "fn(x: {v: u8 | where (*v > 3}) -> u8"
[package.metadata.target.functions.long]
spec = "fn(x: u8) -> u8"
cases = "many"
"#;
    let fixture = Fixture::of("embedded::others", tables, "pub fn good(x: u8) -> u8 { x }\n");
    let printed = fixture.target(&["run", "-g", "native", "--exact", "good"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    let note = "note: other specs have 5 mistakes: `cargo target check` shows them\n";
    assert!(printed.stderr.contains(note), "{printed:?}");
    assert_eq!(fixture.target(&["run", "-g", "native", "--exact", "open"]).code, 2);
    assert_eq!(fixture.target(&["run", "-g", "native"]).code, 2);
}

#[test]
fn a_mistake_between_the_parts_of_another_spec_is_told() {
    let tables = "[package.metadata.target.functions]\nf.spec = \"fn(x: u8) -> u8\"\n\
                  g = \"fn(x: {v: u8 | oops}) -> u8\"\nf.cases = 3\n";
    let library = "pub fn f(x: u8) -> u8 { x }\npub fn g(x: u8) -> u8 { x }\n";
    let fixture = Fixture::of("embedded::dotted", tables, library);
    let of_g = fixture.target(&["run", "-g", "native", "--exact", "g"]);
    assert!(of_g.stderr.contains("no value `oops` in scope"), "{of_g:?}");
    assert_eq!(fixture.target(&["run", "-g", "native", "--exact", "f"]).code, 0);
}

#[test]
fn a_builder_that_panics_is_a_mistake_of_its_view() {
    let tables = "[package.metadata.target.data]\nOdd = \"via Odd::new(n: u8 = self.0)\"\n\
                  [package.metadata.target.functions]\nuses = \"fn(odd: Odd) -> u8\"\n";
    let library = "pub struct Odd(u8);\nimpl Odd { pub fn new(n: u8) -> Odd { assert!(n != 2, \"two\"); Odd(n) } }\n\
                   pub fn uses(odd: Odd) -> u8 { odd.0 }\n";
    let fixture = Fixture::of("embedded::builder", tables, library);
    let printed = fixture.target(&["run", "-g", "native"]);
    assert_eq!(printed.code, 2, "{printed:?}");
    let message = "  building an argument panicked at src/lib.rs:2:39: two\n";
    assert!(printed.stdout.contains(message), "{printed:?}");
}

#[test]
fn a_panic_of_a_condition_does_not_name_generated_code() {
    let tables = "[package.metadata.target.functions]\ngood = \"fn(x: {v: u8 | where [1, 2][*v as usize] > 0}) -> u8\"\n";
    let fixture = Fixture::of("embedded::panic", tables, "pub fn good(x: u8) -> u8 { x }\n");
    let printed = fixture.target(&["run", "-g", "native"]);
    assert_eq!(printed.code, 2, "{printed:?}");
    let message = "\n  panicked: index out of bounds: the len is 2 but the index is ";
    assert!(printed.stdout.contains(message), "{printed:?}");
}

#[test]
fn a_panic_that_blames_its_caller_is_located_in_the_users_text() {
    let tables = r#"[package.metadata.target.functions]
blames = "fn(x: u8) -> u8"
closure = { spec = "fn(x: u8) -> u8", call = "|x| sample::blames(x)" }
"#;
    let library = "#[track_caller]\npub fn blames(x: u8) -> u8 { assert!(x != 1); x }\n";
    let fixture = Fixture::of("embedded::caller", tables, library);
    let events = fixture.run(&["-g", "native"]);
    let location = |function: &str| events.of(function, "native")["counterexample"]["location"].clone();
    assert_eq!(location("blames"), serde_json::Value::Null);
    assert_eq!(location("closure"), "Cargo.toml:10:47");
}

#[test]
fn a_mistake_in_an_entry_is_underlined_there_among_entries_of_the_same_type() {
    let tables = r#"[package.metadata.target.data]
Early = "via Pile::new() -> Pile<i64> | Pile::put(self: &mut Early, value: i64)"
Late = "via Pile::with(value: bool) -> Pile<bool> | Pile::put(self: &mut Late, value: bool)"
[package.metadata.target.functions]
good = "fn(pile: &Early) -> usize"
late = "fn(pile: &Late) -> usize"
"#;
    let library = "pub struct Pile<T>(Vec<T>);\npub trait Few {}\nimpl Few for i64 {}\n\
                   impl<T> Pile<T> {\n\
                   pub fn new() -> Self { Pile(Vec::new()) }\npub fn with(value: T) -> Self { Pile(vec![value]) }\n\
                   pub fn len(&self) -> usize { self.0.len() }\n}\n\
                   impl<T: Few> Pile<T> { pub fn put(&mut self, value: T) { self.0.push(value) } }\n\
                   pub fn good(pile: &Pile<i64>) -> usize { pile.len() }\n\
                   pub fn late(pile: &Pile<bool>) -> usize { pile.len() }\n";
    let fixture = Fixture::of("embedded::views", tables, library);
    let events = fixture.run(&["-g", "native"]);
    assert_eq!([events.verdict("good", "native"), events.verdict("late", "native")], ["passed", "error"]);
    // The second builder of the second entry.
    let found = mistakes(&events);
    assert!(
        !found.is_empty() && found.iter().all(|mistake| mistake.starts_with("Cargo.toml:10:53: ")),
        "{found:?}"
    );
}
