//! Integers of any size: machine words if they fit, digits otherwise.
//!
//! The logic's integers are mathematical, so the judge and the generators need them. The harness has no dependencies,
//! so the type is implemented here. Nearly all values fit an `i64` and never need digits.

mod digits;

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use crate::logic::machine::{FloatKind, IntKind};
use digits::Digits;

/// Maximum length of a result of [`Int::pow`], in bits.
const POW_BITS: u64 = 1 << 20;

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Int {
    /// A number that fits an `i64`. Such numbers are always stored so.
    Small(i64),
    /// A number that doesn't.
    Big(Box<Big>),
}

/// An integer that does not fit an `i64`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Big {
    negative: bool,
    magnitude: Digits,
}

impl Int {
    /// 0
    pub const ZERO: Int = Int::Small(0);
    /// 1
    pub const ONE: Int = Int::Small(1);

    fn from_parts(negative: bool, magnitude: Digits) -> Int {
        if let Some(small) = magnitude.to_u64() {
            if !negative && small <= i64::MAX as u64 {
                return Int::Small(small as i64);
            }
            if negative && small <= 1 << 63 {
                return Int::Small((small as i64).wrapping_neg());
            }
        }
        Int::Big(Box::new(Big { negative, magnitude }))
    }

    fn parts(&self) -> (bool, Digits) {
        match self {
            Int::Small(n) => (*n < 0, Digits::from_u128(n.unsigned_abs().into())),
            Int::Big(big) => (big.negative, big.magnitude.clone()),
        }
    }

    /// The number as an `i64`, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Int::Small(n) => Some(*n),
            Int::Big(_) => None,
        }
    }

    /// The number as a `u64`, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|n| u64::try_from(n).ok())
    }

    /// The number as a `usize`, if it fits.
    pub fn to_usize(&self) -> Option<usize> {
        match self {
            Int::Small(n) => usize::try_from(*n).ok(),
            Int::Big(_) => self.to_u64().and_then(|n| usize::try_from(n).ok()),
        }
    }

    /// The number as an `i128`, if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        match self {
            Int::Small(n) => Some((*n).into()),
            Int::Big(big) => {
                let magnitude = big.magnitude.to_u128()?;
                if big.negative {
                    (magnitude <= 1 << 127).then(|| (magnitude as i128).wrapping_neg())
                } else {
                    i128::try_from(magnitude).ok()
                }
            }
        }
    }

    /// The number as a `u128`, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match self {
            Int::Small(n) => u128::try_from(*n).ok(),
            Int::Big(big) if big.negative => None,
            Int::Big(big) => big.magnitude.to_u128(),
        }
    }

    /// The nearest `f64`, as computed by `as`.
    pub fn to_f64(&self) -> f64 {
        match (self, self.to_i128()) {
            (Int::Small(n), _) => *n as f64,
            (_, Some(n)) => n as f64,
            // Parsing rounds to the nearest.
            _ => self.to_string().parse().unwrap_or(f64::NAN),
        }
    }

    /// The nearest number of a float type.
    pub fn to_float(&self, kind: FloatKind) -> f64 {
        match (kind, self, self.to_i128()) {
            (FloatKind::F64, ..) => self.to_f64(),
            // A conversion through `f64` would round twice.
            (FloatKind::F32, Int::Small(n), _) => f64::from(*n as f32),
            (FloatKind::F32, _, Some(n)) => f64::from(n as f32),
            (FloatKind::F32, ..) => self.to_string().parse::<f32>().map_or(f64::NAN, f64::from),
        }
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        match self {
            Int::Small(n) => *n < 0,
            Int::Big(big) => big.negative,
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        *self == Int::ZERO
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The quotient and the remainder, truncated towards zero; `None` for a zero divisor.
    pub fn div_rem(&self, divisor: &Int) -> Option<(Int, Int)> {
        if let (Int::Small(a), Int::Small(b)) = (self, divisor) {
            if *b == 0 {
                return None;
            }
            if let (Some(quotient), Some(remainder)) = (a.checked_div(*b), a.checked_rem(*b)) {
                return Some((Int::Small(quotient), Int::Small(remainder)));
            }
        }
        let ((negative, a), (divisor_negative, b)) = (self.parts(), divisor.parts());
        let (quotient, remainder) = a.div_rem(&b)?;
        Some((Int::from_parts(negative != divisor_negative, quotient), Int::from_parts(negative, remainder)))
    }

    /// `a / b` truncated towards zero; `None` for `b == 0`.
    pub fn div_trunc(&self, divisor: &Int) -> Option<Int> {
        self.div_rem(divisor).map(|(quotient, _)| quotient)
    }

    /// `a % b` with the sign of `a`; `None` for `b == 0`.
    pub fn rem_trunc(&self, divisor: &Int) -> Option<Int> {
        self.div_rem(divisor).map(|(_, remainder)| remainder)
    }

    /// The quotient for which the remainder is not negative; `None` for `b == 0`.
    pub fn div_euclid(&self, divisor: &Int) -> Option<Int> {
        let (quotient, remainder) = self.div_rem(divisor)?;
        Some(match (remainder.is_negative(), divisor.is_negative()) {
            (false, _) => quotient,
            (true, false) => &quotient - &Int::ONE,
            (true, true) => &quotient + &Int::ONE,
        })
    }

    /// The remainder that is not negative; `None` for `b == 0`.
    pub fn rem_euclid(&self, divisor: &Int) -> Option<Int> {
        let remainder = self.rem_trunc(divisor)?;
        Some(if remainder.is_negative() { &remainder + &divisor.abs() } else { remainder })
    }

    /// `a` to the power `b`; `None` if `b < 0`, or if the result is longer than 2^20 bits.
    pub fn pow(&self, exponent: &Int) -> Option<Int> {
        if exponent.is_negative() {
            return None;
        }
        if let Int::Small(base @ -1..=1) = self {
            let odd = exponent.parts().1.is_odd();
            return Some(match (base, exponent.is_zero()) {
                (_, true) => Int::ONE,
                (-1, false) if !odd => Int::ONE,
                _ => Int::Small(*base),
            });
        }
        let mut left = u32::try_from(exponent.to_u64()?).ok()?;
        if u64::from(left) * (self.parts().1.bits() - 1) > POW_BITS {
            return None;
        }
        let (mut result, mut square) = (Int::ONE, self.clone());
        while left > 0 {
            if left & 1 == 1 {
                result = &result * &square;
            }
            left >>= 1;
            if left > 0 {
                square = &square * &square;
            }
        }
        Some(result)
    }

    /// The number wrapped into a machine type's range.
    pub fn wrap(&self, kind: IntKind) -> Int {
        if kind.contains(self) {
            return self.clone();
        }
        let modulus = Int::power_of_two(kind.bits());
        let low = self.rem_euclid(&modulus).expect("a power of two is not zero");
        if kind.is_signed() && low > kind.max_value() { &low - &modulus } else { low }
    }

    /// The length of the magnitude in bits; 0 for zero.
    pub fn bits(&self) -> u64 {
        match self {
            Int::Small(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
            Int::Big(big) => big.magnitude.bits(),
        }
    }

    /// Two to the given power.
    pub fn power_of_two(exponent: u32) -> Int {
        Int::from_parts(false, Digits::power_of_two(exponent))
    }

    /// The number with these digits in the given radix (2 to 36), after an optional sign.
    pub fn parse(text: &str, radix: u32) -> Option<Int> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if digits.is_empty() {
            return None;
        }
        let mut magnitude = Digits::from_u128(0);
        for digit in digits.chars() {
            magnitude.multiply_add(radix, digit.to_digit(radix)?);
        }
        Some(Int::from_parts(negative && magnitude.to_u64() != Some(0), magnitude))
    }
}

impl IntKind {
    /// The least value of the type.
    pub fn min_value(self) -> Int {
        if self.is_signed() { -&Int::power_of_two(self.bits() - 1) } else { Int::ZERO }
    }

    /// The greatest value of the type.
    pub fn max_value(self) -> Int {
        &Int::power_of_two(self.bits() - u32::from(self.is_signed())) - &Int::ONE
    }

    /// Whether the number is a value of the type.
    pub fn contains(self, n: &Int) -> bool {
        match n {
            Int::Small(n) => {
                let (bits, n) = (self.bits(), i128::from(*n));
                if self.is_signed() {
                    bits >= 64 || (-(1_i128 << (bits - 1))..1_i128 << (bits - 1)).contains(&n)
                } else {
                    n >= 0 && (bits >= 64 || n < 1_i128 << bits)
                }
            }
            Int::Big(_) => *n >= self.min_value() && *n <= self.max_value(),
        }
    }
}

macro_rules! from_machine {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Int {
            fn from(n: $kind) -> Int {
                match i64::try_from(n) {
                    Ok(small) => Int::Small(small),
                    #[allow(unused_comparisons, reason = "false for the unsigned ones")]
                    Err(_) => Int::from_parts(n < 0, Digits::from_u128(magnitude!(n))),
                }
            }
        }
    )*};
}

