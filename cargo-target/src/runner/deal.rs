//! Cuts a generator's steps into numbered batches of a handy size: examples first, then small ones, then larger ones.
//!
//! The numbers are the order in which results are released, so that it does not matter who runs what when.

use std::sync::Arc;
use std::time::{Duration, Instant};

use target_bridge::generate::{Batch, Case, End, Generator, Step};
use target_strategies::cancel::Stop;
use target_strategies::enumerative::slice;
use target_strategies::native::deal;
use target_strategies::protocol::{MAX_BATCH, MAX_FED};

use super::queue::Queue;
use crate::planning::Planning;

/// The least number of cases that is worth a message.
const FEW: u64 = 64;

/// The next thing in the order of cases.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Cases to run.
    Batch {
        /// The cases.
        batch: Arc<Batch>,
        /// Whether they are the spec's examples, not the generator's.
        is_example: bool,
    },
    /// What follows are boundary cases.
    Beyond(End),
    /// There are no more.
    End(End),
}

/// Deals batches into a queue.
pub struct Dealer<'q> {
    queue: &'q Queue<(u64, Piece)>,
    unwanted: &'q (dyn Fn() -> bool + Sync),
    next_number: u64,
    /// How many cases were dealt. A batch is a share of that, so that little is run in vain behind an early failure.
    dealt: u64,
    is_example: bool,
    /// How long the generator took.
    generating: Duration,
    /// How long it waited for a solver, added up over threads.
    solving: Duration,
}

impl<'q> Dealer<'q> {
    /// A dealer who stops when nothing is wanted any more.
    pub fn new(queue: &'q Queue<(u64, Piece)>, unwanted: &'q (dyn Fn() -> bool + Sync)) -> Dealer<'q> {
        let (generating, solving) = (Duration::ZERO, Duration::ZERO);
        Dealer { queue, unwanted, next_number: 0, dealt: 0, is_example: true, generating, solving }
    }

    /// Deals the examples, then all that the generator finds.
    pub fn deal(&mut self, examples: Vec<Case>, generator: impl FnOnce() -> Box<dyn Generator>) {
        let mut going = self.cases(examples);
        self.is_example = false;
        let started = Instant::now();
        let mut generator = generator();
        self.generating += started.elapsed();
        while going && !(self.unwanted)() {
            let started = Instant::now();
            let step = generator.step();
            self.generating += started.elapsed();
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
                        Batch::Listed(deal::slice(&pieces, from, from + len))
                    })
                }
                Step::Beyond(end) => self.push(Piece::Beyond(end)),
                Step::End(end) => {
                    self.push(Piece::End(end));
                    false
                }
            };
        }
    }

    /// Says why the generator was stopped, where nothing else does: time and interruption are seen from outside.
    pub fn stop(&mut self, stop: Stop, planning: &Planning) {
        match stop {
            Stop::Time | Stop::Interrupted | Stop::Unwanted => {}
            Stop::Memory => {
                self.push(Piece::End(End::Unknown(vec![planning.reason(stop)])));
            }
        }
    }

    /// Closes the queue; gives how long the generator took, and how much of that it waited for a solver.
    pub fn close(self) -> (Duration, Duration) {
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

    /// Pushes so many cases in batches of growing size; `false` if they aren't wanted.
    fn split(&mut self, n_cases: u64, max: u64, batch: &mut dyn FnMut(u64, u64) -> Batch) -> bool {
        let mut from = 0;
        while from < n_cases {
            let len = (self.dealt / 8).clamp(FEW, max).min(n_cases - from);
            let batch = Arc::new(batch(from, len));
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
