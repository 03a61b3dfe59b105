//! Types and constants of other members of the workspace, as if they were the crate's own.
//!
//! The catalog of a member is scanned by itself. Here its modules go below the name that the crate has for it
//! (`till::Line`), and types that were only named so far become known. Its functions stay out: specs are for the package
//! that has them. Only how to open those that are private is known, for Rust code that calls them.

use std::collections::BTreeMap;
use std::path::Path;

use super::constant::Constant;
use super::constants;
use super::items::Access;
use super::items::TypeItem;
use super::lower::rebuilt;
use super::names::{Alias, Binding, Def, Module, ModuleId, Names, Namespace, ROOT, Scope, Visibility};
use super::rust_type::{FunctionType, RustType, TypeId};
use super::scanned::Catalog;
use super::{TypeLookup, substitute};

/// The catalog of a member that a crate depends on.
#[derive(Clone, Debug)]
pub struct MemberCatalog {
    /// The crate's name for the member.
    pub name: String,
    /// What the scan of the member found.
    pub catalog: Catalog,
    /// The member's names for its own dependencies, and the crate's names for them. `None`: the crate doesn't depend on it.
    pub crates: BTreeMap<String, Option<String>>,
}

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
    pub fn with_members(mut self, members: Vec<MemberCatalog>) -> Catalog {
        for member in members {
            let name = &member.name;
            let binding = self.names.modules.first().and_then(|root| root.types.get(name));
            let is_taken = match binding.map(|binding| binding.def) {
                Some(Def::Foreign(index)) => self.names.foreign[index as usize] != *name,
                Some(_) => true,
                None => false,
            };
            if !is_taken && !self.names.modules.is_empty() {
                self.add(member);
            }
        }
        if !self.members.is_empty() {
            self.link();
        }
        self
    }

    /// Whether a path, as [`super::Access`] has it, is in another member.
    pub fn is_of_member(&self, path: &str) -> bool {
        path.split_once("::").is_some_and(|(first, _)| self.members.iter().any(|name| name == first))
    }

    /// The member of which a file with private parts of types is.
    pub fn member_of(&self, file: &Path) -> Option<&str> {
        self.member_files.get(file).map(String::as_str)
    }

    fn add(&mut self, member: MemberCatalog) {
        let MemberCatalog { name, catalog: member, crates } = member;
        let offsets = Offsets {
            modules: self.names.modules.len() as u32,
            types: self.types.len() as u32,
            aliases: self.names.aliases.len() as u32,
            constants: self.constants.len() as u32,
            foreign: self.names.foreign.len() as u32,
        };
        let reexports = reexports(&name, &member.names);
        let named_here = |path: &str| path_here(path, &crates).or_else(|| reexports.get(path).cloned());
        let replace = |ty: &RustType| match ty {
            RustType::Item(id, args) => Some(RustType::Item(offsets.id(*id), args.clone())),
            RustType::Foreign(path, args) => Some(match named_here(path) {
                Some(path) => RustType::Foreign(path, args.clone()),
                None => RustType::Other(path.clone()),
            }),
            _ => None,
        };
        self.add_openings(&name, &member);
        let below = |path: &str| if path.is_empty() { name.clone() } else { format!("{name}::{path}") };
        self.types.extend(member.types.into_iter().map(|mut item| {
            item.path = below(&item.path);
            item.public_path = item.public_path.as_deref().map(below);
            item.access.path = below(&item.access.path);
            map_types(&mut item, &replace);
            item
        }));
        let names = member.names;
        self.names.aliases.extend(names.aliases.into_iter().map(|alias| Alias {
            path: below(&alias.path),
            ty: rebuilt(&alias.ty, &replace),
            ..alias
        }));
        self.names.modules.extend(names.modules.into_iter().map(|module| Module {
            path: below(&module.path),
            parent: module.parent.map(|parent| parent + offsets.modules),
            types: offsets.scope(module.types),
            values: offsets.scope(module.values),
            foreign_globs: module.foreign_globs,
        }));
        self.names.foreign.extend(names.foreign.iter().map(|path| named_here(path).unwrap_or_default()));
        self.names.constants.extend(names.constants.into_iter().map(|(id, constants)| {
            let moved = constants.into_iter().map(|(name, index)| (name, index + offsets.constants));
            (offsets.id(id), moved.collect())
        }));
        self.constants.extend(member.constants.into_iter().map(|constant| Constant {
            ty: rebuilt(&constant.ty, &replace),
            access: Access { path: below(&constant.access.path), openings: constant.access.openings },
            // What it names would be looked up here.
            open: None,
            ..constant
        }));
        let root = Binding { def: Def::Module(offsets.modules + ROOT), visibility: Visibility::Public };
        self.names.modules[ROOT as usize].types.insert(name.clone(), root);
        self.members.push(name);
    }

    /// Adds how to open the private items of a member.
    fn add_openings(&mut self, name: &str, member: &Catalog) {
        let of_types = member.types.iter().flat_map(TypeItem::openings);
        let of_constants = member.constants.iter().flat_map(|constant| &constant.access.openings);
        let of_functions =
            member.functions.iter().filter_map(|function| Some((&function.path, function.access.as_ref()?)));
        let openings = of_functions.clone().flat_map(|(_, access)| &access.openings);
        let openings = of_types.chain(of_constants).chain(openings);
        self.member_files.extend(openings.map(|opening| (opening.file.clone(), name.to_owned())));
        let closed = of_functions.filter(|(_, access)| !access.openings.is_empty());
        self.member_functions
            .extend(closed.map(|(path, access)| (format!("{name}::{path}"), access.openings.clone())));
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
        self.constants.iter_mut().for_each(|constant| constant.ty = rebuilt(&constant.ty, &linked));
        for module in &mut self.names.modules {
            for (scope, namespace) in
                [(&mut module.types, Namespace::Types), (&mut module.values, Namespace::Values)]
            {
                for binding in scope.values_mut() {
                    if let Def::Foreign(index) = binding.def
                        && let Some(def) = known.definition(&known.names.foreign[index as usize], namespace)
                    {
                        binding.def = def;
                    }
                }
            }
        }
        constants::evaluate_open(&self.names, &self.types, &mut self.constants);
    }

    /// The type of a member at a path that so far only names it.
    fn linked(&self, ty: &RustType) -> Option<RustType> {
        let RustType::Foreign(path, args) = ty else { return None };
        if !self.is_of_member(path) {
            return None;
        }
        match self.type_(&path.split("::").collect::<Vec<_>>()) {
            TypeLookup::Found(id) => Some(RustType::Item(id, with_defaults(self.item(id), args)?)),
            TypeLookup::Alias(generics, ty) if generics.len() == args.len() => {
                substitute(ty, &generics.iter().cloned().zip(args.iter().cloned()).collect())
            }
            TypeLookup::Alias(..)
            | TypeLookup::Foreign(_)
            | TypeLookup::Ambiguous(_)
            | TypeLookup::NotAType(_)
            | TypeLookup::Missing => None,
        }
    }

    /// The definition in a member at a path.
    fn definition(&self, path: &str, namespace: Namespace) -> Option<Def> {
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        let mut def = self
            .members
            .iter()
            .any(|name| name == first)
            .then(|| self.names.modules[ROOT as usize].types.get(first).map(|binding| binding.def))??;
        let mut names = rest.split("::").filter(|name| !name.is_empty()).peekable();
        while let Some(name) = names.next() {
            let Def::Module(module) = def else { return None };
            let namespace = if names.peek().is_some() { Namespace::Types } else { namespace };
            def = self.names.modules[module as usize].scope(namespace).get(name)?.def;
        }
        Some(def)
    }
}

