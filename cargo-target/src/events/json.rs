//! Entries as JSON, one object a line. Values have the format that serde's derive gives the Rust values.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use target_strategies::corpus::Entry;
use target_strategies::logic::ir::{Ctor, Data, Refined, SeqKind, Sort, Spec};
use target_strategies::logic::value::Value;
use target_strategies::logic::{grammar, notation, rust_code};

/// A line.
#[derive(Serialize)]
struct Line<'a> {
    package: &'a str,
    function: &'a str,
    kind: &'static str,
    args: Vec<Json>,
}

/// The line of an entry, without its end.
pub fn line(package: &str, entry: &Entry, spec: &Spec) -> String {
    let args = entry.args.iter().zip(&spec.params);
    let args = args.map(|(arg, param)| json(arg, &param.refined, spec)).collect();
    let line = Line { package, function: &spec.name, kind: entry.kind.word(), args };
    serde_json::to_string(&line).expect("its keys are strings, and its numbers finite")
}

/// A value.
pub fn json(value: &Value, refined: &Refined, spec: &Spec) -> Json {
    match (&refined.sort, value) {
        (_, Value::Bool(b)) => json!(b),
        (_, Value::Char(c)) => json!(c),
        (_, Value::Str(text)) => json!(&**text),
        // Many readers would round larger numbers.
        (_, Value::Int(n)) => match (n.to_i64(), n.to_u64()) {
            (Some(n), _) => json!(n),
            (None, Some(n)) => json!(n),
            (None, None) => json!(n.to_string()),
        },
        (_, Value::Float(x)) if x.is_finite() => json!(x),
        (_, Value::Float(_)) => json!(notation::print(value, refined, spec)),
        (Sort::Seq(_, SeqKind::Answers(_)), _) => {
            json!(rust_code::expression(value, &Refined::plain(refined.sort.clone()), spec, false))
        }
        (Sort::Map(key, held, _), Value::Seq(pairs)) => map(pairs, key, held, spec),
        (Sort::Tuple(parts), Value::Tuple(_)) if parts.is_empty() => Json::Null,
        (Sort::Data(id), _) if spec.data(*id).rule.is_some() => json!(grammar::text(value, *id, &spec.data)),
        (Sort::Data(id), Value::Data(ctor, fields)) => {
            let data = spec.data(*id);
            match data.ctors.get(*ctor as usize) {
                Some(ctor) => constructed(data, ctor, fields, spec),
                None => Json::Null,
            }
        }
        (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..), _)
        | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _) => {
            refined.sort.parts(value).into_iter().map(|(refined, part)| json(part, refined, spec)).collect()
        }
    }
}

/// An object if serde_json writes the keys as strings, pairs otherwise.
fn map(pairs: &[Value], key: &Refined, held: &Refined, spec: &Spec) -> Json {
    let parts = pairs.iter().filter_map(|pair| {
        let Value::Tuple(parts) = pair else { return None };
        let [key, value] = &**parts else { return None };
        Some((key, json(value, held, spec)))
    });
    match key.sort {
        Sort::Str(_) | Sort::Char | Sort::Int(_) | Sort::Bool => {
            let text = |key: &Value| match key {
                Value::Str(text) => text.to_string(),
                Value::Char(c) => c.to_string(),
                Value::Int(n) => n.to_string(),
                other @ (Value::Bool(_)
                | Value::Float(_)
                | Value::Seq(_)
                | Value::Tuple(_)
                | Value::Data(..)) => notation::print(other, &Refined::plain(Sort::Bool), spec),
            };
            Json::Object(parts.map(|(key, held)| (text(key), held)).collect())
        }
        Sort::Float(_)
        | Sort::Seq(..)
        | Sort::Set(..)
        | Sort::Map(..)
        | Sort::Tuple(_)
        | Sort::Data(_)
        | Sort::Opaque(_) => parts.map(|(of, held)| Json::Array(vec![json(of, key, spec), held])).collect(),
    }
}

fn constructed(data: &Data, ctor: &Ctor, values: &[Value], spec: &Spec) -> Json {
    let name = ctor.rust_path.rsplit("::").next().unwrap_or_default();
    let parts: Vec<Json> =
        ctor.fields.iter().zip(values).map(|(field, value)| json(value, &field.refined, spec)).collect();
    let content = match (ctor.named || data.via.is_some(), parts.len()) {
        (true, _) => {
            let names = ctor.fields.iter().map(|field| field.name.trim_start_matches("r#").to_owned());
            Json::Object(names.zip(parts).collect())
        }
        (false, 0) => Json::Null,
        (false, 1) => parts.into_iter().next().unwrap_or_default(),
        (false, _) => Json::Array(parts),
    };
    let of_type = data.rust_type.split('<').next().unwrap_or_default();
    match name {
        // Structs and options have no tag.
        "Some" | "None" if of_type == "Option" => content,
        _ if ctor.rust_path == of_type || data.via.is_some() => content,
        _ if content.is_null() && values.is_empty() => json!(name),
        _ => Json::Object(Map::from_iter([(name.to_owned(), content)])),
    }
}
