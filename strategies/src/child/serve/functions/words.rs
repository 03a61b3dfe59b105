//! Runs the `where` conditions in the types of functions, when a call comes.
//!
//! The subject is in the middle of its run then, so the values that a condition looks at have an arena of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use super::super::arena::Arena;
use super::super::function::Condition;
use super::super::page::Page;
use super::super::{built, copies, panics};
use crate::logic::eval::Host;
use crate::logic::ir::{Spec, Term, visit};
use crate::logic::value::Value;

/// The page that says what functions returned, for a case that ends the process.
pub(super) static PAGE: OnceLock<&'static Page> = OnceLock::new();

/// The conditions of a spec, by the number in [`Term::Opaque`].
pub(super) struct Words<'s> {
    pub(super) spec: &'s Spec,
    pub(super) conditions: &'static [Condition],
}

impl Words<'_> {
    /// The clause of a condition.
    fn clause(&self, id: u32) -> Option<u32> {
        let is_it = |term: &Term| {
            let mut is_it = false;
            visit(term, &mut |part| is_it |= matches!(part, Term::Opaque(other, _) if *other == id));
            is_it
        };
        self.spec.clauses().into_iter().find(|clause| is_it(&clause.term)).map(|clause| clause.id)
    }
}

impl Host for Words<'_> {
    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String> {
        let condition = self.conditions.get(id as usize);
        let condition = condition.ok_or_else(|| format!("there is no condition number {id}"))?;
        let page = PAGE.get();
        page.inspect(|page| page.set_clause(self.clause(id)));
        let mut arena = Arena::new();
        let is_copy = copies::is_copy();
        let answer = catch_unwind(AssertUnwindSafe(|| condition(args, &arena)));
        // If a condition forks, the original process answers.
        if !is_copy {
            copies::end_copy();
        }
        let answer = match answer {
            // A value that can't be built satisfies no condition.
            Err(payload) if built::is_rejection(&*payload) => Ok(false),
            answer => answer.map_err(|payload| panics::describe(payload).to_string()),
        };
        let cleared = arena.clear();
        page.inspect(|page| page.set_clause(None));
        cleared.map_err(|panic| panic.to_string()).and(answer)
    }
}
