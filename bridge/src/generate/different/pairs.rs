//! Sets of inputs between every two of which a relation holds.
//!
//! The members of the space are looked at in order, small ones first, and each that differs from all before is kept. If
//! the space is large, the rest is solved for: the next member is one that satisfies the relation with each of the set,
//! which are conditions on it alone. A set that is smaller than asked is shown to be the greatest where that can be done:
//! by classes, if the relation says that a key differs; on a line, if it says how far numbers are apart; else by a search
//! in the graph of the members that differ, or by asking for all inputs of a larger set at once.
//!
//! If the relation holds where a `cover` does, inputs that differ in what is covered come first: one of each kind.

use std::cell::OnceCell;

use target_strategies::logic::eval::admits;
use target_strategies::logic::ir::Term;
use target_strategies::logic::value::Value;
use target_strategies::native::{Class, Native};
use target_strategies::space::Space;

use super::clique::{Graph, Greater};
use super::conditions::Conditions;
use super::effort::Effort;
use super::key::Key;
use super::lengths::Lengths;
use super::listed::Listed;
use super::packing::{Packed, Packing};
use super::relation::Related;
use super::set::{Larger, Set};
use super::{key, together, ways};
use crate::frontend::subject::{Cover, Relation};
use crate::generate::members::Next;

/// Maximum number of members that are looked at in order.
const MOST_LISTED: usize = 20_000;

/// The same limit if a table of keys tells whether an input can be added.
const MOST_LISTED_BY_KEY: usize = 200_000;

/// Number of members in a row with known keys after which the first member of each size is looked at: the keys may depend on
/// the size.
const FRUITLESS: u32 = super::listed::PATIENCE;

/// Maximum number of steps of the engine to solve for a member with another key, before further members are looked at.
const EARLY_STEPS: u64 = 20_000_000;

/// Number of steps of the engine after which strings and lists that are far apart are walked over instead, once [`LEAST_LISTED`]
/// members in a row were too near and [`MOST_IN_GRAPH`] were looked at: neighbours in order differ only at their ends.
const NEAR_STEPS: u64 = 1_000_000;

/// Number of members that are looked at however long it takes.
const LEAST_LISTED: usize = 256;

/// Maximum number of choices for the first member of a size.
const SIZE_EFFORT: u64 = 10_000;

/// Maximum number of pairs that are judged while members are looked at in order.
const MOST_PAIRS: usize = 3_000_000;

/// Maximum number of members of a space in whose graph the greatest set is searched.
const MOST_IN_GRAPH: usize = 1_500;

/// Maximum number of inputs of a set to which further ones are solved for: each is a condition on the next one.
const MOST_SOLVED: usize = 500;

/// Why a set isn't known to be the greatest if the time is over.
const NOT_SEARCHED: &str = "the search for a larger set would take too long";

/// Why a set isn't known to be the greatest if inputs were added as they came.
const GREEDY: &str = "a larger set is only searched among few inputs";

/// The same if all inputs of a larger set were asked for at once.
const TOO_LARGE: &str = "other inputs might make a larger set: that question is too large";

/// Why no further input can be solved for.
const UNSAID: &str = "this use of `edit_distance` or `different_shape` can't be solved for";

/// How many members are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    /// In order, before further ones are solved for.
    pub listed: usize,
    /// The same if a table of keys tells whether an input can be added.
    pub listed_by_key: usize,
}

/// The usual limits.
pub(super) const LOOKS: Looks = Looks { listed: MOST_LISTED, listed_by_key: MOST_LISTED_BY_KEY };

/// Finds a set of so many members of a space.
pub(super) fn find(
    space: &Space,
    relation: &Relation,
    n_asked: usize,
    (looks, effort): (Looks, Effort),
) -> Set {
    let (members, larger) = found(space, relation, n_asked, (looks, effort));
    Set { members, n_asked, larger, covered: None }
}

fn found(
    space: &Space,
    relation: &Relation,
    n_asked: usize,
    limits: (Looks, Effort),
) -> (Vec<Vec<Value>>, Larger) {
    let mut set = Vec::new();
    let mut is_undecided = false;
    for cover in relation.covers.iter().filter(|cover| implies(&cover.relation, &relation.term)) {
        let of_cover = Relation { term: cover.relation.clone(), covers: Vec::new(), ..relation.clone() };
        let mut search = Search::new(space, &of_cover, (set, n_asked), limits);
        search.most_keys = Some(cover.most_keys);
        let larger = search.of_cover(cover);
        is_undecided |= search.related.is_undecided;
        set = search.set;
        if larger == Larger::Unasked || cover.relation == relation.term {
            return (set, if is_undecided { larger.undecided() } else { larger });
        }
    }
    let mut search = Search::new(space, relation, (set, n_asked), limits);
    search.most_keys = most_keys(relation, &relation.term);
    let larger = search.run();
    is_undecided |= search.related.is_undecided;
    (search.set, if is_undecided { larger.undecided() } else { larger })
}

