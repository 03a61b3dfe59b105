//! The default generator: a schedule over the members of the space, boundary cases and larger inputs.
//!
//! The first cases are as varied in size and value as those of a random generator, and the space is completed
//! underneath. The other sources have about as many cases as the space, or fewer if it is small, and at most a tenth of its work,
//! plus an allowance that grows with the members, at first a lot, and up to a limit. So they never delay the exhaustion of the space
//! by much. Once it is finished they continue to their own end, within limits of their own.
//!
//! Where strings match regular expressions, one for each of the first ways through their structure comes with the first members,
//! if the spec admits it. Where planning takes the engine too long, Z3 lists the space, unless the child has begun to list members.
//!
//! Where members are expensive, random arguments that the spec admits come between them ([`beside`]).
//!
//! The first cases are large inputs. They run while the members and then the boundary cases are planned ([`opening`]).
//!
//! Nothing depends on the cap on cases, a clock or the number of threads: a cap only cuts the sequence short.

mod beside;
mod inside;
mod opening;
mod side;

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use target_strategies::beyond::{Seen, SharedSamples, Source};
use target_strategies::logic::value::Value;
use target_strategies::native::Native;
use target_strategies::space::Space;

use self::opening::{FIRST_ATTEMPTS, Opening};
use self::side::{Allowance, Side, free_work, most_beyond, some_beyond};
use super::beyond::BeyondCases;
use super::filtered::Filtered;
use super::native::fit_within;
use super::one_other::OneOther;
use super::other_strings::OtherStrings;
use super::smt::SmtGenerator;
use super::spread::SpreadMembers;
use super::{Batch, Case, End, Generator, Reached, Step};
use crate::smt::solver;

/// Number of members made here and sent. For so few, the child need not count first.
const SENT: u64 = 4096;

/// Maximum free work of another source: about a quarter of a second, or more if many members are counted. Once the space is
/// finished, it has all of it.
const MOST_FREE_WORK: u64 = 1_500_000;
const MOST_FREE_WORK_PER_MEMBER: u64 = 5;

/// The same until the space is finished, where its first inputs are expensive.
const MOST_EARLY_WORK: u64 = 3_000_000;

/// Free work once the space is finished while there are few long inputs.
const WORK_UNTIL_LONG: u64 = 5_000_000;

/// Work of the space for each unit of work of another source.
const SHARE: u64 = 10;

/// Steps in which the engine must find a first member, or Z3 lists the space: about half a second.
const FIRST_STEPS: u64 = 10_000_000;

/// Steps that the engine may take before Z3 lists the space, a few seconds, and additional ones for each member.
const PATIENCE: (u64, u64) = (40_000_000, 40_000);

/// Number of members that other sources may make, for each one that the turns of the space produced.
const AHEAD: u64 = 3;

/// Number of first members after each of which comes a second large input.
const EARLY: u64 = 100;

/// Maximum number of members of a space in which large inputs and boundary cases become fewer, so that it is soon exhausted.
const EXHAUSTIBLE: u64 = 20_000;

/// Work that a case of the solver counts for, in steps.
const SOLVED_WORK: u64 = 10_000;

/// Number of cases that another source may have after the space is finished, however small the space.
const LEAST_BEYOND: u64 = 5_000;

/// Maximum number of cases of another source. It limits memory, since they are kept to recognize repetitions.
const MOST_BEYOND: u64 = 100_000;

/// Maximum number of attempts at cases of another source in one turn.
const ATTEMPTS: u64 = 16;

/// Number of listed members for each such attempt.
const MEMBERS_PER_ATTEMPT: u64 = 64;

/// Minimum and maximum number of cases of a batch.
const BATCH: (u64, u64) = (4, 8192);

/// Number of cases so far for each case of a batch. The first batches have one case, which runs while the next one is made.
const CASES_PER_CASE: usize = 4;

/// Options of the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoOptions {
    /// Whether to try inputs outside the space.
    pub beyond: bool,
    /// The seed of samples.
    pub seed: u64,
}

