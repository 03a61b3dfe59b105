//! The record of a run: its events, one JSON object a line, in a file of its own. Every report can be made from it again,
//! by [`crate::show`].
//!
//! Each line is in the file before the next event happens, so that what a killed run leaves behind can be read. The
//! newest [`KEPT`] runs are kept, and older ones that still go on.

mod find;
mod lock;
mod read;

pub use find::{Source, all, find, page_of, summary};
pub use read::Events;

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::event::Event;
use crate::exit_code;
use crate::project::Project;
use crate::report::words;
use lock::Lock;

/// How many runs are kept.
pub const KEPT: usize = 20;

/// The name of the file of events in a run's folder.
pub const EVENTS: &str = "events.jsonl";

/// The name of the page in a run's folder.
pub const PAGE: &str = "report.html";

/// A record in the making.
pub struct Record {
    folder: PathBuf,
    file: File,
    /// Keeps other runs from removing it.
    _lock: Option<Lock>,
    /// Whether a function ran, a mistake was found, or something broke the run off: without that there is nothing to report.
    says_something: bool,
}

impl Record {
    /// The record of a run that begins now; the oldest ones beyond [`KEPT`] are removed, but for those still written.
    pub fn begin(project: &Project) -> Result<Record> {
        Record::begin_as(&project.runs, &id(SystemTime::now(), std::process::id()))
    }

    fn begin_as(runs: &Path, id: &str) -> Result<Record> {
        fs::create_dir_all(runs).with_context(|| format!("create {}", runs.display()))?;
        lock::sweep(runs);
        // Before there is anything to remove.
        let lock = Lock::take(runs, id)?;
        let folder = runs.join(id);
        fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
        let path = folder.join(EVENTS);
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let file = file.with_context(|| format!("create {}", path.display()))?;
        // The clock may have gone back.
        for old in all(runs)?.into_iter().skip(KEPT).filter(|old| old != id) {
            lock::if_free(runs, &old, || {
                // Another run may be removing it, too.
                let _ = fs::remove_dir_all(runs.join(&old));
            });
        }
        Ok(Record { folder, file, _lock: lock, says_something: false })
    }

    /// Writes an event down.
    pub fn event(&mut self, event: &Event) -> Result<()> {
        self.says_something |= match event {
            Event::FunctionFinished(_) | Event::Diagnostic(_) => true,
            // Of a mistake on the command line nobody needs a report.
            Event::RunFinished(finished) => {
                finished.exit_code != exit_code::USAGE && words::broken_off(Some(finished)).is_some()
            }
            _ => false,
        };
        let mut line = serde_json::to_string(event).context("write an event as JSON")?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).with_context(|| format!("write {}", self.events().display()))
    }

    /// Its file, now that it is complete. A record that says nothing is removed.
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

/// The name of a run that begins then: `20261122T034501Z-1234`, by which runs sort.
fn id(now: SystemTime, process: u32) -> String {
    let time = humantime::format_rfc3339_seconds(now).to_string();
    format!("{}-{process}", time.replace(['-', ':'], ""))
}

/// Whether a file name can be a run's; whatever else lies in the folder is left alone.
fn is_id(name: &str) -> bool {
    let Some((time, process)) = name.split_once('-') else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (day, clock) = time.split_at_checked(8).unwrap_or_default();
    let clock = clock.strip_prefix('T').and_then(|clock| clock.strip_suffix('Z'));
    digits(process) && digits(day) && clock.is_some_and(|clock| clock.len() == 6 && digits(clock))
}

/// The folder that a file of events is in, if it is a run's.
fn folder_of_run(events: &Path) -> Option<&Path> {
    let folder = events.parent()?;
    let is_run = events.file_name()? == EVENTS && is_id(folder.file_name()?.to_str()?);
    is_run.then_some(folder)
}

#[cfg(test)]
mod tests;
