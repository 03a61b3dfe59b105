//! Results of parallel work, released in order, unless one would wait for long.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at what waits.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Takes results by position in any order, and passes them on: in order, but none waits for much longer than the
/// patience for those before it.
pub struct Release<S, T, F: FnMut(&mut S, T)> {
    patience: Duration,
    inner: Mutex<Inner<S, T, F>>,
}

struct Inner<S, T, F> {
    state: S,
    release: F,
    /// The first position that is not released.
    next: usize,
    /// Results, and since when they wait.
    waiting: BTreeMap<usize, (Instant, T)>,
    /// Positions after `next` that were released early.
    early: BTreeSet<usize>,
}

impl<S, T, F: FnMut(&mut S, T)> Release<S, T, F> {
    /// Passes results to `release`, beginning with position 0.
    pub fn new(patience: Duration, state: S, release: F) -> Self {
        let (waiting, early) = (BTreeMap::new(), BTreeSet::new());
        Release { patience, inner: Mutex::new(Inner { state, release, next: 0, waiting, early }) }
    }

    /// Adds the result for a position.
    pub fn put(&self, position: usize, result: T) {
        let mut inner = self.inner.lock().expect("releasing a result does not panic");
        inner.waiting.insert(position, (Instant::now(), result));
        inner.go_on();
    }

    /// Does the work that adds the results, and releases what waits for too long meanwhile.
    pub fn during(&self, work: impl FnOnce())
    where
        Self: Sync,
    {
        thread::scope(|scope| {
            let (sender, ended) = mpsc::channel::<()>();
            scope.spawn(move || {
                while ended.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
                    self.release_overdue();
                }
            });
            work();
            drop(sender);
        });
    }

    /// Releases what has waited for too long.
    fn release_overdue(&self) {
        let mut inner = self.inner.lock().expect("releasing a result does not panic");
        let Inner { state, release, waiting, early, .. } = &mut *inner;
        let is_overdue = |since: &Instant| since.elapsed() >= self.patience;
        let overdue: Vec<usize> = waiting
            .iter()
            .filter(|(_, (since, _))| is_overdue(since))
            .map(|(position, _)| *position)
            .collect();
        for position in overdue {
            if let Some((_, result)) = waiting.remove(&position) {
                early.insert(position);
                release(state, result);
            }
        }
    }

    /// The state, after all results are released.
    pub fn finish(self) -> S {
        self.inner.into_inner().expect("releasing a result does not panic").state
    }
}

impl<S, T, F: FnMut(&mut S, T)> Inner<S, T, F> {
    /// Releases those that come next.
    fn go_on(&mut self) {
        loop {
            if let Some((_, result)) = self.waiting.remove(&self.next) {
                (self.release)(&mut self.state, result);
            } else if !self.early.remove(&self.next) {
                return;
            }
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Letters = Vec<&'static str>;

    fn seen(patience: Duration) -> Release<Letters, &'static str, impl FnMut(&mut Letters, &'static str)> {
        Release::new(patience, Vec::new(), |seen: &mut Letters, letter: &'static str| seen.push(letter))
    }

    #[test]
    fn results_come_in_order_without_gaps() {
        let order = seen(Duration::MAX);
        order.put(1, "b");
        order.put(0, "a");
        order.put(3, "d");
        order.release_overdue();
        assert_eq!(order.inner.lock().expect("no thread panicked").state, ["a", "b"]);
        order.put(2, "c");
        assert_eq!(order.finish(), ["a", "b", "c", "d"]);
    }

    #[test]
    fn a_result_that_waited_for_long_comes_before_its_turn() {
        let order = seen(Duration::ZERO);
        order.put(1, "b");
        order.put(2, "c");
        order.release_overdue();
        order.put(3, "d");
        order.put(0, "a");
        order.put(4, "e");
        assert_eq!(order.finish(), ["b", "c", "a", "d", "e"]);
    }
}
