//! Reduces terms over partly known values as far as the known parts allow.
//!
//! An open hole is a variable. Once its constructor, length or scalar is chosen, the variable is replaced and the
//! terms that contain it are reduced again: measures unfold on constructors, quantifiers unroll over known lengths,
//! sums are solved for their open parts, and the judge evaluates closed terms. The result is the constraint that the
//! choices so far put on the open holes. For example, `ordered(t, 0, 9)` with `t = Node(l, 4, r)` becomes `ordered(l,
//! 0, 4)` and `ordered(r, 4, 9)`. Two sets of choices with equal results have the same solutions. So there are few
//! states (see [`crate::native::count::state`]).
//!
//! The judge defines the meaning: on every completion, a reduced term has the same value, or is undefined, like the
//! original. Only at *positive* positions, where undefined counts as false, an undefined term may become false.

#![warn(clippy::wildcard_enum_match_arm)]

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

use functions::{Info, KindSource, infos, kind_of_value, kind_source};

use crate::cancel;
use crate::logic::codec::Codec;
use crate::logic::eval::{Halt, evaluate};
use crate::logic::ir::{FunctionId, Term, for_children, map_children, visit};
use crate::logic::value::Value;
use crate::native::plan::problem::FIRST_HOLE;
use crate::native::plan::types::{Form, TypeId, Types};

/// Maximum number of calls unfolded in one term. It stops endless recursion.
const FUEL: u32 = 20_000;

/// The sort of a term, as far as the engine needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `bool`
    Bool,
    /// An integer.
    Int,
    /// Another sort, or unknown.
    Other,
}

/// Reduces terms, and caches facts about functions and undecided terms.
#[derive(Clone)]
pub struct Reducer {
    /// The types of the space.
    pub types: Arc<Types>,
    /// The types of the open holes, by slot from [`FIRST_HOLE`] on.
    pub slots: Vec<TypeId>,
    functions: Vec<Info>,
    /// Whether a function is defined for all values of a type at a parameter; `true` while that is being computed.
    total: HashMap<(FunctionId, TypeId), bool>,
    /// Measures that equal another measure on holes of a type.
    pub same: HashMap<(FunctionId, TypeId), FunctionId>,
    fuel: u32,
    /// Closed terms that the judge left undecided, as bytes.
    unknown: HashSet<Vec<u8>>,
}

/// The judge's result for a condition without open holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// It holds.
    True,
    /// It doesn't hold, or is undefined.
    False,
    /// It takes the judge too much work, or needs facts that are unknown here.
    Undecided,
}

/// The terms that slots stand for, innermost last.
#[derive(Default)]
pub struct Env {
    bound: Vec<(u32, Term)>,
    base: usize,
}

impl Env {
    /// Only these bindings.
    pub fn new(bound: Vec<(u32, Term)>) -> Env {
        Env { bound, base: 0 }
    }

    fn get(&self, slot: u32) -> Option<&Term> {
        self.bound[self.base..].iter().rev().find(|(other, _)| *other == slot).map(|(_, term)| term)
    }
}

impl Reducer {
    /// A reducer for terms over holes of these types.
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

    /// Adds an open hole of a type.
    pub fn open(&mut self, of: TypeId) -> u32 {
        self.slots.push(of);
        FIRST_HOLE + self.slots.len() as u32 - 1
    }

    /// The type of an open hole.
    pub fn type_of(&self, slot: u32) -> Option<TypeId> {
        slot.checked_sub(FIRST_HOLE).and_then(|index| self.slots.get(index as usize)).copied()
    }

    /// Replaces slots in a condition and reduces it. An undefined condition is false.
    pub fn condition(&mut self, term: &Term, env: &mut Env) -> Term {
        self.fuel = FUEL;
        let reduced = self.reduce(term, env, true);
        if matches!(reduced, Term::Undefined) { boolean(false) } else { reduced }
    }

