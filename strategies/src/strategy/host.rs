//! Runs the Rust code of a written file: `where` conditions, and functions that build values and may refuse to.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::Condition;
use crate::eval::{Admission, Host, Judge};
use crate::ir::Spec;
use crate::serve::{Arena, is_refusal};
use crate::value::Value;

/// What a function of the glue gives, unless a value couldn't be built. Other panics go on: they are the user's.
pub fn unless_refused<T>(make: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(make)) {
        Ok(made) => Some(made),
        Err(payload) if is_refusal(&*payload) => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// The conditions of a written file.
struct Conditions(&'static [Condition]);

impl Host for Conditions {
    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String> {
        let condition =
            self.0.get(id as usize).ok_or_else(|| format!("there is no condition number {id}"))?;
        Ok(unless_refused(|| condition(args, &Arena::new())).unwrap_or(false))
    }
}

/// Whether a spec admits arguments, its `where` conditions included.
pub fn admits(spec: &Spec, args: &[Value], conditions: &'static [Condition]) -> bool {
    let mut host = Conditions(conditions);
    Judge::new(Some(&mut host)).precondition(spec, args) == Admission::Admitted
}
