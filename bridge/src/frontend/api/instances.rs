//! The instances of generic functions: what the type parameters and the constant parameters of a function stand for.
//!
//! The first instance is the one that most functions have: see [`super::types`]. Up to two further ones behave differently. A
//! type without bounds, or with common ones, is also a `String` and `()`; where values are compared or computed with, an
//! `f64`, as it allows. Where a trait of the crate bounds it, it is also each of the next types that implement it. A number is
//! also 1 and 0, and `true` is also `false`. All parameters of a function change together, so there are no more instances than
//! those of the parameter with the most. A parameter that another one's bounds name stays as it is.
//!
//! A further type is taken only if the source shows that it has each of the parameter's own bounds. Calls may still not
//! compile, because of other bounds in the signature, or what the crate asserts at compile time: these are given up.
//!
//! Source: *Irulan*, section 3.4.

use crate::frontend::catalog::{
    Catalog, ConstantKind, FnItem, Length, RustType, further_instances, is_in_bounds_of_others, lacks_bounds,
};

use super::types::{Args, each_bound, implementors, of_known, rust_text, unify, with_guesses};

/// Maximum number of further instances of a function.
const MOST: usize = 2;

/// The numbers that constant parameters stand for in further instances.
const NUMBERS: [u32; 2] = [1, 0];

/// The instances of a function beyond the first one, which is given.
pub(super) fn further(item: &FnItem, first: &Args, catalog: &Catalog) -> Vec<Args> {
    let choices: Vec<(&String, Vec<RustType>)> = item
        .generics
        .iter()
        .map(|name| (name, others(item, name, first.get(name), catalog)))
        .filter(|(_, others)| !others.is_empty())
        .collect();
    let n_instances = choices.iter().map(|(_, others)| others.len()).max().unwrap_or_default();
    let instance = |number: usize| {
        let chosen = choices.iter().map(|(name, others)| {
            let ty = others.get(number).or(others.last()).expect("some are there");
            ((*name).clone(), ty.clone())
        });
        with_guesses(item, chosen.collect(), catalog)
    };
    (0..n_instances).map(instance).collect()
}

/// Whether what stands for a parameter is the number 0.
pub(super) fn is_zero(ty: &RustType) -> bool {
    *ty == Length::Known(0).argument()
}

/// What else a parameter may stand for.
fn others(item: &FnItem, name: &str, first: Option<&RustType>, catalog: &Catalog) -> Vec<RustType> {
    if is_in_bounds_of_others(item, name) {
        return Vec::new();
    }
    let all: Vec<RustType> = match item.constant(name) {
        Some(ConstantKind::Number) => NUMBERS.map(|number| Length::Known(number).argument()).into(),
        Some(ConstantKind::Bool) => ["true", "false"].map(|text| RustType::Other(text.to_owned())).into(),
        Some(ConstantKind::Char) => Vec::new(),
        None => {
            let known = further_instances(item, name).into_iter().map(of_known);
            let own = implementors(item, name, catalog).into_iter();
            known.chain(own.filter(|ty| has_all(item, name, ty, catalog))).collect()
        }
    };
    all.into_iter().filter(|ty| Some(ty) != first).take(MOST).collect()
}

/// The key of a further instance of a function: the key of the first with the `changed` parameters.
pub(super) fn key(
    first: &str,
    function: &FnItem,
    changed: &[&String],
    args: &Args,
    catalog: &Catalog,
) -> String {
    let shown = |name: &&&String| {
        // A type without a name of its own is that of a parameter of the function.
        let is_its = |ty: &RustType| matches!(ty, RustType::Param(of) if of == **name);
        let is_behind = |ty: &RustType| is_its(ty) || ty.parts().into_iter().any(is_its);
        let mut params = function.params.iter().filter(|_| name.starts_with("impl "));
        let named = params.find(|param| is_behind(&param.ty)).map(|param| param.name.as_str());
        Some(format!("{} = {}", named.unwrap_or(name), short(&catalog.shown(args.get(**name)?))))
    };
    format!("{first} [{}]", changed.iter().filter_map(|name| shown(&name)).collect::<Vec<_>>().join(", "))
}

/// A type with the last names only of paths of the standard library.
fn short(ty: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut text = String::new();
    let mut rest = ty;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (path, after) = rest.split_at(end);
        let is_standard = ["std::", "core::", "alloc::"].iter().any(|start| path.starts_with(start));
        text += if is_standard { path.rsplit("::").next().unwrap_or(path) } else { path };
        let n_between = after.find(is_part).unwrap_or(after.len());
        text += &after[..n_between];
        rest = &after[n_between..];
    }
    text
}

