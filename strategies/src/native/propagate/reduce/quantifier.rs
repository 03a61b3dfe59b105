//! `all` and `any` over sequences of known length, or over concatenations of known and open parts.

#![allow(clippy::wildcard_enum_match_arm, reason = "a rule rewrites few terms; any other stays as it is")]

use super::logic::{all_of, any_of};
use super::order::in_order_test;
use super::sequence::elements_of;
use super::{Env, Reducer, boolean};
use crate::logic::ir::{Closure, Collection, CompareOp, SetOp, Term};

impl Reducer {
    /// `all` or `any` of a sequence.
    pub(super) fn quantified(
        &mut self,
        is_all: bool,
        over: &Term,
        closure: &Closure,
        env: &mut Env,
        positive: bool,
    ) -> Term {
        match over {
            // These are evaluated lazily: after an element that decides, undefined elements don't matter.
            Term::Map(inner, image) => {
                let value = image.body.clone();
                let body = Box::new(Term::Let { slot: closure.slot, value, body: closure.body.clone() });
                let composed = Closure { slot: image.slot, body };
                self.quantified(is_all, inner, &composed, env, positive)
            }
            Term::Filter(inner, test) => {
                let test = Term::Let {
                    slot: test.slot,
                    value: Box::new(Term::Var(closure.slot)),
                    body: test.body.clone(),
                };
                let body = if is_all {
                    Term::Or(vec![Term::Not(Box::new(test)), (*closure.body).clone()])
                } else {
                    Term::And(vec![test, (*closure.body).clone()])
                };
                let closure = Closure { slot: closure.slot, body: Box::new(body) };
                self.quantified(is_all, inner, &closure, env, positive)
            }
            _ => {
                let over = self.reduce(over, env, false);
                self.quantified_over(is_all, over, closure, env, positive)
            }
        }
    }

    /// [`Reducer::quantified`] for a reduced sequence.
    fn quantified_over(
        &mut self,
        is_all: bool,
        over: Term,
        closure: &Closure,
        env: &mut Env,
        positive: bool,
    ) -> Term {
        match over {
            Term::Undefined => Term::Undefined,
            // A `map` or `filter` that reduction created is evaluated as a whole, unlike one in the spec.
            Term::Map(..) | Term::Filter(..) if !self.is_total(&over) => {
                self.stuck_quantifier(is_all, Term::Concat(vec![over]), closure, env, positive)
            }
            Term::Concat(parts) if parts.iter().all(|part| self.is_total(part)) => {
                self.quantified_parts(is_all, parts, closure, env, positive)
            }
            Term::If(condition, a, b) => {
                let a = self.quantified_over(is_all, *a, closure, env, positive);
                let b = self.quantified_over(is_all, *b, closure, env, positive);
                self.branch(*condition, a, b)
            }
            Term::Flatten(of) => match *of {
                Term::Map(inner, image) if self.is_total(&image.body) && self.is_total(&inner) => {
                    let over = Box::new((*image.body).clone());
                    let inner_closure = closure.clone();
                    let body =
                        if is_all { Term::All(over, inner_closure) } else { Term::Any(over, inner_closure) };
                    let closure = Closure { slot: image.slot, body: Box::new(body) };
                    self.quantified_over(is_all, *inner, &closure, env, positive)
                }
                of => self.stuck_quantifier(is_all, Term::Flatten(Box::new(of)), closure, env, positive),
            },
            Term::Collect(Collection::Set | Collection::Bag, of) if self.is_total_over(&of, closure, env) => {
                self.quantified_over(is_all, *of, closure, env, positive)
            }
            union @ Term::SetOp(SetOp::Union, ..) if self.is_total_over(&union, closure, env) => {
                self.quantified_parts(is_all, parts_of(union), closure, env, positive)
            }
            Term::Entries(of) => self.quantified_over(is_all, *of, closure, env, positive),
            Term::Windows(of, 2)
                if is_all && matches!(*of, Term::Concat(_)) && in_order_test(closure).is_some() =>
            {
                let op = in_order_test(closure).unwrap_or(CompareOp::Le);
                match *of {
                    Term::Concat(parts) if parts.iter().all(|part| self.is_total(part)) => {
                        self.in_order(op, parts, positive)
                    }
                    of => self.stuck_quantifier(true, Term::Windows(Box::new(of), 2), closure, env, positive),
                }
            }
            over => {
                let Some(elements) =
                    elements_of(&over).filter(|elements| elements.iter().all(|e| self.is_total(e)))
                else {
                    return self.stuck_quantifier(is_all, over, closure, env, positive);
                };
                let last = elements.len().saturating_sub(1);
                self.joined(is_all, positive, elements, |this, index, element| {
                    env.bound.push((closure.slot, element));
                    let part = this.reduce(&closure.body, env, positive && (is_all || index == last));
                    env.bound.pop();
                    part
                })
            }
        }
    }

