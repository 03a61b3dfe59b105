//! Which scalars are only ever compared with each other, so that all of them can be moved up or down together.
//!
//! The search trees with keys in `3..=7` are those with keys in `0..=4`, each key moved: nothing in their specs knows
//! one key from another. Where a state demands that all such scalars in a place lie in an interval, only the width of
//! the interval matters, and the state is found again for every interval of the width.
//!
//! Scalars are put into one group when they are compared; a group is tied down when one of its scalars meets a constant,
//! or arithmetic. (Bounds that the domain implies are not compared with again.) (So are the units of measurement of a program inferred, see Kennedy 1997; here there is one unit that
//! has no zero.)

mod infer;

use std::collections::HashMap;

use super::problem::Place;
use super::reduce::MADE;
use super::types::{Form, TypeId, Types};
use crate::ir::{Closure, FunctionId, Term};
use crate::value::Value;
use infer::{Inference, Shape};

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

impl Units {
    /// Finds the group, if there is one that is worth it: the scalars of a type with more than one integer in its
    /// domain, inside a recursive type of which some function gives them all.
    pub fn of(types: &Types, conditions: &[&Term]) -> Option<Units> {
        let mut inference = Inference::new(types);
        inference.note(conditions);
        inference.run();
        let deep: Vec<TypeId> = types.ids().filter(|id| types.get(*id).is_deep).collect();
        let mut groups = Vec::new();
        for id in deep.iter().flat_map(|id| types.inner(*id)) {
            groups.extend(inference.group(id).filter(|group| !groups.contains(group)));
        }
        groups.into_iter().find_map(|group| {
            let mut units = Units::of_group(types, &inference, group)?;
            let functions = (0..types.functions.len() as u32).map(FunctionId);
            let mut pairs = functions.flat_map(|function| deep.iter().map(move |of| (function, *of)));
            pairs.any(|(function, of)| units.gives_all(types, function, of)).then_some(units)
        })
    }

    /// Those of a group, if all its scalars have one domain without a gap.
    fn of_group(types: &Types, inference: &Inference, group: usize) -> Option<Units> {
        let keys: Vec<bool> = types.ids().map(|id| inference.group(id) == Some(group)).collect();
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
                    let value = match &**value {
                        _ if is_key => moved_literal(value, by)?,
                        Term::Lit(Value::Int(_) | Value::Bool(_)) => (**value).clone(),
                        // A list might be one of keys.
                        _ => return None,
                    };
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
