//! Infers which scalars are compared with each other, and which are fixed by constants: union-find over the types of
//! scalars, through all functions.

use std::collections::HashMap;

use crate::logic::ir::{ArithOp, Closure, FunctionId, Term, for_children};
use crate::logic::value::Value;
use crate::native::plan::types::{Form, TypeId, Types};

/// The shape of a term, as far as scalars matter.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Not known yet.
    Open,
    /// An integer with this node.
    Int(usize),
    /// A value of a type.
    Of(TypeId),
    /// A sequence or set of elements with this shape.
    Seq(Box<Shape>),
    /// A value without relevant scalars.
    Other,
}

/// The node of all fixed scalars.
const TIED: usize = 0;

pub struct Inference<'t> {
    pub types: &'t Types,
    /// The parent of each node.
    above: Vec<usize>,
    /// The node of each scalar type.
    nodes: Vec<Option<usize>>,
    /// The shapes of the parameters and results of functions, by function and type of the first argument.
    pub calls: HashMap<(FunctionId, TypeId), (Vec<Shape>, Shape)>,
    changed: bool,
}

impl<'t> Inference<'t> {
    pub fn new(types: &'t Types) -> Inference<'t> {
        let mut above = vec![TIED];
        let nodes = types.ids().map(|id| match &types.get(id).form {
            Form::Scalar(domain) if matches!(domain.first(), Some(Value::Int(_))) => {
                above.push(above.len());
                Some(above.len() - 1)
            }
            _ => None,
        });
        let nodes = nodes.collect();
        Inference { types, above, nodes, calls: HashMap::new(), changed: false }
    }

    /// Includes the functions that conditions call on values of a type. Constants that their results are compared
    /// with are translated too.
    pub fn note(&mut self, conditions: &[&Term]) {
        let mut env: Vec<(u32, Shape)> =
            (0..).zip(&self.types.args).map(|(slot, of)| (slot, self.shape_of(*of))).collect();
        let mut calls = Vec::new();
        for condition in conditions {
            crate::logic::ir::visit(condition, &mut |term| {
                if let Term::Call(id, args) = term {
                    calls.push((*id, args.clone()));
                }
            });
        }
        for (id, args) in calls {
            if let Some(Term::Var(_) | Term::Field { .. } | Term::Project(..)) = args.first() {
                let mut shapes = vec![self.infer(&args[0], &mut env)];
                shapes.resize(args.len(), Shape::Open);
                self.call(id, shapes);
            }
        }
    }

    /// Infers shapes until nothing changes, from all functions `valid` and the functions that they call.
    pub fn run(&mut self) {
        loop {
            self.changed = false;
            for id in self.types.ids() {
                let of = self.types.get(id);
                for function in of.inside.iter().map(|(function, _)| *function).chain(of.size) {
                    let mut args = vec![self.shape_of(id)];
                    args.resize(self.types.functions[function.0 as usize].params.len(), Shape::Open);
                    self.call(function, args);
                }
            }
            let calls: Vec<(FunctionId, TypeId)> = self.calls.keys().copied().collect();
            let mut calls = calls;
            calls.sort();
            for call in calls {
                self.infer_body(call);
            }
            if !self.changed {
                return;
            }
        }
    }

    pub fn root(&self, mut node: usize) -> usize {
        while self.above[node] != node {
            node = self.above[node];
        }
        node
    }

    /// The group of a scalar type; `None` if it is fixed.
    pub fn group(&self, id: TypeId) -> Option<usize> {
        let root = self.root(self.nodes[id.0 as usize]?);
        (root != self.root(TIED)).then_some(root)
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            // The least node becomes the root, so that `TIED` stays a root.
            self.above[a.max(b)] = a.min(b);
            self.changed = true;
        }
    }

    fn shape_of(&self, id: TypeId) -> Shape {
        match (&self.types.get(id).form, self.nodes[id.0 as usize]) {
            (_, Some(node)) => Shape::Int(node),
            (Form::Scalar(_) | Form::Empty, None) => Shape::Other,
            _ => Shape::Of(id),
        }
    }

    /// Fixes all scalars in a value.
    fn tie(&mut self, shape: &Shape) {
        match shape {
            Shape::Open | Shape::Other => {}
            Shape::Int(node) => self.join(*node, TIED),
            Shape::Seq(inner) => self.tie(inner),
            Shape::Of(id) => {
                let (mut open, mut seen) = (vec![*id], vec![false; self.nodes.len()]);
                while let Some(id) = open.pop() {
                    if !std::mem::replace(&mut seen[id.0 as usize], true) {
                        if let Some(node) = self.nodes[id.0 as usize] {
                            self.join(node, TIED);
                        }
                        open.extend(self.types.inner(id));
                    }
                }
            }
        }
    }

