//! Pieces of a listing: thousands of members described in a few bytes, so that the child makes them itself.
//!
//! [`Lister`] is the child's side. It has two engines. One counts: it finds members by number and samples members.
//! The other doesn't count: it finds members by path. Counting drops branches without a solution, which changes the
//! meaning of paths.

use std::collections::BTreeSet;
use std::thread;
use std::vec;

use super::spread::Spread;
use super::{Class, Cursor, Native, Position};
use crate::logic::ir::{Clause, Spec};
use crate::logic::value::Value;
use crate::space::Space;

/// Consecutive members of a class, or consecutive samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The class.
    pub class: Class,
    /// How the members are chosen.
    pub pick: Pick,
    /// Number of members skipped first.
    pub start: u64,
    /// Number of members after those.
    pub len: u64,
}

/// How members are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// In the engine's order, starting at a position.
    From(Position),
    /// In an order in which neighbours in time are far apart, without this many members at the start of the class.
    Spread(u64),
    /// At random, by this seed and the index of the sample.
    Sample(u64),
}

/// The pieces between two offsets in a list of pieces.
pub fn slice(pieces: &[Listed], from: u64, to: u64) -> Vec<Listed> {
    let mut passed = 0;
    let part = |piece: &Listed| {
        let (skip, end) = (from.saturating_sub(passed), to.saturating_sub(passed).min(piece.len));
        passed += piece.len;
        let part = || Listed { start: piece.start + skip, len: end - skip, ..piece.clone() };
        (skip < end).then(part)
    };
    pieces.iter().filter_map(part).collect()
}

/// The clauses that restrict the inputs: those of types, preconditions and `explore`.
pub fn preconditions(spec: &Spec) -> Vec<&Clause> {
    let of_params = spec.params.iter().map(|param| &param.refined);
    let fields = spec.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
    let mut clauses = Vec::new();
    of_params
        .chain(fields.map(|field| &field.refined))
        .for_each(|refined| refined.clauses_inside(&mut clauses));
    clauses.extend(spec.requires.iter().chain(&spec.explore));
    clauses
}

/// Ids of the preconditions that only a harness can judge.
pub fn unsolved(native: &Native, spec: &Spec) -> Vec<u32> {
    let ids = preconditions(spec).into_iter().map(|clause| clause.id);
    ids.filter(|id| native.left_to_harness().contains(id)).collect()
}

/// Stack size in bytes of the counting thread. Counting recurses as deep as values nest; unused pages cost no memory.
const STACK: usize = 256 << 20;

/// Makes the members of pieces.
pub struct Lister {
    space: Space,
    counting: Option<Native>,
    listing: Option<Native>,
    counted: BTreeSet<Class>,
    covers: Option<bool>,
}

/// A piece whose members can be made.
struct Open {
    source: Source,
    /// Number of members still to make.
    left: u64,
    /// The index of the next member, as in [`Listed::start`].
    index: u64,
}

enum Source {
    Numbered(Cursor),
    Spread(Spread, Class, Option<(Cursor, u128)>),
    Behind(Cursor),
    Sampled(Class, u64, Vec<Value>),
}

/// A member of a piece.
#[derive(Clone, Copy, Debug)]
pub struct Member<'l> {
    /// Its index in the piece, as in [`Listed::start`].
    pub index: u64,
    /// The arguments.
    pub args: &'l [Value],
    /// Whether the judge left a condition undecided. The input may then not be a member, and has to be judged.
    pub is_undecided: bool,
}

/// The members of some pieces.
pub struct Listing<'l> {
    lister: &'l mut Lister,
    open: vec::IntoIter<Open>,
    current: Option<Open>,
}

impl Lister {
    /// A lister with no engine yet.
    pub fn new(space: &Space) -> Lister {
        Lister { space: space.clone(), counting: None, listing: None, counted: BTreeSet::new(), covers: None }
    }

