//! Expressions of strings that are made into others, or taken into pieces, and whether they say all that is asked.
//!
//! `s.trim() == "x"` holds exactly for `\s*x\s*`. But `\s*(?s:.*)\s*` doesn't say that a trimmed string has no white space at its ends.
//! Here is where that is known. Where a piece must not contain its separator, the separator is taken out of the expression.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

use super::regex_text::{self, ANY, MOST, NEVER, Pieces, Separator, escaped, of_bytes};
use super::wanted::{Range, Text, Wanted};

/// Greatest number of bytes for which all widths of characters are written out.
const MOST_BYTES: i128 = 4;

/// An expression, and whether no other strings match it.
pub(super) type Expression = (String, bool);

/// The strings of which one of a language stays if white space is removed at the ends.
pub(super) fn trimmed(of: &Text, at_start: bool, at_end: bool) -> Expression {
    if matches!(of, Text::Matching(regex) if **regex == *NOT_EMPTY) {
        return (format!(r"{ANY}\S{ANY}"), true);
    }
    let is_exact = read(of).is_some_and(|hir| {
        let blanks = blanks();
        !(at_start && edge(&hir, &blanks, true).0 || at_end && edge(&hir, &blanks, false).0)
    });
    (regex_text::trimmed(of, at_start, at_end), is_exact)
}

/// The strings of which one of a language stays if a constant is removed at one end, as often as it is there.
pub(super) fn stripped(of: &Text, constant: Option<&str>, at_start: bool) -> Expression {
    let next =
        constant.and_then(|text| if at_start { text.chars().next() } else { text.chars().next_back() });
    let is_exact = next.zip(read(of)).is_some_and(|(c, hir)| !edge(&hir, &class_of([c]), at_start).0);
    (regex_text::stripped(of, constant, at_start), is_exact)
}

/// The strings with one of a language before the first, or the last, separator; without one, all of the string.
pub(super) fn before(of: &Text, separator: Option<&Separator>, is_last: bool) -> Expression {
    if let Some(separator) = separator
        && let Some(piece) = without(of, separator)
    {
        if !is_last {
            return (regex_text::before(&piece, Some(separator), false), true);
        }
        let Separator { item, without, is_exact, .. } = separator;
        return (format!("{}{item}{without}|{}", of.item(), piece.item()), *is_exact);
    }
    (regex_text::before(of, separator, is_last), false)
}

/// The strings with one of a language after the first, or the last, separator; without one, none of the string.
pub(super) fn after(of: &Text, separator: Option<&Separator>, is_last: bool) -> Expression {
    let piece = separator
        .and_then(|separator| if is_last { without(of, separator) } else { read(of).map(|_| of.clone()) });
    let is_exact = separator.is_some_and(|separator| separator.is_exact) && piece.is_some();
    (regex_text::after(piece.as_ref().unwrap_or(of), separator, is_last), is_exact)
}

/// The strings with one of a language between two bytes.
pub(super) fn sliced(of: &Text, from: Option<usize>, to: Option<usize>, up_to_end: bool) -> Expression {
    let is_exact = from.is_some_and(|from| {
        let has_length = |n: usize| {
            read(of).is_some_and(|hir| {
                let lengths = hir.properties();
                (lengths.minimum_len(), lengths.maximum_len()) == (Some(n), Some(n))
            })
        };
        let ends = up_to_end || to.and_then(|to| to.checked_sub(from)).is_some_and(has_length);
        from <= regex_text::MOST_EXACT && ends
    });
    (regex_text::sliced(of, from, up_to_end), is_exact && read(of).is_some())
}

/// All strings but the empty one.
const NOT_EMPTY: &str = "(?s:.{1,})";

/// The strings of such a length in bytes, and whether these are all.
pub(super) fn of_length((least, most): Range) -> (Text, bool) {
    let least = least.max(0);
    let exactly = |n: i128| if n == 0 { String::new() } else { of_bytes(n as usize) };
    let any_of = |range: std::ops::RangeInclusive<i128>| range.map(exactly).collect::<Vec<_>>().join("|");
    let (text, is_exact) = match (least, most) {
        (least, most) if most < least => (NEVER.to_owned(), true),
        (least, most) if most <= MOST_BYTES => (any_of(least..=most), true),
        (1, i128::MAX) => (NOT_EMPTY.to_owned(), true),
        _ => (regex_text::of_length((least, most)), least == 0 && most == i128::MAX),
    };
    (Text::matching(text), is_exact)
}

