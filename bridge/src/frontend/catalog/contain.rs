//! Decides which types can contain which: through fields, `Vec`, `Box`, `Option`, tuples, and type arguments.
//!
//! A type argument always counts as contained, also the key of a foreign map.

use std::collections::BTreeSet;

use super::rust_type::{RustType, TypeId};
use super::scanned::Catalog;

impl Catalog {
    /// Whether a value of type `of` can contain, at any depth, a value of type `target`; the value itself does not
    /// count.
    pub fn can_contain(&self, of: TypeId, target: TypeId) -> bool {
        self.item(of).ctors.iter().flat_map(|ctor| &ctor.fields).any(|field| self.mentions(&field.ty, target))
    }

    /// Whether a constructor has a field whose type can contain the constructor's own type.
    pub fn is_recursive(&self, id: TypeId, ctor: u32) -> bool {
        let ctor = self.item(id).ctors.get(ctor as usize);
        ctor.is_some_and(|ctor| ctor.fields.iter().any(|field| self.mentions(&field.ty, id)))
    }

    /// Whether a value of this type can be, or contain at any depth, a value of type `target`.
    pub fn mentions(&self, ty: &RustType, target: TypeId) -> bool {
        let mut seen = BTreeSet::new();
        let mut pending = vec![ty];
        while let Some(ty) = pending.pop() {
            if let RustType::Item(id, _) = ty {
                if *id == target {
                    return true;
                }
                if seen.insert(*id) {
                    let fields = self.item(*id).ctors.iter().flat_map(|ctor| &ctor.fields);
                    pending.extend(fields.map(|field| &field.ty));
                }
            }
            pending.extend(ty.parts());
        }
        false
    }
}

impl RustType {
    /// The types in it: elements, type arguments, the referenced type.
    pub fn parts(&self) -> Vec<&RustType> {
        match self {
            RustType::Tuple(parts) | RustType::Item(_, parts) | RustType::Foreign(_, parts) => {
                parts.iter().collect()
            }
            RustType::Array(inner, _)
            | RustType::Slice(inner)
            | RustType::Vec(inner)
            | RustType::Deque(inner)
            | RustType::Set(inner, _)
            | RustType::Option(inner)
            | RustType::Box(inner)
            | RustType::Rc(inner)
            | RustType::Arc(inner)
            | RustType::Cow(inner)
            | RustType::Ref { inner, .. } => vec![inner],
            RustType::Result(ok, err) | RustType::Map(ok, err, _) => vec![ok, err],
            RustType::Bool
            | RustType::Char
            | RustType::Int(_)
            | RustType::Float(_)
            | RustType::String
            | RustType::Str
            | RustType::Param(_)
            | RustType::Function(_)
            | RustType::Other(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::listing::catalog;
    use super::super::{FnLookup, TypeLookup};

    #[test]
    fn containment_goes_through_everything_that_holds_values() {
        let catalog = catalog(
            "pub struct Leaf; pub struct Plain(u8, String, fn(Leaf) -> Leaf); pub struct Pair<T>(T, T);
             pub struct A { x: Vec<Option<(u8, Box<[B; 3]>)>> } pub struct B(std::collections::BTreeMap<u8, Leaf>);
             pub struct C(Pair<Result<u8, &'static Leaf>>); pub enum D { Zero, One(E) } pub struct E(Option<Box<D>>);
             pub fn f(x: Pair<A>) {}",
        );
        let id = |name: &str| match catalog.type_(&[name]) {
            TypeLookup::Found(id) => id,
            other => panic!("{other:?}"),
        };
        for (of, target, expected) in [
            ("A", "B", true),
            ("A", "Leaf", true),
            ("B", "A", false),
            ("C", "Leaf", true),
            ("Plain", "Leaf", false),
            ("Leaf", "Leaf", false),
            ("D", "D", true),
            ("E", "E", true),
        ] {
            assert_eq!(catalog.can_contain(id(of), id(target)), expected, "{of} {target}");
        }
        assert!(!catalog.is_recursive(id("D"), 0) && catalog.is_recursive(id("D"), 1));
        let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!() };
        assert!(catalog.mentions(&f.params[0].ty, id("Leaf")) && !catalog.mentions(&f.params[0].ty, id("C")));
    }
}
