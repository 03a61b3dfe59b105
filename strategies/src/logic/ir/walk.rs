//! Walks over the subterms of a [`Term`], whatever they mean.

use super::term::{Closure, Term};
use crate::cancel;

/// A term with each direct subterm replaced. `f` also gets the slots that the subterm binds.
#[expect(clippy::too_many_lines, reason = "it has an arm for each term")]
pub fn map_children(term: &Term, f: &mut impl FnMut(&Term, &[u32]) -> Term) -> Term {
    cancel::step();
    // Lists and binders need the full `f`; other terms need only this.
    let mut one = |t: &Term| Box::new(f(t, &[]));
    match term {
        Term::Var(_) | Term::Lit(_) | Term::Undefined => term.clone(),
        Term::Not(a) => Term::Not(one(a)),
        Term::Neg(a) => Term::Neg(one(a)),
        Term::Abs(a) => Term::Abs(one(a)),
        Term::IntToFloat(kind, a) => Term::IntToFloat(*kind, one(a)),
        Term::ToInt(a) => Term::ToInt(one(a)),
        Term::Len(a) => Term::Len(one(a)),
        Term::Flatten(a) => Term::Flatten(one(a)),
        Term::Reverse(a) => Term::Reverse(one(a)),
        Term::Chars(a) => Term::Chars(one(a)),
        Term::Bytes(a) => Term::Bytes(one(a)),
        Term::Text(a) => Term::Text(one(a)),
        Term::Sum(a) => Term::Sum(one(a)),
        Term::Distinct(a) => Term::Distinct(one(a)),
        Term::IsSorted(a) => Term::IsSorted(one(a)),
        Term::Collect(kind, a) => Term::Collect(*kind, one(a)),
        Term::Entries(a) => Term::Entries(one(a)),
        Term::Keys(a) => Term::Keys(one(a)),
        Term::SetOp(op, is_bag, a, b) => Term::SetOp(*op, *is_bag, one(a), one(b)),
        Term::Subset(is_bag, a, b) => Term::Subset(*is_bag, one(a), one(b)),
        Term::MapGet(a, b, option) => Term::MapGet(one(a), one(b), *option),
        Term::MapWith(a, b, c) => Term::MapWith(one(a), one(b), one(c)),
        Term::MapWithout(a, b) => Term::MapWithout(one(a), one(b)),
        Term::FloatUnary(op, a) => Term::FloatUnary(*op, one(a)),
        Term::CharIs(class, a) => Term::CharIs(*class, one(a)),
        Term::Matches(regex, state, a) => Term::Matches(*regex, *state, one(a)),
        Term::Project(a, i) => Term::Project(one(a), *i),
        Term::IsCtor(a, ctor) => Term::IsCtor(one(a), *ctor),
        Term::Windows(a, n) => Term::Windows(one(a), *n),
        Term::Field { of, ctor, index } => Term::Field { of: one(of), ctor: *ctor, index: *index },
        Term::Extreme { over, greatest, option } => {
            Term::Extreme { over: one(over), greatest: *greatest, option: *option }
        }
        Term::If(c, a, b) => Term::If(one(c), one(a), one(b)),
        Term::Slice(s, a, b) => Term::Slice(one(s), one(a), one(b)),
        Term::Equal(a, b) => Term::Equal(one(a), one(b)),
        Term::Compare(op, a, b) => Term::Compare(*op, one(a), one(b)),
        Term::Arith(op, a, b) => Term::Arith(*op, one(a), one(b)),
        Term::FloatArith(op, a, b) => Term::FloatArith(*op, one(a), one(b)),
        Term::Index(a, b) => Term::Index(one(a), one(b)),
        Term::Range(a, b) => Term::Range(one(a), one(b)),
        Term::Zip(a, b) => Term::Zip(one(a), one(b)),
        Term::Contains(a, b) => Term::Contains(one(a), one(b)),
        Term::StrTest(test, a, b) => Term::StrTest(*test, one(a), one(b)),
        Term::StrFind(a, b, option) => Term::StrFind(one(a), one(b), *option),
        Term::And(ts) => Term::And(map_all(ts, f)),
        Term::Or(ts) => Term::Or(map_all(ts, f)),
        Term::Tuple(ts) => Term::Tuple(map_all(ts, f)),
        Term::Seq(ts) => Term::Seq(map_all(ts, f)),
        Term::Concat(ts) => Term::Concat(map_all(ts, f)),
        Term::Machine(op, kind, ts) => Term::Machine(*op, *kind, map_all(ts, f)),
        Term::Construct(data, ctor, ts) => Term::Construct(*data, *ctor, map_all(ts, f)),
        Term::TextOp(op, ts) => Term::TextOp(*op, map_all(ts, f)),
        Term::Call(id, ts) => Term::Call(*id, map_all(ts, f)),
        Term::Opaque(id, ts) => Term::Opaque(*id, map_all(ts, f)),
        Term::Ask(question, of, ts) => Term::Ask(*question, *of, map_all(ts, f)),
        Term::Let { slot, value, body } => {
            let value = Box::new(f(value, &[]));
            Term::Let { slot: *slot, value, body: Box::new(f(body, &[*slot])) }
        }
        Term::All(over, c) => Term::All(Box::new(f(over, &[])), map_closure(c, &[], f)),
        Term::Any(over, c) => Term::Any(Box::new(f(over, &[])), map_closure(c, &[], f)),
        Term::Map(over, c) => Term::Map(Box::new(f(over, &[])), map_closure(c, &[], f)),
        Term::Filter(over, c) => Term::Filter(Box::new(f(over, &[])), map_closure(c, &[], f)),
        Term::Position(over, c, option) => {
            Term::Position(Box::new(f(over, &[])), map_closure(c, &[], f), *option)
        }
        Term::Fold { over, init, acc, closure } => Term::Fold {
            over: Box::new(f(over, &[])),
            init: Box::new(f(init, &[])),
            acc: *acc,
            closure: map_closure(closure, &[*acc], f),
        },
    }
}

