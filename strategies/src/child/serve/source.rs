//! The sources of the cases of a batch: the parent, or the space itself.

use std::vec;

use crate::baseline::enumerative::{Members, Range};
use crate::logic::value::Value;
use crate::native::listing::{Listed, Lister, Listing, Member};
use crate::space::Space;

/// The cases of a batch, one at a time.
pub(super) trait Source {
    /// The next argument tuple, and its origin.
    fn next(&mut self) -> Option<(&[Value], Origin)>;

    /// Whether making the next case may allocate memory that stays in use, and so must not be charged to a case.
    fn may_grow(&self) -> bool {
        false
    }
}

/// The origin of a case, which determines what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// From the parent, which checked `explore`.
    Fed,
    /// From the parent, as a member of the space, where another member may have the same functions.
    Member,
    /// From the space: `explore` selects cases, and examples occur again.
    Range,
    /// From the native engine, which covers the whole spec: it is valid.
    Listed,
    /// From the native engine, but selected to test the engine.
    Tested,
}

impl Origin {
    /// Whether the parent has the case, and checked `explore`.
    pub(super) fn is_fed(self) -> bool {
        matches!(self, Origin::Fed | Origin::Member)
    }
}

/// Of the cases known to be valid, one of this many is judged all the same, to test the engine.
const TESTED: u64 = 1024;

/// Argument tuples from the parent.
pub(super) struct Fed {
    cases: Vec<Vec<Value>>,
    members: Vec<bool>,
    next: usize,
}

/// Members of skeletons, made here.
pub(super) struct Ranges {
    /// The remaining ranges, each with its number of members. All are prepared at once, so that their memory isn't
    /// charged to a case.
    open: vec::IntoIter<(Members, u64)>,
    current: Option<(Members, u64)>,
    args: Vec<Value>,
}

impl Fed {
    pub(super) fn new(cases: Vec<Vec<Value>>, members: Vec<bool>) -> Fed {
        Fed { cases, members, next: 0 }
    }
}

impl Source for Fed {
    fn next(&mut self) -> Option<(&[Value], Origin)> {
        let args = self.cases.get(self.next)?;
        let is_member = self.members.get(self.next) == Some(&true);
        self.next += 1;
        Some((args, if is_member { Origin::Member } else { Origin::Fed }))
    }
}

impl Ranges {
    /// The members of ranges, one range after the other.
    pub(super) fn new(space: &Space, ranges: &[Range]) -> Ranges {
        let open = |range: &Range| {
            let mut members = Members::new(space, &range.skeleton);
            members.seek(range.start);
            (members, range.len)
        };
        let open: Vec<(Members, u64)> = ranges.iter().map(open).collect();
        Ranges { open: open.into_iter(), current: None, args: Vec::new() }
    }
}

impl Source for Ranges {
    fn next(&mut self) -> Option<(&[Value], Origin)> {
        loop {
            match &mut self.current {
                Some((members, left)) if *left > 0 => {
                    *left -= 1;
                    return members.next_into(&mut self.args).then_some((&self.args[..], Origin::Range));
                }
                _ => {
                    self.current = Some(self.open.next()?);
                    self.args.clear();
                }
            }
        }
    }
}

/// Members that the native engine lists.
pub(super) struct FromEngine<'l> {
    listing: Listing<'l>,
    covers: bool,
    judge_all: bool,
}

impl<'l> FromEngine<'l> {
    /// The members of some pieces.
    pub(super) fn new(lister: &'l mut Lister, pieces: &[Listed], judge_all: bool) -> FromEngine<'l> {
        let covers = lister.covers();
        FromEngine { listing: lister.list(pieces), covers, judge_all }
    }
}

impl Source for FromEngine<'_> {
    fn next(&mut self) -> Option<(&[Value], Origin)> {
        let Member { index, args, is_undecided } = self.listing.advance()?;
        let origin = if !self.covers || is_undecided {
            Origin::Range
        } else if self.judge_all || index.is_multiple_of(TESTED) {
            Origin::Tested
        } else {
            Origin::Listed
        };
        Some((args, origin))
    }

    fn may_grow(&self) -> bool {
        self.listing.may_grow()
    }
}
