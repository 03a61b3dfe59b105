//! A source of cases outside the space, as the schedule keeps it: how much it has made, and when it is asked again.

use target_strategies::beyond::{Seen, Source};

use crate::generate::Case;
use crate::generate::beyond::BeyondCases;

/// Work for an attempt at a boundary case that is little.
const CHEAP: u64 = 1_000;

/// Number of members for which a source rests after a turn in vain: twice as many for each such turn, up to a number of them.
const LEAST_REST: u64 = 4;
const MOST_IN_VAIN: u32 = 8;

/// A source of cases outside the space.
pub(super) struct Side {
    pub source: Source,
    pub cases: BeyondCases,
    pub n_cases: u64,
    /// Number of cases of the space between two cases.
    pub every: u64,
    /// Number of cases of the space after each of which comes one more, at the start.
    pub early: u64,
    /// Number of attempts in the current turn, and whether it gave a case.
    pub turn: (u64, bool),
    /// Number of attempts so far, and the work for them.
    pub attempts: (u64, u64),
    /// Number of turns since the last one that gave a case.
    pub n_in_vain: u32,
    /// Number of cases of the space before which the source isn't asked.
    pub rests_until: u64,
}

/// Limits of a source of cases outside the space.
pub(super) struct Allowance {
    /// Maximum number of cases.
    pub n_cases: u64,
    /// Maximum work, in steps of the engine.
    pub work: u64,
}

impl Side {
    /// A source that comes in turn with the cases of the space: once for so many, and once more for each of the first ones.
    pub fn new(source: Source, cases: BeyondCases, every: u64, early: u64) -> Side {
        Side {
            source,
            cases,
            n_cases: 0,
            every,
            early,
            turn: (0, false),
            attempts: (0, 0),
            n_in_vain: 0,
            rests_until: 0,
        }
    }

    /// The next case, if this attempt makes one.
    pub fn attempt(&mut self, allowance: &Allowance, seen: &mut Seen) -> Option<Case> {
        // An attempt doesn't count for what all cases need.
        self.cases.prepare();
        let before = self.cases.work();
        let case = self.cases.next_case(allowance.work.saturating_sub(before), seen);
        self.attempts.0 += 1;
        self.attempts.1 += self.cases.work() - before;
        case
    }

    /// Whether the source has no more cases within its allowance.
    pub fn is_over(&self, allowance: &Allowance) -> bool {
        self.n_cases >= allowance.n_cases || self.cases.work() >= allowance.work || self.cases.is_over()
    }

    /// Whether its inputs may be members of the space: larger ones, whose scalars vary more than the space's first ones, and
    /// limits of ranges, if they cost little.
    pub fn makes_members(&self) -> bool {
        let (n_attempts, work) = self.attempts;
        self.source == Source::Large || work <= n_attempts * CHEAP
    }

    /// Takes note of the turn, if there were attempts in it. After turns in vain, the source rests for more and more cases of the
    /// space.
    pub fn note_turn(&mut self, n_inside: u64) {
        let (n_attempts, has_case) = self.turn;
        if n_attempts == 0 {
            return;
        }
        if !has_case {
            self.rests_until = n_inside + (LEAST_REST << self.n_in_vain);
            self.n_in_vain = (self.n_in_vain + 1).min(MOST_IN_VAIN);
        } else {
            (self.rests_until, self.n_in_vain) = (0, 0);
        }
    }
}
