//! The types of the logic: the type of a term, independent of the Rust type that holds it.

use target_strategies::logic::ir::{CallbackId, CallbackKind, DataId, FloatKind, IntKind};

/// The type of a term.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// `bool`
    Bool,
    /// An integer, with its machine type if it has one.
    Int(Option<IntKind>),
    /// `f32`, `f64`; they don't mix.
    Float(FloatKind),
    /// `char`
    Char,
    /// `String`, `str`
    Str,
    /// `Vec<T>`, `VecDeque<T>`, `[T]`, `[T; n]`
    Seq(Box<Ty>),
    /// A finite set: `BTreeSet<T>`, `HashSet<T>`.
    Set(Box<Ty>),
    /// A bag: a set with repetition.
    Bag(Box<Ty>),
    /// A finite map: `BTreeMap<K, V>`, `HashMap<K, V>`.
    Map(Box<Ty>, Box<Ty>),
    /// A tuple.
    Tuple(Vec<Ty>),
    /// A struct or an enum, at an instance without refinements.
    Data(DataId),
    /// A function among the arguments: the types of its parameters and of its result.
    Function(CallbackKind, Vec<Ty>, Box<Ty>, CallbackId),
    /// A type that the tool can't look into, by its Rust text; or a measure's own type parameter, by its name.
    Opaque(String),
}
