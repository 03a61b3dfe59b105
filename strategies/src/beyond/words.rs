//! Random words of the regular expressions of a spec.
//!
//! A postcondition often says by an expression what a function accepts: `result.is_some() == s.matches("..")`. Of texts that are chosen
//! without regard to it, hardly one matches, or almost.

use crate::dice::Dice;
use crate::logic::ir::{Refined, Regex, RegexId, Spec, Term};

/// Maximum size of the table of an expression.
const MOST_TRANSITIONS: usize = 1 << 14;

/// Number of characters from which on a word ends as soon as it can is below this.
const LONGEST: usize = 24;

/// Maximum number of characters of a word.
const MOST_CHARS: usize = 96;

/// Percentage of characters that the expression names, if it names one that fits; and of the others, of those in ASCII.
const NAMED: u64 = 30;
const ASCII: u64 = 90;

/// The expressions of a spec, with their index in it.
#[derive(Debug, Default)]
pub(super) struct Words(Vec<(RegexId, Expression)>);

#[derive(Debug)]
struct Expression {
    named: Vec<char>,
    /// The intervals of characters of each class.
    classes: Vec<Vec<(char, char)>>,
    /// By state, the states that may come next and lead to an accepting one, each with the classes that lead there.
    nexts: Vec<Vec<(u32, Vec<u16>)>>,
    accepting: Vec<bool>,
    /// By state, the number of characters to an accepting one.
    distances: Vec<usize>,
}

impl Words {
    /// The expressions of a spec, without those that are large or admit nothing.
    pub(super) fn of(spec: &Spec) -> Words {
        let all = (0..).map(RegexId).zip(&spec.regexes);
        let small = all.filter(|(_, regex)| regex.table.len() <= MOST_TRANSITIONS);
        let small = small.map(|(id, regex)| (id, Expression::of(regex)));
        let is_empty = |of: &Expression| of.distances[Regex::START as usize] == usize::MAX;
        Words(small.filter(|(_, expression)| !is_empty(expression)).collect())
    }

    /// A word of one of the expressions; `None` if there is none, or it becomes too long.
    pub(super) fn random(&self, dice: &mut Dice) -> Option<Vec<char>> {
        self.0.get(dice.index(self.0.len().max(1)))?.1.word(dice)
    }

    /// A word of an expression that texts of a type must match, or of any one: every second time, or if there is no such expression.
    pub(super) fn fitting(&self, of: &Refined, dice: &mut Dice) -> Option<Vec<char>> {
        let is_required = |id: RegexId| of.clauses.iter().any(|clause| requires(&clause.term, id));
        let required: Vec<&Expression> =
            self.0.iter().filter(|(id, _)| is_required(*id)).map(|(_, expression)| expression).collect();
        match required.get(dice.index(required.len().max(1))) {
            Some(expression) if dice.percent(50) => expression.word(dice),
            Some(_) | None => self.random(dice),
        }
    }
}

/// Whether a condition holds only for texts that match an expression.
fn requires(condition: &Term, id: RegexId) -> bool {
    match condition {
        Term::And(conditions) => conditions.iter().any(|condition| requires(condition, id)),
        Term::Matches(of, Regex::START, text) => *of == id && matches!(**text, Term::Var(_)),
        _ => false,
    }
}

impl Expression {
    fn of(regex: &Regex) -> Expression {
        let mut classes = vec![Vec::new(); usize::from(regex.n_classes)];
        for (first, last, class) in regex.intervals() {
            classes[usize::from(class)].push((first, last));
        }
        let all = (0..regex.n_states()).map(|state| {
            let mut nexts: Vec<(u32, Vec<u16>)> = Vec::new();
            for class in 0..regex.n_classes {
                let next = regex.step(state, class);
                match nexts.iter_mut().find(|(known, _)| *known == next) {
                    Some((_, classes)) => classes.push(class),
                    None if Some(next) == regex.dead => {}
                    None => nexts.push((next, vec![class])),
                }
            }
            nexts
        });
        let nexts: Vec<_> = all.collect();
        let distances = distances(&nexts, &regex.accepting);
        Expression {
            named: regex.named.clone(),
            classes,
            nexts,
            accepting: regex.accepting.clone(),
            distances,
        }
    }

