//! What the parent and a harness child say to each other, and the page of memory they share.
//!
//! The parent writes [`Request`]s to the child's standard input; the child answers with [`Reply`]s on what was its
//! standard output (the subject's own output goes to standard error). Both are length-prefixed [`crate::wire`]
//! messages. While a batch runs the child notes in a shared page ([`Progress`]) which case is running, so that the
//! parent knows whose death it was.

use crate::enumerative::Range;
use crate::ir::Spec;
use crate::native::deal::Listed;
use crate::space::Bounds;
use crate::value::Value;

/// The version of the messages; the two sides must agree.
pub const VERSION: u32 = 5;

/// How often a piece of code ran: counters by number, each with a factor, added up.
pub type Sum = Vec<(u32, i64)>;

/// From the parent.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The first message: which function, by its spec. Answered by [`Reply::Ready`].
    Setup {
        /// [`VERSION`] of the parent.
        version: u32,
        /// The number of the function in the harness.
        function: u32,
        /// Its spec.
        spec: Box<Spec>,
        /// The bounds of its space.
        bounds: Bounds,
        /// How many bytes a case may allocate beyond what the child has when it is ready.
        memory: u64,
    },
    /// Run these argument tuples in order.
    Cases {
        /// At most [`MAX_FED`] of them.
        cases: Vec<Vec<Value>>,
        /// When to stop early.
        limits: Limits,
    },
    /// Run members of skeletons, counted as [`crate::enumerative`] counts them.
    Enumerate {
        /// At most [`MAX_BATCH`] members in all. Many ranges, since a skeleton may have a single member, which is not
        /// worth a message.
        ranges: Vec<Range>,
        /// When to stop early.
        limits: Limits,
    },
    /// Run members that the native engine lists.
    List {
        /// At most [`MAX_BATCH`] members in all.
        ranges: Vec<Listed>,
        /// Whether to judge the precondition of every case, also where the engine covers all of the spec.
        judge_all: bool,
        /// When to stop early.
        limits: Limits,
    },
    /// From here on, note what cases reach of an instrumented crate. Not answered by itself: the batches that follow are
    /// answered with [`Reply::Reached`] and [`Reply::Counted`], too. Of a program without counters nothing is reached.
    Watch {
        /// One for each piece of code.
        sums: Vec<Sum>,
        /// Those that are known to be reached, in any order.
        known: Vec<u32>,
    },
}

/// What ends a batch before its last case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Whether to stop behind the first failure.
    pub stop_at_failure: bool,
    /// Behind how many valid cases to stop.
    pub max_valid: u64,
}

/// The most cases that one [`Request::Cases`] may carry.
pub const MAX_FED: usize = 4096;

/// The most cases of any batch: the shared page has a [`Status`] for so many.
pub const MAX_BATCH: usize = 65_536;

/// Whether reports look at the valid case of that index in a batch: at the first ones, then at one of many. Batches are
/// small at first, so that a run's first cases are all looked at.
pub fn is_shown(offset: u64) -> bool {
    offset < 64 || offset.is_multiple_of(256)
}

/// From the child.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The child is set up.
    Ready,
    /// The child speaks another version, or has no such function.
    Refused(String),
    /// A case failed; sent at once.
    Failed {
        /// Its index in the batch.
        offset: u64,
        /// Its arguments.
        args: Vec<Value>,
        /// How it failed.
        failure: Failure,
    },
    /// A `where` condition panicked, or a term could not be judged: a mistake in the spec.
    SpecError {
        /// The index in the batch of the case.
        offset: u64,
        /// Its arguments.
        args: Vec<Value>,
        /// The clause.
        clause: u32,
        /// What happened.
        message: String,
    },
    /// The glue of the harness panicked around the subject, or engine and judge disagree: a mistake of the tool.
    Broken {
        /// The index in the batch of the case.
        offset: u64,
        /// Its arguments.
        args: Vec<Value>,
        /// What happened.
        message: String,
    },
    /// A case reached something that none had reached before; sent at once, before what else there is to tell of it.
    Reached {
        /// Its index in the batch.
        offset: u64,
        /// Its arguments.
        args: Vec<Value>,
        /// All sums of [`Request::Watch`] that are positive for this case alone.
        sums: Vec<u32>,
    },
    /// How much the counters have grown in the batch, those that have; sent before [`Reply::Finished`].
    Counted {
        /// The counters by number.
        counters: Vec<(u32, u64)>,
    },
    /// The batch is over; what became of its cases is in the shared page.
    Finished {
        /// Of the valid cases that the child made itself, some as they were ([`is_shown`]), each with its index in the
        /// batch.
        shown: Vec<(u64, Vec<Value>)>,
    },
}

