//! The types of the positions in a space, and two functions derived from each: which values are valid, and how big a
//! value is.
//!
//! A type is a [`crate::logic::ir::Refined`] at a node of the space. Two positions of one type have the same
//! constructors, lengths and domains. The refinements inside a type become a function `valid(x, ..)` of the value and
//! the slots around it that they mention, except refinements that the domains imply. The size becomes another
//! function. So all constraints on an input form one list of terms, and recursive types need no special treatment.

mod classes;
mod functions;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::logic::eval::{Judge, Judgement};
use crate::logic::ir::{
    ArithOp, Closure, Collection, Function, FunctionId, Refined, Regex, Sort, Spec, Term, mentions, visit,
};
use crate::logic::value::Value;
use crate::space::{CtorView, NodeId, NodeView, Space};

/// The properties that the types of one class share.
type Signature = (Vec<usize>, Option<Arc<[Value]>>, Vec<(usize, usize)>);

/// Index into [`Types::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// The values at a position.
#[derive(Debug)]
pub struct Type {
    /// The head constructors, lengths or scalars that a value can have.
    pub form: Form,
    /// Whether the remaining depth affects the type.
    pub is_deep: bool,
    /// The function that says whether the inside of a value is valid, with the slots around the value that it
    /// mentions; `None` if all values are valid.
    pub inside: Option<(FunctionId, Vec<u32>)>,
    /// The function that gives the size; `None` if the size is always 0.
    pub size: Option<FunctionId>,
}

/// The shapes of the values of a type.
#[derive(Debug)]
pub enum Form {
    /// There is no value.
    Empty,
    /// A scalar from this domain.
    Scalar(Arc<[Value]>),
    /// A string.
    Str(Elements),
    /// A sequence.
    Seq(Elements),
    /// A tuple with parts of these types.
    Tuple(Vec<TypeId>),
    /// A data value. A constructor that can't occur is `None`.
    Data(Vec<Option<CtorType>>),
}

/// The elements of a sequence or the characters of a string.
#[derive(Debug)]
pub struct Elements {
    /// The possible lengths, ascending.
    pub lens: Vec<u32>,
    /// The type of the elements at indices that are not in `at`.
    pub each: TypeId,
    /// The types of the elements at the other indices.
    pub at: Vec<(u32, TypeId)>,
    /// The kind of collection, if the elements must be in order.
    pub collection: Option<Collection>,
}

/// A constructor that can occur.
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

    /// The types of all elements, and maybe some of indices beyond the lengths.
    pub fn types(&self) -> impl Iterator<Item = TypeId> {
        self.at.iter().map(|(_, of)| *of).chain([self.each])
    }
}

/// All types of a space.
#[derive(Debug)]
pub struct Types {
    types: Vec<Type>,
    /// The types of the parameters.
    pub args: Vec<TypeId>,
    /// The constraints that the parameters' types put on the parameters' slots.
    pub constraints: Vec<Term>,
    /// The functions of the spec, followed by those derived from types.
    pub functions: Arc<[Function]>,
    /// The functions that say whether the inside of a value is valid.
    inside: HashSet<FunctionId>,
    /// The functions that stand for conditions. A call of one always unfolds to its body.
    pub conditions: HashSet<FunctionId>,
    /// The regular expressions of the spec.
    pub regexes: Arc<[Regex]>,
}

impl Types {
    /// The types of a spec's parameters and of their parts. Refinements that contain Rust code are left out of
    /// `valid`.
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
        let args = spec.params.iter().zip(space.arg_nodes());
        let args =
            args.map(|(param, node)| builder.of(Origin { refined: Some(&param.refined), node: *node }));
        let args: Vec<TypeId> = args.collect();
        builder.find_implied();
        let classes = builder.classes();
        builder.find_deep();
        builder.write_conditions();
        builder.write_inside(&classes);
        builder.write_sizes(&classes);
        let constraints = (0..)
            .zip(&args)
            .flat_map(|(slot, of)| builder.constraints(*of, &Term::Var(slot), &Around::none()));
        let constraints = constraints.collect();
        let conditions = builder.conditions.values().map(|(function, _)| *function).collect();
        let class = |id: TypeId| TypeId(classes.of[id.0 as usize] as u32);
        let args = args.into_iter().map(class).collect();
        let mut all: Vec<Option<Type>> = builder.types.into_iter().map(Some).collect();
        let types = classes.first.iter().filter_map(|first| all[*first].take());
        let types = types.map(|of| Type { form: with_ids(of.form, &class), ..of });
        let types: Vec<Type> = types.collect();
        let inside = types.iter().filter_map(|of| Some(of.inside.as_ref()?.0)).collect();
        let (functions, regexes) = (builder.functions.into(), spec.regexes.clone().into());
        Types { types, args, constraints, functions, inside, conditions, regexes }
    }

    /// The ids of all types.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len() as u32).map(TypeId)
    }

    /// The types of the parts of a type.
    pub fn inner(&self, id: TypeId) -> Vec<TypeId> {
        inner(&self.get(id).form)
    }

    /// Whether a function says that the inside of a value is valid.
    pub fn is_inside(&self, function: FunctionId) -> bool {
        self.inside.contains(&function)
    }

    /// The type with an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}

/// Replaces the types in a form.
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

/// Classes of types that differ only in their own refinements. Those refinements are separate constraints on each
/// value.
struct Classes {
    /// The class of each type.
    of: Vec<usize>,
    /// The first type of each class.
    first: Vec<usize>,
}

/// The types of the parts of a form.
fn inner(form: &Form) -> Vec<TypeId> {
    match form {
        Form::Empty | Form::Scalar(_) => Vec::new(),
        Form::Str(elements) | Form::Seq(elements) => elements.types().collect(),
        Form::Tuple(parts) => parts.clone(),
        Form::Data(ctors) => ctors.iter().flatten().flat_map(|ctor| ctor.fields.iter().copied()).collect(),
    }
}

