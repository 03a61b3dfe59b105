//! The random baseline as a generator: batches of proptest's random arguments, without end.

use target_strategies::baseline::random::{RandomArgs, Reach};
use target_strategies::beyond::Source;
use target_strategies::logic::eval::{Judge, Judgement};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::{Batch, Case, End, Generator, Step};

/// Maximum number of cases of a batch.
const BATCH: usize = 256;

/// Number of parts of arguments after which a batch is full: limits are looked at between batches.
const PARTS: usize = 50_000;

/// Samples arguments at random.
pub struct Random {
    space: Space,
    args: RandomArgs,
    /// Whether cases may be outside the space: every other one has any value of the machine types.
    boundary: bool,
    n_drawn: u64,
}

impl Random {
    /// Random members of a space; with `boundary`, cases as a user of proptest samples them: they may be outside it.
    pub fn new(space: Space, seed: u64, boundary: bool) -> Random {
        let args = RandomArgs::new(&space, seed);
        Random { space, args, boundary, n_drawn: 0 }
    }

    fn case(&mut self) -> Option<Case> {
        let reach = match (self.boundary, self.n_drawn % 2) {
            (false, _) => Reach::Bounded,
            (true, 1) => Reach::Any,
            (true, _) => Reach::Near,
        };
        self.n_drawn += 1;
        let args = self.args.sample(reach)?;
        // A failure outside the space must not be reported as inside.
        let explored = Judge::new(None).explored(self.space.spec(), &args) == Judgement::Holds;
        let beyond = (!(explored && self.space.contains(&args))).then_some(Source::Large);
        Some(Case { args, beyond })
    }
}

impl Generator for Random {
    fn step(&mut self) -> Step {
        let (mut cases, mut n_parts) = (Vec::new(), 0);
        while cases.len() < BATCH && n_parts < PARTS {
            let Some(case) = self.case() else {
                let reason = "a parameter's type has no value within the depth".to_owned();
                return Step::End(End::Unknown(vec![reason]));
            };
            n_parts += case.args.iter().map(Value::n_parts).sum::<usize>();
            cases.push(case);
        }
        Step::Batch(Batch::Cases(cases))
    }
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::{IntKind, Refined, SeqKind, Sort};

    use super::*;
    use crate::generate::enumerative::tests::space;

    fn cases(seed: u64, boundary: bool) -> Vec<Case> {
        let list = Sort::Seq(Box::new(Refined::plain(Sort::Int(IntKind::U8))), SeqKind::Vec);
        let mut random = Random::new(space(vec![Sort::Int(IntKind::I64), list], 3, 4), seed, boundary);
        match random.step() {
            Step::Batch(Batch::Cases(cases)) => cases,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_seed_decides_and_only_half_reaches_beyond_the_bound() {
        assert_eq!(cases(1, true), cases(1, true));
        assert_ne!(cases(1, true), cases(2, true));
        assert!(cases(1, false).iter().all(|case| case.beyond.is_none()));
        let beyond = cases(1, true).iter().filter(|case| case.beyond.is_some()).count();
        assert_eq!(beyond, BATCH / 2);
        let len = |case: &Case| if let Value::Seq(list) = &case.args[1] { list.len() } else { 0 };
        let (near, far): (Vec<Case>, Vec<Case>) =
            cases(3, true).into_iter().partition(|case| case.beyond.is_none());
        assert!(near.iter().all(|case| len(case) <= 3) && far.iter().any(|case| len(case) > 50));
    }
}
