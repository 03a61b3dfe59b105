//! The regions that nothing reached, with their text: those of the planted mistakes, which are switched off, and others.

use serde_json::Value;

/// Prints the whole package's counts, and the lines of what wasn't reached.
pub fn print(events: &[Value]) {
    let package = events
        .iter()
        .find(|event| event["reason"] == "package-covered")
        .expect("events have the fields of the stream");
    let share = |of: &Value, what: &str| format!("{} of {} {what}", of[what]["covered"], of[what]["total"]);
    println!(
        "Of the whole library: {}, {}, {}.",
        share(package, "regions"),
        share(package, "lines"),
        share(package, "functions")
    );
    let (mut planted, mut n_others, mut others) = (0, 0, Vec::new());
    for file in package["files"].as_array().expect("events have the fields of the stream") {
        let lines: Vec<&str> =
            file["source"].as_str().expect("events have the fields of the stream").lines().collect();
        for region in file["uncovered"].as_array().expect("events have the fields of the stream") {
            let line = region["line"].as_u64().expect("events have the fields of the stream") as usize;
            if is_planted(&lines, line - 1) {
                planted += 1;
                continue;
            }
            n_others += 1;
            let shown = format!(
                "- `{}:{line}`: `{}`",
                file["file"].as_str().expect("events have the fields of the stream"),
                lines[line - 1].trim()
            );
            if others.last() != Some(&shown) {
                others.push(shown);
            }
        }
    }
    println!(
        "Of what isn't reached, {planted} regions are planted mistakes, switched off, and {n_others} are others, on:\n"
    );
    println!("{}\n", others.join("\n"));
}

/// Whether a line is part of what a feature of the fixture switches on: by indentation.
fn is_planted(lines: &[&str], line: usize) -> bool {
    let is_switch = |line: &str| line.contains("cfg!(feature");
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut inner = indentation(lines[line]);
    if is_switch(lines[line]) {
        return true;
    }
    for above in lines[..line].iter().rev().filter(|above| !above.trim().is_empty()) {
        if indentation(above) < inner {
            inner = indentation(above);
            if is_switch(above) {
                return true;
            }
        }
    }
    false
}
