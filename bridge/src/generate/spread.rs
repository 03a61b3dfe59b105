//! The members of the space for `auto`: from all sizes at once, and spread over each size.
//!
//! Each size is a class. A counted class is visited in an order in which neighbours in time are far apart
//! ([`target_strategies::native::listing::Pick::Spread`]). The classes take turns, and every few turns it is the turn of
//! the smallest one that isn't finished. So the first cases are of all sizes, and the small ones are completed
//! underneath. An uncounted class is walked in order; it is counted later, when more effort may be spent. Until then random
//! members of it come between those of the walk, which would be alike.
//!
//! Effort for counting and for random members is paid for by cases, so the sequence depends on the spec, the bounds and
//! the seed only.

use std::collections::{BTreeSet, VecDeque};
use std::ops::RangeInclusive;

use target_strategies::cancel;
use target_strategies::logic::value::Value;
use target_strategies::native::listing::{self, Listed, Pick, unsolved};
use target_strategies::native::random::RandomMembers;
use target_strategies::native::{Class, Native, Position};
use target_strategies::space::Space;

use super::native::open::Walked;
use super::native::{CHOICES_PER_CLASS, CHOICES_PER_STEP};
use super::{Case, End, Reached};

/// Number of steps ([`cancel::steps`]) that may be spent for counting before the first case: some milliseconds.
const FIRST_STEPS: u64 = 40_000;

/// Number of further steps for each of the first cases, and for each later case.
const STEPS_PER_CASE: (u64, u64) = (2_000, 50);

/// Number of first cases.
const FIRST_CASES: u64 = 200;

/// Minimum number of choices of an attempt to count a class. Further attempts are longer, because each begins at the top.
const ATTEMPT: u64 = 50;

/// One of this many turns goes to the smallest unfinished class.
const SMALLEST: u64 = 4;

/// Number of cases so far for each case of a turn: turns grow, so that long runs are cheap.
const TURNS: u64 = 256;

/// Number of classes that are asked for members in one turn.
const CANDIDATES: u32 = 16;

/// Number of choices of a walk in one turn; twice as many after each turn without a member, this many times at most.
const WALK_EFFORT: u64 = 300;
const MOST_DOUBLINGS: u32 = 5;

/// Number of consecutive attempts without a new random member after which a class has no more of them.
const RANDOM_IN_VAIN: u32 = 6;

/// Number of steps for random members before the first case: some tens of milliseconds.
const RANDOM_STEPS: u64 = 400_000;

/// Number of steps that a member counts for: to list it, to convert it, and to run the function.
const STEPS_PER_MEMBER: u64 = 20;

/// Number of members up to which turns leave out those that came ahead. Later ones may be repeated.
const MOST_COMPARED: u64 = 1 << 15;

/// Maximum number of members of a turn.
const LONGEST_TURN: u64 = 8192;

/// The members of a space, made on request.
pub struct SpreadMembers {
    /// The engine that counts.
    counting: Native,
    /// The engine that lists uncounted classes.
    listing: Option<Native>,
    /// Whether the engine handles the whole precondition.
    covers: bool,
    space: Space,
    random: RandomMembers,
    /// A member of the last turn of an uncounted class, of which another one may be made.
    last_walked: Option<Vec<Value>>,
    /// The least size of a member.
    least: u64,
    /// The sizes whose classes are not opened yet.
    sizes: RangeInclusive<u64>,
    /// The unfinished classes, small first.
    open: Vec<Open>,
    /// The uncounted classes among them that are counted next, by size.
    uncounted: VecDeque<u64>,
    n_turns: u64,
    n_members: u64,
    /// Number of members that came ahead of the turn of their class, as far as that turn has not come.
    n_ahead: u64,
    /// Whether what the next turn counts is counted.
    is_prepared: bool,
    /// Number of steps ([`cancel::steps`]) spent to count.
    steps: u64,
    /// Number of members of the classes that are counted or finished.
    n_known: u128,
    /// The least size of a class that was given up.
    given_up: Option<u64>,
    reasons: BTreeSet<String>,
}

