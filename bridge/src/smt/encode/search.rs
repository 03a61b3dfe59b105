//! Search in strings, position by position, and strings built from characters; mirrors the judge.

use std::sync::Arc;

use target_strategies::logic::ir::{DataId, StrTest, Term};

use super::symbolic::Symbolic;
use super::term::ill_typed;
use super::{Encoded, Encoder, Outcome};
use crate::smt::formula::F;

impl Encoder<'_> {
    /// Whether one string is at the start, at the end, or anywhere in another string.
    pub(super) fn str_test(&mut self, test: StrTest, text: &Term, part: &Term) -> Encoded<Outcome> {
        self.over_texts(text, part, |encoder, text, part| {
            let holds = match test {
                _ if text.len() < part.len() => encoder.formulas.truth(false),
                StrTest::StartsWith => encoder.stands_at(text, part, 0)?,
                StrTest::EndsWith => encoder.stands_at(text, part, text.len() - part.len())?,
                StrTest::Contains => {
                    let found_at = encoder.occurrences(text, part)?;
                    encoder.formulas.or(found_at)
                }
            };
            Ok(encoder.defined(Symbolic::Bool(holds)))
        })
    }

    /// The offset in bytes of the first occurrence of one string in another.
    pub(super) fn str_find(&mut self, text: &Term, part: &Term, option: DataId) -> Encoded<Outcome> {
        let (none, some) = self.option(option)?;
        self.over_texts(text, part, |encoder, text, part| {
            let found_at =
                if text.len() < part.len() { Vec::new() } else { encoder.occurrences(text, part)? };
            let mut value = none.clone();
            for (at, found) in found_at.into_iter().enumerate().rev() {
                let offset = encoder.bytes_in(&text[..at]);
                let here = Symbolic::Data(some, Arc::from([Symbolic::Int(offset)]));
                value = Symbolic::choose(found, &here, &value, &mut encoder.formulas);
            }
            Ok(encoder.defined(value))
        })
    }

    /// The string of a sequence of characters.
    pub(super) fn text_of(&mut self, chars: &Term) -> Encoded<Outcome> {
        let chars = self.term(chars)?;
        self.over_elements(chars, |encoder, elements| {
            let mut text = Vec::with_capacity(elements.len());
            for element in elements.iter() {
                text.push(match element {
                    Symbolic::Char(c) => *c,
                    // The value is never used, so any character does.
                    Symbolic::Never => encoder.formulas.int(0),
                    _ => return Err(ill_typed("a char")),
                });
            }
            Ok(encoder.defined(Symbolic::Str(text.into())))
        })
    }

    /// For each possible position, whether the other string occurs there.
    fn occurrences(&mut self, text: &[F], part: &[F]) -> Encoded<Vec<F>> {
        (0..=text.len() - part.len()).map(|at| self.stands_at(text, part, at)).collect()
    }

    fn stands_at(&mut self, text: &[F], part: &[F], at: usize) -> Encoded<F> {
        self.step()?;
        let same: Vec<F> =
            text[at..].iter().zip(part).map(|(a, b)| self.formulas.equal_int(*a, *b)).collect();
        Ok(self.formulas.and(same))
    }

    fn over_texts(
        &mut self,
        text: &Term,
        part: &Term,
        mut function: impl FnMut(&mut Self, &[F], &[F]) -> Encoded<Outcome>,
    ) -> Encoded<Outcome> {
        let part = self.term(part)?;
        self.over_text(text, |encoder, text| {
            encoder.over(part.clone(), |encoder, part| match part {
                Symbolic::Str(part) => function(encoder, text, part),
                _ => Err(ill_typed("a string")),
            })
        })
    }
}
