//! Rules of grammars as written, and their parser: `'"1" | "(" left:Sum "+" right:Sum ")"'`.
//!
//! Only the syntax is checked; names are looked up by [`crate::frontend::resolve`]. White space separates and means nothing
//! else.

use std::ops::Range;

use super::ast::{Ident, Offsets};
use super::lex::{LONGEST, string_at};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::manifest::SpannedText;

/// Maximum nesting of groups.
const MAX_NESTING: u32 = 64;

/// Maximum number of parts of a rule.
const MAX_PARTS: usize = 2_000;

/// One of the texts that a rule derives: its parts in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The parts; none for an empty group.
    pub parts: Vec<Part>,
    /// All of it.
    pub span: Span,
}

/// A part of an alternative: `left:Sum`, `","?`, `("," Item)*`.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name in conditions, if it has one.
    pub name: Option<Ident>,
    /// What is repeated, if it is.
    pub atom: Atom,
    /// How often it occurs.
    pub repeat: Repeat,
    /// All of it.
    pub span: Span,
}

/// What a part derives, once.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom {
    /// `"text"`
    Quoted(String),
    /// `/regex/`, with the source of its bytes.
    Regex(String, Offsets),
    /// A rule, or an alias of strings.
    Named(Ident),
    /// `( .. | .. )`
    Group(Vec<Alternative>),
}

/// How often a part occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Once.
    Once,
    /// `?`
    Optional,
    /// `*`
    Any,
    /// `+`
    Some,
}

/// The alternatives of a rule.
pub fn alternatives(text: &SpannedText) -> Result<Vec<Alternative>, Diagnostic> {
    if text.text.len() > LONGEST {
        let help = format!("at most {} KiB are allowed; make several rules of it", LONGEST >> 10);
        return Err(Diagnostic::error(text.span(0, 1), "this rule is too long").help(help));
    }
    let mut parser = Parser { text, at: 0, n_parts: 0 };
    let alternatives = parser.alternatives(0)?;
    match parser.peek() {
        None => Ok(alternatives),
        Some(')') => Err(parser.here("this `)` closes nothing")),
        Some(_) => Err(parser.unexpected()),
    }
}

struct Parser<'t> {
    text: &'t SpannedText,
    at: usize,
    n_parts: usize,
}

