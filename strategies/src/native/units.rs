//! Which scalars are only ever compared with each other, so that all of them can be moved up or down together.
//!
//! The search trees with keys in `3..=7` are those with keys in `0..=4`, each key moved: nothing in their specs knows
//! one key from another. Where a state demands that all such scalars in a place lie in an interval, only the width of
//! the interval matters, and the state is found again for every interval of the width.
//!
//! Scalars are put into one group when they are compared; a group is tied down when one of its scalars meets a constant,
//! or arithmetic. (So are the units of measurement of a program inferred, see Kennedy 1997; here there is one unit that
//! has no zero.)

use std::collections::HashMap;

use super::problem::Place;
use super::reduce::MADE;
use super::types::{Form, TypeId, Types};
use crate::ir::{ArithOp, Closure, FunctionId, Term, for_children};
use crate::value::Value;

/// The group of scalars that states are moved by, and what is known of the functions about them.
#[derive(Debug)]
pub struct Units {
    /// Whether a type is a scalar of the group.
    keys: Vec<bool>,
    /// Whether a value of a type has such a scalar in it.
    has_keys: Vec<bool>,
    /// The least and the greatest of the domain that all of them have.
    ends: (i64, i64),
    /// For a function on a value of a type (as its first argument), whether each parameter is of the group.
    params: HashMap<(FunctionId, TypeId), Vec<bool>>,
    /// The functions that give all scalars of the group in a value of a type, and no others.
    elements: HashMap<(FunctionId, TypeId), bool>,
}

/// What a term stands for, as far as scalars matter.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    /// Not known yet.
    Open,
    /// An integer of this node.
    Int(usize),
    /// A value of a type.
    Of(TypeId),
    /// A sequence, or set, of such.
    Seq(Box<Shape>),
    /// Nothing that has scalars of interest.
    Other,
}

/// The node of what is tied down.
const TIED: usize = 0;

struct Inference<'t> {
    types: &'t Types,
    /// Union-find.
    above: Vec<usize>,
    /// The node of each scalar type.
    nodes: Vec<Option<usize>>,
    /// The shapes of the parameters and results of functions, by function and type of the first argument.
    calls: HashMap<(FunctionId, TypeId), (Vec<Shape>, Shape)>,
    changed: bool,
}

impl Units {
    /// Finds the group, if there is one that is worth it: the scalars of a type with more than one integer in its
    /// domain, inside a recursive type.
    pub fn of(types: &Types, conditions: &[&Term]) -> Option<Units> {
        let mut inference = Inference::new(types);
        inference.note(conditions);
        inference.run();
        let deep: Vec<TypeId> = types.ids().filter(|id| types.get(*id).is_deep).collect();
        let candidate = |id: TypeId| {
            let node = inference.nodes[id.0 as usize]?;
            let root = inference.root(node);
            (root != inference.root(TIED)).then_some(root)
        };
        let inside = |id: &TypeId| types.inner(*id).into_iter().find_map(candidate);
        let group = deep.iter().find_map(inside)?;
        let keys: Vec<bool> = types.ids().map(|id| candidate(id) == Some(group)).collect();
        let mut ends = None;
        for id in types.ids().filter(|id| keys[id.0 as usize]) {
            let own = contiguous(&types.get(id).form)?;
            if *ends.get_or_insert(own) != own {
                return None;
            }
        }
        let mut has_keys = keys.clone();
        loop {
            let before = has_keys.clone();
            for id in types.ids() {
                has_keys[id.0 as usize] |= types.inner(id).iter().any(|inner| before[inner.0 as usize]);
            }
            if before == has_keys {
                break;
            }
        }
        let is_key = |shape: &Shape| matches!(shape, Shape::Int(node) if inference.root(*node) == group);
        let params = inference.calls.iter().map(|(call, (params, result))| {
            let all = params.iter().chain([result]).map(is_key).collect();
            (*call, all)
        });
        let params = params.collect();
        Some(Units { keys, has_keys, ends: ends?, params, elements: HashMap::new() })
    }

