//! Bounds of summands that a comparison of sums implies: `a + b <= 9` with `3 <= b` implies `a <= 6`.

use super::reduce::Kind;
use super::slots::Slots;
use super::tools::{Interval, Tools};
use crate::logic::ir::{ArithOp, CompareOp, Term};
use crate::logic::value::Value;
use crate::native::plan::problem::Hole;

/// Maximum number of summands. The bounds of each summand depend on all others, so the time is quadratic.
const LONGEST: usize = 64;

impl Tools {
    /// The intervals that a comparison leaves its summands, for summands that satisfy `wants`.
    pub fn bounds_by(
        &mut self,
        clause: &Term,
        holes: &Slots<Hole>,
        wants: &dyn Fn(&Term) -> bool,
    ) -> Vec<(Term, Interval)> {
        let (small, great, both) = match clause {
            Term::Compare(CompareOp::Le, a, b) => (a, b, false),
            Term::Equal(a, b) if self.reducer.kind(a) == Kind::Int && self.reducer.kind(b) == Kind::Int => {
                (a, b, true)
            }
            _ => return Vec::new(),
        };
        // The sum of the terms is at most 0; for an equation, it is 0.
        let mut terms = Vec::new();
        summands(small, 1, &mut terms);
        summands(great, -1, &mut terms);
        if terms.len() > LONGEST || !terms.iter().any(|(_, term)| wants(term)) {
            return Vec::new();
        }
        let mut interval = Vec::with_capacity(terms.len());
        for (factor, term) in &terms {
            let (lo, hi) = self.range(term, holes);
            let (lo, hi) = if *factor < 0 { (hi, lo) } else { (lo, hi) };
            interval.push((scaled(lo, *factor), scaled(hi, *factor)));
        }
        let total = |which: fn(&Interval) -> Option<i128>, but: usize| {
            let others = interval.iter().enumerate().filter(|(at, _)| *at != but);
            others.map(|(_, end)| end).try_fold(0_i128, |sum, end| sum.checked_add(which(end)?))
        };
        let wanted = terms.iter().enumerate().filter(|(_, (_, term))| wants(term));
        wanted
            .map(|(at, (factor, term))| {
                // factor * x <= -(sum of the others' minima); for an equation, also factor * x >= -(sum of the
                // others' maxima).
                let most = total(|end| end.0, at).and_then(i128::checked_neg);
                let least = if both { total(|end| end.1, at).and_then(i128::checked_neg) } else { None };
                let interval = if *factor > 0 {
                    (least.map(|n| ceiling(n, *factor)), most.map(|n| n.div_euclid(*factor)))
                } else {
                    (most.map(|n| ceiling(-n, -*factor)), least.map(|n| (-n).div_euclid(-*factor)))
                };
                (term.clone(), interval)
            })
            .collect()
    }
}

fn ceiling(a: i128, b: i128) -> i128 {
    -((-a).div_euclid(b))
}

fn scaled(n: Option<i128>, factor: i128) -> Option<i128> {
    n.and_then(|n| n.checked_mul(factor))
}

/// Collects the summands of a term, each with its factor.
fn summands(term: &Term, factor: i128, out: &mut Vec<(i128, Term)>) {
    match term {
        Term::Arith(ArithOp::Add, a, b) => {
            summands(a, factor, out);
            summands(b, factor, out);
        }
        Term::Arith(ArithOp::Mul, a, b) => match (&**a, &**b) {
            (Term::Lit(Value::Int(n)), other) => {
                match n.to_i128().filter(|n| *n != 0).and_then(|n| n.checked_mul(factor)) {
                    Some(factor) => summands(other, factor, out),
                    None => out.push((factor, term.clone())),
                }
            }
            _ => out.push((factor, term.clone())),
        },
        term => out.push((factor, term.clone())),
    }
}
