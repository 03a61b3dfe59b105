//! Runs the cases of one function: judge, call, judge again, and tell the parent what failed.
//!
//! The order of the notes in the shared page is what makes a death at any moment attributable: first that a case is
//! begun, then what became of it, then that the subject runs.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::arena::{Arena, Stage};
use super::copies::{self, Copies};
use super::coverage::Watch;
use super::memory::MemoryLimit;
use super::page::{Cursor, Page};
use super::panics::{self, Panic};
use super::platform::float::FloatMode;
use super::source::{Origin, Source};
use super::{Function, Ran, built};
use crate::collection::are_ordered;
use crate::eval::{Admission, Finding, Judge, Judgement};
use crate::ir::Spec;
use crate::protocol::{Failure, FailureKind, Limits, Phase, Reply, Status, is_shown};
use crate::value::Value;
use crate::wire::{Wire, crosses, write_frame};

/// One function on its way through batches of cases.
pub(super) struct Session<'s, W> {
    pub(super) function: &'s Function,
    pub(super) spec: &'s Spec,
    /// Whether there are sets or maps in the arguments.
    pub(super) has_collections: bool,
    pub(super) judge: Judge<'s>,
    pub(super) page: &'static Page,
    pub(super) memory: MemoryLimit,
    pub(super) arena: Arena,
    /// What cases reach of the user's code, where the parent wants to know.
    pub(super) watch: Option<Watch>,
    /// The number of the batch.
    pub(super) batch: u64,
    /// The mode of floating-point arithmetic that the judge expects.
    pub(super) float_mode: FloatMode,
    /// Copies of this process that cases made.
    pub(super) copies: Copies,
    pub(super) replies: W,
}

/// A clause that could not be judged.
struct Trouble {
    clause: u32,
    message: String,
}

/// What came of one case.
enum Fate {
    /// Nothing to tell.
    Fine(Status),
    /// It is valid, and failed.
    Failed(Failure),
    /// The spec could not be judged.
    Trouble(Trouble),
    /// The glue panicked.
    Broken(String),
}

/// What came of calling the glue.
enum Called {
    /// The subject returned, or panicked.
    Ran(Result<Ran, Panic>),
    /// A function refused to build an argument.
    Refused,
    /// Arguments could not be made.
    Broken(String),
}

