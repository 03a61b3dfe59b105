//! Strings and lists of scalars that are far apart: a walk over all of them, small ones first, that keeps each that is far
//! from all before.
//!
//! For each string that is kept, the walk has the row of the table of distances that its characters so far lead to. The
//! row bounds how far the whole string can get, so that no beginning is continued that can't get far enough. The same goes for
//! the automata of the string's type. Other conditions are judged, or solved for with the string fixed.
//!
//! Source: J. H. Conway and N. J. A. Sloane, *Lexicographic codes* (1986), for the order; for the rows, E. Ukkonen (1985).

use std::sync::Arc;

use target_strategies::cancel;
use target_strategies::logic::eval::{Admission, Judge};
use target_strategies::logic::ir::{Clause, Regex, Spec, Term};
use target_strategies::logic::part::{Path, path_of, replaced};
use target_strategies::logic::value::Value;
use target_strategies::space::{Scalars, Space};

use super::conditions::refined_of;
use super::effort::Effort;
use super::key;
use super::relation::parts;
use super::set::new_id;
use crate::frontend::subject::Relation;
use crate::generate::members::Next;

/// Maximum length of the strings and lists.
const LONGEST: u32 = 300;

/// Steps to solve for the rest of an input whose string is known.
const MOST_STEPS: u64 = 2_000_000;

/// How a walk ended.
pub(super) enum Packed {
    /// The set has as many inputs as asked.
    Asked,
    /// No other input differs from all of the set.
    All,
    /// Whether there are more was not found out.
    Unknown,
}

/// The strings and lists of a space that a relation is about.
pub(super) struct Packing<'s> {
    space: &'s Space,
    /// The string, and its position.
    of: Term,
    path: Path,
    scalars: Scalars,
    /// The least distance.
    least: usize,
    automata: Vec<Automaton<'s>>,
    effort: Effort,
}

/// An automaton that strings have to match.
pub(super) struct Automaton<'s> {
    regex: &'s Regex,
    /// By the number of characters to come: the states from which so many may lead to the end of a match.
    is_live: Vec<Vec<bool>>,
}

/// A position in the walk: the elements so far, with what they lead to, by the number of elements.
struct Walk<'w> {
    set: &'w mut Vec<Vec<Value>>,
    n_asked: usize,
    known: Vec<Vec<Value>>,
    elements: Vec<Value>,
    states: Vec<Vec<u32>>,
    rows: Vec<Vec<Vec<usize>>>,
    is_sure: bool,
}

