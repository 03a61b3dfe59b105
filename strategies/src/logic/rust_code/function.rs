//! Prints functions as closures: `|x| match x { 0 => 3, _ => 1 }`.

mod taking;

use std::collections::BTreeMap;

use super::{Printer, scalar};
use crate::logic::ir::{Callback, CallbackId, CallbackKind, FloatKind, Pointer, Refined, Sort, StrKind};
use crate::logic::table::Table;
use crate::logic::value::Value;

/// Maximum number of calls whose results are written, and of those in a report. A comment says that there are more.
const MOST_CALLS: usize = 1000;
const MOST_REPORTED: usize = 64;

/// The number of the last call whose result is looked for.
const LAST_CALL: u64 = 1_000_000;

impl Printer<'_> {
    /// The closure of a function; in a test, a pointer inside of another value is told to be one.
    pub(super) fn passed(&self, value: &Value, of: &Refined, (id, result): (CallbackId, &Refined)) -> String {
        let closure = self.function(value, id, result);
        let callback = self.spec.callback(id);
        // An argument of its own is converted without that.
        let is_inside = self.level > 1 || !of.pointers.is_empty();
        if !(self.has_items && callback.is_pointer && is_inside) {
            return closure;
        }
        let cast = format!("({closure}) as {}", callback.pointer_type());
        if of.pointers.is_empty() { cast } else { format!("({cast})") }
    }

    /// The closure of a function that was run. Before, only a constant one has Rust code; of any other one, the results are
    /// shown in the order of new arguments.
    fn function(&self, value: &Value, id: CallbackId, result: &Refined) -> String {
        let callback = self.spec.callback(id);
        if callback.steps.is_some() {
            return self.taking(value, callback, result);
        }
        let printer = self.of_result();
        let code = |value: &Value| printer.behind(&result.pointers, value, result);
        let ignored = || vec!["_"; callback.params.len()].join(", ");
        let Some(table) = Table::of(value) else {
            let Value::Seq(answers) = value else { return scalar(value) };
            return match &**answers {
                [] => format!("|{}| unreachable!()", ignored()),
                [answer] => format!("|{}| {}", ignored(), code(answer)),
                [first @ .., last] if callback.kind == CallbackKind::Stateful => {
                    let first = first.iter().map(code).collect();
                    self.in_order(first, &ignored(), &format!("unwrap_or({})", code(last)))
                }
                answers => {
                    let answers: Vec<String> = answers.iter().map(code).collect();
                    format!("|{}| unreachable!({:?})", ignored(), by_arguments(&answers))
                }
            };
        };
        let default = table.default().map_or_else(|| "unreachable!()".to_owned(), code);
        let entries: Vec<(&[Value], String)> =
            table.entries().map(|(args, result)| (args, code(result))).collect();
        if entries.is_empty() {
            return format!("|{}| {default}", ignored());
        }
        if callback.kind == CallbackKind::Stateful {
            let results = calls(&table).into_iter();
            let results = results.map(|result| result.map_or_else(|| default.clone(), code)).collect();
            let rest = match table.default() {
                Some(_) => format!("unwrap_or({default})"),
                None => "unwrap()".to_owned(),
            };
            return self.in_order(results, &ignored(), &rest);
        }
        self.of_arguments(callback, &entries, &default)
    }

    /// The result of a function that depends on the number of the call, as an expression of that number.
    pub(super) fn by_number(&self, value: &Value, result: &Refined, number: &str) -> String {
        let printer = self.of_result();
        let code = |value: &Value| printer.behind(&result.pointers, value, result);
        let (results, default) = match (Table::of(value), value) {
            (Some(table), _) => {
                let default = table.default().cloned();
                (calls(&table).into_iter().map(|result| result.cloned()).collect(), default)
            }
            (None, Value::Seq(answers)) => match &**answers {
                [first @ .., last] => (first.iter().cloned().map(Some).collect(), Some(last.clone())),
                [] => (Vec::new(), None),
            },
            _ => (Vec::new(), None),
        };
        let default = default.as_ref().map_or_else(|| "unreachable!()".to_owned(), code);
        let arms = (1..).zip(&results).filter_map(|(number, result): (u64, &Option<Value>)| {
            Some(format!("{number} => {}, ", code(result.as_ref()?)))
        });
        let mut arms: Vec<String> = arms.collect();
        let cut = self.cut(&mut arms);
        let arms = arms.concat();
        if arms.is_empty() { default } else { format!("match {number} {{ {arms}{cut}_ => {default} }}") }
    }

    /// A closure whose result depends on its arguments.
    fn of_arguments(&self, callback: &Callback, entries: &[(&[Value], String)], default: &str) -> String {
        let names = callback.names();
        let params: Vec<&Refined> = callback.params.iter().map(|param| &param.refined).collect();
        let has_patterns = |(args, _): &(&[Value], String)| {
            args.iter().zip(&params).all(|(arg, refined)| self.has_pattern(arg, refined, true))
        };
        let list = |texts: Vec<String>| match texts.as_slice() {
            [one] => one.clone(),
            more => format!("({})", more.join(", ")),
        };
        if entries.iter().all(has_patterns) {
            let matched = names.iter().zip(&params).map(|(name, refined)| matched(name, refined));
            let arm = |(args, result): &(&[Value], String)| {
                let patterns = args.iter().zip(&params).map(|(arg, refined)| self.pattern(arg, refined));
                format!("{} => {result}, ", list(patterns.collect()))
            };
            let mut arms: Vec<String> = entries.iter().map(arm).collect();
            let cut = self.cut(&mut arms);
            let arms = arms.concat();
            return format!(
                "|{}| match {} {{ {arms}{cut}_ => {default} }}",
                names.join(", "),
                list(matched.collect())
            );
        }
        let is_entry = |args: &[Value]| {
            let equal = names.iter().zip(&params).zip(args);
            let equal = equal.map(|((name, refined), arg)| self.is_equal(name, arg, refined));
            equal.collect::<Vec<_>>().join(" && ")
        };
        let branch =
            |(args, result): &(&[Value], String)| format!("if {} {{ {result} }} else ", is_entry(args));
        let mut branches: Vec<String> = entries.iter().map(branch).collect();
        let cut = self.cut(&mut branches);
        format!("|{}| {}{cut}{{ {default} }}", names.join(", "), branches.concat())
    }

    /// Leaves out the calls that are too many, and returns a comment that says so.
    pub(super) fn cut(&self, calls: &mut Vec<String>) -> String {
        let most = if self.is_report() { MOST_REPORTED } else { MOST_CALLS };
        let n_more = calls.len().saturating_sub(most);
        calls.truncate(most);
        if n_more == 0 { String::new() } else { format!("/* and {n_more} more */ ") }
    }

    /// A closure with its results in order.
    fn in_order(&self, mut results: Vec<String>, params: &str, rest: &str) -> String {
        let cut = self.cut(&mut results);
        let comma = if cut.is_empty() { "" } else { ", " };
        format!(
            "{{ let mut results = vec![{}{comma}{}].into_iter(); move |{params}| results.next().{rest} }}",
            results.join(", "),
            cut.trim_end()
        )
    }

    /// The condition that a variable has a value.
    fn is_equal(&self, name: &str, value: &Value, refined: &Refined) -> String {
        let (value, stars) = (self.owned(value, refined), "*".repeat(refined.pointers.len()));
        // `0.0 == -0.0`, and `NaN` equals nothing.
        if matches!(refined.sort, Sort::Float(_)) {
            let of = if refined.sort == Sort::Float(FloatKind::F32) { "f32" } else { "f64" };
            return format!("{of}::to_bits({stars}{name}) == {of}::to_bits({value})");
        }
        // In a condition, a struct has to be in parentheses.
        let value = if value.ends_with('}') { format!("({value})") } else { value };
        format!("{stars}{name} == {value}")
    }

    /// Whether a value can be written as a pattern that matches it and all that the logic sees as the same.
    fn has_pattern(&self, value: &Value, refined: &Refined, is_outermost: bool) -> bool {
        match (&refined.sort, value) {
            (Sort::Bool | Sort::Char | Sort::Int(_), _) => is_outermost || refined.pointers.is_empty(),
            (Sort::Str(_), _) => is_outermost && refined.pointers.len() <= 1,
            (Sort::Tuple(parts), Value::Tuple(values)) => {
                refined.pointers.is_empty()
                    && values.iter().zip(parts).all(|(value, part)| self.has_pattern(value, part, false))
            }
            (Sort::Data(id), Value::Data(ctor, values)) => {
                let data = self.spec.data(*id);
                let Some(ctor) = data.ctors.get(*ctor as usize).filter(|_| data.via.is_none()) else {
                    return false;
                };
                let fields = values.iter().zip(&ctor.fields);
                (is_outermost || refined.pointers.is_empty()) && { fields }
                    .all(|(value, field)| self.has_pattern(value, &field.refined, false))
            }
            _ => false,
        }
    }

    fn pattern(&self, value: &Value, refined: &Refined) -> String {
        match (&refined.sort, value) {
            (Sort::Str(_), _) => scalar(value),
            (Sort::Tuple(parts), Value::Tuple(values)) => {
                let parts: Vec<String> =
                    values.iter().zip(parts).map(|(value, part)| self.pattern(value, part)).collect();
                match parts.as_slice() {
                    [one] => format!("({one},)"),
                    more => format!("({})", more.join(", ")),
                }
            }
            (_, Value::Data(..)) => self.owned(value, refined),
            _ => scalar(value),
        }
    }
}

