//! Chooses the inputs of a spec to keep in a file: all up to a size, boundary cases, a sample of larger sizes.
//!
//! The choice depends only on space, options, seed and counted work, never on a clock.

use std::collections::HashSet;

use target_strategies::beyond::{Seen, SharedSamples, Source};
use target_strategies::cancel;
use target_strategies::logic::int::Int;
use target_strategies::logic::value::Value;
use target_strategies::native::{Class, Count, Native, TooMuch};
use target_strategies::space::Space;

use super::beyond::BeyondCases;
use super::native::is_fit;
use super::smt::SmtGenerator;
use super::{Batch, Generator, Step};

/// Maximum number of branches made to count a class. A class that takes more is skipped, with all later classes.
const EFFORT: u64 = 150_000;

/// The same limit if the user names a size.
const ASKED_EFFORT: u64 = 1_200_000;

/// Maximum number of sizes that are sampled; of more, this many are spread evenly.
const SIZES: usize = 16;

/// Maximum number of sizes looked at for samples.
const MOST_SIZES: usize = 256;

/// Number of steps ([`cancel::steps`]) after which no further size is counted to be sampled, some seconds at most. Each size of the
/// texts of a recursive grammar takes longer than the one before.
const SAMPLE_STEPS: u64 = 10_000_000;

/// Maximum number of sizes whose members are counted. A spec may allow many sizes with few members each.
const MOST_COUNTED: usize = 2_000;

/// How much to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// All inputs up to this size are kept; `None` for as many sizes as fit into `fit`.
    pub all_up_to: Option<u64>,
    /// Maximum number of inputs of all sizes together if no size is named.
    pub fit: usize,
    /// Maximum number of inputs up to a named size.
    pub most: usize,
    /// Number of boundary cases.
    pub boundary: u64,
    /// Number of samples of larger sizes.
    pub sample: u64,
    /// The seed of the samples.
    pub seed: u64,
}

/// The inputs to keep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// All inputs up to a size.
    pub all: Vec<Vec<Value>>,
    /// That size.
    pub up_to: Option<u64>,
    /// Boundary cases.
    pub boundary: Vec<Vec<Value>>,
    /// Samples of larger sizes.
    pub sample: Vec<Vec<Value>>,
    /// What is missing, and why.
    pub notes: Vec<String>,
}

/// Chooses the inputs. An error says why the request can't be met.
pub fn keep(space: &Space, wanted: &Wanted) -> Result<Kept, String> {
    let mut kept = Kept::default();
    let is_fit = is_fit(space);
    let mut seen = Seen::new();
    let mut boundary =
        BeyondCases::of(space, Source::Boundary, wanted.seed, is_fit, &SharedSamples::default());
    while (kept.boundary.len() as u64) < wanted.boundary && !boundary.is_over() {
        kept.boundary.extend(boundary.next_case(u64::MAX, &mut seen).map(|case| case.args));
    }
    if !is_fit {
        if wanted.all_up_to.is_some() {
            return Err("the native engine can't list its inputs by size: leave `--all-up-to` out".to_owned());
        }
        kept.notes
            .push("the native engine can't list its inputs; the first that Z3 finds are kept".to_owned());
        kept.sample = first_of_z3(space, wanted);
        return Ok(kept);
    }
    let mut native = Native::new(space);
    let behind = all(&mut native, wanted, &mut kept)?;
    sample(&mut native, behind, wanted, &mut kept);
    Ok(kept)
}

