//! Splits spec text into tokens: those of Rust, and `==>`.
//!
//! Operators are as long as possible; the parser splits `>>` and `||` if it needs a part. Everything that may occur in
//! a Rust expression is a token, since a `where` passes it to rustc. Anything else is a diagnostic.

mod literal;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::FloatKind;

use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::manifest::SpannedText;
use crate::frontend::spec::ast::Offsets;

/// Maximum length of a spec, in bytes: longer specs aren't handwritten.
pub(super) const LONGEST: usize = 64 << 10;

/// A token and its range of bytes in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// The kinds of tokens.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A name or a keyword; `r#type` keeps its `r#`.
    Ident(String),
    /// `'a`, without the quote.
    Lifetime,
    /// `42u8`
    Int(Int, Option<String>),
    /// `1.5`
    Float(f64, Option<FloatKind>),
    /// `'a'`
    Char(char),
    /// `b'a'`
    Byte(u8),
    /// `"text"`, and the source of its bytes
    Str(String, Offsets),
    /// `b"bytes"`
    ByteStr(Vec<u8>),
    /// `c"text"`, which only a `where` may contain.
    CStr,
    /// An operator, a bracket or another sign.
    Punct(&'static str),
    /// The end, after the last token.
    End,
}

/// Signs of more than one character, longer signs first. Some aren't Rust; they are here to be explained.
const LONG_SIGNS: [&str; 31] = [
    "<=>", "==>", "===", "!==", "..=", "...", "<<=", ">>=", "->", "=>", "::", "..", "&&", "||", "==", "!=",
    "<=", ">=", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ":=", "**", "/\\",
];

const SIGNS: [&str; 28] = [
    "+", "-", "*", "/", "%", "^", "!", "&", "|", "=", "<", ">", "@", ".", ",", ";", ":", "#", "$", "?", "~",
    "(", ")", "[", "]", "{", "}", "\\",
];

/// Characters that are easily typed or pasted instead of a Rust operator.
const LOOKALIKES: [(&str, &str); 16] = [
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("∧", "&&"),
    ("∨", "||"),
    ("¬", "!"),
    ("⇒", "==>"),
    ("→", "->"),
    ("−", "-"),
    ("–", "-"),
    ("×", "*"),
    ("÷", "/"),
    ("“", "\""),
    ("”", "\""),
    ("‘", "'"),
    ("’", "'"),
];

/// The tokens of a text; the last is [`TokenKind::End`].
pub(super) fn lex(text: &SpannedText) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new() };
    if text.text.len() > LONGEST {
        let help = format!("at most {} KiB are allowed; give parts of it a name in `types`", LONGEST >> 10);
        return Err(Diagnostic::error(text.span(0, 1), "this text is too long").help(help));
    }
    loop {
        lexer.skip_space()?;
        let start = lexer.at;
        let kind = lexer.token().map_err(|mistake| lexer.after_string(start, mistake))?;
        let end = kind == TokenKind::End;
        lexer.tokens.push(Token { kind, start, end: lexer.at });
        if end {
            return Ok(lexer.tokens);
        }
    }
}

/// The string literal at a byte of a text, and the byte after it.
pub(super) fn string_at(text: &SpannedText, at: usize) -> Result<(String, usize), Diagnostic> {
    let mut lexer = Lexer { text, at, tokens: Vec::new() };
    match lexer.literal('"')? {
        Some(TokenKind::Str(content, _)) => Ok((content, lexer.at)),
        _ => Err(Diagnostic::error(text.span(at, at + 1), "expected a text in double quotes")),
    }
}

