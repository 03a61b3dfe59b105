//! The page of made-up events, hostile ones among them.

use super::*;
use crate::events::outcome::{Stopped, Verdict};
use crate::events::{CounterexampleEvent, PointEvent, SketchEvent};

fn row(function: &str, generator: &'static str, round: u32) -> FunctionFinished {
    let fails = generator == "native";
    FunctionFinished {
        package: "p".to_owned(),
        function: function.to_owned(),
        call: None,
        generator: generator.into(),
        main: fails,
        round,
        seed: round.into(),
        verdict: if fails { Verdict::Failed } else { Verdict::Passed },
        cases: 100,
        valid: 60,
        discarded: 40,
        distinct: 50 + u64::from(round),
        valid_inside: 60,
        boundary_cases: 0,
        beyond_timeouts: 0,
        beyond_undecided: 0,
        first_undecided: None,
        left_out: 0,
        exhausted: false,
        stopped: Some(Stopped::Cases),
        complete_size: None,
        different: None,
        space: None,
        cases_to_failure: fails.then_some(7),
        seconds_to_failure: fails.then_some(0.25),
        seconds: 0.5,
        generating_seconds: 0.1,
        solver_seconds: 0.0,
        curve: vec![PointEvent { seconds: 0.5, cases: 100, valid: 60, distinct: 50 }],
        sketch: SketchEvent::default(),
        notes: None,
        counterexample: fails.then(counterexample),
        boundary_counterexample: None,
        returned: None,
        examples: Vec::new(),
        printed: None,
        unknowns: Vec::new(),
        problem: None,
        depth: 4,
        bound: 4,
    }
}

fn counterexample() -> CounterexampleEvent {
    CounterexampleEvent {
        args: vec!["1".to_owned()],
        result: None,
        after: None,
        failure: "panic".into(),
        message: "</script><script>alert('&')".to_owned(),
        location: None,
        clause: None,
        clause_location: None,
        boundary: false,
        source: None,
        saved: false,
        confirmed: true,
        replayed: false,
        shrinks: 0,
        tries: 0,
        general: None,
        unguarded: Vec::new(),
        test: String::new(),
        rerun: String::new(),
    }
}

fn page(events: Vec<Event>) -> String {
    let mut page = Vec::new();
    write(events.into_iter().map(Ok), tempfile::tempfile().unwrap(), &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

fn finished(row: FunctionFinished) -> Event {
    Event::FunctionFinished(Box::new(row))
}

#[test]
fn no_text_of_the_user_ends_the_data_or_begins_markup() {
    let page = page(vec![finished(row("<b>&\"'", "native", 0))]);
    assert!(page.contains("&lt;b&gt;&amp;&quot;&#x27;"), "{page}");
    assert!(!page.contains("<b>") && !page.contains("alert('&')"));
    let (_, data) = page.split_once(r#"id="data-0">"#).unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["function"], "<b>&\"'");
    assert_eq!(data["counterexamples"][0]["message"], "</script><script>alert('&')");
}

#[test]
fn the_rows_of_a_function_are_one_line_with_the_figures_of_the_best() {
    let rows = (0..3).flat_map(|round| ["random", "native"].map(|generator| row("f", generator, round)));
    let mut events: Vec<Event> = rows.map(finished).collect();
    events.push(finished(row("g", "native", 0)));
    let page = page(events);
    assert_eq!(page.matches("<tr id=\"open-").count(), 2);
    let (_, line) = page.split_once("<tr id=\"open-0\"").unwrap();
    let (line, _) = line.split_once("</tr>").unwrap();
    for cell in [">native<", r#"data-number="51.0">51<"#, r#"data-number="7.0">7<"#, ">500 ms<"] {
        assert!(line.contains(cell), "no {cell} in {line}");
    }
}

#[test]
fn a_page_asks_for_nothing() {
    let page = page(vec![finished(row("f", "native", 0))]);
    for word in ["http://", "https://", "src=", "@import", "url("] {
        let inside = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!inside.contains(word), "{word}");
    }
}

#[test]
fn no_word_of_a_record_is_a_control_character_of_the_page() {
    let mut events =
        vec![crate::report::sample::started(1, false), finished(row("f\u{7f}", "sm\u{1b}[31mt", 0))];
    if let Event::RunStarted(started) = &mut events[0] {
        started.profile = "dev\u{7}".to_owned();
    }
    let page = page(events);
    assert!(page.contains("<dd>dev\\u{7}</dd>"), "{page}");
    assert!(page.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'), "{page}");
}