    fn unify(&mut self, a: &Shape, b: &Shape) -> Shape {
        match (a, b) {
            (Shape::Open, other) | (other, Shape::Open) => other.clone(),
            (Shape::Int(a), Shape::Int(b)) => {
                self.join(*a, *b);
                Shape::Int(self.root(*a))
            }
            (Shape::Seq(a), Shape::Seq(b)) => Shape::Seq(Box::new(self.unify(a, b))),
            (a, b) if a == b => a.clone(),
            (Shape::Seq(inner), Shape::Of(id)) | (Shape::Of(id), Shape::Seq(inner)) => {
                match &self.types.get(*id).form {
                    Form::Seq(elements) => {
                        let each = self.shape_of(elements.each);
                        Shape::Seq(Box::new(self.unify(inner, &each)))
                    }
                    _ => self.tied(a, b),
                }
            }
            (a, b) => self.tied(a, b),
        }
    }

    fn tied(&mut self, a: &Shape, b: &Shape) -> Shape {
        self.tie(a);
        self.tie(b);
        Shape::Other
    }

    fn element(&mut self, shape: &Shape) -> Shape {
        match shape {
            Shape::Open => Shape::Open,
            Shape::Seq(inner) => (**inner).clone(),
            Shape::Of(id) => match &self.types.get(*id).form {
                Form::Seq(elements) => {
                    let each = self.shape_of(elements.each);
                    for (_, at) in &elements.at {
                        let at = self.shape_of(*at);
                        self.unify(&each, &at);
                    }
                    each
                }
                _ => Shape::Other,
            },
            Shape::Int(_) | Shape::Other => Shape::Other,
        }
    }

    /// The result of a call. The parameters' shapes are inferred with the function's body.
    fn call(&mut self, id: FunctionId, args: Vec<Shape>) -> Shape {
        let of = match args.first() {
            Some(Shape::Of(of)) => *of,
            Some(Shape::Open) => return Shape::Open,
            _ => {
                // The function is called on no value of a type. It may do arithmetic with its arguments.
                args.iter().for_each(|arg| self.tie(arg));
                return Shape::Int(TIED);
            }
        };
        let known = self.calls.get(&(id, of)).cloned();
        let (params, result) = known.unwrap_or_else(|| {
            self.changed = true;
            (vec![Shape::Open; args.len()], Shape::Open)
        });
        let unified: Vec<Shape> = params.iter().zip(&args).map(|(a, b)| self.unify(a, b)).collect();
        self.changed |= unified != params;
        self.calls.insert((id, of), (unified, result.clone()));
        result
    }

    fn infer_body(&mut self, call: (FunctionId, TypeId)) {
        let types = self.types;
        let function = &types.functions[call.0.0 as usize];
        let Some((params, before)) = self.calls.get(&call).cloned() else { return };
        let mut env: Vec<(u32, Shape)> = function.params.iter().copied().zip(params).collect();
        if let Some(decreases) = &function.decreases {
            let shape = self.infer(decreases, &mut env);
            self.tie(&shape);
        }
        let result = self.infer(&function.body, &mut env);
        let result = self.unify(&before, &result);
        self.changed |= result != before;
        if let Some((_, known)) = self.calls.get_mut(&call) {
            *known = result;
        }
    }

    fn closure(&mut self, closure: &Closure, element: Shape, env: &mut Vec<(u32, Shape)>) -> Shape {
        env.push((closure.slot, element));
        let shape = self.infer(&closure.body, env);
        env.pop();
        shape
    }

    fn infer(&mut self, term: &Term, env: &mut Vec<(u32, Shape)>) -> Shape {
        match term {
            Term::Var(slot) => {
                let bound = env.iter().rev().find(|(other, _)| other == slot);
                bound.map_or(Shape::Open, |(_, shape)| shape.clone())
            }
            Term::Lit(Value::Int(_)) => Shape::Int(TIED),
            Term::Lit(Value::Seq(parts)) if parts.is_empty() => Shape::Seq(Box::new(Shape::Open)),
            Term::Undefined => Shape::Open,
            Term::Lit(_) => Shape::Other,
            Term::Field { of, ctor, index } => {
                let of = self.infer(of, env);
                self.field(&of, *ctor, *index)
            }
            Term::Project(of, index) => {
                let of = self.infer(of, env);
                self.component(&of, *index)
            }
            Term::IsCtor(of, _) => {
                self.infer(of, env);
                Shape::Other
            }
            Term::If(condition, a, b) => {
                self.infer(condition, env);
                let (a, b) = (self.infer(a, env), self.infer(b, env));
                self.unify(&a, &b)
            }
            Term::Let { slot, value, body } => {
                let value = self.infer(value, env);
                env.push((*slot, value));
                let body = self.infer(body, env);
                env.pop();
                body
            }
            Term::Equal(a, b) | Term::Compare(_, a, b) => {
                let (a, b) = (self.infer(a, env), self.infer(b, env));
                self.unify(&a, &b);
                Shape::Other
            }
            Term::Arith(ArithOp::Min | ArithOp::Max, a, b) => {
                let (a, b) = (self.infer(a, env), self.infer(b, env));
                self.unify(&a, &b)
            }
            Term::Not(_) | Term::And(_) | Term::Or(_) => {
                for_children(term, &mut |child| {
                    self.infer(child, env);
                });
                Shape::Other
            }
            Term::Call(id, args) => {
                let args = args.iter().map(|arg| self.infer(arg, env)).collect();
                self.call(*id, args)
            }
            _ => self.infer_sequence(term, env),
        }
    }

