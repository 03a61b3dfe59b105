//! Conditions on strings in pieces, and the types of strings that come with the tool, through the real binary.

use crate::support::Fixture;

const PIECES: &str = r##"[package.metadata.target.functions]
month = '''fn(s: {s: String | s.captures(r"(?<m>[0-9]{2})-(?<d>[0-9]{2})").is_some_and(|c| c["m"].parse::<u8>().unwrap() <= 12)})'''
trimmed = "fn(s: {s: &str | s.trim() == s})"
three = { spec = "fn(s: {s: &str | s.split('-').count() == 3})", depth = 2, bound = 4 }
pair = "fn(s: {s: &str | s.split('-').count() == 2 && s.split('-').all(|p| p.len() == 1)})"
number = "fn(s: {s: &str | s.parse::<u8>().is_ok()})"
label = '''fn(a: u8, b: i8) -> {r: String | r == format!("{a}-{b:03}")}'''
day = '''fn(s: &str, m: {m: u8 | 1 <= m && m <= 2}, d: {d: u8 | 1 <= d && d <= if m == 2 { 29 } else { 31 }}) requires match s.captures("7-(?<m>[0-9]{2})-(?<d>[0-9]{2})") { Some(c) => c["m"].parse::<u8>() == Ok(m) && c["d"].parse::<u8>().unwrap() == d, None => false }'''
year = '''fn(s: {s: &str | s.matches("[0-9]{4}-0[1-3]")}, y: u32) requires s.captures("(?<y>[0-9]{4})-(?<m>[0-9]{2})").is_some_and(|c| c["y"].parse::<u32>() == Ok(y))'''
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
pub fn day(s: &str, m: u8, d: u8) { assert_eq!(s, format!("7-{m:02}-{d:02}")); }
pub fn year(s: &str, y: u32) { assert_eq!(s[..4].parse::<u32>(), Ok(y)); }
pub fn never(_: &str) {}
pub fn fields(s: &str) -> Vec<String> { s.split(',').map(|f| f.trim_start().to_owned()).collect() }
"#;

