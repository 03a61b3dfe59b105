//! The page of a run, in one file.

use std::io::Write;

use anyhow::Result;

use crate::event::Event;

/// Writes the page.
pub fn write(events: impl Iterator<Item = Result<Event>>, out: &mut dyn Write) -> Result<()> {
    for event in events {
        event?;
    }
    Ok(out.flush()?)
}