struct Open {
    size: u64,
    members: Members,
    /// Whether a random member was found.
    has_random: bool,
    /// Number of consecutive attempts that found no new random member.
    n_in_vain: u32,
    /// Number of consecutive turns in which a walk found no member.
    n_fruitless: u32,
    /// Number of turns to pass by: the search for a rare member must not delay the other classes.
    n_passed: u64,
}

enum Members {
    /// Number of members, number of those that a walk has produced first, and the next index after them.
    Counted {
        total: u128,
        walked: u64,
        next: u64,
    },
    Walked(Box<Walked>),
}

impl Open {
    fn new(size: u64, members: Members) -> Open {
        Open { size, members, has_random: false, n_in_vain: 0, n_fruitless: 0, n_passed: 0 }
    }

    /// Whether the class may have members to give without being counted further.
    fn may_yield(&self) -> bool {
        match &self.members {
            Members::Counted { .. } => true,
            Members::Walked(walked) => !walked.is_lost(),
        }
    }

    /// Number of choices tried to count the class.
    fn spent(&self) -> u64 {
        match &self.members {
            Members::Counted { .. } => 0,
            Members::Walked(walked) => walked.spent,
        }
    }
}

/// Some members of a class.
pub enum Turn {
    /// A description of the members, and on request the members.
    Members(Vec<Listed>, Vec<Case>),
    /// A random member. Turns after the first [`MOST_COMPARED`] members may repeat it.
    Random(Case),
    /// There are none in this step, but more follow.
    Nothing,
    /// All members were produced, or the rest is given up.
    Over(End),
}

impl SpreadMembers {
    /// The members of a space, by an engine for it. The seed is that of random members.
    pub fn new(space: Space, counting: Native, seed: u64) -> SpreadMembers {
        SpreadMembers {
            random: RandomMembers::new(&space, seed),
            last_walked: None,
            covers: unsolved(&counting, space.spec()).is_empty(),
            least: *counting.sizes().start(),
            sizes: counting.sizes(),
            counting,
            listing: None,
            space,
            open: Vec::new(),
            uncounted: VecDeque::new(),
            n_turns: 0,
            n_members: 0,
            n_ahead: 0,
            is_prepared: false,
            steps: 0,
            n_known: 0,
            given_up: None,
            reasons: BTreeSet::new(),
        }
    }

    /// Work so far, in steps ([`cancel::steps`]), without that of walks.
    pub fn work(&self) -> u64 {
        self.steps + self.random.work() + STEPS_PER_MEMBER * self.n_members
    }

    /// Number of members so far.
    pub fn n_members(&self) -> u64 {
        self.n_members
    }

    /// Number of inputs that the counted sizes list. If the engine doesn't handle the whole precondition, some are no members.
    pub fn n_known(&self) -> u64 {
        u64::try_from(self.n_known).unwrap_or(u64::MAX).max(self.n_members)
    }

    /// How far the members so far reach.
    pub fn reached(&self) -> Reached {
        if self.engines().any(|native| native.is_limited() || native.any_undecided()) {
            return Reached::default();
        }
        let unopened = if self.sizes.is_empty() { None } else { Some(*self.sizes.start()) };
        let unfinished = self.open.first().map(|open| open.size);
        let first = [unopened, unfinished, self.given_up].into_iter().flatten().min();
        let is_counted = |open: &Open| matches!(open.members, Members::Counted { .. });
        // Members with the same functions are one input.
        let is_known = unopened.is_none()
            && self.given_up.is_none()
            && self.is_certain()
            && self.space.spec().callbacks.is_empty();
        Reached {
            complete_size: first.filter(|first| *first > self.least).map(|first| first - 1),
            n_members: u64::try_from(self.n_known)
                .ok()
                .filter(|_| is_known && self.open.iter().all(is_counted)),
            different: None,
        }
    }

