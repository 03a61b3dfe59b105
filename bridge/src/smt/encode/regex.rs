//! Whether strings match regular expressions: an automaton, unrolled over the characters; mirrors the judge.
//!
//! Each position has a formula for each state reachable there: "the remaining characters are accepted". Formulas are
//! made from the end of the string to the start. Each is a choice, by the class of the character, among the formulas of
//! the next position. The possible characters of a leaf are known, so few comparisons tell most classes apart.

use std::collections::{BTreeMap, BTreeSet};

use target_strategies::logic::ir::{Regex, RegexId, Term};

use super::symbolic::{Symbolic, code_point};
use super::{Encoded, Encoder, Outcome, Residual};
use crate::smt::formula::F;

/// The possible characters, ascending, as intervals of one class each. If there are few, other characters may be in an
/// interval or between two.
type Classes = Vec<(char, char, u16)>;

impl Encoder<'_> {
    /// Whether an automaton in this state accepts the whole string.
    pub(super) fn matches(&mut self, regex: RegexId, state: u32, text: &Term) -> Encoded<Outcome> {
        let spec = self.spec;
        let known = spec.regexes.get(regex.0 as usize).filter(|regex| state < regex.n_states());
        let regex = known.ok_or_else(|| Residual("a regular expression is not there".into()))?;
        self.over_text(text, |encoder, text| {
            let holds = encoder.accepted(regex, state, text)?;
            Ok(encoder.defined(Symbolic::Bool(holds)))
        })
    }

    fn accepted(&mut self, regex: &Regex, state: u32, text: &[F]) -> Encoded<F> {
        let classes: Vec<Classes> = text.iter().map(|c| self.classes(regex, *c)).collect();
        let mut reached = vec![BTreeSet::from([state])];
        for classes in &classes {
            let mut next = BTreeSet::new();
            for state in reached.last().expect("the first position has a state") {
                for (_, _, class) in classes {
                    self.step()?;
                    next.insert(regex.step(*state, *class));
                }
            }
            reached.push(next);
        }
        let finals = reached.pop().expect("there is a position behind the last character");
        let mut rest: BTreeMap<u32, F> = BTreeMap::new();
        for state in finals {
            rest.insert(state, self.formulas.truth(regex.accepting[state as usize]));
        }
        for ((states, classes), c) in reached.iter().zip(&classes).zip(text).rev() {
            let mut here = BTreeMap::new();
            for state in states {
                let rests = classes.iter().map(|(_, _, class)| rest[&regex.step(*state, *class)]).collect();
                here.insert(*state, self.chosen(*c, classes, rests)?);
            }
            rest = here;
        }
        Ok(rest[&state])
    }

    /// The formula for the interval that contains the character. There is one formula per interval.
    fn chosen(&mut self, c: F, classes: &Classes, of_interval: Vec<F>) -> Encoded<F> {
        let mut cases: BTreeMap<F, Vec<(char, char)>> = BTreeMap::new();
        let mut last = None;
        for (rest, (from, to, _)) in of_interval.into_iter().zip(classes) {
            self.step()?;
            let intervals = cases.entry(rest).or_default();
            match intervals.last_mut() {
                Some((_, end)) if last == Some(rest) => *end = *to,
                _ => intervals.push((*from, *to)),
            }
            last = Some(rest);
        }
        let mut cases: Vec<(F, Vec<(char, char)>)> = cases.into_iter().collect();
        // The last case needs no comparison; the case with the most intervals comes last.
        cases.sort_by_key(|(_, intervals)| intervals.len());
        let Some((mut chosen, _)) = cases.pop() else { return Ok(self.formulas.truth(false)) };
        for (rest, intervals) in cases.into_iter().rev() {
            let lies_there = self.lies_in(c, &intervals)?;
            chosen = self.formulas.choose(lies_there, rest, chosen);
        }
        Ok(chosen)
    }

    fn lies_in(&mut self, c: F, intervals: &[(char, char)]) -> Encoded<F> {
        let mut any = Vec::with_capacity(intervals.len());
        for (first, last) in intervals {
            self.step()?;
            let low = self.formulas.at_least_constant(c, &code_point(*first));
            let high = self.formulas.at_most_constant(c, &code_point(*last));
            any.push(self.formulas.and([low, high]));
        }
        Ok(self.formulas.or(any))
    }

    fn classes(&self, regex: &Regex, c: F) -> Classes {
        let Some(candidates) = self.candidates(c) else { return regex.intervals().collect() };
        let mut classes = Classes::new();
        for c in candidates {
            let class = regex.class_of(c);
            match classes.last_mut() {
                Some((_, last, of)) if *of == class => *last = c,
                _ => classes.push((c, c, class)),
            }
        }
        classes
    }
}