impl Parser<'_> {
    fn alternatives(&mut self, level: u32) -> Result<Vec<Alternative>, Diagnostic> {
        let mut all = vec![self.alternative(level)?];
        while self.eat('|') {
            all.push(self.alternative(level)?);
        }
        Ok(all)
    }

    fn alternative(&mut self, level: u32) -> Result<Alternative, Diagnostic> {
        self.skip_space();
        let start = self.at;
        let mut parts: Vec<Part> = Vec::new();
        let mut end = start;
        while !matches!(self.peek(), None | Some('|' | ')')) {
            parts.push(self.part(level)?);
            end = self.at;
        }
        if parts.is_empty() {
            let found = if self.peek().is_none() { "the rule ends here" } else { "here is nothing" };
            let mistake = self.here(format!("{found}, where an alternative should be"));
            return Err(mistake.help("the empty text is `\"\"`"));
        }
        Ok(Alternative { parts, span: self.text.span(start, end) })
    }

    fn part(&mut self, level: u32) -> Result<Part, Diagnostic> {
        self.skip_space();
        let start = self.at;
        self.n_parts += 1;
        if self.n_parts > MAX_PARTS {
            let mistake = self.here(format!("a rule may have {MAX_PARTS} parts"));
            return Err(mistake.help("make several rules of it"));
        }
        let mut name = None;
        let mut atom = None;
        if let Some(ident) = self.ident() {
            if self.eat(':') {
                if ident.name.starts_with("r#") || ident.name == "_" {
                    return Err(Diagnostic::error(ident.span, "a part needs a plain name, or none"));
                }
                name = Some(ident);
                self.skip_space();
            } else {
                atom = Some(Atom::Named(ident));
            }
        }
        let atom = match atom {
            Some(atom) => atom,
            None => self.atom(level)?,
        };
        let end = self.at;
        let repeat = self.repeat();
        let end = if repeat == Repeat::Once { end } else { self.at };
        if repeat != Repeat::Once && matches!(self.peek(), Some('?' | '*' | '+')) {
            let mistake = self.here("a part is repeated once only");
            return Err(mistake.help("put the part in parentheses: `(x+)?`"));
        }
        Ok(Part { name, atom, repeat, span: self.text.span(start, end) })
    }

    fn repeat(&mut self) -> Repeat {
        let known = [('?', Repeat::Optional), ('*', Repeat::Any), ('+', Repeat::Some)];
        known.into_iter().find(|(sign, _)| self.eat(*sign)).map_or(Repeat::Once, |(_, repeat)| repeat)
    }

    fn atom(&mut self, level: u32) -> Result<Atom, Diagnostic> {
        match self.peek() {
            Some('"') => {
                let (content, end) = string_at(self.text, self.at)?;
                self.at = end;
                Ok(Atom::Quoted(content))
            }
            Some('/') => self.regex(),
            Some('(') if level >= MAX_NESTING => {
                Err(self.here(format!("these groups nest more than {MAX_NESTING} deep")))
            }
            Some('(') => {
                let open = self.at;
                self.at += 1;
                let alternatives = self.alternatives(level + 1)?;
                if !self.eat(')') {
                    let span = self.text.span(open, open + 1);
                    return Err(Diagnostic::error(span, "this `(` is never closed"));
                }
                Ok(Atom::Group(alternatives))
            }
            _ => match self.ident() {
                Some(ident) if self.peek() == Some(':') => {
                    let span = self.text.span(self.at, self.at + 1);
                    let mistake = Diagnostic::error(span, format!("`{}` is already a name", ident.name));
                    Err(mistake.help("a part has one name"))
                }
                Some(ident) => Ok(Atom::Named(ident)),
                None => Err(self.unexpected()),
            },
        }
    }

    /// `/regex/`; `\/` is a slash.
    fn regex(&mut self) -> Result<Atom, Diagnostic> {
        let open = self.at;
        let rest = &self.text.text[open + 1..];
        let mut is_escaped = false;
        let close = rest.find(|c| {
            let is_end = c == '/' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        });
        let Some(length) = close else {
            let mistake = Diagnostic::error(self.text.span(open, open + 1), "this `/` is never closed");
            return Err(mistake.help("write a regular expression between slashes: `/[a-z]+/`"));
        };
        let Range { start, end } = open + 1..open + 1 + length;
        if length == 0 {
            let span = self.text.span(open, end + 1);
            let mistake = Diagnostic::error(span, "this regular expression is empty");
            return Err(mistake.help("the empty text is `\"\"`"));
        }
        self.at = end + 1;
        let offsets = self.text.offsets.get(start..=end).unwrap_or_default();
        Ok(Atom::Regex(rest[..length].to_owned(), Offsets(offsets.into())))
    }

    fn ident(&mut self) -> Option<Ident> {
        self.skip_space();
        let rest = &self.text.text[self.at..];
        let first = rest.chars().next()?;
        if !first.is_alphabetic() && first != '_' {
            return None;
        }
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let span = self.text.span(self.at, self.at + length);
        self.at += length;
        Some(Ident { name: rest[..length].to_owned(), span })
    }

    fn unexpected(&mut self) -> Diagnostic {
        let expected = "expected a quoted text, a `/regex/`, a rule, or a group in parentheses";
        let Some(found) = self.peek() else {
            return self.here("the rule ends here").help(expected);
        };
        let shown = if found == '\'' { "'".to_owned() } else { found.escape_debug().to_string() };
        let mistake = self.here(format!("`{shown}` has no meaning here"));
        match found {
            '\'' => mistake.help("write texts in double quotes: `\"a\"`"),
            '[' => mistake.help("a class of characters is a regular expression: `/[a-z]/`"),
            '?' | '*' | '+' => mistake.help(format!("`{found}` comes after the part that it repeats")),
            '{' => {
                mistake.help("only `?`, `*` and `+` repeat a part; a regular expression may say `/a{2,4}/`")
            }
            _ => mistake.help(expected),
        }
    }

    /// A mistake at the next character.
    fn here(&mut self, message: impl Into<String>) -> Diagnostic {
        let length = self.peek().map_or(0, char::len_utf8);
        // At the end, the last character is shown.
        let before = self.text.text[..self.at].chars().next_back().map_or(0, char::len_utf8);
        let start = if length == 0 { self.at - before } else { self.at };
        Diagnostic::error(self.text.span(start, self.at + length), message)
    }

    fn eat(&mut self, sign: char) -> bool {
        let is_there = self.peek() == Some(sign);
        self.at += if is_there { sign.len_utf8() } else { 0 };
        is_there
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.text.text[self.at..].chars().next()
    }

    fn skip_space(&mut self) {
        let rest = &self.text.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frontend::diagnostic::FileId;

    fn parsed(text: &str) -> Result<Vec<Alternative>, Diagnostic> {
        alternatives(&SpannedText::verbatim(text, FileId(0), 0))
    }

    /// The rule, written without what is optional.
    fn shown(alternatives: &[Alternative]) -> String {
        let part = |part: &Part| {
            let name = part.name.as_ref().map_or(String::new(), |name| format!("{}:", name.name));
            let atom = match &part.atom {
                Atom::Quoted(text) => format!("{text:?}"),
                Atom::Regex(text, _) => format!("/{text}/"),
                Atom::Named(name) => name.name.clone(),
                Atom::Group(group) => format!("({})", shown(group)),
            };
            let repeat = match part.repeat {
                Repeat::Once => "",
                Repeat::Optional => "?",
                Repeat::Any => "*",
                Repeat::Some => "+",
            };
            format!("{name}{atom}{repeat}")
        };
        let alternative = |of: &Alternative| of.parts.iter().map(part).collect::<Vec<_>>().join(" ");
        alternatives.iter().map(alternative).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn rules_are_parsed() {
        for (text, expected) in [
            (r#""1" | "2" | "(" left:Sum "+" right:Sum ")""#, r#""1"|"2"|"(" left:Sum "+" right:Sum ")""#),
            (r#"item ("," item)*"#, r#"item ("," item)*"#),
            ("a:/[^\"\\/]+/?\n | b : ( c+ | d )", "a:/[^\"\\/]+/?|b:(c+|d)"),
            (r#""\n\"é" r"#, r#""\n\"é" r"#),
        ] {
            assert_eq!(parsed(text).map(|found| shown(&found)), Ok(expected.to_owned()));
        }
    }

    #[test]
    fn mistakes_have_their_place() {
        for (text, at, message) in [
            ("", 0, "the rule ends here, where an alternative should be"),
            ("a |", 2, "the rule ends here, where an alternative should be"),
            ("a | | b", 4, "here is nothing, where an alternative should be"),
            ("a ()", 3, "here is nothing, where an alternative should be"),
            ("(a", 0, "this `(` is never closed"),
            ("a)", 1, "this `)` closes nothing"),
            ("/a", 0, "this `/` is never closed"),
            ("a?*", 2, "a part is repeated once only"),
            ("* a", 0, "`*` has no meaning here"),
            ("'a'", 0, "`'` has no meaning here"),
            ("a: b: c", 4, "`b` is already a name"),
            ("//", 0, "this regular expression is empty"),
        ] {
            let mistake = parsed(text).expect_err(text);
            assert_eq!((mistake.span.start, mistake.message.as_str()), (at, message), "{text}");
        }
        assert!(parsed(&"(".repeat(5_000)).is_err());
        assert!(parsed(&"a ".repeat(5_000)).is_err());
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "[a-c:|()?*+/\"'\\\\ é]{0,24}") {
            if let Ok(found) = parsed(&text) {
                let again = parsed(&shown(&found)).map(|again| shown(&again));
                prop_assert_eq!(again, Ok(shown(&found)));
            }
        }
    }
}
