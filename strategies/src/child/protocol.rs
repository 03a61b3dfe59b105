//! The messages between the parent and a harness child, and the page of memory that they share.
//!
//! The parent writes [`Request`]s to the child's standard input. The child answers with [`Reply`]s on its original
//! standard output (the subject's own output goes to standard error). Messages are length-prefixed and encoded by
//! [`crate::logic::codec`]. During a batch, the child records the running case in the shared page ([`Progress`]), so
//! that the parent knows which case ended the child.

use std::num::NonZeroU32;

use crate::baseline::enumerative::Range;
use crate::logic::eval::{Obstacle, Promise};
use crate::logic::ir::Spec;
use crate::logic::value::Value;
use crate::native::listing::Listed;
use crate::space::Bounds;

/// The version of the messages. Both sides must agree.
pub const VERSION: u32 = 16;

/// The number of runs of a piece of code: the sum of counters, by number, each multiplied by a factor.
pub type Sum = Vec<(u32, i64)>;

/// A message from the parent.
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
        /// Number of bytes that a case may allocate beyond what the child holds when it is ready.
        memory: u64,
    },
    /// Run these argument tuples in order.
    Cases {
        /// At most [`MAX_FED`] of them.
        cases: Vec<Vec<Value>>,
        /// Whether each is a member of the space, where another member may have the same functions; empty if none is.
        members: Vec<bool>,
        /// Whether to answer each of these members with [`Reply::Asked`].
        asks: bool,
        /// When to stop early.
        limits: Limits,
    },
    /// Run members of skeletons, indexed as in [`crate::baseline::enumerative`].
    Enumerate {
        /// At most [`MAX_BATCH`] members in all. There are many ranges, because a skeleton may have only one member.
        ranges: Vec<Range>,
        /// When to stop early.
        limits: Limits,
    },
    /// Run members that the native engine lists.
    List {
        /// At most [`MAX_BATCH`] members in all.
        ranges: Vec<Listed>,
        /// Whether to judge the precondition of every case, even if the engine covers the whole spec.
        judge_all: bool,
        /// When to stop early.
        limits: Limits,
    },
    /// From now on, record what cases reach in an instrumented crate. It has no reply of its own: later batches are
    /// also answered with [`Reply::Reached`] and [`Reply::Counted`]. In a program without counters nothing is
    /// reached.
    Watch {
        /// One sum for each piece of code.
        sums: Vec<Sum>,
        /// The sums that are known to be reached, in any order.
        known: Vec<u32>,
    },
    /// From now on, record the traces of cases in an instrumented crate. It has no reply of its own: the shared page has the
    /// traces of later cases, and there is a [`Reply::Reached`] without sums for each case that passes and is the first one in
    /// this process with its pieces of code, or to run one of them so often.
    Trace {
        /// The pieces of the user's code: each ran if its sum is positive.
        sums: Vec<Sum>,
    },
    /// From now on, make no value by one of these sequences of calls, look at the states of none of these types, and call none
    /// of these accessors, which ended other processes. It has no reply.
    Unmade {
        /// What [`Progress::MAKING`] said of those processes.
        sequences: Vec<u64>,
    },
}

/// The user's code that runs beside the subject itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// A sequence of calls makes an argument.
    Making = 1,
    /// `Debug` or an accessor shows the state of such an argument, for the tool only.
    Looking = 2,
    /// An accessor of a result is called.
    Reading = 3,
}

impl Aside {
    const MASK: u64 = 3;

    /// The word at [`Progress::MAKING`]: what runs, and a hash of what it runs on. It is never 0.
    pub fn word(self, hash: u64) -> u64 {
        hash & !Self::MASK | self as u64
    }

    /// What runs by this word; `None` if nothing does.
    pub fn of_word(word: u64) -> Option<Aside> {
        [Aside::Making, Aside::Looking, Aside::Reading]
            .into_iter()
            .find(|aside| word & Self::MASK == *aside as u64)
    }
}

/// Conditions that end a batch before its last case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Whether to stop after the first failure.
    pub stop_at_failure: bool,
    /// Number of valid cases after which to stop.
    pub max_valid: u64,
}

/// Number of files that the tool hands over to a fork server for a child: the shared page, and standard input, output and
/// error.
pub const HANDED_OVER: usize = 4;

/// Maximum number of cases in a [`Request::Cases`].
pub const MAX_FED: usize = 4096;

/// Maximum number of cases in a batch: the shared page has a [`Status`] for each.
pub const MAX_BATCH: usize = 65_536;

