//! Quantifiers, folds and operations over sequences whose length is known, or that are put together of known and open
//! parts.

use super::logic::{all_of, any_of};
use super::text::chars_of;
use super::{Env, Kind, MADE, Reducer, boolean, integer, seq_of};
use crate::int::Int;
use crate::ir::{ArithOp, Closure, Collection, CompareOp, Term};
use crate::value::Value;

/// A longer range is never written out.
const LONGEST: i128 = 4096;

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
            // These are visited lazily: what would be undefined behind an element that decides isn't looked at.
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

    /// [`Reducer::quantified`] with a reduced sequence.
    fn quantified_over(
        &mut self,
        is_all: bool,
        over: Term,
        closure: &Closure,
        env: &mut Env,
        positive: bool,
    ) -> Term {
        let join = |parts| if is_all { all_of(parts) } else { any_of(parts) };
        match over {
            Term::Undefined => Term::Undefined,
            Term::Concat(parts) if parts.iter().all(|part| self.is_total(part)) => {
                let mut kept = Vec::new();
                for part in parts {
                    let part = self.quantified_over(is_all, part, closure, env, positive && is_all);
                    let over = if is_all {
                        self.conjoin(&mut kept, part, positive)
                    } else {
                        self.disjoin(&mut kept, part)
                    };
                    if over {
                        break;
                    }
                }
                join(kept)
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
            Term::Collect(Collection::Set | Collection::Bag, of)
                if self.is_total(&of) && self.is_total_closure(closure, env) =>
            {
                self.quantified_over(is_all, *of, closure, env, positive)
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
                let mut kept = Vec::new();
                let n = elements.len();
                for (index, element) in elements.into_iter().enumerate() {
                    env.bound.push((closure.slot, element));
                    let positive_here = positive && (is_all || index + 1 == n);
                    let part = self.reduce(&closure.body, env, positive_here);
                    env.bound.pop();
                    let over = if is_all {
                        self.conjoin(&mut kept, part, positive)
                    } else {
                        self.disjoin(&mut kept, part)
                    };
                    if over {
                        break;
                    }
                }
                join(kept)
            }
        }
    }

    fn is_total_closure(&mut self, closure: &Closure, env: &mut Env) -> bool {
        env.bound.push((closure.slot, Term::Var(closure.slot)));
        let body = self.reduce(&closure.body, env, false);
        env.bound.pop();
        self.is_total(&body)
    }

    /// A quantifier over a sequence that isn't known, its body reduced.
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

    fn reduced_closure(
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

    fn applied(&mut self, closure: &Closure, element: Term, env: &mut Env) -> Term {
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
                let over = self.reduce(over, env, false);
                let option = *option;
                self.with_over(over, |over, closure| Term::Position(over, closure, option), closure, env)
            }
            Term::Fold { over, init, acc, closure } => self.fold(over, init, *acc, closure, env),
            _ => Term::Undefined,
        }
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
        let is_closed = matches!(over, Term::Lit(_));
        let closure = self.reduced_closure(closure, None, env, false);
        let term = make(Box::new(over), closure);
        if is_closed && self.is_closed(&term) { self.closed(&term) } else { term }
    }

    /// Whether a term has no open place and no free slot.
    fn is_closed(&self, term: &Term) -> bool {
        fn go(term: &Term, bound: &mut Vec<u32>) -> bool {
            if let Term::Var(slot) = term {
                return bound.contains(slot);
            }
            let mut closed = true;
            crate::ir::map_children(term, &mut |child, slots| {
                let n = bound.len();
                bound.extend_from_slice(slots);
                closed = closed && go(child, bound);
                bound.truncate(n);
                Some(Term::Undefined)
            });
            closed
        }
        go(term, &mut Vec::new())
    }

    fn total_elements(&mut self, over: &Term) -> Option<Vec<Term>> {
        elements_of(over).filter(|elements| elements.iter().all(|element| self.is_total(element)))
    }

    /// A fold goes on as long as the accumulator is known.
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

    /// Another term about sequences, its operands reduced.
    pub(super) fn sequence(&mut self, term: Term, positive: bool) -> Term {
        match term {
            Term::Seq(parts) => Term::Seq(parts),
            Term::Construct(data, ctor, parts) => super::constructed(data, ctor, parts),
            Term::Concat(parts) => concat(parts),
            Term::Len(of) => self.length(*of),
            Term::Sum(of) => self.sum(*of),
            Term::Entries(of) if elements_of(&of).is_some() => *of,
            Term::Index(of, index) => match (elements_of(&of), &*index) {
                (Some(elements), Term::Lit(Value::Int(at))) if elements.iter().all(|e| self.is_total(e)) => {
                    at.to_usize().and_then(|at| elements.into_iter().nth(at)).unwrap_or(Term::Undefined)
                }
                _ => Term::Index(of, index),
            },
            Term::Slice(of, lo, hi) => match (elements_of(&of), &*lo, &*hi) {
                (Some(elements), Term::Lit(Value::Int(a)), Term::Lit(Value::Int(b)))
                    if elements.iter().all(|e| self.is_total(e)) =>
                {
                    let range = a.to_usize().zip(b.to_usize()).and_then(|(a, b)| elements.get(a..b));
                    range.map_or(Term::Undefined, |part| seq_of(part.to_vec()))
                }
                _ => Term::Slice(of, lo, hi),
            },
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

    /// Of the known elements among integers, the one that matters for the extreme.
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

    fn contains(&mut self, of: Term, wanted: Term, positive: bool) -> Term {
        match of {
            Term::Range(lo, hi) if self.kind(&wanted) == Kind::Int => {
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
                        (Term::Lit(a), Term::Lit(b)) => boolean(crate::eval::logic_equal(a, b)),
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

    /// Known elements exclude values from the open ones, and are then of no more interest.
    fn distinct(&mut self, of: Term) -> Term {
        let Some(elements) = self.total_elements(&of) else { return Term::Distinct(Box::new(of)) };
        let (known, open): (Vec<Term>, Vec<Term>) =
            elements.into_iter().partition(|element| matches!(element, Term::Lit(_)));
        if known.iter().enumerate().any(|(at, a)| known[..at].iter().any(|b| same(a, b))) {
            return boolean(false);
        }
        let mut kept = Vec::new();
        for element in &open {
            for other in &known {
                let equal = self.equal(element.clone(), other.clone(), false);
                let differs = self.not(equal);
                if self.conjoin(&mut kept, differs, true) {
                    return boolean(false);
                }
            }
        }
        if open.len() > 1 {
            kept.push(Term::Distinct(Box::new(Term::Seq(open))));
        }
        all_of(kept)
    }

    /// Whether the elements of parts, laid end to end, are in order: each part is, and all of it lies between the
    /// elements before and behind.
    fn in_order(&mut self, op: CompareOp, parts: Vec<Term>, positive: bool) -> Term {
        let mut segments = Vec::new();
        for part in parts {
            match elements_of(&part) {
                Some(elements) => segments.extend(elements.into_iter().map(Ok)),
                None => segments.push(Err(part)),
            }
        }
        if segments.windows(2).any(|pair| matches!(pair, [Err(_), Err(_)])) {
            // Either may be empty, so that neighbours aren't known.
            return unordered(op, segments);
        }
        let (mut kept, mut last, mut before) = (Vec::new(), None::<Term>, None);
        for segment in segments {
            let mut holds = Vec::new();
            match segment {
                Ok(element) => {
                    if let Some(last) = &last {
                        holds.push(self.ordered(op, last.clone(), element.clone()));
                    }
                    if let Some(before) = before.take() {
                        holds.push(bounded(op, before, |x| (x, element.clone())));
                    }
                    last = Some(element);
                }
                Err(part) => {
                    holds.push(in_order_inside(op, part.clone()));
                    if let Some(last) = &last {
                        holds.push(bounded(op, part.clone(), |x| (last.clone(), x)));
                    }
                    before = Some(part);
                }
            }
            for part in holds {
                if self.conjoin(&mut kept, part, positive) {
                    return all_of(kept);
                }
            }
        }
        all_of(kept)
    }

    fn ordered(&mut self, op: CompareOp, a: Term, b: Term) -> Term {
        match (&a, &b) {
            (Term::Lit(_), Term::Lit(_)) => self.closed(&Term::Compare(op, Box::new(a), Box::new(b))),
            _ => self.compare(op, a, b, false),
        }
    }
}

fn same(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Lit(a), Term::Lit(b)) => crate::eval::logic_equal(a, b),
        _ => false,
    }
}

/// That all of it is in order, as a test that waits.
fn unordered(op: CompareOp, segments: Vec<Result<Term, Term>>) -> Term {
    let parts = segments.into_iter().map(|segment| match segment {
        Ok(element) => seq_of(vec![element]),
        Err(part) => part,
    });
    in_order_inside(op, concat(parts.collect()))
}

/// All elements of a part on one side of something.
fn bounded(op: CompareOp, part: Term, sides: impl FnOnce(Term) -> (Term, Term)) -> Term {
    let (a, b) = sides(Term::Var(MADE));
    let body = Box::new(Term::Compare(op, Box::new(a), Box::new(b)));
    Term::All(Box::new(part), Closure { slot: MADE, body })
}

/// That an open part is in order by itself.
fn in_order_inside(op: CompareOp, part: Term) -> Term {
    if op == CompareOp::Le {
        return Term::IsSorted(Box::new(part));
    }
    let at = |index| Box::new(Term::Index(Box::new(Term::Var(MADE)), Box::new(integer(index))));
    let body = Box::new(Term::Compare(op, at(0), at(1)));
    Term::All(Box::new(Term::Windows(Box::new(part), 2)), Closure { slot: MADE, body })
}

/// Whether a closure about a pair of neighbours says that they are in order.
fn in_order_test(closure: &Closure) -> Option<CompareOp> {
    let is = |term: &Term, at: i128| match term {
        Term::Index(of, index) => **of == Term::Var(closure.slot) && **index == integer(at),
        _ => false,
    };
    match &*closure.body {
        Term::Compare(op, a, b) if is(a, 0) && is(b, 1) => Some(*op),
        _ => None,
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

/// Parts laid end to end; those that are known are one.
fn concat(parts: Vec<Term>) -> Term {
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

/// How many bytes a character takes.
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
