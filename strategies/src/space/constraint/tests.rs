use proptest::prelude::*;

use super::*;
use crate::logic::eval::{Judge, Judgement};
use crate::logic::ir::{ArithOp, CharClass, FunctionId, StrTest};

/// Whether a value agrees with what is said to be known of it.
fn agrees(facts: &Facts, value: &Value, own: u32) -> bool {
    let tests = facts.tests.iter().all(|test| judge::admits(test, own, value));
    let is_ctor = |ctor: u32| facts.codes.contains(&Int::from(i64::from(ctor)));
    let has_len = |n: usize| facts.len.contains(&Int::from(n as i64));
    let parts = match value {
        Value::Str(text) => {
            let chars = Value::Seq(text.chars().map(Value::Char).collect());
            has_len(text.len()) && agrees(&facts.part(Step::Chars), &chars, own)
        }
        Value::Seq(elements) => {
            has_len(elements.len())
                && elements.iter().zip(0..).all(|(element, i)| {
                    agrees(&facts.part(Step::Each), element, own)
                        && agrees(&facts.part(Step::At(i)), element, own)
                })
        }
        Value::Tuple(parts) => {
            parts.iter().zip(0..).all(|(part, i)| agrees(&facts.part(Step::Project(i)), part, own))
        }
        Value::Data(ctor, fields) => {
            let mut fields = fields.iter().zip(0..);
            is_ctor(*ctor) && fields.all(|(field, i)| agrees(&facts.part(Step::Field(*ctor, i)), field, own))
        }
        scalar => code(scalar).is_none_or(|code| facts.codes.contains(&code)),
    };
    !facts.never && tests && parts
}

fn boxed(term: Term) -> Box<Term> {
    Box::new(term)
}

fn lit(n: i64) -> Term {
    Term::Lit(Value::int(n))
}

/// The parts of the refined value in slot 1: `(i64, Vec<i64>, Option<i64>, String, f64)`.
fn part(i: u32) -> Term {
    Term::Project(boxed(Term::Var(1)), i)
}

fn int() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        (-3i64..4).prop_map(lit),
        Just(part(0)),
        Just(Term::Var(3)),
        (0i64..3).prop_map(|i| Term::Index(boxed(part(1)), boxed(lit(i)))),
        Just(Term::Len(boxed(part(1)))),
        Just(Term::Len(boxed(part(3)))),
        Just(Term::Len(boxed(Term::Chars(boxed(part(3)))))),
        Just(Term::Field { of: boxed(part(2)), ctor: 1, index: 0 }),
        Just(Term::ToInt(boxed(Term::Index(boxed(Term::Chars(boxed(part(3)))), boxed(lit(0)))))),
        Just(Term::Index(
            boxed(Term::Slice(boxed(part(1)), boxed(lit(1)), boxed(Term::Len(boxed(part(1)))))),
            boxed(lit(0))
        )),
    ];
    let choice = (-3i64..4, proptest::option::of(-3i64..4)).prop_map(|(a, b)| {
        let is_small = Term::Compare(CompareOp::Lt, boxed(part(0)), boxed(lit(1)));
        Term::If(boxed(is_small), boxed(lit(a)), boxed(b.map_or(Term::Undefined, lit)))
    });
    prop_oneof![4 => leaf, 1 => choice].prop_recursive(1, 3, 2, |inner| {
        (inner.clone(), inner).prop_map(|(a, b)| Term::Arith(ArithOp::Add, boxed(a), boxed(b)))
    })
}

fn float() -> impl Strategy<Value = Term> {
    let constants = proptest::sample::select(vec![-1.0, -0.0, 0.0, 0.5, f64::NAN, f64::INFINITY]);
    prop_oneof![constants.prop_map(|x| Term::Lit(Value::Float(x))), Just(part(4))]
}

fn str_test() -> impl Strategy<Value = StrTest> {
    proptest::sample::select(vec![StrTest::StartsWith, StrTest::EndsWith, StrTest::Contains])
}

fn compare() -> impl Strategy<Value = Term> {
    let op = || prop_oneof![Just(CompareOp::Lt), Just(CompareOp::Le)];
    prop_oneof![
        (op(), int(), int()).prop_map(|(op, a, b)| Term::Compare(op, boxed(a), boxed(b))),
        (int(), int()).prop_map(|(a, b)| Term::Equal(boxed(a), boxed(b))),
        (op(), float(), float()).prop_map(|(op, a, b)| Term::Compare(op, boxed(a), boxed(b))),
        (float(), float()).prop_map(|(a, b)| Term::Equal(boxed(a), boxed(b))),
        (int(), int(), int())
            .prop_map(|(lo, hi, x)| Term::Contains(boxed(Term::Range(boxed(lo), boxed(hi))), boxed(x))),
        (0u32..2).prop_map(|ctor| Term::IsCtor(boxed(part(2)), ctor)),
        Just(Term::Equal(boxed(part(3)), boxed(Term::Lit(Value::str("é"))))),
        (str_test(), proptest::sample::select(vec!["", "a", "é", "é0", "aé0", "b"])).prop_map(
            |(test, text)| { Term::StrTest(test, boxed(part(3)), boxed(Term::Lit(Value::str(text)))) }
        ),
        Just(Term::Equal(boxed(part(2)), boxed(Term::Lit(Value::Data(0, [].into()))))),
        any::<bool>().prop_map(|b| Term::Lit(Value::Bool(b))),
        Just(Term::Undefined),
    ]
}

