//! The strategy for a scalar, from the intervals of codes that comparisons with constants leave.
//!
//! One interval is a range of proptest, several are a `prop_oneof` of ranges: `v == 3 || 1000 <= v` is 3 half of the time.

use std::borrow::Cow;

use proptest::prelude::any;
use proptest::strategy::{SBoxedStrategy, Strategy, Union};

use super::Reach;
use crate::logic::int::Int;
use crate::logic::ir::FloatKind;
use crate::logic::value::Value;
use crate::space::{IntervalSet, LeafSort, Scalar, all_codes, code, domain, float_of_code};

/// The strategy for a scalar that has a code.
pub fn strategy(scalar: &Scalar, bound: u32, reach: Reach) -> SBoxedStrategy<Value> {
    let is_whole = scalar.codes == all_codes(scalar.sort);
    // Between two neighbours of `f32` are codes, and no number.
    if within_bound(scalar, bound).is_empty() && !is_whole {
        return strategy(&Scalar::plain(scalar.sort, all_codes(scalar.sort)), bound, reach);
    }
    let reach = match reach {
        Reach::Bounded => Reach::Bounded,
        Reach::Near if !is_range(scalar) => Reach::Bounded,
        Reach::Machine | Reach::Near | Reach::Any => Reach::Machine,
    };
    match (scalar.sort, reach) {
        (LeafSort::Bool | LeafSort::Enum(_), _) | (LeafSort::Char | LeafSort::Float(_), Reach::Bounded) => {
            proptest::sample::select(within_bound(scalar, bound)).sboxed()
        }
        (LeafSort::Int(_), Reach::Bounded) => {
            let values = within_bound(scalar, bound);
            ints(&IntervalSet::of_spans(values.iter().map(|value| (code(value), code(value))).collect()))
        }
        (LeafSort::Int(_), _) => ints(&scalar.codes),
        (LeafSort::Char, _) if is_whole => any::<char>().prop_map(Value::Char).sboxed(),
        (LeafSort::Char, _) => chars(&scalar.codes),
        (LeafSort::Float(kind), _) if is_whole => any_float(kind).prop_map(Value::Float).sboxed(),
        (LeafSort::Float(kind), _) => floats(kind, &scalar.codes),
    }
}

/// Whether the spec leaves a range with two ends. Zero is one, as the least value of an unsigned type.
fn is_range(scalar: &Scalar) -> bool {
    let all = all_codes(scalar.sort);
    let (own, all) = (scalar.codes.spans(), all.spans());
    let ends = own.first().zip(own.last()).zip(all.first().zip(all.last()));
    ends.is_some_and(|((first, last), (least, greatest))| {
        let is_zero = first.0.as_ref().is_some_and(Int::is_zero);
        last.1 != greatest.1 && (first.0 != least.0 || is_zero)
    })
}

/// The values of the space's domain, but for what only the judge or a regular expression knows of it.
fn within_bound(scalar: &Scalar, bound: u32) -> Vec<Value> {
    // No test reads a slot.
    domain(&Scalar { tests: Vec::new(), kinds: None, ..scalar.clone() }, bound, 0)
}

fn ints(codes: &IntervalSet) -> SBoxedStrategy<Value> {
    one_of(codes.spans().iter().filter_map(|(lo, hi)| {
        let (lo, hi) = (lo.as_ref()?, hi.as_ref()?);
        match (lo.to_i128(), hi.to_i128()) {
            (Some(lo), Some(hi)) => Some((lo..=hi).prop_map(|n| Value::Int(Int::from(n))).sboxed()),
            _ => {
                let range = lo.to_u128()?..=hi.to_u128()?;
                Some(range.prop_map(|n| Value::Int(Int::from(n))).sboxed())
            }
        }
    }))
}

fn chars(codes: &IntervalSet) -> SBoxedStrategy<Value> {
    let ranges = spans(codes).filter_map(|(lo, hi)| {
        let char = |code: i64| u32::try_from(code).ok().and_then(char::from_u32);
        Some(char(lo)?..=char(hi)?)
    });
    let ranges: Vec<_> = ranges.collect();
    proptest::char::ranges(Cow::Owned(ranges)).prop_map(Value::Char).sboxed()
}

/// Between two numbers, all of them alike. Where one side is open, any number, or, if that lies outside, as far inside from
/// the other end.
fn floats(kind: FloatKind, codes: &IntervalSet) -> SBoxedStrategy<Value> {
    one_of(spans(codes).map(|(lo, hi)| {
        let (lo, hi) = (float_of_code(lo), float_of_code(hi));
        if (hi - lo).is_finite() {
            return (lo..=hi).prop_map(move |x| Value::Float(kind.round(x))).sboxed();
        }
        let within = move |x: f64| match (lo.is_finite(), hi.is_finite()) {
            (true, false) => {
                if x < lo {
                    lo + (lo - x)
                } else {
                    x
                }
            }
            (false, true) => {
                if x > hi {
                    hi - (x - hi)
                } else {
                    x
                }
            }
            (true, true) => x.clamp(lo, hi),
            // A point.
            (false, false) => lo,
        };
        any_float(kind).prop_map(move |x| Value::Float(kind.round(within(x)))).sboxed()
    }))
}

fn any_float(kind: FloatKind) -> SBoxedStrategy<f64> {
    match kind {
        FloatKind::F32 => any::<f32>().prop_map(f64::from).sboxed(),
        FloatKind::F64 => any::<f64>().sboxed(),
    }
}

/// The ends of intervals of codes that fit a machine integer, as those of all scalars but integers do.
fn spans(codes: &IntervalSet) -> impl Iterator<Item = (i64, i64)> {
    codes.spans().iter().filter_map(|(lo, hi)| Some((lo.as_ref()?.to_i64()?, hi.as_ref()?.to_i64()?)))
}

/// Each of the strategies as often as the others.
fn one_of(strategies: impl Iterator<Item = SBoxedStrategy<Value>>) -> SBoxedStrategy<Value> {
    let mut strategies: Vec<_> = strategies.collect();
    match (strategies.pop(), strategies.is_empty()) {
        (Some(only), true) => only,
        (last, _) => Union::new(strategies.into_iter().chain(last)).sboxed(),
    }
}
