//! Records, and reports of hostile events: whatever the words in events are, they stay words. They are no markup in HTML,
//! XML and Markdown, no command for GitHub or a terminal, and no line of their own where a line has a meaning.
//!
//! An input is a number, which chooses a format, and lines. They take the places of the words in a record of every kind of
//! event, one after the other; with an even number they are themselves a record.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pulldown_cmark::{Options, Parser};
use serde_json::Value;

// The tool is no library: its modules are compiled as part of this program, at the paths by which they name each other.
#[allow(dead_code, unused_imports, unused_macros, reason = "only reports are called")]
#[path = "../../../cargo-target/src"]
mod tool {
    #[macro_use]
    pub mod system;
    pub mod events;
    pub mod report;
}
use tool::{events, report, system};

use events::Event;
use report::ReportFormat;
use system::console::Verbosity;

/// A record with every kind of event.
const RECORD: &str = include_str!("../src/record.jsonl");

static LINES: LazyLock<Vec<Value>> =
    LazyLock::new(|| RECORD.lines().map(|line| serde_json::from_str(line).expect(line)).collect());

/// How often the page of a record with harmless words begins or ends a script, a style, a comment, or an element that loads.
static MARKS: LazyLock<Vec<usize>> =
    LazyLock::new(|| n_marks(&shown(ReportFormat::Html, &hostile(&["w"])).expect("the record is one")));

const FORMATS: [ReportFormat; 7] = [
    ReportFormat::Terminal,
    ReportFormat::Html,
    ReportFormat::Json,
    ReportFormat::Junit,
    ReportFormat::Github,
    ReportFormat::Markdown,
    ReportFormat::Lcov,
];

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let format = FORMATS[usize::from(choice / 2) % FORMATS.len()];
    let events = match choice % 2 {
        0 => text.lines().map_while(|line| serde_json::from_str(line).ok()).collect(),
        _ => hostile(&text.split('\x1e').collect::<Vec<_>>()),
    };
    let Some(shown) = shown(format, &events) else { return };
    match format {
        ReportFormat::Terminal => assert_plain(&shown),
        ReportFormat::Html => {
            assert_plain(&shown);
            // Other events than those of the record make other pages.
            assert!(choice % 2 == 0 || n_marks(&shown) == *MARKS, "{shown}");
        }
        ReportFormat::Json => {
            for line in shown.lines() {
                serde_json::from_str::<Event>(line).expect("a line of JSON is an event");
            }
        }
        ReportFormat::Junit => drop(roxmltree::Document::parse(&shown).expect("the report is XML")),
        ReportFormat::Github => {
            let is_command =
                |line: &str| ["::error", "::warning", "::notice"].iter().any(|word| line.starts_with(word));
            assert!(shown.lines().all(is_command), "{shown}");
        }
        ReportFormat::Markdown => assert_markdown(&shown),
        ReportFormat::Lcov => {
            let words = ["SF:", "FN:", "FNDA:", "FNF:", "FNH:", "DA:", "LF:", "LH:", "end_of_record"];
            assert!(shown.lines().all(|line| words.iter().any(|word| line.starts_with(word))), "{shown}");
        }
    }
});

/// The events of the record, in the places of whose words others stand, one after the other and from the first on again.
/// Names of functions and generators only get the first of them appended, so that the record tells of as many as before.
fn hostile(words: &[&str]) -> Vec<Event> {
    let mut next = words.iter().cycle();
    let replaced = LINES.iter().map(|line| {
        let mut line = line.clone();
        replace(&mut line, "", words[0], &mut next);
        serde_json::from_value(line).expect("words may be any words")
    });
    replaced.collect()
}

fn replace<'w>(value: &mut Value, key: &str, name: &str, words: &mut impl Iterator<Item = &'w &'w str>) {
    match value {
        // These are one of a few words.
        Value::String(_) if ["reason", "verdict", "stopped"].contains(&key) => {}
        Value::String(text) if ["package", "function", "generator"].contains(&key) => text.push_str(name),
        Value::String(text) => *text = words.next().copied().unwrap_or_default().to_owned(),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, key, name, words)),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, field)| replace(field, key, name, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn shown(format: ReportFormat, events: &[Event]) -> Option<String> {
    let mut out = Vec::new();
    let events = events.iter().cloned().map(Ok);
    let terminal = report::Terminal::new(Verbosity::Normal, report::Lengths::Whole);
    report::write(format, terminal, events, &mut out).ok()?;
    // What is coloured on a terminal is not in a file: only escape sequences of ours are taken out.
    let text = String::from_utf8(out).expect("a report is text");
    Some(match format {
        ReportFormat::Terminal => without_our_style(&text),
        _ => text,
    })
}

/// The text without sequences that only set colours, as the report's own do.
fn without_our_style(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        let n_digits = after.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
        rest = match after[n_digits..].strip_prefix('m') {
            Some(rest) => rest,
            None => {
                plain.push('\x1b');
                after
            }
        };
    }
    plain + rest
}

/// Nothing that only terminals obey.
fn assert_plain(text: &str) {
    let found = text.chars().find(|c| c.is_control() && !"\n\t".contains(*c));
    assert!(found.is_none(), "{found:?} in {text:?}");
}

fn n_marks(page: &str) -> Vec<usize> {
    ["<script", "</script", "<!--", "<img", "<style", "</style", "<iframe"]
        .map(|mark| page.matches(mark).count())
        .into()
}

/// No HTML but ours, no link, no picture.
fn assert_markdown(text: &str) {
    use pulldown_cmark::Event as Part;
    use pulldown_cmark::Tag;
    const OURS: [&str; 12] = [
        "<code>",
        "</code>",
        "<details>",
        "</details>",
        "<summary>",
        "</summary>",
        "<sub>",
        "</sub>",
        "<br>",
        "<details open>",
        "<summary><code>",
        "</code></summary>",
    ];
    for part in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match part {
            Part::InlineHtml(html) => assert!(OURS.contains(&&*html), "{html}\n{text}"),
            Part::Html(html) => {
                let mut rest = html.to_lowercase();
                for ours in OURS {
                    rest = rest.replace(ours, "");
                }
                assert!(!rest.contains('<'), "{html}\n{text}");
            }
            Part::Start(tag @ (Tag::Link { .. } | Tag::Image { .. })) => panic!("{tag:?}\n{text}"),
            _ => {}
        }
    }
}
