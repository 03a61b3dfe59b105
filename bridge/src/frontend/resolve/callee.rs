//! The function or closure that a spec is about, and whether the spec has its parameters.

use target_strategies::logic::value::Value;

use crate::frontend::catalog::{Catalog, Opening, RustType};
use crate::frontend::data::declared_type::type_text;
use crate::frontend::diagnostic::{Diagnostic, counted};
use crate::frontend::spec::ast::{Param, Signature};
use crate::frontend::subject::Call;

/// The called function and its declared types, as far as known.
#[derive(Clone, Debug)]
pub struct Callee {
    /// How Rust code calls it.
    pub call: Call,
    /// Its parameters' names and types.
    pub params: Vec<(String, Option<RustType>)>,
    /// The type of its result.
    pub result: Option<RustType>,
    /// Its type parameters, except those that the items of a list determine.
    pub generics: Vec<String>,
    /// The items to open for the call.
    pub openings: Vec<Opening>,
    /// The literals in its source.
    pub literals: Vec<Value>,
}

/// Whether the spec has the function's parameters; reports a mistake otherwise.
pub fn check_params(
    callee: &Callee,
    signature: &Signature,
    catalog: &Catalog,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let (declared, written) = (&callee.params, &signature.params);
    if let Some(repeated) = repeated(written) {
        let message = format!("two parameters are named `{}`", repeated.name.name);
        diagnostics.push(Diagnostic::error(repeated.name.span, message));
        return false;
    }
    let receiver = declared.first().filter(|(name, _)| name == "self");
    if let (None, Some(param)) = (receiver, written.iter().find(|param| param.name.name == "self")) {
        let message = "the function has no receiver `self`";
        diagnostics.push(Diagnostic::error(param.name.span, message).help(declaration(callee, catalog)));
        return false;
    }
    if declared.len() != written.len() {
        let message = format!(
            "the function has {}, the spec has {}",
            counted(declared.len(), "parameter"),
            written.len()
        );
        diagnostics.push(Diagnostic::error(signature.span, message).help(declaration(callee, catalog)));
        return false;
    }
    if receiver.is_some() && written.first().is_some_and(|param| param.name.name != "self") {
        let message = "the function's first parameter is its receiver, `self`";
        diagnostics.push(Diagnostic::error(written[0].name.span, message).help(declaration(callee, catalog)));
        return false;
    }
    warn_of_permutation(callee, signature, diagnostics);
    true
}

/// The first parameter with the name of one before it.
pub fn repeated<'p>(params: impl IntoIterator<Item = &'p Param>) -> Option<&'p Param> {
    let mut seen = std::collections::BTreeSet::new();
    params.into_iter().find(|param| !seen.insert(param.name.name.as_str()))
}

/// The spec may rename parameters, but the same names in another order are probably a mistake.
fn warn_of_permutation(callee: &Callee, signature: &Signature, diagnostics: &mut Vec<Diagnostic>) {
    let declared: Vec<&str> = callee.params.iter().map(|(name, _)| name.as_str()).collect();
    let written: Vec<&str> = signature.params.iter().map(|param| param.name.name.as_str()).collect();
    let sorted = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        names
    };
    if declared != written && sorted(&declared) == sorted(&written) {
        let moved = signature.params.iter().zip(&declared).find(|(param, name)| param.name.name != **name);
        if let Some((param, _)) = moved {
            let message = "the function has these parameters in another order";
            let help = format!("it declares ({}); arguments go by position", declared.join(", "));
            diagnostics.push(Diagnostic::warning(param.name.span, message).help(help));
        }
    }
}

fn declaration(callee: &Callee, catalog: &Catalog) -> String {
    let params: Vec<String> = callee
        .params
        .iter()
        .map(|(name, ty)| match ty {
            Some(ty) => format!("{name}: {}", type_text(catalog, ty)),
            None => name.clone(),
        })
        .collect();
    match &callee.result {
        Some(RustType::Tuple(parts)) if parts.is_empty() => {
            format!("it is declared as fn({})", params.join(", "))
        }
        Some(result) => {
            format!("it is declared as fn({}) -> {}", params.join(", "), type_text(catalog, result))
        }
        None => format!("it is declared as fn({})", params.join(", ")),
    }
}
