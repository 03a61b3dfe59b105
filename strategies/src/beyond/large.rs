//! Scalars of all magnitudes, for members that are larger than the space's.

use std::sync::Arc;

use super::constants::{AWKWARD_CHARS, Constants};
use crate::dice::Dice;
use crate::logic::int::Int;
use crate::logic::ir::{FloatKind, IntKind};
use crate::logic::value::Value;
use crate::space::{
    Candidates, FIRST_CHARS, IntervalSet, LeafSort, Scalar, code, codes_of, codes_of_kind, float_of_code,
};

/// Maximum number of usual values next to the others.
const FEW: usize = 5;

/// Maximum number of values of a block.
const MOST: usize = 96;

/// One of this many values is a constant of the spec or of the function's source.
const CONSTANT: usize = 4;

/// The same of characters: texts are read by few of them.
const CONSTANT_CHAR: usize = 2;

/// Number of bits of small numbers.
const SMALL_BITS: usize = 6;

/// The greatest lower bound of numbers among which there are small ones.
const SMALL_LEAST: u64 = 64;

/// Percentage of floats of usual magnitudes.
const USUAL_FLOATS: u64 = 50;

/// These magnitudes: from nano to a thousand yotta.
const USUAL_MAGNITUDES: (f64, f64) = (1e-9, 1e27);

/// Percentage of sizes that are small.
const SMALL_SIZES: u64 = 80;

/// The values of one block.
#[derive(Debug)]
pub(super) struct Magnitudes {
    pub(super) constants: Arc<Constants>,
    /// Number of elements that members of the block may have: with fewer values they couldn't be distinct.
    pub(super) n_elements: u64,
    pub(super) dice: Dice,
}

/// The kinds of values of a block.
#[derive(Clone, Copy)]
enum Style {
    /// The usual values: only the structure is large.
    Usual,
    /// Consecutive values from some value on.
    Consecutive,
    /// Values of all magnitudes, and a few usual ones.
    Mixed,
}

impl Candidates for Magnitudes {
    fn values(&self, scalar: &Scalar, usual: &[Value]) -> Vec<Value> {
        // All scalars of a block use the same random numbers, so that scalars of one type share values.
        let mut dice = self.dice.clone();
        let style = [Style::Usual, Style::Consecutive, Style::Mixed, Style::Mixed][dice.index(4)];
        let least = (2 * self.n_elements as usize).min(MOST);
        // With few values, equal elements follow each other.
        let n = [2, 4, 12, least.max(4)][dice.index(4)];
        match (scalar.sort, style) {
            (LeafSort::Bool | LeafSort::Enum(_), _) => usual.to_vec(),
            (_, Style::Usual) if self.n_elements > 1 => usual.to_vec(),
            (LeafSort::Int(_), Style::Consecutive) => consecutive(scalar, least.max(n), &mut dice),
            (_, Style::Usual | Style::Consecutive | Style::Mixed) => {
                let n_usual = dice.index(FEW + 1);
                let constant = if scalar.sort == LeafSort::Char { CONSTANT_CHAR } else { CONSTANT };
                let others = (0..n).filter_map(|_| match dice.index(constant) {
                    0 => self.constants.random(scalar, &mut dice).or_else(|| random(scalar, &mut dice)),
                    _ => random(scalar, &mut dice),
                });
                usual.iter().take(n_usual).cloned().chain(others).collect()
            }
        }
    }
}

/// The values that scalars have in the space.
#[derive(Debug)]
pub(super) struct Usual;

impl Candidates for Usual {
    fn values(&self, _: &Scalar, usual: &[Value]) -> Vec<Value> {
        usual.to_vec()
    }
}

/// Consecutive integers, the least of them the least natural number or integer, and small negative constants: structures are
/// planned with them.
#[derive(Debug)]
pub(super) struct Ranks {
    /// Number of integers.
    pub(super) n: u64,
    /// Number of integers of type `usize`, which may be sizes and indexes.
    pub(super) n_sizes: u64,
    pub(super) constants: Arc<Constants>,
}

/// The least of the small negative constants.
const LEAST_CONSTANT: i64 = -16;

