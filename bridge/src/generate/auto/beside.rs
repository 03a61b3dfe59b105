//! What comes beside the members of the space: inputs like a member but for a string or a scalar, and random arguments.
//!
//! What couples several lists, such as a sum over each, takes the engine thousands of steps for a member. But random arguments may satisfy
//! it every hundredth time, for much less. So where members are expensive, random arguments that the spec admits come between them.

use target_strategies::beyond::Source;
use target_strategies::logic::value::Value;

use super::{Auto, EXHAUSTIBLE, Inside};
use crate::generate::Case;
use crate::generate::filtered::Filtered;

/// Maximum number of strings of other ways before each of the first members.
const WAYS_PER_MEMBER: u64 = 2;

/// Average number of steps for a member from which on random cases come, and the number of members that are looked at first.
const STEPS_PER_MEMBER: u64 = 5_000;
const LEAST_MEMBERS: u64 = 16;

/// Work of the space for each unit of work for random cases.
const WORK_OF_SPACE: u64 = 4;

impl Auto {
    /// Adds inputs like a member, but with strings that take other ways through the expressions of the spec. Those outside the space
    /// count as large ones.
    pub(super) fn add_other_strings(&mut self, member: &[Value], cases: &mut Vec<Case>) {
        for _ in 0..WAYS_PER_MEMBER {
            let Some(args) = self.strings.next(self.space.spec(), member) else { return };
            let is_inside = self.space.contains(&args);
            // They are few, so they may come however many members other sources have made.
            let is_wanted = if is_inside { self.knows_members() } else { self.options.beyond };
            if !is_wanted || self.seen.contains(&args) {
                continue;
            }
            if is_inside && !self.takes_as_member(&args) {
                continue;
            }
            self.seen.insert(args.clone());
            cases.push(Case { args, beyond: (!is_inside).then_some(Source::Large) });
        }
    }

    /// Adds an input like the first member but for one scalar, if it is one of the space's.
    pub(super) fn add_one_other(&mut self, member: &[Value], cases: &mut Vec<Case>) {
        if !self.knows_members() {
            return;
        }
        let Some(args) = self.one_other.next(&self.space, member) else { return };
        if !self.seen.contains(&args) && self.takes_as_member(&args) {
            self.seen.insert(args.clone());
            cases.push(Case { args, beyond: None });
        }
    }

    /// Adds a random case, if members are expensive and this attempt finds one.
    pub(super) fn add_random(&mut self, cases: &mut Vec<Case>) {
        let Inside::Engine(members) = &self.inside else { return };
        let work = members.work();
        let is_expensive = self.n_inside >= LEAST_MEMBERS && work / self.n_inside >= STEPS_PER_MEMBER;
        if !is_expensive || !self.knows_members() {
            return;
        }
        // Beyond a small space there are few inputs, so that it is soon exhausted.
        let is_small = self.reached.n_members.is_some_and(|n| n <= EXHAUSTIBLE);
        let beyond = self.options.beyond && !is_small;
        let (space, seed) = (&self.space, self.options.seed);
        let random = self.random.get_or_insert_with(|| Box::new(Filtered::new(space, seed)));
        if random.is_over() || random.work() >= work / WORK_OF_SPACE {
            return;
        }
        let Some(case) = random.attempt(beyond, &mut self.seen) else { return };
        if case.beyond.is_some() || self.takes_as_member(&case.args) {
            cases.push(case);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use target_strategies::beyond::Seen;
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
            match auto.step() {
                Step::Batch(Batch::Cases(more)) => cases.extend(more),
                Step::Batch(_) | Step::Reached(_) | Step::Beyond(_) => {}
                Step::End(_) => panic!("there are more cases"),
            }
        }
        (cases, space, auto)
    }

    #[test]
    fn random_cases_come_where_members_are_expensive() {
        let squares = |of: &str| format!("{of}.iter().map(|x| x.iter().map(|y| y * y).sum()).sum()");
        let params =
            format!("a: Vec<Vec<u8>>, b: {{b: Vec<Vec<u8>> | {} == {}}}", squares("a"), squares("b"));
        let (cases, space, auto) = first(&params, 300);
        assert!(auto.random.is_some());
        let distinct: HashSet<_> = cases.iter().map(|case| &case.args).collect();
        assert_eq!(distinct.len(), cases.len());
        for case in &cases {
            assert!(admits(space.spec(), &case.args), "{case:?}");
            assert_eq!(case.beyond.is_none(), space.contains(&case.args), "{case:?}");
        }
        let (mut filtered, mut seen) = (Filtered::new(&space, 0), Seen::new());
        let random = (0..1000).filter_map(|_| filtered.next_case(true, &mut seen));
        let n_random = random.filter(|case| distinct.contains(&case.args)).count();
        assert!(n_random > 20, "{n_random}");
    }

    #[test]
    fn none_come_where_members_cost_little() {
        let (_, _, auto) = first("a: Vec<u8>, b: {b: Vec<u8> | b.len() == a.len()}", 200);
        assert!(auto.random.is_none());
    }
}
