//! The items of the user's crate, found in its source: modules, types, functions and methods, with their public paths.
//!
//! [`scan`] reads Rust files with syn, follows `mod` and `use`, and evaluates `cfg`. It builds nothing and knows
//! nothing about specs. [`Catalog::function`], [`Catalog::type_`] and [`Catalog::constructor`] find items by the paths
//! that users write. Items defined by macros are invisible.

mod cfg;
mod contain;
mod declare;
pub mod foreign;
mod functions;
mod hidden;
mod imports;
#[cfg(test)]
mod listing;
mod lookup;
mod lower;
mod modules;
mod names;
mod open;
mod public;
mod reach;
mod scan;
mod show;
mod source;

use std::path::PathBuf;

use target_strategies::logic::ir::{IntKind, MapKind, SetKind};

pub use cfg::Cfg;
pub use hidden::Hidden;
pub use lookup::{FnLookup, NotAFunction, TypeLookup};
pub use names::Names;
pub use open::{Change, Opening, opened};
pub use reach::Access;
pub use scan::{ScanProblem, scan, scan_text};

/// Index of a type in [`Catalog::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// The result of a scan.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The name of the library crate, as in `use`.
    pub crate_name: String,
    /// The structs and enums.
    pub types: Vec<TypeItem>,
    /// The functions, associated functions and methods.
    pub functions: Vec<FnItem>,
    /// Names in text that the scan doesn't read: bodies of functions, macros.
    pub hidden: Vec<Hidden>,
    /// The names in each module, for lookups.
    pub names: Names,
}

/// A struct or an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeItem {
    /// The path of its definition, from the crate's root: `tree::Tree`.
    pub path: String,
    /// The shortest public path from the crate's root, if it is reachable from outside.
    pub public_path: Option<String>,
    /// How outside code names it, public or not.
    pub access: Access,
    /// Further items to open so that outside code can make its values and read them.
    pub inside: Vec<Opening>,
    /// The names of its type parameters.
    pub generics: Vec<String>,
    /// Its constructors in order; a struct has one, named like the type.
    pub ctors: Vec<CtorItem>,
    /// Whether it is an enum.
    pub is_enum: bool,
}

/// A constructor of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct CtorItem {
    /// Its name.
    pub name: String,
    /// Its fields in order.
    pub fields: Vec<FieldItem>,
    /// Whether the fields have names.
    pub named: bool,
}

/// A field of a constructor.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldItem {
    /// Its name; the index as text, for a tuple field.
    pub name: String,
    /// Its type.
    pub ty: RustType,
    /// Whether it can be named from outside the crate.
    pub public: bool,
}

/// A function, associated function or method.
#[derive(Clone, Debug, PartialEq)]
pub struct FnItem {
    /// The path of its definition, from the crate's root: `tree::insert`, `heap::Heap::push`.
    pub path: String,
    /// A path for outside code, without the crate's name; `None` if it is private. For a method of a trait it is
    /// `<crate::Type as crate::Trait>::method`; [`Catalog::outside_path`] adds the crate's name to both.
    pub public_path: Option<String>,
    /// How outside code calls it, public or not; `None` if it can't.
    pub access: Option<Access>,
    /// The names of the type parameters of its `impl`, its own, and its `impl Trait`s, except those bounded by `Fn` and
    /// similar traits, which are [`RustType::Function`].
    pub generics: Vec<String>,
    /// The parameters; the receiver comes first, with the name `self`.
    pub params: Vec<ParamItem>,
    /// The result; `Tuple([])` by default.
    pub result: RustType,
    /// Whether a call needs `unsafe`.
    pub is_unsafe: bool,
    /// Whether it is `async`.
    pub is_async: bool,
    /// The file of its definition and the line of its name, 1-based.
    pub place: (PathBuf, usize),
}

/// A parameter as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamItem {
    /// Its name, or `_` if its pattern is not a name.
    pub name: String,
    /// Its type.
    pub ty: RustType,
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
    Function,
    /// A type of the standard library or another crate that the catalog only names, with its type arguments. The name
    /// is its path if known (`std::collections::BinaryHeap`; `core` and `alloc` become `std`).
    Foreign(String, Vec<RustType>),
    /// Anything else, by its text.
    Other(String),
}
