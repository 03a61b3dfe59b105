//! Inputs beyond the bound: large structures are valid, varied and cheap, whatever the spec says about their shape and numbers.

use target_strategies::beyond::{Beyond, Seen, SharedSamples, Source};
use target_strategies::logic::eval::admits;
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};
use workspace_tests::space_of;

/// Number of inputs of each space.
const INPUTS: usize = 60;

/// Maximum number of attempts for them, and maximum work, in steps of the engine.
const ATTEMPTS: u64 = 400;
const WORK: u64 = 2_000_000;

/// Steps that are affordable at first, and more for each attempt, as in the schedule of the default generator.
const FREE_WORK: u64 = 150_000;
const WORK_PER_ATTEMPT: u64 = 6_000;

/// Number of seeds.
const SEEDS: u64 = 4;

/// Number of elements from which a structure is large: the spaces end at four or five.
const LARGE: usize = 10;

/// The first large inputs of a space.
fn inputs(space: &Space, seed: u64) -> Vec<Vec<Value>> {
    let mut beyond = Beyond::new(space, Source::Large, seed, &SharedSamples::default());
    let mut seen = Seen::new();
    let mut inputs = Vec::new();
    for attempt in 0..ATTEMPTS {
        let affordable = (FREE_WORK + WORK_PER_ATTEMPT * attempt).saturating_sub(beyond.work());
        inputs.extend(beyond.next_case(affordable, &mut seen));
        if inputs.len() == INPUTS {
            break;
        }
    }
    assert!(beyond.work() < WORK, "{} steps", beyond.work());
    inputs
}

/// Number of values of a constructor with this number of fields in a value.
fn n_nodes(value: &Value, n_fields: usize) -> usize {
    match value {
        Value::Data(_, fields) => {
            usize::from(fields.len() == n_fields)
                + fields.iter().map(|field| n_nodes(field, n_fields)).sum::<usize>()
        }
        Value::Seq(parts) | Value::Tuple(parts) => parts.iter().map(|part| n_nodes(part, n_fields)).sum(),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => 0,
    }
}

/// Asserts that the first inputs are valid, and that a sixth of them are large. Counts the constructors with this number of fields.
#[track_caller]
fn check(fixture: &str, crate_name: &str, (n_params, spec): (usize, &str), n_fields: usize) {
    let space = space_of(fixture, crate_name, n_params, spec, Bounds { depth: 3, bound: 4 });
    let mut n_large = 0;
    for seed in 0..SEEDS {
        let inputs = inputs(&space, seed);
        assert_eq!(inputs.len(), INPUTS, "{spec}");
        for args in &inputs {
            assert!(admits(space.spec(), args) && !space.contains(args), "{spec}: {args:?}");
        }
        let nodes = |args: &Vec<Value>| args.iter().map(|arg| n_nodes(arg, n_fields)).sum::<usize>();
        n_large += inputs.iter().filter(|args| nodes(args) >= LARGE).count();
    }
    assert!(6 * n_large >= SEEDS as usize * INPUTS, "{spec}: {n_large} large inputs");
}

#[test]
fn search_trees_are_large() {
    check("trees", "ordered-trees", (2, "fn(x: i64, t: Search<i64>)"), 3);
}

#[test]
fn trees_with_colors_and_black_heights_are_large() {
    check("trees", "ordered-trees", (2, "fn(x: i64, t: OkTree)"), 4);
}

#[test]
fn trees_with_stored_heights_are_large() {
    check("trees", "ordered-trees", (2, "fn(x: i64, t: OkAvl<i64>)"), 4);
}

#[test]
fn disjoint_intervals_in_order_are_many() {
    let spec = "fn(s: OkIntervals, lo: i64, hi: i64) requires lo <= hi";
    check("arrays", "arrays", (3, spec), 2);
}

#[test]
fn trees_of_structs_with_stored_sizes_are_large() {
    check("links", "links", (2, "fn(t: Tree, k: i32)"), 4);
}

#[test]
fn graphs_have_many_nodes_and_edges() {
    let space = space_of("arrays", "arrays", 1, "fn(g: OkGraph)", Bounds { depth: 4, bound: 4 });
    for seed in 0..SEEDS {
        let inputs = inputs(&space, seed);
        assert!(inputs.iter().all(|args| admits(space.spec(), args)));
        let n_edges = |args: &Vec<Value>| n_scalars(&args[0]);
        let n_large = inputs.iter().filter(|args| n_edges(args) >= LARGE).count();
        assert!(10 * n_large >= INPUTS, "{n_large} large graphs of {} with seed {seed}", inputs.len());
    }
}

/// The list is cheap to plan, so the engine makes it, whatever could be put together from others.
#[test]
fn lists_of_ordered_pairs_are_long() {
    let spec = "fn(jobs: Jobs, from: {t: u32 | t <= 1000000}, len: {n: u32 | 1 <= n && n <= 1000000})";
    check("assorted", "assorted", (3, spec), 2);
}

/// A list in an order, and a map with the same keys.
#[test]
fn caches_have_many_keys() {
    let spec = "fn(c: OkLru, k: u8, x: i32)";
    let space = space_of("assorted", "assorted", 3, spec, Bounds { depth: 4, bound: 4 });
    for seed in 0..SEEDS {
        let inputs = inputs(&space, seed);
        assert!(inputs.iter().all(|args| admits(space.spec(), args)));
        let n_large = inputs.iter().filter(|args| n_scalars(&args[0]) >= 3 * LARGE).count();
        assert!(10 * n_large >= INPUTS, "{n_large} large caches of {} with seed {seed}", inputs.len());
    }
}

fn n_scalars(value: &Value) -> usize {
    match value {
        Value::Data(_, parts) | Value::Seq(parts) | Value::Tuple(parts) => parts.iter().map(n_scalars).sum(),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => 1,
    }
}

#[test]
fn every_fourth_key_is_in_its_tree() {
    let space =
        space_of("trees", "ordered-trees", 2, "fn(x: i64, t: OkAvl<i64>)", Bounds { depth: 3, bound: 4 });
    let is_in = |args: &&Vec<Value>| contains(&args[1], &args[0]);
    let n_in: usize = (0..SEEDS).map(|seed| inputs(&space, seed).iter().filter(is_in).count()).sum();
    assert!(n_in >= INPUTS, "{n_in} keys");
}

fn contains(tree: &Value, key: &Value) -> bool {
    let Value::Data(_, fields) = tree else { return false };
    fields.iter().take(3).any(|field| field == key || contains(field, key))
}
