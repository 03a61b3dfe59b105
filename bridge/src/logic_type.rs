//! The types of the logic: what a term can be, whatever Rust type holds it.

use target_strategies::ir::{DataId, FloatKind, IntKind};

/// The type of a term.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// `bool`
    Bool,
    /// An integer, with its machine type where it has one.
    Int(Option<IntKind>),
    /// `f32`, `f64`; they don't mix.
    Float(FloatKind),
    /// `char`
    Char,
    /// `String`, `str`
    Str,
    /// `Vec<T>`, `[T]`, `[T; n]`
    Seq(Box<Ty>),
    /// A tuple.
    Tuple(Vec<Ty>),
    /// A struct or an enum, at an instance without refinements.
    Data(DataId),
    /// A type that the tool can't look into, by its Rust text; a measure's own type parameter, by its name.
    Opaque(String),
}
