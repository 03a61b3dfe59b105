//! Runs of several rounds on the terminal: a row for each generator, with medians and spreads; ranks for comparisons.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table};

use super::style::{BOLD, DIM, verdict_style};
use crate::events::words;
use crate::events::{FunctionFinished, RunStarted};
use crate::report::functions::generators;
use crate::report::ranking::{Ranked, Ranking, ranked};
use crate::report::rounds::{Rounds, Spread, count, median, percent, seconds};

/// The parts of the report for runs of several rounds.
#[derive(Debug, Default)]
pub struct Comparison {
    n_rounds: u32,
    /// Whether the run only compares generators.
    is_all: bool,
    ranking: Ranking,
}

impl Comparison {
    /// Stores the settings of the run.
    pub fn begin(&mut self, started: &RunStarted) {
        *self =
            Comparison { n_rounds: started.rounds, is_all: started.comparison, ranking: Ranking::default() };
    }

    /// Adds a function; returns its table by rank, if the run only compares generators.
    pub fn add(&mut self, rows: &[FunctionFinished]) -> Option<String> {
        let ranked = ranked(rows);
        self.ranking.add(&ranked);
        (self.is_all && !ranked.is_empty()).then(|| ranks(&ranked))
    }

    /// The ranking over all functions, if there is one.
    pub fn end(&mut self) -> String {
        let ranking = std::mem::take(&mut self.ranking);
        let is_wanted = self.n_rounds > 1 || self.is_all;
        if is_wanted { ranking_table(ranking, self.n_rounds) } else { String::new() }
    }
}

/// The table of a function's generators: medians, with minimum and maximum below if they differ.
pub fn table(rows: &[FunctionFinished]) -> String {
    let header = ["", "generator", "verdict", "failed", "valid", "distinct", "failed at", "time"];
    let mut table = empty(&header, &[3, 4, 5, 6, 7]);
    let generators = generators(rows);
    for rounds in &generators {
        let number = |spread: Option<Spread>, text: fn(f64) -> String| {
            let endpoints = spread.and_then(|spread| spread.endpoints(text));
            [median(spread, text), endpoints.unwrap_or_default()].join("\n").trim_end().to_owned()
        };
        table.add_row([
            String::new(),
            crate::system::printable::plain(rounds.generator),
            rounds.verdict().name().to_owned(),
            rounds.share_failed(),
            number(rounds.spread(|row| Some(row.valid as f64)), count),
            number(rounds.spread(|row| Some(row.distinct as f64)), count),
            number(rounds.cases_to_failure(), count),
            number(rounds.spread(|row| Some(row.seconds)), seconds),
        ]);
    }
    colored(&table, |line| {
        let word = line.split_whitespace().nth(1)?;
        let verdict = generators.iter().map(Rounds::verdict).find(|verdict| verdict.name() == word)?;
        let style = verdict_style(verdict);
        Some(line.replacen(&format!(" {word} "), &format!(" {style}{word}{style:#} "), 1))
    })
}

/// The table of a function's generators by rank.
fn ranks(ranked: &[Ranked<'_>]) -> String {
    let header = ["", "", "generator", "found", "at case", "after", "valid/s", "discards", "distinct"];
    let mut table = empty(&header, &[1, 3, 4, 5, 6, 7, 8]);
    for ranked in ranked {
        let rounds: &Rounds = &ranked.rounds;
        table.add_row([
            String::new(),
            format!("{}.", ranked.rank),
            crate::system::printable::plain(rounds.generator),
            rounds.share_failed(),
            median(rounds.cases_to_failure(), count),
            median(rounds.seconds_to_failure(), seconds),
            median(rounds.valid_rate(), count),
            median(rounds.discards(), percent),
            median(rounds.distinct(), percent),
        ]);
    }
    colored(&table, |_| None)
}

/// The ranking over all functions; empty if nothing was ranked.
fn ranking_table(ranking: Ranking, n_rounds: u32) -> String {
    let n_functions = ranking.n_functions();
    let standings = ranking.standings();
    if standings.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    let functions = words::functions(n_functions);
    let rounds = if n_rounds == 1 { "1 round".to_owned() } else { format!("{n_rounds} rounds") };
    let _ = writeln!(text, "{BOLD}ranking{BOLD:#} {DIM}({functions}, {rounds}){DIM:#}");
    let header = ["", "generator", "mean rank", "first on", "finds failures in", "of all rounds"];
    let mut table = empty(&header, &[2, 3, 4, 5]);
    for standing in standings {
        table.add_row([
            String::new(),
            crate::system::printable::plain(&standing.generator),
            format!("{:.2}", standing.mean_rank()),
            standing.n_first.to_string(),
            standing.n_found.to_string(),
            format!("{} of {}", standing.n_rounds_found, standing.n_rounds),
        ]);
    }
    text + &colored(&table, |_| None) + "\n"
}

fn empty(header: &[&str], right: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(header.iter().copied());
    for &column in right {
        let column = table.column_mut(column).expect("the columns are those of the header");
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The table's lines: the header dim, the others colored by `style`.
fn colored(table: &Table, style: impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    for (position, line) in table.lines().enumerate() {
        let line = line.trim_end();
        match position {
            0 => _ = writeln!(text, "{DIM}{line}{DIM:#}"),
            _ => _ = writeln!(text, "{}", style(line).unwrap_or_else(|| line.to_owned())),
        }
    }
    text
}

#[cfg(test)]
mod tests;
