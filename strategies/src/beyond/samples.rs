//! Small structures from the engine, from which the sources learn, and with which they begin.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::block::Block;
use super::constants::Constants;
use super::large::Usual;
use super::planned::{MOST_STEPS, planned};
use super::replace::n_scalars;
use super::source::{Source, bounds_of};
use crate::cancel;
use crate::dice::Dice;
use crate::logic::value::Value;
use crate::native::Reuse;
use crate::space::Space;

/// Maximum number of steps for samples with small natural numbers, before the usual numbers of the space are tried. Some structures
/// have none without negative numbers, which takes the engine long to find out.
const MOST_RANKED: u64 = MOST_STEPS / 2;

/// Number of structures that a block is asked for.
const DRAWN: u32 = 24;

/// Number of steps after which no more are asked for, if there are so many.
const ENOUGH_STEPS: u64 = 120_000;
const ENOUGH: usize = 8;

/// Maximum number of blocks that are sampled.
const MOST_ATTEMPTS: u64 = 4;

/// The samples of one space with one seed, for all sources. The source that needs them first draws them.
#[derive(Clone, Default)]
pub struct SharedSamples(Arc<OnceLock<Samples>>);

/// Samples, or how long it took in vain.
pub(super) struct Samples {
    /// `None` if they took too long.
    pub drawn: Option<Drawn>,
    /// Number of steps ([`cancel::steps`]) that they took.
    pub steps: u64,
}

/// Small structures.
pub(super) struct Drawn {
    /// The space that they are members of.
    pub space: Space,
    /// The structures.
    pub structures: Vec<Vec<Value>>,
    /// The block that the last of them come from.
    block: Mutex<Option<Block>>,
}

impl Drawn {
    /// The block that the last samples come from, at the first call.
    pub fn take_block(&self) -> Option<Block> {
        self.block.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl SharedSamples {
    /// The samples.
    pub(super) fn get(&self, space: &Space, seed: u64, constants: &Arc<Constants>) -> &Samples {
        self.0.get_or_init(|| {
            let before = cancel::steps();
            let ranked = |seed| planned(space, (Source::Large, 0, false), seed, constants);
            let drawn = cancel::within_steps(MOST_RANKED, || draw(seed, &ranked));
            let is_empty = drawn.as_ref().is_none_or(|drawn| drawn.structures.is_empty());
            let usual = |seed| with_usual_numbers(space, seed);
            let other = if is_empty { cancel::within_steps(MOST_STEPS, || draw(seed, &usual)) } else { None };
            let drawn = other.or(drawn);
            Samples { drawn, steps: cancel::steps() - before }
        })
    }
}

/// A block of small structures, with the numbers that scalars of the space have.
fn with_usual_numbers(space: &Space, seed: u64) -> Block {
    let (_, more) = bounds_of(space, Source::Large, 0);
    let dice = Dice::new(seed, u64::MAX - 1);
    Block::new(space, Source::Large, Arc::new(Usual), (space.bounds().depth, 0..=more), dice)
}

/// Samples from blocks of small structures. Boundary cases may be larger, but that takes long, and small ones are enough to learn from.
fn draw(seed: u64, begin: &dyn Fn(u64) -> Block) -> Drawn {
    let mut block = begin(seed);
    let mut structures: Vec<Vec<Value>> = Vec::new();
    let before = cancel::steps();
    let took_long = |n: usize| n >= ENOUGH && cancel::steps() - before >= ENOUGH_STEPS;
    for attempt in 1..=MOST_ATTEMPTS {
        for _ in 0..DRAWN {
            structures.extend(block.sample(Reuse::Often));
            if took_long(structures.len()) {
                break;
            }
        }
        // Samples of one or two sizes show too little, and other choices may do better.
        let sizes: BTreeSet<usize> = structures.iter().map(|args| n_scalars(&block.space, args)).collect();
        if !block.has_sizes() || sizes.len() > 2 || attempt == MOST_ATTEMPTS || took_long(structures.len()) {
            break;
        }
        block = begin(seed.wrapping_add(attempt));
    }
    Drawn { space: block.space.clone(), structures, block: Mutex::new(Some(block)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beyond::boundary::Boundary;
    use crate::logic::int::Int;
    use crate::logic::ir::{Clause, CompareOp, IntKind, Param, Refined, SeqKind, Sort, Spec, Term};
    use crate::space::Bounds;

    #[test]
    fn numbers_that_must_be_negative_are_found() {
        // A list with a number below -1, which small natural numbers and constants are not.
        let int = Refined::plain(Sort::Int(IntKind::I32));
        let list = Refined::plain(Sort::Seq(Box::new(int.clone()), SeqKind::Vec));
        let param = |refined| Param { name: String::new(), refined, mutable: false };
        let less = Term::Compare(
            CompareOp::Lt,
            Box::new(Term::Var(1)),
            Box::new(Term::Neg(Box::new(Term::Len(Box::new(Term::Var(0)))))),
        );
        let requires = vec![Clause { id: 0, text: String::new(), term: less }];
        let spec = Spec { params: vec![param(list), param(int)], requires, ..Spec::unrefined("f") };
        let space = Space::new(Arc::new(spec), Bounds { depth: 3, bound: 4 });
        let constants = Arc::clone(Boundary::new(space.clone()).constants());
        let shared = SharedSamples::default();
        let drawn = shared.get(&space, 0, &constants).drawn.as_ref().expect("samples");
        assert!(!drawn.structures.is_empty());
        let is_negative = |args: &Vec<Value>| matches!(&args[1], Value::Int(n) if *n < Int::ZERO);
        assert!(drawn.structures.iter().all(is_negative));
    }
}
