//! Which generator does best: on one function, and over all of a run.
//!
//! On a function, the one ranks first that finds a failure in more rounds, and of those that find it in as many, the one
//! whose median time to it is the shortest. Where none finds any, it is the one with the most different valid inputs a
//! second. Two significant digits of these count; generators that are alike by them share a rank.

use std::cmp::Ordering;

use super::functions::generators;
use super::rounds::Rounds;
use super::verdict;
use crate::event::FunctionFinished;
use crate::outcome::Verdict;

/// A generator on a function, with its rank there.
#[derive(Clone, Debug)]
pub struct Ranked<'r> {
    /// From 1.
    pub rank: usize,
    /// The generator, and what it did.
    pub rounds: Rounds<'r>,
}

/// The generators of a function, best first; none, if nothing can be run on it.
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

/// What a generator is ranked by on a function.
#[derive(Clone, Copy, Debug)]
struct Score {
    n_failed: usize,
    /// The larger the better.
    speed: f64,
}

impl Score {
    fn of(rounds: &Rounds, is_found: bool) -> Score {
        let speed = match is_found {
            true => rounds.seconds_to_failure().map_or(0.0, |seconds| 1.0 / two_digits(seconds.median)),
            false => rounds.distinct_rate().map_or(0.0, |rate| two_digits(rate.median)),
        };
        Score { n_failed: rounds.failed(), speed }
    }

    fn best_first(&self, other: &Score) -> Ordering {
        other.n_failed.cmp(&self.n_failed).then(other.speed.total_cmp(&self.speed))
    }
}

/// The number with its first two digits alone.
fn two_digits(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let unit = 10f64.powi(x.log10().floor() as i32 - 1);
    (x / unit).round() * unit
}

/// The ranks of a run, added up as its functions come.
#[derive(Debug, Default)]
pub struct Ranking {
    n_functions: usize,
    all: Vec<Standing>,
}

/// A generator over all functions.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its name.
    pub generator: String,
    /// On how many functions it was ranked.
    pub n_functions: usize,
    /// On how many it was first.
    pub n_first: usize,
    /// On how many it found a failure in some round.
    pub n_found: usize,
    /// In how many rounds it found one, over all functions.
    pub n_rounds_found: usize,
    /// Of how many rounds.
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
    /// Takes the ranks of a function.
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

    /// How many functions were ranked.
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
