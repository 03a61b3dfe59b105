//! Random words of a regular language, all equally likely, for the characters of a string of known length.
//!
//! If a walk chose one character after the other, without regard to how many words begin so, a string of
//! `[(]*[)]*` would hardly ever have more than a few opening brackets.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::state::{Branch, State, StateForm};
use crate::cancel;
use crate::dice::Dice;
use crate::logic::ir::{Regex, Term};
use crate::logic::value::Value;
use crate::native::plan::problem::{FIRST_HOLE, Hole, Problem};
use crate::native::propagate::build::Build;
use crate::native::propagate::tools::Tools;

/// Maximum number of transitions that are looked at for a word, less than a millisecond.
const MOST: usize = 1 << 12;

/// A random solution of a state whose only constraint is that its characters match a regular expression; `None` if it is no such
/// state, or there is none.
pub fn word(state: &State, tools: &Tools, dice: &mut Dice) -> Option<Branch> {
    let StateForm::Open(problem) = &state.form else { return None };
    let (regex, from) = language(problem, tools)?;
    let chars: Vec<Arc<[Value]>> =
        problem.holes.iter().map(|hole| values(*hole, tools)).collect::<Option<_>>()?;
    let layers = layers(regex, from, &chars)?;
    let (mut at, mut builds) = (from, Vec::new());
    for (values, weights) in chars.iter().zip(&layers[1..]) {
        let next = |value: &Value| if let Value::Char(c) = value { regex.next(at, *c) } else { u32::MAX };
        let weight = |value: &Value| weights.get(&next(value)).copied().unwrap_or(0.0);
        let mut left = values.iter().map(weight).sum::<f64>() * dice.fraction();
        let chosen = values.iter().filter(|value| weight(value) > 0.0).find(|value| {
            left -= weight(value);
            left < 0.0
        });
        // The sum is not exact.
        let chosen = chosen.or_else(|| values.iter().rfind(|value| weight(value) > 0.0))?;
        at = next(chosen);
        builds.push(Build::Const(chosen.clone()));
    }
    Some(Branch { builds: builds.into(), parts: Arc::default(), is_undecided: false })
}

/// The automaton that reads the holes of a problem one after the other, and the state that it begins in; `None` if there is any
/// other constraint.
fn language<'t>(problem: &Problem, tools: &'t Tools) -> Option<(&'t Regex, u32)> {
    let [Term::Matches(id, from, of)] = &problem.clauses[..] else { return None };
    let Term::Text(of) = &**of else { return None };
    let Term::Seq(parts) = &**of else { return None };
    let are_in_order = parts.len() == problem.holes.len()
        && parts.iter().zip(FIRST_HOLE..).all(|(part, slot)| *part == Term::Var(slot));
    let regex = tools.reducer.types.regexes.get(id.0 as usize)?;
    are_in_order.then_some((regex, *from))
}

fn values(hole: Hole, tools: &Tools) -> Option<Arc<[Value]>> {
    Some(tools.domains.values(hole.domain?).clone())
}

/// For each number of characters read, the states in which the automaton may then be, with the share of words that go on
/// from there; `None` if that takes too long.
fn layers(regex: &Regex, from: u32, chars: &[Arc<[Value]>]) -> Option<Vec<BTreeMap<u32, f64>>> {
    let n_of_class = |values: &[Value]| {
        let mut n: BTreeMap<u16, f64> = BTreeMap::new();
        for value in values {
            if let Value::Char(c) = value {
                *n.entry(regex.class_of(*c)).or_default() += 1.0;
            }
        }
        n
    };
    let classes: Vec<BTreeMap<u16, f64>> = chars.iter().map(|values| n_of_class(values)).collect();
    let mut layers = vec![BTreeMap::from([(from, 0.0)])];
    let mut n_transitions = 0;
    for classes in &classes {
        let last = &layers[layers.len() - 1];
        let next = last.keys().flat_map(|at| classes.keys().map(|class| regex.step(*at, *class)));
        let next: BTreeMap<u32, f64> =
            next.filter(|at| Some(*at) != regex.dead).map(|at| (at, 0.0)).collect();
        n_transitions += last.len() * classes.len();
        if n_transitions > MOST {
            return None;
        }
        cancel::look_after((last.len() * classes.len()) as u64);
        layers.push(next);
    }
    if let Some(last) = layers.last_mut() {
        last.iter_mut().for_each(|(at, share)| *share = f64::from(u8::from(regex.accepting[*at as usize])));
    }
    for index in (0..classes.len()).rev() {
        let (before, after) = layers.split_at_mut(index + 1);
        let share = |at: u32| {
            let of_class =
                |(class, n): (&u16, &f64)| n * after[0].get(&regex.step(at, *class)).copied().unwrap_or(0.0);
            classes[index].iter().map(of_class).sum()
        };
        before[index].iter_mut().for_each(|(at, n)| *n = share(*at));
        // Numbers of words of any length fit, divided by the greatest of each layer.
        let greatest = before[index].values().copied().fold(0.0, f64::max);
        before[index].values_mut().filter(|_| greatest > 0.0).for_each(|n| *n /= greatest);
    }
    Some(layers)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::dice::Dice;
    use crate::logic::ir::{Clause, Param, Refined, Regex, RegexId, Sort, Spec, StrKind, Term};
    use crate::logic::value::Value;
    use crate::native::{Class, Native, Reuse};
    use crate::space::{Bounds, Space};

    /// `[(]*[)]*`: the first state reads `(`, the second `)`, and the third is dead.
    fn brackets() -> Regex {
        Regex {
            text: "[(]*[)]*".to_owned(),
            named: vec!['(', ')'],
            classes: vec![('\0', 0), ('(', 1), (')', 2), ('*', 0)],
            n_classes: 3,
            table: vec![2, 0, 1, 2, 2, 1, 2, 2, 2],
            accepting: vec![true, true, false],
            dead: Some(2),
            program: None,
        }
    }

    #[test]
    fn all_words_of_a_length_come() {
        let matches = Term::Matches(RegexId(0), Regex::START, Box::new(Term::Var(0)));
        let requires = vec![Clause { id: 0, text: String::new(), term: matches }];
        let param = Param {
            name: "s".to_owned(),
            refined: Refined::plain(Sort::Str(StrKind::String)),
            mutable: false,
        };
        let spec = Spec { params: vec![param], requires, regexes: vec![brackets()], ..Spec::unrefined("f") };
        let mut native = Native::new(&Space::new(Arc::new(spec), Bounds { depth: 16, bound: 4 }));
        let mut n_open = [0; 17];
        for index in 0..400 {
            let found = native.walk(Class::Size(16), Dice::new(0, index), Reuse::Often, 10_000);
            let Ok(Some(args)) = found else { panic!("{index}: {found:?}") };
            let Value::Str(text) = &args[0] else { panic!("{args:?}") };
            assert!(text.len() == 16 && brackets().accepts(Regex::START, text), "{text}");
            n_open[text.matches('(').count()] += 1;
        }
        assert!(n_open.iter().all(|n| *n > 0), "{n_open:?}");
    }
}
