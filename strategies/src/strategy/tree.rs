//! Shrinks a failing member to smaller members.
//!
//! First come the steps of [`crate::shrink`], boldest first, again and again from the last failing member. Each
//! candidate is judged before it is tried. If no step fails any more, small members are tried in order, some of each
//! size: a step changes one part, or a few parts in common patterns, so from some failing members no step leads to a
//! smaller one. The number of candidates is far below the limit of proptest (`max_shrink_iters`, 1,024 by default).
//!
//! After a test, functions are shown as the tables that it filled.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use proptest::strategy::ValueTree;

use super::Members;
use crate::child::serve::functions::Functions;
use crate::logic::value::Value;
use crate::shrink;

/// Maximum number of candidates tried.
const MAX_TRIED: u32 = 600;

/// Maximum number of candidates judged for one failing member.
const MAX_JUDGED: usize = 20_000;

/// Number of candidates made in advance.
const AHEAD: usize = 32;

/// A member, and smaller members to try.
pub struct Tree<T> {
    members: Members<T>,
    /// The last failing member.
    failing: Vec<Value>,
    /// The failing member with what its functions returned: in the order of calls, for candidates in which arguments change; and by
    /// arguments, for candidates in which calls disappear.
    after: Option<[Vec<Value>; 2]>,
    /// Where there are functions, the members that were tried.
    seen: HashSet<Vec<Value>>,
    /// The member being tried; `None` while it is the failing one.
    current: Option<Vec<Value>>,
    /// The next candidates, in reverse order.
    ahead: Vec<Vec<Value>>,
    /// Number of candidates made for the failing member.
    n_made: usize,
    stage: Stage,
    n_tried: u32,
    /// The member that was made last, with its functions, if it has any.
    made: RefCell<Option<(Vec<Value>, Functions)>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Steps from the failing member.
    Steps,
    /// The smallest members, from this index on.
    Smallest(usize),
    /// The failing member, once more.
    Again,
    /// Nothing is left to try.
    Over,
}

impl<T> Tree<T> {
    /// A tree for a member that the spec admits.
    pub(super) fn new(members: Members<T>, args: Vec<Value>) -> Tree<T> {
        Tree {
            members,
            failing: args,
            after: None,
            seen: HashSet::new(),
            current: None,
            ahead: Vec::new(),
            n_made: 0,
            stage: Stage::Steps,
            n_tried: 0,
            made: RefCell::default(),
        }
    }

    /// The member being tried.
    fn tried(&self) -> &Vec<Value> {
        self.current.as_ref().unwrap_or(&self.failing)
    }

    /// Goes on from the member that was tried, which failed; `false` if it is no better than the one before. With functions, what they
    /// returned must be smaller: where arguments change, they may return more than before.
    fn note_failure(&mut self) -> bool {
        let is_first = self.current.is_none();
        let (mut after, mut is_rejected) = (None, false);
        if let Some((args, functions)) = &*self.made.borrow()
            && args == self.tried()
            && functions.is_called()
        {
            // Filters asked for results, too; and other parts of a tuple may have run with the first member since it failed.
            is_rejected = functions.is_rejected();
            after = Some([functions.answers(), functions.all_tables()]);
        }
        let tried = self.current.take();
        let before = self.after.as_ref().map_or(&self.failing, |[_, tables]| tables);
        let now = after.as_ref().map(|[_, tables]| tables).or(tried.as_ref()).unwrap_or(&self.failing);
        let has_functions = self.after.is_some() || after.is_some();
        if has_functions && !is_first && (is_rejected || shrink::size(now) >= shrink::size(before)) {
            return false;
        }
        match (&after, tried) {
            (Some([_, tables]), _) => self.failing.clone_from(tables),
            (None, Some(args)) => self.failing = args,
            (None, None) => {}
        }
        self.after = after;
        self.ahead.clear();
        self.n_made = 0;
        self.stage = Stage::Steps;
        true
    }

    /// Moves to the next smaller member; `false` if there is none.
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

    /// The next candidate that the spec admits.
    fn next_step(&mut self) -> Option<Vec<Value>> {
        while self.stage == Stage::Steps && self.n_made < MAX_JUDGED {
            if self.ahead.is_empty() {
                // Candidates are made in growing batches, each from the start, because the iterator borrows the
                // member.
                let n = self.n_made.max(AHEAD);
                let spec = self.members.source.spec();
                self.ahead = match &self.after {
                    None => shrink::candidates(spec, &self.failing).skip(self.n_made).take(n).collect(),
                    Some([answers, tables]) => {
                        let steps = [answers, tables].map(|args| shrink::candidates(spec, args));
                        in_turn(steps).skip(self.n_made).take(n).collect()
                    }
                };
                self.n_made += self.ahead.len();
                self.ahead.reverse();
            }
            match self.ahead.pop() {
                Some(args) if self.after.is_some() && !self.seen.insert(args.clone()) => {}
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
        let spec = self.members.source.space().spec();
        let source = &self.members.source;
        let has_results = || {
            self.after.is_none() || Functions::are_admitted(spec, args, source.results(), source.conditions())
        };
        self.members.source.admits(args) && has_results() && self.members.accepts(args)
    }
}

/// The items of two iterators in turn, then the rest of the longer one.
fn in_turn<T>([mut a, mut b]: [impl Iterator<Item = T>; 2]) -> impl Iterator<Item = T> {
    let mut is_second = false;
    std::iter::from_fn(move || {
        is_second = !is_second;
        if is_second { a.next().or_else(|| b.next()) } else { b.next().or_else(|| a.next()) }
    })
}

impl<T: fmt::Debug> ValueTree for Tree<T> {
    type Value = T;

    fn current(&self) -> T {
        let mut made = self.made.borrow_mut();
        let tried = self.tried();
        let again = made.as_ref().filter(|(args, _)| args == tried).map(|(_, functions)| functions);
        let value = if let Some(functions) = again {
            functions.begin_again();
            self.members.value_with(functions)
        } else {
            self.members.value_and_functions(tried).map(|(value, functions)| {
                *made = functions.map(|functions| (tried.clone(), functions));
                value
            })
        };
        value.expect("what is tried has been made before, and its functions give the same each time")
    }

    fn simplify(&mut self) -> bool {
        if matches!(self.stage, Stage::Again | Stage::Over) {
            self.stage = Stage::Over;
            return false;
        }
        let is_first = self.n_made == 0 && self.current.is_none();
        let is_better = (is_first || self.current.is_some()) && self.note_failure();
        if self.next() {
            return true;
        }
        // What failed last must be what is shown.
        self.stage = if is_better || is_first { Stage::Over } else { Stage::Again };
        self.stage == Stage::Again
    }

    /// After the last candidate, the failing member itself is tried again, so that the final value fails.
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
            after: self.after.clone(),
            seen: self.seen.clone(),
            current: self.current.clone(),
            ahead: self.ahead.clone(),
            n_made: self.n_made,
            stage: self.stage,
            n_tried: self.n_tried,
            made: self.made.clone(),
        }
    }
}

impl<T> fmt::Debug for Tree<T> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Tree").field("current", &self.current).field("failing", &self.failing).finish()
    }
}
