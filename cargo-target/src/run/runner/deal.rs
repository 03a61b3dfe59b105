//! Splits a generator's steps into numbered batches: examples first, then small batches, then larger ones.
//!
//! Results are released in the order of the numbers, so scheduling doesn't affect them.

use std::time::{Duration, Instant};

use target_bridge::generate::{Batch, Case, End, Generator, Reached, Step};
use target_strategies::baseline::enumerative::slice;
use target_strategies::cancel::{Charged, Stop};
use target_strategies::child::protocol::{MAX_BATCH, MAX_FED};
use target_strategies::native::listing;

use super::queue::Queue;
use crate::run::planning::Planning;

/// Minimum number of cases for a message.
const FEW: u64 = 64;

/// A batch has one of this many of the cases so far. So few cases run in vain after a failure or at the end of the budget,
/// and no worker waits long for another one's last batch.
const SHARE: u64 = 32;

/// The next item in the order of cases.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Cases to run.
    Batch {
        /// The cases.
        batch: Charged<Batch>,
        /// Whether they are the spec's examples.
        is_example: bool,
    },
    /// How far the cases so far reach.
    Reached(Reached),
    /// Boundary cases follow.
    Beyond(End),
    /// There are no more cases.
    End(End),
}

/// Produces batches for a queue.
pub struct Dealer<'q> {
    queue: &'q Queue<(u64, Piece)>,
    unwanted: &'q (dyn Fn() -> bool + Sync),
    next_number: u64,
    /// Number of cases so far.
    dealt: u64,
    is_example: bool,
    /// Time that the generator took.
    generating: Duration,
    /// When the generator's current step began; a stop unwinds through it.
    begun: Option<Instant>,
    /// Time spent waiting for a solver, added up over threads.
    solving: Duration,
}

impl<'q> Dealer<'q> {
    /// A dealer that stops when cases are no longer needed.
    pub fn new(queue: &'q Queue<(u64, Piece)>, unwanted: &'q (dyn Fn() -> bool + Sync)) -> Dealer<'q> {
        let (generating, solving) = (Duration::ZERO, Duration::ZERO);
        Dealer {
            queue,
            unwanted,
            next_number: 0,
            dealt: 0,
            is_example: true,
            generating,
            begun: None,
            solving,
        }
    }

    /// Produces the examples, then all cases of the generator.
    pub fn deal(&mut self, examples: Vec<Case>, generator: impl FnOnce() -> Box<dyn Generator>) {
        let mut going = self.cases(examples);
        self.is_example = false;
        let mut generator = self.timed(generator);
        while going && !(self.unwanted)() {
            let step = self.timed(|| generator.step());
            self.solving = generator.solving();
            going = match step {
                Step::Batch(Batch::Cases(cases)) => self.cases(cases),
                Step::Batch(Batch::Ranges(ranges)) => {
                    let n_cases = ranges.iter().map(|range| range.len).sum();
                    self.split(n_cases, MAX_BATCH as u64, &mut |from, len| {
                        Batch::Ranges(slice(&ranges, from, from + len))
                    })
                }
                Step::Batch(Batch::Listed(pieces)) => {
                    let n_cases = pieces.iter().map(|piece| piece.len).sum();
                    self.split(n_cases, MAX_BATCH as u64, &mut |from, len| {
                        Batch::Listed(listing::slice(&pieces, from, from + len))
                    })
                }
                Step::Reached(reached) => self.push(Piece::Reached(reached)),
                Step::Beyond(end) => self.push(Piece::Beyond(end)),
                Step::End(end) => {
                    self.push(Piece::End(end));
                    false
                }
            };
        }
    }

    fn timed<T>(&mut self, generate: impl FnOnce() -> T) -> T {
        self.begun = Some(Instant::now());
        let made = generate();
        self.note_time();
        made
    }

    fn note_time(&mut self) {
        self.generating += self.begun.take().map_or(Duration::ZERO, |begun| begun.elapsed());
    }

    /// Ends the generator's time, and records why it was stopped; time and interruption are already visible from
    /// outside.
    pub fn stop(&mut self, stop: Stop, planning: &Planning) {
        self.note_time();
        match stop {
            Stop::Time | Stop::Interrupted | Stop::Unwanted => {}
            Stop::Memory => {
                self.push(Piece::End(End::Unknown(vec![planning.reason(stop)])));
            }
        }
    }

    /// Closes the queue; returns the generator's time, and how much of it was spent waiting for a solver.
    pub fn close(mut self) -> (Duration, Duration) {
        self.note_time();
        self.queue.close();
        (self.generating, self.solving)
    }

    fn cases(&mut self, cases: Vec<Case>) -> bool {
        let n_cases = cases.len() as u64;
        let mut cases = cases.into_iter();
        self.split(n_cases, MAX_FED as u64, &mut |_, len| {
            Batch::Cases(cases.by_ref().take(len as usize).collect())
        })
    }

    /// Pushes so many cases in batches of growing size; `false` if they are no longer needed.
    fn split(&mut self, n_cases: u64, max: u64, batch: &mut dyn FnMut(u64, u64) -> Batch) -> bool {
        let mut from = 0;
        while from < n_cases {
            let len = (self.dealt / SHARE).clamp(FEW, max).min(n_cases - from);
            let batch = Charged::new(batch(from, len));
            if !self.push(Piece::Batch { batch, is_example: self.is_example }) {
                return false;
            }
            from += len;
            self.dealt += len;
        }
        true
    }

    fn push(&mut self, piece: Piece) -> bool {
        let number = self.next_number;
        self.next_number += 1;
        self.queue.push((number, piece), self.unwanted)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use target_strategies::cancel::{self, Limits};
    use target_strategies::logic::value::Value;

    use super::*;

    /// Gives batches of an MB, so many.
    struct Large(u64);

    impl Generator for Large {
        fn step(&mut self) -> Step {
            if self.0 == 0 {
                return Step::End(End::Exhausted);
            }
            self.0 -= 1;
            cancel::look();
            let args = || vec![Value::Seq((0..256).map(Value::int).collect())];
            Step::Batch(Batch::Cases((0..100).map(|_| Case { args: args(), beyond: None }).collect()))
        }
    }

    #[test]
    fn what_was_run_is_no_longer_in_use() {
        let queue = Queue::new(2);
        let limits = Limits::new(|| None).with_memory(20 << 20);
        let n_run = thread::scope(|scope| {
            let running = scope.spawn(|| std::iter::from_fn(|| queue.pop(|| false)).count());
            let mut dealer = Dealer::new(&queue, &|| false);
            let dealt = cancel::run(&limits, || dealer.deal(Vec::new(), || Box::new(Large(200))));
            dealer.close();
            assert_eq!(dealt, Ok(()));
            running.join().expect("running goes well")
        });
        assert!(n_run > 200, "{n_run}");
    }

    #[test]
    fn time_that_ends_with_a_stop_counts() {
        let queue = Queue::new(2);
        let mut dealer = Dealer::new(&queue, &|| false);
        let is_up = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&is_up);
        let limits = Limits::new(move || seen.load(Ordering::Relaxed).then_some(Stop::Time));
        let endless = || loop {
            thread::sleep(Duration::from_millis(20));
            is_up.store(true, Ordering::Relaxed);
            cancel::look();
        };
        assert_eq!(cancel::run(&limits, || dealer.deal(Vec::new(), endless)), Err(Stop::Time));
        assert!(dealer.close().0 >= Duration::from_millis(20));
    }
}
