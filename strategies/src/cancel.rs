//! Stops planning, counting and judging between two of their steps.
//!
//! A spec of one line can need more planning than there is time or memory for. [`run`] gives a computation
//! [`Limits`]. Each step calls [`step`], which checks the limits now and then, and unwinds to [`run`] if one is met.
//! An unwound computation has no result, so a caller can't use half of one. Data that it borrowed mutably may be
//! inconsistent, which the compiler doesn't see: drop it after a stop. This includes engines: a
//! [`Native`](crate::native::Native) is unusable after a stop unwound through one of its methods.
//!
//! Salsa cancels queries in the same way. Compared with an error in each signature, no function between a step and
//! its caller can forget to pass the stop on. Without a surrounding [`run`], a step only decrements a counter.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;

/// The reason why a computation was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The user interrupted the run.
    Interrupted,
    /// The time limit was met.
    Time,
    /// The memory limit was met.
    Memory,
    /// The result is no longer needed.
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

/// Returns the reason if a computation must stop.
type Ask = dyn Fn() -> Option<Stop> + Send + Sync;

/// The limits of a computation. Clones share their counters.
#[derive(Clone)]
pub struct Limits {
    ask: Arc<Ask>,
    /// The memory limit in bytes.
    memory: Option<i64>,
    /// Number of bytes that the computation has allocated and not freed, as far as its threads have reported.
    in_use: Arc<AtomicI64>,
}

impl Limits {
    /// Stops when `ask` says so. It is called about every 10 microseconds to 10 milliseconds, from any thread.
    pub fn new(ask: impl Fn() -> Option<Stop> + Send + Sync + 'static) -> Limits {
        Limits { ask: Arc::new(ask), memory: None, in_use: Arc::default() }
    }

    /// Also stops if more than `bytes` bytes are allocated. It needs an allocator that reports to [`note_allocated`].
    pub fn with_memory(self, bytes: u64) -> Limits {
        Limits { memory: Some(i64::try_from(bytes).unwrap_or(i64::MAX)), ..self }
    }

    /// The limit that is met, if any. This thread's bytes must have been reported.
    fn met(&self) -> Option<Stop> {
        let in_use = self.in_use.load(Ordering::Relaxed);
        let too_large = self.memory.is_some_and(|memory| in_use > memory);
        if too_large { Some(Stop::Memory) } else { (self.ask)() }
    }
}

/// Number of steps between two checks of the limits. A step takes between a few nanoseconds and a few microseconds.
const INTERVAL: u32 = 1024;

thread_local! {
    /// Number of steps before the next check.
    static LEFT: Cell<u32> = const { Cell::new(INTERVAL) };
    /// Number of steps before those of this interval.
    static DONE: Cell<u64> = const { Cell::new(0) };
    /// Number of bytes allocated, less those freed, on this thread since the last check.
    static UNREPORTED: Cell<i64> = const { Cell::new(0) };
    static CURRENT: RefCell<Option<Limits>> = const { RefCell::new(None) };
}

/// The payload of the unwinding.
struct Unwound(Stop);

/// Runs a computation within limits. An error says which limit was met. A panic in the computation goes on. After an
/// error, data that the computation was changing must not be used.
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
pub fn run<T>(limits: &Limits, compute: impl FnOnce() -> T) -> Result<T, Stop> {
    part_of(&Some(limits.clone()), compute)
}

/// The stop that a computation unwound with. Any other panic goes on.
fn stop_of(payload: Box<dyn Any + Send>) -> Stop {
    match payload.downcast::<Unwound>() {
        Ok(unwound) => unwound.0,
        Err(panic) => resume_unwind(panic),
    }
}

/// The limits of the current thread's computation, for threads that work on a part of it.
pub fn current() -> Option<Limits> {
    CURRENT.with_borrow(Clone::clone)
}

/// Works on a part of a computation that another thread began, within its limits. That thread passes the result to
/// [`join`]. So only real panics unwind through the code that runs the threads, which may keep only one of several
/// panics.
pub fn part_of<T>(limits: &Option<Limits>, work: impl FnOnce() -> T) -> Result<T, Stop> {
    let unwound = {
        let _outer = enter(limits.clone());
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => return Ok(result),
            Err(payload) => payload,
        }
    };
    Err(stop_of(unwound))
}

/// Runs a computation of at most so many steps ([`steps`]); `None` if it takes more. Surrounding limits apply, too. After
/// `None`, data that the computation was changing must not be used.
pub fn within_steps<T>(most: u64, computation: impl FnOnce() -> T) -> Option<T> {
    let last = steps().saturating_add(most);
    within(move || steps() >= last, computation)
}

/// Runs a computation until it must end; `None` if it had to. Surrounding limits apply, too. After `None`, data that the
/// computation was changing must not be used.
pub fn within<T>(
    must_end: impl Fn() -> bool + Clone + Send + Sync + 'static,
    computation: impl FnOnce() -> T,
) -> Option<T> {
    let outer = current();
    let limits = Limits {
        ask: Arc::new({
            let (outer, must_end) = (outer.clone(), must_end.clone());
            move || if must_end() { Some(Stop::Unwanted) } else { outer.as_ref().and_then(Limits::met) }
        }),
        memory: None,
        in_use: outer.as_ref().map(|outer| outer.in_use.clone()).unwrap_or_default(),
    };
    match run(&limits, computation) {
        Ok(value) => Some(value),
        Err(Stop::Unwanted) if must_end() => None,
        Err(stop) => resume_unwind(Box::new(Unwound(stop))),
    }
}

