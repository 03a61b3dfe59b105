//! Lines of small specs, and the inputs that touch them.

use super::*;
use crate::logic::ir::{IntKind, Param};

/// `n: {v: i8 | 0 <= v}, xs: Vec<{v: u8 | v < n}>`
fn spec() -> Spec {
    let var = |slot| Box::new(Term::Var(slot));
    let clause = |id, term| Clause { id, text: String::new(), term };
    let mut n = Refined::plain(Sort::Int(IntKind::I8));
    n.clauses.push(clause(0, Term::Compare(CompareOp::Le, Box::new(Term::Lit(Value::int(0))), var(2))));
    let mut element = Refined::plain(Sort::Int(IntKind::U8));
    element.clauses.push(clause(1, Term::Compare(CompareOp::Lt, var(2), var(0))));
    let list = Refined::plain(Sort::Seq(Box::new(element), SeqKind::Vec));
    let param = |name: &str, refined| Param { name: name.to_owned(), refined, mutable: false };
    Spec { params: vec![param("n", n), param("xs", list)], ..Spec::unrefined("f") }
}

fn touched(n: i64, xs: &[i64]) -> Vec<Option<bool>> {
    let spec = spec();
    let xs: Vec<Value> = xs.iter().map(|x| Value::int(*x)).collect();
    Judge::new(None).touched(&Boundaries::of(&spec), &[Value::int(n), Value::seq(xs)])
}

#[test]
fn lines_are_comparisons_ends_of_types_and_emptiness() {
    let spec = spec();
    let parts: Vec<String> =
        Boundaries::of(&spec).all().iter().map(|boundary| boundary.part.clone()).collect();
    // `n` is never `i8::MIN`, and no element `u8::MAX`.
    assert_eq!(parts, ["n", "n", "xs", "xs[..]", "xs[..]"]);
}

#[test]
fn an_input_touches_what_is_only_just_satisfied() {
    let (yes, no) = (Some(true), Some(false));
    assert_eq!(touched(0, &[]), [yes, no, yes, None, None]);
    assert_eq!(touched(127, &[3]), [no, yes, no, no, no]);
    assert_eq!(touched(4, &[0, 3]), [no, no, no, yes, yes]);
}
