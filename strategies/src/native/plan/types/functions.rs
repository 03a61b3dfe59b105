//! Derives the functions `valid` and `size` from types.

use super::*;

impl Builder<'_> {
    /// The slots of parameters and fields that a term mentions.
    pub(super) fn slots_in(&self, term: &Term) -> BTreeSet<u32> {
        let n_params = self.own_slot();
        let fields = self.spec.data.iter().flat_map(|data| &data.ctors);
        let fields = fields.flat_map(|ctor| ctor.fields.iter().filter_map(|field| field.slot));
        (0..n_params).chain(fields).filter(|slot| mentions(term, *slot)).collect()
    }

    /// Adds a function for the clauses of each refined type.
    pub(super) fn write_conditions(&mut self) {
        for id in 0..self.types.len() {
            let key = self.clauses_key(id);
            if key == 0 || self.conditions.contains_key(&key) {
                continue;
            }
            let clauses: Vec<Term> = self.clauses(id).cloned().collect();
            let body = Term::And(clauses);
            let slots: Vec<u32> = self.slots_in(&body).into_iter().collect();
            let params = std::iter::once(self.own_slot()).chain(slots.iter().copied()).collect();
            self.conditions.insert(key, (FunctionId(self.functions.len() as u32), slots));
            self.functions.push(Function { body, ..made("holds", params) });
        }
    }

    /// For each type, the slots around a value that the refinements inside it mention; `None` if there are no such
    /// refinements.
    fn find_mentioned(&self) -> Vec<Option<BTreeSet<u32>>> {
        let mut mentioned: Vec<Option<BTreeSet<u32>>> = vec![None; self.types.len()];
        loop {
            let before = mentioned.clone();
            for (id, mentioned) in mentioned.iter_mut().enumerate() {
                let mut slots: Option<BTreeSet<u32>> = None;
                let mut add = |part: TypeId, bound: &BTreeSet<u32>| {
                    if let Some(inner) = &before[part.0 as usize] {
                        slots.get_or_insert_default().extend(inner.difference(bound));
                    }
                    if let Some((_, own)) = self.conditions.get(&self.clauses_key(part.0 as usize)) {
                        slots.get_or_insert_default().extend(own.iter().filter(|slot| !bound.contains(slot)));
                    }
                };
                match &self.types[id].form {
                    Form::Data(ctors) => {
                        let data = self.data_of(id);
                        for (ctor, types) in data.iter().flat_map(|data| &data.ctors).zip(ctors) {
                            let bound = ctor.fields.iter().filter_map(|field| field.slot).collect();
                            let fields = types.iter().flat_map(|types| &types.fields);
                            fields.for_each(|part| add(*part, &bound));
                        }
                    }
                    _ => self.inner(id).into_iter().for_each(|part| add(part, &BTreeSet::new())),
                }
                *mentioned = slots;
            }
            if mentioned == before {
                return mentioned;
            }
        }
    }

    /// Adds the function `valid` of each class.
    pub(super) fn write_inside(&mut self, classes: &Classes) {
        let mentioned = self.find_mentioned();
        let mut written = Vec::new();
        for first in &classes.first {
            let Some(slots) = &mentioned[*first] else { continue };
            let function = FunctionId(self.functions.len() as u32);
            let params = std::iter::once(self.own_slot()).chain(slots.iter().copied()).collect();
            self.functions.push(made("valid", params));
            written.push((*first, function, slots.iter().copied().collect::<Vec<u32>>()));
        }
        for (first, function, slots) in &written {
            let class = classes.of[*first];
            for id in (0..self.types.len()).filter(|id| classes.of[*id] == class) {
                self.types[id].inside = Some((*function, slots.clone()));
            }
        }
        for (first, function, _) in written {
            self.functions[function.0 as usize].body = self.inside_body(first);
        }
    }

    fn inside_body(&mut self, id: usize) -> Term {
        let own = || Term::Var(self.own_slot());
        let body = match &self.types[id].form {
            Form::Empty | Form::Scalar(_) | Form::Str(_) => Term::And(Vec::new()),
            Form::Seq(elements) => {
                let slot = self.next_slot;
                let body = Term::And(self.constraints(elements.each, &Term::Var(slot), &Around::none()));
                Term::All(Box::new(own()), Closure { slot, body: Box::new(body) })
            }
            Form::Tuple(parts) => {
                let part = |(index, part): (u32, &TypeId)| {
                    self.constraints(*part, &Term::Project(Box::new(own()), index), &Around::none())
                };
                Term::And((0..).zip(parts).flat_map(part).collect())
            }
            Form::Data(ctors) => {
                let data = self.data_of(id);
                let mut body = Term::Lit(Value::Bool(true));
                for (index, (ctor, types)) in (0..).zip(data.iter().flat_map(|data| &data.ctors).zip(ctors)) {
                    let Some(types) = types else { continue };
                    let field_of =
                        |field: u32| Term::Field { of: Box::new(own()), ctor: index, index: field };
                    let slots =
                        (0..).zip(&ctor.fields).filter_map(|(i, field)| Some((field.slot?, field_of(i))));
                    let around = Around(slots.collect());
                    let fields = (0..).zip(&types.fields);
                    let parts: Vec<Term> =
                        fields.flat_map(|(i, of)| self.constraints(*of, &field_of(i), &around)).collect();
                    if !parts.is_empty() {
                        let is_it = Term::IsCtor(Box::new(own()), index);
                        body = Term::If(Box::new(is_it), Box::new(Term::And(parts)), Box::new(body));
                    }
                }
                body
            }
        };
        self.next_slot += 1;
        body
    }

    /// The constraints that a type puts on a value.
    pub(super) fn constraints(&self, id: TypeId, value: &Term, around: &Around) -> Vec<Term> {
        let own = self.conditions.get(&self.clauses_key(id.0 as usize));
        let calls = self.types[id.0 as usize].inside.as_ref().into_iter().chain(own);
        calls
            .map(|(function, slots)| {
                let args = slots.iter().map(|slot| around.get(*slot).cloned().unwrap_or(Term::Var(*slot)));
                Term::Call(*function, std::iter::once(value.clone()).chain(args).collect())
            })
            .collect()
    }

    /// Adds the function that gives the size of a type's values, as [`crate::space::Skeleton::size`] defines it.
    pub(super) fn write_sizes(&mut self, classes: &Classes) {
        let mut sized = vec![false; self.types.len()];
        loop {
            let before = sized.clone();
            for (id, sized) in sized.iter_mut().enumerate() {
                *sized |= match &self.types[id].form {
                    Form::Empty | Form::Scalar(_) => false,
                    Form::Str(_) | Form::Seq(_) => true,
                    Form::Tuple(parts) => parts.iter().any(|part| before[part.0 as usize]),
                    Form::Data(ctors) => ctors.iter().flatten().any(|ctor| !ctor.fields.is_empty()),
                };
            }
            if before == sized {
                break;
            }
        }
        for first in classes.first.iter().copied().filter(|first| sized[*first]) {
            let function = FunctionId(self.functions.len() as u32);
            self.functions.push(made("size", vec![self.next_slot]));
            self.next_slot += 2;
            for id in (0..self.types.len()).filter(|id| classes.of[*id] == classes.of[first]) {
                self.types[id].size = Some(function);
            }
        }
        for first in &classes.first {
            if let Some(function) = self.types[*first].size {
                let slot = self.functions[function.0 as usize].params[0];
                self.functions[function.0 as usize].body = self.size_body(*first, slot);
            }
        }
    }

    fn size_body(&self, id: usize, slot: u32) -> Term {
        let own = || Box::new(Term::Var(slot));
        match &self.types[id].form {
            Form::Empty | Form::Scalar(_) => int(0),
            Form::Str(_) => Term::Len(Box::new(Term::Chars(own()))),
            Form::Seq(elements) => match self.size_of(elements.each, Term::Var(slot + 1)) {
                None => Term::Len(own()),
                Some(size) => {
                    let closure = Closure { slot: slot + 1, body: Box::new(size) };
                    add(Term::Len(own()), Term::Sum(Box::new(Term::Map(own(), closure))))
                }
            },
            Form::Tuple(parts) => {
                let parts = (0..).zip(parts);
                let sizes = parts.filter_map(|(i, part)| self.size_of(*part, Term::Project(own(), i)));
                sizes.reduce(add).unwrap_or(int(0))
            }
            Form::Data(ctors) => {
                let mut body = int(0);
                for (index, ctor) in (0..).zip(ctors) {
                    let Some(ctor) = ctor.as_ref().filter(|ctor| !ctor.fields.is_empty()) else { continue };
                    let field_of = |field: u32| Term::Field { of: own(), ctor: index, index: field };
                    let sizes =
                        (0..).zip(&ctor.fields).filter_map(|(i, part)| self.size_of(*part, field_of(i)));
                    let size = sizes.fold(int(1), add);
                    let is_it = Term::IsCtor(own(), index);
                    body = Term::If(Box::new(is_it), Box::new(size), Box::new(body));
                }
                body
            }
        }
    }

    /// The size of a part. Of a list whose elements have none, it is the length, about which conditions of the spec say
    /// something.
    fn size_of(&self, id: TypeId, value: Term) -> Option<Term> {
        let part = &self.types[id.0 as usize];
        let size = part.size?;
        let is_length = match &part.form {
            Form::Seq(elements) => self.types[elements.each.0 as usize].size.is_none(),
            Form::Empty | Form::Scalar(_) | Form::Str(_) | Form::Tuple(_) | Form::Data(_) => false,
        };
        Some(if is_length { Term::Len(Box::new(value)) } else { Term::Call(size, vec![value]) })
    }
}
