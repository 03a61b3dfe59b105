//! The machine-readable report: every event as it is, one JSON object a line on standard output.

use std::io::Write;

use crate::event::Event;

/// Prints an event. A reader that has gone away is no reason to fail.
pub fn print(event: &Event) {
    let line = serde_json::to_string(event).expect("an event has string keys and finite numbers");
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}