/// The first slot that the spec's terms don't use.
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

/// Maximum number of values in a domain for which clauses are checked against all values. In larger domains, clauses
/// stay constraints even if all values satisfy them.
const MAX_JUDGED: usize = 4096;

/// The origin of a type. The pairs of a map have no refined type of their own.
#[derive(Clone, Copy)]
struct Origin<'s> {
    refined: Option<&'s Refined>,
    node: NodeId,
}

struct Builder<'s> {
    space: &'s Space,
    spec: &'s Spec,
    /// By the address of the refined type, and the node.
    known: HashMap<(usize, NodeId), TypeId>,
    types: Vec<Type>,
    origins: Vec<Origin<'s>>,
    functions: Vec<Function>,
    next_slot: u32,
    /// For each type, whether all values of its form satisfy its clauses.
    implied: Vec<bool>,
    /// The function for the clauses of a refined type, by its address, with the slots that the clauses mention.
    conditions: HashMap<usize, (FunctionId, Vec<u32>)>,
}

impl<'s> Builder<'s> {
    fn of(&mut self, origin: Origin<'s>) -> TypeId {
        let address = origin.refined.map_or(0, |refined| std::ptr::from_ref(refined) as usize);
        if let Some(known) = self.known.get(&(address, origin.node)) {
            return *known;
        }
        let id = TypeId(self.types.len() as u32);
        self.known.insert((address, origin.node), id);
        self.types.push(Type { form: Form::Empty, is_deep: false, inside: None, size: None });
        self.origins.push(origin);
        let form = self.form(origin);
        self.types[id.0 as usize].form = form;
        id
    }

    fn form(&mut self, origin: Origin<'s>) -> Form {
        let sort = origin.refined.map(|refined| &refined.sort);
        match (self.space.view(origin.node), sort) {
            (NodeView::Leaf(leaf), _) => Form::Scalar(self.space.domain(leaf).clone()),
            (NodeView::Str(elements), _) => Form::Str(self.elements(elements, None)),
            (NodeView::Seq(elements), Some(Sort::Seq(element, _) | Sort::Set(element, _))) => {
                Form::Seq(self.elements(elements, Some(&**element)))
            }
            (NodeView::Seq(elements), Some(Sort::Map(key, value, _))) => {
                let pair = match self.space.view(elements.each) {
                    NodeView::Tuple(nodes) => [&**key, &**value]
                        .into_iter()
                        .zip(nodes)
                        .map(|(refined, node)| self.of(Origin { refined: Some(refined), node: *node }))
                        .collect(),
                    _ => Vec::new(),
                };
                let each = TypeId(self.types.len() as u32);
                let form = if pair.is_empty() { Form::Empty } else { Form::Tuple(pair) };
                self.types.push(Type { form, is_deep: false, inside: None, size: None });
                self.origins.push(Origin { refined: None, node: elements.each });
                let lens = elements.lens.clone();
                Form::Seq(Elements { lens, each, at: Vec::new(), collection: elements.collection })
            }
            (NodeView::Tuple(nodes), Some(Sort::Tuple(parts))) => {
                let parts = parts.iter().zip(nodes);
                Form::Tuple(
                    parts.map(|(part, node)| self.of(Origin { refined: Some(part), node: *node })).collect(),
                )
            }
            (NodeView::Data(ctors), Some(Sort::Data(id))) => {
                let data = self.spec.data(*id);
                let ctors = data.ctors.iter().zip(ctors);
                Form::Data(ctors.map(|(ctor, node)| self.ctor(ctor, node)).collect())
            }
            _ => Form::Empty,
        }
    }

    fn ctor(&mut self, ctor: &'s crate::logic::ir::Ctor, node: Option<CtorView<'s>>) -> Option<CtorType> {
        let node = node?;
        let fields = ctor.fields.iter().zip(node.fields);
        let fields =
            fields.map(|(field, node)| self.of(Origin { refined: Some(&field.refined), node: *node }));
        Some(CtorType { fields: fields.collect(), recursive: node.recursive })
    }

    fn elements(&mut self, nodes: &'s crate::space::Elements, element: Option<&'s Refined>) -> Elements {
        let at = nodes.at.iter();
        let at = at.map(|(index, node)| (*index, self.of(Origin { refined: element, node: *node })));
        let at = at.collect();
        let each = self.of(Origin { refined: element, node: nodes.each });
        Elements { lens: nodes.lens.clone(), each, at, collection: nodes.collection }
    }

    fn inner(&self, id: usize) -> Vec<TypeId> {
        inner(&self.types[id].form)
    }

    /// Marks the types that can contain a recursive constructor.
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

    /// Finds the scalars whose values all satisfy their clauses. These clauses don't become constraints: a comparison
    /// with a constant would prevent translation ([`crate::native::propagate::translation`]). A refined type is
    /// implied at all of its positions or at none, because the constraints on all elements of a list are read off one
    /// element.
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

    fn data_of(&self, id: usize) -> Option<&'s crate::logic::ir::Data> {
        match self.origins[id].refined.map(|refined| &refined.sort) {
            Some(Sort::Data(data)) => Some(self.spec.data(*data)),
            _ => None,
        }
    }
}

/// The terms for the slots of the fields around a value.
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

/// Whether a term contains Rust code or asks about a function, which only a harness can run.
pub fn has_rust(term: &Term) -> bool {
    let mut found = false;
    visit(term, &mut |term| found |= matches!(term, Term::Opaque(..) | Term::Ask(..)));
    found
}
