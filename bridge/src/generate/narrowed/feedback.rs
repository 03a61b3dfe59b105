//! What became of cases, on its way from the thread that counts them to the generator.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use target_strategies::cancel;
use target_strategies::logic::value::Value;

/// How often a waiting generator checks whether its cases are still needed.
const GLANCE: Duration = Duration::from_millis(5);

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
    /// Equal for cases that ran the same pieces of code; `None` if that is not known.
    pub trace: Option<u64>,
    /// How it ended.
    pub ending: Ending,
    /// The arguments of a case that the child made, if its trace was new.
    pub args: Option<Vec<Value>>,
}

/// What became of each case, in the order of the cases. Clones are the two ends of one queue.
#[derive(Clone, Debug, Default)]
pub struct Feedback(Arc<(Mutex<VecDeque<Told>>, Condvar)>);

impl Feedback {
    /// Tells what became of the next cases.
    pub fn tell(&self, told: impl IntoIterator<Item = Told>) {
        let (queue, changed) = &*self.0;
        queue.lock().unwrap_or_else(PoisonError::into_inner).extend(told);
        changed.notify_one();
    }

    /// What became of the next case, once it is told. A computation that is stopped is left.
    pub(super) fn next(&self) -> Told {
        let (queue, changed) = &*self.0;
        let mut told = queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(told) = told.pop_front() {
                return told;
            }
            told = changed.wait_timeout(told, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
            if told.is_empty() {
                drop(told);
                cancel::look();
                told = queue.lock().unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}
