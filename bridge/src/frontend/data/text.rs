//! Refined types as Rust code, without refinements.

use target_strategies::logic::ir::{Data, MapKind, Pointer, Refined, SeqKind, SetKind, Sort, StrKind};

/// The type as Rust code for use outside the crate, without refinements.
pub fn rust_type(refined: &Refined, data: &[Data]) -> String {
    let mut text = String::new();
    let mut closing = String::new();
    for pointer in &refined.pointers {
        text.push_str(match pointer {
            Pointer::Ref => "&",
            Pointer::RefMut => "&mut ",
            Pointer::Box => "Box<",
            Pointer::Rc => "std::rc::Rc<",
            Pointer::Arc => "std::sync::Arc<",
            Pointer::Cow => "std::borrow::Cow<",
        });
        if !matches!(pointer, Pointer::Ref | Pointer::RefMut) {
            closing.push('>');
        }
    }
    text.push_str(&sort_text(&refined.sort, data));
    text + &closing
}

fn sort_text(sort: &Sort, data: &[Data]) -> String {
    match sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Char => "char".to_owned(),
        Sort::Int(kind) => kind.name().to_owned(),
        Sort::Float(kind) => kind.name().to_owned(),
        Sort::Str(StrKind::String) => "String".to_owned(),
        Sort::Str(StrKind::Str) => "str".to_owned(),
        Sort::Seq(element, SeqKind::Vec) => format!("Vec<{}>", rust_type(element, data)),
        Sort::Seq(element, SeqKind::Slice) => format!("[{}]", rust_type(element, data)),
        Sort::Seq(element, SeqKind::Array(n)) => format!("[{}; {n}]", rust_type(element, data)),
        // It stands in messages only.
        Sort::Seq(result, SeqKind::Answers(_)) => format!("fn(..) -> {}", rust_type(result, data)),
        Sort::Seq(element, SeqKind::Deque) => {
            format!("std::collections::VecDeque<{}>", rust_type(element, data))
        }
        Sort::Seq(element, SeqKind::Iter) => format!("std::vec::IntoIter<{}>", rust_type(element, data)),
        Sort::Set(element, kind) => {
            let name = match kind {
                SetKind::BTree => "std::collections::BTreeSet",
                SetKind::Hash => "std::collections::HashSet",
                SetKind::Bag => "Bag",
            };
            format!("{name}<{}>", rust_type(element, data))
        }
        Sort::Map(key, value, kind) => {
            let name = if *kind == MapKind::Hash { "HashMap" } else { "BTreeMap" };
            format!("std::collections::{name}<{}, {}>", rust_type(key, data), rust_type(value, data))
        }
        Sort::Tuple(parts) => match parts.as_slice() {
            [only] => format!("({},)", rust_type(only, data)),
            parts => {
                let parts: Vec<String> = parts.iter().map(|part| rust_type(part, data)).collect();
                format!("({})", parts.join(", "))
            }
        },
        Sort::Data(id) => data[id.0 as usize].rust_type.clone(),
        Sort::Opaque(text) => text.clone(),
    }
}
