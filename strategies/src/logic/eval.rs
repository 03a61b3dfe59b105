//! The judge decides whether values satisfy a spec. It is the oracle for inputs and results alike.
//!
//! It reads the same terms as the solver's encoding, and shares no other code with the generators. Every proposed
//! input, from a model or from a file, is judged before it counts. So a mistake in a generator can lose cases, which
//! the tests against brute force find, but can never produce a false counterexample.
//!
//! An expression at which Rust would panic is *undefined*; a clause that evaluates one is false. A `where` is Rust
//! code that only the harness can run, as a [`Host`]. Without a host, such clauses stay unjudged. Work is limited, so
//! no spec makes the judge hang.

mod collection;
mod compare;
mod judgement;
mod boundaries;
mod decisions;
mod env;
mod function;
mod member;
mod scalar;
mod sequence;
mod term;
mod text;
mod text_op;

pub use boundaries::{Boundaries, Boundary, Touched};
use decisions::OpenDecisions;
pub use decisions::{Decision, decisions};
pub use scalar::{char_is, chars_of};

use crate::logic::ir::{Clause, Data, Function, Regex, Spec, Term, Via};
use crate::logic::value::Value;
pub(crate) use env::Halt;
use env::{Datum, Env, Frame};
pub(crate) use judgement::Truth;
pub use judgement::{Admission, Call, Finding, Host, Judgement, NoAnswer, Obstacle, Promise, Stop};
use member::Rejection;

/// A judge, with the values of the slots. One judge serves for any number of cases.
///
/// ```
/// use target_strategies::logic::eval::{Judge, Judgement};
/// use target_strategies::logic::ir::{Clause, CompareOp, Term};
/// use target_strategies::logic::value::Value;
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
    /// The decisions to record, if some are watched.
    open: Option<OpenDecisions>,
}

impl<'h> Judge<'h> {
    /// A judge with empty slots.
    pub fn new(host: Option<&'h mut dyn Host>) -> Judge<'h> {
        Judge { slots: Vec::new(), regexes: &[], host, open: None }
    }

    /// A judge with regular expressions for [`Judge::clause`], [`Judge::condition`] and [`Judge::value`].
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

    /// From now on, records which of these decisions are taken when a postcondition of their spec is judged.
    pub fn watch(&mut self, decisions: &[Decision<'_>]) {
        self.open = Some(OpenDecisions::new(decisions));
    }

    /// The numbers of the decisions that were taken for the first time since the last call.
    pub fn taken(&mut self) -> impl Iterator<Item = u32> {
        self.open.iter_mut().flat_map(OpenDecisions::taken)
    }

    /// Whether a clause holds for the values in the slots.
    pub fn clause(&mut self, clause: &Clause) -> Judgement {
        self.condition(&clause.term)
    }

    /// Whether a boolean term holds for the values in the slots.
    pub fn condition(&mut self, term: &Term) -> Judgement {
        Env::new(Frame::Slots(&self.slots), &[], self.regexes, host(&mut self.host)).holds(term)
    }

    /// The value of a term for the values in the slots.
    pub fn value(&mut self, term: &Term) -> Result<Value, Stop> {
        let mut env = Env::new(Frame::Slots(&self.slots), &[], self.regexes, host(&mut self.host));
        let value = env.datum(term).and_then(|datum| env.own(datum));
        value.map_err(|halt| env.stop(halt))
    }

    fn case<'a>(&'a mut self, spec: &'a Spec, args: &'a [Value]) -> Env<'a> {
        case(&mut self.host, spec, args)
    }

    /// Whether a relation holds between two inputs, of which the second one is in slots of its own.
    pub fn related(
        &mut self,
        spec: &Spec,
        relation: &Term,
        first: &[Value],
        second: (&[u32], &[Value]),
    ) -> Judgement {
        let mut env = self.case(spec, first);
        let n = second.0.iter().zip(second.1).map(|(slot, value)| env.enter_field(*slot, value)).count();
        let judgement = env.holds(relation);
        env.leave_fields(n);
        judgement
    }

    /// The value of a term about an input.
    pub fn value_of(&mut self, spec: &Spec, args: &[Value], term: &Term) -> Result<Value, Stop> {
        let mut env = self.case(spec, args);
        let value = env.datum(term).and_then(|datum| env.own(datum));
        value.map_err(|halt| env.stop(halt))
    }

