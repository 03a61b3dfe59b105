//! One thread that watches the shared pages of all children: it kills slow children and forwards stop requests.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use target_strategies::child::protocol::{Aside, Phase};
use target_strategies::child::serve::page::{Cursor, Page};

use super::process;

/// Time limit for a child to reach the first case of a batch. No case is to blame, so the user's limit doesn't apply.
const SETUP: Duration = Duration::from_secs(120);

/// Extra time after a case is over: the child waits for copies of itself that the subject forked.
const BETWEEN: Duration = Duration::from_secs(2);

/// A sequence of calls that makes an argument has one part of this many of the time limit. Each of the calls has all of it where it is tested
/// itself, and so many cases begin with such a sequence that a slow one would use up a function's time.
pub const MAKING: u32 = 8;

/// Returns whether to stop: then no more cases begin.
pub type ShouldStop = Arc<dyn Fn() -> bool + Send + Sync>;

/// Handle of the watching thread, which ends when this is dropped.
#[derive(Debug)]
pub struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    watched: Mutex<Vec<Weak<Watched>>>,
    over: AtomicBool,
}

/// A watched child.
pub struct Watched {
    /// Shows the child's progress.
    pub page: Page,
    timeout: Duration,
    should_stop: ShouldStop,
    state: Mutex<State>,
}

/// The watchdog's record of a child.
#[derive(Debug)]
struct State {
    /// `None` once the child may have been reaped, and another process may have its number.
    pid: Option<u32>,
    /// Its cursor when it last moved, and when; `None` while no batch runs.
    seen: Option<(Cursor, Instant)>,
    /// The argument that the case makes, and since when.
    making: Option<(u64, Instant)>,
    timed_out: bool,
}

impl Watchdog {
    /// Starts the thread. It checks often enough to enforce this limit.
    pub fn start(timeout: Duration) -> std::io::Result<Watchdog> {
        let interval = (timeout / 8).clamp(Duration::from_millis(1), Duration::from_millis(20));
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        let thread = thread::Builder::new().name("watchdog".to_string()).spawn(move || {
            while !theirs.over.load(Ordering::Acquire) {
                theirs.look();
                thread::park_timeout(interval);
            }
        })?;
        Ok(Watchdog { shared, thread: Some(thread) })
    }

    /// Watches a child for as long as the handle lives.
    pub fn watch(&self, pid: u32, page: Page, timeout: Duration, should_stop: ShouldStop) -> Arc<Watched> {
        let state = Mutex::new(State { pid: Some(pid), seen: None, making: None, timed_out: false });
        let watched = Arc::new(Watched { page, timeout, should_stop, state });
        lock(&self.shared.watched).push(Arc::downgrade(&watched));
        watched
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The thread panics only by a bug of the tool; a drop must not panic again.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn look(&self) {
        let watched: Vec<Arc<Watched>> = {
            let mut list = lock(&self.watched);
            list.retain(|watched| watched.strong_count() > 0);
            list.iter().filter_map(Weak::upgrade).collect()
        };
        for watched in watched {
            watched.look();
        }
    }
}

impl Watched {
    /// A batch begins: from now on the child must make progress.
    pub fn begin_batch(&self) {
        lock(&self.state).seen = Some((self.page.cursor(), Instant::now()));
    }

    /// The batch is over; the child may be idle.
    pub fn end_batch(&self) {
        lock(&self.state).seen = None;
    }

    /// Call before reaping the child. Returns whether the watchdog had killed it.
    pub fn release(&self) -> bool {
        let mut state = lock(&self.state);
        state.pid = None;
        state.timed_out
    }

    fn look(&self) {
        let mut state = lock(&self.state);
        let (Some(pid), Some((cursor, since))) = (state.pid, state.seen) else { return };
        if (self.should_stop)() {
            self.page.ask_to_stop();
        }
        let now = self.page.cursor();
        if now.begun != cursor.begun {
            state.seen = Some((now, Instant::now()));
            state.making = None;
            return;
        }
        let limit = match now.phase {
            _ if now.begun == 0 => SETUP.max(self.timeout),
            Phase::Idle => self.timeout + BETWEEN,
            Phase::Precondition | Phase::Running | Phase::Outcome => self.timeout,
        };
        let is_late = self.makes_too_long(&mut state, now.phase) || since.elapsed() > limit;
        if is_late && !state.timed_out {
            state.timed_out = true;
            process::ask_to_end(pid);
        } else if since.elapsed() > limit + process::PATIENCE && state.timed_out {
            process::kill_group(pid);
        }
    }

    /// Whether the child makes one argument for too long.
    fn makes_too_long(&self, state: &mut State, phase: Phase) -> bool {
        let word = self.page.making().filter(|_| phase == Phase::Running);
        let word = word.filter(|word| Aside::of_word(*word) == Some(Aside::Making));
        if state.making.map(|(word, _)| word) != word {
            state.making = word.map(|word| (word, Instant::now()));
        }
        state.making.is_some_and(|(_, since)| since.elapsed() > self.timeout / MAKING)
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").field("state", &self.state).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use target_strategies::child::protocol::Progress;

    use super::*;

    #[test]
    fn each_argument_has_a_part_of_the_time() {
        let file = tempfile::tempfile().expect("a file can be made");
        file.set_len(Progress::LEN as u64).expect("a file can grow");
        let watched = |timeout| {
            let state = Mutex::new(State { pid: None, seen: None, making: None, timed_out: false });
            let page = Page::map(&file).expect("a file can be mapped");
            Watched { page, timeout, should_stop: Arc::new(|| false), state }
        };
        let (no_time, much) = (watched(Duration::ZERO), watched(Duration::from_secs(3600)));
        let too_long = |watched: &Watched, phase| watched.makes_too_long(&mut lock(&watched.state), phase);
        assert!(!too_long(&no_time, Phase::Running), "nothing is made");
        no_time.page.set_making(Aside::Looking.word(4));
        assert!(!too_long(&no_time, Phase::Running), "an argument is looked at");
        no_time.page.set_making(Aside::Making.word(4));
        assert!(!too_long(&no_time, Phase::Outcome), "nothing is made any more");
        too_long(&no_time, Phase::Running);
        assert!(too_long(&no_time, Phase::Running));
        too_long(&much, Phase::Running);
        let since = |watched: &Watched| lock(&watched.state).making.map(|(_, since)| since);
        let first = since(&much);
        assert!(!too_long(&much, Phase::Running) && since(&much) == first);
        much.page.set_making(Aside::Making.word(8));
        assert!(
            !too_long(&much, Phase::Running) && since(&much) > first,
            "the next argument has its own time"
        );
    }
}
