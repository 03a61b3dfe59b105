//! The values that cases have in their parts, by the type of the part.

use std::collections::HashMap;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Refined, Sort, Spec};
use target_strategies::logic::part::parts;
use target_strategies::logic::value::Value;

/// Maximum number of values of a type.
const MOST: usize = 160;

/// Maximum number of parts of a case that are looked at.
const MOST_PARTS: usize = 64;

/// The values seen so far.
#[derive(Default)]
pub(super) struct Pool {
    /// By the address of the type in the spec, which stays.
    seen: HashMap<usize, Vec<Value>>,
}

impl Pool {
    /// Adds the values of a case.
    pub(super) fn add(&mut self, spec: &Spec, args: &[Value]) {
        for part in parts(spec, args, true).into_iter().take(MOST_PARTS) {
            let values = self.seen.entry(address(part.refined)).or_default();
            if values.len() < MOST && !values.contains(part.value) {
                values.push(part.value.clone());
            }
        }
    }

    /// Values for a part of a case, without its own: first those next to it, then those seen in such parts. The turn says
    /// with which they begin.
    pub(super) fn values(&self, spec: &Spec, args: &[Value], path: &[usize], turn: u64) -> Vec<Value> {
        let Some(part) = parts(spec, args, true).into_iter().find(|part| part.path == path) else {
            return Vec::new();
        };
        let mut found = near(part.refined, part.value);
        let seen = self.seen.get(&address(part.refined)).map(Vec::as_slice).unwrap_or_default();
        // Large steps first: neighbors in the list are alike.
        let start = turn as usize % seen.len().max(1);
        let step = step(seen.len());
        let others = (0..seen.len()).map(|index| &seen[(start + index * step) % seen.len()]);
        for value in others {
            if value != part.value && !found.contains(value) {
                found.push(value.clone());
            }
        }
        found
    }
}

fn address(refined: &Refined) -> usize {
    std::ptr::from_ref(refined) as usize
}

/// A step around a list that meets each position: the first from half of its length on that has no factor in common.
fn step(len: usize) -> usize {
    let gcd = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (len * 5 / 8 + 1..).find(|step| gcd(*step, len.max(1)) == 1).unwrap_or(1)
}

/// The values next to a number.
fn near(refined: &Refined, value: &Value) -> Vec<Value> {
    let (Sort::Int(kind), Value::Int(number)) = (&refined.sort, value) else { return Vec::new() };
    let near = [number + &Int::ONE, number - &Int::ONE];
    near.into_iter().filter(|near| kind.contains(near)).map(Value::Int).collect()
}
