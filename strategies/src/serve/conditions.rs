//! Evaluates the `where` conditions of a spec, which are Rust code of the harness.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::page::Page;
use super::{Arena, Function, panics};
use crate::eval::Host;
use crate::ir::{Clause, Refined, Sort, Spec, Term};
use crate::value::Value;

/// The conditions of one function.
pub(super) struct Conditions<'c> {
    function: &'c Function,
    page: &'static Page,
    arena: Arena,
    /// The clause that each condition is.
    clauses: HashMap<u32, u32>,
}

impl<'c> Conditions<'c> {
    /// The conditions of a function with that spec.
    pub(super) fn new(function: &'c Function, spec: &Spec, page: &'static Page) -> Conditions<'c> {
        let mut clauses = HashMap::new();
        let mut add = |list: &[Clause]| {
            let opaque = |term: &Term| if let Term::Opaque(id, _) = term { Some(*id) } else { None };
            clauses.extend(list.iter().filter_map(|clause| Some((opaque(&clause.term)?, clause.id))));
        };
        [&spec.requires, &spec.explore, &spec.ensures].into_iter().for_each(|list| add(list));
        add(spec.panics_if.as_slice());
        spec.params.iter().for_each(|param| of_refined(&param.refined, &mut add));
        of_refined(&spec.result, &mut add);
        let fields = spec.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
        fields.for_each(|field| of_refined(&field.refined, &mut add));
        Conditions { function, page, arena: Arena::new(), clauses }
    }
}

/// Passes on all clauses in a refined type, without those of its data types' fields.
fn of_refined(refined: &Refined, add: &mut impl FnMut(&[Clause])) {
    add(&refined.clauses);
    match &refined.sort {
        Sort::Seq(element, _) => of_refined(element, add),
        Sort::Tuple(parts) => parts.iter().for_each(|part| of_refined(part, add)),
        _ => {}
    }
}

impl Host for Conditions<'_> {
    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String> {
        let condition = self.function.opaques.get(id as usize);
        let condition = condition.ok_or_else(|| format!("the harness has no condition number {id}"))?;
        self.page.set_clause(self.clauses.get(&id).copied());
        let answer = catch_unwind(AssertUnwindSafe(|| condition(args, &self.arena)));
        let answer = answer.map_err(|payload| panics::describe(payload).to_string());
        let cleared = self.arena.clear();
        self.page.set_clause(None);
        cleared.map_err(|panic| panic.to_string()).and(answer)
    }
}
