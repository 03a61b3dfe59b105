//! The types of the places of a space, and functions of the logic read off them: which values are valid, and how big
//! one is.
//!
//! A type is a [`crate::ir::Refined`] at a node of the space, so that two places of one type have the same
//! constructors, lengths and domains. The refinements inside a type become one more function, `valid(x, ..)`, of the
//! value and of the slots around it that they mention, and its size becomes another: then all that has to hold of an
//! input is one list of terms, and recursive types need nothing of their own.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::ir::{
    ArithOp, Closure, Collection, Function, FunctionId, Refined, Regex, Sort, Spec, Term, mentions, visit,
};
use crate::space::{CtorPlace, NodeView, PlaceId, Space};
use crate::value::Value;

/// Index into [`Types::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// What can stand at a place.
#[derive(Debug)]
pub struct Type {
    /// The ways to begin a value.
    pub form: Form,
    /// Whether the depth that is left says anything about it.
    pub is_deep: bool,
    /// What is valid, with the slots that it mentions beside the value; `None` if everything is.
    pub valid: Option<(FunctionId, Vec<u32>)>,
    /// The size; `None` where it is always 0.
    pub size: Option<FunctionId>,
}

/// The ways to begin a value.
#[derive(Debug)]
pub enum Form {
    /// Nothing.
    Empty,
    /// A scalar, of these.
    Scalar(Arc<[Value]>),
    /// A string of so many characters.
    Str(Elements),
    /// A sequence of so many elements.
    Seq(Elements),
    /// A tuple.
    Tuple(Vec<TypeId>),
    /// A constructor; `None` for one that can't be.
    Data(Vec<Option<CtorType>>),
}

/// What stands in a sequence or string.
#[derive(Debug)]
pub struct Elements {
    /// The lengths, ascending.
    pub lens: Vec<u32>,
    /// The type of the elements at indices that are not in `at`.
    pub each: TypeId,
    /// The types of the others.
    pub at: Vec<(u32, TypeId)>,
    /// Whether they come in order.
    pub collection: Option<Collection>,
}

/// A constructor that can be.
#[derive(Debug)]
pub struct CtorType {
    /// The types of its fields.
    pub fields: Vec<TypeId>,
    /// Whether it counts towards the depth.
    pub recursive: bool,
}

impl Elements {
    /// The type of the element at an index.
    pub fn at(&self, index: u32) -> TypeId {
        self.at.iter().find(|(at, _)| *at == index).map_or(self.each, |(_, of)| *of)
    }
}

/// All types of a space.
#[derive(Debug)]
pub struct Types {
    types: Vec<Type>,
    /// Those of the parameters.
    pub args: Vec<TypeId>,
    /// The functions of the spec, and those made here.
    pub functions: Arc<[Function]>,
    /// The regular expressions of the spec.
    pub regexes: Arc<[Regex]>,
}

impl Types {
    /// The types of the parameters of a spec and all that they are made of. Refinements with Rust code in them are
    /// left out of what is valid.
    pub fn new(space: &Space) -> Types {
        let spec = space.spec().clone();
        let mut builder = Builder {
            space,
            spec: &spec,
            known: HashMap::new(),
            types: Vec::new(),
            origins: Vec::new(),
            functions: spec.functions.clone(),
            next_slot: first_free_slot(&spec),
        };
        let args = space.arg_places();
        let args: Vec<TypeId> = spec
            .params
            .iter()
            .zip(args)
            .map(|(param, place)| builder.of(Origin { refined: Some(&param.refined), place: *place }))
            .collect();
        builder.find_deep();
        builder.write_valid();
        builder.write_sizes();
        let (types, functions) = (builder.types, builder.functions.into());
        Types { types, args, functions, regexes: spec.regexes.clone().into() }
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len() as u32).map(TypeId)
    }

    /// The types inside of a type.
    pub fn inner(&self, id: TypeId) -> Vec<TypeId> {
        inner(&self.get(id).form)
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}

/// The types inside of a form.
fn inner(form: &Form) -> Vec<TypeId> {
    match form {
        Form::Empty | Form::Scalar(_) => Vec::new(),
        Form::Str(elements) | Form::Seq(elements) => {
            elements.at.iter().map(|(_, id)| *id).chain([elements.each]).collect()
        }
        Form::Tuple(parts) => parts.clone(),
        Form::Data(ctors) => ctors.iter().flatten().flat_map(|ctor| ctor.fields.iter().copied()).collect(),
    }
}

