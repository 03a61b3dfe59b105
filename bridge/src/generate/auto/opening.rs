//! The start of the schedule. The first large inputs are made at once, so that they run while another thread counts the first members.
//! Then that thread plans the boundary cases, which are needed last. Whether there is a thread doesn't change the sequence.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use target_strategies::beyond::Source;
use target_strategies::cancel::{self, Stop};

use super::side::Side;
use super::{Auto, Inside};
use crate::generate::Case;
use crate::generate::spread::SpreadMembers;

/// The stack of a thread that plans, in bytes, as that of the other threads: planning and judging recurse.
const STACK: usize = 64 << 20;

/// For how long at most the thread leaves the processors to the first large input, and to the child that starts meanwhile.
const HEAD_START: Duration = Duration::from_millis(1);

/// Number of attempts at large inputs before the first member.
pub(super) const FIRST_ATTEMPTS: u32 = 3;

/// Number of members, the one that comes next included, from which on there are boundary cases.
const MEMBERS_FIRST: u64 = 2;

/// How far the start has come.
pub(super) enum Opening {
    /// Nothing is planned yet.
    Before,
    /// The members are being planned.
    Members(Meanwhile),
    /// The boundary cases are being planned.
    Boundary(Place),
    Over,
}

/// The large inputs that are made while members are planned.
pub(super) struct Meanwhile {
    pub place: Place,
    /// Number of attempts so far.
    pub n_attempts: u32,
    /// Those that are members of the space, which these must not repeat.
    pub members: Vec<Case>,
}

/// Where the plans are.
pub(super) enum Place {
    Thread(Thread),
    /// There is no thread, so this one plans when the plans are needed.
    Here(Box<Plans>),
}

impl Place {
    /// Ends the head start of the first large input.
    fn go(&mut self) {
        match self {
            Place::Thread(thread) => thread.head_start = None,
            Place::Here(_) => {}
        }
    }
}

/// What is planned at the start.
pub(super) struct Plans {
    /// `None` once they are planned.
    members: Option<Box<SpreadMembers>>,
    /// Maximum number of steps to plan the members, if Z3 can list them.
    patience: Option<u64>,
    boundary: Option<Side>,
}

/// Members that are planned.
pub(super) struct Planned {
    /// `None` if planning took too long.
    members: Option<Box<SpreadMembers>>,
    /// Number of steps that it took.
    steps: u64,
}

impl Plans {
    fn members(&mut self) -> Planned {
        let before = cancel::steps();
        let planned = |mut members: Box<SpreadMembers>| match self.patience {
            Some(most) => cancel::within_steps(most, || {
                members.prepare();
                members
            }),
            None => {
                members.prepare();
                Some(members)
            }
        };
        let members = self.members.take().and_then(planned);
        Planned { members, steps: cancel::steps() - before }
    }

    fn boundary(self) -> Option<Side> {
        let mut boundary = self.boundary;
        boundary.iter_mut().for_each(|side| side.cases.prepare());
        boundary
    }
}

/// A thread that plans. If it is dropped, it stops.
pub(super) struct Thread {
    handle: Option<JoinHandle<Result<Option<Side>, Stop>>>,
    members: Receiver<Planned>,
    /// Closed once the first large input is made.
    head_start: Option<Sender<()>>,
    is_unwanted: Arc<AtomicBool>,
}

impl Thread {
    /// A thread that plans, or the plans if there can't be one.
    pub fn spawn(plans: Box<Plans>) -> Result<Thread, Box<Plans>> {
        let (give, take) = mpsc::channel::<Box<Plans>>();
        let (tell, members) = mpsc::channel();
        let (head_start, first) = mpsc::channel::<()>();
        let (limits, is_unwanted) = (cancel::current(), Arc::new(AtomicBool::new(false)));
        let must_end = Arc::clone(&is_unwanted);
        let must_end = move || must_end.load(Ordering::Relaxed);
        let plan = move || {
            let mut plans = take.recv().ok()?;
            // Nothing is sent: it ends early if the other side is dropped.
            let _ = first.recv_timeout(HEAD_START);
            // If nobody takes them, the thread is unwanted, and about to stop.
            let _ = tell.send(plans.members());
            plans.boundary()
        };
        let work = move || cancel::part_of(&limits, || cancel::within(must_end, plan).flatten());
        match Builder::new().stack_size(STACK).spawn(work) {
            Ok(handle) => {
                let thread =
                    Thread { handle: Some(handle), members, head_start: Some(head_start), is_unwanted };
                give.send(plans).map(|()| thread).map_err(|unsent| unsent.0)
            }
            Err(_) => Err(plans),
        }
    }

    fn members(&mut self) -> Planned {
        self.members.recv().unwrap_or_else(|_| {
            self.join();
            unreachable!("a thread that has planned the members tells so")
        })
    }

    /// The boundary cases. If the thread was stopped, this unwinds in the same way.
    fn join(&mut self) -> Option<Side> {
        let handle = self.handle.take()?;
        cancel::join(handle.join().unwrap_or_else(|panic| resume_unwind(panic)))
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
        let plans = Box::new(Plans { members: Some(members), patience, boundary });
        let place = spawn(plans).map_or_else(Place::Here, Place::Thread);
        self.first_large(Meanwhile { place, n_attempts: 0, members: Vec::new() })
    }

    /// One of the first large inputs, if this attempt makes one that is outside the space.
    pub(super) fn first_large(&mut self, mut meanwhile: Meanwhile) -> Option<Case> {
        let allowance = self.allowance();
        self.seen.with_members = true;
        meanwhile.n_attempts += 1;
        let side = self.sources.first_mut().filter(|side| !side.is_over(&allowance));
        let case = side.and_then(|side| {
            let case = side.attempt(&allowance, &mut self.seen)?;
            side.n_cases += u64::from(case.beyond.is_some());
            Some(case)
        });
        let (outside, member) = match case {
            Some(case) if case.beyond.is_some() => (Some(case), None),
            other => (None, other),
        };
        meanwhile.members.extend(member);
        meanwhile.place.go();
        self.opening = Opening::Members(meanwhile);
        outside
    }

    /// Waits for the members. Returns those of the first large inputs that are members of the space.
    pub(super) fn opened(&mut self, meanwhile: Meanwhile) -> Vec<Case> {
        let Meanwhile { mut place, members, .. } = meanwhile;
        let planned = match &mut place {
            Place::Thread(thread) => thread.members(),
            Place::Here(plans) => plans.members(),
        };
        self.opening = Opening::Boundary(place);
        match planned.members {
            Some(members) => {
                self.n_steps += planned.steps;
                self.inside = Inside::Engine(members);
            }
            None => self.hand_over(self.patience.0),
        }
        members.into_iter().filter(|case| self.takes_as_member(&case.args)).collect()
    }

    /// Waits for the boundary cases once it is their turn.
    pub(super) fn admit_boundary(&mut self) {
        if self.n_inside < MEMBERS_FIRST && !self.is_space_over() {
            return;
        }
        match std::mem::replace(&mut self.opening, Opening::Over) {
            Opening::Boundary(Place::Thread(mut thread)) => self.sources.extend(thread.join()),
            Opening::Boundary(Place::Here(plans)) => self.sources.extend(plans.boundary()),
            other @ (Opening::Before | Opening::Members(_) | Opening::Over) => self.opening = other,
        }
    }
}
