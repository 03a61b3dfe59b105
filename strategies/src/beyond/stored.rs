//! Integers that are stored in the nodes of structures, such as sizes, heights and ranks.
//!
//! How such an integer follows from the parts of its node, or from another integer of it, is learned: each rule that holds in all inputs so
//! far may be the one.

use std::collections::HashMap;

use super::scalars::n_elements;
use crate::dice::Dice;
use crate::logic::int::Int;
use crate::logic::ir::{DataId, Sort, Spec};
use crate::logic::part::{Part, parts};
use crate::logic::value::Value;

/// Maximum number of values of a field that are remembered.
const MOST_SEEN: usize = 48;

/// A field of a constructor.
pub(super) type Slot = (DataId, u32, usize);

/// How a stored integer follows from the parts of its node. The number is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The greatest of those that are stored in the parts.
    Greatest(i64),
    /// All of those that are stored in the parts.
    Sum(i64),
    /// The one that is stored in the part with this index, 0 if none is.
    Of(usize, i64),
    /// The number of elements of all lists in the part with this index.
    Elements(usize),
    /// The number of elements of all lists in the parts.
    AllElements,
    /// The greatest or least of the integer in the field with this index and those that are stored in the parts, or all of them.
    GreatestWith(usize),
    LeastWith(usize),
    SumWith(usize),
}

/// What is known about the fields of constructors.
#[derive(Default)]
pub(super) struct Stored {
    rules: HashMap<Slot, Vec<Rule>>,
    seen: HashMap<Slot, Vec<Value>>,
}

impl Stored {
    /// What some valid inputs show.
    pub(super) fn of(spec: &Spec, inputs: &[Vec<Value>]) -> Stored {
        let mut stored = Stored::default();
        let all = inputs.iter().flat_map(|input| parts(spec, input, false));
        all.for_each(|part| stored.note_part(spec, &part));
        stored
    }

    /// Learns from a part of a valid input.
    pub(super) fn note_part(&mut self, spec: &Spec, part: &Part<'_>) {
        let (Sort::Data(data), Value::Data(ctor, fields)) = (&part.refined.sort, part.value) else { return };
        let Some(shape) = spec.data(*data).ctors.get(*ctor as usize) else { return };
        for (at, (field, value)) in shape.fields.iter().zip(fields.iter()).enumerate() {
            if !matches!(field.refined.sort, Sort::Data(_)) {
                self.note((*data, *ctor, at), value, fields);
            }
        }
    }

    /// Whether an integer follows from another one of its node.
    pub(super) fn follows_field(&self, slot: Slot) -> bool {
        self.rules
            .get(&slot)
            .is_some_and(|rules| !rules.is_empty() && rules.iter().all(|rule| rule.has_field()))
    }

    /// Arguments whose keys are new, with what depends on them: other integers of a node of the type of its key keep their distance to it, and
    /// those that follow from others are computed again.
    pub(super) fn repaired(&self, spec: &Spec, old: &[Value], new: &[Value]) -> Vec<Value> {
        let pairs = spec.params.iter().zip(old.iter().zip(new));
        pairs.map(|(param, (old, new))| self.repaired_value(spec, &param.refined.sort, old, new)).collect()
    }

