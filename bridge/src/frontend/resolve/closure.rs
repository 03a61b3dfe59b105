//! The closure of a `call`: its parameters and the types that it declares, as far as they can be resolved.

use target_strategies::logic::ir::IntKind;

use crate::frontend::catalog::foreign::{self, collection};
use crate::frontend::catalog::{Catalog, FunctionType, Length, RustType, TypeLookup, substitute};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::manifest::SpannedText;
use crate::frontend::resolve::callee::Callee;
use crate::frontend::resolve::mentioned;
use crate::frontend::subject::Call;

/// Maximum length, in bytes, of code that is parsed, so that no text can exhaust the stack.
const MAX_LENGTH: usize = 4_000;
const MAX_BRACKETS: usize = 64;

/// The closure in the text of a `call`.
pub fn callee(text: &SpannedText, catalog: &Catalog, diagnostics: &mut Vec<Diagnostic>) -> Option<Callee> {
    if text.text.len() > MAX_LENGTH || nesting(&text.text) > MAX_BRACKETS {
        diagnostics.push(Diagnostic::error(text.whole(), "the closure is too long or nests too deeply"));
        return None;
    }
    let closure: syn::ExprClosure = match syn::parse_str(&text.text) {
        Ok(closure) => closure,
        Err(error) => {
            let message = format!("`call` is not a closure: {error}");
            let help = "write one such as `|x: i64| x + 1`; it is compiled in the scope of the crate's root";
            diagnostics.push(Diagnostic::error(text.whole(), message).help(help));
            return None;
        }
    };
    let params = closure.inputs.iter().map(|pat| parameter(pat, catalog)).collect();
    let result = match &closure.output {
        syn::ReturnType::Type(_, ty) => known(rust_type(ty, catalog)),
        syn::ReturnType::Default => None,
    };
    let openings = mentioned::openings(&text.text, catalog);
    let call = Call::Closure { text: text.text.clone(), span: text.whole() };
    let literals = catalog.literals_in(&text.text);
    Some(Callee { call, params, result, generics: Vec::new(), openings, literals })
}

/// An upper bound for the nesting depth of brackets, closures and prefix operators.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest, mut prefixes) = (0usize, 0usize, 0usize);
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' | '|' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            '!' | '-' | '*' | '&' => prefixes += 1,
            c if c.is_whitespace() => {}
            _ => prefixes = 0,
        }
        deepest = deepest.max(depth).max(prefixes);
    }
    deepest
}

fn parameter(pat: &syn::Pat, catalog: &Catalog) -> (String, Option<RustType>) {
    match pat {
        syn::Pat::Type(typed) => {
            let (name, _) = parameter(&typed.pat, catalog);
            (name, known(rust_type(&typed.ty, catalog)))
        }
        syn::Pat::Ident(ident) => (ident.ident.to_string(), None),
        _ => ("_".to_owned(), None),
    }
}

/// The type, unless it is `_`, which leaves the type to the spec.
fn known(ty: RustType) -> Option<RustType> {
    if ty == RustType::Other("_".to_owned()) { None } else { Some(ty) }
}

/// The type that a text of Rust means, as far as it is understood; `None` if it is no type.
pub fn type_of_text(text: &str, catalog: &Catalog) -> Option<RustType> {
    (text.len() <= MAX_LENGTH && nesting(text) <= MAX_BRACKETS).then_some(())?;
    Some(rust_type(&syn::parse_str(text).ok()?, catalog))
}

fn rust_type(ty: &syn::Type, catalog: &Catalog) -> RustType {
    understood(ty, catalog).unwrap_or_else(|| RustType::Other("_".to_owned()))
}

