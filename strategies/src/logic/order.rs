//! The logic's `==` and `<` on values: structural; on floats, Rust's.

use std::cmp::Ordering;

use crate::logic::value::Value;

/// The logic's `==`. Unlike [`Value`]'s own, `0.0` equals `-0.0`, and `NaN` equals nothing.
///
/// ```
/// use target_strategies::logic::order::logic_equal;
/// use target_strategies::logic::value::Value;
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

pub(super) fn all_equal(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| logic_equal(a, b))
}

/// The logic's order: numeric, and lexicographic on sequences, tuples and data; `None` if a `NaN` is compared, or
/// values of different sorts.
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
        (Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_), _)
        | (Value::Str(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..), _) => None,
    }
}

pub(super) fn lexicographic(a: &[Value], b: &[Value]) -> Option<Ordering> {
    for (a, b) in a.iter().zip(b) {
        match logic_compare(a, b)? {
            Ordering::Equal => {}
            unequal @ (Ordering::Less | Ordering::Greater) => return Some(unequal),
        }
    }
    Some(a.len().cmp(&b.len()))
}
