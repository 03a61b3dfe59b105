//! Finds items by the paths that users write: through definitions, `pub use`, renamings, aliases.
//!
//! A path starts at the crate's root, with or without `crate::` or the crate's name. Private items are found too, and
//! marked as private.

use std::collections::BTreeMap;

use target_strategies::logic::ir::{MapKind, SetKind};

use super::constant::Constant;
use super::foreign;
use super::items::{FnItem, TypeItem};
use super::names::{Associated, Def, Namespace, ROOT};
use super::rust_type::{RustType, TypeId};
use super::scanned::Catalog;

/// The result of looking up a function.
#[derive(Clone, Debug, PartialEq)]
pub enum FnLookup<'a> {
    /// A function that can be called from outside the crate.
    Found(&'a FnItem),
    /// A function that can't, unless items are opened.
    Private(&'a FnItem),
    /// Several methods with the same name, from different traits or for different type arguments.
    Ambiguous(Vec<&'a FnItem>),
    /// An item of another kind.
    NotAFunction(NotAFunction),
    /// No item.
    Missing,
}

/// The result of looking up a type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeLookup<'a> {
    /// A struct or an enum of the crate, public or not.
    Found(TypeId),
    /// An alias of the crate, with the names of its type parameters.
    Alias(&'a [String], &'a RustType),
    /// A type of another crate that the crate's root imports, by its path.
    Foreign(&'a str),
    /// A name that several types of the crate have: their paths.
    Ambiguous(Vec<&'a str>),
    /// An item of another kind, in words: `a module`.
    NotAType(String),
    /// No item.
    Missing,
}

/// An item that isn't a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAFunction {
    /// In words: `an enum`.
    pub what: &'static str,
    /// Whether it comes from another crate, so that it may be a function there.
    pub is_foreign: bool,
}

/// The target of a path: a definition, or functions of a type.
enum Hit<'a> {
    Def(Def),
    Associated(Vec<&'a Associated>),
}

impl Catalog {
    /// The function at a path: `insert`, `tree::insert`, `Heap::push`, `crate::heap::Heap::push`.
    pub fn function(&self, path: &[&str]) -> FnLookup<'_> {
        match self.find(path, Namespace::Values) {
            Some(Hit::Def(Def::Function(index))) => self.seen_from_outside(&self.functions[index as usize]),
            Some(Hit::Associated(methods)) => self.one_of(&methods),
            Some(Hit::Def(def)) => FnLookup::NotAFunction(self.not_a_function(def)),
            None => match self.find(path, Namespace::Types) {
                Some(Hit::Def(def)) => FnLookup::NotAFunction(self.not_a_function(def)),
                _ => FnLookup::Missing,
            },
        }
    }

    /// The type at a path, or with a name that only one type of the crate has, in any module.
    pub fn type_(&self, path: &[&str]) -> TypeLookup<'_> {
        match self.find(path, Namespace::Types) {
            Some(Hit::Def(Def::Type(id) | Def::Trait(id))) => TypeLookup::Found(id),
            Some(Hit::Def(Def::Alias(index))) => self.alias(index),
            Some(Hit::Def(Def::Foreign(index))) => TypeLookup::Foreign(&self.names.foreign[index as usize]),
            Some(Hit::Def(def)) => TypeLookup::NotAType(self.describe(def).to_string()),
            _ => match path {
                [name] => self.bare_type(name),
                _ => TypeLookup::Missing,
            },
        }
    }

    /// The path in the standard library that a path means in the crate's root: of `D` after `use core::time::Duration as D`,
    /// it is `std::time::Duration`.
    pub fn std_path(&self, path: &[&str]) -> Option<String> {
        let (first, rest) = path.split_first()?;
        let binding = self.names.modules.first().and_then(|root| root.types.get(*first));
        let start = match binding.map(|binding| binding.def) {
            Some(Def::Foreign(index)) => &self.names.foreign[index as usize],
            Some(_) => return None,
            None => *first,
        };
        let whole = foreign::of_std(&[&[start], rest].concat().join("::"));
        whole.starts_with("std::").then_some(whole)
    }

    /// The constructor at a path, as a type and an index: `Color::Red`, the name of a struct, or a variant imported
    /// into the root.
    pub fn constructor(&self, path: &[&str]) -> Option<(TypeId, u32)> {
        if let Some(Hit::Def(Def::Variant(id, index))) = self.find(path, Namespace::Values) {
            return Some((id, index));
        }
        if let Some(id) = self.type_of(path).filter(|id| !self.item(*id).is_enum) {
            return Some((id, 0));
        }
        let (name, of) = path.split_last()?;
        let id = self.type_of(of).filter(|id| self.item(*id).is_enum)?;
        let index = self.item(id).ctors.iter().position(|ctor| ctor.name == *name)?;
        Some((id, index as u32))
    }

    /// The constant at a path.
    pub fn constant(&self, path: &[&str]) -> Option<&Constant> {
        match self.find(path, Namespace::Values) {
            Some(Hit::Def(Def::Const(index))) => self.constants.get(index as usize),
            _ => None,
        }
    }

    /// The struct or enum with this id.
    pub fn item(&self, id: TypeId) -> &TypeItem {
        &self.types[id.0 as usize]
    }

    /// Whether the type with a path for outside code, perhaps with arguments, implements a trait that compares its values.
    pub fn has_own_comparison(&self, rust_type: &str, name: &str) -> bool {
        let path = rust_type.split('<').next().unwrap_or_default();
        let is_it = |item: &&TypeItem| self.outside_path(&item.access.path) == path;
        let implements = |item: &TypeItem| item.own_traits.iter().any(|known| known == name);
        self.types.iter().find(is_it).is_some_and(implements)
    }

    /// The public free functions and methods that a spec can call: not `unsafe`, not `async`, and not in a trait; free
    /// functions first, each in the order of the source.
    pub fn candidates(&self) -> Vec<&FnItem> {
        let callable = |f: &&FnItem| {
            !f.is_unsafe && !f.is_async && f.public_path.as_ref().is_some_and(|path| !path.starts_with('<'))
        };
        self.functions.iter().filter(callable).collect()
    }

    /// The method of a trait with a path such as `<crate::Heap as Default>::default`, as [`super::Access`] has it.
    pub fn qualified_function(&self, path: &str) -> Option<&FnItem> {
        let bare = |path: &str| path.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let wanted = bare(path);
        let is_it = |item: &&FnItem| item.access.as_ref().is_some_and(|access| bare(&access.path) == wanted);
        self.functions.iter().find(is_it)
    }

    /// The path of an [`super::Access`], or a public path, as outside code writes it: `scores::rescale`.
    pub fn outside_path(&self, path: &str) -> String {
        if path.starts_with('<') {
            let path = path.replace("crate::", &format!("{}::", self.crate_name));
            // Code that sees the names of the root must not take its module `core` for the crate.
            let root = &self.names.modules[ROOT as usize].types;
            let hidden = ["core", "std", "alloc"].into_iter().filter(|name| root.contains_key(*name));
            hidden.fold(path, |path, name| path.replace(&format!(" as {name}::"), &format!(" as ::{name}::")))
        } else if self.is_of_member(path) {
            path.to_owned()
        } else {
            format!("{}::{path}", self.crate_name)
        }
    }

    /// Follows a path from the root, or after the crate's own name.
    fn find(&self, path: &[&str], namespace: Namespace) -> Option<Hit<'_>> {
        let path = match path {
            ["crate" | "self", rest @ ..] => rest,
            _ => path,
        };
        self.follow(path, namespace).or_else(|| match path {
            [name, rest @ ..] if *name == self.crate_name && !rest.is_empty() => self.follow(rest, namespace),
            _ => None,
        })
    }

    fn follow(&self, path: &[&str], namespace: Namespace) -> Option<Hit<'_>> {
        let (last, before) = path.split_last()?;
        let mut def = Def::Module(ROOT);
        for (index, name) in before.iter().enumerate() {
            match self.member(def, name, Namespace::Types) {
                Some(Hit::Def(inner)) => def = inner,
                _ if before.len() == index + 1 => return self.extension(name, last),
                _ => return None,
            }
        }
        self.member(def, last, namespace)
    }

    /// The meaning of a name inside a module or a type.
    fn member(&self, of: Def, name: &str, namespace: Namespace) -> Option<Hit<'_>> {
        let id = match of {
            Def::Module(module) => {
                let module = self.names.modules.get(module as usize)?;
                return Some(Hit::Def(module.scope(namespace).get(name)?.def));
            }
            Def::Type(id) => id,
            Def::Alias(index) => match &self.names.aliases[index as usize].ty {
                RustType::Item(id, _) => *id,
                ty => return self.extension(ty.name()?, name),
            },
            Def::Foreign(index) => {
                let path = &self.names.foreign[index as usize];
                return self.extension(path.rsplit("::").next()?, name);
            }
            _ => return None,
        };
        let item = self.item(id);
        if let Some(index) = item.ctors.iter().position(|ctor| item.is_enum && ctor.name == name) {
            return Some(Hit::Def(Def::Variant(id, index as u32)));
        }
        if let Some(index) = self.names.constants.get(&id).and_then(|constants| constants.get(name)) {
            return Some(Hit::Def(Def::Const(*index)));
        }
        self.methods_named(self.names.associated.get(&id)?, name)
    }

    /// A method that the crate implements for a type of another crate.
    fn extension(&self, of: &str, name: &str) -> Option<Hit<'_>> {
        self.methods_named(self.names.extensions.get(of)?, name)
    }

    fn methods_named<'a>(&'a self, methods: &'a [Associated], name: &str) -> Option<Hit<'a>> {
        let is_named = |m: &&Associated| {
            let path = &self.functions[m.function as usize].path;
            path.rsplit("::").next() == Some(name)
        };
        let named: Vec<_> = methods.iter().filter(is_named).collect();
        (!named.is_empty()).then_some(Hit::Associated(named))
    }

    /// A type's own method takes precedence over those of traits, as in Rust.
    fn one_of<'a>(&'a self, methods: &[&'a Associated]) -> FnLookup<'a> {
        let inherent: Vec<_> = methods.iter().filter(|m| !m.of_trait).collect();
        let methods = if inherent.is_empty() { methods.iter().collect() } else { inherent };
        match methods[..] {
            [method] => self.seen_from_outside(&self.functions[method.function as usize]),
            _ => FnLookup::Ambiguous(
                methods.iter().map(|method| &self.functions[method.function as usize]).collect(),
            ),
        }
    }

    fn seen_from_outside<'a>(&self, function: &'a FnItem) -> FnLookup<'a> {
        match function.public_path {
            Some(_) => FnLookup::Found(function),
            None => FnLookup::Private(function),
        }
    }

    fn alias(&self, index: u32) -> TypeLookup<'_> {
        let alias = &self.names.aliases[index as usize];
        TypeLookup::Alias(&alias.generics, &alias.ty)
    }

    /// The types and aliases with a name, in any module; types take precedence over aliases.
    fn bare_type(&self, name: &str) -> TypeLookup<'_> {
        let is_named = |path: &str| {
            path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
        };
        let types: Vec<_> = (0..).zip(&self.types).filter(|(_, item)| is_named(&item.path)).collect();
        let (of_members, types): (Vec<_>, Vec<_>) =
            types.into_iter().partition(|(_, item)| self.is_of_member(&item.path));
        let is_own = |path: &str| is_named(path) && !self.is_of_member(path);
        let aliases = (0..).zip(&self.names.aliases).filter(|(_, alias)| is_own(&alias.path));
        match (&types[..], &aliases.collect::<Vec<_>>()[..]) {
            ([(id, _)], _) => TypeLookup::Found(TypeId(*id)),
            ([], [(index, _)]) => self.alias(*index),
            ([], []) => match &of_members[..] {
                [] => TypeLookup::Missing,
                [(id, _)] => TypeLookup::Found(TypeId(*id)),
                types => TypeLookup::Ambiguous(types.iter().map(|(_, t)| t.path.as_str()).collect()),
            },
            ([], aliases) => TypeLookup::Ambiguous(aliases.iter().map(|(_, a)| a.path.as_str()).collect()),
            (types, _) => TypeLookup::Ambiguous(types.iter().map(|(_, t)| t.path.as_str()).collect()),
        }
    }

    /// The struct or enum at a path, also through aliases.
    fn type_of(&self, path: &[&str]) -> Option<TypeId> {
        match self.type_(path) {
            TypeLookup::Found(id) | TypeLookup::Alias(_, &RustType::Item(id, _)) => Some(id),
            _ => None,
        }
    }

    fn not_a_function(&self, def: Def) -> NotAFunction {
        NotAFunction { what: self.describe(def), is_foreign: matches!(def, Def::Foreign(_)) }
    }

    fn describe(&self, def: Def) -> &'static str {
        match def {
            Def::Module(_) => "a module",
            Def::Type(id) if self.item(id).is_enum => "an enum",
            Def::Type(_) => "a struct",
            Def::Alias(_) => "a type alias",
            Def::Trait(_) => "a trait",
            Def::Function(_) => "a function",
            Def::Variant(..) => "a variant of an enum",
            Def::Const(_) => "a constant or a static",
            Def::Foreign(_) => "an import from another crate",
            Def::Other => "neither a function nor a type",
        }
    }

    /// The paths of at most three functions with names similar to a path, the most similar first.
    pub fn similar_functions(&self, path: &[&str]) -> Vec<String> {
        // Methods of several traits may share a path, which is suggested once.
        let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for f in &self.functions {
            let of_path = names.entry(&f.path).or_insert_with(|| vec![f.path.clone()]);
            of_path.extend(f.public_path.clone().filter(|path| !path.starts_with('<')));
        }
        similar(path, names.into_values().map(Vec::into_iter))
    }

    /// The paths of at most three types with names similar to a path, the most similar first.
    pub fn similar_types(&self, path: &[&str]) -> Vec<String> {
        let types = self.types.iter().map(|item| [Some(item.path.clone()), item.public_path.clone()]);
        let aliases = self.names.aliases.iter().map(|alias| [Some(alias.path.clone()), None]);
        similar(path, types.chain(aliases).map(|paths| paths.into_iter().flatten()))
    }
}

