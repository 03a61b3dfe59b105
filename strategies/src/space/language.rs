//! The strings that regular expressions admit: their lengths, and the possible characters at each position.
//!
//! `s.matches("[a-z]+@[0-9]")` needs three characters or more; the first is a letter and the last a digit. All tests
//! of a string become one automaton: `s.matches("(ab)*") && !s.matches("a.*")` leaves the empty string. If that takes
//! too long, some tests are left out. The result is then an over-approximation.

#![allow(clippy::wildcard_enum_match_arm, reason = "few terms limit a domain; all others say nothing")]

mod automaton;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::cancel;
use crate::logic::ir::{Regex, RegexId, Term};
use automaton::{Automaton, longest};

/// Maximum number of steps to find the characters at each position, short strings first. For longer strings, all
/// positions share one set.
const WORK: usize = 20_000_000;

/// Maximum length of a string whose positions are analysed one by one.
const MAX_PLACES: u32 = 256;

/// Maximum length in characters for which lengths are exact. Beyond it, all lengths up to the longest count as
/// possible.
const MAX_EXACT: usize = 2048;

/// Characters that a language doesn't distinguish at a position, as ascending intervals.
pub type Kind = Arc<[(char, char)]>;

/// All possible characters at a position.
pub type Kinds = Arc<[Kind]>;

/// The strings that pass some tests, as a deterministic automaton.
#[derive(Debug)]
pub struct Language {
    /// The characters of each class.
    classes: Vec<Kind>,
    /// The next state, by state and class.
    table: Vec<u32>,
    accepting: Vec<bool>,
    start: u32,
    /// Whether an accepting state is reached from a state.
    is_live: Vec<bool>,
    /// By state, its live successors, each once.
    nexts: Vec<Vec<u32>>,
    /// The greatest length; `None` if there is none.
    longest: Option<usize>,
    lengths: RefCell<Lengths>,
}

/// The possible lengths, computed on demand.
#[derive(Debug)]
struct Lengths {
    /// Whether each length is possible, by length.
    known: Vec<bool>,
    /// The states after one character more than the known lengths.
    reached: Vec<u32>,
}

