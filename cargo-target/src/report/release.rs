//! Results of parallel work, released in order as soon as possible.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// Takes results by position in any order, and passes them on without gaps.
pub struct InOrder<S, T, F: FnMut(&mut S, T)> {
    inner: Mutex<Inner<S, T, F>>,
}

struct Inner<S, T, F> {
    state: S,
    release: F,
    next: usize,
    waiting: BTreeMap<usize, T>,
}

impl<S, T, F: FnMut(&mut S, T)> InOrder<S, T, F> {
    /// Passes results to `release`, beginning with position 0.
    pub fn new(state: S, release: F) -> Self {
        InOrder { inner: Mutex::new(Inner { state, release, next: 0, waiting: BTreeMap::new() }) }
    }

    /// Adds the result for a position.
    pub fn put(&self, position: usize, result: T) {
        let mut inner = self.inner.lock().expect("releasing a result does not panic");
        inner.waiting.insert(position, result);
        loop {
            let next = inner.next;
            let Some(result) = inner.waiting.remove(&next) else { break };
            let Inner { state, release, next, .. } = &mut *inner;
            release(state, result);
            *next += 1;
        }
    }

    /// The state, after all results are released.
    pub fn finish(self) -> S {
        self.inner.into_inner().expect("releasing a result does not panic").state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_without_gaps() {
        let order = InOrder::new(Vec::new(), |seen: &mut Vec<&str>, result| seen.push(result));
        order.put(1, "b");
        order.put(0, "a");
        order.put(3, "d");
        assert_eq!(order.inner.lock().expect("no thread panicked").state, ["a", "b"]);
        order.put(2, "c");
        assert_eq!(order.finish(), ["a", "b", "c", "d"]);
    }
}
