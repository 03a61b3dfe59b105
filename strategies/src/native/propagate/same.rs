//! Finds measures that equal the size, such as a tree's stored or counted number of nodes.
//!
//! If a spec uses such a measure, the engine would have two terms for one number, and would try pairs of values that
//! contradict each other. So calls of the measure on open holes become calls of the size. Induction shows that both
//! are equal on a type: for each constructor, from the constraints of the type and the equality for the fields. The
//! constraints of a type are among the clauses of all its holes.

use super::reduce::{Env, boolean};
use super::tools::Tools;
use crate::logic::ir::{FunctionId, Term};
use crate::native::plan::problem::{Hole, replaced};
use crate::native::plan::types::{Form, TypeId, Types};

impl Tools {
    /// Finds the measures that equal the size of all values of some type.
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

    /// Whether a measure equals the size of all values of a type.
    fn is_size(&mut self, id: FunctionId, size: FunctionId, of: TypeId) -> bool {
        let types = self.reducer.types.clone();
        let n_slots = self.reducer.slots.len();
        let slot = self.reducer.open(of);
        let hole = Hole { rem: u32::MAX, ..self.hole(&types, of, 1) };
        let is_size = self.reducer.is_total(&call(id, slot))
            && self.plain_constructors(hole).into_iter().all(|constructor| {
                let fields = constructor.opened().iter().filter(|(_, hole)| hole.of == of);
                let fields: Vec<u32> = fields.map(|(slot, _)| *slot).collect();
                let mut env = Env::new(vec![(slot, constructor.term().clone())]);
                let measure = self.supposing(id, size, &fields, &call(id, slot), &mut env);
                let sized = self.reducer.term(&call(size, slot), &mut env);
                let equal = Term::Equal(Box::new(measure), Box::new(sized));
                let equal = self.reducer.condition(&equal, &mut Env::default());
                let required = types.get(of).inside.as_ref().map_or(boolean(true), |(valid, around)| {
                    let around: Vec<u32> = around.iter().map(|slot| self.any_value(&types, *slot)).collect();
                    let args = [slot].into_iter().chain(around).map(Term::Var);
                    let term = Term::Call(*valid, args.collect());
                    let term = self.supposing(id, size, &fields, &term, &mut env);
                    self.reducer.condition(&term, &mut Env::default())
                });
                equal == boolean(true) || required == boolean(false) || is_among(&equal, &required)
            });
        self.reducer.slots.truncate(n_slots);
        is_size
    }

    /// A hole for the value of a parameter, about which nothing is known; other slots stay.
    fn any_value(&mut self, types: &Types, slot: u32) -> u32 {
        types.args.get(slot as usize).map_or(slot, |of| self.reducer.open(*of))
    }

    /// A reduced term in which the measure of the fields is replaced by their size.
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

/// Whether a condition is a conjunct of another.
fn is_among(wanted: &Term, term: &Term) -> bool {
    match term {
        Term::And(parts) => parts.iter().any(|part| is_among(wanted, part)),
        term => term == wanted,
    }
}
