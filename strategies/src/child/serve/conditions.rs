//! Evaluates the `where` conditions of a spec, which are compiled into the harness.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::arena::Arena;
use super::function::Function;
use super::page::Page;
use super::{built, copies, functions, panics};
use crate::logic::eval::{Host, NoAnswer};
use crate::logic::ir::{Asked, Question, Spec, Term, visit};
use crate::logic::value::Value;

/// The conditions of one function.
pub(super) struct Conditions<'c> {
    function: &'c Function,
    page: &'static Page,
    arena: Arena,
    /// The clause of each condition.
    clauses: HashMap<u32, u32>,
}

impl<'c> Conditions<'c> {
    /// The conditions of a function with that spec.
    pub(super) fn new(function: &'c Function, spec: &Spec, page: &'static Page) -> Conditions<'c> {
        let mut clauses = HashMap::new();
        for clause in spec.clauses() {
            visit(&clause.term, &mut |term| {
                if let Term::Opaque(id, _) = term {
                    clauses.insert(*id, clause.id);
                }
            });
        }
        Conditions { function, page, arena: Arena::new(), clauses }
    }
}

impl Host for Conditions<'_> {
    fn ask(&mut self, question: Question, of: Asked, args: &[Value]) -> Option<Result<Value, NoAnswer>> {
        functions::answer(question, of, args)
    }

    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String> {
        let condition = self.function.opaques.get(id as usize);
        let condition = condition.ok_or_else(|| format!("the harness has no condition number {id}"))?;
        self.page.set_clause(self.clauses.get(&id).copied());
        let answer = catch_unwind(AssertUnwindSafe(|| condition(args, &self.arena)));
        // If a condition forks, the original process answers.
        copies::end_copy();
        let answer = match answer {
            // A value that can't be built satisfies no condition.
            Err(payload) if built::is_rejection(&*payload) => Ok(false),
            answer => answer.map_err(|payload| panics::describe(payload).to_string()),
        };
        let cleared = self.arena.clear();
        self.page.set_clause(None);
        cleared.map_err(|panic| panic.to_string()).and(answer)
    }
}
