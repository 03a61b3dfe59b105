//! The meaning of names in each module, once imports are resolved.
//!
//! Lookups use [`Names`]; it refers to definitions by index, without the source.

use std::collections::BTreeMap;

use super::items::TypeItem;
use super::rust_type::{RustType, TypeId};

/// Index of a module; the crate's root is 0.
pub(super) type ModuleId = u32;

/// The crate's root.
pub(super) const ROOT: ModuleId = 0;

/// The names of a crate: scopes by module, and the functions of types.
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
    /// The constants of each type of the crate by their names, as [`Def::Const`] numbers them.
    pub(super) constants: BTreeMap<TypeId, BTreeMap<String, u32>>,
}

/// A module and its names, in two namespaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Module {
    /// Its definition path from the root; empty for the root.
    pub path: String,
    pub parent: Option<ModuleId>,
    /// Modules, types, traits.
    pub types: Scope,
    /// Functions, constants, constructors.
    pub values: Scope,
    /// The modules of other crates from which it imports all names.
    pub foreign_globs: Vec<String>,
}

/// Names in one namespace.
pub(super) type Scope = BTreeMap<String, Binding>;

/// The meaning of a name, and its visibility.
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
    /// A trait, by the type of its values.
    Trait(TypeId),
    Function(u32),
    Variant(TypeId, u32),
    Const(u32),
    Foreign(u32),
    /// A union, a foreign function: known only so that no other item is found.
    Other,
}

/// Who can see a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    Public,
    /// A module and its descendants.
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

/// The target of a path in the source.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Resolved {
    Local(Binding),
    /// A path into another crate, or the standard library.
    Foreign(String),
}

/// The two namespaces used here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    Types,
    Values,
}

impl Module {
    /// The definition path of a name in this module.
    pub fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_string() } else { format!("{}::{name}", self.path) }
    }

    pub fn scope(&self, namespace: Namespace) -> &Scope {
        match namespace {
            Namespace::Types => &self.types,
            Namespace::Values => &self.values,
        }
    }
}

impl Names {
    /// The index of a path into another crate, added if it is new.
    pub(super) fn intern(&mut self, path: &str) -> u32 {
        let known = self.foreign.iter().position(|known| known == path);
        let index = known.unwrap_or_else(|| {
            self.foreign.push(path.to_string());
            self.foreign.len() - 1
        });
        index as u32
    }

    /// Whether a name with this visibility can be used in a module.
    pub(super) fn is_visible(&self, visibility: Visibility, from: ModuleId) -> bool {
        let Visibility::Within(owner) = visibility else { return true };
        let mut module = Some(from);
        while let Some(id) = module {
            if id == owner {
                return true;
            }
            module = self.modules[id as usize].parent;
        }
        false
    }

    /// The meaning of a path in a module. `types` has the names of the variants.
    pub(super) fn resolve(
        &self,
        types: &[TypeItem],
        module: ModuleId,
        absolute: bool,
        path: &[String],
        namespace: Namespace,
    ) -> Option<Resolved> {
        let (start, rest) = self.start(module, absolute, path)?;
        let local = start.and_then(|start| self.descend(types, start, rest, namespace));
        local.or_else(|| {
            let [first, rest @ ..] = path else { return None };
            let is_keyword = ["crate", "self", "super", "Self"].contains(&first.as_str());
            if start.is_some() || is_keyword {
                return None;
            }
            // Edition 2015, and names of `extern crate`: resolved from the root.
            let standard = ["std", "core", "alloc"].contains(&first.as_str());
            let from_root = || self.descend(types, Def::Module(ROOT), path, namespace);
            let named = (!standard && !absolute).then(from_root).flatten();
            named.or_else(|| (!rest.is_empty()).then(|| Resolved::Foreign(path.join("::"))))
        })
    }

    /// The start of a path, and the remaining segments; the start is `None` if the first name is unknown.
    fn start<'a>(
        &self,
        mut module: ModuleId,
        absolute: bool,
        path: &'a [String],
    ) -> Option<(Option<Def>, &'a [String])> {
        if absolute {
            return Some((None, path));
        }
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => return Some((Some(Def::Module(ROOT)), &rest[1..])),
            "self" => rest = &rest[1..],
            "super" => {}
            name => {
                let known = self.modules[module as usize].types.contains_key(name)
                    || (rest.len() == 1 && self.modules[module as usize].values.contains_key(name));
                return Some((known.then_some(Def::Module(module)), rest));
            }
        }
        while rest.first().is_some_and(|name| name == "super") {
            module = self.modules[module as usize].parent?;
            rest = &rest[1..];
        }
        Some((Some(Def::Module(module)), rest))
    }

    /// Follows names from a definition downwards.
    fn descend(
        &self,
        types: &[TypeItem],
        start: Def,
        path: &[String],
        namespace: Namespace,
    ) -> Option<Resolved> {
        let mut binding = Binding { def: start, visibility: Visibility::Public };
        for (index, name) in path.iter().enumerate() {
            let is_last = index + 1 == path.len();
            binding = match binding.def {
                Def::Module(module) => {
                    let namespace = if is_last { namespace } else { Namespace::Types };
                    *self.modules[module as usize].scope(namespace).get(name)?
                }
                Def::Type(id) => {
                    let item = &types[id.0 as usize];
                    let variant = item.ctors.iter().position(|ctor| item.is_enum && ctor.name == *name)?;
                    Binding { def: Def::Variant(id, variant as u32), visibility: Visibility::Public }
                }
                Def::Foreign(index_of) => {
                    let rest = path[index..].join("::");
                    return Some(Resolved::Foreign(format!("{}::{rest}", self.foreign[index_of as usize])));
                }
                _ => return None,
            };
        }
        Some(match binding.def {
            Def::Foreign(index) => Resolved::Foreign(self.foreign[index as usize].clone()),
            _ => Resolved::Local(binding),
        })
    }
}
