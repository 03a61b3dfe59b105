//! `run --api` varies the parts of arguments that matter: failures behind several decisions are found within few cases.

use crate::support::Fixture;

#[test]
fn failures_that_several_arguments_decide_on_are_found() {
    let fixture = Fixture::new("needed::machine", "machine");
    let events = fixture.run_as_is(&["--api", "--cases", "6000", "--budget", "120s"]);
    let found: Vec<&str> =
        events.with_reason("finding").iter().filter_map(|finding| finding["message"].as_str()).collect();
    let of = |text: &str| found.iter().any(|message| message.contains(text));
    // Each takes two arguments or more, and one decides whether the others are looked at.
    for wanted in ["stopped at the end", "a hole in the decoder", "backwards", "loaded"] {
        assert!(of(wanted), "{wanted}: {found:#?}\n{}", events.stderr);
    }
    for row in events.with_reason("function-finished") {
        assert!(row["cases_to_failure"].as_u64() <= Some(5000), "{row:#}");
    }
    // Also where the first inputs with a trace are large, so that they have more parts than are tried at once.
    let events = fixture.run_as_is(&["--api", "step", "--seed", "2", "--cases", "6000", "--budget", "120s"]);
    assert!(events.of("step", "api")["cases_to_failure"].as_u64().is_some_and(|n| n <= 4000));
    // The counters write no profile into the user's folder.
    let files = std::fs::read_dir(&fixture.root).unwrap().map(|file| file.unwrap().file_name());
    let profiles: Vec<_> = files.filter(|name| name.to_string_lossy().ends_with(".profraw")).collect();
    assert!(profiles.is_empty(), "{profiles:?}");
}
