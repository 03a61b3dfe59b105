//! Decides which choice is made next.
//!
//! Choices with few branches come first. A scalar that is compared with several holes is chosen early, so that the
//! bounds of these holes are known. A measure that couples two holes gets a value, so that the two become
//! independent. Only if no such choice is small does the engine choose the head constructor of a hole: the hole that
//! the first condition reads (as in Korat and Lazy SmallCheck). So all values with the same rejected beginning are
//! skipped together.

use crate::logic::ir::{ArithOp, Term, for_children, mentions, visit};
use crate::logic::value::Value;
use crate::native::plan::domain::DomainId;
use crate::native::plan::problem::FIRST_HOLE;
use crate::native::plan::problem::{Hole, holes_in, reads_only};
use crate::native::plan::types::Form;
use crate::native::propagate::measure_bounds::calls_in;
use crate::native::propagate::reduce::Kind;
use crate::native::propagate::slots::Slots;
use crate::native::propagate::tools::{Interval, Tools};
use crate::native::propagate::work::Component;

/// The next choice.
#[derive(Clone, Debug)]
pub enum Choice {
    /// The value of a scalar.
    Scalar(u32, DomainId),
    /// The value of a term about one hole.
    Atom(Term, Vec<Value>),
    /// The head constructor of a hole.
    Constructor(u32, Hole),
}

/// Maximum number of branches of a choice that decouples holes. With more, a head constructor is chosen instead.
const MAX_BRANCHES: usize = 5_000;

/// Width above which the interval of a measure is refined ([`crate::native::propagate::measure_bounds`]). An interval
/// with two values is small already.
const REFINE_ABOVE: i128 = 1;

/// The same in random walks. They make few choices, and refining takes longer than some wrong ones.
const REFINE_ABOVE_IN_WALKS: i128 = 4;

/// Number of terms that are looked at in random walks. The sizes of a hundred elements of a list are alike.
const MOST_ATOMS_IN_WALKS: usize = 8;

/// Maximum number of values of a measure that is chosen although it couples no holes.
const FEW: usize = 64;

impl Tools {
    /// The next choice for a component.
    pub fn choose(&mut self, component: &Component<'_>, holes: &Slots<Hole>) -> Choice {
        if let Some(choice) = self.uncouple(component, holes) {
            return choice;
        }
        let n_values = |tools: &Tools, hole: &Hole| {
            hole.domain.map_or(usize::MAX, |domain| tools.domains.values(domain).len())
        };
        if let Some((slot, domain)) = self.next_character(component, holes) {
            return Choice::Scalar(slot, domain);
        }
        let scalars = component.holes.iter().filter(|(_, hole)| hole.domain.is_some());
        let smallest = scalars.min_by_key(|(_, hole)| n_values(self, hole));
        let structures: Vec<&(u32, Hole)> =
            component.holes.iter().filter(|(_, hole)| hole.domain.is_none()).collect();
        if let (Some((slot, Hole { domain: Some(domain), .. })), true) = (smallest, structures.is_empty()) {
            return Choice::Scalar(*slot, *domain);
        }
        let first = component
            .clauses
            .iter()
            .flat_map(|clause| clause.holes.iter())
            .find_map(|slot| structures.iter().find(|(other, _)| other == slot));
        match first.or(structures.first()) {
            Some((slot, hole)) => Choice::Constructor(*slot, *hole),
            None => Choice::Constructor(FIRST_HOLE, component.holes[0].1),
        }
    }

    /// The first open character of a string that an automaton reads.
    ///
    /// If characters are chosen from the front, the known ones become a state of the automaton and disappear from the
    /// term. In any other order they stay in the term, and there are as many states as strings.
    fn next_character(&self, component: &Component<'_>, holes: &Slots<Hole>) -> Option<(u32, DomainId)> {
        if self.reducer.types.regexes.is_empty() {
            return None;
        }
        component.clauses.iter().find_map(|clause| {
            let mut first = None;
            visit(&clause.term, &mut |term| {
                if let Term::Matches(_, _, of) = term {
                    visit(of, &mut |part| match part {
                        Term::Var(slot) if first.is_none() => first = Some(*slot),
                        _ => {}
                    });
                }
            });
            let slot = first?;
            Some((slot, holes.get(slot)?.domain?))
        })
    }

