//! What became of cases, on its way from the thread that counts them to the generator.

use std::collections::{HashSet, VecDeque};
use std::num::NonZeroU32;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use target_strategies::cancel;
use target_strategies::child::protocol::Trace;
use target_strategies::logic::value::Value;

/// How often a waiting generator checks whether its cases are still needed.
const GLANCE: Duration = Duration::from_millis(5);

/// Number of counts that are remembered: a bound on memory.
const MOST_COUNTS: usize = 200_000;

/// How a case ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The function didn't get it: it is not valid, or was left out.
    #[default]
    NotRun,
    /// It passed.
    Passed,
    /// It failed.
    Failed,
}

/// What became of a case.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// What it ran; `None` if that is not known.
    pub trace: Option<Trace>,
    /// How it ended.
    pub ending: Ending,
    /// The arguments of a case that the child made, if its trace was new.
    pub args: Option<Vec<Value>>,
    /// The functions of a member that were asked for more results than it has, once for each and in the order of the calls, by
    /// their positions among those in the arguments; `None` if that is not known.
    pub asked: Option<Vec<u32>>,
}

/// What became of each case, in the order of the cases. Clones are the two ends of one queue.
#[derive(Clone, Debug, Default)]
pub struct Feedback(Arc<(Mutex<Queue>, Condvar)>);

#[derive(Debug, Default)]
struct Queue {
    /// What the generator has not read yet.
    told: VecDeque<Told>,
    /// The sets of pieces of code that cases ran.
    pieces: HashSet<NonZeroU32>,
    /// The same, with how often they ran.
    counts: HashSet<u32>,
    /// Whether nothing more will be told.
    is_closed: bool,
    /// Number of cases.
    n_cases: u64,
    /// Number of cases up to the last one with a new trace.
    n_until_new: u64,
}

impl Queue {
    /// Whether a case was the first to run its set of pieces, or one of them so often. A child doesn't know what ran in those before it.
    fn is_new(&mut self, trace: Trace) -> bool {
        let is_new_set = self.pieces.insert(trace.pieces);
        let is_new_count = self.counts.len() < MOST_COUNTS && self.counts.insert(trace.counts);
        is_new_set || trace.is_first && is_new_count
    }

    fn add(&mut self, told: Told) {
        self.n_cases += 1;
        if told.trace.is_some_and(|trace| self.is_new(trace)) {
            self.n_until_new = self.n_cases;
        }
        self.told.push_back(told);
    }
}

impl Feedback {
    /// With sets of pieces of code, and counts of them, that are not new.
    pub fn after((pieces, counts): (HashSet<NonZeroU32>, HashSet<u32>)) -> Feedback {
        let queue = Queue { pieces, counts, ..Queue::default() };
        Feedback(Arc::new((Mutex::new(queue), Condvar::new())))
    }

    /// Tells what became of the next cases.
    pub fn tell(&self, told: impl IntoIterator<Item = Told>) {
        let (queue, changed) = &*self.0;
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        told.into_iter().for_each(|told| queue.add(told));
        changed.notify_one();
    }

    /// Tells what became of the last cases: what the generator makes meanwhile is not counted.
    pub fn tell_last(&self, told: impl IntoIterator<Item = Told>) {
        let (queue, changed) = &*self.0;
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        told.into_iter().for_each(|told| queue.add(told));
        queue.is_closed = true;
        changed.notify_one();
    }

    /// Whether everything that will ever be told is read.
    pub(super) fn is_over(&self) -> bool {
        let queue = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        queue.is_closed && queue.told.is_empty()
    }

    /// Whether a case of the second half had a new trace: then more cases are likely to have others.
    pub fn has_news(&self) -> bool {
        let queue = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        queue.n_until_new > queue.n_cases / 2
    }

    /// What became of the next case, once it is told; `None` after the last one. A computation that is stopped is left.
    pub(super) fn next(&self) -> Option<Told> {
        let (queue, changed) = &*self.0;
        let mut held = queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(told) = held.told.pop_front() {
                return Some(told);
            }
            if held.is_closed {
                return None;
            }
            held = changed.wait_timeout(held, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
            if held.told.is_empty() {
                drop(held);
                cancel::look();
                held = queue.lock().unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_set(set: u32) -> Trace {
        Trace { pieces: NonZeroU32::MIN.saturating_add(set), counts: set, is_first: false }
    }

    fn told(traces: &[u32]) -> Feedback {
        let feedback = Feedback::default();
        feedback.tell(traces.iter().map(|trace| Told { trace: Some(of_set(*trace)), ..Told::default() }));
        feedback
    }

    #[test]
    fn there_are_news_if_the_second_half_of_the_cases_has_a_new_trace() {
        assert!(told(&[1, 1, 2, 1]).has_news());
        assert!(!told(&[1, 2, 2, 1]).has_news());
        assert!(!told(&[]).has_news());
        // A new child takes what ran before for new.
        let trace = |counts, is_first| Trace { pieces: NonZeroU32::MIN, counts, is_first };
        let news = |traces: &[Trace]| {
            let feedback = Feedback::default();
            feedback.tell(traces.iter().map(|trace| Told { trace: Some(*trace), ..Told::default() }));
            feedback.has_news()
        };
        assert!(news(&[trace(1, true), trace(2, false), trace(3, true)]));
        assert!(!news(&[trace(1, true), trace(2, false), trace(2, true)]));
    }
}
