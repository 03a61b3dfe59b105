//! Lists the records, and finds the one that the user means.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, Result};

use super::folder::{EVENTS, is_id};
use super::source::Source;
use crate::events::{Event, RunFinished, RunStarted};
use crate::system::exit_code::usage;

/// The ids of the runs in a folder, the newest first.
pub fn all(runs: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(runs) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("read {}", runs.display())),
    };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut ids: Vec<String> = names.filter(|name| is_id(name)).collect();
    // Of runs that began within a second, later ones mostly have greater process numbers.
    let key = |id: &String| {
        let (time, process) = id.split_once('-').expect("an id has a dash");
        (time.to_owned(), process.len(), process.to_owned())
    };
    ids.sort_unstable_by_key(|id| Reverse(key(id)));
    Ok(ids)
}

/// The run with that id or beginning of an id; the newest one if none is given.
pub fn find(runs: &Path, asked: Option<&str>) -> Result<Source> {
    let ids = all(runs)?;
    let events = |id: &String| Source::File(runs.join(id).join(EVENTS));
    let Some(newest) = ids.first() else {
        let there = match asked {
            Some(asked) => format!("no file `{asked}`, and no run is recorded yet"),
            None => "no run is recorded yet".to_owned(),
        };
        return Err(usage(format!("{there}: `cargo target run` records one")));
    };
    let Some(asked) = asked else { return Ok(events(newest)) };
    let is_meant = |id: &&String| !asked.is_empty() && id.starts_with(asked);
    let meant: Vec<&String> = ids.iter().filter(is_meant).collect();
    match meant.as_slice() {
        [one] => Ok(events(one)),
        [] => Err(usage(format!(
            "no run and no file `{asked}`: `cargo target report --list` lists the runs; the newest is {newest}"
        ))),
        several => match several.iter().find(|id| **id == asked) {
            Some(exact) => Ok(events(exact)),
            None => {
                let several: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
                Err(usage(format!("several runs begin with `{asked}`: {}", several.join(", "))))
            }
        },
    }
}

/// The first event of a run, and the last if it ended, without reading the events between.
pub fn summary(runs: &Path, id: &str) -> Result<(Option<RunStarted>, Option<RunFinished>)> {
    /// Bytes at the end that are read: more than the last event takes.
    const TAIL: u64 = 4096;
    let path = runs.join(id).join(EVENTS);
    let what = || format!("read {}", path.display());
    let mut file = BufReader::new(File::open(&path).with_context(what)?);
    let mut first = Vec::new();
    file.read_until(b'\n', &mut first).with_context(what)?;
    let length = file.seek(SeekFrom::End(0)).with_context(what)?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).with_context(what)?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail).with_context(what)?;
    let last = tail.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let started = match serde_json::from_slice(&first) {
        Ok(Event::RunStarted(started)) => Some(started),
        _ => None,
    };
    let finished = match serde_json::from_slice(last) {
        Ok(Event::RunFinished(finished)) => Some(finished),
        _ => None,
    };
    Ok((started, finished))
}
