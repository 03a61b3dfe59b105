//! Generated specs whose conditions rustc compiles: the judge and all generators find what that code admits.
//!
//! The specs are those of `agree/grammar.txt`, which has each form in Rust, too. Each day has other specs; the seed is
//! printed. To hunt for long, set the environment's `ORACLE_SPECS` to a number of specs, `ORACLE_SEED` to a seed,
//! `ORACLE_MEMBERS` to how big a space may be, and `ORACLE_SMT` to another share of specs that Z3 is asked about (`3`: one of
//! three). With `ORACLE_SHOW`, all specs are printed. Some conditions take too long to judge, on purpose.
//!
//! ```text
//! ORACLE_SPECS=10000 ORACLE_SEED=7 cargo test -p workspace-tests --test it -- oracle::rustc --nocapture
//! ```

mod program;
mod verdict;

use std::collections::BTreeMap;
use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

use workspace_tests::{Fixture, Signature};

use crate::agree::draft::{Draft, Maker, Rng};
use crate::agree::grammar::{Costs, Grammar};
use verdict::{Question, Verdict, question, verdict};

/// So many specs, if nothing else is said: some seconds.
const SPECS: u64 = 200;

/// So many specs are compiled at a time.
const BATCH: u64 = 200;

/// Bigger spaces are skipped.
const MEMBERS: u64 = 2_000;

/// Of so many specs, Z3 is asked about one.
const SHARE_OF_SMT: u64 = 4;

/// How often a failing spec may be made smaller.
const ROUNDS: u32 = 20;

/// How many smaller specs are tried in one round.
const SMALLER: usize = 60;

/// After so many failures, there is enough to look at.
const FAILURES: usize = 10;

#[test]
fn rustc_and_all_generators_agree() {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let seed = number("ORACLE_SEED").unwrap_or_else(today);
    println!("ORACLE_SEED={seed}");
    let oracle = Oracle {
        grammar: Grammar::read(Costs::In),
        fixture: Fixture::open("medley", "medley"),
        members: number("ORACLE_MEMBERS").unwrap_or(MEMBERS),
        share_of_smt: number("ORACLE_SMT").unwrap_or(SHARE_OF_SMT).max(1) as usize,
    };
    let mut seeds = Rng(seed);
    let mut tally = Tally::default();
    let mut left = number("ORACLE_SPECS").unwrap_or(SPECS);
    while left > 0 && tally.failures.len() < FAILURES {
        let n = left.min(BATCH);
        left -= n;
        let drafts: Vec<_> = (0..n).map(|_| Maker::new(&oracle.grammar, seeds.next()).draft()).collect();
        for (draft, verdict) in drafts.iter().zip(oracle.verdicts(&drafts, oracle.share_of_smt)) {
            if env::var_os("ORACLE_SHOW").is_some() {
                println!("{}\n  {verdict}", draft.text());
            }
            if verdict.is_failure() {
                println!("made smaller: {}\n  {verdict}", draft.text());
                let complaint = oracle.smallest(draft.clone(), verdict.clone());
                println!("{complaint}\n");
                tally.failures.push(complaint);
            }
            tally.count(verdict);
        }
    }
    println!("{tally}");
    assert!(tally.failures.is_empty(), "ORACLE_SEED={seed}\n{}", tally.failures.join("\n\n"));
    // Were they all rejected, or too big, nothing would be tested.
    assert!(tally.n_ill_typed * 50 <= tally.n, "{tally}");
    assert!(tally.n_agreed * 2 > tally.n, "{tally}");
}

/// The days since 1970.
fn today() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs() / (24 * 60 * 60))
}

struct Oracle {
    grammar: Grammar,
    fixture: Fixture,
    members: u64,
    share_of_smt: usize,
}

