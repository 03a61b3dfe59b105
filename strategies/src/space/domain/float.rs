//! The floats of a domain: integers and halves, small first. Codes are those of `f64`; an `f32` has some of them.

use std::cmp::Ordering;

use super::{FEW, order};
use crate::logic::int::Int;
use crate::logic::ir::FloatKind;
use crate::logic::value::Value;
use crate::space::facts::{float_code, float_of_code};
use crate::space::interval::IntervalSet;

/// The domain of a float leaf with these codes, in the order of [`order`].
pub fn floats(kind: FloatKind, codes: &IntervalSet, bound: u32) -> Vec<f64> {
    let codes = &codes_of_kind(kind, codes);
    if let Some(few) = few(kind, codes) {
        return few;
    }
    let edge = f64::from(bound);
    let usual =
        codes.intersect(&IntervalSet::between(Int::from(float_code(-edge)), Int::from(float_code(edge))));
    let values = nearest_halves(kind, &codes_of_kind(kind, &usual), 4 * bound as usize + 2);
    if values.len() >= bound.max(1) as usize {
        return values;
    }
    let values = nearest_halves(kind, codes, bound as usize + 1);
    if values.is_empty() { some_floats(kind, codes, bound as usize + 1) } else { values }
}

/// The code of the next, or of the previous, float of a kind, for a code of that kind.
fn neighbour(kind: FloatKind, code: i64, upwards: bool) -> i64 {
    let step = if upwards { 1 } else { -1 };
    match kind {
        FloatKind::F64 => code.saturating_add(step),
        FloatKind::F32 => {
            let rounded = f32_code(float_of_code(code) as f32).saturating_add(step as i32);
            float_code(f64::from(f32_of_code(rounded)))
        }
    }
}

/// [`float_code`] among the numbers of `f32`.
fn f32_code(x: f32) -> i32 {
    let bits = x.to_bits() as i32;
    if bits < 0 { i32::MIN.wrapping_sub(bits).wrapping_sub(1) } else { bits }
}

fn f32_of_code(code: i32) -> f32 {
    let bits = if code < 0 { i32::MIN.wrapping_sub(code).wrapping_sub(1) } else { code };
    f32::from_bits(bits as u32)
}

/// Narrows intervals so that they start and end with floats of the kind. All of them have bounds.
pub fn codes_of_kind(kind: FloatKind, codes: &IntervalSet) -> IntervalSet {
    if kind == FloatKind::F64 {
        return codes.clone();
    }
    spans(codes).fold(IntervalSet::none(), |set, (low, high)| {
        let nearest = |code| float_code(kind.round(float_of_code(code)));
        let (mut first, mut last) = (nearest(low), nearest(high));
        if first < low {
            first = neighbour(kind, first, true);
        }
        if last > high {
            last = neighbour(kind, last, false);
        }
        if first > last { set } else { set.union(&IntervalSet::between(Int::from(first), Int::from(last))) }
    })
}

fn spans(codes: &IntervalSet) -> impl Iterator<Item = (i64, i64)> {
    codes.spans().iter().filter_map(|(low, high)| Some((low.as_ref()?.to_i64()?, high.as_ref()?.to_i64()?)))
}

/// All floats of the kind, if there are few.
fn few(kind: FloatKind, codes: &IntervalSet) -> Option<Vec<f64>> {
    let mut few = Vec::new();
    for (low, high) in spans(codes) {
        let mut code = low;
        while code <= high {
            if few.len() as u64 == FEW {
                return None;
            }
            few.push(float_of_code(code));
            code = neighbour(kind, code, true);
        }
    }
    few.sort_by(float_order);
    Some(few)
}

fn nearest_halves(kind: FloatKind, codes: &IntervalSet, n: usize) -> Vec<f64> {
    let mut positive = halves(kind, codes).peekable();
    // The float with code c has the same magnitude as the float with code -c - 1.
    let mirrored = spans(codes).fold(IntervalSet::none(), |set, (low, high)| {
        set.union(&IntervalSet::between(Int::from(-1 - high), Int::from(-1 - low)))
    });
    let mut negative = halves(kind, &mirrored).map(|x| -x).peekable();
    let mut values = Vec::new();
    while values.len() < n {
        let next = match (positive.peek(), negative.peek()) {
            (Some(a), Some(b)) if float_order(b, a).is_lt() => negative.next(),
            (None, _) => negative.next(),
            _ => positive.next(),
        };
        let Some(next) = next else { break };
        values.push(next);
    }
    values
}

