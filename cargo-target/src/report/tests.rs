//! What all forms of reports have in common.

use crate::events::outcome::Stopped;
use crate::events::{
    ClauseEvent, CounterexampleEvent, Event, FunctionFinished, GeneralEvent, NoteEvent, RunFinished,
};
use crate::report::ReportFormat;
use crate::system::console::Verbosity;
use crate::system::exit_code;

use super::{Lengths, Terminal, sample, write};
use crate::events::words;

const FORMS: [ReportFormat; 5] = [
    ReportFormat::Terminal,
    ReportFormat::Html,
    ReportFormat::Junit,
    ReportFormat::Github,
    ReportFormat::Markdown,
];

fn shown(form: ReportFormat, events: Vec<Event>) -> String {
    shown_to(form, Lengths::Whole, events)
}

fn shown_to(form: ReportFormat, lengths: Lengths, events: Vec<Event>) -> String {
    let mut out = Vec::new();
    write(form, Terminal::new(Verbosity::Normal, lengths), sample::recorded(events), &mut out).unwrap();
    anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
}

#[test]
fn a_run_that_ended_before_any_function_does_not_look_finished() {
    let ended = |exit_code| {
        let counts = RunFinished { exit_code, ..RunFinished::default() };
        vec![sample::started(1, false), sample::finished(counts)]
    };
    for form in FORMS {
        let text = shown(form, ended(exit_code::USAGE));
        assert!(text.contains("the run ended before any function ran"), "{form:?}: {text}");
        let text = shown(form, ended(exit_code::BUILD));
        assert!(text.contains("the crate does not build"), "{form:?}: {text}");
        let text = shown(form, ended(exit_code::PASSED));
        assert!(!text.contains("the run ended before"), "{form:?}: {text}");
    }
    let some = RunFinished { functions: 1, exit_code: exit_code::USAGE, ..RunFinished::default() };
    assert_eq!(words::broken_off(Some(&some)), None, "what it ran speaks for itself");
}

