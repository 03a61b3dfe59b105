//! Sets of inputs that are worth having together.
//!
//! [`find`] finds a set of inputs that differ pairwise, as a relation says ([`pairs`]), that take different ways through
//! a regular expression ([`ways`]), or that have all combinations of kinds ([`combinations`]). Small inputs come first.
//! It says what is known about larger sets. Nothing depends on a clock.
//!
//! Source: *Iorek*, sections 4.3, 4.4 and 5, on sets whose members are not equal, far from each other, or of all
//! categories; there all members are solved for at once, or filtered.

mod clique;
mod combinations;
mod generator;
mod key;
mod pairs;
mod relation;
mod ways;

use target_strategies::logic::ir::{Clause, Spec, Term, visit};
use target_strategies::logic::value::Value;
use target_strategies::native::listing::preconditions;
use target_strategies::space::Space;

use super::SetReached;
use crate::frontend::subject::Different;
pub use generator::DifferentGenerator;

/// A set of different inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// The inputs.
    pub members: Vec<Vec<Value>>,
    /// Number of inputs asked for.
    pub n_asked: usize,
    /// What is known about larger sets.
    pub larger: Larger,
    /// The combinations, if these are what was asked for.
    pub covered: Option<Covered>,
}

/// The combinations of kinds that the inputs of a set have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covered {
    /// Number of combinations that some input has.
    pub n_covered: u64,
    /// Number of all combinations, among them those that no input can have.
    pub n_all: u64,
}

/// Whether there is a larger set of different inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Larger {
    /// As many as asked were found.
    Unasked,
    /// There is none.
    None,
    /// None with these members: each other input is like one of them.
    NotWithThese,
    /// Not known, for these reasons.
    Unknown(Vec<String>),
}

impl Set {
    /// What to report of the set, with this number of inputs.
    pub fn reached(&self, n_found: usize) -> SetReached {
        SetReached {
            n_asked: self.n_asked as u64,
            n_found: n_found as u64,
            is_maximal: self.larger.is_maximal(),
            is_proved: self.larger == Larger::None,
            covered: self.covered,
        }
    }
}

impl Larger {
    /// Whether nothing can be added.
    pub fn is_maximal(&self) -> bool {
        matches!(self, Larger::None | Larger::NotWithThese)
    }
}

/// Finds a set of so many members of a space.
pub fn find(space: &Space, different: &Different, n_asked: usize) -> Set {
    let set = match different {
        Different::Pairs(relation) => pairs::find(space, relation, n_asked),
        Different::Combinations(wanted) => combinations::find(space, wanted, n_asked),
    };
    let larger = match set.larger {
        Larger::None | Larger::NotWithThese if !is_judged_here(space.spec()) => {
            Larger::Unknown(vec!["only the tested crate can say which of the inputs are valid".to_owned()])
        }
        known => known,
    };
    Set { larger, ..set }
}

/// A number for another clause of a spec.
fn new_id(spec: &Spec) -> u32 {
    spec.clauses().iter().map(|clause| clause.id + 1).max().unwrap_or(0)
}

/// Whether the validity of an input is known without the tested crate: no `where`, and no function that builds values.
fn is_judged_here(spec: &Spec) -> bool {
    let has_rust = |clause: &Clause| {
        let mut has_rust = false;
        visit(&clause.term, &mut |term| has_rust |= matches!(term, Term::Opaque(..) | Term::Ask(..)));
        has_rust
    };
    !preconditions(spec).into_iter().any(has_rust) && spec.data.iter().all(|data| data.via.is_none())
}

#[cfg(test)]
mod tests;
