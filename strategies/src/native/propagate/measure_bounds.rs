//! Bounds of measures under the constraints on all elements, and the maximum nesting that follows.
//!
//! A search tree with keys in `3..=7` has at most 5 nodes, but the intervals of [`super::range`] ignore keys. This
//! module computes them again with the constraints on elements. That matters for large measures: of the hundred ways
//! to divide a hundred nodes between two subtrees, the interval of their keys leaves one.

use super::clause::Clause;
use super::range::either;
use super::reduce::Env;
use super::slots::Slots;
use super::tools::{Interval, Tools};
use super::work::Work;
use crate::logic::codec::Codec;
use crate::logic::ir::{ArithOp, FunctionId, Term, for_children};
use crate::logic::value::Value;
use crate::native::plan::problem::FIRST_HOLE;
use crate::native::plan::problem::{Hole, Problem, holes_in, replaced};
use crate::native::plan::types::{Form, TypeId, Types};

/// Maximum numbers of nested computations, and of computations in all. Constraints that grow at each step would never
/// end.
const DEEPEST: u32 = 256;
const MOST: u32 = 100_000;

/// Maximum size of a scalar's domain whose values are tried one by one.
const WIDEST: usize = 512;

/// Maximum number of values of scalars in one computation. Several scalars of an element, such as those of a list in a list, would
/// need all combinations of their values.
const MOST_VALUES: u32 = 4096;

/// The bounds of a measure can't be computed.
struct Uncomputed;

impl Tools {
    /// The bounds of a measure of a hole, under the constraints of clauses on its elements. `None` also for types that aren't recursive.
    pub fn measure_bounds(
        &mut self,
        slot: u32,
        hole: Hole,
        clauses: &[&Clause],
        measure: &Term,
    ) -> Option<Interval> {
        // The length of a list is chosen early, and bounds its measures.
        if !self.reducer.types.get(hole.of).is_deep {
            return None;
        }
        let constraints =
            clauses.iter().filter(|clause| clause.holes[..] == [slot] && self.is_of_elements(&clause.term));
        let constraints: Vec<&Term> = constraints.map(|clause| &clause.term).collect();
        let holes = [(slot, Hole { rem: 0, ..hole })];
        let translation = self.translation.as_mut();
        let translated = translation
            .and_then(|translation| translation.translated(&self.reducer.types, &holes, &constraints));
        let problem = match &translated {
            Some((_, translated)) => Problem::new(&holes, &translated.iter().collect::<Vec<&Term>>()),
            None => Problem::new(&holes, &constraints),
        };
        let generic = replaced(measure, &Term::Var(slot), &Term::Var(FIRST_HOLE));
        let mut key = problem.key();
        generic.write(&mut key);
        if let Some(known) = self.measure_bounds.interval.get(&key) {
            return *known;
        }
        if self.measure_bounds.depth == DEEPEST || self.measure_bounds.n_found == MOST {
            self.measure_bounds.is_limited = true;
            return None;
        }
        self.measure_bounds.interval.insert(key.clone(), None);
        self.measure_bounds.depth += 1;
        self.measure_bounds.n_found += 1;
        let slots = std::mem::take(&mut self.reducer.slots);
        let n_values = std::mem::take(&mut self.measure_bounds.n_values);
        let interval = self.find(&problem, &generic);
        self.measure_bounds.n_values = n_values;
        self.reducer.slots = slots;
        self.measure_bounds.depth -= 1;
        self.measure_bounds.interval.insert(key, interval);
        interval
    }

    /// Whether a clause constrains the elements of one hole, or is the constraint of the hole's type.
    fn is_of_elements(&self, clause: &Term) -> bool {
        match clause {
            Term::All(..) => true,
            Term::Call(id, _) => self.reducer.types.is_inside(*id),
            _ => false,
        }
    }

