//! The types of the places of a space, and functions of the logic read off them: which values are valid, and how big
//! one is.
//!
//! A type is a [`crate::ir::Refined`] at a node of the space, so that two places of one type have the same
//! constructors, lengths and domains. The refinements inside a type, but for those that domains imply, become one more
//! function, `valid(x, ..)`, of the value and of the slots around it that they mention, and its size becomes another:
//! then all that has to hold of an input is one list of terms, and recursive types need nothing of their own.

mod classes;
mod functions;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::eval::{Judge, Judgement};
use crate::ir::{
    ArithOp, Closure, Collection, Function, FunctionId, Refined, Regex, Sort, Spec, Term, mentions, visit,
};
use crate::space::{CtorPlace, NodeView, PlaceId, Space};
use crate::value::Value;

/// What types of one class have in common.
type Signature = (Vec<usize>, Option<Arc<[Value]>>, Vec<(usize, usize)>);

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
    /// What is valid inside of it, with the slots that it mentions beside the value; `None` if everything is.
    pub inside: Option<(FunctionId, Vec<u32>)>,
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
    /// What the types of the parameters demand, of the parameters' slots.
    pub demands: Vec<Term>,
    /// The functions of the spec, and those made here.
    pub functions: Arc<[Function]>,
    /// The functions that say what is valid inside of a value.
    inside: HashSet<FunctionId>,
    /// The functions that stand for conditions: a call means its body, wherever it is.
    pub conditions: HashSet<FunctionId>,
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
            implied: Vec::new(),
            conditions: HashMap::new(),
        };
        let args = spec.params.iter().zip(space.arg_places());
        let args =
            args.map(|(param, place)| builder.of(Origin { refined: Some(&param.refined), place: *place }));
        let args: Vec<TypeId> = args.collect();
        builder.find_implied();
        let classes = builder.classes();
        builder.find_deep();
        builder.write_conditions();
        builder.write_inside(&classes);
        builder.write_sizes(&classes);
        let demands =
            (0..).zip(&args).flat_map(|(slot, of)| builder.demands(*of, &Term::Var(slot), &Around::none()));
        let demands = demands.collect();
        let conditions = builder.conditions.values().map(|(function, _)| *function).collect();
        let class = |id: TypeId| TypeId(classes.of[id.0 as usize] as u32);
        let args = args.into_iter().map(class).collect();
        let mut all: Vec<Option<Type>> = builder.types.into_iter().map(Some).collect();
        let types = classes.first.iter().filter_map(|first| all[*first].take());
        let types = types.map(|of| Type { form: with_ids(of.form, &class), ..of });
        let types: Vec<Type> = types.collect();
        let inside = types.iter().filter_map(|of| Some(of.inside.as_ref()?.0)).collect();
        let (functions, regexes) = (builder.functions.into(), spec.regexes.clone().into());
        Types { types, args, demands, functions, inside, conditions, regexes }
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len() as u32).map(TypeId)
    }

    /// The types inside of a type.
    pub fn inner(&self, id: TypeId) -> Vec<TypeId> {
        inner(&self.get(id).form)
    }

    /// Whether a function says what is valid inside of a value.
    pub fn is_inside(&self, function: FunctionId) -> bool {
        self.inside.contains(&function)
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}

/// A form with other types in it.
fn with_ids(form: Form, id: &dyn Fn(TypeId) -> TypeId) -> Form {
    let elements = |elements: Elements| Elements {
        each: id(elements.each),
        at: elements.at.into_iter().map(|(index, of)| (index, id(of))).collect(),
        ..elements
    };
    match form {
        Form::Empty | Form::Scalar(_) => form,
        Form::Str(inner) => Form::Str(elements(inner)),
        Form::Seq(inner) => Form::Seq(elements(inner)),
        Form::Tuple(parts) => Form::Tuple(parts.into_iter().map(id).collect()),
        Form::Data(ctors) => {
            let ctor =
                |ctor: CtorType| CtorType { fields: ctor.fields.into_iter().map(id).collect(), ..ctor };
            Form::Data(ctors.into_iter().map(|inner| inner.map(ctor)).collect())
        }
    }
}

/// Types that are told apart by nothing but their own refinements, which are demanded of their values one by one, are
/// one class.
struct Classes {
    /// The class of each type.
    of: Vec<usize>,
    /// The first type of each class.
    first: Vec<usize>,
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

/// In domains of more values than this, clauses are demanded, whether all satisfy them or not.
const MAX_JUDGED: usize = 4096;

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
    /// For each type, whether all values of its form satisfy its clauses.
    implied: Vec<bool>,
    /// The function for the clauses of a refined type, by its address, with the slots that they mention.
    conditions: HashMap<usize, (FunctionId, Vec<u32>)>,
}

impl<'s> Builder<'s> {
    fn of(&mut self, origin: Origin<'s>) -> TypeId {
        let address = origin.refined.map_or(0, |refined| std::ptr::from_ref(refined) as usize);
        if let Some(known) = self.known.get(&(address, origin.place)) {
            return *known;
        }
        let id = TypeId(self.types.len() as u32);
        self.known.insert((address, origin.place), id);
        self.types.push(Type { form: Form::Empty, is_deep: false, inside: None, size: None });
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
                self.types.push(Type { form, is_deep: false, inside: None, size: None });
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

    /// Finds the scalars whose values all satisfy their clauses. These are not demanded again then: a comparison with a
    /// constant would tie the values down ([`super::units`]). One refined type is implied at all of its places or at
    /// none, since what is demanded of all elements of a list is read off one of them.
    fn find_implied(&mut self) {
        let address =
            |origin: &Origin| origin.refined.map_or(0, |refined| std::ptr::from_ref(refined) as usize);
        let refuted: HashSet<usize> = (0..self.types.len())
            .filter(|id| !self.is_implied(*id))
            .map(|id| address(&self.origins[id]))
            .collect();
        self.implied = self.origins.iter().map(|origin| !refuted.contains(&address(origin))).collect();
    }

    fn is_implied(&self, id: usize) -> bool {
        if self.clauses(id).next().is_none() {
            return true;
        }
        let Form::Scalar(domain) = &self.types[id].form else { return false };
        let mut judge = Judge::new(None);
        domain.len() <= MAX_JUDGED
            && domain.iter().all(|value| {
                judge.set(self.own_slot(), value.clone());
                self.clauses(id).all(|clause| judge.condition(clause) == Judgement::Holds)
            })
    }

    fn data_of(&self, id: usize) -> Option<&'s crate::ir::Data> {
        match self.origins[id].refined.map(|refined| &refined.sort) {
            Some(Sort::Data(data)) => Some(self.spec.data(*data)),
            _ => None,
        }
    }
}

/// What the slots of the fields around a value stand for.
struct Around(Vec<(u32, Term)>);

impl Around {
    fn none() -> Around {
        Around(Vec::new())
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
