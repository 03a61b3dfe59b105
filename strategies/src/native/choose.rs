//! Which choice is made next.
//!
//! What decides is how many ways there are: few first. A scalar that several places are compared with comes early, so
//! that their bounds are known before they are begun; a measure that two places have to agree on is given a value, so
//! that they go on without each other. Only when no such choice is small is a place begun whose rest isn't known: the
//! one that the first condition looks at (as Korat and Lazy SmallCheck do), so that all values with the same refused
//! beginning are skipped together.

use super::domain::DomainId;
use super::problem::{Place, places_in, reads_only};
use super::range::Ends;
use super::reduce::{Kind, PLACE};
use super::refined::calls_in;
use super::slots::Slots;
use super::work::{Component, Tools};
use crate::ir::{ArithOp, Term, for_children};
use crate::value::Value;

/// A choice to be made.
#[derive(Clone, Debug)]
pub enum Choice {
    /// The value of a scalar.
    Scalar(u32, DomainId),
    /// The value of a term about one place.
    Atom(Term, Vec<Value>),
    /// How the value at a place begins.
    Head(u32, Place),
}

/// With more ways than this, a scalar or a measure isn't what to begin with.
const MAX_WAYS: usize = 5_000;

/// From so many values on, it is worth finding out which a measure can have.
pub const WIDE: i128 = 1;

/// A measure of one place is only given a value for its own sake if there are few.
const FEW: usize = 64;

impl Tools {
    /// The next choice in a group of places.
    pub fn choose(&mut self, component: &Component<'_>, places: &Slots<Place>) -> Choice {
        if let Some(choice) = self.uncouple(component, places) {
            return choice;
        }
        let n_values = |tools: &Tools, place: &Place| {
            place.domain.map_or(usize::MAX, |domain| tools.domains.values(domain).len())
        };
        let scalars = component.places.iter().filter(|(_, place)| place.domain.is_some());
        let smallest = scalars.min_by_key(|(_, place)| n_values(self, place));
        let structures: Vec<&(u32, Place)> =
            component.places.iter().filter(|(_, place)| place.domain.is_none()).collect();
        if let (Some((slot, Place { domain: Some(domain), .. })), true) = (smallest, structures.is_empty()) {
            return Choice::Scalar(*slot, *domain);
        }
        let first = component
            .clauses
            .iter()
            .flat_map(|clause| clause.places.iter())
            .find_map(|slot| structures.iter().find(|(other, _)| other == slot));
        match first.or(structures.first()) {
            Some((slot, place)) => Choice::Head(*slot, *place),
            None => Choice::Head(PLACE, component.places[0].1),
        }
    }