/// Whether a relation holds wherever a part of it does.
fn implies(part: &Term, relation: &Term) -> bool {
    part == relation || matches!(relation, Term::Or(parts) if parts.contains(part))
}

/// An upper bound of the number of different keys, if only `cover` tells inputs apart.
fn most_keys(relation: &Relation, term: &Term) -> Option<u64> {
    match relation.covers.iter().find(|cover| cover.relation == *term) {
        Some(cover) => Some(cover.most_keys),
        None => match term {
            Term::Or(parts) => {
                parts.iter().try_fold(1_u64, |n, part| n.checked_mul(most_keys(relation, part)?))
            }
            _ => None,
        },
    }
}

/// Whether there is an input with another key.
enum Another {
    Added,
    None,
    Unknown,
}

struct Search<'a> {
    space: &'a Space,
    relation: &'a Relation,
    related: Related<'a>,
    /// The relation as keys that all differ, if it is of that form.
    keys: Option<Vec<Key>>,
    set: Vec<Vec<Value>>,
    n_asked: usize,
    /// The conditions on a further input, for the first `n_told` of the set.
    conditions: Conditions<'a>,
    n_told: usize,
    /// An upper bound of the number of different keys, if one is known.
    most_keys: Option<u64>,
    /// Whether the relation says that strings or lists are far apart, and they can be walked over.
    is_packed: OnceCell<bool>,
    looks: Looks,
    effort: Effort,
}

