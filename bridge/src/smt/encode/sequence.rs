//! Sequences and what runs over them; the mirror of the judge's.

use std::sync::Arc;

use target_strategies::int::Int;
use target_strategies::ir::{Closure, DataId, Term};
use target_strategies::value::Value;

use super::symbolic::Symbolic;
use super::term::ill_typed;
use super::{Encoded, Encoder, Outcome, Residual};
use crate::smt::formula::F;

/// The longest range whose length isn't known.
const RANGE: i64 = 256;

type Elements = Arc<[Symbolic]>;

impl Encoder<'_> {
    pub(super) fn sequence(&mut self, term: &Term) -> Encoded<Outcome> {
        match term {
            Term::Len(of) => {
                let of = self.term(of)?;
                self.over(of, |encoder, value| {
                    let length = match value {
                        Symbolic::Seq(elements) => encoder.formulas.int(elements.len() as i64),
                        Symbolic::Str(chars) => encoder.bytes_in(chars),
                        _ => return Err(ill_typed("a sequence or a string")),
                    };
                    Ok(encoder.defined(Symbolic::Int(length)))
                })
            }
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
            Term::Concat(parts) => {
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
            Term::Flatten(of) => {
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
            Term::Zip(a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let zipped = self.over_elements(a, |encoder, firsts| {
                    let firsts = firsts.clone();
                    encoder.over_elements(b.clone(), |encoder, seconds| {
                        let pairs = firsts.iter().zip(seconds.iter());
                        let pairs =
                            pairs.map(|(a, b)| Symbolic::Tuple(Arc::from([a.clone(), b.clone()]))).collect();
                        Ok(encoder.defined(Symbolic::Seq(pairs)))
                    })
                })?;
                Ok(zipped)
            }
            Term::Chars(of) => self.over_text(of, |encoder, chars| {
                let chars = chars.iter().map(|c| Symbolic::Char(*c)).collect();
                Ok(encoder.defined(Symbolic::Seq(chars)))
            }),
            Term::Bytes(of) => self.over_text(of, |encoder, chars| encoder.utf8(chars)),
            _ => self.traversal(term),
        }
    }

    /// The terms that look at each element.
    fn traversal(&mut self, term: &Term) -> Encoded<Outcome> {
        match term {
            Term::Contains(of, value) => {
                let (of, value) = (self.term(of)?, self.term(value)?);
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
            Term::All(of, closure) => self.quantified(of, closure, true),
            Term::Any(of, closure) => self.quantified(of, closure, false),
            Term::Map(of, closure) => {
                let of = self.term(of)?;
                self.over_elements(of, |encoder, elements| {
                    let (mut mapped, mut defined) = (Vec::new(), Vec::new());
                    for element in elements.iter() {
                        let outcome = encoder.with(closure.slot, element.clone(), &closure.body)?;
                        mapped.push(outcome.value);
                        defined.push(outcome.defined);
                    }
                    Ok(Outcome {
                        value: Symbolic::Seq(mapped.into()),
                        defined: encoder.formulas.and(defined),
                    })
                })
            }
            Term::Filter(of, closure) => {
                let of = self.term(of)?;
                self.over_elements(of, |encoder, elements| encoder.filter(elements, closure))
            }
            Term::Fold { over, init, acc, closure } => {
                let (over, init) = (self.term(over)?, self.term(init)?);
                self.over_elements(over, |encoder, elements| {
                    let mut outcome = init.clone();
                    for element in elements.iter() {
                        let before = encoder.set(*acc, outcome.value);
                        let next = encoder.with(closure.slot, element.clone(), &closure.body);
                        encoder.set(*acc, before);
                        let next = next?;
                        outcome = Outcome {
                            defined: encoder.formulas.and([outcome.defined, next.defined]),
                            ..next
                        };
                    }
                    Ok(outcome)
                })
            }
            Term::Sum(of) => {
                let of = self.term(of)?;
                self.over_elements(of, |encoder, elements| {
                    let mut parts = Vec::with_capacity(elements.len());
                    for element in elements.iter() {
                        parts.push(encoder.int_of(element)?);
                    }
                    let sum = encoder.formulas.sum(parts);
                    Ok(encoder.defined(Symbolic::Int(sum)))
                })
            }
            Term::Position(of, closure, option) => {
                let of = self.term(of)?;
                self.over_elements(of, |encoder, elements| encoder.position(elements, closure, *option))
            }
            Term::Extreme { over, greatest, option } => {
                let over = self.term(over)?;
                self.over_elements(over, |encoder, elements| encoder.extreme(elements, *greatest, *option))
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
            _ => Err(Residual("the solver doesn't know this operation".into())),
        }
    }

    fn over_elements(
        &mut self,
        operand: Outcome,
        mut function: impl FnMut(&mut Self, &Elements) -> Encoded<Outcome>,
    ) -> Encoded<Outcome> {
        self.over(operand, |encoder, value| match value {
            Symbolic::Seq(elements) => function(encoder, elements),
            _ => Err(ill_typed("a sequence")),
        })
    }

    fn over_text(
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

    fn element(&mut self, elements: &[Symbolic], index: F) -> Encoded<Outcome> {
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

    /// Sequences one after the other, or strings.
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
            // Only the empty range has more than one length: all those below zero.
            let guard = match size {
                0 => self.formulas.at_most_constant(length, &size_int),
                _ => self.formulas.equal_constant(length, &size_int),
            };
            guarded.push((guard, Symbolic::Seq(elements[..size].into())));
        }
        Ok(Symbolic::union(guarded, &mut self.formulas))
    }

    fn quantified(&mut self, of: &Term, closure: &Closure, all: bool) -> Encoded<Outcome> {
        if let Some((of, whole)) = lazily(of, closure, all) {
            return self.quantified(of, &whole, all);
        }
        let of = self.term(of)?;
        self.over_elements(of, |encoder, elements| {
            let outcomes = encoder.judged(elements, closure)?;
            Ok(encoder.short_circuit(&outcomes, all))
        })
    }

    /// For each element, whether the body holds, and where that is defined.
    fn judged(&mut self, elements: &[Symbolic], closure: &Closure) -> Encoded<Vec<(F, F)>> {
        let mut outcomes = Vec::with_capacity(elements.len());
        for element in elements {
            let outcome = self.with(closure.slot, element.clone(), &closure.body)?;
            outcomes.push((self.truth_of(&outcome.value)?, outcome.defined));
        }
        Ok(outcomes)
    }

    fn filter(&mut self, elements: &[Symbolic], closure: &Closure) -> Encoded<Outcome> {
        let judged = self.judged(elements, closure)?;
        let defined: Vec<F> = judged.iter().map(|(_, defined)| *defined).collect();
        let mut kept = Symbolic::Seq(Arc::from([]));
        for (element, (holds, _)) in elements.iter().zip(&judged) {
            self.step()?;
            let with =
                kept.alternatives(&mut self.formulas).into_iter().map(|(guard, before)| match before {
                    Symbolic::Seq(before) => {
                        (guard, Symbolic::Seq(before.iter().chain([element]).cloned().collect()))
                    }
                    other => (guard, other),
                });
            let with = Symbolic::union(with.collect(), &mut self.formulas);
            kept = Symbolic::choose(*holds, &with, &kept, &mut self.formulas);
        }
        Ok(Outcome { value: kept, defined: self.formulas.and(defined) })
    }

    fn position(&mut self, elements: &[Symbolic], closure: &Closure, option: DataId) -> Encoded<Outcome> {
        let judged = self.judged(elements, closure)?;
        let (none, some) = self.option(option)?;
        let mut value = none;
        for (index, (holds, _)) in judged.iter().enumerate().rev() {
            let index = Symbolic::Int(self.formulas.int(index as i64));
            let here = Symbolic::Data(some, Arc::from([index]));
            value = Symbolic::choose(*holds, &here, &value, &mut self.formulas);
        }
        let defined = self.short_circuit(&judged, false).defined;
        Ok(Outcome { value, defined })
    }

    fn extreme(&mut self, elements: &[Symbolic], greatest: bool, option: DataId) -> Encoded<Outcome> {
        let (none, some) = self.option(option)?;
        let Some((first, rest)) = elements.split_first() else { return Ok(self.defined(none)) };
        let mut best = first.clone();
        for element in rest {
            // The first least and the last greatest, as in Rust.
            let better = match greatest {
                true => self.before(&best, element, true)?,
                false => self.before(element, &best, false)?,
            };
            best = Symbolic::choose(better, element, &best, &mut self.formulas);
        }
        Ok(self.defined(Symbolic::Data(some, Arc::from([best]))))
    }

    /// `None`, and the number of `Some`, at an instance of `Option`.
    fn option(&mut self, option: DataId) -> Encoded<(Symbolic, u32)> {
        let ctors = &self.spec.data(option).ctors;
        let place = |fields: usize| ctors.iter().position(|ctor| ctor.fields.len() == fields);
        match (place(0), place(1)) {
            (Some(none), Some(some)) => Ok((Symbolic::Data(none as u32, Arc::from([])), some as u32)),
            _ => Err(ill_typed("an `Option`")),
        }
    }
}

/// `all` or `any` over what `map` or `filter` gives, as one over what these look at: they are lazy, so that behind the
/// element that decides nothing is undefined.
fn lazily<'t>(of: &'t Term, closure: &Closure, all: bool) -> Option<(&'t Term, Closure)> {
    let bound =
        |value: Term| Term::Let { slot: closure.slot, value: Box::new(value), body: closure.body.clone() };
    let (of, slot, body) = match of {
        Term::Map(of, first) => (of, first.slot, bound(Term::clone(&first.body))),
        Term::Filter(of, kept) => {
            let (test, otherwise) = (kept.body.clone(), Box::new(Term::Lit(Value::Bool(all))));
            (of, kept.slot, Term::If(test, Box::new(bound(Term::Var(kept.slot))), otherwise))
        }
        _ => return None,
    };
    Some((of, Closure { slot, body: Box::new(body) }))
}
