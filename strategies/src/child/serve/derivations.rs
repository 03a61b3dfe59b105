//! Texts that a subject returns or passes, as derivations of a grammar's rule.
//!
//! The generated glue knows a rule by its number only; the rules are those of the spec that is being run.

use std::cell::RefCell;
use std::sync::Arc;

use crate::logic::grammar::Rules;
use crate::logic::ir::{DataId, Spec};
use crate::logic::value::Value;

thread_local! {
    static SPEC: RefCell<Option<Arc<Spec>>> = const { RefCell::new(None) };
}

/// From now on, texts are read by the grammar of this spec.
pub fn read_by(spec: &Arc<Spec>) {
    SPEC.with(|current| *current.borrow_mut() = Some(spec.clone()));
}

/// The derivation of a text by a rule. A text without one stays a string, which is no value of the rule.
pub fn derivation(rule: u32, text: &str) -> Value {
    let spec = SPEC.with(|current| current.borrow().clone());
    spec.map_or_else(|| Value::str(text), |spec| Rules::of(&spec).value(DataId(rule), text))
}
