//! How the states are told apart of values that sequences of calls make: by `Debug`, and by what accessors show if that may
//! hide something.
//!
//! Source: *Randoop*, as in the survey of specification-based testing, which compares by `equals`.

use target_strategies::logic::ir::States;

use crate::frontend::catalog::{Catalog, FnItem, Length, RustType, TypeId};

use super::types::{Args, unify};

/// Maximum number of accessors of a type.
const MOST: usize = 8;

/// Number of sequences with one state that are extended if it may hide something.
const FEW: u32 = 4;

/// How the states of values of a type are told apart.
pub(super) fn of(id: TypeId, args: &[RustType], catalog: &Catalog) -> States {
    if shows_all(&RustType::Item(id, args.to_vec()), catalog, &mut Vec::new()) {
        return States { looks: Vec::new(), n_extended: 1 };
    }
    let accessors = accessors(id, args, catalog, is_plain).into_iter().take(MOST);
    let looks = accessors.filter_map(|item| item.public_path.as_deref());
    States { looks: looks.map(|path| catalog.outside_path(path)).collect(), n_extended: FEW }
}

/// The methods that only read a value, with a result of such a type.
pub(super) fn accessors<'c>(
    id: TypeId,
    args: &[RustType],
    catalog: &'c Catalog,
    is_wanted: impl Fn(&RustType) -> bool,
) -> Vec<&'c FnItem> {
    let ty = RustType::Item(id, args.to_vec());
    let is_scalar = |ty: &RustType| {
        matches!(
            ty,
            RustType::Bool | RustType::Char | RustType::Int(_) | RustType::Float(_) | RustType::String
        )
    };
    let of_type = format!("{}::", catalog.item(id).path);
    let is_it = |item: &&FnItem| {
        let [receiver] = item.params.as_slice() else { return false };
        let RustType::Ref { mutable: false, inner } = &receiver.ty else { return false };
        let is_method = receiver.name == "self" && item.path.starts_with(&of_type);
        let is_of_type = unify(inner, &ty, &mut Args::new());
        // It has no type parameters of its own.
        let is_met = item.generics.len() == catalog.item(id).generics.len()
            && (item.bounds.is_empty() || args.iter().all(is_scalar));
        let is_safe = !item.is_unsafe && !item.is_async && !item.documents_panics;
        let is_public = item.public_path.as_ref().is_some_and(|path| !path.starts_with('<'));
        is_method && is_of_type && is_met && is_safe && is_public && is_wanted(&item.result)
    };
    catalog.in_source_order().into_iter().filter(is_it).collect()
}

/// Whether a type is made of scalars and texts.
fn is_plain(ty: &RustType) -> bool {
    let is_own = match ty {
        RustType::Bool
        | RustType::Char
        | RustType::Int(_)
        | RustType::Float(_)
        | RustType::String
        | RustType::Str
        | RustType::Option(_)
        | RustType::Slice(_)
        | RustType::Vec(_)
        | RustType::Array(_, Length::Known(_)) => true,
        RustType::Tuple(parts) => !parts.is_empty(),
        RustType::Ref { mutable, .. } => !mutable,
        RustType::Deque(_)
        | RustType::Set(..)
        | RustType::Map(..)
        | RustType::Box(_)
        | RustType::Rc(_)
        | RustType::Arc(_)
        | RustType::Cow(_)
        | RustType::Result(..)
        | RustType::Item(..)
        | RustType::Foreign(..)
        | RustType::Function(_)
        | RustType::Param(_)
        | RustType::Array(_, Length::Param(_) | Length::Unknown)
        | RustType::Other(_) => false,
    };
    is_own && ty.parts().into_iter().all(is_plain)
}

/// Whether the `Debug` of a type is known to show the whole value: it and its parts derive it, or are of the standard library.
fn shows_all(ty: &RustType, catalog: &Catalog, seen: &mut Vec<TypeId>) -> bool {
    let is_own = match ty {
        RustType::Item(id, _) if seen.contains(id) => true,
        RustType::Item(id, _) => {
            seen.push(*id);
            let item = catalog.item(*id);
            let mut fields = item.ctors.iter().flat_map(|ctor| &ctor.fields);
            let is_parameter = |ty: &RustType| matches!(ty, RustType::Param(_));
            item.derives.iter().any(|name| name == "Debug")
                && fields.all(|field| is_parameter(&field.ty) || shows_all(&field.ty, catalog, seen))
        }
        RustType::Foreign(path, _) => {
            ["std::", "core::", "alloc::"].iter().any(|start| path.starts_with(start))
        }
        RustType::Function(_) | RustType::Other(_) => false,
        RustType::Bool
        | RustType::Char
        | RustType::Int(_)
        | RustType::Float(_)
        | RustType::String
        | RustType::Str
        | RustType::Option(_)
        | RustType::Slice(_)
        | RustType::Vec(_)
        | RustType::Array(..)
        | RustType::Tuple(_)
        | RustType::Ref { .. }
        | RustType::Deque(_)
        | RustType::Set(..)
        | RustType::Map(..)
        | RustType::Box(_)
        | RustType::Rc(_)
        | RustType::Arc(_)
        | RustType::Cow(_)
        | RustType::Result(..)
        // What it stands for is among the type arguments.
        | RustType::Param(_) => true,
    };
    is_own && ty.parts().into_iter().all(|part| shows_all(part, catalog, seen))
}

#[cfg(test)]
mod tests {
    use crate::frontend::api::discover;
    use crate::frontend::catalog::{Cfg, scan_text};
    use crate::frontend::diagnostic::Sources;

    #[test]
    fn a_derived_debug_shows_all_and_accessors_help_others() {
        let text = "#[derive(Debug, Default)] pub struct Open { n: Vec<u8>, inner: Inner }
            #[derive(Debug, Default)] struct Inner(Option<bool>);
            impl Open { pub fn grow(&mut self) {} pub fn len(&self) -> usize { 0 } }
            #[derive(Debug, Default)] pub struct Half { shy: Shy }
            #[derive(Default)] pub struct Shy;
            impl std::fmt::Debug for Shy { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { todo!() } }
            impl Half { pub fn grow(&mut self) {} pub fn len(&self) -> usize { 0 } pub fn shy(&self) -> &Shy { &self.shy }
                pub fn name(&self) -> Option<&str> { None } pub fn at(&self, i: usize) -> u8 { 0 } fn own(&self) -> u8 { 0 } }";
        let (catalog, _) = scan_text(text, "me", &Cfg::default());
        let api = discover(&catalog, &[], &mut Sources::default());
        let states: Vec<_> = api.states.iter().map(|(ty, states)| (ty.as_str(), states.n_extended)).collect();
        assert_eq!(states, [("me::Open", 1), ("me::Half", 4)]);
        assert_eq!(api.states[1].1.looks, ["me::Half::len", "me::Half::name"]);
    }
}
