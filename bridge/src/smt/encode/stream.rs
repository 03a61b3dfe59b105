//! Sequences as Rust's iterators, element by element; mirrors the judge's visits.
//!
//! `all` stops at the first element that is false, so a later panic in `map` or `filter` never happens. Therefore each
//! element has its own definedness condition, separate from those of the elements before it. An element dropped by a
//! filter is a step that yields nothing.

use std::sync::Arc;

use target_strategies::logic::ir::{Closure, Term};

use super::symbolic::Symbolic;
use super::term::ill_typed;
use super::{Encoded, Encoder, Outcome};
use crate::smt::formula::F;

/// The result of one call of `next` on an iterator.
#[derive(Clone, Debug)]
pub struct Step {
    /// Whether it yields an element.
    pub present: F,
    /// The element.
    pub value: Symbolic,
    /// Whether the step doesn't panic.
    pub defined: F,
}

/// The order of the elements of a set, bag or map that a consumer needs. Sequences have their own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Ascending, as in the judge.
    Kept,
    /// Any.
    Any,
    /// Any, and elements may repeat.
    AnyRepeated,
}

/// The function of all steps that computes a consumer's outcome.
type Consume<'c, 'a> = &'c mut dyn FnMut(&mut Encoder<'a>, &[Step]) -> Encoded<Outcome>;

impl<'a> Encoder<'a> {
    /// The outcome of a consumer that visits a sequence lazily.
    pub(super) fn each(&mut self, over: &Term, consume: Consume<'_, 'a>) -> Encoded<Outcome> {
        self.each_in(over, Order::Kept, consume)
    }

    /// The same, for a consumer with its own needs for the order.
    pub(super) fn each_in(
        &mut self,
        over: &Term,
        order: Order,
        consume: Consume<'_, 'a>,
    ) -> Encoded<Outcome> {
        match over {
            Term::Map(over, closure) => self.each_in(over, order, &mut |encoder, steps| {
                let mut images = Vec::with_capacity(steps.len());
                for step in steps {
                    let image = encoder.with(closure.slot, step.value.clone(), &closure.body)?;
                    let defined = encoder.step_defined(step, image.defined);
                    images.push(Step { value: image.value, defined, present: step.present });
                }
                consume(encoder, &images)
            }),
            Term::Filter(over, closure) => self.each_in(over, order, &mut |encoder, steps| {
                let mut kept = Vec::with_capacity(steps.len());
                for step in steps {
                    let (holds, defined) = encoder.test(step, closure)?;
                    let present = encoder.formulas.and([step.present, holds]);
                    kept.push(Step { value: step.value.clone(), defined, present });
                }
                consume(encoder, &kept)
            }),
            Term::Zip(a, b) => self.each_zipped(a, b, consume),
            Term::Entries(of) => {
                let of = self.term(of)?;
                self.over(of, |encoder, value| match value {
                    Symbolic::Collection(kind, items) => {
                        let steps = encoder.steps_of(*kind, items, order)?;
                        consume(encoder, &steps)
                    }
                    _ => Err(ill_typed("a set or a map")),
                })
            }
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
            | Term::Let { .. } | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_)
            | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
            | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..)
            | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Index(..)
            | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..)
            | Term::Windows(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..)
            | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..) | Term::Any(..)
            | Term::Fold { .. } | Term::Sum(_) | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_)
            | Term::IsSorted(_) | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Keys(_)
            | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..)
            | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => {
                let elements = self.term(over)?;
                self.over_elements(elements, |encoder, elements| {
                    let always = encoder.formulas.truth(true);
                    let step =
                        |value: &Symbolic| Step { present: always, value: value.clone(), defined: always };
                    consume(encoder, &elements.iter().map(step).collect::<Vec<_>>())
                })
            }
        }
    }

    fn each_zipped(&mut self, a: &Term, b: &Term, consume: Consume<'_, 'a>) -> Encoded<Outcome> {
        let seconds = self.term(b)?;
        self.over_elements(seconds, |encoder, seconds| {
            let seconds = seconds.clone();
            encoder.each(a, &mut |encoder, steps| {
                let pairs = encoder.pairs(steps, &seconds)?;
                consume(encoder, &pairs)
            })
        })
    }

    /// The steps of two zipped iterators. The first iterator is advanced once more before the second turns out to be
    /// empty.
    fn pairs(&mut self, steps: &[Step], seconds: &Arc<[Symbolic]>) -> Encoded<Vec<Step>> {
        let mut pairs = Vec::with_capacity(steps.len());
        let (mut position, length) = (self.formulas.int(0), self.formulas.int(seconds.len() as i64));
        for step in steps {
            let (asked, both) =
                (self.formulas.at_most(position, length), self.formulas.less(position, length));
            if self.formulas.as_truth(asked) == Some(false) {
                break;
            }
            let over = self.formulas.not(asked);
            let second = self.element(seconds, position)?;
            pairs.push(Step {
                present: self.formulas.and([step.present, both]),
                value: Symbolic::Tuple(Arc::from([step.value.clone(), second.value])),
                defined: self.formulas.or([over, step.defined]),
            });
            let one = self.one_if(step.present);
            position = self.formulas.add(position, one);
        }
        Ok(pairs)
    }

    /// Whether a closure's body holds for a step's element, and whether this is defined.
    pub(super) fn test(&mut self, step: &Step, closure: &Closure) -> Encoded<(F, F)> {
        let outcome = self.with(closure.slot, step.value.clone(), &closure.body)?;
        Ok((self.truth_of(&outcome.value)?, self.step_defined(step, outcome.defined)))
    }

    /// Whether a step and the use of its element are defined.
    fn step_defined(&mut self, step: &Step, done: F) -> F {
        let absent = self.formulas.not(step.present);
        let done = self.formulas.or([absent, done]);
        self.formulas.and([step.defined, done])
    }

    /// Whether all steps are defined.
    pub(super) fn all_defined(&mut self, steps: &[Step]) -> F {
        self.formulas.and(steps.iter().map(|step| step.defined).collect::<Vec<_>>())
    }

    /// All elements as a sequence.
    pub(super) fn collected(&mut self, steps: &[Step]) -> Encoded<Outcome> {
        let mut kept = Symbolic::Seq(Arc::from([]));
        for Step { present, value, .. } in steps {
            self.step()?;
            let with =
                kept.alternatives(&mut self.formulas).into_iter().map(|(guard, before)| match before {
                    Symbolic::Seq(before) => {
                        (guard, Symbolic::Seq(before.iter().chain([value]).cloned().collect()))
                    }
                    other => (guard, other),
                });
            let with = Symbolic::union(with.collect(), &mut self.formulas);
            kept = Symbolic::choose(*present, &with, &kept, &mut self.formulas);
        }
        Ok(Outcome { value: kept, defined: self.all_defined(steps) })
    }
}
