//! The strings that regular expressions leave: how long they are, and which characters can stand where.
//!
//! `s.matches("[a-z]+@[0-9]")` takes three characters or more, of which the first is a letter and the last a digit. All
//! tests of a string are taken together, as one automaton: `s.matches("(ab)*") && !s.matches("a.*")` leaves the empty
//! string. Where that takes too long, some tests are left out: what is said is still true of all strings that are left.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::ir::{Regex, RegexId, Term, before};

/// An automaton of several tests may have so many cells.
const MAX_CELLS: usize = 500_000;

/// So many steps may be taken to find which characters can stand at which place; else all places are taken together.
const WORK: usize = 20_000_000;

/// Of longer strings, all places are taken together.
const MAX_PLACES: u32 = 256;

/// Beyond this many characters, every length up to the longest counts as possible.
const MAX_EXACT: usize = 2048;

/// Characters that a language doesn't tell apart at a place, as ascending intervals.
pub type Kind = Arc<[(char, char)]>;

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
        all.map(|automaton| automaton.finished(taken))
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

    /// For each place in strings of these lengths, the characters that can stand there; none if the strings are too long
    /// for that.
    pub fn kinds_at(&self, lens: &[u32]) -> Option<Vec<Vec<Kind>>> {
        let longest = lens.last().copied().filter(|longest| *longest <= MAX_PLACES)? as usize;
        let n_states = self.accepting.len();
        if n_states * (self.classes.len() + lens.len()) * longest > WORK {
            return None;
        }
        // From which states so many characters lead to an accepting one.
        let mut ahead = vec![self.accepting.clone()];
        for left in 0..longest {
            let leads = |state: usize| self.nexts[state].iter().any(|next| ahead[left][*next as usize]);
            let states = (0..n_states).map(leads).collect();
            ahead.push(states);
        }
        let mut here = vec![self.start];
        let mut places = Vec::with_capacity(longest);
        for at in 0..longest {
            let left = || lens.iter().filter_map(|len| (*len as usize).checked_sub(at + 1));
            let is_target: Vec<bool> = (0..n_states).map(|state| left().any(|n| ahead[n][state])).collect();
            places.push(self.kinds(&here, &is_target));
            here = self.behind(&here);
            here.retain(|state| is_target[*state as usize]);
        }
        Some(places)
    }

    /// The characters that can stand anywhere in a string.
    pub fn kinds_anywhere(&self) -> Vec<Kind> {
        let states: Vec<u32> = (0..self.accepting.len() as u32).collect();
        if states.len() * self.classes.len() > WORK {
            return (0..self.classes.len()).map(|class| self.classes[class].clone()).collect();
        }
        self.kinds(&states, &self.is_live)
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
pub fn kinds_of(regex: &Regex) -> Vec<Kind> {
    Automaton::of(regex, Regex::START, true).finished(Vec::new()).kinds_anywhere()
}

/// The regular expression of a test, the state to begin in, and what the test says.
fn test_of(test: &Term, own: u32) -> Option<(RegexId, u32, bool)> {
    match test {
        Term::Not(inner) => test_of(inner, own).map(|(regex, state, truth)| (regex, state, !truth)),
        Term::Matches(regex, state, of) if **of == Term::Var(own) => Some((*regex, *state, true)),
        _ => None,
    }
}

/// A language in the making.
#[derive(Debug)]
struct Automaton {
    /// Where intervals of characters of a class begin, ascending.
    starts: Vec<(char, u32)>,
    n_classes: usize,
    table: Vec<u32>,
    accepting: Vec<bool>,
    start: u32,
}

impl Automaton {
    fn of(regex: &Regex, start: u32, truth: bool) -> Automaton {
        Automaton {
            starts: regex.classes.iter().map(|(first, class)| (*first, u32::from(*class))).collect(),
            n_classes: regex.n_classes.into(),
            table: regex.table.clone(),
            accepting: regex.accepting.iter().map(|accepts| *accepts == truth).collect(),
            start,
        }
    }

    /// The strings of both; `None` if that is too much.
    fn product(&self, other: &Automaton) -> Option<Automaton> {
        let mut classes: Vec<(u32, u32)> = Vec::new();
        let mut class_of = HashMap::new();
        let mut starts: Vec<(char, u32)> = Vec::new();
        let (mut a, mut b) = (0, 0);
        loop {
            let first = self.starts[a].0.max(other.starts[b].0);
            let pair = (self.starts[a].1, other.starts[b].1);
            let class = *class_of.entry(pair).or_insert_with(|| {
                classes.push(pair);
                classes.len() as u32 - 1
            });
            starts.push((first, class));
            let ends = (self.starts.get(a + 1), other.starts.get(b + 1));
            match ends {
                (None, None) => break,
                (Some(x), Some(y)) if x.0 == y.0 => (a, b) = (a + 1, b + 1),
                (Some(x), Some(y)) if y.0 < x.0 => b += 1,
                (None, Some(_)) => b += 1,
                (Some(_), _) => a += 1,
            }
        }
        let mut numbers = HashMap::from([((self.start, other.start), 0)]);
        let mut states = vec![(self.start, other.start)];
        let mut table = Vec::new();
        let mut done = 0;
        while let Some((x, y)) = states.get(done).copied() {
            for (c, d) in &classes {
                let next = (self.next(x, *c), other.next(y, *d));
                let n_states = states.len() as u32;
                let number = *numbers.entry(next).or_insert_with(|| {
                    states.push(next);
                    n_states
                });
                table.push(number);
            }
            if table.len() > MAX_CELLS {
                return None;
            }
            done += 1;
        }
        let accepts = |(x, y): &(u32, u32)| self.accepting[*x as usize] && other.accepting[*y as usize];
        let accepting = states.iter().map(accepts).collect();
        Some(Automaton { starts, n_classes: classes.len(), table, accepting, start: 0 })
    }

    fn next(&self, state: u32, class: u32) -> u32 {
        self.table[state as usize * self.n_classes + class as usize]
    }

    fn finished(self, regexes: Vec<RegexId>) -> Language {
        let mut classes = vec![Vec::new(); self.n_classes];
        let ends = self.starts[1..].iter().map(|(first, _)| before(*first)).chain([char::MAX]);
        for ((first, class), last) in self.starts.iter().zip(ends) {
            classes[*class as usize].push((*first, last));
        }
        let is_live = self.live();
        let rows = self.table.chunks(self.n_classes);
        let nexts: Vec<Vec<u32>> = rows
            .map(|row| {
                let mut next: Vec<u32> = row.iter().copied().filter(|next| is_live[*next as usize]).collect();
                next.sort_unstable();
                next.dedup();
                next
            })
            .collect();
        Language {
            classes: classes.into_iter().map(Kind::from).collect(),
            longest: longest(&nexts, self.start),
            lengths: RefCell::new(Lengths { known: Vec::new(), reached: vec![self.start] }),
            regexes,
            table: self.table,
            accepting: self.accepting,
            start: self.start,
            is_live,
            nexts,
        }
    }

    /// Which states lead to accepting ones.
    fn live(&self) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.accepting.len()];
        for (state, row) in (0..).zip(self.table.chunks(self.n_classes)) {
            for next in row {
                // Neighbouring classes often go the same way.
                if before[*next as usize].last() != Some(&state) {
                    before[*next as usize].push(state);
                }
            }
        }
        let mut is_live = self.accepting.clone();
        let mut todo: Vec<u32> = (0..is_live.len() as u32).filter(|state| is_live[*state as usize]).collect();
        while let Some(state) = todo.pop() {
            for source in &before[state as usize] {
                if !std::mem::replace(&mut is_live[*source as usize], true) {
                    todo.push(*source);
                }
            }
        }
        is_live
    }
}

