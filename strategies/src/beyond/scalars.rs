//! The scalars of values, whatever their types.

use crate::logic::value::Value;

/// The scalars of a value, in order.
pub(super) fn collect(value: &Value, scalars: &mut Vec<Value>) {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => scalars.push(value.clone()),
        Value::Str(text) => scalars.extend(text.chars().map(Value::Char)),
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
            parts.iter().for_each(|part| collect(part, scalars));
        }
    }
}

/// A value with other scalars of the same kinds, in order.
pub(super) fn with_scalars(value: &Value, replace: &mut dyn FnMut(&Value) -> Value) -> Value {
    let mut all = |parts: &[Value]| parts.iter().map(|part| with_scalars(part, replace)).collect();
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => replace(value),
        Value::Str(text) => {
            let chars = text.chars().map(|c| match replace(&Value::Char(c)) {
                Value::Char(c) => c,
                Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => c,
                Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => c,
            });
            Value::Str(chars.collect::<String>().into())
        }
        Value::Seq(parts) => Value::Seq(all(parts)),
        Value::Tuple(parts) => Value::Tuple(all(parts)),
        Value::Data(ctor, parts) => Value::Data(*ctor, all(parts)),
    }
}

/// Number of scalars and constructors in a value.
pub(super) fn size(value: &Value) -> u64 {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => 1,
        Value::Str(text) => text.len() as u64,
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
            1 + parts.iter().map(size).sum::<u64>()
        }
    }
}

/// Number of elements of the lists in a value, and of characters of its strings.
pub(super) fn n_elements(value: &Value) -> u64 {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => 0,
        Value::Str(text) => text.chars().count() as u64,
        Value::Seq(parts) => parts.len() as u64,
        Value::Tuple(parts) | Value::Data(_, parts) => parts.iter().map(n_elements).sum(),
    }
}
