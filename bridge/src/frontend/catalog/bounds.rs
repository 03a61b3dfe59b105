//! The bounds of type parameters as texts without spaces: `Ord`, `AsRef<[u8]>`.

use quote::ToTokens;
use syn::{Generics, WherePredicate};

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

fn text(node: &impl ToTokens) -> String {
    node.to_token_stream().to_string().replace(' ', "")
}
