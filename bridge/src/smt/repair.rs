//! Makes smaller argument tuples valid that the spec rejects: adapts the scalars that depend on the change.
//!
//! Shrinking makes one change at a time: it drops an element, replaces a tree by a sub-tree, or lowers a scalar. If the
//! spec ties other scalars to it (a stored size, a colour, a height, an index), the changed tuple is rejected. Here Z3
//! adapts them: the skeleton stays, each scalar stays if it can, and the others take the least values that fit.

use std::collections::HashMap;

use target_strategies::logic::value::Value;
use target_strategies::space::{Skeleton, Space, assemble, scalars_of, skeleton_of};

use super::boundary::problem;
use super::least::Completer;
use super::solver::{Effort, in_context};

/// Z3's resource units for one question: a repair needs many.
const PER_CHECK: u32 = 20_000;

/// Maximum number of questions to Z3 in all.
const QUESTIONS: u64 = 6_000;

/// Number of questions that a skeleton counts for, in addition to those about it.
const COST_OF_SKELETON: u64 = 10;

/// Number of questions that a question counts for if Z3 gives up.
const COST_OF_GIVING_UP: u64 = 50;

/// Maximum number of repairs of a smaller skeleton. There is no limit if only scalars changed.
const LOOKS: u32 = 4;

/// Repairs argument tuples of one space.
#[derive(Debug)]
pub struct Repairs {
    space: Space,
    left: u64,
    /// Number of times that each skeleton was tried.
    looks: HashMap<Skeleton, u32>,
}

impl Repairs {
    /// Repairs within the types of a space, ignoring its bounds.
    pub fn new(space: &Space) -> Repairs {
        Repairs { space: space.clone(), left: QUESTIONS, looks: HashMap::new() }
    }

    /// Whether there are no more repairs.
    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Valid argument tuples near these rejected tuples, which shrinking made from `from`. There may be several nearest
    /// tuples. Changed scalars stay if the skeleton is unchanged.
    pub fn repair(&mut self, from: &[Value], rejected: &[Vec<Value>]) -> Vec<Vec<Value>> {
        let mut repaired = Vec::new();
        let (skeleton, scalars) = (skeleton_of(from), scalars_of(from));
        let mut rest = rejected;
        while let Some(first) = rest.first() {
            if self.is_over() {
                break;
            }
            let own = skeleton_of(first);
            let n = rest.iter().take_while(|args| skeleton_of(args) == own).count();
            let (group, behind) = rest.split_at(n);
            rest = behind;
            let before = (own == skeleton).then_some(&scalars[..]);
            repaired.extend(self.repair_alike(&own, before, group));
        }
        repaired
    }

    /// The same for tuples with one skeleton; `before` are the scalars before the change, if the skeleton was the same.
    fn repair_alike(
        &mut self,
        skeleton: &Skeleton,
        before: Option<&[Value]>,
        rejected: &[Vec<Value>],
    ) -> Vec<Vec<Value>> {
        let looks = self.looks.entry(skeleton.clone()).or_default();
        *looks += 1;
        let is_first = *looks == 1;
        if before.is_none() && *looks > LOOKS {
            return Vec::new();
        }
        let domains: Vec<_> = self.space.leaves(skeleton).into_iter().map(|leaf| leaf.domain).collect();
        if domains.iter().any(|domain| domain.is_empty()) {
            return Vec::new();
        }
        let all: Vec<Vec<Value>> = rejected.iter().map(|args| scalars_of(args)).collect();
        // Chars and floats only take values from the domains and these.
        let further = (0..domains.len()).map(|leaf| {
            all.iter().map(Vec::as_slice).chain(before).map(|scalars| scalars[leaf].clone()).collect()
        });
        let further: Vec<Vec<Value>> = further.collect();
        let (space, left) = (&self.space, self.left);
        let (found, spent) = in_context(|| {
            let effort = Effort { per_check: PER_CHECK, ..Effort::default() };
            let mut completer = Completer::new(problem(space, skeleton, &further), further, effort);
            let cost = |completer: &Completer| {
                COST_OF_SKELETON + completer.questions() + COST_OF_GIVING_UP * completer.unknowns()
            };
            let mut found = Vec::new();
            if is_first {
                let leaves: Vec<u32> = (0..domains.len() as u32).collect();
                let least: Vec<Value> = domains.iter().map(|domain| domain[0].clone()).collect();
                found.extend(completer.nearest(&least, &[], &leaves));
                // Often only one scalar must stay, such as an extreme.
                for (leaf, own) in (0..).zip(before.unwrap_or_default()) {
                    let mut wanted = least.clone();
                    wanted[leaf as usize] = own.clone();
                    found.extend(completer.nearest(&wanted, &[leaf], &leaves));
                }
            }
            for scalars in &all {
                if cost(&completer) >= left {
                    break;
                }
                found.extend(repair_one(&mut completer, before, scalars));
            }
            (found, cost(&completer))
        });
        self.left = self.left.saturating_sub(spent);
        found.into_iter().map(|scalars| assemble(skeleton, &scalars)).collect()
    }
}

/// A scalar that depends on the change may come before or after it.
fn repair_one(completer: &mut Completer, before: Option<&[Value]>, scalars: &[Value]) -> Vec<Vec<Value>> {
    let fixed: Vec<u32> = match before {
        Some(before) => {
            (0..).zip(before.iter().zip(scalars)).filter(|(_, (a, b))| a != b).map(|(at, _)| at).collect()
        }
        None => Vec::new(),
    };
    let forwards: Vec<u32> = (0..scalars.len() as u32).collect();
    let backwards: Vec<u32> = forwards.iter().rev().copied().collect();
    let mut found: Vec<Vec<Value>> = completer.nearest(scalars, &fixed, &forwards).into_iter().collect();
    // If there is no solution in one order, there is none in the other.
    if !found.is_empty() {
        found.extend(completer.nearest(scalars, &fixed, &backwards).filter(|other| *other != found[0]));
    }
    found
}
