//! Terms over a partly known value, reduced as far as what is known decides.
//!
//! A place that is still open is a variable; once its constructor, length or scalar is chosen, the variable is replaced
//! and the terms around it are reduced again: measures unfold on constructors, quantifiers unroll over known lengths,
//! sums are solved for what is open, closed terms are evaluated by the judge. What remains is what the choices so far
//! demand of the open places: of `ordered(t, 0, 9)` and `t = Node(l, 4, r)` remain `ordered(l, 0, 4)` and
//! `ordered(r, 4, 9)`. Two sets of choices of which the same remains have the same futures; that is what makes states
//! (see [`super::state`]) few.
//!
//! The meaning is the judge's: a reduced term has the same value, and is undefined, on the same completions. Only
//! where a term is *positive*, so that undefined is as good as false, is false put for undefined.

mod linear;
mod logic;
mod sequence;
mod text;

use std::collections::HashMap;
use std::sync::Arc;

use super::types::{Form, TypeId, Types};
use crate::eval::evaluate;
use crate::ir::{ArithOp, Function, FunctionId, Term, for_children, map_children, visit};
use crate::value::Value;

/// The slot of the first open place; below are the spec's own slots.
pub const PLACE: u32 = 1 << 24;

/// Slots of closures made here; none is free in another.
pub const MADE: u32 = 1 << 23;

/// How many calls one term may unfold.
const FUEL: u32 = 20_000;

/// Of which sort a term is, as far as the engine cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `bool`
    Bool,
    /// An integer.
    Int,
    /// Another, or not known.
    Other,
}

/// The reduction of terms: what is known of functions and open places.
pub struct Reducer {
    /// The types of the places.
    pub types: Arc<Types>,
    /// The types of the open places, by slot from [`PLACE`] on.
    pub slots: Vec<TypeId>,
    functions: Vec<Info>,
    /// Whether a function is defined for all values of a type in a parameter; `true` while that is being found out.
    total: HashMap<(FunctionId, TypeId), bool>,
    fuel: u32,
}

/// What is known of a function.
#[derive(Clone, Debug)]
struct Info {
    /// For each parameter, whether it is taken apart.
    inspects: Vec<bool>,
    /// Whether it is taken apart here, not in a function that is called.
    itself: Vec<bool>,
    /// Whether it calls itself, through others maybe.
    recursive: bool,
    kind: Kind,
}

/// What slots stand for, innermost last.
#[derive(Default)]
pub struct Env {
    bound: Vec<(u32, Term)>,
    base: usize,
}

impl Env {
    /// These and no others.
    pub fn new(bound: Vec<(u32, Term)>) -> Env {
        Env { bound, base: 0 }
    }

    fn get(&self, slot: u32) -> Option<&Term> {
        self.bound[self.base..].iter().rev().find(|(other, _)| *other == slot).map(|(_, term)| term)
    }
}

impl Reducer {
    /// For terms over places of these types.
    pub fn new(types: Arc<Types>) -> Reducer {
        let functions = infos(&types.functions);
        Reducer { types, slots: Vec::new(), functions, total: HashMap::new(), fuel: FUEL }
    }

    /// An open place of a type.
    pub fn open(&mut self, of: TypeId) -> u32 {
        self.slots.push(of);
        PLACE + self.slots.len() as u32 - 1
    }

    /// The type of an open place.
    pub fn type_of(&self, slot: u32) -> Option<TypeId> {
        slot.checked_sub(PLACE).and_then(|index| self.slots.get(index as usize)).copied()
    }

    /// A condition with slots replaced, reduced; where it is undefined it is false.
    pub fn condition(&mut self, term: &Term, env: &mut Env) -> Term {
        self.fuel = FUEL;
        match self.reduce(term, env, true) {
            Term::Undefined => boolean(false),
            term => term,
        }
    }

    /// Any term with slots replaced, reduced.
    pub fn term(&mut self, term: &Term, env: &mut Env) -> Term {
        self.fuel = FUEL;
        self.reduce(term, env, false)
    }

