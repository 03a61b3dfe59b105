//! Scalars become argument tuples again: the other direction of [`super::encode`].
//!
//! A [`ShapeSearch`] is a skeleton with the search through its members.

use std::sync::Arc;

use target_strategies::space::{Skeleton, Space, assemble};
use target_strategies::value::Value;

use super::encode::{Reach, encode};
use super::split::{Limits, Problem, Search, State};
use super::z3::Effort;

/// The members of a space with one skeleton, small first, as Z3 finds them.
#[derive(Debug)]
pub struct ShapeSearch {
    skeleton: Skeleton,
    search: Search,
}

impl ShapeSearch {
    /// Encodes the skeleton; nothing is solved yet.
    pub fn new(space: &Space, skeleton: Skeleton, effort: Effort) -> ShapeSearch {
        let leaves = space.leaves(&skeleton);
        let encoding = encode(space.spec(), &skeleton, &leaves, Reach::Domain);
        let clauses = encoding.clauses.into_iter().filter_map(|clause| clause.condition.ok());
        let conjuncts = encoding.structure.into_iter().chain(clauses).collect();
        let domains = leaves.iter().map(|leaf| Arc::clone(&leaf.domain)).collect();
        let problem = Problem { formulas: encoding.formulas, conjuncts, domains };
        ShapeSearch { skeleton, search: Search::new(problem, effort) }
    }

    /// The next members. Needs a Z3 context ([`super::z3::in_context`]).
    pub fn next(&mut self, limits: Limits) -> Vec<Vec<Value>> {
        let solutions = self.search.next(limits);
        solutions.iter().map(|scalars| assemble(&self.skeleton, scalars)).collect()
    }

    /// How far the search is.
    pub fn state(&self) -> &State {
        self.search.state()
    }

    /// Drops what can be found again, if it is much.
    pub fn shrink(&mut self, formulas: usize) {
        if self.search.size() > formulas {
            self.search.forget();
        }
    }
}
