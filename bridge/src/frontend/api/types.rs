//! The types of a crate without type parameters: as a spec writes them, and as Rust code.

use std::collections::BTreeMap;

use crate::frontend::catalog::{Catalog, FnItem, RustType, default_instance, substitute};
use crate::frontend::declarations::is_shipped;
use target_strategies::logic::ir::IntKind;

use super::values::Values;

/// What type parameters stand for.
pub(super) type Args = BTreeMap<String, RustType>;

/// The types for a function's type parameters that are not known yet; the name of one that no type is known for
/// otherwise.
pub(super) fn with_defaults(item: &FnItem, mut args: Args) -> Result<Args, String> {
    for name in &item.generics {
        if !args.contains_key(name) {
            let instance = default_instance(item, name).and_then(of_default).ok_or_else(|| name.clone())?;
            args.insert(name.clone(), instance);
        }
    }
    Ok(args)
}

fn of_default(text: &str) -> Option<RustType> {
    Some(match text {
        "i64" => RustType::Int(IntKind::I64),
        "String" => RustType::String,
        "Vec<u8>" => RustType::Vec(Box::new(RustType::Int(IntKind::U8))),
        _ => return None,
    })
}

/// A type with type arguments in place of parameters.
pub(super) fn at(ty: &RustType, args: &Args) -> Result<RustType, String> {
    substitute(ty, args).ok_or_else(|| "its type is too large".to_owned())
}

/// Finds what the type parameters of `pattern` stand for in `ty`; returns whether it fits.
pub(super) fn unify(pattern: &RustType, ty: &RustType, args: &mut Args) -> bool {
    if let RustType::Param(name) = pattern {
        return match args.get(name) {
            Some(known) => known == ty,
            None => {
                args.insert(name.clone(), ty.clone());
                true
            }
        };
    }
    let same_kind = match (pattern, ty) {
        (RustType::Item(a, _), RustType::Item(b, _)) => a == b,
        (RustType::Foreign(a, _), RustType::Foreign(b, _)) => a == b,
        (RustType::Array(_, a), RustType::Array(_, b)) => a == b,
        (RustType::Ref { mutable: a, .. }, RustType::Ref { mutable: b, .. }) => a == b,
        (RustType::Set(_, a), RustType::Set(_, b)) => a == b,
        (RustType::Map(_, _, a), RustType::Map(_, _, b)) => a == b,
        _ if pattern.parts().is_empty() => return pattern == ty,
        _ => std::mem::discriminant(pattern) == std::mem::discriminant(ty),
    };
    let (parts, of_ty) = (pattern.parts(), ty.parts());
    same_kind && parts.len() == of_ty.len() && parts.iter().zip(of_ty).all(|(a, b)| unify(a, b, args))
}

