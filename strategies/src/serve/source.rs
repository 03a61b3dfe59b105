//! Where the cases of a batch come from: the parent, or the space itself.

use crate::value::Value;

/// The cases of a batch, one at a time.
pub(super) trait Source {
    /// Whether these are members of the space in order, among which `explore` chooses, and examples come again.
    const IS_RANGE: bool;

    /// The next argument tuple.
    fn next(&mut self) -> Option<&[Value]>;
}
