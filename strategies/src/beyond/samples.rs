//! Small structures from the engine, from which the sources learn, and with which they begin.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::block::Block;
use super::constants::Constants;
use super::planned::{MOST_STEPS, planned};
use super::replace::n_scalars;
use super::source::Source;
use crate::cancel;
use crate::logic::value::Value;
use crate::native::Reuse;
use crate::space::Space;

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
            let drawn = cancel::within_steps(MOST_STEPS, || draw(space, seed, constants));
            Samples { drawn, steps: cancel::steps() - before }
        })
    }
}

fn draw(space: &Space, seed: u64, constants: &Arc<Constants>) -> Drawn {
    // Boundary cases may be larger, but that takes long, and small ones are enough to learn from.
    let begin = |attempt| planned(space, (Source::Large, 0, false), seed.wrapping_add(attempt), constants);
    let mut block = begin(0);
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
        block = begin(attempt);
    }
    Drawn { space: block.space.clone(), structures, block: Mutex::new(Some(block)) }
}