impl Language {
    /// The language of the conditions on a string in the slot `own`; `None` if none of them is a test with a regular
    /// expression.
    pub fn of_tests<'t>(
        tests: impl Iterator<Item = &'t Term>,
        own: u32,
        regexes: &[Regex],
    ) -> Option<Language> {
        let mut all: Option<Automaton> = None;
        for test in tests {
            let Some((id, state, truth)) = test_of(test, own) else { continue };
            let regex = regexes.get(id.0 as usize).filter(|regex| state < regex.n_states());
            let Some(regex) = regex else { continue };
            let next = Automaton::of(regex, state, truth);
            let both = match &all {
                None => Some(next),
                Some(all) => all.product(&next),
            };
            if both.is_some() {
                all = both;
            }
        }
        all.map(Language::of)
    }

    fn of(automaton: Automaton) -> Language {
        let is_live = automaton.live();
        let nexts = automaton.nexts(&is_live);
        Language {
            classes: automaton.classes().into_iter().map(Kind::from).collect(),
            longest: longest(&nexts, automaton.start),
            lengths: RefCell::new(Lengths { known: Vec::new(), reached: vec![automaton.start] }),
            table: automaton.table,
            accepting: automaton.accepting,
            start: automaton.start,
            is_live,
            nexts,
        }
    }

    /// The number of characters of the longest strings; `None` if there is no limit.
    pub fn longest(&self) -> Option<u32> {
        self.longest.map(|longest| u32::try_from(longest).unwrap_or(u32::MAX))
    }

    /// Whether the language may have a string of `n_chars` characters.
    pub fn has_length(&self, n_chars: u32) -> bool {
        let n_chars = n_chars as usize;
        if !self.is_live[self.start as usize] || self.longest.is_some_and(|longest| longest < n_chars) {
            return false;
        }
        if n_chars > MAX_EXACT {
            return true;
        }
        let mut lengths = self.lengths.borrow_mut();
        while lengths.known.len() <= n_chars {
            let is_accepting = lengths.reached.iter().any(|state| self.accepting[*state as usize]);
            lengths.known.push(is_accepting);
            lengths.reached = self.behind(&lengths.reached);
        }
        lengths.known[n_chars]
    }

    /// The live successors of some states.
    fn behind(&self, states: &[u32]) -> Vec<u32> {
        let mut next: Vec<u32> =
            states.iter().flat_map(|state| &self.nexts[*state as usize]).copied().collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Minimum and maximum number of bytes of a character in strings of the language.
    pub fn widths(&self) -> (i64, i64) {
        let widths = (0..self.classes.len()).filter(|class| self.is_used(*class)).flat_map(|class| {
            self.classes[class].iter().flat_map(|(first, last)| [first.len_utf8(), last.len_utf8()])
        });
        widths.fold((4, 1), |(least, most), width| (least.min(width as i64), most.max(width as i64)))
    }

    fn is_used(&self, class: usize) -> bool {
        (0..self.accepting.len()).any(|state| self.is_live[self.next(state, class)])
    }

    fn next(&self, state: usize, class: usize) -> usize {
        self.table[state * self.classes.len() + class] as usize
    }

    /// The possible characters at each position of strings of these lengths, which ascend: a list for each length,
    /// without duplicate lists. The lists of a length don't depend on longer lengths.
    pub fn kinds_at(&self, lens: &[u32]) -> Vec<Vec<Kinds>> {
        let n_states = self.accepting.len();
        let mut work = WORK;
        let is_affordable = |len: &&u32| {
            let steps = n_states.saturating_mul(self.classes.len()).saturating_mul(**len as usize);
            work = work.saturating_sub(steps);
            **len <= MAX_PLACES && work > 0
        };
        let exact: Vec<usize> = lens.iter().take_while(is_affordable).map(|len| *len as usize).collect();
        let longest = exact.last().copied().unwrap_or(0);
        // The states from which this many characters lead to an accepting state.
        let mut ahead = vec![self.accepting.clone()];
        for left in 0..longest {
            cancel::look();
            let leads = |state: usize| self.nexts[state].iter().any(|next| ahead[left][*next as usize]);
            let states = (0..n_states).map(leads).collect();
            ahead.push(states);
        }
        let mut positions: Vec<Vec<Kinds>> = vec![Vec::new(); longest];
        let add = |position: &mut Vec<Kinds>, kinds: Kinds| {
            if !position.contains(&kinds) {
                position.push(kinds);
            }
        };
        for len in &exact {
            let mut here = vec![self.start];
            for at in 0..*len {
                cancel::look();
                let is_target = &ahead[len - at - 1];
                add(&mut positions[at], self.kinds(&here, is_target).into());
                here = self.behind(&here);
                here.retain(|state| is_target[*state as usize]);
            }
        }
        if exact.len() < lens.len() {
            let anywhere = self.kinds_anywhere();
            positions.iter_mut().for_each(|position| add(position, anywhere.clone()));
        }
        positions
    }

    /// The possible characters at any position.
    pub fn kinds_anywhere(&self) -> Kinds {
        let states: Vec<u32> = (0..self.accepting.len() as u32).collect();
        if states.len() * self.classes.len() > WORK {
            return self.classes.iter().cloned().collect();
        }
        self.kinds(&states, &self.is_live).into()
    }

    /// The characters that lead from some states to targets. Characters with the same successors form a kind.
    fn kinds(&self, from: &[u32], is_target: &[bool]) -> Vec<Kind> {
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        let mut known: HashMap<Vec<Option<usize>>, usize> = HashMap::new();
        for class in 0..self.classes.len() {
            let target =
                |state: &u32| Some(self.next(*state as usize, class)).filter(|next| is_target[*next]);
            let targets: Vec<Option<usize>> = from.iter().map(target).collect();
            if targets.iter().all(Option::is_none) {
                continue;
            }
            let kind = *known.entry(targets).or_insert_with(|| {
                kinds.push(Vec::new());
                kinds.len() - 1
            });
            kinds[kind].push(class);
        }
        kinds.into_iter().map(|classes| self.union(&classes)).collect()
    }

    fn union(&self, classes: &[usize]) -> Kind {
        if let [class] = classes {
            return self.classes[*class].clone();
        }
        let mut all: Vec<(char, char)> =
            classes.iter().flat_map(|class| self.classes[*class].iter()).copied().collect();
        all.sort_unstable();
        all.into()
    }
}

/// The regular expression of a test, its start state, and the required result.
fn test_of(test: &Term, own: u32) -> Option<(RegexId, u32, bool)> {
    match test {
        Term::Not(inner) => test_of(inner, own).map(|(regex, state, truth)| (regex, state, !truth)),
        Term::Matches(regex, state, of) if **of == Term::Var(own) => Some((*regex, *state, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
