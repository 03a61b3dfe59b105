//! Builders for terms that read like what users write, and tests by topic.

mod collection;
mod machine;
mod sequence;
mod spec;
mod work;

use super::{Judge, Judgement, Stop};
use crate::logic::ir::{ArithOp, Clause, Closure, CompareOp, IntKind, Refined, Sort, Term};
use crate::logic::value::Value;

fn int(n: i64) -> Term {
    Term::Lit(Value::int(n))
}

fn ints(elements: &[i64]) -> Value {
    Value::seq(elements.iter().map(|&n| Value::int(n)).collect::<Vec<_>>())
}

fn var(slot: u32) -> Term {
    Term::Var(slot)
}

fn arith(op: ArithOp, a: Term, b: Term) -> Term {
    Term::Arith(op, Box::new(a), Box::new(b))
}

fn lt(a: Term, b: Term) -> Term {
    Term::Compare(CompareOp::Lt, Box::new(a), Box::new(b))
}

fn eq(a: Term, b: Term) -> Term {
    Term::Equal(Box::new(a), Box::new(b))
}

fn not(a: Term) -> Term {
    Term::Not(Box::new(a))
}

fn index(of: Term, at: Term) -> Term {
    Term::Index(Box::new(of), Box::new(at))
}

fn closure(slot: u32, body: Term) -> Closure {
    Closure { slot, body: Box::new(body) }
}

fn clause(id: u32, term: Term) -> Clause {
    Clause { id, text: String::new(), term }
}

fn refined(sort: Sort, clauses: Vec<Clause>) -> Refined {
    Refined { clauses, ..Refined::plain(sort) }
}

fn i64_with(clauses: Vec<Clause>) -> Refined {
    refined(Sort::Int(IntKind::I64), clauses)
}

fn value(term: &Term) -> Result<Value, Stop> {
    Judge::new(None).value(term)
}

fn judge(term: &Term) -> Judgement {
    Judge::new(None).condition(term)
}

#[test]
fn the_undefined_makes_a_condition_false_also_under_not() {
    let broken = lt(arith(ArithOp::Div, int(1), int(0)), int(5));
    assert_eq!(judge(&broken), Judgement::Broken);
    assert_eq!(judge(&not(broken.clone())), Judgement::Broken);
    assert_eq!(judge(&Term::Or(vec![broken.clone(), Term::Lit(Value::Bool(true))])), Judgement::Broken);
    assert_eq!(judge(&Term::Or(vec![Term::Lit(Value::Bool(true)), broken.clone()])), Judgement::Holds);
    let unless = Term::If(Box::new(lt(int(1), int(2))), Box::new(lt(int(0), int(1))), Box::new(broken));
    assert_eq!(judge(&unless), Judgement::Holds);
}

#[test]
fn division_is_rusts() {
    let all = |a: i64, b: i64| {
        let ops = [ArithOp::Div, ArithOp::Rem, ArithOp::DivEuclid, ArithOp::RemEuclid];
        ops.map(|op| value(&arith(op, int(a), int(b))).ok())
    };
    for (a, b) in [(7_i64, 2_i64), (-7, 2), (7, -2), (-7, -2), (6, -3), (0, 5)] {
        let expected = [a / b, a % b, a.div_euclid(b), a.rem_euclid(b)];
        assert_eq!(all(a, b), expected.map(|n| Some(Value::int(n))));
    }
    assert_eq!(all(1, 0), [None, None, None, None]);
    assert_eq!(value(&arith(ArithOp::Div, int(i64::MIN), int(-1))), Ok(Value::int(1_u64 << 63)));
}

#[test]
fn floats_compare_as_in_rust() {
    let float = |x: f64| Term::Lit(Value::Float(x));
    assert_eq!(judge(&eq(float(0.0), float(-0.0))), Judgement::Holds);
    assert_eq!(judge(&eq(float(f64::NAN), float(f64::NAN))), Judgement::Broken);
    assert_eq!(judge(&lt(float(f64::NAN), float(1.0))), Judgement::Broken);
    let pair = |x, y| Term::Tuple(vec![float(x), float(y)]);
    assert_eq!(judge(&lt(pair(0.0, 1.0), pair(-0.0, 2.0))), Judgement::Holds);
}

#[test]
fn binders_shadow_and_end() {
    let bound = |value, body| Term::Let { slot: 5, value: Box::new(value), body: Box::new(body) };
    let sum = arith(ArithOp::Add, bound(int(1), bound(int(2), var(5))), int(3));
    assert_eq!(value(&sum), Ok(Value::int(5)));
    let outside = arith(ArithOp::Add, bound(int(1), var(5)), var(5));
    assert!(matches!(value(&outside), Err(Stop::SpecError(_))));
}

#[test]
fn a_field_of_another_constructor_is_undefined() {
    let some = Value::Data(1, [Value::int(3)].into());
    let field = |ctor| Term::Field { of: Box::new(Term::Lit(some.clone())), ctor, index: 0 };
    assert_eq!(value(&field(1)), Ok(Value::int(3)));
    assert_eq!(value(&field(0)), Err(Stop::Undefined));
    assert_eq!(judge(&Term::IsCtor(Box::new(Term::Lit(some.clone())), 1)), Judgement::Holds);
}
