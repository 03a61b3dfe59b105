//! `run --api` on the kinds of bugs that the papers on testing without specs show: each is found, its mended twin is not
//! told.

use crate::support::{Events, Fixture};

/// The findings as `function: message`.
fn findings(events: &Events) -> Vec<String> {
    let told = events.with_reason("finding").into_iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    told.map(|finding| format!("{}: {}", text(&finding["functions"][0]), text(&finding["message"]))).collect()
}

#[test]
fn the_bugs_of_the_papers_are_found_and_their_mended_twins_are_not_told() {
    let fixture = Fixture::new("casebook::all", "casebook");
    let events = fixture.run_as_is(&["--api", "--cases", "3000", "--budget", "120s"]);
    assert_eq!(events.code, 1, "{}", events.stderr);
    let found = findings(&events);
    for (function, message) in [
        ("containers::Tree::insert", "insert: non-exhaustive guards"),
        ("containers::Tree::least", "least: empty tree"),
        ("containers::Tree::without_root", "without_root: two subtrees"),
        ("containers::last_of", "last_of: no such element"),
        ("versions::fast_is_same", "words: the versions differ"),
        ("versions::roots_are_same", "root: the versions differ"),
        ("sequences::Ring::last", "index out of bounds"),
        ("sequences::Log::marked", "out of range for slice"),
        ("sequences::Name as Hash", "law of Hash"),
        ("sequences::About as PartialEq", "law of PartialEq"),
        ("sequences::Stamp as Ord", "law of Ord"),
        ("crashes::middle", "attempt to add with overflow"),
        ("crashes::zeros", "capacity overflow"),
        ("crashes::leading_number", "called `Option::unwrap()` on a `None` value"),
        ("crashes::initial", "not a char boundary"),
        ("crashes::percent", "attempt to divide by zero"),
        ("crashes::Shape::size", "size: 10 sides"),
        ("crashes::halvings", ""),
    ] {
        let is_it = |found: &String| {
            let message = message.strip_prefix("law of ").map_or(message, |_| "but ");
            found.starts_with(&format!("{function}: ")) && found.contains(message)
        };
        assert!(found.iter().any(is_it), "{function}: {message} in {found:#?}");
    }
    let is_right =
        |found: &&String| found.contains("mended") || found.contains("Rank") || found.contains("middle:");
    let wrong: Vec<&String> =
        found.iter().filter(is_right).filter(|found| !found.starts_with("crashes::middle:")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_serde_does_not_read_back_is_told() {
    let fixture = Fixture::new("casebook::postbox", "postbox");
    let events = fixture.run_as_is(&["--api", "--cases", "1000", "--budget", "60s"]);
    let mut found = findings(&events);
    found.sort();
    let functions: Vec<&str> = found.iter().filter_map(|found| found.split(": ").next()).collect();
    let law = |name: &str| format!("{name} as Deserialize");
    assert_eq!(functions, ["Level", "Limit", "Percent"].map(law), "{found:#?}\n{}", events.stderr);
    assert!(found[0].contains("as JSON is \"101\", which does not parse"), "{found:#?}");
    // The format may read a float as its neighbor, so no law is checked.
    let rows = events.with_reason("function-finished");
    assert!(!rows.iter().any(|row| row["function"] == law("Ratio")), "{rows:#?}");
    let tests = events.with_reason("finding").into_iter().filter_map(|finding| finding["test"].as_str());
    let tests: String = tests.map(|test| format!("{test}\n")).collect();
    fixture.write("tests/found.rs", &tests);
    let tested = fixture.cargo(&["test", "--offline", "--test", "found"]).output().unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    assert!(said.contains("0 passed; 3 failed"), "{said}{}", String::from_utf8_lossy(&tested.stderr));
}