/// How many characters can be read from a state on, until an accepting one; `None` if there is no limit.
fn longest(nexts: &[Vec<u32>], start: u32) -> Option<usize> {
    // A walk in depth: a state that comes up again while it is open is on a cycle.
    let mut is_open = vec![false; nexts.len()];
    let mut lengths: Vec<Option<usize>> = vec![None; nexts.len()];
    let mut todo = vec![(start, false)];
    while let Some((state, is_done)) = todo.pop() {
        let index = state as usize;
        if is_done {
            is_open[index] = false;
            let beyond = nexts[index].iter().filter_map(|next| lengths[*next as usize]).max();
            lengths[index] = Some(beyond.map_or(0, |beyond| beyond + 1));
        } else if is_open[index] {
            return None;
        } else if lengths[index].is_none() {
            is_open[index] = true;
            todo.push((state, true));
            for next in &nexts[index] {
                if is_open[*next as usize] {
                    return None;
                }
                if lengths[*next as usize].is_none() {
                    todo.push((*next, false));
                }
            }
        }
    }
    lengths[start as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(ab)*c?`
    fn pairs() -> Regex {
        Regex {
            text: "(ab)*c?".to_owned(),
            classes: vec![('\0', 0), ('a', 1), ('b', 2), ('c', 3), ('d', 0)],
            n_classes: 4,
            table: vec![1, 2, 1, 3, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1],
            accepting: vec![true, false, false, true],
            dead: Some(1),
        }
    }

    /// `[a-bé]{2,3}`
    fn short() -> Regex {
        Regex {
            text: "[a-bé]{2,3}".to_owned(),
            classes: vec![('\0', 0), ('a', 1), ('c', 0), ('é', 1), ('ê', 0)],
            n_classes: 2,
            table: vec![1, 2, 1, 1, 1, 3, 1, 4, 1, 1],
            accepting: vec![false, false, false, true, true],
            dead: Some(1),
        }
    }

    fn matches(regex: u32, state: u32) -> Term {
        Term::Matches(RegexId(regex), state, Box::new(Term::Var(1)))
    }

    fn language(tests: &[Term]) -> Language {
        Language::of_tests(tests.iter(), 1, &[pairs(), short()]).expect("there is a test")
    }

    fn lengths(tests: &[Term]) -> Vec<u32> {
        let language = language(tests);
        (0..9).filter(|n| language.has_length(*n)).collect()
    }

    fn shown(kinds: &[Kind]) -> String {
        let kind = |kind: &Kind| {
            let one = |(first, last): &(char, char)| match (first, last) {
                (first, last) if first == last => first.to_string(),
                (first, last) => format!("{first}-{last}"),
            };
            kind.iter().map(one).collect::<String>()
        };
        kinds.iter().map(kind).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lengths_are_those_of_strings_that_pass_all_tests() {
        let not = |term| Term::Not(Box::new(term));
        assert_eq!(lengths(&[matches(0, 0)]), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(lengths(&[matches(0, 2)]), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(lengths(&[matches(1, 0)]), [2, 3]);
        assert_eq!(lengths(&[matches(0, 0), matches(1, 0)]), [2]);
        assert_eq!(lengths(&[matches(1, 0), not(matches(1, 2))]), [3]);
        assert_eq!(lengths(&[matches(0, 0), not(not(not(matches(0, 0))))]), [] as [u32; 0]);
        assert!(Language::of_tests([Term::Var(1)].iter(), 1, &[pairs()]).is_none());
        assert!(language(&[matches(0, 0)]).has_length(60_000));
        assert!(!language(&[matches(1, 0)]).has_length(60_000));
    }

    #[test]
    fn each_place_has_the_characters_that_can_stand_there() {
        let at = |tests: &[Term], lens: &[u32]| {
            let places = language(tests).kinds_at(lens).expect("the strings are short");
            places.iter().map(|kinds| shown(kinds)).collect::<Vec<_>>()
        };
        assert_eq!(at(&[matches(0, 0)], &[1]), ["c"]);
        assert_eq!(at(&[matches(0, 0)], &[1, 2, 3]), ["a c", "b", "c"]);
        assert_eq!(at(&[matches(0, 0)], &[2, 3, 4]), ["a", "b", "a c", "b"]);
        assert_eq!(at(&[matches(1, 0)], &[2, 3]), ["a-bé", "a-bé", "a-bé"]);
        assert_eq!(at(&[matches(0, 0), matches(1, 0)], &[2]), ["a", "b"]);
        assert_eq!(language(&[matches(0, 0)]).kinds_at(&[2, 500]), None);
        assert_eq!(shown(&language(&[matches(0, 0)]).kinds_anywhere()), "a b c");
        assert_eq!(shown(&kinds_of(&short())), "a-bé");
    }

    #[test]
    fn what_is_not_matched_may_have_any_character() {
        let language = language(&[Term::Not(Box::new(matches(1, 0)))]);
        let places = language.kinds_at(&[2]).expect("the string is short");
        assert_eq!(places.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(language.widths(), (1, 4));
        let others = [('\0', '`'), ('c', 'è'), ('ê', char::MAX)];
        assert_eq!(*places[0][0], others);
    }
}
