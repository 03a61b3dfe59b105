//! Strategies as an expert writes them by hand, for each function of the fixture `assorted`. `race-assorted BUG FUNCTION` runs ten
//! rounds of up to 10,000 cases, and prints the bug, the median case of the first failure, and the number of rounds that found it.
//! `none` runs the functions without mistakes.

use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, AssertUnwindSafe};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

mod sequences;
mod structures;
/// The fixture `assorted`, where a mistake is a switch instead of a feature: inputs are built without mistakes.
mod subjects {
    include!(concat!(env!("OUT_DIR"), "/subjects.rs"));
}

use sequences::*;
use structures::*;
use subjects::matrix::Matrix;
use subjects::undo::Edit;
use subjects::*;

thread_local! {
    static BUG: RefCell<String> = const { RefCell::new(String::new()) };
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
}

/// Whether the code has this mistake: never while inputs are built.
pub fn on(bug: &str) -> bool {
    ACTIVE.get() && BUG.with_borrow(|b| b == bug)
}

/// The code under test.
fn buggy<T>(f: impl FnOnce() -> T) -> T {
    ACTIVE.set(true);
    let v = f();
    ACTIVE.set(false);
    v
}

fn race<T>(strategy: impl Strategy<Value = T>, holds: impl Fn(T) -> bool) -> Vec<Option<u64>> {
    (0..10_u64)
        .map(|seed| {
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&seed.to_le_bytes());
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
            let mut runner =
                TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng);
            (1..=10_000).find(|_| {
                let case = strategy.new_tree(&mut runner).expect("valid by construction").current();
                let ok = catch_unwind(AssertUnwindSafe(|| holds(case))).unwrap_or(false);
                ACTIVE.set(false);
                !ok
            })
        })
        .collect()
}

/// A key that often occurs among others.
fn among(keys: Vec<i32>, any: std::ops::Range<i32>) -> BoxedStrategy<i32> {
    if keys.is_empty() {
        any.boxed()
    } else {
        prop_oneof![any, prop::sample::select(keys)].boxed()
    }
}

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let bug = std::env::args().nth(1).expect("a bug");
    let function = std::env::args().nth(2).expect("a function");
    BUG.set(if bug == "none" { String::new() } else { bug.clone() });
    let found = match function.as_str() {
        "leftist::merge" => race((heaps(), heaps()), merge),
        "leftist::remove" => race(
            heaps().prop_flat_map(|h| {
                let keys = items(&h);
                (Just(h), among(keys, -20..20))
            }),
            remove,
        ),
        "trie::Trie::remove" => race(tries(), trie_remove),
        "segtree::MaxTree::set" => race(
            vec(-30..30_i32, 1..20).prop_flat_map(|xs| {
                let n = xs.len();
                (Just(xs), 0..n, -30..30_i32)
            }),
            max_set,
        ),
        "segtree::MaxTree::max" => race(
            vec(-30..30_i32, 1..20).prop_flat_map(|xs| {
                let n = xs.len();
                (Just(xs), 0..n).prop_flat_map(move |(xs, a)| (Just(xs), Just(a), a + 1..=n))
            }),
            max_of,
        ),
        "groups::Groups::union" => race(unions(), union),
        "poly::add" => race((polys(), polys()), poly_add),
        "poly::mul" => race((polys(), polys()), poly_mul),
        "bignum::add" => race((bigs(), bigs()), |(a, b)| buggy(|| bignum::add(&a, &b)) == sum(&a, &b)),
        "bignum::sub" => race(ordered_bigs(), |(a, b)| {
            let d = buggy(|| bignum::sub(&a, &b));
            d.limbs.last() != Some(&0) && sum(&d, &b) == a
        }),
        "gap::Gap::insert" => race(gaps(), gap_insert),
        "lru::Lru::put" => race(caches(), put),
        "sched::first_free" => race(jobs(), first_free),
        "csv" => race(vec("[ab ,\"\n\r'é]{0,8}", 1..8), |fields| {
            buggy(|| csv::split(&csv::join(&fields))) == Some(fields)
        }),
        "rle" => {
            let step = prop_oneof![3 => -3..=3_i32, 1 => any::<i32>()];
            let runs = vec((step, 1..=20_usize), 0..4).prop_map(|runs| {
                let mut last = 0_i32;
                let mut xs = Vec::new();
                for (step, n) in runs {
                    for _ in 0..n {
                        last = last.wrapping_add(step);
                        xs.push(last);
                    }
                }
                xs
            });
            race(prop_oneof![runs, vec(any::<i32>(), 0..20)], |xs| {
                buggy(|| rle::decode(&rle::encode(&xs))) == xs
            })
        }
        "money::allocate" => {
            let amount = prop_oneof![3 => 0..100_000_i64, 1 => 0..=i64::MAX];
            let weight = prop_oneof![1 => Just(0), 4 => 1..100_u32, 1 => any::<u32>()];
            race(
                (amount, vec(weight, 0..10), 1..100_u32, any::<prop::sample::Index>()).prop_map(
                    |(a, mut ws, w, i)| {
                        // One is not 0, somewhere.
                        ws.insert(i.index(ws.len() + 1), w);
                        (a, ws)
                    },
                ),
                share,
            )
        }
        "matrix::Matrix::transpose" => race(
            (0..=8_usize, 0..=8_usize).prop_flat_map(|(rows, cols)| {
                vec(-100..100_i32, rows * cols).prop_map(move |cells| Matrix { rows, cols, cells })
            }),
            transpose,
        ),
        "undo::run" => {
            let set = || (-50..50_i32).prop_map(Edit::Set);
            let mixed = vec(prop_oneof![2 => set(), 1 => Just(Edit::Undo), 1 => Just(Edit::Redo)], 0..=20);
            // Several of a kind in a row.
            let burst = prop_oneof![
                2 => vec(set(), 1..=6),
                1 => (1..=6_usize).prop_map(|n| vec![Edit::Undo; n]),
                1 => (1..=6_usize).prop_map(|n| vec![Edit::Redo; n]),
            ];
            let bursts = vec(burst, 0..=5).prop_map(|b| b.concat());
            race(prop_oneof![mixed, bursts], edits)
        }
        "ratio::add" => race((ratios(), ratios()), ratio_add),
        "bnode::Root::insert" => race(roots(), bnode_insert),
        other => panic!("{other}"),
    };
    let mut cases: Vec<u64> = found.iter().map(|f| f.unwrap_or(10_000)).collect();
    cases.sort();
    let median = (cases[4] + cases[5]) as f64 / 2.0;
    let rounds = found.iter().flatten().count();
    println!("{bug} {median} {rounds}");
}
