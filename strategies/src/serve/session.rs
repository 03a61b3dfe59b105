//! Runs the cases of one function: judge, call, judge again, and tell the parent what failed.
//!
//! The order of the notes in the shared page is what makes a death at any moment attributable: first that a case is
//! begun, then what became of it, then that the subject runs.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::arena::{Arena, Stage};
use super::judge::{Judge, Trouble};
use super::memory::MemoryLimit;
use super::page::{Cursor, Page};
use super::panics::{self, Panic};
use super::{Function, Ran};
use crate::protocol::{Failure, FailureKind, Limits, Phase, Reply, Status};
use crate::value::Value;
use crate::wire;

/// One function on its way through batches of cases.
pub(super) struct Session<'s, W> {
    pub(super) function: &'s Function,
    pub(super) judge: Judge<'s>,
    pub(super) page: &'static Page,
    pub(super) memory: MemoryLimit,
    pub(super) arena: Arena,
    pub(super) replies: W,
}

/// Where the cases of a batch come from, one at a time.
pub(super) trait Cases {
    /// The next argument tuple.
    fn next(&mut self) -> Option<&[Value]>;
    /// Whether `explore` leaves members out, and examples may come again.
    fn is_range(&self) -> bool;
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

impl<W: Write> Session<'_, W> {
    /// Runs a batch. An error means that the parent is gone.
    pub(super) fn run(&mut self, mut cases: impl Cases, limits: Limits) -> io::Result<()> {
        let is_range = cases.is_range();
        let mut valid = 0;
        let mut offset = 0;
        while valid < limits.max_valid
            && !self.page.stop_asked()
            && let Some(args) = cases.next()
        {
            if offset % MemoryLimit::CASES == 0 {
                self.memory.arm();
            }
            let fate = self.case(offset, args, is_range);
            self.page.set_cursor(Cursor { begun: offset + 1, phase: Phase::Idle });
            match fate {
                Fate::Fine(Status::Valid | Status::Repeated) => valid += 1,
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
        self.tell(&Reply::Finished)
    }

    fn tell(&mut self, reply: &Reply) -> io::Result<()> {
        MemoryLimit::lift();
        wire::write_message(&mut self.replies, reply)?;
        self.memory.arm();
        Ok(())
    }

    /// Runs a case and notes what becomes of it.
    fn case(&mut self, offset: u64, args: &[Value], is_range: bool) -> Fate {
        let begun = offset + 1;
        panics::begin_case(self.page);
        self.page.set_cursor(Cursor { begun, phase: Phase::Precondition });
        let admitted = if is_range { self.judge.explore(args) } else { Ok(true) };
        let refused = match admitted {
            Ok(true) => match self.judge.precondition(args) {
                Ok(true) => None,
                Ok(false) => Some(Status::Discarded),
                Err(trouble) => return Fate::Trouble(trouble),
            },
            Ok(false) => Some(Status::Skipped),
            Err(trouble) => return Fate::Trouble(trouble),
        };
        if let Some(status) = refused {
            self.page.set_status(offset, status);
            return Fate::Fine(status);
        }
        let status = if is_range && self.judge.is_example(args) { Status::Repeated } else { Status::Valid };
        self.page.set_status(offset, status);
        self.page.set_cursor(Cursor { begun, phase: Phase::Running });
        let ran = self.call(args);
        self.page.set_cursor(Cursor { begun, phase: Phase::Outcome });
        match ran.map(|ran| self.verdict(args, ran)) {
            Err(message) => Fate::Broken(message),
            Ok(Err(trouble)) => Fate::Trouble(trouble),
            Ok(Ok(Some(failure))) => Fate::Failed(failure),
            Ok(Ok(None)) => Fate::Fine(status),
        }
    }

    /// Calls the glue. The outer error is a mistake of the tool, the inner one a panic of the subject.
    fn call(&mut self, args: &[Value]) -> Result<Result<Ran, Panic>, String> {
        let arena = &self.arena;
        let ran = catch_unwind(AssertUnwindSafe(|| (self.function.run)(args, arena)));
        let stage = arena.stage();
        // A payload's destructor may panic, too.
        let ran = ran.map_err(|payload| {
            let panic = panics::describe(&*payload);
            let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
            panic
        });
        let dropped = self.arena.clear();
        match (ran, dropped) {
            (Err(panic), _) if stage != Stage::Subject => Err(panic.message),
            (Ok(_), Err(panic)) => Ok(Err(panic)),
            (ran, _) => Ok(ran),
        }
    }

    /// Judges what came of a call.
    fn verdict(&mut self, args: &[Value], ran: Result<Ran, Panic>) -> Result<Option<Failure>, Trouble> {
        let must_panic = self.judge.must_panic(args)?;
        let ran = match ran {
            Err(_) if must_panic.is_some() => return Ok(None),
            Err(Panic { message, location }) => {
                let kind = FailureKind::Panic;
                let failure = Failure { kind, message, location, clause: None, result: None, after: None };
                return Ok(Some(failure));
            }
            Ok(ran) => ran,
        };
        let broken = match must_panic {
            Some(clause) => Some((FailureKind::NoPanic, clause)),
            None => self.judge.outcome(args, &ran)?,
        };
        Ok(broken.map(|(kind, clause)| Failure {
            kind,
            message: String::new(),
            location: None,
            clause: Some(clause),
            result: Some(ran.result),
            after: ran.after,
        }))
    }
}
