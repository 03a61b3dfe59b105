//! Boundary cases between the cases of the space: one after every nine, once the first cases are produced, and more
//! after the end of the space. For structures the solver takes milliseconds per case; small members must not wait for
//! it.

use std::time::Duration;

use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::{Batch, Case, End, Step};
use crate::smt::boundary::BoundaryCases;
use crate::smt::solver::Effort;

/// Number of cases of the space per boundary case.
const INTERLEAVE: u64 = 9;

/// Number of cases of the space before the first boundary case, but at most half of the cap on cases.
const FIRST: u64 = 256;

/// Maximum number of boundary cases of a batch.
const REST: usize = 64;

/// The boundary cases of a generator, and when they come.
pub struct Interleave {
    boundary: Option<BoundaryCases>,
    /// Number of cases of the space that come first.
    first: u64,
    n_dealt: u64,
    n_due: u64,
    /// Whether the end of the space was reported.
    is_beyond: bool,
}

impl Interleave {
    /// Produces no boundary cases, or at most a tenth of the cap on cases.
    pub fn new(space: &Space, with_boundary: bool, cases: u64, effort: Effort) -> Interleave {
        let boundary = with_boundary.then(|| BoundaryCases::new(space.clone(), cases / 10, effort));
        Interleave { boundary, first: FIRST.min(cases / 2), n_dealt: 0, n_due: 0, is_beyond: false }
    }

    /// Adds to the number of cases produced from the space.
    pub fn note(&mut self, n: u64) {
        let due = |dealt: u64| dealt.saturating_sub(self.first) / INTERLEAVE;
        self.n_due += due(self.n_dealt + n) - due(self.n_dealt);
        self.n_dealt += n;
    }

    /// Number of cases produced from the space.
    pub fn n_dealt(&self) -> u64 {
        self.n_dealt
    }

    /// Some of the boundary cases whose turn it is; fewer if making them takes long.
    pub fn due(&mut self) -> Vec<Case> {
        let Some(boundary) = &mut self.boundary else { return Vec::new() };
        let n = self.n_due.min(REST as u64);
        self.n_due -= n;
        (0..n).filter_map(|_| boundary.next_case()).map(beyond).collect()
    }

    /// Time that the solver took for them.
    pub fn solving(&self) -> Duration {
        self.boundary.as_ref().map_or(Duration::ZERO, BoundaryCases::solving)
    }

    /// The steps after the end of the space.
    pub fn beyond(&mut self, end: End) -> Step {
        let Some(boundary) = self.boundary.as_mut().filter(|boundary| !boundary.is_over()) else {
            return Step::End(end);
        };
        if !std::mem::replace(&mut self.is_beyond, true) {
            return Step::Beyond(end);
        }
        Step::Batch(Batch::Cases(
            std::iter::from_fn(|| boundary.next_case()).map(beyond).take(REST).collect(),
        ))
    }
}

/// A case outside the space.
fn beyond(args: Vec<Value>) -> Case {
    Case { args, boundary: true }
}