/// A type as Rust code outside the crate; `None` if it can't be written.
pub(super) fn rust_text(ty: &RustType, catalog: &Catalog) -> Option<String> {
    let text = |ty: &RustType| rust_text(ty, catalog);
    let list = |types: &[RustType]| {
        types.iter().map(text).collect::<Option<Vec<_>>>().map(|texts| texts.join(", "))
    };
    let applied = |path: &str, args: &[RustType]| {
        Some(if args.is_empty() { path.to_owned() } else { format!("{path}<{}>", list(args)?) })
    };
    Some(match ty {
        RustType::Bool | RustType::Char | RustType::Int(_) | RustType::Float(_) => ty.name()?.to_owned(),
        RustType::String | RustType::Str => ty.name()?.to_owned(),
        RustType::Tuple(parts) if parts.len() == 1 => format!("({},)", list(parts)?),
        RustType::Tuple(parts) => format!("({})", list(parts)?),
        RustType::Array(element, Some(length)) => format!("[{}; {length}]", text(element)?),
        RustType::Slice(element) => format!("[{}]", text(element)?),
        RustType::Vec(inner) | RustType::Option(inner) | RustType::Box(inner) => {
            format!("{}<{}>", ty.name()?, text(inner)?)
        }
        RustType::Rc(inner) => format!("std::rc::Rc<{}>", text(inner)?),
        RustType::Arc(inner) => format!("std::sync::Arc<{}>", text(inner)?),
        RustType::Cow(inner) => format!("std::borrow::Cow<{}>", text(inner)?),
        RustType::Deque(inner) | RustType::Set(inner, _) => {
            format!("std::collections::{}<{}>", ty.name()?, text(inner)?)
        }
        RustType::Map(key, value, _) => {
            format!("std::collections::{}<{}, {}>", ty.name()?, text(key)?, text(value)?)
        }
        RustType::Result(ok, error) => format!("Result<{}, {}>", text(ok)?, text(error)?),
        RustType::Ref { mutable: true, inner } => format!("&mut {}", text(inner)?),
        RustType::Ref { mutable: false, inner } => format!("&{}", text(inner)?),
        RustType::Item(id, args) => applied(&catalog.outside_path(&catalog.item(*id).access.path), args)?,
        RustType::Foreign(path, args) => applied(path, args)?,
        RustType::Param(_) | RustType::Array(_, None) | RustType::Function | RustType::Other(_) => {
            return None;
        }
    })
}

impl Values<'_> {
    /// A type in a spec's syntax, or why it has none. The crate's own types are entries of the table `data`, whose
    /// numbers are added to `uses`.
    pub(super) fn spec_text(&mut self, ty: &RustType, uses: &mut Vec<usize>) -> Result<String, String> {
        let name = ty.name().unwrap_or_default().to_owned();
        Ok(match ty {
            RustType::Bool | RustType::Char | RustType::Int(_) | RustType::Float(_) => name,
            RustType::String | RustType::Str => name,
            RustType::Tuple(parts) => {
                let parts = self.all(parts, uses)?;
                let comma = if parts.len() == 1 { "," } else { "" };
                format!("({}{comma})", parts.join(", "))
            }
            RustType::Array(element, Some(length)) => format!("[{}; {length}]", self.spec_text(element, uses)?),
            RustType::Slice(element) => format!("[{}]", self.spec_text(element, uses)?),
            RustType::Vec(inner)
            | RustType::Deque(inner)
            | RustType::Set(inner, _)
            | RustType::Option(inner)
            | RustType::Box(inner)
            | RustType::Rc(inner)
            | RustType::Arc(inner)
            | RustType::Cow(inner) => format!("{name}<{}>", self.spec_text(inner, uses)?),
            RustType::Map(key, value, _) | RustType::Result(key, value) => {
                format!("{name}<{}, {}>", self.spec_text(key, uses)?, self.spec_text(value, uses)?)
            }
            RustType::Ref { mutable: false, inner } => format!("&{}", self.spec_text(inner, uses)?),
            RustType::Ref { mutable: true, .. } => return Err("it contains a `&mut`".to_owned()),
            RustType::Item(id, args) => {
                let entry = self.entry(*id, args)?;
                uses.push(entry);
                self.entries[entry].name.clone()
            }
            RustType::Foreign(path, args) if is_shipped(path) => {
                let args = self.all(args, uses)?;
                if args.is_empty() { path.clone() } else { format!("{path}<{}>", args.join(", ")) }
            }
            RustType::Foreign(path, _) => {
                return Err(format!("nothing is known that makes a `{path}`"));
            }
            RustType::Param(name) => return Err(format!("no type is known for `{name}`")),
            RustType::Function => return Err("functions as arguments are not supported".to_owned()),
            RustType::Array(_, None) => return Err("the length of an array is no literal".to_owned()),
            RustType::Other(text) => return Err(format!("nothing is known that makes a `{text}`")),
        })
    }

    fn all(&mut self, types: &[RustType], uses: &mut Vec<usize>) -> Result<Vec<String>, String> {
        types.iter().map(|ty| self.spec_text(ty, uses)).collect()
    }
}
