//! Values that a function builds (`via`), and may reject.
//!
//! The function may be in any crate, so its return type is known only where the glue is compiled. [`Built`] unwraps
//! an `Option` or a `Result` by inherent methods, which take precedence. [`Unfailing`] serves all other types.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::logic::value::Value;

/// The return value of a function that builds values.
///
/// ```
/// use target_strategies::child::serve::{Built, Unfailing as _};
///
/// assert_eq!(Built(Some(1)).value(), 1);
/// assert_eq!(Built(Ok::<_, String>(1)).value(), 1);
/// assert_eq!(Built(1).value(), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Built<T>(pub T);

/// The payload of the panic for a case without arguments: a function rejected one of them.
struct Rejected;

impl<T> Built<Option<T>> {
    /// The value. If there is none, the case is discarded.
    pub fn value(self) -> T {
        self.0.unwrap_or_else(|| reject())
    }
}

impl<T, E> Built<Result<T, E>> {
    /// The value. If there is none, the case is discarded.
    pub fn value(self) -> T {
        self.0.unwrap_or_else(|_| reject())
    }
}

impl<T> Built<PhantomData<Option<T>>> {
    /// Says that such a function may reject values.
    pub fn may_fail(self) -> bool {
        true
    }
}

impl<T, E> Built<PhantomData<Result<T, E>>> {
    /// Says that such a function may reject values.
    pub fn may_fail(self) -> bool {
        true
    }
}

/// The type that a function of two arguments returns, as a value.
///
/// ```
/// use target_strategies::child::serve::{Built, Unfailing as _, returned};
///
/// assert!(Built(returned(|a: u8, b: u8| a.checked_add(b))).may_fail());
/// assert!(!Built(returned(|a: u8, b: u8| a.max(b))).may_fail());
/// ```
pub fn returned<A, B, R>(_: impl FnOnce(A, B) -> R) -> PhantomData<R> {
    PhantomData
}

/// A type other than `Option` and `Result`: it is the value itself.
pub trait Unfailing {
    /// The type of the value.
    type Value;

    /// The value.
    fn value(self) -> Self::Value;

    /// Says that such a function never rejects values.
    fn may_fail(self) -> bool
    where
        Self: Sized,
    {
        false
    }
}

impl<T> Unfailing for Built<T> {
    type Value = T;

    fn value(self) -> T {
        self.0
    }
}

/// Rejects the case if a collection merged two values, by an equality of their type.
pub fn all_kept(n_kept: usize, n_given: usize) {
    if n_kept != n_given {
        reject();
    }
}

/// The built value, if reading it back gives the same arguments. Otherwise the case is rejected: another input has
/// the same value.
pub fn unchanged<T>(built: T, shown: impl FnOnce(&T) -> Value, given: &Value) -> T {
    if shown(&built) != *given {
        reject();
    }
    built
}

/// The value that code makes. The case is rejected if it panics: that is a failure of another function than the one
/// that is tested.
pub fn made<T>(make: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| {
        // A payload may be anything, even something whose destructor panics.
        std::mem::forget(panic);
        reject()
    })
}

/// A value after a function changed it. The case is rejected if that panics.
pub fn changed<T>(mut value: T, change: impl FnOnce(&mut T)) -> T {
    if catch_unwind(AssertUnwindSafe(|| change(&mut value))).is_err() {
        std::mem::forget(value);
        reject();
    }
    value
}

/// Rejects the case, without calling the panic hook.
pub(super) fn reject() -> ! {
    resume_unwind(Box::new(Rejected))
}

/// Whether a panic's payload says that the case was rejected.
pub(crate) fn is_rejection(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Rejected>()
}
