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

mod functions;
mod linear;
mod logic;
mod order;
mod quantifier;
mod sequence;
mod text;
mod total;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use functions::{Info, infos, kind_of_form};

use super::types::{Form, TypeId, Types};
use crate::cancel;
use crate::eval::{Halt, evaluate};
use crate::ir::{FunctionId, Term, for_children, map_children, visit};
use crate::value::Value;
use crate::wire::Wire;

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
    /// Measures that are the same as others on places of a type.
    pub same: HashMap<(FunctionId, TypeId), FunctionId>,
    fuel: u32,
    /// The terms without open places that the judge gave up on, as bytes.
    unknown: HashSet<Vec<u8>>,
}

/// What the judge makes of a condition without open places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// It holds.
    True,
    /// It doesn't, or is undefined.
    False,
    /// It takes the judge too much work, or more than is known here.
    Unknown,
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
        Reducer {
            types,
            slots: Vec::new(),
            functions,
            total: HashMap::new(),
            same: HashMap::new(),
            fuel: FUEL,
            unknown: HashSet::new(),
        }
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
        cancel::step();
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
            Term::Zip(a, b) => self.zip(a, b, env),
            Term::Map(..) | Term::Filter(..) | Term::Position(..) | Term::Fold { .. } => {
                self.with_closure(term, env)
            }
            _ => {
                let reduced = map_children(term, &mut |child, _| self.reduce(child, env, false));
                self.rebuilt(reduced, positive)
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
                Term::Construct(_, found, ref fields) if fields.iter().all(|field| self.is_total(field)) => {
                    boolean(found == ctor)
                }
                of => Term::IsCtor(Box::new(of), ctor),
            },
            Term::StrTest(..) | Term::Text(_) | Term::Chars(_) | Term::Matches(..) => self.text(term),
            term => self.sequence(term, positive),
        }
    }

    /// The value of a term without open places. Where the judge gives up, the term stays as it is: it is neither a value nor
    /// undefined, so nothing can be concluded from it.
    pub fn closed(&mut self, term: &Term) -> Term {
        // Asking the judge again would take as long again.
        if !self.unknown.is_empty() && self.unknown.contains(&term.to_bytes()) {
            return term.clone();
        }
        match evaluate(term, &self.types.functions, &self.types.regexes) {
            Ok(value) => Term::Lit(value),
            Err(Halt::Undefined) => Term::Undefined,
            Err(
                Halt::Unjudged
                | Halt::Panicked
                | Halt::TooLarge
                | Halt::Unbound
                | Halt::IllTyped
                | Halt::Unread,
            ) => {
                self.unknown.insert(term.to_bytes());
                term.clone()
            }
        }
    }

    /// Whether the judge gave up on some term.
    pub fn has_unknown(&self) -> bool {
        !self.unknown.is_empty()
    }

    /// Whether a condition without open places holds.
    pub fn truth_of_closed(&mut self, condition: &Term) -> Closed {
        match self.closed(condition) {
            Term::Lit(Value::Bool(true)) => Closed::True,
            Term::Lit(_) | Term::Undefined => Closed::False,
            _ => Closed::Unknown,
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
            return Term::Call(self.same_as(id, &args), args);
        }
        let mut env = Env::new(function.params.iter().copied().zip(args).collect());
        if let Some(decreases) = &function.decreases {
            match self.reduce(decreases, &mut env, false) {
                Term::Lit(Value::Int(n)) if n.is_negative() => return Term::Undefined,
                Term::Lit(_) => {}
                _ => return Term::Call(id, env.bound.into_iter().map(|(_, arg)| arg).collect()),
            }
        }
        self.fuel -= 1;
        self.reduce(&function.body, &mut env, positive)
    }

    /// The measure that stands for this one.
    fn same_as(&self, id: FunctionId, args: &[Term]) -> FunctionId {
        match args {
            [Term::Var(slot)] => {
                self.type_of(*slot).and_then(|of| self.same.get(&(id, of))).copied().unwrap_or(id)
            }
            _ => id,
        }
    }

    /// Whether a function gives an integer for one value.
    pub fn is_measure(&self, id: FunctionId) -> bool {
        let info = &self.functions[id.0 as usize];
        info.kind == Kind::Int && info.inspects.len() == 1
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
}

/// A value of a constructor, known altogether if its fields are.
pub fn constructed(data: crate::ir::DataId, ctor: u32, fields: Vec<Term>) -> Term {
    match literals(&fields) {
        Some(values) => Term::Lit(Value::Data(ctor, values)),
        None => Term::Construct(data, ctor, fields),
    }
}

/// A tuple, known altogether if its parts are.
pub fn tuple_of(parts: Vec<Term>) -> Term {
    match literals(&parts) {
        Some(values) => Term::Lit(Value::Tuple(values)),
        None => Term::Tuple(parts),
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
        Term::Range(low, high) => has_head(low) && has_head(high),
        _ => false,
    }
}
