//! Measures that are the size by another name: a tree's stored or counted number of nodes.
//!
//! Where a spec speaks of such a measure, the engine has two names for one thing, and would go through pairs of values
//! that don't fit. So calls of it on open places become calls of the size. That the two are the same on a type is shown
//! by induction: for each constructor, from what the type demands and what holds of the fields. All places of a type have
//! what it demands among their clauses.

use super::problem::{Place, replaced};
use super::reduce::{Env, boolean};
use super::types::{Form, TypeId};
use super::work::Tools;
use crate::ir::{FunctionId, Term};

impl Tools {
    /// Finds the measures that are the size of the values of some type.
    pub fn find_same(&mut self) {
        let types = self.reducer.types.clone();
        for of in types.ids() {
            let (Some(size), Form::Data(_)) = (types.get(of).size, &types.get(of).form) else { continue };
            for id in (0..types.functions.len() as u32).map(FunctionId) {
                if id != size && self.reducer.is_measure(id) && self.is_size(id, size, of) {
                    self.reducer.same.insert((id, of), size);
                }
            }
        }
    }

    /// Whether a measure is the size of all values of a type.
    fn is_size(&mut self, id: FunctionId, size: FunctionId, of: TypeId) -> bool {
        let types = self.reducer.types.clone();
        let n_slots = self.reducer.slots.len();
        let slot = self.reducer.open(of);
        let place = Place { rem: u32::MAX, ..self.place(&types, of, 1) };
        let is_size = self.reducer.is_total(&call(id, slot))
            && self.plain_heads(place).into_iter().all(|head| {
                let fields = head.opened().iter().filter(|(_, place)| place.of == of);
                let fields: Vec<u32> = fields.map(|(slot, _)| *slot).collect();
                let mut env = Env::new(vec![(slot, head.term().clone())]);
                let measure = self.supposing(id, size, &fields, &call(id, slot), &mut env);
                let sized = self.reducer.term(&call(size, slot), &mut env);
                let equal = Term::Equal(Box::new(measure), Box::new(sized));
                let equal = self.reducer.condition(&equal, &mut Env::default());
                let demanded = types.get(of).inside.as_ref().map_or(boolean(true), |(valid, around)| {
                    let args = [slot].into_iter().chain(around.iter().copied()).map(Term::Var);
                    let term = Term::Call(*valid, args.collect());
                    let term = self.supposing(id, size, &fields, &term, &mut env);
                    self.reducer.condition(&term, &mut Env::default())
                });
                equal == boolean(true) || demanded == boolean(false) || is_among(&equal, &demanded)
            });
        self.reducer.slots.truncate(n_slots);
        is_size
    }

    /// A term reduced, in which the measure of the fields is their size.
    fn supposing(
        &mut self,
        id: FunctionId,
        size: FunctionId,
        fields: &[u32],
        term: &Term,
        env: &mut Env,
    ) -> Term {
        let term = self.reducer.term(term, env);
        fields.iter().fold(term, |term, field| replaced(&term, &call(id, *field), &call(size, *field)))
    }
}

fn call(id: FunctionId, slot: u32) -> Term {
    Term::Call(id, vec![Term::Var(slot)])
}

/// Whether a condition is one of those that another is put together of.
fn is_among(wanted: &Term, term: &Term) -> bool {
    match term {
        Term::And(parts) => parts.iter().any(|part| is_among(wanted, part)),
        term => term == wanted,
    }
}
