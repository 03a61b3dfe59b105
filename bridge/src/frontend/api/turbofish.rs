//! The type arguments that a call must write, because the parameters of the function don't say them.

use crate::frontend::catalog::{Catalog, FnItem, Length, RustType};

use super::types::{Args, rust_text};

/// The arguments of a function's own type parameters, as code, if its parameters don't say what they are. What the items of an
/// iterator are (`I: Iterator<Item = T>`), rustc finds out: `_`.
pub(super) fn turbofish(item: &FnItem, args: &Args, catalog: &Catalog) -> Option<String> {
    let of = item.path.rsplit_once("::").map_or("", |(of, _)| of);
    let of_generic = catalog.types.iter().any(|ty| ty.path == of && !ty.generics.is_empty());
    let own = || item.generics.iter().filter(|name| !name.starts_with("impl "));
    let is_said = |name: &String| item.params.iter().any(|param| mentions(&param.ty, name));
    if of_generic || own().all(is_said) {
        return None;
    }
    let are_items = |name: &String| item.bounds.iter().any(|(_, bound)| has_items(bound, name));
    let text = |name: &String| {
        if are_items(name) && !is_said(name) {
            return Some("_".to_owned());
        }
        rust_text(args.get(name)?, catalog)
    };
    let texts = own().map(text);
    Some(format!("::<{}>", texts.collect::<Option<Vec<_>>>()?.join(", ")))
}

/// Whether a bound says that a type parameter is that of items.
fn has_items(bound: &str, name: &str) -> bool {
    let mut after = bound.split("Item=").skip(1).filter_map(|rest| rest.strip_prefix(name));
    after.any(|rest| rest.starts_with(['>', ',']))
}

/// Whether a type parameter is in a type.
fn mentions(ty: &RustType, name: &str) -> bool {
    let is_it = match ty {
        RustType::Param(param) => param == name,
        RustType::Array(_, Length::Param(param)) => param == name,
        _ => false,
    };
    is_it || ty.parts().into_iter().any(|part| mentions(part, name))
}
