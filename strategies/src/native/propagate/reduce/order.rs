//! Whether elements are in order or distinct, if some elements are known and some parts are open.

#![allow(clippy::wildcard_enum_match_arm, reason = "a rule rewrites few terms; any other stays as it is")]

use super::logic::all_of;
use super::sequence::{concat, elements_of};
use super::{Reducer, boolean, integer, seq_of};
use crate::logic::ir::{Closure, CompareOp, Term};
use crate::native::plan::problem::MADE;

impl Reducer {
    /// Removes known elements, after excluding their values from the open ones.
    pub(super) fn distinct(&mut self, of: Term) -> Term {
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

    /// Whether the concatenation of parts is in order: each part is in order, and lies between the elements before
    /// and after it.
    pub(super) fn in_order(&mut self, op: CompareOp, parts: Vec<Term>, positive: bool) -> Term {
        let mut segments = Vec::new();
        for part in parts {
            match elements_of(&part) {
                Some(elements) => segments.extend(elements.into_iter().map(Ok)),
                None => segments.push(Err(part)),
            }
        }
        let is_caught = |segment: &Result<Term, Term>| match segment {
            Ok(term) | Err(term) => crate::logic::ir::mentions(term, MADE),
        };
        if segments.windows(2).any(|pair| matches!(pair, [Err(_), Err(_)])) || segments.iter().any(is_caught)
        {
            // Both parts may be empty, so their neighbours are unknown; or a closure of the engine would capture an
            // element.
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
        (Term::Lit(a), Term::Lit(b)) => crate::logic::order::logic_equal(a, b),
        _ => false,
    }
}

/// A condition that the concatenation is in order, left unreduced.
fn unordered(op: CompareOp, segments: Vec<Result<Term, Term>>) -> Term {
    let parts = segments.into_iter().map(|segment| match segment {
        Ok(element) => seq_of(vec![element]),
        Err(part) => part,
    });
    in_order_inside(op, concat(parts.collect()))
}

/// A condition that all elements of a part are on one side of a term.
fn bounded(op: CompareOp, part: Term, sides: impl FnOnce(Term) -> (Term, Term)) -> Term {
    let (a, b) = sides(Term::Var(MADE));
    let body = Box::new(Term::Compare(op, Box::new(a), Box::new(b)));
    Term::All(Box::new(part), Closure { slot: MADE, body })
}

/// A condition that an open part is in order.
fn in_order_inside(op: CompareOp, part: Term) -> Term {
    if op == CompareOp::Le {
        return Term::IsSorted(Box::new(part));
    }
    let at = |index| Box::new(Term::Index(Box::new(Term::Var(MADE)), Box::new(integer(index))));
    let body = Box::new(Term::Compare(op, at(0), at(1)));
    Term::All(Box::new(Term::Windows(Box::new(part), 2)), Closure { slot: MADE, body })
}

/// The order that a closure about two neighbours tests, if it does.
pub(super) fn in_order_test(closure: &Closure) -> Option<CompareOp> {
    let is = |term: &Term, at: i128| match term {
        Term::Index(of, index) => **of == Term::Var(closure.slot) && **index == integer(at),
        _ => false,
    };
    match &*closure.body {
        Term::Compare(op, a, b) if is(a, 0) && is(b, 1) => Some(*op),
        _ => None,
    }
}
