//! Code that takes a result apart by the accessors of its type.
//!
//! Source: *Irulan*, section 3.3.

use crate::frontend::catalog::{Catalog, RustType};

use super::states::accessors;

/// Maximum number of accessors of a type that are called.
const MOST: usize = 12;

/// How deep a result is taken apart.
const DEEPEST: usize = 3;

/// Statements that call the accessors of a value of this type, and of its parts. `place` is a reference to it, and `name` the
/// value in a printed test.
pub(super) fn taken_apart(ty: &RustType, place: &str, name: &str, catalog: &Catalog) -> String {
    part(ty, (place, name), catalog, DEEPEST)
}

fn part(ty: &RustType, (place, name): (&str, &str), catalog: &Catalog, depth: usize) -> String {
    if depth == 0 {
        return String::new();
    }
    let inside = |ty: &RustType, place: &str, name: String| part(ty, (place, &name), catalog, depth - 1);
    match ty {
        RustType::Item(id, args) => {
            let called = accessors(*id, args, catalog, |_| true).into_iter().take(MOST);
            let paths = called.filter_map(|item| item.public_path.as_deref());
            paths.map(|path| called_once(&catalog.outside_path(path), place, name)).collect()
        }
        // A reference to a pointer becomes one to the value where it is passed.
        RustType::Ref { mutable: false, inner } | RustType::Box(inner) | RustType::Rc(inner) => {
            let is_item = matches!(inner.as_ref(), RustType::Item(..));
            if is_item { inside(inner, place, name.to_owned()) } else { String::new() }
        }
        RustType::Option(inner) => {
            matched("Some", place, inside(inner, "part", format!("{name}.as_ref().unwrap()")))
        }
        RustType::Result(ok, error) => {
            let ok = matched("Ok", place, inside(ok, "part", format!("{name}.as_ref().ok().unwrap()")));
            ok + &matched("Err", place, inside(error, "part", format!("{name}.as_ref().err().unwrap()")))
        }
        RustType::Vec(inner) | RustType::Slice(inner) | RustType::Array(inner, _) => {
            let end = |end: &str| {
                let inner = inside(inner, "part", format!("{name}.{end}().unwrap()"));
                matched("Some", &format!("{place}.{end}()"), inner)
            };
            end("first") + &end("last")
        }
        RustType::Tuple(parts) => {
            let one = |(index, ty)| inside(ty, &format!("(&{place}.{index})"), format!("{name}.{index}"));
            parts.iter().enumerate().map(one).collect()
        }
        RustType::Bool
        | RustType::Char
        | RustType::Int(_)
        | RustType::Float(_)
        | RustType::String
        | RustType::Str
        | RustType::Ref { mutable: true, .. }
        | RustType::Deque(_)
        | RustType::Set(..)
        | RustType::Map(..)
        | RustType::Arc(_)
        | RustType::Cow(_)
        | RustType::Foreign(..)
        | RustType::Function(_)
        | RustType::Param(_)
        | RustType::Other(_) => String::new(),
    }
}

/// Statements on a part of a value, if there are any: for values with the pattern.
fn matched(pattern: &str, value: &str, inner: String) -> String {
    if inner.is_empty() { inner } else { format!("if let {pattern}(part) = {value} {{ {inner}}} ") }
}

/// The call of an accessor, unless it ended a process before.
fn called_once(path: &str, place: &str, name: &str) -> String {
    let call = format!("{path}(&{name})");
    let serve = "::target_strategies::child::serve";
    format!(
        "if {serve}::sequences::begin_look({call:?}) {{ \
         {serve}::observe!({path}({place}), {call:?}); {serve}::sequences::end_look(); }} "
    )
}
