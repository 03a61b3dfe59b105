//! Whole specs: which clauses are judged, of which values, and what their failure means.

use super::{clause, eq, i64_with, index, int, ints, lt, refined, var};
use crate::logic::eval::{Admission, Finding, Host, Judge, Judgement, Obstacle, Promise};
use crate::logic::ir::{
    Ctor, Data, DataId, Field, IntKind, Param, Pointer, Refined, SeqKind, Sort, Spec, Term,
};
use crate::logic::value::Value;

fn param(name: &str, refined: Refined) -> Param {
    let mutable = refined.pointers.first() == Some(&Pointer::RefMut);
    Param { name: name.to_owned(), refined, mutable }
}

/// `fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)`
fn rescale() -> Spec {
    let positive = |id| i64_with(vec![clause(id, lt(int(0), var(3)))]);
    let below =
        |id, slot| i64_with(vec![clause(id, lt(int(-1), var(3))), clause(id + 1, lt(var(3), var(slot)))]);
    let params = vec![param("r1", positive(0)), param("r2", positive(1)), param("s", below(2, 0))];
    Spec { params, result: below(4, 1), ..Spec::unrefined("rescale") }
}

fn args(numbers: &[i64]) -> Vec<Value> {
    numbers.iter().map(|&n| Value::int(n)).collect()
}

fn admission(spec: &Spec, args: &[Value]) -> Admission {
    Judge::new(None).precondition(spec, args)
}

#[test]
fn each_refinement_refuses_by_its_clause() {
    let spec = rescale();
    assert_eq!(admission(&spec, &args(&[3, 2, 2])), Admission::Admitted);
    assert_eq!(admission(&spec, &args(&[0, 2, 0])), Admission::Rejected(Some(0)));
    assert_eq!(admission(&spec, &args(&[3, 2, 3])), Admission::Rejected(Some(3)));
    assert_eq!(admission(&spec, &args(&[3, 2])), Admission::Rejected(None));
    assert_eq!(
        admission(&spec, &[Value::Bool(true), Value::int(1), Value::int(1)]),
        Admission::Rejected(None)
    );
    assert_eq!(
        admission(&spec, &[Value::int(1_u64 << 63), Value::int(1), Value::int(1)]),
        Admission::Rejected(None)
    );
    let result = |n: i64| Judge::new(None).postcondition(&spec, &args(&[3, 2, 2]), None, &Value::int(n));
    assert_eq!(result(1), Finding::Kept);
    assert_eq!(result(2), Finding::Broken { promise: Promise::Result, clause: Some(5) });
}

#[test]
fn refinements_are_judged_at_every_depth() {
    // `fn(k: i64, xs: Vec<(bool, {v: i64 | v < k})>)`, then `{v: .. | v[0] == (true, 1)}` around it.
    let element = refined(
        Sort::Tuple(vec![Refined::plain(Sort::Bool), i64_with(vec![clause(0, lt(var(2), var(0)))])]),
        Vec::new(),
    );
    let first = Term::Lit(Value::Tuple([Value::Bool(true), Value::int(1)].into()));
    let outer = vec![clause(1, eq(index(var(2), int(0)), first))];
    let xs = refined(Sort::Seq(Box::new(element), SeqKind::Vec), outer);
    let spec = Spec { params: vec![param("k", i64_with(vec![])), param("xs", xs)], ..Spec::unrefined("f") };
    let pair = |n: i64| Value::Tuple([Value::Bool(true), Value::int(n)].into());
    let admitted = |k: i64, xs: Value| admission(&spec, &[Value::int(k), xs]);
    assert_eq!(admitted(5, Value::seq([pair(1), pair(4)])), Admission::Admitted);
    assert_eq!(admitted(5, Value::seq([pair(1), pair(5)])), Admission::Rejected(Some(0)));
    assert_eq!(admitted(5, Value::seq([pair(2)])), Admission::Rejected(Some(1)));
    // `v[0]` of an empty vector would panic.
    assert_eq!(admitted(5, Value::seq([])), Admission::Rejected(Some(1)));
}

#[test]
fn values_must_be_of_their_sort() {
    let array = refined(Sort::Seq(Box::new(i64_with(vec![])), SeqKind::Array(2)), Vec::new());
    let spec = Spec { params: vec![param("xs", array)], ..Spec::unrefined("f") };
    assert_eq!(admission(&spec, &[ints(&[1, 2])]), Admission::Admitted);
    assert_eq!(admission(&spec, &[ints(&[1])]), Admission::Rejected(None));
    let byte =
        Spec { params: vec![param("n", Refined::plain(Sort::Int(IntKind::U8)))], ..Spec::unrefined("f") };
    assert_eq!(admission(&byte, &args(&[255])), Admission::Admitted);
    assert_eq!(admission(&byte, &args(&[256])), Admission::Rejected(None));
}

