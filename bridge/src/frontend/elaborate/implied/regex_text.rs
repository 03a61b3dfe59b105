//! Regular expressions, as text, of the strings that become strings of a language when they are trimmed, cut or split.
//!
//! `s.trim() == "x"` holds for no other strings than those of `\s*x\s*`. Each expression admits all strings that it must, and
//! perhaps others, unless [`super::exact`] says that there are none. A *separator* is the expression of a constant pattern, such as `,`.

use std::ops::RangeInclusive;

use regex_syntax::ast::{self, Ast, GroupKind, Visitor};
use regex_syntax::hir::ClassUnicode;
use target_strategies::logic::ir::StrTest;

use super::class;
use super::range::Range;
use super::wanted::Text;

/// All strings.
pub(super) const ANY: &str = "(?s:.*)";

/// An expression of no string.
pub(super) const NEVER: &str = "[a&&b]";

/// Greatest count of pieces, and length of a string, that is written out.
pub(super) const MOST: i128 = 100;

/// The characters of one byte, of two, three and four.
const WIDTHS: [&str; 4] =
    [r"[\x00-\x7F]", r"[\x80-\x{7FF}]", r"[\x{800}-\x{FFFF}]", r"[\x{10000}-\x{10FFFF}]"];

/// A pattern: a constant string, or a class of characters.
pub(super) struct Separator {
    /// Its characters; of a class, those that surely separate.
    pub(super) chars: ClassUnicode,
    /// The string; `None` if any of the characters separates.
    pub(super) pattern: Option<String>,
    /// The expression that it alone matches.
    pub(super) item: String,
    /// An expression of all strings without it.
    pub(super) without: String,
    /// Whether no other strings match that, and no two occurrences overlap.
    pub(super) is_exact: bool,
    /// Whether no other strings match `item`.
    pub(super) is_whole: bool,
}

