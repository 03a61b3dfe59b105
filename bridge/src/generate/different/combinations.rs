//! Inputs that together have all combinations of kinds: a covering array whose rows satisfy the precondition.
//!
//! Of the first members of the space, the one with the most new combinations is taken, again and again. What is left is
//! solved for, combination by combination. The set is not the smallest one. Each of its members has a combination that
//! none before it has, and a combination that is in none of them is shown to be in no input, or it is said that this
//! is not known.
//!
//! Source: D. M. Cohen, S. R. Dalal, M. L. Fredman and G. C. Patton, *The AETG system: an approach to testing based on
//! combinatorial design* (1997), on greedy choices.

use std::collections::HashSet;

use target_strategies::logic::eval::Judge;
use target_strategies::logic::ir::{Clause, Term};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::super::Covered;
use super::effort::Effort;
use super::set::{Larger, Set, new_id};
use crate::frontend::subject::{Combinations, Kind};
use crate::generate::members::{Members, Next};

/// Maximum number of members that are looked at in order.
const MOST_LISTED: usize = 10_000;

/// Maximum number of steps of greedy choices: a combination of a candidate that is looked up.
const MOST_LOOKUPS: usize = 30_000_000;

/// Finds a set with at most so many members.
pub(super) fn find(space: &Space, wanted: &Combinations, n_asked: usize, effort: Effort) -> Set {
    let mut table = Table::new(wanted);
    let (mut candidates, end) = listed(space, &wanted.kinds);
    let mut set = Vec::new();
    let most = MOST_LOOKUPS / (table.groups.len() * candidates.len()).max(1);
    while set.len() < n_asked.min(most.max(1)) {
        let best = candidates.iter().enumerate().map(|(at, candidate)| (table.n_new(&candidate.kinds), at));
        let Some((n_new, at)) = best.max_by_key(|(n_new, at)| (*n_new, std::cmp::Reverse(*at))) else {
            break;
        };
        if n_new == 0 {
            break;
        }
        let Candidate { kinds, member } = candidates.remove(at);
        table.cover(&kinds);
        set.push(member);
    }
    // In a space that was listed as a whole, no input has what is left.
    let is_over = matches!(&end, Some(reasons) if reasons.is_empty())
        && candidates.iter().all(|candidate| table.n_new(&candidate.kinds) == 0);
    let mut reasons = Vec::new();
    for combination in 0..table.covered.len() {
        if set.len() == n_asked {
            break;
        }
        if table.covered[combination] || is_over {
            continue;
        }
        match effort.first(&space.narrowed(table.conditions(space, &wanted.kinds, combination))) {
            Next::Member(member) => match kinds_of(space, &wanted.kinds, &member) {
                Some(kinds) => {
                    table.cover(&kinds);
                    set.push(member);
                }
                None => reasons.push("the kinds of an input are not known".to_owned()),
            },
            Next::End(why) => reasons.extend(why),
        }
    }
    reasons.sort();
    reasons.dedup();
    let n_covered = table.covered.iter().filter(|covered| **covered).count();
    let larger = if n_covered == table.covered.len() {
        Larger::None
    } else if set.len() == n_asked {
        Larger::Unasked
    } else if reasons.is_empty() {
        Larger::None
    } else {
        Larger::Unknown(reasons)
    };
    let covered = Some(Covered { n_covered: n_covered as u64, n_all: table.covered.len() as u64 });
    Set { members: set, n_asked, larger, covered }
}

/// The first members of a space by their kinds, the first of each, and the reasons for which further members may be
/// missing; `None` if there are more.
fn listed(space: &Space, kinds: &[Kind]) -> (Vec<Candidate>, Option<Vec<String>>) {
    let mut members = Members::new(space);
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    let mut unknown = None;
    for _ in 0..MOST_LISTED {
        match members.advance() {
            Next::Member(member) => match kinds_of(space, kinds, &member) {
                Some(kinds) if known.insert(kinds.clone()) => found.push(Candidate { kinds, member }),
                Some(_) => {}
                None => unknown = Some("the kinds of an input are not known".to_owned()),
            },
            Next::End(reasons) => return (found, Some(reasons.into_iter().chain(unknown).collect())),
        }
    }
    (found, None)
}

/// The kinds of an input.
pub(super) fn kinds_of(space: &Space, kinds: &[Kind], member: &[Value]) -> Option<Vec<i64>> {
    let number = |kind: &Kind| match Judge::new(None).value_of(space.spec(), member, &kind.term).ok()? {
        Value::Int(n) => n.to_i64().filter(|n| (kind.least..=kind.greatest).contains(n)),
        _ => None,
    };
    kinds.iter().map(number).collect()
}

/// An input, with its kinds.
struct Candidate {
    kinds: Vec<i64>,
    member: Vec<Value>,
}

/// Which combinations are covered.
struct Table {
    groups: Vec<Group>,
    /// Whether a combination is covered, by its number.
    covered: Vec<bool>,
}

/// The combinations of the kinds of some parts.
struct Group {
    /// The parts, with the least number and the number of numbers of each.
    parts: Vec<(usize, i64, usize)>,
    /// The number of the first combination.
    start: usize,
}

impl Group {
    fn n_combinations(&self) -> usize {
        self.parts.iter().map(|(_, _, n)| n).product()
    }

    /// The number of the combination that an input has.
    fn of(&self, kinds: &[i64]) -> usize {
        self.parts.iter().fold(0, |number, (part, least, n)| number * n + (kinds[*part] - least) as usize)
            + self.start
    }
}

impl Table {
    /// Nothing is covered yet.
    fn new(wanted: &Combinations) -> Table {
        let parts: Vec<(usize, i64, usize)> = wanted
            .kinds
            .iter()
            .enumerate()
            .map(|(at, kind)| (at, kind.least, (kind.greatest - kind.least + 1) as usize))
            .collect();
        let (mut groups, mut start) = (Vec::new(), 0);
        let mut chosen: Vec<usize> = (0..wanted.n).collect();
        loop {
            let group = Group { parts: chosen.iter().map(|at| parts[*at]).collect(), start };
            start += group.n_combinations();
            groups.push(group);
            // The next choice of parts in lexicographic order.
            let Some(at) = (0..wanted.n).rev().find(|at| chosen[*at] < parts.len() - (wanted.n - at)) else {
                break;
            };
            let next = chosen[at] + 1;
            (at..wanted.n).for_each(|i| chosen[i] = next + i - at);
        }
        Table { groups, covered: vec![false; start] }
    }

    /// Number of combinations of an input that are not covered.
    fn n_new(&self, kinds: &[i64]) -> usize {
        self.groups.iter().filter(|group| !self.covered[group.of(kinds)]).count()
    }

    fn cover(&mut self, kinds: &[i64]) {
        for group in &self.groups {
            self.covered[group.of(kinds)] = true;
        }
    }

    /// The conditions for an input to have a combination.
    fn conditions(&self, space: &Space, kinds: &[Kind], combination: usize) -> Vec<Clause> {
        let group = self.groups.partition_point(|group| group.start <= combination) - 1;
        let group = &self.groups[group];
        let mut number = combination - group.start;
        let id = new_id(space.spec());
        let mut conditions = Vec::new();
        for (part, least, n) in group.parts.iter().rev() {
            let kind = Term::Lit(Value::int(least + (number % n) as i64));
            let is_it = Term::Equal(Box::new(kinds[*part].term.clone()), Box::new(kind));
            conditions.push(Clause { id, text: "pairwise".to_owned(), term: is_it });
            number /= n;
        }
        conditions
    }
}
