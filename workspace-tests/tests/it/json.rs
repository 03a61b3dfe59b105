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
    assert_eq!((&first["reason"], &first["version"]), (&"run-started".into(), &3.into()));
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
        "seconds_to_failure",
        "seconds",
        "solver_seconds",
        "round",
        "seed",
        "curve",
        "sketch",
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
        "general",
    ];
    for outcome in events.with_reason("function-finished") {
        assert!(keys(outcome).is_superset(&promised.into()), "{outcome:#}");
        if !outcome["counterexample"].is_null() {
            assert!(keys(&outcome["counterexample"]).is_superset(&of_counterexample.into()), "{outcome:#}");
        }
        let count = |key: &str| outcome[key].as_u64().unwrap();
        assert_eq!(count("cases"), count("valid") + count("discarded"), "{outcome:#}");
        assert!(count("distinct") <= count("valid"));
        let curve = outcome["curve"].as_array().unwrap();
        assert!(curve.is_sorted_by_key(|point| point["cases"].as_u64()), "{outcome:#}");
        assert_eq!(curve.last().map(|point| &point["cases"]), Some(&outcome["cases"]));
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

#[test]
fn rounds_differ_by_their_seeds_and_inputs_are_sketched() {
    let words = ["--exact", "rescale_nat", "average_nonzero", "rescale", "--repeat", "2"];
    let events = Fixture::new("json::rounds", "scores").run(&words);
    for function in ["rescale_nat", "average_nonzero", "rescale"] {
        for generator in ["smt", "random", "enumerative"] {
            let is_it = |row: &&&Value| row["function"] == function && row["generator"] == generator;
            let rows = events.with_reason("function-finished");
            let rounds: Vec<_> =
                rows.iter().filter(is_it).map(|row| (row["round"].as_u64(), row["seed"].as_u64())).collect();
            assert_eq!(rounds, [(Some(0), Some(0)), (Some(1), Some(1))]);
        }
    }
    // What stands beside the zero weights doesn't matter.
    let general = &events.of("average_nonzero", "smt")["counterexample"]["general"];
    assert_eq!(general["args"], serde_json::json!(["&[(1, any_1), (-1, any_2)]"]), "{general:#}");
    // `s: Rng(r1)` ends at 0 and before `r1`; every input is looked at while there are few.
    let sketch = &events.of("rescale", "smt")["sketch"];
    let of_s = |condition: &str| {
        let boundaries = sketch["boundaries"].as_array().unwrap();
        let found = boundaries.iter().find(|found| found["part"] == "s" && found["condition"] == condition);
        found.unwrap_or_else(|| panic!("{sketch:#}"))["inputs"].as_u64()
    };
    assert!(of_s("v == 0") > Some(0) && of_s("(v + 1) == r1") > Some(0), "{sketch:#}");
    let sizes = sketch["sizes"].as_array().unwrap().iter().map(|size| size["inputs"].as_u64().unwrap());
    assert_eq!(Some(sizes.sum()), sketch["inputs"].as_u64());
}
