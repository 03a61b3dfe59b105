//! Finds types without finite values: each way to make one needs another one first.
//!
//! Of a refinement only its constants count: a list with `v.len() >= 1` has an element, `v.is_some()` leaves out `None`.

use std::collections::BTreeSet;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Data, DataId, Param, Refined, SeqKind, Sort};
use target_strategies::space::{Facts, Step, facts_of};

use crate::frontend::diagnostic::{Diagnostic, Span};

/// The data types of a spec.
pub struct Inhabited<'d> {
    data: &'d [Data],
    /// The slot of the refined value inside a refinement.
    own: u32,
    /// For each data type, whether it has a value.
    known: Vec<bool>,
}

impl<'d> Inhabited<'d> {
    /// Decides which types have values.
    pub fn of(data: &'d [Data], own: u32) -> Inhabited<'d> {
        let mut types = Inhabited { data, own, known: vec![false; data.len()] };
        loop {
            let ids = (0..data.len() as u32).map(DataId);
            let next = ids.map(|id| types.ctors(id, &Facts::any(), &[]).any(|part| part.is_none())).collect();
            if next == types.known {
                return types;
            }
            types.known = next;
        }
    }

    /// A mistake for each parameter without values, at the span of its type.
    pub fn check<'p>(&self, params: impl Iterator<Item = (Span, &'p Param)>) -> Vec<Diagnostic> {
        params
            .filter_map(|(span, param)| {
                let DataId(id) = self.missing(&param.refined, Facts::any(), &[])?;
                Some(mistake(&self.data[id as usize], span))
            })
            .collect()
    }

    /// The mistake of a view whose values contain values of the same view without an end.
    pub fn endless(&self, view: DataId, name: &str, span: Span) -> Option<Diagnostic> {
        let (mut seen, mut open, any) = (BTreeSet::new(), vec![view], Facts::any());
        while let Some(id) = open.pop() {
            let parts = self.ctors(id, &any, &[]).flatten();
            open.extend(parts.filter(|part| !self.known[part.0 as usize] && seen.insert(*part)));
        }
        if self.known[view.0 as usize] || !seen.contains(&view) {
            return None;
        }
        let message =
            format!("the view `{name}` has no finite values: each constructor contains another such value");
        let help = match self.data[view.0 as usize].ctors.iter().find(|ctor| ctor.excluded) {
            Some(ctor) => format!("keep `{}` in the view", ctor.rust_path),
            None => "give it a constructor that contains none, or let a list or an `Option` in it be empty"
                .to_owned(),
        };
        Some(Diagnostic::error(span, message).help(help))
    }

    /// The first data type without a value that each value of this type contains. `open` are the types around it that are
    /// looked at more closely already.
    fn missing(&self, refined: &Refined, facts: Facts, open: &[DataId]) -> Option<DataId> {
        let facts = refined.clauses.iter().fold(facts, |facts, clause| {
            facts.and(
                facts_of(&clause.term, std::iter::once(self.own), self.own, &[])
                    .part(Step::Project(self.own)),
            )
        });
        let element = |element| self.missing(element, facts.part(Step::Each), open);
        match &refined.sort {
            Sort::Data(id) if facts == Facts::any() || open.contains(id) => {
                (!self.known[id.0 as usize]).then_some(*id)
            }
            Sort::Data(id) => {
                let mut first = (!self.known[id.0 as usize]).then_some(*id);
                for part in self.ctors(*id, &facts, &[open, &[*id]].concat()) {
                    first = first.or(Some(part?));
                }
                first
            }
            Sort::Tuple(parts) => (0..)
                .zip(parts)
                .find_map(|(index, part)| self.missing(part, facts.part(Step::Project(index)), open)),
            Sort::Seq(inner, SeqKind::Array(1..)) => element(inner),
            Sort::Seq(inner, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter)
            | Sort::Set(inner, _)
                if !facts.len.contains(&Int::from(0)) =>
            {
                element(inner)
            }
            Sort::Map(key, value, _) if !facts.len.contains(&Int::from(0)) => {
                [key, value].into_iter().find_map(|part| self.missing(part, Facts::any(), open))
            }
            Sort::Seq(..)
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

    /// For each constructor that the facts admit, the first type without a value among its fields.
    fn ctors(&self, id: DataId, facts: &Facts, open: &[DataId]) -> impl Iterator<Item = Option<DataId>> {
        let ctors = (0..).zip(&self.data[id.0 as usize].ctors);
        let admitted = ctors
            .filter(|(index, ctor)| !ctor.excluded && facts.codes.contains(&Int::from(i64::from(*index))));
        admitted.map(|(index, ctor)| {
            let mut fields = (0..).zip(&ctor.fields);
            fields.find_map(|(field, declared)| {
                self.missing(&declared.refined, facts.part(Step::Field(index, field)), open)
            })
        })
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

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::{Clause, Ctor, Field, Term};

    use super::*;

    /// `enum List { Cons({t: List | t is no Nil}), Nil }`, without `Nil` if that is excluded.
    fn list(has_nil: bool) -> Vec<Data> {
        let no_nil = Term::Not(Box::new(Term::IsCtor(Box::new(Term::Var(0)), 1)));
        let clauses = vec![Clause { id: 0, text: String::new(), term: no_nil }];
        let refined = Refined { clauses, ..Refined::plain(Sort::Data(DataId(0))) };
        let ctor = |fields: Vec<Field>, excluded| Ctor {
            rust_path: String::new(),
            recursive: !fields.is_empty(),
            fields,
            named: false,
            excluded,
        };
        let tail = Field { name: String::new(), refined, slot: None };
        let ctors = vec![ctor(vec![tail], false), ctor(Vec::new(), !has_nil)];
        vec![Data { rust_type: String::new(), ctors, via: None, object: None, rule: None }]
    }

    #[test]
    fn a_recursive_field_that_excludes_the_base_case_is_looked_at_once() {
        assert_eq!(Inhabited::of(&list(true), 0).known, [true]);
        assert_eq!(Inhabited::of(&list(false), 0).known, [false]);
    }
}
