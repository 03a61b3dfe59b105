//! The types of a crate without type parameters: what stands for the parameters, and the types as Rust code.

use std::collections::BTreeMap;

use crate::frontend::catalog::{
    Catalog, FnItem, Instance, Length, RustType, anonymous_bounds, default_instance, substitute,
};
use crate::frontend::declarations::is_shipped;
use crate::frontend::resolve::type_of_text;
use target_strategies::logic::ir::IntKind;

use super::constants::constant;

/// The iterator over a list, for parameters that are iterators.
pub(super) const INTO_ITER: &str = "std::vec::IntoIter";

/// What stands for types of traits that hash.
pub(super) const HASHER: &str = "std::hash::DefaultHasher";
pub(super) const BUILD_HASHER: &str = "std::hash::BuildHasherDefault<std::hash::DefaultHasher>";

/// What stands for a type that reads, writes and seeks.
pub(super) const CURSOR: &str = "std::io::Cursor<Vec<u8>>";

/// What type parameters stand for.
pub(super) type Args = BTreeMap<String, RustType>;

/// The types for a function's type parameters that are not known yet; `None` if one can only be guessed.
pub(super) fn with_known(item: &FnItem, mut args: Args, catalog: &Catalog) -> Option<Args> {
    for name in in_order(item) {
        if !args.contains_key(name) {
            let known = known(item, name, &args, catalog)?;
            args.insert(name.clone(), known);
        }
    }
    Some(args)
}

fn known(item: &FnItem, name: &str, args: &Args, catalog: &Catalog) -> Option<RustType> {
    // What the author chose fits the type's other functions, too.
    let known = declared_default(item, name, catalog);
    let known = known.or_else(|| default_instance(item, name).map(of_known));
    let known = known.or_else(|| own_instance(item, name, catalog));
    known.or_else(|| items_of(item, name, args, catalog))
}

/// The type that the source has for a type parameter, or the constant for a constant one: the default of a declaration, a
/// type that implements the crate's trait which bounds it, or a list of the items that the bound names.
pub fn own_instance(item: &FnItem, name: &str, catalog: &Catalog) -> Option<RustType> {
    if let Some(constant) = constant(item, name) {
        // A number that is declared may be anything; a small one has the same cases as a large one.
        return declared_default(item, name, catalog).or(Some(constant));
    }
    let known = declared_default(item, name, catalog)
        .or_else(|| implementors(item, name, catalog).into_iter().next());
    let known = known.or_else(|| items_of(item, name, &Args::new(), catalog));
    known.or_else(|| converted(item, name, catalog))
}

/// The types that the source has for a function's type parameters, as far as one is known.
pub fn instances(item: &FnItem, catalog: &Catalog) -> BTreeMap<String, RustType> {
    let mut args = Args::new();
    for name in in_order(item) {
        if let Some(ty) = known(item, name, &args, catalog) {
            args.insert(name.clone(), ty);
        }
    }
    args
}

/// The type of the crate that a bound `Into<Options>` names: each type becomes itself.
fn converted(item: &FnItem, name: &str, catalog: &Catalog) -> Option<RustType> {
    let bounds: Vec<&str> = each_bound(item, name).collect();
    let [bound] = bounds.as_slice() else { return None };
    let into = bound.replace(' ', "").strip_prefix("Into<")?.strip_suffix('>')?.to_owned();
    let ty = type_of_text(&into, catalog)?;
    matches!(&ty, RustType::Item(_, args) if args.is_empty()).then_some(ty)
}

/// The type parameters: lists come after what they contain.
fn in_order(item: &FnItem) -> Vec<&String> {
    let is_list =
        |name: &String| item.bounds.iter().any(|(param, bound)| param == name && bound.contains("Item="));
    let (lists, others): (Vec<_>, Vec<_>) = item.generics.iter().partition(|name| is_list(name));
    others.into_iter().chain(lists).collect()
}

/// The same with guesses. Whether they satisfy all bounds is rustc's to say: a call that doesn't compile costs its own
/// function only.
pub(super) fn with_guesses(item: &FnItem, mut args: Args, catalog: &Catalog) -> Args {
    for name in in_order(item) {
        if !args.contains_key(name) {
            let ty = known(item, name, &args, catalog)
                .or_else(|| iterated(item, name, &args, catalog))
                .or_else(|| own_conversion(item, name, catalog))
                .unwrap_or_else(|| guess(item, name));
            args.insert(name.clone(), ty);
        }
    }
    args
}