/// Whether reports show the valid case with this index in a batch: the first ones, then one of many. Batches are
/// small at first, so the first cases of a run are all shown.
pub fn is_shown(offset: u64) -> bool {
    offset < 64 || offset.is_multiple_of(256)
}

/// A message from the child.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The child is set up.
    Ready,
    /// The child has another version, or no such function.
    Rejected(String),
    /// A case failed. It is sent at once.
    Failed {
        /// Its index in the batch.
        offset: u64,
        /// Its arguments.
        args: Vec<Value>,
        /// How it failed.
        failure: Failure,
    },
    /// A clause could not be judged, or the user's code that builds an argument panicked, which ends the batch.
    SpecError {
        /// The index in the batch of the case.
        offset: u64,
        /// Its arguments.
        args: Vec<Value>,
        /// The clause, if it is one.
        clause: Option<u32>,
        /// Why.
        obstacle: Obstacle,
    },
    /// The glue of the harness panicked outside the subject, or engine and judge disagree: a bug of the tool.
    Broken {
        /// The index in the batch of the case.
        offset: u64,
        /// Its arguments.
        args: Vec<Value>,
        /// What happened.
        message: String,
    },
    /// A case reached code that no case had reached before. It is sent at once, before other messages about the case.
    Reached {
        /// Its index in the batch.
        offset: u64,
        /// Its arguments.
        args: Vec<Value>,
        /// All sums of [`Request::Watch`] that are positive for this case alone.
        sums: Vec<u32>,
    },
    /// Which functions a member was asked for more results than it has. It is sent before the next case runs.
    Asked {
        /// Its index in the batch.
        offset: u64,
        /// For each such result, in the order of the calls, the position of the function among those in the arguments; at most
        /// [`super::serve::functions::MOST_ASKED`] for each function.
        functions: Vec<u32>,
    },
    /// The growth of the counters during the batch, without those that didn't grow. It is sent before
    /// [`Reply::Finished`].
    Counted {
        /// The counters by number.
        counters: Vec<(u32, u64)>,
    },
    /// The batch is over. The shared page has the status of its cases.
    Finished {
        /// Some of the valid cases that the child made itself ([`is_shown`]), each with its index in the batch.
        shown: Vec<(u64, Vec<Value>)>,
        /// The goals that this process met for the first time, each with the index in the batch of the case. See
        /// [`super::goals`].
        met: Vec<(u64, u32)>,
    },
}

/// How a case failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The panic message, the end of the standard error, or empty.
    pub message: String,
    /// `file:line:column` of a panic.
    pub location: Option<String>,
    /// If that is in a library: `file:line:column` of the innermost call below the current folder, where this was asked
    /// for and the program knows its lines.
    pub within: Option<String>,
    /// The clause that broke.
    pub clause: Option<u32>,
    /// The returned value, if any.
    pub result: Option<Value>,
    /// The parameters on return, if some are `&mut`.
    pub after: Option<Vec<Value>>,
    /// The arguments with functions as tables of what they returned, if there are functions.
    pub tables: Option<Vec<Value>>,
    /// What was done with the result when it panicked, as Rust code, if the call returned one. See [`super::serve::steps`].
    pub step: Option<String>,
}

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The subject panicked, and no `panics if` allowed it.
    Panic,
    /// `panics if` required a panic, and there was none.
    NoPanic,
    /// The process was aborted or killed by a signal.
    Abort,
    /// The subject ended the process.
    Exit,
    /// The subject forked, and the copy of the process returned from it too.
    Fork,
    /// The stack overflowed.
    StackOverflow,
    /// The time limit passed.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The result is outside its type.
    Result,
    /// The subject called a function among its arguments outside of that function's domain.
    Argument,
    /// An `ensures`, or the refinement of a `&mut` parameter, does not hold on return.
    Ensures,
}

impl From<Promise> for FailureKind {
    fn from(promise: Promise) -> FailureKind {
        match promise {
            Promise::Result => FailureKind::Result,
            Promise::Ensures => FailureKind::Ensures,
        }
    }
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
            FailureKind::Argument => "argument",
            FailureKind::Ensures => "ensures",
        }
    }
}

/// The activity of the child, as a number in the shared page.
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

/// The result of a case, as a byte in the shared page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// Not run, or its precondition is being judged.
    None = 0,
    /// The precondition rejected it.
    Discarded = 1,
    /// It ran, and passed or failed.
    Valid = 2,
    /// It ran, but it is one of the spec's examples, repeated in a range: not distinct.
    Repeated = 3,
    /// A member of a range that `explore` leaves out, or with a function that lacks a result. It is not a case.
    Skipped = 4,
    /// It takes too long to judge.
    Undecided = 5,
    /// It extends a sequence of calls that leads to the state of a shorter one, and the same extension of that ran. It is not a
    /// case.
    Unextended = 6,
}

