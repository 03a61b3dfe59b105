//! Values of the user's types, shown by `Debug` where they have it: proptest wants it of all that it draws.
//!
//! A written file can't know whether a type has it. [`Shown`] has an inherent method for those that do, which comes first,
//! and [`Hidden`] stands in for the others.

use std::fmt;

/// A value to show.
///
/// ```
/// use std::fmt;
/// use target_strategies::strategy::{Hidden as _, Shown};
///
/// struct Silent;
/// struct Both(u8, Silent);
///
/// impl fmt::Debug for Both {
///     fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
///         Shown(&self.0).show(out)?;
///         Shown(&self.1).show(out)
///     }
/// }
///
/// assert_eq!(format!("{:?}", Both(1, Silent)), "1..");
/// ```
pub struct Shown<'v, T>(pub &'v T);

impl<T: fmt::Debug> Shown<'_, T> {
    /// Shows it by its `Debug`.
    pub fn show(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// What has no `Debug` is two dots.
pub trait Hidden {
    /// Shows that there is something.
    fn show(&self, out: &mut fmt::Formatter) -> fmt::Result;
}

impl<T> Hidden for Shown<'_, T> {
    fn show(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("..")
    }
}

impl<T> fmt::Debug for Shown<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("Shown(..)")
    }
}
