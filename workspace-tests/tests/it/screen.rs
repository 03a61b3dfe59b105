//! What a terminal gets of a subject's words: no control characters, and no more than a screen at a time.

use crate::support::Fixture;

const LIBRARY: &str = "
pub fn shouts(x: u8) -> u8 {
    if x == 3 {
        panic!(\"\\u{1b}[2J\\u{1b}]0;title\\u{7}\\0\\u{202e}\\u{9b}31m start {}\", \"a line\\n\".repeat(5000));
    }
    x
}
pub fn returns(n: u8) -> Vec<u64> {
    if n == 3 { (0..5000).collect() } else { Vec::new() }
}
";

const TABLES: &str = "[package.metadata.target]\nboundary = false\n[package.metadata.target.functions]\n\
                      shouts = \"fn(x: {v: u8 | v < 5}) -> u8\"\n\
                      returns = \"fn(n: {v: u8 | v < 5}) -> {v: Vec<u64> | v.len() < 9}\"\n";

/// Characters that terminals obey, or that hide others.
fn is_harmful(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text without the sequences that set colours.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match rest.strip_prefix('m') {
            Some(rest) => plain.push_str(rest),
            None => plain.push_str(&format!("\u{1b}[{piece}")),
        }
    }
    plain
}

#[test]
fn long_and_harmful_words_are_cut_and_escaped_and_the_record_has_all_of_them() {
    let fixture = Fixture::of("screen::words", TABLES, LIBRARY);
    for color in ["never", "always"] {
        let printed = fixture.target(&["run", "-g", "native", "--color", color]);
        assert_eq!(printed.code, 1, "{printed:?}");
        let shown = without_colours(&printed.stdout);
        assert!(!shown.contains(is_harmful), "{shown:?}");
        assert!(
            shown.contains(r"panicked: \u{1b}[2J\u{1b}]0;title\u{7}\u{0}\u{202e}\u{9b}31m start"),
            "{shown}"
        );
        assert!(shown.lines().count() < 100, "{shown}");
        assert_eq!(shown.matches("more characters)").count(), 2, "{shown}");
        assert!(shown.contains("returned vec![0, 1, 2,"), "{shown}");
        let record = shown.lines().find_map(|line| line.split_once("all of it is in ")).unwrap().1;
        let events = std::fs::read_to_string(fixture.root.join(record)).unwrap();
        assert!(events.contains(&r"a line\n".repeat(5000)), "{record} has all of the message");
        assert!(events.contains("4998, 4999]"), "{record} has all of the value");
    }
    // A file is no screen.
    assert_eq!(fixture.target(&["report", "--format", "terminal", "-o", "report.txt"]).code, 0);
    let written = fixture.read("report.txt");
    assert!(written.lines().count() > 5000 && !written.contains(is_harmful));
}

#[test]
fn words_of_the_manifest_and_the_source_are_escaped() {
    let tables = "[package.metadata.target.functions]\n\
                  f = \"fn(x: {v: u8 | v < 5 /* \\u001b[2J\\u202e */}) -> u8\"\n\
                  \"g\\u001b[2J\\u202e\" = \"fn(x: u8) -> u8\"\n";
    let fixture = Fixture::of("screen::manifest", tables, "pub fn f(x: u8) -> u8 { x }");
    for words in
        [&["check"][..], &["list"], &["run"], &["explain", "f"], &["count", "f"], &["run", "\u{1b}[2J"]]
    {
        let printed = fixture.target(&[words, &["--color", "never"]].concat());
        for text in [&printed.stdout, &printed.stderr] {
            assert!(!text.contains(is_harmful), "{words:?}: {text:?}");
        }
    }
}
