//! Generated specs over the fixture `medley`, as text: brute force, Z3 and the native engine find the same inputs.
//!
//! The grammar of the specs is `agree/grammar.txt`. To hunt for long, set the environment's `AGREE_SPECS` to a number of
//! specs, `AGREE_SEED` to another seed, and `AGREE_MEMBERS` to how big a space may be; with `AGREE_SHOW`, all are printed:
//!
//! ```text
//! AGREE_SPECS=20000 AGREE_SEED=7 cargo test -p workspace-tests --test it -- agree::generated --nocapture
//! ```

pub mod draft;
pub mod grammar;
mod rust;
pub mod verdict;

use std::collections::BTreeMap;
use std::env;
use std::slice;

use workspace_tests::Fixture;

use draft::{Draft, Maker, Rng};
use grammar::{Costs, Grammar};
use verdict::{Verdict, Ways, verdicts};

/// So many specs, if nothing else is said.
const SPECS: u64 = 500;

/// So many specs are read at a time.
const BATCH: u64 = 50;

/// Of so many batches, Z3 is asked about one.
const SHARE_OF_SMT: u64 = 2;

/// Bigger spaces are skipped: brute force would take too long.
const MEMBERS: u64 = 20_000;

/// How many specs may be tried in making a failing one smaller.
const TRIES: usize = 1500;

/// After so many failures, there is enough to look at.
const FAILURES: usize = 12;

#[test]
fn generated_specs_agree() {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let hunt = number("AGREE_SPECS");
    let ways = |smt| Ways { smt, members: number("AGREE_MEMBERS").unwrap_or(MEMBERS) };
    let (grammar, fixture) = (Grammar::read(Costs::Out), Fixture::open("medley", "medley"));
    let mut seeds = Rng(number("AGREE_SEED").unwrap_or(1));
    let mut tally = Tally::default();
    let shows = env::var_os("AGREE_SHOW").is_some();
    let mut left = hunt.unwrap_or(SPECS);
    for batch in 0.. {
        let n = left.min(BATCH);
        left -= n;
        if n == 0 || tally.failures.len() >= FAILURES {
            break;
        }
        let drafts: Vec<_> = (0..n).map(|_| Maker::new(&grammar, seeds.next()).draft()).collect();
        let ways = ways(hunt.is_some() || batch % SHARE_OF_SMT == 0);
        for (draft, verdict) in drafts.iter().zip(verdicts(&fixture, &drafts, &ways)) {
            if shows {
                println!("{}\n  {verdict}", draft.text());
            }
            if verdict.is_failure() {
                let complaint = smallest(&grammar, &fixture, draft.clone(), verdict.clone(), &ways);
                println!("{complaint}\n");
                tally.failures.push(complaint);
            }
            tally.count(verdict);
        }
    }
    println!("{tally}");
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n\n"));
    // Were they all rejected, or too big, nothing would be tested.
    let n = tally.n();
    assert!(tally.rejected.values().sum::<u64>() * 10 < n, "{tally}");
    assert!(tally.n_too_big * 3 < n, "{tally}");
    assert!(tally.n_some * 5 > n, "{tally}");
}

/// A failing spec made smaller as long as it fails in the same way, and what is wrong with it.
fn smallest(
    grammar: &Grammar,
    fixture: &Fixture,
    mut draft: Draft,
    mut failure: Verdict,
    ways: &Ways,
) -> String {
    let first = draft.signature();
    let mut tries = 0;
    'again: loop {
        for smaller in draft.smaller(grammar) {
            tries += 1;
            if tries > TRIES {
                break 'again;
            }
            let found = verdicts(fixture, slice::from_ref(&smaller), ways).remove(0);
            if found.is_failure_like(&failure) {
                (draft, failure) = (smaller, found);
                continue 'again;
            }
        }
        break;
    }
    format!("{}\n  {failure}\n  made smaller from {first}", draft.text())
}

/// What became of the specs.
#[derive(Default)]
struct Tally {
    /// By the diagnostic.
    rejected: BTreeMap<String, u64>,
    unjudged: BTreeMap<String, u64>,
    n_too_big: u64,
    /// Specs that admit nothing, something, everything.
    n_none: u64,
    n_some: u64,
    n_all: u64,
    n_unknown: u64,
    failures: Vec<String>,
}

impl Tally {
    fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Rejected(message) => *self.rejected.entry(message).or_default() += 1,
            Verdict::Unjudged(message) => *self.unjudged.entry(message).or_default() += 1,
            Verdict::TooBig => self.n_too_big += 1,
            Verdict::Agreed { admitted, of, unknown } => {
                self.n_unknown += u64::from(unknown);
                *match admitted {
                    0 => &mut self.n_none,
                    _ if admitted as u64 == of => &mut self.n_all,
                    _ => &mut self.n_some,
                } += 1;
            }
            Verdict::Differ(_) | Verdict::Panicked(_) => {}
        }
    }

    fn n(&self) -> u64 {
        let rejected = self.rejected.values().sum::<u64>() + self.unjudged.values().sum::<u64>();
        rejected + self.n_too_big + self.n_none + self.n_some + self.n_all + self.failures.len() as u64
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (what, messages) in [("rejected", &self.rejected), ("not judged", &self.unjudged)] {
            writeln!(f, "{what}: {}", messages.values().sum::<u64>())?;
            let mut messages: Vec<_> = messages.iter().map(|(message, n)| (n, message)).collect();
            messages.sort_by(|a, b| b.cmp(a));
            for (n, message) in messages.iter().take(12) {
                writeln!(f, "  {n} {message}")?;
            }
        }
        let Tally { n_too_big, n_none, n_some, n_all, n_unknown, failures, .. } = self;
        writeln!(f, "too big: {n_too_big}")?;
        writeln!(f, "admit nothing: {n_none}, something: {n_some}, everything: {n_all}")?;
        write!(f, "of these, Z3 gave up on {n_unknown}; failures: {}", failures.len())
    }
}
