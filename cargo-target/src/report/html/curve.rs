//! The growth of counts, compressed for a page with a thousand functions: points of one round, or medians and ranges of
//! several.

use serde::Serialize;

use super::spread::{number, rounded};
use crate::events::{FunctionFinished, PointEvent};
use crate::report::rounds::Spread;

/// Number of points in a plot of one round: enough for a smooth line.
const POINTS: usize = 64;

/// Number of points in a plot of several rounds; each has a median and a range.
const MEDIANS: usize = 32;

/// The growth of a generator's counts.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Curve {
    /// One round; each point has seconds, cases, valid, distinct.
    Round(Vec<[serde_json::Number; 4]>),
    /// Several rounds; each point has the seconds or the cases, then valid and distinct, each with median, minimum and
    /// maximum.
    Rounds { seconds: Vec<[serde_json::Number; 7]>, cases: Vec<[serde_json::Number; 7]> },
}

impl Curve {
    /// The curve of a generator's rounds.
    pub fn new(rounds: &[&FunctionFinished]) -> Curve {
        if let [round] = rounds {
            let row = |point: &PointEvent| {
                let counts = [point.cases, point.valid, point.distinct].map(Into::into);
                let [cases, valid, distinct] = counts;
                [number(rounded(point.seconds)), cases, valid, distinct]
            };
            return Curve::Round(thinned(&round.curve, POINTS).map(row).collect());
        }
        let curves: Vec<&[PointEvent]> =
            rounds.iter().map(|round| &*round.curve).filter(|curve| !curve.is_empty()).collect();
        Curve::Rounds {
            seconds: medians(&curves, |point| point.seconds),
            cases: medians(&curves, |point| point.cases as f64),
        }
    }
}

/// Some of the points, including the first and the last.
pub fn thinned<P>(points: &[P], wanted: usize) -> impl Iterator<Item = &P> {
    let n = points.len().min(wanted);
    (0..n).map(move |index| &points[index * (points.len() - 1) / (n - 1).max(1)])
}

/// The medians and ranges over rounds, at positions that are evenly spaced on a logarithmic axis.
fn medians(curves: &[&[PointEvent]], coordinate: fn(&PointEvent) -> f64) -> Vec<[serde_json::Number; 7]> {
    let coordinates = || {
        curves.iter().flat_map(|curve| curve.iter().map(coordinate)).filter(|coordinate| *coordinate > 0.0)
    };
    let (first, last) = (coordinates().fold(f64::INFINITY, f64::min), coordinates().fold(0.0, f64::max));
    if first > last {
        return Vec::new();
    }
    let step = (last / first).ln() / (MEDIANS - 1) as f64;
    let at = |index: usize| if index == MEDIANS - 1 { last } else { first * (step * index as f64).exp() };
    let n = if step > 0.0 { MEDIANS } else { 1 };
    let row = |index: usize| {
        let here = at(if n == 1 { MEDIANS - 1 } else { index });
        let spread = |count: fn(&PointEvent) -> u64| {
            let counts = curves.iter().map(|curve| count_at(curve, here, coordinate, count)).collect();
            let Spread { median, least, greatest } = Spread::of(counts)?;
            Some([median, least, greatest].map(|count| number(count.round())))
        };
        let zero = || [0, 0, 0].map(Into::into);
        let [valid, low, high] = spread(|point| point.valid).unwrap_or_else(zero);
        let [distinct, low_distinct, high_distinct] = spread(|point| point.distinct).unwrap_or_else(zero);
        [number(rounded(here)), valid, low, high, distinct, low_distinct, high_distinct]
    };
    (0..n).map(row).collect()
}

/// A round's count at a position: interpolated between two points, constant after the last.
fn count_at(
    curve: &[PointEvent],
    here: f64,
    coordinate: fn(&PointEvent) -> f64,
    count: fn(&PointEvent) -> u64,
) -> f64 {
    let behind = curve.partition_point(|point| coordinate(point) <= here);
    let (from, start) = match behind.checked_sub(1) {
        Some(index) => (coordinate(&curve[index]), count(&curve[index]) as f64),
        None => (0.0, 0.0),
    };
    match curve.get(behind) {
        Some(point) => start + (count(point) as f64 - start) * (here - from) / (coordinate(point) - from),
        None => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(n: u64) -> Vec<PointEvent> {
        let point =
            |cases| PointEvent { seconds: cases as f64 / 10.0, cases, valid: cases, distinct: cases / 2 };
        (1..=n).map(point).collect()
    }

    #[test]
    fn the_first_and_the_last_point_stay() {
        for n in [0, 1, 2, 63, 64, 65, 1000] {
            let points = points(n);
            let some: Vec<u64> = thinned(&points, POINTS).map(|point| point.cases).collect();
            assert_eq!(some.len(), points.len().min(POINTS));
            assert_eq!(some.first(), points.first().map(|point| &point.cases));
            assert_eq!(some.last(), points.last().map(|point| &point.cases));
            assert!(some.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn counts_lie_on_lines_and_stay_where_they_ended() {
        let at = |here| count_at(&points(3), here, |point| point.cases as f64, |point| point.valid);
        assert_eq!([0.5, 1.0, 2.5, 3.0, 9.0].map(at), [0.5, 1.0, 2.5, 3.0, 3.0]);
    }

    #[test]
    fn medians_are_over_rounds_and_end_where_the_longest_ends() {
        let (short, long) = (points(10), points(100));
        let medians = medians(&[&short, &long, &long], |point| point.cases as f64);
        let last =
            serde_json::to_string(medians.last().expect("there is at least one")).expect("figures are JSON");
        assert_eq!((medians.len(), last.as_str()), (MEDIANS, "[100,100,10,100,50,5,50]"));
        assert!(super::medians(&[], |point| point.cases as f64).is_empty());
        assert_eq!(super::medians(&[&points(1)], |point| point.cases as f64).len(), 1);
    }
}
