//! Finds parameters whose type has no finite value: each way to make one needs another one first.

use target_strategies::logic::ir::{Data, DataId, Param, Refined, SeqKind, Sort};

use crate::frontend::diagnostic::{Diagnostic, Span};

/// A mistake for each parameter without values, at the span of its type.
pub fn check<'p>(data: &[Data], params: impl Iterator<Item = (Span, &'p Param)>) -> Vec<Diagnostic> {
    let inhabited = inhabited(data);
    params
        .filter_map(|(span, param)| {
            let DataId(id) = uninhabited_part(&param.refined, &inhabited)?;
            Some(mistake(&data[id as usize], span))
        })
        .collect()
}

/// For each data type, whether it has a value.
fn inhabited(data: &[Data]) -> Vec<bool> {
    let mut inhabited = vec![false; data.len()];
    loop {
        let has_value = |data: &Data| {
            data.ctors.iter().filter(|ctor| !ctor.excluded).any(|ctor| {
                ctor.fields.iter().all(|field| uninhabited_part(&field.refined, &inhabited).is_none())
            })
        };
        let next: Vec<bool> = data.iter().map(has_value).collect();
        if next == inhabited {
            return inhabited;
        }
        inhabited = next;
    }
}

/// The first data type without a value that each value of this type contains.
fn uninhabited_part(refined: &Refined, inhabited: &[bool]) -> Option<DataId> {
    match &refined.sort {
        Sort::Data(id) => (!inhabited[id.0 as usize]).then_some(*id),
        Sort::Tuple(parts) => parts.iter().find_map(|part| uninhabited_part(part, inhabited)),
        Sort::Seq(element, SeqKind::Array(1..)) => uninhabited_part(element, inhabited),
        Sort::Seq(
            _,
            SeqKind::Array(0) | SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Answers(_),
        )
        | Sort::Set(..)
        | Sort::Map(..)
        | Sort::Bool
        | Sort::Char
        | Sort::Int(_)
        | Sort::Float(_)
        | Sort::Str(_)
        | Sort::Opaque(_) => None,
    }
}

fn mistake(data: &Data, span: Span) -> Diagnostic {
    let name = &data.rust_type;
    if data.ctors.is_empty() {
        return Diagnostic::error(span, format!("`{name}` has no constructors, and so no values"));
    }
    if data.ctors.iter().all(|ctor| ctor.excluded) {
        let message = format!("`{name}` has no values: its view leaves out each constructor");
        return Diagnostic::error(span, message).help("keep at least one in the view");
    }
    let message = format!("`{name}` has no finite values: each constructor contains another such value");
    let help = match data.ctors.iter().find(|ctor| ctor.excluded) {
        Some(ctor) => format!("keep `{}` in the view", ctor.rust_path),
        None => "give the type, or its view, a constructor that contains none".to_owned(),
    };
    Diagnostic::error(span, message).help(help)
}
