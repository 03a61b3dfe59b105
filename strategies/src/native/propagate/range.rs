//! The interval that contains an integer term, whatever the open holes hold.
//!
//! A measure of an open hole is unfolded on each head constructor, and its interval follows from the intervals of the
//! measures of its parts. For example, at depth 3 the height of a tree is between 0 and 3. Refinements beyond the
//! domains of scalars are ignored. So an interval may be too wide, but never too narrow.

use super::clause::Clause;
use super::reduce::{Env, Kind};
use super::slots::Slots;
use super::tools::{Interval, Tools};
use crate::logic::codec::Codec;
use crate::logic::ir::{ArithOp, CompareOp, FunctionId, Term, for_children};
use crate::logic::value::Value;
use crate::native::plan::problem::FIRST_HOLE;
use crate::native::plan::problem::{Hole, Lens, holes_in, replaced};
use crate::native::plan::types::{Form, TypeId, Types};

/// A depth that stands for every depth.
pub const UNBOUNDED: u32 = u32::MAX / 2;

const ANY: Interval = (None, None);

impl Tools {
    /// Whether a condition holds for all values of the open holes (`true`), for none (`false`), or neither is known.
    /// Compares the intervals of its parts.
    pub fn truth(&mut self, term: &Term, holes: &Slots<Hole>) -> Option<bool> {
        match term {
            Term::Compare(CompareOp::Le, a, b) if self.is_int(a) || self.is_int(b) => {
                let (a, b) = (self.range(a, holes), self.range(b, holes));
                match (a, b) {
                    ((_, Some(a)), (Some(b), _)) if a <= b => Some(true),
                    ((Some(a), _), (_, Some(b))) if a > b => Some(false),
                    _ => None,
                }
            }
            Term::Equal(a, b) if self.is_int(a) && self.is_int(b) => {
                let (a, b) = (self.range(a, holes), self.range(b, holes));
                match (a, b) {
                    ((_, Some(a)), (Some(b), _)) if a < b => Some(false),
                    ((Some(a), _), (_, Some(b))) if a > b => Some(false),
                    _ => None,
                }
            }
            Term::Not(inner) => self.truth(inner, holes).map(|truth| !truth),
            Term::And(parts) => {
                let mut all = Some(true);
                for part in parts {
                    match self.truth(part, holes) {
                        Some(false) => return Some(false),
                        None => all = None,
                        Some(true) => {}
                    }
                }
                all
            }
            Term::Or(parts) => {
                let mut none = Some(false);
                for part in parts {
                    match self.truth(part, holes) {
                        Some(true) => return Some(true),
                        None => none = None,
                        Some(false) => {}
                    }
                }
                none
            }
            _ => None,
        }
    }

    fn is_int(&self, term: &Term) -> bool {
        self.reducer.kind(term) == Kind::Int
    }

    /// The interval of an integer term.
    pub fn range(&mut self, term: &Term, holes: &Slots<Hole>) -> Interval {
        match term {
            Term::Lit(Value::Int(n)) => (n.to_i128(), n.to_i128()),
            Term::Var(slot) => {
                let domain = holes.get(*slot).and_then(|hole| hole.domain);
                domain
                    .and_then(|domain| self.domains.bounds(domain))
                    .map_or(ANY, |(lo, hi)| (Some(lo), Some(hi)))
            }
            Term::Arith(op, a, b) => {
                let (a, b) = (self.range(a, holes), self.range(b, holes));
                arithmetic(*op, a, b)
            }
            Term::Neg(a) => negated(self.range(a, holes)),
            Term::Abs(a) => {
                let a = self.range(a, holes);
                match a {
                    (Some(lo), _) if lo >= 0 => a,
                    (lo, hi) => {
                        let hi = lo.zip(hi).map(|(lo, hi)| lo.abs().max(hi.abs()));
                        (Some(0), hi)
                    }
                }
            }
            Term::If(condition, a, b) => match self.truth(condition, holes) {
                Some(true) => self.range(a, holes),
                Some(false) => self.range(b, holes),
                None => either(self.range(a, holes), self.range(b, holes)),
            },
            Term::Len(_) => self.range_of_len(term, holes),
            Term::Call(..) => self.range_of_call(term, holes),
            Term::Field { .. } | Term::Project(..) => self.range_of_part(term),
            _ => ANY,
        }
    }

