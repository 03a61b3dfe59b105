//! Calls the judge on constants and on single scalars.

use crate::logic::eval::{Judge, Judgement};
use crate::logic::ir::Term;
use crate::logic::value::Value;

/// The value of a closed term; `None` if it is undefined or can't be evaluated here.
pub fn constant(term: &Term) -> Option<Value> {
    Judge::new(None).value(term).ok()
}

/// Whether a value in the slot `own` passes a test that reads nothing else. A test that can't be evaluated here
/// admits it.
pub fn admits(test: &Term, own: u32, value: &Value) -> bool {
    let mut judge = Judge::new(None);
    judge.set(own, value.clone());
    judge.condition(test) != Judgement::Broken
}
