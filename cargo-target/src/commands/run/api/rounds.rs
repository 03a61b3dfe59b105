//! The budget of all functions in rounds. In the first one, each function gets the same work: a count of its cases and of the pieces
//! of code that they run, which is the same in each run. In each later one it gets several times as much: first all functions up
//! to the usual number of cases, then those whose last cases still ran new code. The clock ends only rounds of slow
//! functions, and the last round, in which the functions share the time that is left.
//!
//! A function that has no more inputs gets a greater depth and bound. The report is about the bounds of the first round: what is
//! outside of these counts as beyond.
//!
//! In each round, the default generator of a function begins again, so that no plan and no process waits meanwhile. Its cases are
//! the same, in the same order. What their traces showed is kept, and further variants follow.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::GeneratorKind;
use target_bridge::generate::narrowed::Memory;
use target_strategies::cancel::Stop;
use target_strategies::logic::value::Value;

use crate::events::outcome::{Counterexample, Outcome, Stopped, Verdict};
use crate::run::runner::alike;

/// The least time that a function gets in a round.
const LEAST: Duration = Duration::from_millis(150);

/// The least time that a round of a function takes: a plan, and the start of a process.
const QUICK: Duration = Duration::from_millis(20);

/// How many times the work of the round before a function gets.
const GROWTH: u32 = 4;

/// The least such factor for the time of the last round. With less, it would mostly repeat the one before.
const LEAST_GROWTH: u32 = 2;

/// A round by work begins only if this many times the time of the round before is left: enough for it and for a last round, unless it
/// uses its [`SLACK`].
const ROOM: u32 = GROWTH + GROWTH * LEAST_GROWTH;

/// How many times its share of the time a function may use for its work, if it is slower than others.
const SLACK: u32 = 2;

/// Work per millisecond that functions of little code do at least. So the first round takes at most half of the budget.
const SPEED: u64 = 10;

/// The least and the most work of a function in the first round. The most is the usual number of cases, with as many variants.
const FIRST_WORK: (u64, u64) = (250, 20_000);

/// What is added to the depth of a function that has no more inputs.
const DEEPER: u32 = 2;

/// What its bound is multiplied with.
const WIDER: u32 = 8;

/// Maximum number of times that the space of a function is made greater.
const MOST_RAISED: u32 = 4;

/// A function's part of the first round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// The first instance of a function.
    First,
    /// Another instance of a function. Most of what fails there has failed before.
    Further,
}

impl Weight {
    /// The number of shares that the first instance of a function has.
    const FIRST: u32 = 4;

    fn shares(self) -> u32 {
        match self {
            Weight::First => Weight::FIRST,
            Weight::Further => 1,
        }
    }

    /// The cap on the cases or the work, of that of the first instance.
    pub fn of(self, number: u64) -> u64 {
        match self {
            Weight::First => number,
            Weight::Further => number.div_ceil(Weight::FIRST.into()),
        }
    }
}

/// The work of the first instance of a function in the first round. No clock decides on it.
pub(super) fn first_work(budget: Duration, functions: impl Iterator<Item = Weight>) -> u64 {
    let n_shares: u64 = functions.map(|weight| u64::from(weight.shares())).sum();
    let all = u64::try_from(budget.as_millis()).unwrap_or(u64::MAX).saturating_mul(SPEED) / 2;
    let each = all.saturating_mul(Weight::FIRST.into()) / n_shares.max(1);
    each.clamp(FIRST_WORK.0, FIRST_WORK.1)
}

/// The budget that is left, shared by the functions that are left.
pub(super) struct Shares {
    deadline: Instant,
    left: AtomicU32,
    at_once: u32,
}

impl Shares {
    /// The time until the deadline, for these functions.
    pub fn new(deadline: Instant, functions: impl Iterator<Item = Weight>, at_once: u32) -> Shares {
        let left = functions.map(Weight::shares).sum();
        Shares { deadline, left: AtomicU32::new(left), at_once }
    }

    /// The most time of the next function.
    pub fn next(&self, weight: Weight) -> Duration {
        let own = weight.shares();
        let left = self.left.fetch_sub(own, Ordering::Relaxed).max(own);
        let time = self.deadline.saturating_duration_since(Instant::now());
        (time * (self.at_once * own * SLACK).min(left) / left).max(LEAST)
    }
}

/// What a function may use in a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// The cap on its work; `None` in the last round.
    pub work: Option<u64>,
    /// The cap on its time.
    pub budget: Duration,
}

