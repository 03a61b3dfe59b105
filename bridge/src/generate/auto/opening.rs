//! The start of the schedule. The first large input is made at once, so that it runs while another thread counts the first members
//! and plans the boundary cases. Whether there is a thread doesn't change the sequence.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// The members and the boundary cases are being planned, and aren't in the schedule. The case is the first large input if it is
    /// a member of the space, which they must not repeat.
    Planning(Place, Option<Case>),
    Over,
}

/// Where the plans are.
pub(super) enum Place {
    Thread(Thread),
    /// There is no thread, so this one plans when the plans are needed.
    Here(Box<Plans>),
}

/// What is planned at the start.
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
    fn planned(mut self: Box<Plans>) -> Box<Plans> {
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

/// A thread that plans. If it is dropped, it stops.
pub(super) struct Thread {
    handle: Option<JoinHandle<Result<Option<Box<Plans>>, Stop>>>,
    is_unwanted: Arc<AtomicBool>,
}

impl Thread {
    /// A thread that plans, or the plans if there can't be one.
    pub fn spawn(plans: Box<Plans>) -> Result<Thread, Box<Plans>> {
        let (give, take) = mpsc::channel::<Box<Plans>>();
        let (limits, is_unwanted) = (cancel::current(), Arc::new(AtomicBool::new(false)));
        let must_end = Arc::clone(&is_unwanted);
        let must_end = move || must_end.load(Ordering::Relaxed);
        let plan = move || take.recv().ok().map(Plans::planned);
        let work = move || cancel::part_of(&limits, || cancel::within(must_end, plan).flatten());
        match Builder::new().stack_size(STACK).spawn(work) {
            Ok(handle) => {
                let thread = Thread { handle: Some(handle), is_unwanted };
                give.send(plans).map(|()| thread).map_err(|unsent| unsent.0)
            }
            Err(_) => Err(plans),
        }
    }

    fn join(mut self) -> Box<Plans> {
        let handle = self.handle.take().expect("only this function and drop take it");
        let planned = cancel::join(handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
        planned.expect("only a thread that is dropped gives up its plans")
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
        // Nobody needs its result, whatever that is.
        let _ = self.handle.take().map(JoinHandle::join);
    }
}

impl Auto {
    /// The first step: the first large input, if it is outside the space. Everything else is planned meanwhile.
    pub(super) fn open(&mut self) -> Option<Case> {
        self.open_with(Thread::spawn)
    }

    /// The same, with a function that starts the thread.
    pub(super) fn open_with(
        &mut self,
        spawn: impl FnOnce(Box<Plans>) -> Result<Thread, Box<Plans>>,
    ) -> Option<Case> {
        self.opening = Opening::Over;
        if self.sources.is_empty() || !matches!(self.inside, Inside::Engine(_)) {
            return None;
        }
        let Inside::Engine(members) = std::mem::replace(&mut self.inside, Inside::Away) else { return None };
        let boundary = self.sources.pop_if(|side| side.source == Source::Boundary);
        let patience = self.produced.as_ref().map(|_| self.patience.0);
        let plans = Box::new(Plans { members: Some(members), patience, steps: 0, boundary });
        let place = spawn(plans).map_or_else(Place::Here, Place::Thread);
        let allowance = self.allowance();
        self.seen.with_members = true;
        let first = self.sources.first_mut().and_then(|side| side.attempt(&allowance, &mut self.seen));
        let (first, member) = match first {
            Some(case) if case.beyond.is_some() => (Some(case), None),
            other => (None, other),
        };
        self.sources.iter_mut().for_each(|side| side.n_cases += u64::from(first.is_some()));
        self.opening = Opening::Planning(place, member);
        first
    }

    /// Waits for the plans. Returns the first large input if it is a member of the space.
    pub(super) fn opened(&mut self) -> Option<Case> {
        let Opening::Planning(place, member) = std::mem::replace(&mut self.opening, Opening::Over) else {
            return None;
        };
        let plans = match place {
            Place::Thread(thread) => thread.join(),
            Place::Here(plans) => plans.planned(),
        };
        self.sources.extend(plans.boundary);
        match plans.members {
            Some(members) => {
                self.n_steps += plans.steps;
                self.inside = Inside::Engine(members);
            }
            None => self.hand_over(self.patience.0),
        }
        member.filter(|case| self.takes_as_member(&case.args))
    }
}