fn understood(ty: &syn::Type, catalog: &Catalog) -> Option<RustType> {
    let boxed = |ty: &syn::Type| Box::new(rust_type(ty, catalog));
    Some(match ty {
        syn::Type::Paren(inner) => rust_type(&inner.elem, catalog),
        syn::Type::Group(inner) => rust_type(&inner.elem, catalog),
        syn::Type::Reference(reference) => {
            RustType::Ref { mutable: reference.mutability.is_some(), inner: boxed(&reference.elem) }
        }
        syn::Type::Slice(slice) => RustType::Slice(boxed(&slice.elem)),
        syn::Type::Array(array) => RustType::Array(boxed(&array.elem), length(&array.len)),
        syn::Type::Tuple(tuple) => {
            RustType::Tuple(tuple.elems.iter().map(|part| rust_type(part, catalog)).collect())
        }
        syn::Type::BareFn(function) => RustType::Function(Box::new(FunctionType {
            params: function.inputs.iter().map(|param| rust_type(&param.ty, catalog)).collect(),
            result: match &function.output {
                syn::ReturnType::Default => RustType::Tuple(Vec::new()),
                syn::ReturnType::Type(_, ty) => rust_type(ty, catalog),
            },
            is_pointer: true,
        })),
        syn::Type::Infer(_) => RustType::Other("_".to_owned()),
        syn::Type::Path(path) if path.qself.is_none() => named(&path.path, catalog),
        syn::Type::TraitObject(object) => {
            return object.bounds.iter().find_map(|bound| of_bound(bound, catalog));
        }
        // The spec says what it is, and rustc whether that is so.
        _ => return None,
    })
}

/// A trait of the crate, or a function, of which a `dyn` is.
fn of_bound(bound: &syn::TypeParamBound, catalog: &Catalog) -> Option<RustType> {
    let syn::TypeParamBound::Trait(bound) = bound else { return None };
    match &bound.path.segments.last()?.arguments {
        syn::PathArguments::Parenthesized(of) => Some(RustType::Function(Box::new(FunctionType {
            params: of.inputs.iter().map(|ty| rust_type(ty, catalog)).collect(),
            result: match &of.output {
                syn::ReturnType::Default => RustType::Tuple(Vec::new()),
                syn::ReturnType::Type(_, ty) => rust_type(ty, catalog),
            },
            is_pointer: false,
        }))),
        _ => match named(&bound.path, catalog) {
            RustType::Item(id, args) => Some(RustType::Item(id, args)),
            _ => None,
        },
    }
}

fn length(len: &syn::Expr) -> Length {
    match len {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => {
            n.base10_parse().map_or(Length::Unknown, Length::Known)
        }
        _ => Length::Unknown,
    }
}

fn named(path: &syn::Path, catalog: &Catalog) -> RustType {
    let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = segments.iter().map(String::as_str).collect();
    let args: Vec<RustType> = match path.segments.last().map(|segment| &segment.arguments) {
        Some(syn::PathArguments::AngleBracketed(args)) => args
            .args
            .iter()
            .filter_map(|arg| match arg {
                syn::GenericArgument::Type(ty) => Some(rust_type(ty, catalog)),
                syn::GenericArgument::Const(number) => Some(length(number).argument()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    if let Some(path) = catalog.std_path(&names)
        && let Some((params, body)) = foreign::alias(&path)
        && params.len() == args.len()
    {
        return substitute(&body, &params.into_iter().zip(args).collect()).unwrap_or(body);
    }
    let of_rust = names.len() == 1 || matches!(names[0], "std" | "core" | "alloc");
    match catalog.type_(&names) {
        TypeLookup::Found(id) => RustType::Item(id, args),
        TypeLookup::Alias([], body) => body.clone(),
        _ if of_rust => of_std(names.last().copied().unwrap_or_default(), &args)
            .unwrap_or_else(|| RustType::Foreign(names.join("::"), args)),
        _ => RustType::Foreign(names.join("::"), args),
    }
}

fn of_std(name: &str, args: &[RustType]) -> Option<RustType> {
    let boxed = |ty: &RustType| Box::new(ty.clone());
    Some(match (name, args) {
        ("bool", []) => RustType::Bool,
        ("char", []) => RustType::Char,
        ("f32", []) => RustType::Float(32),
        ("f64", []) => RustType::Float(64),
        ("String", []) => RustType::String,
        ("str", []) => RustType::Str,
        ("Vec", [element]) => RustType::Vec(boxed(element)),
        ("VecDeque" | "BTreeSet" | "HashSet" | "BTreeMap" | "HashMap", _) => collection(name, args)?,
        ("Option", [element]) => RustType::Option(boxed(element)),
        ("Result", [ok, err]) => RustType::Result(boxed(ok), boxed(err)),
        ("Box", [inner]) => RustType::Box(boxed(inner)),
        ("Rc", [inner]) => RustType::Rc(boxed(inner)),
        ("Arc", [inner]) => RustType::Arc(boxed(inner)),
        ("Cow", [inner]) => RustType::Cow(boxed(inner)),
        (name, []) => RustType::Int(IntKind::from_name(name)?),
        _ => return None,
    })
}
