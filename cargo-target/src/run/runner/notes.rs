//! Finds what a run's cases did not show, from the goals that they met.
//!
//! Children look at every valid case. Goals are counted in the order of the cases, and only up to the last one that
//! counts. So the notes don't depend on the number or speed of workers.

use target_strategies::child::goals::{Goals, LONGEST, RETURNED};
use target_strategies::child::protocol::Status;
use target_strategies::logic::eval::Decision;
use target_strategies::logic::ir::{Spec, Term, map_children, visit};
use target_strategies::space::{Allowed, Part};

use super::counts::Counts;
use crate::events::outcome::Note;
use crate::run::worker::BatchOutcome;

/// Minimum number of valid cases for a note: fewer cases show too little.
const LEAST_CASES: u64 = 5;

/// Minimum number of valid cases for a note if they are the whole space: what so few inputs don't show, the user sees.
const LEAST_SPACE: u64 = 20;

/// Minimum number of valid cases, for each variant of a part, for a note on missing ones.
const CASES_OF_VARIANT: u64 = 4;

/// Maximum number of terms of a condition in which names are replaced by their values: names can stand for names, and
/// nobody reads a long condition.
const LONGEST_CONDITION: usize = 32;

/// The goals that the counted cases met.
pub(super) struct Tried<'s> {
    goals: Goals<'s>,
    /// By goal.
    is_met: Vec<bool>,
    /// Whether a child ended before it reported, so that an open goal may have been met.
    has_gap: bool,
}

