//! Operations on sequences, and on strings as sequences.
//!
//! `map`, `filter`, ranges and windows are visited lazily, like Rust's iterators: `all` stops at a false element, so
//! that later elements can't panic. If a sequence is needed as a value, all of it is computed.

use std::collections::HashSet;
use std::sync::Arc;

use super::env::{Datum, Env, Halt};
use crate::logic::int::Int;
use crate::logic::ir::{Closure, Term};
use crate::logic::order::{logic_compare, logic_equal};
use crate::logic::value::Value;

/// Cost of an element of a new sequence in steps. It bounds memory too.
pub(super) const ELEMENT: usize = 8;

/// Maximum length up to which elements are compared pairwise instead of hashed, which is faster for few elements.
const FEW: usize = 24;

/// Visits one element. `false` ends the visit.
type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Env<'a>, Datum<'a>) -> Result<bool, Halt>;

impl<'a> Env<'a> {
    /// Visits the elements from the left; false if the visitor ended it.
    #[expect(clippy::too_many_lines, reason = "it has an arm for each term")]
    pub(super) fn each(&mut self, over: &'a Term, visit: Visit<'_, 'a>) -> Result<bool, Halt> {
        match over {
            Term::Range(low, high) => {
                let (low, high) = (self.integer(low)?, self.integer(high)?);
                self.each_between(low, &high, visit)
            }
            Term::Map(over, closure) => self.each(over, &mut |env, element| {
                let image = env.binding(closure.slot, element, |env| env.datum(&closure.body))?;
                visit(env, image)
            }),
            Term::Filter(over, closure) => self.each(over, &mut |env, element| {
                if env.test(closure, element.clone())? { visit(env, element) } else { Ok(true) }
            }),
            Term::Windows(over, width) => {
                let sequence = self.datum(over)?;
                self.each_window(&sequence, *width as usize, visit)
            }
            Term::Zip(a, b) => {
                let seconds = self.datum(b)?;
                self.each_pair(a, &seconds, visit)
            }
            Term::Call(id, args) if self.is_total(*id) => {
                self.call(*id, args, |env, body| env.each_part(body, visit))
            }
            Term::Chars(of) => {
                let of = self.datum(of)?;
                let chars = of.text()?.chars();
                self.each_new(chars.map(Value::Char), visit)
            }
            Term::Bytes(of) => {
                let of = self.datum(of)?;
                let bytes = of.text()?.bytes();
                self.each_new(bytes.map(Value::int), visit)
            }
            Term::Var(_)
            | Term::Lit(_)
            | Term::Not(_)
            | Term::And(_)
            | Term::Or(_)
            | Term::If(..)
            | Term::Let { .. }
            | Term::Equal(..)
            | Term::Compare(..)
            | Term::Arith(..)
            | Term::Neg(_)
            | Term::Abs(_)
            | Term::FloatArith(..)
            | Term::FloatUnary(..)
            | Term::Machine(..)
            | Term::IntToFloat(..)
            | Term::ToInt(_)
            | Term::Tuple(_)
            | Term::Seq(_)
            | Term::Construct(..)
            | Term::Project(..)
            | Term::Field { .. }
            | Term::IsCtor(..)
            | Term::Len(_)
            | Term::Index(..)
            | Term::Slice(..)
            | Term::Concat(_)
            | Term::Flatten(_)
            | Term::Reverse(_)
            | Term::Text(_)
            | Term::StrTest(..)
            | Term::Matches(..)
            | Term::StrFind(..)
            | Term::TextOp(..)
            | Term::Contains(..)
            | Term::All(..)
            | Term::Any(..)
            | Term::Fold { .. }
            | Term::Sum(_)
            | Term::Position(..)
            | Term::Extreme { .. }
            | Term::Distinct(_)
            | Term::IsSorted(_)
            | Term::Collect(..)
            | Term::SetOp(..)
            | Term::Subset(..)
            | Term::Entries(_)
            | Term::Keys(_)
            | Term::MapGet(..)
            | Term::MapWith(..)
            | Term::MapWithout(..)
            | Term::CharIs(..)
            | Term::Call(..)
            | Term::Opaque(..)
            | Term::Ask(..)
            | Term::Undefined => {
                let sequence = self.datum(over)?;
                self.each_element(&sequence, visit)
            }
        }
    }

