//! How long, and in how much memory, the tool may plan and count for one function.
//!
//! Inputs are planned in this process, where no limit of a child holds. So whatever looks at a spec runs within
//! [`Planning::within`], which ends it between two of its steps: at the budget, at Ctrl-C, at the memory limit.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use target_bridge::manifest::Settings;
use target_strategies::cancel::{self, Limits, Stop};

/// Set by Ctrl-C.
pub type Interrupted = Arc<AtomicBool>;

/// What planning for a function may take.
#[derive(Clone, Debug)]
pub struct Planning {
    interrupted: Interrupted,
    budget: Duration,
    /// In bytes.
    memory: u64,
}

/// The memory limit, in bytes, unless the machine has less than twice as much: room for millions of states, and no reason for a machine to swap.
const MEMORY: u64 = 1 << 30;

impl Planning {
    /// As the options of a function say.
    pub fn new(settings: &Settings, interrupted: &Interrupted) -> Planning {
        let of_machine = machine_memory().map_or(MEMORY, |bytes| MEMORY.min(bytes / 2));
        Planning {
            interrupted: interrupted.clone(),
            budget: settings.budget,
            memory: settings.plan_memory.unwrap_or(of_machine),
        }
    }

    /// The same with another budget.
    pub fn with_budget(self, budget: Duration) -> Planning {
        Planning { budget, ..self }
    }

    /// The limits from now on. `is_unwanted` ends the computation too.
    pub fn limits(&self, is_unwanted: impl Fn() -> bool + Send + Sync + 'static) -> Limits {
        let deadline = Instant::now().checked_add(self.budget);
        let interrupted = self.interrupted.clone();
        let ask = move || {
            if interrupted.load(Ordering::Relaxed) {
                Some(Stop::Interrupted)
            } else if is_unwanted() {
                Some(Stop::Unwanted)
            } else {
                deadline.filter(|deadline| Instant::now() >= *deadline).map(|_| Stop::Time)
            }
        };
        Limits::new(ask).with_memory(self.memory)
    }

    /// Computes within the limits.
    ///
    /// What the closure borrows has to be unchanged by it, or not looked at any more after a stop.
    pub fn within<T>(&self, compute: impl FnOnce() -> T) -> Result<T, Stop> {
        cancel::run(&self.limits(|| false), AssertUnwindSafe(compute))
    }

    /// Why there is no result, for the user.
    pub fn reason(&self, stop: Stop) -> String {
        match stop {
            Stop::Interrupted | Stop::Unwanted => stop.to_string(),
            Stop::Time => format!(
                "planning is not done within the budget of {}",
                humantime::format_duration(self.budget)
            ),
            Stop::Memory => {
                format!("planning takes more than {} MiB of memory (`plan-memory`)", self.memory >> 20)
            }
        }
    }
}

/// Runs a command that ends at Ctrl-C between any two steps of its planning; `None` if it did.
pub fn until_interrupted<T>(interrupted: &Interrupted, command: impl FnOnce() -> T) -> Option<T> {
    let flag = interrupted.clone();
    let limits = Limits::new(move || flag.load(Ordering::Relaxed).then_some(Stop::Interrupted));
    cancel::run(&limits, AssertUnwindSafe(command)).ok()
}

/// The machine's memory in bytes, where the system tells.
#[cfg(unix)]
fn machine_memory() -> Option<u64> {
    // SAFETY: `sysconf` reads a number of the system, and touches no memory of ours.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    u64::try_from(pages).ok()?.checked_mul(u64::try_from(size).ok()?).filter(|bytes| *bytes > 0)
}

/// Elsewhere it isn't asked for.
#[cfg(not(unix))]
fn machine_memory() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planning(budget: Duration) -> Planning {
        Planning { interrupted: Arc::default(), budget, memory: 1 << 20 }
    }

    fn endless() {
        loop {
            cancel::step();
        }
    }

    #[test]
    fn planning_ends_at_its_budget_and_at_ctrl_c() {
        assert_eq!(planning(Duration::ZERO).within(endless), Err(Stop::Time));
        let interrupted = planning(Duration::MAX);
        interrupted.interrupted.store(true, Ordering::Relaxed);
        assert_eq!(interrupted.within(endless), Err(Stop::Interrupted));
        assert_eq!(until_interrupted(&interrupted.interrupted, endless), None);
    }

    #[test]
    fn planning_ends_where_its_memory_is_used_up() {
        let mut kept = Vec::new();
        let stopped = planning(Duration::MAX).within(|| {
            loop {
                kept.push(vec![0_u8; 1000]);
                cancel::step();
            }
        });
        assert_eq!(stopped, Err(Stop::Memory));
        assert!(kept.len() < 10_000, "{} blocks of 1000 bytes", kept.len());
    }
}
