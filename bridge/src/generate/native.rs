//! The native generator: members of the space as the engine counts and lists them, for the child to make itself.
//!
//! Members come in classes by their size. In rounds, small classes first: a round deals at most `64 * 16^r` more members
//! of each open class, and opens further classes for as long as counting them takes no more ways than the round may
//! spend. So a huge class doesn't keep the others waiting, nor does one that is hard to count: its first members are
//! dealt along a walk, which makes only the ways that it goes, and each round counts on. Once it is counted, the rest have
//! numbers; if that takes too much, the walk goes on to its end. Everything depends on counted work, nothing on a
//! clock.

mod describe;
mod open;
mod sample;

use std::collections::{BTreeSet, VecDeque};
use std::ops::RangeInclusive;
use std::time::Duration;

use target_strategies::eval::admits;
use target_strategies::int::Int;
use target_strategies::native::deal::{Listed, Pick, unsolved};
use target_strategies::native::{Class, Count, Native, Position};
use target_strategies::space::Space;

use super::interleave::Interleave;
use super::{Batch, Case, End, Generator, Step};
use crate::smt::z3::Effort;
pub use describe::describe_plan;
use open::{Numbered, Walked};
pub use sample::Samples;

/// How many members of a class the first round deals.
const FIRST_ROUND: u64 = 64;

/// How many times more each further round deals.
const GROWTH: u64 = 16;

/// For how many cases that may be run the first round may make a way to count classes: counting shall not take much
/// longer than running.
const CASES_PER_WAY: u64 = 4;

/// How many it may make at least, and at most.
const FIRST_EFFORT: RangeInclusive<u64> = 200..=20_000;

/// How many times more each further round may make.
const EFFORT_GROWTH: u64 = 4;

/// How many choices are tried in one step, between which the caller may look at its clock. What is counted by then is
/// kept.
const SLICE: u64 = 20_000;

/// A class for which this isn't enough is not counted; nor is a sample drawn of it.
const MOST_EFFORT: u64 = 1_200_000;

/// Nor is one counted for which so many times the effort of the first round isn't enough.
const PATIENCE: u64 = 80;

/// How many choices may be tried to find a first member of a class that isn't counted.
const SEARCH_EFFORT: u64 = 50_000;

/// How many may be tried to find one more.
const MORE_EFFORT: u64 = 1_000_000;

/// The fewest members of a batch.
const FEW: u64 = 64;

/// The most members of a batch.
const LONGEST: u64 = 8192;

/// So many members are listed here and sent: a child would first have to count for itself.
const SENT: u64 = 4096;

/// Of the members that are sent, one of so many is judged before.
const TESTED: usize = 16;

/// The most pieces of a batch.
const MANY: usize = 128;

/// What the generator may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeOptions {
    /// Whether to try the machine types' extremes too.
    pub boundary: bool,
    /// The cap on cases.
    pub cases: u64,
    /// How Z3 breaks ties in boundary cases.
    pub seed: u64,
    /// The only size that is wanted.
    pub size: Option<u64>,
}

/// Deals the members of a space that the engine finds.
pub struct NativeGenerator {
    space: Space,
    options: NativeOptions,
    /// The engine that counts.
    counting: Native,
    /// Whether it looks at all of the precondition.
    covers: bool,
    /// The one that lists what can't be counted: see [`target_strategies::native::deal`].
    listing: Option<Native>,
    /// The sizes whose classes were not opened yet.
    sizes: RangeInclusive<u64>,
    round: u32,
    /// How many choices this round may still try to count.
    effort: u64,
    /// How many this step may still try.
    slice: u64,
    current: Option<Open>,
    /// Still to be dealt from in this round.
    open: VecDeque<Open>,
    /// To be dealt from in the next.
    later: VecDeque<Open>,
    boundary: Interleave,
    reasons: BTreeSet<String>,
}

/// A class that is dealt from.
struct Open {
    class: Class,
    members: Members,
    /// How many this round may still deal.
    quota: u64,
}

