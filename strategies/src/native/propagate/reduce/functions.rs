//! Facts about functions that don't depend on their arguments: which parameters they take apart, whether they are
//! recursive, the sort of their results.

use super::Kind;
use crate::logic::ir::{Function, FunctionId, Term, for_children, integer_terms, truth_terms, visit};
use crate::logic::value::Value;

/// Facts about a function.
#[derive(Clone, Debug)]
pub struct Info {
    /// For each parameter, whether it is taken apart.
    pub inspects: Vec<bool>,
    /// For each parameter, whether the function itself takes it apart, and not only a function that it calls.
    pub itself: Vec<bool>,
    /// Whether it is recursive, directly or through other functions.
    pub recursive: bool,
    pub kind: Kind,
}

/// Computes which parameters functions take apart, and which functions are recursive.
pub fn infos(functions: &[Function]) -> Vec<Info> {
    let mut infos: Vec<Info> = functions
        .iter()
        .map(|function| Info {
            inspects: vec![false; function.params.len()],
            itself: function.params.iter().map(|slot| takes_apart(&function.body, *slot, &[])).collect(),
            recursive: false,
            kind: Kind::Other,
        })
        .collect();
    loop {
        let mut changed = false;
        for (index, function) in functions.iter().enumerate() {
            for (at, slot) in function.params.iter().enumerate() {
                if !infos[index].inspects[at] && takes_apart(&function.body, *slot, &infos) {
                    infos[index].inspects[at] = true;
                    changed = true;
                }
            }
            let kind = kind_of_body(&function.body, &infos);
            changed |= kind != infos[index].kind;
            infos[index].kind = kind;
        }
        if !changed {
            break;
        }
    }
    let calls: Vec<Vec<usize>> = functions.iter().map(|function| callees(&function.body)).collect();
    for (index, info) in infos.iter_mut().enumerate() {
        let (mut seen, mut open) = (vec![false; functions.len()], calls[index].clone());
        while let Some(callee) = open.pop() {
            if !std::mem::replace(&mut seen[callee], true) {
                open.extend(&calls[callee]);
            }
        }
        info.recursive = seen[index];
    }
    infos
}

fn callees(term: &Term) -> Vec<usize> {
    let mut found = Vec::new();
    visit(term, &mut |term| {
        if let Term::Call(id, _) = term {
            found.push(id.0 as usize);
        }
    });
    found
}

fn kind_of_body(term: &Term, infos: &[Info]) -> Kind {
    match kind_source(term) {
        KindSource::Known(kind) => kind,
        KindSource::Either(a, b) => match kind_of_body(a, infos) {
            Kind::Other => kind_of_body(b, infos),
            kind @ (Kind::Bool | Kind::Int) => kind,
        },
        KindSource::Body(body) => kind_of_body(body, infos),
        KindSource::Function(id) => infos[id.0 as usize].kind,
        KindSource::Place => Kind::Other,
    }
}

/// Whether a term takes the value at a slot apart.
fn takes_apart(term: &Term, slot: u32, infos: &[Info]) -> bool {
    let mut found = false;
    visit(term, &mut |term| {
        match term {
            Term::Call(id, args) => {
                let inspects = infos.get(id.0 as usize).map_or(&[][..], |info| &info.inspects);
                found |=
                    args.iter().zip(inspects).any(|(arg, inspects)| *inspects && *arg == Term::Var(slot));
            }
            Term::All(..) | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Position(..) => {
                let mut first = true;
                for_children(term, &mut |child| {
                    found |= std::mem::take(&mut first) && *child == Term::Var(slot);
                });
            }
            Term::Contains(of, _)
            | Term::MapGet(of, ..)
            | Term::MapWithout(of, _)
            | Term::MapWith(of, ..) => {
                found |= **of == Term::Var(slot);
            }
            Term::Fold { over, .. } => found |= **over == Term::Var(slot),
            Term::Index(of, _) | Term::Slice(of, ..) => found |= **of == Term::Var(slot),
            // These have no operand, pass it on, or need no more than that it is known.
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Undefined | Term::Not(_) | Term::And(_) | Term::Or(_)
            | Term::If(..) | Term::Let { .. } | Term::Equal(..) | Term::Compare(..) | Term::Arith(..)
            | Term::Neg(_) | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
            | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..)
            | Term::CharIs(..) | Term::Opaque(..) | Term::Ask(..) => {}
            #[rustfmt::skip]
            Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Concat(_)
            | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..) | Term::Windows(..) | Term::Zip(..)
            | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..) | Term::Matches(..)
            | Term::StrFind(..) | Term::TextOp(..) | Term::Sum(_) | Term::Extreme { .. } | Term::Distinct(_)
            | Term::IsSorted(_) | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..)
            | Term::Entries(_) | Term::Keys(_) => {
                for_children(term, &mut |child| found |= *child == Term::Var(slot));
            }
        }
    });
    found
}

/// What decides the sort of a term.
pub enum KindSource<'t> {
    /// Its outermost operation.
    Known(Kind),
    /// The first of the two that has a known sort.
    Either(&'t Term, &'t Term),
    /// The body of a `let`.
    Body(&'t Term),
    /// The function that is called.
    Function(FunctionId),
    /// The type of a slot, or of a field.
    Place,
}

/// What decides the sort of a term. Terms that are neither booleans nor integers need not be told apart.
pub fn kind_source(term: &Term) -> KindSource<'_> {
    match term {
        truth_terms!() => KindSource::Known(Kind::Bool),
        Term::TextOp(op, _) if op.is_test() => KindSource::Known(Kind::Bool),
        Term::TextOp(op, _) if op.is_integer() => KindSource::Known(Kind::Int),
        integer_terms!() => KindSource::Known(Kind::Int),
        Term::Lit(value) => KindSource::Known(kind_of_value(value)),
        Term::If(_, a, b) => KindSource::Either(a, b),
        Term::Let { body, .. } => KindSource::Body(body),
        Term::Call(id, _) => KindSource::Function(*id),
        Term::Var(_) | Term::Field { .. } => KindSource::Place,
        #[rustfmt::skip]
        Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..) | Term::IntToFloat(..)
        | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..) | Term::Project(..) | Term::Index(..)
        | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..)
        | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_)
        | Term::StrFind(..) | Term::TextOp(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Position(..)
        | Term::Extreme { .. } | Term::Collect(..) | Term::SetOp(..) | Term::Entries(_) | Term::Keys(_)
        | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::Opaque(..) | Term::Ask(..)
        | Term::Undefined => KindSource::Known(Kind::Other),
    }
}

/// The sort of a value.
pub fn kind_of_value(value: &Value) -> Kind {
    match value {
        Value::Bool(_) => Kind::Bool,
        Value::Int(_) => Kind::Int,
        Value::Char(_)
        | Value::Float(_)
        | Value::Str(_)
        | Value::Seq(_)
        | Value::Tuple(_)
        | Value::Data(..) => Kind::Other,
    }
}
