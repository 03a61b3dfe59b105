//! The judge: whether values satisfy a spec. It is the oracle for inputs and results alike.
//!
//! It reads the same terms as the solver's encoding, and nothing else of the generators': whatever proposes an input,
//! from a model to a file, is judged here before it counts. So a mistake in a generator can lose cases, which the tests
//! against brute force find, but can never produce a false counterexample.
//!
//! An expression that Rust would panic at is *undefined*; a clause that meets one is false as a whole. A `where` is
//! Rust code, which only the harness can run: it does so as a [`Host`]; without one such clauses are left unjudged.
//! Work is counted, so that no spec makes the judge hang.

mod collection;
mod compare;
mod ends;
mod env;
mod member;
mod scalar;
mod sequence;
mod term;
mod text;

pub use compare::{logic_compare, logic_equal};
pub use ends::{End, Ends, Touched};
pub use scalar::char_is;

use crate::ir::{Clause, Function, Regex, Spec, Term};
use crate::protocol::FailureKind;
use crate::value::Value;
pub(crate) use env::Halt;
use env::{Datum, Env, Frame};
use member::Refusal;

/// What can run the Rust code of `where` conditions.
pub trait Host {
    /// The condition of that number on the given values; an error is a panic's message.
    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String>;
}

/// Whether a clause holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It does.
    Holds,
    /// It doesn't, or is undefined.
    Broken,
    /// It takes a host, and there is none.
    Unjudged,
    /// It can't be judged: a `where` panicked, or the work has no end.
    SpecError(String),
}

/// Whether a spec admits an argument tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It does. Clauses that take a host count as satisfied where there is none.
    Admitted,
    /// It doesn't, by that clause; `None` where a value is not even of its sort.
    Refused(Option<u32>),
    /// A clause can't be judged.
    SpecError {
        /// The clause.
        clause: u32,
        /// Why.
        message: String,
    },
}

/// Whether an outcome is what the spec promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It is.
    Kept,
    /// It isn't.
    Broken {
        /// [`FailureKind::Result`] or [`FailureKind::Ensures`].
        kind: FailureKind,
        /// The clause; `None` where a value is not even of its sort.
        clause: Option<u32>,
    },
    /// A clause can't be judged.
    SpecError {
        /// The clause.
        clause: u32,
        /// Why.
        message: String,
    },
}

/// Why the value of a term is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Rust would panic.
    Undefined,
    /// It takes a host, and there is none.
    Unjudged,
    /// It can't be found: a `where` panicked, or the work has no end.
    SpecError(String),
}

/// A judge with the contents of the slots; one serves for any number of cases.
///
/// ```
/// use target_strategies::eval::{Judge, Judgement};
/// use target_strategies::ir::{Clause, CompareOp, Term};
/// use target_strategies::value::Value;
///
/// let positive = Term::Compare(CompareOp::Lt, Box::new(Term::Lit(Value::int(0))), Box::new(Term::Var(0)));
/// let clause = Clause { id: 0, text: "0 < v".to_owned(), term: positive };
/// let mut judge = Judge::new(None);
/// judge.set(0, Value::int(-1));
/// assert_eq!(judge.clause(&clause), Judgement::Broken);
/// ```
pub struct Judge<'h> {
    slots: Vec<Option<Value>>,
    regexes: &'h [Regex],
    host: Option<&'h mut dyn Host>,
}

impl<'h> Judge<'h> {
    /// A judge with empty slots.
    pub fn new(host: Option<&'h mut dyn Host>) -> Judge<'h> {
        Judge { slots: Vec::new(), regexes: &[], host }
    }

    /// The same, with regular expressions for [`Judge::clause`], [`Judge::condition`] and [`Judge::value`].
    pub fn with_regexes(self, regexes: &'h [Regex]) -> Judge<'h> {
        Judge { regexes, ..self }
    }

    /// Puts a value into a slot, for [`Judge::clause`], [`Judge::condition`] and [`Judge::value`].
    pub fn set(&mut self, slot: u32, value: Value) {
        let slot = slot as usize;
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, None);
        }
        self.slots[slot] = Some(value);
    }

    /// Whether a clause holds of what is in the slots.
    pub fn clause(&mut self, clause: &Clause) -> Judgement {
        self.condition(&clause.term)
    }

    /// Whether a term of sort bool holds of what is in the slots.
    pub fn condition(&mut self, term: &Term) -> Judgement {
        Env::new(Frame::Slots(&self.slots), &[], self.regexes, host(&mut self.host)).holds(term)
    }

    /// The value of a term, given what is in the slots.
    pub fn value(&mut self, term: &Term) -> Result<Value, Stop> {
        let mut env = Env::new(Frame::Slots(&self.slots), &[], self.regexes, host(&mut self.host));
        let value = env.datum(term).and_then(|datum| env.own(datum));
        value.map_err(|halt| env.stop(halt))
    }

