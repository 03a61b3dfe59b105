//! Which inputs of a spec are worth keeping in a file: all up to a size, boundary cases, a sample of larger sizes.
//!
//! The choice depends on the space, the options and the seed alone, and on counted work, never on a clock.

use std::collections::HashSet;

use target_strategies::int::Int;
use target_strategies::native::{Class, Count, Native};
use target_strategies::space::Space;
use target_strategies::value::Value;

use super::native::is_fit;
use super::smt::{SmtGenerator, SmtOptions};
use super::{Batch, Generator, Step};
use crate::smt::boundary::BoundaryCases;
use crate::smt::z3::Effort;

/// How many ways the engine may make to count a class; one that takes more is passed over, and so are those behind it.
const EFFORT: u64 = 150_000;

/// The same where a size was named.
const ASKED_EFFORT: u64 = 1_200_000;

/// Of more sizes, so many are sampled, evenly spread.
const SIZES: usize = 16;

/// Of larger sizes than the first so many no member is drawn.
const MOST_SIZES: usize = 256;

/// Of so many sizes at most the members are counted: a spec may allow few of very many.
const MOST_COUNTED: usize = 2_000;

/// How much to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// All inputs up to this size; `None` for as many sizes as fit into `fit`.
    pub all_up_to: Option<u64>,
    /// How many inputs all sizes together may have where no size is named.
    pub fit: usize,
    /// How many inputs there may be at most, up to a size that is named.
    pub most: usize,
    /// How many boundary cases.
    pub boundary: u64,
    /// How many draws of larger sizes.
    pub sample: u64,
    /// The seed of the draws.
    pub seed: u64,
}

/// What is worth keeping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// All up to a size.
    pub all: Vec<Vec<Value>>,
    /// That size.
    pub up_to: Option<u64>,
    /// Boundary cases.
    pub boundary: Vec<Vec<Value>>,
    /// Draws of larger sizes.
    pub sample: Vec<Vec<Value>>,
    /// What could not be had, and why.
    pub notes: Vec<String>,
}

/// Chooses. An error says why what was asked for can't be had.
pub fn keep(space: &Space, wanted: &Wanted) -> Result<Kept, String> {
    let mut kept = Kept::default();
    let effort = Effort { seed: wanted.seed as u32, ..Effort::default() };
    let mut boundary = BoundaryCases::new(space.clone(), wanted.boundary, effort);
    while !boundary.is_over() {
        kept.boundary.extend(boundary.deal().map(|case| case.args));
    }
    if !is_fit(space) {
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

/// All up to a size; gives the first size behind them.
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

/// Draws from the sizes from one on, each member of a size as likely as any other.
fn sample(native: &mut Native, from: u64, wanted: &Wanted, kept: &mut Kept) {
    if wanted.sample == 0 || from == u64::MAX {
        return;
    }
    let mut sizes: Vec<(u64, Int)> = Vec::new();
    let sizes_of_all = native.sizes();
    for size in (from.max(*sizes_of_all.start())..=*sizes_of_all.end()).take(MOST_SIZES) {
        match native.count(Class::Size(size), EFFORT) {
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
    let options = SmtOptions { boundary: false, cases: wanted.sample, seed: wanted.seed };
    let mut generator = SmtGenerator::new(space.clone(), &options);
    let mut found = Vec::new();
    while (found.len() as u64) < wanted.sample {
        match generator.step() {
            Step::Batch(Batch::Cases(cases)) => found.extend(cases.into_iter().map(|case| case.args)),
            Step::Batch(_) => {}
            Step::Beyond(_) | Step::End(_) => break,
        }
    }
    found.truncate(wanted.sample as usize);
    found
}