    /// Whether the engine handles the whole precondition, and left nothing undecided.
    pub fn is_certain(&self) -> bool {
        self.covers && !self.engines().any(Native::any_undecided)
    }

    fn engines(&self) -> impl Iterator<Item = &Native> {
        [Some(&self.counting), self.listing.as_ref()].into_iter().flatten()
    }

    /// Notes a member that another source made, while members are made: its own turn then leaves it out. Returns whether it
    /// is new.
    pub fn note(&mut self, args: &[Value]) -> bool {
        let is_new = self.random.note(args);
        self.n_ahead += u64::from(is_new);
        is_new
    }

    /// Counts what the first turn would count.
    pub fn prepare(&mut self) {
        self.count_more();
        self.is_prepared = true;
    }

    /// The next members, at most `most`. `is_made` asks for values instead of a description.
    pub fn next_turn(&mut self, most: u64, is_made: bool) -> Turn {
        if !std::mem::take(&mut self.is_prepared) {
            self.count_more();
        }
        if self.open.is_empty() {
            return if self.sizes.is_empty() { Turn::Over(self.end()) } else { Turn::Nothing };
        }
        let Some((at, is_smallest)) = (0..CANDIDATES).find_map(|_| self.next_class()) else {
            return Turn::Nothing;
        };
        // Later members are not kept, so a random one might repeat them.
        if is_made
            && !is_smallest
            && let Some(args) = self.beside_last().or_else(|| self.random(at))
        {
            self.n_members += 1;
            self.n_ahead += 1;
            return Turn::Random(Case { args, beyond: None });
        }
        let walk_effort = WALK_EFFORT << self.open[at].n_fruitless.min(MOST_DOUBLINGS);
        let most = most.min((self.n_members / TURNS).clamp(1, LONGEST_TURN));
        let size = self.open[at].size;
        let is_compared = self.n_ahead > 0 && self.n_members < MOST_COMPARED;
        let turn = match &mut self.open[at].members {
            Members::Counted { total, walked, next } => {
                let left = u64::try_from(*total - u128::from(*next)).unwrap_or(u64::MAX);
                let len = most.min(left);
                let piece =
                    Listed { class: Class::Size(size), pick: Pick::Spread(*walked), start: *next, len };
                *next += len;
                Some((piece, Vec::new()))
            }
            Members::Walked(members) => {
                let native = self.listing.get_or_insert_with(|| self.counting.again());
                let walked = members.next(most, walk_effort, native, is_made || is_compared);
                let made = walked.as_ref().and_then(|(_, _, made)| made.last());
                self.last_walked = made.map(|case| case.args.clone());
                walked.map(|(path, len, made)| {
                    let pick = Pick::From(Position::Path(path));
                    (Listed { class: Class::Size(size), pick, start: 0, len }, made)
                })
            }
        };
        self.n_members += turn.as_ref().map_or(0, |(piece, _)| piece.len);
        let open = &mut self.open[at];
        open.n_fruitless = if turn.is_none() { open.n_fruitless.saturating_add(1) } else { 0 };
        open.n_passed = if open.n_fruitless > 0 { 1 << open.n_fruitless.min(MOST_DOUBLINGS) } else { 0 };
        self.close(at);
        match turn {
            Some((piece, made)) if is_made => {
                let made = if made.is_empty() { self.made(&piece) } else { made };
                self.new_ones(piece, made)
            }
            Some((piece, made)) if is_compared => {
                let made = if made.is_empty() { self.made(&piece) } else { made };
                self.without_ahead(piece, made)
            }
            Some((piece, _)) => Turn::Members(vec![piece], Vec::new()),
            None => Turn::Nothing,
        }
    }

    /// The members of a piece that were not produced before. Nothing repeats them later.
    fn new_ones(&mut self, piece: Listed, made: Vec<Case>) -> Turn {
        let mut new = Vec::new();
        let kept = kept_of(piece, made, |case| {
            let is_new = self.random.note(&case.args);
            if is_new {
                new.push(case);
            } else {
                self.n_ahead = self.n_ahead.saturating_sub(1);
            }
            is_new
        });
        Turn::Members(kept, new)
    }

