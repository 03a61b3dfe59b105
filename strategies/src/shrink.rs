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

/// The size of an argument tuple. Sizes are compared by their fields in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// Number of elements, characters, and constructors with fields.
    pub structure: u64,
    /// Number of bits of the magnitudes of scalars beyond [`FEW_BITS`] each: one huge number is simpler than two large ones.
    pub excess: u64,
    /// Sum of the magnitudes of scalars.
    pub magnitude: Int,
    /// Number of bits of the magnitudes of scalars: of two numbers with one sum, one may as well be 0.
    pub bits: u64,
}

/// Number of bits of a small magnitude.
const FEW_BITS: u64 = 8;

/// The size of an argument tuple.
pub fn size(args: &[Value]) -> Size {
    let mut size = Size { structure: 0, excess: 0, magnitude: Int::ZERO, bits: 0 };
    args.iter().for_each(|arg| size.add(arg));
    size
}

impl Size {
    fn add(&mut self, value: &Value) {
        match value {
            Value::Str(text) => {
                for c in text.chars() {
                    self.structure += 1;
                    self.add_magnitude(&scalar::magnitude(&Value::Char(c)));
                }
            }
            Value::Seq(parts) => {
                self.structure += parts.len() as u64;
                parts.iter().for_each(|part| self.add(part));
            }
            Value::Tuple(parts) => parts.iter().for_each(|part| self.add(part)),
            Value::Data(ctor, fields) => {
                self.structure += u64::from(!fields.is_empty());
                self.add_magnitude(&Int::from(i64::from(*ctor)));
                fields.iter().for_each(|field| self.add(field));
            }
            scalar @ (Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_)) => {
                self.add_magnitude(&scalar::magnitude(scalar));
            }
        }
    }

    fn add_magnitude(&mut self, magnitude: &Int) {
        self.excess += magnitude.bits().saturating_sub(FEW_BITS);
        self.bits += magnitude.bits();
        self.magnitude = &self.magnitude + magnitude;
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
