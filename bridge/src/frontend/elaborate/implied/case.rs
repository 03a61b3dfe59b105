//! Regular expressions, as text, of the strings that become strings of a language when their case is changed.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Repetition};

use super::hir::text_of;
use super::regex_text::escaped;
use super::wanted::Text;

/// Greatest number of letters in a row that may come from one character together with the next letter, as `SS` from `ß`.
const MOST_JOINED: usize = 8;

/// A change of case: each character that changes, with the string that it becomes.
type Changes = Vec<(char, String)>;

static LOWER: LazyLock<Changes> = LazyLock::new(|| {
    let mut changes = changes(char::to_lowercase);
    // At the end of a word.
    changes.push(('Σ', "ς".to_owned()));
    changes
});

static UPPER: LazyLock<Changes> = LazyLock::new(|| changes(char::to_uppercase));

/// The last character of the planes that have letters with a case.
const LAST: char = '\u{1ffff}';

fn changes<I: Iterator<Item = char> + Clone>(change: fn(char) -> I) -> Changes {
    let all = ('\0'..=LAST).map(|c| (c, change(c)));
    all.filter(|(c, changed)| !changed.clone().eq([*c])).map(|(c, changed)| (c, changed.collect())).collect()
}

/// The strings of which `to_lowercase` makes strings of a language; `None` if that isn't said as an expression.
pub(super) fn lower(to: &Text) -> Option<String> {
    match to {
        Text::Exactly(text) => one(text, &LOWER),
        Text::Matching(regex) => {
            let before = lower_of_hir(&regex_syntax::parse(regex).ok()?)?;
            Some(text_of(&before))
        }
    }
}

/// The strings of which `to_uppercase` makes strings of a language; `None` if that isn't said as an expression.
pub(super) fn upper(to: &Text) -> Option<String> {
    match to {
        Text::Exactly(text) => one(text, &UPPER),
        // `ß` and others become several letters, which other parts of the expression may match.
        Text::Matching(_) => None,
    }
}

/// Whether these admit no other strings: which of two sigmas is lower case depends on the word.
pub(super) fn is_exact(to: &Text) -> bool {
    matches!(to, Text::Exactly(text) if !text.contains(['σ', 'ς']))
}

/// The strings that become one.
fn one(text: &str, changes: &Changes) -> Option<String> {
    let text: &[char] = &text.chars().collect::<Vec<char>>();
    // The strings of several letters that come from one character, where they are in the text.
    let joined = |at: usize| {
        changes.iter().filter_map(move |(from, to)| {
            let to: Vec<char> = to.chars().collect();
            (1 < to.len() && text[at..].starts_with(&to)).then_some((*from, to.len()))
        })
    };
    let mut regex = String::new();
    let mut at = 0;
    while at < text.len() {
        // The end of the letters that such strings hold together.
        let mut end = at + 1;
        let mut next = at;
        while next < end {
            end = joined(next).map(|(_, n)| next + n).fold(end, usize::max);
            next += 1;
        }
        if MOST_JOINED < end - at {
            return None;
        }
        regex += &from_here(at, end, text, changes, &joined);
        at = end;
    }
    Some(regex)
}

/// The strings that become the letters between two positions.
fn from_here<I: Iterator<Item = (char, usize)>>(
    at: usize,
    end: usize,
    text: &[char],
    changes: &Changes,
    joined: &impl Fn(usize) -> I,
) -> String {
    if at == end {
        return String::new();
    }
    let rest = |n: usize| from_here(at + n, end, text, changes, joined);
    let mut branches = vec![sources(text[at], changes) + &rest(1)];
    branches.extend(joined(at).map(|(from, n)| escaped(&from.to_string()) + &rest(n)));
    if branches.len() == 1 { branches.swap_remove(0) } else { format!("(?:{})", branches.join("|")) }
}

/// The characters that become one, as a class.
fn sources(c: char, changes: &Changes) -> String {
    let mut chars: Vec<char> = Vec::new();
    // It may change itself.
    chars.extend((!changes.iter().any(|(from, _)| *from == c)).then_some(c));
    chars.extend(changes.iter().filter(|(_, to)| to.chars().eq([c])).map(|(from, _)| *from));
    let ranges = chars.iter().map(|c| ClassUnicodeRange::new(*c, *c));
    Hir::class(Class::Unicode(ClassUnicode::new(ranges))).to_string()
}

/// The expression whose classes have the characters with their characters as lower case, in addition to their own. `İ` becomes two
/// characters: it stands for the first, and the second, a dot above, may be missing.
fn lower_of_hir(hir: &Hir) -> Option<Hir> {
    let widened = |class: &ClassUnicode| {
        let mut wide = class.clone();
        for (from, to) in &*LOWER {
            let mut to = to.chars();
            if let (Some(to), None) = (to.next(), to.next())
                && class.iter().any(|range| range.start() <= to && to <= range.end())
            {
                wide.push(ClassUnicodeRange::new(*from, *from));
            }
        }
        let has = |c: char| class.iter().any(|range| range.start() <= c && c <= range.end());
        if has('i') {
            wide.push(ClassUnicodeRange::new('İ', 'İ'));
        }
        let one = Hir::class(Class::Unicode(wide));
        if !has('\u{307}') {
            return one;
        }
        Hir::repetition(Repetition { min: 0, max: Some(1), greedy: true, sub: Box::new(one) })
    };
    let all = |parts: &[Hir]| parts.iter().map(lower_of_hir).collect::<Option<Vec<Hir>>>();
    Some(match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => hir.clone(),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            let chars = text.chars().map(|c| widened(&ClassUnicode::new([ClassUnicodeRange::new(c, c)])));
            Hir::concat(chars.collect())
        }
        HirKind::Class(Class::Unicode(class)) => widened(class),
        HirKind::Class(Class::Bytes(_)) => return None,
        HirKind::Repetition(repetition) => {
            let mut repetition = repetition.clone();
            repetition.sub = Box::new(lower_of_hir(&repetition.sub)?);
            Hir::repetition(repetition)
        }
        HirKind::Capture(capture) => lower_of_hir(&capture.sub)?,
        HirKind::Concat(parts) => Hir::concat(all(parts)?),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)?),
    })
}
