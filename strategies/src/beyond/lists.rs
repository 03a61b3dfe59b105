//! Lists and texts, which may have any number of elements.

use crate::logic::ir::{SeqKind, Sort};
use crate::logic::part::Part;
use crate::logic::value::Value;

/// Whether a part may have any number of elements.
pub(super) fn is_list(part: &Part<'_>) -> bool {
    match &part.refined.sort {
        Sort::Seq(_, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter) => true,
        Sort::Str(_) | Sort::Set(..) | Sort::Map(..) => true,
        Sort::Seq(_, SeqKind::Array(_) | SeqKind::Answers(..)) => false,
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) => false,
        Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_) => false,
    }
}

/// Whether a part is an array.
pub(super) fn is_array(part: &Part<'_>) -> bool {
    matches!(part.refined.sort, Sort::Seq(_, SeqKind::Array(_)))
}

/// The elements of a list, or the characters of a text.
pub(super) fn elements(list: &Value) -> Vec<Value> {
    match list {
        Value::Seq(elements) => elements.to_vec(),
        Value::Str(text) => text.chars().map(Value::Char).collect(),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => Vec::new(),
        Value::Tuple(_) | Value::Data(..) => Vec::new(),
    }
}

/// Elements as a list of the same kind as another one.
pub(super) fn list_of(list: &Value, all: Vec<Value>) -> Value {
    match list {
        Value::Str(_) => Value::Str(all.iter().filter_map(character).collect::<String>().into()),
        _ => Value::Seq(all.into()),
    }
}

fn character(value: &Value) -> Option<char> {
    if let Value::Char(c) = value { Some(*c) } else { None }
}
