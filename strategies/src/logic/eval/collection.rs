//! Sets, bags and maps: operations on sequences in the normal form of [`crate::logic::collection`], which they
//! preserve.

use std::cmp::Ordering;

use super::env::{Datum, Env, Halt};
use super::sequence::{ELEMENT, option};
use crate::logic::collection::{collected, entry, in_order, key_of};
use crate::logic::ir::{Collection, SetOp, Sort, Term};
use crate::logic::order::logic_compare;
use crate::logic::value::Value;

impl<'a> Env<'a> {
    /// The set, bag or map of a sequence's elements.
    pub(super) fn collection(&mut self, kind: Collection, of: &'a Term) -> Result<Value, Halt> {
        let elements = self.collect(of)?;
        if self.has_unread && elements.iter().any(Value::has_unread) {
            return Err(Halt::Unread);
        }
        self.charge_for_sorting(elements.len())?;
        Ok(collected(kind, elements))
    }

    pub(super) fn keys(&mut self, of: &'a Term) -> Result<Value, Halt> {
        let of = self.datum(of)?;
        let pairs = of.elements()?;
        self.charge(pairs.len() * ELEMENT)?;
        Ok(Value::Seq(pairs.iter().map(|pair| key_of(pair).clone()).collect()))
    }

    pub(super) fn map_get(&mut self, of: &'a Term, key: &'a Term) -> Result<Value, Halt> {
        let (of, key) = (self.datum(of)?, self.datum(key)?);
        let key = self.own(key)?;
        self.charge(of.breadth())?;
        let held = match entry(of.elements()?, &key) {
            Some(Value::Tuple(pair)) => pair.get(1).cloned(),
            Some(_) | None => None,
        };
        Ok(option(held))
    }

    pub(super) fn map_with(&mut self, of: &'a Term, key: &'a Term, value: &'a Term) -> Result<Value, Halt> {
        let of = self.datum(of)?;
        let (key, value) = (self.datum(key)?, self.datum(value)?);
        let pair = Value::Tuple([self.own(key)?, self.own(value)?].into());
        let mut pairs = of.elements()?.to_vec();
        self.charge_for_sorting(pairs.len())?;
        pairs.push(pair);
        Ok(collected(Collection::Map, pairs))
    }

    pub(super) fn map_without(&mut self, of: &'a Term, key: &'a Term) -> Result<Value, Halt> {
        let (of, key) = (self.datum(of)?, self.datum(key)?);
        let key = self.own(key)?;
        self.charge(of.breadth() * ELEMENT)?;
        let is_other = |pair: &&Value| logic_compare(key_of(pair), &key) != Some(Ordering::Equal);
        Ok(Value::Seq(of.elements()?.iter().filter(is_other).cloned().collect()))
    }

    pub(super) fn set_op(
        &mut self,
        op: SetOp,
        is_bag: bool,
        a: &'a Term,
        b: &'a Term,
    ) -> Result<Value, Halt> {
        if op == SetOp::Union {
            let mut elements = Vec::new();
            self.gather(a, is_bag, &mut elements)?;
            self.gather(b, is_bag, &mut elements)?;
            self.charge_for_sorting(elements.len())?;
            return Ok(collected(kind_of(is_bag), elements));
        }
        let (a, b) = (self.datum(a)?, self.datum(b)?);
        let (a, b) = (a.elements()?, b.elements()?);
        self.charge((a.len() + b.len()) * ELEMENT)?;
        let mut kept = Vec::new();
        let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
        while let (Some(x), Some(y)) = (left.peek(), right.peek()) {
            let order = logic_compare(x, y).ok_or(Halt::IllTyped)?;
            // Equal elements cancel one by one, so that counts in bags are right.
            let first = order.is_le().then(|| left.next()).flatten();
            if order.is_ge() {
                right.next();
            }
            let is_kept = if op == SetOp::Intersection { order.is_eq() } else { order.is_lt() };
            kept.extend(first.filter(|_| is_kept));
        }
        if op == SetOp::Difference {
            kept.extend(left);
        }
        Ok(Value::Seq(kept.into_iter().cloned().collect()))
    }

    /// Collects the elements of a set or bag. Those of a union need no order yet.
    fn gather(&mut self, term: &'a Term, is_bag: bool, elements: &mut Vec<Value>) -> Result<(), Halt> {
        if let Term::SetOp(SetOp::Union, of_bags, a, b) = term
            && *of_bags == is_bag
        {
            self.charge(1)?;
            self.gather(a, is_bag, elements)?;
            self.gather(b, is_bag, elements)
        } else if let Term::Call(id, args) = term {
            self.call(*id, args, |env, body| env.gather(body, is_bag, elements))
        } else if let Term::If(condition, a, b) = term {
            let truth = self.truth(condition)?;
            self.decided(condition, truth);
            self.gather(if truth { a } else { b }, is_bag, elements)
        } else if let Term::Collect(kind, of) = term
            && *kind == kind_of(is_bag)
        {
            let mut add = |env: &mut Env<'a>, element: Datum<'a>| {
                env.charge(ELEMENT)?;
                let element = env.own(element)?;
                if env.has_unread && element.has_unread() {
                    return Err(Halt::Unread);
                }
                elements.push(element);
                Ok(true)
            };
            if let Term::Seq(parts) = &**of {
                for part in parts {
                    let element = self.datum(part)?;
                    add(self, element)?;
                }
                return Ok(());
            }
            self.each(of, &mut add).map(|_| ())
        } else {
            let of = self.datum(term)?;
            let more = of.elements()?;
            self.charge(more.len() * ELEMENT)?;
            elements.extend_from_slice(more);
            Ok(())
        }
    }

    /// Whether the second contains all elements of the first, in a bag as often.
    pub(super) fn subset(&mut self, is_bag: bool, a: &'a Term, b: &'a Term) -> Result<bool, Halt> {
        let rest = self.set_op(SetOp::Difference, is_bag, a, b)?;
        Ok(matches!(rest, Value::Seq(rest) if rest.is_empty()))
    }

    /// Whether elements form a value of a set's or map's sort, ignoring refinements.
    pub(super) fn is_collection(&self, elements: &[Value], sort: &Sort) -> bool {
        let is_pair = |value: &Value| matches!(value, Value::Tuple(pair) if pair.len() == 2);
        let of_pairs = !matches!(sort, Sort::Map(..)) || elements.iter().all(is_pair);
        of_pairs && sort.collection().is_some_and(|kind| in_order(kind, elements))
    }

    fn charge_for_sorting(&mut self, length: usize) -> Result<(), Halt> {
        let rounds = usize::BITS - length.leading_zeros();
        self.charge(length.saturating_mul(ELEMENT + rounds as usize))
    }
}

fn kind_of(is_bag: bool) -> Collection {
    if is_bag { Collection::Bag } else { Collection::Set }
}
