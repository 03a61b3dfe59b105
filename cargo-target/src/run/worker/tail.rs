//! The end of a child's standard error, read while the child runs.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Bytes that are kept: enough for a panic message.
const KEPT: usize = 16 << 10;

/// How long to wait for the end of a dead child's output. Only a program that it started and that still runs delays it.
const PATIENCE: Duration = Duration::from_millis(300);

/// The end of a stream, read by a thread.
#[derive(Clone, Debug)]
pub struct Tail(Arc<(Mutex<State>, Condvar)>);

#[derive(Debug, Default)]
struct State {
    bytes: VecDeque<u8>,
    ended: bool,
}

impl Tail {
    /// Reads a stream to its end, in a thread of its own.
    pub fn follow(mut stream: impl Read + Send + 'static) -> std::io::Result<Tail> {
        let tail = Tail(Arc::default());
        let theirs = tail.clone();
        thread::Builder::new().name("stderr".to_string()).spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                match stream.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(len) => theirs.push(&buffer[..len]),
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            let (state, ended) = &*theirs.0;
            state.lock().unwrap_or_else(PoisonError::into_inner).ended = true;
            ended.notify_all();
        })?;
        Ok(tail)
    }

    fn push(&self, bytes: &[u8]) {
        let mut state = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.bytes.extend(bytes);
        let excess = state.bytes.len().saturating_sub(KEPT);
        state.bytes.drain(..excess);
    }

    /// The last output of a dead child.
    pub fn last_words(&self) -> String {
        let (state, ended) = &*self.0;
        let state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut state, _) = ended
            .wait_timeout_while(state, PATIENCE, |state| !state.ended)
            .unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(state.bytes.make_contiguous()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let text = format!("{}the end", "x".repeat(KEPT * 3));
        let last_words =
            Tail::follow(std::io::Cursor::new(text)).expect("a thread can be started").last_words();
        assert_eq!(last_words.len(), KEPT);
        assert!(last_words.ends_with("xthe end"));
    }
}
