//! The judge: whether values satisfy a spec. It is the oracle for inputs and results alike.
//!
//! It reads the same terms as the solver's encoding, and nothing else of the generators': whatever proposes an input,
//! from a model to a file, is judged here before it counts. So a mistake in a generator can lose cases, which the tests
//! against brute force find, but can never produce a false counterexample.
//!
//! An expression that Rust would panic at is *undefined*; a clause that meets one is false as a whole. A `where` is
//! Rust code, which only the harness can run: it does so as a [`Host`]; without one such clauses are left unjudged.

mod compare;
mod scalar;
mod sequence;
mod term;

pub use compare::{logic_compare, logic_equal};
pub use scalar::char_is;

use crate::ir::{Clause, Refined, SeqKind, Sort, Spec, Term};
use crate::protocol::FailureKind;
use crate::value::Value;

/// The work that one clause may take, in terms and elements looked at: some seconds.
const STEPS: u64 = 50_000_000;

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

/// What keeps a value out of a refined type.
enum Refusal {
    Clause(Option<u32>),
    SpecError { clause: u32, message: String },
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
    slots: Vec<Value>,
    steps: u64,
    host: Option<&'h mut dyn Host>,
}

impl<'h> Judge<'h> {
    /// A judge with empty slots.
    pub fn new(host: Option<&'h mut dyn Host>) -> Judge<'h> {
        Judge { slots: Vec::new(), steps: STEPS, host }
    }

    /// Puts a value into a slot.
    pub fn set(&mut self, slot: u32, value: Value) {
        let slot = slot as usize;
        if slot >= self.slots.len() {
            self.slots.resize_with(slot + 1, || Value::Bool(false));
        }
        self.slots[slot] = value;
    }

    fn set_all(&mut self, first: u32, values: &[Value]) {
        for (slot, value) in (first..).zip(values) {
            self.set(slot, value.clone());
        }
    }

    /// Whether a clause holds of what is in the slots.
    pub fn clause(&mut self, clause: &Clause) -> Judgement {
        self.condition(&clause.term)
    }

    /// Whether a term of sort bool holds of what is in the slots.
    pub fn condition(&mut self, term: &Term) -> Judgement {
        self.steps = STEPS;
        match self.eval(term) {
            Ok(Value::Bool(true)) => Judgement::Holds,
            Ok(_) | Err(Stop::Undefined) => Judgement::Broken,
            Err(Stop::Unjudged) => Judgement::Unjudged,
            Err(Stop::SpecError(message)) => Judgement::SpecError(message),
        }
    }

    /// The value of a term, given what is in the slots.
    pub fn value(&mut self, term: &Term) -> Result<Value, Stop> {
        self.steps = STEPS;
        self.eval(term)
    }

    /// Whether a value belongs to a refined type; the parameters are in their slots.
    fn member(&mut self, refined: &Refined, value: &Value, spec: &Spec) -> Result<(), Refusal> {
        let parts = |judge: &mut Self, parts: &[Refined], values: &[Value]| {
            if parts.len() != values.len() {
                return Err(Refusal::Clause(None));
            }
            parts.iter().zip(values).try_for_each(|(part, value)| judge.member(part, value, spec))
        };
        match (&refined.sort, value) {
            (Sort::Bool, Value::Bool(_)) | (Sort::Char, Value::Char(_)) | (Sort::Float, Value::Float(_)) => {}
            (Sort::Str(_), Value::Str(_)) | (Sort::Opaque(_), _) => {}
            (Sort::Int(kind), Value::Int(n)) if kind.contains(n) => {}
            (Sort::Seq(_, SeqKind::Array(length)), Value::Seq(values))
                if values.len() != *length as usize =>
            {
                return Err(Refusal::Clause(None));
            }
            (Sort::Seq(element, _), Value::Seq(values)) => {
                values.iter().try_for_each(|value| self.member(element, value, spec))?;
            }
            (Sort::Tuple(sorts), Value::Tuple(values)) => parts(self, sorts, values)?,
            (Sort::Data(id), Value::Data(ctor, values)) => {
                let ctor = spec.data(*id).ctors.get(*ctor as usize).ok_or(Refusal::Clause(None))?;
                if ctor.fields.len() != values.len() {
                    return Err(Refusal::Clause(None));
                }
                let mut fields = ctor.fields.iter().zip(values.iter());
                fields.try_for_each(|(field, value)| self.member(&field.refined, value, spec))?;
            }
            _ => return Err(Refusal::Clause(None)),
        }
        if refined.clauses.is_empty() {
            return Ok(());
        }
        self.set(spec.value_slot(), value.clone());
        self.all_hold(&refined.clauses)
    }

    fn all_hold(&mut self, clauses: &[Clause]) -> Result<(), Refusal> {
        for clause in clauses {
            match self.clause(clause) {
                Judgement::Holds | Judgement::Unjudged => {}
                Judgement::Broken => return Err(Refusal::Clause(Some(clause.id))),
                Judgement::SpecError(message) => {
                    return Err(Refusal::SpecError { clause: clause.id, message });
                }
            }
        }
        Ok(())
    }

    /// Whether the spec admits the arguments.
    pub fn precondition(&mut self, spec: &Spec, args: &[Value]) -> Admission {
        if args.len() != spec.params.len() {
            return Admission::Refused(None);
        }
        self.set_all(0, args);
        let mut params = spec.params.iter().zip(args);
        let judged = params
            .try_for_each(|(param, value)| self.member(&param.refined, value, spec))
            .and_then(|()| self.all_hold(&spec.requires));
        match judged {
            Ok(()) => Admission::Admitted,
            Err(Refusal::Clause(clause)) => Admission::Refused(clause),
            Err(Refusal::SpecError { clause, message }) => Admission::SpecError { clause, message },
        }
    }

    /// Whether the arguments lie in the part of the space that `explore` leaves.
    pub fn explored(&mut self, spec: &Spec, args: &[Value]) -> Judgement {
        self.set_all(0, args);
        for clause in &spec.explore {
            match self.clause(clause) {
                Judgement::Holds => {}
                other => return other,
            }
        }
        Judgement::Holds
    }

    /// Whether the spec requires a panic for the arguments; `None` where it says nothing of panics.
    pub fn panics_if(&mut self, spec: &Spec, args: &[Value]) -> Option<Judgement> {
        let clause = spec.panics_if.as_ref()?;
        self.set_all(0, args);
        Some(self.clause(clause))
    }

    /// Whether the outcome is what the spec promises. `after` are the parameters on return, where some are `&mut`.
    pub fn postcondition(
        &mut self,
        spec: &Spec,
        args: &[Value],
        after: Option<&[Value]>,
        result: &Value,
    ) -> Finding {
        let broken = |kind, refusal| match refusal {
            Refusal::Clause(clause) => Finding::Broken { kind, clause },
            Refusal::SpecError { clause, message } => Finding::SpecError { clause, message },
        };
        self.set_all(0, args);
        if let Err(refusal) = self.member(&spec.result, result, spec) {
            return broken(FailureKind::Result, refusal);
        }
        if let Some(after) = after {
            self.set_all(0, after);
            for (param, value) in spec.params.iter().zip(after).filter(|(param, _)| param.mutable) {
                if let Err(refusal) = self.member(&param.refined, value, spec) {
                    return broken(FailureKind::Ensures, refusal);
                }
            }
            self.set_all(0, args);
        }
        if spec.ensures.is_empty() {
            return Finding::Kept;
        }
        self.set(spec.value_slot(), result.clone());
        self.set_all(spec.value_slot() + 1, after.unwrap_or(args));
        match self.all_hold(&spec.ensures) {
            Ok(()) => Finding::Kept,
            Err(refusal) => broken(FailureKind::Ensures, refusal),
        }
    }
}

/// Whether the spec admits the arguments, as far as can be said without a host.
pub fn admits(spec: &Spec, args: &[Value]) -> bool {
    Judge::new(None).precondition(spec, args) == Admission::Admitted
}

#[cfg(test)]
mod tests;
