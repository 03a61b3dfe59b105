//! Where a scalar is among the open scalars that it is compared with.
//!
//! A random walk chooses one scalar after the other, each within what the ones before it leave. If each were uniform there, the
//! root of a heap would leave little to the levels below it, and the first elements of an ordered list would use up the range. Of
//! `n` numbers in order, the one with `k` below it is distributed as the `k + 1`st least of `n` samples. So the walk chooses it
//! so.

use std::collections::HashSet;

use crate::dice::Dice;
use crate::logic::ir::{ArithOp, CompareOp, Term};
use crate::native::propagate::work::Work;

/// Maximum number of scalars that are counted. It limits the time for a choice.
const MOST: usize = 256;

/// The open scalars that must be less than a scalar, or greater, whether directly or by way of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    below: usize,
    above: usize,
    /// Whether those next to it must differ from it.
    is_strict: bool,
}

impl Position {
    /// The position of a scalar in a problem.
    pub fn of(slot: u32, work: &Work) -> Position {
        let mut pairs: Vec<(u32, u32, CompareOp)> =
            work.clauses.iter().filter_map(|clause| pair(&clause.term)).collect();
        let is_strict = pairs.iter().any(|(a, b, op)| *op == CompareOp::Lt && (*a == slot || *b == slot));
        pairs.sort_unstable_by_key(|(a, b, _)| (*a, *b));
        let above = n_reached(slot, &pairs);
        pairs.iter_mut().for_each(|(a, b, _)| std::mem::swap(a, b));
        pairs.sort_unstable_by_key(|(a, b, _)| (*a, *b));
        let below = n_reached(slot, &pairs);
        Position { below, above, is_strict }
    }

    /// Whether it is compared with any.
    pub fn is_among_others(&self) -> bool {
        self.below + self.above > 0
    }

    /// A random index into `n` ascending values, which is not 0.
    pub fn index(&self, n: usize, dice: &mut Dice) -> usize {
        let others = self.below + self.above;
        // Distinct samples are samples of fewer values, moved apart.
        let (n, moved) = match self.is_strict {
            true => (n.saturating_sub(others).max(1), self.below.min(n - 1)),
            false => (n, 0),
        };
        let mut samples: Vec<usize> = (0..=others).map(|_| dice.index(n)).collect();
        samples.sort_unstable();
        samples[self.below] + moved
    }
}

/// The two holes that a condition compares, the lesser first: themselves, or sums of them and a number.
fn pair(term: &Term) -> Option<(u32, u32, CompareOp)> {
    let Term::Compare(op, a, b) = term else { return None };
    let (lesser, greater) = (hole(a)?, hole(b)?);
    let is_plain = matches!((&**a, &**b), (Term::Var(_), Term::Var(_)));
    Some((lesser, greater, if is_plain { *op } else { CompareOp::Lt }))
}

/// The hole of a term that is a hole, or one with a number added or subtracted.
fn hole(term: &Term) -> Option<u32> {
    match term {
        Term::Var(slot) => Some(*slot),
        Term::Arith(ArithOp::Add | ArithOp::Sub, of, by) if matches!(**by, Term::Lit(_)) => hole(of),
        Term::Arith(ArithOp::Add, by, of) if matches!(**by, Term::Lit(_)) => hole(of),
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

    fn drawn(position: Position, n: usize) -> Vec<usize> {
        let mut dice = Dice::new(0, 0);
        (0..300).map(|_| position.index(n, &mut dice)).collect()
    }

    #[test]
    fn slots_are_reached_by_way_of_others() {
        let pairs =
            [(1, 2, CompareOp::Le), (2, 3, CompareOp::Lt), (2, 4, CompareOp::Le), (5, 4, CompareOp::Le)];
        assert_eq!([1, 2, 3, 5].map(|slot| n_reached(slot, &pairs)), [3, 2, 0, 1]);
    }

    #[test]
    fn what_has_many_below_it_is_high() {
        let high = drawn(Position { below: 9, above: 0, is_strict: false }, 100);
        assert!(high.iter().filter(|at| **at >= 80).count() > 200, "{high:?}");
        let middle = drawn(Position { below: 9, above: 9, is_strict: false }, 100);
        assert!(middle.iter().filter(|at| (25..75).contains(*at)).count() > 200, "{middle:?}");
    }

    #[test]
    fn room_is_left_for_those_that_differ() {
        assert!(drawn(Position { below: 2, above: 0, is_strict: true }, 3).iter().all(|at| *at == 2));
        let between = drawn(Position { below: 2, above: 1, is_strict: true }, 6);
        assert!(
            between.iter().all(|at| (2..=4).contains(at)) && between.contains(&2) && between.contains(&4)
        );
        // There is no room, but an index.
        assert!(drawn(Position { below: 9, above: 9, is_strict: true }, 3).iter().all(|at| *at < 3));
    }
}
