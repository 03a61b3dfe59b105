//! Smaller argument tuples that the spec refuses are made valid: what depends on the change is adapted.
//!
//! Shrinking takes one step at a time: an element less, a sub-tree in place of a tree, one scalar lower. Where the spec
//! ties others to it (a stored size, a colour, a height, an index), the step alone is refused. Here Z3 lets the others
//! follow: the skeleton stays, and so does each scalar that can; the others take the least values that fit.

use std::collections::HashMap;

use target_strategies::space::{Skeleton, Space, assemble, scalars_of, skeleton_of};
use target_strategies::value::Value;

use super::boundary::problem;
use super::least::Completer;
use super::z3::{Effort, in_context};

/// Z3's resource units for one question: a repair takes many.
const PER_CHECK: u32 = 20_000;

/// How many questions Z3 is asked in all.
const QUESTIONS: u64 = 6_000;

/// How many questions a skeleton counts for, beside those asked about it.
const COST_OF_SKELETON: u64 = 10;

/// How many questions one counts for that Z3 gave up on.
const COST_OF_GIVING_UP: u64 = 50;

/// So often a smaller skeleton is repaired; the steps in between changed scalars alone.
const LOOKS: u32 = 4;

/// Repairs argument tuples of one space.
#[derive(Debug)]
pub struct Repairs {
    space: Space,
    left: u64,
    /// How often each skeleton was looked at.
    looks: HashMap<Skeleton, u32>,
}

impl Repairs {
    /// Repairs within the types of a space, whatever its bounds.
    pub fn new(space: &Space) -> Repairs {
        Repairs { space: space.clone(), left: QUESTIONS, looks: HashMap::new() }
    }

    /// Whether nothing more will be repaired.
    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Valid argument tuples near to these, which are refused, on their way down from `from`; the nearest may be several.
    /// Scalars that a step changed stay, if it left the skeleton alone.
    pub fn repair(&mut self, from: &[Value], refused: &[Vec<Value>]) -> Vec<Vec<Value>> {
        let mut repaired = Vec::new();
        let (skeleton, scalars) = (skeleton_of(from), scalars_of(from));
        let mut rest = refused;
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

    /// The same for tuples with one skeleton; `before` are the scalars behind which they come, if that had it too.
    fn repair_alike(
        &mut self,
        skeleton: &Skeleton,
        before: Option<&[Value]>,
        refused: &[Vec<Value>],
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
        let all: Vec<Vec<Value>> = refused.iter().map(|args| scalars_of(args)).collect();
        // Chars and floats are only ever taken from the domains and from these.
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
                // What has to be as it is may be a single scalar, an extreme one above all.
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

/// What depends on a change may stand before or behind what it depends on.
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
    // If there is none in one order, there is none in the other.
    if !found.is_empty() {
        found.extend(completer.nearest(scalars, &fixed, &backwards).filter(|other| *other != found[0]));
    }
    found
}
