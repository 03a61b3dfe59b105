//! The bounds of an integer or of a length, as far as a condition gives them.

/// All integers between two bounds. `None` is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: Option<i128>,
    pub(super) most: Option<i128>,
}

impl Range {
    pub(super) fn between(least: i128, most: i128) -> Range {
        Range { least: Some(least), most: Some(most) }
    }

    pub(super) fn exactly(n: i128) -> Range {
        Range::between(n, n)
    }

    pub(super) fn at_least(n: i128) -> Range {
        Range { least: Some(n), most: None }
    }

    pub(super) fn at_most(n: i128) -> Range {
        Range { least: None, most: Some(n) }
    }

    /// The integers less, or greater, than one; `None` if their bound is beyond `i128`.
    pub(super) fn beyond(n: i128, is_less: bool, is_strict: bool) -> Option<Range> {
        let step = i128::from(is_strict);
        Some(if is_less {
            Range::at_most(n.checked_sub(step)?)
        } else {
            Range::at_least(n.checked_add(step)?)
        })
    }

    /// The integers that are greater by a number than those of the range; `None` if a bound is beyond `i128`.
    pub(super) fn shifted(self, by: i128) -> Option<Range> {
        let shifted = |bound: Option<i128>| match bound {
            Some(bound) => bound.checked_add(by).map(Some),
            None => Some(None),
        };
        Some(Range { least: shifted(self.least)?, most: shifted(self.most)? })
    }

    pub(super) fn contains(self, n: i128) -> bool {
        self.least.is_none_or(|least| least <= n) && self.most.is_none_or(|most| n <= most)
    }

    /// The bounds of a count, which isn't negative.
    pub(super) fn of_count(self) -> (i128, Option<i128>) {
        (self.least.map_or(0, |least| least.max(0)), self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bound_is_another_one_than_the_greatest_number() {
        let greatest = Range::exactly(i128::MAX);
        assert_eq!(greatest.shifted(-1), Some(Range::exactly(i128::MAX - 1)));
        assert_eq!(greatest.shifted(1), None);
        assert_eq!(Range::exactly(i128::MIN).shifted(-1), None);
        assert_eq!(Range::at_least(3).shifted(-1), Some(Range::at_least(2)));
        assert_eq!(Range::at_most(3).shifted(1), Some(Range::at_most(4)));
        assert_eq!(Range::beyond(i128::MAX, false, true), None);
        assert_eq!(Range::beyond(i128::MAX, false, false), Some(Range::at_least(i128::MAX)));
        assert!(Range::at_least(i128::MAX).contains(i128::MAX) && !greatest.contains(i128::MAX - 1));
    }
}