impl Oracle {
    /// What becomes of each spec.
    fn verdicts(&self, drafts: &[Draft], share_of_smt: usize) -> Vec<Verdict> {
        let texts: Vec<_> = drafts.iter().map(|draft| (draft.signature(), draft.explore())).collect();
        let signatures = drafts.iter().zip(&texts).map(|(draft, (spec, explore))| Signature {
            spec,
            n_params: draft.n_params(),
            explore: explore.as_deref(),
        });
        let specs = self.fixture.specs(&signatures.collect::<Vec<_>>());
        let questions: Vec<Result<Question, Verdict>> = specs
            .into_iter()
            .zip(drafts)
            .map(|(spec, draft)| match spec {
                Ok(spec) => question(draft, spec, self.members),
                Err(mistakes) => {
                    Err(Verdict::Rejected(mistakes.lines().next().unwrap_or_default().to_owned()))
                }
            })
            .collect();
        let asked = questions
            .iter()
            .zip(drafts)
            .filter_map(|(question, draft)| Some((draft, question.as_ref().ok()?.tuples.as_slice())));
        let mut said = program::judged(&asked.collect::<Vec<_>>()).into_iter();
        let verdicts = questions.into_iter().enumerate().map(|(i, question)| match question {
            Ok(question) => match said.next().unwrap() {
                Some(said) => verdict(&question, &said, i % share_of_smt == 0),
                None => Verdict::IllTyped,
            },
            Err(verdict) => verdict,
        });
        verdicts.collect()
    }

    /// A failing spec made smaller as long as it fails in the same way, and what is wrong with it.
    fn smallest(&self, mut draft: Draft, mut failure: Verdict) -> String {
        let first = draft.text();
        for _ in 0..ROUNDS {
            let mut smaller = draft.smaller(&self.grammar);
            smaller.truncate(SMALLER);
            let verdicts = self.verdicts(&smaller, 1);
            let found =
                smaller.into_iter().zip(verdicts).find(|(_, verdict)| verdict.is_failure_like(&failure));
            match found {
                Some(found) => (draft, failure) = found,
                None => break,
            }
        }
        format!("{}\n  {failure}\n  made smaller from {first}", draft.text())
    }
}

/// What became of the specs.
#[derive(Default)]
struct Tally {
    n: u64,
    /// By the diagnostic.
    rejected: BTreeMap<String, u64>,
    n_too_big: u64,
    n_ill_typed: u64,
    n_agreed: u64,
    /// Of those agreed, that admit some tuples and reject others.
    n_telling: u64,
    n_tuples: usize,
    /// How many tuples rustc's code could not judge.
    n_unknown: usize,
    /// How often somebody gave up.
    gave_up: BTreeMap<&'static str, u64>,
    failures: Vec<String>,
}

impl Tally {
    fn count(&mut self, verdict: Verdict) {
        self.n += 1;
        match verdict {
            Verdict::Rejected(message) => *self.rejected.entry(message).or_default() += 1,
            Verdict::TooBig => self.n_too_big += 1,
            Verdict::IllTyped => self.n_ill_typed += 1,
            Verdict::Agreed { n_admitted, n_tuples, n_unknown, gave_up } => {
                self.n_agreed += 1;
                self.n_telling += u64::from(0 < n_admitted && n_admitted < n_tuples);
                self.n_tuples += n_tuples;
                self.n_unknown += n_unknown;
                gave_up.into_iter().for_each(|who| *self.gave_up.entry(who).or_default() += 1);
            }
            Verdict::Differ(_) | Verdict::Panicked(_) => {}
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { n, n_too_big, n_ill_typed, n_agreed, n_telling, n_tuples, n_unknown, gave_up, .. } = self;
        writeln!(f, "specs: {n}; rejected: {}", self.rejected.values().sum::<u64>())?;
        let mut messages: Vec<_> = self.rejected.iter().map(|(message, n)| (n, message)).collect();
        messages.sort_by(|a, b| b.cmp(a));
        for (n, message) in messages.iter().take(12) {
            writeln!(f, "  {n} {message}")?;
        }
        writeln!(f, "too big: {n_too_big}; not compiled by rustc: {n_ill_typed}")?;
        writeln!(f, "agreed: {n_agreed}, of which {n_telling} admit some tuples and reject others")?;
        writeln!(f, "tuples: {n_tuples}, of which rustc's code could not judge {n_unknown}")?;
        write!(f, "gave up: {gave_up:?}; disagreements: {}", self.failures.len())
    }
}
