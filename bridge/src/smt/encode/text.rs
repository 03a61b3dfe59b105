//! Strings and chars: a string is the sequence of its characters' code points; mirrors the judge.

use std::collections::BTreeSet;
use std::sync::Arc;

use target_strategies::logic::eval::char_is;
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::CharClass;
use target_strategies::logic::value::Value;

use super::symbolic::{Symbolic, code_point};
use super::term::ill_typed;
use super::{Encoded, Encoder, Outcome, Reach};
use crate::smt::formula::{F, Node};

impl Encoder<'_> {
    /// The length of a string in bytes.
    pub(super) fn bytes_in(&mut self, text: &[F]) -> F {
        let lengths: Vec<F> = text.iter().map(|&c| self.utf8_length(c)).collect();
        self.formulas.sum(lengths)
    }

    fn utf8_length(&mut self, c: F) -> F {
        let mut length = vec![self.formulas.int(1)];
        for last_shorter in [0x7F, 0x7FF, 0xFFFF] {
            let shorter = self.formulas.at_most_constant(c, &Int::from(last_shorter));
            let longer = self.formulas.not(shorter);
            length.push(self.one_if(longer));
        }
        self.formulas.sum(length)
    }

    /// The UTF-8 bytes of a string, as a sequence.
    pub(super) fn utf8(&mut self, text: &[F]) -> Encoded<Outcome> {
        let mut bytes = self.defined(Symbolic::Seq(Arc::from([])));
        for &c in text {
            let next = self.utf8_of(c);
            let next = self.defined(next);
            bytes = self.concatenated(bytes, next)?;
        }
        Ok(bytes)
    }

    fn utf8_of(&mut self, c: F) -> Symbolic {
        let mut encodings = Vec::new();
        for (length, first, last) in
            [(1, 0, 0x7F), (2, 0x80, 0x7FF), (3, 0x800, 0xFFFF), (4, 0x10000, 0x10FFFF)]
        {
            let low = self.formulas.at_least_constant(c, &Int::from(first));
            let high = self.formulas.at_most_constant(c, &Int::from(last));
            let guard = self.formulas.and([low, high]);
            if self.formulas.as_truth(guard) != Some(false) {
                encodings.push((guard, Symbolic::Seq(self.encoding(c, length))));
            }
        }
        Symbolic::union(encodings, &mut self.formulas)
    }

    /// The bytes of a char with this encoded length: a first byte that marks the length, then six bits per byte.
    fn encoding(&mut self, c: F, length: u32) -> Arc<[Symbolic]> {
        let sixty_four = self.formulas.int(64);
        let (mut rest, mut bytes) = (c, Vec::new());
        for _ in 1..length {
            let (quotient, six_bits) = self.formulas.div_mod(rest, sixty_four);
            let mark = self.formulas.int(0x80);
            bytes.push(Symbolic::Int(self.formulas.add(mark, six_bits)));
            rest = quotient;
        }
        let mark = self.formulas.int([0, 0, 0xC0, 0xE0, 0xF0][length as usize]);
        bytes.push(Symbolic::Int(self.formulas.add(mark, rest)));
        bytes.reverse();
        bytes.into()
    }

    /// Whether a char belongs to a class.
    pub(super) fn char_is(&mut self, class: CharClass, value: &Symbolic) -> Encoded<F> {
        let c = match value {
            Symbolic::Char(c) => *c,
            Symbolic::Never => return Ok(self.formulas.truth(false)),
            _ => return Err(ill_typed("a char")),
        };
        let members: Vec<(char, char)> = match self.candidates(c) {
            Some(candidates) => runs(candidates.into_iter().filter(|&c| char_is(class, c))),
            None => runs(('\0'..=char::MAX).filter(|&c| char_is(class, c))),
        };
        let mut any = Vec::with_capacity(members.len());
        for (first, last) in members {
            self.step()?;
            let low = self.formulas.at_least_constant(c, &code_point(first));
            let high = self.formulas.at_most_constant(c, &code_point(last));
            any.push(self.formulas.and([low, high]));
        }
        Ok(self.formulas.or(any))
    }

    /// The possible chars of a formula, if it chooses among literals and leaves with known domains.
    pub(super) fn candidates(&self, c: F) -> Option<BTreeSet<char>> {
        let (mut candidates, mut todo) = (BTreeSet::new(), vec![c]);
        while let Some(f) = todo.pop() {
            match self.formulas.node(f) {
                Node::If(_, a, b) => todo.extend([*a, *b]),
                Node::Int(n) => candidates.extend(char_of(n)),
                Node::Leaf(leaf) if self.reach != Reach::Type => {
                    let domain = &self.leaves[*leaf as usize].domain;
                    let char = |value: &Value| if let Value::Char(c) = value { Some(*c) } else { None };
                    candidates.extend(domain.iter().filter_map(char));
                }
                _ => return None,
            }
        }
        Some(candidates)
    }
}

fn char_of(n: &Int) -> Option<char> {
    n.to_i128().and_then(|n| u32::try_from(n).ok()).and_then(char::from_u32)
}

/// Ascending chars as runs of neighbours.
fn runs(chars: impl Iterator<Item = char>) -> Vec<(char, char)> {
    let mut runs: Vec<(char, char)> = Vec::new();
    for c in chars {
        match runs.last_mut() {
            Some((_, last)) if follows(*last, c) => *last = c,
            _ => runs.push((c, c)),
        }
    }
    runs
}

/// Whether `b` is the next char after `a`; surrogates are not chars.
fn follows(a: char, b: char) -> bool {
    u32::from(a) + 1 == u32::from(b) || (a == '\u{D7FF}' && b == '\u{E000}')
}