/// An expression of a type as a `match` with patterns of its values takes it.
fn matched(of: &str, refined: &Refined) -> String {
    match (&refined.sort, refined.pointers.as_slice()) {
        (Sort::Str(StrKind::String), _) => format!("{of}.as_str()"),
        (Sort::Str(StrKind::Str), [Pointer::Ref]) => of.to_owned(),
        (Sort::Str(StrKind::Str), pointers) => format!("&{}{of}", "*".repeat(pointers.len())),
        (_, pointers) => format!("{}{of}", "*".repeat(pointers.len())),
    }
}

/// The results by the number of the call, from 1 on; `None` for one with the default.
fn calls<'v>(table: &Table<'v>) -> Vec<Option<&'v Value>> {
    let number = |key: &[Value]| match key.first() {
        Some(Value::Int(number)) => number.to_u64(),
        _ => None,
    };
    let entries = table.entries().filter_map(|(key, result)| Some((number(key)?, result)));
    let entries: BTreeMap<u64, &Value> = entries.collect();
    // An input as it is written may have any numbers.
    let last = entries.keys().next_back().copied().unwrap_or(0).min(LAST_CALL);
    (1..=last).map(|number| entries.get(&number).copied()).collect()
}

/// What is known of a function that was not run: it has no Rust code before its arguments are known.
fn by_arguments(answers: &[String]) -> String {
    format!("by new arguments: {}", answers.join(", "))
}

