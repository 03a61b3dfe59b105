//! Collects the characters that a spec names: those in literals, and those in the text of regular expressions.

#![allow(clippy::wildcard_enum_match_arm, reason = "few terms name characters")]

use std::collections::BTreeSet;

use crate::logic::ir::{Spec, Term, visit};
use crate::logic::value::Value;

/// The characters that a spec names anywhere, also where it speaks of the result: what a function gives back depends
/// on the same characters of its input.
pub fn named_chars(spec: &Spec) -> BTreeSet<char> {
    let mut chars: BTreeSet<char> = spec.regexes.iter().flat_map(|regex| &regex.named).copied().collect();
    spec.literals.iter().for_each(|literal| collect_chars(literal, &mut chars));
    let clauses = spec.clauses().into_iter().map(|clause| &clause.term);
    for term in clauses.chain(spec.functions.iter().map(|function| &function.body)) {
        visit(term, &mut |term| {
            if let Term::Lit(value) = term {
                collect_chars(value, &mut chars);
            }
        });
    }
    chars
}

fn collect_chars(value: &Value, chars: &mut BTreeSet<char>) {
    match value {
        Value::Char(c) => {
            chars.insert(*c);
        }
        Value::Str(text) => chars.extend(text.chars()),
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
            parts.iter().for_each(|part| collect_chars(part, chars));
        }
        _ => {}
    }
}
