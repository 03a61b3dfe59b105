//! Whether a value has a refined type: the value has the sort, and satisfies the clauses at every depth.

use super::env::{Env, Halt};
use super::judgement::{Judgement, Obstacle, Stop};
use crate::logic::ir::{Clause, Data, Refined, SeqKind, Sort, Spec, Term};
use crate::logic::table::Table;
use crate::logic::value::Value;

/// Why a value is not admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rejection {
    /// The clause does not hold; `None` if the value is not of the sort.
    Clause(Option<u32>),
    /// The clause can't be judged.
    SpecError { clause: u32, obstacle: Obstacle },
}

impl<'a> Env<'a> {
    /// Judges a value and all its parts by its refined type, innermost refinements first.
    pub(super) fn member(
        &mut self,
        value: &'a Value,
        refined: &'a Refined,
        spec: &'a Spec,
    ) -> Result<(), Rejection> {
        const NOT_OF_THE_SORT: Result<(), Rejection> = Err(Rejection::Clause(None));
        match (&refined.sort, value) {
            (Sort::Bool, Value::Bool(_))
            | (Sort::Char, Value::Char(_))
            | (Sort::Str(_), Value::Str(_))
            | (Sort::Opaque(_), _) => {}
            (Sort::Int(kind), Value::Int(n)) if kind.contains(n) => {}
            (Sort::Float(kind), Value::Float(x)) if kind.contains(*x) => {}
            (Sort::Seq(element, kind), Value::Seq(values)) => {
                if matches!(kind, SeqKind::Array(length) if *length as usize != values.len()) {
                    return NOT_OF_THE_SORT;
                }
                for value in values.iter() {
                    self.member(value, element, spec)?;
                }
            }
            (Sort::Seq(result, SeqKind::Answers(_)), Value::Tuple(_)) => self.table(value, result, spec)?,
            (Sort::Set(..) | Sort::Map(..), Value::Seq(values)) => {
                if !self.is_collection(values, &refined.sort) {
                    return NOT_OF_THE_SORT;
                }
                for (part, value) in refined.sort.parts(value) {
                    self.member(value, part, spec)?;
                }
            }
            (Sort::Tuple(parts), Value::Tuple(values)) if parts.len() == values.len() => {
                for (value, part) in values.iter().zip(parts) {
                    self.member(value, part, spec)?;
                }
            }
            // Which of several functions built a returned value can't be seen.
            (Sort::Data(id), value)
                if value.is_unread()
                    && spec.data(*id).via.as_ref().is_some_and(|via| via.builders.len() > 1) => {}
            // Which type a value of a trait has can't be seen either.
            (Sort::Data(_), value) if value.is_unread() && refined.object(spec).is_some() => {}
            // A returned text that is too large to be read.
            (Sort::Data(id), value) if value.is_unread() && spec.data(*id).rule.is_some() => {}
            (Sort::Data(id), Value::Data(number, values)) => {
                let ctor = spec.data.get(id.0 as usize).and_then(|data| data.ctors.get(*number as usize));
                let Some(ctor) = ctor.filter(|ctor| ctor.fields.len() == values.len() && !ctor.excluded)
                else {
                    return NOT_OF_THE_SORT;
                };
                let slots = ctor.fields.iter().zip(values.iter());
                let slots = slots.filter_map(|(field, value)| Some((field.slot?, value)));
                let n = slots.clone().map(|(slot, value)| self.enter_field(slot, value)).count();
                for (index, (value, field)) in values.iter().zip(&ctor.fields).enumerate() {
                    if !is_unread(spec.data(*id), (*number as usize, index), value) {
                        self.member(value, &field.refined, spec)?;
                    }
                }
                self.leave_fields(n);
            }
            (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..), _)
            | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_), _) => return NOT_OF_THE_SORT,
        }
        if refined.clauses.is_empty() {
            return Ok(());
        }
        self.set_value(value);
        self.all_hold(&refined.clauses)
    }

    /// Judges the results in a table.
    fn table(&mut self, value: &'a Value, result: &'a Refined, spec: &'a Spec) -> Result<(), Rejection> {
        let table = Table::of(value).ok_or(Rejection::Clause(None))?;
        let mut results = table.entries().map(|(_, result)| result).chain(table.default());
        results.try_for_each(|value| self.member(value, result, spec))
    }

    /// Judges one condition.
    pub(super) fn holds(&mut self, term: &'a Term) -> Judgement {
        self.restart();
        match self.truth(term) {
            Ok(true) => Judgement::Holds,
            Ok(false) | Err(Halt::Undefined) => Judgement::Broken,
            Err(Halt::Unjudged) => Judgement::Unjudged,
            Err(halt) => match self.stop(halt) {
                Stop::SpecError(obstacle) => Judgement::SpecError(obstacle),
                Stop::Undefined | Stop::Unjudged => Judgement::Broken,
            },
        }
    }

    /// Judges clauses in order. Clauses that only a host can judge count as satisfied.
    pub(super) fn all_hold(&mut self, clauses: &'a [Clause]) -> Result<(), Rejection> {
        for clause in clauses {
            match self.holds(&clause.term) {
                Judgement::Holds | Judgement::Unjudged => {}
                Judgement::Broken => return Err(Rejection::Clause(Some(clause.id))),
                Judgement::SpecError(obstacle) => {
                    return Err(Rejection::SpecError { clause: clause.id, obstacle });
                }
            }
        }
        Ok(())
    }
}

/// Whether a field of a value built by a function could not be read back.
fn is_unread(data: &Data, (ctor, field): (usize, usize), value: &Value) -> bool {
    data.via.as_ref().is_some_and(|via| via.is_unread(ctor, field)) && value.is_unread()
}
