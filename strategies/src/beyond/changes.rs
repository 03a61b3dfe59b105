//! The changes of inputs, in turn, so that each is among the first ones.

use super::edited::has_texts;
use crate::logic::ir::Spec;

/// How an input is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    /// A part occurs twice.
    Copy,
    /// An argument is a scalar of another one.
    Borrow,
    /// [`Change::Copy`] if all arguments are structures and two are of one type, else [`Change::Borrow`].
    CopyOrBorrow,
    /// A run of equal elements. Boundary cases stay as they are.
    Run,
    /// A text is changed a little ([`super::edited`]).
    Edit,
}

/// The changes of inputs, in turn, so that each is among the first eight.
const CHANGES: [Change; 8] = [
    Change::CopyOrBorrow,
    Change::Run,
    Change::Borrow,
    Change::Copy,
    Change::CopyOrBorrow,
    Change::None,
    Change::Borrow,
    Change::Copy,
];

/// The same where there are texts.
const CHANGES_OF_TEXTS: [Change; 8] = [
    Change::CopyOrBorrow,
    Change::Run,
    Change::Edit,
    Change::Edit,
    Change::Borrow,
    Change::None,
    Change::Edit,
    Change::Edit,
];

/// The changes of the inputs of a spec.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    all: [Change; 8],
    n_inputs: usize,
}

impl Changes {
    /// The changes that fit the types of the arguments.
    pub(super) fn of(spec: &Spec) -> Changes {
        let all = if has_texts(spec) { CHANGES_OF_TEXTS } else { CHANGES };
        Changes { all, n_inputs: 0 }
    }

    /// The change of the next input.
    pub(super) fn next(&mut self) -> Change {
        self.n_inputs += 1;
        self.all[(self.n_inputs - 1) % self.all.len()]
    }
}
