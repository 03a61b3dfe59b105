//! Sets of integers as unions of intervals, which may be unbounded.
//!
//! Comparisons with constants leave such a set of a scalar: `x == 3 || 1000 <= x` leaves `{3} ∪ 1000..`. Other
//! scalars have codes (0 and 1 for a `bool`, the code point for a `char`, the position among all floats for a float,
//! the index for a constructor), so that one kind of set suffices. Knows nothing of terms.

use std::cmp::Ordering;

use crate::logic::int::Int;

/// A union of inclusive intervals. `None` is an infinite bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntervalSet {
    /// Sorted, disjoint, and not touching.
    spans: Vec<Span>,
}

/// An inclusive interval.
pub type Span = (Option<Int>, Option<Int>);

/// Maximum number of intervals. Beyond it, intervals are joined, and the set becomes an over-approximation.
const MAX_SPANS: usize = 1024;

impl IntervalSet {
    /// All integers.
    pub fn all() -> IntervalSet {
        IntervalSet { spans: vec![(None, None)] }
    }

    /// No integer.
    pub fn none() -> IntervalSet {
        IntervalSet { spans: Vec::new() }
    }

    /// One integer.
    pub fn point(n: Int) -> IntervalSet {
        IntervalSet { spans: vec![(Some(n.clone()), Some(n))] }
    }

    /// `n..`
    pub fn at_least(n: Int) -> IntervalSet {
        IntervalSet { spans: vec![(Some(n), None)] }
    }

    /// `..=n`
    pub fn at_most(n: Int) -> IntervalSet {
        IntervalSet { spans: vec![(None, Some(n))] }
    }

    /// `lo..=hi`, which may be empty.
    pub fn between(lo: Int, hi: Int) -> IntervalSet {
        if lo <= hi { IntervalSet { spans: vec![(Some(lo), Some(hi))] } } else { IntervalSet::none() }
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Whether the set contains all integers.
    pub fn is_all(&self) -> bool {
        matches!(self.spans.as_slice(), [(None, None)])
    }

    /// The intervals, ascending.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Whether the set contains an integer.
    pub fn contains(&self, n: &Int) -> bool {
        self.spans
            .iter()
            .any(|(lo, hi)| lo.as_ref().is_none_or(|lo| lo <= n) && hi.as_ref().is_none_or(|hi| n <= hi))
    }

    /// Whether some member is at least `n`.
    pub fn reaches(&self, n: &Int) -> bool {
        self.spans.last().is_some_and(|(_, hi)| hi.as_ref().is_none_or(|hi| n <= hi))
    }

    /// Whether some member is at most `n`.
    pub fn reaches_down_to(&self, n: &Int) -> bool {
        self.spans.first().is_some_and(|(lo, _)| lo.as_ref().is_none_or(|lo| lo <= n))
    }

    /// Whether some member is in `lo..=hi`.
    pub fn meets(&self, lo: &Int, hi: &Int) -> bool {
        self.spans.iter().any(|(a, b)| {
            let from = a.as_ref().map_or(lo, |a| a.max(lo));
            let to = b.as_ref().map_or(hi, |b| b.min(hi));
            from <= to
        })
    }

    /// The intersection of two sets.
    pub fn intersect(&self, other: &IntervalSet) -> IntervalSet {
        if self.is_all() {
            return other.clone();
        }
        let (mut i, mut j, mut spans) = (0, 0, Vec::new());
        while let (Some(a), Some(b)) = (self.spans.get(i), other.spans.get(j)) {
            let lo = if low_order(&a.0, &b.0).is_ge() { &a.0 } else { &b.0 };
            let a_ends_first = high_order(&a.1, &b.1).is_le();
            let hi = if a_ends_first { &a.1 } else { &b.1 };
            if is_span(lo, hi) {
                spans.push((lo.clone(), hi.clone()));
            }
            if a_ends_first {
                i += 1;
            } else {
                j += 1;
            }
        }
        IntervalSet { spans }.capped()
    }

    /// The union of two sets.
    pub fn union(&self, other: &IntervalSet) -> IntervalSet {
        IntervalSet::of_spans(self.spans.iter().chain(&other.spans).cloned().collect())
    }

    /// The union of some intervals.
    pub fn of_spans(mut unsorted: Vec<Span>) -> IntervalSet {
        unsorted.sort_by(|a, b| low_order(&a.0, &b.0));
        let mut spans: Vec<Span> = Vec::with_capacity(unsorted.len());
        for span in unsorted {
            match spans.last_mut() {
                Some(last) if touches(&last.1, &span.0) => {
                    if high_order(&last.1, &span.1).is_lt() {
                        last.1 = span.1;
                    }
                }
                _ => spans.push(span),
            }
        }
        IntervalSet { spans }.capped()
    }

    /// The complement. For an over-approximation it would contain too little.
    pub fn complement(&self) -> IntervalSet {
        let mut spans = Vec::with_capacity(self.spans.len() + 1);
        let mut from = Some(None);
        for (lo, hi) in &self.spans {
            if let (Some(from), Some(lo)) = (from, lo) {
                spans.push((from, Some(predecessor(lo))));
            }
            from = hi.as_ref().map(|hi| Some(successor(hi)));
        }
        if let Some(from) = from {
            spans.push((from, None));
        }
        spans.retain(|(lo, hi)| is_span(lo, hi));
        IntervalSet { spans }
    }

    /// Number of members, if it is at most `limit`.
    pub fn count_up_to(&self, limit: u64) -> Option<u64> {
        let mut n = 0;
        for (lo, hi) in &self.spans {
            let (mut next, hi) = (lo.clone()?, hi.as_ref()?);
            while next <= *hi {
                n += 1;
                if n > limit {
                    return None;
                }
                next = successor(&next);
            }
        }
        Some(n)
    }

    fn capped(mut self) -> IntervalSet {
        if self.spans.len() > MAX_SPANS {
            let end = self.spans.last().and_then(|span| span.1.clone());
            self.spans.truncate(MAX_SPANS);
            if let Some(last) = self.spans.last_mut() {
                last.1 = end;
            }
        }
        self
    }
}

/// The next integer.
pub fn successor(n: &Int) -> Int {
    n + &Int::from(1)
}

/// The previous integer.
pub fn predecessor(n: &Int) -> Int {
    n - &Int::from(1)
}

fn low_order(a: &Option<Int>, b: &Option<Int>) -> Ordering {
    a.cmp(b)
}

fn high_order(a: &Option<Int>, b: &Option<Int>) -> Ordering {
    match (a, b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(a), Some(b)) => a.cmp(b),
    }
}

