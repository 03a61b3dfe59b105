//! Parts of small specs.

use super::*;
use crate::logic::ir::{Clause, CompareOp, IntKind, Param};

fn at_most(a: Term, b: Term) -> Clause {
    let term = Term::Compare(CompareOp::Le, Box::new(a), Box::new(b));
    Clause { id: 0, text: String::new(), term }
}

fn int(n: i64) -> Term {
    Term::Lit(Value::int(n))
}

fn param(name: &str, sort: Sort, clauses: Vec<Clause>) -> Param {
    let refined = Refined { clauses, ..Refined::plain(sort) };
    Param { name: name.to_owned(), refined, mutable: false }
}

/// `fn(n: i64, d: {v: u8 | 1 <= v && v <= 31}, xs: Vec<bool>)`
fn spec() -> Spec {
    let day = vec![at_most(int(1), Term::Var(3)), at_most(Term::Var(3), int(31))];
    let list = Sort::Seq(Box::new(Refined::plain(Sort::Bool)), SeqKind::Vec);
    let params = vec![
        param("n", Sort::Int(IntKind::I64), Vec::new()),
        param("d", Sort::Int(IntKind::U8), day),
        param("xs", list, Vec::new()),
    ];
    Spec { params, ..Spec::unrefined("f") }
}

#[test]
fn a_scalar_with_few_values_and_a_list_are_parts() {
    let days = Allowed::Values { codes: (1..=31).collect(), is_exact: true };
    let lengths = Allowed::Lengths { most: None, is_text: false };
    let truths = Allowed::Variants { data: None, variants: vec![0, 1] };
    let expected = [
        Part { name: "d".to_owned(), path: vec![Step::Project(1)], allowed: days },
        Part { name: "xs".to_owned(), path: vec![Step::Project(2)], allowed: lengths },
        Part { name: "xs[_]".to_owned(), path: vec![Step::Project(2), Step::Each], allowed: truths },
    ];
    assert_eq!(parts(&spec()), expected);
}

#[test]
fn a_condition_that_relates_two_parts_makes_the_number_a_limit() {
    let spec = Spec { requires: vec![at_most(Term::Var(1), Term::Var(0))], ..spec() };
    let days = Allowed::Values { codes: (1..=31).collect(), is_exact: false };
    assert_eq!(parts(&spec)[0].allowed, days);
}

#[test]
fn conditions_on_the_value_leave_fewer_values() {
    let odd = Term::Arith(ArithOp::Rem, Box::new(Term::Var(3)), Box::new(int(2)));
    let odd = Term::Equal(Box::new(odd), Box::new(int(1)));
    let mut spec = spec();
    spec.params[1].refined.clauses.push(Clause { id: 0, text: String::new(), term: odd });
    let days = Allowed::Values { codes: (1..=31).step_by(2).collect(), is_exact: true };
    assert_eq!(parts(&spec)[0].allowed, days);
}

#[test]
fn a_limit_on_the_length_is_known() {
    let mut spec = spec();
    spec.params[2].refined.clauses.push(at_most(Term::Len(Box::new(Term::Var(3))), int(5)));
    assert_eq!(parts(&spec)[1].allowed, Allowed::Lengths { most: Some(5), is_text: false });
}

#[test]
fn the_number_of_possible_elements_limits_a_set() {
    let set = |element| Sort::Set(Box::new(Refined::plain(element)), SetKind::BTree);
    let longest = |element| {
        let spec = Spec { params: vec![param("s", set(element), Vec::new())], ..Spec::unrefined("f") };
        parts(&spec).first().map(|part| part.allowed.clone())
    };
    let lengths = |most| Some(Allowed::Lengths { most: Some(most), is_text: false });
    assert_eq!(longest(Sort::Bool), lengths(2));
    let pair = Sort::Tuple(vec![Refined::plain(Sort::Bool), Refined::plain(Sort::Int(IntKind::U8))]);
    assert_eq!(longest(pair), lengths(512));
    assert_eq!(longest(set(Sort::Bool)), None);
}
