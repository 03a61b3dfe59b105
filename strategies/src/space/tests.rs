use super::*;
use crate::baseline::enumerative::Members;
use crate::logic::eval;
use crate::logic::ir::{
    Clause, Closure, CompareOp, Ctor, Data, DataId, Field, FloatKind, IntKind, Param, Refined, SeqKind, Sort,
    StrKind, Term,
};
use std::collections::HashSet;

const I64: Sort = Sort::Int(IntKind::I64);

fn boxed(term: Term) -> Box<Term> {
    Box::new(term)
}

fn var(slot: u32) -> Term {
    Term::Var(slot)
}

fn lit(n: i64) -> Term {
    Term::Lit(Value::int(n))
}

fn le(a: Term, b: Term) -> Term {
    Term::Compare(CompareOp::Le, boxed(a), boxed(b))
}

fn lt(a: Term, b: Term) -> Term {
    Term::Compare(CompareOp::Lt, boxed(a), boxed(b))
}

fn eq(a: Term, b: Term) -> Term {
    Term::Equal(boxed(a), boxed(b))
}

fn all(over: Term, slot: u32, body: Term) -> Term {
    Term::All(boxed(over), Closure { slot, body: boxed(body) })
}

fn len(of: Term) -> Term {
    Term::Len(boxed(of))
}

fn field(of: Term, ctor: u32, index: u32) -> Term {
    Term::Field { of: boxed(of), ctor, index }
}

fn clause(term: Term) -> Clause {
    Clause { id: 0, text: String::new(), term }
}

fn refined(sort: Sort, term: Term) -> Refined {
    Refined { clauses: vec![clause(term)], ..Refined::plain(sort) }
}

fn vec_of(element: Refined) -> Sort {
    Sort::Seq(Box::new(element), SeqKind::Vec)
}

fn ints() -> Sort {
    vec_of(Refined::plain(I64))
}

/// A constructor with unnamed fields.
pub(crate) fn ctor(name: &str, fields: Vec<Refined>, recursive: bool) -> Ctor {
    let fields = fields.into_iter().enumerate();
    let fields = fields.map(|(i, refined)| Field { name: i.to_string(), refined, slot: None });
    Ctor { rust_path: name.to_owned(), fields: fields.collect(), named: false, recursive, excluded: false }
}

/// A type with these constructors.
pub(crate) fn data(ctors: Vec<Ctor>) -> Data {
    Data { rust_type: String::new(), ctors, via: None, object: None, rule: None }
}

/// `enum Tree { Leaf, Node(Tree, Tree) }`, with these sorts between the two.
fn tree(id: u32, keys: Vec<Refined>) -> Data {
    let sub = Refined::plain(Sort::Data(DataId(id)));
    let fields = std::iter::once(sub.clone()).chain(keys).chain([sub.clone()]);
    data(vec![ctor("Leaf", vec![], false), ctor("Node", fields.collect(), true)])
}

fn option(of: Refined) -> Data {
    data(vec![ctor("None", vec![], false), ctor("Some", vec![of], false)])
}

fn spec(params: Vec<Refined>, data: Vec<Data>, requires: Vec<Term>) -> Spec {
    let params =
        params.into_iter().map(|refined| Param { name: String::new(), refined, mutable: false }).collect();
    Spec {
        callbacks: Vec::new(),
        name: String::new(),
        params,
        data,
        functions: Vec::new(),
        regexes: Vec::new(),
        requires: requires.into_iter().map(clause).collect(),
        explore: Vec::new(),
        result: Refined::plain(Sort::Tuple(Vec::new())),
        ensures: Vec::new(),
        panics_if: None,
        examples: Vec::new(),
        displayed: Vec::new(),
        literals: Vec::new(),
    }
}

fn space_of(spec: Spec, depth: u32, bound: u32) -> Space {
    Space::new(Arc::new(spec), Bounds { depth, bound })
}

/// The space of one parameter, in slot 0, refined by a term over slot 1.
fn space(sort: Sort, term: Term, depth: u32, bound: u32) -> Space {
    space_of(spec(vec![refined(sort, term)], Vec::new(), Vec::new()), depth, bound)
}

/// All members, checked for being distinct and contained.
fn members(space: &Space) -> Vec<Vec<Value>> {
    let mut found = Vec::new();
    for skeleton in space.skeletons() {
        let mut members = Members::new(space, &skeleton);
        let (mut args, before) = (Vec::new(), found.len());
        while members.next_into(&mut args) {
            assert_eq!(skeleton_of(&args), skeleton);
            assert_eq!(assemble(&skeleton, &scalars_of(&args)), args);
            assert!(space.contains(&args), "{args:?}");
            found.push(args.clone());
        }
        assert_eq!(members.len(), Some((found.len() - before) as u64));
    }
    assert_eq!(found.iter().collect::<HashSet<_>>().len(), found.len());
    found
}

