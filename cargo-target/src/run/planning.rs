//! Limits on time and memory for planning and counting the inputs of a function.
//!
//! Inputs are planned in this process, where a child's limits don't apply. So all such work runs in
//! [`Planning::within`], which stops it between two steps: at the budget, at Ctrl-C, or at the memory limit.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use target_bridge::frontend::manifest::Settings;
use target_strategies::cancel::{self, Limits, Stop};

/// Set by Ctrl-C.
pub type Interrupted = Arc<AtomicBool>;

/// The limits of planning for a function.
#[derive(Clone, Debug)]
pub struct Planning {
    interrupted: Interrupted,
    budget: Duration,
    /// In bytes.
    memory: u64,
}

/// The default memory limit in bytes, shared by the functions planned at once; less if half of the machine's memory is
/// less. It is room for millions of states, and small enough not to make a machine swap.
const MEMORY: u64 = 1 << 30;

impl Planning {
    /// The limits in a function's options.
    pub fn new(settings: &Settings, interrupted: &Interrupted) -> Planning {
        Planning::one_of(1, settings, interrupted)
    }

    /// The limits if `n` functions are planned at once: they share the default memory.
    pub fn one_of(n: usize, settings: &Settings, interrupted: &Interrupted) -> Planning {
        let of_machine = || machine_memory().map_or(MEMORY, |bytes| MEMORY.min(bytes / 2 / n.max(1) as u64));
        Planning {
            interrupted: interrupted.clone(),
            budget: settings.budget,
            memory: settings.plan_memory.unwrap_or_else(of_machine),
        }
    }

    /// The same limits with another budget.
    pub fn with_budget(self, budget: Duration) -> Planning {
        Planning { budget, ..self }
    }

    /// The same limits without a deadline, for results that must not depend on the speed of a machine.
    pub fn untimed(self) -> Planning {
        self.with_budget(Duration::MAX)
    }

    /// The same limits for planning in parts.
    pub fn in_parts(self) -> InParts {
        InParts { left: self.budget, planning: self }
    }

    /// The limits, starting now. `is_unwanted` also ends the computation.
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
    /// After a stop, the data that the closure was changing must not be used.
    pub fn within<T>(&self, compute: impl FnOnce() -> T) -> Result<T, Stop> {
        cancel::run(&self.limits(|| false), compute)
    }

    /// Why there is no result, in words for the user.
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

/// Planning in parts. One budget is for all parts; time between two parts doesn't count.
#[derive(Debug)]
pub struct InParts {
    planning: Planning,
    left: Duration,
}

impl InParts {
    /// Computes a part within the limits.
    pub fn within<T>(&mut self, compute: impl FnOnce() -> T) -> Result<T, Stop> {
        let began = Instant::now();
        let made = self.planning.clone().with_budget(self.left).within(compute);
        self.left = self.left.saturating_sub(began.elapsed());
        made
    }
}

/// Runs a command that Ctrl-C ends between two steps of its planning; `None` if it did.
pub fn until_interrupted<T>(interrupted: &Interrupted, command: impl FnOnce() -> T) -> Option<T> {
    let flag = interrupted.clone();
    let limits = Limits::new(move || flag.load(Ordering::Relaxed).then_some(Stop::Interrupted));
    cancel::run(&limits, command).ok()
}

/// The memory in bytes that this process may use, if the system says: the machine's, or the limit of its cgroup.
fn machine_memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_group = group_memory(&groups, Path::new("/sys/fs/cgroup"));
    physical_memory().into_iter().chain(of_group).min()
}

/// The smallest limit of a process's cgroup (version 2) and the cgroups around it, in bytes.
fn group_memory(groups: &str, root: &Path) -> Option<u64> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let limit = |group: &Path| {
        let text = fs::read_to_string(root.join(group).join("memory.max")).ok()?;
        // Without a limit, the file contains `max`.
        text.trim().parse::<u64>().ok()
    };
    Path::new(own).ancestors().filter_map(limit).min()
}

/// The machine's memory in bytes.
#[cfg(unix)]
fn physical_memory() -> Option<u64> {
    // SAFETY: `sysconf` reads a number of the system, and touches no memory of ours.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    u64::try_from(pages).ok()?.checked_mul(u64::try_from(size).ok()?).filter(|bytes| *bytes > 0)
}

/// Unknown on other systems.
#[cfg(not(unix))]
fn physical_memory() -> Option<u64> {
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
    fn time_between_parts_is_not_planning_s() {
        let mut parts = planning(Duration::from_millis(50)).in_parts();
        assert_eq!(parts.within(cancel::look), Ok(()));
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(parts.within(cancel::look), Ok(()));
        assert_eq!(parts.within(endless), Err(Stop::Time));
        assert_eq!(parts.within(cancel::look), Err(Stop::Time));
    }

    #[test]
    fn planning_without_a_deadline_ends_at_ctrl_c() {
        let untimed = planning(Duration::ZERO).untimed();
        assert_eq!(untimed.within(cancel::look), Ok(()));
        untimed.interrupted.store(true, Ordering::Relaxed);
        assert_eq!(untimed.within(endless), Err(Stop::Interrupted));
    }

    #[test]
    fn the_least_limit_of_the_groups_around_a_process_holds() {
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        let inner = root.path().join("system/build");
        fs::create_dir_all(&inner).expect("the temporary folder can be written to");
        let memory = || group_memory("1:name=other:/\n0::/system/build\n", root.path());
        assert_eq!(memory(), None);
        fs::write(inner.join("memory.max"), "max\n").expect("the temporary folder can be written to");
        assert_eq!(memory(), None);
        fs::write(root.path().join("system/memory.max"), "4096\n")
            .expect("the temporary folder can be written to");
        assert_eq!(memory(), Some(4096));
        fs::write(inner.join("memory.max"), "8192\n").expect("the temporary folder can be written to");
        assert_eq!(memory(), Some(4096));
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