    fn case<'a>(&'a mut self, spec: &'a Spec, args: &'a [Value]) -> Env<'a> {
        let frame = Frame::Case { entry: args, value: None, after: &[] };
        let mut env = Env::new(frame, &spec.functions, &spec.regexes, host(&mut self.host));
        env.has_unread =
            spec.data.iter().any(|data| data.via.as_ref().is_some_and(|via| via.reads.contains(&None)));
        env
    }

    /// Whether the spec admits the arguments.
    pub fn precondition(&mut self, spec: &Spec, args: &[Value]) -> Admission {
        if args.len() != spec.params.len() {
            return Admission::Refused(None);
        }
        let mut env = self.case(spec, args);
        let mut params = spec.params.iter().zip(args);
        let judged = params
            .try_for_each(|(param, value)| env.member(value, &param.refined, spec))
            .and_then(|()| env.all_hold(&spec.requires));
        match judged {
            Ok(()) => Admission::Admitted,
            Err(Refusal::Clause(clause)) => Admission::Refused(clause),
            Err(Refusal::SpecError { clause, message }) => Admission::SpecError { clause, message },
        }
    }

    /// Whether the arguments lie in the part of the space that `explore` leaves.
    pub fn explored(&mut self, spec: &Spec, args: &[Value]) -> Judgement {
        let mut env = self.case(spec, args);
        let mut judgements = spec.explore.iter().map(|clause| env.holds(&clause.term));
        judgements.find(|judgement| *judgement != Judgement::Holds).unwrap_or(Judgement::Holds)
    }

    /// Whether the spec requires a panic for the arguments; `None` where it says nothing of panics.
    pub fn panics_if(&mut self, spec: &Spec, args: &[Value]) -> Option<Judgement> {
        let clause = spec.panics_if.as_ref()?;
        Some(self.case(spec, args).holds(&clause.term))
    }

    /// Whether the outcome is what the spec promises. `after` are the parameters on return, where some are `&mut`.
    pub fn postcondition(
        &mut self,
        spec: &Spec,
        args: &[Value],
        after: Option<&[Value]>,
        result: &Value,
    ) -> Finding {
        let after = after.unwrap_or(args);
        let broken = |kind, refusal| match refusal {
            Refusal::Clause(clause) => Finding::Broken { kind, clause },
            Refusal::SpecError { clause, message } => Finding::SpecError { clause, message },
        };
        let mut env = self.case(spec, args);
        if let Err(refusal) = env.member(result, &spec.result, spec) {
            return broken(FailureKind::Result, refusal);
        }
        // In the refinement of a `&mut` parameter, every name means the value on return.
        env.frame = Frame::Case { entry: after, value: None, after: &[] };
        let mut mutable = spec.params.iter().zip(after).filter(|(param, _)| param.mutable);
        let judged =
            mutable.try_for_each(|(param, value)| env.member(value, &param.refined, spec)).and_then(|()| {
                env.frame = Frame::Case { entry: args, value: Some(result), after };
                env.all_hold(&spec.ensures)
            });
        judged.map_or_else(|refusal| broken(FailureKind::Ensures, refusal), |()| Finding::Kept)
    }
}

/// Lends the host for one case.
fn host<'a>(host: &'a mut Option<&mut dyn Host>) -> Option<&'a mut dyn Host> {
    match host {
        Some(host) => Some(&mut **host),
        None => None,
    }
}

/// The value of a term without slots that may call functions, or why it has none.
pub(crate) fn evaluate(term: &Term, functions: &[Function], regexes: &[Regex]) -> Result<Value, Halt> {
    let mut env = Env::new(Frame::Slots(&[]), functions, regexes, None);
    env.datum(term).and_then(|datum| env.own(datum))
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// It does.
    Holds,
    /// It doesn't, or is undefined.
    Fails,
    /// Judging it takes too much work, or is not possible here.
    Unknown,
}

/// Whether a term of sort bool with one slot holds of a value.
pub(crate) fn holds_of(
    term: &Term,
    slot: u32,
    value: &Value,
    functions: &[Function],
    regexes: &[Regex],
) -> Truth {
    let mut env = Env::new(Frame::Slots(&[]), functions, regexes, None);
    match env.binding(slot, Datum::Ref(value), |env| env.truth(term)) {
        Ok(true) => Truth::Holds,
        Ok(false) | Err(Halt::Undefined) => Truth::Fails,
        Err(
            Halt::Unjudged | Halt::Panicked | Halt::TooLarge | Halt::Unbound | Halt::IllTyped | Halt::Unread,
        ) => Truth::Unknown,
    }
}

/// Whether the spec admits the arguments, as far as can be said without a host.
pub fn admits(spec: &Spec, args: &[Value]) -> bool {
    Judge::new(None).precondition(spec, args) == Admission::Admitted
}

#[cfg(test)]
mod tests;