fn condition() -> impl Strategy<Value = Term> {
    let is_ascii = Term::CharIs(CharClass::Ascii, boxed(Term::Var(4)));
    let chars = Term::All(boxed(Term::Chars(boxed(part(3)))), Closure { slot: 4, body: boxed(is_ascii) });
    let leaf = prop_oneof![8 => compare(), 1 => Just(chars)];
    leaf.prop_recursive(4, 16, 3, |inner| {
        let over = prop_oneof![
            Just(part(1)),
            Just(Term::Reverse(boxed(part(1)))),
            Just(Term::Lit(Value::seq([Value::int(1), Value::int(2)]))),
        ];
        let each = (any::<bool>(), over, inner.clone()).prop_map(|(all, over, body)| {
            let closure = Closure { slot: 3, body: boxed(body) };
            if all { Term::All(boxed(over), closure) } else { Term::Any(boxed(over), closure) }
        });
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Term::And),
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Term::Or),
            inner.clone().prop_map(|a| Term::Not(boxed(a))),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| Term::If(
                boxed(c),
                boxed(a),
                boxed(b)
            )),
            (int(), inner.clone()).prop_map(|(value, body)| Term::Let {
                slot: 3,
                value: boxed(value),
                body: boxed(body)
            }),
            (inner, any::<bool>()).prop_map(|(a, b)| Term::Equal(boxed(a), boxed(Term::Lit(Value::Bool(b))))),
            each,
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    let list = proptest::collection::vec((-3i64..4).prop_map(Value::int), 0..4).prop_map(Value::seq);
    let option = proptest::option::of(-3i64..4).prop_map(|n| match n {
        Some(n) => Value::Data(1, [Value::int(n)].into()),
        None => Value::Data(0, [].into()),
    });
    let text = proptest::sample::select(vec!["", "a", "é", "\u{1}", "a€", "aé0", "ba", "éb", "b"])
        .prop_map(Value::str);
    let float =
        proptest::sample::select(vec![-1.0, -0.0, 0.0, 0.25, 0.5, f64::INFINITY]).prop_map(Value::Float);
    ((-3i64..4).prop_map(Value::int), list, option, text, float)
        .prop_map(|(a, b, c, d, e)| Value::Tuple([a, b, c, d, e].into()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn facts_never_lose_a_value_that_satisfies_the_clause(
        term in condition(),
        values in proptest::collection::vec(value(), 64),
    ) {
        let facts = facts_of(&term, std::iter::once(1), 1, &[]).part(Step::Project(1));
        let never = facts_of(&term, std::iter::once(1), 1, &[]).never;
        let mut judge = Judge::new(None);
        for value in values {
            judge.set(1, value.clone());
            // What an outer scope might have left in the slots of binders is not read.
            judge.set(3, Value::int(0));
            if judge.condition(&term) == Judgement::Holds && reads_only_bound(&term, false) {
                prop_assert!(!never && agrees(&facts, &value, 1), "{value:?} {facts:?}");
            }
        }
    }
}

/// Whether slot 3 is read only where it is bound.
fn reads_only_bound(term: &Term, bound: bool) -> bool {
    let mut fine = *term != Term::Var(3) || bound;
    map_children(term, &mut |child, slots| {
        fine &= reads_only_bound(child, bound || slots.contains(&3));
        Term::Undefined
    });
    fine
}

#[test]
fn nested_choices_end() {
    let atom = Term::Compare(CompareOp::Lt, boxed(Term::Var(1)), boxed(lit(9)));
    let nested =
        (0..60).fold(atom.clone(), |c, _| Term::If(boxed(c), boxed(atom.clone()), boxed(atom.clone())));
    facts_of(&nested, std::iter::once(1), 1, &[]);
}

#[test]
fn a_function_that_returns_constants_is_a_choice_among_them() {
    let is_even =
        Term::Equal(boxed(Term::Arith(ArithOp::Rem, boxed(Term::Var(7)), boxed(lit(2)))), boxed(lit(0)));
    let days = |otherwise| Function {
        name: "days".to_owned(),
        params: vec![7],
        body: Term::If(boxed(is_even.clone()), boxed(lit(28)), boxed(otherwise)),
        decreases: None,
        total: true,
        nesting: 1,
    };
    let call = Term::Call(FunctionId(0), vec![Term::Var(0)]);
    let clause = Term::Compare(CompareOp::Le, boxed(Term::Var(1)), boxed(call));
    let facts = |function| facts_of(&clause, std::iter::once(1), 1, &[function]).part(Step::Project(1));
    let up_to = |n: i64| Facts::codes(IntervalSet::at_most(Int::from(n)));
    assert_eq!(facts(days(lit(31))), up_to(31));
    // Structural recursion has no measure that decreases.
    let again = Term::Call(FunctionId(0), vec![Term::Project(boxed(Term::Var(7)), 0)]);
    assert_eq!(facts(days(again)), Facts::any());
}