#[cfg(test)]
mod tests {
    use crate::logic::ir::{
        Callback, CallbackId, CallbackKind, CallbackParam, IntKind, Refined, SeqKind, Sort, Spec,
    };
    use crate::logic::rust_code::{expression, in_test, readable};
    use crate::logic::table::table;
    use crate::logic::value::Value;

    #[test]
    fn a_report_says_that_a_function_has_more_calls_than_it_shows() {
        let int = || Refined::plain(Sort::Int(IntKind::I64));
        let mut spec = Spec::unrefined("f");
        for kind in [CallbackKind::Pure, CallbackKind::Stateful] {
            spec.callbacks.push(Callback {
                kind,
                params: vec![CallbackParam { name: "x".to_owned(), slot: 9, refined: int() }],
                requires: Vec::new(),
                ensures: Vec::new(),
                is_pointer: false,
                steps: None,
            });
        }
        let entries = |n: i64| (1..=n).map(|x| (vec![Value::int(x)], Value::int(x)));
        for id in [0, 1] {
            let of = Refined::plain(Sort::Seq(Box::new(int()), SeqKind::Answers(CallbackId(id))));
            let many = table(entries(70), Some(Value::int(0)));
            let report = readable(&many, &of, &spec, false);
            assert!(report.contains("64, /* and 6 more */") && !report.contains("65"), "{report}");
            for whole in [expression(&many, &of, &spec, false), in_test(&many, &of, &spec, false)] {
                assert!(whole.contains("70") && !whole.contains("more"), "{whole}");
            }
            let few = table(entries(64), Some(Value::int(0)));
            assert!(!readable(&few, &of, &spec, false).contains("more"));
        }
    }
}