/// The multiples of one half from 0.0 on, ascending.
fn halves(kind: FloatKind, codes: &IntervalSet) -> impl Iterator<Item = f64> {
    let positive = codes.intersect(&IntervalSet::at_least(Int::from(0)));
    let spans: Vec<(f64, f64)> =
        spans(&positive).map(|(low, high)| (float_of_code(low), float_of_code(high))).collect();
    // From this magnitude on, every number of the kind is an integer.
    let all_integers = match kind {
        FloatKind::F32 => 8_388_608.0,
        FloatKind::F64 => 4_503_599_627_370_496.0,
    };
    spans.into_iter().flat_map(move |(low, high)| {
        let first = if low < all_integers { (low * 2.0).ceil() / 2.0 } else { low };
        let next = move |x: &f64| {
            Some(if *x < all_integers {
                x + 0.5
            } else {
                float_of_code(neighbour(kind, float_code(*x), true))
            })
        };
        std::iter::successors(Some(first), next).take_while(move |x| *x <= high && x.is_finite())
    })
}

/// Endpoints and middles of intervals, for ranges without multiples of one half.
fn some_floats(kind: FloatKind, codes: &IntervalSet, n: usize) -> Vec<f64> {
    let mut values: Vec<f64> = Vec::new();
    for (low, high) in spans(codes) {
        let (low, high) = (float_of_code(low), float_of_code(high));
        for x in [kind.round(low / 2.0 + high / 2.0), low, high] {
            let inside = low <= x && x <= high && x.is_finite();
            if inside && values.len() < n && !values.iter().any(|y| y.to_bits() == x.to_bits()) {
                values.push(x);
            }
        }
    }
    values.sort_by(float_order);
    values
}

fn float_order(a: &f64, b: &f64) -> Ordering {
    order(&Value::Float(*a), &Value::Float(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(low: f64, high: f64) -> IntervalSet {
        IntervalSet::between(Int::from(float_code(low)), Int::from(float_code(high)))
    }

    #[test]
    fn every_value_is_one_of_the_kind() {
        let tiny = f64::from(f32::from_bits(1));
        let ranges = [
            (-1e300, 1e300),
            (0.1, 0.2),
            (-0.3, -0.1),
            (1e-320, 1e-310),
            (8_388_607.2, 8_388_700.3),
            (16_777_217.0, 16_777_217.0),
            (1e39, f64::INFINITY),
            (-tiny, tiny),
            (f64::NEG_INFINITY, f64::INFINITY),
        ];
        for (low, high) in ranges {
            let codes = between(low, high);
            for bound in [0, 1, 4, 10_000_000] {
                if bound > 4 && low < 0.0 {
                    continue;
                }
                let values = floats(FloatKind::F32, &codes, bound);
                assert!(values.iter().all(|x| FloatKind::F32.contains(*x)), "{low} {high}");
                assert!(values.iter().all(|x| low <= *x && *x <= high), "{low} {high}");
                assert!(values.is_sorted_by(|a, b| float_order(a, b).is_lt()), "{low} {high}");
            }
        }
    }

    #[test]
    fn few_means_few_of_the_kind() {
        let close = between(0.1, f64::from(0.1f32).next_up());
        assert_eq!(floats(FloatKind::F32, &close, 4), [f64::from(0.1f32)]);
        assert!(few(FloatKind::F64, &close).is_none());
        assert_eq!(floats(FloatKind::F32, &between(0.1, 0.1), 4), []);
        assert_eq!(floats(FloatKind::F64, &between(0.1, 0.1), 4), [0.1]);
        let zeros = floats(FloatKind::F32, &between(-1e-320, 1e-320), 4);
        assert!(zeros.len() == 2 && zeros[0].is_sign_positive() && zeros[1].is_sign_negative());
        assert_eq!(floats(FloatKind::F32, &between(1e39, f64::INFINITY), 4), [f64::INFINITY]);
    }
}
