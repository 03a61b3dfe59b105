//! Strings and lists of scalars of different lengths: one of each length that the space has, the shortest first.
//!
//! The lengths are known before any input is. So no input is looked at twice, and no pair is judged. An input is made by
//! replacing the string in another one: by the first elements that its automata take. Where that is no valid input, one of
//! this length is solved for.

use std::collections::HashSet;

use target_strategies::cancel;
use target_strategies::logic::eval::admits;
use target_strategies::logic::ir::{Clause, Term};
use target_strategies::logic::part::{Path, path_of, replaced};
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Scalars, Space};

use super::effort::Effort;
use super::key::Key;
use super::packing::Automaton;
use super::relation::Related;
use super::set::{Larger, new_id};
use crate::generate::members::Next;

/// Steps to solve for an input of a length, or for the first input.
const MOST_STEPS: u64 = 20_000_000;

/// The depth at which the first input is sought.
const SMALL_DEPTH: u32 = 4;

/// What has all those lengths.
pub(super) struct Lengths<'s> {
    space: &'s Space,
    /// The length, as a term.
    key: Term,
    path: Path,
    scalars: Scalars,
    automata: Vec<Automaton<'s>>,
    effort: Effort,
}

impl<'s> Lengths<'s> {
    /// `None` if a relation is about something else, or the lengths in bytes are not those in elements.
    pub fn of(space: &'s Space, keys: Option<&[Key]>, effort: Effort) -> Option<Lengths<'s>> {
        let Some([Key::Differs(key)]) = keys else { return None };
        let Term::Len(of) = key else { return None };
        let (of, is_counted) = if let Term::Chars(text) = &**of { (text, true) } else { (of, false) };
        let path = path_of(of)?;
        let scalars = space.scalars(&path)?;
        let is_ascii = |value: &Value| matches!(value, Value::Char(c) if c.is_ascii());
        let is_one_byte = || scalars.values.iter().all(|values| values.iter().all(is_ascii));
        if scalars.is_text && !is_counted && !is_one_byte() {
            return None;
        }
        let longest = scalars.lens.last().copied().unwrap_or(0) as usize;
        let automata = Automaton::all(space.spec(), of, longest)?;
        Some(Lengths { space, key: key.clone(), path, scalars, automata, effort })
    }

    /// Adds an input of each length to a set, up to so many.
    pub fn add(&self, related: &mut Related<'_>, (set, n_asked): (&mut Vec<Vec<Value>>, usize)) -> Larger {
        let known: HashSet<Value> = set.iter().filter_map(|member| related.key(member, &self.key)).collect();
        let mut model = set.first().cloned().or_else(|| self.model());
        let mut reasons = Vec::new();
        for len in &self.scalars.lens {
            if set.len() == n_asked {
                return Larger::Unasked;
            }
            if self.effort.is_met() {
                reasons.push(self.effort.reason());
                break;
            }
            if known.contains(&Value::int(*len)) {
                continue;
            }
            match self.made(model.as_ref(), *len as usize) {
                Some(input) => set.push(input),
                None => match self.solved(*len) {
                    Next::Member(input) => {
                        model.get_or_insert_with(|| input.clone());
                        set.push(input);
                    }
                    Next::End(why) => reasons.extend(why),
                },
            }
        }
        reasons.sort();
        reasons.dedup();
        if set.len() == n_asked {
            Larger::Unasked
        } else if reasons.is_empty() {
            Larger::None
        } else {
            Larger::Unknown(reasons)
        }
    }

    /// An input whose string is replaced. A small one is found sooner, and is in the space, too.
    fn model(&self) -> Option<Vec<Value>> {
        let spec = self.space.spec();
        if self.path.len() == 1 && spec.params.len() == 1 {
            return Some(vec![self.scalars.value(&[])]);
        }
        let Bounds { depth, bound } = self.space.bounds();
        let small = Space::new(spec.clone(), Bounds { depth: depth.min(SMALL_DEPTH), bound });
        match self.effort.at_most(MOST_STEPS).first(&small.with_literals(self.space.literals().clone())) {
            Next::Member(input) => Some(input),
            Next::End(_) => None,
        }
    }

    /// A valid input like another one, with a string or list of so many elements.
    fn made(&self, model: Option<&Vec<Value>>, len: usize) -> Option<Vec<Value>> {
        let mut states = Automaton::start(&self.automata);
        let mut elements = Vec::with_capacity(len);
        for at in 0..len {
            cancel::step();
            let values = self.scalars.values.get(at).or(self.scalars.values.last())?;
            let next = |value: &Value| {
                let states = Automaton::after(&self.automata, &states, value, len - at - 1)?;
                Some((states, value.clone()))
            };
            let (after, value) = values.iter().find_map(next)?;
            elements.push(value);
            states = after;
        }
        let input = replaced(model?, &self.path, self.scalars.value(&elements));
        let is_valid = self.space.contains(&input) && admits(self.space.spec(), &input);
        is_valid.then_some(input)
    }

    fn solved(&self, len: u32) -> Next {
        let term = Term::Equal(Box::new(self.key.clone()), Box::new(Term::Lit(Value::int(len))));
        let clause = Clause { id: new_id(self.space.spec()), text: "different_lengths".to_owned(), term };
        self.effort.at_most(MOST_STEPS).first(&self.space.narrowed([clause]))
    }
}
