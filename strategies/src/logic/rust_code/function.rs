//! Prints functions as closures: `|x| match x { 0 => 3, _ => 1 }`.

mod taking;

use super::{Printer, scalar};
use crate::logic::ir::{Callback, CallbackId, CallbackKind, FloatKind, Pointer, Refined, Sort, StrKind};
use crate::logic::table::Table;
use crate::logic::value::Value;

/// Maximum number of calls whose results are shown.
const MOST_CALLS: u64 = 1000;

impl Printer<'_> {
    /// The closure of a function that was run. Before, only a constant one has Rust code; of any other one, the results are
    /// shown in the order of new arguments.
    pub(super) fn function(&self, value: &Value, id: CallbackId, result: &Refined) -> String {
        let callback = self.spec.callback(id);
        if callback.steps.is_some() {
            return self.taking(value, callback, result);
        }
        let code = |value: &Value| self.behind(&result.pointers, value, result);
        let ignored = || vec!["_"; callback.params.len()].join(", ");
        let Some(table) = Table::of(value) else {
            let Value::Seq(answers) = value else { return scalar(value) };
            return match &**answers {
                [] => format!("|{}| unreachable!()", ignored()),
                [answer] => format!("|{}| {}", ignored(), code(answer)),
                answers => {
                    let answers: Vec<String> = answers.iter().map(code).collect();
                    format!(
                        "|{}| todo!(\"{}, in this order\")",
                        ignored(),
                        answers.join(", ").escape_default()
                    )
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
            // The calls are numbered from 1, and those with the default are left out.
            let result = |number: u64| {
                let key = [Value::int(number)];
                let found = entries.iter().find(|(known, _)| **known == key);
                found.map_or(&default, |(_, result)| result).clone()
            };
            let number = |key: &[Value]| match key.first() {
                Some(Value::Int(number)) => number.to_u64(),
                _ => None,
            };
            let last = entries.iter().filter_map(|(key, _)| number(key)).max();
            let n_calls = last.unwrap_or(0).min(MOST_CALLS);
            let results: Vec<String> = (1..=n_calls).map(result).collect();
            let rest = match table.default() {
                Some(_) => format!("unwrap_or({default})"),
                None => "unwrap()".to_owned(),
            };
            return format!(
                "{{ let mut results = vec![{}].into_iter(); move |{}| results.next().{rest} }}",
                results.join(", "),
                ignored()
            );
        }
        self.of_arguments(callback, &entries, &default)
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
            let matched = names.iter().zip(&params).map(|(name, refined)| {
                if refined.sort == Sort::Str(StrKind::String) {
                    format!("{name}.as_str()")
                } else if is_str(refined) {
                    name.clone()
                } else {
                    format!("{}{name}", "*".repeat(refined.pointers.len()))
                }
            });
            let arm = |(args, result): &(&[Value], String)| {
                let patterns = args.iter().zip(&params).map(|(arg, refined)| self.pattern(arg, refined));
                format!("{} => {result}, ", list(patterns.collect()))
            };
            let arms: String = entries.iter().map(arm).collect();
            return format!(
                "|{}| match {} {{ {arms}_ => {default} }}",
                names.join(", "),
                list(matched.collect())
            );
        }
        let is_entry = |args: &[Value]| {
            let equal = names.iter().zip(&params).zip(args).map(|((name, refined), arg)| {
                let (value, stars) = (self.owned(arg, refined), "*".repeat(refined.pointers.len()));
                // `0.0 == -0.0`, and `NaN` equals nothing.
                if matches!(refined.sort, Sort::Float(_)) {
                    let of = if refined.sort == Sort::Float(FloatKind::F32) { "f32" } else { "f64" };
                    format!("{of}::to_bits({stars}{name}) == {of}::to_bits({value})")
                } else {
                    // In a condition, a struct has to be in parentheses.
                    let is_struct = value.ends_with('}');
                    let value = if is_struct { format!("({value})") } else { value };
                    format!("{stars}{name} == {value}")
                }
            });
            equal.collect::<Vec<_>>().join(" && ")
        };
        let branch =
            |(args, result): &(&[Value], String)| format!("if {} {{ {result} }} else ", is_entry(args));
        let branches: String = entries.iter().map(branch).collect();
        format!("|{}| {branches}{{ {default} }}", names.join(", "))
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

fn is_str(refined: &Refined) -> bool {
    refined.sort == Sort::Str(StrKind::Str) && refined.pointers == [Pointer::Ref]
}
