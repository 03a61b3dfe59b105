//! What is known of a value by comparison with constants: a tree of [`Facts`], laid over the value's own tree.
//!
//! An over-approximation: every value that satisfies the clauses agrees with the facts, not the other way round.
//! `v.len() == 2 && v.iter().all(|x| 0 < *x)` leaves `len ∈ {2}` at the root and `0 < _` at [`Step::Each`]. Knows
//! nothing of types; how facts are read off a term is [`super::constraint`].

use std::collections::BTreeMap;
use std::sync::Arc;

use super::interval::IntervalSet;
use crate::int::Int;
use crate::ir::Term;
use crate::value::Value;

/// What is known of one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// There is no such value.
    pub never: bool,
    /// Of a scalar, its code (see [`code`]); of a data value, the index of its constructor.
    pub codes: IntervalSet,
    /// Of a sequence, how many elements; of a string, how many bytes.
    pub len: IntervalSet,
    /// Conditions on this value alone, over the slot of the refined value.
    pub tests: Vec<Arc<Term>>,
    /// What is known of its parts.
    pub parts: BTreeMap<Step, Facts>,
}

/// From a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A component of a tuple. Of the root: a slot.
    Project(u32),
    /// A field of a constructor.
    Field(u32, u32),
    /// An element of a sequence.
    At(u32),
    /// Any element of a sequence.
    Each,
    /// A string, seen as the sequence of its characters.
    Chars,
}

impl Facts {
    /// Nothing is known.
    pub fn any() -> Facts {
        Facts {
            never: false,
            codes: IntervalSet::all(),
            len: IntervalSet::all(),
            tests: Vec::new(),
            parts: BTreeMap::new(),
        }
    }

    /// Contradictory facts.
    pub fn never() -> Facts {
        Facts { never: true, ..Facts::any() }
    }

    /// A scalar with one of these codes.
    pub fn codes(codes: IntervalSet) -> Facts {
        Facts { never: codes.is_empty(), codes, ..Facts::any() }
    }

    /// A sequence or string of one of these lengths.
    pub fn len(len: IntervalSet) -> Facts {
        let len = len.intersect(&IntervalSet::at_least(Int::from(0)));
        Facts { never: len.is_empty(), len, ..Facts::any() }
    }

    /// A value equal to this one, in the logic's sense.
    pub fn of_value(value: &Value) -> Facts {
        match value {
            Value::Str(text) => {
                let chars: Vec<Value> = text.chars().map(Value::Char).collect();
                let bytes = Facts::len(IntervalSet::point(Int::from(text.len() as i64)));
                bytes.and(Facts::any().with(Step::Chars, Facts::of_elements(&chars)))
            }
            Value::Seq(elements) => Facts::of_elements(elements),
            Value::Tuple(parts) => Facts::any().with_all(
                parts.iter().enumerate().map(|(i, part)| (Step::Project(i as u32), Facts::of_value(part))),
            ),
            Value::Data(ctor, fields) => Facts::codes(IntervalSet::point(Int::from(i64::from(*ctor))))
                .with_all(
                    fields
                        .iter()
                        .enumerate()
                        .map(|(i, field)| (Step::Field(*ctor, i as u32), Facts::of_value(field))),
                ),
            scalar => Facts::codes(equal_codes(scalar)),
        }
    }

    fn of_elements(elements: &[Value]) -> Facts {
        let len = Facts::len(IntervalSet::point(Int::from(elements.len() as i64)));
        len.with_all(elements.iter().enumerate().map(|(i, e)| (Step::At(i as u32), Facts::of_value(e))))
    }

    /// These facts about the part at the end of a path, as facts about the whole; that the part exists is one of them.
    pub fn at(self, path: &[Step]) -> Facts {
        path.iter().rev().fold(self, |facts, &step| {
            let whole = match step {
                Step::Field(ctor, _) => Facts::codes(IntervalSet::point(Int::from(i64::from(ctor)))),
                Step::At(index) => Facts::len(IntervalSet::at_least(Int::from(i64::from(index) + 1))),
                Step::Project(_) | Step::Each | Step::Chars => Facts::any(),
            };
            whole.with(step, facts)
        })
    }

    /// The same, unless there is no such part.
    pub fn at_any(self, path: &[Step]) -> Facts {
        path.iter().rev().fold(self, |facts, &step| Facts::any().with(step, facts))
    }

    /// What is known of a part.
    pub fn part(&self, step: Step) -> Facts {
        self.parts.get(&step).cloned().unwrap_or_else(Facts::any)
    }

