//! Whether the judge and all generators find what rustc's code admits, for one generated spec.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use target_bridge::generate::auto::{Auto, AutoOptions};
use target_bridge::generate::enumerative::Enumerative;
use target_bridge::generate::native::{NativeGenerator, NativeOptions};
use target_bridge::generate::smt::SmtGenerator;
use target_bridge::generate::{Batch, Case, End, Generator, Step};
use target_strategies::baseline::enumerative::Members;
use target_strategies::logic::collection::are_ordered;
use target_strategies::logic::eval::Admission;
use target_strategies::logic::eval::{Judge, Judgement};
use target_strategies::logic::ir::Spec;
use target_strategies::native::listing::{Lister, Member};
use target_strategies::space::{Bounds, Space};
use workspace_tests::n_members;

use super::program::Said;
use crate::agree::draft::Draft;
use crate::agree::verdict::{caught, least, unrefined};
use crate::table::Args;

/// What became of a spec.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is no spec; the diagnostic's first line.
    Rejected(String),
    /// The space has too many members.
    TooBig,
    /// Rustc has no types for it.
    IllTyped,
    /// All that is said is right.
    Agreed {
        /// How many tuples are inputs.
        n_admitted: usize,
        /// Of how many.
        n_tuples: usize,
        /// Of how many tuples rustc's code said nothing.
        n_unknown: usize,
        /// Who said that it could not find out all.
        gave_up: Vec<&'static str>,
    },
    /// Somebody is wrong: who, and in what.
    Differ(String),
    /// Something panicked.
    Panicked(String),
}

impl Verdict {
    /// Whether this is a bug of the tool.
    pub fn is_failure(&self) -> bool {
        matches!(self, Verdict::Differ(_) | Verdict::Panicked(_))
    }

    /// Whether both are bugs, of the same kind as far as one sees.
    pub fn is_failure_like(&self, other: &Verdict) -> bool {
        let first_words = |text: &str| text.split(':').next().map(str::to_owned);
        match (self, other) {
            (Verdict::Differ(one), Verdict::Differ(other)) => first_words(one) == first_words(other),
            (Verdict::Panicked(one), Verdict::Panicked(other)) => first_words(one) == first_words(other),
            _ => false,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Differ(what) => write!(f, "{what}"),
            Verdict::Panicked(message) => write!(f, "panic: {message}"),
            other => write!(f, "{other:?}"),
        }
    }
}

/// A spec, and the tuples that rustc's code is asked about.
pub struct Question {
    space: Space,
    /// The members of the space, and those of the space of the spec without its conditions.
    pub tuples: Vec<Args>,
}

/// What to ask of a spec, if it is not too big.
pub fn question(draft: &Draft, spec: Arc<Spec>, most: u64) -> Result<Question, Verdict> {
    let bounds = Bounds { depth: draft.depth, bound: draft.bound };
    let look = || {
        let space = Space::new(spec.clone(), bounds);
        let tuples = members(&space, most)?;
        let widest = Space::new(unrefined(&spec).into(), bounds);
        let mut seen: HashSet<Args> = tuples.iter().cloned().collect();
        let beyond = members(&widest, most).unwrap_or_default();
        let beyond = beyond.into_iter().filter(|args| seen.insert(args.clone()));
        let tuples: Vec<Args> = tuples.iter().cloned().chain(beyond).collect();
        Some(Question { space, tuples })
    };
    match caught(look) {
        Ok(Some(question)) => Ok(question),
        Ok(None) => Err(Verdict::TooBig),
        Err(panic) => Err(Verdict::Panicked(panic)),
    }
}

/// The members of a space before they are judged, if they are not too many.
fn members(space: &Space, most: u64) -> Option<Vec<Args>> {
    n_members(space, most)?;
    let mut found = Vec::new();
    for skeleton in space.skeletons() {
        let mut members = Members::new(space, &skeleton);
        let mut args = Vec::new();
        while members.next_into(&mut args) {
            if are_ordered(space.spec(), &args) {
                found.push(args.clone());
            }
        }
    }
    Some(found)
}

/// Compares what rustc's code said of the tuples with what the tool finds.
pub fn verdict(question: &Question, said: &[Said], with_smt: bool) -> Verdict {
    caught(|| compared(question, said, with_smt)).unwrap_or_else(Verdict::Panicked)
}

