//! Smaller inputs near a counterexample, for shrinking: members of the space, boundary cases outside it, and rejected
//! candidates repaired so that they are valid.
//!
//! The shrinker runs them and doesn't know how they are found. Without a solver there are fewer.

use target_strategies::beyond::{Seen, Source};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::beyond::BeyondCases;
use crate::smt::repair::Repairs;
use crate::smt::smaller::{self, SmallerMembers};

/// Maximum number of boundary cases tried.
const BOUNDARY_CASES: usize = 300;

/// Maximum work for them, in steps of the engine: some tenths of a second, or 300 calls of the solver.
const BOUNDARY_WORK: u64 = 3_000_000;

/// Finds smaller inputs of one space.
#[derive(Debug)]
pub struct SmallerInputs {
    space: Space,
    repairs: Repairs,
}

impl SmallerInputs {
    /// For the counterexamples of a space.
    pub fn new(space: &Space) -> SmallerInputs {
        SmallerInputs { space: space.clone(), repairs: Repairs::new(space) }
    }

    /// A space deep enough to contain these arguments, whatever their origin.
    pub fn around(&self, args: &[Value]) -> Space {
        smaller::around(&self.space, args)
    }

    /// Members of the space around these arguments, small ones first.
    pub fn members(&self, args: &[Value]) -> SmallerMembers {
        SmallerMembers::new(&self.around(args))
    }

    /// Boundary cases of the space around these arguments. An item may be `None` though more follow: each call does
    /// limited work.
    pub fn outside(&self, args: &[Value]) -> impl Iterator<Item = Option<Vec<Value>>> {
        let mut boundary = BeyondCases::new(&self.around(args), Source::Boundary, 0);
        let mut seen = Seen::new();
        std::iter::from_fn(move || {
            let is_over =
                seen.n_inputs() >= BOUNDARY_CASES || boundary.work() >= BOUNDARY_WORK || boundary.is_over();
            (!is_over).then(|| boundary.next_case(u64::MAX, &mut seen).map(|case| case.args))
        })
    }

    /// Whether [`SmallerInputs::repair`] finds no more.
    pub fn is_repairing_over(&self) -> bool {
        self.repairs.is_over()
    }

    /// Valid arguments near rejected arguments and smaller than `from`.
    pub fn repair(&mut self, from: &[Value], rejected: &[Vec<Value>]) -> Vec<Vec<Value>> {
        self.repairs.repair(from, rejected)
    }
}
