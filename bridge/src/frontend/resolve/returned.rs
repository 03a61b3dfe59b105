//! Functions that a function returns: they are called with arguments of their own.
//!
//! `fn(n: i32) -> fn(x: i32) -> {r: i32 | r == x + n}` is the spec of `|n, x| adder(n)(x)`: its inputs are those of both
//! functions, and its result is that of the last one. So all that is known of inputs and results serves here, too.

use target_strategies::logic::ir::CallbackKind;

use crate::frontend::catalog::{Catalog, RustType};
use crate::frontend::data::declared_type::{pointer, type_text};
use crate::frontend::diagnostic::{Diagnostic, Span, counted};
use crate::frontend::resolve::callee::{Callee, repeated};
use crate::frontend::spec::ast::{Signature, Type, TypeKind};

/// A spec in which calls of returned functions are part of the call.
pub struct Flattened {
    /// The signature over the parameters of all calls, with the last result.
    pub signature: Signature,
    /// The function with these parameters.
    pub callee: Option<Callee>,
    /// Number of arguments of each call of a returned function.
    pub returned: Vec<usize>,
}

/// A spec without functions as results.
pub fn flattened(
    signature: Signature,
    callee: Option<Callee>,
    catalog: &Catalog,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Flattened> {
    flat(signature, callee, catalog).map_err(|mistake| diagnostics.push(mistake)).ok()
}

/// The same, or what is wrong with a function in the result.
fn flat(
    mut signature: Signature,
    mut callee: Option<Callee>,
    catalog: &Catalog,
) -> Result<Flattened, Diagnostic> {
    let mut returned = Vec::new();
    while let Some((kind, inner)) = signature.result.as_ref().and_then(function) {
        let span = signature.result.as_ref().map_or(signature.span, |ty| ty.span);
        if kind == CallbackKind::Stateful {
            return Err(depends_on_calls(span));
        }
        let inner = inner.clone();
        if let Some(callee) = &mut callee {
            call(callee, &inner, span, catalog)?;
        }
        if signature.panics_if.is_some() && inner.panics_if.is_some() {
            return Err(Diagnostic::error(
                span,
                "`panics if` is in both types, and only one of them may have it",
            ));
        }
        returned.push(inner.params.len());
        signature.params.extend(inner.params);
        signature.requires.extend(inner.requires);
        signature.ensures.extend(inner.ensures);
        signature.panics_if = signature.panics_if.or(inner.panics_if);
        signature.result = inner.result;
    }
    if let Some(twice) = repeated(&signature.params).filter(|_| !returned.is_empty()) {
        let message = format!("two parameters are named `{}`", twice.name.name);
        return Err(Diagnostic::error(twice.name.span, message));
    }
    Ok(Flattened { signature, callee, returned })
}

/// The function that a result is, behind any pointers.
fn function(ty: &Type) -> Option<(CallbackKind, &Signature)> {
    match &ty.kind {
        TypeKind::Function(kind, signature) => Some((*kind, signature)),
        TypeKind::Ref { inner, .. } => function(inner),
        TypeKind::Path { path, generics, .. } => match (path.as_slice(), generics.as_slice()) {
            ([name], [inner]) if ["Box", "Rc", "Arc"].contains(&name.name.as_str()) => function(inner),
            _ => None,
        },
        TypeKind::Tuple(_)
        | TypeKind::Array(..)
        | TypeKind::Constant(_)
        | TypeKind::Slice(_)
        | TypeKind::Associated(..)
        | TypeKind::Refined { .. } => None,
    }
}

/// Adds the parameters of the function that another one returns.
fn call(callee: &mut Callee, written: &Signature, span: Span, catalog: &Catalog) -> Result<(), Diagnostic> {
    let mut declared = callee.result.as_ref();
    while let Some((_, inner)) = declared.and_then(pointer) {
        declared = Some(inner);
    }
    let function = match declared {
        None | Some(RustType::Other(_)) => None,
        Some(RustType::Function(function)) => Some(function),
        Some(other) => {
            let message = format!("the function returns `{}`, and no function", type_text(catalog, other));
            return Err(Diagnostic::error(span, message));
        }
    };
    if let Some(function) = function.filter(|function| function.params.len() != written.params.len()) {
        let declared = counted(function.params.len(), "parameter");
        let message = format!("the returned function has {declared}, the spec has {}", written.params.len());
        return Err(Diagnostic::error(span, message));
    }
    let declared = |index: usize| function.map(|function| function.params[index].clone());
    let params: Vec<_> = written
        .params
        .iter()
        .enumerate()
        .map(|(index, param)| (param.name.name.clone(), declared(index)))
        .collect();
    let result = function.map(|function| function.result.clone());
    callee.params.extend(params);
    callee.result = result;
    Ok(())
}

fn depends_on_calls(span: Span) -> Diagnostic {
    Diagnostic::error(span, "the results of a returned `FnMut` depend on the calls before").help(
        "let a `call` make these calls, so that the result is a list: \
         `call = \"|n: u8, xs: Vec<u8>| { let mut f = make(n); xs.into_iter().map(|x| f(x)).collect::<Vec<_>>() }\"`",
    )
}