macro_rules! magnitude {
    ($n:expr) => {
        match i128::try_from($n) {
            Ok(n) => n.unsigned_abs(),
            Err(_) => $n as u128,
        }
    };
}

from_machine!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

impl Add for &Int {
    type Output = Int;
    fn add(self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            return Int::Small(sum);
        }
        let ((negative, a), (other_negative, b)) = (self.parts(), other.parts());
        if negative == other_negative {
            return Int::from_parts(negative, a.add(&b));
        }
        match a.cmp(&b) {
            Ordering::Less => Int::from_parts(other_negative, b.subtract(&a)),
            Ordering::Equal => Int::ZERO,
            Ordering::Greater => Int::from_parts(negative, a.subtract(&b)),
        }
    }
}

impl Sub for &Int {
    type Output = Int;
    fn sub(self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(difference) = a.checked_sub(*b)
        {
            return Int::Small(difference);
        }
        self + &-other
    }
}

impl Mul for &Int {
    type Output = Int;
    fn mul(self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            return Int::Small(product);
        }
        let ((negative, a), (other_negative, b)) = (self.parts(), other.parts());
        let product = a.multiply(&b);
        Int::from_parts(negative != other_negative && product.to_u64() != Some(0), product)
    }
}

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        if let Int::Small(n) = self
            && let Some(negated) = n.checked_neg()
        {
            return Int::Small(negated);
        }
        let (negative, magnitude) = self.parts();
        Int::from_parts(!negative, magnitude)
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            (Int::Big(big), Int::Small(_)) => {
                if big.negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Int::Small(_), Int::Big(big)) => {
                if big.negative {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Int::Big(a), Int::Big(b)) => match (a.negative, b.negative) {
                (false, true) => Ordering::Greater,
                (true, false) => Ordering::Less,
                (false, false) => a.magnitude.cmp(&b.magnitude),
                (true, true) => b.magnitude.cmp(&a.magnitude),
            },
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Int::Small(n) => n.fmt(out),
            Int::Big(big) => out.pad_integral(!big.negative, "", &big.magnitude.to_decimal()),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::str::FromStr for Int {
    type Err = String;
    fn from_str(text: &str) -> Result<Int, String> {
        Int::parse(text, 10).ok_or_else(|| format!("`{text}` is no integer"))
    }
}

#[cfg(test)]
mod tests;