/// The strings of whose pieces something is asked; `None` if that isn't said as an expression.
pub(super) fn of_pieces(pieces: Pieces<'_>, wanted: &Wanted) -> Option<Expression> {
    match wanted {
        Wanted::Len(range) => Some((pieces.counted(*range)?, is_counted(pieces, *range))),
        Wanted::Element(at, wanted) => {
            let Wanted::Text(text) = &**wanted else { return None };
            let (text, is_exact) = with_piece(pieces, *at, text);
            Some((pieces.with_piece(*at, &text)?, is_exact))
        }
        Wanted::Last(wanted) => {
            let Wanted::Text(text) = &**wanted else { return None };
            let (text, is_exact) = piece(pieces, text);
            let is_exact = is_exact
                && match pieces {
                    // Where occurrences overlap, separators are found from the other end.
                    Pieces::Split(separator, _) => separator.is_exact,
                    Pieces::Words => !text.may_be_empty(),
                    Pieces::SplitAtMost(..) | Pieces::Terminated(_) | Pieces::Lines => false,
                };
            Some((pieces.with_last(&text)?, is_exact))
        }
        Wanted::Bool(_)
        | Wanted::Ctor(_)
        | Wanted::OtherThan(_)
        | Wanted::Text(_)
        | Wanted::Number(_)
        | Wanted::Component(..)
        | Wanted::Field(..) => None,
    }
}

/// The strings of which all pieces, or some of them, belong to a language.
pub(super) fn some_or_all(pieces: Pieces<'_>, text: &Text, all: bool) -> Option<Expression> {
    let (text, is_exact) = piece(pieces, text);
    if all {
        return Some((pieces.with_all(&text)?, is_exact));
    }
    let is_exact = is_exact
        && match pieces {
            Pieces::Split(separator, _) => separator.is_exact,
            Pieces::SplitAtMost(..) => false,
            Pieces::Terminated(separator) => separator.is_exact && !text.may_be_empty(),
            Pieces::Words | Pieces::Lines => !text.may_be_empty(),
        };
    Some((pieces.with_any(&text)?, is_exact))
}

fn is_counted(pieces: Pieces<'_>, (least, most): Range) -> bool {
    let is_written = most <= MOST || most == i128::MAX;
    is_written
        && match pieces {
            Pieces::Split(separator, _) => separator.is_exact,
            Pieces::SplitAtMost(separator, _, limit) => separator.is_exact && least <= limit as i128,
            Pieces::Words => true,
            Pieces::Terminated(_) | Pieces::Lines => false,
        }
}

/// The language of the piece at an index, and whether an expression with it says all.
fn with_piece(pieces: Pieces<'_>, at: usize, text: &Text) -> (Text, bool) {
    if let Pieces::SplitAtMost(separator, _, most) = pieces
        && most <= at + 1
    {
        // The last one may contain separators.
        let is_exact = at + 1 == most && separator.is_exact && read(text).is_some();
        return (text.clone(), is_exact);
    }
    let (text, is_exact) = piece(pieces, text);
    let is_exact = is_exact
        && match pieces {
            Pieces::Split(separator, _) | Pieces::SplitAtMost(separator, ..) => separator.is_exact || at == 0,
            Pieces::Terminated(separator) => separator.is_exact && !text.may_be_empty(),
            Pieces::Words | Pieces::Lines => !text.may_be_empty(),
        };
    (text, is_exact)
}

/// The strings of a language that may be pieces, and whether these are all that are left.
fn piece(pieces: Pieces<'_>, text: &Text) -> (Text, bool) {
    let found = match pieces {
        Pieces::Split(separator, _) | Pieces::SplitAtMost(separator, ..) | Pieces::Terminated(separator) => {
            without(text, separator)
        }
        Pieces::Words => read(text).map(|hir| Text::matching(removed(&hir, &blanks()).to_string())),
        Pieces::Lines => {
            let ends = class_of(['\n', '\r']);
            read(text).filter(|hir| !may_contain(hir, &ends)).map(|_| text.clone())
        }
    };
    found.map_or_else(|| (text.clone(), false), |found| (found, true))
}

/// The strings of a language that don't contain a separator; `None` if that isn't said.
fn without(text: &Text, separator: &Separator) -> Option<Text> {
    let hir = read(text)?;
    let chars = class_of(separator.pattern.chars());
    if !may_contain(&hir, &chars) {
        return Some(text.clone());
    }
    if separator.pattern.chars().nth(1).is_none() {
        return Some(Text::matching(removed(&hir, &chars).to_string()));
    }
    match text {
        Text::Exactly(text) if text.contains(&separator.pattern) => Some(Text::matching(NEVER.to_owned())),
        Text::Exactly(_) if separator.is_exact => Some(text.clone()),
        Text::Exactly(_) | Text::Matching(_) => None,
    }
}