/// The state of splitting a text into tokens.
struct Lexer<'t> {
    text: &'t SpannedText,
    at: usize,
    tokens: Vec<Token>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text.text[self.at..]
    }

    fn next_char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes characters while `fits` holds.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !fits(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// An error for the bytes from `start` to the current position.
    fn error(&self, start: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.text.span(start, self.at), message)
    }

    /// Takes white space and comments.
    fn skip_space(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest().starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                self.block_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    fn block_comment(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let mut open = 0usize;
        loop {
            if self.rest().starts_with("/*") {
                open += 1;
                self.at += 2;
            } else if self.rest().starts_with("*/") {
                open -= 1;
                self.at += 2;
            } else if let Some(c) = self.next_char() {
                self.at += c.len_utf8();
            } else {
                self.at = start + 2;
                return Err(self.error(start, "this comment is never closed").help("close it with `*/`"));
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<TokenKind, Diagnostic> {
        let Some(first) = self.next_char() else { return Ok(TokenKind::End) };
        if let Some(literal) = self.literal(first)? {
            return Ok(literal);
        }
        if is_ident_start(first) {
            let start = self.at;
            if self.rest().starts_with("r#") {
                self.at += 2;
            }
            self.take_while(is_ident_continue);
            return Ok(TokenKind::Ident(self.text.text[start..self.at].to_owned()));
        }
        let sign = LONG_SIGNS.iter().chain(&SIGNS).find(|sign| self.rest().starts_with(**sign));
        if let Some(sign) = sign {
            self.at += sign.len();
            return Ok(TokenKind::Punct(sign));
        }
        let start = self.at;
        self.at += first.len_utf8();
        let diagnostic = self.error(start, format!("`{}` has no meaning here", first.escape_debug()));
        let meant = LOOKALIKES.iter().find(|(lookalike, _)| lookalike.starts_with(first));
        Err(match meant {
            Some((_, meant)) => diagnostic.help(format!("write `{meant}`")),
            None => diagnostic,
        })
    }

    /// A mistake right after a string, with a hint: a quote in the string may have ended it too early.
    fn after_string(&self, start: usize, mistake: Diagnostic) -> Diagnostic {
        let is_string = |kind: &TokenKind| matches!(kind, TokenKind::Str(..) | TokenKind::ByteStr(_));
        let follows = self.tokens.last().is_some_and(|token| token.end == start && is_string(&token.kind));
        if !follows || mistake.help.is_some() {
            return mistake;
        }
        mistake.help(
            "the string before this ends at its second quote; one that contains a quote is written r#\"..\"#",
        )
    }

    /// Whether the previous token is `.`, so that digits are the name of a field.
    fn behind_dot(&self) -> bool {
        self.tokens.last().is_some_and(|token| token.kind == TokenKind::Punct("."))
    }
}

/// Whether a name may start with this character.
pub(super) fn is_ident_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn is_ident_continue(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frontend::diagnostic::FileId;

    fn kinds(text: &str) -> Result<Vec<TokenKind>, String> {
        let text = SpannedText::verbatim(text, FileId(0), 0);
        let tokens = lex(&text).map_err(|diagnostic| diagnostic.message)?;
        Ok(tokens.into_iter().map(|token| token.kind).filter(|kind| *kind != TokenKind::End).collect())
    }

    fn int(n: i64, suffix: Option<&str>) -> TokenKind {
        TokenKind::Int(Int::from(n), suffix.map(str::to_owned))
    }

    #[test]
    fn numbers_are_read_as_rust_reads_them() {
        assert_eq!(kinds("1_000u8"), Ok(vec![int(1000, Some("u8"))]));
        assert_eq!(
            kinds("0xFF 0o17 0b1_01 0xffu8"),
            Ok(vec![int(255, None), int(15, None), int(5, None), int(255, Some("u8"))])
        );
        assert_eq!(
            kinds("1.5 2. 1e3 1_0.5e-1_0"),
            Ok([1.5, 2.0, 1000.0, 10.5e-10].map(|x| TokenKind::Float(x, None)).to_vec())
        );
        let suffixed = |x, kind| Ok(vec![TokenKind::Float(x, Some(kind))]);
        assert_eq!(kinds("2f64"), suffixed(2.0, FloatKind::F64));
        // Rounded once: by way of `f64` it would be one bit less.
        assert_eq!(
            kinds("1.00000005960464477539062500001f32"),
            suffixed(1.0 + f64::from(f32::EPSILON), FloatKind::F32)
        );
        assert_eq!(kinds("1..2"), Ok(vec![int(1, None), TokenKind::Punct(".."), int(2, None)]));
        assert_eq!(kinds("t.0.1").map(|tokens| tokens.len()), Ok(5));
        assert_eq!(kinds("1.max").map(|tokens| tokens.len()), Ok(3));
        for wrong in ["0b12", "1foo", "0x", "1e999", "0o9", "1e39f32"] {
            assert!(kinds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn texts_are_unescaped() {
        let str = |text: &str, offsets: &[u32]| TokenKind::Str(text.to_owned(), Offsets(offsets.into()));
        assert_eq!(
            kinds(r#" "a\n\u{e9}\x41\"é" "#),
            Ok(vec![str("a\né\x41\"é", &[2, 3, 5, 5, 11, 15, 17, 18, 19])])
        );
        assert_eq!(
            kinds(r##"r#"a"\n"# r"b""##),
            Ok(vec![str("a\"\\n", &[3, 4, 5, 6, 7]), str("b", &[12, 13])])
        );
        assert_eq!(
            kinds(r#"b"a\xff" b'\n' '\'' 'é'"#),
            Ok(vec![
                TokenKind::ByteStr(vec![b'a', 255]),
                TokenKind::Byte(b'\n'),
                TokenKind::Char('\''),
                TokenKind::Char('é'),
            ])
        );
        assert_eq!(kinds("&'static str").map(|tokens| tokens[1].clone()), Ok(TokenKind::Lifetime));
        for wrong in ["\"a", "''", r#""\q""#, r#""\u{110000}""#, "r#\"a\"", "b'é'", "/* a", "'"] {
            assert!(kinds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn comments_and_raw_names_are_known() {
        assert_eq!(kinds("a /* b /* c */ */ r#type // d").map(|tokens| tokens.len()), Ok(2));
    }

    proptest! {
        #[test]
        fn tokens_and_gaps_make_up_the_text(text in "([a-z0-9_.'\"\\\\#é ≤]|r#|b'|==>|\\.\\.=|0x){0,30}") {
            let spanned = SpannedText::verbatim(text.clone(), FileId(0), 0);
            if let Ok(tokens) = lex(&spanned) {
                let mut before = 0;
                for token in tokens {
                    prop_assert!(before <= token.start && token.start <= token.end);
                    prop_assert!(text.get(token.start..token.end).is_some());
                    before = token.end;
                }
                prop_assert_eq!(before, text.len());
            }
        }
    }
}