    /// A field of a data value.
    fn field(&mut self, of: &Shape, ctor: u32, index: u32) -> Shape {
        let Shape::Of(of) = of else { return self.left_alone(of) };
        let Form::Data(ctors) = &self.types.get(*of).form else { return Shape::Other };
        match ctors.get(ctor as usize) {
            Some(Some(ctor)) => ctor.fields.get(index as usize).map_or(Shape::Other, |of| self.shape_of(*of)),
            _ => Shape::Open,
        }
    }

    /// A component of a tuple.
    fn component(&mut self, of: &Shape, index: u32) -> Shape {
        let Shape::Of(of) = of else { return self.left_alone(of) };
        let Form::Tuple(parts) = &self.types.get(*of).form else { return Shape::Other };
        parts.get(index as usize).map_or(Shape::Other, |of| self.shape_of(*of))
    }

    /// A part of a value that is unknown, or has no relevant scalars.
    fn left_alone(&mut self, shape: &Shape) -> Shape {
        match shape {
            Shape::Open => Shape::Open,
            shape => {
                self.tie(shape);
                Shape::Other
            }
        }
    }

    fn infer_sequence(&mut self, term: &Term, env: &mut Vec<(u32, Shape)>) -> Shape {
        match term {
            Term::Seq(parts) => Shape::Seq(Box::new(self.common(parts, env))),
            Term::Concat(parts) => self.common(parts, env),
            Term::SetOp(_, _, a, b) | Term::Subset(_, a, b) => {
                let (a, b) = (self.infer(a, env), self.infer(b, env));
                let shape = self.unify(&a, &b);
                if matches!(term, Term::Subset(..)) { Shape::Other } else { shape }
            }
            Term::Reverse(of) | Term::Collect(_, of) | Term::Entries(of) => self.infer(of, env),
            Term::Flatten(of) => {
                let of = self.infer(of, env);
                self.element(&of)
            }
            Term::Contains(of, wanted) => {
                let (of, wanted) = (self.infer(of, env), self.infer(wanted, env));
                let each = self.element(&of);
                self.unify(&each, &wanted);
                Shape::Other
            }
            Term::All(over, closure) | Term::Any(over, closure) => {
                let over = self.infer(over, env);
                let each = self.element(&over);
                self.closure(closure, each, env);
                Shape::Other
            }
            Term::Map(over, closure) => {
                let over = self.infer(over, env);
                let each = self.element(&over);
                Shape::Seq(Box::new(self.closure(closure, each, env)))
            }
            Term::Filter(over, closure) => {
                let over = self.infer(over, env);
                let each = self.element(&over);
                self.closure(closure, each, env);
                over
            }
            Term::Len(of) => {
                self.infer(of, env);
                Shape::Int(TIED)
            }
            Term::Distinct(of) | Term::IsSorted(of) => {
                self.infer(of, env);
                Shape::Other
            }
            _ => self.infer_other(term, env),
        }
    }

    /// The common shape of all terms.
    fn common(&mut self, terms: &[Term], env: &mut Vec<(u32, Shape)>) -> Shape {
        let mut common = Shape::Open;
        for term in terms {
            let shape = self.infer(term, env);
            common = self.unify(&common, &shape);
        }
        common
    }

    /// A term that may do anything with numbers.
    fn infer_other(&mut self, term: &Term, env: &mut Vec<(u32, Shape)>) -> Shape {
        let mut shapes = Vec::new();
        for_closures(term, &mut |closure_slots| {
            env.extend(closure_slots.iter().map(|slot| (*slot, Shape::Int(TIED))));
        });
        for_children(term, &mut |child| shapes.push(self.infer(child, env)));
        for_closures(term, &mut |closure_slots| env.truncate(env.len() - closure_slots.len()));
        shapes.iter().for_each(|shape| self.tie(shape));
        match term {
            Term::Arith(..) | Term::Neg(_) | Term::Abs(_) | Term::Sum(_) | Term::ToInt(_) => Shape::Int(TIED),
            Term::Machine(..) => Shape::Int(TIED),
            _ => Shape::Other,
        }
    }
}

/// Calls `f` with the slots that a closure binds, for terms that are not analysed.
fn for_closures(term: &Term, f: &mut dyn FnMut(&[u32])) {
    match term {
        Term::Position(_, closure, _) => f(&[closure.slot]),
        Term::Fold { acc, closure, .. } => f(&[*acc, closure.slot]),
        _ => {}
    }
}
