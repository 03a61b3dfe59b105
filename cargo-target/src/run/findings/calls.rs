//! A failing input as Rust code: statements that make the arguments, and the call; also as a test to paste.

use target_bridge::frontend::api::{Call, Callee, Passing, Returned, Returns};
use target_bridge::frontend::data::rust_type;
use target_bridge::frontend::manifest::Settings;
use target_bridge::frontend::subject::Subject;
use target_strategies::child::protocol::Failure;
use target_strategies::child::serve::steps::{exact_items, items};
use target_strategies::logic::ir::{Pointer, Refined, Sort, Spec};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;

use crate::events::FindingKind;
use crate::events::describe::limits;

/// What a law means, on a list `all` of values, as statements of a test; those of iterators are [`items`] and [`exact_items`].
const LAWS: [(&str, &[&str]); 7] = [
    (
        "PartialEq",
        &[
            "for x in &all { for y in &all { assert_eq!(x == y, y == x); for z in &all { assert!(!(x == y && y == z) || x == z) } } }",
        ],
    ),
    (
        "PartialOrd",
        &[
            "for x in &all { for y in &all { assert_eq!(x == y, x.partial_cmp(y) == Some(std::cmp::Ordering::Equal)) } }",
            "for x in &all { for y in &all { assert_eq!(x < y, y > x); for z in &all { assert!(!(x < y && y < z) || x < z) } } }",
        ],
    ),
    (
        "Ord",
        &[
            "for x in &all { for y in &all { assert_eq!(x.cmp(y), y.cmp(x).reverse()); assert_eq!(x == y, x.cmp(y).is_eq()) } }",
            "for x in &all { for y in &all { assert_eq!(x.partial_cmp(y), Some(x.cmp(y))) } }",
            "for x in &all { for y in &all { for z in &all { assert!(x.cmp(y).is_gt() || y.cmp(z).is_gt() || x.cmp(z).is_le()) } } }",
        ],
    ),
    (
        "Hash",
        &[
            "let hash = |value| std::hash::BuildHasher::hash_one(&std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default(), value)",
            "for x in &all { for y in &all { assert!(x != y || hash(x) == hash(y)) } }",
        ],
    ),
    ("Clone", &["for x in &all { assert!(x.clone() == *x) }"]),
    (
        "FromStr",
        &[
            "for x in &all { let text = x.to_string(); assert!(text.parse().is_ok_and(|again| *x == again), \"{text}\") }",
        ],
    ),
    (
        "Deserialize",
        &[
            "for x in &all { let text = serde_json::to_string(x).unwrap(); assert!(serde_json::from_str(&text).is_ok_and(|again| *x == again), \"{text}\") }",
        ],
    ),
];

/// The statements that fail, without semicolons; the last is the call.
pub(super) fn calls(
    call: &Call,
    subject: &Subject,
    (args, failure): (&[Value], &Failure),
    is_generic: bool,
) -> Vec<String> {
    let (spec, what) = (&subject.spec, &call.what);
    let referenced = |index: usize| referenced(&spec.params[index].refined);
    let bind = |index: usize, name: &str| {
        rust_code::statements(&args[index], &referenced(index).0, spec, is_generic, name)
    };
    match what {
        Callee::Law { of } => {
            let names = spec.params.iter().enumerate();
            let values = names.flat_map(|(index, param)| {
                let mut statements = bind(index, &param.name);
                let ty = rust_type(&referenced(index).0, &spec.data);
                // A law is about a type, and no function says its arguments.
                if ty.ends_with('>') {
                    with_type(&mut statements, &param.name, &ty);
                }
                statements
            });
            let values: Vec<String> = values.collect();
            law_calls(of, values, spec, failure)
        }
        Callee::Function { path, passing, result: _ } => {
            let (mut calls, mut passed) = (Vec::new(), Vec::new());
            for (index, how) in passing.iter().enumerate() {
                let name = name(index, passing.len());
                let mut statements = bind(index, &name);
                // The type of a list without elements can't be told from the list.
                if is_generic && statements.len() == 1 && !matches!(how, Passing::Closure { .. }) {
                    let ty = rust_type(&referenced(index).0, &spec.data);
                    if let Some(bound) = with_known_type(&statements[0], &name, &ty, *how) {
                        calls.push(bound);
                        passed.push(if referenced(index).1 { format!("&{name}") } else { how.of(&name) });
                        continue;
                    }
                }
                if !how.is_changed() && statements.len() == 1 {
                    let refined = &spec.params[index].refined;
                    let value = rust_code::expression(&args[index], refined, spec, is_generic);
                    let closure =
                        how.returning(&returned(*how, &args[index], (refined, &value), spec, is_generic));
                    passed.push(closure.unwrap_or_else(|| how.of(&value)));
                    continue;
                }
                if how.is_changed() {
                    make_mutable(&mut statements, &name);
                }
                if is_generic {
                    with_type(&mut statements, &name, &rust_type(&referenced(index).0, &spec.data));
                }
                calls.extend(statements);
                passed.push(if referenced(index).1 { format!("&{name}") } else { how.of(&name) });
            }
            let of_type = result_type(what);
            let call = format!("{path}({})", passed.join(", "));
            match &failure.step {
                None => calls.push(call),
                Some(step) => calls.extend(with_step(&of_type, call, step, passing.len())),
            }
            calls
        }
    }
}

