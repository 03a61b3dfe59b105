//! Inputs like the first member of a space, but with one other scalar: `(0, 0, 1)` after `(0, 0, 0)`.
//!
//! A space of many scalars has one size, whose members come in an order in which neighbours are far apart: the
//! simplest differences would come late.

use std::collections::VecDeque;

use target_strategies::logic::value::Value;
use target_strategies::space::{assemble, scalars_of, skeleton_of};

/// Maximum number of scalars that are varied. Of fewer than the least number, all combinations come early anyway.
const SCALARS: std::ops::RangeInclusive<usize> = 3..=32;

/// The inputs that are left; they are made from the first member.
#[derive(Default)]
pub struct OneOther {
    left: Option<VecDeque<Vec<Value>>>,
}

impl OneOther {
    /// The next of these inputs. Only the space says whether it is valid.
    pub fn next(&mut self, member: &[Value]) -> Option<Vec<Value>> {
        self.left.get_or_insert_with(|| changed_once(member)).pop_front()
    }
}

fn changed_once(member: &[Value]) -> VecDeque<Vec<Value>> {
    let (skeleton, scalars) = (skeleton_of(member), scalars_of(member));
    if !SCALARS.contains(&scalars.len()) {
        return VecDeque::new();
    }
    let changed = |at: usize| {
        let mut scalars = scalars.clone();
        scalars[at] = other(&scalars[at])?;
        Some(assemble(&skeleton, &scalars))
    };
    // The last argument first: what comes before it is usually looked at first.
    (0..scalars.len()).rev().filter_map(changed).collect()
}

/// The simplest other value of a scalar.
fn other(scalar: &Value) -> Option<Value> {
    match scalar {
        Value::Bool(b) => Some(Value::Bool(!b)),
        Value::Int(n) if n.is_zero() => Some(Value::int(1)),
        Value::Float(x) if *x == 0.0 => Some(Value::Float(1.0)),
        Value::Int(_) | Value::Float(_) | Value::Char(_) | Value::Str(_) => None,
        Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scalar_is_changed_once() {
        let member = [Value::int(0), Value::Tuple([Value::int(0), Value::int(5)].into()), Value::Bool(false)];
        let mut inputs = OneOther::default();
        let all: Vec<Vec<Value>> = std::iter::from_fn(|| inputs.next(&member)).collect();
        let pair = |a: i64| Value::Tuple([Value::int(a), Value::int(5)].into());
        let expected = [
            [Value::int(0), pair(0), Value::Bool(true)],
            [Value::int(0), pair(1), Value::Bool(false)],
            [Value::int(1), pair(0), Value::Bool(false)],
        ];
        assert_eq!(all, expected);
    }
}
