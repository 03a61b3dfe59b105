//! The SMT generator: Z3 finds members of the space, skeleton by skeleton.
//!
//! Skeletons are processed in windows. The generator works on a window in rounds, so that a skeleton with many members
//! doesn't delay the others. In a round, rayon's threads share groups of skeletons. Each group has its own Z3 context,
//! and its members are released in the order of the skeletons. So the order of cases doesn't depend on the number of
//! threads, and only one window is kept.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use rayon::prelude::*;
use target_strategies::cancel;
use target_strategies::logic::value::Value;
use target_strategies::space::{Skeleton, Skeletons, Space};

use super::{Batch, Case, End, Generator, Step};
use crate::smt::decode::ShapeSearch;
use crate::smt::solver::{self, Effort, in_timed_context};
use crate::smt::split::{Limits, State};

/// Number of skeletons in a window. They take turns until all are finished.
const WINDOW: usize = 256;

/// Number of skeletons that share a Z3 context.
const GROUP: usize = 4;

/// Number of skeletons worked on in one step: initial and maximum.
const SHARE: std::ops::RangeInclusive<usize> = 8..=32;

/// Limits for each skeleton in the first round, the second, and each later round.
const ROUNDS: [Limits; 3] = [
    Limits { solutions: 64, questions: 96 },
    Limits { solutions: 1024, questions: 256 },
    Limits { solutions: 8192, questions: 512 },
];

/// Maximum number of formulas kept by a search that waits for its next round.
const KEPT_FORMULAS: usize = 20_000;

/// Maximum number of cases of a batch.
const BATCH: usize = 1024;

/// Produces the members of a space that Z3 finds.
pub struct SmtGenerator {
    space: Space,
    skeletons: Skeletons,
    effort: Effort,
    window: Vec<Slot>,
    /// The next skeleton of the window in this round.
    next: usize,
    round: usize,
    share: usize,
    found: VecDeque<Vec<Value>>,
    space_is_over: bool,
    reasons: BTreeSet<String>,
    solving: Duration,
}

/// A skeleton of the window.
enum Slot {
    Fresh(Skeleton),
    Open(Box<ShapeSearch>),
    Done,
}

impl SmtGenerator {
    /// All members of a space. The seed says how Z3 breaks ties; it matters only if Z3 gives up.
    pub fn new(space: Space, seed: u64) -> SmtGenerator {
        let effort = Effort { seed: seed as u32, ..Effort::default() };
        SmtGenerator {
            skeletons: space.skeletons(),
            space,
            effort,
            window: Vec::new(),
            next: 0,
            round: 0,
            share: *SHARE.start(),
            found: VecDeque::new(),
            space_is_over: false,
            reasons: BTreeSet::new(),
            solving: Duration::ZERO,
        }
    }

    /// Works on the next skeletons of the window; opens the next window when this one is finished.
    fn work(&mut self) {
        if self.next >= self.window.len() {
            self.window.retain(|slot| !matches!(slot, Slot::Done));
            self.next = 0;
            self.round += 1;
            if self.window.is_empty() {
                self.round = 0;
                self.window.extend(self.skeletons.by_ref().take(WINDOW).map(Slot::Fresh));
                self.space_is_over = self.window.is_empty();
            }
        }
        let end = self.window.len().min(self.next + self.share);
        let limits = ROUNDS[self.round.min(ROUNDS.len() - 1)];
        let (space, effort) = (self.space.clone(), self.effort);
        let outer = cancel::current();
        let work = |group: &mut [Slot]| {
            let search =
                || group.iter_mut().map(|slot| slot.work(&space, effort, limits)).collect::<Vec<_>>();
            cancel::part_of(&outer, || in_timed_context(search))
        };
        let open = &mut self.window[self.next..end];
        let parts: Vec<_> = open.par_chunks_mut(GROUP).map(work).collect();
        for (results, time) in parts.into_iter().map(cancel::join) {
            self.solving += time;
            for (members, state) in results {
                self.found.extend(members);
                if let State::Unknown(reason) = state {
                    self.reasons.insert(reason);
                }
            }
        }
        self.next = end;
        self.share = (self.share * 2).min(*SHARE.end());
    }

    /// The end of the space, for the report.
    fn end(&self) -> End {
        if self.reasons.is_empty() {
            End::Exhausted
        } else {
            End::Unknown(self.reasons.iter().cloned().collect())
        }
    }

    /// The next cases.
    fn found(&mut self) -> Vec<Case> {
        let n = self.found.len().min(BATCH);
        self.found.drain(..n).map(|args| Case { args, beyond: None }).collect()
    }
}

impl Slot {
    fn work(&mut self, space: &Space, effort: Effort, limits: Limits) -> (Vec<Vec<Value>>, State) {
        if let Slot::Fresh(skeleton) = self {
            *self = Slot::Open(Box::new(ShapeSearch::new(space, skeleton.clone(), effort)));
        }
        let Slot::Open(search) = self else { return (Vec::new(), State::Finished) };
        let members = search.next(limits);
        let state = search.state().clone();
        match state {
            State::Open => search.shrink(KEPT_FORMULAS),
            _ => *self = Slot::Done,
        }
        (members, state)
    }
}

impl Generator for SmtGenerator {
    /// A batch may be empty: then this step found nothing, and the caller may look at its clock.
    fn step(&mut self) -> Step {
        if !solver::IS_BUILT_IN {
            return Step::End(End::Unknown(vec![solver::ABSENT.to_owned()]));
        }
        if self.found.is_empty() && !self.space_is_over {
            self.work();
        }
        if !self.found.is_empty() || !self.space_is_over {
            return Step::Batch(Batch::Cases(self.found()));
        }
        Step::End(self.end())
    }

    fn solving(&self) -> Duration {
        self.solving
    }
}