/// What is left of a class.
enum Members {
    Numbered(Numbered),
    Walked(Box<Walked>),
}

/// What came of opening the next class.
enum Opened {
    Open(Open),
    /// It has no members.
    Empty,
    /// Not in this step.
    Later,
    /// There is none.
    Over,
}

impl NativeGenerator {
    /// All members of a space, or those of a size.
    pub fn new(space: Space, options: &NativeOptions) -> NativeGenerator {
        let effort = Effort { seed: options.seed as u32, ..Effort::default() };
        let counting = Native::new(&space);
        let with_boundary = options.boundary && options.size.is_none();
        NativeGenerator {
            boundary: Interleave::new(&space, with_boundary, options.cases, effort),
            sizes: options.size.map_or_else(|| counting.sizes(), |size| size..=size),
            covers: unsolved(&counting, space.spec()).is_empty(),
            space,
            options: *options,
            counting,
            listing: None,
            round: 0,
            effort: first_effort(options.cases),
            slice: SLICE,
            current: None,
            open: VecDeque::new(),
            later: VecDeque::new(),
            reasons: BTreeSet::new(),
        }
    }

    fn quota(&self) -> u64 {
        GROWTH.saturating_pow(self.round).saturating_mul(FIRST_ROUND)
    }

    /// How many members a class has, if so much of the round's effort can tell; for those that take longer, how much was
    /// spent so far.
    fn count(&mut self, class: Class, effort: u64, spent: u64) -> Result<Count, u64> {
        let before = self.counting.work().1;
        let counted = self.counting.count(class, self.slice.min(effort));
        let tried = 1 + self.counting.work().1 - before;
        self.effort = self.effort.saturating_sub(tried);
        self.slice = self.slice.saturating_sub(tried);
        counted.map_err(|_| spent + tried)
    }

    /// Opens the class of the next size, if this round has the means.
    fn open_next(&mut self) -> Opened {
        if self.sizes.is_empty() {
            return Opened::Over;
        }
        if self.effort == 0 {
            return Opened::Later;
        }
        let size = *self.sizes.start();
        self.sizes.next();
        let class = Class::Size(size);
        let members = match self.count(class, self.effort, 0) {
            Ok(total) if total.n_listed().is_zero() => return Opened::Empty,
            Ok(total) => Members::Numbered(self.numbered(size, total.n_listed(), 0)),
            Err(spent) => {
                let native = self.listing.get_or_insert_with(|| Native::new(&self.space));
                let Some(cursor) = native.cursor(class) else { return Opened::Empty };
                Members::Walked(Box::new(Walked::new(cursor, spent)))
            }
        };
        Opened::Open(Open { class, members, quota: self.quota() })
    }

    /// Goes on with a class in another round; counts on, where it wasn't counted, and leaves effort for others.
    fn reopen(&mut self, open: Open) -> Open {
        let members = match (open.members, open.class) {
            (Members::Walked(mut walked), Class::Size(size))
                if self.effort > 0 && self.may_count(&walked) =>
            {
                let counted = self.count(open.class, self.effort.div_ceil(2), walked.spent);
                if let Err(spent) = counted {
                    walked.spent = spent;
                }
                match counted {
                    Ok(total) if self.may_count(&walked) => {
                        Members::Numbered(self.numbered(size, total.n_listed(), walked.n_dealt()))
                    }
                    _ => Members::Walked(walked),
                }
            }
            (members, _) => members,
        };
        Open { members, quota: self.quota(), ..open }
    }

    /// Whether it is worth counting a class of which a walk has dealt the first members, and its numbers go on there.
    fn may_count(&self, walked: &Walked) -> bool {
        walked.spent < self.patience() && !self.engines().any(Native::is_limited)
    }

    fn engines(&self) -> impl Iterator<Item = &Native> {
        [Some(&self.counting), self.listing.as_ref()].into_iter().flatten()
    }

    /// The members of a counted class, but for the first so many.
    fn numbered(&mut self, size: u64, total: &Int, first: u64) -> Numbered {
        let numbered = Numbered::new(total, first, self.options.cases);
        if numbered.is_cut() {
            self.reasons.insert(format!("of size {size} there are more inputs than can be numbered"));
        }
        numbered
    }

