//! The native generator: the engine counts and lists the members of the space, and the child makes them itself.
//!
//! Members are grouped into classes by size. The generator works in rounds, small classes first. A round produces at
//! most `64 * 16^r` more members of each open class. It opens further classes until its effort for counting is used up.
//! So neither a huge class nor one that is hard to count delays the others: the first members of an uncounted class
//! come from a walk, which makes only the branches that it visits, and each round continues to count. Once a class is
//! counted, its remaining members have numbers; if counting takes too long, the walk continues to the end. Everything
//! depends on counted work, nothing on a clock.

mod describe;
mod fit;
pub(super) mod open;
mod sample;

use std::collections::{BTreeSet, VecDeque};
use std::ops::RangeInclusive;

use target_strategies::logic::eval::admits;
use target_strategies::logic::int::Int;
use target_strategies::native::listing::{Listed, Pick, unsolved};
use target_strategies::native::{Class, Count, Native, Position};
use target_strategies::space::Space;

use super::{Batch, Case, End, Generator, Step};
pub use describe::describe_plan;
pub use fit::{fit_within, greatest_size, is_fit};
use open::{Numbered, Walked};
pub use sample::Samples;

/// Number of members of a class produced in the first round.
const FIRST_ROUND: u64 = 64;

/// Factor by which each round produces more members than the round before.
const GROWTH: u64 = 16;

/// Maximum number of branches made to count classes in the first round: counting must not take much longer than running.
const FIRST_EFFORT: u64 = 2_500;

/// Factor by which each round may make more branches than the round before.
const EFFORT_GROWTH: u64 = 4;

/// Maximum number of choices tried in one step. Between steps the caller may look at its clock. Counts are kept from
/// step to step.
pub(super) const CHOICES_PER_STEP: u64 = 20_000;

/// Maximum number of choices tried to count one class. Beyond it the class is only walked.
pub(super) const CHOICES_PER_CLASS: u64 = 200_000;

/// Minimum number of members of a batch.
const SHORTEST_BATCH: u64 = 64;

/// Maximum number of members of a batch.
const LONGEST_BATCH: u64 = 8192;

/// Number of cases that are listed here and sent. For so few, the child need not count first.
const SENT: u64 = 4096;

/// One of this many sent members is judged first, as a test of the engine.
const TESTED: usize = 16;

/// Maximum number of pieces of a batch.
const MOST_PIECES: usize = 128;

/// Options of the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeOptions {
    /// Maximum number of cases.
    pub cases: u64,
    /// The only requested size, if there is one.
    pub size: Option<u64>,
}

/// Produces the members of a space that the engine finds.
pub struct NativeGenerator {
    space: Space,
    options: NativeOptions,
    /// The engine that counts.
    counting: Native,
    /// Whether that engine handles the whole precondition.
    covers: bool,
    /// The engine that lists uncounted classes: see [`target_strategies::native::listing`].
    listing: Option<Native>,
    /// The sizes whose classes are not opened yet.
    sizes: RangeInclusive<u64>,
    round: u32,
    /// Number of choices that this round may still try for counting.
    effort: u64,
    /// Number of choices that this step may still try.
    slice: u64,
    current: Option<Open>,
    /// Classes with members left to produce in this round.
    open: VecDeque<Open>,
    /// Classes to continue in the next round.
    later: VecDeque<Open>,
    /// Number of members so far.
    n_members: u64,
    /// Whether the members of large classes are far apart in time.
    is_spread: bool,
    reasons: BTreeSet<String>,
}

/// A class that produces members.
struct Open {
    class: Class,
    members: Members,
    /// Number of members that this round may still produce.
    quota: u64,
}

/// The remaining members of a class.
enum Members {
    Numbered(Numbered),
    Walked(Box<Walked>),
}

/// The result of opening the next class.
enum Opened {
    Open(Open),
    /// The class has no members.
    Empty,
    /// The class can't be opened in this step.
    Later,
    /// There are no more classes.
    Over,
}

impl NativeGenerator {
    /// All members of a space, or those of one size.
    pub fn new(space: Space, options: &NativeOptions) -> NativeGenerator {
        let counting = Native::new(&space);
        NativeGenerator {
            sizes: options.size.map_or_else(|| counting.sizes(), |size| size..=size),
            covers: unsolved(&counting, space.spec()).is_empty(),
            space,
            options: *options,
            counting,
            listing: None,
            round: 0,
            effort: FIRST_EFFORT,
            slice: CHOICES_PER_STEP,
            current: None,
            open: VecDeque::new(),
            later: VecDeque::new(),
            n_members: 0,
            is_spread: true,
            reasons: BTreeSet::new(),
        }
    }

    /// All members of a space, those of each class in order.
    pub fn in_order(space: Space) -> NativeGenerator {
        let options = NativeOptions { cases: u64::MAX, size: None };
        NativeGenerator { is_spread: false, ..NativeGenerator::new(space, &options) }
    }

    /// Spreads the members that are left, which came in order so far.
    pub fn spread(&mut self) {
        self.is_spread = true;
        for open in self.current.iter_mut().chain(&mut self.open).chain(&mut self.later) {
            if let Members::Numbered(numbered) = &mut open.members {
                numbered.spread();
            }
        }
    }

    fn quota(&self) -> u64 {
        GROWTH.saturating_pow(self.round).saturating_mul(FIRST_ROUND)
    }

