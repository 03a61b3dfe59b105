//! Sets, bags and maps: operations on sequences in the normal form of [`crate::logic::collection`], which they
//! preserve.

use std::cmp::Ordering;

use super::env::{Env, Halt};
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
        let (a, b) = (self.datum(a)?, self.datum(b)?);
        let (a, b) = (a.elements()?, b.elements()?);
        self.charge((a.len() + b.len()) * ELEMENT)?;
        let mut kept = Vec::new();
        let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
        while let (Some(x), Some(y)) = (left.peek(), right.peek()) {
            let order = logic_compare(x, y).ok_or(Halt::IllTyped)?;
            // Equal elements cancel one by one, so that counts in bags are right.
            let (first, second) = (order.is_le().then(|| left.next()), order.is_ge().then(|| right.next()));
            let (first, second) = (first.flatten(), second.flatten());
            match (op, order) {
                (SetOp::Union, Ordering::Equal) if is_bag => kept.extend(first.into_iter().chain(second)),
                (SetOp::Union, Ordering::Greater) => kept.extend(second),
                (SetOp::Union | SetOp::Difference, Ordering::Less)
                | (SetOp::Union | SetOp::Intersection, Ordering::Equal) => kept.extend(first),
                _ => {}
            }
        }
        if op != SetOp::Intersection {
            kept.extend(left);
        }
        if op == SetOp::Union {
            kept.extend(right);
        }
        Ok(Value::Seq(kept.into_iter().cloned().collect()))
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