    /// A class for which this isn't enough is not counted.
    fn patience(&self) -> u64 {
        MOST_EFFORT.min(PATIENCE * first_effort(self.options.cases))
    }

    /// What follows when a round is over; `None` if that was the last.
    fn next_round(&mut self) -> Option<()> {
        if self.later.is_empty() && self.sizes.is_empty() {
            return None;
        }
        self.round = self.round.saturating_add(1);
        // For the few cases that are left, a walk is enough.
        let first = first_effort(self.options.cases);
        let left = self.options.cases.saturating_sub(self.boundary.n_dealt());
        self.effort = EFFORT_GROWTH.saturating_pow(self.round).saturating_mul(first).min(left.max(first));
        self.open = std::mem::take(&mut self.later);
        Some(())
    }

    /// The next piece, of at most so many members, which are made if they are to be sent; `None` if there is none in this
    /// step.
    fn next_piece(&mut self, longest: u64, is_sent: bool) -> Option<(Listed, Vec<Case>)> {
        while self.slice > 0 {
            if let Some(open) = &mut self.current {
                let most = longest.min(open.quota);
                let tried = |native: &Option<Native>| native.as_ref().map_or(0, |native| native.work().1);
                let before = tried(&self.listing);
                let next = match most {
                    0 => None,
                    most => open.members.next(open.class, most, self.slice, self.listing.as_mut(), is_sent),
                };
                self.slice = self.slice.saturating_sub(tried(&self.listing) - before);
                if let Some((piece, made)) = next {
                    open.quota -= piece.len;
                    return Some((piece, made));
                }
                let open = self.current.take().filter(|open| !open.members.is_over());
                self.leave(open);
            }
            if let Some(open) = self.open.pop_front() {
                self.current = Some(self.reopen(open));
                continue;
            }
            match self.open_next() {
                Opened::Open(open) => self.current = Some(open),
                Opened::Empty => {}
                Opened::Later | Opened::Over => return None,
            }
        }
        None
    }

    /// Leaves a class to the next round, unless looking for members is in vain.
    fn leave(&mut self, open: Option<Open>) {
        let Some(open) = open else { return };
        if let (Members::Walked(walked), Class::Size(size)) = (&open.members, open.class)
            && !self.may_count(walked)
            && walked.is_lost()
        {
            let which = if walked.n_dealt() == 0 { "inputs" } else { "further inputs" };
            self.reasons.insert(format!("{which} of size {size} were neither found nor ruled out"));
            return;
        }
        self.later.push_back(open);
    }

    /// The members of pieces, of which those along a walk are made already.
    fn list(&mut self, pieces: &[(Listed, Vec<Case>)]) -> Option<Vec<Case>> {
        let mut cases: Vec<Case> = Vec::new();
        for (Listed { class, pick, start, len }, made) in pieces {
            if let Pick::From(Position::Rank(rank)) = pick {
                let position = Position::Rank(rank.checked_add((*start).into())?);
                let mut cursor = self.counting.cursor_at(*class, &position)?;
                for _ in 0..*len {
                    self.counting.advance(&mut cursor).then_some(())?;
                    cases.push(Case { args: cursor.values().to_vec(), boundary: false });
                }
            } else {
                (made.len() as u64 == *len).then_some(())?;
                cases.extend(made.iter().cloned());
            }
        }
        // What the judge refuses is left to the child, which tells of it.
        let mut tested = cases.iter().step_by(if cfg!(debug_assertions) { 1 } else { TESTED });
        tested.all(|case| admits(self.space.spec(), &case.args)).then_some(cases)
    }

    /// What to say of the space when it is over.
    fn end(&mut self) -> End {
        if self.engines().any(Native::is_limited) {
            self.reasons
                .insert("measures take too much work to be bounded: some inputs may be missing".to_owned());
        }
        match (self.reasons.is_empty(), self.options.size) {
            (false, _) => End::Unknown(self.reasons.iter().cloned().collect()),
            (true, None) => End::Exhausted,
            (true, Some(size)) => End::Asked(format!("all inputs of size {size} were run, and no others")),
        }
    }
}

