//! What each module's names mean, once imports are resolved.
//!
//! [`Names`] is the result that lookups walk through; it holds definitions by their index and forgets the source.

use std::collections::BTreeMap;

use super::{RustType, TypeId};

/// Index of a module; the crate's root is 0.
pub(super) type ModuleId = u32;

/// The crate's root.
pub(super) const ROOT: ModuleId = 0;

/// The names of a crate: scopes by module, and the functions that belong to types.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub(super) modules: Vec<Module>,
    pub(super) aliases: Vec<Alias>,
    /// Paths into other crates, by the index in [`Def::Foreign`].
    pub(super) foreign: Vec<String>,
    /// The associated functions of each type of the crate.
    pub(super) associated: BTreeMap<TypeId, Vec<Associated>>,
    /// The same for types of other crates, by the last segment of their names.
    pub(super) extensions: BTreeMap<String, Vec<Associated>>,
}

/// A module and its names, in the two namespaces that matter here.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Module {
    /// Its definition path from the root; empty for the root.
    pub path: String,
    pub parent: Option<ModuleId>,
    /// Modules, types, traits.
    pub types: Scope,
    /// Functions, constants, constructors.
    pub values: Scope,
}

/// Names in one namespace.
pub(super) type Scope = BTreeMap<String, Binding>;

/// What a name stands for, and from where it can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Binding {
    pub def: Def,
    pub visibility: Visibility,
}

/// A definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Def {
    Module(ModuleId),
    Type(TypeId),
    Alias(u32),
    Trait(u32),
    Function(u32),
    Variant(TypeId, u32),
    Const(u32),
    Foreign(u32),
    /// A union, a static, a foreign function: known only not to be something else.
    Other,
}

/// Who can see a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    Public,
    /// A module and those below it.
    Within(ModuleId),
}

/// A type alias of the crate, expanded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Alias {
    pub path: String,
    pub generics: Vec<String>,
    pub ty: RustType,
}

/// A function that belongs to a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Associated {
    /// Its index in the catalog.
    pub function: u32,
    /// Whether it implements a trait.
    pub of_trait: bool,
}
