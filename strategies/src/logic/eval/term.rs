//! Evaluates terms. Bools and integers, the most frequent values, have functions of their own that return them
//! unwrapped.

use std::cmp::Ordering;
use std::sync::Arc;

use super::env::{Datum, Env, Halt};
use super::scalar;
use crate::logic::int::Int;
use crate::logic::ir::{ArithOp, CompareOp, Term};
use crate::logic::value::Value;

/// Maximum length of a factor in bits.
const LONGEST: u64 = 1 << 20;

/// Length of a digit of a long number, in bits.
const DIGIT: u64 = 32;

impl<'a> Env<'a> {
    /// The value of any term.
    pub(super) fn datum(&mut self, term: &'a Term) -> Result<Datum<'a>, Halt> {
        self.charge(1)?;
        match term {
            Term::Var(slot) => self.slot(*slot),
            Term::Lit(value) => Ok(Datum::Ref(value)),
            Term::If(condition, a, b) => {
                if self.truth(condition)? {
                    self.datum(a)
                } else {
                    self.datum(b)
                }
            }
            Term::Let { slot, value, body } => {
                let value = self.datum(value)?;
                self.binding(*slot, value, |env| env.datum(body))
            }
            Term::Call(id, args) => self.call(*id, args, Env::datum),
            Term::Project(..) | Term::Field { .. } | Term::Index(..) => self.part(term),
            Term::Tuple(parts) => Ok(Datum::Own(Value::Tuple(self.values(parts)?))),
            Term::Construct(_, ctor, fields) => Ok(Datum::Own(Value::Data(*ctor, self.values(fields)?))),
            Term::Undefined => Err(Halt::Undefined),
            Term::Arith(..) | Term::Neg(_) | Term::Abs(_) | Term::ToInt(_) | Term::Len(_) | Term::Sum(_) => {
                Ok(Datum::Own(Value::Int(self.integer(term)?)))
            }
            Term::FloatArith(..) | Term::FloatUnary(..) | Term::IntToFloat(..) | Term::Machine(..) => {
                Ok(Datum::Own(self.machine_value(term)?))
            }
            Term::Not(_)
            | Term::And(_)
            | Term::Or(_)
            | Term::Equal(..)
            | Term::Compare(..)
            | Term::IsCtor(..)
            | Term::Contains(..)
            | Term::Subset(..)
            | Term::All(..)
            | Term::Any(..)
            | Term::Distinct(_)
            | Term::IsSorted(_)
            | Term::CharIs(..)
            | Term::StrTest(..)
            | Term::Matches(..)
            | Term::Opaque(..) => Ok(Datum::Own(Value::Bool(self.truth(term)?))),
            _ => self.sequence(term),
        }
    }

    /// A part of another term's value.
    fn part(&mut self, term: &'a Term) -> Result<Datum<'a>, Halt> {
        match term {
            Term::Project(of, index) => self.datum(of)?.part(|value| match value {
                Value::Tuple(parts) => parts.get(*index as usize).ok_or(Halt::IllTyped),
                _ => Err(Halt::IllTyped),
            }),
            Term::Field { of, ctor, index } => self.datum(of)?.part(|value| match value {
                Value::Data(found, fields) if found == ctor => match fields.get(*index as usize) {
                    Some(Value::Data(u32::MAX, _)) => Err(Halt::Unread),
                    field => field.ok_or(Halt::IllTyped),
                },
                Value::Data(..) => Err(Halt::Undefined),
                _ => Err(Halt::IllTyped),
            }),
            Term::Index(of, index) => {
                let of = self.datum(of)?;
                let index = self.integer(index)?.to_usize().ok_or(Halt::Undefined)?;
                of.element(index)
            }
            _ => Err(Halt::IllTyped),
        }
    }

    /// The value of a term of sort bool.
    pub(super) fn truth(&mut self, term: &'a Term) -> Result<bool, Halt> {
        self.charge(1)?;
        match term {
            Term::Not(a) => Ok(!self.truth(a)?),
            Term::And(parts) => {
                for part in parts {
                    if !self.truth(part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Term::Or(parts) => {
                for part in parts {
                    if self.truth(part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Term::If(condition, a, b) => {
                if self.truth(condition)? {
                    self.truth(a)
                } else {
                    self.truth(b)
                }
            }
            Term::Let { slot, value, body } => {
                let value = self.datum(value)?;
                self.binding(*slot, value, |env| env.truth(body))
            }
            Term::Call(id, args) => self.call(*id, args, Env::truth),
            _ => self.relation(term),
        }
    }

    /// The value of a boolean term that is not a connective.
    fn relation(&mut self, term: &'a Term) -> Result<bool, Halt> {
        match term {
            Term::Equal(a, b) => {
                let (a, b) = self.comparands(a, b)?;
                a.equals(&b)
            }
            Term::Compare(op, a, b) => {
                let (a, b) = self.comparands(a, b)?;
                let ordering = a.compare(&b)?;
                Ok(match op {
                    CompareOp::Lt => ordering == Some(Ordering::Less),
                    CompareOp::Le => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
                })
            }
            Term::IsCtor(of, ctor) => match self.datum(of)?.value()? {
                Value::Data(found, _) => Ok(found == ctor),
                _ => Err(Halt::IllTyped),
            },
            Term::All(over, closure) => self.each(over, &mut |env, element| env.test(closure, element)),
            Term::Any(over, closure) => {
                let none = self.each(over, &mut |env, element| Ok(!env.test(closure, element)?))?;
                Ok(!none)
            }
            Term::Contains(of, element) => self.contains(of, element),
            Term::Subset(is_bag, a, b) => self.subset(*is_bag, a, b),
            Term::Distinct(of) => self.distinct(of),
            Term::IsSorted(of) => self.is_sorted(of),
            Term::CharIs(class, c) => match self.datum(c)?.value()? {
                Value::Char(c) => Ok(scalar::char_is(*class, *c)),
                _ => Err(Halt::IllTyped),
            },
            Term::StrTest(test, a, b) => self.str_test(*test, a, b),
            Term::Matches(regex, state, of) => self.matches(*regex, *state, of),
            Term::Opaque(id, args) => {
                let args = self.values(args)?;
                self.ask_host(*id, &args)
            }
            _ => match self.datum(term)?.value()? {
                Value::Bool(truth) => Ok(*truth),
                _ => Err(Halt::IllTyped),
            },
        }
    }

    fn comparands(&mut self, a: &'a Term, b: &'a Term) -> Result<(Datum<'a>, Datum<'a>), Halt> {
        let (a, b) = (self.datum(a)?, self.datum(b)?);
        self.charge(a.breadth().min(b.breadth()))?;
        if self.has_unread && (a.has_unread() || b.has_unread()) {
            return Err(Halt::Unread);
        }
        Ok((a, b))
    }

    /// The value of a term of an integer sort.
    pub(super) fn integer(&mut self, term: &'a Term) -> Result<Int, Halt> {
        self.charge(1)?;
        match term {
            Term::Var(slot) => integer_of(self.slot(*slot)?),
            Term::Lit(Value::Int(n)) => Ok(n.clone()),
            Term::Arith(op, a, b) => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                self.arith(*op, &a, &b)
            }
            Term::Neg(a) => Ok(-&self.integer(a)?),
            Term::Abs(a) => Ok(self.integer(a)?.abs()),
            Term::ToInt(a) => match self.datum(a)?.value()? {
                Value::Char(c) => Ok(Int::from(u32::from(*c))),
                Value::Bool(truth) => Ok(Int::from(u8::from(*truth))),
                Value::Int(n) => Ok(n.clone()),
                _ => Err(Halt::IllTyped),
            },
            Term::Len(of) => self.length(of),
            Term::Sum(of) => self.sum(of),
            Term::If(condition, a, b) => {
                if self.truth(condition)? {
                    self.integer(a)
                } else {
                    self.integer(b)
                }
            }
            Term::Call(id, args) => self.call(*id, args, Env::integer),
            _ => integer_of(self.datum(term)?),
        }
    }

    fn arith(&mut self, op: ArithOp, a: &Int, b: &Int) -> Result<Int, Halt> {
        let is_product = !matches!(op, ArithOp::Add | ArithOp::Sub | ArithOp::Min | ArithOp::Max);
        self.charge_for_digits(a, b, is_product)?;
        match op {
            ArithOp::Add => Ok(a + b),
            ArithOp::Sub => Ok(a - b),
            ArithOp::Mul => Ok(a * b),
            ArithOp::Div => a.div_trunc(b).ok_or(Halt::Undefined),
            ArithOp::Rem => a.rem_trunc(b).ok_or(Halt::Undefined),
            ArithOp::DivEuclid => a.div_euclid(b).ok_or(Halt::Undefined),
            ArithOp::RemEuclid => a.rem_euclid(b).ok_or(Halt::Undefined),
            ArithOp::Min => Ok(a.min(b).clone()),
            ArithOp::Max => Ok(a.max(b).clone()),
            ArithOp::Pow if b.is_negative() => Err(Halt::Undefined),
            ArithOp::Pow => {
                let bits = a.bits().saturating_mul(b.to_u64().unwrap_or(u64::MAX));
                if a.bits() > 1 {
                    // The last squaring costs more than all before it.
                    self.charge_for_product(bits / 2, bits / 2)?;
                }
                a.pow(b).ok_or(Halt::TooLarge)
            }
        }
    }

    /// Charges for long numbers: one step for each digit, or for each pair of digits that is multiplied.
    pub(super) fn charge_for_digits(&mut self, a: &Int, b: &Int, is_product: bool) -> Result<(), Halt> {
        match (a, b) {
            (Int::Small(_), Int::Small(_)) => Ok(()),
            _ if is_product => self.charge_for_product(a.bits(), b.bits()),
            _ => self.charge((a.bits().max(b.bits()) / DIGIT) as usize),
        }
    }

    fn charge_for_product(&mut self, a: u64, b: u64) -> Result<(), Halt> {
        if a > LONGEST || b > LONGEST {
            return Err(Halt::TooLarge);
        }
        self.charge(((a / DIGIT + 1) * (b / DIGIT + 1)) as usize)
    }

    /// The value of an operation of floats or machine integers.
    fn machine_value(&mut self, term: &'a Term) -> Result<Value, Halt> {
        match term {
            Term::FloatArith(op, a, b) => {
                Ok(Value::Float(scalar::float_arith(*op, self.float(a)?, self.float(b)?)))
            }
            Term::FloatUnary(op, a) => Ok(scalar::float_unary(*op, self.float(a)?)),
            Term::IntToFloat(kind, a) => Ok(Value::Float(self.integer(a)?.to_float(*kind))),
            Term::Machine(op, kind, operands) => {
                let operands =
                    operands.iter().map(|operand| self.integer(operand)).collect::<Result<Vec<_>, _>>()?;
                scalar::machine(*op, *kind, &operands)
            }
            _ => Err(Halt::IllTyped),
        }
    }

    fn float(&mut self, term: &'a Term) -> Result<f64, Halt> {
        match self.datum(term)?.value()? {
            Value::Float(x) => Ok(*x),
            _ => Err(Halt::IllTyped),
        }
    }

    /// The values of several terms.
    pub(super) fn values(&mut self, terms: &'a [Term]) -> Result<Arc<[Value]>, Halt> {
        let mut values = Vec::with_capacity(terms.len());
        for term in terms {
            let datum = self.datum(term)?;
            values.push(self.own(datum)?);
        }
        Ok(values.into())
    }
}

fn integer_of(datum: Datum) -> Result<Int, Halt> {
    match datum {
        Datum::Ref(Value::Int(n)) => Ok(n.clone()),
        Datum::Own(Value::Int(n)) => Ok(n),
        _ => Err(Halt::IllTyped),
    }
}