/// Produces cases from all sources.
pub struct Auto {
    space: Space,
    options: AutoOptions,
    /// Whether the members are only some of the space, and other sources make none.
    has_others: bool,
    inside: Inside,
    /// How the space ended, once it has.
    end: Option<End>,
    is_end_told: bool,
    opening: Opening,
    sources: Vec<Side>,
    strings: OtherStrings,
    one_other: OneOther,
    /// Random cases beside the engine's members, once those are expensive.
    random: Option<Box<Filtered>>,
    seen: Seen,
    n_inside: u64,
    /// Number of members that other sources made.
    n_ahead: u64,
    /// Steps that the engine has taken for its members.
    n_steps: u64,
    /// Work of the engine before Z3 took over.
    work_before: u64,
    /// The limits [`PATIENCE`], unless a test sets others.
    patience: (u64, u64),
    /// The engine's members, which Z3 must not repeat if it takes over; `None` if it can't.
    produced: Option<HashSet<Vec<Value>>>,
    /// Number of members that the solver found.
    n_solved: u64,
    /// Number of random cases between them.
    n_random: u64,
    /// Cases for the next step.
    pending: VecDeque<Case>,
    /// Members for the next steps, which add those of the other sources.
    waiting: VecDeque<Case>,
    /// The member that comes next, while those of the other sources before it are made.
    next: Option<Case>,
    /// Number of cases mixed so far.
    n_mixed: usize,
    /// How far the cases so far reach, as far as it was told.
    reached: Reached,
}

enum Inside {
    Engine(Box<SpreadMembers>),
    /// Random arguments come between the members.
    Solver {
        members: Box<SmtGenerator>,
        random: Box<Filtered>,
    },
    /// Another thread has the members, at the start.
    Away,
}

/// What came of a turn of the other sources.
enum Turn {
    /// There was no room for more. The turn goes on before the next member.
    Full,
    Over,
}

impl Inside {
    fn solver(space: &Space, seed: u64) -> Inside {
        let members = Box::new(SmtGenerator::new(space.clone(), seed));
        Inside::Solver { members, random: Box::new(Filtered::new(space, seed)) }
    }
}

impl Auto {
    /// The schedule for a space.
    pub fn new(space: Space, options: &AutoOptions) -> Auto {
        Auto::of(space.clone(), space, false, options)
    }

    /// The schedule for a space, with only these of its members.
    pub fn over(space: Space, members: Space, options: &AutoOptions) -> Auto {
        Auto::of(space, members, true, options)
    }

    fn of(space: Space, members: Space, has_others: bool, options: &AutoOptions) -> Auto {
        let native = fit_within(&members, FIRST_STEPS);
        let is_fit = native.is_some();
        let samples = SharedSamples::default();
        let side = |source, every, early| {
            let cases = BeyondCases::of(&space, source, options.seed, is_fit, &samples);
            Side::new(source, cases, every, early)
        };
        let sources = if options.beyond {
            vec![side(Source::Large, 1, EARLY), side(Source::Boundary, 2, 0)]
        } else {
            Vec::new()
        };
        let inside = match native {
            None if solver::IS_BUILT_IN => Inside::solver(&members, options.seed),
            native => {
                let native = native.unwrap_or_else(|| Native::new(&members));
                Inside::Engine(Box::new(SpreadMembers::new(members, native, options.seed)))
            }
        };
        // Members that differ in answers that a subject doesn't ask for are one input: equal values don't tell repetitions.
        let may_hand_over = solver::IS_BUILT_IN && space.spec().callbacks.is_empty();
        let produced = may_hand_over.then(HashSet::new);
        Auto {
            space,
            options: *options,
            has_others,
            inside,
            end: None,
            is_end_told: false,
            opening: Opening::Before,
            sources,
            strings: OtherStrings::default(),
            one_other: OneOther::default(),
            random: None,
            seen: Seen::new(),
            n_inside: 0,
            n_ahead: 0,
            n_steps: 0,
            work_before: 0,
            patience: PATIENCE,
            produced,
            n_solved: 0,
            n_random: 0,
            pending: VecDeque::new(),
            waiting: VecDeque::new(),
            next: None,
            n_mixed: 0,
            reached: Reached::default(),
        }
    }

    /// How far the cases so far reach, if that has changed.
    fn news(&mut self) -> Option<Reached> {
        let Inside::Engine(members) = &self.inside else { return None };
        let reached = members.reached();
        (std::mem::replace(&mut self.reached, reached) != reached).then_some(reached)
    }

    /// Work of the space so far.
    fn work(&self) -> u64 {
        match &self.inside {
            Inside::Engine(members) => members.work(),
            Inside::Solver { .. } | Inside::Away => self.work_before + self.n_solved * SOLVED_WORK,
        }
    }

