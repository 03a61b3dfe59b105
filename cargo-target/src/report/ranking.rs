//! Ranks generators: on one function, and over all functions of a run.
//!
//! On a function, the generator that finds a failure in more rounds ranks higher; among equals, the one with the
//! shorter median time to it. If none finds a failure, the most different valid inputs per second decide. Only two
//! significant digits count; generators with equal digits share a rank.

use std::cmp::Ordering;

use super::functions::generators;
use super::rounds::Rounds;
use super::verdict::verdict;
use crate::events::FunctionFinished;
use crate::events::outcome::Verdict;

/// A generator on a function, with its rank there.
#[derive(Clone, Debug)]
pub struct Ranked<'r> {
    /// From 1.
    pub rank: usize,
    /// The generator's results.
    pub rounds: Rounds<'r>,
}

/// The generators of a function, best first; empty if none can run on it.
pub fn ranked(rows: &[FunctionFinished]) -> Vec<Ranked<'_>> {
    if matches!(verdict(rows), None | Some(Verdict::Error | Verdict::Vacuous)) {
        return Vec::new();
    }
    let generators = generators(rows);
    let is_found = generators.iter().any(|rounds| rounds.failed() > 0);
    let mut scored: Vec<(Score, Rounds)> =
        generators.into_iter().map(|rounds| (Score::of(&rounds, is_found), rounds)).collect();
    scored.sort_by(|(a, _), (b, _)| a.best_first(b));
    let mut all: Vec<Ranked> = Vec::new();
    let mut before: Option<Score> = None;
    for (position, (score, rounds)) in scored.into_iter().enumerate() {
        let shares = before.is_some_and(|before| before.best_first(&score).is_eq());
        let rank = if shares { all[position - 1].rank } else { position + 1 };
        all.push(Ranked { rank, rounds });
        before = Some(score);
    }
    all
}

/// The criteria that rank a generator on a function.
#[derive(Clone, Copy, Debug)]
struct Score {
    n_failed: usize,
    /// Greater is better.
    speed: f64,
}

impl Score {
    fn of(rounds: &Rounds, is_found: bool) -> Score {
        let speed = if is_found {
            rounds.seconds_to_failure().map_or(0.0, |seconds| 1.0 / two_digits(seconds.median))
        } else {
            rounds.distinct_rate().map_or(0.0, |rate| two_digits(rate.median))
        };
        Score { n_failed: rounds.failed(), speed }
    }

    fn best_first(&self, other: &Score) -> Ordering {
        other.n_failed.cmp(&self.n_failed).then(other.speed.total_cmp(&self.speed))
    }
}

/// The number with two significant digits.
fn two_digits(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let unit = 10f64.powi(x.log10().floor() as i32 - 1);
    (x / unit).round() * unit
}

/// Adds up the ranks of a run's functions.
#[derive(Debug, Default)]
pub struct Ranking {
    n_functions: usize,
    all: Vec<Standing>,
}

/// A generator's results over all functions.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its name.
    pub generator: String,
    /// Number of functions on which it was ranked.
    pub n_functions: usize,
    /// Number of functions on which it was first.
    pub n_first: usize,
    /// Number of functions on which it found a failure in some round.
    pub n_found: usize,
    /// Number of rounds with a failure, over all functions.
    pub n_rounds_found: usize,
    /// Number of rounds, over all functions.
    pub n_rounds: usize,
    total_rank: usize,
}

impl Standing {
    /// The mean of its ranks.
    pub fn mean_rank(&self) -> f64 {
        self.total_rank as f64 / self.n_functions.max(1) as f64
    }
}

impl Ranking {
    /// Adds the ranks of a function.
    pub fn add(&mut self, ranked: &[Ranked<'_>]) {
        self.n_functions += usize::from(!ranked.is_empty());
        for Ranked { rank, rounds } in ranked {
            let position = self.all.iter().position(|standing| standing.generator == rounds.generator);
            let position = position.unwrap_or_else(|| {
                self.all.push(Standing::new(rounds.generator));
                self.all.len() - 1
            });
            let standing = &mut self.all[position];
            standing.n_functions += 1;
            standing.n_first += usize::from(*rank == 1);
            standing.n_found += usize::from(rounds.failed() > 0);
            standing.n_rounds_found += rounds.failed();
            standing.n_rounds += rounds.rows.len();
            standing.total_rank += rank;
        }
    }

    /// Number of functions that were ranked.
    pub fn n_functions(&self) -> usize {
        self.n_functions
    }

    /// The generators, best mean rank first.
    pub fn standings(mut self) -> Vec<Standing> {
        self.all.sort_by(|a, b| a.mean_rank().total_cmp(&b.mean_rank()));
        self.all
    }
}

impl Standing {
    fn new(generator: &str) -> Standing {
        Standing {
            generator: generator.to_owned(),
            n_functions: 0,
            n_first: 0,
            n_found: 0,
            n_rounds_found: 0,
            n_rounds: 0,
            total_rank: 0,
        }
    }
}

#[cfg(test)]
mod tests;
