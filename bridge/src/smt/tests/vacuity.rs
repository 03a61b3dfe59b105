//! Why there is nothing, and what the solver is asked.

use expect_test::expect;
use target_strategies::logic::ir::{Ctor, DataId, Field};

use super::*;
use crate::smt::print;
use crate::smt::vacuous::{Vacuity, explain};

fn ints(requires: Vec<Term>, params: usize) -> Space {
    space(spec(vec![plain(i64s()); params], requires), 4, 4)
}

fn why(space: &Space) -> Vacuity {
    explain(space)
}

#[test]
fn contradictions_are_reduced() {
    let requires = vec![lt(var(0), var(1)), lt(int(0), var(2)), lt(var(1), var(2)), lt(var(2), var(0))];
    assert_eq!(why(&ints(requires, 3)), Vacuity::Contradictory(vec![0, 2, 3]));
}

#[test]
fn a_range_may_be_empty_on_its_own() {
    assert_eq!(
        why(&ints(vec![lt(var(0), int(3)), lt(int(5), var(0))], 2)),
        Vacuity::Contradictory(vec![0, 1])
    );
}

#[test]
fn lengths_may_contradict_each_other() {
    let list = refined(
        vec_of(plain(i64s())),
        [lt(len(var(1)), int(3)), eq(var(1), var(1)), lt(int(5), len(var(1)))],
    );
    assert_eq!(why(&space(spec(vec![list], Vec::new()), 4, 4)), Vacuity::Contradictory(vec![0, 2]));
}

#[test]
fn what_lists_may_do_beyond_the_depth_is_not_known() {
    let negative = refined(i64s(), [lt(var(1), int(0))]);
    let sum = lt(int(0), Term::Sum(Box::new(var(1))));
    let space = space(spec(vec![refined(vec_of(negative), [sum])], Vec::new()), 4, 4);
    assert_eq!(why(&space), Vacuity::ContradictoryWithinDepth(vec![0]));
}

#[test]
fn a_contradiction_beside_a_list_is_one_whatever_the_bounds() {
    let space = space(
        spec(vec![plain(vec_of(plain(i64s()))), plain(i64s())], vec![lt(var(1), int(0)), lt(int(0), var(1))]),
        4,
        4,
    );
    assert_eq!(why(&space), Vacuity::Contradictory(vec![0, 1]));
}

#[test]
fn the_nearest_values_beyond_the_bound() {
    let product = arith(ArithOp::Mul, var(0), int(7));
    let requires = vec![eq(product, var(1)), lt(int(100), add(var(0), var(1)))];
    let Vacuity::EmptyWithinBounds(nearest) = why(&ints(requires, 2)) else { panic!("there are some") };
    assert_eq!(nearest, [Value::int(13), Value::int(91)]);
}

#[test]
fn the_nearest_values_beyond_the_depth() {
    let sum = eq(Term::Sum(Box::new(Term::Map(Box::new(var(1)), closure(3, int(1))))), int(6));
    let list = spec(vec![refined(vec_of(plain(i64s())), [sum])], Vec::new());
    let Vacuity::EmptyWithinBounds(nearest) = why(&space(list, 4, 4)) else { panic!("there are some") };
    assert_eq!(nearest, [Value::seq(vec![Value::int(0); 6])]);
}

#[test]
fn rust_code_is_no_reason() {
    let clauses = vec![lt(int(0), var(0)), Term::Opaque(0, vec![var(0)])];
    assert!(matches!(why(&ints(clauses, 1)), Vacuity::Unknown(_)));
}

#[test]
fn a_field_of_a_tree_may_contradict_a_parameter() {
    let key = refined(i64s(), [lt(var(2), var(0)), lt(var(0), var(2))]);
    let node = Ctor {
        rust_path: "Node".into(),
        fields: vec![Field { name: "0".into(), refined: key, slot: None }],
        named: false,
        recursive: false,
        excluded: false,
    };
    let mut spec = spec(vec![plain(i64s()), plain(Sort::Data(DataId(0)))], Vec::new());
    spec.data =
        vec![Data { rust_type: "Node".into(), ctors: vec![node], via: None, object: None, rule: None }];
    spec.data[0].ctors[0].fields[0].refined.clauses[1].id = 1;
    assert_eq!(why(&space(spec, 4, 4)), Vacuity::Contradictory(vec![0, 1]));
}

#[test]
fn the_question_as_text() {
    let pos = || refined(i64s(), [lt(int(0), var(3))]);
    let range = refined(i64s(), [le(int(0), var(3)), lt(var(3), var(0))]);
    let space = space(spec(vec![pos(), pos(), range], Vec::new()), 4, 4);
    let skeleton = space.skeletons().next().unwrap();
    expect![[r#"
        (declare-const x0 Int)
        (assert (<= 1 x0 4))
        (declare-const x1 Int)
        (assert (<= 1 x1 4))
        (declare-const x2 Int)
        (assert (<= 0 x2 4))
        (assert (not (<= (+ x0 (* (- 1) x2)) 0)))
        (check-sat)
    "#]]
    .assert_eq(&print::skeleton(&space, &skeleton));
}
