//! Stopping planning, counting and judging between any two of their steps.
//!
//! A spec of one line can ask for more planning than anybody has time or memory for. [`run`] gives a computation
//! [`Limits`]; each of its steps calls [`step`], which asks them now and then, and unwinds to [`run`] when one is met.
//! An unwound computation has no result, so a caller can't take half of one for the whole. Its state is lost too:
//! the closure has to be [`UnwindSafe`], so it owns what it changes, and gives it back only when it ends.
//!
//! Unwinding instead of an error in each signature is how salsa cancels queries: no function between a step and its caller can
//! forget to hand the stop on. Without [`run`] around it, a step costs a decrement and nothing else.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;

/// What stopped a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The user wants everything to end.
    Interrupted,
    /// Its time is used up.
    Time,
    /// Its memory is used up.
    Memory,
    /// Nobody wants the result any more.
    Unwanted,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Interrupted => "interrupted",
            Stop::Time => "the time budget is used up",
            Stop::Memory => "the memory for planning is used up",
            Stop::Unwanted => "no longer needed",
        })
    }
}

/// Tells whether a computation has to stop.
type Ask = dyn Fn() -> Option<Stop> + Send + Sync;

/// When a computation has to stop. Clones share what they count.
#[derive(Clone)]
pub struct Limits {
    ask: Arc<Ask>,
    /// In bytes.
    memory: Option<i64>,
    /// The bytes that the computation has allocated and not freed, as far as its threads have reported.
    in_use: Arc<AtomicI64>,
}

// A computation that unwinds changes nothing of its limits but what it has allocated, which is right at any time.
impl UnwindSafe for Limits {}
impl RefUnwindSafe for Limits {}

impl Limits {
    /// Stops when `ask` says so. It is called about every 10 microseconds to 10 milliseconds, from any thread.
    pub fn new(ask: impl Fn() -> Option<Stop> + Send + Sync + 'static) -> Limits {
        Limits { ask: Arc::new(ask), memory: None, in_use: Arc::default() }
    }

    /// Stops also when more bytes than that are allocated. Only programs whose allocator reports to [`note_allocated`] are
    /// held to it.
    pub fn with_memory(self, bytes: u64) -> Limits {
        Limits { memory: Some(i64::try_from(bytes).unwrap_or(i64::MAX)), ..self }
    }

    fn met(&self) -> Option<Stop> {
        let new = UNREPORTED.take();
        let in_use = self.in_use.fetch_add(new, Ordering::Relaxed) + new;
        let too_large = self.memory.is_some_and(|memory| in_use > memory);
        if too_large { Some(Stop::Memory) } else { (self.ask)() }
    }
}

/// Steps between two looks at the limits. A step takes between a few nanoseconds and a few microseconds.
const INTERVAL: u32 = 1024;

thread_local! {
    /// The steps left before the next look.
    static LEFT: Cell<u32> = const { Cell::new(INTERVAL) };
    /// The bytes allocated less those freed on this thread since the last look.
    static UNREPORTED: Cell<i64> = const { Cell::new(0) };
    static CURRENT: RefCell<Option<Limits>> = const { RefCell::new(None) };
}

/// What unwinds.
struct Unwound(Stop);

/// Runs a computation within limits. An error says which was met; a panic in the computation goes on.
///
/// ```
/// use target_strategies::cancel::{Limits, Stop, run, step};
///
/// let never = Limits::new(|| None);
/// assert_eq!(run(&never, || 1 + 1), Ok(2));
/// let at_once = Limits::new(|| Some(Stop::Time));
/// let endless = || loop {
///     step();
/// };
/// assert_eq!(run::<()>(&at_once, endless), Err(Stop::Time));
/// ```
pub fn run<T>(limits: &Limits, compute: impl FnOnce() -> T + UnwindSafe) -> Result<T, Stop> {
    let unwound = {
        let _outer = enter(Some(limits.clone()));
        match catch_unwind(compute) {
            Ok(result) => return Ok(result),
            Err(payload) => payload,
        }
    };
    Err(stop_of(unwound))
}

