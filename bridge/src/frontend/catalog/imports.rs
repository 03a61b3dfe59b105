//! Resolves imports: from the definitions of modules to the meanings of their names.
//!
//! All scopes are recomputed until nothing changes, since an import may lead through any other. A definition takes
//! precedence over an import of its name, and an import over a glob, as in Rust.

use super::declare::{Import, Imported};
use super::items::TypeItem;
use super::names::{Binding, Def, Module, Names, Namespace, Resolved, Scope, Visibility};

/// Maximum number of rounds; imports that still change then contradict each other.
const MOST_ROUNDS: usize = 400;

/// Adds the imports of each module to its scope.
pub(super) fn resolve(names: &mut Names, types: &[TypeItem], imports: &[Import]) {
    let defined: Vec<Module> = names.modules.clone();
    let mut by_module: Vec<Vec<&Import>> = vec![Vec::new(); defined.len()];
    for import in imports {
        by_module[import.module as usize].push(import);
    }
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        for (id, imports) in by_module.iter().enumerate().filter(|(_, imports)| !imports.is_empty()) {
            let module = with_imports(names, types, &defined[id], imports);
            changed |= module != names.modules[id];
            names.modules[id] = module;
        }
        if !changed {
            return;
        }
    }
}

/// A module with its imports, as far as the other scopes are known.
fn with_imports(names: &mut Names, types: &[TypeItem], defined: &Module, imports: &[&Import]) -> Module {
    let mut module = defined.clone();
    let mut globs = Module::default();
    for import in imports {
        let (name, both) = match &import.what {
            Imported::Named(name) => (name, true),
            Imported::TypeNamed(name) => (name, false),
            Imported::All => {
                match find(names, types, import, Namespace::Types) {
                    Some(from) => add_glob(names, types, &mut globs, from.def, import),
                    None => add_foreign(&mut globs, &import.path.join("::")),
                }
                continue;
            }
        };
        let as_type = find(names, types, import, Namespace::Types);
        let as_value = find(names, types, import, Namespace::Values).filter(|_| both);
        let as_type = as_type.or_else(|| match &import.path[..] {
            // A single unknown name is a crate's name: `use serde;`.
            [name] if as_value.is_none() => {
                let def = Def::Foreign(names.intern(name));
                Some(Binding { def, visibility: import.visibility })
            }
            _ => None,
        });
        for (scope, found) in [(&mut module.types, as_type), (&mut module.values, as_value)] {
            if let Some(found) = found {
                let binding = Binding { visibility: import.visibility, ..found };
                scope.entry(name.clone()).or_insert(binding);
            }
        }
    }
    for (scope, imported) in [(&mut module.types, globs.types), (&mut module.values, globs.values)] {
        for (name, binding) in imported {
            scope.entry(name).or_insert(binding);
        }
    }
    module.foreign_globs = globs.foreign_globs;
    module
}

fn find(names: &mut Names, types: &[TypeItem], import: &Import, namespace: Namespace) -> Option<Binding> {
    let absolute = import.absolute || is_of_namesake(names, import);
    Some(match names.resolve(types, import.module, absolute, &import.path, namespace)? {
        Resolved::Local(binding) => binding,
        Resolved::Foreign(path) => {
            Binding { def: Def::Foreign(names.intern(&path)), visibility: Visibility::Public }
        }
    })
}

/// Whether an import is like `use anyhow::anyhow`, seen again after it bound its own first name.
fn is_of_namesake(names: &Names, import: &Import) -> bool {
    let (Imported::Named(name), [first, _, ..]) = (&import.what, &import.path[..]) else { return false };
    let bound = names.modules[import.module as usize].types.get(first).map(|binding| binding.def);
    name == first
        && matches!(bound, Some(Def::Foreign(index)) if names.foreign[index as usize].contains("::"))
}

/// Adds the names of a module or an enum that the importing module can see.
fn add_glob(names: &Names, types: &[TypeItem], globs: &mut Module, from: Def, import: &Import) {
    match from {
        Def::Module(from) => {
            let from = &names.modules[from as usize];
            for (into, scope) in [(&mut globs.types, &from.types), (&mut globs.values, &from.values)] {
                let seen = scope.iter().filter(|(_, b)| names.is_visible(b.visibility, import.module));
                for (name, binding) in seen {
                    add(names, into, name, *binding, import.visibility);
                }
            }
            for path in &from.foreign_globs {
                add_foreign(globs, path);
            }
        }
        Def::Type(id) if types[id.0 as usize].is_enum => {
            for (index, ctor) in (0..).zip(&types[id.0 as usize].ctors) {
                let binding = Binding { def: Def::Variant(id, index), visibility: Visibility::Public };
                add(names, &mut globs.types, &ctor.name, binding, import.visibility);
                add(names, &mut globs.values, &ctor.name, binding, import.visibility);
            }
        }
        Def::Foreign(index) => add_foreign(globs, &names.foreign[index as usize]),
        _ => {}
    }
}

/// Adds a name with the narrower of two visibilities; of two globs the first wins, unless the second makes the name
/// public.
fn add(names: &Names, scope: &mut Scope, name: &str, binding: Binding, glob: Visibility) {
    let visibility = match (binding.visibility, glob) {
        (Visibility::Public, other) | (other, Visibility::Public) => other,
        // One contains the other, since the name is visible in the glob's module.
        (Visibility::Within(a), Visibility::Within(b)) if names.is_visible(Visibility::Within(a), b) => {
            Visibility::Within(b)
        }
        (within, _) => within,
    };
    let binding = Binding { visibility, ..binding };
    let known = scope.entry(name.to_string()).or_insert(binding);
    if known.def == binding.def && visibility == Visibility::Public {
        *known = binding;
    }
}