impl Offsets {
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

/// The type arguments of a type, of which the first are given; `None` if these are too many, or a parameter has no default.
fn with_defaults(item: &TypeItem, given: &[RustType]) -> Option<Vec<RustType>> {
    let mut args = given.to_vec();
    while let Some(default) = item.defaults.get(args.len()) {
        let known = item.generics.iter().cloned().zip(args.iter().cloned()).collect();
        args.push(substitute(default.as_ref()?, &known)?);
    }
    (args.len() == item.generics.len()).then_some(args)
}

/// A path into another crate in the words of the crate that has the member; `None` if it has no name for it.
fn path_here(path: &str, crates: &BTreeMap<String, Option<String>>) -> Option<String> {
    let (first, rest) = path.split_at(path.find("::").unwrap_or(path.len()));
    match crates.get(first) {
        Some(name) => name.as_ref().map(|name| format!("{name}{rest}")),
        // The standard library.
        None => Some(path.to_owned()),
    }
}

/// The paths into other crates that a member's root exports, by the member's name and its own.
fn reexports(member: &str, names: &Names) -> BTreeMap<String, String> {
    let root = names.modules.first().into_iter().flat_map(|root| &root.types);
    let exported = root.filter_map(|(name, binding)| match (binding.def, binding.visibility) {
        (Def::Foreign(index), Visibility::Public) => {
            Some((names.foreign[index as usize].clone(), format!("{member}::{name}")))
        }
        _ => None,
    });
    exported.collect()
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
        let FunctionType { params, result, is_pointer: _ } = &mut method.signature;
        params.iter_mut().chain([result]).for_each(|ty| *ty = rebuilt(ty, replace));
    }
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::value::Value;

    use super::super::{Cfg, FnLookup, scan_text};
    use super::*;

    fn scanned(text: &str, name: &str) -> Catalog {
        scan_text(text, name, &Cfg::default()).0
    }

    fn member(name: &str, text: &str, crates: &[(&str, Option<&str>)]) -> MemberCatalog {
        let crates = crates.iter().map(|(theirs, ours)| ((*theirs).to_owned(), ours.map(str::to_owned)));
        MemberCatalog { name: name.to_owned(), catalog: scanned(text, name), crates: crates.collect() }
    }

