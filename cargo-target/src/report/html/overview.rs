//! The top of the page: the facts of the run, and a line for each function.

use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;

use crate::events::outcome::Verdict;
use crate::events::words::{broken_off, functions, thousands};
use crate::events::{FunctionFinished, RunFinished, RunStarted};
use crate::report::functions::generators;
use crate::report::ranking::ranked;
use crate::report::rounds::Rounds;

/// The verdicts, most important first.
const VERDICTS: [Verdict; 5] =
    [Verdict::Failed, Verdict::Error, Verdict::Vacuous, Verdict::GaveUp, Verdict::Passed];

/// A function's line. Its numbers are medians over the rounds of its best generator.
#[derive(Debug, Serialize)]
pub struct Line {
    pub package: String,
    pub function: String,
    pub verdict: Verdict,
    pub best: String,
    pub valid: Figure,
    pub distinct: Figure,
    pub discarded: Figure,
    pub failed_at: Figure,
    pub seconds: Figure,
}

/// A number to sort by, and its text.
#[derive(Debug, Serialize)]
pub struct Figure {
    pub number: Option<f64>,
    pub text: String,
}

/// The facts of the run.
#[derive(Debug, Serialize)]
pub struct Facts {
    pub title: String,
    /// Why the run broke off.
    pub broken_off: Option<&'static str>,
    pub several_rounds: bool,
    pub comparison: bool,
    /// Names and values.
    pub list: Vec<(&'static str, String)>,
    /// The verdicts that occur, and how often.
    pub verdicts: Vec<(Verdict, usize)>,
}

impl Line {
    /// The line of a function, from its generators' results.
    pub fn new(rows: &[FunctionFinished], verdict: Verdict) -> Line {
        let best = best(rows);
        let spread =
            |figure: fn(&FunctionFinished) -> Option<f64>| best.spread(figure).map(|spread| spread.median);
        Line {
            package: rows[0].package.clone(),
            function: rows[0].function.clone(),
            verdict,
            best: best.generator.to_owned(),
            valid: Figure::count(spread(|row| Some(row.valid as f64))),
            distinct: Figure::count(spread(|row| Some(row.distinct as f64))),
            discarded: Figure::count(spread(|row| Some(row.discarded as f64))),
            failed_at: Figure::count(spread(|row| row.cases_to_failure.map(|cases| cases as f64))),
            seconds: Figure::seconds(spread(|row| Some(row.seconds))),
        }
    }
}

impl Figure {
    fn count(number: Option<f64>) -> Figure {
        let text = number.map_or_else(|| "–".to_owned(), |number| thousands(number.round() as u64));
        Figure { number, text }
    }

    fn seconds(number: Option<f64>) -> Figure {
        Figure { number, text: number.map_or_else(|| "–".to_owned(), duration) }
    }
}

impl Facts {
    /// The facts, as far as they are known.
    pub fn new(started: Option<&RunStarted>, finished: Option<&RunFinished>, lines: &[Line]) -> Facts {
        let count = |verdict: &Verdict| lines.iter().filter(|line| line.verdict == *verdict).count();
        let verdicts = VERDICTS.iter().map(|verdict| (*verdict, count(verdict)));
        let verdicts: Vec<(Verdict, usize)> = verdicts.filter(|(_, count)| *count > 0).collect();
        let title = match verdicts.as_slice() {
            [] => "no function ran".to_owned(),
            [(verdict, n)] => format!("{}: {}", functions(*n), verdict.name()),
            several => {
                let several = several.iter().map(|(verdict, n)| format!("{n} {}", verdict.name()));
                format!("{}: {}", functions(lines.len()), several.collect::<Vec<_>>().join(", "))
            }
        };
        let mut list = Vec::new();
        if let Some(started) = started {
            list.push(("Started", time(started.started)));
            if let Some(finished) = finished {
                list.push(("Took", duration(finished.seconds)));
            }
            let asked = started.functions;
            let ran =
                if asked == lines.len() { asked.to_string() } else { format!("{} of {asked}", lines.len()) };
            list.push(("Functions", ran));
            list.push(("Generators", started.generators.join(", ")));
            let last = started.seed.wrapping_add(u64::from(started.rounds).saturating_sub(1));
            list.push(match started.rounds {
                1 => ("Seed", started.seed.to_string()),
                rounds => ("Rounds", format!("{rounds}, seeds {} to {last}", started.seed)),
            });
            list.push(("Profile", started.profile.clone()));
            list.push(("Tool", format!("cargo-target {}", started.tool)));
        }
        let several_rounds = started.is_some_and(|started| started.rounds > 1);
        let comparison = started.is_some_and(|started| started.comparison);
        Facts { title, broken_off: broken_off(finished), several_rounds, comparison, list, verdicts }
    }
}

/// The generator that ranks first; the main one if none can run.
fn best(rows: &[FunctionFinished]) -> Rounds<'_> {
    let first = ranked(rows).into_iter().next().map(|ranked| ranked.rounds);
    let main = || generators(rows).into_iter().next();
    first.or_else(main).expect("a function is told of by a generator at least")
}

/// A date and time, to the minute.
fn time(seconds: u64) -> String {
    // The crate can't format later times, which only occur in handwritten files.
    let latest = 253_402_300_799;
    let moment = UNIX_EPOCH + Duration::from_secs(seconds.min(latest));
    let text = humantime::format_rfc3339_seconds(moment).to_string();
    text.replace('T', " ").replace('Z', " UTC")
}

/// Seconds in words.
fn duration(seconds: f64) -> String {
    match seconds {
        0.0 => "0 s".to_owned(),
        ..0.001 => "<1 ms".to_owned(),
        ..1.0 => format!("{:.0} ms", seconds * 1000.0),
        ..10.0 => format!("{seconds:.2} s"),
        ..100.0 => format!("{seconds:.1} s"),
        _ => format!("{} s", thousands(seconds.round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        let durations = [0.0, 0.0004, 0.0236, 1.5, 12.34, 4321.0].map(duration);
        assert_eq!(durations, ["0 s", "<1 ms", "24 ms", "1.50 s", "12.3 s", "4,321 s"]);
        assert_eq!(time(1_795_319_101), "2026-11-22 03:45:01 UTC");
    }
}