/// The result of a part. If the part was stopped, the computation unwinds.
pub fn join<T>(part: Result<T, Stop>) -> T {
    part.unwrap_or_else(|stop| resume_unwind(Box::new(Unwound(stop))))
}

/// Ends a step. Unwinds if a limit is met.
#[inline]
pub fn step() {
    let left = LEFT.get();
    if left == 0 {
        DONE.set(DONE.get().wrapping_add(1));
        look();
    } else {
        LEFT.set(left - 1);
    }
}

/// Ends this many steps at once. Unwinds if a limit is met.
pub fn look_after(n_steps: u64) {
    DONE.set(DONE.get().wrapping_add(n_steps));
    look();
}

/// Number of steps that this thread has ended. It measures work without a clock: the same work has as many steps on every
/// machine.
pub fn steps() -> u64 {
    DONE.get().wrapping_add(u64::from(INTERVAL - LEFT.get()))
}

/// Ends many steps. Unwinds if a limit is met.
#[cold]
pub fn look() {
    DONE.set(steps());
    LEFT.set(INTERVAL);
    // A destructor that runs while the thread unwinds must not unwind again.
    if thread::panicking() {
        return;
    }
    report();
    let met = CURRENT.with_borrow(|limits| limits.as_ref().and_then(Limits::met));
    if let Some(stop) = met {
        resume_unwind(Box::new(Unwound(stop)));
    }
}

/// Charges this thread's allocations to its computation, if there is one.
fn report() {
    let bytes = UNREPORTED.take();
    CURRENT.with_borrow(|limits| {
        if let Some(limits) = limits {
            limits.in_use.fetch_add(bytes, Ordering::Relaxed);
        }
    });
}

/// The allocator's report: the change of the number of bytes in use on this thread.
#[inline]
pub fn note_allocated(bytes: i64) {
    UNREPORTED.set(UNREPORTED.get().wrapping_add(bytes));
}

/// The previous limits, which are restored on drop.
struct Outer(Option<Limits>);

fn enter(limits: Option<Limits>) -> Outer {
    report();
    DONE.set(steps().wrapping_sub(u64::from(INTERVAL)));
    LEFT.set(0);
    Outer(CURRENT.replace(limits))
}

impl Drop for Outer {
    fn drop(&mut self) {
        report();
        CURRENT.set(self.0.take());
    }
}

/// An [`Arc`] that a computation creates and another thread may drop. The drop returns the memory to the computation.
pub struct Charged<T> {
    /// `None` only during the drop.
    value: Option<Arc<T>>,
    limits: Option<Limits>,
}

impl<T> Charged<T> {
    /// The memory is charged to the current thread's computation, if there is one.
    pub fn new(value: T) -> Charged<T> {
        Charged { value: Some(Arc::new(value)), limits: current() }
    }
}

impl<T> Clone for Charged<T> {
    fn clone(&self) -> Charged<T> {
        Charged { value: self.value.clone(), limits: self.limits.clone() }
    }
}

impl<T> Deref for Charged<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.as_ref().expect("it is taken out by the destructor alone")
    }
}

impl<T: fmt::Debug> fmt::Debug for Charged<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T> Drop for Charged<T> {
    fn drop(&mut self) {
        let _outer = enter(self.limits.take());
        self.value = None;
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
                    join(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
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
        let mistaken = || run(&limits, || resume_unwind(Box::new("a mistake")));
        let panicked = catch_unwind(AssertUnwindSafe(mistaken));
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

    #[test]
    fn what_the_outer_computation_has_allocated_is_charged_to_it() {
        let (outer, inner) = (Limits::new(|| None).with_memory(1000), Limits::new(|| None).with_memory(1000));
        let stopped = run(&outer, || {
            note_allocated(2000);
            assert_eq!(run(&inner, look), Ok(()));
            look();
        });
        assert_eq!(stopped, Err(Stop::Memory));
    }

    /// Memory that reports its allocation and its drop.
    struct Block(i64);

    impl Block {
        fn new(bytes: i64) -> Block {
            note_allocated(bytes);
            Block(bytes)
        }
    }

    impl Drop for Block {
        fn drop(&mut self) {
            note_allocated(-self.0);
        }
    }

    #[test]
    fn what_another_thread_drops_may_be_used_again() {
        let (sender, receiver) = std::sync::mpsc::sync_channel::<Charged<Block>>(0);
        let dropping = thread::spawn(move || receiver.into_iter().for_each(drop));
        let limits = Limits::new(|| None).with_memory(1000);
        let done = run(&limits, || {
            for _ in 0..1000 {
                // The other thread may still be at the previous value.
                sender.send(Charged::new(Block::new(300))).expect("the other thread goes on to the end");
                look();
            }
        });
        drop(sender);
        dropping.join().expect("dropping goes well");
        assert_eq!(done, Ok(()));
    }

    #[test]
    fn what_another_thread_keeps_is_in_use() {
        let limits = Limits::new(|| None).with_memory(1000);
        let mut kept = Vec::new();
        let stopped = run(&limits, || {
            loop {
                kept.push(Charged::new(Block::new(300)));
                look();
            }
        });
        assert_eq!((stopped, kept.len()), (Err::<(), _>(Stop::Memory), 4));
    }
}