impl<W: Write> Session<'_, W> {
    /// Runs a batch. An error means that the parent is gone.
    pub(super) fn run<S: Source>(&mut self, mut cases: S, limits: Limits) -> io::Result<()> {
        let mut valid = 0;
        let mut offset = 0;
        let mut shown = Vec::new();
        self.batch = self.page.batch();
        while valid < limits.max_valid && !self.page.stop_asked() {
            let may_grow = cases.may_grow();
            if may_grow {
                MemoryLimit::lift();
            }
            let Some((args, origin)) = cases.next() else { break };
            if may_grow || offset % MemoryLimit::CASES == 0 {
                self.memory.arm();
            }
            self.watch.as_mut().into_iter().for_each(Watch::begin_case);
            let fate = self.case(offset, args, origin);
            self.page.set_cursor(Cursor { begun: offset + 1, phase: Phase::Idle });
            self.tell_reached(offset, args)?;
            match fate {
                Fate::Fine(Status::Valid | Status::Repeated) => {
                    valid += 1;
                    if origin != Origin::Fed && is_shown(offset) {
                        MemoryLimit::lift();
                        shown.push((offset, args.to_vec()));
                        self.memory.arm();
                    }
                }
                Fate::Fine(_) => {}
                Fate::Failed(failure) => {
                    valid += 1;
                    self.tell(&Reply::Failed { offset, args: args.to_vec(), failure })?;
                    if limits.stop_at_failure {
                        break;
                    }
                }
                Fate::Trouble(Trouble { clause, message }) => {
                    self.tell(&Reply::SpecError { offset, args: args.to_vec(), clause, message })?;
                    break;
                }
                Fate::Broken(message) => {
                    self.tell(&Reply::Broken { offset, args: args.to_vec(), message })?;
                    break;
                }
            }
            offset += 1;
        }
        MemoryLimit::lift();
        self.copies.await_return();
        if let Some(watch) = &mut self.watch {
            let counters = watch.take_grown();
            write_frame(&mut self.replies, &Reply::Counted { counters }.to_bytes())?;
        }
        write_frame(&mut self.replies, &Reply::Finished { shown }.to_bytes())
    }

    /// Tells of a case that is over if it reached something new.
    fn tell_reached(&mut self, offset: u64, args: &[Value]) -> io::Result<()> {
        let Some(watch) = &mut self.watch else { return Ok(()) };
        if !watch.end_case() {
            return Ok(());
        }
        // What is told of a case isn't the case's own memory.
        MemoryLimit::lift();
        let sums = watch.reached();
        self.tell(&Reply::Reached { offset, args: args.to_vec(), sums })
    }

    /// Tells of a case; the next one has the memory limit again.
    fn tell(&mut self, reply: &Reply) -> io::Result<()> {
        MemoryLimit::lift();
        write_frame(&mut self.replies, &reply.to_bytes())?;
        self.memory.arm();
        Ok(())
    }

    /// Runs a case and notes what becomes of it.
    fn case(&mut self, offset: u64, args: &[Value], origin: Origin) -> Fate {
        let begun = offset + 1;
        panics::begin_case(self.page);
        self.page.set_cursor(Cursor { begun, phase: Phase::Precondition });
        let status = match self.admit(args, origin) {
            Ok(status) => status,
            Err(trouble) => return Fate::Trouble(trouble),
        };
        let is_valid = matches!(status, Status::Valid | Status::Repeated);
        if !is_valid && origin == Origin::Tested {
            return Fate::Broken(disagreement());
        }
        self.page.set_status(offset, status);
        if !is_valid {
            return Fate::Fine(status);
        }
        self.page.set_cursor(Cursor { begun, phase: Phase::Running });
        let called = self.call(args);
        self.float_mode.restore();
        if copies::is_copy() {
            self.page.note_copy(self.batch, offset);
            copies::end_copy();
        }
        self.page.set_cursor(Cursor { begun, phase: Phase::Outcome });
        let ran = match called {
            Called::Broken(message) => return Fate::Broken(message),
            Called::Refused => {
                self.page.set_status(offset, Status::Discarded);
                return Fate::Fine(Status::Discarded);
            }
            Called::Ran(ran) => ran,
        };
        match self.verdict(args, ran) {
            Err(trouble) => Fate::Trouble(trouble),
            // What is shown to the user is judged in any case.
            Ok(Some(_)) if origin == Origin::Listed && !self.is_admitted(args) => {
                Fate::Broken(disagreement())
            }
            Ok(Some(failure)) => Fate::Failed(failure),
            Ok(None) => Fate::Fine(status),
        }
    }

    /// Whether the precondition admits a case.
    fn is_admitted(&mut self, args: &[Value]) -> bool {
        matches!(self.admit(args, Origin::Range), Ok(Status::Valid | Status::Repeated))
    }

    /// Judges the precondition of a case, unless it is known to hold.
    fn admit(&mut self, args: &[Value], origin: Origin) -> Result<Status, Trouble> {
        let is_range = origin != Origin::Fed;
        if origin == Origin::Listed {
            let repeats = self.spec.examples.iter().any(|example| example == args);
            return Ok(if repeats { Status::Repeated } else { Status::Valid });
        }
        // Elements in another order are no set of their own.
        if is_range && self.has_collections && !are_ordered(self.spec, args) {
            return Ok(Status::Skipped);
        }
        if is_range && !self.spec.explore.is_empty() {
            match self.judge.explored(self.spec, args) {
                Judgement::Holds => {}
                Judgement::Broken | Judgement::Unjudged => return Ok(Status::Skipped),
                Judgement::SpecError(message) => {
                    return Err(Trouble { clause: self.spec.explore[0].id, message });
                }
            }
        }
        match self.judge.precondition(self.spec, args) {
            Admission::Admitted if is_range && self.spec.examples.iter().any(|example| example == args) => {
                Ok(Status::Repeated)
            }
            Admission::Admitted => Ok(Status::Valid),
            Admission::Refused(_) => Ok(Status::Discarded),
            Admission::SpecError { clause, message } => Err(Trouble { clause, message }),
        }
    }

    /// Calls the glue.
    fn call(&mut self, args: &[Value]) -> Called {
        let arena = &self.arena;
        let ran = catch_unwind(AssertUnwindSafe(|| (self.function.run)(args, arena)));
        let stage = arena.stage();
        if let (Err(payload), Stage::Entering) = (&ran, stage)
            && built::is_refusal(&**payload)
        {
            // Nothing but arguments has been made, and the subject has not seen them.
            return match self.arena.clear() {
                Ok(()) => Called::Refused,
                Err(panic) => Called::Broken(panic.to_string()),
            };
        }
        let ran = ran.map_err(panics::describe);
        // What the destructors of arguments do is the subject's own doing.
        let cleared = self.arena.clear();
        match ran {
            // Behind the subject only destructors can panic, and those are the user's, too.
            Err(panic) if stage == Stage::Entering => Called::Broken(panic.to_string()),
            Err(panic) => Called::Ran(Err(panic)),
            Ok(ran) => Called::Ran(cleared.map(|()| ran)),
        }
    }

    /// Judges what came of a call.
    fn verdict(&mut self, args: &[Value], ran: Result<Ran, Panic>) -> Result<Option<Failure>, Trouble> {
        let must_panic = self.must_panic(args)?;
        let ran = match ran {
            Err(_) if must_panic.is_some() => return Ok(None),
            Err(Panic { message, location }) => {
                let kind = FailureKind::Panic;
                let failure = Failure { kind, message, location, clause: None, result: None, after: None };
                return Ok(Some(failure));
            }
            Ok(ran) => ran,
        };
        let (kind, clause) = match must_panic {
            Some(clause) => (FailureKind::NoPanic, Some(clause)),
            None => match self.judge.postcondition(self.spec, args, ran.after.as_deref(), &ran.result) {
                Finding::Kept => return Ok(None),
                Finding::Broken { kind, clause } => (kind, clause),
                Finding::SpecError { clause, message } => return Err(Trouble { clause, message }),
            },
        };
        let (result, after) =
            (Some(ran.result).filter(crosses), ran.after.filter(|after| after.iter().all(crosses)));
        Ok(Some(Failure { kind, message: String::new(), location: None, clause, result, after }))
    }

    /// The clause by which the subject has to panic, if it has to.
    fn must_panic(&mut self, args: &[Value]) -> Result<Option<u32>, Trouble> {
        let Some(clause) = &self.spec.panics_if else { return Ok(None) };
        match self.judge.panics_if(self.spec, args) {
            Some(Judgement::Holds) => Ok(Some(clause.id)),
            Some(Judgement::SpecError(message)) => Err(Trouble { clause: clause.id, message }),
            Some(Judgement::Broken | Judgement::Unjudged) | None => Ok(None),
        }
    }
}

/// What the child says where engine and judge disagree.
fn disagreement() -> String {
    "the native engine lists this case, and the judge refuses it".to_owned()
}
