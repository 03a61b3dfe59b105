//! The value of terms over sequences and strings. A range is gone through without being built.

use std::sync::Arc;

use super::compare::{logic_compare, logic_equal};
use super::{Judge, Stop};
use crate::int::Int;
use crate::ir::{Closure, Term};
use crate::value::Value;

/// A sequence that is gone through.
enum Elements {
    Built(Arc<[Value]>),
    /// `lo..hi`
    Range(Int, Int),
}

impl Elements {
    fn into_iter(self) -> impl Iterator<Item = Value> {
        let (built, range) = match self {
            Elements::Built(built) => (built, None),
            Elements::Range(lo, hi) => (Arc::from([]), Some((lo, hi))),
        };
        let built = (0..built.len()).map(move |index| built[index].clone());
        let range = range.into_iter().flat_map(|(lo, hi)| {
            std::iter::successors((lo < hi).then_some(lo), move |at| {
                Some(at + &Int::ONE).filter(|next| *next < hi)
            })
        });
        built.chain(range.map(Value::Int))
    }
}

impl Judge<'_> {
    pub(super) fn eval_sequence(&mut self, term: &Term) -> Result<Value, Stop> {
        Ok(match term {
            Term::Len(a) => match self.eval(a)? {
                Value::Seq(parts) => Value::int(parts.len()),
                Value::Str(text) => Value::int(text.len()),
                _ => return Err(Stop::Undefined),
            },
            Term::Index(a, index) => {
                let (parts, index) = (self.seq(a)?, self.int(index)?);
                let element = index.to_usize().and_then(|index| parts.get(index));
                element.cloned().ok_or(Stop::Undefined)?
            }
            Term::Slice(a, lo, hi) => {
                let (parts, lo, hi) = (self.seq(a)?, self.int(lo)?, self.int(hi)?);
                let range = lo.to_usize().zip(hi.to_usize()).map(|(lo, hi)| lo..hi);
                Value::seq(range.and_then(|range| parts.get(range)).ok_or(Stop::Undefined)?)
            }
            Term::Concat(parts) => self.concat(parts)?,
            Term::Flatten(a) => {
                let parts = self.elements(a)?.into_iter();
                self.flatten(parts)?
            }
            Term::Reverse(a) => Value::seq(self.seq(a)?.iter().rev().cloned().collect::<Vec<_>>()),
            Term::Range(_, _) => {
                let numbers = self.elements(term)?.into_iter();
                self.collected(numbers)?
            }
            Term::Windows(a, length) => {
                let parts = self.seq(a)?;
                let windows = parts.windows((*length).max(1) as usize).map(|window| Value::seq(window));
                self.collected(windows)?
            }
            Term::Zip(a, b) => {
                let (a, b) = (self.elements(a)?, self.elements(b)?);
                let pairs = a.into_iter().zip(b.into_iter()).map(|(a, b)| Value::Tuple(Arc::from([a, b])));
                self.collected(pairs)?
            }
            Term::Chars(a) => Value::seq(self.str(a)?.chars().map(Value::Char).collect::<Vec<_>>()),
            Term::Bytes(a) => Value::seq(self.str(a)?.bytes().map(Value::int).collect::<Vec<_>>()),
            Term::Contains(a, wanted) => {
                let (elements, wanted) = (self.elements(a)?, self.eval(wanted)?);
                Value::Bool(elements.into_iter().any(|element| logic_equal(&element, &wanted)))
            }
            Term::All(a, closure) => Value::Bool(self.find(a, closure, false)?.is_none()),
            Term::Any(a, closure) => Value::Bool(self.find(a, closure, true)?.is_some()),
            Term::Position(a, closure, _) => option(self.find(a, closure, true)?.map(Value::int)),
            Term::Map(a, closure) => {
                let mut images = Vec::new();
                for element in self.elements(a)?.into_iter() {
                    images.push(self.apply(closure, element)?);
                }
                Value::seq(images)
            }
            Term::Filter(a, closure) => {
                let mut kept = Vec::new();
                for element in self.elements(a)?.into_iter() {
                    if self.apply(closure, element.clone())? == Value::Bool(true) {
                        kept.push(element);
                    }
                }
                Value::seq(kept)
            }
            Term::Fold { over, init, acc, closure } => {
                let elements = self.elements(over)?;
                let mut folded = self.eval(init)?;
                for element in elements.into_iter() {
                    self.set(*acc, folded);
                    folded = self.apply(closure, element)?;
                }
                folded
            }
            Term::Sum(a) => self.sum(a)?,
            Term::Extreme { over, greatest, .. } => self.extreme(over, *greatest)?,
            Term::Distinct(a) => {
                let parts = self.seq(a)?;
                let repeated = |(index, part): (usize, &Value)| {
                    parts[..index].iter().any(|other| logic_equal(part, other))
                };
                Value::Bool(!parts.iter().enumerate().any(repeated))
            }
            Term::IsSorted(a) => {
                let parts = self.seq(a)?;
                let in_order =
                    |pair: &[Value]| logic_compare(&pair[0], &pair[1]).is_some_and(|order| order.is_le());
                Value::Bool(parts.windows(2).all(in_order))
            }
            _ => return Err(Stop::SpecError("a term of the spec is of no known form".to_owned())),
        })
    }

    fn elements(&mut self, term: &Term) -> Result<Elements, Stop> {
        match term {
            Term::Range(lo, hi) => Ok(Elements::Range(self.int(lo)?, self.int(hi)?)),
            _ => self.seq(term).map(Elements::Built),
        }
    }

    fn seq(&mut self, term: &Term) -> Result<Arc<[Value]>, Stop> {
        match self.eval(term)? {
            Value::Seq(parts) => Ok(parts),
            _ => Err(Stop::Undefined),
        }
    }

    fn str(&mut self, term: &Term) -> Result<Arc<str>, Stop> {
        match self.eval(term)? {
            Value::Str(text) => Ok(text),
            _ => Err(Stop::Undefined),
        }
    }

    fn apply(&mut self, closure: &Closure, element: Value) -> Result<Value, Stop> {
        self.set(closure.slot, element);
        self.eval(&closure.body)
    }

    /// The index of the first element for which the body gives `wanted`.
    fn find(&mut self, over: &Term, closure: &Closure, wanted: bool) -> Result<Option<usize>, Stop> {
        for (index, element) in self.elements(over)?.into_iter().enumerate() {
            if self.apply(closure, element)? == Value::Bool(wanted) {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// The elements as a sequence; each is a piece of work.
    fn collected(&mut self, elements: impl Iterator<Item = Value>) -> Result<Value, Stop> {
        let mut collected = Vec::new();
        for element in elements {
            self.step()?;
            collected.push(element);
        }
        Ok(Value::seq(collected))
    }

    fn flatten(&mut self, parts: impl Iterator<Item = Value>) -> Result<Value, Stop> {
        let mut flat = Vec::new();
        for part in parts {
            let Value::Seq(part) = part else { return Err(Stop::Undefined) };
            flat.extend_from_slice(&part);
        }
        Ok(Value::seq(flat))
    }

    fn concat(&mut self, parts: &[Term]) -> Result<Value, Stop> {
        let parts = parts.iter().map(|part| self.eval(part)).collect::<Result<Vec<_>, Stop>>()?;
        if let [Value::Str(_), ..] = parts.as_slice() {
            let mut text = String::new();
            for part in parts {
                let Value::Str(part) = part else { return Err(Stop::Undefined) };
                text.push_str(&part);
            }
            return Ok(Value::str(&text));
        }
        self.flatten(parts.into_iter())
    }

    fn sum(&mut self, over: &Term) -> Result<Value, Stop> {
        let mut sum = Int::ZERO;
        for element in self.elements(over)?.into_iter() {
            self.step()?;
            let Value::Int(n) = element else { return Err(Stop::Undefined) };
            sum = &sum + &n;
        }
        Ok(Value::Int(sum))
    }

    fn extreme(&mut self, over: &Term, greatest: bool) -> Result<Value, Stop> {
        let mut best: Option<Value> = None;
        for element in self.elements(over)?.into_iter() {
            self.step()?;
            let better = match &best {
                None => true,
                Some(best) if greatest => logic_compare(best, &element).is_some_and(|order| order.is_le()),
                Some(best) => logic_compare(&element, best).is_some_and(|order| order.is_lt()),
            };
            if better {
                best = Some(element);
            }
        }
        Ok(option(best))
    }
}

/// `None` is the constructor 0 of `Option`, `Some` is 1.
fn option(value: Option<Value>) -> Value {
    match value {
        None => Value::Data(0, Arc::from([])),
        Some(value) => Value::Data(1, Arc::from([value])),
    }
}