/// The stop that a computation unwound with; any other panic goes on.
fn stop_of(payload: Box<dyn Any + Send>) -> Stop {
    match payload.downcast::<Unwound>() {
        Ok(unwound) => unwound.0,
        Err(panic) => resume_unwind(panic),
    }
}

/// The limits of the computation that runs on this thread, for threads that work on a part of it.
pub fn current() -> Option<Limits> {
    CURRENT.with_borrow(Clone::clone)
}

/// Works on a part of a computation that was begun on another thread, within its limits. If one is met, the unwinding has to be handed on
/// to that thread, as rayon and [`std::thread::scope`] do.
pub fn part_of<T>(limits: &Option<Limits>, work: impl FnOnce() -> T) -> T {
    let _outer = enter(limits.clone());
    work()
}

/// A step is done. Unwinds if a limit is met.
#[inline]
pub fn step() {
    let left = LEFT.get();
    if left == 0 {
        look();
    } else {
        LEFT.set(left - 1);
    }
}

/// Many steps are done.
#[cold]
pub fn look() {
    LEFT.set(INTERVAL);
    // A destructor that runs while the thread unwinds must not unwind again.
    if thread::panicking() {
        return;
    }
    let met = CURRENT.with_borrow(|limits| limits.as_ref().and_then(Limits::met));
    if let Some(stop) = met {
        resume_unwind(Box::new(Unwound(stop)));
    }
}

/// The allocator's report: so many more bytes are in use on this thread, or fewer.
#[inline]
pub fn note_allocated(bytes: i64) {
    UNREPORTED.set(UNREPORTED.get().wrapping_add(bytes));
}

/// The limits that were in force before; they are again when this is dropped.
struct Outer(Option<Limits>);

fn enter(limits: Option<Limits>) -> Outer {
    LEFT.set(0);
    UNREPORTED.set(0);
    Outer(CURRENT.replace(limits))
}

impl Drop for Outer {
    fn drop(&mut self) {
        if let Some(limits) = CURRENT.replace(self.0.take()) {
            limits.in_use.fetch_add(UNREPORTED.take(), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endless() -> u64 {
        let mut n = 0_u64;
        loop {
            step();
            n = n.wrapping_add(1);
        }
    }

    #[test]
    fn a_computation_ends_when_it_is_told_to() {
        let limits = Limits::new(|| Some(Stop::Interrupted));
        assert_eq!(run(&limits, endless), Err(Stop::Interrupted));
        assert!(current().is_none(), "the limits are gone with the computation");
    }

    #[test]
    fn memory_is_counted_over_all_threads_of_a_computation() {
        let limits = Limits::new(|| None).with_memory(1000);
        let stopped = run(&limits, || {
            let limits = current();
            let work = || {
                part_of(&limits, || {
                    note_allocated(600);
                    look();
                })
            };
            thread::scope(|scope| {
                for thread in [scope.spawn(work), scope.spawn(work)] {
                    thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                }
            });
        });
        assert_eq!(stopped, Err(Stop::Memory));
    }

    #[test]
    fn what_is_freed_may_be_used_again() {
        let limits = Limits::new(|| None).with_memory(1000);
        let done = run(&limits, || {
            for _ in 0..10 {
                note_allocated(900);
                look();
                note_allocated(-900);
            }
        });
        assert_eq!(done, Ok(()));
    }

    #[test]
    fn another_panic_is_no_stop() {
        let limits = Limits::new(|| None);
        let panicked = catch_unwind(|| run(&limits, || resume_unwind(Box::new("a mistake"))));
        assert_eq!(panicked.err().and_then(|panic| panic.downcast_ref().copied()), Some("a mistake"));
    }

    #[test]
    fn limits_around_limits_come_back() {
        let (outer, inner) = (Limits::new(|| Some(Stop::Time)), Limits::new(|| Some(Stop::Unwanted)));
        let stopped = run(&outer, || {
            assert_eq!(run(&inner, endless), Err(Stop::Unwanted));
            endless()
        });
        assert_eq!(stopped, Err(Stop::Time));
    }
}
