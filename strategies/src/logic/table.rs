//! Functions among the arguments, as values.
//!
//! Before a run a function is a sequence of results, in the order of new arguments; see [`crate::logic::ir::Callback`].
//! After a run it is a table: what it returned for the arguments that it met, and a result for all others. The two forms
//! have the same sort. A table is a tuple of a sequence of entries and of a sequence with at most one default; an entry
//! is a tuple of the arguments, as a tuple, and of the result.

use std::sync::Arc;

use crate::logic::ir::{CallbackId, CallbackKind, Refined, SeqKind, Sort, Spec};
use crate::logic::value::Value;

/// The table of a function.
#[derive(Clone, Copy, Debug)]
pub struct Table<'v> {
    entries: &'v [Value],
    default: &'v [Value],
}

impl<'v> Table<'v> {
    /// The table in a value; `None` if the value is a sequence of results.
    pub fn of(value: &'v Value) -> Option<Table<'v>> {
        let Value::Tuple(parts) = value else { return None };
        let [Value::Seq(entries), Value::Seq(default)] = &**parts else { return None };
        Some(Table { entries, default })
    }

    /// The entries: the arguments, and the result.
    pub fn entries(self) -> impl Iterator<Item = (&'v [Value], &'v Value)> {
        self.entries.iter().filter_map(|entry| {
            let Value::Tuple(parts) = entry else { return None };
            let [Value::Tuple(args), result] = &**parts else { return None };
            Some((&**args, result))
        })
    }

    /// The result for all other arguments, if there is one.
    pub fn default(self) -> Option<&'v Value> {
        self.default.first()
    }

    /// The result for some arguments, unless neither an entry nor a default says it.
    pub fn result(self, args: &[Value]) -> Option<&'v Value> {
        self.entries().find(|(known, _)| *known == args).map(|(_, result)| result).or(self.default())
    }
}

/// The value of a table.
pub fn table(entries: impl IntoIterator<Item = (Vec<Value>, Value)>, default: Option<Value>) -> Value {
    let entry =
        |(args, result): (Vec<Value>, Value)| Value::Tuple([Value::Tuple(args.into()), result].into());
    let entries: Vec<Value> = entries.into_iter().map(entry).collect();
    let default: Vec<Value> = default.into_iter().collect();
    Value::Tuple([Value::seq(entries), Value::seq(default)].into())
}

/// The arguments with each table as the sequence of its results, for changes after which a function may meet other
/// arguments.
pub fn as_answers(args: &[Value], spec: &Spec) -> Vec<Value> {
    args.iter().zip(&spec.params).map(|(value, param)| answers(value, &param.refined, spec)).collect()
}

fn answers(value: &Value, refined: &Refined, spec: &Spec) -> Value {
    match (&refined.sort, value) {
        (Sort::Seq(result, SeqKind::Answers(_)), _) => match Table::of(value) {
            Some(table) => {
                let results = table.entries().map(|(_, result)| result).chain(table.default());
                let mut results: Vec<Value> = results.map(|value| answers(value, result, spec)).collect();
                while results.len() > 1 && results[results.len() - 1] == results[results.len() - 2] {
                    results.pop();
                }
                Value::seq(results)
            }
            None => value.clone(),
        },
        (Sort::Seq(element, _), Value::Seq(values)) => {
            Value::Seq(values.iter().map(|value| answers(value, element, spec)).collect())
        }
        (Sort::Tuple(parts), Value::Tuple(values)) => {
            Value::Tuple(values.iter().zip(parts).map(|(value, part)| answers(value, part, spec)).collect())
        }
        (Sort::Data(id), Value::Data(ctor, values)) => {
            let fields = spec.data(*id).ctors.get(*ctor as usize).map_or(&[][..], |ctor| &ctor.fields);
            let values = values.iter().zip(fields);
            Value::Data(*ctor, values.map(|(value, field)| answers(value, &field.refined, spec)).collect())
        }
        _ => value.clone(),
    }
}

/// A value whose parts have a place in memory of their own, by which functions are told apart. Otherwise equal parts of
/// values may be shared.
pub fn unshared(value: &Value) -> Value {
    let all = |parts: &[Value]| parts.iter().map(unshared).collect();
    match value {
        Value::Seq(parts) => Value::Seq(all(parts)),
        Value::Tuple(parts) => Value::Tuple(all(parts)),
        Value::Data(ctor, fields) => Value::Data(*ctor, all(fields)),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => value.clone(),
    }
}

/// Calls `tell` with each function in a value, and its type. Functions that these return are not among them.
pub fn each_function<'s>(
    value: &Value,
    refined: &'s Refined,
    spec: &'s Spec,
    tell: &mut dyn FnMut(&Value, &'s Refined, CallbackId),
) {
    match (&refined.sort, value) {
        (Sort::Seq(_, SeqKind::Answers(id)), _) => tell(value, refined, *id),
        (Sort::Data(id), Value::Data(ctor, values)) => {
            let fields = spec.data(*id).ctors.get(*ctor as usize).map_or(&[][..], |ctor| &ctor.fields);
            values
                .iter()
                .zip(fields)
                .for_each(|(value, field)| each_function(value, &field.refined, spec, tell));
        }
        _ => {
            let parts = refined.sort.parts(value);
            parts.into_iter().for_each(|(part, value)| each_function(value, part, spec, tell));
        }
    }
}

/// The key of a call in a table: the arguments, or for a function with a state the number of the call, from 1.
pub fn key(kind: CallbackKind, args: &[Value], n_call: usize) -> Arc<[Value]> {
    match kind {
        CallbackKind::Pure | CallbackKind::Once => Arc::from(args),
        CallbackKind::Stateful => Arc::from([Value::int(n_call as u64)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_finds_entries_before_the_default() {
        let int = |n: i64| Value::int(n);
        let value = table([(vec![int(0)], int(3))], Some(int(1)));
        let table = Table::of(&value).expect("it is a table");
        assert_eq!((table.result(&[int(0)]), table.result(&[int(7)])), (Some(&int(3)), Some(&int(1))));
        assert!(Table::of(&Value::seq([int(3), int(1)])).is_none());
    }
}