impl RustType {
    /// The name by which methods for a type of another crate are indexed.
    pub fn name(&self) -> Option<&str> {
        Some(match self {
            RustType::Bool => "bool",
            RustType::Char => "char",
            RustType::Int(kind) => foreign::int_name(*kind),
            RustType::Float(32) => "f32",
            RustType::Float(_) => "f64",
            RustType::String => "String",
            RustType::Str => "str",
            RustType::Vec(_) => "Vec",
            RustType::Deque(_) => "VecDeque",
            RustType::Set(_, SetKind::Hash) => "HashSet",
            RustType::Set(..) => "BTreeSet",
            RustType::Map(_, _, MapKind::Hash) => "HashMap",
            RustType::Map(_, _, MapKind::BTree) => "BTreeMap",
            RustType::Option(_) => "Option",
            RustType::Result(..) => "Result",
            RustType::Box(_) => "Box",
            RustType::Rc(_) => "Rc",
            RustType::Arc(_) => "Arc",
            RustType::Cow(_) => "Cow",
            RustType::Ref { inner, .. } => inner.name()?,
            RustType::Foreign(path, _) => path.rsplit("::").next()?,
            _ => return None,
        })
    }
}

/// The items with a name similar to a path, or to its last segment, the nearest first.
fn similar<Names: Iterator<Item = String>>(
    path: &[&str],
    things: impl Iterator<Item = Names>,
) -> Vec<String> {
    // Edit distance takes time proportional to the product of the lengths; such long names aren't typos.
    const LONGEST: usize = 200;
    let whole = path.join("::");
    let last = path.last().copied().unwrap_or_default();
    if whole.len() > LONGEST {
        return Vec::new();
    }
    let distance = strsim::damerau_levenshtein;
    let close = |a: &str, b: &str| Some(distance(a, b)).filter(|d| *d <= 1.max(a.chars().count() / 3));
    let rank = |name: String| {
        let of_last = close(last, name.rsplit("::").next().unwrap_or_default());
        let of_whole = close(&whole, &name);
        let nearest = of_last.into_iter().chain(of_whole).min()?;
        Some((nearest, distance(&whole, &name), name))
    };
    // An item is ranked by the nearest of its names.
    let nearest = |names: Names| names.filter(|name| name.len() <= LONGEST).filter_map(rank).min();
    let mut ranked: Vec<_> = things.filter_map(nearest).collect();
    ranked.sort();
    ranked.dedup();
    let best = ranked.first().map_or(0, |(nearest, ..)| *nearest);
    let likely = ranked.into_iter().take_while(|(nearest, ..)| *nearest <= best + 1);
    likely.take(3).map(|(_, _, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::super::listing::catalog;
    use super::*;

    const CRATE: &str = "
        pub mod tree { pub enum Tree { Leaf, Node(Box<Tree>, u8) } pub fn insert(k: u8, t: Tree) {} pub use self::Tree::*;
            impl Tree { pub fn grow(self) {} fn secret(self) {} } pub mod deep { pub struct Only { pub x: u8 } } }
        mod heap { pub struct Heap; impl Heap { pub fn push(&mut self) {} } pub struct Unit; pub fn hidden() {} pub struct Twin; }
        pub use heap::Heap; pub use heap::Heap as Pile; pub use tree::insert as add; pub use tree::Tree::{self, Leaf as Nil};
        pub type Bush = tree::Tree; pub type Score = i64; type Pair<T> = (T, T); use std::collections::BTreeMap;
        pub struct Sum; pub struct Twin; pub enum Color { Red, Green } pub const N: u8 = 1; pub static S: u8 = 1;
        pub trait Area { fn area(&self) {} fn twice(&self) {} } pub trait Volume { fn twice(&self) {} fn push(&self) {} }
        impl Area for Heap {} impl Volume for Heap {} impl Area for i64 {} impl Area for Vec<u8> {} fn private() {}
        pub unsafe fn dangerous() {} pub async fn later() {} pub mod me { pub fn own() {} }";

    fn function(path: &str) -> String {
        let catalog = catalog(CRATE);
        let names: Vec<&str> = path.split("::").collect();
        match catalog.function(&names) {
            FnLookup::Found(f) => format!("found {}", f.path),
            FnLookup::Private(f) => format!("private {}", f.path),
            FnLookup::Ambiguous(fs) => format!("{} of {}", fs.len(), fs[0].path),
            FnLookup::NotAFunction(other) => other.what.to_owned(),
            FnLookup::Missing => format!("missing; {}", catalog.similar_functions(&names).join(", ")),
        }
    }

    #[test]
    fn functions_are_found_by_every_path() {
        for (path, found) in [
            ("tree::insert", "found tree::insert"),
            ("add", "found tree::insert"),
            ("crate::add", "found tree::insert"),
            ("me::tree::insert", "found tree::insert"),
            ("me::own", "found me::own"),
            ("Heap::push", "found heap::Heap::push"),
            ("heap::Heap::push", "found heap::Heap::push"),
            ("me::Pile::push", "found heap::Heap::push"),
            ("Bush::grow", "found tree::Tree::grow"),
            ("Tree::secret", "private tree::Tree::secret"),
            ("Heap::area", "found heap::Heap::area"),
            ("Heap::twice", "2 of heap::Heap::twice"),
            ("i64::area", "found i64::area"),
            ("Score::area", "found i64::area"),
            ("Vec::area", "found Vec::area"),
            ("heap::hidden", "private heap::hidden"),
            ("private", "private private"),
            ("dangerous", "found dangerous"),
            ("Sum", "a struct"),
            ("Color", "an enum"),
            ("Color::Red", "a variant of an enum"),
            ("N", "a constant or a static"),
            ("S", "a constant or a static"),
            ("tree", "a module"),
            ("Area", "a trait"),
            ("Score", "a type alias"),
            ("BTreeMap", "an import from another crate"),
        ] {
            assert_eq!(function(path), found, "{path}");
        }
    }

    #[test]
    fn the_likeliest_paths_are_suggested() {
        for (path, found) in [
            ("tre::insert", "missing; tree::insert"),
            ("insert", "missing; tree::insert"),
            ("tree::inser", "missing; tree::insert"),
            ("Heap::psh", "missing; Heap::push"),
            ("heap::Hepa::push", "missing; heap::Heap::push"),
            ("nothing_like_it", "missing; "),
            ("", "missing; "),
            ("::::", "missing; "),
            (&"x::".repeat(100_000), "missing; "),
        ] {
            assert_eq!(function(path), found, "{path}");
        }
        assert_eq!(catalog(CRATE).function(&[]), FnLookup::Missing);
    }

    #[test]
    fn types_are_found_by_path_and_by_bare_name() {
        let catalog = catalog(CRATE);
        let names = |path: &'static str| path.split("::").collect::<Vec<_>>();
        let found = |path: &'static str| match catalog.type_(&names(path)) {
            TypeLookup::Found(id) => catalog.item(id).path.clone(),
            TypeLookup::Alias(generics, ty) => format!("{generics:?} {}", catalog.shown(ty)),
            TypeLookup::Foreign(path) => format!("foreign {path}"),
            TypeLookup::Ambiguous(paths) => format!("one of {}", paths.join(", ")),
            TypeLookup::NotAType(what) => what,
            TypeLookup::Missing => format!("missing; {}", catalog.similar_types(&names(path)).join(", ")),
        };
        for (path, expected) in [
            ("Tree", "tree::Tree"),
            ("tree::Tree", "tree::Tree"),
            ("crate::Tree", "tree::Tree"),
            ("Pile", "heap::Heap"),
            ("Only", "tree::deep::Only"),
            ("Unit", "heap::Unit"),
            ("Twin", "Twin"),
            ("Score", "[] i64"),
            ("Pair", "[\"T\"] (T, T)"),
            ("BTreeMap", "foreign std::collections::BTreeMap"),
            ("tree", "a module"),
            ("Area", "Area"),
            ("Tre", "missing; Tree"),
            ("heep::Unit", "missing; heap::Unit"),
            ("", "missing; "),
        ] {
            assert_eq!(found(path), expected, "{path}");
        }
    }

    #[test]
    fn constructors_are_found() {
        let catalog = catalog(CRATE);
        let found = |path: &str| {
            let (id, index) = catalog.constructor(&path.split("::").collect::<Vec<_>>())?;
            let item = catalog.item(id);
            Some(format!("{} {}", item.path, item.ctors[index as usize].name))
        };
        for (path, expected) in [
            ("Color::Red", Some("Color Red")),
            ("Color::Green", Some("Color Green")),
            ("Color::Blue", None),
            ("Color", None),
            ("tree::Tree::Node", Some("tree::Tree Node")),
            ("Tree::Node", Some("tree::Tree Node")),
            ("Bush::Node", Some("tree::Tree Node")),
            ("tree::Leaf", Some("tree::Tree Leaf")),
            ("Nil", Some("tree::Tree Leaf")),
            ("Leaf", None),
            ("Only", Some("tree::deep::Only Only")),
            ("Unit", Some("heap::Unit Unit")),
            ("Pile", Some("heap::Heap Heap")),
            ("me::Sum", Some("Sum Sum")),
            ("insert", None),
            ("", None),
        ] {
            assert_eq!(found(path).as_deref(), expected, "{path}");
        }
        assert_eq!(catalog.constructor(&[]), None);
    }

    #[test]
    fn candidates_are_what_a_spec_can_be_written_for() {
        let catalog = catalog(CRATE);
        let paths: Vec<_> = catalog.candidates().iter().filter_map(|f| f.public_path.as_deref()).collect();
        assert_eq!(paths, ["add", "me::own", "Tree::grow", "Heap::push"]);
        let outside = |path: &[&str]| match catalog.function(path) {
            FnLookup::Found(f) => f.public_path.as_ref().map(|path| catalog.outside_path(path)),
            _ => None,
        };
        assert_eq!(outside(&["add"]).expect("the path is public"), "me::add");
        assert_eq!(outside(&["Heap", "area"]).expect("the path is public"), "<me::Heap as me::Area>::area");
    }
}