    fn find(&mut self, problem: &Problem, measure: &Term) -> Option<Interval> {
        let work = Work::new(problem, self);
        // At any depth: the depth is handled separately.
        let hole = Hole { rem: u32::MAX, ..problem.holes[0] };
        let mut interval: Option<Interval> = None;
        for constructor in self.constructors(hole) {
            let mut work = work.clone();
            let mut env = Env::new(vec![(FIRST_HOLE, constructor.term().clone())]);
            let begun = work.begin(FIRST_HOLE, constructor, self);
            work.relax(|clause| {
                let structures = clause.holes.iter().filter(|slot| work_is_structure(self, **slot)).count();
                structures == 0 || (structures == 1 && self.is_of_elements(&clause.term))
            });
            if begun.is_err() || work.propagate(self).is_err() {
                continue;
            }
            let measure = self.reducer.term(measure, &mut env);
            if measure == Term::Undefined {
                continue;
            }
            let Some(here) = self.find_below(&work, &measure).ok()? else { continue };
            interval = Some(interval.map_or(here, |interval| either(interval, here)));
        }
        interval
    }

    /// The bounds of a measure in a problem whose scalars may still be open; `None` if there is no solution.
    fn find_below(&mut self, work: &Work, measure: &Term) -> Result<Option<Interval>, Uncomputed> {
        let is_scalar = |slot: &u32| work.holes.get(*slot).is_some_and(|hole| hole.domain.is_some());
        let coupled = work.clauses.iter().filter(|clause| clause.holes.len() > 1);
        let scalar = coupled.flat_map(|clause| clause.holes.iter()).find(|slot| is_scalar(slot));
        if let Some(slot) = scalar.copied() {
            let hole = *work.holes.get(slot).ok_or(Uncomputed)?;
            let values = self.domains.values(hole.domain.ok_or(Uncomputed)?).clone();
            if values.len() > WIDEST {
                return Err(Uncomputed);
            }
            let mut interval: Option<Interval> = None;
            for value in values.iter() {
                self.measure_bounds.n_values += 1;
                if self.measure_bounds.n_values > MOST_VALUES {
                    return Err(Uncomputed);
                }
                let mut work = work.clone();
                let term = Term::Lit(value.clone());
                let build = self.scalar(hole, value);
                if work.fill(slot, build, &term, self).is_err() || work.propagate(self).is_err() {
                    continue;
                }
                let measure = self.reducer.term(measure, &mut Env::new(vec![(slot, term)]));
                let Some(here) = self.find_below(&work, &measure)? else { continue };
                interval = Some(interval.map_or(here, |interval| either(interval, here)));
            }
            return Ok(interval);
        }
        let mut calls = Vec::new();
        calls_in(measure, &mut calls);
        let clauses: Vec<&Clause> = work.clauses.iter().map(|clause| &**clause).collect();
        let mut known = Vec::new();
        for call in calls {
            let [slot] = holes_in(&call)[..] else { return Err(Uncomputed) };
            let hole = *work.holes.get(slot).ok_or(Uncomputed)?;
            known.push((call.clone(), self.measure_bounds(slot, hole, &clauses, &call).ok_or(Uncomputed)?));
        }
        let before = std::mem::replace(&mut self.ranges.known, known);
        let interval = self.range(measure, &work.holes);
        self.ranges.known = before;
        Ok(Some(interval))
    }

    /// The maximum nesting of a hole, given required values of measures that grow with the nesting.
    pub fn nesting(&mut self, slot: u32, hole: Hole, clauses: &[&Clause]) -> u32 {
        let mut rem = hole.rem;
        for clause in clauses {
            if let Term::Equal(call, value) = &clause.term
                && let (Term::Call(id, args), Term::Lit(Value::Int(n))) = (&**call, &**value)
                && args[..] == [Term::Var(slot)]
                && self.bounds_nesting(*id, hole.of)
            {
                let most =
                    if n.is_negative() { Some(0) } else { n.to_u64().and_then(|n| u32::try_from(n).ok()) };
                rem = most.map_or(rem, |most| rem.min(most));
            }
        }
        rem
    }

