//! Sets of inputs that differ pairwise, as a relation says.
//!
//! [`find`] goes through the members of a space in order, small ones first, and keeps each that differs from all before.
//! If the space is large, the rest is solved for: the next member is one that satisfies the relation with each of the set,
//! which are conditions on it alone. A set that is smaller than asked is shown to be the greatest where that can be done:
//! by classes, if the relation says that a key differs; on a line, if it says how far numbers are apart; else by a search
//! in the graph of the members that differ.
//!
//! Nothing depends on a clock.
//!
//! Source: *Iorek*, sections 4.3 and 5, on sets whose members are not equal, or far from each other; there all members are
//! solved for at once, or filtered.

mod clique;
mod generator;
mod key;
mod relation;

use target_strategies::logic::ir::{Clause, Spec, Term, map_children, visit};
use target_strategies::logic::value::Value;
use target_strategies::native::listing::preconditions;
use target_strategies::space::Space;

use crate::frontend::subject::Different;
pub use generator::DifferentGenerator;
use key::Key;
use relation::Related;

use super::SetReached;
use super::members::{Members, Next, first};

/// Maximum number of members that are looked at in order.
const MOST_LISTED: usize = 20_000;

/// The same limit if a table of keys tells whether an input can be added.
const MOST_LISTED_BY_KEY: usize = 200_000;

/// Maximum number of pairs that are judged while members are looked at in order.
const MOST_PAIRS: usize = 3_000_000;

/// Maximum number of members of a space in whose graph the greatest set is searched.
const MOST_IN_GRAPH: usize = 1_500;

/// Maximum number of inputs of a set to which further ones are solved for: each is a condition on the next one.
const MOST_SOLVED: usize = 500;

/// A set of different inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// The inputs.
    pub members: Vec<Vec<Value>>,
    /// Number of inputs asked for.
    pub n_asked: usize,
    /// What is known about larger sets.
    pub larger: Larger,
}

/// Whether there is a larger set of different inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Larger {
    /// As many as asked were found.
    Unasked,
    /// There is none.
    None,
    /// None with these members: each other input is like one of them.
    NotWithThese,
    /// Not known, for these reasons.
    Unknown(Vec<String>),
}

impl Set {
    /// What to report of the set, with this number of inputs.
    pub fn reached(&self, n_found: usize) -> SetReached {
        SetReached {
            n_asked: self.n_asked as u64,
            n_found: n_found as u64,
            is_maximal: self.larger.is_maximal(),
            is_proved: self.larger == Larger::None,
        }
    }
}

impl Larger {
    /// Whether nothing can be added.
    pub fn is_maximal(&self) -> bool {
        matches!(self, Larger::None | Larger::NotWithThese)
    }
}

/// Finds a set of so many members of a space.
pub fn find(space: &Space, different: &Different, n_asked: usize) -> Set {
    let mut search = Search {
        space,
        different,
        related: Related::new(space.spec(), different),
        keys: key::keys(&different.relation, &different.second),
        set: Vec::new(),
        n_asked,
    };
    let larger = match search.run() {
        Larger::Unasked => Larger::Unasked,
        Larger::None | Larger::NotWithThese if search.related.is_undecided => {
            Larger::Unknown(vec!["some pairs of inputs could not be judged".to_owned()])
        }
        found if is_judged_here(space.spec()) => found,
        _ => Larger::Unknown(vec!["only the tested crate can say which of the inputs are valid".to_owned()]),
    };
    Set { members: search.set, n_asked, larger }
}

struct Search<'a> {
    space: &'a Space,
    different: &'a Different,
    related: Related<'a>,
    /// The relation as keys that all differ, if it is of that form.
    keys: Option<Vec<Key>>,
    set: Vec<Vec<Value>>,
    n_asked: usize,
}

