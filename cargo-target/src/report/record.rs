//! The record of a run: a file of its events, one JSON object a line. [`crate::commands::report`] can make every report
//! from it again.
//!
//! Each line is written before the next event happens, so the record of a killed run is readable. The newest [`KEPT`]
//! runs are kept, and older ones that are still running.

mod folder;
mod source;
mod lock;
mod find;
mod read;

pub use find::{all, find, summary};
pub use folder::page_of;
pub use read::Events;
pub use source::Source;

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::events::Event;
use crate::events::words;
use crate::system::exit_code;
use folder::{EVENTS, id};
use lock::Lock;

/// Number of runs that are kept.
pub const KEPT: usize = 20;

/// A record that is being written.
pub struct Record {
    folder: PathBuf,
    file: File,
    /// Keeps other runs from removing it.
    _lock: Option<Lock>,
    /// Whether a function ran, a mistake was found, or the run broke off: otherwise there is nothing to report.
    says_something: bool,
}

impl Record {
    /// Starts the record of a new run. Removes the oldest records beyond [`KEPT`], except those still being written.
    pub fn begin(runs: &Path) -> Result<Record> {
        Record::begin_as(runs, &id(SystemTime::now(), std::process::id()))
    }

    fn begin_as(runs: &Path, id: &str) -> Result<Record> {
        fs::create_dir_all(runs).with_context(|| format!("create {}", runs.display()))?;
        lock::sweep(runs);
        // Taken first, so that no other run removes the folder.
        let lock = Lock::take(runs, id)?;
        let folder = runs.join(id);
        fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
        let path = folder.join(EVENTS);
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let file = file.with_context(|| format!("create {}", path.display()))?;
        // The clock may have been set back.
        for old in all(runs)?.into_iter().skip(KEPT).filter(|old| old != id) {
            lock::if_free(runs, &old, || {
                // Another run may be removing it, too.
                let _ = fs::remove_dir_all(runs.join(&old));
            });
        }
        Ok(Record { folder, file, _lock: lock, says_something: false })
    }

    /// Writes an event.
    pub fn event(&mut self, event: &Event) -> Result<()> {
        self.says_something |= match event {
            Event::FunctionFinished(_) | Event::Diagnostic(_) => true,
            // A mistake on the command line needs no report.
            Event::RunFinished(finished) => {
                finished.exit_code != exit_code::USAGE && words::broken_off(Some(finished)).is_some()
            }
            _ => false,
        };
        let mut line = serde_json::to_string(event).context("write an event as JSON")?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).with_context(|| format!("write {}", self.events().display()))
    }

    /// The path of the complete record. A record with nothing to report is removed.
    pub fn end(&self) -> Result<Option<PathBuf>> {
        if !self.says_something {
            let what = || format!("remove {}", self.folder.display());
            return fs::remove_dir_all(&self.folder).with_context(what).map(|()| None);
        }
        Ok(Some(self.events()))
    }

    /// Its file.
    pub fn events(&self) -> PathBuf {
        self.folder.join(EVENTS)
    }
}

#[cfg(test)]
mod tests;
