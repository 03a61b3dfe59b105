//! Cases beyond the bound: extremes of machine types and thresholds in the spec, completed by the least values that
//! fit.
//!
//! For each of the first skeletons and each of its leaves, the leaf takes each of its boundary values in turn; then all
//! leaves take a boundary value at once. The most extreme values of all skeletons come first.

use std::collections::{HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use target_strategies::beyond::boundary::Boundary;
use target_strategies::cancel;
use target_strategies::logic::eval;
use target_strategies::logic::value::Value;
use target_strategies::space::{Leaf, LeafSort, Skeleton, Space, assemble};

use super::encode::{Reach, encode};
use super::least::Completer;
use super::solver::{Effort, in_timed_context};
use super::split::Problem;

/// Maximum number of skeletons tried.
const SKELETONS: usize = 32;

/// Maximum number of leaves that are tried alone; of more, this many are spread evenly.
const LEAVES: usize = 64;

/// Number of skeletons tried in one call.
const SHARE: usize = 8;

/// Maximum number of boundary values of a leaf tried in one call. The first call tries one.
const RANKS: usize = 4;

/// Z3's resource units for one question. A case that takes more isn't worth it; there are many.
const PER_CHECK: u32 = 20_000;

/// Number of tries that a question counts for if Z3 gives up.
const COST_OF_GIVING_UP: u64 = 16;

/// Maximum average number of tries per case.
const TRIES: u64 = 8;

/// Maximum number of tries before the first case is found. If no case can be beyond the bound, these are all.
const FIRST_TRIES: u64 = 400;

/// The boundary cases of a space, made on request.
#[derive(Debug)]
pub struct BoundaryCases {
    space: Space,
    effort: Effort,
    shapes: Vec<BoundaryShape>,
    /// The ranks of the next boundary values, and the next skeleton to try them with.
    ranks: Range<usize>,
    next_shape: usize,
    n_left: u64,
    tries_left: u64,
    seen: HashSet<Vec<Value>>,
    found: VecDeque<Vec<Value>>,
    solving: Duration,
}

/// A skeleton, and the boundary values of its leaves.
#[derive(Debug)]
struct BoundaryShape {
    skeleton: Skeleton,
    values: Vec<Vec<Value>>,
    /// Made when first needed.
    problem: Option<Problem>,
}

/// The result of the boundary values of one rank.
#[derive(Debug, Default)]
struct Tried {
    tries: u64,
    found: Vec<Vec<Value>>,
}

impl BoundaryCases {
    /// At most `n` boundary cases of a space.
    pub fn new(space: Space, n: u64, effort: Effort) -> BoundaryCases {
        let effort = Effort { per_check: effort.per_check.min(PER_CHECK), ..effort };
        let boundary = Boundary::new(space.clone());
        let shape = |skeleton: Skeleton| {
            let values = boundary.values(&skeleton);
            BoundaryShape { skeleton, values, problem: None }
        };
        let shapes = space.skeletons().take(SKELETONS).map(shape).collect();
        BoundaryCases {
            space,
            effort,
            shapes,
            ranks: 0..1,
            next_shape: 0,
            n_left: n,
            tries_left: FIRST_TRIES.min(n.saturating_mul(TRIES)),
            seen: HashSet::new(),
            found: VecDeque::new(),
            solving: Duration::ZERO,
        }
    }

    /// Time that the solver took so far, summed over threads.
    pub fn solving(&self) -> Duration {
        self.solving
    }

    /// Whether there are no more cases.
    pub fn is_over(&self) -> bool {
        let mut values = self.shapes.iter().flat_map(|shape| &shape.values);
        let exhausted = values.all(|values| values.len() <= self.ranks.start);
        self.n_left == 0 || (self.found.is_empty() && (exhausted || self.tries_left == 0))
    }

    /// The next case. It may be `None` though more follow: each call does limited work.
    pub fn next_case(&mut self) -> Option<Vec<Value>> {
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
        let (ranks, first) = (self.ranks.clone(), self.next_shape);
        let end = self.shapes.len().min(first + SHARE);
        self.next_shape = end;
        if end == self.shapes.len() {
            self.next_shape = 0;
            self.ranks = ranks.end..ranks.end + RANKS.min(2 * ranks.len());
        }
        let (space, effort, limits) = (&self.space, self.effort, cancel::current());
        let work = |shape: &mut BoundaryShape| {
            cancel::part_of(&limits, || in_timed_context(|| shape.try_ranks(space, &ranks, effort)))
        };
        let parts: Vec<_> = self.shapes[first..end].par_iter_mut().map(work).collect();
        let (mut tried, times): (Vec<Vec<Tried>>, Vec<Duration>) =
            parts.into_iter().map(cancel::join).unzip();
        self.solving += times.into_iter().sum::<Duration>();
        // The most extreme values of all skeletons come first.
        for index in 0..ranks.len() {
            for shape in &mut tried {
                let Tried { tries, found } = std::mem::take(&mut shape[index]);
                self.tries_left = self.tries_left.saturating_sub(tries);
                found.into_iter().for_each(|args| self.keep(args));
            }
        }
    }

    fn keep(&mut self, args: Vec<Value>) {
        let fits = eval::admits(self.space.spec(), &args) && !self.space.contains(&args);
        if fits && self.seen.insert(args.clone()) {
            self.tries_left += TRIES;
            self.found.push_back(args);
        }
    }
}

impl BoundaryShape {
    /// The arguments with one leaf, and then all leaves, at their boundary values of each rank.
    fn try_ranks(&mut self, space: &Space, ranks: &Range<usize>, effort: Effort) -> Vec<Tried> {
        if self.values.iter().all(|values| values.len() <= ranks.start) {
            return ranks.clone().map(|_| Tried::default()).collect();
        }
        let problem =
            self.problem.get_or_insert_with(|| problem(space, &self.skeleton, &self.values)).clone();
        let mut completer = Completer::new(problem, self.values.clone(), effort);
        ranks.clone().map(|rank| self.try_rank(rank, &mut completer)).collect()
    }

    fn try_rank(&self, rank: usize, completer: &mut Completer) -> Tried {
        let mut choices: Vec<Vec<(u32, Value)>> = Vec::new();
        let step = self.values.len().div_ceil(LEAVES).max(1);
        for (leaf, values) in (0..).zip(&self.values).step_by(step) {
            choices.extend(values.get(rank).map(|value| vec![(leaf, value.clone())]));
        }
        if choices.len() > 1 {
            let all = (0..).zip(&self.values);
            let all =
                all.filter_map(|(leaf, values)| Some((leaf, values.get(rank).or(values.last())?.clone())));
            choices.push(all.collect());
        }
        let before = completer.unknowns();
        let solutions: Vec<Vec<Value>> =
            choices.iter().filter_map(|fixed| completer.complete(fixed).ok()?).collect();
        let unknowns = completer.unknowns() - before;
        Tried {
            tries: choices.len() as u64 + COST_OF_GIVING_UP * unknowns,
            found: solutions.iter().map(|scalars| assemble(&self.skeleton, scalars)).collect(),
        }
    }
}

/// The formulas of valid arguments with a skeleton, in any space. Characters are limited to those of the domains and
/// `further`. `explore` clauses are left out: they only narrow the space.
pub(super) fn problem(space: &Space, skeleton: &Skeleton, further: &[Vec<Value>]) -> Problem {
    let leaves = space.leaves(skeleton);
    let encoding = encode(space.spec(), skeleton, &with_chars(&leaves, further), Reach::ListedChars);
    let valid = encoding.clauses.into_iter().filter(|clause| !clause.explore);
    Problem {
        formulas: encoding.formulas,
        conjuncts: encoding
            .structure
            .into_iter()
            .chain(valid.filter_map(|clause| clause.condition.ok()))
            .collect(),
        domains: leaves.iter().map(|leaf| Arc::clone(&leaf.domain)).collect(),
    }
}

/// The leaves; characters have further values in their domains.
pub(super) fn with_chars(leaves: &[Leaf], further: &[Vec<Value>]) -> Vec<Leaf> {
    let with = |(leaf, further): (&Leaf, &Vec<Value>)| match leaf.sort {
        LeafSort::Char => {
            Leaf { sort: leaf.sort, domain: leaf.domain.iter().chain(further).cloned().collect() }
        }
        _ => leaf.clone(),
    };
    leaves.iter().zip(further).map(with).collect()
}
