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

impl Compared {
    /// The scalars that one is compared with in a problem.
    pub fn of(slot: u32, work: &Work) -> Compared {
        let mut pairs: Vec<(u32, u32, CompareOp)> =
            work.clauses.iter().filter_map(|clause| pair(&clause.term)).collect();
        let is_strict = pairs.iter().any(|(a, b, op)| *op == CompareOp::Lt && (*a == slot || *b == slot));
        pairs.sort_unstable_by_key(|(a, b, _)| (*a, *b));
        let above = n_reached(slot, &pairs);
        pairs.iter_mut().for_each(|(a, b, _)| std::mem::swap(a, b));
        pairs.sort_unstable_by_key(|(a, b, _)| (*a, *b));
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

/// The two holes that a condition puts in order, the lesser first. Comparisons of integers have the form `a <= b + n` here, which
/// says nothing about the order if `n` is positive.
fn pair(term: &Term) -> Option<(u32, u32, CompareOp)> {
    let Term::Compare(op, a, b) = term else { return None };
    match (&**a, &**b) {
        (Term::Var(a), Term::Var(b)) => Some((*a, *b, *op)),
        (Term::Var(a), Term::Arith(ArithOp::Add, b, by)) => match (&**b, &**by) {
            (Term::Var(b), Term::Lit(Value::Int(by))) if by.is_negative() => Some((*a, *b, CompareOp::Lt)),
            _ => None,
        },
        _ => None,
    }
}

/// Number of other slots that pairs lead to from one. The pairs are sorted.
fn n_reached(slot: u32, pairs: &[(u32, u32, CompareOp)]) -> usize {
    let (mut seen, mut left) = (HashSet::from([slot]), vec![slot]);
    while let Some(at) = left.pop()
        && seen.len() <= MOST
    {
        let first = pairs.partition_point(|(from, _, _)| *from < at);
        let next = pairs[first..].iter().take_while(|(from, _, _)| *from == at);
        left.extend(next.map(|(_, to, _)| *to).filter(|to| seen.insert(*to)));
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
        let pairs =
            [(1, 2, CompareOp::Le), (2, 3, CompareOp::Lt), (2, 4, CompareOp::Le), (5, 4, CompareOp::Le)];
        assert_eq!([1, 2, 3, 5].map(|slot| n_reached(slot, &pairs)), [3, 2, 0, 1]);
    }

    #[test]
    fn a_comparison_that_is_loosened_orders_nothing() {
        let var = |slot| Box::new(Term::Var(slot));
        let plus = |by: i64| Box::new(Term::Arith(ArithOp::Add, var(2), Box::new(Term::Lit(Value::int(by)))));
        let compare = |op, b| pair(&Term::Compare(op, var(1), b));
        assert_eq!(compare(CompareOp::Le, var(2)), Some((1, 2, CompareOp::Le)));
        assert_eq!(compare(CompareOp::Lt, var(2)), Some((1, 2, CompareOp::Lt)));
        assert_eq!(compare(CompareOp::Le, plus(-1)), Some((1, 2, CompareOp::Lt)));
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
