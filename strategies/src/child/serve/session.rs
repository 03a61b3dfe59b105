//! Runs the cases of one function: judges the precondition, calls the subject, judges the outcome, and reports
//! failures to the parent.
//!
//! The order of writes to the shared page makes a crash at any moment attributable to a case: first that a case is
//! begun, then its status, then that the subject runs.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::arena::{Arena, Stage};
use super::built;
use super::copies::{self, Copies};
use super::coverage::{Tracer, Watch};
use super::debugged;
use super::function::{Function, Ran};
use super::functions::{self, Missing, Misuse};
use super::memory::MemoryLimit;
use super::page::{Cursor, Page};
use super::panics::{self, Panic};
use super::platform::float::FloatMode;
use super::recorder::Recorder;
use super::sequences;
use super::source::{Origin, Source};
use super::steps;
use crate::child::protocol::{Failure, FailureKind, Limits, Phase, Reply, Status, is_shown};
use crate::child::wire::write_frame;
use crate::logic::codec::{Codec, crosses};
use crate::logic::collection::are_ordered;
use crate::logic::eval::{Admission, Finding, Judge, Judgement, Obstacle};
use crate::logic::ir::Spec;
use crate::logic::value::Value;

/// The state of running one function on batches of cases.
pub(super) struct Session<'s, W> {
    pub(super) function: &'s Function,
    pub(super) spec: &'s Spec,
    /// The spec, if functions are among the arguments.
    pub(super) with_functions: Option<Arc<Spec>>,
    /// Whether the arguments contain sets or maps.
    pub(super) has_collections: bool,
    /// Whether the parent is told which functions of a member were asked for more results.
    pub(super) asks: bool,
    pub(super) judge: Judge<'s>,
    pub(super) recorder: Recorder<'s>,
    pub(super) page: &'static Page,
    pub(super) memory: MemoryLimit,
    pub(super) arena: Arena,
    /// Records what cases reach of the user's code, if the parent asked for it.
    pub(super) watch: Option<Watch>,
    /// Tells the traces of cases, if the parent asked for them.
    pub(super) tracer: Option<Tracer>,
    /// The number of the batch.
    pub(super) batch: u32,
    /// The mode of floating-point arithmetic that the judge expects.
    pub(super) float_mode: FloatMode,
    /// Copies of this process made by cases.
    pub(super) copies: Copies,
    pub(super) replies: W,
}

/// A clause that could not be judged; or an argument that could not be built.
struct Trouble {
    clause: Option<u32>,
    obstacle: Obstacle,
}

impl Trouble {
    fn of(clause: u32, obstacle: Obstacle) -> Trouble {
        Trouble { clause: Some(clause), obstacle }
    }
}

/// The result of one case.
enum Fate {
    /// Nothing to report.
    Fine(Status),
    /// It is valid, and failed.
    Failed(Failure),
    /// The spec could not be judged.
    Trouble(Trouble),
    /// The glue panicked.
    Broken(String),
}

/// Whether an outcome is as the spec promises.
enum Verdict {
    /// It is; with the result, if the subject returned.
    Kept(Option<Value>),
    /// It isn't.
    Failed(Failure),
}

/// The result of calling the glue.
enum Called {
    /// The subject returned, or panicked.
    Ran(Result<Ran, Panic>),
    /// A function rejected an argument that it should build.
    Rejected,
    /// A function that builds an argument panicked.
    Unbuilt(Panic),
    /// The arguments could not be converted.
    Broken(String),
}