/// The list of what a bound `IntoIterator<Item = T>` names.
fn items_of(item: &FnItem, name: &str, args: &Args, catalog: &Catalog) -> Option<RustType> {
    let ty = item_of(item, name, args, catalog, &["IntoIterator"])?;
    Some(RustType::Vec(Box::new(ty)))
}

/// The iterator over a list of what a bound like `Iterator<Item = T>` names.
fn iterated(item: &FnItem, name: &str, args: &Args, catalog: &Catalog) -> Option<RustType> {
    let ty = item_of(item, name, args, catalog, &ITERATORS)?;
    Some(RustType::Foreign(INTO_ITER.to_owned(), vec![ty]))
}

/// The traits of iterators that the one over a list has.
const ITERATORS: [&str; 4] = ["Iterator", "DoubleEndedIterator", "ExactSizeIterator", "FusedIterator"];

/// The type of the items that a bound by one of some traits names.
fn item_of(item: &FnItem, name: &str, args: &Args, catalog: &Catalog, traits: &[&str]) -> Option<RustType> {
    bounds_of(item, name).into_iter().find_map(|bound| {
        let (of, items) = bound.split_once("<Item=")?;
        let items = items.strip_suffix('>').or_else(|| items.split_once(">+").map(|(items, _)| items))?;
        // The bounds are without spaces: `implAsRef<str>`.
        let anonymous = items.strip_prefix("impl").filter(|rest| rest.starts_with(char::is_uppercase));
        let ty = match anonymous {
            Some(bounds) => of_bounds(bounds).unwrap_or_else(|| element(bounds)),
            None => at(&parameters(type_of_text(items, catalog)?, item), args).ok()?,
        };
        // Of `&I: IntoIterator<Item = T>`, the items are references, which are as good.
        let of = of.rsplit(':').next()?;
        (traits.contains(&of) && !holds_param(&ty)).then_some(ty)
    })
}

/// The bounds of a parameter, one by one.
pub(super) fn each_bound<'i>(item: &'i FnItem, name: &'i str) -> impl Iterator<Item = &'i str> {
    let declared = item.bounds.iter().filter(move |(param, _)| param == name);
    let anonymous = anonymous_bounds(name).into_iter().flat_map(|bounds| bounds.split(" + "));
    declared.map(|(_, bound)| bound.as_str()).chain(anonymous)
}

/// The bounds of a parameter, those in the name of an anonymous one among them.
fn bounds_of(item: &FnItem, name: &str) -> Vec<String> {
    let anonymous =
        name.strip_prefix("impl ").map(|text| text.split(" #").next().unwrap_or(text).replace(' ', ""));
    let declared = item.bounds.iter().filter(|(param, _)| param == name).map(|(_, bound)| bound.clone());
    declared.chain(anonymous).collect()
}

/// The type that a bound `Into<Option<u8>>` names: each type becomes itself.
fn own_conversion(item: &FnItem, name: &str, catalog: &Catalog) -> Option<RustType> {
    bounds_of(item, name).into_iter().find_map(|bound| {
        let into = bound.strip_prefix("Into<")?.strip_suffix('>')?;
        let ty = parameters(type_of_text(into, catalog)?, item);
        (!holds_param(&ty)).then_some(ty)
    })
}

/// Names of type parameters, which a text alone doesn't tell from types.
fn parameters(ty: RustType, item: &FnItem) -> RustType {
    match ty {
        RustType::Foreign(name, args) if args.is_empty() && item.generics.contains(&name) => {
            RustType::Param(name)
        }
        RustType::Tuple(parts) => {
            RustType::Tuple(parts.into_iter().map(|part| parameters(part, item)).collect())
        }
        RustType::Ref { mutable, inner } => {
            RustType::Ref { mutable, inner: Box::new(parameters(*inner, item)) }
        }
        ty => ty,
    }
}

fn holds_param(ty: &RustType) -> bool {
    matches!(ty, RustType::Param(_)) || ty.parts().into_iter().any(holds_param)
}

fn range(of: RustType) -> RustType {
    RustType::Foreign("std::ops::Range".to_owned(), vec![of])
}

/// The type that a known instance is.
pub(super) fn of_known(known: Instance) -> RustType {
    match known {
        Instance::I64 => RustType::Int(IntKind::I64),
        Instance::F64 => RustType::Float(64),
        Instance::U8 => RustType::Int(IntKind::U8),
        Instance::Unit => RustType::Tuple(Vec::new()),
        Instance::Text => RustType::String,
        Instance::Bytes => RustType::Vec(Box::new(RustType::Int(IntKind::U8))),
        Instance::Range => range(RustType::Int(IntKind::Usize)),
        Instance::Bounds => {
            let bound = RustType::Foreign("std::ops::Bound".to_owned(), vec![RustType::Int(IntKind::Usize)]);
            RustType::Tuple(vec![bound.clone(), bound])
        }
    }
}

