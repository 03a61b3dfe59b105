//! Smaller argument tuples to try after a failure, boldest first.
//!
//! Structure shrinks first (elements, subtrees, constructors), then scalars, towards 0, `'a'` and `0.0`. A spec
//! relates its values, so some steps change several at once: a length and its list, equal scalars, scalars at a fixed
//! distance. Every candidate is smaller by [`size`], a well-founded order, so a greedy descent ends. The caller
//! judges whether a candidate is admitted and still fails.

#![warn(clippy::wildcard_enum_match_arm)]

mod others;
mod scalar;
mod structure;

use crate::logic::collection::ordered;
use crate::logic::int::Int;
use crate::logic::ir::Spec;
use crate::logic::value::Value;
pub use others::{Replaceable, replaceable};

/// The size of an argument tuple: of its structure (elements, characters, constructors with fields), then the
/// magnitude of its scalars. Tuples are compared by this pair.
pub fn size(args: &[Value]) -> (u64, Int) {
    let (mut structure, mut magnitude) = (0, Int::ZERO);
    args.iter().for_each(|arg| measure(arg, &mut structure, &mut magnitude));
    (structure, magnitude)
}

fn measure(value: &Value, structure: &mut u64, magnitude: &mut Int) {
    match value {
        Value::Str(text) => {
            for c in text.chars() {
                *structure += 1;
                *magnitude = &*magnitude + &scalar::magnitude(&Value::Char(c));
            }
        }
        Value::Seq(parts) => {
            *structure += parts.len() as u64;
            parts.iter().for_each(|part| measure(part, structure, magnitude));
        }
        Value::Tuple(parts) => parts.iter().for_each(|part| measure(part, structure, magnitude)),
        Value::Data(ctor, fields) => {
            *structure += u64::from(!fields.is_empty());
            *magnitude = &*magnitude + &Int::from(i64::from(*ctor));
            fields.iter().for_each(|field| measure(field, structure, magnitude));
        }
        scalar @ (Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_)) => {
            *magnitude = &*magnitude + &scalar::magnitude(scalar)
        }
    }
}

/// Smaller argument tuples, boldest first, made on demand.
pub fn candidates<'a>(spec: &'a Spec, args: &'a [Value]) -> impl Iterator<Item = Vec<Value>> + 'a {
    let own = size(args);
    let has_collections = spec.has_collections();
    let in_form = move |args: Vec<Value>| {
        if !has_collections {
            return args;
        }
        let params = spec.params.iter().map(|param| &param.refined);
        args.iter().zip(params).map(|(arg, refined)| ordered(arg, refined, spec)).collect()
    };
    structure::candidates(spec, args)
        .chain(scalar::candidates(spec, args))
        .map(in_form)
        .filter(move |args| size(args) < own)
}

#[cfg(test)]
mod tests;
