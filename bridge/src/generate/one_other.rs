//! Members of a space whose scalars are the simplest ones, but for one of them: `(0, 0, 1)`.
//!
//! A space of many scalars has one size, whose members come in an order in which neighbours are far apart: the
//! simplest differences would come late.

use std::collections::VecDeque;

use target_strategies::logic::eval::{Judge, Judgement, admits};
use target_strategies::logic::value::Value;
use target_strategies::space::{Space, assemble, scalars_of, skeleton_of};

/// Maximum number of scalars that are varied. Of fewer than the least number, all combinations come early anyway.
const SCALARS: std::ops::RangeInclusive<usize> = 3..=32;

/// The inputs that are left; they are made from the first member.
#[derive(Default)]
pub struct OneOther {
    left: Option<VecDeque<Vec<Value>>>,
}

impl OneOther {
    /// The next of these inputs that the space has.
    pub fn next(&mut self, space: &Space, member: &[Value]) -> Option<Vec<Value>> {
        let left = self.left.get_or_insert_with(|| changed_once(space, member));
        std::iter::from_fn(|| left.pop_front()).find(|args| is_member(space, args))
    }
}

fn changed_once(space: &Space, member: &[Value]) -> VecDeque<Vec<Value>> {
    let (skeleton, mut scalars) = (skeleton_of(member), scalars_of(member));
    if !SCALARS.contains(&scalars.len()) || member.iter().any(has_elements) {
        return VecDeque::new();
    }
    for at in 0..scalars.len() {
        let Some((simplest, _)) = simplest(&scalars[at]) else { continue };
        let before = std::mem::replace(&mut scalars[at], simplest);
        if !is_member(space, &assemble(&skeleton, &scalars)) {
            scalars[at] = before;
        }
    }
    let changed = |at: usize| {
        let mut scalars = scalars.clone();
        scalars[at] = simplest(&scalars[at])?.1;
        Some(assemble(&skeleton, &scalars))
    };
    // The last argument first: what comes before it is usually looked at first.
    (0..scalars.len()).rev().filter_map(changed).collect()
}

fn is_member(space: &Space, args: &[Value]) -> bool {
    let is_explored = || Judge::new(None).explored(space.spec(), args) == Judgement::Holds;
    space.contains(args) && admits(space.spec(), args) && is_explored()
}

/// Whether a value has a length: then there are other sizes, whose members are simpler.
fn has_elements(value: &Value) -> bool {
    match value {
        Value::Seq(_) | Value::Str(_) => true,
        Value::Tuple(parts) | Value::Data(_, parts) => parts.iter().any(has_elements),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => false,
    }
}

/// The two simplest values of a scalar's type.
fn simplest(scalar: &Value) -> Option<(Value, Value)> {
    match scalar {
        Value::Bool(_) => Some((Value::Bool(false), Value::Bool(true))),
        Value::Int(_) => Some((Value::int(0), Value::int(1))),
        Value::Float(_) => Some((Value::Float(0.0), Value::Float(1.0))),
        Value::Char(_) | Value::Str(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => None,
    }
}