    /// Replaces slots in a term and reduces it.
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
            #[rustfmt::skip]
            Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_) | Term::Abs(_)
            | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..) | Term::IntToFloat(..)
            | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..) | Term::Project(..)
            | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Index(..) | Term::Slice(..)
            | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..) | Term::Windows(..)
            | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..) | Term::Matches(..)
            | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::Sum(_) | Term::Extreme { .. } | Term::Distinct(_)
            | Term::IsSorted(_) | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_)
            | Term::Keys(_) | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..)
            | Term::Opaque(..) | Term::Ask(..) => {
                let reduced = map_children(term, &mut |child, _| self.reduce(child, env, false));
                self.rebuilt(reduced, positive)
            }
        }
    }

    /// Reduces a term without binders whose subterms are reduced.
    fn rebuilt(&mut self, term: Term, positive: bool) -> Term {
        let (mut closed, mut undefined) = (true, false);
        for_children(&term, &mut |child| {
            closed &= if let Term::Range(low, high) = child {
                matches!((&**low, &**high), (Term::Lit(_), Term::Lit(_)))
            } else {
                matches!(child, Term::Lit(_))
            };
            undefined |= matches!(child, Term::Undefined);
        });
        if undefined {
            return Term::Undefined;
        }
        if closed && !is_about_range(&term) && !matches!(term, Term::Ask(..)) {
            return self.closed(&term);
        }
        match term {
            Term::Equal(a, b) => self.equal(*a, *b, positive),
            Term::Compare(op, a, b) => self.compare(op, *a, *b, positive),
            Term::Arith(..) | Term::Neg(_) => self.sum_of(term),
            Term::Project(of, index) => self.part(*of, None, index),
            Term::Field { of, ctor, index } => self.part(*of, Some(ctor), index),
            Term::IsCtor(of, ctor) => {
                if let Term::Construct(_, found, fields) = &*of
                    && fields.iter().all(|field| self.is_total(field))
                {
                    return boolean(*found == ctor);
                }
                Term::IsCtor(of, ctor)
            }
            Term::StrTest(..) | Term::Text(_) | Term::Chars(_) | Term::Matches(..) | Term::TextOp(..) => {
                self.text(term)
            }
            #[rustfmt::skip]
            Term::Seq(_) | Term::Construct(..) | Term::Concat(_) | Term::Len(_) | Term::Sum(_)
            | Term::Entries(_) | Term::Keys(_) | Term::Index(..) | Term::Slice(..) | Term::Reverse(_) | Term::Flatten(_)
            | Term::Windows(..) | Term::Zip(..) | Term::Contains(..) | Term::Distinct(_) | Term::IsSorted(_)
            | Term::Extreme { .. } | Term::MapGet(..) => self.sequence(term, positive),
            // No rule reduces these before all their parts are known, or reduction doesn't come here with them.
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
            | Term::Let { .. } | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..)
            | Term::Machine(..) | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Range(..)
            | Term::Bytes(_) | Term::StrFind(..) | Term::All(..) | Term::Any(..) | Term::Map(..)
            | Term::Filter(..) | Term::Fold { .. } | Term::Position(..) | Term::Collect(..)
            | Term::SetOp(..) | Term::Subset(..) | Term::MapWith(..)
            | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..) | Term::Opaque(..)
            | Term::Ask(..) | Term::Undefined => term,
        }
    }

    /// The value of a term without open holes. An undecided term stays as it is: it is neither a value nor undefined,
    /// so nothing can be inferred from it.
    pub fn closed(&mut self, term: &Term) -> Term {
        // A second call of the judge would take as long.
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

    /// Whether the judge left some term undecided.
    pub fn has_undecided(&self) -> bool {
        !self.unknown.is_empty()
    }

    /// Whether a condition without open holes holds.
    pub fn truth_of_closed(&mut self, condition: &Term) -> Closed {
        let value = self.closed(condition);
        if value == boolean(true) {
            Closed::True
        } else if matches!(value, Term::Lit(_) | Term::Undefined) {
            Closed::False
        } else {
            Closed::Undecided
        }
    }

    /// A part of a value. The other parts are dropped.
    pub(super) fn part(&mut self, of: Term, ctor: Option<u32>, index: u32) -> Term {
        let parts = match (&of, ctor) {
            (Term::Tuple(parts), None) => Some(parts),
            (Term::Construct(_, found, _), Some(ctor)) if ctor != *found => return Term::Undefined,
            (Term::Construct(_, _, parts), _) => Some(parts),
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

    /// A call, unfolded if everything that the function takes apart is known.
    fn call(&mut self, id: FunctionId, args: Vec<Term>, positive: bool) -> Term {
        if args.iter().any(|arg| matches!(arg, Term::Undefined)) {
            return Term::Undefined;
        }
        if args.iter().all(|arg| matches!(arg, Term::Lit(_))) {
            return self.closed(&Term::Call(id, args));
        }
        let info = &self.functions[id.0 as usize];
        let recursive = info.recursive;
        // A function that only passes its arguments on is unfolded too, because the functions that it calls may take
        // them apart.
        let needed = if recursive { &info.inspects } else { &info.itself };
        let known = self.types.conditions.contains(&id)
            || args.iter().zip(needed).all(|(arg, needed)| !needed || has_constructor(arg));
        let functions = self.types.functions.clone();
        let function = &functions[id.0 as usize];
        if !known || self.fuel == 0 || args.len() != function.params.len() || !self.can_bind(recursive, &args)
        {
            return Term::Call(self.same_as(id, &args), args);
        }
        let mut env = Env::new(function.params.iter().copied().zip(args).collect());
        if let Some(decreases) = &function.decreases {
            let Term::Lit(measured) = self.reduce(decreases, &mut env, false) else {
                return Term::Call(id, env.bound.into_iter().map(|(_, arg)| arg).collect());
            };
            if matches!(measured, Value::Int(n) if n.is_negative()) {
                return Term::Undefined;
            }
        }
        self.fuel -= 1;
        self.reduce(&function.body, &mut env, positive)
    }

    /// The measure that replaces this one.
    fn same_as(&self, id: FunctionId, args: &[Term]) -> FunctionId {
        match args {
            [Term::Var(slot)] => {
                self.type_of(*slot).and_then(|of| self.same.get(&(id, of))).copied().unwrap_or(id)
            }
            _ => id,
        }
    }

    /// Whether a function maps one value to an integer.
    pub fn is_measure(&self, id: FunctionId) -> bool {
        let info = &self.functions[id.0 as usize];
        info.kind == Kind::Int && info.inspects.len() == 1
    }

    /// Whether arguments may replace parameters in a body. Arguments that the body doesn't read must be defined all
    /// the same.
    fn can_bind(&mut self, recursive: bool, args: &[Term]) -> bool {
        let is_open = |arg: &Term| {
            let mut open = false;
            visit(arg, &mut |term| open |= matches!(term, Term::Var(slot) if *slot < FIRST_HOLE));
            open
        };
        // In a recursive function, a closure's slot could be bound a second time.
        (!recursive || !args.iter().any(is_open)) && args.iter().all(|arg| self.is_total(arg))
    }

    /// The sort of a term.
    pub fn kind(&self, term: &Term) -> Kind {
        match kind_source(term) {
            KindSource::Known(kind) => kind,
            KindSource::Either(a, b) => match self.kind(a) {
                Kind::Other => self.kind(b),
                kind @ (Kind::Bool | Kind::Int) => kind,
            },
            KindSource::Function(id) => self.functions[id.0 as usize].kind,
            KindSource::Place => self.type_at(term).map_or(Kind::Other, |of| self.kind_of_type(of)),
            KindSource::Body(_) => Kind::Other,
        }
    }

    fn kind_of_type(&self, of: TypeId) -> Kind {
        let Form::Scalar(domain) = &self.types.get(of).form else { return Kind::Other };
        domain.first().map_or(Kind::Other, kind_of_value)
    }

    /// The type of a part of an open hole.
    pub fn type_at(&self, term: &Term) -> Option<TypeId> {
        if let Term::Field { of, ctor, index } = term {
            let Form::Data(ctors) = &self.types.get(self.type_at(of)?).form else { return None };
            return ctors.get(*ctor as usize)?.as_ref()?.fields.get(*index as usize).copied();
        }
        if let Term::Project(of, index) = term {
            let Form::Tuple(parts) = &self.types.get(self.type_at(of)?).form else { return None };
            return parts.get(*index as usize).copied();
        }
        if let Term::Var(slot) = term { self.type_of(*slot) } else { None }
    }
}

/// A value of a constructor: a literal if all fields are known.
pub fn constructed(data: crate::logic::ir::DataId, ctor: u32, fields: Vec<Term>) -> Term {
    match literals(&fields) {
        Some(values) => Term::Lit(Value::Data(ctor, values)),
        None => Term::Construct(data, ctor, fields),
    }
}

/// A tuple: a literal if all parts are known.
pub fn tuple_of(parts: Vec<Term>) -> Term {
    match literals(&parts) {
        Some(values) => Term::Lit(Value::Tuple(values)),
        None => Term::Tuple(parts),
    }
}

/// A sequence: a literal if all elements are known.
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

/// A boolean literal.
pub fn boolean(truth: bool) -> Term {
    Term::Lit(Value::Bool(truth))
}

/// An integer literal.
pub fn integer(n: i128) -> Term {
    Term::Lit(Value::int(n))
}

/// Whether a term is a range, or asks about one: a range may be too long to be a value.
fn is_about_range(term: &Term) -> bool {
    let is_range = |term: &Term| matches!(term, Term::Range(..));
    is_range(term) || matches!(term, Term::Contains(of, _) | Term::Len(of) if is_range(of))
}

/// Whether the outermost constructor of a value is known.
fn has_constructor(term: &Term) -> bool {
    if let Term::Text(of) = term {
        return has_constructor(of);
    }
    if let Term::Range(low, high) = term {
        return has_constructor(low) && has_constructor(high);
    }
    matches!(term, Term::Lit(_) | Term::Construct(..) | Term::Tuple(_) | Term::Seq(_))
}