    /// Adds the cases of the other sources whose turn it is, until there are as many cases as there is room for.
    fn add_beyond(&mut self, cases: &mut Vec<Case>, attempts: u64, room: Option<usize>) -> Turn {
        self.admit_boundary();
        let (allowance, is_over, work_inside) = (self.allowance(), self.is_space_over(), self.work());
        let n_exhaustible = self.reached.n_members.filter(|n| *n <= EXHAUSTIBLE);
        for at in 0..self.sources.len() {
            if !is_over && self.n_inside < self.sources[at].rests_until {
                continue;
            }
            // A turn is limited: a source that finds nothing is asked again later.
            while self.sources[at].turn.0 < attempts {
                self.seen.with_members = self.sources[at].makes_members() && self.takes_members();
                let (side, n_inside) = (&mut self.sources[at], self.n_inside);
                let per_member = side.inputs_per_member(work_inside, n_inside);
                let mut by_now = (per_member * n_inside).div_ceil(side.every) + n_inside.min(side.early);
                if let Some(n) = n_exhaustible {
                    let most = if self.has_others { some_beyond(n_inside) } else { most_beyond(n, n_inside) };
                    by_now = by_now.min(most / side.every);
                }
                let due = if is_over { allowance.n_cases } else { by_now.min(MOST_BEYOND) };
                if side.n_cases >= due || side.is_over(&allowance) {
                    break;
                }
                if room.is_some_and(|room| cases.len() >= room) {
                    return Turn::Full;
                }
                side.turn.0 += 1;
                let Some(case) = side.attempt(&allowance, &mut self.seen) else {
                    if side.cases.has_waited() && !is_over {
                        side.turn = (0, false);
                        break;
                    }
                    continue;
                };
                side.turn.1 = true;
                side.n_cases += u64::from(case.beyond.is_some());
                if case.beyond.is_some() || self.takes_as_member(&case.args) {
                    cases.push(case);
                }
            }
            self.sources[at].note_turn(self.n_inside);
        }
        self.sources.iter_mut().for_each(|side| side.turn = (0, false));
        Turn::Over
    }

    /// Whether an input of another source is a new member of the space. Its own turn then leaves it out.
    fn takes_as_member(&mut self, args: &[Value]) -> bool {
        match &mut self.inside {
            Inside::Engine(members) => {
                if !members.note(args) {
                    return false;
                }
                self.n_ahead += 1;
            }
            // It is among the inputs that the solver must not repeat.
            Inside::Solver { .. } | Inside::Away => {}
        }
        self.n_inside += 1;
        true
    }

    /// Whether all members of the space were produced, and none of them waits.
    fn is_space_over(&self) -> bool {
        self.end.is_some() && self.next.is_none() && self.waiting.is_empty()
    }

    /// Whether an input of another source may be a member of the space: while members are made here, up to a
    /// multiple of the others.
    fn takes_members(&self) -> bool {
        let Inside::Engine(members) = &self.inside else { return false };
        self.knows_members() && self.n_ahead <= AHEAD * members.n_members()
    }

    /// Whether members of the space are made here, so that their turns can leave out what came ahead.
    fn knows_members(&self) -> bool {
        let Inside::Engine(members) = &self.inside else { return false };
        self.end.is_none() && members.n_members() < SENT && !self.has_others
    }

    /// Number of inputs that the counted sizes of the space list.
    fn n_known(&self) -> u64 {
        match &self.inside {
            Inside::Engine(members) => members.n_known(),
            Inside::Solver { .. } | Inside::Away => self.n_solved,
        }
    }

    /// What each of the other sources may have by now.
    fn allowance(&self) -> Allowance {
        let most = MOST_FREE_WORK.max(self.n_known().saturating_mul(MOST_FREE_WORK_PER_MEMBER));
        let early = free_work(self.n_inside).min(most.max(MOST_EARLY_WORK));
        let free = if self.is_space_over() { most } else { early };
        // Next to members that are made elsewhere, the space is over long before the run.
        let waits_for_long = self.is_space_over() && !self.has_others;
        let until_long = if waits_for_long { free.max(WORK_UNTIL_LONG) } else { free };
        let share = self.work() / SHARE;
        Allowance {
            n_cases: self.n_inside.clamp(LEAST_BEYOND, MOST_BEYOND),
            work: free.saturating_add(share),
            work_until_long: until_long.saturating_add(share),
        }
    }

