//! Functions that a function returns: they are called with arguments of their own.
//!
//! `fn(n: i32) -> fn(x: i32) -> {r: i32 | r == x + n}` is the spec of `|n, x| adder(n)(x)`: its inputs are those of both
//! functions, and its result is that of the last one. So all that is known of inputs and results serves here, too.
//!
//! Functions in an `Option`, a `Result` or a `Vec` are all called with the same arguments: `fn(n: i32) -> Option<fn(x: i32) -> i32>`
//! is the spec of `|n, x| f(n).map(|f| f(x))`, whose result is an `Option<i32>`.

use std::ops::Range;

use target_strategies::logic::ir::{CallbackKind, Clause, mentions};

use crate::frontend::catalog::{Catalog, RustType};
use crate::frontend::data::declared_type::{pointer, type_text};
use crate::frontend::diagnostic::{Diagnostic, Span, counted};
use crate::frontend::resolve::callee::{Callee, repeated};
use crate::frontend::spec::ast::{Signature, Type, TypeKind};
use crate::frontend::subject::{Container, ReturnedCall, Subject};

/// A spec in which calls of returned functions are part of the call.
pub struct Flattened {
    /// The signature over the parameters of all calls, with the last result.
    pub signature: Signature,
    /// The function with these parameters.
    pub callee: Option<Callee>,
    /// The calls of returned functions.
    pub returned: Vec<ReturnedCall>,
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
    while let Some(ty) = signature.result.take() {
        let mut result = ty.clone();
        let Some((container, place)) = contained(&mut result) else {
            signature.result = Some(ty);
            break;
        };
        let span = place.span;
        let Some((kind, inner)) = function(place) else {
            signature.result = Some(ty);
            break;
        };
        if kind == CallbackKind::Stateful {
            return Err(depends_on_calls(span));
        }
        let inner = inner.clone();
        if container != Container::Nothing && !(inner.ensures.is_empty() && inner.panics_if.is_none()) {
            let message = "`ensures` and `panics if` can't be about a function inside of a result";
            let help =
                "write a condition on its result as a refinement: `Option<fn(x: u8) -> {r: u8 | r >= x}>`";
            return Err(Diagnostic::error(span, message).help(help));
        }
        if container == Container::Vec
            && let Some(param) = inner.params.iter().find(|param| is_mut(&param.ty))
        {
            let message = "the functions in a `Vec` of the result would share this `&mut` argument";
            let help = "let a `call` call them: `call = \"|n, x| make(n).into_iter().map(|f| f(&mut x.clone())).collect::<Vec<_>>()\"`";
            return Err(Diagnostic::error(param.ty.span, message).help(help));
        }
        if let Some(callee) = &mut callee {
            call(callee, &inner, (span, container), catalog)?;
        }
        if signature.panics_if.is_some() && inner.panics_if.is_some() {
            return Err(Diagnostic::error(
                span,
                "`panics if` is in both types, and only one of them may have it",
            ));
        }
        returned.push(ReturnedCall { n_args: inner.params.len(), container });
        signature.params.extend(inner.params);
        signature.requires.extend(inner.requires);
        signature.ensures.extend(inner.ensures);
        signature.panics_if = signature.panics_if.or(inner.panics_if);
        let unit = || Type { kind: TypeKind::Tuple(Vec::new()), span };
        signature.result = match container {
            Container::Nothing => inner.result,
            Container::Maybe | Container::Vec => {
                *place = inner.result.unwrap_or_else(unit);
                Some(result)
            }
        };
    }
    if let Some(twice) = repeated(&signature.params).filter(|_| !returned.is_empty()) {
        let message = format!("two parameters are named `{}`", twice.name.name);
        return Err(Diagnostic::error(twice.name.span, message));
    }
    Ok(Flattened { signature, callee, returned })
}

