//! Random numbers that are only compared with each other: the keys of a search tree whose shape is known, a sorted list, a heap.
//!
//! Each number is chosen between the bounds that the numbers before it leave. For conditions of the form `a <= b + n`, these bounds
//! are exact, so that no choice is wrong (difference constraints: Dechter, Meiri and Pearl 1991). The general search infers the same,
//! in hundreds of times as many steps. Numbers that must differ may lead to a dead end.

use std::sync::Arc;

use super::compared::{Compared, Pair};
use super::shuffle::Shuffle;
use super::state::{Branch, State, StateForm};
use crate::cancel;
use crate::logic::ir::{ArithOp, CompareOp, Term};
use crate::logic::value::Value;
use crate::native::plan::problem::{FIRST_HOLE, Problem};
use crate::native::propagate::tools::Tools;

/// Maximum number of scalars and conditions, and of values of all scalars. They limit the time for a branch.
const MOST: usize = 256;
const MOST_VALUES: usize = 1 << 15;

/// Number of attempts, if numbers must differ.
const ATTEMPTS: usize = 3;

/// A random solution of a state of integers that are only compared with each other; `None` if it is no such state, or the
/// attempts find none.
pub fn branch(state: &State, tools: &Tools, shuffle: &mut Shuffle) -> Option<Branch> {
    let StateForm::Open(problem) = &state.form else { return None };
    let comparisons = Comparisons::of(problem)?;
    let values = problem.holes.iter().map(|hole| Some(tools.domains.values(hole.domain?)));
    let values: Vec<&Arc<[Value]>> = values.collect::<Option<_>>()?;
    let n_values = values.iter().map(|values| values.len()).sum::<usize>();
    if n_values > MOST_VALUES {
        return None;
    }
    cancel::look_after(n_values as u64);
    let ascending = |values: &&Arc<[Value]>| {
        let mut numbers = values.iter().map(integer).collect::<Option<Vec<i128>>>()?;
        numbers.sort_unstable();
        Some(numbers)
    };
    let domains: Vec<Vec<i128>> = values.iter().map(ascending).collect::<Option<_>>()?;
    let attempts = if comparisons.distinct.is_empty() { 1 } else { ATTEMPTS };
    let chosen = (0..attempts).find_map(|_| comparisons.solution(domains.clone(), shuffle))?;
    let builds = problem.holes.iter().zip(chosen).map(|(hole, n)| tools.scalar(*hole, &Value::int(n)));
    Some(Branch { builds: builds.collect(), parts: Arc::default(), is_undecided: false })
}

fn integer(value: &Value) -> Option<i128> {
    if let Value::Int(n) = value { n.to_i128() } else { None }
}

/// The conditions of a problem, on holes by index.
struct Comparisons {
    /// `a <= b + n`
    at_most: Vec<(usize, usize, i128)>,
    /// Groups of holes with different values.
    distinct: Vec<Vec<usize>>,
}

impl Comparisons {
    /// The conditions of a problem; `None` if there are others, or too many.
    fn of(problem: &Problem) -> Option<Comparisons> {
        if problem.holes.len() < 2 || problem.holes.len() + problem.clauses.len() > MOST {
            return None;
        }
        let mut comparisons = Comparisons { at_most: Vec::new(), distinct: Vec::new() };
        problem.clauses.iter().try_for_each(|clause| comparisons.add(clause))?;
        Some(comparisons)
    }

    fn add(&mut self, clause: &Term) -> Option<()> {
        if let Term::Compare(CompareOp::Le, a, b) = clause {
            let (b, n) = match &**b {
                Term::Arith(ArithOp::Add, b, n) => (&**b, literal(n)?),
                b => (b, 0),
            };
            self.at_most.push((hole(a)?, hole(b)?, n));
            return Some(());
        }
        let group: Vec<usize> = match clause {
            Term::Not(inner) => match &**inner {
                Term::Equal(a, b) => vec![hole(a)?, hole(b)?],
                _ => return None,
            },
            Term::Distinct(of) => match &**of {
                Term::Seq(parts) => parts.iter().map(hole).collect::<Option<_>>()?,
                _ => return None,
            },
            _ => return None,
        };
        // A number doesn't differ from itself.
        let is_twice = group.iter().enumerate().any(|(at, hole)| group[..at].contains(hole));
        self.distinct.push(group);
        (!is_twice).then_some(())
    }

