//! The values for a part, by its type: the literals in the source of the function, then what cases have in such parts.

use std::collections::HashSet;

use target_strategies::dice::Dice;
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Refined, Sort};
use target_strategies::logic::part::Part;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

/// Maximum number of values of a type, and of literals among them.
const MOST: usize = 300;
const MOST_LITERALS: usize = 24;

/// Maximum number of parts of a case that are looked at.
const MOST_PARTS: usize = 64;

/// The values known so far.
pub(super) struct Pool {
    literals: Vec<Value>,
    known: Vec<(Sort, Known)>,
}

/// The values of a type.
#[derive(Default)]
struct Known {
    values: Vec<Value>,
    has: HashSet<Value>,
    n_literals: usize,
}

/// The values for a part.
pub(super) struct Values<'p> {
    near: Vec<Value>,
    known: &'p [Value],
    n_literals: usize,
}

impl Pool {
    /// The literals for the functions of a space.
    pub(super) fn of(space: &Space) -> Pool {
        Pool { literals: space.literals().to_vec(), known: Vec::new() }
    }

    /// Adds the values of a case.
    pub(super) fn add(&mut self, parts: &[Part]) {
        for part in parts.iter().take(MOST_PARTS) {
            let sort = &part.refined.sort;
            let at = self.known.iter().position(|(other, _)| other == sort).unwrap_or_else(|| {
                self.known.push((sort.clone(), Known::of(part, &self.literals)));
                self.known.len() - 1
            });
            self.known[at].1.add(part.value);
        }
    }

    /// One of the literals of a kind.
    pub(super) fn literal(&self, dice: &mut Dice, is_wanted: fn(&Value) -> bool) -> Option<&Value> {
        let fitting: Vec<&Value> = self.literals.iter().filter(|literal| is_wanted(literal)).collect();
        fitting.get(dice.index(fitting.len().max(1))).copied()
    }

    /// Values for a part.
    pub(super) fn values(&self, part: &Part) -> Values<'_> {
        let known = self.known.iter().find(|(sort, _)| *sort == part.refined.sort).map(|(_, known)| known);
        Values {
            near: near(part.refined, part.value),
            known: known.map(|known| known.values.as_slice()).unwrap_or_default(),
            n_literals: known.map_or(0, |known| known.n_literals),
        }
    }
}

impl Known {
    fn of(part: &Part, literals: &[Value]) -> Known {
        let mut known = Known::default();
        let fitting = literals.iter().filter(|literal| fits(&part.refined.sort, literal));
        fitting.take(MOST_LITERALS).for_each(|literal| known.add(literal));
        known.n_literals = known.values.len();
        known
    }

    fn add(&mut self, value: &Value) {
        if self.values.len() < MOST && !self.has.contains(value) {
            self.has.insert(value.clone());
            self.values.push(value.clone());
        }
    }
}

impl Values<'_> {
    /// All of them: those next to the part's own value, the literals, and the others from a position on.
    pub(super) fn all(&self, from: usize) -> impl Iterator<Item = &Value> {
        let (literals, others) = self.known.split_at(self.n_literals);
        // Neighbors in the list are alike.
        let step = step(others.len());
        let others = (from..from + others.len()).map(move |index| &others[index * step % others.len()]);
        self.near.iter().chain(literals).chain(others)
    }

    /// Number of values that are always tried: those next to the part's own value, and the literals.
    pub(super) fn n_first(&self) -> usize {
        self.near.len() + self.n_literals
    }

    /// One of them.
    pub(super) fn one(&self, choice: u64) -> Option<&Value> {
        let n = self.near.len() + self.known.len();
        self.near.iter().chain(self.known).nth(choice as usize % n.max(1))
    }
}

/// Whether a literal is a value of a sort.
fn fits(sort: &Sort, literal: &Value) -> bool {
    match (sort, literal) {
        (Sort::Int(kind), Value::Int(number)) => kind.contains(number),
        (Sort::Char, Value::Char(_)) | (Sort::Float(_), Value::Float(_)) | (Sort::Str(_), Value::Str(_)) => {
            true
        }
        (Sort::Bool | Sort::Int(_) | Sort::Char | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..), _)
        | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _) => false,
    }
}

/// A step around a list that meets each position: the first from half of its length on that has no factor in common.
fn step(len: usize) -> usize {
    let gcd = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (len * 5 / 8 + 1..).find(|step| gcd(*step, len.max(1)) == 1).unwrap_or(1)
}

/// The values next to a number.
fn near(refined: &Refined, value: &Value) -> Vec<Value> {
    let (Sort::Int(kind), Value::Int(number)) = (&refined.sort, value) else { return Vec::new() };
    let near = [number + &Int::ONE, number - &Int::ONE];
    near.into_iter().filter(|near| kind.contains(near)).map(Value::Int).collect()
}
