//! Refinements of type arguments that mention fields of the surrounding view: `Ordered<{v: T | v < k}>` in
//! `Ordered<T>`.
//!
//! A type has one instance per list of arguments, so the arguments can't depend on the surrounding value; in a
//! recursive view they would also grow forever. Such a refinement says that every `T` in the value satisfies the
//! condition. This can be a condition on the value instead: `Ordered<T>`, refined by `elements(v).all(|x| x < k)`.

use target_strategies::logic::ir::{Clause, Closure, DataId, Refined, Sort, Term, map_children, visit};

use super::Resolver;

impl<'a> Resolver<'a> {
    /// An instance at arguments without open refinements; those become conditions on its values.
    pub(super) fn closed(
        &mut self,
        mut args: Vec<Refined>,
        make: impl FnOnce(&mut Self, Vec<Refined>) -> Option<DataId>,
    ) -> Option<Refined> {
        let opened: Vec<(usize, u32, Vec<Clause>)> = args
            .iter_mut()
            .enumerate()
            .filter_map(|(index, arg)| {
                if !self.has_open(arg) {
                    return None;
                }
                let slot = self.data.fresh();
                Some((index, slot, self.taken(arg, &Term::Var(slot))))
            })
            .collect();
        let id = make(self, args)?;
        let mut refined = Refined::plain(Sort::Data(id));
        for (index, slot, clauses) in opened {
            let elements = self.elements(id, index)?;
            for Clause { id, text, term } in clauses {
                let over = Term::Call(elements, vec![Term::Var(self.data.value_slot)]);
                let term = Term::All(Box::new(over), Closure { slot, body: Box::new(term) });
                refined.clauses.push(Clause { id, text, term });
            }
        }
        Some(refined)
    }

    /// Whether a refinement in a type mentions a field of the surrounding view.
    pub(super) fn has_open(&self, refined: &Refined) -> bool {
        !self.fields.is_empty()
            && (refined.clauses.iter().any(|clause| self.is_open(&clause.term))
                || refined.inner().into_iter().any(|part| self.has_open(part)))
    }

    fn is_open(&self, term: &Term) -> bool {
        let mut open = false;
        visit(term, &mut |term| open |= matches!(term, Term::Var(slot) if self.fields.contains(slot)));
        open
    }

    /// Removes the open refinements from a type, and returns them as conditions on the value of a term.
    fn taken(&mut self, refined: &mut Refined, value: &Term) -> Vec<Clause> {
        let (open, closed): (Vec<Clause>, Vec<Clause>) =
            std::mem::take(&mut refined.clauses).into_iter().partition(|clause| self.is_open(&clause.term));
        refined.clauses = closed;
        let mut found: Vec<Clause> = open
            .into_iter()
            .map(|clause| Clause { term: with_var(&clause.term, self.data.value_slot, value), ..clause })
            .collect();
        let is_collection = matches!(refined.sort, Sort::Set(..) | Sort::Map(..));
        let over = if is_collection { Term::Entries(Box::new(value.clone())) } else { value.clone() };
        match &mut refined.sort {
            Sort::Seq(element, _) | Sort::Set(element, _) if self.has_open(element) => {
                let slot = self.data.fresh();
                let clauses = self.taken(element, &Term::Var(slot));
                found.extend(clauses.into_iter().map(|clause| each(&over, slot, clause)));
            }
            Sort::Map(key, element, _) if self.has_open(key) || self.has_open(element) => {
                let slot = self.data.fresh();
                let part = |index| Term::Project(Box::new(Term::Var(slot)), index);
                let mut clauses = self.taken(key, &part(0));
                clauses.extend(self.taken(element, &part(1)));
                found.extend(clauses.into_iter().map(|clause| each(&over, slot, clause)));
            }
            Sort::Tuple(parts) => {
                for (part, index) in parts.iter_mut().zip(0..) {
                    found.extend(self.taken(part, &Term::Project(Box::new(value.clone()), index)));
                }
            }
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Set(..)
            | Sort::Map(..)
            | Sort::Data(_)
            | Sort::Opaque(_) => {}
        }
        found
    }
}

/// A condition on each element of a sequence.
fn each(over: &Term, slot: u32, clause: Clause) -> Clause {
    let closure = Closure { slot, body: Box::new(clause.term) };
    Clause { term: Term::All(Box::new(over.clone()), closure), ..clause }
}

/// A term with a slot replaced by another term.
fn with_var(term: &Term, slot: u32, by: &Term) -> Term {
    if *term == Term::Var(slot) {
        return by.clone();
    }
    map_children(term, &mut |child, _| with_var(child, slot, by))
}
