//! Turns scalars into argument tuples: the inverse of [`super::encode`].
//!
//! A [`ShapeSearch`] is a skeleton with the search for its members.

use std::sync::Arc;

use target_strategies::logic::value::Value;
use target_strategies::space::{Skeleton, Space, assemble};

use super::encode::{Reach, encode};
use super::solver::Effort;
use super::split::{Limits, Problem, Search, State};

/// The members of a space with one skeleton, small members first, found by Z3.
#[derive(Debug)]
pub struct ShapeSearch {
    skeleton: Skeleton,
    search: Search,
}

impl ShapeSearch {
    /// Encodes the skeleton; solves nothing yet.
    pub fn new(space: &Space, skeleton: Skeleton, effort: Effort) -> ShapeSearch {
        let leaves = space.leaves(&skeleton);
        let encoding = encode(space.spec(), &skeleton, &leaves, Reach::Domain);
        let clauses = encoding.clauses.into_iter().filter_map(|clause| clause.condition.ok());
        let conjuncts = encoding.structure.into_iter().chain(clauses).collect();
        let domains = leaves.iter().map(|leaf| Arc::clone(&leaf.domain)).collect();
        let problem = Problem { formulas: encoding.formulas, conjuncts, domains };
        ShapeSearch { skeleton, search: Search::new(problem, effort) }
    }

    /// The next members. Needs a Z3 context ([`super::solver::in_context`]).
    pub fn next(&mut self, limits: Limits) -> Vec<Vec<Value>> {
        let solutions = self.search.next(limits);
        solutions.iter().map(|scalars| assemble(&self.skeleton, scalars)).collect()
    }

    /// The state of the search.
    pub fn state(&self) -> &State {
        self.search.state()
    }

    /// Drops formulas that can be found again, if there are more than `formulas`.
    pub fn shrink(&mut self, formulas: usize) {
        if self.search.size() > formulas {
            self.search.forget();
        }
    }
}