/// Why a function's last round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// By a limit: a longer round has more inputs.
    CutOff,
    /// Within its depth and bound, there were no more inputs.
    Over,
    /// It can't be run, or came no further than the round before, with more time or in a greater space.
    Done,
}

/// A function between two rounds.
#[derive(Clone, Debug)]
pub(super) struct Unfinished {
    /// Its position among all functions.
    pub position: usize,
    weight: Weight,
    /// The cap on the work of its last round.
    work: u64,
    /// Number of times that its depth and bound were raised.
    n_raised: u32,
    /// The inputs that earlier runs saved; `None` before the first round.
    pub saved: Option<Vec<Vec<Value>>>,
    /// The outcome so far.
    pub outcome: Outcome,
    /// Time of its last round.
    seconds: f64,
    /// Whether its last cases ran new code. If that can't be observed, they may have.
    has_news: bool,
    ending: Ending,
    /// What the traces of its cases showed.
    pub memory: Memory,
}

impl Unfinished {
    /// A function before its first round.
    pub fn new(position: usize, weight: Weight) -> Unfinished {
        let outcome = Outcome::unplanned(GeneratorKind::Auto, Stop::Unwanted, String::new());
        Unfinished {
            position,
            weight,
            work: 0,
            n_raised: 0,
            saved: None,
            outcome,
            seconds: 0.0,
            has_news: true,
            ending: Ending::CutOff,
            memory: Memory::default(),
        }
    }

    /// Whether another round may have more of it; `may_raise` its depth and bound.
    pub fn may_go_on(&self, may_raise: bool) -> bool {
        match self.ending {
            Ending::CutOff => true,
            Ending::Over => may_raise && self.n_raised < MOST_RAISED,
            Ending::Done => false,
        }
    }

    /// The function with the bounds of its next round.
    pub fn raised(&self, subject: &Subject) -> Subject {
        let mut raised = subject.clone();
        let n = self.n_raised_next();
        raised.settings.depth = raised.settings.depth.saturating_add(n * DEEPER);
        raised.settings.bound = raised.settings.bound.saturating_mul(WIDER.saturating_pow(n));
        raised
    }

    fn n_raised_next(&self) -> u32 {
        self.n_raised + u32::from(self.ending == Ending::Over)
    }

    /// After a round with this outcome; with the failures of the rounds before, and with their outcome if it came further.
    pub fn after(
        self,
        work: Option<u64>,
        saved: Vec<Vec<Value>>,
        outcome: Outcome,
        has_news: bool,
    ) -> Unfinished {
        let ending = match outcome.stopped {
            // Its time may have been too short for a case.
            Some(Stopped::Budget) if self.saved.is_none() => Ending::CutOff,
            // So may its work, or the time for it. It gets several times as much.
            Some(Stopped::Budget) if work.is_some() => Ending::CutOff,
            None if outcome.is_cut_off => Ending::CutOff,
            // It exhausted its space only now, so a greater one is next, even if it ran fewer variants.
            None if outcome.exhausted && self.ending == Ending::CutOff && self.saved.is_some() => {
                Ending::Over
            }
            _ if outcome.valid <= self.outcome.valid => Ending::Done,
            Some(Stopped::Budget) => Ending::CutOff,
            None => Ending::Over,
            Some(_) => Ending::Done,
        };
        let n_raised = self.n_raised_next();
        let is_first = self.saved.is_none();
        let seconds = outcome.seconds;
        let outcome = if is_first { outcome } else { merged(self.outcome, outcome, n_raised > 0) };
        let (position, weight, memory) = (self.position, self.weight, self.memory);
        Unfinished {
            position,
            weight,
            work: work.unwrap_or(u64::MAX),
            n_raised,
            saved: Some(saved),
            outcome,
            seconds,
            has_news,
            ending,
            memory,
        }
    }

    fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds).max(QUICK)
    }

    /// When it is its turn: first all functions up to the usual work, then those with news.
    fn turn(&self) -> Turn {
        if self.work < self.weight.of(FIRST_WORK.1) {
            Turn::First
        } else if self.has_news {
            Turn::News
        } else {
            Turn::NoNews
        }
    }
}

/// When it is a function's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    First,
    News,
    NoNews,
}