    /// Whether a place is a scalar of the group.
    pub fn is_key(&self, of: TypeId) -> bool {
        self.keys[of.0 as usize]
    }

    /// How far a problem can be moved down, with its clauses moved; none if it can't be.
    pub fn moved(
        &mut self,
        types: &Types,
        places: &[(u32, Place)],
        clauses: &[&Term],
    ) -> Option<(i64, Vec<Term>)> {
        let [(slot, place)] = places else { return None };
        if !self.has_keys[place.of.0 as usize] || self.keys[place.of.0 as usize] {
            return None;
        }
        let (mut low, mut high) = self.ends;
        let mut covered = None;
        for clause in clauses {
            if let Some((function, from, to)) = self.interval(types, clause, *slot, place.of) {
                low = low.max(from.unwrap_or(low));
                high = high.min(to.unwrap_or(high));
                covered = Some(function);
            }
        }
        let by = low.checked_sub(self.ends.0)?;
        let mut moved = Vec::new();
        for clause in clauses {
            if self.interval(types, clause, *slot, place.of).is_none() {
                moved.push(self.moved_clause(clause, *slot, place.of, by)?);
            }
        }
        let function = covered?;
        if high < low {
            // No scalar of the group at all: wherever that is.
            (low, high) = (self.ends.0 + by, self.ends.0 + by - 1);
        }
        moved.push(between(function, *slot, low - by, high - by));
        Some((by, moved))
    }

