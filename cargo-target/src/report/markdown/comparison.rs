//! Generators compared, in Markdown: a row for each function, a column for each generator.

use std::fmt::Write;

use super::escape::code;
use crate::report::functions::Function;
use crate::report::ranking::{Ranking, ranked};
use crate::report::rounds::{Rounds, count, median, percent, seconds};

/// The comparison so far.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The generators, in order of appearance.
    generators: Vec<String>,
    rows: Vec<(String, Vec<(String, String)>)>,
    ranking: Ranking,
}

impl Comparison {
    /// Adds a function to the ranking, and to the table if it is to be listed.
    pub fn add(&mut self, function: &Function, is_listed: bool) {
        let ranked = ranked(function.rows());
        self.ranking.add(&ranked);
        if !is_listed {
            return;
        }
        let cells = function.generators().into_iter().map(|rounds| {
            if !self.generators.iter().any(|name| name == rounds.generator) {
                self.generators.push(rounds.generator.to_owned());
            }
            let rank = ranked.iter().find(|ranked| ranked.rounds.generator == rounds.generator);
            let is_first = rank.is_some_and(|ranked| ranked.rank == 1);
            (rounds.generator.to_owned(), cell(&rounds, is_first))
        });
        let cells = cells.collect();
        self.rows.push((code(&function.main().function), cells));
    }

    /// The table of functions by generators.
    pub fn table(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let names: Vec<String> = self.generators.iter().map(|name| code(name)).collect();
        let mut text = format!("\n| function | {} |\n", names.join(" | "));
        let _ = writeln!(text, "|---|{}", "---|".repeat(names.len()));
        for (function, cells) in &self.rows {
            let cell = |name: &String| {
                let found = cells.iter().find(|(generator, _)| generator == name);
                found.map_or("-", |(_, cell)| cell.as_str())
            };
            let cells: Vec<&str> = self.generators.iter().map(cell).collect();
            let _ = writeln!(text, "| {function} | {} |", cells.join(" | "));
        }
        text.push_str(
            "\nRounds in which a failure was found, the median number of cases and the median time to the first one; \
             of functions on which none was found, distinct valid inputs a second and discards. The first of a row is \
             bold.\n",
        );
        text
    }

    /// The table of ranks over all functions.
    pub fn ranking(self) -> String {
        let n_functions = self.ranking.n_functions();
        let standings = self.ranking.standings();
        if standings.is_empty() {
            return String::new();
        }
        let mut text =
            "\n| generator | mean rank | first on | finds failures in | of all rounds |\n".to_owned();
        text.push_str("|---|--:|--:|--:|--:|\n");
        for standing in standings {
            let _ = writeln!(
                text,
                "| {} | {:.2} | {} of {n_functions} | {} | {} of {} |",
                code(&standing.generator),
                standing.mean_rank(),
                standing.n_first,
                standing.n_found,
                standing.n_rounds_found,
                standing.n_rounds
            );
        }
        text
    }
}

/// A generator's result on a function.
fn cell(rounds: &Rounds, is_first: bool) -> String {
    let text = match rounds.failed() {
        0 => {
            let rate = median(rounds.distinct_rate(), count);
            format!("none; {rate}/s, {} discarded", median(rounds.discards(), percent))
        }
        _ => format!(
            "{}, case {}, {}",
            rounds.share_failed(),
            median(rounds.cases_to_failure(), count),
            median(rounds.seconds_to_failure(), seconds)
        ),
    };
    if is_first { format!("**{text}**") } else { text }
}
