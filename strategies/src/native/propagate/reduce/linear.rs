//! Puts sums into a normal form, so that the constraint on a sum's open parts doesn't depend on its history: `size(l)
//! + 1 + size(r) == 5` with `size(l)` chosen as 3 becomes `size(r) == 1`.

#![allow(clippy::wildcard_enum_match_arm, reason = "a rule rewrites few terms; any other stays as it is")]

use super::{Reducer, boolean, integer};
use crate::logic::ir::{ArithOp, CompareOp, Term};
use crate::logic::value::Value;

/// Terms with their coefficients.
type Summands = Vec<(i128, Term)>;

/// `constant + sum of coefficient * term`, of integers.
struct Sum {
    constant: i128,
    terms: Summands,
}

/// Maximum absolute coefficient. Beyond it, terms stay as they are, so that `i128` doesn't overflow.
const LARGEST: u128 = 1 << 96;

impl Sum {
    fn of(term: &Term) -> Option<Sum> {
        let mut sum = Sum { constant: 0, terms: Vec::new() };
        sum.add(term, 1)?;
        Some(sum)
    }

    fn add(&mut self, term: &Term, factor: i128) -> Option<()> {
        match term {
            Term::Lit(Value::Int(n)) => {
                let n = n.to_i128()?.checked_mul(factor)?;
                self.constant = self.constant.checked_add(n).filter(|n| n.unsigned_abs() < LARGEST)?;
            }
            Term::Arith(ArithOp::Add, a, b) => {
                self.add(a, factor)?;
                self.add(b, factor)?;
            }
            Term::Arith(ArithOp::Sub, a, b) => {
                self.add(a, factor)?;
                self.add(b, -factor)?;
            }
            Term::Neg(a) => self.add(a, -factor)?,
            Term::Arith(ArithOp::Mul, a, b) => match (&**a, &**b) {
                (Term::Lit(Value::Int(n)), other) | (other, Term::Lit(Value::Int(n))) => {
                    let factor = n.to_i128()?.checked_mul(factor).filter(|n| n.unsigned_abs() < LARGEST)?;
                    self.add(other, factor)?;
                }
                _ => self.add_open(term, factor)?,
            },
            _ => self.add_open(term, factor)?,
        }
        Some(())
    }

    fn add_open(&mut self, term: &Term, factor: i128) -> Option<()> {
        match self.terms.iter_mut().find(|(_, other)| other == term) {
            Some((coefficient, _)) => *coefficient = coefficient.checked_add(factor)?,
            None => self.terms.push((factor, term.clone())),
        }
        Some(())
    }

    /// The terms with positive coefficients, and those with negative ones.
    fn sides(self) -> (Summands, Summands) {
        let (left, right): (Vec<_>, Vec<_>) = self.terms.into_iter().partition(|(n, _)| *n > 0);
        (left, right.into_iter().map(|(n, term)| (-n, term)).collect())
    }
}

fn written(terms: Summands, constant: i128) -> Term {
    let scaled = |(n, term): (i128, Term)| {
        if n == 1 { term } else { Term::Arith(ArithOp::Mul, Box::new(integer(n)), Box::new(term)) }
    };
    let sum =
        terms.into_iter().map(scaled).reduce(|a, b| Term::Arith(ArithOp::Add, Box::new(a), Box::new(b)));
    match sum {
        None => integer(constant),
        Some(sum) if constant == 0 => sum,
        Some(sum) => Term::Arith(ArithOp::Add, Box::new(sum), Box::new(integer(constant))),
    }
}

impl Reducer {
    /// Normalizes arithmetic with open parts.
    pub(super) fn sum_of(&mut self, term: Term) -> Term {
        let is_linear = matches!(&term, Term::Arith(ArithOp::Add | ArithOp::Sub, ..) | Term::Neg(_))
            || matches!(&term, Term::Arith(ArithOp::Mul, a, b)
            if matches!(**a, Term::Lit(_)) || matches!(**b, Term::Lit(_)));
        if !is_linear {
            return term;
        }
        let Some(sum) = Sum::of(&term) else { return term };
        if sum.terms.iter().any(|(n, _)| *n == 0) && !self.is_total(&term) {
            return term;
        }
        let Sum { constant, mut terms } = sum;
        terms.retain(|(n, _)| *n != 0);
        written(terms, constant)
    }

    /// The difference of two terms; `None` if a term that may be undefined would cancel out.
    fn difference(&mut self, a: &Term, b: &Term) -> Option<Sum> {
        let mut sum = Sum::of(a)?;
        sum.add(b, -1)?;
        if sum.terms.iter().any(|(n, _)| *n == 0) {
            if !(self.is_total(a) && self.is_total(b)) {
                return None;
            }
            sum.terms.retain(|(n, _)| *n != 0);
        }
        Some(sum)
    }

    pub(super) fn linear_equal(&mut self, a: Term, b: Term) -> Term {
        let Some(mut sum) = self.difference(&a, &b) else { return Term::Equal(Box::new(a), Box::new(b)) };
        if sum.terms.is_empty() {
            return boolean(sum.constant == 0);
        }
        let divisor = sum.terms.iter().fold(0, |divisor, (n, _)| gcd(divisor, n.abs()));
        if sum.constant % divisor != 0 {
            if self.is_total(&a) && self.is_total(&b) {
                return boolean(false);
            }
            return Term::Equal(Box::new(a), Box::new(b));
        }
        let sign = if sum.terms[0].0 < 0 { -divisor } else { divisor };
        sum.terms.iter_mut().for_each(|(n, _)| *n /= sign);
        let constant = sum.constant / sign;
        let (left, right) = sum.sides();
        let right = if right.is_empty() { integer(-constant) } else { written(right, -constant) };
        Term::Equal(Box::new(written(left, 0)), Box::new(right))
    }

    /// Normalizes a comparison to `<=`. The constant is on the right if a term has a positive coefficient.
    pub(super) fn linear_compare(&mut self, op: CompareOp, a: Term, b: Term) -> Term {
        let Some(mut sum) = self.difference(&a, &b) else {
            return Term::Compare(op, Box::new(a), Box::new(b));
        };
        // sum <= 0
        if op == CompareOp::Lt {
            sum.constant += 1;
        }
        if sum.terms.is_empty() {
            return boolean(sum.constant <= 0);
        }
        let divisor = sum.terms.iter().fold(0, |divisor, (n, _)| gcd(divisor, n.abs()));
        sum.terms.iter_mut().for_each(|(n, _)| *n /= divisor);
        let most = (-sum.constant).div_euclid(divisor);
        let (left, right) = sum.sides();
        let (left, right) = match (left.is_empty(), right.is_empty()) {
            (true, _) => (integer(-most), written(right, 0)),
            (_, true) => (written(left, 0), integer(most)),
            _ => (written(left, 0), written(right, most)),
        };
        Term::Compare(CompareOp::Le, Box::new(left), Box::new(right))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
