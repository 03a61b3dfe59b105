//! The operations on strings that need their whole text, by Rust's own functions.
//!
//! Where Rust searches for a pattern, the matches are found first, as ranges of bytes; the pieces are between them.

use std::ops::Range;
use std::sync::Arc;

use super::env::{Env, Halt};
use super::sequence::{ELEMENT, option};
use crate::logic::int::Int;
use crate::logic::ir::{IntKind, RegexId, Term, TextOp};
use crate::logic::value::Value;

/// Number of bytes that are read in one step.
const BYTES: usize = 8;

/// Where a pattern matches, in the order in which Rust finds the matches.
type Matches = Vec<Range<usize>>;

impl<'a> Env<'a> {
    /// The value of an operation.
    pub(super) fn text_op(&mut self, op: TextOp, operands: &'a [Term]) -> Result<Value, Halt> {
        let [first, more @ ..] = operands else { return Err(Halt::IllTyped) };
        if op == TextOp::Decimal {
            let number = self.integer(first)?;
            // Long numbers are converted digit by digit.
            self.charge_for_digits(&number, &number, true)?;
            return self.made(&number.to_string());
        }
        let first = self.datum(first)?;
        if op == TextOp::Join {
            return self.joined(first.elements()?, more);
        }
        if let (Value::Char(c), TextOp::AsciiLowercase | TextOp::AsciiUppercase) = (first.value()?, op) {
            let is_lower = op == TextOp::AsciiLowercase;
            return Ok(Value::Char(if is_lower { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }));
        }
        let text = first.text()?;
        self.charge(text.len() / BYTES)?;
        match op {
            TextOp::Lowercase => self.made(&text.to_lowercase()),
            TextOp::Uppercase => self.made(&text.to_uppercase()),
            TextOp::AsciiLowercase => self.made(&text.to_ascii_lowercase()),
            TextOp::AsciiUppercase => self.made(&text.to_ascii_uppercase()),
            TextOp::Parse(kind) => Ok(Value::Int(parsed(kind, text).unwrap_or(Int::ZERO))),
            TextOp::Captures(regex) => self.captures(regex, text),
            TextOp::Words => self.texts(text.split_whitespace()),
            TextOp::Lines => self.texts(text.lines()),
            TextOp::Trim => Ok(Value::str(text.trim())),
            TextOp::Display => Ok(Value::str(text)),
            TextOp::Slice | TextOp::IsBoundary => self.text_slice(op, text, more),
            TextOp::TrimStart | TextOp::TrimEnd => self.trimmed(op, text, more),
            #[rustfmt::skip]
            TextOp::Split | TextOp::SplitBack | TextOp::SplitAtMost | TextOp::SplitBackAtMost
            | TextOp::SplitTerminated | TextOp::SplitInclusive => self.text_pieces(op, text, more),
            TextOp::Before | TextOp::After | TextOp::BeforeLast | TextOp::AfterLast => {
                self.text_part(op, text, more)
            }
            TextOp::Join | TextOp::Decimal => Err(Halt::IllTyped),
        }
    }

    /// A new string; its length is charged.
    fn made(&mut self, text: &str) -> Result<Value, Halt> {
        self.charge(text.len() / BYTES)?;
        Ok(Value::str(text))
    }

