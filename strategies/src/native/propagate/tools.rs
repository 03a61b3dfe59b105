//! The tools that all problems share, with their caches. Each stage of propagation adds its own methods to them.

use std::collections::HashMap;

use super::reduce::Reducer;
use super::translation::Translation;
use crate::logic::ir::{FunctionId, Term};
use crate::native::plan::domain::Domains;
use crate::native::plan::types::TypeId;

/// The tools that all problems share.
#[derive(Clone)]
pub struct Tools {
    /// Reduces terms.
    pub reducer: Reducer,
    /// Stores domains.
    pub domains: Domains,
    /// Intervals of measures.
    pub ranges: Ranges,
    /// Bounds of measures under constraints on elements.
    pub measure_bounds: MeasureBounds,
    /// The scalars that states can be translated by.
    pub translation: Option<Translation>,
    /// Whether choices are made for a random walk. It makes few of them, so it may begin with those that have many options.
    pub is_walk: bool,
    /// Whether constraints on elements are left out, to find out whether the others leave any solution.
    pub is_relaxed: bool,
}

/// The least and the greatest value; `None` if there may be no bound.
pub type Interval = (Option<i128>, Option<i128>);

/// The intervals of measures, as a cache.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    /// By call, type and depth. While an interval is being computed, it is unbounded.
    pub calls: HashMap<Vec<u8>, Interval>,
    /// Calls with temporarily known intervals.
    pub known: Vec<(Term, Interval)>,
}

/// The bounds computed so far.
#[derive(Clone, Debug, Default)]
pub struct MeasureBounds {
    /// By constraints and measure; `None` while it is being computed.
    pub interval: HashMap<Vec<u8>, Option<Interval>>,
    /// Whether a measure of a type is at least the nesting of the value.
    pub bounds_nesting: HashMap<(FunctionId, TypeId), bool>,
    /// Number of nested computations in progress.
    pub depth: u32,
    /// Number of computations so far.
    pub n_found: u32,
    /// Number of values of scalars tried in the computation in progress.
    pub n_values: u32,
    /// Whether a limit prevented a computation.
    pub is_limited: bool,
}
