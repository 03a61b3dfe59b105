//! The machine-readable report: every event as it is, one JSON object a line.

use std::io::Write;

use anyhow::Result;

use crate::events::Event;
use crate::system::console;

/// Prints an event on standard output.
pub fn print(event: &Event) {
    console::exact(line(event) + "\n");
}

/// Writes recorded events.
pub fn write(events: impl Iterator<Item = Result<Event>>, out: &mut dyn Write) -> Result<()> {
    for event in events {
        writeln!(out, "{}", line(&event?))?;
    }
    Ok(out.flush()?)
}

fn line(event: &Event) -> String {
    serde_json::to_string(event).expect("an event has string keys and finite numbers")
}
