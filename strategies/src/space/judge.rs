//! The judge, asked about constants and about single scalars.

use crate::ir::Term;
use crate::value::Value;

/// The value of a closed term; `None` if it is undefined or can't be evaluated here.
pub fn constant(_term: &Term) -> Option<Value> {
    None
}

/// Whether a value in the slot `own` passes a test that reads nothing else. A test that can't be evaluated here admits it.
pub fn admits(_test: &Term, _own: u32, _value: &Value) -> bool {
    true
}
