//! Makes inputs that satisfy the spec: the fuzzer's own mutations if the spec admits them, steps of the shrinker, and
//! fresh members of the space.
//!
//! The result depends only on the seed and the bytes, as fuzzers require.

use std::thread;

use super::{Target, encode_args};
use crate::logic::value::Value;
use crate::native::{Class, Count, Native};
use crate::shrink::candidates;
use crate::space::Space;

/// Maximum number of mutations by the fuzzer that are tried for one input.
const TRIES: u32 = 8;

/// Maximum number of shrink steps that are tried for one input.
const STEPS: usize = 64;

/// Maximum number of choices to count the members of a size. It keeps mutation fast.
const EFFORT: u64 = 50_000;

/// Stack size in bytes of the counting thread. Counting recurses as deep as values nest.
const STACK: usize = 256 << 20;

/// Random members of the space, of sizes that are quickly counted.
pub(super) struct Fresh {
    space: Space,
    /// The engine and these sizes, created on demand.
    sampled_from: Option<(Native, Vec<u64>)>,
}

impl Fresh {
    /// Members of a space for which nothing is counted yet.
    pub(super) fn new(space: Space) -> Fresh {
        Fresh { space, sampled_from: None }
    }

    fn sample(&mut self, seed: u64) -> Option<Vec<Value>> {
        let space = &self.space;
        let (native, sizes) = self.sampled_from.get_or_insert_with(|| count(space));
        let at = seed.checked_rem(sizes.len() as u64)?;
        native.sample(Class::Size(sizes[at as usize]), seed, 0)
    }
}

/// An engine, and the sizes that have members.
fn count(space: &Space) -> (Native, Vec<u64>) {
    let counted = || {
        let mut native = Native::new(space);
        let counts = native.sizes().map(|size| (size, native.count(Class::Size(size), EFFORT)));
        let counts: Vec<_> = counts.take_while(|(_, count)| count.is_ok()).collect();
        // An undecided input may not be a member.
        let has_members = |count: &Count| matches!(count, Count::Exactly(n) if !n.is_zero());
        let sizes = counts.into_iter().filter(|(_, count)| count.as_ref().is_ok_and(has_members));
        (sizes.map(|(size, _)| size).collect(), native)
    };
    thread::scope(|scope| {
        let counting = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, counted);
        match counting.map(|thread| thread.join()) {
            Ok(Ok((sizes, native))) => (native, sizes),
            // If no thread can be started, there are no fresh members.
            _ => (Native::new(space), Vec::new()),
        }
    })
}

impl Target {
    /// The body of a `fuzz_mutator!`: changes the first `size` bytes of `data`, and returns the new number of bytes,
    /// at most `max_size`. `by_fuzzer` is the fuzzer's own mutation, `fuzzer_mutate`.
    pub fn mutate(
        &self,
        data: &mut [u8],
        size: usize,
        max_size: usize,
        seed: u32,
        by_fuzzer: impl Fn(&mut [u8], usize, usize) -> usize,
    ) -> usize {
        let before = data[..size].to_vec();
        let is_input = |bytes: &[u8]| self.decode(bytes).is_some_and(|args| self.admits(&args));
        if !seed.is_multiple_of(8) {
            for _ in 0..TRIES {
                let changed = by_fuzzer(data, size, max_size);
                if is_input(&data[..changed]) {
                    return changed;
                }
                data[..size].copy_from_slice(&before);
            }
        }
        let other = self.other(&before, seed).and_then(|args| encode_args(&args, &self.spec).ok());
        match other.filter(|bytes| bytes.len() <= max_size) {
            Some(bytes) => {
                data[..bytes.len()].copy_from_slice(&bytes);
                bytes.len()
            }
            None => by_fuzzer(data, size, max_size),
        }
    }

    /// A smaller input than the one in the bytes, or a fresh one.
    fn other(&self, bytes: &[u8], seed: u32) -> Option<Vec<Value>> {
        let smaller = || {
            let args = self.decode(bytes).filter(|args| self.admits(args))?;
            let steps = candidates(&self.spec, &args).take(STEPS).filter(|args| self.admits(args));
            let steps: Vec<Vec<Value>> = steps.collect();
            let at = (seed as usize / 16).checked_rem(steps.len())?;
            steps.into_iter().nth(at)
        };
        let fresh = || {
            // After a panic, the members in the lock are still valid.
            let mut fresh = self.fresh.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let args = fresh.sample(u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16);
            args.filter(|args| self.admits(args))
        };
        if (seed / 8).is_multiple_of(2) { fresh().or_else(smaller) } else { smaller().or_else(fresh) }
    }
}
