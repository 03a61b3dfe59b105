//! Types and constants of other members of the workspace, as if they were the crate's own.
//!
//! The catalog of a member is scanned by itself. Here its modules go below the name that the crate has for it
//! (`till::Line`), and types that were only named so far become known. Its functions stay out: specs are for the package
//! that has them.

use super::items::TypeItem;
use super::lower::rebuilt;
use super::names::{Alias, Binding, Def, Module, ModuleId, ROOT, Scope, Visibility};
use super::rust_type::{FunctionType, RustType, TypeId};
use super::scanned::Catalog;
use super::{TypeLookup, substitute};

/// By how much the indexes of a member grow.
#[derive(Clone, Copy)]
struct Offsets {
    modules: u32,
    types: u32,
    aliases: u32,
    constants: u32,
    foreign: u32,
}

impl Catalog {
    /// The catalog with the types of other crates, by the names that this crate has for them. A crate with the name of one
    /// of its own items is left out.
    pub fn with_members(mut self, members: Vec<(String, Catalog)>) -> Catalog {
        for (name, member) in members {
            let binding = self.names.modules.first().and_then(|root| root.types.get(&name));
            let is_taken = match binding.map(|binding| binding.def) {
                Some(Def::Foreign(index)) => self.names.foreign[index as usize] != name,
                Some(_) => true,
                None => false,
            };
            if !is_taken && !self.names.modules.is_empty() {
                self.add(name, member);
            }
        }
        if !self.members.is_empty() {
            self.link();
        }
        self
    }

    /// Whether a path, as [`super::Access`] has it, is in another member.
    pub(super) fn is_of_member(&self, path: &str) -> bool {
        path.split_once("::").is_some_and(|(first, _)| self.members.iter().any(|name| name == first))
    }

    fn add(&mut self, name: String, member: Catalog) {
        let offsets = Offsets {
            modules: self.names.modules.len() as u32,
            types: self.types.len() as u32,
            aliases: self.names.aliases.len() as u32,
            constants: self.constants.len() as u32,
            foreign: self.names.foreign.len() as u32,
        };
        let below = |path: &str| if path.is_empty() { name.clone() } else { format!("{name}::{path}") };
        self.types.extend(member.types.into_iter().map(|mut item| {
            item.path = below(&item.path);
            item.public_path = item.public_path.as_deref().map(below);
            item.access.path = below(&item.access.path);
            map_types(&mut item, &|ty| offsets.ty(ty));
            item
        }));
        let names = member.names;
        self.names.aliases.extend(names.aliases.into_iter().map(|alias| Alias {
            path: below(&alias.path),
            ty: rebuilt(&alias.ty, &|ty| offsets.ty(ty)),
            ..alias
        }));
        self.names.modules.extend(names.modules.into_iter().map(|module| Module {
            path: below(&module.path),
            parent: module.parent.map(|parent| parent + offsets.modules),
            types: offsets.scope(module.types),
            values: offsets.scope(module.values),
            foreign_globs: module.foreign_globs,
        }));
        self.names.foreign.extend(names.foreign);
        self.names.constants.extend(names.constants.into_iter().map(|(id, constants)| {
            let moved = constants.into_iter().map(|(name, index)| (name, index + offsets.constants));
            (offsets.id(id), moved.collect())
        }));
        self.constants.extend(member.constants);
        let root = Binding { def: Def::Module(offsets.modules + ROOT), visibility: Visibility::Public };
        self.names.modules[ROOT as usize].types.insert(name.clone(), root);
        self.members.push(name);
    }

    /// Makes types known that were only named.
    fn link(&mut self) {
        let known = self.clone();
        let linked = |ty: &RustType| known.linked(ty);
        self.types.iter_mut().for_each(|item| map_types(item, &linked));
        for function in &mut self.functions {
            let params = function.params.iter_mut().map(|param| &mut param.ty);
            params.chain([&mut function.result]).for_each(|ty| *ty = rebuilt(ty, &linked));
        }
        self.names.aliases.iter_mut().for_each(|alias| alias.ty = rebuilt(&alias.ty, &linked));
        for module in &mut self.names.modules {
            for binding in module.types.values_mut().chain(module.values.values_mut()) {
                if let Def::Foreign(index) = binding.def
                    && let Some(def) = known.definition(&known.names.foreign[index as usize])
                {
                    binding.def = def;
                }
            }
        }
    }

    /// The type of a member at a path that so far only names it.
    fn linked(&self, ty: &RustType) -> Option<RustType> {
        let RustType::Foreign(path, args) = ty else { return None };
        if !self.is_of_member(path) {
            return None;
        }
        match self.type_(&path.split("::").collect::<Vec<_>>()) {
            TypeLookup::Found(id) => {
                (self.item(id).generics.len() == args.len()).then(|| RustType::Item(id, args.clone()))
            }
            TypeLookup::Alias(generics, ty) if generics.len() == args.len() => {
                substitute(ty, &generics.iter().cloned().zip(args.iter().cloned()).collect())
            }
            TypeLookup::Alias(..)
            | TypeLookup::Foreign(_)
            | TypeLookup::Ambiguous(_)
            | TypeLookup::NotAType(_)
            | TypeLookup::Missing { .. } => None,
        }
    }