/// The type of a variable for a parameter, and whether it is passed by reference: a shared reference is taken where the value is
/// passed.
fn referenced(refined: &Refined) -> (Refined, bool) {
    let mut refined = refined.clone();
    let is_reference = refined.pointers == [Pointer::Ref] && matches!(refined.sort, Sort::Data(_));
    if is_reference {
        refined.pointers.clear();
    }
    (refined, is_reference)
}

/// The name of an argument.
fn name(index: usize, n_args: usize) -> String {
    if n_args == 1 { "value".to_owned() } else { format!("value{}", index + 1) }
}

/// The statement that binds a name, with the type if that is known.
fn with_known_type(statement: &str, name: &str, ty: &str, how: Passing) -> Option<String> {
    let value = statement.strip_prefix(&format!("let {name} = ")).filter(|_| can_be_written(ty))?;
    let mutable = if how.is_changed() { "mut " } else { "" };
    Some(format!("let {mutable}{name}: {ty} = {value}"))
}

/// Makes the variable of this name mutable.
fn make_mutable(statements: &mut [String], name: &str) {
    let start = format!("let {name} = ");
    if let Some(own) = statements.iter_mut().find(|statement| statement.starts_with(&start)) {
        own.replace_range(..4, "let mut ");
    }
}

/// The statements that check a law, after those that make the values `a`, `b` and `c`.
fn law_calls(of: &str, mut calls: Vec<String>, spec: &Spec, failure: &Failure) -> Vec<String> {
    calls.push("let all = [a, b, c]".to_owned());
    if of == "FromStr" && failure.message.contains("does not parse") {
        let ty = rust_type(&spec.params[0].refined, &spec.data);
        calls.push(format!("for x in &all {{ assert!(x.to_string().parse::<{ty}>().is_ok()) }}"));
        return calls;
    }
    if of == "Deserialize" && failure.message.contains("does not parse") {
        let ty = rust_type(&spec.params[0].refined, &spec.data);
        let read = format!("serde_json::from_str::<{ty}>(&text).unwrap()");
        calls.push(format!(
            "for x in &all {{ let text = serde_json::to_string(x).unwrap(); let _ = {read}; }}"
        ));
        return calls;
    }
    if failure.message.starts_with("law of Eq:") {
        calls.push("for x in &all { assert!(x == x) }".to_owned());
        return calls;
    }
    match of {
        "Iterator" => calls.push(format!("for x in all {}", items("x"))),
        "ExactSizeIterator" => calls.push(format!("for x in all {}", exact_items("x"))),
        _ => {}
    }
    calls.extend(
        LAWS.iter()
            .filter(|(law, _)| *law == of)
            .flat_map(|(_, texts)| *texts)
            .map(|text| (*text).to_owned()),
    );
    calls
}

