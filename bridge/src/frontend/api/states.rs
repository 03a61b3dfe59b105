//! How the states are told apart of values that sequences of calls make: by `Debug`, and by what accessors show if that may
//! hide something. Of types that may show equal states by different texts they are not told apart.
//!
//! Source: *Randoop*, as in the survey of specification-based testing, which compares by `equals`.

use target_strategies::logic::ir::{MapKind, SetKind, States};

use crate::frontend::catalog::{Catalog, FnItem, Length, RustType, TypeId};

use super::types::{Args, unify};

/// Maximum number of accessors of a type.
const MOST: usize = 8;

/// Number of sequences with one state that are extended if it may hide something.
const FEW: u32 = 4;

/// How the states of values of a type are told apart.
pub(super) fn of(id: TypeId, args: &[RustType], catalog: &Catalog) -> States {
    let ty = RustType::Item(id, args.to_vec());
    if !Asked::IsStable.holds(&ty, catalog, &mut Vec::new()) {
        return States { looks: Vec::new(), n_extended: 0 };
    }
    if Asked::ShowsAll.holds(&ty, catalog, &mut Vec::new()) {
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
    let of_type = format!("{}::", catalog.item(id).path);
    let is_it = |item: &&FnItem| {
        let [receiver] = item.params.as_slice() else { return false };
        let RustType::Ref { mutable: false, inner } = &receiver.ty else { return false };
        let is_method = receiver.name == "self" && item.path.starts_with(&of_type);
        let mut known = Args::new();
        let is_of_type = unify(inner, &ty, &mut known);
        // It has no type parameters of its own.
        let has_bounds = item.generics.len() == catalog.item(id).generics.len()
            && item.bounds.iter().all(|(param, bound)| known.get(param).is_some_and(|ty| is_met(bound, ty)));
        let is_safe = !item.is_unsafe && !item.is_async && !item.documents_panics;
        let is_public = item.public_path.as_ref().is_some_and(|path| !path.starts_with('<'));
        is_method && is_of_type && has_bounds && is_safe && is_public && is_wanted(&item.result)
    };
    catalog.in_source_order().into_iter().filter(is_it).collect()
}

/// Whether a type is known to have a trait, or several: only scalars and texts, and traits of the standard library.
fn is_met(bound: &str, ty: &RustType) -> bool {
    let is_float = matches!(ty, RustType::Float(_));
    let is_text = matches!(ty, RustType::String);
    let is_scalar = is_float || matches!(ty, RustType::Bool | RustType::Char | RustType::Int(_));
    (is_scalar || is_text)
        && bound.split('+').all(|bound| match bound.rsplit("::").next().unwrap_or_default() {
            "Clone" | "Debug" | "Default" | "Display" | "PartialEq" | "PartialOrd" | "Send" | "Sync"
            | "ToString" | "?Sized" | "Sized" | "'static" => true,
            "Copy" => is_scalar,
            "Eq" | "Hash" | "Ord" => !is_float,
            _ => false,
        })
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

/// Types of the standard library whose `Debug` shows the whole value, and the same text for the same value. A name that ends
/// with `::` is that of a module.
const SHOWN: [&str; 10] = [
    "std::cell::Cell",
    "std::cell::RefCell",
    "std::cmp::",
    "std::collections::BinaryHeap",
    "std::collections::LinkedList",
    "std::marker::PhantomData",
    "std::net::",
    "std::num::",
    "std::ops::",
    "std::time::Duration",
];

/// What a type is asked for, with its parts.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    /// Whether its `Debug` is known to show the whole value: it is derived, or one of the standard library.
    ShowsAll,
    /// Whether equal values may be expected to show equal texts: there is no random order and no address in them.
    IsStable,
}

impl Asked {
    fn holds(self, ty: &RustType, catalog: &Catalog, seen: &mut Vec<TypeId>) -> bool {
        let is_own = match ty {
            RustType::Item(id, _) if seen.contains(id) => true,
            RustType::Item(id, _) => {
                seen.push(*id);
                let item = catalog.item(*id);
                let mut fields = item.ctors.iter().flat_map(|ctor| &ctor.fields);
                let is_shown = self == Asked::IsStable || item.derives.iter().any(|name| name == "Debug");
                is_shown && fields.all(|field| self.holds(&field.ty, catalog, seen))
            }
            RustType::Foreign(path, _) => is_shown(path),
            // An argument for a constant parameter is no part of the value.
            RustType::Other(_) => ty.constant().is_some(),
            RustType::Function(_) | RustType::Set(_, SetKind::Hash) | RustType::Map(.., MapKind::Hash) => false,
            // Who else has the value doesn't show.
            RustType::Rc(_) | RustType::Arc(_) => self == Asked::IsStable,
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
            | RustType::Set(_, SetKind::BTree | SetKind::Bag)
            | RustType::Map(.., MapKind::BTree)
            | RustType::Box(_)
            | RustType::Cow(_)
            | RustType::Result(..)
            // What it stands for is among the type arguments.
            | RustType::Param(_) => true,
        };
        is_own && ty.parts().into_iter().all(|part| self.holds(part, catalog, seen))
    }
}

fn is_shown(path: &str) -> bool {
    let is_it = |shown: &str| if shown.ends_with("::") { path.starts_with(shown) } else { path == shown };
    SHOWN.iter().any(|shown| is_it(shown))
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

    #[test]
    fn states_without_a_certain_text_are_not_told_apart() {
        let types = [
            ("std::collections::HashMap<u8, u8>", 0),
            ("Vec<std::collections::HashSet<u8>>", 0),
            ("*const u8", 0),
            ("fn(u8) -> u8", 0),
            ("std::sync::mpsc::Sender<u8>", 0),
            ("std::sync::Weak<u8>", 0),
            ("std::rc::Rc<u8>", 4),
            ("std::time::Duration", 1),
            ("std::collections::BTreeMap<u8, std::cell::Cell<u8>>", 1),
        ];
        for (field, n_extended) in types {
            let text = format!(
                "#[derive(Debug)] pub struct Set {{ inner: {field} }}
                 impl Set {{ pub fn new() -> Set {{ todo!() }} pub fn put(&mut self, n: u8) {{}} }}"
            );
            let (catalog, _) = scan_text(&text, "me", &Cfg::default());
            let api = discover(&catalog, &[], &mut Sources::default());
            let found: Vec<_> = api.states.iter().map(|(_, states)| states.n_extended).collect();
            assert_eq!(found, [n_extended], "{field}");
        }
    }

    #[test]
    fn accessors_with_bounds_that_may_not_hold_are_left_out() {
        let text = "pub trait Shape {} impl Shape for u8 {}
            pub struct Wrap<T> { n: Vec<T>, m: std::rc::Rc<u8> }
            impl<T> Wrap<T> { pub fn new() -> Wrap<T> { todo!() } pub fn put(&mut self, n: u8) {} pub fn all(&self) -> u8 { 0 } }
            impl<T: Shape> Wrap<T> { pub fn shaped(&self) -> u8 { 0 } }
            impl<T: Clone + Ord> Wrap<T> { pub fn sorted(&self) -> u8 { 0 } }
            pub fn wrapped(of: &Wrap<i64>) {} pub fn floats(of: &Wrap<f64>) {}";
        let (catalog, _) = scan_text(text, "me", &Cfg::default());
        let api = discover(&catalog, &[], &mut Sources::default());
        let looks = |ty: &str| {
            let found = api.states.iter().find(|(name, _)| name == ty);
            let (_, states) = found.expect("the type has states");
            states.looks.clone()
        };
        assert_eq!(looks("me::Wrap<i64>"), ["me::Wrap::all", "me::Wrap::sorted"]);
        assert_eq!(looks("me::Wrap<f64>"), ["me::Wrap::all"]);
    }
}
