//! Facts about a value, from comparisons with constants: a tree of [`Facts`] parallel to the value.
//!
//! It is an over-approximation: every value that satisfies the clauses agrees with the facts, but not the other way
//! round. `v.len() == 2 && v.iter().all(|x| 0 < *x)` leaves `len ∈ {2}` at the root and `0 < _` at [`Step::Each`].
//! Knows nothing of types. [`super::constraint`] derives facts from terms.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::interval::IntervalSet;
use crate::logic::int::Int;
use crate::logic::ir::Term;
use crate::logic::value::Value;

/// The facts about one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// There is no such value.
    pub never: bool,
    /// The code of a scalar (see [`code`]), or the index of a data value's constructor.
    pub codes: IntervalSet,
    /// The number of elements of a sequence, or of bytes of a string.
    pub len: IntervalSet,
    /// Conditions on this value alone, over the slot of the refined value.
    pub tests: Vec<Arc<Term>>,
    /// The facts about its parts.
    pub parts: BTreeMap<Step, Facts>,
}

/// A step from a value to one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A component of a tuple. At the root: a slot.
    Project(u32),
    /// A field of a constructor.
    Field(u32, u32),
    /// An element of a sequence.
    At(u32),
    /// Any element of a sequence.
    Each,
    /// The sequence of a string's characters.
    Chars,
}

impl Facts {
    /// No facts.
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
            Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => {
                Facts::codes(equal_codes(value))
            }
        }
    }

    fn of_elements(elements: &[Value]) -> Facts {
        let len = Facts::len(IntervalSet::point(Int::from(elements.len() as i64)));
        len.with_all(elements.iter().enumerate().map(|(i, e)| (Step::At(i as u32), Facts::of_value(e))))
    }

    /// Facts about the part at the end of a path, as facts about the whole. They include that the part exists.
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

    /// Like [`Facts::at`], but the part may be missing.
    pub fn at_any(self, path: &[Step]) -> Facts {
        path.iter().rev().fold(self, |facts, &step| Facts::any().with(step, facts))
    }

    /// The facts about a part.
    pub fn part(&self, step: Step) -> Facts {
        self.parts.get(&step).cloned().unwrap_or_else(Facts::any)
    }

    /// The greatest length, if there is a limit.
    pub fn longest(&self) -> Option<u64> {
        self.len.spans().last().and_then(|(_, high)| high.as_ref()?.to_u64())
    }

    /// The conjunction of two facts.
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
        self.propagated()
    }

    /// The disjunction of two facts.
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

    /// The facts about a part; `None` if there is no such part.
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
        self.propagated()
    }

    fn with_all(mut self, parts: impl Iterator<Item = (Step, Facts)>) -> Facts {
        self.parts.extend(parts);
        self.propagated()
    }

    /// Propagates contradictions: a part without values rules out its constructor, its length, or the whole value.
    fn propagated(mut self) -> Facts {
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

/// The code of a scalar among those of its sort; `None` for NaN, and for other values.
pub fn code(value: &Value) -> Option<Int> {
    match value {
        Value::Bool(b) => Some(Int::from(i64::from(*b))),
        Value::Int(n) => Some(n.clone()),
        Value::Char(c) => Some(Int::from(i64::from(u32::from(*c)))),
        Value::Float(x) if !x.is_nan() => Some(Int::from(float_code(*x))),
        Value::Data(ctor, fields) if fields.is_empty() => Some(Int::from(*ctor)),
        Value::Float(_) | Value::Str(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => None,
    }
}

/// The position of a float among all floats in ascending order: 0 for `0.0`, -1 for `-0.0`.
pub fn float_code(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits).wrapping_sub(1) } else { bits }
}

/// The float with a code.
pub fn float_of_code(code: i64) -> f64 {
    let bits = if code < 0 { i64::MIN.wrapping_sub(code).wrapping_sub(1) } else { code };
    f64::from_bits(bits as u64)
}

/// The codes of the scalars that equal this one under `==`: for a zero, those of both zeros.
pub fn equal_codes(scalar: &Value) -> IntervalSet {
    match (scalar, code(scalar)) {
        (Value::Float(x), _) if *x == 0.0 => IntervalSet::between(Int::from(-1), Int::from(0)),
        (_, Some(code)) => IntervalSet::point(code),
        (_, None) => IntervalSet::none(),
    }
}