/// A language as parsed; `None` if it depends on what is around its strings, or has classes of bytes, which the functions below don't read.
fn read(text: &Text) -> Option<Hir> {
    let regex = match text {
        Text::Exactly(text) => regex_syntax::parse(&escaped(text)),
        Text::Matching(regex) => regex_syntax::parse(regex),
    };
    regex.ok().filter(|hir| hir.properties().look_set().is_empty() && !has_bytes(hir))
}

fn has_bytes(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Class(Class::Bytes(_)) => true,
        HirKind::Empty | HirKind::Look(_) | HirKind::Literal(_) | HirKind::Class(Class::Unicode(_)) => false,
        HirKind::Repetition(repetition) => has_bytes(&repetition.sub),
        HirKind::Capture(capture) => has_bytes(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_bytes),
    }
}

fn class_of(chars: impl IntoIterator<Item = char>) -> ClassUnicode {
    ClassUnicode::new(chars.into_iter().map(|c| ClassUnicodeRange::new(c, c)))
}

/// White space.
fn blanks() -> ClassUnicode {
    let ranges = ('\0'..='\u{ffff}').filter(|c| c.is_whitespace());
    class_of(ranges)
}

fn overlaps(class: &Class, chars: &ClassUnicode) -> bool {
    match class {
        Class::Unicode(class) => {
            let mut both = class.clone();
            both.intersect(chars);
            !both.ranges().is_empty()
        }
        Class::Bytes(_) => true,
    }
}

fn has(chars: &ClassUnicode, c: char) -> bool {
    chars.iter().any(|range| range.start() <= c && c <= range.end())
}

/// Whether a string of an expression may have one of some characters.
fn may_contain(hir: &Hir, chars: &ClassUnicode) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).chars().any(|c| has(chars, c)),
        HirKind::Class(class) => overlaps(class, chars),
        HirKind::Repetition(repetition) => may_contain(&repetition.sub, chars),
        HirKind::Capture(capture) => may_contain(&capture.sub, chars),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().any(|part| may_contain(part, chars))
        }
    }
}

/// Whether a string of an expression may begin, or end, with one of some characters; and whether it may be empty.
fn edge(hir: &Hir, chars: &ClassUnicode, at_start: bool) -> (bool, bool) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => (false, true),
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0);
            let c = if at_start { text.chars().next() } else { text.chars().next_back() };
            (c.is_some_and(|c| has(chars, c)), c.is_none())
        }
        HirKind::Class(class) => (overlaps(class, chars), false),
        HirKind::Repetition(repetition) => {
            let (is_there, is_empty) = edge(&repetition.sub, chars, at_start);
            (is_there, is_empty || repetition.min == 0)
        }
        HirKind::Capture(capture) => edge(&capture.sub, chars, at_start),
        HirKind::Concat(parts) => {
            let mut ordered: Vec<&Hir> = parts.iter().collect();
            if !at_start {
                ordered.reverse();
            }
            let mut found = false;
            for part in ordered {
                let (is_there, is_empty) = edge(part, chars, at_start);
                found |= is_there;
                if !is_empty {
                    return (found, false);
                }
            }
            (found, true)
        }
        HirKind::Alternation(parts) => {
            let all = parts.iter().map(|part| edge(part, chars, at_start));
            all.fold((false, false), |known, part| (known.0 || part.0, known.1 || part.1))
        }
    }
}

/// The strings of an expression without some characters.
fn removed(hir: &Hir, chars: &ClassUnicode) -> Hir {
    let all = |parts: &[Hir]| parts.iter().map(|part| removed(part, chars)).collect::<Vec<Hir>>();
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => hir.clone(),
        HirKind::Literal(_) => {
            if may_contain(hir, chars) {
                Hir::fail()
            } else {
                hir.clone()
            }
        }
        HirKind::Class(Class::Unicode(class)) => {
            let mut class = class.clone();
            class.difference(chars);
            Hir::class(Class::Unicode(class))
        }
        HirKind::Repetition(repetition) => {
            let mut repetition = repetition.clone();
            repetition.sub = Box::new(removed(&repetition.sub, chars));
            Hir::repetition(repetition)
        }
        HirKind::Capture(capture) => removed(&capture.sub, chars),
        HirKind::Concat(parts) => Hir::concat(all(parts)),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)),
    }
}