    fn repaired_value(&self, spec: &Spec, sort: &Sort, old: &Value, new: &Value) -> Value {
        match (sort, old, new) {
            (Sort::Data(id), Value::Data(ctor, old), Value::Data(_, new)) => {
                let Some(shape) = spec.data(*id).ctors.get(*ctor as usize) else {
                    return Value::Data(*ctor, new.clone());
                };
                let sorts: Vec<&Sort> = shape.fields.iter().map(|field| &field.refined.sort).collect();
                let pairs = sorts.iter().zip(old.iter().zip(new.iter()));
                let mut fields: Vec<Value> =
                    pairs.map(|(sort, (old, new))| self.repaired_value(spec, sort, old, new)).collect();
                let moved = (0..fields.len()).find_map(|at| match (&old[at], &new[at]) {
                    (Value::Int(old), Value::Int(new)) if old != new => Some((sorts[at], new - old)),
                    _ => None,
                });
                if let Some((sort, distance)) = moved {
                    for at in 0..fields.len() {
                        if let Value::Int(n) = &fields[at]
                            && sorts[at] == sort
                            && old[at] == new[at]
                        {
                            fields[at] = Value::Int(n + &distance);
                        }
                    }
                }
                for at in 0..fields.len() {
                    let slot = (*id, *ctor, at);
                    if self.follows_field(slot)
                        && let Some(rule) = self.rules.get(&slot).and_then(|rules| rules.first())
                    {
                        let parts: Vec<Option<&Value>> = fields.iter().map(Some).collect();
                        fields[at] = Value::Int(rule.value(slot, &parts));
                    }
                }
                Value::Data(*ctor, fields.into())
            }
            (Sort::Seq(element, _), Value::Seq(old), Value::Seq(new)) => {
                let pairs = old.iter().zip(new.iter());
                Value::Seq(
                    pairs.map(|(old, new)| self.repaired_value(spec, &element.sort, old, new)).collect(),
                )
            }
            (_, _, new) => new.clone(),
        }
    }

    /// Learns from a field of a valid input. `parts` are all fields of its node.
    fn note(&mut self, slot: Slot, value: &Value, parts: &[Value]) {
        let seen = self.seen.entry(slot).or_default();
        if seen.len() < MOST_SEEN && !seen.contains(value) {
            seen.push(value.clone());
        }
        let Value::Int(n) = value else { return };
        let rules = self.rules.entry(slot).or_insert_with(|| Rule::all(slot, parts));
        let parts: Vec<Option<&Value>> = parts.iter().map(Some).collect();
        rules.retain(|rule| rule.value(slot, &parts) == *n);
    }

    /// A value for a field of a new node whose parts are known: by a rule, near to those of the parts, or an earlier one. `None`
    /// if there was none.
    pub(super) fn value(&self, slot: Slot, parts: &[Option<Value>], dice: &mut Dice) -> Option<Value> {
        let parts: Vec<Option<&Value>> = parts.iter().map(Option::as_ref).collect();
        if let Some(rules) = self.rules.get(&slot).filter(|rules| !rules.is_empty()) {
            return Some(Value::Int(rules[dice.index(rules.len())].value(slot, &parts)));
        }
        let inside: Vec<Int> =
            parts.iter().flatten().flat_map(|part| stored_in(slot, parts.len(), part)).collect();
        if dice.percent(50)
            && let Some(n) = inside.get(dice.index(inside.len().max(1)))
        {
            return Some(Value::Int(n + &Int::from([-1, 0, 1][dice.index(3)])));
        }
        let seen = self.seen.get(&slot)?;
        seen.get(dice.index(seen.len())).cloned()
    }
}

impl Rule {
    /// The rules for a field of a node with such parts.
    fn all(slot: Slot, parts: &[Value]) -> Vec<Rule> {
        let mut rules =
            vec![Rule::Greatest(1), Rule::Sum(1), Rule::Greatest(0), Rule::Sum(0), Rule::AllElements];
        for (at, part) in parts.iter().enumerate() {
            if matches!(part, Value::Data(..)) {
                rules.extend([Rule::Of(at, 1), Rule::Of(at, 0), Rule::Elements(at)]);
            } else if matches!(part, Value::Int(_)) && at != slot.2 {
                rules.extend([Rule::GreatestWith(at), Rule::LeastWith(at), Rule::SumWith(at)]);
            }
        }
        rules
    }

    fn has_field(self) -> bool {
        match self {
            Rule::GreatestWith(_) | Rule::LeastWith(_) | Rule::SumWith(_) => true,
            Rule::Greatest(_) | Rule::Sum(_) | Rule::Of(..) | Rule::Elements(_) | Rule::AllElements => false,
        }
    }