#[test]
fn a_failure_that_only_a_baseline_finds_is_told_where_the_main_generator_passes() {
    let rows = [sample::passed("f", "auto", true), sample::failed("f", "random", false, (7, 0.01))];
    let mut events = vec![sample::started(1, false)];
    events.extend(rows.map(|row| Event::FunctionFinished(Box::new(row))));
    let told = |form, said: &str| {
        let text = shown(form, events.clone());
        assert!(text.contains(said), "{form:?}: {text}");
    };
    told(ReportFormat::Terminal, "\n  failed: random found it, auto did not\n");
    told(ReportFormat::Html, r#""disagreement":"random found it, auto did not""#);
    told(ReportFormat::Markdown, "| <code>f</code> | **failed** by <code>random</code> | 10 | 10 | 7 |");
    told(ReportFormat::Markdown, "failed: <code>random found it, auto did not</code>");
    // A failure that both find needs no word.
    events[1] = Event::FunctionFinished(Box::new(sample::failed("f", "auto", true, (1, 0.01))));
    for form in FORMS {
        assert!(!shown(form, events.clone()).contains("found it,"), "{form:?}");
    }
}

#[test]
fn the_table_fits_a_terminal() {
    let wide = |generator, main, seconds, stopped| {
        let row = sample::passed("f", generator, main);
        let row = FunctionFinished { cases: 10_999, valid: 10_000, distinct: 10_000, seconds, ..row };
        FunctionFinished { discarded: 1_267_180, cases_to_failure: Some(10_000), stopped, ..row }
    };
    let rows = [
        wide("native", true, 9.994, None),
        wide("smt", false, 59.96, Some(Stopped::Interrupted)),
        wide("random", false, 3_600.0, Some(Stopped::Counterexample)),
        wide("enumerative", false, 100.0, Some(Stopped::Unknown)),
    ];
    let mut events = vec![sample::started(1, false)];
    events.extend(rows.map(|row| Event::FunctionFinished(Box::new(row))));
    let text = shown(ReportFormat::Terminal, events);
    let lines: Vec<&str> =
        text.lines().filter(|line| line.starts_with("   ") && line.contains("10000")).collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    let ends = ["9.99s  exhausted", "60.0s  ctrl-c", "3600s  failure", "100s  unknown"];
    assert!(lines.iter().zip(ends).all(|(line, end)| line.ends_with(end)), "{text}");
}

#[test]
fn a_generalised_counterexample_claims_what_was_tried() {
    let mut row = sample::failed("rescale_nat", "native", true, (1, 0.01));
    let general = GeneralEvent { args: ["any_1", "0", "any_2"].map(str::to_owned).into(), tried: 3 };
    row.counterexample =
        row.counterexample.map(|found| CounterexampleEvent { general: Some(general), ..found });
    let events = vec![sample::started(1, false), Event::FunctionFinished(Box::new(row))];
    let said = "generalizes to rescale_nat(_, 0, _): all 3 other values tried fail too";
    for form in FORMS {
        let text = shown(form, events.clone());
        assert!(text.contains(said) || matches!(form, ReportFormat::Html), "{form:?}: {text}");
        assert!(text.contains("any_1") || text.contains("rescale_nat(_, 0, _)"), "{form:?}: {text}");
        if matches!(form, ReportFormat::Terminal) {
            let line = text.lines().find(|line| line.contains(said)).unwrap();
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn what_cannot_be_seen_is_shown() {
    assert_eq!(
        crate::system::printable::plain("a\u{202e}b\u{1b}[31m\r\n\tc\u{feff}é"),
        "a\\u{202e}b\\u{1b}[31m\n\tc\\u{feff}é"
    );
}

#[test]
fn an_input_that_took_too_long_to_judge_is_escaped_and_cut() {
    let text = format!("\"\u{1b}[31m{}\"", "x".repeat(5_000));
    let row = FunctionFinished {
        beyond_undecided: 1,
        first_undecided: Some(vec![text]),
        ..sample::passed("f", "auto", true)
    };
    let events = vec![sample::started(1, false), Event::FunctionFinished(Box::new(row))];
    let text = shown_to(ReportFormat::Terminal, Lengths::ScreenOnly, events);
    let said = "the first that took too long to judge is `f(\"\\u{1b}[31mxxx";
    assert!(text.contains(said) && text.contains(" more characters)"), "{text}");
    assert!(!text.contains(&"x".repeat(5_000)) && text.contains("too long for a screen"), "{text}");
}

#[test]
fn a_run_that_stopped_says_how_far_it_came() {
    let row = FunctionFinished { valid: 12, valid_inside: 10, ..sample::passed("f", "auto", false) };
    let told = |space, complete_size| words::reach(&FunctionFinished { space, complete_size, ..row.clone() });
    assert_eq!([told(None, None), told(None, Some(0))], [None, None]);
    let some = "10 of 9,000 inputs within depth and bound were run";
    assert_eq!(told(Some(9000), None), Some(format!("{some}, and 2 others")));
    assert_eq!(told(Some(9000), Some(0)), told(Some(9000), None));
    let both = format!("{some}, among them all up to size 1, and 2 others");
    assert_eq!(told(Some(9000), Some(1)), Some(both));
    let sizes = "all inputs up to size 1 were run, and 2 others";
    assert_eq!(told(None, Some(1)).as_deref(), Some(sizes));
    let exhausted = |space| words::reach(&FunctionFinished { exhausted: true, space, ..row.clone() });
    let all = |n| Some(format!("all {n} inputs within depth and bound were run, and 2 others"));
    assert_eq!([exhausted(Some(9)), exhausted(None)], [all(9), all(10)]);
    let beyond = FunctionFinished { valid_inside: 0, exhausted: true, ..row.clone() };
    assert_eq!(words::reach(&beyond), None);
}

#[test]
fn notes_are_shown_for_a_function_that_passed() {
    let clause = ClauseEvent { text: "x < 0 ==> r".to_owned(), location: "Cargo.toml:3:5".to_owned() };
    let part = || "d".to_owned();
    let names = |letters: &str| letters.chars().map(String::from).collect();
    let notes = vec![
        NoteEvent::SameResult { variant: "None".to_owned() },
        NoteEvent::OneSided { condition: Some("x < 0".to_owned()), never: true, clause: clause.clone() },
        NoteEvent::OneSided { condition: None, never: false, clause },
        NoteEvent::FewValues { part: part(), tried: 4, allowed: 31, exact: true },
        NoteEvent::FewValues { part: part(), tried: 4, allowed: 31, exact: false },
        NoteEvent::MissingVariants {
            part: part(),
            always: Some("Some(_)".to_owned()),
            never: vec!["None".to_owned()],
        },
        NoteEvent::MissingVariants { part: part(), always: None, never: names("ABC") },
        NoteEvent::MissingVariants { part: part(), always: None, never: names("ABCDE") },
        NoteEvent::ShortOnly { part: part(), longest: 4, unit: "elements".into() },
        NoteEvent::ShortOnly { part: part(), longest: 1, unit: "characters".into() },
        NoteEvent::ShortOnly { part: part(), longest: 0, unit: "elements".into() },
    ];
    let row = FunctionFinished { notes: Some(notes), ..sample::passed("f", "auto", true) };
    let mut events = vec![sample::started(1, false), Event::FunctionFinished(Box::new(row))];
    let text = shown(ReportFormat::Terminal, events.clone());
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  note: ")).collect();
    assert_eq!(
        lines,
        [
            "it always returned `None`",
            "`x < 0` was never found true in `x < 0 ==> r`  Cargo.toml:3:5",
            "one condition was never found false in `x < 0 ==> r`  Cargo.toml:3:5",
            "`d`: 4 of 31 values were tried",
            "`d`: 4 of at most 31 values were tried",
            "`d` was always `Some(_)`",
            "`d` was never `A`, `B` or `C`",
            "`d` was never `A`, `B`, `C` or 2 others",
            "`d`: nothing longer than 4 elements was tried",
            "`d`: nothing longer than 1 character was tried",
            "`d` was always empty",
        ]
    );
    events.push(Event::FunctionFinished(Box::new(sample::failed("f", "random", false, (7, 0.01)))));
    assert!(!shown(ReportFormat::Terminal, events).contains("note: "));
}