fn n_valid(space: &Space) -> usize {
    members(space).iter().filter(|args| eval::admits(space.spec(), args)).count()
}

/// The domains of the leaves of the last skeleton.
fn domains(space: &Space) -> Vec<Vec<Value>> {
    let last = space.skeletons().last().expect("there is a skeleton");
    space.leaves(&last).into_iter().map(|leaf| leaf.domain.to_vec()).collect()
}

fn int_domain(kind: IntKind, term: Term, bound: u32) -> Vec<i128> {
    let domain = domains(&space(Sort::Int(kind), term, 4, bound)).remove(0);
    domain
        .iter()
        .map(|n| if let Value::Int(n) = n { n.to_i128().expect("small") } else { panic!("{n:?}") })
        .collect()
}

fn lens(space: &Space) -> Vec<usize> {
    space.skeletons().map(|skeleton| skeleton.n_leaves()).collect()
}

fn truth() -> Term {
    Term::Lit(Value::Bool(true))
}

#[test]
fn integers_lie_within_the_bound_small_first() {
    assert_eq!(int_domain(IntKind::I64, truth(), 2), [0, 1, -1, 2, -2]);
    assert_eq!(int_domain(IntKind::U8, truth(), 3), [0, 1, 2, 3]);
    assert_eq!(int_domain(IntKind::I64, lt(lit(0), var(1)), 4), [1, 2, 3, 4]);
}

#[test]
fn few_values_are_taken_wherever_they_lie() {
    let three = Term::Or(vec![eq(var(1), lit(1000)), eq(lit(3), var(1))]);
    assert_eq!(int_domain(IntKind::I64, three, 1), [3, 1000]);
    assert_eq!(int_domain(IntKind::U8, le(lit(250), var(1)), 4), [250, 251, 252, 253, 254, 255]);
    let range = Term::Range(boxed(lit(-40)), boxed(lit(-38)));
    assert_eq!(int_domain(IntKind::I64, Term::Contains(boxed(range), boxed(var(1))), 4), [-39, -40]);
    let one_of = Term::Seq(vec![lit(7), lit(-7), lit(300)]);
    assert_eq!(int_domain(IntKind::U8, Term::Contains(boxed(one_of), boxed(var(1))), 4), [7]);
    let folded = Term::Arith(crate::logic::ir::ArithOp::Pow, boxed(lit(2)), boxed(lit(100)));
    let big = Term::And(vec![lt(folded.clone(), var(1)), le(var(1), folded)]);
    assert!(space(I64, big, 4, 4).skeletons().next().is_none());
}

#[test]
fn far_values_are_the_nearest_to_zero() {
    assert_eq!(int_domain(IntKind::I64, le(lit(1000), var(1)), 2), [1000, 1001, 1002]);
    let around = Term::Or(vec![le(lit(10), var(1)), le(var(1), lit(-9))]);
    assert_eq!(int_domain(IntKind::I64, around, 2), [-9, 10, -10]);
    assert_eq!(int_domain(IntKind::I64, le(lit(1000), var(1)), 0), [1000]);
    let end = le(Term::Lit(Value::int(u128::MAX - 100)), var(1));
    assert_eq!(int_domain(IntKind::U128, truth(), 1), [0, 1]);
    let far = domains(&space(Sort::Int(IntKind::U128), end, 4, 2)).remove(0);
    assert_eq!(far, [100u128, 99, 98].map(|n| Value::int(u128::MAX - n)));
}

