//! Expressions of strings that are made into others, or taken into pieces, and whether they say all that is asked.
//!
//! `s.trim() == "x"` holds exactly for `\s*x\s*`. But `\s*(?s:.*)\s*` doesn't say that a trimmed string has no white space at its ends.
//! Here is where that is known. Where a piece must not contain its separator, the separator is taken out of the expression.

use regex_syntax::hir::{ClassUnicode, Hir};

use super::class;
use super::hir::{edge, may_contain, of_size, read, removed, text_of, with_bare_edge};
use super::range::Range;
use super::regex_text::{ANY, MOST, NEVER, Pieces, Separator, at_least_bytes, of_bytes};
use super::wanted::{Text, Wanted};

/// Greatest number of bytes for which all widths of characters are written out.
const MOST_BYTES: i128 = 4;

/// Greatest number of bytes before a slice for which characters of several bytes are counted.
const MOST_BEFORE: usize = 6;

/// An expression, and whether no other strings match it.
pub(super) type Expression = (String, bool);

/// The strings of which one of a language stays if white space is removed at the ends.
pub(super) fn trimmed(of: &Text, at_start: bool, at_end: bool) -> Expression {
    if matches!(of, Text::Matching(regex) if **regex == *NOT_EMPTY) {
        return (format!(r"{ANY}\S{ANY}"), true);
    }
    let blanks = class::blanks();
    let inner = if at_start { bare(of, &blanks, true) } else { Some(of.clone()) };
    let inner = inner.and_then(|inner| if at_end { bare(&inner, &blanks, false) } else { Some(inner) });
    let blanks = |is_removed: bool| if is_removed { r"\s*" } else { "" };
    let item = inner.as_ref().unwrap_or(of).item();
    (format!("{}{item}{}", blanks(at_start), blanks(at_end)), inner.is_some())
}

/// The strings of which one of a language stays if a pattern is removed at one end, as often as it is there.
pub(super) fn stripped(of: &Text, separator: Option<&Separator>, at_start: bool) -> Expression {
    let inner = separator.and_then(|separator| {
        if separator.is_one_char() {
            return bare(of, &separator.chars, at_start);
        }
        let pattern = separator.pattern.as_deref().unwrap_or("");
        let next = if at_start { pattern.chars().next() } else { pattern.chars().next_back() };
        let hir = read(of)?;
        (!edge(&hir, &class::of(next), at_start).0).then(|| of.clone())
    });
    let removed = separator.map_or(ANY.to_owned(), |separator| format!("(?:{})*", separator.item));
    let item = inner.as_ref().unwrap_or(of).item();
    let is_exact = inner.is_some() && separator.is_some_and(|separator| separator.is_whole);
    (if at_start { removed + &item } else { item + &removed }, is_exact)
}

/// The strings of a language that don't begin, or end, with one of some characters; `None` if that isn't said.
fn bare(of: &Text, chars: &ClassUnicode, at_start: bool) -> Option<Text> {
    let hir = read(of)?;
    let (is_there, may_be_empty) = edge(&hir, chars, at_start);
    if !is_there {
        return Some(of.clone());
    }
    let mut found = vec![with_bare_edge(&hir, chars, at_start)];
    found.extend(may_be_empty.then(Hir::empty));
    Some(Text::matching(text_of(&Hir::alternation(found))))
}

/// The strings with one of a language before the first, or the last, separator; without one, all of the string.
pub(super) fn before(of: &Text, separator: Option<&Separator>, is_last: bool) -> Expression {
    let Some(separator) = separator else { return (of.item() + ANY, false) };
    let Separator { item, without: rest, is_exact, is_whole, .. } = separator;
    let piece = without(of, separator);
    let (start, is_known) = (piece.as_ref().unwrap_or(of).item(), piece.is_some());
    match (is_last, is_known) {
        (false, _) => (format!("{start}(?:{item}{ANY})?"), is_known && *is_whole),
        (true, true) => (format!("{}{item}{rest}|{start}", of.item()), *is_exact),
        (true, false) => (format!("{start}(?:{item}{rest})?"), false),
    }
}

/// The strings with one of a language after the first, or the last, separator; without one, none of the string.
pub(super) fn after(of: &Text, separator: Option<&Separator>, is_last: bool) -> Expression {
    let Some(separator) = separator else { return (ANY.to_owned() + &of.item(), false) };
    let piece = if is_last { without(of, separator) } else { read(of).map(|_| of.clone()) };
    let is_exact = separator.is_exact && piece.is_some();
    let (of, Separator { item, without, .. }) = (piece.as_ref().unwrap_or(of), separator);
    let before = if is_last { ANY } else { without };
    let none = if of.may_be_empty() { format!("|{without}") } else { String::new() };
    (format!("{before}{item}{}{none}", of.item()), is_exact)
}

