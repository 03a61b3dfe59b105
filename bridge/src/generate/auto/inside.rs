//! The next members of the space: from the engine, which lists them, or from Z3.

use target_strategies::cancel;
use target_strategies::logic::eval::admits;

use super::{Auto, BATCH, Inside, SENT};
use crate::generate::spread::Turn;
use crate::generate::{Batch, Case, Generator, Step};

/// One of this many sent members is judged first, as a test of the engine.
const TESTED: usize = 16;

/// Maximum number of random cases between two steps of the solver.
const RANDOM: u64 = 64;

/// Number of random cases that don't depend on the number of the solver's.
const FIRST_RANDOM: u64 = 256;

/// Maximum number of pieces of a batch.
const PIECES: usize = 128;

impl Auto {
    /// A turn of the engine. If planning takes too long, Z3 takes over, as long as the members so far are known here.
    fn turn(&mut self, most: u64, is_made: bool) -> Turn {
        let Inside::Engine(members) = &mut self.inside else { return Turn::Nothing };
        if !is_made || self.produced.is_none() {
            return members.next_turn(most, is_made);
        }
        let patience = self.patience.0 + self.patience.1 * members.n_members();
        let before = cancel::steps();
        let left = patience.saturating_sub(self.n_steps);
        let mut next = || cancel::within_steps(left, || members.next_turn(most, is_made));
        if left > 0
            && let Some(turn) = next()
        {
            self.n_steps += cancel::steps().wrapping_sub(before);
            return turn;
        }
        self.hand_over(patience);
        Turn::Nothing
    }

    /// From now on, Z3 lists the members. `work` is that of the engine before.
    pub(super) fn hand_over(&mut self, work: u64) {
        self.work_before = work;
        self.inside = Inside::solver(&self.space, self.options.seed);
        // New random arguments with the same seed would be those that were tried.
        if let (Inside::Solver { random, .. }, Some(earlier)) = (&mut self.inside, self.random.take()) {
            *random = earlier;
        }
        for args in self.produced.take().into_iter().flatten() {
            self.seen.insert(args);
        }
    }

    /// Members from the engine, as values or as descriptions.
    pub(super) fn listed(&mut self) -> Batch {
        let Inside::Engine(members) = &mut self.inside else { return Batch::Cases(Vec::new()) };
        let is_made = members.n_members() < SENT;
        let room = (members.n_members() / 4).clamp(BATCH.0, BATCH.1);
        let (mut pieces, mut cases, mut n) = (Vec::new(), Vec::new(), 0);
        let mut is_certain = true;
        while n < room && pieces.len() < PIECES {
            if let Inside::Engine(members) = &self.inside {
                is_certain = members.is_certain();
            }
            if cases.len() as u64 != n {
                // Z3 might repeat members whose values are not known here.
                self.produced = None;
            }
            match self.turn(room - n, is_made) {
                Turn::Members(new, made) => {
                    n += new.iter().map(|piece| piece.len).sum::<u64>();
                    pieces.extend(new);
                    cases.extend(made.into_iter().map(|case| (case, false)));
                }
                Turn::Random(case) => {
                    n += 1;
                    cases.push((case, true));
                }
                Turn::Nothing => break,
                Turn::Over(end) => {
                    self.end = Some(end);
                    break;
                }
            }
        }
        // What the judge left undecided, or rejects by a mistake of the engine, is left to the child, which judges its own members.
        let mut tested = cases.iter().step_by(if cfg!(debug_assertions) { 1 } else { TESTED });
        if let Inside::Engine(members) = &self.inside {
            is_certain = members.is_certain();
        }
        let is_sent = is_made
            && is_certain
            && cases.len() as u64 == n
            && tested.all(|(case, _)| admits(self.space.spec(), &case.args));
        let args = cases.iter().map(|(case, _)| case.args.clone());
        match (&self.inside, &mut self.produced) {
            (Inside::Away, _) => {}
            (Inside::Solver { .. }, _) => args.for_each(|args| _ = self.seen.insert(args)),
            (Inside::Engine(_), Some(produced)) if cases.len() as u64 == n => produced.extend(args),
            (Inside::Engine(_), produced) => *produced = None,
        }
        if is_sent {
            return Batch::Cases(cases.into_iter().map(|(case, _)| case).collect());
        }
        let random = cases.into_iter().filter(|(_, is_random)| *is_random).map(|(case, _)| case);
        let before = self.pending.len();
        self.pending.extend(random);
        self.n_inside += (self.pending.len() - before) as u64;
        Batch::Listed(pieces)
    }

    /// Cases from Z3, with random ones between them.
    pub(super) fn solved(&mut self) -> Batch {
        let Inside::Solver { members, random } = &mut self.inside else { return Batch::Cases(Vec::new()) };
        // They are as many as the solver's members, so that they don't use up the cap on cases.
        let room = (FIRST_RANDOM + self.n_solved).saturating_sub(self.n_random).min(RANDOM);
        let is_first = self.n_random == 0;
        let mut cases: Vec<Case> = (0..if random.is_over() { 0 } else { room })
            .filter_map(|_| random.next_case(self.options.beyond, &mut self.seen))
            .collect();
        self.n_random += cases.len() as u64;
        if !is_first || cases.is_empty() {
            match members.step() {
                Step::Batch(Batch::Cases(more)) => {
                    self.n_solved += more.len() as u64;
                    // Random cases don't repeat them later.
                    cases.extend(more.into_iter().filter(|case| self.seen.insert(case.args.clone())));
                }
                Step::Batch(batch) => {
                    self.pending.extend(cases);
                    return batch;
                }
                Step::Reached(_) => {}
                Step::Beyond(end) | Step::End(end) => self.end = Some(end),
            }
        }
        Batch::Cases(cases)
    }
}
