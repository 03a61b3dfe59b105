//! Boundary cases between the cases of the space: one is made after nine of them, once there were some, and the rest behind
//! the space's end. On structures the solver takes milliseconds for each: the small members shall not wait for that.

use std::time::Duration;

use target_strategies::space::Space;

use super::{Batch, Case, End, Step};
use crate::smt::boundary::BoundaryCases;
use crate::smt::z3::Effort;

/// After so many cases of the space comes a boundary case.
const INTERLEAVE: u64 = 9;

/// The first so many cases of the space come before any, or the first half of what may be run.
const FIRST: u64 = 256;

/// How many boundary cases a batch of nothing else has.
const REST: usize = 64;

/// The boundary cases of a generator, and when they are due.
pub struct Interleave {
    boundary: Option<BoundaryCases>,
    /// So many cases of the space come first.
    first: u64,
    n_dealt: u64,
    n_due: u64,
    /// Whether it was said that the space is over.
    is_beyond: bool,
}

impl Interleave {
    /// Without boundary cases, or with at most a tenth of the cap on cases.
    pub fn new(space: &Space, with_boundary: bool, cases: u64, effort: Effort) -> Interleave {
        let boundary = with_boundary.then(|| BoundaryCases::new(space.clone(), cases / 10, effort));
        Interleave { boundary, first: FIRST.min(cases / 2), n_dealt: 0, n_due: 0, is_beyond: false }
    }

    /// Notes that so many cases of the space are dealt.
    pub fn note(&mut self, n: u64) {
        let due = |dealt: u64| dealt.saturating_sub(self.first) / INTERLEAVE;
        self.n_due += due(self.n_dealt + n) - due(self.n_dealt);
        self.n_dealt += n;
    }

    /// How many cases of the space were dealt.
    pub fn n_dealt(&self) -> u64 {
        self.n_dealt
    }

    /// Some of the boundary cases that are due; fewer where making them takes longer.
    pub fn due(&mut self) -> Vec<Case> {
        let Some(boundary) = &mut self.boundary else { return Vec::new() };
        let n = self.n_due.min(REST as u64);
        self.n_due -= n;
        (0..n).filter_map(|_| boundary.deal()).collect()
    }

    /// How long the solver took for them.
    pub fn solving(&self) -> Duration {
        self.boundary.as_ref().map_or(Duration::ZERO, BoundaryCases::solving)
    }

    /// The steps behind the end of the space.
    pub fn beyond(&mut self, end: End) -> Step {
        let Some(boundary) = self.boundary.as_mut().filter(|boundary| !boundary.is_over()) else {
            return Step::End(end);
        };
        if !std::mem::replace(&mut self.is_beyond, true) {
            return Step::Beyond(end);
        }
        Step::Batch(Batch::Cases(std::iter::from_fn(|| boundary.deal()).take(REST).collect()))
    }
}
