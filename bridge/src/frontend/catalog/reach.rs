//! How outside code names each definition: by its public path, or else by its definition path, after the items on that
//! path are opened.

use std::collections::{BTreeMap, BTreeSet};

use super::items::Access;
use super::names::{Def, ModuleId, Names};
use super::open::Opening;
use super::public::PublicPaths;
use super::rust_type::TypeId;

/// The definitions of a crate, and the changes that make private definitions public.
pub(super) struct Reach<'a> {
    pub names: &'a Names,
    pub public: &'a PublicPaths,
    /// The change that makes a definition public, if it is private.
    pub closed: &'a BTreeMap<Def, Opening>,
    /// The types that must be public if a type or a trait is.
    pub companions: &'a Companions,
}

/// The associated types in the implementations of a type or a trait: if the type and the trait are public, they must
/// not be private (E0446).
pub(super) type Companions = BTreeMap<Def, Vec<TypeId>>;

impl Reach<'_> {
    /// The path to a module.
    fn module(&self, id: ModuleId) -> Access {
        let module = &self.names.modules[id as usize];
        let name = module.path.rsplit("::").next().unwrap_or_default();
        match module.parent {
            Some(parent) => self.of(Def::Module(id), parent, name),
            None => Access::default(),
        }
    }

    /// The path to a definition with this name in a module.
    pub fn of(&self, def: Def, module: ModuleId, name: &str) -> Access {
        if let Some(path) = self.public.get(&def) {
            return Access { path: path.clone(), openings: Vec::new() };
        }
        let Access { path, mut openings } = self.module(module);
        let (mut waiting, mut seen) = (vec![def], BTreeSet::new());
        while let Some(def) = waiting.pop() {
            if let Some(opening) = self.closed.get(&def).filter(|_| seen.insert(def)) {
                openings.push(opening.clone());
                waiting.extend(self.companions.get(&def).into_iter().flatten().copied().map(Def::Type));
            }
        }
        let path = if path.is_empty() { name.to_string() } else { format!("{path}::{name}") };
        Access { path, openings }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::listing::catalog;
    use super::super::{FnItem, opened};

    #[test]
    fn as_little_is_opened_as_a_path_needs() {
        let text = "mod a { pub mod b { pub struct P; pub fn f() {} fn g() {} pub fn h() {} } }
            pub mod c { mod d { pub fn i() {} } pub use super::a::b; fn j() {} } pub use a::b::f;";
        let catalog = catalog(text);
        let shown = |item: &FnItem| {
            let access = item.access.as_ref().expect("the item is private");
            format!("{}: {} opens {}\n", item.path, access.path, access.openings.len())
        };
        expect![[r#"
            c::j: c::j opens 1
            a::b::f: f opens 0
            a::b::g: c::b::g opens 1
            a::b::h: c::b::h opens 0
            c::d::i: c::d::i opens 1
        "#]]
        .assert_eq(&catalog.functions.iter().map(shown).collect::<String>());
    }

    #[test]
    fn associated_types_are_opened_with_their_type_and_their_trait() {
        let text = "struct I; impl Iterator for I { type Item = Vec<(J, K)>; } struct J; pub struct K;
            impl Iterator for J { type Item = L; } struct L; struct M;
            trait T { type U; fn t(&self) {} } impl T for K { type U = M; } struct Alone;";
        let catalog = catalog(text);
        let of = |path: &str| {
            catalog
                .types
                .iter()
                .find(|item| item.path == path)
                .expect("the item stands in the test's text")
                .openings()
        };
        expect![[r#"
            pub struct I; impl Iterator for I { type Item = Vec<(J, K)>; } pub struct J; pub struct K;
                        impl Iterator for J { type Item = L; } pub struct L; struct M;
                        trait T { type U; fn t(&self) {} } impl T for K { type U = M; } struct Alone;"#]]
        .assert_eq(&opened(text, of("I")).expect("the test's own text can be opened"));
        let method = catalog
            .functions
            .iter()
            .find(|item| item.path == "K::t")
            .expect("the item stands in the test's text");
        expect![[r#"
            struct I; impl Iterator for I { type Item = Vec<(J, K)>; } struct J; pub struct K;
                        impl Iterator for J { type Item = L; } struct L; pub struct M;
                        pub trait T { type U; fn t(&self) {} } impl T for K { type U = M; } struct Alone;"#]]
        .assert_eq(
            &opened(text, &method.access.as_ref().expect("the item is private").openings)
                .expect("the test's own text can be opened"),
        );
    }
}
