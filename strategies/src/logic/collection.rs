//! Sets, bags and maps as values, in a normal form.
//!
//! A set is a sequence of its elements in ascending order. A bag is the same, with equal elements next to each other.
//! A map is a sequence of pairs in the ascending order of their keys. The order is the logic's ([`logic_compare`]).
//! So equal collections are equal values, whatever order Rust keeps their elements in.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::logic::ir::{Collection, Refined, SetKind, Sort, Spec};
use crate::logic::order::logic_compare;
use crate::logic::value::Value;

/// The collection of some elements in any order. Of a map's pairs with the same key, the last stays.
///
/// ```
/// use target_strategies::logic::collection::collected;
/// use target_strategies::logic::ir::Collection;
/// use target_strategies::logic::value::Value;
///
/// let set = collected(Collection::Set, vec![Value::int(2), Value::int(1), Value::int(2)]);
/// assert_eq!(set, Value::seq([Value::int(1), Value::int(2)]));
/// ```
pub fn collected(kind: Collection, mut elements: Vec<Value>) -> Value {
    let rank = |a: &Value, b: &Value| compare(kind, a, b).unwrap_or(Ordering::Equal);
    if kind == Collection::Map {
        // The sort is stable, so the last of equal elements comes first.
        elements.reverse();
    }
    elements.sort_by(rank);
    if kind != Collection::Bag {
        elements.dedup_by(|b, a| compare(kind, a, b) == Some(Ordering::Equal));
    }
    Value::seq(elements)
}

/// The pair with a key among a map's pairs.
pub fn entry<'v>(pairs: &'v [Value], key: &Value) -> Option<&'v Value> {
    pairs.iter().find(|pair| logic_compare(key_of(pair), key) == Some(Ordering::Equal))
}

/// The key of a map's pair.
pub fn key_of(pair: &Value) -> &Value {
    match pair {
        Value::Tuple(parts) => parts.first().unwrap_or(pair),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Char(_)
        | Value::Float(_)
        | Value::Str(_)
        | Value::Seq(_)
        | Value::Data(..) => pair,
    }
}

/// The order of the elements of a set or bag, or of the pairs of a map.
fn compare(kind: Collection, a: &Value, b: &Value) -> Option<Ordering> {
    match kind {
        Collection::Set | Collection::Bag => logic_compare(a, b),
        Collection::Map => logic_compare(key_of(a), key_of(b)),
    }
}

/// Whether elements are in the order of a collection.
pub fn in_order(kind: Collection, elements: &[Value]) -> bool {
    elements.windows(2).all(|pair| match compare(kind, &pair[0], &pair[1]) {
        Some(Ordering::Less) => true,
        Some(Ordering::Equal) => kind == Collection::Bag,
        Some(Ordering::Greater) | None => false,
    })
}

impl Sort {
    /// The kind of collection, if the sort is one.
    pub fn collection(&self) -> Option<Collection> {
        match self {
            Sort::Set(_, SetKind::Bag) => Some(Collection::Bag),
            Sort::Set(_, SetKind::BTree | SetKind::Hash) => Some(Collection::Set),
            Sort::Map(..) => Some(Collection::Map),
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Tuple(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => None,
        }
    }

    /// The parts of a value without constructors, with their types: elements, components, pairs.
    pub fn parts<'s, 'v>(&'s self, value: &'v Value) -> Vec<(&'s Refined, &'v Value)> {
        match (self, value) {
            (Sort::Seq(element, _) | Sort::Set(element, _), Value::Seq(values)) => {
                values.iter().map(|value| (&**element, value)).collect()
            }
            (Sort::Map(key, held, _), Value::Seq(pairs)) => {
                let pair = |pair: &'v Value| {
                    let parts: &[Value] = if let Value::Tuple(parts) = pair { parts } else { &[] };
                    [&**key, &**held].into_iter().zip(parts)
                };
                pairs.iter().flat_map(pair).collect()
            }
            (Sort::Tuple(parts), Value::Tuple(values)) => parts.iter().zip(values.iter()).collect(),
            (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..), _)
            | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _) => {
                Vec::new()
            }
        }
    }
}

