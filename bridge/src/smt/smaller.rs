//! The valid members of a space that are smaller than an argument tuple, for shrinking: skeletons in the space's order.
//!
//! If an invariant ties everything together, as the black height of a red-black tree does, no single change of a
//! counterexample gives a smaller valid input. A search through all small members finds it easily, as there are few.
//!
//! The search works in rounds. The first tries some members of each skeleton, since most failures don't depend on exact
//! scalars. Later rounds try more members of the skeletons that are still small enough. So a smaller member may follow;
//! after the last round there is none, if [`SmallerMembers::is_complete`].

use target_strategies::logic::value::Value;
use target_strategies::shrink::size;
use target_strategies::space::{Bounds, Skeleton, Skeletons, Space};

use super::decode::ShapeSearch;
use super::solver::{Effort, in_context};
use super::split::{Limits, State};

/// Limits for each skeleton in the first round, and in each later round.
const ROUNDS: [Limits; 3] = [
    Limits { solutions: 64, questions: 96 },
    Limits { solutions: 1024, questions: 256 },
    Limits { solutions: 8192, questions: 512 },
];

/// Maximum number of skeletons.
const SKELETONS: usize = 512;

/// Maximum total work, counted in members found.
const WORK: usize = 20_000;

/// Cost, in members, of opening a skeleton and of a question to Z3.
const OPENING: usize = 20;
const COST_OF_QUESTION: usize = 10;

/// Number of skeletons that share a Z3 context.
const GROUP: usize = 8;

/// Maximum number of formulas kept by a search that waits for its turn.
const KEPT_FORMULAS: usize = 20_000;

/// Maximum bound. For structures bigger than the space, the bound of the scalars in them grows up to this.
const MAX_BOUND: u32 = 8;

/// A space deep enough to contain these arguments, whatever their origin.
pub fn around(space: &Space, args: &[Value]) -> Space {
    let Bounds { depth, bound } = space.bounds();
    let nesting = args.iter().map(nesting).max().unwrap_or(0);
    if nesting <= depth || space.contains(args) {
        return space.clone();
    }
    let size = u32::try_from(size(args).structure).unwrap_or(u32::MAX);
    Space::new(space.spec().clone(), Bounds { depth: nesting, bound: bound.max(size.min(MAX_BOUND)) })
}

/// The length of the longest list or string, or the nesting depth of constructors if that is greater.
fn nesting(value: &Value) -> u32 {
    let inside = |parts: &[Value]| parts.iter().map(nesting).max().unwrap_or(0);
    match value {
        Value::Str(text) => text.chars().count() as u32,
        Value::Seq(parts) => inside(parts).max(parts.len() as u32),
        Value::Tuple(parts) => inside(parts),
        Value::Data(_, parts) if parts.is_empty() => 0,
        Value::Data(_, parts) => 1 + inside(parts),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => 0,
    }
}

/// The members that are smaller than the smallest counterexample so far.
#[derive(Debug)]
pub struct SmallerMembers {
    space: Space,
    skeletons: Skeletons,
    /// The open skeletons, in the space's order.
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
    /// Starts with the smallest skeleton.
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

    /// Some members smaller than these arguments, possibly none this time; `None` after the last.
    pub fn next(&mut self, than: &[Value]) -> Option<Vec<Vec<Value>>> {
        if self.work_left == 0 {
            self.is_complete = false;
            return None;
        }
        let own = size(than);
        // Skeletons that are bigger than the counterexample are dropped.
        self.open.retain(|open| open.size <= own.structure);
        let opened = self.round == 0 && self.open_some(own.structure);
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

    /// Whether all smaller members were found, once there are no more.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Opens the next skeletons up to a size. Returns whether there are any.
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

    /// The next members of the next few searches; drops finished searches.
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
    /// The cost of a search that found this many members. A search that found too few has used all its questions.
    fn cost(&self, found: usize, limits: Limits) -> usize {
        let ran_out = *self.search.state() == State::Open && found < limits.solutions;
        OPENING + found + if ran_out { COST_OF_QUESTION * limits.questions } else { 0 }
    }
}
