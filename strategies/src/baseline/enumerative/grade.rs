//! Orders tuples of ranks by their sum, then lexicographically: their number, the n-th, the next.
//!
//! Knows only the number of ranks at each position. The table of counts grows with the sums needed, so the start of a
//! long order is cheap.

/// The order of tuples of ranks.
#[derive(Clone, Debug)]
pub struct Grades {
    /// Number of ranks at each position.
    sizes: Vec<u32>,
    /// For each sum so far, and each position but the last: number of tuples from that position on with this sum,
    /// saturated.
    counts: Vec<Vec<u128>>,
    /// The greatest sum.
    greatest: u64,
}

impl Grades {
    /// The order for positions with these numbers of ranks.
    pub fn new(sizes: Vec<u32>) -> Grades {
        let greatest = sizes.iter().map(|size| u64::from(size.saturating_sub(1))).sum();
        Grades { sizes, counts: Vec::new(), greatest }
    }

    /// Number of tuples, if it fits.
    pub fn len(&self) -> Option<u64> {
        if self.sizes.contains(&0) {
            return Some(0);
        }
        self.sizes.iter().try_fold(1u64, |n, size| n.checked_mul(u64::from(*size)))
    }

    /// The first tuple.
    pub fn first(&self) -> Option<Vec<u32>> {
        (!self.sizes.contains(&0)).then(|| vec![0; self.sizes.len()])
    }

    /// The tuple with this index.
    pub fn nth(&mut self, index: u64) -> Option<Vec<u32>> {
        let mut ranks = self.first()?;
        let mut index = u128::from(index);
        if let [size] = self.sizes.as_slice() {
            ranks[0] = u32::try_from(index).ok().filter(|index| index < size)?;
            return Some(ranks);
        }
        let mut sum = 0;
        loop {
            let n = self.count(0, sum);
            if index < n {
                break;
            }
            index -= n;
            sum += 1;
            if sum > self.greatest {
                return None;
            }
        }
        for (at, chosen) in ranks.iter_mut().enumerate() {
            let mut rank = 0;
            loop {
                let n = self.count(at + 1, sum - u64::from(rank));
                if index < n {
                    break;
                }
                index -= n;
                rank += 1;
            }
            *chosen = rank;
            sum -= u64::from(rank);
        }
        Some(ranks)
    }

    /// Moves to the next tuple and returns the first position that changed; `None` after the last.
    pub fn advance(&self, ranks: &mut [u32]) -> Option<usize> {
        let mut behind = 0u64;
        for at in (0..ranks.len()).rev() {
            if behind > 0 && ranks[at] + 1 < self.sizes[at] {
                ranks[at] += 1;
                self.put_last(&mut ranks[at + 1..], behind - 1);
                return Some(at);
            }
            behind += u64::from(ranks[at]);
        }
        if behind == self.greatest {
            return None;
        }
        self.put_last(ranks, behind + 1);
        Some(0)
    }

    /// Fills in the least tuple with this sum: as much as possible in the last positions.
    fn put_last(&self, ranks: &mut [u32], mut sum: u64) {
        let offset = self.sizes.len() - ranks.len();
        for (rank, size) in ranks.iter_mut().zip(&self.sizes[offset..]).rev() {
            let most = sum.min(u64::from(size - 1));
            *rank = most as u32;
            sum -= most;
        }
    }

    /// Number of tuples from a position on with this sum.
    fn count(&mut self, from: usize, sum: u64) -> u128 {
        match self.sizes.len().saturating_sub(from) {
            0 => return u128::from(sum == 0),
            1 => return u128::from(sum < u64::from(self.sizes[from])),
            _ => {}
        }
        while self.counts.len() as u64 <= sum {
            let row = self.next_row();
            self.counts.push(row);
        }
        self.counts[sum as usize][from]
    }

    /// With `n(i, s)` as the number of tuples from `i` on with sum `s`: `n(i, s) = n(i, s - 1) + n(i + 1, s) - n(i +
    /// 1, s - size(i))`.
    fn next_row(&self) -> Vec<u128> {
        let sum = self.counts.len();
        let n = self.sizes.len();
        let last = |sum: u64| u128::from(sum < u64::from(self.sizes[n - 1]));
        let mut row = vec![0; n - 1];
        for at in (0..n - 1).rev() {
            let behind = |row: &[u128], sum: usize| if at + 2 == n { last(sum as u64) } else { row[at + 1] };
            let before = if sum == 0 { 0 } else { self.counts[sum - 1][at] };
            let here = behind(&row, sum);
            let size = self.sizes[at] as usize;
            let gone = if sum < size { 0 } else { behind(&self.counts[sum - size], sum - size) };
            // A saturated count is greater than any index, and precedes every wrong subtraction.
            row[at] = match before.checked_add(here) {
                Some(n) if before < u128::MAX && here < u128::MAX => n - gone,
                _ => u128::MAX,
            };
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(sizes: &[u32]) -> Vec<Vec<u32>> {
        let grades = Grades::new(sizes.to_vec());
        let mut tuples = Vec::new();
        let Some(mut ranks) = grades.first() else { return tuples };
        loop {
            tuples.push(ranks.clone());
            if grades.advance(&mut ranks).is_none() {
                return tuples;
            }
        }
    }

    #[test]
    fn every_tuple_comes_once_by_sum_then_lexicographically() {
        for sizes in [&[][..], &[5], &[3, 4], &[2, 1, 3], &[4, 3, 2, 3], &[3, 0], &[1, 1]] {
            let tuples = all(sizes);
            let mut sorted = tuples.clone();
            sorted.sort_by_key(|ranks| (ranks.iter().sum::<u32>(), ranks.clone()));
            sorted.dedup();
            assert_eq!(tuples, sorted);
            assert_eq!(Grades::new(sizes.to_vec()).len(), Some(tuples.len() as u64));
            let mut grades = Grades::new(sizes.to_vec());
            for (index, tuple) in tuples.iter().enumerate() {
                assert_eq!(grades.nth(index as u64).as_ref(), Some(tuple));
            }
            assert_eq!(grades.nth(tuples.len() as u64), None);
        }
    }

    #[test]
    fn long_orders_saturate_and_can_be_entered_far_behind() {
        let mut grades = Grades::new(vec![9; 300]);
        assert_eq!(grades.len(), None);
        let mut ranks = grades.nth(u64::MAX - 1).expect("there are more");
        grades.advance(&mut ranks);
        assert_eq!(grades.nth(u64::MAX), Some(ranks));
    }
}