#[test]
fn negation_and_choices_are_seen_through() {
    let not = |term| Term::Not(boxed(term));
    let positive = not(Term::Or(vec![lt(var(1), lit(1)), lt(lit(5), var(1))]));
    assert_eq!(int_domain(IntKind::I64, positive, 9), [1, 2, 3, 4, 5]);
    let choice = Term::If(boxed(lt(var(1), lit(0))), boxed(eq(var(1), lit(-8))), boxed(eq(var(1), lit(8))));
    assert_eq!(int_domain(IntKind::I64, choice, 4), [8, -8]);
    // A relation with another variable says nothing of constants.
    assert_eq!(
        int_domain(IntKind::I64, Term::Or(vec![eq(var(1), lit(8)), lt(var(0), var(1))]), 1),
        [0, 1, -1]
    );
    // A choice among constants says as much as the least and the greatest of them.
    let days = |few, many| Term::If(boxed(lt(var(0), lit(2))), boxed(lit(few)), boxed(lit(many)));
    let month = Term::And(vec![le(lit(26), var(1)), le(var(1), days(28, 31))]);
    assert_eq!(int_domain(IntKind::U8, month, 1), [26, 27, 28, 29, 30, 31]);
    assert_eq!(int_domain(IntKind::I64, eq(var(1), days(28, 1000)), 1), [28, 1000]);
    assert_eq!(int_domain(IntKind::U8, lt(days(253, 252), var(1)), 1), [253, 254, 255]);
    let table = Term::Lit(Value::seq([28, 29, 27].map(|n| Value::int(n as u32))));
    let row = Term::Index(boxed(table), boxed(var(0)));
    assert_eq!(
        int_domain(IntKind::U8, Term::And(vec![le(lit(26), var(1)), le(var(1), row)]), 1),
        [26, 27, 28, 29]
    );
    let bound = Term::Let { slot: 3, value: boxed(lit(20)), body: boxed(le(var(3), var(1))) };
    assert_eq!(int_domain(IntKind::I64, bound, 2), [20, 21, 22]);
}

#[test]
fn floats_are_halves_and_minus_zero() {
    let float = |term, bound| {
        let domain = domains(&space(Sort::Float(FloatKind::F64), term, 4, bound)).remove(0);
        domain
            .iter()
            .map(|x| if let Value::Float(x) = x { format!("{x:?}") } else { panic!() })
            .collect::<Vec<_>>()
    };
    let x = |x| Term::Lit(Value::Float(x));
    assert_eq!(float(truth(), 1), ["0.0", "-0.0", "0.5", "-0.5", "1.0", "-1.0"]);
    assert_eq!(float(lt(x(0.0), var(1)), 1), ["0.5", "1.0"]);
    assert_eq!(float(le(x(-0.0), var(1)), 1), ["0.0", "-0.0", "0.5", "1.0"]);
    assert_eq!(float(lt(x(7.2), var(1)), 2), ["7.5", "8.0", "8.5"]);
    assert_eq!(float(le(var(1), x(-1e300)), 1), ["-1e300", "-1.0000000000000002e300"]);
    assert_eq!(float(eq(x(0.3), var(1)), 1), ["0.3"]);
    assert_eq!(float(eq(x(0.0), var(1)), 1), ["0.0", "-0.0"]);
    assert_eq!(float(Term::And(vec![lt(x(0.25), var(1)), le(var(1), x(0.375))]), 1).len(), 2);
}

#[test]
fn chars_are_the_first_admitted_and_those_named() {
    let chars = |term, bound| {
        let domain = domains(&space(Sort::Char, term, 4, bound)).remove(0);
        domain.iter().map(|c| if let Value::Char(c) = c { *c } else { panic!() }).collect::<String>()
    };
    let is = |class| Term::CharIs(class, boxed(var(1)));
    assert_eq!(chars(truth(), 4), "ab0A ");
    assert_eq!(chars(truth(), 12), "ab0A é-\"\n€😀\0\u{1}");
    assert_eq!(chars(is(crate::logic::ir::CharClass::AsciiDigit), 3), "0123456789");
    let or_x =
        Term::Or(vec![is(crate::logic::ir::CharClass::AsciiDigit), eq(var(1), Term::Lit(Value::Char('x')))]);
    assert_eq!(chars(or_x, 1), "0123456789x");
    assert_eq!(chars(is(crate::logic::ir::CharClass::Whitespace), 1).chars().count(), 25);
    let code = le(lit(0x10_FFFE), Term::ToInt(boxed(var(1))));
    assert_eq!(chars(code, 4), "\u{10FFFE}\u{10FFFF}");
    let text = Term::Chars(boxed(var(1)));
    let digits = all(text, 3, Term::CharIs(crate::logic::ir::CharClass::AsciiDigit, boxed(var(3))));
    let digit = domains(&space(Sort::Str(StrKind::String), digits, 1, 1)).remove(0);
    assert_eq!(digit.len(), 10);
}

