//! Translation of integers: finds scalars that are only compared with each other, so that the same offset can be
//! added to all of them.
//!
//! The search trees with keys in `3..=7` are the search trees with keys in `0..=4`, with 3 added to each key: the
//! spec can't tell one key from another. If a state requires that all such scalars in a hole lie in an interval, only
//! the width of the interval matters. All intervals of one width then share a state.
//!
//! Compared scalars belong to one group. A group is fixed, and can't be translated, if one of its scalars is compared
//! with a constant or used in arithmetic. (Clauses that a domain implies are not compared again.) The inference is
//! that of units of measurement (Kennedy 1997), with a single unit that has no zero.

mod infer;

use std::collections::HashMap;

use crate::logic::ir::{Closure, FunctionId, Term};
use crate::logic::value::Value;
use crate::native::plan::problem::Hole;
use crate::native::plan::problem::MADE;
use crate::native::plan::types::{Form, TypeId, Types};
use infer::{Inference, Shape};

/// The group of scalars that can be translated (the *keys*), and facts about the functions on them.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Whether a type is a key, by type.
    keys: Vec<bool>,
    /// Whether the values of a type contain keys, by type.
    has_keys: Vec<bool>,
    /// The least and the greatest value of the domain of all keys.
    bounds: (i64, i64),
    /// For a function whose first argument is a value of a type: whether each parameter, and last the result, is a
    /// key.
    params: HashMap<(FunctionId, TypeId), Vec<bool>>,
    /// Whether a function returns all keys in a value of a type, and nothing else.
    elements: HashMap<(FunctionId, TypeId), bool>,
}

impl Translation {
    /// Finds a group that is worth translating: scalars inside a recursive type, with a domain of more than one
    /// integer, that some function returns all of.
    pub fn of(types: &Types, conditions: &[&Term]) -> Option<Translation> {
        let mut inference = Inference::new(types);
        inference.note(conditions);
        inference.run();
        let deep: Vec<TypeId> = types.ids().filter(|id| types.get(*id).is_deep).collect();
        let mut groups = Vec::new();
        for id in deep.iter().flat_map(|id| types.inner(*id)) {
            groups.extend(inference.group(id).filter(|group| !groups.contains(group)));
        }
        groups.into_iter().find_map(|group| {
            let mut translation = Translation::of_group(types, &inference, group)?;
            let functions = (0..types.functions.len() as u32).map(FunctionId);
            let mut pairs = functions.flat_map(|function| deep.iter().map(move |of| (function, *of)));
            pairs.any(|(function, of)| translation.gives_all(types, function, of)).then_some(translation)
        })
    }

