//! Evaluates terms. Bools and integers, the most frequent values, have functions of their own that return them
//! unwrapped.

use std::cmp::Ordering;
use std::sync::Arc;

use super::env::{Datum, Env, Halt, component_of, field_of};
use super::scalar;
use super::sequence::option;
use crate::logic::int::Int;
use crate::logic::ir::{ArithOp, CompareOp, Term, integer_terms, truth_terms};
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
                let truth = self.truth(condition)?;
                self.decided(condition, truth);
                if truth { self.datum(a) } else { self.datum(b) }
            }
            Term::Let { slot, value, body } => {
                let value = self.datum(value)?;
                self.binding(*slot, value, |env| env.datum(body))
            }
            Term::Call(id, args) => self.call(*id, args, Env::datum),
            Term::Project(of, index) => self.project(of, *index),
            Term::Field { of, ctor, index } => self.field(of, *ctor, *index),
            Term::Index(of, index) => self.index(of, index),
            Term::Tuple(parts) => Ok(Datum::Own(Value::Tuple(self.values(parts)?))),
            Term::Construct(_, ctor, fields) => Ok(Datum::Own(Value::Data(*ctor, self.values(fields)?))),
            Term::Undefined => Err(Halt::Undefined),
            Term::Ask(question, of, args) => Ok(Datum::Own(self.ask(*question, *of, args)?)),
            integer_terms!() => Ok(Datum::Own(Value::Int(self.integer(term)?))),
            Term::FloatArith(op, a, b) => {
                let x = scalar::float_arith(*op, self.float(a)?, self.float(b)?);
                Ok(Datum::Own(Value::Float(x)))
            }
            Term::FloatUnary(op, a) => Ok(Datum::Own(scalar::float_unary(*op, self.float(a)?))),
            Term::IntToFloat(kind, a) => Ok(Datum::Own(Value::Float(self.integer(a)?.to_float(*kind)))),
            Term::Machine(op, kind, operands) => {
                let operands = operands.iter().map(|operand| self.integer(operand));
                let operands = operands.collect::<Result<Vec<_>, _>>()?;
                Ok(Datum::Own(scalar::machine(*op, *kind, &operands)?))
            }
            truth_terms!() | Term::Opaque(..) => Ok(Datum::Own(Value::Bool(self.truth(term)?))),
            Term::Seq(parts) => Ok(Datum::Own(Value::Seq(self.values(parts)?))),
            Term::Slice(of, low, high) => self.slice(of, low, high),
            Term::Concat(parts) => Ok(Datum::Own(self.concat(parts)?)),
            Term::Flatten(of) => Ok(Datum::Own(self.flatten(of)?)),
            Term::Reverse(of) => Ok(Datum::Own(self.reverse(of)?)),
            Term::Range(..)
            | Term::Windows(..)
            | Term::Zip(..)
            | Term::Chars(_)
            | Term::Bytes(_)
            | Term::Map(..)
            | Term::Filter(..) => Ok(Datum::Own(Value::seq(self.collect(term)?))),
            Term::Fold { over, init, acc, closure } => self.fold(over, init, *acc, closure),
            Term::Position(over, closure, _) => Ok(Datum::Own(self.position(over, closure)?)),
            Term::Extreme { over, greatest, .. } => Ok(Datum::Own(self.extreme(over, *greatest)?)),
            Term::Text(of) => Ok(Datum::Own(self.text_of(of)?)),
            Term::TextOp(op, operands) => Ok(Datum::Own(self.text_op(*op, operands)?)),
            Term::StrFind(a, b, _) => Ok(Datum::Own(option(self.str_find(a, b)?))),
            Term::Entries(of) => self.datum(of),
            Term::Collect(kind, of) => Ok(Datum::Own(self.collection(*kind, of)?)),
            Term::SetOp(op, is_bag, a, b) => Ok(Datum::Own(self.set_op(*op, *is_bag, a, b)?)),
            Term::Keys(of) => Ok(Datum::Own(self.keys(of)?)),
            Term::MapGet(of, key, _) => Ok(Datum::Own(self.map_get(of, key)?)),
            Term::MapWith(of, key, value) => Ok(Datum::Own(self.map_with(of, key, value)?)),
            Term::MapWithout(of, key) => Ok(Datum::Own(self.map_without(of, key)?)),
        }
    }

    /// A part of a tuple.
    fn project(&mut self, of: &'a Term, index: u32) -> Result<Datum<'a>, Halt> {
        self.part(of, |tuple| component_of(tuple, index))
    }

    /// A field of a value with that constructor.
    fn field(&mut self, of: &'a Term, ctor: u32, index: u32) -> Result<Datum<'a>, Halt> {
        self.part(of, |data| field_of(data, ctor, index))
    }

    #[inline]
    fn part(
        &mut self,
        of: &'a Term,
        find: impl Fn(&Value) -> Result<&Value, Halt>,
    ) -> Result<Datum<'a>, Halt> {
        if let Some(value) = self.reference(of)? {
            return find(value).map(Datum::Ref);
        }
        self.datum(of)?.part(find)
    }

    /// An element of a sequence.
    fn index(&mut self, of: &'a Term, index: &'a Term) -> Result<Datum<'a>, Halt> {
        let of = self.datum(of)?;
        let index = self.integer(index)?.to_usize().ok_or(Halt::Undefined)?;
        of.element(index)
    }

    /// The value of a term of sort bool.
    #[expect(clippy::too_many_lines, reason = "it has an arm for each term")]
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
                    self.decided(part, false);
                }
                Ok(false)
            }
            Term::If(condition, a, b) => {
                let truth = self.truth(condition)?;
                self.decided(condition, truth);
                if truth { self.truth(a) } else { self.truth(b) }
            }
            Term::Let { slot, value, body } => {
                let value = self.datum(value)?;
                self.binding(*slot, value, |env| env.truth(body))
            }
            Term::Call(id, args) => self.call(*id, args, Env::truth),
            Term::Equal(a, b) => {
                if let Some((a, b)) = self.small_integers(a, b)? {
                    return Ok(a == b);
                }
                let (a, b) = self.comparands(a, b)?;
                a.equals(&b)
            }
            Term::Compare(op, a, b) => {
                if let Some((a, b)) = self.small_integers(a, b)? {
                    return Ok(if *op == CompareOp::Lt { a < b } else { a <= b });
                }
                let (a, b) = self.comparands(a, b)?;
                let ordering = a.compare(&b)?;
                Ok(match op {
                    CompareOp::Lt => ordering == Some(Ordering::Less),
                    CompareOp::Le => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
                })
            }
            Term::IsCtor(of, ctor) => match self.reference(of)? {
                Some(Value::Data(found, _)) => Ok(found == ctor),
                Some(_) => Err(Halt::IllTyped),
                None => {
                    let of = self.datum(of)?;
                    let Value::Data(found, _) = of.value()? else { return Err(Halt::IllTyped) };
                    Ok(found == ctor)
                }
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
            Term::CharIs(class, c) => {
                let c = self.datum(c)?;
                let Value::Char(c) = c.value()? else { return Err(Halt::IllTyped) };
                Ok(scalar::char_is(*class, *c))
            }
            Term::StrTest(test, a, b) => self.str_test(*test, a, b),
            Term::Matches(regex, state, of) => self.matches(*regex, *state, of),
            Term::Opaque(id, args) => {
                let args = self.values(args)?;
                self.ask_host(*id, &args)
            }
            Term::Ask(question, of, args) => {
                let answer = self.ask(*question, *of, args)?;
                let is = |truth| answer == Value::Bool(truth);
                if is(true) || is(false) { Ok(is(true)) } else { Err(Halt::IllTyped) }
            }
            Term::Var(_)
            | Term::Lit(_)
            | Term::Arith(..)
            | Term::Neg(_)
            | Term::Abs(_)
            | Term::FloatArith(..)
            | Term::FloatUnary(..)
            | Term::Machine(..)
            | Term::IntToFloat(..)
            | Term::ToInt(_)
            | Term::Tuple(_)
            | Term::Seq(_)
            | Term::Construct(..)
            | Term::Project(..)
            | Term::Field { .. }
            | Term::Len(_)
            | Term::Index(..)
            | Term::Slice(..)
            | Term::Concat(_)
            | Term::Flatten(_)
            | Term::Reverse(_)
            | Term::Range(..)
            | Term::Windows(..)
            | Term::Zip(..)
            | Term::Chars(_)
            | Term::Bytes(_)
            | Term::Text(_)
            | Term::StrFind(..)
            | Term::TextOp(..)
            | Term::Map(..)
            | Term::Filter(..)
            | Term::Fold { .. }
            | Term::Sum(_)
            | Term::Position(..)
            | Term::Extreme { .. }
            | Term::Collect(..)
            | Term::SetOp(..)
            | Term::Entries(_)
            | Term::Keys(_)
            | Term::MapGet(..)
            | Term::MapWith(..)
            | Term::MapWithout(..)
            | Term::Undefined => {
                let datum = self.datum(term)?;
                let Value::Bool(truth) = datum.value()? else { return Err(Halt::IllTyped) };
                Ok(*truth)
            }
        }
    }

    /// The values of two terms, if that is quick.
    #[inline]
    fn small_integers(&mut self, a: &'a Term, b: &'a Term) -> Result<Option<(i64, i64)>, Halt> {
        // The second one only after the first: what halts first decides.
        if let Some(Value::Int(Int::Small(a))) = self.reference(a)?
            && let Some(Value::Int(Int::Small(b))) = self.reference(b)?
        {
            return Ok(Some((*a, *b)));
        }
        Ok(None)
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
    #[expect(clippy::too_many_lines, reason = "it has an arm for each term")]
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
                Value::Float(_) | Value::Str(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => {
                    Err(Halt::IllTyped)
                }
            },
            Term::Len(of) => self.length(of),
            Term::Sum(of) => self.sum(of),
            Term::If(condition, a, b) => {
                let truth = self.truth(condition)?;
                self.decided(condition, truth);
                if truth { self.integer(a) } else { self.integer(b) }
            }
            Term::Call(id, args) => self.call(*id, args, Env::integer),
            Term::Lit(_)
            | Term::Not(_)
            | Term::And(_)
            | Term::Or(_)
            | Term::Let { .. }
            | Term::Equal(..)
            | Term::Compare(..)
            | Term::FloatArith(..)
            | Term::FloatUnary(..)
            | Term::Machine(..)
            | Term::IntToFloat(..)
            | Term::Tuple(_)
            | Term::Seq(_)
            | Term::Construct(..)
            | Term::Project(..)
            | Term::Field { .. }
            | Term::IsCtor(..)
            | Term::Index(..)
            | Term::Slice(..)
            | Term::Concat(_)
            | Term::Flatten(_)
            | Term::Reverse(_)
            | Term::Range(..)
            | Term::Windows(..)
            | Term::Zip(..)
            | Term::Chars(_)
            | Term::Bytes(_)
            | Term::Text(_)
            | Term::StrTest(..)
            | Term::Matches(..)
            | Term::StrFind(..)
            | Term::TextOp(..)
            | Term::Contains(..)
            | Term::All(..)
            | Term::Any(..)
            | Term::Map(..)
            | Term::Filter(..)
            | Term::Fold { .. }
            | Term::Position(..)
            | Term::Extreme { .. }
            | Term::Distinct(_)
            | Term::IsSorted(_)
            | Term::Collect(..)
            | Term::SetOp(..)
            | Term::Subset(..)
            | Term::Entries(_)
            | Term::Keys(_)
            | Term::MapGet(..)
            | Term::MapWith(..)
            | Term::MapWithout(..)
            | Term::CharIs(..)
            | Term::Opaque(..)
            | Term::Ask(..)
            | Term::Undefined => integer_of(self.datum(term)?),
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

    fn float(&mut self, term: &'a Term) -> Result<f64, Halt> {
        let datum = self.datum(term)?;
        let Value::Float(x) = datum.value()? else { return Err(Halt::IllTyped) };
        Ok(*x)
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
        Datum::Ref(_) | Datum::View(_) | Datum::Own(_) => Err(Halt::IllTyped),
    }
}
