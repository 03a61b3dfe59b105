use std::collections::BTreeSet;

use super::*;
use crate::logic::eval::admits;
use crate::logic::int::Int;
use crate::logic::ir::{
    ArithOp, Clause, Closure, CompareOp, Data, Field, FloatKind, IntKind, Param, SetKind, StrKind, Term,
};
use crate::space::Bounds;

const I64: Sort = Sort::Int(IntKind::I64);

#[test]
fn recursive_values_stay_small_and_of_their_sort() {
    let kids = Sort::Seq(Box::new(Refined::plain(Sort::Data(DataId(0)))), SeqKind::Vec);
    let field = |sort| Field { name: String::new(), refined: Refined::plain(sort), slot: None };
    let fields = [
        kids,
        Sort::Int(IntKind::U128),
        Sort::Float(FloatKind::F64),
        Sort::Float(FloatKind::F32),
        Sort::Str(StrKind::String),
    ];
    let rose = Ctor {
        rust_path: String::new(),
        fields: fields.into_iter().map(field).collect(),
        named: false,
        recursive: true,
        excluded: false,
    };
    let refined = Refined::plain(Sort::Data(DataId(0)));
    let spec = Spec {
        params: vec![Param { name: String::new(), refined, mutable: false }],
        data: vec![Data { rust_type: String::new(), ctors: vec![rose], via: None, object: None, rule: None }],
        ..Spec::unrefined("")
    };
    let space = Space::new(Arc::new(spec), Bounds { depth: 12, bound: 4 });
    let mut args = RandomArgs::new(&space, 7);
    for reach in [Reach::Bounded, Reach::Machine].into_iter().cycle().take(200) {
        let args = args.sample(reach).expect("there are values within the depth");
        assert!(admits(space.spec(), &args));
        assert!(reach == Reach::Machine || space.contains(&args));
    }
}

#[test]
fn sets_and_maps_are_in_order_and_of_all_sizes() {
    let int = || Box::new(Refined::plain(Sort::Int(IntKind::I64)));
    let set = Refined::plain(Sort::Set(int(), SetKind::Hash));
    let map = Refined::plain(Sort::Map(Box::new(set), int(), crate::logic::ir::MapKind::BTree));
    let params = vec![Param { name: String::new(), refined: map, mutable: false }];
    let space = Space::new(Arc::new(Spec { params, ..Spec::unrefined("f") }), Bounds { depth: 3, bound: 3 });
    let mut args = RandomArgs::new(&space, 7);
    let mut lens = BTreeSet::new();
    for _ in 0..200 {
        let args = args.sample(Reach::Bounded).expect("there are values within the depth");
        assert!(admits(space.spec(), &args) && space.contains(&args), "{args:?}");
        lens.extend(if let [Value::Seq(pairs)] = args.as_slice() { Some(pairs.len()) } else { None });
    }
    assert_eq!(lens.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3]);
}

/// The space of a function of one parameter, in slot 0, with a condition on its value in slot 1.
fn space(sort: Sort, own: Option<Term>, requires: Option<Term>, bounds: Bounds) -> Space {
    let clause = |term| Clause { id: 0, text: String::new(), term };
    let refined = Refined { clauses: own.into_iter().map(clause).collect(), ..Refined::plain(sort) };
    let params = vec![Param { name: String::new(), refined, mutable: false }];
    let requires = requires.into_iter().map(clause).collect();
    Space::new(Arc::new(Spec { params, requires, ..Spec::unrefined("f") }), bounds)
}

/// `lo <= term && term <= hi`
fn between(term: Term, lo: Value, hi: Value) -> Term {
    let le = |a, b| Term::Compare(CompareOp::Le, Box::new(a), Box::new(b));
    Term::And(vec![le(Term::Lit(lo), term.clone()), le(term, Term::Lit(hi))])
}

fn sampled(space: &Space, reach: Reach, n: usize) -> Vec<Value> {
    let mut args = RandomArgs::new(space, 7);
    (0..n).map(|_| args.sample(reach).expect("there are values within the depth").remove(0)).collect()
}

const BOUNDS: Bounds = Bounds { depth: 2, bound: 4 };

