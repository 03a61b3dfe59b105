//! The types and functions of the user's crate, as the catalog lists them.

use std::path::PathBuf;

use target_strategies::logic::ir::Receiver;

use super::open::Opening;
use super::rust_type::{ConstantKind, FunctionType, RustType, TypeId};

/// A path that works outside the crate, and the items to open for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    /// The path, without the crate's name; [`super::Catalog::outside_path`] adds it.
    pub path: String,
    /// The items to open; none if the path is public.
    pub openings: Vec<Opening>,
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
    /// Number of its lifetimes.
    pub lifetimes: usize,
    /// The names of its type parameters and constant parameters.
    pub generics: Vec<String>,
    /// Those of them that are constants.
    pub constants: Vec<(String, ConstantKind)>,
    /// The defaults of these parameters.
    pub defaults: Vec<Option<RustType>>,
    /// Its constructors in order; a struct has one, named like the type.
    pub ctors: Vec<CtorItem>,
    /// Whether it is an enum.
    pub is_enum: bool,
    /// The names of the traits that it derives.
    pub derives: Vec<String>,
    /// Those of [`OWN_TRAITS`] that it implements itself.
    pub own_traits: Vec<String>,
    /// Set for a trait. Its constructors are a table for each method without a body, and then its implementors.
    pub of_trait: Option<TraitItem>,
}

/// An associated type in an implementation of a trait.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The type that has the trait, over the parameters of the implementation.
    pub of: RustType,
    /// The trait's name, with its type arguments.
    pub of_trait: String,
    /// The name of the associated type.
    pub name: String,
    /// The type that it is.
    pub ty: RustType,
}

/// A trait of the crate, as the type of its values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraitItem {
    /// Its methods in order.
    pub methods: Vec<MethodItem>,
    /// The traits of the crate that its types must have, too, also those of these traits.
    pub bases: Vec<TypeId>,
    /// Its associated types, which are its last type parameters.
    pub associated: Vec<String>,
    /// The names of the traits that its types must have, too.
    pub supertraits: Vec<String>,
    /// Whether a method with a body is left out, since its types can't be written.
    pub leaves_out: bool,
    /// Why no type that is not in the source can have it, if so.
    pub obstacle: Option<String>,
}

/// A method of a trait.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodItem {
    /// Its name.
    pub name: String,
    /// How it takes the value.
    pub receiver: Receiver,
    /// The types of its other parameters, and of its result.
    pub signature: FunctionType,
    /// The base that has it; `None` if the trait itself does.
    pub of: Option<TypeId>,
    /// Whether it has no body in the trait.
    pub is_required: bool,
}

/// The names of the traits that are looked for among what a type implements itself: their laws, or operators in conditions, need
/// them.
pub(super) const OWN_TRAITS: [&str; 5] = ["PartialEq", "PartialOrd", "Ord", "Hash", "ExactSizeIterator"];

/// A constructor of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct CtorItem {
    /// Its name.
    pub name: String,
    /// Its fields in order.
    pub fields: Vec<FieldItem>,
    /// Whether the fields have names.
    pub named: bool,
    /// Whether it is a variant that serde leaves out where the type is written or read.
    pub is_skipped: bool,
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
    /// Whether serde leaves it out where the type is written or read.
    pub is_skipped: bool,
}

/// A function, associated function or method.
#[derive(Clone, Debug, PartialEq)]
pub struct FnItem {
    /// The path of its definition, from the crate's root: `tree::insert`, `heap::Heap::push`.
    pub path: String,
    /// A path for outside code, without the crate's name; `None` if it is private. For a method of a trait it is
    /// `<crate::Type as crate::Trait>::method`; [`super::Catalog::outside_path`] adds the crate's name to both.
    pub public_path: Option<String>,
    /// How outside code calls it, public or not; `None` if it can't.
    pub access: Option<Access>,
    /// The names of the type parameters of its `impl`, its own, and its `impl Trait`s, except those bounded by `Fn` and
    /// similar traits, which are [`RustType::Function`].
    pub generics: Vec<String>,
    /// The bounds of its type parameters: a name, and what it must implement, as text. Bounds on types that only contain
    /// the parameter are among them, with that type before a colon.
    pub bounds: Vec<(String, String)>,
    /// Those of its parameters that are constants.
    pub constants: Vec<(String, ConstantKind)>,
    /// What must hold so that it doesn't panic, as far as its docs say so in code.
    pub panic_free: Vec<String>,
    /// Whether its docs say that it panics.
    pub documents_panics: bool,
    /// The parameters; the receiver comes first, with the name `self`.
    pub params: Vec<ParamItem>,
    /// The result; `Tuple([])` by default.
    pub result: RustType,
    /// Whether the result may borrow from an argument, apart from plain references.
    pub result_borrows: bool,
    /// Whether a call needs `unsafe`.
    pub is_unsafe: bool,
    /// Whether it is `async`.
    pub is_async: bool,
    /// The file of its definition and the line of its name, 1-based.
    pub location: (PathBuf, usize),
}

/// A parameter as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamItem {
    /// Its name, or `_` if its pattern is not a name.
    pub name: String,
    /// Whether the type has the lifetime `'static`: an argument must live forever.
    pub is_static: bool,
    /// Its type.
    pub ty: RustType,
}

impl TypeItem {
    /// The kind of a parameter, if it is a constant.
    pub fn constant(&self, parameter: &str) -> Option<ConstantKind> {
        self.constants.iter().find(|(name, _)| name == parameter).map(|(_, kind)| *kind)
    }

    /// The items to open so that outside code can name the type, make its values and read them.
    pub fn openings(&self) -> impl Iterator<Item = &Opening> {
        self.access.openings.iter().chain(&self.inside)
    }
}

impl FnItem {
    /// The kind of a parameter, if it is a constant.
    pub fn constant(&self, parameter: &str) -> Option<ConstantKind> {
        self.constants.iter().find(|(name, _)| name == parameter).map(|(_, kind)| *kind)
    }

    /// Whether the items of a list say what a type parameter is: `T` of `I: IntoIterator<Item = T>`.
    pub fn is_item_type(&self, parameter: &str) -> bool {
        let says = |bound: &str| {
            let bound: String = bound.chars().filter(|c| !c.is_whitespace()).collect();
            bound
                .split_once("IntoIterator<Item=")
                .is_some_and(|(_, of)| of.strip_prefix(parameter).is_some_and(|rest| rest.starts_with('>')))
        };
        let of_anonymous = self.generics.iter().filter_map(|name| name.strip_prefix("impl "));
        let of_others = self.bounds.iter().filter(|(of, _)| of != parameter);
        of_others.map(|(_, bound)| bound.as_str()).chain(of_anonymous).any(says)
    }
}
