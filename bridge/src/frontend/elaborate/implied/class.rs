//! Classes of characters, as regular expressions have them.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir};
use target_strategies::logic::eval::{char_is, chars_of};
use target_strategies::logic::ir::CharClass;

/// Greatest number of ranges that are written out. Of more, those outside ASCII count as one.
const MOST_RANGES: usize = 64;

/// These characters.
pub(super) fn of(chars: impl IntoIterator<Item = char>) -> ClassUnicode {
    ClassUnicode::new(chars.into_iter().map(|c| ClassUnicodeRange::new(c, c)))
}

/// All characters between two.
pub(super) fn between(first: char, last: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(first, last)])
}

/// All characters outside ASCII.
pub(super) fn outside_ascii() -> ClassUnicode {
    between('\u{80}', char::MAX)
}

/// All characters of so many bytes.
pub(super) fn of_width(n_bytes: usize) -> ClassUnicode {
    match n_bytes {
        1 => between('\0', '\u{7f}'),
        2 => between('\u{80}', '\u{7ff}'),
        3 => between('\u{800}', '\u{ffff}'),
        4 => between('\u{10000}', char::MAX),
        _ => of([]),
    }
}

/// White space.
pub(super) fn blanks() -> ClassUnicode {
    static BLANKS: LazyLock<ClassUnicode> = LazyLock::new(|| named(CharClass::Whitespace).0);
    BLANKS.clone()
}

/// The characters of one of `char`'s own classes, or more; and whether there are no others.
pub(super) fn named(class: CharClass) -> (ClassUnicode, bool) {
    if let Some(members) = chars_of(class) {
        return (of(members), true);
    }
    let in_ascii = ('\0'..'\u{80}').filter(|c| char_is(class, *c));
    (with(&of(in_ascii), &outside_ascii()), false)
}

/// The characters of either class.
pub(super) fn with(class: &ClassUnicode, other: &ClassUnicode) -> ClassUnicode {
    let mut all = class.clone();
    all.union(other);
    all
}

/// The characters of both classes.
pub(super) fn within(class: &ClassUnicode, other: &ClassUnicode) -> ClassUnicode {
    let mut both = class.clone();
    both.intersect(other);
    both
}

/// The characters of the first class alone.
pub(super) fn without(class: &ClassUnicode, other: &ClassUnicode) -> ClassUnicode {
    let mut left = class.clone();
    left.difference(other);
    left
}

/// All other characters.
pub(super) fn others(class: &ClassUnicode) -> ClassUnicode {
    let mut others = class.clone();
    others.negate();
    others
}

pub(super) fn is_empty(class: &ClassUnicode) -> bool {
    class.ranges().is_empty()
}

pub(super) fn has(class: &ClassUnicode, c: char) -> bool {
    class.iter().any(|range| range.start() <= c && c <= range.end())
}

/// A class of few ranges with the same characters, or more; and whether it has no others.
pub(super) fn widened(class: ClassUnicode) -> (ClassUnicode, bool) {
    if class.ranges().len() <= MOST_RANGES {
        return (class, true);
    }
    (with(&within(&class, &between('\0', '\u{7f}')), &outside_ascii()), false)
}

/// A class as an expression.
pub(super) fn item(class: &ClassUnicode) -> String {
    Hir::class(Class::Unicode(class.clone())).to_string()
}