/// How a string is taken apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pieces<'s> {
    /// By a separator; for `rsplit`, the last piece comes first.
    Split(&'s Separator, Direction),
    /// Into so many pieces at most.
    SplitAtMost(&'s Separator, Direction, usize),
    /// By a separator, of which one may be at the end.
    Terminated(&'s Separator),
    Words,
    Lines,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forwards,
    Backwards,
}

impl PartialEq for Separator {
    fn eq(&self, other: &Separator) -> bool {
        self.item == other.item
    }
}

impl Eq for Separator {}

impl Separator {
    /// `None` if the pattern is empty: it matches everywhere.
    pub(super) fn of(pattern: &str) -> Option<Separator> {
        let chars: Vec<char> = pattern.chars().collect();
        let except = |c: char| format!("[^{}]", escaped_in_class(c));
        let without = match chars.as_slice() {
            [] => return None,
            [c] => format!("{}*", except(*c)),
            [a, b] if a == b => format!("(?:{0}|{1}{0})*{1}?", except(*a), escaped(&a.to_string())),
            [a, b] => {
                let both = format!("[^{}{}]", escaped_in_class(*a), escaped_in_class(*b));
                let first = escaped(&a.to_string());
                format!("(?:{}|(?:{first})+{both})*(?:{first})*", except(*a))
            }
            _ => ANY.to_owned(),
        };
        let is_exact = matches!(chars.as_slice(), [_]) || matches!(chars.as_slice(), [a, b] if a != b);
        let item = format!("(?:{})", escaped(pattern));
        let without = format!("(?:{without})");
        let (chars, pattern) = (class::of(chars), Some(pattern.to_owned()));
        Some(Separator { chars, pattern, item, without, is_exact, is_whole: true })
    }

    /// Any character that passes a test, where these may pass it, and those may fail it.
    pub(super) fn of_class(passing: &ClassUnicode, failing: &ClassUnicode, is_exact: bool) -> Separator {
        let without = format!("(?:{}*)", class::item(failing));
        let (chars, item) = (class::others(failing), class::item(passing));
        Separator { chars, pattern: None, item, without, is_exact, is_whole: is_exact }
    }

    /// Whether each match is one character.
    pub(super) fn is_one_char(&self) -> bool {
        self.pattern.as_ref().is_none_or(|pattern| pattern.chars().nth(1).is_none())
    }
}

/// A string as an expression.
pub(super) fn escaped(text: &str) -> String {
    regex_syntax::escape(text)
}

/// An expression that a whole string must match, as a part of another one; `None` if what is around it would change what it matches. Around
/// a whole string there is nothing, so that `^` at its start and `$` at its end say nothing.
pub(super) fn as_part(regex: &str) -> Option<String> {
    let looks_around = |regex: &str| {
        let hir = regex_syntax::parse(regex).ok()?;
        Some(!hir.properties().look_set().is_empty())
    };
    let regex = &without_names(regex)?;
    if !looks_around(regex)? {
        return Some(regex.clone());
    }
    let inner = regex.strip_prefix('^').unwrap_or(regex);
    let inner = match inner.strip_suffix('$') {
        Some(rest) if (rest.len() - rest.trim_end_matches('\\').len()).is_multiple_of(2) => rest,
        Some(_) | None => inner,
    };
    (looks_around(inner) == Some(false)).then(|| inner.to_owned())
}

/// An expression without the names of its groups: in a longer one, it may occur twice.
fn without_names(regex: &str) -> Option<String> {
    // The flag `x`, which admits blanks before the `?` of a name, is set by such a group, too.
    if !regex.contains("(?") {
        return Some(regex.to_owned());
    }
    struct Names(Vec<(usize, usize)>);
    impl Visitor for Names {
        type Output = Vec<(usize, usize)>;
        type Err = std::convert::Infallible;

        fn finish(self) -> Result<Vec<(usize, usize)>, Self::Err> {
            Ok(self.0)
        }

        fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
            if let Ast::Group(group) = ast
                && let GroupKind::CaptureName { name, .. } = &group.kind
            {
                // The text from `?` to `>`.
                self.0.push((group.span.start.offset + 1, name.span.end.offset + 1));
            }
            Ok(())
        }
    }
    let ast = ast::parse::Parser::new().parse(regex).ok()?;
    let mut text = regex.to_owned();
    for (from, to) in ast::visit(&ast, Names(Vec::new())).ok()?.into_iter().rev() {
        text.replace_range(from..to, "");
    }
    Some(text)
}

fn escaped_in_class(c: char) -> String {
    format!(r"\u{{{:x}}}", u32::from(c))
}

/// The strings with a constant at their start, at their end, or anywhere.
pub(super) fn with_part(test: StrTest, part: &str) -> String {
    let part = Text::exactly(part).item();
    match test {
        StrTest::StartsWith => part + ANY,
        StrTest::EndsWith => ANY.to_owned() + &part,
        StrTest::Contains => format!("{ANY}{part}{ANY}"),
    }
}

/// The strings of exactly so many bytes, at least one.
pub(super) fn of_bytes(n: usize) -> String {
    let branches = (1..=n.min(WIDTHS.len())).map(|width| match n - width {
        0 => WIDTHS[width - 1].to_owned(),
        rest => format!("{}(?:{})", WIDTHS[width - 1], of_bytes(rest)),
    });
    branches.collect::<Vec<_>>().join("|")
}

/// The strings of so many bytes or more.
pub(super) fn at_least_bytes(n: usize) -> String {
    if n == 0 {
        return ANY.to_owned();
    }
    let first = (1..).zip(WIDTHS);
    let branches = first.map(|(width, class)| format!("{class}{}", at_least_bytes(n.saturating_sub(width))));
    format!("(?:{})", branches.collect::<Vec<_>>().join("|"))
}

impl Pieces<'_> {
    /// The strings of which a piece belongs to a language.
    pub(super) fn with_piece(self, at: usize, of: &Text) -> Option<String> {
        if at as i128 > MOST {
            return None;
        }
        let of = of.item();
        Some(match self {
            Pieces::Split(separator, direction) => split_with(separator, direction, at, &of, false),
            Pieces::SplitAtMost(separator, direction, most) => {
                split_with(separator, direction, at, &of, at + 1 == most)
            }
            Pieces::Terminated(separator) => split_with(separator, Direction::Forwards, at, &of, false),
            Pieces::Words => format!(r"\s*(?:\S+\s+){{{at}}}{of}(?:\s{ANY})?"),
            Pieces::Lines => format!(r"(?:[^\n]*\n){{{at}}}{of}(?:\r?\n{ANY})?"),
        })
    }

    /// The strings of which the last piece belongs to a language.
    pub(super) fn with_last(self, of: &Text) -> Option<String> {
        match self {
            Pieces::Split(separator, Direction::Forwards) => {
                Pieces::Split(separator, Direction::Backwards).with_piece(0, of)
            }
            Pieces::Split(separator, Direction::Backwards) => {
                Pieces::Split(separator, Direction::Forwards).with_piece(0, of)
            }
            Pieces::Words => Some(format!(r"(?:{ANY}\s)?{}\s*", of.item())),
            Pieces::Lines => Some(format!(r"(?:{ANY}\n)?{}(?:\r?\n)?", of.item())),
            Pieces::SplitAtMost(..) | Pieces::Terminated(_) => None,
        }
    }

    /// The strings of which all pieces belong to a language.
    pub(super) fn with_all(self, of: &Text) -> Option<String> {
        let of = of.item();
        Some(match self {
            Pieces::Split(Separator { item, .. }, _) => format!("{of}(?:{item}{of})*"),
            Pieces::Terminated(Separator { item, .. }) => format!("(?:{of}(?:{item}{of})*(?:{item})?)?"),
            Pieces::Words => format!(r"\s*(?:{of}(?:\s+{of})*\s*)?"),
            Pieces::Lines => format!(r"(?:{of}(?:\r?\n{of})*(?:\r?\n)?)?"),
            Pieces::SplitAtMost(..) => return None,
        })
    }

    /// The strings of which some piece belongs to a language.
    pub(super) fn with_any(self, of: &Text) -> Option<String> {
        let of = of.item();
        Some(match self {
            Pieces::Split(Separator { item, .. }, _) | Pieces::Terminated(Separator { item, .. }) => {
                format!("(?:{ANY}{item})?{of}(?:{item}{ANY})?")
            }
            Pieces::Words => format!(r"(?:{ANY}\s)?{of}(?:\s{ANY})?"),
            Pieces::Lines => format!(r"(?:{ANY}\n)?{of}(?:\r?\n{ANY})?"),
            Pieces::SplitAtMost(..) => return None,
        })
    }

    /// The strings with so many pieces, at least one.
    pub(super) fn counted(self, range: Range) -> Option<String> {
        let (least, most) = range.of_count();
        // Without a separator, all of the string is a piece.
        let least = if let Pieces::Split(..) = self { least.max(1) } else { least };
        if !(1..=MOST).contains(&least) || most.is_some_and(|most| most < least) {
            return None;
        }
        let more = |most: Option<i128>| match most {
            Some(most) if most <= MOST => format!("{{{},{}}}", least - 1, most - 1),
            _ => format!("{{{},}}", least - 1),
        };
        Some(match self {
            Pieces::Split(..) if least == 1 && most.is_none() => ANY.to_owned(),
            Pieces::Split(Separator { item, without, .. }, _) => {
                format!("{without}(?:{item}{without}){}", more(most))
            }
            Pieces::SplitAtMost(Separator { item, without, .. }, _, limit) => {
                let most = most.filter(|most| *most < limit as i128);
                format!("{without}(?:{item}{without}){}", more(most))
            }
            Pieces::Words => format!(r"\s*\S+(?:\s+\S+){}\s*", more(most)),
            Pieces::Terminated(_) | Pieces::Lines => return None,
        })
    }
}

