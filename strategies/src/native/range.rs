//! Between what ends an integer term can lie, whatever the open places hold.
//!
//! A measure of an open place is unfolded on each way to begin a value, and its ends follow from those of the measures
//! of the parts: at depth 3 the height of a tree is between 0 and 3. What refinements say beyond the domains of
//! scalars is left out, so that the ends may be too wide, but never too narrow.

use std::collections::HashMap;

use super::problem::{Place, places_in};
use super::reduce::{Env, Kind, PLACE};
use super::slots::Slots;
use super::work::Tools;
use crate::ir::{ArithOp, CompareOp, Term, for_children};
use crate::value::Value;
use crate::wire::Wire;

/// The least and the greatest value; `None` where there may be no end.
pub type Ends = (Option<i128>, Option<i128>);

/// A depth that stands for all.
pub const UNBOUNDED: u32 = u32::MAX / 2;

const ANY: Ends = (None, None);

/// The ends of measures that were found.
#[derive(Debug, Default)]
pub struct Ranges {
    /// By call, type and depth; while one is being found, it may be anything.
    calls: HashMap<Vec<u8>, Ends>,
    /// Calls of which more is known for the time being.
    pub known: Vec<(Term, Ends)>,
}

impl Tools {
    /// Whether a condition holds, or doesn't, whatever the open places hold, judged by the ends of its parts.
    pub fn truth(&mut self, term: &Term, places: &Slots<Place>) -> Option<bool> {
        match term {
            Term::Compare(CompareOp::Le, a, b) if self.is_int(a) || self.is_int(b) => {
                let (a, b) = (self.range(a, places), self.range(b, places));
                match (a, b) {
                    ((_, Some(a)), (Some(b), _)) if a <= b => Some(true),
                    ((Some(a), _), (_, Some(b))) if a > b => Some(false),
                    _ => None,
                }
            }
            Term::Equal(a, b) if self.is_int(a) && self.is_int(b) => {
                let (a, b) = (self.range(a, places), self.range(b, places));
                match (a, b) {
                    ((_, Some(a)), (Some(b), _)) if a < b => Some(false),
                    ((Some(a), _), (_, Some(b))) if a > b => Some(false),
                    _ => None,
                }
            }
            Term::Not(inner) => self.truth(inner, places).map(|truth| !truth),
            Term::And(parts) => {
                let mut all = Some(true);
                for part in parts {
                    match self.truth(part, places) {
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
                    match self.truth(part, places) {
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

    /// The ends of an integer term.
    pub fn range(&mut self, term: &Term, places: &Slots<Place>) -> Ends {
        match term {
            Term::Lit(Value::Int(n)) => (n.to_i128(), n.to_i128()),
            Term::Var(slot) => {
                let domain = places.get(*slot).and_then(|place| place.domain);
                domain
                    .and_then(|domain| self.domains.ends(domain))
                    .map_or(ANY, |(lo, hi)| (Some(lo), Some(hi)))
            }
            Term::Arith(op, a, b) => {
                let (a, b) = (self.range(a, places), self.range(b, places));
                arithmetic(*op, a, b)
            }
            Term::Neg(a) => negated(self.range(a, places)),
            Term::Abs(a) => {
                let a = self.range(a, places);
                match a {
                    (Some(lo), _) if lo >= 0 => a,
                    (lo, hi) => {
                        let hi = lo.zip(hi).map(|(lo, hi)| lo.abs().max(hi.abs()));
                        (Some(0), hi)
                    }
                }
            }
            Term::If(condition, a, b) => match self.truth(condition, places) {
                Some(true) => self.range(a, places),
                Some(false) => self.range(b, places),
                None => either(self.range(a, places), self.range(b, places)),
            },
            Term::Len(of) => (Some(0), self.longest(of, places)),
            Term::Call(..) => self.range_of_call(term, places),
            Term::Field { .. } | Term::Project(..) => self.range_of_part(term),
            _ => ANY,
        }
    }

    fn longest(&mut self, of: &Term, places: &Slots<Place>) -> Option<i128> {
        let (of, is_text) = match of {
            Term::Chars(of) => (&**of, true),
            of => (of, false),
        };
        let Term::Var(slot) = of else { return None };
        match (&self.reducer.types.get(places.get(*slot)?.of).form, is_text) {
            (super::types::Form::Str(elements), true) | (super::types::Form::Seq(elements), false) => {
                elements.lens.last().map(|len| i128::from(*len))
            }
            _ => None,
        }
    }

    /// A field is in its domain.
    fn range_of_part(&mut self, term: &Term) -> Ends {
        let Some(of) = self.reducer.type_at(term) else { return ANY };
        match &self.reducer.types.get(of).form {
            super::types::Form::Scalar(domain) => {
                let domain = self.domains.id(domain.clone());
                self.domains.ends(domain).map_or(ANY, |(lo, hi)| (Some(lo), Some(hi)))
            }
            _ => ANY,
        }
    }

    fn range_of_call(&mut self, term: &Term, places: &Slots<Place>) -> Ends {
        if let Some((_, known)) = self.ranges.known.iter().find(|(call, _)| call == term) {
            return *known;
        }
        let [slot] = places_in(term)[..] else { return ANY };
        let Some(place) = places.get(slot).copied() else { return ANY };
        // Where the depth is left open, there may be no end.
        let is_bounded = place.rem < UNBOUNDED;
        if place.domain.is_some() || !is_bounded || self.reducer.kind(term) != Kind::Int {
            return ANY;
        }
        let generic = super::problem::replaced(term, &Term::Var(slot), &Term::Var(PLACE));
        let mut key = generic.to_bytes();
        place.of.0.write(&mut key);
        place.rem.write(&mut key);
        if let Some(known) = self.ranges.calls.get(&key) {
            return *known;
        }
        self.ranges.calls.insert(key.clone(), ANY);
        let mut ends: Option<Ends> = None;
        for head in self.heads(place) {
            let opened: Slots<Place> = head.opened().iter().copied().collect();
            let mut env = Env::new(vec![(slot, head.term().clone())]);
            let unfolded = self.reducer.term(term, &mut env);
            if unfolded == Term::Undefined {
                continue;
            }
            let is_stuck = unfolded == *term || mentions_place(&unfolded, slot);
            let here = if is_stuck { ANY } else { self.range(&unfolded, &opened) };
            ends = Some(ends.map_or(here, |ends| either(ends, here)));
        }
        let ends = ends.unwrap_or((Some(0), Some(0)));
        self.ranges.calls.insert(key, ends);
        ends
    }
}

fn mentions_place(term: &Term, slot: u32) -> bool {
    let mut found = *term == Term::Var(slot);
    for_children(term, &mut |child| found = found || mentions_place(child, slot));
    found
}

/// The ends of what is one or the other.
pub fn either(a: Ends, b: Ends) -> Ends {
    (a.0.zip(b.0).map(|(a, b)| a.min(b)), a.1.zip(b.1).map(|(a, b)| a.max(b)))
}

fn negated((lo, hi): Ends) -> Ends {
    (hi.and_then(i128::checked_neg), lo.and_then(i128::checked_neg))
}

fn plus(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    a.zip(b).and_then(|(a, b)| a.checked_add(b))
}

fn arithmetic(op: ArithOp, a: Ends, b: Ends) -> Ends {
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
        // The least of two has no end below if either has none, but ends above where one does.
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