impl<'s> Tried<'s> {
    /// No goal is met.
    pub(super) fn new(spec: &'s Spec) -> Tried<'s> {
        let goals = Goals::of(spec);
        let is_met = vec![false; goals.len() as usize];
        Tried { goals, is_met, has_gap: false }
    }

    /// Adds the first cases of a batch, as many as were counted.
    pub(super) fn add(&mut self, outcome: &BatchOutcome, n_counted: u64) {
        self.has_gap |= outcome.has_gap;
        // Most batches meet no new goal.
        if outcome.met.is_empty() {
            return;
        }
        let end = end_of_counted(&outcome.statuses, n_counted);
        for (offset, goal) in &outcome.met {
            if *offset < end
                && let Some(is_met) = self.is_met.get_mut(*goal as usize)
            {
                *is_met = true;
            }
        }
    }

    /// What the valid cases did not show, which may be all of the space; `None` if that isn't known.
    pub(super) fn notes(self, counts: &Counts, is_exhausted: bool) -> Option<Vec<Note>> {
        let n_valid = counts.valid;
        let least = if is_exhausted { LEAST_SPACE } else { LEAST_CASES };
        // A child that ran a case before it was left out does not report its goals again.
        if self.has_gap || counts.left_out > 0 || n_valid < least {
            return None;
        }
        let mut notes = Vec::new();
        if self.is_met(RETURNED) {
            notes.extend(self.same_result());
            notes.extend(self.one_sided());
        }
        notes.extend(self.goals.parts.iter().filter_map(|(first, part)| self.of_part(*first, part, n_valid)));
        Some(notes)
    }

    fn is_met(&self, goal: u32) -> bool {
        self.is_met[goal as usize]
    }

    fn same_result(&self) -> Option<Note> {
        let variants = self.goals.variants.iter().enumerate();
        let mut met = variants.filter(|(index, _)| self.is_met(self.goals.variant(*index)));
        match (met.next(), met.next()) {
            (Some((_, variant)), None) => Some(Note::SameResult(*variant)),
            _ => None,
        }
    }

    /// The decisions that were not taken. Of those that depend on each other, only the first.
    fn one_sided(&self) -> impl Iterator<Item = Note> {
        let is_met = |index| self.is_met(self.goals.decision(index));
        let open = self.goals.decisions.iter().enumerate();
        let open = open.filter(move |(index, of)| !is_met(*index) && of.after.is_none_or(is_met));
        open.map(|(_, of)| Note::OneSided { clause: of.clause.id, condition: condition(of), never: of.truth })
    }

    fn of_part(&self, first: u32, part: &Part, n_valid: u64) -> Option<Note> {
        let name = part.name.clone();
        match &part.allowed {
            Allowed::Values { codes, is_exact } => {
                let least = codes.first()?;
                let is_tried = |code: &&i64| self.is_met(first + (**code - least) as u32);
                let n_tried = codes.iter().filter(is_tried).count() as u64;
                let n_allowed = codes.len() as u64;
                (2 * n_tried <= n_allowed && n_valid >= n_allowed).then_some(Note::FewValues {
                    part: name,
                    n_tried,
                    n_allowed,
                    is_exact: *is_exact,
                })
            }
            Allowed::Variants { data, variants } => {
                let by_index = (first..).zip(variants.iter().copied());
                let (tried, missing): (Vec<_>, Vec<_>) = by_index.partition(|(goal, _)| self.is_met(*goal));
                // An input may have no such part, or few: a list may be empty.
                let is_odd = !tried.is_empty() && !missing.is_empty();
                let variants_of =
                    |found: Vec<(u32, u32)>| found.into_iter().map(|(_, variant)| variant).collect();
                (is_odd && n_valid >= CASES_OF_VARIANT * variants.len() as u64).then(|| {
                    Note::MissingVariants {
                        part: name,
                        data: *data,
                        tried: variants_of(tried),
                        missing: variants_of(missing),
                    }
                })
            }
            Allowed::Lengths { most, is_text } => {
                let longest = (0..=LONGEST + 1).rev().find(|length| self.is_met(first + *length as u32))?;
                let may_be_longer = most.is_none_or(|most| longest < most);
                (longest <= LONGEST && may_be_longer).then_some(Note::ShortOnly {
                    part: name,
                    longest,
                    is_text: *is_text,
                })
            }
        }
    }
}

/// The index after the last case that was counted.
fn end_of_counted(statuses: &[Status], n_counted: u64) -> u64 {
    let counted = (1..).zip(statuses).filter(|(_, status)| status.is_case());
    counted.take(usize::try_from(n_counted).unwrap_or(usize::MAX)).last().map_or(0, |(end, _)| end)
}

/// The condition of a decision, with the values of the names around it.
fn condition(decision: &Decision<'_>) -> Term {
    // A later name may mention earlier ones.
    decision.names.iter().rev().fold(decision.condition.clone(), |term, (slot, value)| {
        let is_short = size(&term) <= LONGEST_CONDITION && size(value) <= LONGEST_CONDITION;
        if is_short { replaced(&term, *slot, value) } else { term }
    })
}

/// Number of terms in a term.
fn size(term: &Term) -> usize {
    let mut size = 0;
    visit(term, &mut |_| size += 1);
    size
}

/// A term with a value for a slot. No two binders of a spec share a slot.
fn replaced(term: &Term, slot: u32, value: &Term) -> Term {
    match term {
        Term::Var(other) if *other == slot => value.clone(),
        term => map_children(term, &mut |child, _| replaced(child, slot, value)),
    }
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::{IntKind, Param, Refined, SeqKind, Sort};

    use super::*;

    /// `fn(x: u8, xs: Vec<bool>) -> bool`
    fn spec() -> Spec {
        let param =
            |name: &str, sort| Param { name: name.to_owned(), refined: Refined::plain(sort), mutable: false };
        let list = Sort::Seq(Box::new(Refined::plain(Sort::Bool)), SeqKind::Vec);
        Spec {
            params: vec![param("x", Sort::Int(IntKind::U8)), param("xs", list)],
            result: Refined::plain(Sort::Bool),
            ..Spec::unrefined("f")
        }
    }

    /// What is noted if these cases of a batch are valid, of which so many are counted.
    fn notes(met: &[(u64, u32)], n_counted: u64, (has_gap, is_exhausted): (bool, bool)) -> Option<Vec<Note>> {
        let spec = spec();
        let mut tried = Tried::new(&spec);
        let statuses = vec![Status::Valid; 300];
        let outcome = BatchOutcome { statuses, met: met.to_vec(), has_gap, ..BatchOutcome::default() };
        tried.add(&outcome, n_counted);
        tried.notes(&counts(n_counted, 0), is_exhausted)
    }

    fn counts(valid: u64, left_out: u64) -> Counts {
        let mut counts = Counts::default();
        (counts.valid, counts.left_out) = (valid, left_out);
        counts
    }

    /// `f(0, vec![])` returned `false`, and after a while `f(0, vec![true; 4])` returned `true`.
    const MET: [(u64, u32); 6] = [(0, RETURNED), (0, 1), (0, 3), (0, 259), (50, 2), (50, 263)];

    #[test]
    fn what_counted_cases_did_not_show_is_noted() {
        let x = Note::FewValues { part: "x".to_owned(), n_tried: 1, n_allowed: 256, is_exact: true };
        let xs = |longest| Note::ShortOnly { part: "xs".to_owned(), longest, is_text: false };
        assert_eq!(notes(&MET, 300, (false, false)), Some(vec![x, xs(4)]));
        // The case number 50 is not counted, and 50 cases are too few for all values of `x`.
        assert_eq!(notes(&MET, 50, (false, false)), Some(vec![Note::SameResult(0), xs(0)]));
        assert_eq!(notes(&MET, 5, (false, false)), Some(vec![Note::SameResult(0), xs(0)]));
    }

    #[test]
    fn nothing_is_known_of_few_cases_or_after_a_gap() {
        assert_eq!(notes(&MET, 4, (false, false)), None);
        assert_eq!(notes(&MET, 300, (true, false)), None);
    }

    #[test]
    fn nothing_is_known_if_cases_were_left_out() {
        let spec = spec();
        assert!(Tried::new(&spec).notes(&counts(300, 0), false).is_some());
        assert_eq!(Tried::new(&spec).notes(&counts(300, 1), false), None);
    }

    #[test]
    fn a_tiny_space_that_was_exhausted_has_no_notes() {
        assert_eq!(notes(&MET, 19, (false, true)), None);
        assert_eq!(notes(&MET, 20, (false, true)), notes(&MET, 20, (false, false)));
    }

    #[test]
    fn a_run_that_never_returned_has_no_note_on_the_result() {
        let met: Vec<_> = (3..259).map(|goal| (0, goal)).chain([(0, 268)]).collect();
        assert_eq!(notes(&met, 300, (false, false)), Some(Vec::new()));
    }
}
