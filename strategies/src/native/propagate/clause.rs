//! Constraints on open holes, and the values of terms that they imply.

use std::sync::Arc;

use super::reduce::{boolean, integer};
use crate::logic::codec::Codec;
use crate::logic::ir::{CompareOp, Term};
use crate::logic::value::Value;
use crate::native::plan::domain::Condition;
use crate::native::plan::problem::{FIRST_HOLE, MADE};
use crate::native::plan::problem::{holes_in, occurs, renamed};

/// A constraint.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The condition.
    pub term: Term,
    /// The open holes in it, ascending.
    pub holes: Vec<u32>,
    /// The term whose value it requires. That term is not replaced by its value in this clause.
    pub decides: Option<Arc<Known>>,
}

/// A term with a required value.
#[derive(Clone, Debug)]
pub struct Known {
    /// The term.
    pub atom: Term,
    /// Its value.
    pub value: Term,
    /// The holes in it.
    pub holes: Vec<u32>,
}

impl Clause {
    /// Whether it is a condition on all elements of a collection.
    pub fn is_for_all(&self) -> bool {
        matches!(self.term, Term::All(..))
    }
}

impl Known {
    /// Whether the term occurs in a clause.
    pub fn concerns(&self, clause: &Clause) -> bool {
        self.holes.iter().all(|slot| clause.holes.contains(slot)) && occurs(&clause.term, &self.atom)
    }
}

/// The term and value that a clause about one hole requires.
fn decided(term: &Term, holes: &[u32]) -> Option<Arc<Known>> {
    if holes.len() != 1 {
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
    Some(Arc::new(Known { atom, value, holes: holes.to_vec() }))
}

/// Removes the clauses that satisfy a test from a list, and returns them.
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
    /// A clause with a reduced condition.
    pub fn new(term: Term) -> Arc<Clause> {
        let holes = holes_in(&term);
        let decides = decided(&term, &holes);
        Arc::new(Clause { term, holes, decides })
    }
}

/// Whether a term contains a closure that the engine created.
pub fn binds_made(term: &Term) -> bool {
    let mut found = false;
    crate::logic::ir::visit(term, &mut |term| {
        found |= matches!(term, Term::All(_, c) | Term::Any(_, c) if c.slot == MADE);
    });
    found
}

/// The bytes of a term with its holes renumbered. Sorting by them doesn't depend on the absolute slots.
pub fn by_rank(term: &Term) -> Vec<u8> {
    let holes = holes_in(term);
    let rank = |slot: u32| holes.binary_search(&slot).map_or(slot, |rank| FIRST_HOLE + rank as u32);
    renamed(term, &rank).to_bytes()
}

/// The conjuncts of a condition.
pub fn conjuncts(term: Term) -> Vec<Term> {
    match term {
        Term::And(parts) => parts,
        term => vec![term],
    }
}

/// Adds a condition on an element. Of two bounds on the same side, only the narrower one is kept.
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