    /// A choice that makes places that aren't scalars independent of others, or tells more of a single one.
    pub fn uncouple(&mut self, component: &Component<'_>, places: &Slots<Place>) -> Option<Choice> {
        if component.places.iter().all(|(_, place)| place.domain.is_some()) {
            return None;
        }
        let mut best: Option<(usize, Choice)> = None;
        let mut offer = |ways: usize, choice: Choice| {
            if best.as_ref().is_none_or(|(least, _)| ways < *least) {
                best = Some((ways, choice));
            }
        };
        for (slot, place) in &component.places {
            if let Some(domain) = place.domain {
                let n = self.domains.values(domain).len();
                // Of two choices that are equally wide, the scalar tells more.
                let ways = if n <= FEW { n / 2 } else { n };
                if n <= MAX_WAYS {
                    offer(ways, Choice::Scalar(*slot, domain));
                }
            }
        }
        let is_single = component.places.len() == 1;
        let most = if is_single { FEW } else { MAX_WAYS };
        let mut atoms = Vec::new();
        for clause in &component.clauses {
            if clause.places.len() > 1 {
                self.atoms(&clause.term, places, &mut atoms);
            } else if is_single && is_compound(&clause.term) {
                let inside = if let Term::Not(inner) = &clause.term { inner } else { &clause.term };
                for_children(inside, &mut |child| self.atoms(child, places, &mut atoms));
            }
        }
        let mut found = Vec::new();
        for atom in atoms {
            if let Some(values) = self.values_of(&atom, component, places, most, &mut found) {
                offer(values.len(), Choice::Atom(atom, values));
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// The greatest terms about one place that isn't a scalar, with a value whatever it holds, of a sort with few.
    fn atoms(&mut self, term: &Term, places: &Slots<Place>, found: &mut Vec<Term>) {
        let inside = places_in(term);
        let is_structure = |slot: &u32| places.get(*slot).is_some_and(|place| place.domain.is_none());
        if !inside.iter().any(is_structure) {
            return;
        }
        if inside.len() == 1
            // A sum is known by its summands.
            && !matches!(term, Term::Var(_) | Term::Arith(ArithOp::Add | ArithOp::Sub | ArithOp::Mul, ..) | Term::Neg(_))
            && self.reducer.kind(term) != Kind::Other
            && reads_only(term, &|slot| slot >= PLACE)
            && self.reducer.is_total(term)
        {
            if !found.contains(term) {
                found.push(term.clone());
            }
            return;
        }
        for_children(term, &mut |child| self.atoms(child, places, found));
    }

    /// The values that a term may have, if they are not too many.
    fn values_of(
        &mut self,
        atom: &Term,
        component: &Component<'_>,
        places: &Slots<Place>,
        most: usize,
        found: &mut Found,
    ) -> Option<Vec<Value>> {
        if self.reducer.kind(atom) == Kind::Bool {
            return Some(vec![Value::Bool(false), Value::Bool(true)]);
        }
        let mut ends = self.range(atom, places);
        ends = self.narrowed(ends, atom, component, places);
        let is_wide = ends.0.zip(ends.1).is_none_or(|(lo, hi)| hi.saturating_sub(lo) > WIDE);
        if is_wide && matches!(atom, Term::Call(..)) {
            let known = self.refined_beside(atom, component, places, found);
            if let Some((_, own)) = known.iter().find(|(call, _)| call == atom) {
                ends = both(ends, *own);
            }
            // Ranges are remembered, and those of the others were found just now, without what is known for the moment.
            let before = std::mem::replace(&mut self.ranges.known, known);
            ends = self.narrowed(ends, atom, component, places);
            self.ranges.known = before;
        }
        let (lo, hi) = ends;
        let (lo, hi) = (lo?, hi?);
        let n = usize::try_from(hi.checked_sub(lo)?.checked_add(1)?).ok()?;
        (n <= most).then(|| (lo..=hi).map(Value::int).collect())
    }
}

impl Tools {
    /// The ends of a term within those that clauses leave it.
    fn narrowed(
        &mut self,
        mut ends: Ends,
        atom: &Term,
        component: &Component<'_>,
        places: &Slots<Place>,
    ) -> Ends {
        for clause in &component.clauses {
            for (_, here) in self.bounds_by(&clause.term, places, &|term| term == atom) {
                ends = both(ends, here);
            }
        }
        ends
    }

    /// The ends of a measure, and of those that clauses add to it, under what is demanded of elements.
    fn refined_beside(
        &mut self,
        atom: &Term,
        component: &Component<'_>,
        places: &Slots<Place>,
        found: &mut Found,
    ) -> Vec<(Term, Ends)> {
        let mut calls = vec![atom.clone()];
        for clause in &component.clauses {
            let mut here = Vec::new();
            calls_in(&clause.term, &mut here);
            if here.contains(atom) {
                calls.extend(here);
            }
        }
        let mut known: Vec<(Term, Ends)> = Vec::new();
        for call in calls {
            let [slot] = places_in(&call)[..] else { continue };
            let Some(place) = places.get(slot).filter(|place| place.domain.is_none()) else { continue };
            let ends = match found.iter().find(|(other, _)| *other == call) {
                Some((_, ends)) => *ends,
                None => {
                    let is_int = self.reducer.kind(&call) == Kind::Int;
                    let ends =
                        if is_int { self.refined(slot, *place, &component.clauses, &call) } else { None };
                    found.push((call.clone(), ends));
                    ends
                }
            };
            known.extend(ends.map(|ends| (call, ends)));
        }
        known
    }
}

/// The ends of measures, as far as they were looked for.
type Found = Vec<(Term, Option<Ends>)>;

/// What is within two pairs of ends.
fn both(a: Ends, b: Ends) -> Ends {
    (a.0.max(b.0), [a.1, b.1].into_iter().flatten().min())
}

/// Whether a condition on one place is put together of others, rather than a demand.
fn is_compound(clause: &Term) -> bool {
    match clause {
        Term::Or(_) | Term::And(_) | Term::If(..) | Term::Compare(..) => true,
        Term::Equal(_, value) => !matches!(**value, Term::Lit(_)),
        Term::Not(inner) => is_compound(inner) || matches!(**inner, Term::Equal(..)),
        _ => false,
    }
}