fn compared(Question { space, tuples }: &Question, said: &[Said], with_smt: bool) -> Verdict {
    assert_eq!(tuples.len(), said.len());
    let expected: HashMap<&Args, Said> = tuples.iter().zip(said.iter().copied()).collect();
    let mut gave_up = Vec::new();
    for (args, said) in tuples.iter().zip(said) {
        // It takes long to give up: once tells enough.
        let judged = if gave_up.is_empty() { judged(space.spec(), args) } else { Judged::Unknown };
        match (judged, said) {
            (Judged::Admitted, Said::Rejected) => {
                return Verdict::Differ(format!("the judge admits: {args:?}"));
            }
            (Judged::Rejected, Said::Admitted) => {
                return Verdict::Differ(format!("the judge rejects: {args:?}"));
            }
            (Judged::Unknown, _) => gave_up = vec!["judge"],
            (Judged::Admitted | Judged::Rejected, _) => {}
        }
        if *said == Said::Admitted && !space.contains(args) {
            return Verdict::Differ(format!("the space lacks: {args:?}"));
        }
    }
    let native = NativeOptions { cases: 1_000_000, size: None };
    let auto = AutoOptions { beyond: false, seed: 0 };
    let mut generators: Vec<(&'static str, Box<dyn Generator>)> = vec![
        ("enumerative", Box::new(Enumerative::new(space.clone()))),
        ("native", Box::new(NativeGenerator::new(space.clone(), &native))),
        ("auto", Box::new(Auto::new(space.clone(), &auto))),
    ];
    if with_smt {
        generators.push(("smt", Box::new(SmtGenerator::new(space.clone(), 0))));
    }
    for (name, mut generator) in generators {
        let found = match found(space, &mut *generator) {
            Found::All(found) => found,
            Found::Some(found) => {
                gave_up.push(name);
                if let Some(args) = found.iter().find(|args| expected.get(args) == Some(&Said::Rejected)) {
                    return Verdict::Differ(format!("{name} finds: {args:?}"));
                }
                continue;
            }
            Found::Twice(args) => return Verdict::Differ(format!("{name} repeats: {args:?}")),
        };
        let wrong =
            found.iter().filter(|args| !matches!(expected.get(args), Some(Said::Admitted | Said::Unknown)));
        if let Some(args) = least(wrong) {
            return Verdict::Differ(format!("{name} finds: {args:?}"));
        }
        let is_missing = |args: &&Args| expected[*args] == Said::Admitted && !found.contains(*args);
        if let Some(args) = least(tuples.iter().filter(is_missing)) {
            return Verdict::Differ(format!("{name} says exhausted and misses: {args:?}"));
        }
    }
    let count = |wanted| said.iter().filter(|said| **said == wanted).count();
    Verdict::Agreed {
        n_admitted: count(Said::Admitted),
        n_tuples: tuples.len(),
        n_unknown: count(Said::Unknown),
        gave_up,
    }
}

/// What the tool's judge says of arguments.
enum Judged {
    Admitted,
    Rejected,
    /// It gave up: a run ends there, with an error.
    Unknown,
}

fn judged(spec: &Spec, args: &Args) -> Judged {
    let mut judge = Judge::new(None);
    match judge.precondition(spec, args) {
        Admission::Admitted => match judge.explored(spec, args) {
            Judgement::Holds => Judged::Admitted,
            Judgement::Broken => Judged::Rejected,
            Judgement::Unjudged | Judgement::SpecError(_) => Judged::Unknown,
        },
        Admission::Rejected(_) => Judged::Rejected,
        Admission::SpecError { .. } => Judged::Unknown,
    }
}

/// The valid inputs that a run with a generator has.
enum Found {
    /// It says that these are all.
    All(HashSet<Args>),
    /// It says that there may be more, or the run ends with an error.
    Some(HashSet<Args>),
    /// It gives one twice.
    Twice(Args),
}

fn found(space: &Space, generator: &mut dyn Generator) -> Found {
    let mut found = HashSet::new();
    let mut lister = Lister::new(space);
    loop {
        let (cases, is_judged) = match generator.step() {
            Step::Batch(Batch::Cases(cases)) => {
                (cases.into_iter().map(|Case { args, .. }| args).collect::<Vec<_>>(), false)
            }
            Step::Batch(Batch::Ranges(ranges)) => {
                let mut cases = Vec::new();
                for range in ranges {
                    let mut members = Members::new(space, &range.skeleton);
                    members.seek(range.start);
                    let mut args = Vec::new();
                    for _ in 0..range.len {
                        if members.next_into(&mut args) && are_ordered(space.spec(), &args) {
                            cases.push(args.clone());
                        }
                    }
                }
                (cases, false)
            }
            Step::Batch(Batch::Listed(pieces)) => {
                let mut cases = Vec::new();
                let mut listing = lister.list(&pieces);
                while let Some(Member { args, .. }) = listing.advance() {
                    cases.push(args.to_vec());
                }
                (cases, true)
            }
            Step::Reached(_) | Step::Beyond(_) => continue,
            Step::End(End::Exhausted) => return Found::All(found),
            Step::End(End::Asked(_) | End::Unknown(_) | End::Closed) => return Found::Some(found),
        };
        for args in cases {
            match (is_judged, judged(space.spec(), &args)) {
                (true, _) | (false, Judged::Admitted) => {
                    if !found.insert(args.clone()) {
                        return Found::Twice(args);
                    }
                }
                (false, Judged::Rejected) => {}
                (false, Judged::Unknown) => return Found::Some(found),
            }
        }
    }
}
