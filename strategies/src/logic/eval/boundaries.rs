//! The boundaries of a spec, and the inputs that touch them.
//!
//! A comparison that every input has to satisfy is a boundary. An input touches it if it only just satisfies the
//! comparison: `v < n` by `v == n - 1`. The least and the greatest value of a machine type are boundaries too, unless
//! the refinement rejects them, and so is the empty collection. For `Rng(n: int) = "{v: i64 | 0 <= v && v < n}"` the
//! boundaries are `v == 0` and `v + 1 == n`.

use std::borrow::Cow;
use std::collections::HashMap;

use super::env::{Datum, Env, Frame};
use super::judgement::Truth;
use super::{Judge, holds_of};
use crate::logic::int::Int;
use crate::logic::ir::{ArithOp, Clause, CompareOp, Refined, SeqKind, Sort, Spec, Term, mentions};
use crate::logic::value::Value;

/// The boundaries of a spec.
#[derive(Debug)]
pub struct Boundaries<'s> {
    spec: &'s Spec,
    all: Vec<Boundary>,
    /// The boundaries of each refined type in the spec, by its address, which is stable while the spec is borrowed.
    of_type: HashMap<*const Refined, Vec<usize>>,
    of_requires: Vec<usize>,
}

/// A boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// The part of the input: the name of a parameter or field, and the path inside it; empty for a condition on all
    /// parameters.
    pub part: String,
    /// When the boundary is touched.
    pub touched: Touched,
}

/// When a value touches a boundary.
#[derive(Clone, Debug, PartialEq)]
pub enum Touched {
    /// If this condition on the slots of the spec holds.
    Where(Term),
    /// If it has no elements.
    Empty,
}

impl<'s> Boundaries<'s> {
    /// The boundaries in the preconditions of a spec, parameters first.
    pub fn of(spec: &'s Spec) -> Boundaries<'s> {
        let (all, of_type) = (Vec::new(), HashMap::new());
        let mut found = Boundaries { spec, all, of_type, of_requires: Vec::new() };
        for param in &spec.params {
            found.walk(&param.refined, &param.name);
        }
        for data in &spec.data {
            for ctor in &data.ctors {
                let name = ctor.rust_path.rsplit("::").next().unwrap_or_default();
                for field in &ctor.fields {
                    found.walk(&field.refined, &format!("{name}.{}", field.name));
                }
            }
        }
        for clause in &spec.requires {
            let lines = found.lines(clause, "");
            found.of_requires.extend(lines);
        }
        found
    }

    /// The boundaries, in order.
    pub fn all(&self) -> &[Boundary] {
        &self.all
    }

    fn walk(&mut self, refined: &'s Refined, part: &str) {
        let mut own = Vec::new();
        for clause in &refined.clauses {
            own.extend(self.lines(clause, part));
        }
        let value = self.spec.value_slot();
        if let Sort::Int(kind) = refined.sort {
            for (boundary, is_least) in [(kind.min_value(), true), (kind.max_value(), false)] {
                let boundary = Value::Int(boundary);
                if !bounds(refined, value, is_least) && self.admits(refined, &boundary) {
                    let term = Term::Equal(Box::new(Term::Var(value)), Box::new(Term::Lit(boundary)));
                    own.push(self.add(part, Touched::Where(term)));
                }
            }
        }
        let empty = match &refined.sort {
            Sort::Str(_) => Some(Value::str("")),
            Sort::Seq(_, SeqKind::Array(_)) => None,
            Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) => Some(Value::seq([])),
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Tuple(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => None,
        };
        if empty.is_some_and(|empty| self.admits(refined, &empty)) {
            own.push(self.add(part, Touched::Empty));
        }
        self.of_type.insert(std::ptr::from_ref(refined), own);
        match &refined.sort {
            Sort::Map(key, held, _) => {
                self.walk(key, &format!("{part}'s keys"));
                self.walk(held, &format!("{part}'s values"));
            }
            Sort::Tuple(parts) => {
                for (index, inner) in parts.iter().enumerate() {
                    self.walk(inner, &format!("{part}.{index}"));
                }
            }
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Set(..)
            | Sort::Data(_)
            | Sort::Opaque(_) => {
                refined.inner().into_iter().for_each(|inner| self.walk(inner, &format!("{part}[..]")))
            }
        }
    }

    /// Adds the boundaries of a clause: those of its comparisons that are conjuncts.
    fn lines(&mut self, clause: &Clause, part: &str) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![&clause.term];
        while let Some(term) = open.pop() {
            if let Term::And(parts) = term {
                open.extend(parts.iter().rev());
            } else if let Term::Compare(op, a, b) = term {
                let touched = just_satisfied(*op, a, b).map(Touched::Where);
                found.extend(touched.map(|touched| self.add(part, touched)));
            }
        }
        found
    }

    /// The index of a boundary, which is added if it is new.
    fn add(&mut self, part: &str, touched: Touched) -> usize {
        let boundary = Boundary { part: part.to_owned(), touched };
        self.all.iter().position(|other| *other == boundary).unwrap_or_else(|| {
            self.all.push(boundary);
            self.all.len() - 1
        })
    }