    /// The value of a term about an input, with further values in slots of their own.
    pub fn value_beside(
        &mut self,
        spec: &Spec,
        args: &[Value],
        slots: &[(u32, Value)],
        term: &Term,
    ) -> Result<Value, Stop> {
        let mut env = self.case(spec, args);
        slots.iter().for_each(|(slot, value)| env.enter_field(*slot, value));
        let value = env.datum(term).and_then(|datum| env.own(datum));
        value.map_err(|halt| env.stop(halt))
    }

    /// Whether the spec admits the arguments.
    pub fn precondition(&mut self, spec: &Spec, args: &[Value]) -> Admission {
        if args.len() != spec.params.len() {
            return Admission::Rejected(None);
        }
        let mut env = self.case(spec, args);
        let mut params = spec.params.iter().zip(args);
        let judged = params
            .try_for_each(|(param, value)| env.member(value, &param.refined, spec))
            .and_then(|()| env.all_hold(&spec.requires));
        match judged {
            Ok(()) => Admission::Admitted,
            Err(Rejection::Clause(clause)) => Admission::Rejected(clause),
            Err(Rejection::SpecError { clause, obstacle }) => Admission::SpecError { clause, obstacle },
        }
    }

    /// Whether the arguments are in the part of the space that `explore` selects.
    pub fn explored(&mut self, spec: &Spec, args: &[Value]) -> Judgement {
        let mut env = self.case(spec, args);
        let mut judgements = spec.explore.iter().map(|clause| env.holds(&clause.term));
        judgements.find(|judgement| *judgement != Judgement::Holds).unwrap_or(Judgement::Holds)
    }

    /// Whether the spec requires a panic for the arguments; `None` if it has no panic clause.
    pub fn panics_if(&mut self, spec: &Spec, args: &[Value]) -> Option<Judgement> {
        let clause = spec.panics_if.as_ref()?;
        Some(self.case(spec, args).holds(&clause.term))
    }

    /// Whether the outcome is as the spec promises. `after` holds the parameters on return, if some are `&mut`.
    pub fn postcondition(
        &mut self,
        spec: &Spec,
        args: &[Value],
        after: Option<&[Value]>,
        result: &Value,
    ) -> Finding {
        let after = after.unwrap_or(args);
        let broken = |promise, rejection| match rejection {
            Rejection::Clause(clause) => Finding::Broken { promise, clause },
            Rejection::SpecError { clause, obstacle } => Finding::SpecError { clause, obstacle },
        };
        let mut env = case(&mut self.host, spec, args);
        env.open = self.open.as_mut().filter(|open| !open.is_empty());
        if let Err(rejection) = env.member(result, &spec.result, spec) {
            return broken(Promise::Result, rejection);
        }
        // In the refinement of a `&mut` parameter, every name stands for the value on return.
        env.frame = Frame::Case { entry: after, value: None, after: &[] };
        let mut mutable = spec.params.iter().zip(after).filter(|(param, _)| param.mutable);
        let judged =
            mutable.try_for_each(|(param, value)| env.member(value, &param.refined, spec)).and_then(|()| {
                env.frame = Frame::Case { entry: args, value: Some(result), after };
                env.all_hold(&spec.ensures)
            });
        judged.map_or_else(|rejection| broken(Promise::Ensures, rejection), |()| Finding::Kept)
    }
}

/// The judge's state for one case.
fn case<'a>(host: &'a mut Option<&mut dyn Host>, spec: &'a Spec, args: &'a [Value]) -> Env<'a> {
    let frame = Frame::Case { entry: args, value: None, after: &[] };
    let mut env = Env::new(frame, &spec.functions, &spec.regexes, self::host(host));
    let has_unread = |data: &Data| data.rule.is_some() || data.via.as_ref().is_some_and(Via::has_unread);
    env.has_unread = spec.data.iter().any(has_unread);
    env
}

/// Lends the host for one case.
fn host<'a>(host: &'a mut Option<&mut dyn Host>) -> Option<&'a mut dyn Host> {
    match host {
        Some(host) => Some(&mut **host),
        None => None,
    }
}

/// The value of a term without slots that may call functions, or the reason why it has none.
pub(crate) fn evaluate(term: &Term, functions: &[Function], regexes: &[Regex]) -> Result<Value, Halt> {
    let mut env = Env::new(Frame::Slots(&[]), functions, regexes, None);
    env.datum(term).and_then(|datum| env.own(datum))
}

/// Whether a boolean term with one slot holds for a value.
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
        ) => Truth::Undecided,
    }
}

/// Whether the spec admits the arguments, as far as can be decided without a host.
pub fn admits(spec: &Spec, args: &[Value]) -> bool {
    Judge::new(None).precondition(spec, args) == Admission::Admitted
}

#[cfg(test)]
mod tests;
