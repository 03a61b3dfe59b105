//! Cases beyond the bound: where machine types end and the spec draws lines, completed by the least values that fit.
//!
//! For each of the first skeletons and each of its leaves, the leaf takes each of its boundary values in turn; then
//! all leaves take one at once. The most extreme values of all skeletons come first.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use rayon::prelude::*;
use target_strategies::boundary::Boundary;
use target_strategies::eval;
use target_strategies::space::{Skeleton, Space, assemble};
use target_strategies::value::Value;

use super::encode::{Reach, encode};
use super::least::Seeking;
use super::split::Problem;
use super::z3::{Effort, in_context};
use crate::generate::Case;

/// How many skeletons are looked at.
const SKELETONS: usize = 32;

/// How many skeletons are worked on in one call.
const SHARE: usize = 8;

/// How many tries a case may cost on the average.
const TRIES: u64 = 8;

/// The boundary cases of a space, made as they are asked for.
#[derive(Debug)]
pub struct BoundaryCases {
    space: Space,
    effort: Effort,
    shapes: Vec<BoundaryShape>,
    /// The next boundary value of each leaf to be tried, and the next skeleton to try it with.
    next: (usize, usize),
    n_left: u64,
    tries_left: u64,
    seen: HashSet<Vec<Value>>,
    found: VecDeque<Case>,
}

/// A skeleton, and the boundary values of its leaves.
#[derive(Debug)]
struct BoundaryShape {
    skeleton: Skeleton,
    values: Vec<Vec<Value>>,
    /// Made when first needed.
    seeking: Option<Seeking>,
}

impl BoundaryCases {
    /// At most `n` boundary cases of a space.
    pub fn new(space: Space, n: u64, effort: Effort) -> BoundaryCases {
        let boundary = Boundary::new(space.clone());
        let shape = |skeleton: Skeleton| {
            let values = boundary.values(&skeleton);
            BoundaryShape { skeleton, values, seeking: None }
        };
        let shapes = space.skeletons().take(SKELETONS).map(shape).collect();
        BoundaryCases {
            space,
            effort,
            shapes,
            next: (0, 0),
            n_left: n,
            tries_left: n.saturating_mul(TRIES),
            seen: HashSet::new(),
            found: VecDeque::new(),
        }
    }

    /// Whether there will be no more.
    pub fn is_over(&self) -> bool {
        let (rank, _) = self.next;
        let exhausted = self.shapes.iter().flat_map(|shape| &shape.values).all(|values| values.len() <= rank);
        self.n_left == 0 || (self.found.is_empty() && (exhausted || self.tries_left == 0))
    }

    /// The next case. It may find none though there are more: the work of one call is bounded.
    pub fn next(&mut self) -> Option<Case> {
        if self.is_over() {
            return None;
        }
        if self.found.is_empty() {
            self.work();
        }
        let case = self.found.pop_front()?;
        self.n_left -= 1;
        Some(case)
    }

    /// Tries the next values with the next few skeletons.
    fn work(&mut self) {
        let (rank, first) = self.next;
        let end = self.shapes.len().min(first + SHARE);
        self.next = if end == self.shapes.len() { (rank + 1, 0) } else { (rank, end) };
        let (space, effort) = (&self.space, self.effort);
        let tried: Vec<(u64, Vec<Vec<Value>>)> = self.shapes[first..end]
            .par_iter_mut()
            .map(|shape| in_context(|| shape.cases(space, rank, effort)))
            .collect();
        for (tries, cases) in tried {
            self.tries_left = self.tries_left.saturating_sub(tries);
            for args in cases {
                let fits = eval::admits(self.space.spec(), &args) && !self.space.contains(&args);
                if fits && self.seen.insert(args.clone()) {
                    self.found.push_back(Case { args, boundary: true });
                }
            }
        }
    }
}

impl BoundaryShape {
    /// The arguments with one leaf, and then all, at their boundary values of a rank; and how many tries that took.
    fn cases(&mut self, space: &Space, rank: usize, effort: Effort) -> (u64, Vec<Vec<Value>>) {
        if self.values.iter().all(|values| values.len() <= rank) {
            return (0, Vec::new());
        }
        let seeking = self.seeking.take().unwrap_or_else(|| self.seek(space));
        let (mut tries, mut cases) = (0, Vec::new());
        for (leaf, values) in (0..).zip(&self.values) {
            if let Some(value) = values.get(rank) {
                tries += 1;
                cases.extend(seeking.with(leaf, value).and_then(|fixed| fixed.least(effort).ok()?));
            }
        }
        if tries > 1 {
            tries += 1;
            cases.extend(self.all_at_once(&seeking, rank).and_then(|fixed| fixed.least(effort).ok()?));
        }
        self.seeking = Some(seeking);
        (tries, cases.iter().map(|scalars| assemble(&self.skeleton, scalars)).collect())
    }

    fn all_at_once(&self, seeking: &Seeking, rank: usize) -> Option<Seeking> {
        let mut fixed = seeking.clone();
        for (leaf, values) in (0..).zip(&self.values) {
            if let Some(value) = values.get(rank).or(values.last()) {
                fixed = fixed.with(leaf, value)?;
            }
        }
        Some(fixed)
    }

    fn seek(&self, space: &Space) -> Seeking {
        let leaves = space.leaves(&self.skeleton);
        let encoding = encode(space.spec(), &self.skeleton, &leaves, Reach::Type);
        let valid = encoding.clauses.into_iter().filter(|clause| !clause.explore);
        let problem = Problem {
            formulas: encoding.formulas,
            conjuncts: valid.filter_map(|clause| clause.condition.ok()).collect(),
            domains: leaves.iter().map(|leaf| Arc::clone(&leaf.domain)).collect(),
        };
        Seeking { problem, further: self.values.clone(), fixed: Vec::new() }
    }
}
