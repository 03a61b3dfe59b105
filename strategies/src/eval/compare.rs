//! The logic's `==` and `<`: structural; of floats, Rust's.

use std::cmp::Ordering;

use super::env::{Datum, Halt};
use crate::value::Value;

/// The logic's `==`. Unlike [`Value`]'s own, `0.0` equals `-0.0`, and `NaN` equals nothing.
///
/// ```
/// use target_strategies::eval::logic_equal;
/// use target_strategies::value::Value;
///
/// assert!(logic_equal(&Value::Float(0.0), &Value::Float(-0.0)));
/// assert!(!logic_equal(&Value::Float(f64::NAN), &Value::Float(f64::NAN)));
/// ```
pub fn logic_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => all_equal(a, b),
        (Value::Data(c, a), Value::Data(d, b)) => c == d && all_equal(a, b),
        (a, b) => a == b,
    }
}

fn all_equal(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| logic_equal(a, b))
}

/// The logic's order: numeric, lexicographic on sequences, tuples and data; `None` where `NaN` is in the way, or the
/// values are of different sorts.
pub fn logic_compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Char(a), Value::Char(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => lexicographic(a, b),
        (Value::Data(c, a), Value::Data(d, b)) if c == d => lexicographic(a, b),
        (Value::Data(c, _), Value::Data(d, _)) => Some(c.cmp(d)),
        _ => None,
    }
}

fn lexicographic(a: &[Value], b: &[Value]) -> Option<Ordering> {
    for (a, b) in a.iter().zip(b) {
        match logic_compare(a, b)? {
            Ordering::Equal => {}
            unequal => return Some(unequal),
        }
    }
    Some(a.len().cmp(&b.len()))
}

impl Datum<'_> {
    /// `==`
    pub(super) fn equals(&self, other: &Datum) -> Result<bool, Halt> {
        match (self.value(), other.value()) {
            (Ok(a), Ok(b)) => Ok(logic_equal(a, b)),
            _ => Ok(all_equal(self.elements()?, other.elements()?)),
        }
    }

    /// `partial_cmp`
    pub(super) fn compare(&self, other: &Datum) -> Result<Option<Ordering>, Halt> {
        match (self.value(), other.value()) {
            (Ok(a), Ok(b)) => Ok(logic_compare(a, b)),
            _ => Ok(lexicographic(self.elements()?, other.elements()?)),
        }
    }
}
