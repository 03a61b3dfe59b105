//! Sequences and traversals of them; mirrors the judge.

use std::sync::Arc;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Closure, DataId, Term};

use super::stream::{Order, Step};
use super::symbolic::Symbolic;
use super::term::{ill_typed, unknown_operation};
use super::{Encoded, Encoder, Outcome, Residual};
use crate::smt::formula::F;

/// Maximum length of a range whose length is unknown.
const RANGE: i64 = 256;

type Elements = Arc<[Symbolic]>;

impl Encoder<'_> {
    pub(super) fn sequence(&mut self, term: &Term) -> Encoded<Outcome> {
        match term {
            Term::Len(of) => self.length(of),
            Term::Index(of, index) => {
                let (of, (index, defined)) = (self.term(of)?, self.int_term(index)?);
                let element = self.over_elements(of, |encoder, elements| encoder.element(elements, index))?;
                Ok(Outcome { defined: self.formulas.and([defined, element.defined]), ..element })
            }
            Term::Slice(of, from, to) => {
                let (of, (from, from_defined), (to, to_defined)) =
                    (self.term(of)?, self.int_term(from)?, self.int_term(to)?);
                let slice = self.over_elements(of, |encoder, elements| encoder.slice(elements, from, to))?;
                Ok(Outcome { defined: self.formulas.and([from_defined, to_defined, slice.defined]), ..slice })
            }
            Term::Concat(parts) => self.concatenation(parts),
            Term::Flatten(of) => self.flattened(of),
            Term::Reverse(of) => self.rearranged(of, |elements| elements.iter().rev().cloned().collect()),
            Term::Range(from, to) => {
                let ((from, from_defined), (to, to_defined)) = (self.int_term(from)?, self.int_term(to)?);
                let range = self.range(from, to)?;
                Ok(Outcome { value: range, defined: self.formulas.and([from_defined, to_defined]) })
            }
            Term::Windows(of, length) => self.rearranged(of, |elements| {
                elements
                    .windows((*length).max(1) as usize)
                    .map(|window| Symbolic::Seq(window.into()))
                    .collect()
            }),
            Term::Zip(..) | Term::Map(..) | Term::Filter(..) => {
                self.each(term, &mut |encoder, steps| encoder.collected(steps))
            }
            Term::Chars(of) => self.over_text(of, |encoder, chars| {
                let chars = chars.iter().map(|c| Symbolic::Char(*c)).collect();
                Ok(encoder.defined(Symbolic::Seq(chars)))
            }),
            Term::Bytes(of) => self.over_text(of, |encoder, chars| encoder.utf8(chars)),
            Term::Text(of) => self.text_of(of),
            Term::StrTest(test, text, part) => self.str_test(*test, text, part),
            Term::Matches(regex, state, text) => self.matches(*regex, *state, text),
            Term::TextOp(..) => {
                Err(Residual("a condition takes a string apart, which only the judge can do".into()))
            }
            Term::StrFind(text, part, option) => self.str_find(text, part, *option),
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
            | Term::Let { .. } | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_)
            | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
            | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..)
            | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Contains(..) | Term::All(..)
            | Term::Any(..) | Term::Fold { .. } | Term::Sum(_) | Term::Position(..) | Term::Extreme { .. }
            | Term::Distinct(_) | Term::IsSorted(_) | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..)
            | Term::Entries(_) | Term::Keys(_) | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..)
            | Term::CharIs(..) | Term::Call(..) | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => Err(unknown_operation()),
        }
    }

    fn concatenation(&mut self, parts: &[Term]) -> Encoded<Outcome> {
        let mut all = None;
        for part in parts {
            let part = self.term(part)?;
            all = Some(match all {
                None => part,
                Some(before) => self.concatenated(before, part)?,
            });
        }
        Ok(match all {
            Some(all) => all,
            None => self.defined(Symbolic::Seq(Arc::from([]))),
        })
    }

    fn flattened(&mut self, of: &Term) -> Encoded<Outcome> {
        let of = self.term(of)?;
        self.over_elements(of, |encoder, elements| {
            let mut all = encoder.defined(Symbolic::Seq(Arc::from([])));
            for element in elements.iter() {
                let element = encoder.defined(element.clone());
                all = encoder.concatenated(all, element)?;
            }
            Ok(all)
        })
    }

    /// The terms that visit each element.
    pub(super) fn traversal(&mut self, term: &Term) -> Encoded<Outcome> {
        match term {
            Term::Contains(of, value) => self.contains(of, value),
            Term::All(of, closure) => self.quantified(of, closure, true),
            Term::Any(of, closure) => self.quantified(of, closure, false),
            Term::Fold { over, init, acc, closure } => {
                let init = self.term(init)?;
                self.each(over, &mut |encoder, steps| encoder.fold(steps, &init, *acc, closure))
            }
            Term::Sum(of) => self.each_in(of, Order::Any, &mut |encoder, steps| encoder.sum(steps)),
            Term::Position(of, closure, option) => {
                self.each(of, &mut |encoder, steps| encoder.position(steps, closure, *option))
            }
            Term::Extreme { over, greatest, option } => {
                let order = Order::AnyRepeated;
                self.each_in(over, order, &mut |encoder, steps| encoder.extreme(steps, *greatest, *option))
            }
            Term::Distinct(of) => {
                let of = self.term(of)?;
                self.over_elements(of, |encoder, elements| {
                    let mut all = Vec::new();
                    for (index, a) in elements.iter().enumerate() {
                        for b in &elements[index + 1..] {
                            let same = encoder.equal(a, b)?;
                            all.push(encoder.formulas.not(same));
                        }
                    }
                    let all = encoder.formulas.and(all);
                    Ok(encoder.defined(Symbolic::Bool(all)))
                })
            }
            Term::IsSorted(of) => {
                let of = self.term(of)?;
                self.over_elements(of, |encoder, elements| {
                    let mut all = Vec::new();
                    for pair in elements.windows(2) {
                        all.push(encoder.before(&pair[0], &pair[1], true)?);
                    }
                    let all = encoder.formulas.and(all);
                    Ok(encoder.defined(Symbolic::Bool(all)))
                })
            }
            Term::CharIs(class, c) => {
                let c = self.term(c)?;
                let is_it = self.char_is(*class, &c.value)?;
                Ok(Outcome { value: Symbolic::Bool(is_it), ..c })
            }
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
            | Term::Let { .. } | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_)
            | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
            | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..)
            | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Index(..)
            | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..)
            | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_)
            | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Map(..) | Term::Filter(..)
            | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_)
            | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::Call(..) | Term::Opaque(..) | Term::Ask(..)
            | Term::Undefined => Err(unknown_operation()),
        }
    }

    fn contains(&mut self, of: &Term, value: &Term) -> Encoded<Outcome> {
        let (of, value) = (self.term(of)?, self.term(value)?);
        if let Symbolic::Collection(_, items) = &of.value {
            let found = self.is_in(&value.value, items)?;
            return Ok(self.both(&of, &value, Symbolic::Bool(found)));
        }
        let found = self.over_elements(of, |encoder, elements| {
            let mut any = Vec::with_capacity(elements.len());
            for element in elements.iter() {
                any.push(encoder.equal(element, &value.value)?);
            }
            let any = encoder.formulas.or(any);
            Ok(encoder.defined(Symbolic::Bool(any)))
        })?;
        Ok(Outcome { defined: self.formulas.and([found.defined, value.defined]), ..found })
    }

    pub(super) fn over_elements(
        &mut self,
        operand: Outcome,
        mut function: impl FnMut(&mut Self, &Elements) -> Encoded<Outcome>,
    ) -> Encoded<Outcome> {
        self.over(operand, |encoder, value| match value {
            Symbolic::Seq(elements) => function(encoder, elements),
            _ => Err(ill_typed("a sequence")),
        })
    }

    pub(super) fn over_text(
        &mut self,
        of: &Term,
        mut function: impl FnMut(&mut Self, &[F]) -> Encoded<Outcome>,
    ) -> Encoded<Outcome> {
        let of = self.term(of)?;
        self.over(of, |encoder, value| match value {
            Symbolic::Str(chars) => function(encoder, chars),
            _ => Err(ill_typed("a string")),
        })
    }

    fn rearranged(&mut self, of: &Term, change: impl Fn(&[Symbolic]) -> Elements) -> Encoded<Outcome> {
        let of = self.term(of)?;
        self.over_elements(of, |encoder, elements| Ok(encoder.defined(Symbolic::Seq(change(elements)))))
    }

    pub(super) fn element(&mut self, elements: &[Symbolic], index: F) -> Encoded<Outcome> {
        let mut guarded = Vec::with_capacity(elements.len());
        for (position, element) in elements.iter().enumerate() {
            self.step()?;
            guarded.push((self.formulas.equal_constant(index, &Int::from(position as i64)), element.clone()));
        }
        let low = self.formulas.at_least_constant(index, &Int::from(0));
        let high = self.formulas.at_most_constant(index, &Int::from(elements.len() as i64 - 1));
        Ok(Outcome {
            value: Symbolic::union(guarded, &mut self.formulas),
            defined: self.formulas.and([low, high]),
        })
    }

    fn slice(&mut self, elements: &[Symbolic], from: F, to: F) -> Encoded<Outcome> {
        let mut guarded = Vec::new();
        for first in 0..=elements.len() {
            let starts = self.formulas.equal_constant(from, &Int::from(first as i64));
            if self.formulas.as_truth(starts) == Some(false) {
                continue;
            }
            for end in first..=elements.len() {
                self.step()?;
                let ends = self.formulas.equal_constant(to, &Int::from(end as i64));
                let guard = self.formulas.and([starts, ends]);
                guarded.push((guard, Symbolic::Seq(elements[first..end].into())));
            }
        }
        let low = self.formulas.at_least_constant(from, &Int::from(0));
        let ordered = self.formulas.at_most(from, to);
        let high = self.formulas.at_most_constant(to, &Int::from(elements.len() as i64));
        Ok(Outcome {
            value: Symbolic::union(guarded, &mut self.formulas),
            defined: self.formulas.and([low, ordered, high]),
        })
    }

    /// The concatenation of sequences or strings.
    pub(super) fn concatenated(&mut self, a: Outcome, b: Outcome) -> Encoded<Outcome> {
        self.over(a, |encoder, first| {
            encoder.over(b.clone(), |encoder, second| {
                let all = match (first, second) {
                    (Symbolic::Seq(a), Symbolic::Seq(b)) => {
                        Symbolic::Seq(a.iter().chain(b.iter()).cloned().collect())
                    }
                    (Symbolic::Str(a), Symbolic::Str(b)) => {
                        Symbolic::Str(a.iter().chain(b.iter()).copied().collect())
                    }
                    _ => return Err(ill_typed("a sequence or a string")),
                };
                Ok(encoder.defined(all))
            })
        })
    }

    fn range(&mut self, from: F, to: F) -> Encoded<Symbolic> {
        let length = self.formulas.sub(to, from);
        let (Some(least), Some(greatest)) = self.formulas.range(length) else {
            return Err(Residual("a range may have any length".into()));
        };
        if *greatest > Int::from(RANGE) {
            return Err(Residual("a range may be too long".into()));
        }
        let bound = |n: &Int| n.to_i128().map_or(0, |n| n.max(0)) as usize;
        let (least, greatest) = (bound(least), bound(greatest));
        let elements: Vec<Symbolic> = (0..greatest)
            .map(|offset| {
                let offset = self.formulas.int(offset as i64);
                Symbolic::Int(self.formulas.add(from, offset))
            })
            .collect();
        let mut guarded = Vec::new();
        for size in least..=greatest {
            self.step()?;
            let size_int = Int::from(size as i64);
            // Only the empty range has several lengths: all negative numbers.
            let guard = match size {
                0 => self.formulas.at_most_constant(length, &size_int),
                _ => self.formulas.equal_constant(length, &size_int),
            };
            guarded.push((guard, Symbolic::Seq(elements[..size].into())));
        }
        Ok(Symbolic::union(guarded, &mut self.formulas))
    }

    fn quantified(&mut self, of: &Term, closure: &Closure, all: bool) -> Encoded<Outcome> {
        let in_any_order = self.quantified_in(of, Order::AnyRepeated, closure, all)?;
        // The elements before matter only if something is undefined.
        if self.formulas.as_truth(in_any_order.defined) == Some(true) || !has_entries(of) {
            return Ok(in_any_order);
        }
        self.quantified_in(of, Order::Kept, closure, all)
    }

    fn quantified_in(&mut self, of: &Term, order: Order, closure: &Closure, all: bool) -> Encoded<Outcome> {
        self.each_in(of, order, &mut |encoder, steps| {
            let mut outcomes = Vec::with_capacity(steps.len());
            for step in steps {
                let (holds, defined) = encoder.test(step, closure)?;
                let absent = encoder.formulas.not(step.present);
                let counts = if all {
                    encoder.formulas.or([absent, holds])
                } else {
                    encoder.formulas.and([step.present, holds])
                };
                outcomes.push((counts, defined));
            }
            Ok(encoder.short_circuit(&outcomes, all))
        })
    }

    fn length(&mut self, of: &Term) -> Encoded<Outcome> {
        if let Term::Map(..) | Term::Filter(..) | Term::Zip(..) | Term::Entries(_) = of {
            return self.each_in(of, Order::Any, &mut |encoder, steps| {
                let ones: Vec<F> = steps.iter().map(|step| encoder.one_if(step.present)).collect();
                let value = Symbolic::Int(encoder.formulas.sum(ones));
                Ok(Outcome { value, defined: encoder.all_defined(steps) })
            });
        }
        let of = self.term(of)?;
        self.over(of, |encoder, value| {
            let length = match value {
                Symbolic::Seq(elements) => encoder.formulas.int(elements.len() as i64),
                Symbolic::Str(chars) => encoder.bytes_in(chars),
                Symbolic::Collection(kind, items) => encoder.size(*kind, items)?,
                _ => return Err(ill_typed("a sequence or a string")),
            };
            Ok(encoder.defined(Symbolic::Int(length)))
        })
    }

    fn fold(&mut self, steps: &[Step], init: &Outcome, acc: u32, closure: &Closure) -> Encoded<Outcome> {
        let (mut folded, mut defined) = (init.value.clone(), vec![init.defined, self.all_defined(steps)]);
        for step in steps {
            let before = self.set(acc, folded.clone());
            let next = self.with(closure.slot, step.value.clone(), &closure.body);
            self.set(acc, before);
            let next = next?;
            let absent = self.formulas.not(step.present);
            defined.push(self.formulas.or([absent, next.defined]));
            folded = Symbolic::choose(step.present, &next.value, &folded, &mut self.formulas);
        }
        Ok(Outcome { value: folded, defined: self.formulas.and(defined) })
    }

    fn sum(&mut self, steps: &[Step]) -> Encoded<Outcome> {
        let zero = self.formulas.int(0);
        let mut parts = Vec::with_capacity(steps.len());
        for step in steps {
            let value = self.int_of(&step.value)?;
            parts.push(self.formulas.choose(step.present, value, zero));
        }
        let value = Symbolic::Int(self.formulas.sum(parts));
        Ok(Outcome { value, defined: self.all_defined(steps) })
    }

    fn position(&mut self, steps: &[Step], closure: &Closure, option: DataId) -> Encoded<Outcome> {
        let (none, some) = self.option(option)?;
        let (mut outcomes, mut positions) = (Vec::new(), Vec::new());
        let mut before = self.formulas.int(0);
        for step in steps {
            let (holds, defined) = self.test(step, closure)?;
            let found = self.formulas.and([step.present, holds]);
            outcomes.push((found, defined));
            positions.push(before);
            let one = self.one_if(step.present);
            before = self.formulas.add(before, one);
        }
        let mut value = none;
        for ((found, _), position) in outcomes.iter().zip(positions).rev() {
            let here = Symbolic::Data(some, Arc::from([Symbolic::Int(position)]));
            value = Symbolic::choose(*found, &here, &value, &mut self.formulas);
        }
        let defined = self.short_circuit(&outcomes, false).defined;
        Ok(Outcome { value, defined })
    }

    fn extreme(&mut self, steps: &[Step], greatest: bool, option: DataId) -> Encoded<Outcome> {
        let (none, some) = self.option(option)?;
        let mut best = Symbolic::Never;
        let mut any = self.formulas.truth(false);
        for step in steps {
            // The first minimum and the last maximum, as in Rust.
            let better = if greatest {
                self.before(&best, &step.value, true)?
            } else {
                self.before(&step.value, &best, false)?
            };
            let first = self.formulas.not(any);
            let better = self.formulas.or([first, better]);
            let taken = self.formulas.and([step.present, better]);
            best = Symbolic::choose(taken, &step.value, &best, &mut self.formulas);
            any = self.formulas.or([any, step.present]);
        }
        let some = Symbolic::Data(some, Arc::from([best]));
        let value = Symbolic::choose(any, &some, &none, &mut self.formulas);
        Ok(Outcome { value, defined: self.all_defined(steps) })
    }

    /// `None`, and the constructor number of `Some`, for an instance of `Option`.
    pub(super) fn option(&mut self, option: DataId) -> Encoded<(Symbolic, u32)> {
        let ctors = &self.spec.data(option).ctors;
        let constructor = |fields: usize| ctors.iter().position(|ctor| ctor.fields.len() == fields);
        match (constructor(0), constructor(1)) {
            (Some(none), Some(some)) => Ok((Symbolic::Data(none as u32, Arc::from([])), some as u32)),
            _ => Err(ill_typed("an `Option`")),
        }
    }
}

/// Whether elements come from a set, a bag or a map.
fn has_entries(over: &Term) -> bool {
    match over {
        Term::Map(over, _) | Term::Filter(over, _) => has_entries(over),
        Term::Entries(_) => true,
        #[rustfmt::skip]
        Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
        | Term::Let { .. } | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_)
        | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
        | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..)
        | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Index(..)
        | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..)
        | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_)
        | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..)
        | Term::Any(..) | Term::Fold { .. } | Term::Sum(_) | Term::Position(..) | Term::Extreme { .. }
        | Term::Distinct(_) | Term::IsSorted(_) | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..)
        | Term::Keys(_) | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..)
        | Term::Call(..) | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => false,
    }
}
