//! Open places and what is demanded of them: the form that a state has, so that equal problems are found equal.

use super::domain::DomainId;
use super::reduce::PLACE;
use super::types::TypeId;
use crate::ir::{Term, for_children, map_children};
use crate::wire::Wire;

/// An open place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Its type.
    pub of: TypeId,
    /// How many recursive constructors may still stand in it; 0 where that doesn't matter.
    pub rem: u32,
    /// What is left of the domain, of a scalar.
    pub domain: Option<DomainId>,
}

/// Open places, which are the slots from [`PLACE`] on, and what has to hold of them.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The places.
    pub places: Vec<Place>,
    /// All must hold.
    pub clauses: Vec<Term>,
}

impl Problem {
    /// The problem of some places under other slots; the clauses must mention no others.
    pub fn new(places: &[(u32, Place)], clauses: &[&Term]) -> Problem {
        let slot = |slot: u32| {
            let at = places.iter().position(|(other, _)| *other == slot);
            at.map_or(slot, |at| PLACE + at as u32)
        };
        let mut clauses: Vec<(Vec<u8>, Term)> = clauses
            .iter()
            .map(|clause| {
                let renamed = renamed(clause, &slot);
                (renamed.to_bytes(), renamed)
            })
            .collect();
        clauses.sort_by(|a, b| a.0.cmp(&b.0));
        clauses.dedup_by(|a, b| a.0 == b.0);
        let clauses = clauses.into_iter().map(|(_, clause)| clause).collect();
        Problem { places: places.iter().map(|(_, place)| *place).collect(), clauses }
    }

    /// Equal problems have the same.
    pub fn key(&self) -> Vec<u8> {
        let mut key = Vec::new();
        for place in &self.places {
            place.of.0.write(&mut key);
            place.rem.write(&mut key);
            place.domain.map_or(u32::MAX, |domain| domain.0).write(&mut key);
        }
        u32::MAX.write(&mut key);
        for clause in &self.clauses {
            clause.write(&mut key);
        }
        key
    }
}

/// A term with the slots of places replaced.
pub fn renamed(term: &Term, slot: &dyn Fn(u32) -> u32) -> Term {
    match term {
        Term::Var(old) if *old >= PLACE => Term::Var(slot(*old)),
        Term::Var(_) | Term::Lit(_) | Term::Undefined => term.clone(),
        term => map_children(term, &mut |child, _| renamed(child, slot)),
    }
}

/// The places that a term mentions, ascending.
pub fn places_in(term: &Term) -> Vec<u32> {
    fn go(term: &Term, found: &mut Vec<u32>) {
        match term {
            Term::Var(slot) if *slot >= PLACE => {
                if let Err(at) = found.binary_search(slot) {
                    found.insert(at, *slot);
                }
            }
            Term::Var(_) | Term::Lit(_) | Term::Undefined => {}
            term => for_children(term, &mut |child| go(child, found)),
        }
    }
    let mut found = Vec::new();
    go(term, &mut found);
    found
}

/// A term with each occurrence of another replaced.
pub fn replaced(term: &Term, old: &Term, new: &Term) -> Term {
    if term == old {
        return new.clone();
    }
    match term {
        Term::Var(_) | Term::Lit(_) | Term::Undefined => term.clone(),
        term => map_children(term, &mut |child, _| replaced(child, old, new)),
    }
}

/// Whether a term occurs in another.
pub fn occurs(term: &Term, wanted: &Term) -> bool {
    if term == wanted {
        return true;
    }
    let mut found = false;
    if !matches!(term, Term::Var(_) | Term::Lit(_) | Term::Undefined) {
        for_children(term, &mut |child| found = found || occurs(child, wanted));
    }
    found
}

/// Whether a term reads no slots but those that its own binders bind and those that are allowed.
pub fn reads_only(term: &Term, allowed: &dyn Fn(u32) -> bool) -> bool {
    fn go(term: &Term, allowed: &dyn Fn(u32) -> bool, bound: &mut Vec<u32>) -> bool {
        if let Term::Var(slot) = term {
            return allowed(*slot) || bound.contains(slot);
        }
        let mut closed = true;
        map_children(term, &mut |child, slots| {
            let n = bound.len();
            bound.extend_from_slice(slots);
            closed = closed && go(child, allowed, bound);
            bound.truncate(n);
            Term::Undefined
        });
        closed
    }
    go(term, allowed, &mut Vec::new())
}
