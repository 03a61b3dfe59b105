//! What measures can come to under what is demanded of all elements, and how deep values can be then.
//!
//! In a search tree with keys in `3..=7` there are at most 5 nodes; the ends that [`super::range`] finds don't know of
//! keys. Here they are found again with the demands on elements kept, which matters where a measure is large: of the
//! hundred ways to divide a hundred nodes between two subtrees, the interval of their keys leaves one.

use std::collections::HashMap;

use super::clause::Clause;
use super::problem::{Place, Problem, places_in};
use super::range::{Ends, either};
use super::reduce::{Env, PLACE};
use super::slots::Slots;
use super::types::TypeId;
use super::work::{Tools, Work};
use crate::ir::{ArithOp, FunctionId, Term, for_children};
use crate::value::Value;
use crate::wire::Wire;

/// What was found.
#[derive(Debug, Default)]
pub struct Refined {
    /// By demands and measure; `None` while it is being found.
    ends: HashMap<Vec<u8>, Option<Ends>>,
    /// Whether a measure of a type is at least the nesting of the value.
    bounds_nesting: HashMap<(FunctionId, TypeId), bool>,
    /// How many measures are being found, one for the other.
    depth: u32,
    /// How many were looked for.
    n_found: u32,
    /// Whether one wasn't looked for, as there were too many.
    pub is_limited: bool,
}

/// So many measures are found at most, one for the other and in all: demands that grow at each step have no end.
const DEEPEST: u32 = 256;
const MOST: u32 = 100_000;

/// A scalar with a wider domain is not gone through.
const WIDEST: usize = 512;

impl Tools {
    /// The ends of a measure of a place, under what clauses about it demand of its elements.
    pub fn refined(&mut self, slot: u32, place: Place, clauses: &[&Clause], measure: &Term) -> Option<Ends> {
        let demands =
            clauses.iter().filter(|clause| clause.places[..] == [slot] && self.is_of_elements(&clause.term));
        let demands: Vec<&Term> = demands.map(|clause| &clause.term).collect();
        let places = [(slot, Place { rem: 0, ..place })];
        let units = self.units.as_mut();
        let moved = units.and_then(|units| units.moved(&self.reducer.types, &places, &demands));
        let problem = match &moved {
            Some((_, moved)) => Problem::new(&places, &moved.iter().collect::<Vec<&Term>>()),
            None => Problem::new(&places, &demands),
        };
        let generic = super::problem::replaced(measure, &Term::Var(slot), &Term::Var(PLACE));
        let mut key = problem.key();
        generic.write(&mut key);
        if let Some(known) = self.refined.ends.get(&key) {
            return *known;
        }
        if self.refined.depth == DEEPEST || self.refined.n_found == MOST {
            self.refined.is_limited = true;
            return None;
        }
        self.refined.ends.insert(key.clone(), None);
        self.refined.depth += 1;
        self.refined.n_found += 1;
        let slots = std::mem::take(&mut self.reducer.slots);
        let ends = self.find(&problem, &generic);
        self.reducer.slots = slots;
        self.refined.depth -= 1;
        self.refined.ends.insert(key, ends);
        ends
    }

    /// Whether a clause demands something of the elements of one place, or what its type does.
    fn is_of_elements(&self, clause: &Term) -> bool {
        match clause {
            Term::All(..) => true,
            Term::Call(id, _) => self.reducer.types.is_inside(*id),
            _ => false,
        }
    }

    fn find(&mut self, problem: &Problem, measure: &Term) -> Option<Ends> {
        let work = Work::new(problem, self);
        // However deep: the depth is another matter.
        let place = Place { rem: u32::MAX, ..problem.places[0] };
        let mut ends: Option<Ends> = None;
        for head in self.heads(place) {
            let mut work = work.clone();
            let mut env = Env::new(vec![(PLACE, head.term().clone())]);
            let begun = work.begin(PLACE, head, self);
            work.relax(|clause| {
                let structures = clause.places.iter().filter(|slot| work_is_structure(self, **slot)).count();
                structures == 0 || (structures == 1 && self.is_of_elements(&clause.term))
            });
            if begun.is_err() || work.settle(self).is_err() {
                continue;
            }
            let measure = self.reducer.term(measure, &mut env);
            if measure == Term::Undefined {
                continue;
            }
            let Some(here) = self.find_below(&work, &measure)? else { continue };
            ends = Some(ends.map_or(here, |ends| either(ends, here)));
        }
        ends
    }

