//! Figures of several rounds: the median, the least, the greatest.

use serde::{Serialize, Serializer};

/// A figure over the rounds. Without rounds there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub median: f64,
    pub least: f64,
    pub greatest: f64,
}

impl Spread {
    /// The spread of some figures, at least one.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_unstable_by(f64::total_cmp);
        let (least, greatest) = (*figures.first()?, *figures.last()?);
        let half = figures.len() / 2;
        let median = match figures.len() % 2 {
            0 => (figures[half - 1] + figures[half]) / 2.0,
            _ => figures[half],
        };
        Some(Spread { median, least, greatest })
    }

    /// The same with as many digits as one looks at.
    pub fn rounded(self) -> Spread {
        let Spread { median, least, greatest } = self;
        Spread { median: rounded(median), least: rounded(least), greatest: rounded(greatest) }
    }
}

/// As a number where all are the same, or else as the three.
impl Serialize for Spread {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.least == self.greatest {
            true => number(self.median).serialize(serializer),
            false => [self.median, self.least, self.greatest].map(number).serialize(serializer),
        }
    }
}

/// A number with three digits that count.
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
    match number.fract() == 0.0 && (0.0..9e15).contains(&number) {
        true => serde_json::Number::from(number as u64),
        false => serde_json::Number::from_f64(number).unwrap_or_else(|| 0.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_as_short_as_it_can_be() {
        let json = |figures: &[f64]| serde_json::to_string(&Spread::of(figures.iter().copied())).unwrap();
        assert_eq!(json(&[3.0, 1.0, 2.0, 10.0]), "[2.5,1,10]");
        assert_eq!(json(&[0.25]), "0.25");
        assert_eq!(json(&[]), "null");
    }

    #[test]
    fn three_digits_count() {
        let all = [0.0, 0.000_012_345, 0.019_99, 1.2345, 123.45, 123_456.7].map(rounded);
        assert_eq!(all, [0.0, 0.0000123, 0.02, 1.23, 123.0, 123_457.0]);
    }
}
