//! An order of the members of a counted class in which neighbours in time are far apart.
//!
//! The members of a class are listed in lexicographic order, and neighbours are alike. Here the numbers of a class are
//! cut into blocks. First comes one number of each block, then the rest of each block. The blocks come in steps of the
//! golden ratio, which are spread evenly at any time (Weyl's equidistribution). Each number comes exactly once, and
//! most of them come in runs, which are cheap to list.

use crate::dice::Dice;

/// Maximum number of members of a block.
const LONGEST: u128 = 256;

/// Number of blocks that a class has before its blocks get longer than one member.
const BLOCKS: u128 = 4096;

/// Number of blocks that come before the one with the first member: its members are the plainest ones.
const FIRST_BLOCK: u128 = 3;

/// The order of a class.
#[derive(Clone, Debug)]
pub struct Spread {
    /// Number of members.
    total: u128,
    /// The number of the first member.
    first: u128,
    /// Number of blocks.
    n_blocks: u128,
    /// Number of members of each block. The members after the last block come at the end.
    len: u128,
    /// Distance of consecutive blocks; it has no common divisor with their number.
    stride: u128,
}

impl Spread {
    /// The order of so many members, from a number on.
    pub fn new(total: u128, first: u128) -> Spread {
        let len = (total / BLOCKS).clamp(1, LONGEST);
        let n_blocks = total / len;
        // An approximation of the golden ratio by 64 bits.
        let golden = 0x9E37_79B9_7F4A_7C15_u128;
        let mut stride =
            if n_blocks >> 64 == 0 { (n_blocks * golden) >> 64 } else { (n_blocks >> 64) * golden };
        stride = stride.max(1);
        while gcd(stride, n_blocks) > 1 {
            stride += 1;
        }
        Spread { total, first, n_blocks, len, stride }
    }

    /// The number of the member that comes at an index below the total.
    pub fn number(&self, index: u128) -> u128 {
        let Spread { n_blocks, len, .. } = *self;
        let (block, offset) = if index < n_blocks {
            let block = self.block(index);
            (block, self.first_of(block))
        } else if index < n_blocks * len {
            let (turn, offset) = ((index - n_blocks) / (len - 1), (index - n_blocks) % (len - 1));
            let block = self.block(turn);
            (block, offset + u128::from(offset >= self.first_of(block)))
        } else {
            return self.first.saturating_add(index.min(self.total));
        };
        self.first.saturating_add(block * len + offset)
    }

    /// The block whose turn it is. The first block, where all choices are the least, has the fourth turn.
    fn block(&self, turn: u128) -> u128 {
        let turn = (turn + self.n_blocks - FIRST_BLOCK % self.n_blocks) % self.n_blocks;
        multiply(turn, self.stride, self.n_blocks)
    }

    /// The offset of the member of a block that comes first. The first member of the class is one of them.
    fn first_of(&self, block: u128) -> u128 {
        if block == 0 { 0 } else { u128::from(Dice::new(block as u64, 0).next_u64()) % self.len }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `a * b % n` without overflow.
fn multiply(mut a: u128, mut b: u128, n: u128) -> u128 {
    if let Some(product) = a.checked_mul(b) {
        return product % n;
    }
    let add = |a: u128, b: u128| if a >= n - b { a - (n - b) } else { a + b };
    let mut sum = 0;
    (a, b) = (a % n, b % n);
    while b > 0 {
        if b & 1 == 1 {
            sum = add(sum, a);
        }
        a = add(a, a);
        b >>= 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_number_comes_once() {
        for total in [1, 2, 3, 10, 255, 4095, 4096, 4097, 8191, 8192, 8193, 100_003, 1 << 20, (1 << 20) + 77]
        {
            let spread = Spread::new(total, 0);
            let numbers: BTreeSet<u128> = (0..total).map(|index| spread.number(index)).collect();
            assert_eq!(numbers.len() as u128, total);
            assert_eq!((numbers.first(), numbers.last()), (Some(&0), Some(&(total - 1))));
            assert_eq!(spread.number(FIRST_BLOCK % spread.n_blocks), 0);
        }
    }

    #[test]
    fn the_first_numbers_come_from_all_parts_of_a_class() {
        for total in [100, 5000, 1 << 30, 1 << 70, u128::MAX] {
            let spread = Spread::new(total, 0);
            let parts: BTreeSet<u128> = (0..32).map(|index| spread.number(index) / (total / 8 + 1)).collect();
            assert_eq!(parts.len(), 8, "{total}");
        }
    }

    #[test]
    fn most_of_a_large_class_comes_in_runs() {
        let spread = Spread::new(1 << 24, 0);
        let next = |index: &u128| spread.number(index + 1) == spread.number(*index) + 1;
        let indices = (1 << 20)..(1 << 20) + 10_000;
        assert!(indices.clone().filter(next).count() > 9_800);
    }
}