    /// Number of members of a class, if it can be counted within this part of the round's effort; otherwise the effort
    /// spent so far.
    fn count(&mut self, class: Class, effort: u64, spent: u64) -> Result<Count, u64> {
        let before = self.counting.work().1;
        let counted = self.counting.count(class, self.slice.min(effort));
        let tried = 1 + self.counting.work().1 - before;
        self.effort = self.effort.saturating_sub(tried);
        self.slice = self.slice.saturating_sub(tried);
        counted.map_err(|_| spent + tried)
    }

    /// Opens the class of the next size, if this round has effort left.
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
                let native = self.listing.get_or_insert_with(|| self.counting.again());
                let Some(cursor) = native.cursor(class) else { return Opened::Empty };
                Members::Walked(Box::new(Walked::new(cursor, spent)))
            }
        };
        Opened::Open(Open { class, members, quota: self.quota() })
    }

    /// Continues a class in another round. An uncounted class is counted further, with effort left for other classes.
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

    /// Whether to count a class whose first members came from a walk, and continue by number.
    fn may_count(&self, walked: &Walked) -> bool {
        walked.spent < CHOICES_PER_CLASS && !self.engines().any(Native::is_limited)
    }

    fn engines(&self) -> impl Iterator<Item = &Native> {
        [Some(&self.counting), self.listing.as_ref()].into_iter().flatten()
    }

    /// The members of a counted class after the first `first`.
    fn numbered(&mut self, size: u64, total: &Int, first: u64) -> Numbered {
        let numbered = Numbered::new(total, first, self.is_spread);
        if numbered.is_cut() {
            self.reasons.insert(format!("of size {size} there are more inputs than can be numbered"));
        }
        numbered
    }

    /// Starts the next round; `None` if this was the last.
    fn next_round(&mut self) -> Option<()> {
        if self.later.is_empty() && self.sizes.is_empty() {
            return None;
        }
        self.round = self.round.saturating_add(1);
        self.effort = EFFORT_GROWTH.saturating_pow(self.round).saturating_mul(FIRST_EFFORT);
        self.open = std::mem::take(&mut self.later);
        Some(())
    }

    /// The next piece, with at most this many members, and its cases if they are to be sent; `None` if this step has
    /// none.
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

    /// Leaves a class to the next round, unless the search for its members is given up.
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

    /// The members of pieces. Those found by a walk are made already.
    fn list(&mut self, pieces: &[(Listed, Vec<Case>)]) -> Option<Vec<Case>> {
        let mut cases: Vec<Case> = Vec::new();
        for (Listed { class, pick, start, len }, made) in pieces {
            if let Pick::Spread(skipped) = pick {
                for index in *start..*start + *len {
                    let args = self.counting.spread_member(*class, *skipped, index)?;
                    cases.push(Case { args, beyond: None });
                }
            } else if let Pick::From(Position::Rank(rank)) = pick {
                let position = Position::Rank(rank.checked_add((*start).into())?);
                let mut cursor = self.counting.cursor_at(*class, &position)?;
                for _ in 0..*len {
                    self.counting.advance(&mut cursor).then_some(())?;
                    cases.push(Case { args: cursor.values().to_vec(), beyond: None });
                }
            } else {
                (made.len() as u64 == *len).then_some(())?;
                cases.extend(made.iter().cloned());
            }
        }
        // A member that the judge rejects is left to the child, which reports it.
        let mut tested = cases.iter().step_by(if cfg!(debug_assertions) { 1 } else { TESTED });
        tested.all(|case| admits(self.space.spec(), &case.args)).then_some(cases)
    }

    /// The end of the space, for the report.
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
                let (pick, start, len) = numbered.next(most)?;
                Some((Listed { class, pick, start, len }, Vec::new()))
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
    /// A batch may be empty: then this step only counted, and the caller may look at its clock.
    fn step(&mut self) -> Step {
        let is_sent = self.covers && self.n_members < SENT;
        let mut pieces = Vec::new();
        let mut room = (self.n_members / 4).clamp(SHORTEST_BATCH, LONGEST_BATCH);
        if self.covers
            && let Some(left) = self.options.cases.checked_sub(self.n_members)
        {
            // One case beyond the cap shows whether more exist. Further cases are made only if some are rejected.
            room = room.min(left.saturating_add(1));
        }
        while room > 0
            && pieces.len() < MOST_PIECES
            && let Some((piece, made)) = self.next_piece(room, is_sent)
        {
            room -= piece.len;
            pieces.push((piece, made));
        }
        let is_over = std::mem::replace(&mut self.slice, CHOICES_PER_STEP) > 0;
        if pieces.is_empty() && is_over && self.next_round().is_none() {
            return Step::End(self.end());
        }
        self.n_members += pieces.iter().map(|(piece, _)| piece.len).sum::<u64>();
        // The child judges undecided cases. It recognizes them if it makes them itself.
        let may_send = is_sent && !self.engines().any(Native::any_undecided);
        let sent = if may_send { self.list(&pieces) } else { None };
        let listed = || Batch::Listed(pieces.into_iter().map(|(piece, _)| piece).collect());
        Step::Batch(sent.map_or_else(listed, Batch::Cases))
    }
}

#[cfg(test)]
pub(crate) mod tests;
