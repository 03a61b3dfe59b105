//! Strategies for the same values, made in four ways: drawn by the spec, written by hand, filtered, and by `prop_flat_map`.
//! How many values a second, as a ratio to those by hand, and how well and in how many runs each shrinks.

mod shapes;

use std::cell::Cell;
use std::time::{Duration, Instant};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use shapes::Shape;

/// Values are drawn for so long ..
const TIME: Duration = Duration::from_millis(300);

/// .. and so many failures shrunk.
const SEEDS: u8 = 21;

const WAYS: [&str; 4] = ["spec", "by hand", "prop_filter", "prop_flat_map"];

fn main() {
    println!("Values a second, as a ratio to those of the strategy by hand:\n");
    println!("| values | {} |\n|---|{}", WAYS.join(" | "), "---:|".repeat(4));
    let shapes = [shapes::triples(), shapes::lists(), shapes::search_trees(), shapes::red_black_trees()];
    for shape in &shapes {
        let rates = shape.strategies.each_ref().map(rate);
        let ratio =
            |rate: f64| if rate == 0.0 { "gives up".to_owned() } else { format!("{:.3}", rate / rates[1]) };
        println!("| {} | {} |", shape.name, rates.map(ratio).join(" | "));
    }
    println!(
        "\nThe counterexample at the end, its size and its numbers added up, and the runs to get there; medians of {SEEDS}:\n"
    );
    println!("| what fails | {} |\n|---|{}", WAYS.join(" | "), "---:|".repeat(4));
    for shape in &shapes {
        let cells = shape.strategies.each_ref().map(|strategy| quality(shape, strategy));
        println!("| {} | {} |", shape.failure, cells.join(" | "));
    }
}

fn runner(seed: u8, cases: u32) -> TestRunner {
    let config = Config {
        cases,
        max_local_rejects: u32::MAX,
        max_shrink_iters: 100_000,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]))
}

/// Values a second, behind the first.
fn rate(strategy: &shapes::Boxed) -> f64 {
    let mut runner = runner(0, 1);
    if strategy.new_tree(&mut runner).is_err() {
        return 0.0;
    }
    let start = Instant::now();
    let mut n = 0_u32;
    while start.elapsed() < TIME {
        let Ok(tree) = strategy.new_tree(&mut runner) else { return 0.0 };
        std::hint::black_box(tree.current());
        n += 1;
    }
    f64::from(n) / start.elapsed().as_secs_f64()
}

fn quality(shape: &Shape, strategy: &shapes::Boxed) -> String {
    let mut found: Vec<((usize, i64), u32)> = Vec::new();
    for seed in 0..SEEDS {
        // Failures that are far from the smallest, so that there is something to do.
        let n_runs = Cell::new(0);
        let is_found = Cell::new(false);
        let result = runner(seed, 200_000).run(strategy, |value| {
            let fails = (shape.fails)(&value) && (is_found.get() || (shape.size)(&value).0 >= shape.start);
            n_runs.set(n_runs.get() + u32::from(is_found.get()));
            is_found.set(is_found.get() || fails);
            if fails { Err(TestCaseError::fail("it fails")) } else { Ok(()) }
        });
        if let Err(TestError::Fail(_, value)) = result {
            found.push(((shape.size)(&value), n_runs.get()));
        }
    }
    if found.is_empty() {
        return "finds none".to_owned();
    }
    let middle = found.len() / 2;
    found.sort();
    let (size, sum) = found[middle].0;
    found.sort_by_key(|found| found.1);
    format!("{size}, {sum} in {}", found[middle].1)
}
