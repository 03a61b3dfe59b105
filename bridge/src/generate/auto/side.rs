//! A source of cases outside the space, as the schedule keeps it: how much it has made, and when it is asked again.

use target_strategies::beyond::{Seen, Source};
use target_strategies::logic::value::Value;

use crate::generate::Case;
use crate::generate::beyond::BeyondCases;

/// Work for an attempt at a boundary case that is little.
const CHEAP: u64 = 1_000;

/// Number of attempts before the cost of inputs is known.
const FIRST_CASES: u64 = 16;

/// Work for a member that is much, and maximum number of large inputs for each such member.
const EXPENSIVE: u64 = 10_000;
const MOST_TIMES: u64 = 6;

/// Number of long inputs that are enough, and how many scalars, constructors and characters make an input long.
const ENOUGH_LONG: u64 = 100;
const LONG: usize = 64;

/// Number of members for which a source rests after a turn in vain: twice as many for each such turn, up to a number of them.
const LEAST_REST: u64 = 4;
const MOST_IN_VAIN: u32 = 8;

/// Free work of another source, in steps of the engine: at the start, and for each of the first members.
pub(super) const FREE_WORK: u64 = 150_000;
const FREE_WORK_PER_MEMBER: u64 = 30_000;

/// Number of these first members.
const FIRST_MEMBERS: u64 = 100;

/// Further free work for each time that the number of members doubles.
const FREE_WORK_PER_DOUBLING: u64 = 300_000;

/// Number of large inputs before they become fewer, next to a space that is known to be small.
pub(super) const FIRST_BEYOND: u64 = 500;

/// Number of cases within which such a space is exhausted, if it has so few members that the first large inputs fit in.
pub(super) const USUAL_CASES: u64 = 9_000;

/// In other such spaces, number of members for each further large input.
pub(super) const MEMBERS_PER_CASE: u64 = 10;

/// A source of cases outside the space.
pub(super) struct Side {
    pub source: Source,
    pub cases: BeyondCases,
    pub n_cases: u64,
    /// Number of long inputs, members of the space included.
    pub n_long: u64,
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
    /// The same while there are few long inputs.
    pub work_until_long: u64,
}

impl Side {
    /// A source that comes in turn with the cases of the space: once for so many, and once more for each of the first ones.
    pub fn new(source: Source, cases: BeyondCases, every: u64, early: u64) -> Side {
        Side {
            source,
            cases,
            n_cases: 0,
            n_long: 0,
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
        let case = self.cases.next_case(self.most_work(allowance).saturating_sub(before), seen);
        self.attempts.0 += 1;
        self.attempts.1 += self.cases.work() - before;
        if let Some(case) = &case {
            self.n_long += u64::from(case.args.iter().map(Value::n_parts).sum::<usize>() > LONG);
        }
        case
    }

    /// Maximum work within an allowance.
    fn most_work(&self, allowance: &Allowance) -> u64 {
        match self.source {
            Source::Large if self.n_long < ENOUGH_LONG => allowance.work_until_long,
            Source::Large | Source::Boundary => allowance.work,
        }
    }

    /// Number of large inputs for each member: more where members are expensive and large inputs are not, up to a limit.
    pub fn inputs_per_member(&self, work_inside: u64, n_inside: u64) -> u64 {
        let (n_attempts, work) = self.attempts;
        match self.source {
            Source::Large if n_attempts >= FIRST_CASES && n_inside > 0 => {
                let (member, input) = (work_inside / n_inside, work / n_attempts);
                if member < EXPENSIVE { 1 } else { (member / input.max(1)).clamp(1, MOST_TIMES) }
            }
            Source::Large | Source::Boundary => 1,
        }
    }

    /// Whether the source has no more cases within its allowance.
    pub fn is_over(&self, allowance: &Allowance) -> bool {
        self.n_cases >= allowance.n_cases
            || self.cases.work() >= self.most_work(allowance)
            || self.cases.is_over()
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

/// Number of large inputs after some of the members of a space that is exhausted within few cases. There are half as many boundary
/// cases.
pub(super) fn most_beyond(n_all: u64, n_members: u64) -> u64 {
    let more = match USUAL_CASES.checked_sub(n_all + FIRST_BEYOND * 3 / 2) {
        Some(left) => left * 2 / 3,
        None => n_all / MEMBERS_PER_CASE,
    };
    FIRST_BEYOND + more * n_members.min(n_all) / n_all.max(1)
}

/// The same, if another generator makes most members, so that their number isn't known.
pub(super) fn some_beyond(n_members: u64) -> u64 {
    FIRST_BEYOND + n_members / MEMBERS_PER_CASE
}

/// The free work of another source after so many members: the less for each, the more there are.
pub(super) fn free_work(n_members: u64) -> u64 {
    let first = FREE_WORK + FREE_WORK_PER_MEMBER * n_members.min(FIRST_MEMBERS);
    let n_doublings = (n_members / FIRST_MEMBERS).checked_ilog2().unwrap_or(0);
    // Between two doublings it grows evenly.
    let last = FIRST_MEMBERS << n_doublings;
    let since =
        u128::from(n_members.saturating_sub(last)) * u128::from(FREE_WORK_PER_DOUBLING) / u128::from(last);
    first + FREE_WORK_PER_DOUBLING * u64::from(n_doublings) + since as u64
}
