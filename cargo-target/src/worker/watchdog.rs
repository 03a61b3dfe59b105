//! One thread that watches the pages of all children: kills what takes too long, passes on the wish to stop.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use target_strategies::protocol::Phase;
use target_strategies::serve::page::{Cursor, Page};

use super::process;

/// How long a child may take before it begins the first case of a batch: nobody's case, so not the user's limit.
const SETUP: Duration = Duration::from_secs(120);

/// How much longer it may take if the case is over: the child waits for copies that the subject made of it.
const BETWEEN: Duration = Duration::from_secs(2);

/// Says whether cases shall still be begun.
pub type ShouldStop = Arc<dyn Fn() -> bool + Send + Sync>;

/// The watching thread; it ends with this handle.
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

/// A child under watch.
pub struct Watched {
    /// What it is doing.
    pub page: Page,
    timeout: Duration,
    should_stop: ShouldStop,
    state: Mutex<State>,
}

/// What the watchdog knows of a child.
#[derive(Debug)]
struct State {
    /// `None` once it may have been reaped, and the number belong to another.
    pid: Option<u32>,
    /// Where it was when it last moved; `None` while no batch runs.
    seen: Option<(Cursor, Instant)>,
    timed_out: bool,
}

impl Watchdog {
    /// Starts watching, often enough to keep to such a limit.
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
        let state = Mutex::new(State { pid: Some(pid), seen: None, timed_out: false });
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
            // It can only have panicked on a mistake of ours, which is no reason to panic again while dropping.
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
    /// A batch begins: from now on the child has to move.
    pub fn begin_batch(&self) {
        lock(&self.state).seen = Some((self.page.cursor(), Instant::now()));
    }

    /// The batch is over; the child may rest.
    pub fn end_batch(&self) {
        lock(&self.state).seen = None;
    }

    /// The child may be reaped after this; whether the watchdog had killed it.
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
            return;
        }
        let limit = match now.phase {
            _ if now.begun == 0 => SETUP.max(self.timeout),
            Phase::Idle => self.timeout + BETWEEN,
            Phase::Precondition | Phase::Running | Phase::Outcome => self.timeout,
        };
        if since.elapsed() > limit && !state.timed_out {
            state.timed_out = true;
            process::ask_to_end(pid);
        } else if since.elapsed() > limit + process::PATIENCE && state.timed_out {
            process::kill_group(pid);
        }
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
