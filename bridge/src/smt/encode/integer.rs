//! Arithmetic on mathematical integers and on floats; mirrors the judge.

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{ArithOp, FloatKind, FloatOp, FloatUnary};

use super::symbolic::Symbolic;
use super::term::ill_typed;
use super::{Encoded, Encoder, Outcome, Residual};
use crate::smt::formula::{F, FloatBinary, Kind};

/// Maximum number of cases for exponents, and for integers converted to floats.
const CASES: i64 = 1024;

/// Maximum exponent. Even powers of two beyond it are too large for a solver.
const EXPONENT: i64 = 4096;

impl Encoder<'_> {
    pub(super) fn arithmetic(&mut self, op: ArithOp, a: &Outcome, b: &Outcome) -> Encoded<Outcome> {
        let (x, y) = (self.int_of(&a.value)?, self.int_of(&b.value)?);
        let zero = self.formulas.int(0);
        let needs = match op {
            ArithOp::Div | ArithOp::Rem | ArithOp::DivEuclid | ArithOp::RemEuclid => {
                let is_zero = self.formulas.equal_int(y, zero);
                self.formulas.not(is_zero)
            }
            ArithOp::Pow => self.formulas.at_most(zero, y),
            _ => self.formulas.truth(true),
        };
        let value = match op {
            ArithOp::Add => self.formulas.add(x, y),
            ArithOp::Sub => self.formulas.sub(x, y),
            ArithOp::Mul => self.formulas.mul(x, y),
            ArithOp::Div => self.formulas.truncating(x, y).0,
            ArithOp::Rem => self.formulas.truncating(x, y).1,
            ArithOp::DivEuclid => self.formulas.div_mod(x, y).0,
            ArithOp::RemEuclid => self.formulas.div_mod(x, y).1,
            ArithOp::Min => {
                let first = self.formulas.at_most(x, y);
                self.formulas.choose(first, x, y)
            }
            ArithOp::Max => {
                let first = self.formulas.at_most(y, x);
                self.formulas.choose(first, x, y)
            }
            ArithOp::Pow => self.power(x, y)?,
        };
        Ok(Outcome { value: Symbolic::Int(value), defined: self.formulas.and([a.defined, b.defined, needs]) })
    }

    pub(super) fn absolute(&mut self, a: F) -> F {
        let (zero, negated) = (self.formulas.int(0), self.formulas.neg(a));
        let natural = self.formulas.at_most(zero, a);
        self.formulas.choose(natural, a, negated)
    }

    fn power(&mut self, base: F, exponent: F) -> Encoded<F> {
        let exponents: Vec<Int> = match self.formulas.as_int(exponent) {
            Some(constant) => vec![constant.clone()],
            None => self
                .formulas
                .values_within(exponent, CASES)
                .ok_or_else(|| Residual("the exponent of a `pow` has too many values".into()))?,
        };
        let greatest = exponents.iter().max().cloned().unwrap_or_else(|| Int::from(0));
        if greatest > Int::from(EXPONENT) {
            return Err(Residual("the exponent of a `pow` may be too large".into()));
        }
        // `powers[i]` is the base to the power of `i`.
        let mut powers = vec![self.formulas.int(1)];
        while Int::from(powers.len() as i64) <= greatest {
            self.step()?;
            let next = self.formulas.mul(powers[powers.len() - 1], base);
            powers.push(next);
        }
        let power = |exponent: &Int| {
            exponent.to_i128().and_then(|n| usize::try_from(n).ok()).and_then(|n| powers.get(n))
        };
        Ok(self.formulas.by_cases(exponent, &exponents, |_, exponent| *power(exponent).unwrap_or(&powers[0])))
    }

    pub(super) fn int_to_float(&mut self, kind: FloatKind, a: F) -> Encoded<F> {
        let values = match self.formulas.as_int(a) {
            Some(constant) => vec![constant.clone()],
            None => self
                .formulas
                .values_within(a, CASES)
                .ok_or_else(|| Residual("an integer made a float has too many values".into()))?,
        };
        Ok(self.formulas.by_cases(a, &values, |formulas, value| formulas.float(value.to_float(kind))))
    }

    pub(super) fn float_arithmetic(&mut self, op: FloatOp, a: &Symbolic, b: &Symbolic) -> Encoded<Symbolic> {
        let (a, b) = (self.float_of(a)?, self.float_of(b)?);
        let binary = match op {
            FloatOp::Add => FloatBinary::Add,
            FloatOp::Sub => FloatBinary::Sub,
            FloatOp::Mul => FloatBinary::Mul,
            FloatOp::Div => FloatBinary::Div,
            FloatOp::Min => return Ok(Symbolic::Float(self.float_extreme(a, b, false))),
            FloatOp::Max => return Ok(Symbolic::Float(self.float_extreme(a, b, true))),
        };
        Ok(Symbolic::Float(self.formulas.float_binary(binary, a, b)))
    }

    /// Rust's `min` and `max`: if one operand is NaN, the other operand.
    fn float_extreme(&mut self, a: F, b: F, greatest: bool) -> F {
        let better = if !greatest {
            self.formulas.float_binary(FloatBinary::Less, b, a)
        } else {
            self.formulas.float_binary(FloatBinary::Less, a, b)
        };
        let no_a = self.formulas.float_is_nan(a);
        let other = self.formulas.or([better, no_a]);
        self.formulas.choose(other, b, a)
    }

    pub(super) fn float_unary(&mut self, op: FloatUnary, a: &Symbolic) -> Encoded<Symbolic> {
        let a = self.float_of(a)?;
        Ok(match op {
            FloatUnary::Neg => Symbolic::Float(self.formulas.float_neg(a)),
            FloatUnary::Abs => Symbolic::Float(self.formulas.float_abs(a)),
            FloatUnary::ToF32 => Symbolic::Float(self.formulas.float_to_f32(a)),
            FloatUnary::IsNan => Symbolic::Bool(self.formulas.float_is_nan(a)),
            FloatUnary::IsInfinite => Symbolic::Bool(self.formulas.float_is_infinite(a)),
            FloatUnary::IsFinite => {
                let (nan, infinite) = (self.formulas.float_is_nan(a), self.formulas.float_is_infinite(a));
                let either = self.formulas.or([nan, infinite]);
                Symbolic::Bool(self.formulas.not(either))
            }
            FloatUnary::IsSignNegative => Symbolic::Bool(self.formulas.float_is_negative(a)),
        })
    }

    pub(super) fn float_of(&mut self, value: &Symbolic) -> Encoded<F> {
        match value {
            Symbolic::Float(f) => Ok(*f),
            Symbolic::Never => Ok(self.formulas.float(0.0)),
            _ => Err(ill_typed("a float")),
        }
    }

    /// The code point of a char; 0 or 1 for a bool.
    pub(super) fn as_integer(&mut self, a: &Symbolic) -> Encoded<F> {
        match a {
            Symbolic::Char(f) | Symbolic::Int(f) => Ok(*f),
            Symbolic::Bool(f) => {
                debug_assert_eq!(self.formulas.kind(*f), Kind::Bool);
                let (one, zero) = (self.formulas.int(1), self.formulas.int(0));
                Ok(self.formulas.choose(*f, one, zero))
            }
            Symbolic::Never => Ok(self.formulas.int(0)),
            _ => Err(ill_typed("a char or a bool")),
        }
    }
}
