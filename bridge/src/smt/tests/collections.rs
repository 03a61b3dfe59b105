//! Specs about sets, bags and maps: Z3's members are those that filtering finds.

use target_strategies::logic::ir::{Collection, Ctor, DataId, Field, MapKind, SetKind, SetOp};

use super::*;

fn set_of(element: Sort) -> Refined {
    plain(Sort::Set(Box::new(plain(element)), SetKind::Hash))
}

fn map_of(key: Sort, value: Sort) -> Refined {
    plain(Sort::Map(Box::new(plain(key)), Box::new(plain(value)), MapKind::BTree))
}

fn boxed(slot: u32) -> Box<Term> {
    Box::new(var(slot))
}

fn not(a: Term) -> Term {
    Term::Not(Box::new(a))
}

fn elems(of: Term) -> Term {
    Term::Collect(Collection::Set, Box::new(of))
}

fn bag(of: Term) -> Term {
    Term::Collect(Collection::Bag, Box::new(of))
}

fn op(op: SetOp, a: Term, b: Term) -> Term {
    Term::SetOp(op, false, Box::new(a), Box::new(b))
}

fn entries(of: Term) -> Box<Term> {
    Box::new(Term::Entries(Box::new(of)))
}

/// `Option<i64>`
fn options() -> Vec<Data> {
    let field = Field { name: "0".into(), refined: plain(i64s()), slot: None };
    let ctor = |name: &str, fields| Ctor {
        rust_path: name.into(),
        fields,
        named: false,
        recursive: false,
        excluded: false,
    };
    let ctors = vec![ctor("None", Vec::new()), ctor("Some", vec![field])];
    vec![Data { rust_type: "Option<i64>".into(), ctors, via: None, object: None, rule: None }]
}

/// The members of a spec with one `requires`, and with its opposite.
#[track_caller]
fn both_ways(params: &[Refined], term: Term) {
    let mut n_found = Vec::new();
    for term in [term.clone(), not(term)] {
        let mut spec = spec(params.to_vec(), vec![term]);
        spec.data = options();
        n_found.push(agree(&space(spec, 3, 1)));
    }
    assert!(n_found.iter().all(|n| *n > 0), "{n_found:?}");
}

#[test]
fn the_leaves_of_sets_and_maps_are_in_order() {
    assert_eq!(agree(&space(spec(vec![set_of(i64s())], vec![]), 3, 1)), 8);
    assert_eq!(agree(&space(spec(vec![set_of(Sort::Bool)], vec![]), 3, 1)), 4);
    assert_eq!(agree(&space(spec(vec![set_of(vec_of(plain(Sort::Bool)))], vec![]), 2, 1)), 1 + 7 + 21);
    assert_eq!(agree(&space(spec(vec![map_of(Sort::Bool, i64s())], vec![]), 3, 1)), 1 + 6 + 9);
    let sets = Sort::Set(Box::new(set_of(Sort::Bool)), SetKind::BTree);
    assert_eq!(agree(&space(spec(vec![plain(sets)], vec![]), 2, 1)), 1 + 4 + 6);
}

#[test]
fn sets() {
    let params = [plain(vec_of(plain(i64s()))), set_of(i64s()), plain(i64s())];
    let one = || elems(Term::Seq(vec![var(2)]));
    let condition = || Box::new(le(var(2), int(0)));
    let chosen = Term::If(condition(), Box::new(elems(var(0))), Box::new(op(SetOp::Union, var(1), one())));
    let subset = |a, b| Term::Subset(false, Box::new(a), Box::new(b));
    let terms = [
        eq(elems(var(0)), var(1)),
        eq(op(SetOp::Union, elems(var(0)), one()), var(1)),
        eq(op(SetOp::Difference, var(1), one()), elems(var(0))),
        eq(op(SetOp::Intersection, var(1), elems(var(0))), one()),
        lt(len(elems(var(0))), len(var(1))),
        subset(elems(var(0)), var(1)),
        subset(op(SetOp::Difference, var(1), elems(var(0))), one()),
        Term::Contains(Box::new(chosen.clone()), Box::new(int(1))),
        eq(len(chosen.clone()), add(var(2), int(2))),
        eq(Term::Sum(entries(chosen.clone())), var(2)),
        eq(chosen, elems(var(0))),
        lt(elems(var(0)), var(1)),
        eq(*entries(elems(var(0))), var(0)),
        eq(index(*entries(elems(var(0))), int(1)), var(2)),
    ];
    for term in terms {
        both_ways(&params, term);
    }
}

