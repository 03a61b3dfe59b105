//! No condition makes the judge hang, run out of memory or overflow the stack.

use super::{arith, closure, eq, int, ints, judge, lt, value, var};
use crate::logic::eval::{Judge, Judgement, Obstacle, Stop};
use crate::logic::ir::{ArithOp, Term};
use crate::logic::value::Value;

fn range(low: i64, high: i64) -> Box<Term> {
    Box::new(Term::Range(Box::new(int(low)), Box::new(int(high))))
}

fn repeated(times: i64, init: Term, body: Term) -> Term {
    Term::Fold { over: range(0, times), init: Box::new(init), acc: 9, closure: closure(8, body) }
}

#[track_caller]
fn is_too_large(term: &Term) {
    assert!(matches!(value(term), Err(Stop::SpecError(Obstacle::TooMuchWork))), "{term:?}");
}

#[test]
fn numbers_that_explode_are_given_up() {
    is_too_large(&repeated(64, int(3), arith(ArithOp::Mul, var(9), var(9))));
    is_too_large(&arith(ArithOp::Pow, int(3), int(i64::MAX)));
    is_too_large(&arith(ArithOp::Pow, int(10), int(900_000)));
    is_too_large(&repeated(1 << 20, int(3), arith(ArithOp::Add, var(9), var(9))));
    assert_eq!(value(&arith(ArithOp::Pow, int(-1), int(i64::MAX))), Ok(Value::int(-1)));
    assert_eq!(value(&arith(ArithOp::Pow, int(2), int(-1))), Err(Stop::Undefined));
    let googol = arith(ArithOp::Pow, int(10), int(100));
    assert_eq!(judge(&lt(int(i64::MAX), googol)), Judgement::Holds);
}

#[test]
fn sequences_that_explode_are_given_up() {
    is_too_large(&repeated(64, Term::Lit(ints(&[1])), Term::Concat(vec![var(9), var(9)])));
    is_too_large(&Term::Map(range(0, i64::MAX), closure(7, var(7))));
    is_too_large(&Term::Reverse(range(i64::MIN, i64::MAX)));
    is_too_large(&Term::All(range(0, i64::MAX), closure(7, lt(int(-1), var(7)))));
    let texts = repeated(64, Term::Lit(Value::str("é")), Term::Concat(vec![var(9), var(9)]));
    is_too_large(&Term::Len(Box::new(texts)));
}

#[test]
fn long_results_can_be_judged() {
    let mut judge = Judge::new(None);
    judge.set(0, ints(&(0..100_000).collect::<Vec<_>>()));
    let whole = || Box::new(var(0));
    assert_eq!(judge.condition(&Term::IsSorted(whole())), Judgement::Holds);
    assert_eq!(judge.condition(&Term::Distinct(whole())), Judgement::Holds);
    assert_eq!(judge.condition(&Term::All(whole(), closure(7, lt(int(-1), var(7))))), Judgement::Holds);
}

#[test]
fn deep_values_can_be_compared_and_dropped() {
    let deep = || (0..5_000).fold(Value::unit(), |list, n| Value::Data(1, [Value::int(n), list].into()));
    let (a, b) = (Term::Lit(deep()), Term::Lit(deep()));
    assert_eq!(judge(&eq(a.clone(), b.clone())), Judgement::Holds);
    assert_eq!(judge(&lt(a, b)), Judgement::Broken);
}

#[test]
fn what_is_ill_typed_is_a_mistake_of_the_spec() {
    for term in
        [arith(ArithOp::Add, int(1), Term::Lit(Value::Bool(true))), Term::Not(Box::new(int(1))), var(3)]
    {
        assert!(matches!(value(&term), Err(Stop::SpecError(_))), "{term:?}");
    }
}
