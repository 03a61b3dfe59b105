//! A run, and what other tools read of it: JUnit, annotations, Markdown, observations, the schema of the events.

use std::fs;

use serde_json::Value;

use crate::schema::Schema;
use crate::support::{Fixture, Printed};

/// The schema in `docs`.
fn schema() -> Schema {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/events.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    Schema::new(schema)
}

#[track_caller]
fn assert_valid(schema: &Schema, line: &Value) {
    let errors = schema.errors(line);
    assert!(errors.is_empty(), "{errors:#?}\n{line:#}");
}

fn report(fixture: &Fixture, format: &str) -> String {
    let Printed { code, stdout, stderr } = fixture.target(&["report", "events.jsonl", "--format", format]);
    assert_eq!(code, 0, "{stderr}");
    stdout
}

#[test]
fn a_run_is_shown_in_every_format_and_follows_its_schema() {
    let fixture = Fixture::new("reports::formats", "scores");
    let words = ["run", "--message-format", "json", "--exact", "rescale_nat", "insert"];
    let words = [&words[..], &["--observations", "observed.jsonl", "--observed", "100"]].concat();
    let printed = fixture.target(&words);
    assert_eq!(printed.code, 1, "{}", printed.stderr);
    let schema = schema();
    for line in printed.stdout.lines() {
        assert_valid(&schema, &serde_json::from_str(line).unwrap());
    }
    let broken = printed.stdout.replace("\"verdict\":\"failed\"", "\"verdict\":\"fialed\"");
    assert!(broken.lines().any(|line| !schema.is_valid(&serde_json::from_str(line).unwrap())));
    fixture.write("events.jsonl", &printed.stdout);

    let junit = report(&fixture, "junit");
    let counts = r#"<testsuites name="cargo-target" tests="2" skipped="0" failures="1" errors="0""#;
    assert!(junit.contains(counts), "{junit}");
    assert!(junit.contains(r#"message="rescale_nat(1, 0, 0) returned 0" type="result""#), "{junit}");

    let text = fixture.read("Cargo.toml");
    let (line, column) = text
        .lines()
        .enumerate()
        .find_map(|(number, line)| {
            let is_wanted = line.starts_with("\"Rng(n: int)\"");
            is_wanted.then(|| (number + 1, line.find("v < n").unwrap() + 1))
        })
        .unwrap();
    let github = report(&fixture, "github");
    let place =
        format!("::error file=Cargo.toml,line={line},col={column},title=rescale_nat%3A counterexample::");
    assert!(github.starts_with(&place) && github.lines().count() == 1, "{github}");

    let markdown = report(&fixture, "markdown");
    assert!(markdown.starts_with("## cargo target: 2 functions: 1 passed, 1 failed\n"), "{markdown}");
    assert!(markdown.contains("| <code>rescale_nat</code> | **failed** | 1 | 1 | 1 |"), "{markdown}");
    assert!(markdown.contains("<details><summary><code>rescale_nat</code>: failed</summary>"), "{markdown}");

    observations(&fixture.read("observed.jsonl"));
}

/// The lines are as "PBT observations" want them.
fn observations(text: &str) {
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let common = serde_json::json!({ "property": { "type": "string" }, "run_start": { "type": "number" } });
    let object = |kind: Value, more: Value| {
        let mut properties = common.clone();
        properties["type"] = kind;
        properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        serde_json::json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false
        })
    };
    let case = serde_json::json!({
        "status": { "enum": ["passed", "failed", "gave_up"] }, "status_reason": { "type": "string" },
        "representation": { "type": "string" }, "arguments": { "type": "object" },
        "how_generated": { "type": ["string", "null"] }, "features": { "type": "object" },
        "coverage": { "type": ["object", "null"] },
        "timing": { "type": "object", "additionalProperties": { "type": "number", "minimum": 0 } },
        "metadata": { "type": "object" }
    });
    let info =
        serde_json::json!({ "title": { "type": "string" }, "content": { "type": ["string", "object"] } });
    let one_of = [
        object(serde_json::json!({ "const": "test_case" }), case),
        object(serde_json::json!({ "enum": ["info", "alert", "error"] }), info),
    ];
    let schema = Schema::new(serde_json::json!({ "oneOf": one_of }));
    lines.iter().for_each(|line| assert_valid(&schema, line));

    let of = |property: &str, how: &str| {
        let wanted = |line: &&Value| line["property"] == property && line["how_generated"] == how;
        lines.iter().filter(wanted).collect::<Vec<_>>()
    };
    let found = of("scores::rescale_nat", "auto");
    let [found] = found.as_slice() else { panic!("the first case fails: {found:#?}") };
    assert_eq!(
        (&found["status"], &found["representation"]),
        (&"failed".into(), &"rescale_nat(2, 0, 1)".into())
    );
    assert_eq!(found["arguments"], serde_json::json!({ "r1": 2, "r2": 0, "s": 1 }));
    assert_eq!(found["status_reason"], "result: breaks `v < r2`");
    let random = of("scores::insert", "random");
    assert_eq!(random.len(), 100);
    assert!(random.iter().any(|line| line["status"] == "gave_up"));
    assert!(random.iter().any(|line| line["status"] == "passed" && line["arguments"]["xs"].is_array()));
    let title = |line: &&Value| line["property"] == "scores::insert" && line["title"] == "auto: passed";
    let verdict = lines.iter().find(title).unwrap()["content"].as_str().unwrap();
    assert_eq!(verdict, "630 valid, 0 discarded, 630 distinct; 100 of 630 cases are observed");
}

#[test]
fn generators_are_compared_and_ranked() {
    let fixture = Fixture::new("reports::compared", "scores");
    let words = ["compare-generators", "--repeat", "3", "--budget", "5s", "-g", "native,random"];
    let words = [&words[..], &["--exact", "rescale_nat", "rescale"]].concat();
    let printed = fixture.target(&[&words[..], &["--message-format", "json"]].concat());
    assert_eq!(printed.code, 0, "{}", printed.stderr);
    fixture.write("events.jsonl", &printed.stdout);
    let text = report(&fixture, "terminal");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(!text.contains("counterexample"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["native 3/3 1 ", "random 3/3 ", "ranking (2 functions, 3 rounds)"] {
        assert!(words.contains(part), "{part} in {text}");
    }
    assert!(text.ends_with("2 functions: 1 passed, 1 failed\n"), "{text}");
    let markdown = report(&fixture, "markdown");
    assert!(markdown.contains("| function | <code>native</code> | <code>random</code> |\n"), "{markdown}");
    assert!(!markdown.contains("<details>"), "{markdown}");
    let seeds: Vec<Value> = printed
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["function"] == "rescale_nat" && event["generator"] == "random")
        .map(|event| event["seed"].clone())
        .collect();
    assert_eq!(seeds, [0, 1, 2]);
}

#[test]
fn a_file_of_observations_that_cannot_be_written_is_told_before_anything_runs() {
    let fixture = Fixture::new("reports::nowhere", "scores");
    let printed = fixture.target(&["run", "--observations", "no/such/folder/x.jsonl"]);
    assert_eq!(printed.code, 2, "{}", printed.stderr);
    assert!(
        printed.stderr.contains("--observations can't write no/such/folder/x.jsonl"),
        "{}",
        printed.stderr
    );
    assert_eq!(printed.stdout, "");
}
