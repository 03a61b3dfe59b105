//! Quantifiers, folds and operations over sequences of known length, or over concatenations of known and open parts.

#![allow(clippy::wildcard_enum_match_arm, reason = "a rule rewrites few terms; any other stays as it is")]

use super::logic::{all_of, any_of};
use super::text::chars_of;
use super::{Env, Kind, Reducer, boolean, integer, seq_of};
use crate::logic::int::Int;
use crate::logic::ir::{ArithOp, Closure, Collection, CompareOp, DataId, Term};
use crate::logic::order::logic_equal;
use crate::logic::value::Value;
use crate::native::plan::problem::reads_only;

/// Maximum length of a range that is expanded into its elements.
const LONGEST: i128 = 4096;

impl Reducer {
    pub(super) fn applied(&mut self, closure: &Closure, element: Term, env: &mut Env) -> Term {
        env.bound.push((closure.slot, element));
        let body = self.reduce(&closure.body, env, false);
        env.bound.pop();
        body
    }

    /// `map`, `filter`, `position`, `fold`.
    pub(super) fn with_closure(&mut self, term: &Term, env: &mut Env) -> Term {
        match term {
            Term::Map(over, closure) => {
                let over = self.reduce(over, env, false);
                if let Some(elements) = self.total_elements(&over) {
                    let images: Vec<Term> =
                        elements.into_iter().map(|element| self.applied(closure, element, env)).collect();
                    if images.iter().all(|image| self.is_total(image)) {
                        return seq_of(images);
                    }
                }
                self.with_over(over, Term::Map, closure, env)
            }
            Term::Filter(over, closure) => {
                let over = self.reduce(over, env, false);
                if let Some(elements) = self.total_elements(&over) {
                    let mut kept = Vec::new();
                    for element in elements {
                        match self.applied(closure, element.clone(), env) {
                            Term::Lit(Value::Bool(true)) => kept.push(element),
                            Term::Lit(Value::Bool(false)) => {}
                            _ => return self.with_over(over, Term::Filter, closure, env),
                        }
                    }
                    return seq_of(kept);
                }
                self.with_over(over, Term::Filter, closure, env)
            }
            Term::Position(over, closure, option) => {
                let over = self.lazily(over, env);
                let option = *option;
                self.with_over(over, |over, closure| Term::Position(over, closure, option), closure, env)
            }
            Term::Fold { over, init, acc, closure } => self.fold(over, init, *acc, closure, env),
            _ => Term::Undefined,
        }
    }

    /// A sequence that is read from the left, and only up to the element that decides. Undefined elements after it
    /// are not evaluated.
    fn lazily(&mut self, over: &Term, env: &mut Env) -> Term {
        let lazy = match over {
            Term::Map(inner, closure) => {
                let inner = Box::new(self.lazily(inner, env));
                Term::Map(inner, self.reduced_closure(closure, None, env, false))
            }
            Term::Filter(inner, closure) => {
                let inner = Box::new(self.lazily(inner, env));
                Term::Filter(inner, self.reduced_closure(closure, None, env, false))
            }
            _ => return self.reduce(over, env, false),
        };
        if self.is_total(&lazy) { self.reduce(over, env, false) } else { lazy }
    }

    /// Pairs of elements. The first components are read lazily.
    pub(super) fn zip(&mut self, a: &Term, b: &Term, env: &mut Env) -> Term {
        let (a, b) = (self.lazily(a, env), self.reduce(b, env, false));
        if matches!(a, Term::Undefined) || matches!(b, Term::Undefined) {
            return Term::Undefined;
        }
        let term = Term::Zip(Box::new(a), Box::new(b));
        if reads_only(&term, &|_| false) { self.closed(&term) } else { self.sequence(term, false) }
    }

    fn with_over(
        &mut self,
        over: Term,
        make: impl FnOnce(Box<Term>, Closure) -> Term,
        closure: &Closure,
        env: &mut Env,
    ) -> Term {
        if matches!(over, Term::Undefined) {
            return Term::Undefined;
        }
        let closure = self.reduced_closure(closure, None, env, false);
        let term = make(Box::new(over), closure);
        if reads_only(&term, &|_| false) { self.closed(&term) } else { term }
    }

    pub(super) fn total_elements(&mut self, over: &Term) -> Option<Vec<Term>> {
        elements_of(over).filter(|elements| elements.iter().all(|element| self.is_total(element)))
    }

