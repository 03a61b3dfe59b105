//! How deep and how large the inputs of a function may be.
//!
//! A set of different inputs has few of them, so these may be long strings and lists, or far from each other. Where the user doesn't say
//! how far, the relation does: twenty prices that are 100 apart need numbers to 2,000. Other spaces of that depth could not be counted, and
//! values that nest so deeply not be built.

use target_strategies::logic::ir::relation::EDIT_DISTANCE;
use target_strategies::logic::ir::{Spec, Term, for_children};
use target_strategies::logic::value::Value;

use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::manifest::{DEEPEST, GREATEST_BOUND, LONGEST, PartialSettings, Settings};
use crate::frontend::subject::Different;

/// Number of inputs that a set should have room for, if `cases` isn't given.
const USUAL_SET: u64 = 100;

/// How many times as long as their edit distance strings may be: shorter ones have less room to differ.
const ROOM: u32 = 2;

/// The options, completed. For a set of different inputs, the space has room for as many as `cases` says, unless `depth` or `bound` are
/// given.
pub fn settings(written: &PartialSettings, spec: &Spec, different: Option<&Different>) -> Settings {
    let mut settings = written.resolve();
    let Some(Different::Pairs(relation)) = different else { return settings };
    let mut wanted = Wanted::default();
    wanted.look_at(&relation.term);
    let n_inputs = written.cases.unwrap_or(USUAL_SET);
    if let (None, Some(greatest)) = (written.bound, wanted.greatest) {
        let bound = n_inputs.saturating_mul(greatest).min(GREATEST_BOUND.into()) as u32;
        settings.bound = settings.bound.max(bound);
    }
    if written.depth.is_none() && may_be_long(spec) {
        let of_lengths = if wanted.is_of_lengths { n_inputs.saturating_sub(1) } else { 0 };
        let of_edits = wanted.edits.unwrap_or(0).saturating_mul(ROOM.into());
        let depth = of_lengths.max(of_edits).min(LONGEST.into()) as u32;
        settings.depth = settings.depth.max(depth);
    }
    settings
}

/// The mistake of a depth that is only for the lengths of a set.
pub fn mistake(spec: &Spec, has_different: bool, settings: &Settings, span: Span) -> Option<Diagnostic> {
    if settings.depth <= DEEPEST || has_different && may_be_long(spec) {
        return None;
    }
    let message = format!("`depth` is {}, and at most {DEEPEST} here", settings.depth);
    let help =
        "a greater one is for a function with `different` whose inputs are neither recursive nor functions";
    Some(Diagnostic::error(span, message).help(help))
}

/// Whether inputs may have great lengths: no value nests, and none is a function.
fn may_be_long(spec: &Spec) -> bool {
    let nests = spec.data.iter().flat_map(|data| &data.ctors).any(|ctor| ctor.recursive);
    !nests && spec.callbacks.is_empty()
}

/// How large inputs must be to differ as a relation says.
#[derive(Default)]
struct Wanted {
    /// The greatest magnitude of its numbers, rounded up, if some number isn't 0.
    greatest: Option<u64>,
    /// Whether it compares lengths.
    is_of_lengths: bool,
    /// The greatest edit distance.
    edits: Option<u64>,
}

impl Wanted {
    fn look_at(&mut self, term: &Term) {
        match term {
            Term::Opaque(EDIT_DISTANCE, args) => {
                let distance = args.last().and_then(magnitude);
                self.edits = self.edits.max(distance);
            }
            Term::Len(_) => self.is_of_lengths = true,
            // What `cover` compares are numbers of kinds.
            Term::If(..) => {}
            term => {
                self.greatest = self.greatest.max(magnitude(term).filter(|n| *n > 0));
                for_children(term, &mut |child| self.look_at(child));
            }
        }
    }
}

/// The magnitude of a literal number, rounded up.
fn magnitude(term: &Term) -> Option<u64> {
    match term {
        Term::Lit(Value::Int(n)) => Some(n.abs().to_u64().unwrap_or(u64::MAX)),
        Term::Lit(Value::Float(x)) => Some(x.abs().ceil() as u64),
        _ => None,
    }
}