    /// Whether the engine handles the whole precondition.
    pub fn covers(&mut self) -> bool {
        let space = self.space.clone();
        let counting = &mut self.counting;
        *self.covers.get_or_insert_with(|| {
            let native = counting.get_or_insert_with(|| Native::new(&space));
            unsolved(native, space.spec()).is_empty()
        })
    }

    /// The members of some pieces. All pieces are prepared at once, so that no case is charged for counting. A piece
    /// with an invalid position ends the listing.
    pub fn list(&mut self, pieces: &[Listed]) -> Listing<'_> {
        self.count(pieces);
        let open: Vec<Open> = pieces.iter().map_while(|piece| self.open(piece)).collect();
        Listing { lister: self, open: open.into_iter(), current: None }
    }

    /// Counts the classes that need it.
    fn count(&mut self, pieces: &[Listed]) {
        let needed = pieces.iter().filter(|piece| !matches!(&piece.pick, Pick::From(Position::Path(_))));
        let classes: BTreeSet<Class> = needed.map(|piece| piece.class).collect();
        let fresh: Vec<Class> = classes.difference(&self.counted).copied().collect();
        if fresh.is_empty() {
            return;
        }
        let native = self.counting.get_or_insert_with(|| Native::new(&self.space));
        thread::scope(|scope| {
            let count = || {
                for class in &fresh {
                    // The parent has counted the class already, within its limits.
                    let _ = native.count(*class, u64::MAX);
                }
            };
            // If no thread can be started, uncounted classes have no positions, and the listing ends there.
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, count);
        });
        self.counted.extend(fresh);
    }

    fn open(&mut self, piece: &Listed) -> Option<Open> {
        let Listed { class, pick, start, len } = piece;
        let source = match pick {
            Pick::From(Position::Rank(rank)) => {
                let native = self.counting.as_mut()?;
                let rank = Position::Rank(rank.checked_add((*start).into())?);
                Source::Numbered(native.cursor_at(*class, &rank)?)
            }
            Pick::From(position @ Position::Path(_)) => {
                let native = self.listing.get_or_insert_with(|| Native::new(&self.space));
                let mut cursor = native.cursor_at(*class, position)?;
                for _ in 0..*start {
                    native.advance(&mut cursor).then_some(())?;
                }
                Source::Behind(cursor)
            }
            Pick::Spread(skipped) => {
                let spread = self.counting.as_mut()?.spread(*class, *skipped)?;
                Source::Spread(spread, *class, None)
            }
            Pick::Sample(seed) => Source::Sampled(*class, *seed, Vec::new()),
        };
        Some(Open { source, left: *len, index: *start })
    }
}

impl Listing<'_> {
    /// Whether making the next member may allocate memory that stays in use.
    pub fn may_grow(&self) -> bool {
        self.current.as_ref().is_none_or(|open| matches!(open.source, Source::Behind(_)) || open.left == 0)
    }

    /// The next member.
    pub fn advance(&mut self) -> Option<Member<'_>> {
        while self.current.as_ref().is_none_or(|open| open.left == 0) {
            self.current = Some(self.open.next()?);
        }
        let open = self.current.as_mut()?;
        let index = open.index;
        open.index += 1;
        open.left -= 1;
        let Lister { counting, listing, .. } = &mut *self.lister;
        let (native, cursor) = match &mut open.source {
            Source::Numbered(cursor) => (counting.as_mut()?, cursor),
            Source::Behind(cursor) => (listing.as_mut()?, cursor),
            Source::Spread(spread, class, last) => {
                let native = counting.as_mut()?;
                let number = spread.number(index.into());
                let cursor = native.at_number(*class, number, last)?;
                let is_undecided = native.is_undecided(cursor);
                return Some(Member { index, is_undecided, args: cursor.values() });
            }
            Source::Sampled(class, seed, values) => {
                let native = counting.as_mut()?;
                *values = native.sample(*class, *seed, index)?;
                return Some(Member { index, args: values, is_undecided: native.has_undecided(*class) });
            }
        };
        native.advance(cursor).then_some(())?;
        Some(Member { index, is_undecided: native.is_undecided(cursor), args: cursor.values() })
    }
}
