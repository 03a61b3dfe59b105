//! What becomes of one generated spec: whether all ways to its inputs find the same.

use std::collections::HashSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use target_bridge::generate::End;
use target_strategies::logic::ir::{Refined, Spec};
use target_strategies::native::{Class, Native};
use target_strategies::space::{Bounds, Space, skeleton_of};
use workspace_tests::{Fixture, Signature, admitted, n_members};

use super::draft::Draft;
use crate::table::{Args, as_set, smt};

/// Which ways are gone, beside brute force.
pub struct Ways {
    /// Z3's.
    pub smt: bool,
    /// How many members a space may have.
    pub members: u64,
}

/// What became of a spec.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It is no spec; the diagnostic's first line.
    Rejected(String),
    /// The space has too many members.
    TooBig,
    /// The judge gives up on some member.
    Unjudged(String),
    /// All found the same.
    Agreed {
        /// How many members are inputs.
        admitted: usize,
        /// Of how many.
        of: u64,
        /// Whether the solver gave up on some.
        unknown: bool,
    },
    /// They didn't: who differs in what.
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

/// The members of a space that the native engine finds, where it covers the spec.
pub fn native_set(space: &Space) -> Option<HashSet<Args>> {
    let mut engine = Native::new(space);
    if !engine.left_to_harness().is_empty() {
        return None;
    }
    let counted = engine.count(Class::All, MOST_WAYS).ok();
    let mut found = HashSet::new();
    if let Some(mut cursor) = engine.cursor(Class::All) {
        while engine.advance(&mut cursor) {
            assert!(found.insert(cursor.values().to_vec()), "listed twice: {:?}", cursor.values());
        }
    }
    if let Some(counted) = counted {
        assert_eq!(counted.n_listed().to_u64(), Some(found.len() as u64), "the count and the list differ");
    }
    Some(found)
}

/// So many ways of the native engine are made before it only lists.
const MOST_WAYS: u64 = 2_000_000;

/// Goes all ways to the inputs of each spec.
pub fn verdicts(fixture: &Fixture, drafts: &[Draft], ways: &Ways) -> Vec<Verdict> {
    let texts: Vec<_> = drafts.iter().map(|draft| (draft.signature(), draft.explore())).collect();
    let signatures = drafts.iter().zip(&texts).map(|(draft, (spec, explore))| Signature {
        spec,
        n_params: draft.n_params(),
        explore: explore.as_deref(),
    });
    let signatures: Vec<_> = signatures.collect();
    let specs = match caught(|| fixture.specs(&signatures)) {
        Ok(specs) => specs,
        Err(panic) if drafts.len() == 1 => return vec![Verdict::Panicked(panic)],
        Err(_) => {
            return drafts.iter().flat_map(|draft| verdicts(fixture, slice::from_ref(draft), ways)).collect();
        }
    };
    let each = drafts.iter().zip(specs).map(|(draft, spec)| match spec {
        Ok(spec) => {
            let bounds = Bounds { depth: draft.depth, bound: draft.bound };
            caught(|| looked_at(&Space::new(spec, bounds), ways)).unwrap_or_else(Verdict::Panicked)
        }
        Err(mistakes) => Verdict::Rejected(mistakes.lines().next().unwrap_or_default().to_owned()),
    });
    each.collect()
}

/// What it gives, or the message of its panic.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
    })
}

fn looked_at(space: &Space, ways: &Ways) -> Verdict {
    let Some(of) = n_members(space, ways.members) else { return Verdict::TooBig };
    let expected: HashSet<Args> = match admitted(space, space.spec()) {
        Ok(expected) => expected.into_iter().collect(),
        Err(reason) => return Verdict::Unjudged(reason.split(": ").last().unwrap_or_default().to_owned()),
    };
    if let Some(lost) = lost(space, &expected, ways.members) {
        return Verdict::Differ(lost);
    }
    let mut unknown = false;
    if ways.smt {
        let dealt = smt(space);
        let (found, twice) = as_set(&dealt.members);
        if let Some(args) = twice.first() {
            return Verdict::Differ(format!("smt repeats: {args:?}"));
        }
        unknown = dealt.end != End::Exhausted;
        if let Some(difference) =
            difference("smt", &found.into_iter().cloned().collect(), &expected, !unknown)
        {
            return Verdict::Differ(difference);
        }
    }
    if let Some(difference) =
        native_set(space).and_then(|found| difference("native", &found, &expected, true))
    {
        return Verdict::Differ(difference);
    }
    Verdict::Agreed { admitted: expected.len(), of, unknown }
}

/// Checks the space itself: it contains what it enumerates; and whatever is within the bounds and admitted, before the
/// refinements narrow any domain, is still in it.
fn lost(space: &Space, expected: &HashSet<Args>, most: u64) -> Option<String> {
    if let Some(args) = expected.iter().find(|args| !space.contains(args)) {
        return Some(format!("the space does not contain its own member: {args:?}"));
    }
    let widest = Space::new(unrefined(space.spec()).into(), space.bounds());
    n_members(&widest, most)?;
    let all = admitted(&widest, space.spec()).ok()?;
    let lost: HashSet<Args> = all.into_iter().filter(|args| !expected.contains(args)).collect();
    Some(format!("the space lacks: {:?}", least(lost.iter())?))
}

/// The spec without its preconditions.
pub fn unrefined(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    let params = spec.params.iter_mut().map(|param| &mut param.refined);
    let ctors = spec.data.iter_mut().flat_map(|data| &mut data.ctors);
    let fields = ctors.flat_map(|ctor| &mut ctor.fields).map(|field| &mut field.refined);
    params.chain(fields).for_each(unrefine);
    spec.requires.clear();
    spec.explore.clear();
    spec
}

fn unrefine(refined: &mut Refined) {
    refined.clauses.clear();
    refined.inner_mut().into_iter().for_each(unrefine);
}

/// How a generator's set differs from brute force's. One that isn't complete may lack some.
fn difference(
    who: &str,
    found: &HashSet<Args>,
    expected: &HashSet<Args>,
    is_complete: bool,
) -> Option<String> {
    if let Some(args) = least(found.difference(expected)) {
        return Some(format!("{who} alone finds: {args:?}"));
    }
    let missing = least(expected.difference(found)).filter(|_| is_complete);
    missing.map(|args| format!("{who} misses: {args:?}"))
}

/// The smallest of some argument tuples.
pub fn least<'a>(all: impl Iterator<Item = &'a Args>) -> Option<&'a Args> {
    all.min_by_key(|args| (skeleton_of(args).size(), format!("{args:?}").len(), format!("{args:?}")))
}