fn add_foreign(globs: &mut Module, path: &str) {
    if !globs.foreign_globs.iter().any(|known| known == path) {
        globs.foreign_globs.push(path.to_string());
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::listing::listing;

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&listing(text));
    }

    #[test]
    fn public_paths_are_the_shortest_and_then_the_least() {
        check(
            "mod hidden { pub struct A; pub struct B; pub(crate) struct C; pub fn f() {} fn g() {} }
             pub use hidden::{A, B as Renamed, f};
             pub mod deep { pub use crate::hidden::{A as First, B}; pub mod deeper { pub struct D; } }
             pub mod z { pub use super::deep::deeper::D; } pub mod y { pub use super::z::*; }
             pub(crate) mod within { pub fn h() {} } pub(crate) use within::h as i;",
            expect![[r#"
                struct hidden::A: A() @ A
                struct hidden::B: B() @ Renamed
                struct hidden::C: C() @ private
                struct deep::deeper::D: D() @ y::D
                hidden::f fn() @ f
                hidden::g fn() @ private
                within::h fn() @ private
            "#]],
        );
    }

    #[test]
    fn imports_lead_through_chains_globs_and_cycles() {
        check(
            "pub mod a { pub use super::b::*; pub struct InA; }
             pub mod b { pub use super::a::*; pub use self::inner::*; mod inner { pub struct Inner; pub(super) struct Shy; } }
             mod c { pub use d::E as F; mod d { pub use super::super::b::Inner as E; } }
             mod tests { use super::*; pub fn f(x: InB, y: c::F, z: Shy) {} use b::*; }
             use lonely::lonely; use x::y; use y::x; pub use self::missing::*;
             pub struct InB;
             pub fn f(a: a::Inner, b: b::InA, c: c::F, d: self::c::F, e: a::Shy, f: lonely::T) {}",
            expect![[r#"
                struct InB: InB()
                struct a::InA: InA()
                struct b::inner::Inner: Inner() @ a::Inner
                struct b::inner::Shy: Shy() @ private
                f fn(a: a::Inner, b: a::InA, c: a::Inner, d: a::Inner, e: a::Shy, f: lonely::lonely::T)
                tests::f fn(x: InB, y: a::Inner, z: self::missing::Shy) @ private
            "#]],
        );
    }

    #[test]
    fn definitions_go_before_imports_and_these_before_globs() {
        check(
            "mod a { pub struct S(pub u8); pub struct T; pub struct Vec; } mod b { pub struct S; pub struct T; }
             mod m { use super::a::*; use super::b::T; struct S { x: T, y: Vec } fn f(s: S) {} }
             mod n { fn f(v: Vec<u8>) {} }",
            expect![[r#"
                struct a::S: S(0: u8) @ private
                struct a::T: T() @ private
                struct a::Vec: Vec() @ private
                struct b::S: S() @ private
                struct b::T: T() @ private
                struct m::S: S{-x: b::T, -y: a::Vec} @ private
                m::f fn(s: m::S) @ private
                n::f fn(v: Vec<u8>) @ private
            "#]],
        );
    }

    #[test]
    fn other_crates_are_named() {
        check(
            "extern crate self as me; extern crate alloc; extern crate rand as dice;
             use std::{collections::{self, BTreeMap as Map, btree_map}, fmt, rc::Rc, ops::*};
             mod m { pub use std::sync::Arc; use serde::*; pub fn f(v: Value, r: Range<u8>) {} }
             pub fn f(a: Map<u8, Own>, b: collections::HashSet<u8>, c: Rc<m::Arc<u8>>, d: fmt::Result,
                e: alloc::vec::Vec<u8>, f: core::option::Option<u8>, g: ::std::string::String, h: std::io::Result<u8>,
                i: Range<u8>, j: dice::Rng, k: me::Own, l: btree_map::Entry<'_, u8, u8>, m: std::primitive::u8) {}
             pub struct Own;",
            expect![[r#"
                struct Own: Own()
                f fn(a: BTreeMap<u8, Own>, b: HashSet<u8>, c: Rc<Arc<u8>>, d: Result<(), std::fmt::Error>, e: Vec<u8>, f: Option<u8>, g: String, h: Result<u8, std::io::Error>, i: std::ops::Range<u8>, j: rand::Rng, k: Own, l: std::collections::btree_map::Entry<u8, u8>, m: u8)
                m::f fn(v: serde::Value, r: serde::Range<u8>) @ private
            "#]],
        );
    }

    #[test]
    fn own_items_go_before_those_of_known_globs_and_these_before_the_prelude() {
        check(
            "use std::collections::*; use core::time::*; use std::io::*; use serde::*; use own::*;
             mod own { pub struct BTreeMap; pub struct Instant; }
             pub fn f(a: HashMap<u8, Duration>, b: BTreeMap, c: Instant, d: Result<u8>, e: Value, f: Vec<u8>) {}",
            expect![[r#"
                struct own::BTreeMap: BTreeMap() @ private
                struct own::Instant: Instant() @ private
                f fn(a: HashMap<u8, std::time::Duration>, b: own::BTreeMap, c: own::Instant, d: Result<u8, std::io::Error>, e: Value, f: Vec<u8>)
            "#]],
        );
    }
}
