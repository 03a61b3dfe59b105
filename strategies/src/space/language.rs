//! The strings that regular expressions leave: how long they are, and which characters can stand where.
//!
//! `s.matches("[a-z]+@[0-9]")` takes three characters or more, of which the first is a letter and the last a digit. All
//! tests of a string are taken together, as one automaton: `s.matches("(ab)*") && !s.matches("a.*")` leaves the empty
//! string. Where that takes too long, some tests are left out: what is said is still true of all strings that are left.

mod automaton;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::cancel;
use crate::ir::{Regex, RegexId, Term};
use automaton::{Automaton, longest};

/// So many steps may be taken to find which characters can stand at which place, the short strings first; of the longer
/// ones, all places are taken together.
const WORK: usize = 20_000_000;

/// Of longer strings, all places are taken together.
const MAX_PLACES: u32 = 256;

/// Beyond this many characters, every length up to the longest counts as possible.
const MAX_EXACT: usize = 2048;

/// Characters that a language doesn't tell apart at a place, as ascending intervals.
pub type Kind = Arc<[(char, char)]>;

/// All characters that can stand at a place.
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
    /// By state, those that can be next and are live, each once.
    nexts: Vec<Vec<u32>>,
    /// The greatest length; none if there is no greatest.
    longest: Option<usize>,
    /// The regular expressions that were taken in.
    pub regexes: Vec<RegexId>,
    lengths: RefCell<Lengths>,
}

/// Which lengths there are, found on demand.
#[derive(Debug)]
struct Lengths {
    /// By length.
    known: Vec<bool>,
    /// The states in which a string is that is longer by one.
    reached: Vec<u32>,
}

impl Language {
    /// What conditions on a string, in the slot `own`, leave; `None` if none of them is a test by a regular expression.
    pub fn of_tests<'t>(
        tests: impl Iterator<Item = &'t Term>,
        own: u32,
        regexes: &[Regex],
    ) -> Option<Language> {
        let mut all: Option<Automaton> = None;
        let mut taken = Vec::new();
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
                taken.push(id);
                all = both;
            }
        }
        all.map(|automaton| Language::of(automaton, taken))
    }

    fn of(automaton: Automaton, regexes: Vec<RegexId>) -> Language {
        let is_live = automaton.live();
        let nexts = automaton.nexts(&is_live);
        Language {
            classes: automaton.classes().into_iter().map(Kind::from).collect(),
            longest: longest(&nexts, automaton.start),
            lengths: RefCell::new(Lengths { known: Vec::new(), reached: vec![automaton.start] }),
            regexes,
            table: automaton.table,
            accepting: automaton.accepting,
            start: automaton.start,
            is_live,
            nexts,
        }
    }

    /// Whether a string of so many characters may be among them.
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
            let ends = lengths.reached.iter().any(|state| self.accepting[*state as usize]);
            lengths.known.push(ends);
            lengths.reached = self.behind(&lengths.reached);
        }
        lengths.known[n_chars]
    }

    /// The live states behind some states.
    fn behind(&self, states: &[u32]) -> Vec<u32> {
        let mut next: Vec<u32> =
            states.iter().flat_map(|state| &self.nexts[*state as usize]).copied().collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// The fewest and the most bytes that a character of a string of the language takes.
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

    /// For each place in strings of these lengths, which ascend, the characters that can stand there: a list for each
    /// length, no list twice. What one length adds doesn't depend on longer ones.
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
        // From which states so many characters lead to an accepting one.
        let mut ahead = vec![self.accepting.clone()];
        for left in 0..longest {
            cancel::look();
            let leads = |state: usize| self.nexts[state].iter().any(|next| ahead[left][*next as usize]);
            let states = (0..n_states).map(leads).collect();
            ahead.push(states);
        }
        let mut places: Vec<Vec<Kinds>> = vec![Vec::new(); longest];
        let add = |place: &mut Vec<Kinds>, kinds: Kinds| {
            if !place.contains(&kinds) {
                place.push(kinds);
            }
        };
        for len in &exact {
            let mut here = vec![self.start];
            for at in 0..*len {
                cancel::step();
                let is_target = &ahead[len - at - 1];
                add(&mut places[at], self.kinds(&here, is_target).into());
                here = self.behind(&here);
                here.retain(|state| is_target[*state as usize]);
            }
        }
        if exact.len() < lens.len() {
            let anywhere = self.kinds_anywhere();
            places.iter_mut().for_each(|place| add(place, anywhere.clone()));
        }
        places
    }

    /// The characters that can stand anywhere in a string.
    pub fn kinds_anywhere(&self) -> Kinds {
        let states: Vec<u32> = (0..self.accepting.len() as u32).collect();
        if states.len() * self.classes.len() > WORK {
            return self.classes.iter().cloned().collect();
        }
        self.kinds(&states, &self.is_live).into()
    }

    /// The characters that lead from some states to targets, those together that lead from each to the same one.
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

/// The characters that a regular expression tells apart, without those that no string of it has.
pub fn kinds_of(regex: &Regex) -> Kinds {
    Language::of(Automaton::of(regex, Regex::START, true), Vec::new()).kinds_anywhere()
}

/// The regular expression of a test, the state to begin in, and what the test says.
fn test_of(test: &Term, own: u32) -> Option<(RegexId, u32, bool)> {
    match test {
        Term::Not(inner) => test_of(inner, own).map(|(regex, state, truth)| (regex, state, !truth)),
        Term::Matches(regex, state, of) if **of == Term::Var(own) => Some((*regex, *state, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
