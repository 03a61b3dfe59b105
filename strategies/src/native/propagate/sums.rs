//! Bounds of summands that a comparison of sums implies: `a + b <= 9` with `3 <= b` implies `a <= 6`.

use super::reduce::Kind;
use super::slots::Slots;
use super::tools::{Interval, Tools};
use crate::logic::ir::{ArithOp, CompareOp, Term};
use crate::logic::value::Value;
use crate::native::plan::problem::Hole;

/// Maximum number of summands.
const LONGEST: usize = 512;

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
        let least_of_all = Total::new(interval.iter().map(|interval| interval.0));
        let most_of_all = Total::new(interval.iter().map(|interval| interval.1));
        let wanted = terms.iter().enumerate().filter(|(_, (_, term))| wants(term));
        wanted
            .map(|(at, (factor, term))| {
                // factor * x <= -(sum of the others' minima); for an equation, also factor * x >= -(sum of the
                // others' maxima).
                let negated = |total: &Total, own| total.without(own).and_then(i128::checked_neg);
                let most = negated(&least_of_all, interval[at].0);
                let least = if both { negated(&most_of_all, interval[at].1) } else { None };
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

/// The sum of the ends of intervals.
struct Total {
    /// Of those that have an end; `None` if it is too large.
    sum: Option<i128>,
    n_open: usize,
}

impl Total {
    fn new(ends: impl Iterator<Item = Option<i128>>) -> Total {
        let mut total = Total { sum: Some(0), n_open: 0 };
        for end in ends {
            match end {
                Some(end) => total.sum = total.sum.and_then(|sum| sum.checked_add(end)),
                None => total.n_open += 1,
            }
        }
        total
    }

    /// The sum of all but one; `None` if there is an interval without an end among them.
    fn without(&self, own: Option<i128>) -> Option<i128> {
        match (own, self.n_open) {
            (Some(own), 0) => self.sum?.checked_sub(own),
            (None, 1) => self.sum,
            (Some(_) | None, _) => None,
        }
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
