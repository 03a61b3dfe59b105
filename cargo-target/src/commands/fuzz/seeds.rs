//! Chooses inputs for a fuzzer: examples, boundary cases, the smallest members of the space, and samples of each size.

use std::collections::HashSet;

use target_bridge::generate::beyond::BeyondCases;
use target_bridge::generate::native::is_fit;
use target_bridge::generate::smt::SmtGenerator;
use target_bridge::generate::{Batch, Generator, Step};
use target_bridge::smt::solver;
use target_strategies::beyond::{Seen, Source};
use target_strategies::logic::eval::admits;
use target_strategies::logic::value::Value;
use target_strategies::native::{Class, Count, Native};
use target_strategies::space::Space;

/// Maximum number of branches made to count the members of a size: small, since each size takes as many.
const EFFORT: u64 = 300_000;

/// Argument tuples that a spec admits, each once.
struct Chosen<'s> {
    space: &'s Space,
    seen: HashSet<Vec<Value>>,
    all: Vec<Vec<Value>>,
}

impl Chosen<'_> {
    fn add(&mut self, args: &[Value]) {
        if admits(self.space.spec(), args) && self.seen.insert(args.to_vec()) {
            self.all.push(args.to_vec());
        }
    }
}

/// Up to `n` inputs of a space; the seed decides which are sampled.
pub fn choose(space: &Space, n: u64, seed: u64, boundary: bool) -> Vec<Vec<Value>> {
    let mut chosen = Chosen { space, seen: HashSet::new(), all: Vec::new() };
    space.spec().examples.iter().for_each(|example| chosen.add(example));
    if boundary {
        let mut seen = Seen::new();
        for source in [Source::Boundary, Source::Large] {
            let (mut cases, first) = (BeyondCases::new(space, source, seed), chosen.all.len() as u64);
            while !cases.is_over() && (chosen.all.len() as u64) < first + n / 8 {
                cases.next_case(u64::MAX, &mut seen).into_iter().for_each(|case| chosen.add(&case.args));
            }
        }
    }
    if is_fit(space) || !solver::IS_BUILT_IN {
        members(space, n, seed, &mut chosen);
    } else {
        solved(space, n, seed, &mut chosen);
    }
    chosen.all.truncate(n as usize);
    chosen.all
}

/// Adds a quarter of the inputs as the smallest members, and samples as many from each size as from any other.
fn members(space: &Space, n: u64, seed: u64, chosen: &mut Chosen) {
    let mut native = Native::new(space);
    let mut listed = 0;
    for size in native.sizes() {
        if listed >= n / 4 {
            break;
        }
        let Some(mut cursor) = native.cursor(Class::Size(size)) else { continue };
        while listed < n / 4 && native.advance(&mut cursor) {
            if !native.is_undecided(&cursor) {
                chosen.add(cursor.values());
            }
            listed += 1;
        }
    }
    let mut native = Native::new(space);
    let mut sizes = Vec::new();
    for size in native.sizes() {
        match native.count(Class::Size(size), EFFORT) {
            Ok(Count::Exactly(count)) if count.is_zero() => {}
            Ok(Count::Exactly(_)) => sizes.push(size),
            // Some of these may not be members.
            Ok(Count::AtMost(_)) => {}
            Err(_) => break,
        }
    }
    // Samples may repeat, so more are taken than needed.
    for index in 0..2 * n {
        let Some(size) = (index as usize).checked_rem(sizes.len()).map(|at| sizes[at]) else { return };
        if chosen.all.len() as u64 >= n {
            return;
        }
        if let Some(args) = native.sample(Class::Size(size), seed, index) {
            chosen.add(&args);
        }
    }
}

/// Adds inputs found by Z3, if the native engine can't find any.
fn solved(space: &Space, n: u64, seed: u64, chosen: &mut Chosen) {
    let mut generator = SmtGenerator::new(space.clone(), seed);
    while (chosen.all.len() as u64) < n {
        match generator.step() {
            Step::Batch(Batch::Cases(cases)) => cases.iter().for_each(|case| chosen.add(&case.args)),
            Step::Batch(_) => {}
            Step::Reached(_) => {}
            Step::Beyond(_) | Step::End(_) => return,
        }
    }
}