/// A slot above all that the spec's terms use.
fn first_free_slot(spec: &Spec) -> u32 {
    let mut free = spec.first_local_slot();
    let mut note = |slot: u32| free = free.max(slot + 1);
    let of_functions = spec.functions.iter().map(|function| &function.body);
    for function in &spec.functions {
        function.params.iter().for_each(|slot| note(*slot));
    }
    for field in spec.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields) {
        field.slot.into_iter().for_each(&mut note);
    }
    for term in spec.clauses().into_iter().map(|clause| &clause.term).chain(of_functions) {
        visit(term, &mut |term| match term {
            Term::Var(slot) | Term::Let { slot, .. } => note(*slot),
            Term::All(_, c) | Term::Any(_, c) | Term::Map(_, c) | Term::Filter(_, c) => note(c.slot),
            Term::Position(_, c, _) => note(c.slot),
            Term::Fold { acc, closure, .. } => note(*acc.max(&closure.slot)),
            _ => {}
        });
    }
    free
}

/// Where a type comes from. The pairs of a map have no refined type of their own.
#[derive(Clone, Copy)]
struct Origin<'s> {
    refined: Option<&'s Refined>,
    place: PlaceId,
}

struct Builder<'s> {
    space: &'s Space,
    spec: &'s Spec,
    /// By the address of the refined type, and the place.
    known: HashMap<(usize, PlaceId), TypeId>,
    types: Vec<Type>,
    origins: Vec<Origin<'s>>,
    functions: Vec<Function>,
    next_slot: u32,
}

impl<'s> Builder<'s> {
    fn of(&mut self, origin: Origin<'s>) -> TypeId {
        let address = origin.refined.map_or(0, |refined| std::ptr::from_ref(refined) as usize);
        if let Some(known) = self.known.get(&(address, origin.place)) {
            return *known;
        }
        let id = TypeId(self.types.len() as u32);
        self.known.insert((address, origin.place), id);
        self.types.push(Type { form: Form::Empty, is_deep: false, valid: None, size: None });
        self.origins.push(origin);
        let form = self.form(origin);
        self.types[id.0 as usize].form = form;
        id
    }

    fn form(&mut self, origin: Origin<'s>) -> Form {
        let sort = origin.refined.map(|refined| &refined.sort);
        match (self.space.view(origin.place), sort) {
            (NodeView::Leaf(domain), _) => Form::Scalar(domain.clone()),
            (NodeView::Str(elements), _) => Form::Str(self.elements(elements, None)),
            (NodeView::Seq(elements), Some(Sort::Seq(element, _) | Sort::Set(element, _))) => {
                Form::Seq(self.elements(elements, Some(&**element)))
            }
            (NodeView::Seq(elements), Some(Sort::Map(key, value, _))) => {
                let pair = match self.space.view(elements.each) {
                    NodeView::Tuple(places) => [&**key, &**value]
                        .into_iter()
                        .zip(places)
                        .map(|(refined, place)| self.of(Origin { refined: Some(refined), place: *place }))
                        .collect(),
                    _ => Vec::new(),
                };
                let each = TypeId(self.types.len() as u32);
                let form = if pair.is_empty() { Form::Empty } else { Form::Tuple(pair) };
                self.types.push(Type { form, is_deep: false, valid: None, size: None });
                self.origins.push(Origin { refined: None, place: elements.each });
                let lens = elements.lens.clone();
                Form::Seq(Elements { lens, each, at: Vec::new(), collection: elements.collection })
            }
            (NodeView::Tuple(places), Some(Sort::Tuple(parts))) => {
                let parts = parts.iter().zip(places);
                Form::Tuple(
                    parts
                        .map(|(part, place)| self.of(Origin { refined: Some(part), place: *place }))
                        .collect(),
                )
            }
            (NodeView::Data(ctors), Some(Sort::Data(id))) => {
                let data = self.spec.data(*id);
                let ctors = data.ctors.iter().zip(ctors);
                Form::Data(ctors.map(|(ctor, place)| self.ctor(ctor, place)).collect())
            }
            _ => Form::Empty,
        }
    }

    fn ctor(&mut self, ctor: &'s crate::ir::Ctor, place: Option<CtorPlace<'s>>) -> Option<CtorType> {
        let place = place?;
        let fields = ctor.fields.iter().zip(place.fields);
        let fields =
            fields.map(|(field, place)| self.of(Origin { refined: Some(&field.refined), place: *place }));
        Some(CtorType { fields: fields.collect(), recursive: place.recursive })
    }

    fn elements(&mut self, places: &'s crate::space::Elements, element: Option<&'s Refined>) -> Elements {
        let at = places.at.iter();
        let at = at.map(|(index, place)| (*index, self.of(Origin { refined: element, place: *place })));
        let at = at.collect();
        let each = self.of(Origin { refined: element, place: places.each });
        Elements { lens: places.lens.clone(), each, at, collection: places.collection }
    }

    fn inner(&self, id: usize) -> Vec<TypeId> {
        inner(&self.types[id].form)
    }