    fn reduce(&mut self, term: &Term, env: &mut Env, positive: bool) -> Term {
        match term {
            Term::Var(slot) => env.get(*slot).cloned().unwrap_or(Term::Var(*slot)),
            Term::Lit(_) | Term::Undefined => term.clone(),
            Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..) | Term::Let { .. } => {
                self.connective(term, env, positive)
            }
            Term::All(over, closure) => self.quantified(true, over, closure, env, positive),
            Term::Any(over, closure) => self.quantified(false, over, closure, env, positive),
            Term::Call(id, args) => {
                let args = args.iter().map(|arg| self.reduce(arg, env, false)).collect();
                self.call(*id, args, positive)
            }
            Term::Map(..) | Term::Filter(..) | Term::Position(..) | Term::Fold { .. } => {
                self.with_closure(term, env)
            }
            _ => {
                let reduced = map_children(term, &mut |child, _| Some(self.reduce(child, env, false)));
                self.rebuilt(reduced.unwrap_or(Term::Undefined), positive)
            }
        }
    }

    /// A term without binders whose sub-terms are reduced.
    fn rebuilt(&mut self, term: Term, positive: bool) -> Term {
        let (mut closed, mut undefined) = (true, false);
        for_children(&term, &mut |child| {
            closed &= match child {
                Term::Range(low, high) => matches!((&**low, &**high), (Term::Lit(_), Term::Lit(_))),
                child => matches!(child, Term::Lit(_)),
            };
            undefined |= matches!(child, Term::Undefined);
        });
        if undefined {
            return Term::Undefined;
        }
        // A range may be far too long to be a value.
        let is_range = match &term {
            Term::Range(..) => return term,
            Term::Contains(of, _) | Term::Len(of) => matches!(**of, Term::Range(..)),
            _ => false,
        };
        if closed && !is_range {
            return self.closed(&term);
        }
        match term {
            Term::Equal(a, b) => self.equal(*a, *b, positive),
            Term::Compare(op, a, b) => self.compare(op, *a, *b, positive),
            Term::Arith(..) | Term::Neg(_) => self.sum_of(term),
            Term::Project(of, index) => self.part(*of, None, index),
            Term::Field { of, ctor, index } => self.part(*of, Some(ctor), index),
            Term::IsCtor(of, ctor) => match *of {
                Term::Construct(_, found, _) => boolean(found == ctor),
                of => Term::IsCtor(Box::new(of), ctor),
            },
            Term::StrTest(..) | Term::Text(_) | Term::Chars(_) | Term::Matches(..) => self.text(term),
            term => self.sequence(term, positive),
        }
    }

    /// The value of a term without open places.
    fn closed(&self, term: &Term) -> Term {
        match evaluate(term, &self.types.functions, &self.types.regexes) {
            Some(value) => Term::Lit(value),
            None => Term::Undefined,
        }
    }

    /// A part of a value, and what else is there is given up.
    fn part(&mut self, of: Term, ctor: Option<u32>, index: u32) -> Term {
        let parts = match &of {
            Term::Tuple(parts) if ctor.is_none() => Some(parts),
            Term::Construct(_, found, _) if ctor.is_some_and(|ctor| ctor != *found) => {
                return Term::Undefined;
            }
            Term::Construct(_, _, parts) => Some(parts),
            _ => None,
        };
        if let Some(parts) = parts
            && let Some(part) = parts.get(index as usize)
            && parts.iter().enumerate().all(|(i, other)| i == index as usize || self.is_total(other))
        {
            return part.clone();
        }
        let of = Box::new(of);
        match ctor {
            Some(ctor) => Term::Field { of, ctor, index },
            None => Term::Project(of, index),
        }
    }

    /// A call, unfolded where all that the function takes apart is there.
    fn call(&mut self, id: FunctionId, args: Vec<Term>, positive: bool) -> Term {
        if args.iter().any(|arg| matches!(arg, Term::Undefined)) {
            return Term::Undefined;
        }
        if args.iter().all(|arg| matches!(arg, Term::Lit(_))) {
            return self.closed(&Term::Call(id, args));
        }
        let info = &self.functions[id.0 as usize];
        let recursive = info.recursive;
        // A function that only hands its arguments on can make room for those that take them apart.
        let needed = if recursive { &info.inspects } else { &info.itself };
        let known = self.types.conditions.contains(&id)
            || args.iter().zip(needed).all(|(arg, needed)| !needed || has_head(arg));
        let functions = self.types.functions.clone();
        let function = &functions[id.0 as usize];
        if !known || self.fuel == 0 || args.len() != function.params.len() || !self.can_bind(recursive, &args)
        {
            return Term::Call(id, args);
        }
        let mut env = Env::new(function.params.iter().copied().zip(args).collect());
        if let Some(decreases) = &function.decreases {
            match self.reduce(decreases, &mut env, false) {
                Term::Lit(Value::Int(n)) if n.is_negative() => return Term::Undefined,
                Term::Lit(_) => {}
                _ if recursive => return Term::Call(id, env.bound.into_iter().map(|(_, arg)| arg).collect()),
                _ => {}
            }
        }
        self.fuel -= 1;
        self.reduce(&function.body, &mut env, positive)
    }

    /// Whether arguments may stand in a body in the place of parameters: what the body doesn't look at must be
    /// defined all the same.
    fn can_bind(&mut self, recursive: bool, args: &[Term]) -> bool {
        let is_open = |arg: &Term| {
            let mut open = false;
            visit(arg, &mut |term| open |= matches!(term, Term::Var(slot) if *slot < PLACE));
            open
        };
        // What a closure binds could be bound once more inside of a function that calls itself.
        (!recursive || !args.iter().any(is_open)) && args.iter().all(|arg| self.is_total(arg))
    }

    /// Of which sort a term is.
    pub fn kind(&self, term: &Term) -> Kind {
        match term {
            Term::Lit(Value::Int(_)) => Kind::Int,
            Term::Var(slot) => self.type_of(*slot).map_or(Kind::Other, |of| self.kind_of_type(of)),
            Term::Call(id, _) => self.functions[id.0 as usize].kind,
            Term::Field { of, ctor, index } => {
                match (&**of, self.type_at(of).map(|of| &self.types.get(of).form)) {
                    (_, Some(Form::Data(ctors))) => match ctors.get(*ctor as usize) {
                        Some(Some(ctor)) => {
                            ctor.fields.get(*index as usize).map_or(Kind::Other, |of| self.kind_of_type(*of))
                        }
                        _ => Kind::Other,
                    },
                    _ => Kind::Other,
                }
            }
            Term::If(_, a, b) => match self.kind(a) {
                Kind::Other => self.kind(b),
                kind => kind,
            },
            term => kind_of_form(term),
        }
    }

    fn kind_of_type(&self, of: TypeId) -> Kind {
        match &self.types.get(of).form {
            Form::Scalar(domain) => match domain.first() {
                Some(Value::Int(_)) => Kind::Int,
                Some(Value::Bool(_)) => Kind::Bool,
                _ => Kind::Other,
            },
            _ => Kind::Other,
        }
    }

    /// The type of a part of an open place.
    pub fn type_at(&self, term: &Term) -> Option<TypeId> {
        match term {
            Term::Var(slot) => self.type_of(*slot),
            Term::Field { of, ctor, index } => match &self.types.get(self.type_at(of)?).form {
                Form::Data(ctors) => {
                    ctors.get(*ctor as usize)?.as_ref()?.fields.get(*index as usize).copied()
                }
                _ => None,
            },
            Term::Project(of, index) => match &self.types.get(self.type_at(of)?).form {
                Form::Tuple(parts) => parts.get(*index as usize).copied(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a term has a value whatever the open places hold.
    pub fn is_total(&mut self, term: &Term) -> bool {
        self.is_total_where(term, &mut Vec::new())
    }

    /// [`Reducer::is_total`] where terms are known to have, or not to have, a constructor.
    fn is_total_where(&mut self, term: &Term, known: &mut Vec<(Term, u32, bool)>) -> bool {
        match term {
            Term::Var(_) | Term::Lit(_) => true,
            Term::Undefined | Term::Index(..) | Term::Slice(..) | Term::Opaque(..) | Term::Machine(..) => {
                false
            }
            Term::Arith(ArithOp::Div | ArithOp::Rem | ArithOp::DivEuclid | ArithOp::RemEuclid, a, b) => {
                matches!(&**b, Term::Lit(Value::Int(n)) if !n.is_zero()) && self.is_total_where(a, known)
            }
            Term::Arith(ArithOp::Pow, ..) => false,
            Term::If(condition, a, b) => {
                if !self.is_total_where(condition, known) {
                    return false;
                }
                let Term::IsCtor(of, ctor) = &**condition else {
                    return self.is_total_where(a, known) && self.is_total_where(b, known);
                };
                let depth = known.len();
                known.push(((**of).clone(), *ctor, true));
                let then = self.is_total_where(a, known);
                known.truncate(depth);
                known.push(((**of).clone(), *ctor, false));
                let total = then && self.is_total_where(b, known);
                known.truncate(depth);
                total
            }
            Term::Field { of, ctor, .. } => self.is_total_where(of, known) && self.must_be(of, *ctor, known),
            Term::Call(id, args) => {
                args.iter().all(|arg| self.is_total_where(arg, known)) && self.is_total_call(*id, args)
            }
            _ => {
                let mut total = true;
                for_children(term, &mut |child| total = total && self.is_total_where(child, known));
                total
            }
        }
    }

    /// Whether an open place can only have this constructor.
    fn must_be(&self, of: &Term, ctor: u32, known: &[(Term, u32, bool)]) -> bool {
        if known.iter().any(|(term, found, is)| *is && *found == ctor && term == of) {
            return true;
        }
        let Some(Form::Data(ctors)) = self.type_at(of).map(|of| &self.types.get(of).form) else {
            return false;
        };
        (0..).zip(ctors).all(|(other, place)| {
            other == ctor
                || place.is_none()
                || known.iter().any(|(term, found, is)| !is && *found == other && term == of)
        })
    }

    /// Whether a function is defined for all values of an open place, whatever its other arguments are.
    fn is_total_call(&mut self, id: FunctionId, args: &[Term]) -> bool {
        let functions = self.types.functions.clone();
        let function = &functions[id.0 as usize];
        if function.decreases.is_some() {
            return false;
        }
        let inspects = self.functions[id.0 as usize].inspects.clone();
        let inspected: Vec<usize> = (0..args.len()).filter(|at| inspects.get(*at) == Some(&true)).collect();
        let [at] = inspected[..] else { return inspected.is_empty() && self.is_total_body(function, args) };
        let Some(of) = self.type_at(&args[at]) else { return false };
        if let Some(known) = self.total.get(&(id, of)) {
            return *known;
        }
        self.total.insert((id, of), true);
        let n_slots = self.slots.len();
        let total = self.heads(of).into_iter().all(|head| {
            let mut args: Vec<Term> = args.to_vec();
            // Whatever the other arguments are: a variable that nothing is known of.
            (0u32..)
                .zip(&mut args)
                .filter(|(i, _)| *i as usize != at)
                .for_each(|(i, arg)| *arg = Term::Var(MADE + 64 + i));
            args[at] = head;
            self.is_total_body(function, &args)
        });
        self.slots.truncate(n_slots);
        // Only now is it known of those that relied on it, too.
        if !total {
            self.total.retain(|_, total| !*total);
            self.total.insert((id, of), false);
        }
        total
    }

    fn is_total_body(&mut self, function: &Function, args: &[Term]) -> bool {
        let mut env = Env::new(function.params.iter().copied().zip(args.iter().cloned()).collect());
        let fuel = std::mem::replace(&mut self.fuel, 64);
        let body = self.reduce(&function.body, &mut env, false);
        self.fuel = fuel;
        self.is_total(&body)
    }

    /// The ways to begin a value of a type, their parts open; a few lengths stand for all.
    fn heads(&mut self, of: TypeId) -> Vec<Term> {
        let types = self.types.clone();
        match &types.get(of).form {
            Form::Empty | Form::Scalar(_) => vec![Term::Var(self.open(of))],
            Form::Tuple(parts) => {
                vec![Term::Tuple(parts.iter().map(|of| Term::Var(self.open(*of))).collect())]
            }
            Form::Data(ctors) => {
                let ctors = (0..).zip(ctors).filter_map(|(index, ctor)| Some((index, ctor.as_ref()?)));
                let data = crate::ir::DataId(0);
                ctors
                    .map(|(index, ctor)| {
                        let fields = ctor.fields.iter().map(|of| Term::Var(self.open(*of))).collect();
                        constructed(data, index, fields)
                    })
                    .collect()
            }
            Form::Str(elements) | Form::Seq(elements) => {
                let is_text = matches!(types.get(of).form, Form::Str(_));
                let lens = elements.lens.iter().take(4);
                lens.map(|len| {
                    let parts = (0..*len).map(|i| Term::Var(self.open(elements.at(i)))).collect();
                    if is_text { text_of(parts) } else { seq_of(parts) }
                })
                .collect()
            }
        }
    }
}

/// A value of a constructor, known altogether if its fields are.
pub fn constructed(data: crate::ir::DataId, ctor: u32, fields: Vec<Term>) -> Term {
    match literals(&fields) {
        Some(values) => Term::Lit(Value::Data(ctor, values)),
        None => Term::Construct(data, ctor, fields),
    }
}

/// A sequence, known altogether if its elements are.
pub fn seq_of(parts: Vec<Term>) -> Term {
    match literals(&parts) {
        Some(values) => Term::Lit(Value::Seq(values)),
        None => Term::Seq(parts),
    }
}

/// A string of characters.
pub fn text_of(parts: Vec<Term>) -> Term {
    match literals(&parts) {
        Some(values) => {
            let chars = values.iter().filter_map(|c| if let Value::Char(c) = c { Some(*c) } else { None });
            Term::Lit(Value::Str(chars.collect::<String>().into()))
        }
        None => Term::Text(Box::new(Term::Seq(parts))),
    }
}

fn literals(terms: &[Term]) -> Option<Arc<[Value]>> {
    terms.iter().map(|term| if let Term::Lit(value) = term { Some(value.clone()) } else { None }).collect()
}

/// The literal of a bool.
pub fn boolean(truth: bool) -> Term {
    Term::Lit(Value::Bool(truth))
}

/// The literal of an integer.
pub fn integer(n: i128) -> Term {
    Term::Lit(Value::int(n))
}

/// Whether the outermost part of a value is there.
fn has_head(term: &Term) -> bool {
    match term {
        Term::Lit(_) | Term::Construct(..) | Term::Tuple(_) | Term::Seq(_) => true,
        Term::Text(of) => has_head(of),
        _ => false,
    }
}

fn kind_of_form(term: &Term) -> Kind {
    match term {
        Term::Not(_)
        | Term::And(_)
        | Term::Or(_)
        | Term::Equal(..)
        | Term::Compare(..)
        | Term::IsCtor(..)
        | Term::Contains(..)
        | Term::All(..)
        | Term::Any(..)
        | Term::Distinct(_)
        | Term::IsSorted(_)
        | Term::CharIs(..)
        | Term::StrTest(..)
        | Term::Matches(..)
        | Term::Subset(..)
        | Term::Lit(Value::Bool(_)) => Kind::Bool,
        Term::Lit(Value::Int(_))
        | Term::Arith(..)
        | Term::Neg(_)
        | Term::Abs(_)
        | Term::ToInt(_)
        | Term::Len(_)
        | Term::Sum(_) => Kind::Int,
        _ => Kind::Other,
    }
}

/// Finds out what parameters functions take apart, and which call themselves.
fn infos(functions: &[Function]) -> Vec<Info> {
    let mut infos: Vec<Info> = functions
        .iter()
        .map(|function| Info {
            inspects: vec![false; function.params.len()],
            itself: function.params.iter().map(|slot| takes_apart(&function.body, *slot, &[])).collect(),
            recursive: false,
            kind: Kind::Other,
        })
        .collect();
    loop {
        let mut changed = false;
        for (index, function) in functions.iter().enumerate() {
            for (at, slot) in function.params.iter().enumerate() {
                if !infos[index].inspects[at] && takes_apart(&function.body, *slot, &infos) {
                    infos[index].inspects[at] = true;
                    changed = true;
                }
            }
            let kind = kind_of_body(&function.body, &infos);
            changed |= kind != infos[index].kind;
            infos[index].kind = kind;
        }
        if !changed {
            break;
        }
    }
    let calls: Vec<Vec<usize>> = functions.iter().map(|function| callees(&function.body)).collect();
    for (index, info) in infos.iter_mut().enumerate() {
        let (mut seen, mut open) = (vec![false; functions.len()], calls[index].clone());
        while let Some(callee) = open.pop() {
            if !std::mem::replace(&mut seen[callee], true) {
                open.extend(&calls[callee]);
            }
        }
        info.recursive = seen[index];
    }
    infos
}

fn callees(term: &Term) -> Vec<usize> {
    let mut found = Vec::new();
    visit(term, &mut |term| {
        if let Term::Call(id, _) = term {
            found.push(id.0 as usize);
        }
    });
    found
}

fn kind_of_body(term: &Term, infos: &[Info]) -> Kind {
    match term {
        Term::If(_, a, b) => match kind_of_body(a, infos) {
            Kind::Other => kind_of_body(b, infos),
            kind => kind,
        },
        Term::Let { body, .. } => kind_of_body(body, infos),
        Term::Call(id, _) => infos[id.0 as usize].kind,
        term => kind_of_form(term),
    }
}

/// Whether a term looks into what a slot holds.
fn takes_apart(term: &Term, slot: u32, infos: &[Info]) -> bool {
    let mut found = false;
    visit(term, &mut |term| {
        let passes = matches!(
            term,
            Term::Not(_)
                | Term::And(_)
                | Term::Or(_)
                | Term::If(..)
                | Term::Let { .. }
                | Term::Equal(..)
                | Term::Compare(..)
                | Term::Arith(..)
                | Term::Neg(_)
                | Term::Abs(_)
                | Term::FloatArith(..)
                | Term::FloatUnary(..)
                | Term::Machine(..)
                | Term::IntToFloat(..)
                | Term::ToInt(_)
                | Term::Tuple(_)
                | Term::Seq(_)
                | Term::Construct(..)
                | Term::CharIs(..)
                | Term::Opaque(..)
        );
        match term {
            Term::Call(id, args) => {
                let inspects = infos.get(id.0 as usize).map_or(&[][..], |info| &info.inspects);
                found |=
                    args.iter().zip(inspects).any(|(arg, inspects)| *inspects && *arg == Term::Var(slot));
            }
            Term::All(..) | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Position(..) => {
                let mut first = true;
                for_children(term, &mut |child| {
                    found |= std::mem::take(&mut first) && *child == Term::Var(slot);
                });
            }
            Term::Contains(of, _)
            | Term::MapGet(of, ..)
            | Term::MapWithout(of, _)
            | Term::MapWith(of, ..) => {
                found |= **of == Term::Var(slot);
            }
            Term::Fold { over, .. } => found |= **over == Term::Var(slot),
            Term::Index(of, _) | Term::Slice(of, ..) => found |= **of == Term::Var(slot),
            Term::Var(_) | Term::Lit(_) | Term::Undefined => {}
            _ if passes => {}
            _ => {
                for_children(term, &mut |child| found |= *child == Term::Var(slot));
            }
        }
    });
    found
}
