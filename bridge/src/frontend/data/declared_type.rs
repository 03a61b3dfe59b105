//! Types of the user's source: looks at one layer at a time, and names them in messages.

use target_strategies::logic::ir::Pointer;

use crate::frontend::catalog::{Catalog, Length, RustType};

/// The outermost pointer of a type, and the type inside.
pub fn pointer(ty: &RustType) -> Option<(Pointer, &RustType)> {
    match ty {
        RustType::Box(inner) => Some((Pointer::Box, inner)),
        RustType::Rc(inner) => Some((Pointer::Rc, inner)),
        RustType::Arc(inner) => Some((Pointer::Arc, inner)),
        RustType::Cow(inner) => Some((Pointer::Cow, inner)),
        RustType::Ref { mutable: true, inner } => Some((Pointer::RefMut, inner)),
        RustType::Ref { mutable: false, inner } => Some((Pointer::Ref, inner)),
        _ => None,
    }
}

/// Whether values of a type are only used behind a pointer.
pub fn is_unsized(ty: &RustType) -> bool {
    match ty {
        RustType::Str | RustType::Slice(_) => true,
        RustType::Foreign(path, _) => path == "std::path::Path" || path == "std::ffi::OsStr",
        _ => false,
    }
}

/// Why a type of the source can't be used.
pub fn unsupported(catalog: &Catalog, ty: &RustType) -> String {
    match ty {
        RustType::Array(_, Length::Param(_) | Length::Unknown) => {
            format!("`{}` is not supported yet: its length is no literal", type_text(catalog, ty))
        }
        _ => format!("`{}` is not supported yet", type_text(catalog, ty)),
    }
}

/// A type of the source as Rust would write it.
pub fn type_text(catalog: &Catalog, ty: &RustType) -> String {
    let text = |ty: &RustType| type_text(catalog, ty);
    let list = |types: &[RustType]| types.iter().map(text).collect::<Vec<_>>().join(", ");
    let applied = |name: &str, args: &[RustType]| match args {
        [] => name.to_owned(),
        args => format!("{name}<{}>", list(args)),
    };
    match ty {
        RustType::Bool => "bool".to_owned(),
        RustType::Char => "char".to_owned(),
        RustType::Int(kind) => kind.name().to_owned(),
        RustType::Float(width) => format!("f{width}"),
        RustType::String => "String".to_owned(),
        RustType::Str => "str".to_owned(),
        RustType::Tuple(parts) => match parts.as_slice() {
            [only] => format!("({},)", text(only)),
            parts => format!("({})", list(parts)),
        },
        RustType::Array(inner, length) => format!("[{}; {length}]", text(inner)),
        RustType::Slice(inner) => format!("[{}]", text(inner)),
        RustType::Vec(inner) => format!("Vec<{}>", text(inner)),
        RustType::Deque(inner) | RustType::Set(inner, _) => {
            format!("{}<{}>", ty.name().unwrap_or("_"), text(inner))
        }
        RustType::Map(key, value, _) => {
            format!("{}<{}, {}>", ty.name().unwrap_or("_"), text(key), text(value))
        }
        RustType::Option(inner) => format!("Option<{}>", text(inner)),
        RustType::Result(ok, err) => format!("Result<{}, {}>", text(ok), text(err)),
        RustType::Box(inner) => format!("Box<{}>", text(inner)),
        RustType::Rc(inner) => format!("Rc<{}>", text(inner)),
        RustType::Arc(inner) => format!("Arc<{}>", text(inner)),
        RustType::Cow(inner) => format!("Cow<{}>", text(inner)),
        RustType::Ref { mutable: true, inner } => format!("&mut {}", text(inner)),
        RustType::Ref { mutable: false, inner } => format!("&{}", text(inner)),
        RustType::Item(id, args) => {
            let item = catalog.item(*id);
            let is_trait = if item.of_trait.is_some() { "dyn " } else { "" };
            format!("{is_trait}{}", applied(&item.path, args))
        }
        RustType::Param(name) => name.clone(),
        RustType::Function(function) => match &function.result {
            RustType::Tuple(parts) if parts.is_empty() => format!("fn({})", list(&function.params)),
            result => format!("fn({}) -> {}", list(&function.params), text(result)),
        },
        RustType::Foreign(name, args) => applied(name, args),
        RustType::Other(text) => text.clone(),
    }
}