    /// [`Env::each`] in the body of a total function: reading one part after the other loses nothing.
    fn each_part(&mut self, over: &'a Term, visit: Visit<'_, 'a>) -> Result<bool, Halt> {
        if let Term::Seq(parts) = over {
            for part in parts {
                let element = self.datum(part)?;
                if !visit(self, element)? {
                    return Ok(false);
                }
            }
            Ok(true)
        } else if let Term::Concat(parts) = over {
            for part in parts {
                if !self.each_part(part, visit)? {
                    return Ok(false);
                }
            }
            Ok(true)
        } else if let Term::If(condition, a, b) = over {
            let truth = self.truth(condition)?;
            self.decided(condition, truth);
            let branch = if truth { a } else { b };
            self.each_part(branch, visit)
        } else if let Term::Flatten(of) = over
            && let Term::Map(over, closure) = &**of
        {
            self.each(over, &mut |env, element| {
                env.binding(closure.slot, element, |env| env.each_part(&closure.body, visit))
            })
        } else {
            self.each(over, visit)
        }
    }

    fn each_between(&mut self, mut low: Int, high: &Int, visit: Visit<'_, 'a>) -> Result<bool, Halt> {
        while low < *high {
            self.charge(1)?;
            let next = &low + &Int::ONE;
            if !visit(self, Datum::Own(Value::Int(low)))? {
                return Ok(false);
            }
            low = next;
        }
        Ok(true)
    }