/// The default that the declaration of a type gives to a parameter.
pub fn declared_default(item: &FnItem, name: &str, catalog: &Catalog) -> Option<RustType> {
    let mut waiting: Vec<&RustType> =
        item.params.iter().map(|param| &param.ty).chain([&item.result]).collect();
    while let Some(ty) = waiting.pop() {
        waiting.extend(ty.parts());
        let RustType::Item(id, args) = ty else { continue };
        let is_it = |arg: &RustType| matches!(arg, RustType::Param(param) if param == name);
        let default = args.iter().position(is_it).and_then(|at| catalog.item(*id).defaults.get(at)?.clone());
        if default.is_some() {
            return default;
        }
    }
    None
}

/// The types that implement a trait of the crate that bounds a parameter, for the first such bound, each once.
pub(super) fn implementors(item: &FnItem, name: &str, catalog: &Catalog) -> Vec<RustType> {
    let of_bound = |bound: &str| {
        let (path, arg) = bound.split_once('<').unwrap_or((bound, ""));
        let of = path.rsplit("::").next()?;
        // The type arguments of an implementor are those of the trait: `Range<T>` has `Bounds<T>`.
        let arg = type_of_text(arg.strip_suffix('>').unwrap_or(arg), catalog).filter(|arg| !holds_param(arg));
        let all = catalog.functions.iter().filter_map(|function| {
            let path = function.public_path.as_deref()?.strip_prefix('<')?;
            let (_, rest) = path.split_once(" as crate::")?;
            let (of_path, _) = rest.rsplit_once(">::")?;
            let is_of = of_path.split('<').next()?.rsplit("::").next() == Some(of);
            let receiver = function.params.first().filter(|param| is_of && param.name == "self")?;
            let ty = match &receiver.ty {
                RustType::Ref { inner, .. } => inner.as_ref(),
                ty => ty,
            };
            // Values of most types of other crates can't be made.
            let is_made = !matches!(ty, RustType::Foreign(path, _) if !is_shipped(path));
            match (ty.parts().as_slice(), &arg) {
                _ if !is_made => None,
                ([], _) => Some(ty.clone()).filter(|ty| !matches!(ty, RustType::Param(_))),
                ([RustType::Param(of)], Some(arg)) => at(ty, &Args::from([(of.clone(), arg.clone())])).ok(),
                _ => None,
            }
        });
        let mut found: Vec<RustType> = Vec::new();
        for ty in all {
            if !found.contains(&ty) {
                found.push(ty);
            }
        }
        (!found.is_empty()).then_some(found)
    };
    each_bound(item, name).find_map(of_bound).unwrap_or_default()
}

/// A type that is likely to satisfy the bounds of a parameter.
fn guess(item: &FnItem, name: &str) -> RustType {
    let of_name = name.strip_prefix("impl ").map(str::to_owned);
    let declared = item.bounds.iter().filter(|(param, _)| param == name).map(|(_, bound)| bound.clone());
    let bounds = of_name.into_iter().chain(declared).collect::<Vec<_>>().join(" ");
    of_bounds(&bounds).unwrap_or(RustType::Int(IntKind::I64))
}

/// The type that stands for values with these bounds, or for a `dyn` of them; `None` if none is special.
pub(super) fn of_bounds(bounds: &str) -> Option<RustType> {
    let has = |name: &str| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        bounds.split(|c: char| !is_part(c)).any(|word| word == name)
    };
    Some(match () {
        () if bounds.contains("RangeBounds<char>") => range(RustType::Char),
        () if has("RangeBounds") => range(RustType::Int(IntKind::Usize)),
        () if has("Hasher") => RustType::Foreign(HASHER.to_owned(), Vec::new()),
        () if has("BuildHasher") => RustType::Foreign(BUILD_HASHER.to_owned(), Vec::new()),
        () if has("Seek") => RustType::Foreign(CURSOR.to_owned(), Vec::new()),
        () if has("Read") || has("BufRead") => bytes(),
        () if bounds.contains("fmt::Write") => RustType::String,
        () if has("Write") => RustType::Vec(Box::new(RustType::Int(IntKind::U8))),
        () if ITERATORS.iter().any(|name| has(name)) => {
            RustType::Foreign(INTO_ITER.to_owned(), vec![element(bounds)])
        }
        () if has("IntoIterator") => RustType::Vec(Box::new(element(bounds))),
        () if bounds.contains("str") => text(),
        () if has("Float") || has("f64") => RustType::Float(64),
        () if ["Display", "Debug", "ToString", "Any"].into_iter().any(has) => RustType::Int(IntKind::I64),
        () => return None,
    })
}

