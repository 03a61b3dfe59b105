//! What all forms of reports have in common.

use crate::args::ReportFormat;
use crate::config::Verbosity;
use crate::event::{CounterexampleEvent, Event, GeneralEvent, RunFinished};
use crate::exit_code;

use super::{sample, words, write};

const FORMS: [ReportFormat; 5] = [
    ReportFormat::Terminal,
    ReportFormat::Html,
    ReportFormat::Junit,
    ReportFormat::Github,
    ReportFormat::Markdown,
];

fn shown(form: ReportFormat, events: Vec<Event>) -> String {
    let mut out = Vec::new();
    write(form, Verbosity::Normal, sample::recorded(events), &mut out).unwrap();
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
fn a_generalised_counterexample_claims_what_was_tried() {
    let mut row = sample::failed("rescale_nat", "native", true, (1, 0.01));
    let general = GeneralEvent { args: ["any_1", "0", "any_2"].map(str::to_owned).into(), tried: 3 };
    row.counterexample =
        row.counterexample.map(|found| CounterexampleEvent { general: Some(general), ..found });
    let events = vec![sample::started(1, false), Event::FunctionFinished(Box::new(row))];
    let said = "whatever was tried fails alike: rescale_nat(any_1, 0, any_2)  (3 tried)";
    for form in FORMS {
        let text = shown(form, events.clone());
        assert!(text.contains(said) || matches!(form, ReportFormat::Html), "{form:?}: {text}");
        assert!(text.contains("any_1"), "{form:?}: {text}");
        if matches!(form, ReportFormat::Terminal) {
            let line = text.lines().find(|line| line.contains(said)).unwrap();
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn what_cannot_be_seen_is_shown() {
    assert_eq!(words::plain("a\u{202e}b\u{1b}[31m\r\n\tc\u{feff}é"), "a\\u{202e}b[31m\n\tc\\u{feff}é");
}
