//! Calls the functions of a crate in turn with proptest's `any`, for a number of seconds.

use std::time::{Duration, Instant};

use proptest::arbitrary::Arbitrary;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

struct Any(TestRunner);

impl reach::Source for Any {
    fn argument<T: Arbitrary>(&mut self) -> Option<T> {
        Some(any::<T>().new_tree(&mut self.0).ok()?.current())
    }
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let words: Vec<String> = std::env::args().collect();
    let time = Duration::from_secs(words[2].parse().expect("a number of seconds"));
    let mut source = Any(TestRunner::deterministic());
    let functions = reach::functions(&words[1]);
    let started = Instant::now();
    while started.elapsed() < time {
        for function in &functions {
            function.call(&mut source);
        }
    }
}