impl Refined {
    /// The types directly inside, except data types.
    pub fn inner(&self) -> Vec<&Refined> {
        match &self.sort {
            Sort::Seq(element, _) | Sort::Set(element, _) => vec![element],
            Sort::Map(key, value, _) => vec![key, value],
            Sort::Tuple(parts) => parts.iter().collect(),
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => Vec::new(),
        }
    }

    /// The types directly inside, except data types, for writing.
    pub fn inner_mut(&mut self) -> Vec<&mut Refined> {
        match &mut self.sort {
            Sort::Seq(element, _) | Sort::Set(element, _) => vec![element],
            Sort::Map(key, value, _) => vec![key, value],
            Sort::Tuple(parts) => parts.iter_mut().collect(),
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => Vec::new(),
        }
    }
}

impl Spec {
    /// Whether arguments may hold sets or maps.
    pub fn has_collections(&self) -> bool {
        let fields = self.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
        let mut open: Vec<&Refined> = self.params.iter().map(|param| &param.refined).collect();
        open.extend(fields.map(|field| &field.refined));
        while let Some(refined) = open.pop() {
            if refined.sort.collection().is_some() {
                return true;
            }
            open.extend(refined.inner());
        }
        false
    }
}

/// Whether all sets and maps in an argument tuple are in normal form.
pub fn are_ordered(spec: &Spec, args: &[Value]) -> bool {
    let mut open: Vec<(&Refined, &Value)> =
        spec.params.iter().map(|param| &param.refined).zip(args).collect();
    while let Some((refined, value)) = open.pop() {
        if let (Some(kind), Value::Seq(elements)) = (refined.sort.collection(), value)
            && !in_order(kind, elements)
        {
            return false;
        }
        match (&refined.sort, value) {
            (Sort::Data(id), Value::Data(ctor, values)) => {
                if let Some(ctor) = spec.data(*id).ctors.get(*ctor as usize) {
                    open.extend(ctor.fields.iter().map(|field| &field.refined).zip(values.iter()));
                }
            }
            (sort, value) => open.extend(sort.parts(value)),
        }
    }
    true
}

/// A value whose sets and maps are brought into normal form.
pub fn ordered(value: &Value, refined: &Refined, spec: &Spec) -> Value {
    let all = |parts: Vec<(&Refined, &Value)>| -> Vec<Value> {
        parts.into_iter().map(|(refined, value)| ordered(value, refined, spec)).collect()
    };
    match (&refined.sort, value) {
        (Sort::Map(..), Value::Seq(_)) => {
            let parts = all(refined.sort.parts(value));
            let pairs = parts.chunks_exact(2).map(|pair| Value::Tuple(Arc::from(pair)));
            collected(Collection::Map, pairs.collect())
        }
        (sort, Value::Seq(_)) => {
            let parts = all(sort.parts(value));
            sort.collection().map_or_else(|| Value::seq(parts.clone()), |kind| collected(kind, parts.clone()))
        }
        // The table of a function has what it met, in normal form.
        (Sort::Seq(..), Value::Tuple(_)) => value.clone(),
        (sort, Value::Tuple(_)) => Value::Tuple(all(sort.parts(value)).into()),
        (Sort::Data(id), Value::Data(ctor, values)) => match spec.data(*id).ctors.get(*ctor as usize) {
            Some(found) => {
                let fields = found.fields.iter().map(|field| &field.refined).zip(values.iter());
                Value::Data(*ctor, all(fields.collect()).into())
            }
            None => value.clone(),
        },
        (_, Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_))
        | (_, Value::Str(_) | Value::Data(..)) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{CallbackId, IntKind, SeqKind};
    use crate::logic::table::table;

    #[test]
    fn the_table_of_a_function_stays_as_it_is() {
        let result = Box::new(Refined::plain(Sort::Int(IntKind::U8)));
        let function = Refined::plain(Sort::Seq(result, SeqKind::Answers(CallbackId(0))));
        let spec = Spec::unrefined("f");
        for value in [table([], None), table([(vec![Value::int(1)], Value::int(2))], Some(Value::int(3)))] {
            assert_eq!(ordered(&value, &function, &spec), value);
        }
    }
}
