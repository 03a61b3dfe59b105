//! The machine-readable stream is what its consumers rely on.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::Fixture;

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_stream_has_the_names_that_were_promised() {
    let events = Fixture::new("json::names", "scores").run(&["--exact", "rescale_nat", "rescale"]);
    let first = &events.all[0];
    assert_eq!((&first["reason"], &first["version"]), (&"run-started".into(), &2.into()));
    let promised = [
        "reason",
        "package",
        "function",
        "generator",
        "verdict",
        "cases",
        "valid",
        "discarded",
        "distinct",
        "exhausted",
        "stopped",
        "cases_to_failure",
        "seconds",
        "counterexample",
    ];
    let of_counterexample = [
        "args",
        "result",
        "failure",
        "message",
        "location",
        "clause",
        "boundary",
        "saved",
        "confirmed",
        "shrinks",
    ];
    for outcome in events.with_reason("function-finished") {
        assert!(keys(outcome).is_superset(&promised.into()), "{outcome:#}");
        if !outcome["counterexample"].is_null() {
            assert!(keys(&outcome["counterexample"]).is_superset(&of_counterexample.into()), "{outcome:#}");
        }
        let count = |key: &str| outcome[key].as_u64().unwrap();
        assert_eq!(count("cases"), count("valid") + count("discarded"), "{outcome:#}");
        assert!(count("distinct") <= count("valid"));
    }
    let promised = ["reason", "functions", "passed", "failed", "gave_up", "vacuous", "errors", "exit_code"];
    assert!(keys(events.finished()).is_superset(&promised.into()));
    assert_eq!(events.finished()["exit_code"], 1);
}

#[test]
fn discards_are_counted_and_valid_inputs_are_distinct() {
    let events = Fixture::new("json::counts", "scores").run(&["--exact", "insert"]);
    let smt = events.of("insert", "smt");
    assert_eq!((&smt["discarded"], &smt["exhausted"]), (&0.into(), &true.into()), "{smt:#}");
    // Sorted lists of up to four of five scores, times the score that is inserted: 5 * C(9, 4).
    assert_eq!(smt["valid"], 630);
    assert_eq!(smt["distinct"], 630);
    let enumerative = events.of("insert", "enumerative");
    assert_eq!((&enumerative["valid"], &enumerative["distinct"]), (&630.into(), &630.into()));
    // All lists of up to four of five scores, times five, less the sorted ones.
    assert_eq!(enumerative["discarded"], 5 * 781 - 630);
    let random = events.of("insert", "random");
    assert!(random["discarded"].as_u64() > Some(0) && random["distinct"].as_u64() < random["valid"].as_u64());
}