    fn both(own: &str, text: &str) -> Catalog {
        scanned(own, "kiosk").with_members(vec![member("till", text, &[])])
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
        assert!(matches!(catalog.function(&["till", "f"]), FnLookup::Missing));
        let TypeLookup::Found(line) = catalog.type_(&["Line"]) else { panic!("it is found") };
        assert_eq!(catalog.item(line).openings().count(), 1);
    }

    #[test]
    fn a_crate_with_the_name_of_an_own_module_is_left_out() {
        let catalog = both("pub mod till { pub struct Mine; }", "pub struct Line;");
        assert!(matches!(catalog.type_(&["till", "Line"]), TypeLookup::Missing));
        assert!(matches!(catalog.type_(&["till", "Mine"]), TypeLookup::Found(_)));
    }

    /// A crate with the members `till`, which has `price` and `hidden` for other crates, and `coins`.
    fn three(till: &str, price: Option<&str>) -> Catalog {
        let coins = member("coins", "pub struct Coin(u8); pub mod deep { pub struct Note; }", &[]);
        let price_of_own = member("price", "pub struct Coin(u16); pub struct Note;", &[]);
        scanned("pub fn f(till: till::Line) {}", "kiosk").with_members(vec![
            member("till", till, &[("price", price)]),
            coins,
            price_of_own,
        ])
    }

    fn field(catalog: &Catalog) -> String {
        let TypeLookup::Found(line) = catalog.type_(&["till", "Line"]) else { panic!("it is found") };
        catalog.shown(&catalog.item(line).ctors[0].fields[0].ty)
    }

    #[test]
    fn paths_in_a_member_are_in_its_own_names() {
        // What the member calls `price` is `coins` here, and `price` here is another crate.
        let text =
            "pub struct Line { coin: price::Coin } pub type Paper = price::deep::Note; pub use price::deep;";
        let catalog = three(text, Some("coins"));
        assert_eq!(field(&catalog), "coins::Coin");
        let TypeLookup::Alias(_, paper) = catalog.type_(&["till", "Paper"]) else { panic!("it is an alias") };
        assert_eq!(catalog.shown(paper), "coins::deep::Note");
        let TypeLookup::Found(note) = catalog.type_(&["till", "deep", "Note"]) else { panic!("it is found") };
        assert_eq!(catalog.item(note).path, "coins::deep::Note");
    }

    #[test]
    fn a_crate_without_a_name_here_is_not_taken_for_another_one() {
        let catalog =
            three("pub struct Line { coin: price::Coin, note: price::Note } pub use price::Note;", None);
        let TypeLookup::Found(line) = catalog.type_(&["till", "Line"]) else { panic!("it is found") };
        let fields: Vec<_> = catalog.item(line).ctors[0].fields.iter().map(|field| &field.ty).collect();
        assert_eq!(*fields[0], RustType::Other("price::Coin".to_owned()));
        assert_eq!(*fields[1], RustType::Foreign("till::Note".to_owned(), Vec::new()));
        assert_eq!(catalog.type_(&["till", "Note"]), TypeLookup::Foreign("till::Note"));
    }

    #[test]
    fn a_name_of_two_members_is_ambiguous() {
        let catalog = three("pub struct Line;", None);
        let TypeLookup::Ambiguous(paths) = catalog.type_(&["Note"]) else { panic!("two members have it") };
        assert_eq!(paths, ["coins::deep::Note", "price::Note"]);
        assert!(matches!(catalog.type_(&["Line"]), TypeLookup::Found(_)));
    }

    #[test]
    fn numbers_in_types_and_constants_of_members_are_known() {
        let catalog = both(
            "use till::MOST as BIG; pub const LIMIT: u8 = till::MOST * 3; pub const MORE: u8 = LIMIT + BIG; const TWO: usize = 2;
             pub fn f(a: till::Fix<2>, b: till::Fix<TWO>, c: till::Grid<u8>, d: till::Grid<u8, 5>) {}
             pub fn g<const N: usize>(a: till::Fix<N>) {}",
            "pub const MOST: u8 = 3; pub struct Fix<const N: usize>([u8; N]);
             pub struct Grid<T, const W: usize = 4, const H: usize = W>([[T; W]; H]);",
        );
        let signature = |name: &str| match catalog.function(&[name]) {
            FnLookup::Found(f) => catalog.signature(f),
            other => format!("{other:?}"),
        };
        let expected =
            "fn(a: till::Fix<2>, b: till::Fix<2>, c: till::Grid<u8, 4, 4>, d: till::Grid<u8, 5, 5>)";
        assert_eq!(signature("f"), expected);
        assert_eq!(signature("g"), "fn(a: till::Fix<N>)");
        let value = |name| catalog.constant(&[name]).and_then(|constant| constant.value.clone());
        assert_eq!([value("LIMIT"), value("MORE")], [9, 12].map(|n| Some(Value::int(n))));
    }
}
