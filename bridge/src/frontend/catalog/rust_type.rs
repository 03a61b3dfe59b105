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
#[derive(Clone, Debug)]
pub struct FunctionType {
    /// The types of its parameters.
    pub params: Vec<RustType>,
    /// The type of its result.
    pub result: RustType,
    /// Whether it is a `fn` pointer: a closure that captures something is none.
    pub is_pointer: bool,
}

/// Types are compared by what they are called with and what they return.
impl PartialEq for FunctionType {
    fn eq(&self, other: &FunctionType) -> bool {
        self.params == other.params && self.result == other.result
    }
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
    /// `[T; n]`
    Array(Box<RustType>, Length),
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
    /// Anything else, by its text. An argument for a constant parameter is here, too.
    Other(String),
}

impl RustType {
    /// The text of an argument for a constant parameter, and its kind; `None` if it is a type.
    pub fn constant(&self) -> Option<(&str, ConstantKind)> {
        let RustType::Other(text) = self else { return None };
        Some((text, ConstantKind::of(text)?))
    }
}

/// The kinds of constant parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantKind {
    /// Any integer: `3`, `-3`.
    Number,
    /// `true`
    Bool,
    /// `'a'`
    Char,
}

impl ConstantKind {
    /// The kind of the constant with a text, which has no parts; `None` if the text is none.
    pub fn of(text: &str) -> Option<ConstantKind> {
        match text {
            "true" | "false" => Some(ConstantKind::Bool),
            text if text.len() > 2 && text.starts_with('\'') && text.ends_with('\'') => {
                Some(ConstantKind::Char)
            }
            text => is_number(text).then_some(ConstantKind::Number),
        }
    }

    /// In words, with an article.
    pub fn described(self) -> &'static str {
        match self {
            ConstantKind::Number => "a number",
            ConstantKind::Bool => "a boolean",
            ConstantKind::Char => "a character",
        }
    }
}

/// Whether a text is an integer of some type.
fn is_number(text: &str) -> bool {
    text.parse::<i128>().is_ok() || text.parse::<u128>().is_ok()
}

/// The length of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// A number.
    Known(u32),
    /// A constant parameter, by its name.
    Param(String),
    /// Any other expression.
    Unknown,
}

impl Length {
    /// The number.
    pub fn known(&self) -> Option<u32> {
        match self {
            Length::Known(n) => Some(*n),
            Length::Param(_) | Length::Unknown => None,
        }
    }

    /// The length that an argument for a constant parameter is.
    pub fn of(argument: &RustType) -> Length {
        match argument {
            RustType::Param(name) => Length::Param(name.clone()),
            RustType::Other(text) => text.parse().map_or(Length::Unknown, Length::Known),
            _ => Length::Unknown,
        }
    }

    /// The argument for a constant parameter that it is.
    pub fn argument(&self) -> RustType {
        match self {
            Length::Known(n) => RustType::Other(n.to_string()),
            Length::Param(name) => RustType::Param(name.clone()),
            Length::Unknown => RustType::Other("_".to_owned()),
        }
    }

    /// The length after constant parameters are replaced.
    pub fn replaced(&self, replace: impl FnOnce(&RustType) -> Option<RustType>) -> Length {
        match self {
            Length::Param(name) => {
                replace(&RustType::Param(name.clone())).map_or_else(|| self.clone(), |ty| Length::of(&ty))
            }
            Length::Known(_) | Length::Unknown => self.clone(),
        }
    }
}

impl std::fmt::Display for Length {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Length::Known(n) => n.fmt(out),
            Length::Param(name) => out.write_str(name),
            Length::Unknown => out.write_str("_"),
        }
    }
}