    /// A choice that makes structured holes independent of each other, or that narrows a single one.
    pub fn uncouple(&mut self, component: &Component<'_>, holes: &Slots<Hole>) -> Option<Choice> {
        if component.holes.iter().all(|(_, hole)| hole.domain.is_some()) {
            return None;
        }
        if let Some((slot, domain)) = self.first_index(component) {
            return Some(Choice::Scalar(slot, domain));
        }
        let mut best: Option<(usize, Choice)> = None;
        let mut offer = |branches: usize, choice: Choice| {
            if best.as_ref().is_none_or(|(least, _)| branches < *least) {
                best = Some((branches, choice));
            }
        };
        let are_lists_first = self.is_walk && component.holes.iter().any(|(_, hole)| self.is_list(*hole));
        for (slot, hole) in &component.holes {
            if let Some(domain) = hole.domain.filter(|_| !are_lists_first) {
                let n = self.domains.values(domain).len();
                // Of two choices of equal width, the scalar narrows more.
                let branches = if n <= FEW { n / 2 } else { n };
                if n <= MAX_BRANCHES {
                    offer(branches, Choice::Scalar(*slot, domain));
                }
            }
        }
        let is_single = component.holes.len() == 1;
        let most = if is_single { FEW } else { MAX_BRANCHES };
        let mut atoms = Vec::new();
        for clause in &component.clauses {
            if clause.holes.len() > 1 {
                self.atoms(&clause.term, holes, &mut atoms);
            } else if is_single && is_compound(&clause.term) {
                let inside = if let Term::Not(inner) = &clause.term { inner } else { &clause.term };
                for_children(inside, &mut |child| self.atoms(child, holes, &mut atoms));
            }
        }
        if self.is_walk {
            atoms.truncate(MOST_ATOMS_IN_WALKS);
        }
        let mut found = Vec::new();
        for atom in atoms {
            if let Some(values) = self.values_of(&atom, component, holes, most, &mut found) {
                offer(values.len(), Choice::Atom(atom, values));
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// In a walk, a scalar that selects elements of a sequence. Elements that were chosen before it would leave it small: in
    /// a buffer that holds elements up to `len`, the first empty cell ends them.
    fn first_index(&self, component: &Component<'_>) -> Option<(u32, DomainId)> {
        if !self.is_walk {
            return None;
        }
        let scalar = |(slot, hole): &(u32, Hole)| {
            let domain = hole.domain.filter(|domain| self.domains.values(*domain).len() <= MAX_BRANCHES)?;
            Some((*slot, domain))
        };
        let scalars: Vec<(u32, DomainId)> = component.holes.iter().filter_map(scalar).collect();
        if scalars.is_empty() {
            return None;
        }
        let mut indexes = Vec::new();
        component.clauses.iter().for_each(|clause| find_indexes(&clause.term, &mut indexes));
        scalars.into_iter().find(|(slot, _)| indexes.contains(slot))
    }

    /// Whether a hole is a list of no recursive type. In a walk, its length comes before the scalars of other lists: once all lengths are
    /// known, so is how the elements of several lists relate, and a scalar leaves room for those after it.
    fn is_list(&self, hole: Hole) -> bool {
        let of = self.reducer.types.get(hole.of);
        matches!(of.form, Form::Seq(_)) && !of.is_deep
    }

    /// Collects the largest total terms about one structured hole whose sort has few values.
    fn atoms(&mut self, term: &Term, holes: &Slots<Hole>, found: &mut Vec<Term>) {
        let inside = holes_in(term);
        let is_structure = |slot: &u32| holes.get(*slot).is_some_and(|hole| hole.domain.is_none());
        if !inside.iter().any(is_structure) {
            return;
        }
        if inside.len() == 1
            // A sum follows from its summands.
            && !matches!(term, Term::Var(_) | Term::Arith(ArithOp::Add | ArithOp::Sub | ArithOp::Mul, ..) | Term::Neg(_))
            && self.reducer.kind(term) != Kind::Other
            && reads_only(term, &|slot| slot >= FIRST_HOLE)
            && self.reducer.is_total(term)
        {
            if !found.contains(term) {
                found.push(term.clone());
            }
            return;
        }
        for_children(term, &mut |child| self.atoms(child, holes, found));
    }

    /// The possible values of a term; `None` if there are more than `most`.
    fn values_of(
        &mut self,
        atom: &Term,
        component: &Component<'_>,
        holes: &Slots<Hole>,
        most: usize,
        found: &mut Found,
    ) -> Option<Vec<Value>> {
        if self.reducer.kind(atom) == Kind::Bool {
            return Some(vec![Value::Bool(false), Value::Bool(true)]);
        }
        let mut interval = self.range(atom, holes);
        interval = self.narrowed(interval, atom, component, holes);
        let is_wide =
            interval.0.zip(interval.1).is_none_or(|(lo, hi)| hi.saturating_sub(lo) > self.refine_above());
        if is_wide && matches!(atom, Term::Call(..)) {
            let known = self.coupled_measure_bounds(atom, component, holes, found);
            if let Some((_, own)) = known.iter().find(|(call, _)| call == atom) {
                interval = both(interval, *own);
            }
            // Intervals are cached. Those of the other terms were computed above, without the temporary knowledge.
            let before = std::mem::replace(&mut self.ranges.known, known);
            interval = self.narrowed(interval, atom, component, holes);
            self.ranges.known = before;
        }
        let (lo, hi) = interval;
        let (lo, hi) = (lo?, hi?);
        let n = usize::try_from(hi.checked_sub(lo)?.checked_add(1)?).ok()?;
        (n <= most).then(|| (lo..=hi).map(Value::int).collect())
    }
}

impl Tools {
    /// Width above which the interval of a measure is refined.
    pub fn refine_above(&self) -> i128 {
        if self.is_walk { REFINE_ABOVE_IN_WALKS } else { REFINE_ABOVE }
    }

    /// The interval of a term, narrowed by the clauses.
    fn narrowed(
        &mut self,
        mut interval: Interval,
        atom: &Term,
        component: &Component<'_>,
        holes: &Slots<Hole>,
    ) -> Interval {
        for clause in &component.clauses {
            for (_, here) in self.bounds_by(&clause.term, holes, &|term| term == atom) {
                interval = both(interval, here);
            }
        }
        interval
    }

    /// The bounds of a measure, and of the measures that clauses add to it, under the constraints on elements.
    fn coupled_measure_bounds(
        &mut self,
        atom: &Term,
        component: &Component<'_>,
        holes: &Slots<Hole>,
        found: &mut Found,
    ) -> Vec<(Term, Interval)> {
        let mut calls = vec![atom.clone()];
        for clause in &component.clauses {
            let mut here = Vec::new();
            calls_in(&clause.term, &mut here);
            if here.contains(atom) {
                calls.extend(here);
            }
        }
        let mut known: Vec<(Term, Interval)> = Vec::new();
        for call in calls {
            let [slot] = holes_in(&call)[..] else { continue };
            let Some(hole) = holes.get(slot).filter(|hole| hole.domain.is_none()) else { continue };
            let interval = match found.iter().find(|(other, _)| *other == call) {
                Some((_, interval)) => *interval,
                None => {
                    let is_int = self.reducer.kind(&call) == Kind::Int;
                    let interval = if is_int {
                        self.measure_bounds(slot, *hole, &component.clauses, &call)
                    } else {
                        None
                    };
                    found.push((call.clone(), interval));
                    interval
                }
            };
            known.extend(interval.map(|interval| (call, interval)));
        }
        known
    }
}

/// Collects the slots by which a term selects elements of a sequence: in an index, in a limit of a slice, or compared with an
/// index.
fn find_indexes(term: &Term, found: &mut Vec<u32>) {
    visit(term, &mut |part| match part {
        Term::Index(_, index) => find_slots(index, found),
        Term::Slice(_, low, high) => [low, high].into_iter().for_each(|limit| find_slots(limit, found)),
        Term::All(over, closure) | Term::Any(over, closure) if matches!(**over, Term::Range(..)) => {
            visit(&closure.body, &mut |part| {
                if let Term::Compare(_, a, b) = part {
                    for (a, b) in [(a, b), (b, a)] {
                        if let Term::Var(slot) = **a
                            && mentions(b, closure.slot)
                        {
                            found.push(slot);
                        }
                    }
                }
            });
        }
        _ => {}
    });
}

fn find_slots(term: &Term, found: &mut Vec<u32>) {
    visit(term, &mut |part| {
        if let Term::Var(slot) = part {
            found.push(*slot);
        }
    });
}

/// The measures whose bounds were computed, with the result.
type Found = Vec<(Term, Option<Interval>)>;

/// The intersection of two intervals.
fn both(a: Interval, b: Interval) -> Interval {
    (a.0.max(b.0), [a.1, b.1].into_iter().flatten().min())
}

/// Whether a condition on one hole combines several conditions, and so isn't a plain constraint.
fn is_compound(clause: &Term) -> bool {
    match clause {
        Term::Or(_) | Term::And(_) | Term::If(..) | Term::Compare(..) => true,
        Term::Equal(_, value) => !matches!(**value, Term::Lit(_)),
        Term::Not(inner) => is_compound(inner) || matches!(**inner, Term::Equal(..)),
        _ => false,
    }
}