#[test]
fn strings_in_pieces_are_generated_and_judged() {
    let fixture = Fixture::of("texts::pieces", PIECES, PIECES_SOURCE);
    let events = fixture.run(&["-g", "native,enumerative", "--cases", "2000"]);
    for (function, n) in
        [("month", 1300), ("trimmed", 1081), ("three", 166), ("pair", 25), ("label", 45), ("year", 15)]
    {
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
    // Nothing else says how long the string is.
    let row = events.of("day", "native");
    assert_eq!(
        (&row["verdict"], &row["exhausted"], &row["valid"]),
        (&"passed".into(), &true.into(), &60.into())
    );
    assert_eq!(events.of("number", "native")["verdict"], "passed");
    assert_eq!(events.of("never", "native")["verdict"], "vacuous");
    let (arguments, failure) = events.counterexample("fields", "native");
    assert_eq!((arguments.len(), failure), (1, "result"), "{arguments:?}");
}

const IMPLIED: &str = r##"[package.metadata.target.functions]
host = '''fn(a: {a: &str | a.to_lowercase() == "ab.org"}, b: {b: &str | b.eq_ignore_ascii_case("ab.org")})'''
date = '''fn(s: {s: &str | s.split('-').count() == 3 && s.split('-').all(|p| p.len() == 2 && p.parse::<u8>().is_ok_and(|n| 9 < n && n < 100)) && s.len() == 8})'''
clock = '''fn(s: {s: &str | match s.captures(r"(?<h>\d{1,2}):(?<m>\d\d) (?<p>[ap]m)") { Some(c) => c["h"].parse::<u8>().is_ok_and(|h| 1 <= h && h <= 12) && c["m"].parse::<u8>().unwrap() < 60, None => false }})'''
between = '''fn(s: {s: &str | s.split_once("..").is_some_and(|p| p.0.parse::<u8>() == Ok(7) && p.1.trim() == "x")})'''
later = '''fn(s: {s: &str | "hello" < s && s <= "hello!"})'''
level = '''fn(s: {s: &str | s.split(' ').nth(1).is_some_and(|w| w == "ERROR" || w == "WARN")})'''
"##;

const IMPLIED_SOURCE: &str = r#"
pub fn host(a: &str, b: &str) { assert!(a.len() == 6 && b.len() == 6); }
pub fn date(s: &str) { assert!(s.split('-').all(|p| p.len() == 2)); }
pub fn clock(s: &str) { let (h, _) = s.split_once(':').unwrap(); assert!((1..=12).contains(&h.parse().unwrap())); }
pub fn between(s: &str) { assert!(s.contains("7..")); }
pub fn later(s: &str) { assert!(s.starts_with("hello") && s.len() > 5); }
pub fn level(s: &str) { assert!(s.contains(" ERROR") || s.contains(" WARN")); }
"#;

#[test]
fn what_is_asked_of_parts_of_strings_says_which_strings_there_are() {
    let fixture = Fixture::of("texts::implied", IMPLIED, IMPLIED_SOURCE);
    let events = fixture.run(&["-g", "native", "--cases", "2000"]);
    for function in ["host", "date", "clock", "between", "later", "level"] {
        let row = events.of(function, "native");
        let n = |key: &str| row[key].as_u64().unwrap_or(0);
        assert_eq!(row["verdict"], "passed", "{function}");
        // None is found by chance: all are longer than the depth. Few other strings are tried.
        assert!(0 < n("valid") && n("discarded") <= n("valid"), "{function}: {row}");
        // The expressions of these say all.
        let is_exact = matches!(function, "host" | "later" | "level");
        assert!(!is_exact || n("discarded") == 0, "{function}: {row}");
    }
}

/// All types of the library, with checks written by hand.
#[test]
fn members_of_named_types_are_valid_and_come_quickly() {
    let fixture = Fixture::new("texts::named", "named");
    let events = fixture.run(&["-g", "auto", "--cases", "200", "--budget", "60s"]);
    for function in functions_of_named_types(&fixture) {
        let row = events.of(&function, "auto");
        assert_eq!(
            (&row["verdict"], &row["valid"], &row["discarded"]),
            (&"passed".into(), &200.into(), &0.into()),
            "{function}"
        );
    }
}

/// The functions of the fixture, one for each type.
fn functions_of_named_types(fixture: &Fixture) -> Vec<String> {
    let source = fixture.read("Cargo.toml");
    let functions = source.lines().filter_map(|line| line.split_once(" = \"fn(s: "));
    let functions: Vec<String> = functions.map(|(name, _)| name.to_owned()).collect();
    assert_eq!(functions.len(), 23);
    functions
}

/// Each function returns whether its text has some feature, and panics if the text is no member.
#[test]
fn bugs_in_functions_of_named_types_are_found_and_shrink_to_members() {
    let fixture = Fixture::new("texts::bugs", "named");
    fixture.write("Cargo.toml", &fixture.read("Cargo.toml").replace("-> bool\"", "-> {r: bool | r}\""));
    let events = fixture.run(&["-g", "auto", "--cases", "5000", "--budget", "60s"]);
    for function in functions_of_named_types(&fixture) {
        let (arguments, failure) = events.counterexample(&function, "auto");
        assert_eq!(failure, "result", "{function}: {arguments:?}");
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

const MISTAKEN: &str = r##"[package.metadata.target.functions]
a = '''fn(s: &str, n: u8) -> {r: String | r == format!("{n:?}")}'''
b = '''fn(s: &str, n: u8) -> {r: String | r == format!("{n")}'''
c = '''fn(s: &str, n: u8) -> {r: String | r == format!("{}", n, s)}'''
d = '''fn(s: &str, n: u8) -> {r: String | r == format!("{} {}", n)}'''
e = '''fn(s: {s: &str | s.parse().unwrap() == 3}, n: u8) -> String'''
f = '''fn(s: {s: &str | s.parse::<f64>().is_ok()}, n: u8) -> String'''
g = '''fn(s: {s: &str | s.captures("(?<year>a)").unwrap()["yaer"] == "a"}, n: u8) -> String'''
h = '''fn(s: {s: &str | s.captures("(?<year>a)").unwrap()[2] == "a"}, n: u8) -> String'''
i = '''fn(s: {s: &str | s.captures("(a").is_some()}, n: u8) -> String'''
j = '''fn(s: {s: &str | s.trim_matches("ab") == s}, n: u8) -> String'''
k = '''fn(s: {s: &str | s[1] == "a"}, n: u8) -> String'''
l = '''fn(s: &str, n: Hex) -> String'''
m = '''fn(s: {s: &str | s.parse::<u8>() == s.trim().parse::<u8>()}, n: u8) -> String'''
n = '''fn(s: &str, n: u8) -> {r: String | elem(r.chars()) == elems(s.chars())}'''
"##;

#[test]
fn mistakes_with_strings_have_a_place_and_say_what_to_do() {
    let source: String =
        ('a'..='n').map(|f| format!("pub fn {f}(s: &str, _: u8) -> String {{ s.to_owned() }}\n")).collect();
    let events = Fixture::of("texts::mistaken", MISTAKEN, &source).run(&[]);
    assert_eq!(events.code, 2);
    let line = |event: &&serde_json::Value| {
        let word = |key: &str| event[key].as_str().unwrap_or("-").to_owned();
        format!("{}:{} {} [{}]", event["line"], event["column"], word("message"), word("help"))
    };
    let shown: Vec<String> = events.with_reason("diagnostic").iter().map(line).collect();
    expect_test::expect![[r#"
        9:57 the layout `?` is not supported yet [supported are `{}`, `{0}` and `{name}`, each with a width and zeros: `{:5}`, `{x:02}`; any Rust expression may follow `where`]
        10:57 this `{` is never closed [a brace as such is written twice: `{{`, `}}`]
        11:65 this value is in no braces of the string [-]
        12:60 there is no value for this [values follow the string]
        13:27 can't tell the type of the number here [write the type: `parse::<u8>()`]
        14:27 `parse` to `f64`, which is no integer type of Rust's, is not supported yet [any Rust expression can follow `where`, which filters]
        15:59 the regular expression has no group named `yaer` [did you mean `year`?]
        16:59 the regular expression has no group 2 [its groups have the numbers 0, the whole match, to 1]
        17:37 this is no regular expression: unclosed group [-]
        18:40 `trim_matches` takes no string, since it trims both ends [write a character, or `trim_start_matches(..)` and `trim_end_matches(..)`]
        19:27 a string has no elements that are found by number [`s[a..b]` is a part of it, by bytes; `s.chars().nth(i)` a character]
        20:23 the function takes `u8`, the spec says `String` [-]
        21:25 the errors of `parse` can't be compared [compare the numbers: `s.parse::<u8>().ok()`]
        22:43 no function `elem` in the logic [did you mean `elems`?]"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn white_space_that_is_easily_forgotten_is_tried_inside_of_strings() {
    let (mut specs, mut source) = ("[package.metadata.target.functions]\n".to_owned(), String::new());
    // The codes are no characters in the source: all of these are tried.
    let codes = [0x0B, 0x0C, 0x0D, 0x85];
    for code in codes {
        specs += &format!("keep_{code} = 'fn(s: {{s: &str | s.trim() == s}}) -> {{r: String | r == s}}'\n");
        source += &format!(
            "pub fn keep_{code}(s: &str) -> String {{ s.chars().filter(|c| *c as u32 != {code}).collect() }}\n"
        );
    }
    let events = Fixture::of("texts::white-space", &specs, &source).run(&["-g", "auto"]);
    for code in codes {
        let (arguments, failure) = events.counterexample(&format!("keep_{code}"), "auto");
        assert_eq!(failure, "result", "{code}: {arguments:?}");
    }
}
