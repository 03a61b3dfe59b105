//! Builds and inspects terms: a small vocabulary for the elaborator.
//!
//! It only folds noise: an `&&` of one operand, an `if` on `true`, a test of a constructor that was just chosen.

use target_strategies::logic::ir::{
    ArithOp, CompareOp, DataId, FloatKind, FloatOp, FloatUnary, IntKind, MachineOp, Term, for_children, visit,
};
use target_strategies::logic::value::Value;

use super::total::{self, Fields};

/// An integer constant.
pub(super) fn int(n: i64) -> Term {
    Term::Lit(Value::int(n))
}

/// A boolean constant.
pub(super) fn boolean(b: bool) -> Term {
    Term::Lit(Value::Bool(b))
}

/// `!a`
pub(super) fn not(a: Term) -> Term {
    Term::Not(Box::new(a))
}

/// `a && b && ..`, nested ones flattened.
pub(super) fn and(terms: Vec<Term>) -> Term {
    let mut flat = Vec::with_capacity(terms.len());
    for term in terms {
        if let Term::And(inner) = term {
            flat.extend(inner);
        } else if term != Term::Lit(Value::Bool(true)) {
            flat.push(term);
        }
    }
    match flat.len() {
        0 => boolean(true),
        1 => flat.swap_remove(0),
        _ => Term::And(flat),
    }
}

/// `a || b || ..`, nested ones flattened.
pub(super) fn or(terms: Vec<Term>) -> Term {
    let mut flat = Vec::with_capacity(terms.len());
    for term in terms {
        if let Term::Or(inner) = term {
            flat.extend(inner);
        } else {
            flat.push(term);
        }
    }
    if flat.len() == 1 { flat.swap_remove(0) } else { Term::Or(flat) }
}

/// `if c { a } else { b }`
pub(super) fn branch(c: Term, a: Term, b: Term) -> Term {
    if matches!(c, Term::Lit(Value::Bool(true))) {
        return a;
    }
    Term::If(Box::new(c), Box::new(a), Box::new(b))
}

/// `let slot = value; body`
pub(super) fn bound(slot: u32, value: Term, body: Term) -> Term {
    Term::Let { slot, value: Box::new(value), body: Box::new(body) }
}

/// `a == b`
pub(super) fn equal(a: Term, b: Term) -> Term {
    Term::Equal(Box::new(a), Box::new(b))
}

/// `a < b`
pub(super) fn less(a: Term, b: Term) -> Term {
    Term::Compare(CompareOp::Lt, Box::new(a), Box::new(b))
}

/// `a <= b`
pub(super) fn at_most(a: Term, b: Term) -> Term {
    Term::Compare(CompareOp::Le, Box::new(a), Box::new(b))
}

/// Arithmetic on two integers.
pub(super) fn arith(op: ArithOp, a: Term, b: Term) -> Term {
    Term::Arith(op, Box::new(a), Box::new(b))
}

/// `+ - * /` on two floats, rounded to their type.
pub(super) fn float_arith(kind: FloatKind, op: FloatOp, a: Term, b: Term) -> Term {
    let result = Term::FloatArith(op, Box::new(a), Box::new(b));
    match kind {
        FloatKind::F32 => Term::FloatUnary(FloatUnary::ToF32, Box::new(result)),
        FloatKind::F64 => result,
    }
}

/// `a + b`
pub(super) fn add(a: Term, b: Term) -> Term {
    arith(ArithOp::Add, a, b)
}

/// `a - b`
pub(super) fn sub(a: Term, b: Term) -> Term {
    arith(ArithOp::Sub, a, b)
}

/// The least or greatest value of a type.
pub(super) fn extreme(kind: IntKind, greatest: bool) -> Term {
    Term::Lit(Value::Int(if greatest { kind.max_value() } else { kind.min_value() }))
}

/// A machine operation.
pub(super) fn machine(op: MachineOp, kind: IntKind, args: Vec<Term>) -> Term {
    Term::Machine(op, kind, args)
}

/// The length of a sequence or string.
pub(super) fn len(of: Term) -> Term {
    Term::Len(Box::new(of))
}

/// `of[at]`
pub(super) fn index(of: Term, at: Term) -> Term {
    Term::Index(Box::new(of), Box::new(at))
}

