//! Strategies in memory: draws, shrinking, and what proptest asks of a strategy, on the structures of the fixtures.

use std::cell::Cell;

use proptest::strategy::{Strategy, ValueTree, check_strategy_sanity};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use target_strategies::eval::admits;
use target_strategies::space::Bounds;
use target_strategies::strategy::Members;
use target_strategies::value::Value;
use workspace_tests::space_of;

/// A fixture, its crate, the number of parameters, a spec.
const SPECS: [(&str, &str, usize, &str); 7] = [
    ("scores", "scores", 3, "fn(r1: Pos, r2: Pos, s: Rng(r1))"),
    ("scores", "scores", 1, "fn(xs: Sorted<Score>)"),
    ("trees", "ordered_trees", 1, "fn(xs: UniqueList<i64>)"),
    ("trees", "ordered_trees", 1, "fn(t: Search<i64>)"),
    ("trees", "ordered_trees", 1, "fn(t: OkTree)"),
    ("trees", "ordered_trees", 1, "fn(t: OkAvl<i64>)"),
    ("lambda", "lambda", 1, "fn(e: Closed)"),
];

fn members((fixture, crate_name, n, spec): (&str, &str, usize, &str), bounds: Bounds) -> Members<Vec<Value>> {
    let space = space_of(fixture, crate_name, n, spec, bounds);
    Members::new((**space.spec()).clone(), bounds, <[Value]>::to_vec, &[])
}

#[test]
fn wide() {
    for spec in SPECS {
        for (depth, bound) in [(4, 4), (6, 10), (6, 100), (8, 100), (6, 1000)] {
            let start = std::time::Instant::now();
            let members = members(spec, Bounds { depth, bound });
            let one = members.sample(0).next();
            let first = start.elapsed();
            let start = std::time::Instant::now();
            let sizes: Vec<_> =
                members.sample(0).take(1000).map(|args| target_strategies::shrink::size(&args).0).collect();
            let rest = start.elapsed();
            println!("{} {depth} {bound}: {first:?} {rest:?} max size {:?}", spec.3, sizes.iter().max());
        }
    }
}