#[test]
fn constants_reach_parts_elements_and_fields() {
    let sort = Sort::Tuple(vec![Refined::plain(I64), Refined::plain(ints())]);
    let (first, list) = (Term::Project(boxed(var(1)), 0), Term::Project(boxed(var(1)), 1));
    let second = Term::Index(boxed(list.clone()), boxed(lit(1)));
    let term = Term::And(vec![eq(first, lit(50)), all(list, 3, lt(lit(60), var(3))), eq(second, lit(70))]);
    let space = space(sort, term, 0, 1);
    assert_eq!(
        domains(&space),
        [vec![50], vec![61, 62], vec![70]]
            .map(|d| d.into_iter().map(|n: i64| Value::int(n)).collect::<Vec<_>>())
    );
    // Indexing needs the element to be there.
    assert_eq!(lens(&space), [3]);
}

#[test]
fn a_match_bounds_the_fields_of_each_constructor() {
    let some = |term| {
        spec(vec![refined(Sort::Data(DataId(0)), term)], vec![option(Refined::plain(I64))], Vec::new())
    };
    let far = le(lit(1000), var(3));
    let term = Term::If(
        boxed(Term::IsCtor(boxed(var(1)), 0)),
        boxed(truth()),
        boxed(Term::Let { slot: 3, value: boxed(field(var(1), 1, 0)), body: boxed(far) }),
    );
    let space = space_of(some(term), 4, 1);
    assert_eq!(members(&space).len(), 3);
    assert_eq!(domains(&space), [[1000i64, 1001].map(Value::int)]);
    let only_none = space_of(some(Term::Not(boxed(Term::IsCtor(boxed(var(1)), 1)))), 4, 1);
    assert_eq!(only_none.n_skeletons(), Some(1));
}

#[test]
fn requires_and_explore_bound_parameters() {
    let two = vec![Refined::plain(I64), Refined::plain(ints())];
    let mut spec = spec(two, Vec::new(), vec![le(lit(9), var(0)), le(len(var(1)), lit(1))]);
    spec.explore = vec![clause(lt(var(0), lit(11)))];
    let space = space_of(spec, 4, 4);
    assert_eq!(lens(&space), [1, 2]);
    assert_eq!(domains(&space)[0], [9i64, 10].map(Value::int));
    assert!(!space.is_cut_by_depth());
}

#[test]
fn lengths_reach_to_depth_more_than_the_least_admitted() {
    assert_eq!(lens(&space(ints(), truth(), 2, 1)), [0, 1, 2]);
    assert!(space(ints(), truth(), 2, 1).is_cut_by_depth());
    assert_eq!(lens(&space(ints(), eq(len(var(1)), lit(9)), 2, 1)), [9]);
    assert_eq!(lens(&space(ints(), le(lit(5), len(var(1))), 2, 1)), [5, 6, 7]);
    assert_eq!(lens(&space(ints(), le(lit(2), len(var(1))), 2, 1)), [2, 3, 4]);
    assert_eq!(lens(&space(ints(), le(lit(2), len(var(1))), 0, 1)), [2]);
    let text = |term| lens(&space(Sort::Str(StrKind::String), term, 3, 4));
    assert_eq!(text(eq(len(var(1)), lit(8))), [8]);
    assert_eq!(text(eq(len(Term::Chars(boxed(var(1)))), lit(6))), [6]);
    assert_eq!(text(le(len(var(1)), lit(2))), [0, 1, 2]);
    assert_eq!(text(eq(var(1), Term::Lit(Value::str("hé€😀")))), [4]);
    let wide = space(Sort::Str(StrKind::String), eq(len(var(1)), lit(4)), 3, 9);
    assert_eq!(n_valid(&space(Sort::Str(StrKind::String), eq(var(1), Term::Lit(Value::str("hé"))), 3, 0)), 1);
    // Two characters of two bytes, or of one and three; or four of one.
    assert_eq!(lens(&wide), [2, 3, 4]);
    // A part of wide characters makes no string longer.
    let part = Term::Lit(Value::str("é€"));
    let suffix = Term::StrTest(crate::logic::ir::StrTest::EndsWith, boxed(var(1)), boxed(part));
    assert_eq!(text(suffix), [2, 3, 4, 5]);
    let narrow = space(Sort::Str(StrKind::String), eq(len(var(1)), lit(4)), 3, 1);
    assert_eq!(lens(&narrow), [4]);
    let array = Sort::Seq(Box::new(Refined::plain(I64)), SeqKind::Array(7));
    assert_eq!(lens(&space(array, truth(), 2, 1)), [7]);
    let none = space(ints(), all(var(1), 3, lt(var(3), Term::Lit(Value::int(i64::MIN)))), 3, 1);
    assert_eq!(lens(&none), [0]);
}