#[test]
fn a_range_is_drawn_from_as_it_is() {
    let months = between(Term::Var(1), Value::int(1), Value::int(12));
    let months = space(I64, Some(months), None, BOUNDS);
    for reach in [Reach::Bounded, Reach::Machine] {
        let found: BTreeSet<_> = sampled(&months, reach, 200).iter().map(|v| format!("{v:?}")).collect();
        let whole: BTreeSet<_> = (1..=12).map(|n| format!("{:?}", Value::int(n))).collect();
        assert_eq!(found, whole);
    }
}

#[test]
fn what_is_more_than_a_range_is_left_to_the_judge() {
    let rem = Term::Arith(ArithOp::Rem, Box::new(Term::Var(1)), Box::new(Term::Lit(Value::int(2))));
    let even = Term::Equal(Box::new(rem), Box::new(Term::Lit(Value::int(0))));
    let range = between(Term::Var(1), Value::int(1000), Value::int(2000));
    let space = space(I64, Some(Term::And(vec![range, even])), None, BOUNDS);
    let values = sampled(&space, Reach::Machine, 200);
    let n_admitted = values.iter().filter(|v| admits(space.spec(), std::slice::from_ref(*v))).count();
    assert!((60..140).contains(&n_admitted), "{n_admitted}");
}

#[test]
fn lengths_and_elements_have_their_ranges_too() {
    let len = Term::Equal(Box::new(Term::Len(Box::new(Term::Var(1)))), Box::new(Term::Lit(Value::int(6))));
    let small = between(Term::Var(9), Value::int(0), Value::int(7));
    let all = Term::All(Box::new(Term::Var(0)), Closure { slot: 9, body: Box::new(small) });
    let list = Sort::Seq(Box::new(Refined::plain(I64)), SeqKind::Vec);
    let space = space(list, Some(len), Some(all), BOUNDS);
    for reach in [Reach::Bounded, Reach::Machine] {
        let values = sampled(&space, reach, 100);
        assert!(values.iter().all(|v| admits(space.spec(), std::slice::from_ref(v))), "{values:?}");
    }
}

#[test]
fn a_constant_beside_a_range_comes_as_often_as_the_range() {
    let large =
        Term::Compare(CompareOp::Le, Box::new(Term::Lit(Value::int(1_000_000))), Box::new(Term::Var(1)));
    let three = Term::Equal(Box::new(Term::Var(1)), Box::new(Term::Lit(Value::int(3))));
    let space = space(I64, Some(Term::Or(vec![three, large])), None, BOUNDS);
    let values = sampled(&space, Reach::Machine, 200);
    let n_threes = values.iter().filter(|v| **v == Value::int(3)).count();
    assert!((60..140).contains(&n_threes), "{n_threes}");
    assert!(values.iter().all(|v| admits(space.spec(), std::slice::from_ref(v))));
}

#[test]
fn ranges_of_floats_and_characters_hold_all_samples() {
    let float = |lo, hi| (Value::Float(lo), Value::Float(hi));
    let ranges = [
        (Sort::Float(FloatKind::F64), float(0.0, 1.0)),
        (Sort::Float(FloatKind::F32), float(-0.5, 3e38)),
        (Sort::Float(FloatKind::F64), float(1.0, f64::INFINITY)),
        (Sort::Float(FloatKind::F64), float(f64::NEG_INFINITY, -2.5)),
        (Sort::Float(FloatKind::F64), float(-1e308, 1.5e308)),
        (Sort::Char, (Value::Char('c'), Value::Char('z'))),
        (Sort::Int(IntKind::U128), (Value::int(5), Value::Int(Int::from(u128::MAX)))),
    ];
    for (sort, (lo, hi)) in ranges {
        let space = space(sort, Some(between(Term::Var(1), lo.clone(), hi)), None, BOUNDS);
        for reach in [Reach::Bounded, Reach::Machine] {
            let values = sampled(&space, reach, 100);
            assert!(values.iter().all(|v| admits(space.spec(), std::slice::from_ref(v))), "{values:?}");
            assert!(values.iter().any(|v| *v != lo));
        }
    }
}

