//! Values that a function builds (`via`), which may refuse to.
//!
//! The function may come from any crate, so that its type is only known where the glue is compiled: [`Built`] looks into
//! an `Option` or a `Result`, and [`Unfailing`] stands in for everything else, since an inherent method comes first.

use std::any::Any;
use std::panic::resume_unwind;

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

/// What is neither an `Option` nor a `Result` is the value itself.
pub trait Unfailing {
    /// The type of the value.
    type Value;

    /// The value.
    fn value(self) -> Self::Value;
}

impl<T> Unfailing for Built<T> {
    type Value = T;

    fn value(self) -> T {
        self.0
    }
}

/// Gives the case up. No panic hook hears of it.
fn refuse() -> ! {
    resume_unwind(Box::new(Refused))
}

/// Whether a panic's payload says that the case was given up.
pub(super) fn is_refusal(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Refused>()
}
