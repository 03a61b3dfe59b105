//! Associated types: of a type parameter, as `S::Item` and `<S as Source>::Item` name them, and of a type that implements the trait.
//!
//! The type for `S::Item` is a type parameter by that text. Where several traits of the bounds may have an `Item`, the
//! text has the trait: `<S as Source>::Item`.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{GenericArgument, PathArguments};

use super::declare::associated;
use super::items::Projection;
use super::lower::{Lowering, Scope, substitute};
use super::names::{Def, ModuleId, Namespace, Resolved};
use super::rust_type::RustType;
use super::scanned::Catalog;

/// Traits of the standard library without associated types.
const WITHOUT: [&str; 20] = [
    "Any",
    "AsMut",
    "AsRef",
    "Borrow",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Eq",
    "From",
    "Hash",
    "Into",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sized",
    "Sync",
    "ToString",
];

/// A trait's name, with its type arguments but without associated types.
pub(super) fn trait_name(segment: &syn::PathSegment) -> String {
    let args = match &segment.arguments {
        PathArguments::AngleBracketed(written) => written.args.iter().filter_map(|arg| match arg {
            GenericArgument::Type(ty) => Some(ty.to_token_stream().to_string().replace(' ', "")),
            _ => None,
        }),
        _ => return segment.ident.to_string(),
    };
    let args: Vec<String> = args.collect();
    if args.is_empty() { segment.ident.to_string() } else { format!("{}<{}>", segment.ident, args.join(",")) }
}

impl Lowering<'_> {
    /// `<P as Parser>::Out` of a type parameter.
    pub(super) fn projected(&self, of: &syn::QSelf, path: &syn::Path, scope: &Scope) -> Option<RustType> {
        let syn::Type::Path(param) = &*of.ty else { return None };
        let param = param.path.get_ident()?.to_string();
        let name = path.segments.last()?;
        let is_associated = of.position + 1 == path.segments.len() && name.arguments.is_none();
        let of_trait = of.position.checked_sub(1).map(|at| trait_name(&path.segments[at]));
        (is_associated && scope.generics.contains(&param))
            .then(|| self.associated((&param, of_trait), &name.ident, scope))
    }

    /// An associated type of a type parameter: a type that the spec names, like that of a parameter.
    pub(super) fn associated(
        &self,
        (param, of_trait): (&str, Option<String>),
        name: &syn::Ident,
        scope: &Scope,
    ) -> RustType {
        let bounds = scope.bounds.iter().filter(|(of, _)| of == param);
        let bounds = bounds.filter_map(|(_, bound)| syn::parse_str::<syn::Path>(bound).ok());
        let mut found = BTreeSet::new();
        bounds.for_each(|path| self.add_traits((&path, scope.module), name, &mut found));
        let is_open = found.len() > 1;
        let of_trait = of_trait.or_else(|| found.pop_first().filter(|_| found.is_empty()));
        let of_crate = self.declared.traits.values().map(|known| &known.item);
        let of_crate: Vec<String> = of_crate
            .filter(|item| associated(item).any(|known| known == name))
            .map(|item| item.ident.to_string())
            .collect();
        let is_among = |of_trait: &str| {
            of_crate.len() > 1 && of_crate.iter().any(|known| of_trait.split('<').next() == Some(known))
        };
        match of_trait {
            Some(of_trait) if is_open || is_among(&of_trait) => {
                RustType::Param(format!("<{param} as {of_trait}>::{name}"))
            }
            Some(_) | None => RustType::Param(format!("{param}::{name}")),
        }
    }

    /// Adds the traits that may have an associated type of that name, of a bound and its supertraits.
    fn add_traits(
        &self,
        (path, module): (&syn::Path, ModuleId),
        name: &syn::Ident,
        found: &mut BTreeSet<String>,
    ) {
        let mut waiting = vec![(path.clone(), module)];
        let mut seen = BTreeSet::new();
        while let Some((path, module)) = waiting.pop() {
            let Some(last) = path.segments.last() else { continue };
            let has_it = match self.resolve(&path, module, Namespace::Types) {
                Some(Resolved::Local(binding)) => {
                    let Def::Trait(id) = binding.def else { continue };
                    let Some(source) = self.declared.traits.get(&id).filter(|_| seen.insert(id)) else {
                        continue;
                    };
                    let bases = source.item.supertraits.iter().filter_map(|base| match base {
                        syn::TypeParamBound::Trait(base) => Some((base.path.clone(), source.module)),
                        _ => None,
                    });
                    waiting.extend(bases);
                    associated(&source.item).any(|known| known == name)
                }
                Some(Resolved::Foreign(_)) | None => !WITHOUT.iter().any(|known| last.ident == known),
            };
            if has_it {
                found.insert(trait_name(last));
            }
        }
    }
}