/// The type of the items that the bounds of an iterator are likely to ask for. They have no spaces: `Item=&'astr`.
fn element(bounds: &str) -> RustType {
    match () {
        () if bounds.contains("str") => text(),
        () if bounds.contains("String") => RustType::String,
        () if bounds.contains("char") => RustType::Char,
        () => RustType::Int(IntKind::U8),
    }
}

fn text() -> RustType {
    RustType::Ref { mutable: false, inner: Box::new(RustType::Str) }
}

/// The list of bytes that a reader reads from.
fn bytes() -> RustType {
    let byte = Box::new(RustType::Int(IntKind::U8));
    RustType::Ref { mutable: false, inner: Box::new(RustType::Slice(byte)) }
}

/// Whether values of a type can be cloned, as far as is known.
pub(super) fn is_clone(ty: &RustType, catalog: &Catalog) -> bool {
    let is_own = match ty {
        RustType::Item(id, _) => catalog.item(*id).derives.iter().any(|name| name == "Clone"),
        RustType::Foreign(path, _) => is_shipped(path),
        RustType::Ref { .. } | RustType::Function(_) | RustType::Param(_) | RustType::Other(_) => false,
        _ => true,
    };
    is_own && ty.parts().into_iter().all(|part| is_clone(part, catalog))
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
        (RustType::Array(_, a), RustType::Array(_, b)) if a == b => true,
        (RustType::Array(_, a), RustType::Array(_, b)) => unify(&a.argument(), &b.argument(), args),
        (RustType::Ref { mutable: a, .. }, RustType::Ref { mutable: b, .. }) => a == b,
        (RustType::Set(_, a), RustType::Set(_, b)) => a == b,
        (RustType::Map(_, _, a), RustType::Map(_, _, b)) => a == b,
        _ if pattern.parts().is_empty() => return pattern == ty,
        _ => std::mem::discriminant(pattern) == std::mem::discriminant(ty),
    };
    let (parts, of_ty) = (pattern.parts(), ty.parts());
    same_kind && parts.len() == of_ty.len() && parts.iter().zip(of_ty).all(|(a, b)| unify(a, b, args))
}

/// The type of a result, for a `let`. rustc infers the error of a `Result` if it can't be written, as `Self::Err`.
pub(super) fn annotation(ty: &RustType, catalog: &Catalog) -> Option<String> {
    let with_any_error = || {
        let RustType::Result(ok, _) = ty else { return None };
        Some(format!("Result<{}, _>", rust_text(ok, catalog)?))
    };
    rust_text(ty, catalog).or_else(with_any_error)
}

/// A type as Rust code outside the crate; `None` if it can't be written.
pub(super) fn rust_text(ty: &RustType, catalog: &Catalog) -> Option<String> {
    let text = |ty: &RustType| rust_text(ty, catalog);
    let list =
        |types: &[RustType]| types.iter().map(text).collect::<Option<Vec<_>>>().map(|texts| texts.join(", "));
    let applied = |path: &str, args: &[RustType]| {
        Some(if args.is_empty() { path.to_owned() } else { format!("{path}<{}>", list(args)?) })
    };
    Some(match ty {
        RustType::Bool | RustType::Char | RustType::Int(_) | RustType::Float(_) => ty.name()?.to_owned(),
        RustType::String | RustType::Str => ty.name()?.to_owned(),
        RustType::Tuple(parts) if parts.len() == 1 => format!("({},)", list(parts)?),
        RustType::Tuple(parts) => format!("({})", list(parts)?),
        RustType::Array(element, Length::Known(length)) => format!("[{}; {length}]", text(element)?),
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
        RustType::Item(id, args) => {
            let item = catalog.item(*id);
            let path = catalog.outside_path(item.public_path.as_ref()?);
            let lifetimes = std::iter::repeat_n("'_".to_owned(), item.lifetimes);
            let args = args.iter().map(text).collect::<Option<Vec<_>>>()?;
            let all: Vec<String> = lifetimes.chain(args).collect();
            if all.is_empty() { path } else { format!("{path}<{}>", all.join(", ")) }
        }
        RustType::Foreign(path, args) => applied(path, args)?,
        RustType::Other(constant) if ty.constant().is_some() => constant.clone(),
        RustType::Param(_)
        | RustType::Array(_, Length::Param(_) | Length::Unknown)
        | RustType::Function(_)
        | RustType::Other(_) => {
            return None;
        }
    })
}
