//! Problems without their constraints on elements, which random walks look at first.
//!
//! A walk chooses the values of measures before the parts that have them: that a subtree has two nodes, and height 0. That there is none is
//! found by trying all of it, and again for each interval that its keys may be in, since each is a state of its own. Without the intervals
//! there are few such problems. One without a solution has none with further constraints, either.

use std::sync::Arc;

use super::expand::Expansion;
use super::state::{Branch, State, StateForm, States, TooMuch};
use crate::logic::ir::Term;
use crate::logic::value::Value;
use crate::native::plan::problem::Hole;
use crate::native::propagate::clause::Clause;
use crate::native::propagate::tools::Tools;
use crate::native::propagate::work::Component;

/// Maximum number of choices to find a solution of a relaxed problem.
const EFFORT: u64 = 256;

impl States {
    /// Whether a component is known to have no solution even without its constraints on elements. Only walks ask, and only of one
    /// structured hole.
    pub(super) fn lacks_solution(&mut self, component: &Component<'_>) -> bool {
        let [(slot, hole)] = component.holes[..] else { return false };
        if !self.tools.is_walk || hole.domain.is_some() {
            return false;
        }
        let clauses: Vec<&Clause> =
            component.clauses.iter().copied().filter(|clause| !is_of_elements(&clause.term)).collect();
        if !clauses.iter().any(|clause| requires_value(&clause.term)) {
            return false;
        }
        let rem = self.tools.nesting(slot, hole, &clauses);
        let relaxed = Component { holes: vec![(slot, Hole { rem, ..hole })], clauses };
        if self.tools.is_relaxed {
            return self.has_none(&relaxed);
        }
        let tools = &self.tools;
        let states = self.relaxed.get_or_insert_with(|| {
            let tools = Tools { is_relaxed: true, ..tools.clone() };
            Box::new(States::new(tools))
        });
        states.has_none(&relaxed)
    }

    /// Whether a relaxed problem is known to have no solution.
    fn has_none(&mut self, component: &Component<'_>) -> bool {
        if self.is_refuted(component) {
            return true;
        }
        let (state, _) = self.state(component);
        if self.is_searching {
            return self.has_solution(&state) == Ok(false);
        }
        (self.effort, self.is_searching) = (EFFORT, true);
        let found = self.has_solution(&state);
        (self.effort, self.is_searching) = (u64::MAX, false);
        if found.is_err() {
            // It isn't searched again, but taken for possible.
            state.note_solvable();
        }
        found == Ok(false)
    }

    /// Whether a state has a solution, if the effort suffices.
    fn has_solution(&mut self, state: &Arc<State>) -> Result<bool, TooMuch> {
        if let Some(total) = state.total() {
            return Ok(!total.is_zero());
        }
        if state.is_solvable() {
            return Ok(true);
        }
        let mut begun: Box<Expansion> = state.begin(self);
        let mut next = 0;
        loop {
            while let Some(branch) = begun.made.get(next).cloned() {
                next += 1;
                match self.has_solution_in(&branch) {
                    Ok(false) => {}
                    found => {
                        state.give_back(begun);
                        found.into_iter().for_each(|_| state.note_solvable());
                        return found;
                    }
                }
            }
            if !self.make_branch(&mut begun) {
                if begun.is_over() {
                    state.refute();
                    return Ok(false);
                }
                state.give_back(begun);
                return Err(TooMuch);
            }
        }
    }

    fn has_solution_in(&mut self, branch: &Branch) -> Result<bool, TooMuch> {
        for part in branch.parts.iter() {
            if matches!(part.state.form, StateForm::Open(_)) && !self.has_solution(&part.state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether a condition is one on all elements of a collection.
pub(super) fn is_of_elements(term: &Term) -> bool {
    matches!(term, Term::All(..))
}

/// Whether a condition is that a measure has a value.
fn requires_value(term: &Term) -> bool {
    matches!(term, Term::Equal(call, value) if matches!(**call, Term::Call(..)) && matches!(**value, Term::Lit(Value::Int(_))))
}
