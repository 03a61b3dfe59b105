//! The cases of another generator, and in turn with them variants of those that ran new code.
//!
//! A variant differs from such a case, its *base*, in one part. At first each part has few variants. If none of them runs
//! other code than the base, the function is taken not to look at the part there, and it is hardly varied again. A part that
//! matters gets all its values, its own parts are varied, and it is varied together with the others that matter. A variant
//! that runs new code is a base, too. So a function that decides on one argument after the other needs the sum of their
//! values and not the product.
//!
//! Texts and lists that matter are also edited ([`edits`]), again and again: a text that is right up to a place is a base, and an edit
//! of it may be right up to the next place.
//!
//! Nothing is left out of the other generator, so what it says of the space holds.
//!
//! Source: *Irulan*, section 3.2 (needed narrowing), where laziness tells which parts are read.

mod edits;
mod learned;
mod pool;
#[cfg(test)]
mod tests;

use std::collections::{HashSet, VecDeque};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use target_strategies::beyond::Source;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use self::learned::{Learned, Variant};
use super::feedback::{Ending, Feedback, Told};
use super::{Batch, Case, End, Generator, Step};

/// Number of variants in a batch.
const BATCH: usize = 32;

/// Maximum number of tasks for a batch: some have no new variants.
const TASKS: usize = 16;

/// Number of variants that may come before as many cases of the other generator.
const AHEAD: u64 = 64;

/// Number of variants for each case of the other generator while only they run new code: once so many cases of the other
/// generator ran none, and until so many variants ran none.
const VARIANTS: u64 = 4;
const DRY: (u64, u64) = (500, 10_000);

/// Maximum number of variants after the other generator's end: a bound on time.
const MOST_AFTER: u64 = 50_000;

/// A case that was sent, in the order in which its trace is told.
enum Sent {
    /// One of the other generator.
    Other(Vec<Value>),
    /// Cases of the other generator that the child makes.
    Listed(u64),
    Variant(Variant),
}

/// What was learned of a function, for the next generator, which continues with it. Clones share it, so one generator at a time may
/// have it.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<Option<Learned>>>);

impl Memory {
    fn take(&self) -> Option<Learned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The sets of pieces of code that are known, and the counts of them.
    pub fn known(&self) -> (HashSet<NonZeroU32>, HashSet<u32>) {
        let learned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        learned.as_ref().map(|learned| (learned.pieces.clone(), learned.counts.clone())).unwrap_or_default()
    }

    fn put(&self, learned: Learned) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(learned);
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory")
    }
}

/// The generator.
pub struct Narrowing {
    space: Space,
    other: Box<dyn Generator>,
    feedback: Feedback,
    learned: Learned,
    /// Where it goes in the end.
    memory: Memory,
    sent: VecDeque<Sent>,
    /// Number of cases of the last step, whose traces are not awaited yet.
    n_last: u64,
    /// Number of cases before the last step whose traces are not told yet.
    n_awaited: u64,
    n_variants: u64,
    /// Number of variants that may come, without [`AHEAD`].
    n_due: u64,
    /// Maximum number of variants before the other generator's end.
    most: u64,
    /// Number of cases since the last that ran new code: of the other generator, and of variants.
    n_dry: (u64, u64),
    end: Option<End>,
    /// Number of variants before it.
    n_before_end: u64,
}

impl Narrowing {
    /// Adds variants to the cases of a generator, as the traces that `feedback` tells show their use. It continues with what is in
    /// `memory`, and leaves there what it has learned.
    pub fn new(
        space: Space,
        other: Box<dyn Generator>,
        (feedback, memory): (Feedback, Memory),
        seed: u64,
    ) -> Narrowing {
        let learned = match memory.take() {
            Some(learned) => learned.resumed(),
            None => Learned::new(&space, seed),
        };
        Narrowing {
            space,
            other,
            feedback,
            learned,
            memory,
            sent: VecDeque::new(),
            n_last: 0,
            n_awaited: 0,
            n_variants: 0,
            n_due: 0,
            most: u64::MAX,
            // None ran new code so far.
            n_dry: (0, DRY.1),
            end: None,
            n_before_end: 0,
        }
    }

    /// The generator, with at most so many variants before the other one's end: then they take no cases from it.
    pub fn with_at_most(mut self, most: u64) -> Narrowing {
        self.most = most;
        self
    }

    /// Reads what became of all cases before those of the last step. To wait for these would keep the child idle; to read
    /// what is there by chance would make the order depend on the clock.
    fn listen(&mut self) {
        while self.n_awaited > 0 {
            let Some(told) = self.feedback.next() else { return };
            self.n_awaited -= 1;
            self.hear(told);
        }
        self.n_awaited = std::mem::take(&mut self.n_last);
    }

