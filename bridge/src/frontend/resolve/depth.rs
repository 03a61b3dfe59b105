//! How deep the inputs of a function may be.
//!
//! A set of different inputs may have long strings and lists, since it has few of them. Other spaces of that depth could not be counted,
//! and values that nest so deeply not be built.

use target_strategies::logic::ir::Spec;

use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::manifest::{DEEPEST, Settings};

/// The mistake of a depth that is only for the lengths of a set.
pub fn mistake(spec: &Spec, has_different: bool, settings: &Settings, span: Span) -> Option<Diagnostic> {
    let nests = spec.data.iter().flat_map(|data| &data.ctors).any(|ctor| ctor.recursive);
    if settings.depth <= DEEPEST || has_different && !nests && spec.callbacks.is_empty() {
        return None;
    }
    let message = format!("`depth` is {}, and at most {DEEPEST} here", settings.depth);
    let help =
        "a greater one is for a function with `different` whose inputs are neither recursive nor functions";
    Some(Diagnostic::error(span, message).help(help))
}
