//! What has to hold of open places: conditions, and what they say of the value of a term.

use std::sync::Arc;

use super::domain::Condition;
use super::problem::{occurs, places_in, renamed};
use super::reduce::{MADE, PLACE, boolean, integer};
use crate::ir::{CompareOp, Term};
use crate::value::Value;
use crate::wire::Wire;

/// What has to hold.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The condition.
    pub term: Term,
    /// The open places that it mentions, ascending.
    pub places: Vec<u32>,
    /// The term whose value it demands, which is not put in its place here.
    pub decides: Option<Arc<Known>>,
}

/// A term whose value is demanded.
#[derive(Clone, Debug)]
pub struct Known {
    /// The term.
    pub atom: Term,
    /// Its value.
    pub value: Term,
    /// The places that it mentions.
    pub places: Vec<u32>,
}

impl Known {
    /// Whether the term occurs in a clause.
    pub fn concerns(&self, clause: &Clause) -> bool {
        self.places.iter().all(|slot| clause.places.contains(slot)) && occurs(&clause.term, &self.atom)
    }
}

/// What a clause about one place says of the value of a term.
fn decided(term: &Term, places: &[u32]) -> Option<Arc<Known>> {
    if places.len() != 1 {
        return None;
    }
    let (atom, value) = match term {
        Term::Equal(atom, value)
            if matches!(
                **value,
                Term::Lit(Value::Int(_) | Value::Bool(_) | Value::Char(_) | Value::Str(_))
            ) && !matches!(**atom, Term::Var(_)) =>
        {
            ((**atom).clone(), (**value).clone())
        }
        Term::Call(..) | Term::IsCtor(..) => (term.clone(), boolean(true)),
        Term::Not(inner) if matches!(**inner, Term::Call(..) | Term::IsCtor(..)) => {
            ((**inner).clone(), boolean(false))
        }
        _ => return None,
    };
    Some(Arc::new(Known { atom, value, places: places.to_vec() }))
}

/// Takes those out of a list that a test holds of.
pub fn take(list: &mut Vec<Arc<Clause>>, test: impl Fn(&Clause) -> bool) -> Vec<Arc<Clause>> {
    let mut taken = Vec::new();
    list.retain(|clause| {
        let takes = test(clause);
        if takes {
            taken.push(clause.clone());
        }
        !takes
    });
    taken
}

impl Clause {
    /// A condition that is reduced.
    pub fn new(term: Term) -> Arc<Clause> {
        let places = places_in(&term);
        let decides = decided(&term, &places);
        Arc::new(Clause { term, places, decides })
    }
}

/// Whether a closure made here is inside.
pub fn binds_made(term: &Term) -> bool {
    let mut found = false;
    crate::ir::visit(term, &mut |term| {
        found |= matches!(term, Term::All(_, c) | Term::Any(_, c) if c.slot == MADE);
    });
    found
}

/// The bytes of a term with its places numbered, so that an order by them doesn't depend on how many there were before.
pub fn by_rank(term: &Term) -> Vec<u8> {
    let places = places_in(term);
    let rank = |slot: u32| places.binary_search(&slot).map_or(slot, |rank| PLACE + rank as u32);
    renamed(term, &rank).to_bytes()
}

/// The conditions that one is put together of.
pub fn conjuncts(term: Term) -> Vec<Term> {
    match term {
        Term::And(parts) => parts,
        term => vec![term],
    }
}

/// Adds a condition on an element; of two bounds on the same side, the narrower one stays.
pub fn add_bound(parts: &mut Vec<Term>, part: Term) {
    let Some(bound) = Condition::of(&part, MADE) else {
        parts.push(part);
        return;
    };
    for other in parts.iter_mut() {
        match (Condition::of(other, MADE), &bound) {
            (Some(Condition::AtLeast(old)), Condition::AtLeast(new)) => {
                *other = at_least(old.max(*new));
                return;
            }
            (Some(Condition::AtMost(old)), Condition::AtMost(new)) => {
                *other = at_most(old.min(*new));
                return;
            }
            _ => {}
        }
    }
    parts.push(match bound {
        Condition::AtLeast(n) => at_least(n),
        Condition::AtMost(n) => at_most(n),
        _ => part,
    });
}

fn at_least(n: i128) -> Term {
    Term::Compare(CompareOp::Le, Box::new(integer(n)), Box::new(Term::Var(MADE)))
}

fn at_most(n: i128) -> Term {
    Term::Compare(CompareOp::Le, Box::new(Term::Var(MADE)), Box::new(integer(n)))
}