    fn each_window(&mut self, of: &Datum<'a>, width: usize, visit: Visit<'_, 'a>) -> Result<bool, Halt> {
        let width = width.max(1);
        if let Some(elements) = of.borrowed() {
            for window in elements.windows(width) {
                if !visit(self, Datum::View(window))? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        for window in of.elements()?.windows(width) {
            self.charge(width)?;
            if !visit(self, Datum::Own(Value::seq(window)))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn each_pair(&mut self, a: &'a Term, seconds: &Datum<'a>, visit: Visit<'_, 'a>) -> Result<bool, Halt> {
        let length = seconds.elements()?.len();
        let (mut index, mut all) = (0, true);
        self.each(a, &mut |env, first| {
            if index == length {
                return Ok(false);
            }
            let pair = [env.own(first)?, env.own_element(seconds, index)?];
            index += 1;
            all = visit(env, Datum::Own(Value::Tuple(Arc::new(pair))))?;
            Ok(all)
        })?;
        Ok(all)
    }

    fn own_element(&mut self, of: &Datum<'a>, index: usize) -> Result<Value, Halt> {
        let element = of.element(index)?;
        self.own(element)
    }

    fn each_new(&mut self, values: impl Iterator<Item = Value>, visit: Visit<'_, 'a>) -> Result<bool, Halt> {
        for value in values {
            if !visit(self, Datum::Own(value))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn each_element(&mut self, of: &Datum<'a>, visit: Visit<'_, 'a>) -> Result<bool, Halt> {
        let Some(elements) = of.borrowed() else {
            return self.each_new(of.elements()?.iter().cloned(), visit);
        };
        for element in elements {
            if !visit(self, Datum::Ref(element))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the body of a closure is true of an element.
    pub(super) fn test(&mut self, closure: &'a Closure, element: Datum<'a>) -> Result<bool, Halt> {
        self.binding(closure.slot, element, |env| env.truth(&closure.body))
    }

    pub(super) fn flatten(&mut self, of: &'a Term) -> Result<Value, Halt> {
        let parts = self.collect(of)?;
        self.concatenated(&parts)
    }

    pub(super) fn reverse(&mut self, of: &'a Term) -> Result<Value, Halt> {
        let mut elements = self.collect(of)?;
        elements.reverse();
        Ok(Value::seq(elements))
    }

    /// The index of the first element of which a closure is true.
    pub(super) fn position(&mut self, over: &'a Term, closure: &'a Closure) -> Result<Value, Halt> {
        let mut index = 0_u64;
        let none = self.each(over, &mut |env, element| {
            let found = env.test(closure, element)?;
            index += u64::from(!found);
            Ok(!found)
        })?;
        Ok(option((!none).then(|| Value::int(index))))
    }

    pub(super) fn collect(&mut self, over: &'a Term) -> Result<Vec<Value>, Halt> {
        let mut collected = Vec::new();
        self.each(over, &mut |env, element| {
            env.charge(ELEMENT)?;
            collected.push(env.own(element)?);
            Ok(true)
        })?;
        Ok(collected)
    }

    pub(super) fn slice(&mut self, of: &'a Term, low: &'a Term, high: &'a Term) -> Result<Datum<'a>, Halt> {
        let of = self.datum(of)?;
        let (low, high) = (self.integer(low)?.to_usize(), self.integer(high)?.to_usize());
        let range = low.zip(high).map(|(low, high)| low..high).ok_or(Halt::Undefined)?;
        match of.borrowed() {
            Some(elements) => elements.get(range).map(Datum::View).ok_or(Halt::Undefined),
            None => {
                let part = of.elements()?.get(range).ok_or(Halt::Undefined)?;
                self.charge(part.len() * ELEMENT)?;
                Ok(Datum::Own(Value::seq(part)))
            }
        }
    }

    pub(super) fn concat(&mut self, parts: &'a [Term]) -> Result<Value, Halt> {
        let mut joined = Joined::Nothing;
        for part in parts {
            self.join(part, &mut joined)?;
        }
        Ok(match joined {
            Joined::Elements(elements) => Value::seq(elements),
            Joined::Text(text) => Value::str(&text),
            Joined::Nothing => Value::seq([]),
        })
    }

    /// Appends the value of a term. Only the whole is made.
    fn join(&mut self, part: &'a Term, joined: &mut Joined) -> Result<(), Halt> {
        if let Term::Concat(parts) = part {
            self.charge(1)?;
            parts.iter().try_for_each(|part| self.join(part, joined))
        } else if let Term::Call(id, args) = part {
            self.call(*id, args, |env, body| env.join(body, joined))
        } else if let Term::If(condition, a, b) = part {
            let truth = self.truth(condition)?;
            self.decided(condition, truth);
            self.join(if truth { a } else { b }, joined)
        } else if let Term::Seq(parts) = part {
            self.charge(parts.len() * ELEMENT)?;
            for part in parts {
                let element = self.datum(part)?;
                let element = self.own(element)?;
                joined.elements()?.push(element);
            }
            // The whole is a sequence, even if it is empty.
            joined.elements().map(|_| ())
        } else {
            let part = self.datum(part)?;
            if let Ok(more) = part.text() {
                self.charge(more.len())?;
                joined.text()?.push_str(more);
            } else {
                let more = part.elements()?;
                self.charge(more.len() * ELEMENT)?;
                joined.elements()?.extend_from_slice(more);
            }
            Ok(())
        }
    }

    fn concatenated(&mut self, parts: &[Value]) -> Result<Value, Halt> {
        let mut flat = Vec::new();
        for part in parts {
            let Value::Seq(part) = part else { return Err(Halt::IllTyped) };
            self.charge(part.len() * ELEMENT)?;
            flat.extend_from_slice(part);
        }
        Ok(Value::seq(flat))
    }

    pub(super) fn fold(
        &mut self,
        over: &'a Term,
        init: &'a Term,
        acc: u32,
        closure: &'a Closure,
    ) -> Result<Datum<'a>, Halt> {
        let mut folded = self.datum(init)?;
        self.each(over, &mut |env, element| {
            let before = folded.clone();
            folded = env.binding(acc, before, |env| {
                env.binding(closure.slot, element, |env| env.datum(&closure.body))
            })?;
            Ok(true)
        })?;
        Ok(folded)
    }

    pub(super) fn sum(&mut self, over: &'a Term) -> Result<Int, Halt> {
        let mut sum = Int::ZERO;
        self.each(over, &mut |env, element| {
            let Value::Int(n) = element.value()? else { return Err(Halt::IllTyped) };
            env.charge_for_digits(&sum, n, false)?;
            sum = &sum + n;
            Ok(true)
        })?;
        Ok(sum)
    }

    /// As in Rust: the first of several least elements, the last of several greatest.
    pub(super) fn extreme(&mut self, over: &'a Term, greatest: bool) -> Result<Value, Halt> {
        let mut best: Option<Datum<'a>> = None;
        self.each(over, &mut |env, element| {
            env.charge(element.breadth())?;
            let better = match &best {
                None => true,
                Some(best) if greatest => best.compare(&element)?.is_some_and(|order| order.is_le()),
                Some(best) => element.compare(best)?.is_some_and(|order| order.is_lt()),
            };
            if better {
                best = Some(element);
            }
            Ok(true)
        })?;
        let best = best.map(|best| self.own(best)).transpose()?;
        Ok(option(best))
    }

    pub(super) fn length(&mut self, of: &'a Term) -> Result<Int, Halt> {
        if let Term::Map(..) | Term::Filter(..) | Term::Range(..) | Term::Windows(..) | Term::Zip(..) = of {
            let mut length = 0_u64;
            self.each(of, &mut |_, _| {
                length += 1;
                Ok(true)
            })?;
            return Ok(Int::from(length));
        }
        let of = self.datum(of)?;
        match &of {
            Datum::Ref(Value::Str(text)) | Datum::Own(Value::Str(text)) => Ok(Int::from(text.len())),
            Datum::Ref(_) | Datum::View(_) | Datum::Own(_) => Ok(Int::from(of.elements()?.len())),
        }
    }

    pub(super) fn contains(&mut self, of: &'a Term, wanted: &'a Term) -> Result<bool, Halt> {
        if let Term::Range(low, high) = of {
            let (low, high) = (self.integer(low)?, self.integer(high)?);
            let wanted = self.integer(wanted)?;
            return Ok(low <= wanted && wanted < high);
        }
        let of = self.datum(of)?;
        let wanted = self.datum(wanted)?;
        self.charge(of.breadth())?;
        for element in of.elements()? {
            if wanted.equals(&Datum::Ref(element))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn distinct(&mut self, of: &'a Term) -> Result<bool, Halt> {
        let of = self.datum(of)?;
        let elements = of.elements()?;
        if elements.len() > FEW && !elements.iter().any(has_float) {
            self.charge(elements.len())?;
            let mut seen = HashSet::with_capacity(elements.len());
            return Ok(elements.iter().all(|element| seen.insert(element)));
        }
        self.charge(elements.len().saturating_mul(elements.len()) / 2)?;
        let repeated = |(index, element)| elements[..index].iter().any(|other| logic_equal(element, other));
        Ok(!elements.iter().enumerate().any(repeated))
    }

    pub(super) fn is_sorted(&mut self, of: &'a Term) -> Result<bool, Halt> {
        let of = self.datum(of)?;
        self.charge(of.breadth())?;
        let in_order = |pair: &[Value]| logic_compare(&pair[0], &pair[1]).is_some_and(|order| order.is_le());
        Ok(of.elements()?.windows(2).all(in_order))
    }
}

/// The beginning of a concatenation.
enum Joined {
    Nothing,
    Elements(Vec<Value>),
    Text(String),
}

impl Joined {
    fn elements(&mut self) -> Result<&mut Vec<Value>, Halt> {
        if let Joined::Nothing = self {
            *self = Joined::Elements(Vec::new());
        }
        let Joined::Elements(elements) = self else { return Err(Halt::IllTyped) };
        Ok(elements)
    }

    fn text(&mut self) -> Result<&mut String, Halt> {
        if let Joined::Nothing = self {
            *self = Joined::Text(String::new());
        }
        let Joined::Text(text) = self else { return Err(Halt::IllTyped) };
        Ok(text)
    }
}

/// Whether a value contains a float. For floats, the logic's `==` may differ from identity, which hashing uses.
fn has_float(value: &Value) -> bool {
    match value {
        Value::Float(_) => true,
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => parts.iter().any(has_float),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Str(_) => false,
    }
}

/// `None` is the constructor 0 of `Option`, `Some` is 1.
pub(super) fn option(value: Option<Value>) -> Value {
    match value {
        None => Value::Data(0, Arc::from([])),
        Some(value) => Value::Data(1, Arc::from([value])),
    }
}