    fn hear(&mut self, told: Told) {
        let sent = match self.sent.front_mut() {
            Some(Sent::Listed(n)) if *n > 1 => {
                *n -= 1;
                Some(Sent::Listed(1))
            }
            _ => self.sent.pop_front(),
        };
        let (args, n_dry) = match sent {
            Some(Sent::Other(args)) => (Some(args), &mut self.n_dry.0),
            Some(Sent::Variant(Variant { args, base, part })) => {
                let of_base = self.learned.pieces_of(base);
                let differs = match told.ending {
                    Ending::NotRun => false,
                    Ending::Passed => told.trace.is_some_and(|trace| trace.pieces != of_base),
                    // The base passed.
                    Ending::Failed => true,
                };
                if let Some(part) = part.filter(|_| differs) {
                    self.learned.note_matters(self.space.spec(), base, part);
                }
                (Some(args), &mut self.n_dry.1)
            }
            Some(Sent::Listed(_)) | None => (told.args, &mut self.n_dry.0),
        };
        *n_dry += 1;
        // What fails is not extended: its variants are likely to fail alike.
        if let (Some(args), Some(trace), Ending::Passed) = (args, told.trace, told.ending)
            && self.learned.note_trace(self.space.spec(), args, trace)
        {
            *n_dry = 0;
        }
    }

    /// Number of variants that may come for each case of the other generator.
    fn variants_for_each(&self) -> u64 {
        let is_alone = self.n_dry.0 >= DRY.0 && self.n_dry.1 < DRY.1;
        if is_alone { VARIANTS } else { 1 }
    }

    /// The next batch of variants.
    fn batch(&mut self) -> Option<Batch> {
        for _ in 0..TASKS {
            if self.learned.variants.len() >= BATCH {
                break;
            }
            self.learned.work(self.space.spec(), self.end.is_some());
        }
        let left = self.most.saturating_sub(self.n_variants).min(BATCH as u64) as usize;
        let n = self.learned.variants.len().min(if self.end.is_some() { BATCH } else { left });
        let mut cases = Vec::new();
        for variant in self.learned.variants.drain(..n) {
            // The other generator lists what is inside the space, and counts it there.
            cases.push(Case { args: variant.args.clone(), beyond: Some(Source::Large) });
            self.sent.push_back(Sent::Variant(variant));
        }
        self.n_variants += n as u64;
        self.n_last += n as u64;
        if n == 0 {
            // Nothing is due while there is nothing to vary.
            self.n_due = self.n_due.min(self.n_variants);
        }
        (n > 0).then_some(Batch::Cases(cases))
    }

    /// Notes cases of the other generator.
    fn note(&mut self, batch: &Batch) {
        let n = match batch {
            Batch::Cases(cases) => {
                for Case { args, .. } in cases {
                    self.learned.note_case(self.space.spec(), args);
                    self.sent.push_back(Sent::Other(args.clone()));
                }
                cases.len() as u64
            }
            Batch::Ranges(ranges) => self.note_listed(ranges.iter().map(|range| range.len).sum()),
            Batch::Listed(pieces) => self.note_listed(pieces.iter().map(|piece| piece.len).sum()),
        };
        self.n_due += n * self.variants_for_each();
        self.n_last += n;
    }

    fn note_listed(&mut self, n: u64) -> u64 {
        if n > 0 {
            self.sent.push_back(Sent::Listed(n));
        }
        n
    }
}

impl Generator for Narrowing {
    fn step(&mut self) -> Step {
        self.listen();
        // All that was told is read, and nothing else decides on the end: so it comes after the same step in each run.
        if self.feedback.is_over() {
            return Step::End(End::Closed);
        }
        let is_turn = match self.end {
            Some(_) => self.n_variants <= self.n_before_end + MOST_AFTER,
            None => self.n_variants <= self.n_due + AHEAD && self.n_variants < self.most,
        };
        if is_turn && let Some(batch) = self.batch() {
            return Step::Batch(batch);
        }
        if let Some(end) = &self.end {
            let has_work = self.learned.has_work();
            let is_over = !is_turn || !has_work && self.n_last + self.n_awaited == 0;
            return if is_over { Step::End(end.clone()) } else { Step::Batch(Batch::Cases(Vec::new())) };
        }
        match self.other.step() {
            Step::Batch(batch) => {
                self.note(&batch);
                Step::Batch(batch)
            }
            Step::End(end) => {
                (self.end, self.n_before_end) = (Some(end.clone()), self.n_variants);
                Step::Beyond(end)
            }
            step @ (Step::Reached(_) | Step::Beyond(_)) => step,
        }
    }

    fn solving(&self) -> Duration {
        self.other.solving()
    }
}

impl Drop for Narrowing {
    /// Leaves what was learned, also after a stop: no step of a computation that can be stopped changes it.
    fn drop(&mut self) {
        // Variants whose traces were not told come again.
        for sent in self.sent.drain(..).rev() {
            if let Sent::Variant(variant) = sent {
                self.learned.variants.push_front(variant);
            }
        }
        let nothing = Learned::new(&self.space, 0);
        self.memory.put(std::mem::replace(&mut self.learned, nothing));
    }
}