impl<'a> Search<'a> {
    fn new(
        space: &'a Space,
        relation: &'a Relation,
        (set, n_asked): (Vec<Vec<Value>>, usize),
        (looks, effort): (Looks, Effort),
    ) -> Search<'a> {
        Search {
            space,
            relation,
            related: Related::new(space.spec(), relation),
            keys: key::keys(&relation.term, &relation.second),
            set,
            n_asked,
            conditions: Conditions::new(space, relation),
            n_told: 0,
            most_keys: None,
            is_packed: OnceCell::new(),
            looks,
            effort,
        }
    }

    /// Adds an input of each kind that is covered.
    fn of_cover(&mut self, cover: &Cover) -> Larger {
        match &cover.ways {
            // The relation is about the same part of both inputs.
            Some(ways) if self.is_one_key() => ways::add(
                self.space,
                (cover, ways),
                (&mut self.related, self.effort),
                (&mut self.set, self.n_asked),
            ),
            Some(_) | None => self.run(),
        }
    }

    fn run(&mut self) -> Larger {
        if let Some(lengths) = Lengths::of(self.space, self.keys.as_deref(), self.effort) {
            return lengths.add(&mut self.related, (&mut self.set, self.n_asked));
        }
        let mut index = self.index();
        let looks = self.looks;
        let most = |is_by_key| if is_by_key { looks.listed_by_key } else { looks.listed };
        let mut listed = Listed::new(self.space, self.keys.as_deref());
        let mut n_pairs = 0;
        let mut may_ask = self.is_one_key();
        let end = loop {
            if let Some(index) = index.as_mut().filter(|_| listed.n_fruitless == FRUITLESS) {
                self.add_first_of_sizes(index);
                if may_ask {
                    match self.ask_for_another(index) {
                        Another::Added => {}
                        Another::None => return Larger::None,
                        Another::Unknown => may_ask = false,
                    }
                }
            }
            if self.set.len() == self.n_asked {
                return Larger::Unasked;
            }
            if self.is_one_key() && self.most_keys == Some(self.set.len() as u64) {
                return Larger::None;
            }
            if listed.all.len() >= most(index.is_some()) || n_pairs > MOST_PAIRS || self.may_walk(&listed) {
                break None;
            }
            if listed.all.len() >= LEAST_LISTED && self.effort.is_met() {
                break Some(vec![self.effort.reason()]);
            }
            let member = match listed.advance(most(index.is_some())) {
                Next::Member(member) => member,
                Next::End(reasons) => break Some(reasons),
            };
            let is_added = self.add(&member, &mut index, &mut n_pairs);
            listed.note(member, is_added);
        };
        let all = listed.all;
        let is_walked = self.is_packed.get() == Some(&true);
        let is_cut = index.is_none() && !is_walked && self.add_to_first_pair(&all);
        if self.set.len() == self.n_asked {
            return Larger::Unasked;
        }
        match end.filter(|_| !is_cut) {
            Some(reasons) if reasons.is_empty() => self.of_all(all),
            Some(reasons) => self.solved(reasons),
            None => self.solved(Vec::new()),
        }
    }

    /// Whether to walk over strings or lists rather than look at further members.
    fn may_walk(&self, listed: &Listed) -> bool {
        let is_packed = || Packing::of(self.space, self.relation, self.effort).is_some();
        // Among fewer members the greatest set is found.
        listed.all.len() > MOST_IN_GRAPH
            && listed.n_fruitless as usize >= LEAST_LISTED
            && listed.n_steps() > NEAR_STEPS
            && *self.is_packed.get_or_init(is_packed)
    }

    /// If nothing differs from the first input, others may: adds to the first two that differ from each other. Returns whether not
    /// all members were looked at for that.
    fn add_to_first_pair(&mut self, all: &[Vec<Value>]) -> bool {
        if self.set.len() != 1 || self.n_told > 0 {
            return false;
        }
        let mut n_pairs = 0;
        for (at, b) in all.iter().enumerate() {
            n_pairs += at;
            if n_pairs > MOST_PAIRS || self.effort.is_met() {
                return false;
            }
            let Some(a) = all[..at].iter().find(|a| self.related.holds(a, b)) else { continue };
            // No two before differ, so none of them differs from both.
            self.set = vec![a.clone(), b.clone()];
            for member in &all[at + 1..] {
                if self.set.len() == self.n_asked {
                    return false;
                }
                n_pairs += self.set.len();
                if n_pairs > MOST_PAIRS {
                    return true;
                }
                if self.differs(member) && !self.set.contains(member) {
                    self.set.push(member.clone());
                }
            }
            return false;
        }
        false
    }

    /// The table of the keys of the set, if the relation is of that form.
    fn index(&mut self) -> Option<key::Index> {
        let mut index = key::Index::new(self.keys.as_ref()?);
        let related = &mut self.related;
        if self.set.iter().all(|member| index.insert(member, related).is_some()) {
            return Some(index);
        }
        self.keys = None;
        None
    }

    /// Adds a member if it differs from all of the set. Returns whether it does. Counts the pairs that are judged.
    fn add(&mut self, member: &Vec<Value>, index: &mut Option<key::Index>, n_pairs: &mut usize) -> bool {
        let by_key = index.as_mut().and_then(|index| index.insert(member, &mut self.related));
        let differs = by_key.unwrap_or_else(|| {
            *n_pairs += self.set.len();
            self.differs(member)
        });
        if by_key.is_none() {
            // The table doesn't know this one.
            (*index, self.keys) = (None, None);
        }
        if differs && !self.set.contains(member) {
            self.set.push(member.clone());
        }
        differs
    }

    /// Adds the first member of each size, as far as they have other keys.
    fn add_first_of_sizes(&mut self, index: &mut key::Index) {
        let mut native = Native::new(self.space);
        // Recursive inputs have thousands of sizes.
        let effort = self.effort.at_most(EARLY_STEPS);
        for size in native.sizes() {
            if self.set.len() == self.n_asked || effort.is_met() {
                return;
            }
            let Some(mut cursor) = native.cursor(Class::Size(size)) else { continue };
            if native.advance_within(&mut cursor, SIZE_EFFORT) == Ok(true)
                && admits(self.space.spec(), cursor.values())
                && index.insert(cursor.values(), &mut self.related) == Some(true)
            {
                self.set.push(cursor.values().to_vec());
            }
        }
    }

    /// Solves for an input with another key than those of the set, and adds it.
    fn ask_for_another(&mut self, index: &mut key::Index) -> Another {
        if self.set.len() >= MOST_SOLVED.min(self.n_asked) {
            return Another::Unknown;
        }
        let Some(others) = self.others() else { return Another::Unknown };
        match self.effort.at_most(EARLY_STEPS).first(&others) {
            Next::Member(member) if index.insert(&member, &mut self.related) == Some(true) => {
                self.set.push(member);
                Another::Added
            }
            Next::End(reasons) if reasons.is_empty() => Another::None,
            Next::Member(_) | Next::End(_) => Another::Unknown,
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
            let why = format!("a larger set is only searched among at most {MOST_IN_GRAPH} inputs");
            return self.at_once(why);
        }
        let (related, effort) = (&mut self.related, self.effort);
        let must_stop = || effort.is_met();
        let connected = |a: usize, b: usize| related.holds(&all[a], &all[b]);
        let Some(graph) = Graph::new(all.len(), connected, &must_stop) else {
            return Larger::NotWithThese(vec![NOT_SEARCHED.to_owned()]);
        };
        let start: Vec<usize> =
            self.set.iter().filter_map(|member| all.iter().position(|other| other == member)).collect();
        let (greatest, greater) = graph.greatest(start, self.n_asked, &must_stop);
        // How far a search got that was stopped is up to the clock. The inputs must not be.
        if greater != Greater::Stopped {
            self.take(greatest.into_iter().map(|at| all[at].clone()).collect());
        }
        match greater {
            Greater::Unasked => Larger::Unasked,
            Greater::None => Larger::None,
            Greater::Stopped => Larger::NotWithThese(vec![NOT_SEARCHED.to_owned()]),
            Greater::Unknown => self.at_once("there are too many sets to look at all".to_owned()),
        }
    }

    /// Whether inputs differ if one key does: then each set to which nothing can be added has one input of each key.
    fn is_one_key(&self) -> bool {
        matches!(self.keys.as_deref(), Some([Key::Differs(_) | Key::Shapes(_)]))
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
        if let Some(packing) = Packing::of(self.space, self.relation, self.effort) {
            match packing.add(&mut self.set, self.n_asked) {
                Packed::Asked => return Larger::Unasked,
                Packed::All => return Larger::NotWithThese(vec![GREEDY.to_owned()]),
                Packed::Unknown => {}
            }
        }
        while self.set.len() < self.n_asked {
            if self.set.len() >= MOST_SOLVED {
                return Larger::Unknown(vec![format!(
                    "beyond {MOST_SOLVED} inputs, no further ones are solved for"
                )]);
            }
            let Some(space) = self.others() else {
                reasons.push(UNSAID.to_owned());
                return Larger::Unknown(reasons);
            };
            match self.effort.first(&space) {
                // The language can't say that an input isn't `NaN` again, which is unequal to itself.
                Next::Member(member) if self.set.contains(&member) => {
                    return Larger::Unknown(vec!["an input with `NaN` was found again".to_owned()]);
                }
                Next::Member(member) if self.differs(&member) => self.set.push(member),
                Next::Member(_) => {
                    return Larger::Unknown(vec!["an input could not be judged".to_owned()]);
                }
                Next::End(reasons) if reasons.is_empty() && self.is_one_key() => return Larger::None,
                Next::End(reasons) if reasons.is_empty() => {
                    return self.at_once(TOO_LARGE.to_owned());
                }
                Next::End(reasons) => return Larger::Unknown(reasons),
            }
        }
        Larger::Unasked
    }

    /// Looks for larger sets by asking for all inputs of one at once. Nothing can be added to the set that is known. The reason
    /// is why it isn't known to be the greatest, if that isn't found out now.
    fn at_once(&mut self, why: String) -> Larger {
        let known = self.set.clone();
        while self.set.len() < self.n_asked {
            let n = self.set.len() + 1;
            match together::ask(self.space, self.relation, self.keys.as_deref(), n, self.effort) {
                together::Answer::Set(members) if self.is_set(&members) => self.set = members,
                together::Answer::None => return Larger::None,
                together::Answer::Set(_) | together::Answer::Unknown if self.effort.is_met() => {
                    // As in the graph, the clock doesn't choose the inputs.
                    self.set = known;
                    return Larger::NotWithThese(vec![NOT_SEARCHED.to_owned()]);
                }
                together::Answer::Set(_) | together::Answer::Unknown => {
                    return Larger::NotWithThese(vec![why]);
                }
            }
        }
        Larger::Unasked
    }

    /// Whether inputs differ pairwise, and are not the same: `NaN` may differ from itself.
    fn is_set(&mut self, members: &[Vec<Value>]) -> bool {
        let related = &mut self.related;
        let mut differ = |a: &Vec<Value>, b: &Vec<Value>| a != b && related.holds(a, b);
        members.iter().enumerate().all(|(at, a)| members[..at].iter().all(|b| differ(a, b)))
    }

    /// The inputs that differ from all of the set, as far as the language can say that.
    fn others(&mut self) -> Option<Space> {
        for other in &self.set[self.n_told..] {
            let is_own = self.related.holds(other, other);
            // Keys are the same in both orders.
            if !self.conditions.add(other, self.keys.is_none(), is_own) {
                return None;
            }
            self.n_told += 1;
        }
        Some(self.conditions.space())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::{relation_of, space, subject};
    use super::*;

    #[test]
    fn not_a_number_is_the_same_input_each_time() {
        let subject = subject(("x: f64, y: u16", "_, _", "|a, b| a.x != b.x && a.y < 2 && b.y < 2"));
        let space = space(&subject);
        let relation = relation_of(subject.different.as_ref().expect("the spec has a relation"));
        let limits = (LOOKS, Effort::new(Duration::MAX));
        let mut search = Search::new(&space, relation, (Vec::new(), 9), limits);
        let input = |x: f64| vec![Value::Float(x), Value::int(0)];
        assert!(search.is_set(&[input(f64::NAN), input(1.0)]));
        assert!(!search.is_set(&[input(f64::NAN), input(f64::NAN)]));
    }
}