    /// The interval that a clause demands of all scalars of the group in a place.
    fn interval(
        &mut self,
        types: &Types,
        clause: &Term,
        slot: u32,
        of: TypeId,
    ) -> Option<(FunctionId, Option<i64>, Option<i64>)> {
        let Term::All(over, closure) = clause else { return None };
        let Term::Call(function, args) = &**over else { return None };
        if closure.slot != MADE || args[..] != [Term::Var(slot)] || !self.gives_all(types, *function, of) {
            return None;
        }
        let parts = match &*closure.body {
            Term::And(parts) => &parts[..],
            part => std::slice::from_ref(part),
        };
        let (mut low, mut high) = (None, None);
        for part in parts {
            match part {
                Term::Compare(crate::ir::CompareOp::Le, a, b) => match (&**a, &**b) {
                    (Term::Lit(Value::Int(n)), Term::Var(MADE)) => low = Some(n.to_i64()?),
                    (Term::Var(MADE), Term::Lit(Value::Int(n))) => high = Some(n.to_i64()?),
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some((*function, low, high))
    }

    /// Whether a function gives all scalars of the group in a value of a type, each.
    fn gives_all(&mut self, types: &Types, function: FunctionId, of: TypeId) -> bool {
        if let Some(known) = self.elements.get(&(function, of)) {
            return *known;
        }
        self.elements.insert((function, of), true);
        let found = self.finds_all(types, function, of);
        if !found {
            self.elements.retain(|_, all| !*all);
            self.elements.insert((function, of), false);
        }
        found
    }

    fn finds_all(&mut self, types: &Types, id: FunctionId, of: TypeId) -> bool {
        let function = &types.functions[id.0 as usize];
        let Form::Data(ctors) = &types.get(of).form else { return false };
        let [param] = function.params[..] else { return false };
        for (index, ctor) in (0..).zip(ctors) {
            let Some(ctor) = ctor else { continue };
            let Some(body) = arm(&function.body, param, index) else { return false };
            let mut parts = Vec::new();
            if !flat(body, &mut parts) {
                return false;
            }
            for (field, of) in (0..).zip(&ctor.fields) {
                if !self.has_keys[of.0 as usize] {
                    continue;
                }
                let place = Term::Field { of: Box::new(Term::Var(param)), ctor: index, index: field };
                let gives = parts.iter().any(|part| match part {
                    Term::Call(inner, args) => {
                        args[..] == [place.clone()] && self.gives_all(types, *inner, *of)
                    }
                    part => self.keys[of.0 as usize] && **part == place,
                });
                if !gives {
                    return false;
                }
            }
        }
        true
    }

    /// A demand on a place, moved down; none if it can't be.
    fn moved_clause(&self, clause: &Term, slot: u32, of: TypeId, by: i64) -> Option<Term> {
        match clause {
            Term::IsCtor(of, _) => (**of == Term::Var(slot)).then(|| clause.clone()),
            // The elements are all of the group, or none is.
            Term::IsSorted(inner) => Some(Term::IsSorted(Box::new(self.moved_clause(inner, slot, of, by)?))),
            Term::Distinct(inner) => Some(Term::Distinct(Box::new(self.moved_clause(inner, slot, of, by)?))),
            Term::Not(inner) => Some(Term::Not(Box::new(self.moved_clause(inner, slot, of, by)?))),
            Term::Equal(call, value) if matches!(**value, Term::Lit(_)) => match &**call {
                Term::Call(id, _) => {
                    let is_key = self.params.get(&(*id, of))?.last().copied()?;
                    let call = self.moved_clause(call, slot, of, by)?;
                    let value = if is_key { moved_literal(value, by)? } else { (**value).clone() };
                    Some(Term::Equal(Box::new(call), Box::new(value)))
                }
                _ => None,
            },
            Term::Call(id, args) if args.first() == Some(&Term::Var(slot)) => {
                let params = self.params.get(&(*id, of))?;
                let rest = args.iter().zip(params).skip(1).map(|(arg, is_key)| match arg {
                    Term::Lit(Value::Int(_)) if *is_key => moved_literal(arg, by),
                    // A list might be one of keys.
                    Term::Lit(Value::Int(_) | Value::Bool(_)) => Some(arg.clone()),
                    _ => None,
                });
                let rest = rest.collect::<Option<Vec<Term>>>()?;
                Some(Term::Call(*id, std::iter::once(Term::Var(slot)).chain(rest).collect()))
            }
            _ => None,
        }
    }
}

fn moved_literal(term: &Term, by: i64) -> Option<Term> {
    match term {
        Term::Lit(Value::Int(n)) => Some(Term::Lit(Value::int(n.to_i64()?.checked_sub(by)?))),
        _ => None,
    }
}

fn between(function: FunctionId, slot: u32, low: i64, high: i64) -> Term {
    let le = |a, b| Term::Compare(crate::ir::CompareOp::Le, Box::new(a), Box::new(b));
    let lit = |n| Term::Lit(Value::int(n));
    let mut parts = vec![le(lit(low), Term::Var(MADE)), le(Term::Var(MADE), lit(high))];
    parts.sort_by_cached_key(crate::wire::Wire::to_bytes);
    let closure = Closure { slot: MADE, body: Box::new(Term::And(parts)) };
    Term::All(Box::new(Term::Call(function, vec![Term::Var(slot)])), closure)
}

/// What a function's body is where a parameter has a constructor.
fn arm(body: &Term, param: u32, ctor: u32) -> Option<&Term> {
    match body {
        Term::If(condition, a, b) => match &**condition {
            Term::IsCtor(of, found) if **of == Term::Var(param) => {
                if *found == ctor {
                    Some(&**a)
                } else {
                    arm(b, param, ctor)
                }
            }
            _ => None,
        },
        body => Some(body),
    }
}

/// The parts of a sequence put together of elements and calls; `false` if it is something else.
fn flat<'t>(term: &'t Term, parts: &mut Vec<&'t Term>) -> bool {
    match term {
        Term::Concat(inner) => inner.iter().all(|part| flat(part, parts)),
        Term::Flatten(of) => match &**of {
            Term::Seq(inner) => inner.iter().all(|part| flat(part, parts)),
            _ => false,
        },
        Term::Seq(elements) => {
            parts.extend(elements);
            true
        }
        Term::Lit(Value::Seq(elements)) => elements.is_empty(),
        Term::Call(..) => {
            parts.push(term);
            true
        }
        _ => false,
    }
}

/// The ends of a domain of integers without a gap.
fn contiguous(form: &Form) -> Option<(i64, i64)> {
    let Form::Scalar(domain) = form else { return None };
    let numbers = domain.iter().map(|value| if let Value::Int(n) = value { n.to_i64() } else { None });
    let numbers = numbers.collect::<Option<Vec<i64>>>()?;
    let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
    (high.checked_sub(low)? == numbers.len() as i64 - 1).then_some((low, high))
}

impl<'t> Inference<'t> {
    fn new(types: &'t Types) -> Inference<'t> {
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

    /// Functions that conditions call on values of a type are of interest, too; the constants that they compare their
    /// results with move along.
    fn note(&mut self, conditions: &[&Term]) {
        let mut env: Vec<(u32, Shape)> =
            (0..).zip(&self.types.args).map(|(slot, of)| (slot, self.shape_of(*of))).collect();
        let mut calls = Vec::new();
        for condition in conditions {
            crate::ir::visit(condition, &mut |term| {
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

    /// Infers until nothing changes: all functions that say what is valid, and those that they call.
    fn run(&mut self) {
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

    fn root(&self, mut node: usize) -> usize {
        while self.above[node] != node {
            node = self.above[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            // What is tied down is the root, as the least.
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

    /// Ties down all scalars in a value.
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

    /// The result of a call; what its parameters are is inferred when its body is.
    fn call(&mut self, id: FunctionId, args: Vec<Shape>) -> Shape {
        let of = match args.first() {
            Some(Shape::Of(of)) => *of,
            Some(Shape::Open) => return Shape::Open,
            _ => {
                // About no value of a type: whatever it does with its arguments is taken for arithmetic.
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
        self.changed |=
            unified.iter().zip(&params).any(|(new, old)| matches!(old, Shape::Open) && new != old);
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
        self.changed |= matches!(before, Shape::Open) && result != before;
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
            Term::Field { of, ctor, index } => match self.infer(of, env) {
                Shape::Of(of) => match &self.types.get(of).form {
                    Form::Data(ctors) => match ctors.get(*ctor as usize) {
                        Some(Some(ctor)) => {
                            ctor.fields.get(*index as usize).map_or(Shape::Other, |of| self.shape_of(*of))
                        }
                        _ => Shape::Open,
                    },
                    _ => Shape::Other,
                },
                shape => self.left_alone(&shape),
            },
            Term::Project(of, index) => match self.infer(of, env) {
                Shape::Of(of) => match &self.types.get(of).form {
                    Form::Tuple(parts) => {
                        parts.get(*index as usize).map_or(Shape::Other, |of| self.shape_of(*of))
                    }
                    _ => Shape::Other,
                },
                shape => self.left_alone(&shape),
            },
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

    /// A part of something that isn't known yet, or has no scalars that matter.
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
            Term::Seq(parts) => {
                let mut each = Shape::Open;
                for part in parts {
                    let part = self.infer(part, env);
                    each = self.unify(&each, &part);
                }
                Shape::Seq(Box::new(each))
            }
            Term::Concat(parts) => {
                let mut all = Shape::Open;
                for part in parts {
                    let part = self.infer(part, env);
                    all = self.unify(&all, &part);
                }
                all
            }
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
            // Everything else may do what it likes with numbers.
            _ => {
                let mut shapes = Vec::new();
                for_closures(term, &mut |closure_slots| {
                    env.extend(closure_slots.iter().map(|slot| (*slot, Shape::Int(TIED))));
                });
                for_children(term, &mut |child| shapes.push(self.infer(child, env)));
                for_closures(term, &mut |closure_slots| env.truncate(env.len() - closure_slots.len()));
                shapes.iter().for_each(|shape| self.tie(shape));
                match term {
                    Term::Arith(..) | Term::Neg(_) | Term::Abs(_) | Term::Sum(_) | Term::ToInt(_) => {
                        Shape::Int(TIED)
                    }
                    Term::Machine(..) => Shape::Int(TIED),
                    _ => Shape::Other,
                }
            }
        }
    }
}

/// The slots that a term's closure binds, of those terms that are not looked into.
fn for_closures(term: &Term, f: &mut dyn FnMut(&[u32])) {
    match term {
        Term::Position(_, closure, _) => f(&[closure.slot]),
        Term::Fold { acc, closure, .. } => f(&[*acc, closure.slot]),
        _ => {}
    }
}