impl Candidates for Ranks {
    fn values(&self, scalar: &Scalar, usual: &[Value]) -> Vec<Value> {
        match scalar.sort {
            LeafSort::Bool | LeafSort::Enum(_) | LeafSort::Char | LeafSort::Float(_) => usual.to_vec(),
            LeafSort::Int(_) => {
                let codes = &scalar.codes;
                let naturals = codes.intersect(&IntervalSet::at_least(Int::ZERO));
                let spans = if naturals.is_empty() { codes.spans() } else { naturals.spans() };
                let Some((Some(lo), hi)) = spans.first() else { return usual.to_vec() };
                let n = if scalar.sort == LeafSort::Int(IntKind::Usize) { self.n_sizes } else { self.n };
                let all = (0..n).map(|offset| lo + &Int::from(offset));
                let ranks = all.take_while(|n| hi.as_ref().is_none_or(|hi| n <= hi));
                let is_small = |n: &&Int| n.is_negative() && **n >= Int::from(LEAST_CONSTANT);
                let negative = self.constants.ints.iter().filter(is_small);
                let negative = negative.filter(|n| !lo.is_negative() && codes.contains(n)).cloned();
                ranks.chain(negative).map(Value::Int).collect()
            }
        }
    }
}

/// A random value of a scalar; `None` if it has none.
pub(super) fn random(scalar: &Scalar, dice: &mut Dice) -> Option<Value> {
    match scalar.sort {
        LeafSort::Bool | LeafSort::Enum(_) => None,
        LeafSort::Int(_) => Some(Value::Int(int(scalar, dice)?)),
        LeafSort::Char => char(scalar, dice).map(Value::Char),
        LeafSort::Float(kind) => {
            let greatest = match kind {
                FloatKind::F32 => f64::from(f32::MAX),
                FloatKind::F64 => f64::MAX,
            };
            let code = |x: f64| code(&Value::Float(x));
            let finite = IntervalSet::between(code(-greatest)?, code(greatest)?);
            let codes = codes_of_kind(kind, &scalar.codes).intersect(&finite);
            let usual = codes.intersect(&usual_floats()?);
            let codes = if !usual.is_empty() && dice.percent(USUAL_FLOATS) { usual } else { codes };
            let (lo, hi) = span(codes.spans(), dice)?;
            let (lo, hi) = (lo.to_i64()?, hi.to_i64()?);
            let width = hi.abs_diff(lo);
            let offset = if width == u64::MAX { dice.next_u64() } else { dice.next_u64() % (width + 1) };
            // Uniform in the order of floats, and so in magnitude; every second one with few decimals.
            let x = float_of_code(lo.wrapping_add(offset as i64));
            let short = (x * 100.0).round() / 100.0;
            let x = kind.round(if dice.percent(50) { short } else { x });
            x.is_finite().then_some(Value::Float(x))
        }
    }
}

/// The codes of floats of the magnitudes in which people count and measure.
fn usual_floats() -> Option<IntervalSet> {
    let (least, greatest) = USUAL_MAGNITUDES;
    let between =
        |a: f64, b: f64| Some(IntervalSet::between(code(&Value::Float(a))?, code(&Value::Float(b))?));
    Some(between(-greatest, -least)?.union(&between(least, greatest)?))
}

/// One of some intervals with bounds.
fn span(spans: &[(Option<Int>, Option<Int>)], dice: &mut Dice) -> Option<(Int, Int)> {
    let spans: Vec<(&Int, &Int)> = spans.iter().filter_map(|(lo, hi)| lo.as_ref().zip(hi.as_ref())).collect();
    let (lo, hi) = spans.get(dice.index(spans.len().max(1)))?;
    Some(((*lo).clone(), (*hi).clone()))
}

/// An integer that is uniform in a random interval of the range; `None` for other scalars.
pub(super) fn uniform(scalar: &Scalar, dice: &mut Dice) -> Option<Value> {
    match scalar.sort {
        LeafSort::Int(_) => {
            let (lo, hi) = span(scalar.codes.spans(), dice)?;
            let n = (&(&hi - &lo) + &Int::ONE).to_u128().unwrap_or(u128::MAX);
            Some(Value::Int(&lo + &Int::from(dice.below(n)?)))
        }
        LeafSort::Bool | LeafSort::Enum(_) | LeafSort::Char | LeafSort::Float(_) => None,
    }
}

/// A random integer: of any magnitude, or at any distance from an endpoint of the range.
pub(super) fn int(scalar: &Scalar, dice: &mut Dice) -> Option<Int> {
    let (lo, hi) = span(scalar.codes.spans(), dice)?;
    let width = (&hi - &lo).bits() as usize;
    let has_zero = lo <= Int::ZERO && hi >= Int::ZERO;
    let has_small = has_zero || lo > Int::ZERO && lo <= Int::from(SMALL_LEAST);
    let is_size = is_size(scalar);
    let bits = if is_size && has_small && dice.percent(SMALL_SIZES) {
        dice.index(width.min(SMALL_BITS) + 1)
    } else {
        // Every second number may be a position or a length, whatever the width of the type.
        let width = if has_small && dice.percent(50) { width.min(SMALL_BITS) } else { width };
        // Every fourth number has as many bits as it may.
        if dice.index(4) == 0 { width } else { dice.index(width + 1) }
    };
    let bits = bits as u32;
    let offset = bits_of(bits, dice);
    let n = match dice.index(8) {
        1 if !is_size => &hi - &offset,
        2.. if has_zero && lo.is_negative() && dice.percent(40) => -&offset,
        2.. if has_zero => offset,
        _ => &lo + &offset,
    };
    Some(n.clamp(lo, hi))
}

