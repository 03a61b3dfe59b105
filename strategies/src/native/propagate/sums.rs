//! Bounds of summands that a comparison of sums implies: `a + b <= 9` with `3 <= b` implies `a <= 6`. A maximum, a minimum or an
//! absolute value hides its operands from them, so that a comparison of such a sum is first split into comparisons without it.

use super::reduce::{Env, Kind, integer};
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
        let Some((small, great, both)) = self.compared_sums(clause) else { return Vec::new() };
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

impl Tools {
    /// Conditions without a maximum, minimum or absolute value that together say the same as a comparison of sums with one: `max(a, b)
    /// <= c` is `a <= c && b <= c`, and `max(a, b) == c` says also `a == c || b == c`. `None` if there is nothing to split.
    pub fn split(&mut self, clause: &Term) -> Option<Term> {
        let (small, great, is_equation) = self.compared_sums(clause)?;
        if !(has_extreme(small) || has_extreme(great)) {
            return None;
        }
        let mut terms = Vec::new();
        summands(small, 1, &mut terms);
        summands(great, -1, &mut terms);
        let mut extremes =
            terms.iter().enumerate().filter_map(|(at, (_, term))| Some((at, Extreme::of(term)?)));
        let (at, extreme) = extremes.next().filter(|_| terms.len() <= LONGEST)?;
        if extremes.next().is_some() {
            return None;
        }
        let (factor, _) = terms.swap_remove(at);
        // The sum with one of the operands in place of the extreme, which is the greatest or the least of the two sums.
        let sums = extreme.operands.map(|operand| sum_of(terms.iter().cloned().chain([(factor, operand)])));
        let is_greatest = (factor > 0) == extreme.is_greatest;
        // An alternative may hold where the other one is undefined.
        if !is_equation && !is_greatest && !self.reducer.is_total(clause) {
            return None;
        }
        let zero = || Box::new(integer(0));
        let at_most = |sum: &Term| Term::Compare(CompareOp::Le, Box::new(sum.clone()), zero());
        let at_least = |sum: &Term| Term::Compare(CompareOp::Le, zero(), Box::new(sum.clone()));
        let is_zero = |sum: &Term| Term::Equal(Box::new(sum.clone()), zero());
        let [a, b] = &sums;
        let split = match (is_equation, is_greatest) {
            (false, true) => Term::And(vec![at_most(a), at_most(b)]),
            (false, false) => Term::Or(vec![at_most(a), at_most(b)]),
            (true, true) => Term::And(vec![at_most(a), at_most(b), Term::Or(vec![is_zero(a), is_zero(b)])]),
            (true, false) => {
                Term::And(vec![at_least(a), at_least(b), Term::Or(vec![is_zero(a), is_zero(b)])])
            }
        };
        Some(self.reducer.condition(&split, &mut Env::default()))
    }

    /// The sums that a clause compares, and whether they must be equal. Otherwise the first must be at most the second.
    fn compared_sums<'t>(&self, clause: &'t Term) -> Option<(&'t Term, &'t Term, bool)> {
        match clause {
            Term::Compare(CompareOp::Le, a, b) => Some((a, b, false)),
            Term::Equal(a, b) if self.reducer.kind(a) == Kind::Int && self.reducer.kind(b) == Kind::Int => {
                Some((a, b, true))
            }
            _ => None,
        }
    }
}

/// A maximum or a minimum of two operands.
struct Extreme {
    is_greatest: bool,
    operands: [Term; 2],
}

impl Extreme {
    fn of(term: &Term) -> Option<Extreme> {
        let (is_greatest, operands) = match term {
            Term::Arith(ArithOp::Max, a, b) => (true, [(**a).clone(), (**b).clone()]),
            Term::Arith(ArithOp::Min, a, b) => (false, [(**a).clone(), (**b).clone()]),
            Term::Abs(a) => (true, [(**a).clone(), Term::Neg(a.clone())]),
            _ => return None,
        };
        Some(Extreme { is_greatest, operands })
    }
}

/// Whether a summand is a maximum, a minimum or an absolute value.
fn has_extreme(term: &Term) -> bool {
    match term {
        Term::Arith(ArithOp::Add, a, b) | Term::Arith(ArithOp::Mul, a, b) => has_extreme(a) || has_extreme(b),
        Term::Arith(ArithOp::Max | ArithOp::Min, ..) | Term::Abs(_) => true,
        _ => false,
    }
}

fn sum_of(terms: impl Iterator<Item = (i128, Term)>) -> Term {
    let scaled = |(factor, term)| Term::Arith(ArithOp::Mul, Box::new(integer(factor)), Box::new(term));
    let add = |a, b| Term::Arith(ArithOp::Add, Box::new(a), Box::new(b));
    terms.map(scaled).reduce(add).unwrap_or(integer(0))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::logic::eval::admits;
    use crate::logic::ir::{Clause, IntKind, Param, Refined, Sort, Spec};
    use crate::native::{Class, Count, Native};
    use crate::space::{Bounds, Space};

    fn space(requires: Vec<Clause>) -> Space {
        let param =
            || Param { name: String::new(), refined: Refined::plain(Sort::Int(IntKind::I8)), mutable: false };
        let spec = Spec { params: vec![param(), param(), param()], requires, ..Spec::unrefined("") };
        Space::new(Arc::new(spec), Bounds { depth: 1, bound: 2 })
    }

    /// All triples of small numbers that satisfy a condition, by the engine and one by one.
    fn assert_same_members(term: Term) {
        let clause = Clause { id: 0, text: format!("{term:?}"), term };
        let (limited, all) = (space(vec![clause]), space(Vec::new()));
        let count = |space: &Space| {
            let mut native = Native::new(space);
            match native.count(Class::Size(0), u64::MAX) {
                Ok(Count::Exactly(n)) => (native, n.to_u64().unwrap_or(u64::MAX)),
                other => panic!("{other:?} for {:?}", space.spec().requires),
            }
        };
        let (_, n_found) = count(&limited);
        let (mut every, n_all) = count(&all);
        assert!(n_all >= 27);
        let n_admitted = (0..n_all)
            .filter_map(|number| every.spread_member(Class::Size(0), 0, number))
            .filter(|args| admits(limited.spec(), args))
            .count();
        assert_eq!(n_found, n_admitted as u64, "{:?}", limited.spec().requires);
    }

    #[test]
    fn comparisons_with_extremes_keep_their_members() {
        let var = |slot| Box::new(Term::Var(slot));
        let arith = |op, a, b| Box::new(Term::Arith(op, a, b));
        let minus = |term: &Term| Box::new(Term::Neg(Box::new(term.clone())));
        let plus = |term: &Term| Box::new(term.clone());
        let extremes = [
            *arith(ArithOp::Max, var(0), var(1)),
            *arith(ArithOp::Min, var(0), arith(ArithOp::Add, var(1), Box::new(integer(1)))),
            Term::Abs(arith(ArithOp::Sub, var(0), var(1))),
            // The operands are extremes, too.
            *arith(ArithOp::Max, arith(ArithOp::Min, var(0), var(1)), Box::new(Term::Abs(var(1)))),
        ];
        for extreme in &extremes {
            for sum in [plus(extreme), minus(extreme)] {
                for other in [var(2), Box::new(integer(1)), arith(ArithOp::Max, var(2), var(0))] {
                    assert_same_members(Term::Equal(sum.clone(), other.clone()));
                    assert_same_members(Term::Compare(CompareOp::Le, sum.clone(), other.clone()));
                    assert_same_members(Term::Compare(CompareOp::Le, other, sum.clone()));
                }
            }
        }
    }
}
