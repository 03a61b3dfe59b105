//! Whether two inputs differ.

use target_strategies::logic::eval::{Host, Judge, Judgement};
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Spec, Term, relation};
use target_strategies::logic::value::Value;

use crate::frontend::subject::Relation;

/// Judges pairs.
pub(super) struct Related<'a> {
    spec: &'a Spec,
    relation: &'a Relation,
    /// Whether some pair could not be judged.
    pub is_undecided: bool,
}

impl<'a> Related<'a> {
    pub fn new(spec: &'a Spec, relation: &'a Relation) -> Related<'a> {
        Related { spec, relation, is_undecided: false }
    }

    /// Whether the relation holds between two inputs, in both directions: a set has no order.
    pub fn holds(&mut self, a: &[Value], b: &[Value]) -> bool {
        self.holds_in_order(a, b) && self.holds_in_order(b, a)
    }

    fn holds_in_order(&mut self, a: &[Value], b: &[Value]) -> bool {
        let mut host = Relations;
        let mut judge = Judge::new(Some(&mut host));
        let Relation { term, second, .. } = self.relation;
        match judge.related(self.spec, term, a, (second, b)) {
            Judgement::Holds => true,
            Judgement::Broken => false,
            Judgement::Unjudged | Judgement::SpecError(_) => {
                self.is_undecided = true;
                false
            }
        }
    }

    /// The value of a key, unless it has none.
    pub fn key(&mut self, input: &[Value], key: &Term) -> Option<Value> {
        Judge::new(None).value_of(self.spec, input, key).ok()
    }
}

/// Judges the relations of [`relation`].
struct Relations;

impl Host for Relations {
    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String> {
        match (id, args) {
            (relation::SAME_SHAPE, [a, b]) => Ok(is_same_shape(a, b)),
            (relation::EDIT_DISTANCE, [a, b, Value::Int(least)]) => {
                let distance = Int::from(edit_distance(&parts(a), &parts(b)) as i64);
                Ok(distance >= *least)
            }
            _ => Err("no relation has this number".to_owned()),
        }
    }
}

/// The characters of a string, the elements of a list.
pub(super) fn parts(value: &Value) -> Vec<Value> {
    match value {
        Value::Str(text) => text.chars().map(Value::Char).collect(),
        Value::Seq(parts) => parts.to_vec(),
        _ => Vec::new(),
    }
}

/// The least number of insertions, removals and replacements of one element.
pub(super) fn edit_distance(a: &[Value], b: &[Value]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Whether two values differ at most in their scalars.
fn is_same_shape(a: &Value, b: &Value) -> bool {
    let all =
        |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_shape(a, b));
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => a.chars().count() == b.chars().count(),
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => all(a, b),
        (Value::Data(m, a), Value::Data(n, b)) => m == n && all(a, b),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distances_are_known() {
        for (a, b, distance) in [
            ("", "", 0),
            ("kitten", "sitting", 3),
            ("", "abc", 3),
            ("flaw", "lawn", 2),
            ("intention", "execution", 5),
            ("ab", "ba", 2),
        ] {
            assert_eq!(edit_distance(&parts(&Value::str(a)), &parts(&Value::str(b))), distance, "{a} {b}");
        }
    }
}
