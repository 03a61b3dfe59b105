//! The value of a term: one case a term, in the order in which [`Term`] declares them. `bridge`'s encoding for the
//! solver is the mirror of this file.

use std::sync::Arc;

use super::compare::{logic_compare, logic_equal};
use super::{Judge, Stop, scalar};
use crate::int::Int;
use crate::ir::{ArithOp, CompareOp, Term};
use crate::value::Value;

impl Judge<'_> {
    pub(super) fn eval(&mut self, term: &Term) -> Result<Value, Stop> {
        self.step()?;
        Ok(match term {
            Term::Var(slot) => self.slots.get(*slot as usize).cloned().ok_or(Stop::Undefined)?,
            Term::Lit(value) => value.clone(),
            Term::Not(a) => Value::Bool(!self.bool(a)?),
            Term::And(parts) => self.until(parts, false)?,
            Term::Or(parts) => self.until(parts, true)?,
            Term::If(condition, yes, no) => {
                return if self.bool(condition)? { self.eval(yes) } else { self.eval(no) };
            }
            Term::Let { slot, value, body } => {
                let value = self.eval(value)?;
                self.set(*slot, value);
                return self.eval(body);
            }
            Term::Equal(a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                Value::Bool(logic_equal(&a, &b))
            }
            Term::Compare(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let order = logic_compare(&a, &b);
                Value::Bool(order.is_some_and(|order| match op {
                    CompareOp::Lt => order.is_lt(),
                    CompareOp::Le => order.is_le(),
                }))
            }
            Term::Arith(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                Value::Int(arith(*op, &a, &b)?)
            }
            Term::Neg(a) => Value::Int(-&self.int(a)?),
            Term::Abs(a) => Value::Int(self.int(a)?.abs()),
            Term::FloatArith(op, a, b) => {
                let (a, b) = (self.float(a)?, self.float(b)?);
                Value::Float(scalar::float_arith(*op, a, b))
            }
            Term::FloatUnary(op, a) => scalar::float_unary(*op, self.float(a)?),
            Term::Machine(op, kind, args) => {
                let args = args.iter().map(|arg| self.int(arg)).collect::<Result<Vec<Int>, Stop>>()?;
                scalar::machine(*op, *kind, &args)?
            }
            Term::IntToFloat(a) => Value::Float(self.int(a)?.to_f64()),
            Term::ToInt(a) => match self.eval(a)? {
                Value::Char(c) => Value::int(u32::from(c)),
                Value::Bool(b) => Value::int(i64::from(b)),
                other => other,
            },
            Term::Tuple(parts) => Value::Tuple(self.all_of(parts)?),
            Term::Seq(parts) => Value::Seq(self.all_of(parts)?),
            Term::Construct(_, ctor, fields) => Value::Data(*ctor, self.all_of(fields)?),
            Term::Project(a, index) => match self.eval(a)? {
                Value::Tuple(parts) => parts.get(*index as usize).cloned().ok_or(Stop::Undefined)?,
                _ => return Err(Stop::Undefined),
            },
            Term::Field { of, ctor, index } => match self.eval(of)? {
                Value::Data(found, fields) if found == *ctor => {
                    fields.get(*index as usize).cloned().ok_or(Stop::Undefined)?
                }
                _ => return Err(Stop::Undefined),
            },
            Term::IsCtor(a, ctor) => {
                Value::Bool(matches!(self.eval(a)?, Value::Data(found, _) if found == *ctor))
            }
            Term::CharIs(class, a) => match self.eval(a)? {
                Value::Char(c) => Value::Bool(scalar::char_is(*class, c)),
                _ => return Err(Stop::Undefined),
            },
            Term::Opaque(id, args) => {
                let args = args.iter().map(|arg| self.eval(arg)).collect::<Result<Vec<Value>, Stop>>()?;
                let host = self.host.as_mut().ok_or(Stop::Unjudged)?;
                Value::Bool(host.opaque(*id, &args).map_err(Stop::SpecError)?)
            }
            Term::Undefined => return Err(Stop::Undefined),
            sequences => return self.eval_sequence(sequences),
        })
    }

    /// Counts a piece of work.
    pub(super) fn step(&mut self) -> Result<(), Stop> {
        match self.steps.checked_sub(1) {
            Some(left) => self.steps = left,
            None => return Err(Stop::SpecError("the refinement takes too long to judge".to_owned())),
        }
        Ok(())
    }

    /// `&&` stops at the first false part, `||` at the first true one.
    fn until(&mut self, parts: &[Term], stop: bool) -> Result<Value, Stop> {
        for part in parts {
            if self.bool(part)? == stop {
                return Ok(Value::Bool(stop));
            }
        }
        Ok(Value::Bool(!stop))
    }

    fn all_of(&mut self, parts: &[Term]) -> Result<Arc<[Value]>, Stop> {
        parts.iter().map(|part| self.eval(part)).collect()
    }

    pub(super) fn bool(&mut self, term: &Term) -> Result<bool, Stop> {
        match self.eval(term)? {
            Value::Bool(b) => Ok(b),
            _ => Err(Stop::Undefined),
        }
    }

    pub(super) fn int(&mut self, term: &Term) -> Result<Int, Stop> {
        match self.eval(term)? {
            Value::Int(n) => Ok(n),
            _ => Err(Stop::Undefined),
        }
    }

    fn float(&mut self, term: &Term) -> Result<f64, Stop> {
        match self.eval(term)? {
            Value::Float(x) => Ok(x),
            _ => Err(Stop::Undefined),
        }
    }
}

fn arith(op: ArithOp, a: &Int, b: &Int) -> Result<Int, Stop> {
    match op {
        ArithOp::Add => Ok(a + b),
        ArithOp::Sub => Ok(a - b),
        ArithOp::Mul => Ok(a * b),
        ArithOp::Div => a.div_trunc(b).ok_or(Stop::Undefined),
        ArithOp::Rem => a.rem_trunc(b).ok_or(Stop::Undefined),
        ArithOp::DivEuclid => a.div_euclid(b).ok_or(Stop::Undefined),
        ArithOp::RemEuclid => a.rem_euclid(b).ok_or(Stop::Undefined),
        ArithOp::Min => Ok(a.min(b).clone()),
        ArithOp::Max => Ok(a.max(b).clone()),
        ArithOp::Pow if b.is_negative() => Err(Stop::Undefined),
        ArithOp::Pow => a
            .pow(b)
            .ok_or_else(|| Stop::SpecError("a power in the refinement is too large to compute".to_owned())),
    }
}
