//! The terms, in the order of [`Term`]; mirrors the judge.

use target_strategies::logic::ir::{CompareOp, FloatUnary, Term};
use target_strategies::logic::value::Value;

use super::symbolic::Symbolic;
use super::{Encoded, Encoder, Outcome, Residual};
use crate::smt::formula::F;

impl Encoder<'_> {
    pub(super) fn term(&mut self, term: &Term) -> Encoded<Outcome> {
        self.step()?;
        match term {
            Term::Var(slot) => Ok(self.variable(*slot)),
            Term::Lit(value) => Ok(self.literal(value)),
            Term::Not(a) => self.negation(a),
            Term::And(parts) => self.junction(parts, true),
            Term::Or(parts) => self.junction(parts, false),
            Term::If(condition, a, b) => self.conditional(condition, a, b),
            Term::Let { slot, value, body } => self.binding(*slot, value, body),
            Term::Equal(a, b) => self.equality(a, b),
            Term::Compare(op, a, b) => self.comparison(*op, a, b),
            Term::Arith(op, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.arithmetic(*op, &a, &b)
            }
            Term::Neg(a) => {
                let (a, defined) = self.int_term(a)?;
                Ok(Outcome { value: Symbolic::Int(self.formulas.neg(a)), defined })
            }
            Term::Abs(a) => {
                let (a, defined) = self.int_term(a)?;
                Ok(Outcome { value: Symbolic::Int(self.absolute(a)), defined })
            }
            Term::FloatArith(op, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let value = self.float_arithmetic(*op, &a.value, &b.value)?;
                Ok(self.both(&a, &b, value))
            }
            Term::FloatUnary(op, a) => self.float_function(*op, a),
            Term::Machine(op, kind, operands) => self.machine(*op, *kind, operands),
            Term::IntToFloat(kind, a) => {
                let (a, defined) = self.int_term(a)?;
                Ok(Outcome { value: Symbolic::Float(self.int_to_float(*kind, a)?), defined })
            }
            Term::ToInt(a) => self.integer_of(a),
            Term::Opaque(..) => {
                Err(Residual("a `where` condition is Rust code, which only the harness can judge".into()))
            }
            Term::Ask(..) => {
                Err(Residual("a question about a function, which only the harness can answer".into()))
            }
            Term::Call(id, args) => self.call(*id, args),
            Term::Undefined => Ok(self.undefined()),
            #[rustfmt::skip]
            Term::Tuple(_) | Term::Seq(_) | Term::Construct(..) | Term::Project(..) | Term::Field { .. }
            | Term::IsCtor(..) => self.compound(term),
            #[rustfmt::skip]
            Term::Len(_) | Term::Index(..) | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_)
            | Term::Reverse(_) | Term::Range(..) | Term::Windows(..) | Term::Zip(..) | Term::Map(..)
            | Term::Filter(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..)
            | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) => self.sequence(term),
            #[rustfmt::skip]
            Term::Contains(..) | Term::All(..) | Term::Any(..) | Term::Fold { .. } | Term::Sum(_)
            | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_)
            | Term::CharIs(..) => self.traversal(term),
            #[rustfmt::skip]
            Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_)
            | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) => self.collection(term),
        }
    }

    fn variable(&mut self, slot: u32) -> Outcome {
        let value = self.slots.get(slot as usize).cloned().unwrap_or(Symbolic::Never);
        self.defined(value)
    }

    fn literal(&mut self, value: &Value) -> Outcome {
        let value = Symbolic::constant(value, &mut self.formulas);
        self.defined(value)
    }

    fn negation(&mut self, a: &Term) -> Encoded<Outcome> {
        let a = self.term(a)?;
        let truth = self.truth_of(&a.value)?;
        Ok(Outcome { value: Symbolic::Bool(self.formulas.not(truth)), ..a })
    }

    fn binding(&mut self, slot: u32, value: &Term, body: &Term) -> Encoded<Outcome> {
        let value = self.term(value)?;
        let body = self.with(slot, value.value, body)?;
        Ok(Outcome { defined: self.formulas.and([value.defined, body.defined]), ..body })
    }

    fn equality(&mut self, a: &Term, b: &Term) -> Encoded<Outcome> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        let equal = self.equal(&a.value, &b.value)?;
        Ok(self.both(&a, &b, Symbolic::Bool(equal)))
    }

    fn comparison(&mut self, op: CompareOp, a: &Term, b: &Term) -> Encoded<Outcome> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        let holds = self.compare(op, &a.value, &b.value)?;
        Ok(self.both(&a, &b, Symbolic::Bool(holds)))
    }

    fn float_function(&mut self, op: FloatUnary, a: &Term) -> Encoded<Outcome> {
        let a = self.term(a)?;
        let value = self.float_unary(op, &a.value)?;
        Ok(Outcome { value, ..a })
    }

    fn integer_of(&mut self, a: &Term) -> Encoded<Outcome> {
        let a = self.term(a)?;
        let value = self.as_integer(&a.value)?;
        Ok(Outcome { value: Symbolic::Int(value), ..a })
    }

    /// The terms that build values and take them apart.
    fn compound(&mut self, term: &Term) -> Encoded<Outcome> {
        match term {
            Term::Tuple(parts) => {
                let (parts, defined) = self.all_terms(parts)?;
                Ok(Outcome { value: Symbolic::Tuple(parts.into()), defined })
            }
            Term::Seq(parts) => {
                let (parts, defined) = self.all_terms(parts)?;
                Ok(Outcome { value: Symbolic::Seq(parts.into()), defined })
            }
            Term::Construct(_, ctor, fields) => {
                let (fields, defined) = self.all_terms(fields)?;
                Ok(Outcome { value: Symbolic::Data(*ctor, fields.into()), defined })
            }
            Term::Project(of, index) => {
                let of = self.term(of)?;
                self.over(of, |encoder, value| match value {
                    Symbolic::Tuple(parts) => match parts.get(*index as usize) {
                        Some(part) => Ok(encoder.defined(part.clone())),
                        None => Ok(encoder.undefined()),
                    },
                    _ => Err(ill_typed("a tuple")),
                })
            }
            Term::Field { of, ctor, index } => {
                let of = self.term(of)?;
                self.over(of, |encoder, value| match value {
                    Symbolic::Data(actual, fields) if actual == ctor => match fields.get(*index as usize) {
                        Some(field) => Ok(encoder.defined(field.clone())),
                        None => Ok(encoder.undefined()),
                    },
                    Symbolic::Data(..) => Ok(encoder.undefined()),
                    _ => Err(ill_typed("a struct or an enum")),
                })
            }
            Term::IsCtor(of, ctor) => {
                let of = self.term(of)?;
                self.over(of, |encoder, value| match value {
                    Symbolic::Data(actual, _) => {
                        let is_it = encoder.formulas.truth(actual == ctor);
                        Ok(encoder.defined(Symbolic::Bool(is_it)))
                    }
                    _ => Err(ill_typed("an enum")),
                })
            }
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
            | Term::Let { .. } | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_)
            | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
            | Term::IntToFloat(..) | Term::ToInt(_) | Term::Len(_) | Term::Index(..) | Term::Slice(..)
            | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..) | Term::Windows(..)
            | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..)
            | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..) | Term::Any(..)
            | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_) | Term::Position(..)
            | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_) | Term::Collect(..)
            | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_) | Term::MapGet(..)
            | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..) | Term::Opaque(..) | Term::Ask(..)
            | Term::Undefined => Err(unknown_operation()),
        }
    }

    /// `&&` and `||`: from the left, until an operand decides.
    fn junction(&mut self, parts: &[Term], conjunction: bool) -> Encoded<Outcome> {
        let mut outcomes = Vec::with_capacity(parts.len());
        for part in parts {
            let outcome = self.term(part)?;
            let truth = self.truth_of(&outcome.value)?;
            let decided = self.formulas.as_truth(truth) == Some(!conjunction);
            outcomes.push((truth, outcome.defined));
            if decided {
                break;
            }
        }
        Ok(self.short_circuit(&outcomes, conjunction))
    }

    /// The outcome of truth values and their definedness, evaluated from the left until one is `!conjunction`.
    pub(super) fn short_circuit(&mut self, outcomes: &[(F, F)], conjunction: bool) -> Outcome {
        let values: Vec<F> = outcomes.iter().map(|(value, _)| *value).collect();
        let mut defined = self.formulas.truth(true);
        for &(value, itself) in outcomes.iter().rev() {
            let decides = if conjunction { self.formulas.not(value) } else { value };
            let rest = self.formulas.or([decides, defined]);
            defined = self.formulas.and([itself, rest]);
        }
        let value = if conjunction { self.formulas.and(values) } else { self.formulas.or(values) };
        Outcome { value: Symbolic::Bool(value), defined }
    }

    fn conditional(&mut self, condition: &Term, a: &Term, b: &Term) -> Encoded<Outcome> {
        let condition = self.term(condition)?;
        let truth = self.truth_of(&condition.value)?;
        let branch = match self.formulas.as_truth(truth) {
            Some(true) => self.term(a)?,
            Some(false) => self.term(b)?,
            None => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                Outcome {
                    value: Symbolic::choose(truth, &a.value, &b.value, &mut self.formulas),
                    defined: self.formulas.choose(truth, a.defined, b.defined),
                }
            }
        };
        Ok(Outcome { defined: self.formulas.and([condition.defined, branch.defined]), ..branch })
    }

    /// The outcome of a body with a slot bound.
    pub(super) fn with(&mut self, slot: u32, value: Symbolic, body: &Term) -> Encoded<Outcome> {
        let before = self.set(slot, value);
        let outcome = self.term(body);
        self.set(slot, before);
        outcome
    }

    fn all_terms(&mut self, terms: &[Term]) -> Encoded<(Vec<Symbolic>, F)> {
        let mut values = Vec::with_capacity(terms.len());
        let mut defined = Vec::with_capacity(terms.len());
        for term in terms {
            let outcome = self.term(term)?;
            values.push(outcome.value);
            defined.push(outcome.defined);
        }
        Ok((values, self.formulas.and(defined)))
    }

    /// The outcome of a function of each alternative, combined.
    pub(super) fn over(
        &mut self,
        operand: Outcome,
        mut function: impl FnMut(&mut Self, &Symbolic) -> Encoded<Outcome>,
    ) -> Encoded<Outcome> {
        let alternatives = operand.value.alternatives(&mut self.formulas);
        let mut values = Vec::with_capacity(alternatives.len());
        let mut defined = vec![operand.defined];
        if alternatives.is_empty() {
            return Ok(self.undefined());
        }
        for (guard, value) in alternatives {
            self.step()?;
            let outcome = function(self, &value)?;
            let otherwise = self.formulas.not(guard);
            defined.push(self.formulas.or([otherwise, outcome.defined]));
            values.push((guard, outcome.value));
        }
        Ok(Outcome {
            value: Symbolic::union(values, &mut self.formulas),
            defined: self.formulas.and(defined),
        })
    }

    /// Counts a step against the cap.
    pub(super) fn step(&mut self) -> Encoded<()> {
        if self.fuel == 0 || self.formulas.len() > self.cap {
            return Err(Residual("the formula would be too large".into()));
        }
        self.fuel -= 1;
        Ok(())
    }

    pub(super) fn defined(&mut self, value: Symbolic) -> Outcome {
        Outcome { value, defined: self.formulas.truth(true) }
    }

    pub(super) fn undefined(&mut self) -> Outcome {
        Outcome { value: Symbolic::Never, defined: self.formulas.truth(false) }
    }

    /// A value that is defined if both operands are.
    pub(super) fn both(&mut self, a: &Outcome, b: &Outcome, value: Symbolic) -> Outcome {
        Outcome { value, defined: self.formulas.and([a.defined, b.defined]) }
    }

    /// The formula of a bool. If it is never used, any formula does.
    pub(super) fn truth_of(&mut self, value: &Symbolic) -> Encoded<F> {
        match value {
            Symbolic::Bool(f) => Ok(*f),
            Symbolic::Never => Ok(self.formulas.truth(false)),
            _ => Err(ill_typed("a bool")),
        }
    }

    /// The formula of an integer.
    pub(super) fn int_of(&mut self, value: &Symbolic) -> Encoded<F> {
        match value {
            Symbolic::Int(f) => Ok(*f),
            Symbolic::Never => Ok(self.formulas.int(0)),
            _ => Err(ill_typed("an integer")),
        }
    }

    pub(super) fn int_term(&mut self, term: &Term) -> Encoded<(F, F)> {
        let outcome = self.term(term)?;
        Ok((self.int_of(&outcome.value)?, outcome.defined))
    }
}

/// For a term that reached an encoder of other terms.
pub(super) fn unknown_operation() -> Residual {
    Residual("the solver doesn't know this operation".into())
}

/// The elaborator checks sorts. If it misses a mistake, the clause is left to the judge.
pub(super) fn ill_typed(expected: &str) -> Residual {
    Residual(format!("a term is not {expected}, as its position needs"))
}
