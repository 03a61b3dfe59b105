//! Reads a record's events one at a time, since a record may be too large for memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, stdin};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::source::Source;
use crate::events::{Event, VERSION};
use crate::system::exit_code::usage;

/// Maximum length of the first line, in bytes. A file without line breaks isn't read to its end.
const LONGEST_FIRST: u64 = 1 << 20;

/// Maximum length of another line, in bytes.
const LONGEST: u64 = 256 << 20;

/// The events of a record.
pub struct Events {
    lines: Box<dyn BufRead>,
    /// Its name in messages.
    name: String,
    /// The number of the last line read.
    line: usize,
    /// Whether the first event was read.
    has_begun: bool,
    /// Maximum length of a line after the first event, in bytes.
    longest: u64,
    ended: bool,
}

/// The first line, in any version.
#[derive(Deserialize)]
struct First {
    reason: String,
    version: u32,
}

impl Events {
    /// Opens a record.
    pub fn open(source: &Source) -> Result<Events> {
        let lines: Box<dyn BufRead> = match source {
            Source::Stdin => Box::new(stdin().lock()),
            Source::File(path) => {
                let file = File::open(path).with_context(|| format!("open {}", path.display()))?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
        };
        Ok(Events::new(lines, source.name()))
    }

    fn new(lines: Box<dyn BufRead>, name: String) -> Events {
        Events { lines, name, line: 0, has_begun: false, longest: LONGEST, ended: false }
    }

    /// The next event; `None` at the end.
    fn read(&mut self) -> Result<Option<Event>> {
        loop {
            let mut line = Vec::new();
            let longest = if self.has_begun { self.longest } else { LONGEST_FIRST };
            let read = self.lines.by_ref().take(longest + 1).read_until(b'\n', &mut line);
            if read.with_context(|| format!("read {}", self.name))? == 0 {
                return match self.line {
                    0 => Err(usage(format!("{} is empty: the run ended before its first event", self.name))),
                    _ => Ok(None),
                };
            }
            self.line += 1;
            let is_too_long = line.len() as u64 > longest;
            if !is_too_long && line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            if !self.has_begun {
                self.check_version(&line)?;
                self.has_begun = true;
            }
            if is_too_long {
                return Err(usage(format!(
                    "line {} of {} is too long for an event of a run",
                    self.line, self.name
                )));
            }
            return match serde_json::from_slice(&line) {
                Ok(event) => Ok(Some(event)),
                // The writing process was killed in this line.
                Err(_) if !line.ends_with(b"\n") => {
                    errln!("note: line {} of {} breaks off, and is left out", self.line, self.name);
                    Ok(None)
                }
                Err(error) => {
                    Err(usage(format!("line {} of {} is no event of a run: {error}", self.line, self.name)))
                }
            };
        }
    }

    fn check_version(&self, line: &[u8]) -> Result<()> {
        let first = serde_json::from_slice::<First>(line).ok().filter(|first| first.reason == "run-started");
        let name = &self.name;
        match first {
            Some(First { version: VERSION, .. }) => Ok(()),
            Some(First { version, .. }) => Err(usage(format!(
                "{name} has events of version {version}, and this is a cargo-target for version {VERSION}: take the one \
                 that wrote it, or run `cargo target run` again"
            ))),
            None => Err(usage(format!(
                "{name} is no record of a run: its first line isn't the `run-started` event that `cargo target run \
                 --message-format json` begins with"
            ))),
        }
    }
}

impl Iterator for Events {
    type Item = Result<Event>;

    fn next(&mut self) -> Option<Result<Event>> {
        if self.ended {
            return None;
        }
        let event = self.read().transpose();
        self.ended = !matches!(event, Some(Ok(_)));
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Vec<Result<String, String>> {
        let events = Events::new(Box::new(text.as_bytes()), "x.jsonl".to_owned());
        let show = |event: Event| match event {
            Event::RunStarted(_) => "started".to_owned(),
            Event::RunFinished(counts) => format!("finished {}", counts.functions),
            _ => "other".to_owned(),
        };
        events.map(|event| event.map(show).map_err(|error| error.to_string())).collect()
    }

    macro_rules! first {
        () => {
            r#"{"reason":"run-started","version":3,"tool":"0","functions":1,"generators":["smt"],"seed":0,"rounds":1,"started":0,"profile":"x"}"#
        };
    }

    #[test]
    fn a_line_that_breaks_off_is_left_out() {
        assert_eq!(read(concat!(first!(), "\n{\"reason\":\"run-fin")), [Ok("started".to_owned())]);
    }

    #[test]
    fn what_is_no_event_is_an_error_and_the_end() {
        let [Ok(_), Err(error)] = &read(concat!(first!(), "\n{\"reason\":\"else\"}\nx\n"))[..] else {
            panic!()
        };
        assert!(
            error.starts_with("line 2 of x.jsonl is no event of a run: unknown variant `else`"),
            "{error}"
        );
    }

    #[test]
    fn a_file_without_lines_is_not_read_to_its_end() {
        let mut events = Events::new(Box::new(BufReader::new(std::io::repeat(0))), "x.jsonl".to_owned());
        let Some(Err(error)) = events.next() else { panic!("an error") };
        let error = error.to_string();
        assert!(error.starts_with("x.jsonl is no record of a run"), "{error}");
        let first = concat!("\n", first!(), "\n").as_bytes();
        let endless = first.chain(std::io::repeat(b' '));
        let mut events = Events::new(Box::new(BufReader::new(endless)), "x.jsonl".to_owned());
        events.longest = 1 << 10;
        assert!(events.next().is_some_and(|event| event.is_ok()));
        let Some(Err(error)) = events.next() else { panic!("an error") };
        assert_eq!(error.to_string(), "line 3 of x.jsonl is too long for an event of a run");
    }

    #[test]
    fn another_version_is_told_apart_from_another_file() {
        let [Err(error)] = &read("{\"reason\":\"run-started\",\"version\":1,\"old\":true}\n")[..] else {
            panic!()
        };
        assert!(error.contains("events of version 1, and this is a cargo-target for version 3"), "{error}");
        let [Err(error)] = &read("{\"name\":\"x\"}\n")[..] else { panic!() };
        assert!(error.starts_with("x.jsonl is no record of a run"), "{error}");
        let [Err(error)] = &read("")[..] else { panic!() };
        assert!(error.starts_with("x.jsonl is empty"), "{error}");
    }
}
