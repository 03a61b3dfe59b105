//! Members sampled at random: all are equally likely, and none comes twice.

use std::collections::HashSet;

use target_strategies::logic::int::Int;
use target_strategies::native::listing::{Listed, Pick};
use target_strategies::native::{Class, Native};
use target_strategies::space::Space;

use super::CHOICES_PER_STEP;
use crate::generate::{Batch, End, Generator, Step};

/// Maximum number of choices tried to count the class that is sampled: nothing is produced before.
const MOST_CHOICES: u64 = 1_200_000;

/// Maximum number of samples of a batch.
const DRAWS: u64 = 512;

/// Samples members of a class until all are sampled.
pub struct Samples {
    native: Native,
    class: Class,
    seed: u64,
    total: Option<Int>,
    /// Number of branches made to count it.
    spent: u64,
    next: u64,
    /// The members sampled so far, by their paths.
    seen: HashSet<Vec<u32>>,
}

impl Samples {
    /// Members of one size, or of any size. The seed decides which.
    pub fn new(space: &Space, size: Option<u64>, seed: u64) -> Samples {
        let native = Native::new(space);
        let class = size.map_or(Class::All, Class::Size);
        Samples { native, class, seed, total: None, spent: 0, next: 0, seen: HashSet::new() }
    }

    /// Counts for one step.
    fn count(&mut self) -> Step {
        let before = self.native.work().1;
        self.total =
            self.native.count(self.class, CHOICES_PER_STEP).ok().map(|count| count.n_listed().clone());
        self.spent += 1 + self.native.work().1 - before;
        if self.total.is_none() && self.spent >= MOST_CHOICES {
            let what = "the inputs are too many to be counted, so none can be drawn: name a size, or lower the depth";
            return Step::End(End::Unknown(vec![what.to_owned()]));
        }
        Step::Batch(Batch::Listed(Vec::new()))
    }

    fn end(&self) -> End {
        match self.class {
            Class::All => End::Exhausted,
            Class::Size(size) => End::Asked(format!("all inputs of size {size} were drawn")),
        }
    }
}

impl Generator for Samples {
    /// A batch may be empty: then this step only counted, or sampled known members.
    fn step(&mut self) -> Step {
        let Some(total) = &self.total else { return self.count() };
        if *total <= Int::from(self.seen.len() as u64) {
            return Step::End(self.end());
        }
        let mut pieces: Vec<Listed> = Vec::new();
        for _ in 0..DRAWS {
            let draw = self.next;
            self.next += 1;
            let drawn = self.native.sample_path(self.class, self.seed, draw);
            if !drawn.is_some_and(|path| self.seen.insert(path)) {
                continue;
            }
            match pieces.last_mut() {
                Some(piece) if piece.start + piece.len == draw => piece.len += 1,
                _ => {
                    let pick = Pick::Sample(self.seed);
                    pieces.push(Listed { class: self.class, pick, start: draw, len: 1 });
                }
            }
        }
        Step::Batch(Batch::Listed(pieces))
    }
}