/// What a result contains, and where: itself, if it isn't an `Option`, a `Result` or a list.
fn contained(ty: &mut Type) -> Option<(Container, &mut Type)> {
    let container = match &ty.kind {
        TypeKind::Refined { base, .. } if container(base) == Container::Nothing => return None,
        TypeKind::Refined { base, .. } => container(base),
        TypeKind::Path { .. } | TypeKind::Function(..) | TypeKind::Ref { .. } => container(ty),
        TypeKind::Tuple(_)
        | TypeKind::Array(..)
        | TypeKind::Constant(_)
        | TypeKind::Slice(_)
        | TypeKind::Associated(..) => return None,
    };
    if container == Container::Nothing {
        return Some((container, ty));
    }
    let list = match &mut ty.kind {
        TypeKind::Refined { base, .. } => &mut base.kind,
        kind => kind,
    };
    let TypeKind::Path { generics, .. } = list else { return None };
    Some((container, generics.first_mut()?))
}

/// What a type as written is to the functions inside.
fn container(ty: &Type) -> Container {
    let TypeKind::Path { path, generics, .. } = &ty.kind else { return Container::Nothing };
    let [name] = path.as_slice() else { return Container::Nothing };
    match (&*name.name, generics.len()) {
        ("Option", 1) | ("Result", 2) => Container::Maybe,
        ("Vec", 1) => Container::Vec,
        _ => Container::Nothing,
    }
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
fn call(
    callee: &mut Callee,
    written: &Signature,
    (span, container): (Span, Container),
    catalog: &Catalog,
) -> Result<(), Diagnostic> {
    let mut result = callee.result.take();
    let place = match (container, &mut result) {
        (Container::Nothing, result) => result.as_mut(),
        (Container::Maybe, Some(RustType::Option(inner) | RustType::Result(inner, _)))
        | (Container::Vec, Some(RustType::Vec(inner))) => Some(&mut **inner),
        (Container::Maybe | Container::Vec, None | Some(RustType::Other(_))) => None,
        (Container::Maybe | Container::Vec, Some(other)) => {
            let message = format!("the function returns `{}`", type_text(catalog, other));
            return Err(Diagnostic::error(span, message));
        }
    };
    let mut declared = place.as_deref();
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
    let of_function = function.map(|function| function.result.clone());
    callee.params.extend(params);
    callee.result = match (place, of_function) {
        (Some(place), Some(of_function)) => {
            *place = of_function;
            result
        }
        (Some(_) | None, _) => None,
    };
    Ok(())
}

/// Whether no condition relates arguments of functions in a container to arguments before; each that does is a mistake. There may be no such
/// function, and the call before must be tried all the same, also where these arguments could have no value.
pub fn contained_are_independent(subject: &Subject, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let (spec, first) = (&subject.spec, subject.first_contained());
    let (before, inside) = (0..first as u32, first as u32..spec.params.len() as u32);
    let reads = |clause: &Clause, slots: &Range<u32>| slots.clone().any(|slot| mentions(&clause.term, slot));
    let mut clauses = Vec::new();
    spec.params[first..].iter().for_each(|param| param.refined.clauses_inside(&mut clauses));
    let required = spec.requires.iter().filter(|clause| reads(clause, &inside));
    let n_before = diagnostics.len();
    for clause in clauses.into_iter().chain(required).filter(|clause| reads(clause, &before)) {
        let message = "the arguments of a function inside of a result can't depend on those before";
        let help = "there may be no such function; let a `call` call it: `call = \"|n, x| make(n).map(|f| f(x % n))\"`";
        diagnostics.push(Diagnostic::error(subject.clause_spans[clause.id as usize], message).help(help));
    }
    diagnostics.len() == n_before
}

/// Whether a type is a mutable reference.
fn is_mut(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Ref { mutable, .. } => *mutable,
        TypeKind::Refined { base, .. } => is_mut(base),
        TypeKind::Path { .. } | TypeKind::Function(..) | TypeKind::Tuple(_) | TypeKind::Array(..) => false,
        TypeKind::Constant(_) | TypeKind::Slice(_) | TypeKind::Associated(..) => false,
    }
}

fn depends_on_calls(span: Span) -> Diagnostic {
    Diagnostic::error(span, "the results of a returned `FnMut` depend on the calls before").help(
        "let a `call` make these calls, so that the result is a list: \
         `call = \"|n: u8, xs: Vec<u8>| { let mut f = make(n); xs.into_iter().map(|x| f(x)).collect::<Vec<_>>() }\"`",
    )
}
