//! The same output whatever the number of threads.

use serde_json::Value;

use crate::support::{Fixture, untimed};

#[test]
fn one_thread_and_four_give_the_same_events() {
    let fixture = Fixture::new("order::threads", "scores");
    // Each generator as the main one: only a baseline's time budget may cut a run differently.
    for generator in ["smt", "random", "enumerative"] {
        let without_time = |jobs: &str| -> Vec<Value> {
            let words =
                ["-j", jobs, "-g", generator, "--cases", "700", "--no-fail-fast", "--budget", "10min"];
            fixture.run(&words).all.iter().map(untimed).collect()
        };
        let one = without_time("1");
        assert_eq!(one.len(), 10, "{one:#?}");
        assert_eq!(one, without_time("4"));
    }
}

#[test]
fn the_seed_decides_what_random_draws() {
    let fixture = Fixture::new("order::seed", "scores");
    let distinct = |seed: &str| {
        let events = fixture.run(&["--exact", "insert", "-g", "random", "--cases", "300", "--seed", seed]);
        let outcome = events.of("insert", "random").clone();
        (outcome["cases"].clone(), outcome["distinct"].clone())
    };
    assert_eq!(distinct("1"), distinct("1"));
    assert_ne!(distinct("1"), distinct("2"));
}
