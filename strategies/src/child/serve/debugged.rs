//! The text that a value of a type that the tool can't look into has by its `Debug`, if it has one.
//!
//! The glue knows the value's type, but not whether it implements `Debug`. So rustc chooses between two methods of one name:
//! it finds the one of [`Debugged`] before that of a reference to it, if the type implements `Debug`.

use std::cell::Cell;
use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::panics;
use crate::logic::value::Value;

thread_local! {
    /// Whether the results of the running case are shown.
    static IS_SHOWN: Cell<bool> = const { Cell::new(true) };
}

/// Decides whether values have their texts from now on. Most cases are never shown, and `Debug` is the user's code: it takes time, and may fail.
pub(super) fn show(is_shown: bool) {
    IS_SHOWN.set(is_shown);
}

/// Maximum length of a text, in bytes: longer ones are cut, as `..`.
const LONGEST: usize = 400;

/// A value to show.
///
/// ```
/// use target_strategies::child::serve::debugged::{AsDebug as _, Debugged, Unknown as _};
/// use target_strategies::logic::value::Value;
///
/// struct Secret;
/// assert_eq!((&Debugged(&"a".parse::<u8>())).text_by_debug(), Value::str("Err(ParseIntError { kind: InvalidDigit })"));
/// assert_eq!((&Debugged(&Secret)).text_by_debug(), Value::unit());
/// ```
#[derive(Debug)]
pub struct Debugged<'a, T: ?Sized>(pub &'a T);

/// Shows values of types with `Debug`.
pub trait AsDebug {
    /// The text as a value.
    fn text_by_debug(&self) -> Value;
}

/// Shows values of other types.
pub trait Unknown {
    /// The value of what can't be shown.
    fn text_by_debug(&self) -> Value;
}

impl<T: fmt::Debug + ?Sized> AsDebug for Debugged<'_, T> {
    fn text_by_debug(&self) -> Value {
        let mut text = Cut(String::new());
        if !IS_SHOWN.get() {
            return Value::unit();
        }
        // The code is the user's. What it wrote before a panic, or before it was too long, is shown.
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| write!(text, "{:?}", self.0).is_ok())) {
            drop(panics::describe(payload));
        }
        if text.0.is_empty() { Value::unit() } else { Value::str(&text.0) }
    }
}

impl<T: ?Sized> Unknown for &Debugged<'_, T> {
    fn text_by_debug(&self) -> Value {
        Value::unit()
    }
}

/// A text of one line that stops growing.
struct Cut(String);

impl Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if self.0.len() >= LONGEST {
                if !self.0.ends_with("..") {
                    self.0.push_str("..");
                }
                return Err(fmt::Error);
            }
            self.0.push(if c.is_control() { ' ' } else { c });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Panics;

    impl fmt::Debug for Panics {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Pan")?;
            panic!("while it is shown")
        }
    }

    #[test]
    fn a_text_is_one_line_of_limited_length() {
        let long = Debugged(&vec![7; 1000]).text_by_debug();
        let Value::Str(text) = &long else { panic!("{long:?}") };
        assert_eq!((text.len(), text.ends_with("..")), (LONGEST + 2, true));
        assert_eq!(Debugged(&format_args!("a\n\tb")).text_by_debug(), Value::str("a  b"));
    }

    #[test]
    fn a_panic_while_a_value_is_shown_cuts_its_text() {
        assert_eq!(Debugged(&Panics).text_by_debug(), Value::str("Pan"));
    }

    #[test]
    fn values_without_a_size_are_shown_too() {
        let error: Box<dyn std::error::Error> = "no".into();
        assert_eq!(Debugged(&*error).text_by_debug(), Value::str("\"no\""));
    }
}