impl<'s> Packing<'s> {
    /// `None` if a relation is about something else.
    pub fn of(space: &'s Space, relation: &Relation, effort: Effort) -> Option<Packing<'s>> {
        let (of, least) = key::edited(&relation.term, &relation.second)?;
        let path = path_of(&of)?;
        let scalars = space.scalars(&path).filter(|scalars| scalars.lens.last() <= Some(&LONGEST))?;
        let longest = scalars.lens.last().copied().unwrap_or(0) as usize;
        let automata = Automaton::all(space.spec(), &of, longest)?;
        Some(Packing { space, path, scalars, least, automata, effort, of })
    }

    /// Adds inputs to a set, up to so many.
    pub fn add(&self, set: &mut Vec<Vec<Value>>, n_asked: usize) -> Packed {
        let known = set.iter().map(|input| parts(self.part(input))).collect();
        let states = vec![Automaton::start(&self.automata)];
        let mut walk =
            Walk { set, n_asked, known, elements: Vec::new(), states, rows: Vec::new(), is_sure: true };
        let start = |known: &Vec<Value>| (0..=known.len()).collect();
        walk.rows.push(walk.known.iter().map(start).collect());
        for len in &self.scalars.lens {
            if self.walk(&mut walk, *len as usize) {
                return if walk.set.len() == n_asked { Packed::Asked } else { Packed::Unknown };
            }
        }
        if walk.set.len() == n_asked {
            Packed::Asked
        } else if walk.is_sure {
            Packed::All
        } else {
            Packed::Unknown
        }
    }

    /// The string or list of an input.
    fn part<'i>(&self, input: &'i [Value]) -> &'i Value {
        let mut part = &input[self.path[0]];
        for at in &self.path[1..] {
            let (Value::Tuple(inner) | Value::Data(_, inner)) = part else { return part };
            part = &inner[*at];
        }
        part
    }

    /// Goes on with all elements that may come next. Returns whether the walk is over.
    fn walk(&self, walk: &mut Walk<'_>, len: usize) -> bool {
        let at = walk.elements.len();
        if walk.set.len() == walk.n_asked || self.effort.is_met() {
            return true;
        }
        if at == len {
            self.take(walk);
            return false;
        }
        let values =
            self.scalars.values.get(at).or(self.scalars.values.last()).map_or_else(Arc::default, Arc::clone);
        for value in values.iter() {
            if let Some(states) = Automaton::after(&self.automata, &walk.states[at], value, len - at - 1)
                && let Some(rows) = self.rows(walk, value, len - at - 1)
            {
                walk.elements.push(value.clone());
                walk.states.push(states);
                walk.rows.push(rows);
                let is_over = self.walk(walk, len);
                walk.elements.pop();
                walk.states.pop();
                walk.rows.pop();
                if is_over {
                    return true;
                }
            }
        }
        false
    }

    /// The rows after one more element, unless one of the known lists can't be far enough with so many to come.
    fn rows(&self, walk: &Walk<'_>, value: &Value, n_left: usize) -> Option<Vec<Vec<usize>>> {
        let rows = &walk.rows[walk.elements.len()];
        let next = |(known, row): (&Vec<Value>, &Vec<usize>)| {
            cancel::step();
            let next = after(row, known, value);
            // All elements to come may be in neither list.
            let farthest = next.iter().enumerate().map(|(read, n)| n + n_left.max(known.len() - read)).min();
            (farthest >= Some(self.least)).then_some(next)
        };
        walk.known.iter().zip(rows).map(next).collect()
    }

    /// Adds an input with the elements of the walk, if there is one.
    fn take(&self, walk: &mut Walk<'_>) {
        let ends = |(automaton, state): (&Automaton<'_>, &u32)| automaton.regex.accepting[*state as usize];
        let is_far = |(known, row): (&Vec<Value>, &Vec<usize>)| row[known.len()] >= self.least;
        let at = walk.elements.len();
        // Of an empty one, nothing was looked at so far.
        if !self.automata.iter().zip(&walk.states[at]).all(ends)
            || !walk.known.iter().zip(&walk.rows[at]).all(is_far)
        {
            return;
        }
        let Some(input) = self.input(walk) else { return };
        debug_assert!(!walk.set.contains(&input), "it is at least one change apart from all of the set");
        walk.set.push(input);
        let mut row: Vec<usize> = (0..=walk.elements.len()).collect();
        for (at, rows) in walk.rows.iter_mut().enumerate() {
            rows.push(row.clone());
            if let Some(element) = walk.elements.get(at) {
                row = after(&row, &walk.elements, element);
            }
        }
        walk.known.push(walk.elements.clone());
    }

    fn input(&self, walk: &mut Walk<'_>) -> Option<Vec<Value>> {
        let value = self.scalars.value(&walk.elements);
        let spec = self.space.spec();
        let is_alone = self.path.len() == 1 && spec.params.len() == 1;
        let model = if is_alone {
            Some(vec![value.clone()])
        } else {
            walk.set.first().map(|input| replaced(input, &self.path, value.clone()))
        };
        if let Some(input) = model.filter(|input| self.space.contains(input)) {
            match Judge::new(None).precondition(spec, &input) {
                Admission::Admitted => return Some(input),
                Admission::Rejected(_) => {}
                Admission::SpecError { .. } => walk.is_sure = false,
            }
        }
        if is_alone {
            return None;
        }
        let term = Term::Equal(Box::new(self.of.clone()), Box::new(Term::Lit(value)));
        let clause = Clause { id: new_id(spec), text: "edit_distance".to_owned(), term };
        match self.effort.at_most(MOST_STEPS).first(&self.space.narrowed([clause])) {
            Next::Member(input) => Some(input),
            Next::End(reasons) => {
                walk.is_sure &= reasons.is_empty();
                None
            }
        }
    }
}

impl<'s> Automaton<'s> {
    /// The automata of the type of a string, for up to so many characters. `None` if the string is computed.
    pub fn all(spec: &'s Spec, of: &Term, longest: usize) -> Option<Vec<Automaton<'s>>> {
        let clauses = refined_of(spec, of)?.clauses.iter().flat_map(|clause| match &clause.term {
            Term::And(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        });
        let automaton = |term: &Term| {
            let Term::Matches(id, Regex::START, text) = term else { return None };
            let is_own = **text == Term::Var(spec.value_slot());
            is_own.then(|| Automaton::of(&spec.regexes[id.0 as usize], longest))
        };
        Some(clauses.filter_map(automaton).collect())
    }

    /// The states before the first element.
    pub fn start(automata: &[Automaton<'_>]) -> Vec<u32> {
        automata.iter().map(|_| Regex::START).collect()
    }

    /// The states after one more element, unless one of the automata can't match with so many to come.
    pub fn after(
        automata: &[Automaton<'_>],
        states: &[u32],
        value: &Value,
        n_left: usize,
    ) -> Option<Vec<u32>> {
        let Value::Char(c) = value else { return Some(states.to_vec()) };
        let next = |(automaton, state): (&Automaton<'_>, &u32)| {
            let next = automaton.regex.next(*state, *c);
            automaton.is_live[n_left][next as usize].then_some(next)
        };
        automata.iter().zip(states).map(next).collect()
    }

    fn of(regex: &'s Regex, longest: usize) -> Automaton<'s> {
        let mut is_live = vec![regex.accepting.clone()];
        for n_left in 0..longest {
            cancel::look_after(u64::from(regex.n_states()) * u64::from(regex.n_classes));
            let before =
                |state| (0..regex.n_classes).any(|class| is_live[n_left][regex.step(state, class) as usize]);
            let live = (0..regex.n_states()).map(before).collect();
            is_live.push(live);
        }
        Automaton { regex, is_live }
    }
}

/// The next row of the table of distances from a list.
fn after(row: &[usize], known: &[Value], element: &Value) -> Vec<usize> {
    let mut next = Vec::with_capacity(row.len());
    next.push(row[0] + 1);
    for (at, own) in known.iter().enumerate() {
        let replaced = row[at] + usize::from(own != element);
        next.push(replaced.min(row[at + 1] + 1).min(next[at] + 1));
    }
    next
}