/// Keeps all inputs up to a size, and returns the next size.
fn all(native: &mut Native, wanted: &Wanted, kept: &mut Kept) -> Result<u64, String> {
    for (n_counted, size) in native.sizes().enumerate() {
        if n_counted == MOST_COUNTED && wanted.all_up_to.is_none_or(|last| size <= last) {
            if wanted.all_up_to.is_some() {
                return Err(format!(
                    "only {MOST_COUNTED} sizes can be listed, up to {size}: lower `--all-up-to`"
                ));
            }
            kept.notes.push(format!("inputs from size {size} on are not looked for"));
            return Ok(u64::MAX);
        }
        if wanted.all_up_to.is_some_and(|last| size > last) {
            return Ok(size);
        }
        let class = Class::Size(size);
        let effort = if wanted.all_up_to.is_some() { ASKED_EFFORT } else { EFFORT };
        let n = match native.count(class, effort) {
            Ok(Count::Exactly(n)) => n,
            Ok(Count::AtMost(_)) if wanted.all_up_to.is_some() => {
                return Err(format!(
                    "for inputs of size {size} a condition takes too much work to judge: lower `--all-up-to`"
                ));
            }
            Ok(Count::AtMost(_)) => {
                kept.notes.push(format!(
                    "inputs from size {size} on are not kept: a condition takes too much work to judge for some of them"
                ));
                return Ok(u64::MAX);
            }
            Err(_) if wanted.all_up_to.is_some() => {
                return Err(format!(
                    "inputs of size {size} take too much work to count: lower `--all-up-to`"
                ));
            }
            Err(_) => {
                kept.notes.push(format!("inputs from size {size} on take too much work to count"));
                return Ok(u64::MAX);
            }
        };
        let total = &n + &Int::from(kept.all.len() as u64);
        match wanted.all_up_to {
            Some(last) if total > Int::from(wanted.most as u64) => {
                let most = wanted.most;
                return Err(format!(
                    "there are more than {most} inputs up to size {last}: lower `--all-up-to`"
                ));
            }
            None if total > Int::from(wanted.fit as u64) => return Ok(size),
            _ => {}
        }
        if let Some(mut cursor) = native.cursor(class) {
            while native.advance(&mut cursor) {
                kept.all.push(cursor.values().to_vec());
            }
        }
        kept.up_to = Some(size);
    }
    Ok(u64::MAX)
}

/// Samples the sizes from `from` on. All members of a size are equally likely.
fn sample(native: &mut Native, from: u64, wanted: &Wanted, kept: &mut Kept) {
    if wanted.sample == 0 || from == u64::MAX {
        return;
    }
    let mut sizes: Vec<(u64, Int)> = Vec::new();
    let (sizes_of_all, before) = (native.sizes(), cancel::steps());
    for size in (from.max(*sizes_of_all.start())..=*sizes_of_all.end()).take(MOST_SIZES) {
        let is_late = cancel::steps() - before > SAMPLE_STEPS;
        match if is_late { Err(TooMuch) } else { native.count(Class::Size(size), EFFORT) } {
            Ok(Count::Exactly(n)) if n.is_zero() => {}
            Ok(Count::Exactly(n)) => sizes.push((size, n)),
            Ok(Count::AtMost(_)) => kept.notes.push(format!(
                "inputs of size {size} are not drawn: a condition takes too much work to judge for some of them"
            )),
            Err(_) => {
                kept.notes.push(format!("inputs from size {size} on take too much work to be drawn"));
                break;
            }
        }
    }
    let step = sizes.len().div_ceil(SIZES).max(1);
    let sizes: Vec<_> = sizes.into_iter().step_by(step).collect();
    let mut left = wanted.sample as usize;
    for (index, (size, n)) in sizes.iter().enumerate() {
        let share = left.div_ceil(sizes.len() - index);
        let share = n.to_usize().map_or(share, |n| n.min(share));
        left -= share;
        let mut seen = HashSet::new();
        for draw in 0.. {
            if seen.len() == share {
                break;
            }
            let Some(args) = native.sample(Class::Size(*size), wanted.seed, draw) else { break };
            if seen.insert(args.clone()) {
                kept.sample.push(args);
            }
        }
    }
}

fn first_of_z3(space: &Space, wanted: &Wanted) -> Vec<Vec<Value>> {
    let mut generator = SmtGenerator::new(space.clone(), wanted.seed);
    let mut found = Vec::new();
    while (found.len() as u64) < wanted.sample {
        match generator.step() {
            Step::Batch(Batch::Cases(cases)) => found.extend(cases.into_iter().map(|case| case.args)),
            Step::Batch(_) => {}
            Step::Reached(_) => {}
            Step::Beyond(_) | Step::End(_) => break,
        }
    }
    found.truncate(wanted.sample as usize);
    found
}