impl Status {
    /// Whether it is a case that ran, or was judged.
    pub fn is_case(self) -> bool {
        match self {
            Status::Discarded | Status::Valid | Status::Repeated => true,
            Status::None | Status::Skipped | Status::Undecided | Status::Unextended => false,
        }
    }
}

impl Phase {
    /// The phase with this number.
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
    /// The status with this number.
    pub fn from_number(n: u8) -> Status {
        match n {
            1 => Status::Discarded,
            2 => Status::Valid,
            3 => Status::Repeated,
            4 => Status::Skipped,
            5 => Status::Undecided,
            6 => Status::Unextended,
            _ => Status::None,
        }
    }
}

/// The layout of the shared page, in bytes: `u64` words in native byte order, a text, a [`Status`] byte for each
/// case of the batch, and more. The parent clears the page before each batch. After that only the child writes, except for
/// [`Progress::STOP`], and for [`Progress::EXIT`], which is kept.
pub struct Progress;

impl Progress {
    /// A word: number of cases begun, times four, plus the [`Phase`]. The running case is the last one begun.
    pub const CURSOR: usize = 0;
    /// A word: whether the parent asks the child to stop after the running case.
    pub const STOP: usize = 8;
    /// A word: the clause whose `where` condition is being evaluated, plus one; 0 if none is.
    pub const CLAUSE: usize = 16;
    /// A word: number of valid bytes in the text at [`Progress::TEXT`].
    pub const TEXT_LEN: usize = 24;
    /// A word. Its low half: the first case from which a copy of the process returned, plus one; 0 if there is none.
    /// Its high half: the number of the batch. Both are in one word, so that a late copy is never charged to a later
    /// batch.
    pub const FORKED: usize = 32;
    /// A word: the wait status of the serving process, plus one; 0 while it runs. The guard writes it.
    pub const EXIT: usize = 40;
    /// A word: number of valid bytes at [`Progress::TABLES`]; 0 if there are none, or too many.
    pub const TABLES_LEN: usize = 48;
    /// A word: what of [`Aside`] runs just now; 0 if nothing of it does, or it isn't looked up. While an accessor of a result is
    /// read, its call is the first line of the text at [`Progress::TEXT`].
    pub const MAKING: usize = 56;
    /// Offset of the messages of the case's panics, for a case that ends the process.
    pub const TEXT: usize = 64;
    /// Maximum length of that text.
    pub const TEXT_MAX: usize = 1984;
    /// Offset of the statuses.
    pub const STATUSES: usize = Self::TEXT + Self::TEXT_MAX;
    /// Offset of the running case's arguments, encoded, with functions as tables of what they returned so far.
    pub const TABLES: usize = Self::STATUSES + MAX_BATCH;
    /// Maximum length of them.
    pub const TABLES_MAX: usize = 4096;
    /// Offset of the traces: a word for each case ([`Trace::word`]); 0 if it isn't known.
    pub const TRACES: usize = Self::TABLES + Self::TABLES_MAX;
    /// A word: how many times the finished cases of the batch ran pieces of the instrumented crate; 0 if that isn't counted.
    pub const STEPS: usize = Self::TRACES + 8 * MAX_BATCH;
    /// Length of the page.
    pub const LEN: usize = Self::STEPS + 8;
}

/// What a case ran of an instrumented crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trace {
    /// Equal for cases that ran the same pieces of code, and most likely for no others. Not 0.
    pub pieces: NonZeroU32,
    /// A hash of 31 bits, equal for cases that also ran them about as often.
    pub counts: u32,
    /// Whether it is the first case of its child that ran one of the pieces, or ran it about so often, and passed.
    pub is_first: bool,
}

impl Trace {
    /// The trace as a word that is not 0.
    pub fn word(self) -> u64 {
        u64::from(self.pieces.get()) << 32
            | u64::from(self.counts & u32::MAX >> 1) << 1
            | u64::from(self.is_first)
    }

    /// The trace of a word; `None` if it isn't known.
    pub fn of_word(word: u64) -> Option<Trace> {
        let pieces = NonZeroU32::new((word >> 32) as u32)?;
        Some(Trace { pieces, counts: word as u32 >> 1, is_first: word & 1 == 1 })
    }
}
