//! Owns the Rust values that a subject borrows during a case.
//!
//! It also records whether the subject is running, so that a panic in the subject is distinguished from one in the
//! glue.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::panics::{self, Panic};

/// The values that a case borrows, and the stage of the glue.
///
/// ```
/// use target_strategies::child::serve::Arena;
///
/// let arena = Arena::new();
/// let name: &str = arena.keep(String::from("a"));
/// let names: &[&str] = arena.keep(vec![name, name]);
/// assert_eq!(arena.subject(|| names.len()), 2);
/// ```
#[derive(Debug, Default)]
pub struct Arena {
    kept: RefCell<Vec<Kept>>,
    stage: Cell<Stage>,
}

/// A boxed value of a forgotten type.
#[derive(Debug)]
struct Kept {
    value: *mut u8,
    free: unsafe fn(*mut u8),
}

/// The stage of the glue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Before the subject: arguments are converted.
    #[default]
    Entering,
    /// In the subject.
    Subject,
    /// After the subject: the outcome is converted.
    Leaving,
}

impl Arena {
    /// An arena that holds nothing.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// Keeps a value until the case is over. Values may borrow from those kept before them.
    #[allow(clippy::mut_from_ref, reason = "each call hands out a box of its own")]
    pub fn keep<'a, T: 'a>(&'a self, value: T) -> &'a mut T {
        let value = Box::into_raw(Box::new(value));
        self.kept.borrow_mut().push(Kept { value: value.cast(), free: free::<T> });
        // SAFETY: fresh from a box, given out once, and freed only by `clear`, which borrows the arena mutably.
        unsafe { &mut *value }
    }

    /// Keeps a value forever, for a subject that asks for `&'static T`.
    pub fn keep_forever<T>(&self, value: T) -> &'static mut T {
        Box::leak(Box::new(value))
    }

    /// Runs the subject. A panic inside is the subject's; a panic outside is a bug of the tool.
    pub fn subject<R>(&self, call: impl FnOnce() -> R) -> R {
        self.stage.set(Stage::Subject);
        let result = call();
        self.stage.set(Stage::Leaving);
        result
    }

    /// The current stage. After a panic it is the stage in which the panic happened.
    pub(super) fn stage(&self) -> Stage {
        self.stage.get()
    }

    /// Frees the kept values, last one first. Returns the last panic of a destructor.
    pub(super) fn clear(&mut self) -> Result<(), Panic> {
        self.stage.set(Stage::Entering);
        let mut result = Ok(());
        while let Some(Kept { value, free }) = self.kept.get_mut().pop() {
            // SAFETY: `value` came from the box that `free` was made for, and left the list before it is freed.
            let freed = catch_unwind(AssertUnwindSafe(|| unsafe { free(value) }));
            result = freed.map_err(panics::describe).and(result);
        }
        result
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // Nobody can handle a destructor's panic any more.
        let _ = self.clear();
    }
}

/// Frees a box of a `T`.
unsafe fn free<T>(value: *mut u8) {
    // SAFETY: the caller passes what `Box::into_raw` gave for a `T`, once.
    drop(unsafe { Box::from_raw(value.cast::<T>()) });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records its drop in a list, and panics on request.
    struct Note<'a>(&'a RefCell<Vec<u32>>, u32);

    impl Drop for Note<'_> {
        fn drop(&mut self) {
            self.0.borrow_mut().push(self.1);
            assert!(self.1 != 2, "two");
        }
    }

    #[test]
    fn the_last_is_freed_first_and_a_panic_holds_nothing_up() {
        let notes = RefCell::new(Vec::new());
        let mut arena = Arena::new();
        for n in 1..=3 {
            arena.keep(Note(&notes, n));
        }
        assert_eq!(arena.clear().map_err(|panic| panic.message), Err("two".to_string()));
        assert_eq!(notes.take(), [3, 2, 1]);
        assert!(arena.clear().is_ok());
    }

    #[test]
    fn a_panic_inside_the_subject_is_told_from_one_around_it() {
        let arena = Arena::new();
        let panicked = catch_unwind(AssertUnwindSafe(|| arena.subject(|| panic!("inside"))));
        assert!(panicked.is_err());
        assert_eq!(arena.stage(), Stage::Subject);
        arena.subject(|| ());
        assert_eq!(arena.stage(), Stage::Leaving);
    }
}
