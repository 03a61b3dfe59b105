//! Where a scalar is among the open scalars that it is compared with.
//!
//! A random walk chooses one scalar after the other, each within what the ones before it leave. If each were uniform there, the
//! root of a heap would leave little to the levels below it, and the first elements of an ordered list would use up the range. Of
//! `n` numbers in order, the one with `k` below it is distributed as the `k + 1`st least of `n` samples. The walk samples it that
//! way.

use std::collections::HashSet;

use crate::dice::Dice;
use crate::logic::ir::{ArithOp, CompareOp, Term};
use crate::logic::value::Value;
use crate::native::propagate::work::Work;

/// Maximum number of scalars that are counted. It limits the time for a choice.
const MOST: usize = 256;

/// The open scalars that must be less than a scalar, or greater, whether directly or by way of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    below: usize,
    above: usize,
    /// Whether those next to it must differ from it.
    is_strict: bool,
}

/// Two scalars in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    lesser: u32,
    greater: u32,
    is_strict: bool,
}

impl Pair {
    /// The pair of `a <= b + n`, which says nothing about the order if `n` is positive.
    pub fn of(a: usize, b: usize, n: i128) -> Option<Pair> {
        (n <= 0).then_some(Pair { lesser: a as u32, greater: b as u32, is_strict: n < 0 })
    }

    /// Whether a scalar is one of the two.
    pub fn concerns(self, scalar: usize) -> bool {
        [self.lesser, self.greater].contains(&(scalar as u32))
    }
}

impl Compared {
    /// The scalars that one is compared with in a problem.
    pub fn of(slot: u32, work: &Work) -> Compared {
        Compared::by(slot, work.clauses.iter().filter_map(|clause| pair(&clause.term)).collect())
    }

    /// The scalars that one is compared with in these pairs.
    pub fn among(scalar: usize, pairs: &[Pair]) -> Compared {
        Compared::by(scalar as u32, pairs.to_vec())
    }

    fn by(slot: u32, mut pairs: Vec<Pair>) -> Compared {
        let is_strict = pairs.iter().any(|pair| pair.is_strict && pair.concerns(slot as usize));
        pairs.sort_unstable_by_key(|pair| (pair.lesser, pair.greater));
        let above = n_reached(slot, &pairs);
        pairs.iter_mut().for_each(|pair| std::mem::swap(&mut pair.lesser, &mut pair.greater));
        pairs.sort_unstable_by_key(|pair| (pair.lesser, pair.greater));
        let below = n_reached(slot, &pairs);
        Compared { below, above, is_strict }
    }

    /// Whether it is compared with any.
    pub fn is_among_others(&self) -> bool {
        self.below + self.above > 0
    }

    /// A random index into `n` ascending values, which is not 0.
    pub fn index(&self, n: usize, dice: &mut Dice) -> usize {
        let others = self.below + self.above;
        // Distinct samples are samples of fewer values, moved apart.
        let (n, offset) =
            if self.is_strict { (n.saturating_sub(others).max(1), self.below.min(n - 1)) } else { (n, 0) };
        let mut samples: Vec<usize> = (0..=others).map(|_| dice.index(n)).collect();
        samples.sort_unstable();
        samples[self.below] + offset
    }
}

/// The two holes that a condition puts in order. Comparisons of integers have the form `a <= b + n` here.
fn pair(term: &Term) -> Option<Pair> {
    let Term::Compare(op, a, b) = term else { return None };
    let Term::Var(lesser) = **a else { return None };
    match &**b {
        Term::Var(greater) => Some(Pair { lesser, greater: *greater, is_strict: *op == CompareOp::Lt }),
        Term::Arith(ArithOp::Add, b, by) => match (&**b, &**by) {
            (Term::Var(greater), Term::Lit(Value::Int(by))) if by.is_negative() => {
                Some(Pair { lesser, greater: *greater, is_strict: true })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Number of other slots that pairs lead to from one. The pairs are sorted.
fn n_reached(slot: u32, pairs: &[Pair]) -> usize {
    let (mut seen, mut left) = (HashSet::from([slot]), vec![slot]);
    while let Some(at) = left.pop()
        && seen.len() <= MOST
    {
        let first = pairs.partition_point(|pair| pair.lesser < at);
        let next = pairs[first..].iter().take_while(|pair| pair.lesser == at);
        left.extend(next.map(|pair| pair.greater).filter(|to| seen.insert(*to)));
    }
    seen.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(compared: Compared, n: usize) -> Vec<usize> {
        let mut dice = Dice::new(0, 0);
        (0..300).map(|_| compared.index(n, &mut dice)).collect()
    }

    #[test]
    fn slots_are_reached_by_way_of_others() {
        let pairs = [(1, 2, 0), (2, 3, -1), (2, 4, 0), (5, 4, 0)]
            .map(|(a, b, n)| Pair::of(a, b, n).expect("in order"));
        assert_eq!([1, 2, 3, 5].map(|slot| n_reached(slot, &pairs)), [3, 2, 0, 1]);
    }

    #[test]
    fn a_comparison_that_is_loosened_orders_nothing() {
        let var = |slot| Box::new(Term::Var(slot));
        let plus = |by: i64| Box::new(Term::Arith(ArithOp::Add, var(2), Box::new(Term::Lit(Value::int(by)))));
        let compare = |op, b| pair(&Term::Compare(op, var(1), b));
        assert_eq!(compare(CompareOp::Le, var(2)), Pair::of(1, 2, 0));
        assert_eq!(compare(CompareOp::Lt, var(2)), Pair::of(1, 2, -1));
        assert_eq!(compare(CompareOp::Le, plus(-1)), Pair::of(1, 2, -1));
        assert_eq!(compare(CompareOp::Le, plus(5)), None);
    }

    #[test]
    fn what_has_many_below_it_is_high() {
        let high = sampled(Compared { below: 9, above: 0, is_strict: false }, 100);
        assert!(high.iter().filter(|at| **at >= 80).count() > 200, "{high:?}");
        let middle = sampled(Compared { below: 9, above: 9, is_strict: false }, 100);
        assert!(middle.iter().filter(|at| (25..75).contains(*at)).count() > 200, "{middle:?}");
    }

    #[test]
    fn room_is_left_for_those_that_differ() {
        assert!(sampled(Compared { below: 2, above: 0, is_strict: true }, 3).iter().all(|at| *at == 2));
        let between = sampled(Compared { below: 2, above: 1, is_strict: true }, 6);
        assert!(
            between.iter().all(|at| (2..=4).contains(at)) && between.contains(&2) && between.contains(&4)
        );
        // There is no room, but an index.
        assert!(sampled(Compared { below: 9, above: 9, is_strict: true }, 3).iter().all(|at| *at < 3));
    }
}