    /// The step after the end of the space.
    fn after_end(&mut self, end: End) -> Step {
        self.admit_boundary();
        let allowance = self.allowance();
        if self.sources.iter().all(|side| side.is_over(&allowance)) {
            return Step::End(end);
        }
        if !std::mem::replace(&mut self.is_end_told, true) {
            return Step::Beyond(end);
        }
        let mut cases = Vec::new();
        self.add_beyond(&mut cases, ATTEMPTS, None);
        Step::Batch(Batch::Cases(cases))
    }
}

impl Generator for Auto {
    /// A batch may be empty: then this step only counted, and the caller may look at its clock.
    fn step(&mut self) -> Step {
        if !self.pending.is_empty() {
            return Step::Batch(Batch::Cases(self.pending.drain(..).collect()));
        }
        if let Some(cases) = self.opening_cases() {
            self.n_mixed += cases.len();
            return Step::Batch(Batch::Cases(cases));
        }
        if self.next.is_some() || !self.waiting.is_empty() {
            return Step::Batch(Batch::Cases(self.mixed()));
        }
        if let Some(reached) = self.news() {
            return Step::Reached(reached);
        }
        if let Some(end) = self.end.clone() {
            return self.after_end(end);
        }
        let batch = match &mut self.inside {
            Inside::Engine(_) => self.listed(),
            Inside::Solver { .. } => self.solved(),
            Inside::Away => Batch::Cases(Vec::new()),
        };
        match batch {
            Batch::Cases(cases) if cases.is_empty() => {
                let mut cases = Vec::new();
                self.add_beyond(&mut cases, ATTEMPTS, None);
                Step::Batch(Batch::Cases(cases))
            }
            Batch::Cases(cases) => {
                self.waiting.extend(cases);
                Step::Batch(Batch::Cases(self.mixed()))
            }
            Batch::Listed(pieces) => {
                let n = pieces.iter().map(|piece| piece.len).sum::<u64>();
                self.n_inside += n;
                let mut beyond = Vec::new();
                self.add_beyond(&mut beyond, ATTEMPTS.max(n / MEMBERS_PER_ATTEMPT), None);
                self.pending.extend(beyond);
                Step::Batch(Batch::Listed(pieces))
            }
            Batch::Ranges(_) => Step::Batch(batch),
        }
    }

    fn solving(&self) -> Duration {
        let sides: Duration = self.sources.iter().map(|side| side.cases.solving()).sum();
        match &self.inside {
            Inside::Engine(_) | Inside::Away => sides,
            Inside::Solver { members, .. } => sides + members.solving(),
        }
    }
}

impl Auto {
    /// The cases of a step of the opening; `None` if it is over, but for the boundary cases.
    fn opening_cases(&mut self) -> Option<Vec<Case>> {
        match std::mem::replace(&mut self.opening, Opening::Over) {
            Opening::Before => Some(self.open().into_iter().collect()),
            Opening::Members(meanwhile) if meanwhile.n_attempts < FIRST_ATTEMPTS => {
                Some(self.first_large(meanwhile).into_iter().collect())
            }
            Opening::Members(meanwhile) => Some(self.opened(meanwhile)),
            other @ (Opening::Boundary(_) | Opening::Over) => {
                self.opening = other;
                None
            }
        }
    }

    /// The next batch: waiting cases, and before each those of the other sources.
    fn mixed(&mut self) -> Vec<Case> {
        let mut cases = Vec::new();
        let room = (self.n_mixed / CASES_PER_CASE).max(1);
        while cases.len() < room {
            self.next = self.next.take().or_else(|| self.next_waiting(&mut cases));
            if self.next.is_none() {
                break;
            }
            match self.add_beyond(&mut cases, ATTEMPTS, Some(room)) {
                Turn::Full => break,
                Turn::Over => {}
            }
            if let Some(case) = self.next.take() {
                self.add_one_other(&case.args, &mut cases);
                self.add_random(&mut cases);
                cases.push(case);
            }
        }
        self.n_mixed += cases.len();
        cases
    }

    /// The first of the waiting cases. Inputs with other strings come before it.
    fn next_waiting(&mut self, cases: &mut Vec<Case>) -> Option<Case> {
        let case = self.waiting.pop_front()?;
        self.n_inside += u64::from(case.beyond.is_none());
        self.add_other_strings(&case.args, cases);
        Some(case)
    }
}

#[cfg(test)]
mod tests;
