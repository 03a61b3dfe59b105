//! The data model of values, shared by the solver, the generators, the corpus, the wire format and the reports.
//!
//! A [`Value`] is a tree without types; a [`crate::logic::ir::Sort`] says what it means. Subtrees are shared, so a
//! clone only increments a counter. `rescale(1, 1, 0)` has the arguments `[Int(1), Int(1), Int(0)]`; `Some(true)` is
//! `Data(1, [Bool(true)])`. Sets, bags and maps are sequences in a normal form: see [`crate::logic::collection`].

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::logic::int::Int;

/// A value of any sort.
///
/// Equality is identity: floats are compared by their bits, so that `NaN` equals itself and `0.0` differs from
/// `-0.0`. The logic's `==`, which is Rust's on floats, is [`crate::logic::order::logic_equal`].
#[derive(Clone, Debug)]
pub enum Value {
    /// A `bool`.
    Bool(bool),
    /// An integer of any type, or a mathematical one.
    Int(Int),
    /// A `char`.
    Char(char),
    /// An `f64`.
    Float(f64),
    /// A string.
    Str(Arc<str>),
    /// A sequence.
    Seq(Arc<[Value]>),
    /// A tuple.
    Tuple(Arc<[Value]>),
    /// A constructor, by its index, and its fields.
    Data(u32, Arc<[Value]>),
}

/// The constructor of `Value::any(0)`. Smaller numbers are those of constructors.
const FIRST_ANY: u32 = u32::MAX - 1 - u16::MAX as u32;

impl Value {
    /// The value of `()`.
    pub fn unit() -> Value {
        Value::Tuple(Arc::from([]))
    }

    /// A placeholder for a part that can't be read back from a Rust value. No constructor has its number.
    pub fn unread() -> Value {
        Value::Data(u32::MAX, Arc::from([]))
    }

    /// Whether it is a part that can't be read back.
    #[inline]
    pub fn is_unread(&self) -> bool {
        matches!(self, Value::Data(u32::MAX, _))
    }

    /// A placeholder for any value, in an argument tuple that stands for many. No constructor has its number.
    pub fn any(number: u16) -> Value {
        Value::Data(FIRST_ANY + u32::from(number), Arc::from([]))
    }

    /// The number of a [`Value::any`].
    pub fn any_number(&self) -> Option<u32> {
        let Value::Data(ctor, _) = self else { return None };
        (*ctor < u32::MAX).then(|| ctor.checked_sub(FIRST_ANY)).flatten()
    }

    /// Number of scalars, constructors and characters.
    pub fn n_parts(&self) -> usize {
        match self {
            Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => 1,
            Value::Str(text) => 1 + text.len(),
            Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
                1 + parts.iter().map(Value::n_parts).sum::<usize>()
            }
        }
    }

    /// Whether a part of the value can't be read back.
    pub fn has_unread(&self) -> bool {
        match self {
            Value::Seq(parts) | Value::Tuple(parts) => parts.iter().any(Value::has_unread),
            Value::Data(ctor, fields) => *ctor == u32::MAX || fields.iter().any(Value::has_unread),
            Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => false,
        }
    }

    /// An integer.
    pub fn int(n: impl Into<Int>) -> Value {
        Value::Int(n.into())
    }

    /// A string.
    pub fn str(text: &str) -> Value {
        Value::Str(Arc::from(text))
    }

    /// A sequence of the given elements.
    pub fn seq(elements: impl Into<Arc<[Value]>>) -> Value {
        Value::Seq(elements.into())
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Char(a), Value::Char(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => a == b,
            (Value::Data(c, a), Value::Data(d, b)) => c == d && a == b,
            (Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_), _)
            | (Value::Str(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..), _) => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Bool(b) => b.hash(state),
            Value::Int(n) => n.hash(state),
            Value::Char(c) => c.hash(state),
            Value::Float(x) => x.to_bits().hash(state),
            Value::Str(s) => s.hash(state),
            Value::Seq(parts) | Value::Tuple(parts) => parts.hash(state),
            Value::Data(ctor, fields) => {
                ctor.hash(state);
                fields.hash(state);
            }
        }
    }
}