    /// The integer in a field.
    fn value(self, slot: Slot, parts: &[Option<&Value>]) -> Int {
        let all = || parts.iter().flatten().flat_map(|part| stored_in(slot, parts.len(), part));
        let own = |at: usize| parts.get(at).copied().flatten().and_then(integer);
        let with = |at: usize| own(at).into_iter().chain(all());
        match self {
            Rule::Greatest(more) => &all().max().unwrap_or(Int::ZERO) + &Int::from(more),
            Rule::Sum(more) => all().fold(Int::from(more), |sum, n| &sum + &n),
            Rule::Of(at, more) => {
                let part = parts.get(at).copied().flatten();
                let stored = part.and_then(|part| stored_in(slot, parts.len(), part).into_iter().max());
                &stored.unwrap_or(Int::ZERO) + &Int::from(more)
            }
            Rule::Elements(at) => Int::from(parts.get(at).copied().flatten().map_or(0, n_elements)),
            Rule::GreatestWith(at) => with(at).max().unwrap_or(Int::ZERO),
            Rule::LeastWith(at) => with(at).min().unwrap_or(Int::ZERO),
            Rule::SumWith(at) => with(at).fold(Int::ZERO, |sum, n| &sum + &n),
            Rule::AllElements => Int::from(parts.iter().flatten().map(|part| n_elements(part)).sum::<u64>()),
        }
    }
}

/// Whether a node of a recursive type has two integers of one type, so that one may depend on the other.
pub(super) fn has_dependent_integers(spec: &Spec) -> bool {
    let ctors = spec.data.iter().flat_map(|data| &data.ctors).filter(|ctor| ctor.recursive && !ctor.excluded);
    let has_two = |sorts: &[&Sort]| (1..sorts.len()).any(|at| sorts[..at].contains(&sorts[at]));
    { ctors }.any(|ctor| {
        let sorts = ctor.fields.iter().map(|field| &field.refined.sort);
        has_two(&sorts.filter(|sort| matches!(sort, Sort::Int(_))).collect::<Vec<_>>())
    })
}

fn integer(value: &Value) -> Option<Int> {
    if let Value::Int(n) = value { Some(n.clone()) } else { None }
}

