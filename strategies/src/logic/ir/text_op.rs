//! Operations on strings that only their whole text decides, such as `split` and `parse`.
//!
//! A string method of Rust's is one of these if no other term can say it. All else is made of them: `split_once` is
//! `StrTest`, [`TextOp::Before`] and [`TextOp::After`]; `replace` is [`TextOp::Split`] and [`TextOp::Join`].
//!
//! A *pattern* is a string, or a *mask*: a sequence of truth values, one for each character of the text. So closures
//! and arrays of characters need no operation of their own. The mask of an operation that searches from the end is in
//! the reverse order.

use super::id::RegexId;
use crate::logic::machine::IntKind;

/// An operation on strings, with Rust's meaning. Its operands are written behind each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextOp {
    /// `text.split(pattern)`
    Split,
    /// `text.rsplit(pattern)`
    SplitBack,
    /// `text.splitn(n, pattern)`: text, pattern, n.
    SplitAtMost,
    /// `text.rsplitn(n, pattern)`: text, pattern, n.
    SplitBackAtMost,
    /// `text.split_terminator(pattern)`
    SplitTerminated,
    /// `text.split_inclusive(pattern)`
    SplitInclusive,
    /// `text.split_whitespace()`
    Words,
    /// `text.lines()`
    Lines,
    /// The text before the first match of a pattern; all of it if there is none.
    Before,
    /// The text after the first match of a pattern; none of it if there is none.
    After,
    /// The text before the last match of a pattern; all of it if there is none.
    BeforeLast,
    /// The text after the last match of a pattern; none of it if there is none.
    AfterLast,
    /// `text.trim()`
    Trim,
    /// `text.trim_start()`, or `text.trim_start_matches(pattern)`.
    TrimStart,
    /// `text.trim_end()`, or `text.trim_end_matches(pattern)`.
    TrimEnd,
    /// `&text[a..b]`, by bytes; undefined out of bounds, and inside a character.
    Slice,
    /// `text.is_char_boundary(a)`; false for negative numbers.
    IsBoundary,
    /// `texts.join(separator)`, of a sequence of strings.
    Join,
    /// `text.to_lowercase()`
    Lowercase,
    /// `text.to_uppercase()`
    Uppercase,
    /// `to_ascii_lowercase()`, of a string or a character.
    AsciiLowercase,
    /// `to_ascii_uppercase()`, of a string or a character.
    AsciiUppercase,
    /// `text.parse::<T>().unwrap_or(0)`. Whether there is a number is a regular expression's question.
    Parse(IntKind),
    /// `n.to_string()`, of an integer.
    Decimal,
    /// `x.to_string()`, of an opaque value. The value is this text: see [`super::Spec::displayed`].
    Display,
    /// The groups of `text.captures(..)`: a data value with a field for each, an `Option` of a string. If the text
    /// doesn't match, all are `None`.
    Captures(RegexId),
}

impl TextOp {
    /// Whether it has a value for any operands of its sorts.
    pub fn is_total(self) -> bool {
        !matches!(self, TextOp::Slice | TextOp::SplitAtMost | TextOp::SplitBackAtMost)
    }

    /// Whether its value is a truth value.
    pub fn is_test(self) -> bool {
        matches!(self, TextOp::IsBoundary)
    }

    /// Whether its value is an integer.
    pub fn is_integer(self) -> bool {
        matches!(self, TextOp::Parse(_))
    }

    /// Whether it searches from the end, so that a mask is in the reverse order.
    pub fn is_backwards(self) -> bool {
        use TextOp::{AfterLast, BeforeLast, SplitBack, SplitBackAtMost, TrimEnd};
        matches!(self, SplitBack | SplitBackAtMost | BeforeLast | AfterLast | TrimEnd)
    }
}
