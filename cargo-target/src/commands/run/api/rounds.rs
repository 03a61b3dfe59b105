//! The budget of all functions in rounds. In the first one, each function gets the usual number of cases and a like share of
//! the time. The time that is left is for the functions that did not finish: first for those whose last cases still ran new
//! code.
//!
//! A function begins again in each round, with several times as many cases, so that nothing of it waits in memory or in
//! processes meanwhile. Its cases are the same, in the same order: the clock decides only how far it gets.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use target_bridge::generate::GeneratorKind;
use target_strategies::cancel::Stop;
use target_strategies::logic::value::Value;

use super::LEAST;
use crate::events::outcome::{Counterexample, Outcome, Stopped};
use crate::run::runner::alike;

/// How many times the cases and the time of the round before a function gets.
const GROWTH: u32 = 4;

/// The least such factor for the time. With less, the round would mostly repeat the one before.
const LEAST_GROWTH: u32 = 2;

/// What a function may use in a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// The cap on its cases.
    pub cases: u64,
    /// The cap on its time.
    pub budget: Duration,
}

/// A function between two rounds.
#[derive(Clone, Debug)]
pub(super) struct Unfinished {
    /// Its position among all functions.
    pub position: usize,
    /// The cap on the cases of its last round.
    pub cases: u64,
    /// The inputs that earlier runs saved; `None` before the first round.
    pub saved: Option<Vec<Vec<Value>>>,
    /// The outcome so far.
    pub outcome: Outcome,
    /// Whether its last cases ran new code. If that can't be observed, they may have.
    pub has_news: bool,
}

impl Unfinished {
    /// A function before its first round.
    pub fn new(position: usize) -> Unfinished {
        let outcome = Outcome::unplanned(GeneratorKind::Auto, Stop::Unwanted, String::new());
        Unfinished { position, cases: 0, saved: None, outcome, has_news: true }
    }

    /// Whether a limit ended its last round, and not the function itself.
    pub fn is_cut_off(&self) -> bool {
        let Outcome { stopped, valid, .. } = &self.outcome;
        *valid > 0 && matches!(stopped, Some(Stopped::Cases | Stopped::Budget))
    }

    /// This round's outcome, or that of the round before if it came further; with the failures of both.
    pub fn after(self, before: Unfinished) -> Unfinished {
        if before.saved.is_none() {
            return self;
        }
        let (first, seconds) = (before.outcome.cases_to_failure, before.outcome.seconds_to_failure);
        let is_further = self.outcome.valid >= before.outcome.valid;
        let (mut kept, other) = if is_further { (self, before) } else { (before, self) };
        let is_known = |found: &Counterexample, known: &[(Counterexample, u64)]| {
            known.iter().any(|(known, _)| alike(&known.failure, &found.failure))
        };
        for (found, n_cases) in other.outcome.failures {
            if !is_known(&found, &kept.outcome.failures) {
                kept.outcome.failures.push((found, n_cases));
            }
        }
        // A later round begins with the failing inputs of those before it.
        if first.is_some() {
            (kept.outcome.cases_to_failure, kept.outcome.seconds_to_failure) = (first, seconds);
        }
        kept
    }

    fn time(&self) -> Duration {
        Duration::from_secs_f64(self.outcome.seconds).max(LEAST)
    }
}

/// Runs further rounds until the time is over. `run` puts a function back among the open ones if it may go on.
pub(super) fn go(
    open: &Mutex<Vec<Unfinished>>,
    deadline: Instant,
    at_once: u32,
    run: &(impl Fn(Unfinished, Share) + Sync),
) {
    let held = || open.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let all = std::mem::take(&mut *held());
        let (chosen, waiting) = plan(all, left, at_once);
        held().extend(waiting);
        if chosen.is_empty() {
            return;
        }
        chosen.into_par_iter().with_max_len(1).for_each(|(unfinished, share)| {
            let left = deadline.saturating_duration_since(Instant::now());
            if left < unfinished.time() * LEAST_GROWTH {
                held().push(unfinished);
            } else {
                run(unfinished, Share { budget: share.budget.min(left), ..share });
            }
        });
    }
}

