//! The valid members of a space that are smaller than an argument tuple, for shrinking: skeletons in the space's order.
//!
//! Where an invariant ties everything together, as the black height of a red-black tree does, no single step from a
//! counterexample leads to a smaller valid one. Among all small members it is easily found: there are few of them.
//!
//! It goes in rounds. The first looks at some members of each skeleton, since most failures don't depend on what
//! exactly the scalars are; the later ones at more of those that are still not too big. So what is found may be followed by
//! something smaller yet; behind the last round there is nothing smaller, if [`SmallerMembers::is_complete`].

use target_strategies::shrink::size;
use target_strategies::space::{Bounds, Skeleton, Skeletons, Space};
use target_strategies::value::Value;

use super::decode::ShapeSearch;
use super::split::{Limits, State};
use super::z3::{Effort, in_context};

/// What a skeleton may give and ask in the first round, and in each later one.
const ROUNDS: [Limits; 3] = [
    Limits { solutions: 64, questions: 96 },
    Limits { solutions: 1024, questions: 256 },
    Limits { solutions: 8192, questions: 512 },
];

/// How many skeletons are looked at, at most.
const SKELETONS: usize = 512;

/// How much is done in all, counted in members found.
const WORK: usize = 20_000;

/// How many members a look at a skeleton counts for, and how many a question to Z3.
const OPENING: usize = 20;
const COST_OF_QUESTION: usize = 10;

/// How many skeletons share a Z3 context.
const GROUP: usize = 8;

/// A search keeps at most so many formulas while the others have their turn.
const KEPT_FORMULAS: usize = 20_000;

/// What is stored of a structure that is bigger than the space grows with it, up to here.
const MAX_BOUND: u32 = 8;

/// A space that reaches as deep as these arguments, which an example may have from anywhere.
pub fn around(space: &Space, args: &[Value]) -> Space {
    let Bounds { depth, bound } = space.bounds();
    let nesting = args.iter().map(nesting).max().unwrap_or(0);
    if nesting <= depth || space.contains(args) {
        return space.clone();
    }
    let size = u32::try_from(size(args).0).unwrap_or(u32::MAX);
    Space::new(space.spec().clone(), Bounds { depth: nesting, bound: bound.max(size.min(MAX_BOUND)) })
}

/// The length of the longest list or string, or how deep constructors are nested, if that is more.
fn nesting(value: &Value) -> u32 {
    let inside = |parts: &[Value]| parts.iter().map(nesting).max().unwrap_or(0);
    match value {
        Value::Str(text) => text.chars().count() as u32,
        Value::Seq(parts) => inside(parts).max(parts.len() as u32),
        Value::Tuple(parts) => inside(parts),
        Value::Data(_, parts) if parts.is_empty() => 0,
        Value::Data(_, parts) => 1 + inside(parts),
        _ => 0,
    }
}

/// The members that are smaller than the smallest counterexample so far.
#[derive(Debug)]
pub struct SmallerMembers {
    space: Space,
    skeletons: Skeletons,
    /// Those that were opened and not given up, in the space's order.
    open: Vec<Open>,
    /// The next of `open` in this round.
    next: usize,
    round: usize,
    n_opened: usize,
    work_left: usize,
    is_complete: bool,
}

#[derive(Debug)]
struct Open {
    size: u64,
    search: ShapeSearch,
}

impl SmallerMembers {
    /// Looks from the smallest skeleton on.
    pub fn new(space: &Space) -> SmallerMembers {
        SmallerMembers {
            space: space.clone(),
            skeletons: space.skeletons(),
            open: Vec::new(),
            next: 0,
            round: 0,
            n_opened: 0,
            work_left: WORK,
            is_complete: true,
        }
    }

    /// Some members that are smaller than these arguments, possibly none this time; `None` behind the last.
    pub fn next(&mut self, than: &[Value]) -> Option<Vec<Vec<Value>>> {
        if self.work_left == 0 {
            self.is_complete = false;
            return None;
        }
        let own = size(than);
        // Nothing bigger is wanted any more.
        self.open.retain(|open| open.size <= own.0);
        let opened = self.round == 0 && self.open_some(own.0);
        if !opened && (self.round == 0 || self.next >= self.open.len()) {
            self.round += 1;
            self.next = 0;
        }
        if self.open.is_empty() {
            return None;
        }
        if self.round >= ROUNDS.len() {
            self.is_complete = false;
            return None;
        }
        let members = self.search();
        Some(members.into_iter().filter(|args| size(args) < own).collect())
    }

    /// Whether all members that are smaller were given, once there are no more.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Opens the next skeletons up to a size; whether there are any.
    fn open_some(&mut self, max: u64) -> bool {
        self.next = self.open.len();
        let room = GROUP.min(SKELETONS - self.n_opened);
        let fresh: Vec<Skeleton> =
            self.skeletons.by_ref().take(room).take_while(|skeleton| skeleton.size() <= max).collect();
        if room == 0 && self.skeletons.clone().next().is_some_and(|skeleton| skeleton.size() <= max) {
            self.is_complete = false;
        }
        self.n_opened += fresh.len();
        let space = &self.space;
        self.open.extend(fresh.into_iter().map(|skeleton| Open {
            size: skeleton.size(),
            search: ShapeSearch::new(space, skeleton, Effort::default()),
        }));
        self.next < self.open.len()
    }

    /// The next members of the next few searches; drops those that are over.
    fn search(&mut self) -> Vec<Vec<Value>> {
        let mut limits = ROUNDS[self.round];
        limits.solutions = limits.solutions.min(self.work_left.div_ceil(GROUP));
        let end = self.open.len().min(self.next + GROUP);
        let group = &mut self.open[self.next..end];
        let found: Vec<Vec<Vec<Value>>> =
            in_context(|| group.iter_mut().map(|open| open.search.next(limits)).collect());
        let behind = self.open.split_off(end);
        let group = self.open.split_off(self.next);
        for (mut open, found) in group.into_iter().zip(&found) {
            self.work_left = self.work_left.saturating_sub(open.cost(found.len(), limits));
            match open.search.state() {
                State::Open => {
                    open.search.shrink(KEPT_FORMULAS);
                    self.open.push(open);
                }
                State::Finished => {}
                State::Unknown(_) => self.is_complete = false,
            }
        }
        self.next = self.open.len();
        self.open.extend(behind);
        found.into_iter().flatten().collect()
    }
}

impl Open {
    /// What it cost to find so many members. One who stopped before it had enough asked all that it might.
    fn cost(&self, found: usize, limits: Limits) -> usize {
        let ran_out = *self.search.state() == State::Open && found < limits.solutions;
        OPENING + found + if ran_out { COST_OF_QUESTION * limits.questions } else { 0 }
    }
}