    /// The interval of a length: that of the lengths that the hole's type has, and that conditions leave.
    fn range_of_len(&self, term: &Term, holes: &Slots<Hole>) -> Interval {
        let hole = self.measured(term, holes).and_then(|slot| holes.get(slot));
        let Some(hole) = hole else { return (Some(0), None) };
        match &self.reducer.types.get(hole.of).form {
            Form::Str(elements) | Form::Seq(elements) => {
                let mut left = elements.lens.iter().filter(|len| hole.lens.contains(**len));
                let least = left.next();
                let most = left.next_back().or(least);
                (Some(least.map_or(0, |len| i128::from(*len))), most.map(|len| i128::from(*len)))
            }
            Form::Empty | Form::Scalar(_) | Form::Tuple(_) | Form::Data(_) => (Some(0), None),
        }
    }

    /// The open hole whose length a term is: of a string, the number of characters.
    pub fn measured(&self, term: &Term, holes: &Slots<Hole>) -> Option<u32> {
        let Term::Len(of) = term else { return None };
        let (of, is_text) = if let Term::Chars(of) = &**of { (&**of, true) } else { (&**of, false) };
        let Term::Var(slot) = of else { return None };
        let is_measured = match &self.reducer.types.get(holes.get(*slot)?.of).form {
            Form::Str(_) => is_text,
            Form::Seq(_) => !is_text,
            Form::Empty | Form::Scalar(_) | Form::Tuple(_) | Form::Data(_) => false,
        };
        is_measured.then_some(*slot)
    }

    /// The open hole that a clause only requires a range of lengths of.
    pub fn required_lens(&self, clause: &Clause, holes: &Slots<Hole>) -> Option<(u32, Lens)> {
        let Term::Compare(CompareOp::Le, a, b) = &clause.term else { return None };
        match (&**a, &**b) {
            (Term::Lit(Value::Int(n)), len) => {
                Some((self.measured(len, holes)?, lens_in((Some(n.to_i128()?), None))))
            }
            (len, Term::Lit(Value::Int(n))) => {
                Some((self.measured(len, holes)?, lens_in((None, Some(n.to_i128()?)))))
            }
            _ => None,
        }
    }

    /// The interval of a field's domain.
    fn range_of_part(&mut self, term: &Term) -> Interval {
        let Some(of) = self.reducer.type_at(term) else { return ANY };
        match &self.reducer.types.get(of).form {
            Form::Scalar(domain) => {
                let domain = self.domains.id(domain.clone());
                self.domains.bounds(domain).map_or(ANY, |(lo, hi)| (Some(lo), Some(hi)))
            }
            _ => ANY,
        }
    }

    fn range_of_call(&mut self, term: &Term, holes: &Slots<Hole>) -> Interval {
        if let Some((_, known)) = self.ranges.known.iter().find(|(call, _)| call == term) {
            return *known;
        }
        // The size of each element of a list is asked for again and again.
        let of_variable = of_variable(term);
        let inside = if of_variable.is_some() { Vec::new() } else { holes_in(term) };
        let slot = match (of_variable, inside.as_slice()) {
            (Some((_, slot)), _) => slot,
            (None, [slot]) => *slot,
            (None, _) => return ANY,
        };
        let Some(hole) = holes.get(slot).copied() else { return ANY };
        // At unlimited depth, there may be no bound.
        let is_bounded = hole.rem < UNBOUNDED;
        if hole.domain.is_some() || !is_bounded || self.reducer.kind(term) != Kind::Int {
            return ANY;
        }
        let generic = match of_variable {
            Some((id, _)) => Term::Call(id, vec![Term::Var(FIRST_HOLE)]),
            None => replaced(term, &Term::Var(slot), &Term::Var(FIRST_HOLE)),
        };
        let mut key = generic.to_bytes();
        hole.of.0.write(&mut key);
        hole.rem.write(&mut key);
        hole.lens.write(&mut key);
        if let Some(known) = self.ranges.calls.get(&key) {
            return *known;
        }
        self.ranges.calls.insert(key.clone(), ANY);
        let mut interval: Option<Interval> = None;
        if of_variable.is_some_and(|(id, _)| self.is_size_of_list(id, hole)) {
            interval = self.range_of_size(hole);
        } else {
            for constructor in self.constructors(hole) {
                let opened: Slots<Hole> = constructor.opened().iter().copied().collect();
                let mut env = Env::new(vec![(slot, constructor.term().clone())]);
                let unfolded = self.reducer.term(term, &mut env);
                if unfolded == Term::Undefined {
                    continue;
                }
                let is_stuck = unfolded == *term || mentions_hole(&unfolded, slot);
                let here = if is_stuck { ANY } else { self.range(&unfolded, &opened) };
                interval = Some(interval.map_or(here, |interval| either(interval, here)));
            }
        }
        let interval = interval.unwrap_or((Some(0), Some(0)));
        self.ranges.calls.insert(key, interval);
        interval
    }