impl Members {
    fn next(
        &mut self,
        class: Class,
        most: u64,
        effort: u64,
        listing: Option<&mut Native>,
        is_sent: bool,
    ) -> Option<(Listed, Vec<Case>)> {
        match self {
            Members::Numbered(numbered) => {
                let (rank, start, len) = numbered.next(most)?;
                Some((Listed { class, pick: Pick::From(Position::Rank(rank)), start, len }, Vec::new()))
            }
            Members::Walked(walked) => {
                let (path, len, made) = walked.next(most, effort, listing?, is_sent)?;
                Some((Listed { class, pick: Pick::From(Position::Path(path)), start: 0, len }, made))
            }
        }
    }

    fn is_over(&self) -> bool {
        match self {
            Members::Numbered(numbered) => numbered.is_over(),
            Members::Walked(walked) => walked.is_over(),
        }
    }
}

impl Generator for NativeGenerator {
    /// A batch may be empty: then there was only counting this time, and the caller may look at its clock.
    fn step(&mut self) -> Step {
        let due = self.boundary.due();
        if !due.is_empty() {
            return Step::Batch(Batch::Cases(due));
        }
        let is_sent = self.covers && self.boundary.n_dealt() < SENT;
        let mut pieces = Vec::new();
        let mut room = (self.boundary.n_dealt() / 4).clamp(FEW, LONGEST);
        if self.covers
            && let Some(left) = self.options.cases.checked_sub(self.boundary.n_dealt())
        {
            // One beyond the cap tells whether that was all; further ones are made only if some are refused.
            room = room.min(left.saturating_add(1));
        }
        while room > 0
            && pieces.len() < MANY
            && let Some((piece, made)) = self.next_piece(room, is_sent)
        {
            room -= piece.len;
            pieces.push((piece, made));
        }
        let is_over = std::mem::replace(&mut self.slice, SLICE) > 0;
        if pieces.is_empty() && is_over && self.next_round().is_none() {
            let end = self.end();
            return self.boundary.beyond(end);
        }
        self.boundary.note(pieces.iter().map(|(piece, _)| piece.len).sum());
        // What the judge gave up on is judged by the child, which knows it for what it is where it makes it itself.
        let may_send = is_sent && !self.engines().any(Native::gave_up);
        let sent = if may_send { self.list(&pieces) } else { None };
        let listed = || Batch::Listed(pieces.into_iter().map(|(piece, _)| piece).collect());
        Step::Batch(sent.map_or_else(listed, Batch::Cases))
    }

    fn solving(&self) -> Duration {
        self.boundary.solving()
    }
}

/// How many ways the first round may make.
fn first_effort(cases: u64) -> u64 {
    (cases / CASES_PER_WAY).clamp(*FIRST_EFFORT.start(), *FIRST_EFFORT.end())
}

/// Whether the engine is the one to find a space's inputs with: it finds one, or sees that there is none, within so much
/// work. Otherwise it searches blindly, where a solver may know a way.
pub fn is_fit(space: &Space) -> bool {
    let mut native = Native::new(space);
    let mut left = SEARCH_EFFORT;
    for size in native.sizes() {
        let before = native.work().1;
        match native.has_member(Class::Size(size), left) {
            Ok(true) => return true,
            Ok(false) => {}
            Err(_) => return false,
        }
        left = left.saturating_sub(1 + native.work().1 - before);
        if left == 0 {
            return false;
        }
    }
    true
}

/// The greatest size of which there is an input, if there is any; an error is a size of which that isn't known.
pub fn greatest_size(space: &Space) -> Result<Option<u64>, u64> {
    let mut native = Native::new(space);
    for size in native.sizes().rev() {
        if native.has_member(Class::Size(size), SEARCH_EFFORT).map_err(|_| size)? {
            return Ok(Some(size));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
