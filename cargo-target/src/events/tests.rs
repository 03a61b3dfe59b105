//! The JSON Schema of the stream is the one in the docs.

use expect_test::expect_file;

use super::*;

#[test]
fn the_schema_in_the_docs_is_that_of_the_events() {
    let schema = schemars::schema_for!(Event);
    let mut schema = schema.to_value();
    schema["title"] = format!("An event of cargo target, version {VERSION}").into();
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    expect_file!["../../../docs/events.schema.json"].assert_eq(&text);
}
