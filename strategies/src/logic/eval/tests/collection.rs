//! Sets, bags and maps: one form for each, whatever was done to it.

use super::*;
use crate::logic::collection::{are_ordered, collected, ordered};
use crate::logic::eval::{Admission, admits};
use crate::logic::ir::{Collection, DataId, MapKind, Param, SeqKind, SetKind, SetOp, Spec};

fn lit(elements: &[i64]) -> Box<Term> {
    Box::new(Term::Lit(ints(elements)))
}

fn pairs(pairs: &[(i64, i64)]) -> Value {
    let pair = |(k, v): &(i64, i64)| Value::Tuple([Value::int(*k), Value::int(*v)].into());
    Value::seq(pairs.iter().map(pair).collect::<Vec<_>>())
}

#[test]
fn sets_and_bags_keep_their_order() {
    let op = |op, is_bag, a: &[i64], b: &[i64]| value(&Term::SetOp(op, is_bag, lit(a), lit(b)));
    assert_eq!(value(&Term::Collect(Collection::Set, lit(&[3, 1, 3]))), Ok(ints(&[1, 3])));
    assert_eq!(value(&Term::Collect(Collection::Bag, lit(&[3, 1, 3]))), Ok(ints(&[1, 3, 3])));
    assert_eq!(op(SetOp::Union, false, &[1, 4], &[1, 2, 5]), Ok(ints(&[1, 2, 4, 5])));
    assert_eq!(op(SetOp::Union, true, &[1, 4], &[1, 2, 5]), Ok(ints(&[1, 1, 2, 4, 5])));
    assert_eq!(op(SetOp::Difference, false, &[1, 4, 6], &[1, 5, 6]), Ok(ints(&[4])));
    assert_eq!(op(SetOp::Difference, true, &[1, 1, 1, 4], &[1, 1, 2]), Ok(ints(&[1, 4])));
    assert_eq!(op(SetOp::Intersection, true, &[1, 1, 1, 4], &[1, 1, 4, 4]), Ok(ints(&[1, 1, 4])));
    let subset = |is_bag, a: &[i64], b: &[i64]| value(&Term::Subset(is_bag, lit(a), lit(b)));
    assert_eq!(subset(false, &[1, 3], &[1, 2, 3]), Ok(Value::Bool(true)));
    assert_eq!(subset(true, &[1, 1], &[1, 2]), Ok(Value::Bool(false)));
}

#[test]
fn unions_in_unions_have_the_elements_of_all() {
    let list = |elements: &[i64]| Box::new(Term::Seq(elements.iter().map(|n| int(*n)).collect()));
    let collect = |kind, elements: &[i64]| Box::new(Term::Collect(kind, list(elements)));
    for (is_bag, kind) in [(false, Collection::Set), (true, Collection::Bag)] {
        let union = |a, b| Box::new(Term::SetOp(SetOp::Union, is_bag, a, b));
        let other = |a, b| Box::new(Term::SetOp(SetOp::Union, !is_bag, a, b));
        let chosen = |a, b| Box::new(Term::If(Box::new(lt(int(1), int(0))), a, b));
        let inner = union(union(lit(&[7]), collect(kind, &[3, 1])), chosen(lit(&[8]), lit(&[1, 9])));
        let expected = collected(kind, [3, 1, 7, 1, 9, 2, 7].map(Value::int).to_vec());
        assert_eq!(value(&union(lit(&[2, 7]), inner)), Ok(expected));
        // A union of the other kind is a part like any other.
        let expected = if is_bag { &[4, 4, 5][..] } else { &[4, 5][..] };
        assert_eq!(value(&union(lit(&[4]), other(lit(&[4]), lit(&[5])))), Ok(ints(expected)));
        // A set in a bag has its elements once.
        assert_eq!(value(&union(collect(Collection::Set, &[6, 6]), lit(&[2]))), Ok(ints(&[2, 6])));
    }
}

#[test]
fn maps_have_a_key_once() {
    let map = || Box::new(Term::Lit(pairs(&[(1, 5), (3, 6)])));
    let list = Box::new(Term::Lit(pairs(&[(3, 7), (1, 5), (3, 6)])));
    assert_eq!(value(&Term::Collect(Collection::Map, list)), value(&map()));
    let with = |k, v| Term::MapWith(map(), Box::new(int(k)), Box::new(int(v)));
    assert_eq!(value(&with(2, 9)), Ok(pairs(&[(1, 5), (2, 9), (3, 6)])));
    assert_eq!(value(&with(3, 9)), Ok(pairs(&[(1, 5), (3, 9)])));
    assert_eq!(value(&Term::MapWithout(map(), Box::new(int(1)))), Ok(pairs(&[(3, 6)])));
    assert_eq!(value(&Term::Keys(map())), Ok(ints(&[1, 3])));
    let get = |k| Box::new(Term::MapGet(map(), Box::new(int(k)), DataId(0)));
    assert_eq!(value(&get(3)), Ok(Value::Data(1, [Value::int(6)].into())));
    assert_eq!(value(&Term::Field { of: get(2), ctor: 1, index: 0 }), Err(Stop::Undefined));
}

#[test]
fn only_what_is_in_order_is_of_the_sort() {
    let int = || Box::new(Refined::plain(Sort::Int(IntKind::U8)));
    let spec = |sort| Spec {
        params: vec![Param { name: String::new(), refined: Refined::plain(sort), mutable: false }],
        ..Spec::unrefined("f")
    };
    let set = spec(Sort::Set(int(), SetKind::Hash));
    let map = spec(Sort::Map(int(), int(), MapKind::BTree));
    let sets = spec(Sort::Seq(Box::new(Refined::plain(Sort::Set(int(), SetKind::BTree))), SeqKind::Vec));
    for (spec, good, bad) in [
        (&set, ints(&[1, 2]), ints(&[2, 1])),
        (&set, ints(&[]), ints(&[1, 1])),
        (&map, pairs(&[(1, 2), (2, 1)]), pairs(&[(1, 1), (1, 2)])),
        (&sets, Value::seq([ints(&[1, 2])]), Value::seq([ints(&[2, 1])])),
    ] {
        let (good, bad) = ([good], [bad]);
        assert!(admits(spec, &good) && are_ordered(spec, &good));
        assert_eq!(Judge::new(None).precondition(spec, &bad), Admission::Rejected(None));
        assert!(!are_ordered(spec, &bad));
        let mended = [ordered(&bad[0], &spec.params[0].refined, spec)];
        assert!(admits(spec, &mended) && ordered(&good[0], &spec.params[0].refined, spec) == good[0]);
    }
    assert!(!admits(&map, &[ints(&[1])]));
    assert_eq!(collected(Collection::Bag, vec![Value::int(2), Value::int(1)]), ints(&[1, 2]));
}
