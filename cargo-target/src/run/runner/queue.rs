//! A bounded queue between the thread that produces batches and the workers.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a waiting thread checks whether its work is still needed.
const GLANCE: Duration = Duration::from_millis(10);

/// How long an item waits before another worker is worth starting.
const PATIENCE: Duration = Duration::from_millis(10);

/// First in, first out; closed from either side.
#[derive(Debug)]
pub struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    capacity: usize,
}

#[derive(Debug)]
struct State<T> {
    items: VecDeque<T>,
    closed: bool,
    /// Number of items taken.
    n_taken: u64,
}

impl<T> Queue<T> {
    /// A queue of at most so many items.
    pub fn new(capacity: usize) -> Queue<T> {
        let state = Mutex::new(State { items: VecDeque::new(), closed: false, n_taken: 0 });
        Queue { state, changed: Condvar::new(), capacity }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'q>(&self, state: MutexGuard<'q, State<T>>) -> MutexGuard<'q, State<T>> {
        self.changed.wait_timeout(state, GLANCE).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Adds an item once there is room; `false` if items are no longer needed.
    pub fn push(&self, item: T, unwanted: impl Fn() -> bool) -> bool {
        let mut state = self.lock();
        while !state.closed && !unwanted() {
            if state.items.len() < self.capacity {
                state.items.push_back(item);
                self.changed.notify_all();
                return true;
            }
            state = self.wait(state);
        }
        false
    }

    /// Takes the next item once there is one; `None` if the queue is closed or items are no longer needed.
    pub fn pop(&self, unwanted: impl Fn() -> bool) -> Option<T> {
        let mut state = self.lock();
        while !unwanted() {
            if let Some(item) = state.items.pop_front() {
                state.n_taken += 1;
                self.changed.notify_all();
                return Some(item);
            }
            if state.closed {
                return None;
            }
            state = self.wait(state);
        }
        None
    }

    /// Waits until this many items were taken, or an item has waited for long. Returns whether items may be left.
    pub fn await_taken(&self, n: u64, unwanted: impl Fn() -> bool) -> bool {
        let mut state = self.lock();
        let mut waits_since = None;
        while !unwanted() {
            waits_since =
                if state.items.is_empty() { None } else { waits_since.or_else(|| Some(Instant::now())) };
            let waits_long = waits_since.is_some_and(|since| since.elapsed() >= PATIENCE);
            if state.closed || state.n_taken >= n || waits_long {
                return !state.closed || !state.items.is_empty();
            }
            state = self.wait(state);
        }
        false
    }

    /// No more items will come.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn others_wait_for_the_first() {
        let queue = Queue::new(4);
        let glances = Cell::new(0);
        let loses_patience = || {
            glances.set(glances.get() + 1);
            glances.get() > 2
        };
        assert!(!queue.await_taken(1, loses_patience));
        [1, 2, 3].iter().for_each(|item| assert!(queue.push(*item, || false)));
        // Nobody takes them.
        let since = Instant::now();
        assert!(queue.await_taken(1, || false) && since.elapsed() >= PATIENCE);
        assert_eq!(queue.pop(|| false), Some(1));
        assert!(queue.await_taken(1, || false));
        queue.close();
        assert!(queue.await_taken(9, || false));
        assert_eq!((queue.pop(|| false), queue.pop(|| false)), (Some(2), Some(3)));
        assert!(!queue.await_taken(1, || false));
    }
}
