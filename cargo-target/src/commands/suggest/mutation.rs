//! How much a postcondition says: the share of mutated outcomes that it rejects.
//!
//! A condition that holds of results, and still holds after each result was replaced by another one, says nothing about the
//! function. An outcome is mutated by that of another input, by a number next to it, by another variant, by a list with an element
//! less, or with two elements swapped.
//!
//! Source: Ernst and others, *Daikon*, whose filter drops invariants that random data satisfies too.

use std::cmp::Reverse;
use std::sync::Arc;

use target_strategies::logic::eval::{Finding, Judge, Promise};
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{SeqKind, Sort, Spec};
use target_strategies::logic::value::Value;

/// What the function did with one input.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    pub args: Vec<Value>,
    pub result: Value,
    /// The parameters on return, if some are `&mut`.
    pub after: Option<Vec<Value>>,
}

/// How many mutated outcomes a condition rejects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strength {
    pub n_rejected: usize,
    pub n_mutants: usize,
}

/// Whether the postconditions of a spec hold of an outcome.
pub fn is_kept(spec: &Spec, outcome: &Observed) -> bool {
    judged(spec, outcome) == Finding::Kept
}

/// The number of mutants that the postconditions of a spec reject.
pub fn strength(spec: &Spec, mutants: &[Observed]) -> Strength {
    let mut strength = Strength::default();
    for mutant in mutants {
        match judged(spec, mutant) {
            Finding::Broken { promise: Promise::Ensures, .. } => strength.n_rejected += 1,
            // No result that the function can have.
            Finding::Broken { promise: Promise::Result, .. } => continue,
            Finding::Kept | Finding::SpecError { .. } => {}
        }
        strength.n_mutants += 1;
    }
    strength
}

/// The conditions that reject some of the same mutants, by how many. Equally strong ones keep their order.
pub fn strongest_first<T>(mut conditions: Vec<T>, strength: impl Fn(&T) -> Strength) -> Vec<T> {
    conditions.retain(|condition| strength(condition).n_rejected > 0);
    conditions.sort_by_key(|condition| Reverse(strength(condition).n_rejected));
    conditions
}

fn judged(spec: &Spec, outcome: &Observed) -> Finding {
    Judge::new(None).postcondition(spec, &outcome.args, outcome.after.as_deref(), &outcome.result)
}

/// Outcomes that were not observed: each differs from an observed one in the result, or in one parameter on return.
pub fn mutants(spec: &Spec, observed: &[Observed]) -> Vec<Observed> {
    let mut mutants = Vec::new();
    for (index, outcome) in observed.iter().enumerate() {
        // One that is near in the order of sizes, and one that is far away.
        let others = [index + 1, index + observed.len() / 2].map(|other| &observed[other % observed.len()]);
        let results = others.iter().map(|other| other.result.clone());
        let results = results.chain(neighbours(spec, &spec.result.sort, &outcome.result));
        for result in distinct(results, &outcome.result) {
            mutants.push(Observed { result, ..outcome.clone() });
        }
        let Some(after) = &outcome.after else { continue };
        for (param, value) in after.iter().enumerate().filter(|(param, _)| spec.params[*param].mutable) {
            let sort = &spec.params[param].refined.sort;
            let left = others.iter().filter_map(|other| Some(other.after.as_ref()?[param].clone()));
            for value in distinct(left.chain(neighbours(spec, sort, value)), value) {
                let mut after = after.clone();
                after[param] = value;
                mutants.push(Observed { after: Some(after), ..outcome.clone() });
            }
        }
    }
    mutants
}

/// One of each, without the one that was observed.
fn distinct(values: impl Iterator<Item = Value>, observed: &Value) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for value in values {
        if value != *observed && !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Values of a type that differ little from one of its values.
fn neighbours(spec: &Spec, sort: &Sort, value: &Value) -> Vec<Value> {
    match (sort, value) {
        (Sort::Bool, Value::Bool(truth)) => vec![Value::Bool(!truth)],
        (Sort::Int(kind), Value::Int(n)) => {
            let next = [n + &Int::from(1), n - &Int::from(1)];
            next.into_iter().filter(|n| kind.contains(n)).map(Value::Int).collect()
        }
        (Sort::Str(_), Value::Str(text)) => {
            let chars: Vec<char> = text.chars().collect();
            let shorter = chars.split_last().map(|(_, rest)| rest.iter().collect::<String>());
            let swapped = swapped(&chars).map(|chars| chars.iter().collect::<String>());
            shorter.into_iter().chain(swapped).map(|text| Value::Str(Arc::from(text))).collect()
        }
        (Sort::Seq(element, kind), Value::Seq(items)) => {
            let mut lists: Vec<Vec<Value>> = swapped(items).into_iter().collect();
            if matches!(kind, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter)
                && let (Some((_, rest)), Some((_, start))) = (items.split_first(), items.split_last())
            {
                lists.extend([rest.to_vec(), start.to_vec()]);
            }
            lists.extend(with_one_changed(items, |_, item| neighbours(spec, &element.sort, item)));
            lists.into_iter().map(|items| Value::Seq(Arc::from(items))).collect()
        }
        (Sort::Tuple(sorts), Value::Tuple(parts)) => {
            let of = |index: usize, part: &Value| neighbours(spec, &sorts[index].sort, part);
            with_one_changed(parts, of).into_iter().map(|parts| Value::Tuple(Arc::from(parts))).collect()
        }
        (Sort::Data(id), Value::Data(ctor, fields)) => {
            let ctors = &spec.data(*id).ctors;
            // A variant with fields comes from another input.
            let others = (0..).zip(ctors).filter(|(index, other)| index != ctor && other.fields.is_empty());
            let mut values: Vec<Value> = others.map(|(index, _)| Value::Data(index, Arc::from([]))).collect();
            if let Some(own) = ctors.get(*ctor as usize) {
                let of =
                    |index: usize, field: &Value| neighbours(spec, &own.fields[index].refined.sort, field);
                let changed = with_one_changed(fields, of).into_iter();
                values.extend(changed.map(|fields| Value::Data(*ctor, Arc::from(fields))));
            }
            values
        }
        _ => Vec::new(),
    }
}

/// The items with the first neighbours that differ swapped; `None` if all are alike.
fn swapped<T: Clone + PartialEq>(items: &[T]) -> Option<Vec<T>> {
    let index = items.windows(2).position(|pair| pair[0] != pair[1])?;
    let mut swapped = items.to_vec();
    swapped.swap(index, index + 1);
    Some(swapped)
}

/// The items with the first one that has a neighbour replaced by it.
fn with_one_changed(items: &[Value], of: impl Fn(usize, &Value) -> Vec<Value>) -> Option<Vec<Value>> {
    let (index, changed) = items.iter().enumerate().find_map(|(index, item)| {
        let changed = of(index, item).into_iter().next()?;
        Some((index, changed))
    })?;
    let mut items = items.to_vec();
    items[index] = changed;
    Some(items)
}

#[cfg(test)]
mod tests;
