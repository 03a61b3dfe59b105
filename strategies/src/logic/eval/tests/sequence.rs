//! Operations on sequences give what Rust's slices and iterators do, and stop where they stop.

use proptest::prelude::*;

use super::{arith, closure, eq, index, int, ints, judge, lt, not, value, var};
use crate::logic::eval::{Judgement, Stop};
use crate::logic::ir::{ArithOp, Closure, DataId, Term};
use crate::logic::value::Value;

fn list(elements: &[i64]) -> Box<Term> {
    Box::new(Term::Lit(ints(elements)))
}

fn some(n: i64) -> Value {
    Value::Data(1, [Value::int(n)].into())
}

fn none() -> Value {
    Value::Data(0, [].into())
}

/// `|x| 10 / x`
fn tenths() -> Closure {
    closure(9, arith(ArithOp::Div, int(10), var(9)))
}

#[test]
fn iterators_are_lazy() {
    let mapped = || Box::new(Term::Map(list(&[1, 0]), tenths()));
    let is_ten = || closure(8, eq(var(8), int(10)));
    assert_eq!(judge(&Term::Any(mapped(), is_ten())), Judgement::Holds);
    assert_eq!(judge(&not(Term::All(mapped(), closure(8, lt(var(8), int(10)))))), Judgement::Holds);
    assert_eq!(judge(&Term::All(mapped(), is_ten())), Judgement::Broken);
    assert_eq!(
        value(&Term::Position(mapped(), is_ten(), DataId(0))),
        Ok(Value::Data(1, [Value::int(0)].into()))
    );
    let kept = Term::Filter(list(&[2, 0, 5]), closure(7, lt(int(0), var(7))));
    assert_eq!(value(&Term::Map(Box::new(kept), tenths())), Ok(ints(&[5, 2])));
    assert_eq!(value(&Term::Len(mapped())), Err(Stop::Undefined));
}

#[test]
fn a_sequence_of_terms_is_computed_before_it_is_looked_at() {
    let eager = Term::Seq(vec![int(1), arith(ArithOp::Div, int(1), int(0))]);
    assert_eq!(judge(&Term::Any(Box::new(eager), closure(8, eq(var(8), int(1))))), Judgement::Broken);
}

#[test]
fn nested_concatenations_are_joined() {
    let seq = |elements: &[i64]| Term::Seq(elements.iter().map(|n| int(*n)).collect());
    let chosen = |a, b| Term::If(Box::new(lt(int(0), int(1))), Box::new(a), Box::new(b));
    let inner = Term::Concat(vec![seq(&[2, 3, 4]), *list(&[5]), Term::Concat(vec![])]);
    let whole = Term::Concat(vec![seq(&[]), *list(&[1]), inner, chosen(seq(&[6]), seq(&[7]))]);
    assert_eq!(value(&whole), Ok(ints(&[1, 2, 3, 4, 5, 6])));
    assert_eq!(value(&Term::Concat(vec![seq(&[]), seq(&[])])), Ok(ints(&[])));
    let text = |text| Term::Lit(Value::str(text));
    let inner = Term::Concat(vec![text("b"), text("")]);
    assert_eq!(value(&Term::Concat(vec![text("a"), inner, text("c")])), Ok(Value::str("abc")));
    assert_eq!(value(&Term::Concat(vec![text(""), text("")])), Ok(Value::str("")));
}

#[test]
fn out_of_bounds_is_undefined() {
    assert_eq!(value(&index(*list(&[1, 2]), int(2))), Err(Stop::Undefined));
    assert_eq!(value(&index(*list(&[1, 2]), int(-1))), Err(Stop::Undefined));
    let slice = |low, high| value(&Term::Slice(list(&[1, 2, 3]), Box::new(int(low)), Box::new(int(high))));
    assert_eq!(slice(1, 3), Ok(ints(&[2, 3])));
    assert_eq!(slice(3, 3), Ok(ints(&[])));
    assert_eq!(slice(2, 1), Err(Stop::Undefined));
    assert_eq!(slice(0, 4), Err(Stop::Undefined));
}

#[test]
fn strings_are_bytes_and_chars() {
    let text = || Box::new(Term::Lit(Value::str("aé")));
    assert_eq!(value(&Term::Len(text())), Ok(Value::int(3)));
    assert_eq!(value(&Term::Bytes(text())), Ok(ints(&[97, 195, 169])));
    assert_eq!(value(&Term::Chars(text())), Ok(Value::seq([Value::Char('a'), Value::Char('é')])));
    assert_eq!(value(&Term::Len(Box::new(Term::Chars(text())))), Ok(Value::int(2)));
    assert_eq!(value(&Term::Concat(vec![*text(), *text()])), Ok(Value::str("aéaé")));
}