    /// The translation of a group; `None` unless all its scalars have the same domain without gaps.
    fn of_group(types: &Types, inference: &Inference, group: usize) -> Option<Translation> {
        let keys: Vec<bool> = types.ids().map(|id| inference.group(id) == Some(group)).collect();
        let mut bounds = None;
        for id in types.ids().filter(|id| keys[id.0 as usize]) {
            let own = contiguous(&types.get(id).form)?;
            if *bounds.get_or_insert(own) != own {
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
        Some(Translation { keys, has_keys, bounds: bounds?, params, elements: HashMap::new() })
    }

    /// Whether a type is a key.
    pub fn is_key(&self, of: TypeId) -> bool {
        self.keys[of.0 as usize]
    }

    /// The greatest offset that can be subtracted from a problem's keys, with the translated clauses; `None` if the
    /// problem can't be translated.
    pub fn translated(
        &mut self,
        types: &Types,
        holes: &[(u32, Hole)],
        clauses: &[&Term],
    ) -> Option<(i64, Vec<Term>)> {
        let [(slot, hole)] = holes else { return None };
        if !self.has_keys[hole.of.0 as usize] || self.keys[hole.of.0 as usize] {
            return None;
        }
        let (mut low, mut high) = self.bounds;
        let mut covered = None;
        for clause in clauses {
            if let Some((function, from, to)) = self.interval(types, clause, *slot, hole.of) {
                low = low.max(from.unwrap_or(low));
                high = high.min(to.unwrap_or(high));
                covered = Some(function);
            }
        }
        let by = low.checked_sub(self.bounds.0)?;
        let mut translated = Vec::new();
        for clause in clauses {
            if self.interval(types, clause, *slot, hole.of).is_none() {
                translated.push(self.offset_clause(clause, *slot, hole.of, by)?);
            }
        }
        let function = covered?;
        let least = self.bounds.0;
        // If there are no keys at all, any offset will do, and any empty interval.
        let empty = least.checked_add(1).map_or_else(|| (least, least - 1), |next| (next, least));
        let (low, high) = if high < low { empty } else { (least, high - by) };
        translated.push(between(function, *slot, low, high));
        Some((by, translated))
    }

    /// The interval that a clause requires of all keys in a hole.
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
                Term::Compare(crate::logic::ir::CompareOp::Le, a, b) => match (&**a, &**b) {
                    (Term::Lit(Value::Int(n)), Term::Var(MADE)) => low = Some(n.to_i64()?),
                    (Term::Var(MADE), Term::Lit(Value::Int(n))) => high = Some(n.to_i64()?),
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some((*function, low, high))
    }

    /// Whether a function returns all keys in a value of a type, each of them.
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
                let hole = Term::Field { of: Box::new(Term::Var(param)), ctor: index, index: field };
                let gives = parts.iter().any(|part| match part {
                    Term::Call(inner, args) => {
                        args[..] == [hole.clone()] && self.gives_all(types, *inner, *of)
                    }
                    part => self.keys[of.0 as usize] && **part == hole,
                });
                if !gives {
                    return false;
                }
            }
        }
        true
    }

    /// A constraint on a hole with an offset subtracted from its keys; `None` if that isn't possible.
    fn offset_clause(&self, clause: &Term, slot: u32, of: TypeId, by: i64) -> Option<Term> {
        match clause {
            Term::IsCtor(of, _) => (**of == Term::Var(slot)).then(|| clause.clone()),
            // Either all elements are keys, or none is.
            Term::IsSorted(inner) => Some(Term::IsSorted(Box::new(self.offset_clause(inner, slot, of, by)?))),
            Term::Distinct(inner) => Some(Term::Distinct(Box::new(self.offset_clause(inner, slot, of, by)?))),
            Term::Not(inner) => Some(Term::Not(Box::new(self.offset_clause(inner, slot, of, by)?))),
            Term::Equal(call, value) if matches!(**value, Term::Lit(_)) => match &**call {
                Term::Call(id, _) => {
                    let is_key = self.params.get(&(*id, of))?.last().copied()?;
                    let call = self.offset_clause(call, slot, of, by)?;
                    let value = match &**value {
                        _ if is_key => offset_literal(value, by)?,
                        Term::Lit(Value::Int(_) | Value::Bool(_)) => (**value).clone(),
                        // A list might be a list of keys.
                        _ => return None,
                    };
                    Some(Term::Equal(Box::new(call), Box::new(value)))
                }
                _ => None,
            },
            Term::Call(id, args) if args.first() == Some(&Term::Var(slot)) => {
                let params = self.params.get(&(*id, of))?;
                let rest = args.iter().zip(params).skip(1).map(|(arg, is_key)| match arg {
                    Term::Lit(Value::Int(_)) if *is_key => offset_literal(arg, by),
                    // A list might be a list of keys.
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

fn offset_literal(term: &Term, by: i64) -> Option<Term> {
    match term {
        Term::Lit(Value::Int(n)) => Some(Term::Lit(Value::int(n.to_i64()?.checked_sub(by)?))),
        _ => None,
    }
}

fn between(function: FunctionId, slot: u32, low: i64, high: i64) -> Term {
    let le = |a, b| Term::Compare(crate::logic::ir::CompareOp::Le, Box::new(a), Box::new(b));
    let lit = |n| Term::Lit(Value::int(n));
    let mut parts = vec![le(lit(low), Term::Var(MADE)), le(Term::Var(MADE), lit(high))];
    parts.sort_by_cached_key(crate::logic::codec::Codec::to_bytes);
    let closure = Closure { slot: MADE, body: Box::new(Term::And(parts)) };
    Term::All(Box::new(Term::Call(function, vec![Term::Var(slot)])), closure)
}

/// The body of a function for an argument with a given constructor.
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

/// Collects the parts of a sequence that is built from elements and calls; `false` if it is built otherwise.
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

/// The bounds of a domain of integers without gaps.
fn contiguous(form: &Form) -> Option<(i64, i64)> {
    let Form::Scalar(domain) = form else { return None };
    let numbers = domain.iter().map(|value| if let Value::Int(n) = value { n.to_i64() } else { None });
    let numbers = numbers.collect::<Option<Vec<i64>>>()?;
    let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
    (high.checked_sub(low)? == numbers.len() as i64 - 1).then_some((low, high))
}
