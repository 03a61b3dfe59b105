//! Searching in strings, and strings built from characters, by Rust's own operations.

use super::env::{Env, Halt};
use crate::logic::ir::{RegexId, StrTest, Term};
use crate::logic::value::Value;

/// Number of bytes searched in one step.
const BYTES: usize = 16;

impl<'a> Env<'a> {
    /// Whether one string is at the start, at the end, or anywhere in another.
    pub(super) fn str_test(&mut self, test: StrTest, text: &'a Term, part: &'a Term) -> Result<bool, Halt> {
        let (text, part) = (self.datum(text)?, self.datum(part)?);
        let (text, part) = (text.text()?, part.text()?);
        Ok(match test {
            StrTest::StartsWith => {
                self.charge(part.len() / BYTES)?;
                text.starts_with(part)
            }
            StrTest::EndsWith => {
                self.charge(part.len() / BYTES)?;
                text.ends_with(part)
            }
            StrTest::Contains => {
                self.charge((text.len() + part.len()) / BYTES)?;
                text.contains(part)
            }
        })
    }

    /// Whether an automaton, in a state, accepts all of a string.
    pub(super) fn matches(&mut self, regex: RegexId, state: u32, text: &'a Term) -> Result<bool, Halt> {
        let regex = self.regexes.get(regex.0 as usize).ok_or(Halt::Unbound)?;
        let text = self.datum(text)?;
        let text = text.text()?;
        self.charge(text.len())?;
        if state >= regex.n_states() {
            return Err(Halt::IllTyped);
        }
        Ok(regex.accepts(state, text))
    }

    /// The byte offset of the first occurrence of one string in another.
    pub(super) fn str_find(&mut self, text: &'a Term, part: &'a Term) -> Result<Option<Value>, Halt> {
        let (text, part) = (self.datum(text)?, self.datum(part)?);
        let (text, part) = (text.text()?, part.text()?);
        self.charge((text.len() + part.len()) / BYTES)?;
        Ok(text.find(part).map(|offset| Value::int(offset as u64)))
    }

    /// The string of a sequence of characters.
    pub(super) fn text_of(&mut self, chars: &'a Term) -> Result<Value, Halt> {
        let mut text = String::new();
        self.each(chars, &mut |env, c| {
            let Value::Char(c) = c.value()? else { return Err(Halt::IllTyped) };
            env.charge(1)?;
            text.push(*c);
            Ok(true)
        })?;
        Ok(Value::str(&text))
    }
}
