//! Notes on what a run did not show, in the words of Rust.

use std::collections::BTreeMap;

use target_bridge::frontend::elaborate::print::Printer;
use target_strategies::logic::ir::{Ctor, DataId, Refined, Sort, Spec, Term, visit};

use super::clause::ClauseWriter;
use super::{ClauseEvent, Describer};
use crate::events::NoteEvent;
use crate::events::outcome::Note;

impl Describer<'_> {
    /// Notes as events.
    pub(super) fn notes(&self, notes: &[Note]) -> Vec<NoteEvent> {
        each_once(notes.iter().map(|note| self.note(note)))
    }

    /// A note as an event.
    fn note(&self, note: &Note) -> NoteEvent {
        match note {
            Note::SameResult(variant) => NoteEvent::SameResult { variant: self.result_variant(*variant) },
            Note::OneSided { clause, condition, never } => NoteEvent::OneSided {
                condition: self.condition(condition),
                never: *never,
                clause: ClauseEvent {
                    text: self.clause_text(*clause).unwrap_or_default(),
                    location: self.clause_location(*clause),
                },
            },
            Note::FewValues { part, n_tried, n_allowed, is_exact } => NoteEvent::FewValues {
                part: part.clone(),
                tried: *n_tried,
                allowed: *n_allowed,
                exact: *is_exact,
            },
            Note::MissingVariants { part, data, tried, missing } => {
                let name = |variant: &u32| variant_name(&self.spec(), *data, *variant);
                NoteEvent::MissingVariants {
                    part: part.clone(),
                    always: if let [only] = &tried[..] { Some(name(only)) } else { None },
                    never: missing.iter().map(name).collect(),
                }
            }
            Note::ShortOnly { part, longest, is_text } => NoteEvent::ShortOnly {
                part: part.clone(),
                longest: *longest,
                unit: if *is_text { "characters" } else { "elements" }.into(),
            },
        }
    }

    /// The name of a variant of the result.
    fn result_variant(&self, variant: u32) -> String {
        let spec = &self.spec();
        let data = if let Sort::Data(id) = &spec.result.sort { Some(*id) } else { None };
        variant_name(spec, data, variant)
    }

    /// A condition of a postcondition: as the spec says it, where it says it in operators and methods; otherwise as Rust,
    /// if Rust can say it.
    fn condition(&self, condition: &Term) -> Option<String> {
        let spec = &self.spec();
        let slots = slots(spec, self.result_name(spec));
        if is_plain(condition, slots.len() as u32) {
            let names: Vec<String> = slots.into_iter().map(|(name, _)| name).collect();
            let printer = Printer {
                names: &names,
                data: &spec.data,
                functions: &spec.functions,
                regexes: &spec.regexes,
            };
            return Some(printer.term(condition));
        }
        let variables: BTreeMap<u32, (String, Refined)> = (0..).zip(slots).collect();
        let code = ClauseWriter::new(spec, &self.subject.opaques, variables, (&[], Vec::new()))
            .condition(condition)?;
        Some(code.text)
    }
}

/// The notes without repetitions: parts of one clause that have no text of their own can't be told apart.
fn each_once(notes: impl Iterator<Item = NoteEvent>) -> Vec<NoteEvent> {
    let mut known = Vec::new();
    for note in notes {
        if !known.contains(&note) {
            known.push(note);
        }
    }
    known
}

/// The names and types of the slots of a spec's postcondition.
fn slots(spec: &Spec, result: String) -> Vec<(String, Refined)> {
    let before = spec.params.iter().map(|param| {
        let name = if param.mutable { format!("old({})", param.name) } else { param.name.clone() };
        (name, param.refined.clone())
    });
    let result = (result, spec.result.clone());
    let after = spec.params.iter().map(|param| (param.name.clone(), param.refined.clone()));
    before.chain([result]).chain(after).collect()
}

/// Whether the printed condition has only names of these slots, and no numbers for constructors.
fn is_plain(condition: &Term, n_slots: u32) -> bool {
    let mut is_plain = true;
    visit(condition, &mut |term| {
        is_plain &= match term {
            Term::Var(slot) => *slot < n_slots,
            Term::IsCtor(..)
            | Term::Field { .. }
            | Term::Opaque(..)
            | Term::Ask(..)
            | Term::Let { .. }
            | Term::If(..) => false,
            Term::Undefined => false,
            _ => true,
        };
    });
    is_plain
}

/// A variant of an enum, or of `bool`.
fn variant_name(spec: &Spec, data: Option<DataId>, variant: u32) -> String {
    let Some(id) = data else {
        return if variant == 0 { "false" } else { "true" }.to_owned();
    };
    let Some(Ctor { rust_path, fields, named, .. }) = spec.data(id).ctors.get(variant as usize) else {
        return String::new();
    };
    let words: Vec<&str> = rust_path.split("::").collect();
    let name = words[words.len().saturating_sub(2)..].join("::");
    match (fields.len(), named) {
        (0, _) => name,
        (_, true) => format!("{name} {{ .. }}"),
        (1, false) => format!("{name}(_)"),
        (_, false) => format!("{name}(..)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_notes_are_one() {
        let clause = ClauseEvent {
            text: "{ let a = x; a < 1 && a < 2 }".to_owned(),
            location: "Cargo.toml:3:5".to_owned(),
        };
        let open = |never| NoteEvent::OneSided { condition: None, never, clause: clause.clone() };
        let notes = [open(false), open(true), open(false)];
        assert_eq!(each_once(notes.into_iter()), [open(false), open(true)]);
    }
}
