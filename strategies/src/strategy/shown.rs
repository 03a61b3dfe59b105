//! Shows values of the user's types by their `Debug` implementation, if they have one. Proptest requires `Debug` for
//! all values.
//!
//! A written file can't know whether a type implements it. [`Shown`] has an inherent method for types that do, which
//! takes precedence. [`Hidden`] serves the other types.

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

/// Shows a value without `Debug` as two dots.
pub trait Hidden {
    /// Writes a placeholder.
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
