//! Types of the user's source as the catalog has them.

use target_strategies::logic::ir::{IntKind, MapKind, SetKind};

/// Index of a type in [`super::Catalog::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

impl RustType {
    /// The type of the function, if it is one.
    pub fn function(&self) -> Option<&FunctionType> {
        match self {
            RustType::Function(function) => Some(function),
            _ => None,
        }
    }
}

/// The type of a function that is an argument.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionType {
    /// The types of its parameters.
    pub params: Vec<RustType>,
    /// The type of its result.
    pub result: RustType,
}

/// A type of the user's source, with names resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum RustType {
    /// `bool`
    Bool,
    /// `char`
    Char,
    /// An integer.
    Int(IntKind),
    /// `f32` or `f64`, by its width.
    Float(u32),
    /// `String`
    String,
    /// `str`
    Str,
    /// A tuple.
    Tuple(Vec<RustType>),
    /// `[T; n]`; `None` if the length isn't a literal.
    Array(Box<RustType>, Option<u32>),
    /// `[T]`
    Slice(Box<RustType>),
    /// `Vec<T>`
    Vec(Box<RustType>),
    /// `VecDeque<T>`
    Deque(Box<RustType>),
    /// `BTreeSet<T>`, `HashSet<T>`
    Set(Box<RustType>, SetKind),
    /// `BTreeMap<K, V>`, `HashMap<K, V>`
    Map(Box<RustType>, Box<RustType>, MapKind),
    /// `Option<T>`
    Option(Box<RustType>),
    /// `Result<T, E>`
    Result(Box<RustType>, Box<RustType>),
    /// `Box<T>`
    Box(Box<RustType>),
    /// `Rc<T>`
    Rc(Box<RustType>),
    /// `Cow<T>`
    Cow(Box<RustType>),
    /// `Arc<T>`
    Arc(Box<RustType>),
    /// `&T` or `&mut T`
    Ref {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The referenced type.
        inner: Box<RustType>,
    },
    /// A struct or enum of the crate, with its type arguments.
    Item(TypeId, Vec<RustType>),
    /// A type parameter, by its name; an `impl Trait` parameter, by its text and, if that is taken, a number.
    Param(String),
    /// A function: `fn(A) -> B`, `impl Fn(A) -> B`, `dyn Fn..`.
    Function(Box<FunctionType>),
    /// A type of the standard library or another crate that the catalog only names, with its type arguments. The name
    /// is its path if known (`std::collections::BinaryHeap`; `core` and `alloc` become `std`).
    Foreign(String, Vec<RustType>),
    /// Anything else, by its text.
    Other(String),
}
