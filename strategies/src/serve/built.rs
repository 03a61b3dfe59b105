//! Values that a function builds (`via`), which may refuse to.
//!
//! The function may come from any crate, so that its type is only known where the glue is compiled: [`Built`] looks into
//! an `Option` or a `Result`, and [`Unfailing`] stands in for everything else, since an inherent method comes first.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::resume_unwind;

use crate::value::Value;

/// What a function gave.
///
/// ```
/// use target_strategies::serve::{Built, Unfailing as _};
///
/// assert_eq!(Built(Some(1)).value(), 1);
/// assert_eq!(Built(Ok::<_, String>(1)).value(), 1);
/// assert_eq!(Built(1).value(), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Built<T>(pub T);

/// The case has no arguments: a function refused to build one of them.
struct Refused;

impl<T> Built<Option<T>> {
    /// The value; without one the case is discarded.
    pub fn value(self) -> T {
        self.0.unwrap_or_else(|| refuse())
    }
}

impl<T, E> Built<Result<T, E>> {
    /// The value; without one the case is discarded.
    pub fn value(self) -> T {
        self.0.unwrap_or_else(|_| refuse())
    }
}

impl<T> Built<PhantomData<Option<T>>> {
    /// That such a function may refuse.
    pub fn may_fail(self) -> bool {
        true
    }
}

impl<T, E> Built<PhantomData<Result<T, E>>> {
    /// That such a function may refuse.
    pub fn may_fail(self) -> bool {
        true
    }
}

/// The type that a function of two arguments returns, as a value.
///
/// ```
/// use target_strategies::serve::{Built, Unfailing as _, returned};
///
/// assert!(Built(returned(|a: u8, b: u8| a.checked_add(b))).may_fail());
/// assert!(!Built(returned(|a: u8, b: u8| a.max(b))).may_fail());
/// ```
pub fn returned<A, B, R>(_: impl FnOnce(A, B) -> R) -> PhantomData<R> {
    PhantomData
}

/// What is neither an `Option` nor a `Result` is the value itself.
pub trait Unfailing {
    /// The type of the value.
    type Value;

    /// The value.
    fn value(self) -> Self::Value;

    /// That such a function never refuses.
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

/// Gives the case up where a collection took two values for one, by an equality of their type's own.
pub fn all_kept(n_kept: usize, n_given: usize) {
    if n_kept != n_given {
        refuse();
    }
}

/// What a function built, if reading it back gives what it was built of. Otherwise the case is given up: another
/// input stands for the same value.
pub fn unchanged<T>(built: T, shown: impl FnOnce(&T) -> Value, given: &Value) -> T {
    if shown(&built) != *given {
        refuse();
    }
    built
}

/// Gives the case up. No panic hook hears of it.
fn refuse() -> ! {
    resume_unwind(Box::new(Refused))
}

/// Whether a panic's payload says that the case was given up.
pub(crate) fn is_refusal(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Refused>()
}