impl<W: Write> Session<'_, W> {
    /// The session, which tells from now on what functions are asked for, or doesn't.
    pub(super) fn that_tells(&mut self, asks: bool) -> &mut Self {
        self.asks = asks;
        self
    }

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
            self.begin_records(offset);
            debugged::show(is_shown(offset));
            let fate = self.case(offset, args, origin);
            self.page.set_cursor(Cursor { begun: offset + 1, phase: Phase::Idle });
            self.tell_reached(offset, args, matches!(fate, Fate::Fine(Status::Valid)))?;
            if self.asks && origin == Origin::Member {
                self.tell(&Reply::Asked { offset, functions: functions::asked() })?;
            }
            match fate {
                Fate::Fine(Status::Valid | Status::Repeated) => {
                    valid += 1;
                    self.recorder.passed(args);
                    if (!origin.is_fed() || self.with_functions.is_some()) && is_shown(offset) {
                        MemoryLimit::lift();
                        let tables = self.tables();
                        shown.push((offset, tables.unwrap_or_else(|| args.to_vec())));
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
                Fate::Trouble(Trouble { clause, obstacle }) => {
                    if obstacle == Obstacle::TooMuchWork {
                        self.page.set_status(offset, Status::Undecided);
                    }
                    self.tell(&Reply::SpecError { offset, args: args.to_vec(), clause, obstacle })?;
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
        self.tell_records()?;
        let met = self.recorder.take();
        write_frame(&mut self.replies, &Reply::Finished { shown, met }.to_bytes())
    }

    /// Starts the records of a case.
    fn begin_records(&mut self, offset: u64) {
        self.watch.as_mut().into_iter().for_each(Watch::begin_case);
        self.tracer.as_mut().into_iter().for_each(Tracer::begin_case);
        self.recorder.begin(offset);
    }

    /// Reports the counters of a batch, if the parent asked for them.
    fn tell_records(&mut self) -> io::Result<()> {
        if let Some(watch) = &mut self.watch {
            let counters = watch.take_grown();
            write_frame(&mut self.replies, &Reply::Counted { counters }.to_bytes())?;
        }
        Ok(())
    }

    /// Reports a finished case if it reached something new. What fails is not extended, so a trace counts once a case passes.
    fn tell_reached(&mut self, offset: u64, args: &[Value], has_passed: bool) -> io::Result<()> {
        if self.tracer.as_mut().is_some_and(|tracer| tracer.end_case(offset, has_passed)) {
            MemoryLimit::lift();
            self.tell(&Reply::Reached { offset, args: args.to_vec(), sums: Vec::new() })?;
        }
        let Some(watch) = &mut self.watch else { return Ok(()) };
        if !watch.end_case() {
            return Ok(());
        }
        // The memory for a report doesn't belong to the case.
        MemoryLimit::lift();
        let sums = watch.reached();
        self.tell(&Reply::Reached { offset, args: args.to_vec(), sums })
    }

    /// Reports a case. The next case has the memory limit again.
    fn tell(&mut self, reply: &Reply) -> io::Result<()> {
        MemoryLimit::lift();
        write_frame(&mut self.replies, &reply.to_bytes())?;
        self.memory.arm();
        Ok(())
    }

    /// Runs a case and records its result.
    fn case(&mut self, offset: u64, args: &[Value], origin: Origin) -> Fate {
        let begun = offset + 1;
        panics::begin_case(self.page);
        sequences::begin_case();
        steps::end();
        self.page.set_cursor(Cursor { begun, phase: Phase::Precondition });
        // Another case of the space has the same functions as one whose results are not exactly those that its calls ask for.
        let missing = || if origin == Origin::Fed { Missing::Sought } else { Missing::Strict };
        let own = self
            .with_functions
            .as_ref()
            .map(|spec| functions::begin(spec, args, missing(), self.function.opaques));
        let args = own.as_deref().unwrap_or(args);
        let admitted = self.admit(args, origin);
        let status = match admitted.and_then(|status| self.with_required(status, args, origin)) {
            Ok(status) => status,
            Err(trouble) => return Fate::Trouble(trouble),
        };
        let is_valid = matches!(status, Status::Valid | Status::Repeated);
        if !is_valid && origin == Origin::Tested {
            return Fate::Broken(disagreement());
        }
        let status = if is_valid { self.unless_repeated(status, args, origin) } else { status };
        self.page.set_status(offset, status);
        if !matches!(status, Status::Valid | Status::Repeated) {
            return Fate::Fine(status);
        }
        self.page.set_cursor(Cursor { begun, phase: Phase::Running });
        if self.with_functions.is_some() {
            functions::set_running(true);
        }
        let called = self.call(args);
        self.float_mode.restore();
        if copies::is_copy() {
            self.page.note_copy(self.batch, offset);
            copies::end_copy();
        }
        self.page.set_cursor(Cursor { begun, phase: Phase::Outcome });
        if let Some(fate) = self.misused(offset, origin) {
            return fate;
        }
        let ran = match called {
            Called::Broken(message) => return Fate::Broken(message),
            Called::Unbuilt(panic) => {
                let obstacle = Obstacle::Mistake(format!(
                    "building an argument {panic}\nnarrow the fields of its view, or let the builder return a `Result`"
                ));
                return Fate::Trouble(Trouble { clause: None, obstacle });
            }
            Called::Rejected => {
                self.page.set_status(offset, Status::Discarded);
                return Fate::Fine(Status::Discarded);
            }
            Called::Ran(ran) => ran,
        };
        if let Some(message) = super::derivations::take_too_large() {
            return Fate::Broken(message);
        }
        self.concluded((offset, args, origin), status, ran)
    }

    /// What becomes of a case whose subject was called.
    fn concluded(
        &mut self,
        (offset, args, origin): (u64, &[Value], Origin),
        status: Status,
        ran: Result<Ran, Panic>,
    ) -> Fate {
        let verdict = self.verdict(args, ran);
        // Postconditions ask functions, too.
        if let Some(fate) = self.misused(offset, origin) {
            return fate;
        }
        if self.with_functions.is_some() && !functions::is_used_up() {
            // A member of the space has the same functions.
            let status = if origin == Origin::Fed { Status::Repeated } else { Status::Skipped };
            self.page.set_status(offset, status);
            if status == Status::Skipped {
                return Fate::Fine(status);
            }
        }
        match verdict {
            Err(trouble) => Fate::Trouble(trouble),
            // Cases that are shown to the user are always judged.
            Ok(Verdict::Failed(_)) if origin == Origin::Listed && self.is_rejected(args) => {
                Fate::Broken(disagreement())
            }
            Ok(Verdict::Failed(failure)) => Fate::Failed(failure),
            Ok(Verdict::Kept(result)) => {
                if let Some(result) = result {
                    self.recorder.returned(&result, &mut self.judge);
                }
                Fate::Fine(status)
            }
        }
    }

    /// What becomes of a case if a function among its arguments was misused.
    fn misused(&mut self, offset: u64, origin: Origin) -> Option<Fate> {
        self.with_functions.as_ref()?;
        functions::set_running(false);
        Some(match functions::misuse()? {
            Misuse::Rejected => {
                let status = if origin == Origin::Fed { Status::Discarded } else { Status::Skipped };
                self.page.set_status(offset, status);
                Fate::Fine(status)
            }
            Misuse::Trouble { clause, obstacle } => Fate::Trouble(Trouble { clause, obstacle }),
            Misuse::Outside { clause, call } => Fate::Failed(Failure {
                kind: FailureKind::Argument,
                message: call,
                location: None,
                within: None,
                clause,
                result: None,
                after: None,
                tables: functions::tables(),
                step: None,
            }),
        })
    }

    /// The tables of the functions among the arguments, if there are functions.
    fn tables(&self) -> Option<Vec<Value>> {
        self.with_functions.as_ref().and_then(|_| functions::tables())
    }

    /// Whether the judge says that a case is not valid. An undecided case counts as valid: the engine judges the
    /// parts of a clause one by one, and can decide more.
    fn is_rejected(&mut self, args: &[Value]) -> bool {
        matches!(self.judged(args, Origin::Range), Ok(Status::Discarded | Status::Skipped))
    }

    /// The status of a case whose functions get results with which the precondition holds, if it was rejected.
    fn with_required(&mut self, status: Status, args: &[Value], origin: Origin) -> Result<Status, Trouble> {
        let is_rejected = status == Status::Discarded && origin == Origin::Fed;
        if !is_rejected || self.with_functions.is_none() || !functions::require() {
            return Ok(status);
        }
        self.judged(args, origin)
    }

    /// Judges the precondition of a case. It isn't judged if it is known to hold, and such a case stays valid if the
    /// judge can't decide it.
    fn admit(&mut self, args: &[Value], origin: Origin) -> Result<Status, Trouble> {
        match origin {
            Origin::Fed | Origin::Member | Origin::Range => self.judged(args, origin),
            Origin::Listed => Ok(self.valid_member(args)),
            Origin::Tested => Ok(self.judged(args, origin).unwrap_or_else(|_| self.valid_member(args))),
        }
    }

    /// The status of a valid member of the space: it may repeat an example.
    fn valid_member(&self, args: &[Value]) -> Status {
        let repeats = self.spec.examples.iter().any(|example| example == args);
        if repeats { Status::Repeated } else { Status::Valid }
    }

    /// The status of a valid case that ran as a variant before, or extends a redundant sequence of calls.
    fn unless_repeated(&mut self, status: Status, args: &[Value], origin: Origin) -> Status {
        if sequences::is_redundant(self.spec, args) {
            return Status::Unextended;
        }
        sequences::note_ran(self.spec, args);
        let tracer = self.tracer.as_mut().filter(|_| status == Status::Valid);
        let is_repeated = tracer.is_some_and(|tracer| tracer.is_repeated(args, origin.is_fed()));
        if is_repeated { Status::Repeated } else { status }
    }

    /// Judges the precondition of a case.
    fn judged(&mut self, args: &[Value], origin: Origin) -> Result<Status, Trouble> {
        let is_range = !origin.is_fed();
        // Elements in another order are not a set of their own.
        if is_range && self.has_collections && !are_ordered(self.spec, args) {
            return Ok(Status::Skipped);
        }
        if is_range && !self.spec.explore.is_empty() {
            match self.judge.explored(self.spec, args) {
                Judgement::Holds => {}
                Judgement::Broken | Judgement::Unjudged => return Ok(Status::Skipped),
                Judgement::SpecError(obstacle) => {
                    return Err(Trouble::of(self.spec.explore[0].id, obstacle));
                }
            }
        }
        match self.judge.precondition(self.spec, args) {
            Admission::Admitted if is_range => Ok(self.valid_member(args)),
            Admission::Admitted => Ok(Status::Valid),
            // It is only a part of inputs: those with the results that the condition asks for run on their own.
            Admission::Rejected(_) if origin == Origin::Member && functions::is_incomplete() => {
                Ok(Status::Skipped)
            }
            Admission::Rejected(_) => Ok(Status::Discarded),
            Admission::SpecError { clause, obstacle } => Err(Trouble::of(clause, obstacle)),
        }
    }

    /// Calls the glue.
    fn call(&mut self, args: &[Value]) -> Called {
        let arena = &self.arena;
        let ran = catch_unwind(AssertUnwindSafe(|| (self.function.run)(args, arena)));
        let stage = arena.stage();
        sequences::end_aside();
        if let (Err(payload), Stage::Entering) = (&ran, stage)
            && built::is_rejection(&**payload)
        {
            // Only arguments were made, and the subject hasn't seen them.
            return match self.arena.clear() {
                Ok(()) => Called::Rejected,
                Err(panic) => Called::Broken(panic.to_string()),
            };
        }
        let ran = ran.map_err(panics::describe);
        // The destructors of arguments belong to the subject's run.
        let cleared = self.arena.clear();
        match ran {
            // After the subject only destructors can panic, and they are user code too.
            Err(panic) if stage == Stage::Entering && self.builds_arguments(&panic) => Called::Unbuilt(panic),
            Err(panic) if stage == Stage::Entering => Called::Broken(panic.to_string()),
            Err(panic) => Called::Ran(Err(panic)),
            Ok(ran) => Called::Ran(cleared.map(|()| ran)),
        }
    }

    /// Whether a panic before the subject came from a function of the user that builds an argument.
    fn builds_arguments(&self, panic: &Panic) -> bool {
        let root = file!().strip_suffix("child/serve/session.rs").unwrap_or_default();
        let is_ours = panic.location.as_deref().is_none_or(|at| {
            let inner = at.strip_prefix(root).unwrap_or_default();
            ["child/", "logic/"].iter().any(|folder| inner.starts_with(folder))
        });
        !is_ours && self.spec.data.iter().any(|data| data.via.is_some())
    }

    /// Judges the outcome of a call.
    fn verdict(&mut self, args: &[Value], ran: Result<Ran, Panic>) -> Result<Verdict, Trouble> {
        let must_panic = self.must_panic(args)?;
        let ran = match ran {
            Err(_) if must_panic.is_some() => return Ok(Verdict::Kept(None)),
            Err(Panic { message, location, within }) => {
                let (kind, clause) = (FailureKind::Panic, None);
                return Ok(Verdict::Failed(Failure {
                    kind,
                    message,
                    location,
                    within,
                    clause,
                    result: None,
                    after: None,
                    tables: self.tables(),
                    step: steps::running(),
                }));
            }
            Ok(ran) => ran,
        };
        let (kind, clause) = match must_panic {
            Some(clause) => (FailureKind::NoPanic, Some(clause)),
            None => match self.judge.postcondition(self.spec, args, ran.after.as_deref(), &ran.result) {
                Finding::Kept => {
                    return Ok(Verdict::Kept(Some(ran.result)));
                }
                Finding::Broken { promise, clause } => (promise.into(), clause),
                Finding::SpecError { clause, obstacle } => return Err(Trouble::of(clause, obstacle)),
            },
        };
        let after = ran.after.filter(|after| after.iter().all(crosses));
        let tables = self.tables();
        let after = after.map(|after| functions::with_tables(after, tables.as_deref(), self.spec));
        let result = Some(ran.result).filter(crosses);
        Ok(Verdict::Failed(Failure {
            kind,
            message: String::new(),
            location: None,
            within: None,
            clause,
            result,
            after,
            tables,
            step: None,
        }))
    }

    /// The clause that requires a panic, if one does.
    fn must_panic(&mut self, args: &[Value]) -> Result<Option<u32>, Trouble> {
        let Some(clause) = &self.spec.panics_if else { return Ok(None) };
        match self.judge.panics_if(self.spec, args) {
            Some(Judgement::Holds) => Ok(Some(clause.id)),
            Some(Judgement::SpecError(obstacle)) => Err(Trouble::of(clause.id, obstacle)),
            Some(Judgement::Broken | Judgement::Unjudged) | None => Ok(None),
        }
    }
}

/// The message if engine and judge disagree.
fn disagreement() -> String {
    "the native engine lists this case, and the judge rejects it".to_owned()
}
