//! Reports of made-up events, read back.

use expect_test::expect;
use quick_junit::TestCase;

use super::*;
use crate::report::sample;

fn read(events: Vec<Event>) -> Report {
    let xml = render(sample::recorded(events)).unwrap();
    Report::deserialize_from_str(&xml).unwrap_or_else(|error| panic!("{error} in\n{xml}"))
}

fn line(case: &TestCase) -> String {
    let class = case.classname.as_ref().map_or("-", |name| name.as_str());
    let status = match &case.status {
        TestCaseStatus::Success { .. } => "success".to_owned(),
        TestCaseStatus::NonSuccess { kind, ty, message, .. } => {
            let text = |text: &Option<quick_junit::XmlString>| text.as_ref().unwrap().as_str().to_owned();
            format!("{kind:?} {}: {:?}", text(ty), text(message))
        }
        TestCaseStatus::Skipped { .. } => "skipped".to_owned(),
    };
    format!("{class} {}: {status}\n", case.name.as_str())
}

#[test]
fn it_reads_back_with_the_names_and_messages_that_went_in() {
    let report = read(sample::hostile());
    assert_eq!((report.tests, report.failures, report.errors), (5, 1, 3));
    let text: String = report.test_suites.iter().flat_map(|suite| &suite.test_cases).map(line).collect();
    expect![[r#"
        cargo-target my,dir:x/Cargo.toml:5:9: Error diagnostic: "there is no type `Foo|<i>`"
        scores fine: success
        scores </code>|::error::%0A`x`: Failure panic: "</code>|::error::%0A`x`(1, vec![2]) panicked: ]]> </failure> <script>alert(1)</script> ::warning::100%, a: b ``` \\u{1b}[31m\\u{0}\\u{202e} | @everyone"
        scores empty: Error vacuous: "no input within depth and bound satisfies the spec"
        scores lonely: Error gave-up: "no valid input was found"
    "#]]
    .assert_eq(&text);
    let suite = &report.test_suites[1];
    assert_eq!(suite.time, Some(Duration::from_secs(3)));
    let properties: Vec<String> = suite.test_cases[0]
        .properties
        .iter()
        .map(|p| format!("{}={}", p.name.as_str(), p.value.as_str()))
        .collect();
    assert_eq!(
        properties,
        [
            "native=passed: 10 valid, 2 discarded, 10 distinct, exhausted",
            "random=passed: 10 valid, 2 discarded, 10 distinct, budget"
        ]
    );
}

#[test]
fn a_failure_has_the_test_and_the_command() {
    let xml = render(sample::recorded(sample::hostile())).unwrap();
    assert!(xml.contains("let _result = f(1, vec![2]);\n}\n\nagain: cargo target run"), "{xml}");
    assert!(xml.contains("breaks `v &lt; n || n &gt; 3`  Cargo.toml:22:40"), "{xml}");
}

#[test]
fn a_run_that_came_to_nothing_is_an_error() {
    let counts = RunFinished { exit_code: crate::system::exit_code::BUILD, ..RunFinished::default() };
    let report = read(vec![sample::started(1, false), sample::finished(counts)]);
    assert_eq!(
        line(&report.test_suites[0].test_cases[0]),
        "cargo-target run: Error run: \"the crate does not build\"\n"
    );
    assert_eq!(read(vec![sample::started(1, false)]).errors, 1);
    let counts = RunFinished { exit_code: crate::system::exit_code::USAGE, ..RunFinished::default() };
    assert_eq!(read(vec![sample::started(1, false), sample::finished(counts)]).errors, 1);
}