#[test]
fn what_is_undefined_behind_what_decides_is_not_looked_at() {
    let params = [plain(vec_of(plain(i64s()))), plain(i64s())];
    let quotient = || arith(ArithOp::Div, int(1), var(7));
    let over = || entries(elems(var(0)));
    let mapped = || Box::new(Term::Map(over(), closure(7, quotient())));
    both_ways(&params, Term::All(over(), closure(7, lt(int(0), quotient()))));
    both_ways(&params, Term::Any(over(), closure(7, lt(quotient(), int(0)))));
    both_ways(&params, eq(Term::Sum(mapped()), var(1)));
    both_ways(&params, eq(len(elems(*mapped())), int(1)));
    let acc = arith(ArithOp::Sub, var(7), var(6));
    let fold = Term::Fold { over: over(), init: Box::new(int(0)), acc: 6, closure: closure(7, acc) };
    both_ways(&params, eq(fold, var(1)));
}

#[test]
fn bags() {
    let params = [plain(vec_of(plain(i64s()))), plain(vec_of(plain(Sort::Int(IntKind::U8)))), plain(i64s())];
    let op = |op, a, b| Term::SetOp(op, true, Box::new(a), Box::new(b));
    let terms = [
        eq(bag(var(0)), bag(var(1))),
        Term::Subset(true, Box::new(bag(var(0))), Box::new(bag(var(1)))),
        eq(op(SetOp::Union, bag(var(0)), bag(Term::Seq(vec![var(2)]))), bag(var(1))),
        eq(len(op(SetOp::Difference, bag(var(1)), bag(var(0)))), var(2)),
        eq(len(op(SetOp::Intersection, bag(var(0)), bag(var(1)))), var(2)),
        eq(*entries(bag(var(0))), var(1)),
    ];
    for term in terms {
        both_ways(&params, term);
    }
}

#[test]
fn maps() {
    let pairs = plain(Sort::Tuple(vec![plain(Sort::Bool), plain(i64s())]));
    let params = [map_of(Sort::Bool, i64s()), plain(vec_of(pairs)), plain(i64s())];
    let key = || Box::new(le(var(2), int(0)));
    let get = |of: Term| Term::MapGet(Box::new(of), key(), DataId(0));
    let of_list = || Term::Collect(Collection::Map, boxed(1));
    let value = |of: Term| Term::Field { of: Box::new(get(of)), ctor: 1, index: 0 };
    let keys = |of: Term| Term::Keys(Box::new(of));
    let with = Term::MapWith(boxed(0), key(), boxed(2));
    let chosen = Term::If(key(), Box::new(with.clone()), Box::new(of_list()));
    let terms = [
        eq(of_list(), var(0)),
        eq(value(var(0)), var(2)),
        Term::IsCtor(Box::new(get(of_list())), 1),
        eq(get(of_list()), get(var(0))),
        eq(keys(of_list()), keys(var(0))),
        eq(with.clone(), of_list()),
        eq(Term::MapWithout(Box::new(of_list()), key()), var(0)),
        eq(len(chosen.clone()), int(1)),
        eq(value(chosen), var(2)),
        eq(*entries(of_list()), var(1)),
        lt(with, of_list()),
    ];
    for term in terms {
        let mut spec = spec(params.to_vec(), vec![term]);
        spec.data = options();
        assert!(agree(&space(spec, 2, 1)) > 0);
    }
}

#[test]
fn a_condition_beside_its_opposite_has_no_solution() {
    let space = space(spec(vec![plain(Sort::Bool)], vec![var(0), not(var(0))]), 2, 1);
    assert_eq!(members(&space), Vec::<Vec<Value>>::new());
}
