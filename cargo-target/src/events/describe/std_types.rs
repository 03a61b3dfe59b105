//! What a type can do in a test, as far as that is known without looking at the user's code: be copied, printed, compared.

use target_bridge::frontend::declarations::shipped;
use target_strategies::logic::ir::{Data, Refined, SeqKind, Sort, Spec};

/// Whether a type is `Copy`.
pub(super) fn is_copy(refined: &Refined) -> bool {
    let is_scalar = match &refined.sort {
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) => true,
        Sort::Tuple(parts) => parts.iter().all(is_copy),
        Sort::Str(_) | Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Data(_) | Sort::Opaque(_) => {
            false
        }
    };
    is_scalar && refined.pointers.is_empty()
}

/// Whether a type is built of types of the standard library, without pointers.
pub(super) fn is_plain(refined: &Refined) -> bool {
    let is_std = !matches!(refined.sort, Sort::Data(_) | Sort::Opaque(_));
    is_std && refined.pointers.is_empty() && refined.inner().into_iter().all(is_plain)
}

/// Whether a type is of the standard library with all its parts. Such a type implements `Debug` and `PartialEq`.
pub(super) fn is_printable(refined: &Refined, spec: &Spec) -> bool {
    let is_std = match &refined.sort {
        Sort::Opaque(_) | Sort::Seq(_, SeqKind::Answers(_)) => false,
        Sort::Data(id) => {
            let data = spec.data(*id);
            data.rule.is_some()
                || (is_option(data) || is_shipped(data)) && has_fields(data, is_printable, spec)
        }
        Sort::Bool
        | Sort::Char
        | Sort::Int(_)
        | Sort::Float(_)
        | Sort::Str(_)
        | Sort::Seq(..)
        | Sort::Set(..)
        | Sort::Map(..)
        | Sort::Tuple(_) => true,
    };
    is_std && refined.inner().into_iter().all(|part| is_printable(part, spec))
}

/// Whether `==` on a type means the same in Rust and in specs.
pub(super) fn has_equality(refined: &Refined, spec: &Spec) -> bool {
    let is_equal = match &refined.sort {
        Sort::Float(_) | Sort::Opaque(_) | Sort::Seq(_, SeqKind::Answers(_)) => false,
        Sort::Data(id) => {
            let data = spec.data(*id);
            let is_seen = is_option(data) || is_shipped_view(data) && !is_path(data);
            data.rule.is_some() || is_seen && has_fields(data, has_equality, spec)
        }
        Sort::Bool
        | Sort::Char
        | Sort::Int(_)
        | Sort::Str(_)
        | Sort::Seq(..)
        | Sort::Set(..)
        | Sort::Map(..)
        | Sort::Tuple(_) => true,
    };
    is_equal && refined.inner().into_iter().all(|part| has_equality(part, spec))
}

/// Whether `<` on a type of the standard library means the same in Rust and in specs.
pub(super) fn has_order(refined: &Refined, spec: &Spec) -> bool {
    const ORDERED: [&str; 7] = [
        "std::time::Duration",
        "std::cmp::Ordering",
        "std::num::NonZero",
        "std::net::Ipv4Addr",
        "std::net::Ipv6Addr",
        "std::net::IpAddr",
        "<std::time::SystemTime",
    ];
    let Sort::Data(id) = refined.sort else { return false };
    let is_ordered = |path: &str| ORDERED.iter().any(|start| path.starts_with(start));
    has_equality(refined, spec) && spec.data(id).ctors.iter().all(|ctor| is_ordered(&ctor.rust_path))
}

/// Whether two types are the same in Rust, apart from pointers around them.
pub(super) fn are_alike(a: &Refined, b: &Refined, spec: &Spec) -> bool {
    let is_head_alike = match (&a.sort, &b.sort) {
        (Sort::Bool, Sort::Bool) | (Sort::Char, Sort::Char) => true,
        (Sort::Int(a), Sort::Int(b)) => a == b,
        (Sort::Str(a), Sort::Str(b)) => a == b,
        (Sort::Seq(_, a), Sort::Seq(_, b)) => a == b,
        (Sort::Set(_, a), Sort::Set(_, b)) => a == b,
        (Sort::Map(_, _, a), Sort::Map(_, _, b)) => a == b,
        (Sort::Tuple(a), Sort::Tuple(b)) => a.len() == b.len(),
        (Sort::Data(a), Sort::Data(b)) if a == b => true,
        (Sort::Data(a), Sort::Data(b)) => {
            let (a, b) = (spec.data(*a), spec.data(*b));
            let are_fields_alike = a.ctors.iter().zip(&b.ctors).all(|(a, b)| {
                let mut fields = a.fields.iter().zip(&b.fields);
                a.rust_path == b.rust_path
                    && fields.all(|(a, b)| are_parts_alike(&a.refined, &b.refined, spec))
            });
            a.rust_type == b.rust_type && a.ctors.len() == b.ctors.len() && are_fields_alike
        }
        _ => false,
    };
    let (a, b) = (a.inner(), b.inner());
    is_head_alike && a.iter().zip(&b).all(|(a, b)| are_parts_alike(a, b, spec))
}

fn are_parts_alike(a: &Refined, b: &Refined, spec: &Spec) -> bool {
    a.pointers == b.pointers && are_alike(a, b, spec)
}

/// Whether it is `Option` or `Result`.
pub(super) fn is_option(data: &Data) -> bool {
    matches!(data.rust_type.split('<').next(), Some("Option" | "Result"))
}

/// Whether it is a type of the standard library that has a view of the tool's, perhaps with another view.
pub(super) fn is_shipped(data: &Data) -> bool {
    let is_of_std = |path: &str| {
        let qualified = path.strip_prefix('<').and_then(|rest| rest.split_once(" as "));
        let path = qualified.map_or(path, |(of, _)| of);
        let parent = path.rsplit_once("::").map_or(path, |(parent, _)| parent);
        shipped::is_shipped(path) || shipped::is_shipped(parent)
    };
    !data.ctors.is_empty() && data.ctors.iter().all(|ctor| is_of_std(&ctor.rust_path))
}

/// Whether it is such a type with the tool's own view, which sees all of a value.
fn is_shipped_view(data: &Data) -> bool {
    let is_whole = |path: &str| data.via.is_none() || shipped::may_fail(path).is_some();
    is_shipped(data) && data.ctors.iter().all(|ctor| is_whole(&ctor.rust_path))
}

/// Whether it is a path, whose `==` ignores some of the text, or a text of the system.
fn is_path(data: &Data) -> bool {
    data.ctors
        .iter()
        .any(|ctor| ctor.rust_path.starts_with("std::path::") || ctor.rust_path.starts_with("std::ffi::"))
}

fn has_fields(data: &Data, has_it: fn(&Refined, &Spec) -> bool, spec: &Spec) -> bool {
    data.ctors.iter().flat_map(|ctor| &ctor.fields).all(|field| has_it(&field.refined, spec))
}
