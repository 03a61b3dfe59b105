//! Signs of life: while something takes long that no terminal shows, a line every few seconds says so.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Time before the first line.
const FIRST: Duration = Duration::from_secs(5);

/// Time between two lines.
const BETWEEN: Duration = Duration::from_secs(15);

/// Prints the lines until it is dropped.
pub struct Waiting {
    _ended: Option<Sender<()>>,
}

impl Waiting {
    /// Begins to wait for what is done: `Building`, `scores`. Prints nothing on a terminal, or if it is not `wanted`.
    pub fn begin(word: &'static str, what: String, wanted: bool) -> Waiting {
        if !wanted || std::io::stderr().is_terminal() {
            return Waiting { _ended: None };
        }
        let (sender, ended) = mpsc::channel();
        let began = Instant::now();
        thread::spawn(move || {
            let mut pause = FIRST;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                errln!("{word:>12} {what} for {} s", began.elapsed().as_secs());
                pause = BETWEEN;
            }
        });
        Waiting { _ended: Some(sender) }
    }
}
