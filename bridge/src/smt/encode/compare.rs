//! Structural equality and lexicographic order; mirrors the judge.

use std::sync::Arc;

use target_strategies::logic::ir::CompareOp;

use super::symbolic::Symbolic;
use super::term::ill_typed;
use super::{Encoded, Encoder};
use crate::smt::formula::{F, FloatBinary};

impl Encoder<'_> {
    /// `a == b`: structural, but Rust's `==` for floats.
    pub(super) fn equal(&mut self, a: &Symbolic, b: &Symbolic) -> Encoded<F> {
        self.step()?;
        match (a, b) {
            (Symbolic::Choice(_), _) | (_, Symbolic::Choice(_)) => {
                self.each_pair(a, b, |encoder, a, b| encoder.equal(a, b))
            }
            (Symbolic::Bool(a), Symbolic::Bool(b)) => Ok(self.formulas.iff(*a, *b)),
            (Symbolic::Int(a), Symbolic::Int(b)) | (Symbolic::Char(a), Symbolic::Char(b)) => {
                Ok(self.formulas.equal_int(*a, *b))
            }
            (Symbolic::Float(a), Symbolic::Float(b)) => {
                Ok(self.formulas.float_binary(FloatBinary::Equal, *a, *b))
            }
            (Symbolic::Str(a), Symbolic::Str(b)) if a.len() == b.len() => {
                let all: Vec<F> =
                    a.iter().zip(b.iter()).map(|(a, b)| self.formulas.equal_int(*a, *b)).collect();
                Ok(self.formulas.and(all))
            }
            (Symbolic::Seq(a), Symbolic::Seq(b)) | (Symbolic::Tuple(a), Symbolic::Tuple(b))
                if a.len() == b.len() =>
            {
                self.all_equal(a, b)
            }
            (Symbolic::Data(c, a), Symbolic::Data(d, b)) if c == d && a.len() == b.len() => {
                self.all_equal(a, b)
            }
            (Symbolic::Collection(c, a), Symbolic::Collection(d, b)) if c == d => {
                self.equal_collections(*c, a, b)
            }
            _ => Ok(self.formulas.truth(false)),
        }
    }

    fn all_equal(&mut self, a: &[Symbolic], b: &[Symbolic]) -> Encoded<F> {
        let mut all = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            all.push(self.equal(a, b)?);
        }
        Ok(self.formulas.and(all))
    }

    pub(super) fn compare(&mut self, op: CompareOp, a: &Symbolic, b: &Symbolic) -> Encoded<F> {
        self.before(a, b, op == CompareOp::Le)
    }

    /// `a < b`, or `a <= b` with `or_equal`.
    pub(super) fn before(&mut self, a: &Symbolic, b: &Symbolic, or_equal: bool) -> Encoded<F> {
        self.step()?;
        match (a, b) {
            (Symbolic::Choice(_), _) | (_, Symbolic::Choice(_)) => {
                self.each_pair(a, b, |encoder, a, b| encoder.before(a, b, or_equal))
            }
            (Symbolic::Never, _) | (_, Symbolic::Never) => Ok(self.formulas.truth(false)),
            (Symbolic::Int(a), Symbolic::Int(b)) | (Symbolic::Char(a), Symbolic::Char(b)) => {
                Ok(if or_equal { self.formulas.at_most(*a, *b) } else { self.formulas.less(*a, *b) })
            }
            (Symbolic::Float(a), Symbolic::Float(b)) => {
                let op = if or_equal { FloatBinary::AtMost } else { FloatBinary::Less };
                Ok(self.formulas.float_binary(op, *a, *b))
            }
            (Symbolic::Bool(a), Symbolic::Bool(b)) => {
                let not_a = self.formulas.not(*a);
                Ok(if or_equal { self.formulas.or([not_a, *b]) } else { self.formulas.and([not_a, *b]) })
            }
            (Symbolic::Str(a), Symbolic::Str(b)) => {
                // Rust compares the bytes; UTF-8 keeps the order of code points.
                let chars = |text: &Arc<[F]>| text.iter().map(|c| Symbolic::Char(*c)).collect::<Vec<_>>();
                self.lexicographic(&chars(a), &chars(b), or_equal)
            }
            (Symbolic::Seq(a), Symbolic::Seq(b)) | (Symbolic::Tuple(a), Symbolic::Tuple(b)) => {
                self.lexicographic(a, b, or_equal)
            }
            (Symbolic::Collection(c, a), Symbolic::Collection(d, b)) => {
                let (a, b) = (self.listed(*c, a)?, self.listed(*d, b)?);
                self.before(&a, &b, or_equal)
            }
            (Symbolic::Data(c, a), Symbolic::Data(d, b)) if c == d => self.lexicographic(a, b, or_equal),
            (Symbolic::Data(c, _), Symbolic::Data(d, _)) => Ok(self.formulas.truth(c < d)),
            _ => Err(ill_typed("comparable with the other")),
        }
    }

    fn lexicographic(&mut self, a: &[Symbolic], b: &[Symbolic], or_equal: bool) -> Encoded<F> {
        let common = a.len().min(b.len());
        let end = if a.len() == b.len() { or_equal } else { a.len() < b.len() };
        let mut holds = self.formulas.truth(end);
        for index in (0..common).rev() {
            let first = self.before(&a[index], &b[index], false)?;
            let same = self.equal(&a[index], &b[index])?;
            let later = self.formulas.and([same, holds]);
            holds = self.formulas.or([first, later]);
        }
        Ok(holds)
    }

    /// A relation between values that may be choices, for each pair of alternatives.
    fn each_pair(
        &mut self,
        a: &Symbolic,
        b: &Symbolic,
        mut relation: impl FnMut(&mut Self, &Symbolic, &Symbolic) -> Encoded<F>,
    ) -> Encoded<F> {
        let (firsts, seconds) = (a.alternatives(&mut self.formulas), b.alternatives(&mut self.formulas));
        let mut any = Vec::new();
        for (guard_a, a) in &firsts {
            for (guard_b, b) in &seconds {
                let both = self.formulas.and([*guard_a, *guard_b]);
                if self.formulas.as_truth(both) != Some(false) {
                    let related = relation(self, a, b)?;
                    any.push(self.formulas.and([both, related]));
                }
            }
        }
        Ok(self.formulas.or(any))
    }
}
