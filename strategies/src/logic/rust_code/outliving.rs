//! References in the results of functions, which outlive the closure that returns them: `&*Box::leak(Box::new(..))`.

use crate::logic::ir::{Pointer, Refined, SeqKind, Sort, StrKind};
use crate::logic::value::Value;

/// Whether rustc makes a static of a borrowed expression of the value: it allocates nothing and has no destructor.
pub(super) fn is_constant(value: &Value, refined: &Refined) -> bool {
    let of_part = |value: &Value, refined: &Refined| {
        refined.pointers.iter().all(|pointer| *pointer == Pointer::Ref) && is_constant(value, refined)
    };
    match (&refined.sort, value) {
        (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_), _) => true,
        (Sort::Seq(element, SeqKind::Array(_) | SeqKind::Slice), Value::Seq(parts)) => {
            parts.iter().all(|part| of_part(part, element))
        }
        (Sort::Tuple(of_parts), Value::Tuple(parts)) => {
            parts.iter().zip(of_parts).all(|(part, of)| of_part(part, of))
        }
        // A `str` behind a reference of its own is a literal. A `String` allocates.
        (Sort::Str(StrKind::Str), _) => refined.pointers.last() == Some(&Pointer::Ref),
        (Sort::Str(StrKind::String) | Sort::Seq(..) | Sort::Set(..) | Sort::Map(..), _)
        | (Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _) => false,
    }
}

/// The type of a result whose references outlive everything.
pub(super) fn outliving(ty: &str) -> String {
    let mut parts = ty.split('&');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(if part.starts_with('\'') { "&" } else { "&'static " });
        text.push_str(part);
    }
    text.replace("'_", "'static")
}
