//! Finds what a written path means among the crate's items, and says of a type of the source what it is called.

use target_strategies::ir::Pointer;

use crate::catalog::{Catalog, RustType, TypeId};

/// What a path may turn out to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Found<T> {
    /// Exactly one item.
    One(T),
    /// Several: where they are defined.
    Ambiguous(Vec<String>),
    /// None.
    Nothing,
}

/// The struct or enum that a path names, from the crate's root or by its last segments.
pub fn find_type(catalog: &Catalog, path: &[&str]) -> Found<TypeId> {
    let wanted = from_root(catalog, path).join("::");
    let exact = catalog
        .types
        .iter()
        .position(|item| item.public_path.as_deref() == Some(&wanted))
        .or_else(|| catalog.types.iter().position(|item| item.path == wanted));
    if let Some(index) = exact {
        return Found::One(TypeId(index as u32));
    }
    let ending = format!("::{wanted}");
    let by_ending: Vec<usize> = (0..catalog.types.len())
        .filter(|&index| {
            let item = &catalog.types[index];
            item.path.ends_with(&ending)
                || item.public_path.as_ref().is_some_and(|path| path.ends_with(&ending))
        })
        .collect();
    match by_ending.as_slice() {
        [] => Found::Nothing,
        [index] => Found::One(TypeId(*index as u32)),
        several => {
            // A public type of that name is what the user sees of the crate.
            let public: Vec<usize> =
                several.iter().copied().filter(|&index| catalog.types[index].public_path.is_some()).collect();
            match public.as_slice() {
                [index] => Found::One(TypeId(*index as u32)),
                _ => {
                    Found::Ambiguous(several.iter().map(|&index| catalog.types[index].path.clone()).collect())
                }
            }
        }
    }
}

/// The constructor that a path names: `Tree::Node`, or `Point` for a struct.
pub fn constructor(catalog: &Catalog, path: &[&str]) -> Option<(TypeId, u32)> {
    if let Found::One(id) = find_type(catalog, path)
        && !catalog.types[id.0 as usize].is_enum
    {
        return Some((id, 0));
    }
    let (last, of) = path.split_last()?;
    if of.is_empty() {
        return None;
    }
    let Found::One(id) = find_type(catalog, of) else { return None };
    let item = &catalog.types[id.0 as usize];
    let ctor = item.ctors.iter().position(|ctor| ctor.name == *last)?;
    item.is_enum.then_some((id, ctor as u32))
}

/// A path without a leading `crate`, `self` or the crate's own name.
pub fn from_root<'a, 'p>(catalog: &Catalog, path: &'a [&'p str]) -> &'a [&'p str] {
    match path.split_first() {
        Some((first, rest)) if !rest.is_empty() && is_root(catalog, first) => rest,
        _ => path,
    }
}

fn is_root(catalog: &Catalog, segment: &str) -> bool {
    segment == "crate" || segment == "self" || segment == catalog.crate_name
}

/// The outermost pointer of a type, and what is behind it.
pub fn pointer(ty: &RustType) -> Option<(Pointer, &RustType)> {
    match ty {
        RustType::Box(inner) => Some((Pointer::Box, inner)),
        RustType::Rc(inner) => Some((Pointer::Rc, inner)),
        RustType::Arc(inner) => Some((Pointer::Arc, inner)),
        RustType::Ref { mutable: true, inner } => Some((Pointer::RefMut, inner)),
        RustType::Ref { mutable: false, inner } => Some((Pointer::Ref, inner)),
        _ => None,
    }
}

/// Why a type of the source can't be used.
pub fn unsupported(catalog: &Catalog, ty: &RustType) -> String {
    match ty {
        RustType::Function => "functions as arguments are not supported yet".to_owned(),
        RustType::Array(_, None) => {
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
        RustType::Array(inner, Some(n)) => format!("[{}; {n}]", text(inner)),
        RustType::Array(inner, None) => format!("[{}; _]", text(inner)),
        RustType::Slice(inner) => format!("[{}]", text(inner)),
        RustType::Vec(inner) => format!("Vec<{}>", text(inner)),
        RustType::Option(inner) => format!("Option<{}>", text(inner)),
        RustType::Result(ok, err) => format!("Result<{}, {}>", text(ok), text(err)),
        RustType::Box(inner) => format!("Box<{}>", text(inner)),
        RustType::Rc(inner) => format!("Rc<{}>", text(inner)),
        RustType::Arc(inner) => format!("Arc<{}>", text(inner)),
        RustType::Ref { mutable: true, inner } => format!("&mut {}", text(inner)),
        RustType::Ref { mutable: false, inner } => format!("&{}", text(inner)),
        RustType::Item(id, args) => applied(&catalog.types[id.0 as usize].path, args),
        RustType::Param(name) => name.clone(),
        RustType::Function => "a function".to_owned(),
        RustType::Foreign(name, args) => applied(name, args),
        RustType::Other(text) => text.clone(),
    }
}

/// The candidate that is most like a misspelt word, if any is like it at all.
pub fn most_similar<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(word, candidate), candidate))
        .filter(|(similarity, _)| *similarity >= 0.6)
        .max_by(|(a, x), (b, y)| a.total_cmp(b).then_with(|| y.cmp(x)))
        .map(|(_, candidate)| candidate)
}