/// The integers in the same field of the outermost nodes in a part that are made by the same constructor, as far as its index
/// and its number of fields tell. They may be inside of others, as in an `Option`.
fn stored_in((data, ctor, at): Slot, n_fields: usize, part: &Value) -> Vec<Int> {
    match part {
        Value::Data(other, inner) if *other == ctor && inner.len() == n_fields => match inner.get(at) {
            Some(Value::Int(n)) => vec![n.clone()],
            Some(_) | None => Vec::new(),
        },
        Value::Data(_, inner) => {
            inner.iter().flat_map(|part| stored_in((data, ctor, at), n_fields, part)).collect()
        }
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => Vec::new(),
        Value::Str(_) | Value::Seq(_) | Value::Tuple(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{IntKind, Param, Refined};
    use crate::space::tests::{ctor, data};

    /// A node with a stored integer, two parts and a key; or none, as a leaf with a list of so many elements.
    fn node(stored: i64, left: Value, right: Value, key: i64) -> Value {
        Value::Data(1, [Value::int(stored), left, right, Value::int(key)].into())
    }

    fn leaf(n: i64) -> Value {
        let elements: Vec<Value> = (0..n).map(Value::int).collect();
        Value::Data(0, [Value::Seq(elements.into())].into())
    }

    /// What is stored in a new node, if samples are as `stored` says.
    fn learned(stored: impl Fn(&Value, &Value) -> i64) -> HashMap<Option<Value>, usize> {
        let (slot, mut known) = ((DataId(0), 1, 0), Stored::default());
        let rank = |value: &Value| match value {
            Value::Data(1, fields) => fields[0].clone(),
            _ => Value::int(0),
        };
        let mut nodes = vec![leaf(0), leaf(1), leaf(3)];
        for at in [(0, 1), (1, 0), (3, 2), (2, 3), (4, 5), (5, 1), (6, 7)] {
            let (left, right) = (nodes[at.0].clone(), nodes[at.1].clone());
            let made = node(stored(&rank(&left), &rank(&right)), left, right, at.0 as i64 * 7 + 20);
            let Value::Data(_, fields) = &made else { unreachable!("a node") };
            known.note(slot, &fields[0], fields);
            nodes.push(made);
        }
        let parts = [None, Some(nodes[8].clone()), Some(nodes[3].clone()), None];
        let mut dice = Dice::new(0, 0);
        let mut found = HashMap::new();
        (0..100).for_each(|_| *found.entry(known.value(slot, &parts, &mut dice)).or_default() += 1);
        found
    }

    fn int(value: &Value) -> i64 {
        if let Value::Int(n) = value { n.to_i64().expect("a small number") } else { 0 }
    }

    #[test]
    fn a_rule_that_held_so_far_computes_what_is_stored() {
        // The rank of a leftist heap.
        let found = learned(|_, right| int(right) + 1);
        assert_eq!(found, HashMap::from([(Some(Value::int(2)), 100)]));
        // The height of a tree.
        let found = learned(|left, right| int(left).max(int(right)) + 1);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn the_elements_of_a_part_are_counted() {
        let slot = (DataId(0), 1, 0);
        let mut known = Stored::default();
        for (left, right) in [(2, 3), (0, 1), (4, 4)] {
            let Value::Data(_, fields) = node(left, leaf(left), leaf(right), left * 11) else { return };
            known.note(slot, &fields[0], &fields);
        }
        let parts = [None, Some(leaf(5)), Some(leaf(9)), Some(Value::int(0))];
        assert_eq!(known.value(slot, &parts, &mut Dice::new(0, 0)), Some(Value::int(5)));
    }

    #[test]
    fn what_follows_from_a_key_changes_with_it() {
        // A tree of intervals: the greatest end, two parts and a start, which is also the end.
        let (tree, int) = (Sort::Data(DataId(0)), Sort::Int(IntKind::I64));
        let fields = [&int, &tree, &tree, &int].map(|sort| Refined::plain(sort.clone()));
        let data = data(vec![ctor("Leaf", vec![], false), ctor("Node", fields.to_vec(), true)]);
        let param = Param { name: String::new(), refined: Refined::plain(tree), mutable: false };
        let spec = Spec { params: vec![param], data: vec![data], ..Spec::unrefined("f") };
        assert!(has_dependent_integers(&spec));
        let leaf = || Value::Data(0, [].into());
        let tree = |greatest: i64, left: i64, key: i64, right: i64| {
            node(greatest, node(left, leaf(), leaf(), left), node(right, leaf(), leaf(), right), key)
        };
        let samples = [vec![tree(9, 4, 2, 9)], vec![tree(7, 1, 7, 3)], vec![tree(5, 5, 0, 1)]];
        let stored = Stored::of(&spec, &samples);
        assert!(stored.follows_field((DataId(0), 1, 0)));
        // The key of the root moves from 7 to 1, and that on its right from 3 to 8.
        let new = node(7, node(1, leaf(), leaf(), 1), node(3, leaf(), leaf(), 8), 1);
        assert_eq!(stored.repaired(&spec, &samples[1], &[new]), [tree(8, 1, 1, 8)]);
    }

    #[test]
    fn without_a_rule_a_value_is_near_to_those_of_the_parts_or_an_earlier_one() {
        let mut calls = 0..;
        let odd = std::cell::RefCell::new(&mut calls);
        let found = learned(|_, _| [90, 17, 55, 23, 71, 38, 64][odd.borrow_mut().next().unwrap_or(0) % 7]);
        assert!(found.len() > 4, "{found:?}");
        assert!(found.keys().all(Option::is_some));
    }
}
