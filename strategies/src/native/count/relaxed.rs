//! Problems without their constraints on elements, which random walks look at first.
//!
//! A walk chooses the values of measures before the parts that have them: that a subtree has two nodes, and height 0. It learns only by trying
//! that there is no such subtree, and again for each interval that its keys may be in, since each is a state of its own. Without the
//! intervals there are few such problems. One without a solution has none with further constraints, either.

use std::sync::Arc;

use super::state::{Branch, State, States, TooMuch};
use crate::logic::ir::Term;
use crate::logic::value::Value;
use crate::native::plan::problem::Hole;
use crate::native::propagate::clause::Clause;
use crate::native::propagate::work::Component;

/// Maximum number of choices to find a solution of one relaxed problem, and of all that a walk asks for.
const EFFORT: u64 = 256;
pub const EFFORT_OF_WALK: u64 = 1024;

impl States {
    /// Whether a component is known to have no solution even without its constraints on elements. Only walks ask, and only of one
    /// structured hole.
    pub(super) fn lacks_solution(&mut self, component: &Component<'_>) -> bool {
        let [(slot, hole)] = component.holes[..] else { return false };
        if !self.tools.is_walk || hole.domain.is_some() {
            return false;
        }
        let clauses: Vec<&Clause> =
            component.clauses.iter().copied().filter(|clause| !clause.is_for_all()).collect();
        if !clauses.iter().any(|clause| requires_value(&clause.term)) {
            return false;
        }
        let rem = self.tools.nesting(slot, hole, &clauses);
        let relaxed = Component { holes: vec![(slot, Hole { rem, ..hole })], clauses };
        if self.tools.is_relaxed {
            return self.has_none(&relaxed, None);
        }
        let effort = self.relaxed_effort.min(EFFORT);
        if effort == 0 {
            return false;
        }
        let states = self.relaxed.get_or_insert_with(|| Box::new(States::relaxed(&self.tools)));
        let before = states.n_tried;
        let has_none = states.has_none(&relaxed, Some(effort));
        self.relaxed_effort = self.relaxed_effort.saturating_sub(states.n_tried - before);
        has_none
    }

    /// Whether a relaxed problem is known to have no solution. A search that isn't part of another one has an effort of its own.
    fn has_none(&mut self, component: &Component<'_>, effort: Option<u64>) -> bool {
        if self.is_refuted(component) {
            return true;
        }
        let (state, _) = self.state(component);
        self.effort = effort.unwrap_or(self.effort);
        match self.has_solution(&state) {
            Ok(is_found) => !is_found,
            Err(TooMuch) => {
                // It isn't searched again, but taken for possible.
                if effort.is_some() {
                    state.note_solvable();
                }
                false
            }
        }
    }

    /// Whether a state has a solution, if the effort suffices.
    fn has_solution(&mut self, state: &Arc<State>) -> Result<bool, TooMuch> {
        if let Some(total) = state.total() {
            return Ok(!total.is_zero());
        }
        if state.is_solvable() {
            return Ok(true);
        }
        let mut begun = state.begin(self);
        let mut next = 0;
        loop {
            while let Some(branch) = begun.made.get(next).cloned() {
                next += 1;
                match self.has_solution_in(&branch) {
                    Ok(false) => {}
                    Ok(true) => {
                        state.note_solvable();
                        return Ok(true);
                    }
                    Err(too_much) => {
                        state.give_back(begun);
                        return Err(too_much);
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
            if !self.has_solution(&part.state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether a condition is that a measure has a value.
fn requires_value(term: &Term) -> bool {
    matches!(term, Term::Equal(call, value) if matches!(**call, Term::Call(..)) && matches!(**value, Term::Lit(Value::Int(_))))
}
