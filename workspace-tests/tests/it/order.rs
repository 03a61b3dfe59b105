//! The same output whatever the number of threads.

use serde_json::Value;

use crate::support::Fixture;

#[test]
fn one_thread_and_four_give_the_same_events() {
    let fixture = Fixture::new("order::threads", "scores");
    let without_time = |words: &[&str]| -> Vec<Value> {
        let mut events = fixture.run(words).all;
        for event in &mut events {
            if let Some(fields) = event.as_object_mut() {
                fields.remove("seconds");
            }
        }
        // Only a time budget may cut a run differently, and only the baselines run into theirs.
        events.retain(|event| event["stopped"] != "budget");
        events
    };
    let one = without_time(&["-j", "1", "--cases", "700", "--no-fail-fast"]);
    let four = without_time(&["-j", "4", "--cases", "700", "--no-fail-fast"]);
    assert!(one.len() > 20, "{one:#?}");
    assert_eq!(one, four);
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