    /// The ends in a problem in which the scalars that elements are compared with may still be open; `Some(None)` if
    /// there is no solution, `None` if it can't be told.
    fn find_below(&mut self, work: &Work, measure: &Term) -> Option<Option<Ends>> {
        let is_scalar = |slot: &u32| work.places.get(*slot).is_some_and(|place| place.domain.is_some());
        let coupled = work.clauses.iter().filter(|clause| clause.places.len() > 1);
        let scalar = coupled.flat_map(|clause| clause.places.iter()).find(|slot| is_scalar(slot));
        if let Some(slot) = scalar.copied() {
            let place = *work.places.get(slot)?;
            let values = self.domains.values(place.domain?).clone();
            if values.len() > WIDEST {
                return None;
            }
            let mut ends: Option<Ends> = None;
            for value in values.iter() {
                let mut work = work.clone();
                let term = Term::Lit(value.clone());
                let build = self.scalar(place, value);
                if work.fill(slot, build, &term, self).is_err() || work.settle(self).is_err() {
                    continue;
                }
                let measure = self.reducer.term(measure, &mut Env::new(vec![(slot, term)]));
                let Some(here) = self.find_below(&work, &measure)? else { continue };
                ends = Some(ends.map_or(here, |ends| either(ends, here)));
            }
            return Some(ends);
        }
        let mut calls = Vec::new();
        calls_in(measure, &mut calls);
        let clauses: Vec<&Clause> = work.clauses.iter().map(|clause| &**clause).collect();
        let mut known = Vec::new();
        for call in calls {
            let [slot] = places_in(&call)[..] else { return None };
            let place = *work.places.get(slot)?;
            known.push((call.clone(), self.refined(slot, place, &clauses, &call)?));
        }
        let before = std::mem::replace(&mut self.ranges.known, known);
        let ends = self.range(measure, &work.places);
        self.ranges.known = before;
        Some(Some(ends))
    }

    /// The nesting that a demand on a place leaves: no more than a measure that grows with it.
    pub fn nesting(&mut self, slot: u32, place: Place, clauses: &[&Clause]) -> u32 {
        let mut rem = place.rem;
        for clause in clauses {
            if let Term::Equal(call, value) = &clause.term
                && let (Term::Call(id, args), Term::Lit(Value::Int(n))) = (&**call, &**value)
                && args[..] == [Term::Var(slot)]
                && self.bounds_nesting(*id, place.of)
            {
                let most =
                    if n.is_negative() { Some(0) } else { n.to_u64().and_then(|n| u32::try_from(n).ok()) };
                rem = most.map_or(rem, |most| rem.min(most));
            }
        }
        rem
    }

    fn bounds_nesting(&mut self, id: FunctionId, of: TypeId) -> bool {
        if let Some(known) = self.refined.bounds_nesting.get(&(id, of)) {
            return *known;
        }
        self.refined.bounds_nesting.insert((id, of), true);
        let n_slots = self.reducer.slots.len();
        let slot = self.reducer.open(of);
        let types = self.reducer.types.clone();
        let place = self.place(&types, of, 1);
        let found = self.plain_heads(place).into_iter().all(|head| {
            let measure = Term::Call(id, vec![Term::Var(slot)]);
            let measure = self.reducer.term(&measure, &mut Env::new(vec![(slot, head.term().clone())]));
            let opened: Slots<Place> = head.opened().iter().copied().collect();
            let mut parts = Vec::new();
            summands(&measure, &mut parts);
            // Each summand is a number, a scalar, or a measure that is at least 0 for the same reason.
            let least: Option<Vec<i128>> = parts.iter().map(|part| self.least(part, &opened)).collect();
            let Some(least) = least else { return false };
            let total = |but: Option<usize>| {
                let others = least.iter().enumerate().filter(|(at, _)| Some(*at) != but);
                others.map(|(_, n)| *n).try_fold(0_i128, i128::checked_add)
            };
            let is_deep = |place: &Place| types.get(place.of).is_deep;
            total(None).is_some_and(|least| least >= 0)
                && head.opened().iter().filter(|(_, place)| is_deep(place)).all(|(field, _)| {
                    let of_field =
                        |part: &Term| matches!(part, Term::Call(_, args) if args[..] == [Term::Var(*field)]);
                    let at = parts.iter().position(of_field);
                    at.is_some_and(|at| total(Some(at)).is_some_and(|least| least >= 1))
                })
        });
        self.reducer.slots.truncate(n_slots);
        if !found {
            self.refined.bounds_nesting.retain(|_, bounds| !*bounds);
            self.refined.bounds_nesting.insert((id, of), false);
        }
        found
    }
}

impl Tools {
    /// The least that a summand of a measure can be, if that is sure at every depth.
    fn least(&mut self, part: &Term, opened: &Slots<Place>) -> Option<i128> {
        match part {
            Term::Lit(Value::Int(n)) => n.to_i128(),
            Term::Var(_) => self.range(part, opened).0,
            Term::Call(id, args) => match args[..] {
                [Term::Var(slot)] => {
                    let of = opened.get(slot)?.of;
                    self.bounds_nesting(*id, of).then_some(0)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn work_is_structure(tools: &Tools, slot: u32) -> bool {
    let of = tools.reducer.type_of(slot);
    of.is_some_and(|of| !matches!(tools.reducer.types.get(of).form, super::types::Form::Scalar(_)))
}

/// The greatest calls in a term.
pub fn calls_in(term: &Term, found: &mut Vec<Term>) {
    match term {
        Term::Call(..) => found.push(term.clone()),
        term => for_children(term, &mut |child| calls_in(child, found)),
    }
}

/// The summands of a sum.
fn summands(term: &Term, parts: &mut Vec<Term>) {
    match term {
        Term::Arith(ArithOp::Add, a, b) => {
            summands(a, parts);
            summands(b, parts);
        }
        term => parts.push(term.clone()),
    }
}