    /// Marks the types in which a recursive constructor can stand.
    fn find_deep(&mut self) {
        loop {
            let mut changed = false;
            for id in 0..self.types.len() {
                let recursive = match &self.types[id].form {
                    Form::Data(ctors) => ctors.iter().flatten().any(|ctor| ctor.recursive),
                    _ => false,
                };
                let deep =
                    recursive || self.inner(id).iter().any(|inner| self.types[inner.0 as usize].is_deep);
                changed |= deep && !self.types[id].is_deep;
                self.types[id].is_deep |= deep;
            }
            if !changed {
                return;
            }
        }
    }

    fn own_slot(&self) -> u32 {
        self.spec.value_slot()
    }

    fn clauses(&self, id: usize) -> impl Iterator<Item = &'s Term> {
        let refined = self.origins[id].refined;
        let clauses = refined.into_iter().flat_map(|refined| &refined.clauses).map(|clause| &clause.term);
        clauses.filter(|term| !has_rust(term))
    }

    /// The slots around a value that its refinements mention, inside of it too; `None` if it has none.
    fn find_mentioned(&self) -> Vec<Option<BTreeSet<u32>>> {
        let n_params = self.own_slot();
        let n_locals = self.spec.first_local_slot();
        let fields: BTreeSet<u32> = self
            .spec
            .data
            .iter()
            .flat_map(|data| &data.ctors)
            .flat_map(|ctor| ctor.fields.iter().filter_map(|field| field.slot))
            .collect();
        let mut mentioned: Vec<Option<BTreeSet<u32>>> = vec![None; self.types.len()];
        loop {
            let before = mentioned.clone();
            for id in 0..self.types.len() {
                let mut slots: Option<BTreeSet<u32>> = None;
                for term in self.clauses(id) {
                    let own = slots.get_or_insert_default();
                    own.extend((0..n_params).filter(|slot| mentions(term, *slot)));
                    own.extend(fields.iter().filter(|slot| **slot >= n_locals && mentions(term, **slot)));
                }
                if let Form::Data(ctors) = &self.types[id].form {
                    let data = self.data_of(id);
                    for (ctor, types) in data.iter().flat_map(|data| &data.ctors).zip(ctors) {
                        let Some(types) = types else { continue };
                        let bound: BTreeSet<u32> =
                            ctor.fields.iter().filter_map(|field| field.slot).collect();
                        for inner in types.fields.iter().filter_map(|id| before[id.0 as usize].as_ref()) {
                            slots.get_or_insert_default().extend(inner.difference(&bound));
                        }
                    }
                } else {
                    for inner in self.inner(id).iter().filter_map(|id| before[id.0 as usize].as_ref()) {
                        slots.get_or_insert_default().extend(inner);
                    }
                }
                mentioned[id] = slots;
            }
            if mentioned == before {
                return mentioned;
            }
        }
    }

    fn data_of(&self, id: usize) -> Option<&'s crate::ir::Data> {
        match self.origins[id].refined.map(|refined| &refined.sort) {
            Some(Sort::Data(data)) => Some(self.spec.data(*data)),
            _ => None,
        }
    }

    /// Writes the function of each type that says what is valid.
    fn write_valid(&mut self) {
        let mentioned = self.find_mentioned();
        for (id, slots) in mentioned.iter().enumerate() {
            let Some(slots) = slots else { continue };
            let function = FunctionId(self.functions.len() as u32);
            let params = std::iter::once(self.own_slot()).chain(slots.iter().copied()).collect();
            self.functions.push(made("valid", params));
            self.types[id].valid = Some((function, slots.iter().copied().collect()));
        }
        for id in 0..self.types.len() {
            if let Some((function, _)) = self.types[id].valid {
                self.functions[function.0 as usize].body = self.valid_body(id);
            }
        }
    }

    fn valid_body(&mut self, id: usize) -> Term {
        let own = || Term::Var(self.own_slot());
        let mut all = Vec::new();
        match &self.types[id].form {
            Form::Empty | Form::Scalar(_) | Form::Str(_) => {}
            Form::Seq(elements) => {
                let slot = self.next_slot;
                let of_each = self.valid_call(elements.each, Term::Var(slot), &BTreeMapOf::none());
                if let Some(body) = of_each {
                    let closure = Closure { slot, body: Box::new(body) };
                    all.push(Term::All(Box::new(own()), closure));
                }
            }
            Form::Tuple(parts) => {
                for (index, part) in (0..).zip(parts) {
                    let place = Term::Project(Box::new(own()), index);
                    all.extend(self.valid_call(*part, place, &BTreeMapOf::none()));
                }
            }
            Form::Data(ctors) => {
                let data = self.data_of(id);
                let mut body = Term::Lit(Value::Bool(true));
                for (index, (ctor, types)) in (0..).zip(data.iter().flat_map(|data| &data.ctors).zip(ctors)) {
                    let Some(types) = types else { continue };
                    let place = |field: u32| Term::Field { of: Box::new(own()), ctor: index, index: field };
                    let slots =
                        (0..).zip(&ctor.fields).filter_map(|(i, field)| Some((field.slot?, place(i))));
                    let around = BTreeMapOf(slots.collect());
                    let fields = (0..).zip(&types.fields);
                    let parts: Vec<Term> =
                        fields.filter_map(|(i, of)| self.valid_call(*of, place(i), &around)).collect();
                    if !parts.is_empty() {
                        let is_it = Term::IsCtor(Box::new(own()), index);
                        body = Term::If(Box::new(is_it), Box::new(Term::And(parts)), Box::new(body));
                    }
                }
                all.push(body);
            }
        }
        all.extend(self.clauses(id).cloned());
        self.next_slot += 1;
        Term::And(all)
    }

    fn valid_call(&self, id: TypeId, value: Term, around: &BTreeMapOf) -> Option<Term> {
        let (function, slots) = self.types[id.0 as usize].valid.as_ref()?;
        let args = slots.iter().map(|slot| around.get(*slot).cloned().unwrap_or(Term::Var(*slot)));
        Some(Term::Call(*function, std::iter::once(value).chain(args).collect()))
    }

    /// Writes the function of each type that gives the size of a value, as [`crate::space::Skeleton::size`] has it.
    fn write_sizes(&mut self) {
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
        for id in (0..self.types.len()).filter(|id| sized[*id]) {
            self.types[id].size = Some(FunctionId(self.functions.len() as u32));
            let slot = self.next_slot;
            self.next_slot += 2;
            self.functions.push(made("size", vec![slot]));
        }
        for id in 0..self.types.len() {
            if let Some(function) = self.types[id].size {
                let slot = self.functions[function.0 as usize].params[0];
                self.functions[function.0 as usize].body = self.size_body(id, slot);
            }
        }
    }

    fn size_body(&self, id: usize, slot: u32) -> Term {
        let own = || Box::new(Term::Var(slot));
        match &self.types[id].form {
            Form::Empty | Form::Scalar(_) => int(0),
            Form::Str(_) => Term::Len(Box::new(Term::Chars(own()))),
            Form::Seq(elements) => match self.size_call(elements.each, Term::Var(slot + 1)) {
                None => Term::Len(own()),
                Some(size) => {
                    let closure = Closure { slot: slot + 1, body: Box::new(size) };
                    add(Term::Len(own()), Term::Sum(Box::new(Term::Map(own(), closure))))
                }
            },
            Form::Tuple(parts) => {
                let parts = (0..).zip(parts);
                let sizes = parts.filter_map(|(i, part)| self.size_call(*part, Term::Project(own(), i)));
                sizes.reduce(add).unwrap_or(int(0))
            }
            Form::Data(ctors) => {
                let mut body = int(0);
                for (index, ctor) in (0..).zip(ctors) {
                    let Some(ctor) = ctor.as_ref().filter(|ctor| !ctor.fields.is_empty()) else { continue };
                    let place = |field: u32| Term::Field { of: own(), ctor: index, index: field };
                    let sizes =
                        (0..).zip(&ctor.fields).filter_map(|(i, part)| self.size_call(*part, place(i)));
                    let size = sizes.fold(int(1), add);
                    let is_it = Term::IsCtor(own(), index);
                    body = Term::If(Box::new(is_it), Box::new(size), Box::new(body));
                }
                body
            }
        }
    }

    fn size_call(&self, id: TypeId, value: Term) -> Option<Term> {
        Some(Term::Call(self.types[id.0 as usize].size?, vec![value]))
    }
}

/// What the slots of the fields around a value stand for.
struct BTreeMapOf(Vec<(u32, Term)>);

impl BTreeMapOf {
    fn none() -> BTreeMapOf {
        BTreeMapOf(Vec::new())
    }

    fn get(&self, slot: u32) -> Option<&Term> {
        self.0.iter().find(|(other, _)| *other == slot).map(|(_, term)| term)
    }
}

fn made(name: &str, params: Vec<u32>) -> Function {
    let body = Term::Undefined;
    Function { name: name.to_owned(), params, body, decreases: None, total: true, nesting: 8 }
}

fn int(n: i64) -> Term {
    Term::Lit(Value::int(n))
}

fn add(a: Term, b: Term) -> Term {
    Term::Arith(ArithOp::Add, Box::new(a), Box::new(b))
}

/// Whether a term has Rust code in it, which only a harness can run.
pub fn has_rust(term: &Term) -> bool {
    let mut found = false;
    visit(term, &mut |term| found |= matches!(term, Term::Opaque(..)));
    found
}
