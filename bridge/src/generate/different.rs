//! Sets of inputs that are worth having together.
//!
//! [`find`] finds a set of inputs that differ pairwise, as a relation says ([`pairs`]), that take different ways through
//! a regular expression ([`ways`]), or that have all combinations of kinds ([`combinations`]). Small inputs come first.
//! It says what is known about larger sets.
//!
//! Searches for larger sets are bounded by counts: 1,500 inputs in a graph, 200,000 sets of them, a million steps of the engine for a
//! question. No clock chooses among sets: if the time ends in such a search, the set to which inputs were added in order is kept,
//! and nothing of the search. If the time ends earlier, the set is a beginning of that one. So it is for combinations: the greedy choices
//! are bounded by counts, and combinations are solved for in a fixed order.
//!
//! Source: *Iorek*, sections 4.3, 4.4 and 5, on sets whose members are not equal, far from each other, or of all
//! categories; there all members are solved for at once, or filtered.

mod clique;
mod combinations;
mod conditions;
mod effort;
mod generator;
mod key;
mod lengths;
mod listed;
mod packing;
mod pairs;
mod relation;
mod set;
mod together;
mod ways;

use std::time::Duration;

use target_strategies::logic::ir::{Clause, Spec, Term, visit};
use target_strategies::native::listing::preconditions;
use target_strategies::space::Space;

use crate::frontend::subject::Different;
use effort::Effort;
pub use generator::DifferentGenerator;
pub use set::{Larger, Set};

/// Finds a set of so many members of a space. After the time, no further ones are solved for.
pub fn find(space: &Space, different: &Different, n_asked: usize, time: Duration) -> Set {
    let effort = Effort::new(time);
    let set = match different {
        Different::Pairs(relation) => pairs::find(space, relation, n_asked, (pairs::LOOKS, effort)),
        Different::Combinations(wanted) => combinations::find(space, wanted, n_asked, effort),
    };
    let larger = match set.larger {
        Larger::None | Larger::NotWithThese(_) if !is_judged_here(space.spec()) => {
            Larger::Unknown(vec!["only the tested crate can say which of the inputs are valid".to_owned()])
        }
        known => known,
    };
    Set { larger, ..set }
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
pub(super) mod tests;
