//! Integers of which one limits another.

use target_strategies::child::serve::convert::as_i64;
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};

use super::Structure;
use crate::space_of;

/// `(r1, r2, s)` with positive `r1` and `r2` up to `n`, and `s` below `r1`.
#[derive(Debug)]
pub struct RelatedIntegers;

impl Structure for RelatedIntegers {
    type Owned = (i64, i64, i64);

    const NAME: &'static str = "three related integers";

    fn space(n: u32) -> Space {
        let spec = "fn(r1: Pos, r2: Pos, s: Rng(r1))";
        space_of("scores", "scores", 3, spec, Bounds { depth: 1, bound: n })
    }

    fn each(n: u32, found: &mut dyn FnMut((i64, i64, i64))) {
        let n = i64::from(n);
        for r1 in 1..=n {
            for r2 in 1..=n {
                for s in 0..r1 {
                    found((r1, r2, s));
                }
            }
        }
    }

    fn owned(args: &[Value]) -> (i64, i64, i64) {
        (as_i64(&args[0]), as_i64(&args[1]), as_i64(&args[2]))
    }
}
