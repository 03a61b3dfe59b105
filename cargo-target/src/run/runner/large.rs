//! Arguments so large that it is no surprise if a function takes long, or much memory.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_anywhere_counts() {
        assert!(!are_large(&[Value::int(999_999), Value::seq([Value::int(-1)])]));
        assert!(are_large(&[Value::seq([Value::int(1), Value::int(-1_000_000)])]));
    }
}
