//! Whether there is a member at all, and what the engine is about to do: for `auto` and for `explain`.

use std::collections::HashMap;
use std::sync::Arc;

use super::state::{State, StateForm, TooMuch, Way};
use super::{Class, Native};

impl Native {
    /// Whether a class has a member; an error where that isn't seen after so many ways. Nothing is counted for it.
    pub fn has_member(&mut self, class: Class, effort: u64) -> Result<bool, TooMuch> {
        let before = self.states.n_ways;
        let Some(way) = self.root(class) else { return Ok(false) };
        let mut search = Search { native: self, known: HashMap::new(), last: before.saturating_add(effort) };
        search.way(&way)
    }
}

/// Looks for a first solution.
struct Search<'n> {
    native: &'n mut Native,
    /// What was found of states, by their addresses; they are held, so that none is another's.
    known: HashMap<*const State, (Arc<State>, bool)>,
    /// How many ways the engine may have made at the end.
    last: u64,
}

impl Search<'_> {
    /// The parts are independent: each needs a solution of its own.
    fn way(&mut self, way: &Way) -> Result<bool, TooMuch> {
        for part in way.parts.iter() {
            if !self.state(&part.state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn state(&mut self, state: &Arc<State>) -> Result<bool, TooMuch> {
        if let StateForm::Leaf(values) = &state.form {
            return Ok(!values.is_empty());
        }
        if let Some((_, found)) = self.known.get(&Arc::as_ptr(state)) {
            return Ok(*found);
        }
        if self.native.states.n_ways > self.last {
            return Err(TooMuch);
        }
        let ways = self.native.states.ways(state);
        let mut found = false;
        for way in ways.iter() {
            if self.way(way)? {
                found = true;
                break;
            }
        }
        self.known.insert(Arc::as_ptr(state), (state.clone(), found));
        Ok(found)
    }
}