    /// A new sequence of strings.
    fn texts<'t>(&mut self, parts: impl Iterator<Item = &'t str>) -> Result<Value, Halt> {
        let mut texts = Vec::new();
        for part in parts {
            self.charge(ELEMENT + part.len() / BYTES)?;
            texts.push(Value::str(part));
        }
        Ok(Value::seq(texts))
    }

    fn joined(&mut self, parts: &[Value], more: &'a [Term]) -> Result<Value, Halt> {
        let [separator] = more else { return Err(Halt::IllTyped) };
        let separator = self.datum(separator)?;
        let separator = separator.text()?;
        let mut joined = String::new();
        for (index, part) in parts.iter().enumerate() {
            let Value::Str(part) = part else { return Err(Halt::IllTyped) };
            self.charge(1 + (separator.len() + part.len()) / BYTES)?;
            if index > 0 {
                joined.push_str(separator);
            }
            joined.push_str(part);
        }
        Ok(Value::str(&joined))
    }

    /// `&text[a..b]`, `text.is_char_boundary(a)`
    fn text_slice(&mut self, op: TextOp, text: &str, bounds: &'a [Term]) -> Result<Value, Halt> {
        match (op, bounds) {
            (TextOp::IsBoundary, [at]) => {
                let at = self.integer(at)?.to_usize();
                Ok(Value::Bool(at.is_some_and(|at| text.is_char_boundary(at))))
            }
            (_, [low, high]) => {
                let (low, high) = (self.integer(low)?.to_usize(), self.integer(high)?.to_usize());
                let (low, high) = low.zip(high).ok_or(Halt::Undefined)?;
                text.get(low..high).map(Value::str).ok_or(Halt::Undefined)
            }
            _ => Err(Halt::IllTyped),
        }
    }

    fn trimmed(&mut self, op: TextOp, text: &str, more: &'a [Term]) -> Result<Value, Halt> {
        let at_start = op == TextOp::TrimStart;
        let Some(pattern) = more.first() else {
            return Ok(Value::str(if at_start { text.trim_start() } else { text.trim_end() }));
        };
        if let Some(part) = self.pattern_text(pattern)? {
            self.charge(part.len() / BYTES)?;
            let part: &str = &part;
            let rest = if at_start { text.trim_start_matches(part) } else { text.trim_end_matches(part) };
            return Ok(Value::str(rest));
        }
        let mut n_trimmed = 0;
        self.each(pattern, &mut |_, is_match| {
            let is_match = truth(is_match.value()?)?;
            n_trimmed += usize::from(is_match);
            Ok(is_match)
        })?;
        let mut chars = text.chars();
        for _ in 0..n_trimmed {
            if at_start {
                chars.next()
            } else {
                chars.next_back()
            };
        }
        Ok(Value::str(chars.as_str()))
    }

    fn text_pieces(&mut self, op: TextOp, text: &str, more: &'a [Term]) -> Result<Value, Halt> {
        let (pattern, most) = match more {
            [pattern] => (pattern, usize::MAX),
            [pattern, most] => {
                let most = self.integer(most)?;
                if most.is_negative() {
                    return Err(Halt::Undefined);
                }
                (pattern, most.to_usize().unwrap_or(usize::MAX))
            }
            _ => return Err(Halt::IllTyped),
        };
        if most == 0 {
            return Ok(Value::seq([]));
        }
        let matches = self.text_matches(op, text, pattern, most - 1)?;
        let mut pieces = Vec::with_capacity(matches.len() + 1);
        let (mut start, mut end) = (0, text.len());
        for found in matches {
            if op.is_backwards() {
                pieces.push(&text[found.end..end]);
                end = found.start;
            } else {
                let last = if op == TextOp::SplitInclusive { found.end } else { found.start };
                pieces.push(&text[start..last]);
                start = found.end;
            }
        }
        pieces.push(&text[start..end]);
        if let (TextOp::SplitTerminated | TextOp::SplitInclusive, Some(&"")) = (op, pieces.last()) {
            pieces.pop();
        }
        self.texts(pieces.into_iter())
    }

    /// The text before or after the first or the last match.
    fn text_part(&mut self, op: TextOp, text: &str, more: &'a [Term]) -> Result<Value, Halt> {
        let [pattern] = more else { return Err(Halt::IllTyped) };
        let is_before = matches!(op, TextOp::Before | TextOp::BeforeLast);
        let part = match self.text_matches(op, text, pattern, 1)?.first() {
            Some(found) if is_before => &text[..found.start],
            Some(found) => &text[found.end..],
            None if is_before => text,
            None => "",
        };
        self.made(part)
    }

    /// The first `most` matches of a pattern in the direction of an operation.
    fn text_matches(
        &mut self,
        op: TextOp,
        text: &str,
        pattern: &'a Term,
        most: usize,
    ) -> Result<Matches, Halt> {
        if let Some(part) = self.pattern_text(pattern)? {
            let part: &str = &part;
            self.charge(part.len() / BYTES)?;
            let range = |(start, found): (usize, &str)| start..start + found.len();
            return Ok(if op.is_backwards() {
                text.rmatch_indices(part).take(most).map(range).collect()
            } else {
                text.match_indices(part).take(most).map(range).collect()
            });
        }
        let mut matches = Vec::new();
        if most == 0 {
            return Ok(matches);
        }
        let mut chars = text.char_indices();
        self.each(pattern, &mut |_, is_match| {
            let next = if op.is_backwards() { chars.next_back() } else { chars.next() };
            if let (true, Some((start, c))) = (truth(is_match.value()?)?, next) {
                matches.push(start..start + c.len_utf8());
            }
            Ok(matches.len() < most)
        })?;
        Ok(matches)
    }

    /// A pattern that is a string; `None` if it is a mask, which is read lazily.
    fn pattern_text(&mut self, pattern: &'a Term) -> Result<Option<Arc<str>>, Halt> {
        if let Term::Map(..) = pattern {
            return Ok(None);
        }
        match self.datum(pattern)?.value() {
            Ok(Value::Str(text)) => Ok(Some(text.clone())),
            _ => Ok(None),
        }
    }

    /// The groups of a match, as a data value.
    fn captures(&mut self, regex: RegexId, text: &str) -> Result<Value, Halt> {
        let regex = self.regexes.get(regex.0 as usize).ok_or(Halt::Unbound)?;
        let program = regex.program.as_ref().ok_or(Halt::Unbound)?;
        // In the worst case, each character is read by each instruction with all groups.
        let work = (text.len() + 1).saturating_mul(program.code.len()).saturating_mul(program.n_groups());
        self.charge(work / 4)?;
        let groups = program.groups(text).unwrap_or_else(|| vec![None; program.n_groups()]);
        let fields: Vec<Value> = groups.into_iter().map(|group| option(group.map(Value::str))).collect();
        Ok(Value::Data(0, fields.into()))
    }
}

fn truth(value: &Value) -> Result<bool, Halt> {
    let Value::Bool(truth) = value else { return Err(Halt::IllTyped) };
    Ok(*truth)
}

/// `text.parse::<kind>().ok()`
fn parsed(kind: IntKind, text: &str) -> Option<Int> {
    match kind {
        IntKind::I8 => text.parse::<i8>().ok().map(Int::from),
        IntKind::I16 => text.parse::<i16>().ok().map(Int::from),
        IntKind::I32 => text.parse::<i32>().ok().map(Int::from),
        IntKind::I64 => text.parse::<i64>().ok().map(Int::from),
        IntKind::I128 => text.parse::<i128>().ok().map(Int::from),
        IntKind::Isize => text.parse::<isize>().ok().map(Int::from),
        IntKind::U8 => text.parse::<u8>().ok().map(Int::from),
        IntKind::U16 => text.parse::<u16>().ok().map(Int::from),
        IntKind::U32 => text.parse::<u32>().ok().map(Int::from),
        IntKind::U64 => text.parse::<u64>().ok().map(Int::from),
        IntKind::U128 => text.parse::<u128>().ok().map(Int::from),
        IntKind::Usize => text.parse::<usize>().ok().map(Int::from),
    }
}
