//! A bounded queue between the thread that produces batches and the workers.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a waiting thread checks whether its work is still needed.
const GLANCE: Duration = Duration::from_millis(10);

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

    /// Waits until two items were taken or, if the first takes others long, for some time after it. Returns whether items may be
    /// left.
    pub fn await_second(&self, unwanted: impl Fn() -> bool) -> bool {
        let mut state = self.lock();
        let mut deadline = None;
        while !unwanted() {
            let mut is_late = || Instant::now() >= *deadline.get_or_insert_with(|| Instant::now() + GLANCE);
            if state.closed || state.n_taken >= 2 || (state.n_taken == 1 && is_late()) {
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
    use super::*;

    #[test]
    fn others_begin_after_the_first_item() {
        let queue = Queue::new(4);
        assert!(!queue.await_second(|| true));
        [1, 2, 3].iter().for_each(|item| assert!(queue.push(*item, || false)));
        assert_eq!(queue.pop(|| false), Some(1));
        // The first takes long.
        assert!(queue.await_second(|| false));
        assert_eq!(queue.pop(|| false), Some(2));
        assert!(queue.await_second(|| false));
        queue.close();
        assert!(queue.await_second(|| false));
        assert_eq!(queue.pop(|| false), Some(3));
        assert!(!queue.await_second(|| false));
    }
}
