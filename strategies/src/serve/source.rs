//! Where the cases of a batch come from: the parent, or the space itself.

use crate::enumerative::Members;
use crate::space::{Skeleton, Space};
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

/// Members of a skeleton, made here.
pub(super) struct Range {
    members: Members,
    args: Vec<Value>,
    left: u64,
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

impl Range {
    /// Members `start .. start + len`.
    pub(super) fn new(space: &Space, skeleton: &Skeleton, start: u64, len: u64) -> Range {
        let mut members = Members::new(space, skeleton);
        members.seek(start);
        Range { members, args: Vec::new(), left: len }
    }
}

impl Source for Range {
    const IS_RANGE: bool = true;

    fn next(&mut self) -> Option<&[Value]> {
        self.left = self.left.checked_sub(1)?;
        self.members.next_into(&mut self.args).then_some(&self.args[..])
    }
}
