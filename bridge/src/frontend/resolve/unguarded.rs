//! The types whose private fields inputs set without a word of the user's about them.

use std::collections::{BTreeMap, BTreeSet};

use target_strategies::logic::ir::{Clause, Data, DataId, Param, Refined, Sort, Term, mentions, visit};

use crate::frontend::data::DataTable;

/// The paths of the types in parameters that have private fields, and neither a view, a function that builds them, nor a
/// condition on them: a refinement, or a `requires` that reads their fields; sorted.
pub fn unguarded(params: &[Param], requires: &[Clause], table: &DataTable<'_>, data: &[Data]) -> Vec<String> {
    let mut paths = BTreeSet::new();
    for (slot, param) in (0..).zip(params) {
        let read = Read::of((slot, param), requires, data);
        // Guards only the descent: each occurrence of a type may have a condition of its own, or none.
        let mut seen: BTreeSet<DataId> = BTreeSet::new();
        let mut waiting: Vec<&Refined> = vec![&param.refined];
        while let Some(refined) = waiting.pop() {
            waiting.extend(refined.inner());
            let Sort::Data(id) = refined.sort else { continue };
            if refined.clauses.is_empty()
                && !read.contains(id)
                && let Some(item) = table.declared_item(id)
                && !item.inside.is_empty()
            {
                paths.insert(item.path.clone());
            }
            if seen.insert(id) {
                let ctors = &data[id.0 as usize].ctors;
                waiting.extend(ctors.iter().flat_map(|ctor| &ctor.fields).map(|field| &field.refined));
            }
        }
    }
    paths.into_iter().collect()
}

/// The types whose fields conditions read in one parameter.
struct Read<'s> {
    data: &'s [Data],
    types: BTreeSet<DataId>,
    /// Whether the conditions may read fields of any type.
    is_any: bool,
    /// The slots with parts of the parameter, with their sorts if known.
    slots: BTreeMap<u32, Option<&'s Sort>>,
}

impl<'s> Read<'s> {
    fn of((slot, param): (u32, &'s Param), requires: &[Clause], data: &'s [Data]) -> Read<'s> {
        let slots = BTreeMap::from([(slot, Some(&param.refined.sort))]);
        let mut read = Read { data, types: BTreeSet::new(), is_any: false, slots };
        for clause in requires {
            visit(&clause.term, &mut |term| read.add(term));
        }
        read
    }

    fn contains(&self, id: DataId) -> bool {
        self.is_any || self.types.contains(&id)
    }

    /// Adds a term; those around it were added before, so that the slots that they bind are known.
    fn add(&mut self, term: &Term) {
        if let Term::Let { slot, value, .. } = term
            && self.is_about(value)
        {
            self.slots.insert(*slot, self.sort(value));
        } else if let Term::All(over, closure)
        | Term::Any(over, closure)
        | Term::Map(over, closure)
        | Term::Filter(over, closure)
        | Term::Position(over, closure, _)
        | Term::Fold { over, closure, .. } = term
            && self.is_about(over)
        {
            self.slots.insert(closure.slot, self.sort(over).and_then(element));
        } else if let Term::Field { of, .. } | Term::IsCtor(of, _) = term
            && self.is_about(of)
        {
            match self.sort(of) {
                Some(Sort::Data(id)) => _ = self.types.insert(*id),
                _ => self.is_any = true,
            }
        } else if let Term::Call(_, args) | Term::Opaque(_, args) = term {
            // Measures and Rust code may read all of a value.
            self.is_any |= args.iter().any(|arg| self.sort(arg).is_some_and(has_parts));
        }
    }

    /// Whether a term reads a part of the parameter.
    fn is_about(&self, term: &Term) -> bool {
        self.slots.keys().any(|slot| mentions(term, *slot))
    }

    /// The sort of a part of the parameter, if it is simple to tell.
    fn sort(&self, term: &Term) -> Option<&'s Sort> {
        if let Term::Var(slot) = term {
            self.slots.get(slot).copied().flatten()
        } else if let Term::Field { of, ctor, index } = term {
            let Sort::Data(id) = self.sort(of)? else { return None };
            let ctor = self.data.get(id.0 as usize)?.ctors.get(*ctor as usize)?;
            ctor.fields.get(*index as usize).map(|field| &field.refined.sort)
        } else if let Term::Project(of, index) = term {
            let Sort::Tuple(parts) = self.sort(of)? else { return None };
            parts.get(*index as usize).map(|part| &part.sort)
        } else if let Term::Index(of, _) = term {
            self.sort(of).and_then(element)
        } else if let Term::Slice(of, ..) | Term::Reverse(of) = term {
            self.sort(of)
        } else {
            None
        }
    }
}

/// The sort of the elements of a sequence.
fn element(sort: &Sort) -> Option<&Sort> {
    if let Sort::Seq(element, _) = sort { Some(&element.sort) } else { None }
}

/// Whether values of a sort may contain others.
fn has_parts(sort: &Sort) -> bool {
    matches!(sort, Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_))
}