/// Whether a scalar may be a length or a position. Boundary cases have huge ones.
pub(super) fn is_size(scalar: &Scalar) -> bool {
    scalar.sort == LeafSort::Int(IntKind::Usize)
}

/// A random number with this many bits.
fn bits_of(bits: u32, dice: &mut Dice) -> Int {
    if bits == 0 {
        return Int::ZERO;
    }
    let random = (u128::from(dice.next_u64()) << 64) | u128::from(dice.next_u64());
    let kept = bits.min(128);
    let n = (random >> (128 - kept)) | (1 << (kept - 1));
    Int::from(n)
}

/// Consecutive integers from a random one on.
fn consecutive(scalar: &Scalar, n: usize, dice: &mut Dice) -> Vec<Value> {
    let Some((lo, hi)) = span(scalar.codes.spans(), dice) else { return Vec::new() };
    let has_zero = lo <= Int::ZERO && hi >= Int::ZERO;
    let first = match dice.index(4) {
        0 | 1 if has_zero => Int::ZERO,
        0 | 1 => lo.clone(),
        _ if is_size(scalar) => int(scalar, dice).unwrap_or(Int::ZERO),
        2 => int(scalar, dice).unwrap_or(Int::ZERO),
        _ => &hi - &Int::from(n as u64),
    };
    let first = if first < lo { lo } else { first };
    (0..n as u64).map(|offset| &first + &Int::from(offset)).filter(|n| *n <= hi).map(Value::Int).collect()
}

/// A random character: the letters, digits and signs of ASCII are as likely as all others. One in eight is a
/// character that often breaks text handling, or a usual one.
fn char(scalar: &Scalar, dice: &mut Dice) -> Option<char> {
    let codes = match &scalar.kinds {
        None => scalar.codes.clone(),
        Some(kinds) => {
            let lists: Vec<_> = kinds.iter().filter(|kinds| !kinds.is_empty()).collect();
            let list = lists.get(dice.index(lists.len().max(1)))?;
            let kind = &list[dice.index(list.len())..][..1];
            codes_of(kind).intersect(&scalar.codes)
        }
    };
    let ascii = codes.intersect(&crate::space::ascii_codes());
    let special =
        FIRST_CHARS.into_iter().chain(AWKWARD_CHARS).filter(|c| codes.contains(&Int::from(u32::from(*c))));
    match dice.index(8) {
        0 => {
            let special: Vec<char> = special.collect();
            special.get(dice.index(special.len().max(1))).copied()
        }
        1..=4 if !ascii.is_empty() => of_span(span(ascii.spans(), dice)?, dice),
        _ => of_span(span(codes.spans(), dice)?, dice),
    }
}

fn of_span((lo, hi): (Int, Int), dice: &mut Dice) -> Option<char> {
    let (lo, hi) = (lo.to_u64()?, hi.to_u64()?);
    char::from_u32((lo + dice.below((hi - lo + 1).into())? as u64) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(least: f64, greatest: f64) -> Vec<f64> {
        let code = |x: f64| code(&Value::Float(x)).expect("it is a number");
        let scalar =
            Scalar::plain(LeafSort::Float(FloatKind::F64), IntervalSet::between(code(least), code(greatest)));
        let mut dice = Dice::new(1, 2);
        let mut float = || match random(&scalar, &mut dice) {
            Some(Value::Float(x)) => x,
            other => panic!("{other:?}"),
        };
        (0..400).map(|_| float()).collect()
    }

    #[test]
    fn many_floats_have_usual_magnitudes_and_many_others() {
        let all = floats(-f64::MAX, f64::MAX);
        let n_kilo = all.iter().filter(|x| (1e3..1e6).contains(&x.abs())).count();
        let n_huge = all.iter().filter(|x| x.abs() > 1e30).count();
        assert!(n_kilo >= 8 && n_huge >= 40, "{n_kilo} {n_huge}");
        assert!(floats(1e-300, 1e-200).iter().all(|x| *x <= 1e-200));
    }
}
