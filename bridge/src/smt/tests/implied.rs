//! What follows is shown of all values, and what isn't shown is never claimed.

use target_strategies::logic::ir::{Ctor, DataId, Field};

use super::*;
use crate::smt::implied::follows;

fn u8s() -> Refined {
    plain(Sort::Int(IntKind::U8))
}

/// Whether the last of some conditions follows from those before it.
fn last_follows(spec: &Spec, terms: &[Term]) -> bool {
    let (conclusion, premises) = terms.split_last().expect("there is a conclusion");
    follows(spec, &premises.iter().collect::<Vec<_>>(), conclusion)
}

#[test]
fn comparisons_follow_from_others_and_from_types() {
    let of = |n| spec(vec![plain(i64s()); n], Vec::new());
    assert!(last_follows(&of(1), &[le(int(3), var(0)), le(int(0), var(0))]));
    assert!(!last_follows(&of(1), &[le(int(0), var(0)), le(int(3), var(0))]));
    assert!(last_follows(&of(3), &[le(var(0), var(1)), le(var(1), var(2)), le(var(0), var(2))]));
    assert!(!last_follows(&of(3), &[le(var(0), var(1)), le(var(0), var(2))]));
    let sum = add(var(0), var(1));
    assert!(last_follows(&spec(vec![u8s(), u8s()], Vec::new()), &[le(int(0), sum.clone())]));
    assert!(!last_follows(&of(2), &[le(int(0), sum)]), "an `i64` may be negative");
}

#[test]
fn integers_range_over_their_types_and_not_over_a_bound() {
    let of = spec(vec![u8s()], Vec::new());
    assert!(last_follows(&of, &[le(var(0), int(255))]));
    assert!(!last_follows(&of, &[le(var(0), int(254))]));
}

#[test]
fn results_follow_from_conditions_on_arguments() {
    let of = Spec { result: plain(i64s()), ..spec(vec![plain(i64s()); 2], Vec::new()) };
    assert!(last_follows(&of, &[lt(var(0), var(1)), le(var(2), var(0)), lt(var(2), var(1))]));
    assert!(!last_follows(&of, &[lt(var(0), var(1)), le(var(2), var(1)), lt(var(2), var(0))]));
    // On entry and on return.
    assert!(!last_follows(&of, &[eq(var(0), int(1)), eq(var(3), int(1))]));
    assert!(last_follows(&of, &[eq(var(3), int(1)), lt(int(0), var(3))]));
}

#[test]
fn of_lists_only_lengths_are_known_and_they_have_no_bound() {
    let list = plain(vec_of(plain(i64s())));
    let of = spec(vec![list, plain(Sort::Int(IntKind::Usize))], Vec::new());
    let n = len(var(0));
    assert!(last_follows(&of, &[lt(var(1), n.clone()), lt(int(0), n.clone())]));
    assert!(!last_follows(&of, &[le(n.clone(), int(1_000))]));
    let first = index(var(0), int(0));
    let is_zero = eq(first, int(0));
    assert!(!last_follows(&of, &[is_zero.clone(), is_zero.clone()]), "elements aren't encoded");
    assert!(
        last_follows(&of, &[is_zero, eq(var(1), int(2)), lt(int(1), var(1))]),
        "the other premise is enough"
    );
}

#[test]
fn an_undefined_condition_is_not_satisfied() {
    let of = spec(vec![plain(i64s())], Vec::new());
    let quotient = arith(ArithOp::Div, int(0), var(0));
    let is_zero = eq(quotient, int(0));
    assert!(!last_follows(&of, std::slice::from_ref(&is_zero)), "it is undefined at zero");
    assert!(last_follows(&of, &[lt(int(0), var(0)), is_zero.clone()]));
    assert!(last_follows(&of, &[is_zero, Term::Not(Box::new(eq(var(0), int(0))))]));
}

#[test]
fn variants_are_told_apart() {
    let field = Field { name: "0".into(), refined: u8s(), slot: None };
    let ctor = |fields| Ctor {
        rust_path: "Variant".into(),
        fields,
        named: false,
        recursive: false,
        excluded: false,
    };
    let ctors = vec![ctor(Vec::new()), ctor(vec![field])];
    let of = Spec {
        data: vec![Data { rust_type: "Option<u8>".into(), ctors, via: None, object: None, rule: None }],
        ..spec(vec![plain(Sort::Data(DataId(0)))], Vec::new())
    };
    let is = |ctor| Term::IsCtor(Box::new(var(0)), ctor);
    assert!(last_follows(&of, &[is(1), Term::Not(Box::new(is(0)))]));
    assert!(!last_follows(&of, &[Term::Or(vec![is(0), is(1)]), is(1)]));
}
