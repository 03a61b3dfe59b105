//! Machine operations, expressed in arithmetic where possible; mirrors the judge.
//!
//! Only `&`, `|` and `^` become bit-vectors, as narrow as the ranges of the operands allow.

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{IntKind, MachineOp, Term};

use super::symbolic::Symbolic;
use super::term::ill_typed;
use super::{Encoded, Encoder, Outcome};
use crate::smt::formula::{BitOp, F};

impl Encoder<'_> {
    pub(super) fn machine(&mut self, op: MachineOp, kind: IntKind, operands: &[Term]) -> Encoded<Outcome> {
        let mut values = Vec::with_capacity(operands.len());
        let mut defined = Vec::with_capacity(operands.len() + 1);
        for (index, operand) in operands.iter().enumerate() {
            let (value, itself) = self.int_term(operand)?;
            // The amount of a shift is not wrapped.
            let amount = index == 1 && matches!(op, MachineOp::Shl | MachineOp::Shr);
            values.push(if amount { value } else { self.wrap(value, kind) });
            defined.push(itself);
        }
        let value = match values[..] {
            [a] => self.machine_unary(op, kind, a)?,
            [a, b] => {
                if matches!(op, MachineOp::Shl | MachineOp::Shr) {
                    let natural = self.formulas.at_least_constant(b, &Int::from(0));
                    let short = self.formulas.at_most_constant(b, &Int::from(i64::from(kind.bits()) - 1));
                    defined.extend([natural, short]);
                }
                self.machine_binary(op, kind, a, b)?
            }
            _ => return Err(ill_typed("a machine operation of one or two operands")),
        };
        Ok(Outcome { value, defined: self.formulas.and(defined) })
    }

    fn machine_unary(&mut self, op: MachineOp, kind: IntKind, a: F) -> Encoded<Symbolic> {
        let value = match op {
            MachineOp::Not => {
                let negated = self.formulas.neg(a);
                let all_ones = if kind.is_signed() { Int::from(-1) } else { kind.max_value() };
                let all_ones = self.formulas.int(all_ones);
                self.formulas.add(all_ones, negated)
            }
            MachineOp::WrappingNeg => {
                let negated = self.formulas.neg(a);
                self.wrap(negated, kind)
            }
            MachineOp::Cast => a,
            MachineOp::CountOnes => self.count_ones(a, kind)?,
            MachineOp::LeadingZeros => self.leading_zeros(a, kind)?,
            MachineOp::TrailingZeros => self.trailing_zeros(a, kind)?,
            _ => return Err(ill_typed("a machine operation of one operand")),
        };
        Ok(Symbolic::Int(value))
    }

    fn machine_binary(&mut self, op: MachineOp, kind: IntKind, a: F, b: F) -> Encoded<Symbolic> {
        let exact = match op {
            MachineOp::WrappingAdd | MachineOp::AddFits => self.formulas.add(a, b),
            MachineOp::WrappingSub | MachineOp::SubFits => self.formulas.sub(a, b),
            MachineOp::WrappingMul | MachineOp::MulFits => self.formulas.mul(a, b),
            MachineOp::And => self.formulas.bits(BitOp::And, a, b),
            MachineOp::Or => self.formulas.bits(BitOp::Or, a, b),
            MachineOp::Xor => self.formulas.bits(BitOp::Xor, a, b),
            MachineOp::Shl | MachineOp::Shr => self.shift(op == MachineOp::Shl, kind, a, b)?,
            _ => return Err(ill_typed("a machine operation of two operands")),
        };
        Ok(match op {
            MachineOp::AddFits | MachineOp::SubFits | MachineOp::MulFits => {
                let low = self.formulas.at_least_constant(exact, &kind.min_value());
                let high = self.formulas.at_most_constant(exact, &kind.max_value());
                Symbolic::Bool(self.formulas.and([low, high]))
            }
            _ => Symbolic::Int(self.wrap(exact, kind)),
        })
    }

    /// Brings an integer into a type's range, by wrapping.
    fn wrap(&mut self, a: F, kind: IntKind) -> F {
        let (low, high) = (kind.min_value(), kind.max_value());
        if let (Some(from), Some(to)) = self.formulas.range(a)
            && low <= *from
            && *to <= high
        {
            return a;
        }
        let (shift, modulus) = (self.formulas.int(-&low), self.formulas.int(Int::power_of_two(kind.bits())));
        let shifted = self.formulas.add(a, shift);
        let remainder = self.formulas.div_mod(shifted, modulus).1;
        self.formulas.sub(remainder, shift)
    }

    /// `a * 2^b`, or `a / 2^b` rounded down, with one case per amount.
    fn shift(&mut self, left: bool, kind: IntKind, a: F, b: F) -> Encoded<F> {
        let mut shifted = Vec::new();
        let amounts: Vec<Int> = (0..kind.bits()).map(|amount| Int::from(i64::from(amount))).collect();
        for amount in 0..kind.bits() {
            self.step()?;
            let power = Int::power_of_two(amount);
            shifted.push(if left {
                self.formulas.scale(a, &power)
            } else {
                let power = self.formulas.int(power);
                self.formulas.div_mod(a, power).0
            });
        }
        let mut shifted = shifted.into_iter().rev();
        let last = shifted.next();
        let mut all = last.unwrap_or(a);
        for (amount, this) in amounts.iter().rev().skip(1).zip(shifted) {
            let is_it = self.formulas.equal_constant(b, amount);
            all = self.formulas.choose(is_it, this, all);
        }
        Ok(all)
    }

    /// Number of low bits that may be set in a natural number with this range.
    fn bits_in_use(&self, a: F, kind: IntKind) -> u32 {
        let high = self.formulas.range(a).1;
        (0..kind.bits())
            .find(|&bits| high.is_some_and(|high| *high < Int::power_of_two(bits)))
            .unwrap_or(kind.bits())
    }

    fn count_ones(&mut self, a: F, kind: IntKind) -> Encoded<F> {
        let natural = self.formulas.at_least_constant(a, &Int::from(0));
        let ones = self.ones(a, kind)?;
        // The set bits of a negative number are the unset bits of its complement.
        let (minus_one, bits) = (self.formulas.int(-1), self.formulas.int(i64::from(kind.bits())));
        let complement = self.formulas.sub(minus_one, a);
        let zeros = self.ones(complement, kind)?;
        let negative = self.formulas.sub(bits, zeros);
        Ok(self.formulas.choose(natural, ones, negative))
    }

    fn ones(&mut self, a: F, kind: IntKind) -> Encoded<F> {
        let two = self.formulas.int(2);
        let mut ones = Vec::new();
        for bit in 0..self.bits_in_use(a, kind) {
            self.step()?;
            let power = self.formulas.int(Int::power_of_two(bit));
            let shifted = self.formulas.div_mod(a, power).0;
            ones.push(self.formulas.div_mod(shifted, two).1);
        }
        Ok(self.formulas.sum(ones))
    }

    fn leading_zeros(&mut self, a: F, kind: IntKind) -> Encoded<F> {
        let zero = self.formulas.int(0);
        let natural = self.formulas.at_most(zero, a);
        let mut length = Vec::new();
        for bit in 0..self.bits_in_use(a, kind) {
            self.step()?;
            let reaches = self.formulas.at_least_constant(a, &Int::power_of_two(bit));
            length.push(self.one_if(reaches));
        }
        let (length, bits) = (self.formulas.sum(length), self.formulas.int(i64::from(kind.bits())));
        let zeros = self.formulas.sub(bits, length);
        Ok(self.formulas.choose(natural, zeros, zero))
    }

    fn trailing_zeros(&mut self, a: F, kind: IntKind) -> Encoded<F> {
        let zero = self.formulas.int(0);
        let is_zero = self.formulas.equal_int(a, zero);
        let mut zeros = Vec::new();
        for bit in 1..kind.bits() {
            self.step()?;
            let power = self.formulas.int(Int::power_of_two(bit));
            let remainder = self.formulas.div_mod(a, power).1;
            let divides = self.formulas.equal_int(remainder, zero);
            zeros.push(self.one_if(divides));
        }
        let (zeros, bits) = (self.formulas.sum(zeros), self.formulas.int(i64::from(kind.bits())));
        Ok(self.formulas.choose(is_zero, bits, zeros))
    }

    pub(super) fn one_if(&mut self, condition: F) -> F {
        let (one, zero) = (self.formulas.int(1), self.formulas.int(0));
        self.formulas.choose(condition, one, zero)
    }
}
