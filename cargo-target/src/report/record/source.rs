//! Where events are read from: standard input, or a file.

use std::path::{Path, PathBuf};

use super::folder::EVENTS;
use crate::system::files::from_here;

/// Where events are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The source for a path: `-`, a file of events, or the folder of a run. `None` if nothing is there.
    pub fn of_path(text: &str) -> Option<Source> {
        let path = Path::new(text);
        let inside = path.join(EVENTS);
        match text {
            "-" => Some(Source::Stdin),
            _ if inside.is_file() => Some(Source::File(inside)),
            _ => path.is_file().then(|| Source::File(path.to_owned())),
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Source::Stdin => "standard input".to_owned(),
            Source::File(path) => from_here(path),
        }
    }
}