/// Whether the source shows that a type has all traits that bound a parameter.
fn has_all(item: &FnItem, name: &str, ty: &RustType, catalog: &Catalog) -> bool {
    const ALWAYS: [&str; 6] = ["Send", "Sync", "Sized", "?Sized", "Unpin", "'static"];
    let (mut derives, mut args): (&[String], &[RustType]) = (&[], &[]);
    if let RustType::Item(id, own) = ty {
        (derives, args) = (&catalog.item(*id).derives, own);
    }
    // What is derived asks the same of the type's arguments.
    let is_simple = args.iter().all(|arg| matches!(arg, RustType::Int(_)));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_free = |bound: &str| {
        let mut words = bound.split(|c| !is_part(c));
        words.any(|word| item.generics.iter().any(|name| name == word))
    };
    each_bound(item, name).all(|bound| {
        let bound: String = bound.split_whitespace().collect();
        ALWAYS.contains(&bound.as_str())
            || is_simple && derives.iter().any(|derived| *derived == last(&bound))
            // Parameters stand for something else where a trait is implemented.
            || !is_free(&bound) && is_implemented(&bound, ty, catalog)
    })
}

/// Whether the source implements a trait of the crate for a type. A bound that names associated types is not looked into,
/// and no trait if there are several of its name.
fn is_implemented(bound: &str, ty: &RustType, catalog: &Catalog) -> bool {
    let of_name = |function: &FnItem| {
        let (_, rest) = function.public_path.as_deref()?.strip_prefix('<')?.split_once(" as crate::")?;
        let of_trait: String = rest.rsplit_once(">::")?.0.split_whitespace().collect();
        (last(start(&of_trait)) == last(start(bound))).then_some(of_trait)
    };
    let implemented = catalog.functions.iter().filter_map(|item| Some((item, of_name(item)?)));
    let (functions, traits): (Vec<&FnItem>, Vec<String>) = implemented.unzip();
    let is_one = traits.iter().all(|path| start(path) == start(&traits[0]));
    let is_for = |function: &FnItem, of_trait: &str| {
        let receiver = function.params.first().filter(|param| param.name == "self");
        let of_type = receiver.map(|receiver| match &receiver.ty {
            RustType::Ref { inner, .. } => inner.as_ref(),
            ty => ty,
        });
        let mut args = Args::new();
        of_trait[start(of_trait).len()..] == bound[start(bound).len()..]
            && of_type.is_some_and(|of_type| unify(of_type, ty, &mut args))
            // Bounds of the implementation are not looked into.
            && (args.is_empty() || function.bounds.is_empty())
    };
    is_one && !bound.contains('=') && functions.iter().zip(&traits).any(|(item, of)| is_for(item, of))
}

/// Whether some type is known not to have the bounds of the parameter that it stands for.
pub(super) fn lacks(item: &FnItem, args: &Args, catalog: &Catalog) -> bool {
    args.iter().any(|(name, ty)| rust_text(ty, catalog).is_some_and(|text| lacks_bounds(item, name, &text)))
}

/// Whether types of other crates that stand for a function's type parameters have the traits of the crate that it asks for.
/// Of a trait of which the source shows no implementor, macros may write them.
pub(super) fn has_bounds(item: &FnItem, args: &Args, catalog: &Catalog) -> bool {
    item.bounds.iter().all(|(param, bound)| {
        let Some(ty) = args.get(param).filter(|ty| !matches!(ty, RustType::Item(..))) else { return true };
        let Some(of) = bound.split('<').next().and_then(|path| path.rsplit("::").next()) else { return true };
        let known = implemented(of, catalog);
        let text = rust_text(ty, catalog).unwrap_or_default();
        known.is_empty() || known.iter().any(|known| *known == "_" || *known == start(&text))
    })
}

/// The types for which the source implements a trait of the crate, without their type arguments.
fn implemented<'c>(of: &str, catalog: &'c Catalog) -> Vec<&'c str> {
    let paths = catalog.functions.iter().filter_map(|function| function.public_path.as_deref());
    let implemented = paths.filter_map(|path| path.strip_prefix('<')?.split_once(" as crate::"));
    let of_trait = implemented.filter(|(_, path)| {
        let path = path.rsplit_once(">::").map_or(*path, |(path, _)| path);
        start(path).rsplit("::").next() == Some(of)
    });
    of_trait.map(|(ty, _)| start(ty)).collect()
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// A path without type arguments.
fn start(path: &str) -> &str {
    path.split('<').next().unwrap_or_default()
}