    /// Whether the clauses that read only the value admit it.
    fn admits(&self, refined: &Refined, value: &Value) -> bool {
        let spec = self.spec;
        let own = spec.value_slot();
        let is_alone = |clause: &&Clause| {
            let fields = spec.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
            let mut others = (0..own).chain(fields.filter_map(|field| field.slot));
            !others.any(|slot| mentions(&clause.term, slot))
        };
        let alone = refined.clauses.iter().filter(is_alone);
        alone
            .into_iter()
            .all(|clause| holds_of(&clause.term, own, value, &spec.functions, &spec.regexes) == Truth::Holds)
    }
}

/// Whether a comparison bounds the value from below, or from above. Then that comparison is the boundary, and not the
/// machine type.
fn bounds(refined: &Refined, value: u32, from_below: bool) -> bool {
    let mut open: Vec<&Term> = refined.clauses.iter().map(|clause| &clause.term).collect();
    while let Some(term) = open.pop() {
        if let Term::And(parts) = term {
            open.extend(parts);
        } else if let Term::Compare(_, a, b) = term
            && **(if from_below { b } else { a }) == Term::Var(value)
        {
            return true;
        }
    }
    false
}

/// The condition under which a comparison is only just satisfied; `None` if values have no neighbours.
fn just_satisfied(op: CompareOp, a: &Term, b: &Term) -> Option<Term> {
    let one = || Box::new(Term::Lit(Value::int(1)));
    let (a, b) = match (op, a, b) {
        // Puts the constant on the right.
        (CompareOp::Le, Term::Lit(_), b) => (b.clone(), Cow::Borrowed(a)),
        (CompareOp::Le, a, b) => (a.clone(), Cow::Borrowed(b)),
        (CompareOp::Lt, Term::Lit(Value::Int(n)), b) => {
            (b.clone(), Cow::Owned(Term::Lit(Value::Int(n + &Int::ONE))))
        }
        (CompareOp::Lt, a, Term::Lit(Value::Int(n))) => {
            (a.clone(), Cow::Owned(Term::Lit(Value::Int(n - &Int::ONE))))
        }
        (CompareOp::Lt, Term::Lit(_), _) | (CompareOp::Lt, _, Term::Lit(_)) => return None,
        (CompareOp::Lt, a, b) => (Term::Arith(ArithOp::Add, Box::new(a.clone()), one()), Cow::Borrowed(b)),
    };
    Some(Term::Equal(Box::new(a), Box::new(b.into_owned())))
}

impl Judge<'_> {
    /// For each boundary, whether an admitted input touches it; `None` if the input has no such part.
    pub fn touched(&mut self, boundaries: &Boundaries<'_>, args: &[Value]) -> Vec<Option<bool>> {
        let mut seen = vec![None; boundaries.all.len()];
        let mut env = self.case(boundaries.spec, args);
        for (param, value) in boundaries.spec.params.iter().zip(args) {
            env.touch(boundaries, &param.refined, value, &mut seen);
        }
        if let Frame::Case { value, .. } = &mut env.frame {
            *value = None;
        }
        for &index in &boundaries.of_requires {
            env.look_at_boundary(&boundaries.all[index], None, &mut seen[index]);
        }
        seen
    }
}

impl<'a> Env<'a> {
    /// Records which boundaries a value and its parts touch.
    fn touch(
        &mut self,
        boundaries: &'a Boundaries<'a>,
        refined: &'a Refined,
        value: &'a Value,
        seen: &mut [Option<bool>],
    ) {
        if let (Sort::Data(id), Value::Data(ctor, values)) = (&refined.sort, value) {
            let Some(ctor) = boundaries.spec.data(*id).ctors.get(*ctor as usize) else { return };
            let slots = ctor.fields.iter().zip(values.iter());
            let slots = slots.filter_map(|(field, value)| Some((field.slot?, value)));
            let n = slots.clone().map(|(slot, value)| self.enter_field(slot, value)).count();
            for (field, value) in ctor.fields.iter().zip(values.iter()) {
                self.touch(boundaries, &field.refined, value, seen);
            }
            self.leave_fields(n);
        }
        for (part, value) in refined.sort.parts(value) {
            self.touch(boundaries, part, value, seen);
        }
        if let Frame::Case { value: slot, .. } = &mut self.frame {
            *slot = Some(value);
        }
        for &index in boundaries.of_type.get(&std::ptr::from_ref(refined)).into_iter().flatten() {
            self.look_at_boundary(&boundaries.all[index], Some(value), &mut seen[index]);
        }
    }

    fn look_at_boundary(&mut self, boundary: &'a Boundary, value: Option<&Value>, seen: &mut Option<bool>) {
        let touched = match &boundary.touched {
            Touched::Empty => value.map(|value| match value {
                Value::Str(text) => text.is_empty(),
                Value::Seq(elements) => elements.is_empty(),
                Value::Bool(_)
                | Value::Int(_)
                | Value::Char(_)
                | Value::Float(_)
                | Value::Tuple(_)
                | Value::Data(..) => false,
            }),
            Touched::Where(Term::Equal(a, b)) => {
                self.restart();
                let both = self.datum(a).and_then(|a| Ok((a, self.datum(b)?)));
                both.ok().and_then(|(a, b): (Datum<'a>, Datum<'a>)| a.equals(&b).ok())
            }
            Touched::Where(_) => None,
        };
        if let Some(touched) = touched {
            *seen = Some(seen.unwrap_or(false) || touched);
        }
    }
}

#[cfg(test)]
mod tests;