/// The functions of the next round with their shares, and those that wait.
fn plan(
    mut open: Vec<Unfinished>,
    left: Duration,
    at_once: u32,
) -> (Vec<(Unfinished, Share)>, Vec<Unfinished>) {
    open.sort_by_key(|unfinished| (!unfinished.has_news, unfinished.cases, unfinished.position));
    let fits = |sum: Duration, time: Duration| {
        time * LEAST_GROWTH <= left && (sum + time) * LEAST_GROWTH <= left * at_once
    };
    let mut sum = Duration::ZERO;
    let mut with_news = None;
    let (chosen, waiting): (Vec<Unfinished>, Vec<Unfinished>) = open.into_iter().partition(|unfinished| {
        // If one with news is chosen, those without wait.
        let is_turn = with_news.is_none_or(|with_news| with_news == unfinished.has_news);
        let is_chosen = is_turn && fits(sum, unfinished.time());
        if is_chosen {
            sum += unfinished.time();
            with_news = Some(unfinished.has_news);
        }
        is_chosen
    });
    let factor = (left * at_once).as_secs_f64() / sum.max(LEAST).as_secs_f64();
    // After a usual round, too little time would be left for another.
    let is_last = factor < f64::from(GROWTH + GROWTH * LEAST_GROWTH);
    let share = |unfinished: Unfinished| {
        let cases = if is_last { u64::MAX } else { unfinished.cases.saturating_mul(GROWTH.into()) };
        let factor = if is_last { factor } else { GROWTH.into() };
        let budget = unfinished.time().mul_f64(factor).min(left);
        (unfinished, Share { cases, budget })
    };
    (chosen.into_iter().map(share).collect(), waiting)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfinished(position: usize, seconds: f64, has_news: bool) -> Unfinished {
        let first = Unfinished::new(position);
        let outcome = Outcome { seconds, valid: 9, stopped: Some(Stopped::Cases), ..first.outcome };
        Unfinished { position, cases: 100, saved: Some(Vec::new()), outcome, has_news }
    }

    /// Positions with cases and seconds, and the positions that wait.
    fn planned(open: Vec<Unfinished>, left: u64, at_once: u32) -> (Vec<(usize, u64, u64)>, Vec<usize>) {
        let (chosen, waiting) = plan(open, Duration::from_secs(left), at_once);
        let chosen = chosen.iter().map(|(one, share)| (one.position, share.cases, share.budget.as_secs()));
        (chosen.collect(), waiting.iter().map(|one| one.position).collect())
    }

    #[test]
    fn functions_with_news_come_first_and_get_more_cases() {
        let open = vec![unfinished(0, 1.0, false), unfinished(1, 1.0, true), unfinished(2, 2.0, true)];
        assert_eq!(planned(open, 100, 1), (vec![(1, 400, 4), (2, 400, 8)], vec![0]));
    }

    #[test]
    fn the_last_round_uses_the_time_that_is_left() {
        let open = vec![unfinished(0, 1.0, true), unfinished(1, 3.0, true)];
        assert_eq!(planned(open, 20, 2), (vec![(0, u64::MAX, 10), (1, u64::MAX, 20)], Vec::new()));
    }

    #[test]
    fn a_function_waits_if_it_would_mostly_repeat_itself() {
        let open = vec![unfinished(0, 6.0, true), unfinished(1, 1.0, false)];
        assert_eq!(planned(open, 10, 1), (vec![(1, u64::MAX, 10)], vec![0]));
        assert_eq!(planned(vec![unfinished(0, 6.0, true)], 10, 4), (Vec::new(), vec![0]));
    }

    #[test]
    fn the_round_that_came_furthest_is_kept_with_the_first_failure() {
        let mut before = unfinished(0, 1.0, true);
        before.outcome.cases_to_failure = Some(7);
        let mut now = unfinished(0, 4.0, false);
        (now.outcome.valid, now.outcome.cases_to_failure) = (30, Some(1));
        let kept = now.clone().after(before.clone());
        assert_eq!((kept.outcome.valid, kept.outcome.cases_to_failure, kept.has_news), (30, Some(7), false));
        assert_eq!(before.after(now).outcome.valid, 30);
    }
}
