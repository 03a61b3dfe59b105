//! Shrinking: from a failing member to smaller members, by the spec.
//!
//! First come the steps of [`crate::shrink`], boldest first, each judged before it is tried, again and again from what
//! failed last. Where none of them fails any more, small members are tried in order, some of each size: a step changes one
//! thing, or what hangs together by a few patterns, and from some failing members none leads on though there are smaller ones.
//! The sum of all is bounded far below what proptest allows (`max_shrink_iters`, 1,024 where nothing else is said).

use std::fmt;

use proptest::strategy::ValueTree;

use super::Members;
use crate::shrink;
use crate::value::Value;

/// So many candidates are tried in all.
const MAX_TRIED: u32 = 600;

/// So many are judged before giving up on the one that is being shrunk.
const MAX_JUDGED: usize = 20_000;

/// So many candidates are made ahead.
const AHEAD: usize = 32;

/// A member, and smaller ones to try in its place.
pub struct Tree<T> {
    members: Members<T>,
    /// The last that failed.
    failing: Vec<Value>,
    /// What is being tried, unless it is the one that failed.
    current: Option<Vec<Value>>,
    /// Candidates that come next, the last of them first.
    ahead: Vec<Vec<Value>>,
    /// How many candidates of the failing one were made.
    n_made: usize,
    stage: Stage,
    n_tried: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Steps from the failing member.
    Steps,
    /// The smallest members of all, from that index on.
    Smallest(usize),
    /// The failing member, once more.
    Again,
    /// There is nothing left to try.
    Over,
}

impl<T> Tree<T> {
    /// Begins with a member that the spec admits.
    pub(super) fn new(members: Members<T>, args: Vec<Value>) -> Tree<T> {
        Tree {
            members,
            failing: args,
            current: None,
            ahead: Vec::new(),
            n_made: 0,
            stage: Stage::Steps,
            n_tried: 0,
        }
    }

    /// Goes to the next smaller member that there is.
    fn next(&mut self) -> bool {
        if self.n_tried >= MAX_TRIED {
            return false;
        }
        let found = match self.next_step() {
            Some(step) => Some(step),
            None => self.next_of_smallest(),
        };
        match found {
            Some(args) => {
                self.n_tried += 1;
                self.current = Some(args);
                true
            }
            None => false,
        }
    }

    /// The next step from the failing member that the spec admits.
    fn next_step(&mut self) -> Option<Vec<Value>> {
        while self.stage == Stage::Steps && self.n_made < MAX_JUDGED {
            if self.ahead.is_empty() {
                // They are made in growing lots, each from the start: the sequence borrows from what it shrinks.
                let n = self.n_made.max(AHEAD);
                let steps = shrink::candidates(self.members.source.spec(), &self.failing);
                self.ahead = steps.skip(self.n_made).take(n).collect();
                self.n_made += self.ahead.len();
                self.ahead.reverse();
            }
            match self.ahead.pop() {
                Some(args) if self.is_member(&args) => return Some(args),
                Some(_) => {}
                None => break,
            }
        }
        if self.stage == Stage::Steps {
            self.stage = Stage::Smallest(0);
            self.ahead.clear();
        }
        None
    }

    fn next_of_smallest(&mut self) -> Option<Vec<Value>> {
        let Stage::Smallest(from) = self.stage else { return None };
        let size = shrink::size(&self.failing);
        let smallest = self.members.source.smallest();
        for (index, args) in smallest.iter().enumerate().skip(from) {
            if shrink::size(args) >= size {
                break;
            }
            if self.members.accepts(args) {
                self.stage = Stage::Smallest(index + 1);
                return Some(args.clone());
            }
        }
        self.stage = Stage::Smallest(smallest.len());
        None
    }

    fn is_member(&self, args: &[Value]) -> bool {
        self.members.source.admits(args) && self.members.accepts(args)
    }
}

impl<T: fmt::Debug> ValueTree for Tree<T> {
    type Value = T;

    fn current(&self) -> T {
        let made = self.members.value(self.current.as_ref().unwrap_or(&self.failing));
        made.expect("what is tried has been made before, and its functions give the same each time")
    }

    fn simplify(&mut self) -> bool {
        if matches!(self.stage, Stage::Again | Stage::Over) {
            self.stage = Stage::Over;
            return false;
        }
        if let Some(args) = self.current.take() {
            self.failing = args;
            self.ahead.clear();
            self.n_made = 0;
            self.stage = Stage::Steps;
        }
        if self.next() {
            return true;
        }
        self.stage = Stage::Over;
        false
    }

    /// Behind the last candidate comes the failing member itself, so that the last word has a value that fails.
    fn complicate(&mut self) -> bool {
        if matches!(self.stage, Stage::Again | Stage::Over) {
            self.stage = Stage::Over;
            return false;
        }
        if self.current.is_none() {
            // Nothing was simplified.
            return false;
        }
        if !self.next() {
            self.current = None;
            self.stage = Stage::Again;
        }
        true
    }
}

impl<T> Clone for Tree<T> {
    fn clone(&self) -> Tree<T> {
        Tree {
            members: self.members.clone(),
            failing: self.failing.clone(),
            current: self.current.clone(),
            ahead: self.ahead.clone(),
            n_made: self.n_made,
            stage: self.stage,
            n_tried: self.n_tried,
        }
    }
}

impl<T> fmt::Debug for Tree<T> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Tree").field("current", &self.current).field("failing", &self.failing).finish()
    }
}
