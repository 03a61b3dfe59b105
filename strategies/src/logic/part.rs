//! The parts of an argument tuple, with their positions and types.

use super::ir::{Refined, Sort, Spec, Term};
use super::value::Value;

/// A position in an argument tuple: the index of the argument, then of the part, and so on.
pub type Path = Vec<usize>;

/// The position of what a term is; `None` if it is computed, or in a variant other than the first.
pub fn path_of(term: &Term) -> Option<Path> {
    if let Term::Var(slot) = term {
        return Some(vec![*slot as usize]);
    }
    let (Term::Field { of, ctor: 0, index } | Term::Project(of, index)) = term else { return None };
    let mut path = path_of(of)?;
    path.push(*index as usize);
    Some(path)
}

/// A part of an argument tuple.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// Its position.
    pub path: Path,
    /// Its type.
    pub refined: &'a Refined,
    /// Its value.
    pub value: &'a Value,
}

/// All parts of an argument tuple, outermost first: all but scalars, or, with scalars, those that Rust sees.
pub fn parts<'a>(spec: &'a Spec, args: &'a [Value], with_scalars: bool) -> Vec<Part<'a>> {
    let params = spec.params.iter().zip(args).enumerate();
    let mut found: Vec<Part> =
        params.map(|(i, (param, value))| Part { path: vec![i], refined: &param.refined, value }).collect();
    let mut at = 0;
    while at < found.len() {
        let mut inner = Vec::new();
        let part = &found[at];
        let mut push = |inside: &[usize], refined: &'a Refined, value: &'a Value| {
            if with_scalars
                || !matches!(value, Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_))
            {
                inner.push(Part { path: [&part.path, inside].concat(), refined, value });
            }
        };
        match (&part.refined.sort, part.value) {
            (Sort::Seq(element, _) | Sort::Set(element, _), Value::Seq(values)) => {
                values.iter().enumerate().for_each(|(i, value)| push(&[i], element, value));
            }
            (Sort::Map(..), Value::Seq(_)) => {
                let parts = part.refined.sort.parts(part.value).into_iter().enumerate();
                parts.for_each(|(i, (refined, value))| push(&[i / 2, i % 2], refined, value));
            }
            (Sort::Tuple(sorts), Value::Tuple(values)) => {
                sorts
                    .iter()
                    .zip(values.iter())
                    .enumerate()
                    .for_each(|(i, (sort, value))| push(&[i], sort, value));
            }
            // To Rust, a derivation is one text.
            (Sort::Data(id), _) if with_scalars && spec.data(*id).rule.is_some() => {}
            (Sort::Data(id), Value::Data(ctor, values)) => {
                let fields = spec.data(*id).ctors.get(*ctor as usize).map_or(&[][..], |ctor| &ctor.fields);
                let fields = fields.iter().zip(values.iter()).enumerate();
                fields.for_each(|(i, (field, value))| push(&[i], &field.refined, value));
            }
            (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..), _)
            | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _) => {}
        }
        found.extend(inner);
        at += 1;
    }
    found
}

/// Replaces the part at a path.
pub fn replaced(args: &[Value], path: &[usize], value: Value) -> Vec<Value> {
    let Some((first, rest)) = path.split_first() else { return args.to_vec() };
    let mut args = args.to_vec();
    if let Some(arg) = args.get_mut(*first) {
        *arg = match &*arg {
            _ if rest.is_empty() => value,
            Value::Seq(parts) => Value::Seq(replaced(parts, rest, value).into()),
            Value::Tuple(parts) => Value::Tuple(replaced(parts, rest, value).into()),
            Value::Data(ctor, parts) => Value::Data(*ctor, replaced(parts, rest, value).into()),
            other @ (Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_)) => {
                other.clone()
            }
        };
    }
    args
}