/// The parts of a parameter's name like `S::Item` or `<S as Source>::Item`: the parameter, the trait if it is written, and the
/// associated type.
pub fn projection(name: &str) -> Option<(&str, Option<&str>, &str)> {
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let (param, of_trait, associated) = match name.strip_prefix('<') {
        Some(rest) => {
            let (of, associated) = rest.rsplit_once(">::")?;
            let (param, of_trait) = of.split_once(" as ")?;
            (param, Some(of_trait), associated)
        }
        None => {
            let (param, associated) = name.split_once("::")?;
            (param, None, associated)
        }
    };
    (is_word(param) && is_word(associated)).then_some((param, of_trait, associated))
}

impl Catalog {
    /// The associated type of a type, which implements the trait in the crate or is a value of the trait; `None` if it is
    /// unknown, or there are several and the trait isn't said.
    pub fn associated_type(&self, of: &RustType, of_trait: Option<&str>, name: &str) -> Option<RustType> {
        if let RustType::Item(id, args) = of
            && let Some(own) = &self.item(*id).of_trait
        {
            let at = own.associated.iter().position(|known| known == name)?;
            let n_own = args.len().checked_sub(own.associated.len())?;
            return args.get(n_own + at).cloned();
        }
        let known = self
            .projections
            .iter()
            .filter(|known| known.name == name && of_trait.is_none_or(|of_trait| of_trait == known.of_trait));
        let mut found: Vec<RustType> = known.filter_map(|known| known.at(of)).collect();
        found.dedup();
        if found.len() == 1 { found.pop() } else { None }
    }

    /// What a type parameter by a name like `S::Item` is, if `S` is known.
    pub fn projected(&self, name: &str, known: &BTreeMap<String, RustType>) -> Option<RustType> {
        let (param, of_trait, name) = projection(name)?;
        self.associated_type(known.get(param)?, of_trait, name)
    }
}

impl Projection {
    /// The associated type for an instance of the type that has the trait.
    fn at(&self, of: &RustType) -> Option<RustType> {
        let mut args = BTreeMap::new();
        bind(&self.of, of, &mut args);
        (substitute(&self.of, &args)? == *of).then(|| substitute(&self.ty, &args)).flatten()
    }
}

/// Finds the type parameters of a type for which it may be another one.
fn bind(pattern: &RustType, ty: &RustType, args: &mut BTreeMap<String, RustType>) {
    if let RustType::Param(name) = pattern {
        args.entry(name.clone()).or_insert_with(|| ty.clone());
        return;
    }
    let (patterns, parts) = (pattern.parts(), ty.parts());
    if patterns.len() == parts.len() {
        patterns.into_iter().zip(parts).for_each(|(pattern, part)| bind(pattern, part, args));
    }
}

#[cfg(test)]
mod tests {
    use super::super::listing::{catalog, listing};
    use super::super::{FnLookup, RustType, TypeLookup};
    use super::projection;

    const TRAITS: &str = "pub trait Source { type Item; fn pull(&self) -> Self::Item; } pub trait Plain { fn plain(&self); }
        pub trait Other { type Item; } pub struct Flat; pub struct Wrap<T>(T);
        impl Source for Flat { type Item = u8; fn pull(&self) -> u8 { 0 } } impl Other for Flat { type Item = String; }
        impl<T> Source for Wrap<T> { type Item = Vec<T>; fn pull(&self) -> Vec<T> { vec![] } }";

    #[test]
    fn associated_types_of_several_traits_are_told_apart() {
        let functions = "pub fn two<S: Source + Other>(a: <S as Source>::Item, b: <S as Other>::Item) {}
            pub fn one<S: Source + Clone>(a: <S as Source>::Item, b: S::Item) where S: Plain {}
            pub fn sum<T: std::ops::Add + std::ops::Mul>(a: <T as std::ops::Add>::Output) {}";
        let listed = listing(&format!("{TRAITS} {functions}"));
        for line in [
            "two<S> fn(a: <S as Source>::Item, b: <S as Other>::Item)",
            "one<S> fn(a: <S as Source>::Item, b: <S as Source>::Item)",
            "sum<T> fn(a: <T as Add>::Output)",
        ] {
            assert!(listed.contains(line), "{listed}");
        }
    }

    #[test]
    fn an_associated_type_is_that_of_the_implementation() {
        let catalog = catalog(&format!("{TRAITS} pub fn f(a: Flat, b: Wrap<bool>) {{}}"));
        let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!() };
        let of = |at: usize, of_trait| catalog.associated_type(&f.params[at].ty, of_trait, "Item");
        assert_eq!(of(0, Some("Other")), Some(RustType::String));
        assert_eq!(of(0, None), None, "two traits have one");
        assert_eq!(of(1, None), Some(RustType::Vec(Box::new(RustType::Bool))));
        let TypeLookup::Found(source) = catalog.type_(&["Source"]) else { panic!() };
        let value = RustType::Item(source, vec![RustType::Char]);
        assert_eq!(catalog.associated_type(&value, None, "Item"), Some(RustType::Char));
    }

    #[test]
    fn names_of_associated_types_have_parts() {
        assert_eq!(projection("S::Item"), Some(("S", None, "Item")));
        assert_eq!(projection("<S as Conv<u8>>::Out"), Some(("S", Some("Conv<u8>"), "Out")));
        assert_eq!((projection("S"), projection("impl std::fmt::Display")), (None, None));
    }
}