    /// Unrolls a fold as long as the accumulator is known.
    fn fold(&mut self, over: &Term, init: &Term, acc: u32, closure: &Closure, env: &mut Env) -> Term {
        let over = self.reduce(over, env, false);
        let mut folded = self.reduce(init, env, false);
        if matches!(over, Term::Undefined) || matches!(folded, Term::Undefined) {
            return Term::Undefined;
        }
        let mut rest = match self.total_elements(&over) {
            Some(elements) => elements.into_iter().peekable(),
            None => {
                let closure = self.reduced_closure(closure, Some(acc), env, false);
                return Term::Fold { over: Box::new(over), init: Box::new(folded), acc, closure };
            }
        };
        while let Some(element) = rest.peek() {
            if !matches!((element, &folded), (Term::Lit(_), Term::Lit(_))) {
                break;
            }
            env.bound.push((acc, folded));
            let element = rest.next().unwrap_or(Term::Undefined);
            folded = self.applied(closure, element, env);
            env.bound.pop();
            if matches!(folded, Term::Undefined) {
                return Term::Undefined;
            }
        }
        if rest.peek().is_none() {
            return folded;
        }
        let closure = self.reduced_closure(closure, Some(acc), env, false);
        let over = Box::new(Term::Seq(rest.collect()));
        Term::Fold { over, init: Box::new(folded), acc, closure }
    }

    fn index(&mut self, of: Box<Term>, index: Box<Term>) -> Term {
        match (elements_of(&of), &*index) {
            (Some(elements), Term::Lit(Value::Int(at))) if elements.iter().all(|e| self.is_total(e)) => {
                at.to_usize().and_then(|at| elements.into_iter().nth(at)).unwrap_or(Term::Undefined)
            }
            _ => Term::Index(of, index),
        }
    }

    fn slice(&mut self, of: Box<Term>, lo: Box<Term>, hi: Box<Term>) -> Term {
        match (elements_of(&of), &*lo, &*hi) {
            (Some(elements), Term::Lit(Value::Int(a)), Term::Lit(Value::Int(b)))
                if elements.iter().all(|e| self.is_total(e)) =>
            {
                let range = a.to_usize().zip(b.to_usize()).and_then(|(a, b)| elements.get(a..b));
                range.map_or(Term::Undefined, |part| seq_of(part.to_vec()))
            }
            _ => Term::Slice(of, lo, hi),
        }
    }

    /// Reduces all other terms about sequences, with reduced operands.
    pub(super) fn sequence(&mut self, term: Term, positive: bool) -> Term {
        match term {
            Term::Seq(parts) => Term::Seq(parts),
            Term::Construct(data, ctor, parts) => super::constructed(data, ctor, parts),
            Term::Concat(parts) => concat(parts),
            Term::Len(of) => self.length(*of),
            Term::Sum(of) => self.sum(*of),
            Term::Entries(of) if elements_of(&of).is_some() => *of,
            Term::Keys(of) => match self.total_elements(&of) {
                Some(entries) => seq_of(entries.into_iter().map(|entry| self.key(entry)).collect()),
                None => Term::Keys(of),
            },
            Term::MapGet(of, key, option) => self.map_get(of, key, option),
            Term::Index(of, index) => self.index(of, index),
            Term::Slice(of, lo, hi) => self.slice(of, lo, hi),
            Term::Reverse(of) => match elements_of(&of) {
                Some(mut elements) => {
                    elements.reverse();
                    seq_of(elements)
                }
                None => Term::Reverse(of),
            },
            Term::Flatten(of) => match elements_of(&of) {
                Some(parts) => concat(parts),
                None => Term::Flatten(of),
            },
            Term::Windows(of, width) => match self.total_elements(&of) {
                Some(elements) => seq_of(
                    elements.windows(width.max(1) as usize).map(|part| seq_of(part.to_vec())).collect(),
                ),
                None => Term::Windows(of, width),
            },
            Term::Zip(a, b) => match (self.total_elements(&a), self.total_elements(&b)) {
                (Some(xs), Some(ys)) => {
                    seq_of(xs.into_iter().zip(ys).map(|(x, y)| tuple_of(vec![x, y])).collect())
                }
                _ => Term::Zip(a, b),
            },
            Term::Contains(of, wanted) => self.contains(*of, *wanted, positive),
            Term::Distinct(of) => self.distinct(*of),
            Term::IsSorted(of) => match *of {
                Term::Concat(parts) if parts.iter().all(|part| self.is_total(part)) => {
                    self.in_order(CompareOp::Le, parts, positive)
                }
                of => match self.total_elements(&of) {
                    Some(elements) => self.in_order(CompareOp::Le, vec![seq_of(elements)], positive),
                    None => Term::IsSorted(Box::new(of)),
                },
            },
            Term::Extreme { over, greatest, option } => match self.total_elements(&over) {
                Some(elements) => {
                    Term::Extreme { over: Box::new(self.one_known(elements, greatest)), greatest, option }
                }
                None => Term::Extreme { over, greatest, option },
            },
            term => term,
        }
    }

