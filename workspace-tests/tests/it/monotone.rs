//! A greater depth or bound never takes an input away: generated specs, and the examples that the docs state.
//!
//! The specs come from the grammar of `agree`, and from `monotone/grammar.txt`. To hunt for long, set the environment's
//! `MONOTONE_SPECS` to a number of specs, `MONOTONE_SEED` to another seed, and `MONOTONE_MEMBERS` to how big a space may be:
//!
//! ```text
//! MONOTONE_SPECS=20000 MONOTONE_SEED=7 cargo test -p workspace-tests --test it -- monotone::generated --nocapture
//! ```

use std::env;
use std::slice;
use std::sync::Arc;

use target_strategies::logic::ir::Spec;
use target_strategies::native::{Class, Native};
use target_strategies::space::{Bounds, Space};
use workspace_tests::{Fixture, Signature, admitted, brute_force, n_members};

use crate::agree::draft::{Draft, Maker, Rng};
use crate::agree::grammar::{Costs, Grammar};
use crate::support;
use crate::table::Entry;

/// So many specs, if nothing else is said.
const SPECS: u64 = 500;

/// So many specs are read at a time.
const BATCH: u64 = 50;

/// Bigger spaces are skipped.
const MEMBERS: u64 = 3000;

/// The native engine counts spaces that take it so many steps; of others, it is not asked.
const STEPS: u64 = 20_000;

/// How many specs may be tried in making a failing one smaller.
const TRIES: usize = 400;

/// What became of a spec.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    /// It is no spec, or the judge gives up on a member.
    NotASpec,
    TooBig,
    /// So many inputs, all of which are in the greater spaces.
    Kept(usize),
    /// What a greater space lacks.
    Lost(String),
}

#[test]
fn generated_specs_lose_no_input_as_depth_or_bound_grow() {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let members = number("MONOTONE_MEMBERS").unwrap_or(MEMBERS);
    let grammar = Grammar::with(Costs::Out, include_str!("monotone/grammar.txt"));
    let fixture = Fixture::open("medley", "medley");
    let mut seeds = Rng(number("MONOTONE_SEED").unwrap_or(1));
    let (mut n_kept, mut n_not_empty, mut n_skipped, mut failures) = (0, 0, [0, 0], Vec::new());
    let n_specs = number("MONOTONE_SPECS").unwrap_or(SPECS);
    for _ in 0..n_specs.div_ceil(BATCH) {
        let drafts: Vec<Draft> = (0..BATCH).map(|_| draft(&grammar, &mut seeds)).collect();
        for (draft, outcome) in drafts.iter().zip(outcomes(&fixture, &drafts, members)) {
            match outcome {
                Outcome::NotASpec => n_skipped[0] += 1,
                Outcome::TooBig => n_skipped[1] += 1,
                Outcome::Kept(n) => {
                    n_kept += 1;
                    n_not_empty += u64::from(n > 0);
                }
                Outcome::Lost(_) => failures.push(smallest(&grammar, &fixture, draft.clone(), members)),
            }
        }
    }
    let [n_rejected, n_too_big] = n_skipped;
    println!(
        "kept: {n_kept}, of these not empty: {n_not_empty}, rejected: {n_rejected}, too big: {n_too_big}"
    );
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n\n"));
    // Were they all rejected, or too big, nothing would be tested.
    assert!(n_not_empty * 3 > n_specs, "{n_not_empty} of {n_specs}");
}

/// A spec with bounds from none at all to beyond the characters that are listed.
fn draft(grammar: &Grammar, seeds: &mut Rng) -> Draft {
    let mut draft = Maker::new(grammar, seeds.next()).draft();
    draft.depth = [0, 1, 1, 2, 2, 3][(seeds.next() % 6) as usize];
    draft.bound = [0, 1, 1, 2, 4, 9, 10][(seeds.next() % 7) as usize];
    draft
}

fn outcomes(fixture: &Fixture, drafts: &[Draft], members: u64) -> Vec<Outcome> {
    let texts: Vec<_> = drafts.iter().map(|draft| (draft.signature(), draft.explore())).collect();
    let signatures = drafts.iter().zip(&texts).map(|(draft, (spec, explore))| Signature {
        spec,
        n_params: draft.n_params(),
        explore: explore.as_deref(),
    });
    let specs = fixture.specs(&signatures.collect::<Vec<_>>());
    let each = drafts.iter().zip(specs).map(|(draft, spec)| match spec {
        Ok(spec) => outcome(&spec, Bounds { depth: draft.depth, bound: draft.bound }, members),
        Err(_) => Outcome::NotASpec,
    });
    each.collect()
}