#[test]
fn pairs_end_with_the_shorter() {
    let pair = |a: i64, b: i64| Value::Tuple([Value::int(a), Value::int(b)].into());
    let zip = |a: &[i64], b: &[i64]| value(&Term::Zip(list(a), list(b)));
    assert_eq!(zip(&[1, 2, 3], &[4, 5]), Ok(Value::seq([pair(1, 4), pair(2, 5)])));
    assert_eq!(zip(&[1], &[4, 5]), Ok(Value::seq([pair(1, 4)])));
    let distinct =
        closure(8, not(eq(Term::Project(Box::new(var(8)), 0), Term::Project(Box::new(var(8)), 1))));
    let zipped = Box::new(Term::Zip(list(&[1, 2]), list(&[1, 3])));
    assert_eq!(value(&Term::Filter(zipped, distinct)), Ok(Value::seq([pair(2, 3)])));
}

proptest! {
    #[test]
    fn slices_do_as_rusts_do(xs in prop::collection::vec(-4_i64..5, 0..40), n in -4_i64..5, width in 1_u32..4) {
        let of = || list(&xs);
        let truth = |holds: bool| Ok(Value::Bool(holds));
        prop_assert_eq!(value(&Term::Contains(of(), Box::new(int(n)))), truth(xs.contains(&n)));
        prop_assert_eq!(value(&Term::IsSorted(of())), truth(xs.is_sorted()));
        let n_distinct = xs.iter().collect::<std::collections::BTreeSet<_>>().len();
        prop_assert_eq!(value(&Term::Distinct(of())), truth(n_distinct == xs.len()));
        prop_assert_eq!(value(&Term::Sum(of())), Ok(Value::int(xs.iter().sum::<i64>())));
        let extreme = |greatest| value(&Term::Extreme { over: of(), greatest, option: DataId(0) });
        prop_assert_eq!(extreme(true), Ok(xs.iter().max().map_or(none(), |&n| some(n))));
        prop_assert_eq!(extreme(false), Ok(xs.iter().min().map_or(none(), |&n| some(n))));
        let windows = xs.windows(width as usize).map(ints).collect::<Vec<_>>();
        prop_assert_eq!(value(&Term::Windows(of(), width)), Ok(Value::seq(windows.clone())));
        let flat = windows.iter().flat_map(|window| if let Value::Seq(e) = window { e.to_vec() } else { vec![] });
        let flattened = Term::Flatten(Box::new(Term::Windows(of(), width)));
        prop_assert_eq!(value(&flattened), Ok(Value::seq(flat.collect::<Vec<_>>())));
        let reversed = xs.iter().rev().copied().collect::<Vec<_>>();
        prop_assert_eq!(value(&Term::Reverse(of())), Ok(ints(&reversed)));
        let below = |slot| closure(slot, lt(var(slot), int(n)));
        let position = xs.iter().position(|&x| x < n).map_or(none(), |at| some(at as i64));
        prop_assert_eq!(value(&Term::Position(of(), below(7), DataId(0))), Ok(position));
        prop_assert_eq!(value(&Term::All(of(), below(7))), truth(xs.iter().all(|&x| x < n)));
        let subtract = closure(8, arith(ArithOp::Sub, var(9), var(8)));
        let fold = Term::Fold { over: of(), init: Box::new(int(n)), acc: 9, closure: subtract };
        prop_assert_eq!(value(&fold), Ok(Value::int(xs.iter().fold(n, |a, x| a - x))));
    }

    #[test]
    fn windows_of_the_borrowed_and_the_new_are_the_same(xs in prop::collection::vec(-4_i64..5, 0..9)) {
        let ascending = || closure(8, lt(index(var(8), int(0)), index(var(8), int(1))));
        let copy = Term::Map(list(&xs), closure(9, var(9)));
        let borrowed = judge(&Term::All(Box::new(Term::Windows(list(&xs), 2)), ascending()));
        prop_assert_eq!(&borrowed, &judge(&Term::All(Box::new(Term::Windows(Box::new(copy), 2)), ascending())));
        prop_assert_eq!(borrowed == Judgement::Holds, xs.windows(2).all(|w| w[0] < w[1]));
    }
}
