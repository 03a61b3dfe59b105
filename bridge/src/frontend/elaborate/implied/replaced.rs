//! Regular expressions, as text, of the strings that become strings of a language when each match of a pattern is replaced, or the words
//! are joined: `s.replace("-", "") == "12"` holds exactly for `-*1-*2-*`.

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Repetition};

use super::class;
use super::exact::Expression;
use super::hir::read;
use super::regex_text::{NEVER, Separator, escaped};
use super::wanted::Text;

/// A replacement in a string.
pub(super) struct Change<'t> {
    /// An expression of what is replaced.
    from: String,
    /// The characters that don't stay.
    gone: ClassUnicode,
    to: &'t str,
    /// Whether nothing else is replaced.
    is_exact: bool,
}

impl<'t> Change<'t> {
    /// All matches of a pattern become a text.
    pub(super) fn of(separator: &Separator, to: &'t str) -> Change<'t> {
        let gone = if separator.is_one_char() { separator.chars.clone() } else { class::of([]) };
        let is_exact = separator.is_one_char() && separator.is_whole;
        Change { from: separator.item.clone(), gone, to, is_exact }
    }

    /// Characters vanish; of all others, some may be meant.
    pub(super) fn removal(removed: &ClassUnicode, kept: &ClassUnicode, is_exact: bool) -> Change<'static> {
        Change { from: class::item(removed), gone: class::others(kept), to: "", is_exact }
    }

    /// The strings that become one of a language; `None` if that isn't said as an expression.
    pub(super) fn before(&self, result: &Text) -> Option<Expression> {
        let Change { from, to, .. } = self;
        if let (Text::Exactly(text), Some(_)) = (result, to.chars().nth(1)) {
            return Some((self.before_text(text)?, self.is_exact));
        }
        let one = |class: &ClassUnicode| {
            let kept = class::item(&class::without(class, &self.gone));
            match to.chars().next() {
                None => format!("(?:(?:{from})*{kept})"),
                Some(c) if class::has(class, c) => format!("(?:{kept}|{from})"),
                Some(_) => kept,
            }
        };
        let rest = if to.is_empty() { format!("(?:{from})*") } else { String::new() };
        let is_short = to.chars().nth(1).is_none();
        Some((by_char(&read(result)?, &one).filter(|_| is_short)? + &rest, self.is_exact))
    }

    /// The strings that become one text, where the new parts are longer than a character.
    fn before_text(&self, text: &str) -> Option<String> {
        let kept = |part: &str| {
            let one = |c| class::item(&class::without(&class::of([c]), &self.gone));
            part.chars().map(one).collect::<String>()
        };
        let starts = text.char_indices().filter(|(at, _)| text[*at..].starts_with(self.to));
        let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
        // New parts that overlap can't all be there.
        if starts.windows(2).any(|pair| pair[1] < pair[0] + self.to.len()) {
            return None;
        }
        let new = format!("(?:{}|{})", kept(self.to), self.from);
        Some(text.split(self.to).map(kept).collect::<Vec<_>>().join(&new))
    }
}

/// The strings whose words are one of a language, joined with a text between them.
pub(super) fn joined_words(result: &Text, between: &str) -> Option<Expression> {
    let change = Change { from: r"(?:\s+)".to_owned(), gone: class::blanks(), to: between, is_exact: true };
    let (regex, _) = change.before(result)?;
    // There are no empty words.
    let is_exact = between.is_empty()
        || matches!(result, Text::Exactly(text)
            if text.is_empty() || text.split(between).all(|word| !word.is_empty()));
    Some((format!(r"\s*(?:{regex})\s*"), is_exact))
}

/// The strings whose pieces, from the last to the first, are one text, joined with what is between them.
pub(super) fn reversed(result: &Text, separator: &Separator, between: &str) -> Option<Expression> {
    let is_same = separator.is_one_char() && separator.pattern.as_deref() == Some(between);
    match result {
        Text::Exactly(text) if is_same => {
            let pieces: Vec<&str> = text.rsplit(between).collect();
            Some((escaped(&pieces.join(between)), true))
        }
        Text::Exactly(_) | Text::Matching(_) => None,
    }
}

/// The strings of which each character becomes one of an expression; `one` gives those that become one of a class.
pub(super) fn by_char(hir: &Hir, one: &impl Fn(&ClassUnicode) -> String) -> Option<String> {
    let all = |parts: &[Hir]| parts.iter().map(|part| by_char(part, one)).collect::<Option<Vec<String>>>();
    Some(match hir.kind() {
        HirKind::Empty => String::new(),
        HirKind::Class(Class::Bytes(class)) if class.ranges().is_empty() => NEVER.to_owned(),
        HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => return None,
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            text.chars().map(|c| one(&class::of([c]))).collect()
        }
        HirKind::Class(Class::Unicode(class)) => one(class),
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            let most = max.map_or(String::new(), |max| max.to_string());
            format!("(?:{}){{{min},{most}}}", by_char(sub, one)?)
        }
        HirKind::Capture(capture) => by_char(&capture.sub, one)?,
        HirKind::Concat(parts) => all(parts)?.concat(),
        HirKind::Alternation(parts) => format!("(?:{})", all(parts)?.join("|")),
    })
}