fn outcome(spec: &Arc<Spec>, bounds: Bounds, members: u64) -> Outcome {
    let space = Space::new(spec.clone(), bounds);
    if n_members(&space, members).is_none() {
        return Outcome::TooBig;
    }
    let Ok(inputs) = admitted(&space, spec) else { return Outcome::NotASpec };
    let deeper = Bounds { depth: bounds.depth + 1, ..bounds };
    let wider = Bounds { bound: bounds.bound + 1, ..bounds };
    for greater in [deeper, wider] {
        let space = Space::new(spec.clone(), greater);
        if let Some(lost) = inputs.iter().find(|args| !space.contains(args)) {
            return Outcome::Lost(format!("{greater:?} lacks {lost:?}"));
        }
        match counted(&space) {
            Some(n) if n < inputs.len() as u64 => {
                return Outcome::Lost(format!("{greater:?} has {n} inputs, not {}", inputs.len()));
            }
            _ => {}
        }
    }
    Outcome::Kept(inputs.len())
}

/// How many inputs the native engine counts, where that is quick.
fn counted(space: &Space) -> Option<u64> {
    let mut engine = Native::new(space);
    if !engine.left_to_harness().is_empty() {
        return None;
    }
    engine.count(Class::All, STEPS).ok()?.exactly()?.to_u64()
}

/// A failing spec made smaller as long as something is lost, and what.
fn smallest(grammar: &Grammar, fixture: &Fixture, mut draft: Draft, members: u64) -> String {
    let outcome = |draft: &Draft| outcomes(fixture, slice::from_ref(draft), members).remove(0);
    let mut tries = 0;
    'again: loop {
        for smaller in draft.smaller(grammar) {
            tries += 1;
            if tries > TRIES {
                break 'again;
            }
            if matches!(outcome(&smaller), Outcome::Lost(_)) {
                draft = smaller;
                continue 'again;
            }
        }
        break;
    }
    format!("{}\n  {:?}", draft.text(), outcome(&draft))
}

/// The numbers of inputs of a spec at depths from 1 on.
fn counts(spec: &str, bound: u32, deepest: u32) -> Vec<usize> {
    let space =
        |depth| Entry::new("", spec, depth, bound).space().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    (1..=deepest).map(|depth| brute_force(&space(depth)).len()).collect()
}

#[test]
fn lengths_reach_to_depth_more_than_the_least_that_is_admitted() {
    assert_eq!(counts("fn(v: Vec<bool>)", 1, 4), [3, 7, 15, 31]);
    assert_eq!(counts("fn(v: {v: Vec<bool> | !v.is_empty()})", 1, 3), [6, 14, 30]);
    assert_eq!(counts("fn(v: {v: Vec<bool> | 3 <= v.len()})", 1, 5), [24, 56, 120, 248, 504]);
    // Sets of four numbers: 6 and 4 and 1 of them have two, three and four.
    let set = "fn(s: {s: BTreeSet<{x: u8 | x < 4}> | 2 <= s.len()})";
    assert_eq!(counts(set, 4, 4), [10, 11, 11, 11]);
    assert_eq!(counts("fn(s: {s: String | s.matches(\"ab+\")})", 1, 4), [2, 3, 4, 5]);
    // Lengths in bytes: one character of four, or up to as many as take a byte each.
    assert_eq!(counts("fn(s: {s: String | s.len() == 4})", 1, 2), [16, 16]);
}

#[test]
fn the_command_counts_more_inputs_at_each_depth() {
    let tables = "[package.metadata.target.functions]\nlong = \"fn(v: {v: Vec<bool> | 3 <= v.len()})\"\n";
    let fixture = support::Fixture::of("monotone::count", tables, "pub fn long(_: Vec<bool>) {}\n");
    let count = |depth: &str| fixture.target(&["count", "long", "--depth", depth]).stdout;
    for (depth, expected) in [("1", "24"), ("2", "56"), ("3", "120"), ("4", "248"), ("5", "504")] {
        let printed = count(depth);
        assert!(printed.split_whitespace().any(|word| word == expected), "{printed}");
    }
}
