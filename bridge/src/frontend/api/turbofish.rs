//! The type arguments that a call must write, because the parameters of the function don't say them.

use crate::frontend::catalog::{Catalog, FnItem, Length, RustType};

use super::types::{Args, rust_text};

/// The arguments of a function's own type parameters, as code, if its parameters don't say what they are.
pub(super) fn turbofish(item: &FnItem, args: &Args, catalog: &Catalog) -> Option<String> {
    let of = item.path.rsplit_once("::").map_or("", |(of, _)| of);
    let of_generic = catalog.types.iter().any(|ty| ty.path == of && !ty.generics.is_empty());
    let own = || item.generics.iter().filter(|name| !name.starts_with("impl "));
    if of_generic || own().all(|name| is_said(item, name)) {
        return None;
    }
    let text = |name: &String| {
        if is_inferred(item, name) { Some("_".to_owned()) } else { rust_text(args.get(name)?, catalog) }
    };
    let texts = own().map(text);
    Some(format!("::<{}>", texts.collect::<Option<Vec<_>>>()?.join(", ")))
}

/// Whether the type of the result has a type parameter that rustc infers, so that it can't be written.
pub(super) fn has_inferred_result(item: &FnItem) -> bool {
    item.generics.iter().any(|name| is_inferred(item, name) && mentions(&item.result, name))
}

/// Whether rustc infers a type parameter: `T` of `&'a I: IntoIterator<Item = T>` is a reference for most lists.
fn is_inferred(item: &FnItem, name: &str) -> bool {
    item.is_item_type(name) && !is_said(item, name)
}

/// Whether a parameter of the function says what a type parameter is.
fn is_said(item: &FnItem, name: &str) -> bool {
    item.params.iter().any(|param| mentions(&param.ty, name))
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
