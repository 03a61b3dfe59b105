//! Where the cases of a batch come from: the parent, or the space itself.

use std::vec;

use crate::enumerative::{Members, Range};
use crate::native::deal::{Listed, Lister, Listing, Member};
use crate::space::Space;
use crate::value::Value;

/// The cases of a batch, one at a time.
pub(super) trait Source {
    /// The next argument tuple, and where it is from.
    fn next(&mut self) -> Option<(&[Value], Origin)>;

    /// Whether the next one may take memory that stays in use, which isn't to be laid to a case.
    fn may_grow(&self) -> bool {
        false
    }
}

/// Where a case is from, which says what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The parent, which looked at `explore`.
    Fed,
    /// The space, in which `explore` chooses, and examples come again.
    Range,
    /// The native engine, which covers all of the spec: it is valid.
    Listed,
    /// The same, but one of those on which the engine is put to the test.
    Tested,
}

/// Of the cases that are known to be valid, one of so many is judged all the same.
const TESTED: u64 = 1024;

/// Argument tuples that the parent sent.
pub(super) struct Fed {
    cases: Vec<Vec<Value>>,
    next: usize,
}

/// Members of skeletons, made here.
pub(super) struct Ranges {
    /// The ranges to come, each with how many of it are wanted. They are all made ready at once, so that nothing is
    /// that counts against the memory of a case.
    open: vec::IntoIter<(Members, u64)>,
    current: Option<(Members, u64)>,
    args: Vec<Value>,
}

impl Fed {
    pub(super) fn new(cases: Vec<Vec<Value>>) -> Fed {
        Fed { cases, next: 0 }
    }
}

impl Source for Fed {
    fn next(&mut self) -> Option<(&[Value], Origin)> {
        let args = self.cases.get(self.next)?;
        self.next += 1;
        Some((args, Origin::Fed))
    }
}

impl Ranges {
    /// Their members, one range after the other.
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
    /// Those of some pieces.
    pub(super) fn new(lister: &'l mut Lister, pieces: &[Listed], judge_all: bool) -> FromEngine<'l> {
        let covers = lister.covers();
        FromEngine { listing: lister.list(pieces), covers, judge_all }
    }
}

impl Source for FromEngine<'_> {
    fn next(&mut self) -> Option<(&[Value], Origin)> {
        let Member { index, args, is_undecided } = self.listing.advance()?;
        let origin = match self.covers && !is_undecided {
            false => Origin::Range,
            true if self.judge_all || index.is_multiple_of(TESTED) => Origin::Tested,
            true => Origin::Listed,
        };
        Some((args, origin))
    }

    fn may_grow(&self) -> bool {
        self.listing.may_grow()
    }
}
