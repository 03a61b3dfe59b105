//! Subjects that attack the process they run in.

use crate::page;
use crate::support::Fixture;

#[test]
fn every_kind_of_death_is_reported_for_its_case_alone() {
    let fixture = Fixture::new("hostile::deaths", "hostile");
    let events = fixture.run(&["-g", "smt,enumerative", "--no-fail-fast"]);
    let expected = [
        ("panics", "panic"),
        ("aborts", "abort"),
        ("overflows_the_stack", "stack-overflow"),
        ("loops", "timeout"),
        ("allocates", "memory"),
        ("exits", "exit"),
        ("exits_quietly", "exit"),
        ("forgets_to_panic", "no-panic"),
    ];
    for (function, failure) in expected {
        for generator in ["smt", "enumerative"] {
            let outcome = events.of(function, generator);
            let found = &outcome["counterexample"];
            assert_eq!(found["failure"], failure, "{function} by {generator}: {outcome:#}");
            assert_eq!(found["confirmed"], true, "{function}");
            assert_eq!(found["args"][0], "3", "{function}");
            assert_eq!(outcome["valid"], 5, "{function}: the other cases are not lost");
            assert_eq!(outcome["exhausted"], true, "{function}");
            assert_eq!(outcome["cases_to_failure"], 4, "{function}");
        }
    }
    assert_eq!(events.of("exits", "smt")["counterexample"]["message"], "exit code 7");
    assert_eq!(events.of("panics", "smt")["counterexample"]["message"], "three is right out");
    let overflow = &events.of("overflows", "smt")["counterexample"];
    assert_eq!((&overflow["args"][0], &overflow["failure"]), (&"255".into(), &"panic".into()));
    page::runs::deaths(&fixture);
}

#[test]
fn what_a_subject_prints_reads_or_spawns_disturbs_nothing() {
    let events = Fixture::new("hostile::quiet", "hostile").run(&[
        "--exact",
        "prints",
        "reads",
        "spawns",
        "panics_as_told",
    ]);
    assert_eq!(events.code, 0, "{:#?}", events.all);
    for function in ["prints", "reads", "spawns", "panics_as_told"] {
        assert_eq!(events.of(function, "smt")["valid"], 5);
    }
    assert_eq!(events.with_reason("run-finished").len(), 1);
}

#[test]
fn a_failure_that_depends_on_earlier_cases_is_marked() {
    let events = Fixture::new("hostile::state", "hostile").run(&["-g", "smt", "--exact", "counts"]);
    let outcome = events.of("counts", "smt");
    assert_eq!(outcome["verdict"], "failed");
    assert_eq!(outcome["cases_to_failure"], 3);
    assert_eq!(outcome["counterexample"]["confirmed"], false, "{outcome:#}");
}
