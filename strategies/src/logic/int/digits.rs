//! Magnitudes: natural numbers as digits to the base 2^32, the least significant first, without leading zeros.

use std::cmp::Ordering;

/// A natural number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Digits(Vec<u32>);

impl Digits {
    pub fn from_u128(n: u128) -> Digits {
        Digits((0..4).map(|index| (n >> (32 * index)) as u32).collect()).trimmed()
    }

    pub fn power_of_two(exponent: u32) -> Digits {
        let mut digits = vec![0; exponent as usize / 32];
        digits.push(1 << (exponent % 32));
        Digits(digits)
    }

    fn trimmed(mut self) -> Digits {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|n| u64::try_from(n).ok())
    }

    pub fn to_u128(&self) -> Option<u128> {
        let join = |high, &digit| (high << 32) | u128::from(digit);
        (self.0.len() <= 4).then(|| self.0.iter().rev().fold(0, join))
    }

    pub fn is_odd(&self) -> bool {
        self.0.first().is_some_and(|digit| digit & 1 == 1)
    }

    /// The number of bits; 1 for zero.
    pub fn bits(&self) -> u64 {
        match self.0.last() {
            None => 1,
            Some(top) => self.0.len() as u64 * 32 - u64::from(top.leading_zeros()),
        }
    }

    pub fn add(&self, other: &Digits) -> Digits {
        let (long, short) = if self.0.len() >= other.0.len() { (self, other) } else { (other, self) };
        let mut sum = Vec::with_capacity(long.0.len() + 1);
        let mut carry = 0;
        for (index, &digit) in long.0.iter().enumerate() {
            carry += u64::from(digit) + u64::from(short.0.get(index).copied().unwrap_or(0));
            sum.push(carry as u32);
            carry >>= 32;
        }
        sum.push(carry as u32);
        Digits(sum).trimmed()
    }

    /// The difference; `other` is at most `self`.
    pub fn subtract(&self, other: &Digits) -> Digits {
        let mut difference = Vec::with_capacity(self.0.len());
        let mut borrow = 0;
        for (index, &digit) in self.0.iter().enumerate() {
            let taken = i64::from(digit) - i64::from(other.0.get(index).copied().unwrap_or(0)) - borrow;
            borrow = i64::from(taken < 0);
            difference.push(taken as u32);
        }
        Digits(difference).trimmed()
    }

    pub fn multiply(&self, other: &Digits) -> Digits {
        let mut product = vec![0_u32; self.0.len() + other.0.len()];
        for (index, &digit) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (offset, &factor) in other.0.iter().enumerate() {
                let digit_out = &mut product[index + offset];
                carry += u64::from(digit) * u64::from(factor) + u64::from(*digit_out);
                *digit_out = carry as u32;
                carry >>= 32;
            }
            product[index + other.0.len()] = carry as u32;
        }
        Digits(product).trimmed()
    }

    /// Multiplies by a small factor and adds a small summand, in place.
    pub fn multiply_add(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for digit in &mut self.0 {
            carry += u64::from(*digit) * u64::from(factor);
            *digit = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Quotient and remainder; `None` for a zero divisor. Works bit by bit: such numbers are rare and short here.
    pub fn div_rem(&self, divisor: &Digits) -> Option<(Digits, Digits)> {
        if let &[small] = divisor.0.as_slice() {
            let (quotient, remainder) = self.div_rem_small(small);
            return Some((quotient, Digits::from_u128(remainder.into())));
        }
        if divisor.0.is_empty() {
            return None;
        }
        let mut quotient = vec![0_u32; self.0.len()];
        let mut remainder = Digits(Vec::new());
        for position in (0..self.0.len() * 32).rev() {
            let bit = (self.0[position / 32] >> (position % 32)) & 1;
            remainder.multiply_add(2, bit);
            if remainder.cmp(divisor) != Ordering::Less {
                remainder = remainder.subtract(divisor);
                quotient[position / 32] |= 1 << (position % 32);
            }
        }
        Some((Digits(quotient).trimmed(), remainder.trimmed()))
    }

    fn div_rem_small(&self, divisor: u32) -> (Digits, u32) {
        let mut quotient = vec![0; self.0.len()];
        let mut remainder = 0_u64;
        for (index, &digit) in self.0.iter().enumerate().rev() {
            remainder = (remainder << 32) | u64::from(digit);
            quotient[index] = (remainder / u64::from(divisor)) as u32;
            remainder %= u64::from(divisor);
        }
        (Digits(quotient).trimmed(), remainder as u32)
    }

    pub fn to_decimal(&self) -> String {
        const CHUNK: u32 = 1_000_000_000;
        let mut rest = self.clone();
        let mut chunks = Vec::new();
        while !rest.0.is_empty() {
            let (quotient, chunk) = rest.div_rem_small(CHUNK);
            chunks.push(chunk);
            rest = quotient;
        }
        let Some(top) = chunks.pop() else { return "0".to_owned() };
        let lower = chunks.iter().rev().map(|chunk| format!("{chunk:09}"));
        std::iter::once(top.to_string()).chain(lower).collect()
    }
}

impl Ord for Digits {
    fn cmp(&self, other: &Digits) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Digits {
    fn partial_cmp(&self, other: &Digits) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