fn is_span(lo: &Option<Int>, hi: &Option<Int>) -> bool {
    match (lo, hi) {
        (Some(lo), Some(hi)) => lo <= hi,
        _ => true,
    }
}

/// Whether an interval that ends at `hi` and a later one that starts at `lo` touch or overlap.
fn touches(hi: &Option<Int>, lo: &Option<Int>) -> bool {
    match (hi, lo) {
        (Some(hi), Some(lo)) => *lo <= successor(hi),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(spans: &[(i64, i64)]) -> IntervalSet {
        spans.iter().fold(IntervalSet::none(), |set, &(lo, hi)| {
            set.union(&IntervalSet::between(Int::from(lo), Int::from(hi)))
        })
    }

    #[test]
    fn touching_intervals_are_one() {
        assert_eq!(set(&[(5, 6), (1, 2), (3, 4)]), set(&[(1, 6)]));
        assert_eq!(IntervalSet::at_least(Int::from(3)).complement(), IntervalSet::at_most(Int::from(2)));
        assert!(IntervalSet::all().complement().is_empty());
        assert!(IntervalSet::none().complement().is_all());
    }

    proptest! {
        #[test]
        fn sets_are_sets(a in spans(), b in spans(), n in -12i64..12) {
            let (a, b, n) = (set(&a), set(&b), Int::from(n));
            prop_assert_eq!(a.intersect(&b).contains(&n), a.contains(&n) && b.contains(&n));
            prop_assert_eq!(a.union(&b).contains(&n), a.contains(&n) || b.contains(&n));
            prop_assert_eq!(a.complement().contains(&n), !a.contains(&n));
            prop_assert_eq!(a.complement().complement(), a);
        }
    }

    fn spans() -> impl Strategy<Value = Vec<(i64, i64)>> {
        proptest::collection::vec((-10i64..10, -10i64..10), 0..4)
    }
}
