//! The inputs that are worth a fuzzer's while: examples, boundary cases, the smallest members of the space, and some
//! drawn from each size.

use std::collections::HashSet;

use target_bridge::generate::native::is_fit;
use target_bridge::generate::smt::{SmtGenerator, SmtOptions};
use target_bridge::generate::{Batch, Generator, Step};
use target_bridge::smt::boundary::BoundaryCases;
use target_bridge::smt::z3::Effort;
use target_strategies::eval::admits;
use target_strategies::native::{Class, Count, Native};
use target_strategies::space::Space;
use target_strategies::value::Value;

/// How many ways may be made to count the members of a size.
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

/// Up to `n` inputs of a space; the seed decides which are drawn.
pub fn choose(space: &Space, n: u64, seed: u64, boundary: bool) -> Vec<Vec<Value>> {
    let mut chosen = Chosen { space, seen: HashSet::new(), all: Vec::new() };
    space.spec().examples.iter().for_each(|example| chosen.add(example));
    if boundary {
        let mut cases = BoundaryCases::new(space.clone(), n / 4, Effort::default());
        while let Some(case) = cases.deal() {
            chosen.add(&case.args);
        }
    }
    match is_fit(space) {
        true => members(space, n, seed, &mut chosen),
        false => solved(space, n, seed, &mut chosen),
    }
    chosen.all.truncate(n as usize);
    chosen.all
}

/// A quarter of them the smallest, the rest drawn, as many from each size as from any other.
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
            // Some of these may be no members.
            Ok(Count::AtMost(_)) => {}
            Err(_) => break,
        }
    }
    // The same may be drawn twice, so there are more draws than are wanted.
    for draw in 0..2 * n {
        let Some(size) = (draw as usize).checked_rem(sizes.len()).map(|at| sizes[at]) else { return };
        if chosen.all.len() as u64 >= n {
            return;
        }
        if let Some(args) = native.sample(Class::Size(size), seed, draw) {
            chosen.add(&args);
        }
    }
}

/// What Z3 finds, where the engine doesn't find its way.
fn solved(space: &Space, n: u64, seed: u64, chosen: &mut Chosen) {
    let mut generator = SmtGenerator::new(space.clone(), &SmtOptions { boundary: false, cases: n, seed });
    while (chosen.all.len() as u64) < n {
        match generator.step() {
            Step::Batch(Batch::Cases(cases)) => cases.iter().for_each(|case| chosen.add(&case.args)),
            Step::Batch(_) => {}
            Step::Beyond(_) | Step::End(_) => return,
        }
    }
}
