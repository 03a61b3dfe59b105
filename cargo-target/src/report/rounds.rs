//! Several rounds of a generator on a function, as one line: medians, spreads, and short numbers for tables.

use crate::events::FunctionFinished;
use crate::events::outcome::Verdict;

/// The rows of one generator on one function.
#[derive(Clone, Debug)]
pub struct Rounds<'r> {
    /// Its name.
    pub generator: &'r str,
    /// One row for each round; at least one.
    pub rows: Vec<&'r FunctionFinished>,
}

/// The median and the range of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// As many are above as below.
    pub median: f64,
    /// The minimum.
    pub least: f64,
    /// The maximum.
    pub greatest: f64,
}

impl Rounds<'_> {
    /// The worst verdict of any round.
    pub fn verdict(&self) -> Verdict {
        let worst_first =
            [Verdict::Error, Verdict::Vacuous, Verdict::Failed, Verdict::Passed, Verdict::GaveUp];
        let any = |verdict: &Verdict| self.rows.iter().any(|row| row.verdict == *verdict);
        worst_first.into_iter().find(any).expect("there is a row")
    }

    /// Number of rounds with a failure.
    pub fn failed(&self) -> usize {
        self.rows.iter().filter(|row| row.cases_to_failure.is_some()).count()
    }

    /// Rounds with a failure out of all: `7/10`.
    pub fn share_failed(&self) -> String {
        format!("{}/{}", self.failed(), self.rows.len())
    }

    /// The spread of a number, over the rounds that have it.
    pub fn spread(&self, number: impl Fn(&FunctionFinished) -> Option<f64>) -> Option<Spread> {
        Spread::of(self.rows.iter().filter_map(|row| number(row)).collect())
    }

    /// Cases up to the first failure, over the rounds with one.
    pub fn cases_to_failure(&self) -> Option<Spread> {
        self.spread(|row| row.cases_to_failure.map(|n| n as f64))
    }

    /// Seconds up to the first failure, over the rounds with one.
    pub fn seconds_to_failure(&self) -> Option<Spread> {
        self.spread(|row| row.seconds_to_failure)
    }

    /// Different valid inputs a second.
    pub fn distinct_rate(&self) -> Option<Spread> {
        self.spread(|row| ratio(row.distinct as f64, row.seconds))
    }

    /// Valid inputs a second.
    pub fn valid_rate(&self) -> Option<Spread> {
        self.spread(|row| ratio(row.valid as f64, row.seconds))
    }

    /// Share of the cases that the precondition rejected.
    pub fn discards(&self) -> Option<Spread> {
        self.spread(|row| ratio(row.discarded as f64, row.cases as f64))
    }

    /// Share of the valid inputs that were new.
    pub fn distinct(&self) -> Option<Spread> {
        self.spread(|row| ratio(row.distinct as f64, row.valid as f64))
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

impl Spread {
    /// The spread of numbers; `None` for no numbers.
    pub fn of(mut numbers: Vec<f64>) -> Option<Spread> {
        numbers.sort_by(f64::total_cmp);
        let (&least, &greatest) = (numbers.first()?, numbers.last()?);
        let middle = numbers.len() / 2;
        let median = match numbers.len() % 2 {
            1 => numbers[middle],
            _ => (numbers[middle - 1] + numbers[middle]) / 2.0,
        };
        Some(Spread { median, least, greatest })
    }

    /// The range as text, if minimum and maximum differ: `3..17`.
    pub fn endpoints(&self, text: impl Fn(f64) -> String) -> Option<String> {
        let (least, greatest) = (text(self.least), text(self.greatest));
        (least != greatest).then(|| format!("{least}..{greatest}"))
    }
}

/// The median as text, or `-`.
pub fn median(spread: Option<Spread>, text: impl Fn(f64) -> String) -> String {
    spread.map_or_else(|| "-".to_owned(), |spread| text(spread.median))
}

/// A count in at most five characters: `9999`, `123k`, `1.2M`.
pub fn count(n: f64) -> String {
    match n {
        n if n < 100.0 && n.fract() != 0.0 => format!("{n:.1}"),
        n if n < 9_999.5 => format!("{n:.0}"),
        n if n < 999_500.0 => format!("{:.0}k", n / 1e3),
        n if n < 99_950_000.0 => format!("{:.1}M", n / 1e6),
        n if n < 999_500_000.0 => format!("{:.0}M", n / 1e6),
        n => format!("{:.1}G", n / 1e9),
    }
}

/// A time in at most seven characters: `0.42ms`, `17ms`, `1.24s`.
pub fn seconds(seconds: f64) -> String {
    let millis = seconds * 1e3;
    match seconds {
        s if s < 0.001 => format!("{millis:.2}ms"),
        s if s < 0.01 => format!("{millis:.1}ms"),
        s if s < 0.9995 => format!("{millis:.0}ms"),
        s if s < 100.0 => format!("{s:.2}s"),
        s => format!("{s:.0}s"),
    }
}

/// A share of 1 in percent. Only 0 is shown as 0%, and only 1 as 100%.
pub fn percent(share: f64) -> String {
    match (share * 100.0).round() {
        p if p >= 100.0 && share < 1.0 => ">99%".to_owned(),
        p if p <= 0.0 && share > 0.0 => "<1%".to_owned(),
        p => format!("{p:.0}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle_and_the_ends_are_shown_if_they_differ() {
        assert_eq!(Spread::of(vec![]), None);
        let spread = Spread::of(vec![4.0, 1.0, 2.0, 30.0]).expect("there are figures");
        assert_eq!(spread, Spread { median: 3.0, least: 1.0, greatest: 30.0 });
        assert_eq!(spread.endpoints(count), Some("1..30".to_owned()));
        assert_eq!(Spread::of(vec![7.0; 3]).expect("there are figures").endpoints(count), None);
        assert_eq!(Spread::of(vec![9.0, 1.0, 5.0]).expect("there are figures").median, 5.0);
    }

    #[test]
    fn numbers_are_short() {
        let counts = [0.0, 2.5, 100.0, 100.5, 9_999.0, 10_000.0, 999_499.0, 999_500.0, 1e8, 1e10];
        let expected = ["0", "2.5", "100", "100", "9999", "10k", "999k", "1.0M", "100M", "10.0G"];
        assert_eq!(counts.map(count), expected);
        let times = [0.000_001, 0.000_42, 0.0042, 0.0176, 0.9999, 1.239, 250.0];
        assert_eq!(times.map(seconds), ["0.00ms", "0.42ms", "4.2ms", "18ms", "1.00s", "1.24s", "250s"]);
        let shares = [0.0, 0.001, 0.5, 0.996, 1.0];
        assert_eq!(shares.map(percent), ["0%", "<1%", "50%", ">99%", "100%"]);
    }
}