/// The outcomes of two rounds of a function as one.
fn merged(before: Outcome, now: Outcome, is_raised: bool) -> Outcome {
    if now.valid < before.valid {
        let (cases_to_failure, seconds_to_failure) = (now.cases_to_failure, now.seconds_to_failure);
        let merged = with_failures(before, now.failures);
        return Outcome {
            cases_to_failure: merged.cases_to_failure.or(cases_to_failure),
            seconds_to_failure: merged.seconds_to_failure.or(seconds_to_failure),
            ..merged
        };
    }
    // With more variants, fewer cases may be left for the space.
    let is_behind = now.valid_inside < before.valid_inside;
    let mut merged = with_failures(now, before.failures);
    // A later round begins with the failing inputs of those before it.
    if before.cases_to_failure.is_some() {
        merged.cases_to_failure = before.cases_to_failure;
        merged.seconds_to_failure = before.seconds_to_failure;
    }
    if is_raised || is_behind {
        // What the report says of the space is about the bounds of the first round, and the round that came furthest in it.
        let more = merged.cases.saturating_sub(before.cases);
        merged.boundary_cases = before.boundary_cases + more;
        merged.valid_inside = before.valid_inside;
        (merged.reached, merged.exhausted, merged.stopped) =
            (before.reached, before.exhausted, before.stopped);
        merged.unknowns = before.unknowns;
    }
    merged
}