/// Like [`map_children`], but replacements may be missing; `None` as soon as one is.
pub fn try_map_children(term: &Term, f: &mut impl FnMut(&Term, &[u32]) -> Option<Term>) -> Option<Term> {
    let mut is_missing = false;
    let mapped = map_children(term, &mut |child, slots| {
        let replaced = if is_missing { None } else { f(child, slots) };
        is_missing = replaced.is_none();
        replaced.unwrap_or(Term::Undefined)
    });
    (!is_missing).then_some(mapped)
}

fn map_all(terms: &[Term], f: &mut impl FnMut(&Term, &[u32]) -> Term) -> Vec<Term> {
    terms.iter().map(|term| f(term, &[])).collect()
}

fn map_closure(closure: &Closure, more: &[u32], f: &mut impl FnMut(&Term, &[u32]) -> Term) -> Closure {
    let mut slots = vec![closure.slot];
    slots.extend_from_slice(more);
    Closure { slot: closure.slot, body: Box::new(f(&closure.body, &slots)) }
}

/// Calls `f` on each direct subterm.
#[expect(clippy::too_many_lines, reason = "it has an arm for each term")]
pub fn for_children<'t>(term: &'t Term, f: &mut dyn FnMut(&'t Term)) {
    cancel::step();
    match term {
        Term::Var(_) | Term::Lit(_) | Term::Undefined => {}
        Term::Not(a)
        | Term::Neg(a)
        | Term::Abs(a)
        | Term::IntToFloat(_, a)
        | Term::ToInt(a)
        | Term::Len(a)
        | Term::Flatten(a)
        | Term::Reverse(a)
        | Term::Chars(a)
        | Term::Bytes(a)
        | Term::Text(a)
        | Term::Sum(a)
        | Term::Distinct(a)
        | Term::IsSorted(a)
        | Term::Collect(_, a)
        | Term::Entries(a)
        | Term::Keys(a)
        | Term::FloatUnary(_, a)
        | Term::CharIs(_, a)
        | Term::Project(a, _)
        | Term::IsCtor(a, _)
        | Term::Windows(a, _)
        | Term::Matches(_, _, a)
        | Term::Field { of: a, .. }
        | Term::Extreme { over: a, .. } => f(a),
        Term::Equal(a, b)
        | Term::Compare(_, a, b)
        | Term::Arith(_, a, b)
        | Term::FloatArith(_, a, b)
        | Term::Index(a, b)
        | Term::Range(a, b)
        | Term::Zip(a, b)
        | Term::Contains(a, b)
        | Term::StrTest(_, a, b)
        | Term::StrFind(a, b, _)
        | Term::SetOp(_, _, a, b)
        | Term::Subset(_, a, b)
        | Term::MapGet(a, b, _)
        | Term::MapWithout(a, b) => [a, b].into_iter().for_each(|child| f(child)),
        Term::If(a, b, c) | Term::Slice(a, b, c) | Term::MapWith(a, b, c) => {
            [a, b, c].into_iter().for_each(|child| f(child));
        }
        Term::And(parts)
        | Term::Or(parts)
        | Term::Tuple(parts)
        | Term::Seq(parts)
        | Term::Concat(parts)
        | Term::Machine(_, _, parts)
        | Term::Construct(_, _, parts)
        | Term::TextOp(_, parts)
        | Term::Call(_, parts)
        | Term::Opaque(_, parts)
        | Term::Ask(_, _, parts) => parts.iter().for_each(f),
        Term::Let { value, body, .. } => [value, body].into_iter().for_each(|child| f(child)),
        Term::All(over, c)
        | Term::Any(over, c)
        | Term::Map(over, c)
        | Term::Filter(over, c)
        | Term::Position(over, c, _) => {
            f(over);
            f(&c.body);
        }
        Term::Fold { over, init, closure, .. } => {
            f(over);
            f(init);
            f(&closure.body);
        }
    }
}

/// Calls `f` on each direct subterm, with the slots that the subterm binds.
pub fn for_scoped_children(term: &Term, f: &mut dyn FnMut(&Term, &[u32])) {
    if let Term::Let { slot, value, body } = term {
        f(value, &[]);
        f(body, &[*slot]);
    } else if let Term::All(over, c)
    | Term::Any(over, c)
    | Term::Map(over, c)
    | Term::Filter(over, c)
    | Term::Position(over, c, _) = term
    {
        f(over, &[]);
        f(&c.body, &[c.slot]);
    } else if let Term::Fold { over, init, acc, closure } = term {
        f(over, &[]);
        f(init, &[]);
        f(&closure.body, &[closure.slot, *acc]);
    } else {
        for_children(term, &mut |child| f(child, &[]));
    }
}

/// Calls `f` on a term and all its subterms, outermost first.
pub fn visit(term: &Term, f: &mut impl FnMut(&Term)) {
    // The recursion uses a `dyn`, because nested closure types would be infinite.
    fn go(term: &Term, f: &mut dyn FnMut(&Term)) {
        f(term);
        for_children(term, &mut |child| go(child, f));
    }
    go(term, f);
}

/// Whether a term reads a slot.
pub fn mentions(term: &Term, slot: u32) -> bool {
    let mut found = false;
    visit(term, &mut |term| {
        found |= *term == Term::Var(slot) || matches!(term, Term::Ask(_, of, _) if of.slot() == Some(slot));
    });
    found
}
