//! Random members of classes that are not counted.

use std::collections::HashSet;

use super::{Class, Native, Reuse};
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

/// Maximum number of steps of an attempt, on average, with which few branches are taken from earlier attempts.
const CHEAP: u64 = 30_000;

/// Number of steps that an attempt counts for, besides those of the engine.
const STEPS: u64 = 100;

/// Number of attempts to draw the numbers again.
const REDRAWS: u32 = 4;

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

    /// A new member of a size, if this attempt finds one. `like` is an engine for the space.
    pub fn next(&mut self, size: u64, like: &Native) -> Option<Vec<Value>> {
        let mut engine = self.engine.take().unwrap_or_else(|| like.again());
        let dice = |seed| Dice::new(seed, self.n_attempts);
        let (dice, other) = (dice(self.seed), dice(!self.seed));
        let is_cheap = self.work <= CHEAP * self.n_attempts;
        let reuse = if is_cheap { Reuse::Rare } else { Reuse::Often };
        self.n_attempts += 1;
        let before = cancel::steps();
        let walked = cancel::within_steps(MOST_STEPS, || {
            let found = engine.walk(Class::Size(size), dice, reuse, EFFORT);
            let found = found.ok().flatten().filter(|args| admits(self.space.spec(), args));
            (engine, found.map(|args| self.with_other_numbers(&args, other).unwrap_or(args)))
        });
        self.work += STEPS + cancel::steps() - before;
        let (engine, found) = walked?;
        self.engine = Some(engine);
        let args = found?;
        let is_new = self.note(&args);
        self.n_found += u64::from(is_new);
        is_new.then_some(args)
    }

    /// A new member that differs from another one in arguments that are numbers, if this attempt finds one. A walk chooses
    /// numbers that are compared with a length without regard to how many members each of them leaves: where
    /// `at + n <= len(list)`, nearly all walks that succeed begin with `at == 0` and `n == 0`.
    pub fn next_beside(&mut self, args: &[Value]) -> Option<Vec<Value>> {
        let dice = Dice::new(!self.seed, self.n_attempts);
        self.n_attempts += 1;
        self.work += STEPS;
        let found = cancel::within_steps(MOST_STEPS, || self.with_other_numbers(args, dice)).flatten()?;
        self.note(&found).then_some(found)
    }

    /// The member with other numbers as arguments: uniform among those that fit the other arguments.
    fn with_other_numbers(&self, args: &[Value], mut dice: Dice) -> Option<Vec<Value>> {
        if !args.iter().any(is_number) || !self.space.spec().callbacks.is_empty() {
            return None;
        }
        let domains = self.space.arg_domains();
        let mut redraw = |arg: &Value, domain: &Option<&[Value]>| match domain {
            Some(domain) if is_number(arg) => domain.get(dice.index(domain.len().max(1))).cloned(),
            _ => Some(arg.clone()),
        };
        let mut redrawn = || -> Option<Vec<Value>> {
            args.iter().zip(&domains).map(|(arg, domain)| redraw(arg, domain)).collect()
        };
        (0..REDRAWS).filter_map(|_| redrawn()).find(|args| admits(self.space.spec(), args))
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

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::logic::ir::{Clause, CompareOp, IntKind, Param, Refined, SeqKind, Sort, Spec, Term};
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
            let found = native.walk(Class::Size(1 + index % 5), Dice::new(0, index), Reuse::Often, 10_000);
            assert!(matches!(found, Ok(Some(_))), "{index}: {found:?}");
        }
    }

    #[test]
    fn random_members_are_distinct_and_vary() {
        let space = space_of(lists_of(Sort::Int(IntKind::I64)));
        let (mut members, native) = (RandomMembers::new(&space, 0), Native::new(&space));
        let found: Vec<Vec<Value>> = (0..100).filter_map(|_| members.next(4, &native)).collect();
        let distinct: HashSet<&Vec<Value>> = found.iter().collect();
        assert!(found.len() > 80 && distinct.len() == found.len(), "{found:?}");
        assert!(found.iter().all(|args| space.contains(args) && !members.note(args)));
        let first = |args: &Vec<Value>| {
            if let Value::Seq(list) = &args[0] { list[0].clone() } else { args[0].clone() }
        };
        assert_eq!(found.iter().map(first).collect::<HashSet<Value>>().len(), 9);
        assert_eq!(members.next(5, &native), None);
    }

    #[test]
    fn numbers_are_uniform_among_those_that_fit_the_rest() {
        let at =
            Param { name: String::new(), refined: Refined::plain(Sort::Int(IntKind::I64)), mutable: false };
        let list = Param {
            name: String::new(),
            refined: Refined::plain(lists_of(Sort::Int(IntKind::I64))),
            mutable: false,
        };
        let len = Term::Len(Box::new(Term::Var(1)));
        let is_index = Term::And(vec![
            Term::Compare(CompareOp::Le, Box::new(Term::Lit(Value::int(0))), Box::new(Term::Var(0))),
            Term::Compare(CompareOp::Lt, Box::new(Term::Var(0)), Box::new(len)),
        ]);
        let requires = vec![Clause { id: 0, text: String::new(), term: is_index }];
        let spec = Spec { params: vec![at, list], requires, ..Spec::unrefined("") };
        let members = RandomMembers::new(&Space::new(Arc::new(spec), Bounds { depth: 4, bound: 4 }), 0);
        let three = vec![Value::int(0), Value::Seq(vec![Value::int(7); 3].into())];
        let mut counts = [0; 3];
        for index in 0..1000 {
            let Some(args) = members.with_other_numbers(&three, Dice::new(0, index)) else { continue };
            assert_eq!(args[1], three[1]);
            (0..3).filter(|n| args[0] == Value::int(*n)).for_each(|n| counts[n as usize] += 1);
        }
        // Of nine numbers three fit, and there are four attempts.
        assert!(counts.iter().all(|n| (200..350).contains(n)), "{counts:?}");
    }
}