    fn is_size_of_list(&self, id: FunctionId, hole: Hole) -> bool {
        let found = self.reducer.types.get(hole.of);
        found.size == Some(id) && matches!(found.form, Form::Seq(_))
    }

    /// The interval of the sizes of a list; `None` if it has no length. Unfolding the size on each length takes time that is quadratic in
    /// the greatest.
    fn range_of_size(&mut self, hole: Hole) -> Option<Interval> {
        let types = self.reducer.types.clone();
        let Form::Seq(elements) = &types.get(hole.of).form else { return None };
        let (mut interval, mut before, mut total) = (None, 0, (Some(0), Some(0)));
        for &len in elements.lens.iter().filter(|len| hole.lens.contains(**len)) {
            for index in before..len {
                let element = self.range_of_element(&types, elements.at(index), hole.rem);
                total = arithmetic(ArithOp::Add, total, element);
            }
            before = len;
            let n = Some(i128::from(len));
            let here = arithmetic(ArithOp::Add, total, (n, n));
            interval = Some(interval.map_or(here, |interval| either(interval, here)));
        }
        interval
    }

    /// The interval of the sizes of an element of a list.
    fn range_of_element(&mut self, types: &Types, of: TypeId, rem: u32) -> Interval {
        let Some(size) = types.get(of).size else { return (Some(0), Some(0)) };
        let n_slots = self.reducer.slots.len();
        let slot = self.reducer.open(of);
        let holes: Slots<Hole> = [(slot, self.hole(types, of, rem))].into_iter().collect();
        let interval = self.range_of_call(&Term::Call(size, vec![Term::Var(slot)]), &holes);
        self.reducer.slots.truncate(n_slots);
        interval
    }
}

/// The lengths in an interval.
pub fn lens_in((lo, hi): Interval) -> Lens {
    let within = |n: i128| u32::try_from(n.clamp(0, i128::from(u32::MAX))).unwrap_or(u32::MAX);
    match hi {
        // No length is negative.
        Some(hi) if hi < 0 => Lens { least: 1, most: 0 },
        hi => Lens { least: lo.map_or(0, within), most: hi.map_or(u32::MAX, within) },
    }
}

fn mentions_hole(term: &Term, slot: u32) -> bool {
    let mut found = *term == Term::Var(slot);
    for_children(term, &mut |child| found = found || mentions_hole(child, slot));
    found
}

/// The smallest interval that contains both.
pub fn either(a: Interval, b: Interval) -> Interval {
    (a.0.zip(b.0).map(|(a, b)| a.min(b)), a.1.zip(b.1).map(|(a, b)| a.max(b)))
}

/// The function and the variable of a call on a variable alone.
fn of_variable(term: &Term) -> Option<(FunctionId, u32)> {
    let Term::Call(id, args) = term else { return None };
    if let [Term::Var(slot)] = args[..] { Some((*id, slot)) } else { None }
}

fn negated((lo, hi): Interval) -> Interval {
    (hi.and_then(i128::checked_neg), lo.and_then(i128::checked_neg))
}

fn plus(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    a.zip(b).and_then(|(a, b)| a.checked_add(b))
}

fn arithmetic(op: ArithOp, a: Interval, b: Interval) -> Interval {
    match op {
        ArithOp::Add => (plus(a.0, b.0), plus(a.1, b.1)),
        ArithOp::Sub => arithmetic(ArithOp::Add, a, negated(b)),
        ArithOp::Mul => match (a, b) {
            ((Some(a), Some(b)), (Some(c), Some(d))) => {
                let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
                match products.into_iter().collect::<Option<Vec<i128>>>() {
                    Some(products) => (products.iter().min().copied(), products.iter().max().copied()),
                    None => ANY,
                }
            }
            _ => ANY,
        },
        // The minimum has a lower bound only if both have one, and an upper bound if either has one.
        ArithOp::Min => (
            a.0.zip(b.0).map(|(a, b)| a.min(b)),
            match (a.1, b.1) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        ),
        ArithOp::Max => negated(arithmetic(ArithOp::Min, negated(a), negated(b))),
        _ => ANY,
    }
}
