//! Type parameters, and their bounds: as texts without spaces, `Ord`, `AsRef<[u8]>`, and those by `Fn` and the like as types.

use quote::ToTokens;
use syn::{GenericParam, Generics, PathArguments, TypeParamBound, WherePredicate};

/// The bounds that a declaration has for the type parameters in scope. A bound of a type that only contains a parameter has that type before a colon:
/// `Vec<T>:Ord`.
pub(super) fn bounds(generics: &Generics, in_scope: &[String]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for param in generics.type_params() {
        found.extend(param.bounds.iter().map(|bound| (param.ident.to_string(), text(bound))));
    }
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    for predicate in predicates {
        let WherePredicate::Type(bounded) = predicate else { continue };
        let ty = bounded.bounded_ty.to_token_stream().to_string();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        for param in in_scope.iter().cloned() {
            let bounds = bounded.bounds.iter().map(text);
            if ty == param {
                found.extend(bounds.map(|bound| (param.clone(), bound)));
            } else if ty.split(|c| !is_part(c)).any(|word| word == param) {
                found.extend(bounds.map(|bound| (param.clone(), format!("{ty}:{bound}"))));
            }
        }
    }
    found
}

/// The names of the type parameters and the constant parameters, in order.
pub(super) fn parameters(generics: &Generics) -> impl Iterator<Item = String> {
    generics.params.iter().filter_map(|param| match param {
        GenericParam::Lifetime(_) => None,
        GenericParam::Const(param) => Some(param.ident.to_string()),
        GenericParam::Type(param) => Some(param.ident.to_string()),
    })
}

/// The bound by `Fn` or the like that a predicate puts on a type parameter.
pub(super) fn bound_of<'p>(
    param: &syn::Ident,
    predicate: &'p WherePredicate,
) -> Option<&'p syn::ParenthesizedGenericArguments> {
    let WherePredicate::Type(bounded) = predicate else { return None };
    let is_its = matches!(&bounded.bounded_ty, syn::Type::Path(path) if path.path.is_ident(param));
    if is_its { function_of(&bounded.bounds) } else { None }
}

/// The parameters and the result in a bound by `Fn` or the like.
pub(super) fn function_of<'b>(
    bounds: impl IntoIterator<Item = &'b TypeParamBound>,
) -> Option<&'b syn::ParenthesizedGenericArguments> {
    bounds.into_iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let segment = bound.path.segments.last()?;
        match &segment.arguments {
            PathArguments::Parenthesized(of)
                if ["Fn", "FnMut", "FnOnce"].iter().any(|name| segment.ident == name) =>
            {
                Some(of)
            }
            _ => None,
        }
    })
}

fn text(node: &impl ToTokens) -> String {
    node.to_token_stream().to_string().replace(' ', "")
}
