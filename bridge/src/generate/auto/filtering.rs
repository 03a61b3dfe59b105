//! Random arguments that the spec admits, next to members that are expensive.
//!
//! What couples several lists, such as a sum over each, takes the engine thousands of steps for a member. But random arguments may satisfy
//! it every hundredth time, for much less.

use super::{Auto, Inside};
use crate::generate::Case;
use crate::generate::filtered::Filtered;

/// Work for a member that is much, and number of members before that is known.
const EXPENSIVE: u64 = 5_000;
const FIRST_MEMBERS: u64 = 8;

/// Work for a sample, in steps of the engine.
const WORK_PER_SAMPLE: u64 = 60;

/// Work of the space for each unit of work for samples.
const SHARE: u64 = 4;

impl Auto {
    /// Adds a random case, if members are expensive and this attempt finds one.
    pub(super) fn add_random(&mut self, cases: &mut Vec<Case>) {
        let Inside::Engine(members) = &self.inside else { return };
        let work = members.work();
        let is_expensive = self.n_inside >= FIRST_MEMBERS && work / self.n_inside >= EXPENSIVE;
        if !is_expensive || !self.knows_members() {
            return;
        }
        let (space, options) = (&self.space, &self.options);
        let random = self.random.get_or_insert_with(|| Filtered::new(space, options.seed));
        if random.is_over() || random.n_sampled() * WORK_PER_SAMPLE >= work / SHARE {
            return;
        }
        let Some(case) = random.next_case(self.options.beyond, &mut self.seen) else { return };
        if case.beyond.is_some() || self.takes_as_member(&case.args) {
            cases.push(case);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use target_strategies::logic::eval::admits;
    use target_strategies::space::Space;

    use super::*;
    use crate::generate::auto::AutoOptions;
    use crate::generate::different::tests as different;
    use crate::generate::{Batch, Generator, Step};

    /// The first cases for some parameters, and the schedule then.
    fn first(params: &str, n: usize) -> (Vec<Case>, Space, Auto) {
        let space = different::space(&different::subject((params, "_, _", "not_equal")));
        let mut auto = Auto::new(space.clone(), &AutoOptions { beyond: true, seed: 0 });
        let mut cases = Vec::new();
        while cases.len() < n {
            if let Step::Batch(Batch::Cases(more)) = auto.step() {
                cases.extend(more);
            }
        }
        (cases, space, auto)
    }

    #[test]
    fn random_cases_come_where_members_are_expensive() {
        let squares = |of: &str| format!("{of}.iter().map(|x| x.iter().map(|y| y * y).sum()).sum()");
        let params =
            format!("a: Vec<Vec<u8>>, b: {{b: Vec<Vec<u8>> | {} == {}}}", squares("a"), squares("b"));
        let (cases, space, auto) = first(&params, 200);
        let random = auto.random.expect("members are expensive");
        assert!(random.n_sampled() > 0);
        let distinct: HashSet<_> = cases.iter().map(|case| &case.args).collect();
        assert_eq!(distinct.len(), cases.len());
        for case in &cases {
            assert!(admits(space.spec(), &case.args), "{case:?}");
            assert_eq!(case.beyond.is_none(), space.contains(&case.args), "{case:?}");
        }
    }

    #[test]
    fn none_come_where_members_cost_little() {
        let (_, _, auto) = first("a: Vec<u8>, b: {b: Vec<u8> | b.len() == a.len()}", 200);
        assert!(auto.random.is_none());
    }
}