impl Search<'_> {
    fn run(&mut self) -> Larger {
        let mut index = self.keys.as_ref().map(|keys| key::Index::new(keys));
        let mut members = Members::new(self.space);
        let mut all = Vec::new();
        let mut n_pairs = 0;
        let end = loop {
            if self.set.len() == self.n_asked {
                return Larger::Unasked;
            }
            let most = if index.is_some() { MOST_LISTED_BY_KEY } else { MOST_LISTED };
            if all.len() >= most || n_pairs > MOST_PAIRS {
                break None;
            }
            let member = match members.advance() {
                Next::Member(member) => member,
                Next::End(reasons) => break Some(reasons),
            };
            let by_key = index.as_mut().and_then(|index| index.insert(&member, &mut self.related));
            let differs = by_key.unwrap_or_else(|| {
                n_pairs += self.set.len();
                self.differs(&member)
            });
            if by_key.is_none() {
                // The table doesn't know this one.
                (index, self.keys) = (None, None);
            }
            if differs {
                self.set.push(member.clone());
            }
            all.push(member);
        };
        match end {
            Some(reasons) if reasons.is_empty() => self.of_all(all),
            Some(reasons) => self.solved(reasons),
            None => self.solved(Vec::new()),
        }
    }

    /// Whether an input differs from all of the set.
    fn differs(&mut self, member: &[Value]) -> bool {
        self.set.iter().all(|other| self.related.holds(member, other))
    }

    /// The greatest set, of all members of the space. So far, nothing can be added to the set.
    fn of_all(&mut self, all: Vec<Vec<Value>>) -> Larger {
        if self.is_one_key() {
            return Larger::None;
        }
        if let Some([Key::Apart(term, least)]) = self.keys.as_deref()
            && let Some(greatest) = key::on_a_line(&all, term, least, &mut self.related)
        {
            self.take(greatest);
            return if self.set.len() == self.n_asked { Larger::Unasked } else { Larger::None };
        }
        if all.len() > MOST_IN_GRAPH {
            return Larger::NotWithThese;
        }
        let related = &mut self.related;
        let graph = clique::Graph::new(all.len(), |a, b| related.holds(&all[a], &all[b]));
        let start: Vec<usize> =
            self.set.iter().filter_map(|member| all.iter().position(|other| other == member)).collect();
        let (greatest, is_proved) = graph.greatest(start, self.n_asked);
        self.take(greatest.into_iter().map(|at| all[at].clone()).collect());
        match (self.set.len() == self.n_asked, is_proved) {
            (true, _) => Larger::Unasked,
            (false, true) => Larger::None,
            (false, false) => Larger::NotWithThese,
        }
    }

    /// Whether inputs differ if one key does: then each set to which nothing can be added has one input of each key.
    fn is_one_key(&self) -> bool {
        matches!(self.keys.as_deref(), Some([Key::Differs(_)]))
    }

    /// Takes a set if it is larger.
    fn take(&mut self, mut other: Vec<Vec<Value>>) {
        if other.len() > self.set.len() {
            other.truncate(self.n_asked);
            self.set = other;
        }
    }

    /// Adds members one after the other that are solved for.
    fn solved(&mut self, mut reasons: Vec<String>) -> Larger {
        if relation::asks_host(&self.different.relation) {
            reasons.push("`edit_distance` and `different_shape` can't be solved for".to_owned());
            return Larger::Unknown(reasons);
        }
        while self.set.len() < self.n_asked {
            if self.set.len() >= MOST_SOLVED {
                return Larger::Unknown(vec![format!(
                    "beyond {MOST_SOLVED} inputs, no further ones are solved for"
                )]);
            }
            let space = self.space.narrowed(self.set.iter().map(|other| self.to(other)));
            match first(&space) {
                Next::Member(member) if self.differs(&member) => self.set.push(member),
                Next::Member(_) => {
                    return Larger::Unknown(vec!["an input could not be judged".to_owned()]);
                }
                Next::End(reasons) if reasons.is_empty() && self.is_one_key() => return Larger::None,
                Next::End(reasons) if reasons.is_empty() => return Larger::NotWithThese,
                Next::End(reasons) => return Larger::Unknown(reasons),
            }
        }
        Larger::Unasked
    }

    /// The condition that an input differs from this one.
    fn to(&self, other: &[Value]) -> Clause {
        let spec = self.space.spec();
        let id = spec.clauses().iter().map(|clause| clause.id + 1).max().unwrap_or(0);
        let values: Vec<(u32, &Value)> = self.different.second.iter().copied().zip(other).collect();
        let term = with_values(&self.different.relation, &values);
        Clause { id, text: self.different.text.clone(), term }
    }
}

/// Whether the validity of an input is known without the tested crate: no `where`, and no function that builds values.
fn is_judged_here(spec: &Spec) -> bool {
    let has_rust = |clause: &Clause| {
        let mut has_rust = false;
        visit(&clause.term, &mut |term| has_rust |= matches!(term, Term::Opaque(..) | Term::Ask(..)));
        has_rust
    };
    !preconditions(spec).into_iter().any(has_rust) && spec.data.iter().all(|data| data.via.is_none())
}

/// A term with values in place of slots.
fn with_values(term: &Term, values: &[(u32, &Value)]) -> Term {
    if let Term::Var(slot) = term
        && let Some((_, value)) = values.iter().find(|(known, _)| known == slot)
    {
        return Term::Lit((*value).clone());
    }
    map_children(term, &mut |child, _| with_values(child, values))
}

#[cfg(test)]
mod tests;
