//! Texts that a subject returns or passes, as derivations of a grammar's rule.
//!
//! The generated glue knows a rule by its number only; the rules are those of the spec that is being run.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::logic::grammar::Rules;
use crate::logic::ir::{DataId, Spec};
use crate::logic::value::Value;

thread_local! {
    static SPEC: RefCell<Option<Arc<Spec>>> = const { RefCell::new(None) };
    /// The length of a text that was too large to be read.
    static TOO_LARGE: Cell<Option<usize>> = const { Cell::new(None) };
}

/// From now on, texts are read by the grammar of this spec.
pub fn read_by(spec: &Arc<Spec>) {
    SPEC.with(|current| *current.borrow_mut() = Some(spec.clone()));
}

/// The derivation of a text by a rule. A text without one stays a string, which is no value of the rule.
pub fn derivation(rule: u32, text: &str) -> Value {
    let spec = SPEC.with(|current| current.borrow().clone());
    let value = spec.map_or_else(|| Value::str(text), |spec| Rules::of(&spec).value(DataId(rule), text));
    if value.is_unread() {
        TOO_LARGE.with(|length| length.set(Some(text.len())));
    }
    value
}

/// What to say of a text of the last case that was too large to be read: whether it has a derivation is not known.
pub(super) fn take_too_large() -> Option<String> {
    let length = TOO_LARGE.with(Cell::take)?;
    Some(format!(
        "the function returned a text of {length} bytes, which is too large or nests too deeply to be read by its grammar; \
         give the result another type"
    ))
}