/// `enum List { Nil, Cons(Pos, Box<List>) }`
fn list_spec() -> Spec {
    let field = |name: &str, refined| Field { name: name.to_owned(), refined, slot: None };
    let list = Refined { pointers: vec![Pointer::Box], ..Refined::plain(Sort::Data(DataId(0))) };
    let cons = vec![field("0", i64_with(vec![clause(0, lt(int(0), var(1)))])), field("1", list)];
    let ctor = |path: &str, fields, recursive| Ctor {
        rust_path: path.to_owned(),
        fields,
        named: false,
        recursive,
        excluded: false,
    };
    Spec {
        data: vec![Data {
            rust_type: "List".to_owned(),
            ctors: vec![ctor("List::Nil", Vec::new(), false), ctor("List::Cons", cons, true)],
            via: None,
            object: None,
            rule: None,
        }],
        params: vec![param("list", Refined::plain(Sort::Data(DataId(0))))],
        ..Spec::unrefined("f")
    }
}

#[test]
fn recursive_data_is_judged_through_and_through_also_when_deep() {
    let spec = list_spec();
    let nil = || Value::Data(0, [].into());
    let list = |numbers: &mut dyn Iterator<Item = i64>| {
        numbers.fold(nil(), |list, n| Value::Data(1, [Value::int(n), list].into()))
    };
    assert_eq!(admission(&spec, &[list(&mut [2, 1].into_iter())]), Admission::Admitted);
    assert_eq!(admission(&spec, &[list(&mut [0, 1].into_iter())]), Admission::Rejected(Some(0)));
    assert_eq!(admission(&spec, &[list(&mut (1..5_000))]), Admission::Admitted);
    assert_eq!(admission(&spec, &[Value::Data(2, [].into())]), Admission::Rejected(None));
    assert_eq!(admission(&spec, &[Value::Data(1, [].into())]), Admission::Rejected(None));
}

#[test]
fn on_return_a_mutable_parameter_sees_the_values_on_return() {
    // `fn(n: i64, xs: &mut {v: Vec<i64> | v.len() < n}) ensures xs.len() == old(n)`, `n` in slot 0.
    let len = |slot| Term::Len(Box::new(var(slot)));
    let xs = Refined {
        pointers: vec![Pointer::RefMut],
        ..refined(Sort::Seq(Box::new(i64_with(vec![])), SeqKind::Vec), vec![clause(0, lt(len(2), var(0)))])
    };
    let spec = Spec {
        params: vec![param("n", i64_with(vec![])), param("xs", xs)],
        ensures: vec![clause(1, eq(len(4), len(1)))],
        ..Spec::unrefined("f")
    };
    let entry = [Value::int(3), ints(&[1, 2])];
    let on_return = |n: i64, xs: &[i64]| {
        Judge::new(None).postcondition(&spec, &entry, Some(&[Value::int(n), ints(xs)]), &Value::unit())
    };
    assert_eq!(on_return(3, &[7, 7]), Finding::Kept);
    assert_eq!(on_return(3, &[7]), Finding::Broken { promise: Promise::Ensures, clause: Some(1) });
    assert_eq!(on_return(3, &[7, 7, 7]), Finding::Broken { promise: Promise::Ensures, clause: Some(0) });
    assert_eq!(on_return(2, &[7, 7]), Finding::Broken { promise: Promise::Ensures, clause: Some(0) });
}

struct IsEven;

impl Host for IsEven {
    fn opaque(&mut self, _: u32, args: &[Value]) -> Result<bool, String> {
        match args {
            [Value::Int(n)] => n.to_i64().map(|n| n % 2 == 0).ok_or("too big".to_owned()),
            _ => Err("one integer".to_owned()),
        }
    }
}

#[test]
fn where_conditions_take_a_host() {
    let even = clause(0, Term::Opaque(0, vec![var(1)]));
    let n = refined(Sort::Int(IntKind::U64), vec![even]);
    let mut spec = Spec { params: vec![param("n", n)], ..Spec::unrefined("f") };
    let mut host = IsEven;
    let mut hosted = Judge::new(Some(&mut host));
    assert_eq!(hosted.precondition(&spec, &args(&[2])), Admission::Admitted);
    assert_eq!(hosted.precondition(&spec, &args(&[3])), Admission::Rejected(Some(0)));
    let big = [Value::int(u64::MAX)];
    let obstacle = Obstacle::Mistake("too big".to_owned());
    assert_eq!(hosted.precondition(&spec, &big), Admission::SpecError { clause: 0, obstacle });
    assert_eq!(admission(&spec, &args(&[3])), Admission::Admitted);
    spec.explore.push(clause(1, Term::Opaque(0, vec![var(0)])));
    assert!(matches!(Judge::new(None).explored(&spec, &args(&[3])), Judgement::Unjudged));
}

#[test]
fn a_panic_is_asked_for_where_its_condition_holds() {
    let mut spec = Spec { params: vec![param("n", i64_with(vec![]))], ..Spec::unrefined("f") };
    let mut judge = Judge::new(None);
    assert_eq!(judge.panics_if(&spec, &args(&[1])), None);
    spec.panics_if = Some(clause(0, eq(var(0), int(0))));
    assert_eq!(judge.panics_if(&spec, &args(&[0])), Some(Judgement::Holds));
    assert_eq!(judge.panics_if(&spec, &args(&[1])), Some(Judgement::Broken));
}
