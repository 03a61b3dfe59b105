//! The start of the schedule. The first large input is made at once, so that it runs while another thread counts the first members
//! and plans the boundary cases.

use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread::{Builder, JoinHandle};

use target_strategies::beyond::Source;
use target_strategies::cancel::{self, Stop};

use super::side::Side;
use super::{Auto, Inside};
use crate::generate::Case;
use crate::generate::spread::SpreadMembers;

/// The stack of a thread that plans, in bytes, as that of the other threads: planning and judging recurse.
const STACK: usize = 64 << 20;

/// How far the start has come.
pub(super) enum Opening {
    /// Nothing is planned yet.
    Before,
    /// Another thread plans. It has the members and the boundary cases of the schedule. The case is the first large input if it is
    /// a member of the space, which they must not repeat.
    Planning(Thread, Option<Case>),
    Over,
}

type Thread = JoinHandle<Result<Option<Plans>, Stop>>;

/// What another thread plans.
pub(super) struct Plans {
    /// `None` if planning took too long.
    members: Option<Box<SpreadMembers>>,
    /// Maximum number of steps to plan the members, if Z3 can list them.
    patience: Option<u64>,
    /// Number of steps that planning the members took.
    steps: u64,
    boundary: Option<Side>,
}

impl Plans {
    fn planned(mut self) -> Plans {
        let before = cancel::steps();
        self.members = self.members.and_then(|mut members| match self.patience {
            Some(most) => cancel::within_steps(most, || {
                members.prepare();
                members
            }),
            None => {
                members.prepare();
                Some(members)
            }
        });
        self.steps = cancel::steps() - before;
        self.boundary.iter_mut().for_each(|side| side.cases.prepare());
        self
    }
}

impl Auto {
    /// The first step: the first large input, if it is outside the space. Everything else is planned meanwhile.
    pub(super) fn open(&mut self) -> Option<Case> {
        self.opening = Opening::Over;
        if self.sources.is_empty() || !matches!(self.inside, Inside::Engine(_)) {
            return None;
        }
        let Inside::Engine(members) = std::mem::replace(&mut self.inside, Inside::Away) else { return None };
        let boundary = self.sources.pop_if(|side| side.source == Source::Boundary);
        let patience = self.produced.as_ref().map(|_| self.patience.0);
        let plans = Plans { members: Some(members), patience, steps: 0, boundary };
        let thread = match spawned(plans) {
            Ok(thread) => thread,
            // Without a thread, each part is planned when it is needed.
            Err(plans) => {
                self.resume(*plans);
                return None;
            }
        };
        let allowance = self.allowance();
        self.seen.with_members = true;
        let first = self.sources.first_mut().and_then(|side| side.attempt(&allowance, &mut self.seen));
        let (first, member) = match first {
            Some(case) if case.beyond.is_some() => (Some(case), None),
            other => (None, other),
        };
        if let Some(side) = self.sources.first_mut() {
            side.n_cases += u64::from(first.is_some());
        }
        self.opening = Opening::Planning(thread, member);
        first
    }

    /// Waits for the other thread. Returns the first large input if it is a member of the space.
    pub(super) fn opened(&mut self) -> Option<Case> {
        let Opening::Planning(thread, member) = std::mem::replace(&mut self.opening, Opening::Over) else {
            return None;
        };
        let plans = cancel::join(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))?;
        self.resume(plans);
        let case = member?;
        let is_new = match &mut self.inside {
            Inside::Engine(members) => members.note(&case.args),
            Inside::Solver { .. } | Inside::Away => true,
        };
        self.n_ahead += 1;
        self.n_inside += 1;
        Some(case).filter(|_| is_new)
    }

    fn resume(&mut self, plans: Plans) {
        self.sources.extend(plans.boundary);
        self.n_steps += plans.steps;
        match plans.members {
            Some(members) => self.inside = Inside::Engine(members),
            None => self.hand_over(plans.steps),
        }
    }
}

/// A thread that plans, or the plans if there can't be one.
fn spawned(plans: Plans) -> Result<Thread, Box<Plans>> {
    let (give, take) = mpsc::channel::<Box<Plans>>();
    let limits = cancel::current();
    let work = move || cancel::part_of(&limits, || take.recv().ok().map(|plans| plans.planned()));
    let plans = Box::new(plans);
    match Builder::new().stack_size(STACK).spawn(work) {
        Ok(thread) => give.send(plans).map(|()| thread).map_err(|unsent| unsent.0),
        Err(_) => Err(plans),
    }
}
