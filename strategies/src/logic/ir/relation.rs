//! Relations between two values that terms can't express. They stand as [`super::Term::Opaque`] in the relation of a set
//! of different inputs, with these numbers, which no `where` has.

/// Whether two strings or lists are at least so many insertions, removals and replacements apart.
pub const EDIT_DISTANCE: u32 = u32::MAX;

/// Whether two values differ at most in their numbers, characters and truth values.
pub const SAME_SHAPE: u32 = u32::MAX - 1;
