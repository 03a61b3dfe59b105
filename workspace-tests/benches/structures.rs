//! Valid structures per second, those of the fixtures: by smt, by enumerating and filtering, and by the loop that is the
//! yardstick, one model of Z3 at a time with a clause that excludes it. And what the judge does per second.
//!
//! A bench ends at [`WANTED`] valid structures or after [`LIMIT`]; each case is judged by the whole refinement.

use std::time::{Duration, Instant};

use divan::Bencher;
use divan::counter::ItemsCount;
use target_bridge::generate::Generator;
use target_bridge::generate::enumerative::Enumerative;
use target_bridge::generate::smt::SmtGenerator;
use target_strategies::logic::eval::{Admission, Finding, Judge, admits};
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};
use workspace_tests::cases::{block, deal};
use workspace_tests::space_in;

const WANTED: u64 = 500;
const LIMIT: Duration = Duration::from_secs(3);

/// What it is, the fixture, its crate, the spec, depth and bound.
type Structure = (&'static str, &'static str, &'static str, &'static str, u32, u32);

const STRUCTURES: [Structure; 10] = [
    ("search trees", "trees", "ordered_trees", "fn(t: Search<i64>)", 3, 3),
    ("red-black trees", "trees", "ordered_trees", "fn(t: OkTree)", 3, 3),
    ("red-black trees, depth 4", "trees", "ordered_trees", "fn(t: OkTree)", 4, 4),
    ("AVL trees", "trees", "ordered_trees", "fn(t: OkAvl<i64>)", 3, 3),
    ("weight-balanced maps", "maps", "balanced_map", "fn(m: OkMap<Key, One>)", 3, 7),
    ("sets of stacks", "stackset", "stack_set", "fn(s: OkStackSet)", 3, 3),
    ("heaps in arrays", "arrays", "arrays", "fn(h: OkHeap)", 5, 5),
    ("intervals", "arrays", "arrays", "fn(s: OkIntervals)", 4, 4),
    ("closed terms", "lambda", "lambda", "fn(e: Closed)", 3, 2),
    ("typed terms", "lambda", "lambda", "fn(t: Program)", 3, 2),
];

fn main() {
    divan::main();
}

fn names() -> impl Iterator<Item = &'static str> {
    STRUCTURES.into_iter().map(|structure| structure.0)
}

fn space(name: &str) -> Space {
    let structure = STRUCTURES.into_iter().find(|structure| structure.0 == name);
    let (_, fixture, crate_name, spec, depth, bound) = structure.expect("the name is one of ours");
    space_in(fixture, crate_name, spec, Bounds { depth, bound })
}

/// Benches a run that counts valid structures.
fn measure(bencher: Bencher, name: &str, run: impl Fn(&Space) -> u64 + Sync) {
    let space = space(name);
    let valid = run(&space);
    bencher.counter(ItemsCount::new(valid)).bench(|| run(&space));
}

#[divan::bench(args = names(), sample_count = 3, sample_size = 1, max_time = 4)]
fn smt(bencher: Bencher, name: &str) {
    measure(bencher, name, |space| dealt(space, &mut SmtGenerator::new(space.clone(), 0)));
}

#[divan::bench(args = names(), sample_count = 1, sample_size = 1)]
fn enumerative(bencher: Bencher, name: &str) {
    measure(bencher, name, |space| dealt(space, &mut Enumerative::new(space.clone())));
}

#[divan::bench(args = names(), sample_count = 1, sample_size = 1)]
fn blocking_clauses(bencher: Bencher, name: &str) {
    measure(bencher, name, blocked);
}

/// Red-black trees judged by their whole refinement.
#[divan::bench(args = [7, 15, 31])]
fn judge_inputs(bencher: Bencher, n_nodes: i64) {
    let space = insertion();
    let args = [tree(1, n_nodes)];
    let judge = || Judge::new(None).precondition(space.spec(), &args);
    assert_eq!(judge(), Admission::Admitted);
    bencher.counter(ItemsCount::new(1_u64)).bench(judge);
}

/// Red-black trees judged as what an insertion gives, beside the tree that it was given.
#[divan::bench(args = [7, 15, 31])]
fn judge_results(bencher: Bencher, n_nodes: i64) {
    let space = insertion();
    let args = [tree(1, n_nodes)];
    let judge = || Judge::new(None).postcondition(space.spec(), &args, None, &args[0]);
    assert_eq!(judge(), Finding::Kept);
    bencher.counter(ItemsCount::new(1_u64)).bench(judge);
}

fn insertion() -> Space {
    let spec = "fn(t: OkTree) -> {v: OkRoot | keys(v) == keys(t).with(1)}";
    space_in("trees", "ordered_trees", spec, Bounds { depth: 3, bound: 3 })
}

/// The perfect tree of the keys from `first` to `last`; its lowest nodes are red, the others black.
fn tree(first: i64, last: i64) -> Value {
    if last < first {
        return Value::Data(0, [].into());
    }
    let k = i64::midpoint(first, last);
    let color = Value::Data(u32::from(first < last), [].into());
    let fields = [color, tree(first, k - 1), Value::int(k), tree(k + 1, last)];
    Value::Data(1, fields.into())
}

/// Counts valid structures until there are enough or it is late.
struct Count {
    valid: u64,
    start: Instant,
}

impl Count {
    fn new() -> Count {
        Count { valid: 0, start: Instant::now() }
    }

    /// Counts a case; whether it was the last one.
    fn is_over(&mut self, space: &Space, args: &[Value]) -> bool {
        self.valid += u64::from(admits(space.spec(), args));
        self.is_late()
    }

    fn is_late(&self) -> bool {
        self.valid >= WANTED || self.start.elapsed() > LIMIT
    }
}

/// How many valid structures a generator deals.
fn dealt(space: &Space, generator: &mut dyn Generator) -> u64 {
    let mut count = Count::new();
    deal(space, generator, &mut |args| count.is_over(space, args));
    count.valid
}

/// How many the yardstick finds.
fn blocked(space: &Space) -> u64 {
    let mut count = Count::new();
    let start = count.start;
    block(space, || start.elapsed() > LIMIT, |args| count.is_over(space, args));
    count.valid
}
