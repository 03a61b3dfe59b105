//! Runs the Rust code of a written file: `where` conditions, and functions that build values and may reject them.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::child::serve::{Arena, is_rejection};
use crate::logic::eval::{Admission, Host, Judge};
use crate::logic::ir::Spec;
use crate::logic::value::Value;

/// A `where` condition, called with the values that it mentions.
pub type Condition = for<'a> fn(&'a [Value], &'a Arena) -> bool;

/// The result of glue code; `None` if a value couldn't be built. Other panics are the user's, and continue.
pub fn unless_rejected<T>(make: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(make)) {
        Ok(made) => Some(made),
        Err(payload) if is_rejection(&*payload) => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// The conditions of a written file.
struct Conditions(&'static [Condition]);

impl Host for Conditions {
    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String> {
        let condition =
            self.0.get(id as usize).ok_or_else(|| format!("there is no condition number {id}"))?;
        Ok(unless_rejected(|| condition(args, &Arena::new())).unwrap_or(false))
    }
}

/// Whether a spec admits arguments, including its `where` conditions; an error if that can't be judged.
pub fn judged(spec: &Spec, args: &[Value], conditions: &'static [Condition]) -> Admission {
    let mut host = Conditions(conditions);
    Judge::new(Some(&mut host)).precondition(spec, args)
}