/// `of[lo..hi]`
pub(super) fn slice(of: Term, lo: Term, hi: Term) -> Term {
    Term::Slice(Box::new(of), Box::new(lo), Box::new(hi))
}

/// A component of a tuple.
pub(super) fn project(of: Term, at: u32) -> Term {
    // A part may be dropped only if it can't be undefined.
    if let Term::Tuple(parts) = &of
        && parts.iter().all(is_total)
        && let Some(part) = parts.get(at as usize)
    {
        return part.clone();
    }
    Term::Project(Box::new(of), at)
}

/// A field of a constructor.
pub(super) fn field(of: Term, ctor: u32, index: u32) -> Term {
    Term::Field { of: Box::new(of), ctor, index }
}

/// Whether a value has a constructor; for an `if` between two constructors, the condition itself.
pub(super) fn is_ctor(of: Term, ctor: u32) -> Term {
    if let Term::If(_, a, b) = &of
        && let (Term::Construct(_, i, args), Term::Construct(_, j, more)) = (&**a, &**b)
        && args.iter().chain(more).all(is_total)
        && (*i == ctor) != (*j == ctor)
    {
        let positive = *i == ctor;
        if let Term::If(condition, ..) = of {
            return if positive { *condition } else { not(*condition) };
        }
    }
    Term::IsCtor(Box::new(of), ctor)
}

/// `Some(x)` if the condition holds, else `None`.
pub(super) fn some_if(condition: Term, option: DataId, x: Term) -> Term {
    branch(condition, Term::Construct(option, 1, vec![x]), Term::Construct(option, 0, Vec::new()))
}

/// The field of an untested constructor: `unwrap`.
pub(super) fn unwrapped(of: Term, ctor: u32) -> Term {
    if let Term::If(condition, a, b) = of {
        if let (Term::Construct(_, i, args), Term::Construct(_, j, rest)) = (&*a, &*b)
            && *i == ctor
            && *j != ctor
            && rest.iter().all(is_total)
            && let [arg] = args.as_slice()
        {
            return branch(*condition, arg.clone(), Term::Undefined);
        }
        return unwrapped_path(branch(*condition, *a, *b), ctor);
    }
    unwrapped_path(of, ctor)
}

fn unwrapped_path(of: Term, ctor: u32) -> Term {
    if is_path(&of) {
        // A field alone would count as a path, and so as a term without panics.
        return branch(is_ctor(of.clone(), ctor), field(of, ctor, 0), Term::Undefined);
    }
    field(of, ctor, 0)
}

/// Whether a term is a slot, a constant, or a part of a slot, and so can be repeated or dropped. A field counts, since
/// the field of a path is only used if its constructor is known.
pub(super) fn is_path(term: &Term) -> bool {
    match term {
        Term::Var(_) | Term::Lit(_) => true,
        Term::Project(of, _) | Term::Field { of, .. } => is_path(of),
        #[rustfmt::skip]
        Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..) | Term::Let { .. } | Term::Equal(..)
        | Term::Compare(..) | Term::Arith(..) | Term::Neg(_) | Term::Abs(_) | Term::FloatArith(..)
        | Term::FloatUnary(..) | Term::Machine(..) | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_)
        | Term::Seq(_) | Term::Construct(..) | Term::IsCtor(..) | Term::Len(_) | Term::Index(..)
        | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..)
        | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_)
        | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..)
        | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_)
        | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_)
        | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_)
        | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..)
        | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => false,
    }
}

/// Whether a term has a value, if its fields are there.
pub(super) fn is_total(term: &Term) -> bool {
    total::is_total(term, Fields::There)
}

/// Whether a term has a value, and its copies are no copies of decisions or loops.
pub(super) fn may_be_copied(term: &Term) -> bool {
    let mut is_plain = true;
    visit(term, &mut |part| {
        is_plain &= !matches!(
            part,
            Term::If(..)
                | Term::Let { .. }
                | Term::All(..)
                | Term::Any(..)
                | Term::Map(..)
                | Term::Filter(..)
        );
    });
    is_plain && is_total(term)
}

/// Whether a term has at most `limit` nodes.
pub(super) fn is_small(term: &Term, limit: usize) -> bool {
    let mut open = vec![term];
    let mut count = 0;
    while let Some(next) = open.pop() {
        count += 1;
        if count > limit {
            return false;
        }
        for_children(next, &mut |child| open.push(child));
    }
    true
}