    /// The definition in a member at a path, if it is a type or a module.
    fn definition(&self, path: &str) -> Option<Def> {
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        let mut def = self
            .members
            .iter()
            .any(|name| name == first)
            .then(|| self.names.modules[ROOT as usize].types.get(first).map(|binding| binding.def))??;
        for name in rest.split("::").filter(|name| !name.is_empty()) {
            let Def::Module(module) = def else { return None };
            def = self.names.modules[module as usize].types.get(name)?.def;
        }
        Some(def)
    }
}

impl Offsets {
    fn ty(self, ty: &RustType) -> Option<RustType> {
        match ty {
            RustType::Item(id, args) => Some(RustType::Item(self.id(*id), args.clone())),
            _ => None,
        }
    }

    fn id(self, id: TypeId) -> TypeId {
        TypeId(id.0 + self.types)
    }

    /// The names of a module, without functions.
    fn scope(self, scope: Scope) -> Scope {
        let moved = |(name, binding): (String, Binding)| {
            let def = self.def(binding.def)?;
            let visibility = match binding.visibility {
                Visibility::Public => Visibility::Public,
                Visibility::Within(module) => Visibility::Within(self.module(module)),
            };
            Some((name, Binding { def, visibility }))
        };
        scope.into_iter().filter_map(moved).collect()
    }

    fn def(self, def: Def) -> Option<Def> {
        Some(match def {
            Def::Module(module) => Def::Module(self.module(module)),
            Def::Type(id) => Def::Type(self.id(id)),
            Def::Alias(index) => Def::Alias(index + self.aliases),
            Def::Trait(id) => Def::Trait(self.id(id)),
            Def::Variant(id, index) => Def::Variant(self.id(id), index),
            Def::Const(index) => Def::Const(index + self.constants),
            Def::Foreign(index) => Def::Foreign(index + self.foreign),
            Def::Other => Def::Other,
            Def::Function(_) => return None,
        })
    }

    fn module(self, module: ModuleId) -> ModuleId {
        module + self.modules
    }
}

/// Replaces the types in a type's parts.
fn map_types(item: &mut TypeItem, replace: &dyn Fn(&RustType) -> Option<RustType>) {
    for default in item.defaults.iter_mut().flatten() {
        *default = rebuilt(default, replace);
    }
    for field in item.ctors.iter_mut().flat_map(|ctor| &mut ctor.fields) {
        field.ty = rebuilt(&field.ty, replace);
    }
    for method in item.of_trait.iter_mut().flat_map(|of_trait| &mut of_trait.methods) {
        let FunctionType { params, result } = &mut method.signature;
        params.iter_mut().chain([result]).for_each(|ty| *ty = rebuilt(ty, replace));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cfg, FnLookup, scan_text};
    use super::*;

    fn both(own: &str, member: &str) -> Catalog {
        let scanned = |text: &str, name: &str| scan_text(text, name, &Cfg::default()).0;
        scanned(own, "kiosk").with_members(vec![("till".to_owned(), scanned(member, "till"))])
    }

    #[test]
    fn types_of_a_member_are_found_by_their_path_by_imports_and_by_their_name() {
        let catalog = both(
            "pub mod deep { use till::money as m; pub fn g(c: m::Cents) {} } pub use till::Line;
             pub struct Cart { pub lines: Vec<till::Line> } pub fn f(l: &till::Line, p: till::Pair<u8>) -> till::Total { 0 }",
            "pub mod money { pub struct Cents(u32); } pub struct Line { price: money::Cents } pub type Total = u64;
             pub struct Pair<T>(pub T, T); pub const MOST: u8 = 3; pub fn f() {} mod hidden { pub struct Cart; }",
        );
        for (path, found) in [
            (&["till", "Line"][..], "till::Line"),
            (&["Line"], "till::Line"),
            (&["till", "money", "Cents"], "till::money::Cents"),
            (&["Cents"], "till::money::Cents"),
            (&["Cart"], "Cart"),
        ] {
            let TypeLookup::Found(id) = catalog.type_(path) else { panic!("{path:?}") };
            assert_eq!(catalog.item(id).path, found);
        }
        let signature = |path: &[&str]| match catalog.function(path) {
            FnLookup::Found(f) => catalog.signature(f),
            other => format!("{other:?}"),
        };
        assert_eq!(signature(&["f"]), "fn(l: &till::Line, p: till::Pair<u8>) -> u64");
        assert_eq!(signature(&["deep", "g"]), "fn(c: till::money::Cents)");
        assert_eq!(catalog.outside_path("till::Line"), "till::Line");
        assert_eq!(catalog.outside_path("Cart"), "kiosk::Cart");
        assert!(catalog.constant(&["till", "MOST"]).is_some());
        assert!(matches!(catalog.function(&["till", "f"]), FnLookup::Missing { .. }));
        let TypeLookup::Found(line) = catalog.type_(&["Line"]) else { panic!("it is found") };
        assert_eq!(catalog.item(line).openings().count(), 1);
    }

    #[test]
    fn a_crate_with_the_name_of_an_own_module_is_left_out() {
        let catalog = both("pub mod till { pub struct Mine; }", "pub struct Line;");
        assert!(matches!(catalog.type_(&["till", "Line"]), TypeLookup::Missing { .. }));
        assert!(matches!(catalog.type_(&["till", "Mine"]), TypeLookup::Found(_)));
    }
}
