//! The questions that the judge answers, and the host that it asks about Rust code.

use std::fmt;

use crate::logic::ir::{Asked, Callback, Question};
use crate::logic::value::Value;

/// Runs the Rust code of `where` conditions.
pub trait Host {
    /// The result of the condition with this number on the given values; an error is a panic's message.
    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String>;

    /// The answer to a question about the function in a parameter. An error means that there is none.
    fn ask(&mut self, _question: Question, _of: Asked, _args: &[Value]) -> Option<Result<Value, NoAnswer>> {
        None
    }
}

/// A call of a function among the arguments.
#[derive(Clone, Copy)]
pub struct Call<'c> {
    /// The arguments of the case.
    pub entry: &'c [Value],
    /// The type of the function.
    pub callback: &'c Callback,
    /// The arguments of the call.
    pub args: &'c [Value],
    /// If another function returned this one, the arguments of that call, and of those before, by their slots.
    pub outer: &'c [(u32, Value)],
}

/// A function has no result for these arguments, or the judge can't know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAnswer;

/// Whether a clause holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The clause holds.
    Holds,
    /// The clause is false, or is undefined.
    Broken,
    /// The clause needs a host, and there is none.
    Unjudged,
    /// The clause can't be judged.
    SpecError(Obstacle),
}

/// Whether a spec admits an argument tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The arguments are admitted. Clauses that need a host count as satisfied if there is none.
    Admitted,
    /// This clause rejects the arguments; `None` if a value is not of its sort.
    Rejected(Option<u32>),
    /// A clause can't be judged.
    SpecError {
        /// The clause.
        clause: u32,
        /// Why.
        obstacle: Obstacle,
    },
}

/// The promises of a spec about an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The result is in its type.
    Result,
    /// Each `ensures` holds on return, and the refinement of each `&mut` parameter.
    Ensures,
}

/// Whether an outcome is as the spec promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It is as promised.
    Kept,
    /// It breaks a promise.
    Broken {
        /// The broken promise.
        promise: Promise,
        /// The clause; `None` if a value is not of its sort.
        clause: Option<u32>,
    },
    /// A clause can't be judged.
    SpecError {
        /// The clause.
        clause: u32,
        /// Why.
        obstacle: Obstacle,
    },
}

/// Why a term has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Rust would panic.
    Undefined,
    /// The term needs a host, and there is none.
    Unjudged,
    /// The value can't be computed.
    SpecError(Obstacle),
}

/// Why a clause can't be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The work exceeds the limit, or numbers grow too long. A smaller input may be judged.
    TooMuchWork,
    /// A `where` panicked, or the clause makes no sense for the value, as the text says.
    Mistake(String),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::TooMuchWork => {
                f.write_str("the refinement takes too long to judge, or its numbers grow too long")
            }
            Obstacle::Mistake(message) => f.write_str(message),
        }
    }
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// It holds.
    Holds,
    /// It doesn't hold, or is undefined.
    Fails,
    /// The judge can't decide it: that takes too much work, or isn't possible here.
    Undecided,
}
