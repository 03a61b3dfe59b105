//! Characters and strings, with Rust's escapes.

use super::{Mistake, Parser};
use crate::logic::value::Value;

impl Parser<'_> {
    pub(super) fn char(&mut self) -> Result<char, Mistake> {
        self.quote('\'', "a character")?;
        let c = match self.peek() {
            None | Some('\'') => return self.fail("expected a character"),
            Some(_) => self.escaped()?,
        };
        match self.next() {
            Some('\'') => Ok(c),
            _ => self.fail("the character should end here, with `'`"),
        }
    }

    pub(super) fn str(&mut self) -> Result<Value, Mistake> {
        self.quote('"', "a string")?;
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return self.fail("the string has no end"),
                Some('"') => break,
                Some(_) => text.push(self.escaped()?),
            }
        }
        self.next();
        Ok(Value::str(&text))
    }

    /// An opening quote, right where the text stands.
    fn quote(&mut self, quote: char, what: &str) -> Result<(), Mistake> {
        if self.peek() != Some(quote) {
            return self.fail(format!("expected {what}, in `{quote}`"));
        }
        self.next();
        Ok(())
    }

    /// One character, or the escape of one.
    fn escaped(&mut self) -> Result<char, Mistake> {
        let start = self.at;
        let c = match (self.next(), self.peek()) {
            (Some('\\'), Some(c)) => {
                self.next();
                match c {
                    'n' => Some('\n'),
                    'r' => Some('\r'),
                    't' => Some('\t'),
                    '0' => Some('\0'),
                    '\\' | '\'' | '"' => Some(c),
                    'x' => self.hex(2).filter(|code| *code < 0x80).and_then(char::from_u32),
                    'u' => self.unicode(),
                    _ => None,
                }
            }
            (Some('\\'), None) => None,
            (c, _) => c,
        };
        c.ok_or_else(|| Mistake { at: start, message: "there is no such escape".to_owned() })
    }

    fn unicode(&mut self) -> Option<char> {
        let opened = self.next() == Some('{');
        let code = self.hex(6).and_then(char::from_u32);
        let closed = self.next() == Some('}');
        code.filter(|_| opened && closed)
    }

    /// The number of up to so many hexadecimal digits.
    fn hex(&mut self, most: usize) -> Option<u32> {
        let mut code = None;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else { break };
            code = Some(code.unwrap_or(0) * 16 + digit);
            self.next();
        }
        code
    }
}