    /// A piece without the members that came ahead of their turn.
    fn without_ahead(&mut self, piece: Listed, made: Vec<Case>) -> Turn {
        let kept = kept_of(piece, made, |case| {
            let is_ahead = self.random.has_seen(&case.args);
            self.n_ahead -= u64::from(is_ahead && self.n_ahead > 0);
            !is_ahead
        });
        Turn::Members(kept, Vec::new())
    }

    /// The members of a piece of a counted class.
    fn made(&mut self, piece: &Listed) -> Vec<Case> {
        let Pick::Spread(walked) = piece.pick else { return Vec::new() };
        let indices = piece.start..piece.start + piece.len;
        let member = |index| self.counting.spread_member(piece.class, walked, index);
        indices.map_while(member).map(|args| Case { args, beyond: None }).collect()
    }

    /// Number of steps that the members so far pay for.
    fn paid(&self) -> u64 {
        let first = self.n_members.min(FIRST_CASES);
        let later = self.n_members - first;
        FIRST_STEPS + STEPS_PER_CASE.0 * first + STEPS_PER_CASE.1 * later
    }

    /// A member that differs in its numbers from the last one that was walked, if this attempt found one.
    fn beside_last(&mut self) -> Option<Vec<Value>> {
        let last = self.last_walked.take()?;
        self.random.next_beside(&last)
    }

    /// A random member of an uncounted class, if this attempt found one.
    fn random(&mut self, at: usize) -> Option<Vec<Value>> {
        let is_paid = self.random.work() < RANDOM_STEPS + self.paid();
        let open = &mut self.open[at];
        let is_walked = matches!(open.members, Members::Walked(_));
        if !is_paid || !is_walked || open.n_in_vain == RANDOM_IN_VAIN || self.random.is_over() {
            return None;
        }
        let found = self.random.next(open.size, &self.counting);
        open.has_random |= found.is_some();
        open.n_in_vain = if found.is_some() { 0 } else { open.n_in_vain + 1 };
        found
    }

    /// The index of the class whose turn it is, and whether it is the turn of the smallest; `None` if the class passes its
    /// turn by.
    fn next_class(&mut self) -> Option<(usize, bool)> {
        // Steps of the golden ratio visit the classes evenly at any time.
        self.n_turns += 1;
        let turn = self.n_turns.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let is_smallest = self.n_turns.is_multiple_of(SMALLEST);
        let at = if is_smallest { 0 } else { ((u128::from(turn) * self.open.len() as u128) >> 64) as usize };
        let open = &mut self.open[at];
        if open.n_passed > 0 {
            open.n_passed -= 1;
            return None;
        }
        Some((at, is_smallest))
    }

    /// Removes a class that is finished or given up.
    fn close(&mut self, at: usize) {
        let size = self.open[at].size;
        let is_over = match &self.open[at].members {
            Members::Counted { total, next, .. } => u128::from(*next) >= *total,
            Members::Walked(walked) if walked.is_over() => {
                self.n_known += u128::from(walked.n_dealt());
                true
            }
            Members::Walked(walked) if walked.is_lost() && !may_count(walked, self.engines()) => {
                let is_first = walked.n_dealt() == 0 && !self.open[at].has_random;
                let which = if is_first { "inputs" } else { "further inputs" };
                self.reasons.insert(format!("{which} of size {size} were neither found nor ruled out"));
                self.given_up = Some(self.given_up.map_or(size, |least| least.min(size)));
                true
            }
            Members::Walked(_) => false,
        };
        if is_over {
            self.open.remove(at);
            self.uncounted.retain(|other| *other != size);
        }
    }