/// How a case failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// In which way.
    pub kind: FailureKind,
    /// The panic message, the end of the standard error, or empty.
    pub message: String,
    /// `file:line:column` of a panic.
    pub location: Option<String>,
    /// The clause that broke.
    pub clause: Option<u32>,
    /// What was returned, if anything.
    pub result: Option<Value>,
    /// The parameters on return, where some are `&mut`.
    pub after: Option<Vec<Value>>,
}

/// The ways to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The subject panicked, and no `panics if` allowed it.
    Panic,
    /// `panics if` required a panic and none came.
    NoPanic,
    /// The process was aborted or killed by a signal.
    Abort,
    /// The subject ended the process.
    Exit,
    /// The subject forked, and the copy of the process came back from it, too.
    Fork,
    /// The stack overflowed.
    StackOverflow,
    /// The time limit passed.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The result is outside its type.
    Result,
    /// An `ensures`, or the refinement of a `&mut` parameter, does not hold on return.
    Ensures,
}

impl FailureKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Panic => "panic",
            FailureKind::NoPanic => "no-panic",
            FailureKind::Abort => "abort",
            FailureKind::Exit => "exit",
            FailureKind::Fork => "fork",
            FailureKind::StackOverflow => "stack-overflow",
            FailureKind::Timeout => "timeout",
            FailureKind::Memory => "memory",
            FailureKind::Result => "result",
            FailureKind::Ensures => "ensures",
        }
    }
}

/// What the child is doing, as a number in the shared page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Waiting for a request, or between cases.
    Idle = 0,
    /// Judging the precondition (or building the case).
    Precondition = 1,
    /// Running the subject.
    Running = 2,
    /// Judging the outcome.
    Outcome = 3,
}

/// What became of a case, as a byte in the shared page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// Not run, or its precondition is being judged.
    None = 0,
    /// The precondition refused it.
    Discarded = 1,
    /// It ran, and passed or failed.
    Valid = 2,
    /// Likewise, but it is one of the spec's examples, met again in a range: not distinct.
    Repeated = 3,
    /// A member of a range that `explore` leaves out: no case at all.
    Skipped = 4,
}

impl Phase {
    /// The phase of that number.
    pub fn from_number(n: u64) -> Phase {
        match n {
            1 => Phase::Precondition,
            2 => Phase::Running,
            3 => Phase::Outcome,
            _ => Phase::Idle,
        }
    }
}

impl Status {
    /// The status of that number.
    pub fn from_number(n: u8) -> Status {
        match n {
            1 => Status::Discarded,
            2 => Status::Valid,
            3 => Status::Repeated,
            4 => Status::Skipped,
            _ => Status::None,
        }
    }
}

/// The layout of the shared page, in bytes: `u64` words in the machine's order, a text, and a [`Status`] byte for
/// each case of the batch. The parent clears it before each batch; then only the child writes, save for
/// [`Progress::STOP`], and for [`Progress::EXIT`], which is kept.
pub struct Progress;

impl Progress {
    /// A word: how many cases were begun, times four, plus the [`Phase`]. The running case is the last one begun.
    pub const CURSOR: usize = 0;
    /// A word: whether the parent asks the child to stop behind the running case.
    pub const STOP: usize = 8;
    /// A word: the clause whose `where` condition is being evaluated, plus one; 0 if none is.
    pub const CLAUSE: usize = 16;
    /// A word: how much of the text at [`Progress::TEXT`] holds.
    pub const TEXT_LEN: usize = 24;
    /// A word: the first case from which a copy of the process came back, plus one; 0 if none did.
    pub const FORKED: usize = 32;
    /// A word: the wait status of the serving process, plus one; 0 while it runs. The guard writes it.
    pub const EXIT: usize = 40;
    /// A word: the number of the batch, so that a copy that comes back late is not charged to a later batch.
    pub const BATCH: usize = 48;
    /// Where the messages of the case's panics stand, in case it dies of one.
    pub const TEXT: usize = 64;
    /// How long that text may be.
    pub const TEXT_MAX: usize = 1984;
    /// Where the statuses begin.
    pub const STATUSES: usize = Self::TEXT + Self::TEXT_MAX;
    /// The length of the page.
    pub const LEN: usize = Self::STATUSES + MAX_BATCH;
}
