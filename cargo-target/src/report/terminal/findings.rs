//! What a run without specs found, for people.

use std::fmt::Write;

use super::style::{BAD, BOLD, DIM, ODD};
use crate::events::{Finding, Rank, RunFinished, RunStarted, Unreached};
use crate::report::functions::API;
use crate::system::console::Verbosity;
use crate::system::exit_code::INTERRUPTED;
use crate::system::printable::plain;

/// Maximum number of functions that are named where a list may be long.
const LISTED: usize = 10;

/// Maximum number of other functions named with a finding.
const NAMED: usize = 4;

/// The findings of a run.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Whether the run is one without specs.
    pub(super) are_all: bool,
    /// The functions that were not tested.
    pub(super) unreached: Vec<Unreached>,
    n_likely: usize,
    n_unlikely: usize,
}

impl Findings {
    pub(super) fn begin(&mut self, started: &RunStarted) {
        self.are_all = started.generators.iter().any(|name| name == API);
    }

    /// The text of a finding.
    pub(super) fn add(&mut self, finding: &Finding) -> String {
        let Finding { kind, rank, note, message, location, origin, functions, calls, test, cases, saved } =
            finding;
        let mut text = String::new();
        let place = location.as_ref().map(|at| format!(" at {}", plain(at))).unwrap_or_default();
        let name = functions.first().map(|name| plain(name)).unwrap_or_default();
        let others = match functions.get(1..).unwrap_or_default() {
            [] => String::new(),
            others => {
                let named: Vec<String> = others.iter().take(NAMED).map(|name| plain(name)).collect();
                let more = others.len().saturating_sub(NAMED);
                let more = if more == 0 { String::new() } else { format!(" and {more} more") };
                format!(", also through {}{more}", named.join(", "))
            }
        };
        let by = if *saved { "; an earlier run saved this input" } else { "" };
        let cases = if *cases == 1 { format!("1 case{by}") } else { format!("{cases} cases{by}") };
        let message = plain(message.lines().next().unwrap_or_default());
        match rank {
            Rank::Likely => {
                self.n_likely += 1;
                let _ =
                    writeln!(text, "{BAD}{}{BAD:#}{BOLD}{place}{BOLD:#} in {name}: {message}", kind.name());
                let origin =
                    origin.as_ref().map(|at| format!(", panics at {}", plain(at))).unwrap_or_default();
                let _ = writeln!(text, "  {DIM}{cases}{others}{origin}{DIM:#}");
                for line in test.lines() {
                    let _ = writeln!(text, "    {}", plain(line));
                }
                text.push('\n');
            }
            Rank::Unlikely => {
                self.n_unlikely += 1;
                let why = plain(note.as_deref().unwrap_or_default());
                let _ = writeln!(text, "{ODD}{}{ODD:#}{place} in {name}: {message}", kind.name());
                let _ = writeln!(text, "  likely no bug: {why}; {cases}{others}");
                let call = calls.last().map(|call| plain(call)).unwrap_or_default();
                let _ = writeln!(text, "    {DIM}{call}{DIM:#}\n");
            }
        }
        text
    }

    /// The text at the end.
    pub(super) fn end(&mut self, counts: &RunFinished, verbosity: Verbosity) -> String {
        let mut text = String::new();
        let listed = if verbosity == Verbosity::Verbose { usize::MAX } else { LISTED };
        if verbosity > Verbosity::Quiet && !self.unreached.is_empty() {
            let _ = writeln!(text, "not tested:");
            for Unreached { function, why } in self.unreached.iter().take(listed) {
                let _ = writeln!(text, "  {}: {}", plain(function), plain(why));
            }
            if self.unreached.len() > listed {
                let _ = writeln!(text, "  .. and {} more, which -v lists", self.unreached.len() - listed);
            }
            text.push('\n');
        }
        if counts.functions > 0 {
            let counted =
                |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
            let _ = writeln!(
                text,
                "{BOLD}{}{BOLD:#}{}: {}, {}, in {:.1} s",
                counted(counts.functions, "function or law tested", "functions and laws tested"),
                if self.unreached.is_empty() {
                    String::new()
                } else {
                    format!(", {} not", self.unreached.len())
                },
                counted(self.n_likely, "likely bug", "likely bugs"),
                counted(self.n_unlikely, "other failure", "other failures"),
                counts.seconds,
            );
        }
        if counts.exit_code == INTERRUPTED {
            let _ = writeln!(text, "{ODD}interrupted{ODD:#}: some functions were not tested to the end");
        }
        text
    }
}
