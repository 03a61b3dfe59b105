//! The user's crate, as its source tells it: modules, types, functions and methods, and the public path to each.
//!
//! [`scan`] reads Rust files with syn, follows `mod` and `use`, evaluates `cfg`; it builds nothing and knows nothing of
//! specs. [`Catalog::function`], [`Catalog::type_`] and [`Catalog::constructor`] find things by the paths that users
//! write. What macros define is invisible.

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

use target_strategies::ir::{IntKind, MapKind, SetKind};

pub use cfg::Cfg;
pub use hidden::Hidden;
pub use lookup::{FnLookup, TypeLookup};
pub use names::Names;
pub use open::{Change, Opening, opened};
pub use reach::Access;
pub use scan::{ScanProblem, scan, scan_text};

/// Index of a type in [`Catalog::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// All that the scan found.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The name of the library crate, as in `use`.
    pub crate_name: String,
    /// The structs and enums.
    pub types: Vec<TypeItem>,
    /// The functions, associated functions and methods.
    pub functions: Vec<FnItem>,
    /// Names in what the scan doesn't read: bodies of functions, macros.
    pub hidden: Vec<Hidden>,
    /// What each module's names mean; the lookups read it.
    pub names: Names,
}

/// A struct or an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeItem {
    /// Where it is defined, from the crate's root: `tree::Tree`.
    pub path: String,
    /// The shortest public path from the crate's root, if it is reachable from outside.
    pub public_path: Option<String>,
    /// How code outside names it, public or not.
    pub access: Access,
    /// What else has to be opened for code outside to make its values and to look into them.
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
    /// Where it is defined, from the crate's root: `tree::insert`, `heap::Heap::push`.
    pub path: String,
    /// A path that works from outside, without the crate's name; `None` if it is private. A method of a trait has
    /// `<crate::Type as crate::Trait>::method`; [`Catalog::outside_path`] puts the crate's name into either.
    pub public_path: Option<String>,
    /// How code outside calls it, public or not; `None` if it can't.
    pub access: Option<Access>,
    /// The names of the type parameters of its `impl`, its own, and its `impl Trait`s. Those bounded by `Fn` and the
    /// like are left out, being [`RustType::Function`].
    pub generics: Vec<String>,
    /// The parameters, the receiver first, under the name `self`.
    pub params: Vec<ParamItem>,
    /// The result; `Tuple([])` if none is written.
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
    /// Its name, `_` where the pattern is no name.
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
    /// `[T; n]`; `None` where the length is no literal.
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
        /// What is behind it.
        inner: Box<RustType>,
    },
    /// A struct or enum of the crate, with its type arguments.
    Item(TypeId, Vec<RustType>),
    /// A type parameter, by its name; `impl Trait` in a parameter likewise, by its text and, if that is taken, a number.
    Param(String),
    /// A function: `fn(A) -> B`, `impl Fn(A) -> B`, `dyn Fn..`.
    Function,
    /// A type from the standard library or another crate that the catalog only names, by its path where it is known
    /// (`std::collections::BinaryHeap`, `core` and `alloc` being `std`), with its type arguments.
    Foreign(String, Vec<RustType>),
    /// Anything else, by its text.
    Other(String),
}
