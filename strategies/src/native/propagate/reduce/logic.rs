//! Connectives, equality and order.

#![allow(clippy::wildcard_enum_match_arm, reason = "a rule rewrites few terms; any other stays as it is")]

use super::{Env, Kind, Reducer, boolean, seq_of};
use crate::logic::ir::{Collection, CompareOp, Term};
use crate::logic::value::Value;

impl Reducer {
    /// `!`, `&&`, `||`, `if`, `let`.
    pub(super) fn connective(&mut self, term: &Term, env: &mut Env, positive: bool) -> Term {
        match term {
            Term::Not(a) => {
                let a = self.reduce(a, env, false);
                self.not(a)
            }
            Term::And(parts) => {
                let mut kept = Vec::new();
                for part in parts {
                    let part = self.reduce(part, env, positive);
                    if self.conjoin(&mut kept, part, positive) {
                        break;
                    }
                }
                all_of(kept)
            }
            Term::Or(parts) => {
                let mut kept = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    let part = self.reduce(part, env, positive && index + 1 == parts.len());
                    if self.disjoin(&mut kept, part) {
                        break;
                    }
                }
                any_of(kept)
            }
            Term::If(condition, a, b) => match self.reduce(condition, env, false) {
                Term::Lit(Value::Bool(true)) => self.reduce(a, env, positive),
                Term::Lit(Value::Bool(false)) => self.reduce(b, env, positive),
                Term::Undefined => Term::Undefined,
                condition => {
                    let (a, b) = (self.reduce(a, env, positive), self.reduce(b, env, positive));
                    self.branch(condition, a, b)
                }
            },
            Term::Let { slot, value, body } => {
                let value = self.reduce(value, env, false);
                if matches!(value, Term::Undefined) {
                    return Term::Undefined;
                }
                let bound = if self.is_total(&value) { value.clone() } else { Term::Var(*slot) };
                let is_bound = bound != Term::Var(*slot);
                env.bound.push((*slot, bound));
                let body = self.reduce(body, env, positive);
                env.bound.pop();
                if is_bound || matches!(body, Term::Undefined) {
                    return body;
                }
                Term::Let { slot: *slot, value: Box::new(value), body: Box::new(body) }
            }
            _ => Term::Undefined,
        }
    }

    /// Adds a conjunct. Returns whether the conjuncts after it can be skipped.
    pub(super) fn conjoin(&mut self, kept: &mut Vec<Term>, part: Term, positive: bool) -> bool {
        match part {
            Term::Lit(Value::Bool(true)) => false,
            Term::Lit(Value::Bool(false)) | Term::Undefined => {
                if positive {
                    kept.clear();
                    kept.push(boolean(false));
                } else {
                    kept.push(part);
                }
                true
            }
            Term::And(parts) => {
                kept.extend(parts);
                false
            }
            part => {
                kept.push(part);
                false
            }
        }
    }

    /// Adds a disjunct. Returns whether the disjuncts after it can be skipped.
    pub(super) fn disjoin(&mut self, kept: &mut Vec<Term>, part: Term) -> bool {
        match part {
            Term::Lit(Value::Bool(false)) => false,
            Term::Lit(Value::Bool(true)) => {
                if kept.iter().all(|part| self.is_total(part)) {
                    kept.clear();
                }
                kept.push(part);
                true
            }
            Term::Undefined => {
                kept.push(part);
                true
            }
            Term::Or(parts) => {
                kept.extend(parts);
                false
            }
            part => {
                kept.push(part);
                false
            }
        }
    }

    /// Negation, pushed inwards as far as possible.
    pub fn not(&mut self, a: Term) -> Term {
        match a {
            Term::Lit(Value::Bool(truth)) => boolean(!truth),
            Term::Undefined => Term::Undefined,
            Term::Not(a) => *a,
            Term::And(parts) => any_of(parts.into_iter().map(|part| self.not(part)).collect()),
            Term::Or(parts) => all_of(parts.into_iter().map(|part| self.not(part)).collect()),
            Term::All(over, mut closure) => {
                *closure.body = self.not(*closure.body);
                Term::Any(over, closure)
            }
            Term::Any(over, mut closure) => {
                *closure.body = self.not(*closure.body);
                Term::All(over, closure)
            }
            Term::Compare(op, a, b) if self.kind(&a) == Kind::Int && self.kind(&b) == Kind::Int => {
                let op = if op == CompareOp::Lt { CompareOp::Le } else { CompareOp::Lt };
                self.compare(op, *b, *a, false)
            }
            a => Term::Not(Box::new(a)),
        }
    }

    pub(super) fn branch(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let truth = |term: &Term| if let Term::Lit(Value::Bool(truth)) = term { Some(*truth) } else { None };
        match (truth(&a), truth(&b)) {
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => self.not(condition),
            (_, Some(false)) => all_of(vec![condition, a]),
            (Some(true), _) => any_of(vec![condition, b]),
            (_, Some(true)) => any_of(vec![self.not(condition), a]),
            (Some(false), _) => all_of(vec![self.not(condition), b]),
            _ if a == b && self.is_total(&condition) => a,
            _ => Term::If(Box::new(condition), Box::new(a), Box::new(b)),
        }
    }

    pub(super) fn equal(&mut self, a: Term, b: Term, positive: bool) -> Term {
        let (a, b) = match (a, b) {
            (a @ Term::Lit(_), b) => (b, a),
            sides => sides,
        };
        if self.kind(&a) == Kind::Int && self.kind(&b) == Kind::Int {
            return self.linear_equal(a, b);
        }
        match (&a, &b) {
            (_, Term::Lit(Value::Bool(true))) => return a,
            (_, Term::Lit(Value::Bool(false))) => return self.not(a),
            _ => {}
        }
        if let (Some((constructor, xs)), Some((other, ys))) = (parts_of(&a), parts_of(&b)) {
            let total =
                |reducer: &mut Reducer, parts: &[Term]| parts.iter().all(|part| reducer.is_total(part));
            if positive || (total(self, &xs) && total(self, &ys)) {
                if constructor != other || xs.len() != ys.len() {
                    return boolean(false);
                }
                let mut kept = Vec::new();
                for (x, y) in xs.into_iter().zip(ys) {
                    let equal = match (x, y) {
                        (Term::Lit(x), Term::Lit(y)) => boolean(crate::logic::order::logic_equal(&x, &y)),
                        (x, y) => self.equal(x, y, positive),
                    };
                    if self.conjoin(&mut kept, equal, true) {
                        break;
                    }
                }
                return all_of(kept);
            }
        }
        if a == b && self.kind(&a) == Kind::Bool && self.is_total(&a) {
            return boolean(true);
        }
        if let Term::Collect(Collection::Set, of) = &a
            && let Some(is_permutation) = self.is_permutation(of, &b, positive)
        {
            return is_permutation;
        }
        Term::Equal(Box::new(a), Box::new(b))
    }

    /// Whether elements are those of a known set, if they are as many; if they are fewer, they aren't.
    fn is_permutation(&mut self, elements: &Term, set: &Term, positive: bool) -> Option<Term> {
        let elements = self.total_elements(elements)?;
        let Term::Lit(Value::Seq(members)) = set else { return None };
        if elements.len() != members.len() {
            return (elements.len() < members.len()).then(|| boolean(false));
        }
        let mut kept = Vec::new();
        for element in &elements {
            let is_member = self.contains(set.clone(), element.clone(), positive);
            if self.conjoin(&mut kept, is_member, positive) {
                return Some(all_of(kept));
            }
        }
        let distinct = self.distinct(seq_of(elements));
        self.conjoin(&mut kept, distinct, positive);
        Some(all_of(kept))
    }

    pub(super) fn compare(&mut self, op: CompareOp, a: Term, b: Term, _positive: bool) -> Term {
        if self.kind(&a) == Kind::Int && self.kind(&b) == Kind::Int {
            return self.linear_compare(op, a, b);
        }
        Term::Compare(op, Box::new(a), Box::new(b))
    }
}

/// A conjunction.
pub fn all_of(mut parts: Vec<Term>) -> Term {
    match parts.len() {
        0 => boolean(true),
        1 => parts.remove(0),
        _ => Term::And(parts),
    }
}

/// A disjunction.
pub fn any_of(mut parts: Vec<Term>) -> Term {
    match parts.len() {
        0 => boolean(false),
        1 => parts.remove(0),
        _ => Term::Or(parts),
    }
}

/// The constructor and the parts of a partly known value.
fn parts_of(term: &Term) -> Option<(u32, Vec<Term>)> {
    let lits = |values: &[Value]| values.iter().cloned().map(Term::Lit).collect();
    Some(match term {
        Term::Construct(_, ctor, parts) => (*ctor, parts.clone()),
        Term::Tuple(parts) | Term::Seq(parts) => (0, parts.clone()),
        Term::Lit(Value::Data(ctor, parts)) => (*ctor, lits(parts)),
        Term::Lit(Value::Tuple(parts) | Value::Seq(parts)) => (0, lits(parts)),
        Term::Text(of) => return parts_of(of),
        Term::Lit(Value::Str(text)) => (0, text.chars().map(|c| Term::Lit(Value::Char(c))).collect()),
        _ => return None,
    })
}
