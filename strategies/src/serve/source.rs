//! Where the cases of a batch come from: the parent, or the space itself.

use std::vec;

use crate::enumerative::{Members, Range};
use crate::space::Space;
use crate::value::Value;

/// The cases of a batch, one at a time.
pub(super) trait Source {
    /// Whether these are members of the space in order, among which `explore` chooses, and examples come again.
    const IS_RANGE: bool;

    /// The next argument tuple.
    fn next(&mut self) -> Option<&[Value]>;
}

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
    const IS_RANGE: bool = false;

    fn next(&mut self) -> Option<&[Value]> {
        let args = self.cases.get(self.next)?;
        self.next += 1;
        Some(args)
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
    const IS_RANGE: bool = true;

    fn next(&mut self) -> Option<&[Value]> {
        loop {
            match &mut self.current {
                Some((members, left)) if *left > 0 => {
                    *left -= 1;
                    return members.next_into(&mut self.args).then_some(&self.args[..]);
                }
                _ => {
                    self.current = Some(self.open.next()?);
                    self.args.clear();
                }
            }
        }
    }
}