    /// [`Reducer::quantified`] for a sequence or a set of these parts.
    fn quantified_parts(
        &mut self,
        is_all: bool,
        parts: Vec<Term>,
        closure: &Closure,
        env: &mut Env,
        positive: bool,
    ) -> Term {
        self.joined(is_all, positive, parts, |this, _, part| {
            this.quantified_over(is_all, part, closure, env, positive && is_all)
        })
    }

    /// Combines the results for all parts. A part is reduced only if the parts before it leave the result open.
    fn joined(
        &mut self,
        is_all: bool,
        positive: bool,
        parts: Vec<Term>,
        mut said: impl FnMut(&mut Self, usize, Term) -> Term,
    ) -> Term {
        let mut kept = Vec::new();
        for (index, part) in parts.into_iter().enumerate() {
            let part = said(self, index, part);
            let is_decided =
                if is_all { self.conjoin(&mut kept, part, positive) } else { self.disjoin(&mut kept, part) };
            if is_decided {
                break;
            }
        }
        if is_all { all_of(kept) } else { any_of(kept) }
    }

    /// Whether a sequence or set is defined, and the closure is on all of its elements.
    fn is_total_over(&mut self, over: &Term, closure: &Closure, env: &mut Env) -> bool {
        if !self.is_total(over) {
            return false;
        }
        env.bound.push((closure.slot, Term::Var(closure.slot)));
        let body = self.reduce(&closure.body, env, false);
        env.bound.pop();
        self.is_total(&body)
    }

    /// A quantifier over an unknown sequence, with a reduced body.
    fn stuck_quantifier(
        &mut self,
        is_all: bool,
        over: Term,
        closure: &Closure,
        env: &mut Env,
        positive: bool,
    ) -> Term {
        let closure = self.reduced_closure(closure, None, env, positive && is_all);
        if is_all && *closure.body == boolean(true) && self.is_total(&over) {
            return boolean(true);
        }
        if is_all { Term::All(Box::new(over), closure) } else { Term::Any(Box::new(over), closure) }
    }

    pub(super) fn reduced_closure(
        &mut self,
        closure: &Closure,
        acc: Option<u32>,
        env: &mut Env,
        positive: bool,
    ) -> Closure {
        let n = env.bound.len();
        env.bound.extend(acc.into_iter().chain([closure.slot]).map(|slot| (slot, Term::Var(slot))));
        let body = Box::new(self.reduce(&closure.body, env, positive));
        env.bound.truncate(n);
        Closure { slot: closure.slot, body }
    }
}

/// The parts of a union. A condition on all of its elements is one on each part, and doesn't couple the holes in them.
fn parts_of(union: Term) -> Vec<Term> {
    match union {
        Term::SetOp(SetOp::Union, _, a, b) => [parts_of(*a), parts_of(*b)].concat(),
        part => vec![part],
    }
}