#[test]
fn explore_limits_only_what_is_within_the_bound() {
    let small = between(Term::Var(0), Value::int(0), Value::int(3));
    let range = between(Term::Var(1), Value::int(0), Value::int(30));
    let space = space(I64, Some(range), None, BOUNDS);
    let explore = vec![Clause { id: 1, text: String::new(), term: small }];
    let space = Space::new(Arc::new(Spec { explore, ..Spec::clone(space.spec()) }), BOUNDS);
    let is_small = |v: &Value| matches!(v, Value::Int(n) if *n <= Int::from(3));
    assert!(sampled(&space, Reach::Bounded, 100).iter().all(is_small));
    assert!(!sampled(&space, Reach::Machine, 100).iter().all(is_small));
}

#[test]
fn a_range_between_neighbours_of_f32_is_ignored() {
    let next = f64::from(1.0_f32.next_up());
    let above = Term::Compare(CompareOp::Lt, Box::new(Term::Lit(Value::Float(1.0))), Box::new(Term::Var(1)));
    let below = Term::Compare(CompareOp::Lt, Box::new(Term::Var(1)), Box::new(Term::Lit(Value::Float(next))));
    let space = space(Sort::Float(FloatKind::F32), Some(Term::And(vec![above, below])), None, BOUNDS);
    assert_eq!(sampled(&space, Reach::Bounded, 3).len(), 3);
    assert_eq!(sampled(&space, Reach::Machine, 3).len(), 3);
}

#[test]
fn contradictory_ranges_are_ignored() {
    let never = between(Term::Var(1), Value::int(5), Value::int(2));
    let space = space(I64, Some(never), None, BOUNDS);
    assert_eq!(sampled(&space, Reach::Bounded, 3).len(), 3);
}

#[test]
fn lengths_are_proptests_own_or_those_of_the_spec() {
    let list = || Sort::Seq(Box::new(Refined::plain(I64)), SeqKind::Vec);
    let len = || Term::Len(Box::new(Term::Var(1)));
    let longest = |space: &Space, reach| {
        let len = |value: &Value| if let Value::Seq(parts) = value { parts.len() } else { 0 };
        sampled(space, reach, 400).iter().map(len).max().unwrap_or(0)
    };
    let free = space(list(), None, None, BOUNDS);
    let most = space(list(), Some(between(len(), Value::int(1), Value::int(150))), None, BOUNDS);
    assert!((80..=99).contains(&longest(&free, Reach::Any)), "{}", longest(&free, Reach::Any));
    assert!((120..=150).contains(&longest(&most, Reach::Any)), "{}", longest(&most, Reach::Any));
    for reach in [Reach::Bounded, Reach::Machine, Reach::Near] {
        assert_eq!(longest(&free, reach), 2);
    }
    // A list inside a list is a quarter as long.
    let nested = space(Sort::Seq(Box::new(Refined::plain(list())), SeqKind::Vec), None, None, BOUNDS);
    let inner = sampled(&nested, Reach::Any, 50);
    let inner =
        inner.iter().flat_map(|outer| if let Value::Seq(inner) = outer { inner.to_vec() } else { vec![] });
    let longest = inner.map(|inner| if let Value::Seq(parts) = &inner { parts.len() } else { 0 }).max();
    assert_eq!(longest, Some(24));
}

#[test]
fn a_range_with_two_ends_is_uniform_near_the_bound_too() {
    let range = space(I64, Some(between(Term::Var(1), Value::int(1), Value::int(3000))), None, BOUNDS);
    let values = sampled(&range, Reach::Near, 300);
    let n_large = values.iter().filter(|v| matches!(v, Value::Int(n) if Int::from(1500) < *n)).count();
    assert!((100..200).contains(&n_large), "{n_large}");
    let open = Term::Compare(CompareOp::Le, Box::new(Term::Lit(Value::int(1))), Box::new(Term::Var(1)));
    let open = space(I64, Some(open), None, BOUNDS);
    assert!(
        sampled(&open, Reach::Near, 100).iter().all(|v| matches!(v, Value::Int(n) if *n < Int::from(20)))
    );
}