    fn bounds_nesting(&mut self, id: FunctionId, of: TypeId) -> bool {
        if let Some(known) = self.measure_bounds.bounds_nesting.get(&(id, of)) {
            return *known;
        }
        self.measure_bounds.bounds_nesting.insert((id, of), true);
        let types = self.reducer.types.clone();
        let found = match &types.get(of).form {
            Form::Str(_) if types.get(of).size == Some(id) => true,
            Form::Seq(elements) if types.get(of).size == Some(id) => {
                // Each element counts one, and its size, which is at least 0 by induction.
                let is_at_least_0 =
                    |of: TypeId| types.get(of).size.is_none_or(|size| self.bounds_nesting(size, of));
                elements.types().all(is_at_least_0)
            }
            _ => self.unfolds_to_bound(&types, id, of),
        };
        if !found {
            self.measure_bounds.bounds_nesting.retain(|_, bounds| !*bounds);
            self.measure_bounds.bounds_nesting.insert((id, of), false);
        }
        found
    }

    /// Whether a measure bounds the nesting of a type, by what it is on each head constructor.
    fn unfolds_to_bound(&mut self, types: &Types, id: FunctionId, of: TypeId) -> bool {
        let n_slots = self.reducer.slots.len();
        let slot = self.reducer.open(of);
        let hole = self.hole(types, of, 1);
        let found = self.plain_constructors(hole).into_iter().all(|constructor| {
            let measure = Term::Call(id, vec![Term::Var(slot)]);
            let measure =
                self.reducer.term(&measure, &mut Env::new(vec![(slot, constructor.term().clone())]));
            let opened: Slots<Hole> = constructor.opened().iter().copied().collect();
            let mut parts = Vec::new();
            summands(&measure, &mut parts);
            // Each summand is a number, a scalar, a length, or a measure that is at least 0 by induction.
            let least: Option<Vec<i128>> = parts.iter().map(|part| self.least(part, &opened)).collect();
            let Some(least) = least else { return false };
            let total = |but: Option<usize>| {
                let others = least.iter().enumerate().filter(|(at, _)| Some(*at) != but);
                others.map(|(_, n)| *n).try_fold(0_i128, i128::checked_add)
            };
            let is_deep = |hole: &Hole| types.get(hole.of).is_deep;
            total(None).is_some_and(|least| least >= 0)
                && constructor.opened().iter().filter(|(_, hole)| is_deep(hole)).all(|(field, _)| {
                    let of_field =
                        |part: &Term| matches!(part, Term::Call(_, args) if args[..] == [Term::Var(*field)]);
                    let at = parts.iter().position(of_field);
                    at.is_some_and(|at| total(Some(at)).is_some_and(|least| least >= 1))
                })
        });
        self.reducer.slots.truncate(n_slots);
        found
    }
}

impl Tools {
    /// The minimum of a summand of a measure, if it holds at every depth.
    fn least(&mut self, part: &Term, opened: &Slots<Hole>) -> Option<i128> {
        match part {
            Term::Lit(Value::Int(n)) => n.to_i128(),
            Term::Var(_) | Term::Len(_) => self.range(part, opened).0,
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
    of.is_some_and(|of| !matches!(tools.reducer.types.get(of).form, Form::Scalar(_)))
}

/// Collects the largest calls in a term.
pub fn calls_in(term: &Term, found: &mut Vec<Term>) {
    match term {
        Term::Call(..) => found.push(term.clone()),
        term => for_children(term, &mut |child| calls_in(child, found)),
    }
}

/// Collects the summands of a sum.
fn summands(term: &Term, parts: &mut Vec<Term>) {
    match term {
        Term::Arith(ArithOp::Add, a, b) => {
            summands(a, parts);
            summands(b, parts);
        }
        term => parts.push(term.clone()),
    }
}