    /// Both hold.
    pub fn and(mut self, other: Facts) -> Facts {
        if self.never || other.never {
            return Facts::never();
        }
        self.codes = self.codes.intersect(&other.codes);
        self.len = self.len.intersect(&other.len);
        for test in other.tests {
            if !self.tests.contains(&test) {
                self.tests.push(test);
            }
        }
        for (step, facts) in other.parts {
            let facts = match self.parts.remove(&step) {
                Some(own) => own.and(facts),
                None => facts,
            };
            self.parts.insert(step, facts);
        }
        self.settled()
    }

    /// One of them holds.
    pub fn or(self, other: Facts) -> Facts {
        if self.never {
            return other;
        }
        if other.never {
            return self;
        }
        let mut either = Facts::any();
        let steps: Vec<Step> = self.parts.keys().chain(other.parts.keys()).copied().collect();
        for step in steps {
            let facts = match (self.known(step), other.known(step)) {
                (Some(a), Some(b)) => a.or(b),
                (Some(a), None) | (None, Some(a)) => a,
                (None, None) => Facts::any(),
            };
            if facts != Facts::any() {
                either.parts.insert(step, facts);
            }
        }
        either.codes = self.codes.union(&other.codes);
        either.len = self.len.union(&other.len);
        either.tests = self.tests.into_iter().filter(|test| other.tests.contains(test)).collect();
        either
    }

    /// What is known of a part, `None` if there is no such part.
    fn known(&self, step: Step) -> Option<Facts> {
        let exists = match step {
            Step::Field(ctor, _) => self.codes.contains(&Int::from(i64::from(ctor))),
            Step::At(index) => self.len.reaches(&Int::from(i64::from(index) + 1)),
            Step::Each => self.len.reaches(&Int::from(1)),
            Step::Project(_) | Step::Chars => true,
        };
        match (step, self.parts.get(&step)) {
            _ if !exists => None,
            (_, Some(facts)) => Some(facts.clone()),
            // A string has no more characters than bytes.
            (Step::Chars, None) => match self.len.spans().last() {
                Some((_, Some(most))) => Some(Facts::len(IntervalSet::at_most(most.clone()))),
                _ => Some(Facts::any()),
            },
            (_, None) => Some(Facts::any()),
        }
    }

    fn with(mut self, step: Step, facts: Facts) -> Facts {
        self.parts.insert(step, facts);
        self.settled()
    }

    fn with_all(mut self, parts: impl Iterator<Item = (Step, Facts)>) -> Facts {
        self.parts.extend(parts);
        self.settled()
    }

    /// Draws the consequences of parts that can't be: no such constructor, no such length, no such value.
    fn settled(mut self) -> Facts {
        let impossible: Vec<Step> =
            self.parts.iter().filter(|(_, facts)| facts.never).map(|(step, _)| *step).collect();
        for step in impossible {
            self.parts.remove(&step);
            match step {
                Step::Project(_) | Step::Chars => self.never = true,
                Step::Field(ctor, _) => {
                    let ctor = IntervalSet::point(Int::from(i64::from(ctor)));
                    self.codes = self.codes.intersect(&ctor.complement());
                }
                Step::At(index) => {
                    self.len = self.len.intersect(&IntervalSet::at_most(Int::from(i64::from(index))))
                }
                Step::Each => self.len = self.len.intersect(&IntervalSet::point(Int::from(0))),
            }
        }
        if self.never || self.codes.is_empty() || self.len.is_empty() { Facts::never() } else { self }
    }
}

/// The number of a scalar among those of its sort; `None` for NaN and for what is no scalar.
pub fn code(value: &Value) -> Option<Int> {
    match value {
        Value::Bool(b) => Some(Int::from(i64::from(*b))),
        Value::Int(n) => Some(n.clone()),
        Value::Char(c) => Some(Int::from(i64::from(u32::from(*c)))),
        Value::Float(x) if !x.is_nan() => Some(Int::from(float_code(*x))),
        Value::Data(ctor, fields) if fields.is_empty() => Some(Int::from(*ctor)),
        _ => None,
    }
}

/// The place of a float among all floats in ascending order: `0.0` is 0 and `-0.0` is -1.
pub fn float_code(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits).wrapping_sub(1) } else { bits }
}

/// The float at a place.
pub fn float_of_code(code: i64) -> f64 {
    let bits = if code < 0 { i64::MIN.wrapping_sub(code).wrapping_sub(1) } else { code };
    f64::from_bits(bits as u64)
}

/// The codes of the scalars that `==` finds equal to this one: both zeros, for a zero.
pub fn equal_codes(scalar: &Value) -> IntervalSet {
    match (scalar, code(scalar)) {
        (Value::Float(x), _) if *x == 0.0 => IntervalSet::between(Int::from(-1), Int::from(0)),
        (_, Some(code)) => IntervalSet::point(code),
        (_, None) => IntervalSet::none(),
    }
}