/// The type of a call's result, after a colon, if it has to be written.
fn result_type(what: &Callee) -> String {
    match what {
        Callee::Function { result: Some(ty), .. } => format!(": {ty}"),
        Callee::Function { result: None, .. } | Callee::Law { .. } => String::new(),
    }
}

/// A call and what is done with its result, or with an argument that it changed: `{a0}` in the text.
fn with_step(of_type: &str, call: String, step: &str, n_args: usize) -> [String; 2] {
    let named = |step: String, index| step.replace(&format!("{{a{index}}}"), &name(index, n_args));
    let step = (0..n_args).fold(step.to_owned(), named);
    let is_of_result = step.contains("result");
    [format!("let {}{of_type} = {call}", if is_of_result { "result" } else { "_" }), step]
}

/// What a closure returns whose value is this; `own` is the value's type and text.
fn returned(
    how: Passing,
    value: &Value,
    (refined, own): (&Refined, &str),
    spec: &Spec,
    is_generic: bool,
) -> Returned {
    let Passing::Closure { returns, .. } = how else { return Returned::Constant(own.to_owned()) };
    let inner = match (&refined.sort, value) {
        (Sort::Data(id), Value::Data(ctor, fields)) => {
            let ctor = &spec.data(*id).ctors[*ctor as usize];
            let inner = ctor.fields.first().zip(fields.first());
            let text =
                inner.map(|(field, value)| rust_code::expression(value, &field.refined, spec, is_generic));
            Some((ctor.rust_path.as_str(), text))
        }
        _ => None,
    };
    match (returns, inner, value.clone()) {
        (Returns::Argument(_), Some((_, None)), _) => Returned::Argument,
        (Returns::Above(_), Some(("Err", Some(least))), _) => Returned::Above(least),
        (Returns::Argument(_) | Returns::Above(_), Some((_, Some(value))), _) => Returned::Constant(value),
        (Returns::Order(_), _, Value::Bool(is_reversed)) => Returned::Order(is_reversed),
        (Returns::Constant | Returns::Argument(_) | Returns::Above(_) | Returns::Order(_), _, _) => {
            Returned::Constant(own.to_owned())
        }
    }
}

/// Whether no part of a type is left out.
fn can_be_written(ty: &str) -> bool {
    !ty.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "_")
}

/// Adds the type to the statement that binds a name: the calls after it may not tell it.
fn with_type(statements: &mut [String], name: &str, ty: &str) {
    if can_be_written(ty) {
        statements.iter_mut().for_each(|statement| *statement = rust_code::with_type(statement, name, ty));
    }
}

/// A test of these statements, with the kind of the failure in its name.
pub(super) fn test(call: &Call, calls: &[String], kind: FindingKind, settings: &Settings) -> String {
    let mut name = String::new();
    for c in call.key.chars() {
        let c = if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    let name = name.trim_matches('_');
    let word = kind.name().replace('-', "_");
    // A step after the call is a statement of its own.
    let is_call = |text: &str| matches!(&call.what, Callee::Function { path, .. } if text.starts_with(path));
    let is_law = matches!(call.what, Callee::Law { .. });
    let last = calls.len().saturating_sub(1);
    let line = |(index, text): (usize, &String)| {
        let of_type = if is_call(text) { result_type(&call.what) } else { String::new() };
        let ignored = if index == last && !is_law { format!("let _{of_type} = ") } else { String::new() };
        format!("    {ignored}{text};")
    };
    let name = format!("{name}_{word}");
    let mut lines: Vec<String> = calls.iter().enumerate().map(line).collect();
    if kind == FindingKind::Hang {
        lines = limits::timed(&lines, settings.timeout);
    } else if kind == FindingKind::Memory {
        lines = limits::in_little_memory(&lines, &name, settings.memory);
    } else if matches!(kind, FindingKind::Abort | FindingKind::StackOverflow) {
        lines = limits::in_own_process(&lines, &name);
    }
    format!("#[test]\nfn {name}() {{\n{}\n}}", lines.join("\n"))
}
