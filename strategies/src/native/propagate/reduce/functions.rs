//! Facts about functions that don't depend on their arguments: which parameters they take apart, whether they are
//! recursive, the sort of their results.

use super::Kind;
use crate::logic::ir::{Function, Term, for_children, integer_terms, truth_terms, visit};
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
    match term {
        Term::If(_, a, b) => match kind_of_body(a, infos) {
            Kind::Other => kind_of_body(b, infos),
            kind => kind,
        },
        Term::Let { body, .. } => kind_of_body(body, infos),
        Term::Call(id, _) => infos[id.0 as usize].kind,
        term => kind_of_form(term),
    }
}

/// Whether a term takes the value at a slot apart.
fn takes_apart(term: &Term, slot: u32, infos: &[Info]) -> bool {
    let mut found = false;
    visit(term, &mut |term| {
        let passes = matches!(
            term,
            Term::Not(_)
                | Term::And(_)
                | Term::Or(_)
                | Term::If(..)
                | Term::Let { .. }
                | Term::Equal(..)
                | Term::Compare(..)
                | Term::Arith(..)
                | Term::Neg(_)
                | Term::Abs(_)
                | Term::FloatArith(..)
                | Term::FloatUnary(..)
                | Term::Machine(..)
                | Term::IntToFloat(..)
                | Term::ToInt(_)
                | Term::Tuple(_)
                | Term::Seq(_)
                | Term::Construct(..)
                | Term::CharIs(..)
                | Term::Opaque(..)
        );
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
            Term::Var(_) | Term::Lit(_) | Term::Undefined => {}
            _ if passes => {}
            _ => {
                for_children(term, &mut |child| found |= *child == Term::Var(slot));
            }
        }
    });
    found
}

/// The sort of a term, judged by its outermost operation.
pub fn kind_of_form(term: &Term) -> Kind {
    match term {
        truth_terms!() | Term::Lit(Value::Bool(_)) => Kind::Bool,
        integer_terms!() | Term::Lit(Value::Int(_)) => Kind::Int,
        _ => Kind::Other,
    }
}
