//! Conversions between [`Value`]s and Rust's scalars, strings and sequences, for generated glue.
//!
//! The `as_*` functions read a value, the `from_*` functions make one. A value of another sort than the spec's is a
//! bug of the tool, and panics.

use std::sync::Arc;

use crate::logic::collection::collected;
use crate::logic::int::Int;
use crate::logic::ir::{Collection, FloatKind};
use crate::logic::value::Value;

/// The `bool`.
pub fn as_bool(value: &Value) -> bool {
    let Value::Bool(b) = value else { mismatch("a bool", value) };
    *b
}

/// The `char`.
pub fn as_char(value: &Value) -> char {
    let Value::Char(c) = value else { mismatch("a char", value) };
    *c
}

/// The `f64`.
pub fn as_f64(value: &Value) -> f64 {
    let Value::Float(x) = value else { mismatch("a float", value) };
    *x
}

/// The `f32`.
pub fn as_f32(value: &Value) -> f32 {
    as_f64(value) as f32
}

/// The text of a string.
pub fn as_str(value: &Value) -> &str {
    let Value::Str(text) = value else { mismatch("a string", value) };
    text
}

/// The elements of a sequence (`Vec`, slice or array).
pub fn elements(value: &Value) -> &[Value] {
    let Value::Seq(elements) = value else { mismatch("a sequence", value) };
    elements
}

/// The parts of a tuple.
pub fn parts(value: &Value) -> &[Value] {
    let Value::Tuple(parts) = value else { mismatch("a tuple", value) };
    parts
}

/// The index of the constructor of a struct or enum, and its fields.
pub fn fields(value: &Value) -> (u32, &[Value]) {
    let Value::Data(ctor, fields) = value else { mismatch("a data value", value) };
    (*ctor, fields)
}

/// An array of a sequence's elements, each converted.
pub fn array<'a, T, const N: usize>(value: &'a Value, convert: impl FnMut(&'a Value) -> T) -> [T; N] {
    let elements: Vec<T> = elements(value).iter().map(convert).collect();
    match elements.try_into() {
        Ok(array) => array,
        Err(elements) => panic!("expected {N} elements, found {}", elements.len()),
    }
}

/// Panics for a constructor index that the type doesn't have: the last arm of a generated `match`.
pub fn no_constructor(ctor: u32, rust_type: &str) -> ! {
    panic!("`{rust_type}` has no constructor number {ctor}")
}

/// A `bool`.
pub fn from_bool(b: bool) -> Value {
    Value::Bool(b)
}

/// A `char`.
pub fn from_char(c: char) -> Value {
    Value::Char(c)
}

/// An `f64`.
pub fn from_f64(x: f64) -> Value {
    Value::Float(x)
}

/// An `f32`. All NaNs become the same one.
pub fn from_f32(x: f32) -> Value {
    Value::Float(FloatKind::F32.round(f64::from(x)))
}

/// A string.
pub fn from_str(text: &str) -> Value {
    Value::str(text)
}

/// A sequence of elements already converted.
pub fn from_elements(elements: impl IntoIterator<Item = Value>) -> Value {
    Value::Seq(elements.into_iter().collect())
}

/// A set of converted elements, in any order.
pub fn from_set(elements: impl IntoIterator<Item = Value>) -> Value {
    collected(Collection::Set, elements.into_iter().collect())
}

/// A map of converted pairs, in any order.
pub fn from_map(pairs: impl IntoIterator<Item = Value>) -> Value {
    collected(Collection::Map, pairs.into_iter().collect())
}

/// A tuple of parts already converted.
pub fn from_parts<const N: usize>(parts: [Value; N]) -> Value {
    Value::Tuple(parts.into())
}

/// A constructor applied to fields already converted.
pub fn from_fields<const N: usize>(ctor: u32, fields: [Value; N]) -> Value {
    // The empty one is shared, and most values in a structure have no fields.
    Value::Data(ctor, if N == 0 { Arc::default() } else { Arc::new(fields) })
}

/// `as_i64` and `from_i64`, for every integer type.
macro_rules! integers {
    ($($as_name:ident $from_name:ident $type:ident;)*) => {$(
        #[doc = concat!("The `", stringify!($type), "`.")]
        pub fn $as_name(value: &Value) -> $type {
            let n = match value {
                Value::Int(Int::Small(n)) => $type::try_from(*n).ok(),
                Value::Int(n) => wide(n).and_then(|n| match n {
                    Wide::Signed(n) => $type::try_from(n).ok(),
                    Wide::Unsigned(n) => $type::try_from(n).ok(),
                }),
                Value::Bool(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => None,
                Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => None,
            };
            n.unwrap_or_else(|| mismatch(concat!("an integer of type `", stringify!($type), "`"), value))
        }

        #[doc = concat!("An integer, from `", stringify!($type), "`.")]
        pub fn $from_name(n: $type) -> Value {
            Value::int(n)
        }
    )*};
}

integers! {
    as_i8 from_i8 i8;
    as_i16 from_i16 i16;
    as_i32 from_i32 i32;
    as_i64 from_i64 i64;
    as_i128 from_i128 i128;
    as_isize from_isize isize;
    as_u8 from_u8 u8;
    as_u16 from_u16 u16;
    as_u32 from_u32 u32;
    as_u64 from_u64 u64;
    as_u128 from_u128 u128;
    as_usize from_usize usize;
}

/// An integer of up to 128 bits.
enum Wide {
    Signed(i128),
    Unsigned(u128),
}

fn wide(n: &Int) -> Option<Wide> {
    n.to_i128().map(Wide::Signed).or_else(|| n.to_u128().map(Wide::Unsigned))
}

/// Panics for a value that doesn't have the spec's sort.
#[cold]
fn mismatch(wanted: &str, value: &Value) -> ! {
    let found = match value {
        Value::Int(n) => panic!("expected {wanted}, found the integer {n}"),
        Value::Bool(_) => "a bool",
        Value::Float(_) => "a float",
        Value::Char(_) => "a char",
        Value::Str(_) => "a string",
        Value::Seq(_) => "a sequence",
        Value::Tuple(_) => "a tuple",
        Value::Data(..) => "a data value",
    };
    panic!("expected {wanted}, found {found}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_survive_the_way_there_and_back() {
        assert_eq!(as_i8(&from_i8(i8::MIN)), i8::MIN);
        assert_eq!(as_u64(&from_u64(u64::MAX)), u64::MAX);
        assert_eq!(as_i128(&from_i128(i128::MIN)), i128::MIN);
        assert_eq!(as_u128(&from_u128(u128::MAX)), u128::MAX);
    }

    #[test]
    fn arrays_have_their_length() {
        let value = from_elements([from_u8(1), from_u8(2)]);
        assert_eq!(array::<u8, 2>(&value, as_u8), [1, 2]);
    }

    #[test]
    #[should_panic(expected = "expected an integer of type `u8`, found the integer -1")]
    fn what_does_not_fit_is_a_mistake_of_the_tool() {
        as_u8(&from_i64(-1));
    }
}