#[test]
fn trees_are_counted_by_height() {
    for (height, n) in [1u128, 2, 5, 26, 677, 458_330].into_iter().enumerate() {
        let params = vec![Refined::plain(Sort::Data(DataId(0)))];
        let space = space_of(spec(params, vec![tree(0, Vec::new())], Vec::new()), height as u32, 1);
        assert_eq!(space.n_skeletons(), Some(n));
        if n < 1000 {
            let all: Vec<Skeleton> = space.skeletons().collect();
            assert_eq!(all.iter().collect::<HashSet<_>>().len() as u128, n);
            assert_eq!(all.len() as u128, n);
            assert!(
                all.iter().is_sorted_by_key(|skeleton| format!("{skeleton:?}").matches("Data(1").count())
            );
        }
    }
}

#[test]
fn big_spaces_start_at_once_and_endless_types_are_empty() {
    let params = vec![Refined::plain(vec_of(Refined::plain(Sort::Data(DataId(0)))))];
    let space = space_of(spec(params, vec![tree(0, vec![Refined::plain(ints())])], Vec::new()), 12, 4);
    assert_eq!(space.n_skeletons(), None);
    assert_eq!(space.skeletons().skip(1000).take(2).count(), 2);
    let endless = data(vec![ctor("Loop", vec![Refined::plain(Sort::Data(DataId(0)))], true)]);
    let params = vec![Refined::plain(Sort::Data(DataId(0)))];
    let space = space_of(spec(params, vec![endless], Vec::new()), 4, 4);
    assert_eq!((space.n_skeletons(), space.skeletons().next()), (Some(0), None));
    let nothing = space_of(spec(Vec::new(), Vec::new(), Vec::new()), 4, 4);
    assert_eq!(members(&nothing), [Vec::<Value>::new()]);
}

#[test]
fn relations_leave_the_known_counts() {
    let sorted = space(ints(), Term::IsSorted(boxed(var(1))), 4, 2);
    // Non-decreasing lists over 5 values, of length 0 to 4: C(n + 4, n).
    assert_eq!(n_valid(&sorted), 1 + 5 + 15 + 35 + 70);
    let pair = Sort::Tuple(vec![Refined::plain(I64), Refined::plain(I64)]);
    let ordered = le(Term::Project(boxed(var(1)), 0), Term::Project(boxed(var(1)), 1));
    assert_eq!(n_valid(&space(pair, ordered, 4, 4)), 9 * 10 / 2);
    let small = || refined(I64, Term::And(vec![le(lit(1), var(3)), le(var(3), lit(15))]));
    assert_eq!(n_valid(&space_of(spec(vec![small(), small(), small()], Vec::new(), Vec::new()), 4, 4)), 3375);
    let distinct = space(
        vec_of(refined(I64, Term::And(vec![le(lit(0), var(1)), lt(var(1), lit(4))]))),
        Term::And(vec![Term::Distinct(boxed(var(1))), eq(len(var(1)), lit(4))]),
        4,
        4,
    );
    assert_eq!(n_valid(&distinct), 24);
}

#[test]
fn search_trees_are_counted_by_depth() {
    // Trees with the keys bounded by the root's alone: what is left of the filter is the judge's business.
    let params = vec![Refined::plain(Sort::Data(DataId(0)))];
    let key = vec![Refined::plain(I64)];
    let space = space_of(spec(params, vec![tree(0, key)], Vec::new()), 2, 2);
    let ordered = |args: &Vec<Value>| in_order(&args[0]).windows(2).all(|w| w[0] < w[1]);
    assert_eq!(members(&space).iter().filter(|args| ordered(args)).count(), 36);
}

fn in_order(tree: &Value) -> Vec<i64> {
    let Value::Data(1, fields) = tree else { return Vec::new() };
    let Value::Int(key) = &fields[1] else { panic!("a key") };
    [in_order(&fields[0]), vec![key.to_i64().expect("small")], in_order(&fields[2])].concat()
}

#[test]
fn seeking_agrees_with_going_through() {
    let params = vec![Refined::plain(I64), Refined::plain(vec_of(Refined::plain(Sort::Bool)))];
    let space = space_of(spec(params, Vec::new(), Vec::new()), 3, 2);
    for skeleton in space.skeletons() {
        let mut members = Members::new(&space, &skeleton);
        let (mut args, mut all) = (Vec::new(), Vec::new());
        while members.next_into(&mut args) {
            all.push(args.clone());
        }
        for (index, expected) in all.iter().enumerate().rev() {
            members.seek(index as u64);
            assert!(members.next_into(&mut args));
            assert_eq!(args, *expected);
        }
        members.seek(all.len() as u64);
        assert!(!members.next_into(&mut args));
    }
}