fn with_failures(outcome: Outcome, others: Vec<(Counterexample, u64)>) -> Outcome {
    let mut failures = outcome.failures;
    for (found, n_cases) in others {
        if !failures.iter().any(|(known, _)| alike(&known.failure, &found.failure)) {
            failures.push((found, n_cases));
        }
    }
    let first =
        |is_inside: bool| failures.iter().map(|(found, _)| found).find(|found| found.is_inside == is_inside);
    let (counterexample, boundary_counterexample) = (first(true).cloned(), first(false).cloned());
    let verdict = match (failures.is_empty(), outcome.verdict) {
        (false, Verdict::Passed) => Verdict::Failed,
        (_, verdict) => verdict,
    };
    Outcome { failures, counterexample, boundary_counterexample, verdict, ..outcome }
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

/// Functions with their shares of a round, and those that wait.
type Planned = (Vec<(Unfinished, Share)>, Vec<Unfinished>);

/// The next round.
fn plan(mut open: Vec<Unfinished>, left: Duration, at_once: u32) -> Planned {
    open.sort_by_key(|unfinished| {
        (unfinished.turn(), unfinished.weight, unfinished.work, unfinished.position)
    });
    // What is too slow for a further round by work is left to the last one.
    let is_quick = |unfinished: &Unfinished| unfinished.time() * ROOM <= left && unfinished.work < u64::MAX;
    let turn = open.iter().find(|unfinished| is_quick(unfinished)).map(Unfinished::turn);
    let is_chosen = |unfinished: &Unfinished| Some(unfinished.turn()) == turn && is_quick(unfinished);
    let sum: Duration = open.iter().filter(|unfinished| is_chosen(unfinished)).map(Unfinished::time).sum();
    if turn.is_some() && sum * ROOM <= left * at_once {
        by_work(open, is_chosen, left)
    } else {
        by_time(open, left, at_once)
    }
}

/// A round by work.
fn by_work(open: Vec<Unfinished>, is_chosen: impl Fn(&Unfinished) -> bool, left: Duration) -> Planned {
    let (chosen, waiting): (Vec<Unfinished>, Vec<Unfinished>) = open.into_iter().partition(is_chosen);
    let share = |unfinished: Unfinished| {
        let work = Some(unfinished.work.saturating_mul(GROWTH.into()));
        let budget = (unfinished.time() * GROWTH * SLACK).max(LEAST * GROWTH).min(left);
        (unfinished, Share { work, budget })
    };
    (chosen.into_iter().map(share).collect(), waiting)
}

/// The last round, which shares the time that is left.
fn by_time(mut open: Vec<Unfinished>, left: Duration, at_once: u32) -> Planned {
    open.sort_by_key(|unfinished| {
        (unfinished.turn(), unfinished.weight, unfinished.work, unfinished.position)
    });
    let fits = |sum: Duration, time: Duration| {
        time * LEAST_GROWTH <= left && (sum + time) * LEAST_GROWTH <= left * at_once
    };
    let mut sum = Duration::ZERO;
    let mut turn = None;
    let (chosen, waiting): (Vec<Unfinished>, Vec<Unfinished>) = open.into_iter().partition(|unfinished| {
        // If one is chosen, those whose turn comes later wait.
        let is_turn = turn.is_none_or(|turn| turn == unfinished.turn());
        let is_chosen = is_turn && fits(sum, unfinished.time());
        if is_chosen {
            sum += unfinished.time();
            turn = Some(unfinished.turn());
        }
        is_chosen
    });
    let n_at_once = at_once.min(chosen.len() as u32);
    let factor = (left * n_at_once).as_secs_f64() / sum.max(QUICK).as_secs_f64();
    let share = |unfinished: Unfinished| {
        let budget = unfinished.time().mul_f64(factor).max(LEAST).min(left);
        (unfinished, Share { work: None, budget })
    };
    (chosen.into_iter().map(share).collect(), waiting)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(valid: u64, seconds: f64, stopped: Option<Stopped>) -> Outcome {
        Outcome { valid, cases: valid, seconds, stopped, ..Unfinished::new(0, Weight::First).outcome }
    }

    /// A function after a round of the usual work.
    fn unfinished(position: usize, seconds: f64, has_news: bool) -> Unfinished {
        let outcome = outcome(9, seconds, Some(Stopped::Budget));
        Unfinished::new(position, Weight::First).after(Some(20_000), Vec::new(), outcome, has_news)
    }

    /// Positions with the thousands of work and seconds, and the positions that wait.
    fn planned(open: Vec<Unfinished>, left: u64, at_once: u32) -> (Vec<(usize, u64, u64)>, Vec<usize>) {
        let (chosen, waiting) = plan(open, Duration::from_secs(left), at_once);
        let chosen = chosen.iter().map(|(one, share)| {
            (one.position, share.work.unwrap_or_default() / 1000, share.budget.as_secs())
        });
        (chosen.collect(), waiting.iter().map(|one| one.position).collect())
    }

    #[test]
    fn functions_with_news_come_first_and_get_more_work() {
        let open = vec![unfinished(0, 1.0, false), unfinished(1, 1.0, true), unfinished(2, 2.0, true)];
        assert_eq!(planned(open, 100, 1), (vec![(1, 80, 8), (2, 80, 16)], vec![0]));
    }

    #[test]
    fn all_functions_get_the_usual_work_before_those_with_news_get_more() {
        let less = Unfinished { work: 1_000, ..unfinished(0, 1.0, false) };
        let open = vec![unfinished(1, 1.0, true), less];
        assert_eq!(planned(open, 100, 1), (vec![(0, 4, 8)], vec![1]));
    }

    #[test]
    fn the_time_of_the_round_before_decides_only_on_what_is_slow() {
        for seconds in [0.1, 1.0, 1.9] {
            let open = vec![unfinished(0, seconds, true), unfinished(1, 9.0, true)];
            let (chosen, waiting) = planned(open, 100, 1);
            assert_eq!((chosen[0].0, chosen[0].1, chosen.len(), waiting), (0, 80, 1, vec![1]), "{seconds}");
        }
    }

    #[test]
    fn work_of_the_first_round_is_shared_without_a_clock() {
        let work = |seconds, n_first, n_further| {
            let first = std::iter::repeat_n(Weight::First, n_first);
            let further = std::iter::repeat_n(Weight::Further, n_further);
            first_work(Duration::from_secs(seconds), first.chain(further))
        };
        let minute = [work(60, 1, 0), work(60, 300, 0), work(60, 200, 400), work(60, 5_000, 0)];
        assert_eq!(minute, [20_000, 1_000, 1_000, 250]);
        assert_eq!([work(600, 300, 0), work(0, 0, 0)], [10_000, 250]);
    }

    #[test]
    fn further_instances_have_a_quarter_of_the_share_and_come_last() {
        let deadline = Instant::now() + Duration::from_secs(100);
        let weights = [Weight::First, Weight::Further, Weight::Further, Weight::Further];
        let shares = Shares::new(deadline, weights.into_iter(), 1);
        let seconds = weights.map(|weight| shares.next(weight).as_secs_f64().round() as u64);
        // A slow function may use twice its share: 4 of 7 times 2 are more than all.
        assert_eq!(seconds, [100, 67, 100, 100]);
        assert_eq!(weights.map(|weight| weight.of(10)), [10, 3, 3, 3]);
        assert_eq!(Weight::Further.of(u64::MAX - 3), u64::MAX / 4);
        let further = Unfinished { weight: Weight::Further, work: 1, ..unfinished(0, 1.0, true) };
        let first = Unfinished { work: 1, ..unfinished(1, 1.0, true) };
        let planned = planned(vec![further, first], 100, 1).0;
        assert_eq!(planned.iter().map(|one| one.0).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn the_last_round_uses_the_time_that_is_left() {
        let open = vec![unfinished(0, 1.0, true), unfinished(1, 3.0, true)];
        assert_eq!(planned(open, 10, 2), (vec![(0, 0, 5), (1, 0, 10)], Vec::new()));
    }

    #[test]
    fn one_slow_function_gets_all_the_time_that_one_can_use() {
        assert_eq!(planned(vec![unfinished(0, 5.0, true)], 55, 8), (vec![(0, 0, 55)], Vec::new()));
        let open = vec![unfinished(0, 5.0, true), unfinished(1, 5.0, true)];
        assert_eq!(planned(open, 55, 8).0, [(0, 0, 55), (1, 0, 55)]);
    }

    #[test]
    fn a_first_round_without_time_for_a_case_is_followed_by_another() {
        let none = || outcome(0, 0.1, Some(Stopped::Budget));
        let once = Unfinished::new(0, Weight::First).after(Some(100), Vec::new(), none(), true);
        assert!(once.may_go_on(false));
        // With more work there may be a valid case, but not with more time in the last round.
        let twice = once.after(Some(400), Vec::new(), none(), true);
        assert!(twice.may_go_on(false));
        assert!(!twice.after(None, Vec::new(), none(), true).may_go_on(false));
    }

    #[test]
    fn a_function_whose_work_ended_after_its_space_goes_on_in_it() {
        let exhausted = Outcome { exhausted: true, is_cut_off: true, ..outcome(300, 1.0, None) };
        let cut = Unfinished::new(0, Weight::First).after(Some(1_000), Vec::new(), exhausted, true);
        assert!(cut.may_go_on(false));
        assert_eq!(cut.n_raised_next(), 0);
        // If it ends there with fewer variants, a greater space is next.
        let fewer = Outcome { exhausted: true, ..outcome(200, 1.0, None) };
        let over = cut.after(None, Vec::new(), fewer, false);
        assert!(over.may_go_on(true) && !over.may_go_on(false));
        assert_eq!((over.n_raised_next(), over.outcome.valid), (1, 300));
    }

    #[test]
    fn the_last_round_is_first_that_of_functions_below_the_usual_work() {
        let less = Unfinished { work: 250, ..unfinished(0, 5.0, false) };
        let open = vec![unfinished(1, 1.0, true), less];
        assert_eq!(planned(open, 11, 1), (vec![(0, 0, 11)], vec![1]));
    }

    #[test]
    fn a_function_waits_if_it_would_mostly_repeat_itself() {
        let open = vec![unfinished(0, 6.0, true), unfinished(1, 1.0, false)];
        assert_eq!(planned(open, 10, 1), (vec![(1, 0, 10)], vec![0]));
        assert_eq!(planned(vec![unfinished(0, 6.0, true)], 10, 4), (Vec::new(), vec![0]));
    }

    #[test]
    fn the_round_that_came_furthest_is_kept_with_the_first_failure() {
        let mut before = unfinished(0, 1.0, true);
        before.outcome.cases_to_failure = Some(7);
        let now = Outcome { cases_to_failure: Some(1), ..outcome(30, 4.0, Some(Stopped::Budget)) };
        let later = before.after(Some(400), Vec::new(), now, false);
        assert_eq!((later.outcome.valid, later.outcome.cases_to_failure, later.work), (30, Some(7), 400));
        assert!(later.may_go_on(false));
        let less = later.after(None, Vec::new(), outcome(3, 1.0, Some(Stopped::Budget)), true);
        assert_eq!(less.outcome.valid, 30);
        assert!(!less.may_go_on(true));
    }

    #[test]
    fn a_function_without_more_inputs_gets_a_greater_space_and_its_report_is_about_the_first() {
        let first = Outcome { exhausted: true, valid_inside: 9, boundary_cases: 3, ..outcome(12, 1.0, None) };
        let over = Unfinished::new(0, Weight::First).after(Some(100), Vec::new(), first, false);
        assert!(over.may_go_on(true) && !over.may_go_on(false));
        assert_eq!((over.n_raised, over.n_raised_next()), (0, 1));
        let now = Outcome { valid_inside: 50, ..outcome(50, 2.0, Some(Stopped::Budget)) };
        let later = over.after(Some(400), Vec::new(), now, false);
        let Outcome { valid, valid_inside, boundary_cases, exhausted, stopped, .. } = later.outcome;
        assert_eq!((valid, valid_inside, boundary_cases, exhausted, stopped), (50, 9, 41, true, None));
        assert_eq!((later.ending, later.n_raised_next()), (Ending::CutOff, 1));
    }
}
