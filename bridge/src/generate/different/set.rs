//! A set of different inputs, and what is known about larger ones.

use target_strategies::logic::ir::Spec;
use target_strategies::logic::value::Value;

use crate::generate::{Covered, SetReached};

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

/// Whether there is a larger set of different inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Larger {
    /// As many as asked were found.
    Unasked,
    /// There is none.
    None,
    /// None with these members: each other input is like one of them. Whether others are more is not known, for these reasons.
    NotWithThese(Vec<String>),
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
        matches!(self, Larger::None | Larger::NotWithThese(_))
    }

    /// What is known if some pairs could not be judged.
    pub(super) fn undecided(self) -> Larger {
        match self {
            Larger::Unasked => Larger::Unasked,
            Larger::None | Larger::NotWithThese(_) => {
                Larger::Unknown(vec!["some pairs of inputs could not be judged".to_owned()])
            }
            Larger::Unknown(reasons) => Larger::Unknown(reasons),
        }
    }
}

/// A number for another clause of a spec.
pub(super) fn new_id(spec: &Spec) -> u32 {
    spec.clauses().iter().map(|clause| clause.id + 1).max().unwrap_or(0)
}