    fn word(&self, dice: &mut Dice) -> Option<Vec<char>> {
        let (mut state, mut word) = (Regex::START as usize, Vec::new());
        let wanted = dice.index(LONGEST);
        loop {
            let nexts = &self.nexts[state];
            if self.accepting[state] && (word.len() >= wanted || nexts.is_empty()) {
                return Some(word);
            }
            if word.len() == MOST_CHARS {
                return None;
            }
            let (next, classes) = if word.len() < wanted {
                &nexts[dice.index(nexts.len())]
            } else {
                nexts.iter().min_by_key(|(next, _)| self.distances[*next as usize])?
            };
            word.push(self.char(classes, dice)?);
            state = *next as usize;
        }
    }

    /// A character of one of some classes.
    fn char(&self, classes: &[u16], dice: &mut Dice) -> Option<char> {
        let spans = || classes.iter().flat_map(|class| &self.classes[usize::from(*class)]);
        let is_admitted = |c: &&char| spans().any(|(first, last)| (first..=last).contains(c));
        if dice.percent(NAMED) {
            let named: Vec<&char> = self.named.iter().filter(is_admitted).collect();
            if !named.is_empty() {
                return Some(*named[dice.index(named.len())]);
            }
        }
        let printable = spans().map(|(first, last)| ((*first).max(' '), (*last).min('~')));
        let printable: Vec<(char, char)> = printable.filter(|(first, last)| first <= last).collect();
        let spans = if !printable.is_empty() && dice.percent(ASCII) {
            printable
        } else {
            spans().copied().collect::<Vec<_>>()
        };
        let (first, last) = *spans.get(dice.index(spans.len().max(1)))?;
        let (first, last) = (u32::from(first), u32::from(last));
        // Between the two there may be surrogates.
        char::from_u32(first + dice.index((last - first + 1) as usize) as u32).or(char::from_u32(first))
    }
}

/// By state, the number of steps to an accepting one.
fn distances(nexts: &[Vec<(u32, Vec<u16>)>], accepting: &[bool]) -> Vec<usize> {
    let mut distances: Vec<usize> =
        accepting.iter().map(|is_accepting| if *is_accepting { 0 } else { usize::MAX }).collect();
    loop {
        let mut is_over = true;
        for (state, nexts) in nexts.iter().enumerate() {
            let least = nexts.iter().map(|(next, _)| distances[*next as usize]).min().unwrap_or(usize::MAX);
            if least.saturating_add(1) < distances[state] {
                (distances[state], is_over) = (least + 1, false);
            }
        }
        if is_over {
            return distances;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn words_take_all_ways_and_match() {
        // `(a|%[0-9])*`, of which most characters are other ones.
        let regex = Regex {
            text: "(a|%[0-9])*".to_owned(),
            named: vec!['%', '0', '9', 'a'],
            classes: vec![('\0', 0), ('%', 1), ('&', 0), ('0', 2), (':', 0), ('a', 3), ('b', 0)],
            n_classes: 4,
            table: vec![1, 2, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1],
            accepting: vec![true, false, false],
            dead: Some(1),
            program: None,
        };
        assert!(regex.is_well_formed());
        let words = Words::of(&Spec { regexes: vec![regex.clone()], ..Spec::unrefined("f") });
        let mut dice = Dice::new(0, 0);
        let made: HashSet<String> =
            (0..100).filter_map(|_| words.random(&mut dice)).map(|word| word.into_iter().collect()).collect();
        assert!(made.len() > 80, "{made:?}");
        assert!(made.iter().all(|word| regex.accepts(Regex::START, word)), "{made:?}");
        assert!(made.iter().filter(|word| word.matches('%').count() > 2).count() > 50, "{made:?}");
    }
}
