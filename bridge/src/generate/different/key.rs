//! Relations of a simple form: a key of two inputs differs, or is a number that is so far apart.
//!
//! With these, a set needs no pairs: a table of the keys tells whether an input can be added.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Bound;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::relation::{EDIT_DISTANCE, SAME_SHAPE};
use target_strategies::logic::ir::{ArithOp, CompareOp, Term, map_children, visit};
use target_strategies::logic::value::Value;
use target_strategies::space::Shape;

use super::relation::Related;

/// One condition on a key.
pub(super) enum Key {
    /// The key differs.
    Differs(Term),
    /// The shape of the key differs.
    Shapes(Term),
    /// The key is a number, at least so far apart.
    Apart(Term, Int),
}

/// The keys, all of which must differ, if a relation is of that form.
pub(super) fn keys(relation: &Term, second: &[u32]) -> Option<Vec<Key>> {
    let parts = match relation {
        Term::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    parts.iter().map(|part| key(part, second)).collect()
}

fn key(part: &Term, second: &[u32]) -> Option<Key> {
    match part {
        Term::Not(same) => {
            if let Term::Equal(a, b) = &**same {
                return Some(Key::Differs(of_both(a, b, second)?));
            }
            let Term::Opaque(SAME_SHAPE, args) = &**same else { return None };
            let [a, b] = args.as_slice() else { return None };
            Some(Key::Shapes(of_both(a, b, second)?))
        }
        // One of several keys differs: together, they do.
        Term::Or(parts) => {
            let parts = parts.iter().map(|part| match key(part, second)? {
                Key::Differs(term) => Some(term),
                Key::Shapes(_) | Key::Apart(..) => None,
            });
            Some(Key::Differs(Term::Tuple(parts.collect::<Option<_>>()?)))
        }
        Term::Compare(CompareOp::Le, least, apart) => {
            let (Term::Lit(Value::Int(least)), Term::Abs(apart)) = (&**least, &**apart) else { return None };
            let Term::Arith(ArithOp::Sub, a, b) = &**apart else { return None };
            let is_positive = *least > Int::from(0);
            is_positive.then_some(Key::Apart(of_both(a, b, second)?, least.clone()))
        }
        _ => None,
    }
}

/// What is at least how far apart, if a relation says that strings or lists are so many changes apart, at least one.
pub(super) fn edited(relation: &Term, second: &[u32]) -> Option<(Term, usize)> {
    let Term::Opaque(EDIT_DISTANCE, args) = relation else { return None };
    let [a, b, Term::Lit(Value::Int(least))] = args.as_slice() else { return None };
    let least = least.to_usize().filter(|least| *least > 0)?;
    Some((of_both(a, b, second)?, least))
}

/// The term of the first input, if the other one is the same of the second input.
fn of_both(a: &Term, b: &Term, second: &[u32]) -> Option<Term> {
    let (mut is_first, mut has_rust) = (true, false);
    visit(a, &mut |term| {
        is_first &= !matches!(term, Term::Var(slot) if second.contains(slot));
        has_rust |= matches!(term, Term::Opaque(..));
    });
    (is_first && !has_rust && moved(a, second) == *b).then(|| a.clone())
}

/// A term about the first input as one about the second.
fn moved(term: &Term, second: &[u32]) -> Term {
    match term {
        Term::Var(slot) => Term::Var(second.get(*slot as usize).copied().unwrap_or(*slot)),
        other => map_children(other, &mut |child, _| moved(child, second)),
    }
}

/// The keys of a set.
pub(super) struct Index {
    /// By the key of the relation.
    keys: Vec<(Term, Known)>,
}

enum Known {
    Values(HashSet<Value>),
    Shapes(HashSet<Shape>),
    Numbers(BTreeSet<Int>, Int),
}

impl Index {
    pub fn new(keys: &[Key]) -> Index {
        let known = |key: &Key| match key {
            Key::Differs(term) => (term.clone(), Known::Values(HashSet::new())),
            Key::Shapes(term) => (term.clone(), Known::Shapes(HashSet::new())),
            Key::Apart(term, least) => (term.clone(), Known::Numbers(BTreeSet::new(), least.clone())),
        };
        Index { keys: keys.iter().map(known).collect() }
    }

    /// Adds an input if all its keys differ from those known; returns whether it did, or `None` if it has no keys.
    pub fn insert(&mut self, input: &[Value], related: &mut Related<'_>) -> Option<bool> {
        let of_one =
            |(term, known): &(Term, Known)| related.key(input, term).filter(|value| known.takes(value));
        let values: Option<Vec<Value>> = self.keys.iter().map(of_one).collect();
        let values = values?;
        let is_new = self.keys.iter().zip(&values).all(|((_, known), value)| known.is_new(value));
        if is_new {
            for ((_, known), value) in self.keys.iter_mut().zip(values) {
                known.add(value);
            }
        }
        Some(is_new)
    }
}

impl Known {
    /// Whether a value can be a key.
    fn takes(&self, value: &Value) -> bool {
        match self {
            Known::Values(_) => is_exact(value),
            Known::Shapes(_) => true,
            Known::Numbers(..) => matches!(value, Value::Int(_)),
        }
    }

    fn is_new(&self, value: &Value) -> bool {
        match (self, value) {
            (Known::Values(known), value) => !known.contains(value),
            (Known::Shapes(known), value) => !known.contains(&Shape::of(value)),
            (Known::Numbers(known, least), Value::Int(n)) => is_apart(known, n, least),
            (Known::Numbers(..), _) => false,
        }
    }

    fn add(&mut self, value: Value) {
        match (self, value) {
            (Known::Values(known), value) => _ = known.insert(value),
            (Known::Shapes(known), value) => _ = known.insert(Shape::of(&value)),
            (Known::Numbers(known, _), Value::Int(n)) => _ = known.insert(n),
            (Known::Numbers(..), _) => {}
        }
    }
}

/// Whether a value equals itself and nothing that is stored differently: `NaN` and `-0.0` don't.
fn is_exact(value: &Value) -> bool {
    match value {
        Value::Float(_) => false,
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => parts.iter().all(is_exact),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Str(_) => true,
    }
}

fn is_apart(known: &BTreeSet<Int>, n: &Int, least: &Int) -> bool {
    let below = known.range((Bound::Unbounded, Bound::Included(n.clone()))).next_back();
    let above = known.range((Bound::Included(n.clone()), Bound::Unbounded)).next();
    below.is_none_or(|below| n - below >= *least) && above.is_none_or(|above| above - n >= *least)
}

/// The greatest set of inputs whose keys are so far apart: from the least key upwards, each next one that is far enough.
pub(super) fn on_a_line(
    all: &[Vec<Value>],
    key: &Term,
    least: &Int,
    related: &mut Related<'_>,
) -> Option<Vec<Vec<Value>>> {
    let mut by_key: BTreeMap<Int, &Vec<Value>> = BTreeMap::new();
    for input in all {
        let Some(Value::Int(n)) = related.key(input, key) else { return None };
        by_key.entry(n).or_insert(input);
    }
    let mut last: Option<Int> = None;
    let mut set = Vec::new();
    for (n, input) in by_key {
        if last.as_ref().is_none_or(|last| &n - last >= *least) {
            set.push(input.clone());
            last = Some(n);
        }
    }
    Some(set)
}