    /// Keeps, of the known integers, only the least or the greatest.
    fn one_known(&mut self, elements: Vec<Term>, greatest: bool) -> Term {
        let known = elements.iter().filter_map(|element| match element {
            Term::Lit(Value::Int(n)) => Some(n.clone()),
            _ => None,
        });
        let best = if greatest { known.max() } else { known.min() };
        let Some(best) = best else { return seq_of(elements) };
        let open = elements.into_iter().filter(|element| !matches!(element, Term::Lit(_)));
        seq_of(std::iter::once(Term::Lit(Value::Int(best))).chain(open).collect())
    }

    /// What a map has at a key, if all its keys are known.
    fn map_get(&mut self, of: Box<Term>, wanted: Box<Term>, option: DataId) -> Term {
        if let (Some(entries), Term::Lit(wanted)) = (self.total_elements(&of), &*wanted) {
            let mut found = None;
            let mut are_known = true;
            for entry in entries {
                match self.key(entry.clone()) {
                    Term::Lit(key) if logic_equal(&key, wanted) => found = Some(entry),
                    Term::Lit(_) => {}
                    _ => are_known = false,
                }
            }
            match found {
                Some(entry) if are_known => {
                    let value = self.component(entry, 1);
                    return super::constructed(option, 1, vec![value]);
                }
                None if are_known => return super::constructed(option, 0, Vec::new()),
                Some(_) | None => {}
            }
        }
        Term::MapGet(of, wanted, option)
    }

    fn key(&mut self, entry: Term) -> Term {
        self.component(entry, 0)
    }

    /// A component of a tuple, known or not.
    fn component(&mut self, of: Term, at: u32) -> Term {
        match of {
            Term::Lit(Value::Tuple(parts)) => {
                parts.get(at as usize).cloned().map_or(Term::Undefined, Term::Lit)
            }
            of => self.part(of, None, at),
        }
    }

    fn length(&mut self, of: Term) -> Term {
        if let Some(chars) = matches!(of, Term::Text(_)).then(|| chars_of(&of)).flatten() {
            return self.added(chars.into_iter().map(width).collect());
        }
        match of {
            Term::Seq(parts) if parts.iter().all(|part| self.is_total(part)) => integer(parts.len() as i128),
            Term::Concat(parts) => {
                let lengths = parts.into_iter().map(|part| self.length(part)).collect();
                self.added(lengths)
            }
            Term::Lit(_) => self.closed(&Term::Len(Box::new(of))),
            Term::Range(low, high) => match (&*low, &*high) {
                (Term::Lit(Value::Int(a)), Term::Lit(Value::Int(b))) => {
                    Term::Lit(Value::Int(if a < b { b - a } else { Int::ZERO }))
                }
                _ => Term::Len(Box::new(Term::Range(low, high))),
            },
            Term::Map(over, closure) if self.is_total(&closure.body) => self.length(*over),
            Term::Filter(over, closure) => match self.total_elements(&over) {
                Some(elements) => {
                    let mut env = Env::default();
                    let counts = elements.into_iter().map(|element| {
                        let test = self.applied(&closure, element, &mut env);
                        self.branch(test, integer(1), integer(0))
                    });
                    let counts: Vec<Term> = counts.collect();
                    self.added(counts)
                }
                None => Term::Len(Box::new(Term::Filter(over, closure))),
            },
            of => Term::Len(Box::new(of)),
        }
    }

    fn sum(&mut self, of: Term) -> Term {
        match of {
            Term::Concat(parts) if parts.iter().all(|part| self.is_total(part)) => {
                let sums = parts.into_iter().map(|part| self.sum(part)).collect();
                self.added(sums)
            }
            Term::Lit(_) => self.closed(&Term::Sum(Box::new(of))),
            Term::Filter(over, closure) => match self.total_elements(&over) {
                Some(elements) => {
                    let mut env = Env::default();
                    let mut terms = Vec::new();
                    for element in elements {
                        let test = self.applied(&closure, element.clone(), &mut env);
                        terms.push(match test {
                            Term::Lit(Value::Bool(true)) => element,
                            Term::Lit(Value::Bool(false)) => integer(0),
                            test => Term::If(Box::new(test), Box::new(element), Box::new(integer(0))),
                        });
                    }
                    self.added(terms)
                }
                None => Term::Sum(Box::new(Term::Filter(over, closure))),
            },
            of => match self.total_elements(&of) {
                Some(elements) => self.added(elements),
                None => Term::Sum(Box::new(of)),
            },
        }
    }

    fn added(&mut self, terms: Vec<Term>) -> Term {
        if terms.iter().any(|term| matches!(term, Term::Undefined)) {
            return Term::Undefined;
        }
        let sum = terms.into_iter().reduce(|a, b| Term::Arith(ArithOp::Add, Box::new(a), Box::new(b)));
        match sum {
            None => integer(0),
            Some(Term::Arith(op, a, b)) => match (&*a, &*b) {
                (Term::Lit(_), Term::Lit(_)) => self.closed(&Term::Arith(op, a, b)),
                _ => self.sum_of(Term::Arith(op, a, b)),
            },
            Some(term) => term,
        }
    }

