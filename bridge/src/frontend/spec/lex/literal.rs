//! Numbers, characters, bytes and strings, by Rust's rules.

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{FloatKind, IntKind};

use super::{Lexer, TokenKind, is_ident_continue, is_ident_start};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::spec::ast::Offsets;

/// Maximum number of digits of an integer.
const MOST_DIGITS: usize = 1000;

impl Lexer<'_> {
    /// A literal that starts with `first`, if there is one.
    pub(super) fn literal(&mut self, first: char) -> Result<Option<TokenKind>, Diagnostic> {
        let rest = self.rest();
        let start = self.at;
        if first.is_ascii_digit() {
            return self.number().map(Some);
        }
        // Each quote prefix, and whether it allows escapes.
        let hashed = |prefix: &str| {
            let hashes = rest.strip_prefix(prefix).map(|rest| rest.trim_start_matches('#'));
            hashes.is_some_and(|rest| rest.starts_with('"'))
        };
        let prefix = match first {
            '"' => 0,
            '\'' => return self.quote().map(Some),
            'b' if rest.starts_with("b'") => return self.byte().map(Some),
            'b' | 'c' if rest[1..].starts_with('"') => 1,
            'r' if hashed("r") => {
                return self.raw(1, start).map(|(text, offsets)| Some(TokenKind::Str(text, offsets)));
            }
            'b' if hashed("br") => {
                return self.raw(2, start).map(|(text, _)| Some(TokenKind::ByteStr(text.into_bytes())));
            }
            'c' if hashed("cr") => return self.raw(2, start).map(|_| Some(TokenKind::CStr)),
            _ => return Ok(None),
        };
        self.at += prefix + 1;
        let (bytes, offsets) = self.string(start, first == 'b')?;
        Ok(Some(match first {
            'b' => TokenKind::ByteStr(bytes),
            'c' => TokenKind::CStr,
            _ => TokenKind::Str(String::from_utf8_lossy(&bytes).into_owned(), offsets),
        }))
    }

    fn number(&mut self) -> Result<TokenKind, Diagnostic> {
        let start = self.at;
        if self.behind_dot() {
            let digits = self.take_while(|c| c.is_ascii_digit());
            let index = Int::parse(digits, 10).ok_or_else(|| self.error(start, "this index is too large"))?;
            return Ok(TokenKind::Int(index, None));
        }
        let radix = match self.rest().get(..2) {
            Some("0x") => 16,
            Some("0o") => 8,
            Some("0b") => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 2;
        }
        let digits = self.take_while(|c| c == '_' || c.is_digit(radix.max(10)));
        if radix == 10 && self.fraction() {
            return self.float(start);
        }
        if let Some(digit) = digits.chars().find(|digit| *digit != '_' && !digit.is_digit(radix)) {
            return Err(self.error(start, format!("`{digit}` is not a digit of base {radix}")));
        }
        let digits = digits.replace('_', "");
        let suffix = self.take_while(is_ident_continue);
        if radix == 10 && ["f32", "f64"].contains(&suffix) {
            return self.float_value(start, &digits, suffix);
        }
        if digits.is_empty() || digits.len() > MOST_DIGITS {
            let message =
                if digits.is_empty() { "this number has no digits" } else { "this number is too long" };
            return Err(self.error(start, message));
        }
        let value =
            Int::parse(&digits, radix).ok_or_else(|| self.error(start, "this number is too large"))?;
        match suffix {
            "" => Ok(TokenKind::Int(value, None)),
            _ if IntKind::from_name(suffix).is_some() => Ok(TokenKind::Int(value, Some(suffix.to_owned()))),
            _ => Err(self.error(start, format!("`{suffix}` is not the suffix of a number"))),
        }
    }

    /// Takes the fraction and the exponent after the digits; false if there is neither.
    fn fraction(&mut self) -> bool {
        let start = self.at;
        if let Some(behind) = self.rest().strip_prefix('.') {
            if behind.starts_with(|c: char| c == '.' || is_ident_start(c)) {
                return false;
            }
            self.at += 1;
            self.take_while(|c| c == '_' || c.is_ascii_digit());
        }
        if let Some(exponent) = self.rest().strip_prefix(['e', 'E']) {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.trim_start_matches('_').starts_with(|c: char| c.is_ascii_digit()) {
                self.at += 1 + exponent.len() - digits.len();
                self.take_while(|c| c == '_' || c.is_ascii_digit());
            }
        }
        self.at > start
    }

    fn float(&mut self, start: usize) -> Result<TokenKind, Diagnostic> {
        let number = self.text.text[start..self.at].replace('_', "");
        let suffix = self.take_while(is_ident_continue);
        if !["", "f32", "f64"].contains(&suffix) {
            return Err(self.error(start, format!("`{suffix}` is not the suffix of a float")));
        }
        self.float_value(start, &number, suffix)
    }

    fn float_value(&self, start: usize, number: &str, suffix: &str) -> Result<TokenKind, Diagnostic> {
        let kind = FloatKind::from_name(suffix);
        let value = match kind {
            Some(FloatKind::F32) => number.parse::<f32>().map(f64::from),
            _ => number.parse::<f64>(),
        };
        match value {
            Ok(value) if value.is_finite() => Ok(TokenKind::Float(value, kind)),
            _ => {
                let name = kind.map_or("f64", FloatKind::name);
                Err(self.error(start, format!("this number is out of the range of `{name}`")))
            }
        }
    }

    /// A character or a lifetime.
    fn quote(&mut self) -> Result<TokenKind, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let Some(content) = self.next_char() else {
            return Err(self.error(start, "this character is never closed"));
        };
        if content == '\'' {
            self.at += 1;
            return Err(self.error(start, "there is no character between the quotes"));
        }
        let closes = self.rest()[content.len_utf8()..].starts_with('\'');
        if content != '\\' && !closes {
            if is_ident_start(content) {
                self.take_while(is_ident_continue);
                if !self.rest().starts_with('\'') {
                    return Ok(TokenKind::Lifetime);
                }
                self.at += 1;
                let help = "write a string between double quotes";
                return Err(self.error(start, "this is more than one character").help(help));
            }
            self.at += content.len_utf8();
            let mistake = self.error(start, "this character is never closed");
            let is_string = self.rest().lines().next().is_some_and(|line| line.contains('\''));
            return Err(if is_string {
                mistake.help("write a string between double quotes")
            } else {
                mistake
            });
        }
        let value = match content {
            '\\' => self.escape()?.unwrap_or('\0'),
            content => {
                self.at += content.len_utf8();
                content
            }
        };
        self.close_quote(start)?;
        Ok(TokenKind::Char(value))
    }

    fn byte(&mut self) -> Result<TokenKind, Diagnostic> {
        let start = self.at;
        self.at += 2;
        let value = match self.next_char() {
            Some('\\') => self.escape()?.unwrap_or('\0'),
            Some(content) => {
                self.at += content.len_utf8();
                if !content.is_ascii() || content == '\'' {
                    return Err(self.error(start, "a byte must be one ASCII character"));
                }
                content
            }
            None => return Err(self.error(start, "this byte is never closed")),
        };
        self.close_quote(start)?;
        let value = u8::try_from(value).map_err(|_| self.error(start, "this is no byte"))?;
        Ok(TokenKind::Byte(value))
    }

    fn close_quote(&mut self, start: usize) -> Result<(), Diagnostic> {
        if self.rest().starts_with('\'') {
            self.at += 1;
            return Ok(());
        }
        Err(self.error(start, "this character is never closed"))
    }

    /// The bytes of a string after its opening quote, and their sources.
    fn string(&mut self, start: usize, bytes: bool) -> Result<(Vec<u8>, Offsets), Diagnostic> {
        let mut content = Vec::new();
        let mut offsets = Vec::new();
        let mut buffer = [0; 4];
        loop {
            let from = self.at;
            let value = match self.next_char() {
                Some('"') => {
                    offsets.push(self.text.offsets[from]);
                    self.at += 1;
                    return Ok((content, Offsets(offsets.into())));
                }
                Some('\\') => match self.escape()? {
                    Some(value) if bytes && (value as u32) < 256 => {
                        content.push(value as u8);
                        continue;
                    }
                    Some(value) => value,
                    None => continue,
                },
                Some(value) => {
                    self.at += value.len_utf8();
                    value
                }
                None => {
                    self.at = start + 1;
                    let mistake = self.error(start, "this string is never closed").label("opened here");
                    // A quote inside a string ends it too early.
                    let is_odd = self.text.text[..start].contains('"');
                    let help = "a string that contains a quote is written r#\"..\"#, or the quote as \\\"";
                    return Err(if is_odd { mistake.help(help) } else { mistake });
                }
            };
            content.extend_from_slice(value.encode_utf8(&mut buffer).as_bytes());
            // The bytes of unescaped characters have their own offsets.
            let step = usize::from(self.at - from == value.len_utf8());
            offsets.extend((0..value.len_utf8()).map(|byte| self.text.offsets[from + byte * step]));
        }
    }

    /// A raw string with a prefix of `prefix` bytes that ends in `r`, and the sources of its bytes.
    fn raw(&mut self, prefix: usize, start: usize) -> Result<(String, Offsets), Diagnostic> {
        self.at += prefix;
        let hashes = self.take_while(|c| c == '#');
        let close = format!("\"{hashes}");
        self.at += 1;
        let Some(length) = self.rest().find(&close) else {
            self.at = start + 1;
            let help = format!("close it with `{close}`");
            return Err(self.error(start, "this string is never closed").label("opened here").help(help));
        };
        let content = self.rest()[..length].to_owned();
        let offsets = Offsets(self.text.offsets[self.at..=self.at + length].into());
        self.at += length + close.len();
        let goes_on = self.next_char().is_some_and(|c| {
            is_ident_continue(c) || "\"\\".contains(c) || content.is_empty() && "[(^".contains(c)
        });
        if hashes.is_empty() && goes_on {
            let help = "a string that contains a quote is written r#\"..\"#";
            return Err(self.error(start, "this string ends at its second quote").help(help));
        }
        Ok((content, offsets))
    }

    /// The character after a backslash; `None` for a continued line.
    fn escape(&mut self) -> Result<Option<char>, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let Some(kind) = self.next_char() else { return Err(self.error(start, "this escape is cut off")) };
        self.at += kind.len_utf8();
        let simple = match kind {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            '\\' | '\'' | '"' => kind,
            '\n' => {
                self.take_while(|c| c.is_ascii_whitespace());
                return Ok(None);
            }
            'x' => {
                let code = self.rest().get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
                self.at += if code.is_some() { 2 } else { 0 };
                return code
                    .map(|code| Some(char::from(code)))
                    .ok_or_else(|| self.error(start, "`\\x` wants two hexadecimal digits"));
            }
            'u' => return self.unicode_escape(start).map(Some),
            _ => {
                let help =
                    "a backslash itself is written `\\\\`; a TOML literal string ('..') keeps it as it is";
                let message = format!("`\\{}` is not an escape", kind.escape_debug());
                return Err(self.error(start, message).help(help));
            }
        };
        Ok(Some(simple))
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Diagnostic> {
        let braced = self.rest().strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let digits = braced.map(|(digits, _)| digits).filter(|digits| digits.len() <= 8);
        let code = digits.and_then(|digits| u32::from_str_radix(&digits.replace('_', ""), 16).ok());
        match (digits, code.and_then(char::from_u32)) {
            (Some(digits), Some(value)) => {
                self.at += digits.len() + 2;
                Ok(value)
            }
            _ => Err(self.error(start, "`\\u` wants the code of a character in braces, such as `\\u{e9}`")),
        }
    }
}