/// The strings with a piece of a language; the last of `splitn` may contain separators, and so is all that is left.
fn split_with(separator: &Separator, direction: Direction, at: usize, of: &str, is_rest: bool) -> String {
    let Separator { item, without, .. } = separator;
    match direction {
        Direction::Forwards => {
            let rest = if is_rest { String::new() } else { format!("(?:{item}{ANY})?") };
            format!("(?:{without}{item}){{{at}}}{of}{rest}")
        }
        Direction::Backwards => {
            let rest = if is_rest { String::new() } else { format!("(?:{ANY}{item})?") };
            format!("{rest}{of}(?:{item}{without}){{{at}}}")
        }
    }
}

/// The strings with so many items, and others around them; `None` if that isn't written out.
pub(super) fn counted_items(item: &str, others: &str, range: Range) -> Option<String> {
    let (least, most) = range.of_count();
    if MOST < least || most.is_some_and(|most| most < least || MOST < most) {
        return None;
    }
    let most = most.map_or(String::new(), |most| most.to_string());
    Some(format!("{others}(?:{item}{others}){{{least},{most}}}"))
}

/// The strings that are less than another one, or greater.
pub(super) fn ordered(than: &str, is_less: bool, or_equal: bool) -> String {
    let mut branches = Vec::new();
    let mut start = String::new();
    for c in than.chars() {
        let others = if is_less { below(c) } else { above(c) };
        if is_less {
            branches.push(start.clone());
        }
        branches.extend(others.map(|others| format!("{start}{}{ANY}", class(others))));
        start += &escaped(&c.to_string());
    }
    if or_equal {
        branches.push(start.clone());
    }
    if !is_less {
        branches.push(format!("{start}(?s:.+)"));
    }
    if branches.is_empty() { NEVER.to_owned() } else { branches.join("|") }
}

fn below(c: char) -> Option<RangeInclusive<char>> {
    ('\0'..c).next_back().map(|last| '\0'..=last)
}

fn above(c: char) -> Option<RangeInclusive<char>> {
    (c..=char::MAX).nth(1).map(|first| first..=char::MAX)
}

fn class(chars: RangeInclusive<char>) -> String {
    format!("[{}-{}]", escaped_in_class(*chars.start()), escaped_in_class(*chars.end()))
}