    pub(super) fn contains(&mut self, of: Term, wanted: Term, positive: bool) -> Term {
        match of {
            Term::Range(lo, hi)
                if self.kind(&wanted) == Kind::Int
                    && (positive || [&*lo, &*hi, &wanted].into_iter().all(|part| self.is_total(part))) =>
            {
                let above = self.linear_compare(CompareOp::Le, *lo, wanted.clone());
                let below = self.linear_compare(CompareOp::Lt, wanted, *hi);
                let mut kept = Vec::new();
                if !self.conjoin(&mut kept, above, positive) {
                    self.conjoin(&mut kept, below, positive);
                }
                all_of(kept)
            }
            Term::Concat(parts) if parts.iter().all(|part| self.is_total(part)) => {
                let mut kept = Vec::new();
                for part in parts {
                    let part = self.contains(part, wanted.clone(), false);
                    if self.disjoin(&mut kept, part) {
                        break;
                    }
                }
                any_of(kept)
            }
            Term::Collect(Collection::Set | Collection::Bag, of) => self.contains(*of, wanted, positive),
            of => {
                let Some(elements) = self.total_elements(&of).filter(|_| self.is_total(&wanted)) else {
                    return Term::Contains(Box::new(of), Box::new(wanted));
                };
                let mut kept = Vec::new();
                for element in elements {
                    let equal = match (&element, &wanted) {
                        (Term::Lit(a), Term::Lit(b)) => boolean(logic_equal(a, b)),
                        _ => self.equal(element, wanted.clone(), false),
                    };
                    if self.disjoin(&mut kept, equal) {
                        break;
                    }
                }
                any_of(kept)
            }
        }
    }
}

/// The elements of a sequence of known length.
pub(super) fn elements_of(term: &Term) -> Option<Vec<Term>> {
    match term {
        Term::Seq(parts) => Some(parts.clone()),
        Term::Lit(Value::Seq(parts)) => Some(parts.iter().cloned().map(Term::Lit).collect()),
        Term::Range(low, high) => match (&**low, &**high) {
            (Term::Lit(Value::Int(low)), Term::Lit(Value::Int(high))) => {
                let (low, high) = (low.to_i128()?, high.to_i128()?);
                (high.saturating_sub(low) <= LONGEST).then(|| (low..high).map(integer).collect())
            }
            _ => None,
        },
        _ => None,
    }
}

fn tuple_of(parts: Vec<Term>) -> Term {
    let lits = parts.iter().map(|part| if let Term::Lit(value) = part { Some(value.clone()) } else { None });
    match lits.collect() {
        Some(values) => Term::Lit(Value::Tuple(values)),
        None => Term::Tuple(parts),
    }
}

/// Concatenates parts. Neighbouring known parts are merged.
pub(super) fn concat(parts: Vec<Term>) -> Term {
    let is_text = parts.iter().any(|part| matches!(part, Term::Text(_) | Term::Lit(Value::Str(_))));
    if is_text {
        let chars: Option<Vec<Vec<Term>>> = parts.iter().map(chars_of).collect();
        return match chars {
            Some(chars) => super::text_of(chars.concat()),
            None => Term::Concat(parts),
        };
    }
    let mut joined: Vec<Term> = Vec::new();
    let mut known: Vec<Term> = Vec::new();
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Term::Concat(inner) => flat.extend(inner),
            part => flat.push(part),
        }
    }
    for part in flat {
        match elements_of(&part) {
            Some(elements) => known.extend(elements),
            None => {
                if !known.is_empty() {
                    joined.push(seq_of(std::mem::take(&mut known)));
                }
                joined.push(part);
            }
        }
    }
    if !known.is_empty() || joined.is_empty() {
        joined.push(seq_of(known));
    }
    if joined.len() == 1 { joined.remove(0) } else { Term::Concat(joined) }
}

/// Number of bytes of a character in UTF-8.
fn width(c: Term) -> Term {
    let code = || Box::new(Term::ToInt(Box::new(c.clone())));
    match &c {
        Term::Lit(Value::Char(c)) => integer(c.len_utf8() as i128),
        _ => [(0x80, 1), (0x800, 2), (0x1_0000, 3)].into_iter().rev().fold(integer(4), |wider, (end, n)| {
            let fits = Term::Compare(CompareOp::Le, code(), Box::new(integer(end - 1)));
            Term::If(Box::new(fits), Box::new(integer(n)), Box::new(wider))
        }),
    }
}