/// The strings with one of a language between two bytes.
pub(super) fn sliced(of: &Text, from: Option<usize>, to: Option<usize>, up_to_end: bool) -> Expression {
    let size = from.and_then(|from| to?.checked_sub(from));
    let sized = if up_to_end { None } else { size.and_then(|size| of_size(&read(of)?, size)) };
    let is_exact = from.is_some_and(|from| from <= MOST_BEFORE) && (up_to_end || sized.is_some());
    let rest = if up_to_end { "" } else { ANY };
    let item = sized.map_or_else(|| of.item(), |hir| Text::matching(text_of(&hir)).item());
    let regex = match from {
        Some(0) => format!("{item}{rest}"),
        Some(from) if from <= MOST_BEFORE => format!("(?:{}){item}{rest}", of_bytes(from)),
        // What is after a character that isn't ASCII is left open.
        Some(from) if from as i128 <= MOST => {
            let wide = format!(r"[\x00-\x7F]{{0,{}}}[^\x00-\x7F]{ANY}", from - 1);
            format!(r"[\x00-\x7F]{{{from}}}{item}{rest}|{wide}")
        }
        Some(_) | None => format!("{ANY}{item}{rest}"),
    };
    (regex, is_exact && read(of).is_some())
}

/// All strings but the empty one.
const NOT_EMPTY: &str = "(?s:.{1,})";

/// The strings of such a length in bytes, and whether these are all.
pub(super) fn of_length(range: Range) -> (Text, bool) {
    let exactly = |n: i128| if n == 0 { String::new() } else { of_bytes(n as usize) };
    let any_of = |range: std::ops::RangeInclusive<i128>| range.map(exactly).collect::<Vec<_>>().join("|");
    let (text, is_exact) = match range.of_count() {
        (0, Some(0)) => return (Text::exactly(""), true),
        (least, Some(most)) if most < least => (NEVER.to_owned(), true),
        (least, Some(most)) if most <= MOST_BYTES => (any_of(least..=most), true),
        (1, None) => (NOT_EMPTY.to_owned(), true),
        (0, None) => (ANY.to_owned(), true),
        (least, None) if least <= MOST_BYTES => (at_least_bytes(least as usize), true),
        (least, most) => {
            // With a character outside ASCII, there may be fewer characters.
            let least = least.min(MOST);
            let most = most.filter(|most| *most <= MOST);
            let (most, most_others) =
                most.map_or_else(Default::default, |most| (most.to_string(), (most - 2).to_string()));
            let ascii = r"[\x00-\x7F]";
            let wide = format!(r"{ascii}{{0,{most_others}}}[^\x00-\x7F](?s:.{{0,{most_others}}})");
            (format!("{ascii}{{{least},{most}}}|{wide}"), false)
        }
    };
    (Text::matching(text), is_exact)
}

/// The strings of whose pieces something is asked; `None` if that isn't said as an expression.
pub(super) fn of_pieces(pieces: Pieces<'_>, wanted: &Wanted) -> Option<Expression> {
    match wanted {
        Wanted::Len(range) => Some((pieces.counted(*range)?, is_counted(pieces, *range))),
        Wanted::Element(at, wanted) => {
            let Wanted::Text(text) = &**wanted else { return None };
            let (text, is_exact) = piece_at(pieces, *at, text);
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
        | Wanted::Char(_)
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

fn is_counted(pieces: Pieces<'_>, range: Range) -> bool {
    let is_written = range.most.is_none_or(|most| most <= MOST);
    is_written
        && match pieces {
            Pieces::Split(separator, _) => separator.is_exact,
            Pieces::SplitAtMost(separator, _, limit) => {
                separator.is_exact && range.least.is_none_or(|least| least <= limit as i128)
            }
            Pieces::Words => true,
            Pieces::Terminated(_) | Pieces::Lines => false,
        }
}

/// The language of the piece at an index, and whether an expression with it says all.
fn piece_at(pieces: Pieces<'_>, at: usize, text: &Text) -> (Text, bool) {
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
    let (found, is_whole) = match pieces {
        Pieces::Split(separator, _) | Pieces::SplitAtMost(separator, ..) | Pieces::Terminated(separator) => {
            (without(text, separator), separator.is_whole)
        }
        Pieces::Words => {
            let left = |hir| Text::matching(text_of(&removed(&hir, &class::blanks())));
            (read(text).map(left), true)
        }
        Pieces::Lines => match read(text) {
            Some(hir) => {
                let left = Text::matching(text_of(&removed(&hir, &class::of(['\n']))));
                (Some(left), !may_contain(&hir, &class::of(['\r'])))
            }
            None => (None, false),
        },
    };
    found.map_or_else(|| (text.clone(), false), |found| (found, is_whole))
}

/// The strings of a language that don't contain a separator; `None` if that isn't said.
fn without(text: &Text, separator: &Separator) -> Option<Text> {
    let hir = read(text)?;
    if !may_contain(&hir, &separator.chars) {
        return Some(text.clone());
    }
    match (text, &separator.pattern) {
        _ if separator.is_one_char() => Some(Text::matching(text_of(&removed(&hir, &separator.chars)))),
        (Text::Exactly(text), Some(pattern)) if text.contains(pattern) => {
            Some(Text::matching(NEVER.to_owned()))
        }
        (Text::Exactly(_), _) if separator.is_exact => Some(text.clone()),
        (Text::Exactly(_) | Text::Matching(_), _) => None,
    }
}
