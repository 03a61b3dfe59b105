//! The native engine: how fast it lists, counts and samples, beside what one would write by hand.
//!
//! `cargo bench -p workspace-tests --bench native -- [--section ratios|growth|numbers] [--only NAME] [--to N] [--plot]`. It
//! prints Markdown; `--plot` writes `docs/plots/native.svg`.

mod clock;
mod dependent;
mod engine;
mod growth;
mod ratios;

use std::num::NonZero;
use std::sync::Barrier;
use std::thread;

use target_strategies::space::Bounds;
use workspace_tests::options::Options;
use workspace_tests::plot::{seconds, table};
use workspace_tests::space_in;
use workspace_tests::structures::{RedBlackTrees, Structure};

use crate::engine::Engine;

/// Samples of red-black trees of 100 keys that there should be in a second.
const SAMPLES: f64 = 1e5;

fn main() {
    let Some(options) = Options::of_bench() else { return };
    for (name, print) in
        [("ratios", ratios::print as fn(&Options)), ("growth", growth::print), ("numbers", numbers)]
    {
        if options.text("--section").is_none_or(|section| section == name) {
            print(&options);
        }
    }
}

/// Single numbers, each with its mark.
fn numbers(_: &Options) {
    let space = space_in("trees", "ordered_trees", "fn(t: OkTree)", Bounds { depth: 9, bound: 9 });
    let counted = growth::count(&space, "356266980").map_or_else(|| "too much".to_owned(), seconds);
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let rows = [
        ["what", "measured"].map(str::to_owned).to_vec(),
        vec!["counting 356,266,980 red-black trees, depth 9, 19 keys".to_owned(), counted],
        vec!["uniform samples of red-black trees of 100 keys".to_owned(), sampling(1)],
        vec![format!("the same on {n_threads} threads, each for itself"), sampling(n_threads)],
    ];
    println!("## Numbers\n\n{}", table(&rows));
}

/// How many samples a second all threads draw together.
fn sampling(n_threads: usize) -> String {
    let ready = Barrier::new(n_threads);
    let rates: Option<Vec<f64>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads as u64)
            .map(|seed| {
                scope.spawn({
                    let ready = &ready;
                    move || one_sampling(seed, ready)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("sampling doesn't panic")).collect()
    });
    let Some(rates) = rates else { return "too many to count".to_owned() };
    let per_second: f64 = rates.iter().sum();
    let verdict = if per_second >= SAMPLES { "met" } else { "missed" };
    format!("{per_second:.0} per second (mark {SAMPLES}, {verdict})")
}

/// How many samples a second one thread draws, beginning when all are ready.
fn one_sampling(seed: u64, ready: &Barrier) -> Option<f64> {
    let mut engine = Engine::new(&RedBlackTrees::space(100));
    let count = engine.count();
    ready.wait();
    count?;
    clock::rate(|meter| engine.sample(seed, &mut |args| meter.is_late(args))).map(|rate| 1.0 / rate.seconds)
}