    /// A number for each hole, of its ascending domain.
    fn solution(&self, mut domains: Vec<Vec<i128>>, shuffle: &mut Shuffle) -> Option<Vec<i128>> {
        let mut pairs: Vec<Pair> = self.at_most.iter().filter_map(|(a, b, n)| Pair::of(*a, *b, *n)).collect();
        let mut open: Vec<usize> = (0..domains.len()).collect();
        shuffle.any(&mut open);
        self.narrow(&mut domains)?;
        while let Some(at) = open.pop() {
            let n_open = open.len() + 1;
            let compared = Compared::among(at, &pairs);
            pairs.retain(|pair| !pair.concerns(at));
            let values = &domains[at];
            let chosen = values[shuffle.index(values.len(), compared, n_open)];
            domains[at] = vec![chosen];
            for group in self.distinct.iter().filter(|group| group.contains(&at)) {
                let others = group.iter().filter(|other| **other != at);
                others.for_each(|other| domains[*other].retain(|n| *n != chosen));
            }
            self.narrow(&mut domains)?;
        }
        Some(domains.iter().map(|domain| domain[0]).collect())
    }

    /// Removes the numbers outside of the bounds that the comparisons leave; `None` if none is left somewhere.
    fn narrow(&self, domains: &mut [Vec<i128>]) -> Option<()> {
        loop {
            cancel::look_after(self.at_most.len() as u64);
            let mut is_changed = false;
            for (a, b, n) in &self.at_most {
                let most = domains[*b].last()?.checked_add(*n)?;
                let kept = domains[*a].partition_point(|value| *value <= most);
                is_changed |= kept < domains[*a].len();
                domains[*a].truncate(kept);
                let least = domains[*a].first()?.checked_sub(*n)?;
                let dropped = domains[*b].partition_point(|value| *value < least);
                is_changed |= dropped > 0;
                domains[*b].drain(..dropped);
            }
            if !is_changed {
                return domains.iter().all(|domain| !domain.is_empty()).then_some(());
            }
        }
    }
}

fn literal(term: &Term) -> Option<i128> {
    if let Term::Lit(value) = term { integer(value) } else { None }
}

fn hole(term: &Term) -> Option<usize> {
    let Term::Var(slot) = term else { return None };
    slot.checked_sub(FIRST_HOLE).map(|index| index as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::native::Reuse;

    fn solutions(comparisons: &Comparisons, domain: &[i128], n: usize) -> Vec<Option<Vec<i128>>> {
        let solution = |seed| {
            let mut shuffle = Shuffle::new(Dice::new(0, seed), Reuse::Rare);
            comparisons.solution(vec![domain.to_vec(); n], &mut shuffle)
        };
        (0..200).map(solution).collect()
    }

    #[test]
    fn no_choice_in_a_chain_is_wrong() {
        // Ascending, and the last at least 4 more than the first.
        let at_most = vec![(0, 1, -1), (1, 2, -1), (2, 3, 0), (0, 3, -4)];
        let comparisons = Comparisons { at_most, distinct: Vec::new() };
        let found = solutions(&comparisons, &[0, 1, 3, 4, 5, 7], 4);
        assert!(found.iter().all(Option::is_some), "{found:?}");
        let found: Vec<Vec<i128>> = found.into_iter().flatten().collect();
        let is_valid = |v: &Vec<i128>| v[0] < v[1] && v[1] < v[2] && v[2] <= v[3] && v[0] + 4 <= v[3];
        assert!(found.iter().all(is_valid), "{found:?}");
        assert!([0, 1, 3].iter().all(|first| found.iter().any(|v| v[0] == *first)), "{found:?}");
    }

    #[test]
    fn what_has_no_solution_has_none() {
        let comparisons =
            Comparisons { at_most: vec![(0, 1, -1), (1, 2, -1), (2, 0, -1)], distinct: Vec::new() };
        assert!(solutions(&comparisons, &[0, 1, 2, 3], 3).iter().all(Option::is_none));
        let comparisons = Comparisons { at_most: Vec::new(), distinct: vec![vec![0, 1, 2]] };
        assert!(solutions(&comparisons, &[0, 1], 3).iter().all(Option::is_none));
    }

    #[test]
    fn a_number_that_differs_from_itself_is_left_to_the_search() {
        let var = |index| Term::Var(FIRST_HOLE + index);
        let distinct = |slots: [u32; 3]| {
            let mut comparisons = Comparisons { at_most: Vec::new(), distinct: Vec::new() };
            comparisons.add(&Term::Distinct(Box::new(Term::Seq(slots.map(var).to_vec()))))
        };
        assert_eq!([distinct([0, 1, 2]), distinct([0, 1, 0])], [Some(()), None]);
    }

    #[test]
    fn numbers_of_a_group_differ() {
        let comparisons = Comparisons { at_most: Vec::new(), distinct: vec![vec![0, 1, 2]] };
        let found = solutions(&comparisons, &[4, 5, 6], 3);
        assert!(found.iter().flatten().all(|v| v[0] != v[1] && v[1] != v[2] && v[0] != v[2]), "{found:?}");
        assert!(found.iter().flatten().any(|v| v[0] > v[1]) && found.iter().flatten().any(|v| v[0] < v[1]));
    }
}
