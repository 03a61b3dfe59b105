use target_strategies::logic::ir::{
    Clause, CompareOp, Ctor, Data, DataId, Field, IntKind, Param, Refined, Term,
};

use super::*;

fn u8s() -> Refined {
    Refined::plain(Sort::Int(IntKind::U8))
}

fn list() -> Refined {
    Refined::plain(Sort::Seq(Box::new(u8s()), SeqKind::Vec))
}

fn spec(params: &[Refined], result: Refined, ensures: Vec<Term>) -> Spec {
    let param = |refined: &Refined| Param { name: "p".to_owned(), refined: refined.clone(), mutable: false };
    let ensures = (0..).zip(ensures).map(|(id, term)| Clause { id, text: String::new(), term }).collect();
    Spec { params: params.iter().map(param).collect(), result, ensures, ..Spec::unrefined("f") }
}

fn ints(items: &[i64]) -> Value {
    Value::Seq(items.iter().map(|n| Value::int(*n)).collect())
}

fn observed(arg: Value, result: Value) -> Observed {
    Observed { args: vec![arg], result, after: None }
}

fn compare(op: CompareOp, a: u32, b: u32) -> Term {
    Term::Compare(op, Box::new(Term::Var(a)), Box::new(Term::Var(b)))
}

#[test]
fn the_more_a_condition_says_the_more_mutants_it_rejects() {
    let successors: Vec<Observed> = (0..50).map(|n| observed(Value::int(n), Value::int(n + 1))).collect();
    let of = |term: Term| {
        let spec = spec(&[u8s()], u8s(), vec![term]);
        assert!(successors.iter().all(|outcome| is_kept(&spec, outcome)));
        strength(&spec, &mutants(&spec, &successors))
    };
    let next = Term::Arith(
        target_strategies::logic::ir::ArithOp::Add,
        Box::new(Term::Var(0)),
        Box::new(Term::Lit(Value::int(1))),
    );
    let exact = of(Term::Equal(Box::new(Term::Var(1)), Box::new(next)));
    let greater = of(compare(CompareOp::Lt, 0, 1));
    let constant = |n| Box::new(Term::Lit(Value::int(n)));
    let small = of(Term::Compare(CompareOp::Le, Box::new(Term::Var(1)), constant(200)));
    assert_eq!(exact.n_rejected, exact.n_mutants);
    assert!(0 < greater.n_rejected && greater.n_rejected < exact.n_rejected, "{greater:?}");
    assert_eq!(small.n_rejected, 0);
    assert_eq!(
        [greater.n_mutants, small.n_mutants],
        [exact.n_mutants; 2],
        "all are judged on the same mutants"
    );
}

#[test]
fn conditions_that_reject_no_mutant_are_dropped() {
    let of = |name: &'static str, n_rejected| (name, Strength { n_rejected, n_mutants: 9 });
    let conditions = vec![of("weak", 1), of("empty", 0), of("strong", 9), of("weak too", 1)];
    let found = strongest_first(conditions, |(_, strength)| *strength);
    assert_eq!(found.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["strong", "weak", "weak too"]);
}

#[test]
fn numbers_stay_in_their_type() {
    let of = |n| neighbours(&spec(&[], u8s(), Vec::new()), &u8s().sort, &Value::int(n));
    assert_eq!(of(7), [Value::int(8), Value::int(6)]);
    assert_eq!(of(0), [Value::int(1)]);
    assert_eq!(of(255), [Value::int(254)]);
}

#[test]
fn lists_lose_an_element_swap_two_and_change_one() {
    let of = |items: &[i64]| neighbours(&spec(&[], list(), Vec::new()), &list().sort, &ints(items));
    assert_eq!(of(&[1, 1, 2]), [ints(&[1, 2, 1]), ints(&[1, 2]), ints(&[1, 1]), ints(&[2, 1, 2])]);
    assert_eq!(of(&[]), []);
    let text = neighbours(
        &spec(&[], list(), Vec::new()),
        &Sort::Str(target_strategies::logic::ir::StrKind::String),
        &Value::Str("ab".into()),
    );
    assert_eq!(text, [Value::Str("a".into()), Value::Str("ba".into())]);
}

#[test]
fn order_is_broken_by_swapping() {
    let sorted = spec(&[list()], list(), vec![Term::IsSorted(Box::new(Term::Var(1)))]);
    let outcomes = [observed(ints(&[2, 1]), ints(&[1, 2])), observed(ints(&[3]), ints(&[3]))];
    assert!(strength(&sorted, &mutants(&sorted, &outcomes)).n_rejected > 0);
}

#[test]
fn another_variant_takes_the_place_of_one() {
    let field = Field { name: "0".to_owned(), refined: u8s(), slot: None };
    let ctor = |fields| Ctor {
        rust_path: "Variant".to_owned(),
        fields,
        named: false,
        recursive: false,
        excluded: false,
    };
    let ctors = vec![ctor(Vec::new()), ctor(vec![field])];
    let data = vec![Data { rust_type: "Option<u8>".to_owned(), ctors, via: None, object: None, rule: None }];
    let option = Refined::plain(Sort::Data(DataId(0)));
    let of = Spec { data, ..spec(&[u8s()], option.clone(), Vec::new()) };
    let (none, some) = (Value::Data(0, Arc::from([])), |n| Value::Data(1, Arc::from([Value::int(n)])));
    assert_eq!(neighbours(&of, &option.sort, &some(5)), [none.clone(), some(6)]);
    // A variant with fields is the result of another input.
    let outcomes = [observed(Value::int(0), none.clone()), observed(Value::int(5), some(5))];
    let results: Vec<Value> = mutants(&of, &outcomes).into_iter().map(|mutant| mutant.result).collect();
    assert_eq!(results, [some(5), none, some(6)]);
}

#[test]
fn parameters_on_return_are_mutated_if_they_can_change() {
    let mut of = spec(&[list(), list()], Refined::plain(Sort::Tuple(Vec::new())), Vec::new());
    of.params[1].mutable = true;
    let lists = vec![ints(&[1]), ints(&[2, 2])];
    let outcome = Observed { args: lists.clone(), result: Value::unit(), after: Some(lists) };
    let mutants = mutants(&of, &[outcome]);
    let changed: Vec<Vec<Value>> = mutants.into_iter().filter_map(|mutant| mutant.after).collect();
    assert_eq!(changed, [[ints(&[1]), ints(&[2])], [ints(&[1]), ints(&[3, 2])]]);
}
