//! Numbers over several rounds, for the page's script: one number if all rounds agree, otherwise median, minimum and
//! maximum.

use serde::{Serialize, Serializer};

use crate::report::rounds::Spread;

/// A number over the rounds, with few digits.
#[derive(Clone, Copy, Debug)]
pub struct Figure(pub Spread);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Spread { median, least, greatest } = self.0;
        let [median, least, greatest] = [median, least, greatest].map(|figure| number(rounded(figure)));
        if least == greatest {
            median.serialize(serializer)
        } else {
            [median, least, greatest].serialize(serializer)
        }
    }
}

/// A number with three significant digits.
pub fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    let digits = 2 - number.abs().log10().floor() as i32;
    match digits {
        ..0 => number.round(),
        0..=12 => (number * 10f64.powi(digits)).round() / 10f64.powi(digits),
        _ => 0.0,
    }
}

/// `12` rather than `12.0`.
pub fn number(number: f64) -> serde_json::Number {
    if number.fract() == 0.0 && (0.0..9e15).contains(&number) {
        serde_json::Number::from(number as u64)
    } else {
        serde_json::Number::from_f64(number).unwrap_or_else(|| 0.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_as_short_as_it_can_be() {
        let json = |figures: &[f64]| {
            serde_json::to_string(&Spread::of(figures.to_vec()).map(Figure)).expect("figures are JSON")
        };
        assert_eq!(json(&[3.0, 1.0, 2.0, 10.0]), "[2.5,1,10]");
        assert_eq!(json(&[0.25, 0.2501]), "0.25");
        assert_eq!(json(&[]), "null");
    }

    #[test]
    fn three_digits_count() {
        let all = [0.0, 0.000_012_345, 0.019_99, 1.2345, 123.45, 123_456.7].map(rounded);
        assert_eq!(all, [0.0, 0.0000123, 0.02, 1.23, 123.0, 123_457.0]);
    }
}
