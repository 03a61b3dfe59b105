//! Random members of classes that are not counted.

use std::collections::HashSet;

use super::{Class, Native};
use crate::cancel;
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::value::Value;
use crate::space::Space;

/// Maximum number of members.
const MOST: u64 = 256;

/// Maximum number of choices of an attempt, and of steps ([`cancel::steps`]), some tens of milliseconds.
const EFFORT: u64 = 500;
const MOST_STEPS: u64 = 400_000;

/// Number of steps that an attempt counts for, besides those of the engine.
const STEPS: u64 = 100;

/// Random members, each once. Not all are equally likely.
pub struct RandomMembers {
    /// `None` after an attempt that took too long.
    engine: Option<Native>,
    /// Steps so far.
    work: u64,
    space: Space,
    seed: u64,
    n_attempts: u64,
    n_found: u64,
    /// The members so far, and those of other sources.
    seen: HashSet<Vec<Value>>,
}

impl RandomMembers {
    /// No members yet.
    pub fn new(space: &Space, seed: u64) -> RandomMembers {
        RandomMembers {
            engine: None,
            work: 0,
            space: space.clone(),
            seed,
            n_attempts: 0,
            n_found: 0,
            seen: HashSet::new(),
        }
    }

    /// A new member of a size, if this attempt finds one.
    pub fn next(&mut self, size: u64) -> Option<Vec<Value>> {
        let mut engine = self.engine.take().unwrap_or_else(|| Native::new(&self.space));
        let dice = Dice::new(self.seed, self.n_attempts);
        self.n_attempts += 1;
        let before = cancel::steps();
        let walked = cancel::within_steps(MOST_STEPS, || {
            let found = engine.walk(Class::Size(size), dice, true, EFFORT);
            (engine, found)
        });
        self.work += STEPS + cancel::steps() - before;
        let (engine, found) = walked?;
        self.engine = Some(engine);
        let args = found.ok().flatten().filter(|args| admits(self.space.spec(), args))?;
        let is_new = self.note(&args);
        self.n_found += u64::from(is_new);
        is_new.then_some(args)
    }

    /// Notes a member that another source produced, so that it isn't repeated; returns whether it is new.
    pub fn note(&mut self, args: &[Value]) -> bool {
        !self.seen.contains(args) && self.seen.insert(args.to_vec())
    }

    /// Whether a member was noted.
    pub fn has_seen(&self, args: &[Value]) -> bool {
        self.seen.contains(args)
    }

    /// Work so far, in steps ([`cancel::steps`]).
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether there are no more.
    pub fn is_over(&self) -> bool {
        self.n_found >= MOST
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::logic::ir::{IntKind, Param, Refined, SeqKind, Sort, Spec};
    use crate::space::Bounds;

    fn lists_of(sort: Sort) -> Sort {
        Sort::Seq(Box::new(Refined::plain(sort)), SeqKind::Vec)
    }

    fn space_of(sort: Sort) -> Space {
        let param = Param { name: String::new(), refined: Refined::plain(sort), mutable: false };
        let spec = Spec { params: vec![param], ..Spec::unrefined("") };
        Space::new(Arc::new(spec), Bounds { depth: 4, bound: 4 })
    }

    #[test]
    fn what_walks_keep_never_hides_a_member() {
        let space = space_of(lists_of(lists_of(Sort::Int(IntKind::I64))));
        let mut native = Native::new(&space);
        for index in 0..2000 {
            let found = native.walk(Class::Size(1 + index % 5), Dice::new(0, index), true, 10_000);
            assert!(matches!(found, Ok(Some(_))), "{index}: {found:?}");
        }
    }

    #[test]
    fn random_members_are_distinct_and_vary() {
        let space = space_of(lists_of(Sort::Int(IntKind::I64)));
        let mut members = RandomMembers::new(&space, 0);
        let found: Vec<Vec<Value>> = (0..100).filter_map(|_| members.next(4)).collect();
        let distinct: HashSet<&Vec<Value>> = found.iter().collect();
        assert!(found.len() > 80 && distinct.len() == found.len(), "{found:?}");
        assert!(found.iter().all(|args| space.contains(args) && !members.note(args)));
        let first = |args: &Vec<Value>| {
            if let Value::Seq(list) = &args[0] { list[0].clone() } else { args[0].clone() }
        };
        assert_eq!(found.iter().map(first).collect::<HashSet<Value>>().len(), 9);
        assert_eq!(members.next(5), None);
    }
}
