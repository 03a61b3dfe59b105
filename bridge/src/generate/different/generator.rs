//! The inputs of a function with a `different`: a set of its members that differ pairwise.

use std::mem;
use std::time::Duration;

use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::super::{Batch, Case, End, Generator, Reached, Step};
use super::find;
use super::set::{Larger, Set};
use crate::frontend::subject::Different;

/// Produces a set of different members.
pub struct DifferentGenerator {
    space: Space,
    different: Different,
    n_asked: u64,
    time: Duration,
    state: State,
}

enum State {
    Begin,
    Found(Set),
    Over(Larger),
}

impl DifferentGenerator {
    /// At most so many members of a space that differ pairwise, as many as are found in the time.
    pub fn new(space: Space, different: Different, n_asked: u64, time: Duration) -> DifferentGenerator {
        DifferentGenerator { space, different, n_asked, time, state: State::Begin }
    }
}

impl Generator for DifferentGenerator {
    fn step(&mut self) -> Step {
        match mem::replace(&mut self.state, State::Begin) {
            State::Begin => {
                let n_asked = usize::try_from(self.n_asked).unwrap_or(usize::MAX);
                let mut set = find(&self.space, &self.different, n_asked, self.time);
                let case = |args: Vec<Value>| Case { args, beyond: None };
                let cases: Vec<Case> = mem::take(&mut set.members).into_iter().map(case).collect();
                if cases.is_empty() {
                    return Step::End(end(set.larger, 0));
                }
                let reached = set.reached(cases.len());
                self.n_asked = reached.n_found;
                self.state = State::Found(set);
                Step::Batch(Batch::Cases(cases))
            }
            State::Found(set) => {
                let reached = set.reached(self.n_asked as usize);
                self.state = State::Over(set.larger);
                Step::Reached(Reached { different: Some(reached), ..Reached::default() })
            }
            State::Over(larger) => Step::End(end(larger, self.n_asked)),
        }
    }
}

fn end(larger: Larger, n_found: u64) -> End {
    match larger {
        Larger::Unknown(reasons) => End::Unknown(reasons),
        Larger::None | Larger::NotWithThese(_) if n_found == 0 => End::Exhausted,
        Larger::NotWithThese(reasons) if !reasons.is_empty() => End::Asked(reasons.join("; ")),
        Larger::None | Larger::NotWithThese(_) | Larger::Unasked => {
            End::Asked("inputs that differ pairwise".to_owned())
        }
    }
}