    /// Opens further classes and counts open ones, as far as effort is paid for.
    fn count_more(&mut self) {
        let mut slice = CHOICES_PER_STEP;
        while slice > 0 {
            let allowed = self.paid();
            // Without a class that has members to give, nothing can pay.
            if self.steps >= allowed && self.open.iter().any(Open::may_yield) {
                return;
            }
            let spent = if !self.sizes.is_empty() {
                let size = *self.sizes.start();
                self.sizes.next();
                self.open_class(size)
            } else if let Some(size) = self.uncounted.pop_front() {
                self.count_again(size)
            } else {
                return;
            };
            slice = slice.saturating_sub(spent);
        }
    }

    /// Opens the class of a size; returns the number of choices.
    fn open_class(&mut self, size: u64) -> u64 {
        let (total, spent) = self.count(size, ATTEMPT);
        let members = match total {
            Some(0) => return spent,
            Some(total) => {
                self.n_known = self.n_known.saturating_add(total);
                Members::Counted { total, walked: 0, next: 0 }
            }
            None => {
                let native = self.listing.get_or_insert_with(|| self.counting.again());
                let Some(cursor) = native.cursor(Class::Size(size)) else { return spent };
                self.uncounted.push_back(size);
                Members::Walked(Box::new(Walked::new(cursor, spent)))
            }
        };
        self.open.push(Open::new(size, members));
        spent
    }

    /// Continues to count a class that is walked; returns the number of choices.
    fn count_again(&mut self, size: u64) -> u64 {
        let before = self.open.iter().find(|open| open.size == size).map_or(0, |open| open.spent());
        let (total, spent) = self.count(size, ATTEMPT + before / 2);
        let is_limited = self.engines().any(Native::is_limited);
        let Some(open) = self.open.iter_mut().find(|open| open.size == size) else { return spent };
        let Members::Walked(walked) = &mut open.members else { return spent };
        walked.spent += spent;
        match total {
            Some(total) if !is_limited => {
                let first = walked.n_dealt();
                self.n_known = self.n_known.saturating_add(total);
                let total = total.saturating_sub(first.into());
                open.members = Members::Counted { total, walked: first, next: 0 };
                if total == 0 {
                    self.open.retain(|open| open.size != size);
                }
            }
            _ if walked.spent < CHOICES_PER_CLASS && !is_limited => self.uncounted.push_back(size),
            _ => {}
        }
        spent
    }

    /// Number of listed inputs of a size, if `effort` choices suffice, and the number of choices.
    fn count(&mut self, size: u64, effort: u64) -> (Option<u128>, u64) {
        let (before, first) = (self.counting.work().1, cancel::steps());
        let counted = self.counting.count(Class::Size(size), effort);
        let spent = 1 + self.counting.work().1 - before;
        self.steps += cancel::steps() - first;
        let total = counted.ok().map(|count| {
            count.n_listed().to_u128().unwrap_or_else(|| {
                self.reasons.insert(format!("of size {size} there are more inputs than can be numbered"));
                u128::MAX
            })
        });
        (total, spent)
    }

    /// The end of the space, for the report.
    fn end(&mut self) -> End {
        if self.engines().any(Native::is_limited) {
            self.reasons
                .insert("measures take too much work to be bounded: some inputs may be missing".to_owned());
        }
        if self.reasons.is_empty() {
            End::Exhausted
        } else {
            End::Unknown(self.reasons.iter().cloned().collect())
        }
    }
}

/// The parts of a piece whose members pass a test.
fn kept_of(piece: Listed, made: Vec<Case>, mut is_kept: impl FnMut(Case) -> bool) -> Vec<Listed> {
    let (pieces, mut kept, mut from) = ([piece], Vec::new(), 0);
    for (case, at) in made.into_iter().zip(0..) {
        if !is_kept(case) {
            kept.extend(listing::slice(&pieces, from, at));
            from = at + 1;
        }
    }
    kept.extend(listing::slice(&pieces, from, u64::MAX));
    kept
}

/// Whether a walked class may still be counted.
fn may_count<'n>(walked: &Walked, mut engines: impl Iterator<Item = &'n Native>) -> bool {
    walked.spent < CHOICES_PER_CLASS && !engines.any(Native::is_limited)
}

#[cfg(test)]
mod tests;
