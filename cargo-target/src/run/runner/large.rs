//! Arguments so large that it is no surprise if a function takes long, or much memory; and small ones in their place.

use target_strategies::logic::int::Int;
use target_strategies::logic::value::Value;

/// The least magnitude of such a number.
const LARGE: i64 = 1_000_000;

/// Whether some number in the arguments is large.
pub fn are_large(args: &[Value]) -> bool {
    args.iter().any(|value| match value {
        Value::Int(n) => Int::from(LARGE) <= n.abs(),
        Value::Float(x) => x.abs() >= LARGE as f64,
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => are_large(parts),
        Value::Bool(_) | Value::Char(_) | Value::Str(_) => false,
    })
}

/// The arguments with small numbers for the large ones: another one for each, or 0.
pub fn tame(args: &[Value]) -> [Vec<Value>; 2] {
    let mut large = Vec::new();
    let numbered = args.iter().map(|value| with_small(value, &mut |n| number(n, &mut large))).collect();
    let zero = args.iter().map(|value| with_small(value, &mut |_| Int::ZERO)).collect();
    [numbered, zero]
}

/// The number of a large number among the known ones, with its sign.
fn number(n: &Int, large: &mut Vec<Int>) -> Int {
    if !large.contains(n) {
        large.push(n.clone());
    }
    let position = large.iter().position(|known| known == n).unwrap_or_default();
    let number = Int::from(position as i64 + 1);
    if *n < Int::ZERO { -&number } else { number }
}

fn with_small(value: &Value, small: &mut impl FnMut(&Int) -> Int) -> Value {
    let mut all = |parts: &[Value]| parts.iter().map(|part| with_small(part, small)).collect();
    match value {
        Value::Int(n) if Int::from(LARGE) <= n.abs() => Value::Int(small(n)),
        Value::Float(x) if x.abs() >= LARGE as f64 => Value::Float(1.0_f64.copysign(*x)),
        Value::Seq(parts) => Value::Seq(all(parts)),
        Value::Tuple(parts) => Value::Tuple(all(parts)),
        Value::Data(ctor, parts) => Value::Data(*ctor, all(parts)),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Char(_) | Value::Str(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_anywhere_counts() {
        assert!(!are_large(&[Value::int(999_999), Value::seq([Value::int(-1)])]));
        assert!(are_large(&[Value::seq([Value::int(1), Value::int(-1_000_000)])]));
    }

    #[test]
    fn large_numbers_become_small_ones_and_stay_different() {
        let (n, m) = (Value::int(9_000_000), Value::int(-8_000_000));
        let args = [Value::seq([n.clone(), Value::int(7), m.clone()]), n, Value::Float(-1e9)];
        let small = |a, b| vec![Value::seq([Value::int(a), Value::int(7), Value::int(b)]), Value::int(a)];
        let tame = tame(&args).map(|mut args| (args.pop(), args));
        let float = Some(Value::Float(-1.0));
        assert_eq!(tame, [(float.clone(), small(1, -2)), (float, small(0, 0))]);
    }
}
