//! The values for a part, by its type: the literals in the source of the function, then what cases have in such parts.

use std::collections::HashSet;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Refined, Sort};
use target_strategies::logic::part::Part;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::edits::{edit, is_editable, mixed, pieces};

/// Maximum number of values of a type, of those with the ones of bases, and of literals among them.
const MOST: usize = 300;
const MOST_WITH_BASES: usize = 900;
const MOST_LITERALS: usize = 24;

/// Maximum number of parts of a case that are looked at.
const MOST_PARTS: usize = 64;

/// Number of small changes of a text or a list that are tried at once.
const EDITS: u64 = 16;

/// The values known so far.
pub(super) struct Pool {
    literals: Vec<Value>,
    /// What is put into texts.
    pieces: Vec<Vec<char>>,
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
        Pool { literals: space.literals().to_vec(), pieces: pieces(space.literals()), known: Vec::new() }
    }

    /// Adds the values of a case.
    pub(super) fn add(&mut self, parts: &[Part]) {
        self.add_up_to(MOST, parts);
    }

    /// Adds the values of a base.
    pub(super) fn add_base(&mut self, parts: &[Part]) {
        self.add_up_to(MOST_WITH_BASES, parts);
    }

    fn add_up_to(&mut self, most: usize, parts: &[Part]) {
        for part in parts.iter().take(MOST_PARTS) {
            let sort = &part.refined.sort;
            let at = self.known.iter().position(|(other, _)| other == sort).unwrap_or_else(|| {
                self.known.push((sort.clone(), Known::of(part, &self.literals)));
                self.known.len() - 1
            });
            self.known[at].1.add(part.value, most);
        }
    }

    /// Values for a part. Of a text or a list, `seed` says which of its small changes are among them.
    pub(super) fn values(&self, part: &Part, seed: u64) -> Values<'_> {
        let known = self.of_sort(&part.refined.sort);
        let mut near = near(part.refined, part.value);
        if is_editable(part) {
            let elements = match &part.refined.sort {
                Sort::Seq(element, _) => self.of_sort(&element.sort).map(|known| known.values.as_slice()),
                Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Set(..) => {
                    None
                }
                Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_) => None,
            };
            let elements = elements.unwrap_or_default();
            let edits = (0..EDITS).map(|turn| mixed([seed, turn, 0, 0]));
            near.extend(edits.filter_map(|choice| edit(part.value, &self.pieces, elements, choice)));
        }
        Values {
            near,
            known: known.map(|known| known.values.as_slice()).unwrap_or_default(),
            n_literals: known.map_or(0, |known| known.n_literals),
        }
    }

    fn of_sort(&self, sort: &Sort) -> Option<&Known> {
        self.known.iter().find(|(other, _)| other == sort).map(|(_, known)| known)
    }
}

impl Known {
    fn of(part: &Part, literals: &[Value]) -> Known {
        let mut known = Known::default();
        let fitting = literals.iter().filter(|literal| fits(&part.refined.sort, literal));
        fitting.take(MOST_LITERALS).for_each(|literal| known.add(literal, MOST));
        known.n_literals = known.values.len();
        known
    }

    fn add(&mut self, value: &Value, most: usize) {
        if self.values.len() < most && !self.has.contains(value) {
            self.has.insert(value.clone());
            self.values.push(value.clone());
        }
    }
}

impl Values<'_> {
    /// All of them: those next to the part's own value or changed from it, the literals, and the others from a position on.
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

/// The values next to a number; of a float, also those of other magnitudes.
fn near(refined: &Refined, value: &Value) -> Vec<Value> {
    match (&refined.sort, value) {
        (Sort::Int(kind), Value::Int(number)) => {
            let near = [number + &Int::ONE, number - &Int::ONE];
            near.into_iter().filter(|near| kind.contains(near)).map(Value::Int).collect()
        }
        (Sort::Float(kind), Value::Float(number)) => {
            let near = [-number, number + 1.0, (number + 1.0) * 1_000.0, number / 1_000.0];
            near.into_iter()
                .filter(|near| !near.is_nan())
                .map(|near| Value::Float(kind.round(near)))
                .collect()
        }
        (Sort::Bool | Sort::Int(_) | Sort::Char | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..), _)
        | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::FloatKind;

    use super::*;

    #[test]
    fn floats_of_all_magnitudes_are_near_those_before() {
        let refined = Refined::plain(Sort::Float(FloatKind::F64));
        let magnitude = |value: &Value| if let Value::Float(number) = value { *number } else { 0.0 };
        let mut greatest = Value::Float(0.0);
        for bound in [1e3, 1e6, 1e9, 1e12] {
            let near = near(&refined, &greatest);
            greatest = near.into_iter().find(|near| magnitude(near) >= bound).expect("a greater number");
        }
        assert!(near(&refined, &Value::Float(2.0)).contains(&Value::Float(-2.0)));
    }
}
